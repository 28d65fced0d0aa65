//! Vertices and state of the specification's draw entry points.

use bytemuck::{Pod, Zeroable};
use ninefold_shader::fixed;

#[cfg(doc)]
use crate::Renderer;
use crate::image::Image;
use crate::keys::{BlendMode, DepthStencilKey, SamplerKey, ShaderId, VertexElement};
use crate::resident::GeometryBuffer;

/// A vertex of [`Renderer::draw_rhw`] (`mr_vertex_rhw`), 28 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct RhwVertex {
    /// Left to right in pixels.
    pub x: f32,
    /// Top to bottom in pixels.
    pub y: f32,
    /// Depth, 0 to 1.
    pub z: f32,
    /// 1/w.
    pub rhw: f32,
    /// Diffuse `D3DCOLOR`.
    pub color: u32,
    /// First texture coordinate.
    pub u: f32,
    /// Second texture coordinate.
    pub v: f32,
}

/// A vertex of the fixed-function entry points (`mr_vertex_fixed_rhw`, `mr_vertex_fixed_clip`),
/// 112 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FixedVertex {
    /// Pixels, depth and 1/w; or a homogeneous clip-space position.
    pub position: [f32; 4],
    /// Diffuse red, green, blue, alpha.
    pub color: [f32; 4],
    /// Specular red, green, blue, alpha.
    pub specular: [f32; 4],
    /// Eight sets of texture coordinates.
    pub uv: [[f32; 2]; 8],
}

const _: () = assert!(size_of::<RhwVertex>() == 28 && size_of::<FixedVertex>() == 112);

/// State that every entry point takes.
#[derive(Clone, Copy, Debug)]
pub struct CommonState {
    /// Blend mode.
    pub blend: BlendMode,
    /// Written channels: bit 0 red, 1 green, 2 blue, 3 alpha.
    pub write_mask: u8,
    /// Depth and stencil.
    pub depth_stencil: DepthStencilKey,
    /// Stencil reference.
    pub stencil_ref: u8,
    /// `D3DCULL`, 1 to 3.
    pub cull: u8,
    /// `D3DCMPFUNC` of the alpha test with its reference, `None` when off.
    pub alpha_test: Option<(u8, u8)>,
}

impl Default for CommonState {
    /// No blending, everything written, no depth, no culling.
    fn default() -> Self {
        Self {
            blend: BlendMode::None,
            write_mask: 15,
            depth_stencil: DepthStencilKey::default(),
            stencil_ref: 0,
            cull: 1,
            alpha_test: None,
        }
    }
}

/// State of [`Renderer::draw_rhw`].
#[derive(Clone, Debug, Default)]
pub struct RhwState {
    /// Blend, depth, cull, alpha test.
    pub common: CommonState,
    /// Texture that the diffuse colour is multiplied with.
    pub texture: Option<Image>,
    /// The texture's alpha is not used: alpha is the diffuse alpha.
    pub texture_color_only: bool,
    /// Sampler of the texture.
    pub sampler: SamplerKey,
}

/// State of the draws with fixed-function stages.
#[derive(Clone, Debug)]
pub struct FixedState {
    /// Blend, depth, cull, alpha test.
    pub common: CommonState,
    /// The cascade. [`fixed::FragmentStage::texture`] is set from `textures` by the call.
    pub stages: [fixed::FragmentStage; fixed::STAGES],
    /// Per-stage constants as `D3DCOLOR`.
    pub stage_constants: [u32; fixed::STAGES],
    /// Textures.
    pub textures: [Option<Image>; fixed::STAGES],
    /// Samplers.
    pub samplers: [SamplerKey; fixed::STAGES],
    /// The set of texture coordinates of each stage, 0 to 7 (`D3DTSS_TEXCOORDINDEX`).
    pub coordinates: [u8; fixed::STAGES],
    /// `D3DRS_TEXTUREFACTOR`.
    pub texture_factor: u32,
    /// `D3DRS_FOGCOLOR` when vertex fog, from the specular alpha, is on.
    pub fog_color: Option<u32>,
}

impl Default for FixedState {
    /// The diffuse colour.
    fn default() -> Self {
        Self {
            common: CommonState::default(),
            stages: [fixed::FragmentStage::default(); fixed::STAGES],
            stage_constants: [0; fixed::STAGES],
            textures: [const { None }; fixed::STAGES],
            samplers: [SamplerKey::default(); fixed::STAGES],
            coordinates: [0, 1, 2, 3, 4, 5, 6, 7],
            texture_factor: 0xFFFF_FFFF,
            fog_color: None,
        }
    }
}

