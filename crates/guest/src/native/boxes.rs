//! The leaves that test boxes: 00553380, 005541B0 and 00554260.

use super::entry::{self, Span};
use super::number::{self, Exact, Number, above};
use crate::{Machine, Reg, profile};

/// A box in memory: x0 x1 y0 y1 z0 z1.
pub(super) type Bounds = [u8; BOX];

pub(super) const BOX: usize = 24;

/// A plane in memory: normal x y z, distance.
pub(super) type Plane = [u8; 16];

/// What a node's bytes stand for: the part of the parent's axis.
const PARTS: [f64; 256] = {
    let mut parts = [0.0; 256];
    let mut byte = 0;
    while byte < parts.len() {
        parts[byte] = byte as f64 / profile::BOUNDS_DIVISOR as f64;
        byte += 1;
    }
    parts
};

/// The byte of a bound that is its parent's.
const PARENTS: u8 = 0xFF;

/// 00553380: decodes a node's bounds.
pub(super) fn node_bounds(machine: &mut Machine) -> Option<()> {
    const DEPTH: u32 = 8;
    const LENGTH: u32 = BOX as u32;
    if !entry::accepts(machine, 2) {
        return None;
    }
    let stack = entry::stack(machine, DEPTH, 0)?;
    let Machine { memory, cpu, .. } = machine;
    let [parent_at, bytes_at, out] = [cpu[Reg::Ecx], cpu[Reg::Edx], cpu[Reg::Esi]];
    let overlap = entry::overlap(out, LENGTH, parent_at, LENGTH)
        || entry::overlap(out, LENGTH, bytes_at, 6)
        || stack.overlaps(out, LENGTH)
        || stack.overlaps(parent_at, LENGTH)
        || stack.overlaps(bytes_at, 6);
    if overlap || !memory.is_writable(out, BOX) {
        return None;
    }
    let (mut parent, mut bytes) = (None, None);
    let parent = memory.array(parent_at, &mut parent).ok()?;
    let bytes = memory.array(bytes_at, &mut bytes).ok()?;
    let decoded = decoded(parent, bytes);
    let eax = match bytes[5] {
        PARENTS => entry::word(parent, 20),
        byte => byte.into(),
    };

    let frame = memory.at_mut::<{ DEPTH as usize + 4 }>(stack.place, 0);
    let back = entry::word(frame, DEPTH as usize);
    entry::put(frame, 4, profile::BOUNDS_DIVISOR.to_bits());
    if let Some((byte, [value, extent])) = decoded.last {
        entry::put(frame, 0, byte);
        entry::leave_stale(cpu, 1, value);
        entry::leave_stale(cpu, 2, extent);
    }
    memory
        .write_array(out, entry::bytes::<6, BOX>(decoded.bounds))
        .ok()?;
    cpu[Reg::Eax] = eax;
    entry::leave_sum(cpu, stack.start, DEPTH);
    entry::leave(cpu, stack.start + DEPTH, back);
    Some(())
}

/// A node's six bytes.
#[derive(Clone, Copy)]
struct Bytes(u64);

impl Bytes {
    #[inline(always)]
    fn new(bytes: &[u8; 6]) -> Self {
        let [a, b, c, d, e, f] = *bytes;
        Self(u64::from_le_bytes([a, b, c, d, e, f, 0xFF, 0xFF]))
    }

    #[inline(always)]
    fn of(self, index: usize) -> u8 {
        (self.0 >> (index * 8)) as u8
    }

    /// The number of the last one that stands for a part of the parent's axis.
    #[inline(always)]
    fn last_part(self) -> Option<usize> {
        let is_any = self.0 != u64::MAX;
        is_any.then(|| 7 - (!self.0).leading_zeros() as usize / 8)
    }
}

pub(super) struct Decoded {
    pub(super) bounds: [u32; 6],
    /// The last byte that was decoded, what it gave before rounding, and its axis' extent.
    pub(super) last: Option<(u32, [u64; 2])>,
}

