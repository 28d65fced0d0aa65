//! Depth and stencil tests and operations, alpha test, and the bounded state cache.

mod common;

use common::{draw, pixel, pixels, plain, quad};
use ninefold_renderer::{CommonState, Context, DepthStencilKey, RasterKey, Renderer, StencilFace};

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;

/// Whether `D3DCMPFUNC` `func` passes for `value` against `reference`.
fn passes(func: u8, value: f32, reference: f32) -> bool {
    match func {
        1 => false,
        2 => value < reference,
        3 => value == reference,
        4 => value <= reference,
        5 => value > reference,
        6 => value != reference,
        7 => value >= reference,
        _ => true,
    }
}

fn depth(func: u8, write: bool) -> CommonState {
    CommonState {
        depth_stencil: DepthStencilKey {
            depth_test: true,
            depth_write: write,
            depth_func: func,
            ..DepthStencilKey::default()
        },
        ..CommonState::default()
    }
}

/// Draws over the whole context at depth `z`.
fn fill(r: &mut Renderer, context: &Context, common: CommonState, z: f32, color: u32) {
    let (w, h) = (context.width() as f32, context.height() as f32);
    draw(r, context, &plain(common), &quad(0.0, 0.0, w, h, z, color));
}

fn top_left(r: &mut Renderer, context: &Context) -> u32 {
    let bytes = r.read_framebuffer(context).unwrap();
    pixel(&bytes, context.width(), 0, 0)
}

#[test]
fn depth_functions_and_writes() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    for func in 1..=8u8 {
        for write in [false, true] {
            for z in [0.25f32, 0.5, 0.75] {
                r.clear_context(&context, RED).unwrap();
                r.clear_context_depth(&context, 0.5).unwrap();
                fill(&mut r, &context, depth(func, write), z, GREEN);
                let drawn = passes(func, z, 0.5);
                let want = if drawn { GREEN } else { RED };
                assert_eq!(top_left(&mut r, &context), want, "function {func} z {z}");
                let stored = if drawn && write { z } else { 0.5 };
                let image = context.targets().depth.as_ref().unwrap().image.clone();
                let bytes = r.read_image(&image, 0, 0).unwrap();
                let value = f32::from_le_bytes(bytes[..4].try_into().unwrap());
                assert_eq!(value, stored, "function {func} write {write} z {z}");
            }
        }
    }
}

#[test]
fn no_depth_test_writes_no_depth() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let mut common = depth(2, true);
    common.depth_stencil.depth_test = false;
    fill(&mut r, &context, common, 0.25, GREEN);
    assert_eq!(top_left(&mut r, &context), GREEN);
    // The initial depth of 1 is still there.
    fill(&mut r, &context, depth(3, false), 1.0, RED);
    assert_eq!(top_left(&mut r, &context), RED);
}

/// What `D3DSTENCILOP` `op` makes of `value`.
fn operate(op: u8, value: u8, reference: u8) -> u8 {
    match op {
        1 => value,
        2 => 0,
        3 => reference,
        4 => value.saturating_add(1),
        5 => value.saturating_sub(1),
        6 => !value,
        7 => value.wrapping_add(1),
        _ => value.wrapping_sub(1),
    }
}

fn stencil(key: DepthStencilKey, reference: u8) -> CommonState {
    CommonState {
        depth_stencil: DepthStencilKey {
            stencil: true,
            ..key
        },
        stencil_ref: reference,
        ..CommonState::default()
    }
}

/// Draws only where the stencil equals `value`, and says whether that is everywhere.
fn stencil_is(r: &mut Renderer, context: &Context, value: u8) -> bool {
    r.clear_context(context, RED).unwrap();
    let front = StencilFace {
        func: 3,
        ..StencilFace::default()
    };
    let key = DepthStencilKey {
        front,
        ..DepthStencilKey::default()
    };
    fill(r, context, stencil(key, value), 0.5, GREEN);
    let bytes = r.read_framebuffer(context).unwrap();
    pixels(&bytes).iter().all(|&p| p == GREEN)
}

#[test]
fn stencil_functions_and_operations() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let reference = 0x5A;
    for op in 1..=8u8 {
        for value in [0u8, 0x59, 0x5A, 0xFF] {
            // Each operation in each of the three places, each place reached by a function.
            for (place, func, depth_func) in [(0, 1, 8), (1, 8, 1), (2, 8, 8)] {
                let mut front = StencilFace {
                    func,
                    ..StencilFace::default()
                };
                match place {
                    0 => front.fail = op,
                    1 => front.depth_fail = op,
                    _ => front.pass = op,
                }
                r.clear_context_stencil(&context, value).unwrap();
                let key = DepthStencilKey {
                    front,
                    depth_test: true,
                    depth_func,
                    ..DepthStencilKey::default()
                };
                fill(&mut r, &context, stencil(key, reference), 0.5, GREEN);
                let want = operate(op, value, reference);
                assert!(
                    stencil_is(&mut r, &context, want),
                    "operation {op} at place {place} of {value:#x} is not {want:#x}"
                );
            }
        }
    }
}

