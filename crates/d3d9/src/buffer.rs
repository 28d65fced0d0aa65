//! Vertex and index buffers.

use crate::device::Device;
use crate::handle::{IndexBufferHandle, VertexBufferHandle};
use crate::hresult::Result;
use crate::types::{BufferDesc, LockedBuffer};

impl Device {
    /// `CreateVertexBuffer`: `length` in bytes; `fvf` may be 0.
    pub fn create_vertex_buffer(
        &mut self,
        length: u32,
        usage: u32,
        fvf: u32,
        pool: u32,
    ) -> Result<VertexBufferHandle> {
        todo!()
    }

    /// `CreateIndexBuffer`: `format` is `D3DFMT_INDEX16` or `D3DFMT_INDEX32`.
    pub fn create_index_buffer(
        &mut self,
        length: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<IndexBufferHandle> {
        todo!()
    }

    /// `IDirect3DVertexBuffer9::Lock`; `size` 0 locks to the end.
    pub fn vertex_buffer_lock(
        &mut self,
        buffer: VertexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) -> Result<LockedBuffer> {
        todo!()
    }

    /// The bytes of the locked range.
    pub fn vertex_buffer_bytes_mut(&mut self, buffer: VertexBufferHandle) -> Result<&mut [u8]> {
        todo!()
    }

    /// `IDirect3DVertexBuffer9::Unlock`.
    pub fn vertex_buffer_unlock(&mut self, buffer: VertexBufferHandle) -> Result<()> {
        todo!()
    }

    /// `IDirect3DVertexBuffer9::GetDesc`.
    pub fn vertex_buffer_get_desc(&mut self, buffer: VertexBufferHandle) -> Result<BufferDesc> {
        todo!()
    }

    /// `IDirect3DIndexBuffer9::Lock`; `size` 0 locks to the end.
    pub fn index_buffer_lock(
        &mut self,
        buffer: IndexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) -> Result<LockedBuffer> {
        todo!()
    }

    /// The bytes of the locked range.
    pub fn index_buffer_bytes_mut(&mut self, buffer: IndexBufferHandle) -> Result<&mut [u8]> {
        todo!()
    }

    /// `IDirect3DIndexBuffer9::Unlock`.
    pub fn index_buffer_unlock(&mut self, buffer: IndexBufferHandle) -> Result<()> {
        todo!()
    }

    /// `IDirect3DIndexBuffer9::GetDesc`.
    pub fn index_buffer_get_desc(&mut self, buffer: IndexBufferHandle) -> Result<BufferDesc> {
        todo!()
    }
}
