//! The opcodes of shader models 1 to 3, and the one table about them that
//! reader, validator, disassembler and assembler share.

use crate::register::{Kinds, RegisterKind as K};
use crate::version::{Version, Versions as V};

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident = $code:expr,)*) => {
        /// An opcode of D3DSHADER_INSTRUCTION_OPCODE_TYPE, by its number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Opcode { $($(#[$doc])* $name = $code,)* }

        impl Opcode {
            /// Every opcode, by number.
            pub const ALL: &[Opcode] = &[$(Opcode::$name,)*];
        }
    };
}

opcodes! {
    /// `nop`
    Nop = 0,
    /// `mov`
    Mov = 1,
    /// `add`
    Add = 2,
    /// `sub`
    Sub = 3,
    /// `mad`
    Mad = 4,
    /// `mul`
    Mul = 5,
    /// `rcp`
    Rcp = 6,
    /// `rsq`
    Rsq = 7,
    /// `dp3`
    Dp3 = 8,
    /// `dp4`
    Dp4 = 9,
    /// `min`
    Min = 10,
    /// `max`
    Max = 11,
    /// `slt`
    Slt = 12,
    /// `sge`
    Sge = 13,
    /// `exp`
    Exp = 14,
    /// `log`
    Log = 15,
    /// `lit`
    Lit = 16,
    /// `dst`
    Dst = 17,
    /// `lrp`
    Lrp = 18,
    /// `frc`
    Frc = 19,
    /// `m4x4`
    M4x4 = 20,
    /// `m4x3`
    M4x3 = 21,
    /// `m3x4`
    M3x4 = 22,
    /// `m3x3`
    M3x3 = 23,
    /// `m3x2`
    M3x2 = 24,
    /// `call`
    Call = 25,
    /// `callnz`
    Callnz = 26,
    /// `loop`
    Loop = 27,
    /// `ret`
    Ret = 28,
    /// `endloop`
    EndLoop = 29,
    /// `label`
    Label = 30,
    /// `dcl`
    Dcl = 31,
    /// `pow`
    Pow = 32,
    /// `crs`
    Crs = 33,
    /// `sgn`
    Sgn = 34,
    /// `abs`
    Abs = 35,
    /// `nrm`
    Nrm = 36,
    /// `sincos`
    SinCos = 37,
    /// `rep`
    Rep = 38,
    /// `endrep`
    EndRep = 39,
    /// `if` with a boolean constant or a predicate
    If = 40,
    /// `if_gt` and the like: `if` with a comparison
    Ifc = 41,
    /// `else`
    Else = 42,
    /// `endif`
    EndIf = 43,
    /// `break`
    Break = 44,
    /// `break_gt` and the like: `break` with a comparison
    Breakc = 45,
    /// `mova`
    Mova = 46,
    /// `defb`
    DefB = 47,
    /// `defi`
    DefI = 48,
    /// `texcoord` (ps_1_0 to ps_1_3), `texcrd` (ps_1_4)
    TexCoord = 64,
    /// `texkill`
    TexKill = 65,
    /// `tex` (ps_1_0 to ps_1_3), `texld` (ps_1_4 and up), `texldp`, `texldb`
    Tex = 66,
    /// `texbem`
    TexBem = 67,
    /// `texbeml`
    TexBemL = 68,
    /// `texreg2ar`
    TexReg2Ar = 69,
    /// `texreg2gb`
    TexReg2Gb = 70,
    /// `texm3x2pad`
    TexM3x2Pad = 71,
    /// `texm3x2tex`
    TexM3x2Tex = 72,
    /// `texm3x3pad`
    TexM3x3Pad = 73,
    /// `texm3x3tex`
    TexM3x3Tex = 74,
    /// `texm3x3spec`
    TexM3x3Spec = 76,
    /// `texm3x3vspec`
    TexM3x3VSpec = 77,
    /// `expp`
    Expp = 78,
    /// `logp`
    Logp = 79,
    /// `cnd`
    Cnd = 80,
    /// `def`
    Def = 81,
    /// `texreg2rgb`
    TexReg2Rgb = 82,
    /// `texdp3tex`
    TexDp3Tex = 83,
    /// `texm3x2depth`
    TexM3x2Depth = 84,
    /// `texdp3`
    TexDp3 = 85,
    /// `texm3x3`
    TexM3x3 = 86,
    /// `texdepth`
    TexDepth = 87,
    /// `cmp`
    Cmp = 88,
    /// `bem`
    Bem = 89,
    /// `dp2add`
    Dp2Add = 90,
    /// `dsx`
    Dsx = 91,
    /// `dsy`
    Dsy = 92,
    /// `texldd`
    TexLdd = 93,
    /// `setp_gt` and the like
    Setp = 94,
    /// `texldl`
    TexLdl = 95,
    /// `breakp`
    Breakp = 96,
    /// `phase` (ps_1_4)
    Phase = 0xFFFD,
}

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
const C: Kinds = K::Const.set();
const SAMPLER: Kinds = K::Sampler.set();
const I: Kinds = K::ConstInt.set();
const AL: Kinds = K::Loop.set();
const L: Kinds = K::Label.set();
const P: Kinds = K::Predicate.set();
const B: Kinds = K::ConstBool.set();
const B_P: Kinds = B.or(P);
const NONE: Kinds = Kinds::NONE;

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
/// ps_1_0 what ps_1_1 takes.
pub(crate) static FORMS: &[Form] = {
    use Opcode as O;
    &[
        form(O::Nop, "nop", V::ALL, NONE, &[]),
        form(O::Mov, "mov", V::ALL, D.or(A0), &[S]),
        form(O::Add, "add", V::ALL, D, &[S, S]),
        form(O::Sub, "sub", V::ALL, D, &[S, S]),
        form(O::Mad, "mad", V::ALL, D, &[S, S, S]),
        form(O::Mul, "mul", V::ALL, D, &[S, S]),
        form(O::Rcp, "rcp", V::VS.or(V::PS2_UP), D, &[S]),
        form(O::Rsq, "rsq", V::VS.or(V::PS2_UP), D, &[S]),
        form(O::Dp3, "dp3", V::ALL, D, &[S, S]),
        form(
            O::Dp4,
            "dp4",
            V::VS.or(V::PS1_2_3).or(V::PS1_4).or(V::PS2_UP),
            D,
            &[S, S],
        ),
        form(O::Min, "min", V::VS.or(V::PS2_UP), D, &[S, S]),
        form(O::Max, "max", V::VS.or(V::PS2_UP), D, &[S, S]),
        form(O::Slt, "slt", V::VS, D, &[S, S]),
        form(O::Sge, "sge", V::VS, D, &[S, S]),
        form(O::Exp, "exp", V::VS.or(V::PS2_UP), D, &[S]),
        form(O::Log, "log", V::VS.or(V::PS2_UP), D, &[S]),
        form(O::Lit, "lit", V::VS, D, &[S]),
        form(O::Dst, "dst", V::VS, D, &[S, S]),
        form(O::Lrp, "lrp", V::VS2_UP.or(V::PS), D, &[S, S, S]),
        form(O::Frc, "frc", V::VS.or(V::PS2_UP), D, &[S]),
        form(O::M4x4, "m4x4", V::VS.or(V::PS2_UP), D, &[S, S]).rows(4),
        form(O::M4x3, "m4x3", V::VS.or(V::PS2_UP), D, &[S, S]).rows(3),
        form(O::M3x4, "m3x4", V::VS.or(V::PS2_UP), D, &[S, S]).rows(4),
        form(O::M3x3, "m3x3", V::VS.or(V::PS2_UP), D, &[S, S]).rows(3),
        form(O::M3x2, "m3x2", V::VS.or(V::PS2_UP), D, &[S, S]).rows(2),
        flow(O::Call, "call", V::VS2_UP.or(V::PS2X_UP), &[L]),
        flow(O::Callnz, "callnz", V::VS2_UP.or(V::PS2X_UP), &[L, B_P]),
        flow(O::Loop, "loop", V::VS2_UP.or(V::PS3), &[AL, I]),
        flow(O::Ret, "ret", V::VS2_UP.or(V::PS2X_UP), &[]),
        flow(O::EndLoop, "endloop", V::VS2_UP.or(V::PS3), &[]),
        flow(O::Label, "label", V::VS2_UP.or(V::PS2X_UP), &[L]),
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
        flow(O::Rep, "rep", V::VS2_UP.or(V::PS2X_UP), &[I]),
        flow(O::EndRep, "endrep", V::VS2_UP.or(V::PS2X_UP), &[]),
        flow(O::If, "if", V::VS2_UP.or(V::PS2X_UP), &[B_P]),
        flow(O::Ifc, "if", V::SM2X_UP, &[S, S]).controls(Controls::Comparison),
        flow(O::Else, "else", V::VS2_UP.or(V::PS2X_UP), &[]),
        flow(O::EndIf, "endif", V::VS2_UP.or(V::PS2X_UP), &[]),
        flow(O::Break, "break", V::SM2X_UP, &[]),
        flow(O::Breakc, "break", V::SM2X_UP, &[S, S]).controls(Controls::Comparison),
        form(O::Mova, "mova", V::VS2_UP, A0, &[S]),
        declare(O::DefB, "defb", V::VS2_UP.or(V::PS2X_UP), B),
        declare(O::DefI, "defi", V::VS2_UP.or(V::PS2X_UP), I),
        tex(O::TexCoord, "texcoord", V::PS1_1_TO_3, T, &[]),
        tex(O::TexCoord, "texcrd", V::PS1_4, R, &[R.or(T)]),
        tex(
            O::TexKill,
            "texkill",
            V::PS,
            R.or(T).or(K::Input.set()),
            &[],
        )
        .dst_is_read(),
        tex(O::Tex, "tex", V::PS1_1_TO_3, T, &[]),
        tex(O::Tex, "texld", V::PS1_4, R, &[R.or(T)]),
        tex(O::Tex, "texld", V::PS2_UP, D, &[S, SAMPLER]),
        tex(O::Tex, "texldp", V::PS2_UP, D, &[S, SAMPLER]).controls(Controls::Exactly(1)),
        tex(O::Tex, "texldb", V::PS2_UP, D, &[S, SAMPLER]).controls(Controls::Exactly(2)),
        tex(O::TexBem, "texbem", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexBemL, "texbeml", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexReg2Ar, "texreg2ar", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexReg2Gb, "texreg2gb", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexM3x2Pad, "texm3x2pad", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexM3x2Tex, "texm3x2tex", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexM3x3Pad, "texm3x3pad", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(O::TexM3x3Tex, "texm3x3tex", V::PS1_1_TO_3, T, &[R.or(T)]),
        tex(
            O::TexM3x3Spec,
            "texm3x3spec",
            V::PS1_1_TO_3,
            T,
            &[R.or(T), C],
        ),
        tex(
            O::TexM3x3VSpec,
            "texm3x3vspec",
            V::PS1_1_TO_3,
            T,
            &[R.or(T)],
        ),
        form(O::Expp, "expp", V::VS, D, &[S]),
        form(O::Logp, "logp", V::VS, D, &[S]),
        form(O::Cnd, "cnd", V::PS1, D, &[S, S, S]),
        declare(O::Def, "def", V::ALL, C),
        tex(O::TexReg2Rgb, "texreg2rgb", V::PS1_2_3, T, &[R.or(T)]),
        tex(O::TexDp3Tex, "texdp3tex", V::PS1_2_3, T, &[R.or(T)]),
        tex(O::TexM3x2Depth, "texm3x2depth", V::PS1_3, T, &[R.or(T)]),
        tex(O::TexDp3, "texdp3", V::PS1_2_3, T, &[R.or(T)]),
        tex(O::TexM3x3, "texm3x3", V::PS1_2_3, T, &[R.or(T)]),
        tex(O::TexDepth, "texdepth", V::PS1_4, R, &[]),
        form(
            O::Cmp,
            "cmp",
            V::PS1_2_3.or(V::PS1_4).or(V::PS2_UP),
            D,
            &[S, S, S],
        ),
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
const PHASE_SLOT: usize = 97;

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

const fn slot_of(code: u32) -> Option<usize> {
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

impl Opcode {
    const fn slot(self) -> usize {
        match slot_of(self as u32) {
            Some(slot) => slot,
            None => PHASE_SLOT,
        }
    }

    /// The opcode numbered `code` in bits 0 to 15 of an instruction token.
    pub fn from_code(code: u32) -> Option<Opcode> {
        forms_of(code).first().map(|form| form.op)
    }

    /// The number in bits 0 to 15 of the instruction token.
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The mnemonic in `version` without comparison or modifiers: `texcoord`
    /// in ps_1_1 and `texcrd` in ps_1_4, `if` for [`Opcode::Ifc`]. Versions
    /// without the instruction get the name of the oldest that has it.
    pub fn name(self, version: Version) -> &'static str {
        let forms = forms_of(u32::from(self.code()));
        forms
            .iter()
            .find(|form| form.versions.has(version))
            .or(forms.first())
            .map_or("", |form| form.name)
    }

    /// Whether `version` has this instruction.
    pub fn is_available(self, version: Version) -> bool {
        forms_of(u32::from(self.code()))
            .iter()
            .any(|form| form.versions.has(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_SOURCES;

    #[test]
    fn rows_stand_in_order_and_name_every_opcode() {
        let mut ops: Vec<Opcode> = FORMS.iter().map(|form| form.op).collect();
        assert!(ops.is_sorted());
        ops.dedup();
        assert_eq!(ops, Opcode::ALL);
        for &op in Opcode::ALL {
            assert_eq!(Opcode::from_code(u32::from(op.code())), Some(op));
        }
        assert_eq!(Opcode::from_code(75), None);
        assert_eq!(Opcode::from_code(49), None);
        assert_eq!(Opcode::from_code(0xFFFE), None);
    }

    #[test]
    fn each_version_has_one_row_per_opcode_and_controls() {
        for version in Version::all() {
            for (i, a) in FORMS.iter().enumerate() {
                assert!(a.srcs.len() <= MAX_SOURCES);
                for b in &FORMS[i + 1..] {
                    let both = a.versions.has(version) && b.versions.has(version);
                    let same_token = a.op == b.op && a.controls == b.controls;
                    let same_text = a.name == b.name && a.controls == b.controls;
                    assert!(!(both && (same_token || same_text)), "{} {version}", a.name);
                }
            }
        }
    }

    #[test]
    fn dual_names() {
        let name = |op: Opcode, text| op.name(Version::parse(text).unwrap());
        assert_eq!(name(Opcode::TexCoord, "ps_1_3"), "texcoord");
        assert_eq!(name(Opcode::TexCoord, "ps_1_4"), "texcrd");
        assert_eq!(name(Opcode::Tex, "ps_1_1"), "tex");
        assert_eq!(name(Opcode::Tex, "ps_2_0"), "texld");
    }
}
