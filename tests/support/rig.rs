//! One pixel at a time through `ninefold-gpu`: a translated function, a plain partner for
//! the other stage, one point, float targets read back.

#[path = "blocks.rs"]
mod blocks;

use crate::case::{Inputs, Picture};
use blocks::{bool_file, float_file, int_file, pixel_extras, varying, vertex_extras};
use ninefold_gpu::types as wgt;
use ninefold_gpu::{
    Arena, ArenaDesc, BindEntry, BindGroup, BindGroupLayout, BindResource, BufferDesc,
    ColorAttachment, Commands, DepthAttachment, Gpu, GpuOptions, Load, PassDesc, PipelineLayout,
    PipelineLayoutDesc, Region, RenderPipeline, RenderPipelineDesc, Result, SamplerDesc, Stage,
    Texture, TextureDesc, TextureKind, VertexBufferLayout,
};
use ninefold_shader::abi::{self, PixelExtras, VertexExtras};
use ninefold_shader::{SamplerKind, Translation};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What the targets hold where nothing is drawn.
pub(crate) const UNTOUCHED: f32 = 77.0;

/// The device of the test binary.
pub(crate) struct Rig {
    gpu: Gpu,
}

/// A function with its pipeline, ready to run with different inputs.
pub(crate) struct Ready<'a> {
    rig: &'a Rig,
    translation: &'a Translation,
    pipeline: RenderPipeline,
    uniform_layout: BindGroupLayout,
    texture_group: BindGroup,
    large_layout: BindGroupLayout,
    arena: Arena,
    _layout: PipelineLayout,
    _textures: Vec<Texture>,
    targets: usize,
}

