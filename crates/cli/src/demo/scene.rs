//! What the demo shows, as Direct3D 9 objects.

use anyhow::{Context, anyhow};
use bytemuck::Pod;
use glam::Vec3;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, HResult, IndexBufferHandle, PixelShaderHandle, Result, SurfaceHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexElement, VertexShaderHandle,
};

use super::land::{Land, Sun};
use super::mesh::{self, Mesh};
use super::paint::{self, Painting};

/// Pixels across and down the picture of what the lake reflects.
pub(super) const MIRROR_SIZE: (u32, u32) = (512, 288);

/// A mesh in buffers of the device.
pub(super) struct Model {
    pub(super) vertices: VertexBufferHandle,
    pub(super) indices: IndexBufferHandle,
    pub(super) stride: u32,
    pub(super) vertex_count: u32,
    pub(super) triangles: u32,
}

/// A vertex and pixel shader with the declaration of the vertices they take.
pub(super) struct Program {
    pub(super) vertex: VertexShaderHandle,
    pub(super) pixel: PixelShaderHandle,
    pub(super) declaration: VertexDeclarationHandle,
}

/// Every object of the scene.
pub(super) struct Scene {
    pub(super) land: Land,
    pub(super) sun: Sun,
    pub(super) terrain: Model,
    pub(super) mirror_terrain: Model,
    pub(super) water: Model,
    pub(super) sky: Model,
    pub(super) trees: Model,
    pub(super) envelope: Model,
    pub(super) basket: Model,
    pub(super) ground_texture: TextureHandle,
    pub(super) grain_texture: TextureHandle,
    pub(super) light_texture: TextureHandle,
    pub(super) ripple_texture: TextureHandle,
    pub(super) sky_texture: TextureHandle,
    pub(super) tree_texture: TextureHandle,
    pub(super) glow_texture: TextureHandle,
    pub(super) wicker_texture: TextureHandle,
    pub(super) weave_texture: TextureHandle,
    pub(super) cloth_textures: [TextureHandle; 3],
    pub(super) balloon_program: Program,
    pub(super) water_program: Program,
    pub(super) back_buffer: SurfaceHandle,
    pub(super) depth: SurfaceHandle,
    pub(super) mirror_texture: TextureHandle,
    pub(super) mirror: SurfaceHandle,
    pub(super) mirror_depth: SurfaceHandle,
}

impl Scene {
    /// Paints, models and uploads everything.
    pub(super) fn new(device: &mut Device) -> anyhow::Result<Self> {
        let balloon_code = assemble(
            include_str!("shaders/balloon.vs.asm"),
            include_str!("shaders/balloon.ps.asm"),
        )
        .context("the balloon's shaders")?;
        let water_code = assemble(
            include_str!("shaders/water.vs.asm"),
            include_str!("shaders/water.ps.asm"),
        )
        .context("the water's shaders")?;
        Self::upload(device, &balloon_code, &water_code)
            .map_err(|code| said(device, code))
            .context("making the demo's scene")
    }

