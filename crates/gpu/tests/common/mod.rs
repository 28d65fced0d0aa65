//! What the GPU tests share: the adapter and a few shaders and shorthands.
//!
//! Each test opens a device of its own. On NVIDIA run them with
//! `--test-threads=1`: driver 580 can lock up when a thread that used it exits
//! while another destroys a device.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

/// Opens the adapter that `NINEFOLD_ADAPTER` names, or the best one, and says
/// which. Without one the test is skipped, unless `NINEFOLD_REQUIRE_GPU=1`.
pub fn gpu() -> Option<Gpu> {
    let options = GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        validation: false,
    };
    match Gpu::new(&options) {
        Ok(gpu) => {
            eprintln!("adapter: {}", gpu.adapter_info());
            Some(gpu)
        }
        Err(error) => {
            let required = std::env::var("NINEFOLD_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "NINEFOLD_REQUIRE_GPU is 1 and {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

pub const BGRA: wgt::TextureFormat = wgt::TextureFormat::Bgra8Unorm;
pub const TARGET: wgt::TextureUsages = wgt::TextureUsages::RENDER_ATTACHMENT
    .union(wgt::TextureUsages::TEXTURE_BINDING)
    .union(wgt::TextureUsages::COPY_SRC)
    .union(wgt::TextureUsages::COPY_DST);
pub const SAMPLED: wgt::TextureUsages = wgt::TextureUsages::TEXTURE_BINDING
    .union(wgt::TextureUsages::COPY_SRC)
    .union(wgt::TextureUsages::COPY_DST);

pub fn shader(gpu: &Gpu, wgsl: &str) -> ShaderModule {
    let module = naga::front::wgsl::parse_str(wgsl).expect("the test's shader parses");
    gpu.create_shader(module)
        .expect("the test's shader is valid")
}

/// A vertex buffer of float4 positions.
pub fn vertices(gpu: &Gpu, positions: &[[f32; 4]]) -> Buffer {
    let buffer = gpu
        .create_buffer(&BufferDesc {
            label: "vertices",
            size: (positions.len() * 16) as u64,
            usage: wgt::BufferUsages::VERTEX | wgt::BufferUsages::MAP_WRITE,
        })
        .unwrap();
    buffer.write(0, bytemuck::cast_slice(positions)).unwrap();
    buffer
}

/// The two triangles of the rectangle x0..x1, y0..y1 in clip space, at depth z.
pub fn quad(x0: f32, y0: f32, x1: f32, y1: f32, z: f32) -> [[f32; 4]; 6] {
    let at = |x, y| [x, y, z, 1.0];
    [
        at(x0, y0),
        at(x1, y0),
        at(x0, y1),
        at(x0, y1),
        at(x1, y0),
        at(x1, y1),
    ]
}

pub const POSITION: [wgt::VertexAttribute; 1] = [wgt::VertexAttribute {
    format: wgt::VertexFormat::Float32x4,
    offset: 0,
    shader_location: 0,
}];

pub fn position_layout() -> Option<VertexBufferLayout<'static>> {
    Some(VertexBufferLayout {
        stride: 16,
        step: wgt::VertexStepMode::Vertex,
        attributes: &POSITION,
    })
}

/// What most pipelines of the tests differ in.
pub struct Simple<'a> {
    pub wgsl: &'a str,
    pub layout: &'a PipelineLayout,
    pub format: wgt::TextureFormat,
    pub blend: Option<wgt::BlendState>,
    pub depth_stencil: Option<wgt::DepthStencilState>,
    pub samples: u32,
}

impl Simple<'_> {
    pub fn build(&self, gpu: &Gpu) -> RenderPipeline {
        let module = shader(gpu, self.wgsl);
        gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "test",
            layout: self.layout,
            vertex: Stage {
                module: &module,
                entry: "vs",
            },
            fragment: Some(Stage {
                module: &module,
                entry: "fs",
            }),
            vertex_buffers: &[position_layout()],
            primitive: wgt::PrimitiveState::default(),
            depth_stencil: self.depth_stencil.clone(),
            multisample: wgt::MultisampleState {
                count: self.samples,
                ..Default::default()
            },
            colors: &[Some(wgt::ColorTargetState {
                format: self.format,
                blend: self.blend,
                write_mask: wgt::ColorWrites::ALL,
            })],
            cache: None,
        })
        .expect("the test's pipeline is valid")
    }
}

/// A layout with `immediates` bytes and no groups.
pub fn plain_layout(gpu: &Gpu, immediates: u32) -> PipelineLayout {
    gpu.create_pipeline_layout(&PipelineLayoutDesc {
        label: "plain",
        groups: &[],
        immediates,
    })
    .unwrap()
}

/// Draws at the vertices' positions with the colour in the immediates.
pub const FLAT: &str = "
var<immediate> color: vec4f;
@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
@fragment fn fs() -> @location(0) vec4f { return color; }
";

/// Samples group 0's texture (`KIND` is 2d, cube or 3d) at the immediates'
/// coordinate and level.
pub fn sampling(kind: &str, coordinate: &str) -> String {
    format!(
        "
struct At {{ at: vec4f }}
var<immediate> i: At;
@group(0) @binding(0) var tex: texture_{kind}<f32>;
@group(0) @binding(1) var smp: sampler;
@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {{ return p; }}
@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {{
  return textureSampleLevel(tex, smp, {coordinate}, i.at.w);
}}
"
    )
}

