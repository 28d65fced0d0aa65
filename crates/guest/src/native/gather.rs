//! 005540C0, 00553C40 and 00553F10: gather the visible surfaces near something.
//!
//! They leave what loads and stores in the engine's order leave, whatever overlaps what.
//! What reads nothing that it writes is done at once; all else keeps that order.

use super::boxes::{self, BOX};
use super::distance;
use super::entry::{self, Stack};
use super::node;
use super::number;
use super::visible::{SUBCLUSTER, bit_of};
use crate::dispatch::{Overrides, Translated};
use crate::memory::MemoryError;
use crate::profile::{Routine, global};
use crate::{Error, Frame, Machine, Memory, Reg, native};

/// Slots that have to be free, as in the original.
const SLOTS: u8 = 4;
/// "The box is inside": nothing below needs a test.
const INSIDE: u16 = 2;
/// Bytes of a leaf or a subcluster that say what it has.
const HEADER: u32 = 0x24;
/// Where a tree gather's locals begin.
const TREE_BOTTOM: u32 = 0x30;
/// Where a collision node names its children.
const BACK: u32 = 4;
const FRONT: u32 = 8;
/// An address of a block's elements follows its count.
const NODES: u32 = 0xC0;
const LEAVES: u32 = 0xE4;
const LEAF_SURFACES: u32 = 0xF0;
const CLUSTERS: u32 = 0x138;
const COLLISION: u32 = 0xB4;

/// Surfaces that are gathered at once.
const CHUNK: u32 = 512;

/// Surface numbers in memory.
#[derive(Clone, Copy)]
struct List {
    from: u32,
    /// How many there are.
    left: u32,
    /// What says where they are and how many: [`HEADER`] bytes from each of these.
    headers: [u32; 3],
}

/// What a gather's slots say of where surfaces go, and how many fit.
#[derive(Clone, Copy)]
struct Target {
    visited: u32,
    out: u32,
    gathered: u32,
    room: u32,
}

/// A gather in progress.
struct Gather<'a> {
    machine: &'a mut Machine,
    overrides: &'a mut Overrides,
    host: &'a mut dyn Translated,
    /// `esp` on entry.
    e: u32,
    stack: Stack,
    sites: Sites,
}

/// Which gather it is, with the return addresses of its calls.
#[derive(Clone, Copy)]
pub(super) enum Sites {
    Leaf([u32; 3]),
    Clusters([u32; 2]),
    Tree([u32; 5]),
}

impl Sites {
    /// Of the call with this number, from 1.
    fn of(&self, number: usize) -> u32 {
        let all: &[u32] = match self {
            Sites::Leaf(sites) => sites,
            Sites::Clusters(sites) => sites,
            Sites::Tree(sites) => sites,
        };
        all[number - 1]
    }
}

/// The registers that a gather saves, from the lowest address on.
const SAVED: [Reg; 4] = [Reg::Edi, Reg::Esi, Reg::Ebp, Reg::Ebx];
const SAVED_SIZE: u32 = 0x10;

/// Whether it ran; if not, nothing has changed.
pub(super) fn run(
    sites: Sites,
    machine: &mut Machine,
    overrides: &mut Overrides,
    host: &mut dyn Translated,
) -> Result<bool, Error> {
    let (locals, pushed, arguments) = match sites {
        Sites::Leaf(_) => (0x18, 4, 28),
        Sites::Clusters(_) => (0x10, 4, 32),
        Sites::Tree(_) => (0x20, 0x30, 44),
    };
    let depth = 0x10 + locals + pushed;
    if !entry::accepts(machine, SLOTS) {
        return Ok(false);
    }
    let Some(stack) = entry::stack(machine, depth, arguments) else {
        return Ok(false);
    };
    let e = machine.cpu[Reg::Esp];
    let mut gather = Gather {
        machine,
        overrides,
        host,
        e,
        stack,
        sites,
    };
    let [child, class] = [gather.machine.cpu[Reg::Eax], gather.machine.cpu[Reg::Ecx]];
    let saved = SAVED.map(|reg| gather.machine.cpu[reg]);
    *gather.frame_mut(SAVED_SIZE) = entry::bytes::<4, { SAVED_SIZE as usize }>(saved);
    let bottom = e - 0x10 - locals;
    gather.machine.cpu[Reg::Esp] = bottom;
    let [eax, ecx, edx] = match sites {
        Sites::Leaf(_) => gather.leaf(child, class as u16)?,
        Sites::Clusters(_) => gather.clusters()?,
        Sites::Tree(_) => gather.tree()?,
    };
    let frame = *gather.frame_mut::<{ SAVED_SIZE as usize + 4 }>(SAVED_SIZE);
    let word = entry::words(&frame);
    for (number, reg) in SAVED.into_iter().enumerate() {
        gather.machine.cpu[reg] = word(number);
    }
    let back = word(SAVED.len());
    let cpu = &mut gather.machine.cpu;
    cpu[Reg::Eax] = eax;
    cpu[Reg::Ecx] = ecx;
    cpu[Reg::Edx] = edx;
    entry::leave_sum(cpu, bottom, locals);
    entry::leave(cpu, e, back);
    Ok(true)
}

