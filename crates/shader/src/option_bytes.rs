//! The options that a draw's state decides, as bytes that can be stored.

use ninefold_bytecode::SamplerKind;

use crate::options::{CompareFunc, FloatRules, Fog, FogCurve, FogDepth, Options};
use crate::{Link, SamplerRules};

/// Bytes of [`Options::to_bytes`].
pub const OPTION_BYTES: usize = 32;

const KINDS: [SamplerKind; 4] = [
    SamplerKind::Unknown,
    SamplerKind::D2,
    SamplerKind::Cube,
    SamplerKind::Volume,
];

impl Options {
    /// The options as bytes, without those that a vertex and a pixel function and the vertices
    /// decide for each other: `missing_inputs`, `samplers`, `zero_color`, `point_size`,
    /// `depth_bias`, `uint_attributes`, `sint_attributes`, `link`, `uniforms_only`,
    /// `wraps`, `corners`, `whole_floats`.
    /// [`Options::from_bytes`] reads them back.
    pub fn to_bytes(&self) -> [u8; OPTION_BYTES] {
        let Options {
            sampler_kinds,
            alpha_func,
            fog,
            float_rules,
            flat_shading,
            projected,
            projected_by,
            opaque_outputs,
            srgb_outputs,
            clip_planes,
            point_sprite,
            fog_depth,
            missing_inputs: _,
            samplers: _,
            zero_color: _,
            point_size: _,
            depth_bias: _,
            uint_attributes: _,
            sint_attributes: _,
            link: _,
            uniforms_only: _,
            wraps: _,
            corners: _,
            whole_floats: _,
        } = *self;
        let mut out = [0; OPTION_BYTES];
        for (byte, kind) in out.iter_mut().zip(sampler_kinds) {
            let number = |kind| KINDS.iter().position(|&k| k == kind).unwrap_or(0) as u8 + 1;
            *byte = kind.map_or(0, number);
        }
        out[16..18].copy_from_slice(&projected.to_le_bytes());
        out[18..22].copy_from_slice(&projected_by);
        out[22] = alpha_func as u8;
        out[23] = match fog {
            Fog::None => 0,
            Fog::Vertex => 1,
            Fog::Full => 2,
            Fog::Table(curve, depth) => 0x10 | (curve as u8) << 2 | depth as u8,
        };
        out[24] = float_rules as u8;
        out[25] = flat_shading.into();
        out[26] = opaque_outputs;
        out[27] = srgb_outputs;
        out[28] = clip_planes;
        out[29] = point_sprite.into();
        out[30] = fog_depth.into();
        out
    }

    /// Options from [`Options::to_bytes`], the others as they are by default. `None` when a byte
    /// has no meaning.
    pub fn from_bytes(bytes: &[u8; OPTION_BYTES]) -> Option<Self> {
        let mut sampler_kinds = [None; 16];
        for (kind, &byte) in sampler_kinds.iter_mut().zip(bytes) {
            if byte > 0 {
                *kind = Some(*KINDS.get(usize::from(byte) - 1)?);
            }
        }
        let fog = match bytes[23] {
            0 => Fog::None,
            1 => Fog::Vertex,
            2 => Fog::Full,
            table if table & 0xF0 == 0x10 => {
                let curve = match table >> 2 & 3 {
                    1 => FogCurve::Exp,
                    2 => FogCurve::Exp2,
                    3 => FogCurve::Linear,
                    _ => return None,
                };
                let depth =
                    [FogDepth::Z, FogDepth::W, FogDepth::Vertex].get(usize::from(table & 3));
                Fog::Table(curve, *depth?)
            }
            _ => return None,
        };
        let flag = |byte: u8| (byte < 2).then_some(byte == 1);
        let options = Options {
            sampler_kinds,
            alpha_func: CompareFunc::from_d3d(bytes[22].into())?,
            fog,
            float_rules: match bytes[24] {
                0 => FloatRules::D3d9,
                1 => FloatRules::Ieee,
                _ => return None,
            },
            flat_shading: flag(bytes[25])?,
            projected: u16::from_le_bytes([bytes[16], bytes[17]]),
            projected_by: [bytes[18], bytes[19], bytes[20], bytes[21]],
            opaque_outputs: bytes[26],
            srgb_outputs: bytes[27],
            clip_planes: bytes[28],
            point_sprite: flag(bytes[29])?,
            fog_depth: flag(bytes[30])?,
            ..Options::default()
        };
        (bytes[31] == 0).then_some(options)
    }

    /// These options with those that [`Options::to_bytes`] leaves out as they are by default.
    #[must_use]
    pub fn of_state(&self) -> Self {
        Options {
            missing_inputs: 0,
            samplers: [SamplerRules::default(); 16],
            zero_color: false,
            point_size: false,
            depth_bias: false,
            uint_attributes: 0,
            sint_attributes: 0,
            link: Link::default(),
            uniforms_only: false,
            wraps: 0,
            corners: 0,
            whole_floats: false,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_and_bytes_without_meaning_are_refused() {
        let mut options = Options {
            alpha_func: CompareFunc::Greater,
            fog: Fog::Table(FogCurve::Exp2, FogDepth::W),
            float_rules: FloatRules::Ieee,
            flat_shading: true,
            projected: 0x8001,
            projected_by: [1, 2, 3, 4],
            opaque_outputs: 5,
            srgb_outputs: 8,
            clip_planes: 0x21,
            point_sprite: true,
            fog_depth: true,
            ..Options::default()
        };
        options.sampler_kinds[3] = Some(SamplerKind::Volume);
        options.sampler_kinds[15] = Some(SamplerKind::D2);
        let bytes = options.to_bytes();
        assert_eq!(Options::from_bytes(&bytes), Some(options));
        let by_vertex = Fog::Table(FogCurve::Linear, FogDepth::Vertex);
        for fog in [Fog::None, Fog::Vertex, Fog::Full, by_vertex] {
            let options = Options { fog, ..options };
            assert_eq!(Options::from_bytes(&options.to_bytes()), Some(options));
        }
        for at in 0..OPTION_BYTES {
            for value in 0..=255 {
                let mut other = bytes;
                other[at] = value;
                // What is understood has one form.
                if let Some(options) = Options::from_bytes(&other) {
                    assert_eq!(options.to_bytes(), other);
                }
            }
        }
    }

    #[test]
    fn what_functions_decide_for_each_other_is_left_out() {
        let options = Options {
            missing_inputs: 7,
            zero_color: true,
            depth_bias: true,
            uniforms_only: true,
            clip_planes: 3,
            ..Options::default()
        };
        let kept = Options::from_bytes(&options.to_bytes()).unwrap();
        assert_eq!(kept, options.of_state());
        assert_eq!(kept.clip_planes, 3);
        assert!(!kept.depth_bias && kept.missing_inputs == 0);
    }
}
