//! `StretchRect`.

use ninefold_renderer::{Attachment, Box3 as Region, Image};

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::handle::SurfaceHandle;
use crate::hresult::Result;
use crate::resource::{Kind, Resource};
use crate::target::Bound;
use crate::transfer::{pixels, region_of};
use crate::types::{Box3, LevelTarget, Rect};

/// One end of a copy: the sub-resource and the part of it.
#[derive(Clone, Copy)]
struct End {
    bound: Bound,
    region: Box3,
    whole: bool,
}

impl End {
    fn size(&self) -> (u32, u32) {
        let r = self.region;
        (r.right - r.left, r.bottom - r.top)
    }
}

impl Device {
    /// `StretchRect`: `filter` is `D3DTEXF_NONE`, `D3DTEXF_POINT` or `D3DTEXF_LINEAR`.
    ///
    /// Everything in the default pool can be read. Render targets take all of it, scaled and
    /// converted; offscreen plain surfaces take others of their kind at their size; depth surfaces
    /// take whole ones of their size and format outside of scenes. Texture levels that are no
    /// targets take nothing.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for everything else.
    pub fn stretch_rect(
        &mut self,
        source: SurfaceHandle,
        source_rect: Option<Rect>,
        destination: SurfaceHandle,
        destination_rect: Option<Rect>,
        filter: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| {
                r.stretch_rect(
                    x,
                    source,
                    source_rect,
                    destination,
                    destination_rect,
                    filter,
                )
            },
            |d| {
                if filter > D3DTEXF_LINEAR {
                    invalid!("filter: {filter}; only none, point and linear stretch");
                }
                let from = d.end(source, source_rect, "source")?;
                let to = d.end(destination, destination_rect, "destination")?;
                let a = d.resource(from.bound.0, "source")?;
                let b = d.resource(to.bound.0, "destination")?;
                if a.is_depth() != b.is_depth() {
                    invalid!("source and destination must both be colour or both depth");
                }
                if b.is_depth() {
                    check_depth(a, &from, b, &to, d.in_scene)?;
                } else {
                    check_color(a, &from, b, &to)?;
                }
                d.stretch(from, to, filter == D3DTEXF_LINEAR)
            },
        )
    }

    fn end(&self, surface: SurfaceHandle, rect: Option<Rect>, name: &str) -> Outcome<End> {
        let bound = self.find_level(LevelTarget::Surface(surface))?;
        let resource = self.resource(bound.0, name)?;
        if resource.pool != D3DPOOL_DEFAULT {
            invalid!("{name}: must be in D3DPOOL_DEFAULT");
        }
        let level = &resource.subs[bound.1 as usize];
        if level.lock.is_some() {
            invalid!("{name}: locked");
        }
        let region = region_of(rect, level.width, level.height)?;
        Ok(End {
            bound,
            region,
            whole: region == level.whole(),
        })
    }

    fn stretch(&mut self, from: End, to: End, linear: bool) -> Outcome<()> {
        let a = self.resource(from.bound.0, "source")?;
        let b = self.resource(to.bound.0, "destination")?;
        let same_size = from.size() == to.size();
        let same_format = a.info.d3d == b.info.d3d;
        let origin = [to.region.left, to.region.top, 0];
        if same_size && same_format && (a.memory_only() || b.memory_only()) {
            return self.copy_memory(from.bound, from.region, to.bound, origin);
        }
        if from.bound == to.bound && from.region == to.region {
            return Ok(());
        }
        let same_image = a.info.gpu == b.info.gpu && a.info.opaque() == b.info.opaque();
        // Of several samples only whole surfaces are copied.
        let copies = same_size
            && a.samples() == b.samples()
            && (a.samples() == 1 || from.whole && to.whole)
            && (same_format || same_image);
        let depth = a.is_depth();
        let places = (a.place(from.bound.1), b.place(to.bound.1));
        let opaque = (a.info.opaque(), b.info.opaque());
        let source = self.ready_image(from.bound.0, "source")?;
        let destination = self.ready_image(to.bound.0, "destination")?;
        if copies && from.bound == to.bound {
            self.copy_within(&source, places.0, &from, &to)?;
        } else if copies {
            self.renderer.copy_image(
                (&source, places.0.0, places.0.1),
                area(&from),
                (&destination, places.1.0, places.1.1),
                origin,
            )?;
        } else if depth {
            let whole = |image, (level, layer)| Attachment {
                level,
                layer,
                ..Attachment::new(image)
            };
            self.renderer
                .copy_depth(&whole(source, places.0), &whole(destination, places.1))?;
        } else {
            let attach = |image, (level, layer): (u32, u32), opaque_alpha| Attachment {
                image,
                level,
                layer,
                srgb: false,
                opaque_alpha,
            };
            self.renderer.stretch(
                &attach(source, places.0, opaque.0),
                pixels(from.region),
                &attach(destination, places.1, opaque.1),
                pixels(to.region),
                linear,
            )?;
        }
        self.written_on_gpu(to.bound.0, to.bound.1)
    }

    /// Copies inside one level: by way of another image, as the parts may overlap.
    fn copy_within(
        &mut self,
        image: &Image,
        (level, layer): (u32, u32),
        from: &End,
        to: &End,
    ) -> Outcome<()> {
        let (width, height) = from.size();
        let between = self
            .renderer
            .create_image(&ninefold_renderer::ImageDesc::d2(
                width,
                height,
                image.desc().format,
            ))?;
        let part = area(from);
        let moved = Region { x: 0, y: 0, ..part };
        self.renderer
            .copy_image((image, level, layer), part, (&between, 0, 0), [0, 0, 0])?;
        self.renderer.copy_image(
            (&between, 0, 0),
            moved,
            (image, level, layer),
            [to.region.left, to.region.top, 0],
        )?;
        Ok(())
    }
}

fn area(end: &End) -> Region {
    let (w, h) = end.size();
    Region {
        x: end.region.left,
        y: end.region.top,
        z: 0,
        w,
        h,
        d: 1,
    }
}

fn check_depth(a: &Resource, from: &End, b: &Resource, to: &End, in_scene: bool) -> Outcome<()> {
    if in_scene {
        invalid!("depth surfaces are not copied inside a scene");
    }
    // What has stencil bits goes to what has them, whatever its depth is stored in.
    let same = from.size() == to.size() && a.info.stencil() == b.info.stencil();
    if !same || !from.whole || !to.whole {
        invalid!("depth surfaces stretch only whole and to their own size and kind");
    }
    Ok(())
}

fn check_color(a: &Resource, from: &End, b: &Resource, to: &End) -> Outcome<()> {
    let scaled = from.size() != to.size();
    let plain = b.kind == Kind::OffscreenPlain;
    if !plain && !b.is_target() {
        invalid!(
            "destination: only render targets and offscreen plain surfaces are stretched into"
        );
    }
    if plain && (scaled || a.kind != Kind::OffscreenPlain) {
        invalid!(
            "destination: offscreen plain surfaces take others of their kind and size, unscaled"
        );
    }
    if from.bound == to.bound && scaled {
        invalid!("destination: one surface cannot be scaled into itself");
    }
    if scaled && (a.info.compressed() || b.info.compressed()) {
        invalid!("formats of 4 x 4 blocks are not scaled");
    }
    let same_format = a.info.d3d == b.info.d3d;
    if !same_format && (b.memory_only() || !b.info.renders()) {
        invalid!(
            "destination: nothing is converted to format {:#x}",
            b.info.d3d
        );
    }
    Ok(())
}
