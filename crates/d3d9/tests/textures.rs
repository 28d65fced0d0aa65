//! Textures and surfaces: formats on the GPU, locks, copies, targets.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// Draws the whole of a texture over a 4 x 4 back buffer, colour and alpha as they are.
fn sample(d: &mut Device, texture: impl Into<BaseTexture>) -> Pixels {
    let t = d
        .create_render_target(4, 4, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    let back = d.get_render_target(0).unwrap();
    d.set_render_target(0, Some(t)).unwrap();
    d.set_texture(0, Some(texture.into())).unwrap();
    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1)
        .unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    draw_textured(d, 0.0, 0.0, 4.0, 4.0, 0xFFFF_FFFF);
    let p = Pixels(d.read_surface(t).unwrap());
    d.set_render_target(0, Some(back)).unwrap();
    d.release(back).unwrap();
    d.release(t).unwrap();
    d.set_texture(0, None).unwrap();
    p
}

fn device4() -> Option<Device> {
    let mut parameters = PresentParameters::windowed(4, 4);
    parameters.enable_auto_depth_stencil = false;
    device_with(&parameters)
}

#[test]
fn every_texture_format_samples_as_documented() {
    let Some(mut d) = device4() else { return };
    // Bytes of one texel or block, then 0xAARRGGBB as a sampler gives it.
    let cases: &[(u32, &[u8], u32)] = &[
        (D3DFMT_A8R8G8B8, &[0x11, 0x22, 0x33, 0x44], 0x4433_2211),
        (D3DFMT_X8R8G8B8, &[0x11, 0x22, 0x33, 0x44], 0xFF33_2211),
        (D3DFMT_A8B8G8R8, &[0x11, 0x22, 0x33, 0x44], 0x4411_2233),
        (D3DFMT_X8B8G8R8, &[0x11, 0x22, 0x33, 0x44], 0xFF11_2233),
        (D3DFMT_R8G8B8, &[0x11, 0x22, 0x33], 0xFF33_2211),
        (D3DFMT_R5G6B5, &[0x1F, 0xF8], 0xFFFF_00FF),
        (D3DFMT_X1R5G5B5, &[0xE0, 0x03], 0xFF00_FF00),
        (D3DFMT_A1R5G5B5, &[0xE0, 0x83], 0xFF00_FF00),
        (D3DFMT_A4R4G4B4, &[0x34, 0x12], 0x1122_3344),
        (D3DFMT_X4R4G4B4, &[0x34, 0x12], 0xFF22_3344),
        (D3DFMT_L8, &[0x7B], 0xFF7B_7B7B),
        (D3DFMT_A8, &[0x7B], 0x7B00_0000),
        (D3DFMT_A8L8, &[0x10, 0x20], 0x2010_1010),
        (D3DFMT_A4L4, &[0xA3], 0xAA33_3333),
        // Red 31, green 63, blue 31 in both ends; index 0 everywhere.
        (
            D3DFMT_DXT1,
            &[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
            0xFFFF_FFFF,
        ),
        // First end below the second: index 3 is transparent black.
        (
            D3DFMT_DXT1,
            &[0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            0x0000_0000,
        ),
        // Four-bit alpha 5, then a blue block.
        (D3DFMT_DXT3, &[0x55; 8], 0),
        (D3DFMT_A2B10G10R10, &[0xFF, 0x03, 0x00, 0xC0], 0xFFFF_0000),
        (D3DFMT_A2R10G10B10, &[0xFF, 0x03, 0x00, 0xC0], 0xFF00_00FF),
        (
            D3DFMT_A16B16G16R16F,
            &[0, 0x3C, 0, 0x38, 0, 0, 0, 0x3C],
            0xFFFF_8000,
        ),
        (
            D3DFMT_A32B32G32R32F,
            &[
                0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3F,
            ],
            0xFFFF_0080,
        ),
    ];
    for (format, texel, expected) in cases {
        let (texel, expected) = if *format == D3DFMT_DXT3 {
            (
                [&[0x55u8; 8][..], &[0x1F, 0, 0x1F, 0, 0, 0, 0, 0]].concat(),
                0x5500_00FF,
            )
        } else {
            (texel.to_vec(), *expected)
        };
        let t = match d.create_texture(4, 4, 1, 0, *format, D3DPOOL_MANAGED) {
            Ok(t) => t,
            Err(code) => panic!("{format:#x}: {code}: {}", d.last_error()),
        };
        let block =
            texel.len() > 4 && !matches!(*format, D3DFMT_A16B16G16R16F | D3DFMT_A32B32G32R32F);
        let count = if block { 1 } else { 4 };
        fill(
            &mut d,
            (t, 0),
            texel.len() * count,
            &texel.repeat(if block { 1 } else { 16 }),
        );
        let p = sample(&mut d, t);
        assert_near(p.at(1, 2), expected & 0xFF_FFFF, 1, &format!("{format:#x}"));
        assert!(
            p.alpha(1, 2).abs_diff((expected >> 24) as u8) <= 1,
            "{format:#x}: alpha {:#x}",
            p.alpha(1, 2)
        );
        d.release(t).unwrap();
    }
    assert_eq!(d.object_count(), 0);
}

#[test]
fn dxt5_alpha_interpolates_between_its_ends() {
    let Some(mut d) = device4() else { return };
    // Ends 255 and 0; texel 0 has index 2: (6 * 255 + 1 * 0) / 7 = 218.6, the others index 0.
    let block = [255, 0, 2, 0, 0, 0, 0, 0, 0xE0, 0x07, 0xE0, 0x07, 0, 0, 0, 0];
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_DXT5, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 16, &block);
    let p = sample(&mut d, t);
    assert_eq!((p.at(0, 0), p.alpha(1, 0)), (0x00FF00, 255));
    assert!(p.alpha(0, 0).abs_diff(219) <= 1, "{}", p.alpha(0, 0));
}

#[test]
fn a_partial_lock_uploads_its_rectangle_alone() {
    let Some(mut d) = device4() else { return };
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 16, &0xFF00_00FFu32.to_le_bytes().repeat(16));
    assert_eq!(sample(&mut d, t).count(0x0000FF), 16);
    let lock = d.lock_rect((t, 0), Some(Rect::new(1, 2, 3, 4)), 0).unwrap();
    assert_eq!(
        (lock.pitch, lock.offset, lock.len),
        (16, 2 * 16 + 4, 16 + 8)
    );
    let bytes = d.locked_bytes_mut((t, 0)).unwrap();
    for row in bytes.chunks_mut(16) {
        row[..8].copy_from_slice(&0xFFFF_0000u32.to_le_bytes().repeat(2));
    }
    d.unlock_rect((t, 0)).unwrap();
    let p = sample(&mut d, t);
    assert_eq!(p.bounds(0xFF0000), Some((1, 2, 3, 4)));
    assert_eq!(p.count(0x0000FF), 12);
    // Written under D3DLOCK_READONLY or NO_DIRTY_UPDATE, texels stay where they are.
    d.lock_rect((t, 0), None, D3DLOCK_NO_DIRTY_UPDATE).unwrap();
    d.locked_bytes_mut((t, 0)).unwrap().fill(0);
    d.unlock_rect((t, 0)).unwrap();
    assert_eq!(sample(&mut d, t).count(0x0000FF), 12);
    d.add_dirty_rect(t, Some(Rect::new(0, 0, 4, 1))).unwrap();
    assert_eq!(sample(&mut d, t).count(0x0000FF), 8);
}

