//! What becomes of a draw call: which vertices it reads, from where, and the renderer's draw.

use ninefold_renderer::{
    Constants, Draw, Extras, IndexData, Primitive, Renderer, StreamData, WideConstants,
};

use crate::buffer::{Buffer, index_size};
use crate::consts::*;
use crate::device::{Device, stale};
use crate::direct3d::MAX_PRIMITIVES;
use crate::draw_streams::{Gathered, Wanted, bits, gather};
use crate::fault::{Fault, Outcome, invalid};
use crate::handle::{IndexBufferHandle, RawHandle, Slots, VertexBufferHandle};
use crate::indices::{self, Source};
use crate::residency::{Found, Ledger};
use crate::resolve::group;
use crate::scratch::{Lie, copy_out};
use crate::state::color_value;
use crate::stream::Stream;
use crate::wrap;

/// Where the vertices of a draw come from.
#[derive(Clone, Copy)]
pub(crate) enum Vertices<'a> {
    /// The bound streams.
    Streams,
    /// The caller's memory, as stream 0.
    User(&'a [u8]),
}

/// Where its indices come from.
#[derive(Clone, Copy)]
pub(crate) enum Indices<'a> {
    None,
    /// A range of the bound index buffer, in indices.
    Buffer {
        handle: RawHandle,
        start: u32,
    },
    User {
        bytes: &'a [u8],
        wide: bool,
    },
}

/// One draw call of any kind.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) primitive: u32,
    pub(crate) count: u32,
    pub(crate) vertices: Vertices<'a>,
    pub(crate) indices: Indices<'a>,
    /// First vertex, or what is added to every index.
    pub(crate) base: i64,
}

/// Instances that one draw may have.
const MAX_INSTANCES: u32 = 1 << 20;

/// Bytes of indices that are worth looking for a copy on the GPU. Copying fewer costs less than the
/// memory that finding and comparing theirs touches, unless the last draw had that at hand.
const FAR: usize = 512;

/// Vertices or indices of `count` primitives.
fn vertex_count(primitive: u32, count: u32) -> Outcome<u32> {
    let n = u64::from(count);
    let total = match primitive {
        D3DPT_POINTLIST => n,
        D3DPT_LINELIST => 2 * n,
        D3DPT_LINESTRIP => n + 1,
        D3DPT_TRIANGLELIST => 3 * n,
        D3DPT_TRIANGLESTRIP | D3DPT_TRIANGLEFAN => n + 2,
        _ => invalid!("primitive: {primitive} is not a D3DPRIMITIVETYPE"),
    };
    match u32::try_from(total) {
        Ok(total) if count <= MAX_PRIMITIVES => Ok(total),
        _ => invalid!("count: {count} primitives are too many"),
    }
}

/// Whether there is something to draw: programs that ask for primitives that are none get nothing,
/// as from other drivers.
fn draws(primitive: u32, count: u32) -> bool {
    count != 0 && (D3DPT_POINTLIST..=D3DPT_TRIANGLEFAN).contains(&primitive)
}

/// Whole primitives that so many vertices or indices make: the inverse of [`vertex_count`].
fn primitive_count(primitive: u32, vertices: u32) -> u32 {
    match primitive {
        D3DPT_LINELIST => vertices / 2,
        D3DPT_LINESTRIP => vertices.saturating_sub(1),
        D3DPT_TRIANGLELIST => vertices / 3,
        D3DPT_TRIANGLESTRIP | D3DPT_TRIANGLEFAN => vertices.saturating_sub(2),
        _ => vertices,
    }
}

impl Device {
    pub(crate) fn draw_request(&mut self, request: &Request<'_>) -> Outcome<()> {
        if self.state.declaration.is_none() {
            invalid!("no vertex declaration or FVF is set");
        }
        if !draws(request.primitive, request.count) {
            return Ok(());
        }
        let vertices = vertex_count(request.primitive, request.count)?;
        self.resolve_targets()?;
        let points = request.primitive == D3DPT_POINTLIST;
        if self.resolved.points != points {
            self.resolved.points = points;
            self.resolved.touch(group::VERTEX | group::PIXEL);
        }
        if self.resolved.dirty & self.resolved.wanted() != 0 {
            self.resolve_output()?;
            self.resolve_shading()?;
        }
        if self.resolved.uploads_pending
            || self.resolved.dirty_textures | self.resolved.dirty_samplers != 0
        {
            self.resolve_textures()?;
        }
        self.resolved.resolve_viewport(&self.state.viewport);
        self.record_draw(request, vertices)?;
        self.targets_written();
        Ok(())
    }

