//! Draws of the entry points with vertex shaders: what feeds them and what stands behind them.

use super::*;

/// Positions and coordinates that cover the target.
fn program_quad() -> Vec<u8> {
    let corners = [[-1.0f32, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let words = corners.map(|[x, y]| [x, y, 0.5, 1.0, 0.5, 0.5]);
    bytemuck::cast_slice(words.as_flattened()).to_vec()
}

#[test]
fn a_vertex_shader_in_front_of_the_cascade() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let full = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndef c0, 0.5, 1, 0.25, 0.5\n\
                mov oPos, v0\nmov oD0, c0\nmov oT0, v1\n";
    let full = shader(&mut r, full);
    let bare = shader(&mut r, "vs_1_1\ndcl_position v0\nmov oPos, v0\n");
    let image = texture(&mut r, 1, 1, &[0xFF80_FF40]);
    let vertices = program_quad();
    let common = CommonState {
        alpha_test: Some((5, 0x40)),
        ..CommonState::default()
    };
    let mut cascade = Cascade {
        texture_factor: 0x80FF_4020,
        ..Cascade::default()
    };
    cascade.stages[0] = modulate();
    cascade.stages[1] = FragmentStage {
        color_op: op::ADD,
        color_args: [0, op::arg::CURRENT, op::arg::FACTOR],
        // Coordinates of another kind in a stage that does not sample change nothing.
        projected: 3,
        ..FragmentStage::default()
    };
    let textures = [Some(image)];
    let state = ProgramState {
        cascade: Some(&cascade),
        textures: &textures,
        ..ProgramState::new(&common, full, None, &[POSITION, COORDINATES])
    };
    let strip = Primitive::TriangleStrip;
    r.draw_program(&context, &state, strip, &vertices, 24, 4, None)
        .unwrap();
    let (t, f) = (floats(0xFF80_FF40), floats(0x80FF_4020));
    let c = [0.5, 1.0, 0.25, 0.5];
    let mut want = [0, 1, 2, 3].map(|i| t[i] * c[i] + f[i]);
    want[3] = c[3];
    let want = d3dcolor(want);
    let read = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(
        read.iter().all(|&p| near(p, want, 1)),
        "{:08x}, expected {want:08x}",
        read[0]
    );
    // Without a cascade: the diffuse colour, white from a shader that writes none.
    let plain = ProgramState {
        vertex: bare,
        cascade: None,
        textures: &[],
        elements: &[POSITION],
        ..state
    };
    r.draw_program(&context, &plain, strip, &vertices, 24, 4, None)
        .unwrap();
    let read = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(read.iter().all(|&p| p == !0), "{:08x}", read[0]);
    // A texture that the vertex shader reads is no stage of the cascade.
    let reads = "vs_3_0\ndcl_position v0\ndcl_2d s0\ndcl_position o0\ndcl_color o1\n\
                 def c0, 0.5, 0.5, 0, 0\nmov o0, v0\ntexldl r0, c0, s0\nmov o1, r0\n";
    let mut vertex_textures = [const { None }; 17];
    vertex_textures[16] = Some(texture(&mut r, 1, 1, &[GREEN]));
    let reading = ProgramState {
        vertex: shader(&mut r, reads),
        textures: &vertex_textures,
        ..plain
    };
    r.draw_program(&context, &reading, strip, &vertices, 24, 4, None)
        .unwrap();
    let read = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(read.iter().all(|&p| p == GREEN), "{:08x}", read[0]);
    // A stage that samples wants its coordinates and its texture.
    let lacking = ProgramState {
        vertex: bare,
        ..state
    };
    let error = r
        .draw_program(&context, &lacking, strip, &vertices, 24, 4, None)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Shader);
    assert!(error.text().contains("fixed stage 0"), "{error}");
    let missing = ProgramState {
        textures: &[],
        ..state
    };
    let error = r
        .draw_program(&context, &missing, strip, &vertices, 24, 4, None)
        .unwrap_err();
    assert_eq!(error.text(), "fixed stage 0 texture is unavailable");
    // Pretransformed vertices have an entry point of their own for cascades.
    let fixed = fixed_quad([1.0; 4]);
    let error = r
        .draw_program_rhw(&context, &state, strip, &fixed, None)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Args);
}

