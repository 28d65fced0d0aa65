//! Calls that ask, and those about shaders, constants and the fixed function.

use super::*;

const VERTEX_SHADERS: [&str; 4] = [
    "vs_1_1\n dcl_position v0\n mov oPos, v0\n dp4 oFog, v0, c6\n dp4 oT0.x, v0, c7\n",
    "vs_1_1\n dcl_position v0\n add oPos, v0, c3\n mov oD0, c4\n",
    "vs_2_0\n dcl_position v0\n mova a0, v0\n mov oPos, c[a0.x + 5]\n mov oD0, v0\n",
    "vs_3_0\n dcl_position v0\n dcl_position o0\n dcl_color o1\n if b3\n mov o0, v0\n else\n mov o0, c7\n endif\n mov o1, c1\n",
];
const PIXEL_SHADERS: [&str; 3] = [
    "ps_1_1\n tex t0\n mul r0, t0, v0\n",
    "ps_2_0\n dcl v0\n dcl_2d s1\n dcl t0.xy\n texld r0, t0, s1\n add r0, r0, v0\n mov oC0, r0\n",
    "ps_3_0\n dcl_color v0\n rep i0\n add r0, r0, v0\n endrep\n mov oC0, r0\n",
];

/// Shaders that assemble, at times with a word or two of another meaning.
fn tokens(r: &mut Dice, texts: &[&str]) -> Vec<u32> {
    let text = r.pick(texts).expect("some");
    let code = ninefold_bytecode::assemble(text).expect("assembles");
    let mut tokens = code.tokens().to_vec();
    for _ in 0..r.roll(6).saturating_sub(3) {
        let at = r.roll(tokens.len() as u32) as usize;
        tokens[at] ^= 1 << r.roll(32);
    }
    tokens
}

/// Scenes of a panorama that are whatever calls come.
fn panorama(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let desc = PanoramaDesc {
        size: r.size(),
        format: r.pick(&FORMATS).expect("some"),
        ring_height: r.number() as f32 * 20.0,
        ..PanoramaDesc::default()
    };
    let Ok(mut panorama) = Panorama::new(d, &desc) else {
        return;
    };
    let f = r.number() as f32;
    let _ = panorama.set_free([f, 1.0, 0.0], [0.0, 1.0, f]);
    let (viewport, pass) = (d.get_viewport(), d.panorama_pass());
    let drawn = panorama.draw(d, [f; 3], Bearing::all().step_by(3), |d, _| {
        set(d, r, t);
        act(d, r, t);
        d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1)
    });
    // The draw may fail; the flat view is back all the same.
    let _ = drawn;
    assert_eq!((d.get_viewport(), d.panorama_pass()), (viewport, pass));
    panorama.release(d);
}

pub(super) fn shade(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let (a, b) = (r.number(), r.number());
    let f = b as f32;
    match r.roll(23) {
        0 => {
            let tokens = tokens(r, &VERTEX_SHADERS);
            if let Ok(h) = d.create_vertex_shader(&tokens) {
                assert_eq!(d.vertex_shader_get_function(h).expect("alive"), tokens);
                t.vertex_shaders.push(h);
                t.owned.push(h.into());
            }
        }
        1 => {
            let tokens = tokens(r, &PIXEL_SHADERS);
            if let Ok(h) = d.create_pixel_shader(&tokens) {
                assert_eq!(d.pixel_shader_get_function(h).expect("alive"), tokens);
                t.pixel_shaders.push(h);
                t.owned.push(h.into());
            }
        }
        2 => drop(d.set_vertex_shader(r.pick(&t.vertex_shaders))),
        3 => drop(d.set_pixel_shader(r.pick(&t.pixel_shaders))),
        4 => {
            let (mut floats, mut ints, mut bools) = ([[f; 4]; 3], [[b as i32; 4]; 3], [true; 3]);
            let _ = d.set_vertex_shader_constant_f(a, &floats);
            let _ = d.set_vertex_shader_constant_i(a, &ints);
            let _ = d.set_vertex_shader_constant_b(a, &bools);
            let _ = d.get_vertex_shader_constant_f(b, &mut floats);
            let _ = d.get_vertex_shader_constant_i(b, &mut ints);
            let _ = d.get_vertex_shader_constant_b(b, &mut bools);
        }
        5 => {
            let (mut floats, mut ints, mut bools) = ([[f; 4]; 3], [[b as i32; 4]; 3], [true; 3]);
            let _ = d.set_pixel_shader_constant_f(a, &floats);
            let _ = d.set_pixel_shader_constant_i(a, &ints);
            let _ = d.set_pixel_shader_constant_b(a, &bools);
            let _ = d.get_pixel_shader_constant_f(b, &mut floats);
            let _ = d.get_pixel_shader_constant_i(b, &mut ints);
            let _ = d.get_pixel_shader_constant_b(b, &mut bools);
        }
        6 => {
            let light = Light {
                kind: r.roll(5),
                range: f,
                attenuation1: f,
                phi: f,
                ..Light::default()
            };
            let _ = d.set_light(a, &light);
        }
        7 => {
            let material = Material {
                power: f,
                diffuse: [f; 4],
                ..Material::default()
            };
            let _ = d.set_material(&material);
        }
        8 => drop(d.set_clip_plane(a, [f, 1.0, 0.0, f])),
        9 => drop(d.multiply_transform(a, &[[f; 4]; 4])),
        10 => drop(d.set_npatch_mode(f)),
        11 => drop(d.set_software_vertex_processing(a & 1 != 0)),
        12 => {
            let entry = [a as u8, b as u8, 7, 255];
            let _ = d.set_palette_entries(a % 3, &[entry; 256]);
            let _ = d.set_current_texture_palette(b % 3);
        }
        13 => drop(if a & 1 != 0 {
            d.begin_scene()
        } else {
            d.end_scene()
        }),
        14 => {
            if let Some(vb) = r.pick(&t.vertices) {
                let declaration = r.pick(&t.declarations);
                let _ = d.process_vertices(a, b, r.roll(40), vb, declaration, r.roll(2));
            }
        }
        15 => {
            if let Some(ib) = r.pick(&t.indices)
                && d.index_buffer_lock(ib, a, b, 0).is_ok()
            {
                for (n, byte) in d
                    .index_buffer_bytes_mut(ib)
                    .expect("locked")
                    .iter_mut()
                    .enumerate()
                {
                    *byte = (n % 3) as u8;
                }
                d.index_buffer_unlock(ib).expect("locked");
            }
        }
        16 => match r.pick(&t.textures) {
            Some(BaseTexture::Texture(h)) => drop(d.add_dirty_rect(h, r.rect())),
            Some(BaseTexture::Cube(h)) => drop(d.add_dirty_rect_cube(h, a, r.rect())),
            Some(BaseTexture::Volume(h)) => drop(d.add_dirty_box(h, None)),
            None => {}
        },
        17 => {
            if let Some(h) = r.pick(&t.textures) {
                let _ = d.set_auto_gen_filter_type(h, a);
                let _ = d.get_auto_gen_filter_type(h);
                let _ = d.get_level_count(h);
                let _ = d.get_lod(h);
            }
        }
        18 => drop(d.evict_managed_resources()),
        19 | 20 => {
            d.set_panorama_pass(Bearing::new(a as u8));
            d.set_planar_fog_type(b & 3);
        }
        21 => panorama(d, r, t),
        _ => drop(d.flush()),
    }
}

