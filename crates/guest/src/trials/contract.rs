//! When a native version has to decline, and when it must not, as `CONTRACT.md` says.

use crate::cpu::DF;
use crate::memory::MemoryError;
use crate::profile::{BARE_RETURN, Routine, global};
use crate::x87::Rounding;
use crate::{Machine, Memory, Reg};

/// Addresses from the first to the one behind the last, which may be 2^32.
#[derive(Clone, Copy)]
struct Range(u64, u64);

impl Range {
    fn new(start: u32, length: u64) -> Self {
        Self(start.into(), u64::from(start) + length)
    }

    /// Whether a byte is in both.
    fn meets(self, other: Self) -> bool {
        self.0.max(other.0) < self.1.min(other.1)
    }

    /// Whether it is empty and lies inside of the other. Nothing is said of that.
    fn is_nothing_in(self, other: Self) -> bool {
        self.0 == self.1 && other.0 < self.0 && self.0 < other.1
    }

    fn is_readable(self, memory: &Memory) -> bool {
        memory.is_readable(self.0 as u32, (self.1 - self.0) as usize)
    }
}

/// What a routine needs: slots of the x87, bytes below the return address, bytes of
/// arguments.
fn needs(routine: Routine) -> (u8, u32, u32) {
    match routine {
        Routine::MatrixProduct => (2, 0x70, 12),
        Routine::NodeBounds => (2, 8, 0),
        Routine::BoxPlanes => (1, 0x1C, 0),
        Routine::BoxOverlap => (1, 0, 0),
        Routine::SurfaceList => (0, 0x14, 12),
        Routine::MaterialWalk => (0, 0x38, 20),
        Routine::VisibleSurfaces => (2, 0x44, 4),
        Routine::LeafGather => (4, 0x2C, 28),
        Routine::ClusterGather => (4, 0x24, 32),
        Routine::TreeGather => (4, 0x60, 44),
        Routine::FrustumBox => (2, 0x1C, 4),
        Routine::WholeGather => (0, 0, 40),
    }
}

/// Bytes of a routine's arguments on the stack.
pub(super) fn argument_bytes(routine: Routine) -> u32 {
    needs(routine).2
}

/// Bytes of stack below the return address that a routine needs to run natively.
pub(super) fn frame_bytes(routine: Routine) -> u32 {
    needs(routine).1
}

/// The stack's range, where it is one.
fn stack(routine: Routine, machine: &Machine) -> Option<Range> {
    let (_, below, arguments) = needs(routine);
    let start = machine.cpu[Reg::Esp].checked_sub(below)?;
    let range = Range::new(start, u64::from(below + 4 + arguments));
    (range.1 <= 1 << 32).then_some(range)
}

/// Whether the processor or the stack makes a native version decline.
fn state_declines(routine: Routine, machine: &Machine) -> bool {
    let (slots, ..) = needs(routine);
    let fpu = &machine.cpu.fpu;
    let occupied = (0..slots).any(|below| {
        let slot = fpu.top.wrapping_sub(below + 1) & 7;
        fpu.occupied >> slot & 1 != 0
    });
    occupied
        || machine.instruction_limit.is_some()
        || fpu.rounding() != Rounding::Nearest
        || machine.cpu.flag(DF)
        || stack(routine, machine).is_none_or(|stack| {
            let length = (stack.1 - stack.0) as usize;
            !machine.memory.is_writable(stack.0 as u32, length)
        })
}

/// What a leaf reads and writes.
#[derive(Default)]
struct Operands {
    inputs: Vec<Range>,
    outputs: Vec<Range>,
}

/// The operands of a leaf; `None` where the contract leaves room.
fn operands(
    routine: Routine,
    machine: &Machine,
    listed: u32,
) -> Result<Option<Operands>, MemoryError> {
    let (memory, cpu) = (&machine.memory, &machine.cpu);
    let argument = |number: u32| memory.read_u32(cpu[Reg::Esp].wrapping_add(number * 4));
    let (inputs, outputs) = match routine {
        Routine::MatrixProduct => {
            let [a, b, out] = [argument(1)?, argument(2)?, argument(3)?];
            let inputs = [a, b].into_iter().filter(|&input| input != out);
            let inputs = inputs.map(|input| Range::new(input, 0x34)).collect();
            (inputs, vec![Range::new(out, 0x34)])
        }
        Routine::NodeBounds => (
            vec![Range::new(cpu[Reg::Ecx], 24), Range::new(cpu[Reg::Edx], 6)],
            vec![Range::new(cpu[Reg::Esi], 24)],
        ),
        Routine::BoxPlanes => {
            let count = (cpu[Reg::Edi] as i16).max(0) as u64;
            let bounds = Range::new(cpu[Reg::Eax], 24);
            if count == 0 {
                let unclear = bounds.1 > 1 << 32
                    || stack(routine, machine).is_none_or(|stack| stack.meets(bounds));
                return Ok((!unclear).then(Operands::default));
            }
            let planes = Range::new(cpu[Reg::Ebx], count * 16);
            (vec![bounds, planes], Vec::new())
        }
        Routine::BoxOverlap => {
            let boxes = [Reg::Ecx, Reg::Edx].map(|reg| Range::new(cpu[reg], 24));
            if !boxes.iter().all(|range| range.is_readable(memory)) {
                return Ok(None);
            }
            // It writes nothing, so that they may lie anywhere.
            (Vec::new(), Vec::new())
        }
        Routine::SurfaceList => {
            let [indices, bits, faces] = [argument(1)?, argument(2)?, argument(3)?];
            let block = memory.read_u32(global::STRUCTURE_BSP)?.wrapping_add(0xF8);
            let count = (memory.read_u32(block)? as i32).max(0) as u32;
            let table = memory.read_u32(block.wrapping_add(4))?;
            (
                vec![
                    Range::new(global::STRUCTURE_BSP, 4),
                    Range::new(block, 8),
                    Range::new(bits, u64::from(count.div_ceil(32)) * 4),
                    Range::new(table, u64::from(count) * 6),
                ],
                vec![
                    Range::new(indices, u64::from(listed) * 4),
                    Range::new(faces, u64::from(listed) * 6),
                ],
            )
        }
        _ => return Ok(None),
    };
    Ok(Some(Operands { inputs, outputs }))
}

