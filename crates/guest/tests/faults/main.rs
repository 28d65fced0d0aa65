//! Whether the comparison would notice a fault of a native routine.
//!
//! The crate's sources are copied with each fault of the table as a switch and built once.
//! Then the trials of a routine run with one fault switched on at a time, until one of
//! them differs. With none switched on, all of them agree.

mod copy;
mod switch;
mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use ninefold_guest::profile::Routine;

/// Trials after which a fault counts as not noticed.
const TRIALS: u64 = 20_000;

/// What the trials of a routine said of a fault.
#[derive(Debug)]
enum Verdict {
    /// This trial differed.
    Noticed(u64),
    /// None did. Whether the fault's code ran at all.
    Missed(bool),
}

/// Runs trials of routines, each with a fault; 0 is none.
fn run(program: &Path, tasks: &[(usize, Routine, u64)]) -> BTreeMap<(usize, usize), Verdict> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for (fault, routine, trials) in tasks {
        writeln!(input, "{fault} {} {trials}", *routine as usize).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let verdicts = text.lines().map(|line| {
        let words: Vec<_> = line.split(' ').collect();
        let [fault, routine, verdict] = words[..] else {
            panic!("{line}");
        };
        let verdict = match verdict {
            "missed" => Verdict::Missed(true),
            "unreached" => Verdict::Missed(false),
            seed => Verdict::Noticed(seed.parse().unwrap()),
        };
        ((fault.parse().unwrap(), routine.parse().unwrap()), verdict)
    });
    verdicts.collect()
}

#[test]
fn every_planted_fault_is_noticed() {
    let faults = table::faults();
    let mut tasks = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        for &routine in fault.place.noticed_by {
            tasks.push((number + 1, routine, TRIALS));
        }
    }
    let program = copy::build();
    let verdicts = run(&program, &tasks);
    assert_eq!(verdicts.len(), tasks.len());

    let mut missed = Vec::new();
    let mut last_of = [(0, 0); Routine::ALL.len()];
    for ((number, routine), verdict) in &verdicts {
        match verdict {
            Verdict::Noticed(seed) => {
                last_of[*routine] = last_of[*routine].max((*seed, *number));
            }
            Verdict::Missed(reached) => {
                let note = if *reached { "" } else { " (never run)" };
                let name = Routine::ALL[*routine].name();
                missed.push(format!("{name}{note}: {}", faults[number - 1]));
            }
        }
    }
    assert!(missed.is_empty(), "not noticed:\n{}", missed.join("\n"));

    // A trial that differs without a fault notices nothing.
    let sound: Vec<_> = Routine::ALL
        .into_iter()
        .zip(last_of)
        .map(|(routine, (last, _))| (0, routine, last + 1))
        .collect();
    for ((_, routine), verdict) in run(&program, &sound) {
        if let Verdict::Noticed(seed) = verdict {
            panic!("{} differs for seed {seed}", Routine::ALL[routine].name());
        }
    }
    println!(
        "{} faults; the trials that noticed the last ones:",
        faults.len()
    );
    for (routine, (last, number)) in Routine::ALL.into_iter().zip(last_of) {
        if let Some(fault) = number.checked_sub(1).map(|index| &faults[index]) {
            println!("{}: {last}, {fault}", routine.name());
        }
    }
}
