//! `ColorFill`.

use ninefold_renderer::{Attachment, Targets};

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::handle::SurfaceHandle;
use crate::hresult::Result;
use crate::resource::Kind;
use crate::state::color_value;
use crate::target::Bound;
use crate::transfer::{pixels, region_of};
use crate::types::{Box3, LevelTarget, Rect};

impl Device {
    /// `ColorFill` with a `D3DCOLOR` (0xAARRGGBB). Formats that colours do not turn into (bump maps,
    /// palettes) stay as they are.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for surfaces that are neither render targets nor offscreen plain, other
    /// pools than the default, and rectangles that reach out or cut a block. Locked surfaces are
    /// filled like others.
    pub fn color_fill(
        &mut self,
        surface: SurfaceHandle,
        rect: Option<Rect>,
        color: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.color_fill(x, surface, rect, color),
            |d| {
                let bound = d.find_level(LevelTarget::Surface(surface))?;
                let resource = d.resource(bound.0, "surface")?;
                let plain = resource.kind == Kind::OffscreenPlain;
                if resource.pool != D3DPOOL_DEFAULT || !(resource.is_target() || plain) {
                    invalid!(
                        "surface: only render targets and offscreen plain surfaces of D3DPOOL_DEFAULT are filled"
                    );
                }
                let level = &resource.subs[bound.1 as usize];
                let region = region_of(rect, level.width, level.height)?;
                let [across, down] = resource.info.block;
                let cuts = |near: u32, far: u32, end: u32, block: u32| {
                    !near.is_multiple_of(block) || !far.is_multiple_of(block) && far != end
                };
                if cuts(region.left, region.right, level.width, across)
                    || cuts(region.top, region.bottom, level.height, down)
                {
                    invalid!("rect: {region:?} cuts blocks of {across} x {down} texels");
                }
                if resource.is_depth() {
                    // Depth does not come from colours.
                    return Ok(());
                }
                if resource.memory_only() || !resource.info.renders() {
                    d.fill_memory(bound, region, color)
                } else {
                    d.fill_image(bound, region, color)
                }
            },
        )
    }

    fn fill_image(&mut self, (handle, sub): Bound, region: Box3, color: u32) -> Outcome<()> {
        let resource = self.resource(handle, "surface")?;
        let whole = region == resource.subs[sub as usize].whole();
        let (level, layer) = resource.place(sub);
        let opaque_alpha = resource.info.opaque();
        let image = self.ready_image(handle, "surface")?;
        let mut targets = Targets::default();
        targets.colors[0] = Some(Attachment {
            image,
            level,
            layer,
            srgb: false,
            opaque_alpha,
        });
        let rects = [pixels(region)];
        let rects = if whole { &rects[..0] } else { &rects[..] };
        self.renderer
            .clear(&targets, rects, Some(color_value(color)), None, None)?;
        self.written_on_gpu(handle, sub)
    }

    /// For what the GPU cannot draw into.
    fn fill_memory(&mut self, (handle, sub): Bound, region: Box3, color: u32) -> Outcome<()> {
        let resource = self
            .resources
            .get_mut(handle)
            .ok_or_else(|| crate::device::stale("surface"))?;
        if resource.subs[sub as usize].gpu_newer {
            resource.read_back(&mut self.renderer, sub)?;
        }
        let info = resource.info;
        let level = &resource.subs[sub as usize];
        let pitch = level.row_pitch as usize;
        let area = [region.left, region.top, region.right, region.bottom].map(|v| v as usize);
        let block = (info.bytes as usize, info.block);
        info.convert
            .fill(resource.memory(sub), pitch, area, color, block);
        resource.mark_dirty(sub, region);
        self.resolved.uploads_pending = true;
        Ok(())
    }
}
