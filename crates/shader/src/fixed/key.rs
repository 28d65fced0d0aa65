//! The two fixed-function keys: everything that changes the *structure* of a
//! generated shader and nothing that is only a number.
//!
//! Keys are plain bytes: `repr(C)`, `Pod`, without padding, with a version in
//! the first byte, so that they can be hashed, stored and compared as they
//! are. Fields hold Direct3D's own numbers wherever Direct3D has one. Build a
//! key from the device's state without thinking about what matters, then call
//! `normalized`: fields that cannot change the shader are zeroed there, so
//! that states which draw alike share one shader.

use bytemuck::{Pod, Zeroable};

use super::op;
use crate::abi;

/// Version byte of both keys. It changes whenever the meaning of a field or
/// the code generated for an unchanged key changes.
pub const KEY_VERSION: u8 = 1;

/// Number of texture stages (`MaxTextureBlendStages`).
pub const STAGES: usize = 8;

/// Values of [`VertexKey::position`].
pub mod position {
    /// `POSITION0` is transformed by world, view and projection
    /// (`D3DFVF_XYZ`, `D3DFVF_XYZBn`).
    pub const OBJECT: u8 = 0;
    /// `POSITIONT0` / `D3DFVF_XYZRHW`: x and y in pixels, z in 0..=1, and
    /// 1/w. No lighting, no texture generation or transform, no fog mode.
    pub const PIXELS: u8 = 1;
    /// `POSITION0` is a homogeneous clip-space position passed through as it
    /// is. Otherwise like [`PIXELS`].
    pub const CLIP: u8 = 2;
}

/// Bits of [`VertexKey::inputs`], [`VertexKey::uint_inputs`] and
/// [`VertexKey::sint_inputs`]: elements of the vertex declaration.
pub mod input {
    /// `POSITION0` or `POSITIONT0`; always read.
    pub const POSITION: u16 = 1;
    /// `NORMAL0`.
    pub const NORMAL: u16 = 2;
    /// `COLOR0`, the diffuse colour.
    pub const DIFFUSE: u16 = 4;
    /// `COLOR1`, the specular colour.
    pub const SPECULAR: u16 = 8;
    /// `BLENDWEIGHT0`.
    pub const BLEND_WEIGHTS: u16 = 16;
    /// `BLENDINDICES0`.
    pub const BLEND_INDICES: u16 = 32;
    /// `PSIZE0`. Accepted; the generated shader does not read it yet.
    pub const POINT_SIZE: u16 = 64;
    /// `TEXCOORD0`; set `n` is `TEXCOORD << n`.
    pub const TEXCOORD: u16 = 256;
}

/// Bits of [`VertexKey::flags`].
pub mod vertex_flag {
    /// `D3DRS_LIGHTING`.
    pub const LIGHTING: u8 = 1;
    /// `D3DRS_SPECULARENABLE`: lighting computes the specular term.
    pub const SPECULAR: u8 = 2;
    /// `D3DRS_LOCALVIEWER`.
    pub const LOCAL_VIEWER: u8 = 4;
    /// `D3DRS_NORMALIZENORMALS`.
    pub const NORMALIZE: u8 = 8;
    /// `D3DRS_SHADEMODE` is `D3DSHADE_FLAT`: both colours are interpolated flat.
    pub const FLAT: u8 = 16;
    /// `D3DRS_INDEXEDVERTEXBLENDENABLE`.
    pub const INDEXED_BLEND: u8 = 32;
    /// `BLENDINDICES0` reaches the shader scaled to 0..=1 (a normalised
    /// vertex format) and is multiplied by 255 there.
    pub const INDICES_NORMALIZED: u8 = 64;
}

/// Bits of [`VertexKey::light_types`].
pub mod light_type {
    /// At least one enabled `D3DLIGHT_DIRECTIONAL`.
    pub const DIRECTIONAL: u8 = 1;
    /// At least one enabled `D3DLIGHT_POINT`.
    pub const POINT: u8 = 2;
    /// At least one enabled `D3DLIGHT_SPOT`.
    pub const SPOT: u8 = 4;
}

/// Values of [`VertexKey::fog`]: what the `FOG0` varying is computed from.
pub mod vertex_fog {
    /// `FOG0` is not written (fog off, or table fog).
    pub const NONE: u8 = 0;
    /// `D3DFOG_EXP` of view-space depth.
    pub const EXP: u8 = 1;
    /// `D3DFOG_EXP2` of view-space depth.
    pub const EXP2: u8 = 2;
    /// `D3DFOG_LINEAR` of view-space depth.
    pub const LINEAR: u8 = 3;
    /// Fog is on and neither a vertex nor a table mode is set: the factor is
    /// the alpha of the vertex's specular colour, 1 when it has none.
    pub const SPECULAR_ALPHA: u8 = 4;
    /// Added to `EXP`, `EXP2`, `LINEAR`: `D3DRS_RANGEFOGENABLE`, distance
    /// from the eye instead of depth.
    pub const RANGE: u8 = 0x10;
}

