//! The scene through a device.

use std::fmt::Write;

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, Direct3D9, IndexBufferHandle, PresentParameters, TextureHandle, VertexBufferHandle,
};

use crate::scene::{self, SIDE, STRIDE, TEXTURES, VARIANTS, VERTICES};

/// Which call draws.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Primitive,
    Indexed,
    IndexedUp,
    /// From a buffer that does not change.
    Static,
    StaticIndexed,
}

const VERTEX_REGISTERS: usize = scene::VERTEX_CONSTANTS / 16;
const PIXEL_REGISTERS: usize = (scene::CONSTANTS - scene::VERTEX_CONSTANTS) / 16;

pub(crate) struct Scene {
    device: Device,
    textures: Vec<TextureHandle>,
    vertices: VertexBufferHandle,
    fixed: VertexBufferHandle,
    _indices: IndexBufferHandle,
    source: scene::Source,
    constants: Vec<[f32; 4]>,
}

/// A vertex shader that reads its first 32 registers, and a pixel shader that reads 16.
fn shaders() -> (Vec<u32>, Vec<u32>) {
    let mut vs = String::from(
        "vs_2_0\n dcl_position v0\n dcl_color v1\n dcl_texcoord v2\n\
         dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n\
         mul r0, v1, c4\n",
    );
    for n in 5..VERTEX_REGISTERS {
        let _ = writeln!(vs, " add r0, r0, c{n}");
    }
    vs.push_str(" mov oD0, r0\n mov oT0, v2\n");
    let mut ps = String::from(
        "ps_2_0\n dcl v0\n dcl t0.xy\n dcl_2d s0\n texld r0, t0, s0\n mul r0, r0, v0\n",
    );
    for n in 0..PIXEL_REGISTERS {
        let _ = writeln!(ps, " add r0, r0, c{n}");
    }
    ps.push_str(" mov oC0, r0\n");
    let assemble = |text: &str| {
        ninefold_bytecode::assemble(text)
            .expect("assembles")
            .tokens()
            .to_vec()
    };
    (assemble(&vs), assemble(&ps))
}

