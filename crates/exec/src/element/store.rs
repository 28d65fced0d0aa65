//! Writing vertex elements.

use super::{Column, ElementType};
use crate::limits::GROUP;
use crate::vertex::GroupRegister;
use half::f16;

/// One element of consecutive vertices to write.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    /// From the first byte of the first vertex's element on.
    pub bytes: &'a mut [u8],
    /// Bytes from vertex to vertex.
    pub stride: usize,
    /// How the element is stored.
    pub ty: ElementType,
}

impl ColumnMut<'_> {
    /// Writes the components in `mask` (x in bit 0) of `count` vertices; the others keep their
    /// bytes. Numbers are clamped to what the type holds and rounded to nearest.
    pub fn store(self, count: usize, mask: u8, get: impl Fn(usize) -> [f32; 4]) {
        match self.ty {
            ElementType::Float1 => self.floats::<4>(count, mask, get),
            ElementType::Float2 => self.floats::<8>(count, mask, get),
            ElementType::Float3 => self.floats::<12>(count, mask, get),
            ElementType::Float4 => self.floats::<16>(count, mask, get),
            ElementType::Color => self.octets(count, mask, [2, 1, 0, 3], 255.0, get),
            ElementType::UByte4 => self.octets(count, mask, [0, 1, 2, 3], 1.0, get),
            ElementType::UByte4N => self.octets(count, mask, [0, 1, 2, 3], 255.0, get),
            ElementType::Short2 => self.words::<4>(count, mask, get, |x| nearest(x) as i16 as u16),
            ElementType::Short4 => self.words::<8>(count, mask, get, |x| nearest(x) as i16 as u16),
            ElementType::Short2N => self.words::<4>(count, mask, get, normalized),
            ElementType::Short4N => self.words::<8>(count, mask, get, normalized),
            ElementType::UShort2N => self.words::<4>(count, mask, get, share),
            ElementType::UShort4N => self.words::<8>(count, mask, get, share),
            ElementType::UDec3 => self.fields(count, mask, get, |x| (nearest(x) as u32).min(1023)),
            ElementType::Dec3N => self.fields(count, mask, get, |x| {
                nearest(x.clamp(-1.0, 1.0) * 511.0) as i32 as u32 & 1023
            }),
            ElementType::Half2 => self.words::<4>(count, mask, get, half_bits),
            ElementType::Half4 => self.words::<8>(count, mask, get, half_bits),
        }
    }

    /// The same from lanes, beginning with component `first` of them; the first [`GROUP`] at most.
    pub fn store_lanes(self, count: usize, mask: u8, lanes: &GroupRegister, first: usize) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| &lanes[(n + first) & 3]);
        self.store(count.min(GROUP), mask, |n| {
            let n = n % GROUP;
            [a[n], b[n], c[n], d[n]]
        });
    }

    /// Copies `count` elements of the same type as they are.
    pub fn copy(self, count: usize, from: Column<'_>) {
        let size = self.ty.size();
        let mut from = from;
        let mut to = self.bytes;
        for _ in 0..count {
            let (Some(old), Some(new)) = (to.get_mut(..size), from.bytes.get(..size)) else {
                return;
            };
            old.copy_from_slice(new);
            to = to.get_mut(self.stride..).unwrap_or_default();
            from = from.from(1);
        }
    }

    #[inline(always)]
    fn each<const SIZE: usize>(self, count: usize, mut f: impl FnMut(usize, &mut [u8; SIZE])) {
        let mut rest = self.bytes;
        for n in 0..count {
            let Some(element) = rest.first_chunk_mut() else {
                return;
            };
            f(n, element);
            rest = rest.get_mut(self.stride..).unwrap_or_default();
        }
    }

    #[inline(always)]
    fn floats<const SIZE: usize>(self, count: usize, mask: u8, get: impl Fn(usize) -> [f32; 4]) {
        let all = (1u8 << (SIZE / 4)) - 1;
        if mask & all == all {
            self.each(count, |n, to: &mut [u8; SIZE]| {
                let value = get(n);
                for (to, x) in to.as_chunks_mut().0.iter_mut().zip(value) {
                    *to = x.to_le_bytes();
                }
            });
            return;
        }
        self.each(count, |n, to: &mut [u8; SIZE]| {
            let value = get(n);
            for (c, (to, x)) in to.chunks_exact_mut(4).zip(value).enumerate() {
                if mask >> c & 1 != 0 {
                    to.copy_from_slice(&x.to_le_bytes());
                }
            }
        });
    }

    /// Four bytes, of components times `scale`; `places` says which byte each component is.
    #[inline(always)]
    fn octets(
        self,
        count: usize,
        mask: u8,
        places: [usize; 4],
        scale: f32,
        get: impl Fn(usize) -> [f32; 4],
    ) {
        self.each(count, |n, to: &mut [u8; 4]| {
            let value = get(n);
            for (c, place) in places.into_iter().enumerate() {
                if mask >> c & 1 != 0 {
                    to[place] = nearest(value[c] * scale) as u8;
                }
            }
        });
    }

    #[inline(always)]
    fn words<const SIZE: usize>(
        self,
        count: usize,
        mask: u8,
        get: impl Fn(usize) -> [f32; 4],
        bits: impl Fn(f32) -> u16,
    ) {
        self.each(count, |n, to: &mut [u8; SIZE]| {
            let value = get(n);
            for (c, (to, x)) in to.chunks_exact_mut(2).zip(value).enumerate() {
                if mask >> c & 1 != 0 {
                    to.copy_from_slice(&bits(x).to_le_bytes());
                }
            }
        });
    }

    /// Three fields of ten bits.
    #[inline(always)]
    fn fields(
        self,
        count: usize,
        mask: u8,
        get: impl Fn(usize) -> [f32; 4],
        bits: impl Fn(f32) -> u32,
    ) {
        self.each(count, |n, to: &mut [u8; 4]| {
            let value = get(n);
            let mut all = u32::from_le_bytes(*to);
            for (c, x) in value.into_iter().take(3).enumerate() {
                if mask >> c & 1 != 0 {
                    let shift = 10 * c;
                    all = all & !(1023 << shift) | bits(x) << shift;
                }
            }
            *to = all.to_le_bytes();
        });
    }
}

/// A number whose whole part is the nearest whole number, ties away from 0. Casts to integers
/// saturate, and make 0 of what is no number.
#[inline(always)]
fn nearest(x: f32) -> f32 {
    x + 0.5f32.copysign(x)
}

/// -1 to 1 as a signed word.
fn normalized(x: f32) -> u16 {
    nearest(x.clamp(-1.0, 1.0) * 32767.0) as i16 as u16
}

/// 0 to 1 as a word.
fn share(x: f32) -> u16 {
    nearest(x * 65535.0) as u16
}

fn half_bits(x: f32) -> u16 {
    f16::from_f32(x).to_bits()
}
