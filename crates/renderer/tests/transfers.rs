//! Uploads, copies, scaled copies, mip generation, readback.

mod common;

use common::{draw, near, pixel, pixels, quad, target, texture, whole};
use ninefold_renderer::{
    Attachment, Box3, ErrorKind, ImageDesc, ImageFormat, ImageKind, ImageUsage, Rect, RhwState,
};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const WHITE: u32 = 0xFFFF_FFFF;
const BLACK: u32 = 0xFF00_0000;

#[test]
fn formats_round_trip_with_odd_widths_and_pitches() {
    let mut r = gpu_or_skip!();
    for format in [
        ImageFormat::Bgra8,
        ImageFormat::Rgba8,
        ImageFormat::R8,
        ImageFormat::Rg8,
        ImageFormat::Rgba8Snorm,
        ImageFormat::Rg8Snorm,
        ImageFormat::Rgb10A2,
        ImageFormat::R16,
        ImageFormat::Rg16,
        ImageFormat::Rgba16,
        ImageFormat::R16Float,
        ImageFormat::Rg16Float,
        ImageFormat::Rgba16Float,
        ImageFormat::R32Float,
        ImageFormat::Rg32Float,
        ImageFormat::Rgba32Float,
        ImageFormat::Bc1,
        ImageFormat::Bc2,
        ImageFormat::Bc3,
    ] {
        let edge = if format.block_edge() == 4 { 12 } else { 7 };
        let image = r.create_image(&ImageDesc::d2(edge, edge, format)).unwrap();
        let row = format.row_bytes(edge);
        let rows = format.rows(edge) as usize;
        let pitch = row + 3;
        let data: Vec<u8> = (0..pitch * rows).map(|i| (i * 7 % 127) as u8).collect();
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: edge,
            h: edge,
            d: 1,
        };
        r.upload(&image, 0, 0, area, &data, pitch, 0).unwrap();
        let back = r.read_image(&image, 0, 0).unwrap();
        let want: Vec<u8> = data
            .chunks(pitch)
            .flat_map(|line| line[..row].iter().copied())
            .collect();
        assert_eq!(back, want, "{format:?}");
    }
}

#[test]
fn parts_of_levels_faces_and_slices() {
    let mut r = gpu_or_skip!();
    let cube = r
        .create_image(&ImageDesc {
            kind: ImageKind::Cube,
            levels: 0,
            ..ImageDesc::d2(4, 4, ImageFormat::R8)
        })
        .unwrap();
    assert_eq!(cube.desc().levels, 3);
    let area = Box3 {
        x: 1,
        y: 0,
        z: 0,
        w: 1,
        h: 2,
        d: 1,
    };
    r.upload(&cube, 1, 5, area, &[7, 9], 1, 0).unwrap();
    assert_eq!(r.read_image(&cube, 1, 5).unwrap(), [0, 7, 0, 9]);
    assert_eq!(r.read_image(&cube, 1, 4).unwrap(), [0; 4]);
    let volume = r
        .create_image(&ImageDesc {
            kind: ImageKind::Volume,
            depth: 3,
            ..ImageDesc::d2(2, 1, ImageFormat::R8)
        })
        .unwrap();
    // Slices 5 bytes apart, which is no multiple of the row pitch.
    let area = Box3 {
        x: 0,
        y: 0,
        z: 1,
        w: 2,
        h: 1,
        d: 2,
    };
    r.upload(&volume, 0, 0, area, &[1, 2, 0, 0, 0, 3, 4], 2, 5)
        .unwrap();
    assert_eq!(r.read_image(&volume, 0, 0).unwrap(), [0, 0, 1, 2, 3, 4]);
    for (level, layer, area) in [
        (
            3,
            0,
            Box3 {
                x: 0,
                y: 0,
                z: 0,
                w: 1,
                h: 1,
                d: 1,
            },
        ),
        (
            0,
            6,
            Box3 {
                x: 0,
                y: 0,
                z: 0,
                w: 1,
                h: 1,
                d: 1,
            },
        ),
        (
            0,
            0,
            Box3 {
                x: 3,
                y: 0,
                z: 0,
                w: 2,
                h: 1,
                d: 1,
            },
        ),
        (
            0,
            0,
            Box3 {
                x: 0,
                y: 0,
                z: 1,
                w: 1,
                h: 1,
                d: 1,
            },
        ),
        (
            0,
            0,
            Box3 {
                x: u32::MAX,
                y: 0,
                z: 0,
                w: 2,
                h: 1,
                d: 1,
            },
        ),
    ] {
        let error = r
            .upload(&cube, level, layer, area, &[0; 64], 4, 16)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Bounds);
    }
    let bc = r
        .create_image(&ImageDesc::d2(8, 8, ImageFormat::Bc1))
        .unwrap();
    let half = Box3 {
        x: 2,
        y: 0,
        z: 0,
        w: 4,
        h: 4,
        d: 1,
    };
    assert_eq!(
        r.upload(&bc, 0, 0, half, &[0; 8], 8, 0).unwrap_err().kind(),
        ErrorKind::Args
    );
}

