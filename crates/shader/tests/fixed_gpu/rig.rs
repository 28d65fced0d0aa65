//! One draw at a time through `ninefold-gpu`: functions, constants, textures
//! and one vertex in, one pixel out.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ninefold_gpu::types as wgt;
use ninefold_gpu::{
    Arena, ArenaDesc, BindEntry, BindResource, BufferDesc, ColorAttachment, Gpu, GpuOptions, Load,
    PassDesc, PipelineLayoutDesc, Region, RenderPipelineDesc, SamplerDesc, Stage, TextureDesc,
    TextureKind, VertexBufferLayout,
};
use ninefold_shader::abi::{self, PixelExtras, VertexExtras};
use ninefold_shader::{SamplerKind, Translation};

/// The device of a test binary.
pub(crate) struct Rig {
    gpu: Gpu,
}

/// The extras of a draw that sets none.
pub(crate) fn pixel_extras() -> PixelExtras {
    bytemuck::Zeroable::zeroed()
}

/// A module with the entry point that a draw uses.
pub(crate) struct Shader {
    module: naga::Module,
    entry: String,
}

impl From<&Translation> for Shader {
    fn from(function: &Translation) -> Self {
        Self {
            module: function.module.clone(),
            entry: function.entry.clone(),
        }
    }
}

impl Shader {
    /// A test's own function, its entry point called `main`.
    pub(crate) fn wgsl(text: &str) -> Self {
        Self {
            module: naga::front::wgsl::parse_str(text).expect("the test's shader"),
            entry: "main".to_owned(),
        }
    }
}

/// What a draw is made of.
pub(crate) struct Draw<'a> {
    pub(crate) vertex: Shader,
    pub(crate) fragment: Shader,
    /// The vertex's attributes by location, and the format of each.
    pub(crate) attributes: &'a [Attribute],
    pub(crate) vertex_constants: &'a [[f32; 4]],
    pub(crate) vertex_extras: VertexExtras,
    pub(crate) pixel_extras: PixelExtras,
    /// Slot, kind and the one colour of each texture, as stored (R, G, B, A).
    pub(crate) textures: &'a [(u32, SamplerKind, [u8; 4])],
    /// A 2D texture of one row that takes the place of the one of one colour: its slot
    /// and its texels.
    pub(crate) picture: Option<(u32, &'a [[u8; 4]])>,
}

#[derive(Clone, Copy)]
pub(crate) struct Attribute {
    pub(crate) format: wgt::VertexFormat,
    pub(crate) bytes: [u8; 16],
}

impl From<[f32; 4]> for Attribute {
    fn from(value: [f32; 4]) -> Self {
        Self {
            format: wgt::VertexFormat::Float32x4,
            bytes: bytemuck::cast(value),
        }
    }
}

impl From<[f32; 3]> for Attribute {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self {
            format: wgt::VertexFormat::Float32x3,
            bytes: bytemuck::cast([x, y, z, f32::NAN]),
        }
    }
}

impl From<[f32; 2]> for Attribute {
    fn from([x, y]: [f32; 2]) -> Self {
        Self {
            format: wgt::VertexFormat::Float32x2,
            bytes: bytemuck::cast([x, y, f32::NAN, f32::NAN]),
        }
    }
}

impl From<[u8; 4]> for Attribute {
    fn from(value: [u8; 4]) -> Self {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&value);
        Self {
            format: wgt::VertexFormat::Uint8x4,
            bytes,
        }
    }
}

