//! Vertex shaders that sample textures: the CPU reads what the GPU reads.

use super::*;

const EDGE: u32 = 64;
const FLOATS: u32 = D3DFMT_A32B32G32R32F;

/// Positions that fill one pixel each, coordinates for the texture, and the texel handed on.
const VERTEX: &str = "vs_3_0\n dcl_position v0\n dcl_texcoord v1\n dcl_KIND s0\n \
    dcl_position o0\n dcl_texcoord o1\n texldl r0, v1, s0\n mov o0, v0\n mov o1, r0\n";
const PIXEL: &str = "ps_3_0\n dcl_texcoord v0\n mov oC0, v0\n";

struct Rig {
    d: Device,
    target: SurfaceHandle,
    memory: SurfaceHandle,
    /// Where the points' coordinates lead.
    coordinates: Vec<[f32; 4]>,
    out: VertexDeclarationHandle,
}

impl Rig {
    fn open() -> Option<Self> {
        let mut d = device(EDGE, EDGE)?;
        let target = d
            .create_render_target(EDGE, EDGE, FLOATS, 0, 0, false)
            .unwrap();
        let memory = d
            .create_offscreen_plain_surface(EDGE, EDGE, FLOATS, D3DPOOL_SYSTEMMEM)
            .unwrap();
        d.set_render_target(0, Some(target)).unwrap();
        d.set_render_state(D3DRS_ZENABLE, D3DZB_FALSE).unwrap();
        let code = assemble(PIXEL).unwrap();
        let pixel = d.create_pixel_shader(code.tokens()).unwrap();
        d.set_pixel_shader(Some(pixel)).unwrap();
        let mut seed = 77u32;
        let mut next = |low: f32, high: f32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            low + (high - low) * (seed >> 8) as f32 / (1 << 24) as f32
        };
        let coordinates: Vec<[f32; 4]> = (0..256)
            .map(|_| {
                [
                    next(-1.6, 2.4),
                    next(-1.6, 2.4),
                    next(-1.6, 2.4),
                    next(-0.5, 3.5),
                ]
            })
            .collect();
        let mut vertices = Vec::new();
        for (n, at) in coordinates.iter().enumerate() {
            let (x, y) = (n as f32 % EDGE as f32, (n as u32 / EDGE) as f32);
            let half = EDGE as f32 / 2.0;
            vertices.extend(bytes(&[x / half - 1.0, 1.0 - y / half, 0.5, 1.0]));
            vertices.extend(bytes(at));
        }
        let elements = [
            element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0),
            element(16, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_TEXCOORD, 0),
        ];
        source(&mut d, &elements, 32, &vertices);
        let out = [element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_TEXCOORD, 0)];
        let out = d.create_vertex_declaration(&out).unwrap();
        Some(Self {
            d,
            target,
            memory,
            coordinates,
            out,
        })
    }

    fn program(&mut self, kind: &str) {
        shader(&mut self.d, &VERTEX.replace("KIND", kind));
    }

    fn sampler(&mut self, states: &[(u32, u32)]) {
        for &(state, value) in states {
            self.d
                .set_sampler_state(D3DVERTEXTEXTURESAMPLER0, state, value)
                .unwrap();
        }
    }

    /// What both make of the texture that is bound: so many different values at least.
    fn compare(&mut self, what: &str, least: usize) {
        let d = &mut self.d;
        let count = self.coordinates.len() as u32;
        let to = blank(d, 0, 16 * count as usize);
        d.process_vertices(0, 0, count, to, Some(self.out), 0)
            .unwrap_or_else(|code| panic!("{what}: {code}: {}", d.last_error()));
        let processed = contents(d, to);
        d.release(to).unwrap();
        d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
        d.draw_primitive(D3DPT_POINTLIST, 0, count).unwrap();
        d.get_render_target_data(self.target, self.memory).unwrap();
        let lock = d.lock_rect(self.memory, None, D3DLOCK_READONLY).unwrap();
        let drawn = d.locked_bytes_mut(self.memory).unwrap().to_vec();
        d.unlock_rect(self.memory).unwrap();
        let values: std::collections::HashSet<&[u8]> = drawn.chunks_exact(16).collect();
        assert!(values.len() > least, "{what}: {} values", values.len());
        let mut wrong = 0;
        for n in 0..count as usize {
            let at = n / EDGE as usize * lock.pitch as usize + n % EDGE as usize * 16;
            let (cpu, gpu) = (floats::<4>(&processed, 16 * n), floats::<4>(&drawn, at));
            // The GPU filters with 8 bits of a share; points may fall on either side of an edge.
            let far = cpu
                .iter()
                .zip(gpu)
                .any(|(a, b)| (a - b).abs() > 0.02 * (1.0 + a.abs()));
            if far {
                wrong += 1;
                assert!(
                    wrong <= 2,
                    "{what}, {:?}: the CPU has {cpu:?}, the GPU {gpu:?}",
                    self.coordinates[n]
                );
            }
        }
    }
}

