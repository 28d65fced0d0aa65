//! Each native routine against the reference image, in the interpreter and on the
//! processor itself (where 32-bit code can run), and nine views of a large level.
//!
//! Times are the best of several rounds, since whatever else a machine does only adds.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[allow(dead_code)]
#[path = "../tests/hardware/native.rs"]
mod native;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[allow(dead_code)]
#[path = "../tests/hardware/repeat.rs"]
mod repeat;

use std::time::Duration;

use ninefold_guest::trials::speed::{Case, Panorama, Speed};

const ROUNDS: u32 = 40;
/// About how long a round takes.
const ROUND: Duration = Duration::from_millis(4);

/// Nanoseconds a call, the best of the rounds.
fn best(mut run: impl FnMut(u32) -> Duration) -> f64 {
    let mut times = 1;
    // A round that something else interrupts takes long too: the best of three says.
    while (0..3).map(|_| run(times)).min() < Some(ROUND) {
        times *= 2;
        if times >= 1 << 20 {
            break;
        }
    }
    let rounds = (0..ROUNDS).map(|_| run(times).as_nanos() as f64 / f64::from(times));
    rounds.fold(f64::INFINITY, f64::min)
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn on_hardware(speed: &Speed, case: &Case) -> Option<f64> {
    use ninefold_guest::reference;
    use ninefold_guest::trials::speed::RANGES;

    let mut hardware = native::Hardware::acquire()?;
    for (start, length) in RANGES {
        let bytes = hardware.memory(start, length as usize);
        speed.machine.memory.read_bytes(start, bytes).unwrap();
    }
    for routine in reference::ROUTINES {
        let bytes = hardware.memory(routine.address, routine.bytes.len());
        bytes.copy_from_slice(routine.bytes);
    }
    let call = repeat::Repeat {
        function: case.routine.address(),
        cpu: case.cpu,
        arguments: &case.arguments,
        clears: &case.clears,
    };
    // SAFETY: the interpreter has run the same call on the same memory to its end.
    Some(best(|times| unsafe { call.run(&mut hardware, times) }))
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn on_hardware(_: &Speed, _: &Case) -> Option<f64> {
    None
}

fn main() {
    let mut speed = Speed::new().unwrap();
    println!(
        "{:<22}{:<24}{:>11}{:>14}{:>11}{:>14}{:>12}",
        "routine", "", "native ns", "interpreted", "hardware", "/interpreted", "/hardware"
    );
    // Whatever arguments there are name routines; `--bench` is cargo's.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted));
    for case in speed.cases.clone() {
        if !is_wanted(case.routine.name()) {
            continue;
        }
        let interpreted = best(|times| speed.run(&case, false, times).unwrap());
        let hardware = on_hardware(&speed, &case);
        let native = best(|times| speed.run(&case, true, times).unwrap());
        println!(
            "{:<22}{:<24}{native:>11.1}{interpreted:>14.1}{:>11.1}{:>13.1}x{:>11.2}x",
            case.routine.name(),
            case.size,
            hardware.unwrap_or(f64::NAN),
            interpreted / native,
            native / hardware.unwrap_or(f64::NAN),
        );
    }
    if !is_wanted("nine views") {
        return;
    }
    let mut panorama = Panorama::new(100_000).unwrap();
    let interpreted = panorama.frame(false).unwrap();
    let native = (0..10)
        .map(|_| panorama.frame(true).unwrap())
        .min()
        .unwrap();
    assert_eq!(native.1, interpreted.1);
    println!(
        "nine views of 100,000 surfaces, {} marked: native {:.2} ms, interpreted {:.1} ms, {:.1}x",
        native.1,
        native.0.as_secs_f64() * 1e3,
        interpreted.0.as_secs_f64() * 1e3,
        interpreted.0.as_secs_f64() / native.0.as_secs_f64(),
    );
}
