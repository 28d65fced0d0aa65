//! `Clear`: whole targets as load operations, rectangles as draws.

use ninefold_gpu::types::{
    ColorTargetState, ColorWrites, CompareFunction, DepthStencilState, MultisampleState,
    PrimitiveState, PrimitiveTopology, StencilFaceState, StencilOperation, StencilState,
    TextureFormat, VertexAttribute, VertexFormat, VertexStepMode,
};
use ninefold_gpu::{
    Gpu, PipelineLayoutDesc, RenderPipeline, RenderPipelineDesc, Stage, VertexBufferLayout,
};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::formats::srgb_twin;
use crate::image::Rect;
use crate::pipeline::{TargetFormats, color_format};
use crate::renderer::Renderer;
use crate::targets::{Attachment, Targets};
use crate::utility::{UtilityShaders, to_ndc};

/// What decides a pipeline that clears rectangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ClearKey {
    formats: TargetFormats,
    color: bool,
    depth: bool,
    stencil: bool,
}

pub(crate) struct ClearPipelines {
    shaders: UtilityShaders,
    pipelines: FxHashMap<ClearKey, RenderPipeline>,
}

impl ClearPipelines {
    pub(crate) fn new() -> Self {
        Self {
            shaders: UtilityShaders::default(),
            pipelines: FxHashMap::default(),
        }
    }

    pub(crate) fn built(&self) -> u64 {
        self.pipelines.len() as u64
    }

    fn get(&mut self, gpu: &Gpu, key: ClearKey) -> Result<RenderPipeline> {
        if let Some(pipeline) = self.pipelines.get(&key) {
            return Ok(pipeline.clone());
        }
        let module = self.shaders.get(gpu)?;
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "clear",
            groups: &[],
            immediates: 0,
        })?;
        let mut colors = [const { None }; 4];
        for (slot, color) in colors.iter_mut().enumerate() {
            let Some(format) = color_format(&key.formats, slot) else {
                continue;
            };
            let write_mask = if key.color {
                ColorWrites::ALL
            } else {
                ColorWrites::empty()
            };
            *color = Some(ColorTargetState {
                format,
                blend: None,
                write_mask,
            });
        }
        let used = colors
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        let face = StencilFaceState {
            compare: CompareFunction::Always,
            fail_op: StencilOperation::Keep,
            depth_fail_op: StencilOperation::Keep,
            pass_op: StencilOperation::Replace,
        };
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "clear",
            layout: &layout,
            vertex: Stage {
                module: &module,
                entry: "clear_vertex",
            },
            fragment: Some(Stage {
                module: &module,
                entry: "clear_fragment",
            }),
            vertex_buffers: &[Some(VertexBufferLayout {
                stride: size_of::<ClearVertex>() as u64,
                step: VertexStepMode::Vertex,
                attributes: &[
                    VertexAttribute {
                        format: VertexFormat::Float32x3,
                        offset: 0,
                        shader_location: 0,
                    },
                    VertexAttribute {
                        format: VertexFormat::Float32x4,
                        offset: 12,
                        shader_location: 1,
                    },
                ],
            })],
            primitive: PrimitiveState {
                topology: PrimitiveTopology::TriangleList,
                ..PrimitiveState::default()
            },
            depth_stencil: (key.formats.depth != 0).then(|| DepthStencilState {
                format: TextureFormat::Depth32FloatStencil8,
                depth_write_enabled: Some(key.depth),
                depth_compare: Some(CompareFunction::Always),
                stencil: if key.stencil {
                    StencilState {
                        front: face,
                        back: face,
                        read_mask: 0xFF,
                        write_mask: 0xFF,
                    }
                } else {
                    StencilState::default()
                },
                bias: Default::default(),
            }),
            multisample: MultisampleState {
                count: key.formats.samples.into(),
                ..MultisampleState::default()
            },
            colors: &colors[..used],
            cache: None,
        })?;
        self.pipelines.insert(key, pipeline.clone());
        Ok(pipeline)
    }
}

