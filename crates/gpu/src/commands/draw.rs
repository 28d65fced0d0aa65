//! Calls inside a pass. Each costs a few compares over what hal does, and
//! nothing here allocates once a resource is known to the submission.

use std::ops::Range;
use std::sync::atomic::Ordering;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::Commands;
use super::pass::{FIRST_SLOT, NO_PIPELINE, Pass};
use crate::adapter::MAX_IMMEDIATES;
use crate::bind::BindGroup;
use crate::buffer::Buffer;
use crate::error::{Error, Result, invalid};
use crate::pipeline::RenderPipeline;

const NO_PASS: Error = Error::State("no pass is open");

#[cold]
pub(super) fn no_pass() -> Error {
    NO_PASS
}

impl Commands {
    /// Sets the pipeline of the draws that follow. Bind groups stay bound as far
    /// as the layouts agree, from group 0 on.
    ///
    /// # Errors
    /// [`Error::State`] without a pass; [`Error::Invalid`] when the pipeline was
    /// made for other attachment formats or sample counts, or another device.
    pub fn set_pipeline(&mut self, pipeline: &RenderPipeline) -> Result<()> {
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        let p = &*pipeline.0;
        let mut new_layout = true;
        if let Some(current) = pass.pipeline.and_then(|at| self.pipelines.get(at as usize)) {
            if current.same(pipeline) {
                return Ok(());
            }
            new_layout = current.0.layout.0.id != p.layout.0.id;
        }
        if p.signature != pass.signature
            || !std::sync::Arc::ptr_eq(p.raw.shared(), self.gpu.shared())
        {
            return Err(wrong_pipeline());
        }
        let layout = &*p.layout.0;
        let mut fresh_immediates = 0;
        if new_layout {
            let agree = if pass.immediates == layout.immediates {
                let pairs = pass.groups.iter().zip(&layout.ids);
                pairs.take_while(|(have, want)| have == want).count()
            } else {
                fresh_immediates = layout.immediates;
                pass.immediates = layout.immediates;
                0
            };
            pass.groups[agree..].fill(0);
        }
        let mut missing = u64::from(p.vertex_slots & !pass.slots) << FIRST_SLOT;
        for (n, (have, want)) in pass.groups.iter().zip(&layout.ids).enumerate() {
            missing |= u64::from(have != want) << n;
        }
        pass.missing = missing;
        let slot = self.keep_pipeline(pipeline);
        if let Some(pass) = &mut self.pass {
            pass.pipeline = Some(slot);
        }
        // SAFETY: a pass is open whose attachments fit the pipeline; it is kept.
        unsafe { self.encoder().set_render_pipeline(p.raw.get()) };
        let zeros = [0; MAX_IMMEDIATES];
        let zeros = zeros.get(..fresh_immediates as usize / 4).unwrap_or(&zeros);
        if !zeros.is_empty() {
            // SAFETY: a pass is open and layouts have `MAX_IMMEDIATES` words at most.
            unsafe { self.encoder().set_immediates(layout.raw.get(), 0, zeros) };
        }
        Ok(())
    }

    /// Binds `group` at `index` of the pipeline's layout, with one offset for
    /// each dynamic uniform binding in the order of binding numbers.
    ///
    /// # Errors
    /// [`Error::State`] without a pass or pipeline; [`Error::Invalid`] when the
    /// layout has another group there, or the number, alignment or range of the
    /// offsets is wrong; [`Error::Feedback`].
    #[inline]
    pub fn set_bind_group(&mut self, index: u32, group: &BindGroup, offsets: &[u32]) -> Result<()> {
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        let g = &*group.0;
        if g.pass.load(Ordering::Relaxed) != pass.id {
            self.admit(group)?;
        }
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        let Some(pipeline) = pass.pipeline.and_then(|at| self.pipelines.get(at as usize)) else {
            return Err(Error::State("set_bind_group before set_pipeline"));
        };
        let layout = &*pipeline.0.layout.0;
        let align = self.gpu.shared().caps.uniform_alignment;
        let fits = layout.ids.get(index as usize) == Some(&g.layout_id)
            && offsets.len() == g.dynamic.len()
            && offsets
                .iter()
                .zip(&g.dynamic)
                .all(|(&offset, &most)| u64::from(offset) <= most && offset.is_multiple_of(align));
        if !fits {
            return Err(wrong_group(
                index,
                group,
                offsets,
                layout.ids.get(index as usize),
            ));
        }
        pass.groups[index as usize] = g.layout_id;
        pass.missing &= !(1 << index);
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        // SAFETY: a pass is open; the group's layout is the pipeline layout's at
        // this index; there are as many offsets as dynamic bindings, each aligned
        // and with its window inside the buffer; `admit` keeps the group and made
        // sure that its textures are at rest.
        unsafe { main.set_bind_group(layout.raw.get(), index, g.raw.get(), offsets) };
        Ok(())
    }

