//! What state of draws begins with.

use core::ptr;

use crate::fault::call;
use crate::pointer::init;
use crate::types::*;

/// Fills state of every draw: see nf_draw_state.
///
/// size: sizeof(nf_draw_state).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_state_init(state: *mut nf_draw_state, size: usize) -> i32 {
    let face = nf_stencil_face {
        fail: 1,
        depth_fail: 1,
        pass: 1,
        func: 8,
    };
    let value = nf_draw_state {
        struct_size: size_of::<nf_draw_state>() as u32,
        blend: NF_BLEND_NONE,
        blend_src: 2,
        blend_dst: 1,
        blend_op: 1,
        write_mask: 15,
        cull: 1,
        depth_test: 0,
        depth_write: 0,
        depth_func: 4,
        stencil: 0,
        stencil_two_sided: 0,
        stencil_front: face,
        stencil_back: face,
        stencil_ref: 0,
        stencil_read_mask: 0xFF,
        stencil_write_mask: 0xFF,
        alpha_test: 0,
        alpha_func: 8,
        alpha_ref: 0,
        fog: 0,
        fog_color: 0,
        linear_filter: 0,
        address_clamp: 0,
        texture_color_only: 0,
        reserved: 0,
        texture: nf_texture::default(),
        sampler: ptr::null(),
    };
    // SAFETY: the caller's promise about `state` and `size`.
    call(|| unsafe { init(state, size, value) })
}

/// Fills state of the texture-stage cascade: see nf_fixed_state.
///
/// size: sizeof(nf_fixed_state).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_fixed_state_init(state: *mut nf_fixed_state, size: usize) -> i32 {
    let stage = |texcoord_index| nf_fixed_stage {
        color_op: 1,
        color_arg0: 1,
        color_arg1: 2,
        color_arg2: 1,
        alpha_op: 1,
        alpha_arg0: 1,
        alpha_arg1: 2,
        alpha_arg2: 1,
        result_arg: 1,
        constant: 0,
        texcoord_index,
        reserved: 0,
        texture: nf_texture::default(),
        sampler: nf_sampler {
            address_u: 1,
            address_v: 1,
            address_w: 1,
            min_filter: 1,
            mag_filter: 1,
            mip_filter: 0,
            max_anisotropy: 1,
            max_mip_level: 0,
            border_color: 0,
            lod_bias: 0.0,
        },
    };
    let value = nf_fixed_state {
        struct_size: size_of::<nf_fixed_state>() as u32,
        texture_factor: 0xFFFF_FFFF,
        draw: ptr::null(),
        stages: [0, 1, 2, 3, 4, 5, 6, 7].map(stage),
    };
    // SAFETY: the caller's promise about `state` and `size`.
    call(|| unsafe { init(state, size, value) })
}

/// Fills state of draws with shaders: see nf_program_state.
///
/// size: sizeof(nf_program_state).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_program_state_init(state: *mut nf_program_state, size: usize) -> i32 {
    let value = nf_program_state {
        struct_size: size_of::<nf_program_state>() as u32,
        element_count: 0,
        draw: ptr::null(),
        vertex_shader: nf_shader::default(),
        pixel_shader: nf_shader::default(),
        fixed: ptr::null(),
        elements: ptr::null(),
        streams: ptr::null(),
        stream_count: 0,
        vertex_float_count: 0,
        vertex_floats: ptr::null(),
        vertex_ints: ptr::null(),
        vertex_int_count: 0,
        vertex_bools: 0,
        pixel_float_count: 0,
        pixel_int_count: 0,
        pixel_floats: ptr::null(),
        pixel_ints: ptr::null(),
        pixel_bools: 0,
        texture_count: 0,
        textures: ptr::null(),
        samplers: ptr::null(),
        sampler_count: 0,
        radial_fog: 0,
        resident: nf_buffer::default(),
        resident_offset: 0,
    };
    // SAFETY: the caller's promise about `state` and `size`.
    call(|| unsafe { init(state, size, value) })
}
