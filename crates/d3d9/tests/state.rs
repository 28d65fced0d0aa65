//! Defaults, Set and Get, state blocks.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const BAD: HResult = HResult::INVALIDCALL;

#[test]
fn render_states_begin_as_documented() {
    let Some(mut d) = device(4, 4) else { return };
    let one = 1.0f32.to_bits();
    let table = [
        (D3DRS_ZENABLE, D3DZB_TRUE),
        (D3DRS_FILLMODE, 3),
        (D3DRS_SHADEMODE, 2),
        (D3DRS_ZWRITEENABLE, 1),
        (D3DRS_ALPHATESTENABLE, 0),
        (D3DRS_LASTPIXEL, 1),
        (D3DRS_SRCBLEND, 2),
        (D3DRS_DESTBLEND, 1),
        (D3DRS_CULLMODE, 3),
        (D3DRS_ZFUNC, 4),
        (D3DRS_ALPHAREF, 0),
        (D3DRS_ALPHAFUNC, 8),
        (D3DRS_DITHERENABLE, 0),
        (D3DRS_ALPHABLENDENABLE, 0),
        (D3DRS_FOGENABLE, 0),
        (D3DRS_SPECULARENABLE, 0),
        (D3DRS_FOGCOLOR, 0),
        (D3DRS_FOGTABLEMODE, 0),
        (D3DRS_FOGSTART, 0),
        (D3DRS_FOGEND, one),
        (D3DRS_FOGDENSITY, one),
        (D3DRS_RANGEFOGENABLE, 0),
        (D3DRS_STENCILENABLE, 0),
        (D3DRS_STENCILFAIL, 1),
        (D3DRS_STENCILZFAIL, 1),
        (D3DRS_STENCILPASS, 1),
        (D3DRS_STENCILFUNC, 8),
        (D3DRS_STENCILREF, 0),
        (D3DRS_STENCILMASK, 0xFFFF_FFFF),
        (D3DRS_STENCILWRITEMASK, 0xFFFF_FFFF),
        (D3DRS_TEXTUREFACTOR, 0xFFFF_FFFF),
        (D3DRS_CLIPPING, 1),
        (D3DRS_LIGHTING, 1),
        (D3DRS_AMBIENT, 0),
        (D3DRS_FOGVERTEXMODE, 0),
        (D3DRS_COLORVERTEX, 1),
        (D3DRS_LOCALVIEWER, 1),
        (D3DRS_NORMALIZENORMALS, 0),
        (D3DRS_DIFFUSEMATERIALSOURCE, 1),
        (D3DRS_SPECULARMATERIALSOURCE, 2),
        (D3DRS_AMBIENTMATERIALSOURCE, 0),
        (D3DRS_EMISSIVEMATERIALSOURCE, 0),
        (D3DRS_VERTEXBLEND, 0),
        (D3DRS_CLIPPLANEENABLE, 0),
        (D3DRS_POINTSIZE, one),
        (D3DRS_POINTSIZE_MIN, one),
        (D3DRS_POINTSPRITEENABLE, 0),
        (D3DRS_POINTSCALE_A, one),
        // Drivers begin with MaxPointSize.
        (D3DRS_POINTSIZE_MAX, 256.0f32.to_bits()),
        (D3DRS_MULTISAMPLEANTIALIAS, 1),
        (D3DRS_MULTISAMPLEMASK, 0xFFFF_FFFF),
        (D3DRS_COLORWRITEENABLE, 15),
        (D3DRS_COLORWRITEENABLE3, 15),
        (D3DRS_BLENDOP, 1),
        (D3DRS_SCISSORTESTENABLE, 0),
        (D3DRS_SLOPESCALEDEPTHBIAS, 0),
        (D3DRS_TWOSIDEDSTENCILMODE, 0),
        (D3DRS_CCW_STENCILFUNC, 8),
        (D3DRS_BLENDFACTOR, 0xFFFF_FFFF),
        (D3DRS_SRGBWRITEENABLE, 0),
        (D3DRS_DEPTHBIAS, 0),
        (D3DRS_SEPARATEALPHABLENDENABLE, 0),
        (D3DRS_SRCBLENDALPHA, 2),
        (D3DRS_DESTBLENDALPHA, 1),
        (D3DRS_BLENDOPALPHA, 1),
        (D3DRS_WRAP0, 0),
        (D3DRS_WRAP15, 0),
    ];
    for (state, value) in table {
        assert_eq!(d.get_render_state(state), Ok(value), "state {state}");
        d.set_render_state(state, value ^ 1).unwrap();
        assert_eq!(d.get_render_state(state), Ok(value ^ 1), "state {state}");
    }
    // The release runtime does not judge numbers: those without a name between the first and the
    // last are kept, others are not.
    for state in [10, 40, 47, 127, 149, 197] {
        assert_eq!(d.get_render_state(state), Ok(0), "state {state}");
        d.set_render_state(state, 5).unwrap();
        assert_eq!(d.get_render_state(state), Ok(5), "state {state}");
    }
    for state in [0, 210, 255] {
        d.set_render_state(state, 5).unwrap();
        assert_eq!(d.get_render_state(state), Ok(0), "state {state}");
    }
    for state in [1, 6, 256, u32::MAX] {
        d.set_render_state(state, 5).unwrap();
        assert_eq!(d.get_render_state(state), Err(BAD), "state {state}");
    }
    let mut parameters = PresentParameters::windowed(4, 4);
    parameters.enable_auto_depth_stencil = false;
    let mut d = device_with(&parameters).unwrap();
    assert_eq!(
        d.get_render_state(D3DRS_ZENABLE),
        Ok(D3DZB_FALSE),
        "no depth surface of the device's own"
    );
}

