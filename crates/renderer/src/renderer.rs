use std::sync::Arc;

use ninefold_bytecode::ShaderCode;
use ninefold_gpu::types::BufferUsages;
use ninefold_gpu::{AdapterKind, Arena, ArenaDesc, Buffer, BufferDesc, Gpu};
use ninefold_shader::{Options, fixed};
use rustc_hash::FxHashSet;

use crate::bindings::{BindKey, Bindings};
use crate::clear::ClearPipelines;
use crate::commit::Commits;
use crate::compiler::{Compiler, Layouts, MAX_STRIDE, PipelineStats};
use crate::constants::{ALL_WINDOWS, Windows};
use crate::depth_copy::DepthPipelines;
use crate::draw::{Copied, STAGES, Viewport};

use crate::error::{Error, Result};
use crate::feedback::FeedbackCopies;
use crate::formats::texture_format;
use crate::functions::Functions;
use crate::fxaa::FxaaPipelines;
use crate::image::{Graveyard, Image, ImageDesc, ImageFormat};
use crate::images::BLACKS;
use crate::intern::Interner;
use crate::keys::{
    BlendId, BlendKey, DepthStencilId, DepthStencilKey, LayoutId, OptionsId, PixelFunction,
    RasterId, RasterKey, SamplerId, SamplerKey, ShaderId, VertexElement, VertexFunction,
};
use crate::large::Large;
use crate::lru::Lru;
use crate::pack;
use crate::pipeline::{DrawKey, Pipelines};
use crate::query::Query;
use crate::recorder::Recorder;
use crate::sampling::{self, Sampling};
use crate::settings::{Caps, Settings, Stats, Traffic};
use crate::slabs::Slabs;
use crate::spec_checks::Declared;
use crate::stretch::BlitPipelines;
use crate::texture_cache::TextureCache;
use crate::vertex::element_type;
use crate::vertex_input::{DEFAULT_ATTRIBUTES, Layout};

/// Native depth-stencil states kept, as the specification bounds them.
const DEPTH_STENCIL_STATES: usize = 64;

/// Rasteriser state in a form that can be hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RasterBits {
    cull: u8,
    fill: u8,
    depth_bias: u32,
    slope_bias: u32,
    unclipped: bool,
    sample_mask: u32,
    multisample: bool,
    alpha_to_coverage: bool,
    wraps: u32,
}

impl RasterBits {
    pub(crate) fn key(self) -> RasterKey {
        RasterKey {
            cull: self.cull,
            fill: self.fill,
            depth_bias: f32::from_bits(self.depth_bias),
            slope_bias: f32::from_bits(self.slope_bias),
            unclipped: self.unclipped,
            sample_mask: self.sample_mask,
            multisample: self.multisample,
            alpha_to_coverage: self.alpha_to_coverage,
            wraps: self.wraps,
        }
    }
}

impl RasterBits {
    /// What biased functions add to depths and multiply them by first: a bias is in units of the
    /// whole range, whatever the viewport.
    pub(crate) fn depth_map(self, viewport: &Viewport) -> [f32; 2] {
        let least = viewport.min_z.clamp(0.0, 1.0);
        let range = viewport.max_z.clamp(0.0, 1.0) - least;
        [least + f32::from_bits(self.depth_bias), range]
    }
}

