//! Every form of every instruction that a version takes: generated token by token, without the
//! assembler, and kept where the reader accepts it.

use ninefold_bytecode::{
    Item, Opcode, Operand, Reader, RegisterKind, ShaderCode, Version, assemble,
};

const END: u32 = 0x0000_FFFF;
const PARAMETER: u32 = 1 << 31;
const RELATIVE: u32 = 1 << 13;
const IDENTITY: u32 = 0xE4 << 16;
const ALL: u32 = 0xF << 16;

/// Register types of a parameter token.
const TEMP: u32 = 0;
const INPUT: u32 = 1;
const CONST: u32 = 2;
/// `a0` of vertex and `t#` of pixel shaders.
const ADDRESS: u32 = 3;
const OUTPUT: u32 = 6;
const SAMPLER: u32 = 10;
const BOOL: u32 = 14;
const LOOP: u32 = 15;
const MISC: u32 = 17;
const PREDICATE: u32 = 19;

/// Registers tried as operands: type and number.
const DESTINATIONS: [(u32, u32); 16] = [
    (TEMP, 5),
    (TEMP, 0),
    (TEMP, 1),
    (ADDRESS, 3),
    (ADDRESS, 0),
    (4, 0),
    (4, 1),
    (4, 2),
    (5, 1),
    (OUTPUT, 3),
    (OUTPUT, 2),
    (8, 0),
    (8, 3),
    (9, 0),
    (PREDICATE, 0),
    (INPUT, 1),
];
const SOURCES: [(u32, u32); 18] = [
    (TEMP, 0),
    (CONST, 3),
    (CONST, 2),
    (TEMP, 1),
    (INPUT, 0),
    (INPUT, 1),
    (ADDRESS, 0),
    (ADDRESS, 1),
    (7, 0),
    (SAMPLER, 0),
    (SAMPLER, 2),
    (SAMPLER, 3),
    (BOOL, 0),
    (LOOP, 0),
    (MISC, 0),
    (MISC, 1),
    (18, 0),
    (PREDICATE, 0),
];
/// Swizzles tried: as it is, each component alone, rotations, a reversal, a repetition.
const SWIZZLES: [u32; 10] = [0xE4, 0x00, 0x55, 0xAA, 0xFF, 0xC9, 0xD2, 0x39, 0x1B, 0x50];

/// Xorshift: the same forms in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

fn register((kind, number): (u32, u32)) -> u32 {
    PARAMETER | (kind & 7) << 28 | (kind & 0x18) << 8 | number
}

/// An instruction in the making: a destination, sources, each with its address token.
#[derive(Clone)]
struct Draft {
    op: u32,
    dst: Option<(u32, Option<u32>)>,
    predicate: Option<u32>,
    srcs: Vec<(u32, Option<u32>)>,
}

impl Draft {
    /// The tokens, with the length that `version` states.
    fn tokens(&self, version: Version) -> Vec<u32> {
        let mut tokens = vec![self.op];
        let mut push = |(token, address): (u32, Option<u32>)| {
            tokens.push(token);
            tokens.extend(address.filter(|_| version.major >= 2));
        };
        self.dst.into_iter().for_each(&mut push);
        let predicate = self.predicate.map(|token| (token, None));
        predicate.into_iter().for_each(&mut push);
        self.srcs.iter().copied().for_each(&mut push);
        if version.major >= 2 {
            tokens[0] |= (tokens.len() as u32 - 1) << 24;
        }
        if self.predicate.is_some() {
            tokens[0] |= 1 << 28;
        }
        tokens
    }
}

/// One instruction, with what must stand before and after it.
#[derive(Clone)]
pub(crate) struct Form {
    #[allow(dead_code)]
    pub(crate) op: Opcode,
    /// The instruction alone.
    tokens: Vec<u32>,
    /// Before it, such as the pads of a texture matrix or the start of a loop.
    before: Vec<u32>,
    after: Vec<u32>,
    /// The register that holds the result, in words; `None` for none to be shown.
    result: Option<String>,
}

