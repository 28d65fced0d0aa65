use super::*;

fn memory() -> Memory {
    let mut memory = Memory::new(1 << 20);
    memory.map(0x1000, 0x2000, Access::ReadWrite).unwrap();
    memory.map(0x3000, 1, Access::ReadOnly).unwrap();
    memory
}

#[test]
fn values_are_little_endian_and_may_cross_pages() {
    let mut memory = memory();
    memory.write_u32(0x1FFE, 0x1234_5678).unwrap();
    assert_eq!(memory.read_u8(0x1FFE).unwrap(), 0x78);
    assert_eq!(memory.read_u16(0x2000).unwrap(), 0x1234);
    assert_eq!(memory.read_u32(0x1FFE).unwrap(), 0x1234_5678);
    memory.write_u64(0x1FFC, 0x0102_0304_0506_0708).unwrap();
    assert_eq!(memory.read_u64(0x1FFC).unwrap(), 0x0102_0304_0506_0708);
}

#[test]
fn errors_name_the_first_bad_address() {
    let mut memory = memory();
    assert_eq!(
        memory.read_u32(0x0FFE),
        Err(MemoryError::Unmapped { address: 0x0FFE })
    );
    assert_eq!(
        memory.read_u32(0x3FFE),
        Err(MemoryError::Unmapped { address: 0x4000 })
    );
    assert_eq!(
        memory.write_u32(0x2FFE, 0),
        Err(MemoryError::ReadOnly { address: 0x3000 })
    );
    let past = MemoryError::PastEnd {
        address: 0xFFFF_FFFE,
        length: 4,
    };
    assert_eq!(memory.read_u32(0xFFFF_FFFE), Err(past));
    assert_eq!(
        past.to_string(),
        "4 bytes at 0xfffffffe run past the end of the address space"
    );
    assert_eq!(
        MemoryError::Unmapped { address: 0x0FFE }.to_string(),
        "address 0x00000ffe is not mapped"
    );
}

#[test]
fn lengths_that_no_address_space_has_are_refused() {
    let mut memory = memory();
    let past = MemoryError::PastEnd {
        address: 0x1001,
        length: usize::MAX,
    };
    assert_eq!(memory.map(0x1001, usize::MAX, Access::ReadOnly), Err(past));
    assert_eq!(
        memory.protect(0x1001, usize::MAX, Access::ReadOnly),
        Err(past)
    );
    assert!(!memory.is_readable(0x1001, usize::MAX));
    memory.write_u8(0x1001, 1).unwrap();
    assert!(!memory.is_writable(0x1001, usize::MAX));
    assert_eq!(memory.view(0x1001, usize::MAX), None);
    assert_eq!(memory.view_mut(0x1001, usize::MAX), None);
}

#[test]
fn the_last_page_can_be_used_to_its_last_byte() {
    let mut memory = Memory::new(1 << 20);
    memory.map(0xFFFF_F000, 0x1000, Access::ReadWrite).unwrap();
    memory.write_u32(0xFFFF_FFFC, 7).unwrap();
    assert_eq!(memory.read_u32(0xFFFF_FFFC), Ok(7));
    assert!(memory.read_u16(0xFFFF_FFFF).is_err());
    assert_eq!(memory.fetch(0xFFFF_FFFC, &mut [0; 15]), 4);
}

#[test]
fn places_are_found_once_and_then_reached_without_the_page_table() {
    let mut memory = memory();
    let place = memory.place(0x1FFC, 8).unwrap();
    memory.at_mut::<8>(place, 0).fill(7);
    assert_eq!(memory.read_u64(0x1FFC), Ok(0x0707_0707_0707_0707));
    memory.write_u32(0x2000, 0x0102_0304).unwrap();
    assert_eq!(memory.at::<4>(place, 4), &[4, 3, 2, 1]);
    // Not where all of it cannot be written, is not there or does not follow.
    assert!(memory.place(0x2FFC, 8).is_none() && memory.place(0x0FFC, 8).is_none());
    memory.map(0x8000, 0x1000, Access::ReadWrite).unwrap();
    memory.map(0x7000, 0x1000, Access::ReadWrite).unwrap();
    assert!(memory.place(0x7FFC, 8).is_none());
    assert!(memory.place(0x7FFC, 4).is_some() && memory.place(0x8000, 4).is_some());
    // A watch sees what is written to one.
    memory.watch().unwrap();
    let place = memory.place(0x8000, 4).unwrap();
    memory.at_mut::<1>(place, 3)[0] = 1;
    assert_eq!(memory.end_watch().list()[0].address, 0x8003);
    // What lies in two pages is copied.
    let mut spare = None;
    memory.write_u32(0x7FFE, 0x0A0B_0C0D).unwrap();
    assert_eq!(
        memory.array(0x7FFE, &mut spare),
        Ok(&[0x0D, 0x0C, 0x0B, 0x0A])
    );
    assert!(spare.is_some());
    assert!(memory.array::<4>(0x3FFE, &mut None).is_err());
}

