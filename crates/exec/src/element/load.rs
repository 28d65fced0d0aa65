//! Reading vertex elements.

use super::{Column, ElementType};
use crate::limits::GROUP;
use crate::vertex::GroupRegister;
use half::f16;

/// What a byte is of 0 to 1: dividing is dearer than looking it up.
static UNORM8: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut n = 0;
    while n < 256 {
        table[n] = n as f32 / 255.0;
        n += 1;
    }
    table
};

/// Something that elements of up to `K` stored components are handed to.
trait Sink {
    fn take<const SIZE: usize, const K: usize>(
        &mut self,
        column: Column<'_>,
        decode: impl Fn(&[u8; SIZE]) -> [f32; K],
    );
}

impl<'a> Column<'a> {
    /// The column from its vertex `n` on.
    pub fn from(self, n: usize) -> Self {
        let start = n.checked_mul(self.stride);
        let bytes = start.and_then(|start| self.bytes.get(start..));
        Self {
            bytes: bytes.unwrap_or(&[]),
            ..self
        }
    }

    /// Calls `put` with the element of each of `count` vertices, components that the type lacks
    /// filled from (0, 0, 0, 1). Vertices past the end of the bytes are left out.
    pub fn load(self, count: usize, put: impl FnMut(usize, [f32; 4])) {
        self.decode(&mut Each { count, put });
    }

    /// Fills the components in `mask` (x in bit 0) of the first `count` lanes, [`GROUP`] at most,
    /// as [`Column::load`] does.
    pub fn fill(self, count: usize, mask: u8, lanes: &mut GroupRegister) {
        let count = count.min(GROUP);
        self.decode(&mut Fill { count, mask, lanes });
    }

    #[inline(always)]
    fn decode(self, sink: &mut impl Sink) {
        use ElementType as T;
        match self.ty {
            T::Float1 => sink.take(self, |b: &[u8; 4]| [float(b, 0)]),
            T::Float2 => sink.take(self, |b: &[u8; 8]| [float(b, 0), float(b, 4)]),
            T::Float3 => sink.take(self, |b: &[u8; 12]| [0, 4, 8].map(|at| float(b, at))),
            T::Float4 => sink.take(self, |b: &[u8; 16]| [0, 4, 8, 12].map(|at| float(b, at))),
            T::Color => sink.take(self, |&[b, g, r, a]: &[u8; 4]| [r, g, b, a].map(unorm)),
            T::UByte4 => sink.take(self, |b: &[u8; 4]| b.map(f32::from)),
            T::UByte4N => sink.take(self, |b: &[u8; 4]| b.map(unorm)),
            T::Short2 => sink.take(self, |b: &[u8; 4]| [short(b, 0), short(b, 2)]),
            T::Short4 => sink.take(self, |b: &[u8; 8]| [0, 2, 4, 6].map(|at| short(b, at))),
            T::Short2N => sink.take(self, |b: &[u8; 4]| [0, 2].map(|at| signed(short(b, at)))),
            T::Short4N => sink.take(self, |b: &[u8; 8]| {
                [0, 2, 4, 6].map(|at| signed(short(b, at)))
            }),
            T::UShort2N => sink.take(self, |b: &[u8; 4]| [0, 2].map(|at| unsigned(b, at))),
            T::UShort4N => sink.take(self, |b: &[u8; 8]| [0, 2, 4, 6].map(|at| unsigned(b, at))),
            T::UDec3 => sink.take(self, |b: &[u8; 4]| {
                let bits = u32::from_le_bytes(*b);
                [0, 10, 20].map(|shift| (bits >> shift & 1023) as f32)
            }),
            T::Dec3N => sink.take(self, |b: &[u8; 4]| {
                let bits = u32::from_le_bytes(*b);
                let field = |shift: u32| ((bits << (22 - shift)) as i32 >> 22) as f32;
                [0, 10, 20].map(|shift| (field(shift) / 511.0).max(-1.0))
            }),
            T::Half2 => sink.take(self, |b: &[u8; 4]| [half(b, 0), half(b, 2)]),
            T::Half4 => sink.take(self, |b: &[u8; 8]| [0, 2, 4, 6].map(|at| half(b, at))),
        }
    }

    #[inline(always)]
    fn each<const SIZE: usize>(self, count: usize, mut f: impl FnMut(usize, &[u8; SIZE])) {
        let mut rest = self.bytes;
        for n in 0..count {
            let Some(element) = rest.first_chunk() else {
                return;
            };
            f(n, element);
            rest = rest.get(self.stride..).unwrap_or(&[]);
        }
    }

    /// Of the first `count` vertices those whose elements end within the bytes.
    #[inline(always)]
    fn whole(self, count: usize) -> usize {
        match self.bytes.len().checked_sub(self.ty.size()) {
            None => 0,
            Some(rest) => match rest.checked_div(self.stride) {
                None => count,
                Some(more) => count.min(more.saturating_add(1)),
            },
        }
    }
}

struct Each<F> {
    count: usize,
    put: F,
}

impl<F: FnMut(usize, [f32; 4])> Sink for Each<F> {
    #[inline(always)]
    fn take<const SIZE: usize, const K: usize>(
        &mut self,
        column: Column<'_>,
        decode: impl Fn(&[u8; SIZE]) -> [f32; K],
    ) {
        column.each(self.count, |n, b| {
            let mut value = [0.0, 0.0, 0.0, 1.0];
            value[..K].copy_from_slice(&decode(b));
            (self.put)(n, value);
        });
    }
}

struct Fill<'a> {
    count: usize,
    mask: u8,
    lanes: &'a mut GroupRegister,
}

impl Sink for Fill<'_> {
    #[inline(always)]
    fn take<const SIZE: usize, const K: usize>(
        &mut self,
        column: Column<'_>,
        decode: impl Fn(&[u8; SIZE]) -> [f32; K],
    ) {
        let all = (1u8 << K) - 1;
        if self.mask & all == all {
            column.each(self.count, |n, b| {
                for (to, x) in self.lanes.iter_mut().zip(decode(b)) {
                    to[n] = x;
                }
            });
        } else {
            column.each(self.count, |n, b| {
                for (c, (to, x)) in self.lanes.iter_mut().zip(decode(b)).enumerate() {
                    if self.mask >> c & 1 != 0 {
                        to[n] = x;
                    }
                }
            });
        }
        let count = column.whole(self.count);
        for c in (K..4).filter(|c| self.mask >> c & 1 != 0) {
            self.lanes[c][..count].fill(if c == 3 { 1.0 } else { 0.0 });
        }
    }
}

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn short(bytes: &[u8], at: usize) -> f32 {
    f32::from(word(bytes, at) as i16)
}

fn unorm(x: u8) -> f32 {
    UNORM8[usize::from(x)]
}

fn signed(x: f32) -> f32 {
    (x / 32767.0).max(-1.0)
}

fn unsigned(bytes: &[u8], at: usize) -> f32 {
    f32::from(word(bytes, at)) / 65535.0
}

fn half(bytes: &[u8], at: usize) -> f32 {
    f16::from_bits(word(bytes, at)).to_f32()
}
