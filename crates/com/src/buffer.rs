//! `IDirect3DVertexBuffer9` and `IDirect3DIndexBuffer9`.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Device, IndexBufferHandle, Result, VertexBufferHandle};

use crate::abi::*;
use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

impl ResourceKind for VertexBufferHandle {
    const TYPE: u32 = D3DRTYPE_VERTEXBUFFER;

    fn managed(self, device: &mut Device) -> Result<bool> {
        Ok(device.vertex_buffer_get_desc(self)?.pool == D3DPOOL_MANAGED)
    }
}

impl ResourceKind for IndexBufferHandle {
    const TYPE: u32 = D3DRTYPE_INDEXBUFFER;

    fn managed(self, device: &mut Device) -> Result<bool> {
        Ok(device.index_buffer_get_desc(self)?.pool == D3DPOOL_MANAGED)
    }
}

extern "C" fn lock_vertices(
    this: This<VertexBufferHandle>,
    offset: u32,
    size: u32,
    out: Out<*mut u8>,
    flags: u32,
) -> Hr {
    this.call(|s, buffer| {
        out.check()?;
        s.device.vertex_buffer_lock(buffer, offset, size, flags)?;
        out.set(bits(s.device.vertex_buffer_bytes_mut(buffer)?))
    })
}

extern "C" fn unlock_vertices(this: This<VertexBufferHandle>) -> Hr {
    this.call(|s, buffer| s.device.vertex_buffer_unlock(buffer))
}

extern "C" fn get_vertices_desc(this: This<VertexBufferHandle>, out: Out<VertexBufferDesc>) -> Hr {
    this.call(|s, buffer| {
        out.check()?;
        let desc = s.device.vertex_buffer_get_desc(buffer)?;
        out.set(VertexBufferDesc {
            format: desc.format,
            resource_type: D3DRTYPE_VERTEXBUFFER,
            usage: desc.usage,
            pool: desc.pool,
            size: desc.size,
            fvf: desc.fvf,
        })
    })
}

extern "C" fn lock_indices(
    this: This<IndexBufferHandle>,
    offset: u32,
    size: u32,
    out: Out<*mut u8>,
    flags: u32,
) -> Hr {
    this.call(|s, buffer| {
        out.check()?;
        s.device.index_buffer_lock(buffer, offset, size, flags)?;
        out.set(bits(s.device.index_buffer_bytes_mut(buffer)?))
    })
}

extern "C" fn unlock_indices(this: This<IndexBufferHandle>) -> Hr {
    this.call(|s, buffer| s.device.index_buffer_unlock(buffer))
}

extern "C" fn get_indices_desc(this: This<IndexBufferHandle>, out: Out<IndexBufferDesc>) -> Hr {
    this.call(|s, buffer| {
        out.check()?;
        let desc = s.device.index_buffer_get_desc(buffer)?;
        out.set(IndexBufferDesc {
            format: desc.format,
            resource_type: D3DRTYPE_INDEXBUFFER,
            usage: desc.usage,
            pool: desc.pool,
            size: desc.size,
        })
    })
}

vtable! {
    /// `IDirect3DVertexBuffer9Vtbl`.
    VERTEX_BUFFER: VertexBufferTable {
        QueryInterface: query_interface::<VertexBufferHandle>,
        AddRef: add_ref::<VertexBufferHandle>,
        Release: release::<VertexBufferHandle>,
        GetDevice: get_device::<VertexBufferHandle>,
        SetPrivateData: set_private_data::<VertexBufferHandle>,
        GetPrivateData: get_private_data::<VertexBufferHandle>,
        FreePrivateData: free_private_data::<VertexBufferHandle>,
        SetPriority: set_priority::<VertexBufferHandle>,
        GetPriority: get_priority::<VertexBufferHandle>,
        PreLoad: pre_load::<VertexBufferHandle>,
        GetType: get_type::<VertexBufferHandle>,
        Lock: lock_vertices,
        Unlock: unlock_vertices,
        GetDesc: get_vertices_desc,
    }
}

vtable! {
    /// `IDirect3DIndexBuffer9Vtbl`.
    INDEX_BUFFER: IndexBufferTable {
        QueryInterface: query_interface::<IndexBufferHandle>,
        AddRef: add_ref::<IndexBufferHandle>,
        Release: release::<IndexBufferHandle>,
        GetDevice: get_device::<IndexBufferHandle>,
        SetPrivateData: set_private_data::<IndexBufferHandle>,
        GetPrivateData: get_private_data::<IndexBufferHandle>,
        FreePrivateData: free_private_data::<IndexBufferHandle>,
        SetPriority: set_priority::<IndexBufferHandle>,
        GetPriority: get_priority::<IndexBufferHandle>,
        PreLoad: pre_load::<IndexBufferHandle>,
        GetType: get_type::<IndexBufferHandle>,
        Lock: lock_indices,
        Unlock: unlock_indices,
        GetDesc: get_indices_desc,
    }
}