#[test]
fn declarations_are_whole() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let vertex = "vs_1_1\ndcl_position v0\ndcl_color1 v1\nmov oPos, v0\nmov oD0, v1\n";
    let vertex = shader(&mut r, vertex);
    let pixel = shader(&mut r, "ps_1_1\nmov r0, v0\n");
    let common = CommonState::default();
    let vertices = program_quad();
    let colors = [GREEN; 4];
    let second = [SecondaryStream {
        stream: 3,
        data: bytemuck::cast_slice(&colors),
        stride: 4,
        resident: None,
    }];
    let mut draw = |elements: &[VertexElement], streams: &[SecondaryStream<'_>]| {
        let state = ProgramState {
            streams,
            ..ProgramState::new(&common, vertex, Some(pixel), elements)
        };
        let strip = Primitive::TriangleStrip;
        r.draw_program(&context, &state, strip, &vertices, 24, 4, None)
    };
    let color = element(3, 0, 4, 10, 1);
    for _ in 0..2 {
        draw(&[POSITION, color], &second).unwrap();
        let bad: [(&[VertexElement], &[SecondaryStream<'_>]); 7] = [
            (&[POSITION], &second),
            (&[], &second),
            (&[color], &second),
            // Another index, a stream that is not there, one that cannot be.
            (&[POSITION, element(3, 0, 4, 10, 0)], &second),
            (&[POSITION, color], &[]),
            (&[POSITION, color, element(16, 0, 4, 5, 0)], &second),
            // A type that is none.
            (&[POSITION, color, element(0, 16, 17, 5, 0)], &second),
        ];
        for (elements, streams) in bad {
            let error = draw(elements, streams).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decl, "{elements:?}: {error}");
        }
    }
    // UDEC3 as a colour: 1023 of 1023 saturate, the other fields are 0; more than Metal fetches.
    let packed = [0x3FFu32 << 10; 4];
    let streams = [SecondaryStream {
        data: bytemuck::cast_slice(&packed),
        ..second[0]
    }];
    draw(&[POSITION, element(3, 0, 13, 10, 1)], &streams).unwrap();
    let read = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(read.iter().all(|&p| p == GREEN), "{:08x}", read[0]);
}

#[test]
fn resident_streams_are_read_where_they_fit() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let vertex = "vs_1_1\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n";
    let vertex = shader(&mut r, vertex);
    let pixel = shader(&mut r, "ps_1_1\nmov r0, v0\n");
    let common = CommonState::default();
    let vertices = program_quad();
    let elements = [POSITION, element(1, 0, 4, 10, 0)];
    let (bytes, resident) = ([GREEN; 4], [0xFFFF_0000u32; 6]);
    let buffer = r.create_buffer(24).unwrap();
    r.write_buffer(&buffer, 0, bytemuck::cast_slice(&resident))
        .unwrap();
    // The copy is not what the bytes are: the picture says which was read.
    for (offset, fast, want) in [
        (0, true, 0xFFFF_0000),
        (8, true, 0xFFFF_0000),
        (0, false, GREEN),
        // Not a multiple of 4; past the end.
        (2, true, GREEN),
        (12, true, GREEN),
        (u64::MAX - 7, true, GREEN),
    ] {
        r.set_fast_paths(fast).unwrap();
        let streams = [SecondaryStream {
            stream: 1,
            data: bytemuck::cast_slice(&bytes),
            stride: 4,
            resident: Some(ResidentCopy {
                buffer: &buffer,
                offset,
            }),
        }];
        let state = ProgramState {
            streams: &streams,
            ..ProgramState::new(&common, vertex, Some(pixel), &elements)
        };
        let before = r.stats().resident_bytes;
        let strip = Primitive::TriangleStrip;
        r.draw_program(&context, &state, strip, &vertices, 24, 4, None)
            .unwrap();
        let bound = r.stats().resident_bytes - before;
        assert_eq!(bound, if want == GREEN { 0 } else { 16 });
        let got = pixels(&r.read_framebuffer(&context).unwrap())[5];
        assert_eq!(got, want, "offset {offset} fast {fast}");
    }
}