/// Device, caches and the command buffer under construction.
pub struct Renderer {
    pub(crate) recorder: Recorder,
    pub(crate) settings: Settings,
    caps: Caps,
    pub(crate) functions: Functions,
    pub(crate) compiler: Compiler,
    pub(crate) layouts: Interner<Layout>,
    pub(crate) rasters: Interner<RasterBits>,
    pub(crate) depth_states: Lru<DepthStencilId, ()>,
    pub(crate) bindings: Bindings,
    /// Textures and samplers of the last draw.
    pub(crate) bind_key: BindKey,
    pub(crate) windows: Windows,
    pub(crate) large: Large,
    pub(crate) pipelines: Pipelines,
    pub(crate) last_pipeline: Option<(DrawKey, u32)>,
    /// The last draw's samplers, and the number in `samplings` of what the shaders do for them.
    pub(crate) last_samplers: [SamplerId; STAGES],
    pub(crate) sampling: u32,
    /// Number 0 is nothing.
    pub(crate) samplings: Interner<Sampling>,
    /// Border colours that shaders know.
    borders: Vec<u32>,
    /// [`Settings::quality_aniso`], on this adapter.
    quality_aniso: bool,
    /// Opaque black of each kind, for what is unbound.
    pub(crate) black: [Image; BLACKS],
    /// For textures that [`Settings::texture_fallback`] stands in for, made when first needed.
    pub(crate) white: Option<Image>,
    /// Declarations of the specification's program draws that are whole.
    pub(crate) declared: FxHashSet<Declared>,
    /// Vertex buffer of default attribute values.
    pub(crate) defaults: Buffer,
    pub(crate) graveyard: Arc<Graveyard>,
    pub(crate) feedback: FeedbackCopies,
    pub(crate) next_id: u32,
    pub(crate) slabs: Slabs,
    /// Moves what is drawn, in pixels.
    pub(crate) viewport_shift: [f32; 2],
    pub(crate) clear_pipelines: ClearPipelines,
    pub(crate) blit_pipelines: BlitPipelines,
    pub(crate) fxaa_pipelines: FxaaPipelines,
    pub(crate) commits: Commits,
    pub(crate) depth_pipelines: DepthPipelines,
    pub(crate) texture_cache: TextureCache,
    /// Copies of streams that the last rewritable draw reads.
    pub(crate) copies: Vec<Copied>,
    /// Numbers for constants that the renderer itself makes; the callers' are below 2^63.
    pub(crate) own_generation: u64,
}

impl Renderer {
    /// Makes a renderer on `gpu`.
    ///
    /// # Errors
    /// `Device` when the driver fails or memory is short.
    pub fn new(gpu: Gpu, settings: Settings) -> Result<Self> {
        let arena = Arena::new(
            &gpu,
            ArenaDesc {
                window: ALL_WINDOWS,
                ..ArenaDesc::default()
            },
        )?;
        let software = gpu.adapter_info().kind == AdapterKind::Cpu;
        let quality_aniso =
            settings.quality_aniso && (!software || settings.quality_aniso_on_software);
        let caps = gpu.caps();
        let caps = Caps {
            adapter: gpu.adapter_info().name.clone(),
            max_texture_size: caps.max_texture_2d,
            max_volume_size: caps.max_texture_3d,
            bc_textures: caps.texture_bc,
            norm16_textures: caps.norm16,
            float32_filterable: caps.float32_filterable,
            max_anisotropy: caps.max_anisotropy.min(16) as u8,
            border_address: caps.border_clamp,
            wireframe: caps.polygon_line,
            point_fill: caps.polygon_point,
            sample_counts: ImageFormat::ALL
                .map(|format| gpu.format_caps(texture_format(format)).sample_counts),
        };
        let defaults = gpu.create_buffer(&BufferDesc {
            label: "default attributes",
            size: size_of_val(&DEFAULT_ATTRIBUTES) as u64,
            usage: BufferUsages::VERTEX | BufferUsages::MAP_WRITE,
        })?;
        defaults.write(0, bytemuck::cast_slice(&DEFAULT_ATTRIBUTES))?;
        let windows = Windows::new(&gpu)?;
        let large = Large::new(&gpu)?;
        let layouts = Arc::new(Layouts::new(&gpu, windows.layout(), large.layout()));
        let compiler = Compiler::new(&gpu, &settings, layouts.clone());
        let mut recorder = Recorder::new(gpu, arena);
        recorder.fast = settings.draw_fast_paths;
        let graveyard = Arc::new(Graveyard::default());
        let black = crate::images::black_images(&mut recorder, &graveyard)?;
        let mut samplings = Interner::new("kinds of sampling");
        samplings.intern(&Sampling::PLAIN)?;
        Ok(Self {
            recorder,
            caps,
            functions: Functions::new(),
            compiler,
            layouts: Interner::new("vertex layouts"),
            rasters: Interner::new("rasteriser states"),
            depth_states: Lru::new(DEPTH_STENCIL_STATES),
            bindings: Bindings::new(layouts),
            bind_key: BindKey::new(),
            windows,
            large,
            pipelines: Pipelines::new(),
            last_pipeline: None,
            last_samplers: [SamplerId(0); STAGES],
            sampling: 0,
            samplings,
            borders: Vec::new(),
            quality_aniso,
            next_id: black.len() as u32,
            black,
            white: None,
            declared: FxHashSet::default(),
            defaults,
            graveyard,
            slabs: Slabs::default(),
            feedback: FeedbackCopies::default(),
            clear_pipelines: ClearPipelines::new(),
            viewport_shift: [0.0; 2],
            blit_pipelines: BlitPipelines::new(),
            fxaa_pipelines: FxaaPipelines::default(),
            commits: Commits::default(),
            depth_pipelines: DepthPipelines::default(),
            texture_cache: TextureCache::new(
                settings.texture_cache_entries,
                settings.texture_cache_bytes,
            ),
            copies: Vec::new(),
            own_generation: 1 << 63,
            settings,
        })
    }

