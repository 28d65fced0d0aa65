//! The constant registers of a stage.

use crate::fault::{Outcome, invalid};
use crate::stateblock_mask::Bits;

/// How many constant registers of each kind a stage has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantCounts {
    /// Float registers (`c#`) of four numbers.
    pub floats: u32,
    /// Integer registers (`i#`) of four numbers.
    pub ints: u32,
    /// Boolean registers (`b#`).
    pub bools: u32,
}

impl ConstantCounts {
    /// Vertex shaders in hardware.
    pub const VERTEX: Self = Self {
        floats: 256,
        ints: 16,
        bools: 16,
    };
    /// Vertex shaders of devices that can process vertices in software.
    pub const SOFTWARE_VERTEX: Self = Self {
        floats: 8192,
        ints: 2048,
        bools: 2048,
    };
    /// Pixel shaders.
    pub const PIXEL: Self = Self {
        floats: 224,
        ints: 16,
        bools: 16,
    };
}

/// The constant registers of a stage.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    pub(crate) floats: Box<[[f32; 4]]>,
    pub(crate) ints: Box<[[i32; 4]]>,
    /// Bit n of word n / 32 is `b<n>`.
    pub(crate) bools: Box<[u32]>,
    bool_count: u32,
}

/// Which registers a state block holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RegisterMask {
    pub(crate) floats: Bits<128>,
    pub(crate) ints: Bits<32>,
    pub(crate) bools: Bits<32>,
}

impl RegisterMask {
    /// Takes all registers there are in.
    pub(crate) fn all(&mut self, counts: ConstantCounts) {
        self.floats.set_range(0..counts.floats);
        self.ints.set_range(0..counts.ints);
        self.bools.set_range(0..counts.bools);
    }
}

impl Registers {
    pub(crate) fn new(counts: ConstantCounts) -> Self {
        Self {
            floats: vec![[0.0; 4]; counts.floats as usize].into(),
            ints: vec![[0; 4]; counts.ints as usize].into(),
            bools: vec![0; counts.bools.div_ceil(32) as usize].into(),
            bool_count: counts.bools,
        }
    }

    pub(crate) fn counts(&self) -> ConstantCounts {
        ConstantCounts {
            floats: self.floats.len() as u32,
            ints: self.ints.len() as u32,
            bools: self.bool_count,
        }
    }

    /// The first sixteen integers, which shaders find beside their floats.
    pub(crate) fn first_ints(&self) -> [[i32; 4]; 16] {
        self.ints.first_chunk().copied().unwrap_or_default()
    }

    /// The first sixteen booleans, `b0` in bit 0.
    pub(crate) fn first_bools(&self) -> u32 {
        self.bools[0] & 0xFFFF
    }

    /// Whether `b<n>` is set; false where there is none.
    pub(crate) fn bool(&self, n: usize) -> bool {
        self.bools
            .get(n / 32)
            .is_some_and(|word| word >> (n % 32) & 1 != 0)
    }

    pub(crate) fn copy_masked(&mut self, mask: &RegisterMask, from: &Self) {
        for n in mask.floats.iter() {
            self.floats[n as usize] = from.floats[n as usize];
        }
        for n in mask.ints.iter() {
            self.ints[n as usize] = from.ints[n as usize];
        }
        for n in mask.bools.iter() {
            self.put_bool(n as usize, from.bool(n as usize));
        }
    }

    fn put_bool(&mut self, n: usize, on: bool) {
        let word = &mut self.bools[n / 32];
        *word = *word & !(1 << (n % 32)) | u32::from(on) << (n % 32);
    }

    /// Sets registers; whether any changed.
    pub(crate) fn set_floats(&mut self, start: u32, values: &[[f32; 4]]) -> Outcome<bool> {
        let range = range(start, values.len(), self.floats.len())?;
        let slots = &mut self.floats[range];
        // Bits are compared, so that a NaN set twice is not a change.
        if bytemuck::cast_slice::<_, u8>(slots) == bytemuck::cast_slice::<_, u8>(values) {
            return Ok(false);
        }
        slots.copy_from_slice(values);
        Ok(true)
    }

    pub(crate) fn set_ints(&mut self, start: u32, values: &[[i32; 4]]) -> Outcome<bool> {
        let range = range(start, values.len(), self.ints.len())?;
        let slots = &mut self.ints[range];
        if slots == values {
            return Ok(false);
        }
        slots.copy_from_slice(values);
        Ok(true)
    }

    pub(crate) fn set_bools(&mut self, start: u32, values: &[bool]) -> Outcome<bool> {
        let mut changed = false;
        for (n, value) in range(start, values.len(), self.bool_count as usize)?.zip(values) {
            changed |= self.bool(n) != *value;
            self.put_bool(n, *value);
        }
        Ok(changed)
    }
}

/// The registers from `start` on, of which there are `limit`.
pub(crate) fn range(start: u32, count: usize, limit: usize) -> Outcome<core::ops::Range<usize>> {
    let start = start as usize;
    if start > limit || count > limit - start {
        invalid!(
            "registers {start} to {}: only 0 to {} exist",
            start.saturating_add(count),
            limit - 1
        );
    }
    Ok(start..start + count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_with_the_last_register() {
        for counts in [
            ConstantCounts::VERTEX,
            ConstantCounts::SOFTWARE_VERTEX,
            ConstantCounts::PIXEL,
        ] {
            let mut r = Registers::new(counts);
            assert_eq!(r.counts(), counts);
            assert!(r.set_floats(counts.floats - 1, &[[1.0; 4]]).unwrap());
            assert!(!r.set_floats(counts.floats - 1, &[[1.0; 4]]).unwrap());
            assert!(r.set_floats(counts.floats - 1, &[[1.0; 4]; 2]).is_err());
            assert!(r.set_floats(u32::MAX, &[[1.0; 4]]).is_err());
            assert!(r.set_ints(counts.ints - 1, &[[1; 4]]).unwrap());
            assert!(r.set_ints(counts.ints, &[[1; 4]]).is_err());
            assert!(r.set_bools(counts.bools - 2, &[false, true]).unwrap());
            assert!(!r.set_bools(counts.bools - 2, &[false, true]).unwrap());
            assert!(r.set_bools(counts.bools - 1, &[true, true]).is_err());
            assert!(r.bool(counts.bools as usize - 1));
            assert!(!r.bool(counts.bools as usize - 2));
        }
    }

    #[test]
    fn masked_registers_are_copied_and_no_others() {
        let mut from = Registers::new(ConstantCounts::SOFTWARE_VERTEX);
        from.set_floats(0, &[[3.0; 4]; 8192]).unwrap();
        from.set_ints(0, &[[3; 4]; 2048]).unwrap();
        from.set_bools(0, &[true; 2048]).unwrap();
        let mut mask = RegisterMask::default();
        mask.floats.set_range(255..257);
        mask.floats.set(8191);
        mask.ints.set(17);
        mask.bools.set(33);
        mask.bools.set(2047);
        let mut to = Registers::new(ConstantCounts::SOFTWARE_VERTEX);
        to.copy_masked(&mask, &from);
        let floats = (0..8192).filter(|n| to.floats[*n] != [0.0; 4]);
        assert_eq!(floats.collect::<Vec<_>>(), [255, 256, 8191]);
        let ints = (0..2048).filter(|n| to.ints[*n] != [0; 4]);
        assert_eq!(ints.collect::<Vec<_>>(), [17]);
        let bools = (0..2048).filter(|n| to.bool(*n));
        assert_eq!(bools.collect::<Vec<_>>(), [33, 2047]);
        assert_eq!(to.first_bools(), 0);
    }
}
