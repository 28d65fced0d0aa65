//! Streams, indices and draws.

use core::ffi::c_void;

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{HResult, IndexBufferHandle, VertexBufferHandle, VertexDeclarationHandle};

use super::This;
use crate::float_state::FloatState;
use crate::object::{Arg, Object};
use crate::pointer::*;

pub(super) extern "C" fn set_stream_source(
    this: This,
    stream: u32,
    buffer: Arg<VertexBufferHandle>,
    offset: u32,
    stride: u32,
) -> Hr {
    this.call_with_device(|device, s| {
        s.device
            .set_stream_source(stream, buffer.handle(device)?, offset, stride)
    })
}

pub(super) extern "C" fn get_stream_source(
    this: This,
    stream: u32,
    buffer: Out<*const Object<VertexBufferHandle>>,
    offset: Out<u32>,
    stride: Out<u32>,
) -> Hr {
    this.call_with_device(|device, s| {
        buffer.check()?;
        stride.check()?;
        let source = s.device.get_stream_source(stream)?;
        buffer.set(s.hand_out_some(device, source.buffer))?;
        if !offset.is_null() {
            offset.set(source.offset)?;
        }
        stride.set(source.stride)
    })
}

pub(super) extern "C" fn set_stream_source_freq(this: This, stream: u32, setting: u32) -> Hr {
    this.call(|s| s.device.set_stream_source_freq(stream, setting))
}

pub(super) extern "C" fn get_stream_source_freq(this: This, stream: u32, out: Out<u32>) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_stream_source_freq(stream)?)
    })
}

pub(super) extern "C" fn set_indices(this: This, buffer: Arg<IndexBufferHandle>) -> Hr {
    this.call_with_device(|device, s| s.device.set_indices(buffer.handle(device)?))
}

pub(super) extern "C" fn get_indices(this: This, out: Out<*const Object<IndexBufferHandle>>) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let buffer = s.device.get_indices()?;
        out.set(s.hand_out_some(device, buffer))
    })
}

pub(super) extern "C" fn draw_primitive(this: This, primitive: u32, start: u32, count: u32) -> Hr {
    this.call(|s| s.device.draw_primitive(primitive, start, count))
}

pub(super) extern "C" fn draw_indexed_primitive(
    this: This,
    primitive: u32,
    base_vertex: i32,
    min_index: u32,
    vertex_count: u32,
    start_index: u32,
    count: u32,
) -> Hr {
    this.call(|s| {
        s.device.draw_indexed_primitive(
            primitive,
            base_vertex,
            min_index,
            vertex_count,
            start_index,
            count,
        )
    })
}

/// Vertices, or indices, of so many primitives; nothing is read for primitives that are none.
fn vertices_of(primitive: u32, count: u32) -> usize {
    let count = count as usize;
    match primitive {
        D3DPT_POINTLIST => count,
        D3DPT_LINELIST => count * 2,
        D3DPT_LINESTRIP => count + 1,
        D3DPT_TRIANGLELIST => count * 3,
        D3DPT_TRIANGLESTRIP | D3DPT_TRIANGLEFAN => count + 2,
        _ => 0,
    }
}

pub(super) extern "C" fn draw_primitive_up(
    this: This,
    primitive: u32,
    count: u32,
    data: In<u8>,
    stride: u32,
) -> Hr {
    this.call(|s| {
        if count == 0 {
            return Ok(());
        }
        if stride == 0 {
            return Err(HResult::INVALIDCALL);
        }
        let bytes = vertices_of(primitive, count) * stride as usize;
        s.device
            .draw_primitive_up(primitive, count, data.slice(bytes)?, stride)
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn draw_indexed_primitive_up(
    this: This,
    primitive: u32,
    min_index: u32,
    vertex_count: u32,
    count: u32,
    indices: In<u8>,
    format: u32,
    data: In<u8>,
    stride: u32,
) -> Hr {
    this.call(|s| {
        if count == 0 {
            return Ok(());
        }
        let index_size = match format {
            D3DFMT_INDEX16 => 2,
            D3DFMT_INDEX32 => 4,
            // Draws nothing.
            _ => 0,
        };
        if stride == 0 {
            return Err(HResult::INVALIDCALL);
        }
        let vertices = (min_index as usize + vertex_count as usize)
            .checked_mul(stride as usize)
            .ok_or(HResult::INVALIDCALL)?;
        s.device.draw_indexed_primitive_up(
            primitive,
            min_index,
            vertex_count,
            count,
            indices.slice(vertices_of(primitive, count) * index_size)?,
            format,
            data.slice(vertices)?,
            stride,
        )
    })
}

pub(super) extern "C" fn process_vertices(
    this: This,
    source: u32,
    index: u32,
    count: u32,
    buffer: Arg<VertexBufferHandle>,
    declaration: Arg<VertexDeclarationHandle>,
    flags: u32,
) -> Hr {
    let _kept = FloatState::keep();
    this.call_with_device(|device, s| {
        let buffer = buffer.required(device)?;
        let declaration = declaration.handle(device)?;
        s.device
            .process_vertices(source, index, count, buffer, declaration, flags)
    })
}

/// The device has no patches, as its capabilities say: programs that draw them all the same see
/// nothing of it, as elsewhere.
pub(super) extern "C" fn draw_patch(
    this: This,
    handle: u32,
    _segments: *const f32,
    _info: *const c_void,
) -> Hr {
    this.call(|_| {
        tracing::debug!(target: "ninefold::com", "patch {handle} is not drawn");
        Ok(())
    })
}

pub(super) extern "C" fn delete_patch(_this: This, _handle: u32) -> Hr {
    HResult::INVALIDCALL.0 as i32
}
