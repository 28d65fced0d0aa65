//! However vertices are made, on one thread or many, the generic or the skinning way, compared or
//! not: the bytes are the same.

use super::*;

pub(super) const STRIDE: usize = 44;
const WRITTEN: usize = 32;
/// Enough for several threads, and no multiple of anything.
const COUNT: usize = 70_003;

/// A device that processes vertices like this.
pub(super) fn processing(vertices: VertexSettings) -> Option<Device> {
    let settings = DeviceSettings {
        vertices,
        ..DeviceSettings::default()
    };
    // Says that there is no GPU, or fails where one is required.
    drop(device(16, 16)?);
    let direct3d = Direct3D9::new(settings).expect("an adapter");
    let parameters = PresentParameters::windowed(16, 16);
    Some(direct3d.create_device(&parameters).expect("a device"))
}

pub(super) fn vertices() -> Vec<u8> {
    let mut out = Vec::with_capacity(COUNT * STRIDE);
    for n in 0..COUNT {
        let weight = (n % 5) as f32 * 0.25;
        let x = match n % 97 {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -0.0,
            _ => (n % 91) as f32 - 40.5,
        };
        out.extend(bytes(&[x, (n % 7) as f32, -1.0, 0.0, 0.6, -0.8]));
        out.extend(bytes(&[n as f32 * 0.25, 0.5]));
        out.extend([3 * (n % 20) as u8, 3 * (n % 13) as u8, 9, 200]);
        out.extend(bytes(&[weight, 1.0 - weight]));
    }
    out
}

