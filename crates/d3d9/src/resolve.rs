//! From D3D9 state to the renderer's ids, group by group.
//!
//! Setters mark groups; a draw resolves the marked ones and leaves the rest as
//! they are. Nothing is hashed whole, and a draw after no change does nothing
//! here.

use ninefold_renderer::{
    BlendId, BlendKey, DepthStencilId, LayoutId, PixelFunction, RasterId, RasterKey, Renderer,
    STAGES, SamplerId, SamplerKey, Targets, TextureBinding, VertexFunction,
};
use ninefold_shader::abi::{PixelExtras, VertexExtras};
use ninefold_shader::fixed::VertexBlock;

use crate::consts::*;
use crate::fault::Outcome;
use crate::handle::RawHandle;
use crate::resolve_state::Reads;
use crate::types::Viewport;

/// Groups of state that are resolved together.
pub(crate) mod group {
    pub(crate) const BLEND: u32 = 1;
    pub(crate) const DEPTH: u32 = 1 << 1;
    pub(crate) const RASTER: u32 = 1 << 2;
    /// The pixel function.
    pub(crate) const PIXEL: u32 = 1 << 3;
    pub(crate) const PIXEL_EXTRAS: u32 = 1 << 4;
    /// The vertex function.
    pub(crate) const VERTEX: u32 = 1 << 5;
    pub(crate) const VERTEX_EXTRAS: u32 = 1 << 6;
    pub(crate) const LAYOUT: u32 = 1 << 7;
    pub(crate) const TARGETS: u32 = 1 << 8;
    /// Sections of the fixed-function constants.
    pub(crate) const TRANSFORMS: u32 = 1 << 9;
    pub(crate) const TEXTURE_TRANSFORMS: u32 = 1 << 10;
    pub(crate) const MATERIAL: u32 = 1 << 11;
    pub(crate) const LIGHTS: u32 = 1 << 12;
    pub(crate) const AMBIENT: u32 = 1 << 13;
    pub(crate) const FOG: u32 = 1 << 14;
    pub(crate) const PALETTE: u32 = 1 << 15;
    pub(crate) const POINTS: u32 = 1 << 16;
    /// Float constants: only their generations change.
    pub(crate) const VS_FLOATS: u32 = 1 << 17;
    pub(crate) const PS_FLOATS: u32 = 1 << 18;
    pub(crate) const ALL: u32 = (1 << 17) - 1;
    /// Every section of the fixed-function constants.
    pub(crate) const BLOCK: u32 =
        TRANSFORMS | TEXTURE_TRANSFORMS | MATERIAL | LIGHTS | AMBIENT | FOG | PALETTE | POINTS;
}

/// The groups that a render state belongs to; 0 for states that draws read as they are.
pub(crate) const fn render_groups(state: u32) -> u32 {
    use group::*;
    match state {
        D3DRS_SRCBLEND
        | D3DRS_DESTBLEND
        | D3DRS_ALPHABLENDENABLE
        | D3DRS_BLENDOP
        | D3DRS_SEPARATEALPHABLENDENABLE
        | D3DRS_SRCBLENDALPHA
        | D3DRS_DESTBLENDALPHA
        | D3DRS_BLENDOPALPHA
        | D3DRS_COLORWRITEENABLE
        | D3DRS_COLORWRITEENABLE1
        | D3DRS_COLORWRITEENABLE2
        | D3DRS_COLORWRITEENABLE3 => BLEND,
        D3DRS_ZENABLE
        | D3DRS_ZWRITEENABLE
        | D3DRS_ZFUNC
        | D3DRS_STENCILENABLE
        | D3DRS_STENCILFAIL
        | D3DRS_STENCILZFAIL
        | D3DRS_STENCILPASS
        | D3DRS_STENCILFUNC
        | D3DRS_STENCILMASK
        | D3DRS_STENCILWRITEMASK
        | D3DRS_TWOSIDEDSTENCILMODE
        | D3DRS_CCW_STENCILFAIL
        | D3DRS_CCW_STENCILZFAIL
        | D3DRS_CCW_STENCILPASS
        | D3DRS_CCW_STENCILFUNC => DEPTH,
        D3DRS_WRAP0..=D3DRS_WRAP7
        | D3DRS_FILLMODE
        | D3DRS_CULLMODE
        | D3DRS_DEPTHBIAS
        | D3DRS_SLOPESCALEDEPTHBIAS
        | D3DRS_MULTISAMPLEMASK
        | D3DRS_MULTISAMPLEANTIALIAS
        | D3DRS_ADAPTIVETESS_Y => RASTER,
        D3DRS_SHADEMODE | D3DRS_FOGENABLE | D3DRS_FOGTABLEMODE | D3DRS_FOGVERTEXMODE
        | D3DRS_SPECULARENABLE => PIXEL | VERTEX,
        D3DRS_ALPHATESTENABLE | D3DRS_ALPHAFUNC | D3DRS_POINTSPRITEENABLE => PIXEL,
        D3DRS_ALPHAREF | D3DRS_FOGCOLOR | D3DRS_TEXTUREFACTOR => PIXEL_EXTRAS,
        D3DRS_FOGSTART | D3DRS_FOGEND | D3DRS_FOGDENSITY => PIXEL_EXTRAS | FOG,
        D3DRS_RANGEFOGENABLE
        | D3DRS_LIGHTING
        | D3DRS_COLORVERTEX
        | D3DRS_LOCALVIEWER
        | D3DRS_NORMALIZENORMALS
        | D3DRS_DIFFUSEMATERIALSOURCE
        | D3DRS_SPECULARMATERIALSOURCE
        | D3DRS_AMBIENTMATERIALSOURCE
        | D3DRS_EMISSIVEMATERIALSOURCE => VERTEX,
        D3DRS_VERTEXBLEND | D3DRS_INDEXEDVERTEXBLENDENABLE => VERTEX | PALETTE,
        D3DRS_TWEENFACTOR => VERTEX_EXTRAS,
        D3DRS_CLIPPLANEENABLE => VERTEX | VERTEX_EXTRAS,
        D3DRS_CLIPPING => VERTEX,
        D3DRS_AMBIENT => AMBIENT,
        D3DRS_POINTSIZE | D3DRS_POINTSIZE_MIN | D3DRS_POINTSIZE_MAX | D3DRS_POINTSCALE_A
        | D3DRS_POINTSCALE_B | D3DRS_POINTSCALE_C => POINTS | VERTEX_EXTRAS,
        D3DRS_POINTSCALEENABLE => VERTEX,
        D3DRS_SRGBWRITEENABLE => TARGETS,
        _ => 0,
    }
}

