//! Shaders and their constants.

use ninefold_bytecode::{
    ContentKey, Payload, Register, RegisterKind, SamplerKind, ShaderCode, Stage, Usage,
};
use ninefold_renderer::{RadialFogMode, ShaderId};

use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::handle::{PixelShaderHandle, RawHandle, Slots, VertexShaderHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::processing::VertexProcessing;
use crate::registers::{ConstantCounts, Registers, range};
use crate::resolve::group;
use crate::stateblock::StateBlock;

/// A vertex or pixel shader.
#[derive(Debug)]
pub(crate) struct Shader {
    pub(crate) id: ShaderId,
    /// Shader model: 1, 2 or 3.
    pub(crate) major: u8,
    pub(crate) key: ContentKey,
    /// It writes oFog, or has an output of that usage.
    pub(crate) writes_fog: bool,
    /// Samplers declared as 2D and as volume ones, bit n for `s<n>`.
    pub(crate) declared: [u16; 2],
    /// The modes of radial fog that make a difference.
    pub(crate) radial: &'static [RadialFogMode],
    pub(crate) tokens: Box<[u32]>,
}

/// A shader that is not made yet.
struct Tokens<'a>(&'a [u32]);

impl Weigh for Tokens<'_> {
    fn bytes(&self) -> u64 {
        size_of_val(self.0) as u64
    }
}

impl Weigh for Shader {
    fn bytes(&self) -> u64 {
        Tokens(&self.tokens).bytes()
    }
}

macro_rules! constants {
    ($($set:ident, $get:ident, $file:ident, $group:expr, $put:ident, $kind:ident, $value:ty, $reg:literal, $read:expr;)*) => {$(
        #[doc = concat!("Sets ", $reg, " registers.")]
        ///
        /// # Errors
        /// `D3DERR_INVALIDCALL` for registers past the last, see [`ConstantCounts`].
        pub fn $set(&mut self, start: u32, values: &[$value]) -> Result<()> {
            self.recorded(|r, x| r.$set(x, start, values), |d| {
                match &mut d.recording {
                    Some(block) => {
                        block.values.$file.$put(start, values)?;
                        let end = start + values.len() as u32;
                        block.mask.$file.$kind.set_range(start..end);
                    }
                    None => {
                        if d.state.$file.$put(start, values)? {
                            d.resolved.touch_constants($group);
                        }
                    }
                }
                Ok(())
            })
        }

        #[doc = concat!("Reads ", $reg, " registers.")]
        ///
        /// # Errors
        /// `D3DERR_INVALIDCALL` for registers past the last, see [`ConstantCounts`].
        pub fn $get(&mut self, start: u32, values: &mut [$value]) -> Result<()> {
            self.call(|d| {
                let file = &d.state.$file;
                let range = range(start, values.len(), file.counts().$kind as usize)?;
                for (n, value) in range.zip(values) {
                    *value = $read(file, n);
                }
                Ok(())
            })
        }
    )*};
}

fn is_fog(register: &Register) -> bool {
    register.kind == RegisterKind::RastOut && register.index == 1
}

/// The samplers that a shader declares as 2D and as volume ones.
fn declared_samplers(code: &ShaderCode) -> [u16; 2] {
    let mut declared = [0; 2];
    for instruction in code.instructions() {
        let Payload::Dcl(declaration) = instruction.payload else {
            continue;
        };
        let register = instruction.dst.map_or(0, |dst| dst.register.index);
        match declaration.sampler_kind {
            Some(SamplerKind::D2) => declared[0] |= 1 << (register & 15),
            Some(SamplerKind::Volume) => declared[1] |= 1 << (register & 15),
            _ => {}
        }
    }
    declared
}

impl Device {
    /// `CreateVertexShader`: the token stream from its version to its end token.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a stream that does not read, or is a pixel shader's, and on devices
    /// that process vertices in hardware for `vs_2_sw`, `vs_3_sw` and registers past
    /// [`ConstantCounts::VERTEX`].
    pub fn create_vertex_shader(&mut self, tokens: &[u32]) -> Result<VertexShaderHandle> {
        self.recorded(
            |r, x| r.create_vertex_shader(x, tokens),
            |d| {
                let shader = d.make_shader(tokens, Stage::Vertex)?;
                Ok(VertexShaderHandle(d.vertex_shaders.insert(shader, 1, 0)))
            },
        )
    }