#[test]
fn locks_refuse_what_d3d9_refuses() {
    let Some(mut d) = device4() else { return };
    let bad = Err(HResult::INVALIDCALL);
    let t = d
        .create_texture(8, 8, 1, D3DUSAGE_DYNAMIC, D3DFMT_DXT1, D3DPOOL_DEFAULT)
        .unwrap();
    let lock = |d: &mut Device, r: Rect| d.lock_rect((t, 0), Some(r), 0).map(|_| ());
    assert_eq!(lock(&mut d, Rect::new(0, 0, 6, 4)), bad, "cuts a block");
    assert_eq!(lock(&mut d, Rect::new(0, 0, 12, 4)), bad, "outside");
    assert_eq!(lock(&mut d, Rect::new(4, 4, 4, 8)), bad, "empty");
    assert_eq!(lock(&mut d, Rect::new(-4, 0, 4, 4)), bad, "negative");
    assert_eq!(
        d.lock_rect((t, 1), None, 0).map(|_| ()),
        bad,
        "no such level"
    );
    assert_eq!(
        d.lock_rect((t, 0), None, D3DLOCK_DISCARD | D3DLOCK_READONLY)
            .map(|_| ()),
        Ok(()),
        "flags are not judged"
    );
    assert_eq!(d.unlock_rect((t, 0)), Ok(()));
    assert_eq!(d.unlock_rect((t, 0)), Ok(()), "2D textures do not mind");
    assert_eq!(d.locked_bytes_mut((t, 0)).map(|_| ()), bad);
    let l = d.lock_rect((t, 0), Some(Rect::new(4, 4, 8, 8)), 0).unwrap();
    assert_eq!((l.pitch, l.offset, l.len), (16, 24, 8));
    assert_eq!(lock(&mut d, Rect::new(0, 0, 4, 4)), bad, "locked already");
    d.unlock_rect((t, 0)).unwrap();

    let still = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT)
        .unwrap();
    assert_eq!(
        d.lock_rect((still, 0), None, 0).map(|_| ()),
        bad,
        "default pool, not dynamic"
    );
    let dynamic = d
        .create_texture(4, 4, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT)
        .unwrap();
    d.lock_rect((dynamic, 0), None, D3DLOCK_DISCARD).unwrap();
    d.unlock_rect((dynamic, 0)).unwrap();
    let target = d
        .create_render_target(4, 4, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    assert_eq!(
        d.lock_rect(target, None, 0).map(|_| ()),
        bad,
        "not lockable"
    );
    let volume = d
        .create_volume_texture(4, 4, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    assert_eq!(
        d.lock_rect((volume, 0), None, 0).map(|_| ()),
        bad,
        "volumes have boxes"
    );
}

#[test]
fn lock_pitches_are_those_of_the_format() {
    let Some(mut d) = device4() else { return };
    for (format, pitch, len) in [
        (D3DFMT_A8R8G8B8, 40, 40 * 6),
        (D3DFMT_R5G6B5, 20, 20 * 6),
        (D3DFMT_R8G8B8, 32, 32 * 6),
        (D3DFMT_L8, 12, 12 * 6),
        (D3DFMT_A8L8, 20, 20 * 6),
        (D3DFMT_A16B16G16R16F, 80, 80 * 6),
    ] {
        let t = d
            .create_texture(10, 6, 1, 0, format, D3DPOOL_SYSTEMMEM)
            .unwrap();
        let lock = d.lock_rect((t, 0), None, D3DLOCK_READONLY).unwrap();
        assert_eq!((lock.pitch, lock.len), (pitch, len), "{format:#x}");
    }
    for (format, pitch) in [(D3DFMT_DXT1, 24), (D3DFMT_DXT3, 48), (D3DFMT_DXT5, 48)] {
        let t = d
            .create_texture(12, 8, 0, 0, format, D3DPOOL_SYSTEMMEM)
            .unwrap();
        assert_eq!(d.get_level_count(t), Ok(4));
        let lock = d.lock_rect((t, 0), None, 0).unwrap();
        assert_eq!(
            (lock.pitch, lock.len),
            (pitch, pitch as usize * 2),
            "{format:#x}"
        );
        let lock = d.lock_rect((t, 3), None, 0).unwrap();
        assert_eq!(lock.len, pitch as usize / 3, "{format:#x}: one block");
    }
    let v = d
        .create_volume_texture(6, 5, 3, 1, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM)
        .unwrap();
    let lock = d.lock_box((v, 0), None, 0).unwrap();
    assert_eq!((lock.row_pitch, lock.slice_pitch, lock.len), (8, 40, 120));
}

#[test]
fn a_render_target_is_sampled_after_it_was_drawn() {
    let Some(mut d) = device4() else { return };
    let t = d
        .create_texture(
            4,
            4,
            1,
            D3DUSAGE_RENDERTARGET,
            D3DFMT_X8R8G8B8,
            D3DPOOL_DEFAULT,
        )
        .unwrap();
    let s = d.get_surface_level(t, 0).unwrap();
    let back = d.get_render_target(0).unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    d.set_render_target(0, Some(s)).unwrap();
    d.clear(&[], D3DCLEAR_TARGET, 0x0000_FF00, 1.0, 0).unwrap();
    draw_quad(&mut d, -0.5, -0.5, 1.5, 3.5, 0.5, 0x10FF_0000);
    d.set_render_target(0, Some(back)).unwrap();
    let p = sample(&mut d, t);
    assert_eq!(
        (p.bounds(0xFF0000), p.count(0x00FF00)),
        (Some((0, 0, 2, 4)), 8)
    );
    assert_eq!(p.alpha(0, 0), 255, "X8 has no alpha to write");
    assert_eq!(p.alpha(3, 3), 255, "nor to clear");
    d.release(s).unwrap();
    d.release(back).unwrap();
}

#[test]
fn get_render_target_data_copies_into_memory() {
    let Some(mut d) = device4() else { return };
    for (format, expected) in [
        (D3DFMT_A8R8G8B8, vec![0x30, 0x20, 0x10, 0x80]),
        (D3DFMT_R5G6B5, vec![0x06, 0x11]),
        (D3DFMT_A8B8G8R8, vec![0x10, 0x20, 0x30, 0x80]),
    ] {
        let t = d.create_render_target(4, 4, format, 0, 0, false).unwrap();
        d.color_fill(t, None, 0x8010_2030).unwrap();
        let m = d
            .create_offscreen_plain_surface(4, 4, format, D3DPOOL_SYSTEMMEM)
            .unwrap();
        d.get_render_target_data(t, m).unwrap();
        let lock = d.lock_rect(m, None, D3DLOCK_READONLY).unwrap();
        let size = expected.len();
        let at = lock.pitch as usize * 2 + size;
        // R5G6B5: 0x10 is 2 of 31, 0x20 is 8 of 63, 0x30 is 6 of 31: 0x1106.
        assert_eq!(
            d.locked_bytes_mut(m).unwrap()[at..at + size],
            expected,
            "{format:#x}"
        );
        d.unlock_rect(m).unwrap();
        let wrong = d
            .create_offscreen_plain_surface(4, 2, format, D3DPOOL_SYSTEMMEM)
            .unwrap();
        assert_eq!(
            d.get_render_target_data(t, wrong),
            Err(HResult::INVALIDCALL)
        );
        assert_eq!(d.get_render_target_data(m, t), Err(HResult::INVALIDCALL));
        for s in [t, m, wrong] {
            d.release(s).unwrap();
        }
    }
    assert_eq!(d.object_count(), 0);
}

#[test]
fn stretch_rect_scales_and_converts() {
    let Some(mut d) = device4() else { return };
    let a = d
        .create_render_target(2, 2, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    d.color_fill(a, Some(Rect::new(0, 0, 1, 2)), 0xFFFF_0000)
        .unwrap();
    d.color_fill(a, Some(Rect::new(1, 0, 2, 2)), 0xFF00_00FF)
        .unwrap();
    let back = d.get_render_target(0).unwrap();
    d.stretch_rect(a, None, back, Some(Rect::new(0, 1, 4, 3)), D3DTEXF_POINT)
        .unwrap();
    let p = pixels(&mut d);
    assert_eq!(p.bounds(0xFF0000), Some((0, 1, 2, 3)));
    assert_eq!(p.bounds(0x0000FF), Some((2, 1, 4, 3)));
    // One texel of the source over everything.
    d.stretch_rect(a, Some(Rect::new(1, 0, 2, 1)), back, None, D3DTEXF_NONE)
        .unwrap();
    assert_eq!(pixels(&mut d).count(0x0000FF), 16);
    // Same size: linear is exact as well.
    d.stretch_rect(a, None, back, Some(Rect::new(2, 2, 4, 4)), D3DTEXF_LINEAR)
        .unwrap();
    assert_eq!(pixels(&mut d).bounds(0xFF0000), Some((2, 2, 3, 4)));
    assert_eq!(
        d.stretch_rect(a, Some(Rect::new(0, 0, 3, 2)), back, None, 0),
        Err(HResult::INVALIDCALL)
    );
    assert_eq!(
        d.stretch_rect(a, Some(Rect::new(0, 0, 1, 1)), a, None, 0),
        Err(HResult::INVALIDCALL),
        "scaled into itself"
    );
    let still = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT)
        .unwrap();
    let s = d.get_surface_level(still, 0).unwrap();
    assert_eq!(
        d.stretch_rect(a, None, s, None, D3DTEXF_POINT),
        Err(HResult::INVALIDCALL),
        "not a target"
    );
}

#[test]
fn update_texture_copies_what_is_dirty() {
    let Some(mut d) = device4() else { return };
    let m = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)
        .unwrap();
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT)
        .unwrap();
    fill(&mut d, (m, 0), 16, &0xFF00_FF00u32.to_le_bytes().repeat(16));
    d.update_texture(m, t).unwrap();
    assert_eq!(sample(&mut d, t).count(0x00FF00), 16);
    d.lock_rect((m, 0), Some(Rect::new(0, 0, 2, 2)), 0).unwrap();
    for row in d.locked_bytes_mut((m, 0)).unwrap().chunks_mut(16) {
        row[..8].fill(0xFF);
    }
    d.unlock_rect((m, 0)).unwrap();
    d.update_texture(m, t).unwrap();
    let p = sample(&mut d, t);
    assert_eq!(
        (p.bounds(0xFFFFFF), p.count(0x00FF00)),
        (Some((0, 0, 2, 2)), 12)
    );
    assert_eq!(
        d.update_texture(t, m),
        Err(HResult::INVALIDCALL),
        "the wrong way round"
    );
    let other = d
        .create_texture(4, 4, 1, 0, D3DFMT_A16B16G16R16F, D3DPOOL_DEFAULT)
        .unwrap();
    assert_eq!(
        d.update_texture(m, other),
        Err(HResult::INVALIDCALL),
        "another format"
    );

    let surface = d.get_surface_level(t, 0).unwrap();
    let memory = d.get_surface_level(m, 0).unwrap();
    d.update_surface(
        memory,
        Some(Rect::new(0, 0, 1, 1)),
        surface,
        Some(Point { x: 3, y: 3 }),
    )
    .unwrap();
    assert_eq!(sample(&mut d, t).at(3, 3), 0xFFFFFF);
    let off = Some(Point { x: 4, y: 0 });
    assert_eq!(
        d.update_surface(memory, Some(Rect::new(0, 0, 1, 1)), surface, off),
        Err(HResult::INVALIDCALL)
    );
}