#[test]
fn compressed_blocks_decode() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    // One DXT1 block: colour 0 pure red (0xF800), colour 1 pure blue (0x001F), all indices 0 but
    // the last row, which has index 1.
    let block = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0x55];
    let image = r
        .create_image(&ImageDesc::d2(4, 4, ImageFormat::Bc1))
        .unwrap();
    r.upload(
        &image,
        0,
        0,
        Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: 4,
            h: 4,
            d: 1,
        },
        &block,
        8,
        0,
    )
    .unwrap();
    let state = RhwState {
        texture: Some(image),
        ..RhwState::default()
    };
    draw(
        &mut r,
        &context,
        &state,
        &quad(0.0, 0.0, 4.0, 4.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixel(&bytes, 4, 2, 2), RED);
    assert_eq!(pixel(&bytes, 4, 2, 3), BLUE);
}

#[test]
fn copies_are_ordered() {
    let mut r = gpu_or_skip!();
    let a = texture(&mut r, 2, 2, &[RED, GREEN, BLUE, WHITE]);
    let b = texture(&mut r, 2, 2, &[BLACK; 4]);
    let one = Box3 {
        x: 1,
        y: 0,
        z: 0,
        w: 1,
        h: 2,
        d: 1,
    };
    r.copy_image((&a, 0, 0), one, (&b, 0, 0), [0, 0, 0])
        .unwrap();
    common::upload(&mut r, &a, 0, 2, 2, &[BLACK; 4]);
    assert_eq!(
        pixels(&r.read_image(&b, 0, 0).unwrap()),
        [GREEN, BLACK, WHITE, BLACK]
    );
    assert_eq!(pixels(&r.read_image(&a, 0, 0).unwrap()), [BLACK; 4]);
    let other = r
        .create_image(&ImageDesc::d2(2, 2, ImageFormat::Rgba8))
        .unwrap();
    assert!(
        r.copy_image((&a, 0, 0), one, (&other, 0, 0), [0; 3])
            .is_err()
    );
    assert!(
        r.copy_image((&a, 0, 0), one, (&b, 0, 0), [2, 0, 0])
            .is_err()
    );
}

#[test]
fn stretching_scales_converts_and_filters() {
    let mut r = gpu_or_skip!();
    let source = texture(&mut r, 2, 2, &[RED, GREEN, BLUE, WHITE]);
    let big = target(&mut r, 4, 4, ImageFormat::Bgra8, 1);
    let from = Attachment::new(source.clone());
    let to = Attachment::new(big.clone());
    r.stretch(&from, whole(&source), &to, whole(&big), false)
        .unwrap();
    let bytes = r.read_image(&big, 0, 0).unwrap();
    for y in 0..4 {
        for x in 0..4 {
            let want = [RED, GREEN, BLUE, WHITE][(y / 2 * 2 + x / 2) as usize];
            assert_eq!(pixel(&bytes, 4, x, y), want, "{x} {y}");
        }
    }
    // Four texels onto one pixel by a linear filter: the mean.
    let small = target(&mut r, 1, 1, ImageFormat::Rgba8, 1);
    r.stretch(
        &from,
        whole(&source),
        &Attachment::new(small.clone()),
        whole(&small),
        true,
    )
    .unwrap();
    let bytes = r.read_image(&small, 0, 0).unwrap();
    assert!(
        bytes
            .iter()
            .zip([128, 128, 128, 255])
            .all(|(a, b)| a.abs_diff(b) <= 1),
        "{bytes:?}"
    );
    // A part, unscaled and of one format, is copied exactly, and into a plain image too.
    let plain = texture(&mut r, 2, 2, &[BLACK; 4]);
    let right = Rect {
        x: 1,
        y: 0,
        w: 1,
        h: 2,
    };
    let left = Rect { x: 0, ..right };
    r.stretch(&from, right, &Attachment::new(plain.clone()), left, true)
        .unwrap();
    let got = pixels(&r.read_image(&plain, 0, 0).unwrap());
    assert_eq!(got, [GREEN, BLACK, WHITE, BLACK]);
    // A destination without alpha keeps alpha 1.
    let faint = texture(&mut r, 2, 2, &[0x0011_2233; 4]);
    let opaque = Attachment {
        opaque_alpha: true,
        ..Attachment::new(big.clone())
    };
    r.stretch(
        &Attachment::new(faint),
        whole(&source),
        &opaque,
        whole(&big),
        false,
    )
    .unwrap();
    assert_eq!(
        pixels(&r.read_image(&big, 0, 0).unwrap()),
        [0xFF11_2233; 16]
    );
    let wide = Rect {
        x: 0,
        y: 0,
        w: 3,
        h: 2,
    };
    assert_eq!(
        r.stretch(&from, wide, &to, whole(&big), false)
            .unwrap_err()
            .kind(),
        ErrorKind::Bounds
    );
    assert!(
        r.stretch(&to, whole(&big), &to, whole(&big), false)
            .is_err()
    );
    assert!(
        r.stretch(&to, whole(&big), &from, whole(&source), false)
            .is_err()
    );
}

