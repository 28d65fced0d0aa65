//! The table of instructions: names, operands, versions.

use super::Opcode;
use crate::register::{Kinds, RegisterKind as K};
use crate::version::Versions as V;

/// What bits 16 to 23 of an instruction token hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controls {
    /// This number and no other; it tells forms of one opcode apart.
    Exactly(u8),
    /// A D3DSHADER_COMPARISON, part of the mnemonic.
    Comparison,
}

/// What kind of work an instruction does, as far as structure rules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Computes; may be co-issued and predicated.
    Arithmetic,
    /// Addresses a texture; may be predicated.
    Texture,
    /// Changes what runs next, or where a run of instructions begins.
    Flow,
    /// Declares or defines a register.
    Declare,
}

/// One spelling of one opcode in some versions: a row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) op: Opcode,
    pub(crate) name: &'static str,
    pub(crate) versions: V,
    /// Register files the destination may be in; empty without a destination.
    pub(crate) dst: Kinds,
    /// Whether the destination token names a register that is only read.
    pub(crate) dst_is_read: bool,
    /// Register files each source may be in.
    pub(crate) srcs: &'static [Kinds],
    /// Sources that must be there; later ones may be left out (only where the
    /// token states its length).
    pub(crate) required_srcs: u8,
    pub(crate) controls: Controls,
    pub(crate) class: Class,
    /// Consecutive registers read from the second source on.
    pub(crate) rows: u8,
}

impl Form {
    const fn class(mut self, class: Class) -> Form {
        self.class = class;
        self
    }

    const fn controls(mut self, controls: Controls) -> Form {
        self.controls = controls;
        self
    }

    const fn rows(mut self, rows: u8) -> Form {
        self.rows = rows;
        self
    }

    const fn dst_is_read(mut self) -> Form {
        self.dst_is_read = true;
        self
    }

    const fn required_srcs(mut self, count: u8) -> Form {
        self.required_srcs = count;
        self
    }

    pub(crate) const fn accepts_controls(&self, controls: u8) -> bool {
        match self.controls {
            Controls::Exactly(value) => value == controls,
            Controls::Comparison => matches!(controls, 1..=6),
        }
    }
}

/// What arithmetic reads.
const S: Kinds = K::Temp
    .set()
    .or(K::Input.set())
    .or(K::Const.set())
    .or(K::Texture.set())
    .or(K::Misc.set());
/// What arithmetic writes.
const D: Kinds = K::Temp
    .set()
    .or(K::RastOut.set())
    .or(K::AttrOut.set())
    .or(K::TexCoordOut.set())
    .or(K::Output.set())
    .or(K::ColorOut.set())
    .or(K::DepthOut.set())
    .or(K::Texture.set());
const A0: Kinds = K::Address.set();
const R: Kinds = K::Temp.set();
const T: Kinds = K::Texture.set();
const RT: Kinds = R.or(T);
const C: Kinds = K::Const.set();
const SAMPLER: Kinds = K::Sampler.set();
const I: Kinds = K::ConstInt.set();
const AL: Kinds = K::Loop.set();
const L: Kinds = K::Label.set();
const P: Kinds = K::Predicate.set();
const B: Kinds = K::ConstBool.set();
const B_P: Kinds = B.or(P);
const NONE: Kinds = Kinds::NONE;

/// Versions with the full set of arithmetic.
const MATH: V = V::VS.or(V::PS2_UP);
/// Versions with subroutines and conditions.
const FLOW: V = V::VS2_UP.or(V::PS2X_UP);

const fn form(
    op: Opcode,
    name: &'static str,
    versions: V,
    dst: Kinds,
    srcs: &'static [Kinds],
) -> Form {
    Form {
        op,
        name,
        versions,
        dst,
        dst_is_read: false,
        srcs,
        required_srcs: srcs.len() as u8,
        controls: Controls::Exactly(0),
        class: Class::Arithmetic,
        rows: 1,
    }
}

const fn tex(
    op: Opcode,
    name: &'static str,
    versions: V,
    dst: Kinds,
    srcs: &'static [Kinds],
) -> Form {
    form(op, name, versions, dst, srcs).class(Class::Texture)
}

const fn flow(op: Opcode, name: &'static str, versions: V, srcs: &'static [Kinds]) -> Form {
    form(op, name, versions, NONE, srcs).class(Class::Flow)
}

const fn declare(op: Opcode, name: &'static str, versions: V, dst: Kinds) -> Form {
    form(op, name, versions, dst, &[]).class(Class::Declare)
}

