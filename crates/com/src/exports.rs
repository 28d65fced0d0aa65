//! The functions that `libd3d9.so` exports.

use core::ptr;

use crate::direct3d::Direct3DObject;
use crate::pointer::*;
use crate::settings;
use crate::validator;

/// `Direct3DCreate9`: null when there is no usable GPU; standard error says what is missing. The
/// version is not judged.
#[unsafe(no_mangle)]
pub extern "C" fn Direct3DCreate9(_sdk_version: u32) -> *const core::ffi::c_void {
    guard(ptr::null(), || {
        settings::logs();
        match Direct3DObject::make(false) {
            Ok(object) => object.cast(),
            Err(_) => ptr::null(),
        }
    })
}

/// `Direct3DCreate9Ex`: `D3DERR_NOTAVAILABLE` when there is no usable GPU.
///
/// # Safety
/// `out` is null or points to room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Direct3DCreate9Ex(
    _sdk_version: u32,
    out: *mut *const core::ffi::c_void,
) -> i32 {
    let out = Out::new(out);
    call(|| {
        settings::logs();
        out.set(ptr::null())?;
        out.set(Direct3DObject::make(true)?.cast())?;
        Ok(OK)
    })
}

/// `D3DPERF_BeginEvent`: nothing listens to events; -1, as documented.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_BeginEvent(_color: u32, _name: *const core::ffi::c_void) -> i32 {
    -1
}

/// `D3DPERF_EndEvent`: -1, as nothing listens.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_EndEvent() -> i32 {
    -1
}

/// `D3DPERF_GetStatus`: 0, no tool is attached.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_GetStatus() -> u32 {
    0
}

/// `D3DPERF_QueryRepeatFrame`: never.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_QueryRepeatFrame() -> i32 {
    0
}

/// `D3DPERF_SetMarker`: nothing listens.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_SetMarker(_color: u32, _name: *const core::ffi::c_void) {}

/// `D3DPERF_SetOptions`: nothing listens.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_SetOptions(_options: u32) {}

/// `D3DPERF_SetRegion`: nothing listens.
#[unsafe(no_mangle)]
pub extern "C" fn D3DPERF_SetRegion(_color: u32, _name: *const core::ffi::c_void) {}

/// `DebugSetMute`: the debug runtime's, which this is not.
#[unsafe(no_mangle)]
pub extern "C" fn DebugSetMute() {}

/// `DebugSetLevel`: the debug runtime's, which this is not.
#[unsafe(no_mangle)]
pub extern "C" fn DebugSetLevel() {}

/// `Direct3DShaderValidatorCreate9`, which has no documentation: one object that accepts every
/// instruction. Shaders are checked whole when they are created.
#[unsafe(no_mangle)]
pub extern "C" fn Direct3DShaderValidatorCreate9() -> *const core::ffi::c_void {
    ptr::from_ref(&validator::OBJECT).cast()
}