impl Gather<'_> {
    fn memory(&mut self) -> &mut Memory {
        &mut self.machine.memory
    }

    /// Where `E + offset` lies in the stack span.
    #[inline(always)]
    fn offset(&self, offset: u32) -> u32 {
        (self.e - self.stack.start).wrapping_add(offset)
    }

    /// `N` bytes from `E - below` on.
    #[inline(always)]
    fn frame_mut<const N: usize>(&mut self, below: u32) -> &mut [u8; N] {
        let offset = self.offset(below.wrapping_neg());
        self.machine.memory.at_mut(self.stack.place, offset)
    }

    /// The double word at `E + offset`.
    #[inline(always)]
    fn argument(&self, offset: u32) -> u32 {
        let memory = &self.machine.memory;
        u32::from_le_bytes(*memory.at(self.stack.place, self.offset(offset)))
    }

    /// The 16-bit argument at `E + offset`, extended.
    #[inline(always)]
    fn short(&self, offset: u32) -> i32 {
        i32::from(self.argument(offset) as i16)
    }

    /// The double word at `E - below`.
    #[inline(always)]
    fn local(&self, below: u32) -> u32 {
        self.argument(below.wrapping_neg())
    }

    #[inline(always)]
    fn set_local(&mut self, below: u32, value: u32) {
        self.set_argument(below.wrapping_neg(), value);
    }

    #[inline(always)]
    fn set_argument(&mut self, offset: u32, value: u32) {
        let offset = self.offset(offset);
        let memory = &mut self.machine.memory;
        *memory.at_mut(self.stack.place, offset) = value.to_le_bytes();
    }

    /// What the structure BSP holds at an offset.
    #[inline]
    fn of_bsp(&self, offset: u32) -> Result<u32, MemoryError> {
        let memory = &self.machine.memory;
        let bsp = memory.read_u32(global::STRUCTURE_BSP)?;
        memory.read_u32(bsp.wrapping_add(offset))
    }

    /// Calls a routine from one of the call sites.
    #[inline(always)]
    fn call(&mut self, routine: Routine, site: usize) -> Result<u32, Error> {
        let back = self.sites.of(site);
        let frame = self.enter(routine.address(), back)?;
        if native::leaf(routine, self.machine) != Some(true) {
            self.overrides
                .call_child(routine, self.machine, self.host, frame)?;
            // Guest code may have run.
            let (start, length) = (self.stack.start, self.stack.length as usize);
            let place = self.machine.memory.place(start, length);
            self.stack.place = place.ok_or(MemoryError::ReadOnly { address: start })?;
        }
        let eip = self.machine.cpu.eip;
        if eip != back {
            return Err(Error::Astray {
                eip,
                expected: back,
            });
        }
        Ok(self.machine.cpu[Reg::Eax])
    }

    /// As [`Machine::enter`].
    #[inline(always)]
    fn enter(&mut self, function: u32, return_address: u32) -> Result<Frame, MemoryError> {
        let esp = self.machine.cpu[Reg::Esp].wrapping_sub(4);
        let offset = esp.wrapping_sub(self.stack.start);
        if offset > self.stack.length - 4 {
            return self.machine.enter(function, return_address);
        }
        *self.machine.memory.at_mut(self.stack.place, offset) = return_address.to_le_bytes();
        self.machine.cpu[Reg::Esp] = esp;
        self.machine.cpu.eip = function;
        Ok(Frame {
            return_address,
            esp,
        })
    }

    /// Decodes bounds to `E-28`, then tests them; sites 1 to 3. What both tests gave, or
    /// `None` when one of them rejects.
    fn bounds_pass(
        &mut self,
        parent: u32,
        bytes: u32,
        box_slot: u32,
        planes_slot: u32,
        count_slot: u32,
    ) -> Result<Option<[u32; 2]>, Error> {
        let bounds = self.e - 0x28;
        let calls = node::Calls {
            parent,
            bytes,
            bounds,
            query: self.argument(box_slot),
            planes: self.argument(planes_slot),
            count: self.argument(count_slot),
            sites: [2, 3].map(|number| self.sites.of(number)),
        };
        if let Some(both) = node::test(self.machine, &calls) {
            return Ok((both[1] != 0).then_some(both));
        }
        let cpu = &mut self.machine.cpu;
        cpu[Reg::Ecx] = parent;
        cpu[Reg::Edx] = bytes;
        cpu[Reg::Esi] = bounds;
        self.call(Routine::NodeBounds, 1)?;
        self.box_passes(bounds, box_slot, planes_slot, count_slot, 2)
    }

    /// Tests a box against the caller's box and planes, at `site` and the one after it.
    fn box_passes(
        &mut self,
        bounds: u32,
        box_slot: u32,
        planes_slot: u32,
        count_slot: u32,
        site: usize,
    ) -> Result<Option<[u32; 2]>, Error> {
        self.machine.cpu[Reg::Ecx] = self.argument(box_slot);
        self.machine.cpu[Reg::Edx] = bounds;
        let overlap = self.call(Routine::BoxOverlap, site)?;
        if overlap == 0 {
            return Ok(None);
        }
        self.machine.cpu[Reg::Eax] = bounds;
        self.machine.cpu[Reg::Ebx] = self.argument(planes_slot);
        self.machine.cpu[Reg::Edi] = self.argument(count_slot);
        let side = self.call(Routine::BoxPlanes, site + 1)?;
        Ok((side != 0).then_some([overlap, side]))
    }

    /// Marks a surface and appends it to the output if it is visible and new.
    #[cold]
    #[inline(never)]
    fn mark(
        &mut self,
        surface: u32,
        gathered: u32,
        visited_slot: u32,
        out_slot: u32,
    ) -> Result<bool, MemoryError> {
        let (word, mask) = bit_of(surface);
        let memory = &self.machine.memory;
        if memory.read_u32(global::SURFACE_BITS.wrapping_add(word))? & mask == 0 {
            return Ok(false);
        }
        let place = self.argument(visited_slot).wrapping_add(word);
        let visited = self.machine.memory.read_u32(place)?;
        if visited & mask != 0 {
            return Ok(false);
        }
        self.memory().write_u32(place, visited | mask)?;
        let out = self.argument(out_slot);
        self.memory()
            .write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;
        Ok(true)
    }

    /// Marks and appends at once up to [`CHUNK`] surfaces, whose numbers lie `STEP` bytes
    /// apart, if what is written is nothing that is read. How many it looked at and how
    /// many it appended; all that it looked at would have fit.
    #[inline]
    fn mark_chunk<const STEP: usize>(&mut self, list: List, target: Target) -> Option<(u32, u32)> {
        let length = list.left.min(CHUNK).min(target.room);
        if length == 0 {
            return None;
        }
        let memory = &mut self.machine.memory;
        let list_bytes = length as usize * STEP;
        let view = memory.view(list.from, list_bytes)?;
        let (mut low, mut high) = (u32::MAX, 0);
        for bytes in view.as_chunks::<STEP>().0 {
            let word = entry::word(bytes, 0) >> 5;
            low = low.min(word);
            high = high.max(word);
        }
        if high >= global::SURFACE_BITS_SIZE / 4 {
            return None;
        }
        let words = (high - low + 1) as usize;
        let bits = global::SURFACE_BITS + low * 4;
        let visited = target.visited.wrapping_add(low * 4);
        let out = target.out.wrapping_add(target.gathered.wrapping_mul(4));
        let written = [(visited, words as u32 * 4), (out, length * 4)];
        let stack = self.stack;
        let stray = list.headers.iter().any(|&header| {
            stack.overlaps(header, HEADER)
                || written
                    .iter()
                    .any(|&(at, bytes)| entry::overlap(at, bytes, header, HEADER))
        });
        let in_stack = written.iter().any(|&(at, bytes)| stack.overlaps(at, bytes))
            || stack.overlaps(bits, words as u32 * 4)
            || stack.overlaps(list.from, list_bytes as u32);
        if stray || in_stack {
            return None;
        }
        let places = [
            (memory.readable(list.from, list_bytes)?, list_bytes),
            (memory.readable(bits, words * 4)?, words * 4),
            (memory.place(visited, words * 4)?, words * 4),
            (memory.place(out, length as usize * 4)?, length as usize * 4),
        ];
        let [numbers, bits, visited, out] = memory.apart(places)?;
        let bits = bits.as_chunks::<4>().0.get(..words)?;
        let visited = visited.as_chunks_mut::<4>().0.get_mut(..words)?;
        let mut out = out.as_chunks_mut::<4>().0.iter_mut();
        let room = out.len();
        for bytes in numbers.as_chunks::<STEP>().0 {
            let number = entry::word(bytes, 0);
            let index = ((number >> 5) - low) as usize;
            let mask = 1 << (number & 31);
            let seen = u32::from_le_bytes(visited[index]);
            if u32::from_le_bytes(bits[index]) & !seen & mask != 0
                && let Some(place) = out.next()
            {
                visited[index] = (seen | mask).to_le_bytes();
                *place = number.to_le_bytes();
            }
        }
        Some((length, (room - out.len()) as u32))
    }

    /// Gives eax, ecx and edx on return.
    fn leaf(&mut self, child: u32, class: u16) -> Result<[u32; 3], Error> {
        let index = child & 0x7FFF_FFFF;
        let leaf = self.of_bsp(LEAVES)?.wrapping_add(index.wrapping_mul(0x10));
        if class != INSIDE {
            let parent = self.argument(4);
            if self.bounds_pass(parent, leaf, 0x14, 0x1C, 0x18)?.is_none() {
                return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]);
            }
        }
        let mut gathered = 0_i32;
        let mut reference = 0_i32;
        loop {
            let references = self.machine.memory.read_u16(leaf.wrapping_add(0xA))?;
            if reference >= i32::from(references as i16) || gathered >= self.short(0x10) {
                return Ok([gathered as u32, reference as u32, leaf]);
            }
            let memory = &self.machine.memory;
            let block = memory
                .read_u32(global::STRUCTURE_BSP)?
                .wrapping_add(LEAF_SURFACES);
            let entries = memory.read_u32(block)?;
            let first = memory.read_u32(leaf.wrapping_add(0xC))?;
            let number = first.wrapping_add(reference as u32);
            let from = entries.wrapping_add(number.wrapping_mul(8));
            let list = List {
                from,
                left: (i32::from(references as i16) - reference) as u32,
                headers: [leaf, global::STRUCTURE_BSP, block],
            };
            let target = Target {
                visited: self.argument(8),
                out: self.argument(0xC),
                gathered: gathered as u32,
                room: (self.short(0x10) - gathered) as u32,
            };
            if let Some((looked_at, new)) = self.mark_chunk::<8>(list, target) {
                reference += looked_at as i32;
                gathered += new as i32;
                continue;
            }
            let surface = self.memory().read_u32(from)?;
            gathered += i32::from(self.mark(surface, gathered as u32, 8, 0xC)?);
            reference += 1;
        }
    }

    fn clusters(&mut self) -> Result<[u32; 3], Error> {
        self.set_local(0x1C, 0);
        self.set_local(0x14, 0);
        loop {
            let number = self.local(0x14);
            if number as i32 >= self.short(0x1C) {
                break;
            }
            let list = self.argument(0x20);
            let at = list.wrapping_add(number.wrapping_mul(2));
            let index = i32::from(self.memory().read_u16(at)? as i16) as u32;
            let cluster = self
                .of_bsp(CLUSTERS)?
                .wrapping_add(index.wrapping_mul(0x68));
            self.set_local(0x20, cluster);
            self.set_local(0x18, 0);
            if !self.cluster()? {
                break;
            }
            let number = self.local(0x14);
            self.set_local(0x14, number.wrapping_add(1));
        }
        let [gathered, number] = [self.local(0x1C), self.local(0x14)];
        Ok([gathered, number, self.short(8) as u32])
    }

    /// Gathers one cluster; whether there is room for more.
    fn cluster(&mut self) -> Result<bool, Error> {
        loop {
            let number = self.local(0x18);
            let cluster = self.local(0x20);
            let subclusters = self.memory().read_u32(cluster.wrapping_add(0x34))?;
            if number as i32 >= subclusters as i32 {
                return Ok(true);
            }
            let first = self.memory().read_u32(cluster.wrapping_add(0x38))?;
            let number = self.skip_rejected(cluster, first, number, subclusters);
            let subcluster = first.wrapping_add(number.wrapping_mul(SUBCLUSTER));
            let passes = self.box_passes(subcluster, 0xC, 0x14, 0x10, 1)?;
            if passes.is_some() && !self.subcluster(subcluster)? {
                return Ok(false);
            }
            let number = self.local(0x18);
            self.set_local(0x18, number.wrapping_add(1));
        }
    }

    /// The next subcluster after which there is none or that the box test does not reject.
    /// Of the calls for those before it nothing is left but its number: the next call
    /// leaves its own results, the same return address and its own x87 state.
    #[inline]
    fn skip_rejected(&mut self, cluster: u32, first: u32, number: u32, subclusters: u32) -> u32 {
        // The last one is called for.
        let most = subclusters.wrapping_sub(number).wrapping_sub(1).min(CHUNK);
        let from = first.wrapping_add(number.wrapping_mul(SUBCLUSTER));
        let box_at = self.argument(0xC);
        let read = [
            (cluster.wrapping_add(0x34), 8),
            (box_at, BOX as u32),
            (from, most * SUBCLUSTER),
        ];
        let memory = &self.machine.memory;
        if most == 0
            || !entry::accepts(self.machine, 1)
            || read
                .iter()
                .any(|&(at, bytes)| self.stack.overlaps(at, bytes))
        {
            return number;
        }
        let mut bounds = None;
        let Ok(bounds) = memory.array(box_at, &mut bounds) else {
            return number;
        };
        let Some(view) = memory.view(from, (most * SUBCLUSTER) as usize) else {
            return number;
        };
        let subclusters = view.as_chunks::<{ SUBCLUSTER as usize }>().0;
        let rejected = subclusters.iter().take_while(|subcluster| {
            let subcluster = subcluster.first_chunk::<BOX>();
            subcluster.is_some_and(|subcluster| boxes::are_apart(bounds, subcluster))
        });
        let number = number.wrapping_add(rejected.count() as u32);
        self.set_local(0x18, number);
        number
    }

    /// Gathers one subcluster; whether there is room for more.
    fn subcluster(&mut self, subcluster: u32) -> Result<bool, Error> {
        let mut index = 0_u32;
        loop {
            let surfaces = self.memory().read_u32(subcluster.wrapping_add(0x18))?;
            if index as i32 >= surfaces as i32 {
                return Ok(true);
            }
            let gathered = self.local(0x1C);
            if gathered as i32 >= self.short(8) {
                return Ok(false);
            }
            let list = self.memory().read_u32(subcluster.wrapping_add(0x1C))?;
            let from = list.wrapping_add(index.wrapping_mul(4));
            let list = List {
                from,
                left: surfaces.wrapping_sub(index),
                headers: [subcluster; 3],
            };
            let target = Target {
                visited: self.argument(0x18),
                out: self.argument(4),
                gathered,
                room: (self.short(8) - gathered as i32) as u32,
            };
            if let Some((looked_at, new)) = self.mark_chunk::<4>(list, target) {
                index = index.wrapping_add(looked_at);
                if new != 0 {
                    self.set_local(0x1C, gathered.wrapping_add(new));
                }
                continue;
            }
            let surface = self.memory().read_u32(from)?;
            if self.mark(surface, gathered, 0x18, 4)? {
                self.set_local(0x1C, gathered.wrapping_add(1));
            }
            index = index.wrapping_add(1);
        }
    }

    fn tree(&mut self) -> Result<[u32; 3], Error> {
        if self.short(0x2C) as u16 != INSIDE {
            let parent = self.argument(8);
            let nodes = self.of_bsp(NODES)?;
            let bytes = nodes.wrapping_add(self.argument(4).wrapping_mul(6));
            match self.bounds_pass(parent, bytes, 0x20, 0x28, 0x24)? {
                None => return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]),
                Some([2, 2]) => {
                    self.set_argument(0x2C, INSIDE.into());
                }
                Some(_) => {}
            }
        }
        self.set_local(0x2C, 0);
        let node = self.argument(4);
        let point = self.argument(0x18);
        let collision = self.of_bsp(COLLISION)?;
        let memory = &self.machine.memory;
        let children = memory
            .read_u32(collision.wrapping_add(4))?
            .wrapping_add(node.wrapping_mul(0xC));
        let planes = memory.read_u32(collision.wrapping_add(0x10))?;
        let number = memory.read_u32(children)? & 0x7FFF_FFFF;
        let plane = planes.wrapping_add(number.wrapping_mul(0x10));
        let registers = [(Reg::Edi, point), (Reg::Esi, children), (Reg::Ebp, plane)];
        for (reg, value) in registers {
            self.machine.cpu[reg] = value;
        }
        self.measure(plane, point)?;
        self.machine.cpu[Reg::Ebx] = FRONT;
        let mut enter = !self.is_behind()?;
        loop {
            if enter {
                self.child()?;
            }
            // Not what it was set to if a child has lost what it saved.
            if self.machine.cpu[Reg::Ebx] == BACK {
                break;
            }
            self.machine.cpu[Reg::Ebx] = BACK;
            if self.is_in_front()? || self.local(0x2C) as i32 >= self.short(0x14) {
                break;
            }
            enter = true;
        }
        Ok([self.local(0x2C), self.argument(0x14), self.local(0x30)])
    }

    /// Writes the point's distance from the plane to `E-30`.
    fn measure(&mut self, plane: u32, point: u32) -> Result<(), MemoryError> {
        let measured = distance::measure(&self.machine.memory, plane, point)?;
        self.set_local(0x30, measured.distance);
        entry::leave_stale(&mut self.machine.cpu, 1, measured.stale[0]);
        entry::leave_stale(&mut self.machine.cpu, 2, measured.stale[1]);
        Ok(())
    }

    /// Whether -radius is above the distance.
    fn is_behind(&mut self) -> Result<bool, MemoryError> {
        let radius = number::loaded(self.argument(0x1C)) ^ 1 << 63;
        let distance = number::loaded(self.local(0x30));
        self.machine.cpu.fpu.compare(radius, distance);
        entry::leave_stale(&mut self.machine.cpu, 1, radius);
        Ok(f64::from_bits(radius) > f64::from_bits(distance))
    }

    /// Whether the distance is above the radius.
    fn is_in_front(&mut self) -> Result<bool, MemoryError> {
        let distance = self.local(0x30);
        let radius = self.argument(0x1C);
        entry::leave_comparison(&mut self.machine.cpu, distance, radius);
        Ok(number::above(distance, radius))
    }

    /// Gathers the child that ebx says of the collision node that esi says.
    fn child(&mut self) -> Result<(), Error> {
        let [children, offset] = [Reg::Esi, Reg::Ebx].map(|reg| self.machine.cpu[reg]);
        let child = self.memory().read_u32(children.wrapping_add(offset))?;
        if child == u32::MAX {
            return Ok(());
        }
        // Its locals, its return address and its arguments.
        const FRAME: u32 = TREE_BOTTOM + 0x30;
        let frame = self.frame_mut::<{ FRAME as usize }>(TREE_BOTTOM);
        let word = entry::words(frame);
        let argument = |offset: usize| word((TREE_BOTTOM as usize + offset) / 4);
        let gathered = word(1);
        let [planes, count, bounds] = [0x28, 0x24, 0x20].map(argument);
        let room = (i32::from(argument(0x14) as i16) as u32).wrapping_sub(gathered);
        let out = argument(0x10).wrapping_add(gathered.wrapping_mul(4));
        let visited = argument(0xC);
        let [radius, point, class] = [0x1C, 0x18, 0x2C].map(argument);
        let decoded = self.e - 0x28;
        let gathered = if child >> 31 != 0 {
            self.push::<7, 28>([decoded, visited, out, room, bounds, count, planes]);
            self.machine.cpu[Reg::Eax] = child;
            self.machine.cpu[Reg::Ecx] = class;
            self.call(Routine::LeafGather, 4)?
        } else {
            self.push::<11, 44>([
                child, decoded, visited, out, room, point, radius, bounds, count, planes, class,
            ]);
            self.call(Routine::TreeGather, 5)?
        };
        self.machine.cpu[Reg::Esp] = self.e - TREE_BOTTOM;
        let total = self.local(0x2C).wrapping_add(gathered);
        self.set_local(0x2C, total);
        Ok(())
    }

    /// Pushes a tree gather's arguments for a child.
    #[inline(always)]
    fn push<const N: usize, const B: usize>(&mut self, arguments: [u32; N]) {
        let below = TREE_BOTTOM + N as u32 * 4;
        *self.frame_mut(below) = entry::bytes::<N, B>(arguments);
        self.machine.cpu[Reg::Esp] = self.e - below;
    }
}
