//! D3D9's structures and state values as a capture stores them.

use super::super::names;
use super::super::write::{Enumeration, Structure, Values};
use crate::consts::*;
use crate::types::{
    Box3, ColorValue, Light, Material, Matrix, PresentParameters, Rect, VertexElement, Viewport,
};

/// The result of a method, as what it returned.
pub(super) fn hresult(v: &mut Values<'_>, code: u32) {
    v.returned()
        .enumerated(&names::HRESULT, i64::from(code.cast_signed()));
}

pub(super) fn boolean(v: &mut Values<'_>, value: bool) {
    v.enumerated(&names::BOOL, i64::from(value));
}

pub(super) fn named(v: &mut Values<'_>, names: &'static Enumeration, value: u32) {
    v.enumerated(names, i64::from(value));
}

fn floats(v: &mut Values<'_>, values: &[f32]) {
    v.array(values.iter(), |v, x| v.float(*x));
}

/// Registers one after the other.
pub(super) fn constants(v: &mut Values<'_>, registers: &[[f32; 4]]) {
    floats(v, registers.as_flattened());
}

pub(super) fn rect(v: &mut Values<'_>, rect: &Rect) {
    static RECT: Structure = Structure {
        name: "RECT",
        fields: &["left", "top", "right", "bottom"],
    };
    v.structure(&RECT, |v| edges(v, rect));
}

/// A rectangle of `Clear`.
pub(super) fn d3d_rect(v: &mut Values<'_>, rect: &Rect) {
    static D3DRECT: Structure = Structure {
        name: "D3DRECT",
        fields: &["x1", "y1", "x2", "y2"],
    };
    v.structure(&D3DRECT, |v| edges(v, rect));
}

fn edges(v: &mut Values<'_>, rect: &Rect) {
    for edge in [rect.left, rect.top, rect.right, rect.bottom] {
        v.int(edge.into());
    }
}

/// A rectangle behind a pointer that may be null.
pub(super) fn optional_rect(v: &mut Values<'_>, value: Option<Rect>) {
    match value {
        Some(value) => v.pointer_to(|v| rect(v, &value)),
        None => v.null(),
    }
}

/// A box behind a pointer that may be null.
pub(super) fn optional_box(v: &mut Values<'_>, value: Option<Box3>) {
    static D3DBOX: Structure = Structure {
        name: "D3DBOX",
        fields: &["Left", "Top", "Right", "Bottom", "Front", "Back"],
    };
    match value {
        Some(b) => v.pointer_to(|v| {
            v.structure(&D3DBOX, |v| {
                for edge in [b.left, b.top, b.right, b.bottom, b.front, b.back] {
                    v.uint(edge.into());
                }
            });
        }),
        None => v.null(),
    }
}

pub(super) fn viewport(v: &mut Values<'_>, viewport: &Viewport) {
    static D3DVIEWPORT9: Structure = Structure {
        name: "D3DVIEWPORT9",
        fields: &["X", "Y", "Width", "Height", "MinZ", "MaxZ"],
    };
    v.structure(&D3DVIEWPORT9, |v| {
        for n in [viewport.x, viewport.y, viewport.width, viewport.height] {
            v.uint(n.into());
        }
        v.float(viewport.min_z);
        v.float(viewport.max_z);
    });
}

pub(super) fn matrix(v: &mut Values<'_>, matrix: &Matrix) {
    static D3DMATRIX: Structure = Structure {
        name: "D3DMATRIX",
        fields: &["m"],
    };
    v.structure(&D3DMATRIX, |v| {
        v.array(matrix.iter(), |v, row| floats(v, row))
    });
}

fn color(v: &mut Values<'_>, color: &ColorValue) {
    static D3DCOLORVALUE: Structure = Structure {
        name: "D3DCOLORVALUE",
        fields: &["r", "g", "b", "a"],
    };
    v.structure(&D3DCOLORVALUE, |v| color.iter().for_each(|x| v.float(*x)));
}

fn vector(v: &mut Values<'_>, vector: &[f32; 3]) {
    static D3DVECTOR: Structure = Structure {
        name: "D3DVECTOR",
        fields: &["x", "y", "z"],
    };
    v.structure(&D3DVECTOR, |v| vector.iter().for_each(|x| v.float(*x)));
}