    /// First use of a group in this pass: keeps it and looks for feedback.
    #[cold]
    fn admit(&mut self, group: &BindGroup) -> Result<()> {
        let g = &*group.0;
        if !self.owns(g.raw.shared()) {
            return Err(invalid("a bind group of another device"));
        }
        let Some(pass) = &self.pass else {
            return Err(no_pass());
        };
        for view in &g.views {
            let feedback = pass.attachments.iter().any(|(texture, part)| {
                texture.same(&view.0.texture)
                    && part.overlaps(&view.0.desc.mips, &view.0.desc.layers)
            });
            if feedback {
                return Err(Error::Feedback);
            }
        }
        for view in &g.views {
            self.touch_texture(&view.0.texture);
        }
        for buffer in &g.buffers {
            self.touch_buffer(&buffer.0);
            // For buffers this also lists those that need flushing.
            if !buffer.0.coherent {
                self.keep_buffer(buffer);
            }
        }
        let id = self.pass.as_ref().map_or(0, |pass| pass.id);
        self.keep(&group.0);
        g.pass.store(id, Ordering::Relaxed);
        Ok(())
    }

    /// Binds `size` bytes of `buffer` from `offset` (a multiple of 4) as vertex
    /// buffer `slot`.
    ///
    /// # Errors
    /// [`Error::State`] without a pass; [`Error::Invalid`] for a slot over 15, a
    /// buffer without `VERTEX` or of another device, and ranges outside it.
    #[inline]
    pub fn set_vertex_buffer(
        &mut self,
        slot: u32,
        buffer: &Buffer,
        offset: u64,
        size: u64,
    ) -> Result<()> {
        if self.pass.is_none() {
            return Err(no_pass());
        }
        if slot >= hal::MAX_VERTEX_BUFFERS as u32
            || !offset.is_multiple_of(4)
            || !range_fits(buffer, wgt::BufferUsages::VERTEX, offset, size)
        {
            return Err(wrong_range("vertex", slot, buffer, offset, size));
        }
        self.use_buffer(buffer)?;
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        pass.slots |= 1 << slot;
        pass.missing &= !(1 << (FIRST_SLOT + slot));
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        let size = std::num::NonZeroU64::new(size);
        let binding = hal::BufferBinding::new_unchecked(buffer.0.raw.get(), offset, size);
        // SAFETY: a pass is open, the range is inside the buffer, which has the
        // use and is kept.
        unsafe { main.set_vertex_buffer(slot, binding) };
        Ok(())
    }

    /// Binds `size` bytes of `buffer` from `offset` (a multiple of the index
    /// size) as indices.
    ///
    /// # Errors
    /// [`Error::State`] without a pass; [`Error::Invalid`] for a buffer without
    /// `INDEX` or of another device, and ranges outside it.
    #[inline]
    pub fn set_index_buffer(
        &mut self,
        buffer: &Buffer,
        format: wgt::IndexFormat,
        offset: u64,
        size: u64,
    ) -> Result<()> {
        if self.pass.is_none() {
            return Err(no_pass());
        }
        let each = format.byte_size() as u64;
        if !offset.is_multiple_of(each)
            || !range_fits(buffer, wgt::BufferUsages::INDEX, offset, size)
        {
            return Err(wrong_range("index", 0, buffer, offset, size));
        }
        self.use_buffer(buffer)?;
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        pass.indices = Some((format, size / each));
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        let size = std::num::NonZeroU64::new(size);
        let binding = hal::BufferBinding::new_unchecked(buffer.0.raw.get(), offset, size);
        // SAFETY: as in `set_vertex_buffer`.
        unsafe { main.set_index_buffer(binding, format) };
        Ok(())
    }

