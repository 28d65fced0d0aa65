//! Layouts of bind groups and pipelines, shared by the draw thread and the workers.

use ninefold_gpu::types::{
    BindGroupLayoutEntry, BindingType, SamplerBindingType, ShaderStages, TextureSampleType,
    TextureViewDimension,
};
use ninefold_gpu::{BindGroupLayout, Gpu, PipelineLayout, PipelineLayoutDesc};
use ninefold_shader::abi;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::bindings::TextureLayout;
use crate::error::Result;
use crate::image::ImageKind;

/// Every layout that draws use, each made once.
pub(crate) struct Layouts {
    gpu: Gpu,
    /// Group 0.
    constants: BindGroupLayout,
    /// Group 2.
    large: BindGroupLayout,
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    /// Group 1.
    textures: FxHashMap<TextureLayout, BindGroupLayout>,
    /// By textures, and whether there are large constants.
    pipelines: FxHashMap<(TextureLayout, bool), PipelineLayout>,
}

impl Layouts {
    pub(crate) fn new(gpu: &Gpu, constants: &BindGroupLayout, large: &BindGroupLayout) -> Self {
        Self {
            gpu: gpu.clone(),
            constants: constants.clone(),
            large: large.clone(),
            made: Mutex::default(),
        }
    }

    /// The layout of group 1.
    pub(crate) fn textures(&self, layout: TextureLayout) -> Result<BindGroupLayout> {
        self.made.lock().textures(&self.gpu, layout)
    }

    pub(crate) fn pipeline(&self, textures: TextureLayout, large: bool) -> Result<PipelineLayout> {
        let mut made = self.made.lock();
        if let Some(known) = made.pipelines.get(&(textures, large)) {
            return Ok(known.clone());
        }
        let group = made.textures(&self.gpu, textures)?;
        let all = [&self.constants, &group, &self.large];
        let groups = match (textures.is_empty(), large) {
            (true, false) => &all[..1],
            (false, false) => &all[..2],
            (_, true) => &all,
        };
        let layout = self.gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "draw",
            groups,
            immediates: 0,
        })?;
        made.pipelines.insert((textures, large), layout.clone());
        Ok(layout)
    }
}

impl Made {
    fn textures(&mut self, gpu: &Gpu, layout: TextureLayout) -> Result<BindGroupLayout> {
        if let Some(known) = self.textures.get(&layout) {
            return Ok(known.clone());
        }
        let mut entries = Vec::new();
        for (stage, kind, compares) in layout.stages() {
            let visibility = if stage < abi::PIXEL_SAMPLERS as usize {
                ShaderStages::FRAGMENT
            } else {
                ShaderStages::VERTEX
            };
            entries.push(BindGroupLayoutEntry {
                binding: abi::texture_binding(stage as u32),
                visibility,
                ty: BindingType::Texture {
                    sample_type: if compares {
                        TextureSampleType::Depth
                    } else {
                        TextureSampleType::Float { filterable: true }
                    },
                    view_dimension: match kind {
                        ImageKind::D2 => TextureViewDimension::D2,
                        ImageKind::Cube => TextureViewDimension::D2Array,
                        ImageKind::Volume => TextureViewDimension::D3,
                    },
                    multisampled: false,
                },
                count: None,
            });
            entries.push(BindGroupLayoutEntry {
                binding: abi::sampler_binding(stage as u32),
                visibility,
                ty: BindingType::Sampler(if compares {
                    SamplerBindingType::Comparison
                } else {
                    SamplerBindingType::Filtering
                }),
                count: None,
            });
        }
        let made = gpu.create_bind_group_layout(&entries)?;
        self.textures.insert(layout, made.clone());
        Ok(made)
    }
}
