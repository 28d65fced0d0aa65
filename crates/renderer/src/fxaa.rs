//! The quality pass: one surface through a filter that smooths the staircases of edges.

use ninefold_gpu::types::{
    ColorTargetState, ColorWrites, PrimitiveState, TextureFormat, VertexAttribute, VertexFormat,
    VertexStepMode,
};
use ninefold_gpu::{
    BindEntry, BindResource, Gpu, PipelineLayoutDesc, RenderPipeline, RenderPipelineDesc, Stage,
    VertexBufferLayout,
};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageUsage};
use crate::recorder::{TargetInfo, check_attachment};
use crate::renderer::Renderer;
use crate::targets::Attachment;

/// Position, texture coordinate, subpixel strength.
type Corner = [f32; 5];

/// The filter's pipelines by the format of their destination; a failure is not tried again.
#[derive(Default)]
pub(crate) struct FxaaPipelines {
    pipelines: FxHashMap<TextureFormat, Option<RenderPipeline>>,
}

impl FxaaPipelines {
    pub(crate) fn built(&self) -> u64 {
        self.pipelines.values().flatten().count() as u64
    }
}

impl Renderer {
    /// Draws `src` over `dst` through fast approximate anti-aliasing. Both are single-sampled
    /// colour surfaces of one size, whose values are taken as gamma-encoded; alpha is copied.
    /// `subpixel`, 0 to 1, says how much of the aliasing smaller than a pixel goes; 0.75 is usual.
    ///
    /// Returns whether it was filtered. Where the filter cannot be, because `dst` is no colour
    /// target or the driver refuses the pipeline, the surface is copied plainly.
    ///
    /// # Errors
    /// `Args` for surfaces that are one, or differ in size or format, or are multisampled.
    pub fn fxaa<'a>(
        &mut self,
        src: &'a Attachment,
        dst: &'a Attachment,
        subpixel: f32,
    ) -> Result<bool> {
        let (from, to) = (*src.image.desc(), *dst.image.desc());
        let size = |a: &Attachment| a.image.0.level_size(a.level);
        if from.format != to.format || size(src) != size(dst) || from.samples * to.samples != 1 {
            return Err(Error::args(format!(
                "cannot filter {from:?} into {to:?}: it takes single-sampled surfaces of one size \
                 and format"
            )));
        }
        if src.image == dst.image {
            return Err(Error::args("source and destination are one image"));
        }
        let mut info = TargetInfo {
            width: u32::MAX,
            height: u32::MAX,
            ..TargetInfo::default()
        };
        let drawable =
            check_attachment(dst, ImageUsage::COLOR, &"the destination", &mut info).is_ok();
        let sampled = from.usage.contains(ImageUsage::SAMPLED);
        let subpixel = match subpixel.is_nan() {
            true => 0.0,
            false => subpixel.clamp(0.0, 1.0),
        };
        if drawable && sampled && self.filter(src, dst, subpixel)? {
            return Ok(true);
        }
        let [w, h, _] = size(src);
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w,
            h,
            d: 1,
        };
        let place = |a: &'a Attachment| -> (&'a Image, u32, u32) { (&a.image, a.level, a.layer) };
        self.copy_image(place(src), area, place(dst), [0; 3])?;
        Ok(false)
    }

    fn filter(&mut self, src: &Attachment, dst: &Attachment, subpixel: f32) -> Result<bool> {
        self.make_room()?;
        let gpu = self.recorder.gpu.clone();
        let format = crate::formats::texture_format(dst.image.desc().format);
        let Some(pipeline) = self.fxaa_pipeline(&gpu, format)? else {
            return Ok(false);
        };
        self.recorder.encode_clears_of(&src.image)?;
        self.recorder.encode_clears_of(&dst.image)?;
        // One triangle over everything.
        let corners: [Corner; 3] = [
            [-1.0, 1.0, 0.0, 0.0, subpixel],
            [3.0, 1.0, 2.0, 0.0, subpixel],
            [-1.0, -3.0, 0.0, 2.0, subpixel],
        ];
        let bytes: &[u8] = bytemuck::cast_slice(&corners);
        let allocation = self.recorder.arena.alloc(bytes.len(), 256)?;
        allocation.data.copy_from_slice(bytes);
        let (vertices, offset) = (allocation.buffer, allocation.offset);
        self.recorder.count_bytes(bytes.len() as u64);
        let view = src.image.0.slice_view(src.level, src.layer, false)?;
        let target = dst.image.0.slice_view(dst.level, dst.layer, false)?;
        let shared = self.blit_pipelines.shared(&gpu)?;
        let group = gpu.create_bind_group(
            &shared.group,
            &[
                BindEntry {
                    binding: 0,
                    resource: BindResource::Texture(&view),
                },
                BindEntry {
                    binding: 1,
                    resource: BindResource::Sampler(&shared.samplers[1]),
                },
            ],
        )?;
        let [width, height, _] = dst.image.0.level_size(dst.level);
        self.recorder.pass_over("fxaa", &target, |commands| {
            commands.set_pipeline(&pipeline)?;
            commands.set_bind_group(0, &group, &[])?;
            commands.set_viewport([0.0, 0.0, width as f32, height as f32], 0.0..1.0)?;
            commands.set_scissor([0, 0, width, height])?;
            commands.set_vertex_buffer(0, &vertices, offset, bytes.len() as u64)?;
            commands.draw(0..3, 0..1)
        })?;
        Ok(true)
    }

    fn fxaa_pipeline(
        &mut self,
        gpu: &Gpu,
        format: TextureFormat,
    ) -> Result<Option<RenderPipeline>> {
        if let Some(known) = self.fxaa_pipelines.pipelines.get(&format) {
            return Ok(known.clone());
        }
        let group = self.blit_pipelines.shared(gpu)?.group.clone();
        let made = build(gpu, &group, format);
        if let Err(error) = &made {
            tracing::warn!(target: "ninefold::pipeline", %error, "no FXAA; frames are copied");
        }
        let made = made.ok();
        self.fxaa_pipelines.pipelines.insert(format, made.clone());
        Ok(made)
    }
}

fn build(
    gpu: &Gpu,
    group: &ninefold_gpu::BindGroupLayout,
    format: TextureFormat,
) -> Result<RenderPipeline> {
    let module = naga::front::wgsl::parse_str(include_str!("fxaa.wgsl"))
        .map_err(|error| Error::shader(error.message().to_owned()))?;
    let module = gpu.create_shader(module)?;
    let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
        label: "fxaa",
        groups: &[group],
        immediates: 0,
    })?;
    let attribute = |shader_location, format, offset| VertexAttribute {
        format,
        offset,
        shader_location,
    };
    Ok(gpu.create_render_pipeline(&RenderPipelineDesc {
        label: "fxaa",
        layout: &layout,
        vertex: Stage {
            module: &module,
            entry: "fxaa_vertex",
        },
        fragment: Some(Stage {
            module: &module,
            entry: "fxaa_fragment",
        }),
        vertex_buffers: &[Some(VertexBufferLayout {
            stride: size_of::<Corner>() as u64,
            step: VertexStepMode::Vertex,
            attributes: &[
                attribute(0, VertexFormat::Float32x2, 0),
                attribute(1, VertexFormat::Float32x2, 8),
                attribute(2, VertexFormat::Float32, 16),
            ],
        })],
        primitive: PrimitiveState::default(),
        depth_stencil: None,
        multisample: Default::default(),
        colors: &[Some(ColorTargetState {
            format,
            blend: None,
            write_mask: ColorWrites::ALL,
        })],
        cache: None,
    })?)
}
