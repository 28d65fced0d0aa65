//! The opcodes of shader models 1 to 3 and, in [`table`], the one table about
//! them that reader, validator, disassembler and assembler share.

mod table;

use crate::version::Version;
pub(crate) use table::{Class, Controls, FORMS, Form, forms_of};
use table::{PHASE_SLOT, slot_of};

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
