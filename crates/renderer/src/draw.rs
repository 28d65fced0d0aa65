use ninefold_shader::abi::{PixelExtras, VertexExtras};

use crate::image::{Image, Rect};
use crate::keys::{
    BlendId, DepthStencilId, LayoutId, PixelFunction, RasterId, SamplerId, VertexFunction,
};
use crate::resident::GeometryBuffer;
use crate::targets::Targets;

/// Primitive topologies. Fans are turned into lists by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Primitive {
    /// `D3DPT_POINTLIST`.
    PointList = 1,
    /// `D3DPT_LINELIST`.
    LineList = 2,
    /// `D3DPT_LINESTRIP`.
    LineStrip = 3,
    /// `D3DPT_TRIANGLELIST`.
    TriangleList = 4,
    /// `D3DPT_TRIANGLESTRIP`.
    TriangleStrip = 5,
}

impl Primitive {
    /// From a `D3DPRIMITIVETYPE`; `None` for fans and unknown numbers.
    pub fn from_d3d(value: u32) -> Option<Self> {
        Some(match value {
            1 => Self::PointList,
            2 => Self::LineList,
            3 => Self::LineStrip,
            4 => Self::TriangleList,
            5 => Self::TriangleStrip,
            _ => return None,
        })
    }
}

/// Where one vertex stream comes from. Vertex `v` (index plus base vertex) starts at byte
/// `v * stride` of it; the stride is the layout's.
#[derive(Clone, Copy, Debug, Default)]
pub enum StreamData<'a> {
    /// Nothing bound: elements of the stream read their documented defaults.
    #[default]
    None,
    /// Bytes copied into the arena by the draw; they may change or go right after the call.
    Bytes(&'a [u8]),
    /// A range of a resident buffer.
    Resident {
        /// The buffer.
        buffer: &'a GeometryBuffer,
        /// First byte, a multiple of 4.
        offset: u64,
        /// Bytes from there that the draw may read.
        size: u64,
    },
}

/// Where indices come from.
#[derive(Clone, Copy, Debug)]
pub enum IndexData<'a> {
    /// 16-bit indices copied by the draw. `first` counts from the start of the slice.
    U16(&'a [u16]),
    /// 32-bit indices copied by the draw.
    U32(&'a [u32]),
    /// A resident buffer of indices.
    Resident {
        /// The buffer.
        buffer: &'a GeometryBuffer,
        /// First byte, a multiple of an index's size.
        offset: u64,
        /// Bytes from there that the draw may read.
        size: u64,
        /// Whether indices are 32-bit.
        wide: bool,
    },
}

/// A constant register file with the number of its contents.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'a> {
    /// The registers from 0 on; registers past the end read as zero. For fixed-function vertex
    /// processing this is the packed constant block.
    pub file: &'a [[f32; 4]],
    /// A number below 2^63 that changes whenever the contents do. Equal to the last draw's means
    /// equal bytes: what was uploaded then is used again.
    pub generation: u64,
}

impl Constants<'_> {
    /// No constants at all.
    pub const NONE: Constants<'static> = Constants {
        file: &[],
        generation: 0,
    };
}

/// Integer and boolean registers of a stage from register 0 on, for shaders that read past the
/// sixteen of [`VertexExtras`] and [`PixelExtras`]: those of software vertex processing. Registers
/// past the end of a list read as zero.
#[derive(Clone, Copy, Debug)]
pub struct WideConstants<'a> {
    /// Integer registers.
    pub ints: &'a [[i32; 4]],
    /// Boolean registers: bit n of word n / 32 is `b<n>`.
    pub bools: &'a [u32],
    /// A number below 2^63 that changes whenever the contents do; see [`Constants::generation`].
    pub generation: u64,
}

impl WideConstants<'_> {
    /// No registers at all.
    pub const NONE: WideConstants<'static> = WideConstants {
        ints: &[],
        bools: &[],
        generation: 0,
    };
}

/// Extra per-stage values with the number of their contents; see [`Constants::generation`].
#[derive(Clone, Copy, Debug)]
pub struct Extras<'a, T> {
    /// The values.
    pub values: &'a T,
    /// A number below 2^63 that changes whenever the values do.
    pub generation: u64,
}