/// Everything that a call reads may change once it has returned, before anything is submitted.
#[test]
fn what_calls_read_may_change_afterwards() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let submissions = r.stats().submissions;
    let mut texels = vec![0x40u8; 4];
    let image = r
        .create_cached_texture(
            1,
            &ninefold_renderer::CachedTexture {
                kind: ImageKind::D2,
                width: 1,
                height: 1,
                depth: 1,
                texels: &texels,
                mips: false,
            },
        )
        .unwrap();
    texels.fill(0xEE);
    // Below: the framebuffer's own rows; the left half is drawn over.
    let mut rows: Vec<u8> = vec![0x77; (EDGE * EDGE * 4) as usize];
    r.write_framebuffer(&context, &rows, EDGE as usize * 4)
        .unwrap();
    rows.fill(0xEE);
    let state = RhwState {
        texture: Some(image.clone()),
        ..RhwState::default()
    };
    let mut vertices = quad(0.0, 0.0, 2.0, 4.0, 0.5, 0xFFFF_FFFF);
    let mut indices = [0u16, 1, 2, 3, 4, 5];
    r.draw_rhw(
        &context,
        &state,
        Primitive::TriangleList,
        bytemuck::cast_slice(&vertices),
        28,
        6,
        Some(&indices),
    )
    .unwrap();
    vertices.fill(RhwVertex::default());
    indices.fill(0);
    drop(state);
    r.remove_cached_texture(1);
    drop((vertices, image, texels, rows));
    assert_eq!(
        r.stats().submissions,
        submissions,
        "nothing went to the GPU"
    );
    let read = r.read_framebuffer(&context).unwrap();
    for y in 0..EDGE {
        for x in 0..EDGE {
            let want = if x < 2 { 0x4040_4040 } else { 0x7777_7777 };
            assert_eq!(pixel(&read, EDGE, x, y), want, "{x} {y}");
        }
    }
}

#[test]
fn integer_and_boolean_constants_and_coordinate_sets() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    // The vertex shader adds c1 to red as often as i2 says; the pixel shader takes green when b3.
    let vertex = "vs_2_0\ndcl_position v0\ndef c0, 0, 0, 0, 1\ndef c1, 0.2, 0, 0, 0\n\
                  mov oPos, v0\nmov r0, c0\nrep i2\nadd r0, r0, c1\nendrep\nmov oD0, r0\n";
    let pixel = "ps_2_x\ndcl v0\ndef c0, 0, 1, 0, 0\nmov r0, v0\nif b3\nadd r0, r0, c0\n\
                 endif\nmov oC0, r0\n";
    let [vertex, pixel] = [vertex, pixel].map(|text| shader(&mut r, text));
    let common = CommonState::default();
    let vertices = program_quad();
    let elements = [POSITION];
    let plain = ProgramState::new(&common, vertex, Some(pixel), &elements);
    let strip = Primitive::TriangleStrip;
    for (times, bools, want) in [(0, 0, BLACK), (3, 7, 0xFF99_0000), (2, 8, 0xFF66_FF00)] {
        let ints = [[9; 4], [9; 4], [times, 0, 0, 0]];
        let state = ProgramState {
            vertex_ints: &ints,
            pixel_bools: bools,
            ..plain
        };
        r.draw_program(&context, &state, strip, &vertices, 24, 4, None)
            .unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(near(got, want, 1), "{times} {bools}: {got:08x}");
    }
    // Stage 0 reads set 6.
    let image = texture(&mut r, 2, 1, &[BLACK, GREEN]);
    let mut state = FixedState::default();
    state.stages[0] = modulate();
    state.textures[0] = Some(image);
    let mut vertices = fixed_quad([1.0; 4]);
    for vertex in &mut vertices {
        vertex.uv = [[0.25, 0.5]; 8];
        vertex.uv[6] = [0.75, 0.5];
    }
    for (set, want) in [(0, BLACK), (6, GREEN)] {
        state.coordinates[0] = set;
        r.draw_fixed_rhw(&context, &state, strip, &vertices, None)
            .unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert_eq!(got, want, "set {set}");
    }
    state.coordinates[7] = 8;
    let error = r.draw_fixed_rhw(&context, &state, strip, &vertices, None);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Args);
}
