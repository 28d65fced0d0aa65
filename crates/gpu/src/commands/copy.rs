//! Copies and readbacks.

use std::num::NonZeroU64;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::Commands;
use super::prelude::is_upload;
use super::state::Part;
use crate::arena::Arena;
use crate::buffer::Buffer;
use crate::desc::{BufferDesc, Region, Rows};
use crate::error::{Error, Result, invalid};
use crate::readback::Readback;
use crate::texture::Texture;

/// Row alignment of the buffers that results are read through; what every
/// back end accepts.
const READ_PITCH: u32 = 256;

/// A region, checked and in hal's words.
struct Checked {
    base: hal::TextureCopyBase,
    /// Rounded up to whole blocks.
    size: hal::CopyExtent,
    block_bytes: u32,
    /// Blocks across, blocks down, slices.
    blocks: [u32; 3],
}

impl Commands {
    /// Copies rows of `buffer` into a region of `texture`. Runs early where it
    /// may (see [`Commands`]).
    ///
    /// # Errors
    /// [`Error::Invalid`] when a use (`COPY_SRC`, `COPY_DST`) is missing or the
    /// region or the rows leave their resource or are badly aligned;
    /// [`Error::State`] inside a pass, unless it runs early.
    pub fn copy_buffer_to_texture(
        &mut self,
        buffer: &Buffer,
        rows: &Rows,
        texture: &Texture,
        region: &Region,
    ) -> Result<()> {
        self.texture_use(texture, wgt::TextureUsages::COPY_DST)?;
        self.buffer_use(buffer, wgt::BufferUsages::COPY_SRC)?;
        let checked = check_region(texture, region, 1)?;
        let copy = buffer_copy(buffer, rows, &checked)?;
        let part = Part::one(region.mip, region.layer);
        let early = self.may_run_early(buffer, &texture.0.touched);
        if early {
            self.open_prelude()?;
        } else {
            self.outside_pass("copy_buffer_to_texture")?;
            self.touch_texture(texture);
            self.touch_buffer(&buffer.0);
        }
        self.keep(&texture.0);
        self.keep_buffer(buffer);
        let Some((encoder, states)) = self.side(early) else {
            return Err(Error::DeviceLost);
        };
        states.read_buffer(encoder, buffer);
        states.acquire(encoder, texture, &part, wgt::TextureUses::COPY_DST);
        // SAFETY: outside a pass; uses, ranges and alignments were checked, the
        // texture is in the copy state, both are kept.
        unsafe { encoder.copy_buffer_to_texture(buffer.0.raw.get(), texture.0.raw.get(), &[copy]) };
        Ok(())
    }

    /// Copies `data` into a region of `texture` through `arena`: rows of blocks
    /// `bytes_per_row` apart, slices `rows_per_slice` rows apart. Runs early
    /// where it may.
    ///
    /// # Errors
    /// As [`Commands::copy_buffer_to_texture`]; [`Error::Invalid`] when `data` is
    /// too short.
    pub fn write_texture(
        &mut self,
        arena: &mut Arena,
        texture: &Texture,
        region: &Region,
        data: &[u8],
        bytes_per_row: usize,
        rows_per_slice: usize,
    ) -> Result<()> {
        let checked = check_region(texture, region, 1)?;
        let [across, down, slices] = checked.blocks.map(|n| n as usize);
        let row = across * checked.block_bytes as usize;
        let needed = ((slices - 1) * rows_per_slice + down - 1)
            .checked_mul(bytes_per_row)
            .and_then(|start| start.checked_add(row));
        if bytes_per_row < row && down * slices > 1
            || rows_per_slice < down && slices > 1
            || needed.is_none_or(|needed| needed > data.len())
        {
            return Err(invalid(format!(
                "{} bytes of rows {bytes_per_row} apart and slices {rows_per_slice} rows apart do \
                 not hold {down} rows of {row} bytes in {slices} slices",
                data.len()
            )));
        }
        let pitch = row.next_multiple_of(READ_PITCH as usize);
        let allocation = arena.alloc(pitch * down * slices, 256)?;
        for slice in 0..slices {
            for y in 0..down {
                let from = (slice * rows_per_slice + y) * bytes_per_row;
                let to = (slice * down + y) * pitch;
                allocation.data[to..to + row].copy_from_slice(&data[from..from + row]);
            }
        }
        let rows = Rows {
            offset: allocation.offset,
            bytes_per_row: pitch as u32,
            rows_per_slice: down as u32,
        };
        let buffer = allocation.buffer;
        self.copy_buffer_to_texture(&buffer, &rows, texture, region)
    }

