//! What a device records, `apitrace dump` reads and the replay plays to the
//! same picture.

use std::process::Command;

use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Box3, Device, DeviceSettings, Direct3D9, Error, IDENTITY, LevelTarget, Light, Material,
    Picture, Point, PresentParameters, Rect, VertexElement, Viewport,
};

use super::tests::{Shared, settings};
use super::*;

const SIZE: u32 = 32;

/// A device, or `None` where there is no GPU and none is required.
fn device() -> Option<Device> {
    match Direct3D9::new(settings()) {
        Ok(direct3d) => {
            eprintln!("adapter: {}", direct3d.get_adapter_identifier().description);
            let parameters = PresentParameters::windowed(SIZE, SIZE);
            Some(direct3d.create_device(&parameters).expect("a device"))
        }
        Err(Error::NoAdapter(text)) => {
            let required = std::env::var("NINEFOLD_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "no usable GPU: {text}");
            eprintln!("skipped: no usable GPU: {text}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A scene with something of everything that a capture carries as memory.
fn scene(device: &mut Device) -> ninefold_d3d9::Result<()> {
    let texture = device.create_texture(2, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)?;
    let level = LevelTarget::Texture(texture, 0);
    let locked = device.lock_rect(level, None, 0)?;
    let pitch = locked.pitch as usize;
    let memory = device.locked_bytes_mut(level)?;
    for (y, row) in [[0xffff_0000u32, 0xff00_ff00], [0xff00_00ff, 0xffff_ffff]]
        .iter()
        .enumerate()
    {
        for (x, texel) in row.iter().enumerate() {
            memory[y * pitch + x * 4..][..4].copy_from_slice(&texel.to_le_bytes());
        }
    }
    device.unlock_rect(level)?;

    let corners: [[f32; 5]; 4] = [
        [-1.0, 1.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0, 1.0, 0.0],
        [-1.0, -1.0, 0.0, 0.0, 1.0],
        [1.0, -1.0, 0.0, 1.0, 1.0],
    ];
    let bytes: Vec<u8> = corners
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let vertices = device.create_vertex_buffer(80, 0, 0, D3DPOOL_MANAGED)?;
    device.vertex_buffer_lock(vertices, 0, 0, 0)?;
    device
        .vertex_buffer_bytes_mut(vertices)?
        .copy_from_slice(&bytes);
    device.vertex_buffer_unlock(vertices)?;
    let order = [0u16, 1, 2, 2, 1, 3];
    let bytes: Vec<u8> = order.iter().flat_map(|n| n.to_le_bytes()).collect();
    let indices = device.create_index_buffer(12, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)?;
    device.index_buffer_lock(indices, 0, 0, 0)?;
    device
        .index_buffer_bytes_mut(indices)?
        .copy_from_slice(&bytes);
    device.index_buffer_unlock(indices)?;

    let declaration = device.create_vertex_declaration(&[
        VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
        VertexElement::new(0, 12, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
    ])?;
    let vertex = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";
    let pixel = "ps_1_1\ntex t0\nmul r0, t0, c0\n";
    let vertex = device.create_vertex_shader(assemble(vertex).expect("assembles").tokens())?;
    let pixel = device.create_pixel_shader(assemble(pixel).expect("assembles").tokens())?;

    device.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff10_2030, 1.0, 0)?;
    device.begin_scene()?;
    device.set_viewport(&Viewport {
        x: 4,
        y: 4,
        width: 24,
        height: 24,
        min_z: 0.0,
        max_z: 1.0,
    })?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
    device.set_sampler_state(0, D3DSAMP_MAGFILTER, D3DTEXF_POINT)?;
    device.set_texture(0, Some(texture.into()))?;
    device.set_vertex_declaration(Some(declaration))?;
    device.set_vertex_shader(Some(vertex))?;
    device.set_pixel_shader(Some(pixel))?;
    device.set_pixel_shader_constant_f(0, &[[1.0, 0.5, 1.0, 1.0]])?;
    device.set_stream_source(0, Some(vertices), 0, 20)?;
    device.set_indices(Some(indices))?;
    device.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2)?;
    device.end_scene()?;
    device.present()?;
    device.release(texture)?;
    device.release(vertices)?;
    Ok(())
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * picture.width + x) * 4) as usize;
    [picture.bgra[at + 2], picture.bgra[at + 1], picture.bgra[at]]
}

/// A scene recorded, and the picture that it made; `None` where there is no GPU.
fn recorded(
    scene: impl FnOnce(&mut Device) -> ninefold_d3d9::Result<()>,
) -> Option<(Vec<u8>, Picture)> {
    let mut device = device()?;
    let out = Shared::default();
    device
        .record_to(Box::new(out.clone()))
        .expect("recording begins");
    if let Err(code) = scene(&mut device) {
        panic!("{code}: {}", device.last_error());
    }
    let live = device.front_buffer().expect("a picture");
    device.stop_recording().expect("recording ends");
    Some((out.bytes(), live))
}

/// Plays a capture whose one picture has to be `live`.
fn replayed(file: &[u8], settings: DeviceSettings, live: &Picture) -> Summary {
    let mut pictures = Vec::new();
    let mut look = |event| {
        if let Event::Frame(frame) = event {
            pictures.push(frame);
        }
        Ok(())
    };
    let summary = play(file, settings, Wanted::Last.into(), None, &mut look);
    let summary = summary.expect("it plays");
    assert!(summary.unknown.is_empty(), "{:?}", summary.unknown);
    assert!(summary.failed.is_empty(), "{:?}", summary.failed);
    let [frame] = &pictures[..] else {
        panic!("{} pictures", pictures.len())
    };
    assert_eq!(frame.number, Some(0));
    assert!(frame.picture == *live, "the replay drew something else");
    summary
}

#[test]
fn a_recorded_scene_replays_to_the_same_picture() {
    let Some((file, live)) = recorded(scene) else {
        return;
    };
    // The quad covers 4 to 28; its quarters are red, green at half, blue and white at half
    // green. Half of 255 may round either way.
    for (x, y, expected) in [
        (1, 1, [0x10, 0x20, 0x30]),
        (8, 8, [255, 0, 0]),
        (24, 8, [0, 128, 0]),
        (8, 24, [0, 0, 255]),
        (24, 24, [255, 128, 255]),
    ] {
        let found = pixel(&live, x, y);
        let near = found
            .iter()
            .zip(expected)
            .all(|(a, b): (&u8, u8)| a.abs_diff(b) <= 1);
        assert!(near, "({x}, {y}): {found:?}, not {expected:?}");
    }

    let summary = replayed(&file, settings(), &live);
    assert_eq!(
        (summary.frames, summary.draws, summary.failed_when_recorded),
        (1, 1, 0)
    );
    assert_eq!(summary.damage, None);
    dumped(&file);
}

/// A static buffer drawn from, changed, and drawn from again; 80 bytes of 100,000 a draw.
fn resident(device: &mut Device) -> ninefold_d3d9::Result<()> {
    let quad = |left: f32, color: u32| -> Vec<u8> {
        let right = left + SIZE as f32 / 2.0;
        let corners = [[left, 0.0], [right, 0.0], [left, 32.0], [right, 32.0]];
        let corner = |[x, y]: [f32; 2]| {
            let place = [x - 0.5, y - 0.5, 0.5, 1.0].map(f32::to_bits);
            place.into_iter().chain([color]).flat_map(u32::to_le_bytes)
        };
        corners.into_iter().flat_map(corner).collect()
    };
    let fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
    let buffer = device.create_vertex_buffer(100_000, 0, fvf, D3DPOOL_MANAGED)?;
    let fill = |d: &mut Device, left: u32, right: u32| {
        let bytes = [quad(0.0, left), quad(16.0, right)].concat();
        d.vertex_buffer_lock(buffer, 0, 160, 0)?;
        d.vertex_buffer_bytes_mut(buffer)?.copy_from_slice(&bytes);
        d.vertex_buffer_unlock(buffer)
    };
    fill(device, 0xFFFF_0000, 0xFF00_FF00)?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
    device.set_render_state(D3DRS_ZENABLE, D3DZB_FALSE)?;
    device.set_fvf(fvf)?;
    device.set_stream_source(0, Some(buffer), 0, 20)?;
    device.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0)?;
    device.begin_scene()?;
    for _ in 0..3 {
        device.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2)?;
    }
    fill(device, 0xFFFF_FFFF, 0xFF00_00FF)?;
    device.draw_primitive(D3DPT_TRIANGLESTRIP, 4, 2)?;
    device.end_scene()?;
    device.present()
}

