//! Filters, address modes, mip levels, border colours and the bounded sampler cache.

mod common;

use common::{draw, near, pixel, pixels, quad, texture, upload};
use ninefold_renderer::{
    FixedState, FixedVertex, ImageDesc, ImageFormat, ImageKind, Primitive, RhwState, RhwVertex,
    SamplerKey, Settings,
};
use ninefold_shader::fixed::{FragmentStage, op};

const WRAP: u8 = 1;
const MIRROR: u8 = 2;
const CLAMP: u8 = 3;
const BORDER: u8 = 4;
const MIRROR_ONCE: u8 = 5;

/// The texel that coordinate `at`, in texels, reads along an edge of `size`; `None` is the border.
fn address(mode: u8, at: i32, size: i32) -> Option<i32> {
    match mode {
        WRAP => Some(at.rem_euclid(size)),
        MIRROR => {
            let at = at.rem_euclid(2 * size);
            Some(if at < size { at } else { 2 * size - 1 - at })
        }
        CLAMP => Some(at.clamp(0, size - 1)),
        BORDER => (0..size).contains(&at).then_some(at),
        _ => {
            let at = if at < 0 { -1 - at } else { at };
            Some(at.min(size - 1))
        }
    }
}

/// A quad over `size` x `size` pixels whose pixel (x, y) reads texel (x - shift, y - shift) of a
/// texture of `texels` x `texels`.
fn texel_quad(size: f32, shift: f32, texels: f32) -> Vec<RhwVertex> {
    let mut vertices = quad(0.0, 0.0, size, size, 0.5, 0xFFFF_FFFF).to_vec();
    for vertex in &mut vertices {
        // Half a texel, because Direct3D samples at the pixel's corner here.
        vertex.u = (vertex.x - shift + 0.5) / texels;
        vertex.v = (vertex.y - shift + 0.5) / texels;
    }
    vertices
}

/// Four by four distinct texels.
fn palette() -> Vec<u32> {
    (0..16u32)
        .map(|n| 0xFF00_0000 | (n * 16) << 16 | (255 - n * 16) << 8 | n)
        .collect()
}