/// The groups that a texture-stage state belongs to.
pub(crate) const fn stage_groups(state: u32) -> u32 {
    use group::*;
    match state {
        D3DTSS_TEXCOORDINDEX => VERTEX | PIXEL | RASTER,
        D3DTSS_TEXTURETRANSFORMFLAGS => VERTEX | PIXEL,
        D3DTSS_CONSTANT
        | D3DTSS_BUMPENVMAT00
        | D3DTSS_BUMPENVMAT01
        | D3DTSS_BUMPENVMAT10
        | D3DTSS_BUMPENVMAT11
        | D3DTSS_BUMPENVLSCALE
        | D3DTSS_BUMPENVLOFFSET => PIXEL_EXTRAS,
        _ => PIXEL,
    }
}

/// A viewport's `MaxZ` is at least this much past its `MinZ`, whatever was set.
const LEAST_DEPTH_RANGE: f32 = 0.001;

/// What the groups resolved to, and which must be resolved again.
pub(crate) struct Resolved {
    pub(crate) dirty: u32,
    pub(crate) dirty_textures: u32,
    pub(crate) dirty_samplers: u32,
    pub(crate) dirty_texture_transforms: u8,
    /// Some resource has texels in memory that its image lacks.
    pub(crate) uploads_pending: bool,
    /// A colour target makes its own mip levels.
    pub(crate) autogen_target: bool,
    generation: u64,

    pub(crate) targets: Targets,
    pub(crate) blend: BlendId,
    pub(crate) depth_stencil: DepthStencilId,
    pub(crate) raster: RasterId,
    /// `D3DRS_WRAP` of the sets that the vertex function writes.
    pub(crate) wraps: u32,
    pub(crate) layout: LayoutId,
    pub(crate) strides: Option<[u16; 16]>,
    pub(crate) vertex: VertexFunction,
    pub(crate) pixel: PixelFunction,
    /// The vertex function is a shader: its constants are the float registers.
    pub(crate) program: bool,
    /// Points are drawn: their size and sprites count.
    pub(crate) points: bool,
    /// The device's viewport as it was resolved, and what came of it.
    viewport_of: Option<Viewport>,
    pub(crate) viewport: ninefold_renderer::Viewport,
    /// Stages that the fixed-function cascade samples; all of them under a pixel shader.
    pub(crate) sampled_stages: u8,
    pub(crate) block: Box<VertexBlock>,
    pub(crate) light_types: u8,
    pub(crate) block_generation: u64,
    pub(crate) vs_generation: u64,
    pub(crate) ps_generation: u64,
    pub(crate) vs_extras: VertexExtras,
    pub(crate) vs_extras_generation: u64,
    pub(crate) ps_extras: PixelExtras,
    pub(crate) ps_extras_generation: u64,
    pub(crate) textures: [Option<TextureBinding>; STAGES],
    /// The resource behind each of `textures`.
    pub(crate) owners: [Option<RawHandle>; STAGES],
    pub(crate) samplers: [SamplerId; STAGES],
    /// What of the bound textures is in `samplers`.
    pub(crate) reads: [Reads; STAGES],
}