impl Rig {
    /// The device, or `None` after saying why the test is skipped.
    pub(crate) fn open() -> Option<Self> {
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

    /// Builds the pipeline of a pixel function, or of a vertex function of which the
    /// varyings at `locations`, at most eight, shall be read.
    pub(crate) fn prepare<'a>(
        &'a self,
        translation: &'a Translation,
        locations: &[u32],
        textures: &BTreeMap<usize, Picture>,
        inputs: &Inputs,
    ) -> Result<Ready<'a>> {
        let gpu = &self.gpu;
        let is_vertex = translation.reflection.stage == ninefold_shader::Stage::Vertex;
        let mut arena = Arena::new(gpu, ArenaDesc::default())?;
        let uniform_layout = self.uniform_layout()?;
        let (texture_layout, texture_group, kept) =
            self.textures(translation, textures, &mut arena)?;
        let large_layout = self.large_layout(translation)?;
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "case",
            groups: &[&uniform_layout, &texture_layout, &large_layout],
            immediates: 0,
        })?;
        let partner = match is_vertex {
            true => fragment_partner(locations),
            false => vertex_partner(translation, inputs),
        };
        let partner = naga::front::wgsl::parse_str(&partner).expect("the partner's text");
        let own = gpu.create_shader(translation.module.clone())?;
        let partner = gpu.create_shader(partner)?;
        let own = Stage {
            module: &own,
            entry: &translation.entry,
        };
        let partner = Stage {
            module: &partner,
            entry: "main",
        };
        let (vertex, fragment) = if is_vertex {
            (own, partner)
        } else {
            (partner, own)
        };
        let targets = match is_vertex {
            true => locations.len(),
            false => 8 - translation.reflection.color_outputs.leading_zeros() as usize,
        };
        let format = Some(wgt::TextureFormat::Rgba32Float.into());
        let attributes: Vec<_> = (0u32..)
            .zip(&translation.reflection.attributes)
            .map(|(location, _)| wgt::VertexAttribute {
                format: wgt::VertexFormat::Float32x4,
                offset: u64::from(16 * location),
                shader_location: location,
            })
            .collect();
        let buffers = [Some(VertexBufferLayout {
            stride: 16 * attributes.len() as u64,
            step: wgt::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "case",
            layout: &layout,
            vertex,
            fragment: Some(fragment),
            vertex_buffers: if attributes.is_empty() { &[] } else { &buffers },
            primitive: wgt::PrimitiveState {
                topology: wgt::PrimitiveTopology::PointList,
                ..Default::default()
            },
            depth_stencil: translation.reflection.writes_depth.then(depth_state),
            multisample: Default::default(),
            colors: &vec![format; targets],
            cache: None,
        })?;
        Ok(Ready {
            rig: self,
            translation,
            pipeline,
            uniform_layout,
            texture_group,
            large_layout,
            arena,
            _layout: layout,
            _textures: kept,
            targets,
        })
    }

    fn uniform_layout(&self) -> Result<BindGroupLayout> {
        let entries =
            uniform_windows().map(|(binding, visibility, size)| wgt::BindGroupLayoutEntry {
                binding,
                visibility,
                ty: wgt::BindingType::Buffer {
                    ty: wgt::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: core::num::NonZeroU64::new(size),
                },
                count: None,
            });
        self.gpu.create_bind_group_layout(&entries)
    }

    /// The group of large constants, with the binding of the function's own stage.
    fn large_layout(&self, translation: &Translation) -> Result<BindGroupLayout> {
        let (binding, visibility) = match translation.reflection.stage {
            ninefold_shader::Stage::Vertex => (abi::VERTEX_LARGE, wgt::ShaderStages::VERTEX),
            ninefold_shader::Stage::Pixel => (abi::PIXEL_LARGE, wgt::ShaderStages::FRAGMENT),
        };
        self.gpu
            .create_bind_group_layout(&[wgt::BindGroupLayoutEntry {
                binding,
                visibility,
                ty: wgt::BindingType::Buffer {
                    ty: wgt::BufferBindingType::Storage { read_only: true },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }])
    }

    fn textures(
        &self,
        translation: &Translation,
        pictures: &BTreeMap<usize, Picture>,
        arena: &mut Arena,
    ) -> Result<(BindGroupLayout, BindGroup, Vec<Texture>)> {
        let gpu = &self.gpu;
        let is_vertex = translation.reflection.stage == ninefold_shader::Stage::Vertex;
        let visibility = if is_vertex {
            wgt::ShaderStages::VERTEX
        } else {
            wgt::ShaderStages::FRAGMENT
        };
        let sampler = gpu.create_sampler(&SamplerDesc::default())?;
        let mut commands = gpu.begin()?;
        let mut entries = Vec::new();
        let mut textures = Vec::new();
        let mut views = Vec::new();
        for used in &translation.reflection.samplers {
            let picture = pictures.get(&usize::from(used.register)).copied();
            let picture = picture.expect("a texture for every sampler in use");
            assert_eq!(
                picture.kind(),
                used.kind,
                "kind of texture {}",
                used.register
            );
            let texture = make(gpu, &mut commands, arena, picture, used.register)?;
            let slot = match is_vertex {
                true => abi::vertex_sampler_slot(used.register.into()),
                false => used.register.into(),
            };
            entries.push(wgt::BindGroupLayoutEntry {
                binding: abi::texture_binding(slot),
                visibility,
                ty: wgt::BindingType::Texture {
                    sample_type: wgt::TextureSampleType::Float { filterable: true },
                    view_dimension: match used.kind {
                        SamplerKind::Cube => wgt::TextureViewDimension::Cube,
                        SamplerKind::Volume => wgt::TextureViewDimension::D3,
                        _ => wgt::TextureViewDimension::D2,
                    },
                    multisampled: false,
                },
                count: None,
            });
            entries.push(wgt::BindGroupLayoutEntry {
                binding: abi::sampler_binding(slot),
                visibility,
                ty: wgt::BindingType::Sampler(wgt::SamplerBindingType::Filtering),
                count: None,
            });
            views.push((slot, texture.full_view()?));
            textures.push(texture);
        }
        commands.submit()?;
        let layout = gpu.create_bind_group_layout(&entries)?;
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
        let group = gpu.create_bind_group(&layout, &bound)?;
        Ok((layout, group, textures))
    }
}

const DEPTH_FORMAT: wgt::TextureFormat = wgt::TextureFormat::Depth32FloatStencil8;

/// The depth aspect of the whole target.
fn depth_of(texture: &Texture) -> Region {
    Region {
        aspect: wgt::TextureAspect::DepthOnly,
        ..Region::whole(texture, 0, 0)
    }
}

/// Every depth is written.
fn depth_state() -> wgt::DepthStencilState {
    wgt::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgt::CompareFunction::Always),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

/// Binding, stage and size of the four uniform buffers.
fn uniform_windows() -> [(u32, wgt::ShaderStages, u64); 4] {
    let (vertex, fragment) = (wgt::ShaderStages::VERTEX, wgt::ShaderStages::FRAGMENT);
    [
        (abi::VERTEX_CONSTANTS, vertex, abi::VERTEX_CONSTANT_BYTES),
        (abi::PIXEL_CONSTANTS, fragment, abi::PIXEL_CONSTANT_BYTES),
        (abi::VERTEX_EXTRAS, vertex, size_of::<VertexExtras>() as u64),
        (abi::PIXEL_EXTRAS, fragment, size_of::<PixelExtras>() as u64),
    ]
}

