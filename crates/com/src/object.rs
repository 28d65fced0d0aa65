//! The device's children: what a COM object is made of, how it is found again from its handle,
//! and `IUnknown`, private data and priorities, which all of them share.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::{
    CubeTextureHandle, Device, HResult, IndexBufferHandle, ObjectHandle, PixelShaderHandle,
    QueryHandle, Result, StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexShaderHandle, VolumeHandle,
    VolumeTextureHandle,
};
use rustc_hash::FxHashMap;

use crate::abi::*;
use crate::device::{DeviceObject, DevicePtr, State};
use crate::pointer::*;
use crate::private::{Extra, Incoming, Unknown};

/// A child of a device. Nothing here changes while it lives.
#[repr(C)]
pub(crate) struct Object<H> {
    vtable: *const c_void,
    pub(crate) device: DevicePtr,
    pub(crate) handle: H,
}

/// A kind of child: its vtable and what `QueryInterface` knows it as.
pub(crate) trait Kind: Copy + Eq + Into<ObjectHandle> + 'static {
    /// The interfaces besides `IUnknown` that it answers to.
    const INTERFACES: &'static [Guid];

    fn vtable() -> *const c_void;

    /// Which of the objects that share `Into<ObjectHandle>`: a level of a texture is not the texture.
    fn part(self) -> Part {
        Part::Whole
    }
}

/// One of the COM objects of a resource: they share its references.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Surface(SurfaceHandle),
    Volume(VolumeHandle),
}

macro_rules! kinds {
    ($($handle:ident: $table:path, [$($iid:ident),*] $(, $part:expr)?;)*) => {$(
        impl Kind for $handle {
            const INTERFACES: &'static [Guid] = &[$($iid),*];

            fn vtable() -> *const c_void {
                ptr::from_ref(&$table).cast()
            }

            $(fn part(self) -> Part {
                $part(self)
            })?
        }
    )*};
}

kinds! {
    TextureHandle: crate::texture::TEXTURE, [IID_TEXTURE9, IID_BASE_TEXTURE9, IID_RESOURCE9];
    CubeTextureHandle: crate::texture::CUBE, [IID_CUBE_TEXTURE9, IID_BASE_TEXTURE9, IID_RESOURCE9];
    VolumeTextureHandle: crate::texture::VOLUME, [IID_VOLUME_TEXTURE9, IID_BASE_TEXTURE9, IID_RESOURCE9];
    SurfaceHandle: crate::surface::SURFACE, [IID_SURFACE9, IID_RESOURCE9], Part::Surface;
    VolumeHandle: crate::volume::VOLUME, [IID_VOLUME9], Part::Volume;
    VertexBufferHandle: crate::buffer::VERTEX_BUFFER, [IID_VERTEX_BUFFER9, IID_RESOURCE9];
    IndexBufferHandle: crate::buffer::INDEX_BUFFER, [IID_INDEX_BUFFER9, IID_RESOURCE9];
    VertexDeclarationHandle: crate::declaration::DECLARATION, [IID_VERTEX_DECLARATION9];
    VertexShaderHandle: crate::shader::VERTEX_SHADER, [IID_VERTEX_SHADER9];
    PixelShaderHandle: crate::shader::PIXEL_SHADER, [IID_PIXEL_SHADER9];
    QueryHandle: crate::query::QUERY, [IID_QUERY9];
    StateBlockHandle: crate::state_block::STATE_BLOCK, [IID_STATE_BLOCK9];
    SwapChainHandle: crate::swap_chain::SWAP_CHAIN, [IID_SWAP_CHAIN9];
}

struct Entry {
    part: Part,
    pointer: *mut c_void,
    free: unsafe fn(*mut c_void),
}

/// # Safety
/// `pointer` came from `Box::into_raw` of an `Object<H>`, and nobody uses it any more.
unsafe fn free<H>(pointer: *mut c_void) {
    // SAFETY: the caller promises it.
    drop(unsafe { Box::from_raw(pointer.cast::<Object<H>>()) });
}

