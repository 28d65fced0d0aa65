//! Arguments, layouts, ranges and what is written, with vertex shaders.

use super::*;

const POSITION: VertexElement =
    VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
const MOVE: &str = "vs_1_1\n dcl_position v0\n mov oPos, v0\n";

/// Three vertices of three floats: (1, 2, 3), (4, 5, 6), (7, 8, 9).
fn three(d: &mut Device) {
    let values: Vec<f32> = (1..=9u8).map(f32::from).collect();
    source(d, &[POSITION], 12, &bytes(&values));
}

#[test]
fn a_range_of_the_source_goes_to_a_range_of_the_destination() {
    let Some(mut d) = device(16, 16) else { return };
    three(&mut d);
    shader(&mut d, "vs_1_1\n dcl_position v0\n add oPos, v0, c0\n");
    d.set_vertex_shader_constant_f(0, &[[0.5, 0.25, -1.0, 0.0]])
        .unwrap();
    let to = blank(&mut d, D3DFVF_XYZ, 12 * 4);
    d.process_vertices(1, 1, 2, to, None, D3DPV_DONOTCOPYDATA)
        .unwrap();
    let out = contents(&mut d, to);
    assert_eq!(out[..12], [BLANK; 12]);
    assert_eq!(floats::<6>(&out, 12), [4.5, 5.25, 5.0, 7.5, 8.25, 8.0]);
    assert_eq!(out[36..], [BLANK; 12]);
    // The constants are those of the call.
    d.set_vertex_shader_constant_f(0, &[[100.0; 4]]).unwrap();
    d.process_vertices(0, 3, 1, to, None, D3DPV_DONOTCOPYDATA)
        .unwrap();
    let later = contents(&mut d, to);
    assert_eq!(later[..36], out[..36]);
    assert_eq!(floats::<3>(&later, 36), [101.0, 102.0, 103.0]);
}

#[test]
fn only_what_the_shader_wrote_is_written() {
    let Some(mut d) = device(16, 16) else { return };
    three(&mut d);
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n mov oPos.xz, v0\n mov oD0.w, c0\n mov oD1, c0\n mov oT0.y, c0.x\n \
         mov oPts, c1.z\n",
    );
    d.set_vertex_shader_constant_f(0, &[[0.5, 2.0, -1.0, 0.2], [0.0, 0.0, 3.0, 0.0]])
        .unwrap();
    let fvf =
        D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2;
    // 12 position, 12 normal, 4 size, 4 + 4 colours, 8 + 8 coordinates.
    let to = blank(&mut d, fvf, 52);
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(float(&out, 0), 1.0);
    assert_eq!(out[4..8], [BLANK; 4]);
    assert_eq!(float(&out, 8), 3.0);
    assert_eq!(out[12..24], [BLANK; 12], "the normal");
    assert_eq!(float(&out, 24), 3.0, "the point size");
    // 0.2 * 255 = 51; the other three bytes are not the shader's.
    assert_eq!(out[28..32], [BLANK, BLANK, BLANK, 51]);
    // Blue -1 clamps to 0, green 2 to 1; red 127.5 rounds up.
    assert_eq!(out[32..36], [0, 255, 128, 51]);
    assert_eq!(out[36..40], [BLANK; 4]);
    assert_eq!(float(&out, 40), 0.5);
    assert_eq!(out[44..], [BLANK; 8], "the second set");
}

#[test]
fn what_is_not_made_is_copied_unless_told_not_to() {
    let Some(mut d) = device(16, 16) else { return };
    let mut vertex = bytes(&[1.0, 2.0, 3.0, 0.0, 0.6, 0.8]);
    vertex.extend([10, 20, 30, 40]);
    vertex.extend(bytes(&[0.25, 0.75]));
    let elements = [
        POSITION,
        element(12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0),
        element(24, D3DDECLTYPE_UBYTE4N, D3DDECLUSAGE_COLOR, 0),
        element(28, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
    ];
    source(&mut d, &elements, 36, &vertex);
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n mov oPos, v0\n mov oT0.x, c0\n",
    );
    let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1;
    let to = blank(&mut d, fvf, 40);
    run(&mut d, 0, 1, to, 0);
    let out = contents(&mut d, to);
    assert_eq!(floats::<6>(&out, 0), [1.0, 2.0, 3.0, 0.0, 0.6, 0.8]);
    // Bytes r, g, b, a become 0xAARRGGBB.
    assert_eq!(word(&out, 24), 0x280A_141E);
    assert_eq!(out[28..32], [BLANK; 4], "the source has no specular colour");
    assert_eq!(float(&out, 32), 0.0);
    assert_eq!(
        out[36..40],
        [BLANK; 4],
        "a set that is made in part is not copied"
    );

    let to = blank(&mut d, fvf, 40);
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(out[12..32], [BLANK; 20]);
}

