//! What the specification has a vs_1_1 do, rule by rule: its instructions, operands and bounds.

use super::*;

/// Two elements: `POSITION0` at the front and `TEXCOORD7`, four floats each.
fn two(d: &mut Device) {
    let elements = [
        element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0),
        element(16, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_TEXCOORD, 7),
    ];
    let values = [2.0, -3.0, 0.5, 4.0, 1.0, 2.0, -1.0, 0.25];
    source(d, &elements, 32, &bytes(&values));
}

/// A call that fails with `D3DERR_NOTAVAILABLE` and leaves the destination alone.
#[track_caller]
fn not_available(d: &mut Device, to: VertexBufferHandle) -> String {
    let before = contents(d, to);
    let result = d.process_vertices(0, 0, 1, to, None, D3DPV_DONOTCOPYDATA);
    assert_eq!(result, Err(HResult::NOTAVAILABLE));
    assert_eq!(contents(d, to), before);
    d.last_error().to_owned()
}

#[test]
fn every_instruction_of_the_core_runs() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    d.set_vertex_shader_constant_f(254, &[[-1.0; 4], [10.0, 20.0, 30.0, 40.0]])
        .unwrap();
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    // v0 is (2, -3, 0.5, 4), v15 (1, 2, -1, 0.25), c255 (10, 20, 30, 40).
    let cases: [(&str, [f32; 4]); 24] = [
        ("mov oPos, v0", [2.0, -3.0, 0.5, 4.0]),
        ("mov oPos, -v0.wzyx", [-4.0, -0.5, 3.0, -2.0]),
        ("mov_sat oPos, v0", [1.0, 0.0, 0.5, 1.0]),
        ("add oPos, v0, v15", [3.0, -1.0, -0.5, 4.25]),
        ("sub oPos, v0, v15", [1.0, -5.0, 1.5, 3.75]),
        ("mul oPos, v0, v15", [2.0, -6.0, -0.5, 1.0]),
        ("mad oPos, v0, v15, c255", [12.0, 14.0, 29.5, 41.0]),
        ("mad_sat oPos, -v0, v15, c255.x", [1.0, 1.0, 1.0, 1.0]),
        ("rcp oPos, v0.w", [0.25; 4]),
        ("rsq oPos, v0.w", [0.5; 4]),
        ("dp3 oPos, v0, v15", [-4.5; 4]),
        ("dp4 oPos, v0, v15", [-3.5; 4]),
        ("min oPos, v0, v15", [1.0, -3.0, -1.0, 0.25]),
        ("max oPos, v0, v15", [2.0, 2.0, 0.5, 4.0]),
        ("slt oPos, v0, v15", [0.0, 1.0, 0.0, 0.0]),
        ("sge oPos, v0, v15", [1.0, 0.0, 1.0, 1.0]),
        ("exp oPos, v0.y", [0.125; 4]),
        ("log oPos, v0.w", [2.0; 4]),
        (
            "def c7, 0, 1, 0.5, 0.25\n lrp oPos, c7, v0, v15",
            [1.0, -3.0, -0.25, 1.1875],
        ),
        ("frc r11, v0\n mov oPos, r11", [0.0, 0.0, 0.5, 0.0]),
        // Definitions come before the application's constants, addressed or not.
        (
            "def c255, 1, 2, 3, 5\n mov oPos, c255",
            [1.0, 2.0, 3.0, 5.0],
        ),
        (
            "def c255, 1, 2, 3, 5\n mov a0.x, v0.w\n mov oPos, c[a0.x + 251]",
            [1.0, 2.0, 3.0, 5.0],
        ),
        // Addresses round down: 0.5 to 0, -0.5 to -1.
        (
            "mov a0.x, v0.z\n mov oPos, c[a0.x + 255]",
            [10.0, 20.0, 30.0, 40.0],
        ),
        (
            "mov a0.x, -v0.z\n mov oPos, -c[a0.x + 255]",
            [1.0, 1.0, 1.0, 1.0],
        ),
    ];
    for (text, expected) in cases {
        let text = format!("vs_1_1\n dcl_position v0\n dcl_texcoord7 v15\n {text}\n");
        let handle = shader(&mut d, &text);
        run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
        let made = floats::<4>(&contents(&mut d, to), 0);
        assert_eq!(made, expected, "{text}");
        d.release(handle).unwrap();
    }
}

