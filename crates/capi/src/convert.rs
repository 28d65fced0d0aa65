//! The caller's state as the renderer takes it. Fields that nothing reads are not judged: a program
//! leaves old values in them.

use core::fmt::Display;

use ninefold_renderer::{
    BlendMode, CommonState, DepthStencilKey, SamplerKey, StencilFace, VertexElement,
};
use ninefold_shader::fixed::{self, op};

use crate::fault::{Fault, NF_ERR_DECL, Result};
use crate::types::*;

/// A number of one of Direct3D's enumerations.
pub(crate) fn number(value: u32, least: u8, most: u8, name: impl Display) -> Result<u8> {
    match u8::try_from(value) {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(Fault::args(format!(
            "{name} is {value}, expected {least} to {most}"
        ))),
    }
}

fn blend(state: &nf_draw_state) -> Result<BlendMode> {
    Ok(match state.blend {
        NF_BLEND_NONE => BlendMode::None,
        NF_BLEND_SRC_ALPHA => BlendMode::SrcAlpha,
        NF_BLEND_ADD => BlendMode::Add,
        NF_BLEND_MODULATE => BlendMode::Modulate,
        NF_BLEND_MODULATE2 => BlendMode::Modulate2,
        NF_BLEND_SRC_ALPHA_ZERO => BlendMode::SrcAlphaZero,
        NF_BLEND_SRC_ALPHA_ADD => BlendMode::SrcAlphaAdd,
        NF_BLEND_PREMULTIPLIED => BlendMode::Premultiplied,
        NF_BLEND_DEST_ALPHA_ADD => BlendMode::DestAlphaAdd,
        NF_BLEND_CUSTOM => BlendMode::Custom {
            src: number(state.blend_src, 1, 15, "draw state: blend_src")?,
            dst: number(state.blend_dst, 1, 15, "draw state: blend_dst")?,
            op: number(state.blend_op, 1, 5, "draw state: blend_op")?,
        },
        value => {
            return Err(Fault::args(format!(
                "draw state: blend is {value}, expected NF_BLEND_*"
            )));
        }
    })
}

fn face(face: &nf_stencil_face, name: &str) -> Result<StencilFace> {
    let number = |value, what: &str| number(value, 1, 8, format_args!("draw state: {name}.{what}"));
    Ok(StencilFace {
        fail: number(face.fail, "fail")?,
        depth_fail: number(face.depth_fail, "depth_fail")?,
        pass: number(face.pass, "pass")?,
        func: number(face.func, "func")?,
    })
}

/// State of every draw, and the colour of fog where there is fog.
pub(crate) fn common(state: Option<&nf_draw_state>) -> Result<(CommonState, Option<u32>)> {
    let Some(state) = state else {
        return Ok((CommonState::default(), None));
    };
    if state.reserved != 0 {
        return Err(Fault::args("draw state: reserved is not 0"));
    }
    let mut depth_stencil = DepthStencilKey::default();
    if state.depth_test != 0 {
        depth_stencil.depth_test = true;
        depth_stencil.depth_write = state.depth_write != 0;
        depth_stencil.depth_func = number(state.depth_func, 1, 8, "draw state: depth_func")?;
    }
    if state.stencil != 0 {
        depth_stencil.stencil = true;
        depth_stencil.front = face(&state.stencil_front, "stencil_front")?;
        depth_stencil.read_mask = state.stencil_read_mask as u8;
        depth_stencil.write_mask = state.stencil_write_mask as u8;
        if state.stencil_two_sided != 0 {
            depth_stencil.two_sided = true;
            depth_stencil.back = face(&state.stencil_back, "stencil_back")?;
        }
    }
    let alpha_test = match state.alpha_test {
        0 => None,
        _ => {
            let func = number(state.alpha_func, 1, 8, "draw state: alpha_func")?;
            Some((func, state.alpha_ref as u8))
        }
    };
    let common = CommonState {
        blend: blend(state)?,
        write_mask: number(state.write_mask, 0, 15, "draw state: write_mask")?,
        depth_stencil,
        stencil_ref: state.stencil_ref as u8,
        cull: number(state.cull, 1, 3, "draw state: cull")?,
        alpha_test,
    };
    Ok((common, (state.fog != 0).then_some(state.fog_color)))
}

/// How a texture is read.
pub(crate) fn sampler(sampler: &nf_sampler, name: &dyn Display) -> Result<SamplerKey> {
    let check = |value, most, what: &str| match u8::try_from(value) {
        Ok(value) if value <= most => Ok(value),
        _ => Err(Fault::args(format!(
            "{name}.{what} is {value}, expected 0 to {most}"
        ))),
    };
    if !sampler.lod_bias.is_finite() {
        return Err(Fault::args(format!(
            "{name}.lod_bias is {}, which is not finite",
            sampler.lod_bias
        )));
    }
    Ok(SamplerKey {
        address_u: check(sampler.address_u, 5, "address_u")?,
        address_v: check(sampler.address_v, 5, "address_v")?,
        address_w: check(sampler.address_w, 5, "address_w")?,
        min_filter: check(sampler.min_filter, 3, "min_filter")?.max(1),
        mag_filter: check(sampler.mag_filter, 3, "mag_filter")?.max(1),
        mip_filter: check(sampler.mip_filter, 2, "mip_filter")?,
        max_anisotropy: sampler.max_anisotropy.clamp(1, 16) as u8,
        max_mip_level: check(sampler.max_mip_level, 15, "max_mip_level")?,
        border_color: sampler.border_color,
        lod_bias: sampler.lod_bias,
        ..SamplerKey::default()
    })
}