#[test]
fn copies_of_static_buffers_are_counted_and_change_no_picture() {
    let Some((file, live)) = recorded(resident) else {
        return;
    };
    // The left half as it was, the right one as it is.
    assert_eq!(pixel(&live, 8, 16), [255, 0, 0]);
    assert_eq!(pixel(&live, 24, 16), [0, 0, 255]);
    for fast in [true, false] {
        let mut settings = settings();
        settings.renderer.draw_fast_paths = fast;
        let mut summary = replayed(&file, settings, &live);
        let traffic = summary.traffic;
        let found = [
            traffic.resident_draws,
            traffic.resident_bytes,
            traffic.copies,
        ];
        assert_eq!(found, if fast { [4, 320, 2] } else { [0; 3] });
        assert_eq!(traffic.arena_vertex_bytes, if fast { 0 } else { 320 });
        assert_eq!((traffic.mismatches, traffic.budget_fallbacks), (0, 0));
        assert_eq!(traffic.peak_cache_bytes, if fast { 100_000 } else { 0 });
        summary.tell_stats = true;
        let said = summary.to_string();
        let line = match fast {
            true => "copies    2 of static buffers, 0.1 MB at most; 0 written to, 0 times no room",
            false => "copies    0 of static buffers, 0.0 MB at most; 0 written to, 0 times no room",
        };
        assert!(said.contains(line), "{said}");
    }
}