    /// Copies `size` bytes between two buffers. Offsets and size are multiples
    /// of 4. Runs early where it may (see [`Commands`]).
    ///
    /// # Errors
    /// [`Error::Invalid`] when a use is missing, a range leaves its buffer or is
    /// badly aligned, or both are one buffer; [`Error::State`] inside a pass,
    /// unless it runs early.
    pub fn copy_buffer_to_buffer(
        &mut self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        size: u64,
    ) -> Result<()> {
        let early = self.may_run_early(from, &to.0.touched);
        self.copy_buffers(from, from_offset, to, to_offset, size, early)
    }

    /// As [`Commands::copy_buffer_to_buffer`], into a range of `to` that nothing
    /// recorded here has used. What was recorded may use other ranges of it: that
    /// keeps no copy from running early.
    ///
    /// # Errors
    /// As [`Commands::copy_buffer_to_buffer`].
    pub fn copy_to_unused_range(
        &mut self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        size: u64,
    ) -> Result<()> {
        let early = is_upload(from);
        self.copy_buffers(from, from_offset, to, to_offset, size, early)
    }

    fn copy_buffers(
        &mut self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        size: u64,
        early: bool,
    ) -> Result<()> {
        self.buffer_use(from, wgt::BufferUsages::COPY_SRC)?;
        self.buffer_use(to, wgt::BufferUsages::COPY_DST)?;
        let inside = |offset: u64, whole: u64| {
            offset.is_multiple_of(4) && offset.checked_add(size).is_some_and(|end| end <= whole)
        };
        let ranges = inside(from_offset, from.size()) && inside(to_offset, to.size());
        if !ranges || !size.is_multiple_of(4) || from.same(to) {
            return Err(invalid(format!(
                "{size} bytes from {from_offset} of {from:?} to {to_offset} of {to:?}: must be \
                 multiples of 4 inside two buffers"
            )));
        }
        let Some(size) = NonZeroU64::new(size) else {
            return Ok(());
        };
        if early {
            self.open_prelude()?;
        } else {
            self.outside_pass("copy_buffer_to_buffer")?;
            self.touch_buffer(&to.0);
            self.touch_buffer(&from.0);
        }
        self.keep_buffer(from);
        self.keep_buffer(to);
        let Some((encoder, states)) = self.side(early) else {
            return Err(Error::DeviceLost);
        };
        states.read_buffer(encoder, from);
        states.write_buffer(encoder, to);
        let copy = hal::BufferCopy {
            src_offset: from_offset,
            dst_offset: to_offset,
            size,
        };
        // SAFETY: outside a pass; uses and ranges were checked, barriers are
        // recorded, both are kept.
        unsafe { encoder.copy_buffer_to_buffer(from.0.raw.get(), to.0.raw.get(), &[copy]) };
        Ok(())
    }

    /// Copies a region of `texture` into rows of `buffer`.
    ///
    /// # Errors
    /// As [`Commands::copy_buffer_to_texture`]; always [`Error::State`] inside a
    /// pass.
    pub fn copy_texture_to_buffer(
        &mut self,
        texture: &Texture,
        region: &Region,
        buffer: &Buffer,
        rows: &Rows,
    ) -> Result<()> {
        self.outside_pass("copy_texture_to_buffer")?;
        self.texture_use(texture, wgt::TextureUsages::COPY_SRC)?;
        self.buffer_use(buffer, wgt::BufferUsages::COPY_DST)?;
        let checked = check_region(texture, region, 1)?;
        let copy = buffer_copy(buffer, rows, &checked)?;
        self.touch_texture(texture);
        self.touch_buffer(&buffer.0);
        self.keep(&texture.0);
        self.keep_buffer(buffer);
        let Some((encoder, states)) = self.side(false) else {
            return Err(Error::DeviceLost);
        };
        let state = wgt::TextureUses::COPY_SRC;
        states.acquire(
            encoder,
            texture,
            &Part::one(region.mip, region.layer),
            state,
        );
        states.write_buffer(encoder, buffer);
        let (raw_texture, raw_buffer) = (texture.0.raw.get(), buffer.0.raw.get());
        // SAFETY: as in `copy_buffer_to_texture`.
        unsafe { encoder.copy_texture_to_buffer(raw_texture, state, raw_buffer, &[copy]) };
        Ok(())
    }

