//! What the adapter can do.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{HResult, Support};

use super::{This, check_adapter};
use crate::caps::{D3DCAPS9, caps_of};
use crate::pointer::*;
use crate::screen::{desktop_format, display_format};

/// `D3DOK_NOAUTOGEN`: the format is fine but has no automatic mip levels.
const NO_AUTOGEN: Hr = 0x0876_086F;

pub(super) extern "C" fn check_device_type(
    this: This,
    adapter: u32,
    _kind: u32,
    display: u32,
    back_buffer: u32,
    windowed: i32,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        let windowed = windowed != 0;
        let shown = match windowed {
            true => desktop_format(display),
            false => display_format(display),
        };
        let back_buffer = match back_buffer {
            D3DFMT_UNKNOWN if windowed => display,
            format => format,
        };
        let same = matches!(
            (display, back_buffer),
            (D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8 | D3DFMT_A8R8G8B8) | (D3DFMT_R5G6B5, D3DFMT_R5G6B5)
        );
        // Presenting converts what is in a window, but no driver did it for these.
        let never = matches!(back_buffer, D3DFMT_A1R5G5B5 | D3DFMT_A4R4G4B4);
        if !shown || never || !same && !windowed {
            return Err(HResult::NOTAVAILABLE);
        }
        let target = object.api.check_device_format(
            display,
            D3DUSAGE_RENDERTARGET,
            D3DRTYPE_SURFACE,
            back_buffer,
        );
        target.map(|_| ()).map_err(|_| HResult::NOTAVAILABLE)
    })
}

pub(super) extern "C" fn check_device_format(
    this: This,
    adapter: u32,
    _kind: u32,
    display: u32,
    usage: u32,
    resource_type: u32,
    format: u32,
) -> Hr {
    call(|| {
        let api = &this.get()?.api;
        check_adapter(adapter)?;
        let support = api.check_device_format(display, usage, resource_type, format)?;
        Ok(match support {
            Support::Full => OK,
            Support::NoAutogen => NO_AUTOGEN,
        })
    })
}

pub(super) extern "C" fn check_device_multi_sample_type(
    this: This,
    adapter: u32,
    _kind: u32,
    format: u32,
    windowed: i32,
    multi_sample: u32,
    levels: Out<u32>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        if multi_sample > D3DMULTISAMPLE_16_SAMPLES || format == D3DFMT_UNKNOWN {
            return Err(HResult::INVALIDCALL);
        }
        let count = object
            .api
            .check_device_multi_sample_type(format, windowed != 0, multi_sample);
        // Types that are not available have a level all the same; formats that are none do not.
        if count != Err(HResult::INVALIDCALL) && !levels.is_null() {
            levels.set(count.unwrap_or(1))?;
        }
        count.map(|_| ())
    })
}

pub(super) extern "C" fn check_depth_stencil_match(
    this: This,
    adapter: u32,
    _kind: u32,
    display: u32,
    target: u32,
    depth: u32,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        object.api.check_depth_stencil_match(display, target, depth)
    })
}

pub(super) extern "C" fn check_device_format_conversion(
    this: This,
    adapter: u32,
    _kind: u32,
    source: u32,
    target: u32,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        object.api.check_device_format_conversion(source, target)
    })
}

pub(super) extern "C" fn get_device_caps(
    this: This,
    adapter: u32,
    kind: u32,
    out: Out<D3DCAPS9>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        out.set(caps_of(object.api.get_device_caps(), kind))
    })
}
