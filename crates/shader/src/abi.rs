//! The binding ABI shared by every translated and generated shader: which group
//! and binding holds what, the uniform blocks as plain structs, and the fixed
//! map from D3D9 semantics to varying locations.
//!
//! Group 0 holds four dynamic-offset uniform buffers, group 1 the textures and
//! samplers, group 2 the storage buffers of the rare functions with more constants than hardware
//! of the time had. The whole contract is spelled out at [`translate`](crate::translate).

use bytemuck::{Pod, Zeroable};
use ninefold_bytecode::Usage;

/// Bind group of the four uniform buffers.
pub const UNIFORM_GROUP: u32 = 0;
/// Bind group of textures and samplers.
pub const TEXTURE_GROUP: u32 = 1;

/// Group 0 binding of the vertex float constants, packed, or of the fixed-function vertex block.
pub const VERTEX_CONSTANTS: u32 = 0;
/// Group 0 binding of the pixel float constants, packed.
pub const PIXEL_CONSTANTS: u32 = 1;
/// Group 0 binding of [`VertexExtras`].
pub const VERTEX_EXTRAS: u32 = 2;
/// Group 0 binding of [`PixelExtras`].
pub const PIXEL_EXTRAS: u32 = 3;

/// Registers in the vertex float file (`c0`-`c255`): size of binding 0 in `vec4<f32>`.
pub const VERTEX_CONSTANT_COUNT: u32 = 256;
/// Registers in the pixel float file (`c0`-`c223`): size of binding 1 in `vec4<f32>`.
pub const PIXEL_CONSTANT_COUNT: u32 = 224;
/// Registers of the float file of software vertex processing and of the software versions: what
/// a function that indexes it at run time finds in its [`LargeConstants`](crate::LargeConstants).
pub const LARGE_FILE: u32 = 8192;
/// Bytes of the binding 0 window.
pub const VERTEX_CONSTANT_BYTES: u64 = VERTEX_CONSTANT_COUNT as u64 * 16;
/// Bytes of the binding 1 window.
pub const PIXEL_CONSTANT_BYTES: u64 = PIXEL_CONSTANT_COUNT as u64 * 16;

/// Bind group of the constants that do not fit the windows of group 0; see
/// [`LargeConstants`](crate::LargeConstants).
pub const LARGE_GROUP: u32 = 2;
/// Group 2 binding of the vertex function's large constants.
pub const VERTEX_LARGE: u32 = 0;
/// Group 2 binding of the pixel function's large constants.
pub const PIXEL_LARGE: u32 = 1;

/// Pixel samplers, `s0`-`s15`.
pub const PIXEL_SAMPLERS: u32 = 16;
/// Vertex samplers, `D3DVERTEXTEXTURESAMPLER0`-`3`.
pub const VERTEX_SAMPLERS: u32 = 4;

/// Group 1 binding of the texture of slot `slot`: 0-15 are the pixel samplers,
/// 16-19 the vertex samplers.
pub const fn texture_binding(slot: u32) -> u32 {
    2 * slot
}

/// Group 1 binding of the sampler of slot `slot`: 0-15 are the pixel samplers,
/// 16-19 the vertex samplers.
pub const fn sampler_binding(slot: u32) -> u32 {
    2 * slot + 1
}

/// Slot of vertex sampler `index` (0-3) in the numbering of [`texture_binding`].
pub const fn vertex_sampler_slot(index: u32) -> u32 {
    PIXEL_SAMPLERS + index
}

/// Location of the colour varyings `COLOR0` and `COLOR1`.
pub const COLOR_LOCATION: u32 = 0;
/// Location of `TEXCOORD0`; `TEXCOORD1`-`7` follow.
pub const TEXCOORD_LOCATION: u32 = 2;
/// Location of the fog factor; `x` holds it.
pub const FOG_LOCATION: u32 = 10;
/// Location of what `v0` of a ps_3_0 function takes from semantics that have no location of their
/// own; those of `v1`-`v9` follow. See [`Link`](crate::Link).
pub const LINKED_LOCATION: u32 = 11;
/// One more than the highest varying location.
pub const VARYING_COUNT: u32 = LINKED_LOCATION + crate::Link::REGISTERS as u32;

/// Texture coordinate sets that wrap at once; those after the third do not. They take locations
/// from [`VARYING_COUNT`] on.
pub const MAX_WRAPPED_SETS: u32 = 3;

/// The `D3DWRAPCOORD` bits of texture coordinate set `set`, 0 to 7, in a word of all sets.
pub const fn wraps_of(wraps: u32, set: u32) -> u32 {
    wraps >> (4 * (set & 7)) & 15
}

/// Varying location of the semantics that every vertex function may have, the same in every
/// shader: `COLOR0`-`1` are 0-1, `TEXCOORD0`-`7` are 2-9, `FOG0` is 10. `None` for all others, which
/// only Shader Model 3 can link: see [`Link`](crate::Link).
pub const fn varying_location(usage: Usage, index: u8) -> Option<u32> {
    let i = index as u32;
    Some(match (usage, i) {
        (Usage::Color, 0..=1) => COLOR_LOCATION + i,
        (Usage::TexCoord, 0..=7) => TEXCOORD_LOCATION + i,
        (Usage::Fog, 0) => FOG_LOCATION,
        _ => return None,
    })
}

