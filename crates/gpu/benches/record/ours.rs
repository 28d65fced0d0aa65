//! The frame through `ninefold-gpu`.

use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

use crate::scene::{
    self, CONSTANTS, PIPELINES, SIDE, TEXTURES, VARIANTS, VERTEX_CONSTANTS, VERTICES,
};

pub(crate) struct Ours {
    gpu: Gpu,
    arena: Arena,
    target: Texture,
    view: TextureView,
    pipelines: Vec<RenderPipeline>,
    textures: Vec<BindGroup>,
    constants_layout: BindGroupLayout,
    /// One group for each arena buffer, by the buffer's id.
    constants: Vec<(u64, BindGroup)>,
    source: scene::Source,
}

impl Ours {
    pub(crate) fn new(gpu: Gpu) -> Self {
        let [texture_entries, constant_entries] = scene::layout_entries();
        let texture_layout = gpu.create_bind_group_layout(&texture_entries).unwrap();
        let constants_layout = gpu.create_bind_group_layout(&constant_entries).unwrap();
        let layout = gpu
            .create_pipeline_layout(&PipelineLayoutDesc {
                label: "bench",
                groups: &[&texture_layout, &constants_layout],
                immediates: 0,
            })
            .unwrap();
        let module = gpu
            .create_shader(naga::front::wgsl::parse_str(scene::WGSL).unwrap())
            .unwrap();
        let pipelines = (0..PIPELINES)
            .map(|n| {
                gpu.create_render_pipeline(&RenderPipelineDesc {
                    label: "bench",
                    layout: &layout,
                    vertex: Stage {
                        module: &module,
                        entry: "vs",
                    },
                    fragment: Some(Stage {
                        module: &module,
                        entry: "fs",
                    }),
                    vertex_buffers: &[Some(VertexBufferLayout {
                        stride: scene::STRIDE,
                        step: wgt::VertexStepMode::Vertex,
                        attributes: &scene::ATTRIBUTES,
                    })],
                    primitive: wgt::PrimitiveState::default(),
                    depth_stencil: None,
                    multisample: wgt::MultisampleState::default(),
                    colors: &[Some(wgt::ColorTargetState {
                        format: wgt::TextureFormat::Bgra8Unorm,
                        blend: scene::blend(n),
                        write_mask: wgt::ColorWrites::ALL,
                    })],
                    cache: None,
                })
                .unwrap()
            })
            .collect();
        let mut arena = Arena::new(&gpu, ArenaDesc::default()).unwrap();
        let sampler = gpu.create_sampler(&SamplerDesc::default()).unwrap();
        let mut commands = gpu.begin().unwrap();
        let usage = wgt::TextureUsages::TEXTURE_BINDING | wgt::TextureUsages::COPY_DST;
        let textures = (0..TEXTURES)
            .map(|n| {
                let desc = TextureDesc::d2(8, 8, wgt::TextureFormat::Rgba8Unorm, usage);
                let texture = gpu.create_texture(&desc).unwrap();
                let region = Region::whole(&texture, 0, 0);
                let texels = scene::texels(n);
                commands
                    .write_texture(&mut arena, &texture, &region, &texels, 32, 8)
                    .unwrap();
                let entries = [
                    BindEntry {
                        binding: 0,
                        resource: BindResource::Texture(&texture.full_view().unwrap()),
                    },
                    BindEntry {
                        binding: 1,
                        resource: BindResource::Sampler(&sampler),
                    },
                ];
                gpu.create_bind_group(&texture_layout, &entries).unwrap()
            })
            .collect();
        commands.submit().unwrap();
        let usage = wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::COPY_SRC;
        let desc = TextureDesc::d2(SIDE, SIDE, wgt::TextureFormat::Bgra8Unorm, usage);
        let target = gpu.create_texture(&desc).unwrap();
        let view = target.target_view(0, 0).unwrap();
        let source = scene::source();
        Self {
            gpu,
            arena,
            target,
            view,
            pipelines,
            textures,
            constants_layout,
            constants: Vec::new(),
            source,
        }
    }

    /// Records and submits a frame, waits for it, and returns the CPU time of
    /// the former.
    pub(crate) fn frame(&mut self, draws: usize) -> f64 {
        let start = scene::cpu_time();
        let mut commands = self.gpu.begin().unwrap();
        let colors = [Some(ColorAttachment {
            view: &self.view,
            load: Load::Clear([0.0, 0.0, 0.0, 1.0]),
            store: true,
            resolve: None,
        })];
        commands
            .begin_pass(&PassDesc {
                colors: &colors,
                ..PassDesc::default()
            })
            .unwrap();
        let mut group_at = usize::MAX;
        for draw in 0..draws {
            let variant = draw % VARIANTS;
            if draw.is_multiple_of(4) {
                commands
                    .set_pipeline(&self.pipelines[draw / 4 % PIPELINES])
                    .unwrap();
            }
            if draw.is_multiple_of(2) {
                commands
                    .set_bind_group(0, &self.textures[draw / 2 % TEXTURES], &[])
                    .unwrap();
            }
            let constants = self.arena.piece(CONSTANTS, 256).unwrap();
            constants
                .data
                .copy_from_slice(&self.source.constants[variant * CONSTANTS..][..CONSTANTS]);
            let offset = constants.offset as u32;
            let id = constants.buffer.id();
            if self
                .constants
                .get(group_at)
                .is_none_or(|(have, _)| *have != id)
            {
                let buffer = constants.buffer;
                group_at = match self.constants.iter().position(|(have, _)| *have == id) {
                    Some(at) => at,
                    None => {
                        let [vertex, pixel] = scene::WINDOWS.map(|size| BindResource::Uniform {
                            buffer,
                            offset: 0,
                            size,
                        });
                        let entries = [
                            BindEntry {
                                binding: 0,
                                resource: vertex,
                            },
                            BindEntry {
                                binding: 1,
                                resource: pixel,
                            },
                        ];
                        let group = self
                            .gpu
                            .create_bind_group(&self.constants_layout, &entries)
                            .unwrap();
                        self.constants.push((id, group));
                        self.constants.len() - 1
                    }
                };
            }
            let group = &self.constants[group_at].1;
            commands
                .set_bind_group(1, group, &[offset, offset + VERTEX_CONSTANTS as u32])
                .unwrap();
            let vertices = self.arena.piece(VERTICES, 4).unwrap();
            vertices
                .data
                .copy_from_slice(&self.source.vertices[variant * VERTICES..][..VERTICES]);
            commands
                .set_vertex_buffer(0, vertices.buffer, vertices.offset, VERTICES as u64)
                .unwrap();
            commands.draw(0..3, 0..1).unwrap();
        }
        let value = commands.submit().unwrap();
        let time = scene::cpu_time() - start;
        self.gpu.wait(value, None).unwrap();
        time
    }

    pub(crate) fn picture(&self) -> Vec<u8> {
        self.gpu.read_texture(&self.target, 0, 0).unwrap()
    }
}
