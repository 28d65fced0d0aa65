//! First pass: what a shader declares, defines, reads and writes.

use super::registers::{self, Slot};
use crate::identity::Fnv;
use crate::reflection::{ConstRange, FloatDef, LargeConstants};
use ninefold_bytecode::{
    Instruction, Opcode, Payload, RegisterKind, SamplerKind, ShaderCode, Src, Stage, Usage,
    Version, WriteMask,
};
use rustc_hash::FxHashMap;

/// Words of the bitmap over the float file: 8,192 registers in software versions.
const CONST_WORDS: usize = 128;

/// A `dcl` of an input or output register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) register: u16,
    pub(super) mask: WriteMask,
    pub(super) usage: Usage,
    pub(super) index: u8,
    pub(super) centroid: bool,
    /// The instruction, for errors.
    pub(super) instruction: Instruction,
}

/// What the first pass found.
pub(super) struct Scan {
    pub(super) inputs: Vec<Declared>,
    pub(super) outputs: Vec<Declared>,
    pub(super) samplers: [Option<SamplerKind>; 16],
    pub(super) defs: Vec<FloatDef>,
    pub(super) int_defs: [Option<[i32; 4]>; 16],
    pub(super) bool_defs: [Option<bool>; 16],
    /// Float constants read from outside, merged and packed.
    pub(super) ranges: Vec<ConstRange>,
    pub(super) packed: u32,
    pub(super) int_mask: u16,
    pub(super) bool_mask: u16,
    /// `defi` and `defb` past the sixteen of hardware.
    wide_int_defs: FxHashMap<u16, [i32; 4]>,
    wide_bool_defs: FxHashMap<u16, bool>,
    /// What lies in the storage buffer.
    pub(super) large: LargeConstants,
    pub(super) relative: bool,
    pub(super) relative_input: bool,
    /// Input registers (`v#`) read.
    pub(super) read_inputs: u16,
    /// Texture coordinate registers (`t#`) or, in ps_1_x, coordinate sets read.
    pub(super) read_coordinates: u16,
    /// ps_1_0 to ps_1_3: texture registers read before anything was written to them.
    pub(super) unsampled: u8,
    /// `vPos` and `vFace`, bits 0 and 1.
    pub(super) read_misc: u8,
    /// Slots written, bit by bit.
    pub(super) written: u64,
    /// The shader branches, loops or calls.
    pub(super) flow: bool,
    pub(super) calls: bool,
    /// A `ret` stands inside a block.
    pub(super) early_return: bool,
    /// Slots written in the block that instruction n opens.
    blocks: Vec<(u32, u64)>,
    /// FNV-1a over the tokens without comments.
    pub(super) hash: Fnv,
}

impl Scan {
    pub(super) fn new(code: &ShaderCode) -> Self {
        let version = code.version();
        let mut scan = Scan {
            inputs: Vec::new(),
            outputs: Vec::new(),
            samplers: [None; 16],
            defs: Vec::new(),
            int_defs: [None; 16],
            bool_defs: [None; 16],
            ranges: Vec::new(),
            packed: 0,
            int_mask: 0,
            bool_mask: 0,
            wide_int_defs: FxHashMap::default(),
            wide_bool_defs: FxHashMap::default(),
            large: LargeConstants::default(),
            relative: false,
            relative_input: false,
            read_inputs: 0,
            read_coordinates: 0,
            unsampled: 0,
            read_misc: 0,
            written: 0,
            flow: false,
            calls: false,
            early_return: false,
            blocks: Vec::new(),
            hash: Fnv::new().words(&code.tokens()[..1]),
        };
        let mut pass = Pass {
            scan: &mut scan,
            version,
            consts: [0; CONST_WORDS],
            open: Vec::new(),
        };
        for instruction in code.instructions() {
            let start = instruction.byte_offset as usize / 4;
            let words = &code.tokens()[start..start + usize::from(instruction.words)];
            pass.scan.hash = pass.scan.hash.words(words);
            pass.instruction(&instruction);
        }
        let consts = pass.consts;
        scan.pack(version, consts);
        scan
    }

