//! What every native routine asks on entry and leaves on return.

use std::cmp::Ordering;

use super::number;
use crate::alu::{self, Width};
use crate::cpu::DF;
use crate::memory::Place;
use crate::x87::{C0, C2, C3, Rounding};
use crate::{Cpu, Machine, Reg};

/// Whether the processor's state lets a native routine run that pushes at most `slots`
/// values onto the x87's stack.
#[inline]
pub(super) fn accepts(machine: &Machine, slots: u8) -> bool {
    let fpu = &machine.cpu.fpu;
    // Pushes go to the slots below the top, which this makes the highest bits.
    let needed = !(0xFF_u8 >> slots);
    let taken = fpu.occupied.rotate_right(fpu.top.into()) & needed;
    machine.instruction_limit.is_none()
        && fpu.rounding() == Rounding::Nearest
        && !machine.cpu.flag(DF)
        && taken == 0
}

/// A range of addresses that does not run past the end of the address space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u64,
    end: u64,
}

impl Span {
    #[inline]
    pub(super) fn new(start: u32, length: u64) -> Option<Self> {
        let end = u64::from(start).checked_add(length)?;
        (end <= 1 << 32).then_some(Self {
            start: start.into(),
            end,
        })
    }

    #[inline]
    pub(super) fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    #[inline]
    pub(super) fn is_writable(self, machine: &Machine) -> bool {
        let length = (self.end - self.start) as usize;
        machine.memory.is_writable(self.start as u32, length)
    }

    #[inline]
    pub(super) fn is_readable(self, machine: &Machine) -> bool {
        let length = (self.end - self.start) as usize;
        machine.memory.is_readable(self.start as u32, length)
    }
}

/// A routine's stack span, all of which can be written: the frame that it will have, the
/// return address, arguments.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    pub(super) place: Place,
    pub(super) start: u32,
    pub(super) length: u32,
}

impl Stack {
    /// Whether `length` bytes from `address` on, none of which is past the end of the
    /// address space, overlap it.
    #[inline(always)]
    pub(super) fn overlaps(self, address: u32, length: u32) -> bool {
        overlap(self.start, self.length, address, length)
    }

    #[inline(always)]
    pub(super) fn span(self) -> Span {
        let start = self.start.into();
        Span {
            start,
            end: start + u64::from(self.length),
        }
    }
}

/// Whether two ranges overlap that are not empty and do not run past the end of the
/// address space.
#[inline(always)]
pub(super) fn overlap(a: u32, a_length: u32, b: u32, b_length: u32) -> bool {
    b.wrapping_sub(a).wrapping_add(b_length - 1) < a_length + b_length - 1
}

/// The stack span of a routine that was entered just now: `depth` bytes of frame, the
/// return address, `arguments` bytes.
#[inline(always)]
pub(super) fn stack(machine: &mut Machine, depth: u32, arguments: u32) -> Option<Stack> {
    let start = machine.cpu[Reg::Esp].wrapping_sub(depth);
    let length = depth + 4 + arguments;
    let place = machine.memory.place(start, length as usize)?;
    Some(Stack {
        place,
        start,
        length,
    })
}

/// Leaves the flags of `value + addend`.
#[inline]
pub(super) fn leave_sum(cpu: &mut Cpu, value: u32, addend: u32) {
    let (_, flags) = alu::add(value, addend, false, Width::Dword);
    cpu.set_flags(alu::ARITHMETIC, flags);
}

/// Leaves the flags of `test ah, 41h` after a comparison whose condition codes are in
/// the x87.
#[inline]
pub(super) fn leave_test(cpu: &mut Cpu) {
    let ah = u32::from(cpu.fpu.status() >> 8);
    cpu.set_flags(alu::ARITHMETIC, alu::logic(ah & 0x41, Width::Byte));
}

/// Leaves what `fld x; fcomp y` leaves in the x87.
#[inline]
pub(super) fn leave_comparison(cpu: &mut Cpu, x: u32, y: u32) {
    let [a, b] = [f32::from_bits(x), f32::from_bits(y)];
    cpu.fpu.condition = match a.partial_cmp(&b) {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Less) => C0,
        Some(Ordering::Equal) => C3,
        None => C0 | C2 | C3,
    };
    leave_stale(cpu, 1, number::loaded(x));
}

/// Leaves `value` in the slot of the `depth`-th push, which is empty again.
#[inline]
pub(super) fn leave_stale(cpu: &mut Cpu, depth: u8, value: u64) {
    let slot = cpu.fpu.slot(8 - depth);
    cpu.fpu.slots[slot] = value;
}

/// Returns to `address` from a frame entered with `entry` as stack pointer.
#[inline]
pub(super) fn leave(cpu: &mut Cpu, entry: u32, address: u32) {
    cpu.eip = address;
    cpu[Reg::Esp] = entry.wrapping_add(4);
}

/// The double word at an offset.
#[inline(always)]
pub(super) fn word<const N: usize>(bytes: &[u8; N], offset: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[offset..offset + 4]);
    u32::from_le_bytes(word)
}

/// Puts a double word at an offset.
#[inline(always)]
pub(super) fn put<const N: usize>(bytes: &mut [u8; N], offset: usize, word: u32) {
    bytes[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
}

/// Gives double words by their numbers.
#[inline(always)]
pub(super) fn words<const N: usize>(bytes: &[u8; N]) -> impl Fn(usize) -> u32 + Copy {
    move |number| word(bytes, number * 4)
}

/// The double words of `N` bytes.
#[inline(always)]
pub(super) fn unpack<const N: usize, const W: usize>(bytes: [u8; N]) -> [u32; W] {
    std::array::from_fn(words(&bytes))
}

/// The bytes of `W` double words.
#[inline(always)]
pub(super) fn bytes<const W: usize, const N: usize>(words: [u32; W]) -> [u8; N] {
    let mut bytes = [0; N];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}
