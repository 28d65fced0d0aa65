//! Plain data that goes in and out of the API.

use crate::handle::{
    CubeTextureHandle, SurfaceHandle, TextureHandle, VolumeHandle, VolumeTextureHandle,
};

/// `RECT`: pixels, right and bottom exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// One past the right edge.
    pub right: i32,
    /// One past the bottom edge.
    pub bottom: i32,
}

impl Rect {
    /// A rectangle from its four edges.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }
}

/// `D3DBOX`: texels, right, bottom and back exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Box3 {
    /// Left edge.
    pub left: u32,
    /// Top edge.
    pub top: u32,
    /// One past the right edge.
    pub right: u32,
    /// One past the bottom edge.
    pub bottom: u32,
    /// Front slice.
    pub front: u32,
    /// One past the back slice.
    pub back: u32,
}

impl Box3 {
    /// The smallest box around two.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
            front: self.front.min(other.front),
            back: self.back.max(other.back),
        }
    }
}

/// `POINT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

/// `D3DMATRIX`: rows of a row-vector matrix, `m[row][column]`.
pub type Matrix = [[f32; 4]; 4];

/// The identity matrix.
pub const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// `D3DCOLORVALUE`: red, green, blue, alpha.
pub type ColorValue = [f32; 4];

/// `D3DVIEWPORT9`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewport {
    /// Left column.
    pub x: u32,
    /// Top row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Depth that clip z = 0 maps to, 0 to 1.
    pub min_z: f32,
    /// Depth that clip z = w maps to, 0 to 1.
    pub max_z: f32,
}

/// `D3DMATERIAL9`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Diffuse reflectance.
    pub diffuse: ColorValue,
    /// Ambient reflectance.
    pub ambient: ColorValue,
    /// Specular reflectance.
    pub specular: ColorValue,
    /// Emitted light.
    pub emissive: ColorValue,
    /// Specular exponent.
    pub power: f32,
}

/// `D3DLIGHT9`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// `D3DLIGHT_POINT`, `D3DLIGHT_SPOT` or `D3DLIGHT_DIRECTIONAL`.
    pub kind: u32,
    /// Diffuse colour.
    pub diffuse: ColorValue,
    /// Specular colour.
    pub specular: ColorValue,
    /// Ambient colour.
    pub ambient: ColorValue,
    /// Position in world space (point, spot).
    pub position: [f32; 3],
    /// Direction in world space (directional, spot).
    pub direction: [f32; 3],
    /// Distance beyond which the light has no effect.
    pub range: f32,
    /// Decrease between a spotlight's inner and outer cone.
    pub falloff: f32,
    /// Constant attenuation.
    pub attenuation0: f32,
    /// Linear attenuation.
    pub attenuation1: f32,
    /// Quadratic attenuation.
    pub attenuation2: f32,
    /// Inner cone angle of a spotlight, radians.
    pub theta: f32,
    /// Outer cone angle of a spotlight, radians.
    pub phi: f32,
}

impl Default for Light {
    /// The light that `LightEnable` makes of an index never set: white, directional, along +z.
    fn default() -> Self {
        Self {
            kind: crate::consts::D3DLIGHT_DIRECTIONAL,
            diffuse: [1.0, 1.0, 1.0, 0.0],
            specular: [0.0; 4],
            ambient: [0.0; 4],
            position: [0.0; 3],
            direction: [0.0, 0.0, 1.0],
            range: 0.0,
            falloff: 0.0,
            attenuation0: 0.0,
            attenuation1: 0.0,
            attenuation2: 0.0,
            theta: 0.0,
            phi: 0.0,
        }
    }
}

/// `D3DVERTEXELEMENT9`; the end marker is not part of a slice of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Stream, 0 to 15.
    pub stream: u16,
    /// Byte offset in the vertex.
    pub offset: u16,
    /// `D3DDECLTYPE_*`.
    pub ty: u8,
    /// `D3DDECLMETHOD_*`.
    pub method: u8,
    /// `D3DDECLUSAGE_*`.
    pub usage: u8,
    /// Usage index, 0 to 15.
    pub usage_index: u8,
}

