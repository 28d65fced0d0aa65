//! What shaders do for samplers: borders of any colour, channels that formats lack, the bias of the
//! level of detail, and comparisons with depth.

mod common;

use common::raw::{Owned, strides};
use common::{draw, near, pixel, pixels, quad, texture, upload};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    Attachment, Box3, Image, ImageDesc, ImageFormat, ImageUsage, PixelFunction, Rect, Renderer,
    RhwState, SamplerKey, StreamData, Targets, Texels, TextureBinding, VertexElement,
    VertexFunction,
};
use ninefold_shader::Options;

const BORDER: u8 = 4;
const CLAMP: u8 = 3;

/// A vertex shader that passes `v1` on as the first texture coordinates.
const PASS: &str = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";

const ELEMENTS: [VertexElement; 2] = [
    VertexElement {
        stream: 0,
        offset: 0,
        ty: 3,
        usage: 0,
        index: 0,
    },
    VertexElement {
        stream: 0,
        offset: 16,
        ty: 3,
        usage: 5,
        index: 0,
    },
];

fn program(r: &mut Renderer, text: &str) -> ninefold_renderer::ShaderId {
    let code = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    r.register_shader(&code).unwrap()
}

/// The colour of one pixel whose pixel shader is `text` with texture coordinates `at` and `image`
/// on stage 0.
fn shade(r: &mut Renderer, text: &str, at: [f32; 4], image: &Image, sampler: &SamplerKey) -> u32 {
    let context = r.create_context(1, 1).unwrap();
    let options = r.shader_options(&Options::default()).unwrap();
    let mut owned = Owned::new(r, 1, 1, &ELEMENTS, &strides(32));
    owned.vertex = VertexFunction::Program(program(r, PASS), options);
    owned.pixel = PixelFunction::Program(program(r, text), options);
    owned.textures[0] = Some(TextureBinding::new(image.clone()));
    owned.samplers[0] = r.sampler(sampler).unwrap();
    let mut data = Vec::new();
    let corners = [
        [-1.0f32, 1.0],
        [1.0, 1.0],
        [-1.0, -1.0],
        [-1.0, -1.0],
        [1.0, 1.0],
        [1.0, -1.0],
    ];
    for [x, y] in corners {
        for value in [x, y, 0.5, 1.0].into_iter().chain(at) {
            data.extend_from_slice(&value.to_le_bytes());
        }
    }
    let streams = [StreamData::Bytes(&data)];
    let draw = owned.draw(r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    pixels(&r.read_framebuffer(&context).unwrap())[0]
}

const TEXLD: &str = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
const TEXLDP: &str = "ps_2_0\ndcl t0\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n";

#[test]
fn a_border_fades_in_over_half_a_texel() {
    let mut r = gpu_or_skip!();
    // Four texels of one colour in a row, and a border of another.
    let image = texture(&mut r, 4, 1, &[0xFFC8_0000; 4]);
    let context = r.create_context(8, 1).unwrap();
    let mut vertices = quad(0.0, 0.0, 8.0, 1.0, 0.5, 0xFFFF_FFFF);
    // Pixel x reads at x / 2 - 1 texels + 1/4: from -0.75 in steps of a half.
    for vertex in &mut vertices {
        vertex.u = (vertex.x / 2.0 - 0.75) / 4.0;
        vertex.v = 0.5;
    }
    let state = RhwState {
        texture: Some(image),
        sampler: SamplerKey {
            address_u: BORDER,
            address_v: CLAMP,
            min_filter: 2,
            mag_filter: 2,
            border_color: 0x0000_C864,
            ..SamplerKey::default()
        },
        ..RhwState::default()
    };
    draw(&mut r, &context, &state, &vertices);
    let bytes = r.read_framebuffer(&context).unwrap();
    // At -0.75 nothing of the texture, at -0.25 a quarter, at 0.25 three quarters, then all.
    for (x, want) in [
        (0, 0x0000_C864u32),
        (1, 0x4032_964B),
        (2, 0xBF96_3219),
        (3, 0xFFC8_0000),
        (7, 0xFFC8_0000),
    ] {
        let got = pixel(&bytes, 8, x, 0);
        assert!(near(got, want, 2), "pixel {x}: {got:08x}, not {want:08x}");
    }
}

#[test]
fn channels_that_a_format_lacks_read_one() {
    let mut r = gpu_or_skip!();
    let half = half_bits(0.5);
    let quarter = half_bits(0.25);
    let pair = |a: u16, b: u16| [a.to_le_bytes(), b.to_le_bytes()].concat();
    let cases: [(ImageFormat, Vec<u8>, u32); 7] = [
        (
            ImageFormat::R32Float,
            0.5f32.to_le_bytes().to_vec(),
            0xFF80_FFFF,
        ),
        (
            ImageFormat::Rg32Float,
            [0.5f32.to_le_bytes(), 0.25f32.to_le_bytes()].concat(),
            0xFF80_40FF,
        ),
        (
            ImageFormat::R16Float,
            half.to_le_bytes().to_vec(),
            0xFF80_FFFF,
        ),
        (ImageFormat::Rg16Float, pair(half, quarter), 0xFF80_40FF),
        (ImageFormat::Rg16, pair(0x8000, 0x4000), 0xFF80_40FF),
        (
            ImageFormat::R16,
            0x8000u16.to_le_bytes().to_vec(),
            0xFF80_FFFF,
        ),
        (ImageFormat::Rg8Snorm, vec![64, 32], 0xFF81_40FF),
    ];
    for (format, texel, want) in cases {
        let image = r.create_image(&ImageDesc::d2(1, 1, format)).unwrap();
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: 1,
            h: 1,
            d: 1,
        };
        r.upload(&image, 0, 0, area, &texel, texel.len(), 0)
            .unwrap();
        let sampler = SamplerKey {
            texels: format.texels(),
            ..SamplerKey::default()
        };
        let got = shade(&mut r, TEXLD, [0.5, 0.5, 0.0, 1.0], &image, &sampler);
        assert!(near(got, want, 1), "{format:?} in a program: {got:08x}");
        let context = r.create_context(1, 1).unwrap();
        let state = RhwState {
            texture: Some(image),
            ..RhwState::default()
        };
        draw(&mut r, &context, &state, &quad(0.0, 0.0, 1.0, 1.0, 0.5, !0));
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(near(got, want, 1), "{format:?} in a cascade: {got:08x}");
    }
}