#[test]
fn positions_in_pixels_are_divided_and_moved_to_the_viewport() {
    let Some(mut d) = device(64, 64) else { return };
    let element = element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
    source(&mut d, &[element], 16, &bytes(&[1.0, -0.5, 1.0, 2.0]));
    shader(&mut d, MOVE);
    d.set_viewport(&Viewport {
        x: 8,
        y: 4,
        width: 32,
        height: 16,
        min_z: 0.25,
        max_z: 0.75,
    })
    .unwrap();
    let to = blank(&mut d, D3DFVF_XYZRHW, 16);
    run(&mut d, 0, 1, to, 0);
    // x: 8 + 16 + 0.5 * 16; y: 4 + 8 + 0.25 * 8; z: 0.25 + 0.5 * 0.5; 1 / 2.
    assert_eq!(
        floats::<4>(&contents(&mut d, to), 0),
        [32.0, 14.0, 0.5, 0.5]
    );
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    run(&mut d, 0, 1, to, 0);
    assert_eq!(floats::<4>(&contents(&mut d, to), 0), [1.0, -0.5, 1.0, 2.0]);
}

#[test]
fn ranges_are_checked_without_overflow() {
    let Some(mut d) = device(16, 16) else { return };
    three(&mut d);
    shader(&mut d, MOVE);
    let to = blank(&mut d, D3DFVF_XYZ, 12 * 4);
    let max = u32::MAX;
    for range in [
        [0, 0, 4],
        [1, 0, 3],
        [3, 0, 1],
        [max, 0, 1],
        [0, 0, max],
        [1, 0, max],
        [max, 0, max],
        [0, 4, 1],
        [0, 2, 3],
        [0, max, 1],
        [0, max, 2],
        // 2^32 / 12 rounded up: the product of 32 bits is small.
        [0, 357_913_942, 1],
        [357_913_942, 0, 1],
        [max, max, max],
    ] {
        refused(&mut d, range, to, None, 0);
    }
    run(&mut d, 0, 0, to, 0);
    d.process_vertices(0, 1, 3, to, None, 0).unwrap();
    // An offset and a stride that lead past the end.
    let buffer = d.get_stream_source(0).unwrap().buffer.unwrap();
    d.set_stream_source(0, Some(buffer), 28, 12).unwrap();
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("stream 0"));
    d.set_stream_source(0, Some(buffer), 24, 12).unwrap();
    run(&mut d, 0, 1, to, 0);
    d.set_stream_source(0, Some(buffer), 0, 24).unwrap();
    run(&mut d, 0, 2, to, 0);
    refused(&mut d, [0, 0, 3], to, None, 0);
    // Stride 0 repeats the first vertex.
    d.set_stream_source(0, Some(buffer), 12, 0).unwrap();
    d.process_vertices(7, 0, 2, to, None, 0).unwrap();
    let out = contents(&mut d, to);
    assert_eq!(floats::<6>(&out, 0), [4.0, 5.0, 6.0, 4.0, 5.0, 6.0]);
}