impl Ready<'_> {
    /// Draws the point; what each colour target then holds, and last the depth, if written.
    pub(crate) fn run(&mut self, inputs: &Inputs) -> Result<Vec<[f32; 4]>> {
        let gpu = &self.rig.gpu;
        let reflection = &self.translation.reflection;
        let is_vertex = reflection.stage == ninefold_shader::Stage::Vertex;
        let uniforms = gpu.create_buffer(&BufferDesc {
            label: "uniforms",
            size: 4 * 4096,
            usage: wgt::BufferUsages::UNIFORM | wgt::BufferUsages::MAP_WRITE,
        })?;
        let file = float_file(inputs);
        let mut packed = [[0.0; 4]; 256];
        let count = reflection.window_rows();
        reflection.pack_floats(&file, &mut packed[..count]);
        let window = if is_vertex { 0 } else { 1 };
        uniforms.write(4096 * window, bytemuck::cast_slice(&packed[..count]))?;
        let mut large = vec![[0; 4]; reflection.large_rows().max(1)];
        reflection.pack_large(&file, &int_file(inputs), &bool_file(inputs), &mut large);
        let rows = gpu.create_buffer(&BufferDesc {
            label: "large constants",
            size: 16 * large.len() as u64,
            usage: wgt::BufferUsages::STORAGE | wgt::BufferUsages::MAP_WRITE,
        })?;
        rows.write(0, bytemuck::cast_slice(&large))?;
        let bound = [BindEntry {
            binding: match is_vertex {
                true => abi::VERTEX_LARGE,
                false => abi::PIXEL_LARGE,
            },
            resource: BindResource::Storage {
                buffer: &rows,
                offset: 0,
                size: rows.size(),
            },
        }];
        let large_group = gpu.create_bind_group(&self.large_layout, &bound)?;
        uniforms.write(4096 * 2, bytemuck::bytes_of(&vertex_extras(inputs)))?;
        uniforms.write(4096 * 3, bytemuck::bytes_of(&pixel_extras(inputs)))?;
        let bound: Vec<_> = (0u64..)
            .zip(uniform_windows())
            .map(|(place, (binding, _, size))| BindEntry {
                binding,
                resource: BindResource::Uniform {
                    buffer: &uniforms,
                    offset: 4096 * place,
                    size,
                },
            })
            .collect();
        let uniform_group = gpu.create_bind_group(&self.uniform_layout, &bound)?;
        let attributes: Vec<[f32; 4]> = reflection
            .attributes
            .iter()
            .map(|attribute| {
                inputs
                    .v
                    .get(&usize::from(attribute.register))
                    .copied()
                    .unwrap_or([0.0; 4])
            })
            .collect();
        let vertices = gpu.create_buffer(&BufferDesc {
            label: "vertex",
            size: (16 * attributes.len() as u64).max(16),
            usage: wgt::BufferUsages::VERTEX | wgt::BufferUsages::MAP_WRITE,
        })?;
        vertices.write(0, bytemuck::cast_slice(&attributes))?;
        let usage = wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::COPY_SRC;
        let desc = TextureDesc::d2(1, 1, wgt::TextureFormat::Rgba32Float, usage);
        let targets: Vec<Texture> = (0..self.targets)
            .map(|_| gpu.create_texture(&desc))
            .collect::<Result<_>>()?;
        let views: Vec<_> = targets
            .iter()
            .map(|target| target.target_view(0, 0))
            .collect::<Result<_>>()?;
        let colors: Vec<_> = views
            .iter()
            .map(|view| {
                Some(ColorAttachment {
                    view,
                    load: Load::Clear([f64::from(UNTOUCHED) as _; 4]),
                    store: true,
                    resolve: None,
                })
            })
            .collect();
        let depth = TextureDesc::d2(1, 1, DEPTH_FORMAT, usage);
        let depth = match reflection.writes_depth {
            true => Some(gpu.create_texture(&depth)?),
            false => None,
        };
        let depth_view = match &depth {
            Some(depth) => Some(depth.target_view(0, 0)?),
            None => None,
        };
        let mut commands = gpu.begin()?;
        commands.begin_pass(&PassDesc {
            label: "case",
            colors: &colors,
            depth_stencil: depth_view.as_ref().map(|view| DepthAttachment {
                view,
                depth: Load::Clear(0.0),
                stencil: Load::Clear(0),
                store: true,
            }),
            occlusion: None,
        })?;
        commands.set_pipeline(&self.pipeline)?;
        commands.set_bind_group(0, &uniform_group, &[])?;
        commands.set_bind_group(1, &self.texture_group, &[])?;
        commands.set_bind_group(abi::LARGE_GROUP, &large_group, &[])?;
        if !attributes.is_empty() {
            commands.set_vertex_buffer(0, &vertices, 0, 16 * attributes.len() as u64)?;
        }
        commands.set_viewport([0.0, 0.0, 1.0, 1.0], 0.0..1.0)?;
        commands.draw(0..1, 0..1)?;
        commands.end_pass()?;
        let readbacks: Vec<_> = targets
            .iter()
            .map(|target| commands.read_texture(target, &Region::whole(target, 0, 0)))
            .collect::<Result<_>>()?;
        let depth = match &depth {
            Some(depth) => Some(commands.read_texture(depth, &depth_of(depth))?),
            None => None,
        };
        commands.submit()?;
        let mut values = readbacks
            .into_iter()
            .map(|readback| Ok(bytemuck::pod_read_unaligned(&readback.wait()?[..16])))
            .collect::<Result<Vec<[f32; 4]>>>()?;
        if let Some(depth) = depth {
            values.push([bytemuck::pod_read_unaligned(&depth.wait()?[..4]); 4]);
        }
        let _ = &self.arena;
        Ok(values)
    }
}

