//! Register files: their numbers in a token, their names and their sizes.

use crate::limits;
use crate::version::{Stage, Version, Versions};
use std::fmt;

/// A register file, after the dual meanings of the token's register type were
/// told apart by stage and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RegisterKind {
    /// `r#`: temporary (register type 0).
    Temp,
    /// `v#`: vertex input, interpolated colour or ps_3_0 input (type 1).
    Input,
    /// `c#`: float constant (type 2, and types 11 to 13 for `c2048` and up).
    Const,
    /// `a0`: vertex address register (type 3 in a vertex shader).
    Address,
    /// `t#`: texture coordinate or ps_1_x texture register (type 3 in a pixel
    /// shader).
    Texture,
    /// `oPos`, `oFog`, `oPts` with index 0, 1, 2 (type 4, vs_1_x and vs_2_x).
    RastOut,
    /// `oD0`, `oD1`: colour outputs (type 5, vs_1_x and vs_2_x).
    AttrOut,
    /// `oT#`: texture coordinate outputs (type 6, vs_1_x and vs_2_x).
    TexCoordOut,
    /// `o#`: declared outputs (type 6, vs_3_0).
    Output,
    /// `i#`: integer constant (type 7).
    ConstInt,
    /// `oC#`: pixel colour output (type 8).
    ColorOut,
    /// `oDepth`: pixel depth output (type 9).
    DepthOut,
    /// `s#`: sampler (type 10).
    Sampler,
    /// `b#`: boolean constant (type 14).
    ConstBool,
    /// `aL`: loop counter (type 15).
    Loop,
    /// 16-bit temporary (type 16); no shipped version accepts it.
    TempFloat16,
    /// `vPos`, `vFace` with index 0, 1 (type 17, ps_3_0).
    Misc,
    /// `l#`: subroutine label (type 18).
    Label,
    /// `p0`: predicate (type 19).
    Predicate,
}

/// One register: a file and a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register {
    /// The register file.
    pub kind: RegisterKind,
    /// Number within the file, 0 to 8,191 for [`RegisterKind::Const`] and 0 to
    /// 2,047 for the others. With relative addressing it is the offset that
    /// the address register is added to.
    pub index: u16,
}

impl Register {
    /// The register `index` of file `kind`.
    pub const fn new(kind: RegisterKind, index: u16) -> Self {
        Register { kind, index }
    }

    /// The name in assembly text (`c12`, `oPos`, `vFace`, ...).
    pub fn name(self) -> impl fmt::Display {
        Name(self)
    }
}

struct Name(Register);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Register { kind, index } = self.0;
        match kind {
            RegisterKind::RastOut | RegisterKind::Misc => match named(kind, index) {
                Some(name) => f.write_str(name),
                None => write!(f, "{}{index}", kind.prefix()),
            },
            RegisterKind::DepthOut | RegisterKind::Loop if index == 0 => f.write_str(kind.prefix()),
            _ => write!(f, "{}{index}", kind.prefix()),
        }
    }
}

/// [`limits::REGISTERS`] by version and register file.
static COUNTS: [[u16; RegisterKind::ALL.len()]; Versions::COUNT] = {
    let mut counts = [[0; RegisterKind::ALL.len()]; Versions::COUNT];
    let rows = limits::REGISTERS;
    let mut i = rows.len();
    while i > 0 {
        i -= 1;
        let mut version = 0;
        while version < Versions::COUNT {
            if rows[i].versions.0 >> version & 1 != 0 {
                counts[version][rows[i].kind as usize] = rows[i].count;
            }
            version += 1;
        }
    }
    counts
};

/// The registers whose name is not their prefix and number.
const NAMED: [(RegisterKind, u16, &str); 5] = [
    (RegisterKind::RastOut, 0, "oPos"),
    (RegisterKind::RastOut, 1, "oFog"),
    (RegisterKind::RastOut, 2, "oPts"),
    (RegisterKind::Misc, 0, "vPos"),
    (RegisterKind::Misc, 1, "vFace"),
];

fn named(kind: RegisterKind, index: u16) -> Option<&'static str> {
    NAMED
        .iter()
        .find(|(k, i, _)| *k == kind && *i == index)
        .map(|(_, _, name)| *name)
}

