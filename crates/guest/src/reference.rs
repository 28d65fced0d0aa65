//! The reference image: routines of our own with the addresses, arguments and results that
//! `CONTRACT.md` documents, to run where the original program's code cannot be had.
//!
//! Their source is `reference/*.s`; a test assembles it and holds the bytes here against
//! it. They are not the original's code, and what they leave in dead stack frames is not
//! what the original leaves.

use crate::memory::{Access, Memory, MemoryError, PAGE_SIZE};
use crate::program::build::{self, NewSection};

/// A routine of the image.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// Where it begins.
    pub address: u32,
    /// Bytes that the original takes, and that this one is filled up to.
    pub size: usize,
    /// What it does, in a few words.
    pub name: &'static str,
    /// Its code.
    pub bytes: &'static [u8],
}

/// All routines, in order of address.
pub const ROUTINES: &[Routine] = &[
    Routine {
        address: 0x0044_AD80,
        size: 1,
        name: "empty callback",
        bytes: include_bytes!("../reference/0044ad80.bin"),
    },
    Routine {
        address: 0x004C_C0D0,
        size: 384,
        name: "matrix product",
        bytes: include_bytes!("../reference/004cc0d0.bin"),
    },
    Routine {
        address: 0x0050_D5B0,
        size: 731,
        name: "box against a frustum",
        bytes: include_bytes!("../reference/0050d5b0.bin"),
    },
    Routine {
        address: 0x0055_2C20,
        size: 192,
        name: "surface list",
        bytes: include_bytes!("../reference/00552c20.bin"),
    },
    Routine {
        address: 0x0055_2DE0,
        size: 629,
        name: "material walk",
        bytes: include_bytes!("../reference/00552de0.bin"),
    },
    Routine {
        address: 0x0055_3380,
        size: 265,
        name: "node bounds",
        bytes: include_bytes!("../reference/00553380.bin"),
    },
    Routine {
        address: 0x0055_3920,
        size: 322,
        name: "visible surfaces",
        bytes: include_bytes!("../reference/00553920.bin"),
    },
    Routine {
        address: 0x0055_3C40,
        size: 308,
        name: "cluster gather",
        bytes: include_bytes!("../reference/00553c40.bin"),
    },
    Routine {
        address: 0x0055_3D80,
        size: 400,
        name: "whole gather",
        bytes: include_bytes!("../reference/00553d80.bin"),
    },
    Routine {
        address: 0x0055_3F10,
        size: 428,
        name: "tree gather",
        bytes: include_bytes!("../reference/00553f10.bin"),
    },
    Routine {
        address: 0x0055_40C0,
        size: 218,
        name: "leaf gather",
        bytes: include_bytes!("../reference/005540c0.bin"),
    },
    Routine {
        address: 0x0055_41B0,
        size: 175,
        name: "box against a box",
        bytes: include_bytes!("../reference/005541b0.bin"),
    },
    Routine {
        address: 0x0055_4260,
        size: 434,
        name: "box against planes",
        bytes: include_bytes!("../reference/00554260.bin"),
    },
];

/// Maps the pages that hold the image, read-only, and loads it. Bytes between routines
/// are 0.
pub fn map(memory: &mut Memory) -> Result<(), MemoryError> {
    let mut mapped = 0;
    for routine in ROUTINES {
        let first = (routine.address / PAGE_SIZE * PAGE_SIZE).max(mapped);
        let end = (routine.address + routine.size as u32).next_multiple_of(PAGE_SIZE);
        if end > first {
            memory.map(first, (end - first) as usize, Access::ReadOnly)?;
            mapped = end;
        }
        memory.load(routine.address, routine.bytes)?;
    }
    Ok(())
}

/// The image as a PE32 executable, with zero-filled data where the routines' globals are:
/// what `verify` can be tried on where the original cannot be had.
pub fn executable() -> Vec<u8> {
    const BASE: u32 = 0x0040_0000;
    const TEXT: u32 = 0x0044_A000;
    const TEXT_END: u32 = 0x0055_5000;
    // From the PVS flag to the surface indices, 4000h of them.
    const DATA: u32 = 0x0072_4000;
    const DATA_END: u32 = 0x0086_1000;
    let mut text = vec![0xCC; (TEXT_END - TEXT) as usize];
    for routine in ROUTINES {
        let at = (routine.address - TEXT) as usize;
        text[at..at + routine.size].copy_from_slice(routine.bytes);
    }
    let sections = [
        NewSection {
            name: ".text",
            offset: TEXT - BASE,
            length: TEXT_END - TEXT,
            flags: build::CODE,
            bytes: &text,
        },
        NewSection {
            name: ".data",
            offset: DATA - BASE,
            length: DATA_END - DATA,
            flags: build::DATA,
            bytes: &[],
        },
    ];
    build::pe32(BASE, ROUTINES[0].address - BASE, &sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_fill_their_places_and_no_more() {
        for pair in ROUTINES.windows(2) {
            assert!(pair[0].address + pair[0].size as u32 <= pair[1].address);
        }
        let mut memory = Memory::new(1 << 20);
        map(&mut memory).unwrap();
        for routine in ROUTINES {
            assert_eq!(routine.bytes.len(), routine.size, "{}", routine.name);
            assert_eq!(memory.read_u8(routine.address), Ok(routine.bytes[0]));
            assert!(!memory.is_writable(routine.address, 1));
        }
    }
    #[test]
    fn the_executable_loads_as_the_image() {
        let mut memory = Memory::new(8 << 20);
        let program = crate::program::load_pe(&executable(), &mut memory).unwrap();
        for routine in ROUTINES {
            let mut bytes = vec![0; routine.size];
            memory.read_bytes(routine.address, &mut bytes).unwrap();
            assert_eq!(bytes, routine.bytes);
            assert!(program.holds(routine.address, routine.size as u32));
        }
        for global in [
            0x0072_4A45,
            0x0074_6F9C,
            0x007C_3168,
            0x007D_0394,
            0x0085_0398,
        ] {
            assert!(memory.is_writable(global, 4));
        }
    }
}