/// Whatever is handed out is owned from then on.
pub(super) fn ask(d: &mut Device, r: &mut Dice, t: &mut Things) {
    let (a, b) = (r.number(), r.number());
    let owned: Option<ObjectHandle> = match r.roll(22) {
        0 => d.get_texture(a).ok().flatten().map(Into::into),
        1 => d.get_render_target(a).ok().map(Into::into),
        2 => d.get_depth_stencil_surface().ok().map(Into::into),
        3 => d.get_swap_chain(a).ok().map(Into::into),
        4 => d
            .get_stream_source(a)
            .ok()
            .and_then(|s| s.buffer)
            .map(Into::into),
        5 => d.get_indices().ok().flatten().map(Into::into),
        6 => d.get_vertex_declaration().ok().flatten().map(|h| {
            assert!(d.vertex_declaration_get_declaration(h).is_ok());
            h.into()
        }),
        7 => d.get_vertex_shader().ok().flatten().map(Into::into),
        8 => d.get_pixel_shader().ok().flatten().map(Into::into),
        9 => r.pick(&t.chains).and_then(|chain| {
            let _ = d.swap_chain_get_present_parameters(chain);
            d.swap_chain_get_back_buffer(chain, a).ok().map(Into::into)
        }),
        10 => r.pick(&t.owned).and_then(|h| d.add_ref(h).ok().map(|_| h)),
        11 => {
            if let Some(surface) = r.pick(&t.surfaces) {
                let _ = d.get_surface_desc(surface);
                let _ = d.swap_chain_of(surface);
                let _ = d.is_texture_level(surface);
                let _ = d.get_front_buffer_data(r.roll(2), surface);
                if let Some(chain) = r.pick(&t.chains) {
                    let _ = d.swap_chain_get_front_buffer_data(chain, surface);
                    let _ = d.swap_chain_front_buffer(chain);
                }
            }
            None
        }
        12 => {
            let _ = (d.get_render_state(a), d.get_texture_stage_state(a, b));
            let _ = (d.get_sampler_state(a, b), d.get_stream_source_freq(a));
            None
        }
        13 => {
            let _ = (d.get_transform(a), d.get_light(a), d.get_light_enable(a));
            let _ = (d.get_clip_plane(a), d.get_material(), d.get_viewport());
            None
        }
        14 => {
            let _ = (d.get_scissor_rect(), d.get_fvf(), d.get_npatch_mode());
            let _ = (d.get_software_vertex_processing(), d.validate_device());
            None
        }
        15 => {
            let _ = (d.get_display_mode(a), d.test_cooperative_level());
            let _ = (d.get_available_texture_mem(), d.get_number_of_swap_chains());
            let _ = (d.check_query(a), d.front_buffer(), d.memory_used());
            None
        }
        16 => {
            if let Some(q) = r.pick(&t.queries) {
                let _ = d.query_get_type(q);
            }
            None
        }
        17 => {
            if let Some(vb) = r.pick(&t.vertices) {
                let _ = d.vertex_buffer_get_desc(vb);
            }
            if let Some(ib) = r.pick(&t.indices) {
                let _ = d.index_buffer_get_desc(ib);
            }
            None
        }
        _ => {
            if let Some(h) = r.pick(&t.owned) {
                assert!(d.is_alive(h) && d.public_references(h) > 0);
            }
            None
        }
    };
    t.owned.extend(owned);
}
