//! `ninefold replay`: a capture in, pictures and a summary out.

mod args;
mod counters;
mod device_calls;
mod error;
mod frames;
mod locks;
mod object_calls;
mod objects;
mod picture;
mod player;
#[cfg(test)]
mod record_tests;
mod state_calls;
mod summary;
#[cfg(test)]
mod tests;
mod traffic;
mod window;

use std::fs::File;
use std::io::{BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use ninefold_d3d9::trace::{TraceError, TraceReader, Value};
use ninefold_d3d9::{DeviceSettings, Picture, SwapChainHandle};

use crate::exit::{Exit, NoGpu};
use crate::output::{make_folder, print, print_json};
use crate::settings::Settings;

pub(crate) use frames::Frames;
pub(crate) use picture::write_png;
pub(crate) use summary::{FrameTimes, Pipelines, Summary};
pub(crate) use window::LiveWindow;

use objects::DeviceId;
use player::{Effect, PlayError, Player};
use summary::Troubles;
use window::Shown;

/// Play a capture and write what it presented as PNG files, or show it in a window.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// An apitrace capture of a Direct3D 9 program.
    file: PathBuf,
    /// The folder for the pictures; made if it is missing.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// The frames to write, counted from 0: `7`, `2..5` (2, 3, 4), `2..=5`, `2..`, `..`.
    /// Without it, only the last frame is written.
    #[arg(long, value_name = "A..B", conflicts_with_all = ["all", "no_pictures"])]
    frames: Option<Frames>,
    /// Write every frame.
    #[arg(long, conflicts_with = "no_pictures")]
    all: bool,
    /// Write no picture.
    #[arg(long)]
    no_pictures: bool,
    /// Show the frames in a window as they are presented, and the last one until the window is
    /// closed or Escape is pressed. Pictures are written by --frames and --all only.
    #[arg(long)]
    window: bool,
    /// With --window, show at most this many frames a second; 0 shows them as fast as they come.
    #[arg(long, value_name = "N", default_value_t = 60, requires = "window")]
    fps: u32,
    /// Before the first draw, and before the first after more shaders are created, wait until the
    /// pipelines that earlier runs used are built, as a game's loading screen would. Frame times
    /// leave the wait out.
    #[arg(long)]
    prewarm: bool,
    /// Print what the pipelines cost, too: those built at draws, by workers, waited for; and what
    /// became of vertices and clears.
    #[arg(long)]
    stats: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Which frames a replay hands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// None: nothing is read back from the GPU.
    None,
    /// The last one.
    Last,
    /// Those in a range.
    Range(Frames),
}

/// How a capture is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct How {
    pub(crate) wanted: Wanted,
    /// Draws wait for the pipelines of earlier runs.
    pub(crate) prewarm: bool,
}

impl From<Wanted> for How {
    fn from(wanted: Wanted) -> Self {
        How {
            wanted,
            prewarm: false,
        }
    }
}

/// A picture of a replay.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Number of the frame, from 0; `None` for the back buffer of a capture
    /// that draws and never presents.
    pub(crate) number: Option<u64>,
    /// What was presented.
    pub(crate) picture: Picture,
}

/// Runs the verb.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit> {
    let context = || format!("reading {}", args.file.display());
    let file = File::open(&args.file).with_context(context)?;
    let progress = progress_bar(file.metadata().with_context(context)?.len());
    let read = Arc::new(AtomicU64::new(0));
    let input = Counted {
        input: file,
        read: Arc::clone(&read),
    };

    let wanted = match (args.no_pictures, args.all, args.frames) {
        (true, ..) => Wanted::None,
        (_, true, _) => Wanted::Range(Frames::ALL),
        (_, _, Some(frames)) => Wanted::Range(frames),
        _ if args.window => Wanted::None,
        _ => Wanted::Last,
    };
    // Made with the first frame: a capture that shows none leaves nothing behind.
    let mut folder_is_made = wanted == Wanted::None;
    let mut pictures = Vec::new();
    let program = args.file.file_stem().unwrap_or_default();
    let device = Settings::from_env(&program.to_string_lossy()).device();
    let mut window = if args.window {
        let title = format!("{} - ninefold", args.file.display());
        Some(LiveWindow::new(title, args.fps)?)
    } else {
        None
    };
    let input = BufReader::new(input);
    let how = How {
        wanted,
        prewarm: args.prewarm,
    };
    let played = play(input, device, how, window.as_mut(), &mut |event| {
        if !folder_is_made {
            make_folder(&args.output)?;
            folder_is_made = true;
        }
        match event {
            Event::Frame(frame) => {
                let path = args.output.join(file_name(&frame));
                write_png(&path, &frame.picture)?;
                pictures.push(path.display().to_string());
            }
            Event::Presented(frame) => {
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(format!("frame {frame}"));
            }
        }
        Ok(())
    });
    drop(window);
    progress.finish_and_clear();
    let mut summary = played.with_context(|| format!("replaying {}", args.file.display()))?;
    summary.pictures = pictures;
    summary.tell_stats = args.stats;
    if args.json {
        print_json(&summary)?;
    } else {
        print(summary.to_string())?;
    }
    if let Some(complaint) = summary.complaint(args.frames) {
        eprintln!("ninefold: {}: {complaint}", args.file.display());
        return Ok(Exit::BadInput);
    }
    Ok(Exit::Success)
}

