//! Copies between surfaces and textures.

use ninefold_renderer::{Attachment, Box3 as Region, ImageFormat, Rect as Pixels};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::{BaseTexture, RawHandle, SurfaceHandle};
use crate::hresult::Result;
use crate::resource::{Kind, Source, write_texels};
use crate::state::color_value;
use crate::types::{Box3, LevelTarget, Picture, Point, Rect};

impl Device {
    /// `UpdateSurface`: from system memory to a default-pool surface of the same format.
    pub fn update_surface(
        &mut self,
        source: SurfaceHandle,
        rect: Option<Rect>,
        destination: SurfaceHandle,
        point: Option<Point>,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.update_surface(x, source, rect, destination, point),
            |d| {
                let (src, src_sub) = d.find_level(LevelTarget::Surface(source))?;
                let (dst, dst_sub) = d.find_level(LevelTarget::Surface(destination))?;
                let from = d.resource(src, "source")?;
                let to = d.resource(dst, "destination")?;
                if from.pool != D3DPOOL_SYSTEMMEM || to.pool != D3DPOOL_DEFAULT {
                    invalid!(
                        "source must be in D3DPOOL_SYSTEMMEM and destination in D3DPOOL_DEFAULT"
                    );
                }
                if from.info.d3d != to.info.d3d {
                    invalid!(
                        "source format {:#x} differs from destination format {:#x}",
                        from.info.d3d,
                        to.info.d3d
                    );
                }
                if to.is_depth() || to.multi_sample != D3DMULTISAMPLE_NONE {
                    invalid!("destination: depth and multisampled surfaces cannot be updated");
                }
                let (s, t) = (&from.subs[src_sub as usize], &to.subs[dst_sub as usize]);
                if s.lock.is_some() || t.lock.is_some() {
                    invalid!("surfaces must not be locked");
                }
                let region = region_of(rect, s.width, s.height)?;
                let Point { x, y } = point.unwrap_or_default();
                let edge = from.info.edge;
                let (w, h) = (region.right - region.left, region.bottom - region.top);
                if x < 0 || y < 0 || x as u32 + w > t.width || y as u32 + h > t.height {
                    invalid!(
                        "point: {w} x {h} texels at {x}, {y} reach out of {} x {}",
                        t.width,
                        t.height
                    );
                }
                let aligned = [region.left, region.top, x as u32, y as u32]
                    .iter()
                    .all(|v| v.is_multiple_of(edge));
                if !aligned {
                    invalid!("rect and point must not cut blocks of {edge} x {edge} texels");
                }
                d.copy_up(
                    (src, src_sub),
                    region,
                    (dst, dst_sub),
                    [x as u32, y as u32, 0],
                )
            },
        )
    }

    /// Copies a region of a level in memory to another resource's image.
    fn copy_up(
        &mut self,
        (src, src_sub): (RawHandle, u32),
        region: Box3,
        (dst, dst_sub): (RawHandle, u32),
        origin: [u32; 3],
    ) -> Outcome<()> {
        let image = self.ready_image(dst, "destination")?;
        let place = self.resource(dst, "destination")?.place(dst_sub);
        let from = self.resources.get(src).ok_or_else(|| stale("source"))?;
        let level = &from.subs[src_sub as usize];
        if !level.data.is_empty() {
            let source = Source {
                info: from.info,
                data: &level.data,
                row_pitch: level.row_pitch as usize,
                slice_pitch: level.slice_pitch as usize,
                width: level.width,
                height: level.height,
            };
            write_texels(
                &mut self.renderer,
                &mut self.texels,
                &source,
                region,
                &image,
                place,
                origin,
            )?;
        }
        self.written_on_gpu(dst, dst_sub)
    }

    /// `UpdateTexture`: the dirty parts of a system-memory texture to a default-pool one. A source
    /// with more levels gives its lower ones.
    pub fn update_texture(
        &mut self,
        source: impl Into<BaseTexture>,
        destination: impl Into<BaseTexture>,
    ) -> Result<()> {
        let (source, destination) = (source.into(), destination.into());
        self.recorded(
            |r, x| r.update_texture(x, source, destination),
            |d| d.update_texture_levels(source.raw(), destination.raw()),
        )
    }

    fn update_texture_levels(&mut self, src: RawHandle, dst: RawHandle) -> Outcome<()> {
        let from = self.resource(src, "source")?;
        let to = self.resource(dst, "destination")?;
        if from.pool != D3DPOOL_SYSTEMMEM || to.pool != D3DPOOL_DEFAULT {
            invalid!("source must be in D3DPOOL_SYSTEMMEM and destination in D3DPOOL_DEFAULT");
        }
        if from.kind != to.kind || from.info.d3d != to.info.d3d {
            invalid!("source and destination must be of one kind and format");
        }
        if from.subs.iter().chain(&to.subs).any(|l| l.lock.is_some()) {
            invalid!("textures must not be locked");
        }
        let Some(skip) = from.levels.checked_sub(to.levels) else {
            invalid!(
                "source has {} levels, destination {}",
                from.levels,
                to.levels
            );
        };
        let (first, target) = (&from.subs[skip as usize], &to.subs[0]);
        if (first.width, first.height, first.depth) != (target.width, target.height, target.depth) {
            invalid!("source's level {skip} is not of the size of destination's level 0");
        }
        let (from_levels, to_levels) = (from.levels, to.levels);
        let faces = to.subs.len() as u32 / to_levels;
        for face in 0..faces {
            for level in 0..to_levels {
                let src_sub = face * from_levels + skip + level;
                let dirty = self.resource(src, "source")?.subs[src_sub as usize].dirty;
                if let Some(region) = dirty {
                    let origin = [region.left, region.top, region.front];
                    self.copy_up(
                        (src, src_sub),
                        region,
                        (dst, face * to_levels + level),
                        origin,
                    )?;
                }
            }
        }
        for sub in &mut self.resource_mut(src, "source")?.subs {
            sub.dirty = None;
        }
        Ok(())
    }

    /// `GetRenderTargetData` into a system-memory surface of the same size and format. Waits for
    /// the GPU.
    pub fn get_render_target_data(
        &mut self,
        source: SurfaceHandle,
        destination: SurfaceHandle,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.get_render_target_data(x, source, destination),
            |d| {
                let (src, src_sub) = d.find_level(LevelTarget::Surface(source))?;
                let from = d.resource(src, "source")?;
                if !from.is_target() || from.multi_sample != D3DMULTISAMPLE_NONE {
                    invalid!("source must be a render target without multisampling");
                }
                d.read_into((src, src_sub), destination)
            },
        )
    }

    /// Reads a surface on the GPU into one in memory of the same size and format.
    pub(crate) fn read_into(
        &mut self,
        (src, src_sub): (RawHandle, u32),
        destination: SurfaceHandle,
    ) -> Outcome<()> {
        let (dst, dst_sub) = self.find_level(LevelTarget::Surface(destination))?;
        let from = self.resource(src, "source")?;
        let to = self.resource(dst, "destination")?;
        if to.pool != D3DPOOL_SYSTEMMEM {
            invalid!("destination must be in D3DPOOL_SYSTEMMEM");
        }
        let (s, t) = (&from.subs[src_sub as usize], &to.subs[dst_sub as usize]);
        if from.info.d3d != to.info.d3d || (s.width, s.height) != (t.width, t.height) {
            invalid!("source and destination must be of one format and size");
        }
        if s.lock.is_some() || t.lock.is_some() {
            invalid!("surfaces must not be locked");
        }
        self.ready_image(src, "source")?;
        let Self {
            resources,
            renderer,
            ..
        } = self;
        let from = resources.get_mut(src).ok_or_else(|| stale("source"))?;
        from.read_back(renderer, src_sub)?;
        let keep = from.lockable;
        let level = &mut from.subs[src_sub as usize];
        let data = if keep {
            level.data.clone()
        } else {
            core::mem::take(&mut level.data)
        };
        let to = resources.get_mut(dst).ok_or_else(|| stale("destination"))?;
        let level = &mut to.subs[dst_sub as usize];
        // Copied, not moved: a program may hold a pointer to the level's memory.
        level.memory().copy_from_slice(&data);
        let whole = level.whole();
        level.add_dirty(whole);
        Ok(())
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
        self.recorded(|r, x| r.stretch_rect(x, source, source_rect, destination, destination_rect, filter), |d| {
            let (src, src_sub) = d.find_level(LevelTarget::Surface(source))?;
            let (dst, dst_sub) = d.find_level(LevelTarget::Surface(destination))?;
            if filter > D3DTEXF_LINEAR {
                invalid!("filter: {filter}; only none, point and linear stretch");
            }
            if source == destination {
                invalid!("destination: source and destination are one surface");
            }
            let from = d.resource(src, "source")?;
            let to = d.resource(dst, "destination")?;
            if from.pool != D3DPOOL_DEFAULT || to.pool != D3DPOOL_DEFAULT {
                invalid!("source and destination must be in D3DPOOL_DEFAULT");
            }
            if from.is_depth() != to.is_depth() {
                invalid!("source and destination must both be colour or both depth");
            }
            let (s, t) = (&from.subs[src_sub as usize], &to.subs[dst_sub as usize]);
            if s.lock.is_some() || t.lock.is_some() {
                invalid!("surfaces must not be locked");
            }
            let a = region_of(source_rect, s.width, s.height)?;
            let b = region_of(destination_rect, t.width, t.height)?;
            let same_size = a.right - a.left == b.right - b.left && a.bottom - a.top == b.bottom - b.top;
            let plain = same_size && from.info.d3d == to.info.d3d && from.samples() == to.samples();
            let from_opaque = from.info.opaque;
            let same_image = from.info.gpu == to.info.gpu && from_opaque == to.info.opaque;
            if to.is_depth() {
                if !plain || a != s.whole() || b != t.whole() {
                    invalid!("depth surfaces stretch only whole and to their own size and format");
                }
            } else if !(plain || to.is_target() || to.kind == Kind::OffscreenPlain && to.info.target) {
                invalid!("destination: only render targets and offscreen plain surfaces are stretched into");
            } else if to.kind == Kind::OffscreenPlain && !same_size {
                invalid!("destination: offscreen plain surfaces take no scaling");
            }
            let places = (from.place(src_sub), to.place(dst_sub));
            let copies = plain || same_size && same_image && from.samples() == to.samples();
            let src_image = d.ready_image(src, "source")?;
            let dst_image = d.ready_image(dst, "destination")?;
            if copies {
                let area = Region {
                    x: a.left,
                    y: a.top,
                    z: 0,
                    w: a.right - a.left,
                    h: a.bottom - a.top,
                    d: 1,
                };
                d.renderer.copy_image(
                    (&src_image, places.0.0, places.0.1),
                    area,
                    (&dst_image, places.1.0, places.1.1),
                    [b.left, b.top, 0],
                )?;
            } else {
                let attach = |image, (level, layer): (u32, u32), opaque_alpha| Attachment {
                    image,
                    level,
                    layer,
                    srgb: false,
                    opaque_alpha,
                };
                let to_opaque = d.resource(dst, "destination")?.info.opaque;
                d.renderer.stretch(
                    &attach(src_image, places.0, from_opaque),
                    pixels(a),
                    &attach(dst_image, places.1, to_opaque),
                    pixels(b),
                    filter == D3DTEXF_LINEAR,
                )?;
            }
            d.written_on_gpu(dst, dst_sub)
        })
    }

    /// Notes that the GPU wrote a level.
    fn written_on_gpu(&mut self, handle: RawHandle, sub: u32) -> Outcome<()> {
        let resource = self.resource_mut(handle, "destination")?;
        resource.subs[sub as usize].gpu_newer = true;
        if resource.autogen() {
            resource.mips_stale = true;
            self.resolved.uploads_pending = true;
        }
        Ok(())
    }

    /// `ColorFill` with a `D3DCOLOR` (0xAARRGGBB).
    pub fn color_fill(
        &mut self,
        surface: SurfaceHandle,
        rect: Option<Rect>,
        color: u32,
    ) -> Result<()> {
        self.recorded(|r, x| r.color_fill(x, surface, rect, color), |d| {
            let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
            let resource = d.resource(handle, "surface")?;
            let paintable = resource.is_target() || resource.kind == Kind::OffscreenPlain && resource.info.target;
            if resource.pool != D3DPOOL_DEFAULT || !paintable {
                invalid!("surface: only render targets and offscreen plain surfaces of D3DPOOL_DEFAULT are filled");
            }
            let level = &resource.subs[sub as usize];
            if level.lock.is_some() {
                invalid!("surface: locked");
            }
            let region = region_of(rect, level.width, level.height)?;
            let whole = region == level.whole();
            let (level_index, layer) = resource.place(sub);
            let opaque_alpha = resource.info.opaque;
            let image = d.ready_image(handle, "surface")?;
            let mut targets = ninefold_renderer::Targets::default();
            targets.colors[0] = Some(Attachment { image, level: level_index, layer, srgb: false, opaque_alpha });
            let rects = [pixels(region)];
            let rects = if whole { &rects[..0] } else { &rects[..] };
            d.renderer.clear(&targets, rects, Some(color_value(color)), None, None)?;
            d.written_on_gpu(handle, sub)
        })
    }

    /// The pixels of any colour surface, level 0 of a 2D texture say, converted to BGRA. Not part
    /// of D3D9. Waits for the GPU.
    pub fn read_surface(&mut self, surface: SurfaceHandle) -> Result<Picture> {
        self.call(|d| {
            let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
            d.picture(handle, sub)
        })
    }

    /// The pixels of a level as BGRA.
    pub(crate) fn picture(&mut self, handle: RawHandle, sub: u32) -> Outcome<Picture> {
        let resource = self.resource(handle, "surface")?;
        let (width, height) = (
            resource.subs[sub as usize].width,
            resource.subs[sub as usize].height,
        );
        let info = resource.info;
        if resource.on_gpu() && !resource.is_depth() {
            let place = resource.place(sub);
            let image = self.ready_image(handle, "surface")?;
            return read_picture(&mut self.renderer, &image, place, info.opaque);
        }
        let (format, convert) = (info.gpu, info.convert);
        if format != ImageFormat::Bgra8 {
            invalid!("surface: format {:#x} has no picture", info.d3d);
        }
        let resource = self.resource_mut(handle, "surface")?;
        let level = &mut resource.subs[sub as usize];
        let pitch = level.row_pitch as usize;
        let mut bgra = Vec::new();
        let data = level.memory();
        if convert == crate::convert::Convert::Copy {
            for row in data.chunks(pitch).take(height as usize) {
                bgra.extend_from_slice(&row[..width as usize * 4]);
            }
        } else {
            convert.to_gpu(data, pitch, width as usize, height as usize, &mut bgra);
        }
        Ok(Picture {
            width,
            height,
            bgra,
        })
    }
}