/// Position (x, y, z) and colour.
type ClearVertex = [f32; 7];

impl Renderer {
    /// `Clear`: sets colour (red, green, blue, alpha, on every colour target), depth and stencil
    /// in `rects`; no rectangle means everything. The caller has intersected the rectangles with
    /// viewport and scissor; what leaves the targets is cut off. The colour goes to targets without
    /// alpha as alpha 1, to targets written as sRGB encoded as a draw's would be. Depth is clamped
    /// to 0..=1.
    ///
    /// A whole clear waits to become the load operation of the next pass, so that it costs
    /// nothing.
    ///
    /// # Errors
    /// `Args` for targets that do not go together.
    pub fn clear(
        &mut self,
        targets: &Targets,
        rects: &[Rect],
        color: Option<[f32; 4]>,
        depth: Option<f32>,
        stencil: Option<u8>,
    ) -> Result<()> {
        self.recorder.set_targets(targets)?;
        let depth = depth
            .filter(|_| targets.depth.is_some())
            .map(|z| z.clamp(0.0, 1.0));
        let stencil = stencil.filter(|_| targets.depth.is_some());
        let color = color.filter(|_| targets.colors.iter().any(Option::is_some));
        if color.is_none() && depth.is_none() && stencil.is_none() {
            return Ok(());
        }
        self.make_room()?;
        let wholly = |attachment: &Attachment| {
            let [width, height, _] = attachment.image.0.level_size(attachment.level);
            rects.is_empty()
                || rects
                    .iter()
                    .any(|rect| rect.x == 0 && rect.y == 0 && rect.w >= width && rect.h >= height)
        };
        let colors = targets.colors.iter().flatten().filter(|_| color.is_some());
        let depths = targets
            .depth
            .iter()
            .filter(|_| depth.is_some() || stencil.is_some());
        if colors.chain(depths).all(wholly) {
            return self.clear_wholly(targets, color, depth, stencil);
        }
        self.clear_rects(targets, rects, color, depth, stencil)
    }

    fn clear_wholly(
        &mut self,
        targets: &Targets,
        color: Option<[f32; 4]>,
        depth: Option<f32>,
        stencil: Option<u8>,
    ) -> Result<()> {
        if let Some(color) = color {
            for attachment in targets.colors.iter().flatten() {
                let value = for_target(color, attachment);
                self.recorder
                    .defer_clear(attachment, Some(value), None, None)?;
            }
        }
        if let Some(attachment) = &targets.depth
            && (depth.is_some() || stencil.is_some())
        {
            self.recorder
                .defer_clear(attachment, None, depth, stencil)?;
        }
        Ok(())
    }

