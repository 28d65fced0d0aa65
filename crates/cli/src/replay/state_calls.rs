//! The methods of `IDirect3DDevice9` that set and get state.

use ninefold_d3d9::{Device, HResult};

use super::error::CallError;
use super::objects::Object;
use super::player::{Effect, Scene};

type Result<T> = std::result::Result<T, CallError>;

/// Plays one method.
pub(super) fn play(scene: &mut Scene<'_>, method: &str) -> Result<Effect> {
    let args = scene.args;
    let result = match method {
        "SetRenderState" => scene
            .device
            .set_render_state(args.u32("State")?, args.u32("Value")?),
        "SetTextureStageState" => scene.device.set_texture_stage_state(
            args.u32("Stage")?,
            args.u32("Type")?,
            args.u32("Value")?,
        ),
        "SetSamplerState" => scene.device.set_sampler_state(
            args.u32("Sampler")?,
            args.u32("Type")?,
            args.u32("Value")?,
        ),
        "SetTexture" => {
            let address = args.pointer("pTexture")?;
            let pick = Object::base_texture;
            let texture = scene
                .objects
                .find(scene.id, address, "pTexture", "texture", pick)?;
            scene.device.set_texture(args.u32("Stage")?, texture)
        }
        "SetTransform" => scene
            .device
            .set_transform(args.u32("State")?, &args.matrix("pMatrix")?),
        "MultiplyTransform" => scene
            .device
            .multiply_transform(args.u32("State")?, &args.matrix("pMatrix")?),
        "SetViewport" => scene.device.set_viewport(&args.viewport("pViewport")?),
        "SetScissorRect" => scene.device.set_scissor_rect(args.required_rect("pRect")?),
        "SetMaterial" => scene.device.set_material(&args.material("pMaterial")?),
        "SetLight" => scene
            .device
            .set_light(args.u32("Index")?, &args.light("pLight")?),
        "LightEnable" => scene
            .device
            .light_enable(args.u32("Index")?, args.bool("Enable")?),
        "SetClipPlane" => {
            let planes = args.floats("pPlane")?;
            let plane = planes
                .first()
                .ok_or_else(|| CallError::argument("pPlane", "it has no four numbers"))?;
            scene.device.set_clip_plane(args.u32("Index")?, *plane)
        }
        "SetPaletteEntries" => scene
            .device
            .set_palette_entries(args.u32("PaletteNumber")?, &args.palette("pEntries")?),
        "SetCurrentTexturePalette" => scene
            .device
            .set_current_texture_palette(args.u32("PaletteNumber")?),
        "SetNPatchMode" => scene.device.set_npatch_mode(args.f32("nSegments")?),
        "SetSoftwareVertexProcessing" => scene
            .device
            .set_software_vertex_processing(args.bool("bSoftware")?),
        "SetFVF" => scene.device.set_fvf(args.u32("FVF")?),
        "SetVertexDeclaration" => {
            let declaration = scene.vertex_declaration("pDecl")?;
            scene.device.set_vertex_declaration(declaration)
        }
        "SetVertexShader" => {
            let address = args.pointer("pShader")?;
            let shader =
                scene
                    .objects
                    .find(scene.id, address, "pShader", "vertex shader", |o| {
                        if let Object::VertexShader(h) = o {
                            Some(h)
                        } else {
                            None
                        }
                    })?;
            scene.device.set_vertex_shader(shader)
        }
        "SetPixelShader" => {
            let address = args.pointer("pShader")?;
            let shader = scene
                .objects
                .find(scene.id, address, "pShader", "pixel shader", |o| {
                    if let Object::PixelShader(h) = o {
                        Some(h)
                    } else {
                        None
                    }
                })?;
            scene.device.set_pixel_shader(shader)
        }
        "SetStreamSource" => {
            let buffer = scene.vertex_buffer("pStreamData")?;
            scene.device.set_stream_source(
                args.u32("StreamNumber")?,
                buffer,
                args.u32("OffsetInBytes")?,
                args.u32("Stride")?,
            )
        }
        "SetStreamSourceFreq" => scene
            .device
            .set_stream_source_freq(args.u32("StreamNumber")?, args.u32("Setting")?),
        "SetIndices" => {
            let address = args.pointer("pIndexData")?;
            let needed = "index buffer";
            let buffer = scene
                .objects
                .find(scene.id, address, "pIndexData", needed, |o| {
                    if let Object::IndexBuffer(h) = o {
                        Some(h)
                    } else {
                        None
                    }
                })?;
            scene.device.set_indices(buffer)
        }
        "SetVertexShaderConstantF" => {
            let values = args.floats("pConstantData")?;
            scene
                .device
                .set_vertex_shader_constant_f(args.u32("StartRegister")?, &values)
        }
        "SetVertexShaderConstantI" => {
            let values = args.ints("pConstantData")?;
            scene
                .device
                .set_vertex_shader_constant_i(args.u32("StartRegister")?, &values)
        }
        "SetVertexShaderConstantB" => {
            let values = args.bools("pConstantData")?;
            scene
                .device
                .set_vertex_shader_constant_b(args.u32("StartRegister")?, &values)
        }
        "SetPixelShaderConstantF" => {
            let values = args.floats("pConstantData")?;
            scene
                .device
                .set_pixel_shader_constant_f(args.u32("StartRegister")?, &values)
        }
        "SetPixelShaderConstantI" => {
            let values = args.ints("pConstantData")?;
            scene
                .device
                .set_pixel_shader_constant_i(args.u32("StartRegister")?, &values)
        }
        "SetPixelShaderConstantB" => {
            let values = args.bools("pConstantData")?;
            scene
                .device
                .set_pixel_shader_constant_b(args.u32("StartRegister")?, &values)
        }
        // Getters of plain values change nothing.
        "GetRenderState"
        | "GetTextureStageState"
        | "GetSamplerState"
        | "GetTransform"
        | "GetViewport"
        | "GetScissorRect"
        | "GetMaterial"
        | "GetLight"
        | "GetLightEnable"
        | "GetClipPlane"
        | "GetClipStatus"
        | "GetNPatchMode"
        | "GetSoftwareVertexProcessing"
        | "GetFVF"
        | "GetStreamSourceFreq"
        | "GetVertexShaderConstantF"
        | "GetVertexShaderConstantI"
        | "GetVertexShaderConstantB"
        | "GetPixelShaderConstantF"
        | "GetPixelShaderConstantI"
        | "GetPixelShaderConstantB" => Ok(()),
        _ => return bound_objects(scene, method),
    };
    scene.played(result)
}

