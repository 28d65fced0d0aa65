//! State in Direct3D's own numbers, and the ids it is interned to.
//!
//! Blend, depth-stencil and sampler state is small enough that its id *is* the normalised state,
//! packed into 64 bits: interning costs a few shifts, equal states give equal ids, and an id never
//! goes stale. Native objects behind the ids live in bounded least-recently-used caches.

/// The blend modes of the specification-level draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BlendMode {
    /// Blending off.
    None,
    /// `SrcA, 1-SrcA`; in an overlay the source factor of alpha is `One`.
    SrcAlpha,
    /// `One, One`.
    Add,
    /// `DstColor, Zero`.
    Modulate,
    /// `DstColor, SrcColor`.
    Modulate2,
    /// `SrcA, Zero`.
    SrcAlphaZero,
    /// `SrcA, One`.
    SrcAlphaAdd,
    /// `One, 1-SrcA`.
    Premultiplied,
    /// `DstA, One`.
    DestAlphaAdd,
    /// Raw factors and operation.
    Custom {
        /// `D3DBLEND` of the source, 1 to 15.
        src: u8,
        /// `D3DBLEND` of the destination, 1 to 15.
        dst: u8,
        /// `D3DBLENDOP`, 1 to 5.
        op: u8,
    },
}

/// Blend state: `D3DRS_ALPHABLENDENABLE` to `D3DRS_COLORWRITEENABLE3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendKey {
    /// `D3DRS_ALPHABLENDENABLE`.
    pub enabled: bool,
    /// `D3DRS_SRCBLEND`, a `D3DBLEND` (1 to 15; 16 and 17 are the dual-source factors). 12 and 13
    /// (`BOTHSRCALPHA`, `BOTHINVSRCALPHA`) set both factors.
    pub src: u8,
    /// `D3DRS_DESTBLEND`, a `D3DBLEND`.
    pub dst: u8,
    /// `D3DRS_BLENDOP`, a `D3DBLENDOP` (1 to 5).
    pub op: u8,
    /// `D3DRS_SRCBLENDALPHA`; the caller repeats `src` when separate alpha blending is off.
    /// Colour factors act as their alpha forms.
    pub src_alpha: u8,
    /// `D3DRS_DESTBLENDALPHA`; the caller repeats `dst` when separate alpha blending is off.
    pub dst_alpha: u8,
    /// `D3DRS_BLENDOPALPHA`; the caller repeats `op` when separate alpha blending is off.
    pub op_alpha: u8,
    /// `D3DRS_COLORWRITEENABLE` to `D3DRS_COLORWRITEENABLE3`: bit 0 red, 1 green, 2 blue, 3 alpha.
    pub write_mask: [u8; 4],
    /// The draw belongs to an overlay, whose alpha accumulates coverage. Its pipelines are never
    /// shared with those of the world.
    pub overlay: bool,
}

impl Default for BlendKey {
    /// Direct3D's default state: blending off, everything written.
    fn default() -> Self {
        Self {
            enabled: false,
            src: 2,
            dst: 1,
            op: 1,
            src_alpha: 2,
            dst_alpha: 1,
            op_alpha: 1,
            write_mask: [15; 4],
            overlay: false,
        }
    }
}

impl BlendKey {
    /// The key of one of the specification's blend modes, with `write_mask` on every target.
    pub fn mode(mode: BlendMode, write_mask: u8, overlay: bool) -> Self {
        let (src, dst, op) = match mode {
            BlendMode::None => {
                return Self {
                    write_mask: [write_mask; 4],
                    overlay,
                    ..Self::default()
                };
            }
            BlendMode::SrcAlpha => (5, 6, 1),
            BlendMode::Add => (2, 2, 1),
            BlendMode::Modulate => (9, 1, 1),
            BlendMode::Modulate2 => (9, 3, 1),
            BlendMode::SrcAlphaZero => (5, 1, 1),
            BlendMode::SrcAlphaAdd => (5, 2, 1),
            BlendMode::Premultiplied => (2, 6, 1),
            BlendMode::DestAlphaAdd => (7, 2, 1),
            BlendMode::Custom { src, dst, op } => (src, dst, op),
        };
        let src_alpha = if overlay && mode == BlendMode::SrcAlpha {
            2
        } else {
            src
        };
        Self {
            enabled: true,
            src,
            dst,
            op,
            src_alpha,
            dst_alpha: dst,
            op_alpha: op,
            write_mask: [write_mask; 4],
            overlay,
        }
    }
}

