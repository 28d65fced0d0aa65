//! Uploads, copies, scaled copies, resolves, mip generation, readback, render-target formats.

mod common;

use common::raw::{Owned, RHW, strides};
use common::{draw, near, pixel, pixels, quad, texture};
use ninefold_renderer::{
    Attachment, Box3, ErrorKind, Image, ImageDesc, ImageFormat, ImageKind, ImageUsage, Rect,
    Renderer, RhwState, StreamData, Targets, Viewport,
};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const WHITE: u32 = 0xFFFF_FFFF;
const BLACK: u32 = 0xFF00_0000;

fn target(r: &mut Renderer, w: u32, h: u32, format: ImageFormat, samples: u32) -> Image {
    r.create_image(&ImageDesc {
        samples,
        usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
        ..ImageDesc::d2(w, h, format)
    })
    .unwrap()
}

fn only(image: &Image) -> Targets {
    Targets {
        colors: [Some(Attachment::new(image.clone())), None, None, None],
        depth: None,
    }
}

fn whole(image: &Image) -> Rect {
    Rect {
        x: 0,
        y: 0,
        w: image.desc().width,
        h: image.desc().height,
    }
}

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
fn multisampled_targets_resolve() {
    let mut r = gpu_or_skip!();
    let many = target(&mut r, 4, 4, ImageFormat::Bgra8, 4);
    let targets = only(&many);
    r.clear(&targets, &[], Some([1.0, 0.0, 0.0, 1.0]), None, None)
        .unwrap();
    r.clear(
        &targets,
        &[Rect {
            x: 0,
            y: 0,
            w: 2,
            h: 4,
        }],
        Some([0.0, 1.0, 0.0, 1.0]),
        None,
        None,
    )
    .unwrap();
    let want = [GREEN, GREEN, RED, RED];
    let got = pixels(&r.read_image(&many, 0, 0).unwrap());
    assert_eq!(got[..4], want);
    let single = target(&mut r, 4, 4, ImageFormat::Bgra8, 1);
    let (from, to) = (
        Attachment::new(many.clone()),
        Attachment::new(single.clone()),
    );
    r.resolve(&from, &to).unwrap();
    assert_eq!(pixels(&r.read_image(&single, 0, 0).unwrap())[..4], want);
    let small = target(&mut r, 2, 1, ImageFormat::Bgra8, 1);
    r.stretch(
        &from,
        whole(&many),
        &Attachment::new(small.clone()),
        whole(&small),
        false,
    )
    .unwrap();
    assert_eq!(pixels(&r.read_image(&small, 0, 0).unwrap()), [GREEN, RED]);
    assert!(r.resolve(&to, &to).is_err());
    let depth = r
        .create_image(&ImageDesc {
            usage: ImageUsage::DEPTH,
            ..ImageDesc::d2(4, 4, ImageFormat::D32S8)
        })
        .unwrap();
    // A depth target of another sample count is cleared all the same.
    let mixed = Targets {
        depth: Some(Attachment::new(depth.clone())),
        ..targets
    };
    let corner = Rect {
        x: 0,
        y: 0,
        w: 1,
        h: 1,
    };
    r.clear(&mixed, &[], None, Some(0.5), None).unwrap();
    r.clear(
        &mixed,
        &[corner],
        Some([0.0, 0.0, 1.0, 1.0]),
        Some(0.25),
        None,
    )
    .unwrap();
    let depths: Vec<f32> = bytemuck::pod_collect_to_vec(&r.read_image(&depth, 0, 0).unwrap());
    assert_eq!(depths[..2], [0.25, 0.5]);
    let got = pixels(&r.read_image(&many, 0, 0).unwrap());
    assert_eq!(got[..3], [0xFF00_00FF, GREEN, RED]);
    // Whole surfaces of many samples copy them, and one sample goes to all of many.
    let copy = target(&mut r, 4, 4, ImageFormat::Bgra8, 4);
    let into = Attachment::new(copy.clone());
    r.stretch(&from, whole(&many), &into, whole(&copy), false)
        .unwrap();
    assert_eq!(pixels(&r.read_image(&copy, 0, 0).unwrap()), got);
    r.stretch(&to, whole(&single), &into, whole(&copy), false)
        .unwrap();
    assert_eq!(pixels(&r.read_image(&copy, 0, 0).unwrap())[..4], want);
}

