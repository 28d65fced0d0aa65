//! Surfaces of windows of an X server.

#[path = "../../../tests/support/screen.rs"]
#[allow(dead_code)]
mod screen;

mod common;

use std::num::NonZeroU32;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use ninefold_gpu::raw_window_handle as rwh;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;
use screen::Screen;
use x11rb::protocol::xproto::ConnectionExt;
use x11rb::xcb_ffi::{XCBConnection, load_libxcb};

/// A window by its number, and the size that it claims to have.
struct Number {
    connection: XCBConnection,
    id: NonZeroU32,
    size: Mutex<Option<[u32; 2]>>,
}

impl Number {
    fn new(screen: &Screen, id: u32) -> Arc<Self> {
        load_libxcb().expect("libxcb");
        let name = std::ffi::CString::new(screen.display.clone()).expect("a name");
        let (connection, _) = XCBConnection::connect(Some(&name)).expect("a connection");
        Arc::new(Self {
            connection,
            id: NonZeroU32::new(id).expect("a number"),
            size: Mutex::new(None),
        })
    }
}

impl rwh::HasDisplayHandle for Number {
    fn display_handle(&self) -> Result<rwh::DisplayHandle<'_>, rwh::HandleError> {
        let pointer = NonNull::new(self.connection.get_raw_xcb_connection());
        let raw = rwh::XcbDisplayHandle::new(pointer, 0);
        // SAFETY: the connection lives as long as `self`.
        Ok(unsafe { rwh::DisplayHandle::borrow_raw(rwh::RawDisplayHandle::Xcb(raw)) })
    }
}

impl rwh::HasWindowHandle for Number {
    fn window_handle(&self) -> Result<rwh::WindowHandle<'_>, rwh::HandleError> {
        let raw = rwh::XcbWindowHandle::new(self.id);
        // SAFETY: a number, which the X server checks with every use.
        Ok(unsafe { rwh::WindowHandle::borrow_raw(rwh::RawWindowHandle::Xcb(raw)) })
    }
}

impl Window for Number {
    fn drawable_size(&self) -> Option<[u32; 2]> {
        *self.size.lock().expect("nobody panicked")
    }
}

fn required() -> bool {
    std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some_and(|value| value == "1")
}