/// A version with its surroundings.
pub(crate) struct Setting {
    pub(crate) version: Version,
    prologue: Vec<u32>,
}

/// Tokens of `text` in `version`, neither its version nor its end.
fn piece(version: Version, text: &str) -> Vec<u32> {
    let whole = format!("{version}\n{text}");
    let code = assemble(&whole).unwrap_or_else(|error| panic!("{error}\n{whole}"));
    let tokens = code.tokens();
    tokens[1..tokens.len() - 1].to_vec()
}

impl Setting {
    /// Sampler 0 is declared as 2D and 3 as a volume, and with `cube` 2 as a cube.
    pub(crate) fn new(version: Version, cube: bool) -> Self {
        let samplers = match cube {
            true => "dcl_2d s0\ndcl_cube s2\n",
            false => "dcl_2d s0\n",
        };
        let samplers = match version.is_vertex() {
            true => samplers.to_owned(),
            false => format!("{samplers}dcl_volume s3\n"),
        };
        let text = match (version.is_vertex(), version.major, version.minor) {
            (true, 1, _) => format!("{VERTEX}mov a0.x, c40.x\n{VALUES}mov oT2, c5\nmov oT3, c6\n"),
            (true, 2, 0) => format!("{VERTEX}mova a0, c40\n{VALUES}mov oT2, c5\nmov oT3, c6\n"),
            (true, 2, _) => format!(
                "{VERTEX}mova a0, c40\n{VALUES}mov oT2, c5\nmov oT3, c6\nsetp_gt p0, v0, v1\n"
            ),
            (true, ..) => format!(
                "{VERTEX}dcl_texcoord0 o0\ndcl_texcoord1 o1\ndcl_texcoord2 o2\ndcl_texcoord3 o3\n\
                 dcl_position o4\n{samplers}mova a0, c40\n{VALUES}\
                 mov o2, c5\nmov o3, c6\nsetp_gt p0, v0, v1\n"
            ),
            (false, 1, 4) => "texld r0, t0\ntexcrd r1.xyz, t1\nmov r5, c5\n".into(),
            (false, 1, _) => "tex t0\ntexcoord t1\nmov r0, v0\nmov r1, c4\n".into(),
            (false, 2, 0) => format!("{PIXEL_2}{samplers}{VALUES}"),
            (false, 2, _) => format!("{PIXEL_2}{samplers}{VALUES}setp_gt p0, v0, v1\n"),
            _ => format!("{PIXEL_3}{samplers}{VALUES}setp_gt p0, v0, v1\n"),
        };
        Setting {
            version,
            prologue: piece(version, &text),
        }
    }

