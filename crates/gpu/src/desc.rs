//! Plain descriptions: what a resource, a pass or a copy shall be.

use std::ops::Range;

use crate::types;
use crate::{
    BindGroupLayout, Buffer, PipelineCache, PipelineLayout, QuerySet, Sampler, ShaderModule,
    TextureView,
};

/// What a [`Buffer`] shall be.
#[derive(Debug, Clone, Copy)]
pub struct BufferDesc<'a> {
    /// Name shown in debuggers.
    pub label: &'a str,
    /// Size in bytes, at least 1.
    pub size: u64,
    /// Uses out of `VERTEX`, `INDEX`, `UNIFORM`, `COPY_SRC`, `COPY_DST`,
    /// `QUERY_RESOLVE`, `MAP_WRITE` and `MAP_READ`. A buffer with one of the
    /// `MAP_` uses stays mapped for its whole life ([`Buffer::write`],
    /// [`Buffer::read`]); the other uses may be combined with them.
    pub usage: types::BufferUsages,
}

/// The shape of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// One plane (`IDirect3DTexture9`, `IDirect3DSurface9`).
    D2,
    /// Six square planes in D3D9's (and everyone's) face order +X, -X, +Y, -Y,
    /// +Z, -Z (`IDirect3DCubeTexture9`). `width` and `height` must be equal.
    Cube,
    /// A volume (`IDirect3DVolumeTexture9`).
    D3,
}

/// What a texture holds before anything is written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Initial {
    /// All bits zero (depth 0.0, stencil 0).
    #[default]
    Zero,
    /// Whatever the memory held. For a texture that is about to be written
    /// whole.
    Undefined,
}

/// What a [`crate::Texture`] shall be.
#[derive(Debug, Clone, Copy)]
pub struct TextureDesc<'a> {
    /// Name shown in debuggers.
    pub label: &'a str,
    /// Shape.
    pub kind: TextureKind,
    /// Width of level 0 in texels, 1 to [`crate::Caps::max_texture_2d`]
    /// (volumes: [`crate::Caps::max_texture_3d`]).
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
    /// Depth of level 0 in texels for [`TextureKind::D3`], 1 otherwise.
    pub depth: u32,
    /// Number of mip levels, 1 to the full chain.
    pub mips: u32,
    /// Samples per texel: 1, 2, 4 or 8, as far as
    /// [`crate::Gpu::format_caps`] allows; more than 1 needs
    /// [`TextureKind::D2`], `mips` 1 and `RENDER_ATTACHMENT`, and is copied
    /// only whole, to a texture of as many.
    pub samples: u32,
    /// Texel format.
    pub format: types::TextureFormat,
    /// Uses out of `TEXTURE_BINDING`, `RENDER_ATTACHMENT`, `COPY_SRC` and
    /// `COPY_DST`.
    pub usage: types::TextureUsages,
    /// Whether views may reinterpret the texels as the format's sRGB (or
    /// linear) twin (`D3DSAMP_SRGBTEXTURE`, `D3DRS_SRGBWRITEENABLE`).
    pub srgb_views: bool,
    /// First contents.
    pub initial: Initial,
}

impl TextureDesc<'_> {
    /// A 2D texture of one level and one sample, zero-filled.
    #[must_use]
    pub const fn d2(
        width: u32,
        height: u32,
        format: types::TextureFormat,
        usage: types::TextureUsages,
    ) -> Self {
        Self {
            label: "",
            kind: TextureKind::D2,
            width,
            height,
            depth: 1,
            mips: 1,
            samples: 1,
            format,
            usage,
            srgb_views: false,
            initial: Initial::Zero,
        }
    }
}

/// A part of a [`crate::Texture`] as shaders or passes see it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewDesc {
    /// Format, `None` for the texture's own; otherwise its sRGB twin.
    pub format: Option<types::TextureFormat>,
    /// Shape: `D2` (one layer), `Cube` or `D2Array` (all six of a cube) or `D3`.
    pub dimension: types::TextureViewDimension,
    /// Mip levels, end exclusive.
    pub mips: Range<u32>,
    /// Layers (cube faces), end exclusive; `0..1` for 2D and volumes.
    pub layers: Range<u32>,
    /// Aspect: `All`, or one of depth and stencil for sampling a
    /// depth-stencil texture.
    pub aspect: types::TextureAspect,
}

