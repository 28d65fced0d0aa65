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
    for (&register, &value) in &inputs.ints {
        extras.ints[register] = value;
    }
    extras.bools[0] = inputs.bools;
    extras
}

pub(crate) fn pixel_extras(inputs: &Inputs) -> PixelExtras {
    let mut extras: PixelExtras = bytemuck::Zeroable::zeroed();
    for (&register, &value) in &inputs.ints {
        extras.ints[register] = value;
    }
    extras.bools[0] = inputs.bools;
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
