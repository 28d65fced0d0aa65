//! The arithmetic instructions over all lanes.

use super::operands::{components, map, map2, map3};
use super::{LaneMask, Lanes, Scene, Vector};
use crate::constants::Bump;
use crate::float;
use crate::op::{Op, What};
use crate::options::FloatRules;
use ninefold_bytecode::Comparison;

/// Products by the program's rules.
#[derive(Clone, Copy)]
pub(super) struct Product(FloatRules);

impl Product {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        Product(scene.program.options.float_rules)
    }

    #[inline(always)]
    pub(super) fn mul<const N: usize>(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        match self.0 {
            FloatRules::D3d9 => map2(a, b, float::mul),
            FloatRules::Ieee => map2(a, b, |a, b| a * b),
        }
    }

    /// Products of the first `width` components, added from x on.
    #[inline(always)]
    pub(super) fn dot<const N: usize>(
        self,
        a: &Vector<N>,
        b: &Vector<N>,
        width: usize,
    ) -> [f32; N] {
        let mut sum = self.mul(a[0], b[0]);
        for component in 1..width {
            sum = map2(sum, self.mul(a[component], b[component]), |s, p| s + p);
        }
        sum
    }
}

/// Applies `f` to each component of one vector.
#[inline(always)]
fn each<const N: usize>(a: Vector<N>, f: impl Fn(f32) -> f32) -> Vector<N> {
    a.map(|x| map(x, &f))
}

#[inline(always)]
fn each2<const N: usize>(a: Vector<N>, b: Vector<N>, f: impl Fn(f32, f32) -> f32) -> Vector<N> {
    let mut out = a;
    for (to, b) in out.iter_mut().zip(b) {
        *to = map2(*to, b, &f);
    }
    out
}

#[inline(always)]
fn each3<const N: usize>(
    a: Vector<N>,
    b: Vector<N>,
    c: Vector<N>,
    f: impl Fn(f32, f32, f32) -> f32,
) -> Vector<N> {
    let mut out = a;
    for ((to, b), c) in out.iter_mut().zip(b).zip(c) {
        *to = map3(*to, b, c, &f);
    }
    out
}

/// Applies a function that fills four components of a lane.
fn parts<const N: usize>(of: impl Fn(usize) -> [f32; 4]) -> Vector<N> {
    let mut out = [[0.0; N]; 4];
    for lane in 0..N {
        for (to, value) in out.iter_mut().zip(of(lane)) {
            to[lane] = value;
        }
    }
    out
}

fn scaled<const N: usize>(product: Product, a: Vector<N>, by: [f32; N]) -> Vector<N> {
    a.map(|component| product.mul(component, by))
}

