//! What Direct3D 9 keeps for a program without drawing with it: cursor, gamma ramp, palettes, clip
//! status, dialog boxes, latency; and the screen there is not.

use core::ffi::c_void;
use std::time::{Duration, Instant};

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    HResult, ObjectHandle, PaletteEntries, Result, SurfaceHandle, SwapChainHandle,
};
use rustc_hash::FxHashMap;

use super::This;
use crate::abi::*;
use crate::object::Arg;
use crate::pointer::*;

/// Scan lines of the screen, blank ones included, and how often a second.
const LINES: u64 = 1125;
const VISIBLE_LINES: u64 = 1080;
const REFRESH_RATE: u64 = 60;

pub(crate) struct Misc {
    /// The window of the device's own swap chain, and of the others by their handles.
    device_window: *mut c_void,
    windows: FxHashMap<ObjectHandle, *mut c_void>,
    cursor: bool,
    cursor_shown: bool,
    gamma: Box<GammaRamp>,
    pub(crate) latency: u32,
    pub(super) gpu_priority: i32,
    /// The last `Reset` failed: the device counts as lost.
    pub(super) not_reset: bool,
    /// Frames presented.
    pub(crate) presents: u32,
    started: Instant,
}

impl Misc {
    pub(super) fn new(window: *mut c_void) -> Self {
        let line = core::array::from_fn(|n| n as u16 * 257);
        Self {
            device_window: window,
            windows: FxHashMap::default(),
            cursor: false,
            cursor_shown: false,
            gamma: Box::new(GammaRamp {
                red: line,
                green: line,
                blue: line,
            }),
            latency: 3,
            gpu_priority: 0,
            not_reset: false,
            presents: 0,
            started: Instant::now(),
        }
    }

    pub(crate) fn window(&self, chain: SwapChainHandle) -> *mut c_void {
        let window = self.windows.get(&chain.into());
        window.copied().unwrap_or(self.device_window)
    }

    pub(super) fn set_window(&mut self, chain: SwapChainHandle, window: *mut c_void) {
        if !window.is_null() {
            self.windows.insert(chain.into(), window);
        }
    }

    pub(super) fn device_window(&self) -> *mut c_void {
        self.device_window
    }

    pub(super) fn set_device_window(&mut self, window: *mut c_void) {
        if !window.is_null() {
            self.device_window = window;
        }
    }

    /// The scan line where a beam would be.
    fn scan_line(&self) -> u64 {
        self.started.elapsed().as_micros() as u64 * REFRESH_RATE * LINES / 1_000_000 % LINES
    }

    /// How long until the beam leaves the last visible line.
    pub(super) fn until_vblank(&self) -> Duration {
        let lines = (VISIBLE_LINES + LINES - self.scan_line() - 1) % LINES + 1;
        Duration::from_micros(lines * 1_000_000 / (REFRESH_RATE * LINES))
    }

    /// Where a beam would be: programs wait for it to move.
    pub(crate) fn raster_status(&self) -> RasterStatus {
        let line = self.scan_line();
        RasterStatus {
            in_vblank: (line >= VISIBLE_LINES).into(),
            scan_line: if line >= VISIBLE_LINES {
                0
            } else {
                line as u32
            },
        }
    }
}

/// The hot spot may lie anywhere.
pub(super) extern "C" fn set_cursor_properties(
    this: This,
    _x: u32,
    _y: u32,
    bitmap: Arg<SurfaceHandle>,
) -> Hr {
    this.call_with_device(|device, s| {
        let surface = bitmap.required(device)?;
        let desc = s.device.get_surface_desc(surface)?;
        let screen = s.display_mode()?;
        let size_ok = |side: u32, most: u32| side.is_power_of_two() && side <= most;
        let fits = desc.format == D3DFMT_A8R8G8B8
            && size_ok(desc.width, screen.width)
            && size_ok(desc.height, screen.height);
        if !fits {
            return Err(HResult::INVALIDCALL);
        }
        s.misc.cursor = true;
        Ok(())
    })
}

/// There is no pointer to move.
pub(super) extern "C" fn set_cursor_position(_this: This, _x: i32, _y: i32, _flags: u32) {}

/// Returns whether the cursor was shown; without a bitmap there is none to show.
pub(super) extern "C" fn show_cursor(this: This, show: i32) -> i32 {
    this.value(0, |s| {
        let shown = s.misc.cursor && show != 0;
        Ok(core::mem::replace(&mut s.misc.cursor_shown, shown).into())
    })
}

pub(super) extern "C" fn set_dialog_box_mode(this: This, _enable: i32) -> Hr {
    this.call(|_| Ok(()))
}

pub(super) extern "C" fn get_raster_status(
    this: This,
    swap_chain: u32,
    out: Out<RasterStatus>,
) -> Hr {
    this.call(|s| {
        only_chain(swap_chain)?;
        out.set(s.misc.raster_status())
    })
}

/// The device's own swap chain is number 0.
pub(super) fn only_chain(index: u32) -> Result<()> {
    match index {
        0 => Ok(()),
        _ => Err(HResult::INVALIDCALL),
    }
}

pub(super) extern "C" fn set_gamma_ramp(
    this: This,
    swap_chain: u32,
    _flags: u32,
    ramp: In<GammaRamp>,
) {
    this.call(|s| {
        only_chain(swap_chain)?;
        *s.misc.gamma = ramp.required()?;
        Ok(())
    });
}

pub(super) extern "C" fn get_gamma_ramp(this: This, swap_chain: u32, ramp: Out<GammaRamp>) {
    this.call(|s| {
        only_chain(swap_chain)?;
        ramp.set(*s.misc.gamma)
    });
}

pub(super) extern "C" fn set_palette_entries(
    this: This,
    number: u32,
    entries: In<PaletteEntries>,
) -> Hr {
    this.call(|s| s.device.set_palette_entries(number, &entries.required()?))
}

pub(super) extern "C" fn get_palette_entries(
    this: This,
    number: u32,
    entries: Out<PaletteEntries>,
) -> Hr {
    this.call(|s| entries.set(*s.device.get_palette_entries(number)?))
}

pub(super) extern "C" fn set_current_texture_palette(this: This, number: u32) -> Hr {
    this.call(|s| s.device.set_current_texture_palette(number))
}

pub(super) extern "C" fn get_current_texture_palette(this: This, number: Out<u32>) -> Hr {
    this.call(|s| number.set(s.device.get_current_texture_palette()))
}

pub(super) extern "C" fn set_clip_status(this: This, status: In<ClipStatus>) -> Hr {
    this.call(|s| {
        let ClipStatus {
            union,
            intersection,
        } = status.required()?;
        s.device.set_clip_status(ninefold_d3d9::ClipStatus {
            union,
            intersection,
        });
        Ok(())
    })
}

pub(super) extern "C" fn get_clip_status(this: This, status: Out<ClipStatus>) -> Hr {
    this.call(|s| {
        let ninefold_d3d9::ClipStatus {
            union,
            intersection,
        } = s.device.get_clip_status();
        status.set(ClipStatus {
            union,
            intersection,
        })
    })
}
