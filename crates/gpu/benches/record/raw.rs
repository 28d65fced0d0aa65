//! The frame through `wgpu-hal` itself, with its concrete types, one arena for
//! everything and every resource kept for ever.

use std::borrow::Cow;

use ninefold_gpu::types as wgt;
use wgpu_hal as hal;
use wgpu_hal::{Adapter as _, CommandEncoder as _, Device as _, Instance as _, Queue as _};

use crate::scene::{
    self, CONSTANTS, PIPELINES, SIDE, TEXTURES, VARIANTS, VERTEX_CONSTANTS, VERTICES,
};

#[cfg(target_vendor = "apple")]
type Api = hal::api::Metal;
#[cfg(not(target_vendor = "apple"))]
type Api = hal::api::Vulkan;

type Buffer = <Api as hal::Api>::Buffer;
type TextureBarrier<'a> = hal::TextureBarrier<'a, <Api as hal::Api>::Texture>;

const ARENA: u64 = 32 << 20;

/// Where the vertices of a draw are, and how it names them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)]
pub(crate) enum Kind {
    /// Copied for each draw.
    Copied,
    /// Copied for each draw, with indices.
    Indexed,
    /// All in one buffer that is bound once.
    Static,
    /// The same, with indices copied for each draw.
    StaticIndexed,
}

impl Kind {
    fn is_static(self) -> bool {
        matches!(self, Self::Static | Self::StaticIndexed)
    }

    fn is_indexed(self) -> bool {
        matches!(self, Self::Indexed | Self::StaticIndexed)
    }
}

pub(crate) struct Raw {
    device: <Api as hal::Api>::Device,
    queue: <Api as hal::Api>::Queue,
    encoder: <Api as hal::Api>::CommandEncoder,
    fence: <Api as hal::Api>::Fence,
    value: u64,
    layout: <Api as hal::Api>::PipelineLayout,
    pipelines: Vec<<Api as hal::Api>::RenderPipeline>,
    textures: Vec<<Api as hal::Api>::BindGroup>,
    constants: <Api as hal::Api>::BindGroup,
    arena: (Buffer, *mut u8),
    /// The vertices of every draw.
    vertices: (Buffer, *mut u8),
    result: (Buffer, *mut u8),
    target: <Api as hal::Api>::Texture,
    view: <Api as hal::Api>::TextureView,
    source: scene::Source,
    _instance: <Api as hal::Api>::Instance,
}

fn barrier(
    texture: &<Api as hal::Api>::Texture,
    from: wgt::TextureUses,
    to: wgt::TextureUses,
) -> TextureBarrier<'_> {
    hal::TextureBarrier {
        texture,
        range: wgt::ImageSubresourceRange::default(),
        usage: hal::StateTransition { from, to },
    }
}

fn region(offset: u64, side: u32) -> hal::BufferTextureCopy {
    hal::BufferTextureCopy {
        buffer_layout: wgt::TexelCopyBufferLayout {
            offset,
            bytes_per_row: Some(side * 4),
            rows_per_image: None,
        },
        texture_base: hal::TextureCopyBase {
            origin: wgt::Origin3d::ZERO,
            mip_level: 0,
            array_layer: 0,
            aspect: hal::FormatAspects::COLOR,
        },
        size: hal::CopyExtent {
            width: side,
            height: side,
            depth: 1,
        },
    }
}

impl Raw {
    /// Opens the adapter of that name.
    pub(crate) fn new(name: &str) -> Self {
        // SAFETY: the same calls in the same order as the checked path makes,
        // with constants that suit every device; objects are never destroyed.
        unsafe { Self::create(name) }
    }

