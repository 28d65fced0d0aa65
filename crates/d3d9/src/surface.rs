//! Creating surfaces that belong to no texture.

use crate::device::Device;
use crate::handle::SurfaceHandle;
use crate::hresult::Result;

impl Device {
    /// `CreateRenderTarget`.
    pub fn create_render_target(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        lockable: bool,
    ) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `CreateDepthStencilSurface`.
    pub fn create_depth_stencil_surface(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        discard: bool,
    ) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `CreateOffscreenPlainSurface`.
    pub fn create_offscreen_plain_surface(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        pool: u32,
    ) -> Result<SurfaceHandle> {
        todo!()
    }
}
