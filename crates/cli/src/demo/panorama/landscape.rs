//! The landscape: hills under a vertex shader, towers of rock under the fixed function, a sky
//! without fog.

use bytemuck::{Pod, Zeroable, cast_slice};
use glam::{Mat4, Vec3};
use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, HResult, PanoramaView, PixelShaderHandle, Result, VertexDeclarationHandle,
    VertexElement, VertexShaderHandle,
};

use crate::demo::noise::{fbm, mix, random, smoothstep};
use crate::demo::paint::pixel;
use crate::demo::states::{end_stages, fixed_function, matrix, set, stage};

/// Metres along a side of the hills.
const EXTENT: f32 = 1800.0;
/// Cells along a side.
const CELLS: usize = 120;
/// Where fog begins and where nothing else is left, metres.
const FOG: (f32, f32) = (30.0, 620.0);
const HAZE: Vec3 = Vec3::new(0.78, 0.80, 0.84);

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Vertex {
    position: [f32; 3],
    color: u32,
}

#[derive(Default)]
struct Mesh {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
}

impl Mesh {
    /// A sheet of `across` by `down` cells, each corner made by `corner`.
    fn sheet(&mut self, across: usize, down: usize, corner: impl Fn(f32, f32) -> Vertex) {
        let first = self.vertices.len();
        for row in 0..=down {
            for column in 0..=across {
                let (u, v) = (column as f32 / across as f32, row as f32 / down as f32);
                self.vertices.push(corner(u, v));
            }
        }
        let at = |column, row| (first + row * (across + 1) + column) as u16;
        for row in 0..down {
            for column in 0..across {
                let [a, b, c, d] = [
                    at(column, row),
                    at(column + 1, row),
                    at(column, row + 1),
                    at(column + 1, row + 1),
                ];
                self.indices.extend([a, b, c, c, b, d]);
            }
        }
    }

    fn draw(&self, device: &mut Device) -> Result<()> {
        device.draw_indexed_primitive_up(
            D3DPT_TRIANGLELIST,
            0,
            self.vertices.len() as u32,
            (self.indices.len() / 3) as u32,
            cast_slice(&self.indices),
            D3DFMT_INDEX16,
            cast_slice(&self.vertices),
            size_of::<Vertex>() as u32,
        )
    }
}

/// All that is drawn, and where it is seen from.
pub(super) struct Landscape {
    pub(super) eye: Vec3,
    hills: Mesh,
    towers: Mesh,
    sky: Mesh,
    vertex: VertexShaderHandle,
    pixel: PixelShaderHandle,
    declaration: VertexDeclarationHandle,
}

impl Landscape {
    pub(super) fn new(device: &mut Device) -> Result<Self> {
        let tokens = |text: &str| {
            let code = assemble(text).map_err(|error| {
                tracing::error!(target: "ninefold::demo", %error, "a shader does not assemble");
                HResult::INVALIDCALL
            })?;
            Ok(code.tokens().to_vec())
        };
        let vertex = device.create_vertex_shader(&tokens(include_str!("fogged.vs.asm"))?)?;
        let pixel = device.create_pixel_shader(&tokens("ps_1_1\nmov r0, v0\n")?)?;
        let declaration = device.create_vertex_declaration(&[
            VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
            VertexElement::new(0, 12, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
        ])?;
        let eye = Vec3::new(0.0, height(0.0, 0.0) + 78.0, 0.0);
        Ok(Self {
            eye,
            hills: hills(),
            towers: towers(),
            sky: sky(eye),
            vertex,
            pixel,
            declaration,
        })
    }

    /// Draws everything for one view.
    pub(super) fn draw(&self, device: &mut Device, view: &PanoramaView) -> Result<()> {
        let haze = pixel(HAZE, 1.0);
        device.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, haze, 1.0, 0)?;
        set(
            device,
            &[
                (D3DRS_LIGHTING, 0),
                (D3DRS_CULLMODE, D3DCULL_NONE),
                (D3DRS_ZENABLE, D3DZB_FALSE),
                (D3DRS_FOGENABLE, 0),
                (D3DRS_FOGCOLOR, haze),
                (D3DRS_FOGTABLEMODE, D3DFOG_NONE),
                (D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR),
                (D3DRS_FOGSTART, FOG.0.to_bits()),
                (D3DRS_FOGEND, FOG.1.to_bits()),
            ],
        )?;
        fixed_function(device, D3DFVF_XYZ | D3DFVF_DIFFUSE)?;
        stage(device, 0, D3DTOP_SELECTARG1, D3DTA_DIFFUSE)?;
        end_stages(device, 1)?;
        self.sky.draw(device)?;
        set(device, &[(D3DRS_ZENABLE, D3DZB_TRUE), (D3DRS_FOGENABLE, 1)])?;
        self.towers.draw(device)?;

        let [to_view, projection] =
            [view.view, view.projection].map(|m| Mat4::from_cols_array_2d(&m));
        device.set_vertex_shader(Some(self.vertex))?;
        device.set_pixel_shader(Some(self.pixel))?;
        device.set_vertex_declaration(Some(self.declaration))?;
        matrix(device, 0, projection * to_view)?;
        let eye = self.eye.extend(2.0).to_array();
        device.set_vertex_shader_constant_f(4, &[eye])?;
        device.set_vertex_shader_constant_f(6, &[view.fog_plane(FOG.0, FOG.1)])?;
        device.set_vertex_shader_constant_f(9, &[[1.0; 4]])?;
        self.hills.draw(device)?;
        device.set_vertex_shader(None)?;
        device.set_pixel_shader(None)
    }
}