    /// Copies region `from_region` of `from` to the same-sized region of `to`
    /// whose level, layer and origin are given. Formats must be the same but for
    /// sRGB, and single-sampled; nothing is scaled.
    ///
    /// # Errors
    /// As [`Commands::copy_texture_to_buffer`]; [`Error::Invalid`] for different
    /// formats or a copy inside one level of one layer.
    pub fn copy_texture_to_texture(
        &mut self,
        from: &Texture,
        from_region: &Region,
        to: &Texture,
        to_mip: u32,
        to_layer: u32,
        to_origin: [u32; 3],
    ) -> Result<()> {
        self.outside_pass("copy_texture_to_texture")?;
        self.texture_use(from, wgt::TextureUsages::COPY_SRC)?;
        self.texture_use(to, wgt::TextureUsages::COPY_DST)?;
        if from.format().remove_srgb_suffix() != to.format().remove_srgb_suffix() {
            return Err(invalid(format!("a copy from {from:?} to {to:?}")));
        }
        let to_region = Region {
            mip: to_mip,
            layer: to_layer,
            origin: to_origin,
            ..*from_region
        };
        let samples = from.samples();
        let source = check_region(from, from_region, samples)?;
        let target = check_region(to, &to_region, samples)?;
        let (from_part, to_part) = (
            Part::one(from_region.mip, from_region.layer),
            Part::one(to_mip, to_layer),
        );
        if from.same(to) && from_part == to_part {
            return Err(invalid(format!("a copy inside one level of {from:?}")));
        }
        for texture in [from, to] {
            self.touch_texture(texture);
            self.keep(&texture.0);
        }
        let Some((encoder, states)) = self.side(false) else {
            return Err(Error::DeviceLost);
        };
        let state = wgt::TextureUses::COPY_SRC;
        states.acquire(encoder, from, &from_part, state);
        states.acquire(encoder, to, &to_part, wgt::TextureUses::COPY_DST);
        let copy = hal::TextureCopy {
            src_base: source.base,
            dst_base: target.base,
            size: source.size,
        };
        let (raw_from, raw_to) = (from.0.raw.get(), to.0.raw.get());
        // SAFETY: outside a pass; formats, uses and regions were checked, both
        // parts are in their copy states, both textures are kept.
        unsafe { encoder.copy_texture_to_texture(raw_from, state, raw_to, &[copy]) };
        Ok(())
    }

    /// Copies a region of `texture` into memory that the program can read once
    /// these commands are done.
    ///
    /// # Errors
    /// As [`Commands::copy_texture_to_buffer`]; [`Error::OutOfMemory`].
    pub fn read_texture(&mut self, texture: &Texture, region: &Region) -> Result<Readback> {
        let checked = check_region(texture, region, 1)?;
        let [across, down, slices] = checked.blocks;
        let row = across * checked.block_bytes;
        let pitch = row.next_multiple_of(READ_PITCH.max(self.gpu.caps().copy_pitch_alignment));
        let lines = u64::from(down) * u64::from(slices);
        let buffer = self.read_buffer(u64::from(pitch) * lines)?;
        let rows = Rows {
            offset: 0,
            bytes_per_row: pitch,
            rows_per_slice: down,
        };
        self.copy_texture_to_buffer(texture, region, &buffer, &rows)?;
        Ok(self.readback(buffer, row as usize, pitch as usize, lines as usize))
    }

    pub(super) fn read_buffer(&self, size: u64) -> Result<Buffer> {
        self.gpu.create_buffer(&BufferDesc {
            label: "readback",
            size,
            usage: wgt::BufferUsages::COPY_DST
                | wgt::BufferUsages::QUERY_RESOLVE
                | wgt::BufferUsages::MAP_READ,
        })
    }

    pub(super) fn readback(
        &self,
        buffer: Buffer,
        row: usize,
        pitch: usize,
        rows: usize,
    ) -> Readback {
        Readback {
            gpu: self.gpu.clone(),
            buffer,
            serial: self.serial,
            submitted: self.submitted.clone(),
            row,
            pitch,
            rows,
        }
    }

    pub(super) fn outside_pass(&self, _call: &'static str) -> Result<()> {
        if self.in_pass() {
            return Err(Error::State(
                "a copy or query reset inside a pass that cannot run early",
            ));
        }
        Ok(())
    }

    /// The encoder and states of the prelude or of the main command buffer.
    pub(super) fn side(
        &mut self,
        early: bool,
    ) -> Option<(&mut dyn hal::DynCommandEncoder, &mut super::state::States)> {
        if early {
            return self.prelude.parts();
        }
        let main = self.main.as_mut()?;
        Some((&mut **main, &mut self.states))
    }

    fn texture_use(&self, texture: &Texture, usage: wgt::TextureUsages) -> Result<()> {
        if !self.owns(texture.0.raw.shared()) || !texture.usage().contains(usage) {
            return Err(invalid(format!(
                "{texture:?} lacks {usage:?} or is of another device"
            )));
        }
        Ok(())
    }