    fn record_draw(&mut self, request: &Request<'_>, vertices: u32) -> Outcome<()> {
        let scissor = self.active_scissor();
        let Self {
            renderer,
            resolved,
            state,
            vertex_buffers,
            index_buffers,
            declarations,
            scratch,
            residency,
            ..
        } = self;
        let r = &**resolved;
        let crate::scratch::Scratch {
            indices,
            last_indices,
            padded,
            expanded,
            list,
            #[cfg(test)]
            watch,
            ..
        } = scratch;

        // The indices, and the vertices they read.
        let fan = request.primitive == D3DPT_TRIANGLEFAN;
        let fast = renderer.fast_paths();
        let indices::Indices {
            data,
            count,
            low,
            high,
        } = match request.indices {
            Indices::None => indices::normalise(Source::None, fan, vertices, indices)?,
            Indices::User { bytes, wide } => {
                indices::normalise(Source::Bytes(bytes, wide), fan, vertices, indices)?
            }
            Indices::Buffer { handle, start } => {
                let gone = || stale("index buffer");
                let buffer = index_buffers.get(handle).ok_or_else(gone)?;
                let each = index_size(buffer.desc.format)?;
                let available = (buffer.desc.size / each).saturating_sub(start);
                let vertices = match available < vertices {
                    false => vertices,
                    true => match primitive_count(request.primitive, available) {
                        0 => return Ok(()),
                        count => vertex_count(request.primitive, count)?,
                    },
                };
                let (start, len) = ((start * each) as usize, (vertices * each) as usize);
                let at_hand = last_indices.replace(handle) == Some(handle);
                // Lists made of fans and primitives that share no vertices have other indices.
                let found = match fast && !fan && r.wraps == 0 && (at_hand || len >= FAR) {
                    true => buffer.resident(start, len, residency),
                    false => Found::Nothing,
                };
                let (buffer, found) = match found {
                    Found::Stale => {
                        if let Some(buffer) = index_buffers.get_mut(handle) {
                            buffer.renew(&IndexBufferHandle(handle), renderer, residency);
                        }
                        let buffer = index_buffers.get(handle).ok_or_else(gone)?;
                        (buffer, buffer.resident(start, len, residency))
                    }
                    found => (buffer, found),
                };
                let part = buffer.data.get(start..start + len).unwrap_or(&[]);
                let source = Source::Bytes(part, each == 4);
                match found {
                    Found::Copy(copy) => {
                        let (low, high) = match buffer.residency.extent(start, len) {
                            Some(extent) => extent,
                            None => {
                                let made = indices::normalise(source, false, vertices, indices)?;
                                let extent = (made.low, made.high);
                                buffer.residency.note_extent(start, len, extent);
                                extent
                            }
                        };
                        indices::Indices {
                            data: Some(IndexData::Resident {
                                buffer: copy,
                                offset: start as u64,
                                size: len as u64,
                                wide: each == 4,
                            }),
                            count: vertices,
                            low,
                            high,
                        }
                    }
                    other => {
                        if matches!(other, Found::Full) {
                            residency.note_full(1);
                        }
                        indices::normalise(source, fan, vertices, indices)?
                    }
                }
            }
        };
        let first_vertex = request.base + i64::from(low);
        let used = u64::from(high - low) + 1;
        let declaration = state
            .declaration
            .and_then(|h| declarations.get(h))
            .ok_or_else(|| stale("declaration"))?;
        // Frequencies count where a stream of the declaration steps by instances, with indices and
        // without.
        let instances = match bits(declaration.streams).any(|n| state.streams[n].instanced()) {
            true => state.streams[0].instances(),
            false => 1,
        };
        if instances > MAX_INSTANCES {
            invalid!("stream 0: {instances} instances, at most {MAX_INSTANCES}");
        }

        let primitive = Primitive::from_d3d(request.primitive).unwrap_or(Primitive::TriangleList);
        let apart = match r.wraps {
            0 => None,
            _ => wrap::list(primitive, data, count, list),
        };

        let vs_floats = if r.program {
            Constants {
                file: &state.vs.floats,
                generation: r.vs_generation,
            }
        } else {
            Constants {
                file: r.block.rows(),
                generation: r.block_generation,
            }
        };
        let base_vertex = i32::try_from(-i64::from(low))
            .map_err(|_| Fault::invalid("indices reach past 2^31"))?;
        let indices = data.filter(|_| apart.is_none());
        let user = match (request.vertices, request.indices) {
            (Vertices::User(bytes), indices) => Some((bytes, matches!(indices, Indices::None))),
            (Vertices::Streams, _) => None,
        };
        let whole = u32::try_from(first_vertex)
            .ok()
            .zip(i32::try_from(request.base).ok());
        for instance in 0..instances {
            // Only the vertices in use are handed over.
            let wanted = Wanted {
                declaration,
                streams: &state.streams,
                user,
                first_vertex,
                used,
                instance,
                resident: user.is_none() && apart.is_none() && fast,
            };
            let mut gathered = Gathered::default();
            gather(&wanted, vertex_buffers, residency, &mut gathered)?;
            if gathered.stale != 0 {
                let wanting = gathered.stale;
                renew(wanting, &state.streams, vertex_buffers, renderer, residency);
                gathered = Gathered::default();
                gather(&wanted, vertex_buffers, residency, &mut gathered)?;
            }
            if gathered.full != 0 {
                residency.note_full(gathered.full);
            }
            let (mut first, mut base_vertex) = (0, base_vertex);
            if gathered.resident != 0
                && let Some((vertex, base)) = whole
                && gathered.widen(&state.streams)
            {
                match indices {
                    None => first = vertex,
                    Some(_) => base_vertex = base,
                }
            }
            let (copied, written) = (gathered.copied, gathered.dynamic & !gathered.copied);
            if copied != 0 {
                copy_out(&mut gathered.streams, copied, padded, |n| {
                    let stream = &state.streams[n];
                    let from = stream.step();
                    Lie {
                        from,
                        to: declaration.drawn_stride(n, from),
                        end: declaration.end(n),
                        count: if stream.instanced() { 1 } else { used },
                        before: match from {
                            0 => 0,
                            _ => first_vertex.min(0).unsigned_abs(),
                        },
                    }
                })?;
            }
            let streams = &gathered.streams;
            let draw = Draw {
                targets: &r.targets,
                vertex: r.vertex,
                pixel: r.pixel,
                layout: r.layout,
                blend: r.blend,
                depth_stencil: r.depth_stencil,
                raster: r.raster,
                primitive: apart.unwrap_or(primitive),
                streams: &streams[..gathered.bound],
                indices,
                extent: Some((low, high)),
                first,
                count,
                base_vertex,
                vs_floats,
                ps_floats: Constants {
                    file: &state.ps.floats,
                    generation: r.ps_generation,
                },
                wide: [
                    WideConstants {
                        ints: &state.vs.ints,
                        bools: &state.vs.bools,
                        generation: r.vs_extras_generation,
                    },
                    // Pixel shaders have no more than the extras hold.
                    WideConstants::NONE,
                ],
                vs_extras: Extras {
                    values: &r.vs_extras,
                    generation: r.vs_extras_generation,
                },
                ps_extras: Extras {
                    values: &r.ps_extras,
                    generation: r.ps_extras_generation,
                },
                textures: &r.textures,
                samplers: &r.samplers,
                viewport: r.viewport,
                scissor,
                stencil_ref: state.rs(D3DRS_STENCILREF) as u8,
                rewritable: written != 0 && apart.is_none(),
                blend_factor: color_value(state.rs(D3DRS_BLENDFACTOR)),
            };
            if apart.is_some() {
                let strides =
                    core::array::from_fn(|n| declaration.drawn_stride(n, state.streams[n].step()));
                for part in list.chunks(wrap::at_once(&strides)) {
                    let mut own = *streams;
                    wrap::gather(&mut own, &strides, part, low, expanded);
                    renderer.draw(&Draw {
                        streams: &own[..gathered.bound],
                        count: part.len() as u32,
                        ..draw
                    })?;
                }
                continue;
            }
            #[cfg(test)]
            {
                let bound = match request.indices {
                    Indices::Buffer { handle, .. } => index_buffers.get(handle),
                    _ => None,
                };
                watch.see(&draw, low, &wanted, vertex_buffers, bound);
            }
            renderer.draw(&draw)?;
            if written != 0 {
                let mut starts = [0; 16];
                for n in bits(written) {
                    if let StreamData::Bytes(part) = streams[n] {
                        starts[n] = part.as_ptr().addr();
                    }
                }
                for copy in renderer.copied() {
                    let n = usize::from(copy.stream);
                    let buffer = state.streams[n].buffer;
                    if written & (1 << n) != 0
                        && let Some(buffer) = buffer.and_then(|b| vertex_buffers.get_mut(b))
                    {
                        buffer.drawn(copy, starts[n]);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes new copies on the GPU of the buffers of the streams in `wanting`, or gives them up.
#[cold]
fn renew(
    wanting: u16,
    streams: &[Stream; 16],
    buffers: &mut Slots<Buffer>,
    renderer: &mut Renderer,
    ledger: &mut Ledger,
) {
    for n in bits(wanting) {
        if let Some(handle) = streams[n].buffer
            && let Some(buffer) = buffers.get_mut(handle)
        {
            buffer.renew(&VertexBufferHandle(handle), renderer, ledger);
        }
    }
}
