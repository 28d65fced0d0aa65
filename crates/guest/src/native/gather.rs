//! 005540C0, 00553C40 and 00553F10: gather the visible surfaces near something.
//!
//! These keep every load and store in its place, so that it does not matter what
//! overlaps what.

use super::entry::{self, Span};
use super::number::{self, Exact, Number};
use super::visible::bit_of;
use crate::dispatch::{Overrides, Translated};
use crate::memory::MemoryError;
use crate::profile::{Routine, global};
use crate::{Error, Machine, Memory, Reg};

/// Slots that have to be free, as in the original.
const SLOTS: u8 = 4;
/// "The box is inside": nothing below needs a test.
const INSIDE: u16 = 2;
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
const CHUNK: usize = 64;

/// Surface numbers in memory.
#[derive(Clone, Copy)]
struct List {
    from: u32,
    /// Bytes from one to the next.
    step: u32,
    /// How many there are.
    left: u32,
    /// What says where they are.
    header: Span,
}

/// A gather in progress.
struct Gather<'a> {
    machine: &'a mut Machine,
    overrides: &'a mut Overrides,
    host: &'a mut dyn Translated,
    /// `esp` on entry.
    e: u32,
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

const SAVED: [(u32, Reg); 4] = [
    (4, Reg::Ebx),
    (8, Reg::Ebp),
    (0xC, Reg::Esi),
    (0x10, Reg::Edi),
];

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
    if !entry::accepts(machine, SLOTS) || entry::stack(machine, depth, arguments).is_none() {
        return Ok(false);
    }
    let e = machine.cpu[Reg::Esp];
    let mut gather = Gather {
        machine,
        overrides,
        host,
        e,
        sites,
    };
    let [child, class] = [Reg::Eax, Reg::Ecx].map(|reg| gather.machine.cpu[reg]);
    for (below, reg) in SAVED {
        let value = gather.machine.cpu[reg];
        gather.memory().write_u32(e - below, value)?;
    }
    let bottom = e - 0x10 - locals;
    gather.machine.cpu[Reg::Esp] = bottom;
    let [eax, ecx, edx] = match sites {
        Sites::Leaf(_) => gather.leaf(child, class as u16)?,
        Sites::Clusters(_) => gather.clusters()?,
        Sites::Tree(_) => gather.tree()?,
    };
    let machine = gather.machine;
    for (below, reg) in SAVED {
        machine.cpu[reg] = machine.memory.read_u32(e - below)?;
    }
    let back = machine.memory.read_u32(e)?;
    machine.cpu[Reg::Eax] = eax;
    machine.cpu[Reg::Ecx] = ecx;
    machine.cpu[Reg::Edx] = edx;
    entry::leave_sum(&mut machine.cpu, bottom, locals);
    entry::leave(&mut machine.cpu, e, back);
    Ok(true)
}

