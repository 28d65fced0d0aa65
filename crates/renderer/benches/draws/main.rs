//! CPU time of recording and submitting 20,000 draws through [`Renderer::draw`]: constants (768
//! bytes) and vertices (72 bytes) change with every draw, the texture with every second, the blend
//! state, and so the pipeline, with every fourth. Beside it the same commands through wgpu-hal with
//! nothing checked and nothing kept, in the same run; and the allocations of a frame.

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
#[path = "../../../gpu/benches/record/raw.rs"]
#[allow(dead_code)]
mod raw;
#[cfg(unix)]
#[path = "../../../gpu/benches/record/scene.rs"]
#[allow(dead_code)]
mod scene;

#[cfg(unix)]
mod allocations;
#[cfg(unix)]
mod ours;

#[cfg(unix)]
fn main() {
    use scene::{DRAWS, FRAMES};
    // `cargo test --benches` only wants to know that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, frames) = if test { (100, 3) } else { (DRAWS, FRAMES) };
    let options = ninefold_gpu::GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..ninefold_gpu::GpuOptions::default()
    };
    let gpu = match ninefold_gpu::Gpu::new(&options) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    println!("adapter: {}", gpu.adapter_info());
    let name = gpu.adapter_info().name.clone();
    let mut ours = ours::Ours::new(gpu);
    // Its objects are not destroyed one by one, which hal's own destructors mind.
    let mut raw = std::mem::ManuallyDrop::new(raw::Raw::new(&name));
    let (mut ours_times, mut raw_times) = (Vec::new(), Vec::new());
    let mut allocated = 0;
    for _ in 0..frames {
        let before = allocations::count();
        ours_times.push(ours.frame(draws));
        allocated = allocations::count() - before;
        raw_times.push(raw.frame(draws));
    }
    assert!(
        ours.picture()
            .chunks_exact(4)
            .any(|pixel| pixel[..3] != [0; 3]),
        "it drew something"
    );
    let best = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        (
            times[0] / draws as f64,
            times[times.len() / 2] / draws as f64,
        )
    };
    let (ours_min, ours_median) = best(&mut ours_times);
    let (raw_min, raw_median) = best(&mut raw_times);
    println!("{draws} draws a frame, {frames} frames; thread CPU time per draw, record to submit:");
    println!("  wgpu-hal            min {raw_min:.3} us  median {raw_median:.3} us");
    println!("  ninefold-renderer   min {ours_min:.3} us  median {ours_median:.3} us");
    println!(
        "  ratio               min {:.2}  median {:.2}  (budget 2)",
        ours_min / raw_min,
        ours_median / raw_median
    );
    println!("  allocations         {allocated} in the last frame, of {draws} draws");
    assert!(allocated < draws, "a draw allocates");
}
