//! Lowering of Shader Model 1 to 3 token streams.
//!
//! One pass over the instructions ([`scan`]) finds what is declared, read and
//! written; a second lowers them. Registers are expressions (see [`registers`]);
//! where blocks join they go through local variables.

mod arith;
mod flow;
mod inputs;
mod outputs;
mod registers;
mod scan;
mod source;
mod texture;
mod texture1;

use crate::build::{Builder, Sampled};
use crate::limits::MAX_INLINED;
use crate::reflection::SamplerUse;
use crate::sampling::{SamplerRules, texels};
use crate::translation::entry_name;
use crate::{Error, Options, Reflection, Stage, Translation};
use inputs::Inputs;
use naga::ShaderStage;
use ninefold_bytecode::{Instruction, Opcode, ShaderCode, Version};
use registers::{Lane, Locals, Registers, Slot};
use scan::Scan;
use std::sync::Arc;

/// Translates a token stream of Shader Model 1 to 3 to a validated naga module.
///
/// # What a module expects: the binding ABI
///
/// **Group 0** is four uniform buffers with dynamic offsets ([`abi`](crate::abi) has the
/// numbers and the structs). A module declares only those it reads; a pipeline layout
/// always has all four.
///
/// | binding | stage | contents | bytes |
/// |---|---|---|---|
/// | 0 | vertex | `array<vec4<f32>, 256>`: float constants, packed | 4096 |
/// | 1 | fragment | `array<vec4<f32>, 224>`: float constants, packed | 3584 |
/// | 2 | vertex | [`VertexExtras`](crate::abi::VertexExtras) | 448 |
/// | 3 | fragment | [`PixelExtras`](crate::abi::PixelExtras) | 720 |
///
/// *Packed* means: the registers in [`Reflection::float_ranges`], one after the other from
/// the start of the buffer ([`Reflection::pack_floats`] does it). Constants that the shader
/// defines (`def`) are part of the module and not uploaded. A shader that indexes the file
/// at run time (`c[a0.x + n]`) has one range, the whole file from `c0`, and there the
/// defined constants must lie at their places too; an index outside the file reads zero.
/// Integer and boolean constants lie in the extras blocks at their own numbers.
///
/// **Group 2** is for functions whose [`Reflection::large`] is not empty: a read-only storage buffer
/// for each stage, binding 0 for the vertex and 1 for the pixel function, an
/// `array<vec4<u32>, n>` of [`Reflection::large_rows`] rows. Shaders for software vertex
/// processing have them, whose float file is 8,192 registers and whose integers and booleans
/// are 2,048 each.
///
/// **Group 1** is textures and samplers: pixel sampler `s` (0-15) is texture binding `2s` and
/// sampler binding `2s + 1`; vertex sampler `k` (0-3) is `32 + 2k` and `33 + 2k`. Only those in
/// [`Reflection::samplers`] are declared, with the kinds stated there. All are filterable
/// float textures.
///
/// **Vertex attributes**: `@location(i)` is attribute `i` of [`Reflection::attributes`], a
/// `vec4<f32>`; with its bit set in [`Options::uint_attributes`] or
/// [`Options::sint_attributes`] a `vec4<u32>` or `vec4<i32>`. A stream without `dcl` (as
/// Direct3D 8 made them) has the usages of Direct3D 8's fixed input registers.
///
/// **Varyings** are `vec4<f32>` at [`varying_location`](crate::abi::varying_location), the
/// same location for the same semantic in every shader, perspective-correct from pixel
/// centres; COLOR0 and COLOR1 are flat with [`Options::flat_shading`]. FOG0 has the factor in
/// all components. Other semantics of Shader Model 3 lie at locations 11-20, by the pixel
/// function's registers: its [`Reflection::link`] is the vertex function's [`Options::link`]. A vertex function writes those of [`Reflection::outputs_mask`], and a
/// pixel function declares those of [`Reflection::inputs_mask`] that are not in
/// [`Options::missing_inputs`].
///
/// **Results**: position in Direct3D's clip space (`0 <= z <= w`, y up, no half-pixel offset:
/// the viewport shifts), colours at locations 0-3, depth when `oDepth` is written. Alpha test
/// on the unfogged alpha of colour 0 and fog (not for ps_3_0) are part of the function.
/// Attribute and colour outputs and the fog factor of vs_1_x and vs_2_x are clamped to 0-1.
///
/// **Entry point**: `vs_` or `fs_` and 16 hex digits of FNV-1a 64 over the stage, the tokens
/// without comments, and the options that matter to the stage and version; equal names are
/// equal functions.
///
/// # Errors
/// [`Error::Unsupported`] names an instruction that is not lowered, [`Error::Bounds`] what there is
/// too much of, [`Error::TooLarge`] a function whose calls inline to too much.
/// [`Error::Invalid`] would be a fault of this crate.
pub fn translate(code: &ShaderCode, options: &Options) -> Result<Translation, Error> {
    let scan = Scan::new(code);
    if options.uniforms_only {
        check_bounds(code.version(), &scan)?;
    }
    let mut lowerer = Lowerer::new(code, options, scan);
    lowerer.program()?;
    lowerer.finish()
}

