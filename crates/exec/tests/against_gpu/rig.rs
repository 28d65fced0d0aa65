//! Many vertices or pixels of one program on the GPU in one draw, read back as
//! floats, and the same on the CPU.

use crate::texture::{self, Textures};
use ninefold_bytecode::{ShaderCode, Stage, Usage};
use ninefold_exec as exec;
use ninefold_gpu::types as wgt;
use ninefold_gpu::{
    Arena, ArenaDesc, BindEntry, BindGroup, BindGroupLayout, BindResource, Buffer, BufferDesc,
    ColorAttachment, Gpu, GpuOptions, Load, PassDesc, PipelineLayoutDesc, Region,
    RenderPipelineDesc, Result, Sampler, SamplerDesc, ShaderModule, Texture, TextureDesc,
    VertexBufferLayout,
};
use ninefold_shader::abi::{self, PixelExtras, VertexExtras};
use ninefold_shader::{Translation, translate};

/// What the targets hold where nothing is drawn.
pub(crate) const UNTOUCHED: f32 = 77.0;
/// Points in one draw: a row, or the pixels of a square.
pub(crate) const POINTS: usize = 64;
/// Values that each point gives.
pub(crate) const OUTPUTS: usize = 4;
/// Values that each point takes: `v0` to `v5`, or COLOR0, COLOR1, TEXCOORD0 to 3.
pub(crate) const INPUTS: usize = 6;
const SIDE: usize = 8;

/// What a program gives at each point.
pub(crate) type Values = Vec<[[f32; 4]; OUTPUTS]>;

/// How the pixels of a pixel shader come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Each point has its own inputs, and no neighbours.
    Points,
    /// A square of pixels without inputs but vPos.
    Square,
}

/// What goes into one draw.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) shape: Shape,
    pub(crate) constants: Vec<[f32; 4]>,
    pub(crate) ints: [[i32; 4]; 16],
    pub(crate) bools: u32,
    pub(crate) bump: [[f32; 4]; 8],
    pub(crate) points: Vec<[[f32; 4]; INPUTS]>,
}

/// The device of the test binary and what all draws share.
pub(crate) struct Rig {
    gpu: Gpu,
    uniform_layout: BindGroupLayout,
    textures: Textures,
    sampler: Sampler,
    _arena: Arena,
    uniforms: Buffer,
    uniform_group: BindGroup,
    vertices: Buffer,
    fragment_partner: ShaderModule,
    point_partner: ShaderModule,
    square_partner: ShaderModule,
}

/// Shows four varyings.
const FRAGMENT_PARTNER: &str = "struct O {
    @location(0) a: vec4<f32>, @location(1) b: vec4<f32>,
    @location(2) c: vec4<f32>, @location(3) d: vec4<f32> }
@fragment fn main(@location(2) a: vec4<f32>, @location(3) b: vec4<f32>,
    @location(4) c: vec4<f32>, @location(5) d: vec4<f32>) -> O { return O(a, b, c, d); }";

/// Hands each point's inputs on.
const POINT_PARTNER: &str = "struct O { @builtin(position) p: vec4<f32>,
    @location(0) a: vec4<f32>, @location(1) b: vec4<f32>, @location(2) c: vec4<f32>,
    @location(3) d: vec4<f32>, @location(4) e: vec4<f32>, @location(5) f: vec4<f32> }
@vertex fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>,
    @location(2) c: vec4<f32>, @location(3) d: vec4<f32>, @location(4) e: vec4<f32>,
    @location(5) f: vec4<f32>, @location(6) p: vec4<f32>) -> O {
    return O(p, a, b, c, d, e, f); }";

/// Covers everything with one triangle.
const SQUARE_PARTNER: &str = "@vertex fn main(@builtin(vertex_index) i: u32)
    -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0); }";

impl Rig {
    /// The rig, or `None` after saying why the test is skipped.
    pub(crate) fn open() -> Option<Self> {
        let options = GpuOptions {
            adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
            validation: std::env::var_os("NINEFOLD_VALIDATION").is_some(),
        };
        let gpu = match Gpu::new(&options) {
            Ok(gpu) => gpu,
            Err(error) => {
                assert!(
                    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_none(),
                    "{error}"
                );
                eprintln!("skipped: {error}");
                return None;
            }
        };
        eprintln!("adapter: {}", gpu.adapter_info().name);
        Some(Self::build(gpu).expect("the rig can be built"))
    }

