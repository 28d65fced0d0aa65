//! What a shader uses: its files and their sizes, its own constants, its inputs
//! and outputs.

use crate::op::{Op, Target};
use crate::options::Options;
use crate::program::{Files, Input, Output, Program, Range};
use ninefold_bytecode::{
    Instruction, Opcode, Payload, Register, RegisterKind, SamplerKind, ShaderCode, Usage, Version,
    WriteMask,
};

pub(super) const KINDS: usize = RegisterKind::ALL.len();

/// The coordinates of ps_1_0 to ps_1_3, apart from the registers they begin in.
const COORDINATES: usize = KINDS;

pub(super) struct Survey {
    pub(super) version: Version,
    /// First register of each file in the one list, and how many it has there; the
    /// last is for texture coordinates.
    files: [(u16, u16); KINDS + 1],
    register_count: u16,
    floats: Vec<(u16, [f32; 4])>,
    ints: Vec<(u16, [i32; 4])>,
    bools: Vec<(u16, bool)>,
    declared: Vec<(Register, Usage, u8, WriteMask)>,
    kinds: [SamplerKind; 16],
    samplers: u16,
    inputs_read: u16,
    /// The same without those that relative addresses may reach.
    inputs_named: u16,
    depth: bool,
}

impl Survey {
    pub(super) fn of(code: &ShaderCode) -> Self {
        let mut survey = Survey {
            version: code.version(),
            files: [(0, 0); KINDS + 1],
            register_count: 0,
            floats: Vec::new(),
            ints: Vec::new(),
            bools: Vec::new(),
            declared: Vec::new(),
            kinds: [SamplerKind::Unknown; 16],
            samplers: 0,
            inputs_read: 0,
            inputs_named: 0,
            depth: false,
        };
        for instruction in code.instructions() {
            survey.instruction(&instruction);
        }
        survey.lay_out();
        survey
    }

    pub(super) fn has_texture_temps(&self) -> bool {
        self.version.is_pixel() && self.version.major == 1 && self.version.minor < 4
    }

    fn pixel_1(&self) -> bool {
        self.version.is_pixel() && self.version.major == 1
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Some(dst) = &instruction.dst {
            self.payload(instruction, dst.register, dst.mask);
            if !matches!(instruction.op, Opcode::Def | Opcode::DefI | Opcode::DefB) {
                self.uses(dst.register, 1, dst.relative.is_some());
                self.depth |= dst.register.kind == RegisterKind::DepthOut;
            }
            if self.pixel_1() && is_texture(instruction.op) {
                self.samplers |= 1 << (dst.register.index & 15);
            }
        }
        self.depth |= matches!(instruction.op, Opcode::TexM3x2Depth | Opcode::TexDepth);
        let rows = match instruction.op {
            Opcode::M4x4 | Opcode::M3x4 => 4,
            Opcode::M4x3 | Opcode::M3x3 => 3,
            Opcode::M3x2 => 2,
            _ => 1,
        };
        for (i, src) in instruction.srcs().iter().enumerate() {
            let rows = if i == 1 { rows } else { 1 };
            self.uses(src.register, rows, src.relative.is_some());
            match src.register.kind {
                RegisterKind::Sampler => self.samplers |= 1 << (src.register.index & 15),
                RegisterKind::Input if src.relative.is_some() => self.inputs_read = u16::MAX,
                RegisterKind::Input => {
                    let run = ((1u32 << rows) - 1) << (src.register.index & 15);
                    self.inputs_read |= run as u16;
                    self.inputs_named |= run as u16;
                }
                _ => {}
            }
        }
    }

    fn payload(&mut self, instruction: &Instruction, register: Register, mask: WriteMask) {
        match instruction.payload {
            Payload::Def(bits) => {
                let mut value = bits.map(f32::from_bits);
                if self.pixel_1() {
                    value = value.map(crate::float::clamp_constant);
                }
                define(&mut self.floats, register.index, value);
            }
            Payload::DefI(value) => define(&mut self.ints, register.index, value),
            Payload::DefB(value) => define(&mut self.bools, register.index, value),
            Payload::Dcl(declaration) => match declaration.sampler_kind {
                Some(kind) => self.kinds[usize::from(register.index & 15)] = kind,
                None => {
                    let mask = if mask.is_empty() {
                        WriteMask::ALL
                    } else {
                        mask
                    };
                    let (usage, index) = (declaration.usage, declaration.usage_index);
                    self.declared.push((register, usage, index, mask));
                }
            },
            Payload::None => {}
        }
    }

