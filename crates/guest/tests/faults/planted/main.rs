//! Runs trials with faults: `fault routine trials` a line; says `fault routine` and the
//! first trial that differs, or `missed`, or `unreached`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use ninefold_guest::profile::Routine;
use ninefold_guest::trials::{Bench, Outcome};
use ninefold_guest::{fault, reference};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let tasks: Vec<[u64; 3]> = std::io::stdin()
        .lines()
        .map(|line| {
            let line = line.expect("input is text");
            let mut numbers = line.split(' ').map(|word| word.parse().expect("a number"));
            [(); 3].map(|()| numbers.next().expect("three numbers"))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&[fault, routine, trials]) =
                    tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let verdict = try_fault(fault as u32, Routine::ALL[routine as usize], trials);
                    println!("{fault} {routine} {verdict}");
                }
            });
        }
    });
}

fn try_fault(fault: u32, routine: Routine, trials: u64) -> String {
    fault::switch_on(fault);
    let mut bench = Bench::new(reference::map).expect("the image is what trials expect");
    for seed in 0..trials {
        fault::begin();
        let outcome = catch_unwind(AssertUnwindSafe(|| match routine {
            Routine::WholeGather => bench.run_whole_gather(seed),
            _ => bench.run(routine, seed),
        }));
        match outcome {
            Ok(Outcome::Different(_)) | Err(_) => return seed.to_string(),
            Ok(_) => {}
        }
    }
    let verdict = if fault::was_reached() { "missed" } else { "unreached" };
    verdict.to_owned()
}
