//! The arithmetic instructions over all lanes.

use super::operands::{Operand, components, map2};
use super::{LaneMask, Lanes, Scene, Vector};
use crate::constants::Bump;
use crate::float::{self, number};
use crate::op::{Op, What};
use crate::options::FloatRules;
use crate::real::Real;
use ninefold_bytecode::Comparison;

/// Products by the program's rules.
#[derive(Clone, Copy)]
pub(super) struct Product(FloatRules);

impl Product {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        Product(scene.program.options.float_rules)
    }

    #[inline(always)]
    pub(super) fn mul<const N: usize, T: Real>(self, a: &[T; N], b: &[T; N]) -> [T; N] {
        let mut out = *a;
        match self.0 {
            FloatRules::D3d9 => apply2(&mut out, a, b, float::mul),
            FloatRules::Ieee => apply2(&mut out, a, b, |a, b| a * b),
        }
        out
    }

    /// Products of the first `width` components, added from x on. As a result of its own what is
    /// no number is still to be made [`float::number`].
    #[inline(always)]
    pub(super) fn dot<const N: usize, T: Real>(
        self,
        a: Operand<'_, N, T>,
        b: Operand<'_, N, T>,
        width: usize,
    ) -> [T; N] {
        let mut sum = self.mul(a[0], b[0]);
        for component in 1..width {
            self.add_product(&mut sum, a[component], b[component]);
        }
        sum
    }

    #[inline(always)]
    fn add_product<const N: usize, T: Real>(self, sum: &mut [T; N], a: &[T; N], b: &[T; N]) {
        match self.0 {
            FloatRules::D3d9 => {
                for n in 0..N {
                    sum[n] = sum[n] + float::mul(a[n], b[n]);
                }
            }
            FloatRules::Ieee => {
                for n in 0..N {
                    sum[n] = sum[n] + a[n] * b[n];
                }
            }
        }
    }
}

// What follows is loops over lanes with a function of one lane inside: the shape that the
// compiler makes vectors of.

#[inline(always)]
fn apply<const N: usize, T: Real>(to: &mut [T; N], a: &[T; N], f: impl Fn(T) -> T) {
    for n in 0..N {
        to[n] = f(a[n]);
    }
}

#[inline(always)]
fn apply2<const N: usize, T: Real>(to: &mut [T; N], a: &[T; N], b: &[T; N], f: impl Fn(T, T) -> T) {
    for n in 0..N {
        to[n] = f(a[n], b[n]);
    }
}

#[inline(always)]
fn apply3<const N: usize, T: Real>(
    to: &mut [T; N],
    [a, b, c]: [&[T; N]; 3],
    f: impl Fn(T, T, T) -> T,
) {
    for n in 0..N {
        to[n] = f(a[n], b[n], c[n]);
    }
}

/// Where a result goes: the components of a mask.
struct Results<'a, const N: usize, T> {
    to: &'a mut Vector<N, T>,
    mask: u8,
}

impl<const N: usize, T: Real> Results<'_, N, T> {
    #[inline(always)]
    fn each(&mut self, a: Operand<'_, N, T>, f: impl Fn(T) -> T) {
        for (n, (to, a)) in self.to.iter_mut().zip(a).enumerate() {
            if self.mask >> n & 1 != 0 {
                apply(to, a, &f);
            }
        }
    }

    #[inline(always)]
    fn each2(&mut self, a: Operand<'_, N, T>, b: Operand<'_, N, T>, f: impl Fn(T, T) -> T) {
        for (n, (to, (a, b))) in self.to.iter_mut().zip(a.into_iter().zip(b)).enumerate() {
            if self.mask >> n & 1 != 0 {
                apply2(to, a, b, &f);
            }
        }
    }

    #[inline(always)]
    fn each3(&mut self, [a, b, c]: [Operand<'_, N, T>; 3], f: impl Fn(T, T, T) -> T) {
        for (n, to) in self.to.iter_mut().enumerate() {
            if self.mask >> n & 1 != 0 {
                apply3(to, [a[n], b[n], c[n]], &f);
            }
        }
    }

    /// The same in all components.
    #[inline(always)]
    fn all(&mut self, value: &[T; N]) {
        for (n, to) in self.to.iter_mut().enumerate() {
            if self.mask >> n & 1 != 0 {
                *to = *value;
            }
        }
    }

    /// A function of a scalar.
    #[inline(always)]
    fn scalar(&mut self, a: &[T; N], f: impl Fn(T) -> T) {
        let mut value = *a;
        apply(&mut value, a, f);
        self.all(&value);
    }

    /// Applies a function that fills four components of a lane.
    #[inline(always)]
    fn parts(&mut self, of: impl Fn(usize) -> [T; 4]) {
        for lane in 0..N {
            for (to, value) in self.to.iter_mut().zip(of(lane)) {
                to[lane] = value;
            }
        }
    }
}