/// What a [`Sampler`] shall be.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplerDesc {
    /// Address modes of u, v and w (`D3DSAMP_ADDRESSU` and on).
    pub address: [types::AddressMode; 3],
    /// Magnification filter.
    pub mag: types::FilterMode,
    /// Minification filter.
    pub min: types::FilterMode,
    /// Filter between mip levels.
    pub mip: types::MipmapFilterMode,
    /// Smallest and largest level of detail, 0 for level 0.
    pub lod: Range<f32>,
    /// Comparison for shadow samplers.
    pub compare: Option<types::CompareFunction>,
    /// Largest anisotropy, 1 to 16; more than 1 needs linear filters of
    /// minification and mips and is lowered to [`crate::Caps::max_anisotropy`].
    pub anisotropy: u16,
    /// Border colour for `ClampToBorder`.
    pub border: Option<types::SamplerBorderColor>,
}

impl Default for SamplerDesc {
    /// Point filters, clamped addresses, every level.
    fn default() -> Self {
        Self {
            address: [types::AddressMode::ClampToEdge; 3],
            mag: types::FilterMode::Nearest,
            min: types::FilterMode::Nearest,
            mip: types::MipmapFilterMode::Nearest,
            lod: 0.0..32.0,
            compare: None,
            anisotropy: 1,
            border: None,
        }
    }
}

/// One binding of a [`crate::BindGroup`].
#[derive(Debug, Clone, Copy)]
pub struct BindEntry<'a> {
    /// Binding number in the layout.
    pub binding: u32,
    /// What is bound.
    pub resource: BindResource<'a>,
}

/// What a [`BindEntry`] binds.
#[derive(Debug, Clone, Copy)]
pub enum BindResource<'a> {
    /// `size` bytes of a uniform buffer from `offset` (before any dynamic
    /// offset). Both inside the buffer; `offset` a multiple of
    /// [`crate::Caps::uniform_alignment`].
    Uniform {
        /// The buffer.
        buffer: &'a Buffer,
        /// Byte offset.
        offset: u64,
        /// Bytes that the shader sees, fixed for the life of the group.
        size: u64,
    },
    /// `size` bytes of a storage buffer, which shaders only read, from `offset`. Both inside
    /// the buffer; `offset` a multiple of [`crate::Caps::storage_alignment`].
    Storage {
        /// The buffer.
        buffer: &'a Buffer,
        /// Byte offset.
        offset: u64,
        /// Bytes that the shader sees.
        size: u64,
    },
    /// A sampled view.
    Texture(&'a TextureView),
    /// A sampler.
    Sampler(&'a Sampler),
}

/// The layout of one vertex buffer slot.
#[derive(Debug, Clone, Copy)]
pub struct VertexBufferLayout<'a> {
    /// Bytes from one vertex to the next (0: every vertex reads the same).
    pub stride: u64,
    /// Per vertex or per instance.
    pub step: types::VertexStepMode,
    /// Attributes; each must end inside `stride` unless that is 0.
    pub attributes: &'a [types::VertexAttribute],
}

/// A shader stage of a pipeline.
#[derive(Debug, Clone, Copy)]
pub struct Stage<'a> {
    /// The module.
    pub module: &'a ShaderModule,
    /// Name of an entry point of the right stage in it.
    pub entry: &'a str,
}

