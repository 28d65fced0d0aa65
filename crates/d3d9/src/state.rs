//! Render, texture-stage and sampler states, transforms, lights and the rest of the state a draw reads.

use crate::device::Device;
use crate::handle::BaseTexture;
use crate::hresult::Result;
use crate::types::{Light, Material, Matrix};

impl Device {
    /// `SetRenderState`.
    pub fn set_render_state(&mut self, state: u32, value: u32) -> Result<()> {
        todo!()
    }

    /// `GetRenderState`.
    pub fn get_render_state(&mut self, state: u32) -> Result<u32> {
        todo!()
    }

    /// `SetTextureStageState`: stages 0 to 7.
    pub fn set_texture_stage_state(&mut self, stage: u32, state: u32, value: u32) -> Result<()> {
        todo!()
    }

    /// `GetTextureStageState`.
    pub fn get_texture_stage_state(&mut self, stage: u32, state: u32) -> Result<u32> {
        todo!()
    }

    /// `SetSamplerState`: samplers 0 to 15, `D3DDMAPSAMPLER`, `D3DVERTEXTEXTURESAMPLER0` to `3`.
    pub fn set_sampler_state(&mut self, sampler: u32, state: u32, value: u32) -> Result<()> {
        todo!()
    }

    /// `GetSamplerState`.
    pub fn get_sampler_state(&mut self, sampler: u32, state: u32) -> Result<u32> {
        todo!()
    }

    /// `SetTexture`: the device holds a reference while bound.
    pub fn set_texture(&mut self, sampler: u32, texture: Option<BaseTexture>) -> Result<()> {
        todo!()
    }

    /// `GetTexture`: adds a reference.
    pub fn get_texture(&mut self, sampler: u32) -> Result<Option<BaseTexture>> {
        todo!()
    }

    /// `SetTransform`: `D3DTS_*`; world matrices are 256 to 511.
    pub fn set_transform(&mut self, state: u32, matrix: &Matrix) -> Result<()> {
        todo!()
    }

    /// `GetTransform`.
    pub fn get_transform(&mut self, state: u32) -> Result<Matrix> {
        todo!()
    }

    /// `MultiplyTransform`: `matrix` times the current one.
    pub fn multiply_transform(&mut self, state: u32, matrix: &Matrix) -> Result<()> {
        todo!()
    }

    /// `SetMaterial`.
    pub fn set_material(&mut self, material: &Material) -> Result<()> {
        todo!()
    }

    /// `GetMaterial`.
    pub fn get_material(&self) -> Material {
        todo!()
    }

    /// `SetLight`: any index.
    pub fn set_light(&mut self, index: u32, light: &Light) -> Result<()> {
        todo!()
    }

    /// `GetLight`.
    pub fn get_light(&mut self, index: u32) -> Result<Light> {
        todo!()
    }

    /// `LightEnable`: makes the default light where none was set.
    pub fn light_enable(&mut self, index: u32, enable: bool) -> Result<()> {
        todo!()
    }

    /// `GetLightEnable`.
    pub fn get_light_enable(&mut self, index: u32) -> Result<bool> {
        todo!()
    }

    /// `SetClipPlane`: planes 0 to 5.
    pub fn set_clip_plane(&mut self, index: u32, plane: [f32; 4]) -> Result<()> {
        todo!()
    }

    /// `GetClipPlane`.
    pub fn get_clip_plane(&mut self, index: u32) -> Result<[f32; 4]> {
        todo!()
    }

    /// `SetNPatchMode`.
    pub fn set_npatch_mode(&mut self, segments: f32) -> Result<()> {
        todo!()
    }

    /// `GetNPatchMode`.
    pub fn get_npatch_mode(&self) -> f32 {
        todo!()
    }

    /// `SetSoftwareVertexProcessing`.
    pub fn set_software_vertex_processing(&mut self, software: bool) -> Result<()> {
        todo!()
    }

    /// `GetSoftwareVertexProcessing`.
    pub fn get_software_vertex_processing(&self) -> bool {
        todo!()
    }

    /// `ValidateDevice`: passes needed.
    pub fn validate_device(&mut self) -> Result<u32> {
        todo!()
    }
}