/// Bit of the clip planes of a vertex function beside those of planes 0-5: distances to the planes
/// of depth 0 and 1 follow those to the user's. For functions with a depth bias, drawn without
/// clipping by depth: Direct3D clips first, and clamps the depth that a bias moves out of range.
pub const CLIP_DEPTH: u8 = 0x40;

/// What a pixel function of shader model `major` (0 for fixed function) reads when the vertex
/// function does not write an input's location: `COLOR0` is opaque white before ps_3_0, all else is
/// 0 (a fog factor of 0 is all fog).
pub const fn missing_input_value(location: u32, major: u8) -> [f32; 4] {
    match location {
        COLOR_LOCATION if major < 3 => [1.0; 4],
        _ => [0.0; 4],
    }
}

/// Uniform block of group 0 binding 2: what a vertex function needs beside its
/// float constants. Written by the renderer, one window for each change.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct VertexExtras {
    /// Integer constants `i0`-`i15`: iteration count, start, step, unused.
    pub ints: [[i32; 4]; 16],
    /// Bit n of `x` is the boolean constant `b<n>`; `yzw` are zero.
    pub bools: [u32; 4],
    /// User clip planes 0-5: in clip space for programs, as given for fixed function.
    pub clip_planes: [[f32; 4]; 6],
    /// Pixels to normalised device coordinates for pretransformed vertices:
    /// `ndc = position.xy * viewport_inv.xy + viewport_inv.zw`, where `x` is
    /// 2/width and `y` is -2/height of the viewport in pixels.
    pub viewport_inv: [f32; 4],
    /// `misc[0].x` is the point size in pixels for functions that compute none; sizes that programs
    /// write are clamped to `misc[0].y` (`D3DRS_POINTSIZE_MIN`) and then `z` (`D3DRS_POINTSIZE_MAX`);
    /// functions built with a depth bias multiply the depth by `misc[1].y`, the viewport's range, and
    /// add `misc[1].x`, its least depth and `D3DRS_DEPTHBIAS`, so that they are drawn with the whole
    /// range; `misc[2].x` is `D3DRS_TWEENFACTOR`, for fixed function that tweens.
    pub misc: [[f32; 4]; 4],
}

/// Uniform block of group 0 binding 3: what a fragment function needs beside its
/// float constants. Written by the renderer, one window for each change.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PixelExtras {
    /// `D3DRS_TEXTUREFACTOR` as red, green, blue, alpha in 0 to 1.
    pub texture_factor: [f32; 4],
    /// `D3DRS_FOGCOLOR` as red, green, blue in 0 to 1; alpha is not read.
    pub fog_color: [f32; 4],
    /// Fog: `x` start, `y` end, `z` 1/(end - start), `w` density.
    pub fog: [f32; 4],
    /// `x` is the alpha-test reference, (`D3DRS_ALPHAREF` & 0xFF) / 255; `yzw` are zero.
    pub alpha_ref: [f32; 4],
    /// Per-stage constants, `D3DTSS_CONSTANT` of stages 0-7.
    pub stage_constants: [[f32; 4]; 8],
    /// `D3DTSS_BUMPENVMAT00`, `01`, `10`, `11` of stages 0-7.
    pub bump_matrices: [[f32; 4]; 8],
    /// `x` is `D3DTSS_BUMPENVLSCALE`, `y` is `D3DTSS_BUMPENVLOFFSET` of stages 0-7.
    pub bump_luminance: [[f32; 4]; 8],
    /// Integer constants `i0`-`i15`: iteration count, start, step, unused.
    pub ints: [[i32; 4]; 16],
    /// Bit n of `x` is the boolean constant `b<n>`; `yzw` are zero.
    pub bools: [u32; 4],
}

/// Members of [`VertexExtras`] in order, as indices for the generated code.
pub(crate) mod vertex_member {
    pub(crate) const INTS: u32 = 0;
    pub(crate) const BOOLS: u32 = 1;
    pub(crate) const CLIP_PLANES: u32 = 2;
    pub(crate) const VIEWPORT_INV: u32 = 3;
    pub(crate) const MISC: u32 = 4;
}

/// Members of [`PixelExtras`] in order, as indices for the generated code.
pub(crate) mod pixel_member {
    pub(crate) const TEXTURE_FACTOR: u32 = 0;
    pub(crate) const FOG_COLOR: u32 = 1;
    pub(crate) const FOG: u32 = 2;
    pub(crate) const ALPHA_REF: u32 = 3;
    pub(crate) const STAGE_CONSTANTS: u32 = 4;
    pub(crate) const BUMP_MATRICES: u32 = 5;
    pub(crate) const BUMP_LUMINANCE: u32 = 6;
    pub(crate) const INTS: u32 = 7;
    pub(crate) const BOOLS: u32 = 8;
}