/// Two ranges of a buffer locked at once, the second of which begins before the first.
fn locked_twice(device: &mut Device) -> ninefold_d3d9::Result<()> {
    let fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
    let buffer = device.create_vertex_buffer(160, 0, fvf, D3DPOOL_MANAGED)?;
    for (at, left, color) in [(80, 16.0, 0xFF00_00FFu32), (0, 0.0, 0xFFFF_0000)] {
        device.vertex_buffer_lock(buffer, at, 80, 0)?;
        let (right, bottom) = (left + 15.5, 31.5);
        let corners = [
            [left - 0.5, -0.5],
            [right, -0.5],
            [left - 0.5, bottom],
            [right, bottom],
        ];
        let memory = device.vertex_buffer_bytes_mut(buffer)?;
        for (vertex, [x, y]) in memory.chunks_exact_mut(20).zip(corners) {
            let words = [x, y, 0.5f32, 1.0].map(f32::to_bits);
            let words = words.into_iter().chain([color]).flat_map(u32::to_le_bytes);
            vertex
                .iter_mut()
                .zip(words)
                .for_each(|(to, byte)| *to = byte);
        }
    }
    device.vertex_buffer_unlock(buffer)?;
    device.vertex_buffer_unlock(buffer)?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
    device.set_fvf(fvf)?;
    device.set_stream_source(0, Some(buffer), 0, 20)?;
    device.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0)?;
    device.begin_scene()?;
    device.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2)?;
    device.draw_primitive(D3DPT_TRIANGLESTRIP, 4, 2)?;
    device.end_scene()?;
    device.present()
}

#[test]
fn ranges_locked_at_once_are_recorded_each_in_its_place() {
    let Some((file, live)) = recorded(locked_twice) else {
        return;
    };
    assert_eq!(pixel(&live, 8, 16), [255, 0, 0]);
    assert_eq!(pixel(&live, 24, 16), [0, 0, 255]);
    replayed(&file, settings(), &live);
}

/// A quad over everything with a texel of palette 3.
fn palettised(device: &mut Device) -> ninefold_d3d9::Result<()> {
    let mut entries = [[0, 0, 0, 255]; 256];
    device.set_palette_entries(2, &entries)?;
    entries[5] = [40, 80, 120, 255];
    device.set_palette_entries(3, &entries)?;
    device.set_current_texture_palette(3)?;
    let texture = device.create_texture(1, 1, 1, 0, D3DFMT_P8, D3DPOOL_MANAGED)?;
    let level = LevelTarget::Texture(texture, 0);
    device.lock_rect(level, None, 0)?;
    device.locked_bytes_mut(level)?[0] = 5;
    device.unlock_rect(level)?;
    let size = SIZE as f32;
    let corners: [[f32; 6]; 4] = [
        [0.0, 0.0, 0.5, 1.0, 0.0, 0.0],
        [size, 0.0, 0.5, 1.0, 1.0, 0.0],
        [0.0, size, 0.5, 1.0, 0.0, 1.0],
        [size, size, 0.5, 1.0, 1.0, 1.0],
    ];
    let bytes: Vec<u8> = corners
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    device.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0)?;
    device.begin_scene()?;
    device.set_texture(0, Some(texture.into()))?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
    device.set_fvf(D3DFVF_XYZRHW | D3DFVF_TEX1)?;
    device.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &bytes, 24)?;
    device.end_scene()?;
    device.present()?;
    device.release(texture)?;
    Ok(())
}