    /// Slots written in the block that `instruction` opens.
    pub(super) fn block(&self, instruction: &Instruction) -> u64 {
        self.blocks
            .binary_search_by_key(&instruction.number, |&(number, _)| number)
            .map_or(self.written, |at| match self.blocks[at].1 {
                u64::MAX => self.written,
                mask => mask,
            })
    }

    /// Place of float constant `register` in the packed buffer.
    pub(super) fn packed_index(&self, register: u16) -> u32 {
        let at = self.ranges.partition_point(|range| range.first <= register);
        let range = &self.ranges[at - 1];
        u32::from(range.packed_at + (register - range.first))
    }

    /// The value `def` gives a float constant; the last `def` counts.
    pub(super) fn def(&self, register: u16) -> Option<[f32; 4]> {
        self.defs
            .iter()
            .rev()
            .find(|def| def.register == register)
            .map(|def| def.value)
    }

    fn pack(&mut self, version: Version, mut consts: [u64; CONST_WORDS]) {
        for def in &self.defs {
            if let Some(word) = consts.get_mut(usize::from(def.register) / 64) {
                *word &= !(1 << (def.register % 64));
            }
        }
        let capacity = match version.stage {
            Stage::Vertex => crate::abi::VERTEX_CONSTANT_COUNT,
            Stage::Pixel => crate::abi::PIXEL_CONSTANT_COUNT,
        };
        self.pack_wide();
        if self.relative {
            let mut beyond = (capacity as usize..CONST_WORDS * 64).rev();
            self.large.floats =
                version.is_software() || beyond.any(|register| bit(&consts, register));
            self.packed = match self.large.floats {
                true => crate::abi::LARGE_FILE,
                false => capacity,
            };
            let count = self.packed as u16;
            self.ranges = vec![ConstRange {
                first: 0,
                count,
                packed_at: 0,
            }];
            return;
        }
        for (word, &bits) in consts.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let register = (word * 64) as u16 + bits.trailing_zeros() as u16;
                bits &= bits - 1;
                match self.ranges.last_mut() {
                    Some(range) if range.first + range.count == register => range.count += 1,
                    _ => {
                        let packed_at = self.packed as u16;
                        self.ranges.push(ConstRange {
                            first: register,
                            count: 1,
                            packed_at,
                        });
                    }
                }
                self.packed += 1;
            }
        }
        self.large.floats = self.packed > capacity;
    }

    /// The integer and boolean registers to upload, each once; not those that the shader sets.
    fn pack_wide(&mut self) {
        let LargeConstants { ints, bools, .. } = &mut self.large;
        ints.retain(|register| !self.wide_int_defs.contains_key(register));
        bools.retain(|register| !self.wide_bool_defs.contains_key(register));
        for registers in [ints, bools] {
            registers.sort_unstable();
            registers.dedup();
        }
    }

    /// The value `defi` gives an integer register; the last one counts.
    pub(super) fn int_def(&self, register: u16) -> Option<[i32; 4]> {
        match self.int_defs.get(usize::from(register)) {
            Some(def) => *def,
            None => self.wide_int_defs.get(&register).copied(),
        }
    }

    /// The value `defb` gives a boolean register; the last one counts.
    pub(super) fn bool_def(&self, register: u16) -> Option<bool> {
        match self.bool_defs.get(usize::from(register)) {
            Some(def) => *def,
            None => self.wide_bool_defs.get(&register).copied(),
        }
    }
}

fn bit(words: &[u64; CONST_WORDS], register: usize) -> bool {
    words[register / 64] >> (register % 64) & 1 != 0
}

struct Pass<'a> {
    scan: &'a mut Scan,
    version: Version,
    consts: [u64; CONST_WORDS],
    /// Open blocks: place in `scan.blocks`.
    open: Vec<usize>,
}

