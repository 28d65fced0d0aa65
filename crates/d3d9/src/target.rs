//! Render targets, depth surface, viewport and scissor.

use crate::device::Device;
use crate::handle::SurfaceHandle;
use crate::hresult::Result;
use crate::types::{Rect, Viewport};

impl Device {
    /// `SetRenderTarget`. Target 0 resets viewport and scissor to its whole size and cannot be `None`.
    pub fn set_render_target(&mut self, index: u32, surface: Option<SurfaceHandle>) -> Result<()> {
        todo!()
    }

    /// `GetRenderTarget`: adds a reference; `D3DERR_NOTFOUND` when none is bound.
    pub fn get_render_target(&mut self, index: u32) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `SetDepthStencilSurface`.
    pub fn set_depth_stencil_surface(&mut self, surface: Option<SurfaceHandle>) -> Result<()> {
        todo!()
    }

    /// `GetDepthStencilSurface`: adds a reference; `D3DERR_NOTFOUND` when none is bound.
    pub fn get_depth_stencil_surface(&mut self) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `SetViewport`: must lie inside render target 0.
    pub fn set_viewport(&mut self, viewport: &Viewport) -> Result<()> {
        todo!()
    }

    /// `GetViewport`.
    pub fn get_viewport(&self) -> Viewport {
        todo!()
    }

    /// `SetScissorRect`.
    pub fn set_scissor_rect(&mut self, rect: Rect) -> Result<()> {
        todo!()
    }

    /// `GetScissorRect`.
    pub fn get_scissor_rect(&self) -> Rect {
        todo!()
    }

    /// `BeginScene`: scenes do not nest.
    pub fn begin_scene(&mut self) -> Result<()> {
        todo!()
    }

    /// `EndScene`.
    pub fn end_scene(&mut self) -> Result<()> {
        todo!()
    }
}
