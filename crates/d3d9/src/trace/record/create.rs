//! Creating resources and walking their levels.

use super::super::names;
use super::super::write::{Function, Values};
use super::objects::Traced;
use super::{Recorder, method, values};
use crate::handle::{
    CubeTextureHandle, IndexBufferHandle, SurfaceHandle, TextureHandle, VertexBufferHandle,
    VolumeHandle, VolumeTextureHandle,
};
use crate::hresult::Result;

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
}
