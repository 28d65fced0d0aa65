//! Draw calls.

use crate::consts::*;
use crate::device::Device;
use crate::draw_record::{Indices, Request, Vertices};
use crate::fault::{Outcome, invalid};
use crate::hresult::Result;
use crate::stream::MAX_STRIDE;

impl Device {
    /// `DrawPrimitive`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` without a declaration. No primitives and unknown ones draw nothing;
    /// vertices past the end of a buffer are zeros.
    pub fn draw_primitive(&mut self, primitive: u32, start_vertex: u32, count: u32) -> Result<()> {
        self.recorded(
            |r, x| r.draw_primitive(x, primitive, start_vertex, count),
            |d| {
                let base = start_vertex.into();
                let request = Request {
                    primitive,
                    count,
                    vertices: Vertices::Streams,
                    indices: Indices::None,
                    base,
                };
                d.draw_request(&request)
            },
        )
    }

    /// `DrawIndexedPrimitive`. The range `min_index` and `vertex_count` is a hint; the indices
    /// themselves say which vertices are read.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` as [`draw_primitive`](Self::draw_primitive), and without indices.
    /// Primitives whose indices lie past the end of their buffer are left out.
    pub fn draw_indexed_primitive(
        &mut self,
        primitive: u32,
        base_vertex: i32,
        min_index: u32,
        vertex_count: u32,
        start_index: u32,
        count: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| {
                r.draw_indexed_primitive(
                    x,
                    primitive,
                    base_vertex,
                    min_index,
                    vertex_count,
                    start_index,
                    count,
                )
            },
            |d| {
                let Some(handle) = d.state.indices else {
                    invalid!("no index buffer is set");
                };
                let indices = Indices::Buffer {
                    handle,
                    start: start_index,
                };
                let base = base_vertex.into();
                d.draw_request(&Request {
                    primitive,
                    count,
                    vertices: Vertices::Streams,
                    indices,
                    base,
                })
            },
        )
    }

    /// `DrawPrimitiveUP`: unbinds stream 0 afterwards.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` as [`draw_primitive`](Self::draw_primitive), for stride 0, and when
    /// `vertices` is too short.
    pub fn draw_primitive_up(
        &mut self,
        primitive: u32,
        count: u32,
        vertices: &[u8],
        stride: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.draw_primitive_up(x, primitive, count, vertices, stride),
            |d| {
                let vertices = Vertices::User(vertices);
                d.draw_user(
                    &Request {
                        primitive,
                        count,
                        vertices,
                        indices: Indices::None,
                        base: 0,
                    },
                    stride,
                )
            },
        )
    }

    /// `DrawIndexedPrimitiveUP`: `vertices` begins with vertex 0, `indices` are bytes of `format`
    /// (`D3DFMT_INDEX16` or `D3DFMT_INDEX32`). Unbinds stream 0 and the indices afterwards.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` as [`draw_primitive_up`](Self::draw_primitive_up), and for too few
    /// indices. Indices of another format draw nothing.
    #[allow(clippy::too_many_arguments)]
    pub fn draw_indexed_primitive_up(
        &mut self,
        primitive: u32,
        min_index: u32,
        vertex_count: u32,
        count: u32,
        indices: &[u8],
        format: u32,
        vertices: &[u8],
        stride: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| {
                r.draw_indexed_primitive_up(
                    x,
                    primitive,
                    min_index,
                    vertex_count,
                    count,
                    indices,
                    format,
                    vertices,
                    stride,
                )
            },
            |d| {
                let wide = format == D3DFMT_INDEX32;
                let primitive = match wide || format == D3DFMT_INDEX16 {
                    true => primitive,
                    false => 0,
                };
                let indices = Indices::User {
                    bytes: indices,
                    wide,
                };
                let vertices = Vertices::User(vertices);
                d.draw_user(
                    &Request {
                        primitive,
                        count,
                        vertices,
                        indices,
                        base: 0,
                    },
                    stride,
                )?;
                if let Some(old) = d.state.indices.take() {
                    d.index_buffers.unhold(old);
                }
                Ok(())
            },
        )
    }

    /// A draw from the caller's memory: stream 0 is left unbound, whatever was in it.
    fn draw_user(&mut self, request: &Request<'_>, stride: u32) -> Outcome<()> {
        if stride == 0 || stride > MAX_STRIDE {
            invalid!("stride: {stride}, must be 1 to {MAX_STRIDE}");
        }
        if request.count == 0 {
            return Ok(());
        }
        let old = self.state.streams[0];
        self.state.streams[0].stride = stride;
        self.resolved.touch_layout();
        if let Err(fault) = self.draw_request(request) {
            self.state.streams[0].stride = old.stride;
            self.resolved.touch_layout();
            return Err(fault);
        }
        let stream = &mut self.state.streams[0];
        stream.buffer = None;
        stream.offset = 0;
        stream.stride = 0;
        self.resolved.touch_layout();
        if let Some(handle) = old.buffer {
            self.vertex_buffers.unhold(handle);
        }
        Ok(())
    }
}
