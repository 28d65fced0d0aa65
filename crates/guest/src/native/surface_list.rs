//! 00552C20: the list of visible surfaces.

use super::entry::{self, Span};
use crate::profile::{LIST_LIMIT, global};
use crate::{Machine, Memory, Reg};

const DEPTH: u32 = 0x14;

/// The surfaces of a level, as the routine is given them.
struct Surfaces {
    bits: u32,
    count: u32,
}

impl Surfaces {
    /// The set bits of a word, those beyond the last surface left out.
    #[inline]
    fn word(&self, memory: &Memory, number: u32) -> Option<u32> {
        let word = memory.read_u32(self.bits + number * 4).ok()?;
        let left = self.count - number * 32;
        Some(if left < 32 {
            word & ((1 << left) - 1)
        } else {
            word
        })
    }

    /// How many surfaces the list gets, and how many are looked at.
    fn measure(&self, memory: &Memory) -> Option<(u32, u32)> {
        let mut listed = 0;
        for number in 0..self.count.div_ceil(32) {
            let mut word = self.word(memory, number)?;
            let ones = word.count_ones();
            if listed + ones >= LIST_LIMIT {
                // The last one that fits is the (limit - listed)th of this word.
                for _ in 1..LIST_LIMIT - listed {
                    word &= word - 1;
                }
                return Some((LIST_LIMIT, number * 32 + word.trailing_zeros() + 1));
            }
            listed += ones;
        }
        Some((listed, self.count))
    }
}

/// `None` and nothing changed where it declines.
pub(super) fn run(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 0) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack_span(machine, DEPTH, 12)?;
    let memory = &machine.memory;
    let [back, indices, bits, faces] = entry::words(memory.read_array::<16>(e).ok()?);
    let bsp = memory.read_u32(global::STRUCTURE_BSP).ok()?;
    let block = bsp.checked_add(0xF8)?;
    let [raw_count, table] = entry::words(memory.read_array::<8>(block).ok()?);
    let surfaces = Surfaces {
        bits,
        count: (raw_count as i32).max(0) as u32,
    };
    let inputs = [
        Span::new(global::STRUCTURE_BSP, 4)?,
        Span::new(block, 8)?,
        Span::new(bits, u64::from(surfaces.count.div_ceil(32)) * 4)?,
        Span::new(table, u64::from(surfaces.count) * 6)?,
    ];
    if inputs.iter().any(|input| !input.is_readable(machine)) {
        return None;
    }
    let (listed, looked_at) = surfaces.measure(memory)?;
    let outputs = [
        Span::new(indices, u64::from(listed) * 4)?,
        Span::new(faces, u64::from(listed) * 6)?,
    ];
    let overlap = outputs
        .iter()
        .any(|output| output.overlaps(stack) || inputs.iter().any(|input| input.overlaps(*output)))
        || inputs.iter().any(|input| input.overlaps(stack))
        || outputs[0].overlaps(outputs[1]);
    if overlap || outputs.iter().any(|output| !output.is_writable(machine)) {
        return None;
    }

    let [ebx, ebp, esi, edi] = [Reg::Ebx, Reg::Ebp, Reg::Esi, Reg::Edi].map(|reg| machine.cpu[reg]);
    let memory = &mut machine.memory;
    memory
        .write_array::<20>(e - DEPTH, entry::bytes([raw_count, edi, esi, ebp, ebx]))
        .ok()?;
    let mut done = 0;
    let mut number = 0;
    while done < listed {
        let mut word = surfaces.word(memory, number)?;
        while word != 0 && done < listed {
            let surface = number * 32 + word.trailing_zeros();
            word &= word - 1;
            let face = memory.read_array::<6>(table + surface * 6).ok()?;
            memory.write_array(faces + done * 6, face).ok()?;
            memory.write_u32(indices + done * 4, surface).ok()?;
            done += 1;
        }
        number += 1;
    }
    machine.cpu[Reg::Eax] = listed;
    machine.cpu[Reg::Ecx] = looked_at;
    machine.cpu[Reg::Edx] = table;
    entry::leave_sum(machine, e - DEPTH, 4);
    entry::leave(machine, e, back);
    Some(())
}
