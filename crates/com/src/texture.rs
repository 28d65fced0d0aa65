//! `IDirect3DTexture9`, `IDirect3DCubeTexture9`, `IDirect3DVolumeTexture9` and the base they share.

use core::ffi::c_void;

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    BaseTexture, CubeTextureHandle, Device, HResult, LevelTarget, Result, SurfaceHandle,
    TextureHandle, VolumeHandle, VolumeTextureHandle,
};

use crate::abi::*;
use crate::device::{DeviceObject, State};
use crate::object::*;
use crate::pointer::*;
use crate::surface::{lock_box, lock_rect};
use crate::vtable::vtable;

/// A texture of any kind.
pub(crate) trait TextureKind: ResourceKind + Into<BaseTexture> {}

impl TextureKind for TextureHandle {}
impl TextureKind for CubeTextureHandle {}
impl TextureKind for VolumeTextureHandle {}

impl ResourceKind for TextureHandle {
    const TYPE: u32 = D3DRTYPE_TEXTURE;

    fn managed(self, device: &mut Device) -> Result<bool> {
        Ok(device.get_surface_desc((self, 0))?.pool == D3DPOOL_MANAGED)
    }
}

impl ResourceKind for CubeTextureHandle {
    const TYPE: u32 = D3DRTYPE_CUBETEXTURE;

    fn managed(self, device: &mut Device) -> Result<bool> {
        Ok(device.get_surface_desc((self, 0, 0))?.pool == D3DPOOL_MANAGED)
    }
}

impl ResourceKind for VolumeTextureHandle {
    const TYPE: u32 = D3DRTYPE_VOLUMETEXTURE;

    fn managed(self, device: &mut Device) -> Result<bool> {
        Ok(device.get_volume_desc((self, 0))?.pool == D3DPOOL_MANAGED)
    }
}

/// An argument `IDirect3DBaseTexture9 *`: the three kinds are told apart by their vtables.
#[repr(transparent)]
pub(crate) struct TextureArg(Arg<TextureHandle>);

impl TextureArg {
    pub(crate) fn handle(&self, device: &DeviceObject) -> Result<Option<BaseTexture>> {
        if let Ok(texture) = self.0.handle(device) {
            return Ok(texture.map(BaseTexture::Texture));
        }
        if let Ok(Some(cube)) = self.0.cast::<CubeTextureHandle>().handle(device) {
            return Ok(Some(BaseTexture::Cube(cube)));
        }
        let volume = self.0.cast::<VolumeTextureHandle>().required(device)?;
        Ok(Some(BaseTexture::Volume(volume)))
    }

    pub(crate) fn required(&self, device: &DeviceObject) -> Result<BaseTexture> {
        self.handle(device)?.ok_or(HResult::INVALIDCALL)
    }
}

impl State {
    /// As `hand_out`, for a texture of any kind.
    pub(crate) fn hand_out_texture(
        &mut self,
        device: &DeviceObject,
        texture: BaseTexture,
    ) -> *const c_void {
        match texture {
            BaseTexture::Texture(h) => self.hand_out(device, h).cast(),
            BaseTexture::Cube(h) => self.hand_out(device, h).cast(),
            BaseTexture::Volume(h) => self.hand_out(device, h).cast(),
        }
    }
}

extern "C" fn set_lod<H: TextureKind>(this: This<H>, lod: u32) -> u32 {
    this.value(0, |s, texture| s.device.set_lod(texture, lod))
}

extern "C" fn get_lod<H: TextureKind>(this: This<H>) -> u32 {
    this.value(0, |s, texture| s.device.get_lod(texture))
}

extern "C" fn get_level_count<H: TextureKind>(this: This<H>) -> u32 {
    this.value(0, |s, texture| s.device.get_level_count(texture))
}

extern "C" fn set_auto_gen_filter_type<H: TextureKind>(this: This<H>, filter: u32) -> Hr {
    this.call(|s, texture| s.device.set_auto_gen_filter_type(texture, filter))
}

extern "C" fn get_auto_gen_filter_type<H: TextureKind>(this: This<H>) -> u32 {
    this.value(D3DTEXF_NONE, |s, texture| {
        s.device.get_auto_gen_filter_type(texture)
    })
}

extern "C" fn generate_mip_sub_levels<H: TextureKind>(this: This<H>) {
    this.call(|s, texture| s.device.generate_mip_sub_levels(texture));
}

