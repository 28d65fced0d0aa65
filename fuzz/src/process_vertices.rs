//! ProcessVertices with everything that a caller chooses taken from the input: declarations, token
//! streams, FVF codes, strides, offsets, counts and states. `crates/d3d9/tests/process_vertices`
//! includes this file and runs it for a moment in every `cargo test`.

#![allow(unreachable_pub)]

use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// Bytes of an input that choose; the rest is a token stream.
const CHOICES: usize = 384;

/// What a destination holds before.
const BLANK: u8 = 0xCD;

/// The input, read from the front; zeros when it has ended.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *byte
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.byte()))
    }

    fn roll(&mut self, below: u32) -> u32 {
        match below {
            ..=256 => u32::from(self.byte()) % below,
            _ => self.word() % below,
        }
    }

    /// Mostly small, at times anything.
    fn number(&mut self) -> u32 {
        match self.roll(8) {
            0 => u32::MAX - self.roll(3),
            1 => 1 << self.roll(32),
            2 => self.word(),
            _ => self.roll(12),
        }
    }

    /// Bytes without a pattern.
    fn noise(&mut self, len: usize) -> Vec<u8> {
        let mut noise = self.word();
        (0..len)
            .map(|_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            })
            .collect()
    }
}

/// Mostly a position and some others; at times nonsense.
fn elements(r: &mut Bytes<'_>, streams: u32) -> Vec<VertexElement> {
    let mut elements = Vec::new();
    for (usage, index, chance) in [
        (D3DDECLUSAGE_POSITION, 0, 8),
        (D3DDECLUSAGE_POSITIONT, 0, 1),
        (D3DDECLUSAGE_NORMAL, 0, 6),
        (D3DDECLUSAGE_BLENDWEIGHT, 0, 6),
        (D3DDECLUSAGE_BLENDINDICES, 0, 6),
        (D3DDECLUSAGE_COLOR, 0, 5),
        (D3DDECLUSAGE_TEXCOORD, 0, 6),
        (D3DDECLUSAGE_TEXCOORD, 1, 3),
        (D3DDECLUSAGE_FOG, 0, 1),
    ] {
        if r.roll(9) < chance {
            let stream = r.roll(streams) as u16;
            let (offset, ty) = (4 * r.roll(6) as u16, r.roll(17) as u8);
            elements.push(VertexElement::new(stream, offset, ty, usage, index));
        }
    }
    if r.roll(16) == 0 {
        let number = [r.number(), r.number(), r.number(), r.number()];
        let [a, b, c, d] = number.map(|n| n as u8);
        elements.push(VertexElement::new(a.into(), b.into(), c, d, 0));
    }
    elements
}

/// Bytes of an element, by the documentation of `D3DDECLTYPE`.
fn size(ty: u8) -> u64 {
    const SIZES: [u64; 17] = [4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8];
    SIZES.get(usize::from(ty)).copied().unwrap_or(0)
}

/// Bytes from the start of a vertex to the end of its last element in a stream.
fn reach(elements: &[VertexElement], stream: u16) -> u64 {
    let of = elements.iter().filter(|e| e.stream == stream);
    of.map(|e| u64::from(e.offset) + size(e.ty))
        .max()
        .unwrap_or(0)
}

const SHADERS: [&str; 9] = [
    "vs_1_1\n mov oPos, v0\n mov oD0, v1\n",
    "vs_1_1\n dcl_position v0\n mov a0.x, v0.x\n mov oPos, c[a0.x + 3]\n mov oT0.xy, v0\n",
    "vs_1_1\n dcl_position v0\n dcl_blendweight v2\n dcl_blendindices v3\n mov a0.x, v3.x\n \
     mul r1, v2.x, c[a0.x + 29]\n mov a0.x, v3.y\n mad r1, v2.y, c[a0.x + 29], r1\n dp4 oPos.x, v0, r1\n",
    "vs_1_1\n dcl_position v0\n dcl_color v1\n lrp_sat r0, v0, -v1, c0\n exp oPos.x, v0.x\n log oPos.y, v0.y\n \
     rcp oPos.z, v0.z\n rsq oPos.w, v0.w\n mov oD0, r0\n mov oFog, r0.x\n",
    "vs_2_0\n dcl_position v0\n dcl_color v1\n rep i0\n add r0, v0, c0\n endrep\n mov oPos, r0\n mov oD1, v1\n",
    "vs_2_x\n dcl_position v0\n mova a0, v0\n mov oPos, c[a0.w + 90]\n mov oPts, v0.x\n mov oFog, v0.y\n",
    "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_texcoord1 o1\n mov o0, v0\n mov o1, v0\n",
    "vs_3_0\n dcl_position v0\n dcl_2d s0\n dcl_position o0\n texldl r0, v0, s0\n mov o0, r0\n",
    skin::SHADER,
];

