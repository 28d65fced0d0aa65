//! The demo's geometry. Triangles are clockwise seen from the front, as Direct3D 9's default
//! culling wants them; coordinates are left-handed with y up.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::land::{CELLS, EXTENT, Land, Sun};
use super::noise::{mix, random, smoothstep};
use super::paint::{pixel, sky_direction, wooded};

/// `D3DFVF_XYZ | D3DFVF_TEX1`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Textured {
    pub(super) position: [f32; 3],
    pub(super) uv: [f32; 2],
}

/// `D3DFVF_XYZ | D3DFVF_DIFFUSE`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Coloured {
    pub(super) position: [f32; 3],
    pub(super) colour: u32,
}

/// `D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Painted {
    pub(super) position: [f32; 3],
    pub(super) colour: u32,
    pub(super) uv: [f32; 2],
}

/// A vertex of a model drawn by a vertex shader: position, normal, texture coordinate.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Shaped {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) uv: [f32; 2],
}

/// An indexed triangle list.
pub(super) struct Mesh<V> {
    pub(super) vertices: Vec<V>,
    pub(super) indices: Vec<u16>,
}

impl<V> Mesh<V> {
    fn new() -> Self {
        Self {
            vertices: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// Two triangles over corners given clockwise.
    fn quad(&mut self, corners: [usize; 4]) {
        let [a, b, c, d] = corners.map(|corner| corner as u16);
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// The triangles of a `columns` by `rows` grid of cells whose corners begin at `first`, row by
    /// row; clockwise where columns run right and rows run up.
    fn grid(&mut self, first: usize, columns: usize, rows: usize) {
        let corner = |column: usize, row: usize| first + row * (columns + 1) + column;
        for row in 0..rows {
            for column in 0..columns {
                self.quad([
                    corner(column, row),
                    corner(column, row + 1),
                    corner(column + 1, row + 1),
                    corner(column + 1, row),
                ]);
            }
        }
    }
}

/// Cells along a side of one terrain chunk.
pub(super) const CHUNK_CELLS: usize = 128;
/// Vertices of one terrain chunk.
pub(super) const CHUNK_VERTICES: usize = (CHUNK_CELLS + 1) * (CHUNK_CELLS + 1);

/// The terrain as square chunks that share their indices, one after another in `vertices`.
/// `step` is the number of height-map cells under one cell of the mesh; heights below `floor` are
/// raised to it.
pub(super) fn terrain(land: &Land, step: usize, floor: f32) -> Mesh<Textured> {
    let mut mesh = Mesh::new();
    mesh.grid(0, CHUNK_CELLS, CHUNK_CELLS);
    let chunks = CELLS / step / CHUNK_CELLS;
    for chunk in 0..chunks * chunks {
        let (first_column, first_row) =
            (chunk % chunks * CHUNK_CELLS, chunk / chunks * CHUNK_CELLS);
        for row in 0..=CHUNK_CELLS {
            for column in 0..=CHUNK_CELLS {
                let (column, row) = ((first_column + column) * step, (first_row + row) * step);
                let uv = [column as f32 / CELLS as f32, row as f32 / CELLS as f32];
                mesh.vertices.push(Textured {
                    position: [
                        (uv[0] - 0.5) * EXTENT,
                        land.corner(column, row).max(floor),
                        (uv[1] - 0.5) * EXTENT,
                    ],
                    uv,
                });
            }
        }
    }
    mesh
}

/// The lake's surface where there is water under it. Alpha says how deep: 0 at the shore, 1 from
/// six metres on.
pub(super) fn water(land: &Land) -> Mesh<Coloured> {
    const STEP: usize = 4;
    let side = CELLS / STEP;
    let mut mesh = Mesh::new();
    let mut placed = vec![None; (side + 1) * (side + 1)];
    for row in 0..side {
        for column in 0..side {
            let corners = [
                (column, row),
                (column, row + 1),
                (column + 1, row + 1),
                (column + 1, row),
            ];
            if corners
                .iter()
                .all(|(c, r)| land.corner(c * STEP, r * STEP) > 4.0)
            {
                continue;
            }
            let indices = corners.map(|(c, r)| {
                *placed[r * (side + 1) + c].get_or_insert_with(|| {
                    let depth = -land.corner(c * STEP, r * STEP);
                    let metres = |index: usize| (index as f32 / side as f32 - 0.5) * EXTENT;
                    let alpha = (smoothstep(-0.5, 6.0, depth) * 255.0) as u32;
                    mesh.vertices.push(Coloured {
                        position: [metres(c), 0.0, metres(r)],
                        colour: alpha << 24 | 0x00FF_FFFF,
                    });
                    mesh.vertices.len() - 1
                })
            });
            mesh.quad(indices);
        }
    }
    mesh
}

/// The sky around the viewer, seen from inside.
pub(super) fn sky() -> Mesh<Textured> {
    const AROUND: usize = 48;
    const DOWN: usize = 24;
    let mut mesh = Mesh::new();
    for row in 0..=DOWN {
        for column in 0..=AROUND {
            // Closer rows towards the horizon, where the eye is.
            let v = 1.0 - (1.0 - row as f32 / DOWN as f32).powi(2);
            let uv = [column as f32 / AROUND as f32, v];
            mesh.vertices.push(Textured {
                position: (sky_direction(uv[0], v) * 1800.0).to_array(),
                uv,
            });
        }
    }
    // Rows run down here, which turns the winding for the viewer inside.
    let corner = |column: usize, row: usize| row * (AROUND + 1) + column;
    for row in 0..DOWN {
        for column in 0..AROUND {
            mesh.quad([
                corner(column, row),
                corner(column + 1, row),
                corner(column + 1, row + 1),
                corner(column, row + 1),
            ]);
        }
    }
    mesh
}

/// A surface of revolution about y. The profile runs from top to bottom as (radius, height) pairs;
/// texture v runs 0 to 1 along it.
fn revolve(mesh: &mut Mesh<Shaped>, profile: &[Vec2], around: usize) {
    let first = mesh.vertices.len();
    let rows = profile.len() - 1;
    for (row, point) in profile.iter().enumerate() {
        let along = profile[(row + 1).min(rows)] - profile[row.saturating_sub(1)];
        // The profile's tangent points down; turning it outwards gives the normal.
        let outward = Vec2::new(-along.y, along.x).normalize();
        for column in 0..=around {
            let (sin, cos) = (column as f32 / around as f32 * TAU).sin_cos();
            mesh.vertices.push(Shaped {
                position: [point.x * sin, point.y, point.x * cos],
                normal: [outward.x * sin, outward.y, outward.x * cos],
                uv: [column as f32 / around as f32, row as f32 / rows as f32],
            });
        }
    }
    let corner = |column: usize, row: usize| first + row * (around + 1) + column;
    for row in 0..rows {
        for column in 0..around {
            mesh.quad([
                corner(column, row),
                corner(column, row + 1),
                corner(column + 1, row + 1),
                corner(column + 1, row),
            ]);
        }
    }
}

/// A balloon's envelope, one metre in radius, its mouth at the origin.
pub(super) fn envelope() -> Mesh<Shaped> {
    const ROWS: usize = 32;
    let mut profile = Vec::new();
    for row in 0..=ROWS {
        let t = row as f32 / ROWS as f32;
        // A sphere's upper half, then a cone rounded into it that ends in the mouth.
        let angle = t * PI * 0.94;
        let sphere = Vec2::new(angle.sin(), angle.cos());
        let cone = smoothstep(FRAC_PI_2, PI, angle);
        let radius = mix(sphere.x, sphere.x * 0.72 + 0.10, cone);
        profile.push(Vec2::new(
            radius.max(0.001),
            1.62 + mix(sphere.y, sphere.y * 1.62, cone),
        ));
    }
    let mut mesh = Mesh::new();
    revolve(&mut mesh, &profile, 48);
    mesh
}

/// A balloon's basket, its rim at the origin, half a metre wide.
pub(super) fn basket() -> Mesh<Shaped> {
    let profile = [
        Vec2::new(0.30, 0.0),
        Vec2::new(0.33, -0.03),
        Vec2::new(0.29, -0.10),
        Vec2::new(0.26, -0.38),
        Vec2::new(0.22, -0.42),
        Vec2::new(0.001, -0.43),
    ];
    let mut mesh = Mesh::new();
    revolve(&mut mesh, &profile, 16);
    mesh
}

/// A forest of crossed billboards, coloured by the light where each tree stands. The picture's
/// middle column is the trunk.
pub(super) fn trees(land: &Land, sun: &Sun) -> Mesh<Painted> {
    const CANDIDATES: i32 = 230;
    let mut mesh = Mesh::new();
    for row in 0..CANDIDATES {
        for column in 0..CANDIDATES {
            let jitter = |seed: u32| random(column, row, seed);
            let place = |index: i32, offset: f32| {
                ((index as f32 + offset) / CANDIDATES as f32 - 0.5) * EXTENT * 0.72
            };
            let (x, z) = (place(column, jitter(1)), place(row, jitter(2)) - 120.0);
            if jitter(3) > wooded(land, x, z) * 0.75
                || mesh.vertices.len() + 8 > usize::from(u16::MAX)
            {
                continue;
            }
            let base = Vec3::new(x, land.height(x, z) - 0.4, z);
            let tall = mix(9.0, 17.0, jitter(4));
            let light = land.light(x, z, sun) * mix(0.42, 0.58, jitter(5));
            let tint = Vec3::new(mix(0.9, 1.25, jitter(6)), 1.0, mix(0.8, 1.0, jitter(7)));
            let crown = pixel(light * tint, 1.0);
            let foot = pixel(light * tint * 0.5, 1.0);
            let turn = jitter(8) * PI;
            for quarter in [turn, turn + FRAC_PI_2] {
                let across = Vec3::new(quarter.cos(), 0.0, quarter.sin()) * (tall * 0.30);
                let first = mesh.vertices.len();
                for (side, up, colour, uv) in [
                    (-1.0, 0.0, foot, [0.0, 1.0]),
                    (-1.0, 1.0, crown, [0.0, 0.0]),
                    (1.0, 1.0, crown, [1.0, 0.0]),
                    (1.0, 0.0, foot, [1.0, 1.0]),
                ] {
                    let position = (base + across * side + Vec3::Y * (tall * up)).to_array();
                    mesh.vertices.push(Painted {
                        position,
                        colour,
                        uv,
                    });
                }
                mesh.quad([first, first + 1, first + 2, first + 3]);
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal_of(mesh: &Mesh<Shaped>, triangle: usize) -> (Vec3, Vec3) {
        let corner = |i: usize| {
            Vec3::from(mesh.vertices[usize::from(mesh.indices[triangle * 3 + i])].position)
        };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        ((b - a).cross(c - a), (a + b + c) / 3.0)
    }

    #[test]
    fn closed_shapes_wind_clockwise_outside() {
        // In left-handed coordinates the cross product of a clockwise triangle points at the viewer.
        for mesh in [envelope(), basket()] {
            let (low, high) = mesh
                .vertices
                .iter()
                .fold((f32::MAX, f32::MIN), |(low, high), v| {
                    (low.min(v.position[1]), high.max(v.position[1]))
                });
            let middle = Vec3::Y * (low + high) * 0.5;
            let outward = (0..mesh.indices.len() / 3)
                .filter(|triangle| {
                    let (normal, centre) = normal_of(&mesh, *triangle);
                    normal.length() < 1e-7 || normal.dot(centre - middle) > 0.0
                })
                .count();
            // The basket's rim leans inwards, so not every last one.
            assert!(outward * 10 > mesh.indices.len() / 3 * 9);
            for vertex in &mesh.vertices {
                assert!((Vec3::from(vertex.normal).length() - 1.0).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn terrain_faces_up_and_indices_fit() {
        let land = Land::new();
        let mesh = terrain(&land, 2, f32::MIN);
        assert_eq!(mesh.vertices.len(), 4 * CHUNK_VERTICES);
        assert!(
            mesh.indices
                .iter()
                .all(|i| usize::from(*i) < CHUNK_VERTICES)
        );
        let corner = |i: usize| Vec3::from(mesh.vertices[usize::from(mesh.indices[i])].position);
        assert!((corner(1) - corner(0)).cross(corner(2) - corner(0)).y > 0.0);
    }

    #[test]
    fn trees_fit_their_index_type() {
        let mesh = trees(&Land::new(), &Sun::evening());
        assert!(mesh.vertices.len() > 4000, "{}", mesh.vertices.len());
        assert!(
            mesh.indices
                .iter()
                .all(|i| usize::from(*i) < mesh.vertices.len())
        );
    }
}
