//! Devices that process vertices in software, in hardware, and in either.

mod common;

use common::*;
use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const WAYS: [u32; 3] = [
    D3DCREATE_HARDWARE_VERTEXPROCESSING,
    D3DCREATE_SOFTWARE_VERTEXPROCESSING,
    D3DCREATE_MIXED_VERTEXPROCESSING,
];

fn make(direct3d: &Direct3D9, behavior: u32) -> Result<Device> {
    direct3d.create_device_with(&PresentParameters::windowed(32, 32), behavior)
}

/// The documentation wants one way to be said; as wined3d, all flags make a device.
#[test]
fn every_behavior_makes_a_device() {
    let Some(direct3d) = direct3d() else { return };
    for behavior in (0..0x100).step_by(0x10) {
        let constants = make(&direct3d, behavior).unwrap().vertex_constant_counts();
        let software = [0x20, 0x30, 0xA0, 0xB0].contains(&behavior);
        let mixed = behavior & D3DCREATE_MIXED_VERTEXPROCESSING != 0
            || [0x60, 0x70, 0xE0, 0xF0].contains(&behavior);
        let floats = if software || mixed { 8192 } else { 256 };
        assert_eq!(constants.floats, floats, "{behavior:#x}");
    }
}

/// As in wined3d every device remembers what it was told.
#[test]
fn mixed_devices_switch_and_others_remember() {
    let Some(direct3d) = direct3d() else { return };
    // Highest matrix and constants when told software, and when told hardware.
    let (software, hardware) = ((255, 8192), (49, 256));
    for (way, initially, on, off) in [
        (WAYS[0], false, hardware, hardware),
        (WAYS[1], true, software, software),
        (WAYS[2], false, software, hardware),
    ] {
        let mut d = make(&direct3d, way).unwrap();
        assert_eq!(d.get_software_vertex_processing(), initially, "{way:#x}");
        for (told, expected) in [(true, on), (false, off)] {
            assert_eq!(d.set_software_vertex_processing(told), Ok(()), "{way:#x}");
            assert_eq!(d.get_software_vertex_processing(), told, "{way:#x}");
            let caps = d.get_device_caps();
            let has = (
                caps.max_vertex_blend_matrix_index,
                caps.max_vertex_shader_const,
            );
            assert_eq!(has, expected, "{way:#x}");
        }
        // The adapter's own are hardware's.
        assert_eq!(direct3d.get_device_caps().max_vertex_shader_const, 256);
    }
}

#[test]
fn software_has_more_constants() {
    let Some(direct3d) = direct3d() else { return };
    for way in WAYS {
        let mut d = make(&direct3d, way).unwrap();
        let (floats, few) = match way {
            D3DCREATE_HARDWARE_VERTEXPROCESSING => (256, 16),
            _ => (8192, 2048),
        };
        let counts = d.vertex_constant_counts();
        assert_eq!(
            (counts.floats, counts.ints, counts.bools),
            (floats, few, few)
        );
        let failed = Err(HResult::INVALIDCALL);
        let value = [1.0, 2.0, 3.0, 4.0];
        d.set_vertex_shader_constant_f(floats - 1, &[value])
            .unwrap();
        let mut read = [[0.0; 4]; 2];
        d.get_vertex_shader_constant_f(floats - 2, &mut read)
            .unwrap();
        assert_eq!(read, [[0.0; 4], value]);
        assert_eq!(d.set_vertex_shader_constant_f(floats, &[value]), failed);
        assert_eq!(
            d.set_vertex_shader_constant_f(floats - 1, &[value; 2]),
            failed
        );
        assert_eq!(
            d.get_vertex_shader_constant_f(floats - 1, &mut read),
            failed
        );
        d.set_vertex_shader_constant_i(few - 1, &[[5; 4]]).unwrap();
        assert_eq!(d.set_vertex_shader_constant_i(few, &[[5; 4]]), failed);
        d.set_vertex_shader_constant_b(few - 1, &[true]).unwrap();
        assert_eq!(d.set_vertex_shader_constant_b(few, &[true]), failed);
        let mut bools = [false; 2];
        d.get_vertex_shader_constant_b(few - 2, &mut bools).unwrap();
        assert_eq!(bools, [false, true]);
        // Pixel shaders are hardware's on all.
        assert_eq!(d.set_pixel_shader_constant_f(224, &[value]), failed);
        assert_eq!(d.set_pixel_shader_constant_i(16, &[[5; 4]]), failed);
        assert_eq!(d.set_pixel_shader_constant_b(16, &[true]), failed);
    }
}

