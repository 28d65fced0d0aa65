//! Textures: contents, shapes, copies, views.

mod common;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

#[test]
fn every_level_holds_what_was_written_to_it() {
    let Some(gpu) = gpu() else { return };
    let mut arena = arena(&gpu);
    // 13x7: 6x3, 3x1, 1x1; rows of odd length.
    let desc = TextureDesc {
        mips: 4,
        ..TextureDesc::d2(13, 7, BGRA, SAMPLED)
    };
    let texture = gpu.create_texture(&desc).unwrap();
    let mut commands = gpu.begin().unwrap();
    let contents: Vec<Vec<u8>> = (0..4u32)
        .map(|mip| {
            let [w, h, _] = texture.mip_size(mip);
            (0..w * h)
                .flat_map(|n| [n as u8, (mip * 50) as u8, 7, 255])
                .collect()
        })
        .collect();
    for (mip, data) in contents.iter().enumerate() {
        write_all(&mut commands, &mut arena, &texture, mip as u32, 0, data);
    }
    commands.submit().unwrap();
    for (mip, data) in contents.iter().enumerate() {
        assert_eq!(
            &gpu.read_texture(&texture, mip as u32, 0).unwrap(),
            data,
            "level {mip}"
        );
    }
    let view = texture.full_view().unwrap();
    let at = [
        [0.5 / 13.0, 0.5 / 7.0, 0.0, 0.0],
        [12.5 / 13.0, 6.5 / 7.0, 0.0, 0.0],
        [0.9, 0.9, 0.0, 1.0],
        [0.5, 0.5, 0.0, 3.0],
    ];
    assert_eq!(
        sample(&gpu, D2, &view, &at),
        [
            [0, 0, 7, 255],
            [90, 0, 7, 255],
            [17, 50, 7, 255],
            [0, 150, 7, 255]
        ]
    );
    let part = texture
        .view(&ViewDesc {
            format: None,
            dimension: wgt::TextureViewDimension::D2,
            mips: 2..4,
            layers: 0..1,
            aspect: wgt::TextureAspect::All,
        })
        .unwrap();
    assert_eq!(
        sample(&gpu, D2, &part, &[[0.9, 0.5, 0.0, 0.0]]),
        [[2, 100, 7, 255]]
    );
}

#[test]
fn faces_and_slices_are_where_d3d9_puts_them() {
    let Some(gpu) = gpu() else { return };
    let mut arena = arena(&gpu);
    let cube = TextureDesc {
        kind: TextureKind::Cube,
        ..TextureDesc::d2(2, 2, BGRA, SAMPLED)
    };
    let cube = gpu.create_texture(&cube).unwrap();
    let volume = TextureDesc {
        kind: TextureKind::D3,
        depth: 3,
        ..TextureDesc::d2(2, 2, BGRA, SAMPLED)
    };
    let volume = gpu.create_texture(&volume).unwrap();
    let mut commands = gpu.begin().unwrap();
    for face in 0..6u8 {
        write_all(
            &mut commands,
            &mut arena,
            &cube,
            0,
            u32::from(face),
            &[face * 10 + 1; 16],
        );
    }
    let slices: Vec<u8> = (0..3).flat_map(|z| [z * 100; 16]).collect();
    write_all(&mut commands, &mut arena, &volume, 0, 0, &slices);
    commands.submit().unwrap();
    let directions = [
        [1.0, 0.1, 0.1, 0.0],
        [-1.0, 0.1, 0.1, 0.0],
        [0.1, 1.0, 0.1, 0.0],
        [0.1, -1.0, 0.1, 0.0],
        [0.1, 0.1, 1.0, 0.0],
        [0.1, 0.1, -1.0, 0.0],
    ];
    assert_eq!(
        sample(&gpu, CUBE, &cube.full_view().unwrap(), &directions),
        [[1; 4], [11; 4], [21; 4], [31; 4], [41; 4], [51; 4]]
    );
    let depths = [
        [0.5, 0.5, 1.0 / 6.0, 0.0],
        [0.5, 0.5, 0.5, 0.0],
        [0.5, 0.5, 5.0 / 6.0, 0.0],
    ];
    assert_eq!(
        sample(&gpu, D3, &volume.full_view().unwrap(), &depths),
        [[0; 4], [100; 4], [200; 4]]
    );
    assert_eq!(gpu.read_texture(&volume, 0, 0).unwrap(), slices);
    assert_eq!(gpu.read_texture(&cube, 0, 4).unwrap(), [41; 16]);
}