#[test]
fn stencil_compares_reference_with_stored_value() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    for func in 1..=8u8 {
        for value in [3u8, 4, 5] {
            r.clear_context(&context, RED).unwrap();
            r.clear_context_stencil(&context, value).unwrap();
            let front = StencilFace {
                func,
                ..StencilFace::default()
            };
            let key = DepthStencilKey {
                front,
                ..DepthStencilKey::default()
            };
            fill(&mut r, &context, stencil(key, 4), 0.5, GREEN);
            // (reference & mask) func (stencil & mask)
            let want = if passes(func, 4.0, f32::from(value)) {
                GREEN
            } else {
                RED
            };
            assert_eq!(
                top_left(&mut r, &context),
                want,
                "function {func} value {value}"
            );
        }
    }
}

#[test]
fn stencil_masks() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    r.clear_context_stencil(&context, 0xF5).unwrap();
    let front = StencilFace {
        pass: 2,
        func: 3,
        ..StencilFace::default()
    };
    // 0x35 and 0xF5 agree in the low four bits; only bits 0xF0 are written.
    let key = DepthStencilKey {
        front,
        read_mask: 0x0F,
        write_mask: 0xF0,
        ..DepthStencilKey::default()
    };
    fill(&mut r, &context, stencil(key, 0x35), 0.5, GREEN);
    assert!(stencil_is(&mut r, &context, 0x05));
}

#[test]
fn two_sided_stencil_tells_windings_apart() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 2).unwrap();
    r.clear_context_stencil(&context, 10).unwrap();
    let key = DepthStencilKey {
        two_sided: true,
        front: StencilFace {
            pass: 7,
            ..StencilFace::default()
        },
        back: StencilFace {
            pass: 8,
            ..StencilFace::default()
        },
        ..DepthStencilKey::default()
    };
    // Left half clockwise, right half counter-clockwise.
    let clockwise = quad(0.0, 0.0, 2.0, 2.0, 0.5, GREEN);
    let mut counter = quad(2.0, 0.0, 4.0, 2.0, 0.5, GREEN);
    counter.reverse();
    for vertices in [clockwise, counter] {
        draw(&mut r, &context, &plain(stencil(key, 0)), &vertices);
    }
    r.clear_context(&context, RED).unwrap();
    for (value, x) in [(11, 0), (9, 2)] {
        let front = StencilFace {
            func: 3,
            ..StencilFace::default()
        };
        let key = DepthStencilKey {
            front,
            ..DepthStencilKey::default()
        };
        r.clear_context(&context, RED).unwrap();
        fill(&mut r, &context, stencil(key, value), 0.5, GREEN);
        let bytes = r.read_framebuffer(&context).unwrap();
        for at in 0..4 {
            let want = if (x..x + 2).contains(&at) { GREEN } else { RED };
            assert_eq!(pixel(&bytes, 4, at, 1), want, "value {value} column {at}");
        }
    }
}

#[test]
fn culling_follows_winding() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let clockwise = quad(0.0, 0.0, 2.0, 2.0, 0.5, GREEN);
    let mut counter = clockwise;
    counter.reverse();
    for (cull, sees_cw, sees_ccw) in [(1, true, true), (2, false, true), (3, true, false)] {
        for (vertices, sees) in [(&clockwise, sees_cw), (&counter, sees_ccw)] {
            r.clear_context(&context, RED).unwrap();
            let common = CommonState {
                cull,
                ..CommonState::default()
            };
            draw(&mut r, &context, &plain(common), vertices);
            assert_eq!(
                top_left(&mut r, &context),
                if sees { GREEN } else { RED },
                "cull {cull}"
            );
        }
    }
}

#[test]
fn alpha_test_has_eight_functions() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    for func in 1..=8u8 {
        for alpha in [0x7Fu32, 0x80, 0x81] {
            r.clear_context(&context, RED).unwrap();
            let common = CommonState {
                alpha_test: Some((func, 0x80)),
                ..CommonState::default()
            };
            let color = alpha << 24 | 0x00_FF00;
            fill(&mut r, &context, common, 0.5, color);
            let want = if passes(func, alpha as f32, 128.0) {
                color
            } else {
                RED
            };
            assert_eq!(
                top_left(&mut r, &context),
                want,
                "function {func} alpha {alpha:#x}"
            );
        }
    }
}