#[test]
fn state_blocks_hold_all_of_them() {
    let Some(direct3d) = direct3d() else { return };
    let mut d = make(&direct3d, D3DCREATE_MIXED_VERTEXPROCESSING).unwrap();
    let set = |d: &mut Device, on: bool| {
        let x = f32::from(u8::from(on));
        for n in [0, 255, 256, 8191] {
            d.set_vertex_shader_constant_f(n, &[[x; 4]]).unwrap();
        }
        for n in [0, 15, 16, 2047] {
            d.set_vertex_shader_constant_i(n, &[[on.into(); 4]])
                .unwrap();
            d.set_vertex_shader_constant_b(n, &[on]).unwrap();
        }
    };
    let get = |d: &mut Device| {
        let mut all = Vec::new();
        for n in [0, 255, 256, 8191] {
            let mut value = [[9.0; 4]];
            d.get_vertex_shader_constant_f(n, &mut value).unwrap();
            all.push(value[0][3] != 0.0);
        }
        for n in [0, 15, 16, 2047] {
            let (mut int, mut bool) = ([[9; 4]], [false]);
            d.get_vertex_shader_constant_i(n, &mut int).unwrap();
            d.get_vertex_shader_constant_b(n, &mut bool).unwrap();
            all.extend([int[0][3] != 0, bool[0]]);
        }
        all
    };
    set(&mut d, true);
    for kind in [D3DSBT_ALL, D3DSBT_VERTEXSTATE] {
        let block = d.create_state_block(kind).unwrap();
        set(&mut d, false);
        assert_eq!(get(&mut d), [false; 12]);
        d.state_block_apply(block).unwrap();
        assert_eq!(get(&mut d), [true; 12]);
        d.release(block).unwrap();
    }
    d.begin_state_block().unwrap();
    d.set_vertex_shader_constant_f(8191, &[[0.0; 4]]).unwrap();
    d.set_vertex_shader_constant_i(2047, &[[0; 4]]).unwrap();
    d.set_vertex_shader_constant_b(2047, &[false]).unwrap();
    let block = d.end_state_block().unwrap();
    assert_eq!(get(&mut d), [true; 12]);
    d.state_block_apply(block).unwrap();
    let mut expected = [true; 12];
    expected[3] = false;
    expected[10..].fill(false);
    assert_eq!(get(&mut d), expected);
    d.release(block).unwrap();
}

#[test]
fn shaders_for_software_need_a_device_that_can() {
    let Some(direct3d) = direct3d() else { return };
    let cases: &[(&str, bool)] = &[
        ("vs_1_1\n mov oPos, c255\n", true),
        ("vs_1_1\n mov oPos, c256\n", false),
        ("vs_2_0\n mov oPos, c255\n", true),
        ("vs_2_0\n mov oPos, c256\n", false),
        ("vs_2_0\n def c300, 1, 2, 3, 4\n mov oPos, c300\n", false),
        ("vs_3_0\n dcl_position o0\n mov o0, c255\n", true),
        ("vs_3_0\n dcl_position o0\n mov o0, c8191\n", false),
        ("vs_2_sw\n mov oPos, c0\n", false),
        ("vs_3_sw\n dcl_position o0\n mov o0, c0\n", false),
        ("vs_2_sw\n rep i16\n endrep\n mov oPos, c0\n", false),
        ("vs_2_sw\n if b16\n endif\n mov oPos, c0\n", false),
    ];
    for way in WAYS {
        let mut d = make(&direct3d, way).unwrap();
        for (text, hardware) in cases {
            let code = assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let made = d.create_vertex_shader(code.tokens());
            let expected = *hardware || way != D3DCREATE_HARDWARE_VERTEXPROCESSING;
            assert_eq!(made.is_ok(), expected, "{way:#x}: {text}");
            match made {
                Ok(shader) => drop(d.release(shader).unwrap()),
                Err(code) => assert_eq!(code, HResult::INVALIDCALL),
            }
        }
    }
}