/// A stream of the input's own, or one of the above with some bits changed.
fn tokens(r: &mut Bytes<'_>, own: &[u8]) -> Vec<u32> {
    let (own, _) = own.as_chunks::<4>();
    if r.roll(3) == 0 && !own.is_empty() {
        return own.iter().map(|word| u32::from_le_bytes(*word)).collect();
    }
    let text = SHADERS[r.roll(SHADERS.len() as u32) as usize];
    let mut tokens = assemble(text).expect("it assembles").tokens().to_vec();
    for _ in 0..r.roll(3) {
        let at = 1 + r.roll(tokens.len() as u32 - 1) as usize;
        match r.roll(4) {
            0 => tokens[at] = r.word(),
            _ => tokens[at] ^= 1 << r.roll(32),
        }
    }
    tokens
}

/// What the fixed function looks at.
const STATES: [u32; 24] = [
    D3DRS_LIGHTING,
    D3DRS_CLIPPING,
    D3DRS_SPECULARENABLE,
    D3DRS_LOCALVIEWER,
    D3DRS_NORMALIZENORMALS,
    D3DRS_COLORVERTEX,
    D3DRS_AMBIENT,
    D3DRS_DIFFUSEMATERIALSOURCE,
    D3DRS_VERTEXBLEND,
    D3DRS_INDEXEDVERTEXBLENDENABLE,
    D3DRS_TWEENFACTOR,
    D3DRS_FOGENABLE,
    D3DRS_FOGVERTEXMODE,
    D3DRS_FOGTABLEMODE,
    D3DRS_RANGEFOGENABLE,
    D3DRS_FOGSTART,
    D3DRS_FOGEND,
    D3DRS_FOGDENSITY,
    D3DRS_POINTSIZE,
    D3DRS_POINTSIZE_MIN,
    D3DRS_POINTSIZE_MAX,
    D3DRS_POINTSCALEENABLE,
    D3DRS_POINTSCALE_B,
    D3DRS_CLIPPLANEENABLE,
];

fn states(d: &mut Device, r: &mut Bytes<'_>) {
    for _ in 0..r.roll(6) {
        let value = match r.roll(3) {
            0 => r.word(),
            _ => r.roll(4),
        };
        match r.roll(5) {
            0 => {
                let state = [D3DTSS_TEXCOORDINDEX, D3DTSS_TEXTURETRANSFORMFLAGS];
                let stage = r.roll(8);
                let _ = d.set_texture_stage_state(stage, state[(value & 1) as usize], r.word());
            }
            1 => {
                let mut matrix = IDENTITY;
                matrix[(value & 3) as usize] = [(); 4].map(|()| f32::from_bits(r.word()));
                let state = [D3DTS_WORLD, D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_TEXTURE0];
                let _ = d.set_transform(state[(value >> 2 & 3) as usize], &matrix);
            }
            2 => {
                let light = Light {
                    kind: value & 3,
                    range: f32::from_bits(r.word()),
                    falloff: f32::from_bits(r.word()),
                    ..Light::default()
                };
                let _ = d.set_light(value >> 2 & 1, &light);
                let _ = d.light_enable(value >> 2 & 1, true);
            }
            _ => {
                let state = STATES[r.roll(STATES.len() as u32) as usize];
                let _ = d.set_render_state(state, value);
            }
        }
    }
}

