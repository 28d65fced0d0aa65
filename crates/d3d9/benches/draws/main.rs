//! CPU time per draw from the D3D9 call to the submitted command: 20,000 draws a frame whose
//! constants (32 vertex and 16 pixel registers, 768 bytes) and vertices (72 bytes) change with
//! every draw, the texture with every second, the blend state with every fourth. Next to it, in the
//! same run, wgpu-hal recording the same commands with nothing checked and nothing kept; the same from a
//! buffer that does not change; and a static scene in nine views.

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

#[cfg(unix)]
mod views;

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
    use device::Call;
    use raw::Kind;
    use scene::{DRAWS, FRAMES};
    // `cargo test --benches` only wants to know that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, frames) = if test { (100, 2) } else { (DRAWS, FRAMES) };
    keep_freed_memory();
    let settings = ninefold_d3d9::DeviceSettings {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..Default::default()
    };
    let direct3d = match ninefold_d3d9::Direct3D9::new(settings.clone()) {
        Ok(direct3d) => direct3d,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let name = direct3d.get_adapter_identifier().description.clone();
    println!("adapter: {name}");
    // `-- views` leaves out the long part.
    if std::env::args().any(|argument| argument == "views") {
        return views::report(&settings, test);
    }
    let mut ours = device::Scene::new(&direct3d);
    // Its objects are not destroyed one by one, which hal's own destructors mind.
    let mut raw = std::mem::ManuallyDrop::new(raw::Raw::new(&name));
    // Each call of ours with the raw commands that do the same.
    let raws = [
        ("wgpu-hal", Kind::Copied),
        ("wgpu-hal, indexed", Kind::Indexed),
        ("wgpu-hal, static", Kind::Static),
        ("wgpu-hal, static indexed", Kind::StaticIndexed),
    ];
    let calls = [
        ("draw_primitive", Call::Primitive, 0),
        ("draw_indexed_primitive", Call::Indexed, 1),
        ("draw_indexed_primitive_up", Call::IndexedUp, 1),
        ("static draw_primitive", Call::Static, 2),
        ("static draw_indexed", Call::StaticIndexed, 3),
    ];
    let mut raw_times: [Vec<f64>; 4] = Default::default();
    let mut times: [[Vec<f64>; 2]; 5] = Default::default();
    for frame in 0..frames + WARM {
        for ((_, kind), times) in raws.iter().zip(&mut raw_times) {
            let time = raw.frame_of(draws, *kind);
            if frame >= WARM {
                times.push(time);
            }
        }
        for ((_, call, _), times) in calls.iter().zip(&mut times) {
            for (fast, times) in [false, true].into_iter().zip(times) {
                let time = ours.frame(draws, *call, fast);
                if frame >= WARM {
                    times.push(time);
                }
            }
        }
    }
    assert!(
        raw.picture().iter().any(|&byte| byte != 0) && ours.drew(),
        "both draw"
    );
    println!("{draws} draws a frame, {frames} frames; thread CPU time per draw, call to submit:");
    let of = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        [times[0], times[times.len() / 2]].map(|time| time / draws as f64)
    };
    let bases = raw_times.each_mut().map(of);
    for ((name, _), [min, median]) in raws.iter().zip(bases) {
        println!("  {name:<26}            min {min:.3} us  median {median:.3} us");
    }
    for ((name, _, raw), times) in calls.iter().zip(&mut times) {
        for (paths, times) in ["off", "on "].into_iter().zip(times) {
            let [min, median] = of(times);
            let [raw_min, raw_median] = bases[*raw];
            println!(
                "  {name:<26} fast {paths}   min {min:.3} us  median {median:.3} us  ratio {:.2} / {:.2}",
                min / raw_min,
                median / raw_median
            );
        }
    }
    println!("  (ratios to the raw commands that do the same; budget: 2)");
    views::report(&settings, test);
}
