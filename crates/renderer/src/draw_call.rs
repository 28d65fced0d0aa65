//! One draw, from plain data to recorded commands. The path of a draw whose pipeline is known
//! allocates nothing, takes no lock and hashes no state.

use ninefold_gpu::types::IndexFormat;
use ninefold_gpu::{Buffer, Commands, Piece};
use ninefold_shader::abi;

use crate::bindings::{BindKey, TextureLayout};
use crate::compiler::Ingredients;
use crate::constants::{ALIGN, ConstantLayout, Contents, WINDOWS};
use crate::draw::{Copied, Draw, IndexData, StreamData, Viewport};
use crate::error::{Error, Result};
use crate::geometry::{
    GEOMETRY_ALIGN, Geometry, VertexRange, converted_count, copied_bytes, index_bytes, measure,
    sources, trim, vertex_range, write_geometry,
};
use crate::image::{Image, ImageKind, Rect};
use crate::images::{BLACKS, black_index};
use crate::keys::SamplerId;
use crate::pipeline::{DrawKey, Pipeline};
use crate::recorder::{Bound, TargetInfo};
use crate::renderer::Renderer;
use crate::resident::GeometryBuffer;
use crate::sampling::{clamped, sampling};

/// Direct3D has pixel centres at integer coordinates, the GPU at halves: the viewport moves by half
/// a pixel. It moves a hair less, because geometry made for Direct3D often has texel edges exactly
/// on pixel centres: with the exact half, rounding would pick either texel. The hair is a quarter of
/// the 8-bit sub-pixel step that GPUs round vertices to, so that edges lie where they would without
/// it, and filters read what they would to a 1024th.
const HALF_PIXEL: f32 = 0.5 - 1.0 / 1024.0;

/// Geometry up to this size shares one arena allocation with the constants of its draw.
const SHARED_ALLOCATION: usize = 1 << 20;

/// Where the geometry of a draw is copied to.
#[derive(Clone, Copy)]
struct Place<'a> {
    buffer: &'a Buffer,
    offset: u64,
}

impl Renderer {
    /// Records one draw. Vertices, indices and constants are copied before the call returns.
    /// An empty viewport, an empty scissor or too few vertices for one primitive draw nothing and
    /// succeed.
    ///
    /// # Errors
    /// `Bounds` when an index or vertex lies outside its stream, `Decl` and `Shader` when the
    /// pipeline cannot be built (remembered: the same pipeline fails again at once), `Args` for
    /// targets that do not go together. Nothing is drawn on error.
    pub fn draw(&mut self, draw: &Draw<'_>) -> Result<()> {
        if draw.rewritable {
            self.copies.clear();
        }
        self.recorder.set_targets(draw.targets)?;
        let count = trim(draw.primitive, draw.count);
        let Some(scissor) = visible(draw, self.recorder.info()) else {
            return Ok(());
        };
        if count == 0 {
            return Ok(());
        }
        if self.wants_centres(draw)? {
            return self.draw_at_centres(draw);
        }
        let index = self.find_pipeline(draw)?;
        let pipeline = self.pipelines.get(index);
        let range = vertex_range(draw, count)?;
        let geometry = measure(draw, pipeline, range, count)?;
        self.make_room()?;
        self.recorder.ensure_pass()?;
        self.recorder.distrust();
        self.bind_pipeline(index, draw, scissor)?;
        if !self.bind_textures(index, draw)? {
            return self.draw_with_copies(draw);
        }
        self.bind_large(index, draw)?;
        if let Err(error) = self.record(index, draw, range, count, &geometry) {
            // Windows that were taken may not have been written.
            self.windows.forget();
            return Err(error);
        }
        let stats = &mut self.recorder.stats;
        stats.draws += 1;
        stats.arena_vertex_bytes += geometry.vertices;
        stats.resident_draws += u64::from(geometry.resident != 0);
        stats.resident_bytes += geometry.resident;
        Ok(())
    }

