//! Preparing a state, and running vertices through it.

use super::coordinates::Coordinate;
use super::lighting::Lighting;
use super::linear::{
    IDENTITY, Matrix, Vec3, length, normal_matrix, product, rotate, scaled, sum, transform4, unit,
};
use super::state::{Elements, Fog, Points, State, Viewport};

/// One vertex, widened to floats as its declaration types say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vertex {
    /// `POSITION0` (w is 1 where the type has no fourth component), or
    /// `POSITIONT0`: pixels, depth and 1/w.
    pub position: [f32; 4],
    /// `NORMAL0`.
    pub normal: [f32; 3],
    /// `COLOR0` in 0..=1: red, green, blue, alpha.
    pub diffuse: [f32; 4],
    /// `COLOR1`.
    pub specular: [f32; 4],
    /// `PSIZE0`.
    pub point_size: f32,
    /// `BLENDWEIGHT0`.
    pub weights: [f32; 4],
    /// `BLENDINDICES0`: whole numbers, 0..=255.
    pub indices: [f32; 4],
    /// `POSITION1`.
    pub position1: [f32; 4],
    /// `NORMAL1`.
    pub normal1: [f32; 3],
    /// `TEXCOORDn`.
    pub coordinates: [[f32; 4]; 8],
}

impl Default for Vertex {
    fn default() -> Self {
        Self {
            position: [0.0, 0.0, 0.0, 1.0],
            normal: [0.0; 3],
            diffuse: [1.0; 4],
            specular: [0.0; 4],
            point_size: 1.0,
            weights: [0.0; 4],
            indices: [0.0; 4],
            position1: [0.0, 0.0, 0.0, 1.0],
            normal1: [0.0; 3],
            coordinates: [[0.0, 0.0, 0.0, 1.0]; 8],
        }
    }
}

/// What the rasteriser gets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Output {
    /// Clip-space position. [`Viewport::pixels`] makes `XYZRHW` of it.
    pub position: [f32; 4],
    /// Diffuse colour, clamped.
    pub diffuse: [f32; 4],
    /// Specular colour, clamped.
    pub specular: [f32; 4],
    /// Fog factor: 1 no fog, 0 all fog; 1 when fog is off or left to the pixels.
    pub fog: f32,
    /// Size of a point in pixels.
    pub point_size: f32,
    /// What each stage's texture is read at.
    pub coordinates: [[f32; 4]; 8],
    /// Distance from each enabled clip plane, kept where not negative; 0 for the others.
    pub clip_distances: [f32; 6],
}

/// The view-space facts of one vertex.
pub(super) struct Seen {
    /// Place, with the eye at the origin, not divided by `w`.
    pub(super) position: Vec3,
    /// Its fourth component.
    pub(super) w: f32,
    /// Normal; zero where the vertex has none.
    pub(super) normal: Vec3,
}

/// A state made ready for vertices of one declaration.
#[derive(Clone, Debug)]
pub struct Pipeline {
    elements: Elements,
    viewport: Viewport,
    /// World-view matrices: one, or as many as blending names.
    palette: Vec<Matrix>,
    normal: Matrix,
    projection: Matrix,
    /// Matrices that one vertex blends; 0 without blending.
    blended: usize,
    indexed: bool,
    tween: Option<f32>,
    normalize: bool,
    lighting: Option<Lighting>,
    coordinates: [Coordinate; 8],
    fog: Fog,
    points: Points,
    /// Clip planes in view space, and which of them are on.
    planes: [[f32; 4]; 6],
    planes_on: u32,
}

impl Pipeline {
    /// Prepares `state` for vertices that have `elements`.
    #[must_use]
    pub fn new(state: &State<'_>, elements: &Elements) -> Self {
        let blended = match state.vertex_blend {
            weights @ 1..=3 => weights as usize + 1,
            256 => 1,
            _ => 0,
        };
        let indexed = blended != 0 && state.indexed_blend && elements.indices;
        let matrices = if indexed { 256 } else { blended.max(1) };
        let world = |n: usize| state.world.get(n).unwrap_or(&IDENTITY);
        let palette: Vec<_> = (0..matrices)
            .map(|n| product(world(n), &state.view))
            .collect();
        let lit = state.lighting && !elements.pretransformed;
        Self {
            elements: *elements,
            viewport: state.viewport,
            normal: normal_matrix(&palette[0]),
            palette,
            projection: state.projection,
            blended,
            indexed,
            tween: (state.vertex_blend == 255).then_some(state.tween_factor),
            normalize: state.normalize_normals,
            lighting: lit.then(|| Lighting::new(state, elements)),
            coordinates: core::array::from_fn(|n| Coordinate::new(&state.stages[n], elements)),
            fog: state.fog,
            points: state.points,
            planes: state.clip_planes.map(|plane| through(plane, &state.view)),
            planes_on: state.clip_plane_enable & 63,
        }
    }

    /// Processes one vertex.
    #[must_use]
    pub fn run(&self, vertex: &Vertex) -> Output {
        if self.elements.pretransformed {
            return self.pass_through(vertex);
        }
        let (eye, normal) = self.place(vertex);
        let seen = Seen {
            position: [eye[0], eye[1], eye[2]],
            w: eye[3],
            normal: if self.normalize { unit(normal) } else { normal },
        };
        let [diffuse, specular] = match &self.lighting {
            Some(lighting) => lighting.colors(vertex, &seen),
            None => self.own_colors(vertex),
        };
        let mut clip_distances = [0.0; 6];
        for (n, distance) in clip_distances.iter_mut().enumerate() {
            if self.planes_on >> n & 1 != 0 {
                *distance = (0..4).map(|i| eye[i] * self.planes[n][i]).sum();
            }
        }
        Output {
            position: transform4(eye, &self.projection),
            diffuse,
            specular,
            fog: self.fog(vertex, &seen),
            point_size: self.point_size(vertex, Some(&seen)),
            coordinates: core::array::from_fn(|n| self.coordinates[n].run(vertex, &seen)),
            clip_distances,
        }
    }

