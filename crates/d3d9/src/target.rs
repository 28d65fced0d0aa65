//! Render targets, depth surface, viewport and scissor.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::handle::{RawHandle, SurfaceHandle};
use crate::hresult::{HResult, Result};
use crate::resolve::group;
use crate::types::{LevelTarget, Rect, Viewport};

/// A sub-resource that the device draws into; it holds an internal reference.
pub(crate) type Bound = (RawHandle, u32);

/// What is drawn into. Not part of state blocks.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    pub(crate) colors: [Option<Bound>; 4],
    pub(crate) depth: Option<Bound>,
}

impl Device {
    /// `SetRenderTarget`. Target 0 resets viewport and scissor to its whole size and cannot be
    /// `None`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for an index past 3, a surface that is not a render target, and `None`
    /// for target 0.
    pub fn set_render_target(&mut self, index: u32, surface: Option<SurfaceHandle>) -> Result<()> {
        self.recorded(
            |r, x| r.set_render_target(x, index, surface),
            |d| {
                if index >= d.caps.num_simultaneous_rts {
                    invalid!(
                        "index: {index}, must be below {}",
                        d.caps.num_simultaneous_rts
                    );
                }
                let bound = match surface {
                    None if index == 0 => invalid!("surface: target 0 cannot be empty"),
                    None => None,
                    Some(surface) => {
                        let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
                        let resource = d.resource(handle, "surface")?;
                        if !resource.is_target() || resource.is_depth() {
                            invalid!("surface: not made as a render target");
                        }
                        Some((handle, sub))
                    }
                };
                d.bind_color(index as usize, bound);
                if let (0, Some((handle, sub))) = (index, bound) {
                    let level = &d.resource(handle, "surface")?.subs[sub as usize];
                    let (width, height) = (level.width, level.height);
                    d.whole_viewport(width, height);
                }
                Ok(())
            },
        )
    }

    pub(crate) fn bind_color(&mut self, index: usize, bound: Option<Bound>) {
        if self.bindings.colors[index] == bound {
            return;
        }
        if let Some((handle, _)) = bound {
            self.resources.hold(handle);
        }
        if let Some((old, _)) = core::mem::replace(&mut self.bindings.colors[index], bound) {
            self.resources.unhold(old);
        }
        self.resolved.touch(group::TARGETS);
    }

    pub(crate) fn bind_depth(&mut self, bound: Option<Bound>) {
        if self.bindings.depth == bound {
            return;
        }
        if let Some((handle, _)) = bound {
            self.resources.hold(handle);
        }
        if let Some((old, _)) = core::mem::replace(&mut self.bindings.depth, bound) {
            self.resources.unhold(old);
        }
        self.resolved.touch(group::TARGETS | group::DEPTH);
    }

    pub(crate) fn whole_viewport(&mut self, width: u32, height: u32) {
        self.state.viewport = Viewport {
            x: 0,
            y: 0,
            width,
            height,
            min_z: 0.0,
            max_z: 1.0,
        };
        self.state.scissor = Rect::new(0, 0, width as i32, height as i32);
        self.resolved.touch(group::VERTEX_EXTRAS | group::POINTS);
    }