/// A texture for vertex shaders, its size and format from few.
fn texture(d: &mut Device, r: &mut Bytes<'_>) -> Option<TextureHandle> {
    const FORMATS: [u32; 4] = [
        D3DFMT_A8R8G8B8,
        D3DFMT_A32B32G32R32F,
        D3DFMT_DXT1,
        D3DFMT_A16B16G16R16F,
    ];
    if r.roll(6) != 0 {
        return None;
    }
    let (width, height, levels) = (4 << r.roll(2), 4 << r.roll(2), r.roll(3));
    let format = FORMATS[r.roll(4) as usize];
    let made = d.create_texture(width, height, levels, 0, format, D3DPOOL_MANAGED);
    let texture = made.ok()?;
    let level = LevelTarget::Texture(texture, 0);
    if d.lock_rect(level, None, 0).is_ok() {
        let memory = d.locked_bytes_mut(level).expect("locked");
        memory.copy_from_slice(&r.noise(memory.len()));
        d.unlock_rect(level).expect("unlocked");
    }
    for _ in 0..r.roll(4) {
        let (state, value) = (1 + r.roll(13), r.number());
        let _ = d.set_sampler_state(D3DVERTEXTEXTURESAMPLER0, state, value);
    }
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, Some(texture.into()))
        .expect("set");
    Some(texture)
}

fn buffer(d: &mut Device, fvf: u32, bytes: &[u8]) -> VertexBufferHandle {
    let size = bytes.len() as u32;
    let buffer = d
        .create_vertex_buffer(size, 0, fvf, D3DPOOL_SYSTEMMEM)
        .or_else(|_| d.create_vertex_buffer(size, 0, 0, D3DPOOL_SYSTEMMEM))
        .expect("a buffer");
    put(d, buffer, bytes);
    buffer
}

fn put(d: &mut Device, buffer: VertexBufferHandle, bytes: &[u8]) {
    d.vertex_buffer_lock(buffer, 0, 0, 0).expect("locked");
    let memory = d.vertex_buffer_bytes_mut(buffer).expect("bytes");
    memory.copy_from_slice(bytes);
    d.vertex_buffer_unlock(buffer).expect("unlocked");
}

fn contents(d: &mut Device, buffer: VertexBufferHandle) -> Vec<u8> {
    d.vertex_buffer_lock(buffer, 0, 0, D3DLOCK_READONLY)
        .expect("locked");
    let bytes = d.vertex_buffer_bytes_mut(buffer).expect("bytes").to_vec();
    d.vertex_buffer_unlock(buffer).expect("unlocked");
    bytes
}

/// Settings of devices that all make the same bytes.
pub fn ways() -> [VertexSettings; 3] {
    let plain = VertexSettings {
        threads: 1,
        ..VertexSettings::default()
    };
    let skin = VertexSettings {
        skin_fast: true,
        ..plain.clone()
    };
    let compared = VertexSettings {
        differential: true,
        ..plain.clone()
    };
    [plain, skin, compared]
}

/// Makes the same call on all devices, with the same outcome; says whether it went well.
pub fn same(devices: &mut [Device], data: &[u8]) -> bool {
    let mut all = devices.iter_mut().map(|d| process_vertices(d, data));
    let first = all.next().expect("a device");
    for other in all {
        assert_eq!(other, first, "two ways of one call");
    }
    first.is_some()
}

/// Makes one call and gives what it left in the destination, or nothing where it failed.
///
/// A call that fails writes nothing, and one that does not writes its range only; bytes out of the
/// vertices that it processes make no difference; sources stay what they were. The device is as
/// before, and no object is left.
fn process_vertices(d: &mut Device, data: &[u8]) -> Option<Vec<u8>> {
    let (choices, own) = data.split_at(data.len().min(CHOICES));
    let r = &mut Bytes(choices);
    let before = d.create_state_block(D3DSBT_ALL).expect("a state block");
    let mut owned: Vec<ObjectHandle> = vec![before.into()];
    let out = call(d, r, own, &mut owned);
    d.set_vertex_shader(None).unwrap();
    d.set_vertex_declaration(None).unwrap();
    d.set_texture(D3DVERTEXTEXTURESAMPLER0, None).unwrap();
    for stream in 0..2 {
        d.set_stream_source(stream, None, 0, 0).unwrap();
        let _ = d.light_enable(stream, false);
    }
    d.state_block_apply(before).unwrap();
    for object in owned {
        d.release(object).unwrap();
    }
    out
}

