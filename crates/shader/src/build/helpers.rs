//! Helper functions that generated code calls: one body each per module, however
//! often it is used.

use super::{Builder, Expr};
use crate::abi;
use crate::options::FloatRules;
use naga::{BinaryOperator, Function, Handle, MathFunction, ScalarKind};

/// A helper function of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Helper {
    /// `(a, b) -> a * b` under the zero rule, in 1-4 components.
    Mul1,
    Mul2,
    Mul3,
    Mul4,
    /// `(a, b, c) -> a * b + c` under the zero rule, in 1-4 components.
    Mad1,
    Mad2,
    Mad3,
    Mad4,
    /// `(a, b)`: dot product under the zero rule, of 2-4 components.
    Dot2,
    Dot3,
    Dot4,
    /// `1 / x`; `FLT_MAX` for zero.
    Rcp,
    /// `1 / sqrt(|x|)`; `FLT_MAX` for zero.
    Rsq,
    /// `log2(|x|)`; `-FLT_MAX` for zero.
    Log,
    /// `(x, y) -> |x|` to the power `y`, never NaN for finite arguments.
    Pow,
    /// The lighting coefficients of `(x, y, -, power)`.
    Lit,
    /// vs_1_x `expp`: integer part's power, fraction, whole power, 1.
    ExpParts,
    /// vs_1_x `logp`: exponent, mantissa, whole logarithm, 1.
    LogParts,
    /// The unit vector of `xyz`, as `xyzw` times the reciprocal length.
    Nrm,
    /// `(a, b)`: cross product of `xyz` under the zero rule.
    Crs,
    /// Vertex float constant by run-time index; zero outside the file.
    RelativeVertex,
    /// Pixel float constant by run-time index; zero outside the file.
    RelativePixel,
    /// The same of the files of software versions.
    RelativeVertexLarge,
    RelativePixelLarge,
}

impl Helper {
    pub(super) const COUNT: usize = Helper::RelativePixelLarge as usize + 1;

    pub(crate) fn mul(n: usize) -> Self {
        [Self::Mul1, Self::Mul2, Self::Mul3, Self::Mul4][n - 1]
    }

    pub(crate) fn mad(n: usize) -> Self {
        [Self::Mad1, Self::Mad2, Self::Mad3, Self::Mad4][n - 1]
    }

    pub(crate) fn dot(n: usize) -> Self {
        [Self::Dot2, Self::Dot3, Self::Dot4][n - 2]
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mul1 => "mul1_",
            Self::Mul2 => "mul2_",
            Self::Mul3 => "mul3_",
            Self::Mul4 => "mul4_",
            Self::Mad1 => "mad1_",
            Self::Mad2 => "mad2_",
            Self::Mad3 => "mad3_",
            Self::Mad4 => "mad4_",
            Self::Dot2 => "dp2_",
            Self::Dot3 => "dp3_",
            Self::Dot4 => "dp4_",
            Self::Rcp => "rcp_",
            Self::Rsq => "rsq_",
            Self::Log => "log_",
            Self::Pow => "pow_",
            Self::Lit => "lit_",
            Self::ExpParts => "expp_",
            Self::LogParts => "logp_",
            Self::Nrm => "nrm_",
            Self::Crs => "crs_",
            Self::RelativeVertex
            | Self::RelativePixel
            | Self::RelativeVertexLarge
            | Self::RelativePixelLarge => "constant_",
        }
    }

    /// Components of its result (and of its operands, for products).
    fn width(self) -> usize {
        match self {
            Self::Mul1 | Self::Mad1 => 1,
            Self::Mul2 | Self::Mad2 | Self::Dot2 => 2,
            Self::Mul3 | Self::Mad3 | Self::Dot3 => 3,
            Self::Mul4 | Self::Mad4 | Self::Dot4 => 4,
            Self::Rcp | Self::Rsq | Self::Log | Self::Pow => 1,
            Self::Crs => 3,
            _ => 4,
        }
    }
}

impl Builder {
    pub(super) fn helper(&mut self, helper: Helper) -> Handle<Function> {
        if let Some(function) = self.helpers[helper as usize] {
            return function;
        }
        let function = self.build_helper(helper);
        self.helpers[helper as usize] = Some(function);
        function
    }

