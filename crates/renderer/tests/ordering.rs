//! Everything happens on the GPU in the order of the calls: uploads, targets that are sampled,
//! clears, framebuffer writes, resizes, and resources that go away while draws wait.

mod common;

use common::{draw, pixel, pixels, plain, quad, texture, upload};
use ninefold_renderer::{BlendMode, CommonState, Rect, RhwState};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const WHITE: u32 = 0xFFFF_FFFF;

#[test]
fn uploads_come_between_the_draws_around_them() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(3, 1).unwrap();
    let image = texture(&mut r, 1, 1, &[RED]);
    let state = RhwState {
        texture: Some(image.clone()),
        ..RhwState::default()
    };
    for (x, color) in [(0.0, RED), (1.0, GREEN), (2.0, BLUE)] {
        upload(&mut r, &image, 0, 1, 1, &[color]);
        draw(
            &mut r,
            &context,
            &state,
            &quad(x, 0.0, x + 1.0, 1.0, 0.5, WHITE),
        );
    }
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, BLUE]);
}

#[test]
fn vertices_are_copied_by_the_draw() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    let mut vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, RED);
    draw(&mut r, &context, &RhwState::default(), &vertices);
    vertices = quad(1.0, 0.0, 2.0, 1.0, 0.5, GREEN);
    draw(&mut r, &context, &RhwState::default(), &vertices);
    vertices.fill(Default::default());
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN]);
}

#[test]
fn a_target_is_sampled_as_it_was_at_that_point() {
    let mut r = gpu_or_skip!();
    let inner = r.create_context(1, 1).unwrap();
    let outer = r.create_context(3, 1).unwrap();
    let state = RhwState {
        texture: Some(inner.image().clone()),
        ..RhwState::default()
    };
    // Once through a clear that waits, once through a draw, once through both.
    r.clear_context(&inner, RED).unwrap();
    draw(
        &mut r,
        &outer,
        &state,
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
    );
    draw(
        &mut r,
        &inner,
        &RhwState::default(),
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, GREEN),
    );
    draw(
        &mut r,
        &outer,
        &state,
        &quad(1.0, 0.0, 2.0, 1.0, 0.5, WHITE),
    );
    r.clear_context(&inner, 0xFF00_0011).unwrap();
    let add = CommonState {
        blend: BlendMode::Add,
        ..CommonState::default()
    };
    draw(
        &mut r,
        &inner,
        &plain(add),
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, 0x0000_00EE),
    );
    draw(
        &mut r,
        &outer,
        &state,
        &quad(2.0, 0.0, 3.0, 1.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&outer).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, BLUE]);
}

#[test]
fn a_clear_of_another_target_during_a_pass_is_seen_by_its_later_draws() {
    let mut r = gpu_or_skip!();
    let inner = r.create_context(1, 1).unwrap();
    let outer = r.create_context(2, 1).unwrap();
    let state = RhwState {
        texture: Some(inner.image().clone()),
        ..RhwState::default()
    };
    r.clear_context(&inner, RED).unwrap();
    draw(
        &mut r,
        &outer,
        &state,
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
    );
    r.clear_context(&inner, GREEN).unwrap();
    draw(
        &mut r,
        &outer,
        &state,
        &quad(1.0, 0.0, 2.0, 1.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&outer).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN]);
}

#[test]
fn sampling_the_target_itself_reads_what_it_held_before_the_draw() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    r.clear_context(&context, WHITE).unwrap();
    let state = RhwState {
        texture: Some(context.image().clone()),
        ..RhwState::default()
    };
    // Each draw multiplies what is there by its own colour; the second sees the first.
    for color in [0xFFFF_FF00, 0xFFFF_00FF] {
        let square = quad(0.0, 0.0, 1.0, 1.0, 0.5, color);
        draw(&mut r, &context, &state, &square);
    }
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, WHITE]);
}

#[test]
fn clears_fold_into_the_pass_that_follows() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    r.flush().unwrap();
    let before = r.stats();
    r.clear_context(&context, RED).unwrap();
    r.clear_context_depth(&context, 0.25).unwrap();
    r.clear_context(&context, GREEN).unwrap();
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, BLUE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [BLUE, GREEN]);
    let after = r.stats();
    assert_eq!(after.passes - before.passes, 1);
    assert_eq!(after.clears_folded - before.clears_folded, 2);
    assert_eq!(after.clears_encoded, before.clears_encoded);
    // Nothing follows: the clear is a pass of its own.
    r.clear_context(&context, RED).unwrap();
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, RED]);
    assert_eq!(r.stats().clears_encoded, before.clears_encoded + 1);
}

#[test]
fn rectangles_are_cleared_in_order_with_draws() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 2).unwrap();
    let rect = |x, y, w, h| Rect { x, y, w, h };
    r.clear_context(&context, RED).unwrap();
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 4.0, 1.0, 0.5, GREEN),
    );
    let blue = Some([0.0, 0.0, 1.0, 1.0]);
    // The second rectangle leaves the target; the third is outside.
    let rects = [rect(1, 0, 1, 1), rect(3, 1, 9, 9), rect(7, 0, 2, 2)];
    r.clear(context.targets(), &rects, blue, None, None)
        .unwrap();
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(
        pixels(&bytes),
        [WHITE, BLUE, GREEN, GREEN, RED, RED, RED, BLUE]
    );
}

