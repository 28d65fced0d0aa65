// Copies of depth between surfaces of unlike sample counts.

@group(0) @binding(0) var single: texture_depth_2d;
@group(0) @binding(0) var several: texture_depth_multisampled_2d;

// One triangle over everything.
@vertex
fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(select(-1.0, 3.0, corner == 1u), select(-1.0, 3.0, corner == 2u), 0.0, 1.0);
}

@fragment
fn of_single(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    return textureLoad(single, vec2<i32>(at.xy), 0);
}

@fragment
fn of_several(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    return textureLoad(several, vec2<i32>(at.xy), 0);
}
