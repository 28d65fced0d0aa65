//! Numbers, options and mutants that look random and are the same every time.

use ninefold_shader::{
    CompareFunc, FloatRules, Fog, FogCurve, FogDepth, Options, SamplerKind, SamplerRules,
};

/// A small generator of numbers: the tests must be the same every time.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// Starts at `seed`, which is not 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn options(&mut self) -> Options {
        let bits = self.next();
        let kinds = [
            None,
            Some(SamplerKind::Unknown),
            Some(SamplerKind::D2),
            Some(SamplerKind::Cube),
            Some(SamplerKind::Volume),
        ];
        let fogs = [
            Fog::None,
            Fog::Vertex,
            Fog::Table(FogCurve::Exp, FogDepth::Z),
            Fog::Table(FogCurve::Exp2, FogDepth::W),
            Fog::Table(FogCurve::Linear, FogDepth::W),
        ];
        let rules = [FloatRules::D3d9, FloatRules::Ieee];
        let mut options = Options {
            alpha_func: CompareFunc::from_d3d(1 + (bits & 7) as u32).unwrap_or_default(),
            fog: fogs[self.below(fogs.len())],
            float_rules: rules[self.below(2)],
            flat_shading: bits & 0x100 != 0,
            missing_inputs: (self.next() & self.next()) as u32,
            projected: self.next() as u16,
            opaque_outputs: (self.next() & self.next()) as u8,
            srgb_outputs: (self.next() & self.next()) as u8,
            clip_planes: (self.next() & self.next()) as u8,
            point_sprite: bits & 0xE00 == 0,
            point_size: bits & 0x1000 != 0,
            depth_bias: bits & 0x2000 != 0,
            wraps: if bits & 0x1C000 == 0 {
                self.next() as u32
            } else {
                0
            },
            corners: 2 + (bits >> 17 & 1) as u8,
            uint_attributes: (self.next() & self.next()) as u16,
            sint_attributes: (self.next() & self.next()) as u16,
            ..Options::default()
        };
        for stage in 0..16 {
            options.sampler_kinds[stage] = kinds[self.below(kinds.len())];
            options.samplers[stage] = SamplerRules {
                border_color: self.next() as u32,
                lod_bias: (self.next() & self.next() & self.next()) as i16,
                address: (self.next() & self.next()) as u8,
                texels: (self.next() & self.next()) as u8 & 3,
            };
        }
        options
    }

    /// Changes one word of a token stream.
    pub(crate) fn change(&mut self, words: &mut [u32]) {
        let at = self.below(words.len());
        match self.below(5) {
            0 => words[at] ^= 1 << self.below(32),
            // One operand or instruction in another's place.
            1 => words[at] = words[self.below(words.len())],
            // Another register or opcode of the same file.
            2 => words[at] = words[at] & !0x7FF | self.below(40) as u32,
            3 => words[at] = words[at] & !0xFFFF | self.below(97) as u32,
            // Another mask, swizzle, modifier or register file.
            _ => words[at] ^= (self.next() as u32 & 0xF) << (4 * self.below(8)),
        }
    }
}