/// A persistent copy of a stream's bytes. The draw reads it instead of copying them again while
/// [fast paths](crate::Settings::draw_fast_paths) are on, `offset` is a multiple of 4 and the
/// stream's bytes lie inside the buffer; otherwise the bytes are copied as ever.
#[derive(Clone, Copy, Debug)]
pub struct ResidentCopy<'a> {
    /// The buffer, from [`Renderer::create_buffer`].
    pub buffer: &'a GeometryBuffer,
    /// Where in it the stream's first byte is.
    pub offset: u64,
}

/// A secondary vertex stream.
#[derive(Clone, Copy, Debug)]
pub struct SecondaryStream<'a> {
    /// Stream number, 1 to 15.
    pub stream: u8,
    /// Bytes.
    pub data: &'a [u8],
    /// Bytes from one vertex to the next, 1 to 256.
    pub stride: usize,
    /// Where these bytes are on the GPU already.
    pub resident: Option<ResidentCopy<'a>>,
}

/// The texture-stage cascade behind a vertex shader.
#[derive(Clone, Copy, Debug)]
pub struct Cascade {
    /// The stages. [`fixed::FragmentStage::texture`] is set from the textures by the call.
    pub stages: [fixed::FragmentStage; fixed::STAGES],
    /// Per-stage constants as `D3DCOLOR`.
    pub stage_constants: [u32; fixed::STAGES],
    /// `D3DRS_TEXTUREFACTOR`.
    pub texture_factor: u32,
}

impl Default for Cascade {
    /// The diffuse colour.
    fn default() -> Self {
        Self {
            stages: [fixed::FragmentStage::default(); fixed::STAGES],
            stage_constants: [0; fixed::STAGES],
            texture_factor: 0xFFFF_FFFF,
        }
    }
}

/// State of [`Renderer::draw_program`] and [`Renderer::draw_program_rhw`]. [`ProgramState::new`] has
/// everything that is optional off.
#[derive(Clone, Copy, Debug)]
pub struct ProgramState<'a> {
    /// Blend, depth, cull, alpha test.
    pub common: &'a CommonState,
    /// Vertex shader.
    pub vertex: ShaderId,
    /// Pixel shader; `None` for the texture-stage cascade.
    pub pixel: Option<ShaderId>,
    /// The cascade when there is no pixel shader; `None` is the diffuse colour.
    pub cascade: Option<&'a Cascade>,
    /// Vertex declaration. It must have every element that the vertex shader reads.
    pub elements: &'a [VertexElement],
    /// Where the bytes of stream 0 are on the GPU already.
    pub resident: Option<ResidentCopy<'a>>,
    /// Streams other than 0.
    pub streams: &'a [SecondaryStream<'a>],
    /// Vertex float constants from c0 on.
    pub vertex_constants: &'a [[f32; 4]],
    /// Pixel float constants from c0 on.
    pub pixel_constants: &'a [[f32; 4]],
    /// Vertex integer constants `i0` to `i15`; those past the end are 0.
    pub vertex_ints: &'a [[i32; 4]],
    /// Pixel integer constants `i0` to `i15`.
    pub pixel_ints: &'a [[i32; 4]],
    /// Bit n is the vertex boolean constant `b<n>`, 0 to 15.
    pub vertex_bools: u16,
    /// Bit n is the pixel boolean constant `b<n>`.
    pub pixel_bools: u16,
    /// Textures by stage.
    pub textures: &'a [Option<Image>],
    /// Samplers by stage; stages past the end have the default state.
    pub samplers: &'a [SamplerKey],
    /// `D3DRS_FOGCOLOR` when the vertex shader's fog is on.
    pub fog_color: Option<u32>,
}

impl<'a> ProgramState<'a> {
    /// A vertex shader with its declaration and a pixel shader; no other streams, constants,
    /// textures or fog.
    pub fn new(
        common: &'a CommonState,
        vertex: ShaderId,
        pixel: Option<ShaderId>,
        elements: &'a [VertexElement],
    ) -> Self {
        Self {
            common,
            vertex,
            pixel,
            cascade: None,
            elements,
            resident: None,
            streams: &[],
            vertex_constants: &[],
            pixel_constants: &[],
            vertex_ints: &[],
            pixel_ints: &[],
            vertex_bools: 0,
            pixel_bools: 0,
            textures: &[],
            samplers: &[],
            fog_color: None,
        }
    }
}
