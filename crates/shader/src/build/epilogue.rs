//! What D3D9 does after the pixel shader and today's GPUs leave to it: alpha test
//! on the unfogged alpha, then fog.

use super::{Builder, Expr, UniformBlock};
use crate::abi::pixel_member;
use crate::options::{CompareFunc, Fog, FogCurve, FogDepth};
use naga::{BinaryOperator, MathFunction, ScalarKind, Statement};

/// Alpha test and fog of one fragment function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Epilogue {
    pub(crate) alpha_func: CompareFunc,
    pub(crate) fog: Fog,
}

impl Epilogue {
    /// Whether the fragment position is read.
    pub(crate) fn reads_position(self) -> bool {
        matches!(self.fog, Fog::Table(_, FogDepth::Z | FogDepth::W))
    }

    /// Whether the fog varying is read.
    pub(crate) fn reads_fog_varying(self) -> bool {
        matches!(self.fog, Fog::Vertex | Fog::Table(_, FogDepth::Vertex))
    }
}

impl Builder {
    /// Discards the fragment where the alpha test fails, and returns `color` fogged.
    ///
    /// `position` is the fragment position built-in, needed for table fog by it;
    /// `factor` is the fog varying's scalar, needed for vertex fog and for table fog by the vertex.
    pub(crate) fn epilogue(
        &mut self,
        epilogue: Epilogue,
        color: Expr,
        position: Option<Expr>,
        factor: Option<Expr>,
    ) -> Expr {
        self.alpha_test(epilogue.alpha_func, color);
        let factor = match (epilogue.fog, position, factor) {
            (Fog::Vertex, _, Some(factor)) => self.math1(MathFunction::Saturate, factor),
            (Fog::Table(curve, FogDepth::Vertex), _, Some(distance)) => {
                self.table_fog(curve, distance)
            }
            (Fog::Table(curve, depth), Some(position), _) => {
                let distance = self.pixel_distance(depth, position);
                self.table_fog(curve, distance)
            }
            (Fog::Full, ..) => self.lit(0.0),
            _ => return color,
        };
        let fog = self.uniform_value(UniformBlock::PixelExtras, &[pixel_member::FOG_COLOR]);
        let fog = self.xyz(fog);
        let rgb = self.xyz(color);
        let factor = self.splat(factor, 3);
        let fogged = self.math3(MathFunction::Mix, fog, rgb, factor);
        let alpha = self.at(color, 3);
        self.compose(4, vec![fogged, alpha])
    }

    /// `color` as it is, in a function that llvmpipe runs on floats. See
    /// [`Options::whole_floats`](crate::Options::whole_floats).
    pub(crate) fn whole_floats(&mut self, color: Expr) -> Expr {
        let bits = self.cast(color, ScalarKind::Sint, None);
        let least = self.lit_i32(i32::MIN);
        let least = self.splat(least, 4);
        let bits = self.math2(MathFunction::Max, bits, least);
        self.cast(bits, ScalarKind::Float, None)
    }

    fn alpha_test(&mut self, func: CompareFunc, color: Expr) {
        use BinaryOperator as Op;
        // The condition under which the fragment survives; a NaN alpha passes nothing but
        // D3DCMP_NOTEQUAL, as a comparison in hardware does.
        let passes = match func {
            CompareFunc::Always => return,
            CompareFunc::Never => None,
            CompareFunc::Less => Some(Op::Less),
            CompareFunc::Equal => Some(Op::Equal),
            CompareFunc::LessEqual => Some(Op::LessEqual),
            CompareFunc::Greater => Some(Op::Greater),
            CompareFunc::NotEqual => Some(Op::NotEqual),
            CompareFunc::GreaterEqual => Some(Op::GreaterEqual),
        };
        let fails = match passes {
            None => self.lit_bool(true),
            Some(op) => {
                let alpha = self.at(color, 3);
                let alpha = self.math1(MathFunction::Saturate, alpha);
                let path = [pixel_member::ALPHA_REF];
                let reference = self.uniform_value(UniformBlock::PixelExtras, &path);
                let reference = self.at(reference, 0);
                let [alpha, reference] = [alpha, reference].map(|value| self.steps(value));
                let passes = self.bin(op, alpha, reference);
                self.not(passes)
            }
        };
        self.if_then(fails, |b| b.push(Statement::Kill));
    }

    /// A value in 0 to 1 in whole steps of 1/255: the precision at which D3D9 compares.
    fn steps(&mut self, value: Expr) -> Expr {
        let scale = self.lit(255.0);
        let half = self.lit(0.5);
        let scaled = self.times(value, scale);
        let raised = self.add(scaled, half);
        self.math1(MathFunction::Floor, raised)
    }

    /// The distance of table fog that the fragment's own position gives.
    fn pixel_distance(&mut self, depth: FogDepth, position: Expr) -> Expr {
        if depth == FogDepth::Z {
            return self.at(position, 2);
        }
        let inverse = self.at(position, 3);
        let one = self.lit(1.0);
        self.bin(BinaryOperator::Divide, one, inverse)
    }

    /// The factor of table fog, 0 (all fog) to 1 (none).
    fn table_fog(&mut self, curve: FogCurve, distance: Expr) -> Expr {
        let fog = self.uniform_value(UniformBlock::PixelExtras, &[pixel_member::FOG]);
        let factor = match curve {
            FogCurve::Linear => {
                let end = self.at(fog, 1);
                let scale = self.at(fog, 2);
                let left = self.sub(end, distance);
                self.times(left, scale)
            }
            FogCurve::Exp | FogCurve::Exp2 => {
                let density = self.at(fog, 3);
                let amount = self.times(distance, density);
                let amount = match curve {
                    FogCurve::Exp2 => self.times(amount, amount),
                    _ => amount,
                };
                let amount = self.neg(amount);
                self.math1(MathFunction::Exp, amount)
            }
        };
        self.math1(MathFunction::Saturate, factor)
    }
}