/// Values of [`VertexStage::source`].
pub mod coordinate {
    /// `TEXCOORDn` of this stage is not written.
    pub const NONE: u8 = 0;
    /// `D3DTSS_TCI_PASSTHRU`: the vertex's own set.
    pub const SET: u8 = 1;
    /// `D3DTSS_TCI_CAMERASPACENORMAL`.
    pub const NORMAL: u8 = 2;
    /// `D3DTSS_TCI_CAMERASPACEPOSITION`.
    pub const POSITION: u8 = 3;
    /// `D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR`.
    pub const REFLECTION: u8 = 4;
    /// `D3DTSS_TCI_SPHEREMAP`.
    pub const SPHERE: u8 = 5;
}

/// Bit of [`VertexStage::transform`]: `D3DTTFF_PROJECTED`.
pub const TRANSFORM_PROJECTED: u8 = 0x80;

/// How the coordinate that leaves the vertex stage as `TEXCOORD<stage>` is made.
///
/// The generated vertex function writes one set per *stage*: stage `n` of a
/// fixed-function fragment (or `tn` of a ps_1_x program) reads `TEXCOORDn`,
/// whatever `D3DTSS_TEXCOORDINDEX` said; the index only chooses the input.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct VertexStage {
    /// One of [`coordinate`].
    pub source: u8,
    /// Input set 0..=7, the low half of `D3DTSS_TEXCOORDINDEX`
    /// ([`coordinate::SET`] only).
    pub set: u8,
    /// Components the declaration gives that set: 1..=4, 0 when it lacks it.
    pub components: u8,
    /// `D3DTSS_TEXTURETRANSFORMFLAGS`: 0 (`D3DTTFF_DISABLE`) or the count
    /// 1..=4, plus [`TRANSFORM_PROJECTED`].
    pub transform: u8,
}

impl VertexStage {
    /// Reads one stage out of Direct3D's numbers.
    ///
    /// `texcoord_index` is `D3DTSS_TEXCOORDINDEX` whole, `transform_flags` is
    /// `D3DTSS_TEXTURETRANSFORMFLAGS` whole and `components` holds, for each of the
    /// vertex's eight sets, its number of components (0: absent). Generation
    /// modes Direct3D does not define fall back to the vertex's set.
    #[must_use]
    pub fn from_state(texcoord_index: u32, transform_flags: u32, components: &[u8; 8]) -> Self {
        let set = (texcoord_index & 7) as u8;
        let source = match texcoord_index >> 16 {
            1 => coordinate::NORMAL,
            2 => coordinate::POSITION,
            3 => coordinate::REFLECTION,
            4 => coordinate::SPHERE,
            _ => coordinate::SET,
        };
        let projected = if transform_flags & 0x100 != 0 {
            TRANSFORM_PROJECTED
        } else {
            0
        };
        Self {
            source,
            set,
            components: components[set as usize].min(4),
            transform: (transform_flags & 0xff).min(4) as u8 | projected,
        }
    }
}

/// Everything that changes the structure of a fixed-function vertex function.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
pub struct VertexKey {
    /// [`KEY_VERSION`].
    pub version: u8,
    /// One of [`position`].
    pub position: u8,
    /// Bits of [`vertex_flag`].
    pub flags: u8,
    /// Bits of [`light_type`]; how many lights there are of each type is a
    /// constant ([`super::VertexBlock::set_lights`] returns these bits).
    pub light_types: u8,
    /// Matrices blended: 0 (`D3DVBF_DISABLE`) or 1..=4 (`D3DVBF_0WEIGHTS` to
    /// `D3DVBF_3WEIGHTS`, the number of weights plus one).
    pub blend_matrices: u8,
    /// One of [`vertex_fog`].
    pub fog: u8,
    /// Bit `n`: clip plane `n` (0..=5) is enabled.
    pub clip_planes: u8,
    /// `D3DRS_DIFFUSEMATERIALSOURCE`: 0 material, 1 `COLOR1` (diffuse), 2
    /// `COLOR2` (specular); 0 when `D3DRS_COLORVERTEX` is off.
    pub diffuse_source: u8,
    /// `D3DRS_AMBIENTMATERIALSOURCE`, as above.
    pub ambient_source: u8,
    /// `D3DRS_SPECULARMATERIALSOURCE`, as above.
    pub specular_source: u8,
    /// `D3DRS_EMISSIVEMATERIALSOURCE`, as above.
    pub emissive_source: u8,
    /// Zero.
    pub reserved: u8,
    /// Bits of [`input`] below `TEXCOORD`: the elements the declaration has.
    /// Coordinate sets are told by [`VertexStage::components`].
    pub inputs: u16,
    /// Bits of [`input`]: elements fed by an unsigned integer format without
    /// scaling (`UBYTE4`, `UDEC3`): declared `vec4<u32>` and converted.
    pub uint_inputs: u16,
    /// Bits of [`input`]: elements fed by a signed integer format without
    /// scaling (`SHORT2`, `SHORT4`): declared `vec4<i32>` and converted.
    pub sint_inputs: u16,
    /// One entry per texture stage.
    pub stages: [VertexStage; STAGES],
}

