//! The key of a fixed-function vertex function.

use bytemuck::{Pod, Zeroable};

use super::{KEY_VERSION, STAGES};
use crate::abi::CLIP_DEPTH;

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
    /// `POSITION1`, in the place of weights where the key tweens.
    pub const TWEEN_POSITION: u16 = BLEND_WEIGHTS;
    /// `NORMAL1`, in the place of indices where the key tweens.
    pub const TWEEN_NORMAL: u16 = BLEND_INDICES;
    /// `PSIZE0`; read for points only.
    pub const POINT_SIZE: u16 = 64;
    /// `TEXCOORD0`; set `n` is `TEXCOORD << n`.
    pub const TEXCOORD: u16 = 256;
    /// Every bit with a meaning below `TEXCOORD`.
    pub(super) const KNOWN: u16 = 0x7f;
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
    /// The clip-space z is scaled and shifted by `VertexExtras::misc[1]`: a viewport's depth
    /// range with a depth bias in units of depth (`D3DRS_DEPTHBIAS`).
    pub const DEPTH_BIAS: u8 = 128;
}

/// Value of [`VertexKey::blend_matrices`]: `D3DVBF_TWEENING`. Positions and normals are mixed with
/// `POSITION1` and `NORMAL1`, `VertexExtras::misc[2].x` (`D3DRS_TWEENFACTOR`) of these.
pub const TWEEN: u8 = 255;

/// Bits of [`VertexKey::points`].
pub mod point {
    /// The primitives are points: the function writes their size, `PSIZE0`
    /// where the vertex has it and `D3DRS_POINTSIZE` where not, clamped to
    /// `D3DRS_POINTSIZE_MIN` and `D3DRS_POINTSIZE_MAX`.
    pub const SIZE: u8 = 1;
    /// `D3DRS_POINTSCALEENABLE`: the size is a share of the viewport's height
    /// and shrinks with the distance from the eye.
    pub const SCALE: u8 = 2;
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
    /// the alpha of the vertex's specular colour, 0 (all fog) when it has none.
    pub const SPECULAR_ALPHA: u8 = 4;
    /// Not a factor but the distance that table fog takes (`FogDepth::Vertex`): the clip-space z,
    /// the depth that came for vertices in pixels.
    pub const CLIP_DEPTH: u8 = 5;
    /// The same where the projection's fourth column is not (0, 0, 0, 1): the view-space depth, 1/rhw
    /// for vertices in pixels.
    pub const VIEW_DEPTH: u8 = 6;
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

/// Bit of [`VertexStage::transform`]: `D3DTTFF_PROJECTED`. The transform sees missing components
/// as 0, 0, 1 at the end, as a fetch fills them; without the bit as a point of as many dimensions as
/// the set has.
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
    /// `D3DTSS_TEXTURETRANSFORMFLAGS`: 0 (`D3DTTFF_DISABLE`, and
    /// `D3DTTFF_COUNT1`, under which drivers leave coordinates alone) or
    /// another number 2..=4, plus [`TRANSFORM_PROJECTED`]. Every count gives all four
    /// components; the normal form knows 4 only.
    pub transform: u8,
}