impl VertexElement {
    /// An element read as it stands (`D3DDECLMETHOD_DEFAULT`).
    pub const fn new(stream: u16, offset: u16, ty: u8, usage: u8, usage_index: u8) -> Self {
        Self {
            stream,
            offset,
            ty,
            method: crate::consts::D3DDECLMETHOD_DEFAULT,
            usage,
            usage_index,
        }
    }
}

/// `D3DPRESENT_PARAMETERS`, less the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentParameters {
    /// Columns of the back buffer; 0 takes the display mode's.
    pub back_buffer_width: u32,
    /// Rows of the back buffer; 0 takes the display mode's.
    pub back_buffer_height: u32,
    /// `D3DFMT_*`; `D3DFMT_UNKNOWN` (windowed) takes the display mode's.
    pub back_buffer_format: u32,
    /// 1 to 3 back buffers; 0 counts as 1.
    pub back_buffer_count: u32,
    /// `D3DMULTISAMPLE_*`.
    pub multi_sample_type: u32,
    /// Quality level of the type.
    pub multi_sample_quality: u32,
    /// `D3DSWAPEFFECT_*`.
    pub swap_effect: u32,
    /// Draws into a window instead of the whole screen.
    pub windowed: bool,
    /// The device makes a depth-stencil surface and binds it.
    pub enable_auto_depth_stencil: bool,
    /// `D3DFMT_*` of that surface.
    pub auto_depth_stencil_format: u32,
    /// `D3DPRESENTFLAG_*`.
    pub flags: u32,
    /// Hertz, 0 when windowed.
    pub fullscreen_refresh_rate: u32,
    /// `D3DPRESENT_INTERVAL_*`.
    pub presentation_interval: u32,
}

impl PresentParameters {
    /// A windowed X8R8G8B8 back buffer with a D24S8 depth-stencil surface.
    pub const fn windowed(width: u32, height: u32) -> Self {
        Self {
            back_buffer_width: width,
            back_buffer_height: height,
            back_buffer_format: crate::consts::D3DFMT_X8R8G8B8,
            back_buffer_count: 1,
            multi_sample_type: 0,
            multi_sample_quality: 0,
            swap_effect: crate::consts::D3DSWAPEFFECT_DISCARD,
            windowed: true,
            enable_auto_depth_stencil: true,
            auto_depth_stencil_format: crate::consts::D3DFMT_D24S8,
            flags: 0,
            fullscreen_refresh_rate: 0,
            presentation_interval: 0,
        }
    }
}

/// `D3DDISPLAYMODE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisplayMode {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Hertz.
    pub refresh_rate: u32,
    /// `D3DFMT_*`.
    pub format: u32,
}

/// `D3DSURFACE_DESC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceDesc {
    /// `D3DFMT_*`.
    pub format: u32,
    /// `D3DRTYPE_SURFACE`.
    pub resource_type: u32,
    /// `D3DUSAGE_*`.
    pub usage: u32,
    /// `D3DPOOL_*`.
    pub pool: u32,
    /// `D3DMULTISAMPLE_*`.
    pub multi_sample_type: u32,
    /// Quality level of the type.
    pub multi_sample_quality: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// `D3DVOLUME_DESC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeDesc {
    /// `D3DFMT_*`.
    pub format: u32,
    /// `D3DRTYPE_VOLUME`.
    pub resource_type: u32,
    /// `D3DUSAGE_*`.
    pub usage: u32,
    /// `D3DPOOL_*`.
    pub pool: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices.
    pub depth: u32,
}

/// `D3DVERTEXBUFFER_DESC` and `D3DINDEXBUFFER_DESC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferDesc {
    /// `D3DFMT_VERTEXDATA`, `D3DFMT_INDEX16` or `D3DFMT_INDEX32`.
    pub format: u32,
    /// `D3DUSAGE_*`.
    pub usage: u32,
    /// `D3DPOOL_*`.
    pub pool: u32,
    /// Bytes.
    pub size: u32,
    /// `D3DFVF_*` of a vertex buffer, else 0.
    pub fvf: u32,
}

