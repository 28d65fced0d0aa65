//! The leaves that test boxes: 00553380, 005541B0 and 00554260.

use super::entry::{self, Span};
use super::number::{self, Exact, Number, above};
use crate::{Machine, Reg, profile};

/// A box: x0 x1 y0 y1 z0 z1.
pub(super) type Bounds = [u32; 6];

pub(super) const BOX: usize = 24;

/// 00553380: decodes a node's bounds.
pub(super) fn node_bounds(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 2) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack_span(machine, 8, 0)?;
    let [parent_at, bytes_at, out] = [Reg::Ecx, Reg::Edx, Reg::Esi].map(|reg| machine.cpu[reg]);
    let inputs = [Span::new(parent_at, BOX as u64)?, Span::new(bytes_at, 6)?];
    let out_span = Span::new(out, BOX as u64)?;
    let overlap = inputs
        .iter()
        .any(|&input| input.overlaps(out_span) || input.overlaps(stack))
        || out_span.overlaps(stack);
    if overlap || !out_span.is_writable(machine) {
        return None;
    }
    let memory = &machine.memory;
    let back = memory.read_u32(e).ok()?;
    let parent: Bounds = entry::words(memory.read_array::<BOX>(parent_at).ok()?);
    let bytes = memory.read_array::<6>(bytes_at).ok()?;
    let mut decoded = decode::<f64>(&parent, bytes);
    // A NaN in what the x87 keeps shows in the bounds too.
    if decoded.bounds.iter().any(|&word| number::is_nan(word)) {
        decoded = exactly_decoded(&parent, bytes);
    }

    let memory = &mut machine.memory;
    memory
        .write_u32(e - 4, profile::BOUNDS_DIVISOR.to_bits())
        .ok()?;
    if let Some(byte) = bytes.iter().rfind(|&&byte| byte != 0xFF) {
        memory.write_u32(e - 8, (*byte).into()).ok()?;
    }
    memory
        .write_array::<BOX>(out, entry::bytes(decoded.bounds))
        .ok()?;
    machine.cpu[Reg::Eax] = match bytes[5] {
        0xFF => parent[5],
        byte => byte.into(),
    };
    if let Some([value, extent]) = decoded.stale {
        entry::leave_stale(machine, 1, value);
        entry::leave_stale(machine, 2, extent);
    }
    entry::leave_sum(machine, e - 8, 8);
    entry::leave(machine, e, back);
    Some(())
}

struct Decoded {
    bounds: Bounds,
    /// The last decoded value before rounding, and its axis' extent.
    stale: Option<[u64; 2]>,
}

#[inline(always)]
fn decode<N: Number>(parent: &Bounds, bytes: [u8; 6]) -> Decoded {
    let mut bounds = [0; 6];
    let mut stale = None;
    for (index, byte) in bytes.into_iter().enumerate() {
        let (low, high) = (parent[index & !1], parent[index | 1]);
        if byte == 0xFF {
            bounds[index] = high;
            continue;
        }
        let part = N::integer(byte.into()).div(N::operand(profile::BOUNDS_DIVISOR.to_bits()));
        let extent = N::load(high).sub(N::operand(low));
        let value = part.mul(extent).add(N::operand(low));
        bounds[index] = value.store();
        stale = Some([value.bits(), extent.bits()]);
    }
    Decoded { bounds, stale }
}

#[cold]
#[inline(never)]
fn exactly_decoded(parent: &Bounds, bytes: [u8; 6]) -> Decoded {
    decode::<Exact>(parent, bytes)
}

/// 005541B0: a box against a box.
pub(super) fn overlap(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 1) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    entry::stack_span(machine, 0, 0)?;
    let memory = &machine.memory;
    let back = memory.read_u32(e).ok()?;
    let a: Bounds = entry::words(memory.read_array::<BOX>(machine.cpu[Reg::Ecx]).ok()?);
    let b: Bounds = entry::words(memory.read_array::<BOX>(machine.cpu[Reg::Edx]).ok()?);
    let (result, [x, y]) = compare(&a, &b);
    machine.cpu[Reg::Eax] = result;
    leave_comparison(machine, x, y);
    entry::leave_test(machine);
    entry::leave(machine, e, back);
    Some(())
}

/// The result, and what was compared last.
#[inline]
fn compare(a: &Bounds, b: &Bounds) -> (u32, [u32; 2]) {
    let mut last = [0; 2];
    for axis in [0, 2, 4] {
        for pair in [[a[axis], b[axis + 1]], [b[axis], a[axis + 1]]] {
            if above(pair[0], pair[1]) {
                return (0, pair);
            }
        }
    }
    for axis in [0, 2, 4] {
        for pair in [[a[axis], b[axis]], [b[axis + 1], a[axis + 1]]] {
            if above(pair[0], pair[1]) {
                return (1, pair);
            }
            last = pair;
        }
    }
    (2, last)
}

