//! A translation as SPIR-V, WGSL, MSL, HLSL and GLSL.
//!
//! The entry point is called [`Translation::entry`] in all of them but GLSL, whose entry point
//! is always `main`.
//!
//! These are for tools, tests and backends that take text: a renderer over `wgpu-hal` hands the
//! module itself to all but Metal, which gets [`msl_with_slots`].

mod gradients;
mod msl;
mod points;

pub use msl::{ApplePlatform, MslVersion, msl, msl_version, msl_with_slots};

use crate::{Error, Stage, Translation, abi};
use naga::back;
use std::cell::RefCell;

fn refuse(language: &'static str) -> impl FnOnce(String) -> Error {
    move |message| Error::Writer { language, message }
}

/// `text` with the entry point under its own name: naga adds an underscore to names that end
/// in a digit.
fn entry_named(mut text: String, entry: &str) -> String {
    let written = format!("{entry}_(");
    if let Some(at) = text.find(&written) {
        text.remove(at + entry.len());
    }
    text
}

thread_local! {
    /// A writer keeps its tables from one module to the next.
    static SPIRV: RefCell<Option<back::spv::Writer>> = const { RefCell::new(None) };
}

fn spirv_writer() -> Result<back::spv::Writer, Error> {
    let mut options = back::spv::Options {
        // Every loop of a translated function counts down from at most 255.
        force_loop_bounding: false,
        ..Default::default()
    };
    options.flags.remove(back::spv::WriterFlags::DEBUG);
    back::spv::Writer::new(&options).map_err(|error| refuse("SPIR-V")(error.to_string()))
}

/// SPIR-V 1.0 words for Vulkan, with naga's default coordinate adjustment.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn spirv(translation: &Translation) -> Result<Vec<u32>, Error> {
    let pipeline = back::spv::PipelineOptions {
        shader_stage: translation.module.entry_points[0].stage,
        entry_point: translation.entry.clone(),
    };
    let (module, info) = (&translation.module, &translation.info);
    SPIRV.with_borrow_mut(|kept| {
        let mut writer = match kept.take() {
            Some(writer) => writer,
            None => spirv_writer()?,
        };
        let mut words = Vec::new();
        writer
            .write(module, info, Some(&pipeline), &None, &mut words)
            .map_err(|error| refuse("SPIR-V")(error.to_string()))?;
        // A writer that failed is not kept.
        *kept = Some(writer);
        Ok(words)
    })
}

/// WGSL text. WGSL has no point size; it is left out.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module, as it does for point sprites: WGSL
/// has no point coordinate.
pub fn wgsl(translation: &Translation) -> Result<String, Error> {
    if let Some(shorter) = points::without_point_size(translation) {
        return wgsl(&shorter?);
    }
    back::wgsl::write_string(
        &translation.module,
        &translation.info,
        back::wgsl::WriterFlags::empty(),
    )
    .map(|text| entry_named(text, &translation.entry))
    .map_err(|error| refuse("WGSL")(error.to_string()))
}

/// HLSL text for Shader Model 5.1.
///
/// Uniform buffer `n` of group 0 is `register(bn)`, the texture of slot `s` (16-19 are the vertex
/// samplers) `register(ts, space1)`. Samplers come out of a heap at `register(s0)` through a
/// buffer of indices at `register(t0, space2)`, as `wgpu` binds them: element `s` of the buffer
/// is the place in the heap of slot `s`'s sampler. Large constants are `register(t0, space3)` for
/// the vertex and `register(t1, space3)` for the pixel stage. HLSL has no point size; it is left out.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module, as it does for point sprites: HLSL
/// has no point coordinate.
pub fn hlsl(translation: &Translation) -> Result<String, Error> {
    if let Some(shorter) = points::without_point_size(translation) {
        return hlsl(&shorter?);
    }
    let mut options = back::hlsl::Options {
        fake_missing_bindings: false,
        // Every loop of a translated function counts down from at most 255.
        force_loop_bounding: false,
        ..Default::default()
    };
    for (_, global) in translation.module.global_variables.iter() {
        if let Some(binding) = global.binding {
            options.binding_map.insert(binding, hlsl_register(binding));
        }
    }
    let group = back::hlsl::SamplerIndexBufferKey {
        group: abi::TEXTURE_GROUP,
    };
    let indices = back::hlsl::BindTarget {
        space: 2,
        ..Default::default()
    };
    options.sampler_buffer_binding_map.insert(group, indices);
    let pipeline = back::hlsl::PipelineOptions::default();
    let mut text = String::new();
    back::hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(&translation.module, &translation.info, None)
        .map_err(|error| refuse("HLSL")(error.to_string()))?;
    Ok(sized_clip_distances(entry_named(text, &translation.entry)))
}

fn hlsl_register(binding: naga::ResourceBinding) -> back::hlsl::BindTarget {
    let (space, register) = match binding.group {
        abi::TEXTURE_GROUP => (1, binding.binding / 2),
        abi::LARGE_GROUP => (3, binding.binding),
        _ => (0, binding.binding),
    };
    back::hlsl::BindTarget {
        space,
        register,
        ..Default::default()
    }
}

/// `text` with every declaration of the clip distances as the array that it is: in the struct
/// that a stage returns, naga 30 declares one float.
fn sized_clip_distances(mut text: String) -> String {
    const SEMANTIC: &str = " : SV_ClipDistance";
    let sized = text.find(SEMANTIC).and_then(|to| {
        let from = text[..to].rfind('[')?;
        Some(text[from..to].to_owned())
    });
    let Some(size) = sized.filter(|size| size.ends_with(']')) else {
        return text;
    };
    let places: Vec<usize> = text.match_indices(SEMANTIC).map(|(at, _)| at).collect();
    for at in places.into_iter().rev() {
        if !text[..at].ends_with(']') {
            text.insert_str(at, &size);
        }
    }
    text
}

/// GLSL 4.50 text.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module, as it does for point sprites.
pub fn glsl(translation: &Translation) -> Result<String, Error> {
    let options = back::glsl::Options {
        version: back::glsl::Version::Desktop(450),
        ..Default::default()
    };
    let pipeline = back::glsl::PipelineOptions {
        shader_stage: match translation.reflection.stage {
            Stage::Vertex => naga::ShaderStage::Vertex,
            Stage::Pixel => naga::ShaderStage::Fragment,
        },
        entry_point: translation.entry.clone(),
        multiview: None,
    };
    let mut text = String::new();
    back::glsl::Writer::new(
        &mut text,
        &translation.module,
        &translation.info,
        &options,
        &pipeline,
        Default::default(),
    )
    .and_then(|mut writer| writer.write())
    .map_err(|error| refuse("GLSL")(error.to_string()))?;
    Ok(text)
}
