//! Texture addressing of ps_1_0 to ps_1_4: bumps, dependent reads and matrices.

use super::Lowerer;
use super::registers::{self, Lane, Value, gather, one};
use super::source::XYZW;
use crate::abi::pixel_member;
use crate::build::{Expr, Helper, Known, UniformBlock};
use crate::{Error, SamplerKind};
use naga::{BinaryOperator, MathFunction, Scalar};
use ninefold_bytecode::{Instruction, Opcode, Src, WriteMask};

impl Lowerer<'_> {
    pub(super) fn texture_address(&mut self, instruction: &Instruction) -> Result<(), Error> {
        use Opcode as O;
        let stage = instruction.dst.map_or(0, |dst| dst.register.index);
        if instruction.op == O::TexDepth {
            return self.depth_quotient(instruction);
        }
        let Some(&src) = instruction.srcs().first() else {
            return Err(self.unsupported("it has no source"));
        };
        match instruction.op {
            O::TexBem | O::TexBemL => self.tex_bem(instruction, stage, &src),
            O::TexReg2Ar => self.dependent(instruction, stage, &src, [3, 0, 0], SamplerKind::D2),
            O::TexReg2Gb => self.dependent(instruction, stage, &src, [1, 2, 2], SamplerKind::D2),
            O::TexReg2Rgb => self.dependent(instruction, stage, &src, [0, 1, 2], SamplerKind::D2),
            O::TexDp3Tex => {
                let row = self.row(stage, &src)?;
                let lane = Lane::scalar(row, Known::Nothing);
                let texel = self.sample_stage(stage, SamplerKind::D2, &[lane]);
                self.write_color(instruction, texel)
            }
            O::TexDp3 => {
                let row = self.row(stage, &src)?;
                self.write(instruction, Value::new(row, 1))
            }
            O::TexM3x2Pad | O::TexM3x3Pad => {
                let row = self.row(stage, &src)?;
                self.matrix_rows.push(Lane::scalar(row, Known::Nothing));
                Ok(())
            }
            _ => self.matrix_end(instruction, stage, &src),
        }
    }

    /// Dot product of a coordinate set's xyz and the source's.
    fn row(&mut self, stage: u16, src: &Src) -> Result<Expr, Error> {
        let set = self.inputs.coordinates[usize::from(stage & 7)];
        let set = gather(&mut self.b, Scalar::F32, &set[..3]);
        let value = self.source(src, &XYZW[..3])?;
        Ok(self.b.dot(3, (set, Known::Nothing), value.pair()))
    }

    /// The last instruction of a texture matrix: its row joins those of the pads.
    fn matrix_end(
        &mut self,
        instruction: &Instruction,
        stage: u16,
        src: &Src,
    ) -> Result<(), Error> {
        use Opcode as O;
        let row = self.row(stage, src)?;
        let mut rows = std::mem::take(&mut self.matrix_rows);
        rows.push(Lane::scalar(row, Known::Nothing));
        let expected = match instruction.op {
            O::TexM3x2Tex | O::TexM3x2Depth => 2,
            _ => 3,
        };
        if rows.len() != expected {
            return Err(self.unsupported("the rows of its matrix are not complete"));
        }
        match instruction.op {
            O::TexM3x2Tex => {
                let texel = self.sample_stage(stage, SamplerKind::D2, &rows);
                self.write_color(instruction, texel)
            }
            O::TexM3x2Depth => {
                let [z, w] = [rows[0].expr, rows[1].expr];
                self.write_depth(z, w);
                Ok(())
            }
            O::TexM3x3 => {
                let one = self.b.lit(1.0);
                let mut parts: Vec<Expr> = rows.iter().map(|row| row.expr).collect();
                parts.push(one);
                let value = self.b.compose(4, parts);
                self.write_color(instruction, value)
            }
            O::TexM3x3Tex => {
                let texel = self.sample_stage(stage, SamplerKind::Cube, &rows);
                self.write_color(instruction, texel)
            }
            _ => {
                let eye = match instruction.op {
                    O::TexM3x3Spec => self.source(&instruction.srcs()[1], &XYZW[..3])?.expr,
                    _ => {
                        let first = usize::from(stage.saturating_sub(2));
                        let lanes = [0, 1, 2].map(|i| self.inputs.coordinates[(first + i) & 7][3]);
                        gather(&mut self.b, Scalar::F32, &lanes)
                    }
                };
                let normal = gather(&mut self.b, Scalar::F32, &rows);
                let reflected = self.reflection_vector(normal, eye);
                let lanes = [0, 1, 2].map(|i| Value::new(reflected, 3).lane(i));
                let texel = self.sample_stage(stage, SamplerKind::Cube, &lanes);
                self.write_color(instruction, texel)
            }
        }
    }

    /// `2 (N.E / N.N) N - E`.
    fn reflection_vector(&mut self, normal: Expr, eye: Expr) -> Expr {
        let unknown = |expr| (expr, Known::Nothing);
        let across = self.b.dot(3, unknown(normal), unknown(eye));
        let square = self.b.dot(3, unknown(normal), unknown(normal));
        let inverse = self.b.call(Helper::Rcp, &[square]);
        let scale = self.b.mul(1, unknown(across), unknown(inverse));
        let scale = self.b.add(scale, scale);
        let scale = self.b.splat(scale, 3);
        let along = self.b.mul(3, unknown(scale), unknown(normal));
        self.b.sub(along, eye)
    }

    /// A read at components of the source: `texreg2ar` and its kin.
    fn dependent(
        &mut self,
        instruction: &Instruction,
        stage: u16,
        src: &Src,
        components: [usize; 3],
        implied: SamplerKind,
    ) -> Result<(), Error> {
        let value = self.source(src, &components)?;
        let lanes = [0, 1, 2].map(|i| value.lane(i));
        let texel = self.sample_stage(stage, implied, &lanes);
        self.write_color(instruction, texel)
    }

    /// `base + M * bump`, with the stage's bump matrix.
    fn bumped(&mut self, stage: u16, base: Expr, bump: Expr) -> Expr {
        let path = [pixel_member::BUMP_MATRICES, u32::from(stage & 7)];
        let matrix = self.b.uniform_value(UniformBlock::PixelExtras, &path);
        let unknown = |expr| (expr, Known::Nothing);
        let mut sum = base;
        for (component, row) in [(0, [0, 1]), (1, [2, 3])] {
            let amount = self.b.at(bump, component);
            let amount = self.b.splat(amount, 2);
            let row = self.b.swizzle(matrix, &row);
            sum = self.b.mad(2, unknown(amount), unknown(row), sum);
        }
        sum
    }

    /// `texbem` and `texbeml`: the stage's coordinates moved by a bump, and for the
    /// latter the colour scaled by its luminance.
    fn tex_bem(&mut self, instruction: &Instruction, stage: u16, src: &Src) -> Result<(), Error> {
        let set = self.inputs.coordinates[usize::from(stage & 7)];
        let base = gather(&mut self.b, Scalar::F32, &set[..2]);
        let bump = self.source(src, &[0, 1])?;
        let moved = self.bumped(stage, base, bump.expr);
        let moved = Value::new(moved, 2);
        let lanes = [moved.lane(0), moved.lane(1), set[2]];
        let mut texel = self.sample_stage(stage, SamplerKind::D2, &lanes);
        if instruction.op == Opcode::TexBemL {
            let blue = self.source(src, &[2])?;
            let path = [pixel_member::BUMP_LUMINANCE, u32::from(stage & 7)];
            let luminance = self.b.uniform_value(UniformBlock::PixelExtras, &path);
            let [scale, offset] = [0, 1].map(|i| self.b.at(luminance, i));
            let amount = self.b.mad(1, blue.pair(), (scale, Known::Nothing), offset);
            let amount = self.b.splat(amount, 4);
            texel = self
                .b
                .mul(4, (texel, Known::Nothing), (amount, Known::Nothing));
        }
        self.write_color(instruction, texel)
    }

    /// ps_1_4 `bem`: the first operand's xy moved by a bump from the second.
    pub(super) fn bem(
        &mut self,
        instruction: &Instruction,
        components: &[usize],
    ) -> Result<Value, Error> {
        let stage = instruction.dst.map_or(0, |dst| dst.register.index);
        let base = self.source(&instruction.srcs()[0], &[0, 1])?;
        let bump = self.source(&instruction.srcs()[1], &[0, 1])?;
        let moved = self.bumped(stage, base.expr, bump.expr);
        Ok(self.pick(moved, 2, components))
    }

    /// ps_1_4 `texdepth`: depth is the register's red over its green, which counts as 1 at most.
    fn depth_quotient(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no register"));
        };
        let lanes = self.register(dst.register, None)?;
        let [z, w] = [0, 1].map(|i| one(&mut self.b, lanes[i]));
        let most = self.b.lit(1.0);
        let w = self.b.math2(MathFunction::Min, w, most);
        self.write_depth(z, w);
        Ok(())
    }

    /// Depth `z / w`, 1 where `w` is zero.
    fn write_depth(&mut self, z: Expr, w: Expr) {
        let zero = self.b.lit(0.0);
        let one = self.b.lit(1.0);
        let flat = self.b.bin(BinaryOperator::Equal, w, zero);
        let w = self.b.select(flat, one, w);
        let quotient = self.b.bin(BinaryOperator::Divide, z, w);
        let depth = self.b.select(flat, one, quotient);
        self.assign(
            registers::DEPTH,
            WriteMask::from_bits(1),
            Value::new(depth, 1),
        );
    }
}