#[test]
fn calls_without_meaning_are_refused() {
    let Some(mut d) = device(16, 16) else { return };
    let to = blank(&mut d, D3DFVF_XYZ, 48);
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("declaration"));
    d.set_fvf(D3DFVF_XYZ).unwrap();
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("no buffer is set"));
    three(&mut d);
    for flags in [2, 3, 0x10, u32::MAX] {
        assert!(refused(&mut d, [0, 0, 1], to, None, flags).contains("flags"));
    }
    let plain = blank(&mut d, 0, 48);
    assert!(refused(&mut d, [0, 0, 1], plain, None, 0).contains("FVF"));
    // An input that the declaration lacks; one that is declared and not read is not missed.
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n dcl_normal v1\n add oPos, v0, v1\n",
    );
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("Normal0"));
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n dcl_normal v1\n mov oPos, v0\n",
    );
    run(&mut d, 0, 1, to, 0);
    d.release(to).unwrap();
    assert_eq!(
        d.process_vertices(0, 0, 1, to, None, 0),
        Err(HResult::INVALIDCALL)
    );
}

#[test]
fn shaders_without_declarations_read_the_elements_in_order() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [
        element(4, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0),
        element(0, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_TEXCOORD, 3),
    ];
    source(&mut d, &elements, 16, &bytes(&[9.0, 1.0, 2.0, 3.0]));
    shader(&mut d, "vs_1_1\n mul oPos, v0, v1.x\n");
    let to = blank(&mut d, D3DFVF_XYZ, 12);
    run(&mut d, 0, 1, to, 0);
    assert_eq!(floats::<3>(&contents(&mut d, to), 0), [9.0, 18.0, 27.0]);
    shader(&mut d, "vs_1_1\n mul oPos, v0, v2\n");
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("v2"));
}

#[test]
fn elements_come_from_several_streams() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [
        POSITION,
        VertexElement::new(1, 4, D3DDECLTYPE_SHORT2, D3DDECLUSAGE_TEXCOORD, 0),
    ];
    source(
        &mut d,
        &elements,
        12,
        &bytes(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    );
    let mut second = vec![0u8; 16];
    second[12..16].copy_from_slice(&[0xFE, 0xFF, 7, 0]);
    let second = buffer(&mut d, 0, &second);
    d.set_stream_source(1, Some(second), 0, 8).unwrap();
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n dcl_texcoord v1\n mov oPos, v0\n mov oT0, v1\n",
    );
    let to = blank(&mut d, D3DFVF_XYZ | D3DFVF_TEX1, 20);
    d.process_vertices(1, 0, 1, to, None, 0).unwrap();
    let out = contents(&mut d, to);
    assert_eq!(floats::<5>(&out, 0), [4.0, 5.0, 6.0, -2.0, 7.0]);
    assert!(refused(&mut d, [2, 0, 1], to, None, 0).contains("stream"));
}

#[test]
fn a_declaration_gives_the_destination_and_vs_3_0_needs_one() {
    let Some(mut d) = device(16, 16) else { return };
    three(&mut d);
    let declaration = d
        .create_vertex_declaration(&[
            element(0, D3DDECLTYPE_FLOAT16_2, D3DDECLUSAGE_TEXCOORD, 5),
            element(4, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_BLENDWEIGHT, 2),
            element(8, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0),
            element(24, D3DDECLTYPE_SHORT2N, D3DDECLUSAGE_TEXCOORD, 6),
        ])
        .unwrap();
    shader(
        &mut d,
        "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_texcoord5 o1.xy\n dcl_blendweight2 o2.z\n \
         dcl_texcoord6 o1.zw\n mov o0, v0\n mov o1, c0\n mov o2.z, v0.y\n",
    );
    d.set_vertex_shader_constant_f(0, &[[1.0, -2.0, -1.0, 0.5]])
        .unwrap();
    let to = blank(&mut d, D3DFVF_XYZ, 56);
    assert!(refused(&mut d, [0, 0, 1], to, None, 0).contains("vs_3_0"));
    d.process_vertices(0, 1, 1, to, Some(declaration), 0)
        .unwrap();
    let out = contents(&mut d, to);
    assert_eq!(out[..28], [BLANK; 28]);
    assert_eq!(out[28..32], [0x00, 0x3C, 0x00, 0xC0]);
    assert_eq!(floats::<5>(&out, 32), [2.0, 1.0, 2.0, 3.0, 1.0]);
    // -1 and 0.5 * 32767 = 16383.5, rounded away from 0.
    assert_eq!(out[52..56], [0x01, 0x80, 0x00, 0x40]);
    // The buffer needs no FVF code then; 28 bytes a vertex.
    let plain = blank(&mut d, 0, 28);
    d.process_vertices(0, 0, 1, plain, Some(declaration), 0)
        .unwrap();
    refused(&mut d, [0, 1, 1], plain, Some(declaration), 0);
    // Vertices go to one stream.
    let split = d
        .create_vertex_declaration(&[VertexElement::new(
            1,
            0,
            D3DDECLTYPE_FLOAT4,
            D3DDECLUSAGE_POSITION,
            0,
        )])
        .unwrap();
    assert!(refused(&mut d, [0, 0, 1], to, Some(split), 0).contains("stream"));
}