#[test]
fn channels_that_a_source_lacks_are_one() {
    let mut r = gpu_or_skip!();
    let half = 0.5f32.to_le_bytes();
    let quarter = 0.25f32.to_le_bytes();
    for (format, texel, want) in [
        (ImageFormat::R32Float, half.to_vec(), 0xFF80_FFFF),
        (
            ImageFormat::Rg32Float,
            [half, quarter].concat(),
            0xFF80_40FF,
        ),
        (ImageFormat::Rg16, vec![0xFF, 0xFF, 0, 0], 0xFFFF_00FF),
    ] {
        let source = r.create_image(&ImageDesc::d2(1, 1, format)).unwrap();
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: 1,
            h: 1,
            d: 1,
        };
        r.upload(&source, 0, 0, area, &texel, texel.len(), 0)
            .unwrap();
        let to = target(&mut r, 2, 2, ImageFormat::Bgra8, 1);
        r.stretch(
            &Attachment::new(source.clone()),
            whole(&source),
            &Attachment::new(to.clone()),
            whole(&to),
            false,
        )
        .unwrap();
        let got = pixel(&r.read_image(&to, 0, 0).unwrap(), 2, 1, 1);
        assert!(near(got, want, 1), "{format:?}: {got:08x}, not {want:08x}");
    }
}

#[test]
fn mips_are_generated_by_a_box() {
    let mut r = gpu_or_skip!();
    let image = r
        .create_image(&ImageDesc {
            levels: 0,
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(4, 4, ImageFormat::Bgra8)
        })
        .unwrap();
    let texels: Vec<u32> = (0..16)
        .map(|n| if n % 4 < 2 { 0xFF00_00C8 } else { 0xFF64_0000 })
        .collect();
    common::upload(&mut r, &image, 0, 4, 4, &texels);
    r.generate_mips(&image).unwrap();
    let level1 = pixels(&r.read_image(&image, 1, 0).unwrap());
    assert_eq!(level1, [0xFF00_00C8, 0xFF64_0000, 0xFF00_00C8, 0xFF64_0000]);
    let level2 = pixels(&r.read_image(&image, 2, 0).unwrap());
    assert!(near(level2[0], 0xFF32_0064, 1), "{:08x}", level2[0]);
    let plain = texture(&mut r, 2, 2, &[RED; 4]);
    assert!(r.generate_mips(&plain).is_err());
}

#[test]
fn images_that_cannot_be_are_refused() {
    let mut r = gpu_or_skip!();
    let good = ImageDesc::d2(4, 4, ImageFormat::Bgra8);
    for desc in [
        ImageDesc { width: 0, ..good },
        ImageDesc {
            width: 1 << 20,
            ..good
        },
        ImageDesc { levels: 4, ..good },
        ImageDesc {
            kind: ImageKind::Cube,
            height: 2,
            ..good
        },
        ImageDesc { depth: 2, ..good },
        ImageDesc {
            samples: 3,
            usage: ImageUsage::COLOR,
            ..good
        },
        ImageDesc {
            kind: ImageKind::Volume,
            usage: ImageUsage::COLOR,
            ..good
        },
        ImageDesc {
            format: ImageFormat::Bc1,
            usage: ImageUsage::COLOR,
            ..good
        },
    ] {
        assert!(r.create_image(&desc).is_err(), "{desc:?}");
    }
}
