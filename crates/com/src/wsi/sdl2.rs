//! Windows of SDL 2: an `HWND` is an `SDL_Window *`, as dxvk-native has it.
//!
//! SDL is found at run time in the process, or loaded. What is asked of it are a window's X11
//! number, which [`super::x11`] takes over, or its Wayland surface.

use core::ffi::{c_int, c_void};
use core::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use libloading::os::unix::Library;
use ninefold_d3d9::Window;
use ninefold_d3d9::raw_window_handle::{
    DisplayHandle, HandleError, HasDisplayHandle, HasWindowHandle, RawDisplayHandle,
    RawWindowHandle, WaylandDisplayHandle, WaylandWindowHandle, WindowHandle,
};

use super::x11;

/// Names of the library, the one of Linux first.
const LIBRARIES: [&str; 2] = ["libSDL2-2.0.so.0", "libSDL2.so"];

/// Windows are looked for up to this `SDL_WindowID`, which SDL counts up from 1.
const MAX_ID: u32 = 1 << 16;

/// `SDL_SYSWM_X11` and `SDL_SYSWM_WAYLAND`.
const X11: u32 = 2;
const WAYLAND: u32 = 6;

/// `SDL_WINDOW_MINIMIZED`.
const MINIMIZED: u32 = 0x40;

/// `SDL_SysWMinfo`.
#[repr(C)]
struct WmInfo {
    version: [u8; 4],
    system: u32,
    /// X11: `Display *` and `Window`. Wayland: `wl_display *` and `wl_surface *`.
    info: [*mut c_void; 8],
}

struct Sdl {
    get_window_from_id: unsafe extern "C" fn(u32) -> *mut c_void,
    get_window_wm_info: unsafe extern "C" fn(*mut c_void, *mut WmInfo) -> c_int,
    get_window_flags: unsafe extern "C" fn(*mut c_void) -> u32,
    /// `SDL_GetWindowSizeInPixels`, and before 2.26 `SDL_GetWindowSize`.
    get_window_size: unsafe extern "C" fn(*mut c_void, *mut c_int, *mut c_int),
    version: [u8; 4],
    _library: Library,
}

impl Sdl {
    fn load(library: Library) -> Result<Self, libloading::Error> {
        // SAFETY: the types are those of SDL 2's headers.
        unsafe {
            let size = library
                .get(b"SDL_GetWindowSizeInPixels\0")
                .or_else(|_| library.get(b"SDL_GetWindowSize\0"))?;
            let get_version: libloading::os::unix::Symbol<unsafe extern "C" fn(*mut [u8; 4])> =
                library.get(b"SDL_GetVersion\0")?;
            // It has three bytes.
            let mut version = [0; 4];
            get_version(&mut version);
            Ok(Self {
                get_window_from_id: *library.get(b"SDL_GetWindowFromID\0")?,
                get_window_wm_info: *library.get(b"SDL_GetWindowWMInfo\0")?,
                get_window_flags: *library.get(b"SDL_GetWindowFlags\0")?,
                get_window_size: *size,
                version,
                _library: library,
            })
        }
    }

    fn of_process() -> Result<&'static Self, String> {
        static SDL: OnceLock<Result<Sdl, String>> = OnceLock::new();
        let loaded = SDL.get_or_init(|| {
            if let Ok(sdl) = Self::load(Library::this()) {
                return Ok(sdl);
            }
            let mut why = String::new();
            for name in LIBRARIES {
                // SAFETY: SDL's initialisers do nothing but set SDL up.
                let library = unsafe { Library::new(name) };
                match library.and_then(Self::load) {
                    Ok(sdl) => return Ok(sdl),
                    Err(error) => why = error.to_string(),
                }
            }
            Err(format!("SDL 2 cannot be loaded: {why}"))
        });
        match loaded {
            Ok(sdl) if sdl.version[0] == 2 => Ok(sdl),
            Ok(sdl) => Err(format!("SDL {} is not SDL 2", sdl.version[0])),
            Err(error) => Err(error.clone()),
        }
    }

    /// The number of a window, without looking into what the pointer points to.
    fn id_of(&self, window: *mut c_void) -> Option<u32> {
        // SAFETY: any number may be asked for; SDL answers null where it has no such window.
        (1..=MAX_ID).find(|&id| unsafe { (self.get_window_from_id)(id) } == window)
    }
}

/// The window that `hwnd` points to.
pub(super) fn window(hwnd: *mut c_void) -> Result<Arc<dyn Window>, String> {
    let sdl = Sdl::of_process()?;
    let id = sdl.id_of(hwnd).ok_or("not one of SDL's windows")?;
    let mut info = WmInfo {
        version: sdl.version,
        system: 0,
        info: [core::ptr::null_mut(); 8],
    };
    // SAFETY: SDL has this window, and the struct is SDL's of the version it says.
    if unsafe { (sdl.get_window_wm_info)(hwnd, &mut info) } == 0 {
        return Err("SDL does not say what kind of window it is".to_owned());
    }
    match info.system {
        X11 => x11::window(info.info[1].addr()),
        WAYLAND => {
            let pointer = |at: usize| NonNull::new(info.info[at]).ok_or("it has no surface");
            Ok(Arc::new(WaylandWindow {
                sdl,
                id,
                display: pointer(0)?,
                surface: pointer(1)?,
            }))
        }
        other => Err(format!(
            "its window system, SDL_SYSWM_TYPE {other}, is neither X11 nor Wayland"
        )),
    }
}

/// A window of a Wayland compositor. The program keeps it, and SDL, until it has released the
/// device or its swap chain.
struct WaylandWindow {
    sdl: &'static Sdl,
    id: u32,
    display: NonNull<c_void>,
    surface: NonNull<c_void>,
}

// SAFETY: Wayland's client library may be called from any thread, and of SDL only what reads a
// window's fields is called.
unsafe impl Send for WaylandWindow {}
// SAFETY: as above.
unsafe impl Sync for WaylandWindow {}

impl HasDisplayHandle for WaylandWindow {
    fn display_handle(&self) -> Result<DisplayHandle<'_>, HandleError> {
        let raw = WaylandDisplayHandle::new(self.display);
        // SAFETY: SDL's connection, which the program keeps as long as the device.
        Ok(unsafe { DisplayHandle::borrow_raw(RawDisplayHandle::Wayland(raw)) })
    }
}

impl HasWindowHandle for WaylandWindow {
    fn window_handle(&self) -> Result<WindowHandle<'_>, HandleError> {
        let raw = WaylandWindowHandle::new(self.surface);
        // SAFETY: the surface of SDL's window, which the program keeps as long as it presents there.
        Ok(unsafe { WindowHandle::borrow_raw(RawWindowHandle::Wayland(raw)) })
    }
}

impl Window for WaylandWindow {
    fn drawable_size(&self) -> Option<[u32; 2]> {
        // SAFETY: any number may be asked for.
        let window = unsafe { (self.sdl.get_window_from_id)(self.id) };
        if window.is_null() {
            return Some([0; 2]);
        }
        // SAFETY: SDL has this window.
        if unsafe { (self.sdl.get_window_flags)(window) } & MINIMIZED != 0 {
            return Some([0; 2]);
        }
        let (mut width, mut height) = (0, 0);
        // SAFETY: as above; both numbers are writable.
        unsafe { (self.sdl.get_window_size)(window, &mut width, &mut height) };
        Some([width, height].map(|side| side.max(0) as u32))
    }
}
