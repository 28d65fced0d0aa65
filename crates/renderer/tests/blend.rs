//! Blend modes, raw factors and operations, write masks and alpha rules, each against its
//! equation.

mod common;

use common::{d3dcolor, draw, floats, near, pixel, plain, quad};
use ninefold_renderer::{BlendMode, CommonState, Renderer};

/// Fractions of 255 that are fifths, so that products are far from rounding ties.
const SRC: u32 = 0x6633_99CC; // a .4, r .2, g .6, b .8
const DST: u32 = 0x99CC_6633; // a .6, r .8, g .4, b .2

/// Draws SRC over DST and returns the pixel.
fn blended(renderer: &mut Renderer, mode: BlendMode, mask: u8, overlay: bool) -> u32 {
    let mut context = renderer.create_context(4, 4).unwrap();
    context.set_overlay_target(overlay);
    renderer.clear_context(&context, DST).unwrap();
    let state = plain(CommonState {
        blend: mode,
        write_mask: mask,
        ..CommonState::default()
    });
    draw(
        renderer,
        &context,
        &state,
        &quad(0.0, 0.0, 4.0, 4.0, 0.5, SRC),
    );
    let bytes = renderer.read_framebuffer(&context).unwrap();
    let first = pixel(&bytes, 4, 0, 0);
    assert_eq!(pixel(&bytes, 4, 3, 3), first);
    first
}

/// Equal, or within 1 where two products are rounded on their own before they are added.
fn expect(name: &str, got: u32, want: [f64; 4]) {
    let want = d3dcolor(want);
    let by = u32::from(TWO_PRODUCTS.contains(&name));
    assert!(
        near(got, want, by),
        "{name}: {got:08x}, expected {want:08x}"
    );
}

const TWO_PRODUCTS: [&str; 5] = ["src alpha", "overlay", "world", "both", "both inverse"];

#[test]
fn every_mode_follows_its_equation() {
    let mut r = gpu_or_skip!();
    let (s, d) = (floats(SRC), floats(DST));
    let (sa, da) = (s[3], d[3]);
    let each = |f: &dyn Fn(usize) -> f64| [f(0), f(1), f(2), f(3)];
    let cases: [(&str, BlendMode, [f64; 4]); 9] = [
        ("none", BlendMode::None, s),
        (
            "src alpha",
            BlendMode::SrcAlpha,
            each(&|i| s[i] * sa + d[i] * (1.0 - sa)),
        ),
        ("add", BlendMode::Add, each(&|i| s[i] + d[i])),
        ("modulate", BlendMode::Modulate, each(&|i| s[i] * d[i])),
        (
            "modulate2",
            BlendMode::Modulate2,
            each(&|i| s[i] * d[i] + d[i] * s[i]),
        ),
        (
            "src alpha zero",
            BlendMode::SrcAlphaZero,
            each(&|i| s[i] * sa),
        ),
        (
            "src alpha add",
            BlendMode::SrcAlphaAdd,
            each(&|i| s[i] * sa + d[i]),
        ),
        (
            "premultiplied",
            BlendMode::Premultiplied,
            each(&|i| s[i] + d[i] * (1.0 - sa)),
        ),
        (
            "dest alpha add",
            BlendMode::DestAlphaAdd,
            each(&|i| s[i] * da + d[i]),
        ),
    ];
    for (name, mode, want) in cases {
        expect(name, blended(&mut r, mode, 15, false), want);
    }
}

#[test]
fn overlays_accumulate_coverage_in_alpha() {
    let mut r = gpu_or_skip!();
    let (s, d) = (floats(SRC), floats(DST));
    let sa = s[3];
    let mut want = [0, 1, 2, 3].map(|i| s[i] * sa + d[i] * (1.0 - sa));
    want[3] = sa + d[3] * (1.0 - sa);
    expect(
        "overlay",
        blended(&mut r, BlendMode::SrcAlpha, 15, true),
        want,
    );
    // The world's pipeline was made after the overlay's and must not be it.
    want[3] = sa * sa + d[3] * (1.0 - sa);
    expect(
        "world",
        blended(&mut r, BlendMode::SrcAlpha, 15, false),
        want,
    );
    assert_eq!(r.stats().pipelines_built, 2);
}

/// Whichever is made first: pipelines of the world and of an overlay are never one, also where they
/// blend alike, and only source-alpha blending differs.
#[test]
fn overlays_and_the_world_never_share_a_pipeline() {
    let (s, d) = (floats(SRC), floats(DST));
    for overlay_first in [false, true] {
        let mut r = gpu_or_skip!();
        let mut built = 0;
        for (mode, alpha) in [
            (BlendMode::None, [s[3], s[3]]),
            (
                BlendMode::SrcAlpha,
                [
                    s[3] * s[3] + d[3] * (1.0 - s[3]),
                    s[3] + d[3] * (1.0 - s[3]),
                ],
            ),
            (BlendMode::SrcAlphaAdd, [s[3] * s[3] + d[3]; 2]),
            // Colour factors act on alpha as their alpha forms: destination and source alpha.
            (
                BlendMode::Custom {
                    src: 9,
                    dst: 4,
                    op: 1,
                },
                [s[3] * d[3] + d[3] * (1.0 - s[3]); 2],
            ),
        ] {
            for overlay in [overlay_first, !overlay_first] {
                let got = blended(&mut r, mode, 15, overlay);
                let want = (alpha[usize::from(overlay)].clamp(0.0, 1.0) * 255.0).round() as u32;
                assert!(
                    (got >> 24).abs_diff(want) <= 1,
                    "{mode:?} overlay {overlay}: {got:08x}, alpha {want:02x}"
                );
                built += 1;
                assert_eq!(r.stats().pipelines_built, built);
            }
        }
        // All of them are there by now.
        for overlay in [true, false] {
            blended(&mut r, BlendMode::SrcAlpha, 15, overlay);
        }
        assert_eq!(r.stats().pipelines_built, built);
    }
}

