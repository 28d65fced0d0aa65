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
    /// `fild m32`.
    fn integer(value: i32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
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
    fn integer(value: i32) -> Self {
        f64::from(value)
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
    fn div(self, other: Self) -> Self {
        self / other
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

    fn integer(value: i32) -> Self {
        Exact(x87::from_i64(value.into()))
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

    fn div(self, other: Self) -> Self {
        Exact(x87::div(self.0, other.0, Rounding::Nearest))
    }

    fn store(self) -> u32 {
        x87::f64_to_f32(self.0, Rounding::Nearest)
    }

    fn bits(self) -> u64 {
        self.0
    }
}

/// What a slot holds after `fld m32`.
pub(super) fn loaded(bits: u32) -> u64 {
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

/// Whether no float is an infinity or a NaN.
#[inline(always)]
pub(super) fn are_finite(floats: &[u32]) -> bool {
    const EXPONENT: u32 = 0x7F80_0000;
    floats.iter().all(|bits| bits & EXPONENT != EXPONENT)
}
