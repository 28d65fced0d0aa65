//! A scene that does not change, seen in nine directions: static buffers, each drawn once in every
//! view. What the draws copied, and what the CPU took for it, with and without copies of the buffers
//! on the GPU.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, DeviceSettings, Direct3D9, IndexBufferHandle, PresentParameters, Traffic,
    VertexBufferHandle,
};

use crate::scene::{self, SIDE};

const VIEWS: usize = 9;
const STRIDE: usize = 32;

/// How static buffers are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// None of the fast paths.
    Plain,
    /// All but copies of the buffers.
    NotResident,
    /// All but copies of index buffers.
    Vertices,
    /// All.
    Resident,
}

/// What is drawn.
#[derive(Clone, Copy)]
struct Shape {
    /// Vertex buffers, and their vertices.
    parts: usize,
    vertices: usize,
    /// Indices of a part, multiples of 3.
    indices: usize,
    /// All parts have one index buffer.
    shared: bool,
}

pub(crate) struct Views {
    device: Device,
    parts: Vec<(VertexBufferHandle, IndexBufferHandle)>,
    shape: Shape,
}

/// What a frame took.
pub(crate) struct Cost {
    /// Microseconds of CPU time.
    pub(crate) time: f64,
    /// Bytes of vertices copied, and bytes read of copies.
    pub(crate) copied: u64,
    pub(crate) resident: u64,
}

fn vertex_buffer(d: &mut Device, part: usize, vertices: usize) -> VertexBufferHandle {
    let size = (vertices * STRIDE) as u32;
    let buffer = d
        .create_vertex_buffer(size, D3DUSAGE_WRITEONLY, 0, D3DPOOL_MANAGED)
        .expect("a buffer");
    d.vertex_buffer_lock(buffer, 0, 0, 0).expect("locked");
    let bytes = d.vertex_buffer_bytes_mut(buffer).expect("bytes");
    for (n, vertex) in bytes.chunks_exact_mut(STRIDE).enumerate() {
        // Small triangles, so that drawing them disturbs the measurement little.
        let at = |k: usize| ((part * 7 + n * k) % 61) as f32 / 61.0 - 0.5;
        let near = [[0.0, 0.0], [0.01, 0.0], [0.0, 0.01]][n % 3];
        let position = [at(0) + near[0], at(0) - near[1], 0.5];
        for (k, value) in position.iter().enumerate() {
            vertex[k * 4..k * 4 + 4].copy_from_slice(&value.to_le_bytes());
        }
        vertex[12..].fill((part + n) as u8 & 0x3F);
    }
    d.vertex_buffer_unlock(buffer).expect("unlocked");
    buffer
}

/// 16-bit indices of all vertices, over and over. Dynamic ones get no copies.
fn index_buffer(d: &mut Device, shape: &Shape, dynamic: bool) -> IndexBufferHandle {
    let (usage, pool) = match dynamic {
        true => (D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT),
        false => (D3DUSAGE_WRITEONLY, D3DPOOL_MANAGED),
    };
    let size = shape.indices as u32 * 2;
    let buffer = d
        .create_index_buffer(size, usage, D3DFMT_INDEX16, pool)
        .expect("a buffer");
    d.index_buffer_lock(buffer, 0, 0, 0).expect("locked");
    let bytes = d.index_buffer_bytes_mut(buffer).expect("bytes");
    for (n, index) in bytes.chunks_exact_mut(2).enumerate() {
        index.copy_from_slice(&((n % shape.vertices) as u16).to_le_bytes());
    }
    d.index_buffer_unlock(buffer).expect("unlocked");
    buffer
}

impl Views {
    fn new(settings: &DeviceSettings, shape: Shape, paths: Paths) -> Self {
        let direct3d = Direct3D9::new(DeviceSettings {
            resident_budget: match paths {
                Paths::Resident | Paths::Vertices => settings.resident_budget,
                _ => 0,
            },
            ..settings.clone()
        })
        .expect("an adapter");
        let parameters = PresentParameters {
            enable_auto_depth_stencil: false,
            back_buffer_format: D3DFMT_A8R8G8B8,
            ..PresentParameters::windowed(SIDE, SIDE)
        };
        let mut d = direct3d.create_device(&parameters).expect("a device");
        d.set_draw_fast_paths(paths != Paths::Plain).expect("set");
        let text = "vs_2_0\n dcl_position v0\n dcl_normal v1\n dcl_texcoord v2\n\
                    dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n dp4 oPos.z, v0, c2\n\
                    dp4 oPos.w, v0, c3\n mad oD0, v1, c4, c5\n mov oT0, v2\n";
        let shader = ninefold_bytecode::assemble(text).expect("assembles");
        let shader = d.create_vertex_shader(shader.tokens()).expect("a shader");
        d.set_vertex_shader(Some(shader)).expect("set");
        d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1)
            .expect("set");
        d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)
            .expect("set");
        let dynamic = paths == Paths::Vertices;
        let mut indices = None;
        let parts = (0..shape.parts)
            .map(|part| {
                let vertices = vertex_buffer(&mut d, part, shape.vertices);
                let indices = match indices {
                    Some(indices) if shape.shared => indices,
                    _ => *indices.insert(index_buffer(&mut d, &shape, dynamic)),
                };
                (vertices, indices)
            })
            .collect();
        Self {
            device: d,
            parts,
            shape,
        }
    }

    /// Draws and submits the nine views, and waits for them.
    pub(crate) fn frame(&mut self) -> Cost {
        let d = &mut self.device;
        let before = d.traffic();
        let start = scene::cpu_time();
        d.clear(&[], D3DCLEAR_TARGET, 0xFF00_0000, 1.0, 0)
            .expect("cleared");
        for view in 0..VIEWS {
            let color = view as f32 / VIEWS as f32;
            let rest = [[0.5; 4], [color, 0.5, 0.5, 1.0]];
            d.set_vertex_shader_constant_f(4, &rest).expect("set");
            for (n, (part, indices)) in self.parts.iter().enumerate() {
                let mut rows = [[0.0f32; 4]; 4];
                for (k, row) in rows.iter_mut().enumerate() {
                    row[k] = 1.0;
                }
                rows[0][3] = (n % 100) as f32 * 0.01 - 0.5;
                rows[1][3] = color - 0.5;
                d.set_vertex_shader_constant_f(0, &rows).expect("set");
                d.set_stream_source(0, Some(*part), 0, STRIDE as u32)
                    .expect("set");
                d.set_indices(Some(*indices)).expect("set");
                let Shape {
                    vertices, indices, ..
                } = self.shape;
                let (vertices, triangles) = (vertices as u32, indices as u32 / 3);
                d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, vertices, 0, triangles)
                    .expect("drawn");
            }
        }
        d.flush().expect("submitted");
        let time = scene::cpu_time() - start;
        let after = d.traffic();
        let moved = |of: fn(&Traffic) -> u64| of(&after) - of(&before);
        let cost = Cost {
            time,
            copied: moved(|t| t.arena_vertex_bytes),
            resident: moved(|t| t.resident_bytes),
        };
        self.picture();
        cost
    }

    /// The picture; waits for the GPU.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let back = self.device.get_back_buffer(0, 0).expect("a back buffer");
        let picture = self.device.read_surface(back).expect("a picture");
        self.device.release(back).expect("released");
        picture.bgra
    }
}

