//! `D3DRS_WRAP`: coordinates that take the shortest way from vertex to vertex of a primitive,
//! around the texture where that is shorter.
//!
//! A rasteriser adds up what the corners have, each by its share. Here it adds up the shares
//! themselves too, and what each corner but the first adds, so that a pixel can tell the corners'
//! own values and take whole turns off those that are more than half a turn from the first's.

use super::{Builder, Expr, perspective};
use crate::abi;
use naga::{
    BinaryOperator, Binding, BuiltIn, FunctionArgument, Handle, Interpolation, MathFunction,
    Sampling, Type,
};

/// Location of the corners' shares.
const SHARES: u32 = abi::VARYING_COUNT;
/// Locations of each set that wraps: the first corner's value, what the second and the third add.
const EACH: u32 = 3;
/// Differences up to half a turn, and rounding beside that, are as they are.
const HALF_TURN: f32 = 0.4999;

/// The sets of `wraps` that are wrapped, with the first of their locations.
fn sets(wraps: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..8)
        .filter(move |set| abi::wraps_of(wraps, *set) != 0)
        .zip(0..abi::MAX_WRAPPED_SETS)
        .map(|(set, n)| (set, SHARES + 1 + EACH * n))
}

fn flat(location: u32) -> Binding {
    Binding::Location {
        location,
        interpolation: Some(Interpolation::Flat),
        sampling: Some(Sampling::Either),
        blend_src: None,
        per_primitive: false,
    }
}

impl Builder {
    fn input(&mut self, ty: Handle<Type>, binding: Binding) -> Expr {
        let arguments = &mut self.function().arguments;
        let index = arguments.len() as u32;
        arguments.push(FunctionArgument {
            name: None,
            ty,
            binding: Some(binding),
        });
        self.argument(index)
    }

    /// What a vertex function returns beside the coordinates of its sets, of primitives with
    /// `corners` vertices of their own each: values of four floats.
    pub(crate) fn wrap_outputs(
        &mut self,
        wraps: u32,
        corners: u8,
        coordinate: impl Fn(u32) -> Option<Expr>,
    ) -> Vec<(Binding, Expr)> {
        let mut outputs = Vec::new();
        if wraps == 0 {
            return outputs;
        }
        let u32_type = self.vector_ty(naga::Scalar::U32, 1);
        let vertex = self.input(u32_type, Binding::BuiltIn(BuiltIn::VertexIndex));
        let corners = self.lit_u32(corners.max(1).into());
        let corner = self.bin(BinaryOperator::Modulo, vertex, corners);
        let [one, zero] = [1.0, 0.0].map(|value| self.lit(value));
        let shares = [0, 1, 2].map(|n| {
            let n = self.lit_u32(n);
            let here = self.bin(BinaryOperator::Equal, corner, n);
            self.select(here, one, zero)
        });
        let [first, second, third] = shares;
        let all = self.compose(4, vec![first, second, third, zero]);
        outputs.push((perspective(SHARES), all));
        for (set, location) in sets(wraps) {
            let value = match coordinate(set) {
                Some(value) => value,
                None => self.lit_n(0.0, 4),
            };
            outputs.push((flat(location), value));
            for (n, share) in [(1, second), (2, third)] {
                let share = self.splat(share, 4);
                let part = self.times(value, share);
                outputs.push((perspective(location + n), part));
            }
        }
        outputs
    }

    /// The coordinates of a set, which came as `value`, along the shortest way.
    pub(crate) fn unwrapped(&mut self, wraps: u32, set: u32, value: Expr) -> Expr {
        let Some((_, location)) = sets(wraps).find(|(wrapped, _)| *wrapped == set) else {
            return value;
        };
        let vec4 = self.types.vec4;
        let shares = match self.shares {
            Some(index) => self.argument(index),
            None => {
                self.shares = Some(self.function().arguments.len() as u32);
                self.input(vec4, perspective(SHARES))
            }
        };
        let first = self.input(vec4, flat(location));
        let [zero, one] = [0.0, 1.0].map(|value| self.lit(value));
        let half = self.lit_n(HALF_TURN, 4);
        let mut turned = value;
        for n in 1..EACH {
            let part = self.input(vec4, perspective(location + n));
            let share = self.at(shares, n);
            let absent = self.bin(BinaryOperator::Equal, share, zero);
            let divisor = self.select(absent, one, share);
            let divisor = self.splat(divisor, 4);
            let own = self.bin(BinaryOperator::Divide, part, divisor);
            let way = self.sub(own, first);
            let turns = self.math1(MathFunction::Abs, way);
            let turns = self.add(turns, half);
            let turns = self.math1(MathFunction::Floor, turns);
            let sign = self.math1(MathFunction::Sign, way);
            let turns = self.times(turns, sign);
            let share = self.splat(share, 4);
            let turns = self.times(turns, share);
            turned = self.sub(turned, turns);
        }
        let axes = abi::wraps_of(wraps, set);
        let parts = (0..4)
            .map(|axis| match axes >> axis & 1 {
                0 => self.at(value, axis),
                _ => self.at(turned, axis),
            })
            .collect();
        self.compose(4, parts)
    }
}