impl Resolved {
    /// Draws hand the viewport on in one piece: made word by word for each of them, it could not be
    /// read before all that was written earlier had left the processor.
    #[inline]
    pub(crate) fn resolve_viewport(&mut self, viewport: &Viewport) {
        if self.viewport_of.as_ref() != Some(viewport) {
            self.change_viewport(viewport);
        }
    }

    #[cold]
    fn change_viewport(&mut self, v: &Viewport) {
        self.viewport_of = Some(*v);
        self.viewport = ninefold_renderer::Viewport {
            x: v.x,
            y: v.y,
            w: v.width,
            h: v.height,
            min_z: v.min_z.clamp(0.0, 1.0),
            max_z: v.max_z.max(v.min_z + LEAST_DEPTH_RANGE).clamp(0.0, 1.0),
        };
    }

    /// Everything to be resolved. Generations go on from `generation`, so that none comes twice.
    pub(crate) fn new(renderer: &mut Renderer, generation: u64) -> Outcome<Self> {
        let sampler = renderer.sampler(&SamplerKey::default())?;
        let blank = ninefold_shader::fixed::VertexKey::default().normalized();
        let cascade = ninefold_shader::fixed::FragmentKey::default().normalized();
        Ok(Self {
            dirty: group::ALL,
            dirty_textures: u32::MAX,
            dirty_samplers: u32::MAX,
            dirty_texture_transforms: u8::MAX,
            uploads_pending: true,
            autogen_target: false,
            generation: generation + 5,
            targets: Targets::default(),
            blend: renderer.blend(&BlendKey::default())?,
            depth_stencil: renderer.depth_stencil(&ninefold_renderer::DepthStencilKey::default())?,
            raster: renderer.raster(&RasterKey::default())?,
            wraps: 0,
            layout: renderer.vertex_layout(&[], &[0; 16])?,
            strides: None,
            vertex: renderer.fixed_vertex(&blank)?,
            pixel: renderer.fixed_fragment(&cascade)?,
            program: false,
            points: false,
            viewport_of: None,
            viewport: ninefold_renderer::Viewport::full(0, 0),
            sampled_stages: 0,
            block: Box::default(),
            light_types: 0,
            block_generation: generation + 1,
            vs_generation: generation + 2,
            ps_generation: generation + 3,
            vs_extras: bytemuck::Zeroable::zeroed(),
            vs_extras_generation: generation + 4,
            ps_extras: bytemuck::Zeroable::zeroed(),
            ps_extras_generation: generation + 5,
            textures: [const { None }; STAGES],
            owners: [None; STAGES],
            samplers: [sampler; STAGES],
            reads: [Reads::default(); STAGES],
        })
    }

    pub(crate) fn touch(&mut self, groups: u32) {
        self.dirty |= groups;
    }

    /// The groups that the next draw needs: a vertex shader reads nothing of the fixed-function
    /// constants.
    pub(crate) fn wanted(&self) -> u32 {
        if self.program {
            group::ALL & !group::BLOCK
        } else {
            group::ALL
        }
    }

    pub(crate) fn touch_sampler(&mut self, slot: usize, state: u32) {
        self.dirty_samplers |= 1 << slot;
        if state == D3DSAMP_SRGBTEXTURE {
            self.dirty_textures |= 1 << slot;
        }
    }

    /// Notes what the texture of a slot asks of its sampler.
    pub(crate) fn set_reads(&mut self, slot: usize, reads: Reads) {
        if self.reads[slot] != reads {
            self.reads[slot] = reads;
            self.dirty_samplers |= 1 << slot;
        }
    }

    pub(crate) fn touch_texture(&mut self, slot: usize, kind_changed: bool) {
        self.dirty_textures |= 1 << slot;
        if kind_changed {
            self.dirty |= group::PIXEL;
        }
    }

    pub(crate) fn touch_all_textures(&mut self) {
        self.dirty_textures = u32::MAX;
        self.dirty_samplers = u32::MAX;
    }

    pub(crate) fn touch_texture_transform(&mut self, stage: usize) {
        self.dirty |= group::TEXTURE_TRANSFORMS;
        self.dirty_texture_transforms |= 1 << stage;
    }

    pub(crate) fn touch_layout(&mut self) {
        self.dirty |= group::LAYOUT;
    }

    pub(crate) fn touch_declaration(&mut self) {
        self.strides = None;
        self.dirty |= group::LAYOUT | group::VERTEX | group::PIXEL | group::RASTER;
    }

    pub(crate) fn touch_vertex_shader(&mut self) {
        self.dirty |= group::VERTEX | group::VERTEX_EXTRAS | group::PIXEL;
    }

    pub(crate) fn touch_constants(&mut self, group: u32) {
        match group {
            group::VS_FLOATS => self.vs_generation = self.next_generation(),
            group::PS_FLOATS => self.ps_generation = self.next_generation(),
            other => self.dirty |= other,
        }
    }

    pub(crate) fn next_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation
    }

    pub(crate) fn last_generation(&self) -> u64 {
        self.generation
    }
}
