//! Texture instructions: which operation each is, and the sources it does not name.

use super::operand::destination_index;
use super::survey::Survey;
use crate::op::{MAX_OPERANDS, Mode, Place, Rows, Src, Texture};
use crate::options::Options;
use ninefold_bytecode::{Instruction, Opcode, RegisterKind, SamplerKind};

pub(super) fn of(instruction: &Instruction, survey: &Survey, options: &Options) -> Texture {
    let stage = destination_index(instruction);
    match instruction.op {
        Opcode::TexCoord => Texture::Coordinate,
        Opcode::TexBem | Opcode::TexBemL => Texture::Bump {
            stage,
            luminance: instruction.op == Opcode::TexBemL,
        },
        Opcode::TexM3x2Pad | Opcode::TexM3x3Pad => Texture::Row { stage },
        Opcode::TexM3x2Tex => rows(stage, Rows::Sample2),
        Opcode::TexM3x2Depth => rows(stage, Rows::Depth),
        Opcode::TexM3x3 => rows(stage, Rows::Vector),
        Opcode::TexM3x3Tex => rows(stage, Rows::Sample3),
        Opcode::TexM3x3Spec => rows(stage, Rows::Reflect),
        Opcode::TexM3x3VSpec => rows(stage, Rows::ReflectCoordinates),
        Opcode::TexDp3 | Opcode::TexDp3Tex => Texture::Dot {
            stage,
            sample: instruction.op == Opcode::TexDp3Tex,
        },
        Opcode::TexDepth => Texture::Depth,
        _ if survey.version.major == 1 => {
            let projected = options.projected.get(usize::from(stage));
            let by = projected.copied().unwrap_or(0);
            let projects = instruction.op == Opcode::Tex && survey.has_texture_temps();
            Texture::Sample {
                sampler: stage,
                kind: SamplerKind::Unknown,
                mode: match by {
                    1..=3 if projects => Mode::Project(by),
                    _ => Mode::Plain,
                },
                swizzle: [0, 1, 2, 3],
            }
        }
        _ => sample(instruction, survey),
    }
}

fn rows(stage: u8, then: Rows) -> Texture {
    Texture::Rows { stage, then }
}

/// A sample of model 2 and up, which names its sampler.
fn sample(instruction: &Instruction, survey: &Survey) -> Texture {
    let sampler = instruction.srcs().get(1);
    let register = sampler.map_or(0, |src| src.register.index);
    Texture::Sample {
        sampler: register as u8,
        kind: survey.sampler_kind(register),
        mode: match (instruction.op, instruction.controls) {
            (Opcode::TexLdl, _) => Mode::Level,
            (Opcode::TexLdd, _) => Mode::Gradients,
            (_, 1) => Mode::Project(3),
            (_, 2) => Mode::Bias,
            _ => Mode::Plain,
        },
        swizzle: sampler.map_or([0, 1, 2, 3], |src| src.swizzle.lanes()),
    }
}

impl Survey {
    /// Puts the sources of a texture operation where the operation wants them.
    pub(super) fn texture_sources(
        &self,
        texture: Texture,
        instruction: &Instruction,
        srcs: &mut [Src; MAX_OPERANDS],
    ) {
        let stage = u16::from(destination_index(instruction));
        let coordinates = |stage: u16| Src::of(Place::Register(self.coordinates(stage)));
        match texture {
            Texture::Sample { .. } if self.version.major > 1 => {
                // The sampler operand is in the operation itself.
                srcs[1] = srcs[2];
                srcs[2] = srcs[3];
            }
            Texture::Sample { .. } => match instruction.op {
                Opcode::TexReg2Ar => rearrange(&mut srcs[0], [3, 0, 0, 0]),
                Opcode::TexReg2Gb => rearrange(&mut srcs[0], [1, 2, 2, 2]),
                Opcode::Tex if self.has_texture_temps() => srcs[0] = coordinates(stage),
                _ => {}
            },
            Texture::Coordinate => srcs[0] = coordinates(stage),
            Texture::Bump { .. } | Texture::Row { .. } | Texture::Dot { .. } => {
                srcs[1] = coordinates(stage);
            }
            Texture::Rows { then, .. } => {
                let named = srcs[1];
                srcs[1] = coordinates(stage);
                srcs[2] = named;
                if then == Rows::ReflectCoordinates {
                    for (row, src) in (0..3).zip(&mut srcs[2..]) {
                        let mut eye = coordinates((stage + row).saturating_sub(2));
                        eye.swizzle = [3; 4];
                        *src = eye;
                    }
                }
            }
            Texture::Depth => {
                let r5 = self.register(RegisterKind::Temp, destination_index(instruction).into());
                srcs[0] = Src::of(Place::Register(r5));
            }
        }
    }
}

/// Reads the components `order` of what the source's own swizzle gives.
fn rearrange(src: &mut Src, order: [usize; 4]) {
    src.swizzle = order.map(|lane| src.swizzle[lane]);
}
