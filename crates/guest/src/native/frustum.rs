//! 0050D5B0: a box against a frustum, as 00553920 calls it.

use super::boxes::{BOX, Bounds, Turns, is_plain, loads, products};
use super::entry::{self, Span};
use super::number::{self, Exact, Number, above};
use crate::memory::MemoryError;
use crate::{Machine, Reg};

/// Bytes of frame below the return address.
pub(super) const DEPTH: u32 = 0x1C;

const WORLD_BOUNDS: u32 = 0x128;
const PLANES: u32 = 0x78;
/// Side planes in the order in which they are summed: offset in words from the first
/// plane, and the axes in the order of the sum.
const SUMS: [(usize, [usize; 3]); 4] = [
    (0, [0, 1, 2]),
    (4, [1, 2, 0]),
    (12, [2, 0, 1]),
    (8, [0, 2, 1]),
];

/// Runs where 00553920 has not entered it; whether it ran. If not, nothing has changed.
pub(super) fn run_alone(machine: &mut Machine) -> Result<bool, MemoryError> {
    let e = machine.cpu[Reg::Esp];
    if !entry::accepts(machine, 2)
        || entry::stack(machine, DEPTH, 4).is_none()
        || machine.memory.read_u32(e.wrapping_add(4))? != 1
    {
        return Ok(false);
    }
    run(machine)?;
    Ok(true)
}

/// Does what the routine does from its first instruction to its `ret`, with `esp` at the
/// return address, ecx and edi as arguments and a flag of 1.
pub(super) fn run(machine: &mut Machine) -> Result<(), MemoryError> {
    let e = machine.cpu[Reg::Esp];
    let frustum = machine.cpu[Reg::Ecx];
    let box_at = machine.cpu[Reg::Edi];
    let memory = &machine.memory;
    let world_at = frustum.wrapping_add(WORLD_BOUNDS);
    let (mut bounds, mut world, mut planes) = (None, None, None);
    let boxes = (
        memory.array(box_at, &mut bounds),
        memory.array::<BOX>(world_at, &mut world),
    );
    let (Ok(bounds), Ok(world)) = boxes else {
        return run_in_order(machine, e, frustum, box_at);
    };
    let (side, of_world) = (entry::words(bounds), entry::words(world));
    for axis in [0, 2, 4] {
        for [x, y] in [
            [side(axis), of_world(axis + 1)],
            [of_world(axis), side(axis + 1)],
        ] {
            if above(x, y) {
                return reject(machine, e, x, y);
            }
        }
    }
    let planes = memory.array(frustum.wrapping_add(PLANES), &mut planes);
    let result = match planes {
        Ok(planes) if is_apart(e, frustum, box_at) => {
            let corners = corners_at_once(bounds, planes);
            let [x, y, z] = [side(1), side(3), side(5)];
            let cpu = &machine.cpu;
            let [ebx, esi, ebp] = [cpu[Reg::Ebx], cpu[Reg::Esi], cpu[Reg::Ebp]];
            let frame = entry::bytes([x, y, z, 8, ebp, esi, ebx]);
            machine.memory.write_array::<28>(e - DEPTH, frame)?;
            leave_sum(machine, corners.last);
            corners.result
        }
        _ => corners_in_order(machine, e, frustum, box_at)?,
    };
    accept(machine, e, result)
}

/// Returns 0 because x is above y.
fn reject(machine: &mut Machine, e: u32, x: u32, y: u32) -> Result<(), MemoryError> {
    entry::leave_comparison(&mut machine.cpu, x, y);
    machine.cpu[Reg::Eax] = 0;
    entry::leave_test(&mut machine.cpu);
    leave(machine, e)
}

/// Where part of a box is not there: it is not missed if the rest is enough to reject.
#[cold]
fn run_in_order(
    machine: &mut Machine,
    e: u32,
    frustum: u32,
    box_at: u32,
) -> Result<(), MemoryError> {
    let world_at = frustum.wrapping_add(WORLD_BOUNDS);
    let memory = &machine.memory;
    let side = |of: u32, number: u32| memory.read_u32(of.wrapping_add(number * 4));
    for axis in [0, 2, 4] {
        for (low, high) in [(box_at, world_at), (world_at, box_at)] {
            let (x, y) = (side(low, axis)?, side(high, axis + 1)?);
            if above(x, y) {
                return reject(machine, e, x, y);
            }
        }
    }
    // All is there, at both ends of the address space.
    let result = corners_in_order(machine, e, frustum, box_at)?;
    accept(machine, e, result)
}

/// Returns what the corners say.
fn accept(machine: &mut Machine, e: u32, result: u32) -> Result<(), MemoryError> {
    machine.cpu[Reg::Eax] = result;
    entry::leave_sum(&mut machine.cpu, e.wrapping_sub(DEPTH), 0x10);
    leave(machine, e)
}

fn leave(machine: &mut Machine, e: u32) -> Result<(), MemoryError> {
    let back = machine.memory.read_u32(e)?;
    entry::leave(&mut machine.cpu, e, back);
    Ok(())
}

/// Whether the frame holds nothing of what the routine reads.
#[inline]
fn is_apart(e: u32, frustum: u32, box_at: u32) -> bool {
    let spans = || {
        let frame = Span::new(e.checked_sub(DEPTH)?, DEPTH.into())?;
        let planes = Span::new(frustum.checked_add(PLANES)?, 0x40)?;
        let bounds = Span::new(box_at, BOX as u64)?;
        Some(!frame.overlaps(planes) && !frame.overlaps(bounds))
    };
    spans().unwrap_or(false)
}

/// The result from the AND and the OR of the corners' codes.
fn classify(every: u32, any: u32) -> u32 {
    match (every, any) {
        (1.., _) => 0,
        (_, 0) => 2,
        _ => 1,
    }
}

