//! How a program gets texels.

use ninefold_bytecode::SamplerKind;

/// The detail level a fetch asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lod {
    /// From how the coordinate changes within the quad, plus a bias.
    Implicit {
        /// Change of x, y and z from this pixel's left neighbour to its right one.
        dx: [f32; 3],
        /// Change of x, y and z from this pixel's upper neighbour to its lower one.
        dy: [f32; 3],
        /// Levels to add (`texldb`), 0 otherwise.
        bias: f32,
    },
    /// From gradients that the shader gives (`texldd`).
    Gradients {
        /// Change of x, y and z along a row.
        dx: [f32; 3],
        /// Change of x, y and z along a column.
        dy: [f32; 3],
    },
    /// This level (`texldl`).
    Level(f32),
}

/// One texture fetch of one pixel or vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fetch {
    /// Sampler register, or texture stage in ps_1_x.
    pub sampler: u8,
    /// The declared kind. [`SamplerKind::Unknown`] in ps_1_x, which declares none:
    /// the bound texture decides.
    pub kind: SamplerKind,
    /// Where to read, already projected: x and y of a 2D texture, a direction into
    /// a cube texture, x, y and z of a volume texture.
    pub coordinate: [f32; 4],
    /// Which level to read.
    pub lod: Lod,
}

/// The textures of a run.
pub trait Sampler {
    /// The filtered texel, as red, green, blue, alpha.
    fn sample(&mut self, fetch: &Fetch) -> [f32; 4];
}

/// No textures are bound: every fetch is opaque black.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl Sampler for NoTextures {
    fn sample(&mut self, _: &Fetch) -> [f32; 4] {
        [0.0, 0.0, 0.0, 1.0]
    }
}

impl<F: FnMut(&Fetch) -> [f32; 4]> Sampler for F {
    fn sample(&mut self, fetch: &Fetch) -> [f32; 4] {
        self(fetch)
    }
}