/// What a [`crate::RenderPipeline`] shall be.
#[derive(Debug, Clone)]
pub struct RenderPipelineDesc<'a> {
    /// Name shown in debuggers.
    pub label: &'a str,
    /// Binding layout.
    pub layout: &'a PipelineLayout,
    /// Vertex stage.
    pub vertex: Stage<'a>,
    /// Fragment stage; `None` writes depth and stencil only.
    pub fragment: Option<Stage<'a>>,
    /// Vertex buffer slots; `None` leaves a hole.
    pub vertex_buffers: &'a [Option<VertexBufferLayout<'a>>],
    /// Topology, winding, culling, fill mode.
    pub primitive: types::PrimitiveState,
    /// Depth and stencil state; `None` when passes have no such attachment.
    pub depth_stencil: Option<types::DepthStencilState>,
    /// Sample count and mask.
    pub multisample: types::MultisampleState,
    /// Colour targets: formats, blending, write masks.
    pub colors: &'a [Option<types::ColorTargetState>],
    /// Cache to look in and add to.
    pub cache: Option<&'a PipelineCache>,
}

/// What a [`PipelineLayout`] shall be.
#[derive(Debug, Clone, Copy)]
pub struct PipelineLayoutDesc<'a> {
    /// Name shown in debuggers.
    pub label: &'a str,
    /// The bind group layouts, by group number, at most 8.
    pub groups: &'a [&'a BindGroupLayout],
    /// Bytes of immediates (push constants), a multiple of 4, at most
    /// [`crate::Caps::max_immediates`].
    pub immediates: u32,
}

/// What happens to an attachment's contents when a pass begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Load<T> {
    /// Keep them.
    Load,
    /// Set them all to this value.
    Clear(T),
}

/// A colour attachment.
#[derive(Debug, Clone, Copy)]
pub struct ColorAttachment<'a> {
    /// View of exactly one level and one layer of a `RENDER_ATTACHMENT`
    /// texture that is not a volume.
    pub view: &'a TextureView,
    /// First contents; the clear colour is RGBA, before sRGB encoding.
    pub load: Load<[f32; 4]>,
    /// Whether the result is kept.
    pub store: bool,
    /// Single-sampled view of the same size and format that the samples are
    /// averaged into at the end of the pass.
    pub resolve: Option<&'a TextureView>,
}

/// The depth-stencil attachment.
#[derive(Debug, Clone, Copy)]
pub struct DepthAttachment<'a> {
    /// View of one level of a depth or depth-stencil texture, aspect `All`.
    pub view: &'a TextureView,
    /// First depth, a clear value is 0.0 to 1.0.
    pub depth: Load<f32>,
    /// First stencil, of which the low 8 bits count. Ignored when the format
    /// has none.
    pub stencil: Load<u32>,
    /// Whether the result is kept.
    pub store: bool,
}

/// What a pass renders to. All attachments have one sample count. They may
/// differ in size, as D3D9 lets them: the pass then covers, and clears, their
/// common top left part.
#[derive(Debug, Clone, Copy, Default)]
pub struct PassDesc<'a> {
    /// Name shown in debuggers.
    pub label: &'a str,
    /// Colour attachments, at most [`crate::Caps::max_color_attachments`];
    /// `None` leaves a hole.
    pub colors: &'a [Option<ColorAttachment<'a>>],
    /// Depth-stencil attachment.
    pub depth_stencil: Option<DepthAttachment<'a>>,
    /// The set that [`crate::Commands::begin_occlusion_query`] counts in.
    pub occlusion: Option<&'a QuerySet>,
}

/// A box of texels of one level and one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Mip level.
    pub mip: u32,
    /// Cube face, 0 otherwise.
    pub layer: u32,
    /// Left, top and front, in texels; multiples of the format's block.
    pub origin: [u32; 3],
    /// Width, height and depth in texels: a multiple of the format's block,
    /// or up to the level's edge.
    pub size: [u32; 3],
    /// Aspect, `All` for colour formats.
    pub aspect: types::TextureAspect,
}

/// Where rows of texels lie in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Byte offset of the first texel, a multiple of the block's bytes and
    /// of 4.
    pub offset: u64,
    /// Bytes from one row of blocks to the next, a multiple of the block's
    /// bytes and of [`crate::Caps::copy_pitch_alignment`].
    pub bytes_per_row: u32,
    /// Rows of blocks from one slice to the next; counts for volumes.
    pub rows_per_slice: u32,
}