    fn build_helper(&mut self, helper: Helper) -> Handle<Function> {
        use Helper as H;
        let name = helper.name();
        let n = helper.width();
        let ty = self.types.float(n);
        let f32 = self.types.f32;
        let vec4 = self.types.vec4;
        match helper {
            H::Mul1 | H::Mul2 | H::Mul3 | H::Mul4 => self.side_function(name, &[ty; 2], ty, |b| {
                let [x, y] = [0, 1].map(|i| b.argument(i));
                b.mul_inline(n, x, y)
            }),
            H::Mad1 | H::Mad2 | H::Mad3 | H::Mad4 => self.side_function(name, &[ty; 3], ty, |b| {
                let [x, y, z] = [0, 1, 2].map(|i| b.argument(i));
                let product = b.mul_inline(n, x, y);
                b.add(product, z)
            }),
            H::Dot2 | H::Dot3 | H::Dot4 => self.side_function(name, &[ty; 2], f32, |b| {
                let [x, y] = [0, 1].map(|i| b.argument(i));
                let product = b.mul_inline(n, x, y);
                let first = b.at(product, 0);
                (1..n as u32).fold(first, |sum, i| {
                    let term = b.at(product, i);
                    b.add(sum, term)
                })
            }),
            H::Rcp => self.side_function(name, &[f32], f32, |b| {
                let x = b.argument(0);
                let one = b.lit(1.0);
                let inverse = b.bin(BinaryOperator::Divide, one, x);
                b.unless_zero(x, f32::MAX, inverse)
            }),
            H::Rsq => self.side_function(name, &[f32], f32, |b| {
                let x = b.argument(0);
                b.rsq_inline(x)
            }),
            H::Log => self.side_function(name, &[f32], f32, |b| {
                let x = b.argument(0);
                b.log_inline(x)
            }),
            H::Pow => self.side_function(name, &[f32; 2], f32, |b| {
                let [x, y] = [0, 1].map(|i| b.argument(i));
                b.pow_inline(x, y)
            }),
            H::Lit => self.side_function(name, &[vec4], vec4, Self::lit_body),
            H::ExpParts => self.side_function(name, &[f32], vec4, |b| {
                let x = b.argument(0);
                let whole = b.math1(MathFunction::Floor, x);
                let power = b.math1(MathFunction::Exp2, whole);
                let fraction = b.sub(x, whole);
                let full = b.math1(MathFunction::Exp2, x);
                let one = b.lit(1.0);
                b.compose(4, vec![power, fraction, full, one])
            }),
            H::LogParts => self.side_function(name, &[f32], vec4, Self::log_parts_body),
            H::Nrm => self.side_function(name, &[vec4], vec4, |b| {
                let v = b.argument(0);
                let xyz = b.xyz(v);
                let square = b.math2(MathFunction::Dot, xyz, xyz);
                let scale = b.rsq_inline(square);
                let scale = b.splat(scale, 4);
                match b.rules {
                    FloatRules::D3d9 => b.mul_inline(4, v, scale),
                    FloatRules::Ieee => b.times(v, scale),
                }
            }),
            H::Crs => self.side_function(name, &[ty; 2], ty, |b| {
                let [x, y] = [0, 1].map(|i| b.argument(i));
                if b.rules == FloatRules::Ieee {
                    return b.math2(MathFunction::Cross, x, y);
                }
                let mut part = |first: &[u8; 3], second: &[u8; 3]| {
                    let x = b.swizzle(x, first);
                    let y = b.swizzle(y, second);
                    b.mul_inline(3, x, y)
                };
                let left = part(&[1, 2, 0], &[2, 0, 1]);
                let right = part(&[2, 0, 1], &[1, 2, 0]);
                b.sub(left, right)
            }),
            H::RelativeVertex => self.relative(name, super::UniformBlock::VertexConstants),
            H::RelativePixel => self.relative(name, super::UniformBlock::PixelConstants),
            H::RelativeVertexLarge => self.relative(name, super::UniformBlock::VertexLarge),
            H::RelativePixelLarge => self.relative(name, super::UniformBlock::PixelLarge),
        }
    }

    /// `other` where the scalar `tested` is not zero, `value` where it is.
    fn unless_zero(&mut self, tested: Expr, value: f32, other: Expr) -> Expr {
        let zero = self.is_zero(tested);
        let value = self.lit(value);
        self.select(zero, value, other)
    }

    fn rsq_inline(&mut self, x: Expr) -> Expr {
        let size = self.math1(MathFunction::Abs, x);
        let inverse = self.math1(MathFunction::InverseSqrt, size);
        self.unless_zero(x, f32::MAX, inverse)
    }