/// A normal number as a 16-bit float.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let exponent = (bits >> 23 & 0xFF) as i32 - 127 + 15;
    (exponent as u16) << 10 | (bits >> 13 & 0x3FF) as u16
}

#[test]
fn a_vertex_texture_of_one_channel_reads_one_in_the_others() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = "vs_3_0\ndcl_position v0\ndcl_2d s2\ndcl_position o0\ndcl_color o1\n\
                  def c0, 0.5, 0.5, 0, 0\nmov o0, v0\ntexldl o1, c0, s2\n";
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &ELEMENTS[..1], &strides(16));
    owned.vertex = VertexFunction::Program(program(&mut r, vertex), options);
    let pixel = program(&mut r, "ps_3_0\ndcl_color v0\nmov oC0, v0\n");
    owned.pixel = PixelFunction::Program(pixel, options);
    let image = r
        .create_image(&ImageDesc::d2(1, 1, ImageFormat::R32Float))
        .unwrap();
    let area = Box3 {
        x: 0,
        y: 0,
        z: 0,
        w: 1,
        h: 1,
        d: 1,
    };
    r.upload(&image, 0, 0, area, &0.2f32.to_le_bytes(), 4, 0)
        .unwrap();
    owned.textures[18] = Some(TextureBinding::new(image));
    owned.samplers[18] = r
        .sampler(&SamplerKey {
            texels: Texels::Red,
            ..SamplerKey::default()
        })
        .unwrap();
    let data: Vec<u8> = [[-1.0f32, 1.0], [3.0, 1.0], [-1.0, -3.0]]
        .into_iter()
        .flat_map(|[x, y]| [x, y, 0.5, 1.0])
        .flat_map(f32::to_le_bytes)
        .collect();
    let streams = [StreamData::Bytes(&data)];
    let draw = owned.draw(&mut r, &context, &streams, 3);
    r.draw(&draw).unwrap();
    assert_eq!(
        pixels(&r.read_framebuffer(&context).unwrap()),
        [0xFF33_FFFF]
    );
}

#[test]
fn the_bias_moves_the_level_of_detail() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    let levels = [0xFF10_0000u32, 0xFF20_0000, 0xFF30_0000, 0xFF40_0000];
    let image = r
        .create_image(&ImageDesc {
            levels: 4,
            ..ImageDesc::d2(8, 8, ImageFormat::Bgra8)
        })
        .unwrap();
    for (level, color) in levels.iter().enumerate() {
        let edge = 8 >> level;
        let texels = vec![*color; (edge * edge) as usize];
        upload(&mut r, &image, level as u32, edge, edge, &texels);
    }
    // 8 texels over 4 pixels: level 1 is the natural one.
    let vertices = quad(0.0, 0.0, 4.0, 4.0, 0.5, 0xFFFF_FFFF);
    for (mip_filter, lod_bias, want) in [
        (1, 0.0, 0xFF20_0000),
        (1, -1.0, 0xFF10_0000),
        (1, -7.0, 0xFF10_0000),
        (1, 0.375, 0xFF20_0000),
        (1, 0.625, 0xFF30_0000),
        (1, 1.0, 0xFF30_0000),
        (1, 40.0, 0xFF40_0000),
        // Half way between levels 1 and 2.
        (2, 0.5, 0xFF28_0000),
        // Without mips there is no other level.
        (0, 2.0, 0xFF10_0000),
    ] {
        let state = RhwState {
            texture: Some(image.clone()),
            sampler: SamplerKey {
                mip_filter,
                lod_bias,
                ..SamplerKey::default()
            },
            ..RhwState::default()
        };
        draw(&mut r, &context, &state, &vertices);
        let bytes = r.read_framebuffer(&context).unwrap();
        let got = pixel(&bytes, 4, 2, 2);
        assert!(
            near(got, want, 1),
            "mip filter {mip_filter} bias {lod_bias}: {got:08x}"
        );
    }
    // `texldl` names level 2; the bias counts there too.
    let text = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl r0, v0, s0\nmov oC0, r0\n";
    for (lod_bias, want) in [(0.0, levels[2]), (-1.0, levels[1]), (1.0, levels[3])] {
        let sampler = SamplerKey {
            mip_filter: 1,
            lod_bias,
            ..SamplerKey::default()
        };
        let got = shade_sm3(&mut r, text, [0.5, 0.5, 0.0, 2.0], &image, &sampler);
        assert_eq!(got, want, "texldl with bias {lod_bias}: {got:08x}");
    }
}

