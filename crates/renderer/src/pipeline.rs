//! Pipelines: the small key of ids that a draw compares, the full key of plain bytes that decides
//! identity, and what a draw must know about a pipeline to feed it.

use bytemuck::{Pod, Zeroable};
use ninefold_gpu::types::{
    ColorTargetState, ColorWrites, DepthBiasState, DepthStencilState, Face, FrontFace,
    MultisampleState, PolygonMode, PrimitiveState, PrimitiveTopology, TextureFormat,
    VertexAttribute, VertexStepMode,
};
use ninefold_gpu::{
    Gpu, PipelineLayout, PipelineLayoutDesc, RenderPipeline, RenderPipelineDesc, Stage,
    VertexBufferLayout,
};
use ninefold_shader::{Reflection, SamplerKind, SamplerRules, abi};
use rustc_hash::FxHashMap;

use crate::bindings::{Bindings, TextureLayout};
use crate::constants::ConstantLayout;
use crate::draw::Primitive;
use crate::error::{Error, Result};
use crate::formats::{srgb_twin, texture_format};
use crate::functions::{Functions, PixelLink, VertexLink};
use crate::image::{ImageFormat, ImageKind};
use crate::keys::{
    BlendId, DepthStencilId, LayoutId, PixelFunction, RasterId, RasterKey, VertexFunction,
};
use crate::large::{Large, Stages};
use crate::pack::{NativeDepthStencil, unpack_blend};
use crate::sampling::Sampling;
use crate::settings::Settings;
use crate::vertex_input::{
    ATTRIBUTES, AttributeKey, ConvertUse, FORMATS, Layout, SLOTS, StreamUse, VertexInput,
    set_integer_inputs,
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
const PIPELINE_KEY_VERSION: u32 = 2;

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

/// Pipelines by both keys, with their layouts.
pub(crate) struct Pipelines {
    by_draw: FxHashMap<DrawKey, Result<u32>>,
    /// Equal pipelines may be fed from different streams: each way has an entry of its own.
    by_key: FxHashMap<PipelineKey, Vec<u32>>,
    pipelines: Vec<Pipeline>,
    /// By textures, and whether there are large constants.
    layouts: FxHashMap<(TextureLayout, bool), PipelineLayout>,
    pub(crate) built: u64,
    said_fill: bool,
    /// Pipelines that may still be built: with a vertex shader, with fixed-function vertices.
    room: [usize; 2],
}

/// What building a pipeline needs from the rest of the renderer.
pub(crate) struct BuildContext<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) functions: &'a mut Functions,
    pub(crate) bindings: &'a mut Bindings,
    pub(crate) constants_group: &'a ninefold_gpu::BindGroupLayout,
    pub(crate) large_group: &'a ninefold_gpu::BindGroupLayout,
    pub(crate) layout: &'a Layout,
    pub(crate) raster: RasterKey,
    pub(crate) depth_stencil: &'a NativeDepthStencil,
    pub(crate) sampling: &'a Sampling,
}