const _: () = assert!(size_of::<VertexStage>() == 4);
const _: () = assert!(size_of::<VertexKey>() == 18 + 4 * STAGES);

impl Default for VertexKey {
    /// An untextured, unlit `D3DFVF_XYZ` vertex without fog.
    fn default() -> Self {
        Self {
            version: KEY_VERSION,
            ..Self::zeroed()
        }
    }
}

impl VertexKey {
    /// The key with every field zeroed that cannot change the shader.
    ///
    /// Keys whose normal forms are equal generate the same module.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let mut key = *self;
        let transformed = key.position == position::OBJECT;
        if !transformed {
            key.flags &= vertex_flag::FLAT;
            key.light_types = 0;
            key.blend_matrices = 0;
            if key.fog != vertex_fog::NONE {
                key.fog = vertex_fog::SPECULAR_ALPHA;
            }
            if key.position == position::PIXELS {
                key.clip_planes = 0;
            }
        }
        if matches!(key.fog & 0xf, vertex_fog::NONE | vertex_fog::SPECULAR_ALPHA) {
            key.fog &= 0xf;
        }
        key.clip_planes &= 0x3f;
        key.normalize_stages(transformed);
        key.normalize_blending();
        key.normalize_lighting();
        key.inputs &= !input::POINT_SIZE;
        if !key.reads_normal() {
            key.inputs &= !input::NORMAL;
        }
        if key.inputs & input::NORMAL == 0 {
            key.flags &= !vertex_flag::NORMALIZE;
        }
        let read = key.read_inputs();
        key.inputs = read & (input::TEXCOORD - 1) & !input::POSITION;
        key.uint_inputs &= read;
        key.sint_inputs &= read & !key.uint_inputs;
        key.reserved = 0;
        key
    }

    fn normalize_stages(&mut self, transformed: bool) {
        for stage in &mut self.stages {
            if stage.source == coordinate::NONE {
                *stage = VertexStage::default();
                continue;
            }
            if !transformed {
                stage.source = coordinate::SET;
                stage.transform &= TRANSFORM_PROJECTED;
            }
            if stage.transform & 0x7f == 0 {
                stage.transform = 0;
            }
            if stage.source != coordinate::SET {
                stage.set = 0;
                stage.components = 0;
            } else if stage.components == 0 {
                stage.set = 0;
            } else if stage.transform == 0 {
                // Without a transform the fetch fills missing components.
                stage.components = 4;
            }
        }
    }

    fn normalize_blending(&mut self) {
        if self.blend_matrices == 0 {
            self.flags &= !(vertex_flag::INDEXED_BLEND | vertex_flag::INDICES_NORMALIZED);
            self.inputs &= !(input::BLEND_WEIGHTS | input::BLEND_INDICES);
        }
        if self.blend_matrices == 1 {
            self.inputs &= !input::BLEND_WEIGHTS;
        }
        if self.flags & vertex_flag::INDEXED_BLEND == 0 || self.inputs & input::BLEND_INDICES == 0 {
            self.flags &= !(vertex_flag::INDEXED_BLEND | vertex_flag::INDICES_NORMALIZED);
            self.inputs &= !input::BLEND_INDICES;
        }
    }

    fn normalize_lighting(&mut self) {
        let lit = self.flags & vertex_flag::LIGHTING != 0;
        if !lit {
            self.flags &= !(vertex_flag::SPECULAR | vertex_flag::LOCAL_VIEWER);
            self.light_types = 0;
        }
        if self.light_types == 0 {
            self.flags &= !vertex_flag::LOCAL_VIEWER;
        }
        if self.flags & vertex_flag::SPECULAR == 0 {
            self.flags &= !vertex_flag::LOCAL_VIEWER;
            self.specular_source = 0;
        }
        let inputs = self.inputs;
        for source in [
            &mut self.diffuse_source,
            &mut self.ambient_source,
            &mut self.specular_source,
            &mut self.emissive_source,
        ] {
            let present = match *source {
                1 => inputs & input::DIFFUSE != 0,
                2 => inputs & input::SPECULAR != 0,
                _ => false,
            };
            if !lit || !present {
                *source = 0;
            }
        }
        if lit {
            let reads = |n| {
                [
                    self.diffuse_source,
                    self.ambient_source,
                    self.specular_source,
                    self.emissive_source,
                ]
                .contains(&n)
            };
            if !reads(1) {
                self.inputs &= !input::DIFFUSE;
            }
            if !reads(2) && self.fog != vertex_fog::SPECULAR_ALPHA {
                self.inputs &= !input::SPECULAR;
            }
        }
    }

    /// Bits of [`input`] that the function of this normal form reads.
    pub(super) fn read_inputs(&self) -> u16 {
        let sets = self
            .stages
            .iter()
            .filter(|s| s.source == coordinate::SET && s.components != 0)
            .fold(0, |mask, s| mask | input::TEXCOORD << s.set);
        input::POSITION | self.inputs & (input::TEXCOORD - 1) | sets
    }

    fn reads_normal(&self) -> bool {
        self.light_types != 0
            || self.stages.iter().any(|s| {
                matches!(
                    s.source,
                    coordinate::NORMAL | coordinate::REFLECTION | coordinate::SPHERE
                )
            })
    }
}

