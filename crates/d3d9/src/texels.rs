//! Texels on their way between a resource's memory and its image.

use ninefold_renderer::{Box3 as Region, Image, ImageFormat, ImageKind, Renderer};

use crate::convert::{Convert, Palette};
use crate::fault::{Fault, Outcome, invalid};
use crate::format::{FormatInfo, kind};
use crate::resource::{Kind, Resource};
use crate::transfer::scaled;
use crate::types::Box3;

/// Texels in flight, memory that is kept from call to call, and the palette in force.
#[derive(Debug)]
pub(crate) struct Texels {
    pub(crate) bytes: Vec<u8>,
    pub(crate) palette: Box<Palette>,
}

impl Default for Texels {
    /// Until a program sets a palette, every index means opaque white.
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            palette: Box::new([u32::MAX; 256]),
        }
    }
}

impl Resource {
    /// Readies the image of a texture in system memory for a draw.
    pub(crate) fn show(&mut self, renderer: &mut Renderer, scratch: &mut Texels) -> Outcome<()> {
        if !self.unseen {
            return Ok(());
        }
        self.image(renderer)?;
        for sub in 0..self.subs.len() as u32 {
            let level = &self.subs[sub as usize];
            if level.touched {
                let whole = level.whole();
                self.upload_region(renderer, scratch, sub, whole)?;
            }
        }
        self.unseen = false;
        Ok(())
    }

    /// Copies dirty texels to the GPU and makes a stale chain again.
    pub(crate) fn upload(&mut self, renderer: &mut Renderer, scratch: &mut Texels) -> Outcome<()> {
        if self.dirty {
            self.image(renderer)?;
            // Where dirty regions are recorded, those of level 0 are the whole chain's.
            let chain = if self.records_dirty() { self.levels } else { 1 };
            for first in 0..self.subs.len() as u32 {
                if self.subs[first as usize].dirty.is_empty() {
                    continue;
                }
                let mut dirty = core::mem::take(&mut self.subs[first as usize].dirty);
                for level in 0..chain {
                    let sub = first + level;
                    let whole = self.subs[sub as usize].whole();
                    for region in dirty.boxes() {
                        let region = scaled(*region, level, whole);
                        self.upload_region(renderer, scratch, sub, region)?;
                    }
                }
                dirty.clear();
                self.subs[first as usize].dirty = dirty;
                self.mips_stale |= self.autogen();
            }
            self.dirty = false;
        }
        if self.mips_stale {
            let image = self.image(renderer)?.clone();
            renderer.generate_mips(&image)?;
            self.mips_stale = false;
        }
        Ok(())
    }

    fn upload_region(
        &mut self,
        renderer: &mut Renderer,
        scratch: &mut Texels,
        sub: u32,
        region: Box3,
    ) -> Outcome<()> {
        if self.info.convert == Convert::None {
            // Texels that mean nothing to the GPU stay in memory.
            return Ok(());
        }
        let level = &self.subs[sub as usize];
        let place = self.place(sub);
        let image = self
            .image
            .clone()
            .ok_or_else(|| Fault::invalid("no image"))?;
        let source = Source {
            info: self.info,
            data: self.bytes(sub),
            row_pitch: level.row_pitch as usize,
            slice_pitch: level.slice_pitch as usize,
            width: level.width,
            height: level.height,
            opaque: false,
        };
        write_texels(
            renderer,
            scratch,
            &source,
            region,
            &image,
            place,
            [region.left, region.top, region.front],
        )
    }