#[test]
fn automatic_mip_levels_follow_level_0() {
    let Some(mut d) = device4() else { return };
    let t = d
        .create_texture(
            8,
            8,
            0,
            D3DUSAGE_AUTOGENMIPMAP,
            D3DFMT_A8R8G8B8,
            D3DPOOL_MANAGED,
        )
        .unwrap();
    assert_eq!(d.get_level_count(t), Ok(1));
    let texels: Vec<u8> = (0..64)
        .flat_map(|i| {
            if (i + i / 8) % 2 == 0 {
                [255u8; 4]
            } else {
                [0, 0, 0, 255]
            }
        })
        .collect();
    fill(&mut d, (t, 0), 32, &texels);
    d.set_sampler_state(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT)
        .unwrap();
    d.set_sampler_state(0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR)
        .unwrap();
    d.set_sampler_state(0, D3DSAMP_MAXMIPLEVEL, 1).unwrap();
    // Each texel of level 1 averages a checkerboard: 127.5.
    let p = sample(&mut d, t);
    assert_near(p.at(0, 0), 0x808080, 1, "level 1");
    fill(&mut d, (t, 0), 32, &[255; 256]);
    assert_near(
        sample(&mut d, t).at(2, 2),
        0xFFFFFF,
        0,
        "after level 0 changed",
    );
}