#[test]
fn pixel_shaders_have_their_versions_constants_everywhere() {
    let Some(direct3d) = direct3d() else { return };
    let cases = [
        ("ps_1_1\n mov r0, c0\n", 7),
        ("ps_1_4\n mov r0, c0\n", 7),
        ("ps_2_0\n mov oC0, c0\n", 31),
        ("ps_2_x\n mov oC0, c0\n", 31),
        ("ps_3_0\n mov oC0, c0\n", 223),
    ];
    for way in WAYS {
        let mut d = make(&direct3d, way).unwrap();
        for (text, last) in cases {
            let mut tokens = assemble(text).unwrap().tokens().to_vec();
            // The source is the token before the end, its number the low bits.
            let at = tokens.len() - 2;
            let source = tokens[at];
            tokens[at] = source + last;
            assert!(d.create_pixel_shader(&tokens).is_ok(), "{way:#x}: {text}");
            tokens[at] = source + last + 1;
            let refused = d.create_pixel_shader(&tokens);
            assert_eq!(refused, Err(HResult::INVALIDCALL), "{way:#x}: {text}");
        }
    }
}

#[test]
fn process_vertices_reads_the_last_constant() {
    let Some(direct3d) = direct3d() else { return };
    let mut d = make(&direct3d, D3DCREATE_SOFTWARE_VERTEXPROCESSING).unwrap();
    let code = assemble(
        "vs_2_sw\n dcl_position v0\n mov r0, c8191\n rep i2047\n add r0, r0, v0\n endrep\n \
         if b2047\n mov r0.z, c300.x\n endif\n mov oPos, r0\n",
    )
    .unwrap();
    let shader = d.create_vertex_shader(code.tokens()).unwrap();
    d.set_vertex_shader(Some(shader)).unwrap();
    d.set_vertex_shader_constant_f(8191, &[[1.0, 2.0, 3.0, 4.0]])
        .unwrap();
    d.set_vertex_shader_constant_f(300, &[[7.0; 4]]).unwrap();
    d.set_vertex_shader_constant_i(2047, &[[3, 0, 0, 0]])
        .unwrap();
    d.set_vertex_shader_constant_b(2047, &[true]).unwrap();
    d.set_fvf(D3DFVF_XYZ).unwrap();
    let from = d.create_vertex_buffer(12, 0, 0, D3DPOOL_SYSTEMMEM).unwrap();
    d.vertex_buffer_lock(from, 0, 0, 0).unwrap();
    d.vertex_buffer_bytes_mut(from)
        .unwrap()
        .copy_from_slice(&bytes(&[10.0, 20.0, 30.0]));
    d.vertex_buffer_unlock(from).unwrap();
    d.set_stream_source(0, Some(from), 0, 12).unwrap();
    let to = d
        .create_vertex_buffer(
            16,
            D3DUSAGE_SOFTWAREPROCESSING,
            D3DFVF_XYZW,
            D3DPOOL_DEFAULT,
        )
        .unwrap();
    d.process_vertices(0, 0, 1, to, None, 0).unwrap();
    d.vertex_buffer_lock(to, 0, 0, D3DLOCK_READONLY).unwrap();
    // v0.w is 1: three more.
    let expected = bytes(&[31.0, 62.0, 7.0, 7.0]);
    assert_eq!(*d.vertex_buffer_bytes_mut(to).unwrap(), *expected);
    d.vertex_buffer_unlock(to).unwrap();
}

