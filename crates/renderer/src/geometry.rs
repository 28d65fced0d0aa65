//! The vertices and indices of a draw: which ones it reads, whether they are there, and their copies
//! into the arena.

use crate::draw::{Draw, IndexData, Primitive, StreamData};
use crate::error::{Error, Result};
use crate::pipeline::Pipeline;
use crate::vertex_input::StreamUse;

/// Vertices that a draw reads, both ends included.
#[derive(Clone, Copy)]
pub(crate) struct VertexRange {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl VertexRange {
    fn count(self) -> usize {
        (self.last - self.first + 1) as usize
    }
}

/// Where the geometry of a draw lies inside its allocation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Geometry {
    pub(crate) bytes: usize,
    /// Vertices at the start of the streams that are not copied.
    pub(crate) skipped: u32,
    /// Offset of the copied indices.
    pub(crate) indices: usize,
    /// Bytes of vertices among the copied ones.
    pub(crate) vertices: u64,
    /// Bytes read of resident buffers.
    pub(crate) resident: u64,
}

/// Alignment of streams and indices inside an allocation.
pub(crate) const GEOMETRY_ALIGN: usize = 16;

/// The number of vertices that make whole primitives.
pub(crate) fn trim(primitive: Primitive, count: u32) -> u32 {
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

/// The vertices that the draw reads. Of resident indices without a known extent: from 0 on.
#[inline]
pub(crate) fn vertex_range(draw: &Draw<'_>, count: u32) -> Result<VertexRange> {
    let base = i64::from(draw.base_vertex);
    let (low, high) = match (draw.indices, draw.extent) {
        (None, _) => {
            let first = i64::from(draw.first);
            return Ok(VertexRange {
                first,
                last: first + i64::from(count) - 1,
            });
        }
        (Some(IndexData::U16(indices)), extent) => {
            let used = used(indices, draw.first, count)?;
            extent.unwrap_or_else(|| bounds(used))
        }
        (Some(IndexData::U32(indices)), extent) => {
            let used = used(indices, draw.first, count)?;
            extent.unwrap_or_else(|| bounds(used))
        }
        (
            Some(IndexData::Resident {
                size,
                wide,
                offset,
                buffer,
            }),
            extent,
        ) => {
            let each = index_bytes(wide);
            let end = (u64::from(draw.first) + u64::from(count)) * each;
            let inside = offset
                .checked_add(size)
                .is_some_and(|end| end <= buffer.size());
            if end > size || !inside || !offset.is_multiple_of(each) {
                return Err(Error::bounds(format!(
                    "indices {} to {end} of a resident range of {size} bytes at {offset}",
                    u64::from(draw.first) * each
                )));
            }
            match extent {
                Some(extent) => extent,
                None => return Ok(VertexRange { first: 0, last: 0 }),
            }
        }
    };
    let (low, high) = (i64::from(low), i64::from(high));
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

/// Bytes of an index.
pub(crate) fn index_bytes(wide: bool) -> u64 {
    match wide {
        true => 4,
        false => 2,
    }
}

fn used<T>(indices: &[T], first: u32, count: u32) -> Result<&[T]> {
    let end = first as usize + count as usize;
    indices
        .get(first as usize..end)
        .ok_or_else(|| Error::bounds(format!("indices {first} to {end} of {}", indices.len())))
}

/// Smallest and largest index, in a form that compilers vectorise.
#[inline]
fn bounds<T: Copy + Ord + Default + Into<u32>>(indices: &[T]) -> (u32, u32) {
    let first = indices.first().copied().unwrap_or_default();
    let (mut low, mut high) = (first, first);
    for &index in indices {
        low = low.min(index);
        high = high.max(index);
    }
    (low.into(), high.into())
}

/// The streams of a pipeline with their sources.
#[inline]
pub(crate) fn sources<'a>(
    draw: &'a Draw<'_>,
    pipeline: &'a Pipeline,
) -> impl Iterator<Item = (&'a StreamUse, StreamData<'a>)> {
    pipeline.streams.iter().map(|stream| {
        let source = draw.streams.get(usize::from(stream.stream)).copied();
        (stream, source.unwrap_or(StreamData::None))
    })
}

/// Checks that every vertex lies inside its stream and lays the geometry out.
#[inline]
pub(crate) fn measure(
    draw: &Draw<'_>,
    pipeline: &Pipeline,
    range: VertexRange,
    count: u32,
) -> Result<Geometry> {
    let known = draw.extent.is_some() || !matches!(draw.indices, Some(IndexData::Resident { .. }));
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
                    geometry.vertices += size as u64;
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
                    return Err(outside(
                        stream.stream,
                        offset.saturating_add(size),
                        buffer.size(),
                    ));
                }
                geometry.resident += match known {
                    true => {
                        (range.last - range.first) as u64 * u64::from(stream.stride)
                            + u64::from(stream.end)
                    }
                    false => size,
                };
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
        let size = 16 * converted_count(pipeline, convert.stream, range, &geometry);
        geometry.bytes += size;
        geometry.vertices += size as u64;
    }
    geometry.indices = geometry.bytes;
    match draw.indices {
        Some(IndexData::U16(_)) => geometry.bytes += count as usize * 2,
        Some(IndexData::U32(_)) => geometry.bytes += count as usize * 4,
        Some(IndexData::Resident { wide, .. }) => {
            geometry.resident += u64::from(count) * index_bytes(wide);
        }
        None => {}
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
pub(crate) fn copied_bytes(
    stride: u32,
    end: u32,
    range: VertexRange,
    geometry: &Geometry,
) -> usize {
    let vertices = (range.last - i64::from(geometry.skipped)) as usize;
    vertices * stride as usize + end as usize
}

/// Vertices of a converted element: one when its stream has stride 0.
pub(crate) fn converted_count(
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
pub(crate) fn write_geometry(
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
