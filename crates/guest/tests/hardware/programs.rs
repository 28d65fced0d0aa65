//! Random straight programs of every instruction that the interpreter has.
//!
//! esi points to where integers are read and strings come from, edi to where integers
//! are written and strings go, ebp to floats. Each kind has a place of its own, so that
//! no integer is ever read as a binary64 outside the range both processors share.

mod floats;

use crate::oracle::{Compared, Oracle};
use crate::random::Random;
use ninefold_guest::Reg;

const CODE: u32 = 0x0040_1000;
const INTEGERS: u32 = 0x0050_0000;
const RESULTS: u32 = 0x0050_2000;
const FLOATS: u32 = 0x0051_0000;
const STACK: u32 = 0x0060_0000;

/// Regions that programs use.
pub(crate) const REGIONS: [(u32, usize); 4] = [
    (CODE, 0x1000),
    (INTEGERS, 0x4000),
    (FLOATS, 0x1000),
    (STACK, 0x1000),
];

// Offsets from ebp.
const F32: u32 = 0x100; // 16 floats, read and written
const F64: u32 = 0x140; // 16 doubles, read and written
const I16: u32 = 0x1C0; // integers to load
const I32: u32 = 0x1E0;
const I64: u32 = 0x220;
const STORED: u32 = 0x260; // integers stored
const CONTROLS: u32 = 0x2A0; // 8 control words
const CONTROL: u32 = 0x2B0; // where one is stored
const STATUS: u32 = 0x2B4;
const ENVIRONMENT: u32 = 0x2C0; // where one is stored
const ENVIRONMENTS: u32 = 0x300; // 4 to load

/// eax, ecx, edx, ebx: the registers that programs change.
const FREE: u32 = 4;

struct Program<'a> {
    random: &'a mut Random,
    code: Vec<u8>,
    /// `fldenv` may take the environment stored before.
    environment: bool,
}

/// Runs a random program on both.
pub(crate) fn run(oracle: &mut Oracle, seed: u64) -> Result<Compared, String> {
    let mut random = Random::new(seed);
    fill(oracle, &mut random);
    let mut program = Program {
        random: &mut random,
        code: Vec::new(),
        environment: false,
    };
    // An x87 program with some integers in it, or the other way around.
    let share = program.random.pick(&[1, 4, 7]);
    for _ in 0..4 + program.random.below(28) {
        if program.random.below(8) < share {
            program.float();
        } else {
            program.integer();
        }
    }
    let code = std::mem::take(&mut program.code);
    oracle.machine.memory.load(CODE, &code).unwrap();
    oracle
        .machine
        .memory
        .load(CODE + code.len() as u32, &[0xC3])
        .unwrap();
    // fnstsw and fnstenv store bits that the machine models as zero.
    let status = [0x00, 0xFD, 0xFF, 0xFF];
    let environment = environment_mask();
    let mask: [(u32, &[u8]); 2] = [
        (FLOATS + STATUS, &status),
        (FLOATS + ENVIRONMENT, &environment),
    ];
    oracle.call(CODE, &mask).map_err(|difference| {
        let bytes: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("seed {seed}: {bytes}\n{difference}")
    })
}

/// Of the environment the words are compared, but for C1 and the exceptions in the
/// status; the pointers are not.
fn environment_mask() -> [u8; 28] {
    let mut mask = [0; 28];
    mask[..12].fill(0xFF);
    mask[4] = 0;
    mask[5] = 0xFD;
    mask
}

