//! Copies of depth between surfaces of unlike sample counts: `StretchRect` of multisampled depth,
//! and the resolve of depth into a texture that drivers offered as `RESZ`.

use ninefold_gpu::types::{
    BindGroupLayoutEntry, BindingType, CompareFunction, DepthStencilState, MultisampleState,
    PrimitiveState, ShaderStages, StencilState, TextureFormat, TextureSampleType,
    TextureViewDimension,
};
use ninefold_gpu::{
    BindEntry, BindGroupLayout, BindResource, DepthAttachment, Gpu, Load, PassDesc,
    PipelineLayoutDesc, RenderPipeline, RenderPipelineDesc, ShaderModule, Stage,
};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageUsage};
use crate::renderer::Renderer;
use crate::targets::Attachment;

/// What decides a pipeline that copies depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    /// The source has several samples.
    several: bool,
    /// Samples of the destination.
    samples: u32,
}

struct Made {
    pipeline: RenderPipeline,
    group: BindGroupLayout,
}

/// The pipelines, made when first used.
#[derive(Default)]
pub(crate) struct DepthPipelines {
    module: Option<ShaderModule>,
    pipelines: FxHashMap<Key, Made>,
}

impl DepthPipelines {
    pub(crate) fn built(&self) -> u64 {
        self.pipelines.len() as u64
    }

    fn module(&mut self, gpu: &Gpu) -> Result<ShaderModule> {
        if let Some(module) = &self.module {
            return Ok(module.clone());
        }
        let module = naga::front::wgsl::parse_str(include_str!("depth.wgsl"))
            .map_err(|error| Error::shader(error.message().to_owned()))?;
        let module = gpu.create_shader(module)?;
        self.module = Some(module.clone());
        Ok(module)
    }

    fn get(&mut self, gpu: &Gpu, key: Key) -> Result<&Made> {
        if !self.pipelines.contains_key(&key) {
            let made = self.make(gpu, key)?;
            self.pipelines.insert(key, made);
        }
        self.pipelines
            .get(&key)
            .ok_or_else(|| Error::state("no pipeline for depth"))
    }

    fn make(&mut self, gpu: &Gpu, key: Key) -> Result<Made> {
        let module = self.module(gpu)?;
        let group = gpu.create_bind_group_layout(&[BindGroupLayoutEntry {
            binding: 0,
            visibility: ShaderStages::FRAGMENT,
            ty: BindingType::Texture {
                sample_type: TextureSampleType::Depth,
                view_dimension: TextureViewDimension::D2,
                multisampled: key.several,
            },
            count: None,
        }])?;
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "depth copy",
            groups: &[&group],
            immediates: 0,
        })?;
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "depth copy",
            layout: &layout,
            vertex: Stage {
                module: &module,
                entry: "cover",
            },
            fragment: Some(Stage {
                module: &module,
                entry: match key.several {
                    true => "of_several",
                    false => "of_single",
                },
            }),
            vertex_buffers: &[],
            primitive: PrimitiveState::default(),
            depth_stencil: Some(DepthStencilState {
                format: TextureFormat::Depth32FloatStencil8,
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::Always),
                stencil: StencilState::default(),
                bias: Default::default(),
            }),
            multisample: MultisampleState {
                count: key.samples,
                ..MultisampleState::default()
            },
            colors: &[],
            cache: None,
        })?;
        Ok(Made { pipeline, group })
    }
}

impl Renderer {
    /// Copies depth from the top left of one depth surface to that of another, as far as both
    /// reach, in order. Between surfaces of one sample count stencil comes along; from several
    /// samples the first of a pixel is taken, to several all of a pixel get the same.
    ///
    /// # Errors
    /// `Args` for surfaces of colours, for one surface as both, and for several samples of unlike
    /// sizes.
    pub fn copy_depth(&mut self, src: &Attachment, dst: &Attachment) -> Result<()> {
        let (from, to) = (*src.image.desc(), *dst.image.desc());
        if !from.format.is_depth() || !to.format.is_depth() || src.image == dst.image {
            return Err(Error::args(format!(
                "depth is copied between two depth surfaces, not from {from:?} to {to:?}"
            )));
        }
        let [from_w, from_h, _] = src.image.0.level_size(src.level);
        let [to_w, to_h, _] = dst.image.0.level_size(dst.level);
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: from_w.min(to_w),
            h: from_h.min(to_h),
            d: 1,
        };
        if from.samples == to.samples {
            return self.copy_image(
                (&src.image, src.level, src.layer),
                area,
                (&dst.image, dst.level, dst.layer),
                [0; 3],
            );
        }
        let readable = self.readable_depth(src)?;
        self.make_room()?;
        self.recorder.encode_clears_of(&readable)?;
        self.recorder.encode_clears_of(&dst.image)?;
        let view = readable.0.sampled_view(false)?;
        let target = dst.image.0.slice_view(dst.level, dst.layer, false)?;
        let gpu = self.recorder.gpu.clone();
        let made = self.depth_pipelines.get(
            &gpu,
            Key {
                several: from.samples > 1,
                samples: to.samples,
            },
        )?;
        let group = gpu.create_bind_group(
            &made.group,
            &[BindEntry {
                binding: 0,
                resource: BindResource::Texture(&view),
            }],
        )?;
        let commands = self.recorder.outside_pass()?;
        commands.begin_pass(&PassDesc {
            label: "depth copy",
            colors: &[],
            depth_stencil: Some(DepthAttachment {
                view: &target,
                depth: Load::Load,
                stencil: Load::Load,
                store: true,
            }),
            occlusion: None,
        })?;
        let drawn = (|| {
            commands.set_pipeline(&made.pipeline)?;
            commands.set_bind_group(0, &group, &[])?;
            commands.set_viewport([0.0, 0.0, to_w as f32, to_h as f32], 0.0..1.0)?;
            commands.set_scissor([0, 0, area.w, area.h])?;
            commands.draw(0..3, 0..1)
        })();
        commands.end_pass()?;
        self.recorder.stats.passes += 1;
        Ok(drawn?)
    }

    /// The image of a depth surface where shaders can read it, else a copy that they can.
    fn readable_depth(&mut self, surface: &Attachment) -> Result<Image> {
        let desc = *surface.image.desc();
        let alone = desc.levels == 1 && surface.image.0.layers() == 1;
        if alone && desc.usage.contains(ImageUsage::SAMPLED) {
            return Ok(surface.image.clone());
        }
        let [w, h, d] = surface.image.0.level_size(surface.level);
        let copy = self.create_image(&ImageDesc {
            samples: desc.samples,
            usage: ImageUsage::DEPTH | ImageUsage::SAMPLED,
            ..ImageDesc::d2(w, h, desc.format)
        })?;
        let [x, y, z] = [0; 3];
        self.copy_image(
            (&surface.image, surface.level, surface.layer),
            Box3 { x, y, z, w, h, d },
            (&copy, 0, 0),
            [0; 3],
        )?;
        Ok(copy)
    }
}
