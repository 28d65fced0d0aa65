//! ProcessVertices with everything that a caller chooses taken from the input: declarations, token
//! streams, FVF codes, strides, offsets and counts. `crates/d3d9/tests/process_vertices` includes
//! this file and runs it for a moment in every `cargo test`.

#![allow(unreachable_pub)]

use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// What a destination holds before.
const BLANK: u8 = 0xCD;

/// The input, read from the front; zeros when it has ended.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn word(&mut self) -> u32 {
        let (word, rest) = self.0.split_at(self.0.len().min(4));
        self.0 = rest;
        word.iter()
            .fold(0, |word, byte| word << 8 | u32::from(*byte))
    }

    fn roll(&mut self, below: u32) -> u32 {
        self.word() % below
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

const SHADERS: [&str; 7] = [
    "vs_1_1\n mov oPos, v0\n mov oD0, v1\n",
    "vs_1_1\n dcl_position v0\n mov a0.x, v0.x\n mov oPos, c[a0.x + 3]\n mov oT0.xy, v0\n",
    "vs_1_1\n dcl_position v0\n dcl_blendweight v2\n dcl_blendindices v3\n mov a0.x, v3.x\n \
     mul r1, v2.x, c[a0.x + 29]\n mov a0.x, v3.y\n mad r1, v2.y, c[a0.x + 29], r1\n dp4 oPos.x, v0, r1\n",
    "vs_2_0\n dcl_position v0\n dcl_color v1\n rep i0\n add r0, v0, c0\n endrep\n mov oPos, r0\n mov oD1, v1\n",
    "vs_2_x\n dcl_position v0\n mova a0, v0\n mov oPos, c[a0.w + 90]\n mov oPts, v0.x\n mov oFog, v0.y\n",
    "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_texcoord1 o1\n mov o0, v0\n mov o1, v0\n",
    skin::SHADER,
];

fn buffer(d: &mut Device, fvf: u32, bytes: &[u8]) -> VertexBufferHandle {
    let size = bytes.len() as u32;
    let buffer = d
        .create_vertex_buffer(size, 0, fvf, D3DPOOL_SYSTEMMEM)
        .or_else(|_| d.create_vertex_buffer(size, 0, 0, D3DPOOL_SYSTEMMEM))
        .expect("a buffer");
    d.vertex_buffer_lock(buffer, 0, 0, 0).expect("locked");
    let memory = d.vertex_buffer_bytes_mut(buffer).expect("bytes");
    memory.copy_from_slice(bytes);
    d.vertex_buffer_unlock(buffer).expect("unlocked");
    buffer
}

fn contents(d: &mut Device, buffer: VertexBufferHandle) -> Vec<u8> {
    d.vertex_buffer_lock(buffer, 0, 0, D3DLOCK_READONLY)
        .expect("locked");
    let bytes = d.vertex_buffer_bytes_mut(buffer).expect("bytes").to_vec();
    d.vertex_buffer_unlock(buffer).expect("unlocked");
    bytes
}

/// One call. A call that fails writes nothing, and one that does not writes its range only; no
/// object is left. Says whether vertices were processed.
pub fn process_vertices(d: &mut Device, data: &[u8]) -> bool {
    let r = &mut Bytes(data);
    let mut owned: Vec<ObjectHandle> = Vec::new();
    if let Ok(declaration) = d.create_vertex_declaration(&elements(r, 2)) {
        d.set_vertex_declaration(Some(declaration)).unwrap();
        owned.push(declaration.into());
    }
    match r.roll(4) {
        0 => d.set_vertex_shader(None).unwrap(),
        _ => {
            let mut tokens = assemble(SHADERS[r.roll(7) as usize])
                .unwrap()
                .tokens()
                .to_vec();
            for _ in 0..r.roll(3) {
                let at = 1 + r.roll(tokens.len() as u32 - 1) as usize;
                match r.roll(4) {
                    0 => tokens[at] = r.word(),
                    _ => tokens[at] ^= 1 << r.roll(32),
                }
            }
            if let Ok(shader) = d.create_vertex_shader(&tokens) {
                d.set_vertex_shader(Some(shader)).unwrap();
                owned.push(shader.into());
            }
        }
    }
    d.set_vertex_shader_constant_i(0, &[[r.number() as i32; 4]])
        .unwrap();
    for stream in 0..2 {
        let len = 16 + 4 * r.roll(400) as usize;
        let mut noise = r.word();
        let noise: Vec<u8> = (0..len)
            .map(|_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            })
            .collect();
        let from = buffer(d, 0, &noise);
        let _ = d.set_stream_source(stream, Some(from), 4 * (r.number() & 15), r.roll(40));
        owned.push(from.into());
    }
    let fvf = match r.roll(3) {
        0 => D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1,
        1 => D3DFVF_XYZRHW | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_TEX2 | 1 << 16,
        _ => r.roll(u32::MAX),
    };
    let len = 16 + r.roll(2000);
    let to = buffer(d, fvf, &vec![BLANK; len as usize]);
    owned.push(to.into());
    let declaration = match r.roll(3) {
        0 => d.create_vertex_declaration(&elements(r, 1)).ok(),
        _ => None,
    };
    owned.extend(declaration.map(ObjectHandle::from));
    let (source, index, count) = (r.number(), r.number(), r.number());
    let flags = if r.roll(6) == 0 {
        r.number()
    } else {
        r.roll(2)
    };
    let result = d.process_vertices(source, index, count, to, declaration, flags);
    let out = contents(d, to);
    let blank = |range: &[u8]| range.iter().all(|b| *b == BLANK);
    let ran = match result {
        // No vertex is shorter than four bytes.
        Ok(()) => {
            let before = 4 * index as usize;
            assert!(
                count == 0 || blank(&out[..before]),
                "written before the range"
            );
            assert!(count != 0 || blank(&out), "written without vertices");
            count != 0
        }
        Err(code) => {
            assert!(blank(&out), "{code} and written: {}", d.last_error());
            false
        }
    };
    d.set_vertex_shader(None).unwrap();
    d.set_vertex_declaration(None).unwrap();
    for stream in 0..2 {
        d.set_stream_source(stream, None, 0, 0).unwrap();
    }
    for object in owned {
        d.release(object).unwrap();
    }
    ran
}
