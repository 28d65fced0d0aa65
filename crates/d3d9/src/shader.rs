//! Shaders and their constants.

use crate::device::Device;
use crate::handle::{PixelShaderHandle, VertexShaderHandle};
use crate::hresult::Result;

impl Device {
    /// `CreateVertexShader`: the token stream from its version to its end token.
    pub fn create_vertex_shader(&mut self, tokens: &[u32]) -> Result<VertexShaderHandle> {
        todo!()
    }

    /// `SetVertexShader`: `None` returns to the fixed function.
    pub fn set_vertex_shader(&mut self, shader: Option<VertexShaderHandle>) -> Result<()> {
        todo!()
    }

    /// `GetVertexShader`: adds a reference.
    pub fn get_vertex_shader(&mut self) -> Result<Option<VertexShaderHandle>> {
        todo!()
    }

    /// `IDirect3DVertexShader9::GetFunction`.
    pub fn vertex_shader_get_function(&mut self, shader: VertexShaderHandle) -> Result<&[u32]> {
        todo!()
    }

    /// `SetVertexShaderConstantF`: c0 to c255.
    pub fn set_vertex_shader_constant_f(&mut self, start: u32, values: &[[f32; 4]]) -> Result<()> {
        todo!()
    }

    /// `GetVertexShaderConstantF`.
    pub fn get_vertex_shader_constant_f(
        &mut self,
        start: u32,
        values: &mut [[f32; 4]],
    ) -> Result<()> {
        todo!()
    }

    /// `SetVertexShaderConstantI`: i0 to i15.
    pub fn set_vertex_shader_constant_i(&mut self, start: u32, values: &[[i32; 4]]) -> Result<()> {
        todo!()
    }

    /// `GetVertexShaderConstantI`.
    pub fn get_vertex_shader_constant_i(
        &mut self,
        start: u32,
        values: &mut [[i32; 4]],
    ) -> Result<()> {
        todo!()
    }

    /// `SetVertexShaderConstantB`: b0 to b15.
    pub fn set_vertex_shader_constant_b(&mut self, start: u32, values: &[bool]) -> Result<()> {
        todo!()
    }

    /// `GetVertexShaderConstantB`.
    pub fn get_vertex_shader_constant_b(&mut self, start: u32, values: &mut [bool]) -> Result<()> {
        todo!()
    }

    /// `CreatePixelShader`: the token stream from its version to its end token.
    pub fn create_pixel_shader(&mut self, tokens: &[u32]) -> Result<PixelShaderHandle> {
        todo!()
    }

    /// `SetPixelShader`: `None` returns to the fixed function.
    pub fn set_pixel_shader(&mut self, shader: Option<PixelShaderHandle>) -> Result<()> {
        todo!()
    }

    /// `GetPixelShader`: adds a reference.
    pub fn get_pixel_shader(&mut self) -> Result<Option<PixelShaderHandle>> {
        todo!()
    }

    /// `IDirect3DPixelShader9::GetFunction`.
    pub fn pixel_shader_get_function(&mut self, shader: PixelShaderHandle) -> Result<&[u32]> {
        todo!()
    }

    /// `SetPixelShaderConstantF`: c0 to c223.
    pub fn set_pixel_shader_constant_f(&mut self, start: u32, values: &[[f32; 4]]) -> Result<()> {
        todo!()
    }

    /// `GetPixelShaderConstantF`.
    pub fn get_pixel_shader_constant_f(
        &mut self,
        start: u32,
        values: &mut [[f32; 4]],
    ) -> Result<()> {
        todo!()
    }

    /// `SetPixelShaderConstantI`: i0 to i15.
    pub fn set_pixel_shader_constant_i(&mut self, start: u32, values: &[[i32; 4]]) -> Result<()> {
        todo!()
    }

    /// `GetPixelShaderConstantI`.
    pub fn get_pixel_shader_constant_i(
        &mut self,
        start: u32,
        values: &mut [[i32; 4]],
    ) -> Result<()> {
        todo!()
    }

    /// `SetPixelShaderConstantB`: b0 to b15.
    pub fn set_pixel_shader_constant_b(&mut self, start: u32, values: &[bool]) -> Result<()> {
        todo!()
    }

    /// `GetPixelShaderConstantB`.
    pub fn get_pixel_shader_constant_b(&mut self, start: u32, values: &mut [bool]) -> Result<()> {
        todo!()
    }
}
