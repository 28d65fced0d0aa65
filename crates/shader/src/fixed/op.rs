//! `D3DTEXTUREOP` and `D3DTA` as facts: the numbers, and which arguments an
//! operation reads.

/// `D3DTA_*`: selectors and modifiers of a stage argument.
pub mod arg {
    /// `D3DTA_SELECTMASK`.
    pub const SELECT: u8 = 0x0f;
    /// `D3DTA_DIFFUSE`.
    pub const DIFFUSE: u8 = 0;
    /// `D3DTA_CURRENT`.
    pub const CURRENT: u8 = 1;
    /// `D3DTA_TEXTURE`.
    pub const TEXTURE: u8 = 2;
    /// `D3DTA_TFACTOR`.
    pub const FACTOR: u8 = 3;
    /// `D3DTA_SPECULAR`.
    pub const SPECULAR: u8 = 4;
    /// `D3DTA_TEMP`.
    pub const TEMP: u8 = 5;
    /// `D3DTA_CONSTANT`.
    pub const CONSTANT: u8 = 6;
    /// `D3DTA_COMPLEMENT`: one minus the argument.
    pub const COMPLEMENT: u8 = 0x10;
    /// `D3DTA_ALPHAREPLICATE`: the argument's alpha in every component.
    pub const ALPHA_REPLICATE: u8 = 0x20;
}

/// `D3DTOP_DISABLE`.
pub const DISABLE: u8 = 1;
/// `D3DTOP_SELECTARG1`.
pub const SELECTARG1: u8 = 2;
/// `D3DTOP_SELECTARG2`.
pub const SELECTARG2: u8 = 3;
/// `D3DTOP_MODULATE`.
pub const MODULATE: u8 = 4;
/// `D3DTOP_MODULATE2X`.
pub const MODULATE2X: u8 = 5;
/// `D3DTOP_MODULATE4X`.
pub const MODULATE4X: u8 = 6;
/// `D3DTOP_ADD`.
pub const ADD: u8 = 7;
/// `D3DTOP_ADDSIGNED`.
pub const ADDSIGNED: u8 = 8;
/// `D3DTOP_ADDSIGNED2X`.
pub const ADDSIGNED2X: u8 = 9;
/// `D3DTOP_SUBTRACT`.
pub const SUBTRACT: u8 = 10;
/// `D3DTOP_ADDSMOOTH`.
pub const ADDSMOOTH: u8 = 11;
/// `D3DTOP_BLENDDIFFUSEALPHA`.
pub const BLENDDIFFUSEALPHA: u8 = 12;
/// `D3DTOP_BLENDTEXTUREALPHA`.
pub const BLENDTEXTUREALPHA: u8 = 13;
/// `D3DTOP_BLENDFACTORALPHA`.
pub const BLENDFACTORALPHA: u8 = 14;
/// `D3DTOP_BLENDTEXTUREALPHAPM`.
pub const BLENDTEXTUREALPHAPM: u8 = 15;
/// `D3DTOP_BLENDCURRENTALPHA`.
pub const BLENDCURRENTALPHA: u8 = 16;
/// `D3DTOP_PREMODULATE`.
pub const PREMODULATE: u8 = 17;
/// `D3DTOP_MODULATEALPHA_ADDCOLOR`.
pub const MODULATEALPHA_ADDCOLOR: u8 = 18;
/// `D3DTOP_MODULATECOLOR_ADDALPHA`.
pub const MODULATECOLOR_ADDALPHA: u8 = 19;
/// `D3DTOP_MODULATEINVALPHA_ADDCOLOR`.
pub const MODULATEINVALPHA_ADDCOLOR: u8 = 20;
/// `D3DTOP_MODULATEINVCOLOR_ADDALPHA`.
pub const MODULATEINVCOLOR_ADDALPHA: u8 = 21;
/// `D3DTOP_BUMPENVMAP`.
pub const BUMPENVMAP: u8 = 22;
/// `D3DTOP_BUMPENVMAPLUMINANCE`.
pub const BUMPENVMAPLUMINANCE: u8 = 23;
/// `D3DTOP_DOTPRODUCT3`.
pub const DOTPRODUCT3: u8 = 24;
/// `D3DTOP_MULTIPLYADD`.
pub const MULTIPLYADD: u8 = 25;
/// `D3DTOP_LERP`.
pub const LERP: u8 = 26;

/// Bit `i` is set when the operation reads argument `i`: `SELECTARG1` only
/// argument 1, `SELECTARG2` only argument 2, `MULTIPLYADD` and `LERP` all
/// three, the disabled and the bump operations none, every other one 1 and 2.
#[must_use]
pub fn arg_mask(op: u8) -> u8 {
    match op {
        0 | DISABLE | BUMPENVMAP | BUMPENVMAPLUMINANCE => 0,
        SELECTARG1 | PREMODULATE => 0b010,
        SELECTARG2 => 0b100,
        MULTIPLYADD | LERP => 0b111,
        _ => 0b110,
    }
}

/// The operation reads the alpha of the stage's texture whatever its arguments are.
#[must_use]
pub fn reads_texture_alpha(op: u8) -> bool {
    matches!(op, BLENDTEXTUREALPHA | BLENDTEXTUREALPHAPM)
}

/// The operation perturbs the coordinates of the next stage and passes the
/// current colour through.
#[must_use]
pub fn is_bump(op: u8) -> bool {
    matches!(op, BUMPENVMAP | BUMPENVMAPLUMINANCE)
}
