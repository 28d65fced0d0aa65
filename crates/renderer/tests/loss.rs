//! A lost device: every call says so, nothing hangs, every commit is called back with the reason,
//! nothing that was recorded about pipelines is lost, and another renderer can be made.

mod common;

use std::path::PathBuf;
use std::sync::mpsc;

use common::{Alone, near, pixels, quad, target, texture, upload, whole};
use ninefold_renderer::{
    Attachment, Box3, CachedTexture, CommonState, ErrorKind, FixedState, FixedVertex, ImageDesc,
    ImageFormat, ImageKind, ImageUsage, Manifest, Primitive, Result, RhwState, Settings,
};

const GREEN: u32 = 0xFF00_FF00;

fn draw(r: &mut Alone, context: &ninefold_renderer::Context, mask: u8) -> Result<()> {
    let state = common::plain(CommonState {
        write_mask: mask,
        ..CommonState::default()
    });
    common::try_draw(r, context, &state, &quad(0.0, 0.0, 2.0, 2.0, 0.5, GREEN))
}

fn works(r: &mut Alone) {
    let context = r.create_context(2, 2).unwrap();
    draw(r, &context, 15).unwrap();
    let read = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(read.iter().all(|&p| near(p, GREEN, 0)));
}

#[test]
fn every_call_fails_and_another_renderer_works() {
    // With commands under construction, and with none.
    for flushed in [false, true] {
        let Some(mut r) = common::renderer() else {
            return;
        };
        let mut context = r.create_context(2, 2).unwrap();
        let other = r.create_context(2, 2).unwrap();
        let image = target(&mut r, 2, 2, ImageFormat::Bgra8, 1);
        let small = target(&mut r, 1, 1, ImageFormat::Bgra8, 1);
        let levels = r
            .create_image(&ImageDesc {
                levels: 0,
                usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
                ..ImageDesc::d2(2, 2, ImageFormat::Bgra8)
            })
            .unwrap();
        let plain = texture(&mut r, 2, 2, &[GREEN; 4]);
        let buffer = r.create_buffer(64).unwrap();
        let query = r.create_query().unwrap();
        draw(&mut r, &context, 15).unwrap();
        if flushed {
            r.flush().unwrap();
        }
        r.lose_device();
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: 2,
            h: 2,
            d: 1,
        };
        let cached = CachedTexture {
            kind: ImageKind::D2,
            width: 1,
            height: 1,
            depth: 1,
            texels: &[0; 4],
            mips: false,
        };
        let fixed = [FixedVertex::default(); 3];
        let list = Primitive::TriangleList;
        let of = |image: &ninefold_renderer::Image| Attachment::new(image.clone());
        let state = FixedState::default();
        type Call<'a> = Box<dyn FnMut(&mut Alone) -> Result<()> + 'a>;
        let mut calls: Vec<(&str, Call<'_>)> = vec![
            ("draw_rhw", Box::new(|r| draw(r, &other, 15))),
            (
                "a draw with a new pipeline",
                Box::new(|r| draw(r, &other, 7)),
            ),
            (
                "draw_fixed_clip",
                Box::new(|r| r.draw_fixed_clip(&other, &state, list, &fixed, None)),
            ),
            ("clear_context", Box::new(|r| r.clear_context(&other, 1))),
            (
                "clear_context_depth",
                Box::new(|r| r.clear_context_depth(&other, 0.5)),
            ),
            (
                "clear_context_stencil",
                Box::new(|r| r.clear_context_stencil(&other, 1)),
            ),
            (
                "read_framebuffer",
                Box::new(|r| r.read_framebuffer(&other).map(drop)),
            ),
            (
                "write_framebuffer",
                Box::new(|r| r.write_framebuffer(&other, &[0; 16], 8)),
            ),
            (
                "create_context",
                Box::new(|r| r.create_context(2, 2).map(drop)),
            ),
            (
                "resize_context",
                Box::new(|r| r.resize_context(&mut context, 3, 3)),
            ),
            (
                "create_image",
                Box::new(|r| {
                    r.create_image(&ImageDesc::d2(1, 1, ImageFormat::Bgra8))
                        .map(drop)
                }),
            ),
            (
                "create_cached_texture",
                Box::new(|r| r.create_cached_texture(1, &cached).map(drop)),
            ),
            ("create_buffer", Box::new(|r| r.create_buffer(4).map(drop))),
            (
                "write_buffer",
                Box::new(|r| r.write_buffer(&buffer, 0, &[0; 4])),
            ),
            (
                "upload",
                Box::new(|r| r.upload(&plain, 0, 0, area, &[0; 16], 8, 0)),
            ),
            (
                "copy_image",
                Box::new(|r| r.copy_image((&plain, 0, 0), area, (&image, 0, 0), [0; 3])),
            ),
            ("blit_context", Box::new(|r| r.blit_context(&other, &image))),
            (
                "fxaa_context",
                Box::new(|r| r.fxaa_context(&other, &image, 0.75).map(drop)),
            ),
            (
                "stretch",
                Box::new(|r| {
                    r.stretch(&of(&image), whole(&image), &of(&small), whole(&small), true)
                }),
            ),
            ("generate_mips", Box::new(|r| r.generate_mips(&levels))),
            (
                "read_image",
                Box::new(|r| r.read_image(&image, 0, 0).map(drop)),
            ),
            ("wait_idle", Box::new(|r| r.wait_idle())),
        ];
        for round in 0..2 {
            for (what, call) in &mut calls {
                let error = call(&mut r).expect_err(what);
                assert_eq!(error.kind(), ErrorKind::Device, "{what} {round}: {error}");
            }
        }
        drop(calls);
        assert_eq!(r.flush().unwrap_err().kind(), ErrorKind::Device);
        // These need no device, or have nothing to tell.
        let _ = r.begin_query(query);
        let _ = r.end_query(query);
        assert!(!matches!(r.query_result(query, true), Ok(Some(n)) if n > 0));
        r.wait_for_pipelines();
        r.sync_pipelines().unwrap();
        assert!(r.stats().draws > 0);
        // The old one may live on beside the new one.
        let Some(mut second) = common::another(&r) else {
            return;
        };
        works(&mut second);
        drop(r);
        works(&mut second);
    }
}

