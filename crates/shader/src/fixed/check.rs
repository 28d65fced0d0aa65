//! Refusing keys that do not describe a shader: they may come from a file.

use super::fragment_key::{FragmentKey, fragment_fog, stage_texture};
use super::op::{self, arg};
use super::vertex_key::{TRANSFORM_PROJECTED, TWEEN, VertexKey, coordinate, position, vertex_fog};
use super::{KEY_VERSION, LARGE_PALETTE};
use crate::Error;

fn refuse(message: String) -> Result<(), Error> {
    Err(Error::Options(message))
}

/// `value` of `what` must be at most `most`.
fn at_most(key: &str, what: &str, value: u8, most: u8) -> Result<(), Error> {
    if value > most {
        return refuse(format!(
            "fixed {key} key: {what} is {value}, expected at most {most}"
        ));
    }
    Ok(())
}

fn version(key: &str, found: u8) -> Result<(), Error> {
    if found != KEY_VERSION {
        return refuse(format!(
            "fixed {key} key has version {found}, this build generates version {KEY_VERSION}"
        ));
    }
    Ok(())
}

/// Checks a vertex key before it is brought to normal form.
pub(super) fn vertex(key: &VertexKey) -> Result<(), Error> {
    version("vertex", key.version)?;
    at_most("vertex", "position", key.position, position::CLIP)?;
    if key.blend_matrices != TWEEN {
        at_most("vertex", "blend_matrices", key.blend_matrices, 4)?;
    }
    if !matches!(usize::from(key.palette), 0 | LARGE_PALETTE) {
        return refuse(format!(
            "fixed vertex key: palette is {}, expected 0 or {LARGE_PALETTE}",
            key.palette
        ));
    }
    at_most("vertex", "light_types", key.light_types, 7)?;
    at_most("vertex", "points", key.points, 3)?;
    let curve = key.fog & !vertex_fog::RANGE;
    at_most("vertex", "fog", curve, vertex_fog::VIEW_DEPTH)?;
    for (what, source) in [
        ("diffuse_source", key.diffuse_source),
        ("ambient_source", key.ambient_source),
        ("specular_source", key.specular_source),
        ("emissive_source", key.emissive_source),
    ] {
        at_most("vertex", what, source, 2)?;
    }
    for (n, stage) in key.stages.iter().enumerate() {
        let count = stage.transform & !TRANSFORM_PROJECTED;
        for (what, value, most) in [
            ("source", stage.source, coordinate::SPHERE),
            ("set", stage.set, 7),
            ("components", stage.components, 4),
            ("transform count", count, 4),
        ] {
            at_most("vertex", &format!("{what} of stage {n}"), value, most)?;
        }
    }
    Ok(())
}

/// Checks a fragment key in normal form.
pub(super) fn fragment(key: &FragmentKey) -> Result<(), Error> {
    version("fragment", key.version)?;
    at_most("fragment", "alpha_func", key.alpha_func, 8)?;
    at_most("fragment", "fog", key.fog, fragment_fog::LINEAR_VERTEX)?;
    for (n, stage) in key.stages.iter().enumerate().take(key.live_stages()) {
        let place = |what| format!("{what} of stage {n}");
        at_most(
            "fragment",
            &place("texture"),
            stage.texture,
            stage_texture::VOLUME,
        )?;
        at_most("fragment", &place("projected"), stage.projected, 4)?;
        for (what, code) in [("color", stage.color_op), ("alpha", stage.alpha_op)] {
            if code > op::LERP {
                return refuse(format!(
                    "fixed stage {n} has unknown {what} operation {code}"
                ));
            }
        }
        for code in stage.color_args.into_iter().chain(stage.alpha_args) {
            if code & arg::SELECT > arg::CONSTANT || code & 0xc0 != 0 {
                return refuse(format!("fixed stage {n} has unknown argument {code:#x}"));
            }
        }
    }
    Ok(())
}
