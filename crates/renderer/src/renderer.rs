use ninefold_bytecode::ShaderCode;
use ninefold_gpu::Gpu;
use ninefold_shader::{Options, fixed};

use crate::draw::Draw;
use crate::error::Result;
use crate::image::{Box3, Image, ImageDesc, Rect};
use crate::keys::{
    BlendId, BlendKey, DepthStencilId, DepthStencilKey, LayoutId, OptionsId, PixelFunction,
    RasterId, RasterKey, SamplerId, SamplerKey, ShaderId, VertexElement, VertexFunction,
};
use crate::resident::GeometryBuffer;
use crate::settings::{Caps, Settings, Stats};
use crate::targets::{Attachment, Targets};

/// Device, caches and the command buffer under construction.
pub struct Renderer {
    stats: Stats,
    caps: Caps,
}

/// An occlusion query (`D3DQUERYTYPE_OCCLUSION`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query(pub(crate) u32);

impl Renderer {
    /// Makes a renderer on `gpu`.
    pub fn new(_gpu: Gpu, _settings: Settings) -> Result<Self> {
        todo!()
    }

    /// What adapter and renderer can do.
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    /// Counters.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Makes an image. Colour targets start as opaque black, depth targets as depth 1 and stencil
    /// 0, other images as zeros.
    ///
    /// # Errors
    /// `Args` for a size, level count or sample count outside the adapter's limits, `Unsupported`
    /// for a format the adapter lacks, `Device` when memory is short.
    pub fn create_image(&mut self, _desc: &ImageDesc) -> Result<Image> {
        todo!()
    }

    /// Copies texels into one level, ordered after earlier draws and before later ones. `layer` is
    /// the cube face. `data` holds rows of blocks `row_pitch` bytes apart and slices `slice_pitch`
    /// bytes apart; it is copied before the call returns.
    ///
    /// # Errors
    /// `Bounds` when the box reaches out of the level or `data` is too short, `Args` for a box
    /// that does not meet the format's blocks.
    #[allow(clippy::too_many_arguments)]
    pub fn upload(
        &mut self,
        _image: &Image,
        _level: u32,
        _layer: u32,
        _area: Box3,
        _data: &[u8],
        _row_pitch: usize,
        _slice_pitch: usize,
    ) -> Result<()> {
        todo!()
    }

    /// Copies a box between images of one format, in order. The source box lands with its origin
    /// at `dst_origin` (x, y, z).
    ///
    /// # Errors
    /// `Args` for formats that differ, `Bounds` for boxes out of their levels.
    pub fn copy_image(
        &mut self,
        _src: (&Image, u32, u32),
        _area: Box3,
        _dst: (&Image, u32, u32),
        _dst_origin: [u32; 3],
    ) -> Result<()> {
        todo!()
    }

    /// `StretchRect`: copies `src_rect` of one surface to `dst_rect` of another with scaling and
    /// format conversion, in order. Multisampled sources are resolved.
    ///
    /// # Errors
    /// `Bounds` for rectangles out of their surfaces, `Args` when the destination is not a colour
    /// target.
    pub fn stretch(
        &mut self,
        _src: &Attachment,
        _src_rect: Rect,
        _dst: &Attachment,
        _dst_rect: Rect,
        _linear: bool,
    ) -> Result<()> {
        todo!()
    }

    /// Averages the samples of `src` into the single-sampled `dst` of the same size and format.
    pub fn resolve(&mut self, _src: &Attachment, _dst: &Attachment) -> Result<()> {
        todo!()
    }

    /// Submits, waits, and returns one level of one layer as tightly packed rows of blocks (all
    /// slices of a volume). Depth is read as 32-bit floats.
    pub fn read_image(&mut self, _image: &Image, _level: u32, _layer: u32) -> Result<Vec<u8>> {
        todo!()
    }

    /// Fills levels 1 and up from level 0 with a box filter on the GPU (`D3DUSAGE_AUTOGENMIPMAP`).
    /// The image needs [`ImageUsage::COLOR`](crate::ImageUsage::COLOR) and `SAMPLED`.
    pub fn generate_mips(&mut self, _image: &Image) -> Result<()> {
        todo!()
    }

    /// `Clear`: sets colour (red, green, blue, alpha, on every colour target), depth and stencil
    /// in `rects`; no rectangle means everything. The caller has intersected the rectangles with
    /// viewport and scissor.
    pub fn clear(
        &mut self,
        _targets: &Targets,
        _rects: &[Rect],
        _color: Option<[f32; 4]>,
        _depth: Option<f32>,
        _stencil: Option<u8>,
    ) -> Result<()> {
        todo!()
    }

