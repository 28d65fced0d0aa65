//! Integer instructions, branches and strings.

use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind};

use super::Fault;
use super::operand::{self, Place};
use crate::alu::{self, ARITHMETIC, Width};
use crate::cpu::{AF, CF, DF, OF, PF, SF, ZF};
use crate::{Cpu, Machine, Reg};

/// Runs an instruction; whether it was a call.
pub(super) fn execute(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Fault> {
    use Mnemonic::*;
    match instruction.mnemonic() {
        Nop => {}
        Mov => {
            let (to, width) = first(&machine.cpu, instruction)?;
            let value = second(&machine.cpu, instruction)?.read(machine, width)?;
            to.write(machine, value)?;
        }
        Movzx => {
            let value = narrow(machine, instruction)?.0;
            first(&machine.cpu, instruction)?.0.write(machine, value)?;
        }
        Movsx => {
            let (value, width) = narrow(machine, instruction)?;
            let to = first(&machine.cpu, instruction)?.0;
            to.write(machine, width.extend(value) as u32)?;
        }
        Lea => {
            let address = operand::address(&machine.cpu, instruction);
            first(&machine.cpu, instruction)?
                .0
                .write(machine, address)?;
        }
        Push => {
            let value = Place::of(&machine.cpu, instruction, 0)?.read(machine, Width::Dword)?;
            machine.push(value)?;
        }
        Pop => pop(machine, instruction)?,
        Xchg => {
            let (a, width) = first(&machine.cpu, instruction)?;
            let b = second(&machine.cpu, instruction)?;
            let (old_a, old_b) = (a.read(machine, width)?, b.read(machine, width)?);
            // At most the first is memory, so that a failure has written nothing.
            let (a, b, old_a, old_b) = match b {
                Place::Memory { .. } => (b, a, old_b, old_a),
                _ => (a, b, old_a, old_b),
            };
            a.write(machine, old_b)?;
            b.write(machine, old_a)?;
        }
        Add => binary(machine, instruction, |a, b, _, width| {
            alu::add(a, b, false, width)
        })?,
        Adc => binary(machine, instruction, alu::add)?,
        Sub => binary(machine, instruction, |a, b, _, width| {
            alu::sub(a, b, false, width)
        })?,
        Sbb => binary(machine, instruction, alu::sub)?,
        And => binary(machine, instruction, |a, b, _, w| {
            (a & b, alu::logic(a & b, w))
        })?,
        Or => binary(machine, instruction, |a, b, _, w| {
            (a | b, alu::logic(a | b, w))
        })?,
        Xor => binary(machine, instruction, |a, b, _, w| {
            (a ^ b, alu::logic(a ^ b, w))
        })?,
        Cmp => {
            let (a, b, width) = pair(machine, instruction)?;
            machine
                .cpu
                .set_flags(ARITHMETIC, alu::sub(a, b, false, width).1);
        }
        Test => {
            let (a, b, width) = pair(machine, instruction)?;
            machine.cpu.set_flags(ARITHMETIC, alu::logic(a & b, width));
        }
        Not => {
            let (place, width) = first(&machine.cpu, instruction)?;
            let value = place.read(machine, width)?;
            place.write(machine, !value & width.mask())?;
        }
        Neg => unary(machine, instruction, ARITHMETIC, |a, w| {
            alu::sub(0, a, false, w)
        })?,
        Inc => unary(machine, instruction, ARITHMETIC & !CF, |a, w| {
            alu::add(a, 1, false, w)
        })?,
        Dec => unary(machine, instruction, ARITHMETIC & !CF, |a, w| {
            alu::sub(a, 1, false, w)
        })?,
        Shl => shift(machine, instruction, alu::shl)?,
        Shr => shift(machine, instruction, alu::shr)?,
        Sar => shift(machine, instruction, alu::sar)?,
        Imul => imul(machine, instruction)?,
        Cdq => machine.cpu[Reg::Edx] = (machine.cpu[Reg::Eax] as i32 >> 31) as u32,
        Seta | Setae | Setb | Setbe | Sete | Setg | Setge | Setl | Setle | Setne | Setno
        | Setnp | Setns | Seto | Setp | Sets => {
            let value = holds(&machine.cpu, instruction.condition_code());
            first(&machine.cpu, instruction)?
                .0
                .write(machine, u32::from(value))?;
        }
        Ja | Jae | Jb | Jbe | Je | Jg | Jge | Jl | Jle | Jne | Jno | Jnp | Jns | Jo | Jp | Js => {
            if holds(&machine.cpu, instruction.condition_code()) {
                machine.cpu.eip = instruction.near_branch32();
            }
        }
        Jmp => machine.cpu.eip = target(machine, instruction)?,
        Call => {
            let function = target(machine, instruction)?;
            machine.push(instruction.next_ip32())?;
            machine.cpu.eip = function;
            return Ok(true);
        }
        Ret => {
            let bytes = match instruction.op_count() {
                0 => 0,
                _ => u32::from(instruction.immediate16()),
            };
            machine.cpu.eip = machine.pop()?;
            machine.cpu[Reg::Esp] = machine.cpu[Reg::Esp].wrapping_add(bytes);
        }
        Leave => {
            let ebp = machine.cpu[Reg::Ebp];
            let value = machine.memory.read_u32(ebp)?;
            machine.cpu[Reg::Esp] = ebp.wrapping_add(4);
            machine.cpu[Reg::Ebp] = value;
        }
        Movsd => strings(machine, instruction, |machine| {
            let value = machine.memory.read_u32(machine.cpu[Reg::Esi])?;
            machine.memory.write_u32(machine.cpu[Reg::Edi], value)?;
            let step = step(&machine.cpu);
            machine.cpu[Reg::Esi] = machine.cpu[Reg::Esi].wrapping_add(step);
            machine.cpu[Reg::Edi] = machine.cpu[Reg::Edi].wrapping_add(step);
            Ok(())
        })?,
        Stosd => strings(machine, instruction, |machine| {
            machine
                .memory
                .write_u32(machine.cpu[Reg::Edi], machine.cpu[Reg::Eax])?;
            machine.cpu[Reg::Edi] = machine.cpu[Reg::Edi].wrapping_add(step(&machine.cpu));
            Ok(())
        })?,
        Cld => machine.cpu.set_flags(DF, 0),
        Std => machine.cpu.set_flags(DF, DF),
        Sahf => {
            let ah = machine.cpu[Reg::Eax] >> 8;
            machine.cpu.set_flags(SF | ZF | AF | PF | CF, ah);
        }
        _ => return Err(Fault::Unsupported),
    }
    Ok(false)
}

fn first(cpu: &Cpu, instruction: &Instruction) -> Result<(Place, Width), Fault> {
    let place = Place::of(cpu, instruction, 0)?;
    Ok((place, place.width().ok_or(Fault::Unsupported)?))
}

fn second(cpu: &Cpu, instruction: &Instruction) -> Result<Place, Fault> {
    Place::of(cpu, instruction, 1)
}

/// The second operand in its own width.
fn narrow(machine: &Machine, instruction: &Instruction) -> Result<(u32, Width), Fault> {
    let from = second(&machine.cpu, instruction)?;
    let width = from.width().ok_or(Fault::Unsupported)?;
    Ok((from.read(machine, width)?, width))
}

/// Both operands' values in the width of the first.
fn pair(machine: &Machine, instruction: &Instruction) -> Result<(u32, u32, Width), Fault> {
    let (a, width) = first(&machine.cpu, instruction)?;
    let b = second(&machine.cpu, instruction)?;
    Ok((a.read(machine, width)?, b.read(machine, width)?, width))
}

fn binary(
    machine: &mut Machine,
    instruction: &Instruction,
    operation: impl Fn(u32, u32, bool, Width) -> (u32, u32),
) -> Result<(), Fault> {
    let (a, b, width) = pair(machine, instruction)?;
    let (result, flags) = operation(a, b, machine.cpu.flag(CF), width);
    first(&machine.cpu, instruction)?.0.write(machine, result)?;
    machine.cpu.set_flags(ARITHMETIC, flags);
    Ok(())
}

fn unary(
    machine: &mut Machine,
    instruction: &Instruction,
    defined: u32,
    operation: impl Fn(u32, Width) -> (u32, u32),
) -> Result<(), Fault> {
    let (place, width) = first(&machine.cpu, instruction)?;
    let (result, flags) = operation(place.read(machine, width)?, width);
    place.write(machine, result)?;
    machine.cpu.set_flags(defined, flags);
    Ok(())
}

fn shift(
    machine: &mut Machine,
    instruction: &Instruction,
    operation: impl Fn(u32, u32, Width) -> (u32, u32),
) -> Result<(), Fault> {
    let (place, width) = first(&machine.cpu, instruction)?;
    let count = second(&machine.cpu, instruction)?.read(machine, Width::Byte)? & 31;
    let value = place.read(machine, width)?;
    if count == 0 {
        // Memory is written all the same, and so must be writable.
        return place.write(machine, value);
    }
    let (result, flags) = operation(value, count, width);
    place.write(machine, result)?;
    machine.cpu.set_flags(ARITHMETIC, flags);
    Ok(())
}

fn imul(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    let (place, width) = first(&machine.cpu, instruction)?;
    let flags = if instruction.op_count() == 1 {
        let a = machine.cpu[Reg::Eax] & width.mask();
        let (product, flags) = alu::imul(a, place.read(machine, width)?, width);
        let (eax, edx) = (machine.cpu[Reg::Eax], machine.cpu[Reg::Edx]);
        let (low, high) = (product as u32, (product >> width.bits()) as u32);
        (machine.cpu[Reg::Eax], machine.cpu[Reg::Edx]) = match width {
            Width::Byte => (eax & !0xFFFF | low & 0xFFFF, edx),
            Width::Word => (eax & !0xFFFF | low & 0xFFFF, edx & !0xFFFF | high & 0xFFFF),
            Width::Dword => (low, high),
        };
        flags
    } else {
        let last = instruction.op_count() - 1;
        let a = Place::of(&machine.cpu, instruction, last - 1)?.read(machine, width)?;
        let b = Place::of(&machine.cpu, instruction, last)?.read(machine, width)?;
        let (product, flags) = alu::imul(a, b, width);
        place.write(machine, product as u32 & width.mask())?;
        flags
    };
    machine.cpu.set_flags(ARITHMETIC, flags);
    Ok(())
}

/// `pop` with a memory operand addresses it with the stack pointer after the pop.
fn pop(machine: &mut Machine, instruction: &Instruction) -> Result<(), Fault> {
    let esp = machine.cpu[Reg::Esp];
    let value = machine.pop()?;
    let written =
        Place::of(&machine.cpu, instruction, 0).and_then(|place| place.write(machine, value));
    if written.is_err() {
        machine.cpu[Reg::Esp] = esp;
    }
    written
}

fn target(machine: &Machine, instruction: &Instruction) -> Result<u32, Fault> {
    match instruction.op_kind(0) {
        OpKind::NearBranch32 => Ok(instruction.near_branch32()),
        _ => {
            let (place, width) = first(&machine.cpu, instruction)?;
            match width {
                Width::Dword => place.read(machine, width),
                _ => Err(Fault::Unsupported),
            }
        }
    }
}

fn holds(cpu: &Cpu, condition: ConditionCode) -> bool {
    let less = cpu.flag(SF) != cpu.flag(OF);
    match condition {
        ConditionCode::None => false,
        ConditionCode::o => cpu.flag(OF),
        ConditionCode::no => !cpu.flag(OF),
        ConditionCode::b => cpu.flag(CF),
        ConditionCode::ae => !cpu.flag(CF),
        ConditionCode::e => cpu.flag(ZF),
        ConditionCode::ne => !cpu.flag(ZF),
        ConditionCode::be => cpu.flag(CF | ZF),
        ConditionCode::a => !cpu.flag(CF | ZF),
        ConditionCode::s => cpu.flag(SF),
        ConditionCode::ns => !cpu.flag(SF),
        ConditionCode::p => cpu.flag(PF),
        ConditionCode::np => !cpu.flag(PF),
        ConditionCode::l => less,
        ConditionCode::ge => !less,
        ConditionCode::le => less || cpu.flag(ZF),
        ConditionCode::g => !less && !cpu.flag(ZF),
    }
}

/// How far string instructions move.
fn step(cpu: &Cpu) -> u32 {
    if cpu.flag(DF) {
        4_u32.wrapping_neg()
    } else {
        4
    }
}

/// Runs `element` once, or with a repeat prefix as often as ecx says, each of which counts
/// as an instruction. Registers follow each element, so that a failure leaves those that were
/// done.
fn strings(
    machine: &mut Machine,
    instruction: &Instruction,
    element: impl Fn(&mut Machine) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // SSE2 has a movsd of its own.
    if instruction.has_repne_prefix() || instruction.op_kind(0) != OpKind::MemoryESEDI {
        return Err(Fault::Unsupported);
    }
    if !instruction.has_rep_prefix() {
        return element(machine);
    }
    while machine.cpu[Reg::Ecx] != 0 {
        element(machine)?;
        machine.cpu[Reg::Ecx] -= 1;
        if let Some(left) = &mut machine.instruction_limit
            && machine.cpu[Reg::Ecx] != 0
        {
            *left -= 1;
            if *left == 0 {
                return Err(Fault::Limit);
            }
        }
    }
    Ok(())
}