extern "C" fn get_level_desc(this: This<TextureHandle>, level: u32, out: Out<SurfaceDesc>) -> Hr {
    this.call(|s, texture| {
        out.check()?;
        out.set(s.device.get_surface_desc((texture, level))?.into())
    })
}

extern "C" fn get_surface_level(
    this: This<TextureHandle>,
    level: u32,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s, texture| {
        out.check()?;
        let surface = s.device.get_surface_level(texture, level)?;
        out.set(s.hand_out(device, surface))
    })
}

extern "C" fn lock_texture(
    this: This<TextureHandle>,
    level: u32,
    out: Out<LockedRect>,
    rect: In<Rect>,
    flags: u32,
) -> Hr {
    this.call(|s, texture| lock_rect(s, (texture, level).into(), &out, &rect, flags))
}

extern "C" fn unlock_texture(this: This<TextureHandle>, level: u32) -> Hr {
    this.call(|s, texture| s.device.unlock_rect((texture, level)))
}

extern "C" fn add_dirty_rect(this: This<TextureHandle>, rect: In<Rect>) -> Hr {
    this.call(|s, texture| s.device.add_dirty_rect(texture, rect.get().map(Into::into)))
}

extern "C" fn get_cube_level_desc(
    this: This<CubeTextureHandle>,
    level: u32,
    out: Out<SurfaceDesc>,
) -> Hr {
    this.call(|s, texture| {
        out.check()?;
        out.set(s.device.get_surface_desc((texture, 0, level))?.into())
    })
}

extern "C" fn get_cube_map_surface(
    this: This<CubeTextureHandle>,
    face: u32,
    level: u32,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s, texture| {
        out.check()?;
        let surface = s.device.get_cube_map_surface(texture, face, level)?;
        out.set(s.hand_out(device, surface))
    })
}

extern "C" fn lock_cube(
    this: This<CubeTextureHandle>,
    face: u32,
    level: u32,
    out: Out<LockedRect>,
    rect: In<Rect>,
    flags: u32,
) -> Hr {
    this.call(|s, texture| {
        lock_rect(
            s,
            LevelTarget::Cube(texture, face, level),
            &out,
            &rect,
            flags,
        )
    })
}

extern "C" fn unlock_cube(this: This<CubeTextureHandle>, face: u32, level: u32) -> Hr {
    this.call(|s, texture| s.device.unlock_rect((texture, face, level)))
}

extern "C" fn add_dirty_face(this: This<CubeTextureHandle>, face: u32, rect: In<Rect>) -> Hr {
    this.call(|s, texture| {
        s.device
            .add_dirty_rect_cube(texture, face, rect.get().map(Into::into))
    })
}

extern "C" fn get_volume_level_desc(
    this: This<VolumeTextureHandle>,
    level: u32,
    out: Out<VolumeDesc>,
) -> Hr {
    this.call(|s, texture| {
        out.check()?;
        out.set(s.device.get_volume_desc((texture, level))?.into())
    })
}

extern "C" fn get_volume_level(
    this: This<VolumeTextureHandle>,
    level: u32,
    out: Out<*const Object<VolumeHandle>>,
) -> Hr {
    this.call_with_device(|device, s, texture| {
        out.check()?;
        let volume = s.device.get_volume_level(texture, level)?;
        out.set(s.hand_out(device, volume))
    })
}

extern "C" fn lock_volume(
    this: This<VolumeTextureHandle>,
    level: u32,
    out: Out<LockedBox>,
    region: In<Box3>,
    flags: u32,
) -> Hr {
    this.call(|s, texture| lock_box(s, (texture, level).into(), &out, &region, flags))
}

extern "C" fn unlock_volume(this: This<VolumeTextureHandle>, level: u32) -> Hr {
    this.call(|s, texture| s.device.unlock_box((texture, level)))
}

extern "C" fn add_dirty_box(this: This<VolumeTextureHandle>, region: In<Box3>) -> Hr {
    this.call(|s, texture| {
        s.device
            .add_dirty_box(texture, region.get().map(Into::into))
    })
}

