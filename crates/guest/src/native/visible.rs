//! 00553920: marks the surfaces that a view sees.

use super::entry::{self, Span};
use super::frustum;
use crate::memory::MemoryError;
use crate::profile::{SURFACE_LIMIT, global};
use crate::{Error, Machine, Memory, Reg};

/// Bytes below the return address that are the routine's own: saved registers, locals,
/// the flag and the return address of its call, and the callee's frame.
const DEPTH: u32 = 0x28 + frustum::DEPTH;

pub(super) const SUBCLUSTER: u32 = 0x24;
const CLUSTER: u32 = 0x68;

/// The word's offset and the bit of a surface in a set of bits.
#[inline(always)]
pub(super) fn bit_of(surface: u32) -> (u32, u32) {
    let word = ((surface as i32) >> 5) as u32;
    (word.wrapping_mul(4), 1 << (surface & 31))
}

/// Whether the view has all the surfaces that it may have.
#[inline]
fn is_full(memory: &Memory) -> Result<bool, MemoryError> {
    Ok(memory.read_u16(global::SURFACE_COUNT)? as i16 >= SURFACE_LIMIT)
}

/// Whether it ran; if not, nothing has changed. `site` is the return address of its
/// call.
pub(super) fn run(machine: &mut Machine, site: u32) -> Result<bool, Error> {
    if !entry::accepts(machine, 2) || entry::stack(machine, DEPTH, 4).is_none() {
        return Ok(false);
    }
    let e = machine.cpu[Reg::Esp];
    let saved = [Reg::Ebx, Reg::Ebp, Reg::Esi, Reg::Edi].map(|reg| machine.cpu[reg]);
    let [ebx, ebp, esi, edi] = saved;
    let frame = entry::bytes([edi, esi, ebp, ebx]);
    machine.memory.write_array::<16>(e - 0x10, frame)?;
    mark_records(machine, e, site)?;

    let memory = &machine.memory;
    let count = memory.read_u16(global::SURFACE_COUNT)? as i16;
    let record = memory.read_u32(e - 0x14)?;
    let bsp = memory.read_u32(e + 4)?;
    let [back, edi, esi, ebp, ebx] = [e, e - 0x10, e - 0xC, e - 8, e - 4];
    let back = memory.read_u32(back)?;
    for (reg, at) in [
        (Reg::Edi, edi),
        (Reg::Esi, esi),
        (Reg::Ebp, ebp),
        (Reg::Ebx, ebx),
    ] {
        machine.cpu[reg] = machine.memory.read_u32(at)?;
    }
    machine.cpu[Reg::Eax] = i32::from(count) as u32;
    machine.cpu[Reg::Ecx] = record;
    machine.cpu[Reg::Edx] = bsp;
    entry::leave_sum(&mut machine.cpu, e - 0x20, 0x10);
    entry::leave(&mut machine.cpu, e, back);
    Ok(true)
}

/// What lies in the frame, by its address.
struct Locals {
    record: u32,
    subcluster: u32,
    frustum: u32,
    bsp: u32,
}

fn mark_records(machine: &mut Machine, e: u32, site: u32) -> Result<(), Error> {
    let locals = Locals {
        record: e - 0x14,
        subcluster: e - 0x18,
        frustum: e - 0x1C,
        bsp: e + 4,
    };
    machine.memory.write_u32(locals.record, 0)?;
    loop {
        let memory = &mut machine.memory;
        let number = memory.read_u32(locals.record)?;
        if number as i32 >= memory.read_u32(global::RECORD_COUNT)? as i32 || is_full(memory)? {
            return Ok(());
        }
        let record = global::RECORD_LIST.wrapping_add(number.wrapping_mul(global::RECORD_SIZE));
        let whole_view = memory.read_u8(global::PVS_FLAG)? != 0
            || memory.read_u32(global::CAMERA_CLUSTER)? == u32::MAX;
        let frustum = if whole_view {
            global::VIEW_FRUSTUM
        } else {
            record.wrapping_add(0x14)
        };
        memory.write_u32(locals.frustum, frustum)?;
        let bsp = memory.read_u32(locals.bsp)?;
        let clusters = memory.read_u32(bsp.wrapping_add(0x138))?;
        let index = i32::from(memory.read_u16(record)? as i16) as u32;
        let cluster = clusters.wrapping_add(index.wrapping_mul(CLUSTER));
        memory.write_u32(locals.subcluster, 0)?;
        machine.cpu[Reg::Esi] = record;
        machine.cpu[Reg::Ebp] = cluster;
        if !mark_cluster(machine, &locals, cluster, site)? {
            return Ok(());
        }
        let memory = &mut machine.memory;
        let number = memory.read_u32(locals.record)?;
        memory.write_u32(locals.record, number.wrapping_add(1))?;
    }
}

