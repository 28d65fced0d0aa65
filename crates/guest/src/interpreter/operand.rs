//! Operands of integer instructions.

use iced_x86::{Instruction, OpKind, Register};

use super::Fault;
use crate::alu::Width;
use crate::{Cpu, Machine};

/// Where an operand is.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// A register's number and where in it the operand begins, in bits.
    Register {
        number: usize,
        shift: u32,
        width: Width,
    },
    Memory {
        address: u32,
        width: Width,
    },
    Immediate(u32),
}

/// The address of the instruction's memory operand.
pub(super) fn address(cpu: &Cpu, instruction: &Instruction) -> u32 {
    let mut address = instruction.memory_displacement32();
    let base = instruction.memory_base();
    if base != Register::None {
        address = address.wrapping_add(cpu.gpr[base.number() & 7]);
    }
    let index = instruction.memory_index();
    if index != Register::None {
        let scaled = cpu.gpr[index.number() & 7].wrapping_mul(instruction.memory_index_scale());
        address = address.wrapping_add(scaled);
    }
    address
}

impl Place {
    pub(super) fn of(cpu: &Cpu, instruction: &Instruction, operand: u32) -> Result<Self, Fault> {
        match instruction.op_kind(operand) {
            OpKind::Register => Self::register(instruction.op_register(operand)),
            OpKind::Memory => {
                let width = match instruction.memory_size().size() {
                    1 => Width::Byte,
                    2 => Width::Word,
                    4 => Width::Dword,
                    _ => return Err(Fault::Unsupported),
                };
                Ok(Place::Memory {
                    address: address(cpu, instruction),
                    width,
                })
            }
            OpKind::Immediate8
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate16
            | OpKind::Immediate32 => Ok(Place::Immediate(instruction.immediate(operand) as u32)),
            _ => Err(Fault::Unsupported),
        }
    }

    fn register(register: Register) -> Result<Self, Fault> {
        let number = register.number();
        if register.is_gpr32() {
            Ok(Place::Register {
                number,
                shift: 0,
                width: Width::Dword,
            })
        } else if register.is_gpr16() {
            Ok(Place::Register {
                number,
                shift: 0,
                width: Width::Word,
            })
        } else if register.is_gpr8() {
            // ah, ch, dh and bh are numbers 4 to 7.
            let shift = if number >= 4 { 8 } else { 0 };
            Ok(Place::Register {
                number: number & 3,
                shift,
                width: Width::Byte,
            })
        } else {
            Err(Fault::Unsupported)
        }
    }

    /// The operand's width; an immediate has that of the operand it goes with.
    pub(super) fn width(self) -> Option<Width> {
        match self {
            Place::Register { width, .. } | Place::Memory { width, .. } => Some(width),
            Place::Immediate(_) => None,
        }
    }

    /// The operand, with no bits above `width`.
    pub(super) fn read(self, machine: &Machine, width: Width) -> Result<u32, Fault> {
        let value = match self {
            Place::Register { number, shift, .. } => machine.cpu.gpr[number] >> shift,
            Place::Immediate(value) => value,
            Place::Memory { address, .. } => match width {
                Width::Byte => machine.memory.read_u8(address)?.into(),
                Width::Word => machine.memory.read_u16(address)?.into(),
                Width::Dword => machine.memory.read_u32(address)?,
            },
        };
        Ok(value & width.mask())
    }

    pub(super) fn write(self, machine: &mut Machine, value: u32) -> Result<(), Fault> {
        match self {
            Place::Register {
                number,
                shift,
                width,
            } => {
                let mask = width.mask() << shift;
                let register = &mut machine.cpu.gpr[number];
                *register = *register & !mask | value << shift & mask;
            }
            Place::Memory { address, width } => match width {
                Width::Byte => machine.memory.write_u8(address, value as u8)?,
                Width::Word => machine.memory.write_u16(address, value as u16)?,
                Width::Dword => machine.memory.write_u32(address, value)?,
            },
            Place::Immediate(_) => return Err(Fault::Unsupported),
        }
        Ok(())
    }
}
