//! Calls in any order with any arguments: no panic, and nothing left when everything is released.

#[path = "../common/mod.rs"]
mod common;

mod ask;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// A small generator (xorshift): the same calls in every run. `NINEFOLD_SEEDS` asks for more runs.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % below
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() {
            None
        } else {
            Some(from[self.roll(from.len() as u32) as usize])
        }
    }

    /// Mostly small numbers, at times wild ones.
    fn number(&mut self) -> u32 {
        match self.roll(12) {
            0 => u32::MAX - self.roll(3),
            1 => 1 << self.roll(32),
            2 => self.roll(u32::MAX),
            _ => self.roll(9),
        }
    }

    /// Mostly a size that every format takes.
    fn size(&mut self) -> u32 {
        match self.roll(6) {
            0 => self.number(),
            n => 4 << (n % 3),
        }
    }

    fn rect(&mut self) -> Option<Rect> {
        let mut n = || self.number() as i32;
        let r = Rect::new(n(), n(), n(), n());
        (self.roll(3) != 0).then_some(r)
    }
}

#[derive(Default)]
struct Things {
    textures: Vec<BaseTexture>,
    flat: Vec<TextureHandle>,
    surfaces: Vec<SurfaceHandle>,
    vertices: Vec<VertexBufferHandle>,
    indices: Vec<IndexBufferHandle>,
    declarations: Vec<VertexDeclarationHandle>,
    vertex_shaders: Vec<VertexShaderHandle>,
    pixel_shaders: Vec<PixelShaderHandle>,
    queries: Vec<QueryHandle>,
    blocks: Vec<StateBlockHandle>,
    chains: Vec<SwapChainHandle>,
    /// What must be released, once for each time.
    owned: Vec<ObjectHandle>,
}

const FORMATS: [u32; 12] = [
    D3DFMT_A8R8G8B8,
    D3DFMT_X8R8G8B8,
    D3DFMT_R5G6B5,
    D3DFMT_L8,
    D3DFMT_DXT1,
    D3DFMT_DXT5,
    D3DFMT_A16B16G16R16F,
    D3DFMT_D24S8,
    D3DFMT_A8,
    D3DFMT_P8,
    D3DFMT_R8G8B8,
    D3DFMT_V8U8,
];
const USAGES: [u32; 6] = [
    0,
    0,
    D3DUSAGE_DYNAMIC,
    D3DUSAGE_RENDERTARGET,
    D3DUSAGE_DEPTHSTENCIL,
    D3DUSAGE_AUTOGENMIPMAP,
];