/// A node's bounds from its parent's.
#[inline(always)]
pub(super) fn decoded(parent: &Bounds, bytes: &[u8; 6]) -> Decoded {
    let bytes = Bytes::new(bytes);
    // Finite operands give no NaN.
    if number::are_finite(parent) {
        decode::<f64>(parent, bytes)
    } else {
        exactly_decoded(parent, bytes)
    }
}

#[inline(always)]
fn decode<N: Number>(parent: &Bounds, bytes: Bytes) -> Decoded {
    let side = entry::words(parent);
    let mut bounds = [0; 6];
    for axis in [0, 2, 4] {
        let [low, extent] = axis_of::<N>(parent, axis);
        for index in [axis, axis + 1] {
            let value = part_of(bytes.of(index), low, extent).store();
            let is_parents = bytes.of(index) == PARENTS;
            bounds[index] = if is_parents { side(axis + 1) } else { value };
        }
    }
    let mut last = None;
    if let Some(index) = bytes.last_part() {
        let [low, extent] = axis_of::<N>(parent, index & !1);
        let value = part_of(bytes.of(index), low, extent);
        last = Some((bytes.of(index).into(), [value.bits(), extent.bits()]));
    }
    Decoded { bounds, last }
}

/// Where an axis begins, and its extent.
#[inline(always)]
fn axis_of<N: Number>(parent: &Bounds, axis: usize) -> [N; 2] {
    let side = entry::words(parent);
    let low = N::operand(side(axis));
    [low, N::load(side(axis + 1)).sub(low)]
}

#[inline(always)]
fn part_of<N: Number>(byte: u8, low: N, extent: N) -> N {
    N::number(PARTS[usize::from(byte)]).mul(extent).add(low)
}

#[cold]
#[inline(never)]
fn exactly_decoded(parent: &Bounds, bytes: Bytes) -> Decoded {
    decode::<Exact>(parent, bytes)
}

/// 005541B0: a box against a box.
pub(super) fn overlap(machine: &mut Machine) -> Option<()> {
    if !entry::accepts(machine, 1) {
        return None;
    }
    let stack = entry::stack(machine, 0, 0)?;
    let Machine { memory, cpu, .. } = machine;
    let (mut a, mut b) = (None, None);
    let a = memory.array(cpu[Reg::Ecx], &mut a).ok()?;
    let b = memory.array(cpu[Reg::Edx], &mut b).ok()?;
    let (result, [x, y]) = compare(a, b);
    cpu[Reg::Eax] = result;
    entry::leave_comparison(cpu, x, y);
    entry::leave_test(cpu);
    entry::leave(
        cpu,
        stack.start,
        entry::word::<4>(memory.at(stack.place, 0), 0),
    );
    Some(())
}

/// Whether the result is 0.
#[inline]
pub(super) fn are_apart(a: &Bounds, b: &Bounds) -> bool {
    compare(a, b).0 == 0
}

/// The result, and what was compared last.
#[inline(always)]
pub(super) fn compare(a: &Bounds, b: &Bounds) -> (u32, [u32; 2]) {
    let (a, b) = (entry::words(a), entry::words(b));
    let mut last = [0; 2];
    for axis in [0, 2, 4] {
        for pair in [[a(axis), b(axis + 1)], [b(axis), a(axis + 1)]] {
            if above(pair[0], pair[1]) {
                return (0, pair);
            }
        }
    }
    for axis in [0, 2, 4] {
        for pair in [[a(axis), b(axis)], [b(axis + 1), a(axis + 1)]] {
            if above(pair[0], pair[1]) {
                return (1, pair);
            }
            last = pair;
        }
    }
    (2, last)
}

/// Bytes of 00554260's frame below its return address.
pub(super) const PLANES_DEPTH: u32 = 0x1C;

