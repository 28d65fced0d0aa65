//! What decides a translation beside the token stream.

use crate::Link;
use ninefold_bytecode::SamplerKind;

use crate::sampling::SamplerRules;

/// Comparison of the alpha test, numbered as `D3DCMPFUNC`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CompareFunc {
    /// `D3DCMP_NEVER`: nothing is drawn.
    Never = 1,
    /// `D3DCMP_LESS`.
    Less = 2,
    /// `D3DCMP_EQUAL`.
    Equal = 3,
    /// `D3DCMP_LESSEQUAL`.
    LessEqual = 4,
    /// `D3DCMP_GREATER`.
    Greater = 5,
    /// `D3DCMP_NOTEQUAL`.
    NotEqual = 6,
    /// `D3DCMP_GREATEREQUAL`.
    GreaterEqual = 7,
    /// `D3DCMP_ALWAYS`: no test. The default.
    #[default]
    Always = 8,
}

impl CompareFunc {
    /// The comparison `D3DCMPFUNC` numbers `value`; `None` outside 1-8.
    pub const fn from_d3d(value: u32) -> Option<Self> {
        Some(match value {
            1 => Self::Never,
            2 => Self::Less,
            3 => Self::Equal,
            4 => Self::LessEqual,
            5 => Self::Greater,
            6 => Self::NotEqual,
            7 => Self::GreaterEqual,
            8 => Self::Always,
            _ => return None,
        })
    }
}

/// Curve of table fog, `D3DFOGMODE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FogCurve {
    /// `D3DFOG_EXP`: `1 / e^(d * density)`.
    Exp = 1,
    /// `D3DFOG_EXP2`: `1 / e^((d * density)^2)`.
    Exp2 = 2,
    /// `D3DFOG_LINEAR`: `(end - d) / (end - start)`.
    Linear = 3,
}

/// Distance that table fog uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FogDepth {
    /// Depth after projection, 0 to 1.
    Z = 0,
    /// The vertex's `w`, eye-space depth under a perspective projection; 1/rhw when pretransformed.
    W = 1,
    /// The `x` of the FOG0 varying, for which the vertex function is made with
    /// [`Options::fog_depth`] or the like of the fixed function. No viewport's depth range is in it.
    Vertex = 2,
}

/// Fog after the pixel shader. Ignored for ps_3_0, which fogs itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fog {
    /// `D3DRS_FOGENABLE` off. The default.
    #[default]
    None,
    /// The factor is the `x` of the FOG0 varying; where the vertex function writes none, the
    /// alpha of COLOR1, and 0, all fog, where it writes neither.
    Vertex,
    /// `D3DRS_FOGTABLEMODE`: the factor is computed for each pixel.
    Table(FogCurve, FogDepth),
    /// The factor is 0, all fog: vertex fog after a vertex shader of model 1
    /// or 2 that does not write oFog.
    Full,
}

/// Rules for zero in products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FloatRules {
    /// 0 times anything is 0, infinity and NaN included, as D3D9 hardware does. The default.
    #[default]
    D3d9 = 0,
    /// IEEE 754 products: 0 times infinity is NaN.
    Ieee = 1,
}

