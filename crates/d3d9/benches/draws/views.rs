//! A scene that does not change, seen in nine directions: 3,000 static vertex buffers, each drawn
//! once in every view. What the draws copied, and what the CPU took for it, with and without copies
//! of the buffers on the GPU.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, DeviceSettings, Direct3D9, IndexBufferHandle, PresentParameters, Traffic,
    VertexBufferHandle,
};

use crate::scene::{self, SIDE};

const PARTS: usize = 3000;
const VIEWS: usize = 9;
const STRIDE: usize = 32;

/// How static buffers are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// None of the fast paths.
    Plain,
    /// All but copies of the buffers.
    NotResident,
    /// All.
    Resident,
}

pub(crate) struct Views {
    device: Device,
    parts: Vec<VertexBufferHandle>,
    _indices: IndexBufferHandle,
    vertices: usize,
}

/// What a frame took.
pub(crate) struct Cost {
    /// Microseconds of CPU time.
    pub(crate) time: f64,
    /// Bytes of vertices copied, and read of copies.
    pub(crate) copied: u64,
    pub(crate) resident: u64,
}

impl Views {
    /// Parts of so many vertices.
    pub(crate) fn new(settings: &DeviceSettings, vertices: usize, paths: Paths) -> Self {
        let direct3d = Direct3D9::new(DeviceSettings {
            resident_budget: match paths {
                Paths::Resident => settings.resident_budget,
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
        let parts = (0..PARTS)
            .map(|part| {
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
            })
            .collect();
        let count = vertices / 3 * 3;
        let indices = d
            .create_index_buffer(count as u32 * 2, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
            .expect("a buffer");
        d.index_buffer_lock(indices, 0, 0, 0).expect("locked");
        let bytes = d.index_buffer_bytes_mut(indices).expect("bytes");
        for (n, index) in bytes.chunks_exact_mut(2).enumerate() {
            index.copy_from_slice(&(n as u16).to_le_bytes());
        }
        d.index_buffer_unlock(indices).expect("unlocked");
        d.set_indices(Some(indices)).expect("set");
        Self {
            device: d,
            parts,
            _indices: indices,
            vertices,
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
            for (n, part) in self.parts.iter().enumerate() {
                let mut rows = [[0.0f32; 4]; 4];
                for (k, row) in rows.iter_mut().enumerate() {
                    row[k] = 1.0;
                }
                rows[0][3] = (n % 100) as f32 * 0.01 - 0.5;
                rows[1][3] = color - 0.5;
                d.set_vertex_shader_constant_f(0, &rows).expect("set");
                d.set_stream_source(0, Some(*part), 0, STRIDE as u32)
                    .expect("set");
                let (vertices, triangles) = (self.vertices as u32, self.vertices as u32 / 3);
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

/// Prints the table. In a test, of few frames.
pub(crate) fn report(settings: &DeviceSettings, test: bool) {
    let frames = if test { 1 } else { 12 };
    let sizes: &[usize] = if test { &[3] } else { &[12, 48, 192] };
    let draws = (PARTS * VIEWS) as f64;
    println!();
    println!(
        "{PARTS} static buffers in {VIEWS} views, {frames} frames; thread CPU time of a frame:"
    );
    for &vertices in sizes {
        let kinds = [
            ("no fast paths", Paths::Plain),
            ("not resident", Paths::NotResident),
            ("resident", Paths::Resident),
        ];
        let mut all = kinds.map(|(_, paths)| Views::new(settings, vertices, paths));
        let mut costs: [Vec<Cost>; 3] = Default::default();
        for frame in 0..frames + 2 {
            for (views, costs) in all.iter_mut().zip(&mut costs) {
                let cost = views.frame();
                if frame >= 2 {
                    costs.push(cost);
                }
            }
        }
        let pictures = all.each_mut().map(Views::picture);
        assert!(
            pictures[0].chunks_exact(4).any(|p| p[..3] != [0; 3]),
            "it drew"
        );
        assert!(pictures.iter().all(|p| *p == pictures[0]), "the same");
        let mut base = 0.0;
        for ((name, paths), costs) in kinds.into_iter().zip(&mut costs) {
            costs.sort_by(|a, b| a.time.total_cmp(&b.time));
            let (min, median) = (costs[0].time, costs[costs.len() / 2].time);
            if paths == Paths::NotResident {
                base = median;
            }
            let ratio = match base > 0.0 {
                true => format!("  ratio {:.2}", median / base),
                false => String::new(),
            };
            let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
            println!(
                "  {vertices:>4} vertices  {name:<14} min {:.2} ms  median {:.2} ms  ({:.3} us a draw)  copied {:.2} MB, read {:.2} MB{ratio}",
                min / 1e3,
                median / 1e3,
                median / draws,
                mb(costs[0].copied),
                mb(costs[0].resident),
            );
        }
    }
}