impl Gather<'_> {
    fn memory(&mut self) -> &mut Memory {
        &mut self.machine.memory
    }

    /// The double word at `E + offset`.
    #[inline]
    fn argument(&self, offset: u32) -> Result<u32, MemoryError> {
        self.machine.memory.read_u32(self.e.wrapping_add(offset))
    }

    /// The 16-bit argument at `E + offset`, extended.
    #[inline]
    fn short(&self, offset: u32) -> Result<i32, MemoryError> {
        let value = self.machine.memory.read_u16(self.e.wrapping_add(offset))?;
        Ok(i32::from(value as i16))
    }

    /// The double word at `E - below`.
    #[inline]
    fn local(&self, below: u32) -> Result<u32, MemoryError> {
        self.machine.memory.read_u32(self.e - below)
    }

    #[inline]
    fn set_local(&mut self, below: u32, value: u32) -> Result<(), MemoryError> {
        self.machine.memory.write_u32(self.e - below, value)
    }

    /// What the structure BSP holds at an offset.
    #[inline]
    fn of_bsp(&self, offset: u32) -> Result<u32, MemoryError> {
        let memory = &self.machine.memory;
        let bsp = memory.read_u32(global::STRUCTURE_BSP)?;
        memory.read_u32(bsp.wrapping_add(offset))
    }

    /// Calls a routine from one of the call sites.
    fn call(&mut self, routine: Routine, site: usize) -> Result<u32, Error> {
        let back = self.sites.of(site);
        let frame = self.machine.enter(routine.address(), back)?;
        self.overrides
            .call_child(routine, self.machine, self.host, frame)?;
        let eip = self.machine.cpu.eip;
        if eip != back {
            return Err(Error::Astray {
                eip,
                expected: back,
            });
        }
        Ok(self.machine.cpu[Reg::Eax])
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
        self.machine.cpu[Reg::Ecx] = self.argument(box_slot)?;
        self.machine.cpu[Reg::Edx] = bounds;
        let overlap = self.call(Routine::BoxOverlap, site)?;
        if overlap == 0 {
            return Ok(None);
        }
        self.machine.cpu[Reg::Eax] = bounds;
        self.machine.cpu[Reg::Ebx] = self.argument(planes_slot)?;
        self.machine.cpu[Reg::Edi] = self.argument(count_slot)?;
        let side = self.call(Routine::BoxPlanes, site + 1)?;
        Ok((side != 0).then_some([overlap, side]))
    }

    /// Marks a surface and appends it to the output if it is visible and new.
    #[inline]
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
        let place = self.argument(visited_slot)?.wrapping_add(word);
        let visited = self.machine.memory.read_u32(place)?;
        if visited & mask != 0 {
            return Ok(false);
        }
        self.memory().write_u32(place, visited | mask)?;
        let out = self.argument(out_slot)?;
        self.memory()
            .write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;
        Ok(true)
    }

    /// Marks and appends as many as it can of up to [`CHUNK`] surfaces at once, if what
    /// is written is nothing that is read: of `left` numbers that lie `step` bytes apart
    /// from `from` on. How many it looked at, and how many it appended, at most `room`.
    #[inline]
    fn mark_chunk(
        &mut self,
        list: List,
        gathered: u32,
        room: u32,
        visited_slot: u32,
        out_slot: u32,
    ) -> Option<(u32, u32)> {
        let length = list.left.min(CHUNK as u32);
        let bytes = length * list.step;
        if length == 0 || room == 0 {
            return None;
        }
        let memory = &self.machine.memory;
        let mut numbers = [0; CHUNK];
        let view = memory.view(list.from, bytes as usize)?;
        let (mut low, mut high) = (u32::MAX, 0);
        for (number, bytes) in numbers
            .iter_mut()
            .zip(view.chunks_exact(list.step as usize))
        {
            *number = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
            low = low.min(*number >> 5);
            high = high.max(*number >> 5);
        }
        let numbers = &numbers[..length as usize];
        if high >= global::SURFACE_BITS_SIZE / 4 {
            return None;
        }
        let words = (high - low) * 4 + 4;
        let [bits, visited] = [global::SURFACE_BITS, self.argument(visited_slot).ok()?]
            .map(|at| at.checked_add(low * 4));
        let (bits, visited) = (bits?, visited?);
        let out = self.argument(out_slot).ok()?;
        let out = out.checked_add(gathered.checked_mul(4)?)?;
        let most = room.min(length);
        let written = [
            Span::new(visited, words.into())?,
            Span::new(out, u64::from(most) * 4)?,
        ];
        let read = [
            Span::new(list.from, bytes.into())?,
            Span::new(bits, words.into())?,
            list.header,
            Span::new(self.e - 0x40, 0x40 + 0x30)?,
            Span::new(global::STRUCTURE_BSP, 4)?,
            Span::new(
                memory
                    .read_u32(global::STRUCTURE_BSP)
                    .ok()?
                    .checked_add(LEAF_SURFACES)?,
                4,
            )?,
        ];
        let overlap = written[0].overlaps(written[1])
            || read
                .iter()
                .any(|read| written.iter().any(|written| written.overlaps(*read)));
        if overlap || !written[1].is_writable(self.machine) {
            return None;
        }

        // Which are visible, then which of them are new.
        let mut visible = [0_u8; CHUNK];
        let mut count = 0;
        let view = memory.view(bits, words as usize)?.as_chunks::<4>().0;
        for (index, &number) in numbers.iter().enumerate() {
            let word = u32::from_le_bytes(view[((number >> 5) - low) as usize]);
            visible[count] = index as u8;
            count += (word >> (number & 31) & 1) as usize;
        }
        let mut appended = [[0; 4]; CHUNK];
        let mut new = 0;
        let mut looked_at = length;
        let view = self.machine.memory.view_mut(visited, words as usize)?;
        let view = view.as_chunks_mut::<4>().0;
        for &index in &visible[..count] {
            let number = numbers[usize::from(index)];
            let place = &mut view[((number >> 5) - low) as usize];
            let word = u32::from_le_bytes(*place);
            let mask = 1 << (number & 31);
            if word & mask == 0 {
                *place = (word | mask).to_le_bytes();
                appended[new] = number.to_le_bytes();
                new += 1;
                if new == most as usize && most == room {
                    looked_at = u32::from(index) + 1;
                    break;
                }
            }
        }
        let written = self
            .machine
            .memory
            .write_bytes(out, appended[..new].as_flattened());
        written.ok()?;
        Some((looked_at, new as u32))
    }

    /// Gives eax, ecx and edx on return.
    fn leaf(&mut self, child: u32, class: u16) -> Result<[u32; 3], Error> {
        let index = child & 0x7FFF_FFFF;
        let leaf = self.of_bsp(LEAVES)?.wrapping_add(index.wrapping_mul(0x10));
        if class != INSIDE {
            let parent = self.argument(4)?;
            if self.bounds_pass(parent, leaf, 0x14, 0x1C, 0x18)?.is_none() {
                return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]);
            }
        }
        let mut gathered = 0_i32;
        let mut reference = 0_i32;
        loop {
            let references = self.machine.memory.read_u16(leaf.wrapping_add(0xA))?;
            if reference >= i32::from(references as i16) || gathered >= self.short(0x10)? {
                return Ok([gathered as u32, reference as u32, leaf]);
            }
            let entries = self.of_bsp(LEAF_SURFACES)?;
            let first = self.machine.memory.read_u32(leaf.wrapping_add(0xC))?;
            let number = first.wrapping_add(reference as u32);
            if let Some(header) = Span::new(leaf, 0x10) {
                let list = List {
                    from: entries.wrapping_add(number.wrapping_mul(8)),
                    step: 8,
                    left: (i32::from(references as i16) - reference) as u32,
                    header,
                };
                let room = (self.short(0x10)? - gathered) as u32;
                let chunk = self.mark_chunk(list, gathered as u32, room, 8, 0xC);
                if let Some((looked_at, new)) = chunk {
                    reference += looked_at as i32;
                    gathered += new as i32;
                    continue;
                }
            }
            let surface = self
                .memory()
                .read_u32(entries.wrapping_add(number.wrapping_mul(8)))?;
            gathered += i32::from(self.mark(surface, gathered as u32, 8, 0xC)?);
            reference += 1;
        }
    }

    fn clusters(&mut self) -> Result<[u32; 3], Error> {
        self.set_local(0x1C, 0)?;
        self.set_local(0x14, 0)?;
        loop {
            let number = self.local(0x14)?;
            if number as i32 >= self.short(0x1C)? {
                break;
            }
            let list = self.argument(0x20)?;
            let at = list.wrapping_add(number.wrapping_mul(2));
            let index = i32::from(self.memory().read_u16(at)? as i16) as u32;
            let cluster = self
                .of_bsp(CLUSTERS)?
                .wrapping_add(index.wrapping_mul(0x68));
            self.set_local(0x20, cluster)?;
            self.set_local(0x18, 0)?;
            if !self.cluster()? {
                break;
            }
            let number = self.local(0x14)?;
            self.set_local(0x14, number.wrapping_add(1))?;
        }
        let [gathered, number] = [self.local(0x1C)?, self.local(0x14)?];
        Ok([gathered, number, self.short(8)? as u32])
    }

    /// Gathers one cluster; whether there is room for more.
    fn cluster(&mut self) -> Result<bool, Error> {
        loop {
            let number = self.local(0x18)?;
            let cluster = self.local(0x20)?;
            let subclusters = self.memory().read_u32(cluster.wrapping_add(0x34))?;
            if number as i32 >= subclusters as i32 {
                return Ok(true);
            }
            let first = self.memory().read_u32(cluster.wrapping_add(0x38))?;
            let subcluster = first.wrapping_add(number.wrapping_mul(0x24));
            let passes = self.box_passes(subcluster, 0xC, 0x14, 0x10, 1)?;
            if passes.is_some() && !self.subcluster(subcluster)? {
                return Ok(false);
            }
            let number = self.local(0x18)?;
            self.set_local(0x18, number.wrapping_add(1))?;
        }
    }

    /// Gathers one subcluster; whether there is room for more.
    fn subcluster(&mut self, subcluster: u32) -> Result<bool, Error> {
        let mut index = 0_u32;
        loop {
            let surfaces = self.memory().read_u32(subcluster.wrapping_add(0x18))?;
            if index as i32 >= surfaces as i32 {
                return Ok(true);
            }
            let gathered = self.local(0x1C)?;
            if gathered as i32 >= self.short(8)? {
                return Ok(false);
            }
            let list = self.memory().read_u32(subcluster.wrapping_add(0x1C))?;
            if let Some(header) = Span::new(subcluster, 0x24) {
                let list = List {
                    from: list.wrapping_add(index.wrapping_mul(4)),
                    step: 4,
                    left: surfaces.wrapping_sub(index),
                    header,
                };
                let room = (self.short(8)? - gathered as i32) as u32;
                let chunk = self.mark_chunk(list, gathered, room, 0x18, 4);
                if let Some((looked_at, new)) = chunk {
                    index = index.wrapping_add(looked_at);
                    if new != 0 {
                        self.set_local(0x1C, gathered.wrapping_add(new))?;
                    }
                    continue;
                }
            }
            let surface = self
                .memory()
                .read_u32(list.wrapping_add(index.wrapping_mul(4)))?;
            if self.mark(surface, gathered, 0x18, 4)? {
                self.set_local(0x1C, gathered.wrapping_add(1))?;
            }
            index = index.wrapping_add(1);
        }
    }

    fn tree(&mut self) -> Result<[u32; 3], Error> {
        if self.short(0x2C)? as u16 != INSIDE {
            let parent = self.argument(8)?;
            let nodes = self.of_bsp(NODES)?;
            let bytes = nodes.wrapping_add(self.argument(4)?.wrapping_mul(6));
            match self.bounds_pass(parent, bytes, 0x20, 0x28, 0x24)? {
                None => return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]),
                Some([2, 2]) => {
                    let at = self.e + 0x2C;
                    self.memory().write_u32(at, INSIDE.into())?;
                }
                Some(_) => {}
            }
        }
        self.set_local(0x2C, 0)?;
        let node = self.argument(4)?;
        let point = self.argument(0x18)?;
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
            if self.is_in_front()? || self.local(0x2C)? as i32 >= self.short(0x14)? {
                break;
            }
            enter = true;
        }
        Ok([self.local(0x2C)?, self.argument(0x14)?, self.local(0x30)?])
    }

    /// Writes the point's distance from the plane to `E-30`.
    fn measure(&mut self, plane: u32, point: u32) -> Result<(), MemoryError> {
        let memory = &self.machine.memory;
        let plane: [u32; 4] = entry::unpack(memory.read_array::<16>(plane)?);
        let point: [u32; 3] = entry::unpack(memory.read_array::<12>(point)?);
        let mut measured = distance::<f64>(&plane, &point);
        if f64::from_bits(measured.stale[0]).is_nan() {
            measured = distance::<Exact>(&plane, &point);
        }
        self.set_local(0x30, measured.distance)?;
        entry::leave_stale(&mut self.machine.cpu, 1, measured.stale[0]);
        entry::leave_stale(&mut self.machine.cpu, 2, measured.stale[1]);
        Ok(())
    }

    /// Whether -radius is above the distance.
    fn is_behind(&mut self) -> Result<bool, MemoryError> {
        let radius = number::loaded(self.argument(0x1C)?) ^ 1 << 63;
        let distance = number::loaded(self.local(0x30)?);
        self.machine.cpu.fpu.compare(radius, distance);
        entry::leave_stale(&mut self.machine.cpu, 1, radius);
        Ok(f64::from_bits(radius) > f64::from_bits(distance))
    }

    /// Whether the distance is above the radius.
    fn is_in_front(&mut self) -> Result<bool, MemoryError> {
        let distance = self.local(0x30)?;
        let radius = self.argument(0x1C)?;
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
        let bottom = self.machine.cpu[Reg::Esp];
        let is_leaf = child >> 31 != 0;
        if !is_leaf {
            self.push_argument(0x2C)?;
        }
        for slot in [0x28, 0x24, 0x20] {
            self.push_argument(slot)?;
        }
        if !is_leaf {
            self.push_argument(0x1C)?;
            self.push_argument(0x18)?;
        }
        let max = self.short(0x14)? as u32;
        let room = max.wrapping_sub(self.local(0x2C)?);
        self.machine.push(room)?;
        let out = self.argument(0x10)?;
        let out = out.wrapping_add(self.local(0x2C)?.wrapping_mul(4));
        self.machine.push(out)?;
        self.push_argument(0xC)?;
        self.machine.push(self.e - 0x28)?;
        let gathered = if is_leaf {
            self.machine.cpu[Reg::Eax] = child;
            self.machine.cpu[Reg::Ecx] = self.argument(0x2C)?;
            self.call(Routine::LeafGather, 4)?
        } else {
            self.machine.push(child)?;
            self.call(Routine::TreeGather, 5)?
        };
        self.machine.cpu[Reg::Esp] = bottom;
        let total = self.local(0x2C)?.wrapping_add(gathered);
        self.set_local(0x2C, total)?;
        Ok(())
    }

    fn push_argument(&mut self, offset: u32) -> Result<(), MemoryError> {
        let value = self.argument(offset)?;
        self.machine.push(value)
    }
}

struct Distance {
    distance: u32,
    stale: [u64; 2],
}

#[inline(always)]
fn distance<N: Number>(plane: &[u32; 4], point: &[u32; 3]) -> Distance {
    let product = |axis: usize| N::load(plane[axis]).mul(N::operand(point[axis]));
    let last = product(2);
    let sum = product(0)
        .add(product(1))
        .add(last)
        .sub(N::operand(plane[3]));
    Distance {
        distance: sum.store(),
        stale: [sum.bits(), last.bits()],
    }
}
