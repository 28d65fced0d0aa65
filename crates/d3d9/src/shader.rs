//! Shaders and their constants.

use ninefold_bytecode::{ContentKey, ShaderCode, Stage};
use ninefold_renderer::ShaderId;

use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::handle::{PixelShaderHandle, RawHandle, Slots, VertexShaderHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::resolve::group;
use crate::stateblock::StateBlock;
use crate::stateblock_mask::Bits;

/// A vertex or pixel shader.
#[derive(Debug)]
pub(crate) struct Shader {
    pub(crate) id: ShaderId,
    /// Shader model: 1, 2 or 3.
    pub(crate) major: u8,
    pub(crate) key: ContentKey,
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

/// The constant registers of a stage: `N` float, 16 integer, 16 boolean.
#[derive(Clone, Debug)]
pub(crate) struct Registers<const N: usize> {
    pub(crate) floats: Box<[[f32; 4]]>,
    pub(crate) ints: [[i32; 4]; 16],
    pub(crate) bools: u16,
}

impl<const N: usize> Default for Registers<N> {
    fn default() -> Self {
        Self {
            floats: vec![[0.0; 4]; N].into(),
            ints: [[0; 4]; 16],
            bools: 0,
        }
    }
}

/// Which registers a state block holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RegisterMask {
    pub(crate) floats: Bits<4>,
    pub(crate) ints: u16,
    pub(crate) bools: u16,
}

impl RegisterMask {
    pub(crate) fn all(&mut self, floats: u32) {
        self.floats.set_range(0..floats);
        self.ints = u16::MAX;
        self.bools = u16::MAX;
    }
}

impl<const N: usize> Registers<N> {
    pub(crate) fn copy_masked(&mut self, mask: &RegisterMask, from: &Self) {
        for n in mask.floats.iter() {
            self.floats[n as usize] = from.floats[n as usize];
        }
        for n in (0..16).filter(|n| mask.ints >> n & 1 != 0) {
            self.ints[n] = from.ints[n];
        }
        self.bools = self.bools & !mask.bools | from.bools & mask.bools;
    }

    fn set_floats(&mut self, start: u32, values: &[[f32; 4]]) -> Outcome<bool> {
        let range = range(start, values.len(), N)?;
        let slots = &mut self.floats[range];
        // Bits are compared, so that a NaN set twice is not a change.
        if bytemuck::cast_slice::<_, u8>(slots) == bytemuck::cast_slice::<_, u8>(values) {
            return Ok(false);
        }
        slots.copy_from_slice(values);
        Ok(true)
    }

    fn set_ints(&mut self, start: u32, values: &[[i32; 4]]) -> Outcome<bool> {
        let range = range(start, values.len(), 16)?;
        let slots = &mut self.ints[range];
        if slots == values {
            return Ok(false);
        }
        slots.copy_from_slice(values);
        Ok(true)
    }

    fn set_bools(&mut self, start: u32, values: &[bool]) -> Outcome<bool> {
        let range = range(start, values.len(), 16)?;
        let mut bools = self.bools;
        for (n, value) in range.zip(values) {
            bools = bools & !(1 << n) | u16::from(*value) << n;
        }
        Ok(core::mem::replace(&mut self.bools, bools) != bools)
    }
}

fn range(start: u32, count: usize, limit: usize) -> Outcome<core::ops::Range<usize>> {
    let start = start as usize;
    if start > limit || count > limit - start {
        invalid!(
            "registers {start} to {}: only 0 to {} exist",
            start + count,
            limit - 1
        );
    }
    Ok(start..start + count)
}

macro_rules! constants {
    ($($set:ident, $get:ident, $file:ident, $group:expr, $put:ident, $value:ty, $reg:literal, $limit:literal,
        $mark:expr, $read:expr;)*) => {$(
        #[doc = concat!("Sets ", $reg, " registers, 0 to ", $limit, ".")]
        ///
        /// # Errors
        /// `D3DERR_INVALIDCALL` for registers past the last.
        pub fn $set(&mut self, start: u32, values: &[$value]) -> Result<()> {
            self.recorded(|r, x| r.$set(x, start, values), |d| {
                match &mut d.recording {
                    Some(block) => {
                        block.values.$file.$put(start, values)?;
                        let mark: fn(&mut RegisterMask, u32) = $mark;
                        for n in start..start + values.len() as u32 {
                            mark(&mut block.mask.$file, n);
                        }
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

        #[doc = concat!("Reads ", $reg, " registers, 0 to ", $limit, ".")]
        ///
        /// # Errors
        /// `D3DERR_INVALIDCALL` for registers past the last.
        pub fn $get(&mut self, start: u32, values: &mut [$value]) -> Result<()> {
            self.call(|d| {
                let range = range(start, values.len(), $limit + 1)?;
                for (n, value) in range.zip(values) {
                    *value = $read(&d.state.$file, n);
                }
                Ok(())
            })
        }
    )*};
}

impl Device {
    /// `CreateVertexShader`: the token stream from its version to its end token.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a stream that does not read, or is a pixel shader's.
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
    pub fn create_pixel_shader(&mut self, tokens: &[u32]) -> Result<PixelShaderHandle> {
        self.recorded(
            |r, x| r.create_pixel_shader(x, tokens),
            |d| {
                let shader = d.make_shader(tokens, Stage::Pixel)?;
                Ok(PixelShaderHandle(d.pixel_shaders.insert(shader, 1, 0)))
            },
        )
    }

    fn make_shader(&mut self, tokens: &[u32], stage: Stage) -> Outcome<Shader> {
        let code = ShaderCode::parse(tokens).map_err(|e| Fault::invalid(format!("tokens: {e}")))?;
        if code.version().stage != stage {
            invalid!("tokens: {} is a shader of the other stage", code.version());
        }
        self.check_budget(&Tokens(code.tokens()), false)?;
        let id = self.renderer.register_shader(&code)?;
        Ok(Shader {
            id,
            major: code.version().major,
            key: code.key(),
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
        set_vertex_shader_constant_f, get_vertex_shader_constant_f, vs, group::VS_FLOATS, set_floats, [f32; 4],
            "vertex float", 255, |m, n| m.floats.set(n), |r: &Registers<256>, n: usize| r.floats[n];
        set_vertex_shader_constant_i, get_vertex_shader_constant_i, vs, group::VERTEX_EXTRAS, set_ints, [i32; 4],
            "vertex integer", 15, |m, n| m.ints |= 1 << n, |r: &Registers<256>, n: usize| r.ints[n];
        set_vertex_shader_constant_b, get_vertex_shader_constant_b, vs, group::VERTEX_EXTRAS, set_bools, bool,
            "vertex boolean", 15, |m, n| m.bools |= 1 << n, |r: &Registers<256>, n: usize| r.bools >> n & 1 != 0;
        set_pixel_shader_constant_f, get_pixel_shader_constant_f, ps, group::PS_FLOATS, set_floats, [f32; 4],
            "pixel float", 223, |m, n| m.floats.set(n), |r: &Registers<224>, n: usize| r.floats[n];
        set_pixel_shader_constant_i, get_pixel_shader_constant_i, ps, group::PIXEL_EXTRAS, set_ints, [i32; 4],
            "pixel integer", 15, |m, n| m.ints |= 1 << n, |r: &Registers<224>, n: usize| r.ints[n];
        set_pixel_shader_constant_b, get_pixel_shader_constant_b, ps, group::PIXEL_EXTRAS, set_bools, bool,
            "pixel boolean", 15, |m, n| m.bools |= 1 << n, |r: &Registers<224>, n: usize| r.bools >> n & 1 != 0;
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
