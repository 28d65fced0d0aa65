//! What the two functions of a draw, and its vertices, decide for each other.

use ninefold_shader::{Link, SamplerRules, abi};

/// What the rest of a draw decides about its vertex function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct VertexLink {
    /// Elements fetched as unsigned integers: by attribute for programs, by `fixed::input` bit for
    /// fixed-function processing.
    pub(crate) unsigned: u16,
    /// Elements fetched as signed integers.
    pub(crate) signed: u16,
    /// `D3DRS_DEPTHBIAS` or `D3DRS_SLOPESCALEDEPTHBIAS` is not 0.
    pub(crate) depth_bias: bool,
    /// The function says itself what depths are cut off.
    pub(crate) clip_depth: bool,
    /// The primitives are points.
    pub(crate) points: bool,
    /// Sets that wrap, and the corners of primitives that do.
    pub(crate) wraps: u32,
    pub(crate) corners: u8,
    /// How samplers read.
    pub(crate) samplers: [SamplerRules; 4],
    /// What the pixel function takes beyond the common semantics.
    pub(crate) varyings: Link,
    /// The pixel function is ps_3_0.
    pub(crate) zero_color: bool,
}

impl VertexLink {
    pub(crate) fn depth_planes(&self) -> u8 {
        match self.clip_depth {
            true => abi::CLIP_DEPTH,
            false => 0,
        }
    }
}

/// What the rest of a draw decides about its pixel function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct PixelLink {
    /// Varyings that the vertex function lacks.
    pub(crate) missing_inputs: u32,
    /// Sets that wrap.
    pub(crate) wraps: u32,
    /// How samplers read.
    pub(crate) samplers: [SamplerRules; 16],
    /// The primitives are points.
    pub(crate) points: bool,
}
