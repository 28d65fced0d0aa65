//! Integer operations and the flags they leave.

use crate::cpu::{AF, CF, OF, PF, SF, ZF};

/// The flags arithmetic defines.
pub(crate) const ARITHMETIC: u32 = CF | PF | AF | ZF | SF | OF;

/// Operand width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Word,
    /// 32 bits.
    Dword,
}

impl Width {
    /// Bits in an operand.
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Width::Byte => 8,
            Width::Word => 16,
            Width::Dword => 32,
        }
    }

    /// All the operand's bits.
    pub(crate) const fn mask(self) -> u32 {
        u32::MAX >> (32 - self.bits())
    }

    /// The operand's top bit.
    pub(crate) const fn sign(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// The operand as a signed number.
    pub(crate) const fn extend(self, value: u32) -> i32 {
        let shift = 32 - self.bits();
        ((value << shift) as i32) >> shift
    }
}

/// PF, ZF and SF of a result.
#[inline]
fn of_result(result: u32, width: Width) -> u32 {
    let mut flags = 0;
    if (result as u8).count_ones().is_multiple_of(2) {
        flags |= PF;
    }
    if result & width.mask() == 0 {
        flags |= ZF;
    }
    if result & width.sign() != 0 {
        flags |= SF;
    }
    flags
}

#[inline]
fn when(flag: u32, set: bool) -> u32 {
    if set { flag } else { 0 }
}

/// `a + b + carry` and its flags. Operands hold no bits above their width.
#[inline(always)]
pub(crate) fn add(a: u32, b: u32, carry: bool, width: Width) -> (u32, u32) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let result = wide as u32 & width.mask();
    let flags = of_result(result, width)
        | when(CF, wide > u64::from(width.mask()))
        | when(AF, (a ^ b ^ result) & 0x10 != 0)
        | when(OF, (a ^ result) & (b ^ result) & width.sign() != 0);
    (result, flags)
}

/// `a - b - borrow` and its flags.
pub(crate) fn sub(a: u32, b: u32, borrow: bool, width: Width) -> (u32, u32) {
    let result = a.wrapping_sub(b).wrapping_sub(u32::from(borrow)) & width.mask();
    let flags = of_result(result, width)
        | when(CF, u64::from(a) < u64::from(b) + u64::from(borrow))
        | when(AF, (a ^ b ^ result) & 0x10 != 0)
        | when(OF, (a ^ b) & (a ^ result) & width.sign() != 0);
    (result, flags)
}

/// The flags of a bitwise result: CF and OF clear, AF (undefined) clear.
#[inline]
pub(crate) fn logic(result: u32, width: Width) -> u32 {
    of_result(result, width)
}

/// `value << count` for a count of 1 to 31, and its flags. OF is defined for a count of
/// 1, CF for counts up to the width.
pub(crate) fn shl(value: u32, count: u32, width: Width) -> (u32, u32) {
    let wide = u64::from(value) << count;
    let result = wide as u32 & width.mask();
    let carry = wide >> width.bits() & 1 != 0;
    let overflow = count == 1 && carry != (result & width.sign() != 0);
    (
        result,
        of_result(result, width) | when(CF, carry) | when(OF, overflow),
    )
}

/// `value >> count`, unsigned, for a count of 1 to 31, and its flags.
pub(crate) fn shr(value: u32, count: u32, width: Width) -> (u32, u32) {
    let result = value >> count;
    let carry = value >> (count - 1) & 1 != 0;
    let overflow = count == 1 && value & width.sign() != 0;
    (
        result,
        of_result(result, width) | when(CF, carry) | when(OF, overflow),
    )
}

/// `value >> count`, signed, for a count of 1 to 31, and its flags.
pub(crate) fn sar(value: u32, count: u32, width: Width) -> (u32, u32) {
    let wide = width.extend(value);
    let result = (wide >> count) as u32 & width.mask();
    let carry = wide >> (count - 1) & 1 != 0;
    (result, of_result(result, width) | when(CF, carry))
}

/// The signed product, cut to the width, and its flags: CF and OF when it did not fit,
/// the others (undefined) clear.
pub(crate) fn imul(a: u32, b: u32, width: Width) -> (i64, u32) {
    let wide = i64::from(width.extend(a)) * i64::from(width.extend(b));
    let fits = wide == i64::from(width.extend(wide as u32 & width.mask()));
    (wide, when(CF | OF, !fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_sums_and_differences_worked_by_hand() {
        assert_eq!(add(0xFF, 1, false, Width::Byte), (0, CF | AF | ZF | PF));
        assert_eq!(add(0x7F, 1, false, Width::Byte), (0x80, AF | SF | OF));
        assert_eq!(
            add(0xFFFF_FFFF, 0, true, Width::Dword),
            (0, CF | AF | ZF | PF)
        );
        assert_eq!(sub(0, 1, false, Width::Word), (0xFFFF, CF | AF | SF | PF));
        assert_eq!(
            sub(0x8000_0000, 1, false, Width::Dword),
            (0x7FFF_FFFF, AF | OF | PF)
        );
        assert_eq!(sub(5, 0xFFFF_FFFF, true, Width::Dword), (5, CF | AF | PF));
    }

    /// Every byte operation against the definition in wider integers.
    #[test]
    fn byte_sums_and_differences_follow_the_definition() {
        for a in 0..256_i32 {
            for b in 0..256_i32 {
                for carry in [false, true] {
                    let c = i32::from(carry);
                    let (signed_a, signed_b) = (i32::from(a as i8), i32::from(b as i8));
                    let (result, flags) = add(a as u32, b as u32, carry, Width::Byte);
                    assert_eq!(result, ((a + b + c) & 0xFF) as u32);
                    assert_eq!(flags & CF != 0, a + b + c > 255);
                    assert_eq!(flags & AF != 0, (a & 15) + (b & 15) + c > 15);
                    assert_eq!(
                        flags & OF != 0,
                        !(-128..128).contains(&(signed_a + signed_b + c))
                    );
                    let (result, flags) = sub(a as u32, b as u32, carry, Width::Byte);
                    assert_eq!(result, ((a - b - c) & 0xFF) as u32);
                    assert_eq!(flags & CF != 0, a - b - c < 0);
                    assert_eq!(flags & AF != 0, (a & 15) - (b & 15) - c < 0);
                    assert_eq!(
                        flags & OF != 0,
                        !(-128..128).contains(&(signed_a - signed_b - c))
                    );
                }
            }
        }
    }

    #[test]
    fn shifts_and_products() {
        assert_eq!(shl(0x81, 1, Width::Byte), (2, CF | OF));
        assert_eq!(shl(1, 31, Width::Dword), (0x8000_0000, SF | PF));
        assert_eq!(
            shr(0x8000_0001, 1, Width::Dword),
            (0x4000_0000, CF | OF | PF)
        );
        assert_eq!(sar(0x8000, 15, Width::Word), (0xFFFF, SF | PF));
        assert_eq!(sar(0x80, 31, Width::Byte), (0xFF, CF | SF | PF));
        assert_eq!(imul(0xFFFF_FFFF, 7, Width::Dword), (-7, 0));
        assert_eq!(imul(0x4000, 2, Width::Word), (0x8000, CF | OF));
    }
}