impl VertexStage {
    /// Reads one stage out of Direct3D's numbers.
    ///
    /// `texcoord_index` is `D3DTSS_TEXCOORDINDEX` whole, `transform_flags` is
    /// `D3DTSS_TEXTURETRANSFORMFLAGS` whole and `components` holds, for each of the
    /// vertex's eight sets, its number of components (0: absent). Generation
    /// modes Direct3D does not define generate nothing; a set past 7 is 7.
    #[must_use]
    pub fn from_state(texcoord_index: u32, transform_flags: u32, components: &[u8; 8]) -> Self {
        let set = (texcoord_index & 0xffff).min(7) as u8;
        let source = match texcoord_index >> 16 {
            1 => coordinate::NORMAL,
            2 => coordinate::POSITION,
            3 => coordinate::REFLECTION,
            4 => coordinate::SPHERE,
            0 => coordinate::SET,
            _ => coordinate::NONE,
        };
        Self {
            source,
            set,
            components: components[usize::from(set)].min(4),
            transform: match transform_flags {
                0 | 1 | 0x101 => 0,
                flags if flags & 0x100 != 0 => 4 | TRANSFORM_PROJECTED,
                _ => 4,
            },
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
    /// `D3DVBF_3WEIGHTS`, the number of weights plus one), or [`TWEEN`].
    pub blend_matrices: u8,
    /// One of [`vertex_fog`].
    pub fog: u8,
    /// Bit `n`: clip plane `n` (0..=5) is enabled; [`CLIP_DEPTH`](crate::abi::CLIP_DEPTH).
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
    /// Bits of [`point`].
    pub points: u8,
    /// Bits of [`input`] below `TEXCOORD`: the elements the declaration has.
    /// Coordinate sets are told by [`VertexStage::components`].
    pub inputs: u16,
    /// Bits of [`input`]: elements fed by an unsigned integer format without
    /// scaling (`UBYTE4`, `UDEC3`): declared `vec4<u32>` and converted.
    pub uint_inputs: u16,
    /// Bits of [`input`]: elements fed by a signed integer format without
    /// scaling (`SHORT2`, `SHORT4`): declared `vec4<i32>` and converted.
    pub sint_inputs: u16,
    /// Of an indexed blend: 0 when indices name [`MAX_PALETTE`](super::MAX_PALETTE)
    /// matrices, [`LARGE_PALETTE`](super::LARGE_PALETTE) when they name as many; then
    /// the whole block lies in the storage buffer (`Reflection::large`).
    pub palette: u16,
    /// `D3DRS_WRAP` of the sets that the stages write: [`Options::wraps`](crate::Options::wraps).
    pub wraps: u32,
    /// Vertices of a primitive, 3 or 2, where `wraps` is not 0.
    pub corners: u8,
    /// Zeros.
    pub reserved: [u8; 3],
    /// One entry per texture stage.
    pub stages: [VertexStage; STAGES],
}

const _: () = assert!(size_of::<VertexStage>() == 4);
const _: () = assert!(size_of::<VertexKey>() == 28 + 4 * STAGES);

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
            key.flags &= vertex_flag::FLAT | vertex_flag::DEPTH_BIAS;
            key.light_types = 0;
            key.blend_matrices = 0;
            key.fog = match key.fog {
                vertex_fog::NONE => vertex_fog::NONE,
                vertex_fog::VIEW_DEPTH if key.position == position::PIXELS => {
                    vertex_fog::VIEW_DEPTH
                }
                vertex_fog::CLIP_DEPTH | vertex_fog::VIEW_DEPTH => vertex_fog::CLIP_DEPTH,
                _ => vertex_fog::SPECULAR_ALPHA,
            };
            if key.position == position::PIXELS {
                key.clip_planes &= CLIP_DEPTH;
            }
        }
        if !key.fog_has_curve() {
            key.fog &= 0xf;
        }
        key.clip_planes &= 0x3f | CLIP_DEPTH;
        key.reserved = [0; 3];
        if key.wraps == 0 {
            key.corners = 0;
        }
        key.normalize_stages(transformed);
        key.normalize_blending();
        key.normalize_lighting();
        key.inputs &= input::KNOWN;
        key.normalize_points();
        if !key.reads_normal() {
            key.inputs &= !input::NORMAL;
        }
        key.normalize_tween();
        if key.inputs & input::NORMAL == 0 {
            key.flags &= !vertex_flag::NORMALIZE;
        }
        let read = key.read_inputs();
        key.inputs = read & (input::TEXCOORD - 1) & !input::POSITION;
        key.uint_inputs &= read;
        key.sint_inputs &= read & !key.uint_inputs;
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
                stage.transform = 0;
            }
            if stage.source == coordinate::SET && stage.components == 0 {
                // Zeros, whatever a transform would do to them.
                *stage = VertexStage {
                    source: coordinate::SET,
                    ..VertexStage::default()
                };
                continue;
            }
            stage.transform = match stage.transform {
                0 | 1 | TRANSFORM_PROJECTED => 0,
                other => other & TRANSFORM_PROJECTED | 4,
            };
            if stage.source != coordinate::SET {
                stage.set = 0;
                stage.components = 0;
            } else if stage.transform == 0 || stage.transform & TRANSFORM_PROJECTED != 0 {
                // The fetch fills missing components.
                stage.components = 4;
            }
        }
    }

    fn normalize_points(&mut self) {
        if self.points & point::SIZE == 0 {
            self.points = 0;
            self.inputs &= !input::POINT_SIZE;
        }
        self.points &= match self.position {
            position::OBJECT => point::SIZE | point::SCALE,
            _ => point::SIZE,
        };
    }

    /// Whether world matrices are blended.
    pub(super) fn blends(&self) -> bool {
        !matches!(self.blend_matrices, 0 | TWEEN)
    }

    fn normalize_tween(&mut self) {
        if self.blend_matrices != TWEEN {
            return;
        }
        if self.inputs & input::NORMAL == 0 {
            self.inputs &= !input::TWEEN_NORMAL;
        }
        if self.inputs & (input::TWEEN_POSITION | input::TWEEN_NORMAL) == 0 {
            self.blend_matrices = 0;
        }
    }

    fn normalize_blending(&mut self) {
        if self.blend_matrices == TWEEN {
            self.flags &= !(vertex_flag::INDEXED_BLEND | vertex_flag::INDICES_NORMALIZED);
            self.palette = 0;
            return;
        }
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
            self.palette = 0;
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
            .filter_map(|s| input::TEXCOORD.checked_shl(s.set.into()))
            .fold(0, |mask, set| mask | set);
        input::POSITION | self.inputs & (input::TEXCOORD - 1) | sets
    }

    /// The factor is computed from the vertex's distance.
    pub(super) fn fog_has_curve(&self) -> bool {
        matches!(self.fog & 0xf, vertex_fog::EXP..=vertex_fog::LINEAR)
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