/// The table. Rows of one opcode stand together, in the order of its number.
///
/// Versions are those of the D3D9 documentation's instruction tables ("vs_1_1
/// Instructions" to "ps_3_0 Instructions"). vs_1_0 takes what vs_1_1 takes, and
/// ps_1_0 what ps_1_1 takes. `lrp` the tables give vertex shaders from model 2 on; drivers run it in
/// model 1 too, and so does this project's specification.
pub(crate) static FORMS: &[Form] = {
    use Opcode as O;
    &[
        form(O::Nop, "nop", V::ALL, NONE, &[]),
        form(O::Mov, "mov", V::ALL, D.or(A0), &[S]),
        form(O::Add, "add", V::ALL, D, &[S, S]),
        form(O::Sub, "sub", V::ALL, D, &[S, S]),
        form(O::Mad, "mad", V::ALL, D, &[S, S, S]),
        form(O::Mul, "mul", V::ALL, D, &[S, S]),
        form(O::Rcp, "rcp", MATH, D, &[S]),
        form(O::Rsq, "rsq", MATH, D, &[S]),
        form(O::Dp3, "dp3", V::ALL, D, &[S, S]),
        form(O::Dp4, "dp4", V::VS.or(V::PS1_2_UP), D, &[S, S]),
        form(O::Min, "min", MATH, D, &[S, S]),
        form(O::Max, "max", MATH, D, &[S, S]),
        form(O::Slt, "slt", V::VS, D, &[S, S]),
        form(O::Sge, "sge", V::VS, D, &[S, S]),
        form(O::Exp, "exp", MATH, D, &[S]),
        form(O::Log, "log", MATH, D, &[S]),
        form(O::Lit, "lit", V::VS, D, &[S]),
        form(O::Dst, "dst", V::VS, D, &[S, S]),
        form(O::Lrp, "lrp", V::ALL, D, &[S, S, S]),
        form(O::Frc, "frc", MATH, D, &[S]),
        form(O::M4x4, "m4x4", MATH, D, &[S, S]).rows(4),
        form(O::M4x3, "m4x3", MATH, D, &[S, S]).rows(3),
        form(O::M3x4, "m3x4", MATH, D, &[S, S]).rows(4),
        form(O::M3x3, "m3x3", MATH, D, &[S, S]).rows(3),
        form(O::M3x2, "m3x2", MATH, D, &[S, S]).rows(2),
        flow(O::Call, "call", FLOW, &[L]),
        flow(O::Callnz, "callnz", FLOW, &[L, B_P]),
        flow(O::Loop, "loop", V::VS2_UP.or(V::PS3), &[AL, I]),
        flow(O::Ret, "ret", FLOW, &[]),
        flow(O::EndLoop, "endloop", V::VS2_UP.or(V::PS3), &[]),
        flow(O::Label, "label", FLOW, &[L]),
        declare(O::Dcl, "dcl", V::VS1.or(V::VS2), K::Input.set()),
        declare(
            O::Dcl,
            "dcl",
            V::VS3,
            K::Input.set().or(K::Output.set()).or(SAMPLER),
        ),
        declare(O::Dcl, "dcl", V::PS2, K::Input.set().or(T).or(SAMPLER)),
        declare(
            O::Dcl,
            "dcl",
            V::PS3,
            K::Input.set().or(K::Misc.set()).or(SAMPLER),
        ),
        form(O::Pow, "pow", V::SM2_UP, D, &[S, S]),
        form(O::Crs, "crs", V::SM2_UP, D, &[S, S]),
        form(O::Sgn, "sgn", V::VS2, D, &[S, R, R]),
        form(O::Sgn, "sgn", V::VS3, D, &[S, R, R]).required_srcs(1),
        form(O::Abs, "abs", V::SM2_UP, D, &[S]),
        form(O::Nrm, "nrm", V::SM2_UP, D, &[S]),
        form(O::SinCos, "sincos", V::VS2.or(V::PS2), D, &[S, C, C]),
        form(O::SinCos, "sincos", V::SM3, D, &[S]),
        flow(O::Rep, "rep", FLOW, &[I]),
        flow(O::EndRep, "endrep", FLOW, &[]),
        flow(O::If, "if", FLOW, &[B_P]),
        flow(O::Ifc, "if", V::SM2X_UP, &[S, S]).controls(Controls::Comparison),
        flow(O::Else, "else", FLOW, &[]),
        flow(O::EndIf, "endif", FLOW, &[]),
        flow(O::Break, "break", V::SM2X_UP, &[]),
        flow(O::Breakc, "break", V::SM2X_UP, &[S, S]).controls(Controls::Comparison),
        form(O::Mova, "mova", V::VS2_UP, A0, &[S]),
        declare(O::DefB, "defb", FLOW, B),
        declare(O::DefI, "defi", FLOW, I),
        tex(O::TexCoord, "texcoord", V::PS1_1_TO_3, T, &[]),
        tex(O::TexCoord, "texcrd", V::PS1_4, R, &[RT]),
        tex(O::TexKill, "texkill", V::PS, RT.or(K::Input.set()), &[]).dst_is_read(),
        tex(O::Tex, "tex", V::PS1_1_TO_3, T, &[]),
        tex(O::Tex, "texld", V::PS1_4, R, &[RT]),
        tex(O::Tex, "texld", V::PS2_UP, D, &[S, SAMPLER]),
        tex(O::Tex, "texldp", V::PS2_UP, D, &[S, SAMPLER]).controls(Controls::Exactly(1)),
        tex(O::Tex, "texldb", V::PS2_UP, D, &[S, SAMPLER]).controls(Controls::Exactly(2)),
        tex(O::TexBem, "texbem", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexBemL, "texbeml", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexReg2Ar, "texreg2ar", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexReg2Gb, "texreg2gb", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexM3x2Pad, "texm3x2pad", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexM3x2Tex, "texm3x2tex", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexM3x3Pad, "texm3x3pad", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexM3x3Tex, "texm3x3tex", V::PS1_1_TO_3, T, &[RT]),
        tex(O::TexM3x3Spec, "texm3x3spec", V::PS1_1_TO_3, T, &[RT, C]),
        tex(O::TexM3x3VSpec, "texm3x3vspec", V::PS1_1_TO_3, T, &[RT]),
        form(O::Expp, "expp", V::VS, D, &[S]),
        form(O::Logp, "logp", V::VS, D, &[S]),
        form(O::Cnd, "cnd", V::PS1, D, &[S, S, S]),
        declare(O::Def, "def", V::ALL, C),
        tex(O::TexReg2Rgb, "texreg2rgb", V::PS1_2_3, T, &[RT]),
        tex(O::TexDp3Tex, "texdp3tex", V::PS1_2_3, T, &[RT]),
        tex(O::TexM3x2Depth, "texm3x2depth", V::PS1_3, T, &[RT]),
        tex(O::TexDp3, "texdp3", V::PS1_2_3, T, &[RT]),
        tex(O::TexM3x3, "texm3x3", V::PS1_2_3, T, &[RT]),
        tex(O::TexDepth, "texdepth", V::PS1_4, R, &[]),
        form(O::Cmp, "cmp", V::PS1_2_UP, D, &[S, S, S]),
        form(O::Bem, "bem", V::PS1_4, D, &[S, S]),
        form(O::Dp2Add, "dp2add", V::PS2_UP, D, &[S, S, S]),
        form(O::Dsx, "dsx", V::PS2X_UP, D, &[S]),
        form(O::Dsy, "dsy", V::PS2X_UP, D, &[S]),
        tex(O::TexLdd, "texldd", V::PS2X_UP, D, &[S, SAMPLER, S, S]),
        form(O::Setp, "setp", V::SM2X_UP, P, &[S, S]).controls(Controls::Comparison),
        tex(O::TexLdl, "texldl", V::SM3, D, &[S, SAMPLER]),
        flow(O::Breakp, "breakp", V::SM2X_UP, &[P]),
        flow(O::Phase, "phase", V::PS1_4, &[]),
    ]
};

/// Opcode numbers below this one index [`RANGES`]; `phase` takes the last place.
pub(super) const PHASE_SLOT: usize = 97;

/// First row and number of rows of each opcode.
static RANGES: [(u8, u8); PHASE_SLOT + 1] = {
    let mut ranges = [(0, 0); PHASE_SLOT + 1];
    let mut i = FORMS.len();
    while i > 0 {
        i -= 1;
        let slot = FORMS[i].op.slot();
        ranges[slot] = (i as u8, ranges[slot].1 + 1);
    }
    ranges
};

pub(super) const fn slot_of(code: u32) -> Option<usize> {
    match code {
        0xFFFD => Some(PHASE_SLOT),
        code if (code as usize) < PHASE_SLOT => Some(code as usize),
        _ => None,
    }
}

/// The rows of opcode number `code`, empty when there is no such opcode.
pub(crate) fn forms_of(code: u32) -> &'static [Form] {
    let (first, count) = slot_of(code).map_or((0, 0), |slot| RANGES[slot]);
    &FORMS[usize::from(first)..usize::from(first) + usize::from(count)]
}