/// The adapter that can draw on an Xvfb.
fn open() -> Option<Gpu> {
    let options = GpuOptions {
        adapter: Some(screen::ADAPTER.to_owned()),
        validation: false,
    };
    match Gpu::new(&options) {
        Ok(gpu) => {
            eprintln!("adapter: {}", gpu.adapter_info());
            Some(gpu)
        }
        Err(error) => {
            assert!(!required(), "{error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

fn start() -> Option<(Screen, Gpu)> {
    let screen = Screen::start(required())?;
    Some((screen, open()?))
}

/// Shows one colour; whether the window took it.
fn show(gpu: &Gpu, surface: &mut Surface, rgb: [u8; 3]) -> Result<bool> {
    let Some(frame) = surface.acquire(&SurfaceDesc::default())? else {
        return Ok(false);
    };
    let [r, g, b] = rgb.map(|v| f32::from(v) / 255.0);
    frame.present(gpu.begin()?, [r, g, b, 1.0], |_| Ok(()))?;
    Ok(true)
}

#[track_caller]
fn assert_shown(screen: &Screen, window: u32, rgb: [u8; 3]) {
    let right = |shot: &screen::Shot| shot.rgb.iter().all(|p| *p == rgb);
    let shot = screen.shot_when(window, right);
    assert!(right(&shot), "{:?} instead of {rgb:?}", shot.at(0, 0));
}

#[test]
fn frames_follow_the_window() {
    let Some((screen, gpu)) = start() else { return };
    let id = screen.window(0, 0, 64, 48);
    let window = Number::new(&screen, id);
    let mut surface = gpu.create_surface(window.clone()).unwrap();
    for (n, [width, height]) in [[64, 48], [300, 20], [1, 1], [511, 513], [64, 48]]
        .into_iter()
        .enumerate()
    {
        screen.resize(id, width, height);
        for frame in 0..4 {
            let rgb = [10 * n as u8 + frame, 0x80, 0xFF];
            assert!(show(&gpu, &mut surface, rgb).unwrap());
            assert_shown(&screen, id, rgb);
        }
    }
    // A window that says it is minimised takes nothing, and goes on where it was.
    *window.size.lock().unwrap() = Some([0, 9]);
    assert!(!show(&gpu, &mut surface, [1, 2, 3]).unwrap());
    *window.size.lock().unwrap() = None;
    assert!(show(&gpu, &mut surface, [4, 5, 6]).unwrap());
    assert_shown(&screen, id, [4, 5, 6]);
    // One that says something else than the server is drawn as large as it is.
    *window.size.lock().unwrap() = Some([100, 100]);
    assert!(show(&gpu, &mut surface, [7, 8, 9]).unwrap());
    assert_shown(&screen, id, [7, 8, 9]);

    drop(surface);
    gpu.wait_idle().unwrap();
    assert_eq!(gpu.live_objects().total(), 0, "{:?}", gpu.live_objects());
}

#[test]
fn frames_that_are_not_shown() {
    let Some((screen, gpu)) = start() else { return };
    let id = screen.window(0, 0, 40, 30);
    let mut surface = gpu.create_surface(Number::new(&screen, id)).unwrap();
    assert!(show(&gpu, &mut surface, [1, 1, 1]).unwrap());
    // More than a swap chain has images.
    for _ in 0..10 {
        let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
        assert_eq!(frame.size(), [40, 30]);
        drop(frame);
        let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
        let error = Error::State("as a test wants it");
        let failed = frame.present(gpu.begin().unwrap(), [1.0; 4], |_| Err(error.clone()));
        assert_eq!(failed, Err(error));
        let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
        let ended = frame.present(gpu.begin().unwrap(), [1.0; 4], Commands::end_pass);
        assert!(matches!(ended, Err(Error::State(_))), "{ended:?}");
        let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
        let drawn = frame.present(gpu.begin().unwrap(), [1.0; 4], |c| c.draw(0..3, 0..1));
        assert!(matches!(drawn, Err(Error::State(_))), "{drawn:?}");
    }
    assert_shown(&screen, id, [1, 1, 1]);

    // Inside a pass, and of another device.
    let texture = gpu
        .create_texture(&TextureDesc::d2(8, 8, common::BGRA, common::TARGET))
        .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let mut commands = gpu.begin().unwrap();
    let load = Load::Clear([0.0; 4]);
    let color = ColorAttachment {
        view: &view,
        load,
        store: true,
        resolve: None,
    };
    commands
        .begin_pass(&PassDesc {
            colors: &[Some(color)],
            ..PassDesc::default()
        })
        .unwrap();
    let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
    let inside = frame.present(commands, [1.0; 4], |_| Ok(()));
    assert!(matches!(inside, Err(Error::State(_))), "{inside:?}");
    let other = open().unwrap();
    let frame = surface.acquire(&SurfaceDesc::default()).unwrap().unwrap();
    let foreign = frame.present(other.begin().unwrap(), [1.0; 4], |_| Ok(()));
    assert!(matches!(foreign, Err(Error::Invalid(_))), "{foreign:?}");
    assert!(show(&gpu, &mut surface, [2, 2, 2]).unwrap());
    assert_shown(&screen, id, [2, 2, 2]);
}

#[test]
fn present_modes_and_latencies() {
    let Some((screen, gpu)) = start() else { return };
    let id = screen.window(0, 0, 16, 16);
    let mut surface = gpu.create_surface(Number::new(&screen, id)).unwrap();
    for (n, latency) in [1, 0, 3, 1000, 2].into_iter().enumerate() {
        for vsync in [true, false] {
            let desc = SurfaceDesc { vsync, latency };
            let level = (n * 2 + usize::from(vsync)) as u8;
            for _ in 0..5 {
                let frame = surface.acquire(&desc).unwrap().unwrap();
                let color = f32::from(level) / 255.0;
                let clear = [color, color, color, 1.0];
                frame
                    .present(gpu.begin().unwrap(), clear, |_| Ok(()))
                    .unwrap();
            }
            assert_shown(&screen, id, [level; 3]);
        }
    }
    assert!(matches!(
        surface.format(),
        wgt::TextureFormat::Bgra8Unorm | wgt::TextureFormat::Rgba8Unorm
    ));
}

#[test]
fn windows_that_go() {
    let Some((screen, gpu)) = start() else { return };
    // Never there.
    let none = gpu.create_surface(Number::new(&screen, 0x7FFF_FFF0));
    assert!(matches!(none, Err(Error::Window(_))), "{none:?}");

    // Gone between two frames.
    let id = screen.window(0, 0, 32, 32);
    let mut surface = gpu.create_surface(Number::new(&screen, id)).unwrap();
    assert!(show(&gpu, &mut surface, [1, 2, 3]).unwrap());
    screen.connection.destroy_window(id).unwrap();
    screen.sync();
    for _ in 0..3 {
        let shown = show(&gpu, &mut surface, [1, 2, 3]);
        assert!(
            matches!(shown, Ok(false) | Err(Error::Window(_))),
            "{shown:?}"
        );
    }
    drop(surface);

    // The device goes first.
    let id = screen.window(0, 0, 32, 32);
    let mut surface = gpu.create_surface(Number::new(&screen, id)).unwrap();
    assert!(show(&gpu, &mut surface, [1, 2, 3]).unwrap());
    gpu.lose();
    assert_eq!(show(&gpu, &mut surface, [1, 2, 3]), Err(Error::DeviceLost));
    drop(gpu);
    drop(surface);
}

/// The X server ends while a surface is in use.
#[test]
fn the_server_goes() {
    let Some((screen, gpu)) = start() else { return };
    let id = screen.window(0, 0, 32, 32);
    let mut surface = gpu.create_surface(Number::new(&screen, id)).unwrap();
    assert!(show(&gpu, &mut surface, [1, 2, 3]).unwrap());
    drop(screen);
    for _ in 0..3 {
        let shown = show(&gpu, &mut surface, [1, 2, 3]);
        assert!(!matches!(shown, Ok(true)), "{shown:?}");
    }
    drop(surface);
    gpu.wait_idle().unwrap();
}