    #[inline]
    fn find_pipeline(&mut self, draw: &Draw<'_>) -> Result<u32> {
        let mut bound_streams = 0u16;
        for (stream, data) in draw.streams.iter().enumerate().take(16) {
            bound_streams |= u16::from(!matches!(data, StreamData::None)) << stream;
        }
        if self.last_samplers != *draw.samplers {
            self.last_samplers = *draw.samplers;
            let borders = self.recorder.gpu.caps().border_clamp;
            self.sampling = match sampling(draw.samplers, borders) {
                None => 0,
                Some(rules) => self.samplings.intern(&rules)?,
            };
        }
        let formats = self.recorder.info().formats;
        if let Some((last, index)) = &self.last_pipeline
            && last.vertex == draw.vertex
            && last.pixel == draw.pixel
            && last.layout == draw.layout
            && last.raster == draw.raster
            && last.blend == draw.blend
            && last.depth_stencil == draw.depth_stencil
            && last.formats == formats
            && last.sampling == self.sampling
            && last.bound_streams == bound_streams
            && last.primitive == draw.primitive
        {
            return Ok(*index);
        }
        let key = DrawKey {
            vertex: draw.vertex,
            pixel: draw.pixel,
            layout: draw.layout,
            raster: draw.raster,
            blend: draw.blend,
            depth_stencil: draw.depth_stencil,
            formats,
            sampling: self.sampling,
            bound_streams,
            primitive: draw.primitive,
        };
        let index = match self.pipelines.find(&key) {
            Some(known) => known?,
            None => self.build_pipeline(&key)?,
        };
        self.last_pipeline = Some((key, index));
        Ok(index)
    }

    #[cold]
    fn build_pipeline(&mut self, key: &DrawKey) -> Result<u32> {
        let (vertex, vertex_named) = self.functions.vertex(key.vertex)?;
        let (pixel, pixel_named) = self.functions.pixel(key.pixel)?;
        let ingredients = Ingredients {
            vertex,
            pixel,
            layout: self.layouts.get(key.layout.0)?.clone(),
            bound_streams: key.bound_streams,
            raster: self.rasters.get(key.raster.0)?.key(),
            blend: key.blend,
            depth_stencil: key.depth_stencil,
            formats: key.formats,
            samplers: self.samplings.get(key.sampling)?.0,
            primitive: key.primitive,
        };
        let recordable = vertex_named && pixel_named;
        self.pipelines
            .build(key, &ingredients, recordable, &self.compiler)
    }

    /// Sets pipeline, viewport, scissor and references where they differ from what is set.
    #[inline]
    fn bind_pipeline(&mut self, index: u32, draw: &Draw<'_>, scissor: Rect) -> Result<()> {
        let pipeline = self.pipelines.get(index);
        let (commands, bound) = self.recorder.pass_state()?;
        if bound.pipeline != Some(index) {
            commands.set_pipeline(&pipeline.native)?;
            bound.textures &= self.bind_key.layout() == pipeline.textures;
            bound.large = false;
            bound.pipeline = Some(index);
        }
        let mut viewport = draw.viewport;
        if pipeline.biased {
            (viewport.min_z, viewport.max_z) = (0.0, 1.0);
        }
        if bound.viewport != Some(viewport) {
            let Viewport {
                x,
                y,
                w,
                h,
                min_z,
                max_z,
            } = viewport;
            let rect = [
                x as f32 + HALF_PIXEL + self.viewport_shift[0],
                y as f32 + HALF_PIXEL + self.viewport_shift[1],
                w as f32,
                h as f32,
            ];
            let depth = min_z.clamp(0.0, 1.0)..max_z.clamp(0.0, 1.0);
            commands.set_viewport(rect, depth)?;
            bound.viewport = Some(viewport);
        }
        if bound.scissor != Some(scissor) {
            commands.set_scissor([scissor.x, scissor.y, scissor.w, scissor.h])?;
            bound.scissor = Some(scissor);
        }
        if bound.stencil_ref != Some(draw.stencil_ref) {
            commands.set_stencil_reference(draw.stencil_ref.into())?;
            bound.stencil_ref = Some(draw.stencil_ref);
        }
        if bound.blend_factor != Some(draw.blend_factor) {
            commands.set_blend_constant(draw.blend_factor)?;
            bound.blend_factor = Some(draw.blend_factor);
        }
        Ok(())
    }

