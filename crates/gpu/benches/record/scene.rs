//! What both sides draw.

use ninefold_gpu::types as wgt;

pub(crate) const DRAWS: usize = 20_000;
pub(crate) const FRAMES: usize = 60;
pub(crate) const SIDE: u32 = 64;
pub(crate) const VERTEX_CONSTANTS: usize = 512;
pub(crate) const CONSTANTS: usize = 768;
pub(crate) const VERTICES: usize = 72;
pub(crate) const PIPELINES: usize = 8;
pub(crate) const TEXTURES: usize = 16;
/// Different sources of constants and vertices.
pub(crate) const VARIANTS: usize = 64;
pub(crate) const WINDOWS: [u64; 2] = [4096, 3584];

pub(crate) const WGSL: &str = "
@group(0) @binding(0) var tex: texture_2d<f32>;
@group(0) @binding(1) var smp: sampler;
struct VC { c: array<vec4f, 256> }
struct PC { c: array<vec4f, 224> }
@group(1) @binding(0) var<uniform> vc: VC;
@group(1) @binding(1) var<uniform> pc: PC;
struct Out { @builtin(position) pos: vec4f, @location(0) col: vec4f, @location(1) uv: vec2f }
@vertex fn vs(@location(0) p: vec3f, @location(1) c: vec4f, @location(2) uv: vec2f) -> Out {
  var o: Out;
  let v = vec4f(p, 1.0);
  o.pos = vec4f(dot(v, vc.c[0]), dot(v, vc.c[1]), dot(v, vc.c[2]), dot(v, vc.c[3]));
  o.col = c * vc.c[4];
  o.uv = uv;
  return o;
}
@fragment fn fs(i: Out) -> @location(0) vec4f {
  return textureSample(tex, smp, i.uv) * i.col + pc.c[0];
}
";

pub(crate) const ATTRIBUTES: [wgt::VertexAttribute; 3] = [
    wgt::VertexAttribute {
        format: wgt::VertexFormat::Float32x3,
        offset: 0,
        shader_location: 0,
    },
    wgt::VertexAttribute {
        format: wgt::VertexFormat::Unorm8x4,
        offset: 12,
        shader_location: 1,
    },
    wgt::VertexAttribute {
        format: wgt::VertexFormat::Float32x2,
        offset: 16,
        shader_location: 2,
    },
];
pub(crate) const STRIDE: u64 = 24;

pub(crate) fn blend(pipeline: usize) -> Option<wgt::BlendState> {
    use wgt::BlendFactor as F;
    let dst_factor = [
        F::Zero,
        F::One,
        F::SrcAlpha,
        F::OneMinusSrcAlpha,
        F::Dst,
        F::OneMinusDst,
        F::Src,
        F::OneMinusSrc,
    ][pipeline % 8];
    let part = wgt::BlendComponent {
        src_factor: F::One,
        dst_factor,
        operation: wgt::BlendOperation::Add,
    };
    Some(wgt::BlendState {
        color: part,
        alpha: part,
    })
}

pub(crate) fn layout_entries() -> [Vec<wgt::BindGroupLayoutEntry>; 2] {
    let entry = |binding, visibility, ty| wgt::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let uniform = wgt::BindingType::Buffer {
        ty: wgt::BufferBindingType::Uniform,
        has_dynamic_offset: true,
        min_binding_size: None,
    };
    let texture = wgt::BindingType::Texture {
        sample_type: wgt::TextureSampleType::Float { filterable: true },
        view_dimension: wgt::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgt::BindingType::Sampler(wgt::SamplerBindingType::Filtering);
    use wgt::ShaderStages as S;
    [
        vec![
            entry(0, S::FRAGMENT, texture),
            entry(1, S::FRAGMENT, sampler),
        ],
        vec![entry(0, S::VERTEX, uniform), entry(1, S::FRAGMENT, uniform)],
    ]
}

/// The bytes that a game would hand over for each draw.
pub(crate) struct Source {
    pub(crate) constants: Vec<u8>,
    pub(crate) vertices: Vec<u8>,
}

pub(crate) fn source() -> Source {
    let (mut constants, mut vertices) = (Vec::new(), Vec::new());
    for variant in 0..VARIANTS {
        let angle = variant as f32 * 0.7;
        let mut floats = [0f32; CONSTANTS / 4];
        for row in 0..4 {
            floats[row * 5] = 1.0;
        }
        floats[3] = angle.sin() * 0.8;
        floats[7] = angle.cos() * 0.8;
        floats[16..20].copy_from_slice(&[1.0, 0.5 + 0.5 * angle.sin(), 0.3, 1.0]);
        let pixel = VERTEX_CONSTANTS / 4;
        floats[pixel..pixel + 4].copy_from_slice(&[0.1, 0.02 * (variant % 8) as f32, 0.0, 1.0]);
        constants.extend_from_slice(bytemuck::cast_slice(&floats));
        for (x, y) in [(0.0f32, 0.06f32), (-0.06, -0.06), (0.06, -0.06)] {
            vertices.extend_from_slice(bytemuck::cast_slice(&[x, y, 0.5]));
            vertices.extend_from_slice(&[0x20 + variant as u8, 0x80, 0xff, 0xff]);
            vertices.extend_from_slice(bytemuck::cast_slice(&[x * 8.0, y * 8.0]));
        }
    }
    Source {
        constants,
        vertices,
    }
}

pub(crate) fn texels(texture: usize) -> Vec<u8> {
    (0..256)
        .map(|i| {
            if i % 4 == 3 {
                255
            } else {
                (i * 7 + texture * 31) as u8
            }
        })
        .collect()
}

/// Microseconds of CPU time that this thread has used.
pub(crate) fn cpu_time() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
