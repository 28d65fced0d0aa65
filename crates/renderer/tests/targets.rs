//! What is drawn to: samples, formats without alpha, sRGB, sizes that differ, faces and levels.

mod common;

use common::raw::{Owned, RHW, strides};
use common::{near, only, pixels, quad, target, texture, whole};
use ninefold_renderer::{
    Attachment, ErrorKind, ImageDesc, ImageFormat, ImageKind, ImageUsage, Rect, StreamData,
    Targets, Viewport,
};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const WHITE: u32 = 0xFFFF_FFFF;
const BLACK: u32 = 0xFF00_0000;

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
