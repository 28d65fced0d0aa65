//! Pipelines: the small key of ids that a draw compares, the full key of plain bytes that decides
//! identity, and what a draw must know about a pipeline to feed it.

use std::time::Instant;

use bytemuck::{Pod, Zeroable};
use ninefold_bytecode::ContentKey;
use ninefold_gpu::types::{
    ColorTargetState, ColorWrites, DepthBiasState, DepthStencilState, Face, FrontFace,
    MultisampleState, PolygonMode, PrimitiveState, PrimitiveTopology, TextureFormat,
    VertexAttribute, VertexStepMode,
};
use ninefold_gpu::{
    Gpu, PipelineCache, PipelineLayout, RenderPipeline, RenderPipelineDesc, Stage,
    VertexBufferLayout,
};
use ninefold_shader::{Reflection, SamplerKind, abi};
use rustc_hash::FxHashMap;

use crate::bindings::TextureLayout;
use crate::compiler::{Compiler, Ingredients, Prepared};
use crate::constants::ConstantLayout;
use crate::draw::Primitive;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::{srgb_twin, texture_format};
use crate::image::{ImageFormat, ImageKind};
use crate::keys::{
    BlendId, DepthStencilId, LayoutId, PixelFunction, RasterId, RasterKey, VertexFunction,
};
use crate::large::Stages;
use crate::pack::{unpack_blend, unpack_depth_stencil};
use crate::vertex_input::{
    ATTRIBUTES, AttributeKey, ConvertUse, FORMATS, SLOTS, StreamUse, VertexInput,
};

/// Formats and sample count of a pass, and which targets have no alpha: the part of a pipeline
/// that its targets decide. Plain bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub(crate) struct TargetFormats {
    /// [`ImageFormat`] of each colour target, 0 for none.
    pub(crate) colors: [u8; 4],
    /// [`ImageFormat`] of the depth target, 0 for none.
    pub(crate) depth: u8,
    /// Samples.
    pub(crate) samples: u8,
    /// Bit n: colour target n is written as sRGB.
    pub(crate) srgb: u8,
    /// Bit n: colour target n has no alpha.
    pub(crate) opaque: u8,
}

/// What a draw compares with the last draw's and looks its pipeline up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DrawKey {
    pub(crate) vertex: VertexFunction,
    pub(crate) pixel: PixelFunction,
    pub(crate) layout: LayoutId,
    pub(crate) raster: RasterId,
    pub(crate) blend: BlendId,
    pub(crate) depth_stencil: DepthStencilId,
    pub(crate) formats: TargetFormats,
    /// Number of what the shaders do for the samplers.
    pub(crate) sampling: u32,
    pub(crate) bound_streams: u16,
    pub(crate) primitive: Primitive,
}

/// Small keys kept at once.
const SMALL_KEYS: usize = 65_536;

/// Changes whenever the meaning of [`PipelineKey`]'s bytes does.
pub(crate) const PIPELINE_KEY_VERSION: u32 = 2;

/// Everything that decides a pipeline, as plain bytes without padding (`Pod` proves it at compile
/// time). Made on a miss of the small key only: different ids can mean equal pipelines.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
pub(crate) struct PipelineKey {
    vertex: u64,
    pixel: u64,
    blend: u64,
    depth_stencil: u64,
    formats: TargetFormats,
    version: u32,
    slope_bias: u32,
    primitive: u8,
    /// Bits of [`mode`], cull mode in the low two bits, fill mode in the next two.
    modes: u8,
    reserved: u8,
    attribute_count: u8,
    sample_mask: u32,
    attributes: [AttributeKey; ATTRIBUTES],
    strides: [u16; SLOTS],
}

impl PipelineKey {
    pub(crate) fn new(
        functions: [u64; 2],
        ingredients: &Ingredients,
        raster: &RasterKey,
        input: &VertexInput,
    ) -> Self {
        let mut key = Self {
            vertex: functions[0],
            pixel: functions[1],
            blend: ingredients.blend.0,
            depth_stencil: ingredients.depth_stencil.0,
            formats: ingredients.formats,
            version: PIPELINE_KEY_VERSION,
            slope_bias: raster.slope_bias.to_bits(),
            primitive: ingredients.primitive as u8,
            modes: modes(raster),
            reserved: 0,
            attribute_count: input.attributes.len() as u8,
            sample_mask: raster.sample_mask,
            attributes: [AttributeKey::default(); ATTRIBUTES],
            strides: [0; SLOTS],
        };
        key.attributes[..input.attributes.len()].copy_from_slice(&input.attributes);
        key.strides[..input.strides.len()].copy_from_slice(&input.strides);
        key
    }

    /// What the pipeline is named by from run to run: a content key of the bytes, never 0.
    pub(crate) fn hash(&self) -> u64 {
        ContentKey::of(bytemuck::cast_slice(core::slice::from_ref(self))).get()
    }
}