impl Scene {
    pub(crate) fn new(direct3d: &Direct3D9) -> Self {
        let parameters = PresentParameters {
            enable_auto_depth_stencil: false,
            back_buffer_format: D3DFMT_A8R8G8B8,
            ..PresentParameters::windowed(SIDE, SIDE)
        };
        let mut device = direct3d.create_device(&parameters).expect("a device");
        let (vs, ps) = shaders();
        let vs = device.create_vertex_shader(&vs).expect("a vertex shader");
        let ps = device.create_pixel_shader(&ps).expect("a pixel shader");
        device.set_vertex_shader(Some(vs)).expect("set");
        device.set_pixel_shader(Some(ps)).expect("set");
        device
            .set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1)
            .expect("set");
        device
            .set_render_state(D3DRS_ALPHABLENDENABLE, 1)
            .expect("set");
        device
            .set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)
            .expect("set");
        let textures = (0..TEXTURES)
            .map(|n| {
                let texture = device
                    .create_texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
                    .expect("a texture");
                device.lock_rect((texture, 0), None, 0).expect("locked");
                let bytes = device.locked_bytes_mut((texture, 0)).expect("bytes");
                bytes.copy_from_slice(&scene::texels(n));
                device.unlock_rect((texture, 0)).expect("unlocked");
                texture
            })
            .collect();
        let size = (scene::DRAWS * VERTICES) as u32;
        let usage = D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY;
        let vertices = device
            .create_vertex_buffer(size, usage, 0, D3DPOOL_DEFAULT)
            .expect("a buffer");
        let fixed = device
            .create_vertex_buffer(size, D3DUSAGE_WRITEONLY, 0, D3DPOOL_MANAGED)
            .expect("a buffer");
        let source = scene::source();
        device.vertex_buffer_lock(fixed, 0, 0, 0).expect("locked");
        let bytes = device.vertex_buffer_bytes_mut(fixed).expect("bytes");
        for (draw, bytes) in bytes.chunks_exact_mut(VERTICES).enumerate() {
            bytes.copy_from_slice(&source.vertices[draw % VARIANTS * VERTICES..][..VERTICES]);
        }
        device.vertex_buffer_unlock(fixed).expect("unlocked");
        let indices = device
            .create_index_buffer(6, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
            .expect("a buffer");
        device.index_buffer_lock(indices, 0, 0, 0).expect("locked");
        let bytes = device.index_buffer_bytes_mut(indices).expect("bytes");
        bytes.copy_from_slice(&[0, 0, 1, 0, 2, 0]);
        device.index_buffer_unlock(indices).expect("unlocked");
        let constants = source
            .constants
            .chunks_exact(16)
            .map(|c| {
                core::array::from_fn(|i| {
                    f32::from_le_bytes(c[i * 4..][..4].try_into().expect("four"))
                })
            })
            .collect();
        device.set_indices(Some(indices)).expect("set");
        Self {
            device,
            textures,
            vertices,
            fixed,
            _indices: indices,
            source,
            constants,
        }
    }

    /// Draws and submits a frame, with the fast paths or without; microseconds of CPU time.
    pub(crate) fn frame(&mut self, draws: usize, call: Call, fast: bool) -> f64 {
        self.device.set_draw_fast_paths(fast).expect("switched");
        const DEST: [u32; 8] = [
            D3DBLEND_ZERO,
            D3DBLEND_ONE,
            D3DBLEND_SRCALPHA,
            D3DBLEND_INVSRCALPHA,
            D3DBLEND_DESTCOLOR,
            D3DBLEND_INVDESTCOLOR,
            D3DBLEND_SRCCOLOR,
            D3DBLEND_INVSRCCOLOR,
        ];
        let Self {
            device: d,
            textures,
            vertices,
            fixed,
            source,
            constants,
            ..
        } = self;
        let start = scene::cpu_time();
        d.clear(&[], D3DCLEAR_TARGET, 0xFF00_0000, 1.0, 0)
            .expect("cleared");
        if call == Call::IndexedUp {
            d.set_stream_source(0, None, 0, 0).expect("set");
        } else {
            let buffer = match call {
                Call::Static | Call::StaticIndexed => *fixed,
                _ => *vertices,
            };
            d.set_stream_source(0, Some(buffer), 0, STRIDE as u32)
                .expect("set");
            d.set_indices(Some(self._indices)).expect("set");
        }
        for draw in 0..draws {
            let variant = draw % VARIANTS;
            if draw.is_multiple_of(4) {
                d.set_render_state(D3DRS_DESTBLEND, DEST[draw / 4 % 8])
                    .expect("set");
            }
            if draw.is_multiple_of(2) {
                d.set_texture(0, Some(textures[draw / 2 % TEXTURES].into()))
                    .expect("set");
            }
            let registers = VERTEX_REGISTERS + PIXEL_REGISTERS;
            let (vs, ps) = constants[variant * registers..][..registers].split_at(VERTEX_REGISTERS);
            d.set_vertex_shader_constant_f(0, vs).expect("set");
            d.set_pixel_shader_constant_f(0, ps).expect("set");
            let bytes = &source.vertices[variant * VERTICES..][..VERTICES];
            if call == Call::IndexedUp {
                let indices = [0, 0, 1, 0, 2, 0];
                d.draw_indexed_primitive_up(
                    D3DPT_TRIANGLELIST,
                    0,
                    3,
                    1,
                    &indices,
                    D3DFMT_INDEX16,
                    bytes,
                    STRIDE as u32,
                )
                .expect("drawn");
                continue;
            }
            if !matches!(call, Call::Static | Call::StaticIndexed) {
                let (at, size) = ((draw * VERTICES) as u32, VERTICES as u32);
                let flags = if draw == 0 {
                    D3DLOCK_DISCARD
                } else {
                    D3DLOCK_NOOVERWRITE
                };
                d.vertex_buffer_lock(*vertices, at, size, flags)
                    .expect("locked");
                d.vertex_buffer_bytes_mut(*vertices)
                    .expect("bytes")
                    .copy_from_slice(bytes);
                d.vertex_buffer_unlock(*vertices).expect("unlocked");
            }
            let first = draw as u32 * 3;
            match call {
                Call::Primitive | Call::Static => d.draw_primitive(D3DPT_TRIANGLELIST, first, 1),
                _ => d.draw_indexed_primitive(D3DPT_TRIANGLELIST, first as i32, 0, 3, 0, 1),
            }
            .expect("drawn");
        }
        d.flush().expect("submitted");
        let time = scene::cpu_time() - start;
        self.drew();
        time
    }

    /// Whether anything is in the picture; waits for the GPU.
    pub(crate) fn drew(&mut self) -> bool {
        let back = self.device.get_back_buffer(0, 0).expect("a back buffer");
        let picture = self.device.read_surface(back).expect("a picture");
        self.device.release(back).expect("released");
        picture.bgra.chunks_exact(4).any(|p| p[..3] != [0, 0, 0])
    }
}