    /// What adapter and renderer can do.
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    /// Counters.
    pub fn stats(&self) -> Stats {
        let pipelines = self.compiler.stats();
        Stats {
            pipelines_built: pipelines.draw_builds
                + pipelines.background_builds
                + self.clear_pipelines.built()
                + self.blit_pipelines.built()
                + self.fxaa_pipelines.built()
                + self.depth_pipelines.built(),
            shaders_translated: pipelines.translated,
            bind_groups_made: self.bindings.made,
            samplers: self.bindings.sampler_count(),
            depth_stencil_states: self.depth_states.len(),
            cached_textures: self.texture_cache.len(),
            cached_texture_bytes: self.texture_cache.bytes(),
            ..self.recorder.stats
        }
    }

    /// What draws copied, and what they read where it was.
    pub fn traffic(&self) -> Traffic {
        let stats = &self.recorder.stats;
        Traffic {
            resident_draws: stats.resident_draws,
            resident_bytes: stats.resident_bytes,
            arena_vertex_bytes: stats.arena_vertex_bytes,
            arena_bytes: stats.arena_bytes,
            clears_folded: stats.clears_folded,
        }
    }

    /// Whether [`Settings::draw_fast_paths`] are on now.
    pub fn fast_paths(&self) -> bool {
        self.recorder.fast
    }

    /// Switches [`Settings::draw_fast_paths`], between any two calls.
    ///
    /// # Errors
    /// `Device` when the clears that wait cannot be recorded.
    pub fn set_fast_paths(&mut self, on: bool) -> Result<()> {
        self.recorder.fast = on;
        match on {
            true => Ok(()),
            false => self.recorder.encode_all_clears(),
        }
    }

    /// Counters of the pipeline compiler service.
    pub fn pipeline_stats(&self) -> PipelineStats {
        self.compiler.stats()
    }

    /// Waits until nothing is left to prepare: every registered shader is translated, and every
    /// pipeline of the manifest whose shaders are registered is built. For a loading screen.
    pub fn wait_for_pipelines(&self) {
        self.compiler.wait();
    }

    /// Writes what the pipeline cache on disk lacks and waits until it is there: for a program
    /// about to be suspended. Without [`Settings::pipeline_cache_dir`] there is nothing to do.
    ///
    /// # Errors
    /// `State` with the file system's words.
    pub fn sync_pipelines(&self) -> Result<()> {
        self.compiler.sync()
    }

    /// Interns blend state.
    ///
    /// # Errors
    /// `Args` for a factor or operation that is not one of Direct3D's, `Unsupported` for the
    /// dual-source factors.
    pub fn blend(&mut self, key: &BlendKey) -> Result<BlendId> {
        pack::blend(key)
    }

    /// Interns depth-stencil state, normalised: fields that cannot matter are dropped.
    ///
    /// # Errors
    /// `Args` for a function or operation that is not one of Direct3D's.
    pub fn depth_stencil(&mut self, key: &DepthStencilKey) -> Result<DepthStencilId> {
        let id = pack::depth_stencil(key)?;
        if self.depth_states.find(&id).is_none() {
            self.depth_states.insert(id, ());
        }
        Ok(id)
    }

    /// Interns rasteriser state.
    ///
    /// # Errors
    /// `Args` for a mode that is not one of Direct3D's or a bias that is not finite, `State` after
    /// 65,536 distinct states.
    pub fn raster(&mut self, key: &RasterKey) -> Result<RasterId> {
        if !(1..=3).contains(&key.cull) {
            return Err(Error::args(format!(
                "D3DRS_CULLMODE is {}, expected 1 to 3",
                key.cull
            )));
        }
        if !(1..=3).contains(&key.fill) {
            return Err(Error::args(format!(
                "D3DRS_FILLMODE is {}, expected 1 to 3",
                key.fill
            )));
        }
        if !key.depth_bias.is_finite() || !key.slope_bias.is_finite() {
            return Err(Error::args("a depth bias is not finite"));
        }
        // Adding zero turns -0 into 0.
        let id = self.rasters.intern(&RasterBits {
            cull: key.cull,
            fill: key.fill,
            depth_bias: (key.depth_bias + 0.0).to_bits(),
            slope_bias: (key.slope_bias + 0.0).to_bits(),
            unclipped: key.unclipped,
            sample_mask: key.sample_mask,
            multisample: key.multisample,
            alpha_to_coverage: key.alpha_to_coverage,
            wraps: key.wraps,
        })?;
        Ok(RasterId(id))
    }

