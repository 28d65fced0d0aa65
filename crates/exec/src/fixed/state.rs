//! The state a fixed-function vertex depends on, in Direct3D's numbers.

use super::linear::{IDENTITY, Matrix};

/// A `D3DLIGHT9` that is enabled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Light {
    /// `D3DLIGHTTYPE`: 1 point, 2 spot, 3 directional; others shine nowhere.
    pub kind: u32,
    /// Diffuse colour; may exceed 1 or be negative.
    pub diffuse: [f32; 4],
    /// Specular colour.
    pub specular: [f32; 4],
    /// Ambient colour.
    pub ambient: [f32; 4],
    /// Position in world space.
    pub position: [f32; 3],
    /// Direction it shines in, in world space; any length.
    pub direction: [f32; 3],
    /// Distance beyond which a point or spot light has no effect.
    pub range: f32,
    /// Exponent between the two cones of a spot.
    pub falloff: f32,
    /// `Attenuation0`, `Attenuation1`, `Attenuation2`.
    pub attenuation: [f32; 3],
    /// Full angle of the inner cone, radians.
    pub theta: f32,
    /// Full angle of the outer cone, radians.
    pub phi: f32,
}

/// A `D3DMATERIAL9`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Material {
    /// Diffuse colour; its alpha is the lit vertex's alpha.
    pub diffuse: [f32; 4],
    /// Ambient colour.
    pub ambient: [f32; 4],
    /// Specular colour.
    pub specular: [f32; 4],
    /// Emissive colour.
    pub emissive: [f32; 4],
    /// Specular exponent.
    pub power: f32,
}

/// A `D3DVIEWPORT9`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    /// Left edge in pixels.
    pub x: u32,
    /// Top edge in pixels.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Depth of clip-space z = 0.
    pub min_z: f32,
    /// Depth of clip-space z = w.
    pub max_z: f32,
}

impl Viewport {
    /// A clip-space position as `D3DFVF_XYZRHW` states it: x and y in pixels,
    /// depth, and 1/w. With w = 0 the reciprocal is 0 and x, y and z stand
    /// undivided.
    #[must_use]
    pub fn pixels(&self, clip: [f32; 4]) -> [f32; 4] {
        let rhw = if clip[3] == 0.0 { 0.0 } else { 1.0 / clip[3] };
        let by = if clip[3] == 0.0 { 1.0 } else { rhw };
        let [x, y, z] = [clip[0] * by, clip[1] * by, clip[2] * by];
        let (half_width, half_height) = (self.width as f32 * 0.5, self.height as f32 * 0.5);
        [
            self.x as f32 + half_width + x * half_width,
            self.y as f32 + half_height - y * half_height,
            self.min_z + z * (self.max_z - self.min_z),
            rhw,
        ]
    }
}

/// Vertex fog.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Fog {
    /// `D3DRS_FOGENABLE`.
    pub enable: bool,
    /// `D3DRS_FOGTABLEMODE`, a `D3DFOGMODE`; not 0 leaves fog to the pixels.
    pub table_mode: u32,
    /// `D3DRS_FOGVERTEXMODE`: 0 takes the factor from the specular alpha, 1
    /// `D3DFOG_EXP`, 2 `D3DFOG_EXP2`, 3 `D3DFOG_LINEAR`.
    pub vertex_mode: u32,
    /// `D3DRS_RANGEFOGENABLE`: by distance, not depth.
    pub range: bool,
    /// Radial fog: by distance too, and where a linear range has no extent there is no fog before
    /// its end.
    pub radial: bool,
    /// `D3DRS_FOGSTART`.
    pub start: f32,
    /// `D3DRS_FOGEND`.
    pub end: f32,
    /// `D3DRS_FOGDENSITY`.
    pub density: f32,
}

/// Point sizes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Points {
    /// `D3DRS_POINTSIZE`, for vertices without one of their own.
    pub size: f32,
    /// `D3DRS_POINTSIZE_MIN`.
    pub min: f32,
    /// `D3DRS_POINTSIZE_MAX`.
    pub max: f32,
    /// `D3DRS_POINTSCALEENABLE`.
    pub scale_enable: bool,
    /// `D3DRS_POINTSCALE_A`, `_B`, `_C`.
    pub scale: [f32; 3],
}

/// What a texture stage says about its coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stage {
    /// `D3DTSS_TEXCOORDINDEX` whole: a set and a `D3DTSS_TCI_*` mode.
    pub texcoord_index: u32,
    /// `D3DTSS_TEXTURETRANSFORMFLAGS` whole.
    pub transform_flags: u32,
    /// `D3DTS_TEXTURE0` + stage.
    pub transform: Matrix,
}

