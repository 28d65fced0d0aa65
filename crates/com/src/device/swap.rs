//! Swap chains, presenting, Reset, and what is asked of the device as a whole.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::{HResult, Result, SurfaceHandle, SwapChainHandle};

use super::misc::only_chain;
use super::{State, This};
use crate::abi::*;
use crate::caps::{D3DCAPS9, caps_of};
use crate::object::Object;
use crate::pointer::*;
use crate::private::Unknown;
use crate::screen;
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
    this.call_with_device(|device, s| {
        out.set(caps_of(
            s.device.get_device_caps(),
            device.creation.device_type,
        ))
    })
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
        let desktop = self.device.get_display_mode(0)?;
        Ok(self.own_mode().unwrap_or_else(|| screen::mode(desktop)))
    }

    /// The mode that a device for the whole screen sets.
    pub(super) fn own_mode(&self) -> Option<ninefold_d3d9::DisplayMode> {
        let p = self.device.present_parameters();
        (!p.windowed).then(|| {
            screen::mode_of(
                p.back_buffer_width,
                p.back_buffer_height,
                p.back_buffer_format,
            )
        })
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
        // The screen is the device's, or it is not: windows beside it are refused.
        if !s.device.present_parameters().windowed {
            return Err(HResult::INVALIDCALL);
        }
        let window = match given.device_window {
            window if window.is_null() => s.misc.device_window(),
            window => window,
        };
        wsi::fit(&mut given, window)?;
        let chain = s.device.create_additional_swap_chain(&given.into())?;
        s.misc.set_window(chain, window);
        let object = s.hand_out(device, chain);
        let made = s.device.swap_chain_get_present_parameters(chain)?;
        parameters.set(PresentParameters::new(&made, window))?;
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
        // Parameters that are none leave the device as it is.
        given.check(device.extended)?;
        let reset = wsi::fit(&mut given, window).and_then(|()| match given.mode_exists() {
            true => s.device.reset(&given.into()),
            false => Err(HResult::INVALIDCALL),
        });
        // An extended device is never lost.
        s.misc.not_reset = reset.is_err() && !device.extended;
        reset?;
        s.misc.set_device_window(given.device_window);
        screen::set(device.pointer().address().addr(), s.own_mode());
        let made = s.device.present_parameters();
        // A window that was left out stays so.
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
        mode.set_sized(s.display_mode()?.into())?;
        if !rotation.is_null() {
            rotation.set(ROTATION_IDENTITY)?;
        }
        Ok(())
    })
}
