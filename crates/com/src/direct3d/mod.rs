//! `IDirect3D9` and `IDirect3D9Ex`: the object, making devices, and the vtable.

mod adapter;
mod checks;

use core::ffi::c_void;
use core::ops::Deref;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use ninefold_d3d9::{Direct3D9, HResult, Result};

use crate::abi::*;
use crate::device::DeviceObject;
use crate::pointer::*;
use crate::settings;
use crate::vtable::vtable;
use crate::wsi;

/// An `IDirect3D9`, and `IDirect3D9Ex` where `Direct3DCreate9Ex` made it.
#[repr(C)]
pub(crate) struct Direct3DObject {
    vtable: *const Direct3DTable,
    references: AtomicU32,
    extended: bool,
    api: Direct3D9,
}

/// An `IDirect3D9` that somebody holds a reference to.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Direct3DPtr(*const Direct3DObject);

impl Deref for Direct3DPtr {
    type Target = Direct3DObject;

    fn deref(&self) -> &Direct3DObject {
        // SAFETY: made from a live object that a reference is held to.
        unsafe { &*self.0 }
    }
}

impl Direct3DPtr {
    pub(crate) fn address(self) -> *const c_void {
        self.0.cast()
    }

    pub(crate) fn release(self) -> u32 {
        let previous = self
            .references
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1));
        match previous {
            Ok(1) => {
                let object = ptr::with_exposed_provenance_mut(self.0.addr());
                // SAFETY: the address is of the box that `Direct3DObject::make` made and exposed,
                // and the last reference to it is gone.
                let object: Box<Direct3DObject> = unsafe { Box::from_raw(object) };
                drop(object);
                0
            }
            Ok(n) => n - 1,
            Err(_) => 0,
        }
    }
}

impl Direct3DObject {
    /// Opens the adapter; standard error says why it could not be.
    pub(crate) fn make(extended: bool) -> Result<*const Self> {
        let api = Direct3D9::new(settings::device_settings(extended)).map_err(|error| {
            eprintln!("ninefold: {error}");
            HResult::NOTAVAILABLE
        })?;
        let object = Box::into_raw(Box::new(Self {
            vtable: &DIRECT3D,
            references: AtomicU32::new(1),
            extended,
            api,
        }));
        object.expose_provenance();
        Ok(object)
    }

    pub(crate) fn add_ref(&self) -> u32 {
        self.references
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1)
    }
}

/// `this`.
#[repr(transparent)]
struct This(*const Direct3DObject);

impl This {
    fn get(&self) -> Result<&Direct3DObject> {
        if self.0.is_null() {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: not null, and C got here through the object's own vtable.
        Ok(unsafe { &*self.0 })
    }

    fn call(&self, f: impl FnOnce(&Direct3DObject) -> Result<()>) -> Hr {
        call(|| f(self.get()?).map(|()| OK))
    }
}

extern "C" fn query_interface(this: This, iid: In<Guid>, out: Out<*const c_void>) -> Hr {
    call(|| {
        out.set(ptr::null()).map_err(|_| POINTER)?;
        let object = this.get()?;
        match iid.get().ok_or(POINTER)? {
            IID_UNKNOWN | IID_DIRECT3D9 => {}
            IID_DIRECT3D9EX if object.extended => {}
            _ => return Err(NO_INTERFACE),
        }
        object.add_ref();
        out.set(this.0.cast())?;
        Ok(OK)
    })
}

extern "C" fn add_ref(this: This) -> u32 {
    guard(0, || this.get().map_or(0, Direct3DObject::add_ref))
}

extern "C" fn release(this: This) -> u32 {
    if this.0.is_null() {
        return 0;
    }
    guard(0, || Direct3DPtr(this.0).release())
}

/// A rasteriser of the program's is taken note of: there is another for `D3DDEVTYPE_SW`.
extern "C" fn register_software_device(_this: This, init: In<u8>) -> Hr {
    call(|| {
        init.required()?;
        Ok(OK)
    })
}

/// There is one adapter, number 0.
fn check_adapter(adapter: u32) -> Result<()> {
    match adapter {
        0 => Ok(()),
        _ => Err(HResult::INVALIDCALL),
    }
}

#[allow(clippy::too_many_arguments)]
extern "C" fn create_device(
    this: This,
    adapter: u32,
    kind: u32,
    focus_window: *mut c_void,
    behavior_flags: u32,
    parameters: Out<PresentParameters>,
    out: Out<*const DeviceObject>,
) -> Hr {
    this.call(|object| {
        out.check()?;
        let mut given = parameters.get()?;
        check_adapter(adapter)?;
        given.check(object.extended)?;
        let window = if given.device_window.is_null() {
            focus_window
        } else {
            given.device_window
        };
        wsi::fit(&mut given, window)?;
        if !given.mode_exists() {
            return Err(HResult::NOTAVAILABLE);
        }
        let device = object
            .api
            .create_device_with(&given.into(), behavior_flags)?;
        given = PresentParameters::new(device.present_parameters(), window);
        parameters.set(given)?;
        let creation = CreationParameters {
            adapter,
            device_type: kind,
            focus_window,
            behavior_flags,
        };
        let parent = Direct3DPtr(this.0);
        out.set(DeviceObject::make(
            device,
            parent,
            object.extended,
            creation,
            window,
        ))
    })
}

#[allow(clippy::too_many_arguments)]
extern "C" fn create_device_ex(
    this: This,
    adapter: u32,
    kind: u32,
    focus_window: *mut c_void,
    behavior_flags: u32,
    parameters: Out<PresentParameters>,
    mode: In<DisplayModeEx>,
    out: Out<*const DeviceObject>,
) -> Hr {
    let windowed = parameters.get().is_ok_and(|p| p.windowed != 0);
    // A device for the whole screen needs a mode; for a window one is not looked at.
    if parameters.is_null() || !windowed && mode.is_null() {
        return HResult::INVALIDCALL.0 as i32;
    }
    create_device(
        this,
        adapter,
        kind,
        focus_window,
        behavior_flags,
        parameters,
        out,
    )
}

vtable! {
    /// `IDirect3D9ExVtbl`; `IDirect3D9Vtbl` is its beginning.
    DIRECT3D: Direct3DTable {
        QueryInterface: query_interface,
        AddRef: add_ref,
        Release: release,
        RegisterSoftwareDevice: register_software_device,
        GetAdapterCount: adapter::get_adapter_count,
        GetAdapterIdentifier: adapter::get_adapter_identifier,
        GetAdapterModeCount: adapter::get_adapter_mode_count,
        EnumAdapterModes: adapter::enum_adapter_modes,
        GetAdapterDisplayMode: adapter::get_adapter_display_mode,
        CheckDeviceType: checks::check_device_type,
        CheckDeviceFormat: checks::check_device_format,
        CheckDeviceMultiSampleType: checks::check_device_multi_sample_type,
        CheckDepthStencilMatch: checks::check_depth_stencil_match,
        CheckDeviceFormatConversion: checks::check_device_format_conversion,
        GetDeviceCaps: checks::get_device_caps,
        GetAdapterMonitor: adapter::get_adapter_monitor,
        CreateDevice: create_device,
        GetAdapterModeCountEx: adapter::get_adapter_mode_count_ex,
        EnumAdapterModesEx: adapter::enum_adapter_modes_ex,
        GetAdapterDisplayModeEx: adapter::get_adapter_display_mode_ex,
        CreateDeviceEx: create_device_ex,
        GetAdapterLUID: adapter::get_adapter_luid,
    }
}