    fn build(gpu: Gpu) -> Result<Self> {
        let uniform_layout = uniform_layout(&gpu)?;
        let mut arena = Arena::new(&gpu, ArenaDesc::default())?;
        let textures = Textures::new(&gpu, &mut arena)?;
        let sampler = gpu.create_sampler(&SamplerDesc::default())?;
        let uniforms = gpu.create_buffer(&BufferDesc {
            label: "uniforms",
            size: 4 * 4096,
            usage: wgt::BufferUsages::UNIFORM | wgt::BufferUsages::MAP_WRITE,
        })?;
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
        let uniform_group = gpu.create_bind_group(&uniform_layout, &bound)?;
        let vertices = gpu.create_buffer(&BufferDesc {
            label: "points",
            size: (POINTS * (INPUTS + 1) * 16) as u64,
            usage: wgt::BufferUsages::VERTEX | wgt::BufferUsages::MAP_WRITE,
        })?;
        let partner = |text| {
            let module = naga::front::wgsl::parse_str(text).expect("the partner's text");
            gpu.create_shader(module)
        };
        Ok(Rig {
            uniform_layout,
            textures,
            sampler,
            _arena: arena,
            uniform_group,
            fragment_partner: partner(FRAGMENT_PARTNER)?,
            point_partner: partner(POINT_PARTNER)?,
            square_partner: partner(SQUARE_PARTNER)?,
            uniforms,
            vertices,
            gpu,
        })
    }

    /// What the GPU makes of a program; an error text where it is refused.
    pub(crate) fn run(&self, code: &ShaderCode, batch: &Batch) -> Result<Values, String> {
        let options = ninefold_shader::Options {
            sampler_kinds: std::array::from_fn(|n| Some(texture::kind(n as u8))),
            ..Default::default()
        };
        let translation = translate(code, &options).map_err(|error| error.to_string())?;
        self.draw(&translation, batch)
            .map_err(|error| error.to_string())
    }