    /// # Safety
    /// Device objects must not be destroyed while in use; none is.
    unsafe fn create(name: &str) -> Self {
        use wgt::TextureUses as T;
        // SAFETY: see `new`.
        unsafe {
            let instance = <Api as hal::Api>::Instance::init(&hal::InstanceDescriptor {
                name: "bench",
                flags: wgt::InstanceFlags::empty(),
                memory_budget_thresholds: wgt::MemoryBudgetThresholds::default(),
                backend_options: wgt::BackendOptions::default(),
                telemetry: None,
                display: None,
            })
            .unwrap();
            let adapters = instance.enumerate_adapters(None);
            let exposed = adapters
                .into_iter()
                .find(|adapter| adapter.info.name == name)
                .unwrap();
            let hal::OpenDevice { device, queue } = exposed
                .adapter
                .open(
                    wgt::Features::empty(),
                    &exposed.capabilities.limits,
                    &wgt::MemoryHints::MemoryUsage,
                )
                .unwrap();
            let module = naga::front::wgsl::parse_str(scene::WGSL).unwrap();
            let info = naga::valid::Validator::new(
                naga::valid::ValidationFlags::all(),
                naga::valid::Capabilities::empty(),
            )
            .validate(&module)
            .unwrap();
            let shader = device
                .create_shader_module(
                    &hal::ShaderModuleDescriptor {
                        label: None,
                        runtime_checks: wgt::ShaderRuntimeChecks::unchecked(),
                    },
                    hal::ShaderInput::Naga(hal::NagaShader {
                        module: Cow::Owned(module),
                        info,
                        debug_source: None,
                    }),
                )
                .unwrap();
            let layouts = scene::layout_entries().map(|entries| {
                device
                    .create_bind_group_layout(&hal::BindGroupLayoutDescriptor {
                        label: None,
                        flags: hal::BindGroupLayoutFlags::empty(),
                        entries: &entries,
                    })
                    .unwrap()
            });
            let layout = device
                .create_pipeline_layout(&hal::PipelineLayoutDescriptor {
                    label: None,
                    flags: hal::PipelineLayoutFlags::empty(),
                    bind_group_layouts: &[Some(&layouts[0]), Some(&layouts[1])],
                    immediate_size: 0,
                })
                .unwrap();
            let none = naga::back::PipelineConstants::default();
            let stage = |entry_point| hal::ProgrammableStage {
                module: &shader,
                entry_point,
                constants: &none,
                zero_initialize_workgroup_memory: false,
            };
            let pipelines = (0..PIPELINES)
                .map(|n| {
                    device
                        .create_render_pipeline(&hal::RenderPipelineDescriptor {
                            label: None,
                            layout: &layout,
                            vertex_processor: hal::VertexProcessor::Standard {
                                vertex_stage: stage("vs"),
                                vertex_buffers: &[Some(hal::VertexBufferLayout {
                                    array_stride: scene::STRIDE,
                                    step_mode: wgt::VertexStepMode::Vertex,
                                    attributes: &scene::ATTRIBUTES,
                                })],
                            },
                            fragment_stage: Some(stage("fs")),
                            primitive: wgt::PrimitiveState::default(),
                            depth_stencil: None,
                            multisample: wgt::MultisampleState::default(),
                            color_targets: &[Some(wgt::ColorTargetState {
                                format: wgt::TextureFormat::Bgra8Unorm,
                                blend: scene::blend(n),
                                write_mask: wgt::ColorWrites::ALL,
                            })],
                            multiview_mask: None,
                            cache: None,
                        })
                        .unwrap()
                })
                .collect();
            let mapped = |size: u64, usage: wgt::BufferUses| {
                let buffer = device
                    .create_buffer(&hal::BufferDescriptor {
                        label: None,
                        size,
                        usage,
                        memory_flags: hal::MemoryFlags::PREFER_COHERENT,
                    })
                    .unwrap();
                let pointer = device.map_buffer(&buffer, 0..size).unwrap().ptr.as_ptr();
                (buffer, pointer)
            };
            use wgt::BufferUses as B;
            let geometry = B::VERTEX | B::INDEX;
            let arena = mapped(ARENA, B::MAP_WRITE | B::UNIFORM | geometry | B::COPY_SRC);
            let vertices = mapped((scene::DRAWS * VERTICES) as u64, B::MAP_WRITE | B::VERTEX);
            let result = mapped(u64::from(SIDE * SIDE * 4), B::MAP_READ | B::COPY_DST);
            let texture = |side, format, usage| {
                device
                    .create_texture(&hal::TextureDescriptor {
                        label: None,
                        size: wgt::Extent3d {
                            width: side,
                            height: side,
                            depth_or_array_layers: 1,
                        },
                        mip_level_count: 1,
                        sample_count: 1,
                        dimension: wgt::TextureDimension::D2,
                        format,
                        usage,
                        memory_flags: hal::MemoryFlags::empty(),
                        view_formats: vec![],
                    })
                    .unwrap()
            };
            let view = |texture: &_, format, usage| {
                device
                    .create_texture_view(
                        texture,
                        &hal::TextureViewDescriptor {
                            label: None,
                            format,
                            dimension: wgt::TextureViewDimension::D2,
                            usage,
                            range: wgt::ImageSubresourceRange::default(),
                        },
                    )
                    .unwrap()
            };
            let sampler = device
                .create_sampler(&hal::SamplerDescriptor {
                    label: None,
                    address_modes: [wgt::AddressMode::ClampToEdge; 3],
                    mag_filter: wgt::FilterMode::Nearest,
                    min_filter: wgt::FilterMode::Nearest,
                    mipmap_filter: wgt::MipmapFilterMode::Nearest,
                    lod_clamp: 0.0..32.0,
                    compare: None,
                    anisotropy_clamp: 1,
                    border_color: None,
                })
                .unwrap();
            let mut encoder = device
                .create_command_encoder(&hal::CommandEncoderDescriptor {
                    label: None,
                    queue: &queue,
                })
                .unwrap();
            encoder.begin_encoding(None).unwrap();
            let entry = |binding, resource_index| hal::BindGroupEntry {
                binding,
                resource_index,
                count: 1,
            };
            let mut textures = Vec::new();
            for n in 0..TEXTURES {
                let format = wgt::TextureFormat::Rgba8Unorm;
                let texture = texture(8, format, T::COPY_DST | T::RESOURCE);
                arena
                    .1
                    .add(n * 256)
                    .copy_from_nonoverlapping(scene::texels(n).as_ptr(), 256);
                encoder.transition_textures(
                    [barrier(&texture, T::UNINITIALIZED, T::COPY_DST)].into_iter(),
                );
                encoder.copy_buffer_to_texture(
                    &arena.0,
                    &texture,
                    [region(n as u64 * 256, 8)].into_iter(),
                );
                encoder
                    .transition_textures([barrier(&texture, T::COPY_DST, T::RESOURCE)].into_iter());
                let view = view(&texture, format, T::RESOURCE);
                let group = device
                    .create_bind_group(&hal::BindGroupDescriptor {
                        label: None,
                        layout: &layouts[0],
                        buffers: &[],
                        samplers: &[&sampler],
                        textures: &[hal::TextureBinding {
                            view: &view,
                            usage: T::RESOURCE,
                        }],
                        acceleration_structures: &[],
                        external_textures: &[],
                        entries: &[entry(0, 0), entry(1, 0)],
                    })
                    .unwrap();
                textures.push(group);
                std::mem::forget((texture, view));
            }
            let format = wgt::TextureFormat::Bgra8Unorm;
            let target = texture(SIDE, format, T::COLOR_TARGET | T::COPY_SRC);
            let target_view = view(&target, format, T::COLOR_TARGET);
            encoder.transition_textures(
                [barrier(&target, T::UNINITIALIZED, T::COLOR_TARGET)].into_iter(),
            );
            let window =
                |size| hal::BufferBinding::new_unchecked(&arena.0, 0, wgt::BufferSize::new(size));
            let constants = device
                .create_bind_group(&hal::BindGroupDescriptor {
                    label: None,
                    layout: &layouts[1],
                    buffers: &scene::WINDOWS.map(window),
                    samplers: &[],
                    textures: &[],
                    acceleration_structures: &[],
                    external_textures: &[],
                    entries: &[entry(0, 0), entry(1, 1)],
                })
                .unwrap();
            let fence = device.create_fence().unwrap();
            std::mem::forget((shader, layouts, sampler, exposed.adapter));
            let mut raw = Self {
                device,
                queue,
                encoder,
                fence,
                value: 0,
                layout,
                pipelines,
                textures,
                constants,
                arena,
                vertices,
                result,
                target,
                view: target_view,
                source: scene::source(),
                _instance: instance,
            };
            raw.submit_and_wait(|| ());
            for draw in 0..scene::DRAWS {
                let vertices = &raw.source.vertices[draw % VARIANTS * VERTICES..][..VERTICES];
                let to = raw.vertices.1.add(draw * VERTICES);
                to.copy_from_nonoverlapping(vertices.as_ptr(), VERTICES);
            }
            raw
        }
    }