/// Sets everything but the shader's own state; gives a destination.
pub(super) fn prepare(d: &mut Device, source_bytes: &[u8]) -> VertexBufferHandle {
    let elements = [
        element(0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
        element(12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0),
        element(24, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
        element(32, D3DDECLTYPE_UBYTE4N, D3DDECLUSAGE_BLENDINDICES, 0),
        element(36, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_BLENDWEIGHT, 0),
    ];
    source(d, &elements, STRIDE as u32, source_bytes);
    shader(d, skin::SHADER);
    let mut floats = vec![[0.0; 4]; 256];
    for (n, row) in floats.iter_mut().enumerate().skip(29) {
        *row = [0.5, -0.25, n as f32 * 0.01, 1.0];
    }
    floats[5][3] = 0.25;
    floats[9][3] = 255.0;
    floats[40] = [0.0, f32::INFINITY, f32::NAN, -0.0];
    d.set_vertex_shader_constant_f(0, &floats)
        .expect("constants");
    let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1;
    blank(d, fvf, WRITTEN * (COUNT + 2))
}

/// What a device with these settings makes of all vertices, its clip status, and what it says of
/// a call whose last vertex addresses a bone that there is not.
fn made(vertices: VertexSettings, bytes: &[u8]) -> Option<(Vec<u8>, ClipStatus, String)> {
    let mut d = processing(vertices)?;
    let to = prepare(&mut d, bytes);
    d.set_render_state(D3DRS_CLIPPING, 1).expect("set");
    d.set_clip_status(ClipStatus::default());
    run(&mut d, 1, COUNT as u32, to, D3DPV_DONOTCOPYDATA);
    let out = contents(&mut d, to);
    let clip = d.get_clip_status();
    let mut stray = bytes.to_vec();
    let mut all = String::new();
    // The last two have the weight 0 for that bone: it is read nevertheless.
    for (vertex, bone) in [(COUNT - 1, 1), (COUNT / 2, 1), (204, 1), (105, 0)] {
        stray[vertex * STRIDE + 32 + bone] = 255;
        let to = prepare(&mut d, &stray);
        let said = refused(&mut d, [0, 1, COUNT as u32], to, None, D3DPV_DONOTCOPYDATA);
        assert!(said.contains("c284"), "{said}");
        all += &said;
    }
    // Addresses that are no numbers.
    for scale in [f32::NAN, f32::INFINITY] {
        let to = prepare(&mut d, bytes);
        d.set_vertex_shader_constant_f(9, &[[scale; 4]])
            .expect("set");
        all += &refused(&mut d, [0, 1, COUNT as u32], to, None, D3DPV_DONOTCOPYDATA);
    }
    Some((out, clip, all))
}

#[test]
fn every_way_makes_the_same_bytes() {
    let bytes = vertices();
    let plain = VertexSettings {
        skin_fast: false,
        threads: 1,
        ..VertexSettings::default()
    };
    let Some(expected) = made(plain.clone(), &bytes) else {
        return;
    };
    for (n, vertex) in expected.0.chunks_exact(WRITTEN).enumerate() {
        let written = (1..=COUNT).contains(&n);
        assert_eq!(vertex[..12] != [BLANK; 12], written, "position of {n}");
        assert_eq!(vertex[12..24], [BLANK; 12], "normal of {n}");
    }
    let ways = [
        VertexSettings {
            threads: 4,
            ..plain.clone()
        },
        VertexSettings {
            skin_fast: true,
            ..plain.clone()
        },
        VertexSettings {
            skin_fast: true,
            threads: 3,
            ..plain.clone()
        },
        VertexSettings {
            differential: true,
            skin_fast: true,
            ..plain.clone()
        },
        VertexSettings {
            differential: true,
            differential_from_frame: None,
            ..plain
        },
    ];
    for way in ways {
        let said = format!("{way:?}");
        let made = made(way, &bytes).expect("as before");
        assert!(made.0 == expected.0, "other bytes: {said}");
        assert_eq!((made.1, made.2), (expected.1, expected.2.clone()), "{said}");
    }
}

/// Destinations of other layouts, and without D3DRS_CLIPPING: both ways make the same bytes.
#[test]
fn destinations_of_all_layouts_get_the_same() {
    let bytes = &vertices()[..STRIDE * 203];
    let fvfs = [
        D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1,
        D3DFVF_XYZ | D3DFVF_TEX1,
        D3DFVF_XYZ,
        D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX2,
        D3DFVF_XYZRHW | D3DFVF_TEX1,
    ];
    let mut results = Vec::new();
    for skin_fast in [false, true] {
        let Some(mut d) = processing(VertexSettings {
            skin_fast,
            ..VertexSettings::default()
        }) else {
            return;
        };
        let mut all = Vec::new();
        for fvf in fvfs {
            for (clipping, flags) in [(0, 0), (0, D3DPV_DONOTCOPYDATA), (1, 0)] {
                prepare(&mut d, bytes);
                d.set_render_state(D3DRS_CLIPPING, clipping).expect("set");
                d.set_clip_status(ClipStatus::default());
                let to = blank(&mut d, fvf, 40 * 210);
                run(&mut d, 3, 203, to, flags);
                all.push((contents(&mut d, to), d.get_clip_status()));
            }
        }
        results.push(all);
    }
    assert!(results[0] == results[1]);
}

/// A shader that is one token off is run as it is written, the fast way on or not.
#[test]
fn a_changed_token_is_obeyed() {
    let bytes = &vertices()[..STRIDE * 100];
    let known = assemble(skin::SHADER).expect("it assembles");
    let changed = assemble(&skin::SHADER.replace("dp4 oPos.z, v0, r3", "dp4 oPos.z, v0, r2"));
    let changed = changed.expect("it assembles");
    let pairs = known.tokens().iter().zip(changed.tokens());
    assert_eq!(pairs.filter(|(a, b)| a != b).count(), 1);
    let mut results = Vec::new();
    for skin_fast in [false, true] {
        let Some(mut d) = processing(VertexSettings {
            skin_fast,
            ..VertexSettings::default()
        }) else {
            return;
        };
        for code in [&known, &changed] {
            let to = prepare(&mut d, bytes);
            let shader = d.create_vertex_shader(code.tokens()).expect("a shader");
            d.set_vertex_shader(Some(shader)).expect("set");
            run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
            results.push(contents(&mut d, to));
        }
    }
    assert!(results[0] == results[2] && results[1] == results[3] && results[0] != results[1]);
}

#[test]
fn the_fixed_function_makes_the_same_on_threads() {
    let bytes = vertices();
    let mut results = Vec::new();
    for threads in [1, 4] {
        let settings = VertexSettings {
            threads,
            ..VertexSettings::default()
        };
        let Some(mut d) = processing(settings) else {
            return;
        };
        prepare(&mut d, &bytes);
        d.set_vertex_shader(None).expect("set");
        let to = blank(
            &mut d,
            D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1,
            28 * COUNT,
        );
        run(&mut d, 0, COUNT as u32, to, 0);
        results.push(contents(&mut d, to));
    }
    assert!(results[0] == results[1]);
}

#[test]
fn a_destination_that_is_a_source_gets_what_another_gets() {
    for differential in [false, true] {
        let settings = VertexSettings {
            skin_fast: true,
            differential,
            ..VertexSettings::default()
        };
        let Some(mut d) = processing(settings) else {
            return;
        };
        let bytes = vertices()[..STRIDE * 100].to_vec();
        let to = prepare(&mut d, &bytes);
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        let apart = contents(&mut d, to);
        // The same vertices in a buffer that may be written too.
        let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1;
        let both = buffer(&mut d, fvf, &bytes);
        d.set_stream_source(0, Some(both), 0, STRIDE as u32)
            .expect("bound");
        run(&mut d, 0, 100, both, D3DPV_DONOTCOPYDATA);
        let out = contents(&mut d, both);
        for n in 0..100 {
            let (a, b) = (&out[32 * n..], &apart[32 * n..]);
            assert_eq!(a[..12], b[..12], "position of {n}");
            assert_eq!(a[24..32], b[24..32], "coordinates of {n}");
        }
    }
}
