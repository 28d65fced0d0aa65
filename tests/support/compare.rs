//! Which value a case asks for, and whether it is the one that it expects.

use ninefold_shader::{Stage, abi};

/// Stands for the depth in place of a colour target's number.
pub(crate) const DEPTH: usize = usize::MAX;

/// Stands for the point size, which a draw does not show.
pub(crate) const POINT: usize = usize::MAX - 1;

/// The target that holds output `name`, and for a vertex shader the varying's location.
pub(crate) fn output(name: &str, stage: Stage) -> Result<(usize, u32), String> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let index = digits.parse::<u32>().unwrap_or(0);
    match (stage, &name[..name.len() - digits.len()]) {
        (Stage::Pixel, "out" | "oC") => Ok((index as usize, 0)),
        (Stage::Pixel, "depth") => Ok((DEPTH, 0)),
        (Stage::Vertex, "out" | "oT") => Ok((0, abi::TEXCOORD_LOCATION + index)),
        (Stage::Vertex, "oD") => Ok((0, abi::COLOR_LOCATION + index)),
        (Stage::Vertex, "oPts") => Ok((POINT, 0)),
        (Stage::Vertex, "linked") => Ok((0, abi::LINKED_LOCATION + index)),
        (Stage::Vertex, "oFog") => Ok((0, abi::FOG_LOCATION)),
        _ => Err(format!("no output {name} in this stage")),
    }
}

fn close(got: f32, want: f32, within: f32) -> bool {
    if want.is_nan() {
        return got.is_nan();
    }
    got == want || (got - want).abs() <= within * want.abs().max(1.0)
}

pub(crate) fn compare(
    name: &str,
    got: [f32; 4],
    want: [Option<f32>; 4],
    within: f32,
) -> Result<(), String> {
    let good = got
        .iter()
        .zip(want)
        .all(|(&got, want)| want.is_none_or(|w| close(got, w, within)));
    match good {
        true => Ok(()),
        false => Err(format!("{name} is {got:?}, expected {want:?}")),
    }
}
