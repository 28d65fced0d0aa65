//! C programs that present to windows of an X server, and what the screen then shows.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::mpsc::Receiver;

use x11rb::protocol::xproto::ConnectionExt;

use crate::harness::*;
use crate::screen::{ADAPTER, PATIENCE, Running, Screen, Shot, lines};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const MAGENTA: [u8; 3] = [255, 0, 255];

/// A program that does one step at a time.
struct Stepping {
    program: Running,
    out: Receiver<String>,
}

impl Stepping {
    /// `None` when there is no GPU and none is required.
    fn start(command: &mut Command) -> Self {
        let child = command
            .env("LD_LIBRARY_PATH", library_folder())
            .env("NINEFOLD_ADAPTER", ADAPTER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut program = Running(child.expect("the program runs"));
        let out = lines(&mut program.0);
        Self { program, out }
    }

    /// Waits for the line that ends a step; `false` when the program ended for want of a GPU.
    fn wait(&mut self, expected: &str) -> bool {
        match self.out.recv_timeout(PATIENCE) {
            Ok(line) if line == expected => true,
            Ok(line) => panic!("{line:?} instead of {expected:?}"),
            Err(_) => {
                let status = self.program.0.wait().expect("the program's end");
                assert!(
                    status.code() == Some(3) && !required(),
                    "the program ended with {status} before {expected:?}"
                );
                eprintln!("skipped: no usable GPU");
                false
            }
        }
    }

    fn go_on(&mut self) {
        let input = self.program.0.stdin.as_mut().expect("a pipe");
        input.write_all(b"\n").expect("the program reads");
    }

    fn finish(mut self) {
        self.go_on();
        let rest: Vec<String> = self.out.iter().collect();
        let status = self.program.0.wait().expect("the program's end");
        assert!(status.success(), "{status}\n{}", rest.join("\n"));
        eprintln!("{}", rest.join("\n"));
    }
}

/// What `draw` of the C program looks like, stretched to the size of the picture.
fn halves(shot: &Shot) -> bool {
    let (w, h) = (shot.width, shot.height);
    shot.at(w / 16, h / 16) == GREEN
        && shot.at(w / 4, h - 2) == RED
        && shot.at(w / 4, h / 2) == RED
        && shot.at(w / 2 + 2, h / 2) == BLUE
        && shot.at(w - 1, 0) == BLUE
        && shot.at(w - 1, h - 1) == BLUE
}

#[test]
fn windows_of_x11() {
    if !can_compile("gcc") {
        return;
    }
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    let (first, second) = (
        screen.window(0, 0, 320, 240),
        screen.window(0, 490, 200, 100),
    );
    let folder = scratch("window_x11");
    let program = compile(&crate_dir().join("tests/c/windows/x11.c"), &folder);
    let mut program = Stepping::start(
        Command::new(program)
            .args([first.to_string(), second.to_string()])
            .env("NINEFOLD_WSI", "x11")
            .env("DISPLAY", &screen.display),
    );
    let shows = |window, right: &dyn Fn(&Shot) -> bool, what: &str| {
        let shot = screen.shot_when(window, right);
        assert!(right(&shot), "{what}: {} x {}", shot.width, shot.height);
    };

    if !program.wait("done 1") {
        return;
    }
    shows(first, &halves, "the picture as it is");
    screen.resize(first, 640, 480);
    program.go_on();
    program.wait("done 2");
    shows(first, &halves, "the picture stretched to a larger window");
    program.go_on();
    program.wait("done 3");
    shows(
        second,
        &halves,
        "the picture in the window of Present's argument",
    );
    program.go_on();
    program.wait("done 4");
    let parts = |shot: &Shot| {
        let quarter = [(322, 242), (400, 300), (638, 478)];
        quarter.iter().all(|&(x, y)| shot.at(x, y) == BLUE)
            && [(0, 0), (318, 300), (400, 238)]
                .iter()
                .all(|&(x, y)| shot.at(x, y) == MAGENTA)
    };
    shows(
        first,
        &parts,
        "a part of the picture in a part of the window",
    );
    program.go_on();
    program.wait("done 5");
    shows(second, &halves, "the second swap chain");
    program.go_on();
    program.wait("done 6");
    shows(first, &halves, "the picture after Reset");
    screen.connection.unmap_window(first).expect("a request");
    screen.sync();
    program.go_on();
    program.wait("done 7");
    screen.connection.destroy_window(first).expect("a request");
    screen.sync();
    program.go_on();
    program.wait("done 8");
    program.finish();
}

#[test]
fn windows_of_sdl() {
    const LIBRARY: &str = "libSDL2-2.0.so.0";
    if !can_compile("gcc") {
        return;
    }
    let found = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .iter()
        .any(|folder| std::path::Path::new(folder).join(LIBRARY).exists());
    if !found {
        assert!(!required(), "missing: {LIBRARY} (Debian: libsdl2-2.0-0)");
        eprintln!("skipped: missing {LIBRARY} (Debian: libsdl2-2.0-0)");
        return;
    }
    let Some(screen) = Screen::start(required()) else {
        return;
    };
    let folder = scratch("window_sdl2");
    let program = compile(&crate_dir().join("tests/c/windows/sdl2.c"), &folder);
    let mut program = Stepping::start(
        Command::new(program)
            .arg(LIBRARY)
            .env("NINEFOLD_WSI", "sdl2")
            .env("SDL_VIDEODRIVER", "x11")
            .env("DISPLAY", &screen.display),
    );
    if !program.wait("done") {
        return;
    }
    let window = screen.named("ninefold sdl2");
    let right = |shot: &Shot| {
        (shot.width, shot.height) == (256, 128) && shot.rgb.iter().all(|p| *p == [0x20, 0x40, 0x60])
    };
    let shot = screen.shot_when(window, right);
    assert!(
        right(&shot),
        "{} x {}: {:?}",
        shot.width,
        shot.height,
        shot.at(0, 0)
    );
    program.finish();
}

/// Without an X server a window's number names nothing.
#[test]
fn no_display_is_an_error() {
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("window_none");
    let program = compile(&crate_dir().join("tests/c/windows/x11.c"), &folder);
    let output = Command::new(program)
        .args(["0x400001", "0x400002"])
        .env("LD_LIBRARY_PATH", library_folder())
        .env("NINEFOLD_WSI", "x11")
        .env_remove("DISPLAY")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    if output.status.code() == Some(3) && !required() {
        eprintln!("skipped: no usable GPU");
        return;
    }
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("$DISPLAY"), "{said}");
}