/// A pipeline with what a draw must know to feed it.
#[derive(Clone)]
pub(crate) struct Pipeline {
    pub(crate) native: RenderPipeline,
    pub(crate) streams: Vec<StreamUse>,
    pub(crate) converts: Vec<ConvertUse>,
    /// Slot of the default attribute values.
    pub(crate) defaults: Option<u8>,
    pub(crate) textures: TextureLayout,
    pub(crate) constants: ConstantLayout,
    /// The functions, where one has large constants.
    pub(crate) large: Option<Stages>,
    /// The vertex function applies the viewport's depth range and `D3DRS_DEPTHBIAS`.
    pub(crate) biased: bool,
}

/// A draw's pipeline failed; until then it fails the same way at once.
#[derive(Clone)]
struct Refused(Error, Instant);

/// The pipelines that draws have used, by what draws compare. Only this thread's: no lock.
pub(crate) struct Pipelines {
    by_draw: FxHashMap<DrawKey, core::result::Result<u32, Refused>>,
    /// Equal pipelines may be fed from different streams: each way has an entry of its own.
    by_key: FxHashMap<PipelineKey, Vec<u32>>,
    pipelines: Vec<Pipeline>,
}

impl Pipelines {
    pub(crate) fn new() -> Self {
        Self {
            by_draw: FxHashMap::default(),
            by_key: FxHashMap::default(),
            pipelines: Vec::new(),
        }
    }

    pub(crate) fn get(&self, index: u32) -> &Pipeline {
        &self.pipelines[index as usize]
    }

    /// The pipeline of a small key that was asked for before.
    pub(crate) fn find(&self, key: &DrawKey) -> Option<Result<u32>> {
        match self.by_draw.get(key)? {
            Ok(index) => Some(Ok(*index)),
            Err(Refused(error, until)) => (Instant::now() < *until).then(|| Err(error.clone())),
        }
    }

    /// The pipeline of a small key seen for the first time: known by its full key, ready, waited
    /// for or built. A failure is remembered for a while.
    #[cold]
    pub(crate) fn build(
        &mut self,
        key: &DrawKey,
        ingredients: &Ingredients,
        recordable: bool,
        compiler: &Compiler,
    ) -> Result<u32> {
        let result = self.build_now(ingredients, recordable, compiler);
        // Small keys only shorten the way to full ones; programs have few.
        if self.by_draw.len() >= SMALL_KEYS {
            self.by_draw.clear();
        }
        match &result {
            Ok(index) => {
                self.by_draw.insert(*key, Ok(*index));
            }
            // Losing the device says nothing about the pipeline.
            Err(error) if error.kind() == ErrorKind::Device => {}
            Err(error) => {
                let until = Instant::now() + compiler.retry_after();
                self.by_draw
                    .insert(*key, Err(Refused(error.clone(), until)));
            }
        }
        result
    }

    fn build_now(
        &mut self,
        ingredients: &Ingredients,
        recordable: bool,
        compiler: &Compiler,
    ) -> Result<u32> {
        let prepared = compiler.prepare(ingredients)?;
        let known = self.by_key.get(&prepared.key);
        let fed_alike = |&&index: &&u32| {
            let pipeline = &self.pipelines[index as usize];
            pipeline.streams == prepared.input.streams
                && pipeline.converts == prepared.input.converts
                && pipeline.defaults == prepared.input.defaults
        };
        if let Some(&same) = known.and_then(|known| known.iter().find(fed_alike)) {
            return Ok(same);
        }
        let native = compiler.acquire(ingredients, &prepared, recordable)?;
        let index = self.pipelines.len() as u32;
        let Prepared {
            key,
            vertex,
            pixel,
            input,
            textures,
            large,
            biased,
        } = prepared;
        self.pipelines.push(Pipeline {
            native,
            streams: input.streams,
            converts: input.converts,
            defaults: input.defaults,
            textures,
            constants: ConstantLayout::new(&vertex, &pixel),
            large: large.then_some([vertex, pixel]),
            biased,
        });
        self.by_key.entry(key).or_default().push(index);
        Ok(index)
    }
}

pub(crate) fn texture_layout(vertex: &Reflection, pixel: &Reflection) -> TextureLayout {
    let mut layout = TextureLayout::default();
    for (reflection, first) in [(vertex, abi::PIXEL_SAMPLERS as usize), (pixel, 0)] {
        for sampler in &reflection.samplers {
            let kind = match sampler.kind {
                SamplerKind::Cube => ImageKind::Cube,
                SamplerKind::Volume => ImageKind::Volume,
                _ => ImageKind::D2,
            };
            let stage = first + usize::from(sampler.register);
            layout.set(stage, kind, sampler.compares);
        }
    }
    layout
}

