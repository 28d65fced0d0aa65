//! One draw, from plain data to recorded commands. The path of a draw whose pipeline is known
//! allocates nothing, takes no lock and hashes no state.

use ninefold_gpu::Buffer;
use ninefold_gpu::types::IndexFormat;

use crate::bindings::{BindKey, TextureLayout};
use crate::constants::{ALIGN, Contents, WINDOWS};
use crate::draw::{Draw, IndexData, Primitive, StreamData, Viewport};
use crate::error::{Error, Result};
use crate::image::{Image, ImageKind, Rect};
use crate::keys::SamplerId;
use crate::pack::{mirror_once_axes, unpack_depth_stencil};
use crate::pipeline::{BuildContext, DrawKey, Pipeline};
use crate::recorder::TargetInfo;
use crate::renderer::Renderer;

/// Direct3D has pixel centres at integer coordinates, the GPU at halves: the viewport moves by half
/// a pixel. It moves a hair less, because geometry made for Direct3D often has texel edges exactly
/// on pixel centres: with the exact half, rounding would pick either texel. 1/128 is half the
/// smallest step of 8-bit sub-pixel precision that GPUs promise less than, so that no edge moves
/// over a pixel centre.
const HALF_PIXEL: f32 = 0.5 - 1.0 / 128.0;

/// Geometry up to this size shares one arena allocation with the constants of its draw.
const SHARED_ALLOCATION: usize = 1 << 20;

/// Vertices that a draw reads, both ends included.
#[derive(Clone, Copy)]
struct VertexRange {
    first: i64,
    last: i64,
}

impl VertexRange {
    fn count(self) -> usize {
        (self.last - self.first + 1) as usize
    }
}

