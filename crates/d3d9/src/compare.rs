//! Whether two pieces of memory are equal, at the speed of reading them.

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Whether `a` and `b` hold the same bytes. For pieces that nearly always do: everything is read,
/// without a branch, so that it is done in vectors.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (blocks, rest) = a.as_chunks::<BLOCK>();
    let (others, other_rest) = b.as_chunks::<BLOCK>();
    let mut differ = [0u64; BLOCK / 8];
    for (block, other) in blocks.iter().zip(others) {
        let (words, _) = block.as_chunks::<8>();
        let (other_words, _) = other.as_chunks::<8>();
        for ((differ, word), other) in differ.iter_mut().zip(words).zip(other_words) {
            *differ |= u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*other);
        }
    }
    let tail = rest.iter().zip(other_rest);
    let tail = tail.fold(0, |all, (x, y)| all | x ^ y);
    differ.iter().fold(u64::from(tail), |all, word| all | *word) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_anywhere_is_seen() {
        let bytes: Vec<u8> = (0..1000u32).map(|n| (n * 31) as u8).collect();
        for len in (0..200).chain([511, 512, 513, 999]) {
            for start in [0, 1, 7] {
                let Some(a) = bytes.get(start..start + len) else {
                    continue;
                };
                let mut b = a.to_vec();
                assert!(equal(a, &b));
                for at in 0..len {
                    let bit = 1 << (at % 8);
                    b[at] ^= bit;
                    assert!(!equal(a, &b), "byte {at} of {len}");
                    b[at] ^= bit;
                }
            }
        }
    }

    #[test]
    fn differences_do_not_cancel() {
        // The same bit twice, in every pair of words that share a lane.
        let a = [0u8; 256];
        for first in (0..256).step_by(8) {
            for second in (first + 8..256).step_by(8) {
                let mut b = a;
                (b[first], b[second]) = (0x40, 0x40);
                assert!(!equal(&a, &b), "bytes {first} and {second}");
            }
        }
    }

    #[test]
    fn other_lengths_are_not_equal() {
        assert!(!equal(&[0; 64], &[0; 65]));
        assert!(equal(&[], &[]));
    }
}
