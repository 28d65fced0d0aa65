//! Draws with shaders: constants, streams, varyings, several targets, vertex textures, failures.

mod common;

use common::raw::{Owned, strides};
use common::{near, pixels, texture};
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_renderer::{
    Attachment, CommonState, Constants, Draw, ErrorKind, FixedVertex, Image, ImageDesc,
    ImageFormat, ImageUsage, PixelFunction, Primitive, ProgramState, Renderer, SecondaryStream,
    Settings, ShaderId, StreamData, Targets, TextureBinding, VertexElement, VertexFunction,
    WideConstants,
};
use ninefold_shader::{Options, fixed};

const GREEN: u32 = 0xFF00_FF00;
const BLACK: u32 = 0xFF00_0000;

fn code(text: &str) -> ShaderCode {
    assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn register(r: &mut Renderer, text: &str) -> ShaderId {
    r.register_shader(&code(text)).unwrap()
}

const POSITION: [VertexElement; 1] = [VertexElement {
    stream: 0,
    offset: 0,
    ty: 3,
    usage: 0,
    index: 0,
}];

/// Two triangles over the whole clip space, as float4 positions.
fn whole() -> Vec<u8> {
    [
        [-1.0f32, 1.0],
        [1.0, 1.0],
        [-1.0, -1.0],
        [-1.0, -1.0],
        [1.0, 1.0],
        [1.0, -1.0],
    ]
    .into_iter()
    .flat_map(|[x, y]| [x, y, 0.5, 1.0])
    .flat_map(f32::to_le_bytes)
    .collect()
}

const PASS: &str = "vs_1_1\ndcl_position v0\nmov oPos, v0\n";

/// Draws with both functions over a 1 x 1 target and returns its pixel.
fn draw_pixel(
    r: &mut Renderer,
    vertex: VertexFunction,
    pixel: PixelFunction,
    change: impl FnOnce(&mut Draw<'_>),
) -> u32 {
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(r, 1, 1, &POSITION, &strides(16));
    (owned.vertex, owned.pixel) = (vertex, pixel);
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    let mut draw = owned.draw(r, &context, &streams, 6);
    change(&mut draw);
    r.draw(&draw).unwrap();
    pixels(&r.read_framebuffer(&context).unwrap())[0]
}

#[test]
fn the_specification_level_program_draw() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let vertex = register(
        &mut r,
        "vs_1_1\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\n\
         dp4 oPos.x, v0, c4\ndp4 oPos.y, v0, c5\ndp4 oPos.z, v0, c6\ndp4 oPos.w, v0, c7\n\
         mul oD0, v1, c90\nmov oT0, v2\n",
    );
    let pixel = register(
        &mut r,
        "ps_1_1\ndef c1, 0, 1, 0, 1\ntex t0\nmul r0, t0, v0\nmul r0, r0, c1\n",
    );
    let image = texture(&mut r, 1, 1, &[0xFFFF_FF80]);
    let elements = [
        POSITION[0],
        VertexElement {
            stream: 1,
            offset: 4,
            ty: 4,
            usage: 10,
            index: 0,
        },
        VertexElement {
            stream: 0,
            offset: 16,
            ty: 1,
            usage: 5,
            index: 0,
        },
    ];
    let mut vertices = Vec::new();
    for corner in whole().chunks_exact(16) {
        vertices.extend_from_slice(corner);
        vertices.extend_from_slice(&[0; 8]);
    }
    let colors: Vec<u8> = (0..6)
        .flat_map(|_| [9, 9, 9, 9, 255, 204, 255, 255])
        .collect();
    let mut constants = vec![[0.0; 4]; 96];
    for row in 0..4 {
        constants[4 + row][row] = 1.0;
    }
    constants[90] = [1.0, 0.5, 1.0, 1.0];
    let common = CommonState::default();
    let state = ProgramState {
        streams: &[SecondaryStream {
            stream: 1,
            data: &colors,
            stride: 8,
            resident: None,
        }],
        vertex_constants: &constants,
        textures: &[Some(image)],
        ..ProgramState::new(&common, vertex, Some(pixel), &elements)
    };
    r.draw_program(
        &context,
        &state,
        Primitive::TriangleList,
        &vertices,
        24,
        6,
        None,
    )
    .unwrap();
    // Green: 255 * 0.8 * 0.5 * 1, red and blue times 0.
    let bytes = r.read_framebuffer(&context).unwrap();
    assert!(
        pixels(&bytes).iter().all(|&p| near(p, 0xFF00_6600, 1)),
        "{:08x?}",
        pixels(&bytes)
    );
    // The same pixel shader under pretransformed vertices.
    let v = |x: f32, y: f32| FixedVertex {
        position: [x, y, 0.5, 1.0],
        color: [1.0; 4],
        ..FixedVertex::default()
    };
    let quad = [v(0.0, 0.0), v(1.0, 0.0), v(0.0, 2.0), v(1.0, 2.0)];
    r.draw_program_rhw(&context, &state, Primitive::TriangleStrip, &quad, None)
        .unwrap();
    let got = pixels(&r.read_framebuffer(&context).unwrap());
    assert_eq!([got[0], got[2]], [GREEN, GREEN]);
    assert!(near(got[1], 0xFF00_6600, 1));
    let far = SecondaryStream {
        stream: 16,
        data: &colors,
        stride: 8,
        resident: None,
    };
    let bad = ProgramState {
        streams: &[far],
        ..state
    };
    let error = r
        .draw_program(
            &context,
            &bad,
            Primitive::TriangleList,
            &vertices,
            24,
            6,
            None,
        )
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Args);
}