/// What `lock_rect` returns (`D3DLOCKED_RECT`): `pBits` is where
/// [`Device::locked_bytes_mut`](crate::Device::locked_bytes_mut)'s slice begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockedRect {
    /// Bytes from a row (of blocks, for DXT) to the next.
    pub pitch: i32,
    /// Offset of the locked rectangle's first byte in the level's memory. A rectangle that reaches
    /// out of a 2D texture may begin outside.
    pub offset: i64,
    /// Bytes from there to the end of the rectangle's last row, as far as they are in the level.
    pub len: usize,
}

/// What `lock_box` returns (`D3DLOCKED_BOX`): `pBits` is where
/// [`Device::locked_bytes_mut`](crate::Device::locked_bytes_mut)'s slice begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockedBox {
    /// Bytes from a row (of blocks, for DXT) to the next.
    pub row_pitch: i32,
    /// Bytes from a slice to the next.
    pub slice_pitch: i32,
    /// Offset of the locked box's first byte in the level's memory.
    pub offset: i64,
    /// Bytes from there to the end of the box's last row.
    pub len: usize,
}

/// What a buffer lock returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockedBuffer {
    /// Offset of the locked range in the buffer.
    pub offset: usize,
    /// Bytes of the locked range.
    pub len: usize,
}

/// One level that can be locked, described or copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelTarget {
    /// A surface.
    Surface(SurfaceHandle),
    /// A level of a 2D texture.
    Texture(TextureHandle, u32),
    /// A face (`D3DCUBEMAP_FACE_*`) and level of a cube texture.
    Cube(CubeTextureHandle, u32, u32),
    /// A volume.
    Volume(VolumeHandle),
    /// A level of a volume texture.
    VolumeTexture(VolumeTextureHandle, u32),
}

impl From<SurfaceHandle> for LevelTarget {
    fn from(handle: SurfaceHandle) -> Self {
        Self::Surface(handle)
    }
}

impl From<VolumeHandle> for LevelTarget {
    fn from(handle: VolumeHandle) -> Self {
        Self::Volume(handle)
    }
}

impl From<(TextureHandle, u32)> for LevelTarget {
    fn from((handle, level): (TextureHandle, u32)) -> Self {
        Self::Texture(handle, level)
    }
}

impl From<(CubeTextureHandle, u32, u32)> for LevelTarget {
    fn from((handle, face, level): (CubeTextureHandle, u32, u32)) -> Self {
        Self::Cube(handle, face, level)
    }
}

impl From<(VolumeTextureHandle, u32)> for LevelTarget {
    fn from((handle, level): (VolumeTextureHandle, u32)) -> Self {
        Self::VolumeTexture(handle, level)
    }
}

/// A finished query's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryData {
    /// Nothing was asked yet: D3D9 says so with success, and with bytes of 0xDD for an answer.
    Unissued,
    /// `D3DQUERYTYPE_EVENT`: the GPU has passed the point.
    Event(bool),
    /// `D3DQUERYTYPE_OCCLUSION`: pixels that passed the depth and stencil tests.
    Occlusion(u64),
    /// `D3DQUERYTYPE_TIMESTAMP`: ticks.
    Timestamp(u64),
    /// `D3DQUERYTYPE_TIMESTAMPFREQ`: ticks a second.
    TimestampFrequency(u64),
    /// `D3DQUERYTYPE_TIMESTAMPDISJOINT`: the clock changed in between.
    TimestampDisjoint(bool),
}

/// Pixels on the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel: blue, green, red, alpha; rows from the top, without padding.
    pub bgra: Vec<u8>,
}

/// A stream's binding (`GetStreamSource`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSource {
    /// The bound buffer.
    pub buffer: Option<crate::handle::VertexBufferHandle>,
    /// Byte offset of vertex 0.
    pub offset: u32,
    /// Bytes from a vertex to the next.
    pub stride: u32,
}