    /// # Safety
    /// The encoder must be recording outside a pass.
    unsafe fn submit_and_wait(&mut self, submitted: impl FnOnce()) {
        // SAFETY: as the caller promises; the fence value grows.
        unsafe {
            let commands = self.encoder.end_encoding().unwrap();
            self.value += 1;
            self.queue
                .submit(&[&commands], &[], (&self.fence, self.value))
                .unwrap();
            submitted();
            self.device.wait(&self.fence, self.value, None).unwrap();
            self.encoder.reset_all([commands].into_iter());
        }
    }

    #[allow(dead_code)]
    pub(crate) fn frame(&mut self, draws: usize) -> f64 {
        self.frame_of(draws, Kind::Copied)
    }

    /// Records and submits a frame; microseconds of CPU time.
    pub(crate) fn frame_of(&mut self, draws: usize, kind: Kind) -> f64 {
        let start = scene::cpu_time();
        let mut end = start;
        // SAFETY: as in `new`; the GPU is done with the arena, whose size holds
        // the frame with a window to spare.
        unsafe {
            let encoder = &mut self.encoder;
            encoder.begin_encoding(None).unwrap();
            encoder
                .begin_render_pass(&hal::RenderPassDescriptor {
                    label: None,
                    extent: wgt::Extent3d {
                        width: SIDE,
                        height: SIDE,
                        depth_or_array_layers: 1,
                    },
                    sample_count: 1,
                    color_attachments: &[Some(hal::ColorAttachment {
                        target: hal::Attachment {
                            view: &self.view,
                            usage: wgt::TextureUses::COLOR_TARGET,
                        },
                        depth_slice: None,
                        resolve_target: None,
                        ops: hal::AttachmentOps::LOAD_CLEAR | hal::AttachmentOps::STORE,
                        clear_value: wgt::Color::BLACK,
                    })],
                    depth_stencil_attachment: None,
                    multiview_mask: None,
                    timestamp_writes: None,
                    occlusion_query_set: None,
                })
                .unwrap();
            encoder.set_blend_constants(&[0.0; 4]);
            encoder.set_stencil_reference(0);
            if kind.is_static() {
                let size = wgt::BufferSize::new((scene::DRAWS * VERTICES) as u64);
                let all = hal::BufferBinding::new_unchecked(&self.vertices.0, 0, size);
                encoder.set_vertex_buffer(0, all);
            }
            let mut at = 0usize;
            for draw in 0..draws {
                let variant = draw % VARIANTS;
                if draw.is_multiple_of(4) {
                    encoder.set_render_pipeline(&self.pipelines[draw / 4 % PIPELINES]);
                }
                if draw.is_multiple_of(2) {
                    encoder.set_bind_group(
                        &self.layout,
                        0,
                        &self.textures[draw / 2 % TEXTURES],
                        &[],
                    );
                }
                at = at.next_multiple_of(256);
                let constants = &self.source.constants[variant * CONSTANTS..][..CONSTANTS];
                self.arena
                    .1
                    .add(at)
                    .copy_from_nonoverlapping(constants.as_ptr(), CONSTANTS);
                let offset = at as u32;
                let offsets = [offset, offset + VERTEX_CONSTANTS as u32];
                encoder.set_bind_group(&self.layout, 1, &self.constants, &offsets);
                at += CONSTANTS;
                let mut first = draw as u32 * 3;
                if !kind.is_static() {
                    let vertices = &self.source.vertices[variant * VERTICES..][..VERTICES];
                    self.arena
                        .1
                        .add(at)
                        .copy_from_nonoverlapping(vertices.as_ptr(), VERTICES);
                    let size = wgt::BufferSize::new(VERTICES as u64);
                    encoder.set_vertex_buffer(
                        0,
                        hal::BufferBinding::new_unchecked(&self.arena.0, at as u64, size),
                    );
                    first = 0;
                    at += VERTICES;
                }
                if !kind.is_indexed() {
                    encoder.draw(first, 3, 0, 1);
                    continue;
                }
                let indices: [u16; 3] = [0, 1, 2];
                self.arena
                    .1
                    .add(at)
                    .copy_from_nonoverlapping(indices.as_ptr().cast(), 6);
                let size = wgt::BufferSize::new(6);
                encoder.set_index_buffer(
                    hal::BufferBinding::new_unchecked(&self.arena.0, at as u64, size),
                    wgt::IndexFormat::Uint16,
                );
                encoder.draw_indexed(0, 3, first as i32, 0, 1);
                at += 16;
            }
            assert!(at as u64 + scene::WINDOWS[0] <= ARENA);
            encoder.end_render_pass();
            self.submit_and_wait(|| end = scene::cpu_time());
        }
        end - start
    }

    pub(crate) fn picture(&mut self) -> Vec<u8> {
        use wgt::TextureUses as T;
        // SAFETY: as in `new`; the GPU has written the result before it is read.
        unsafe {
            self.encoder.begin_encoding(None).unwrap();
            let to_source = barrier(&self.target, T::COLOR_TARGET, T::COPY_SRC);
            self.encoder.transition_textures([to_source].into_iter());
            let copy = [region(0, SIDE)].into_iter();
            self.encoder
                .copy_texture_to_buffer(&self.target, T::COPY_SRC, &self.result.0, copy);
            self.submit_and_wait(|| ());
            std::slice::from_raw_parts(self.result.1, (SIDE * SIDE * 4) as usize).to_vec()
        }
    }
}