/// The COM objects that exist, and what changes about them.
#[derive(Default)]
pub(crate) struct Objects {
    live: FxHashMap<ObjectHandle, Vec<Entry>>,
    /// By object: private data belongs to one, even where references are shared.
    extras: FxHashMap<usize, Extra>,
    /// Objects without references that the device still uses. They die without a call that says so.
    resting: Vec<ObjectHandle>,
    /// `resting` is looked through when it is as long as this.
    sweep_at: usize,
}

impl Objects {
    pub(crate) fn find(&self, key: ObjectHandle, part: Part) -> Option<*const c_void> {
        let entries = self.live.get(&key)?;
        let entry = entries.iter().find(|e| e.part == part)?;
        Some(entry.pointer.cast_const())
    }

    fn find_or_make<H: Kind>(&mut self, device: DevicePtr, handle: H) -> *const Object<H> {
        let (key, part) = (handle.into(), handle.part());
        if let Some(pointer) = self.find(key, part) {
            return pointer.cast();
        }
        let object = Object {
            vtable: H::vtable(),
            device,
            handle,
        };
        let pointer = Box::into_raw(Box::new(object));
        self.live.entry(key).or_default().push(Entry {
            part,
            pointer: pointer.cast(),
            free: free::<H>,
        });
        pointer.cast_const()
    }

    pub(crate) fn extra(&mut self, object: *const c_void) -> &mut Extra {
        self.extras.entry(object as usize).or_default()
    }

    /// The last reference went: the objects go too, now or when the device lets go of them.
    fn rest(&mut self, key: ObjectHandle, device: &Device, unknowns: &mut Vec<Unknown>) {
        if !device.is_alive(key) {
            self.forget(key, unknowns);
        } else if !self.resting.contains(&key) {
            self.resting.push(key);
            if self.resting.len() > self.sweep_at {
                self.sweep(device, unknowns);
            }
        }
    }

    /// Frees what the device let go of.
    pub(crate) fn sweep(&mut self, device: &Device, unknowns: &mut Vec<Unknown>) {
        let mut resting = core::mem::take(&mut self.resting);
        resting.retain(|key| {
            if !device.is_alive(*key) {
                self.forget(*key, unknowns);
                return false;
            }
            device.public_references(*key) == 0
        });
        self.resting = resting;
        self.sweep_at = 2 * self.resting.len() + 64;
    }

    /// Frees the objects of a handle that is gone.
    fn forget(&mut self, key: ObjectHandle, unknowns: &mut Vec<Unknown>) {
        for entry in self.live.remove(&key).into_iter().flatten() {
            self.release(&entry, unknowns);
        }
    }

    fn release(&mut self, entry: &Entry, unknowns: &mut Vec<Unknown>) {
        if let Some(extra) = self.extras.remove(&(entry.pointer as usize)) {
            unknowns.extend(extra.into_unknowns());
        }
        // SAFETY: the pointer is of the box that `find_or_make` made together with this `free`; the
        // entry is out of the map, and without references no program may use the object.
        unsafe { (entry.free)(entry.pointer) };
    }

    /// Frees everything, when the device goes.
    pub(crate) fn clear(&mut self, unknowns: &mut Vec<Unknown>) {
        for entry in core::mem::take(&mut self.live).into_values().flatten() {
            self.release(&entry, unknowns);
        }
    }
}

impl State {
    /// The COM object of a handle that just got a reference, made if there is none yet. A first
    /// reference is one more on the device.
    pub(crate) fn hand_out<H: Kind>(
        &mut self,
        device: &DeviceObject,
        handle: H,
    ) -> *const Object<H> {
        if self.device.public_references(handle) == 1 {
            device.add_ref();
        }
        self.objects.find_or_make(device.pointer(), handle)
    }

