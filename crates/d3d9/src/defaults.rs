//! The state a device begins with, as the Direct3D 9 documentation gives it.

use crate::consts::*;

/// One more than the highest `D3DRS_*`.
pub(crate) const RENDER_STATES: usize = 210;
/// One more than the highest `D3DTSS_*`.
pub(crate) const STAGE_STATES: usize = 33;
/// One more than the highest `D3DSAMP_*`.
pub(crate) const SAMPLER_STATES: usize = 14;

const ONE: u32 = 1.0f32.to_bits();

/// Pixels of the largest point: `MaxPointSize`, and what `D3DRS_POINTSIZE_MAX` begins with, as
/// drivers have it.
pub(crate) const MAX_POINT_SIZE: f32 = 256.0;

/// Every render state with its default; `D3DRS_ZENABLE` is `D3DZB_TRUE` where the device makes the
/// depth surface.
pub(crate) const RENDER: &[(u32, u32)] = &[
    (D3DRS_ZENABLE, D3DZB_FALSE),
    (D3DRS_FILLMODE, D3DFILL_SOLID),
    (D3DRS_SHADEMODE, D3DSHADE_GOURAUD),
    (D3DRS_ZWRITEENABLE, 1),
    (D3DRS_ALPHATESTENABLE, 0),
    (D3DRS_LASTPIXEL, 1),
    (D3DRS_SRCBLEND, D3DBLEND_ONE),
    (D3DRS_DESTBLEND, D3DBLEND_ZERO),
    (D3DRS_CULLMODE, D3DCULL_CCW),
    (D3DRS_ZFUNC, D3DCMP_LESSEQUAL),
    (D3DRS_ALPHAREF, 0),
    (D3DRS_ALPHAFUNC, D3DCMP_ALWAYS),
    (D3DRS_DITHERENABLE, 0),
    (D3DRS_ALPHABLENDENABLE, 0),
    (D3DRS_FOGENABLE, 0),
    (D3DRS_SPECULARENABLE, 0),
    (D3DRS_FOGCOLOR, 0),
    (D3DRS_FOGTABLEMODE, D3DFOG_NONE),
    (D3DRS_FOGSTART, 0),
    (D3DRS_FOGEND, ONE),
    (D3DRS_FOGDENSITY, ONE),
    (D3DRS_RANGEFOGENABLE, 0),
    (D3DRS_STENCILENABLE, 0),
    (D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP),
    (D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP),
    (D3DRS_STENCILPASS, D3DSTENCILOP_KEEP),
    (D3DRS_STENCILFUNC, D3DCMP_ALWAYS),
    (D3DRS_STENCILREF, 0),
    (D3DRS_STENCILMASK, u32::MAX),
    (D3DRS_STENCILWRITEMASK, u32::MAX),
    (D3DRS_TEXTUREFACTOR, u32::MAX),
    (D3DRS_WRAP0, 0),
    (D3DRS_WRAP1, 0),
    (D3DRS_WRAP2, 0),
    (D3DRS_WRAP3, 0),
    (D3DRS_WRAP4, 0),
    (D3DRS_WRAP5, 0),
    (D3DRS_WRAP6, 0),
    (D3DRS_WRAP7, 0),
    (D3DRS_CLIPPING, 1),
    (D3DRS_LIGHTING, 1),
    (D3DRS_AMBIENT, 0),
    (D3DRS_FOGVERTEXMODE, D3DFOG_NONE),
    (D3DRS_COLORVERTEX, 1),
    (D3DRS_LOCALVIEWER, 1),
    (D3DRS_NORMALIZENORMALS, 0),
    (D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1),
    (D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2),
    (D3DRS_AMBIENTMATERIALSOURCE, D3DMCS_MATERIAL),
    (D3DRS_EMISSIVEMATERIALSOURCE, D3DMCS_MATERIAL),
    (D3DRS_VERTEXBLEND, D3DVBF_DISABLE),
    (D3DRS_CLIPPLANEENABLE, 0),
    (D3DRS_POINTSIZE, ONE),
    (D3DRS_POINTSIZE_MIN, ONE),
    (D3DRS_POINTSPRITEENABLE, 0),
    (D3DRS_POINTSCALEENABLE, 0),
    (D3DRS_POINTSCALE_A, ONE),
    (D3DRS_POINTSCALE_B, 0),
    (D3DRS_POINTSCALE_C, 0),
    (D3DRS_MULTISAMPLEANTIALIAS, 1),
    (D3DRS_MULTISAMPLEMASK, u32::MAX),
    (D3DRS_PATCHEDGESTYLE, 0),
    (D3DRS_DEBUGMONITORTOKEN, 0xBAAD_CAFE),
    (D3DRS_POINTSIZE_MAX, MAX_POINT_SIZE.to_bits()),
    (D3DRS_INDEXEDVERTEXBLENDENABLE, 0),
    (D3DRS_COLORWRITEENABLE, 15),
    (D3DRS_TWEENFACTOR, 0),
    (D3DRS_BLENDOP, D3DBLENDOP_ADD),
    (D3DRS_POSITIONDEGREE, 3),
    (D3DRS_NORMALDEGREE, 1),
    (D3DRS_SCISSORTESTENABLE, 0),
    (D3DRS_SLOPESCALEDEPTHBIAS, 0),
    (D3DRS_ANTIALIASEDLINEENABLE, 0),
    (D3DRS_MINTESSELLATIONLEVEL, ONE),
    (D3DRS_MAXTESSELLATIONLEVEL, ONE),
    (D3DRS_ADAPTIVETESS_X, 0),
    (D3DRS_ADAPTIVETESS_Y, 0),
    (D3DRS_ADAPTIVETESS_Z, ONE),
    (D3DRS_ADAPTIVETESS_W, 0),
    (D3DRS_ENABLEADAPTIVETESSELLATION, 0),
    (D3DRS_TWOSIDEDSTENCILMODE, 0),
    (D3DRS_CCW_STENCILFAIL, D3DSTENCILOP_KEEP),
    (D3DRS_CCW_STENCILZFAIL, D3DSTENCILOP_KEEP),
    (D3DRS_CCW_STENCILPASS, D3DSTENCILOP_KEEP),
    (D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS),
    (D3DRS_COLORWRITEENABLE1, 15),
    (D3DRS_COLORWRITEENABLE2, 15),
    (D3DRS_COLORWRITEENABLE3, 15),
    (D3DRS_BLENDFACTOR, u32::MAX),
    (D3DRS_SRGBWRITEENABLE, 0),
    (D3DRS_DEPTHBIAS, 0),
    (D3DRS_WRAP8, 0),
    (D3DRS_WRAP9, 0),
    (D3DRS_WRAP10, 0),
    (D3DRS_WRAP11, 0),
    (D3DRS_WRAP12, 0),
    (D3DRS_WRAP13, 0),
    (D3DRS_WRAP14, 0),
    (D3DRS_WRAP15, 0),
    (D3DRS_SEPARATEALPHABLENDENABLE, 0),
    (D3DRS_SRCBLENDALPHA, D3DBLEND_ONE),
    (D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO),
    (D3DRS_BLENDOPALPHA, D3DBLENDOP_ADD),
];

