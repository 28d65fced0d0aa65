//! The source of the reference image, assembled into this program.

use std::arch::global_asm;

use ninefold_guest::reference::ROUTINES;

global_asm!(
    ".pushsection .rodata.ninefold_reference, \"a\"",
    include_str!("../../reference/macros.s"),
    include_str!("../../reference/0044ad80.s"),
    include_str!("../../reference/004cc0d0.s"),
    include_str!("../../reference/0050d5b0.s"),
    include_str!("../../reference/00552c20.s"),
    include_str!("../../reference/00552de0.s"),
    include_str!("../../reference/00553380.s"),
    include_str!("../../reference/00553920.s"),
    include_str!("../../reference/00553c40.s"),
    include_str!("../../reference/00553d80.s"),
    include_str!("../../reference/00553f10.s"),
    include_str!("../../reference/005540c0.s"),
    include_str!("../../reference/005541b0.s"),
    include_str!("../../reference/00554260.s"),
    ".code64",
    ".globl ninefold_reference_end",
    "ninefold_reference_end:",
    ".popsection",
    options(raw),
);

unsafe extern "C" {
    static ninefold_reference_0044ad80: u8;
    static ninefold_reference_004cc0d0: u8;
    static ninefold_reference_0050d5b0: u8;
    static ninefold_reference_00552c20: u8;
    static ninefold_reference_00552de0: u8;
    static ninefold_reference_00553380: u8;
    static ninefold_reference_00553920: u8;
    static ninefold_reference_00553c40: u8;
    static ninefold_reference_00553d80: u8;
    static ninefold_reference_00553f10: u8;
    static ninefold_reference_005540c0: u8;
    static ninefold_reference_005541b0: u8;
    static ninefold_reference_00554260: u8;
    static ninefold_reference_end: u8;
}

/// The bytes of each of [`ROUTINES`].
pub(crate) fn routines() -> Vec<&'static [u8]> {
    let mut starts = vec![
        &raw const ninefold_reference_0044ad80,
        &raw const ninefold_reference_004cc0d0,
        &raw const ninefold_reference_0050d5b0,
        &raw const ninefold_reference_00552c20,
        &raw const ninefold_reference_00552de0,
        &raw const ninefold_reference_00553380,
        &raw const ninefold_reference_00553920,
        &raw const ninefold_reference_00553c40,
        &raw const ninefold_reference_00553d80,
        &raw const ninefold_reference_00553f10,
        &raw const ninefold_reference_005540c0,
        &raw const ninefold_reference_005541b0,
        &raw const ninefold_reference_00554260,
        &raw const ninefold_reference_end,
    ];
    starts.dedup();
    assert_eq!(starts.len(), ROUTINES.len() + 1);
    starts
        .windows(2)
        // SAFETY: the labels follow each other in one read-only section.
        .map(|pair| unsafe {
            std::slice::from_raw_parts(pair[0], pair[1].offset_from_unsigned(pair[0]))
        })
        .collect()
}
