//! Binary64 operations with the x87's NaN results.
//!
//! Neither Rust nor LLVM promises which NaN an operation gives, so NaN results follow
//! an integer rule here: a quiet NaN beats a signalling one, otherwise the larger
//! significand wins, a tie takes the positive one, and the winner is quieted. An
//! operation without a NaN operand that has no result gives [`DEFAULT_NAN`].

use super::Rounding;
use super::exact::{self, Format};

/// What an invalid operation gives: negative, quiet, no payload.
pub const DEFAULT_NAN: u64 = 0xFFF8_0000_0000_0000;

const SIGN: u64 = 1 << 63;
const QUIET: u64 = 1 << 51;
const FRACTION: u64 = (1 << 52) - 1;

fn is_nan(value: u64) -> bool {
    value & !SIGN > 0x7FF << 52
}

fn is_finite(value: u64) -> bool {
    value >> 52 & 0x7FF != 0x7FF
}

/// The value, a signalling NaN made quiet.
pub fn quiet(value: u64) -> u64 {
    if is_nan(value) { value | QUIET } else { value }
}

/// The NaN that an operation on these operands gives.
#[cold]
fn nan_of(a: u64, b: u64) -> u64 {
    match (is_nan(a), is_nan(b)) {
        (false, false) => DEFAULT_NAN,
        (true, false) => a | QUIET,
        (false, true) => b | QUIET,
        (true, true) => {
            let key = |nan: u64| (nan & QUIET, nan & FRACTION, !nan & SIGN);
            (if key(a) >= key(b) { a } else { b }) | QUIET
        }
    }
}

macro_rules! operation {
    ($(#[$doc:meta])* $name:ident, $operator:tt) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(a: u64, b: u64, rounding: Rounding) -> u64 {
            let result = f64::from_bits(a) $operator f64::from_bits(b);
            if result.is_nan() {
                return nan_of(a, b);
            }
            if rounding != Rounding::Nearest && is_finite(a) && is_finite(b) {
                return exact::$name(a, b, rounding);
            }
            result.to_bits()
        }
    };
}

operation! {
    /// `a + b`.
    add, +
}
operation! {
    /// `a - b`.
    sub, -
}
operation! {
    /// `a * b`.
    mul, *
}
operation! {
    /// `a / b`.
    div, /
}

/// The square root.
pub fn sqrt(a: u64, rounding: Rounding) -> u64 {
    let result = f64::from_bits(a).sqrt();
    if result.is_nan() {
        // One operand: it is its own rival.
        return nan_of(a, a);
    }
    if rounding != Rounding::Nearest && is_finite(a) {
        return exact::sqrt(a, rounding);
    }
    result.to_bits()
}

/// A float's bits as those of a binary64. Exact; a signalling NaN stays one.
pub fn f32_to_f64(value: u32) -> u64 {
    let number = f32::from_bits(value);
    if number.is_nan() {
        return u64::from(value >> 31) << 63 | 0x7FF << 52 | u64::from(value & 0x007F_FFFF) << 29;
    }
    f64::from(number).to_bits()
}

/// A binary64's bits rounded to those of a float. A NaN keeps the top of its payload and
/// becomes quiet.
pub fn f64_to_f32(value: u64, rounding: Rounding) -> u32 {
    if is_nan(value) {
        let fraction = (value & FRACTION) >> 29;
        return (value >> 63 << 31) as u32 | 0x7FC0_0000 | fraction as u32;
    }
    if rounding != Rounding::Nearest && is_finite(value) {
        return exact::convert(value, Format::F32, rounding) as u32;
    }
    (f64::from_bits(value) as f32).to_bits()
}

/// An integer as a binary64, rounded to nearest when it has more than 53 bits.
pub fn from_i64(value: i64) -> u64 {
    (value as f64).to_bits()
}

/// The value rounded to a signed integer of 16, 32 or 64 `bits`. NaNs and what does not
/// fit give the most negative integer.
pub fn to_integer(value: u64, bits: u32, rounding: Rounding) -> i64 {
    let number = f64::from_bits(value);
    let whole = match rounding {
        Rounding::Nearest => number.round_ties_even(),
        Rounding::Down => number.floor(),
        Rounding::Up => number.ceil(),
        Rounding::Zero => number.trunc(),
    };
    let limit = 2_f64.powi(bits as i32 - 1);
    if whole >= -limit && whole < limit {
        whole as i64
    } else {
        i64::MIN >> (64 - bits)
    }
}
