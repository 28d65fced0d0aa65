//! Short ways to say the states that the parts of a frame need.

use glam::{Mat4, Vec4};
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{BaseTexture, Device, Result, TextureHandle};

use super::scene::{Model, Program};

/// Where fog begins and where nothing else is left, metres.
pub(super) const FOG: (f32, f32) = (160.0, 2300.0);

/// Linear fog as a scale and an offset of the distance, for vertex shaders.
pub(super) fn fog_line() -> (f32, f32) {
    let length = FOG.1 - FOG.0;
    (-1.0 / length, FOG.1 / length)
}

pub(super) fn set(device: &mut Device, states: &[(u32, u32)]) -> Result<()> {
    states
        .iter()
        .try_for_each(|(state, value)| device.set_render_state(*state, *value))
}

pub(super) fn fixed_function(device: &mut Device, fvf: u32) -> Result<()> {
    device.set_transform(D3DTS_WORLD, &Mat4::IDENTITY.to_cols_array_2d())?;
    device.set_fvf(fvf)
}

/// Binds a texture with trilinear filtering, the same address mode across and down.
pub(super) fn sample(
    device: &mut Device,
    sampler: u32,
    texture: TextureHandle,
    address: u32,
) -> Result<()> {
    device.set_texture(sampler, Some(BaseTexture::from(texture)))?;
    for (state, value) in [
        (D3DSAMP_MINFILTER, D3DTEXF_LINEAR),
        (D3DSAMP_MAGFILTER, D3DTEXF_LINEAR),
        (D3DSAMP_MIPFILTER, D3DTEXF_LINEAR),
        (D3DSAMP_ADDRESSU, address),
        (D3DSAMP_ADDRESSV, address),
    ] {
        device.set_sampler_state(sampler, state, value)?;
    }
    Ok(())
}

/// A stage that combines `argument` with the current colour and takes alpha from it unchanged.
pub(super) fn stage(device: &mut Device, stage: u32, operation: u32, argument: u32) -> Result<()> {
    for (state, value) in [
        (D3DTSS_COLOROP, operation),
        (D3DTSS_COLORARG1, argument),
        (D3DTSS_COLORARG2, D3DTA_CURRENT),
        (D3DTSS_ALPHAOP, D3DTOP_SELECTARG1),
        (D3DTSS_ALPHAARG1, argument),
        (D3DTSS_ALPHAARG2, D3DTA_DIFFUSE),
        (D3DTSS_TEXCOORDINDEX, 0),
    ] {
        device.set_texture_stage_state(stage, state, value)?;
    }
    Ok(())
}

/// Ends the cascade: `stage` and those after it do nothing.
pub(super) fn end_stages(device: &mut Device, stage: u32) -> Result<()> {
    device.set_texture_stage_state(stage, D3DTSS_COLOROP, D3DTOP_DISABLE)?;
    device.set_texture_stage_state(stage, D3DTSS_ALPHAOP, D3DTOP_DISABLE)
}

pub(super) fn activate(device: &mut Device, program: &Program) -> Result<()> {
    device.set_vertex_shader(Some(program.vertex))?;
    device.set_pixel_shader(Some(program.pixel))?;
    device.set_vertex_declaration(Some(program.declaration))
}

pub(super) fn deactivate(device: &mut Device) -> Result<()> {
    device.set_vertex_shader(None)?;
    device.set_pixel_shader(None)
}

/// A matrix as four constants, one a row, for `dp4`.
pub(super) fn matrix(device: &mut Device, first: u32, matrix: Mat4) -> Result<()> {
    let rows: [Vec4; 4] = [matrix.row(0), matrix.row(1), matrix.row(2), matrix.row(3)];
    device.set_vertex_shader_constant_f(first, &rows.map(|row| row.to_array()))
}

pub(super) fn bind(device: &mut Device, model: &Model) -> Result<()> {
    device.set_stream_source(0, Some(model.vertices), 0, model.stride)?;
    device.set_indices(Some(model.indices))
}

pub(super) fn whole(device: &mut Device, model: &Model) -> Result<()> {
    bind(device, model)?;
    device.draw_indexed_primitive(
        D3DPT_TRIANGLELIST,
        0,
        0,
        model.vertex_count,
        0,
        model.triangles,
    )
}
