//! Creating resources.

use core::ffi::c_void;
use core::ptr;

use ninefold_d3d9::consts::D3DPOOL_MANAGED;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    CubeTextureHandle, HResult, IndexBufferHandle, LevelTarget, Result, SurfaceHandle,
    TextureHandle, VertexBufferHandle, VolumeTextureHandle,
};

use super::{DeviceObject, This};
use crate::object::Object;
use crate::pointer::*;
use crate::user_memory::borrowed;

/// The last argument of many, `pSharedHandle`. Extended devices take a pointer to the program's own
/// memory for system memory. In the default pool it asks to share the resource with other processes:
/// nobody else has this device's resources, so that it is left as it is.
type Shared = In<*const c_void>;

/// The memory that textures and surfaces shall lie in, if any.
fn own_memory(
    device: &DeviceObject,
    shared: &Shared,
    pool: u32,
    can: bool,
) -> Result<Option<*const c_void>> {
    let Some(memory) = shared.get() else {
        return Ok(None);
    };
    match (device.extended, pool) {
        (false, _) => Err(HResult::NOTIMPL),
        (_, D3DPOOL_DEFAULT) => Ok(None),
        (_, D3DPOOL_SYSTEMMEM) if can => Ok((!memory.is_null()).then_some(memory)),
        _ => Err(HResult::INVALIDCALL),
    }
}

/// Buffers lie in no memory of a program's own.
fn not_shared(device: &DeviceObject, shared: &Shared, pool: u32) -> Result<()> {
    match (shared.is_null(), device.extended, pool) {
        (true, ..) | (_, true, D3DPOOL_DEFAULT) => Ok(()),
        (_, false, _) => Err(HResult::NOTIMPL),
        _ => Err(HResult::NOTAVAILABLE),
    }
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
        let memory = own_memory(device, &shared, pool, levels == 1)?;
        let texture = s
            .device
            .create_texture(width, height, levels, usage, format, pool)?;
        if let Some(memory) = memory {
            s.device
                .use_memory(LevelTarget::Texture(texture, 0), borrowed(memory))?;
        }
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
        own_memory(device, &shared, pool, false)?;
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
        own_memory(device, &shared, pool, false)?;
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
        not_shared(device, &shared, pool)?;
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
        not_shared(device, &shared, pool)?;
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
        own_memory(device, &shared, D3DPOOL_DEFAULT, false)?;
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
        own_memory(device, &shared, D3DPOOL_DEFAULT, false)?;
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
        let memory = own_memory(device, &shared, pool, true)?;
        let surface = s
            .device
            .create_offscreen_plain_surface(width, height, format, pool)?;
        if let Some(memory) = memory {
            s.device.use_memory(surface, borrowed(memory))?;
        }
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
        if usage & D3DUSAGE_DYNAMIC != 0 {
            let _ = out.set(ptr::null());
        }
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
