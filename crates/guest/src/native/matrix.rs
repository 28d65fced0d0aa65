//! 004CC0D0: the product of two matrices.

use super::entry::{self, Span};
use super::number::{self, Exact, Number};
use crate::{Machine, Reg};

const SIZE: usize = 0x34;
const WORDS: usize = SIZE / 4;
/// Frame below the return address: two saved registers, two copies.
const DEPTH: u32 = 0x70;

struct Product {
    words: [u32; WORDS],
    /// The last element before it was rounded, and the last product.
    stale: [u64; 2],
}

/// The first row, of 3 words, of each part of a matrix.
const FORWARD: usize = 1;
const LEFT: usize = 4;
const UP: usize = 7;
const POSITION: usize = 10;

#[inline(always)]
fn product<N: Number>(a: &[u32; WORDS], b: &[u32; WORDS]) -> Product {
    let mut words = [0; WORDS];
    let mut stale = [0; 2];
    words[0] = N::load(a[0]).mul(N::operand(b[0])).store();
    for vector in [FORWARD, LEFT, UP, POSITION] {
        let x = N::load(b[vector]);
        let y = N::load(b[vector + 1]);
        let z = N::load(b[vector + 2]);
        for axis in 0..3 {
            let last = z.mul(N::operand(a[UP + axis]));
            let mut sum = x
                .mul(N::operand(a[FORWARD + axis]))
                .add(y.mul(N::operand(a[LEFT + axis])))
                .add(last);
            if vector == POSITION {
                sum = sum
                    .mul(N::operand(a[0]))
                    .add(N::operand(a[POSITION + axis]));
                stale = [sum.bits(), last.bits()];
            }
            words[vector + axis] = sum.store();
        }
    }
    Product { words, stale }
}

#[cold]
#[inline(never)]
fn exact(a: &[u32; WORDS], b: &[u32; WORDS]) -> Product {
    product::<Exact>(a, b)
}

/// `None` and nothing changed where it declines.
pub(super) fn run(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 2) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack_span(machine, DEPTH, 12)?;
    let memory = &machine.memory;
    let [back, a, b, out] = entry::words(memory.read_array::<16>(e).ok()?);
    let [a_span, b_span, out_span] = [a, b, out].map(|address| Span::new(address, SIZE as u64));
    let (a_span, b_span, out_span) = (a_span?, b_span?, out_span?);
    let overlap = out != a && out_span.overlaps(a_span)
        || out != b && out_span.overlaps(b_span)
        || stack.overlaps(out_span)
        || stack.overlaps(a_span)
        || stack.overlaps(b_span);
    if overlap || !out_span.is_writable(machine) {
        return None;
    }
    let left_bytes = memory.read_array::<SIZE>(a).ok()?;
    let right_bytes = memory.read_array::<SIZE>(b).ok()?;
    let (left, right) = (entry::words(left_bytes), entry::words(right_bytes));
    let mut result = product::<f64>(&left, &right);
    if result.words.iter().any(|&word| number::is_nan(word)) {
        result = exact(&left, &right);
    }

    let saved = u64::from(machine.cpu[Reg::Esi]) << 32 | u64::from(machine.cpu[Reg::Edi]);
    let memory = &mut machine.memory;
    memory.write_u64(e - 8, saved).ok()?;
    let (mut from_a, mut from_b) = (a, b);
    if out == a {
        from_a = e - 0x70;
        memory.write_array(from_a, left_bytes).ok()?;
    }
    if out == b {
        from_b = e - 0x3C;
        memory.write_array(from_b, right_bytes).ok()?;
    }
    memory
        .write_array::<SIZE>(out, entry::bytes(result.words))
        .ok()?;
    machine.cpu[Reg::Eax] = out;
    machine.cpu[Reg::Ecx] = from_a;
    machine.cpu[Reg::Edx] = from_b;
    entry::leave_stale(machine, 1, result.stale[0]);
    entry::leave_stale(machine, 2, result.stale[1]);
    entry::leave_sum(machine, e - DEPTH, 0x68);
    entry::leave(machine, e, back);
    Some(())
}