    #[inline]
    fn use_buffer(&mut self, buffer: &Buffer) -> Result<()> {
        // Equal stamps mean that these commands, and so this device, know it.
        if buffer.0.touched.load(Ordering::Relaxed) != self.serial
            || buffer.0.kept.load(Ordering::Relaxed) != self.serial
        {
            if !self.owns(buffer.0.raw.shared()) {
                return Err(invalid("a buffer of another device"));
            }
            self.touch_buffer(&buffer.0);
            self.keep_buffer(buffer);
        }
        Ok(())
    }

    /// Sets the viewport: left, top, width and height in pixels and the depth
    /// range. Clip space +y is up, so that it maps to `y`.
    ///
    /// # Errors
    /// [`Error::State`] without a pass; [`Error::Invalid`] for values that are not
    /// finite, an empty rectangle, one over twice the largest texture away, and
    /// depths outside 0 to 1.
    pub fn set_viewport(&mut self, rect: [f32; 4], depth: Range<f32>) -> Result<()> {
        if self.pass.is_none() {
            return Err(no_pass());
        }
        let [x, y, w, h] = rect;
        let most = self.gpu.caps().max_texture_2d as f32;
        let fits = w > 0.0
            && h > 0.0
            && w <= most
            && h <= most
            && x >= -2.0 * most
            && y >= -2.0 * most
            && x + w <= 2.0 * most - 1.0
            && y + h <= 2.0 * most - 1.0
            && (0.0..=1.0).contains(&depth.start)
            && (0.0..=1.0).contains(&depth.end);
        if !fits {
            return Err(invalid(format!("viewport {rect:?} with depths {depth:?}")));
        }
        // SAFETY: a pass is open and the values are in the device's range.
        unsafe {
            self.encoder()
                .set_viewport(&hal::Rect { x, y, w, h }, depth)
        };
        Ok(())
    }

    /// Sets the scissor rectangle: left, top, width and height in pixels. What
    /// leaves the target is cut off.
    ///
    /// # Errors
    /// [`Error::State`] without a pass.
    pub fn set_scissor(&mut self, rect: [u32; 4]) -> Result<()> {
        let Some(pass) = &self.pass else {
            return Err(no_pass());
        };
        let [x, y, w, h] = rect;
        let [width, height] = pass.extent;
        let (x, y) = (x.min(width), y.min(height));
        let rect = hal::Rect {
            x,
            y,
            w: w.min(width - x),
            h: h.min(height - y),
        };
        // SAFETY: a pass is open and the rectangle is inside its target.
        unsafe { self.encoder().set_scissor_rect(&rect) };
        Ok(())
    }

    /// Sets the blend constant, RGBA (`D3DRS_BLENDFACTOR`).
    ///
    /// # Errors
    /// [`Error::State`] without a pass.
    pub fn set_blend_constant(&mut self, color: [f32; 4]) -> Result<()> {
        if self.pass.is_none() {
            return Err(no_pass());
        }
        // SAFETY: a pass is open.
        unsafe { self.encoder().set_blend_constants(&color) };
        Ok(())
    }

    /// Sets the stencil reference (`D3DRS_STENCILREF`), of which the low 8 bits count.
    ///
    /// # Errors
    /// [`Error::State`] without a pass.
    pub fn set_stencil_reference(&mut self, value: u32) -> Result<()> {
        if self.pass.is_none() {
            return Err(no_pass());
        }
        // SAFETY: a pass is open.
        unsafe { self.encoder().set_stencil_reference(value & 0xff) };
        Ok(())
    }

    /// Writes words into the immediates (push constants), from byte `offset`, a
    /// multiple of 4. They are zero in a new pass and after setting a pipeline
    /// whose layout has another size of immediates.
    ///
    /// # Errors
    /// [`Error::State`] without a pass or pipeline; [`Error::Invalid`] when the
    /// words do not fit the layout's immediates.
    pub fn set_immediates(&mut self, offset: u32, words: &[u32]) -> Result<()> {
        let Some(pass) = &self.pass else {
            return Err(no_pass());
        };
        let Some(pipeline) = pass.pipeline.and_then(|at| self.pipelines.get(at as usize)) else {
            return Err(Error::State("set_immediates before set_pipeline"));
        };
        let layout = &*pipeline.0.layout.0;
        let end = u64::from(offset) + words.len() as u64 * 4;
        if !offset.is_multiple_of(4) || end > u64::from(layout.immediates) {
            return Err(invalid(format!(
                "{} words of immediates at {offset}, the layout has {} bytes",
                words.len(),
                layout.immediates
            )));
        }
        if words.is_empty() {
            return Ok(());
        }
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        // SAFETY: a pass is open and the range is inside the layout's.
        unsafe { main.set_immediates(layout.raw.get(), offset, words) };
        Ok(())
    }