/// Every texture-stage state with its default in stages 1 to 7; stage 0 modulates colour and
/// selects the texture's alpha, and each stage reads the coordinates of its own number.
pub(crate) const STAGE: &[(u32, u32)] = &[
    (D3DTSS_COLOROP, D3DTOP_DISABLE),
    (D3DTSS_COLORARG1, D3DTA_TEXTURE),
    (D3DTSS_COLORARG2, D3DTA_CURRENT),
    (D3DTSS_ALPHAOP, D3DTOP_DISABLE),
    (D3DTSS_ALPHAARG1, D3DTA_TEXTURE),
    (D3DTSS_ALPHAARG2, D3DTA_CURRENT),
    (D3DTSS_BUMPENVMAT00, 0),
    (D3DTSS_BUMPENVMAT01, 0),
    (D3DTSS_BUMPENVMAT10, 0),
    (D3DTSS_BUMPENVMAT11, 0),
    (D3DTSS_TEXCOORDINDEX, 0),
    (D3DTSS_BUMPENVLSCALE, 0),
    (D3DTSS_BUMPENVLOFFSET, 0),
    (D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE),
    (D3DTSS_COLORARG0, D3DTA_CURRENT),
    (D3DTSS_ALPHAARG0, D3DTA_CURRENT),
    (D3DTSS_RESULTARG, D3DTA_CURRENT),
    (D3DTSS_CONSTANT, 0),
];

/// Every sampler state with its default.
pub(crate) const SAMPLER: &[(u32, u32)] = &[
    (D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP),
    (D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP),
    (D3DSAMP_ADDRESSW, D3DTADDRESS_WRAP),
    (D3DSAMP_BORDERCOLOR, 0),
    (D3DSAMP_MAGFILTER, D3DTEXF_POINT),
    (D3DSAMP_MINFILTER, D3DTEXF_POINT),
    (D3DSAMP_MIPFILTER, D3DTEXF_NONE),
    (D3DSAMP_MIPMAPLODBIAS, 0),
    (D3DSAMP_MAXMIPLEVEL, 0),
    (D3DSAMP_MAXANISOTROPY, 1),
    (D3DSAMP_SRGBTEXTURE, 0),
    (D3DSAMP_ELEMENTINDEX, 0),
    (D3DSAMP_DMAPOFFSET, 0),
];

/// The render states of a new device.
pub(crate) fn render(auto_depth: bool) -> [u32; RENDER_STATES] {
    let mut out = [0; RENDER_STATES];
    for &(state, value) in RENDER {
        out[state as usize] = value;
    }
    out[D3DRS_ZENABLE as usize] = auto_depth.into();
    out
}

/// The texture-stage states of a new device.
pub(crate) fn stages() -> [[u32; STAGE_STATES]; 8] {
    let mut out = [[0; STAGE_STATES]; 8];
    for (n, stage) in out.iter_mut().enumerate() {
        for &(state, value) in STAGE {
            stage[state as usize] = value;
        }
        stage[D3DTSS_TEXCOORDINDEX as usize] = n as u32;
    }
    out[0][D3DTSS_COLOROP as usize] = D3DTOP_MODULATE;
    out[0][D3DTSS_ALPHAOP as usize] = D3DTOP_SELECTARG1;
    out
}

/// The states of a sampler of a new device.
pub(crate) fn sampler() -> [u32; SAMPLER_STATES] {
    let mut out = [0; SAMPLER_STATES];
    for &(state, value) in SAMPLER {
        out[state as usize] = value;
    }
    out
}

const fn listed<const N: usize>(table: &[(u32, u32)]) -> [bool; N] {
    let mut out = [false; N];
    let mut i = 0;
    while i < table.len() {
        out[table[i].0 as usize] = true;
        i += 1;
    }
    out
}

/// Which numbers name a texture-stage state.
pub(crate) static IS_STAGE: [bool; STAGE_STATES] = listed(STAGE);
/// Which numbers name a sampler state.
pub(crate) static IS_SAMPLER: [bool; SAMPLER_STATES] = listed(SAMPLER);
