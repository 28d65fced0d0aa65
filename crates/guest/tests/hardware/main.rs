//! The interpreter against this machine's processor in 32-bit mode: the same registers,
//! flags, x87 state and memory after every run.
//!
//! Left out of the comparison, because the machine does not model them or the
//! architecture does not define them: C1, the exception flags, instruction and operand
//! pointers, flags that the last instruction to touch them left undefined, and runs in
//! which a value leaves the range that binary64 shares with the processor's wider
//! registers.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod assembled;
mod compiled;
mod image;
mod native;
mod oracle;
mod programs;
mod random;
mod repeat;
mod scene;

use ninefold_guest::reference::ROUTINES;
use oracle::{Compared, Oracle};

#[test]
fn random_programs() {
    let Some(mut oracle) = Oracle::new(&programs::REGIONS) else {
        return;
    };
    let mut equal = 0;
    let mut skipped = 0;
    for seed in 0.. {
        match programs::run(&mut oracle, seed) {
            Ok(Compared::Equal) => equal += 1,
            Ok(Compared::OutOfRange) => skipped += 1,
            Ok(Compared::Stopped(error)) => panic!("seed {seed}: {error}"),
            Err(difference) => panic!("{difference}"),
        }
        if equal == 100_000 {
            break;
        }
    }
    println!("{equal} programs agree, {skipped} left the range");
    assert!(skipped < equal / 10);
}

#[test]
fn compiled_routines() {
    let Some(equal) = compiled::run(270) else {
        return;
    };
    println!("{equal} runs of compiled routines agree");
    assert!(equal > 20_000);
}

/// `NINEFOLD_BLESS=1` writes the bytes instead.
#[test]
fn the_reference_image_is_its_source() {
    for (routine, bytes) in ROUTINES.iter().zip(assembled::routines()) {
        let address = routine.address;
        if std::env::var_os("NINEFOLD_BLESS").is_some_and(|value| value == "1") {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/reference");
            std::fs::write(format!("{folder}/{address:08x}.bin"), bytes).unwrap();
            continue;
        }
        assert_eq!(
            routine.bytes, bytes,
            "{address:08x}: set NINEFOLD_BLESS=1 to write it"
        );
        assert_eq!(bytes.len(), routine.size, "{address:08x}");
    }
}

/// Scenes with aliased outputs, indices out of range, capacity exits, signed counts, odd
/// floats, all tops and roundings.
#[test]
fn the_reference_image() {
    let Some(steps) = image::full_list() else {
        return;
    };
    let Some(mut oracle) = image::oracle() else {
        return;
    };
    oracle.steps = Some(steps);
    for routine in ROUTINES {
        let tally = image::run(&mut oracle, routine.address, 6_500);
        println!("{:08x} {}: {tally:?}", routine.address, routine.name);
        assert!(tally.equal > 6_300);
    }
    assert_eq!(image::not_covered(&oracle), [""; 0]);
}

#[test]
fn calls_are_repeated() {
    image::counted();
    image::repeated();
}