/// Reads a level of an image as BGRA; `opaque` images have alpha 255.
pub(crate) fn read_picture(
    renderer: &mut ninefold_renderer::Renderer,
    image: &ninefold_renderer::Image,
    (level, layer): (u32, u32),
    opaque: bool,
) -> Outcome<Picture> {
    let desc = *image.desc();
    let (width, height) = ((desc.width >> level).max(1), (desc.height >> level).max(1));
    let mut texels = renderer.read_image(image, level, layer)?;
    let bgra = match desc.format {
        ImageFormat::Bgra8 => texels,
        ImageFormat::Rgba8 => {
            for t in texels.chunks_exact_mut(4) {
                t.swap(0, 2);
            }
            texels
        }
        ImageFormat::Rgb10A2 => {
            for t in texels.chunks_exact_mut(4) {
                let v = u32::from_le_bytes([t[0], t[1], t[2], t[3]]);
                let ten = |shift: u32| (((v >> shift & 1023) * 255 * 2 + 1023) / 2046) as u8;
                t.copy_from_slice(&[ten(20), ten(10), ten(0), (v >> 30) as u8 * 85]);
            }
            texels
        }
        other => invalid!("surface: images of {other:?} have no picture"),
    };
    let mut picture = Picture {
        width,
        height,
        bgra,
    };
    if opaque {
        for t in picture.bgra.chunks_exact_mut(4) {
            t[3] = 255;
        }
    }
    Ok(picture)
}

/// A rectangle of a level, all of it for `None`.
fn region_of(rect: Option<Rect>, width: u32, height: u32) -> Outcome<Box3> {
    let r = rect.unwrap_or(Rect::new(0, 0, width as i32, height as i32));
    if r.left < 0 || r.top < 0 || r.right <= r.left || r.bottom <= r.top {
        invalid!("rect: {r:?} is empty or reaches out of the surface");
    }
    if r.right as u32 > width || r.bottom as u32 > height {
        invalid!("rect: {r:?} reaches out of {width} x {height}");
    }
    Ok(Box3 {
        left: r.left as u32,
        top: r.top as u32,
        right: r.right as u32,
        bottom: r.bottom as u32,
        front: 0,
        back: 1,
    })
}

fn pixels(region: Box3) -> Pixels {
    Pixels {
        x: region.left,
        y: region.top,
        w: region.right - region.left,
        h: region.bottom - region.top,
    }
}
