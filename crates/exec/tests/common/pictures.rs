//! The pictures of the case files, sampled as their README says: points, clamped.

use crate::case::Picture;
use ninefold_exec::{Fetch, Lod, Sampler};
use std::collections::BTreeMap;

/// Pictures by sampler register.
pub(crate) struct Pictures<'a>(pub(crate) &'a BTreeMap<usize, Picture>);

impl Sampler for Pictures<'_> {
    fn sample(&mut self, fetch: &Fetch) -> [f32; 4] {
        let [x, y, z, _] = fetch.coordinate;
        match self.0.get(&usize::from(fetch.sampler)) {
            None => [0.0, 0.0, 0.0, 1.0],
            Some(Picture::Grid) => {
                let level = level(&fetch.lod, 16.0).round().clamp(0.0, 1.0);
                let side = 16.0 / level.exp2();
                [texel(x, side), texel(y, side), level, 1.0]
            }
            Some(Picture::Volume) => [texel(x, 4.0), texel(y, 4.0), texel(z, 4.0), 1.0],
            Some(_) => {
                let face = face([x, y, z]);
                [face, face, face, 1.0]
            }
        }
    }
}

/// The texel of a clamped coordinate in a row of `side`.
fn texel(x: f32, side: f32) -> f32 {
    (x * side).floor().clamp(0.0, side - 1.0)
}

/// The level of a square texture of `side` texels.
fn level(lod: &Lod, side: f32) -> f32 {
    let length = |d: &[f32; 3]| (d[0] * side).hypot(d[1] * side);
    match lod {
        Lod::Level(level) => *level,
        Lod::Gradients { dx, dy } => length(dx).max(length(dy)).log2(),
        Lod::Implicit { dx, dy, bias } => length(dx).max(length(dy)).log2() + bias,
    }
}

/// Number of the cube face in a direction: +x, -x, +y, -y, +z, -z.
fn face(direction: [f32; 3]) -> f32 {
    let [x, y, z] = direction.map(f32::abs);
    let axis = if z >= x && z >= y {
        2
    } else if y >= x {
        1
    } else {
        0
    };
    (axis * 2 + usize::from(direction[axis] < 0.0)) as f32
}