vtable! {
    /// `IDirect3DTexture9Vtbl`.
    TEXTURE: TextureTable {
        QueryInterface: query_interface::<TextureHandle>,
        AddRef: add_ref::<TextureHandle>,
        Release: release::<TextureHandle>,
        GetDevice: get_device::<TextureHandle>,
        SetPrivateData: set_private_data::<TextureHandle>,
        GetPrivateData: get_private_data::<TextureHandle>,
        FreePrivateData: free_private_data::<TextureHandle>,
        SetPriority: set_priority::<TextureHandle>,
        GetPriority: get_priority::<TextureHandle>,
        PreLoad: pre_load::<TextureHandle>,
        GetType: get_type::<TextureHandle>,
        SetLOD: set_lod::<TextureHandle>,
        GetLOD: get_lod::<TextureHandle>,
        GetLevelCount: get_level_count::<TextureHandle>,
        SetAutoGenFilterType: set_auto_gen_filter_type::<TextureHandle>,
        GetAutoGenFilterType: get_auto_gen_filter_type::<TextureHandle>,
        GenerateMipSubLevels: generate_mip_sub_levels::<TextureHandle>,
        GetLevelDesc: get_level_desc,
        GetSurfaceLevel: get_surface_level,
        LockRect: lock_texture,
        UnlockRect: unlock_texture,
        AddDirtyRect: add_dirty_rect,
    }
}

vtable! {
    /// `IDirect3DCubeTexture9Vtbl`.
    CUBE: CubeTable {
        QueryInterface: query_interface::<CubeTextureHandle>,
        AddRef: add_ref::<CubeTextureHandle>,
        Release: release::<CubeTextureHandle>,
        GetDevice: get_device::<CubeTextureHandle>,
        SetPrivateData: set_private_data::<CubeTextureHandle>,
        GetPrivateData: get_private_data::<CubeTextureHandle>,
        FreePrivateData: free_private_data::<CubeTextureHandle>,
        SetPriority: set_priority::<CubeTextureHandle>,
        GetPriority: get_priority::<CubeTextureHandle>,
        PreLoad: pre_load::<CubeTextureHandle>,
        GetType: get_type::<CubeTextureHandle>,
        SetLOD: set_lod::<CubeTextureHandle>,
        GetLOD: get_lod::<CubeTextureHandle>,
        GetLevelCount: get_level_count::<CubeTextureHandle>,
        SetAutoGenFilterType: set_auto_gen_filter_type::<CubeTextureHandle>,
        GetAutoGenFilterType: get_auto_gen_filter_type::<CubeTextureHandle>,
        GenerateMipSubLevels: generate_mip_sub_levels::<CubeTextureHandle>,
        GetLevelDesc: get_cube_level_desc,
        GetCubeMapSurface: get_cube_map_surface,
        LockRect: lock_cube,
        UnlockRect: unlock_cube,
        AddDirtyRect: add_dirty_face,
    }
}

vtable! {
    /// `IDirect3DVolumeTexture9Vtbl`.
    VOLUME: VolumeTextureTable {
        QueryInterface: query_interface::<VolumeTextureHandle>,
        AddRef: add_ref::<VolumeTextureHandle>,
        Release: release::<VolumeTextureHandle>,
        GetDevice: get_device::<VolumeTextureHandle>,
        SetPrivateData: set_private_data::<VolumeTextureHandle>,
        GetPrivateData: get_private_data::<VolumeTextureHandle>,
        FreePrivateData: free_private_data::<VolumeTextureHandle>,
        SetPriority: set_priority::<VolumeTextureHandle>,
        GetPriority: get_priority::<VolumeTextureHandle>,
        PreLoad: pre_load::<VolumeTextureHandle>,
        GetType: get_type::<VolumeTextureHandle>,
        SetLOD: set_lod::<VolumeTextureHandle>,
        GetLOD: get_lod::<VolumeTextureHandle>,
        GetLevelCount: get_level_count::<VolumeTextureHandle>,
        SetAutoGenFilterType: set_auto_gen_filter_type::<VolumeTextureHandle>,
        GetAutoGenFilterType: get_auto_gen_filter_type::<VolumeTextureHandle>,
        GenerateMipSubLevels: generate_mip_sub_levels::<VolumeTextureHandle>,
        GetLevelDesc: get_volume_level_desc,
        GetVolumeLevel: get_volume_level,
        LockBox: lock_volume,
        UnlockBox: unlock_volume,
        AddDirtyBox: add_dirty_box,
    }
}