    /// Makes room for `rows` registers from `register` on, or for the whole file.
    fn uses(&mut self, register: Register, rows: u16, relative: bool) {
        let kind = register.kind;
        let holds_values = !matches!(
            kind,
            RegisterKind::Const
                | RegisterKind::ConstInt
                | RegisterKind::ConstBool
                | RegisterKind::Sampler
                | RegisterKind::Label
                | RegisterKind::Loop
                | RegisterKind::Address
                | RegisterKind::Predicate
        );
        if !holds_values {
            return;
        }
        let count = &mut self.files[kind as usize].1;
        *count = match relative {
            true => kind.count(self.version),
            false => (*count).max(register.index + rows),
        };
    }

    fn lay_out(&mut self) {
        if self.pixel_1() {
            // r0 is the result, and texture operations read coordinates and r5
            // without naming them.
            self.uses(Register::new(RegisterKind::Temp, 0), 1, false);
            let textures = RegisterKind::Texture.count(self.version);
            self.files[RegisterKind::Texture as usize].1 = textures;
            if self.has_texture_temps() {
                self.files[COORDINATES].1 = textures;
            }
        }
        for file in &mut self.files {
            file.0 = self.register_count;
            self.register_count += file.1;
        }
    }

    /// Where register `index` of a file is in the one list.
    pub(super) fn register(&self, kind: RegisterKind, index: u16) -> u16 {
        self.files[kind as usize].0 + index
    }

    pub(super) fn first_and_count(&self, kind: RegisterKind) -> (u16, u16) {
        self.files[kind as usize]
    }

    /// Where the coordinates of a ps_1_x texture stage are.
    pub(super) fn coordinates(&self, stage: u16) -> u16 {
        match self.has_texture_temps() {
            true => self.files[COORDINATES].0 + stage,
            false => self.register(RegisterKind::Texture, stage),
        }
    }

    pub(super) fn sampler_kind(&self, sampler: u16) -> SamplerKind {
        self.kinds
            .get(usize::from(sampler))
            .copied()
            .unwrap_or(SamplerKind::Unknown)
    }

    pub(super) fn float_literal(&self, index: u16) -> Option<u16> {
        let found = self.floats.binary_search_by_key(&index, |(n, _)| *n);
        found.ok().map(|place| place as u16)
    }

    pub(super) fn int_literal(&self, index: u16) -> Option<[i32; 4]> {
        find(&self.ints, index)
    }

    pub(super) fn bool_literal(&self, index: u16) -> Option<bool> {
        find(&self.bools, index)
    }

    pub(super) fn program(self, ops: Vec<Op>, options: &Options) -> Program {
        let version = self.version;
        let range = |kind: usize, place| Range {
            first: self.files[kind].0,
            count: self.files[kind].1,
            place,
        };
        let file = |kind: RegisterKind, place| range(kind as usize, place);
        use RegisterKind as K;
        let textures = match self.has_texture_temps() {
            true => range(COORDINATES, 2),
            false => file(K::Texture, 2),
        };
        let outputs = match (version.is_pixel(), version.major) {
            (true, 1) => [
                Range {
                    first: self.register(K::Temp, 0),
                    count: 1,
                    place: 0,
                },
                Range::default(),
                Range::default(),
            ],
            (true, _) => [file(K::ColorOut, 0), Range::default(), Range::default()],
            (false, 3) => [file(K::Output, 0), Range::default(), Range::default()],
            (false, _) => [
                file(K::RastOut, 0),
                file(K::AttrOut, 3),
                file(K::TexCoordOut, 5),
            ],
        };
        let files = Files {
            inputs: [file(K::Input, 0), textures],
            outputs,
            depth: file(K::DepthOut, 0),
            misc: file(K::Misc, 0),
            textures: match self.has_texture_temps() {
                true => file(K::Texture, 2),
                false => Range::default(),
            },
        };
        let colors = match (version.is_pixel(), version.major) {
            (false, _) => 0,
            (true, 1) => 1,
            (true, _) => (0..4)
                .filter(|n| *n < self.files[K::ColorOut as usize].1 && writes(&ops, &self, *n))
                .fold(0, |mask, n| mask | 1 << n),
        };
        Program {
            version,
            options: *options,
            register_count: self.register_count,
            files,
            inputs: self.inputs(),
            undeclared: version.is_vertex().then(|| self.undeclared()).flatten(),
            outputs: self.outputs(&ops),
            samplers: (0..16u8)
                .filter(|n| self.samplers >> n & 1 != 0)
                .map(|n| (n, self.kinds[usize::from(n)]))
                .collect(),
            colors,
            writes_depth: self.depth,
            clamps_outputs: version.is_vertex() && version.major < 3,
            literals: self.floats,
            ops,
        }
    }