/// The argument `number` of an operation, where it reads it.
fn argument(operation: u8, index: u32, value: u32, stage: usize, what: &str) -> Result<u8> {
    if op::arg_mask(operation) & 1 << index == 0 {
        return Ok(0);
    }
    let known = u32::from(op::arg::SELECT | op::arg::COMPLEMENT | op::arg::ALPHA_REPLICATE);
    if value & !known != 0 || value & u32::from(op::arg::SELECT) > u32::from(op::arg::CONSTANT) {
        return Err(Fault::args(format!(
            "fixed stage {stage}: {what}{index} is {value:#x}, expected a D3DTA_* of 0 to 6 with 0x10 \
             and 0x20"
        )));
    }
    Ok(value as u8)
}

fn operation(value: u32, stage: usize, what: &str) -> Result<u8> {
    let value = number(
        value,
        0,
        op::LERP,
        format_args!("fixed stage {stage}: {what}"),
    )?;
    Ok(value.max(op::DISABLE))
}

/// One stage, or `None` for the one that ends the cascade; and whether it reads its texture.
pub(crate) fn stage(
    state: &nf_fixed_stage,
    number: usize,
) -> Result<Option<(fixed::FragmentStage, bool)>> {
    let color_op = operation(state.color_op, number, "color_op")?;
    if color_op == op::DISABLE {
        return Ok(None);
    }
    let alpha_op = operation(state.alpha_op, number, "alpha_op")?;
    if !matches!(state.result_arg, 0 | 1 | 5) {
        return Err(Fault::args(format!(
            "fixed stage {number}: result_arg is {}, expected 0, 1 or 5",
            state.result_arg
        )));
    }
    if state.texcoord_index > 7 || state.reserved != 0 {
        return Err(Fault::args(format!(
            "fixed stage {number}: texcoord_index is {} and reserved {}, expected 0 to 7 and 0",
            state.texcoord_index, state.reserved
        )));
    }
    let color = |index, value| argument(color_op, index, value, number, "color_arg");
    let alpha = |index, value| argument(alpha_op, index, value, number, "alpha_arg");
    let stage = fixed::FragmentStage {
        color_op,
        color_args: [
            color(0, state.color_arg0)?,
            color(1, state.color_arg1)?,
            color(2, state.color_arg2)?,
        ],
        alpha_op,
        alpha_args: [
            alpha(0, state.alpha_arg0)?,
            alpha(1, state.alpha_arg1)?,
            alpha(2, state.alpha_arg2)?,
        ],
        result: state.result_arg.max(1) as u8,
        ..fixed::FragmentStage::default()
    };
    let names = |operation: u8, args: [u8; 3]| {
        let mask = op::arg_mask(operation);
        let named = (0..3).any(|index| {
            mask & 1 << index != 0 && args[index] & op::arg::SELECT == op::arg::TEXTURE
        });
        named || op::reads_texture_alpha(operation) || op::is_bump(operation)
    };
    let reads = names(color_op, stage.color_args) || names(alpha_op, stage.alpha_args);
    Ok(Some((stage, reads)))
}

/// Elements of a declaration.
pub(crate) const ELEMENTS: usize = 64;

/// The elements before the end mark, into `into`; how many there are.
pub(crate) fn declaration(
    elements: &[nf_vertex_element],
    into: &mut [VertexElement; ELEMENTS],
) -> Result<usize> {
    for (number, element) in elements.iter().enumerate() {
        if element.stream == 0xFF {
            return Ok(number);
        }
        let fail = |what: String| Fault::new(NF_ERR_DECL, format!("elements[{number}]{what}"));
        if element.stream > 15 {
            return Err(fail(format!(
                ".stream is {}, expected 0 to 15 or 0xFF",
                element.stream
            )));
        }
        if element.method != 0 {
            return Err(fail(format!(
                ".method is {}, expected 0 (D3DDECLMETHOD_DEFAULT)",
                element.method
            )));
        }
        if element.r#type > 16 || element.usage > 13 {
            return Err(fail(format!(
                ": type {} and usage {}, expected at most 16 and 13",
                element.r#type, element.usage
            )));
        }
        let Some(place) = into.get_mut(number) else {
            break;
        };
        *place = VertexElement {
            stream: element.stream as u8,
            offset: element.offset,
            ty: element.r#type,
            usage: element.usage,
            index: element.usage_index,
        };
    }
    Err(Fault::new(
        NF_ERR_DECL,
        format!(
            "no end mark {{0xFF, 0, 17, 0, 0, 0}} among the {} elements",
            elements.len()
        ),
    ))
}