    fn draw(&self, translation: &Translation, batch: &Batch) -> Result<Values> {
        let gpu = &self.gpu;
        let is_vertex = translation.reflection.stage == ninefold_shader::Stage::Vertex;
        let square = !is_vertex && batch.shape == Shape::Square;
        self.upload(translation, batch)?;
        let (texture_layout, texture_group) = self.bind_textures(translation)?;
        let layout = gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "against_gpu",
            groups: &[&self.uniform_layout, &texture_layout],
            immediates: 0,
        })?;
        let own = gpu.create_shader(translation.module.clone())?;
        let own = ninefold_gpu::Stage {
            module: &own,
            entry: &translation.entry,
        };
        let partner = |module| ninefold_gpu::Stage {
            module,
            entry: "main",
        };
        let (vertex, fragment) = match (is_vertex, square) {
            (true, _) => (own, partner(&self.fragment_partner)),
            (false, true) => (partner(&self.square_partner), own),
            (false, false) => (partner(&self.point_partner), own),
        };
        let attributes: Vec<_> = match is_vertex {
            true => (0u32..)
                .zip(&translation.reflection.attributes)
                .map(|(location, attribute)| attribute_at(location, attribute.register.into()))
                .collect(),
            false => (0..=INPUTS as u32)
                .map(|n| attribute_at(n, n.into()))
                .collect(),
        };
        let buffers = [Some(VertexBufferLayout {
            stride: ((INPUTS + 1) * 16) as u64,
            step: wgt::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let targets = match is_vertex {
            true => OUTPUTS,
            false => 8 - translation.reflection.color_outputs.leading_zeros() as usize,
        };
        let format = Some(wgt::TextureFormat::Rgba32Float.into());
        let topology = match square {
            true => wgt::PrimitiveTopology::TriangleList,
            false => wgt::PrimitiveTopology::PointList,
        };
        let pipeline = gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "against_gpu",
            layout: &layout,
            vertex,
            fragment: Some(fragment),
            vertex_buffers: if square { &[] } else { &buffers },
            primitive: wgt::PrimitiveState {
                topology,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            colors: &vec![format; targets],
            cache: None,
        })?;
        let (width, height) = if square { (SIDE, SIDE) } else { (POINTS, 1) };
        let usage = wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::COPY_SRC;
        let format = wgt::TextureFormat::Rgba32Float;
        let desc = TextureDesc::d2(width as u32, height as u32, format, usage);
        let textures: Vec<Texture> = (0..targets)
            .map(|_| gpu.create_texture(&desc))
            .collect::<Result<_>>()?;
        let views: Vec<_> = textures
            .iter()
            .map(|texture| texture.target_view(0, 0))
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
        let mut commands = gpu.begin()?;
        commands.begin_pass(&PassDesc {
            label: "against_gpu",
            colors: &colors,
            depth_stencil: None,
            occlusion: None,
        })?;
        commands.set_pipeline(&pipeline)?;
        commands.set_bind_group(0, &self.uniform_group, &[])?;
        commands.set_bind_group(1, &texture_group, &[])?;
        if !square {
            commands.set_vertex_buffer(0, &self.vertices, 0, self.vertices.size())?;
        }
        commands.set_viewport([0.0, 0.0, width as f32, height as f32], 0.0..1.0)?;
        commands.draw(0..if square { 3 } else { POINTS as u32 }, 0..1)?;
        commands.end_pass()?;
        let readbacks: Vec<_> = textures
            .iter()
            .map(|texture| commands.read_texture(texture, &Region::whole(texture, 0, 0)))
            .collect::<Result<_>>()?;
        commands.submit()?;
        let mut values = vec![[[0.0; 4]; OUTPUTS]; POINTS];
        for (target, readback) in readbacks.into_iter().enumerate() {
            let bytes = readback.wait()?;
            for (point, texel) in values.iter_mut().zip(bytes.chunks_exact(16)) {
                point[target] = bytemuck::pod_read_unaligned(texel);
            }
        }
        Ok(values)
    }

    /// Group 1 of a function: the texture of each sampler it reads.
    fn bind_textures(&self, translation: &Translation) -> Result<(BindGroupLayout, BindGroup)> {
        let is_vertex = translation.reflection.stage == ninefold_shader::Stage::Vertex;
        let visibility = match is_vertex {
            true => wgt::ShaderStages::VERTEX,
            false => wgt::ShaderStages::FRAGMENT,
        };
        let (mut entries, mut views) = (Vec::new(), Vec::new());
        for used in &translation.reflection.samplers {
            assert_eq!(
                used.kind,
                texture::kind(used.register),
                "s{}",
                used.register
            );
            let slot = match is_vertex {
                true => abi::vertex_sampler_slot(used.register.into()),
                false => used.register.into(),
            };
            let entry = |binding, ty| wgt::BindGroupLayoutEntry {
                binding,
                visibility,
                ty,
                count: None,
            };
            let texture = wgt::BindingType::Texture {
                sample_type: wgt::TextureSampleType::Float { filterable: true },
                view_dimension: texture::dimension(used.register),
                multisampled: false,
            };
            let sampler = wgt::BindingType::Sampler(wgt::SamplerBindingType::Filtering);
            entries.push(entry(abi::texture_binding(slot), texture));
            entries.push(entry(abi::sampler_binding(slot), sampler));
            views.push((slot, self.textures.of(used.register).full_view()?));
        }
        let layout = self.gpu.create_bind_group_layout(&entries)?;
        let bound: Vec<_> = views
            .iter()
            .flat_map(|(slot, view)| {
                [
                    BindEntry {
                        binding: abi::texture_binding(*slot),
                        resource: BindResource::Texture(view),
                    },
                    BindEntry {
                        binding: abi::sampler_binding(*slot),
                        resource: BindResource::Sampler(&self.sampler),
                    },
                ]
            })
            .collect();
        let group = self.gpu.create_bind_group(&layout, &bound)?;
        Ok((layout, group))
    }

    fn upload(&self, translation: &Translation, batch: &Batch) -> Result<()> {
        let reflection = &translation.reflection;
        let is_vertex = reflection.stage == ninefold_shader::Stage::Vertex;
        let mut packed = [[0.0; 4]; 256];
        let count = reflection.pack_floats(constants(batch, is_vertex), &mut packed);
        let window = if is_vertex { 0 } else { 1 };
        self.uniforms
            .write(4096 * window, bytemuck::cast_slice(&packed[..count]))?;
        let mut vertex: VertexExtras = bytemuck::Zeroable::zeroed();
        vertex.misc[0][2] = f32::MAX;
        (vertex.ints, vertex.bools[0]) = (batch.ints, batch.bools);
        self.uniforms.write(4096 * 2, bytemuck::bytes_of(&vertex))?;
        let mut pixel: PixelExtras = bytemuck::Zeroable::zeroed();
        (pixel.ints, pixel.bools[0]) = (batch.ints, batch.bools);
        pixel.bump_matrices = batch.bump;
        self.uniforms.write(4096 * 3, bytemuck::bytes_of(&pixel))?;
        let mut vertices = Vec::with_capacity(POINTS);
        for (n, point) in batch.points.iter().enumerate() {
            let mut vertex = [[0.0; 4]; INPUTS + 1];
            vertex[..INPUTS].copy_from_slice(point);
            vertex[INPUTS] = position(n);
            vertices.push(vertex);
        }
        self.vertices.write(0, bytemuck::cast_slice(&vertices))
    }
}

/// The constants that a stage has; later ones read 0.
fn constants(batch: &Batch, is_vertex: bool) -> &[[f32; 4]] {
    match is_vertex {
        true => &batch.constants,
        false => &batch.constants[..224],
    }
}

/// Where point `n` is drawn: in the middle of its pixel.
fn position(n: usize) -> [f32; 4] {
    [(2 * n + 1) as f32 / POINTS as f32 - 1.0, 0.0, 0.5, 1.0]
}

