//! The content-keyed texture cache: budget, pins, number of entries, life beyond eviction.

mod common;

use common::{draw, pixels, quad};
use ninefold_renderer::{
    CachedTexture, ErrorKind, Image, ImageKind, Renderer, RhwState, SamplerKey, Settings,
};

const WHITE: u32 = 0xFFFF_FFFF;

fn solid(r: &mut Renderer, key: u64, edge: u32) -> ninefold_renderer::Result<Image> {
    let texels = vec![key as u8; (edge * edge * 4) as usize];
    r.create_cached_texture(
        key,
        &CachedTexture {
            kind: ImageKind::D2,
            width: edge,
            height: edge,
            depth: 1,
            texels: &texels,
            mips: false,
        },
    )
}

#[test]
fn the_texture_cache_keeps_its_budget_and_its_pins() {
    let settings = Settings {
        texture_cache_bytes: 1024,
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    // 8 x 8 texels are 256 bytes: four fit into 1 KiB.
    for key in 1..=4 {
        solid(&mut r, key, 8).unwrap();
    }
    assert_eq!(r.stats().cached_texture_bytes, 1024);
    assert!(r.find_cached_texture(1).is_some());
    solid(&mut r, 5, 8).unwrap();
    assert!(
        r.find_cached_texture(2).is_none(),
        "the least recently used goes"
    );
    assert!(r.find_cached_texture(1).is_some());
    // Everything resolved inside a scope stays; creation fails instead.
    r.begin_binding_scope();
    for key in [1, 3, 4, 5] {
        assert!(r.find_cached_texture(key).is_some());
    }
    let error = solid(&mut r, 6, 8).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Texture);
    for key in [1, 3, 4, 5] {
        assert!(r.find_cached_texture(key).is_some());
    }
    r.end_binding_scope();
    solid(&mut r, 6, 8).unwrap();
    assert!(
        r.find_cached_texture(1).is_none(),
        "eviction resumes after the scope"
    );
    assert_eq!(
        (r.stats().cached_textures, r.stats().cached_texture_bytes),
        (4, 1024)
    );
    // Larger than the whole budget.
    assert_eq!(solid(&mut r, 7, 17).unwrap_err().kind(), ErrorKind::Texture);
    r.remove_cached_texture(6);
    let short = CachedTexture {
        kind: ImageKind::Cube,
        width: 1,
        height: 1,
        depth: 1,
        texels: &[0; 20],
        mips: true,
    };
    assert_eq!(
        r.create_cached_texture(8, &short).unwrap_err().kind(),
        ErrorKind::Bounds
    );
}

