//! 00552DE0: the walk over lightmaps and materials, when nobody listens.

use super::entry::{self, Span};
use crate::memory::PAGE_SIZE;
use crate::profile::{BARE_RETURN, global};
use crate::{Machine, Memory, Reg};

const DEPTH: u32 = 0x38;
/// Double words of the frame, the deepest first.
const WORDS: usize = DEPTH as usize / 4;

/// The frame as the routine leaves it: what it did not write is what was there.
struct Frame([u32; WORDS]);

impl Frame {
    /// The double word at `E - below`.
    fn put(&mut self, below: u32, value: u32) {
        self.0[WORDS - below as usize / 4] = value;
    }

    /// What a call with these arguments leaves.
    fn call(&mut self, arguments: &[u32], site: u32) {
        let mut below = 0x28;
        for &argument in arguments.iter().rev().chain([&site]) {
            below += 4;
            self.put(below, argument);
        }
    }
}

/// What the walk reads, checked not to be what it writes.
struct Reader<'a> {
    memory: &'a Memory,
    stack: Span,
}

impl Reader<'_> {
    #[inline]
    fn words<const N: usize, const W: usize>(&self, address: u32) -> Option<[u32; W]> {
        if Span::new(address, N as u64)?.overlaps(self.stack) {
            return None;
        }
        Some(entry::unpack(self.memory.read_array::<N>(address).ok()?))
    }

    #[inline]
    fn word(&self, address: u32) -> Option<u32> {
        self.words::<4, 1>(address).map(|[word]| word)
    }
}

/// `None` and nothing changed where it declines. The return addresses of its four calls
/// are left in its frame.
pub(super) fn run(machine: &mut Machine, sites: [u32; 4]) -> Option<()> {
    if !entry::accepts(machine, 0) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack(machine, DEPTH, 20)?.span();
    let memory = &machine.memory;
    let [
        back,
        on_lightmap,
        on_material,
        on_surfaces,
        on_done,
        context,
    ]: [u32; 6] = entry::unpack(memory.read_array::<24>(e).ok()?);
    let callbacks = [on_lightmap, on_material, on_surfaces, on_done];
    let dead = callbacks
        .iter()
        .all(|&callback| callback == 0 || callback == BARE_RETURN);
    let listening = callbacks.iter().any(|&callback| callback != 0);
    if !dead || listening && memory.read_u8(BARE_RETURN) != Ok(0xC3) {
        return None;
    }

    let list = machine.cpu[Reg::Ecx];
    let count = i32::from(machine.cpu[Reg::Eax] as i16);
    let list_span = Span::new(list, count.max(0) as u64 * 4)?;
    if count > 0 && list_span.overlaps(stack) || !list_span.is_readable(machine) {
        return None;
    }
    let mut frame = Frame(entry::unpack(
        memory.read_array::<{ DEPTH as usize }>(e - DEPTH).ok()?,
    ));
    for (below, reg) in [
        (4, Reg::Ebx),
        (8, Reg::Ebp),
        (0xC, Reg::Esi),
        (0x10, Reg::Edi),
    ] {
        frame.put(below, machine.cpu[reg]);
    }
    frame.put(0x14, count as u32);
    let walk = Walk {
        reader: Reader { memory, stack },
        list,
        count,
        callbacks,
        context,
        sites,
    };
    let position = walk.run(&mut frame)?;

    machine
        .memory
        .write_array::<{ DEPTH as usize }>(e - DEPTH, entry::bytes(frame.0))
        .ok()?;
    machine.cpu[Reg::Eax] = position as u32;
    machine.cpu[Reg::Ecx] = count as u32;
    machine.cpu[Reg::Edx] = context;
    entry::leave_sum(&mut machine.cpu, e - 0x28, 0x18);
    entry::leave(&mut machine.cpu, e, back);
    Some(())
}

struct Walk<'a> {
    reader: Reader<'a>,
    list: u32,
    count: i32,
    callbacks: [u32; 4],
    context: u32,
    sites: [u32; 4],
}

impl Walk<'_> {
    /// How far the walk gets in the list.
    fn run(&self, frame: &mut Frame) -> Option<i32> {
        let [on_lightmap, on_material, on_surfaces, on_done] = self.callbacks;
        let bsp = self.reader.word(global::STRUCTURE_BSP)?;
        let [lightmaps, first_lightmap] = self.reader.words::<8, 2>(bsp.wrapping_add(0x104))?;
        let mut position = 0;
        let lightmaps = (lightmaps as i32).max(0) as u32;
        for number in 0..lightmaps {
            let lightmap = first_lightmap.wrapping_add(number.wrapping_mul(0x20));
            let [materials, first_material] =
                self.reader.words::<8, 2>(lightmap.wrapping_add(0x14))?;
            let materials = (materials as i32).max(0) as u32;
            let mut lit = false;
            for index in 0..materials {
                let material = first_material.wrapping_add(index.wrapping_mul(0x100));
                let [first, length] = self.reader.words::<8, 2>(material.wrapping_add(0x14))?;
                let start = position;
                frame.put(0x28, start as u32);
                position = self.pass(position, first, length)?;
                if position == start {
                    continue;
                }
                if !lit {
                    lit = true;
                    if on_lightmap != 0 {
                        frame.call(&[self.context, lightmap], self.sites[0]);
                    }
                }
                if on_material != 0 {
                    frame.call(&[self.context, material], self.sites[1]);
                }
                if on_surfaces != 0 {
                    let from = self.list.wrapping_add(start as u32 * 4);
                    let passed = (position - start) as u32;
                    frame.call(&[self.context, from, passed], self.sites[2]);
                }
            }
            frame.put(0x24, materials);
            frame.put(0x1C, lit.into());
            if lit && on_done != 0 {
                frame.call(&[self.context, lightmap], self.sites[3]);
            }
        }
        frame.put(0x20, lightmaps);
        frame.put(0x18, position as u32);
        Some(position)
    }

    /// The first position at or after `position` whose surface is not one of the
    /// material's.
    #[inline]
    fn pass(&self, mut position: i32, first: u32, length: u32) -> Option<i32> {
        let inside = |surface: u32| surface.wrapping_sub(first) < length;
        while position < self.count {
            // A page at a time: pages need not follow each other in the host's memory.
            let at = self.list + position as u32 * 4;
            let left = (self.count - position) as usize * 4;
            let in_page = (PAGE_SIZE - at % PAGE_SIZE) as usize;
            let view = self.reader.memory.view(at, left.min(in_page) & !3)?;
            let words = view.as_chunks::<4>().0;
            if words.is_empty() {
                // A double word in two pages.
                if !inside(self.reader.memory.read_u32(at).ok()?) {
                    break;
                }
                position += 1;
                continue;
            }
            let passed = words
                .iter()
                .position(|word| !inside(u32::from_le_bytes(*word)));
            position += passed.unwrap_or(words.len()) as i32;
            if passed.is_some() {
                break;
            }
        }
        Some(position)
    }
}
