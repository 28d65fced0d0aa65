//! CPU time of recording and submitting 20,000 draws: constants (768 bytes) and
//! vertices (72 bytes) change with every draw, the texture with every second,
//! the pipeline with every fourth. Through this crate, and through wgpu-hal with
//! nothing checked and nothing kept, in the same run.

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod ours;
#[cfg(unix)]
mod raw;
#[cfg(unix)]
mod scene;

#[cfg(unix)]
fn main() {
    use scene::{DRAWS, FRAMES};
    // `cargo test --benches` only wants to know that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, frames) = if test { (100, 2) } else { (DRAWS, FRAMES) };
    let options = ninefold_gpu::GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        validation: false,
    };
    let gpu = match ninefold_gpu::Gpu::new(&options) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    println!("adapter: {}", gpu.adapter_info());
    let mut ours = ours::Ours::new(gpu.clone());
    // Its objects are not destroyed one by one, which hal's own destructors mind.
    let mut raw = std::mem::ManuallyDrop::new(raw::Raw::new(&gpu.adapter_info().name));
    let (mut ours_times, mut raw_times) = (Vec::new(), Vec::new());
    for _ in 0..frames {
        ours_times.push(ours.frame(draws));
        raw_times.push(raw.frame(draws));
    }
    let (ours_picture, raw_picture) = (ours.picture(), raw.picture());
    assert!(ours_picture == raw_picture, "both draw the same picture");
    assert!(
        ours_picture.iter().any(|&byte| byte != 0),
        "and it is not empty"
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
    println!("  wgpu-hal      min {raw_min:.3} us  median {raw_median:.3} us");
    println!("  ninefold-gpu  min {ours_min:.3} us  median {ours_median:.3} us");
    println!(
        "  ratio         min {:.2}  median {:.2}  (budget 2)",
        ours_min / raw_min,
        ours_median / raw_median
    );
}