#[test]
fn compressed_levels_smaller_than_a_block() {
    let Some(gpu) = gpu() else { return };
    if !gpu.caps().texture_bc {
        eprintln!("no BC textures here");
        return;
    }
    let mut arena = arena(&gpu);
    let format = wgt::TextureFormat::Bc1RgbaUnorm;
    let desc = TextureDesc {
        mips: 3,
        ..TextureDesc::d2(4, 4, format, SAMPLED)
    };
    let texture = gpu.create_texture(&desc).unwrap();
    // One DXT1 block each: colour 0 is R5G6B5 red, green, blue; all indices 0.
    let blocks = [0xf800u16, 0x07e0, 0x001f].map(|color| {
        let [low, high] = color.to_le_bytes();
        [low, high, 0, 0, 0, 0, 0, 0]
    });
    let mut commands = gpu.begin().unwrap();
    for (mip, block) in blocks.iter().enumerate() {
        write_all(&mut commands, &mut arena, &texture, mip as u32, 0, block);
    }
    commands.submit().unwrap();
    for (mip, block) in blocks.iter().enumerate() {
        assert_eq!(gpu.read_texture(&texture, mip as u32, 0).unwrap(), block);
    }
    let view = texture.full_view().unwrap();
    let at = [
        [0.5, 0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0, 1.0],
        [0.5, 0.5, 0.0, 2.0],
    ];
    assert_eq!(
        sample(&gpu, D2, &view, &at),
        [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255]]
    );
}

#[test]
fn new_textures_are_zero() {
    let Some(gpu) = gpu() else { return };
    let bc = wgt::TextureFormat::Bc3RgbaUnorm;
    let depth = wgt::TextureFormat::Depth32FloatStencil8;
    let depth_usage = wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::COPY_SRC;
    let mut descs = vec![
        TextureDesc {
            mips: 8,
            ..TextureDesc::d2(129, 70, BGRA, SAMPLED)
        },
        TextureDesc {
            kind: TextureKind::Cube,
            mips: 2,
            ..TextureDesc::d2(8, 8, BGRA, TARGET)
        },
        TextureDesc {
            kind: TextureKind::D3,
            depth: 5,
            mips: 3,
            ..TextureDesc::d2(6, 3, BGRA, SAMPLED)
        },
        TextureDesc::d2(700, 900, wgt::TextureFormat::Rgba32Float, SAMPLED),
    ];
    if gpu.caps().texture_bc {
        descs.push(TextureDesc {
            mips: 5,
            ..TextureDesc::d2(20, 12, bc, SAMPLED)
        });
    }
    if gpu.caps().depth32_stencil8 {
        descs.push(TextureDesc::d2(5, 5, depth, depth_usage));
    }
    for desc in descs {
        let texture = gpu.create_texture(&desc).unwrap();
        for (mip, layer) in
            (0..texture.mips()).flat_map(|m| (0..texture.layers()).map(move |l| (m, l)))
        {
            let bytes = gpu.read_texture(&texture, mip, layer).unwrap();
            assert!(
                !bytes.is_empty() && bytes.iter().all(|&b| b == 0),
                "{texture:?} {mip} {layer}"
            );
        }
    }
}