impl Pipelines {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            by_draw: FxHashMap::default(),
            by_key: FxHashMap::default(),
            pipelines: Vec::new(),
            layouts: FxHashMap::default(),
            built: 0,
            said_fill: false,
            room: [settings.program_pipelines, settings.fixed_pipelines],
        }
    }

    pub(crate) fn get(&self, index: u32) -> &Pipeline {
        &self.pipelines[index as usize]
    }

    /// The pipeline of a small key that was asked for before.
    pub(crate) fn find(&self, key: &DrawKey) -> Option<Result<u32>> {
        self.by_draw.get(key).cloned()
    }

    /// Builds the pipeline of a small key seen for the first time, or finds that its full key is
    /// known already. A failure is remembered.
    #[cold]
    pub(crate) fn build(&mut self, key: &DrawKey, context: &mut BuildContext<'_>) -> Result<u32> {
        let result = self.build_now(key, context);
        if let Err(error) = &result {
            tracing::warn!(target: "ninefold::pipeline", %error, "a pipeline failed");
        }
        // Losing the device says nothing about the pipeline.
        if !matches!(&result, Err(error) if error.kind() == crate::ErrorKind::Device) {
            // Small keys only shorten the way to full ones; programs have few.
            if self.by_draw.len() >= SMALL_KEYS {
                self.by_draw.clear();
            }
            self.by_draw.insert(*key, result.clone());
        }
        result
    }

    fn build_now(&mut self, key: &DrawKey, context: &mut BuildContext<'_>) -> Result<u32> {
        let gpu = context.gpu;
        let mut raster = self.normalise_raster(gpu, context.raster, key);
        let biased = raster.depth_bias != 0.0 || raster.slope_bias != 0.0;
        // A bias moves depths after clipping, and what it moves out of range is clamped.
        let clip_depth = biased && !raster.unclipped && gpu.caps().clip_distances;
        raster.unclipped |= biased && gpu.caps().depth_clip_control;
        let points = key.primitive == Primitive::PointList;
        let mut pixel_link = PixelLink {
            points,
            ..PixelLink::default()
        };
        let full = context.functions.pixel(gpu, key.pixel, pixel_link)?;
        let mut vertex_link = VertexLink {
            depth_bias: biased,
            clip_depth,
            points,
            varyings: context.functions.get(full).reflection.link,
            zero_color: context.functions.is_model_3(key.pixel),
            ..VertexLink::default()
        };
        let plain = context.functions.vertex(gpu, key.vertex, vertex_link)?;
        set_integer_inputs(
            &mut vertex_link,
            key.vertex,
            &context.functions.get(plain).reflection,
            context.layout,
            key.bound_streams,
        );
        let rules = &context.sampling.0;
        for sampler in &context.functions.get(plain).reflection.samplers {
            let register = usize::from(sampler.register & 3);
            vertex_link.samplers[register] =
                of_kind(rules[abi::PIXEL_SAMPLERS as usize + register], sampler.kind);
        }
        let vertex = context.functions.vertex(gpu, key.vertex, vertex_link)?;
        let outputs = context.functions.get(vertex).reflection.outputs_mask;
        let reflection = &context.functions.get(full).reflection;
        pixel_link.missing_inputs = reflection.inputs_mask & !outputs;
        if pixel_link.missing_inputs & 1 << abi::FOG_LOCATION != 0 {
            // Then the factor may come from the specular colour.
            pixel_link.missing_inputs |= !outputs & 2 << abi::COLOR_LOCATION;
        }
        for sampler in &reflection.samplers {
            let stage = usize::from(sampler.register & 15);
            pixel_link.samplers[stage] = of_kind(rules[stage], sampler.kind);
        }
        let pixel = context.functions.pixel(gpu, key.pixel, pixel_link)?;
        let vs = context.functions.get(vertex);
        let ps = context.functions.get(pixel);
        let input = VertexInput::new(&vs.reflection, context.layout, key.bound_streams)?;
        let mut full_key = PipelineKey {
            vertex: vs.identity,
            pixel: ps.identity,
            blend: key.blend.0,
            depth_stencil: key.depth_stencil.0,
            formats: key.formats,
            version: PIPELINE_KEY_VERSION,
            slope_bias: raster.slope_bias.to_bits(),
            primitive: key.primitive as u8,
            modes: modes(&raster),
            reserved: 0,
            attribute_count: input.attributes.len() as u8,
            sample_mask: raster.sample_mask,
            attributes: [AttributeKey::default(); ATTRIBUTES],
            strides: [0; SLOTS],
        };
        full_key.attributes[..input.attributes.len()].copy_from_slice(&input.attributes);
        full_key.strides[..input.strides.len()].copy_from_slice(&input.strides);
        if let Some(known) = self.by_key.get(&full_key) {
            let fed_alike = |&&index: &&u32| {
                let pipeline = &self.pipelines[index as usize];
                pipeline.streams == input.streams
                    && pipeline.converts == input.converts
                    && pipeline.defaults == input.defaults
            };
            if let Some(&same) = known.iter().find(fed_alike) {
                return Ok(same);
            }
            let first = known[0] as usize;
            return Ok(self.fed_otherwise(first, &full_key, input));
        }
        let (room, what) = match key.vertex {
            VertexFunction::Program(..) => (0, "programmable"),
            VertexFunction::Fixed(_) => (1, "fixed-function"),
        };
        if self.room[room] == 0 {
            return Err(Error::state(format!("{what} pipeline cache is full")));
        }
        let textures = texture_layout(&vs.reflection, &ps.reflection);
        let constants = ConstantLayout::new(vertex, &vs.reflection, pixel, &ps.reflection);
        let color_outputs = ps.reflection.color_outputs;
        let (vs_module, ps_module) = (vs.module.clone(), ps.module.clone());
        let (vs_entry, ps_entry) = (vs.entry.clone(), ps.entry.clone());
        let large = Large::needed(&vs.reflection, &ps.reflection).then_some([vertex, pixel]);
        let layout = self.layout(gpu, context, textures, large.is_some())?;
        let native = create(
            gpu,
            &full_key,
            &layout,
            Stage {
                module: &vs_module,
                entry: &vs_entry,
            },
            Stage {
                module: &ps_module,
                entry: &ps_entry,
            },
            context.depth_stencil,
            color_outputs,
        )?;
        self.built += 1;
        self.room[room] -= 1;
        tracing::debug!(
            target: "ninefold::pipeline",
            vertex = %vs_entry,
            pixel = %ps_entry,
            count = self.built,
            "built"
        );
        let index = self.pipelines.len() as u32;
        self.pipelines.push(Pipeline {
            native,
            streams: input.streams,
            converts: input.converts,
            defaults: input.defaults,
            textures,
            constants,
            large,
            biased: vertex_link.depth_bias,
        });
        self.by_key.insert(full_key, vec![index]);
        Ok(index)
    }

    /// The pipeline `first` once more, fed from other streams.
    fn fed_otherwise(&mut self, first: usize, key: &PipelineKey, input: VertexInput) -> u32 {
        let index = self.pipelines.len() as u32;
        let pipeline = Pipeline {
            streams: input.streams,
            converts: input.converts,
            defaults: input.defaults,
            ..self.pipelines[first].clone()
        };
        self.pipelines.push(pipeline);
        self.by_key.entry(*key).or_default().push(index);
        index
    }

    /// Drops what cannot matter for the topology and falls back to solid fill where needed.
    fn normalise_raster(&mut self, gpu: &Gpu, mut raster: RasterKey, key: &DrawKey) -> RasterKey {
        let triangles = matches!(
            key.primitive,
            Primitive::TriangleList | Primitive::TriangleStrip
        );
        if !triangles {
            (raster.cull, raster.fill) = (1, 3);
        }
        let can_fill = match raster.fill {
            1 => gpu.caps().polygon_point,
            2 => gpu.caps().polygon_line,
            _ => true,
        };
        if !can_fill {
            if !self.said_fill {
                self.said_fill = true;
                tracing::warn!(target: "ninefold::pipeline", "this adapter fills polygons only");
            }
            raster.fill = 3;
        }
        raster.unclipped &= gpu.caps().depth_clip_control;
        // Points and lines have no bias, nor has what is not tested.
        if key.formats.depth == 0 || !triangles || raster.unclipped {
            (raster.depth_bias, raster.slope_bias) = (0.0, 0.0);
        }
        let samples = key.formats.samples;
        if samples == 1 {
            raster.sample_mask = 1;
            raster.alpha_to_coverage = false;
        }
        raster.sample_mask &= u32::MAX >> (32 - u32::from(samples.clamp(1, 32)));
        raster
    }

    fn layout(
        &mut self,
        gpu: &Gpu,
        context: &mut BuildContext<'_>,
        textures: TextureLayout,
        large: bool,
    ) -> Result<PipelineLayout> {
        if let Some(known) = self.layouts.get(&(textures, large)) {
            return Ok(known.clone());
        }
        let group = context.bindings.layout(gpu, textures)?;
        let all = [context.constants_group, &group, context.large_group];
        let groups = match (textures.is_empty(), large) {
            (true, false) => &all[..1],
            (false, false) => &all[..2],
            (_, true) => &all,
        };
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "draw",
            groups,
            immediates: 0,
        })?;
        self.layouts.insert((textures, large), layout.clone());
        Ok(layout)
    }
}

/// The rules for a texture of `kind`: filters do not leave the face of a cube.
fn of_kind(mut rules: SamplerRules, kind: SamplerKind) -> SamplerRules {
    if kind == SamplerKind::Cube {
        rules.address |= SamplerRules::FACES;
    }
    rules
}

fn texture_layout(vertex: &Reflection, pixel: &Reflection) -> TextureLayout {
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

fn create(
    gpu: &Gpu,
    key: &PipelineKey,
    layout: &PipelineLayout,
    vertex: Stage<'_>,
    pixel: Stage<'_>,
    depth_stencil: &NativeDepthStencil,
    color_outputs: u8,
) -> Result<RenderPipeline> {
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
                stencil: depth_stencil.stencil.clone(),
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
        cache: None,
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
