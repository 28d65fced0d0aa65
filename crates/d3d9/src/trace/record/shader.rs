//! Shaders and their constants.

use ninefold_bytecode::{ShaderCode, disassemble};

use super::super::write::{Function, Values};
use super::objects::{Traced, or_null};
use super::{Recorder, method, values};
use crate::handle::{PixelShaderHandle, VertexShaderHandle};
use crate::hresult::Result;

impl Recorder {
    fn shader(&mut self, result: Result<u64>, function: &'static Function, tokens: &[u32]) {
        self.creation(result, function, 2, |v| {
            v.repr(
                |v| people_tokens(v, tokens),
                |v| v.blob(bytemuck::cast_slice(tokens)),
            );
        });
    }

    pub(crate) fn create_vertex_shader(
        &mut self,
        result: &Result<VertexShaderHandle>,
        tokens: &[u32],
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateVertexShader",
            "pFunction",
            "ppShader"
        );
        self.shader(result.map(Traced::address), function, tokens);
    }

    pub(crate) fn create_pixel_shader(
        &mut self,
        result: &Result<PixelShaderHandle>,
        tokens: &[u32],
    ) {
        let function = method!(
            "IDirect3DDevice9::CreatePixelShader",
            "pFunction",
            "ppShader"
        );
        self.shader(result.map(Traced::address), function, tokens);
    }

    pub(crate) fn set_vertex_shader(
        &mut self,
        result: &Result<()>,
        shader: Option<VertexShaderHandle>,
    ) {
        let function = method!("IDirect3DDevice9::SetVertexShader", "pShader");
        self.device(result, function, |v| v.pointer(or_null(shader)));
    }

    pub(crate) fn get_vertex_shader(&mut self, result: &Result<Option<VertexShaderHandle>>) {
        let function = method!("IDirect3DDevice9::GetVertexShader", "ppShader");
        self.creation(result.map(or_null), function, 1, |_| {});
    }

    pub(crate) fn set_pixel_shader(
        &mut self,
        result: &Result<()>,
        shader: Option<PixelShaderHandle>,
    ) {
        let function = method!("IDirect3DDevice9::SetPixelShader", "pShader");
        self.device(result, function, |v| v.pointer(or_null(shader)));
    }

    pub(crate) fn get_pixel_shader(&mut self, result: &Result<Option<PixelShaderHandle>>) {
        let function = method!("IDirect3DDevice9::GetPixelShader", "ppShader");
        self.creation(result.map(or_null), function, 1, |_| {});
    }

    pub(crate) fn set_vertex_shader_constant_f(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[[f32; 4]],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetVertexShaderConstantF",
            "StartRegister",
            "pConstantData",
            "Vector4fCount"
        );
        self.device(result, function, |v| float_constants(v, start, values));
    }

    pub(crate) fn set_pixel_shader_constant_f(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[[f32; 4]],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetPixelShaderConstantF",
            "StartRegister",
            "pConstantData",
            "Vector4fCount"
        );
        self.device(result, function, |v| float_constants(v, start, values));
    }

    pub(crate) fn set_vertex_shader_constant_i(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[[i32; 4]],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetVertexShaderConstantI",
            "StartRegister",
            "pConstantData",
            "Vector4iCount"
        );
        self.device(result, function, |v| int_constants(v, start, values));
    }

    pub(crate) fn set_pixel_shader_constant_i(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[[i32; 4]],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetPixelShaderConstantI",
            "StartRegister",
            "pConstantData",
            "Vector4iCount"
        );
        self.device(result, function, |v| int_constants(v, start, values));
    }

    pub(crate) fn set_vertex_shader_constant_b(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[bool],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetVertexShaderConstantB",
            "StartRegister",
            "pConstantData",
            "BoolCount"
        );
        self.device(result, function, |v| bool_constants(v, start, values));
    }

    pub(crate) fn set_pixel_shader_constant_b(
        &mut self,
        result: &Result<()>,
        start: u32,
        values: &[bool],
    ) {
        let function = method!(
            "IDirect3DDevice9::SetPixelShaderConstantB",
            "StartRegister",
            "pConstantData",
            "BoolCount"
        );
        self.device(result, function, |v| bool_constants(v, start, values));
    }
}

fn float_constants(v: &mut Values<'_>, start: u32, registers: &[[f32; 4]]) {
    v.uint(start.into());
    values::constants(v, registers);
    v.uint(registers.len() as u64);
}

fn int_constants(v: &mut Values<'_>, start: u32, registers: &[[i32; 4]]) {
    v.uint(start.into());
    v.array(registers.as_flattened().iter(), |v, n| v.int((*n).into()));
    v.uint(registers.len() as u64);
}

fn bool_constants(v: &mut Values<'_>, start: u32, registers: &[bool]) {
    v.uint(start.into());
    v.array(registers.iter(), |v, b| values::boolean(v, *b));
    v.uint(registers.len() as u64);
}

/// What people see of a shader in a dump.
fn people_tokens(v: &mut Values<'_>, tokens: &[u32]) {
    match ShaderCode::parse(tokens) {
        Ok(code) => v.string(&disassemble(&code)),
        Err(error) => v.string(&error.to_string()),
    }
}
