//! CPU time per draw from the D3D9 call to the submitted command: 20,000 draws a frame whose
//! constants (32 vertex and 16 pixel registers, 768 bytes) and vertices (72 bytes) change with
//! every draw, the texture with every second, the blend state with every fourth. Next to it, in the
//! same run, wgpu-hal recording the same commands with nothing checked and nothing kept.

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod device;
#[cfg(unix)]
#[path = "../../../gpu/benches/record/raw.rs"]
mod raw;
#[cfg(unix)]
#[allow(dead_code)]
#[path = "../../../gpu/benches/record/scene.rs"]
mod scene;

/// Frames of each kind that do not count.
#[cfg(unix)]
const WARM: usize = 5;

/// Lets the heap keep what is freed. A software driver allocates each command, and whether glibc
/// gives that memory back between two frames, to be faulted in again, decided more than what was
/// measured.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_freed_memory() {
    // SAFETY: two options of the allocator, set before other threads are started.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 30);
    }
}

#[cfg(all(unix, not(all(target_os = "linux", target_env = "gnu"))))]
fn keep_freed_memory() {}

#[cfg(unix)]
fn main() {
    use scene::{DRAWS, FRAMES};
    // `cargo test --benches` only wants to know that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, frames) = if test { (100, 2) } else { (DRAWS, FRAMES) };
    keep_freed_memory();
    let settings = ninefold_d3d9::DeviceSettings {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..Default::default()
    };
    let direct3d = match ninefold_d3d9::Direct3D9::new(settings) {
        Ok(direct3d) => direct3d,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let name = direct3d.get_adapter_identifier().description.clone();
    println!("adapter: {name}");
    let mut ours = device::Scene::new(&direct3d);
    // Its objects are not destroyed one by one, which hal's own destructors mind.
    let mut raw = std::mem::ManuallyDrop::new(raw::Raw::new(&name));
    let mut times: [Vec<f64>; 4] = Default::default();
    for frame in 0..frames + WARM {
        let frame_times = [
            raw.frame(draws),
            ours.frame(draws, device::Call::Primitive),
            ours.frame(draws, device::Call::Indexed),
            ours.frame(draws, device::Call::IndexedUp),
        ];
        if frame >= WARM {
            for (times, time) in times.iter_mut().zip(frame_times) {
                times.push(time);
            }
        }
    }
    assert!(
        raw.picture().iter().any(|&byte| byte != 0) && ours.drew(),
        "both draw"
    );
    println!("{draws} draws a frame, {frames} frames; thread CPU time per draw, call to submit:");
    let names = [
        "wgpu-hal",
        "draw_primitive",
        "draw_indexed_primitive",
        "draw_indexed_primitive_up",
    ];
    let mut baseline = (0.0, 0.0);
    for (name, times) in names.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let min = times[0] / draws as f64;
        let median = times[times.len() / 2] / draws as f64;
        if baseline == (0.0, 0.0) {
            baseline = (min, median);
        }
        println!(
            "  {name:<26} min {min:.3} us  median {median:.3} us  ratio {:.2} / {:.2}",
            min / baseline.0,
            median / baseline.1
        );
    }
    println!("  (budget: ratio 2)");
}
