//! Copies between surfaces, render targets, scenes and Clear.

use ninefold_d3d9::{HResult, SurfaceHandle};

use super::This;
use crate::abi::*;
use crate::object::{Arg, Object};
use crate::pointer::*;
use crate::texture::TextureArg;

pub(super) extern "C" fn update_surface(
    this: This,
    source: Arg<SurfaceHandle>,
    rect: In<Rect>,
    destination: Arg<SurfaceHandle>,
    point: In<Point>,
) -> Hr {
    this.call_with_device(|device, s| {
        let (source, destination) = (source.required(device)?, destination.required(device)?);
        let rect = rect.get().map(Into::into);
        s.device
            .update_surface(source, rect, destination, point.get().map(Into::into))
    })
}

pub(super) extern "C" fn update_texture(
    this: This,
    source: TextureArg,
    destination: TextureArg,
) -> Hr {
    this.call_with_device(|device, s| {
        let (source, destination) = (source.required(device)?, destination.required(device)?);
        s.device.update_texture(source, destination)
    })
}

pub(super) extern "C" fn get_render_target_data(
    this: This,
    source: Arg<SurfaceHandle>,
    destination: Arg<SurfaceHandle>,
) -> Hr {
    this.call_with_device(|device, s| {
        let (source, destination) = (source.required(device)?, destination.required(device)?);
        s.device.get_render_target_data(source, destination)
    })
}

pub(super) extern "C" fn get_front_buffer_data(
    this: This,
    swap_chain: u32,
    destination: Arg<SurfaceHandle>,
) -> Hr {
    this.call_with_device(|device, s| {
        s.device
            .get_front_buffer_data(swap_chain, destination.required(device)?)
    })
}

pub(super) extern "C" fn stretch_rect(
    this: This,
    source: Arg<SurfaceHandle>,
    source_rect: In<Rect>,
    destination: Arg<SurfaceHandle>,
    destination_rect: In<Rect>,
    filter: u32,
) -> Hr {
    this.call_with_device(|device, s| {
        let (source, destination) = (source.required(device)?, destination.required(device)?);
        let from = source_rect.get().map(Into::into);
        let to = destination_rect.get().map(Into::into);
        s.device.stretch_rect(source, from, destination, to, filter)
    })
}

pub(super) extern "C" fn color_fill(
    this: This,
    surface: Arg<SurfaceHandle>,
    rect: In<Rect>,
    color: u32,
) -> Hr {
    this.call_with_device(|device, s| {
        let surface = surface.required(device)?;
        s.device
            .color_fill(surface, rect.get().map(Into::into), color)
    })
}

pub(super) extern "C" fn set_render_target(
    this: This,
    index: u32,
    surface: Arg<SurfaceHandle>,
) -> Hr {
    this.call_with_device(|device, s| s.device.set_render_target(index, surface.handle(device)?))
}

pub(super) extern "C" fn get_render_target(
    this: This,
    index: u32,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let surface = match s.device.get_render_target(index) {
            // A target that could be there gives null, one that could not leaves the pointer.
            Err(code @ HResult::NOTFOUND) => {
                out.set(core::ptr::null())?;
                return Err(code);
            }
            found => found?,
        };
        out.set(s.hand_out(device, surface))
    })
}

pub(super) extern "C" fn set_depth_stencil_surface(this: This, surface: Arg<SurfaceHandle>) -> Hr {
    this.call_with_device(|device, s| s.device.set_depth_stencil_surface(surface.handle(device)?))
}

pub(super) extern "C" fn get_depth_stencil_surface(
    this: This,
    out: Out<*const Object<SurfaceHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.set(core::ptr::null())?;
        let surface = s.device.get_depth_stencil_surface()?;
        out.set(s.hand_out(device, surface))
    })
}

pub(super) extern "C" fn begin_scene(this: This) -> Hr {
    this.call(|s| s.device.begin_scene())
}

pub(super) extern "C" fn end_scene(this: This) -> Hr {
    this.call(|s| s.device.end_scene())
}

/// A count without rectangles clears the viewport; rectangles without a count clear nothing.
pub(super) extern "C" fn clear(
    this: This,
    count: u32,
    rects: In<Rect>,
    flags: u32,
    color: u32,
    z: f32,
    stencil: u32,
) -> Hr {
    this.call(|s| {
        if rects.is_null() {
            return s.device.clear(&[], flags, color, z, stencil);
        }
        if count == 0 {
            return Ok(());
        }
        let rects = rects.slice(count as usize)?;
        // One rectangle is the common case and needs no list.
        if let [rect] = rects {
            return s.device.clear(&[(*rect).into()], flags, color, z, stencil);
        }
        let rects: Vec<_> = rects.iter().map(|r| (*r).into()).collect();
        s.device.clear(&rects, flags, color, z, stencil)
    })
}