/// Getters of bound objects: each gives the program a reference.
fn bound_objects(scene: &mut Scene<'_>, method: &str) -> Result<Effect> {
    let args = scene.args;
    match method {
        "GetTexture" => {
            let stage = args.u32("Stage")?;
            got(scene, "ppTexture", |d| {
                Ok(d.get_texture(stage)?.map(Object::from))
            })
        }
        "GetVertexShader" => got(scene, "ppShader", |d| {
            Ok(d.get_vertex_shader()?.map(Object::VertexShader))
        }),
        "GetPixelShader" => got(scene, "ppShader", |d| {
            Ok(d.get_pixel_shader()?.map(Object::PixelShader))
        }),
        "GetVertexDeclaration" => got(scene, "ppDecl", |d| {
            Ok(d.get_vertex_declaration()?.map(Object::VertexDeclaration))
        }),
        "GetStreamSource" => {
            let stream = args.u32("StreamNumber")?;
            got(scene, "ppStreamData", |d| {
                Ok(d.get_stream_source(stream)?
                    .buffer
                    .map(Object::VertexBuffer))
            })
        }
        "GetIndices" => got(scene, "ppIndexData", |d| {
            Ok(d.get_indices()?.map(Object::IndexBuffer))
        }),
        _ => Ok(Effect::Unknown),
    }
}

fn got(
    scene: &mut Scene<'_>,
    name: &'static str,
    get: impl FnOnce(&mut Device) -> std::result::Result<Option<Object>, HResult>,
) -> Result<Effect> {
    let result = get(scene.device);
    match scene.value(result)? {
        Some(object) => scene.got(name, object),
        None => Ok(Effect::Played),
    }
}