/// Whether to go on.
fn mark_cluster(
    machine: &mut Machine,
    locals: &Locals,
    cluster: u32,
    site: u32,
) -> Result<bool, Error> {
    loop {
        let memory = &mut machine.memory;
        let number = memory.read_u32(locals.subcluster)?;
        if number as i32 >= memory.read_u32(cluster.wrapping_add(0x34))? as i32 {
            return Ok(true);
        }
        if is_full(memory)? {
            return Ok(false);
        }
        let subcluster = memory
            .read_u32(cluster.wrapping_add(0x38))?
            .wrapping_add(number.wrapping_mul(SUBCLUSTER));
        // The flag and the return address lie below the locals.
        memory.write_u32(locals.frustum - 8, 1)?;
        let frustum = memory.read_u32(locals.frustum)?;
        memory.write_u32(locals.frustum - 12, site)?;
        machine.cpu[Reg::Ebx] = 0;
        machine.cpu[Reg::Ecx] = frustum;
        machine.cpu[Reg::Edi] = subcluster;
        machine.cpu[Reg::Esp] = locals.frustum - 12;
        frustum::run(machine)?;
        if machine.cpu.eip != site {
            return Err(Error::Astray {
                eip: machine.cpu.eip,
                expected: site,
            });
        }
        if machine.cpu[Reg::Eax] != 0 && !mark_surfaces(&mut machine.memory, subcluster)? {
            return Ok(false);
        }
        let memory = &mut machine.memory;
        let number = memory.read_u32(locals.subcluster)?;
        memory.write_u32(locals.subcluster, number.wrapping_add(1))?;
    }
}

/// Surfaces that are marked at once.
const CHUNK: u32 = 512;

/// Marks up to [`CHUNK`] surfaces from the list's `index` on, if what is written is
/// nothing that is read. How many it marked or found marked; fewer than there are when
/// the view is full.
#[inline]
fn mark_chunk(memory: &mut Memory, subcluster: u32, index: u32) -> Option<u32> {
    let header = subcluster.checked_add(0x18)?;
    let [surfaces, list] = entry::unpack(memory.read_array::<8>(header).ok()?);
    let left = u32::try_from(surfaces as i32).ok()?.checked_sub(index)?;
    let before = memory.read_u16(global::SURFACE_COUNT).ok()? as i16;
    let room = u32::try_from(i32::from(SURFACE_LIMIT) - i32::from(before)).ok()?;
    let length = left.min(CHUNK).min(room);
    let from = list.checked_add(index.checked_mul(4)?)?;
    let written = Span::new(
        global::SURFACE_BITS,
        u64::from(global::SURFACE_BITS_SIZE) + 2,
    )?;
    let apart = !written.overlaps(Span::new(header, 8)?)
        && !written.overlaps(Span::new(from, u64::from(length) * 4)?);
    if !apart || length == 0 {
        return None;
    }
    let bytes = length as usize * 4;
    let (mut low, mut high) = (u32::MAX, 0);
    for number in memory.view(from, bytes)?.as_chunks::<4>().0 {
        let word = u32::from_le_bytes(*number) >> 5;
        low = low.min(word);
        high = high.max(word);
    }
    if high >= global::SURFACE_BITS_SIZE / 4 || !memory.is_writable(global::SURFACE_COUNT, 2) {
        return None;
    }
    let words = (high - low + 1) as usize;
    let places = [
        (memory.readable(from, bytes)?, bytes),
        (
            memory.place(global::SURFACE_BITS + low * 4, words * 4)?,
            words * 4,
        ),
    ];
    let [numbers, bits] = memory.apart(places)?;
    let bits = bits.as_chunks_mut::<4>().0;
    let mut marked = 0;
    for number in numbers.as_chunks::<4>().0 {
        let number = u32::from_le_bytes(*number);
        let word = &mut bits[((number >> 5) - low) as usize];
        let seen = u32::from_le_bytes(*word);
        let mask = 1 << (number & 31);
        *word = (seen | mask).to_le_bytes();
        marked += i16::from(seen & mask == 0);
    }
    if marked != 0 {
        let count = before.wrapping_add(marked) as u16;
        memory.write_u16(global::SURFACE_COUNT, count).ok()?;
    }
    Some(length)
}

/// Marks a subcluster's surfaces; whether to go on.
fn mark_surfaces(memory: &mut Memory, subcluster: u32) -> Result<bool, MemoryError> {
    let mut index = 0_u32;
    while let Some(done) = mark_chunk(memory, subcluster, index) {
        index += done;
        if done < CHUNK {
            break;
        }
    }
    while (index as i32) < memory.read_u32(subcluster.wrapping_add(0x18))? as i32 {
        if is_full(memory)? {
            return Ok(false);
        }
        let list = memory.read_u32(subcluster.wrapping_add(0x1C))?;
        let surface = memory.read_u32(list.wrapping_add(index.wrapping_mul(4)))?;
        let (word, mask) = bit_of(surface);
        let place = global::SURFACE_BITS.wrapping_add(word);
        let bits = memory.read_u32(place)?;
        if bits & mask == 0 {
            memory.write_u32(place, bits | mask)?;
            let count = memory.read_u16(global::SURFACE_COUNT)?;
            memory.write_u16(global::SURFACE_COUNT, count.wrapping_add(1))?;
        }
        index = index.wrapping_add(1);
    }
    Ok(true)
}
