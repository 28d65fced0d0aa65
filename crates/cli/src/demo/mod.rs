//! `ninefold demo`: a scene of our own, drawn through the device with the recorder on, then played
//! back from the capture, and a page that shows both.

mod balloon;
mod camera;
mod frame;
mod land;
mod live;
mod mesh;
mod noise;
mod paint;
mod panorama;
mod report;
mod scene;
mod states;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use ninefold_d3d9::{DeviceSettings, Picture};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{make_folder, print, print_json};
use crate::replay::{self, Event, Frames, How, LiveWindow, Summary, Wanted, write_png};
use crate::settings::Settings;

use live::Live;

/// Size of the picture.
const WIDTH: u32 = 960;
const HEIGHT: u32 = 540;
/// One frame in this many is kept as a picture.
const PICTURE_EVERY: u32 = 10;
/// Frames a second in a window.
const FRAME_RATE: u32 = 30;

/// Draw a scene of our own, capture it, replay the capture, and write a report.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// The folder for the pictures, the capture and report.html; made if it is missing.
    #[arg(short, long, value_name = "DIR", default_value = "out/demo")]
    output: PathBuf,
    /// How many frames to draw.
    #[arg(long, value_name = "N", default_value_t = 61, value_parser = clap::value_parser!(u32).range(1..=600))]
    frames: u32,
    /// Also draw a fogged landscape in all bearings of a panorama, with radial fog off and on, and
    /// measure what shows at the joins.
    #[arg(long)]
    panorama: bool,
    /// Then show the capture in a window.
    #[arg(long)]
    window: bool,
    /// Print the statistics as JSON.
    #[arg(long)]
    json: bool,
}

/// All that the demo found out.
#[derive(Serialize)]
struct Outcome {
    live: Live,
    replay: Summary,
    /// Frames that the replay drew otherwise than the live run.
    different: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    panorama: Option<panorama::Joins>,
}

/// Runs the verb.
pub(crate) fn run(args: &DemoArgs) -> Result<Exit> {
    let window = match args.window {
        true => Some(LiveWindow::new("ninefold demo".to_owned(), FRAME_RATE)?),
        false => None,
    };
    let mut device = Settings::from_env("demo").device();
    // The live run finds no pipelines of earlier ones, the replay those of the live run.
    let pipelines = args.output.join("pipelines");
    let _ = std::fs::remove_dir_all(&pipelines);
    device.renderer.pipeline_cache_dir = Some(pipelines);
    device.renderer.pipeline_cache_on_software = true;
    make_folder(&args.output)?;

    let capture = args.output.join("demo.trace");
    let progress = progress_bar(args.frames, "drawing");
    let live = live::run(
        device.clone(),
        args.frames,
        &args.output,
        &capture,
        &progress,
    )?;
    progress.finish_and_clear();

    let progress = progress_bar(args.frames, "replaying");
    let (replay, different) = play_back(&capture, device.clone(), &live, &args.output, &progress)?;
    progress.finish_and_clear();

    let panorama = match args.panorama {
        true => Some(panorama::run(&device, &args.output)?),
        false => None,
    };
    let outcome = Outcome {
        live,
        replay,
        different,
        panorama,
    };
    let page = args.output.join("report.html");
    std::fs::write(&page, report::html(&outcome))
        .with_context(|| format!("writing {}", page.display()))?;
    if args.json {
        print_json(&outcome)?;
    } else {
        print(report::text(&outcome))?;
        print(format!("report      {}\n", page.display()))?;
    }
    if let Some(mut window) = window {
        replay::play_file(
            &capture,
            device,
            Wanted::None.into(),
            Some(&mut window),
            &mut |_| Ok(()),
        )?;
    }
    Ok(if outcome.went_well() {
        Exit::Success
    } else {
        Exit::BadInput
    })
}

impl Outcome {
    /// Whether the replay understood every call and drew what was drawn live, and no join of the
    /// panorama shows.
    fn went_well(&self) -> bool {
        self.different.is_empty()
            && self
                .panorama
                .as_ref()
                .is_none_or(panorama::Joins::went_well)
            && self.replay.frames == self.live.frames.len() as u64
            && self.replay.unknown.is_empty()
            && self.replay.failed.is_empty()
            && self.replay.damage.is_none()
    }
}

/// Plays the capture and compares every frame with the live one. A frame that differs is kept.
fn play_back(
    capture: &Path,
    device: DeviceSettings,
    live: &Live,
    folder: &Path,
    progress: &ProgressBar,
) -> Result<(Summary, Vec<u64>)> {
    let mut different = Vec::new();
    let summary = replay::play_file(
        capture,
        device,
        How {
            wanted: Wanted::Range(Frames::ALL),
            prewarm: true,
        },
        None,
        &mut |event| {
            match event {
                Event::Frame(frame) => {
                    let Some(number) = frame.number else {
                        return Ok(());
                    };
                    let expected = live.frames.get(number as usize).map(|frame| frame.digest);
                    if expected != Some(digest(&frame.picture)) {
                        write_png(
                            &folder.join(format!("replay{number:03}.png")),
                            &frame.picture,
                        )?;
                        different.push(number);
                    }
                }
                Event::Presented(_) => progress.inc(1),
            }
            Ok(())
        },
    )?;
    Ok((summary, different))
}

/// A number that two pictures share only when they are the same.
fn digest(picture: &Picture) -> u64 {
    let mut hasher = DefaultHasher::new();
    (picture.width, picture.height).hash(&mut hasher);
    picture.bgra.hash(&mut hasher);
    hasher.finish()
}

fn progress_bar(frames: u32, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(frames.into());
    if let Ok(style) = ProgressStyle::with_template("{msg:>9} {bar:40} {pos}/{len}  {elapsed}") {
        bar.set_style(style);
    }
    bar.with_message(what)
}
