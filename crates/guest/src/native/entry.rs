//! What every native routine asks on entry and leaves on return.

use crate::alu::{self, Width};
use crate::cpu::DF;
use crate::x87::Rounding;
use crate::{Machine, Reg};

/// Whether the processor's state lets a native routine run that pushes at most `slots`
/// values onto the x87's stack.
#[inline]
pub(super) fn accepts(machine: &Machine, slots: u8) -> bool {
    let fpu = &machine.cpu.fpu;
    machine.instruction_limit.is_none()
        && fpu.rounding() == Rounding::Nearest
        && !machine.cpu.flag(DF)
        && (1..=slots).all(|index| fpu.is_empty(8 - index))
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

/// The stack span of a routine entered with this stack pointer: `depth` bytes of frame,
/// the return address, `arguments` bytes. `None` when it is not all writable.
#[inline]
pub(super) fn stack_span(machine: &Machine, depth: u32, arguments: u32) -> Option<Span> {
    let start = machine.cpu[Reg::Esp].checked_sub(depth)?;
    let span = Span::new(start, u64::from(depth + 4 + arguments))?;
    span.is_writable(machine).then_some(span)
}

/// Leaves the flags of `value + addend`.
#[inline]
pub(super) fn leave_sum(machine: &mut Machine, value: u32, addend: u32) {
    let (_, flags) = alu::add(value, addend, false, Width::Dword);
    machine.cpu.set_flags(alu::ARITHMETIC, flags);
}

/// Leaves the flags of `test ah, 41h` after a comparison whose condition codes are in
/// the x87.
#[inline]
pub(super) fn leave_test(machine: &mut Machine) {
    let ah = u32::from(machine.cpu.fpu.status() >> 8);
    machine
        .cpu
        .set_flags(alu::ARITHMETIC, alu::logic(ah & 0x41, Width::Byte));
}

/// Leaves `value` in the slot of the `depth`-th push, which is empty again.
#[inline]
pub(super) fn leave_stale(machine: &mut Machine, depth: u8, value: u64) {
    let slot = machine.cpu.fpu.slot(8 - depth);
    machine.cpu.fpu.slots[slot] = value;
}

/// Returns to `address` from a frame entered with `entry` as stack pointer.
#[inline]
pub(super) fn leave(machine: &mut Machine, entry: u32, address: u32) {
    machine.cpu.eip = address;
    machine.cpu[Reg::Esp] = entry.wrapping_add(4);
}

/// The double words of `N` bytes.
#[inline]
pub(super) fn words<const N: usize, const W: usize>(bytes: [u8; N]) -> [u32; W] {
    let mut words = [0; W];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The bytes of `W` double words.
#[inline]
pub(super) fn bytes<const W: usize, const N: usize>(words: [u32; W]) -> [u8; N] {
    let mut bytes = [0; N];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}
