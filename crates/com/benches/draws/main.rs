//! CPU time per draw through the COM ABI, next to the same draws through the safe API in the same
//! run: 2,000 draws a frame, once with the fixed function whose state changes all the time, once
//! with shaders of model 2 whose constants do.

#[cfg(unix)]
mod com;
#[cfg(unix)]
mod safe;
#[cfg(unix)]
mod scene;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() {
    use scene::{Api, Shading, frame};

    const DRAWS: u32 = 2000;
    const FRAMES: usize = 60;
    // Frames that do not count: pipelines are built in them.
    const WARM: usize = 5;

    // `cargo test --benches` only wants to know that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, frames) = if test { (50, 2) } else { (DRAWS, FRAMES) };
    let (mut safe, mut com) = match (safe::Safe::new(), com::Com::new()) {
        (Ok(safe), Some(com)) => (safe, com),
        (Err(error), _) => return eprintln!("skipped: {error}"),
        (_, None) => return eprintln!("skipped: no device through COM"),
    };
    println!("adapter: {}", safe.adapter());
    println!("{draws} draws a frame, {frames} frames; thread CPU time per draw, Present included:");
    for shading in [Shading::Fixed, Shading::Model2] {
        let mut times = [Vec::new(), Vec::new()];
        for n in 0..frames + WARM {
            let pair = [
                frame(&mut safe, draws, shading),
                frame(&mut com, draws, shading),
            ];
            if n >= WARM {
                for (times, time) in times.iter_mut().zip(pair) {
                    times.push(time);
                }
            }
        }
        let [safe_time, com_time] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!(
            "  {:<44} safe API {safe_time:6.3} us   COM {com_time:6.3} us   {:5.2}x",
            shading.name(),
            com_time / safe_time
        );
    }
    assert_eq!(safe.middle(), com.middle(), "both draw the same");
}
