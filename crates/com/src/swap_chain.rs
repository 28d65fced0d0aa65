//! `IDirect3DSwapChain9` and `IDirect3DSwapChain9Ex`.

use core::ffi::c_void;

use ninefold_d3d9::{Result, SurfaceHandle, SwapChainHandle};

use crate::abi::*;
use crate::device::{DeviceObject, State};
use crate::object::*;
use crate::pointer::*;
use crate::private::Unknown;
use crate::vtable::vtable;

extern "C" fn query_chain(
    this: This<SwapChainHandle>,
    iid: In<Guid>,
    out: Out<*const c_void>,
) -> Hr {
    let extended = this.extended().unwrap_or(false);
    if extended && iid.get() == Some(IID_SWAP_CHAIN9EX) {
        return query_interface(this, In::from_slice(&[IID_SWAP_CHAIN9]), out);
    }
    query_interface(this, iid, out)
}

extern "C" fn present(
    this: This<SwapChainHandle>,
    source: In<Rect>,
    destination: In<Rect>,
    window: *mut c_void,
    _dirty: *const c_void,
    _flags: u32,
) -> Hr {
    call(|| {
        let unknowns = this.with(|s, chain| s.present(chain, (&source, &destination), window))?;
        unknowns.into_iter().for_each(Unknown::release);
        Ok(OK)
    })
}

impl State {
    /// Presents to `window`, the chain's own where that is null, writes the frame's picture where
    /// wanted, and tidies up. What it returns is to be released once the device is unlocked.
    pub(crate) fn present(
        &mut self,
        chain: SwapChainHandle,
        (source, destination): (&In<Rect>, &In<Rect>),
        window: *mut c_void,
    ) -> Result<Vec<Unknown>> {
        let window = if window.is_null() {
            self.misc.window(chain)
        } else {
            window
        };
        self.windows.prepare(&mut self.device, window)?;
        if chain == self.device.implicit_swap_chain() {
            self.device.present()?;
        } else {
            self.device.swap_chain_present(chain)?;
        }
        let rect = |rect: &In<Rect>| rect.get().map(Into::into);
        let (source, destination) = (rect(source), rect(destination));
        self.windows
            .show(&mut self.device, chain, window, source, destination)?;
        self.device.limit_latency(self.misc.latency)?;
        self.misc.presents = self.misc.presents.wrapping_add(1);
        if let Some(frames) = &mut self.frames
            && let Ok(picture) = self.device.swap_chain_front_buffer(chain)
        {
            frames.write(&picture);
        }
        let mut unknowns = Vec::new();
        self.objects.sweep(&self.device, &mut unknowns);
        Ok(unknowns)
    }
}

extern "C" fn get_front_buffer_data(
    this: This<SwapChainHandle>,
    destination: Arg<SurfaceHandle>,
) -> Hr {
    this.call_with_device(|device, s, chain| {
        let destination = destination.required(device)?;
        if chain == s.device.implicit_swap_chain() {
            return s.device.get_front_buffer_data(0, destination);
        }
        s.device
            .swap_chain_get_front_buffer_data(chain, destination)
    })
}

extern "C" fn get_back_buffer(
    this: This<SwapChainHandle>,
    index: u32,
    _kind: u32,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s, chain| {
        out.check()?;
        let surface = s.device.swap_chain_get_back_buffer(chain, index)?;
        out.set(s.hand_out(device, surface))
    })
}

extern "C" fn get_raster_status(this: This<SwapChainHandle>, out: Out<RasterStatus>) -> Hr {
    this.call(|s, _| out.set(s.misc.raster_status()))
}

extern "C" fn get_display_mode(this: This<SwapChainHandle>, out: Out<DisplayMode>) -> Hr {
    this.call(|s, _| out.set(s.display_mode()?.into()))
}

extern "C" fn get_present_parameters(
    this: This<SwapChainHandle>,
    out: Out<PresentParameters>,
) -> Hr {
    this.call(|s, chain| {
        out.check()?;
        let parameters = s.device.swap_chain_get_present_parameters(chain)?;
        let window = s.misc.window(chain);
        out.set(PresentParameters::new(&parameters, window))
    })
}

extern "C" fn get_last_present_count(this: This<SwapChainHandle>, out: Out<u32>) -> Hr {
    this.call(|s, _| out.set(s.misc.presents))
}

extern "C" fn get_present_stats(this: This<SwapChainHandle>, out: Out<PresentStats>) -> Hr {
    this.call(|s, _| {
        out.set(PresentStats {
            present_count: s.misc.presents,
            present_refresh_count: s.misc.presents,
            sync_refresh_count: s.misc.presents,
            sync_qpc_time: 0,
            sync_gpu_time: 0,
        })
    })
}

extern "C" fn get_display_mode_ex(
    this: This<SwapChainHandle>,
    mode: Out<DisplayModeEx>,
    rotation: Out<u32>,
) -> Hr {
    this.call(|s, _| {
        mode.set_sized(s.display_mode()?.into())?;
        if !rotation.is_null() {
            rotation.set(ROTATION_IDENTITY)?;
        }
        Ok(())
    })
}

impl This<SwapChainHandle> {
    fn extended(&self) -> Result<bool> {
        let mut extended = false;
        self.call_with_device(|device: &DeviceObject, _, _| {
            extended = device.extended;
            Ok(())
        });
        Ok(extended)
    }
}

vtable! {
    /// `IDirect3DSwapChain9ExVtbl`; `IDirect3DSwapChain9Vtbl` is its beginning.
    SWAP_CHAIN: SwapChainTable {
        QueryInterface: query_chain,
        AddRef: add_ref::<SwapChainHandle>,
        Release: release::<SwapChainHandle>,
        Present: present,
        GetFrontBufferData: get_front_buffer_data,
        GetBackBuffer: get_back_buffer,
        GetRasterStatus: get_raster_status,
        GetDisplayMode: get_display_mode,
        GetDevice: get_device::<SwapChainHandle>,
        GetPresentParameters: get_present_parameters,
        GetLastPresentCount: get_last_present_count,
        GetPresentStats: get_present_stats,
        GetDisplayModeEx: get_display_mode_ex,
    }
}