    /// Binds textures and samplers, unless one of the textures is attached to the pass: `false`.
    #[inline]
    fn bind_textures(&mut self, index: u32, draw: &Draw<'_>) -> Result<bool> {
        let pipeline = self.pipelines.get(index);
        let layout = pipeline.textures;
        // The group of large constants comes after that of textures, which is there with it.
        if layout.is_empty() && pipeline.large.is_none() {
            return Ok(true);
        }
        let same = self
            .bind_key
            .update(layout, entries(layout, draw, &self.black));
        let (commands, bound) = self.recorder.pass_state()?;
        if same && bound.textures {
            return Ok(true);
        }
        bound.textures = false;
        let slot = match self.bindings.find_group(&self.bind_key) {
            Some(slot) => slot,
            None => {
                let gpu = commands.gpu();
                make_group(&self.black, &mut self.bindings, gpu, &self.bind_key, draw)?
            }
        };
        match commands.set_bind_group(1, self.bindings.group_at(slot)?, &[]) {
            Ok(()) => {}
            Err(ninefold_gpu::Error::Feedback) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        bound.textures = true;
        Ok(true)
    }

    /// Binds the constants that do not fit the windows.
    #[inline]
    fn bind_large(&mut self, index: u32, draw: &Draw<'_>) -> Result<()> {
        let Some(stages) = &self.pipelines.get(index).large else {
            return Ok(());
        };
        let recorder = &mut self.recorder;
        let (group, bytes) = self
            .large
            .group(&recorder.gpu, &mut recorder.arena, stages, draw)?;
        recorder.bytes += bytes as u64;
        recorder.stats.arena_bytes += bytes as u64;
        let (commands, bound) = recorder.pass_state()?;
        if bytes > 0 || !bound.large {
            commands.set_bind_group(abi::LARGE_GROUP, group, &[])?;
            bound.large = true;
        }
        Ok(())
    }

    /// Takes room in the arena for the constants that changed and for the geometry, records the
    /// draw, and copies both last: what follows a copy into the arena's write-combined memory may
    /// have to wait for it, and so nothing does. For the same reason no handle of a buffer is taken
    /// unless the arena moved on.
    #[inline]
    fn record(
        &mut self,
        index: u32,
        draw: &Draw<'_>,
        range: VertexRange,
        count: u32,
        geometry: &Geometry,
    ) -> Result<()> {
        let pipeline = self.pipelines.get(index);
        let constants = &pipeline.constants;
        // A fixed-function block and a program's registers may carry equal generations; the owner
        // of the window tells them apart. Extras have one owner, so these count on their own.
        let contents = Contents {
            generations: [
                draw.vs_floats.generation,
                draw.ps_floats.generation,
                draw.vs_extras.generation,
                draw.ps_extras.generation,
            ],
            depth: if pipeline.biased {
                self.rasters.get(draw.raster.0)?.depth_map(&draw.viewport)
            } else {
                [0.0; 2]
            },
        };
        let shared = geometry.bytes <= SHARED_ALLOCATION;
        let with = if shared { geometry.bytes } else { 0 };
        // A second round only when the arena moved on to another buffer, where every window of
        // this draw must be.
        for _ in 0..4 {
            let stale = self.windows.stale(constants, &contents);
            let mut bytes = 0;
            for window in 0..WINDOWS {
                if stale & (1 << window) != 0 {
                    bytes += constants.bytes(window).next_multiple_of(ALIGN);
                }
            }
            let recorder = &mut self.recorder;
            let size = (bytes + with).max(4);
            let piece = recorder.arena.piece(size, ALIGN as u64)?;
            if !self.windows.move_to(piece.buffer)
                && stale != self.windows.stale(constants, &contents)
            {
                continue;
            }
            let mut at = piece.offset as u32;
            let mut offsets = self.windows.offsets();
            for window in 0..WINDOWS {
                if stale & (1 << window) != 0 {
                    self.windows.wrote(window, constants, &contents);
                    offsets.set(window, at);
                    at += constants.bytes(window).next_multiple_of(ALIGN) as u32;
                }
            }
            self.windows.set_offsets(offsets);
            recorder.bytes += size as u64;
            recorder.stats.arena_bytes += size as u64;
            let Some(commands) = &mut recorder.commands else {
                return Err(Error::state("no command buffer"));
            };
            let (serial, group) = self.windows.group(&recorder.gpu)?;
            if recorder.bound.windows != Some((serial, offsets)) {
                commands.set_bind_group(0, group, &offsets.array())?;
                recorder.bound.windows = Some((serial, offsets));
            }
            if recorder.queries.wants_set() {
                recorder.queries.begin_segment(commands)?;
            }
            let place = Place {
                buffer: piece.buffer,
                offset: piece.offset + bytes as u64,
            };
            if draw.rewritable && shared {
                let geometry_at = bytes as u64;
                note_copies(
                    &mut self.copies,
                    pipeline,
                    draw,
                    range,
                    geometry,
                    &piece,
                    geometry_at,
                );
            }
            let (head, tail) = piece.data.split_at_mut(bytes);
            if shared {
                let defaults = &self.defaults;
                let bound = &mut recorder.bound;
                record_geometry(
                    commands, bound, pipeline, draw, range, count, geometry, place, defaults,
                )?;
                write_constants(constants, stale, &contents, draw, pipeline.biased, head);
                write_geometry(draw, pipeline, range, count, geometry, tail);
            } else {
                write_constants(constants, stale, &contents, draw, pipeline.biased, head);
                self.record_large(index, draw, range, count, geometry)?;
            }
            return Ok(());
        }
        Err(Error::state("the arena does not settle"))
    }

    /// Records a draw whose geometry has an allocation of its own.
    #[cold]
    fn record_large(
        &mut self,
        index: u32,
        draw: &Draw<'_>,
        range: VertexRange,
        count: u32,
        geometry: &Geometry,
    ) -> Result<()> {
        let pipeline = self.pipelines.get(index);
        let recorder = &mut self.recorder;
        let piece = recorder.arena.piece(geometry.bytes, ALIGN as u64)?;
        recorder.bytes += geometry.bytes as u64;
        recorder.stats.arena_bytes += geometry.bytes as u64;
        let Some(commands) = &mut recorder.commands else {
            return Err(Error::state("no command buffer"));
        };
        let place = Place {
            buffer: piece.buffer,
            offset: piece.offset,
        };
        let defaults = &self.defaults;
        let bound = &mut recorder.bound;
        record_geometry(
            commands, bound, pipeline, draw, range, count, geometry, place, defaults,
        )?;
        if draw.rewritable {
            note_copies(&mut self.copies, pipeline, draw, range, geometry, &piece, 0);
        }
        write_geometry(draw, pipeline, range, count, geometry, piece.data);
        Ok(())
    }

    /// The copies of streams that the last rewritable draw reads.
    pub fn copied(&self) -> &[Copied] {
        &self.copies
    }

    /// Changes what a draw that was recorded, but not submitted, reads from byte `at` of a copy
    /// on, as if its stream had held `bytes` already. `false` when it was submitted meanwhile.
    pub fn rewrite(&mut self, copy: &Copied, at: usize, bytes: &[u8]) -> bool {
        self.recorder.arena.rewrite(&copy.spot, at as u64, bytes)
    }
}

/// Notes where the streams of a draw will go, from byte `at` of a piece on, in the order of
/// [`write_geometry`]. Before they do: what is read back here was written before them then, and need
/// not wait until they have left the processor.
#[inline]
fn note_copies(
    copies: &mut Vec<Copied>,
    pipeline: &Pipeline,
    draw: &Draw<'_>,
    range: VertexRange,
    geometry: &Geometry,
    piece: &Piece<'_>,
    mut at: u64,
) {
    copies.clear();
    for (stream, source) in sources(draw, pipeline) {
        if !stream.native || !matches!(source, StreamData::Bytes(_)) {
            continue;
        }
        let len = copied_bytes(stream.stride, stream.end, range, geometry);
        copies.push(Copied {
            stream: stream.stream,
            start: geometry.skipped as usize * stream.stride as usize,
            len,
            spot: piece.spot(at, len as u64),
        });
        at += len.next_multiple_of(GEOMETRY_ALIGN) as u64;
    }
}

/// Packs the constants of the stale windows.
#[inline]
fn write_constants(
    constants: &ConstantLayout,
    stale: u8,
    contents: &Contents,
    draw: &Draw<'_>,
    biased: bool,
    out: &mut [u8],
) {
    let mut at = 0;
    for window in 0..WINDOWS {
        if stale & (1 << window) == 0 {
            continue;
        }
        let size = constants.bytes(window);
        let out = &mut out[at..at + size];
        match window {
            0 => constants.pack(0, draw.vs_floats.file, bytemuck::cast_slice_mut(out)),
            1 => constants.pack(1, draw.ps_floats.file, bytemuck::cast_slice_mut(out)),
            2 if biased => {
                let mut values = *draw.vs_extras.values;
                values.misc[1][..2].copy_from_slice(&contents.depth);
                out.copy_from_slice(bytemuck::bytes_of(&values));
            }
            2 => out.copy_from_slice(bytemuck::bytes_of(draw.vs_extras.values)),
            _ => out.copy_from_slice(bytemuck::bytes_of(draw.ps_extras.values)),
        }
        at += size.next_multiple_of(ALIGN);
    }
}

/// Binds vertices and indices and draws. Sets them as [`write_geometry`] will lay them out at
/// `place`.
#[inline]
#[allow(clippy::too_many_arguments)]
fn record_geometry(
    commands: &mut Commands,
    bound: &mut Bound,
    pipeline: &Pipeline,
    draw: &Draw<'_>,
    range: VertexRange,
    count: u32,
    geometry: &Geometry,
    place: Place<'_>,
    defaults: &Buffer,
) -> Result<()> {
    let Place {
        buffer,
        offset: base,
    } = place;
    let mut at = 0u64;
    let shift = shift_in_slab(pipeline, draw);
    for (stream, source) in sources(draw, pipeline) {
        if !stream.native {
            continue;
        }
        let slot = stream.slot.into();
        match source {
            StreamData::None => {}
            StreamData::Bytes(_) => {
                let size = copied_bytes(stream.stride, stream.end, range, geometry) as u64;
                commands.set_vertex_buffer(slot, buffer, base + at, size)?;
                bound.streams[slot as usize] = 0;
                at += size.next_multiple_of(GEOMETRY_ALIGN as u64);
            }
            StreamData::Resident {
                buffer,
                offset,
                size,
            } => {
                let offset = buffer.start + offset;
                let tail = offset + size == buffer.start + buffer.size();
                let offset = offset - u64::from(shift) * u64::from(stream.stride);
                let binding = match tail || buffer.shares() {
                    true => binding_name(buffer, offset),
                    false => 0,
                };
                if binding == 0 {
                    commands.set_vertex_buffer(slot, &buffer.buffer, offset, size)?;
                } else if bound.streams[slot as usize] != binding {
                    let size = buffer.buffer.size() - offset;
                    commands.set_vertex_buffer(slot, &buffer.buffer, offset, size)?;
                }
                bound.streams[slot as usize] = binding;
            }
        }
    }
    for convert in &pipeline.converts {
        let size = 16 * converted_count(pipeline, convert.stream, range, geometry) as u64;
        commands.set_vertex_buffer(convert.slot.into(), buffer, base + at, size)?;
        bound.streams[usize::from(convert.slot)] = 0;
        at += size;
    }
    if let Some(slot) = pipeline.defaults {
        commands.set_vertex_buffer(slot.into(), defaults, 0, defaults.size())?;
        bound.streams[usize::from(slot)] = 0;
    }
    let Some(indices) = draw.indices else {
        let first = (range.first - i64::from(geometry.skipped)) as u32 + shift;
        return Ok(commands.draw(first..first + count, 0..1)?);
    };
    let base_vertex = i64::from(draw.base_vertex) - i64::from(geometry.skipped) + i64::from(shift);
    let base_vertex =
        i32::try_from(base_vertex).map_err(|_| Error::bounds("BaseVertexIndex is out of range"))?;
    let at = base + geometry.indices as u64;
    let size = u64::from(count);
    let first = match indices {
        IndexData::U16(_) => {
            commands.set_index_buffer(buffer, IndexFormat::Uint16, at, size * 2)?;
            bound.indices = None;
            0
        }
        IndexData::U32(_) => {
            commands.set_index_buffer(buffer, IndexFormat::Uint32, at, size * 4)?;
            bound.indices = None;
            0
        }
        IndexData::Resident {
            buffer,
            offset,
            wide,
            ..
        } => {
            let format = match wide {
                true => IndexFormat::Uint32,
                false => IndexFormat::Uint16,
            };
            // All of the GPU's buffer, so that draws of its other parts find it bound.
            if bound.indices != Some((buffer.whole, format)) {
                let size = buffer.buffer.size();
                commands.set_index_buffer(&buffer.buffer, format, 0, size)?;
                bound.indices = Some((buffer.whole, format));
            }
            let start = (buffer.start + offset) / index_bytes(wide);
            u32::try_from(start)
                .ok()
                .and_then(|start| start.checked_add(draw.first))
                .ok_or_else(|| Error::bounds("the first index is out of range"))?
        }
    };
    Ok(commands.draw_indexed(first..first + count, base_vertex, 0..1)?)
}

/// Vertices between the beginning of a slab and what the draw reads there, if that is all that it
/// reads: they are added to its vertex numbers, so that one binding serves the slab's copies. Shaders
/// take the numbers modulo the corners of a primitive where textures wrap; such draws read no copies.
#[inline]
fn shift_in_slab(pipeline: &Pipeline, draw: &Draw<'_>) -> u32 {
    let [stream] = pipeline.streams.as_slice() else {
        return 0;
    };
    let stride = u64::from(stream.stride);
    match draw.streams.get(usize::from(stream.stream)) {
        Some(StreamData::Resident { buffer, offset, .. })
            if buffer.shares() && stride != 0 && stride.is_multiple_of(4) =>
        {
            ((buffer.start + offset) / stride) as u32
        }
        _ => 0,
    }
}

/// The name of what lies between an offset in the GPU's buffer and its end, by which draws know that
/// it is bound already.
#[inline]
fn binding_name(buffer: &GeometryBuffer, offset: u64) -> u64 {
    match u32::try_from(offset) {
        Ok(offset) => u64::from(buffer.whole) << 32 | u64::from(offset),
        Err(_) => 0,
    }
}

/// Viewport, scissor and target intersected; `None` when nothing is left.
#[inline]
fn visible(draw: &Draw<'_>, info: &TargetInfo) -> Option<Rect> {
    let view = &draw.viewport;
    let (mut x, mut y) = (view.x, view.y);
    let mut right = info.width.min(view.x.saturating_add(view.w));
    let mut bottom = info.height.min(view.y.saturating_add(view.h));
    if let Some(scissor) = &draw.scissor {
        x = x.max(scissor.x);
        y = y.max(scissor.y);
        right = right.min(scissor.x.saturating_add(scissor.w));
        bottom = bottom.min(scissor.y.saturating_add(scissor.h));
    }
    (x < right && y < bottom).then(|| Rect {
        x,
        y,
        w: right - x,
        h: bottom - y,
    })
}

/// What the bind group of a draw holds, by stage: the bound image of the declared kind, else opaque
/// black.
#[inline]
fn entries<'a>(
    layout: TextureLayout,
    draw: &'a Draw<'_>,
    black: &'a [Image; BLACKS],
) -> impl Iterator<Item = (u32, bool, SamplerId)> + 'a {
    layout.stages().map(move |(stage, kind, compares)| {
        let mut sampler = draw.samplers.get(stage).copied().unwrap_or(SamplerId(0));
        if kind == ImageKind::Cube {
            sampler = clamped(sampler);
        }
        match bound_image(draw, stage, kind, compares) {
            Some((image, srgb)) => (image.id(), srgb, sampler),
            None => (black[black_index(kind, compares)].id(), false, sampler),
        }
    })
}