/// Factor `n` of D3DBLEND for channel `i`.
fn factor(n: u8, i: usize, s: &[f64; 4], d: &[f64; 4]) -> f64 {
    match n {
        1 => 0.0,
        2 => 1.0,
        3 => s[i],
        4 => 1.0 - s[i],
        5 => s[3],
        6 => 1.0 - s[3],
        7 => d[3],
        8 => 1.0 - d[3],
        9 => d[i],
        10 => 1.0 - d[i],
        11 if i == 3 => 1.0,
        11 => s[3].min(1.0 - d[3]),
        // The blend factor is what it is by default: 0.
        14 => 0.0,
        15 => 1.0,
        _ => unreachable!(),
    }
}

#[test]
fn raw_factors_follow_their_equations() {
    let mut r = gpu_or_skip!();
    let (s, d) = (floats(SRC), floats(DST));
    // More custom blends than the 32 that Metal's renderer had room for.
    let factors = || (1..=11).chain([14, 15]);
    for src in factors() {
        for dst in factors() {
            let want =
                [0, 1, 2, 3].map(|i| s[i] * factor(src, i, &s, &d) + d[i] * factor(dst, i, &s, &d));
            let got = blended(&mut r, BlendMode::Custom { src, dst, op: 1 }, 15, false);
            let want = d3dcolor(want);
            // Two rounded products may be off by one where their sum is near a tie.
            assert!(
                near(got, want, 1),
                "{src} {dst}: {got:08x}, expected {want:08x}"
            );
        }
    }
}

#[test]
fn both_source_alpha_sets_both_factors() {
    let mut r = gpu_or_skip!();
    let (s, d) = (floats(SRC), floats(DST));
    let sa = s[3];
    let both = [0, 1, 2, 3].map(|i| s[i] * sa + d[i] * (1.0 - sa));
    expect(
        "both",
        blended(
            &mut r,
            BlendMode::Custom {
                src: 12,
                dst: 1,
                op: 1,
            },
            15,
            false,
        ),
        both,
    );
    let inverse = [0, 1, 2, 3].map(|i| s[i] * (1.0 - sa) + d[i] * sa);
    expect(
        "both inverse",
        blended(
            &mut r,
            BlendMode::Custom {
                src: 13,
                dst: 1,
                op: 1,
            },
            15,
            false,
        ),
        inverse,
    );
}

#[test]
fn operations_follow_their_equations() {
    let mut r = gpu_or_skip!();
    let (s, d) = (floats(SRC), floats(DST));
    type Operation = fn(f64, f64) -> f64;
    let cases: [(u8, Operation); 5] = [
        (1, |s, d| s + d),
        (2, |s, d| s - d),
        (3, |s, d| d - s),
        (4, |s: f64, d: f64| s.min(d)),
        (5, |s: f64, d: f64| s.max(d)),
    ];
    for (op, f) in cases {
        let want = [0, 1, 2, 3].map(|i| f(s[i], d[i]));
        expect(
            &format!("operation {op}"),
            blended(&mut r, BlendMode::Custom { src: 2, dst: 2, op }, 15, false),
            want,
        );
    }
    // Minimum and maximum ignore the factors.
    let want = [0, 1, 2, 3].map(|i| s[i].min(d[i]));
    let got = blended(
        &mut r,
        BlendMode::Custom {
            src: 1,
            dst: 5,
            op: 4,
        },
        15,
        false,
    );
    expect("minimum with factors", got, want);
}

#[test]
fn masks_keep_what_is_not_written() {
    let mut r = gpu_or_skip!();
    for mask in 0..16u8 {
        let got = blended(&mut r, BlendMode::None, mask, false);
        let mut want = DST;
        for (bit, shift) in [(1, 16), (2, 8), (4, 0), (8, 24)] {
            if mask & bit != 0 {
                want = want & !(0xFF << shift) | SRC & (0xFF << shift);
            }
        }
        assert_eq!(got, want, "mask {mask}");
    }
    // The destination-alpha pass of one engine: colour only, alpha kept.
    let (s, d) = (floats(SRC), floats(DST));
    let mut want = [0, 1, 2, 3].map(|i| s[i] * d[3] + d[i]);
    want[3] = d[3];
    expect(
        "rgb only",
        blended(&mut r, BlendMode::DestAlphaAdd, 7, false),
        want,
    );
}

#[test]
fn wrong_numbers_are_refused_and_draw_nothing() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    for mode in [
        BlendMode::Custom {
            src: 0,
            dst: 1,
            op: 1,
        },
        BlendMode::Custom {
            src: 1,
            dst: 18,
            op: 1,
        },
        BlendMode::Custom {
            src: 1,
            dst: 1,
            op: 6,
        },
        BlendMode::Custom {
            src: 16,
            dst: 1,
            op: 1,
        },
    ] {
        let state = plain(CommonState {
            blend: mode,
            ..CommonState::default()
        });
        let vertices = quad(0.0, 0.0, 4.0, 4.0, 0.5, SRC);
        assert!(common::try_draw(&mut r, &context, &state, &vertices).is_err());
    }
    assert_eq!(r.stats().draws, 0);
    let bytes = r.read_framebuffer(&context).unwrap();
    assert!(common::pixels(&bytes).iter().all(|&p| p == 0xFF00_0000));
}
