//! Render, stage and sampler states, textures, state blocks, queries.

use core::ffi::c_void;

use ninefold_d3d9::{QueryHandle, StateBlockHandle};

use super::This;
use crate::object::Object;
use crate::pointer::*;
use crate::texture::TextureArg;

pub(super) extern "C" fn set_render_state(this: This, state: u32, value: u32) -> Hr {
    this.call(|s| s.device.set_render_state(state, value))
}

pub(super) extern "C" fn get_render_state(this: This, state: u32, out: Out<u32>) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_render_state(state)?)
    })
}

pub(super) extern "C" fn set_texture_stage_state(
    this: This,
    stage: u32,
    state: u32,
    value: u32,
) -> Hr {
    this.call(|s| s.device.set_texture_stage_state(stage, state, value))
}

pub(super) extern "C" fn get_texture_stage_state(
    this: This,
    stage: u32,
    state: u32,
    out: Out<u32>,
) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_texture_stage_state(stage, state)?)
    })
}

pub(super) extern "C" fn set_sampler_state(this: This, sampler: u32, state: u32, value: u32) -> Hr {
    this.call(|s| s.device.set_sampler_state(sampler, state, value))
}

pub(super) extern "C" fn get_sampler_state(
    this: This,
    sampler: u32,
    state: u32,
    out: Out<u32>,
) -> Hr {
    this.call(|s| {
        out.check()?;
        out.set(s.device.get_sampler_state(sampler, state)?)
    })
}

pub(super) extern "C" fn set_texture(this: This, sampler: u32, texture: TextureArg) -> Hr {
    this.call_with_device(|device, s| s.device.set_texture(sampler, texture.handle(device)?))
}

pub(super) extern "C" fn get_texture(this: This, sampler: u32, out: Out<*const c_void>) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let texture = s.device.get_texture(sampler)?;
        out.set(texture.map_or(core::ptr::null(), |t| s.hand_out_texture(device, t)))
    })
}

pub(super) extern "C" fn validate_device(this: This, passes: Out<u32>) -> Hr {
    this.call(|s| {
        passes.check()?;
        passes.set(s.device.validate_device()?)
    })
}

pub(super) extern "C" fn create_state_block(
    this: This,
    kind: u32,
    out: Out<*const Object<StateBlockHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let block = s.device.create_state_block(kind)?;
        out.set(s.hand_out(device, block))
    })
}

pub(super) extern "C" fn begin_state_block(this: This) -> Hr {
    this.call(|s| s.device.begin_state_block())
}

pub(super) extern "C" fn end_state_block(
    this: This,
    out: Out<*const Object<StateBlockHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let block = s.device.end_state_block()?;
        out.set(s.hand_out(device, block))
    })
}

/// Without a place for the query, says whether there could be one.
pub(super) extern "C" fn create_query(
    this: This,
    kind: u32,
    out: Out<*const Object<QueryHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        if out.is_null() {
            return s.device.check_query(kind);
        }
        let query = s.device.create_query(kind)?;
        out.set(s.hand_out(device, query))
    })
}

pub(super) extern "C" fn set_software_vertex_processing(this: This, software: i32) -> Hr {
    this.call(|s| s.device.set_software_vertex_processing(software != 0))
}

pub(super) extern "C" fn get_software_vertex_processing(this: This) -> i32 {
    this.value(0, |s| Ok(s.device.get_software_vertex_processing().into()))
}

pub(super) extern "C" fn set_npatch_mode(this: This, segments: f32) -> Hr {
    this.call(|s| s.device.set_npatch_mode(segments))
}

pub(super) extern "C" fn get_npatch_mode(this: This) -> f32 {
    this.value(0.0, |s| Ok(s.device.get_npatch_mode()))
}
