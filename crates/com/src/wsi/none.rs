//! Platforms whose windows this library does not know.

/// As `sdl2` of Linux.
pub(super) mod sdl2 {
    use core::ffi::c_void;
    use std::sync::Arc;

    use ninefold_d3d9::Window;

    pub(in crate::wsi) fn window(_: *mut c_void) -> Result<Arc<dyn Window>, String> {
        Err("windows of SDL 2 are known on Linux only".to_owned())
    }
}

/// As `x11` of Linux.
pub(super) mod x11 {
    use std::sync::Arc;

    use ninefold_d3d9::Window;

    pub(in crate::wsi) fn window(_: usize) -> Result<Arc<dyn Window>, String> {
        Err("windows of X11 are known on Linux only".to_owned())
    }
}
