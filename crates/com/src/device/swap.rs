//! Swap chains, presenting, Reset, and what is asked of the device as a whole.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{HResult, Result, SurfaceHandle, SwapChainHandle};

use super::misc::only_chain;
use super::{State, This};
use crate::abi::*;
use crate::caps::{D3DCAPS9, caps_of};
use crate::object::Object;
use crate::pointer::*;
use crate::private::Unknown;
use crate::wsi;

/// After a `Reset` that failed the device waits for one that does not.
pub(super) extern "C" fn test_cooperative_level(this: This) -> Hr {
    this.call(|s| {
        if s.misc.not_reset {
            return Err(HResult::DEVICENOTRESET);
        }
        s.device.test_cooperative_level()
    })
}

pub(super) extern "C" fn get_available_texture_mem(this: This) -> u32 {
    this.value(0, |s| Ok(s.device.get_available_texture_mem()))
}

pub(super) extern "C" fn evict_managed_resources(this: This) -> Hr {
    this.call(|s| s.device.evict_managed_resources())
}

pub(super) extern "C" fn get_device_caps(this: This, out: Out<D3DCAPS9>) -> Hr {
    this.call(|s| out.set(caps_of(s.device.get_device_caps())))
}

pub(super) extern "C" fn get_display_mode(
    this: This,
    swap_chain: u32,
    out: Out<DisplayMode>,
) -> Hr {
    this.call(|s| {
        out.check()?;
        only_chain(swap_chain)?;
        out.set(s.display_mode()?.into())
    })
}

impl State {
    /// The mode of the screen there is not: a device for the whole of it sets its own.
    pub(crate) fn display_mode(&mut self) -> Result<ninefold_d3d9::DisplayMode> {
        let mut mode = self.device.get_display_mode(0)?;
        let parameters = self.device.present_parameters();
        if !parameters.windowed {
            mode.width = parameters.back_buffer_width;
            mode.height = parameters.back_buffer_height;
            // A screen has no alpha.
            mode.format = match parameters.back_buffer_format {
                D3DFMT_A8R8G8B8 => D3DFMT_X8R8G8B8,
                format => format,
            };
        }
        Ok(mode)
    }
}

pub(super) extern "C" fn create_additional_swap_chain(
    this: This,
    parameters: Out<PresentParameters>,
    out: Out<*const Object<SwapChainHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let mut given = parameters.get()?;
        given.check(device.extended)?;
        let window = given.device_window;
        wsi::fit(&mut given, window)?;
        let chain = s.device.create_additional_swap_chain(&given.into())?;
        s.misc.set_window(chain, given.device_window);
        let object = s.hand_out(device, chain);
        let made = s.device.swap_chain_get_present_parameters(chain)?;
        parameters.set(PresentParameters::new(&made, given.device_window))?;
        out.set(object)
    })
}

pub(super) extern "C" fn get_swap_chain(
    this: This,
    index: u32,
    out: Out<*const Object<SwapChainHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        let chain = s.device.get_swap_chain(index)?;
        out.set(s.hand_out(device, chain))
    })
}

pub(super) extern "C" fn get_number_of_swap_chains(this: This) -> u32 {
    this.value(0, |s| Ok(s.device.get_number_of_swap_chains()))
}

pub(super) extern "C" fn reset(this: This, parameters: Out<PresentParameters>) -> Hr {
    this.call_with_device(|device, s| {
        let mut given = parameters.get()?;
        let window = match given.device_window {
            window if window.is_null() => s.misc.device_window(),
            window => window,
        };
        let reset = given
            .check(device.extended)
            .and_then(|()| wsi::fit(&mut given, window))
            .and_then(|()| s.device.reset(&given.into()));
        // An extended device is never lost.
        s.misc.not_reset = reset.is_err() && !device.extended;
        reset?;
        s.misc.set_device_window(given.device_window);
        let made = s.device.present_parameters();
        parameters.set(PresentParameters::new(made, given.device_window))
    })
}

pub(super) extern "C" fn present(
    this: This,
    source: In<Rect>,
    destination: In<Rect>,
    window: *mut c_void,
    _dirty: *const c_void,
) -> Hr {
    call(|| {
        let unknowns = {
            let s = &mut this.get()?.state.lock();
            if s.misc.not_reset {
                return Err(HResult::DEVICELOST);
            }
            let chain = s.device.implicit_swap_chain();
            s.present(chain, (&source, &destination), window)?
        };
        unknowns.into_iter().for_each(Unknown::release);
        Ok(OK)
    })
}

pub(super) extern "C" fn get_back_buffer(
    this: This,
    swap_chain: u32,
    index: u32,
    _kind: u32,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        let surface = s.device.get_back_buffer(swap_chain, index)?;
        out.set(s.hand_out(device, surface))
    })
}

pub(super) extern "C" fn get_display_mode_ex(
    this: This,
    swap_chain: u32,
    mode: Out<DisplayModeEx>,
    rotation: Out<u32>,
) -> Hr {
    this.call(|s| {
        only_chain(swap_chain)?;
        if !mode.is_null() {
            mode.set(s.display_mode()?.into())?;
        }
        if !rotation.is_null() {
            rotation.set(ROTATION_IDENTITY)?;
        }
        Ok(())
    })
}
