//! Texture sampling of ps_1_4 and up and of vs_3_0, `tex` and `texcoord` of earlier
//! versions, and `texkill`.

use super::Lowerer;
use super::registers::{self, Lane, Value, gather, one};
use super::source::{XYZW, components_of};
use crate::build::{Expr, Helper, Known, Sampled, coordinate_count};
use crate::{Error, SamplerKind, Stage, texels};
use naga::{BinaryOperator, MathFunction, SampleLevel, Scalar};
use ninefold_bytecode::{Instruction, Opcode, Register, RegisterKind, Src, SrcModifier, WriteMask};

impl Lowerer<'_> {
    pub(super) fn texture(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let version = (self.version.major, self.version.minor);
        match (instruction.op, version) {
            (Opcode::TexKill, _) => self.kill(instruction),
            (Opcode::TexCoord, (1, 0..=3)) => self.texcoord(instruction),
            (Opcode::TexCoord, _) => self.texcrd(instruction),
            (Opcode::Tex, (1, 0..=3)) => self.tex(instruction),
            (Opcode::Tex, (1, _)) => self.texld14(instruction),
            _ => self.texld(instruction),
        }
    }

    /// `texkill`: marks the pixel as killed. It runs on to the end, so that its
    /// neighbours' derivatives stay defined, and is discarded there.
    fn kill(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no register to test"));
        };
        let lanes = match dst.register.kind {
            RegisterKind::Texture => self.inputs.coordinates[usize::from(dst.register.index & 7)],
            _ => self.register(dst.register, None)?,
        };
        let tested: Vec<Lane> = match self.version.major {
            1 => lanes[..3].to_vec(),
            _ => dst
                .mask
                .components()
                .map(|component| lanes[component])
                .collect(),
        };
        if tested.is_empty() {
            return Ok(());
        }
        let mut condition = self.any_negative(&tested);
        if let Some(predicate) = instruction.predicate {
            let predicate = self.predicate(&predicate, &[0])?;
            condition = self.b.bin(BinaryOperator::LogicalAnd, condition, predicate);
        }
        let slot = registers::KILLED;
        let before = self.registers.lanes(&mut self.b, &mut self.locals, slot)[0].expr;
        let never = self.b.lit_bool(false);
        if before != never {
            condition = self.b.bin(BinaryOperator::LogicalOr, before, condition);
        }
        let mask = WriteMask::from_bits(1);
        self.assign(slot, mask, Value::finite(condition, 1));
        Ok(())
    }

    /// `texld`, `texldp`, `texldb`, `texldd`, `texldl` of Shader Model 2 and 3.
    fn texld(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let src = instruction.srcs();
        let [coordinate, sampler] = [src[0], src[1]];
        let register = sampler.register.index;
        let declared = self.scan.samplers[usize::from(register & 15)];
        let bound = match self.version.stage {
            Stage::Pixel => self.options.sampler_kinds[usize::from(register & 15)],
            Stage::Vertex => None,
        };
        let kind = match (declared, bound) {
            // A 2D texture is a volume of one slice, also to the hardware.
            (Some(SamplerKind::Volume), Some(SamplerKind::D2)) => SamplerKind::D2,
            (Some(SamplerKind::D2), Some(SamplerKind::Volume)) => SamplerKind::Volume,
            (Some(SamplerKind::Unknown) | None, _) => SamplerKind::D2,
            (Some(kind), _) => kind,
        };
        let from = self.sampler(register.into(), kind);
        let n = coordinate_count(kind);
        let mut position = self.source(&coordinate, &XYZW[..n])?.expr;
        let mut reference = match from.rules.texels {
            texels::COMPARE => Some(self.source(&coordinate, &[2])?.expr),
            _ => None,
        };
        let vertex = self.version.stage == Stage::Vertex;
        let level = match (instruction.op, instruction.controls) {
            (Opcode::TexLdl, _) => SampleLevel::Exact(self.source(&coordinate, &[3])?.expr),
            (Opcode::TexLdd, _) => {
                let x = self.source(&src[2], &XYZW[..n])?.expr;
                let y = self.source(&src[3], &XYZW[..n])?.expr;
                SampleLevel::Gradient { x, y }
            }
            _ if vertex => return Err(self.unsupported("a vertex shader has no derivatives")),
            (_, 2) => SampleLevel::Bias(self.source(&coordinate, &[3])?.expr),
            (_, 1) => {
                let w = self.source(&coordinate, &[3])?.expr;
                let w = self.divisor(w);
                reference = reference.map(|z| self.b.bin(BinaryOperator::Divide, z, w));
                let w = self.b.splat(w, n);
                position = self.b.bin(BinaryOperator::Divide, position, w);
                SampleLevel::Auto
            }
            _ => SampleLevel::Auto,
        };
        let level = match (vertex, level) {
            (true, SampleLevel::Gradient { .. }) => SampleLevel::Zero,
            (_, level) => level,
        };
        let texel = self.b.sample(from, position, reference, level);
        self.write_texel(instruction, texel, &sampler)
    }

    /// Writes the components of a value of four that the destination's mask asks for.
    pub(super) fn write_color(
        &mut self,
        instruction: &Instruction,
        color: Expr,
    ) -> Result<(), Error> {
        let identity = Src::new(Register::new(RegisterKind::Temp, 0));
        self.write_texel(instruction, color, &identity)
    }

    /// Writes a sampled value through the sampler operand's swizzle.
    fn write_texel(
        &mut self,
        instruction: &Instruction,
        texel: Expr,
        sampler: &Src,
    ) -> Result<(), Error> {
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no destination"));
        };
        let (components, n) = components_of(dst.mask);
        if n == 0 {
            return Ok(());
        }
        let all = Lane::vector(texel, Known::Nothing);
        let picked = components.map(|component| all[usize::from(sampler.swizzle.lane(component))]);
        let value = gather(&mut self.b, Scalar::F32, &picked[..n]);
        self.write(instruction, Value::new(value, n))
    }

    /// The texture of stage `stage` of ps_1_x, of the kind bound or else `implied`.
    pub(super) fn stage_sampler(&mut self, stage: u16, implied: SamplerKind) -> Sampled {
        let bound = self.options.sampler_kinds[usize::from(stage & 15)];
        let kind = match bound {
            Some(SamplerKind::Unknown) | None => implied,
            // A 2D texture cannot be looked up with a direction: the instruction decides,
            // and the renderer binds black for the mismatch.
            Some(SamplerKind::D2) if implied != SamplerKind::D2 => implied,
            Some(kind) => kind,
        };
        self.sampler(stage.into(), kind)
    }

    /// Samples stage `stage` at the first coordinates of `lanes`.
    pub(super) fn sample_stage(
        &mut self,
        stage: u16,
        implied: SamplerKind,
        lanes: &[Lane],
    ) -> Expr {
        let from = self.stage_sampler(stage, implied);
        let n = coordinate_count(from.kind);
        let mut picked = [Lane::scalar(self.b.lit(0.0), Known::Finite); 3];
        for (slot, lane) in picked.iter_mut().zip(lanes) {
            *slot = *lane;
        }
        let position = gather(&mut self.b, Scalar::F32, &picked[..n]);
        let reference = match from.rules.texels {
            texels::COMPARE => Some(one(&mut self.b, picked[2])),
            _ => None,
        };
        self.b.sample(from, position, reference, SampleLevel::Auto)
    }

    /// What coordinates are divided by: 1 instead of a literal 0, as where a coordinate set is
    /// missing. The quotient would be a NaN that compilers know of; converting one to a texel's
    /// number is undefined to LLVM, and lavapipe then reads from anywhere.
    fn divisor(&mut self, w: Expr) -> Expr {
        match self.b.literal_value(w) {
            Some(0.0) => self.b.lit(1.0),
            _ => w,
        }
    }

    /// `tex t#`: the stage's texture at the coordinate set of the same number.
    fn tex(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let stage = instruction.dst.map_or(0, |dst| dst.register.index);
        let mut lanes = self.inputs.coordinates[usize::from(stage & 7)];
        if self.options.projected >> (stage & 15) & 1 != 0 {
            let by = match self.options.projected_by.get(usize::from(stage)) {
                Some(&by @ 1..=2) => usize::from(by),
                _ => 3,
            };
            let w = one(&mut self.b, lanes[by]);
            let w = self.divisor(w);
            let xyz = gather(&mut self.b, Scalar::F32, &lanes[..3]);
            let w = self.b.opaque(w, 1);
            let w = self.b.splat(w, 3);
            let divided = self.b.bin(BinaryOperator::Divide, xyz, w);
            for (i, lane) in lanes.iter_mut().take(3).enumerate() {
                *lane = Value::new(divided, 3).lane(i);
            }
        }
        let texel = self.sample_stage(stage, SamplerKind::D2, &lanes[..3]);
        self.write_color(instruction, texel)
    }

    /// `texcoord t#`: the coordinates as a colour, clamped, with alpha 1.
    fn texcoord(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let set = instruction.dst.map_or(0, |dst| dst.register.index);
        let lanes = self.inputs.coordinates[usize::from(set & 7)];
        let xyz = gather(&mut self.b, Scalar::F32, &lanes[..3]);
        let xyz = self.b.math1(MathFunction::Saturate, xyz);
        let one = self.b.lit(1.0);
        let color = self.b.compose(4, vec![xyz, one]);
        self.write_color(instruction, color)
    }

    /// Coordinates of ps_1_4 `texld` and `texcrd`, divided as `_dz` and `_dw` ask.
    fn coordinates14(&mut self, src: &Src) -> Result<[Lane; 4], Error> {
        let modifier = src.modifier;
        let lanes = self.register(src.register, None)?;
        let lanes = XYZW.map(|i| lanes[usize::from(src.swizzle.lane(i))]);
        let divisor = match modifier {
            SrcModifier::Dz => lanes[2],
            SrcModifier::Dw => lanes[3],
            SrcModifier::None => return Ok(lanes),
            // No other has a meaning that is documented for coordinates; these are the others'.
            _ => {
                let value = self.source(src, &XYZW)?;
                return Ok([0, 1, 2, 3].map(|i| value.lane(i)));
            }
        };
        let divisor = one(&mut self.b, divisor);
        let reciprocal = self.b.call(Helper::Rcp, &[divisor]);
        let reciprocal = self.b.splat(reciprocal, 3);
        let xyz = gather(&mut self.b, Scalar::F32, &lanes[..3]);
        let nothing = Known::Nothing;
        let divided = self.b.mul(3, (xyz, nothing), (reciprocal, nothing));
        // Documented for both modifiers: 1 where the divisor is 0.
        let zero = self.b.lit(0.0);
        let by_zero = self.b.bin(BinaryOperator::Equal, divisor, zero);
        let ones = self.b.lit_n(1.0, 3);
        let by_zero = self.b.splat(by_zero, 3);
        let divided = self.b.select(by_zero, ones, divided);
        let value = Value::new(divided, 3);
        Ok([value.lane(0), value.lane(1), value.lane(2), lanes[3]])
    }

    /// ps_1_4 `texcrd`: coordinates as they are.
    fn texcrd(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let lanes = self.coordinates14(&instruction.srcs()[0])?;
        let Some(dst) = instruction.dst else {
            return Err(self.unsupported("it has no destination"));
        };
        let (components, n) = components_of(dst.mask);
        if n == 0 {
            return Ok(());
        }
        let picked = components.map(|component| lanes[component]);
        let value = gather(&mut self.b, Scalar::F32, &picked[..n]);
        self.write(instruction, Value::new(value, n))
    }

    /// ps_1_4 `texld`: the texture of the destination's number.
    fn texld14(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let lanes = self.coordinates14(&instruction.srcs()[0])?;
        let stage = instruction.dst.map_or(0, |dst| dst.register.index);
        let texel = self.sample_stage(stage, SamplerKind::D2, &lanes[..3]);
        self.write_color(instruction, texel)
    }
}