#[test]
fn views_are_what_reads_and_writes_see() {
    let mut memory = memory();
    memory.write_u32(0x1FFE, 0x1234_5678).unwrap();
    assert_eq!(memory.view(0x1FFE, 4).unwrap(), [0x78, 0x56, 0x34, 0x12]);
    assert!(memory.view(0x1000, 0x3000).is_some());
    assert!(memory.view(0x0FFF, 2).is_none() && memory.view(0x3FFF, 2).is_none());
    assert!(memory.view(0xFFFF_FFFF, 2).is_none());
    memory.view_mut(0x1FFF, 2).unwrap().fill(9);
    assert_eq!(memory.read_u32(0x1FFE), Ok(0x1209_0978));
    // Not past what may be written.
    assert!(memory.view_mut(0x2FFF, 2).is_none());
    memory.watch().unwrap();
    memory.view_mut(0x1FFF, 2).unwrap()[1] = 3;
    let changes = memory.end_watch();
    assert_eq!(
        changes.list(),
        [Change {
            address: 0x2000,
            old: vec![9],
            new: vec![3]
        }]
    );
    // Pages that lie elsewhere in the pool.
    memory.map(0x4000, 0x1000, Access::ReadWrite).unwrap();
    memory.map(0x6000, 0x1000, Access::ReadWrite).unwrap();
    memory.map(0x5000, 0x1000, Access::ReadWrite).unwrap();
    assert!(memory.view(0x4FFF, 2).is_none());
}

#[test]
fn a_write_that_fails_changes_nothing() {
    let mut memory = memory();
    memory.write_u32(0x2FFC, 0xAAAA_AAAA).unwrap();
    assert!(memory.write_u64(0x2FFC, 0).is_err());
    assert_eq!(memory.read_u32(0x2FFC), Ok(0xAAAA_AAAA));
    assert!(memory.write_bytes(0x2000, &[1; 0x1001]).is_err());
    assert_eq!(memory.read_u32(0x2000), Ok(0));
}

#[test]
fn mapping_is_checked_and_bounded() {
    let mut memory = memory();
    assert_eq!(
        memory.map(0x0800, 0x801, Access::ReadWrite),
        Err(MemoryError::Mapped { address: 0x1000 })
    );
    assert!(memory.read_u8(0x0800).is_err());
    assert!(matches!(
        memory.map(0x10_0000, 1 << 20, Access::ReadWrite),
        Err(MemoryError::Budget { .. })
    ));
    assert!(matches!(
        memory.map(0xFFFF_F000, 0x1001, Access::ReadWrite),
        Err(MemoryError::PastEnd { .. })
    ));
    memory.map(0x8000, 0, Access::ReadWrite).unwrap();
    assert!(!memory.is_readable(0x8000, 1));
    assert!(memory.is_readable(0x1000, 0x3000) && !memory.is_writable(0x1000, 0x3000));
}

#[test]
fn protection_changes_and_loaders_ignore_it() {
    let mut memory = memory();
    memory.write_u32(0x1000, 1).unwrap();
    memory.protect(0x1000, 4, Access::ReadOnly).unwrap();
    assert_eq!(
        memory.write_u32(0x1000, 2),
        Err(MemoryError::ReadOnly { address: 0x1000 })
    );
    memory.load(0x1000, &[3]).unwrap();
    assert_eq!(memory.read_u32(0x1000), Ok(3));
    assert_eq!(
        memory.write_u32(0x1000, 2),
        Err(MemoryError::ReadOnly { address: 0x1000 })
    );
    memory.protect(0x1000, 4, Access::ReadWrite).unwrap();
    memory.write_u32(0x1000, 2).unwrap();
}

#[test]
fn changes_are_listed_undone_and_redone() {
    let mut memory = memory();
    memory.write_u32(0x1000, 0x11).unwrap();
    memory.watch().unwrap();
    assert_eq!(memory.watch(), Err(MemoryError::Watched));
    memory.write_u32(0x1000, 0x22).unwrap();
    memory.write_u32(0x1FFE, 0xFFFF_FFFF).unwrap();
    memory.write_u8(0x2800, 0).unwrap();
    let changes = memory.end_watch();
    assert_eq!(
        changes.list(),
        [
            Change {
                address: 0x1000,
                old: vec![0x11],
                new: vec![0x22]
            },
            Change {
                address: 0x1FFE,
                old: vec![0; 4],
                new: vec![0xFF; 4]
            },
        ]
    );
    memory.undo(&changes).unwrap();
    assert_eq!(memory.read_u32(0x1000), Ok(0x11));
    assert_eq!(memory.read_u32(0x1FFE), Ok(0));
    memory.redo(&changes).unwrap();
    assert_eq!(memory.read_u32(0x1000), Ok(0x22));
    assert!(memory.end_watch().is_empty());
}

#[test]
fn two_runs_are_compared_where_either_wrote() {
    let mut memory = memory();
    memory.watch().unwrap();
    memory.write_u8(0x1000, 1).unwrap();
    memory.write_u8(0x1001, 1).unwrap();
    let first = memory.end_watch();
    memory.undo(&first).unwrap();
    memory.watch().unwrap();
    memory.write_u8(0x1000, 1).unwrap();
    memory.write_u8(0x2000, 9).unwrap();
    let second = memory.end_watch();
    assert_eq!(
        first.differences(&second),
        [
            Change {
                address: 0x1001,
                old: vec![1],
                new: vec![0]
            },
            Change {
                address: 0x2000,
                old: vec![0],
                new: vec![9]
            },
        ]
    );
    assert!(first.differences(&first).is_empty());
}

#[test]
fn writes_to_code_are_noticed_once() {
    let mut memory = memory();
    assert_eq!(memory.fetch(0x1FF8, &mut [0; 15]), 15);
    let before = memory.code_version().1;
    memory.write_u8(0x2FFF, 1).unwrap();
    assert_eq!(memory.code_version().1, before + 1);
    memory.write_u8(0x2FFF, 2).unwrap();
    assert_eq!(memory.code_version().1, before + 1);
    memory.write_u8(0x1000, 2).unwrap();
    assert_eq!(memory.code_version().1, before + 2);
}
