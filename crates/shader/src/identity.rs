//! Function identity: FNV-1a 64 over what decides a function.

/// FNV-1a 64 as a running state.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        self
    }

    pub(crate) fn words(mut self, words: &[u32]) -> Self {
        for word in words {
            self = self.bytes(&word.to_le_bytes());
        }
        self
    }

    pub(crate) const fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn matches_the_published_vectors() {
        assert_eq!(Fnv::new().finish(), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv::new().bytes(b"a").finish(), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(Fnv::new().bytes(b"foobar").finish(), 0x8594_4171_F739_67E8);
        assert_eq!(
            Fnv::new()
                .words(&[u32::from_le_bytes(*b"foob")])
                .bytes(b"ar")
                .finish(),
            0x8594_4171_F739_67E8
        );
    }
}