    /// The stream of these forms, one after the other, with the results of the last shown.
    pub(crate) fn stream<'a>(&self, forms: impl IntoIterator<Item = &'a Form>) -> Vec<u32> {
        let mut tokens = vec![self.version.token()];
        tokens.extend(&self.prologue);
        let mut result = None;
        for form in forms {
            tokens.extend(&form.before);
            tokens.extend(&form.tokens);
            tokens.extend(&form.after);
            result = form.result.as_deref();
        }
        tokens.extend(self.epilogue(result));
        tokens.push(END);
        tokens
    }

    fn epilogue(&self, result: Option<&str>) -> Vec<u32> {
        let text = match (self.version.is_vertex(), self.version.major) {
            (true, 3) => "mov o0, r5\nmov o1, r0\nmov o4, v6\n".into(),
            (true, _) => "mov oT0, r5\nmov oT1, r0\nmov oPos, v6\n".into(),
            (false, 1) => match result {
                Some(register) if register != "r0" => format!("mov r0, {register}\n"),
                _ => String::new(),
            },
            _ => "mov oC0, r5\nmov oC1, r0\nmov oC2, r1\n".into(),
        };
        piece(self.version, &text)
    }

    fn reads(&self, form: &Form) -> bool {
        ShaderCode::parse(&self.stream([form])).is_ok()
    }

    /// Every form of every instruction, block structure apart.
    pub(crate) fn forms(&self, dice: &mut Dice) -> Vec<Form> {
        let mut forms = Vec::new();
        for &op in Opcode::ALL {
            let structural = matches!(
                op,
                Opcode::Dcl
                    | Opcode::Def
                    | Opcode::DefI
                    | Opcode::DefB
                    | Opcode::If
                    | Opcode::Ifc
                    | Opcode::Else
                    | Opcode::EndIf
                    | Opcode::Loop
                    | Opcode::EndLoop
                    | Opcode::Rep
                    | Opcode::EndRep
                    | Opcode::Break
                    | Opcode::Breakc
                    | Opcode::Breakp
                    | Opcode::Call
                    | Opcode::Callnz
                    | Opcode::Label
                    | Opcode::Ret
                    | Opcode::Phase
                    | Opcode::TexM3x2Pad
                    | Opcode::TexM3x3Pad
            );
            if structural || !op.is_available(self.version) {
                continue;
            }
            let before = forms.len();
            for controls in 0..8 {
                if let Some(draft) = self.draft(op, controls) {
                    self.vary(op, &draft, dice, &mut forms);
                }
            }
            let name = op.name(self.version);
            assert!(forms.len() > before, "no {name} of {}", self.version);
        }
        self.pairs(dice, &mut forms);
        forms
    }

    /// The plainest form of an instruction that reads.
    fn draft(&self, op: Opcode, controls: u32) -> Option<Draft> {
        // Whatever is too much is passed over, and so tells the shape.
        let token = u32::from(op.code()) | controls << 16;
        let r0 = register((TEMP, 0)) | ALL;
        let probe = [self.version.token(), token, r0, r0, r0, r0, r0, END];
        let shape = match Reader::new(&probe).ok()?.next()? {
            Ok(Item::Instruction(instruction)) => instruction,
            _ => return None,
        };
        let mut draft = Draft {
            op: token,
            dst: shape.dst.map(|_| (r0, None)),
            predicate: None,
            srcs: vec![(r0, None); shape.srcs().len()],
        };
        let count = usize::from(draft.dst.is_some()) + draft.srcs.len();
        if count == 0 {
            return Some(draft);
        }
        // The reader names the first operand that is wrong, in this order.
        if draft.dst.is_some() {
            let mut found = false;
            for candidate in DESTINATIONS {
                draft.dst = Some((register(candidate) | ALL, None));
                found = self.fault(op, &draft) != Some(Operand::Destination);
                if found {
                    break;
                }
            }
            if !found {
                return None;
            }
        }
        for i in 0..draft.srcs.len() {
            let mut found = false;
            for candidate in SOURCES {
                draft.srcs[i] = (register(candidate) | IDENTITY, None);
                found = self.fault(op, &draft) != Some(Operand::Source(i as u8));
                if found {
                    break;
                }
            }
            if !found {
                return None;
            }
        }
        self.reads(&self.form(op, &draft)).then_some(draft)
    }

    fn fault(&self, op: Opcode, draft: &Draft) -> Option<Operand> {
        let stream = self.stream([&self.form(op, draft)]);
        ShaderCode::parse(&stream).err()?.operand()
    }

    fn form(&self, op: Opcode, draft: &Draft) -> Form {
        let version = self.version;
        let early = !version.is_vertex() && version.major == 1;
        let dst = draft.dst.map(|(token, _)| token);
        let result = dst.and_then(|token| {
            let kind = token >> 28 & 7 | token >> 8 & 0x18;
            let number = token & 0x7FF;
            match kind {
                TEMP if number < RegisterKind::Temp.count(version).into() => {
                    Some(format!("r{number}"))
                }
                ADDRESS if early && version.minor < 4 && number < 4 => Some(format!("t{number}")),
                _ => None,
            }
        });
        let pads = match op {
            Opcode::TexM3x2Tex | Opcode::TexM3x2Depth => "texm3x2pad t2, t0\n",
            Opcode::TexM3x3 | Opcode::TexM3x3Tex | Opcode::TexM3x3Spec | Opcode::TexM3x3VSpec => {
                "texm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
            }
            _ => "",
        };
        let address_of = |operand: &(u32, Option<u32>)| operand.1;
        let mut addresses = draft.dst.iter().chain(&draft.srcs).filter_map(address_of);
        let is_loop = |token: u32| token & 0x7000_1800 == register((LOOP, 0)) & !PARAMETER;
        let counts = Opcode::Loop.is_available(version)
            && (addresses.any(is_loop) || draft.srcs.iter().any(|src| is_loop(src.0)));
        let (before, after) = match counts {
            true => ("loop aL, i0\n", "endloop\n"),
            false => ("", ""),
        };
        let open = |text: &str| match counts {
            // Half a loop is not a stream.
            true => loop_half(version, text),
            false => Vec::new(),
        };
        let mut first = open(before);
        if !pads.is_empty() {
            first.extend(pad_tokens(version, pads));
        }
        Form {
            op,
            tokens: draft.tokens(version),
            before: first,
            after: open(after),
            result,
        }
    }

    /// Everything that can be different about an instruction, one by one, and some of it together.
    fn vary(&self, op: Opcode, base: &Draft, dice: &mut Dice, forms: &mut Vec<Form>) {
        let mut keep = |draft: &Draft| {
            let form = self.form(op, draft);
            if self.reads(&form) {
                forms.push(form);
            }
        };
        keep(base);
        let with_dst = |token: u32, address| Draft {
            dst: Some((token, address)),
            ..base.clone()
        };
        let with_src = |i: usize, token: u32, address| {
            let mut draft = base.clone();
            draft.srcs[i] = (token, address);
            draft
        };
        let addresses = [
            register((ADDRESS, 0)),
            register((ADDRESS, 0)) | 0x55 << 16,
            register((ADDRESS, 0)) | 0xFF << 16,
            register((LOOP, 0)) | IDENTITY,
        ];
        if base.dst.is_some() {
            for candidate in DESTINATIONS {
                for mask in 1..16 {
                    keep(&with_dst(register(candidate) | mask << 16, None));
                }
                for modifiers in 1..8 {
                    keep(&with_dst(register(candidate) | ALL | modifiers << 20, None));
                }
                for shift in 1..16 {
                    let token = register(candidate) | 7 << 16 | shift << 24;
                    keep(&with_dst(token, None));
                    keep(&with_dst(token | 1 << 20, None));
                }
                for address in addresses {
                    keep(&with_dst(
                        register(candidate) | ALL | RELATIVE,
                        Some(address),
                    ));
                    keep(&with_dst(
                        register(candidate) | 5 << 16 | RELATIVE,
                        Some(address),
                    ));
                }
            }
        }
        for i in 0..base.srcs.len() {
            for candidate in SOURCES {
                for modifier in 0..14 {
                    let swizzle = SWIZZLES[dice.below(SWIZZLES.len())];
                    keep(&with_src(
                        i,
                        register(candidate) | IDENTITY | modifier << 24,
                        None,
                    ));
                    keep(&with_src(
                        i,
                        register(candidate) | swizzle << 16 | modifier << 24,
                        None,
                    ));
                }
                for swizzle in SWIZZLES {
                    keep(&with_src(i, register(candidate) | swizzle << 16, None));
                }
                for address in addresses {
                    let token = register(candidate) | IDENTITY | RELATIVE;
                    keep(&with_src(i, token, Some(address)));
                    keep(&with_src(i, token | 1 << 24, Some(address)));
                }
            }
        }
        for swizzle in SWIZZLES {
            for modifier in [0, 13] {
                let predicate = register((PREDICATE, 0)) | swizzle << 16 | modifier << 24;
                keep(&Draft {
                    predicate: Some(predicate),
                    ..base.clone()
                });
            }
        }
        // What is legal alone need not work together: some of everything at once.
        for _ in 0..60 {
            let mut draft = base.clone();
            if draft.dst.is_some() {
                let candidate = DESTINATIONS[dice.below(DESTINATIONS.len())];
                let mask = 1 + dice.below(15) as u32;
                let shift = [0, 0, 1, 2, 15][dice.below(5)];
                let saturate = dice.below(2) as u32;
                let token = register(candidate) | mask << 16 | saturate << 20 | shift << 24;
                draft.dst = Some((token, None));
            }
            for src in &mut draft.srcs {
                let candidate = SOURCES[dice.below(SOURCES.len())];
                let swizzle = SWIZZLES[dice.below(SWIZZLES.len())];
                let modifier = [0, 0, 1, 2, 3, 4, 6, 7, 11][dice.below(9)];
                let mut token = register(candidate) | swizzle << 16 | modifier << 24;
                let mut address = None;
                if dice.below(6) == 0 {
                    token |= RELATIVE;
                    address = Some(addresses[dice.below(addresses.len())]);
                }
                *src = (token, address);
            }
            if dice.below(4) == 0 {
                let swizzle = SWIZZLES[dice.below(SWIZZLES.len())];
                draft.predicate = Some(register((PREDICATE, 0)) | swizzle << 16);
            }
            keep(&draft);
        }
    }

    /// Co-issued pairs: a vector and a scalar operation, the second reading what the first writes.
    fn pairs(&self, dice: &mut Dice, forms: &mut Vec<Form>) {
        if self.version.is_vertex() || self.version.major != 1 {
            return;
        }
        let plain: Vec<Form> = forms
            .iter()
            .filter(|form| form.before.is_empty() && form.result.is_some())
            .cloned()
            .collect();
        for _ in 0..600 {
            let mut pair = plain[dice.below(plain.len())].clone();
            let second = &plain[dice.below(plain.len())];
            pair.tokens[1] = pair.tokens[1] & !ALL | 7 << 16;
            let mut tokens = second.tokens.clone();
            tokens[0] |= 1 << 30;
            tokens[1] = tokens[1] & !ALL | 8 << 16;
            pair.tokens.extend(tokens);
            if self.reads(&pair) {
                forms.push(pair);
            }
        }
    }
}