#[test]
fn a_managed_texture_survives_eviction() {
    let Some(mut d) = device4() else { return };
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 4, &[0x42; 16]);
    assert_eq!(sample(&mut d, t).count(0x424242), 16);
    d.evict_managed_resources().unwrap();
    assert_eq!(sample(&mut d, t).count(0x424242), 16);
}

#[test]
fn cube_faces_and_volume_slices_keep_their_order() {
    let Some(mut d) = device4() else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let cube = d
        .create_cube_texture(2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    for face in 0..6u32 {
        let color = 0xFF00_0000 | ((face + 1) * 0x20_1008);
        fill(&mut d, (cube, face, 0), 8, &color.to_le_bytes().repeat(4));
    }
    let volume = d
        .create_volume_texture(2, 2, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    let lock = d.lock_box((volume, 0), None, 0).unwrap();
    let bytes = d.locked_bytes_mut((volume, 0)).unwrap();
    for (z, slice) in bytes.chunks_mut(lock.slice_pitch as usize).enumerate() {
        slice.fill(z as u8 * 0x10 + 1);
    }
    d.unlock_box((volume, 0)).unwrap();
    // One three-component set: D3DFVF_TEXCOORDSIZE3(0).
    d.set_fvf(D3DFVF_XYZ | D3DFVF_TEX1 | 1 << 16).unwrap();
    let mut draw = |texture: BaseTexture, u: [f32; 3]| {
        d.set_texture(0, Some(texture)).unwrap();
        let v: Vec<u8> = [(-2.0, 2.0), (2.0, 2.0), (-2.0, -2.0), (2.0, -2.0)]
            .into_iter()
            .flat_map(|(x, y)| common::bytes(&[x, y, 0.5, u[0], u[1], u[2]]))
            .collect();
        d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 24).unwrap();
        pixels(&mut d).at(1, 1)
    };
    let axes = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    for (face, axis) in (1..).zip(axes) {
        assert_eq!(draw(cube.into(), axis), face * 0x20_1008, "{axis:?}");
    }
    for z in 0..4 {
        let w = (z as f32 + 0.5) / 4.0;
        assert_eq!(
            draw(volume.into(), [0.5, 0.5, w]),
            (z * 0x10 + 1) * 0x01_0101,
            "slice {z}"
        );
    }
}

#[test]
fn textures_that_cannot_be_are_refused() {
    let Some(mut d) = device4() else { return };
    let bad = Some(HResult::INVALIDCALL);
    let mut make = |w, h, levels, usage, format, pool| {
        d.create_texture(w, h, levels, usage, format, pool).err()
    };
    assert_eq!(
        make(0, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED),
        bad,
        "no width"
    );
    assert_eq!(
        make(1 << 20, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED),
        Some(HResult::NOTAVAILABLE),
        "too wide"
    );
    assert_eq!(
        make(1 << 20, 4, 1, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM),
        None,
        "system memory is not the adapter's"
    );
    assert_eq!(
        make(4, 4, 4, 0, D3DFMT_L8, D3DPOOL_MANAGED),
        None,
        "there are three, and three are made"
    );
    assert_eq!(
        make(4, 4, 1, 0, 12345, D3DPOOL_MANAGED),
        bad,
        "no such format"
    );
    assert_eq!(make(4, 4, 1, 0, D3DFMT_L8, 4), bad, "no such pool");
    assert_eq!(
        make(6, 4, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED),
        bad,
        "not whole blocks"
    );
    assert_eq!(
        make(
            4,
            4,
            1,
            D3DUSAGE_RENDERTARGET,
            D3DFMT_A8R8G8B8,
            D3DPOOL_MANAGED
        ),
        bad,
        "managed target"
    );
    assert_eq!(
        make(4, 4, 1, D3DUSAGE_RENDERTARGET, D3DFMT_DXT1, D3DPOOL_DEFAULT),
        bad,
        "DXT target"
    );
    assert_eq!(
        make(4, 4, 1, D3DUSAGE_DYNAMIC, D3DFMT_L8, D3DPOOL_MANAGED),
        bad,
        "dynamic and managed"
    );
    assert_eq!(
        make(
            4,
            4,
            2,
            D3DUSAGE_AUTOGENMIPMAP,
            D3DFMT_A8R8G8B8,
            D3DPOOL_MANAGED
        ),
        bad,
        "autogen with levels"
    );
    assert_eq!(
        make(
            4,
            4,
            1,
            D3DUSAGE_RENDERTARGET,
            D3DFMT_D24S8,
            D3DPOOL_DEFAULT
        ),
        bad,
        "depth as a colour target"
    );
    assert_eq!(
        make(4, 4, 1, D3DUSAGE_WRITEONLY, D3DFMT_L8, D3DPOOL_MANAGED),
        bad,
        "a buffer's usage"
    );
    assert_eq!(d.object_count(), 2, "those that were made");
    assert!(d.last_error().contains("WRITEONLY"), "{}", d.last_error());
}

#[test]
fn resources_too_large_for_memory_are_refused_at_once() {
    let Some(mut d) = device4() else { return };
    let caps = d.get_device_caps().clone();
    let (side, deep) = (caps.max_texture_size, caps.max_volume_extent);
    let float = D3DFMT_A32B32G32R32F;
    assert_eq!(
        d.create_volume_texture(deep, deep, deep, 0, 0, float, D3DPOOL_MANAGED)
            .err(),
        Some(HResult::OUTOFVIDEOMEMORY)
    );
    assert_eq!(
        d.create_volume_texture(deep, deep, deep, 1, 0, float, D3DPOOL_SCRATCH)
            .err(),
        Some(HResult::OUTOFMEMORY)
    );
    assert_eq!(
        d.create_cube_texture(side, 0, 0, float, D3DPOOL_SYSTEMMEM)
            .err(),
        Some(HResult::OUTOFMEMORY)
    );
    assert_eq!(
        d.create_offscreen_plain_surface(side, side, float, D3DPOOL_SYSTEMMEM)
            .err(),
        Some(HResult::OUTOFMEMORY)
    );
    assert_eq!(d.object_count(), 0);
}

#[test]
fn srgb_reads_and_writes_go_by_the_format() {
    let Some(mut d) = device4() else { return };
    // The sRGB curve at 0x80: ((0x80 / 0xFF + 0.055) / 1.055) ^ 2.4 = 0.2159, or 55 of 255.
    d.set_sampler_state(0, D3DSAMP_SRGBTEXTURE, 1).unwrap();
    for (format, texel, seen) in [
        (D3DFMT_A8R8G8B8, &[0x80u8, 0x80, 0x80, 0x80][..], 0x373737),
        (D3DFMT_X8B8G8R8, &[0x80, 0x80, 0x80, 0x80], 0x373737),
        (D3DFMT_L8, &[0x80], 0x808080),
        (D3DFMT_A8L8, &[0x80, 0x80], 0x808080),
    ] {
        let t = d
            .create_texture(4, 4, 1, 0, format, D3DPOOL_MANAGED)
            .unwrap();
        fill(&mut d, (t, 0), texel.len() * 4, &texel.repeat(16));
        assert_near(sample(&mut d, t).at(1, 1), seen, 1, &format!("{format:#x}"));
        d.release(t).unwrap();
    }
    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG2)
        .unwrap();
    d.set_render_state(D3DRS_SRGBWRITEENABLE, 1).unwrap();
    for (format, seen) in [
        (D3DFMT_A8R8G8B8, 0x808080),
        (D3DFMT_R5G6B5, 0x808080),
        (D3DFMT_X1R5G5B5, 0x373737),
    ] {
        let t = d.create_render_target(4, 4, format, 0, 0, false).unwrap();
        d.set_render_target(0, Some(t)).unwrap();
        draw_quad(&mut d, -1.0, -1.0, 4.0, 4.0, 0.5, 0xFF37_3737);
        let p = Pixels(d.read_surface(t).unwrap());
        assert_near(p.at(1, 1), seen, 1, &format!("written to {format:#x}"));
    }
}