/// Everything that decides a translation beside the token stream: one plain value that compares
/// and hashes, so that it is a cache's key as it stands. The default is what Direct3D starts with.
///
/// Fields that do not concern a stage or a shader version are ignored, and do
/// not change the function's identity.
///
/// | field | stage | versions | `D3D` state |
/// |---|---|---|---|
/// | `sampler_kinds` | pixel | all | the bound textures |
/// | `alpha_func` | pixel | all | `ALPHATESTENABLE`, `ALPHAFUNC` |
/// | `fog` | pixel | 1_x, 2_x | `FOGENABLE`, `FOGTABLEMODE`, `FOGVERTEXMODE` |
/// | `float_rules` | both | all | none: for comparison only |
/// | `flat_shading` | both | all | `SHADEMODE` |
/// | `missing_inputs` | pixel | all | the vertex function |
/// | `samplers` | both | all | `ADDRESSU`-`W`, `BORDERCOLOR`, `MIPMAPLODBIAS`, the textures' formats |
/// | `projected`, `projected_by` | pixel | 1_0-1_3 | `TEXTURETRANSFORMFLAGS` |
/// | `opaque_outputs`, `srgb_outputs` | pixel | all | the targets, `SRGBWRITEENABLE` |
/// | `clip_planes` | vertex | all | `CLIPPLANEENABLE` |
/// | `point_sprite` | pixel | all | `POINTSPRITEENABLE` |
/// | `whole_floats` | pixel | all | none: the GPU |
/// | `zero_color` | vertex | all | the pixel function |
/// | `point_size`, `depth_bias` | vertex | all | the primitive, `DEPTHBIAS` |
/// | `fog_depth` | vertex | all | `FOGENABLE`, `FOGTABLEMODE` |
/// | `link` | vertex | 3_0 | the pixel function |
/// | `uniforms_only` | both | all | none: the GPU |
/// | `wraps`, `corners` | both, vertex | all | `WRAP0`-`7`, the primitive |
/// | `uint_attributes`, `sint_attributes` | vertex | all | the declaration |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Kinds of the textures bound to stages 0-15. For ps_1_x, which declares none; `None` takes
    /// the kind the instruction implies. From ps_2_0 on the declared kind counts, except that a
    /// 2D sampler samples a volume and a volume sampler a 2D texture, where this says so.
    pub sampler_kinds: [Option<SamplerKind>; 16],
    /// Alpha test on the alpha of `oC0` (`r0` in ps_1_x), before fog.
    pub alpha_func: CompareFunc,
    /// Fog after the pixel shader.
    pub fog: Fog,
    /// Rules for zero in products.
    pub float_rules: FloatRules,
    /// `D3DSHADE_FLAT`: COLOR0 and COLOR1 come from the first vertex.
    pub flat_shading: bool,
    /// Bit n set: the vertex function writes no varying at location n, so the
    /// pixel shader reads [`missing_input_value`](crate::abi::missing_input_value).
    pub missing_inputs: u32,
    /// How samplers 0-15 of a pixel shader, or 0-3 of a vertex shader, read their textures.
    pub samplers: [SamplerRules; 16],
    /// `D3DTTFF_PROJECTED` for stages 0-15: ps_1_0 to ps_1_3 `tex` divides by the
    /// fourth coordinate.
    pub projected: u16,
    /// What `projected` stages 0-3 divide by: 1 for the second coordinate
    /// (`D3DTTFF_COUNT2`), 2 for the third (`D3DTTFF_COUNT3`), anything else for the fourth.
    pub projected_by: [u8; 4],
    /// Bit n set: colour target n has no alpha (`D3DFMT_X8R8G8B8`, `R5G6B5`) but the image that
    /// stands for it does: alpha 1 is written. The alpha test sees the shader's own alpha.
    pub opaque_outputs: u8,
    /// Bit n set: `D3DRS_SRGBWRITEENABLE` for colour target n, where the image has no sRGB view:
    /// red, green and blue are clamped to 0 to 1 and encoded after fog.
    pub srgb_outputs: u8,
    /// Vertex stage: user clip planes in use, bit n for plane n (0-5), and
    /// [`CLIP_DEPTH`](crate::abi::CLIP_DEPTH).
    pub clip_planes: u8,
    /// Pixel stage: texture coordinates come from the point's own 0 to 1 square.
    pub point_sprite: bool,
    /// Pixel stage: the driver is Mesa's llvmpipe, which runs functions of a few moves and products
    /// in 8 bits a channel and confuses red and blue there when channels change places. The colour
    /// gets an operation that leaves it as it is and that such functions may not have.
    pub whole_floats: bool,
    /// Vertex stage: components of COLOR0 that are not written (vs_3_0: not declared) are 0, as
    /// ps_3_0 reads them, instead of 1, as all others do.
    pub zero_color: bool,
    /// Vertex stage: write the point size (`oPts`, or `VertexExtras::misc[0].x`).
    pub point_size: bool,
    /// Vertex stage: the position's depth is scaled and shifted by
    /// [`VertexExtras::misc`](crate::abi::VertexExtras::misc) (`D3DRS_DEPTHBIAS`).
    pub depth_bias: bool,
    /// `D3DRS_WRAP0` to `7`, four bits each from the lowest on, of sets that the vertex function
    /// writes: coordinates take the shortest way. The same number in both stages. Vertices are
    /// drawn in order from 0 on, `corners` to a primitive.
    pub wraps: u32,
    /// Vertex stage: vertices of a primitive, 3 or 2, where `wraps` is not 0.
    pub corners: u8,
    /// Vertex stage: FOG0 is the clip-space z instead of the fog factor, for
    /// [`FogDepth::Vertex`].
    pub fog_depth: bool,
    /// Vertex stage: bit n set when attribute n is fed by an unsigned integer
    /// format (UBYTE4, USHORT..): it is declared `vec4<u32>` and converted.
    pub uint_attributes: u16,
    /// Vertex stage: bit n set when attribute n is fed by a signed integer
    /// format (SHORT2, SHORT4): it is declared `vec4<i32>` and converted.
    pub sint_attributes: u16,
    /// Vertex stage, vs_3_0: what the pixel function's [`Reflection::link`] expects, so that
    /// semantics beyond COLOR0-1, TEXCOORD0-7 and FOG0 reach it.
    ///
    /// [`Reflection::link`]: crate::Reflection::link
    pub link: Link,
    /// The GPU has no storage buffers: a function that needs [`LargeConstants`] is refused with
    /// [`Error::Bounds`].
    ///
    /// [`LargeConstants`]: crate::LargeConstants
    /// [`Error::Bounds`]: crate::Error::Bounds
    pub uniforms_only: bool,
}

