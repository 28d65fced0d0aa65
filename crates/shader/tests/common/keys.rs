//! Fixed-function keys of every kind, by chance.

use ninefold_shader::SamplerRules;
use ninefold_shader::fixed::{
    self, FragmentKey, FragmentStage, TRANSFORM_PROJECTED, VertexKey, VertexStage, op, position,
    vertex_fog,
};

/// A small reproducible generator (xorshift).
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as u32) % n
    }

    pub(crate) fn byte(&mut self, n: u32) -> u8 {
        self.below(n) as u8
    }
}

pub(crate) fn any_vertex_key(r: &mut Seeded) -> VertexKey {
    let blended = r.below(3) == 0;
    let mut key = VertexKey {
        position: if r.below(5) == 0 {
            r.byte(3)
        } else {
            position::OBJECT
        },
        inputs: r.below(65536) as u16,
        uint_inputs: if r.below(8) == 0 {
            r.below(65536) as u16
        } else {
            0
        },
        sint_inputs: if r.below(8) == 0 {
            r.below(65536) as u16
        } else {
            0
        },
        flags: r.byte(256),
        light_types: r.byte(8),
        blend_matrices: match (blended, r.below(8)) {
            (true, _) => r.byte(5),
            (_, 0) => fixed::TWEEN,
            _ => 0,
        },
        fog: r.byte(5)
            | if r.below(2) == 0 {
                vertex_fog::RANGE
            } else {
                0
            },
        points: r.byte(4),
        clip_planes: if r.below(4) == 0 { r.byte(128) } else { 0 },
        wraps: if r.below(8) == 0 {
            r.below(u32::MAX)
        } else {
            0
        },
        corners: 2 + r.byte(2),
        diffuse_source: r.byte(3),
        ambient_source: r.byte(3),
        specular_source: r.byte(3),
        emissive_source: r.byte(3),
        palette: 256 * r.below(2) as u16,
        ..VertexKey::default()
    };
    for stage in key.stages.iter_mut().take(r.below(9) as usize) {
        *stage = VertexStage {
            source: r.byte(6),
            set: r.byte(8),
            components: r.byte(5),
            transform: r.byte(5)
                | if r.below(3) == 0 {
                    TRANSFORM_PROJECTED
                } else {
                    0
                },
        };
    }
    key
}

pub(crate) fn any_fragment_key(r: &mut Seeded) -> FragmentKey {
    let mut key = FragmentKey {
        alpha_func: r.byte(9),
        fog: r.byte(8),
        flags: r.byte(16),
        missing_inputs: if r.below(2) == 0 { r.below(2048) } else { 0 },
        ..FragmentKey::default()
    };
    let argument = |r: &mut Seeded| r.byte(7) | r.byte(4) << 4;
    for stage in key.stages.iter_mut().take(r.below(9) as usize) {
        let color_op = 2 + r.byte(25);
        let alpha_op = 1 + r.byte(26);
        *stage = FragmentStage {
            color_op: if color_op == op::PREMODULATE {
                op::MODULATE
            } else {
                color_op
            },
            color_args: [argument(r), argument(r), argument(r)],
            alpha_op: if matches!(alpha_op, 17..=23) {
                op::MODULATE
            } else {
                alpha_op
            },
            alpha_args: [argument(r), argument(r), argument(r)],
            result: if r.below(4) == 0 {
                op::arg::TEMP
            } else {
                op::arg::CURRENT
            },
            texture: if r.below(5) == 0 { 0 } else { 1 + r.byte(3) },
            projected: [0, 2, 3, 4][r.below(4) as usize],
            reserved: 0,
            sampler: SamplerRules {
                border_color: r.below(1 << 31),
                lod_bias: [0, 0, 300][r.below(3) as usize],
                address: r.byte(128),
                texels: [0, 0, 0, 1, 2, 3][r.below(6) as usize],
            },
        };
    }
    key
}