pub fn sampled_layout(gpu: &Gpu, dimension: wgt::TextureViewDimension) -> BindGroupLayout {
    gpu.create_bind_group_layout(&[
        wgt::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgt::ShaderStages::FRAGMENT,
            ty: wgt::BindingType::Texture {
                sample_type: wgt::TextureSampleType::Float { filterable: true },
                view_dimension: dimension,
                multisampled: false,
            },
            count: None,
        },
        wgt::BindGroupLayoutEntry {
            binding: 1,
            visibility: wgt::ShaderStages::FRAGMENT,
            ty: wgt::BindingType::Sampler(wgt::SamplerBindingType::Filtering),
            count: None,
        },
    ])
    .unwrap()
}

pub fn sampled_group(gpu: &Gpu, layout: &BindGroupLayout, view: &TextureView) -> BindGroup {
    let sampler = gpu.create_sampler(&SamplerDesc::default()).unwrap();
    gpu.create_bind_group(
        layout,
        &[
            BindEntry {
                binding: 0,
                resource: BindResource::Texture(view),
            },
            BindEntry {
                binding: 1,
                resource: BindResource::Sampler(&sampler),
            },
        ],
    )
    .unwrap()
}

pub fn color(view: &TextureView, load: Load<[f32; 4]>) -> Option<ColorAttachment<'_>> {
    Some(ColorAttachment {
        view,
        load,
        store: true,
        resolve: None,
    })
}

pub fn bits(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

/// The BGRA bytes of the texel at (x, y).
pub fn texel(bytes: &[u8], width: u32, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * width + x) * 4) as usize;
    bytes[at..at + 4].try_into().unwrap()
}

/// Draws one full quad per entry into pixel n of a row, sampling at the given
/// coordinate and level, and returns the BGRA texels.
pub fn sample(
    gpu: &Gpu,
    kind: (&str, wgt::TextureViewDimension, &str),
    view: &TextureView,
    at: &[[f32; 4]],
) -> Vec<[u8; 4]> {
    let mut commands = gpu.begin().unwrap();
    let target = sample_into(gpu, &mut commands, kind, view, at);
    commands.submit().unwrap();
    let bytes = gpu.read_texture(&target, 0, 0).unwrap();
    (0..at.len() as u32)
        .map(|x| texel(&bytes, at.len() as u32, x, 0))
        .collect()
}

pub fn sample_into(
    gpu: &Gpu,
    commands: &mut Commands,
    kind: (&str, wgt::TextureViewDimension, &str),
    view: &TextureView,
    at: &[[f32; 4]],
) -> Texture {
    let width = at.len() as u32;
    let target = gpu
        .create_texture(&TextureDesc::d2(width, 1, BGRA, TARGET))
        .unwrap();
    let group_layout = sampled_layout(gpu, kind.1);
    let layout = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&group_layout],
            immediates: 16,
        })
        .unwrap();
    let wgsl = sampling(kind.0, kind.2);
    let pipeline = Simple {
        wgsl: &wgsl,
        layout: &layout,
        format: BGRA,
        blend: None,
        depth_stencil: None,
        samples: 1,
    }
    .build(gpu);
    let group = sampled_group(gpu, &group_layout, view);
    let buffer = vertices(gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    let target_view = target.target_view(0, 0).unwrap();
    commands
        .begin_pass(&PassDesc {
            colors: &[color(&target_view, Load::Clear([0.0; 4]))],
            ..PassDesc::default()
        })
        .unwrap();
    commands.set_pipeline(&pipeline).unwrap();
    commands.set_bind_group(0, &group, &[]).unwrap();
    commands
        .set_vertex_buffer(0, &buffer, 0, buffer.size())
        .unwrap();
    for (x, at) in at.iter().enumerate() {
        commands.set_scissor([x as u32, 0, 1, 1]).unwrap();
        commands.set_immediates(0, &bits(*at)).unwrap();
        commands.draw(0..6, 0..1).unwrap();
    }
    commands.end_pass().unwrap();
    target
}

pub const D2: (&str, wgt::TextureViewDimension, &str) =
    ("2d", wgt::TextureViewDimension::D2, "i.at.xy");
pub const CUBE: (&str, wgt::TextureViewDimension, &str) =
    ("cube", wgt::TextureViewDimension::Cube, "i.at.xyz");
pub const D3: (&str, wgt::TextureViewDimension, &str) =
    ("3d", wgt::TextureViewDimension::D3, "i.at.xyz");

pub fn arena(gpu: &Gpu) -> Arena {
    Arena::new(
        gpu,
        ArenaDesc {
            size: 1 << 16,
            pool: 3,
            window: 256,
        },
    )
    .unwrap()
}

pub fn write_all(
    commands: &mut Commands,
    arena: &mut Arena,
    t: &Texture,
    mip: u32,
    layer: u32,
    data: &[u8],
) {
    let region = Region::whole(t, mip, layer);
    let format = t.format();
    let (block, _) = format.block_dimensions();
    let row = region.size[0].div_ceil(block) * format.block_copy_size(None).unwrap();
    let rows = region.size[1].div_ceil(block) as usize;
    commands
        .write_texture(arena, t, &region, data, row as usize, rows)
        .unwrap();
}