impl RegisterKind {
    /// Every register file.
    pub const ALL: [RegisterKind; 19] = [
        RegisterKind::Temp,
        RegisterKind::Input,
        RegisterKind::Const,
        RegisterKind::Address,
        RegisterKind::Texture,
        RegisterKind::RastOut,
        RegisterKind::AttrOut,
        RegisterKind::TexCoordOut,
        RegisterKind::Output,
        RegisterKind::ConstInt,
        RegisterKind::ColorOut,
        RegisterKind::DepthOut,
        RegisterKind::Sampler,
        RegisterKind::ConstBool,
        RegisterKind::Loop,
        RegisterKind::TempFloat16,
        RegisterKind::Misc,
        RegisterKind::Label,
        RegisterKind::Predicate,
    ];

    /// What the file's registers are called, before their number.
    pub const fn prefix(self) -> &'static str {
        match self {
            RegisterKind::Temp => "r",
            RegisterKind::Input => "v",
            RegisterKind::Const => "c",
            RegisterKind::Address => "a",
            RegisterKind::Texture => "t",
            RegisterKind::RastOut => "oRast",
            RegisterKind::AttrOut => "oD",
            RegisterKind::TexCoordOut => "oT",
            RegisterKind::Output => "o",
            RegisterKind::ConstInt => "i",
            RegisterKind::ColorOut => "oC",
            RegisterKind::DepthOut => "oDepth",
            RegisterKind::Sampler => "s",
            RegisterKind::ConstBool => "b",
            RegisterKind::Loop => "aL",
            RegisterKind::TempFloat16 => "h",
            RegisterKind::Misc => "vMisc",
            RegisterKind::Label => "l",
            RegisterKind::Predicate => "p",
        }
    }

    /// How many registers of this file shaders of `version` may name; 0 when
    /// the version has no such file. See [`limits`] for where each number
    /// comes from.
    pub fn count(self, version: Version) -> u16 {
        Self::counts(version)[self as usize]
    }

    /// The sizes of all files in `version`, by the file's number.
    pub(crate) fn counts(version: Version) -> &'static [u16; RegisterKind::ALL.len()] {
        static NONE: [u16; RegisterKind::ALL.len()] = [0; RegisterKind::ALL.len()];
        COUNTS
            .get(version.bit().trailing_zeros() as usize)
            .unwrap_or(&NONE)
    }

    /// Whether instructions of `version` may write registers of this file
    /// (apart from `dcl` and `def`).
    pub const fn is_writable(self, version: Version) -> bool {
        match self {
            RegisterKind::Temp
            | RegisterKind::Address
            | RegisterKind::RastOut
            | RegisterKind::AttrOut
            | RegisterKind::TexCoordOut
            | RegisterKind::Output
            | RegisterKind::ColorOut
            | RegisterKind::DepthOut
            | RegisterKind::Predicate => true,
            RegisterKind::Texture => Versions::PS1_1_TO_3.has(version),
            _ => false,
        }
    }

    /// The file that a token's register type names, with what to add to the
    /// register number, or `None` for a type no D3D9 shader has.
    pub(crate) const fn from_raw(raw: u32, version: Version) -> Option<(RegisterKind, u16)> {
        let vertex = matches!(version.stage, Stage::Vertex);
        Some(match raw {
            0 => (RegisterKind::Temp, 0),
            1 => (RegisterKind::Input, 0),
            2 => (RegisterKind::Const, 0),
            3 if vertex => (RegisterKind::Address, 0),
            3 => (RegisterKind::Texture, 0),
            4 => (RegisterKind::RastOut, 0),
            5 => (RegisterKind::AttrOut, 0),
            6 if version.major >= 3 => (RegisterKind::Output, 0),
            6 => (RegisterKind::TexCoordOut, 0),
            7 => (RegisterKind::ConstInt, 0),
            8 => (RegisterKind::ColorOut, 0),
            9 => (RegisterKind::DepthOut, 0),
            10 => (RegisterKind::Sampler, 0),
            11 => (RegisterKind::Const, 2048),
            12 => (RegisterKind::Const, 4096),
            13 => (RegisterKind::Const, 6144),
            14 => (RegisterKind::ConstBool, 0),
            15 => (RegisterKind::Loop, 0),
            16 => (RegisterKind::TempFloat16, 0),
            17 => (RegisterKind::Misc, 0),
            18 => (RegisterKind::Label, 0),
            19 => (RegisterKind::Predicate, 0),
            _ => return None,
        })
    }

    /// The register type a token states for register `index` of this file.
    pub(crate) const fn raw(self, index: u16) -> u32 {
        match self {
            RegisterKind::Temp => 0,
            RegisterKind::Input => 1,
            RegisterKind::Const => match index >> 11 {
                0 => 2,
                bank => 10 + bank as u32,
            },
            RegisterKind::Address | RegisterKind::Texture => 3,
            RegisterKind::RastOut => 4,
            RegisterKind::AttrOut => 5,
            RegisterKind::TexCoordOut | RegisterKind::Output => 6,
            RegisterKind::ConstInt => 7,
            RegisterKind::ColorOut => 8,
            RegisterKind::DepthOut => 9,
            RegisterKind::Sampler => 10,
            RegisterKind::ConstBool => 14,
            RegisterKind::Loop => 15,
            RegisterKind::TempFloat16 => 16,
            RegisterKind::Misc => 17,
            RegisterKind::Label => 18,
            RegisterKind::Predicate => 19,
        }
    }

    pub(crate) const fn set(self) -> Kinds {
        Kinds(1 << self as u8)
    }
}

