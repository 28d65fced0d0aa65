//! Copies between resources, and what becomes of mip levels.

use super::super::names;
use super::super::write::{Structure, Values};
use super::objects::Traced;
use super::{Recorder, THREAD, method, values};
use crate::handle::{BaseTexture, SurfaceHandle};
use crate::hresult::Result;
use crate::types::{Point, Rect};

impl Recorder {
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