#[test]
fn windows_are_used_again_only_for_equal_contents() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(register(&mut r, PASS), options);
    let one = PixelFunction::Program(
        register(&mut r, "ps_2_0\nmov r0, c3\nmov oC0, r0\n"),
        options,
    );
    let two = PixelFunction::Program(
        register(&mut r, "ps_2_0\nadd r0, c3, c7\nmov oC0, r0\n"),
        options,
    );
    let mut file = [[0.0; 4]; 8];
    file[3] = [0.0, 0.2, 0.0, 1.0];
    file[7] = [0.2, 0.0, 0.0, 0.0];
    let changed = file.map(|row| row.map(|v| v * 2.0));
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    owned.vertex = vertex;
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    // Same generation, same function; same generation, other function, which packs otherwise;
    // a new generation with new contents; and after a submission.
    for (pixel, file, generation, want) in [
        (one, &file, 5, 0xFF00_3300),
        (one, &file, 5, 0xFF00_3300),
        (two, &file, 5, 0xFF33_3300),
        (one, &file, 5, 0xFF00_3300),
        (one, &changed, 6, 0xFF00_6600),
        (two, &changed, 6, 0xFF66_6600),
    ] {
        owned.pixel = pixel;
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.ps_floats = Constants { file, generation };
        r.draw(&draw).unwrap();
        let before = r.stats().arena_bytes;
        r.draw(&draw).unwrap();
        // The second draw copies its six vertices and nothing else.
        assert_eq!(r.stats().arena_bytes - before, 96);
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(near(got, want, 0), "{got:08x}, expected {want:08x}");
    }
}

#[test]
fn varyings_that_the_vertex_shader_lacks_have_defaults() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(register(&mut r, PASS), options);
    let pixel = PixelFunction::Program(
        register(
            &mut r,
            "ps_2_0\ndcl v0\ndcl v1\nadd r0, v0, v1\nmov oC0, r0\n",
        ),
        options,
    );
    // Diffuse white, specular black.
    assert_eq!(draw_pixel(&mut r, vertex, pixel, |_| ()), 0xFFFF_FFFF);
    let writes = "vs_1_1\ndcl_position v0\ndef c0, 0, 1, 0, 1\nmov oPos, v0\nmov oD0, c0\n";
    let vertex = VertexFunction::Program(register(&mut r, writes), options);
    assert_eq!(draw_pixel(&mut r, vertex, pixel, |_| ()), GREEN);
}