fn attribute_at(location: u32, register: u64) -> wgt::VertexAttribute {
    wgt::VertexAttribute {
        format: wgt::VertexFormat::Float32x4,
        offset: 16 * register,
        shader_location: location,
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

fn uniform_layout(gpu: &Gpu) -> Result<BindGroupLayout> {
    let entries = uniform_windows().map(|(binding, visibility, size)| wgt::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgt::BindingType::Buffer {
            ty: wgt::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: core::num::NonZeroU64::new(size),
        },
        count: None,
    });
    gpu.create_bind_group_layout(&entries)
}

/// What the CPU makes of a program.
pub(crate) fn run_on_cpu(code: &ShaderCode, batch: &Batch) -> Result<Values, exec::Error> {
    let options = exec::Options {
        denormals: exec::Denormals::Flush,
        ..exec::Options::default()
    };
    let program = exec::Program::compile(code, &options);
    let is_vertex = program.stage() == Stage::Vertex;
    let bools: Vec<bool> = (0..16).map(|n| batch.bools >> n & 1 != 0).collect();
    let bump = batch.bump.map(|matrix| exec::Bump {
        matrix,
        ..exec::Bump::default()
    });
    let constants = exec::Constants {
        floats: constants(batch, is_vertex),
        ints: &batch.ints,
        bools: &bools,
        bump: &bump,
    };
    match is_vertex {
        true => vertices_on_cpu(&program, batch, &constants),
        false => pixels_on_cpu(&program, batch, &constants),
    }
}

fn vertices_on_cpu(
    program: &exec::Program,
    batch: &Batch,
    constants: &exec::Constants<'_>,
) -> Result<Values, exec::Error> {
    let mut inputs = vec![[[0.0; 4]; 16]; POINTS];
    for (n, (input, point)) in inputs.iter_mut().zip(&batch.points).enumerate() {
        input[..INPUTS].copy_from_slice(point);
        input[INPUTS] = position(n);
    }
    let machine = &mut exec::Machine::new();
    let mut outputs = vec![exec::VertexOutput::default(); POINTS];
    let textures = &mut texture::sample;
    program.run_vertices(machine, &inputs, &mut outputs, constants, textures)?;
    for (input, output) in inputs.iter().zip(&outputs) {
        let alone = program.run_vertex(machine, input, constants, textures)?;
        let bits = |output: &exec::VertexOutput| output.registers.map(|v| v.map(f32::to_bits));
        assert_eq!(bits(&alone), bits(output), "alone and in a group");
    }
    let value = |output: &exec::VertexOutput, n: u8| {
        let place = program.output(Usage::TexCoord, n);
        place.map_or([0.0; 4], |place| output.get(place))
    };
    Ok(outputs
        .iter()
        .map(|output| [0, 1, 2, 3].map(|n| value(output, n)))
        .collect())
}

fn pixels_on_cpu(
    program: &exec::Program,
    batch: &Batch,
    constants: &exec::Constants<'_>,
) -> Result<Values, exec::Error> {
    let mut values = vec![[[0.0; 4]; OUTPUTS]; POINTS];
    let machine = &mut exec::Machine::new();
    for quad in 0..POINTS / 4 {
        let (x, y) = (quad % (SIDE / 2) * 2, quad / (SIDE / 2) * 2);
        let points: [usize; 4] = match batch.shape {
            Shape::Points => [0, 1, 2, 3].map(|n| quad * 4 + n),
            Shape::Square => [0, 1, SIDE, SIDE + 1].map(|n| y * SIDE + x + n),
        };
        let mut input = exec::QuadInput {
            position: [x as f32, y as f32],
            ..exec::QuadInput::default()
        };
        for place in program.inputs() {
            let at = match place.semantic {
                Some((Usage::Color, n)) => usize::from(n),
                Some((Usage::TexCoord, n)) => 2 + usize::from(n),
                _ => INPUTS,
            };
            for (pixel, point) in input.registers.iter_mut().zip(points) {
                if let (Some(value), Shape::Points) = (batch.points[point].get(at), batch.shape) {
                    pixel[usize::from(place.place)] = *value;
                }
            }
        }
        let output = program.run_quad(machine, &input, constants, &mut texture::sample)?;
        for (lane, point) in points.into_iter().enumerate() {
            for (target, to) in values[point].iter_mut().enumerate() {
                let killed = output.killed >> lane & 1 != 0;
                *to = match (program.color_outputs() >> target & 1 != 0, killed) {
                    (false, _) => [0.0; 4],
                    (true, true) => [UNTOUCHED; 4],
                    (true, false) => output.colors[lane][target],
                };
            }
        }
    }
    Ok(values)
}
