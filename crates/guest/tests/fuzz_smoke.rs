//! A moment of what the fuzz targets of this crate do at length.

use ninefold_guest::reference;

#[path = "../../../fuzz/src/guest.rs"]
#[allow(unreachable_pub)]
mod guest;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn mutants_of_real_routines_and_random_bytes_end_well() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..6_000 {
        let mut data: Vec<u8> = (0..8).flat_map(|_| random.next().to_le_bytes()).collect();
        // No rounding or precision that code of the time does not use, half of the time.
        if round % 2 == 0 {
            data[32..36].copy_from_slice(&[0x7F, 0x02, 0, 0]);
        }
        let routine = reference::ROUTINES[round % reference::ROUTINES.len()];
        if round % 5 == 0 {
            data.extend((0..8).flat_map(|_| random.next().to_le_bytes()));
        } else {
            data.extend_from_slice(routine.bytes);
            for _ in 0..round % 4 {
                let at = 64 + random.next() as usize % routine.size;
                data[at] = random.next() as u8;
            }
        }
        if guest::guest_code(&data) {
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(accepted > 100 && refused > 1_000, "{accepted} {refused}");
}

#[test]
fn mutants_of_an_executable_load_or_are_refused() {
    // The image's headers with a small section, so that a mutant costs little.
    let whole = reference::executable();
    let mut random = Random(99);
    let mut loaded = 0;
    for _ in 0..5_000 {
        let mut file = whole[..0x600].to_vec();
        // .text: 200h bytes of both kinds.
        for at in [0x178 + 8, 0x178 + 16] {
            file[at..at + 4].copy_from_slice(&0x200_u32.to_le_bytes());
        }
        file[0x178 + 40 + 8..][..4].copy_from_slice(&0x1000_u32.to_le_bytes());
        for _ in 0..random.next() % 3 {
            let at = random.next() as usize % 0x1D0;
            file[at] = random.next() as u8;
        }
        loaded += u32::from(guest::guest_program(&file));
    }
    assert!((1_000..5_000).contains(&loaded), "{loaded}");
}
