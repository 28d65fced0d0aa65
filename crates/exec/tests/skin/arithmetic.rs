//! Two arithmetics in any rounding mode: one in software, one on the processor.

use ninefold_exec::Real;
use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round, StatusAnd};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Rounding modes, by the number that the processor has for them in MXCSR.
pub(crate) const NEAREST: u32 = 0;
pub(crate) const DOWN: u32 = 1;
pub(crate) const UP: u32 = 2;
pub(crate) const TOWARD_ZERO: u32 = 3;

/// The arithmetic of two numbers.
pub(crate) trait Operations {
    fn add(a: f32, b: f32) -> f32;
    fn sub(a: f32, b: f32) -> f32;
    fn mul(a: f32, b: f32) -> f32;
    fn div(a: f32, b: f32) -> f32;
    fn sqrt(a: f32) -> f32;
}

/// A number with one of these arithmetics.
#[derive(Debug)]
pub(crate) struct In<O>(f32, std::marker::PhantomData<O>);

impl<O> Clone for In<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for In<O> {}

impl<O> Default for In<O> {
    fn default() -> Self {
        In(0.0, std::marker::PhantomData)
    }
}

impl<O> PartialEq for In<O> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<O> PartialOrd for In<O> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident),*) => {$(
        impl<O: Operations> $trait for In<O> {
            type Output = Self;

            fn $name(self, other: Self) -> Self {
                In(O::$name(self.0, other.0), self.1)
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div);

impl<O> Neg for In<O> {
    type Output = Self;

    fn neg(self) -> Self {
        In(-self.0, self.1)
    }
}

impl<O: Operations + std::fmt::Debug> Real for In<O> {
    fn of(x: f32) -> Self {
        In(x, std::marker::PhantomData)
    }

    fn get(self) -> f32 {
        self.0
    }

    fn sqrt(self) -> Self {
        In(O::sqrt(self.0), self.1)
    }
}

/// `rustc_apfloat`, which is LLVM's arithmetic for compile time.
#[derive(Debug)]
pub(crate) struct Software<const MODE: u32>;

fn round(mode: u32) -> Round {
    match mode {
        NEAREST => Round::NearestTiesToEven,
        DOWN => Round::TowardNegative,
        UP => Round::TowardPositive,
        _ => Round::TowardZero,
    }
}

fn software(a: f32, b: f32, f: impl FnOnce(Single, Single) -> StatusAnd<Single>) -> f32 {
    let single = |x: f32| Single::from_bits(x.to_bits().into());
    f32::from_bits(f(single(a), single(b)).value.to_bits() as u32)
}

impl<const MODE: u32> Operations for Software<MODE> {
    fn add(a: f32, b: f32) -> f32 {
        software(a, b, |a, b| a.add_r(b, round(MODE)))
    }

    fn sub(a: f32, b: f32) -> f32 {
        software(a, b, |a, b| a.sub_r(b, round(MODE)))
    }

    fn mul(a: f32, b: f32) -> f32 {
        software(a, b, |a, b| a.mul_r(b, round(MODE)))
    }

    fn div(a: f32, b: f32) -> f32 {
        software(a, b, |a, b| a.div_r(b, round(MODE)))
    }

    fn sqrt(a: f32) -> f32 {
        // The root to twice the digits, then the right neighbour: squares of 24 bits are exact.
        let root = f64::from(a).sqrt() as f32;
        let square = f64::from(root) * f64::from(root);
        match MODE {
            NEAREST => root,
            UP if square < f64::from(a) => root.next_up(),
            DOWN | TOWARD_ZERO if square > f64::from(a) => root.next_down(),
            _ => root,
        }
    }
}

/// This machine's processor, with its rounding mode changed for each operation and changed back
/// before anything else runs.
#[cfg(target_arch = "x86_64")]
#[derive(Debug)]
pub(crate) struct Processor<const MODE: u32>;

#[cfg(target_arch = "x86_64")]
macro_rules! on_processor {
    ($instruction:literal, $a:expr, $b:expr) => {{
        // All exceptions masked, and the mode.
        let wanted: u32 = 0x1F80 | MODE << 13;
        let mut kept: u32 = 0;
        let mut value: f32 = $a;
        // SAFETY: the instructions touch the two words that they are given addresses of and one
        // register; MXCSR is as it was when the block ends.
        unsafe {
            std::arch::asm!(
                "stmxcsr [{kept}]",
                "ldmxcsr [{wanted}]",
                concat!($instruction, " {value}, {other}"),
                "ldmxcsr [{kept}]",
                kept = in(reg) &raw mut kept,
                wanted = in(reg) &raw const wanted,
                value = inout(xmm_reg) value,
                other = in(xmm_reg) $b,
                options(nostack, preserves_flags),
            );
        }
        value
    }};
}

#[cfg(target_arch = "x86_64")]
impl<const MODE: u32> Operations for Processor<MODE> {
    fn add(a: f32, b: f32) -> f32 {
        on_processor!("addss", a, b)
    }

    fn sub(a: f32, b: f32) -> f32 {
        on_processor!("subss", a, b)
    }

    fn mul(a: f32, b: f32) -> f32 {
        on_processor!("mulss", a, b)
    }

    fn div(a: f32, b: f32) -> f32 {
        on_processor!("divss", a, b)
    }

    fn sqrt(a: f32) -> f32 {
        on_processor!("sqrtss", a, a)
    }
}