/// Where the geometry of a draw lies inside its allocation.
#[derive(Clone, Copy, Default)]
struct Geometry {
    bytes: usize,
    /// Vertices at the start of the streams that are not copied.
    skipped: u32,
    /// Offset of the copied indices.
    indices: usize,
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
        let info = self.recorder.target_info(draw.targets)?;
        let count = trim(draw.primitive, draw.count);
        let Some(scissor) = visible(draw, &info) else {
            return Ok(());
        };
        if count == 0 {
            return Ok(());
        }
        let index = self.find_pipeline(draw, &info)?;
        let pipeline = self.pipelines.get(index);
        let range = vertex_range(draw, count)?;
        let geometry = measure(draw, pipeline, range, count)?;
        if self.recorder.is_full() {
            self.flush()?;
        }
        self.recorder.ensure_pass(draw.targets)?;
        self.bind_pipeline(index, draw, scissor)?;
        self.bind_textures(index, draw)?;
        let (buffer, base) =
            self.write_constants_and_geometry(index, draw, range, count, &geometry)?;
        self.bind_geometry_and_draw(index, draw, range, count, &geometry, &buffer, base)?;
        self.recorder.stats.draws += 1;
        Ok(())
    }

    #[inline]
    fn find_pipeline(&mut self, draw: &Draw<'_>, info: &TargetInfo) -> Result<u32> {
        let mut bound_streams = 0u16;
        for (stream, data) in draw.streams.iter().enumerate().take(16) {
            bound_streams |= u16::from(!matches!(data, StreamData::None)) << stream;
        }
        if self.last_samplers != *draw.samplers {
            self.last_samplers = *draw.samplers;
            self.mirror_once = mirror_once_axes(draw.samplers);
        }
        let key = DrawKey {
            vertex: draw.vertex,
            pixel: draw.pixel,
            layout: draw.layout,
            raster: draw.raster,
            blend: draw.blend,
            depth_stencil: draw.depth_stencil,
            formats: info.formats,
            mirror_once: self.mirror_once,
            bound_streams,
            primitive: draw.primitive,
        };
        if let Some((last, index)) = &self.last_pipeline
            && *last == key
        {
            return Ok(*index);
        }
        let index = match self.pipelines.find(&key) {
            Some(known) => known?,
            None => self.build_pipeline(&key)?,
        };
        self.last_pipeline = Some((key, index));
        Ok(index)
    }

    #[cold]
    fn build_pipeline(&mut self, key: &DrawKey) -> Result<u32> {
        let native = match self.depth_states.get(&key.depth_stencil) {
            Some(native) => native.clone(),
            None => {
                let native = unpack_depth_stencil(key.depth_stencil);
                self.depth_states.insert(key.depth_stencil, native.clone());
                native
            }
        };
        let gpu = self.recorder.gpu.clone();
        let raster = self.rasters.get(key.raster.0)?.key();
        let mut context = BuildContext {
            gpu: &gpu,
            functions: &mut self.functions,
            bindings: &mut self.bindings,
            constants_group: self.windows.layout(),
            layout: self.layouts.get(key.layout.0)?,
            raster,
            depth_stencil: &native,
        };
        self.pipelines.build(key, &mut context)
    }

    /// Sets pipeline, viewport, scissor and references where they differ from what is set.
    #[inline]
    fn bind_pipeline(&mut self, index: u32, draw: &Draw<'_>, scissor: Rect) -> Result<()> {
        let pipeline = self.pipelines.get(index);
        let (commands, bound) = self.recorder.pass_state()?;
        if bound.pipeline != Some(index) {
            commands.set_pipeline(&pipeline.native)?;
            if bound
                .textures
                .is_some_and(|have| have.layout() != pipeline.textures)
            {
                bound.textures = None;
            }
            bound.pipeline = Some(index);
        }
        if bound.viewport != Some(draw.viewport) {
            let Viewport {
                x,
                y,
                w,
                h,
                min_z,
                max_z,
            } = draw.viewport;
            let rect = [
                x as f32 + HALF_PIXEL,
                y as f32 + HALF_PIXEL,
                w as f32,
                h as f32,
            ];
            let depth = min_z.clamp(0.0, 1.0)..max_z.clamp(0.0, 1.0);
            commands.set_viewport(rect, depth)?;
            bound.viewport = Some(draw.viewport);
        }
        if bound.scissor != Some(scissor) {
            commands.set_scissor([scissor.x, scissor.y, scissor.w, scissor.h])?;
            bound.scissor = Some(scissor);
        }
        if bound.stencil_ref != draw.stencil_ref {
            commands.set_stencil_reference(draw.stencil_ref.into())?;
            bound.stencil_ref = draw.stencil_ref;
        }
        if bound.blend_factor != draw.blend_factor {
            commands.set_blend_constant(draw.blend_factor)?;
            bound.blend_factor = draw.blend_factor;
        }
        Ok(())
    }

    #[inline]
    fn bind_textures(&mut self, index: u32, draw: &Draw<'_>) -> Result<()> {
        let layout = self.pipelines.get(index).textures;
        if layout.is_empty() {
            return Ok(());
        }
        let key = bind_key(layout, draw, &self.black, &[]);
        let (commands, bound) = self.recorder.pass_state()?;
        if bound.textures == Some(key) {
            return Ok(());
        }
        let slot = match self.bindings.find_group(&key) {
            Some(slot) => slot,
            None => make_group(&self.black, &mut self.bindings, commands.gpu(), &key, draw)?,
        };
        match commands.set_bind_group(1, self.bindings.group_at(slot)?, &[]) {
            Ok(()) => {}
            Err(ninefold_gpu::Error::Feedback) => {
                // Direct3D leaves sampling a target undefined; here it reads black.
                let targets = draw.targets;
                let attached: Vec<u32> = targets
                    .colors
                    .iter()
                    .flatten()
                    .chain(&targets.depth)
                    .map(|attachment| attachment.image.id())
                    .collect();
                let safe = bind_key(layout, draw, &self.black, &attached);
                let slot = match self.bindings.find_group(&safe) {
                    Some(slot) => slot,
                    None => {
                        make_group(&self.black, &mut self.bindings, commands.gpu(), &safe, draw)?
                    }
                };
                commands.set_bind_group(1, self.bindings.group_at(slot)?, &[])?;
            }
            Err(error) => return Err(error.into()),
        }
        bound.textures = Some(key);
        Ok(())
    }

    /// Copies the constants that changed and the geometry into the arena and binds the constants.
    /// Returns the buffer and the offset of the geometry.
    #[inline]
    fn write_constants_and_geometry(
        &mut self,
        index: u32,
        draw: &Draw<'_>,
        range: VertexRange,
        count: u32,
        geometry: &Geometry,
    ) -> Result<(Buffer, u64)> {
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
            bias: if pipeline.biased {
                self.rasters.get(draw.raster.0)?.clip_bias(&draw.viewport)
            } else {
                0.0
            },
        };
        let shared = geometry.bytes <= SHARED_ALLOCATION;
        let with = if shared { geometry.bytes } else { 0 };
        let mut result = None;
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
            if bytes + with == 0 && self.windows.is_placed() {
                break;
            }
            let allocation = self
                .recorder
                .arena
                .alloc((bytes + with).max(4), ALIGN as u64)?;
            if !self.windows.move_to(&allocation.buffer)
                && stale != self.windows.stale(constants, &contents)
            {
                continue;
            }
            let (head, tail) = allocation.data.split_at_mut(bytes);
            let mut at = 0;
            for window in 0..WINDOWS {
                if stale & (1 << window) == 0 {
                    continue;
                }
                let size = constants.bytes(window);
                let out = &mut head[at..at + size];
                match window {
                    0 => constants.pack(0, draw.vs_floats.file, bytemuck::cast_slice_mut(out)),
                    1 => constants.pack(1, draw.ps_floats.file, bytemuck::cast_slice_mut(out)),
                    2 if pipeline.biased => {
                        let mut values = *draw.vs_extras.values;
                        values.misc[1][0] = contents.bias;
                        out.copy_from_slice(bytemuck::bytes_of(&values));
                    }
                    2 => out.copy_from_slice(bytemuck::bytes_of(draw.vs_extras.values)),
                    _ => out.copy_from_slice(bytemuck::bytes_of(draw.ps_extras.values)),
                }
                let offset = allocation.offset as u32 + at as u32;
                self.windows.wrote(window, constants, &contents, offset);
                at += size.next_multiple_of(ALIGN);
            }
            if shared {
                write_geometry(draw, pipeline, range, count, geometry, tail);
            }
            let offset = allocation.offset + bytes as u64;
            result = Some((allocation.buffer, offset));
            self.recorder.count_bytes((bytes + with) as u64);
            break;
        }
        let offsets = self.windows.offsets();
        let gpu = &self.recorder.gpu;
        let fallback = result.as_ref().map(|(buffer, _)| buffer);
        let group = self.windows.group(gpu, fallback)?;
        let (serial, group) = group;
        let (commands, bound) = self.recorder.pass_state()?;
        if bound.windows != Some((serial, offsets)) {
            commands.set_bind_group(0, group, &offsets)?;
            bound.windows = Some((serial, offsets));
        }
        if shared {
            return match result {
                Some(result) => Ok(result),
                None => Ok((self.defaults.clone(), 0)),
            };
        }
        let allocation = self.recorder.arena.alloc(geometry.bytes, ALIGN as u64)?;
        write_geometry(draw, pipeline, range, count, geometry, allocation.data);
        let placed = (allocation.buffer, allocation.offset);
        self.recorder.count_bytes(geometry.bytes as u64);
        Ok(placed)
    }

    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn bind_geometry_and_draw(
        &mut self,
        index: u32,
        draw: &Draw<'_>,
        range: VertexRange,
        count: u32,
        geometry: &Geometry,
        buffer: &Buffer,
        base: u64,
    ) -> Result<()> {
        let pipeline = self.pipelines.get(index);
        let mut resident_bytes = 0;
        let commands = self.recorder.counting()?;
        let mut at = 0u64;
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
                    at += size.next_multiple_of(GEOMETRY_ALIGN as u64);
                }
                StreamData::Resident {
                    buffer,
                    offset,
                    size,
                } => {
                    commands.set_vertex_buffer(slot, &buffer.0.buffer, offset, size)?;
                    resident_bytes += size;
                }
            }
        }
        for convert in &pipeline.converts {
            let size = 16 * converted_count(pipeline, convert.stream, range, geometry) as u64;
            commands.set_vertex_buffer(convert.slot.into(), buffer, base + at, size)?;
            at += size;
        }
        if let Some(slot) = pipeline.defaults {
            commands.set_vertex_buffer(slot.into(), &self.defaults, 0, self.defaults.size())?;
        }
        match draw.indices {
            None => {
                let first = (range.first - i64::from(geometry.skipped)) as u32;
                commands.draw(first..first + count, 0..1)?;
            }
            Some(indices) => {
                let base_vertex = i64::from(draw.base_vertex) - i64::from(geometry.skipped);
                let base_vertex = i32::try_from(base_vertex)
                    .map_err(|_| Error::bounds("BaseVertexIndex is out of range"))?;
                let at = base + geometry.indices as u64;
                let first = match indices {
                    IndexData::U16(_) => {
                        let size = u64::from(count) * 2;
                        commands.set_index_buffer(buffer, IndexFormat::Uint16, at, size)?;
                        0
                    }
                    IndexData::U32(_) => {
                        let size = u64::from(count) * 4;
                        commands.set_index_buffer(buffer, IndexFormat::Uint32, at, size)?;
                        0
                    }
                    IndexData::Resident {
                        buffer,
                        offset,
                        size,
                        wide,
                    } => {
                        let format = if wide {
                            IndexFormat::Uint32
                        } else {
                            IndexFormat::Uint16
                        };
                        commands.set_index_buffer(&buffer.0.buffer, format, offset, size)?;
                        resident_bytes += size;
                        draw.first
                    }
                };
                commands.draw_indexed(first..first + count, base_vertex, 0..1)?;
            }
        }
        self.recorder.stats.resident_bytes += resident_bytes;
        Ok(())
    }
}

