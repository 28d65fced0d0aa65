//! The constants of a fixed-function vertex function, written on the CPU.
//!
//! A [`VertexBlock`] takes the place of the vertex float register file: 256
//! rows of four floats at fixed places, and more where it has a large palette. A generated function reads only the
//! sections its key needs and says which in `Reflection::float_ranges`, so the
//! caller uploads it exactly as it uploads the constants of a program.

use bytemuck::{Pod, Zeroable};

use super::matrix::{self, Matrix};
use super::vertex_key::light_type;

/// Lights that one vertex function evaluates (`MaxActiveLights`).
pub const MAX_LIGHTS: usize = 8;

/// World matrices an indexed blend can name (`MaxVertexBlendMatrixIndex` + 1).
pub const MAX_PALETTE: usize = 50;

/// World matrices of a large palette, which software vertex processing has: every
/// `D3DTS_WORLDMATRIX`.
pub const LARGE_PALETTE: usize = 256;

/// First row and number of rows of each section.
pub(super) mod row {
    use super::{MAX_LIGHTS, MAX_PALETTE};

    pub(in crate::fixed) const WORLD_VIEW_PROJECTION: u16 = 0;
    pub(in crate::fixed) const WORLD_VIEW: u16 = 4;
    pub(in crate::fixed) const NORMAL: u16 = 8;
    pub(in crate::fixed) const PROJECTION: u16 = 11;
    pub(in crate::fixed) const TEXTURE: u16 = 15;
    pub(in crate::fixed) const MATERIAL: u16 = TEXTURE + 32;
    pub(in crate::fixed) const AMBIENT: u16 = MATERIAL + 4;
    pub(in crate::fixed) const LIGHT_COUNTS: u16 = AMBIENT + 1;
    pub(in crate::fixed) const LIGHTS: u16 = LIGHT_COUNTS + 1;
    pub(in crate::fixed) const LIGHT_ROWS: u16 = 6;
    pub(in crate::fixed) const FOG: u16 = LIGHTS + LIGHT_ROWS * MAX_LIGHTS as u16;
    pub(in crate::fixed) const POINT: u16 = FOG + 1;
    pub(in crate::fixed) const PALETTE: u16 = POINT + 2;
    pub(in crate::fixed) const PALETTE_ROWS: u16 = 3;
    const END: u16 = PALETTE + PALETTE_ROWS * MAX_PALETTE as u16;
    const _: () = assert!(END as usize <= super::ROWS);
}

/// Rows of a block without a large palette.
pub const ROWS: usize = 256;

/// Rows of a block with one.
const LARGE_ROWS: usize = row::PALETTE as usize + row::PALETTE_ROWS as usize * LARGE_PALETTE;

/// A `D3DLIGHT9`, byte for byte.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct Light {
    /// `D3DLIGHTTYPE`: 1 point, 2 spot, 3 directional; others are ignored.
    pub ty: u32,
    /// Diffuse colour, not clamped.
    pub diffuse: [f32; 4],
    /// Specular colour.
    pub specular: [f32; 4],
    /// Ambient colour.
    pub ambient: [f32; 4],
    /// World-space position.
    pub position: [f32; 3],
    /// World-space direction the light shines in; any length.
    pub direction: [f32; 3],
    /// Distance beyond which a point or spot light has no effect.
    pub range: f32,
    /// Exponent between the spot's inner and outer cone.
    pub falloff: f32,
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
    /// Full angle of the inner cone in radians.
    pub theta: f32,
    /// Full angle of the outer cone in radians.
    pub phi: f32,
}

/// A `D3DMATERIAL9`, byte for byte.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct Material {
    /// Diffuse colour; its alpha is the vertex's alpha.
    pub diffuse: [f32; 4],
    /// Ambient colour.
    pub ambient: [f32; 4],
    /// Specular colour.
    pub specular: [f32; 4],
    /// Emissive colour.
    pub emissive: [f32; 4],
    /// Specular exponent.
    pub power: f32,
}

const _: () = assert!(size_of::<Light>() == 104 && size_of::<Material>() == 68);

