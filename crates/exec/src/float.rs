//! The arithmetic of one component, by the Direct3D 9 rules.

use crate::real::Real;

/// The largest power `lit` raises to, and with a minus the smallest.
const LIT_POWER: f32 = 127.9961;

#[inline(always)]
fn zero<T: Real>() -> T {
    T::of(0.0)
}

#[inline(always)]
fn one<T: Real>() -> T {
    T::of(1.0)
}

/// The result of an arithmetic: what is no number is one certain NaN, so that results are the
/// same bits whatever order operands are taken in by the machine. Rust promises no bits of NaNs.
#[inline(always)]
pub(crate) fn number<T: Real>(x: T) -> T {
    if x.is_nan() {
        T::of(f32::from_bits(0x7FC0_0000))
    } else {
        x
    }
}

/// `a * b`, 0 when either is 0.
#[inline(always)]
pub(crate) fn mul<T: Real>(a: T, b: T) -> T {
    if (a == zero()) | (b == zero()) {
        zero()
    } else {
        a * b
    }
}

#[inline(always)]
pub(crate) fn min<T: Real>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[inline(always)]
pub(crate) fn max<T: Real>(a: T, b: T) -> T {
    if a >= b { a } else { b }
}

/// 1 where `holds`, else 0.
#[inline(always)]
pub(crate) fn truth<T: Real>(holds: bool) -> T {
    if holds { one() } else { zero() }
}

/// To 0 to 1, NaN to 0.
#[inline(always)]
pub(crate) fn saturate<T: Real>(x: T) -> T {
    let low = if x > zero() { x } else { zero() };
    if low < one() { low } else { one() }
}

/// To -1 to 1, NaN to -1.
#[inline(always)]
pub(crate) fn clamp_constant(x: f32) -> f32 {
    let low = if x > -1.0 { x } else { -1.0 };
    if low < 1.0 { low } else { 1.0 }
}

/// Denormals to 0.
#[inline(always)]
pub(crate) fn flush<T: Real>(x: T) -> T {
    if x.abs() < T::of(f32::MIN_POSITIVE) {
        zero()
    } else {
        x
    }
}

#[inline(always)]
pub(crate) fn rcp<T: Real>(x: T) -> T {
    if x == zero() {
        T::of(f32::MAX)
    } else {
        number(one::<T>() / x)
    }
}

#[inline(always)]
pub(crate) fn rsq<T: Real>(x: T) -> T {
    if x == zero() {
        T::of(f32::MAX)
    } else {
        number(one::<T>() / x.abs().sqrt())
    }
}

#[inline(always)]
pub(crate) fn frc<T: Real>(x: T) -> T {
    number(x - x.floor())
}

#[inline(always)]
pub(crate) fn sgn<T: Real>(x: T) -> T {
    if x < zero() {
        T::of(-1.0)
    } else if x == zero() {
        zero()
    } else {
        one()
    }
}

/// A function of the platform's.
#[inline(always)]
pub(crate) fn platform<T: Real>(x: T, f: fn(f32) -> f32) -> T {
    number(T::of(f(x.get())))
}

pub(crate) fn log(x: f32) -> f32 {
    if x == 0.0 {
        -f32::MAX
    } else {
        number(x.abs().log2())
    }
}

pub(crate) fn pow(base: f32, exponent: f32) -> f32 {
    number(base.abs().powf(exponent))
}

/// `a / b`, 1 when `b` is 0: the division of `_dz`, `_dw` and of depths.
pub(crate) fn divide_or_one<T: Real>(a: T, b: T) -> T {
    if b == zero() { one() } else { number(a / b) }
}

/// The four results of vs_1_x `expp`.
pub(crate) fn expp_parts<T: Real>(x: T) -> [T; 4] {
    let whole = x.floor();
    let [power, precise] = [whole, x].map(|x| platform(x, f32::exp2));
    [power, number(x - whole), precise, one()]
}

/// The four results of vs_1_x `logp`: the exponent and mantissa as the number's
/// bits have them.
pub(crate) fn logp_parts(x: f32) -> [f32; 4] {
    if x == 0.0 {
        return [-f32::MAX, 1.0, -f32::MAX, 1.0];
    }
    let bits = x.abs().to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    [exponent as f32, mantissa, log(x), 1.0]
}

/// `lit` of (x: N.L, y: N.H, power).
pub(crate) fn lit(x: f32, y: f32, power: f32) -> [f32; 4] {
    let lit = x > 0.0;
    let diffuse = if lit { x } else { 0.0 };
    let specular = match lit && y > 0.0 {
        true => pow(y, min(max(power, -LIT_POWER), LIT_POWER)),
        false => 0.0,
    };
    [1.0, diffuse, specular, 1.0]
}