    /// Makes a resident buffer of vertices or indices, at least 1 byte.
    pub fn create_buffer(&mut self, _size: u64) -> Result<GeometryBuffer> {
        todo!()
    }

    /// Overwrites bytes of a resident buffer, ordered after earlier draws and before later ones.
    /// `offset` and the length are multiples of 4.
    pub fn write_buffer(&mut self, _buffer: &GeometryBuffer, _offset: u64, _data: &[u8]) -> Result<()> {
        todo!()
    }

    /// Interns blend state.
    ///
    /// # Errors
    /// `Args` for a factor or operation that is not one of Direct3D's.
    pub fn blend(&mut self, _key: &BlendKey) -> Result<BlendId> {
        todo!()
    }

    /// Interns depth-stencil state, normalised: fields that cannot matter are dropped.
    ///
    /// # Errors
    /// `Args` for a function or operation that is not one of Direct3D's.
    pub fn depth_stencil(&mut self, _key: &DepthStencilKey) -> Result<DepthStencilId> {
        todo!()
    }

    /// Interns rasteriser state.
    ///
    /// # Errors
    /// `Args` for a mode that is not one of Direct3D's, `State` after 65,536 distinct states.
    pub fn raster(&mut self, _key: &RasterKey) -> Result<RasterId> {
        todo!()
    }

    /// Interns sampler state.
    ///
    /// # Errors
    /// `Args` for an address mode or filter that is not one of Direct3D's, `Unsupported` for a
    /// border colour that the adapter cannot give.
    pub fn sampler(&mut self, _key: &SamplerKey) -> Result<SamplerId> {
        todo!()
    }

    /// Interns a vertex layout: the elements of a declaration with the stride of each stream in
    /// bytes. Stride 0 makes every vertex read the stream's first.
    ///
    /// # Errors
    /// `Decl` for an element of an unknown type, of a stream past 15, or that does not fit its
    /// stride; `State` after 65,536 distinct layouts.
    pub fn vertex_layout(
        &mut self,
        _elements: &[VertexElement],
        _strides: &[u16; 16],
    ) -> Result<LayoutId> {
        todo!()
    }

    /// Registers shader bytecode; equal bytes give the same id. Shaders live as long as the
    /// renderer.
    pub fn register_shader(&mut self, _code: &ShaderCode) -> Result<ShaderId> {
        todo!()
    }

    /// Interns translation options. `missing_inputs` is the renderer's own business: it is set
    /// from the vertex function that the draw pairs the pixel function with.
    pub fn shader_options(&mut self, _options: &Options) -> Result<OptionsId> {
        todo!()
    }

    /// Interns a fixed-function vertex key.
    pub fn fixed_vertex(&mut self, _key: &fixed::VertexKey) -> Result<VertexFunction> {
        todo!()
    }

    /// Interns a texture-stage cascade.
    pub fn fixed_fragment(&mut self, _key: &fixed::FragmentKey) -> Result<PixelFunction> {
        todo!()
    }

    /// Records one draw. Vertices, indices and constants are copied before the call returns.
    /// An empty viewport, an empty scissor or too few vertices for one primitive draw nothing and
    /// succeed.
    ///
    /// # Errors
    /// `Bounds` when an index or vertex lies outside its stream, `Decl` and `Shader` when the
    /// pipeline cannot be built (remembered: the same pipeline fails again at once), `Args` for
    /// targets that do not go together. Nothing is drawn on error.
    pub fn draw(&mut self, _draw: &Draw<'_>) -> Result<()> {
        todo!()
    }

    /// Submits what has been recorded.
    pub fn flush(&mut self) -> Result<()> {
        todo!()
    }

    /// Submits and waits until the GPU is done with everything.
    pub fn wait_idle(&mut self) -> Result<()> {
        todo!()
    }

    /// Makes an occlusion query.
    pub fn create_query(&mut self) -> Result<Query> {
        todo!()
    }

    /// Starts counting samples (`D3DISSUE_BEGIN`); a query that was counting starts again.
    pub fn begin_query(&mut self, _query: Query) -> Result<()> {
        todo!()
    }

    /// Stops counting (`D3DISSUE_END`).
    pub fn end_query(&mut self, _query: Query) -> Result<()> {
        todo!()
    }

    /// The samples that passed, or `None` while the GPU is not there yet. `flush` submits what is
    /// recorded (`D3DGETDATA_FLUSH`); a result comes at the latest after [`Renderer::wait_idle`].
    pub fn query_result(&mut self, _query: Query, _flush: bool) -> Result<Option<u64>> {
        todo!()
    }

    /// Forgets a query.
    pub fn destroy_query(&mut self, _query: Query) {
        todo!()
    }
}