#[test]
fn all_address_combinations_on_both_draw_paths() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(18, 18).unwrap();
    let texels = palette();
    let image = texture(&mut r, 4, 4, &texels);
    // Mirror-once folds within one repeat of each side; the picture reaches 7 texels out.
    for u in [WRAP, MIRROR, CLAMP, BORDER, MIRROR_ONCE] {
        for v in [WRAP, MIRROR, CLAMP, BORDER, MIRROR_ONCE] {
            let sampler = SamplerKey {
                address_u: u,
                address_v: v,
                ..SamplerKey::default()
            };
            for path in 0..2 {
                r.clear_context(&context, 0x1234_5678).unwrap();
                let vertices = texel_quad(18.0, 7.0, 4.0);
                if path == 0 {
                    let state = RhwState {
                        texture: Some(image.clone()),
                        sampler,
                        ..RhwState::default()
                    };
                    draw(&mut r, &context, &state, &vertices);
                } else {
                    let mut state = FixedState::default();
                    state.stages[0] = FragmentStage {
                        color_op: op::SELECTARG1,
                        color_args: [0, op::arg::TEXTURE, 0],
                        alpha_op: op::SELECTARG1,
                        alpha_args: [0, op::arg::TEXTURE, 0],
                        ..FragmentStage::default()
                    };
                    state.textures[0] = Some(image.clone());
                    state.samplers[0] = sampler;
                    let fixed: Vec<FixedVertex> = vertices
                        .iter()
                        .map(|vertex| FixedVertex {
                            position: [vertex.x, vertex.y, vertex.z, 1.0],
                            color: [1.0; 4],
                            uv: [[vertex.u, vertex.v]; 8],
                            ..FixedVertex::default()
                        })
                        .collect();
                    r.draw_fixed_rhw(&context, &state, Primitive::TriangleList, &fixed, None)
                        .unwrap();
                }
                let bytes = r.read_framebuffer(&context).unwrap();
                for y in 0..18 {
                    for x in 0..18 {
                        let at = (address(u, x - 7, 4), address(v, y - 7, 4));
                        let want = match at {
                            (Some(s), Some(t)) => texels[(t * 4 + s) as usize],
                            _ => 0,
                        };
                        let got = pixel(&bytes, 18, x as u32, y as u32);
                        assert_eq!(got, want, "U {u} V {v} path {path} pixel {x} {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn border_colours() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let image = texture(&mut r, 1, 1, &[0xFF12_3456]);
    for border_color in [0, 0xFF00_0000, 0xFFFF_FFFF, 0x8040_20C0, 0x00FF_0001] {
        let state = RhwState {
            texture: Some(image.clone()),
            sampler: SamplerKey {
                address_u: BORDER,
                address_v: BORDER,
                border_color,
                ..SamplerKey::default()
            },
            ..RhwState::default()
        };
        draw(&mut r, &context, &state, &texel_quad(2.0, 5.0, 1.0));
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixel(&bytes, 2, 1, 1), border_color);
    }
}

#[test]
fn linear_filters_mix_four_texels() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let image = texture(
        &mut r,
        2,
        2,
        &[0xFF00_0000, 0xFF64_0000, 0xFF00_6400, 0xFF64_64C8],
    );
    let mut vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, 0xFFFF_FFFF);
    // Between the four texel centres: a quarter of each.
    for vertex in &mut vertices {
        (vertex.u, vertex.v) = (0.5, 0.5);
    }
    let mut state = RhwState {
        texture: Some(image),
        ..RhwState::default()
    };
    for filter in [2, 3] {
        state.sampler = SamplerKey {
            min_filter: filter,
            mag_filter: filter,
            max_anisotropy: 4,
            ..SamplerKey::default()
        };
        draw(&mut r, &context, &state, &vertices);
        let bytes = r.read_framebuffer(&context).unwrap();
        assert!(
            near(pixel(&bytes, 1, 0, 0), 0xFF32_3232, 1),
            "{:08x}",
            pixel(&bytes, 1, 0, 0)
        );
    }
    state.sampler = SamplerKey::default();
    for vertex in &mut vertices {
        (vertex.u, vertex.v) = (0.51, 0.49);
    }
    draw(&mut r, &context, &state, &vertices);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixel(&bytes, 1, 0, 0), 0xFF64_0000);
}

#[test]
fn mip_filters_and_the_most_detailed_level() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    let levels = [0xFF10_0000u32, 0xFF20_0000, 0xFF30_0000, 0xFF40_0000];
    let image = r
        .create_image(&ImageDesc {
            levels: 4,
            ..ImageDesc::d2(8, 8, ImageFormat::Bgra8)
        })
        .unwrap();
    for (level, color) in levels.iter().enumerate() {
        let edge = 8 >> level;
        upload(
            &mut r,
            &image,
            level as u32,
            edge,
            edge,
            &vec![*color; (edge * edge) as usize],
        );
    }
    // 8 texels over 4 pixels: level 1 is the natural one.
    let vertices = quad(0.0, 0.0, 4.0, 4.0, 0.5, 0xFFFF_FFFF);
    for (mip_filter, max_mip_level, want) in [
        (0, 0, levels[0]),
        (1, 0, levels[1]),
        (2, 0, levels[1]),
        (1, 2, levels[2]),
        (0, 2, levels[2]),
        (1, 9, levels[3]),
    ] {
        let state = RhwState {
            texture: Some(image.clone()),
            sampler: SamplerKey {
                mip_filter,
                max_mip_level,
                ..SamplerKey::default()
            },
            ..RhwState::default()
        };
        draw(&mut r, &context, &state, &vertices);
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(
            pixel(&bytes, 4, 2, 2),
            want,
            "mip filter {mip_filter} level {max_mip_level}"
        );
    }
}

#[test]
fn minification_uses_its_own_filter_without_mips() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let texels: Vec<u32> = (0..64)
        .map(|n| {
            if (n + n / 8) % 2 == 0 {
                0xFF00_0000
            } else {
                0xFFFF_FFFF
            }
        })
        .collect();
    let image = texture(&mut r, 8, 8, &texels);
    let vertices = quad(0.0, 0.0, 2.0, 2.0, 0.5, 0xFFFF_FFFF);
    let mut state = RhwState {
        texture: Some(image),
        ..RhwState::default()
    };
    // Texel corners are sampled: linear minification mixes two black and two white texels.
    state.sampler = SamplerKey {
        min_filter: 2,
        mag_filter: 1,
        ..SamplerKey::default()
    };
    draw(&mut r, &context, &state, &vertices);
    let bytes = r.read_framebuffer(&context).unwrap();
    let mixed = pixel(&bytes, 2, 1, 1) & 0xFF;
    assert!((96..=160).contains(&mixed), "{mixed}");
    state.sampler = SamplerKey {
        min_filter: 1,
        mag_filter: 2,
        ..SamplerKey::default()
    };
    draw(&mut r, &context, &state, &vertices);
    let bytes = r.read_framebuffer(&context).unwrap();
    let single = pixel(&bytes, 2, 1, 1) & 0xFF;
    assert!(single == 0 || single == 255, "{single}");
}

