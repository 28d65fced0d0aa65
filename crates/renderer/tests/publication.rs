//! What a presenter asks for: filtered copies, plain copies, submissions that say when they are
//! done.

mod common;

use std::sync::mpsc;

use common::{Alone, near, only, pixels, renderer, target, texture, upload, whole};
use ninefold_renderer::{Attachment, Box3, ErrorKind, Image, ImageDesc, ImageFormat, ImageUsage};

const EDGE: u32 = 64;

fn gray(level: f64) -> u32 {
    let v = (level.clamp(0.0, 1.0) * 255.0).round() as u32;
    0xFF00_0000 | v << 16 | v << 8 | v
}

/// A picture through the filter, and whether it was filtered.
fn filtered(r: &mut Alone, texels: &[u32], subpixel: f32) -> Vec<u32> {
    let source = texture(r, EDGE, EDGE, texels);
    let out = target(r, EDGE, EDGE, ImageFormat::Bgra8, 1);
    let done = r.fxaa(
        &Attachment::new(source),
        &Attachment::new(out.clone()),
        subpixel,
    );
    assert!(done.unwrap());
    pixels(&r.read_image(&out, 0, 0).unwrap())
}

fn picture(of: impl Fn(u32, u32) -> f64) -> Vec<u32> {
    let at = |n: u32| gray(of(n % EDGE, n / EDGE));
    (0..EDGE * EDGE).map(at).collect()
}

/// How far a picture is from what an edge covers, on average, over the pixels inside.
fn error(picture: &[u32], coverage: impl Fn(u32, u32) -> f64) -> f64 {
    let mut sum = 0.0;
    for y in 8..EDGE - 8 {
        for x in 8..EDGE - 8 {
            let got = f64::from(picture[(y * EDGE + x) as usize] & 0xFF) / 255.0;
            sum += (got - coverage(x, y)).abs();
        }
    }
    sum / f64::from((EDGE - 16) * (EDGE - 16))
}

/// The part of pixel (x, y) that lies below the line through the middle with this slope.
fn below(x: u32, y: u32, slope: f64) -> f64 {
    const PARTS: u32 = 16;
    let middle = f64::from(EDGE) / 2.0;
    let mut inside = 0;
    for n in 0..PARTS * PARTS {
        let [u, v] = [n % PARTS, n / PARTS].map(|v| (f64::from(v) + 0.5) / f64::from(PARTS));
        let line = middle + (f64::from(x) + u - middle) * slope;
        inside += u32::from(f64::from(y) + v > line);
    }
    f64::from(inside) / f64::from(PARTS * PARTS)
}

#[test]
fn slanted_edges_come_near_what_they_cover() {
    let Some(mut r) = renderer() else { return };
    for slope in [0.1, 0.23, 1.0 / 3.0, 0.5, 0.8] {
        // Long steps are what the filter is for; steep ones must gain, too.
        let most = if slope < 0.3 { 0.4 } else { 0.8 };
        let edge = |x: u32, y: u32| below(x, y, slope);
        let stairs = |x: u32, y: u32| below(x, y, slope).round();
        let before = error(&picture(stairs), edge);
        let after = error(&filtered(&mut r, &picture(stairs), 0.0), edge);
        assert!(after < before * most, "slope {slope}: {before} to {after}");
        // The other way round, and the edge standing up.
        let upright = |x: u32, y: u32| 1.0 - below(y, x, slope).round();
        let covered = |x: u32, y: u32| 1.0 - below(y, x, slope);
        let after = error(&filtered(&mut r, &picture(upright), 0.0), covered);
        assert!(
            after < before * most,
            "upright {slope}: {before} to {after}"
        );
    }
}

#[test]
fn flat_parts_straight_edges_and_alpha_stay() {
    let Some(mut r) = renderer() else { return };
    let gradient = picture(|x, y| f64::from(x + y) / 160.0);
    assert_eq!(
        filtered(&mut r, &gradient, 1.0),
        gradient,
        "no contrast, no edge"
    );
    let upright = picture(|x, _| f64::from(u8::from(x >= 20)));
    assert_eq!(filtered(&mut r, &upright, 0.0), upright);
    let level = picture(|_, y| f64::from(u8::from(y > 40)));
    assert_eq!(filtered(&mut r, &level, 0.0), level);
    let mut see_through = picture(|x, y| below(x, y, 0.3).round());
    for (n, pixel) in see_through.iter_mut().enumerate() {
        *pixel = *pixel & 0x00FF_FFFF | (n as u32 % 251) << 24;
    }
    let out = filtered(&mut r, &see_through, 0.75);
    assert!(out != see_through);
    let same = out
        .iter()
        .zip(&see_through)
        .all(|(a, b)| a >> 24 == b >> 24);
    assert!(same, "alpha is copied");
}

