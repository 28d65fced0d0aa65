//! Products under the zero rule: 0 times anything is 0.
//!
//! The rule is written with integer tests on the exponent bits, so that a compiler
//! that may assume the absence of infinities and NaN cannot fold it away. A
//! denormal factor counts as zero, as it does on D3D9 hardware.

use super::{Builder, Expr, Helper};
use crate::options::FloatRules;
use naga::{BinaryOperator, MathFunction, ScalarKind};

/// Exponent bits of an `f32`.
pub(super) const EXPONENT: u32 = 0x7F80_0000;

/// What is known of a value's components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// Neither infinite nor NaN.
    Finite,
    /// Finite and not zero.
    NonZero,
}

impl Known {
    /// What is known of a literal.
    pub(crate) fn of(value: f32) -> Self {
        match value {
            v if v.is_normal() => Known::NonZero,
            v if v.is_finite() => Known::Finite,
            _ => Known::Nothing,
        }
    }
}

/// Whether a plain product of the two obeys the zero rule anyway.
pub(crate) fn plain_product(a: Known, b: Known) -> bool {
    a == Known::NonZero || b == Known::NonZero || a == Known::Finite && b == Known::Finite
}

impl Builder {
    /// Whether products of `a` and `b` need no zero rule: the rule is off, both are the same
    /// value, or what is known of them makes it moot.
    fn plain(&self, a: (Expr, Known), b: (Expr, Known)) -> bool {
        self.rules == FloatRules::Ieee || a.0 == b.0 || plain_product(a.1, b.1)
    }

    /// `a * b` in `n` components (1-4) under the float rules.
    pub(crate) fn mul(&mut self, n: usize, a: (Expr, Known), b: (Expr, Known)) -> Expr {
        if self.plain(a, b) {
            self.times(a.0, b.0)
        } else {
            self.call(Helper::mul(n), &[a.0, b.0])
        }
    }

    /// `a * b + c` in `n` components (1-4) under the float rules.
    pub(crate) fn mad(&mut self, n: usize, a: (Expr, Known), b: (Expr, Known), c: Expr) -> Expr {
        if self.plain(a, b) {
            let product = self.times(a.0, b.0);
            self.add(product, c)
        } else {
            self.call(Helper::mad(n), &[a.0, b.0, c])
        }
    }

    /// The dot product of two vectors of `n` (2-4) components under the float rules.
    pub(crate) fn dot(&mut self, n: usize, a: (Expr, Known), b: (Expr, Known)) -> Expr {
        if self.plain(a, b) {
            self.math2(MathFunction::Dot, a.0, b.0)
        } else {
            self.call(Helper::dot(n), &[a.0, b.0])
        }
    }

    /// `s * (a - b) + b` in `n` components (1-4) under the float rules.
    pub(crate) fn lrp(&mut self, n: usize, s: (Expr, Known), a: Expr, b: Expr) -> Expr {
        let difference = self.sub(a, b);
        self.mad(n, s, (difference, Known::Nothing), b)
    }

    /// The zero-rule product itself, in line.
    pub(super) fn mul_inline(&mut self, n: usize, a: Expr, b: Expr) -> Expr {
        let zero = self.any_zero(n, a, b);
        let product = self.times(a, b);
        let nothing = self.lit_n(0.0, n);
        self.select(zero, nothing, product)
    }

    /// Per component: whether `a` or `b` is zero or denormal.
    fn any_zero(&mut self, n: usize, a: Expr, b: Expr) -> Expr {
        let mask = self.lit_u32(EXPONENT);
        let mask = self.splat(mask, n);
        let none = self.lit_u32(0);
        let none = self.splat(none, n);
        let [a, b] = [a, b].map(|value| {
            let bits = self.cast(value, ScalarKind::Uint, None);
            self.bin(BinaryOperator::And, bits, mask)
        });
        let least = self.math2(MathFunction::Min, a, b);
        self.bin(BinaryOperator::Equal, least, none)
    }

    /// Whether the scalar `value` is zero or denormal.
    pub(super) fn is_zero(&mut self, value: Expr) -> Expr {
        let bits = self.cast(value, ScalarKind::Uint, None);
        let mask = self.lit_u32(EXPONENT);
        let exponent = self.bin(BinaryOperator::And, bits, mask);
        let none = self.lit_u32(0);
        self.bin(BinaryOperator::Equal, exponent, none)
    }
}
