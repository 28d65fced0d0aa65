//! Where a renderer over `wgpu-hal` binds a function's resources on Metal.

use naga::back::msl::EntryPointResources;
use ninefold_gpu::types::{
    BindGroupLayoutEntry, BindingType, BufferBindingType, SamplerBindingType, ShaderStages,
    TextureSampleType, TextureViewDimension,
};
use ninefold_shader::{SamplerKind, Stage, Translation, abi};

/// The slots in a layout made as the text of `translate` says: all four uniform buffers, each for
/// its stage, the function's own textures and samplers, and the large constants of both stages.
pub(crate) fn of(translation: &Translation) -> EntryPointResources {
    let reflection = &translation.reflection;
    let (stage, first) = match reflection.stage {
        Stage::Vertex => (ShaderStages::VERTEX, abi::PIXEL_SAMPLERS),
        Stage::Pixel => (ShaderStages::FRAGMENT, 0),
    };
    let entry = |binding, visibility, ty| BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let buffer = |ty, has_dynamic_offset| BindingType::Buffer {
        ty,
        has_dynamic_offset,
        min_binding_size: None,
    };
    let uniform = buffer(BufferBindingType::Uniform, true);
    let constants = [
        entry(abi::VERTEX_CONSTANTS, ShaderStages::VERTEX, uniform),
        entry(abi::PIXEL_CONSTANTS, ShaderStages::FRAGMENT, uniform),
        entry(abi::VERTEX_EXTRAS, ShaderStages::VERTEX, uniform),
        entry(abi::PIXEL_EXTRAS, ShaderStages::FRAGMENT, uniform),
    ];
    let mut textures = Vec::new();
    for sampler in &reflection.samplers {
        let slot = first + u32::from(sampler.register);
        let texture = BindingType::Texture {
            sample_type: match sampler.compares {
                true => TextureSampleType::Depth,
                false => TextureSampleType::Float { filterable: true },
            },
            view_dimension: match sampler.kind {
                SamplerKind::Cube => TextureViewDimension::D2Array,
                SamplerKind::Volume => TextureViewDimension::D3,
                _ => TextureViewDimension::D2,
            },
            multisampled: false,
        };
        let kind = match sampler.compares {
            true => SamplerBindingType::Comparison,
            false => SamplerBindingType::Filtering,
        };
        textures.push(entry(abi::texture_binding(slot), stage, texture));
        let sampler = BindingType::Sampler(kind);
        textures.push(entry(abi::sampler_binding(slot), stage, sampler));
    }
    let rows = buffer(BufferBindingType::Storage { read_only: true }, false);
    let large = [
        entry(abi::VERTEX_LARGE, ShaderStages::VERTEX, rows),
        entry(abi::PIXEL_LARGE, ShaderStages::FRAGMENT, rows),
    ];
    let large: &[_] = match reflection.large_rows() {
        0 => &[],
        _ => &large,
    };
    ninefold_gpu::msl_slots(&[&constants, &textures, large], 0, stage)
}