#[test]
fn programs_mix_with_the_fixed_function() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let writes = "vs_1_1\ndcl_position v0\ndef c0, 0, 1, 0, 1\nmov oPos, v0\nmov oD0, c0\n";
    let vertex = VertexFunction::Program(register(&mut r, writes), options);
    let pixel = r.fixed_fragment(&fixed::FragmentKey::default()).unwrap();
    assert_eq!(draw_pixel(&mut r, vertex, pixel, |_| ()), GREEN);
    let vertex = r
        .fixed_vertex(&fixed::VertexKey {
            position: fixed::position::CLIP,
            ..fixed::VertexKey::default()
        })
        .unwrap();
    let pixel = PixelFunction::Program(
        register(&mut r, "ps_1_1\ndef c0, 0, 1, 0, 1\nmul r0, v0, c0\n"),
        options,
    );
    assert_eq!(draw_pixel(&mut r, vertex, pixel, |_| ()), GREEN);
}

#[test]
fn four_targets_with_masks_and_formats() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(register(&mut r, PASS), options);
    let pixel = PixelFunction::Program(
        register(
            &mut r,
            "ps_2_0\ndef c0, 1, 0, 0, 1\ndef c1, 0, 1, 0, 1\ndef c2, 0.25, 0.5, 2, -3\n\
             mov r0, c0\nmov oC0, r0\nmov r1, c1\nmov oC1, r1\nmov r2, c2\nmov oC2, r2\n",
        ),
        options,
    );
    let mut target = |format| -> Image {
        r.create_image(&ImageDesc {
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(1, 1, format)
        })
        .unwrap()
    };
    let (a, b) = (target(ImageFormat::Bgra8), target(ImageFormat::Bgra8));
    let (c, d) = (target(ImageFormat::Rgba32Float), target(ImageFormat::Bgra8));
    let targets = Targets {
        colors: [&a, &b, &c, &d].map(|image| Some(Attachment::new(image.clone()))),
        depth: None,
    };
    r.clear(&targets, &[], Some([0.0, 0.0, 1.0, 1.0]), None, None)
        .unwrap();
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    (owned.vertex, owned.pixel) = (vertex, pixel);
    owned.blend.write_mask = [15, 2, 15, 15];
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    let mut draw = owned.draw(&mut r, &context, &streams, 6);
    draw.targets = &targets;
    r.draw(&draw).unwrap();
    assert_eq!(pixels(&r.read_image(&a, 0, 0).unwrap()), [0xFFFF_0000]);
    // Only green was written over the blue of the clear.
    assert_eq!(pixels(&r.read_image(&b, 0, 0).unwrap()), [0xFF00_FFFF]);
    let floats: Vec<f32> = bytemuck::pod_collect_to_vec(&r.read_image(&c, 0, 0).unwrap());
    assert_eq!(floats, [0.25, 0.5, 2.0, -3.0]);
}

#[test]
fn vertex_textures_are_stages_16_to_19() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(
        register(
            &mut r,
            "vs_3_0\ndcl_position v0\ndcl_2d s1\ndcl_position o0\ndcl_color o1\n\
             def c0, 0.5, 0.5, 0, 0\nmov o0, v0\ntexldl r0, c0, s1\nmov o1, r0\n",
        ),
        options,
    );
    let pixel = PixelFunction::Program(
        register(&mut r, "ps_3_0\ndcl_color v0\nmov oC0, v0\n"),
        options,
    );
    let image = texture(&mut r, 1, 1, &[GREEN]);
    let mut textures = [const { None }; ninefold_renderer::STAGES];
    textures[17] = Some(TextureBinding::new(image));
    let got = draw_pixel(&mut r, vertex, pixel, |_| ());
    assert_eq!(got, BLACK, "unbound");
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    (owned.vertex, owned.pixel, owned.textures) = (vertex, pixel, textures);
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    assert_eq!(pixels(&r.read_framebuffer(&context).unwrap()), [GREEN]);
}