/// One face of the stencil test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StencilFace {
    /// `D3DRS_STENCILFAIL`, a `D3DSTENCILOP` (1 to 8).
    pub fail: u8,
    /// `D3DRS_STENCILZFAIL`, a `D3DSTENCILOP`.
    pub depth_fail: u8,
    /// `D3DRS_STENCILPASS`, a `D3DSTENCILOP`.
    pub pass: u8,
    /// `D3DRS_STENCILFUNC`, a `D3DCMPFUNC` (1 to 8).
    pub func: u8,
}

impl Default for StencilFace {
    fn default() -> Self {
        Self {
            fail: 1,
            depth_fail: 1,
            pass: 1,
            func: 8,
        }
    }
}

/// Depth and stencil state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthStencilKey {
    /// `D3DRS_ZENABLE`.
    pub depth_test: bool,
    /// `D3DRS_ZWRITEENABLE`.
    pub depth_write: bool,
    /// `D3DRS_ZFUNC`, a `D3DCMPFUNC` (1 to 8).
    pub depth_func: u8,
    /// `D3DRS_STENCILENABLE`.
    pub stencil: bool,
    /// `D3DRS_TWOSIDEDSTENCILMODE`: `back` holds for counter-clockwise triangles.
    pub two_sided: bool,
    /// Clockwise triangles, or all of them, lines and points.
    pub front: StencilFace,
    /// Counter-clockwise triangles when two-sided (`D3DRS_CCW_STENCIL*`).
    pub back: StencilFace,
    /// `D3DRS_STENCILMASK`, low eight bits.
    pub read_mask: u8,
    /// `D3DRS_STENCILWRITEMASK`, low eight bits.
    pub write_mask: u8,
}

impl Default for DepthStencilKey {
    /// No depth test, no depth writes, no stencil.
    fn default() -> Self {
        Self {
            depth_test: false,
            depth_write: false,
            depth_func: 4,
            stencil: false,
            two_sided: false,
            front: StencilFace::default(),
            back: StencilFace::default(),
            read_mask: 0xFF,
            write_mask: 0xFF,
        }
    }
}

/// Rasteriser state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterKey {
    /// `D3DRS_CULLMODE`, a `D3DCULL`: 1 none, 2 clockwise, 3 counter-clockwise.
    pub cull: u8,
    /// `D3DRS_FILLMODE`, a `D3DFILLMODE`: 1 point, 2 wireframe, 3 solid. Where the adapter cannot,
    /// solid is drawn and said once.
    pub fill: u8,
    /// `D3DRS_DEPTHBIAS` in units of the depth range (0 to 1).
    pub depth_bias: f32,
    /// `D3DRS_SLOPESCALEDEPTHBIAS`.
    pub slope_bias: f32,
    /// Nothing is cut off by depth: pretransformed vertices without a depth test. Where the
    /// adapter cannot, it is.
    pub unclipped: bool,
    /// `D3DRS_MULTISAMPLEMASK`: bit n lets sample n of a multisampled target be written. Targets of
    /// one sample have no mask.
    pub sample_mask: u32,
    /// `D3DRS_MULTISAMPLEANTIALIAS`: of a multisampled target each sample is covered for itself.
    /// Without, all of a pixel's samples get what lies at its centre, whatever the mask; such a
    /// draw is made once a sample.
    pub multisample: bool,
    /// The alpha of colour 0 decides how many samples are covered. In Direct3D 9 an extension of
    /// drivers (`ATOC`, `A2M1`).
    pub alpha_to_coverage: bool,
    /// `D3DRS_WRAP0` to `7` of the texture coordinates that the vertex function writes, four bits a
    /// set: they take the shortest way from vertex to vertex, around the texture where that is
    /// shorter. For lists of triangles and lines without indices, from vertex 0 on; others do not
    /// wrap, nor do sets after the third that does.
    pub wraps: u32,
}

impl Default for RasterKey {
    fn default() -> Self {
        Self {
            cull: 3,
            fill: 3,
            depth_bias: 0.0,
            slope_bias: 0.0,
            unclipped: false,
            sample_mask: !0,
            multisample: true,
            alpha_to_coverage: false,
            wraps: 0,
        }
    }
}

