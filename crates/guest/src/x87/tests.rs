use super::*;

const S1: u64 = 0x7FF0_0000_0000_0001;
const S2: u64 = 0xFFF0_0000_0000_0002;
const Q1: u64 = 0x7FF8_0000_0000_0001;
const ONE: u64 = 0x3FF0_0000_0000_0000;
const QUIET: u64 = 1 << 51;

/// A generator for tests: xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Finite numbers of all magnitudes, many near each other, some subnormal.
    fn finite(&mut self) -> u64 {
        loop {
            let bits = self.next();
            let value = match bits % 4 {
                0 => self.next(),
                1 => ONE ^ (bits & 0x803F_0000_0000_0000) | self.next() >> 20,
                2 => self.next() & 0x801F_FFFF_FFFF_FFFF,
                _ => (self.next() as i16 as f64).to_bits(),
            };
            if f64::from_bits(value).is_finite() {
                return value;
            }
        }
    }
}

#[test]
fn nan_results_follow_the_rule() {
    let near = Rounding::Nearest;
    assert_eq!(add(ONE, S1, near), S1 | QUIET);
    assert_eq!(add(Q1, S2, near), Q1);
    assert_eq!(add(S2, Q1, near), Q1);
    assert_eq!(mul(S1, S2, near), S2 | QUIET);
    assert_eq!(sub(Q1 | 1 << 63, Q1, near), Q1);
    assert_eq!(div(0, 0, near), DEFAULT_NAN);
    assert_eq!(sqrt((-1.0_f64).to_bits(), near), DEFAULT_NAN);
    assert_eq!(sqrt(S2, near), S2 | QUIET);
    assert_eq!(sqrt(1 << 63, near), 1 << 63);
    let infinity = f64::INFINITY.to_bits();
    assert_eq!(sub(infinity, infinity, near), DEFAULT_NAN);
    assert_eq!(mul(infinity, 0, near), DEFAULT_NAN);
}

#[test]
fn floats_keep_their_payloads_on_the_way_in_and_lose_the_low_ones_on_the_way_out() {
    assert_eq!(f32_to_f64(0xFF80_0001), 0xFFF0_0000_2000_0000);
    assert_eq!(quiet(0xFFF0_0000_2000_0000), 0xFFF8_0000_2000_0000);
    assert_eq!(
        f64_to_f32(0x7FF0_0000_0000_0001, Rounding::Nearest),
        0x7FC0_0000
    );
    assert_eq!(
        f64_to_f32(0xFFF8_0000_3FFF_FFFF, Rounding::Nearest),
        0xFFC0_0001
    );
    assert_eq!(f32_to_f64(1), (2_f64.powi(-149)).to_bits());
}

/// The integer operations round to nearest as the processor's own do.
#[test]
fn exact_operations_agree_with_the_processor() {
    let mut random = Random(7);
    for _ in 0..200_000 {
        let (a, b) = (random.finite(), random.finite());
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let near = Rounding::Nearest;
        let check = |name: &str, ours: u64, theirs: f64| {
            assert_eq!(ours, theirs.to_bits(), "{name} of {a:#x} and {b:#x}");
        };
        check("sum", exact::add(a, b, near), x + y);
        check("difference", exact::sub(a, b, near), x - y);
        check("product", exact::mul(a, b, near), x * y);
        if y != 0.0 {
            check("quotient", exact::div(a, b, near), x / y);
        }
        check("root", exact::sqrt(a & !(1 << 63), near), x.abs().sqrt());
        let float = exact::convert(a, exact::Format::F32, near);
        assert_eq!(float as u32, (x as f32).to_bits(), "float of {a:#x}");
    }
}

/// Down and up enclose the exact value: they are equal when it is representable and
/// neighbours otherwise, and nearest is one of them.
#[test]
fn directed_roundings_enclose() {
    let mut random = Random(11);
    let operations: [fn(u64, u64, Rounding) -> u64; 4] = [add, sub, mul, div];
    for _ in 0..100_000 {
        let (a, b) = (random.finite(), random.finite());
        for operation in operations {
            let [near, down, up, zero] = [
                Rounding::Nearest,
                Rounding::Down,
                Rounding::Up,
                Rounding::Zero,
            ]
            .map(|rounding| f64::from_bits(operation(a, b, rounding)));
            if near.is_nan() {
                continue;
            }
            assert!(down <= near && near <= up);
            assert!(near == down || near == up);
            assert!(
                down == up || down.next_up() == up,
                "{a:#x} {b:#x}: {down} {up}"
            );
            assert_eq!(zero, if near.is_sign_negative() { up } else { down });
        }
    }
}

