//! The screen that there is not: its modes, and the one it is in.

use ninefold_d3d9::DisplayMode;
use ninefold_d3d9::consts::*;
use parking_lot::Mutex;

/// Sizes that the screen pretends to have, at its own 60 Hz.
pub(crate) const MODES: [(u32, u32); 10] = [
    (640, 480),
    (800, 600),
    (1024, 768),
    (1152, 864),
    (1280, 720),
    (1280, 1024),
    (1366, 768),
    (1600, 900),
    (1600, 1200),
    (1920, 1080),
];

/// Screens show these formats.
pub(crate) fn display_format(format: u32) -> bool {
    matches!(format, D3DFMT_X8R8G8B8 | D3DFMT_R5G6B5)
}

/// Windows may lie on a screen of one of these: there are no modes of the last.
pub(crate) fn desktop_format(format: u32) -> bool {
    display_format(format) || format == D3DFMT_X1R5G5B5
}

/// The mode that the device at an address set. The screen is the process's: other devices see it.
static TAKEN: Mutex<Option<(usize, DisplayMode)>> = Mutex::new(None);

/// Sets the mode of a device that takes the whole screen, or gives the screen back.
pub(crate) fn set(device: usize, mode: Option<DisplayMode>) {
    let mut taken = TAKEN.lock();
    match mode {
        Some(mode) => *taken = Some((device, mode)),
        None if taken.is_some_and(|(of, _)| of == device) => *taken = None,
        None => {}
    }
}

/// The mode in force, where `desktop` is that of a screen that no device took.
pub(crate) fn mode(desktop: DisplayMode) -> DisplayMode {
    TAKEN.lock().map_or(desktop, |(_, mode)| mode)
}

/// The mode that back buffers of this size and format make.
pub(crate) fn mode_of(width: u32, height: u32, format: u32) -> DisplayMode {
    DisplayMode {
        width,
        height,
        refresh_rate: 60,
        // A screen has no alpha.
        format: match format {
            D3DFMT_A8R8G8B8 => D3DFMT_X8R8G8B8,
            format => format,
        },
    }
}
