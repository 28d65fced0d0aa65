//! What Direct3D 9 does after the pixel shader, for the cases that say so: the
//! alpha test in steps of 1/255, then fog before ps_3_0.

use crate::case::{Case, Row};
use ninefold_shader::{CompareFunc, Fog, FogCurve, FogDepth};

/// Depth and w of the point that every pixel case draws.
const POINT: (f32, f32) = (0.5, 2.0);

/// Whether a pixel of this alpha passes the alpha test.
pub(crate) fn passes(case: &Case, row: &Row, alpha: f32) -> bool {
    let steps = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round();
    let (alpha, reference) = (steps(alpha), steps(row.inputs.alpha_ref));
    match case.options.alpha_func {
        CompareFunc::Never => false,
        CompareFunc::Less => alpha < reference,
        CompareFunc::Equal => alpha == reference,
        CompareFunc::LessEqual => alpha <= reference,
        CompareFunc::Greater => alpha > reference,
        CompareFunc::NotEqual => alpha != reference,
        CompareFunc::GreaterEqual => alpha >= reference,
        CompareFunc::Always => true,
    }
}

/// A colour with fog; `vertex` is the factor of vertex fog.
pub(crate) fn fogged(case: &Case, row: &Row, vertex: f32, color: [f32; 4]) -> [f32; 4] {
    let [start, end, _, density] = row.inputs.fog_params;
    let factor = match case.options.fog {
        Fog::None => return color,
        Fog::Vertex => vertex,
        Fog::Full => 0.0,
        Fog::Table(curve, depth) => {
            let distance = match depth {
                FogDepth::Z => POINT.0,
                FogDepth::W => POINT.1,
                FogDepth::Vertex => vertex,
            };
            match curve {
                FogCurve::Linear => (end - distance) / (end - start),
                FogCurve::Exp => (-distance * density).exp(),
                FogCurve::Exp2 => (-(distance * density).powi(2)).exp(),
            }
        }
    }
    .clamp(0.0, 1.0);
    let mut out = color;
    for (to, fog) in out.iter_mut().zip(row.inputs.fog_color).take(3) {
        *to = fog + factor * (*to - fog);
    }
    out
}