/// Bytes that make numbers of moderate size in any format.
fn pattern(n: usize, format: u32, seed: u32) -> Vec<u8> {
    let byte = |i: usize| (i * 37 + i / 7 * 11 + seed as usize * 53) as u8;
    match format {
        D3DFMT_R32F | FLOATS => (0..n / 4)
            .flat_map(|i| (f32::from(byte(i)) / 64.0 - 1.0).to_le_bytes())
            .collect(),
        // Halves between 1 and 4.
        D3DFMT_A16B16G16R16F | D3DFMT_G16R16F => (0..n / 2)
            .flat_map(|i| (0x3C00 | u16::from(byte(i)) << 3).to_le_bytes())
            .collect(),
        _ => (0..n).map(byte).collect(),
    }
}

fn write(d: &mut Device, level: impl Into<LevelTarget> + Copy, format: u32, seed: u32) {
    d.lock_rect(level, None, 0).unwrap();
    let memory = d.locked_bytes_mut(level).unwrap();
    let texels = pattern(memory.len(), format, seed);
    memory.copy_from_slice(&texels);
    d.unlock_rect(level).unwrap();
}

#[test]
fn formats_filters_addresses_and_levels() {
    let Some(mut rig) = Rig::open() else { return };
    rig.program("2d");
    for format in [
        D3DFMT_A8R8G8B8,
        D3DFMT_X8R8G8B8,
        D3DFMT_R5G6B5,
        D3DFMT_L8,
        D3DFMT_V8U8,
        D3DFMT_A2B10G10R10,
        D3DFMT_G16R16,
        D3DFMT_R32F,
        D3DFMT_A16B16G16R16F,
        FLOATS,
        D3DFMT_DXT1,
        D3DFMT_DXT5,
    ] {
        let d = &mut rig.d;
        let texture = d
            .create_texture(8, 4, 0, 0, format, D3DPOOL_MANAGED)
            .unwrap();
        for level in 0..4 {
            write(d, LevelTarget::Texture(texture, level), format, level);
        }
        d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(texture.into()))
            .unwrap();
        for (filter, mip) in [
            (D3DTEXF_POINT, D3DTEXF_NONE),
            (D3DTEXF_POINT, D3DTEXF_POINT),
            (D3DTEXF_LINEAR, D3DTEXF_NONE),
            (D3DTEXF_LINEAR, D3DTEXF_LINEAR),
        ] {
            let wide = matches!(format, FLOATS | D3DFMT_R32F);
            if wide && filter == D3DTEXF_LINEAR {
                continue;
            }
            rig.sampler(&[
                (D3DSAMP_MINFILTER, filter),
                (D3DSAMP_MAGFILTER, filter),
                (D3DSAMP_MIPFILTER, mip),
                (D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP),
                (D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP),
            ]);
            rig.compare(&format!("format {format}, filters {filter} {mip}"), 4);
        }
        let (u, v) = (format % 5 + 1, (format + 2) % 5 + 1);
        rig.sampler(&[
            (D3DSAMP_MINFILTER, D3DTEXF_POINT),
            (D3DSAMP_MAGFILTER, D3DTEXF_POINT),
            (D3DSAMP_MIPFILTER, D3DTEXF_NONE),
            (D3DSAMP_ADDRESSU, u),
            (D3DSAMP_ADDRESSV, v),
        ]);
        rig.compare(&format!("format {format}, addresses {u} {v}"), 4);
        rig.d.set_texture(D3DVERTEXTEXTURESAMPLER0, None).unwrap();
        rig.d.release(texture).unwrap();
    }
}