    /// As [`hand_out`](Self::hand_out), for what may be nothing.
    pub(crate) fn hand_out_some<H: Kind>(
        &mut self,
        device: &DeviceObject,
        handle: Option<H>,
    ) -> *const Object<H> {
        handle.map_or(ptr::null(), |handle| self.hand_out(device, handle))
    }
}

/// An interface pointer in an argument. Null and objects of ours are told apart from strangers.
#[repr(transparent)]
pub(crate) struct Arg<H>(*const Object<H>);

impl<H: Kind> Arg<H> {
    /// The handle, `None` for null. `D3DERR_INVALIDCALL` for what is not such an object of `device`.
    pub(crate) fn handle(&self, device: &DeviceObject) -> Result<Option<H>> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: not null, so the caller promises a COM object: it begins with a vtable pointer.
        let vtable = unsafe { self.0.cast::<*const c_void>().read() };
        if vtable != H::vtable() {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: the vtable says that it is an object of ours and of this kind.
        let object = unsafe { &*self.0 };
        if object.device != device.pointer() {
            return Err(HResult::INVALIDCALL);
        }
        Ok(Some(object.handle))
    }

    /// The handle; null is `D3DERR_INVALIDCALL`.
    pub(crate) fn required(&self, device: &DeviceObject) -> Result<H> {
        self.handle(device)?.ok_or(HResult::INVALIDCALL)
    }

    /// The same pointer as one of a more derived interface.
    pub(crate) fn cast<U>(&self) -> Arg<U> {
        Arg(self.0.cast())
    }
}

/// `this`.
#[repr(transparent)]
pub(crate) struct This<H>(*const Object<H>);

impl<H: Kind> This<H> {
    /// The device and the handle, copied out: `Release` frees the object.
    fn parts(&self) -> Result<(DevicePtr, H)> {
        if self.0.is_null() {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: not null, and C got here through the object's own vtable.
        let object = unsafe { &*self.0 };
        Ok((object.device, object.handle))
    }

    /// Runs `f` with the device locked.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut State, H) -> Result<R>) -> Result<R> {
        let (device, handle) = self.parts()?;
        f(&mut device.state.lock(), handle)
    }

    /// A method that returns `HRESULT`.
    pub(crate) fn call(&self, f: impl FnOnce(&mut State, H) -> Result<()>) -> Hr {
        call(|| self.with(f).map(|()| OK))
    }

    /// As [`call`](Self::call), for methods that hand out objects.
    pub(crate) fn call_with_device(
        &self,
        f: impl FnOnce(&DeviceObject, &mut State, H) -> Result<()>,
    ) -> Hr {
        call(|| {
            let (device, handle) = self.parts()?;
            f(&device, &mut device.state.lock(), handle)?;
            Ok(OK)
        })
    }

    /// A method that returns something else, `fallback` on failure.
    pub(crate) fn value<R: Copy>(
        &self,
        fallback: R,
        f: impl FnOnce(&mut State, H) -> Result<R>,
    ) -> R {
        guard(fallback, || self.with(f).unwrap_or(fallback))
    }

    pub(crate) fn address(&self) -> *const c_void {
        self.0.cast()
    }
}

pub(crate) extern "C" fn query_interface<H: Kind>(
    this: This<H>,
    iid: In<Guid>,
    out: Out<*const c_void>,
) -> Hr {
    call(|| {
        out.set(ptr::null()).map_err(|_| POINTER)?;
        let iid = iid.get().ok_or(POINTER)?;
        if iid != IID_UNKNOWN && !H::INTERFACES.contains(&iid) {
            return Err(NO_INTERFACE);
        }
        add_child(this.parts()?)?;
        out.set(this.address())?;
        Ok(OK)
    })
}