#[test]
fn the_sample_mask_and_the_depth_range() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    for (samples, mask, want) in [
        (4, 0b0001, 64),
        (4, 0b1010, 128),
        (4, 0xFFFF_FFF7, 191),
        (4, 0x10, 0),
        (1, 0, 255),
    ] {
        let image = target(&mut r, 3, 3, ImageFormat::Bgra8, samples);
        let targets = only(&image);
        let mut owned = Owned::new(&mut r, 3, 3, &RHW, &strides(28));
        owned.raster.sample_mask = mask;
        let vertices = quad(0.0, 0.0, 3.0, 3.0, 0.5, !0);
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.targets = &targets;
        draw.viewport = Viewport::full(3, 3);
        r.draw(&draw).unwrap();
        let red = pixels(&r.read_image(&image, 0, 0).unwrap())[4] >> 16 & 0xFF;
        assert!(
            red.abs_diff(want) <= 1,
            "{samples} samples, mask {mask:#x}: {red}"
        );
    }
    for (unclipped, z, drawn) in [
        (false, 0.5, true),
        (false, -1.0, false),
        (false, 2.0, false),
        (true, -1.0, true),
        (true, 2.0, true),
    ] {
        r.clear_context(&context, BLACK).unwrap();
        let mut owned = Owned::new(&mut r, 1, 1, &RHW, &strides(28));
        owned.raster.unclipped = unclipped;
        let vertices = quad(0.0, 0.0, 1.0, 1.0, z, !0);
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let draw = owned.draw(&mut r, &context, &streams, 6);
        r.draw(&draw).unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert_eq!(got != BLACK, drawn, "unclipped {unclipped}, z {z}");
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
fn targets_without_alpha_keep_alpha_one() {
    let mut r = gpu_or_skip!();
    let image = target(&mut r, 2, 1, ImageFormat::Bgra8, 1);
    let mut targets = only(&image);
    targets.colors[0].as_mut().unwrap().opaque_alpha = true;
    r.clear(&targets, &[], Some([0.0, 0.0, 0.0, 0.0]), None, None)
        .unwrap();
    let mut owned = Owned::new(&mut r, 2, 1, &RHW, &strides(28));
    let context = r.create_context(2, 1).unwrap();
    // DESTALPHA counts as 1, INVDESTALPHA as 0; the written alpha of 0 goes nowhere.
    for (x, src, want) in [(0.0, 7, 0xFF33_6699), (1.0, 8, BLACK)] {
        (owned.blend.enabled, owned.blend.src, owned.blend.dst) = (true, src, 1);
        (owned.blend.src_alpha, owned.blend.dst_alpha) = (src, 1);
        let vertices = quad(x, 0.0, x + 1.0, 1.0, 0.5, 0x0033_6699);
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.targets = &targets;
        r.draw(&draw).unwrap();
        assert_eq!(
            pixels(&r.read_image(&image, 0, 0).unwrap())[x as usize],
            want
        );
    }
    r.clear(
        &targets,
        &[Rect {
            x: 0,
            y: 0,
            w: 1,
            h: 1,
        }],
        Some([1.0, 0.0, 0.0, 0.25]),
        None,
        None,
    )
    .unwrap();
    assert_eq!(pixels(&r.read_image(&image, 0, 0).unwrap())[0], RED);
}

#[test]
fn srgb_reads_and_writes() {
    use ninefold_renderer::TextureBinding;
    use ninefold_shader::fixed::{
        FragmentKey, FragmentStage, VertexKey, VertexStage, coordinate, op, position, stage_texture,
    };
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(&mut r, 1, 1, &RHW, &strides(28));
    let mut vertex = VertexKey {
        position: position::PIXELS,
        ..VertexKey::default()
    };
    vertex.stages[0] = VertexStage {
        source: coordinate::SET,
        set: 0,
        components: 2,
        transform: 0,
    };
    owned.vertex = r.fixed_vertex(&vertex).unwrap();
    let mut key = FragmentKey::default();
    key.stages[0] = FragmentStage {
        color_op: op::SELECTARG1,
        color_args: [0, op::arg::TEXTURE, 0],
        alpha_op: op::SELECTARG1,
        alpha_args: [0, op::arg::TEXTURE, 0],
        texture: stage_texture::D2,
        ..FragmentStage::default()
    };
    owned.pixel = r.fixed_fragment(&key).unwrap();
    let image = texture(&mut r, 1, 1, &[0x80BC_0080]);
    // sRGB 0xBC is linear 0.503 (0x80), 0x80 is linear 0.216 (0x37); alpha is linear anyway.
    for (read, write, want) in [
        (false, false, 0x80BC_0080),
        (true, false, 0x8080_0037),
        (true, true, 0x80BC_0080),
        (false, true, 0x80DE_00BC),
    ] {
        owned.textures[0] = Some(TextureBinding {
            image: image.clone(),
            srgb: read,
        });
        let mut targets = context.targets().clone();
        targets.colors[0].as_mut().unwrap().srgb = write;
        // A clear is encoded as a draw is: 0.5 becomes 0xBC.
        let cleared = if write { 0xFFBC_BCBC } else { 0xFF80_8080 };
        r.clear(&targets, &[], Some([0.5, 0.5, 0.5, 1.0]), None, None)
            .unwrap();
        let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE);
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        draw.targets = &targets;
        draw.scissor = Some(Rect {
            x: 0,
            y: 0,
            w: 0,
            h: 1,
        });
        r.draw(&draw).unwrap();
        assert!(near(
            pixels(&r.read_framebuffer(&context).unwrap())[0],
            cleared,
            1
        ));
        draw.scissor = None;
        r.draw(&draw).unwrap();
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(
            near(got, want, 1),
            "read {read} write {write}: {got:08x}, expected {want:08x}"
        );
    }
}

