//! Scaled and converting copies (`StretchRect`), resolves and mip generation.

use ninefold_gpu::types::{
    BindGroupLayoutEntry, BindingType, ColorTargetState, ColorWrites, FilterMode, MultisampleState,
    PrimitiveState, SamplerBindingType, ShaderStages, TextureFormat, TextureSampleType,
    TextureViewDimension, VertexAttribute, VertexFormat, VertexStepMode,
};
use ninefold_gpu::{
    BindEntry, BindGroup, BindGroupLayout, BindResource, Buffer, ColorAttachment, Commands, Gpu,
    Load, PassDesc, PipelineLayout, PipelineLayoutDesc, RenderPipeline, RenderPipelineDesc,
    Sampler, SamplerDesc, Stage, VertexBufferLayout,
};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageKind, ImageUsage, Rect};
use crate::keys::Texels;
use crate::recorder::{TargetInfo, check_attachment};
use crate::renderer::Renderer;
use crate::targets::Attachment;
use crate::utility::{UtilityShaders, to_ndc};

pub(crate) struct Shared {
    pub(crate) group: BindGroupLayout,
    layout: PipelineLayout,
    /// By points, and linear.
    pub(crate) samplers: [Sampler; 2],
}

/// What of a destination decides the pipeline that draws into it, and which channels its source has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BlitKey {
    pub(crate) format: TextureFormat,
    pub(crate) opaque: bool,
    pub(crate) samples: u32,
    pub(crate) texels: Texels,
}

/// The rectangle to draw: two triangles, and what draws them.
pub(crate) struct Quad {
    pipeline: RenderPipeline,
    group: BindGroup,
    vertices: Buffer,
    offset: u64,
    size: u64,
}

impl Quad {
    pub(crate) fn draw(
        &self,
        commands: &mut Commands,
        [width, height]: [u32; 2],
    ) -> ninefold_gpu::Result<()> {
        commands.set_pipeline(&self.pipeline)?;
        commands.set_bind_group(0, &self.group, &[])?;
        commands.set_viewport([0.0, 0.0, width as f32, height as f32], 0.0..1.0)?;
        commands.set_vertex_buffer(0, &self.vertices, self.offset, self.size)?;
        commands.draw(0..6, 0..1)
    }
}

/// Left, top, right and bottom.
fn edges(r: &Rect) -> [f32; 4] {
    [r.x, r.y, r.x + r.w, r.y + r.h].map(|v| v as f32)
}

/// Pipelines of scaled copies by their destination.
pub(crate) struct BlitPipelines {
    shaders: UtilityShaders,
    shared: Option<Shared>,
    pipelines: FxHashMap<BlitKey, RenderPipeline>,
}

impl BlitPipelines {
    pub(crate) fn new() -> Self {
        Self {
            shaders: UtilityShaders::default(),
            shared: None,
            pipelines: FxHashMap::default(),
        }
    }

    pub(crate) fn built(&self) -> u64 {
        self.pipelines.len() as u64
    }

