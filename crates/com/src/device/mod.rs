//! `IDirect3DDevice9` and `IDirect3DDevice9Ex`: the object, its life, and the vtable. The methods
//! are in the files beside, by what they are about.

mod create;
mod draw;
mod ex;
mod fixed;
mod misc;
mod shading;
mod state;
mod swap;
mod table;
mod transfer;

use core::ffi::c_void;
use core::ops::Deref;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use ninefold_d3d9::{Device, HResult, Result};
use parking_lot::Mutex;

use crate::abi::*;
use crate::direct3d::Direct3DPtr;
use crate::frames::Frames;
use crate::object::Objects;
use crate::pointer::*;
use crate::private::Unknown;
use crate::screen;
use crate::settings;
use crate::wsi::Windows;
use misc::Misc;
pub(crate) use table::DeviceTable;

/// An `IDirect3DDevice9`, and `IDirect3DDevice9Ex` where it came from `Direct3DCreate9Ex`.
#[repr(C)]
pub(crate) struct DeviceObject {
    vtable: *const DeviceTable,
    /// The program's references, and one for each child that has any.
    references: AtomicU32,
    /// One of its references is ours.
    parent: Direct3DPtr,
    pub(crate) extended: bool,
    pub(crate) creation: CreationParameters,
    pub(crate) state: Mutex<State>,
}

/// Everything of a device that changes, behind its lock.
pub(crate) struct State {
    pub(crate) windows: Windows,
    pub(crate) device: Device,
    pub(crate) objects: Objects,
    pub(crate) frames: Option<Frames>,
    pub(crate) misc: Misc,
}

// Programs call from several threads: raw pointers in `State` are values and owned boxes, and the
// rest must be fit to move between threads on its own.
const fn moves_between_threads<T: Send>() {}
const _: () = moves_between_threads::<Device>();
const _: () = moves_between_threads::<ninefold_d3d9::Direct3D9>();

/// A device that somebody holds a reference to, a child of it at least.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct DevicePtr(*const DeviceObject);

impl Deref for DevicePtr {
    type Target = DeviceObject;

    fn deref(&self) -> &DeviceObject {
        // SAFETY: made from a live device; objects with references keep it alive, and without one
        // a program may not call.
        unsafe { &*self.0 }
    }
}

impl DevicePtr {
    pub(crate) fn address(self) -> *const DeviceObject {
        self.0
    }

    /// Drops a reference; the last one destroys the device with everything it made.
    pub(crate) fn release(self) -> u32 {
        let previous = self
            .references
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1));
        match previous {
            Ok(1) => {
                let object = ptr::with_exposed_provenance_mut(self.0.addr());
                // SAFETY: the address is of the box that `DeviceObject::make` made and exposed, and
                // the last reference to it is gone.
                let object: Box<DeviceObject> = unsafe { Box::from_raw(object) };
                object.destroy();
                0
            }
            Ok(n) => n - 1,
            Err(_) => 0,
        }
    }
}

impl DeviceObject {
    /// Makes the COM object of a device with one reference.
    pub(crate) fn make(
        mut device: Device,
        parent: Direct3DPtr,
        extended: bool,
        creation: CreationParameters,
        window: *mut c_void,
    ) -> *const Self {
        settings::record(&mut device);
        settings::at_exit(end_captures);
        parent.add_ref();
        let state = State {
            windows: Windows::default(),
            device,
            objects: Objects::default(),
            frames: settings::frame_dir().and_then(Frames::new),
            misc: Misc::new(window),
        };
        let mode = state.own_mode();
        let object = Box::into_raw(Box::new(Self {
            vtable: ptr::from_ref(&table::DEVICE),
            references: AtomicU32::new(1),
            parent,
            extended,
            creation,
            state: Mutex::new(state),
        }));
        LIVE.lock().push(object.expose_provenance());
        screen::set(object.addr(), mode);
        object
    }

    pub(crate) fn pointer(&self) -> DevicePtr {
        DevicePtr(self)
    }

    pub(crate) fn add_ref(&self) -> u32 {
        self.references
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1)
    }

    fn destroy(self: Box<Self>) {
        let address = ptr::from_ref(&*self).addr();
        LIVE.lock().retain(|a| *a != address);
        screen::set(address, None);
        let mut state = self.state.into_inner();
        let mut unknowns = Vec::new();
        state.objects.clear(&mut unknowns);
        settings::stop_recording(&mut state.device);
        drop(state);
        unknowns.into_iter().for_each(Unknown::release);
        self.parent.release();
    }
}

/// Addresses of the devices there are.
static LIVE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Programs may end without a Release: their captures are ended here.
extern "C" fn end_captures() {
    guard((), || {
        for address in LIVE.lock().drain(..) {
            // SAFETY: only live devices are in the list, by the addresses that were exposed for it.
            let device = unsafe { &*ptr::with_exposed_provenance::<DeviceObject>(address) };
            // A thread that ended inside a call holds the lock for good.
            if let Some(mut state) = device.state.try_lock() {
                settings::stop_recording(&mut state.device);
            }
        }
    });
}

/// `this` of a device.
#[repr(transparent)]
pub(crate) struct This(*const DeviceObject);

impl This {
    fn get(&self) -> Result<&DeviceObject> {
        if self.0.is_null() {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: not null, and C got here through the device's own vtable.
        Ok(unsafe { &*self.0 })
    }

    /// A method that returns `HRESULT`, with the device locked.
    fn call(&self, f: impl FnOnce(&mut State) -> Result<()>) -> Hr {
        call(|| {
            let device = self.get()?;
            f(&mut device.state.lock())?;
            Ok(OK)
        })
    }

    /// As [`call`](Self::call), for methods that take or hand out objects.
    fn call_with_device(&self, f: impl FnOnce(&DeviceObject, &mut State) -> Result<()>) -> Hr {
        call(|| {
            let device = self.get()?;
            f(device, &mut device.state.lock())?;
            Ok(OK)
        })
    }

    /// A method that returns something else, `fallback` on failure.
    fn value<R: Copy>(&self, fallback: R, f: impl FnOnce(&mut State) -> Result<R>) -> R {
        guard(fallback, || {
            let device = self.get();
            device
                .and_then(|device| f(&mut device.state.lock()))
                .unwrap_or(fallback)
        })
    }
}

extern "C" fn query_interface(this: This, iid: In<Guid>, out: Out<*const c_void>) -> Hr {
    call(|| {
        out.set(ptr::null()).map_err(|_| POINTER)?;
        let device = this.get()?;
        match iid.get().ok_or(POINTER)? {
            IID_UNKNOWN | IID_DEVICE9 => {}
            IID_DEVICE9EX if device.extended => {}
            _ => return Err(NO_INTERFACE),
        }
        device.add_ref();
        out.set(this.0.cast())?;
        Ok(OK)
    })
}

extern "C" fn add_ref(this: This) -> u32 {
    guard(0, || this.get().map_or(0, DeviceObject::add_ref))
}

extern "C" fn release(this: This) -> u32 {
    if this.0.is_null() {
        return 0;
    }
    guard(0, || DevicePtr(this.0).release())
}

extern "C" fn get_direct3d(this: This, out: Out<*const c_void>) -> Hr {
    call(|| {
        let device = this.get()?;
        out.check()?;
        device.parent.add_ref();
        out.set(device.parent.address())?;
        Ok(OK)
    })
}

extern "C" fn get_creation_parameters(this: This, out: Out<CreationParameters>) -> Hr {
    call(|| {
        out.set(this.get()?.creation)?;
        Ok(OK)
    })
}