/// Sampler state: `D3DSAMP_*`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerKey {
    /// `D3DSAMP_ADDRESSU`, a `D3DTEXTUREADDRESS` (1 to 5; 0 means `WRAP`).
    pub address_u: u8,
    /// `D3DSAMP_ADDRESSV`.
    pub address_v: u8,
    /// `D3DSAMP_ADDRESSW`.
    pub address_w: u8,
    /// `D3DSAMP_MINFILTER`, a `D3DTEXTUREFILTERTYPE` (1 point, 2 linear, 3 anisotropic).
    pub min_filter: u8,
    /// `D3DSAMP_MAGFILTER`.
    pub mag_filter: u8,
    /// `D3DSAMP_MIPFILTER` (0 none, 1 point, 2 linear).
    pub mip_filter: u8,
    /// `D3DSAMP_MAXANISOTROPY`, clamped to 1..=16; counts only with an anisotropic filter.
    pub max_anisotropy: u8,
    /// `D3DSAMP_MAXMIPLEVEL`: the most detailed level allowed, 0 to 15.
    pub max_mip_level: u8,
    /// `D3DSAMP_BORDERCOLOR`, a `D3DCOLOR` (0xAARRGGBB).
    pub border_color: u32,
    /// `D3DSAMP_MIPMAPLODBIAS` in levels, taken to the nearest 1/32 within ±15.9.
    pub lod_bias: f32,
    /// What the format of the texture that the sampler reads asks for.
    pub texels: Texels,
}

impl SamplerKey {
    /// One of the specification's four plain samplers (`linear_filter`, `address_clamp`): nearest
    /// or linear, wrapping or clamped, without mips.
    pub fn simple(linear: bool, clamp: bool) -> Self {
        let (address, filter) = (if clamp { 3 } else { 1 }, if linear { 2 } else { 1 });
        Self {
            address_u: address,
            address_v: address,
            address_w: address,
            min_filter: filter,
            mag_filter: filter,
            ..Self::default()
        }
    }
}

/// What a texture's format asks of the sampler that reads it
/// ([`ImageFormat::texels`](crate::ImageFormat::texels)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Texels {
    /// Nothing.
    #[default]
    Plain = 0,
    /// Green, blue and alpha read 1 (`D3DFMT_R32F`, `D3DFMT_R16F`).
    Red = 1,
    /// Blue and alpha read 1 (`D3DFMT_G16R16`, `D3DFMT_G32R32F`).
    RedGreen = 2,
    /// The third coordinate is compared with the depth (`D3DFMT_D24S8` and the other depth formats
    /// of Direct3D itself): every channel reads the share of the filter's texels that are not in
    /// front of it. Two-dimensional depth images in pixel stages only.
    Compare = 3,
    /// The depth itself, in every channel (`INTZ`).
    Depth = 4,
}

impl Default for SamplerKey {
    /// Direct3D's default state: wrap, point filters, no mips.
    fn default() -> Self {
        Self {
            address_u: 1,
            address_v: 1,
            address_w: 1,
            min_filter: 1,
            mag_filter: 1,
            mip_filter: 0,
            max_anisotropy: 1,
            max_mip_level: 0,
            border_color: 0,
            lod_bias: 0.0,
            texels: Texels::Plain,
        }
    }
}

/// One element of a vertex declaration (`D3DVERTEXELEMENT9`, method `DEFAULT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Stream number, 0 to 15.
    pub stream: u8,
    /// Byte offset inside the vertex.
    pub offset: u16,
    /// `D3DDECLTYPE`, 0 (`FLOAT1`) to 16 (`FLOAT16_4`).
    pub ty: u8,
    /// `D3DDECLUSAGE`, 0 (`POSITION`) to 13 (`SAMPLE`).
    pub usage: u8,
    /// Usage index.
    pub index: u8,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) $repr);
    )*};
}

ids! {
    /// Blend state, from [`Renderer::blend`](crate::Renderer::blend).
    BlendId(u64);
    /// Depth-stencil state, from [`Renderer::depth_stencil`](crate::Renderer::depth_stencil).
    DepthStencilId(u64);
    /// Sampler state, from [`Renderer::sampler`](crate::Renderer::sampler).
    SamplerId(u64);
    /// Rasteriser state, from [`Renderer::raster`](crate::Renderer::raster).
    RasterId(u32);
    /// Vertex layout, from [`Renderer::vertex_layout`](crate::Renderer::vertex_layout).
    LayoutId(u32);
    /// Shader bytecode, from [`Renderer::register_shader`](crate::Renderer::register_shader).
    ShaderId(u32);
    /// Translation options, from [`Renderer::shader_options`](crate::Renderer::shader_options).
    OptionsId(u32);
    /// Fixed-function vertex processing, from
    /// [`Renderer::fixed_vertex`](crate::Renderer::fixed_vertex).
    FixedVertexId(u32);
    /// Texture-stage cascade, from [`Renderer::fixed_fragment`](crate::Renderer::fixed_fragment).
    FixedFragmentId(u32);
}

/// The vertex function of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexFunction {
    /// A vertex shader.
    Program(ShaderId, OptionsId),
    /// Fixed-function vertex processing.
    Fixed(FixedVertexId),
}

/// The pixel function of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelFunction {
    /// A pixel shader.
    Program(ShaderId, OptionsId),
    /// The texture-stage cascade.
    Fixed(FixedFragmentId),
}
