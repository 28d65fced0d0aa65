// Clears of rectangles and scaled copies. Vertices carry everything, so that neither needs
// constants.

struct ClearVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn clear_vertex(@location(0) position: vec3<f32>, @location(1) color: vec4<f32>) -> ClearVertex {
    return ClearVertex(vec4<f32>(position, 1.0), color);
}

struct ClearTargets {
    @location(0) c0: vec4<f32>,
    @location(1) c1: vec4<f32>,
    @location(2) c2: vec4<f32>,
    @location(3) c3: vec4<f32>,
}

@fragment
fn clear_fragment(in: ClearVertex) -> ClearTargets {
    return ClearTargets(in.color, in.color, in.color, in.color);
}

struct BlitVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

@vertex
fn blit_vertex(@location(0) position: vec2<f32>, @location(1) uv: vec2<f32>) -> BlitVertex {
    return BlitVertex(vec4<f32>(position, 0.0, 1.0), uv);
}

@fragment
fn blit_fragment(in: BlitVertex) -> @location(0) vec4<f32> {
    return textureSampleLevel(source, source_sampler, in.uv, 0.0);
}

// Channels that a source does not have are 1, as when it is sampled.

@fragment
fn blit_fragment_red(in: BlitVertex) -> @location(0) vec4<f32> {
    let color = textureSampleLevel(source, source_sampler, in.uv, 0.0);
    return vec4<f32>(color.r, 1.0, 1.0, 1.0);
}

@fragment
fn blit_fragment_red_green(in: BlitVertex) -> @location(0) vec4<f32> {
    let color = textureSampleLevel(source, source_sampler, in.uv, 0.0);
    return vec4<f32>(color.rg, 1.0, 1.0);
}