/// What a recorded draw reads of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Copied {
    /// The stream.
    pub stream: u8,
    /// First byte of [`StreamData::Bytes`] that was copied.
    pub start: usize,
    /// Bytes.
    pub len: usize,
    pub(crate) spot: ninefold_gpu::Spot,
}

/// A texture bound to a sampler stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureBinding {
    /// The image, made with [`ImageUsage::SAMPLED`](crate::ImageUsage::SAMPLED).
    pub image: Image,
    /// `D3DSAMP_SRGBTEXTURE`. Ignored where the format has no sRGB form.
    pub srgb: bool,
}

impl TextureBinding {
    /// A linear binding.
    pub fn new(image: Image) -> Self {
        Self { image, srgb: false }
    }
}

/// `D3DVIEWPORT9`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge in pixels.
    pub x: u32,
    /// Top edge in pixels.
    pub y: u32,
    /// Width in pixels.
    pub w: u32,
    /// Height in pixels.
    pub h: u32,
    /// Depth that clip-space z = 0 becomes, 0 to 1.
    pub min_z: f32,
    /// Depth that clip-space z = w becomes, 0 to 1.
    pub max_z: f32,
}

impl Viewport {
    /// The whole of a target of this size, depth 0 to 1.
    pub fn full(w: u32, h: u32) -> Self {
        Self {
            x: 0,
            y: 0,
            w,
            h,
            min_z: 0.0,
            max_z: 1.0,
        }
    }
}

/// Stages of textures and samplers in a [`Draw`]: 0 to 15 are the pixel stages, 16 to 19
/// `D3DVERTEXTEXTURESAMPLER0` to `3`.
pub const STAGES: usize = 20;

/// One draw call: plain data, borrowed for the call only.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Colour and depth targets.
    pub targets: &'a Targets,
    /// Vertex function.
    pub vertex: VertexFunction,
    /// Pixel function.
    pub pixel: PixelFunction,
    /// Vertex layout.
    pub layout: LayoutId,
    /// Blend state.
    pub blend: BlendId,
    /// Depth-stencil state.
    pub depth_stencil: DepthStencilId,
    /// Rasteriser state.
    pub raster: RasterId,
    /// Topology.
    pub primitive: Primitive,
    /// Vertex streams by number; streams past the end are unbound.
    pub streams: &'a [StreamData<'a>],
    /// Indices; `None` draws vertices in order.
    pub indices: Option<IndexData<'a>>,
    /// The smallest and the largest of the indices that are drawn, which are believed. `None` has the
    /// draw look for them; of resident indices they stay unknown then, and all streams must be
    /// resident.
    pub extent: Option<(u32, u32)>,
    /// First index, or first vertex without indices.
    pub first: u32,
    /// Number of indices or vertices.
    pub count: u32,
    /// Added to each index (`BaseVertexIndex`); not used without indices.
    pub base_vertex: i32,
    /// Vertex float constants from c0 on: 256, or 8,192 with software vertex processing.
    pub vs_floats: Constants<'a>,
    /// Pixel float constants from c0 on: 224, or 8,192 for ps_2_sw and ps_3_sw.
    pub ps_floats: Constants<'a>,
    /// Vertex and pixel integers and booleans past the sixteenth.
    pub wide: [WideConstants<'a>; 2],
    /// Vertex integers, booleans, clip planes.
    pub vs_extras: Extras<'a, VertexExtras>,
    /// Pixel-stage values: texture factor, fog, alpha reference, stage constants.
    pub ps_extras: Extras<'a, PixelExtras>,
    /// Textures by stage.
    pub textures: &'a [Option<TextureBinding>; STAGES],
    /// Samplers by stage.
    pub samplers: &'a [SamplerId; STAGES],
    /// Whether the copies of streams shall be known to [`Renderer::copied`](crate::Renderer::copied)
    /// afterwards.
    pub rewritable: bool,
    /// Viewport. Pixels outside are not drawn.
    pub viewport: Viewport,
    /// Scissor rectangle (`D3DRS_SCISSORTESTENABLE` on).
    pub scissor: Option<Rect>,
    /// `D3DRS_STENCILREF`, low eight bits.
    pub stencil_ref: u8,
    /// `D3DRS_BLENDFACTOR` as red, green, blue, alpha.
    pub blend_factor: [f32; 4],
}