/// Leaves what `fld x; fcomp y` leaves in the x87.
#[inline]
pub(super) fn leave_comparison(machine: &mut Machine, x: u32, y: u32) {
    let x = number::loaded(x);
    machine.cpu.fpu.compare(x, number::loaded(y));
    entry::leave_stale(machine, 1, x);
}

/// 00554260: a box against planes.
pub(super) fn planes(machine: &mut Machine) -> Option<()> {
    const DEPTH: u32 = 0x1C;
    if !entry::accepts(machine, 1) {
        return None;
    }
    let e = machine.cpu[Reg::Esp];
    let stack = entry::stack_span(machine, DEPTH, 0)?;
    let [box_at, planes_at] = [Reg::Eax, Reg::Ebx].map(|reg| machine.cpu[reg]);
    let count = (machine.cpu[Reg::Edi] as i16).max(0) as u32;
    let planes_span = Span::new(planes_at, u64::from(count) * 16)?;
    if stack.overlaps(Span::new(box_at, BOX as u64)?)
        || count != 0 && stack.overlaps(planes_span)
        || !planes_span.is_readable(machine)
    {
        return None;
    }
    let memory = &machine.memory;
    let back = memory.read_u32(e).ok()?;
    let mut result = 2;
    let mut last = None;
    if count != 0 {
        let bounds: Bounds = entry::words(memory.read_array::<BOX>(box_at).ok()?);
        let finite = number::are_finite(&bounds);
        for index in 0..count {
            let plane = entry::words(memory.read_array::<16>(planes_at + index * 16).ok()?);
            let [all, some] = corners_behind(&bounds, &plane, finite);
            last = Some((plane, [bounds[1], bounds[3], bounds[5]]));
            if all {
                result = 0;
                break;
            }
            if some {
                result = 1;
            }
        }
    }

    let [ecx, edx, edi] = [Reg::Ecx, Reg::Edx, Reg::Edi].map(|reg| machine.cpu[reg]);
    let memory = &mut machine.memory;
    memory
        .write_array::<16>(e - 0x10, entry::bytes([edi, planes_at, edx, ecx]))
        .ok()?;
    if let Some((plane, corner)) = last {
        let mut sums = sums::<f64>(&plane, corner);
        if sums.iter().any(|&sum| number::is_nan(sum)) {
            sums = self::sums::<Exact>(&plane, corner);
        }
        let [s0, s1, s2] = sums;
        memory
            .write_array::<12>(e - DEPTH, entry::bytes([s2, s1, s0]))
            .ok()?;
        leave_comparison(machine, plane[3], s2);
    }
    machine.cpu[Reg::Eax] = result;
    entry::leave_sum(machine, e - DEPTH, 0x0C);
    entry::leave(machine, e, back);
    Some(())
}

/// The three partial sums of one corner, each rounded to a float.
#[inline(always)]
fn sums<N: Number>(plane: &[u32; 4], corner: [u32; 3]) -> [u32; 3] {
    let product = |axis: usize| N::load(plane[axis]).mul(N::operand(corner[axis]));
    let s0 = product(0).store();
    let s1 = product(1).add(N::operand(s0)).store();
    let s2 = product(2).add(N::operand(s1)).store();
    [s0, s1, s2]
}

/// A plane's normal times both sides of a box on an axis.
#[inline(always)]
pub(super) fn products(axis: usize, plane: &[u32], bounds: &Bounds) -> [f64; 2] {
    let normal = f64::load(plane[axis]);
    let [low, high] = [bounds[axis * 2], bounds[axis * 2 + 1]];
    [normal * f64::load(low), normal * f64::load(high)]
}

/// Whether the plane's distance is above all corners' sums, and whether above any.
#[inline]
fn corners_behind(bounds: &Bounds, plane: &[u32; 4], finite: bool) -> [bool; 2] {
    let [x, y, z] = [
        products(0, plane, bounds),
        products(1, plane, bounds),
        products(2, plane, bounds),
    ];
    let distance = f32::from_bits(plane[3]);
    if finite && number::are_finite(plane) {
        // Rounding keeps order: no corner's sum is beyond those of the largest and of the
        // smallest products.
        let sum = |x: f64, y: f64, z: f64| {
            let s0 = f64::from(x as f32);
            let s1 = f64::from((y + s0) as f32);
            (z + s1) as f32
        };
        let most = sum(x[0].max(x[1]), y[0].max(y[1]), z[0].max(z[1]));
        let least = sum(x[0].min(x[1]), y[0].min(y[1]), z[0].min(z[1]));
        return [distance > most, distance > least];
    }
    let mut behind = 0;
    for s0 in x.map(|x| x as f32) {
        for s1 in y.map(|y| (y + f64::from(s0)) as f32) {
            for s2 in z.map(|z| (z + f64::from(s1)) as f32) {
                behind += u32::from(distance > s2);
            }
        }
    }
    [behind == 8, behind != 0]
}