#[test]
fn draws_read_the_last_constants() {
    let Some(direct3d) = direct3d() else { return };
    let mut d = make(&direct3d, D3DCREATE_MIXED_VERTEXPROCESSING).unwrap();
    d.set_software_vertex_processing(true).unwrap();
    let code = assemble(
        "vs_2_sw\n dcl_position v0\n mov oPos, v0\n mov r0, c8191\n rep i2047\n add r0.x, r0.x, c300.x\n \
         endrep\n if b2047\n mov r0.z, c300.y\n endif\n mov oD0, r0\n",
    )
    .unwrap();
    let shader = d.create_vertex_shader(code.tokens()).unwrap();
    d.set_vertex_shader(Some(shader)).unwrap();
    d.set_fvf(D3DFVF_XYZ).unwrap();
    let draw = |d: &mut Device, color: u32, what: &str| {
        d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF00_0000, 1.0, 0)
            .unwrap();
        let corners = [
            -1.0, 1.0, 0.5, 1.0, 1.0, 0.5, -1.0, -1.0, 0.5, 1.0, -1.0, 0.5,
        ];
        let drawn = d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &bytes(&corners), 12);
        assert_eq!(drawn, Ok(()), "{}", d.last_error());
        assert_near(pixels(d).at(16, 16), color, 1, what);
    };
    d.set_vertex_shader_constant_f(8191, &[[0.2, 0.4, 0.6, 1.0]])
        .unwrap();
    d.set_vertex_shader_constant_f(300, &[[0.2, 1.0, 0.0, 0.0]])
        .unwrap();
    draw(&mut d, 0x33_6699, "neither");
    d.set_vertex_shader_constant_i(2047, &[[3, 0, 0, 0]])
        .unwrap();
    draw(&mut d, 0xCC_6699, "three rounds");
    d.set_vertex_shader_constant_b(2047, &[true]).unwrap();
    draw(&mut d, 0xCC_66FF, "and a boolean");
    d.set_vertex_shader_constant_f(8191, &[[0.0, 0.8, 0.6, 1.0]])
        .unwrap();
    draw(&mut d, 0x99_CCFF, "another last constant");
}

#[test]
fn draws_blend_by_all_256_matrices_in_software() {
    let Some(direct3d) = direct3d() else { return };
    let parameters = PresentParameters::windowed(64, 64);
    let mut d = direct3d
        .create_device_with(&parameters, D3DCREATE_MIXED_VERTEXPROCESSING)
        .unwrap();
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_ZENABLE, 0).unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    d.set_render_state(D3DRS_VERTEXBLEND, D3DVBF_1WEIGHTS)
        .unwrap();
    d.set_render_state(D3DRS_INDEXEDVERTEXBLENDENABLE, 1)
        .unwrap();
    // A cell of four pixels for each matrix.
    for n in 0..256u16 {
        let mut matrix = IDENTITY;
        matrix[3][0] = f32::from(n % 16) / 8.0;
        matrix[3][1] = f32::from(n / 16) / -8.0;
        d.set_transform(D3DTS_WORLD + u32::from(n), &matrix)
            .unwrap();
    }
    let color = |n: u8| u32::from_le_bytes([255 - n, n, 128, 255]);
    let mut vertices = Vec::new();
    for n in 0..=255u8 {
        let [l, r, t, b] = [-1.0f32, -0.875, 1.0, 0.875];
        for (x, y) in [(l, t), (r, t), (l, b), (l, b), (r, t), (r, b)] {
            // Twice the same matrix: the weights do not matter.
            vertices.extend(bytes(&[x, y, 0.5, 0.25]));
            vertices.extend([n, n, 0, 0]);
            vertices.extend(color(n).to_le_bytes());
        }
    }
    d.set_fvf(D3DFVF_XYZB2 | D3DFVF_LASTBETA_UBYTE4 | D3DFVF_DIFFUSE)
        .unwrap();
    let draw = |d: &mut Device| {
        d.clear(&[], D3DCLEAR_TARGET, 0xFF00_0000, 1.0, 0).unwrap();
        let drawn = d.draw_primitive_up(D3DPT_TRIANGLELIST, 512, &vertices, 24);
        assert_eq!(drawn, Ok(()), "{}", d.last_error());
        pixels(d)
    };
    // In hardware the indices end with the capability's.
    let hardware = draw(&mut d);
    d.set_software_vertex_processing(true).unwrap();
    let software = draw(&mut d);
    for n in 0..=255u8 {
        let (x, y) = (u32::from(n % 16) * 4 + 2, u32::from(n / 16) * 4 + 2);
        let expected = color(n) & 0xFF_FFFF;
        assert_near(software.at(x, y), expected, 1, "in software");
        if n < 49 {
            assert_near(hardware.at(x, y), expected, 1, "in hardware");
        }
    }
    d.set_software_vertex_processing(false).unwrap();
    let again = draw(&mut d);
    assert_eq!(again.0.bgra, hardware.0.bgra);
}