#[test]
fn equal_states_under_other_ids_share_a_pipeline() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &common::raw::RHW, &strides(28));
    let vertices = common::quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
    let mut layouts = [0u16; 16];
    (layouts[0], layouts[7]) = (28, 99);
    let unused = r.vertex_layout(&common::raw::RHW, &layouts).unwrap();
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    assert_eq!(r.stats().pipelines_built, 1);
    // A stride that no element uses, and a depth bias of another size, are no other pipelines.
    owned.layout = unused;
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    assert_eq!(r.stats().pipelines_built, 1);
    owned.raster.depth_bias = 0.25;
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    owned.raster.depth_bias = -0.125;
    let draw = owned.draw(&mut r, &context, &streams, 6);
    r.draw(&draw).unwrap();
    assert_eq!(r.stats().pipelines_built, 2);
    assert_eq!(r.stats().shaders_translated, 3);
}

#[test]
fn failures_are_remembered_and_draw_nothing() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let options = r.shader_options(&Options::default()).unwrap();
    let vs = register(&mut r, PASS);
    let ps = register(
        &mut r,
        "ps_2_0\ndef c0, 1, 1, 1, 1\nmov r0, c0\nmov oC0, r0\n",
    );
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    // The stages swapped.
    owned.vertex = VertexFunction::Program(ps, options);
    owned.pixel = PixelFunction::Program(vs, options);
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    let draw = owned.draw(&mut r, &context, &streams, 6);
    let first = r.draw(&draw).unwrap_err();
    assert_eq!(first.kind(), ErrorKind::Shader);
    assert_eq!(first.text(), "shader stage mismatch");
    let translated = r.stats().shaders_translated;
    assert_eq!(r.draw(&draw).unwrap_err(), first);
    assert_eq!(r.stats().shaders_translated, translated);
    assert_eq!(pixels(&r.read_framebuffer(&context).unwrap()), [BLACK]);
    // Equal bytes are one shader.
    assert_eq!(register(&mut r, PASS), vs);
}

#[test]
fn wireframe_leaves_the_inside() {
    let mut r = gpu_or_skip!();
    if !r.caps().wireframe {
        eprintln!("skipped: the adapter has no line fill");
        return;
    }
    let context = r.create_context(16, 16).unwrap();
    let mut owned = Owned::new(&mut r, 16, 16, &common::raw::RHW, &strides(28));
    owned.raster.fill = 2;
    let vertices = common::quad(2.0, 2.0, 14.0, 14.0, 0.5, GREEN);
    let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices[..3]))];
    let draw = owned.draw(&mut r, &context, &streams, 3);
    r.draw(&draw).unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(common::pixel(&bytes, 16, 5, 5), BLACK);
    let drawn = pixels(&bytes).iter().filter(|&&p| p == GREEN).count();
    assert!((24..=48).contains(&drawn), "{drawn}");
}

#[test]
fn a_lost_device_is_an_error() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    r.lose_device();
    let error = r.read_framebuffer(&context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Device);
    let vertices = common::quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN);
    let state = ninefold_renderer::RhwState::default();
    assert!(common::try_draw(&mut r, &context, &state, &vertices).is_err());
    assert!(r.wait_idle().is_err());
}

