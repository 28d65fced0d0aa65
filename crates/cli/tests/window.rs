//! `ninefold replay --window` on the screen of an X server.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

#[path = "../../../tests/support/screen.rs"]
#[allow(dead_code)]
mod screen;

use screen::{PATIENCE, Running, Screen, Shot};

/// Where X keyboards have Escape.
const ESCAPE: u8 = 9;

fn required() -> bool {
    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some_and(|value| value == "1")
}

fn ninefold(screen: Option<&Screen>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    match screen {
        Some(screen) => command.env("DISPLAY", &screen.display),
        None => command.env_remove("DISPLAY"),
    };
    command
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("WINIT_X11_SCALE_FACTOR", "1")
        .env("NINEFOLD_ADAPTER", screen::ADAPTER)
        .stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the command runs")
}

/// A capture of our own of three frames, and the picture of its last one; `None` without a GPU.
fn capture(name: &str) -> Option<(PathBuf, Shot)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let drawn = run(ninefold(None)
        .args(["demo", "--frames", "3", "-o"])
        .arg(&folder));
    if drawn.status.code() == Some(3) && !required() {
        eprintln!("skipped: {}", String::from_utf8_lossy(&drawn.stderr).trim());
        return None;
    }
    assert!(drawn.status.success(), "{drawn:?}");
    let trace = folder.join("demo.trace");
    let played = run(ninefold(None)
        .arg("replay")
        .arg(&trace)
        .arg("-o")
        .arg(&folder));
    assert!(played.status.success(), "{played:?}");
    Some((trace, picture(&folder.join("frame002.png"))))
}

fn picture(path: &Path) -> Shot {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut data = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut data).expect("pixels");
    let rgb = data[..info.buffer_size()].chunks_exact(info.color_type.samples());
    Shot {
        width: info.width as u16,
        height: info.height as u16,
        rgb: rgb.map(|p| [p[0], p[1], p[2]]).collect(),
    }
}

fn start(screen: &Screen, trace: &Path) -> Running {
    let child = ninefold(Some(screen))
        .args(["replay", "--window", "--json"])
        .arg(trace)
        .stdout(Stdio::piped())
        .spawn();
    Running(child.expect("the command starts"))
}

/// Its exit code, once it ends by itself.
fn end(child: &mut Child) -> Option<i32> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("its status") {
            return status.code();
        }
        assert!(Instant::now() < end, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_last_frame_stays_until_escape() {
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    let Some((trace, expected)) = capture("window_escape") else {
        return;
    };
    let mut child = start(&screen, &trace);
    let window = screen.named("ninefold");
    let same = |shot: &Shot| shot.rgb == expected.rgb;
    let shot = screen.shot_when(window, same);
    assert_eq!((shot.width, shot.height), (expected.width, expected.height));
    assert!(same(&shot), "the window does not show the last frame");

    // Another size: the picture is stretched to it, and its middle is where it was.
    let (width, height) = (shot.width / 2, shot.height / 2);
    screen.resize(window, width, height);
    let close = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1);
    let halved = |shot: &Shot| {
        (shot.width, shot.height) == (width, height)
            && (0..height).all(|y| {
                (0..width).all(|x| {
                    // Each pixel is the mean of the four that it covers.
                    let mean: [u8; 3] = std::array::from_fn(|channel| {
                        let at = |dx, dy| u32::from(expected.at(2 * x + dx, 2 * y + dy)[channel]);
                        ((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8
                    });
                    close(shot.at(x, y), mean)
                })
            })
    };
    assert!(
        halved(&screen.shot_when(window, halved)),
        "the picture is not stretched to the window"
    );

    screen.focus(window);
    screen.press(ESCAPE);
    assert_eq!(end(&mut child.0), Some(0));
    let output = child.0.stdout.take().expect("a pipe");
    let summary: serde_json::Value = serde_json::from_reader(output).expect("a summary");
    assert_eq!(summary["frames"], 3);
}

#[test]
fn closing_the_window_ends_the_replay() {
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    let Some((trace, _)) = capture("window_close") else {
        return;
    };
    // At one frame a second the window is closed long before the capture ends.
    let child = ninefold(Some(&screen))
        .args(["replay", "--window", "--json", "--fps", "1"])
        .arg(&trace)
        .stdout(Stdio::piped())
        .spawn();
    let mut child = Running(child.expect("the command starts"));
    let window = screen.named("ninefold");
    screen.close(window);
    assert_eq!(end(&mut child.0), Some(0));
    let output = child.0.stdout.take().expect("a pipe");
    let summary: serde_json::Value = serde_json::from_reader(output).expect("a summary");
    assert!(
        summary["frames"]
            .as_u64()
            .is_some_and(|n| (1..=3).contains(&n))
    );
}

#[test]
fn the_demo_can_be_shown() {
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    if capture("window_demo").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window_demo");
    let child = ninefold(Some(&screen))
        .args(["demo", "--frames", "2", "--window", "-o"])
        .arg(&folder)
        .stdout(Stdio::null())
        .spawn();
    let mut child = Running(child.expect("the command starts"));
    let window = screen.named("ninefold demo");
    screen.close(window);
    assert_eq!(end(&mut child.0), Some(0));
}

/// A capture of the shared folder as Windows programs draw: the picture on the screen is within
/// the bar of the reference pictures.
#[test]
fn a_shared_capture_is_shown_as_its_reference() {
    const TRACE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/traces/irr_2d/irr_2d.trace"
    );
    const PICTURE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/traces/irr_2d/reference/frame009.png"
    );
    if !Path::new(TRACE).exists() {
        let required = std::env::var("NINEFOLD_REQUIRE_SHARED").is_ok_and(|v| v == "1");
        assert!(!required, "{TRACE} is missing");
        eprintln!("skipped: {TRACE} is missing");
        return;
    }
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    if capture("window_shared").is_none() {
        return;
    }
    let expected = picture(Path::new(PICTURE));
    let mut child = start(&screen, Path::new(TRACE));
    let window = screen.named("ninefold");
    let near = |shot: &Shot| {
        let off = shot.rgb.iter().zip(&expected.rgb).filter(|(a, b)| {
            let off_by = a.iter().zip(**b).map(|(a, b)| a.abs_diff(b)).max();
            off_by > Some(8)
        });
        shot.rgb.len() == expected.rgb.len() && off.count() * 1000 <= shot.rgb.len() * 5
    };
    assert!(near(&screen.shot_when(window, near)));
    screen.close(window);
    assert_eq!(end(&mut child.0), Some(0));
}

#[test]
fn no_screen_is_3_and_says_so() {
    // Looked for before anything is read.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = run(ninefold(None).args(["replay", "--window"]).arg(&file));
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no screen"), "{said}");
    assert!(said.contains("DISPLAY"), "{said}");
    assert!(!said.contains("panicked"), "{said}");

    let wrong = run(ninefold(None)
        .env("DISPLAY", ":4242")
        .args(["replay", "--window"])
        .arg(&file));
    assert_eq!(wrong.status.code(), Some(3));
}