fn call(
    d: &mut Device,
    r: &mut Bytes<'_>,
    own: &[u8],
    owned: &mut Vec<ObjectHandle>,
) -> Option<Vec<u8>> {
    let from = elements(r, 2);
    if let Ok(declaration) = d.create_vertex_declaration(&from) {
        d.set_vertex_declaration(Some(declaration)).unwrap();
        owned.push(declaration.into());
    }
    if r.roll(4) != 0
        && let Ok(shader) = d.create_vertex_shader(&tokens(r, own))
    {
        d.set_vertex_shader(Some(shader)).unwrap();
        owned.push(shader.into());
    }
    states(d, r);
    owned.extend(texture(d, r).map(ObjectHandle::from));
    d.set_vertex_shader_constant_i(0, &[[r.number() as i32; 4]])
        .unwrap();
    let constants = [[(); 4].map(|()| f32::from_bits(r.word()))];
    d.set_vertex_shader_constant_f(r.roll(256), &constants)
        .unwrap();

    let fvf = match r.roll(3) {
        0 => D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1,
        1 => D3DFVF_XYZRHW | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_TEX2 | 1 << 16,
        _ => r.word(),
    };
    let len = 16 + r.roll(2000) as usize;
    let to = buffer(d, fvf, &vec![BLANK; len]);
    owned.push(to.into());
    let mut to_elements = elements_of_fvf(fvf);
    let mut declaration = None;
    if r.roll(3) == 0 {
        let declared = elements(r, 1);
        declaration = d.create_vertex_declaration(&declared).ok();
        owned.extend(declaration.map(ObjectHandle::from));
        if declaration.is_some() {
            to_elements = declared;
        }
    }

    let mut sources = Vec::new();
    let mut is_source = false;
    for stream in 0..2 {
        let len = 16 + 4 * r.roll(400) as usize;
        let (noise, kind) = (r.noise(len), r.roll(16));
        let stride = match r.roll(8) {
            0 => r.number(),
            _ => r.roll(40),
        };
        let offset = match r.roll(8) {
            0 => r.number(),
            _ => 4 * r.roll(8),
        };
        let from = match kind {
            0 => {
                is_source = true;
                to
            }
            _ => buffer(d, 0, &noise),
        };
        if kind != 0 {
            owned.push(from.into());
            sources.push((stream, from, noise, [offset, stride].map(u64::from)));
        }
        if kind != 1 {
            let _ = d.set_stream_source(stream.into(), Some(from), offset, stride);
        }
        if kind == 2 {
            let _ = d.set_stream_source_freq(stream.into(), r.word());
        }
    }
    let (source, index, count) = (r.number(), r.number(), r.number());
    let flags = if r.roll(6) == 0 {
        r.number()
    } else {
        r.roll(2)
    };
    // Locked or not makes no difference.
    let locked = r.roll(8) == 0;
    if locked {
        d.vertex_buffer_lock(to, 0, 0, 0).expect("locked");
    }
    let result = d.process_vertices(source, index, count, to, declaration, flags);
    if locked {
        d.vertex_buffer_unlock(to).expect("unlocked");
    }
    let out = contents(d, to);
    let blank = |range: &[u8]| range.iter().all(|b| *b == BLANK);
    if let Err(code) = result {
        assert!(blank(&out), "{code} and written: {}", d.last_error());
        return None;
    }
    if count == 0 {
        assert!(blank(&out), "written without vertices");
        return Some(out);
    }
    let stride = reach(&to_elements, 0) as usize;
    let (start, end) = (
        index as usize * stride,
        (index as usize + count as usize) * stride,
    );
    assert!(blank(&out[..start]), "written before the range");
    assert!(blank(&out[end..]), "written after the range");
    for (stream, buffer, noise, [offset, stride]) in &sources {
        assert_eq!(contents(d, *buffer), *noise, "stream {stream} was written");
        let begin = offset.saturating_add(u64::from(source).saturating_mul(*stride));
        let rest = u64::from(count - 1).saturating_mul(*stride);
        let end = begin.saturating_add(rest + reach(&from, *stream));
        let mut other = noise.clone();
        for (n, byte) in (0..).zip(&mut other) {
            if !(begin..end).contains(&n) {
                *byte ^= 0xFF;
            }
        }
        put(d, *buffer, &other);
    }
    if !is_source {
        put(d, to, &vec![BLANK; len]);
        d.process_vertices(source, index, count, to, declaration, flags)
            .expect("it went well before");
        let again = contents(d, to);
        assert_eq!(again, out, "bytes out of the streams' vertices were read");
    }
    Some(out)
}
