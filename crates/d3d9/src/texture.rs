//! Creating textures and walking their levels.

use crate::device::Device;
use crate::handle::{
    BaseTexture, CubeTextureHandle, SurfaceHandle, TextureHandle, VolumeHandle, VolumeTextureHandle,
};
use crate::hresult::Result;
use crate::types::{Box3, LevelTarget, Rect, SurfaceDesc, VolumeDesc};

impl Device {
    /// `CreateTexture`. `levels` 0 makes the whole chain.
    pub fn create_texture(
        &mut self,
        width: u32,
        height: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<TextureHandle> {
        todo!()
    }

    /// `CreateCubeTexture`.
    pub fn create_cube_texture(
        &mut self,
        edge: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<CubeTextureHandle> {
        todo!()
    }

    /// `CreateVolumeTexture`.
    pub fn create_volume_texture(
        &mut self,
        width: u32,
        height: u32,
        depth: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<VolumeTextureHandle> {
        todo!()
    }

    /// `GetSurfaceLevel`: adds a reference (to the texture, which the surface shares).
    pub fn get_surface_level(
        &mut self,
        texture: TextureHandle,
        level: u32,
    ) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `GetCubeMapSurface`: adds a reference. `face` is `D3DCUBEMAP_FACE_*`.
    pub fn get_cube_map_surface(
        &mut self,
        texture: CubeTextureHandle,
        face: u32,
        level: u32,
    ) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `GetVolumeLevel`: adds a reference.
    pub fn get_volume_level(
        &mut self,
        texture: VolumeTextureHandle,
        level: u32,
    ) -> Result<VolumeHandle> {
        todo!()
    }

    /// `GetLevelCount`: 1 for `D3DUSAGE_AUTOGENMIPMAP`.
    pub fn get_level_count(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        todo!()
    }

    /// `GetLevelDesc` or `IDirect3DSurface9::GetDesc`; 2D and cube levels and surfaces.
    pub fn get_surface_desc(&mut self, level: impl Into<LevelTarget>) -> Result<SurfaceDesc> {
        todo!()
    }

    /// `IDirect3DVolumeTexture9::GetLevelDesc` or `IDirect3DVolume9::GetDesc`.
    pub fn get_volume_desc(&mut self, level: impl Into<LevelTarget>) -> Result<VolumeDesc> {
        todo!()
    }

    /// `SetLOD` of a managed texture; returns the old value. Other pools ignore it and return 0.
    pub fn set_lod(&mut self, texture: impl Into<BaseTexture>, lod: u32) -> Result<u32> {
        todo!()
    }

    /// `GetLOD`.
    pub fn get_lod(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        todo!()
    }

    /// `SetAutoGenFilterType`.
    pub fn set_auto_gen_filter_type(
        &mut self,
        texture: impl Into<BaseTexture>,
        filter: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `GetAutoGenFilterType`.
    pub fn get_auto_gen_filter_type(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        todo!()
    }

    /// `GenerateMipSubLevels`.
    pub fn generate_mip_sub_levels(&mut self, texture: impl Into<BaseTexture>) -> Result<()> {
        todo!()
    }

    /// `AddDirtyRect` of a 2D texture; `None` is all of it.
    pub fn add_dirty_rect(&mut self, texture: TextureHandle, rect: Option<Rect>) -> Result<()> {
        todo!()
    }

    /// `AddDirtyRect` of a cube face.
    pub fn add_dirty_rect_cube(
        &mut self,
        texture: CubeTextureHandle,
        face: u32,
        rect: Option<Rect>,
    ) -> Result<()> {
        todo!()
    }

    /// `AddDirtyBox` of a volume texture.
    pub fn add_dirty_box(
        &mut self,
        texture: VolumeTextureHandle,
        region: Option<Box3>,
    ) -> Result<()> {
        todo!()
    }
}