/// [`translate`] for a caller who knows which stage it must be.
///
/// # Errors
/// [`Error::StageMismatch`] when `code` is a shader of the other stage, and those of
/// [`translate`].
pub fn translate_stage(
    expected: Stage,
    code: &ShaderCode,
    options: &Options,
) -> Result<Translation, Error> {
    let found = code.version().stage;
    if found != expected {
        return Err(Error::StageMismatch { expected, found });
    }
    translate(code, options)
}

/// Whether everything lies in the windows of group 0.
fn check_bounds(version: Version, scan: &Scan) -> Result<(), Error> {
    let bound = |what, count, limit| match count > limit {
        true => Err(Error::Bounds { what, count, limit }),
        false => Ok(()),
    };
    let capacity = match version.stage {
        Stage::Vertex => crate::abi::VERTEX_CONSTANT_COUNT,
        Stage::Pixel => crate::abi::PIXEL_CONSTANT_COUNT,
    };
    bound("float constants", scan.packed, capacity)?;
    let wide = scan.large.ints.len() + scan.large.bools.len();
    bound(
        "integer and boolean constants past the sixteenth",
        wide as u32,
        0,
    )
}

/// A write that waits for the other half of a co-issued pair.
struct Held {
    slot: Slot,
    component: usize,
    lane: Lane,
}

/// The second pass.
struct Lowerer<'a> {
    b: Builder,
    code: &'a ShaderCode,
    version: Version,
    options: Options,
    scan: Scan,
    reflection: Reflection,
    registers: Registers,
    locals: Locals,
    inputs: Inputs,
    samplers: [Option<Sampled>; 20],
    /// [`Options::zero_color`] may make a difference.
    partial_color: bool,
    /// The instruction being lowered.
    at: Option<Instruction>,
    /// Writes of the first half of a co-issued pair; `None` outside a pair.
    held: Option<Vec<Held>>,
    frames: Vec<flow::Frame>,
    /// The whole program, when it has calls.
    program: Arc<[Instruction]>,
    lowered: u32,
    /// The instruction being lowered computes with literals alone.
    only_literals: bool,
    /// Rows of a ps_1_x texture matrix so far.
    matrix_rows: Vec<Lane>,
}

impl<'a> Lowerer<'a> {
    fn new(code: &'a ShaderCode, options: &Options, scan: Scan) -> Self {
        let version = code.version();
        let mut b = Builder::new(options.float_rules);
        let mut registers = Registers::new(&mut b);
        if version.stage == Stage::Vertex && version.major < 3 && !options.zero_color {
            registers.start_white(&mut b, registers::COLOR);
        }
        let mut reflection = Reflection::new(version.stage);
        reflection.float_ranges.clone_from(&scan.ranges);
        reflection.packed_floats = scan.ranges.iter().map(|range| range.count).sum();
        reflection.defs.clone_from(&scan.defs);
        reflection.uses_relative = scan.relative;
        reflection.large.clone_from(&scan.large);
        b.large_rows = reflection.large_rows() as u32;
        let program = match scan.calls {
            true => code.instructions().collect(),
            false => Arc::default(),
        };
        let mut lowerer = Self {
            b,
            code,
            version,
            options: *options,
            reflection,
            registers,
            locals: Locals::new(),
            inputs: Inputs::default(),
            samplers: [None; 20],
            partial_color: false,
            at: None,
            held: None,
            frames: Vec::new(),
            program,
            lowered: 0,
            only_literals: false,
            matrix_rows: Vec::new(),
            scan,
        };
        lowerer.declare_inputs();
        lowerer
    }