#[test]
fn commits_that_wait_are_called_back_once_each_whatever_they_do() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let (sender, receiver) = mpsc::channel();
    let context = r.create_context(2, 2).unwrap();
    for n in 0..12 {
        draw(&mut r, &context, 15).unwrap();
        let sender = sender.clone();
        r.commit_async(move |result| {
            sender.send((n, result.map_err(|e| e.kind()))).unwrap();
            assert!(n % 4 != 1, "a panic of the program's, on purpose");
        });
        if n == 7 {
            r.lose_device();
            break;
        }
    }
    // Losing it by hand waits for the GPU: these are done or lost, and each is told.
    let told: Vec<_> = (0..8).map(|_| receiver.recv().unwrap()).collect();
    assert!(told.iter().enumerate().all(|(n, (which, _))| n == *which));
    assert!(told.iter().all(|(_, result)| match result {
        Ok(()) => true,
        Err(kind) => *kind == ErrorKind::Device,
    }));
    // From now on none can be submitted.
    assert!(draw(&mut r, &context, 15).is_err());
    drop(r);
    assert!(receiver.try_recv().is_err(), "none twice");
}

#[test]
fn a_commit_of_recorded_work_tells_why_it_failed() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(2, 2).unwrap();
    draw(&mut r, &context, 15).unwrap();
    let (sender, receiver) = mpsc::channel();
    r.lose_device();
    for n in 0..2 {
        let sender = sender.clone();
        r.commit_async(move |result| sender.send((n, result)).unwrap());
    }
    let (first, result) = receiver.try_recv().unwrap();
    let error = result.unwrap_err();
    assert_eq!((first, error.kind()), (0, ErrorKind::Device));
    assert!(!error.text().is_empty());
    assert_eq!(r.last_commit_error(), Some(error));
    let (second, _) = receiver.try_recv().unwrap();
    assert_eq!(second, 1);
    assert!(receiver.try_recv().is_err(), "none twice");
}

fn folder(name: &str) -> PathBuf {
    let name = format!("ninefold-loss-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn records_of_pipelines_outlive_the_device() {
    let folder = folder("records");
    let settings = Settings {
        pipeline_cache_dir: Some(folder.clone()),
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings.clone()) else {
        return;
    };
    let context = r.create_context(2, 2).unwrap();
    for mask in 1..=5 {
        draw(&mut r, &context, mask).unwrap();
    }
    r.lose_device();
    // A pipeline that is not built because the device is lost is no recipe, and no failure either.
    for mask in 6..=9 {
        let error = draw(&mut r, &context, mask).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Device);
    }
    let mut second = common::another_with(&r, settings).unwrap();
    drop(r);
    let bytes = std::fs::read(folder.join("manifest-v2.bin")).unwrap();
    let manifest = Manifest::parse(&bytes).unwrap();
    assert!(manifest.is_clean());
    assert_eq!(manifest.len(), 5);
    let context = second.create_context(2, 2).unwrap();
    for mask in 1..=9 {
        draw(&mut second, &context, mask).unwrap();
    }
    drop(second);
    let bytes = std::fs::read(folder.join("manifest-v2.bin")).unwrap();
    assert_eq!(Manifest::parse(&bytes).unwrap().len(), 9);
    let _ = std::fs::remove_dir_all(&folder);
}

/// A renderer may be dropped right after the loss, with everything under way.
#[test]
fn dropping_a_lost_renderer_ends() {
    for _ in 0..4 {
        let Some(mut r) = common::renderer() else {
            return;
        };
        let context = r.create_context(2, 2).unwrap();
        draw(&mut r, &context, 15).unwrap();
        let image = texture(&mut r, 2, 2, &[GREEN; 4]);
        upload(&mut r, &image, 0, 2, 2, &[0; 4]);
        r.commit_async(|_| {});
        draw(&mut r, &context, 15).unwrap();
        let state = RhwState::default();
        r.lose_device();
        drop((state, image));
        drop(r);
    }
}