    /// Draws `vertices` once for each of `instances`. Vertices past the end of a
    /// buffer read as zeros or as other parts of that buffer.
    ///
    /// # Errors
    /// [`Error::State`] without a pass, a pipeline, one of its bind groups or one
    /// of its vertex buffers.
    #[inline]
    pub fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) -> Result<()> {
        let Some(pass) = &self.pass else {
            return Err(no_pass());
        };
        if pass.missing != 0 {
            return Err(missing(pass));
        }
        if vertices.is_empty() || instances.is_empty() {
            return Ok(());
        }
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        // SAFETY: everything that the pipeline reads is bound and kept, and the
        // device reads buffers robustly.
        unsafe {
            main.draw(
                vertices.start,
                vertices.end - vertices.start,
                instances.start,
                instances.end - instances.start,
            );
        }
        Ok(())
    }

    /// Draws the vertices that `indices` of the index buffer name, plus
    /// `base_vertex` (`BaseVertexIndex`), once for each of `instances`.
    ///
    /// # Errors
    /// As [`Commands::draw`], and [`Error::State`] without an index buffer;
    /// [`Error::Invalid`] when `indices` leaves the bound range.
    #[inline]
    pub fn draw_indexed(
        &mut self,
        indices: Range<u32>,
        base_vertex: i32,
        instances: Range<u32>,
    ) -> Result<()> {
        let Some(pass) = &self.pass else {
            return Err(no_pass());
        };
        if pass.missing != 0 {
            return Err(missing(pass));
        }
        let Some((format, count)) = pass.indices else {
            return Err(Error::State("draw_indexed without an index buffer"));
        };
        if u64::from(indices.end) > count {
            return Err(invalid(format!(
                "indices {indices:?} of {count} that are bound"
            )));
        }
        let pipeline = pass.pipeline.and_then(|at| self.pipelines.get(at as usize));
        let strip = pipeline.and_then(|pipeline| pipeline.0.strip_index);
        if strip.is_some_and(|strip| strip != format) {
            return Err(Error::State(
                "the strip's index format is not that of the index buffer",
            ));
        }
        if indices.is_empty() || instances.is_empty() {
            return Ok(());
        }
        let Some(main) = &mut self.main else {
            return Err(no_pass());
        };
        // SAFETY: as in `draw`, and the indices are inside the bound range.
        unsafe {
            main.draw_indexed(
                indices.start,
                indices.end - indices.start,
                base_vertex,
                instances.start,
                instances.end - instances.start,
            );
        }
        Ok(())
    }
}

fn range_fits(buffer: &Buffer, usage: wgt::BufferUsages, offset: u64, size: u64) -> bool {
    buffer.0.usage.contains(usage)
        && size > 0
        && offset
            .checked_add(size)
            .is_some_and(|end| end <= buffer.0.size)
}

#[cold]
fn wrong_range(what: &str, slot: u32, buffer: &Buffer, offset: u64, size: u64) -> Error {
    invalid(format!(
        "{what} buffer {slot}: {size} bytes at {offset} of {buffer:?} are empty, outside it, badly \
         aligned, or it lacks the use"
    ))
}

#[cold]
fn wrong_pipeline() -> Error {
    invalid("the pipeline is for attachments of other formats or sample counts than the pass has")
}

#[cold]
fn wrong_group(index: u32, group: &BindGroup, offsets: &[u32], want: Option<&u64>) -> Error {
    if want != Some(&group.0.layout_id) {
        return invalid(format!(
            "bind group {index} has another layout than the pipeline's"
        ));
    }
    invalid(format!(
        "bind group {index}: dynamic offsets {offsets:?} must be {} aligned ones up to {:?}",
        group.0.dynamic.len(),
        group.0.dynamic
    ))
}

#[cold]
fn missing(pass: &Pass) -> Error {
    if pass.missing & NO_PIPELINE != 0 {
        Error::State("a draw before set_pipeline")
    } else if pass.missing >> FIRST_SLOT != 0 {
        Error::State("a draw without one of the pipeline's vertex buffers")
    } else {
        Error::State("a draw without one of the pipeline's bind groups")
    }
}
