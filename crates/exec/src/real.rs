//! The numbers that programs compute with.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A binary32 number and its arithmetic: what an executor is generic over.
///
/// `f32` is the one that programs run with. Another implementation runs the same executors with
/// an arithmetic of its own, in another rounding mode for example; that is how tests show that
/// two executors agree whatever the floating-point environment is ([`Program::run_vertices_in`]).
///
/// Addition, subtraction, multiplication, division and the square root round; all else is exact.
/// `exp`, `log`, `pow`, `sin` and `cos` are always the platform's functions of `f32`.
///
/// [`Program::run_vertices_in`]: crate::Program::run_vertices_in
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number itself, bit for bit.
    fn of(x: f32) -> Self;

    /// The number itself, bit for bit.
    fn get(self) -> f32;

    /// The square root.
    fn sqrt(self) -> Self;

    /// Without the sign.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::of(self.get().abs())
    }

    /// Rounded down to a whole number, whatever the rounding mode is.
    #[inline(always)]
    fn floor(self) -> Self {
        Self::of(self.get().floor())
    }

    /// Whether it is no number.
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.get().is_nan()
    }
}

impl Real for f32 {
    #[inline(always)]
    fn of(x: f32) -> Self {
        x
    }

    #[inline(always)]
    fn get(self) -> f32 {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
}
