//! x87 instructions.

use iced_x86::{Instruction, MemorySize, Mnemonic, OpKind, Register};

use super::{Fault, operand};
use crate::x87::{self, DEFAULT_NAN, Rounding};
use crate::{Machine, Reg};

/// Runs the instruction if it is one of the x87; whether it was.
pub(super) fn execute(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Fault> {
    use Mnemonic::*;
    match instruction.mnemonic() {
        Fld => {
            let value = if instruction.op_kind(0) == OpKind::Memory {
                x87::quiet(number(machine, instruction)?)
            } else {
                machine.cpu.fpu.get(stack_register(instruction, 0))
            };
            machine.cpu.fpu.push(value);
        }
        Fild => {
            let value = number(machine, instruction)?;
            machine.cpu.fpu.push(value);
        }
        Fld1 => machine.cpu.fpu.push(1.0_f64.to_bits()),
        Fldz => machine.cpu.fpu.push(0),
        Fst => store(machine, instruction)?,
        Fstp => {
            store(machine, instruction)?;
            machine.cpu.fpu.pop();
        }
        Fist => store_integer(machine, instruction)?,
        Fistp => {
            store_integer(machine, instruction)?;
            machine.cpu.fpu.pop();
        }
        Fxch => {
            let fpu = &mut machine.cpu.fpu;
            let other = stack_register(instruction, 1);
            let (top, value) = (fpu.get(0), fpu.get(other));
            fpu.set(0, value);
            fpu.set(other, top);
        }
        Fchs => on_top(machine, |value, _| value ^ 1 << 63),
        Fabs => on_top(machine, |value, _| value & !(1 << 63)),
        Fsqrt => on_top(machine, x87::sqrt),
        Fadd | Fiadd => arithmetic(machine, instruction, x87::add)?,
        Fsub => arithmetic(machine, instruction, x87::sub)?,
        Fsubr => arithmetic(machine, instruction, |a, b, r| x87::sub(b, a, r))?,
        Fmul | Fimul => arithmetic(machine, instruction, x87::mul)?,
        Fdiv => arithmetic(machine, instruction, x87::div)?,
        Fdivr => arithmetic(machine, instruction, |a, b, r| x87::div(b, a, r))?,
        Faddp => popping(machine, instruction, x87::add)?,
        Fsubp => popping(machine, instruction, x87::sub)?,
        Fsubrp => popping(machine, instruction, |a, b, r| x87::sub(b, a, r))?,
        Fmulp => popping(machine, instruction, x87::mul)?,
        Fdivp => popping(machine, instruction, x87::div)?,
        Fdivrp => popping(machine, instruction, |a, b, r| x87::div(b, a, r))?,
        Fcom | Fucom => compare(machine, instruction)?,
        Fcomp | Fucomp => {
            compare(machine, instruction)?;
            machine.cpu.fpu.pop();
        }
        Fcompp | Fucompp => {
            let fpu = &mut machine.cpu.fpu;
            fpu.compare(fpu.get(0), fpu.get(1));
            fpu.pop();
            fpu.pop();
        }
        Ftst => {
            let fpu = &mut machine.cpu.fpu;
            fpu.compare(fpu.get(0), 0);
        }
        Fnstsw => {
            let status = machine.cpu.fpu.status();
            if instruction.op_kind(0) == OpKind::Memory {
                let address = operand::address(&machine.cpu, instruction);
                machine.memory.write_u16(address, status)?;
            } else {
                let eax = &mut machine.cpu[Reg::Eax];
                *eax = *eax & !0xFFFF | u32::from(status);
            }
        }
        Fnstcw => {
            let address = operand::address(&machine.cpu, instruction);
            machine.memory.write_u16(address, machine.cpu.fpu.control)?;
        }
        Fldcw => {
            let address = operand::address(&machine.cpu, instruction);
            let control = machine.memory.read_u16(address)?;
            machine.cpu.fpu.set_control(control);
        }
        Fnstenv => store_environment(machine, instruction)?,
        Fldenv => load_environment(machine, instruction)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The stack register that an operand names.
fn stack_register(instruction: &Instruction, operand: u32) -> u8 {
    (instruction.op_register(operand) as u32).wrapping_sub(Register::ST0 as u32) as u8 & 7
}

/// The memory operand as a binary64, a signalling NaN as it is.
fn number(machine: &Machine, instruction: &Instruction) -> Result<u64, Fault> {
    let address = operand::address(&machine.cpu, instruction);
    let memory = &machine.memory;
    Ok(match instruction.memory_size() {
        MemorySize::Float32 => x87::f32_to_f64(memory.read_u32(address)?),
        MemorySize::Float64 => memory.read_u64(address)?,
        MemorySize::Int16 => x87::from_i64((memory.read_u16(address)? as i16).into()),
        MemorySize::Int32 => x87::from_i64((memory.read_u32(address)? as i32).into()),
        MemorySize::Int64 => x87::from_i64(memory.read_u64(address)? as i64),
        _ => return Err(Fault::Unsupported),
    })
}

fn on_top(machine: &mut Machine, operation: impl Fn(u64, Rounding) -> u64) {
    let fpu = &mut machine.cpu.fpu;
    let value = if fpu.is_empty(0) {
        DEFAULT_NAN
    } else {
        operation(fpu.get(0), fpu.rounding())
    };
    fpu.set(0, value);
}

fn store(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    let fpu = &mut machine.cpu.fpu;
    let value = fpu.get(0);
    if instruction.op_kind(0) != OpKind::Memory {
        fpu.set(stack_register(instruction, 0), value);
        return Ok(());
    }
    let rounding = fpu.rounding();
    let address = operand::address(&machine.cpu, instruction);
    match instruction.memory_size() {
        MemorySize::Float32 => {
            machine
                .memory
                .write_u32(address, x87::f64_to_f32(value, rounding))?;
        }
        MemorySize::Float64 => machine.memory.write_u64(address, x87::quiet(value))?,
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

fn store_integer(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    let fpu = &machine.cpu.fpu;
    let to = |bits| x87::to_integer(fpu.get(0), bits, fpu.rounding());
    let address = operand::address(&machine.cpu, instruction);
    match instruction.memory_size() {
        MemorySize::Int16 => machine.memory.write_u16(address, to(16) as u16)?,
        MemorySize::Int32 => machine.memory.write_u32(address, to(32) as u32)?,
        MemorySize::Int64 => machine.memory.write_u64(address, to(64) as u64)?,
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

/// `destination = operation(destination, source)`; memory forms have st(0) as their
/// destination.
fn arithmetic(
    machine: &mut Machine,
    instruction: &Instruction,
    operation: impl Fn(u64, u64, Rounding) -> u64,
) -> Result<(), Fault> {
    let (destination, source) = if instruction.op_kind(0) == OpKind::Memory {
        (0, Some(number(machine, instruction)?))
    } else {
        let from = stack_register(instruction, 1);
        let fpu = &machine.cpu.fpu;
        let source = if fpu.is_empty(from) {
            None
        } else {
            Some(fpu.get(from))
        };
        (stack_register(instruction, 0), source)
    };
    let fpu = &mut machine.cpu.fpu;
    let value = match source {
        Some(source) if !fpu.is_empty(destination) => {
            operation(fpu.get(destination), source, fpu.rounding())
        }
        _ => DEFAULT_NAN,
    };
    fpu.set(destination, value);
    Ok(())
}

fn popping(
    machine: &mut Machine,
    instruction: &Instruction,
    operation: impl Fn(u64, u64, Rounding) -> u64,
) -> Result<(), Fault> {
    arithmetic(machine, instruction, operation)?;
    machine.cpu.fpu.pop();
    Ok(())
}

fn compare(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    let other = if instruction.op_kind(0) == OpKind::Memory {
        number(machine, instruction)?
    } else {
        machine.cpu.fpu.get(stack_register(instruction, 1))
    };
    let fpu = &mut machine.cpu.fpu;
    fpu.compare(fpu.get(0), other);
    Ok(())
}

/// Words of the 28-byte environment have ones above them; the pointers are zero.
fn store_environment(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    if instruction.memory_size() != MemorySize::FpuEnv28 {
        return Err(Fault::Unsupported);
    }
    const ONES: u32 = 0xFFFF_0000;
    let fpu = &machine.cpu.fpu;
    let words = [
        ONES | u32::from(fpu.control),
        ONES | u32::from(fpu.status()),
        ONES | u32::from(fpu.tag_word()),
        0,
        0,
        0,
        ONES,
    ];
    let mut bytes = [0; 28];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    let address = operand::address(&machine.cpu, instruction);
    machine.memory.write_bytes(address, &bytes)?;
    // All exceptions are masked after it.
    machine.cpu.fpu.control |= 0x3F;
    Ok(())
}

fn load_environment(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    if instruction.memory_size() != MemorySize::FpuEnv28 {
        return Err(Fault::Unsupported);
    }
    let address = operand::address(&machine.cpu, instruction);
    let bytes = machine.memory.read_array::<28>(address)?;
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let fpu = &mut machine.cpu.fpu;
    fpu.set_control(word(0));
    fpu.set_status(word(4));
    fpu.set_tag_word(word(8));
    Ok(())
}