#[test]
fn a_full_pipeline_cache_fails_new_pipelines_and_draws_the_others() {
    let settings = Settings {
        program_pipelines: 2,
        fixed_pipelines: 1,
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    let context = r.create_context(1, 1).unwrap();
    let options = r.shader_options(&Options::default()).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    let fixed = owned.vertex;
    let program = VertexFunction::Program(register(&mut r, PASS), options);
    for (vertex, fits, what) in [(program, 2, "programmable"), (fixed, 1, "fixed-function")] {
        owned.vertex = vertex;
        for mask in 1..=3 {
            owned.blend.write_mask = [mask; 4];
            let draw = owned.draw(&mut r, &context, &streams, 6);
            let result = r.draw(&draw);
            if mask <= fits {
                result.unwrap();
            } else {
                let error = result.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::State);
                assert_eq!(error.text(), format!("{what} pipeline cache is full"));
            }
        }
        owned.blend.write_mask = [1; 4];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
    }
}

/// D3D9 links vs_3_0 outputs to ps_3_0 inputs by semantic, whatever it is.
#[test]
fn any_semantic_reaches_the_pixel_shader() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_color7 o1\ndcl_texcoord13 o2\n\
                  dcl_normal3 o3\ndcl_position4 o4.xy\ndcl_texcoord2 o4.zw\n\
                  def c0, 0.2, 0.4, 0.6, 0.8\ndef c1, 0, 0.2, 0, 0.2\ndef c2, 0, 0, 0.2, 0.4\n\
                  mov o0, v0\nmov o1, c0\nmov o2, c1\nmov o3, c2\nmov o4, c0\n";
    let vertex = VertexFunction::Program(register(&mut r, vertex), options);
    let pixel = |r: &mut Renderer, text: &str| {
        PixelFunction::Program(register(r, &format!("ps_3_0\n{text}")), options)
    };
    // 0.2 is 51 of 255.
    for (text, want) in [
        ("dcl_color7 v0\nmov oC0, v0\n", 0xCC33_6699),
        ("dcl_texcoord13 v9\nmov oC0, v9\n", 0x3300_3300),
        ("dcl_normal3 v4\nmov oC0, v4\n", 0x6600_0033),
        (
            "dcl_normal3 v0\ndcl_color7 v1\nadd oC0, v0.zzzz, v1\n",
            0xFF66_99CC,
        ),
        // Not written by the vertex shader: zeros.
        (
            "dcl_normal4 v0\ndcl_color7 v1\nadd oC0, v0, v1\n",
            0xCC33_6699,
        ),
        (
            "dcl_position4 v2.xy\ndcl_texcoord2 v2.zw\nmov oC0, v2\n",
            0xCC33_6699,
        ),
        ("dcl_position v0\nmov oC0, v0.w\n", 0xFFFF_FFFF),
    ] {
        let pixel = pixel(&mut r, text);
        let got = draw_pixel(&mut r, vertex, pixel, |_| {});
        assert!(near(got, want, 1), "{text}: {got:08x}, expected {want:08x}");
    }
    // Earlier vertex shaders and the fixed function have no such outputs.
    let options = r.shader_options(&Options::default()).unwrap();
    let older = VertexFunction::Program(register(&mut r, PASS), options);
    let missing = pixel(&mut r, "dcl_normal3 v0\nmov oC0, v0\n");
    assert_eq!(draw_pixel(&mut r, older, missing, |_| {}), 0);
}