/// The constants of fixed-function vertex functions. Each setter writes one
/// section, so a caller that tracks what changed rewrites only that.
#[derive(Clone)]
pub struct VertexBlock {
    rows: Vec<[f32; 4]>,
    /// World matrices that there is room for.
    palette: usize,
}

impl core::fmt::Debug for VertexBlock {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("VertexBlock").finish_non_exhaustive()
    }
}

impl Default for VertexBlock {
    fn default() -> Self {
        Self::new()
    }
}

impl VertexBlock {
    /// A block in Direct3D's initial state: identity transforms, a black
    /// material and no lights.
    #[must_use]
    pub fn new() -> Self {
        let mut block = Self {
            rows: vec![[0.0; 4]; ROWS],
            palette: MAX_PALETTE,
        };
        block.set_transforms(&matrix::IDENTITY, &matrix::IDENTITY, &matrix::IDENTITY);
        for stage in 0..8 {
            block.set_texture_transform(stage, &matrix::IDENTITY);
        }
        block.set_fog(0.0, 1.0, 1.0);
        block
    }

    /// All rows, in the place of the vertex float constants.
    #[must_use]
    pub fn rows(&self) -> &[[f32; 4]] {
        &self.rows
    }

    /// World matrices that there is room for: [`MAX_PALETTE`] or [`LARGE_PALETTE`].
    #[must_use]
    pub fn palette_len(&self) -> usize {
        self.palette
    }

    /// Makes room for [`LARGE_PALETTE`] world matrices; those not set yet are zero.
    pub fn enlarge_palette(&mut self) {
        self.rows.resize(LARGE_ROWS, [0.0; 4]);
        self.palette = LARGE_PALETTE;
    }

    /// `D3DTS_WORLD`, `D3DTS_VIEW`, `D3DTS_PROJECTION`. Also sets palette
    /// entry 0. Lights are in view space: set them again when the view changes.
    pub fn set_transforms(&mut self, world: &Matrix, view: &Matrix, projection: &Matrix) {
        let world_view = matrix::multiply(world, view);
        let all = matrix::multiply(&world_view, projection);
        self.columns(row::WORLD_VIEW_PROJECTION, &all);
        self.columns(row::WORLD_VIEW, &world_view);
        self.columns(row::PROJECTION, projection);
        for (j, [x, y, z]) in matrix::normal_columns(&world_view).into_iter().enumerate() {
            self.rows[row::NORMAL as usize + j] = [x, y, z, 0.0];
        }
        self.palette(0, &world_view);
    }

    /// `D3DTS_WORLDMATRIX(index)` for vertex blending, with the view it is
    /// seen through. Entry 0 belongs to [`Self::set_transforms`]; entries at
    /// or past [`Self::palette_len`] are ignored.
    pub fn set_world_matrix(&mut self, index: usize, world: &Matrix, view: &Matrix) {
        self.palette(index, &matrix::multiply(world, view));
    }

    fn palette(&mut self, index: usize, world_view: &Matrix) {
        if index < self.palette {
            let base = (row::PALETTE + row::PALETTE_ROWS * index as u16) as usize;
            for j in 0..row::PALETTE_ROWS as usize {
                self.rows[base + j] = matrix::column(world_view, j);
            }
        }
    }

    /// `D3DTS_TEXTURE0 + stage`, stage 0..=7; others are ignored.
    pub fn set_texture_transform(&mut self, stage: usize, transform: &Matrix) {
        if stage < 8 {
            self.columns(row::TEXTURE + 4 * stage as u16, transform);
        }
    }

    /// `SetMaterial`.
    pub fn set_material(&mut self, material: &Material) {
        let base = row::MATERIAL as usize;
        let [r, g, b, _] = material.emissive;
        self.rows[base] = material.diffuse;
        self.rows[base + 1] = material.ambient;
        self.rows[base + 2] = material.specular;
        self.rows[base + 3] = [r, g, b, material.power];
    }

    /// `D3DRS_AMBIENT`, as red, green, blue, alpha in 0..=1.
    pub fn set_ambient(&mut self, ambient: [f32; 4]) {
        self.rows[row::AMBIENT as usize] = ambient;
    }