#[test]
fn stage_and_sampler_states_begin_as_documented() {
    let Some(mut d) = device(4, 4) else { return };
    for stage in 0..8 {
        let first = stage == 0;
        let table = [
            (
                D3DTSS_COLOROP,
                if first {
                    D3DTOP_MODULATE
                } else {
                    D3DTOP_DISABLE
                },
            ),
            (D3DTSS_COLORARG1, D3DTA_TEXTURE),
            (D3DTSS_COLORARG2, D3DTA_CURRENT),
            (
                D3DTSS_ALPHAOP,
                if first {
                    D3DTOP_SELECTARG1
                } else {
                    D3DTOP_DISABLE
                },
            ),
            (D3DTSS_ALPHAARG1, D3DTA_TEXTURE),
            (D3DTSS_ALPHAARG2, D3DTA_CURRENT),
            (D3DTSS_TEXCOORDINDEX, stage),
            (D3DTSS_TEXTURETRANSFORMFLAGS, 0),
            (D3DTSS_COLORARG0, D3DTA_CURRENT),
            (D3DTSS_RESULTARG, D3DTA_CURRENT),
            (D3DTSS_BUMPENVLSCALE, 0),
        ];
        for (state, value) in table {
            assert_eq!(
                d.get_texture_stage_state(stage, state),
                Ok(value),
                "stage {stage} state {state}"
            );
            d.set_texture_stage_state(stage, state, 77).unwrap();
            assert_eq!(d.get_texture_stage_state(stage, state), Ok(77));
        }
    }
    for (stage, state) in [(8, D3DTSS_COLOROP), (0, 12), (0, 33), (u32::MAX, u32::MAX)] {
        d.set_texture_stage_state(stage, state, 1).unwrap();
        assert_eq!(
            d.get_texture_stage_state(stage, state),
            Ok(0),
            "{stage} {state}"
        );
    }
    for sampler in [
        0,
        15,
        D3DDMAPSAMPLER,
        D3DVERTEXTEXTURESAMPLER0,
        D3DVERTEXTEXTURESAMPLER3,
    ] {
        let table = [
            (D3DSAMP_ADDRESSU, 1),
            (D3DSAMP_ADDRESSW, 1),
            (D3DSAMP_BORDERCOLOR, 0),
            (D3DSAMP_MAGFILTER, 1),
            (D3DSAMP_MINFILTER, 1),
            (D3DSAMP_MIPFILTER, 0),
            (D3DSAMP_MAXMIPLEVEL, 0),
            (D3DSAMP_MAXANISOTROPY, 1),
            (D3DSAMP_SRGBTEXTURE, 0),
        ];
        for (state, value) in table {
            assert_eq!(
                d.get_sampler_state(sampler, state),
                Ok(value),
                "sampler {sampler} state {state}"
            );
            d.set_sampler_state(sampler, state, 2).unwrap();
            assert_eq!(d.get_sampler_state(sampler, state), Ok(2));
        }
    }
    for (sampler, state) in [(16, 1), (255, 1), (261, 1), (0, 0), (0, 14)] {
        d.set_sampler_state(sampler, state, 1).unwrap();
        assert_eq!(
            d.get_sampler_state(sampler, state),
            Ok(0),
            "{sampler} {state}"
        );
    }
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    for sampler in [16, 20, 255, 261, u32::MAX] {
        d.set_texture(sampler, Some(t.into())).unwrap();
        assert_eq!(d.get_texture(sampler), Ok(None), "sampler {sampler}");
    }
    d.release(t).unwrap();
    assert_eq!(
        d.object_count(),
        0,
        "a sampler that there is not holds nothing"
    );
}