impl Pass<'_> {
    fn instruction(&mut self, instruction: &Instruction) {
        use Opcode as O;
        match instruction.op {
            O::Dcl | O::Def | O::DefI | O::DefB => return self.declare(instruction),
            O::If | O::Ifc | O::Loop | O::Rep => {
                self.scan.flow = true;
                self.open.push(self.scan.blocks.len());
                self.scan.blocks.push((instruction.number, 0));
            }
            O::EndIf | O::EndLoop | O::EndRep => {
                if let Some(closed) = self.open.pop() {
                    let mask = self.scan.blocks[closed].1;
                    self.wrote(mask);
                }
            }
            O::Callnz => {
                self.scan.flow = true;
                self.scan.calls = true;
                self.scan.blocks.push((instruction.number, u64::MAX));
                self.wrote(u64::MAX);
            }
            O::Call => {
                self.scan.calls = true;
                self.wrote(u64::MAX);
            }
            O::Ret => self.scan.early_return |= !self.open.is_empty(),
            O::TexKill => {
                self.wrote(1 << registers::KILLED);
                self.killed_register(instruction);
            }
            O::TexM3x2Depth | O::TexDepth => self.wrote(1 << registers::DEPTH),
            _ => {}
        }
        self.operands(instruction);
    }

    fn operands(&mut self, instruction: &Instruction) {
        use Opcode as O;
        let rows = match instruction.op {
            O::M4x4 | O::M3x4 => 4,
            O::M4x3 | O::M3x3 => 3,
            O::M3x2 => 2,
            _ => 1,
        };
        let count = match instruction.op {
            O::SinCos | O::Sgn => 1,
            _ => instruction.srcs().len(),
        };
        for (i, src) in instruction.srcs()[..count].iter().enumerate() {
            self.read(src, if i == 1 { rows } else { 1 });
        }
        if let Some(dst) = instruction.dst {
            let slot = registers::slot(self.version, dst.register);
            if let Some(slot) = slot.filter(|_| instruction.op != O::TexKill) {
                let in_part = !dst.mask.is_all();
                if in_part && dst.register.kind == RegisterKind::Texture {
                    self.unsampled(slot, dst.register.index);
                }
                self.wrote(match dst.relative {
                    Some(_) => (0..12).fold(0, |all, i| all | bit_of(registers::FIRST_OUTPUT + i)),
                    None => bit_of(slot),
                });
            }
            if self.version.major == 1 && is_texture_op(instruction.op) {
                self.coordinates(instruction, dst.register.index);
            }
        }
    }

    /// The coordinate sets that a ps_1_0 to ps_1_3 texture instruction reads by its number.
    fn coordinates(&mut self, instruction: &Instruction, stage: u16) {
        use Opcode as O;
        if self.version.minor >= 4 {
            return;
        }
        let back = match instruction.op {
            O::TexReg2Ar | O::TexReg2Gb | O::TexReg2Rgb | O::TexKill => return,
            O::TexM3x3VSpec => 2,
            _ => 0,
        };
        for stage in stage.saturating_sub(back)..=stage {
            self.scan.read_coordinates |= 1 << (stage & 15);
        }
    }

    /// Notes that a texture register of ps_1_0 to ps_1_3 begins as its coordinates, if nothing was
    /// written to it yet.
    fn unsampled(&mut self, slot: Slot, register: u16) {
        if self.scan.written & bit_of(slot) == 0 {
            self.scan.read_coordinates |= 1 << (register & 7);
            self.scan.unsampled |= 1 << (register & 7);
        }
    }

    fn killed_register(&mut self, instruction: &Instruction) {
        let Some(dst) = instruction.dst else { return };
        match dst.register.kind {
            RegisterKind::Texture => self.scan.read_coordinates |= 1 << (dst.register.index & 15),
            RegisterKind::Input => self.scan.read_inputs |= 1 << (dst.register.index & 15),
            _ => {}
        }
    }

    fn wrote(&mut self, mask: u64) {
        match self.open.last() {
            Some(&block) => self.scan.blocks[block].1 |= mask,
            None if mask == u64::MAX => {}
            None => self.scan.written |= mask,
        }
        if mask != u64::MAX {
            self.scan.written |= mask;
        }
    }

    fn read(&mut self, src: &Src, rows: u16) {
        let index = src.register.index;
        match src.register.kind {
            RegisterKind::Const => {
                // A base past the end of the common file tells that there is a larger one.
                self.scan.relative |= src.relative.is_some();
                for register in index..index.saturating_add(rows) {
                    if let Some(word) = self.consts.get_mut(usize::from(register) / 64) {
                        *word |= 1 << (register % 64);
                    }
                }
            }
            RegisterKind::Input if src.relative.is_some() => {
                self.scan.relative_input = true;
                self.scan.read_inputs = u16::MAX;
            }
            RegisterKind::Input => {
                for register in index..index.saturating_add(rows).min(16) {
                    self.scan.read_inputs |= 1 << register;
                }
            }
            RegisterKind::Texture if self.version.major > 1 || self.version.minor >= 4 => {
                for register in index..index.saturating_add(rows).min(16) {
                    self.scan.read_coordinates |= 1 << register;
                }
            }
            // A texture register that no texture instruction wrote holds its coordinates.
            RegisterKind::Texture => {
                if let Some(slot) = registers::slot(self.version, src.register) {
                    self.unsampled(slot, index);
                }
            }
            RegisterKind::ConstInt if index > 15 => self.scan.large.ints.push(index),
            RegisterKind::ConstInt => self.scan.int_mask |= 1 << index,
            RegisterKind::ConstBool if index > 15 => self.scan.large.bools.push(index),
            RegisterKind::ConstBool => self.scan.bool_mask |= 1 << index,
            RegisterKind::Misc => self.scan.read_misc |= 1 << (index & 7),
            _ => {}
        }
    }

    fn declare(&mut self, instruction: &Instruction) {
        let Some(dst) = instruction.dst else { return };
        let register = dst.register.index;
        match instruction.payload {
            Payload::Dcl(declaration) => {
                let declared = Declared {
                    register,
                    mask: if dst.mask.is_empty() {
                        WriteMask::ALL
                    } else {
                        dst.mask
                    },
                    usage: declaration.usage,
                    index: declaration.usage_index,
                    centroid: dst.centroid,
                    instruction: *instruction,
                };
                match dst.register.kind {
                    RegisterKind::Input | RegisterKind::Texture => self.scan.inputs.push(declared),
                    RegisterKind::Output => self.scan.outputs.push(declared),
                    RegisterKind::Sampler => {
                        if let Some(kind) = self.scan.samplers.get_mut(usize::from(register)) {
                            *kind = declaration.sampler_kind;
                        }
                    }
                    _ => {}
                }
            }
            Payload::Def(bits) => {
                let clamp = self.version.stage == Stage::Pixel && self.version.major == 1;
                let value = bits.map(|bits| match f32::from_bits(bits) {
                    value if clamp => value.clamp(-1.0, 1.0),
                    value => value,
                });
                self.scan.defs.push(FloatDef { register, value });
            }
            Payload::DefI(value) => match self.scan.int_defs.get_mut(usize::from(register)) {
                Some(def) => *def = Some(value),
                None => drop(self.scan.wide_int_defs.insert(register, value)),
            },
            Payload::DefB(value) => match self.scan.bool_defs.get_mut(usize::from(register)) {
                Some(def) => *def = Some(value),
                None => drop(self.scan.wide_bool_defs.insert(register, value)),
            },
            Payload::None => {}
        }
    }
}

fn bit_of(slot: Slot) -> u64 {
    1 << slot
}

fn is_texture_op(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::TexCoord
            | O::Tex
            | O::TexKill
            | O::TexBem
            | O::TexBemL
            | O::TexM3x2Pad
            | O::TexM3x2Tex
            | O::TexM3x3Pad
            | O::TexM3x3Tex
            | O::TexM3x3Spec
            | O::TexM3x3VSpec
            | O::TexDp3Tex
            | O::TexM3x2Depth
            | O::TexDp3
            | O::TexM3x3
    )
}