/// The name of a frame's file.
fn file_name(frame: &Frame) -> String {
    match frame.number {
        Some(number) => format!("frame{number:03}.png"),
        None => "unpresented.png".to_owned(),
    }
}

fn progress_bar(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {elapsed}") {
        bar.set_style(style);
    }
    bar
}

/// Counts the bytes that are read from a file.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// What a replay tells while it runs.
#[derive(Debug)]
pub(crate) enum Event {
    /// A wanted picture.
    Frame(Frame),
    /// The frame of this number has been presented.
    Presented(u64),
}

/// Plays a capture file without printing anything.
///
/// # Errors
/// As [`play`], and when the file cannot be opened.
pub(crate) fn play_file(
    path: &Path,
    settings: DeviceSettings,
    how: How,
    window: Option<&mut LiveWindow>,
    tell: &mut dyn FnMut(Event) -> Result<()>,
) -> Result<Summary> {
    let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
    play(BufReader::new(file), settings, how, window, tell)
        .with_context(|| format!("replaying {}", path.display()))
}

/// Plays a capture, in a window where there is one: closing it ends the replay early, and it is
/// closed when this returns.
///
/// # Errors
/// When the input is no capture at all, no GPU can be opened ([`NoGpu`]), the window cannot be
/// drawn on, or `tell` fails. Damage after the header ends the replay early and is told in the
/// summary.
pub(crate) fn play(
    input: impl Read,
    settings: DeviceSettings,
    how: How,
    window: Option<&mut LiveWindow>,
    tell: &mut dyn FnMut(Event) -> Result<()>,
) -> Result<Summary> {
    let mut reader = TraceReader::new(input)?;
    let program = reader
        .header()
        .properties
        .iter()
        .find(|(name, _)| name == "process.name");
    let mut summary = Summary {
        program: program.map(|(_, value)| value.clone()).unwrap_or_default(),
        ..Summary::default()
    };
    let mut replay = Replay {
        player: Player::new(settings, window.is_some(), how.prewarm),
        wanted: how.wanted,
        unknown: Troubles::default(),
        failed: Troubles::default(),
        latest: None,
        times: Vec::new(),
        frame_start: Instant::now(),
        frame_pause: Duration::ZERO,
        window,
        on_screen: None,
        closed: false,
    };
    while !replay.closed {
        match reader.next_call() {
            Ok(Some(call)) => replay.call(&call, &mut summary, tell)?,
            Ok(None) => break,
            Err(error @ TraceError::Io(_)) => return Err(error.into()),
            Err(error) => {
                summary.damage = Some(error.to_string());
                break;
            }
        }
    }
    summary.unfinished = reader.unfinished();
    replay.finish(&mut summary, tell)?;
    Ok(summary)
}

struct Replay<'w> {
    player: Player,
    wanted: Wanted,
    unknown: Troubles,
    failed: Troubles,
    /// The frame last presented, while its picture has not been taken.
    latest: Option<(u64, DeviceId, Option<SwapChainHandle>)>,
    times: Vec<Duration>,
    frame_start: Instant,
    /// Time since `frame_start` that went into taking pictures.
    frame_pause: Duration,
    window: Option<&'w mut LiveWindow>,
    /// What the window shows.
    on_screen: Option<(DeviceId, Option<SwapChainHandle>)>,
    /// The user closed the window.
    closed: bool,
}