    fn inputs(&self) -> Vec<Input> {
        let early_pixel = self.version.is_pixel() && self.version.major < 3;
        if early_pixel {
            let textures = self.files[RegisterKind::Texture as usize].1;
            let colors = self.files[RegisterKind::Input as usize].1;
            let input = |place: u16, usage, index: u16| Input {
                semantic: Some((usage, index as u8)),
                place: place as u8,
                mask: WriteMask::ALL,
                read: true,
            };
            return (0..colors)
                .map(|n| input(n, Usage::Color, n))
                .chain((0..textures).map(|n| input(2 + n, Usage::TexCoord, n)))
                .collect();
        }
        let mut inputs: Vec<Input> = self
            .declared
            .iter()
            .filter(|(register, ..)| register.kind == RegisterKind::Input)
            .map(|&(register, usage, index, mask)| Input {
                semantic: Some((usage, index)),
                place: register.index as u8,
                mask,
                read: self.inputs_read >> (register.index & 15) & 1 != 0,
            })
            .collect();
        if inputs.is_empty() {
            let read = (0..16u8).filter(|n| self.inputs_read >> n & 1 != 0);
            inputs.extend(read.map(|place| Input {
                semantic: None,
                place,
                mask: WriteMask::ALL,
                read: true,
            }));
        }
        inputs
    }

    /// The first input that is read by name and not declared, where others are.
    fn undeclared(&self) -> Option<u8> {
        let inputs = self.declared.iter();
        let inputs = inputs.filter(|(register, ..)| register.kind == RegisterKind::Input);
        let declared = inputs.fold(0, |mask, (register, ..)| {
            mask | 1u16 << (register.index & 15)
        });
        let missing = self.inputs_named & !declared;
        (declared != 0 && missing != 0).then(|| missing.trailing_zeros() as u8)
    }

    fn outputs(&self, ops: &[Op]) -> Vec<Output> {
        if self.version.is_pixel() {
            return Vec::new();
        }
        if self.version.major >= 3 {
            return self
                .declared
                .iter()
                .filter(|(register, ..)| register.kind == RegisterKind::Output)
                .map(|&(register, usage, index, mask)| {
                    let written = written(ops, self.register(RegisterKind::Output, register.index));
                    Output {
                        semantic: (usage, index),
                        place: register.index as u8,
                        mask,
                        written: WriteMask::from_bits(mask.bits() & written),
                    }
                })
                .collect();
        }
        let files = [
            (RegisterKind::RastOut, 0),
            (RegisterKind::AttrOut, 3),
            (RegisterKind::TexCoordOut, 5),
        ];
        let mut outputs = Vec::new();
        for (kind, place) in files {
            for n in 0..self.files[kind as usize].1 {
                let written = written(ops, self.register(kind, n));
                if written != 0 {
                    outputs.push(Output {
                        semantic: semantic(kind, n),
                        place: (place + n) as u8,
                        mask: WriteMask::ALL,
                        written: WriteMask::from_bits(written),
                    });
                }
            }
        }
        outputs
    }
}

/// The semantic of an output register before vs_3_0.
fn semantic(kind: RegisterKind, n: u16) -> (Usage, u8) {
    match (kind, n) {
        (RegisterKind::RastOut, 0) => (Usage::Position, 0),
        (RegisterKind::RastOut, 1) => (Usage::Fog, 0),
        (RegisterKind::RastOut, _) => (Usage::PSize, 0),
        (RegisterKind::AttrOut, n) => (Usage::Color, n as u8),
        (_, n) => (Usage::TexCoord, n as u8),
    }
}

fn writes(ops: &[Op], survey: &Survey, color: u16) -> bool {
    written(ops, survey.register(RegisterKind::ColorOut, color)) != 0
}

/// The components of a register that some operation writes.
fn written(ops: &[Op], register: u16) -> u8 {
    let mask = |op: &Op| match op.dst.target {
        Target::Register(to) if to == register => op.dst.mask,
        Target::RelativeRegister { first, count, .. }
            if (first..first + count).contains(&register) =>
        {
            op.dst.mask
        }
        _ => 0,
    };
    ops.iter().fold(0, |written, op| written | mask(op))
}

/// Whether an instruction of ps_1_x reads a texture.
fn is_texture(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::Tex
            | Opcode::TexBem
            | Opcode::TexBemL
            | Opcode::TexReg2Ar
            | Opcode::TexReg2Gb
            | Opcode::TexReg2Rgb
            | Opcode::TexM3x2Tex
            | Opcode::TexM3x3Tex
            | Opcode::TexM3x3Spec
            | Opcode::TexM3x3VSpec
            | Opcode::TexDp3Tex
    )
}

/// Sets a register in an ascending list; a later definition replaces an earlier.
fn define<T>(list: &mut Vec<(u16, T)>, register: u16, value: T) {
    match list.binary_search_by_key(&register, |(n, _)| *n) {
        Ok(at) => list[at].1 = value,
        Err(at) => list.insert(at, (register, value)),
    }
}

fn find<T: Copy>(list: &[(u16, T)], register: u16) -> Option<T> {
    let at = list.binary_search_by_key(&register, |(n, _)| *n).ok()?;
    Some(list[at].1)
}