    pub(crate) fn shared(&mut self, gpu: &Gpu) -> Result<&Shared> {
        if self.shared.is_none() {
            let entry = |binding, ty| BindGroupLayoutEntry {
                binding,
                visibility: ShaderStages::FRAGMENT,
                ty,
                count: None,
            };
            let texture = BindingType::Texture {
                sample_type: TextureSampleType::Float { filterable: true },
                view_dimension: TextureViewDimension::D2,
                multisampled: false,
            };
            let group = gpu.create_bind_group_layout(&[
                entry(0, texture),
                entry(1, BindingType::Sampler(SamplerBindingType::Filtering)),
            ])?;
            let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
                label: "stretch",
                groups: &[&group],
                immediates: 0,
            })?;
            let sampler = |filter| {
                gpu.create_sampler(&SamplerDesc {
                    mag: filter,
                    min: filter,
                    ..Default::default()
                })
            };
            let samplers = [sampler(FilterMode::Nearest)?, sampler(FilterMode::Linear)?];
            self.shared = Some(Shared {
                group,
                layout,
                samplers,
            });
        }
        self.shared
            .as_ref()
            .ok_or_else(|| Error::state("no blit layout"))
    }

    pub(crate) fn get(&mut self, gpu: &Gpu, key: BlitKey) -> Result<RenderPipeline> {
        if let Some(pipeline) = self.pipelines.get(&key) {
            return Ok(pipeline.clone());
        }
        let module = self.shaders.get(gpu)?;
        let layout = self.shared(gpu)?.layout.clone();
        let attribute = |shader_location| VertexAttribute {
            format: VertexFormat::Float32x2,
            offset: u64::from(shader_location) * 8,
            shader_location,
        };
        let write_mask = if key.opaque {
            ColorWrites::COLOR
        } else {
            ColorWrites::ALL
        };
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "stretch",
            layout: &layout,
            vertex: Stage {
                module: &module,
                entry: "blit_vertex",
            },
            fragment: Some(Stage {
                module: &module,
                entry: match key.texels {
                    Texels::Red => "blit_fragment_red",
                    Texels::RedGreen => "blit_fragment_red_green",
                    _ => "blit_fragment",
                },
            }),
            vertex_buffers: &[Some(VertexBufferLayout {
                stride: 16,
                step: VertexStepMode::Vertex,
                attributes: &[attribute(0), attribute(1)],
            })],
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: MultisampleState {
                count: key.samples,
                ..MultisampleState::default()
            },
            colors: &[Some(ColorTargetState {
                format: key.format,
                blend: None,
                write_mask,
            })],
            cache: None,
        })?;
        self.pipelines.insert(key, pipeline.clone());
        Ok(pipeline)
    }
}

impl Renderer {
    /// `StretchRect`: copies `src_rect` of one surface to `dst_rect` of another with scaling and
    /// format conversion, in order; channels that the source lacks are 1, as for samplers. Surfaces of one format and rectangles of one size copy texels
    /// exactly, also to a destination that is not a colour target; whole multisampled surfaces copy
    /// their samples. Otherwise multisampled sources are resolved, and every sample of a
    /// multisampled destination gets the same.
    ///
    /// # Errors
    /// `Bounds` for rectangles out of their surfaces, `Args` when both surfaces are one, or when
    /// the copy scales, converts or resolves and the destination is not a colour target.
    pub fn stretch(
        &mut self,
        src: &Attachment,
        src_rect: Rect,
        dst: &Attachment,
        dst_rect: Rect,
        linear: bool,
    ) -> Result<()> {
        check_rect(src, &src_rect, "source")?;
        check_rect(dst, &dst_rect, "destination")?;
        if src.image == dst.image && src.level == dst.level && src.layer == dst.layer {
            return Err(Error::args("source and destination are one surface"));
        }
        let same_size = (src_rect.w, src_rect.h) == (dst_rect.w, dst_rect.h);
        let same_format = src.image.desc().format == dst.image.desc().format;
        let alike = same_size && same_format && src.opaque_alpha == dst.opaque_alpha;
        let samples = (src.image.desc().samples, dst.image.desc().samples);
        let wholly = is_whole(src, &src_rect) && is_whole(dst, &dst_rect);
        if samples.0 > 1 && !(alike && wholly && samples.0 == samples.1) {
            if alike
                && wholly
                && samples.1 == 1
                && dst.image.desc().usage.contains(ImageUsage::COLOR)
            {
                return self.resolve(src, dst);
            }
            let single = self.resolved(src)?;
            return self.stretch(&single, src_rect, dst, dst_rect, linear);
        }
        if alike && samples.0 == samples.1 {
            let area = Box3 {
                x: src_rect.x,
                y: src_rect.y,
                z: 0,
                w: src_rect.w,
                h: src_rect.h,
                d: 1,
            };
            return self.copy_image(
                (&src.image, src.level, src.layer),
                area,
                (&dst.image, dst.level, dst.layer),
                [dst_rect.x, dst_rect.y, 0],
            );
        }
        let mut info = TargetInfo {
            width: u32::MAX,
            height: u32::MAX,
            ..TargetInfo::default()
        };
        check_attachment(dst, ImageUsage::COLOR, &"the destination", &mut info)?;
        if src.image.desc().format.is_depth() {
            return Err(Error::args("depth surfaces cannot be scaled or converted"));
        }
        self.blit(src, src_rect, dst, dst_rect, linear)
    }

