//! The key of a fixed-function fragment function.

use bytemuck::{Pod, Zeroable};

use super::{KEY_VERSION, STAGES, op};
use crate::abi;
use crate::{SamplerKind, SamplerRules};

/// Bits of [`FragmentKey::flags`].
pub mod fragment_flag {
    /// `D3DRS_SPECULARENABLE`: the specular colour is added after the cascade.
    pub const SPECULAR_ADD: u8 = 1;
    /// `D3DRS_SHADEMODE` is `D3DSHADE_FLAT`.
    pub const FLAT: u8 = 2;
    /// An argument that names a missing texture reads opaque black instead of
    /// making its operation pass on what is current. See [`FragmentKey::normalized`](super::FragmentKey::normalized).
    pub const NULL_READS_BLACK: u8 = 4;
    /// `D3DRS_POINTSPRITEENABLE` with points: every stage samples at the place
    /// in the point, (0, 0) at its top left and (1, 1) at its bottom right.
    pub const POINT_SPRITE: u8 = 8;
    /// The driver is llvmpipe. See [`Options::whole_floats`](crate::Options::whole_floats).
    pub const WHOLE_FLOATS: u8 = 16;
}

/// Values of [`FragmentKey::fog`].
pub mod fragment_fog {
    /// No fog.
    pub const NONE: u8 = 0;
    /// The `FOG0` varying.
    pub const VERTEX: u8 = 1;
    /// `D3DRS_FOGTABLEMODE` is `D3DFOG_EXP`, of the depth-buffer z.
    pub const EXP_Z: u8 = 2;
    /// `D3DFOG_EXP2`, of the depth-buffer z.
    pub const EXP2_Z: u8 = 3;
    /// `D3DFOG_LINEAR`, of the depth-buffer z.
    pub const LINEAR_Z: u8 = 4;
    /// `D3DFOG_EXP`, of w (a perspective projection, or `XYZRHW` vertices).
    pub const EXP_W: u8 = 5;
    /// `D3DFOG_EXP2`, of w.
    pub const EXP2_W: u8 = 6;
    /// `D3DFOG_LINEAR`, of w.
    pub const LINEAR_W: u8 = 7;
    /// Every pixel is all fog: a vertex shader without oFog.
    pub const FULL: u8 = 8;
    /// `D3DFOG_EXP`, of the distance in the `FOG0` varying.
    pub const EXP_VERTEX: u8 = 9;
    /// `D3DFOG_EXP2`, of the distance in `FOG0`.
    pub const EXP2_VERTEX: u8 = 10;
    /// `D3DFOG_LINEAR`, of the distance in `FOG0`.
    pub const LINEAR_VERTEX: u8 = 11;
}

/// Values of [`FragmentStage::texture`].
pub mod stage_texture {
    /// No texture is set (`SetTexture(n, NULL)`).
    pub const NONE: u8 = 0;
    /// A 2D texture.
    pub const D2: u8 = 1;
    /// A cube texture.
    pub const CUBE: u8 = 2;
    /// A volume texture.
    pub const VOLUME: u8 = 3;
}

/// One stage of the texture cascade, in Direct3D's numbers.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct FragmentStage {
    /// `D3DTSS_COLOROP`, a `D3DTEXTUREOP`: 1..=26.
    pub color_op: u8,
    /// `D3DTSS_COLORARG0`, `D3DTSS_COLORARG1`, `D3DTSS_COLORARG2`: a `D3DTA_*` selector with
    /// the `D3DTA_COMPLEMENT` (0x10) and `D3DTA_ALPHAREPLICATE` (0x20) modifiers.
    pub color_args: [u8; 3],
    /// `D3DTSS_ALPHAOP`, a `D3DTEXTUREOP`: 1..=26.
    pub alpha_op: u8,
    /// `D3DTSS_ALPHAARG0`, `D3DTSS_ALPHAARG1`, `D3DTSS_ALPHAARG2`.
    pub alpha_args: [u8; 3],
    /// `D3DTSS_RESULTARG`: `D3DTA_CURRENT` (1) or `D3DTA_TEMP` (5). In the
    /// normal form 0 is current and 5 is temporary.
    pub result: u8,
    /// One of [`stage_texture`].
    pub texture: u8,
    /// Component of the coordinate the others are divided by before sampling,
    /// 3 or 4, or 0 for none. See [`FragmentStage::projection`].
    pub projected: u8,
    /// Zero.
    pub reserved: u8,
    /// How the stage's sampler reads.
    pub sampler: SamplerRules,
}

impl FragmentStage {
    /// The value of [`Self::projected`] for `D3DTSS_TEXTURETRANSFORMFLAGS`:
    /// with `D3DTTFF_PROJECTED` the third component divides under
    /// `D3DTTFF_COUNT3`, else the fourth, where the fixed-function vertex
    /// repeats the last counted one.
    #[must_use]
    pub fn projection(transform_flags: u32) -> u8 {
        match (transform_flags & 0x100 != 0, transform_flags & 0xff) {
            (false, _) => 0,
            (true, 3) => 3,
            (true, _) => 4,
        }
    }
}