impl Replay<'_> {
    fn call(
        &mut self,
        call: &ninefold_d3d9::trace::Call,
        summary: &mut Summary,
        tell: &mut dyn FnMut(Event) -> Result<()>,
    ) -> Result<()> {
        summary.calls += 1;
        if failed_when_recorded(call.ret.as_ref()) {
            summary.failed_when_recorded += 1;
            return Ok(());
        }
        if self.wanted == Wanted::Last && self.player.ends_picture(call) {
            self.take_latest(tell)?;
        }
        let played = self.player.play(call);
        self.frame_pause += self.player.take_waited();
        match played {
            Ok(Effect::Played) => {}
            Ok(Effect::Drawn) => summary.draws += 1,
            Ok(Effect::Presented(device, chain)) => {
                let frame = summary.frames;
                summary.frames += 1;
                self.times
                    .push(self.frame_start.elapsed().saturating_sub(self.frame_pause));
                self.latest = Some((frame, device, chain));
                if matches!(self.wanted, Wanted::Range(frames) if frames.contains(frame)) {
                    self.take_latest(tell)?;
                }
                self.show(device, chain)?;
                tell(Event::Presented(frame))?;
                self.frame_start = Instant::now();
                self.frame_pause = Duration::ZERO;
            }
            Ok(Effect::Unknown) => {
                if self.unknown.add(call.name(), call.number, String::new) {
                    tracing::warn!("call {}: {} is not known", call.number, call.name());
                }
            }
            Err(PlayError::Call(error)) => {
                let why = || error.to_string();
                if self.failed.add(call.name(), call.number, why) {
                    tracing::warn!("call {}: {}: {error}", call.number, call.name());
                }
            }
            Err(PlayError::NoGpu(text)) => return Err(NoGpu(text).into()),
        }
        Ok(())
    }

    /// Shows what was just presented.
    fn show(&mut self, id: DeviceId, chain: Option<SwapChainHandle>) -> Result<()> {
        if let Some(window) = &mut self.window
            && let Some(device) = self.player.device(id)
        {
            self.on_screen = Some((id, chain));
            self.closed = !window.present(Shown { id, device, chain })?;
        }
        Ok(())
    }

    /// Hands out the frame last presented.
    fn take_latest(&mut self, tell: &mut dyn FnMut(Event) -> Result<()>) -> Result<()> {
        let Some((frame, device, chain)) = self.latest.take() else {
            return Ok(());
        };
        let start = Instant::now();
        match self.player.front_buffer(device, chain) {
            Ok(picture) => tell(Event::Frame(Frame {
                number: Some(frame),
                picture,
            }))?,
            Err(error) => {
                self.failed
                    .add("(reading a frame)", frame, || error.to_string());
            }
        }
        self.frame_pause += start.elapsed();
        Ok(())
    }

    fn finish(
        mut self,
        summary: &mut Summary,
        tell: &mut dyn FnMut(Event) -> Result<()>,
    ) -> Result<()> {
        if self.wanted == Wanted::Last {
            self.take_latest(tell)?;
        }
        if let Some(window) = &mut self.window {
            let shown = match self.on_screen {
                Some((id, chain)) => {
                    let device = self.player.device(id);
                    device.map(|device| Shown { id, device, chain })
                }
                None => None,
            };
            window.hold(shown)?;
        }
        if self.wanted != Wanted::None
            && summary.frames == 0
            && summary.draws > 0
            && let Some(picture) = self.player.back_buffer()
        {
            tell(Event::Frame(Frame {
                number: None,
                picture,
            }))?;
        }
        let totals = self.player.totals();
        summary.adapter = totals.adapter;
        summary.pipelines = totals.renderer.pipelines_built;
        summary.renderer = (&totals.renderer).into();
        summary.pipeline_stats = (&totals.stats).into();
        summary.traffic = (&totals.traffic).into();
        summary.frame_ms = FrameTimes::of(&self.times);
        summary.frame_times = self.times.iter().map(|t| t.as_secs_f64() * 1e3).collect();
        summary.unknown = self.unknown.into_list();
        summary.failed = self.failed.into_list();
        Ok(())
    }
}

/// Calls that failed had no effect; playing them could have one.
fn failed_when_recorded(ret: Option<&Value>) -> bool {
    matches!(ret, Some(Value::Enum(_, code) | Value::Sint(code)) if *code < 0)
}