#[test]
fn a_pixel_alone_is_blended_as_much_as_is_asked() {
    let Some(mut r) = renderer() else { return };
    let dot = picture(|x, y| f64::from(u8::from((x, y) == (32, 32))));
    let at = (32 * EDGE + 32) as usize;
    let levels = [0.0, 0.5, 1.0].map(|subpixel| filtered(&mut r, &dot, subpixel)[at] & 0xFF);
    // Nothing at 0; at 1 the whole way, which is one texel over: black.
    assert!(levels[0] > levels[1] && levels[1] > levels[2], "{levels:?}");
    assert!(levels[2] < 16, "{levels:?}");
    // What is no strength is the nearest that is one.
    for (odd, like) in [(f32::NAN, 0), (-3.0, 0), (f32::INFINITY, 2)] {
        assert_eq!(filtered(&mut r, &dot, odd)[at] & 0xFF, levels[like]);
    }
}

#[test]
fn what_cannot_be_filtered_is_copied_and_what_does_not_fit_refused() {
    let Some(mut r) = renderer() else { return };
    let stairs = picture(|x, y| below(x, y, 0.3).round());
    let source = Attachment::new(texture(&mut r, EDGE, EDGE, &stairs));
    let plain = r
        .create_image(&ImageDesc {
            usage: ImageUsage::SAMPLED,
            ..ImageDesc::d2(EDGE, EDGE, ImageFormat::Bgra8)
        })
        .unwrap();
    let to = Attachment::new(plain.clone());
    assert!(!r.fxaa(&source, &to, 0.75).unwrap(), "no target to draw on");
    assert_eq!(pixels(&r.read_image(&plain, 0, 0).unwrap()), stairs);
    let small = Attachment::new(target(&mut r, 8, 8, ImageFormat::Bgra8, 1));
    let other = Attachment::new(target(&mut r, EDGE, EDGE, ImageFormat::Rgba16Float, 1));
    for wrong in [&small, &other, &source] {
        let error = r.fxaa(&source, wrong, 0.75).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Args);
    }
}

/// A 4 x 4 target cleared to `color`, not submitted.
fn cleared(r: &mut Alone, color: u32) -> Image {
    let image = target(r, 4, 4, ImageFormat::Bgra8, 1);
    let value = ninefold_renderer::color_floats(color);
    r.clear(&only(&image), &[whole(&image)], Some(value), None, None)
        .unwrap();
    image
}

#[test]
fn copies_between_textures_are_in_order() {
    let Some(mut r) = renderer() else { return };
    let image = cleared(&mut r, 0xFF11_2233);
    let copy = target(&mut r, 4, 4, ImageFormat::Bgra8, 1);
    let area = Box3 {
        x: 0,
        y: 0,
        z: 0,
        w: 4,
        h: 4,
        d: 1,
    };
    r.copy_image((&image, 0, 0), area, (&copy, 0, 0), [0; 3])
        .unwrap();
    upload(&mut r, &image, 0, 4, 4, &[0xFFFF_FFFF; 16]);
    let read = pixels(&r.read_image(&copy, 0, 0).unwrap());
    assert!(read.iter().all(|&p| near(p, 0xFF11_2233, 0)));
}

#[test]
fn a_commit_calls_back_exactly_once() {
    let Some(mut r) = renderer() else { return };
    r.flush().unwrap();
    let (sender, receiver) = mpsc::channel();
    let say = |what: u32| {
        let sender = sender.clone();
        move |result: ninefold_renderer::Result<()>| sender.send((what, result)).unwrap()
    };
    r.commit_async(say(0));
    assert_eq!(
        receiver.try_recv(),
        Ok((0, Ok(()))),
        "nothing to submit: at once"
    );
    for n in 1..=20 {
        cleared(&mut r, n);
        r.commit_async(say(n));
    }
    let done: Vec<u32> = (0..20).map(|_| receiver.recv().unwrap().0).collect();
    assert_eq!(done, (1..=20).collect::<Vec<_>>(), "in order");
    assert!(receiver.try_recv().is_err());
    assert_eq!(r.last_commit_error(), None);

    // A lost device is told, once each, and survived.
    cleared(&mut r, 1);
    r.lose_device();
    r.commit_async(say(21));
    let (what, result) = receiver.recv().unwrap();
    assert_eq!((what, result.unwrap_err().kind()), (21, ErrorKind::Device));
    assert!(r.last_commit_error().is_some());
    drop(r);
    assert!(receiver.try_recv().is_err());
}
