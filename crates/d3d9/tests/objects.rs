//! Error codes, references, presentation, Reset.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const BAD: HResult = HResult::INVALIDCALL;

#[test]
fn wrong_arguments_give_d3d9s_codes_and_change_nothing() {
    let Some(mut d) = device(4, 4) else { return };
    let before = d.get_viewport();
    assert_eq!(d.clear(&[], 8, 0, 1.0, 0), Ok(()), "as wined3d");
    assert_eq!(d.set_render_target(0, None), Err(BAD));
    assert_eq!(d.set_render_target(4, None), Err(BAD));
    assert_eq!(d.get_render_target(1), Err(HResult::NOTFOUND));
    let plain = d
        .create_offscreen_plain_surface(4, 4, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT)
        .unwrap();
    assert_eq!(d.set_render_target(0, Some(plain)), Err(BAD));
    assert_eq!(d.set_depth_stencil_surface(Some(plain)), Err(BAD));
    assert_eq!(d.get_viewport(), before);
    assert_eq!(d.end_scene(), Err(BAD));
    d.begin_scene().unwrap();
    assert_eq!(d.begin_scene(), Err(BAD));
    d.end_scene().unwrap();
    assert_eq!(
        d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1),
        Err(BAD),
        "no declaration"
    );
    d.set_fvf(D3DFVF_XYZRHW).unwrap();
    let v = bytes(&[0.0; 12]);
    assert_eq!(
        d.draw_primitive_up(7, 1, &v, 16),
        Ok(()),
        "no such primitive, as wined3d"
    );
    assert_eq!(
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 0, &v, 16),
        Ok(()),
        "no primitives draw nothing"
    );
    assert_eq!(
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &v, 0),
        Err(BAD),
        "no stride"
    );
    assert_eq!(
        d.draw_primitive_up(D3DPT_TRIANGLELIST, u32::MAX, &v, 16),
        Err(BAD),
        "too many"
    );
    assert_eq!(
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 2, &v, 16),
        Err(BAD),
        "too few vertices"
    );
    assert_eq!(
        d.draw_indexed_primitive_up(D3DPT_TRIANGLELIST, 0, 3, 1, &[0; 4], D3DFMT_INDEX16, &v, 16),
        Err(BAD),
        "too few indices"
    );
    assert_eq!(
        d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1),
        Err(BAD),
        "no index buffer"
    );
    assert_eq!(d.set_stream_source(16, None, 0, 0), Err(BAD));
    assert_eq!(d.set_stream_source_freq(1, 0), Err(BAD));
    assert_eq!(
        d.set_stream_source_freq(0, D3DSTREAMSOURCE_INSTANCEDATA | 1),
        Err(BAD)
    );
    assert_eq!(
        d.create_vertex_buffer(0, 0, 0, D3DPOOL_DEFAULT).err(),
        Some(BAD)
    );
    assert_eq!(
        d.create_vertex_buffer(64, D3DUSAGE_DYNAMIC, 0, D3DPOOL_MANAGED)
            .err(),
        None,
        "only textures mind"
    );
    assert_eq!(
        d.create_vertex_buffer(64, 0, 0, D3DPOOL_SCRATCH).err(),
        Some(BAD)
    );
    assert_eq!(
        d.create_index_buffer(64, 0, D3DFMT_L8, D3DPOOL_DEFAULT)
            .err(),
        Some(BAD)
    );
    let vb = d.create_vertex_buffer(64, 0, 0, D3DPOOL_DEFAULT).unwrap();
    assert_eq!(d.vertex_buffer_lock(vb, 65, 0, 0).err(), Some(BAD));
    assert_eq!(d.vertex_buffer_unlock(vb), Ok(()), "not locked");
    assert_eq!(
        d.vertex_buffer_lock(vb, 32, 33, 0xDEAD_BEEF),
        Ok(LockedBuffer {
            offset: 32,
            len: 32
        }),
        "to the end, whatever the flags"
    );
    d.vertex_buffer_unlock(vb).unwrap();
    assert_eq!(
        d.vertex_buffer_lock(vb, 16, 0, 0),
        Ok(LockedBuffer {
            offset: 16,
            len: 48
        })
    );
    d.vertex_buffer_unlock(vb).unwrap();
    assert_eq!(
        d.create_query(D3DQUERYTYPE_VCACHE).err(),
        Some(HResult::NOTAVAILABLE)
    );
    assert_eq!(d.create_state_block(4).err(), Some(BAD));
    assert_eq!(d.end_state_block().err(), Some(BAD));
    assert_eq!(d.get_swap_chain(1).err(), Some(BAD));
    assert_eq!(d.get_back_buffer(0, 1).err(), Some(BAD));
    assert_eq!(d.front_buffer().err(), Some(BAD), "nothing was presented");
    let e = VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
    for odd in [
        VertexElement { stream: 16, ..e },
        VertexElement { usage: 14, ..e },
        VertexElement {
            usage_index: 16,
            ..e
        },
        VertexElement { method: 7, ..e },
        e,
    ] {
        let made = d.create_vertex_declaration(&[e, odd]);
        assert!(made.is_ok(), "as wined3d: {odd:?}");
    }
    for wrong in [
        VertexElement { ty: 17, ..e },
        VertexElement { ty: 18, ..e },
        VertexElement { offset: 2, ..e },
    ] {
        assert_eq!(
            d.create_vertex_declaration(&[wrong]).err(),
            Some(HResult::FAIL),
            "{wrong:?}"
        );
    }
    assert_eq!(
        d.create_vertex_declaration(&[e; 129]).err(),
        Some(BAD),
        "without bound"
    );
    assert_eq!(
        d.set_fvf(D3DFVF_XYZ | 0x900),
        Ok(()),
        "nine sets, as wined3d"
    );
    assert_eq!(d.create_vertex_shader(&[]).err(), Some(BAD));
    assert_eq!(
        d.create_vertex_shader(&[0xFFFE_0101]).err(),
        Some(BAD),
        "no end"
    );
    let ps = ninefold_bytecode::assemble("ps_1_1\n mov r0, c0\n").unwrap();
    assert_eq!(
        d.create_vertex_shader(ps.tokens()).err(),
        Some(BAD),
        "a pixel shader"
    );
    d.create_pixel_shader(ps.tokens()).unwrap();
}