    fn upload(device: &mut Device, balloon_code: &Code, water_code: &Code) -> Result<Self> {
        let land = Land::new();
        let sun = Sun::evening();

        let terrain = model(device, &mesh::terrain(&land, 2, f32::MIN), TEXTURED)?;
        // Nothing under the lake's surface may show in it, and from there detail does not.
        let mirror_terrain = model(device, &mesh::terrain(&land, 4, 0.0), TEXTURED)?;
        let water = model(device, &mesh::water(&land), 0)?;
        let sky = model(device, &mesh::sky(), TEXTURED)?;
        let trees = model(device, &mesh::trees(&land, &sun), PAINTED)?;
        let envelope = model(device, &mesh::envelope(), 0)?;
        let basket = model(device, &mesh::basket(), 0)?;

        let cloths = [
            (Vec3::new(0.78, 0.16, 0.12), Vec3::new(0.95, 0.68, 0.20)),
            (Vec3::new(0.14, 0.30, 0.62), Vec3::new(0.88, 0.88, 0.90)),
            (Vec3::new(0.10, 0.46, 0.40), Vec3::new(0.96, 0.80, 0.36)),
        ];
        let mut cloth_textures = Vec::new();
        for (main, second) in cloths {
            cloth_textures.push(texture(device, paint::balloon(256, main, second).mips())?);
        }
        let mirror_texture = device.create_texture(
            MIRROR_SIZE.0,
            MIRROR_SIZE.1,
            1,
            D3DUSAGE_RENDERTARGET,
            D3DFMT_X8R8G8B8,
            D3DPOOL_DEFAULT,
        )?;

        let shaped = [
            VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
            VertexElement::new(0, 12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0),
            VertexElement::new(0, 24, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
        ];
        let coloured = [
            VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
            VertexElement::new(0, 12, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
        ];
        Ok(Self {
            ground_texture: texture(device, paint::ground(&land, 1024).mips())?,
            grain_texture: texture(device, paint::grain(256).mips())?,
            light_texture: texture(device, paint::lightmap(&land, &sun, 512).mips())?,
            ripple_texture: texture(device, paint::ripples(256).mips())?,
            sky_texture: texture(device, paint::sky(&sun, 1024, 512).mips())?,
            tree_texture: texture(device, paint::conifer(128).cutout_mips())?,
            glow_texture: texture(device, paint::glow(64).mips())?,
            wicker_texture: texture(device, paint::wicker(64).mips())?,
            weave_texture: texture(device, paint::weave(128).mips())?,
            cloth_textures: [cloth_textures[0], cloth_textures[1], cloth_textures[2]],
            balloon_program: program(device, balloon_code, &shaped)?,
            water_program: program(device, water_code, &coloured)?,
            back_buffer: device.get_back_buffer(0, 0)?,
            depth: device.get_depth_stencil_surface()?,
            mirror: device.get_surface_level(mirror_texture, 0)?,
            mirror_texture,
            mirror_depth: device.create_depth_stencil_surface(
                MIRROR_SIZE.0,
                MIRROR_SIZE.1,
                D3DFMT_D24S8,
                D3DMULTISAMPLE_NONE,
                0,
                true,
            )?,
            land,
            sun,
            terrain,
            mirror_terrain,
            water,
            sky,
            trees,
            envelope,
            basket,
        })
    }
}

/// FVF of [`mesh::Textured`].
pub(super) const TEXTURED: u32 = D3DFVF_XYZ | D3DFVF_TEX1;
/// FVF of [`mesh::Coloured`].
pub(super) const COLOURED: u32 = D3DFVF_XYZ | D3DFVF_DIFFUSE;
/// FVF of [`mesh::Painted`].
pub(super) const PAINTED: u32 = D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1;

/// Token streams of a vertex and a pixel shader.
struct Code {
    vertex: Vec<u32>,
    pixel: Vec<u32>,
}

fn assemble(vertex: &str, pixel: &str) -> anyhow::Result<Code> {
    Ok(Code {
        vertex: ninefold_bytecode::assemble(vertex)?.tokens().to_vec(),
        pixel: ninefold_bytecode::assemble(pixel)?.tokens().to_vec(),
    })
}

fn program(device: &mut Device, code: &Code, elements: &[VertexElement]) -> Result<Program> {
    Ok(Program {
        vertex: device.create_vertex_shader(&code.vertex)?,
        pixel: device.create_pixel_shader(&code.pixel)?,
        declaration: device.create_vertex_declaration(elements)?,
    })
}

fn model<V: Pod>(device: &mut Device, mesh: &Mesh<V>, fvf: u32) -> Result<Model> {
    let bytes: &[u8] = bytemuck::cast_slice(&mesh.vertices);
    let vertices = device.create_vertex_buffer(
        bytes.len() as u32,
        D3DUSAGE_WRITEONLY,
        fvf,
        D3DPOOL_MANAGED,
    )?;
    device.vertex_buffer_lock(vertices, 0, 0, 0)?;
    device
        .vertex_buffer_bytes_mut(vertices)?
        .copy_from_slice(bytes);
    device.vertex_buffer_unlock(vertices)?;

    let bytes: &[u8] = bytemuck::cast_slice(&mesh.indices);
    let indices = device.create_index_buffer(
        bytes.len() as u32,
        D3DUSAGE_WRITEONLY,
        D3DFMT_INDEX16,
        D3DPOOL_MANAGED,
    )?;
    device.index_buffer_lock(indices, 0, 0, 0)?;
    device
        .index_buffer_bytes_mut(indices)?
        .copy_from_slice(bytes);
    device.index_buffer_unlock(indices)?;

    Ok(Model {
        vertices,
        indices,
        stride: size_of::<V>() as u32,
        vertex_count: mesh.vertices.len() as u32,
        triangles: (mesh.indices.len() / 3) as u32,
    })
}

fn texture(device: &mut Device, levels: Vec<Painting>) -> Result<TextureHandle> {
    let (width, height) = (levels[0].width as u32, levels[0].height as u32);
    let texture = device.create_texture(
        width,
        height,
        levels.len() as u32,
        0,
        D3DFMT_A8R8G8B8,
        D3DPOOL_MANAGED,
    )?;
    for (level, painting) in levels.iter().enumerate() {
        let target = (texture, level as u32);
        let locked = device.lock_rect(target, None, 0)?;
        let rows = device
            .locked_bytes_mut(target)?
            .chunks_mut(locked.pitch as usize);
        for (row, pixels) in rows.zip(painting.pixels.chunks(painting.width)) {
            // A8R8G8B8 is little-endian in memory.
            for (bytes, pixel) in row.chunks_exact_mut(4).zip(pixels) {
                bytes.copy_from_slice(&pixel.to_le_bytes());
            }
        }
        device.unlock_rect(target)?;
    }
    Ok(texture)
}

/// A failed call as an error that carries the device's own words.
pub(super) fn said(device: &Device, code: HResult) -> anyhow::Error {
    anyhow!("{code:?}: {}", device.last_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shaders_assemble() {
        for (vertex, pixel) in [
            (
                include_str!("shaders/balloon.vs.asm"),
                include_str!("shaders/balloon.ps.asm"),
            ),
            (
                include_str!("shaders/water.vs.asm"),
                include_str!("shaders/water.ps.asm"),
            ),
        ] {
            assemble(vertex, pixel).unwrap();
        }
    }
}