#[test]
fn palettes_are_recorded_and_replayed() {
    let Some((file, live)) = recorded(palettised) else {
        return;
    };
    assert_eq!(pixel(&live, 16, 16), [40, 80, 120]);
    replayed(&file, settings(), &live);
    if let Some(text) = dump(&file, "palettes") {
        for part in [
            "IDirect3DDevice9::SetCurrentTexturePalette(this = 0x7f0000002000, PaletteNumber = 3)",
            "{peRed = 40, peGreen = 80, peBlue = 120, peFlags = 255}",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
}

/// Calls every method that the recorder has a hook for.
fn tour(d: &mut Device) -> ninefold_d3d9::Result<()> {
    let parameters = *d.present_parameters();
    let argb = D3DFMT_A8R8G8B8;
    let cube = d.create_cube_texture(4, 1, 0, argb, D3DPOOL_MANAGED)?;
    let face = LevelTarget::Cube(cube, 2, 0);
    d.lock_rect(face, Some(Rect::new(1, 1, 3, 3)), 0)?;
    d.locked_bytes_mut(face)?.fill(7);
    d.unlock_rect(face)?;
    let surface = d.get_cube_map_surface(cube, 1, 0)?;
    d.lock_rect(surface, None, D3DLOCK_READONLY)?;
    d.unlock_rect(surface)?;
    d.release(surface)?;
    let volume = d.create_volume_texture(4, 4, 2, 1, 0, argb, D3DPOOL_MANAGED)?;
    let level = LevelTarget::VolumeTexture(volume, 0);
    d.lock_box(level, None, 0)?;
    d.locked_bytes_mut(level)?.fill(9);
    d.unlock_box(level)?;
    let slice = d.get_volume_level(volume, 0)?;
    let part = Box3 {
        left: 0,
        top: 0,
        right: 2,
        bottom: 2,
        front: 0,
        back: 1,
    };
    d.lock_box(slice, Some(part), 0)?;
    d.unlock_box(slice)?;
    d.set_texture(1, Some(volume.into()))?;
    d.set_texture(2, Some(cube.into()))?;
    let got = d.get_texture(2)?.expect("the cube");
    d.release(got)?;
    d.set_texture(2, None)?;
    let mipped = d.create_texture(4, 4, 0, D3DUSAGE_AUTOGENMIPMAP, argb, D3DPOOL_MANAGED)?;
    d.set_auto_gen_filter_type(mipped, D3DTEXF_LINEAR)?;
    d.generate_mip_sub_levels(mipped)?;
    d.set_lod(mipped, 0)?;

    let system = d.create_texture(4, 4, 1, 0, argb, D3DPOOL_SYSTEMMEM)?;
    let video = d.create_texture(4, 4, 1, D3DUSAGE_RENDERTARGET, argb, D3DPOOL_DEFAULT)?;
    d.update_texture(system, video)?;
    let from = d.get_surface_level(system, 0)?;
    let to = d.get_surface_level(video, 0)?;
    d.update_surface(
        from,
        Some(Rect::new(0, 0, 2, 2)),
        to,
        Some(Point { x: 1, y: 1 }),
    )?;
    d.get_render_target_data(to, from)?;
    d.color_fill(to, Some(Rect::new(0, 0, 1, 1)), 0xffff_ffff)?;
    let x8 = D3DFMT_X8R8G8B8;
    let target = d.create_render_target(SIZE, SIZE, x8, 0, 0, true)?;
    d.stretch_rect(target, None, to, None, D3DTEXF_LINEAR)?;
    let depth = d.create_depth_stencil_surface(SIZE, SIZE, D3DFMT_D24S8, 0, 0, true)?;
    let plain = d.create_offscreen_plain_surface(SIZE, SIZE, argb, D3DPOOL_SYSTEMMEM)?;

    let back = d.get_render_target(0)?;
    let old_depth = d.get_depth_stencil_surface()?;
    d.set_render_target(0, Some(target))?;
    d.set_depth_stencil_surface(Some(depth))?;
    d.set_render_target(0, Some(back))?;
    d.set_depth_stencil_surface(Some(old_depth))?;
    d.add_ref(back)?;
    d.release(back)?;
    d.release(back)?;
    d.release(old_depth)?;
    let chain = d.get_swap_chain(0)?;
    let buffer = d.swap_chain_get_back_buffer(chain, 0)?;
    d.release(buffer)?;
    let buffer = d.get_back_buffer(0, 0)?;
    d.release(buffer)?;

    d.begin_state_block()?;
    d.set_render_state(D3DRS_ZENABLE, 0)?;
    let block = d.end_state_block()?;
    d.state_block_capture(block)?;
    d.state_block_apply(block)?;
    let all = d.create_state_block(D3DSBT_ALL)?;
    d.state_block_apply(all)?;
    d.release(block)?;
    d.release(all)?;

    d.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG2)?;
    d.set_sampler_state(0, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP)?;
    d.set_transform(D3DTS_VIEW, &IDENTITY)?;
    d.multiply_transform(D3DTS_VIEW, &IDENTITY)?;
    d.set_scissor_rect(Rect::new(0, 0, 9, 9))?;
    d.set_material(&Material::default())?;
    d.set_light(0, &Light::default())?;
    d.light_enable(0, true)?;
    d.set_clip_plane(0, [0.0, 0.0, 1.0, 0.0])?;
    d.set_npatch_mode(0.0)?;
    d.set_software_vertex_processing(false)?;
    d.set_vertex_shader_constant_f(3, &[[1.0, -2.0, 0.5, 0.0]; 2])?;
    d.set_vertex_shader_constant_i(0, &[[-1, 2, 3, 4]])?;
    d.set_vertex_shader_constant_b(0, &[true, false])?;
    d.set_pixel_shader_constant_i(0, &[[-1, 2, 3, 4]])?;
    d.set_pixel_shader_constant_b(0, &[true, false])?;
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE)?;
    if let Some(declaration) = d.get_vertex_declaration()? {
        d.release(declaration)?;
    }
    assert_eq!(
        (d.get_vertex_shader()?, d.get_pixel_shader()?),
        (None, None)
    );
    let vertices = d.create_vertex_buffer(60, D3DUSAGE_DYNAMIC, 0, D3DPOOL_DEFAULT)?;
    d.vertex_buffer_lock(vertices, 20, 20, D3DLOCK_DISCARD)?;
    d.vertex_buffer_bytes_mut(vertices)?.fill(0);
    d.vertex_buffer_unlock(vertices)?;
    d.set_stream_source(0, Some(vertices), 0, 20)?;
    d.set_stream_source_freq(0, 1)?;
    let source = d.get_stream_source(0)?.buffer.expect("the buffer");
    d.release(source)?;
    assert_eq!(d.get_indices()?, None);
    let processed = d.create_vertex_buffer(60, 0, D3DFVF_XYZRHW, D3DPOOL_SYSTEMMEM)?;
    d.process_vertices(0, 0, 3, processed, None, D3DPV_DONOTCOPYDATA)?;
    d.release(processed)?;

    let query = d.create_query(D3DQUERYTYPE_EVENT)?;
    d.begin_scene()?;
    d.clear(
        &[Rect::new(0, 0, 8, 8)],
        D3DCLEAR_TARGET,
        0xff00_ff00,
        1.0,
        0,
    )?;
    d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1)?;
    let corners = [0.0f32; 15];
    let bytes: Vec<u8> = corners.iter().flat_map(|x| x.to_le_bytes()).collect();
    d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &bytes, 20)?;
    let order = [0u8, 0, 1, 0, 2, 0];
    d.draw_indexed_primitive_up(
        D3DPT_TRIANGLELIST,
        0,
        3,
        1,
        &order,
        D3DFMT_INDEX16,
        &bytes,
        20,
    )?;
    d.end_scene()?;
    d.query_issue(query, D3DISSUE_END)?;
    while d.query_get_data(query, D3DGETDATA_FLUSH)?.is_none() {}
    d.swap_chain_present(chain)?;
    d.present()?;
    d.get_front_buffer_data(0, plain)?;
    d.release(chain)?;
    let other = d.create_additional_swap_chain(&parameters)?;
    d.swap_chain_present(other)?;
    d.release(other)?;
    d.set_stream_source(0, None, 0, 0)?;
    d.set_texture(1, None)?;
    for surface in [from, to, target, depth, plain] {
        d.release(surface)?;
    }
    d.release(slice)?;
    for texture in [mipped, system, video] {
        d.release(texture)?;
    }
    d.release(cube)?;
    d.release(volume)?;
    d.release(vertices)?;
    d.release(query)?;
    d.reset(&parameters)
}