impl<const N: usize, T: Real> Lanes<N, T> {
    /// Makes the result of an arithmetic operation, before the destination's modifiers.
    #[inline(always)]
    pub(super) fn arithmetic(&mut self, op: &Op, scene: &Scene<'_>) {
        let product = Product::of(scene);
        let (reads, held, to) = self.parts(scene);
        let [h0, h1, h2, ..] = held;
        let mut out = Results {
            to,
            mask: op.dst.mask,
        };
        let a = reads.operand(&op.srcs[0], h0);
        if let What::Matrix { rows, width } = op.what {
            for row in 0..usize::from(rows).min(4) {
                let b = reads.operand(&op.srcs[1 + row], h1);
                apply(
                    &mut out.to[row],
                    &product.dot(a, b, usize::from(width)),
                    number,
                );
            }
            return;
        }
        let b = match op.operands {
            0 | 1 => a,
            _ => reads.operand(&op.srcs[1], h1),
        };
        let c = match op.operands {
            0..=2 => a,
            _ => reads.operand(&op.srcs[2], h2),
        };
        let (zero, one) = (T::of(0.0), T::of(1.0));
        let ieee = product.0 == FloatRules::Ieee;
        match op.what {
            What::Mov => out.each(a, |a| a),
            What::Add => out.each2(a, b, |a, b| number(a + b)),
            What::Sub => out.each2(a, b, |a, b| number(a - b)),
            What::Mul if ieee => out.each2(a, b, |a, b| number(a * b)),
            What::Mul => out.each2(a, b, |a, b| number(float::mul(a, b))),
            What::Mad if ieee => out.each3([a, b, c], |a, b, c| number(a * b + c)),
            What::Mad => out.each3([a, b, c], |a, b, c| number(float::mul(a, b) + c)),
            What::Lrp if ieee => out.each3([a, b, c], |a, b, c| number(a * (b - c) + c)),
            What::Lrp => out.each3([a, b, c], |a, b, c| number(float::mul(a, b - c) + c)),
            What::Min => out.each2(a, b, float::min),
            What::Max => out.each2(a, b, float::max),
            What::Slt => out.each2(a, b, |a, b| float::truth(a < b)),
            What::Sge => out.each2(a, b, |a, b| float::truth(a >= b)),
            What::Abs => out.each(a, T::abs),
            What::Frc => out.each(a, float::frc),
            What::Sgn => out.each(a, float::sgn),
            What::Cmp => out.each3([a, b, c], |a, b, c| if a >= zero { b } else { c }),
            What::Cnd => {
                let half = T::of(0.5);
                out.each3([a, b, c], |a, b, c| if a > half { b } else { c });
            }
            What::Second => out.each(b, |b| b),
            What::Crs => *out.to = cross(product, a, b),
            What::DstVector => *out.to = [[one; N], product.mul(a[1], b[1]), *a[2], *b[3]],
            What::Lit => out.parts(|lane| {
                let [x, y, power] = [0, 1, 3].map(|n| a[n][lane].get());
                float::lit(x, y, power).map(T::of)
            }),
            What::ExppParts => out.parts(|lane| float::expp_parts(a[3][lane])),
            What::LogpParts => {
                out.parts(|lane| float::logp_parts(a[3][lane].get()).map(T::of));
            }
            What::SinCos => {
                *out.to = [[zero; N]; 4];
                apply(&mut out.to[0], a[3], |x| float::platform(x, f32::cos));
                apply(&mut out.to[1], a[3], |x| float::platform(x, f32::sin));
            }
            What::Nrm => {
                let square = product.dot(a, a, 3);
                let mut by = square;
                apply(&mut by, &square, float::rsq);
                for (to, a) in out.to.iter_mut().zip(a) {
                    apply(to, &product.mul(a, &by), number);
                }
            }
            What::Dp3 => {
                out.scalar(&product.dot(a, b, 3), number);
            }
            What::Dp4 => {
                out.scalar(&product.dot(a, b, 4), number);
            }
            What::Dp2Add => {
                let dot = product.dot(a, b, 2);
                let mut sum = dot;
                apply2(&mut sum, &dot, c[3], |d, c| number(d + c));
                out.all(&sum);
            }
            What::Rcp => out.scalar(a[3], float::rcp),
            What::Rsq => out.scalar(a[3], float::rsq),
            What::Exp => out.scalar(a[3], |x| float::platform(x, f32::exp2)),
            What::Log => out.scalar(a[3], |x| float::platform(x, float::log)),
            What::Pow => {
                let mut value = *a[3];
                apply2(&mut value, a[3], b[3], |a, b| {
                    T::of(float::pow(a.get(), b.get()))
                });
                out.all(&value);
            }
            What::Dsx => *out.to = a.map(along_rows),
            What::Dsy => *out.to = a.map(along_columns),
            What::Bem { stage } => {
                let moved = moved(product, a, b, &bump(scene, stage));
                *out.to = a.map(|x| *x);
                out.to[..2].copy_from_slice(&moved);
            }
            What::Matrix { .. }
            | What::Setp(_)
            | What::Kill { .. }
            | What::Texture(_)
            | What::Flow(_) => {}
        }
    }