/// Prints the tables. In a test, of few frames.
pub(crate) fn report(settings: &DeviceSettings, test: bool) {
    let rounds = if test { 1 } else { 12 };
    println!();
    println!(
        "static buffers in {VIEWS} views, {rounds} frames of each kind in turn; thread CPU time of a \
         frame. Ratios are to the first kind: of the least, of the medians, and the median of the \
         ratios of frames side by side:"
    );
    let sizes: &[usize] = if test { &[3] } else { &[12, 48, 192] };
    for &vertices in sizes {
        let shape = Shape {
            parts: 3000,
            vertices,
            indices: vertices / 3 * 3,
            shared: true,
        };
        println!("  {vertices} vertices, one index buffer for all:");
        let kinds = [
            ("not resident", Paths::NotResident),
            ("resident", Paths::Resident),
            ("vertices only", Paths::Vertices),
            ("no fast paths", Paths::Plain),
        ];
        compare(settings, shape, &kinds, rounds);
    }
    // Fewer parts where they have more indices: the software driver draws them all.
    let shapes: &[(usize, usize, usize)] = match test {
        true => &[(30, 3, 3)],
        false => &[
            (3000, 24, 36),
            (2000, 50, 129),
            (1000, 100, 300),
            (200, 600, 3000),
        ],
    };
    for &(parts, vertices, indices) in shapes {
        let shape = Shape {
            parts,
            vertices,
            indices,
            shared: false,
        };
        println!("  {parts} index buffers of {indices} indices, {vertices} vertices each:");
        let kinds = [
            ("vertices only", Paths::Vertices),
            ("resident", Paths::Resident),
            ("not resident", Paths::NotResident),
        ];
        compare(settings, shape, &kinds, rounds);
    }
}

/// Draws frames of each kind in turn, in alternating order, and compares them with the first.
fn compare(settings: &DeviceSettings, shape: Shape, kinds: &[(&str, Paths)], rounds: usize) {
    let mut all: Vec<Views> = kinds
        .iter()
        .map(|(_, paths)| Views::new(settings, shape, *paths))
        .collect();
    let mut costs: Vec<Vec<Cost>> = kinds.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds + 2 {
        for n in 0..kinds.len() {
            let kind = match round % 2 {
                0 => n,
                _ => kinds.len() - 1 - n,
            };
            let cost = all[kind].frame();
            if round >= 2 {
                costs[kind].push(cost);
            }
        }
    }
    let pictures: Vec<Vec<u8>> = all.iter_mut().map(Views::picture).collect();
    assert!(
        pictures[0].chunks_exact(4).any(|p| p[..3] != [0; 3]),
        "it drew"
    );
    assert!(pictures.iter().all(|p| *p == pictures[0]), "the same");
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        (values[0], values[values.len() / 2])
    };
    let times = |costs: &[Cost]| costs.iter().map(|cost| cost.time).collect::<Vec<_>>();
    let (base_least, base_median) = middle(times(&costs[0]));
    for ((name, _), own) in kinds.iter().zip(&costs) {
        let (least, median) = middle(times(own));
        let pairs = own.iter().zip(&costs[0]);
        let (_, side_by_side) = middle(pairs.map(|(a, b)| a.time / b.time).collect());
        let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!(
            "    {name:<14} least {:.2} ms  median {:.2} ms ({:.3} us a draw)  copied {:.1} MB, read {:.1} MB  ratios {:.3} {:.3} {side_by_side:.3}",
            least / 1e3,
            median / 1e3,
            median / (shape.parts * VIEWS) as f64,
            mb(own[0].copied),
            mb(own[0].resident),
            least / base_least,
            median / base_median,
        );
    }
}