#[test]
fn loops_calls_and_constants_of_all_kinds_run() {
    let Some(mut d) = device(16, 16) else { return };
    three(&mut d);
    shader(
        &mut d,
        "vs_2_0\n dcl_position v0\n def c9, 1, 1, 1, 1\n mov r0, v0\n loop aL, i3\n add r0, r0, c[aL]\n \
         endloop\n if b2\n add r0, r0, c9\n endif\n mov oPos, r0\n",
    );
    d.set_vertex_shader_constant_f(4, &[[10.0; 4], [0.0; 4], [20.0; 4]])
        .unwrap();
    // Two rounds from 4 in steps of 2: c4 and c6.
    d.set_vertex_shader_constant_i(3, &[[2, 4, 2, 0]]).unwrap();
    d.set_vertex_shader_constant_b(2, &[true]).unwrap();
    let to = blank(&mut d, D3DFVF_XYZ, 36);
    run(&mut d, 0, 3, to, 0);
    assert_eq!(
        floats::<9>(&contents(&mut d, to), 0),
        [32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0]
    );
}

#[test]
fn a_vertex_that_fails_leaves_the_whole_destination() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [element(0, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_POSITION, 0)];
    let mut values = vec![0.0f32; 200];
    for (n, value) in values.iter_mut().enumerate() {
        *value = n as f32;
    }
    source(&mut d, &elements, 4, &bytes(&values));
    shader(
        &mut d,
        "vs_1_1\n dcl_position v0\n mov a0.x, v0.x\n mov oPos, c[a0.x + 100]\n",
    );
    let to = blank(&mut d, D3DFVF_XYZ, 12 * 200);
    // Vertex 156 addresses c256.
    let said = refused(&mut d, [0, 0, 200], to, None, 0);
    assert!(said.contains("c256"), "{said}");
    run(&mut d, 0, 156, to, 0);
    for stray in [-101.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        let mut values = vec![1.0f32; 100];
        values[77] = stray;
        source(&mut d, &elements, 4, &bytes(&values));
        refused(&mut d, [0, 0, 100], to, None, 0);
        run(&mut d, 0, 77, to, 0);
    }
    // -100.5 rounds down to -101, -100 reads c0.
    source(&mut d, &elements, 4, &bytes(&[-100.5, -100.0]));
    refused(&mut d, [0, 0, 1], to, None, 0);
    d.process_vertices(1, 0, 1, to, None, 0).unwrap();
    // Later versions read 0 there.
    source(&mut d, &elements, 4, &bytes(&[900.0]));
    shader(
        &mut d,
        "vs_2_0\n dcl_position v0\n mova a0.x, v0.x\n mov oPos, c[a0.x + 100]\n",
    );
    run(&mut d, 0, 1, to, 0);
    assert_eq!(floats::<3>(&contents(&mut d, to), 0), [0.0; 3]);
}