#[test]
fn depth_surfaces_may_be_larger_than_the_target() {
    let mut r = gpu_or_skip!();
    let color = target(&mut r, 2, 2, ImageFormat::Bgra8, 1);
    let depth = r
        .create_image(&ImageDesc {
            usage: ImageUsage::DEPTH,
            ..ImageDesc::d2(4, 4, ImageFormat::D32S8)
        })
        .unwrap();
    let targets = Targets {
        depth: Some(Attachment::new(depth.clone())),
        ..only(&color)
    };
    // A clear through the small target leaves the rest of the depth surface alone.
    let small = [Rect {
        x: 0,
        y: 0,
        w: 2,
        h: 2,
    }];
    r.clear(
        &targets,
        &small,
        Some([0.0, 1.0, 0.0, 1.0]),
        Some(0.25),
        None,
    )
    .unwrap();
    assert_eq!(pixels(&r.read_image(&color, 0, 0).unwrap()), [GREEN; 4]);
    let bytes = r.read_image(&depth, 0, 0).unwrap();
    let at = |i: usize| f32::from_le_bytes(bytes[i * 4..i * 4 + 4].try_into().unwrap());
    assert_eq!([at(0), at(5), at(2), at(10)], [0.25, 0.25, 1.0, 1.0]);
}

#[test]
fn cube_faces_and_levels_are_targets() {
    let mut r = gpu_or_skip!();
    let cube = r
        .create_image(&ImageDesc {
            kind: ImageKind::Cube,
            levels: 2,
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(2, 2, ImageFormat::Bgra8)
        })
        .unwrap();
    let face = Attachment {
        level: 1,
        layer: 3,
        ..Attachment::new(cube.clone())
    };
    let targets = Targets {
        colors: [Some(face), None, None, None],
        depth: None,
    };
    r.clear(&targets, &[], Some([0.0, 0.0, 1.0, 1.0]), None, None)
        .unwrap();
    assert_eq!(pixels(&r.read_image(&cube, 1, 3).unwrap()), [BLUE]);
    assert_eq!(pixels(&r.read_image(&cube, 0, 3).unwrap()), [BLACK; 4]);
    assert_eq!(pixels(&r.read_image(&cube, 1, 2).unwrap()), [BLACK]);
    let far = Attachment {
        level: 2,
        ..Attachment::new(cube)
    };
    let targets = Targets {
        colors: [Some(far), None, None, None],
        depth: None,
    };
    assert_eq!(
        r.clear(&targets, &[], Some([0.0; 4]), None, None)
            .unwrap_err()
            .kind(),
        ErrorKind::Bounds
    );
    assert!(
        r.clear(&Targets::default(), &[], Some([0.0; 4]), None, None)
            .is_err()
    );
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
