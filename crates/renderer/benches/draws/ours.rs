//! The frame through the renderer.

use std::fmt::Write;

use bytemuck::Zeroable;
use ninefold_gpu::Gpu;
use ninefold_renderer::{
    Attachment, BlendId, BlendKey, Box3, Constants, DepthStencilId, DepthStencilKey, Draw, Extras,
    Image, ImageDesc, ImageFormat, ImageUsage, LayoutId, PixelFunction, Primitive, RasterId,
    RasterKey, Renderer, STAGES, SamplerId, SamplerKey, Settings, StreamData, Targets,
    TextureBinding, VertexElement, VertexFunction, Viewport,
};
use ninefold_shader::Options;
use ninefold_shader::abi::{PixelExtras, VertexExtras};

use crate::scene::{self, CONSTANTS, PIPELINES, SIDE, TEXTURES, VARIANTS, VERTICES};

const VERTEX_REGISTERS: usize = scene::VERTEX_CONSTANTS / 16;
const REGISTERS: usize = CONSTANTS / 16;

pub(crate) struct Ours {
    renderer: Renderer,
    target: Image,
    targets: Targets,
    vertex: VertexFunction,
    pixel: PixelFunction,
    layout: LayoutId,
    raster: RasterId,
    depth_stencil: DepthStencilId,
    blends: Vec<BlendId>,
    textures: Vec<[Option<TextureBinding>; STAGES]>,
    samplers: [SamplerId; STAGES],
    constants: Vec<[f32; 4]>,
    source: scene::Source,
    generation: u64,
}

/// A vertex shader that reads its first 32 registers, and a pixel shader that reads 16.
fn shaders() -> [ninefold_bytecode::ShaderCode; 2] {
    let mut vs = String::from(
        "vs_2_0\n dcl_position v0\n dcl_color v1\n dcl_texcoord v2\n\
         dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n\
         mul r0, v1, c4\n",
    );
    for n in 5..VERTEX_REGISTERS {
        let _ = writeln!(vs, " add r0, r0, c{n}");
    }
    vs.push_str(" mov oD0, r0\n mov oT0, v2\n");
    let mut ps = String::from(
        "ps_2_0\n dcl v0\n dcl t0.xy\n dcl_2d s0\n texld r0, t0, s0\n mul r0, r0, v0\n",
    );
    for n in 0..REGISTERS - VERTEX_REGISTERS {
        let _ = writeln!(ps, " add r0, r0, c{n}");
    }
    ps.push_str(" mov oC0, r0\n");
    [&vs, &ps].map(|text| ninefold_bytecode::assemble(text).expect("assembles"))
}