/// A fragment function that shows the varyings at `locations`, one in each target.
fn fragment_partner(locations: &[u32]) -> String {
    let mut inputs = String::new();
    let mut members = String::new();
    let mut values = Vec::new();
    for (target, location) in locations.iter().enumerate() {
        let _ = write!(inputs, "@location({location}) l{location}: vec4<f32>, ");
        let _ = write!(members, "@location({target}) t{target}: vec4<f32>, ");
        values.push(format!("l{location}"));
    }
    let values = values.join(", ");
    format!("struct O {{ {members} }} @fragment fn main({inputs}) -> O {{ return O({values}); }}")
}

/// A vertex function that puts a point on the pixel and writes the varyings of `inputs`.
fn vertex_partner(translation: &Translation, inputs: &Inputs) -> String {
    let mut members = String::new();
    let mut stores = String::new();
    for location in (0..31).filter(|bit| translation.reflection.inputs_mask >> bit & 1 != 0) {
        let [x, y, z, w] = varying(inputs, location);
        let _ = write!(members, "@location({location}) l{location}: vec4<f32>, ");
        let _ = write!(
            stores,
            "o.l{location} = vec4<f32>({x:?}, {y:?}, {z:?}, {w:?}); "
        );
    }
    format!(
        "struct O {{ @builtin(position) position: vec4<f32>, {members} }} \
         @vertex fn main() -> O {{ var o: O; o.position = vec4<f32>(0.0, 0.0, 1.0, 2.0); {stores} \
         return o; }}"
    )
}

/// Makes one of the pictures of the case files.
fn make(
    gpu: &Gpu,
    commands: &mut Commands,
    arena: &mut Arena,
    picture: Picture,
    register: u8,
) -> Result<Texture> {
    let (kind, size, depth, mips, layers) = match picture {
        Picture::Grid => (TextureKind::D2, 16, 1, 2, 1),
        Picture::Cube => (TextureKind::Cube, 1, 1, 1, 6),
        Picture::Volume => (TextureKind::D3, 4, 4, 1, 1),
        Picture::Plain(SamplerKind::Cube) => (TextureKind::Cube, 1, 1, 1, 6),
        Picture::Plain(SamplerKind::Volume) => (TextureKind::D3, 1, 1, 1, 1),
        Picture::Plain(_) => (TextureKind::D2, 1, 1, 1, 1),
    };
    let texture = gpu.create_texture(&TextureDesc {
        kind,
        depth,
        mips,
        ..TextureDesc::d2(
            size,
            size,
            wgt::TextureFormat::Rgba32Float,
            wgt::TextureUsages::TEXTURE_BINDING | wgt::TextureUsages::COPY_DST,
        )
    })?;
    for mip in 0..mips {
        for layer in 0..layers {
            let side = size >> mip;
            let mut texels = Vec::new();
            for z in 0..depth {
                for y in 0..side {
                    for x in 0..side {
                        texels.push(match picture {
                            Picture::Grid => [x as f32, y as f32, mip as f32, 1.0],
                            Picture::Cube => [layer as f32, layer as f32, layer as f32, 1.0],
                            Picture::Volume => [x as f32, y as f32, z as f32, 1.0],
                            Picture::Plain(_) => plain_color(register.into()),
                        });
                    }
                }
            }
            let region = Region::whole(&texture, mip, layer);
            let bytes = bytemuck::cast_slice(&texels);
            let row = 16 * side as usize;
            commands.write_texture(arena, &texture, &region, bytes, row, side as usize)?;
        }
    }
    Ok(texture)
}

/// Colour of the plain texture of sampler `register`.
pub(crate) fn plain_color(register: usize) -> [f32; 4] {
    let step = register as f32 / 32.0;
    [0.25 + step, 0.875 - step, 0.5, 0.625 + step / 2.0]
}