#[test]
fn transforms_lights_and_constants_read_back() {
    let Some(mut d) = device(4, 4) else { return };
    let m: Matrix = core::array::from_fn(|i| core::array::from_fn(|j| (i * 4 + j) as f32));
    for state in [
        D3DTS_VIEW,
        D3DTS_PROJECTION,
        D3DTS_TEXTURE0,
        D3DTS_TEXTURE7,
        D3DTS_WORLD,
        511,
    ] {
        assert_eq!(d.get_transform(state), Ok(IDENTITY));
        d.set_transform(state, &m).unwrap();
        assert_eq!(d.get_transform(state), Ok(m));
    }
    for state in [0, 1, 4, 15, 24, 255, 512] {
        assert_eq!(d.set_transform(state, &m), Err(BAD), "{state}");
    }
    assert_eq!(d.get_light(5), Err(BAD), "never set");
    assert_eq!(d.get_light_enable(5), Err(BAD));
    d.light_enable(5, true).unwrap();
    assert_eq!(d.get_light(5), Ok(Light::default()), "white along +z");
    assert_eq!(d.get_light_enable(5), Ok(true));
    assert_eq!(
        d.set_light(
            0,
            &Light {
                kind: 4,
                ..Light::default()
            }
        ),
        Err(BAD)
    );
    let falls = |kind, attenuation0, attenuation2| Light {
        kind,
        attenuation0,
        attenuation2,
        ..Light::default()
    };
    assert_eq!(d.set_light(0, &falls(D3DLIGHT_POINT, -1.0, 0.0)), Err(BAD));
    assert_eq!(d.set_light(0, &falls(D3DLIGHT_SPOT, 0.0, -1.0)), Err(BAD));
    assert_eq!(
        d.set_light(0, &falls(D3DLIGHT_DIRECTIONAL, -1.0, -1.0)),
        Ok(())
    );
    d.set_clip_plane(5, [1.0, 2.0, 3.0, 4.0]).unwrap();
    assert_eq!(d.get_clip_plane(5), Ok([1.0, 2.0, 3.0, 4.0]));
    d.set_clip_plane(64, [5.0; 4]).unwrap();
    for plane in [5, 6, u32::MAX] {
        assert_eq!(
            d.get_clip_plane(plane),
            Ok([5.0; 4]),
            "plane {plane} is the last"
        );
    }
    assert_eq!(d.get_clip_plane(4), Ok([0.0; 4]));

    d.set_vertex_shader_constant_f(254, &[[1.0; 4], [2.0; 4]])
        .unwrap();
    let mut out = [[0.0; 4]; 3];
    d.get_vertex_shader_constant_f(253, &mut out).unwrap();
    assert_eq!(out, [[0.0; 4], [1.0; 4], [2.0; 4]]);
    assert_eq!(
        d.set_vertex_shader_constant_f(255, &[[1.0; 4]; 2]),
        Err(BAD)
    );
    assert_eq!(
        d.set_vertex_shader_constant_f(u32::MAX, &[[1.0; 4]; 2]),
        Err(BAD)
    );
    assert_eq!(d.set_pixel_shader_constant_f(224, &[[1.0; 4]]), Err(BAD));
    d.set_pixel_shader_constant_i(15, &[[1, 2, 3, 4]]).unwrap();
    assert_eq!(d.set_pixel_shader_constant_i(16, &[[1, 2, 3, 4]]), Err(BAD));
    d.set_vertex_shader_constant_b(3, &[true, false, true])
        .unwrap();
    let mut bools = [true; 4];
    d.get_vertex_shader_constant_b(2, &mut bools).unwrap();
    assert_eq!(bools, [false, true, false, true]);
    assert_eq!(d.set_vertex_shader_constant_b(16, &[true]), Err(BAD));
}