    /// Interns sampler state. With [`Settings::quality_aniso`] mip-mapped samplers that do not
    /// minify by points become 8x anisotropic.
    ///
    /// Border colours are exact on level 0. The shaders that sample know those that the GPU lacks
    /// by value, so that only the first 64 of a renderer are exact; each later one becomes the
    /// nearest of these.
    ///
    /// # Errors
    /// `Args` for an address mode or filter that is not one of Direct3D's.
    pub fn sampler(&mut self, key: &SamplerKey) -> Result<SamplerId> {
        sampling::sampler(key, self.quality_aniso, &mut self.borders)
    }

    /// Interns a vertex layout: the elements of a declaration with the stride of each stream in
    /// bytes. Stride 0 makes every vertex read the stream's first. Whether an element fits its
    /// stride matters only when a draw reads it, and is checked there.
    ///
    /// # Errors
    /// `Decl` for an element of an unknown type or of a stream past 15, `Args` for a stride over
    /// 2,048, `State` after 65,536 distinct layouts.
    pub fn vertex_layout(
        &mut self,
        elements: &[VertexElement],
        strides: &[u16; 16],
    ) -> Result<LayoutId> {
        for (number, element) in elements.iter().enumerate() {
            if element.stream > 15 {
                return Err(Error::decl(format!(
                    "element {number} is of stream {}, expected 0 to 15",
                    element.stream
                )));
            }
            if element_type(element.ty).is_none() {
                return Err(Error::decl(format!(
                    "element {number} has D3DDECLTYPE {}, expected 0 to 16",
                    element.ty
                )));
            }
        }
        if let Some(stream) = strides.iter().position(|&stride| stride > MAX_STRIDE) {
            return Err(Error::args(format!(
                "stream {stream} has stride {}, expected at most 2048",
                strides[stream]
            )));
        }
        let layout = Layout {
            elements: elements.to_vec(),
            strides: *strides,
        };
        Ok(LayoutId(self.layouts.intern(&layout)?))
    }

    /// Registers shader bytecode; equal bytes give the same id. Shaders live as long as the
    /// renderer.
    ///
    /// # Errors
    /// `State` after 65,536 distinct shaders.
    pub fn register_shader(&mut self, code: &ShaderCode) -> Result<ShaderId> {
        self.functions.register(code, &self.compiler)
    }

    /// Interns translation options. `missing_inputs`, `uint_attributes`, `sint_attributes`,
    /// `depth_bias`, `point_size`, `link` and `samplers` are the renderer's own business: it sets
    /// them from what the draw pairs the shader with. `point_sprite` counts for points only.
    ///
    /// # Errors
    /// `State` after 65,536 distinct options.
    pub fn shader_options(&mut self, options: &Options) -> Result<OptionsId> {
        self.functions.options(options)
    }

    /// Interns a fixed-function vertex key. `uint_inputs`, `sint_inputs`, the depth-bias flag and
    /// `point::SIZE` are set from the draw.
    ///
    /// # Errors
    /// `State` after 65,536 distinct keys.
    pub fn fixed_vertex(&mut self, key: &fixed::VertexKey) -> Result<VertexFunction> {
        Ok(VertexFunction::Fixed(self.functions.fixed_vertex(key)?))
    }

    /// Interns a texture-stage cascade. `missing_inputs` and the stages' samplers are set from the draw;
    /// point sprites count for points only.
    ///
    /// # Errors
    /// `State` after 65,536 distinct keys.
    pub fn fixed_fragment(&mut self, key: &fixed::FragmentKey) -> Result<PixelFunction> {
        Ok(PixelFunction::Fixed(self.functions.fixed_fragment(key)?))
    }

    /// Submits what has been recorded, waiting clears included.
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn flush(&mut self) -> Result<()> {
        self.recorder.flush()?;
        self.windows.forget();
        self.large.forget();
        let dead = self.graveyard.drain();
        self.bindings.forget(&dead);
        self.feedback.forget(&dead);
        Ok(())
    }