fn create(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let (w, h) = (r.size(), r.size());
    let format = r.pick(&FORMATS).unwrap_or(0);
    let usage = r.pick(&USAGES).unwrap_or(0);
    let levels = r.roll(3);
    let pool = if r.roll(3) == 0 { r.roll(5) } else { r.roll(2) };
    match r.roll(12) {
        0..=2 => {
            if let Ok(h) = d.create_texture(w, h, levels, usage, format, pool) {
                t.textures.push(h.into());
                t.flat.push(h);
                t.owned.push(h.into());
            }
        }
        3 => {
            if let Ok(h) = d.create_cube_texture(w, levels, usage, format, pool) {
                t.textures.push(h.into());
                t.owned.push(h.into());
            }
        }
        4 => {
            if let Ok(h) = d.create_volume_texture(w, h, r.number(), levels, usage, format, pool) {
                t.textures.push(h.into());
                t.owned.push(h.into());
            }
        }
        5 => {
            let made = match r.roll(3) {
                0 => d.create_render_target(w, h, format, r.number(), 0, r.roll(2) == 0),
                1 => d.create_depth_stencil_surface(w, h, format, r.number(), 0, true),
                _ => d.create_offscreen_plain_surface(w, h, format, pool),
            };
            if let Ok(h) = made {
                t.surfaces.push(h);
                t.owned.push(h.into());
            }
        }
        6 => {
            if let Ok(h) =
                d.create_vertex_buffer(w.saturating_mul(64), usage & D3DUSAGE_DYNAMIC, 0, pool)
            {
                t.vertices.push(h);
                t.owned.push(h.into());
            }
        }
        7 => {
            let format = if r.roll(2) == 0 {
                D3DFMT_INDEX16
            } else {
                D3DFMT_INDEX32
            };
            if let Ok(h) = d.create_index_buffer(w.saturating_mul(8), 0, format, pool) {
                t.indices.push(h);
                t.owned.push(h.into());
            }
        }
        8 => {
            let e = VertexElement::new(
                r.roll(3) as u16,
                r.roll(9) as u16 * 4,
                r.roll(18) as u8,
                r.roll(15) as u8,
                0,
            );
            let p = VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
            if let Ok(h) = d.create_vertex_declaration(&[p, e]) {
                t.declarations.push(h);
                t.owned.push(h.into());
            }
        }
        9 => {
            if let Ok(h) = d.create_query(r.number()) {
                t.queries.push(h);
                t.owned.push(h.into());
            }
        }
        10 => {
            if let Ok(h) = d.create_state_block(r.roll(5)) {
                t.blocks.push(h);
                t.owned.push(h.into());
            }
        }
        _ => {
            let mut p = PresentParameters::windowed(w.min(64), h.min(64));
            p.swap_effect = r.number();
            p.back_buffer_count = r.number();
            if let Ok(h) = d.create_additional_swap_chain(&p) {
                t.chains.push(h);
                t.owned.push(h.into());
            }
        }
    }
}

fn own_surface(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let made = match r.pick(&t.textures) {
        Some(BaseTexture::Texture(h)) => d.get_surface_level(h, r.number()),
        Some(BaseTexture::Cube(h)) => d.get_cube_map_surface(h, r.number(), r.number()),
        Some(BaseTexture::Volume(h)) => {
            if let Ok(v) = d.get_volume_level(h, r.number()) {
                t.owned.push(v.into());
            }
            return;
        }
        None => d.get_back_buffer(0, r.number()),
    };
    if let Ok(s) = made {
        t.surfaces.push(s);
        t.owned.push(s.into());
    }
}

fn set(d: &mut Device, r: &mut Dice, t: &Things) {
    let (a, b, c) = (r.number(), r.number(), r.number());
    let surface = r.pick(&t.surfaces);
    let _ = match r.roll(20) {
        0..=3 => d.set_render_state(r.roll(215), c),
        4 | 5 => d.set_texture_stage_state(a, r.roll(36), b),
        6 => d.set_sampler_state(a, r.roll(16), b),
        7 | 8 => d.set_texture(a, r.pick(&t.textures)),
        9 => d.set_transform(r.roll(520), &[[c as f32; 4]; 4]),
        10 => d.set_render_target(a, surface),
        11 => d.set_depth_stencil_surface(surface),
        12 => d.set_viewport(&Viewport {
            x: a,
            y: b,
            width: c,
            height: r.number(),
            min_z: 0.0,
            max_z: 1.0,
        }),
        13 => d.set_scissor_rect(r.rect().unwrap_or_default()),
        14 => d.set_stream_source(a, r.pick(&t.vertices), b, c),
        15 => d.set_stream_source_freq(a, b),
        16 => d.set_indices(r.pick(&t.indices)),
        17 => d.set_vertex_declaration(r.pick(&t.declarations)),
        18 => d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE | (c & 0xF00)),
        _ => d.light_enable(a, true),
    };
}

