//! Registering shaders, and two facts of Direct3D's.

use ninefold_bytecode::{ShaderCode, Stage};
use ninefold_renderer::Primitive;
use ninefold_shader::fixed::op;

use crate::fault::{Fault, NF_ERR_SHADER, call};
use crate::objects::{Shader, stage_name};
use crate::pointer::{out, slice};
use crate::renderer::on;
use crate::types::{NF_STAGE_PIXEL, NF_STAGE_VERTEX, nf_renderer, nf_shader};

/// Tokens of one shader.
const MAX_TOKENS: u32 = 65_536;

/// Registers a shader as soon as the program has it: workers translate it, and build the pipelines
/// that earlier runs used it in, before the first draw needs them. The tokens are copied. Shaders
/// live as long as the renderer; the same tokens give the same handle.
///
/// stage: NF_STAGE_VERTEX or NF_STAGE_PIXEL, which the tokens must be for.
///
/// tokens: Direct3D 9 bytecode, vs_1_0 to ps_3_0, up to and including its end token 0x0000FFFF.
///
/// token_count: words that may be read, at most 65,536; what follows the end token is left.
///
/// content_key: gets the 64-bit FNV-1a of the bytes, never 0; may be NULL.
///
/// out: gets the shader; on failure it gets 0.
///
/// Returns NF_OK; NF_ERR_ARGS; NF_ERR_SHADER when the tokens are no such shader, with the byte offset;
/// NF_ERR_STATE after 65,536 distinct shaders. That a shader cannot be translated the first draw
/// says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_shader_created(
    renderer: nf_renderer,
    stage: u32,
    tokens: *const u32,
    token_count: u32,
    content_key: *mut u64,
    out: *mut nf_shader,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let made = unsafe { self::out(out, "out") }?;
        made.set(nf_shader::default());
        let wanted = match stage {
            NF_STAGE_VERTEX => Stage::Vertex,
            NF_STAGE_PIXEL => Stage::Pixel,
            _ => {
                return Err(Fault::args(format!(
                    "stage is {stage}, expected NF_STAGE_VERTEX or NF_STAGE_PIXEL"
                )));
            }
        };
        if !(1..=MAX_TOKENS).contains(&token_count) {
            return Err(Fault::args(format!(
                "token_count is {token_count}, expected 1 to {MAX_TOKENS}"
            )));
        }
        // SAFETY: the caller's promise about `tokens`.
        let tokens = unsafe { slice(tokens, token_count as usize, "tokens") }?;
        let code = ShaderCode::parse(tokens)
            .map_err(|error| Fault::new(NF_ERR_SHADER, format!("tokens: {error}")))?;
        let stage = code.version().stage;
        if stage != wanted {
            return Err(Fault::new(
                NF_ERR_SHADER,
                format!(
                    "tokens are a {} shader (shader stage mismatch)",
                    stage_name(stage)
                ),
            ));
        }
        let key = match content_key.is_null() {
            true => None,
            // SAFETY: the caller's promise about `content_key`.
            false => Some(unsafe { self::out(content_key, "content_key") }?),
        };
        let id = on(renderer, |objects| {
            let id = objects.renderer.register_shader(&code)?;
            if let Some(&known) = objects.shader_handles.get(&id) {
                return Ok(known);
            }
            let handle = objects.shaders.insert(Shader { stage, id })?;
            objects.shader_handles.insert(id, handle);
            Ok(handle)
        })?;
        if let Some(key) = key {
            key.set(code.key().get());
        }
        made.set(nf_shader { id });
        Ok(())
    })
}

/// Whether primitives of a type are drawn: 1 for NF_PRIMITIVE_*, 0 for fans (D3DPT_TRIANGLEFAN) and
/// for what is none.
#[unsafe(no_mangle)]
pub extern "C" fn nf_primitive_supported(primitive: u32) -> i32 {
    Primitive::from_d3d(primitive).is_some().into()
}

/// Which arguments a D3DTEXTUREOP reads: bit n is set when it reads argument n. D3DTOP_SELECTARG1
/// reads argument 1, D3DTOP_SELECTARG2 argument 2, D3DTOP_MULTIPLYADD and D3DTOP_LERP all three,
/// disabled and bump-mapping operations none, every other one arguments 1 and 2; 0 for what is no
/// operation. That D3DTOP_BLENDTEXTUREALPHA and D3DTOP_BLENDTEXTUREALPHAPM read the texture whatever
/// their arguments are is not in it.
#[unsafe(no_mangle)]
pub extern "C" fn nf_fixed_op_arg_mask(operation: u32) -> u32 {
    match u8::try_from(operation) {
        Ok(operation @ ..=op::LERP) => op::arg_mask(operation).into(),
        _ => 0,
    }
}