    fn program(&mut self) -> Result<(), Error> {
        let code = self.code;
        self.open_body();
        self.run(code.instructions())?;
        self.close_body()
    }

    /// Lowers instructions up to the `ret` or `label` that ends them.
    fn run(&mut self, instructions: impl Iterator<Item = Instruction>) -> Result<(), Error> {
        let depth = self.frames.len();
        let mut instructions = instructions.peekable();
        while let Some(instruction) = instructions.next() {
            self.at = Some(instruction);
            match instruction.op {
                Opcode::Ret if self.frames.len() == depth => break,
                Opcode::Label => break,
                _ => {}
            }
            self.lowered += 1;
            if self.lowered > MAX_INLINED {
                return Err(Error::TooLarge {
                    stage: self.version.stage,
                    limit: MAX_INLINED,
                });
            }
            let leads_pair = instructions.peek().is_some_and(|next| next.coissue);
            if leads_pair && self.held.is_none() {
                self.held = Some(Vec::new());
            }
            self.only_literals = self.computes_with_literals(&instruction);
            self.instruction(&instruction)?;
            if !leads_pair && let Some(held) = self.held.take() {
                for Held {
                    slot,
                    component,
                    lane,
                } in held
                {
                    self.registers.set(slot, component, lane);
                }
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Error> {
        use Opcode as O;
        match instruction.op {
            O::Nop | O::Phase | O::Dcl | O::Def | O::DefI | O::DefB => Ok(()),
            O::Call
            | O::Callnz
            | O::Loop
            | O::EndLoop
            | O::Rep
            | O::EndRep
            | O::If
            | O::Ifc
            | O::Else
            | O::EndIf
            | O::Break
            | O::Breakc
            | O::Breakp
            | O::Ret
            | O::Label => self.flow(instruction),
            O::Tex | O::TexLdd | O::TexLdl | O::TexKill | O::TexCoord => self.texture(instruction),
            O::TexBem
            | O::TexBemL
            | O::TexReg2Ar
            | O::TexReg2Gb
            | O::TexReg2Rgb
            | O::TexM3x2Pad
            | O::TexM3x2Tex
            | O::TexM3x2Depth
            | O::TexM3x3Pad
            | O::TexM3x3Tex
            | O::TexM3x3Spec
            | O::TexM3x3VSpec
            | O::TexM3x3
            | O::TexDp3Tex
            | O::TexDp3
            | O::TexDepth => self.texture_address(instruction),
            _ => self.arithmetic(instruction),
        }
    }

    /// The error for an instruction, or a form of one, that is not lowered.
    #[cold]
    fn unsupported(&self, reason: &str) -> Error {
        let reason = match reason {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        let (instruction, number, byte_offset) = match self.at {
            Some(at) => (self.text(&at), at.number, at.byte_offset),
            None => (self.version.to_string(), 0, 0),
        };
        Error::Unsupported {
            instruction,
            number,
            byte_offset,
            reason,
        }
    }

    /// An instruction as the disassembler prints it.
    fn text(&self, instruction: &Instruction) -> String {
        let name = instruction.op.name(self.version);
        let all = ninefold_bytecode::disassemble(self.code);
        all.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .nth(instruction.number as usize + 1)
            .filter(|line| line.contains(name))
            .unwrap_or(name)
            .to_owned()
    }

    /// The texture and sampler of sampler register `register` of this stage.
    fn sampler(&mut self, register: u32, kind: crate::SamplerKind) -> Sampled {
        let slot = match self.version.stage {
            Stage::Pixel => register,
            Stage::Vertex => crate::abi::vertex_sampler_slot(register),
        };
        if let Some(sampled) = self.samplers[slot as usize] {
            return sampled;
        }
        let rules = self.options.samplers[register as usize & 15];
        let sampled = self.b.sampled(slot, kind, rules);
        self.samplers[slot as usize] = Some(sampled);
        sampled
    }

    fn finish(mut self) -> Result<Translation, Error> {
        let stage = match self.version.stage {
            Stage::Vertex => ShaderStage::Vertex,
            Stage::Pixel => ShaderStage::Fragment,
        };
        let first = match stage {
            ShaderStage::Vertex => crate::abi::PIXEL_SAMPLERS,
            _ => 0,
        };
        self.reflection.int_mask =
            self.scan.int_mask & !mask_of(self.scan.int_defs.map(|def| def.is_some()));
        self.reflection.bool_mask =
            self.scan.bool_mask & !mask_of(self.scan.bool_defs.map(|def| def.is_some()));
        self.reflection.samplers = (first..)
            .zip(self.samplers.iter().skip(first as usize))
            .filter_map(|(slot, sampled)| {
                let register = (slot - first) as u8;
                sampled.map(|sampled| SamplerUse {
                    register,
                    kind: sampled.kind,
                    compares: sampled.rules.texels == texels::COMPARE,
                })
            })
            .collect();
        let value = match stage {
            ShaderStage::Vertex => self.vertex_result(),
            _ => self.pixel_result(),
        };
        self.reflection.uses_extras = self.b.declares_extras();
        if self.scan.flow {
            self.b.allow_derivatives_anywhere();
        }
        let identity = self.identity();
        let module = self
            .b
            .entry_point(stage, entry_name(stage, identity), value);
        Translation::seal(module, identity, self.reflection)
    }

    /// The identity: tokens, and those options that made a difference.
    fn identity(&self) -> u64 {
        let reflection = &self.reflection;
        let mut options = self.options;
        let colors = 0b11 << crate::abi::COLOR_LOCATION;
        let attributes = (1u32 << reflection.attributes.len()) - 1;
        options.uint_attributes &= attributes as u16;
        options.sint_attributes &= attributes as u16;
        if self.version.major < 3 {
            options.link = crate::Link::default();
        }
        options.zero_color &= self.partial_color;
        options.flat_shading &= (reflection.inputs_mask | reflection.outputs_mask) & colors != 0;
        options.missing_inputs &= reflection.inputs_mask;
        options.point_sprite &= reflection.inputs_mask & inputs::TEXCOORDS != 0;
        for (stage, sampled) in self.samplers[..16].iter().enumerate() {
            options.sampler_kinds[stage] = sampled.map(|sampled| sampled.kind);
            if sampled.is_none() {
                options.projected &= !(1 << stage);
            }
        }
        let first = match self.version.stage {
            Stage::Pixel => 0,
            Stage::Vertex => crate::abi::PIXEL_SAMPLERS as usize,
        };
        let mut used = self.samplers[first..].iter();
        for rules in &mut options.samplers {
            *rules = match used.next() {
                Some(Some(sampled)) => sampled.rules,
                _ => SamplerRules::default(),
            };
        }
        let outputs = self.reflection.color_outputs;
        options.opaque_outputs &= outputs;
        options.srgb_outputs &= outputs;
        for (stage, by) in options.projected_by.iter_mut().enumerate() {
            if options.projected >> stage & 1 == 0 || !matches!(*by, 1..=2) {
                *by = 0;
            }
        }
        let hash = match self.version.stage {
            Stage::Vertex => self.scan.hash.bytes(&options.vertex_bytes()),
            Stage::Pixel => self
                .scan
                .hash
                .bytes(&options.pixel_bytes(self.version.major)),
        };
        hash.finish()
    }
}

fn mask_of(bits: [bool; 16]) -> u16 {
    bits.iter()
        .enumerate()
        .fold(0, |mask, (i, &bit)| mask | u16::from(bit) << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that the reader accepts is known to be beyond the lowering; if something is, its
    /// error says where it stands.
    #[test]
    fn an_unsupported_form_names_its_place() {
        let text = "ps_3_0\ndef c0, 1, 1, 1, 1\ndcl_color7 v0\nadd oC0, v0, c0\n";
        let code = ninefold_bytecode::assemble(text).expect("it assembles");
        let mut lowerer = Lowerer::new(&code, &Options::default(), Scan::new(&code));
        lowerer.at = code.instructions().nth(1);
        let error = lowerer.unsupported("why");
        let at = 4 * (1 + 6);
        assert_eq!(
            error.to_string(),
            format!("instruction 1 at byte offset {at:#x} is not supported: `dcl_color7 v0`: why")
        );
    }
}