    /// `CreatePixelShader`: the token stream from its version to its end token.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a stream that does not read, or is a vertex shader's.
    ///
    /// A shader that is in the pack of [`DeviceSettings`](crate::DeviceSettings::shader_pack) is
    /// made of its replacement, which is then also what
    /// [`pixel_shader_get_function`](Self::pixel_shader_get_function) reads.
    pub fn create_pixel_shader(&mut self, tokens: &[u32]) -> Result<PixelShaderHandle> {
        self.recorded(
            |r, x| r.create_pixel_shader(x, tokens),
            |d| {
                let shader = match d.replaced(tokens) {
                    Some(shader) => shader,
                    None => d.make_shader(tokens, Stage::Pixel)?,
                };
                Ok(PixelShaderHandle(d.pixel_shaders.insert(shader, 1, 0)))
            },
        )
    }

    /// The shader that the pack has in place of `tokens`, when it has one that is good.
    fn replaced(&mut self, tokens: &[u32]) -> Option<Shader> {
        let entry = self.replacements.of(tokens)?;
        match self.make_shader(&entry.replacement, Stage::Pixel) {
            Ok(shader) => Some(shader),
            Err(fault) => {
                let (_, why) = fault.into_parts();
                tracing::warn!(
                    target: "ninefold::shader_mod",
                    original = %ContentKey::of(&entry.original),
                    why,
                    "bad replacement; using the original"
                );
                None
            }
        }
    }

    fn make_shader(&mut self, tokens: &[u32], stage: Stage) -> Outcome<Shader> {
        let code = ShaderCode::parse(tokens).map_err(|e| Fault::invalid(format!("tokens: {e}")))?;
        if code.version().stage != stage {
            invalid!("tokens: {} is a shader of the other stage", code.version());
        }
        if stage == Stage::Vertex && self.processing == VertexProcessing::Hardware {
            check_hardware(&code)?;
        }
        if stage == Stage::Pixel {
            check_inputs(&code)?;
        }
        self.check_budget(&Tokens(code.tokens()), false)?;
        let id = self.renderer.register_shader(&code)?;
        Ok(Shader {
            id,
            major: code.version().major,
            key: code.key(),
            writes_fog: code.instructions().any(|i| match i.payload {
                Payload::Dcl(declaration) => {
                    let output = i
                        .dst
                        .is_some_and(|d| d.register.kind == RegisterKind::Output);
                    output && declaration.usage == Usage::Fog
                }
                _ => i.dst.is_some_and(|d| is_fog(&d.register)),
            }),
            declared: declared_samplers(&code),
            radial: self.radial_fog.modes_of(&code),
            tokens: code.tokens().into(),
        })
    }

    /// `SetVertexShader`: `None` returns to the fixed function.
    pub fn set_vertex_shader(&mut self, shader: Option<VertexShaderHandle>) -> Result<()> {
        self.recorded(
            |r, x| r.set_vertex_shader(x, shader),
            |d| {
                let shader = shader.map(|h| h.0);
                let slot = match &mut d.recording {
                    Some(block) => {
                        block.mask.vertex_shader = true;
                        &mut block.values.vertex_shader
                    }
                    None => &mut d.state.vertex_shader,
                };
                if rebind(&mut d.vertex_shaders, slot, shader)? && d.recording.is_none() {
                    d.resolved.touch_vertex_shader();
                }
                Ok(())
            },
        )
    }

    /// `SetPixelShader`: `None` returns to the fixed function.
    pub fn set_pixel_shader(&mut self, shader: Option<PixelShaderHandle>) -> Result<()> {
        self.recorded(
            |r, x| r.set_pixel_shader(x, shader),
            |d| {
                let shader = shader.map(|h| h.0);
                let slot = match &mut d.recording {
                    Some(block) => {
                        block.mask.pixel_shader = true;
                        &mut block.values.pixel_shader
                    }
                    None => &mut d.state.pixel_shader,
                };
                if rebind(&mut d.pixel_shaders, slot, shader)? && d.recording.is_none() {
                    d.resolved.touch(group::PIXEL | group::VERTEX);
                }
                Ok(())
            },
        )
    }

    /// `GetVertexShader`: adds a reference.
    pub fn get_vertex_shader(&mut self) -> Result<Option<VertexShaderHandle>> {
        self.recorded(
            |r, x| r.get_vertex_shader(x),
            |d| {
                Ok(d.state.vertex_shader.map(|handle| {
                    d.vertex_shaders.add_ref(handle);
                    VertexShaderHandle(handle)
                }))
            },
        )
    }

    /// `GetPixelShader`: adds a reference.
    pub fn get_pixel_shader(&mut self) -> Result<Option<PixelShaderHandle>> {
        self.recorded(
            |r, x| r.get_pixel_shader(x),
            |d| {
                Ok(d.state.pixel_shader.map(|handle| {
                    d.pixel_shaders.add_ref(handle);
                    PixelShaderHandle(handle)
                }))
            },
        )
    }