#[inline]
fn bound_image<'a>(
    draw: &'a Draw<'_>,
    stage: usize,
    kind: ImageKind,
    compares: bool,
) -> Option<(&'a Image, bool)> {
    let binding = draw.textures.get(stage)?.as_ref()?;
    let desc = binding.image.desc();
    let fits = desc.kind == kind
        && desc.samples == 1
        && desc.usage.contains(crate::ImageUsage::SAMPLED)
        && (!compares || desc.format.is_depth());
    fits.then_some((&binding.image, binding.srgb))
}

#[cold]
fn make_group(
    black: &[Image; BLACKS],
    bindings: &mut crate::bindings::Bindings,
    gpu: &ninefold_gpu::Gpu,
    key: &BindKey,
    draw: &Draw<'_>,
) -> Result<u32> {
    let mut views = Vec::new();
    for ((stage, kind, compares), (entry, _)) in key.layout().stages().zip(key.entries()) {
        let id = (entry >> 1) as u32;
        let (image, srgb) = match bound_image(draw, stage, kind, compares) {
            Some((image, srgb)) if image.id() == id => (image, srgb),
            _ => (&black[black_index(kind, compares)], false),
        };
        image
            .0
            .bound
            .store(true, std::sync::atomic::Ordering::Relaxed);
        views.push(image.0.sampled_view(srgb)?);
    }
    bindings.make_group(gpu, key, &views)
}