/// Everything that changes the structure of a fixed-function fragment function.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
pub struct FragmentKey {
    /// [`KEY_VERSION`].
    pub version: u8,
    /// `D3DRS_ALPHAFUNC`, a `D3DCMPFUNC` 1..=8; 8 (`ALWAYS`) or 0 when
    /// `D3DRS_ALPHATESTENABLE` is off.
    pub alpha_func: u8,
    /// One of [`fragment_fog`].
    pub fog: u8,
    /// Bits of [`fragment_flag`].
    pub flags: u8,
    /// Bit `n`: the vertex function does not write varying location `n` (the complement of
    /// its `Reflection::outputs_mask`). Missing inputs read Direct3D's
    /// default: white diffuse, black specular with alpha 0, zero coordinates, all fog.
    pub missing_inputs: u32,
    /// `D3DRS_WRAP` of the sets that the vertex function writes:
    /// [`Options::wraps`](crate::Options::wraps).
    pub wraps: u32,
    /// The cascade.
    pub stages: [FragmentStage; STAGES],
}

const _: () = assert!(size_of::<FragmentStage>() == 20);
const _: () = assert!(size_of::<FragmentKey>() == 12 + 20 * STAGES);

impl Default for FragmentKey {
    /// Every stage disabled, no test and no fog: the diffuse colour.
    fn default() -> Self {
        Self {
            version: KEY_VERSION,
            ..Self::zeroed()
        }
    }
}

impl FragmentKey {
    /// The key with every field zeroed that cannot change the shader.
    ///
    /// - The cascade ends at the first colour operation that is
    ///   `D3DTOP_DISABLE` (or 0); later stages are zeroed.
    /// - In a stage without a texture, an operation that names `D3DTA_TEXTURE` in an argument it
    ///   reads selects the current colour or alpha, and the cascade goes on.
    ///   [`fragment_flag::NULL_READS_BLACK`] turns the rule off; implicit reads always see opaque
    ///   black.
    /// - Arguments an operation does not read are zeroed, and a stage that
    ///   does not read its texture loses its texture kind and projection.
    /// - `D3DTOP_DOTPRODUCT3` as colour operation writes alpha as well, so the
    ///   alpha operation of its stage is zeroed.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let mut key = *self;
        if key.alpha_func == 0 {
            key.alpha_func = 8;
        }
        let black = key.flags & fragment_flag::NULL_READS_BLACK != 0;
        key.flags &= !fragment_flag::NULL_READS_BLACK;
        let mut live = true;
        let mut premodulated = false;
        for stage in &mut key.stages {
            live = live && stage.color_op > op::DISABLE;
            let mut lacking = false;
            if live && stage.lacks_texture(stage.color_op, stage.color_args) {
                lacking = true;
                if !black {
                    stage.color_op = op::SELECTARG1;
                    stage.color_args = [op::arg::CURRENT; 3];
                }
            }
            if live
                && stage.operates_on_alpha()
                && stage.lacks_texture(stage.alpha_op, stage.alpha_args)
            {
                lacking = true;
                if !black {
                    stage.alpha_op = op::DISABLE;
                }
            }
            if lacking {
                key.flags |= self.flags & fragment_flag::NULL_READS_BLACK;
            }
            if live {
                stage.normalize(premodulated);
                premodulated = stage.premodulates();
            } else {
                *stage = FragmentStage::default();
            }
        }
        if key.sampled_stages() == 0 {
            key.flags &= !fragment_flag::POINT_SPRITE;
        }
        if key.flags & fragment_flag::POINT_SPRITE != 0 {
            for stage in &mut key.stages {
                stage.projected = 0;
            }
        }
        let inputs = key.wanted_inputs();
        key.missing_inputs &= inputs;
        for (n, stage) in key.stages.iter_mut().enumerate() {
            if key.missing_inputs >> (abi::TEXCOORD_LOCATION + n as u32) & 1 != 0 {
                // Zeros stay what they are: no compiler gets 0 / 0 to fold.
                stage.projected = 0;
            }
        }
        if key.fog == fragment_fog::VERTEX && key.missing_inputs & (1 << abi::FOG_LOCATION) != 0 {
            key.fog = fragment_fog::FULL;
            key.missing_inputs &= !(1 << abi::FOG_LOCATION);
        }
        key
    }

    /// Bit `n`: stage `n` samples its texture. Meaningful on a normal form.
    #[must_use]
    pub fn sampled_stages(&self) -> u8 {
        let mut mask = 0;
        for (n, stage) in self.stages.iter().enumerate() {
            if stage.texture != stage_texture::NONE {
                mask |= 1 << n;
            }
        }
        mask
    }

    /// Number of live stages. Meaningful on a normal form.
    #[must_use]
    pub fn live_stages(&self) -> usize {
        self.stages.iter().take_while(|s| s.color_op != 0).count()
    }

    /// Varying locations the cascade would read if the vertex function wrote
    /// them all. Meaningful once the stages are in normal form.
    fn wanted_inputs(&self) -> u32 {
        let live = &self.stages[..self.live_stages()];
        let mut mask = 1 << abi::COLOR_LOCATION;
        if self.flags & fragment_flag::SPECULAR_ADD != 0
            || live.iter().any(|s| s.reads(op::arg::SPECULAR))
        {
            mask |= 1 << (abi::COLOR_LOCATION + 1);
        }
        for (n, stage) in live.iter().enumerate() {
            let sprite = self.flags & fragment_flag::POINT_SPRITE != 0;
            if stage.texture != stage_texture::NONE && !sprite {
                mask |= 1 << (abi::TEXCOORD_LOCATION + n as u32);
            }
        }
        if self.fog == fragment_fog::VERTEX || self.fog >= fragment_fog::EXP_VERTEX {
            mask |= 1 << abi::FOG_LOCATION;
        }
        mask
    }
}