/// A reference more; the first one is one more on the device.
fn add_child<H: Kind>((device, handle): (DevicePtr, H)) -> Result<u32> {
    let count = device.state.lock().device.add_ref(handle)?;
    if count == 1 {
        device.add_ref();
    }
    Ok(count)
}

pub(crate) extern "C" fn add_ref<H: Kind>(this: This<H>) -> u32 {
    guard(0, || this.parts().and_then(add_child).unwrap_or(0))
}

pub(crate) extern "C" fn release<H: Kind>(this: This<H>) -> u32 {
    guard(0, || {
        let Ok((device, handle)) = this.parts() else {
            return 0;
        };
        release_child(device, handle.into())
    })
}

/// A reference less; the last one is one less on the device.
pub(crate) fn release_child(device: DevicePtr, key: ObjectHandle) -> u32 {
    let mut unknowns = Vec::new();
    let count = {
        let mut state = device.state.lock();
        let State {
            device, objects, ..
        } = &mut *state;
        // Without a reference there is none to give back: a back buffer released too often.
        let Ok(count) = device.release(key) else {
            return 0;
        };
        if count == 0 {
            objects.rest(key, device, &mut unknowns);
        }
        count
    };
    unknowns.into_iter().for_each(Unknown::release);
    if count == 0 {
        device.release();
    }
    count
}

pub(crate) extern "C" fn get_device<H: Kind>(this: This<H>, out: Out<*const DeviceObject>) -> Hr {
    call(|| {
        let (device, _) = this.parts()?;
        out.check()?;
        device.add_ref();
        out.set(device.address())?;
        Ok(OK)
    })
}

pub(crate) extern "C" fn set_private_data<H: Kind>(
    this: This<H>,
    id: In<Guid>,
    data: In<u8>,
    size: u32,
    flags: u32,
) -> Hr {
    call(|| {
        let incoming = Incoming::read(&id, &data, size, flags)?;
        let old = this.with(|s, _| Ok(s.objects.extra(this.address()).set(incoming)))?;
        old.into_iter().for_each(Unknown::release);
        Ok(OK)
    })
}

pub(crate) extern "C" fn get_private_data<H: Kind>(
    this: This<H>,
    id: In<Guid>,
    data: Out<u8>,
    size: Out<u32>,
) -> Hr {
    call(|| {
        let id = id.required()?;
        let held = this.with(|s, _| s.objects.extra(this.address()).get(&id, &data, &size))?;
        held.into_iter().for_each(Unknown::add_ref);
        Ok(OK)
    })
}

pub(crate) extern "C" fn free_private_data<H: Kind>(this: This<H>, id: In<Guid>) -> Hr {
    call(|| {
        let id = id.required()?;
        let old = this.with(|s, _| s.objects.extra(this.address()).take(&id))?;
        old.into_iter().for_each(Unknown::release);
        Ok(OK)
    })
}

/// A resource: what `GetType` says, and whether it is in the managed pool.
pub(crate) trait ResourceKind: Kind {
    const TYPE: u32;

    /// Priorities are of managed resources.
    fn managed(self, device: &mut Device) -> Result<bool>;
}

pub(crate) extern "C" fn set_priority<H: ResourceKind>(this: This<H>, priority: u32) -> u32 {
    this.value(0, |s, handle| {
        if !handle.managed(&mut s.device)? {
            return Ok(0);
        }
        let extra = s.objects.extra(this.address());
        Ok(core::mem::replace(&mut extra.priority, priority))
    })
}

pub(crate) extern "C" fn get_priority<H: ResourceKind>(this: This<H>) -> u32 {
    this.value(0, |s, _| Ok(s.objects.extra(this.address()).priority))
}

/// Managed resources go to the GPU when they are drawn with: there is nothing to hurry.
pub(crate) extern "C" fn pre_load<H: ResourceKind>(_this: This<H>) {}

pub(crate) extern "C" fn get_type<H: ResourceKind>(_this: This<H>) -> u32 {
    H::TYPE
}
