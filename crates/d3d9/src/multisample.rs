//! `D3DMULTISAMPLE_TYPE`: what the types and their quality levels mean on this adapter.
//!
//! `counts` is the renderer's set of sample counts of a format, bit n for 2^n samples.

use crate::consts::*;

/// Sample counts above 1, ascending.
fn several(counts: u8) -> impl Iterator<Item = u32> {
    (1..8u32)
        .filter(move |n| counts >> n & 1 != 0)
        .map(|n| 1 << n)
}

/// Number of quality levels of a type; 0 where the adapter lacks it.
///
/// `D3DMULTISAMPLE_NONMASKABLE` has a level for each sample count, the others one.
pub(crate) fn quality_levels(counts: u8, multi_sample: u32) -> u32 {
    match multi_sample {
        D3DMULTISAMPLE_NONE => 1,
        D3DMULTISAMPLE_NONMASKABLE => several(counts).count() as u32,
        n => several(counts).any(|samples| samples == n).into(),
    }
}

/// Samples of a type and quality level; `None` where the adapter lacks them. Surfaces of one sample
/// take any quality.
pub(crate) fn samples(counts: u8, multi_sample: u32, quality: u32) -> Option<u32> {
    match multi_sample {
        D3DMULTISAMPLE_NONE => Some(1),
        D3DMULTISAMPLE_NONMASKABLE => several(counts).nth(quality as usize),
        n => several(counts).find(|&samples| samples == n && quality == 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 4 and 8 samples.
    const EIGHT: u8 = 0b1111;
    /// 1 and 4 samples.
    const FOUR: u8 = 0b101;

    #[test]
    fn types_stand_for_sample_counts() {
        assert_eq!(samples(FOUR, D3DMULTISAMPLE_NONE, 3), Some(1));
        assert_eq!(samples(FOUR, 4, 0), Some(4));
        assert_eq!(samples(FOUR, 4, 1), None);
        assert_eq!(samples(FOUR, 2, 0), None);
        assert_eq!(samples(FOUR, 3, 0), None);
        assert_eq!(samples(FOUR, D3DMULTISAMPLE_NONMASKABLE, 0), Some(4));
        assert_eq!(samples(FOUR, D3DMULTISAMPLE_NONMASKABLE, 1), None);
        assert_eq!(samples(EIGHT, D3DMULTISAMPLE_NONMASKABLE, 2), Some(8));
        assert_eq!(samples(1, D3DMULTISAMPLE_NONMASKABLE, 0), None);
    }

    #[test]
    fn quality_levels_are_counted() {
        assert_eq!(quality_levels(EIGHT, D3DMULTISAMPLE_NONMASKABLE), 3);
        assert_eq!(quality_levels(FOUR, D3DMULTISAMPLE_NONMASKABLE), 1);
        assert_eq!(quality_levels(0, D3DMULTISAMPLE_NONMASKABLE), 0);
        assert_eq!(quality_levels(EIGHT, 8), 1);
        assert_eq!(quality_levels(EIGHT, 16), 0);
        assert_eq!(quality_levels(0, D3DMULTISAMPLE_NONE), 1);
    }
}
