//! A screen of a test's own: an Xvfb, and pictures of its windows.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt, CreateWindowAux, EventMask, ImageFormat,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// The adapter that shows pictures in the windows of an Xvfb: real GPUs want a server that knows
/// them.
pub(crate) const ADAPTER: &str = "llvmpipe";

/// Kills a process that a test leaves behind.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server without a monitor, ended when dropped.
pub(crate) struct Screen {
    _server: Running,
    /// What `DISPLAY` is for its programs.
    pub(crate) display: String,
    pub(crate) connection: RustConnection,
    pub(crate) root: u32,
}

/// Pixels as red, green and blue.
pub(crate) struct Shot {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) rgb: Vec<[u8; 3]>,
}

impl Shot {
    pub(crate) fn at(&self, x: u16, y: u16) -> [u8; 3] {
        self.rgb[usize::from(y) * usize::from(self.width) + usize::from(x)]
    }
}

impl Screen {
    /// Starts an X server on a free display; `None` where Xvfb is not installed and `required` is
    /// false.
    pub(crate) fn start(required: bool) -> Option<Self> {
        let server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1600x1200x24",
                "-nolisten",
                "tcp",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let server = match server {
            Ok(server) => server,
            Err(error) => {
                assert!(!required, "Xvfb (Debian: xvfb): {error}");
                eprintln!("skipped: Xvfb (Debian: xvfb): {error}");
                return None;
            }
        };
        let mut server = Running(server);
        // It names its display when it is ready to serve.
        let mut number = String::new();
        let out = server.0.stdout.take().expect("a pipe");
        BufReader::new(out)
            .read_line(&mut number)
            .expect("its display");
        let display = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&display)).expect("a connection to Xvfb");
        let root = connection.setup().roots[screen].root;
        Some(Self {
            _server: server,
            display,
            connection,
            root,
        })
    }

    /// A mapped window at the given place.
    pub(crate) fn window(&self, x: i16, y: i16, width: u16, height: u16) -> u32 {
        let id = self.connection.generate_id().expect("an id");
        self.connection
            .create_window(
                24,
                id,
                self.root,
                x,
                y,
                width,
                height,
                0,
                WindowClass::INPUT_OUTPUT,
                0,
                &CreateWindowAux::new().background_pixel(0x0012_3456),
            )
            .expect("a window");
        self.connection.map_window(id).expect("a mapped window");
        self.sync();
        id
    }

    /// Waits until the server has done everything asked of it.
    pub(crate) fn sync(&self) {
        let reply = self
            .connection
            .get_input_focus()
            .expect("a request")
            .reply();
        reply.expect("an answer");
    }

    pub(crate) fn resize(&self, window: u32, width: u16, height: u16) {
        let aux = ConfigureWindowAux::new()
            .width(u32::from(width))
            .height(u32::from(height));
        self.connection
            .configure_window(window, &aux)
            .expect("a request");
        self.sync();
    }

    /// The window of the given name, looked for until it is there.
    pub(crate) fn named(&self, part: &str) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            let tree = self.connection.query_tree(self.root).expect("a request");
            for window in tree.reply().expect("the windows").children {
                let name = self
                    .connection
                    .get_property(
                        false,
                        window,
                        u32::from(x11rb::protocol::xproto::AtomEnum::WM_NAME),
                        u32::from(x11rb::protocol::xproto::AtomEnum::ANY),
                        0,
                        256,
                    )
                    .expect("a request")
                    .reply();
                if name.is_ok_and(|name| String::from_utf8_lossy(&name.value).contains(part)) {
                    return window;
                }
            }
            assert!(Instant::now() < end, "no window named {part:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks a window to close, as a window manager does.
    pub(crate) fn close(&self, window: u32) {
        let atom = |name: &str| {
            let atom = self.connection.intern_atom(false, name.as_bytes());
            atom.expect("a request").reply().expect("an atom").atom
        };
        let data = [atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, atom("WM_PROTOCOLS"), data);
        self.connection
            .send_event(false, window, EventMask::NO_EVENT, message)
            .expect("a request");
        self.sync();
    }

    /// Gives a window the keyboard.
    pub(crate) fn focus(&self, window: u32) {
        self.connection
            .set_input_focus(
                x11rb::protocol::xproto::InputFocus::PARENT,
                window,
                x11rb::CURRENT_TIME,
            )
            .expect("a request");
        self.sync();
    }

    /// Presses and releases a key of the keyboard.
    pub(crate) fn press(&self, keycode: u8) {
        use x11rb::protocol::xproto::{KEY_PRESS_EVENT, KEY_RELEASE_EVENT};
        use x11rb::protocol::xtest::ConnectionExt as _;
        for event in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
            self.connection
                .xtest_fake_input(event, keycode, x11rb::CURRENT_TIME, self.root, 0, 0, 0)
                .expect("a request");
        }
        self.sync();
    }

    /// What a window shows now; `None` before it is on the screen.
    pub(crate) fn shot(&self, window: u32) -> Option<Shot> {
        let geometry = self.connection.get_geometry(window).expect("a request");
        let geometry = geometry.reply().expect("a window");
        let (width, height) = (geometry.width, geometry.height);
        let image = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, !0)
            .expect("a request")
            .reply()
            .ok()?;
        let pixels = image.data.chunks_exact(4);
        let rgb = pixels.map(|p| [p[2], p[1], p[0]]).collect();
        Some(Shot { width, height, rgb })
    }

    /// What a window shows once it is `right`. The server takes pictures in when it gets to it.
    pub(crate) fn shot_when(&self, window: u32, right: impl Fn(&Shot) -> bool) -> Shot {
        let end = Instant::now() + PATIENCE;
        loop {
            let late = Instant::now() > end;
            match self.shot(window) {
                Some(shot) if late || right(&shot) => return shot,
                None if late => panic!("the window is not on the screen"),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// How long a test waits for what must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Lines of a program's output as they come.
pub(crate) fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    receive
}
