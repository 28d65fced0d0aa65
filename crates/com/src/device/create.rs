//! Creating resources.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::consts::D3DPOOL_MANAGED;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    CubeTextureHandle, HResult, IndexBufferHandle, Result, SurfaceHandle, TextureHandle,
    VertexBufferHandle, VolumeTextureHandle,
};

use super::This;
use crate::object::Object;
use crate::pointer::*;

/// The last argument of many: sharing resources between processes, which this device does not do.
type Shared = In<*const c_void>;

fn not_shared(shared: &Shared) -> Result<()> {
    if shared.is_null() {
        return Ok(());
    }
    Err(HResult::NOTIMPL)
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_texture(
    this: This,
    width: u32,
    height: u32,
    levels: u32,
    usage: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<TextureHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        not_shared(&shared)?;
        let texture = s
            .device
            .create_texture(width, height, levels, usage, format, pool)?;
        out.set(s.hand_out(device, texture))
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_volume_texture(
    this: This,
    width: u32,
    height: u32,
    depth: u32,
    levels: u32,
    usage: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<VolumeTextureHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        not_shared(&shared)?;
        let made = s
            .device
            .create_volume_texture(width, height, depth, levels, usage, format, pool);
        out.set(s.hand_out(device, made?))
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_cube_texture(
    this: This,
    edge: u32,
    levels: u32,
    usage: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<CubeTextureHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        not_shared(&shared)?;
        let texture = s
            .device
            .create_cube_texture(edge, levels, usage, format, pool)?;
        out.set(s.hand_out(device, texture))
    })
}

pub(super) extern "C" fn create_vertex_buffer(
    this: This,
    length: u32,
    usage: u32,
    fvf: u32,
    pool: u32,
    out: Out<*const Object<VertexBufferHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        not_shared(&shared)?;
        let buffer = s.device.create_vertex_buffer(length, usage, fvf, pool)?;
        out.set(s.hand_out(device, buffer))
    })
}

pub(super) extern "C" fn create_index_buffer(
    this: This,
    length: u32,
    usage: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<IndexBufferHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        not_shared(&shared)?;
        let buffer = s.device.create_index_buffer(length, usage, format, pool)?;
        out.set(s.hand_out(device, buffer))
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_render_target(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    multi_sample: u32,
    quality: u32,
    lockable: i32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        not_shared(&shared)?;
        let lockable = lockable != 0;
        let made =
            s.device
                .create_render_target(width, height, format, multi_sample, quality, lockable);
        out.set(s.hand_out(device, made?))
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_depth_stencil_surface(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    multi_sample: u32,
    quality: u32,
    discard: i32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        not_shared(&shared)?;
        let discard = discard != 0;
        let made = s.device.create_depth_stencil_surface(
            width,
            height,
            format,
            multi_sample,
            quality,
            discard,
        );
        out.set(s.hand_out(device, made?))
    })
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_offscreen_plain_surface(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(ptr::null())?;
        if pool == D3DPOOL_MANAGED {
            return Err(HResult::INVALIDCALL);
        }
        not_shared(&shared)?;
        let surface = s
            .device
            .create_offscreen_plain_surface(width, height, format, pool)?;
        out.set(s.hand_out(device, surface))
    })
}

// The Ex forms take one more argument, a usage: 0, or restrictions on sharing between processes.

/// Usages that the Ex forms refuse: what a surface is for is said by the method, and none of them
/// is dynamic.
fn check_usage(usage: u32) -> Result<()> {
    match usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_DYNAMIC) {
        0 => Ok(()),
        _ => Err(HResult::INVALIDCALL),
    }
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_render_target_ex(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    multi_sample: u32,
    quality: u32,
    lockable: i32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
    usage: u32,
) -> Hr {
    if let Err(code) = check_usage(usage) {
        let _ = out.set(ptr::null());
        return code.0 as i32;
    }
    create_render_target(
        this,
        width,
        height,
        format,
        multi_sample,
        quality,
        lockable,
        out,
        shared,
    )
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_depth_stencil_surface_ex(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    multi_sample: u32,
    quality: u32,
    discard: i32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
    usage: u32,
) -> Hr {
    if let Err(code) = check_usage(usage) {
        let _ = out.set(ptr::null());
        return code.0 as i32;
    }
    create_depth_stencil_surface(
        this,
        width,
        height,
        format,
        multi_sample,
        quality,
        discard,
        out,
        shared,
    )
}

#[allow(clippy::too_many_arguments)]
pub(super) extern "C" fn create_offscreen_plain_surface_ex(
    this: This,
    width: u32,
    height: u32,
    format: u32,
    pool: u32,
    out: Out<*const Object<SurfaceHandle>>,
    shared: Shared,
    usage: u32,
) -> Hr {
    if let Err(code) = check_usage(usage) {
        return code.0 as i32;
    }
    create_offscreen_plain_surface(this, width, height, format, pool, out, shared)
}