/// 00554260: a box against planes.
pub(super) fn planes(machine: &mut Machine) -> Option<()> {
    const DEPTH: u32 = PLANES_DEPTH;
    const RETURN: usize = DEPTH as usize;
    if !entry::accepts(machine, 1) {
        return None;
    }
    let stack = entry::stack(machine, DEPTH, 0)?;
    let Machine { memory, cpu, .. } = machine;
    let [box_at, planes_at] = [cpu[Reg::Eax], cpu[Reg::Ebx]];
    let count = (cpu[Reg::Edi] as i16).max(0) as u32;
    let planes_span = Span::new(planes_at, u64::from(count) * 16)?;
    let bytes = count as usize * 16;
    let view = memory.view(planes_at, bytes);
    if stack.span().overlaps(Span::new(box_at, BOX as u64)?)
        || count != 0 && stack.span().overlaps(planes_span)
        || view.is_none() && !memory.is_readable(planes_at, bytes)
    {
        return None;
    }
    let mut side = Side::of_no_plane();
    if count != 0 {
        let mut bounds = None;
        let bounds = memory.array(box_at, &mut bounds).ok()?;
        side = match view {
            Some(view) => against(bounds, view.as_chunks().0.iter().copied()),
            None => {
                let plane = |number| memory.read_array(planes_at + number * 16).ok();
                against(bounds, (0..count).map_while(plane))
            }
        };
    }
    let Side { result, last } = side;

    let frame = memory.at_mut::<{ RETURN + 4 }>(stack.place, 0);
    let back = entry::word(frame, RETURN);
    let saved = [Reg::Ecx, Reg::Edx, Reg::Ebx, Reg::Edi].map(|reg| cpu[reg]);
    leave_planes_frame(frame, saved, &last);
    if let Some((distance, sums)) = last {
        entry::leave_comparison(cpu, distance, sums[2]);
    }
    cpu[Reg::Eax] = result;
    entry::leave_sum(cpu, stack.start, 0x0C);
    entry::leave(cpu, stack.start + DEPTH, back);
    Some(())
}

/// On which side of planes a box is.
pub(super) struct Side {
    /// 0 behind one, 1 partly behind some, 2 behind none.
    pub(super) result: u32,
    /// The distance of the plane that was looked at last, and the sums of the last corner.
    pub(super) last: Option<(u32, [u32; 3])>,
}

impl Side {
    fn of_no_plane() -> Self {
        Self {
            result: 2,
            last: None,
        }
    }
}

/// What 00554260 leaves in its frame: the registers that it saves, ecx edx ebx edi, and the
/// sums of the corner that came last.
#[inline(always)]
pub(super) fn leave_planes_frame(
    frame: &mut [u8; PLANES_DEPTH as usize + 4],
    saved: [u32; 4],
    last: &Option<(u32, [u32; 3])>,
) {
    const RETURN: usize = PLANES_DEPTH as usize;
    for (below, value) in [4, 8, 0xC, 0x10].into_iter().zip(saved) {
        entry::put(frame, RETURN - below, value);
    }
    if let Some((_, sums)) = *last {
        for (below, sum) in [0x14, 0x18, 0x1C].into_iter().zip(sums) {
            entry::put(frame, RETURN - below, sum);
        }
    }
}

/// On which side of planes a box is. Without planes it is behind none.
#[inline(always)]
pub(super) fn against(bounds: &Bounds, planes: impl Iterator<Item = Plane>) -> Side {
    let sides = loads(bounds);
    let plain = is_plain(bounds, &sides);
    let turns = Turns::of(&sides);
    let mut side = Side::of_no_plane();
    let mut last = None;
    for plane in planes {
        last = Some(plane);
        let [all, some] = if plain && number::are_finite(&plane) {
            plain_corners_behind(&turns, &plane)
        } else {
            corners_behind(bounds, &plane)
        };
        if all {
            side.result = 0;
            break;
        }
        if some {
            side.result = 1;
        }
    }
    side.last = last.map(|plane| (entry::word(&plane, 12), last_corner(bounds, &plane)));
    side
}

