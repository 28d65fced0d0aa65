//! 004CC0D0: the product of two matrices.

use super::entry;
use super::number::{Exact, Number};
use crate::{Machine, Reg};

const SIZE: usize = 0x34;
const WORDS: usize = SIZE / 4;
/// Frame below the return address: two saved registers, two copies.
const DEPTH: u32 = 0x70;

struct Product {
    words: [u32; WORDS],
    /// The last element before it was rounded, and the last product.
    stale: [u64; 2],
    /// What all sums give together: a NaN if one of them is a NaN.
    total: f64,
}

/// The first row, of 3 words, of each part of a matrix.
const FORWARD: usize = 1;
const LEFT: usize = 4;
const UP: usize = 7;
const POSITION: usize = 10;

#[inline(always)]
fn product<N: Number>(a: &[u8; SIZE], b: &[u8; SIZE]) -> Product {
    let (a, b) = (entry::words(a), entry::words(b));
    let mut words = [0; WORDS];
    words[0] = N::load(a(0)).mul(N::operand(b(0))).store();
    // What a fourth component gives is written over by the next vector's first one.
    let mut totals = [0.0; 4];
    for vector in [FORWARD, LEFT, UP] {
        let (sums, _) = vector_of::<N, 4>(a, [b(vector), b(vector + 1), b(vector + 2)]);
        for (axis, sum) in sums.into_iter().enumerate() {
            words[vector + axis] = sum.store();
            totals[axis] += f64::from_bits(sum.bits());
        }
    }
    let vector = [b(POSITION), b(POSITION + 1), b(POSITION + 2)];
    let (mut sums, last) = vector_of::<N, 3>(a, vector);
    for (axis, sum) in sums.iter_mut().enumerate() {
        *sum = sum
            .mul(N::operand(a(0)))
            .add(N::operand(a(POSITION + axis)));
        words[POSITION + axis] = sum.store();
    }
    let mut total = f64::from(f32::from_bits(words[0])) + totals[3];
    for (sum, total_of) in sums.iter().zip(totals) {
        total += total_of + f64::from_bits(sum.bits());
    }
    Product {
        words,
        stale: [sums[2].bits(), last.bits()],
        total,
    }
}

/// `C` components of a vector times a matrix, and the last product of the third.
#[inline(always)]
fn vector_of<N: Number, const C: usize>(
    matrix: impl Fn(usize) -> u32,
    [x, y, z]: [u32; 3],
) -> ([N; C], N) {
    let [x, y, z] = [N::load(x), N::load(y), N::load(z)];
    let of = |row: usize, axis: usize| N::operand(matrix(row + axis));
    let last = |axis: usize| z.mul(of(UP, axis));
    let mut sums = [x; C];
    for (axis, sum) in sums.iter_mut().enumerate() {
        let both = x.mul(of(FORWARD, axis)).add(y.mul(of(LEFT, axis)));
        *sum = both.add(last(axis));
    }
    (sums, last(2))
}

#[cold]
#[inline(never)]
fn exact(a: &[u8; SIZE], b: &[u8; SIZE]) -> Product {
    product::<Exact>(a, b)
}

/// `None` and nothing changed where it declines.
pub(super) fn run(machine: &mut Machine) -> Option<()> {
    const RETURN: usize = DEPTH as usize;
    const LENGTH: u32 = SIZE as u32;
    if !entry::accepts(machine, 2) {
        return None;
    }
    let stack = entry::stack(machine, DEPTH, 12)?;
    let Machine { memory, cpu, .. } = machine;
    let span = memory.at::<{ RETURN + 16 }>(stack.place, 0);
    let argument = |offset: usize| entry::word(span, RETURN + offset);
    let [back, a, b, out] = [argument(0), argument(4), argument(8), argument(12)];
    let apart = |a: u32, b: u32| !entry::overlap(a, LENGTH, b, LENGTH);
    let overlap = !(out == a || apart(out, a))
        || !(out == b || apart(out, b))
        || stack.overlaps(out, LENGTH)
        || stack.overlaps(a, LENGTH)
        || stack.overlaps(b, LENGTH);
    if overlap || !memory.is_writable(out, SIZE) {
        return None;
    }
    let (mut left, mut right) = (None, None);
    let left = memory.array(a, &mut left).ok()?;
    let right = memory.array(b, &mut right).ok()?;
    let Product {
        mut words,
        mut stale,
        total,
    } = product::<f64>(left, right);
    if total.is_nan() {
        Product { words, stale, .. } = exact(left, right);
    }

    let e = stack.start + DEPTH;
    let (mut from_a, mut from_b) = (a, b);
    if out == a {
        from_a = e - 0x70;
        let copy = memory.read_array::<SIZE>(a).ok()?;
        *memory.at_mut(stack.place, 0) = copy;
    }
    if out == b {
        from_b = e - 0x3C;
        let copy = memory.read_array::<SIZE>(b).ok()?;
        *memory.at_mut(stack.place, LENGTH) = copy;
    }
    let frame = memory.at_mut::<RETURN>(stack.place, 0);
    entry::put(frame, RETURN - 8, cpu[Reg::Edi]);
    entry::put(frame, RETURN - 4, cpu[Reg::Esi]);
    match memory.place(out, SIZE) {
        Some(place) => {
            let bytes = memory.at_mut::<SIZE>(place, 0);
            for (number, word) in words.into_iter().enumerate() {
                entry::put(bytes, number * 4, word);
            }
        }
        None => memory.write_array::<SIZE>(out, entry::bytes(words)).ok()?,
    }
    cpu[Reg::Eax] = out;
    cpu[Reg::Ecx] = from_a;
    cpu[Reg::Edx] = from_b;
    entry::leave_stale(cpu, 1, stale[0]);
    entry::leave_stale(cpu, 2, stale[1]);
    entry::leave_sum(cpu, e - DEPTH, 0x68);
    entry::leave(cpu, e, back);
    Some(())
}