    fn clear_rects(
        &mut self,
        targets: &Targets,
        rects: &[Rect],
        color: Option<[f32; 4]>,
        depth: Option<f32>,
        stencil: Option<u8>,
    ) -> Result<()> {
        if !alike(targets, color.is_some()) {
            return self.clear_each(targets, rects, color, depth, stencil);
        }
        let mut value = color.unwrap_or([0.0; 4]);
        let mut linear = targets.clone();
        if let Some(attachment) = linear.colors.iter().flatten().next() {
            value = for_target(value, attachment);
        }
        if color.is_some() {
            for attachment in linear.colors.iter_mut().flatten() {
                attachment.srgb = false;
            }
        }
        self.recorder.set_targets(&linear)?;
        let info = *self.recorder.info();
        let z = depth.unwrap_or(0.0);
        let mut vertices: Vec<ClearVertex> = Vec::with_capacity(rects.len() * 6);
        for rect in rects {
            let w = info.width.saturating_sub(rect.x).min(rect.w);
            let h = info.height.saturating_sub(rect.y).min(rect.h);
            if w == 0 || h == 0 {
                continue;
            }
            let edges = [rect.x, rect.y, rect.x + w, rect.y + h].map(|v| v as f32);
            let [left, top, right, bottom] = to_ndc(edges, info.width, info.height);
            for [x, y] in [
                [left, top],
                [right, top],
                [left, bottom],
                [left, bottom],
                [right, top],
                [right, bottom],
            ] {
                vertices.push([x, y, z, value[0], value[1], value[2], value[3]]);
            }
        }
        if vertices.is_empty() {
            return Ok(());
        }
        let key = ClearKey {
            formats: TargetFormats {
                opaque: 0,
                ..info.formats
            },
            color: color.is_some(),
            depth: depth.is_some(),
            stencil: stencil.is_some(),
        };
        let pipeline = self.clear_pipelines.get(&self.recorder.gpu, key)?;
        let bytes: &[u8] = bytemuck::cast_slice(&vertices);
        let allocation = self.recorder.arena.alloc(bytes.len(), 256)?;
        allocation.data.copy_from_slice(bytes);
        let (buffer, offset) = (allocation.buffer, allocation.offset);
        self.recorder.count_bytes(bytes.len() as u64);
        self.recorder.ensure_pass()?;
        let commands = self.recorder.not_counting()?;
        commands.set_pipeline(&pipeline)?;
        commands.set_viewport([0.0, 0.0, info.width as f32, info.height as f32], 0.0..1.0)?;
        commands.set_scissor([0, 0, info.width, info.height])?;
        commands.set_stencil_reference(stencil.unwrap_or(0).into())?;
        commands.set_vertex_buffer(0, &buffer, offset, bytes.len() as u64)?;
        let count = u32::try_from(vertices.len())
            .map_err(|_| Error::args("too many rectangles to clear"))?;
        commands.draw(0..count, 0..1)?;
        self.recorder.unbind(stencil.unwrap_or(0));
        self.recorder.stats.clears_encoded += 1;
        Ok(())
    }

    /// Targets with and without alpha or an encoding get different colours, and one pass reaches no further than
    /// the smallest of its targets: where they differ, each is cleared alone.
    fn clear_each(
        &mut self,
        targets: &Targets,
        rects: &[Rect],
        color: Option<[f32; 4]>,
        depth: Option<f32>,
        stencil: Option<u8>,
    ) -> Result<()> {
        for attachment in targets.colors.iter().flatten().filter(|_| color.is_some()) {
            let one = Targets {
                colors: [Some(attachment.clone()), None, None, None],
                depth: None,
            };
            self.clear_rects(&one, rects, color, None, None)?;
        }
        if depth.is_some() || stencil.is_some() {
            let only = Targets {
                colors: [const { None }; 4],
                depth: targets.depth.clone(),
            };
            self.clear_rects(&only, rects, None, depth, stencil)?;
        }
        Ok(())
    }
}

/// Whether one draw can clear all targets: they have one size and sample count, and a colour to
/// write is one for all.
fn alike(targets: &Targets, color: bool) -> bool {
    let colors = || targets.colors.iter().flatten();
    let size = |a: &Attachment| {
        let [width, height, _] = a.image.0.level_size(a.level);
        (width, height, a.image.desc().samples)
    };
    let mut sizes = colors().chain(&targets.depth).map(size);
    let first = sizes.next();
    let mut kinds = colors().map(|a| (a.opaque_alpha, is_encoded(a)));
    let kind = kinds.next();
    sizes.all(|s| Some(s) == first) && (!color || kinds.all(|k| Some(k) == kind))
}

/// Whether draws to a target are encoded as sRGB.
fn is_encoded(attachment: &Attachment) -> bool {
    attachment.srgb && srgb_twin(attachment.image.0.desc.format).is_some()
}

/// A colour as the bits of a target want it.
fn for_target(color: [f32; 4], attachment: &Attachment) -> [f32; 4] {
    let encode = |v: f32| match v.clamp(0.0, 1.0) {
        v if v <= 0.003_130_8 => v * 12.92,
        v => 1.055 * v.powf(1.0 / 2.4) - 0.055,
    };
    let [mut r, mut g, mut b, a] = color;
    if is_encoded(attachment) {
        [r, g, b] = [r, g, b].map(encode);
    }
    [r, g, b, if attachment.opaque_alpha { 1.0 } else { a }]
}
