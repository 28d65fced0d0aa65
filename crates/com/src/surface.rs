//! `IDirect3DSurface9`, and locking for everything with levels.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Device, HResult, LevelTarget, Result, SurfaceHandle};

use crate::abi::*;
use crate::device::State;
use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

impl ResourceKind for SurfaceHandle {
    const TYPE: u32 = D3DRTYPE_SURFACE;

    /// Levels have no priority of their own, and no other surface is managed.
    fn managed(self, _device: &mut Device) -> Result<bool> {
        Ok(false)
    }
}

/// Levels of 2D textures leave alone what the program gave when a lock fails, and so do levels that
/// are not there; all others write that there is nothing to write to.
pub(crate) fn lock_rect(
    s: &mut State,
    level: LevelTarget,
    out: &Out<LockedRect>,
    rect: &In<Rect>,
    flags: u32,
) -> Result<()> {
    out.check()?;
    s.device.get_surface_desc(level)?;
    let locked = s.device.lock_rect(level, rect.get().map(Into::into), flags);
    let keeps = match level {
        LevelTarget::Surface(surface) => s.device.is_texture_level(surface),
        LevelTarget::Texture(..) => true,
        _ => false,
    };
    if locked.is_err() && !keeps {
        out.set(LockedRect {
            pitch: 0,
            bits: ptr::null_mut(),
        })?;
    }
    let locked = locked?;
    out.set(LockedRect {
        pitch: locked.pitch,
        bits: bits(s.device.locked_level_mut(level)?, locked.offset),
    })
}

/// `pBits`: so many bytes after the first of a level, where a rectangle begins; it may be outside.
fn bits(level: &mut [u8], offset: i64) -> *mut u8 {
    level.as_mut_ptr().wrapping_offset(offset as isize)
}

/// A lock that fails leaves no pointer to write to; one of a level that is not there, what the
/// program gave.
pub(crate) fn lock_box(
    s: &mut State,
    level: LevelTarget,
    out: &Out<LockedBox>,
    region: &In<Box3>,
    flags: u32,
) -> Result<()> {
    out.check()?;
    s.device.get_volume_desc(level)?;
    out.set(LockedBox {
        row_pitch: 0,
        slice_pitch: 0,
        bits: ptr::null_mut(),
    })?;
    let locked = s
        .device
        .lock_box(level, region.get().map(Into::into), flags)?;
    out.set(LockedBox {
        row_pitch: locked.row_pitch,
        slice_pitch: locked.slice_pitch,
        bits: bits(s.device.locked_level_mut(level)?, locked.offset),
    })
}

/// Hands out a level's texture as `iid`, if it has one and that answers to it.
pub(crate) fn container_texture<H: Kind>(
    s: &mut State,
    handle: H,
    iid: Guid,
) -> Result<Option<*const c_void>> {
    let Some(texture) = s.objects.find(handle.into(), Part::Whole) else {
        return Ok(None);
    };
    if !(iid == IID_UNKNOWN || texture_answers(texture, iid)) {
        return Err(NO_INTERFACE);
    }
    // The texture's references are the level's own, and the level has at least the caller's.
    s.device.add_ref(handle)?;
    Ok(Some(texture))
}

fn texture_answers(texture: *const c_void, iid: Guid) -> bool {
    use ninefold_d3d9::{CubeTextureHandle, TextureHandle, VolumeTextureHandle};
    // SAFETY: the object is one of ours and alive: it begins with its vtable pointer.
    let vtable = unsafe { texture.cast::<*const c_void>().read() };
    let interfaces = if vtable == TextureHandle::vtable() {
        TextureHandle::INTERFACES
    } else if vtable == CubeTextureHandle::vtable() {
        CubeTextureHandle::INTERFACES
    } else {
        VolumeTextureHandle::INTERFACES
    };
    interfaces.contains(&iid)
}

/// A level's container is its texture, a back buffer's its swap chain, any other surface's the
/// device.
extern "C" fn get_container(
    this: This<SurfaceHandle>,
    iid: In<Guid>,
    out: Out<*const c_void>,
) -> Hr {
    this.call_with_device(|device, s, surface| {
        out.set(ptr::null())?;
        let iid = iid.required()?;
        if let Some(texture) = container_texture(s, surface, iid)? {
            return out.set(texture);
        }
        if let Some(chain) = s.device.swap_chain_of(surface) {
            match iid {
                IID_UNKNOWN | IID_SWAP_CHAIN9 => {}
                IID_SWAP_CHAIN9EX if device.extended => {}
                _ => return Err(NO_INTERFACE),
            }
            s.device.add_ref(chain)?;
            return out.set(s.hand_out(device, chain).cast());
        }
        match iid {
            IID_UNKNOWN | IID_DEVICE9 => {}
            IID_DEVICE9EX if device.extended => {}
            _ => return Err(NO_INTERFACE),
        }
        device.add_ref();
        out.set(device.pointer().address().cast())
    })
}

extern "C" fn get_desc(this: This<SurfaceHandle>, out: Out<SurfaceDesc>) -> Hr {
    this.call(|s, surface| {
        out.check()?;
        out.set(s.device.get_surface_desc(surface)?.into())
    })
}

extern "C" fn lock(
    this: This<SurfaceHandle>,
    out: Out<LockedRect>,
    rect: In<Rect>,
    flags: u32,
) -> Hr {
    this.call(|s, surface| lock_rect(s, surface.into(), &out, &rect, flags))
}

extern "C" fn unlock(this: This<SurfaceHandle>) -> Hr {
    this.call(|s, surface| s.device.unlock_rect(surface))
}

/// There is no GDI to draw with: the handle is the surface's own address, which keeps to the rules of
/// locks and takes part in nothing else.
extern "C" fn get_dc(this: This<SurfaceHandle>, out: Out<*const c_void>) -> Hr {
    this.call(|s, surface| {
        out.check()?;
        s.device.get_dc(surface)?;
        out.set(context_of(s, surface))
    })
}

extern "C" fn release_dc(this: This<SurfaceHandle>, dc: *const c_void) -> Hr {
    this.call(|s, surface| {
        if dc.is_null() || dc != context_of(s, surface) {
            return Err(HResult::INVALIDCALL);
        }
        s.device.release_dc(surface)
    })
}

fn context_of(s: &State, surface: SurfaceHandle) -> *const c_void {
    let object = s.objects.find(surface.into(), surface.part());
    object.unwrap_or(ptr::null())
}

vtable! {
    /// `IDirect3DSurface9Vtbl`.
    SURFACE: SurfaceTable {
        QueryInterface: query_interface::<SurfaceHandle>,
        AddRef: add_ref::<SurfaceHandle>,
        Release: release::<SurfaceHandle>,
        GetDevice: get_device::<SurfaceHandle>,
        SetPrivateData: set_private_data::<SurfaceHandle>,
        GetPrivateData: get_private_data::<SurfaceHandle>,
        FreePrivateData: free_private_data::<SurfaceHandle>,
        SetPriority: set_priority::<SurfaceHandle>,
        GetPriority: get_priority::<SurfaceHandle>,
        PreLoad: pre_load::<SurfaceHandle>,
        GetType: get_type::<SurfaceHandle>,
        GetContainer: get_container,
        GetDesc: get_desc,
        LockRect: lock,
        UnlockRect: unlock,
        GetDC: get_dc,
        ReleaseDC: release_dc,
    }
}
