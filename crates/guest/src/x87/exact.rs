//! Binary64 operations in integers, with any rounding. They serve the roundings that
//! Rust's own operations do not have; operands are finite.

use super::Rounding;

/// A binary interchange format.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// Bits of the significand, the hidden one included.
    precision: u32,
    /// Exponent of the last place of subnormal numbers.
    lowest: i32,
    /// The largest biased exponent of finite numbers.
    highest: u64,
}

impl Format {
    pub(crate) const F32: Format = Format {
        precision: 24,
        lowest: -149,
        highest: 254,
    };
    pub(crate) const F64: Format = Format {
        precision: 53,
        lowest: -1074,
        highest: 2046,
    };
}

/// `significand * 2^exponent`, negated when `negative`. When `more` is set the true
/// value is above that in magnitude, by less than one in the significand's last place.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    significand: u128,
    exponent: i32,
    more: bool,
}

fn unpack(bits: u64) -> Number {
    let biased = (bits >> 52 & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let hidden = if biased == 0 { 0 } else { 1 << 52 };
    Number {
        negative: bits >> 63 != 0,
        significand: u128::from(fraction | hidden),
        exponent: biased.max(1) - 1075,
        more: false,
    }
}

/// The significand moved up to fill 53 bits; it is not zero.
fn normalize(number: Number) -> Number {
    let shift = number.significand.leading_zeros() - 75;
    Number {
        significand: number.significand << shift,
        exponent: number.exponent - shift as i32,
        ..number
    }
}

/// Rounds to a format and packs. A number with `more` has at least two bits more than
/// the format.
fn pack(number: Number, format: Format, rounding: Rounding) -> u64 {
    let sign_place = format.precision - 1 + if format.precision == 53 { 11 } else { 8 };
    let sign = u64::from(number.negative) << sign_place;
    if number.significand == 0 {
        return sign;
    }
    let bits = (128 - number.significand.leading_zeros()) as i32;
    let shift = (bits - format.precision as i32).max(format.lowest - number.exponent);
    let mut place = number.exponent + shift;
    let (mut kept, rest, half) = if shift <= 0 {
        (number.significand << -shift, 0, 1)
    } else if shift < 128 {
        let kept = number.significand >> shift;
        (
            kept,
            number.significand & ((1 << shift) - 1),
            1_u128 << (shift - 1),
        )
    } else {
        // Far below half of the last place.
        (0, 1, 2)
    };
    let inexact = rest != 0 || number.more;
    let up = match rounding {
        Rounding::Nearest => rest > half || rest == half && (number.more || kept & 1 == 1),
        Rounding::Down => inexact && number.negative,
        Rounding::Up => inexact && !number.negative,
        Rounding::Zero => false,
    };
    kept += u128::from(up);
    if kept >> format.precision != 0 {
        kept >>= 1;
        place += 1;
    }
    let hidden = 1_u128 << (format.precision - 1);
    if kept < hidden {
        return sign | kept as u64;
    }
    let biased = (place - format.lowest + 1) as u64;
    if biased > format.highest {
        let infinity = (format.highest + 1) << (format.precision - 1);
        let stays_finite = match rounding {
            Rounding::Nearest => false,
            Rounding::Down => !number.negative,
            Rounding::Up => number.negative,
            Rounding::Zero => true,
        };
        return sign | (infinity - u64::from(stays_finite));
    }
    sign | biased << (format.precision - 1) | (kept - hidden) as u64
}

pub(super) fn convert(value: u64, format: Format, rounding: Rounding) -> u64 {
    pack(unpack(value), format, rounding)
}

pub(super) fn add(a: u64, b: u64, rounding: Rounding) -> u64 {
    let (a, b) = (unpack(a), unpack(b));
    let (mut high, low) = if a.exponent >= b.exponent {
        (a, b)
    } else {
        (b, a)
    };
    // 70 places below the higher number's last one hold all that rounding can see.
    const ROOM: i32 = 70;
    let drop = high.exponent - low.exponent - ROOM;
    let (moved, lost) = if drop <= 0 {
        (low.significand << -drop, false)
    } else if drop < 128 {
        (
            low.significand >> drop,
            low.significand & ((1 << drop) - 1) != 0,
        )
    } else {
        (0, low.significand != 0)
    };
    high.significand <<= ROOM;
    high.exponent -= ROOM;
    high.more = lost;
    if high.negative == low.negative {
        high.significand += moved;
        return pack(high, Format::F64, rounding);
    }
    if high.significand == moved && !lost {
        high.negative = rounding == Rounding::Down;
        high.significand = 0;
    } else if high.significand >= moved {
        high.significand -= moved + u128::from(lost);
    } else {
        high.significand = moved - high.significand;
        high.negative = low.negative;
    }
    pack(high, Format::F64, rounding)
}

pub(super) fn sub(a: u64, b: u64, rounding: Rounding) -> u64 {
    add(a, b ^ 1 << 63, rounding)
}

pub(super) fn mul(a: u64, b: u64, rounding: Rounding) -> u64 {
    let (a, b) = (unpack(a), unpack(b));
    let product = Number {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
        more: false,
    };
    pack(product, Format::F64, rounding)
}

pub(super) fn div(a: u64, b: u64, rounding: Rounding) -> u64 {
    let (a, b) = (unpack(a), unpack(b));
    let negative = a.negative != b.negative;
    if b.significand == 0 {
        return u64::from(negative) << 63 | 0x7FF << 52;
    }
    if a.significand == 0 {
        return u64::from(negative) << 63;
    }
    let (a, b) = (normalize(a), normalize(b));
    let dividend = a.significand << 74;
    let quotient = Number {
        negative,
        significand: dividend / b.significand,
        exponent: a.exponent - b.exponent - 74,
        more: dividend % b.significand != 0,
    };
    pack(quotient, Format::F64, rounding)
}

/// The square root of a number that is not below zero.
pub(super) fn sqrt(a: u64, rounding: Rounding) -> u64 {
    let number = unpack(a);
    if number.significand == 0 {
        return a;
    }
    let number = normalize(number);
    let shift = if number.exponent % 2 == 0 { 64 } else { 65 };
    let radicand = number.significand << shift;
    let root = radicand.isqrt();
    let result = Number {
        negative: false,
        significand: root,
        exponent: (number.exponent - shift) / 2,
        more: root * root != radicand,
    };
    pack(result, Format::F64, rounding)
}