#[test]
fn rectangles_clear_depth_and_stencil_alone() {
    use ninefold_renderer::{DepthStencilKey, StencilFace};
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    let right = [Rect {
        x: 1,
        y: 0,
        w: 1,
        h: 1,
    }];
    r.clear(context.targets(), &right, None, Some(0.25), Some(7))
        .unwrap();
    let depth = context.targets().depth.as_ref().unwrap().image.clone();
    let bytes = r.read_image(&depth, 0, 0).unwrap();
    let depths: Vec<f32> = bytes
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!(depths, [1.0, 0.25]);
    let front = StencilFace {
        func: 3,
        ..StencilFace::default()
    };
    let common = CommonState {
        depth_stencil: DepthStencilKey {
            stencil: true,
            front,
            ..DepthStencilKey::default()
        },
        stencil_ref: 7,
        ..CommonState::default()
    };
    draw(
        &mut r,
        &context,
        &plain(common),
        &quad(0.0, 0.0, 2.0, 1.0, 0.5, GREEN),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [0xFF00_0000, GREEN]);
}

#[test]
fn framebuffer_writes_are_ordered_and_take_odd_pitches() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(3, 2).unwrap();
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 3.0, 2.0, 0.5, RED),
    );
    // Rows of three pixels, 13 bytes apart.
    let mut rows = vec![0u8; 13 + 12];
    for (y, color) in [GREEN, BLUE].into_iter().enumerate() {
        for x in 0..3 {
            rows[y * 13 + x * 4..][..4].copy_from_slice(&color.to_le_bytes());
        }
    }
    r.write_framebuffer(&context, &rows, 13).unwrap();
    rows.fill(0);
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(1.0, 0.0, 2.0, 2.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN, WHITE, GREEN, BLUE, WHITE, BLUE]);
    assert!(r.write_framebuffer(&context, &rows[..24], 13).is_err());
}

#[test]
fn resizing_keeps_the_caches() {
    let mut r = gpu_or_skip!();
    let mut context = r.create_context(2, 2).unwrap();
    let image = texture(&mut r, 1, 1, &[GREEN]);
    let state = RhwState {
        texture: Some(image),
        ..RhwState::default()
    };
    draw(
        &mut r,
        &context,
        &state,
        &quad(0.0, 0.0, 2.0, 2.0, 0.5, WHITE),
    );
    let before = r.stats();
    r.resize_context(&mut context, 5, 3).unwrap();
    assert_eq!((context.width(), context.height()), (5, 3));
    draw(
        &mut r,
        &context,
        &state,
        &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixel(&bytes, 5, 0, 0), GREEN);
    assert_eq!(pixel(&bytes, 5, 4, 2), 0xFF00_0000);
    let after = r.stats();
    assert_eq!(after.pipelines_built, before.pipelines_built);
    assert_eq!(after.samplers, before.samplers);
    for (w, h) in [(0, 1), (1, 8193)] {
        assert!(r.resize_context(&mut context, w, h).is_err());
        assert!(r.create_context(w, h).is_err());
    }
    assert_eq!(context.width(), 5);
}

#[test]
fn queued_draws_keep_what_they_use() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 1).unwrap();
    {
        let image = texture(&mut r, 1, 1, &[GREEN]);
        let state = RhwState {
            texture: Some(image),
            ..RhwState::default()
        };
        draw(
            &mut r,
            &context,
            &state,
            &quad(0.0, 0.0, 1.0, 1.0, 0.5, WHITE),
        );
        let inner = r.create_context(1, 1).unwrap();
        r.clear_context(&inner, BLUE).unwrap();
        let state = RhwState {
            texture: Some(inner.image().clone()),
            ..RhwState::default()
        };
        draw(
            &mut r,
            &context,
            &state,
            &quad(1.0, 0.0, 2.0, 1.0, 0.5, WHITE),
        );
    }
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [GREEN, BLUE]);
}

#[test]
fn the_viewport_is_the_scissor() {
    let mut r = gpu_or_skip!();
    let mut context = r.create_context(4, 1).unwrap();
    r.clear_context(&context, RED).unwrap();
    context.set_viewport(1, 0, 2, 9);
    assert_eq!(
        context.viewport(),
        Rect {
            x: 1,
            y: 0,
            w: 2,
            h: 1
        }
    );
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 4.0, 1.0, 0.5, GREEN),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, GREEN, RED]);
    // An empty viewport draws nothing and succeeds.
    context.set_viewport(9, 0, 1, 1);
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 4.0, 1.0, 0.5, BLUE),
    );
    let bytes = r.read_framebuffer(&context).unwrap();
    assert_eq!(pixels(&bytes), [RED, GREEN, GREEN, RED]);
}