/// An address rounded down; out of range to the nearest, NaN to 0.
#[inline(always)]
pub(crate) fn floor_address(x: f32) -> i32 {
    let toward_zero = x as i32;
    toward_zero.saturating_sub((x < toward_zero as f32).into())
}

/// An address rounded to nearest, ties to even; out of range to the nearest, NaN to 0.
#[inline(always)]
pub(crate) fn round_address(x: f32) -> i32 {
    x.round_ties_even() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f32 = f32::INFINITY;

    #[test]
    fn zero_wins_in_products() {
        for other in [INF, -INF, f32::NAN, f32::MAX, 5.0, 0.0, -0.0] {
            for zero in [0.0, -0.0] {
                assert_eq!(mul(zero, other), 0.0);
                assert_eq!(mul(other, zero), 0.0);
            }
        }
        assert_eq!(mul(INF, -2.0), -INF);
        assert!(mul(f32::NAN, 2.0).is_nan());
        assert_eq!(mul(f32::MAX, 2.0), INF);
    }

    #[test]
    fn functions_of_zero_are_finite() {
        for zero in [0.0, -0.0] {
            assert_eq!(rcp(zero), f32::MAX);
            assert_eq!(rsq(zero), f32::MAX);
            assert_eq!(log(zero), -f32::MAX);
            assert_eq!(logp_parts(zero), [-f32::MAX, 1.0, -f32::MAX, 1.0]);
            assert_eq!(pow(zero, 0.0), 1.0);
            assert_eq!(pow(zero, 2.0), 0.0);
            assert_eq!(sgn(zero), 0.0);
        }
    }

    #[test]
    fn absolute_values() {
        assert_eq!(rsq(-4.0), 0.5);
        assert_eq!(log(-8.0), 3.0);
        assert_eq!(pow(-3.0, 2.0), 9.0);
        assert_eq!(logp_parts(-12.0)[..2], [3.0, 1.5]);
    }

    #[test]
    fn infinity_and_nan() {
        assert_eq!(rcp(INF), 0.0);
        assert_eq!(rsq(-INF), 0.0);
        assert_eq!(log(INF), INF);
        assert_eq!(saturate(INF), 1.0);
        assert_eq!(saturate(f32::NAN), 0.0);
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert!(min(1.0, f32::NAN).is_nan());
        assert_eq!(max(f32::NAN, 1.0), 1.0);
        assert_eq!(floor_address(f32::NAN), 0);
        assert_eq!(floor_address(INF), i32::MAX);
    }

    #[test]
    fn lit_needs_light_and_a_positive_base() {
        assert_eq!(lit(0.5, 0.5, 2.0), [1.0, 0.5, 0.25, 1.0]);
        assert_eq!(lit(0.0, 0.5, 2.0), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(lit(1.0, -2.0, 2.0), [1.0, 1.0, 0.0, 1.0]);
        assert_eq!(lit(1.0, 0.0, 0.0), [1.0, 1.0, 0.0, 1.0]);
        assert_eq!(lit(f32::NAN, 1.0, 1.0), [1.0, 0.0, 0.0, 1.0]);
        assert!(lit(1.0, 2.0, 500.0)[2].is_finite());
    }

    #[test]
    fn addresses() {
        let floors = [(1.9, 1), (-0.5, -1), (-1.0, -1), (0.0, 0)];
        for (x, want) in floors {
            assert_eq!(floor_address(x), want);
        }
        for n in -4000..4000i16 {
            let x = f32::from(n) / 32.0;
            assert_eq!(floor_address(x), x.floor() as i32);
        }
        for x in [
            1e10,
            -1e10,
            f32::MIN,
            -2_147_483_648.0,
            f32::MIN_POSITIVE,
            -1e-40,
        ] {
            assert_eq!(floor_address(x), x.floor() as i32);
        }
        let rounds = [
            (1.6, 2),
            (1.4, 1),
            (0.5, 0),
            (1.5, 2),
            (-0.6, -1),
            (-0.5, 0),
        ];
        for (x, want) in rounds {
            assert_eq!(round_address(x), want);
        }
    }

    #[test]
    fn expp_of_a_negative_number() {
        assert_eq!(expp_parts(-1.5)[..2], [0.25, 0.5]);
        assert_eq!(expp_parts(3.0), [8.0, 0.0, 8.0, 1.0]);
    }

    #[test]
    fn denormals_flush_to_zero() {
        assert_eq!(flush(1e-40), 0.0);
        assert_eq!(flush(-1e-40), 0.0);
        assert_eq!(flush(f32::MIN_POSITIVE), f32::MIN_POSITIVE);
        assert!(flush(f32::NAN).is_nan());
    }
}