impl Ours {
    pub(crate) fn new(gpu: Gpu) -> Self {
        let mut r = Renderer::new(gpu, Settings::default()).unwrap();
        let [vs, ps] = shaders();
        let options = r.shader_options(&Options::default()).unwrap();
        let vertex = VertexFunction::Program(r.register_shader(&vs).unwrap(), options);
        let pixel = PixelFunction::Program(r.register_shader(&ps).unwrap(), options);
        let element = |offset, ty, usage| VertexElement {
            stream: 0,
            offset,
            ty,
            usage,
            index: 0,
        };
        // FLOAT3 position, UBYTE4N colour, FLOAT2 texture coordinate.
        let elements = [element(0, 2, 0), element(12, 8, 10), element(16, 1, 5)];
        let mut strides = [0; 16];
        strides[0] = scene::STRIDE as u16;
        let layout = r.vertex_layout(&elements, &strides).unwrap();
        let raster = r
            .raster(&RasterKey {
                cull: 1,
                ..RasterKey::default()
            })
            .unwrap();
        let depth_stencil = r.depth_stencil(&DepthStencilKey::default()).unwrap();
        // The destination factors of the other side: ZERO, ONE, SRCALPHA, INVSRCALPHA, DESTCOLOR,
        // INVDESTCOLOR, SRCCOLOR, INVSRCCOLOR.
        let blends = (0..PIPELINES)
            .map(|n| {
                let dst = [1, 2, 5, 6, 9, 10, 3, 4][n % 8];
                let key = BlendKey {
                    enabled: true,
                    dst,
                    dst_alpha: dst,
                    ..BlendKey::default()
                };
                r.blend(&key).unwrap()
            })
            .collect();
        let textures = (0..TEXTURES)
            .map(|n| {
                let image = r
                    .create_image(&ImageDesc::d2(8, 8, ImageFormat::Rgba8))
                    .unwrap();
                let area = Box3 {
                    x: 0,
                    y: 0,
                    z: 0,
                    w: 8,
                    h: 8,
                    d: 1,
                };
                r.upload(&image, 0, 0, area, &scene::texels(n), 32, 0)
                    .unwrap();
                let mut textures = [const { None }; STAGES];
                textures[0] = Some(TextureBinding::new(image));
                textures
            })
            .collect();
        let samplers = [r.sampler(&SamplerKey::default()).unwrap(); STAGES];
        let target = r
            .create_image(&ImageDesc {
                usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
                ..ImageDesc::d2(SIDE, SIDE, ImageFormat::Bgra8)
            })
            .unwrap();
        let targets = Targets {
            colors: [Some(Attachment::new(target.clone())), None, None, None],
            depth: None,
        };
        let source = scene::source();
        let constants = source
            .constants
            .chunks_exact(16)
            .map(|c| {
                core::array::from_fn(|i| f32::from_le_bytes(c[i * 4..][..4].try_into().unwrap()))
            })
            .collect();
        Self {
            renderer: r,
            target,
            targets,
            vertex,
            pixel,
            layout,
            raster,
            depth_stencil,
            blends,
            textures,
            samplers,
            constants,
            source,
            generation: 0,
        }
    }

    /// Records and submits a frame, waits for it, and returns the CPU time of the former.
    pub(crate) fn frame(&mut self, draws: usize) -> f64 {
        let (vs_extras, ps_extras) = (VertexExtras::zeroed(), PixelExtras::zeroed());
        let start = scene::cpu_time();
        self.renderer
            .clear(&self.targets, &[], Some([0.0, 0.0, 0.0, 1.0]), None, None)
            .unwrap();
        for draw in 0..draws {
            let variant = draw % VARIANTS;
            self.generation += 1;
            let registers = &self.constants[variant * REGISTERS..][..REGISTERS];
            let (vs, ps) = registers.split_at(VERTEX_REGISTERS);
            let vertices = &self.source.vertices[variant * VERTICES..][..VERTICES];
            let streams = [StreamData::Bytes(vertices)];
            self.renderer
                .draw(&Draw {
                    targets: &self.targets,
                    vertex: self.vertex,
                    pixel: self.pixel,
                    layout: self.layout,
                    blend: self.blends[draw / 4 % PIPELINES],
                    depth_stencil: self.depth_stencil,
                    raster: self.raster,
                    primitive: Primitive::TriangleList,
                    streams: &streams,
                    indices: None,
                    extent: None,
                    first: 0,
                    count: 3,
                    base_vertex: 0,
                    vs_floats: Constants {
                        file: vs,
                        generation: self.generation,
                    },
                    ps_floats: Constants {
                        file: ps,
                        generation: self.generation,
                    },
                    wide: [ninefold_renderer::WideConstants::NONE; 2],
                    vs_extras: Extras {
                        values: &vs_extras,
                        generation: 0,
                    },
                    ps_extras: Extras {
                        values: &ps_extras,
                        generation: 0,
                    },
                    textures: &self.textures[draw / 2 % TEXTURES],
                    samplers: &self.samplers,
                    viewport: Viewport::full(SIDE, SIDE),
                    scissor: None,
                    stencil_ref: 0,
                    rewritable: false,
                    blend_factor: [0.0; 4],
                })
                .unwrap();
        }
        self.renderer.flush().unwrap();
        let time = scene::cpu_time() - start;
        self.renderer.wait_idle().unwrap();
        time
    }

    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let target = self.target.clone();
        self.renderer.read_image(&target, 0, 0).unwrap()
    }
}