fn act(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let data = [0x3Fu8; 512];
    let (a, b, c) = (r.number(), r.number(), r.number());
    let pair = (r.pick(&t.surfaces), r.pick(&t.surfaces));
    match r.roll(24) {
        0 => drop(d.clear(
            &r.rect().into_iter().collect::<Vec<_>>(),
            r.roll(9),
            a,
            0.5,
            b,
        )),
        1 => drop(d.draw_primitive(r.roll(8), a, b)),
        2 => drop(d.draw_indexed_primitive(r.roll(8), a as i32, 0, b, c, r.number())),
        3 => drop(d.draw_primitive_up(r.roll(8), a, &data, b)),
        4 => {
            let format = if r.roll(2) == 0 {
                D3DFMT_INDEX16
            } else {
                D3DFMT_INDEX32
            };
            let _ = d.draw_indexed_primitive_up(
                r.roll(8),
                0,
                0,
                a,
                &data[..c.min(512) as usize],
                format,
                &data,
                b,
            );
        }
        5 | 6 => {
            let target = match (r.pick(&t.textures), pair.0) {
                (Some(BaseTexture::Texture(h)), _) => (h, a).into(),
                (Some(BaseTexture::Cube(h)), _) => (h, a, b).into(),
                (Some(BaseTexture::Volume(h)), _) => LevelTarget::VolumeTexture(h, a),
                (None, Some(s)) => s.into(),
                _ => return,
            };
            let flags = (r.roll(2) * D3DLOCK_READONLY) | (r.roll(2) * D3DLOCK_DISCARD);
            let locked = if matches!(target, LevelTarget::VolumeTexture(..)) {
                d.lock_box(target, None, flags).map(|l| l.len)
            } else {
                d.lock_rect(target, r.rect(), flags).map(|l| l.len)
            };
            if let Ok(len) = locked {
                let bytes = d.locked_bytes_mut(target).expect("locked");
                assert_eq!(bytes.len(), len);
                bytes.fill(c as u8);
                d.unlock_rect(target).expect("locked");
            }
        }
        7 => {
            if let (Some(x), Some(y)) = pair {
                let _ = d.stretch_rect(x, r.rect(), y, r.rect(), r.roll(4));
            }
        }
        8 => {
            if let (Some(x), Some(y)) = pair {
                let _ = d.update_surface(
                    x,
                    r.rect(),
                    y,
                    Some(Point {
                        x: a as i32,
                        y: b as i32,
                    }),
                );
                let _ = d.get_render_target_data(x, y);
            }
        }
        9 => {
            if let (Some(x), Some(y)) = (r.pick(&t.textures), r.pick(&t.textures)) {
                let _ = d.update_texture(x, y);
                let _ = d.generate_mip_sub_levels(x);
                let _ = d.set_lod(y, a);
            }
        }
        10 => {
            if let Some(x) = pair.0 {
                let _ = d.color_fill(x, r.rect(), a);
                let _ = d.read_surface(x);
            }
        }
        11 => {
            if let Some(q) = r.pick(&t.queries) {
                let _ = d.query_issue(q, r.roll(4));
                let _ = d.query_get_data(q, r.roll(2));
            }
        }
        12 => {
            if let Some(block) = r.pick(&t.blocks) {
                let _ = if r.roll(2) == 0 {
                    d.state_block_apply(block)
                } else {
                    d.state_block_capture(block)
                };
            }
        }
        13 => {
            let _ = match r.pick(&t.chains) {
                Some(chain) => d.swap_chain_present(chain),
                None => d.present(),
            };
        }
        14 => {
            if d.begin_state_block().is_ok() {
                for _ in 0..r.roll(6) {
                    set(d, r, t);
                }
                let h = d.end_state_block().expect("recording");
                t.blocks.push(h);
                t.owned.push(h.into());
            }
        }
        15..=18 => {
            let _ = d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1);
            let v = textured_quad(0.0, 0.0, a as f32, b as f32, c);
            let _ = d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 28);
        }
        19 | 20 => {
            let _ = d.set_fvf(D3DFVF_XYZ);
            let _ = d.set_stream_source(0, r.pick(&t.vertices), 0, 12);
            let _ = d.draw_primitive(1 + r.roll(6), 0, 1 + r.roll(3));
            let _ = d.set_indices(r.pick(&t.indices));
            let _ = d.draw_indexed_primitive(1 + r.roll(6), 0, 0, 4, r.roll(2), 1 + r.roll(3));
        }
        21 => {
            let _ = d.set_software_vertex_processing(r.roll(2) == 0);
            let declaration = r.pick(&t.declarations).filter(|_| r.roll(2) == 0);
            if let Some(to) = r.pick(&t.vertices) {
                let _ = d.process_vertices(r.roll(3), r.roll(3), a, to, declaration, r.roll(3));
            }
        }
        _ => {
            if let Some(vb) = r.pick(&t.vertices)
                && d.vertex_buffer_lock(vb, a, b, 0).is_ok()
            {
                d.vertex_buffer_bytes_mut(vb).expect("locked").fill(c as u8);
                d.vertex_buffer_unlock(vb).expect("locked");
            }
            let _ = d.reset(&PresentParameters::windowed(a.min(64), 16));
        }
    }
}