pub(super) fn palette_entry(v: &mut Values<'_>, entry: &[u8; 4]) {
    static PALETTEENTRY: Structure = Structure {
        name: "PALETTEENTRY",
        fields: &["peRed", "peGreen", "peBlue", "peFlags"],
    };
    v.structure(&PALETTEENTRY, |v| {
        entry.iter().for_each(|x| v.uint((*x).into()))
    });
}

pub(super) fn material(v: &mut Values<'_>, material: &Material) {
    static D3DMATERIAL9: Structure = Structure {
        name: "D3DMATERIAL9",
        fields: &["Diffuse", "Ambient", "Specular", "Emissive", "Power"],
    };
    v.structure(&D3DMATERIAL9, |v| {
        color(v, &material.diffuse);
        color(v, &material.ambient);
        color(v, &material.specular);
        color(v, &material.emissive);
        v.float(material.power);
    });
}

pub(super) fn light(v: &mut Values<'_>, light: &Light) {
    static D3DLIGHT9: Structure = Structure {
        name: "D3DLIGHT9",
        fields: &[
            "Type",
            "Diffuse",
            "Specular",
            "Ambient",
            "Position",
            "Direction",
            "Range",
            "Falloff",
            "Attenuation0",
            "Attenuation1",
            "Attenuation2",
            "Theta",
            "Phi",
        ],
    };
    v.structure(&D3DLIGHT9, |v| {
        named(v, &names::LIGHTTYPE, light.kind);
        color(v, &light.diffuse);
        color(v, &light.specular);
        color(v, &light.ambient);
        vector(v, &light.position);
        vector(v, &light.direction);
        for x in [
            light.range,
            light.falloff,
            light.attenuation0,
            light.attenuation1,
            light.attenuation2,
            light.theta,
            light.phi,
        ] {
            v.float(x);
        }
    });
}

/// A declaration with the end marker that D3D9 asks for.
pub(super) fn vertex_elements(v: &mut Values<'_>, elements: &[VertexElement]) {
    static D3DVERTEXELEMENT9: Structure = Structure {
        name: "D3DVERTEXELEMENT9",
        fields: &["Stream", "Offset", "Type", "Method", "Usage", "UsageIndex"],
    };
    const UNUSED: u8 = 17;
    const END: VertexElement = VertexElement {
        stream: 0xff,
        offset: 0,
        ty: UNUSED,
        method: 0,
        usage: 0,
        usage_index: 0,
    };
    let count = elements.len() + 1;
    let all = (0..count).map(|n| elements.get(n).copied().unwrap_or(END));
    v.array(all, |v, e| {
        v.structure(&D3DVERTEXELEMENT9, |v| {
            v.uint(e.stream.into());
            v.uint(e.offset.into());
            named(v, &names::DECLTYPE, e.ty.into());
            named(v, &names::DECLMETHOD, e.method.into());
            named(v, &names::DECLUSAGE, e.usage.into());
            v.uint(e.usage_index.into());
        });
    });
}

pub(super) fn present_parameters(v: &mut Values<'_>, p: &PresentParameters) {
    static D3DPRESENT_PARAMETERS: Structure = Structure {
        name: "D3DPRESENT_PARAMETERS",
        fields: &[
            "BackBufferWidth",
            "BackBufferHeight",
            "BackBufferFormat",
            "BackBufferCount",
            "MultiSampleType",
            "MultiSampleQuality",
            "SwapEffect",
            "hDeviceWindow",
            "Windowed",
            "EnableAutoDepthStencil",
            "AutoDepthStencilFormat",
            "Flags",
            "FullScreen_RefreshRateInHz",
            "PresentationInterval",
        ],
    };
    v.structure(&D3DPRESENT_PARAMETERS, |v| {
        v.uint(p.back_buffer_width.into());
        v.uint(p.back_buffer_height.into());
        named(v, &names::FORMAT, p.back_buffer_format);
        v.uint(p.back_buffer_count.into());
        named(v, &names::MULTISAMPLE, p.multi_sample_type);
        v.uint(p.multi_sample_quality.into());
        named(v, &names::SWAPEFFECT, p.swap_effect);
        v.null();
        boolean(v, p.windowed);
        boolean(v, p.enable_auto_depth_stencil);
        named(v, &names::FORMAT, p.auto_depth_stencil_format);
        v.flags(&names::PRESENTFLAG, p.flags.into());
        v.uint(p.fullscreen_refresh_rate.into());
        v.flags(&names::INTERVAL, p.presentation_interval.into());
    });
}