#[test]
fn state_blocks_record_capture_and_apply() {
    let Some(mut d) = device(4, 4) else { return };
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_L8, D3DPOOL_MANAGED)
        .unwrap();
    d.begin_state_block().unwrap();
    assert_eq!(d.begin_state_block(), Err(BAD));
    d.set_render_state(D3DRS_ALPHAREF, 5).unwrap();
    d.set_texture(2, Some(t.into())).unwrap();
    d.set_transform(D3DTS_VIEW, &[[2.0; 4]; 4]).unwrap();
    d.set_vertex_shader_constant_f(7, &[[3.0; 4]]).unwrap();
    d.light_enable(1, true).unwrap();
    d.set_sampler_state(0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR)
        .unwrap();
    let block = d.end_state_block().unwrap();
    assert_eq!(
        d.get_render_state(D3DRS_ALPHAREF),
        Ok(0),
        "recording sets nothing"
    );
    assert_eq!(d.get_texture(2), Ok(None));
    d.release(t).unwrap();
    assert_eq!(d.get_level_count(t), Ok(1), "the block holds its texture");

    d.set_render_state(D3DRS_ALPHAFUNC, 2).unwrap();
    d.state_block_apply(block).unwrap();
    assert_eq!(d.get_render_state(D3DRS_ALPHAREF), Ok(5));
    assert_eq!(
        d.get_render_state(D3DRS_ALPHAFUNC),
        Ok(2),
        "not in the block"
    );
    assert_eq!(d.get_texture(2), Ok(Some(t.into())));
    d.release(t).unwrap();
    assert_eq!(d.get_transform(D3DTS_VIEW), Ok([[2.0; 4]; 4]));
    let mut c = [[0.0; 4]];
    d.get_vertex_shader_constant_f(7, &mut c).unwrap();
    assert_eq!((c, d.get_light_enable(1)), ([[3.0; 4]], Ok(true)));
    assert_eq!(
        d.get_sampler_state(0, D3DSAMP_MINFILTER),
        Ok(D3DTEXF_LINEAR)
    );

    d.set_render_state(D3DRS_ALPHAREF, 9).unwrap();
    d.state_block_capture(block).unwrap();
    d.set_render_state(D3DRS_ALPHAREF, 1).unwrap();
    d.state_block_apply(block).unwrap();
    assert_eq!(d.get_render_state(D3DRS_ALPHAREF), Ok(9));

    d.set_texture(2, None).unwrap();
    d.release(block).unwrap();
    assert_eq!(d.object_count(), 0, "the block gave its texture back");
    assert_eq!(d.state_block_apply(block), Err(BAD));
}

#[test]
fn state_blocks_of_a_kind_hold_that_kinds_state() {
    let Some(mut d) = device(4, 4) else { return };
    let bare = d.create_state_block(D3DSBT_VERTEXSTATE).unwrap();
    d.set_fvf(D3DFVF_XYZRHW).unwrap();
    d.state_block_apply(bare).unwrap();
    assert_eq!(
        d.get_fvf(),
        D3DFVF_XYZRHW,
        "a block without a declaration leaves the one that is set"
    );
    let blocks = [D3DSBT_ALL, D3DSBT_PIXELSTATE, D3DSBT_VERTEXSTATE]
        .map(|k| d.create_state_block(k).unwrap());
    let change = |d: &mut Device| {
        d.set_render_state(D3DRS_ALPHAREF, 7).unwrap();
        d.set_render_state(D3DRS_CULLMODE, D3DCULL_CW).unwrap();
        d.set_transform(D3DTS_WORLD, &[[3.0; 4]; 4]).unwrap();
        d.set_fvf(D3DFVF_XYZ).unwrap();
        d.set_texture_stage_state(3, D3DTSS_COLOROP, D3DTOP_ADD)
            .unwrap();
        d.set_texture_stage_state(3, D3DTSS_TEXCOORDINDEX, 1)
            .unwrap();
    };
    let look = |d: &mut Device| {
        (
            d.get_render_state(D3DRS_ALPHAREF).unwrap() == 7,
            d.get_render_state(D3DRS_CULLMODE).unwrap() == D3DCULL_CW,
            d.get_transform(D3DTS_WORLD).unwrap() != IDENTITY,
            d.get_fvf() == D3DFVF_XYZ,
            d.get_texture_stage_state(3, D3DTSS_COLOROP).unwrap() == D3DTOP_ADD,
            d.get_texture_stage_state(3, D3DTSS_TEXCOORDINDEX).unwrap() == 1,
        )
    };
    // Which changes each block takes back: pixel render state, vertex render state, transforms,
    // the FVF, a pixel stage state, one that both hold.
    let expected = [
        (false, false, false, false, false, false),
        (false, true, true, true, false, false),
        (true, false, true, false, true, false),
    ];
    for (block, expected) in blocks.into_iter().zip(expected) {
        change(&mut d);
        d.state_block_apply(block).unwrap();
        assert_eq!(look(&mut d), expected);
        d.state_block_apply(blocks[0]).unwrap();
    }
}

#[test]
fn fvf_and_declaration_replace_each_other() {
    let Some(mut d) = device(4, 4) else { return };
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE).unwrap();
    let made = d
        .get_vertex_declaration()
        .unwrap()
        .expect("the FVF's declaration");
    assert_eq!(
        d.vertex_declaration_get_declaration(made).unwrap(),
        [
            VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
            VertexElement::new(0, 12, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
        ]
    );
    d.release(made).unwrap();
    let own = d
        .create_vertex_declaration(&[VertexElement::new(
            0,
            0,
            D3DDECLTYPE_FLOAT4,
            D3DDECLUSAGE_POSITIONT,
            0,
        )])
        .unwrap();
    d.set_vertex_declaration(Some(own)).unwrap();
    assert_eq!(d.get_fvf(), 0);
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE).unwrap();
    d.release(own).unwrap();
    assert_eq!(d.object_count(), 0);
}