/// Makes `calls` calls, then releases and unbinds everything: nothing is left.
fn sequence(d: &mut Device, seed: u64, calls: u32) {
    let mut r = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut t = Things::default();
    for _ in 0..calls {
        match r.roll(13) {
            0 | 1 => create(d, &mut r, &mut t),
            2 => own_surface(d, &mut r, &mut t),
            3..=6 => set(d, &mut r, &t),
            7 | 8 => act(d, &mut r, &mut t),
            9 | 10 => ask::shade(d, &mut r, &mut t),
            11 => ask::ask(d, &mut r, &mut t),
            // Released here, the handle stays in the lists and may be stale from now on.
            _ => {
                if !t.owned.is_empty() {
                    let at = r.roll(t.owned.len() as u32) as usize;
                    d.release(t.owned.swap_remove(at)).expect("owned");
                }
            }
        }
    }
    for h in t.owned.drain(..) {
        d.release(h).expect("owned");
    }
    // Reset unbinds what only the device still holds; targets are bound by hand.
    for index in 1..4 {
        d.set_render_target(index, None).unwrap();
    }
    d.set_depth_stencil_surface(None).unwrap();
    let back = d.get_back_buffer(0, 0).unwrap();
    d.set_render_target(0, Some(back)).unwrap();
    d.release(back).unwrap();
    for slot in (0..16).chain(D3DDMAPSAMPLER..=D3DVERTEXTEXTURESAMPLER3) {
        d.set_texture(slot, None).unwrap();
    }
    for stream in 0..16 {
        d.set_stream_source(stream, None, 0, 0).unwrap();
    }
    d.set_indices(None).unwrap();
    d.set_vertex_declaration(None).unwrap();
    d.set_vertex_shader(None).unwrap();
    d.set_pixel_shader(None).unwrap();
    d.set_panorama_pass(None);
    assert_eq!(d.object_count(), 0, "seed {seed}");
    d.reset(&PresentParameters::windowed(16, 16)).unwrap();
    draw_quad(d, -1.0, -1.0, 16.0, 16.0, 0.5, 0xFF12_3456);
    assert_eq!(
        pixels(d).count(0x123456),
        256,
        "the device still draws after seed {seed}"
    );
}

/// Few long sequences, which get into odd states, and many short ones, which begin from none.
#[test]
fn any_calls_in_any_order_do_no_harm() {
    let Some(direct3d) = direct3d_with(|settings| settings.renderer.radial_fog = true) else {
        return;
    };
    let mut d = direct3d
        .create_device_with(
            &PresentParameters::windowed(16, 16),
            D3DCREATE_MIXED_VERTEXPROCESSING,
        )
        .unwrap();
    let seeds = std::env::var("NINEFOLD_SEEDS").ok();
    let long = seeds.and_then(|s| s.parse().ok()).unwrap_or(24u64);
    for seed in 1..=long {
        sequence(&mut d, seed, 2000);
    }
    for seed in 1..=100 * long {
        sequence(&mut d, 1_000_000 + seed, 25);
    }
}