fn fill(oracle: &mut Oracle, random: &mut Random) {
    let machine = &mut oracle.machine;
    let memory = &mut machine.memory;
    for index in 0..0x80 {
        let value = match random.below(4) {
            0 => random.pick(&[0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x80, 0x7FFF]),
            _ => random.bits() as u32,
        };
        memory
            .write_u32(INTEGERS + 0x1000 + 4 * index, value)
            .unwrap();
    }
    let at = FLOATS;
    for index in 0..16 {
        memory
            .write_u32(at + F32 + 4 * index, random.float())
            .unwrap();
        memory
            .write_u64(at + F64 + 8 * index, double(random))
            .unwrap();
        memory
            .write_u16(at + I16 + 2 * index, random.bits() as u16)
            .unwrap();
        memory
            .write_u32(at + I32 + 4 * index, random.bits() as u32)
            .unwrap();
    }
    for index in 0..8 {
        let value = random.bits() as i64 >> (11 + random.below(50));
        memory
            .write_u64(at + I64 + 8 * index, value as u64)
            .unwrap();
    }
    for index in 0..8 {
        let plain = 0x027F | (index as u16 & 3) << 10;
        let word = if index < 4 { plain } else { control(random) };
        memory.write_u16(at + CONTROLS + 2 * index, word).unwrap();
    }
    for index in 0..4 {
        let words = [
            control(random).into(),
            random.bits() as u32,
            random.bits() as u32,
            0,
            0,
            0,
            0,
        ];
        for (place, word) in words.into_iter().enumerate() {
            let at = at + ENVIRONMENTS + 28 * index + 4 * place as u32;
            memory.write_u32(at, word).unwrap();
        }
    }
    let cpu = &mut machine.cpu;
    for number in 0..FREE as usize {
        cpu.gpr[number] = random.bits() as u32;
    }
    cpu[Reg::Esi] = INTEGERS + 0x1000;
    cpu[Reg::Edi] = RESULTS;
    cpu[Reg::Ebp] = FLOATS;
    cpu[Reg::Esp] = STACK + 0x800;
    cpu.eflags = 0x202 | random.bits() as u32 & 0x8D5;
    let fpu = &mut cpu.fpu;
    fpu.control = 0x027F
        | if random.once_in(4) {
            (random.below(4) as u16) << 10
        } else {
            0
        };
    fpu.condition = random.pick(&[0, 0x100, 0x400, 0x4000, 0x4500]);
    fpu.top = random.below(8) as u8;
    // Mostly some values on a stack, sometimes any pattern.
    fpu.occupied = if random.once_in(8) {
        random.bits() as u8
    } else {
        let depth = random.below(9);
        (0..depth).fold(0, |slots, index| {
            slots | 1 << ((u32::from(fpu.top) + index) & 7)
        })
    };
    for slot in 0..8 {
        fpu.slots[slot] = ninefold_guest::x87::quiet(double(random));
    }
}

/// A control word of any rounding, with any reserved bits: the precision is that of a
/// binary64, and exceptions are masked.
fn control(random: &mut Random) -> u16 {
    random.bits() as u16 & !0x0300 | 0x023F
}

/// A binary64 within the range of floats, sometimes special.
fn double(random: &mut Random) -> u64 {
    match random.below(8) {
        0 => ninefold_guest::x87::f32_to_f64(random.pick(&crate::random::ODD_FLOATS)),
        1 => {
            let exponent = 1023 - 12 + u64::from(random.below(24));
            random.bits() & 0x800F_FFFF_FFFF_FFFF | exponent << 52
        }
        2 => 0x7FF0_0000_0000_0000 | random.bits() & 0x800F_FFFF_FFFF_FFFF,
        _ => ninefold_guest::x87::f32_to_f64(random.float()),
    }
}

