use super::*;

use super::build::{CODE, DATA, NewSection, pe32};

/// Name, offset from the base, length in memory, flags and bytes.
type Row<'a> = (&'a str, u32, u32, u32, &'a [u8]);

fn pe(sections: &[Row]) -> Vec<u8> {
    let sections: Vec<NewSection> = sections
        .iter()
        .map(|&(name, offset, length, flags, bytes)| NewSection {
            name,
            offset,
            length,
            flags,
            bytes,
        })
        .collect();
    pe32(0x0040_0000, 0x1234, &sections)
}

fn simple() -> Vec<u8> {
    pe(&[
        (".text", 0x1000, 3, CODE, &[0x90, 0x90, 0xC3]),
        (".data", 0x3000, 0x2000, DATA, &[7]),
    ])
}

fn refused(file: &[u8]) -> String {
    load_pe(file, &mut Memory::new(1 << 20))
        .unwrap_err()
        .to_string()
}

#[test]
fn sections_are_placed_protected_and_zero_filled() {
    let mut memory = Memory::new(1 << 20);
    let program = load_pe(&simple(), &mut memory).unwrap();
    assert_eq!((program.base, program.entry), (0x0040_0000, 0x0040_1234));
    assert_eq!(program.sections.len(), 2);
    assert_eq!(memory.read_u8(0x0040_1002), Ok(0xC3));
    assert!(!memory.is_writable(0x0040_1000, 1));
    assert_eq!(memory.read_u32(0x0040_3000), Ok(7));
    assert!(memory.is_writable(0x0040_3000, 0x2000));
    assert!(!memory.is_readable(0x0040_2000, 1));
    assert!(program.holds(0x0040_1000, 3) && !program.holds(0x0040_1000, 4));
    assert!(program.holds(0x0040_3000, 1) && !program.holds(0x0040_3001, 1));
    assert!(!program.holds(0x003F_FFFF, 2) && !program.holds(0xFFFF_FFFF, 1));
    assert_eq!(program.section(0x0040_4FFF).unwrap().name, ".data");
    assert!(program.section(0x0040_5000).is_none());
}

#[test]
fn other_files_are_told_what_they_are() {
    assert_eq!(
        refused(b"\x7FELF and more"),
        "not a 32-bit Windows executable (PE32 for i386): it is an ELF file"
    );
    assert!(refused(b"").ends_with("it does not begin with MZ"));
    assert!(refused(b"MZ").starts_with("not a 32-bit Windows executable"));
    let mut wide = simple();
    wide[0x98..0x9A].copy_from_slice(&0x20B_u16.to_le_bytes());
    assert!(refused(&wide).ends_with("it is 64-bit"));
    let mut arm = simple();
    arm[0x84..0x86].copy_from_slice(&0x1C4_u16.to_le_bytes());
    assert!(refused(&arm).ends_with("it is for machine 0x01c4"));
}

#[test]
fn every_cut_is_noticed_or_loads_what_is_there() {
    let file = simple();
    for length in 0..file.len() {
        let cut = load_pe(&file[..length], &mut Memory::new(1 << 20));
        // The last section's one byte is at 600h.
        assert_eq!(cut.is_ok(), length > 0x600, "{length:#x}: {cut:?}");
    }
    assert_eq!(
        refused(&file[..0x600]),
        "the file is cut short: section .data ends at byte 1537, the file at byte 1536"
    );
}

#[test]
fn sections_that_cannot_be_placed_are_refused() {
    let overlap = pe(&[
        ("a", 0x1000, 0x1800, CODE, &[]),
        ("b", 0x2000, 1, CODE, &[]),
    ]);
    assert_eq!(
        refused(&overlap),
        "section b: page 0x00402000 is mapped already"
    );
    let amid = pe(&[("a", 0x1010, 1, CODE, &[1])]);
    assert_eq!(
        refused(&amid),
        "section a cannot be placed: its 1 bytes at 0x401010 have to begin at a page and end below \
         4 GiB"
    );
    let far = pe(&[("a", 0xFFFF_F000, 1, CODE, &[1])]);
    assert!(refused(&far).contains("its 1 bytes at 0x1003ff000 have to"));
    let large = pe(&[("a", 0x1000, 0x7000_0000, CODE, &[1])]);
    assert!(refused(&large).contains("pass the memory's budget of 1048576 bytes"));
}

#[test]
fn damaged_headers_never_panic() {
    let file = simple();
    let mut state = 5_u64;
    for _ in 0..20_000 {
        let mut damaged = file.clone();
        for _ in 0..3 {
            state = state
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            let at = (state >> 33) as usize % 0x1D0;
            damaged[at] = (state >> 56) as u8;
        }
        let _ = load_pe(&damaged, &mut Memory::new(1 << 16));
    }
}