impl FragmentStage {
    /// The colour operation leaves alpha to the alpha operation.
    fn operates_on_alpha(&self) -> bool {
        self.color_op != op::DOTPRODUCT3 && !op::is_bump(self.color_op)
    }

    /// An operation names the texture in an argument it reads, and there is none.
    fn lacks_texture(&self, operation: u8, args: [u8; 3]) -> bool {
        let mask = op::arg_mask(operation);
        self.texture == stage_texture::NONE
            && (0..3).any(|i| mask & (1 << i) != 0 && args[i] & op::arg::SELECT == op::arg::TEXTURE)
    }

    /// The kind of the stage's texture, if it has one.
    pub(super) fn kind(&self) -> Option<SamplerKind> {
        Some(match self.texture {
            stage_texture::D2 => SamplerKind::D2,
            stage_texture::CUBE => SamplerKind::Cube,
            stage_texture::VOLUME => SamplerKind::Volume,
            _ => return None,
        })
    }

    /// An operation of the stage modulates by the texture of the next one.
    pub(super) fn premodulates(&self) -> bool {
        [self.color_op, self.alpha_op].contains(&op::PREMODULATE)
    }

    fn normalize(&mut self, premodulated: bool) {
        self.reserved = 0;
        if self.color_op == op::DOTPRODUCT3 {
            self.alpha_op = 0;
        }
        // Bump operations do nothing to alpha.
        if self.alpha_op == op::DISABLE || op::is_bump(self.alpha_op) {
            self.alpha_op = 0;
        }
        for (op_code, args) in [
            (self.color_op, &mut self.color_args),
            (self.alpha_op, &mut self.alpha_args),
        ] {
            let mask = op::arg_mask(op_code);
            for (i, arg) in args.iter_mut().enumerate() {
                if mask & (1 << i) == 0 {
                    *arg = 0;
                }
            }
        }
        // Replicating alpha changes nothing about an alpha argument, except
        // where the operation reads its colour.
        if self.alpha_op != op::DOTPRODUCT3 {
            for arg in &mut self.alpha_args {
                *arg &= !op::arg::ALPHA_REPLICATE;
            }
        }
        if op::is_bump(self.color_op) {
            self.alpha_op = 0;
            self.alpha_args = [0; 3];
            self.result = 0;
        }
        self.result = if self.result == op::arg::TEMP {
            op::arg::TEMP
        } else {
            0
        };
        if !self.reads_texture() && !premodulated {
            self.texture = stage_texture::NONE;
        }
        match self.kind() {
            Some(kind) => self.sampler = self.sampler.normalized(kind),
            None => self.sampler = SamplerRules::default(),
        }
        self.projected = match (self.texture, self.projected) {
            (stage_texture::D2, by) => by,
            // A volume's third component is part of the coordinate.
            (stage_texture::VOLUME, 1..) => 4,
            _ => 0,
        };
    }

    fn reads(&self, selector: u8) -> bool {
        [
            (self.color_op, &self.color_args),
            (self.alpha_op, &self.alpha_args),
        ]
        .into_iter()
        .any(|(op_code, args)| {
            let mask = op::arg_mask(op_code);
            (0..3).any(|i| mask & (1 << i) != 0 && args[i] & op::arg::SELECT == selector)
        })
    }

    fn reads_texture(&self) -> bool {
        self.reads(op::arg::TEXTURE)
            || op::reads_texture_alpha(self.color_op)
            || op::reads_texture_alpha(self.alpha_op)
            || op::is_bump(self.color_op)
    }
}
