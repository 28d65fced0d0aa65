//! Clear.

use ninefold_renderer::Rect as Pixels;

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::hresult::Result;
use crate::state::color_value;
use crate::types::Rect;

impl Device {
    /// `Clear`: `flags` are `D3DCLEAR_*`, `color` is 0xAARRGGBB, `z` 0 to 1. No rectangles clear
    /// the viewport; each is cut by the viewport and, when its test is on, the scissor rectangle.
    /// Colours are encoded as those of draws where `D3DRS_SRGBWRITEENABLE` is on.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for depth or stencil without a depth surface. Stencil without stencil
    /// bits and unknown flags are left out; nothing is cleared then, or what is left.
    pub fn clear(
        &mut self,
        rects: &[Rect],
        flags: u32,
        color: u32,
        z: f32,
        stencil: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.clear(x, rects, flags, color, z, stencil),
            |d| d.clear_targets(rects, flags, color, z, stencil),
        )
    }

    fn clear_targets(
        &mut self,
        rects: &[Rect],
        flags: u32,
        color: u32,
        z: f32,
        stencil: u32,
    ) -> Outcome<()> {
        const DEPTH_STENCIL: u32 = D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL;
        let mut flags = flags & (D3DCLEAR_TARGET | DEPTH_STENCIL);
        if flags & DEPTH_STENCIL != 0 {
            let Some((handle, _)) = self.bindings.depth else {
                invalid!("flags: {flags:#x} need a depth-stencil surface");
            };
            if !self.resource(handle, "depth surface")?.info.stencil() {
                flags &= !D3DCLEAR_STENCIL;
            }
        }
        if flags == 0 {
            return Ok(());
        }
        self.resolve_targets()?;
        let (width, height) = self.target_size()?;
        if flags & DEPTH_STENCIL != 0 && self.depth_is_smaller(width, height) {
            // Undefined by the documentation; drivers clear nothing then.
            return Ok(());
        }
        let v = self.state.viewport;
        let mut clip = [
            v.x,
            v.y,
            v.x.saturating_add(v.width).min(width),
            v.y.saturating_add(v.height).min(height),
        ];
        if let Some(s) = self.active_scissor() {
            clip = [
                clip[0].max(s.x),
                clip[1].max(s.y),
                clip[2].min(s.x + s.w),
                clip[3].min(s.y + s.h),
            ];
        }
        self.scratch.rects.clear();
        let whole = Rect::new(0, 0, i32::MAX, i32::MAX);
        let given = if rects.is_empty() {
            core::slice::from_ref(&whole)
        } else {
            rects
        };
        for r in given {
            let x = clip[0].max(r.left.max(0) as u32);
            let y = clip[1].max(r.top.max(0) as u32);
            let right = clip[2].min(r.right.max(0) as u32);
            let bottom = clip[3].min(r.bottom.max(0) as u32);
            if x < right && y < bottom {
                self.scratch.rects.push(Pixels {
                    x,
                    y,
                    w: right - x,
                    h: bottom - y,
                });
            }
        }
        if self.scratch.rects.is_empty() {
            return Ok(());
        }
        let everything = self.scratch.rects.contains(&Pixels {
            x: 0,
            y: 0,
            w: width,
            h: height,
        });
        let rects = if everything && self.targets_fit(width, height) {
            &[][..]
        } else {
            &self.scratch.rects[..]
        };
        let color = (flags & D3DCLEAR_TARGET != 0).then(|| color_value(color));
        let depth = (flags & D3DCLEAR_ZBUFFER != 0).then(|| z.clamp(0.0, 1.0));
        let stencil = (flags & D3DCLEAR_STENCIL != 0).then_some(stencil as u8);
        self.renderer
            .clear(&self.resolved.targets, rects, color, depth, stencil)?;
        self.targets_written();
        Ok(())
    }

    /// Whether the depth surface does not cover a target of this size.
    fn depth_is_smaller(&self, width: u32, height: u32) -> bool {
        let depth = self.bindings.depth;
        let resource = depth.and_then(|(handle, sub)| Some((self.resources.get(handle)?, sub)));
        resource.is_some_and(|(resource, sub)| {
            let level = &resource.subs[sub as usize];
            level.width < width || level.height < height
        })
    }

    /// Whether the other targets and the depth surface have the size of target 0: a clear of
    /// everything clears no more of them than the viewport covers.
    fn targets_fit(&self, width: u32, height: u32) -> bool {
        let others = self.bindings.colors[1..].iter().flatten();
        others.chain(&self.bindings.depth).all(|&(handle, sub)| {
            self.resources.get(handle).is_some_and(|r| {
                (r.subs[sub as usize].width, r.subs[sub as usize].height) == (width, height)
            })
        })
    }
}
