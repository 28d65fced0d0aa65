//! Sums and products as the engine's x87 code has them, once fast and once exact.

use crate::x87::{self, Rounding};

/// A binary64 on the x87's stack, rounding to nearest.
///
/// [`f64`] is the fast one: right for everything but which NaN a NaN is. [`Exact`] is
/// right for that too. Routines compute with the first, look whether a value that can be
/// seen afterwards is a NaN, and compute with the second if so.
pub(super) trait Number: Copy {
    /// `fld m32`: a signalling NaN becomes quiet.
    fn load(bits: u32) -> Self;
    /// A memory operand of an arithmetic instruction.
    fn operand(bits: u32) -> Self;
    /// A number that is no NaN.
    fn number(value: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// What `fst m32` writes.
    fn store(self) -> u32;
    /// The slot's contents.
    fn bits(self) -> u64;
}

impl Number for f64 {
    #[inline(always)]
    fn load(bits: u32) -> Self {
        f64::from(f32::from_bits(bits))
    }

    #[inline(always)]
    fn operand(bits: u32) -> Self {
        f64::from(f32::from_bits(bits))
    }

    #[inline(always)]
    fn number(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn store(self) -> u32 {
        (self as f32).to_bits()
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// A binary64 whose NaNs are the x87's.
#[derive(Clone, Copy)]
pub(super) struct Exact(u64);

impl Number for Exact {
    fn load(bits: u32) -> Self {
        Exact(x87::quiet(x87::f32_to_f64(bits)))
    }

    fn operand(bits: u32) -> Self {
        Exact(x87::f32_to_f64(bits))
    }

    fn number(value: f64) -> Self {
        Exact(value.to_bits())
    }

    fn add(self, other: Self) -> Self {
        Exact(x87::add(self.0, other.0, Rounding::Nearest))
    }

    fn sub(self, other: Self) -> Self {
        Exact(x87::sub(self.0, other.0, Rounding::Nearest))
    }

    fn mul(self, other: Self) -> Self {
        Exact(x87::mul(self.0, other.0, Rounding::Nearest))
    }

    fn store(self) -> u32 {
        x87::f64_to_f32(self.0, Rounding::Nearest)
    }

    fn bits(self) -> u64 {
        self.0
    }
}

/// What a slot holds after `fld m32`.
#[inline]
pub(super) fn loaded(bits: u32) -> u64 {
    let number = f64::load(bits);
    if number.is_nan() {
        return loaded_nan(bits);
    }
    number.bits()
}

#[cold]
#[inline(never)]
fn loaded_nan(bits: u32) -> u64 {
    Exact::load(bits).bits()
}

/// Whether x is above y; false when either is a NaN.
#[inline(always)]
pub(super) fn above(x: u32, y: u32) -> bool {
    f32::from_bits(x) > f32::from_bits(y)
}

/// Whether a float is a NaN.
#[inline(always)]
pub(super) fn is_nan(bits: u32) -> bool {
    f32::from_bits(bits).is_nan()
}

/// Whether none of the floats in memory is an infinity or a NaN.
#[inline(always)]
pub(super) fn are_finite(floats: &[u8]) -> bool {
    // Two at once: one more in the exponent carries into the sign if it was all ones.
    const EXPONENTS: u64 = 0x7F80_0000_7F80_0000;
    const ONES: u64 = 0x0080_0000_0080_0000;
    const SIGNS: u64 = 0x8000_0000_8000_0000;
    let (pairs, last) = floats.as_chunks::<8>();
    let mut carries = 0;
    for pair in pairs {
        carries |= (u64::from_le_bytes(*pair) & EXPONENTS) + ONES;
    }
    if let Some(last) = last.first_chunk::<4>() {
        carries |= (u64::from(u32::from_le_bytes(*last)) & EXPONENTS) + ONES;
    }
    carries & SIGNS == 0
}