#[test]
fn all_outputs_reach_fields_of_their_size() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    let mut text =
        "vs_1_1\n mov oPos, c0\n mov oPts, c0.y\n mov oFog, c0.x\n mov oD0, c1\n mov oD1, c2\n"
            .to_owned();
    // Sets of one to four floats: D3DFVF_TEXCOORDSIZE1 is 3, 2 is 0, 3 is 1, 4 is 2.
    let codes = [3, 0, 1, 2, 3, 0, 1, 2];
    let mut fvf =
        D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX8;
    let mut constants = vec![
        [7.0, 8.0, 9.0, 1.0],
        [1.0, 0.0, 0.2, 0.4],
        [2.0, -1.0, 0.5, f32::NAN],
    ];
    for (n, code) in codes.into_iter().enumerate() {
        fvf |= code << (16 + 2 * n);
        text += &format!(" mov oT{n}, c{}\n", n + 3);
        let base = n as f32;
        constants.push([base, base + 0.25, base + 0.5, base + 0.75]);
    }
    shader(&mut d, &text);
    d.set_vertex_shader_constant_f(0, &constants).unwrap();
    // 12 position, 12 normal, 4 size, 4 + 4 colours, 2 * (4 + 8 + 12 + 16) coordinates.
    let to = blank(&mut d, fvf, 116);
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(floats::<3>(&out, 0), [7.0, 8.0, 9.0]);
    assert_eq!(out[12..24], [BLANK; 12], "the normal");
    assert_eq!(float(&out, 24), 8.0);
    // 0xAARRGGBB of 0.4, 1, 0 and 0.2; of nothing, 2, -1 and 0.5.
    assert_eq!(word(&out, 28), 0x66FF_0033);
    assert_eq!(word(&out, 32), 0x00FF_0080);
    let mut at = 36;
    for (n, size) in [1, 2, 3, 4, 1, 2, 3, 4].into_iter().enumerate() {
        for component in 0..size {
            let expected = n as f32 + 0.25 * component as f32;
            assert_eq!(float(&out, at), expected, "set {n}, component {component}");
            at += 4;
        }
    }
    assert_eq!(at, 116);
}

#[test]
fn a_vs_1_1_has_256_instructions_at_most() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    let body = |version: &str, count: usize| {
        let mut text = format!("{version}\n dcl_position v0\n def c0, 1, 1, 1, 1\n mov r0, v0\n");
        for _ in 2..count {
            text += " add r0, r0, c0\n";
        }
        text + " mov oPos, r0\n"
    };
    shader(&mut d, &body("vs_1_1", 256));
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    assert_eq!(floats::<4>(&out, 0), [256.0, 251.0, 254.5, 258.0]);
    shader(&mut d, &body("vs_1_1", 257));
    let said = not_available(&mut d, to);
    assert!(said.contains("257 instructions"), "{said}");
    // Model 2 has more.
    shader(&mut d, &body("vs_2_0", 257));
    run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
    assert_eq!(float(&contents(&mut d, to), 0), 257.0);
}

#[test]
fn a_vs_1_1_has_no_source_modifier_but_a_minus() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    let plain = assemble("vs_1_1\n dcl_position v0\n mov oPos, v0\n").unwrap();
    let mut refused = 0;
    for modifier in 0..16 {
        let mut tokens = plain.tokens().to_vec();
        let source = tokens.len() - 2;
        tokens[source] |= modifier << 24;
        // 9, 10 and 13 are those of ps_1_4 and of booleans, 14 and 15 are none.
        let Ok(made) = d.create_vertex_shader(&tokens) else {
            assert!([9, 10, 13, 14, 15].contains(&modifier), "{modifier}");
            continue;
        };
        d.set_vertex_shader(Some(made)).unwrap();
        if modifier < 2 {
            run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
        } else {
            let said = not_available(&mut d, to);
            assert!(said.contains("modifier"), "{said}");
            refused += 1;
        }
        d.release(made).unwrap();
    }
    assert_eq!(refused, 9, "2 to 8, 11 and 12");
}

