// Fast approximate anti-aliasing over gamma-encoded colours, in the manner of version 3.11 with its
// long edge search. Vertices carry everything, so that there are no constants.

struct Vertex {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    // How much of the aliasing smaller than a pixel goes, 0 to 1.
    @location(1) @interpolate(flat) subpixel: f32,
}

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

@vertex
fn fxaa_vertex(
    @location(0) position: vec2<f32>,
    @location(1) uv: vec2<f32>,
    @location(2) subpixel: f32,
) -> Vertex {
    return Vertex(vec4<f32>(position, 0.0, 1.0), uv, subpixel);
}

// Contrast below this part of the brightest neighbour is no edge, nor is any below the other.
const EDGE: f32 = 0.166;
const DARK_EDGE: f32 = 0.0833;
const STEPS = array<f32, 8>(1.0, 1.5, 2.0, 2.0, 2.0, 2.0, 4.0, 8.0);

fn color_at(uv: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(source, source_sampler, uv, 0.0);
}

fn luma(uv: vec2<f32>) -> f32 {
    return dot(color_at(uv).rgb, vec3<f32>(0.299, 0.587, 0.114));
}

// How far from `start` along `step` the pair of rows ends that `local` is the mean of, and by how
// much the luma there differs from it.
fn search(start: vec2<f32>, step: vec2<f32>, local: f32, enough: f32) -> vec2<f32> {
    var steps = STEPS;
    var at = 0.0;
    var difference = 0.0;
    for (var n = 0; n < 8; n++) {
        at += steps[n];
        difference = luma(start + step * at) - local;
        if abs(difference) >= enough {
            break;
        }
    }
    return vec2<f32>(at, difference);
}

@fragment
fn fxaa_fragment(in: Vertex) -> @location(0) vec4<f32> {
    let texel = 1.0 / vec2<f32>(textureDimensions(source, 0));
    let center = color_at(in.uv);
    let m = dot(center.rgb, vec3<f32>(0.299, 0.587, 0.114));
    let n = luma(in.uv + texel * vec2<f32>(0.0, -1.0));
    let s = luma(in.uv + texel * vec2<f32>(0.0, 1.0));
    let w = luma(in.uv + texel * vec2<f32>(-1.0, 0.0));
    let e = luma(in.uv + texel * vec2<f32>(1.0, 0.0));
    let brightest = max(m, max(max(n, s), max(w, e)));
    let range = brightest - min(m, min(min(n, s), min(w, e)));
    if range < max(DARK_EDGE, brightest * EDGE) {
        return center;
    }
    let nw = luma(in.uv - texel);
    let se = luma(in.uv + texel);
    let ne = luma(in.uv + texel * vec2<f32>(1.0, -1.0));
    let sw = luma(in.uv + texel * vec2<f32>(-1.0, 1.0));

    // What stands out of its surroundings by itself is blended with them.
    let around = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    let alone = clamp(abs(around - m) / range, 0.0, 1.0);
    let smoothed = alone * alone * (3.0 - 2.0 * alone);
    let subpixel = smoothed * smoothed * in.subpixel;

    // The second derivatives across rows and columns tell which way the edge runs.
    let across_rows = abs(nw - 2.0 * w + sw) + 2.0 * abs(n - 2.0 * m + s) + abs(ne - 2.0 * e + se);
    let across_columns = abs(nw - 2.0 * n + ne) + 2.0 * abs(w - 2.0 * m + e) + abs(sw - 2.0 * s + se);
    let horizontal = across_rows >= across_columns;
    let along = select(vec2<f32>(0.0, texel.y), vec2<f32>(texel.x, 0.0), horizontal);
    let across = select(vec2<f32>(texel.x, 0.0), vec2<f32>(0.0, texel.y), horizontal);
    let before = select(w, n, horizontal);
    let after = select(e, s, horizontal);
    let steeper_before = abs(before - m) >= abs(after - m);
    let side = select(1.0, -1.0, steeper_before);
    let other = select(after, before, steeper_before);
    let local = 0.5 * (m + other);
    let enough = 0.25 * abs(other - m);

    let start = in.uv + across * (0.5 * side);
    let back = search(start, -along, local, enough);
    let ahead = search(start, along, local, enough);
    let nearer = select(ahead, back, back.x < ahead.x);
    // Where the nearer end turns the way that this pixel already lies, the edge steps elsewhere.
    let steps_here = (nearer.y < 0.0) != (m < local);
    let slant = select(0.0, 0.5 - nearer.x / (back.x + ahead.x), steps_here);
    return vec4<f32>(color_at(in.uv + across * (side * max(slant, subpixel))).rgb, center.a);
}