impl Options {
    /// The fields that decide a vertex function, in a fixed order.
    pub(crate) fn vertex_bytes(&self) -> [u8; 86] {
        let mut out = [0; 86];
        out[0] = self.float_rules as u8;
        out[1] = self.flat_shading.into();
        out[2] = self.clip_planes & (0x3F | crate::abi::CLIP_DEPTH);
        out[3] = u8::from(self.point_size)
            | u8::from(self.zero_color) << 1
            | u8::from(self.fog_depth) << 2;
        out[4] = self.depth_bias.into();
        out[5..7].copy_from_slice(&self.uint_attributes.to_le_bytes());
        out[7..9].copy_from_slice(&self.sint_attributes.to_le_bytes());
        for (bytes, rules) in out[9..41].chunks_exact_mut(8).zip(self.samplers) {
            bytes.copy_from_slice(&rules.bytes());
        }
        out[41..81].copy_from_slice(self.link.bytes());
        out[81..85].copy_from_slice(&self.wraps.to_le_bytes());
        out[85] = self.corners;
        out
    }

    /// The fields that decide a pixel function of shader model `major`, in a fixed order.
    pub(crate) fn pixel_bytes(&self, major: u8) -> [u8; 165] {
        let mut out = [0; 165];
        out[0] = self.float_rules as u8;
        out[1] = self.flat_shading.into();
        out[2] = self.alpha_func as u8;
        out[3] = match self.fog {
            _ if major >= 3 => 0,
            Fog::None => 0,
            Fog::Vertex => 1,
            Fog::Full => 2,
            Fog::Table(curve, depth) => 0x10 | (curve as u8) << 2 | depth as u8,
        };
        out[4] = u8::from(self.point_sprite) | u8::from(self.whole_floats) << 1;
        out[5..9].copy_from_slice(&self.missing_inputs.to_le_bytes());
        for (bytes, rules) in out[33..161].chunks_exact_mut(8).zip(self.samplers) {
            bytes.copy_from_slice(&rules.bytes());
        }
        out[27] = self.opaque_outputs & 15;
        out[28] = self.srgb_outputs & 15;
        out[161..].copy_from_slice(&self.wraps.to_le_bytes());
        if major < 2 {
            out[9..11].copy_from_slice(&self.projected.to_le_bytes());
            out[29..33].copy_from_slice(&self.projected_by);
        }
        for (byte, kind) in out[11..27].iter_mut().zip(self.sampler_kinds) {
            *byte = kind.map_or(0, |kind| kind as u8 + 1);
        }
        out
    }
}