/// The sums of the corner that comes last.
#[inline(always)]
fn last_corner(bounds: &Bounds, plane: &Plane) -> [u32; 3] {
    let mut sums = sums::<f64>(bounds, plane);
    if sums.iter().any(|&sum| number::is_nan(sum)) {
        sums = exact_sums(bounds, plane);
    }
    sums
}

#[cold]
#[inline(never)]
fn exact_sums(bounds: &Bounds, plane: &Plane) -> [u32; 3] {
    sums::<Exact>(bounds, plane)
}

/// The three partial sums of the corner x1 y1 z1, each rounded to a float.
#[inline(always)]
fn sums<N: Number>(bounds: &Bounds, plane: &Plane) -> [u32; 3] {
    let (side, normal) = (entry::words(bounds), entry::words(plane));
    let product = |axis: usize| N::load(normal(axis)).mul(N::operand(side(axis * 2 + 1)));
    let s0 = product(0).store();
    let s1 = product(1).add(N::operand(s0)).store();
    let s2 = product(2).add(N::operand(s1)).store();
    [s0, s1, s2]
}

/// A box as numbers.
#[inline(always)]
pub(super) fn loads(bounds: &Bounds) -> [f64; 6] {
    let side = entry::words(bounds);
    std::array::from_fn(|number| f64::load(side(number)))
}

/// A plane's normal times both sides of a box on an axis.
#[inline(always)]
pub(super) fn products(normal: u32, axis: usize, sides: &[f64; 6]) -> [f64; 2] {
    let normal = f64::load(normal);
    [normal * sides[axis * 2], normal * sides[axis * 2 + 1]]
}

/// Whether no side is an infinity or a NaN and each axis begins where it does.
#[inline(always)]
pub(super) fn is_plain(bounds: &Bounds, [x0, x1, y0, y1, z0, z1]: &[f64; 6]) -> bool {
    number::are_finite(bounds) & (x0 <= x1) & (y0 <= y1) & (z0 <= z1)
}

/// A plain box' sides on each axis, once the lower one first and once the upper one.
pub(super) struct Turns([[[f64; 2]; 2]; 3]);

impl Turns {
    #[inline(always)]
    pub(super) fn of([x0, x1, y0, y1, z0, z1]: &[f64; 6]) -> Self {
        Self([[*x0, *x1], [*y0, *y1], [*z0, *z1]].map(|[low, high]| [[low, high], [high, low]]))
    }

    /// The smaller and the larger product of a normal with the sides on an axis.
    #[inline(always)]
    pub(super) fn ends(&self, normal: u32, axis: usize) -> [f64; 2] {
        let sides = self.0[axis][(normal >> 31) as usize];
        let normal = f64::load(normal);
        sides.map(|side| normal * side)
    }
}

/// Two sums, each rounded to a float.
#[inline(always)]
fn rounded([a, b]: [f64; 2]) -> [f64; 2] {
    [a as f32, b as f32].map(f64::from)
}

/// Whether the plane's distance is above all corners' sums, and whether above any, for
/// a plain box and a plane without infinities and NaNs.
#[inline(always)]
fn plain_corners_behind(turns: &Turns, plane: &Plane) -> [bool; 2] {
    // Rounding keeps order: no corner's sum is beyond those of the largest and of the
    // smallest products.
    let plane = entry::words(plane);
    let ends = |axis| turns.ends(plane(axis), axis);
    let [x, y, z] = [ends(0), ends(1), ends(2)];
    let s0 = rounded(x);
    let s1 = rounded([y[0] + s0[0], y[1] + s0[1]]);
    let s2 = [(z[0] + s1[0]) as f32, (z[1] + s1[1]) as f32];
    let distance = f32::from_bits(plane(3));
    [distance > s2[1], distance > s2[0]]
}

/// The same for any numbers.
#[inline(never)]
fn corners_behind(bounds: &Bounds, plane: &Plane) -> [bool; 2] {
    let (sides, plane) = (loads(bounds), entry::words(plane));
    let [x, y, z] = [0, 1, 2].map(|axis| products(plane(axis), axis, &sides));
    let distance = f32::from_bits(plane(3));
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
