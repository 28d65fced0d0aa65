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

/// Surfaces in a [`Block`]: what is left of the last word fits too.
const BLOCK: usize = 480 + 32;

/// What is written at once.
struct Block {
    indices: [u8; BLOCK * 4],
    faces: [u8; BLOCK * 6],
}

impl Default for Block {
    fn default() -> Self {
        Self {
            indices: [0; BLOCK * 4],
            faces: [0; BLOCK * 6],
        }
    }
}

impl Block {
    /// Lists up to `most` surfaces of the words from `number` on. How many.
    fn fill(
        &mut self,
        memory: &Memory,
        surfaces: &Surfaces,
        table: u32,
        number: &mut u32,
        most: u32,
    ) -> Option<usize> {
        let mut length = 0;
        while length + 32 <= BLOCK && length < most as usize {
            let mut word = surfaces.word(memory, *number)?;
            let first = *number * 32;
            *number += 1;
            if word == 0 {
                continue;
            }
            let in_word = 32.min(surfaces.count - first) as usize * 6;
            let mut copy = [0; 32 * 6];
            let of_word = match memory.view(table + first * 6, in_word) {
                Some(view) => view,
                None => {
                    memory
                        .read_bytes(table + first * 6, &mut copy[..in_word])
                        .ok()?;
                    &copy[..in_word]
                }
            };
            let of_word = of_word.as_chunks::<6>().0;
            let indices = self.indices.as_chunks_mut::<4>().0;
            let faces = self.faces.as_chunks_mut::<6>().0;
            while word != 0 && length < most as usize {
                let bit = word.trailing_zeros();
                word &= word - 1;
                indices[length] = (first + bit).to_le_bytes();
                faces[length] = of_word[bit as usize];
                length += 1;
            }
        }
        Some(length)
    }
}

/// `None` and nothing changed where it declines.
pub(super) fn run(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 0) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack(machine, DEPTH, 12)?.span();
    let memory = &machine.memory;
    let [back, indices, bits, faces] = entry::unpack(memory.read_array::<16>(e).ok()?);
    let bsp = memory.read_u32(global::STRUCTURE_BSP).ok()?;
    let block = bsp.checked_add(0xF8)?;
    let [raw_count, table] = entry::unpack(memory.read_array::<8>(block).ok()?);
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
    let mut block = Block::default();
    let mut done = 0;
    let mut number = 0;
    while done < listed {
        let length = block.fill(memory, &surfaces, table, &mut number, listed - done)?;
        let [index_bytes, face_bytes] = [length * 4, length * 6];
        let at = done;
        memory
            .write_bytes(indices + at * 4, &block.indices[..index_bytes])
            .ok()?;
        memory
            .write_bytes(faces + at * 6, &block.faces[..face_bytes])
            .ok()?;
        done += length as u32;
    }
    machine.cpu[Reg::Eax] = listed;
    machine.cpu[Reg::Ecx] = looked_at;
    machine.cpu[Reg::Edx] = table;
    entry::leave_sum(&mut machine.cpu, e - DEPTH, 4);
    entry::leave(&mut machine.cpu, e, back);
    Some(())
}
