//! Updates from system memory, and reading targets back.

use ninefold_renderer::Rect as Pixels;

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::format::{FormatInfo, full_chain, kind};
use crate::handle::{BaseTexture, RawHandle, SurfaceHandle};
use crate::hresult::Result;
use crate::resource::{Kind, Level};
use crate::target::Bound;
use crate::texels::{Source, write_texels};
use crate::types::{Box3, LevelTarget, Point, Rect};

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
                let [across, down] = from.info.block;
                let (w, h) = (region.right - region.left, region.bottom - region.top);
                if x < 0 || y < 0 || x as u32 + w > t.width || y as u32 + h > t.height {
                    invalid!(
                        "point: {w} x {h} texels at {x}, {y} reach out of {} x {}",
                        t.width,
                        t.height
                    );
                }
                let whole = |near: u32, far: u32, end: u32, block: u32| {
                    near.is_multiple_of(block) && (far.is_multiple_of(block) || far == end)
                };
                let aligned = whole(region.left, region.right, s.width, across)
                    && whole(region.top, region.bottom, s.height, down)
                    && whole(x as u32, x as u32 + w, t.width, across)
                    && whole(y as u32, y as u32 + h, t.height, down);
                if !aligned {
                    invalid!("rect and point must not cut blocks of {across} x {down} texels");
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

    /// Copies a region of a level in memory to another resource: to its image, or to its memory
    /// where texels do not come back from the GPU.
    pub(crate) fn copy_up(
        &mut self,
        (src, src_sub): Bound,
        region: Box3,
        (dst, dst_sub): Bound,
        origin: [u32; 3],
    ) -> Outcome<()> {
        let to = self.resource(dst, "destination")?;
        if to.memory_only() {
            return self.copy_memory((src, src_sub), region, (dst, dst_sub), origin);
        }
        let opaque = to.info.opaque();
        let image = self.ready_image(dst, "destination")?;
        let place = self.resource(dst, "destination")?.place(dst_sub);
        let from = self.resources.get(src).ok_or_else(|| stale("source"))?;
        let level = &from.subs[src_sub as usize];
        if level.touched {
            let source = Source {
                info: from.info,
                data: from.bytes(src_sub),
                row_pitch: level.row_pitch as usize,
                slice_pitch: level.slice_pitch as usize,
                width: level.width,
                height: level.height,
                opaque,
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

    /// Copies a region between two levels' memories of one format, and has it copied to the GPU.
    pub(crate) fn copy_memory(
        &mut self,
        (src, src_sub): Bound,
        region: Box3,
        (dst, dst_sub): Bound,
        origin: [u32; 3],
    ) -> Outcome<()> {
        let from = self.resource(src, "source")?;
        let info = from.info;
        let level = &from.subs[src_sub as usize];
        let [across, down] = info.block;
        let (width, height) = (region.right - region.left, region.bottom - region.top);
        let slices = (region.back - region.front) as usize;
        // Planes are copied together: they are rows like any others.
        let (first, rows) = if info.has(kind::PLANAR) {
            (0, info.rows(level.height) as usize)
        } else {
            (region.top / down, height.div_ceil(down) as usize)
        };
        let bytes = (width.div_ceil(across) * info.bytes) as usize;
        let at = |column: u32, row: u32, slice: u32, level: &Level| {
            slice as usize * level.slice_pitch as usize
                + row as usize * level.row_pitch as usize
                + (column / across * info.bytes) as usize
        };
        // By way of other memory: source and destination may be one.
        let mut texels = vec![0; slices * rows * bytes];
        let data = from.bytes(src_sub);
        for (i, out) in texels.chunks_exact_mut(bytes).enumerate() {
            let here = at(region.left, first, region.front + (i / rows) as u32, level)
                + i % rows * level.row_pitch as usize;
            if let Some(row) = data.get(here..here + bytes) {
                out.copy_from_slice(row);
            }
        }
        let to = self.resource_mut(dst, "destination")?;
        let level = &to.subs[dst_sub as usize];
        let first = if info.has(kind::PLANAR) {
            0
        } else {
            origin[1] / down
        };
        let pitch = level.row_pitch as usize;
        let starts: Vec<usize> = (0..slices as u32)
            .map(|z| at(origin[0], first, origin[2] + z, level))
            .collect();
        let memory = to.memory(dst_sub);
        for (i, row) in texels.chunks_exact(bytes).enumerate() {
            let there = starts[i / rows] + i % rows * pitch;
            if let Some(out) = memory.get_mut(there..there + bytes) {
                out.copy_from_slice(row);
            }
        }
        let level = &to.subs[dst_sub as usize];
        let written = Box3 {
            left: origin[0],
            top: origin[1],
            front: origin[2],
            right: (origin[0] + width).min(level.width),
            bottom: (origin[1] + height).min(level.height),
            back: origin[2] + slices as u32,
        };
        to.mark_dirty(dst_sub, written);
        to.unseen = true;
        self.resolved.uploads_pending = true;
        Ok(())
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
        if from.kind != to.kind {
            invalid!("source and destination must be of one kind");
        }
        // Formats that are the same on the GPU are converted on the way, as some drivers do.
        let caps = self.renderer.caps();
        let volume = from.kind == Kind::Volume;
        let image = |info: &'static FormatInfo| info.on_gpu(caps, volume).0;
        let converts = image(from.info) == image(to.info) && !to.memory_only();
        if from.info.d3d != to.info.d3d && !converts {
            invalid!(
                "source format {:#x} differs from destination format {:#x}",
                from.info.d3d,
                to.info.d3d
            );
        }
        // Larger sources leave out the levels that are too large.
        let size = [to.width, to.height, to.depth];
        let level_size =
            |level: u32| [from.width, from.height, from.depth].map(|edge| (edge >> level).max(1));
        let chain = full_chain(from.width, from.height, from.depth);
        let Some(skip) = (0..chain).find(|level| level_size(*level) == size) else {
            invalid!("no level of the source has the size of the destination's level 0");
        };
        let (from_levels, to_levels) = (from.levels, to.levels);
        let levels = to_levels.min(from_levels.saturating_sub(skip));
        let faces = to.subs.len() as u32 / to_levels;
        for face in 0..faces {
            let first = (face * from_levels) as usize;
            let from = self.resource_mut(src, "source")?;
            let mut dirty = core::mem::take(&mut from.subs[first].dirty);
            for level in 0..levels {
                let src_sub = face * from_levels + skip + level;
                let whole = self.resource(src, "source")?.subs[src_sub as usize].whole();
                for region in dirty.boxes() {
                    // Only level 0 has dirty regions; they speak for the levels below.
                    let region = scaled(*region, skip + level, whole);
                    let origin = [region.left, region.top, region.front];
                    let to = (dst, face * to_levels + level);
                    self.copy_up((src, src_sub), region, to, origin)?;
                }
            }
            dirty.clear();
            self.resource_mut(src, "source")?.subs[first].dirty = dirty;
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
            resolved,
            ..
        } = self;
        let from = resources.get_mut(src).ok_or_else(|| stale("source"))?;
        from.read_back(renderer, src_sub)?;
        let data = from.bytes(src_sub).to_vec();
        let pitch = from.subs[src_sub as usize].row_pitch as usize;
        if !from.lockable {
            from.drop_memory();
        }
        let to = resources.get_mut(dst).ok_or_else(|| stale("destination"))?;
        to.unseen = true;
        resolved.uploads_pending |= to.image.is_some();
        // Copied, not moved: a program may hold a pointer to the level's memory.
        let own = to.subs[dst_sub as usize].row_pitch as usize;
        let row = pitch.min(own);
        let memory = to.memory(dst_sub);
        for (out, from) in memory.chunks_mut(own).zip(data.chunks(pitch)) {
            let row = row.min(out.len()).min(from.len());
            out[..row].copy_from_slice(&from[..row]);
        }
        let whole = to.subs[dst_sub as usize].whole();
        to.mark_dirty(dst_sub, whole);
        Ok(())
    }

    /// Notes that the GPU wrote a level.
    pub(crate) fn written_on_gpu(&mut self, handle: RawHandle, sub: u32) -> Outcome<()> {
        let resource = self.resource_mut(handle, "destination")?;
        resource.subs[sub as usize].gpu_newer = true;
        if resource.autogen() {
            resource.mips_stale = true;
            self.resolved.uploads_pending = true;
        }
        Ok(())
    }
}

/// What a region of level 0 covers in a level below of the size `whole`.
pub(crate) fn scaled(region: Box3, level: u32, whole: Box3) -> Box3 {
    let down = |v: u32, end: u32| (v >> level).min(end - 1);
    let up = |v: u32, end: u32| v.div_ceil(1 << level).clamp(1, end);
    Box3 {
        left: down(region.left, whole.right),
        top: down(region.top, whole.bottom),
        front: down(region.front, whole.back),
        right: up(region.right, whole.right),
        bottom: up(region.bottom, whole.bottom),
        back: up(region.back, whole.back),
    }
}

/// A rectangle of a level, all of it for `None`.
pub(crate) fn region_of(rect: Option<Rect>, width: u32, height: u32) -> Outcome<Box3> {
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

pub(crate) fn pixels(region: Box3) -> Pixels {
    Pixels {
        x: region.left,
        y: region.top,
        w: region.right - region.left,
        h: region.bottom - region.top,
    }
}