/// Elements of a block that is no block, but anything, are not looked at.
const MOST_ELEMENTS: i32 = 1000;

fn walk_declines(machine: &Machine, stack: Range) -> Result<Option<bool>, MemoryError> {
    let memory = &machine.memory;
    let list = Range::new(
        machine.cpu[Reg::Ecx],
        (machine.cpu[Reg::Eax] as i16).max(0) as u64 * 4,
    );
    let is_return = memory.read_u8(BARE_RETURN) == Ok(0xC3);
    for number in 1..5 {
        match memory.read_u32(machine.cpu[Reg::Esp].wrapping_add(number * 4))? {
            0 => {}
            BARE_RETURN if is_return => {}
            _ => return Ok(Some(true)),
        }
    }
    if list.meets(stack) {
        return Ok(Some(true));
    }
    let bsp = memory.read_u32(global::STRUCTURE_BSP)?;
    let mut blocks = vec![bsp.wrapping_add(0x104)];
    // A lightmap's materials are a block, and what a material says of its surfaces is
    // one, too.
    for step in [0x20, 0x100] {
        let mut elements = Vec::new();
        for block in blocks {
            if Range::new(block, 8).meets(stack) {
                return Ok(Some(true));
            }
            let [count, first] = [
                memory.read_u32(block)?,
                memory.read_u32(block.wrapping_add(4))?,
            ];
            if count as i32 > MOST_ELEMENTS {
                return Ok(None);
            }
            let numbers = 0..(count as i32).max(0) as u32;
            elements.extend(numbers.map(|number| first.wrapping_add(number * step + 0x14)));
        }
        blocks = elements;
    }
    let is_read = |&block: &u32| Range::new(block, 8).is_readable(memory);
    let overlap = blocks
        .iter()
        .any(|&block| Range::new(block, 8).meets(stack));
    // Without a list, what a material says is not looked at.
    let clear = list.is_readable(memory) && blocks.iter().all(is_read);
    Ok((overlap || clear).then_some(overlap))
}

/// Whether the native version declines where the machine has just entered a routine;
/// `None` where the contract leaves room. `result` is what the translated run returned in
/// eax, or none if it came to no end.
pub(super) fn declines(routine: Routine, machine: &Machine, result: Option<u32>) -> Option<bool> {
    if state_declines(routine, machine) {
        return Some(true);
    }
    let is_leaf = routine as usize <= Routine::MaterialWalk as usize;
    if !is_leaf {
        let flag = machine
            .memory
            .read_u32(machine.cpu[Reg::Esp].wrapping_add(4));
        return Some(routine == Routine::FrustumBox && flag != Ok(1));
    }
    let Some(result) = result else {
        return Some(true);
    };
    let stack = stack(routine, machine)?;
    if routine == Routine::MaterialWalk {
        return walk_declines(machine, stack).ok()?;
    }
    let Operands { inputs, outputs } = operands(routine, machine, result).ok()??;
    let mut pairs = Vec::new();
    for &output in &outputs {
        pairs.extend(inputs.iter().map(|&input| (input, output)));
        pairs.push((output, stack));
    }
    if let [first, second] = outputs[..] {
        pairs.push((first, second));
    }
    pairs.extend(inputs.iter().map(|&input| (input, stack)));
    if pairs.iter().any(|(a, b)| a.meets(*b)) {
        return Some(true);
    }
    // The translated run may have ended before it came to what is not there.
    let unclear = !inputs
        .iter()
        .all(|input| input.is_readable(&machine.memory))
        || pairs
            .iter()
            .any(|(a, b)| a.is_nothing_in(*b) || b.is_nothing_in(*a));
    (!unclear).then_some(false)
}
