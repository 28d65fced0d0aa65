//! What `IDirect3DDevice9Ex` adds.

use core::ffi::c_void;

use ninefold_d3d9::{HResult, SurfaceHandle, VertexBufferHandle};

use super::misc::only_chain;
use super::{This, swap};
use crate::abi::*;
use crate::object::Arg;
use crate::pointer::*;

/// `D3DMAXIMUMFRAMELATENCY`.
const MAX_LATENCY: u32 = 30;
const DEFAULT_LATENCY: u32 = 3;

/// Windows dropped the monochrome filters that this configures.
pub(super) extern "C" fn set_convolution_mono_kernel(
    _this: This,
    _width: u32,
    _height: u32,
    _rows: *const f32,
    _columns: *const f32,
) -> Hr {
    HResult::INVALIDCALL.0 as i32
}

/// For one-bit glyph surfaces (`D3DFMT_A1`), which this device does not have.
#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn compose_rects(
    _this: This,
    _source: Arg<SurfaceHandle>,
    _destination: Arg<SurfaceHandle>,
    _source_rects: Arg<VertexBufferHandle>,
    _count: u32,
    _destination_rects: Arg<VertexBufferHandle>,
    _operation: u32,
    _x: i32,
    _y: i32,
) -> Hr {
    HResult::INVALIDCALL.0 as i32
}

pub(super) extern "C" fn present_ex(
    this: This,
    source: In<Rect>,
    destination: In<Rect>,
    window: *mut c_void,
    dirty: *const c_void,
    _flags: u32,
) -> Hr {
    swap::present(this, source, destination, window, dirty)
}

pub(super) extern "C" fn get_gpu_thread_priority(this: This, out: Out<i32>) -> Hr {
    this.call(|s| out.set(s.misc.gpu_priority))
}

pub(super) extern "C" fn set_gpu_thread_priority(this: This, priority: i32) -> Hr {
    this.call(|s| {
        if !(-7..=7).contains(&priority) {
            return Err(HResult::INVALIDCALL);
        }
        s.misc.gpu_priority = priority;
        Ok(())
    })
}

/// Waits for the screen that `GetRasterStatus` tells of, without keeping other threads from the
/// device.
pub(super) extern "C" fn wait_for_vblank(this: This, swap_chain: u32) -> Hr {
    call(|| {
        only_chain(swap_chain)?;
        let wait = this.get()?.state.lock().misc.until_vblank();
        std::thread::sleep(wait);
        Ok(OK)
    })
}

/// Everything is where it is drawn from.
pub(super) extern "C" fn check_resource_residency(
    this: This,
    resources: In<*const c_void>,
    count: u32,
) -> Hr {
    this.call(|_| {
        if count != 0 && resources.slice(count as usize)?.iter().any(|r| r.is_null()) {
            return Err(HResult::INVALIDCALL);
        }
        Ok(())
    })
}

pub(super) extern "C" fn set_maximum_frame_latency(this: This, latency: u32) -> Hr {
    this.call(|s| {
        s.misc.latency = match latency {
            0 => DEFAULT_LATENCY,
            1..=MAX_LATENCY => latency,
            _ => return Err(HResult::INVALIDCALL),
        };
        Ok(())
    })
}

pub(super) extern "C" fn get_maximum_frame_latency(this: This, out: Out<u32>) -> Hr {
    this.call(|s| out.set(s.misc.latency))
}

pub(super) extern "C" fn check_device_state(this: This, _window: *const c_void) -> Hr {
    this.call(|_| Ok(()))
}

pub(super) extern "C" fn reset_ex(
    this: This,
    parameters: Out<PresentParameters>,
    mode: In<DisplayModeEx>,
) -> Hr {
    let windowed = parameters.get().is_ok_and(|p| p.windowed != 0);
    // A mode goes with the whole screen, and only with it.
    if parameters.is_null() || windowed != mode.is_null() {
        return HResult::INVALIDCALL.0 as i32;
    }
    swap::reset(this, parameters)
}