/// Metres above the valley.
fn height(x: f32, z: f32) -> f32 {
    let far = smoothstep(60.0, 620.0, x.hypot(z));
    let hills = fbm(x / 310.0, z / 310.0, 4, 0, 5);
    26.0 * hills + far * (60.0 + 130.0 * fbm(x / 520.0, z / 520.0, 3, 0, 17))
}

/// Brightness of a slope under a high sun.
fn lit(normal: Vec3) -> f32 {
    let sun = Vec3::new(0.45, 0.75, -0.35).normalize();
    0.35 + 0.65 * normal.dot(sun).max(0.0)
}

fn hills() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.sheet(CELLS, CELLS, |u, v| {
        let (x, z) = ((u - 0.5) * EXTENT, (v - 0.5) * EXTENT);
        let step = EXTENT / CELLS as f32;
        let slope = Vec3::new(
            height(x - step, z) - height(x + step, z),
            2.0 * step,
            height(x, z - step) - height(x, z + step),
        );
        let y = height(x, z);
        let grass = Vec3::new(0.20, 0.36, 0.13);
        let heath = Vec3::new(0.42, 0.34, 0.20);
        let color = grass.lerp(heath, smoothstep(0.0, 70.0, y));
        Vertex {
            position: [x, y, z],
            color: pixel(color * lit(slope.normalize()), 1.0),
        }
    });
    mesh
}

/// Towers of rock around the eye, some of them over it.
fn towers() -> Mesh {
    let mut mesh = Mesh::default();
    for n in 0..30 {
        let jitter = |seed: u32| random(n, 7, seed);
        let turn = (n as f32 + jitter(1) * 0.7) / 30.0 * std::f32::consts::TAU;
        let away = mix(95.0, 330.0, jitter(2));
        let (x, z) = (away * turn.sin(), away * turn.cos());
        let foot = height(x, z) - 12.0;
        let tall = mix(110.0, 300.0, jitter(3));
        let wide = mix(11.0, 26.0, jitter(4));
        let shade = mix(0.75, 1.05, jitter(5));
        mesh.sheet(20, 24, |u, v| {
            let around = u * std::f32::consts::TAU;
            // Narrower with height, rounded at the top.
            let narrow = mix(1.0, 0.62, v) * (1.0 - smoothstep(0.86, 1.0, v)).sqrt();
            let bumps = 1.0 + 0.12 * (3.0 * around + 7.0 * v + jitter(6) * 6.0).sin();
            let out = Vec3::new(around.sin(), 0.0, around.cos());
            let place = Vec3::new(x, foot + tall * v, z) + out * (wide * narrow * bumps);
            let rock = Vec3::new(0.46, 0.33, 0.25).lerp(Vec3::new(0.62, 0.50, 0.38), v);
            Vertex {
                position: place.to_array(),
                color: pixel(rock * (lit((out + Vec3::Y * 0.2).normalize()) * shade), 1.0),
            }
        });
    }
    mesh
}

/// A sphere around the eye: haze below the horizon, blue above.
fn sky(eye: Vec3) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.sheet(48, 40, |u, v| {
        let (turn, rise) = (u * std::f32::consts::TAU, (v - 0.5) * std::f32::consts::PI);
        let out = Vec3::new(turn.sin() * rise.cos(), rise.sin(), turn.cos() * rise.cos());
        let color = HAZE.lerp(Vec3::new(0.34, 0.52, 0.78), smoothstep(0.05, 0.9, out.y));
        Vertex {
            position: (eye + out * 1500.0).to_array(),
            color: pixel(color, 1.0),
        }
    });
    mesh
}