/// Shaders of software vertex processing read more constants than a uniform window holds.
#[test]
fn large_constants_come_from_a_storage_buffer() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = "vs_2_sw\ndcl_position v0\nmova a0.x, c0.x\nmov oPos, v0\nmov oD0, c[a0.x]\n\
                  rep i2000\nadd r0, r0, c300\nendrep\nif b2000\nmov oD0, r0\nendif\n";
    let vertex = VertexFunction::Program(register(&mut r, vertex), options);
    let mut pixel = String::from("ps_2_sw\ndcl v0\nadd r0, v0, c7000\n");
    for register in 0..230 {
        pixel.push_str(&format!("add r0, r0, c{register}\n"));
    }
    pixel.push_str("mov oC0, r0\n");
    let pixel = PixelFunction::Program(register(&mut r, &pixel), options);
    let plain = register(&mut r, "ps_2_0\ndcl v0\nmov oC0, v0\n");
    let plain = PixelFunction::Program(plain, options);

    // 0.2 is 51 of 255.
    let mut floats = vec![[0.0; 4]; 8192];
    floats[0] = [8000.0, 0.0, 0.0, 0.0];
    floats[8000] = [0.2, 0.4, 0.0, 1.0];
    floats[300] = [0.0, 0.0, 0.2, 0.5];
    let mut ints = vec![[0; 4]; 2048];
    ints[2000] = [2, 0, 0, 0];
    let mut file = vec![[0.0; 4]; 8192];
    file[7000] = [0.0, 0.0, 0.6, 0.0];
    let (no, yes) = ([0u32; 64], {
        let mut bits = [0; 64];
        bits[62] = 1 << 16;
        bits
    });
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
    owned.vertex = vertex;
    let data = whole();
    let streams = [StreamData::Bytes(&data)];
    for (pixel, bools, generation, want) in [
        (plain, &no, 1, 0xFF33_6600),
        (plain, &yes, 2, 0xFF00_0066),
        (pixel, &no, 3, 0xFF33_6699),
        (pixel, &yes, 4, 0xFF00_00FF),
    ] {
        owned.pixel = pixel;
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.vs_floats = Constants {
            file: &floats,
            generation: 1,
        };
        draw.ps_floats = Constants {
            file: &file,
            generation: 1,
        };
        draw.wide[0] = WideConstants {
            ints: &ints,
            bools,
            generation,
        };
        r.draw(&draw).unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(
            near(got, want, 1),
            "{generation}: {got:08x}, expected {want:08x}"
        );
    }
}

const SAMPLED: [&str; 3] = ["2d", "cube", "volume"];

/// A ps_2_0 shader that samples stage 0 as `kind`.
fn sampling(r: &mut Renderer, kind: &str) -> PixelFunction {
    let options = r.shader_options(&Options::default()).unwrap();
    let text = format!(
        "ps_2_0\ndef c0, 0.5, 0.5, 0.5, 0\ndcl_{kind} s0\nmov r0, c0\ntexld r0, r0, s0\n\
         mov oC0, r0\n"
    );
    PixelFunction::Program(register(r, &text), options)
}

/// mtld3d#23: a sampler that is declared but has no texture reads opaque black.
#[test]
fn mtld3d_23_an_unbound_sampler_reads_opaque_black() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(register(&mut r, PASS), options);
    for kind in SAMPLED {
        let pixel = sampling(&mut r, kind);
        assert_eq!(draw_pixel(&mut r, vertex, pixel, |_| {}), BLACK, "{kind}");
    }
}

/// mtld3d#301: a texture of another kind than the shader samples. The report has (0, 0, 0, 0) from
/// one driver; the specification wins, where every mismatched stage reads opaque black.
#[test]
fn mtld3d_301_a_texture_of_another_kind_reads_opaque_black() {
    let mut r = gpu_or_skip!();
    let options = r.shader_options(&Options::default()).unwrap();
    let vertex = VertexFunction::Program(register(&mut r, PASS), options);
    let image = texture(&mut r, 1, 1, &[GREEN]);
    for (kind, want) in SAMPLED.into_iter().zip([GREEN, BLACK, BLACK]) {
        let pixel = sampling(&mut r, kind);
        let context = r.create_context(1, 1).unwrap();
        let mut owned = Owned::new(&mut r, 1, 1, &POSITION, &strides(16));
        (owned.vertex, owned.pixel) = (vertex, pixel);
        owned.textures[0] = Some(TextureBinding::new(image.clone()));
        let data = whole();
        let streams = [StreamData::Bytes(&data)];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert_eq!(got, want, "{kind}");
    }
}
