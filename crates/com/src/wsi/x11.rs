//! Windows of X11 by their numbers, over a connection of our own: a program may close its own one
//! while a device lives.

use std::num::NonZeroU32;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use ninefold_d3d9::Window;
use ninefold_d3d9::raw_window_handle::{
    DisplayHandle, HandleError, HasDisplayHandle, HasWindowHandle, RawDisplayHandle,
    RawWindowHandle, WindowHandle, XcbDisplayHandle, XcbWindowHandle,
};
use x11rb::protocol::xproto::{ConnectionExt, MapState};
use x11rb::xcb_ffi::{XCBConnection, load_libxcb};

struct Display {
    connection: XCBConnection,
    screen: usize,
}

/// The connection to `$DISPLAY`, opened when first asked for and never closed.
fn display() -> Result<&'static Display, String> {
    static DISPLAY: OnceLock<Result<Display, String>> = OnceLock::new();
    let opened = DISPLAY.get_or_init(|| {
        load_libxcb().map_err(|error| format!("libxcb cannot be loaded: {error}"))?;
        let (connection, screen) = XCBConnection::connect(None)
            .map_err(|error| format!("no connection to the X server of $DISPLAY: {error}"))?;
        Ok(Display { connection, screen })
    });
    opened.as_ref().map_err(Clone::clone)
}

/// A window of the X server. It may be gone at any time: the server then refuses what is asked of
/// it, and nothing is shown.
struct X11Window {
    display: &'static Display,
    id: NonZeroU32,
}

/// The window of a number that the X server knows.
pub(super) fn window(number: usize) -> Result<Arc<dyn Window>, String> {
    let id = u32::try_from(number).ok().and_then(NonZeroU32::new);
    let id = id.ok_or("not the number of an X11 window")?;
    let window = X11Window {
        display: display()?,
        id,
    };
    match window.geometry() {
        Some(_) => Ok(Arc::new(window)),
        None => Err(format!("the X server has no window {id:#x}")),
    }
}

impl X11Window {
    /// Width and height, 0 where it is not mapped; `None` when it is gone.
    fn geometry(&self) -> Option<[u32; 2]> {
        let connection = &self.display.connection;
        let attributes = connection.get_window_attributes(self.id.get()).ok()?;
        let geometry = connection.get_geometry(self.id.get()).ok()?;
        let (attributes, geometry) = (attributes.reply().ok()?, geometry.reply().ok()?);
        if attributes.map_state == MapState::UNMAPPED {
            return Some([0; 2]);
        }
        Some([geometry.width.into(), geometry.height.into()])
    }
}

impl HasDisplayHandle for X11Window {
    fn display_handle(&self) -> Result<DisplayHandle<'_>, HandleError> {
        let connection = self.display.connection.get_raw_xcb_connection();
        let raw = XcbDisplayHandle::new(NonNull::new(connection), self.display.screen as i32);
        // SAFETY: the connection is never closed.
        Ok(unsafe { DisplayHandle::borrow_raw(RawDisplayHandle::Xcb(raw)) })
    }
}

impl HasWindowHandle for X11Window {
    fn window_handle(&self) -> Result<WindowHandle<'_>, HandleError> {
        let raw = XcbWindowHandle::new(self.id);
        // SAFETY: a number, which the X server checks with every use.
        Ok(unsafe { WindowHandle::borrow_raw(RawWindowHandle::Xcb(raw)) })
    }
}

impl Window for X11Window {
    fn drawable_size(&self) -> Option<[u32; 2]> {
        Some(self.geometry().unwrap_or([0; 2]))
    }
}