    /// `GetRenderTarget`: adds a reference; `D3DERR_NOTFOUND` when none is bound.
    pub fn get_render_target(&mut self, index: u32) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.get_render_target(x, index),
            |d| match d.bindings.colors.get(index as usize) {
                Some(bound) => d.hand_out(*bound),
                None => invalid!("index: {index}, must be below 4"),
            },
        )
    }

    fn hand_out(&mut self, bound: Option<Bound>) -> Outcome<SurfaceHandle> {
        let Some((resource, sub)) = bound else {
            return Err(Fault::new(HResult::NOTFOUND, "no surface is bound"));
        };
        self.add_resource_ref(resource)
            .ok_or_else(|| stale("surface"))?;
        Ok(SurfaceHandle { resource, sub })
    }

    /// `SetDepthStencilSurface`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a surface that is not a depth-stencil surface.
    pub fn set_depth_stencil_surface(&mut self, surface: Option<SurfaceHandle>) -> Result<()> {
        self.recorded(
            |r, x| r.set_depth_stencil_surface(x, surface),
            |d| {
                let bound = match surface {
                    None => None,
                    Some(surface) => {
                        let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
                        if !d.resource(handle, "surface")?.is_depth_target() {
                            invalid!("surface: not a depth-stencil surface");
                        }
                        Some((handle, sub))
                    }
                };
                d.bind_depth(bound);
                Ok(())
            },
        )
    }

    /// `GetDepthStencilSurface`: adds a reference; `D3DERR_NOTFOUND` when none is bound.
    pub fn get_depth_stencil_surface(&mut self) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.get_depth_stencil_surface(x),
            |d| d.hand_out(d.bindings.depth),
        )
    }

    /// `SetViewport`. One that reaches out of the render target draws what lies inside, as drivers
    /// do.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for depths that are not numbers.
    pub fn set_viewport(&mut self, viewport: &Viewport) -> Result<()> {
        self.recorded(
            |r, x| r.set_viewport(x, viewport),
            |d| {
                if viewport.min_z.is_nan() || viewport.max_z.is_nan() {
                    invalid!(
                        "viewport: depths {} to {} are not numbers",
                        viewport.min_z,
                        viewport.max_z
                    );
                }
                match &mut d.recording {
                    Some(block) => {
                        block.mask.viewport = true;
                        block.values.viewport = *viewport;
                    }
                    None => {
                        if d.state.viewport != *viewport {
                            d.state.viewport = *viewport;
                            d.resolved.touch(group::VERTEX_EXTRAS | group::POINTS);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetViewport`.
    pub fn get_viewport(&self) -> Viewport {
        self.state.viewport
    }

    /// `SetScissorRect`. A rectangle whose edges are in the wrong order is kept as it is, and
    /// nothing is drawn in it.
    pub fn set_scissor_rect(&mut self, rect: Rect) -> Result<()> {
        self.recorded(
            |r, x| r.set_scissor_rect(x, rect),
            |d| {
                match &mut d.recording {
                    Some(block) => {
                        block.mask.scissor = true;
                        block.values.scissor = rect;
                    }
                    None => d.state.scissor = rect,
                }
                Ok(())
            },
        )
    }

    /// `GetScissorRect`.
    pub fn get_scissor_rect(&self) -> Rect {
        self.state.scissor
    }

    /// `BeginScene`: scenes do not nest.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` inside a scene.
    pub fn begin_scene(&mut self) -> Result<()> {
        self.recorded(
            |r, x| r.begin_scene(x),
            |d| {
                if d.in_scene {
                    invalid!("a scene has already begun");
                }
                d.in_scene = true;
                Ok(())
            },
        )
    }

    /// `EndScene`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` outside a scene.
    pub fn end_scene(&mut self) -> Result<()> {
        self.recorded(
            |r, x| r.end_scene(x),
            |d| {
                if !d.in_scene {
                    invalid!("no scene has begun");
                }
                d.in_scene = false;
                Ok(())
            },
        )
    }

    /// The size of render target 0 in pixels.
    pub(crate) fn target_size(&self) -> Outcome<(u32, u32)> {
        let Some((handle, sub)) = self.bindings.colors[0] else {
            invalid!("no render target is bound");
        };
        let level = &self.resource(handle, "render target")?.subs[sub as usize];
        Ok((level.width, level.height))
    }

    /// The scissor rectangle in force, if its test is on.
    pub(crate) fn active_scissor(&self) -> Option<ninefold_renderer::Rect> {
        if self.state.rs(D3DRS_SCISSORTESTENABLE) == 0 {
            return None;
        }
        let r = self.state.scissor;
        let (x, y) = (r.left.max(0) as u32, r.top.max(0) as u32);
        let w = (r.right.max(0) as u32).saturating_sub(x);
        let h = (r.bottom.max(0) as u32).saturating_sub(y);
        Some(ninefold_renderer::Rect { x, y, w, h })
    }
}
