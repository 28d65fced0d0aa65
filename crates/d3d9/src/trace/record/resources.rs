//! Creating, locking and copying resources.

use super::super::names;
use super::super::write::{Function, Structure, Values};
use super::objects::Traced;
use super::{LockKey, Recorder, THREAD, code, method, values};
use crate::consts::D3DLOCK_READONLY;
use crate::handle::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, SurfaceHandle, TextureHandle,
    VertexBufferHandle, VolumeHandle, VolumeTextureHandle,
};
use crate::hresult::Result;
use crate::types::{Box3, LevelTarget, LockedBox, LockedBuffer, LockedRect, Point, Rect};

/// The arguments that all resources share, in D3D9's order.
fn kind(v: &mut Values<'_>, usage: u32, format: u32, pool: u32) {
    v.flags(&names::USAGE, usage.into());
    values::named(v, &names::FORMAT, format);
    values::named(v, &names::POOL, pool);
    v.skip();
    v.null();
}

impl Recorder {
    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn create_texture(
        &mut self,
        result: &Result<TextureHandle>,
        width: u32,
        height: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateTexture",
            "Width",
            "Height",
            "Levels",
            "Usage",
            "Format",
            "Pool",
            "ppTexture",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 7, |v| {
            [width, height, levels]
                .iter()
                .for_each(|n| v.uint((*n).into()));
            kind(v, usage, format, pool);
        });
    }

    pub(crate) fn create_cube_texture(
        &mut self,
        result: &Result<CubeTextureHandle>,
        edge: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateCubeTexture",
            "EdgeLength",
            "Levels",
            "Usage",
            "Format",
            "Pool",
            "ppCubeTexture",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 6, |v| {
            [edge, levels].iter().for_each(|n| v.uint((*n).into()));
            kind(v, usage, format, pool);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn create_volume_texture(
        &mut self,
        result: &Result<VolumeTextureHandle>,
        width: u32,
        height: u32,
        depth: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateVolumeTexture",
            "Width",
            "Height",
            "Depth",
            "Levels",
            "Usage",
            "Format",
            "Pool",
            "ppVolumeTexture",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 8, |v| {
            [width, height, depth, levels]
                .iter()
                .for_each(|n| v.uint((*n).into()));
            kind(v, usage, format, pool);
        });
    }

    pub(crate) fn create_vertex_buffer(
        &mut self,
        result: &Result<VertexBufferHandle>,
        length: u32,
        usage: u32,
        fvf: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateVertexBuffer",
            "Length",
            "Usage",
            "FVF",
            "Pool",
            "ppVertexBuffer",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 5, |v| {
            v.uint(length.into());
            v.flags(&names::USAGE, usage.into());
            v.flags(&names::FVF, fvf.into());
            values::named(v, &names::POOL, pool);
            v.skip();
            v.null();
        });
    }

    pub(crate) fn create_index_buffer(
        &mut self,
        result: &Result<IndexBufferHandle>,
        length: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateIndexBuffer",
            "Length",
            "Usage",
            "Format",
            "Pool",
            "ppIndexBuffer",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 5, |v| {
            v.uint(length.into());
            kind(v, usage, format, pool);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn create_render_target(
        &mut self,
        result: &Result<SurfaceHandle>,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        lockable: bool,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateRenderTarget",
            "Width",
            "Height",
            "Format",
            "MultiSample",
            "MultisampleQuality",
            "Lockable",
            "ppSurface",
            "pSharedHandle"
        );
        self.sampled(
            result,
            function,
            [width, height],
            format,
            multi_sample,
            quality,
            lockable,
        );
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn create_depth_stencil_surface(
        &mut self,
        result: &Result<SurfaceHandle>,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        discard: bool,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateDepthStencilSurface",
            "Width",
            "Height",
            "Format",
            "MultiSample",
            "MultisampleQuality",
            "Discard",
            "ppSurface",
            "pSharedHandle"
        );
        self.sampled(
            result,
            function,
            [width, height],
            format,
            multi_sample,
            quality,
            discard,
        );
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's methods")]
    fn sampled(
        &mut self,
        result: &Result<SurfaceHandle>,
        function: &'static Function,
        size: [u32; 2],
        format: u32,
        multi_sample: u32,
        quality: u32,
        flag: bool,
    ) {
        self.creation(result.map(Traced::address), function, 7, |v| {
            size.iter().for_each(|n| v.uint((*n).into()));
            values::named(v, &names::FORMAT, format);
            values::named(v, &names::MULTISAMPLE, multi_sample);
            v.uint(quality.into());
            values::boolean(v, flag);
            v.skip();
            v.null();
        });
    }

    pub(crate) fn create_offscreen_plain_surface(
        &mut self,
        result: &Result<SurfaceHandle>,
        width: u32,
        height: u32,
        format: u32,
        pool: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateOffscreenPlainSurface",
            "Width",
            "Height",
            "Format",
            "Pool",
            "ppSurface",
            "pSharedHandle"
        );
        self.creation(result.map(Traced::address), function, 5, |v| {
            [width, height].iter().for_each(|n| v.uint((*n).into()));
            values::named(v, &names::FORMAT, format);
            values::named(v, &names::POOL, pool);
            v.skip();
            v.null();
        });
    }

    pub(crate) fn get_surface_level(
        &mut self,
        result: &Result<SurfaceHandle>,
        texture: TextureHandle,
        level: u32,
    ) {
        let function = method!(
            "IDirect3DTexture9::GetSurfaceLevel",
            "Level",
            "ppSurfaceLevel"
        );
        let surface = result.map(Traced::address);
        self.creation_by(texture.address(), surface, function, 2, |v| {
            v.uint(level.into())
        });
    }

    pub(crate) fn get_cube_map_surface(
        &mut self,
        result: &Result<SurfaceHandle>,
        texture: CubeTextureHandle,
        face: u32,
        level: u32,
    ) {
        let function = method!(
            "IDirect3DCubeTexture9::GetCubeMapSurface",
            "FaceType",
            "Level",
            "ppCubeMapSurface"
        );
        self.creation_by(
            texture.address(),
            result.map(Traced::address),
            function,
            3,
            |v| {
                values::named(v, &names::CUBEMAP_FACES, face);
                v.uint(level.into());
            },
        );
    }

    pub(crate) fn get_volume_level(
        &mut self,
        result: &Result<VolumeHandle>,
        texture: VolumeTextureHandle,
        level: u32,
    ) {
        let function = method!(
            "IDirect3DVolumeTexture9::GetVolumeLevel",
            "Level",
            "ppVolumeLevel"
        );
        let volume = result.map(Traced::address);
        self.creation_by(texture.address(), volume, function, 2, |v| {
            v.uint(level.into())
        });
    }

    pub(crate) fn generate_mip_sub_levels(&mut self, texture: BaseTexture) {
        let function = match texture {
            BaseTexture::Texture(_) => method!("IDirect3DTexture9::GenerateMipSubLevels"),
            BaseTexture::Cube(_) => method!("IDirect3DCubeTexture9::GenerateMipSubLevels"),
            BaseTexture::Volume(_) => method!("IDirect3DVolumeTexture9::GenerateMipSubLevels"),
        };
        self.writer
            .call(THREAD, function, |v| v.pointer(texture.address()), |_| {});
    }

    pub(crate) fn set_lod(&mut self, result: &Result<u32>, texture: BaseTexture, lod: u32) {
        let function = match texture {
            BaseTexture::Texture(_) => method!("IDirect3DTexture9::SetLOD", "LODNew"),
            BaseTexture::Cube(_) => method!("IDirect3DCubeTexture9::SetLOD", "LODNew"),
            BaseTexture::Volume(_) => method!("IDirect3DVolumeTexture9::SetLOD", "LODNew"),
        };
        let old = u64::from(*result.as_ref().unwrap_or(&0));
        let enter = |v: &mut Values<'_>| {
            v.pointer(texture.address());
            v.uint(lod.into());
        };
        self.writer
            .call(THREAD, function, enter, |v| v.returned().uint(old));
    }

    pub(crate) fn set_auto_gen_filter_type(
        &mut self,
        result: &Result<()>,
        texture: BaseTexture,
        filter: u32,
    ) {
        let function = match texture {
            BaseTexture::Texture(_) => {
                method!("IDirect3DTexture9::SetAutoGenFilterType", "FilterType")
            }
            BaseTexture::Cube(_) => {
                method!("IDirect3DCubeTexture9::SetAutoGenFilterType", "FilterType")
            }
            BaseTexture::Volume(_) => {
                method!(
                    "IDirect3DVolumeTexture9::SetAutoGenFilterType",
                    "FilterType"
                )
            }
        };
        self.object(texture.address(), result, function, |v| {
            values::named(v, &names::FILTER, filter);
        });
    }

    pub(crate) fn lock_rect(
        &mut self,
        result: &Result<LockedRect>,
        level: LevelTarget,
        rect: Option<Rect>,
        flags: u32,
    ) {
        static D3DLOCKED_RECT: Structure = Structure {
            name: "D3DLOCKED_RECT",
            fields: &["Pitch", "pBits"],
        };
        let (function, out) = match level {
            LevelTarget::Cube(..) => {
                let function = method!(
                    "IDirect3DCubeTexture9::LockRect",
                    "FaceType",
                    "Level",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 3)
            }
            LevelTarget::Surface(_) => {
                let function = method!(
                    "IDirect3DSurface9::LockRect",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 1)
            }
            _ => {
                let function = method!(
                    "IDirect3DTexture9::LockRect",
                    "Level",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 2)
            }
        };
        let address = self.lock_address(LockKey::Level(level), result.map(|l| l.len), flags);
        let enter = |v: &mut Values<'_>| {
            level_arguments(v, level);
            v.skip();
            values::optional_rect(v, rect);
            v.flags(&names::LOCK, flags.into());
        };
        self.writer.call(THREAD, function, enter, |v| {
            if let Ok(locked) = result {
                v.argument(out).pointer_to(|v| {
                    v.structure(&D3DLOCKED_RECT, |v| {
                        v.int(locked.pitch.into());
                        v.pointer(address);
                    });
                });
            }
            values::hresult(v, code(result));
        });
    }

    pub(crate) fn unlock_rect(&mut self, result: &Result<()>, level: LevelTarget) {
        let function = match level {
            LevelTarget::Cube(..) => {
                method!("IDirect3DCubeTexture9::UnlockRect", "FaceType", "Level")
            }
            LevelTarget::Surface(_) => method!("IDirect3DSurface9::UnlockRect"),
            _ => method!("IDirect3DTexture9::UnlockRect", "Level"),
        };
        self.unlock_level(result, function, level);
    }

    pub(crate) fn lock_box(
        &mut self,
        result: &Result<LockedBox>,
        level: LevelTarget,
        region: Option<Box3>,
        flags: u32,
    ) {
        static D3DLOCKED_BOX: Structure = Structure {
            name: "D3DLOCKED_BOX",
            fields: &["RowPitch", "SlicePitch", "pBits"],
        };
        let (function, out) = match level {
            LevelTarget::Volume(_) => {
                let function = method!(
                    "IDirect3DVolume9::LockBox",
                    "pLockedVolume",
                    "pBox",
                    "Flags"
                );
                (function, 1)
            }
            _ => {
                let function = method!(
                    "IDirect3DVolumeTexture9::LockBox",
                    "Level",
                    "pLockedVolume",
                    "pBox",
                    "Flags"
                );
                (function, 2)
            }
        };
        let address = self.lock_address(LockKey::Level(level), result.map(|l| l.len), flags);
        let enter = |v: &mut Values<'_>| {
            level_arguments(v, level);
            v.skip();
            values::optional_box(v, region);
            v.flags(&names::LOCK, flags.into());
        };
        self.writer.call(THREAD, function, enter, |v| {
            if let Ok(locked) = result {
                v.argument(out).pointer_to(|v| {
                    v.structure(&D3DLOCKED_BOX, |v| {
                        v.int(locked.row_pitch.into());
                        v.int(locked.slice_pitch.into());
                        v.pointer(address);
                    });
                });
            }
            values::hresult(v, code(result));
        });
    }

    pub(crate) fn unlock_box(&mut self, result: &Result<()>, level: LevelTarget) {
        let function = match level {
            LevelTarget::Volume(_) => method!("IDirect3DVolume9::UnlockBox"),
            _ => method!("IDirect3DVolumeTexture9::UnlockBox", "Level"),
        };
        self.unlock_level(result, function, level);
    }

    fn unlock_level(
        &mut self,
        result: &Result<()>,
        function: &'static Function,
        level: LevelTarget,
    ) {
        let code = code(result);
        self.writer.call(
            THREAD,
            function,
            |v| level_arguments(v, level),
            |v| values::hresult(v, code),
        );
        self.unlocked(LockKey::Level(level));
    }

    pub(crate) fn vertex_buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        buffer: VertexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) {
        let function = method!(
            "IDirect3DVertexBuffer9::Lock",
            "OffsetToLock",
            "SizeToLock",
            "ppbData",
            "Flags"
        );
        let key = LockKey::VertexBuffer(buffer);
        self.buffer_lock(
            result,
            function,
            buffer.address(),
            key,
            [offset, size, flags],
        );
    }

    pub(crate) fn index_buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        buffer: IndexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) {
        let function = method!(
            "IDirect3DIndexBuffer9::Lock",
            "OffsetToLock",
            "SizeToLock",
            "ppbData",
            "Flags"
        );
        let key = LockKey::IndexBuffer(buffer);
        self.buffer_lock(
            result,
            function,
            buffer.address(),
            key,
            [offset, size, flags],
        );
    }

    fn buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        function: &'static Function,
        this: u64,
        key: LockKey,
        [offset, size, flags]: [u32; 3],
    ) {
        let address = self.lock_address(key, result.map(|l| l.len), flags);
        let result = result.map(|_| address);
        self.creation_by(this, result, function, 3, |v| {
            v.uint(offset.into());
            v.uint(size.into());
            v.skip();
            v.flags(&names::LOCK, flags.into());
        });
    }

    pub(crate) fn vertex_buffer_unlock(&mut self, result: &Result<()>, buffer: VertexBufferHandle) {
        let function = method!("IDirect3DVertexBuffer9::Unlock");
        self.object(buffer.address(), result, function, |_| {});
        self.unlocked(LockKey::VertexBuffer(buffer));
    }

    pub(crate) fn index_buffer_unlock(&mut self, result: &Result<()>, buffer: IndexBufferHandle) {
        let function = method!("IDirect3DIndexBuffer9::Unlock");
        self.object(buffer.address(), result, function, |_| {});
        self.unlocked(LockKey::IndexBuffer(buffer));
    }

    /// Addresses for a lock that succeeded; 0 for one that did not.
    fn lock_address(&mut self, key: LockKey, len: Result<usize>, flags: u32) -> u64 {
        match len {
            Ok(len) => self.memory(key, len, flags & D3DLOCK_READONLY != 0),
            Err(_) => 0,
        }
    }

    pub(crate) fn update_surface(
        &mut self,
        result: &Result<()>,
        source: SurfaceHandle,
        rect: Option<Rect>,
        destination: SurfaceHandle,
        point: Option<Point>,
    ) {
        static POINT: Structure = Structure {
            name: "POINT",
            fields: &["x", "y"],
        };
        let function = method!(
            "IDirect3DDevice9::UpdateSurface",
            "pSourceSurface",
            "pSourceRect",
            "pDestinationSurface",
            "pDestPoint"
        );
        self.device(result, function, |v| {
            v.pointer(source.address());
            values::optional_rect(v, rect);
            v.pointer(destination.address());
            match point {
                Some(point) => v.pointer_to(|v| {
                    v.structure(&POINT, |v| {
                        v.int(point.x.into());
                        v.int(point.y.into());
                    });
                }),
                None => v.null(),
            }
        });
    }

    pub(crate) fn update_texture(
        &mut self,
        result: &Result<()>,
        source: BaseTexture,
        destination: BaseTexture,
    ) {
        let function = method!(
            "IDirect3DDevice9::UpdateTexture",
            "pSourceTexture",
            "pDestinationTexture"
        );
        self.device(result, function, |v| {
            v.pointer(source.address());
            v.pointer(destination.address());
        });
    }

    pub(crate) fn get_render_target_data(
        &mut self,
        result: &Result<()>,
        source: SurfaceHandle,
        destination: SurfaceHandle,
    ) {
        let function = method!(
            "IDirect3DDevice9::GetRenderTargetData",
            "pRenderTarget",
            "pDestSurface"
        );
        self.device(result, function, |v| {
            v.pointer(source.address());
            v.pointer(destination.address());
        });
    }

    pub(crate) fn get_front_buffer_data(
        &mut self,
        result: &Result<()>,
        chain: u32,
        destination: SurfaceHandle,
    ) {
        let function = method!(
            "IDirect3DDevice9::GetFrontBufferData",
            "iSwapChain",
            "pDestSurface"
        );
        self.device(result, function, |v| {
            v.uint(chain.into());
            v.pointer(destination.address());
        });
    }

    pub(crate) fn stretch_rect(
        &mut self,
        result: &Result<()>,
        source: SurfaceHandle,
        source_rect: Option<Rect>,
        destination: SurfaceHandle,
        destination_rect: Option<Rect>,
        filter: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::StretchRect",
            "pSourceSurface",
            "pSourceRect",
            "pDestSurface",
            "pDestRect",
            "Filter"
        );
        self.device(result, function, |v| {
            v.pointer(source.address());
            values::optional_rect(v, source_rect);
            v.pointer(destination.address());
            values::optional_rect(v, destination_rect);
            values::named(v, &names::FILTER, filter);
        });
    }

    pub(crate) fn color_fill(
        &mut self,
        result: &Result<()>,
        surface: SurfaceHandle,
        rect: Option<Rect>,
        color: u32,
    ) {
        let function = method!("IDirect3DDevice9::ColorFill", "pSurface", "pRect", "color");
        self.device(result, function, |v| {
            v.pointer(surface.address());
            values::optional_rect(v, rect);
            v.uint(color.into());
        });
    }
}

/// The object and the arguments that name one of its levels.
fn level_arguments(v: &mut Values<'_>, level: LevelTarget) {
    match level {
        LevelTarget::Surface(surface) => v.pointer(surface.address()),
        LevelTarget::Volume(volume) => v.pointer(volume.address()),
        LevelTarget::Texture(texture, level) => {
            v.pointer(texture.address());
            v.uint(level.into());
        }
        LevelTarget::VolumeTexture(texture, level) => {
            v.pointer(texture.address());
            v.uint(level.into());
        }
        LevelTarget::Cube(texture, face, level) => {
            v.pointer(texture.address());
            values::named(v, &names::CUBEMAP_FACES, face);
            v.uint(level.into());
        }
    }
}