/// The value of a render state, with its name where the state has named values.
pub(super) fn render_state(v: &mut Values<'_>, state: u32, value: u32) {
    let names: &'static Enumeration = match state {
        D3DRS_ZENABLE => &names::ZBUFFER,
        D3DRS_FILLMODE => &names::FILL,
        D3DRS_SHADEMODE => &names::SHADE,
        D3DRS_SRCBLEND | D3DRS_DESTBLEND | D3DRS_SRCBLENDALPHA | D3DRS_DESTBLENDALPHA => {
            &names::BLEND
        }
        D3DRS_CULLMODE => &names::CULL,
        D3DRS_ZFUNC | D3DRS_ALPHAFUNC | D3DRS_STENCILFUNC | D3DRS_CCW_STENCILFUNC => &names::CMP,
        D3DRS_FOGTABLEMODE | D3DRS_FOGVERTEXMODE => &names::FOG,
        D3DRS_STENCILFAIL
        | D3DRS_STENCILZFAIL
        | D3DRS_STENCILPASS
        | D3DRS_CCW_STENCILFAIL
        | D3DRS_CCW_STENCILZFAIL
        | D3DRS_CCW_STENCILPASS => &names::STENCILOP,
        D3DRS_DIFFUSEMATERIALSOURCE
        | D3DRS_SPECULARMATERIALSOURCE
        | D3DRS_AMBIENTMATERIALSOURCE
        | D3DRS_EMISSIVEMATERIALSOURCE => &names::MATERIALSOURCE,
        D3DRS_BLENDOP | D3DRS_BLENDOPALPHA => &names::BLENDOP,
        D3DRS_ZWRITEENABLE
        | D3DRS_ALPHATESTENABLE
        | D3DRS_LASTPIXEL
        | D3DRS_DITHERENABLE
        | D3DRS_ALPHABLENDENABLE
        | D3DRS_FOGENABLE
        | D3DRS_SPECULARENABLE
        | D3DRS_RANGEFOGENABLE
        | D3DRS_STENCILENABLE
        | D3DRS_CLIPPING
        | D3DRS_LIGHTING
        | D3DRS_COLORVERTEX
        | D3DRS_LOCALVIEWER
        | D3DRS_NORMALIZENORMALS
        | D3DRS_POINTSPRITEENABLE
        | D3DRS_POINTSCALEENABLE
        | D3DRS_MULTISAMPLEANTIALIAS
        | D3DRS_INDEXEDVERTEXBLENDENABLE
        | D3DRS_SCISSORTESTENABLE
        | D3DRS_ANTIALIASEDLINEENABLE
        | D3DRS_TWOSIDEDSTENCILMODE
        | D3DRS_SRGBWRITEENABLE
        | D3DRS_SEPARATEALPHABLENDENABLE => &names::BOOL,
        _ => return v.uint(value.into()),
    };
    named(v, names, value);
}

/// The value of a texture stage state.
pub(super) fn stage_state(v: &mut Values<'_>, state: u32, value: u32) {
    match state {
        D3DTSS_COLOROP | D3DTSS_ALPHAOP => named(v, &names::TEXTUREOP, value),
        D3DTSS_COLORARG0 | D3DTSS_COLORARG1 | D3DTSS_COLORARG2 | D3DTSS_ALPHAARG0
        | D3DTSS_ALPHAARG1 | D3DTSS_ALPHAARG2 | D3DTSS_RESULTARG => {
            named(v, &names::TEXTUREARG, value);
        }
        _ => v.uint(value.into()),
    }
}

/// The value of a sampler state.
pub(super) fn sampler_state(v: &mut Values<'_>, state: u32, value: u32) {
    match state {
        D3DSAMP_ADDRESSU | D3DSAMP_ADDRESSV | D3DSAMP_ADDRESSW => {
            named(v, &names::ADDRESS, value);
        }
        D3DSAMP_MAGFILTER | D3DSAMP_MINFILTER | D3DSAMP_MIPFILTER => {
            named(v, &names::FILTER, value);
        }
        _ => v.uint(value.into()),
    }
}
