//! A point's distance from a plane, as the tree gather measures it.

use super::entry;
use super::number::{Exact, Number};
use crate::Memory;
use crate::memory::MemoryError;

pub(super) struct Distance {
    pub(super) distance: u32,
    /// The distance before it was rounded, and the last product.
    pub(super) stale: [u64; 2],
}

/// The distance of the point at one address from the plane at another.
#[inline]
pub(super) fn measure(memory: &Memory, plane: u32, point: u32) -> Result<Distance, MemoryError> {
    let at_once = (
        memory.read_array::<16>(plane),
        memory.read_array::<12>(point),
    );
    let (plane, point) = match at_once {
        (Ok(plane), Ok(point)) => (entry::unpack(plane), entry::unpack(point)),
        _ => operands_in_order(memory, plane, point)?,
    };
    let measured = distance::<f64>(&plane, &point);
    if f64::from_bits(measured.stale[0]).is_nan() {
        return Ok(distance::<Exact>(&plane, &point));
    }
    Ok(measured)
}

/// A plane and a point of which a part is missing or lies elsewhere.
#[cold]
fn operands_in_order(
    memory: &Memory,
    plane: u32,
    point: u32,
) -> Result<([u32; 4], [u32; 3]), MemoryError> {
    let word = |of: u32, number: usize| memory.read_u32(of.wrapping_add(number as u32 * 4));
    let mut operands = ([0; 4], [0; 3]);
    for axis in 0..3 {
        operands.0[axis] = word(plane, axis)?;
        operands.1[axis] = word(point, axis)?;
    }
    operands.0[3] = word(plane, 3)?;
    Ok(operands)
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
