//! Transforms, viewport, material, lights, clip planes.

use ninefold_d3d9::Matrix;

use super::This;
use crate::abi::*;
use crate::pointer::*;

pub(super) extern "C" fn set_transform(this: This, state: u32, matrix: In<Matrix>) -> Hr {
    this.call(|s| s.device.set_transform(state, &matrix.required()?))
}

pub(super) extern "C" fn get_transform(this: This, state: u32, out: Out<Matrix>) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_transform(state)?)
    })
}

pub(super) extern "C" fn multiply_transform(this: This, state: u32, matrix: In<Matrix>) -> Hr {
    this.call(|s| s.device.multiply_transform(state, &matrix.required()?))
}

pub(super) extern "C" fn set_viewport(this: This, viewport: In<Viewport>) -> Hr {
    this.call(|s| s.device.set_viewport(&viewport.required()?.into()))
}

pub(super) extern "C" fn get_viewport(this: This, out: Out<Viewport>) -> Hr {
    this.call(|s| out.set(s.device.get_viewport().into()))
}

pub(super) extern "C" fn set_scissor_rect(this: This, rect: In<Rect>) -> Hr {
    this.call(|s| s.device.set_scissor_rect(rect.required()?.into()))
}

pub(super) extern "C" fn get_scissor_rect(this: This, out: Out<Rect>) -> Hr {
    this.call(|s| out.set(s.device.get_scissor_rect().into()))
}

pub(super) extern "C" fn set_material(this: This, material: In<Material>) -> Hr {
    this.call(|s| s.device.set_material(&material.required()?.into()))
}

pub(super) extern "C" fn get_material(this: This, out: Out<Material>) -> Hr {
    this.call(|s| out.set(s.device.get_material().into()))
}

pub(super) extern "C" fn set_light(this: This, index: u32, light: In<Light>) -> Hr {
    this.call(|s| s.device.set_light(index, &light.required()?.into()))
}

pub(super) extern "C" fn get_light(this: This, index: u32, out: Out<Light>) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_light(index)?.into())
    })
}

pub(super) extern "C" fn light_enable(this: This, index: u32, enable: i32) -> Hr {
    this.call(|s| s.device.light_enable(index, enable != 0))
}

/// Enabled is 128, as every driver says it.
pub(super) extern "C" fn get_light_enable(this: This, index: u32, out: Out<i32>) -> Hr {
    this.call(|s| {
        out.check()?;
        let on = s.device.get_light_enable(index)?;
        out.set(if on { 128 } else { 0 })
    })
}

pub(super) extern "C" fn set_clip_plane(this: This, index: u32, plane: In<[f32; 4]>) -> Hr {
    this.call(|s| s.device.set_clip_plane(index, plane.required()?))
}

pub(super) extern "C" fn get_clip_plane(this: This, index: u32, out: Out<[f32; 4]>) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_clip_plane(index)?)
    })
}