/// Builds a pipeline.
#[allow(
    clippy::too_many_arguments,
    reason = "each is a part of one description"
)]
pub(crate) fn create(
    gpu: &Gpu,
    key: &PipelineKey,
    layout: &PipelineLayout,
    vertex: Stage<'_>,
    pixel: Stage<'_>,
    color_outputs: u8,
    cache: Option<&PipelineCache>,
) -> Result<RenderPipeline> {
    let depth_stencil = unpack_depth_stencil(DepthStencilId(key.depth_stencil));
    let mut attributes: Vec<Vec<VertexAttribute>> = vec![Vec::new(); SLOTS];
    for (location, attribute) in key.attributes[..usize::from(key.attribute_count)]
        .iter()
        .enumerate()
    {
        attributes[usize::from(attribute.slot)].push(VertexAttribute {
            format: FORMATS[usize::from(attribute.format) - 1],
            offset: attribute.offset.into(),
            shader_location: location as u32,
        });
    }
    let used = attributes
        .iter()
        .rposition(|list| !list.is_empty())
        .map_or(0, |last| last + 1);
    let buffers: Vec<Option<VertexBufferLayout<'_>>> = attributes[..used]
        .iter()
        .zip(key.strides)
        .map(|(list, stride)| {
            (!list.is_empty()).then(|| VertexBufferLayout {
                stride: stride.into(),
                step: VertexStepMode::Vertex,
                attributes: list,
            })
        })
        .collect();
    let mut colors = [const { None }; 4];
    for (slot, color) in colors.iter_mut().enumerate() {
        let Some(format) = color_format(&key.formats, slot) else {
            continue;
        };
        let opaque = key.formats.opaque & (1 << slot) != 0;
        let (mut blend, mut write_mask) = unpack_blend(BlendId(key.blend), slot, opaque);
        // Targets that the pixel shader does not write keep what they have.
        if color_outputs & (1 << slot) == 0 {
            (blend, write_mask) = (None, ColorWrites::empty());
        }
        *color = Some(ColorTargetState {
            format,
            blend,
            write_mask,
        });
    }
    let count = colors
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |last| last + 1);
    Ok(gpu.create_render_pipeline(&RenderPipelineDesc {
        label: pixel.entry,
        layout,
        vertex,
        fragment: Some(pixel),
        vertex_buffers: &buffers,
        primitive: PrimitiveState {
            topology: topology(key.primitive),
            // Direct3D has no restart index.
            strip_index_format: None,
            front_face: FrontFace::Cw,
            cull_mode: match key.modes & 3 {
                2 => Some(Face::Front),
                3 => Some(Face::Back),
                _ => None,
            },
            unclipped_depth: key.modes & mode::UNCLIPPED != 0,
            polygon_mode: match key.modes >> 2 & 3 {
                1 => PolygonMode::Point,
                2 => PolygonMode::Line,
                _ => PolygonMode::Fill,
            },
            conservative: false,
        },
        depth_stencil: (key.formats.depth != 0).then(|| {
            // The constant depth bias is added by the vertex function: the GPU's would scale with the
            // exponent of the primitive's depth.
            DepthStencilState {
                format: TextureFormat::Depth32FloatStencil8,
                depth_write_enabled: Some(depth_stencil.write),
                depth_compare: Some(depth_stencil.compare),
                stencil: depth_stencil.stencil,
                bias: DepthBiasState {
                    constant: 0,
                    slope_scale: f32::from_bits(key.slope_bias),
                    clamp: 0.0,
                },
            }
        }),
        multisample: MultisampleState {
            count: key.formats.samples.into(),
            mask: key.sample_mask.into(),
            alpha_to_coverage_enabled: key.modes & mode::ALPHA_TO_COVERAGE != 0,
        },
        colors: &colors[..count],
        cache,
    })?)
}

/// Bits of [`PipelineKey::modes`] above the cull and fill modes.
mod mode {
    pub(super) const UNCLIPPED: u8 = 16;
    pub(super) const ALPHA_TO_COVERAGE: u8 = 32;
}

fn modes(raster: &RasterKey) -> u8 {
    let mut modes = raster.cull | raster.fill << 2;
    if raster.unclipped {
        modes |= mode::UNCLIPPED;
    }
    if raster.alpha_to_coverage {
        modes |= mode::ALPHA_TO_COVERAGE;
    }
    modes
}

fn topology(primitive: u8) -> PrimitiveTopology {
    match primitive {
        1 => PrimitiveTopology::PointList,
        2 => PrimitiveTopology::LineList,
        3 => PrimitiveTopology::LineStrip,
        5 => PrimitiveTopology::TriangleStrip,
        _ => PrimitiveTopology::TriangleList,
    }
}

/// The GPU format of a colour target, `None` when the slot is empty.
pub(crate) fn color_format(formats: &TargetFormats, slot: usize) -> Option<TextureFormat> {
    let format = ImageFormat::from_number(formats.colors[slot])?;
    let srgb = formats.srgb & (1 << slot) != 0;
    Some(if srgb { srgb_twin(format) } else { None }.unwrap_or(texture_format(format)))
}