#[test]
fn the_state_cache_stays_bounded_while_queued_pixels_stay_right() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(192, 1).unwrap();
    r.clear_context(&context, RED).unwrap();
    let mut seen = std::collections::HashSet::new();
    // 192 distinct states, each drawing one column of its own where its test passes.
    for n in 0..192u32 {
        let key = DepthStencilKey {
            front: StencilFace {
                func: 8,
                pass: 3,
                ..StencilFace::default()
            },
            stencil: true,
            write_mask: n as u8 + 1,
            ..DepthStencilKey::default()
        };
        assert!(
            seen.insert(r.depth_stencil(&key).unwrap()),
            "state {n} is not distinct"
        );
        let x = n as f32;
        let common = CommonState {
            depth_stencil: key,
            stencil_ref: 0xFF,
            ..CommonState::default()
        };
        draw(
            &mut r,
            &context,
            &plain(common),
            &quad(x, 0.0, x + 1.0, 1.0, 0.5, GREEN),
        );
        assert!(r.stats().depth_stencil_states <= 64);
    }
    assert_eq!(r.stats().depth_stencil_states, 64);
    // Column n holds stencil n + 1: the mask let only those bits through.
    let front = StencilFace {
        func: 3,
        ..StencilFace::default()
    };
    let key = DepthStencilKey {
        front,
        ..DepthStencilKey::default()
    };
    for n in [0u8, 1, 63, 64, 100, 191] {
        r.clear_context(&context, RED).unwrap();
        fill(&mut r, &context, stencil(key, n + 1), 0.5, GREEN);
        let bytes = r.read_framebuffer(&context).unwrap();
        for x in 0..192 {
            let want = if x == u32::from(n) { GREEN } else { RED };
            assert_eq!(
                pixel(&bytes, 192, x, 0),
                want,
                "stencil {} column {x}",
                n + 1
            );
        }
    }
}

#[test]
fn states_that_cannot_differ_are_one() {
    let mut r = gpu_or_skip!();
    let off = r.depth_stencil(&DepthStencilKey::default()).unwrap();
    // Stencil values left behind by a material that does not use them.
    let stale = DepthStencilKey {
        front: StencilFace {
            fail: 3,
            depth_fail: 4,
            pass: 5,
            func: 2,
        },
        read_mask: 3,
        write_mask: 7,
        ..DepthStencilKey::default()
    };
    assert_eq!(r.depth_stencil(&stale).unwrap(), off);
    let always = DepthStencilKey {
        depth_test: true,
        depth_func: 8,
        ..DepthStencilKey::default()
    };
    assert_eq!(r.depth_stencil(&always).unwrap(), off);
    let keeps = DepthStencilKey {
        stencil: true,
        ..DepthStencilKey::default()
    };
    assert_eq!(r.depth_stencil(&keeps).unwrap(), off);
    let one = DepthStencilKey {
        stencil: true,
        front: StencilFace {
            func: 3,
            pass: 2,
            ..StencilFace::default()
        },
        ..DepthStencilKey::default()
    };
    let back = StencilFace {
        func: 4,
        ..StencilFace::default()
    };
    let unused = DepthStencilKey { back, ..one };
    assert_eq!(
        r.depth_stencil(&one).unwrap(),
        r.depth_stencil(&unused).unwrap()
    );
    assert_ne!(r.depth_stencil(&one).unwrap(), off);
    assert!(
        r.depth_stencil(&DepthStencilKey {
            depth_func: 9,
            ..always
        })
        .is_err()
    );
}

#[test]
fn bias_is_in_units_of_the_depth_range() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    for z in [0.1f32, 0.3, 0.6, 0.9] {
        for bias in [-0.01f32, 0.001] {
            r.clear_context_depth(&context, 1.0).unwrap();
            let key = RasterKey {
                cull: 1,
                depth_bias: bias,
                ..RasterKey::default()
            };
            common::raw::quad_with_raster(&mut r, &context, &key, z);
            let image = context.targets().depth.as_ref().unwrap().image.clone();
            let bytes = r.read_image(&image, 0, 0).unwrap();
            let value = f32::from_le_bytes(bytes[..4].try_into().unwrap());
            assert!(
                (value - (z + bias)).abs() < 1e-6,
                "z {z} bias {bias}: {value}"
            );
        }
    }
}

#[test]
fn a_smaller_depth_target_is_left_out() {
    use common::raw::{Owned, RHW, strides};
    use ninefold_renderer::{
        Attachment, ImageDesc, ImageFormat, ImageUsage, StreamData, Targets, Viewport,
    };
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 8).unwrap();
    let depth = r
        .create_image(&ImageDesc {
            usage: ImageUsage::DEPTH,
            ..ImageDesc::d2(4, 4, ImageFormat::D32S8)
        })
        .unwrap();
    let targets = Targets {
        colors: context.targets().colors.clone(),
        depth: Some(Attachment::new(depth)),
    };
    let mut owned = Owned::new(&mut r, 8, 8, &RHW, &strides(28));
    owned.depth_stencil = DepthStencilKey {
        depth_test: true,
        depth_write: true,
        depth_func: 2,
        ..DepthStencilKey::default()
    };
    // Both quads are drawn everywhere, the second behind the first.
    for (z, color) in [(0.25, 0xFFFF_0000), (0.75, 0xFF00_FF00)] {
        let vertices = quad(0.0, 0.0, 8.0, 8.0, z, color);
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let mut draw = owned.draw(&mut r, &context, &streams, 6);
        (draw.targets, draw.viewport) = (&targets, Viewport::full(8, 8));
        r.draw(&draw).unwrap();
        let bytes = r.read_framebuffer(&context).unwrap();
        assert_eq!(pixel(&bytes, 8, 2, 2), color);
        assert_eq!(pixel(&bytes, 8, 6, 6), color);
    }
}