    fn buffer_use(&self, buffer: &Buffer, usage: wgt::BufferUsages) -> Result<()> {
        if !self.owns(buffer.0.raw.shared()) || !buffer.usage().contains(usage) {
            return Err(invalid(format!(
                "{buffer:?} lacks {usage:?} or is of another device"
            )));
        }
        Ok(())
    }
}

/// Checks a region of a texture that must have `samples` samples; more than one are copied whole.
fn check_region(texture: &Texture, region: &Region, samples: u32) -> Result<Checked> {
    let t = &*texture.0;
    let wrong = |what: &str| invalid(format!("{region:?} of {texture:?}: {what}"));
    if region.mip >= t.mips || region.layer >= t.layers || t.samples != samples {
        return Err(wrong(
            "no such level or layer, or another number of samples",
        ));
    }
    if samples > 1 && (region.origin, region.size) != ([0; 3], t.size) {
        return Err(wrong("several samples are copied whole"));
    }
    let aspects = hal::FormatAspects::new(t.format, region.aspect);
    if aspects.is_empty() {
        return Err(wrong("no such aspect"));
    }
    let level = t.mip_size(region.mip);
    let (block_w, block_h) = t.format.block_dimensions();
    let mut blocks = [0; 3];
    for (axis, block) in [block_w, block_h, 1].into_iter().enumerate() {
        let (origin, size) = (region.origin[axis], region.size[axis]);
        // Levels smaller than a block still hold a whole one.
        let edge = level[axis].next_multiple_of(block);
        let end = origin
            .checked_add(size)
            .ok_or_else(|| wrong("it leaves the level"))?;
        if size == 0 || end > edge {
            return Err(wrong("it is empty or leaves the level"));
        }
        if !origin.is_multiple_of(block) || !(end.is_multiple_of(block) || end == level[axis]) {
            return Err(wrong("it is not made of whole blocks"));
        }
        blocks[axis] = size.div_ceil(block);
    }
    Ok(Checked {
        base: hal::TextureCopyBase {
            mip_level: region.mip,
            array_layer: region.layer,
            origin: wgt::Origin3d {
                x: region.origin[0],
                y: region.origin[1],
                z: region.origin[2],
            },
            aspect: aspects,
        },
        size: hal::CopyExtent {
            width: blocks[0] * block_w,
            height: blocks[1] * block_h,
            depth: blocks[2],
        },
        block_bytes: if aspects.is_one() {
            t.format.block_copy_size(Some(region.aspect)).unwrap_or(0)
        } else {
            0
        },
        blocks,
    })
}

/// Checks the rows of a copy between a buffer and a texture.
fn buffer_copy(buffer: &Buffer, rows: &Rows, checked: &Checked) -> Result<hal::BufferTextureCopy> {
    let bytes = checked.block_bytes;
    if bytes == 0 {
        return Err(invalid(
            "this aspect of the format cannot be copied to or from buffers",
        ));
    }
    let [across, down, slices] = checked.blocks.map(u64::from);
    let pitch = u64::from(rows.bytes_per_row);
    let lines = (slices - 1) * u64::from(rows.rows_per_slice) + down - 1;
    let end = pitch
        .checked_mul(lines)
        .and_then(|start| start.checked_add(across * u64::from(bytes)))
        .and_then(|length| length.checked_add(rows.offset));
    let aligned = rows.bytes_per_row.is_multiple_of(bytes)
        && rows
            .bytes_per_row
            .is_multiple_of(buffer.0.raw.shared().caps.copy_pitch_alignment.max(1))
        && rows.offset.is_multiple_of(u64::from(bytes))
        && rows.offset.is_multiple_of(4);
    let apart = pitch >= across * u64::from(bytes)
        && (slices == 1 || u64::from(rows.rows_per_slice) >= down);
    if !aligned || !apart || end.is_none_or(|end| end > buffer.size()) {
        return Err(invalid(format!(
            "{rows:?} of {buffer:?} for {across}x{down}x{slices} blocks of {bytes} bytes: badly \
             aligned, overlapping or outside the buffer"
        )));
    }
    Ok(hal::BufferTextureCopy {
        buffer_layout: wgt::TexelCopyBufferLayout {
            offset: rows.offset,
            bytes_per_row: Some(rows.bytes_per_row),
            rows_per_image: Some(rows.rows_per_slice.max(checked.blocks[1])),
        },
        texture_base: checked.base.clone(),
        size: checked.size,
    })
}
