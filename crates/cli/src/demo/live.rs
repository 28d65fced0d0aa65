//! Drawing the demo while the device records itself.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use ninefold_d3d9::{Device, DeviceSettings, Direct3D9, Error, PresentParameters};
use serde::Serialize;

use crate::exit::NoGpu;
use crate::replay::{Pipelines, write_png};

use super::frame::{self, Moment};
use super::scene::{self, Scene};
use super::{HEIGHT, PICTURE_EVERY, WIDTH, digest};

/// Frames a second that the movements are made for.
const RATE: f32 = 12.0;

/// What happened while drawing.
#[derive(Serialize)]
pub(super) struct Live {
    pub(super) adapter: String,
    pub(super) driver: String,
    pub(super) frames: Vec<LiveFrame>,
    pub(super) capture_bytes: u64,
    /// Milliseconds from nothing to the first frame: painting, modelling, uploading.
    pub(super) loading_ms: f64,
    /// What the pipelines cost.
    pub(super) pipeline_stats: Pipelines,
}

/// What happened in one frame.
#[derive(Serialize)]
pub(super) struct LiveFrame {
    /// Milliseconds on this thread from the first call to Present's return.
    pub(super) cpu_ms: f64,
    /// Milliseconds until the GPU had finished and the picture was read back.
    pub(super) total_ms: f64,
    pub(super) draws: u64,
    pub(super) pipelines: u64,
    /// File name of the picture, where one was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) picture: Option<String>,
    #[serde(skip)]
    pub(super) digest: u64,
}

/// Draws `count` frames into `folder` and records every call in `capture`.
pub(super) fn run(
    settings: DeviceSettings,
    count: u32,
    folder: &Path,
    capture: &Path,
    progress: &ProgressBar,
) -> Result<Live> {
    let start = Instant::now();
    let direct3d = Direct3D9::new(settings).map_err(|error| match error {
        Error::NoAdapter(text) => anyhow::Error::new(NoGpu(text)),
        other => other.into(),
    })?;
    let identifier = direct3d.get_adapter_identifier().clone();
    let mut device = direct3d
        .create_device(&PresentParameters::windowed(WIDTH, HEIGHT))
        .map_err(|code| anyhow::anyhow!("creating the device: {code:?}"))?;
    let writing = || format!("writing {}", capture.display());
    let file = BufWriter::new(File::create(capture).with_context(writing)?);
    device.record_to(Box::new(file)).with_context(writing)?;

    let scene = Scene::new(&mut device)?;
    let mut frames = Vec::new();
    let loading_ms = milliseconds(start);
    for index in 0..count {
        frames.push(draw(&mut device, &scene, index, count, folder)?);
        progress.inc(1);
    }
    device.stop_recording().with_context(writing)?;
    let capture_bytes = std::fs::metadata(capture).with_context(writing)?.len();
    Ok(Live {
        adapter: identifier.description,
        driver: identifier.driver,
        frames,
        capture_bytes,
        loading_ms,
        pipeline_stats: (&device.pipeline_stats()).into(),
    })
}

fn draw(
    device: &mut Device,
    scene: &Scene,
    index: u32,
    count: u32,
    folder: &Path,
) -> Result<LiveFrame> {
    let moment = Moment {
        seconds: index as f32 / RATE,
        progress: index as f32 / (count - 1).max(1) as f32,
        aspect: WIDTH as f32 / HEIGHT as f32,
    };
    let before = device.renderer_stats();
    let start = Instant::now();
    let drawn = frame::draw(device, scene, moment);
    let cpu_ms = milliseconds(start);
    let picture = drawn
        .and_then(|()| device.front_buffer())
        .map_err(|code| scene::said(device, code))
        .with_context(|| format!("drawing frame {index}"))?;
    let total_ms = milliseconds(start);
    let after = device.renderer_stats();

    let kept = index.is_multiple_of(PICTURE_EVERY);
    let name = format!("frame{index:03}.png");
    if kept {
        write_png(&folder.join(&name), &picture)?;
    }
    Ok(LiveFrame {
        cpu_ms,
        total_ms,
        draws: after.draws - before.draws,
        pipelines: after.pipelines_built - before.pipelines_built,
        picture: kept.then_some(name),
        digest: digest(&picture),
    })
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
