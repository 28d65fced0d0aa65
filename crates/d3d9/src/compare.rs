//! Loops over whole ranges that have no early exit, so that they handle as many values at once as
//! the processor can. The crate is compiled for the oldest processor; these pick at run time.

/// Whether two ranges hold the same bytes.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    struct Same<'a>(&'a [u8], &'a [u8]);
    impl pulp::NullaryFnOnce for Same<'_> {
        type Output = bool;

        #[inline(always)]
        fn call(self) -> bool {
            difference(self.0, self.1) == 0
        }
    }
    a.len() == b.len() && pulp::Arch::new().dispatch(Same(a, b))
}

/// The bits in which two ranges of one length differ, of all their words in one.
#[inline(always)]
fn difference(a: &[u8], b: &[u8]) -> u64 {
    const BLOCK: usize = 16;
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let (a_blocks, a_words) = a_words.as_chunks::<BLOCK>();
    let (b_blocks, b_words) = b_words.as_chunks::<BLOCK>();
    let of = |a: &[u8; 8], b: &[u8; 8]| u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
    let mut sums = [0; BLOCK];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum |= of(a, b);
        }
    }
    let mut sum = sums.iter().fold(0, |all, sum| all | sum);
    for (a, b) in a_words.iter().zip(b_words) {
        sum |= of(a, b);
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum |= u64::from(a ^ b);
    }
    sum
}

/// Smallest and largest of `numbers`; `None` when there are none.
#[inline]
pub(crate) fn extent<T: Copy + Ord + Into<u32>>(numbers: &[T]) -> Option<(u32, u32)> {
    struct Extent<'a, T>(&'a [T]);
    impl<T: Copy + Ord + Into<u32>> pulp::NullaryFnOnce for Extent<'_, T> {
        type Output = Option<(u32, u32)>;

        #[inline(always)]
        fn call(self) -> Self::Output {
            extremes(self.0)
        }
    }
    match numbers.len() {
        0..FEW => extremes(numbers),
        _ => pulp::Arch::new().dispatch(Extent(numbers)),
    }
}

/// Numbers that are looked at sooner than it is known what the processor can.
const FEW: usize = 16;

#[inline(always)]
fn extremes<T: Copy + Ord + Into<u32>>(numbers: &[T]) -> Option<(u32, u32)> {
    let (&first, rest) = numbers.split_first()?;
    let wider = |(low, high): (T, T), &n: &T| (low.min(n), high.max(n));
    let (low, high) = rest.iter().fold((first, first), wider);
    Some((low.into(), high.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_anywhere_makes_ranges_differ() {
        for len in (0..300).chain([1000, 1025]) {
            // Neither begins at a multiple of anything.
            let a: Vec<u8> = (0..len + 3).map(|n| (n * 7) as u8).collect();
            let mut b = [&[9], &a[3..]].concat();
            assert!(same(&a[3..], &b[1..]), "{len} bytes");
            for at in 0..len {
                b[1 + at] ^= 1 << (at % 8);
                assert!(!same(&a[3..], &b[1..]), "byte {at} of {len}");
                b[1 + at] ^= 1 << (at % 8);
            }
            assert!(!same(&a, &b[..len]), "lengths");
        }
    }

    /// Differences that would cancel each other out if they were added up.
    #[test]
    fn differences_do_not_cancel() {
        let a = [0u8; 512];
        for other in [8, 16, 64, 128, 256] {
            let mut b = a;
            (b[3], b[3 + other]) = (0x55, 0x55);
            assert!(!same(&a, &b));
            (b[3], b[3 + other]) = (0x55, 0xAB);
            assert!(!same(&a, &b));
        }
    }

    #[test]
    fn extents_are_the_smallest_and_largest_number() {
        assert_eq!(extent::<u16>(&[]), None);
        assert_eq!(extent(&[5u16, 2, 9, 2]), Some((2, 9)));
        assert_eq!(extent(&[70000u32]), Some((70000, 70000)));
        // Anywhere in a run, whatever is compared at once.
        for length in (2..70usize).chain([127, 128, 129, 500]) {
            for at in 0..length {
                let mut narrow = vec![500u16; length];
                narrow[at] = 3;
                narrow[(at + 1) % length] = 65_535;
                assert_eq!(extent(&narrow), Some((3, 65_535)));
                let mut wide = vec![0x8000_0000u32; length];
                wide[at] = 0x7FFF_FFFF;
                wide[(at + 1) % length] = u32::MAX;
                assert_eq!(extent(&wide), Some((0x7FFF_FFFF, u32::MAX)));
            }
        }
    }
}