/// A corner's sum with a plane.
#[inline(always)]
fn sum<N: Number>(axes: [usize; 3], plane: [u32; 4], corner: [u32; 3]) -> N {
    let [a, b, c] = axes;
    let product = |axis: usize| N::load(corner[axis]).mul(N::operand(plane[axis]));
    // Of two signalling NaNs the loaded one wins: it is quiet by then.
    let last = N::load(plane[c]).mul(N::operand(corner[c]));
    product(a)
        .add(product(b))
        .add(last)
        .sub(N::operand(plane[3]))
}

#[cold]
#[inline(never)]
fn exact_sum(axes: [usize; 3], plane: [u32; 4], corner: [u32; 3]) -> u64 {
    sum::<Exact>(axes, plane, corner).bits()
}

fn leave_sum(machine: &mut Machine, sum: u64) {
    machine.cpu.fpu.compare(0, sum);
    entry::leave_stale(&mut machine.cpu, 1, sum);
    entry::leave_stale(&mut machine.cpu, 2, 0);
}

/// What comes of all corners.
struct Corners {
    result: u32,
    /// The last corner's sum with the last plane.
    last: u64,
}

/// The four side planes and those at the ends, as they lie in a frustum.
type Planes = [u8; 0x40];

#[inline(always)]
fn plane_at(planes: &Planes, offset: usize) -> [u32; 4] {
    let word = entry::words(planes);
    [
        word(offset),
        word(offset + 1),
        word(offset + 2),
        word(offset + 3),
    ]
}

fn corners_at_once(bounds: &Bounds, planes: &Planes) -> Corners {
    let sides = loads(bounds);
    let plain = is_plain(bounds, &sides) && number::are_finite(planes);
    let turns = Turns::of(&sides);
    let (mut every, mut any) = (0, 0);
    for (offset, axes) in SUMS {
        let plane = plane_at(planes, offset);
        let [all, some] = if plain {
            plain_corners_outside(axes, plane, &turns)
        } else {
            corners_outside(axes, plane, &sides)
        };
        every |= u32::from(all);
        any |= u32::from(some);
    }
    let side = entry::words(bounds);
    let corner = [side(1), side(3), side(5)];
    let (offset, axes) = SUMS[3];
    let plane = plane_at(planes, offset);
    let mut last = sum::<f64>(axes, plane, corner).bits();
    if f64::from_bits(last).is_nan() {
        last = exact_sum(axes, plane, corner);
    }
    Corners {
        result: classify(every, any),
        last,
    }
}

/// Whether a plane puts all corners outside, and whether any, for a plain box and a plane
/// without infinities and NaNs.
#[inline(always)]
fn plain_corners_outside(axes: [usize; 3], plane: [u32; 4], turns: &Turns) -> [bool; 2] {
    // Rounding keeps order: no corner's sum is beyond those of the largest and of the
    // smallest products.
    let ends = |axis: usize| turns.ends(plane[axis], axis);
    let [a, b, c] = [ends(axes[0]), ends(axes[1]), ends(axes[2])];
    let distance = f64::load(plane[3]);
    let is_outside = |end: usize| a[end] + b[end] + c[end] - distance < 0.0;
    [is_outside(1), is_outside(0)]
}

/// The same for any numbers.
#[inline(never)]
fn corners_outside(axes: [usize; 3], plane: [u32; 4], sides: &[f64; 6]) -> [bool; 2] {
    let [a, b, c] = axes.map(|axis| products(plane[axis], axis, sides));
    let distance = f64::load(plane[3]);
    let mut outside = 0;
    for a in a {
        for ab in b.map(|b| a + b) {
            for sum in c.map(|c| ab + c - distance) {
                outside += u32::from(sum < 0.0);
            }
        }
    }
    [outside == 8, outside != 0]
}

/// The same with every access in its place, for what overlaps the frame.
#[cold]
#[inline(never)]
fn corners_in_order(
    machine: &mut Machine,
    e: u32,
    frustum: u32,
    box_at: u32,
) -> Result<u32, MemoryError> {
    let local = |below: u32| e.wrapping_sub(below);
    for (below, reg) in [(4, Reg::Ebx), (8, Reg::Esi), (0xC, Reg::Ebp)] {
        let value = machine.cpu[reg];
        machine.memory.write_u32(local(below), value)?;
    }
    let memory = &mut machine.memory;
    memory.write_u32(local(0x10), 0)?;
    let (mut every, mut any) = (0xF, 0);
    let mut last = 0;
    loop {
        let corner = memory.read_u32(local(0x10))?;
        if corner == 8 {
            break;
        }
        for axis in 0..3_u32 {
            let side = corner >> axis & 1;
            let value = memory.read_u32(box_at.wrapping_add(axis * 8 + side * 4))?;
            memory.write_u32(local(0x1C - axis * 4), value)?;
        }
        let mut code = 0;
        for (number, (offset, axes)) in SUMS.into_iter().enumerate() {
            let at = frustum.wrapping_add(PLANES + offset as u32 * 4);
            let mut plane = [0; 4];
            for word in axes.into_iter().chain([3]) {
                plane[word] = memory.read_u32(at.wrapping_add(word as u32 * 4))?;
            }
            let point = entry::unpack(memory.read_array::<12>(local(0x1C))?);
            last = exact_sum(axes, plane, point);
            code |= u32::from(0.0 > f64::from_bits(last)) << number;
        }
        every &= code;
        any |= code;
        let counter = memory.read_u32(local(0x10))?;
        memory.write_u32(local(0x10), counter.wrapping_add(1))?;
    }
    leave_sum(machine, last);
    Ok(classify(every, any))
}