#[test]
fn every_method_that_is_recorded_replays() {
    let Some(mut device) = device() else { return };
    let out = Shared::default();
    device
        .record_to(Box::new(out.clone()))
        .expect("recording begins");
    if let Err(code) = tour(&mut device) {
        panic!("{code}: {}", device.last_error());
    }
    let objects = device.object_count();
    device.stop_recording().expect("recording ends");
    let file = out.bytes();
    let summary = play(
        &file[..],
        settings(),
        Wanted::None.into(),
        None,
        &mut |_| Ok(()),
    )
    .expect("it plays");
    assert!(summary.unknown.is_empty(), "{:#?}", summary.unknown);
    assert!(summary.failed.is_empty(), "{:#?}", summary.failed);
    assert_eq!((summary.failed_when_recorded, summary.damage), (0, None));
    assert_eq!((summary.frames, summary.draws), (3, 3));
    assert_eq!(objects, 0, "every object of the tour was released");
    let Some(text) = dump(&file, "tour") else {
        return;
    };
    let is_call = |line: &&str| {
        let number = line.split(' ').next().unwrap_or("");
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    assert_eq!(text.lines().filter(is_call).count() as u64, summary.calls);
}

/// The text that apitrace makes of a capture; `None` where it is not installed.
fn dump(file: &[u8], name: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("ninefold-{}-{name}.trace", std::process::id()));
    std::fs::write(&path, file).expect("a file");
    let mut command = Command::new("apitrace");
    command
        .args(["dump", "--verbose", "--color=never"])
        .arg(&path);
    let dump = command.output();
    std::fs::remove_file(&path).expect("removed");
    let Ok(dump) = dump else {
        assert!(
            std::env::var_os("NINEFOLD_REQUIRE_APITRACE").is_none(),
            "apitrace is missing"
        );
        eprintln!("skipped: the command `apitrace` is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&dump.stderr);
    assert!(dump.status.success() && errors.is_empty(), "{errors}");
    Some(String::from_utf8_lossy(&dump.stdout).into_owned())
}

/// Checks what apitrace reads in the capture of the scene.
fn dumped(file: &[u8]) {
    let Some(text) = dump(file, "scene") else {
        return;
    };
    for part in [
        "0 Direct3DCreate9(SDKVersion = 32) = 0x7f0000001000",
        "BackBufferWidth = 32, BackBufferHeight = 32, BackBufferFormat = D3DFMT_X8R8G8B8",
        "Width = 2, Height = 2, Levels = 1, Usage = 0x0, Format = D3DFMT_A8R8G8B8, \
         Pool = D3DPOOL_MANAGED, ppTexture = &0x7f10",
        "src = blob(16), n = 16) // fake",
        "src = blob(80), n = 80) // fake",
        "src = blob(12), n = 12) // fake",
        "{Stream = 0, Offset = 12, Type = D3DDECLTYPE_FLOAT2, Method = D3DDECLMETHOD_DEFAULT, \
         Usage = D3DDECLUSAGE_TEXCOORD, UsageIndex = 0}",
        "pFunction = \"vs_1_1",
        "Flags = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, Color = 4279246896, Z = 1, Stencil = 0",
        "State = D3DRS_CULLMODE, Value = D3DCULL_NONE) = D3D_OK",
        "pConstantData = {1, 0.5, 1, 1}, Vector4fCount = 1) = D3D_OK",
        "PrimitiveType = D3DPT_TRIANGLELIST, BaseVertexIndex = 0, MinVertexIndex = 0, \
         NumVertices = 4, startIndex = 0, primCount = 2) = D3D_OK",
        "IDirect3DTexture9::Release(this = 0x7f10",
        "IDirect3DDevice9::Release(this = 0x7f0000002000) = 0",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
}
