/// xorshift64*: fast, seeded, the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that depend on nothing but the seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1);
        random.0 |= 1;
        random.bits();
        random
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    /// A number below `end`; 0 when `end` is.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(end)) >> 32) as u32
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of the values.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// A number from -1 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    /// A float's bits: mostly plain numbers, sometimes one that breaks things.
    pub fn float(&mut self) -> u32 {
        match self.below(16) {
            0 => self.pick(&ODD_FLOATS),
            1 => self.word(),
            2 | 3 => (self.below(9) as f32 - 4.0).to_bits(),
            _ => {
                let exponent = 127 - 8 + self.below(16);
                self.word() & 0x807F_FFFF | exponent << 23
            }
        }
    }

    /// The bits of a binary64, as they may be left in the x87.
    pub fn double(&mut self) -> u64 {
        match self.below(4) {
            0 => self.bits(),
            1 => 0x7FF0_0000_0000_0000 | self.bits() & 0x800F_0000_0000_FFFF,
            _ => f64::from(f32::from_bits(self.float())).to_bits(),
        }
    }
}

/// Signed zeros, subnormals, the ends of the range, infinities, quiet and signalling NaNs
/// of both signs, with payloads.
pub const ODD_FLOATS: [u32; 20] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007F_FFFF,
    0x0080_0000,
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
    0x4B00_0001,
    0x3F80_0000,
];