/// The register that assembly text names in `version`, in any case; `None`
/// when no register file of that version is called so. The number is not
/// checked against the file's size.
pub(crate) fn by_name(text: &str, version: Version) -> Option<Register> {
    let available = |kind: &RegisterKind| kind.count(version) > 0;
    let special = NAMED
        .iter()
        .find(|(_, _, name)| name.eq_ignore_ascii_case(text));
    if let Some(&(kind, index, _)) = special {
        return available(&kind).then_some(Register { kind, index });
    }
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (prefix, number) = text.split_at(text.len() - digits);
    let kind = RegisterKind::ALL
        .into_iter()
        .filter(available)
        .find(|kind| kind.prefix().eq_ignore_ascii_case(prefix))?;
    let index = match number {
        "" if matches!(kind, RegisterKind::Loop | RegisterKind::DepthOut) => 0,
        "" => return None,
        digits => digits.parse::<u16>().ok()?,
    };
    let named_only = matches!(kind, RegisterKind::RastOut | RegisterKind::Misc);
    (!named_only).then_some(Register { kind, index })
}

/// A set of register files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(pub(crate) u32);

impl Kinds {
    pub(crate) const NONE: Kinds = Kinds(0);

    pub(crate) const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(crate) const fn has(self, kind: RegisterKind) -> bool {
        self.0 & kind.set().0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the files that `version` has out of this set, for
    /// messages.
    pub(crate) fn describe(self, version: Version) -> String {
        let names: Vec<&str> = RegisterKind::ALL
            .into_iter()
            .filter(|kind| self.has(*kind) && kind.count(version) > 0)
            .map(RegisterKind::describe)
            .collect();
        if names.is_empty() {
            "nothing this version has".to_owned()
        } else {
            names.join(", ")
        }
    }
}

impl RegisterKind {
    /// The file in words for messages: its registers' usual spelling.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            RegisterKind::Temp => "r#",
            RegisterKind::Input => "v#",
            RegisterKind::Const => "c#",
            RegisterKind::Address => "a0",
            RegisterKind::Texture => "t#",
            RegisterKind::RastOut => "oPos/oFog/oPts",
            RegisterKind::AttrOut => "oD#",
            RegisterKind::TexCoordOut => "oT#",
            RegisterKind::Output => "o#",
            RegisterKind::ConstInt => "i#",
            RegisterKind::ColorOut => "oC#",
            RegisterKind::DepthOut => "oDepth",
            RegisterKind::Sampler => "s#",
            RegisterKind::ConstBool => "b#",
            RegisterKind::Loop => "aL",
            RegisterKind::TempFloat16 => "16-bit temporaries",
            RegisterKind::Misc => "vPos/vFace",
            RegisterKind::Label => "l#",
            RegisterKind::Predicate => "p0",
        }
    }
}

impl fmt::Display for RegisterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}