#[test]
fn cubes_volumes_targets_and_nothing() {
    let Some(mut rig) = Rig::open() else { return };
    rig.program("cube");
    rig.compare("no cube", 1);
    let d = &mut rig.d;
    let format = D3DFMT_A8R8G8B8;
    let cube = d
        .create_cube_texture(4, 1, 0, format, D3DPOOL_MANAGED)
        .unwrap();
    for face in 0..6 {
        write(d, LevelTarget::Cube(cube, face, 0), format, face);
    }
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(cube.into()))
        .unwrap();
    rig.compare("a cube", 40);
    rig.program("2d");
    rig.compare("a cube where the shader has a 2D texture", 1);
    rig.program("volume");
    let d = &mut rig.d;
    let volume = d
        .create_volume_texture(4, 4, 4, 1, 0, format, D3DPOOL_MANAGED)
        .unwrap();
    let level = LevelTarget::VolumeTexture(volume, 0);
    d.lock_box(level, None, 0).unwrap();
    let memory = d.locked_bytes_mut(level).unwrap();
    let texels = pattern(memory.len(), format, 0);
    memory.copy_from_slice(&texels);
    d.unlock_box(level).unwrap();
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(volume.into()))
        .unwrap();
    rig.compare("a volume", 40);
    // What the GPU drew is read back.
    rig.program("2d");
    let d = &mut rig.d;
    let drawn = d
        .create_texture(4, 4, 1, D3DUSAGE_RENDERTARGET, format, D3DPOOL_DEFAULT)
        .unwrap();
    let surface = d.get_surface_level(drawn, 0).unwrap();
    d.color_fill(surface, None, 0x8040_20C0).unwrap();
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(drawn.into()))
        .unwrap();
    rig.compare("a target", 1);
}

#[test]
fn coordinates_without_end_lead_to_the_edges() {
    let Some(mut d) = device(16, 16) else { return };
    let texture = d
        .create_texture(2, 1, 1, 0, FLOATS, D3DPOOL_MANAGED)
        .unwrap();
    let level = LevelTarget::Texture(texture, 0);
    d.lock_rect(level, None, 0).unwrap();
    let texels = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    let memory = d.locked_bytes_mut(level).unwrap();
    memory[..32].copy_from_slice(&bytes(texels.as_flattened()));
    d.unlock_rect(level).unwrap();
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(texture.into()))
        .unwrap();
    let text = VERTEX.replace("KIND", "2d").replace("v1", "v0");
    shader(&mut d, &text.replace(" dcl_texcoord v0\n", ""));
    let ends = [f32::INFINITY, 1e30, f32::NEG_INFINITY, -1e30];
    let vertices: Vec<f32> = ends.iter().flat_map(|u| [*u, 0.5, 0.0, 0.0]).collect();
    let place = element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
    source(&mut d, &[place], 16, &bytes(&vertices));
    let out = d
        .create_vertex_declaration(&[element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_TEXCOORD, 0)])
        .unwrap();
    let to = blank(&mut d, 0, 64);
    for filter in [D3DTEXF_POINT, D3DTEXF_LINEAR] {
        for (state, value) in [
            (D3DSAMP_MINFILTER, filter),
            (D3DSAMP_MAGFILTER, filter),
            (D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP),
            (D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP),
        ] {
            d.set_sampler_state(D3DVERTEXTEXTURESAMPLER0, state, value)
                .unwrap();
        }
        d.process_vertices(0, 0, 4, to, Some(out), 0).unwrap();
        let made = contents(&mut d, to);
        for (n, edge) in [1, 1, 0, 0].into_iter().enumerate() {
            assert_eq!(floats::<4>(&made, 16 * n), texels[edge], "{}", ends[n]);
        }
    }
}
