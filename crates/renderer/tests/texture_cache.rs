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
