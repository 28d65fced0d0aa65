//! Windows: what an `HWND` is, and showing pictures in it.
//!
//! Without `NINEFOLD_WSI` an `HWND` is an opaque pointer and nothing is shown.

#[cfg(not(all(unix, not(target_vendor = "apple"))))]
mod none;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod sdl2;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod x11;
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
use none::{sdl2, x11};

use core::ffi::c_void;
use std::sync::{Arc, OnceLock};

use ninefold_d3d9::{Device, DeviceWindow, HResult, Rect, Result, SwapChainHandle, Window};

use crate::abi::PresentParameters;
use crate::settings;

/// What an `HWND` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    /// Anything: it is never looked at.
    Headless,
    /// An `SDL_Window *` of SDL 2.
    Sdl2,
    /// The number of an X11 window.
    X11,
}

impl System {
    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "" | "none" | "headless" => Some(Self::Headless),
            "sdl2" => Some(Self::Sdl2),
            "x11" => Some(Self::X11),
            _ => None,
        }
    }

    fn of_process() -> Self {
        static SYSTEM: OnceLock<System> = OnceLock::new();
        *SYSTEM.get_or_init(|| {
            let name = settings::window_system();
            Self::named(&name).unwrap_or_else(|| {
                eprintln!(
                    "ninefold: NINEFOLD_WSI={name}: not one of sdl2, x11 and none; nothing is shown"
                );
                Self::Headless
            })
        })
    }
}

/// Whether windows are never looked at.
pub(crate) fn headless() -> bool {
    System::of_process() == System::Headless
}

/// The window behind an `HWND`; `None` where nothing is shown.
///
/// # Errors
/// `D3DERR_INVALIDCALL` for what is not a window; standard error says why.
pub(crate) fn window(hwnd: *mut c_void) -> Result<Option<Arc<dyn Window>>> {
    if hwnd.is_null() {
        return Ok(None);
    }
    let found = match System::of_process() {
        System::Headless => return Ok(None),
        System::Sdl2 => sdl2::window(hwnd),
        System::X11 => x11::window(hwnd.addr()),
    };
    found.map(Some).map_err(|error| {
        eprintln!("ninefold: the window {hwnd:p}: {error}");
        HResult::INVALIDCALL
    })
}

/// The windows that a device shows pictures in.
#[derive(Default)]
pub(crate) struct Windows {
    /// By their `HWND`s; the one shown last is the last.
    open: Vec<(usize, Arc<dyn Window>, DeviceWindow)>,
}

/// Windows that a device keeps open. A program that goes through more of them opens them again.
const MAX_OPEN: usize = 32;

impl Windows {
    /// Makes the window of an `HWND` ready, before anything is presented to it.
    pub(crate) fn prepare(&mut self, device: &mut Device, hwnd: *mut c_void) -> Result<()> {
        if System::of_process() == System::Headless || hwnd.is_null() {
            return Ok(());
        }
        if let Some(at) = self.open.iter().position(|(of, ..)| *of == hwnd.addr()) {
            self.open[at..].rotate_left(1);
            return Ok(());
        }
        let Some(window) = window(hwnd)? else {
            return Ok(());
        };
        let opened = device.open_window(window.clone()).inspect_err(|_| {
            eprintln!("ninefold: the window {hwnd:p}: {}", device.last_error());
        })?;
        if self.open.len() == MAX_OPEN {
            self.open.remove(0);
        }
        self.open.push((hwnd.addr(), window, opened));
        Ok(())
    }

    /// Shows what `chain` presented in the window that was made ready last.
    pub(crate) fn show(
        &mut self,
        device: &mut Device,
        chain: SwapChainHandle,
        hwnd: *mut c_void,
        source: Option<Rect>,
        destination: Option<Rect>,
    ) -> Result<()> {
        let Some((of, _, window)) = self.open.last_mut() else {
            return Ok(());
        };
        if *of != hwnd.addr() {
            return Ok(());
        }
        let shown = device.show(chain, window, source, destination);
        match shown {
            // A window that is gone or hidden shows nothing, which is no failure of Present.
            Ok(_) => Ok(()),
            Err(HResult::NOTAVAILABLE) => {
                tracing::debug!(target: "ninefold::com", "Present: {}", device.last_error());
                self.open.pop();
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Gives a back buffer the sides it was left without: those of the window's client area, where
/// there is one to ask.
///
/// # Errors
/// `D3DERR_INVALIDCALL` for an `HWND` that is not a window.
pub(crate) fn fit(parameters: &mut PresentParameters, hwnd: *mut c_void) -> Result<()> {
    let Some(window) = window(hwnd)? else {
        return Ok(());
    };
    if parameters.windowed != 0
        && let Some([width, height]) = window.drawable_size()
    {
        // A side of nothing counts as 8 pixels, as on Windows.
        let side = |given: u32, side: u32| if given == 0 { side.max(8) } else { given };
        parameters.back_buffer_width = side(parameters.back_buffer_width, width);
        parameters.back_buffer_height = side(parameters.back_buffer_height, height);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::System;

    #[test]
    fn names_of_window_systems() {
        for (name, system) in [
            ("", System::Headless),
            ("none", System::Headless),
            ("SDL2", System::Sdl2),
            ("sdl2", System::Sdl2),
            ("X11", System::X11),
        ] {
            assert_eq!(System::named(name), Some(system), "{name}");
        }
        assert_eq!(System::named("sdl"), None);
    }
}