#[test]
fn source_and_destination_may_be_one_buffer() {
    let Some(mut d) = device(16, 16) else { return };
    d.set_fvf(D3DFVF_XYZ).unwrap();
    let values: Vec<f32> = (1..=9u8).map(f32::from).collect();
    let both = buffer(&mut d, D3DFVF_XYZ, &bytes(&values));
    d.set_stream_source(0, Some(both), 0, 12).unwrap();
    shader(&mut d, MOVE);
    // Vertices 0 and 1 over 1 and 2: as if they had been read before anything was written.
    run(&mut d, 1, 2, both, 0);
    assert_eq!(
        floats::<9>(&contents(&mut d, both), 0),
        [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    );
}

#[test]
fn every_type_of_element_is_read() {
    let Some(mut d) = device(16, 16) else { return };
    shader(&mut d, "vs_1_1\n dcl_texcoord v0\n mov oPos, v0\n");
    let cases: [(u8, &[u8], [f32; 4]); 6] = [
        (D3DDECLTYPE_FLOAT1, &[0, 0, 0, 0x40], [2.0, 0.0, 0.0, 1.0]),
        (
            D3DDECLTYPE_D3DCOLOR,
            &[51, 102, 255, 0],
            [1.0, 0.4, 0.2, 0.0],
        ),
        (D3DDECLTYPE_UBYTE4, &[1, 2, 3, 255], [1.0, 2.0, 3.0, 255.0]),
        (
            D3DDECLTYPE_SHORT2N,
            &[0xFF, 0x7F, 0, 0x80],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (D3DDECLTYPE_UDEC3, &[5, 0, 0, 0x10], [5.0, 0.0, 256.0, 1.0]),
        (
            D3DDECLTYPE_FLOAT16_2,
            &[0, 0x38, 0, 0xBC],
            [0.5, -1.0, 0.0, 1.0],
        ),
    ];
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    for (ty, bytes, value) in cases {
        source(
            &mut d,
            &[element(0, ty, D3DDECLUSAGE_TEXCOORD, 0)],
            4,
            bytes,
        );
        run(&mut d, 0, 1, to, 0);
        assert_eq!(floats::<4>(&contents(&mut d, to), 0), value, "type {ty}");
    }
}

#[test]
fn the_clip_status_gathers_the_planes_that_vertices_are_outside_of() {
    let Some(mut d) = device(16, 16) else { return };
    let position = element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
    // Inside; right and top; right and behind; left, below and in front; on all borders.
    let places = [
        [0.0, 0.0, 0.5, 1.0],
        [3.0, 2.5, 1.0, 2.0],
        [1.5, 0.0, 1.5, 1.0],
        [-2.0, -2.0, -0.5, 1.0],
        [1.0, -1.0, 0.0, 1.0],
    ];
    source(&mut d, &[position], 16, &bytes(places.as_flattened()));
    shader(&mut d, MOVE);
    let to = blank(&mut d, D3DFVF_XYZRHW, 16 * 5);
    let status = |d: &mut Device, source, count| {
        d.set_clip_status(ClipStatus::default());
        d.process_vertices(source, 0, count, to, None, 0).unwrap();
        let status = d.get_clip_status();
        (status.union, status.intersection)
    };
    let (left, right, top, bottom) = (D3DCS_LEFT, D3DCS_RIGHT, D3DCS_TOP, D3DCS_BOTTOM);
    assert_eq!(status(&mut d, 0, 1), (0, 0));
    assert_eq!(status(&mut d, 1, 1), (right | top, right | top));
    assert_eq!(status(&mut d, 1, 2), (right | top | D3DCS_BACK, right));
    let behind = left | bottom | D3DCS_FRONT;
    assert_eq!(status(&mut d, 3, 1), (behind, behind));
    assert_eq!(status(&mut d, 4, 1), (0, 0));
    let all = left | right | top | bottom | D3DCS_FRONT | D3DCS_BACK;
    assert_eq!(status(&mut d, 0, 5), (all, 0));
    // Calls add to what is there, and failing ones nothing.
    d.set_clip_status(ClipStatus::default());
    d.process_vertices(1, 0, 1, to, None, 0).unwrap();
    assert!(d.process_vertices(1, 0, 9, to, None, 0).is_err());
    d.process_vertices(2, 0, 1, to, None, 0).unwrap();
    assert_eq!(d.get_clip_status().intersection, right);
    d.set_render_state(D3DRS_CLIPPING, 0).unwrap();
    assert_eq!(status(&mut d, 1, 1), (0, 0));
    assert_eq!(float(&contents(&mut d, to), 0), 20.0, "8 + 8 * 1.5");
}
