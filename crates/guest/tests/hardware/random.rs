/// xorshift64*: fast, seeded, the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// A float's bits: mostly small plain numbers, sometimes one that breaks things.
    pub(crate) fn float(&mut self) -> u32 {
        match self.below(16) {
            0 => self.pick(&ODD_FLOATS),
            1 => self.bits() as u32,
            2 => (self.below(9) as f32 - 4.0).to_bits(),
            3 => ((self.bits() as i16) as f32).to_bits(),
            _ => {
                let exponent = 127 - 12 + self.below(24);
                (self.bits() as u32 & 0x807F_FFFF) | exponent << 23
            }
        }
    }
}

/// Signed zeros, subnormals, the ends of the range, infinities, quiet and signalling NaNs
/// of both signs, with payloads.
pub(crate) const ODD_FLOATS: [u32; 22] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007F_FFFF,
    0x0080_0000,
    0x8080_0000,
    0x7F7F_FFFF,
    0xFF7F_FFFF,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_0000,
    0x7FC0_0001,
    0xFFC1_2345,
    0x7F80_0001,
    0xFF80_0001,
    0x7FBF_FFFF,
    0xFFA5_5A5A,
    0x3F80_0000,
    0xBF80_0000,
    0x4B00_0001,
];
