//! The adapter and the modes of the screen there is not.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::{HResult, Result};

use super::{This, check_adapter};
use crate::abi::*;
use crate::pointer::*;
use crate::screen::{self, MODES, display_format};

/// `MONITOR` of the screen there is not: any value but null.
const MONITOR: usize = 1;

/// Asks `GetAdapterIdentifier` for the driver's WHQL level.
const D3DENUM_WHQL_LEVEL: u32 = 2;

pub(super) extern "C" fn get_adapter_count(this: This) -> u32 {
    guard(0, || this.get().map_or(0, |o| o.api.get_adapter_count()))
}

/// Copies text with a final zero into a field of fixed size.
fn text<const N: usize>(from: &str) -> [u8; N] {
    let mut field = [0; N];
    let len = from.len().min(N - 1);
    field[..len].copy_from_slice(&from.as_bytes()[..len]);
    field
}

pub(super) extern "C" fn get_adapter_identifier(
    this: This,
    adapter: u32,
    flags: u32,
    out: Out<AdapterIdentifier>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        let identifier = object.api.get_adapter_identifier();
        out.set(AdapterIdentifier {
            driver: text(&identifier.driver),
            description: text(&identifier.description),
            device_name: text(r"\\.\DISPLAY1"),
            driver_version: 0x0009_0000_0000_0001,
            vendor_id: identifier.vendor,
            device_id: identifier.device,
            subsys_id: 0,
            revision: 0,
            device_identifier: ADAPTER,
            // Looked up only on request.
            whql_level: (flags & D3DENUM_WHQL_LEVEL != 0).into(),
        })
    })
}

fn mode_count(format: u32) -> u32 {
    if display_format(format) {
        MODES.len() as u32
    } else {
        0
    }
}

fn mode(format: u32, index: u32) -> Result<DisplayMode> {
    match MODES.get(index as usize) {
        Some(&(width, height)) if display_format(format) => Ok(DisplayMode {
            width,
            height,
            refresh_rate: 60,
            format,
        }),
        _ => Err(HResult::INVALIDCALL),
    }
}

pub(super) extern "C" fn get_adapter_mode_count(_this: This, adapter: u32, format: u32) -> u32 {
    if adapter == 0 { mode_count(format) } else { 0 }
}

pub(super) extern "C" fn enum_adapter_modes(
    _this: This,
    adapter: u32,
    format: u32,
    index: u32,
    out: Out<DisplayMode>,
) -> Hr {
    call(|| {
        out.check()?;
        check_adapter(adapter)?;
        out.set(mode(format, index)?)?;
        Ok(OK)
    })
}

pub(super) extern "C" fn get_adapter_display_mode(
    this: This,
    adapter: u32,
    out: Out<DisplayMode>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        out.set(screen::mode(object.api.get_adapter_display_mode()).into())
    })
}

pub(super) extern "C" fn get_adapter_monitor(_this: This, adapter: u32) -> *const c_void {
    if adapter == 0 {
        ptr::without_provenance(MONITOR)
    } else {
        ptr::null()
    }
}

fn filtered(filter: &In<DisplayModeFilter>) -> Result<u32> {
    let filter = filter.required()?;
    match filter.scan_line_ordering {
        0 | PROGRESSIVE => Ok(filter.format),
        _ => Err(HResult::NOTAVAILABLE),
    }
}

pub(super) extern "C" fn get_adapter_mode_count_ex(
    _this: This,
    adapter: u32,
    filter: In<DisplayModeFilter>,
) -> u32 {
    guard(0, || match (adapter, filtered(&filter)) {
        (0, Ok(format)) => mode_count(format),
        _ => 0,
    })
}

pub(super) extern "C" fn enum_adapter_modes_ex(
    _this: This,
    adapter: u32,
    filter: In<DisplayModeFilter>,
    index: u32,
    out: Out<DisplayModeEx>,
) -> Hr {
    call(|| {
        check_adapter(adapter)?;
        let found = mode(filtered(&filter)?, index)?;
        let size = out.get()?.size;
        let mode: DisplayModeEx = ninefold_d3d9::DisplayMode::from(found).into();
        out.set(DisplayModeEx { size, ..mode })?;
        Ok(OK)
    })
}

pub(super) extern "C" fn get_adapter_display_mode_ex(
    this: This,
    adapter: u32,
    mode: Out<DisplayModeEx>,
    rotation: Out<u32>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        mode.set_sized(screen::mode(object.api.get_adapter_display_mode()).into())?;
        if !rotation.is_null() {
            rotation.set(ROTATION_IDENTITY)?;
        }
        Ok(())
    })
}

pub(super) extern "C" fn get_adapter_luid(_this: This, adapter: u32, out: Out<u64>) -> Hr {
    call(|| {
        check_adapter(adapter)?;
        out.set(1)?;
        Ok(OK)
    })
}