    /// View-space place and normal.
    fn place(&self, vertex: &Vertex) -> ([f32; 4], Vec3) {
        let mut position = vertex.position;
        let mut normal = if self.elements.normal {
            vertex.normal
        } else {
            [0.0; 3]
        };
        if let Some(t) = self.tween {
            let mix = |a: f32, b: f32| a * (1.0 - t) + b * t;
            if self.elements.position1 {
                position = core::array::from_fn(|i| mix(position[i], vertex.position1[i]));
            }
            if self.elements.normal && self.elements.normal1 {
                normal = core::array::from_fn(|i| mix(normal[i], vertex.normal1[i]));
            }
        }
        if self.blended == 0 {
            return (
                transform4(position, &self.palette[0]),
                rotate(normal, &self.normal),
            );
        }
        let mut eye = [0.0; 4];
        let mut turned = [0.0; 3];
        let mut rest = 1.0;
        for n in 0..self.blended {
            let weight = match (n + 1 == self.blended, self.elements.weights) {
                (true, _) => rest,
                (false, true) => vertex.weights[n],
                (false, false) => 0.0,
            };
            rest -= weight;
            let matrix = &self.palette[self.matrix(vertex, n)];
            let through = transform4(position, matrix);
            eye = core::array::from_fn(|i| eye[i] + weight * through[i]);
            turned = sum(turned, scaled(rotate(normal, matrix), weight));
        }
        (eye, turned)
    }

    /// Which matrix blends `n`-th.
    fn matrix(&self, vertex: &Vertex, n: usize) -> usize {
        if self.indexed {
            // A float casts to the nearest value in range, NaN to 0.
            usize::from(vertex.indices[n].round() as u8)
        } else {
            n
        }
    }

    fn own_colors(&self, vertex: &Vertex) -> [[f32; 4]; 2] {
        let clamped = |on, color: [f32; 4], default| match on {
            true => color.map(|c| c.clamp(0.0, 1.0)),
            false => [default; 4],
        };
        [
            clamped(self.elements.diffuse, vertex.diffuse, 1.0),
            clamped(self.elements.specular, vertex.specular, 0.0),
        ]
    }

    /// `D3DFVF_XYZRHW`: pixels back to clip space, all else as it came.
    fn pass_through(&self, vertex: &Vertex) -> Output {
        let [x, y, z, rhw] = vertex.position;
        let w = if rhw == 0.0 { 1.0 } else { 1.0 / rhw };
        let v = &self.viewport;
        let (half_width, half_height) = (v.width as f32 * 0.5, v.height as f32 * 0.5);
        let ndc = [
            (x - v.x as f32) / half_width - 1.0,
            1.0 - (y - v.y as f32) / half_height,
            z,
        ];
        let [diffuse, specular] = self.own_colors(vertex);
        Output {
            position: [ndc[0] * w, ndc[1] * w, ndc[2] * w, w],
            diffuse,
            specular,
            fog: if self.fog.enable && self.fog.table_mode == 0 {
                self.specular_alpha(vertex)
            } else {
                1.0
            },
            point_size: self.point_size(vertex, None),
            coordinates: core::array::from_fn(|n| self.coordinates[n].untouched(vertex)),
            clip_distances: [0.0; 6],
        }
    }

    fn specular_alpha(&self, vertex: &Vertex) -> f32 {
        if self.elements.specular {
            vertex.specular[3].clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn fog(&self, vertex: &Vertex, seen: &Seen) -> f32 {
        let fog = &self.fog;
        if !fog.enable || fog.table_mode != 0 {
            return 1.0;
        }
        let d = if fog.range || fog.radial {
            length(seen.position)
        } else {
            seen.position[2].abs()
        };
        let factor = match fog.vertex_mode {
            1 => (-d * fog.density).exp(),
            2 => (-(d * fog.density) * (d * fog.density)).exp(),
            3 if fog.start == fog.end && fog.radial => f32::from(d < fog.end),
            // A range without extent is all fog.
            3 if fog.start == fog.end => 0.0,
            3 => (fog.end - d) / (fog.end - fog.start),
            _ => return self.specular_alpha(vertex),
        };
        factor.clamp(0.0, 1.0)
    }

    fn point_size(&self, vertex: &Vertex, seen: Option<&Seen>) -> f32 {
        let p = &self.points;
        let mut size = if self.elements.point_size {
            vertex.point_size
        } else {
            p.size
        };
        if let Some(seen) = seen.filter(|_| p.scale_enable) {
            let d = length(seen.position);
            let [a, b, c] = p.scale;
            size *= self.viewport.height as f32 * (1.0 / (a + b * d + c * d * d)).sqrt();
        }
        size.max(p.min).min(p.max)
    }
}

/// A world-space plane seen through `view`, whose distances stay what they were.
fn through(plane: [f32; 4], view: &Matrix) -> [f32; 4] {
    let view = glam::Mat4::from_cols_array_2d(view);
    // Points go p' = p * view; as columns of glam that is the matrix itself, and
    // planes go by the inverse transpose.
    (view.inverse().transpose() * glam::Vec4::from_array(plane)).to_array()
}