impl<const N: usize> Lanes<N> {
    /// The result of an arithmetic operation, before the destination's modifiers.
    pub(super) fn arithmetic(&self, op: &Op, scene: &Scene<'_>) -> Vector<N> {
        let product = Product::of(scene);
        let source = |n| self.source(op, n, scene);
        let scalar = |n| self.scalar(op, n, scene);
        let multiplied = |a: Vector<N>, b: Vector<N>| {
            let mut out = a;
            for (to, b) in out.iter_mut().zip(b) {
                *to = product.mul(*to, b);
            }
            out
        };
        match op.what {
            What::Mov => source(0),
            What::Add => each2(source(0), source(1), |a, b| a + b),
            What::Sub => each2(source(0), source(1), |a, b| a - b),
            What::Mul => multiplied(source(0), source(1)),
            What::Mad => each2(multiplied(source(0), source(1)), source(2), |p, c| p + c),
            What::Lrp => {
                let (to, from) = (source(1), source(2));
                let step = each2(to, from, |a, b| a - b);
                each2(multiplied(source(0), step), from, |p, c| p + c)
            }
            What::Min => each2(source(0), source(1), float::min),
            What::Max => each2(source(0), source(1), float::max),
            What::Slt => each2(source(0), source(1), |a, b| f32::from(u8::from(a < b))),
            What::Sge => each2(source(0), source(1), |a, b| f32::from(u8::from(a >= b))),
            What::Abs => each(source(0), f32::abs),
            What::Frc => each(source(0), float::frc),
            What::Sgn => each(source(0), float::sgn),
            What::Cmp => each3(source(0), source(1), source(2), |a, b, c| {
                if a >= 0.0 { b } else { c }
            }),
            What::Cnd => each3(
                source(0),
                source(1),
                source(2),
                |a, b, c| {
                    if a > 0.5 { b } else { c }
                },
            ),
            What::Second => source(1),
            What::Crs => cross(product, source(0), source(1)),
            What::DstVector => {
                let (a, b) = (source(0), source(1));
                [[1.0; N], product.mul(a[1], b[1]), a[2], b[3]]
            }
            What::Lit => {
                let a = source(0);
                parts(|lane| float::lit(a[0][lane], a[1][lane], a[3][lane]))
            }
            What::ExppParts => {
                let a = scalar(0);
                parts(|lane| float::expp_parts(a[lane]))
            }
            What::LogpParts => {
                let a = scalar(0);
                parts(|lane| float::logp_parts(a[lane]))
            }
            What::SinCos => {
                let a = scalar(0);
                [map(a, f32::cos), map(a, f32::sin), [0.0; N], [0.0; N]]
            }
            What::Nrm => {
                let a = source(0);
                scaled(product, a, map(product.dot(&a, &a, 3), float::rsq))
            }
            What::Dp3 => [product.dot(&source(0), &source(1), 3); 4],
            What::Dp4 => [product.dot(&source(0), &source(1), 4); 4],
            What::Dp2Add => {
                let dot = product.dot(&source(0), &source(1), 2);
                [map2(dot, scalar(2), |d, c| d + c); 4]
            }
            What::Matrix { rows, width } => {
                let a = source(0);
                let mut out = [[0.0; N]; 4];
                for (row, to) in out.iter_mut().enumerate().take(usize::from(rows)) {
                    *to = product.dot(&a, &source(1 + row), usize::from(width));
                }
                out
            }
            What::Rcp => [map(scalar(0), float::rcp); 4],
            What::Rsq => [map(scalar(0), float::rsq); 4],
            What::Exp => [map(scalar(0), f32::exp2); 4],
            What::Log => [map(scalar(0), float::log); 4],
            What::Pow => [map2(scalar(0), scalar(1), float::pow); 4],
            What::Dsx => source(0).map(|component| along_rows(&component)),
            What::Dsy => source(0).map(|component| along_columns(&component)),
            What::Bem { stage } => {
                let (mut at, by) = (source(0), source(1));
                let moved = moved(product, &at, &by, &bump(scene, stage));
                at[..2].copy_from_slice(&moved);
                at
            }
            What::Setp(_) | What::Kill { .. } | What::Texture(_) | What::Flow(_) => [[0.0; N]; 4],
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
            let below = compared(Comparison::Lt, &value[component], &[0.0; N]);
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
pub(super) fn moved<const N: usize>(
    product: Product,
    at: &Vector<N>,
    by: &Vector<N>,
    bump: &Bump,
) -> [[f32; N]; 2] {
    let [m00, m01, m10, m11] = bump.matrix.map(|m| [m; N]);
    let add = |a, b| map2(a, b, |a, b| a + b);
    let axis = |at, across, down| {
        let first = add(at, product.mul(across, by[0]));
        add(first, product.mul(down, by[1]))
    };
    [axis(at[0], m00, m10), axis(at[1], m01, m11)]
}

fn cross<const N: usize>(product: Product, a: Vector<N>, b: Vector<N>) -> Vector<N> {
    let axis = |i: usize, j: usize| {
        map2(product.mul(a[i], b[j]), product.mul(a[j], b[i]), |p, q| {
            p - q
        })
    };
    [axis(1, 2), axis(2, 0), axis(0, 1), [0.0; N]]
}

/// The lanes in which a comparison holds.
pub(super) fn compared<const N: usize>(
    comparison: Comparison,
    a: &[f32; N],
    b: &[f32; N],
) -> LaneMask {
    let holds = |a: f32, b: f32| match comparison {
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
pub(super) fn along_rows<const N: usize>(value: &[f32; N]) -> [f32; N] {
    difference(value, 1)
}

/// Change from the upper to the lower pixel of each column of a quad.
pub(super) fn along_columns<const N: usize>(value: &[f32; N]) -> [f32; N] {
    difference(value, 2)
}

/// Differences between lanes whose numbers differ in bit `bit`; lanes without a
/// neighbour have none.
fn difference<const N: usize>(value: &[f32; N], bit: usize) -> [f32; N] {
    let mut out = [0.0; N];
    for (lane, change) in out.iter_mut().enumerate() {
        if let Some(far) = value.get(lane | bit) {
            *change = far - value[lane & !bit];
        }
    }
    out
}