#[test]
fn what_does_not_fit_evicts_nothing() {
    let settings = Settings {
        texture_cache_bytes: 1024,
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    for key in 1..=4 {
        solid(&mut r, key, 8).unwrap();
    }
    // More than the whole budget: no eviction would help.
    assert_eq!(solid(&mut r, 9, 17).unwrap_err().kind(), ErrorKind::Texture);
    // Two of the four are pinned, and three would have to go.
    r.begin_binding_scope();
    assert!(r.find_cached_texture(3).is_some() && r.find_cached_texture(4).is_some());
    assert_eq!(solid(&mut r, 9, 14).unwrap_err().kind(), ErrorKind::Texture);
    assert_eq!(
        (r.stats().cached_textures, r.stats().cached_texture_bytes),
        (4, 1024)
    );
    // What two evictions make room for, fits; a texture made in the scope is pinned as well.
    solid(&mut r, 10, 11).unwrap();
    assert!(r.find_cached_texture(1).is_none() && r.find_cached_texture(2).is_none());
    assert_eq!(solid(&mut r, 11, 5).unwrap_err().kind(), ErrorKind::Texture);
    r.end_binding_scope();
    solid(&mut r, 11, 5).unwrap();
    assert!(
        r.find_cached_texture(3).is_none(),
        "the least recently used of those that were pinned"
    );
    assert!(r.find_cached_texture(4).is_some() && r.find_cached_texture(10).is_some());
}

/// The numbers of the specification: 1,024 entries, 512 MiB with the mip chains.
#[test]
fn the_specified_bounds() {
    let settings = Settings::default();
    assert_eq!(settings.texture_cache_entries, 1024);
    assert_eq!(settings.texture_cache_bytes, 512 << 20);
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    for key in 0..1100 {
        solid(&mut r, key, 1).unwrap();
    }
    assert_eq!(r.stats().cached_textures, 1024);
    assert!(r.find_cached_texture(75).is_none());
    assert!(r.find_cached_texture(76).is_some());
    // 4,096 x 4,096 texels with their chain are 85.3 MiB: the seventh does not fit beside six.
    let big = 4096u32;
    let texels = vec![0u8; (big * big * 4) as usize];
    let mut make = |key| {
        let texture = CachedTexture {
            kind: ImageKind::D2,
            width: big,
            height: big,
            depth: 1,
            texels: &texels,
            mips: true,
        };
        // The GPU frees what the cache drops once it is done with it.
        r.create_cached_texture(key, &texture).unwrap();
        r.wait_idle().unwrap();
        r.stats().cached_texture_bytes
    };
    let each = ninefold_renderer::mips::chain_bytes(big, big, 1, 13, 4);
    assert_eq!(each, 89_478_484, "4 * (4^13 - 1) / 3");
    for key in 0..6 {
        let bytes = make(5000 + key);
        assert!(bytes >= (key + 1) * each && bytes <= 512 << 20);
    }
    assert!(make(5006) <= 512 << 20);
    assert!(r.find_cached_texture(5000).is_none() && r.find_cached_texture(5001).is_some());
}

#[test]
fn the_texture_cache_bounds_its_entries() {
    let settings = Settings {
        texture_cache_entries: 8,
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    for key in 0..20 {
        solid(&mut r, key, 1).unwrap();
        assert!(r.stats().cached_textures <= 8);
    }
    assert!(r.find_cached_texture(11).is_none());
    assert!(r.find_cached_texture(12).is_some());
}

#[test]
fn cached_textures_have_mip_chains_and_outlive_their_eviction_in_queued_draws() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(1, 1).unwrap();
    let texels: Vec<u8> = (0..16u32)
        .flat_map(|n| [if n % 2 == 0 { 0 } else { 200 }; 4])
        .collect();
    let image = r
        .create_cached_texture(
            9,
            &CachedTexture {
                kind: ImageKind::D2,
                width: 4,
                height: 4,
                depth: 1,
                texels: &texels,
                mips: true,
            },
        )
        .unwrap();
    assert_eq!(image.desc().levels, 3);
    assert_eq!(r.stats().cached_texture_bytes, 64 + 16 + 4);
    assert_eq!(r.read_image(&image, 2, 0).unwrap(), [100; 4]);
    let sampler = SamplerKey {
        mip_filter: 1,
        ..SamplerKey::default()
    };
    let state = RhwState {
        texture: Some(image),
        sampler,
        ..RhwState::default()
    };
    draw(
        &mut r,
        &context,
        &state,
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
    );
    r.remove_cached_texture(9);
    drop(state);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [0x6464_6464]);
}

/// A checkerboard of one texel a square, drawn at a sixteenth of its size: without mips the pixels
/// are of either colour as it comes, with them all are the mean.
#[test]
fn mips_take_the_variance_of_a_checkerboard_away() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 8).unwrap();
    let edge = 128u32;
    let texels: Vec<u8> = (0..edge * edge)
        .flat_map(|n| {
            let odd = (n % edge + n / edge) % 2 == 1;
            let v = if odd { 254 } else { 0 };
            [v, v, v, 255]
        })
        .collect();
    let mut variance = |mips: bool, sampler: SamplerKey| {
        let texture = CachedTexture {
            kind: ImageKind::D2,
            width: edge,
            height: edge,
            depth: 1,
            texels: &texels,
            mips,
        };
        let state = RhwState {
            texture: Some(r.create_cached_texture(u64::from(mips), &texture).unwrap()),
            sampler,
            ..RhwState::default()
        };
        let mut vertices = quad(0.0, 0.0, 8.0, 8.0, 0.5, WHITE);
        for vertex in &mut vertices {
            // Not a whole number of squares a pixel, so that both colours come up.
            (vertex.u, vertex.v) = (vertex.u * 0.93, vertex.v * 0.87);
        }
        draw(&mut r, &context, &state, &vertices);
        let read = pixels(&r.read_framebuffer(&context).unwrap());
        let values: Vec<f64> = read.iter().map(|p| f64::from(p & 0xFF)).collect();
        let mean = values.iter().sum::<f64>() / 64.0;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 64.0
    };
    let point = SamplerKey::default();
    let linear = SamplerKey {
        min_filter: 2,
        mag_filter: 2,
        mip_filter: 2,
        ..point
    };
    let anisotropic = SamplerKey {
        min_filter: 3,
        max_anisotropy: 8,
        ..linear
    };
    let without = variance(false, point);
    assert!(without > 10_000.0, "{without}");
    for sampler in [linear, anisotropic] {
        let with = variance(true, sampler);
        assert!(with < 1.0, "{with}");
    }
}