#[test]
fn references_are_counted_as_com_does() {
    let Some(mut d) = device(4, 4) else { return };
    let t = d
        .create_texture(4, 4, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    let s = d.get_surface_level(t, 1).unwrap();
    assert_eq!(
        d.add_ref(s),
        Ok(3),
        "the surface shares the texture's count"
    );
    assert_eq!(d.release(s), Ok(2));
    assert_eq!(d.release(t), Ok(1));
    assert_eq!(
        d.get_surface_desc(s).unwrap().width,
        2,
        "the surface keeps the texture"
    );
    d.set_texture(0, Some(t.into())).unwrap();
    assert_eq!(
        d.release(s),
        Ok(0),
        "bound, it lives without a public reference"
    );
    assert_eq!(d.get_texture(0), Ok(Some(t.into())));
    assert_eq!(d.release(t), Ok(0));
    assert_eq!(d.release(t), Err(BAD), "no reference to give back");
    d.set_texture(0, None).unwrap();
    assert_eq!(d.get_level_count(t), Err(BAD), "gone");
    assert_eq!(d.set_texture(0, Some(t.into())), Err(BAD));

    let vb = d.create_vertex_buffer(64, 0, 0, D3DPOOL_MANAGED).unwrap();
    d.set_stream_source(2, Some(vb), 4, 12).unwrap();
    d.release(vb).unwrap();
    let bound = d.get_stream_source(2).unwrap();
    assert_eq!(
        bound,
        StreamSource {
            buffer: Some(vb),
            offset: 4,
            stride: 12
        }
    );
    d.release(vb).unwrap();
    d.set_stream_source(2, None, 0, 0).unwrap();
    assert_eq!(d.vertex_buffer_get_desc(vb), Err(BAD));

    let target = d
        .create_render_target(4, 4, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    d.set_render_target(1, Some(target)).unwrap();
    d.release(target).unwrap();
    assert_eq!(d.object_count(), 1);
    d.set_render_target(1, None).unwrap();
    let chain = d.get_swap_chain(0).unwrap();
    let back = d.swap_chain_get_back_buffer(chain, 0).unwrap();
    d.release(chain).unwrap();
    d.release(back).unwrap();
    assert_eq!(d.object_count(), 0);
}

#[test]
fn up_draws_leave_stream_0_and_indices_empty() {
    let Some(mut d) = device(4, 4) else { return };
    let vb = d.create_vertex_buffer(64, 0, 0, D3DPOOL_MANAGED).unwrap();
    let ib = d
        .create_index_buffer(64, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
        .unwrap();
    d.set_fvf(D3DFVF_XYZRHW).unwrap();
    d.set_stream_source(0, Some(vb), 0, 16).unwrap();
    d.set_indices(Some(ib)).unwrap();
    let v = bytes(&[0.0; 12]);
    assert_eq!(d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &v, 0), Err(BAD));
    assert_eq!(
        d.get_stream_source(0).unwrap().buffer,
        Some(vb),
        "a failed draw changes nothing"
    );
    d.release(vb).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &v, 16).unwrap();
    assert_eq!(d.get_stream_source(0), Ok(StreamSource::default()));
    assert_eq!(
        d.get_indices(),
        Ok(Some(ib)),
        "only the indexed one empties the indices"
    );
    d.release(ib).unwrap();
    d.draw_indexed_primitive_up(D3DPT_TRIANGLELIST, 0, 3, 1, &[0; 6], D3DFMT_INDEX16, &v, 16)
        .unwrap();
    assert_eq!(d.get_indices(), Ok(None));
    for h in [ObjectHandle::from(vb), ib.into()] {
        d.release(h).unwrap();
    }
    assert_eq!(d.object_count(), 0);
}

#[test]
fn present_gives_the_back_buffer_to_the_front() {
    let Some(mut d) = device(4, 4) else { return };
    d.clear(&[], D3DCLEAR_TARGET, 0x0012_3456, 1.0, 0).unwrap();
    d.present().unwrap();
    d.clear(&[], D3DCLEAR_TARGET, 0x00FF_FFFF, 1.0, 0).unwrap();
    let front = Pixels(d.front_buffer().unwrap());
    assert_eq!((front.count(0x123456), front.alpha(0, 0)), (16, 255));
    let chain = d
        .create_additional_swap_chain(&PresentParameters::windowed(2, 3))
        .unwrap();
    let back = d.swap_chain_get_back_buffer(chain, 0).unwrap();
    d.color_fill(back, None, 0xFF00_FF00).unwrap();
    d.swap_chain_present(chain).unwrap();
    let other = Pixels(d.swap_chain_front_buffer(chain).unwrap());
    assert_eq!(
        (other.0.width, other.0.height, other.count(0x00FF00)),
        (2, 3, 6)
    );
    assert_eq!(
        Pixels(d.front_buffer().unwrap()).count(0x123456),
        16,
        "the first chain's stays"
    );
    let m = d
        .create_offscreen_plain_surface(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)
        .unwrap();
    d.get_front_buffer_data(0, m).unwrap();
    d.lock_rect(m, None, 0).unwrap();
    assert_eq!(
        d.locked_bytes_mut(m).unwrap()[..4],
        [0x56, 0x34, 0x12, 0xFF]
    );
}

#[test]
fn several_back_buffers_change_places() {
    let mut parameters = PresentParameters::windowed(4, 4);
    parameters.back_buffer_count = 2;
    parameters.swap_effect = D3DSWAPEFFECT_FLIP;
    let Some(mut d) = device_with(&parameters) else {
        return;
    };
    for color in [0x000011, 0x000022, 0x000033] {
        d.clear(&[], D3DCLEAR_TARGET, color, 1.0, 0).unwrap();
        d.present().unwrap();
        assert_eq!(Pixels(d.front_buffer().unwrap()).count(color), 16);
    }
    assert_eq!(
        pixels(&mut d).count(0x000022),
        16,
        "the one presented before the last comes next"
    );
}

#[test]
fn reset_wants_default_resources_gone_and_restores_defaults() {
    let Some(mut d) = device(4, 4) else { return };
    let parameters = PresentParameters::windowed(6, 5);
    let managed = d
        .create_texture(4, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_L8, D3DPOOL_DEFAULT)
        .unwrap();
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    assert_eq!(d.reset(&parameters), Err(BAD), "a default texture");
    assert_eq!(d.get_render_state(D3DRS_LIGHTING), Ok(0), "nothing changed");
    d.release(t).unwrap();
    let back = d.get_back_buffer(0, 0).unwrap();
    assert_eq!(
        d.reset(&parameters),
        Err(BAD),
        "a reference to the back buffer"
    );
    d.release(back).unwrap();
    let block = d.create_state_block(D3DSBT_ALL).unwrap();
    assert_eq!(d.reset(&parameters), Err(BAD), "a state block");
    d.release(block).unwrap();
    let vb = d.create_vertex_buffer(64, 0, 0, D3DPOOL_DEFAULT).unwrap();
    assert_eq!(d.reset(&parameters), Err(BAD), "a default buffer");
    d.set_stream_source(0, Some(vb), 0, 16).unwrap();
    d.release(vb).unwrap();
    let bound = d
        .create_render_target(4, 4, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    d.set_render_target(0, Some(bound)).unwrap();
    d.release(bound).unwrap();
    assert_eq!(
        d.reset(&PresentParameters {
            swap_effect: 9,
            ..parameters
        }),
        Err(BAD)
    );
    d.set_texture(0, Some(managed.into())).unwrap();
    d.begin_scene().unwrap();
    d.reset(&parameters).unwrap();
    assert_eq!(d.get_render_state(D3DRS_LIGHTING), Ok(1));
    assert_eq!(d.get_texture(0), Ok(None));
    assert_eq!(
        d.get_viewport(),
        Viewport {
            x: 0,
            y: 0,
            width: 6,
            height: 5,
            min_z: 0.0,
            max_z: 1.0
        }
    );
    d.begin_scene().unwrap();
    draw_quad(&mut d, -1.0, -1.0, 6.0, 5.0, 0.5, 0xFF00_FF00);
    let p = pixels(&mut d);
    assert_eq!((p.0.width, p.0.height, p.count(0x00FF00)), (6, 5, 30));
    d.release(managed).unwrap();
    assert_eq!(d.object_count(), 0);
    let desc = d.get_depth_stencil_surface().unwrap();
    assert_eq!(d.get_surface_desc(desc).unwrap().width, 6);
}

#[test]
fn formats_are_offered_as_far_as_they_are_there() {
    let Some(direct3d) = direct3d() else { return };
    let check = |usage, kind, format| {
        let support = direct3d.check_device_format(D3DFMT_X8R8G8B8, usage, kind, format);
        support.map(|s| assert_eq!(s, Support::Full))
    };
    assert_eq!(check(0, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8), Ok(()));
    assert_eq!(check(0, D3DRTYPE_TEXTURE, D3DFMT_DXT5), Ok(()));
    assert_eq!(
        check(D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_X8R8G8B8),
        Ok(())
    );
    assert_eq!(
        check(D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_DXT1),
        Err(HResult::NOTAVAILABLE)
    );
    assert_eq!(
        check(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, D3DFMT_D24S8),
        Ok(())
    );
    assert_eq!(
        check(0, D3DRTYPE_TEXTURE, D3DFMT_YUY2),
        Err(HResult::NOTAVAILABLE)
    );
    assert_eq!(
        direct3d.check_device_format(D3DFMT_DXT1, 0, D3DRTYPE_TEXTURE, D3DFMT_L8),
        Err(HResult::NOTAVAILABLE)
    );
    assert_eq!(
        direct3d.check_device_format(D3DFMT_UNKNOWN, 0, D3DRTYPE_TEXTURE, D3DFMT_L8),
        Err(BAD)
    );
    assert_eq!(
        direct3d.check_depth_stencil_match(D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_D16),
        Ok(())
    );
    assert_eq!(
        direct3d.check_depth_stencil_match(D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_L8),
        Err(HResult::NOTAVAILABLE)
    );
    let mut wrong = PresentParameters::windowed(4, 4);
    wrong.back_buffer_format = D3DFMT_DXT1;
    assert_eq!(direct3d.create_device(&wrong).err(), Some(BAD));
    wrong = PresentParameters {
        back_buffer_count: 4,
        ..PresentParameters::windowed(4, 4)
    };
    assert_eq!(direct3d.create_device(&wrong).err(), Some(BAD));
    assert_eq!(
        direct3d.get_device_caps().vertex_shader_version,
        0xFFFE_0300
    );
}

#[test]
fn multisampled_back_buffers_and_targets_are_resolved() {
    let Some(direct3d) = direct3d() else { return };
    let four =
        direct3d.check_device_multi_sample_type(D3DFMT_X8R8G8B8, true, D3DMULTISAMPLE_4_SAMPLES);
    assert_eq!(four, Ok(1));
    let parameters = PresentParameters {
        multi_sample_type: D3DMULTISAMPLE_4_SAMPLES,
        ..PresentParameters::windowed(8, 8)
    };
    let mut d = direct3d.create_device(&parameters).unwrap();
    d.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0, 0)
        .unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    // The right edge cuts pixel 4 (from 3.5 to 4.5) in half: two samples of four.
    draw_quad(&mut d, 1.5, 1.5, 4.0, 5.5, 0.5, 0xFFFF_FFFF);
    d.present().unwrap();
    let front = Pixels(d.front_buffer().unwrap());
    assert_eq!(
        (front.at(3, 3), front.at(5, 3), front.at(1, 3)),
        (0xFFFFFF, 0, 0)
    );
    assert_near(front.at(4, 3), 0x808080, 0x40, "half covered");
    let texture = d
        .create_texture(
            8,
            8,
            1,
            D3DUSAGE_RENDERTARGET,
            D3DFMT_X8R8G8B8,
            D3DPOOL_DEFAULT,
        )
        .unwrap();
    let (surface, back) = (
        d.get_surface_level(texture, 0).unwrap(),
        d.get_back_buffer(0, 0).unwrap(),
    );
    d.stretch_rect(back, None, surface, None, D3DTEXF_NONE)
        .unwrap();
    let copy = Pixels(d.read_surface(surface).unwrap());
    assert_eq!(copy.at(3, 3), 0xFFFFFF);
    assert_eq!(copy.at(4, 3), front.at(4, 3));
    let target = d
        .create_render_target(8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, true)
        .unwrap();
    let locked = d.lock_rect(LevelTarget::Surface(target), None, 0).err();
    assert_eq!(locked, Some(BAD), "multisampled targets cannot be locked");
}

#[test]
fn objects_past_the_memory_budget_are_refused_until_others_go() {
    let Some(direct3d) = direct3d_with(|s| s.memory_budget = 1 << 20) else {
        return;
    };
    let parameters = PresentParameters {
        enable_auto_depth_stencil: false,
        ..PresentParameters::windowed(16, 16)
    };
    let mut d = direct3d.create_device(&parameters).unwrap();
    let own = d.memory_used();
    // 256 x 256 x 4 bytes in memory: three fit beside the back buffer, the fourth does not.
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(
            d.create_texture(256, 256, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)
                .unwrap(),
        );
    }
    assert_eq!(d.memory_used() - own, 3 << 18);
    let full = d.create_texture(256, 256, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
    assert_eq!(full.err(), Some(HResult::OUTOFMEMORY));
    // Managed, it takes as much again on the GPU.
    let full = d.create_texture(256, 256, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
    assert_eq!(full.err(), Some(HResult::OUTOFVIDEOMEMORY));
    let full = d.create_vertex_buffer(1 << 20, 0, 0, D3DPOOL_DEFAULT);
    assert_eq!(full.err(), Some(HResult::OUTOFVIDEOMEMORY));
    let full = d.create_render_target(512, 512, D3DFMT_A8R8G8B8, 0, 0, false);
    assert_eq!(full.err(), Some(HResult::OUTOFVIDEOMEMORY));
    assert!(d.last_error().contains("budget"), "{}", d.last_error());
    let mut blocks = Vec::new();
    let refused = loop {
        match d.create_state_block(D3DSBT_ALL) {
            Ok(block) => blocks.push(block),
            Err(code) => break code,
        }
    };
    assert_eq!(refused, HResult::OUTOFMEMORY, "state blocks are not free");
    for block in blocks {
        d.release(block).unwrap();
    }
    d.release(held.pop().unwrap()).unwrap();
    let again = d
        .create_texture(256, 256, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)
        .unwrap();
    for texture in held.into_iter().chain([again]) {
        d.release(texture).unwrap();
    }
    assert_eq!((d.memory_used(), d.object_count()), (own, 0));
}
