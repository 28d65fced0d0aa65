//! A node's or a leaf's bounds, decoded and tested against a box and planes: what the
//! gathers' calls of 00553380, 005541B0 and 00554260 do, in one go.

use super::boxes::{self, BOX, PLANES_DEPTH};
use super::entry;
use crate::{Machine, Reg, profile};

/// Bytes below the stack pointer that the calls write: a return address, and the frame of
/// the last one.
const BELOW: u32 = 4 + PLANES_DEPTH;

/// What the calls are given.
pub(super) struct Calls {
    pub(super) parent: u32,
    pub(super) bytes: u32,
    /// Where the bounds are decoded to. Not below the stack pointer.
    pub(super) bounds: u32,
    /// The box and the planes that these are tested against, and how many planes.
    pub(super) query: u32,
    pub(super) planes: u32,
    pub(super) count: u32,
    /// Return addresses of the second and the third call.
    pub(super) sites: [u32; 2],
}

/// What both tests gave, the second one 0 where the first one rejects. `None` and nothing
/// changed where something that is read is written too or is missing, and where frame or
/// planes are in pieces. The machine has just entered the gather.
///
/// Flags and the program counter stay as they were: the code behind the calls changes them.
#[inline]
pub(super) fn test(machine: &mut Machine, calls: &Calls) -> Option<[u32; 2]> {
    let Machine { memory, cpu, .. } = machine;
    let start = cpu[Reg::Esp].wrapping_sub(BELOW);
    let at = calls.bounds.wrapping_sub(start);
    let length = at + BOX as u32;
    let count = (calls.count as i16).max(0) as u32;
    let place = memory.place(start, length as usize)?;
    let planes = match count {
        0 => &[],
        _ => memory.view(calls.planes, count as usize * 16)?,
    };
    let (mut parent, mut bytes, mut query) = (None, None, None);
    let parent = memory.array::<BOX>(calls.parent, &mut parent).ok()?;
    let bytes = memory.array(calls.bytes, &mut bytes).ok()?;
    let query = memory.array(calls.query, &mut query).ok()?;
    let is_written = |at: u32, bytes: u32| entry::overlap(start, length, at, bytes);
    if is_written(calls.parent, BOX as u32)
        || is_written(calls.bytes, 6)
        || is_written(calls.query, BOX as u32)
        || count != 0 && is_written(calls.planes, count * 16)
    {
        return None;
    }

    let decoded = boxes::decoded(parent, bytes);
    let bounds = entry::bytes(decoded.bounds);
    let (overlap, pair) = boxes::compare(query, &bounds);
    let side =
        (overlap != 0).then(|| boxes::against(&bounds, planes.as_chunks().0.iter().copied()));

    *memory.at_mut(place, at) = bounds;
    let frame = memory.at_mut::<{ BELOW as usize }>(place, 0);
    const RETURN: usize = BELOW as usize - 4;
    if let Some((byte, [_, extent])) = decoded.last {
        entry::put(frame, RETURN - 8, byte);
        entry::leave_stale(cpu, 2, extent);
    }
    cpu[Reg::Ecx] = calls.query;
    cpu[Reg::Edx] = calls.bounds;
    cpu[Reg::Esi] = calls.bounds;
    let mut compared = pair;
    let result = match side {
        None => {
            entry::put(frame, RETURN - 4, profile::BOUNDS_DIVISOR.to_bits());
            entry::put(frame, RETURN, calls.sites[0]);
            0
        }
        Some(side) => {
            cpu[Reg::Ebx] = calls.planes;
            cpu[Reg::Edi] = calls.count;
            entry::put(frame, RETURN, calls.sites[1]);
            let saved = [calls.query, calls.bounds, calls.planes, calls.count];
            boxes::leave_planes_frame(frame, saved, &side.last);
            if let Some((distance, sums)) = side.last {
                compared = [distance, sums[2]];
            }
            side.result
        }
    };
    cpu[Reg::Eax] = result;
    let [x, y] = compared;
    entry::leave_comparison(cpu, x, y);
    Some([overlap, result])
}