#[test]
fn every_input_that_is_read_has_an_element() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    for (text, input) in [
        ("vs_1_1\n dcl_position v0\n add oPos, v0, v1\n", "v1"),
        ("vs_1_1\n dcl_texcoord7 v3\n mov oPos, v2\n", "v2"),
        // The rows of a matrix are v1 to v4.
        (
            "vs_1_1\n dcl_position v0\n dcl_texcoord7 v1\n m4x4 oPos, v0, v1\n",
            "v2",
        ),
        (
            "vs_3_0\n dcl_position v0\n dcl_position o0\n mov o0, v9\n",
            "v9",
        ),
        (
            "vs_1_1\n dcl_position v0\n dcl_color v1\n mov oPos, v1\n",
            "v1",
        ),
        ("vs_1_1\n mov oPos, v2\n", "v2"),
    ] {
        shader(&mut d, text);
        let declared = d
            .create_vertex_declaration(&[element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0)])
            .unwrap();
        let said = refused(&mut d, [0, 0, 1], to, Some(declared), 0);
        assert!(said.contains(input), "{said}: {text}");
    }
}

/// Draws read the last of several elements of one usage, and so does this.
#[test]
fn of_several_elements_of_one_usage_the_last_counts() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [
        element(0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
        element(12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
        element(0, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0),
        element(4, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0),
    ];
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    source(&mut d, &elements, 24, &bytes(&values));
    shader(&mut d, "vs_1_1\n dcl_position v0\n mov oPos, v0\n");
    let to = blank(&mut d, D3DFVF_XYZ | D3DFVF_PSIZE, 16);
    run(&mut d, 0, 1, to, 0);
    assert_eq!(floats::<4>(&contents(&mut d, to), 0), [4.0, 5.0, 6.0, 2.0]);
    d.set_vertex_shader(None).unwrap();
    let to = blank(&mut d, D3DFVF_XYZ, 12);
    run(&mut d, 0, 1, to, 0);
    assert_eq!(floats::<3>(&contents(&mut d, to), 0), [4.0, 5.0, 6.0]);
}

#[test]
fn no_stride_makes_a_range_overflow() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    shader(&mut d, "vs_1_1\n dcl_position v0\n mov oPos, v0\n");
    let to = blank(&mut d, D3DFVF_XYZW, 256);
    let buffer = d.get_stream_source(0).unwrap().buffer.unwrap();
    let max = u32::MAX;
    for stride in [max, max - 15, 1 << 31, 1 << 16] {
        for offset in [0, 4, max] {
            d.set_stream_source(0, Some(buffer), offset, stride)
                .unwrap();
            for range in [
                [max, 0, 4],
                [max, 0, 16],
                [max, 0, max],
                [2, 0, max],
                [1, 0, 1],
            ] {
                refused(&mut d, range, to, None, 0);
            }
        }
        // One vertex has no stride.
        d.set_stream_source(0, Some(buffer), 16, stride).unwrap();
        run(&mut d, 0, 1, to, 0);
    }
}

#[test]
fn a_run_without_end_writes_nothing() {
    let Some(mut d) = device(16, 16) else { return };
    two(&mut d);
    shader(
        &mut d,
        "vs_2_x\n dcl_position v0\n mov oPos, v0\n rep i0\n rep i0\n rep i0\n add r0, r0, v0\n endrep\n \
         endrep\n endrep\n",
    );
    d.set_vertex_shader_constant_i(0, &[[255, 0, 0, 0]])
        .unwrap();
    let to = blank(&mut d, D3DFVF_XYZW, 16);
    let said = refused(&mut d, [0, 0, 1], to, None, 0);
    assert!(said.contains("operations"), "{said}");
    d.set_vertex_shader_constant_i(0, &[[3, 0, 0, 0]]).unwrap();
    run(&mut d, 0, 1, to, 0);
}