impl Program<'_> {
    fn emit(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    fn dword(&mut self, value: u32) {
        self.emit(&value.to_le_bytes());
    }

    /// ModRM of `[ebp + displacement]`.
    fn at_ebp(&mut self, reg: u8, displacement: u32) {
        self.emit(&[0x85 | reg << 3]);
        self.dword(displacement);
    }

    /// ModRM of a random integer operand: a free register, or memory to read or write.
    fn operand(&mut self, reg: u8, byte: bool) {
        match self.random.below(6) {
            0..=2 => {
                let register = self.random.below(if byte { 8 } else { FREE }) as u8;
                self.emit(&[0xC0 | reg << 3 | register]);
            }
            3 => {
                let displacement = self.random.below(0x60) as u8;
                self.emit(&[0x46 | reg << 3, displacement]);
            }
            4 => {
                self.emit(&[0x87 | reg << 3]);
                let displacement = self.random.below(0x60);
                self.dword(displacement);
            }
            _ => {
                let displacement = 4 + self.random.below(0x40) as u8;
                self.emit(&[0x44 | reg << 3, 0x24, displacement]);
            }
        }
    }

    /// A prefix for 16-bit operands, sometimes.
    fn prefix(&mut self, byte: bool) -> bool {
        let word = !byte && self.random.once_in(4);
        if word {
            self.emit(&[0x66]);
        }
        word
    }

    fn immediate(&mut self, byte: bool, word: bool) {
        let value = self.random.bits().to_le_bytes();
        let length = if byte {
            1
        } else if word {
            2
        } else {
            4
        };
        self.emit(&value[..length]);
    }

    fn integer(&mut self) {
        let byte = self.random.once_in(3);
        let wide = u8::from(!byte);
        let reg = self.random.below(if byte { 8 } else { FREE }) as u8;
        match self.random.below(25) {
            0..=4 => {
                // The eight binary operations, both directions.
                self.prefix(byte);
                let operation = self.random.below(8) as u8;
                let direction = self.random.below(2) as u8;
                self.emit(&[operation << 3 | direction << 1 | wide]);
                self.operand(reg, byte);
            }
            5 | 6 => {
                let word = self.prefix(byte);
                let operation = self.random.below(8) as u8;
                if !byte && self.random.once_in(2) {
                    self.emit(&[0x83]);
                    self.operand(operation, false);
                    self.immediate(true, false);
                } else {
                    self.emit(&[0x80 | wide]);
                    self.operand(operation, byte);
                    self.immediate(byte, word);
                }
            }
            7 => {
                self.prefix(byte);
                self.emit(&[0x84 | wide]);
                self.operand(reg, byte);
            }
            8 => {
                // test with an immediate, not, neg.
                let word = self.prefix(byte);
                let operation = self.random.pick(&[0, 2, 3]);
                self.emit(&[0xF6 | wide]);
                self.operand(operation, byte);
                if operation == 0 {
                    self.immediate(byte, word);
                }
            }
            9 => {
                self.prefix(byte);
                self.emit(&[0xFE | wide]);
                let operation = self.random.below(2) as u8;
                self.operand(operation, byte);
            }
            10 => {
                let opcode = self.random.pick(&[0x40, 0x48]);
                let register = self.random_free();
                self.emit(&[opcode | register]);
            }
            11 | 12 => self.shift(byte, wide),
            13 => self.product(),
            14 => {
                let word = self.prefix(byte);
                match self.random.below(4) {
                    0 => {
                        self.emit(&[0xC6 | wide]);
                        self.operand(0, byte);
                        self.immediate(byte, word);
                    }
                    1 => {
                        self.emit(&[0xB0 | wide << 3 | reg]);
                        self.immediate(byte, word);
                    }
                    direction => {
                        self.emit(&[0x88 | (direction as u8 & 1) << 1 | wide]);
                        self.operand(reg, byte);
                    }
                }
            }
            15 => {
                self.prefix(false);
                let opcode = self.random.pick(&[0xB6, 0xB7, 0xBE, 0xBF]);
                self.emit(&[0x0F, opcode]);
                let reg = self.random_free();
                self.operand(reg, opcode & 1 == 0);
            }
            16 => {
                // lea reg, [base + index * scale + displacement]
                let reg = self.random_free();
                let base = self.random.pick(&[0, 1, 2, 3, 4, 6, 7]);
                let index = self.random.pick(&[0, 1, 2, 3, 5, 6]);
                let scale = self.random.below(4) as u8;
                self.emit(&[0x8D, 0x84 | reg << 3, scale << 6 | index << 3 | base]);
                self.immediate(false, false);
            }
            17 => {
                self.prefix(byte);
                self.emit(&[0x86 | wide]);
                self.operand(reg, byte);
            }
            18 => self.stack(),
            19 => {
                let condition = self.random.below(16) as u8;
                self.emit(&[0x0F, 0x90 | condition]);
                self.operand(0, true);
            }
            20 => {
                // A jump over a short instruction, near or short.
                let condition = self.random.below(16) as u8;
                if self.random.once_in(2) {
                    self.emit(&[0x70 | condition, 1]);
                } else {
                    self.emit(&[0x0F, 0x80 | condition, 1, 0, 0, 0]);
                }
                let register = self.random_free();
                self.emit(&[0x40 | register]);
            }
            21 => self.strings(),
            22 => {
                // Binary operations and test of the accumulator with an immediate.
                let word = self.prefix(byte);
                let operation = self.random.below(9) as u8;
                let opcode = if operation == 8 {
                    0xA8
                } else {
                    operation << 3 | 4
                };
                self.emit(&[opcode | wide]);
                self.immediate(byte, word);
            }
            23 => {
                // mov between the accumulator and an address; xchg with it.
                self.prefix(byte);
                match self.random.below(3) {
                    0 => {
                        self.emit(&[0xA0 | wide]);
                        self.dword(INTEGERS + 0x1000);
                    }
                    1 => {
                        self.emit(&[0xA2 | wide]);
                        self.dword(RESULTS + 0x100);
                    }
                    _ => self.emit(&[0x90 | reg & 3]),
                }
            }
            _ => {
                let bytes: &[u8] = self.random.pick(&[
                    &[0x99],
                    &[0x9E],
                    &[0x90],
                    &[0xFC],
                    &[0x0F, 0x1F, 0x40, 0],
                    &[0xEB, 0],
                    &[0xE9, 0, 0, 0, 0],
                ]);
                self.emit(bytes);
            }
        }
    }

    fn random_free(&mut self) -> u8 {
        self.random.below(FREE) as u8
    }

    fn shift(&mut self, byte: bool, wide: u8) {
        let operation = self.random.pick(&[4, 5, 7]);
        let count = self.random.below(40) as u8;
        let kind = self.random.below(3);
        let in_cl = kind == 2 && self.random.once_in(2);
        if in_cl {
            self.emit(&[0xB1, count]);
        }
        let bits = match (byte, self.prefix(byte)) {
            (true, _) => 8,
            (_, true) => 16,
            _ => 32,
        };
        match kind {
            0 => {
                self.emit(&[0xD0 | wide]);
                self.operand(operation, byte);
                self.keep(&[0, 2, 4, 8, 10]);
                return;
            }
            1 => {
                self.emit(&[0xC0 | wide]);
                self.operand(operation, byte);
                self.emit(&[count]);
            }
            _ => {
                self.emit(&[0xD2 | wide]);
                self.operand(operation, byte);
            }
        }
        // CF is defined below the width, and of sar always.
        let count = count & 31;
        if (kind == 1 || in_cl) && count != 0 {
            if operation == 7 || count < bits {
                self.keep(&[2, 4, 8, 10]);
            } else {
                self.keep(&[4, 8, 10]);
            }
        }
        self.define_flags();
    }

    /// `setcc` of these conditions to memory.
    fn keep(&mut self, conditions: &[u8]) {
        for (place, condition) in conditions.iter().enumerate() {
            self.emit(&[0x0F, 0x90 | condition, 0x47, 0x70 + place as u8]);
        }
    }

    fn product(&mut self) {
        let reg = self.random_free();
        match self.random.below(4) {
            0 => {
                self.emit(&[0x0F, 0xAF]);
                self.operand(reg, false);
            }
            1 => {
                let word = self.prefix(false);
                self.emit(&[0x69]);
                self.operand(reg, false);
                self.immediate(false, word);
            }
            2 => {
                self.emit(&[0x6B]);
                self.operand(reg, false);
                self.immediate(true, false);
            }
            _ => {
                let byte = self.random.once_in(3);
                self.prefix(byte);
                self.emit(&[0xF6 | u8::from(!byte)]);
                self.operand(5, byte);
            }
        }
        self.keep(&[0, 2]);
        self.define_flags();
    }

    /// `add ebx, 1234567h`, sometimes left out: nothing may read undefined flags, so
    /// then `test`, which leaves only AF undefined, or `cmp` follow.
    fn define_flags(&mut self) {
        match self.random.below(2) {
            0 => self.emit(&[0x81, 0xC3, 0x67, 0x45, 0x23, 0x01]),
            _ => self.emit(&[0x39, 0xD8]),
        }
    }

    fn stack(&mut self) {
        let register = self.random_free();
        match self.random.below(12) {
            0 => self.emit(&[0x50 | register, 0x58 | (register ^ 1)]),
            1 => {
                self.emit(&[0x68]);
                self.immediate(false, false);
                self.emit(&[0x58 | register]);
            }
            2 => {
                self.emit(&[0x6A]);
                self.immediate(true, false);
                // pop dword ptr [esp + 20h]: addressed after the pop.
                self.emit(&[0x8F, 0x44, 0x24, 0x20]);
            }
            // push dword ptr [esp + 4]; pop register
            3 => self.emit(&[0xFF, 0x74, 0x24, 4, 0x58 | register]),
            // call the next instruction; pop its address
            4 => self.emit(&[0xE8, 0, 0, 0, 0, 0x58 | register]),
            // push esp; pop register
            5 => self.emit(&[0x54, 0x58 | register]),
            // push esp; pop esp
            6 => self.emit(&[0x54, 0x5C]),
            // mov register, the next instruction but one; call register; pop register
            7 => {
                self.emit(&[0xB8 | register]);
                self.next(6);
                self.emit(&[0xFF, 0xD0 | register, 0x58 | register]);
            }
            // mov register, the next instruction but one; jmp register
            8 => {
                self.emit(&[0xB8 | register]);
                self.next(6);
                self.emit(&[0xFF, 0xE0 | register]);
            }
            // mov [edi + 78h], the next instruction but one; call or jmp there
            9 => {
                let call = self.random.once_in(2);
                self.emit(&[0xC7, 0x47, 0x78]);
                self.next(7);
                if call {
                    self.emit(&[0xFF, 0x57, 0x78, 0x58 | register]);
                } else {
                    self.emit(&[0xFF, 0x67, 0x78]);
                }
            }
            // sub esp, bytes; push the next instruction but one; ret bytes
            10 => {
                let bytes = self.random.below(0x20) as u8;
                self.emit(&[0x83, 0xEC, bytes, 0x68]);
                self.next(7);
                self.emit(&[0xC2, bytes, 0]);
            }
            // push ebp; mov ebp, esp; push register; leave
            _ => self.emit(&[0x55, 0x8B, 0xEC, 0x50 | register, 0xC9]),
        }
    }

    /// The address of what follows the `ahead` bytes from here on.
    fn next(&mut self, ahead: u32) {
        let address = CODE + self.code.len() as u32 + ahead;
        self.dword(address);
    }

    fn strings(&mut self) {
        let count = self.random.below(6);
        match self.random.below(4) {
            0 => self.emit(&[0xA5]),
            1 => self.emit(&[0xAB]),
            kind => {
                self.emit(&[0xB9]);
                self.dword(count);
                self.emit(&[0xF3, if kind == 2 { 0xA5 } else { 0xAB }]);
            }
        }
        if self.random.once_in(8) {
            // Backwards: std; movsd, or a repeated movsd or stosd; cld.
            let opcode = self.random.pick(&[0xA5, 0xAB]);
            self.emit(&[0xFD, 0xA5, 0xB9]);
            self.dword(count);
            self.emit(&[0xF3, opcode, 0xFC]);
        }
    }
}