/// Bits of [`FragmentKey::flags`].
pub mod fragment_flag {
    /// `D3DRS_SPECULARENABLE`: the specular colour is added after the cascade.
    pub const SPECULAR_ADD: u8 = 1;
    /// `D3DRS_SHADEMODE` is `D3DSHADE_FLAT`.
    pub const FLAT: u8 = 2;
    /// A colour argument that names a missing texture reads opaque black
    /// instead of ending the cascade. See [`FragmentKey::normalized`].
    pub const NULL_READS_BLACK: u8 = 4;
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
    /// 2..=4, or 0 for none. See [`FragmentStage::projection`].
    pub projected: u8,
    /// Zero.
    pub reserved: u8,
}

impl FragmentStage {
    /// The value of [`Self::projected`] for `D3DTSS_TEXTURETRANSFORMFLAGS`:
    /// with `D3DTTFF_PROJECTED` the last of the counted components divides,
    /// the fourth when no count is given.
    #[must_use]
    pub fn projection(transform_flags: u32) -> u8 {
        match (transform_flags & 0x100 != 0, transform_flags & 0xff) {
            (false, _) => 0,
            (true, n @ 2..=3) => n as u8,
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
    /// default: white diffuse, black specular with alpha 0, zero coordinates, no fog.
    pub missing_inputs: u32,
    /// The cascade.
    pub stages: [FragmentStage; STAGES],
}

const _: () = assert!(size_of::<FragmentStage>() == 12);
const _: () = assert!(size_of::<FragmentKey>() == 8 + 12 * STAGES);

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
    /// - The cascade also ends at a stage without a texture whose colour
    ///   operation names `D3DTA_TEXTURE` in an argument it reads. Direct3D
    ///   documents this for `COLORARG1`; implementations that run games extend it
    ///   to every argument read. [`fragment_flag::NULL_READS_BLACK`] turns
    ///   the rule off; alpha arguments and implicit reads always see opaque
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
        for stage in &mut key.stages {
            live = live && stage.color_op > op::DISABLE;
            if live && stage.colors_without_texture() {
                live = black;
                key.flags |= self.flags & fragment_flag::NULL_READS_BLACK;
            }
            if live {
                stage.normalize();
            } else {
                *stage = FragmentStage::default();
            }
        }
        let inputs = key.wanted_inputs();
        key.missing_inputs &= inputs;
        if key.fog == fragment_fog::VERTEX && key.missing_inputs & (1 << abi::FOG_LOCATION) != 0 {
            key.fog = fragment_fog::NONE;
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
            if stage.texture != stage_texture::NONE {
                mask |= 1 << (abi::TEXCOORD_LOCATION + n as u32);
            }
        }
        if self.fog == fragment_fog::VERTEX {
            mask |= 1 << abi::FOG_LOCATION;
        }
        mask
    }
}

impl FragmentStage {
    /// The colour operation names the texture in an argument it reads, and there is none.
    fn colors_without_texture(&self) -> bool {
        let mask = op::arg_mask(self.color_op);
        self.texture == stage_texture::NONE
            && (0..3).any(|i| {
                mask & (1 << i) != 0 && self.color_args[i] & op::arg::SELECT == op::arg::TEXTURE
            })
    }

    fn normalize(&mut self) {
        if self.color_op == op::DOTPRODUCT3 {
            self.alpha_op = 0;
        }
        if self.alpha_op == op::DISABLE {
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
        if !self.reads_texture() || self.texture == stage_texture::NONE {
            self.texture = stage_texture::NONE;
            self.projected = 0;
        }
        if self.texture == stage_texture::CUBE {
            self.projected = 0;
        }
        self.reserved = 0;
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