    fn log_inline(&mut self, x: Expr) -> Expr {
        let size = self.math1(MathFunction::Abs, x);
        let log = self.math1(MathFunction::Log2, size);
        self.unless_zero(x, f32::MIN, log)
    }

    fn pow_inline(&mut self, x: Expr, y: Expr) -> Expr {
        let log = self.log_inline(x);
        let exponent = match self.rules {
            FloatRules::D3d9 => self.mul_inline(1, y, log),
            FloatRules::Ieee => self.times(y, log),
        };
        self.math1(MathFunction::Exp2, exponent)
    }

    /// D3D9 `lit`: (1, max(x, 0), x > 0 and y > 0 ? y^w : 0, 1), w within +-127.9961.
    fn lit_body(&mut self) -> Expr {
        const POWER_LIMIT: f32 = 127.996_1;
        let v = self.argument(0);
        let [x, y, w] = [0, 1, 3].map(|i| self.at(v, i));
        let [zero, one] = [0.0, 1.0].map(|value| self.lit(value));
        let [low, high] = [-POWER_LIMIT, POWER_LIMIT].map(|value| self.lit(value));
        let lit = self.bin(BinaryOperator::Greater, x, zero);
        let shiny = self.bin(BinaryOperator::Greater, y, zero);
        let both = self.bin(BinaryOperator::LogicalAnd, lit, shiny);
        let power = self.math3(MathFunction::Clamp, w, low, high);
        let specular = self.pow_inline(y, power);
        let diffuse = self.select(lit, x, zero);
        let specular = self.select(both, specular, zero);
        self.compose(4, vec![one, diffuse, specular, one])
    }

    /// Of |x|: exponent, mantissa in 1 to 2, logarithm, 1. Zero gives -FLT_MAX, 1, -FLT_MAX, 1.
    fn log_parts_body(&mut self) -> Expr {
        let x = self.argument(0);
        let one = self.lit(1.0);
        let bits = self.cast(x, ScalarKind::Uint, None);
        let exponent_mask = self.lit_u32(super::products::EXPONENT);
        let biased = self.bin(BinaryOperator::And, bits, exponent_mask);
        let shift = self.lit_u32(23);
        let biased = self.bin(BinaryOperator::ShiftRight, biased, shift);
        let biased = self.cast(biased, ScalarKind::Float, Some(4));
        let bias = self.lit(127.0);
        let exponent = self.sub(biased, bias);
        let mantissa_mask = self.lit_u32(0x007F_FFFF);
        let mantissa = self.bin(BinaryOperator::And, bits, mantissa_mask);
        let unit = self.lit_u32(0x3F80_0000);
        let mantissa = self.bin(BinaryOperator::InclusiveOr, mantissa, unit);
        let mantissa = self.cast(mantissa, ScalarKind::Float, None);
        let full = self.log_inline(x);
        let exponent = self.unless_zero(x, f32::MIN, exponent);
        let mantissa = self.unless_zero(x, 1.0, mantissa);
        self.compose(4, vec![exponent, mantissa, full, one])
    }

    fn relative(&mut self, name: &str, block: super::UniformBlock) -> Handle<Function> {
        let global = self.uniform(block);
        let (count, large) = match block {
            super::UniformBlock::PixelConstants => (abi::PIXEL_CONSTANT_COUNT, false),
            super::UniformBlock::VertexConstants => (abi::VERTEX_CONSTANT_COUNT, false),
            _ => (abi::LARGE_FILE, true),
        };
        let vec4 = self.types.vec4;
        let i32 = self.vector_ty(naga::Scalar::I32, 1);
        self.side_function(name, &[i32], vec4, |b| {
            let index = b.argument(0);
            let index = b.cast(index, ScalarKind::Uint, Some(4));
            let last = b.lit_u32(count - 1);
            let inside = b.bin(BinaryOperator::LessEqual, index, last);
            let index = b.math2(MathFunction::Min, index, last);
            let base = b.global(global);
            let pointer = b.e(naga::Expression::Access { base, index });
            let mut value = b.load(pointer);
            if large {
                value = b.cast(value, ScalarKind::Float, None);
            }
            let zero = b.lit_n(0.0, 4);
            let inside = b.splat(inside, 4);
            b.select(inside, value, zero)
        })
    }
}