    /// `D3DRS_FOGSTART`, `D3DRS_FOGEND`, `D3DRS_FOGDENSITY`.
    ///
    /// With `start == end` linear vertex fog is all fog, whatever the distance.
    pub fn set_fog(&mut self, start: f32, end: f32, density: f32) {
        let scale = if start == end {
            0.0
        } else {
            fog_scale(start, end)
        };
        self.rows[row::FOG as usize] = [start, end, scale, density];
    }

    /// The same for radial fog, which has a step where `start == end`: none before the end, all from
    /// there on.
    pub fn set_radial_fog(&mut self, start: f32, end: f32, density: f32) {
        self.rows[row::FOG as usize] = [start, end, fog_scale(start, end), density];
    }

    /// `D3DRS_POINTSIZE`, `_MIN`, `_MAX`, the three `D3DRS_POINTSCALE_*`
    /// factors and the viewport's height in pixels. The factors and the height
    /// matter only to keys with [`super::point::SCALE`].
    pub fn set_points(&mut self, size: f32, range: [f32; 2], scale: [f32; 3], height: f32) {
        let base = row::POINT as usize;
        self.rows[base] = [size, range[0], range[1], height];
        self.rows[base + 1] = [scale[0], scale[1], scale[2], 0.0];
    }

    /// The enabled lights, seen through `view`; those past [`MAX_LIGHTS`] are ignored.
    /// Returns the bits for `VertexKey::light_types`.
    ///
    /// Their order does not matter to the result: directional lights are
    /// stored first, then point, then spot lights.
    pub fn set_lights<'a>(
        &mut self,
        view: &Matrix,
        lights: impl Iterator<Item = &'a Light> + Clone,
    ) -> u8 {
        const ORDER: [(u32, u8); 3] = [
            (3, light_type::DIRECTIONAL),
            (1, light_type::POINT),
            (2, light_type::SPOT),
        ];
        let lights = lights.filter(|l| (1..=3).contains(&l.ty)).take(MAX_LIGHTS);
        let mut types = 0;
        let mut counts = [0.0; 4];
        let mut slot = 0;
        for (place, (ty, bit)) in ORDER.into_iter().enumerate() {
            for light in lights.clone().filter(|l| l.ty == ty) {
                let base = (row::LIGHTS + row::LIGHT_ROWS * slot) as usize;
                self.rows[base..base + row::LIGHT_ROWS as usize]
                    .copy_from_slice(&light_rows(light, view));
                slot += 1;
                counts[place] += 1.0;
                types |= bit;
            }
        }
        self.rows[row::LIGHT_COUNTS as usize] = counts;
        types
    }

    fn columns(&mut self, first: u16, m: &Matrix) {
        for j in 0..4 {
            self.rows[first as usize + j] = matrix::column(m, j);
        }
    }
}

/// The factor linear table fog multiplies `end - d` by. With `start == end` that is a step: no
/// fog before the end, all from there on.
#[must_use]
pub fn fog_scale(start: f32, end: f32) -> f32 {
    let scale = (end - start).recip();
    if scale.is_finite() { scale } else { f32::MAX }
}

fn light_rows(light: &Light, view: &Matrix) -> [[f32; 4]; row::LIGHT_ROWS as usize] {
    let inner = (light.theta * 0.5).cos();
    // An inner cone wider than the outer one is all there is.
    let outer = (light.phi * 0.5).cos().min(inner);
    let band = (inner - outer).recip();
    let rgb = |c: [f32; 4], w| [c[0], c[1], c[2], w];
    let xyz = |v: [f32; 3], w| [v[0], v[1], v[2], w];
    [
        rgb(light.diffuse, inner),
        rgb(light.specular, outer),
        rgb(
            light.ambient,
            if band.is_finite() { band } else { f32::MAX },
        ),
        xyz(matrix::transform_point(light.position, view), light.range),
        xyz(
            matrix::transform_direction(light.direction, view),
            light.falloff,
        ),
        xyz(light.attenuation, 0.0),
    ]
}