/// Alignment of streams and indices inside an allocation.
const GEOMETRY_ALIGN: usize = 16;

/// The number of vertices that make whole primitives.
fn trim(primitive: Primitive, count: u32) -> u32 {
    match primitive {
        Primitive::PointList => count,
        Primitive::LineList => count & !1,
        Primitive::LineStrip => {
            if count < 2 {
                0
            } else {
                count
            }
        }
        Primitive::TriangleList => count - count % 3,
        Primitive::TriangleStrip => {
            if count < 3 {
                0
            } else {
                count
            }
        }
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

/// The vertices that the draw reads. Where indices are resident it is not known: from 0 on.
#[inline]
fn vertex_range(draw: &Draw<'_>, count: u32) -> Result<VertexRange> {
    let base = i64::from(draw.base_vertex);
    let (low, high) = match draw.indices {
        None => {
            let first = i64::from(draw.first);
            return Ok(VertexRange {
                first,
                last: first + i64::from(count) - 1,
            });
        }
        Some(IndexData::U16(indices)) => {
            let (low, high) = bounds(used(indices, draw.first, count)?);
            (i64::from(low), i64::from(high))
        }
        Some(IndexData::U32(indices)) => {
            let (low, high) = bounds(used(indices, draw.first, count)?);
            (i64::from(low), i64::from(high))
        }
        Some(IndexData::Resident {
            size,
            wide,
            offset,
            buffer,
        }) => {
            let each = if wide { 4 } else { 2 };
            let end = (u64::from(draw.first) + u64::from(count)) * each;
            if end > size
                || offset
                    .checked_add(size)
                    .is_none_or(|end| end > buffer.size())
            {
                return Err(Error::bounds(format!(
                    "indices {} to {end} of a resident range of {size} bytes",
                    u64::from(draw.first) * each
                )));
            }
            return Ok(VertexRange { first: 0, last: 0 });
        }
    };
    if low + base < 0 {
        return Err(Error::bounds(format!(
            "index {low} with BaseVertexIndex {base} is before the first vertex"
        )));
    }
    Ok(VertexRange {
        first: low + base,
        last: high + base,
    })
}

fn used<T>(indices: &[T], first: u32, count: u32) -> Result<&[T]> {
    let end = first as usize + count as usize;
    indices
        .get(first as usize..end)
        .ok_or_else(|| Error::bounds(format!("indices {first} to {end} of {}", indices.len())))
}

/// Smallest and largest index, in a form that compilers vectorise.
#[inline]
fn bounds<T: Copy + Ord + Default>(indices: &[T]) -> (T, T) {
    let Some(&first) = indices.first() else {
        return (T::default(), T::default());
    };
    let (mut low, mut high) = (first, first);
    for &index in indices {
        low = low.min(index);
        high = high.max(index);
    }
    (low, high)
}

/// The streams of a pipeline with their sources.
#[inline]
fn sources<'a>(
    draw: &'a Draw<'_>,
    pipeline: &'a Pipeline,
) -> impl Iterator<Item = (&'a crate::pipeline::StreamUse, StreamData<'a>)> {
    pipeline.streams.iter().map(|stream| {
        let source = draw.streams.get(usize::from(stream.stream)).copied();
        (stream, source.unwrap_or(StreamData::None))
    })
}

/// Checks that every vertex lies inside its stream and lays the geometry out.
#[inline]
fn measure(
    draw: &Draw<'_>,
    pipeline: &Pipeline,
    range: VertexRange,
    count: u32,
) -> Result<Geometry> {
    let known = !matches!(draw.indices, Some(IndexData::Resident { .. }));
    let mut geometry = Geometry::default();
    let resident =
        sources(draw, pipeline).any(|(_, source)| matches!(source, StreamData::Resident { .. }));
    if known && !resident {
        geometry.skipped = u32::try_from(range.first)
            .map_err(|_| Error::bounds("the first vertex is out of range"))?;
    }
    for (stream, source) in sources(draw, pipeline) {
        let last = if known { range.last } else { 0 };
        let need = last as u64 * u64::from(stream.stride) + u64::from(stream.end);
        let have = match source {
            StreamData::None => continue,
            StreamData::Bytes(bytes) => {
                if stream.native {
                    let size = if known {
                        copied_bytes(stream.stride, stream.end, range, &geometry)
                    } else {
                        bytes.len()
                    };
                    geometry.bytes += size.next_multiple_of(GEOMETRY_ALIGN);
                }
                bytes.len() as u64
            }
            StreamData::Resident {
                buffer,
                offset,
                size,
            } => {
                if offset
                    .checked_add(size)
                    .is_none_or(|end| end > buffer.size())
                {
                    return Err(outside(stream.stream, offset + size, buffer.size()));
                }
                size
            }
        };
        if need > have {
            return Err(outside(stream.stream, need, have));
        }
        if !known && matches!(source, StreamData::Bytes(_)) {
            return Err(Error::unsupported(
                "resident indices with vertices that are not resident",
            ));
        }
    }
    for convert in &pipeline.converts {
        let source = draw.streams.get(usize::from(convert.stream));
        if !known || !matches!(source, Some(StreamData::Bytes(_))) {
            return Err(Error::unsupported(format!(
                "stream {}: UDEC3 and DEC3N elements of resident buffers",
                convert.stream
            )));
        }
        geometry.bytes += 16 * converted_count(pipeline, convert.stream, range, &geometry);
    }
    geometry.indices = geometry.bytes;
    match draw.indices {
        Some(IndexData::U16(_)) => geometry.bytes += count as usize * 2,
        Some(IndexData::U32(_)) => geometry.bytes += count as usize * 4,
        _ => {}
    }
    Ok(geometry)
}

#[cold]
fn outside(stream: u8, need: u64, have: u64) -> Error {
    Error::bounds(format!(
        "stream {stream}: the draw reads {need} bytes, it has {have}"
    ))
}

/// Bytes of a stream that a draw copies.
#[inline]
fn copied_bytes(stride: u32, end: u32, range: VertexRange, geometry: &Geometry) -> usize {
    let vertices = (range.last - i64::from(geometry.skipped)) as usize;
    vertices * stride as usize + end as usize
}

/// Vertices of a converted element: one when its stream has stride 0.
fn converted_count(
    pipeline: &Pipeline,
    stream: u8,
    range: VertexRange,
    geometry: &Geometry,
) -> usize {
    let constant = pipeline
        .streams
        .iter()
        .any(|s| s.stream == stream && s.stride == 0);
    if constant {
        1
    } else {
        range.count() + (range.first - i64::from(geometry.skipped)) as usize
    }
}

/// Copies streams, converted elements and indices, in the order that [`measure`] counted them.
#[inline]
fn write_geometry(
    draw: &Draw<'_>,
    pipeline: &Pipeline,
    range: VertexRange,
    count: u32,
    geometry: &Geometry,
    out: &mut [u8],
) {
    let mut at = 0;
    for (stream, source) in sources(draw, pipeline) {
        if let StreamData::Bytes(bytes) = source
            && stream.native
        {
            let start = geometry.skipped as usize * stream.stride as usize;
            let size = copied_bytes(stream.stride, stream.end, range, geometry);
            out[at..at + size].copy_from_slice(&bytes[start..start + size]);
            at += size.next_multiple_of(GEOMETRY_ALIGN);
        }
    }
    for convert in &pipeline.converts {
        let Some(StreamData::Bytes(bytes)) = draw.streams.get(usize::from(convert.stream)) else {
            continue;
        };
        let stride = pipeline
            .streams
            .iter()
            .find(|s| s.stream == convert.stream)
            .map_or(0, |s| s.stride as usize);
        for vertex in 0..converted_count(pipeline, convert.stream, range, geometry) {
            let from = (geometry.skipped as usize + vertex) * stride + convert.offset as usize;
            let value = convert.convert.expand(&bytes[from..]);
            out[at..at + 16].copy_from_slice(bytemuck::bytes_of(&value));
            at += 16;
        }
    }
    let first = draw.first as usize;
    let end = first + count as usize;
    match draw.indices {
        Some(IndexData::U16(indices)) => {
            out[at..at + count as usize * 2]
                .copy_from_slice(bytemuck::cast_slice(&indices[first..end]));
        }
        Some(IndexData::U32(indices)) => {
            out[at..at + count as usize * 4]
                .copy_from_slice(bytemuck::cast_slice(&indices[first..end]));
        }
        _ => {}
    }
}

/// What the bind group of a draw holds: the bound image of the declared kind, else opaque black.
#[inline]
fn bind_key(
    layout: TextureLayout,
    draw: &Draw<'_>,
    black: &[Image; 3],
    forbidden: &[u32],
) -> BindKey {
    let mut key = BindKey::new(layout);
    for (stage, kind) in layout.stages() {
        let sampler = draw.samplers.get(stage).copied().unwrap_or(SamplerId(0));
        let (image, srgb) = match bound_image(draw, stage, kind) {
            Some((image, srgb)) if !forbidden.contains(&image.id()) => (image.id(), srgb),
            _ => (black[kind as usize].id(), false),
        };
        key.push(image, srgb, sampler);
    }
    key
}

#[inline]
fn bound_image<'a>(draw: &'a Draw<'_>, stage: usize, kind: ImageKind) -> Option<(&'a Image, bool)> {
    let binding = draw.textures.get(stage)?.as_ref()?;
    let desc = binding.image.desc();
    let fits =
        desc.kind == kind && desc.samples == 1 && desc.usage.contains(crate::ImageUsage::SAMPLED);
    fits.then_some((&binding.image, binding.srgb))
}

#[cold]
fn make_group(
    black: &[Image; 3],
    bindings: &mut crate::bindings::Bindings,
    gpu: &ninefold_gpu::Gpu,
    key: &BindKey,
    draw: &Draw<'_>,
) -> Result<u32> {
    let mut views = Vec::new();
    for ((stage, kind), (entry, _)) in key.layout().stages().zip(key.entries()) {
        let id = (entry >> 1) as u32;
        let (image, srgb) = match bound_image(draw, stage, kind) {
            Some((image, srgb)) if image.id() == id => (image, srgb),
            _ => (&black[kind as usize], false),
        };
        image
            .0
            .bound
            .store(true, std::sync::atomic::Ordering::Relaxed);
        views.push(image.0.sampled_view(srgb)?);
    }
    bindings.make_group(gpu, key, &views)
}