impl Rig {
    /// The device that all tests share, one at a time; `None` after saying why
    /// they are skipped.
    pub(crate) fn open() -> Option<MutexGuard<'static, Self>> {
        static RIG: OnceLock<Option<Mutex<Rig>>> = OnceLock::new();
        let rig = RIG.get_or_init(|| Self::start().map(Mutex::new)).as_ref()?;
        Some(rig.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn start() -> Option<Self> {
        let options = GpuOptions {
            adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
            validation: std::env::var_os("NINEFOLD_VALIDATION").is_some(),
        };
        match Gpu::new(&options) {
            Ok(gpu) => {
                eprintln!("adapter: {}", gpu.adapter_info().name);
                Some(Self { gpu })
            }
            Err(error) => {
                assert!(
                    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_none(),
                    "{error}"
                );
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    /// The pixel as floats, from a 32-bit float target.
    pub(crate) fn floats(&self, draw: Draw<'_>) -> [f32; 4] {
        let bytes = self.draw(
            draw,
            wgt::TextureFormat::Rgba32Float,
            wgt::PrimitiveTopology::PointList,
        );
        bytemuck::pod_read_unaligned(&bytes[..16])
    }

    /// The pixel as stored in an 8-bit target cleared to (1, 2, 3, 4).
    pub(crate) fn pixel(&self, draw: Draw<'_>) -> [u8; 4] {
        let topology = wgt::PrimitiveTopology::TriangleList;
        let bytes = self.draw(draw, wgt::TextureFormat::Rgba8Unorm, topology);
        [bytes[0], bytes[1], bytes[2], bytes[3]]
    }

    /// The same with one point.
    pub(crate) fn point(&self, draw: Draw<'_>) -> [u8; 4] {
        let topology = wgt::PrimitiveTopology::PointList;
        let bytes = self.draw(draw, wgt::TextureFormat::Rgba8Unorm, topology);
        [bytes[0], bytes[1], bytes[2], bytes[3]]
    }

    fn draw(
        &self,
        draw: Draw<'_>,
        format: wgt::TextureFormat,
        topology: wgt::PrimitiveTopology,
    ) -> Vec<u8> {
        self.try_draw(draw, format, topology)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_draw(
        &self,
        draw: Draw<'_>,
        format: wgt::TextureFormat,
        topology: wgt::PrimitiveTopology,
    ) -> ninefold_gpu::Result<Vec<u8>> {
        let gpu = &self.gpu;
        let mut arena = Arena::new(gpu, ArenaDesc::default())?;
        let mut commands = gpu.begin()?;

        let stages = [
            (
                abi::VERTEX_CONSTANTS,
                wgt::ShaderStages::VERTEX,
                abi::VERTEX_CONSTANT_BYTES,
            ),
            (
                abi::PIXEL_CONSTANTS,
                wgt::ShaderStages::FRAGMENT,
                abi::PIXEL_CONSTANT_BYTES,
            ),
            (
                abi::VERTEX_EXTRAS,
                wgt::ShaderStages::VERTEX,
                size_of::<VertexExtras>() as u64,
            ),
            (
                abi::PIXEL_EXTRAS,
                wgt::ShaderStages::FRAGMENT,
                size_of::<PixelExtras>() as u64,
            ),
        ];
        let entries = stages.map(|(binding, visibility, size)| wgt::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: wgt::BindingType::Buffer {
                ty: wgt::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: core::num::NonZeroU64::new(size),
            },
            count: None,
        });
        let uniform_layout = gpu.create_bind_group_layout(&entries)?;
        let contents: [&[u8]; 4] = [
            bytemuck::cast_slice(draw.vertex_constants),
            &[],
            bytemuck::bytes_of(&draw.vertex_extras),
            bytemuck::bytes_of(&draw.pixel_extras),
        ];
        let uniforms = gpu.create_buffer(&BufferDesc {
            label: "uniforms",
            size: 4 * 4096,
            usage: wgt::BufferUsages::UNIFORM | wgt::BufferUsages::MAP_WRITE,
        })?;
        for (place, bytes) in (0u64..).zip(contents) {
            uniforms.write(4096 * place, bytes)?;
        }
        let bound: Vec<_> = (0u64..)
            .zip(stages)
            .map(|(place, (binding, _, size))| BindEntry {
                binding,
                resource: BindResource::Uniform {
                    buffer: &uniforms,
                    offset: 4096 * place,
                    size,
                },
            })
            .collect();
        let uniform_group = gpu.create_bind_group(&uniform_layout, &bound)?;

        let sampler = gpu.create_sampler(&SamplerDesc::default())?;
        let mut views = Vec::new();
        let mut texture_entries = Vec::new();
        for &(slot, kind, color) in draw.textures {
            let (shape, dimension, layers) = match kind {
                SamplerKind::Cube => (TextureKind::Cube, wgt::TextureViewDimension::Cube, 6),
                SamplerKind::Volume => (TextureKind::D3, wgt::TextureViewDimension::D3, 1),
                _ => (TextureKind::D2, wgt::TextureViewDimension::D2, 1),
            };
            let texels = match draw.picture {
                Some((place, texels)) if slot == place => texels.to_vec(),
                _ => vec![color],
            };
            let texture = gpu.create_texture(&TextureDesc {
                kind: shape,
                ..TextureDesc::d2(
                    texels.len() as u32,
                    1,
                    wgt::TextureFormat::Rgba8Unorm,
                    wgt::TextureUsages::TEXTURE_BINDING | wgt::TextureUsages::COPY_DST,
                )
            })?;
            for layer in 0..layers {
                let region = Region::whole(&texture, 0, layer);
                let bytes = bytemuck::cast_slice(&texels);
                commands.write_texture(&mut arena, &texture, &region, bytes, bytes.len(), 1)?;
            }
            views.push((slot, texture.full_view()?));
            texture_entries.push(wgt::BindGroupLayoutEntry {
                binding: abi::texture_binding(slot),
                visibility: wgt::ShaderStages::FRAGMENT,
                ty: wgt::BindingType::Texture {
                    sample_type: wgt::TextureSampleType::Float { filterable: true },
                    view_dimension: dimension,
                    multisampled: false,
                },
                count: None,
            });
            texture_entries.push(wgt::BindGroupLayoutEntry {
                binding: abi::sampler_binding(slot),
                visibility: wgt::ShaderStages::FRAGMENT,
                ty: wgt::BindingType::Sampler(wgt::SamplerBindingType::Filtering),
                count: None,
            });
        }
        let texture_layout = gpu.create_bind_group_layout(&texture_entries)?;
        let mut bound = Vec::new();
        for (slot, view) in &views {
            bound.push(BindEntry {
                binding: abi::texture_binding(*slot),
                resource: BindResource::Texture(view),
            });
            bound.push(BindEntry {
                binding: abi::sampler_binding(*slot),
                resource: BindResource::Sampler(&sampler),
            });
        }
        let texture_group = gpu.create_bind_group(&texture_layout, &bound)?;
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "fixed",
            groups: &[&uniform_layout, &texture_layout],
            immediates: 0,
        })?;

        let attributes: Vec<_> = (0u32..)
            .zip(draw.attributes)
            .map(|(n, attribute)| wgt::VertexAttribute {
                format: attribute.format,
                offset: u64::from(16 * n),
                shader_location: n,
            })
            .collect();
        let stride = 16 * draw.attributes.len() as u64;
        let instance = VertexBufferLayout {
            stride,
            step: wgt::VertexStepMode::Instance,
            attributes: &attributes,
        };
        let slots = [Some(instance)];
        let vertex = gpu.create_shader(draw.vertex.module)?;
        let fragment = gpu.create_shader(draw.fragment.module)?;
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "fixed",
            layout: &layout,
            vertex: Stage {
                module: &vertex,
                entry: &draw.vertex.entry,
            },
            fragment: Some(Stage {
                module: &fragment,
                entry: &draw.fragment.entry,
            }),
            vertex_buffers: if stride == 0 { &[] } else { &slots },
            primitive: wgt::PrimitiveState {
                topology,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            colors: &[Some(format.into())],
            cache: None,
        })?;
        let target = gpu.create_texture(&TextureDesc::d2(
            1,
            1,
            format,
            wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::COPY_SRC,
        ))?;
        let view = target.target_view(0, 0)?;
        let vertices = (stride != 0)
            .then(|| {
                let bytes: Vec<u8> = draw.attributes.iter().flat_map(|a| a.bytes).collect();
                let buffer = gpu.create_buffer(&BufferDesc {
                    label: "vertex",
                    size: stride,
                    usage: wgt::BufferUsages::VERTEX | wgt::BufferUsages::MAP_WRITE,
                })?;
                buffer.write(0, &bytes)?;
                Ok::<_, ninefold_gpu::Error>(buffer)
            })
            .transpose()?;
        commands.begin_pass(&PassDesc {
            label: "fixed",
            colors: &[Some(ColorAttachment {
                view: &view,
                load: Load::Clear([1.0, 2.0, 3.0, 4.0].map(|c| c / 255.0)),
                store: true,
                resolve: None,
            })],
            depth_stencil: None,
            occlusion: None,
        })?;
        commands.set_pipeline(&pipeline)?;
        commands.set_bind_group(0, &uniform_group, &[])?;
        commands.set_bind_group(1, &texture_group, &[])?;
        if let Some(buffer) = &vertices {
            commands.set_vertex_buffer(0, buffer, 0, stride)?;
        }
        commands.set_viewport([0.0, 0.0, 1.0, 1.0], 0.0..1.0)?;
        let points = topology == wgt::PrimitiveTopology::PointList;
        commands.draw(0..if points { 1 } else { 3 }, 0..1)?;
        commands.end_pass()?;
        let readback = commands.read_texture(&target, &Region::whole(&target, 0, 0))?;
        commands.submit()?;
        readback.wait()
    }
}
