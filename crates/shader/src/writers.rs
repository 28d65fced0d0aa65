//! A translation as SPIR-V, WGSL, MSL, HLSL and GLSL.
//!
//! These are for tools, tests and backends that take text; a renderer over
//! `wgpu-hal` hands the module itself to the backend.

use crate::{Error, Stage, Translation};
use naga::back;

fn refuse(language: &'static str) -> impl FnOnce(String) -> Error {
    move |message| Error::Writer { language, message }
}

/// SPIR-V 1.0 words for Vulkan, with naga's default coordinate adjustment.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn spirv(translation: &Translation) -> Result<Vec<u32>, Error> {
    let mut options = back::spv::Options::default();
    options.flags.remove(back::spv::WriterFlags::DEBUG);
    let stage = translation.module.entry_points[0].stage;
    let pipeline = back::spv::PipelineOptions {
        shader_stage: stage,
        entry_point: translation.entry.clone(),
    };
    back::spv::write_vec(
        &translation.module,
        &translation.info,
        &options,
        Some(&pipeline),
    )
    .map_err(|error| refuse("SPIR-V")(error.to_string()))
}

/// WGSL text.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn wgsl(translation: &Translation) -> Result<String, Error> {
    back::wgsl::write_string(
        &translation.module,
        &translation.info,
        back::wgsl::WriterFlags::empty(),
    )
    .map_err(|error| refuse("WGSL")(error.to_string()))
}

/// Metal Shading Language 2.1 text with slots numbered by naga's fake bindings; a backend
/// sets its own map.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn msl(translation: &Translation) -> Result<String, Error> {
    let options = back::msl::Options {
        lang_version: (2, 1),
        fake_missing_bindings: true,
        ..Default::default()
    };
    let pipeline = back::msl::PipelineOptions::default();
    back::msl::write_string(&translation.module, &translation.info, &options, &pipeline)
        .map(|(text, _)| text)
        .map_err(|error| refuse("MSL")(error.to_string()))
}

/// HLSL text for Shader Model 5.1 with naga's fake bindings.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn hlsl(translation: &Translation) -> Result<String, Error> {
    let options = back::hlsl::Options {
        fake_missing_bindings: true,
        ..Default::default()
    };
    let pipeline = back::hlsl::PipelineOptions::default();
    let mut text = String::new();
    back::hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(&translation.module, &translation.info, None)
        .map_err(|error| refuse("HLSL")(error.to_string()))?;
    Ok(text)
}

/// GLSL 4.50 text.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
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
