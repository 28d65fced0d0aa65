//! `IDirect3DVolume9`.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::VolumeHandle;

use crate::abi::*;
use crate::object::*;
use crate::pointer::*;
use crate::surface::{container_texture, lock_box};
use crate::vtable::vtable;

extern "C" fn get_container(
    this: This<VolumeHandle>,
    iid: In<Guid>,
    out: Out<*const c_void>,
) -> Hr {
    this.call(|s, volume| {
        out.set(ptr::null())?;
        match container_texture(s, volume, iid.required()?)? {
            Some(texture) => out.set(texture),
            None => Err(NO_INTERFACE),
        }
    })
}

extern "C" fn get_desc(this: This<VolumeHandle>, out: Out<VolumeDesc>) -> Hr {
    this.call(|s, volume| {
        out.check()?;
        out.set(s.device.get_volume_desc(volume)?.into())
    })
}

extern "C" fn lock(
    this: This<VolumeHandle>,
    out: Out<LockedBox>,
    region: In<Box3>,
    flags: u32,
) -> Hr {
    this.call(|s, volume| lock_box(s, volume.into(), &out, &region, flags))
}

extern "C" fn unlock(this: This<VolumeHandle>) -> Hr {
    this.call(|s, volume| s.device.unlock_box(volume))
}

vtable! {
    /// `IDirect3DVolume9Vtbl`.
    VOLUME: VolumeTable {
        QueryInterface: query_interface::<VolumeHandle>,
        AddRef: add_ref::<VolumeHandle>,
        Release: release::<VolumeHandle>,
        GetDevice: get_device::<VolumeHandle>,
        SetPrivateData: set_private_data::<VolumeHandle>,
        GetPrivateData: get_private_data::<VolumeHandle>,
        FreePrivateData: free_private_data::<VolumeHandle>,
        GetContainer: get_container,
        GetDesc: get_desc,
        LockBox: lock,
        UnlockBox: unlock,
    }
}