#[test]
fn texture_and_buffer_copies() {
    let Some(gpu) = gpu() else { return };
    let mut arena = arena(&gpu);
    let from = gpu
        .create_texture(&TextureDesc::d2(5, 3, BGRA, SAMPLED))
        .unwrap();
    let to = gpu
        .create_texture(&TextureDesc::d2(4, 4, BGRA, TARGET))
        .unwrap();
    let data: Vec<u8> = (0..60).collect();
    let mut commands = gpu.begin().unwrap();
    write_all(&mut commands, &mut arena, &from, 0, 0, &data);
    let region = Region {
        origin: [1, 1, 0],
        size: [3, 2, 1],
        ..Region::whole(&from, 0, 0)
    };
    commands
        .copy_texture_to_texture(&from, &region, &to, 0, 0, [0, 2, 0])
        .unwrap();
    // Twice over the same place: the second wins.
    write_all(&mut commands, &mut arena, &from, 0, 0, &[255; 60]);
    let corner = Region {
        origin: [4, 2, 0],
        size: [1, 1, 1],
        ..region
    };
    commands
        .copy_texture_to_texture(&from, &corner, &to, 0, 0, [0, 2, 0])
        .unwrap();
    commands.submit().unwrap();
    let bytes = gpu.read_texture(&to, 0, 0).unwrap();
    assert_eq!(texel(&bytes, 4, 0, 2), [255; 4]);
    assert_eq!(texel(&bytes, 4, 1, 2), [28, 29, 30, 31]);
    assert_eq!(texel(&bytes, 4, 2, 3), [52, 53, 54, 55]);
    assert_eq!(texel(&bytes, 4, 3, 2), [0; 4]);

    use wgt::BufferUsages as U;
    let buffer = |usage| {
        gpu.create_buffer(&BufferDesc {
            label: "",
            size: 32,
            usage,
        })
        .unwrap()
    };
    let source = buffer(U::COPY_SRC | U::MAP_WRITE);
    let middle = buffer(U::COPY_SRC | U::COPY_DST | U::VERTEX);
    let result = buffer(U::COPY_DST | U::MAP_READ);
    source.write(0, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let mut commands = gpu.begin().unwrap();
    commands
        .copy_buffer_to_buffer(&source, 0, &middle, 8, 8)
        .unwrap();
    commands
        .copy_buffer_to_buffer(&middle, 12, &result, 0, 4)
        .unwrap();
    commands
        .copy_buffer_to_buffer(&source, 0, &middle, 12, 4)
        .unwrap();
    commands
        .copy_buffer_to_buffer(&middle, 8, &result, 4, 8)
        .unwrap();
    let value = commands.submit().unwrap();
    gpu.wait(value, None).unwrap();
    let mut bytes = [0; 12];
    result.read(0, &mut bytes).unwrap();
    assert_eq!(bytes, [5, 6, 7, 8, 1, 2, 3, 4, 1, 2, 3, 4]);
}

#[test]
fn srgb_views_decode_and_encode() {
    let Some(gpu) = gpu() else { return };
    let mut arena = arena(&gpu);
    let desc = TextureDesc {
        srgb_views: true,
        ..TextureDesc::d2(1, 1, BGRA, TARGET)
    };
    let texture = gpu.create_texture(&desc).unwrap();
    let mut commands = gpu.begin().unwrap();
    write_all(
        &mut commands,
        &mut arena,
        &texture,
        0,
        0,
        &[188, 188, 188, 188],
    );
    commands.submit().unwrap();
    let view = |dimension| {
        texture
            .view(&ViewDesc {
                format: Some(wgt::TextureFormat::Bgra8UnormSrgb),
                dimension,
                mips: 0..1,
                layers: 0..1,
                aspect: wgt::TextureAspect::All,
            })
            .unwrap()
    };
    let view = view(wgt::TextureViewDimension::D2);
    // ((188/255 + 0.055) / 1.055)^2.4 = 0.5029; alpha is linear.
    let got = sample(&gpu, D2, &view, &[[0.5, 0.5, 0.0, 0.0]])[0];
    assert!((127..=129).contains(&got[0]), "{got:?}");
    assert_eq!(got[3], 188);
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([0.5, 0.5, 0.5, 0.5]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    commands.submit().unwrap();
    let got = gpu.read_texture(&texture, 0, 0).unwrap();
    assert!(
        (187..=189).contains(&got[0]) && (127..=128).contains(&got[3]),
        "{got:?}"
    );
}
