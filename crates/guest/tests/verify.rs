//! Holding native routines against an executable: the reference image as one, damaged ones,
//! and files that are something else.

use ninefold_guest::profile::Routine;
use ninefold_guest::reference;
use ninefold_guest::trials::{Row, VerifyError, verify};

fn rows(file: &[u8], trials: u64) -> Vec<Row> {
    verify(file, trials, |_| {}).unwrap()
}

fn refused(file: &[u8]) -> String {
    verify(file, 1, |_| {}).unwrap_err().to_string()
}

/// Where the byte at an address lies in the executable, whose code begins at 44A000h and
/// in the file right after the headers.
fn place(address: u32) -> usize {
    0x400 + (address - 0x0044_A000) as usize
}

#[test]
fn the_reference_image_agrees() {
    let mut asked = Vec::new();
    let rows = verify(&reference::executable(), 60, |routine| asked.push(routine)).unwrap();
    assert_eq!(asked, Routine::ALL);
    assert_eq!(rows.len(), Routine::ALL.len());
    for row in rows {
        assert!(row.agrees(), "{row:?}");
        let tally = row.tally;
        assert_eq!(
            tally.equal + tally.declined + tally.faults + tally.endless,
            60
        );
        assert!(tally.equal > 10, "{row:?}");
    }
}

#[test]
fn one_changed_instruction_is_found_in_its_routine_alone() {
    let mut file = reference::executable();
    // The first `mov eax, 2` of box against box returns 3.
    let routine = reference::ROUTINES
        .iter()
        .find(|routine| routine.address == 0x0055_41B0);
    let at = routine
        .unwrap()
        .bytes
        .windows(5)
        .position(|bytes| bytes == [0xB8, 2, 0, 0, 0]);
    file[place(0x0055_41B0) + at.unwrap() + 1] = 3;
    let rows = rows(&file, 300);
    for row in &rows {
        let changed = row.routine == Routine::BoxOverlap;
        let gathers = matches!(
            row.routine,
            Routine::LeafGather
                | Routine::ClusterGather
                | Routine::TreeGather
                | Routine::WholeGather
        );
        // Gathers call it, and tell its answers apart.
        assert!(row.agrees() != changed || gathers, "{row:?}");
        if changed {
            let (_, what) = row.first_difference.as_ref().unwrap();
            assert!(what[0].starts_with("eax is 0x3, natively 0x2"), "{what:?}");
        }
    }
}

#[test]
fn other_files_are_refused_in_plain_words() {
    assert!(refused(b"#!/bin/sh\n").contains("not a 32-bit Windows executable"));
    assert!(refused(&[]).contains("not a 32-bit Windows executable"));

    let whole = reference::executable();
    let cut = refused(&whole[..whole.len() / 2]);
    assert!(
        cut.starts_with("the file is cut short: section .text"),
        "{cut}"
    );

    // A packer leaves the section in memory, but its bytes elsewhere.
    let mut packed = whole.clone();
    packed[0x178 + 16..][..4].fill(0);
    let said = refused(&packed);
    assert!(said.starts_with("not the reference build: the file holds no code at 004CC0D0h"));
    assert!(said.contains("packed"), "{said}");

    // Another build: code, but not this code.
    let mut other = whole.clone();
    let at = place(0x0055_3380);
    other[at..at + 265].fill(0x90);
    let said = refused(&other);
    assert!(
        said.starts_with("not the reference build: node bounds at 00553380h"),
        "{said}"
    );
    // A routine that only computes has no calls: nops and one.
    let mut other = whole.clone();
    let at = place(0x0055_3380);
    let bytes = &mut other[at..at + 265];
    bytes.fill(0x90);
    bytes[..5].copy_from_slice(&[0xE8, 0, 0, 0, 0]);
    bytes[264] = 0xC3;
    let said = refused(&other);
    assert!(
        said.ends_with("node bounds at 00553380h calls other functions"),
        "{said}"
    );
}

#[test]
fn a_routine_that_calls_something_else_is_left_out() {
    let mut file = reference::executable();
    let at = place(0x0055_3920);
    let call = (at..at + 322).find(|&at| file[at] == 0xE8).unwrap();
    file[call + 1] ^= 0x10;
    for row in rows(&file, 30) {
        let other = row.routine == Routine::VisibleSurfaces;
        assert_eq!(row.other_calls, other);
        assert_eq!(row.agrees(), !other, "{row:?}");
    }
}

#[test]
fn a_routine_that_never_returns_does_not_agree() {
    // cmp eax, eax; jne to what follows the old code's first fnstsw; jmp to itself.
    let mut file = reference::executable();
    let at = place(0x0055_41B0);
    assert_eq!(file[at + 5..at + 7], [0xDF, 0xE0]);
    file[at..at + 6].copy_from_slice(&[0x39, 0xC0, 0x75, 3, 0xEB, 0xFE]);
    for row in rows(&file, 8) {
        if row.routine == Routine::BoxOverlap {
            assert!(row.tally.endless > 0 && !row.agrees(), "{row:?}");
        }
    }
}

/// Random damage ends in rows or in words.
#[test]
fn damaged_executables_never_panic() {
    let whole = reference::executable();
    let mut state = 3_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) as usize
    };
    let (mut tried, mut refused) = (0, 0);
    for round in 0..60 {
        let mut file = whole.clone();
        for _ in 0..3 {
            let routine = reference::ROUTINES[random() % reference::ROUTINES.len()];
            let at = match round % 4 {
                0 => random() % 0x1D0,
                _ => place(routine.address) + random() % routine.size,
            };
            file[at] = random() as u8;
        }
        match verify(&file, 3, |_| {}) {
            Ok(_) => tried += 1,
            Err(VerifyError::Program(_) | VerifyError::NoCode { .. } | VerifyError::Bench(_)) => {
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(tried > 5 && refused > 5, "{tried} {refused}");
}