#[test]
fn directed_roundings_worked_by_hand() {
    let (one, tiny) = (1.0_f64.to_bits(), 1_u64);
    let value = |bits| f64::from_bits(bits);
    assert_eq!(value(add(one, tiny, Rounding::Up)), 1.0 + f64::EPSILON);
    assert_eq!(value(add(one, tiny, Rounding::Down)), 1.0);
    assert_eq!(
        value(sub(one, tiny, Rounding::Down)),
        1.0 - f64::EPSILON / 2.0
    );
    assert_eq!(value(sub(one, tiny, Rounding::Up)), 1.0);
    assert_eq!(sub(one, one, Rounding::Down), 1 << 63);
    assert_eq!(sub(one, one, Rounding::Up), 0);
    let max = f64::MAX.to_bits();
    assert_eq!(add(max, max, Rounding::Zero), max);
    assert_eq!(add(max, max, Rounding::Up), f64::INFINITY.to_bits());
    assert_eq!(mul(tiny, tiny, Rounding::Up), 1);
    assert_eq!(mul(tiny, tiny, Rounding::Down), 0);
    assert_eq!(f64_to_f32(0.1_f64.to_bits(), Rounding::Down), 0x3DCC_CCCC);
    assert_eq!(f64_to_f32(0.1_f64.to_bits(), Rounding::Up), 0x3DCC_CCCD);
    assert_eq!(
        f64_to_f32(1e300_f64.to_bits(), Rounding::Zero),
        f32::MAX.to_bits()
    );
}

#[test]
fn integers_saturate_to_the_indefinite_value() {
    let to = |value: f64, bits, rounding| to_integer(value.to_bits(), bits, rounding);
    assert_eq!(to(2.5, 32, Rounding::Nearest), 2);
    assert_eq!(to(3.5, 32, Rounding::Nearest), 4);
    assert_eq!(to(-2.5, 16, Rounding::Down), -3);
    assert_eq!(to(-2.5, 16, Rounding::Up), -2);
    assert_eq!(to(2.9, 64, Rounding::Zero), 2);
    assert_eq!(to(32767.5, 16, Rounding::Nearest), -32768);
    assert_eq!(to(-32768.0, 16, Rounding::Nearest), -32768);
    assert_eq!(to(f64::NAN, 32, Rounding::Nearest), i64::from(i32::MIN));
    assert_eq!(to(1e19, 64, Rounding::Nearest), i64::MIN);
}

#[test]
fn the_stack_wraps_and_faults_give_the_default_nan() {
    let mut fpu = Fpu::default();
    for value in 0..8 {
        fpu.push(value);
    }
    assert_eq!((fpu.top, fpu.occupied, fpu.free_slots()), (0, 0xFF, 0));
    assert_eq!(fpu.get(0), 7);
    fpu.push(99);
    assert_eq!((fpu.top, fpu.get(0)), (7, DEFAULT_NAN));
    fpu.pop();
    assert_eq!((fpu.top, fpu.occupied), (0, 0x7F));
    assert_eq!(fpu.get(7), DEFAULT_NAN);
    assert_eq!(fpu.status(), 0);
}

#[test]
fn words_of_status_and_tags() {
    let mut fpu = Fpu::default();
    fpu.push(0);
    fpu.push(f64::INFINITY.to_bits());
    fpu.push(1);
    assert_eq!(fpu.status(), 5 << 11);
    assert_eq!(fpu.tag_word(), 0b0110_0011_1111_1111);
    let mut copy = Fpu::default();
    copy.set_tag_word(fpu.tag_word());
    copy.set_status(fpu.status() | 0xC73F);
    assert_eq!(
        (copy.occupied, copy.top, copy.condition),
        (fpu.occupied, 5, C0 | C2 | C3)
    );
    fpu.compare(S1, ONE);
    assert_eq!(fpu.condition, C0 | C2 | C3);
    fpu.compare(1 << 63, 0);
    assert_eq!(fpu.condition, C3);
    fpu.compare(0, ONE);
    assert_eq!(fpu.condition, C0);
}

/// Control words and what `fnstcw` gave after `fldcw` on a processor.
#[test]
fn reserved_bits_of_the_control_word_are_the_processors() {
    let pairs = [
        (0, 0x0040),
        (0xFFFF, 0x1F7F),
        (0x027F, 0x027F),
        (0xE0BF, 0x007F),
        (0x1000, 0x1040),
    ];
    let mut fpu = Fpu::default();
    for (word, kept) in pairs {
        fpu.set_control(word);
        assert_eq!(fpu.control, kept, "{word:#06x}");
    }
}

#[test]
fn a_top_out_of_range_is_taken_modulo_eight() {
    let mut fpu = Fpu {
        top: 255,
        ..Fpu::default()
    };
    fpu.push(1);
    fpu.top = 255;
    fpu.pop();
    assert_eq!(fpu.top, 0);
}