    /// Brings a level's memory up to date with the GPU.
    pub(crate) fn read_back(&mut self, renderer: &mut Renderer, sub: u32) -> Outcome<()> {
        let (level_index, layer) = self.place(sub);
        let image = self.image(renderer)?.clone();
        let (format, convert) = self.info.on_gpu(renderer.caps(), self.kind == Kind::Volume);
        if !convert.reads_back() {
            invalid!("texels of format {:#x} cannot be read back", self.info.d3d);
        }
        let texels = renderer.read_image(&image, level_index, layer)?;
        let info = self.info;
        let level = &mut self.subs[sub as usize];
        let (width, height, pitch) = (level.width, level.height, level.row_pitch as usize);
        let rows = info.rows(height) as usize * level.depth as usize;
        let row_bytes = format.row_bytes(width);
        let blocks = width.div_ceil(info.block[0]) as usize;
        level.gpu_newer = false;
        let memory = self.memory(sub);
        for (row, out) in texels
            .chunks_exact(row_bytes)
            .zip(memory.chunks_mut(pitch))
            .take(rows)
        {
            convert.row_from_gpu(row, info.bytes as usize, blocks, out);
        }
        Ok(())
    }
}

/// Texels in memory on their way to an image.
pub(crate) struct Source<'a> {
    pub(crate) info: &'static FormatInfo,
    pub(crate) data: &'a [u8],
    pub(crate) row_pitch: usize,
    pub(crate) slice_pitch: usize,
    /// Size of the level.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The destination has no alpha: whatever the source says, 1 is stored.
    pub(crate) opaque: bool,
}

/// Copies `region` of a level in memory to `origin` of an image's level and layer.
pub(crate) fn write_texels(
    renderer: &mut Renderer,
    scratch: &mut Texels,
    source: &Source<'_>,
    region: Box3,
    image: &Image,
    (level, layer): (u32, u32),
    origin: [u32; 3],
) -> Outcome<()> {
    let info = source.info;
    let volume = image.desc().kind == ImageKind::Volume;
    let (format, convert) = info.on_gpu(renderer.caps(), volume);
    // Whole blocks: down to a block's edge on the near sides, up to one or the level's own edge on
    // the far sides. Planes are converted together.
    let [across, down] = info.block;
    let whole = info.has(kind::PLANAR);
    let near = |at: u32, block: u32| if whole { 0 } else { at / block * block };
    let far = |at: u32, block: u32, end: u32| {
        if whole {
            end
        } else {
            at.next_multiple_of(block).min(end)
        }
    };
    let (left, top) = (near(region.left, across), near(region.top, down));
    let right = far(region.right, across, source.width);
    let bottom = far(region.bottom, down, source.height);
    let (w, h, d) = (
        right.saturating_sub(left),
        bottom.saturating_sub(top),
        region.back - region.front,
    );
    if w == 0 || h == 0 || d == 0 || source.data.is_empty() {
        return Ok(());
    }
    let area = Region {
        x: near(origin[0], across),
        y: near(origin[1], down),
        z: origin[2],
        w,
        h,
        d,
    };
    let start = region.front as usize * source.slice_pitch
        + (top / down) as usize * source.row_pitch
        + (left / across) as usize * info.bytes as usize;
    let data = source.data.get(start..).unwrap_or(&[]);
    let drop_alpha = source.opaque
        && !info.opaque()
        && matches!(format, ImageFormat::Bgra8 | ImageFormat::Rgba8);
    if convert == Convert::Copy && !drop_alpha {
        renderer.upload(
            image,
            level,
            layer,
            area,
            data,
            source.row_pitch,
            source.slice_pitch,
        )?;
        return Ok(());
    }
    let convert = match convert {
        Convert::Copy => Convert::Opaque8,
        other => other,
    };
    let Texels { bytes, palette } = scratch;
    bytes.clear();
    for z in 0..d as usize {
        let slice = data.get(z * source.slice_pitch..).unwrap_or(&[]);
        convert.to_gpu(
            slice,
            source.row_pitch,
            w as usize,
            h as usize,
            palette,
            bytes,
        );
    }
    if drop_alpha {
        for texel in bytes.chunks_exact_mut(4) {
            texel[3] = 255;
        }
    }
    let row = format.row_bytes(w);
    let slice = row * format.rows(h) as usize;
    renderer.upload(image, level, layer, area, bytes, row, slice)?;
    Ok(())
}