    /// Before a draw, clear or transfer is recorded: submits when enough has been. A lost device
    /// fails here, although commands could still be recorded for it.
    #[inline]
    pub(crate) fn make_room(&mut self) -> Result<()> {
        if self.recorder.gpu.is_lost() {
            return Err(ninefold_gpu::Error::DeviceLost.into());
        }
        if self.recorder.is_full() {
            self.flush()?;
        }
        self.recorder.count_command();
        Ok(())
    }

    /// Submits and waits until the GPU is done with everything.
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn wait_idle(&mut self) -> Result<()> {
        self.flush()?;
        self.recorder.wait()
    }

    /// Treats the device as lost, for tests of what follows: every later call that needs it fails
    /// with `Device`.
    pub fn lose_device(&mut self) {
        self.recorder.gpu.lose();
    }

    /// Makes a query.
    ///
    /// # Errors
    /// `State` after 65,536 queries.
    pub fn create_query(&mut self) -> Result<Query> {
        self.recorder.queries.create()
    }

    /// Starts counting samples from 0 (`D3DISSUE_BEGIN`), also when the query was counting.
    ///
    /// # Errors
    /// `Args` for a query that was destroyed.
    pub fn begin_query(&mut self, query: Query) -> Result<()> {
        if self.recorder.in_pass() {
            self.recorder.not_counting()?;
        }
        self.recorder.queries.begin(query)
    }

    /// Stops counting (`D3DISSUE_END`).
    ///
    /// # Errors
    /// `Args` for a query that was destroyed.
    pub fn end_query(&mut self, query: Query) -> Result<()> {
        if self.recorder.in_pass() {
            self.recorder.not_counting()?;
        }
        self.recorder.queries.end(query)
    }

    /// Notes the GPU's time when everything recorded before is done (`D3DQUERYTYPE_TIMESTAMP`); the
    /// result is in nanoseconds.
    ///
    /// # Errors
    /// `Unsupported` when the adapter has no timestamps, `Args` for a query that was destroyed.
    pub fn stamp_query(&mut self, query: Query) -> Result<()> {
        if !self.recorder.gpu.caps().timestamps {
            return Err(Error::unsupported("the adapter has no timestamps"));
        }
        self.recorder.outside_pass()?;
        let Recorder {
            gpu,
            commands,
            queries,
            ..
        } = &mut self.recorder;
        match commands {
            Some(commands) => queries.stamp(gpu, commands, query),
            None => Err(Error::state("no command buffer")),
        }
    }

    /// The result becomes 1 when the GPU has done everything recorded before
    /// (`D3DQUERYTYPE_EVENT`).
    ///
    /// # Errors
    /// `Args` for a query that was destroyed.
    pub fn signal_query(&mut self, query: Query) -> Result<()> {
        self.recorder.queries.signal(query)
    }

    /// The samples that passed, or `None` while the GPU is not there yet. `flush` submits what is
    /// recorded (`D3DGETDATA_FLUSH`); a result comes at the latest after [`Renderer::wait_idle`].
    ///
    /// # Errors
    /// `Args` for a query that was destroyed, `State` for one that is still counting.
    pub fn query_result(&mut self, query: Query, flush: bool) -> Result<Option<u64>> {
        let Recorder { gpu, queries, .. } = &mut self.recorder;
        let found = queries.result(gpu, query)?;
        if found.is_some() || !flush {
            return Ok(found);
        }
        self.flush()?;
        let Recorder { gpu, queries, .. } = &mut self.recorder;
        queries.result(gpu, query)
    }

    /// Forgets a query.
    pub fn destroy_query(&mut self, query: Query) {
        self.recorder.queries.destroy(query);
    }

    pub(crate) fn new_id(&mut self) -> Result<u32> {
        let id = self.next_id;
        // The top bit stays free: bind keys put one more bit beside the id.
        if id > u32::MAX >> 1 {
            return Err(Error::state("more than 2^31 images and buffers were made"));
        }
        self.next_id += 1;
        Ok(id)
    }

    /// A number for constants that the renderer makes itself.
    pub(crate) fn new_generation(&mut self) -> u64 {
        self.own_generation += 1;
        self.own_generation
    }

    /// Makes an image. Colour targets start as opaque black, depth targets as depth 1 and stencil
    /// 0, other images as zeros.
    ///
    /// # Errors
    /// `Args` for a size, level count or sample count outside the adapter's limits, `Unsupported`
    /// for a format the adapter lacks, `Device` when memory is short.
    pub fn create_image(&mut self, desc: &ImageDesc) -> Result<Image> {
        let id = self.new_id()?;
        crate::images::create(&mut self.recorder, &self.graveyard, id, desc)
    }
}