    pub(super) fn set_predicate(&mut self, op: &Op, comparison: Comparison, scene: &Scene<'_>) {
        let (a, b) = (self.source(op, 0, scene), self.source(op, 1, scene));
        let mut predicate = self.predicate;
        for component in components(op.dst.mask) {
            let lanes = self.allowed(op, component);
            let set = compared(comparison, &a[component], &b[component]);
            let to = &mut predicate[component];
            *to = *to & !lanes | set & lanes;
        }
        self.predicate = predicate;
    }

    pub(super) fn kill(&mut self, op: &Op, mask: u8, scene: &Scene<'_>) {
        let value = self.source(op, 0, scene);
        for component in components(mask) {
            let below = compared(Comparison::Lt, &value[component], &[T::of(0.0); N]);
            self.killed |= below & self.allowed(op, component);
        }
    }
}

/// The bump parameters of a stage.
pub(super) fn bump(scene: &Scene<'_>, stage: u8) -> Bump {
    let bump = scene.constants.bump.get(usize::from(stage));
    bump.copied().unwrap_or_default()
}

/// x and y of `at` moved by the bump matrix times x and y of `by`.
pub(super) fn moved<const N: usize, T: Real>(
    product: Product,
    at: Operand<'_, N, T>,
    by: Operand<'_, N, T>,
    bump: &Bump,
) -> [[T; N]; 2] {
    let [m00, m01, m10, m11] = bump.matrix.map(|m| [T::of(m); N]);
    let axis = |at: &[T; N], across, down| {
        let mut sum = *at;
        product.add_product(&mut sum, &across, by[0]);
        product.add_product(&mut sum, &down, by[1]);
        sum.map(number)
    };
    [axis(at[0], m00, m10), axis(at[1], m01, m11)]
}

fn cross<const N: usize, T: Real>(
    product: Product,
    a: Operand<'_, N, T>,
    b: Operand<'_, N, T>,
) -> Vector<N, T> {
    let axis = |i: usize, j: usize| {
        let (first, second) = (product.mul(a[i], b[j]), product.mul(a[j], b[i]));
        map2(first, second, |p, q| number(p - q))
    };
    [axis(1, 2), axis(2, 0), axis(0, 1), [T::of(0.0); N]]
}

/// The lanes in which a comparison holds.
pub(super) fn compared<const N: usize, T: Real>(
    comparison: Comparison,
    a: &[T; N],
    b: &[T; N],
) -> LaneMask {
    let holds = |a: T, b: T| match comparison {
        Comparison::Gt => a > b,
        Comparison::Eq => a == b,
        Comparison::Ge => a >= b,
        Comparison::Lt => a < b,
        Comparison::Ne => a != b,
        Comparison::Le => a <= b,
    };
    let pairs = a.iter().zip(b).enumerate();
    pairs.fold(0, |lanes, (lane, (&a, &b))| {
        lanes | LaneMask::from(holds(a, b)) << lane
    })
}

/// Change from the left to the right pixel of each row of a quad.
pub(super) fn along_rows<const N: usize, T: Real>(value: &[T; N]) -> [T; N] {
    difference(value, 1)
}

/// Change from the upper to the lower pixel of each column of a quad.
pub(super) fn along_columns<const N: usize, T: Real>(value: &[T; N]) -> [T; N] {
    difference(value, 2)
}

/// Differences between lanes whose numbers differ in bit `bit`; lanes without a
/// neighbour have none.
fn difference<const N: usize, T: Real>(value: &[T; N], bit: usize) -> [T; N] {
    let mut out = [T::of(0.0); N];
    for (lane, change) in out.iter_mut().enumerate() {
        if let Some(far) = value.get(lane | bit) {
            *change = number(*far - value[lane & !bit]);
        }
    }
    out
}
