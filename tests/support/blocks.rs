//! A row's inputs as the blocks and varyings that a function reads.

use crate::case::Inputs;
use ninefold_shader::abi::{PixelExtras, VertexExtras};

/// What the vertex function of a pixel case writes at `location`.
pub(crate) fn varying(inputs: &Inputs, location: u32) -> [f32; 4] {
    let given = inputs.varyings.get(&location).copied();
    let value = match location {
        _ if given.is_some() => given,
        0 | 1 => inputs.v.get(&(location as usize)).copied(),
        2..=9 => inputs.t.get(&(location as usize - 2)).copied(),
        10 => Some([inputs.fog; 4]),
        _ => None,
    };
    value.unwrap_or([0.0; 4])
}

pub(crate) fn vertex_extras(inputs: &Inputs) -> VertexExtras {
    let mut extras: VertexExtras = bytemuck::Zeroable::zeroed();
    for (&register, &value) in inputs.ints.range(..16) {
        extras.ints[register] = value;
    }
    extras.bools[0] = inputs.bools & 0xFFFF;
    for (&plane, &value) in &inputs.clip {
        extras.clip_planes[plane] = value;
    }
    extras.misc[0] = [inputs.size, 0.0, f32::MAX, 0.0];
    extras
}

pub(crate) fn pixel_extras(inputs: &Inputs) -> PixelExtras {
    let mut extras: PixelExtras = bytemuck::Zeroable::zeroed();
    for (&register, &value) in inputs.ints.range(..16) {
        extras.ints[register] = value;
    }
    extras.bools[0] = inputs.bools & 0xFFFF;
    for (&stage, &value) in &inputs.bump {
        extras.bump_matrices[stage] = value;
    }
    for (&stage, &value) in &inputs.luminance {
        extras.bump_luminance[stage] = value;
    }
    extras.alpha_ref[0] = inputs.alpha_ref;
    extras.fog_color = inputs.fog_color;
    extras.fog = inputs.fog_params;
    extras
}

/// The float registers of the largest file there is.
pub(crate) fn float_file(inputs: &Inputs) -> Vec<[f32; 4]> {
    let mut file = vec![[0.0; 4]; 8192];
    for (&register, &value) in &inputs.constants {
        file[register] = value;
    }
    file
}

/// The integer registers of software versions.
pub(crate) fn int_file(inputs: &Inputs) -> Vec<[i32; 4]> {
    let mut file = vec![[0; 4]; 2048];
    for (&register, &value) in &inputs.ints {
        file[register] = value;
    }
    file
}

/// The boolean registers of software versions, 32 in a word.
pub(crate) fn bool_file(inputs: &Inputs) -> Vec<u32> {
    let mut file = vec![0; 64];
    file[0] = inputs.bools;
    for register in &inputs.wide_bools {
        file[register / 32] |= 1 << (register % 32);
    }
    file
}