/// As [`shade`], for a pixel shader of Shader Model 3.
fn shade_sm3(
    r: &mut Renderer,
    text: &str,
    at: [f32; 4],
    image: &Image,
    sampler: &SamplerKey,
) -> u32 {
    shade(r, text, at, image, sampler)
}

/// A depth image of 2 x 1 texels with these depths.
fn depths(r: &mut Renderer, values: [f32; 2]) -> Image {
    let image = r
        .create_image(&ImageDesc {
            usage: ImageUsage::DEPTH | ImageUsage::SAMPLED,
            ..ImageDesc::d2(2, 1, ImageFormat::D32S8)
        })
        .unwrap();
    let targets = Targets {
        colors: [const { None }; 4],
        depth: Some(Attachment::new(image.clone())),
    };
    for (x, depth) in values.into_iter().enumerate() {
        let rect = Rect {
            x: x as u32,
            y: 0,
            w: 1,
            h: 1,
        };
        r.clear(&targets, &[rect], None, Some(depth), None).unwrap();
    }
    image
}

#[test]
fn depth_is_compared_with_the_third_coordinate() {
    let mut r = gpu_or_skip!();
    let image = depths(&mut r, [0.25, 0.75]);
    let compare = SamplerKey {
        address_u: CLAMP,
        address_v: CLAMP,
        texels: Texels::Compare,
        ..SamplerKey::default()
    };
    let white = 0xFFFF_FFFF;
    // Left texel 0.25, right texel 0.75: 1 where the coordinate is not behind.
    for (u, z, want) in [
        (0.25, 0.125, white),
        (0.25, 0.25, white),
        (0.25, 0.5, 0),
        (0.75, 0.5, white),
        (0.75, 0.75, white),
        (0.75, 0.875, 0),
        // The coordinate is clamped to 0 to 1.
        (0.25, -3.0, white),
        (0.75, 3.0, 0),
    ] {
        let got = shade(&mut r, TEXLD, [u, 0.5, z, 1.0], &image, &compare);
        assert_eq!(got, want, "texld at {u}, {z}");
        let at = [u * 4.0, 2.0, z * 4.0, 4.0];
        let got = shade(&mut r, TEXLDP, at, &image, &compare);
        assert_eq!(got, want, "texldp at {u}, {z}");
    }
    // A linear filter mixes the outcomes: half of the texels pass between the two centres.
    let linear = SamplerKey {
        min_filter: 2,
        mag_filter: 2,
        ..compare
    };
    let got = shade(&mut r, TEXLD, [0.5, 0.5, 0.5, 1.0], &image, &linear);
    assert!(near(got, 0x8080_8080, 2), "{got:08x}");
    // Raw depth is what INTZ and its kin read.
    let raw = SamplerKey {
        texels: Texels::Plain,
        ..compare
    };
    let red = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0.x\n";
    let got = shade(&mut r, red, [0.25, 0.5, 0.9, 1.0], &image, &raw);
    assert!(near(got, 0x4040_4040, 1), "{got:08x}");
    let got = shade(&mut r, red, [0.75, 0.5, 0.1, 1.0], &image, &raw);
    assert!(near(got, 0xBFBF_BFBF, 1), "{got:08x}");
    // A colour image where the sampler compares reads as depth 0.
    let color = texture(&mut r, 1, 1, &[0xFF12_3456]);
    let got = shade(&mut r, TEXLD, [0.5, 0.5, 0.5, 1.0], &color, &compare);
    assert_eq!(got, 0);
    let got = shade(&mut r, TEXLD, [0.5, 0.5, 0.0, 1.0], &color, &compare);
    assert_eq!(got, white);
}