    /// `IDirect3DVertexShader9::GetFunction`.
    pub fn vertex_shader_get_function(&mut self, shader: VertexShaderHandle) -> Result<&[u32]> {
        self.vertex_shaders
            .get(shader.0)
            .map(|s| &*s.tokens)
            .ok_or(HResult::INVALIDCALL)
    }

    /// `IDirect3DPixelShader9::GetFunction`.
    pub fn pixel_shader_get_function(&mut self, shader: PixelShaderHandle) -> Result<&[u32]> {
        self.pixel_shaders
            .get(shader.0)
            .map(|s| &*s.tokens)
            .ok_or(HResult::INVALIDCALL)
    }

    constants! {
        set_vertex_shader_constant_f, get_vertex_shader_constant_f, vs, group::VS_FLOATS, set_floats, floats,
            [f32; 4], "vertex float", |r: &Registers, n: usize| r.floats[n];
        set_vertex_shader_constant_i, get_vertex_shader_constant_i, vs, group::VERTEX_EXTRAS, set_ints, ints,
            [i32; 4], "vertex integer", |r: &Registers, n: usize| r.ints[n];
        set_vertex_shader_constant_b, get_vertex_shader_constant_b, vs, group::VERTEX_EXTRAS, set_bools, bools,
            bool, "vertex boolean", Registers::bool;
        set_pixel_shader_constant_f, get_pixel_shader_constant_f, ps, group::PS_FLOATS, set_floats, floats,
            [f32; 4], "pixel float", |r: &Registers, n: usize| r.floats[n];
        set_pixel_shader_constant_i, get_pixel_shader_constant_i, ps, group::PIXEL_EXTRAS, set_ints, ints,
            [i32; 4], "pixel integer", |r: &Registers, n: usize| r.ints[n];
        set_pixel_shader_constant_b, get_pixel_shader_constant_b, ps, group::PIXEL_EXTRAS, set_bools, bools,
            bool, "pixel boolean", Registers::bool;
    }

    /// The constant registers that vertex shaders have on this device.
    pub fn vertex_constant_counts(&self) -> ConstantCounts {
        self.state.vs.counts()
    }

    /// Sets the constants that a state block holds.
    pub(crate) fn apply_registers(&mut self, block: &StateBlock) {
        self.state.vs.copy_masked(&block.mask.vs, &block.values.vs);
        self.state.ps.copy_masked(&block.mask.ps, &block.values.ps);
        for group in [
            group::VS_FLOATS,
            group::PS_FLOATS,
            group::VERTEX_EXTRAS,
            group::PIXEL_EXTRAS,
        ] {
            self.resolved.touch_constants(group);
        }
    }
}

/// Refuses what no pixel shader may read: the position is for the rasteriser.
fn check_inputs(code: &ShaderCode) -> Outcome<()> {
    for instruction in code.instructions() {
        if let Payload::Dcl(declaration) = instruction.payload
            && code.version().major >= 3
            && instruction
                .dst
                .is_some_and(|d| d.register.kind == RegisterKind::Input)
            && (declaration.usage, declaration.usage_index) == (Usage::Position, 0)
        {
            invalid!(
                "tokens: an input of usage POSITION0 at byte {}",
                instruction.byte_offset
            );
        }
    }
    Ok(())
}

/// Refuses a vertex shader that only software can run.
fn check_hardware(code: &ShaderCode) -> Outcome<()> {
    if code.version().is_software() {
        invalid!(
            "tokens: {} is for software vertex processing",
            code.version()
        );
    }
    let counts = ConstantCounts::VERTEX;
    for instruction in code.instructions() {
        let dst = instruction.dst.iter().map(|dst| dst.register);
        let srcs = instruction.srcs().iter().map(|src| src.register);
        for register in dst.chain(srcs) {
            let count = match register.kind {
                RegisterKind::Const => counts.floats,
                RegisterKind::ConstInt => counts.ints,
                RegisterKind::ConstBool => counts.bools,
                _ => continue,
            };
            if u32::from(register.index) >= count {
                invalid!(
                    "tokens: register {} at byte {}, hardware has {count} of its kind",
                    register.index,
                    instruction.byte_offset
                );
            }
        }
    }
    Ok(())
}

/// Puts a shader in a slot, moving the references; whether it changed.
fn rebind(
    slots: &mut Slots<Shader>,
    slot: &mut Option<RawHandle>,
    shader: Option<RawHandle>,
) -> Outcome<bool> {
    if let Some(handle) = shader
        && slots.get(handle).is_none()
    {
        return Err(stale("shader"));
    }
    if *slot == shader {
        return Ok(false);
    }
    if let Some(handle) = shader {
        slots.hold(handle);
    }
    if let Some(old) = core::mem::replace(slot, shader) {
        slots.unhold(old);
    }
    Ok(true)
}