/// Everything a vertex depends on but itself.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// `D3DTS_WORLDMATRIX(0)` and up; a matrix past the end is the identity.
    pub world: &'a [Matrix],
    /// `D3DTS_VIEW`.
    pub view: Matrix,
    /// `D3DTS_PROJECTION`.
    pub projection: Matrix,
    /// The eight stages.
    pub stages: [Stage; 8],
    /// `SetViewport`.
    pub viewport: Viewport,
    /// `D3DRS_LIGHTING`.
    pub lighting: bool,
    /// The enabled lights, lowest index first; the first eight shine.
    pub lights: &'a [Light],
    /// `SetMaterial`.
    pub material: Material,
    /// `D3DRS_AMBIENT` as red, green, blue, alpha in 0..=1.
    pub ambient: [f32; 4],
    /// `D3DRS_SPECULARENABLE`.
    pub specular_enable: bool,
    /// `D3DRS_LOCALVIEWER`.
    pub local_viewer: bool,
    /// `D3DRS_NORMALIZENORMALS`.
    pub normalize_normals: bool,
    /// `D3DRS_COLORVERTEX`.
    pub color_vertex: bool,
    /// `D3DRS_DIFFUSEMATERIALSOURCE`, a `D3DMATERIALCOLORSOURCE`: 0 material,
    /// 1 diffuse, 2 specular colour of the vertex.
    pub diffuse_source: u32,
    /// `D3DRS_AMBIENTMATERIALSOURCE`.
    pub ambient_source: u32,
    /// `D3DRS_SPECULARMATERIALSOURCE`.
    pub specular_source: u32,
    /// `D3DRS_EMISSIVEMATERIALSOURCE`.
    pub emissive_source: u32,
    /// `D3DRS_VERTEXBLEND`, a `D3DVERTEXBLENDFLAGS`: 0 off, 1 to 3 weights,
    /// 255 tweening, 256 one matrix of weight 1.
    pub vertex_blend: u32,
    /// `D3DRS_INDEXEDVERTEXBLENDENABLE`.
    pub indexed_blend: bool,
    /// `D3DRS_TWEENFACTOR`.
    pub tween_factor: f32,
    /// Fog.
    pub fog: Fog,
    /// Point sizes.
    pub points: Points,
    /// `SetClipPlane`, in world space.
    pub clip_planes: [[f32; 4]; 6],
    /// `D3DRS_CLIPPLANEENABLE`.
    pub clip_plane_enable: u32,
}

impl Default for State<'_> {
    /// Direct3D's initial state on a target of 640 by 480.
    fn default() -> Self {
        Self {
            world: &[],
            view: IDENTITY,
            projection: IDENTITY,
            stages: core::array::from_fn(|n| Stage {
                texcoord_index: n as u32,
                transform_flags: 0,
                transform: IDENTITY,
            }),
            viewport: Viewport {
                x: 0,
                y: 0,
                width: 640,
                height: 480,
                min_z: 0.0,
                max_z: 1.0,
            },
            lighting: true,
            lights: &[],
            material: Material::default(),
            ambient: [0.0; 4],
            specular_enable: false,
            local_viewer: true,
            normalize_normals: false,
            color_vertex: true,
            diffuse_source: 1,
            ambient_source: 0,
            specular_source: 2,
            emissive_source: 0,
            vertex_blend: 0,
            indexed_blend: false,
            tween_factor: 0.0,
            fog: Fog {
                end: 1.0,
                density: 1.0,
                ..Fog::default()
            },
            points: Points {
                size: 1.0,
                min: 1.0,
                max: 64.0,
                scale_enable: false,
                scale: [1.0, 0.0, 0.0],
            },
            clip_planes: [[0.0; 4]; 6],
            clip_plane_enable: 0,
        }
    }
}

/// The elements of the vertex declaration. Fields of a
/// [`Vertex`](super::Vertex) whose element is missing are not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Elements {
    /// The position is `POSITIONT` / `D3DFVF_XYZRHW`: no transform, no
    /// lighting, no generated coordinates.
    pub pretransformed: bool,
    /// `NORMAL0`.
    pub normal: bool,
    /// `COLOR0`.
    pub diffuse: bool,
    /// `COLOR1`.
    pub specular: bool,
    /// `PSIZE0`.
    pub point_size: bool,
    /// `BLENDWEIGHT0`.
    pub weights: bool,
    /// `BLENDINDICES0`.
    pub indices: bool,
    /// `POSITION1`, the other end of a tween.
    pub position1: bool,
    /// `NORMAL1`.
    pub normal1: bool,
    /// Components of each `TEXCOORDn`, 1 to 4; 0 where it is missing.
    pub coordinates: [u8; 8],
}