    fn blit(
        &mut self,
        src: &Attachment,
        src_rect: Rect,
        dst: &Attachment,
        dst_rect: Rect,
        linear: bool,
    ) -> Result<()> {
        self.make_room()?;
        self.recorder.encode_clears_of(&src.image)?;
        self.recorder.encode_clears_of(&dst.image)?;
        let [dst_w, dst_h, _] = dst.image.0.level_size(dst.level);
        let target = dst.image.0.slice_view(dst.level, dst.layer, dst.srgb)?;
        let key = BlitKey {
            format: target.format(),
            opaque: dst.opaque_alpha,
            samples: dst.image.desc().samples,
            texels: src.image.desc().format.texels(),
        };
        let size = [dst_w, dst_h];
        let quad = self.quad(src, src_rect, edges(&dst_rect), size, key, linear)?;
        self.recorder
            .pass_over("stretch", &target, |commands| quad.draw(commands, size))
    }

    /// Makes ready what draws `source_rect` of `source` over `destination`, left, top, right and
    /// bottom in pixels of a target of a size.
    pub(crate) fn quad(
        &mut self,
        source: &Attachment,
        source_rect: Rect,
        destination: [f32; 4],
        [width, height]: [u32; 2],
        key: BlitKey,
        linear: bool,
    ) -> Result<Quad> {
        let [source_w, source_h, _] = source.image.0.level_size(source.level);
        let [left, top, right, bottom] = to_ndc(destination, width, height);
        let [u0, v0, u1, v1] = edges(&source_rect);
        let [to_left, to_top, to_right, to_bottom] = destination;
        let axes = [
            (u0, u1, source_w, to_right - to_left),
            (v0, v1, source_h, to_bottom - to_top),
        ];
        let [(u0, u1), (v0, v1)] = axes.map(|(from, to, size, pixels)| {
            // Points that fall on an edge between two texels take the second, whatever rounding
            // does; none goes past the last.
            let hair = match linear {
                true => 0.0,
                false => ((to - from) / pixels * 0.25).min(1.0 / 512.0),
            };
            ((from + hair) / size as f32, (to + hair) / size as f32)
        });
        let corners: [[f32; 4]; 6] = [
            [left, top, u0, v0],
            [right, top, u1, v0],
            [left, bottom, u0, v1],
            [left, bottom, u0, v1],
            [right, top, u1, v0],
            [right, bottom, u1, v1],
        ];
        let bytes: &[u8] = bytemuck::cast_slice(&corners);
        let allocation = self.recorder.arena.alloc(bytes.len(), 256)?;
        allocation.data.copy_from_slice(bytes);
        let (vertices, offset) = (allocation.buffer, allocation.offset);
        let view = source
            .image
            .0
            .slice_view(source.level, source.layer, source.srgb)?;
        let gpu = self.recorder.gpu.clone();
        let pipeline = self.blit_pipelines.get(&gpu, key)?;
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
                    resource: BindResource::Sampler(&shared.samplers[usize::from(linear)]),
                },
            ],
        )?;
        Ok(Quad {
            pipeline,
            group,
            vertices,
            offset,
            size: bytes.len() as u64,
        })
    }

    /// A single-sampled copy of a multisampled surface.
    fn resolved(&mut self, src: &Attachment) -> Result<Attachment> {
        let [width, height, _] = src.image.0.level_size(src.level);
        let single = self.create_image(&ImageDesc {
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(width, height, src.image.desc().format)
        })?;
        let to = Attachment {
            srgb: src.srgb,
            opaque_alpha: src.opaque_alpha,
            ..Attachment::new(single)
        };
        self.resolve(src, &to)?;
        Ok(to)
    }

    /// Averages the samples of `src` into the single-sampled colour target `dst` of the same size
    /// and format.
    ///
    /// # Errors
    /// `Args` for surfaces that differ in size or format, or depth.
    pub fn resolve(&mut self, src: &Attachment, dst: &Attachment) -> Result<()> {
        let (from, to) = (src.image.desc(), dst.image.desc());
        let size = |a: &Attachment| a.image.0.level_size(a.level);
        if from.samples < 2
            || to.samples != 1
            || from.format != to.format
            || size(src) != size(dst)
            || from.format.is_depth()
        {
            return Err(Error::args(format!(
                "cannot resolve {from:?} into {to:?}: it takes a multisampled and a \
                 single-sampled colour target of one size and format"
            )));
        }
        let mut info = TargetInfo {
            width: u32::MAX,
            height: u32::MAX,
            ..TargetInfo::default()
        };
        check_attachment(dst, ImageUsage::COLOR, &"the destination", &mut info)?;
        self.make_room()?;
        self.recorder.encode_clears_of(&src.image)?;
        self.recorder.encode_clears_of(&dst.image)?;
        let view = src.image.0.slice_view(src.level, src.layer, false)?;
        let target = dst.image.0.slice_view(dst.level, dst.layer, false)?;
        let commands = self.recorder.outside_pass()?;
        commands.begin_pass(&PassDesc {
            label: "resolve",
            colors: &[Some(ColorAttachment {
                view: &view,
                load: Load::Load,
                store: true,
                resolve: Some(&target),
            })],
            depth_stencil: None,
            occlusion: None,
        })?;
        commands.end_pass()?;
        self.recorder.stats.passes += 1;
        Ok(())
    }

    /// Fills levels 1 and up from level 0 (`D3DUSAGE_AUTOGENMIPMAP`), each texel the mean of the
    /// texels it covers, in order. The image needs [`ImageUsage::COLOR`].
    ///
    /// # Errors
    /// `Args` for volumes and images that are not colour targets.
    pub fn generate_mips(&mut self, image: &Image) -> Result<()> {
        let desc = *image.desc();
        if desc.kind == ImageKind::Volume || !desc.usage.contains(ImageUsage::COLOR) {
            return Err(Error::args(format!(
                "mips of {image:?} cannot be generated on the GPU"
            )));
        }
        for layer in 0..image.0.layers() {
            for level in 1..desc.levels {
                let at = |level| Attachment {
                    level,
                    layer,
                    ..Attachment::new(image.clone())
                };
                let whole = |level| {
                    let [w, h, _] = image.0.level_size(level);
                    Rect { x: 0, y: 0, w, h }
                };
                self.blit(
                    &at(level - 1),
                    whole(level - 1),
                    &at(level),
                    whole(level),
                    true,
                )?;
            }
        }
        Ok(())
    }
}

fn is_whole(surface: &Attachment, rect: &Rect) -> bool {
    let [w, h, _] = surface.image.0.level_size(surface.level);
    *rect == Rect { x: 0, y: 0, w, h }
}

pub(crate) fn check_rect(surface: &Attachment, rect: &Rect, what: &str) -> Result<()> {
    let [width, height, _] = surface.image.0.level_size(surface.level);
    let fits = |at: u32, size: u32, edge: u32| {
        size > 0 && at.checked_add(size).is_some_and(|end| end <= edge)
    };
    if !fits(rect.x, rect.w, width) || !fits(rect.y, rect.h, height) {
        return Err(Error::bounds(format!(
            "the {what} rectangle {rect:?} is not inside {width} x {height} pixels"
        )));
    }
    Ok(())
}
