//! Anything at all: no panic, and a call that fails writes nothing.

use super::*;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % below
    }

    /// Mostly small, at times anything.
    fn number(&mut self) -> u32 {
        match self.roll(8) {
            0 => u32::MAX - self.roll(3),
            1 => 1 << self.roll(32),
            2 => self.roll(u32::MAX),
            _ => self.roll(12),
        }
    }
}

/// Mostly a position and some others; at times nonsense.
fn elements(r: &mut Dice, streams: u32) -> Vec<VertexElement> {
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

const SHADERS: [&str; 6] = [
    "vs_1_1\n mov oPos, v0\n mov oD0, v1\n",
    "vs_1_1\n dcl_position v0\n mov a0.x, v0.x\n mov oPos, c[a0.x + 3]\n mov oT0.xy, v0\n",
    super::skinning::SKIN,
    "vs_2_0\n dcl_position v0\n dcl_color v1\n rep i0\n add r0, v0, c0\n endrep\n mov oPos, r0\n mov oD1, v1\n",
    "vs_2_x\n dcl_position v0\n mova a0, v0\n mov oPos, c[a0.w + 90]\n mov oPts, v0.x\n mov oFog, v0.y\n",
    "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_texcoord1 o1\n mov o0, v0\n mov o1, v0\n",
];

#[test]
fn random_calls_fail_whole_or_write_their_range_only() {
    let Some(mut d) = device(16, 16) else { return };
    let rounds = match std::env::var("NINEFOLD_SEEDS") {
        Ok(n) => n.parse().unwrap_or(1500),
        Err(_) => 1500,
    };
    let mut succeeded = 0;
    for seed in 1..=rounds {
        let r = &mut Dice(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15));
        let mut owned: Vec<ObjectHandle> = Vec::new();
        if let Ok(declaration) = d.create_vertex_declaration(&elements(r, 2)) {
            d.set_vertex_declaration(Some(declaration)).unwrap();
            owned.push(declaration.into());
        }
        match r.roll(4) {
            0 => d.set_vertex_shader(None).unwrap(),
            _ => {
                let mut tokens = assemble(SHADERS[r.roll(6) as usize])
                    .unwrap()
                    .tokens()
                    .to_vec();
                for _ in 0..r.roll(3) {
                    let at = 1 + r.roll(tokens.len() as u32 - 1) as usize;
                    tokens[at] ^= 1 << r.roll(32);
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
            let noise: Vec<u8> = (0..len).map(|_| r.roll(256) as u8).collect();
            let from = buffer(&mut d, 0, &noise);
            let _ = d.set_stream_source(stream, Some(from), 4 * (r.number() & 15), r.roll(40));
            owned.push(from.into());
        }
        let fvf = match r.roll(3) {
            0 => D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1,
            1 => D3DFVF_XYZRHW | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_TEX2 | 1 << 16,
            _ => r.roll(u32::MAX),
        };
        let len = 16 + r.roll(2000);
        let to = d
            .create_vertex_buffer(len, 0, fvf, D3DPOOL_SYSTEMMEM)
            .or_else(|_| d.create_vertex_buffer(len, 0, 0, D3DPOOL_SYSTEMMEM))
            .unwrap();
        put(&mut d, to, &vec![BLANK; len as usize]);
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
        let out = contents(&mut d, to);
        let blank = |range: &[u8]| range.iter().all(|b| *b == BLANK);
        if result.is_ok() {
            succeeded += u32::from(count != 0);
            // No vertex is shorter than four bytes.
            assert!(
                count == 0 || blank(&out[..4 * index as usize]),
                "seed {seed}"
            );
            assert!(count != 0 || blank(&out), "seed {seed}");
        } else {
            assert!(blank(&out), "seed {seed}: {}", d.last_error());
        }
        d.set_vertex_shader(None).unwrap();
        d.set_vertex_declaration(None).unwrap();
        for stream in 0..2 {
            d.set_stream_source(stream, None, 0, 0).unwrap();
        }
        for object in owned {
            d.release(object).unwrap();
        }
    }
    assert_eq!(d.object_count(), 0);
    assert!(
        succeeded * 20 > rounds as u32,
        "only {succeeded} of {rounds} calls ran"
    );
}
