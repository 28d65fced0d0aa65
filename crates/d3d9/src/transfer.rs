//! Copies between surfaces and textures.

use crate::device::Device;
use crate::handle::{BaseTexture, SurfaceHandle};
use crate::hresult::Result;
use crate::types::{Picture, Point, Rect};

impl Device {
    /// `UpdateSurface`: from system memory to a default-pool surface of the same format.
    pub fn update_surface(
        &mut self,
        source: SurfaceHandle,
        rect: Option<Rect>,
        destination: SurfaceHandle,
        point: Option<Point>,
    ) -> Result<()> {
        todo!()
    }

    /// `UpdateTexture`: the dirty parts of a system-memory texture to a default-pool one.
    pub fn update_texture(
        &mut self,
        source: impl Into<BaseTexture>,
        destination: impl Into<BaseTexture>,
    ) -> Result<()> {
        todo!()
    }

    /// `GetRenderTargetData` into a system-memory surface of the same size and format. Waits for the GPU.
    pub fn get_render_target_data(
        &mut self,
        source: SurfaceHandle,
        destination: SurfaceHandle,
    ) -> Result<()> {
        todo!()
    }

    /// `StretchRect`: `filter` is `D3DTEXF_NONE`, `D3DTEXF_POINT` or `D3DTEXF_LINEAR`.
    pub fn stretch_rect(
        &mut self,
        source: SurfaceHandle,
        source_rect: Option<Rect>,
        destination: SurfaceHandle,
        destination_rect: Option<Rect>,
        filter: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `ColorFill` with a `D3DCOLOR` (0xAARRGGBB).
    pub fn color_fill(
        &mut self,
        surface: SurfaceHandle,
        rect: Option<Rect>,
        color: u32,
    ) -> Result<()> {
        todo!()
    }

    /// The pixels of any colour surface, level 0 of a 2D texture say, converted to BGRA. Not part of D3D9.
    /// Waits for the GPU.
    pub fn read_surface(&mut self, surface: SurfaceHandle) -> Result<Picture> {
        todo!()
    }
}