/// `loop aL, i0` or `endloop` alone, cut out of a whole loop.
fn loop_half(version: Version, text: &str) -> Vec<u32> {
    let both = piece(version, "loop aL, i0\nendloop\n");
    match text {
        "endloop\n" => both[both.len() - 1..].to_vec(),
        _ => both[..both.len() - 1].to_vec(),
    }
}

/// Pads alone, cut out of a whole matrix.
fn pad_tokens(version: Version, pads: &str) -> Vec<u32> {
    let last = match pads.contains("3x2") {
        true => "texm3x2tex t3, t0\n",
        false => "texm3x3tex t3, t0\n",
    };
    let all = piece(version, &format!("{pads}{last}"));
    all[..all.len() - 3].to_vec()
}

const VERTEX: &str = "dcl_position v0\ndcl_normal v1\ndcl_texcoord0 v2\ndcl_texcoord1 v3\n\
                      dcl_color v4\ndcl_blendweight v5\ndcl_texcoord2 v6\n";
const PIXEL_2: &str = "dcl v0\ndcl v1\ndcl t0\ndcl t1\n";
const PIXEL_3: &str = "dcl_color0 v0\ndcl_color1 v1\ndcl_texcoord0 v2\ndcl_texcoord1 v3\n\
                       dcl vPos.xy\ndcl vFace\n";
const VALUES: &str = "mov r0, v0\nmov r1, v1\nmov r2, c2\nmov r3, c3\nmov r4, c4\nmov r5, c5\n";