#[test]
fn the_sampler_cache_stays_bounded() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let image = texture(&mut r, 1, 1, &[0xFF11_2233]);
    let mut seen = std::collections::HashSet::new();
    let mut requests = 0;
    'all: for address_w in 1..=3u8 {
        for max_mip_level in 0..16u8 {
            for min_filter in 1..=2u8 {
                for mag_filter in 1..=2u8 {
                    for mip_filter in 0..=2u8 {
                        for address_u in [WRAP, CLAMP] {
                            let sampler = SamplerKey {
                                address_u,
                                address_w,
                                max_mip_level,
                                min_filter,
                                mag_filter,
                                mip_filter,
                                ..SamplerKey::default()
                            };
                            seen.insert(r.sampler(&sampler).unwrap());
                            let state = RhwState {
                                texture: Some(image.clone()),
                                sampler,
                                ..RhwState::default()
                            };
                            let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, 0xFFFF_FFFF);
                            draw(&mut r, &context, &state, &vertices);
                            assert!(r.stats().samplers <= 256);
                            requests += 1;
                            if requests == 768 {
                                break 'all;
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!((requests, seen.len()), (768, 768));
    assert_eq!(r.stats().samplers, 256);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [0xFF11_2233]);
}

#[test]
fn the_quality_override_is_a_setting() {
    let settings = Settings {
        quality_aniso: true,
        ..Settings::default()
    };
    let Some(mut better) = common::renderer_with(settings) else {
        return;
    };
    let bilinear = SamplerKey {
        min_filter: 2,
        mag_filter: 2,
        mip_filter: 1,
        ..SamplerKey::default()
    };
    let wanted = SamplerKey {
        min_filter: 3,
        max_anisotropy: 8,
        mip_filter: 2,
        ..bilinear
    };
    assert_eq!(
        better.sampler(&bilinear).unwrap(),
        better.sampler(&wanted).unwrap()
    );
    let point = SamplerKey {
        min_filter: 1,
        ..bilinear
    };
    assert_ne!(
        better.sampler(&point).unwrap(),
        better.sampler(&wanted).unwrap()
    );
    let flat = SamplerKey {
        mip_filter: 0,
        ..bilinear
    };
    assert_ne!(
        better.sampler(&flat).unwrap(),
        better.sampler(&wanted).unwrap()
    );
    drop(better);
    let Some(mut plain) = common::renderer() else {
        return;
    };
    assert_ne!(
        plain.sampler(&bilinear).unwrap(),
        plain.sampler(&wanted).unwrap()
    );
}

#[test]
fn unbound_and_mismatched_stages_read_opaque_black() {
    use common::raw::{Owned, RHW, strides};
    use ninefold_renderer::{StreamData, TextureBinding};
    use ninefold_shader::fixed::{
        FragmentKey, VertexKey, VertexStage, coordinate, position, stage_texture,
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
    let cube = r
        .create_image(&ImageDesc {
            kind: ImageKind::Cube,
            ..ImageDesc::d2(1, 1, ImageFormat::Bgra8)
        })
        .unwrap();
    for kind in [
        stage_texture::D2,
        stage_texture::CUBE,
        stage_texture::VOLUME,
    ] {
        let mut key = FragmentKey::default();
        key.stages[0] = FragmentStage {
            color_op: op::SELECTARG1,
            color_args: [0, op::arg::TEXTURE, 0],
            alpha_op: op::SELECTARG1,
            alpha_args: [0, op::arg::TEXTURE, 0],
            texture: kind,
            ..FragmentStage::default()
        };
        owned.pixel = r.fixed_fragment(&key).unwrap();
        for bound in [None, Some(cube.clone())] {
            let black = bound.is_none() || kind != stage_texture::CUBE;
            owned.textures[0] = bound.map(TextureBinding::new);
            r.clear_context(&context, 0x0101_0101).unwrap();
            let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, 0xFFFF_FFFF);
            let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
            let draw = owned.draw(&mut r, &context, &streams, 6);
            r.draw(&draw).unwrap();
            let bytes = r.read_framebuffer(&context).unwrap();
            // The cube itself was never written: transparent black.
            let want = if black { 0xFF00_0000 } else { 0 };
            assert_eq!(pixels(&bytes), [want], "kind {kind}");
        }
    }
}
