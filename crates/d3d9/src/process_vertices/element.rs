//! Vertex elements as four floats, and back, by `D3DDECLTYPE`.

use half::f16;

use crate::consts::*;
use crate::fvf::type_size;

/// One element of consecutive vertices. `bytes` begins with that of the first.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    pub(super) bytes: &'a [u8],
    /// Bytes from vertex to vertex; 0 repeats the first.
    pub(super) stride: usize,
    pub(super) ty: u8,
}

impl<'a> Column<'a> {
    /// The column from its vertex `n` on.
    pub(super) fn from(self, n: usize) -> Self {
        let bytes = self.bytes.get(n * self.stride..).unwrap_or(&[]);
        Self { bytes, ..self }
    }

    /// Calls `put` with the element of each of `count` vertices, components that the type lacks
    /// filled from (0, 0, 0, 1). Vertices past the end of the bytes are left out.
    pub(super) fn load(self, count: usize, mut put: impl FnMut(usize, [f32; 4])) {
        let n = count;
        match self.ty {
            D3DDECLTYPE_FLOAT1 => self.each(n, |n, b: &[u8; 4]| {
                put(n, [float(b, 0), 0.0, 0.0, 1.0]);
            }),
            D3DDECLTYPE_FLOAT2 => self.each(n, |n, b: &[u8; 8]| {
                put(n, [float(b, 0), float(b, 4), 0.0, 1.0]);
            }),
            D3DDECLTYPE_FLOAT3 => self.each(n, |n, b: &[u8; 12]| {
                put(n, [float(b, 0), float(b, 4), float(b, 8), 1.0]);
            }),
            D3DDECLTYPE_FLOAT4 => self.each(n, |n, b: &[u8; 16]| {
                put(n, [0, 4, 8, 12].map(|at| float(b, at)));
            }),
            D3DDECLTYPE_D3DCOLOR => self.each(n, |n, &[b, g, r, a]: &[u8; 4]| {
                put(n, [r, g, b, a].map(|c| f32::from(c) / 255.0));
            }),
            D3DDECLTYPE_UBYTE4 => self.each(n, |n, b: &[u8; 4]| put(n, b.map(f32::from))),
            D3DDECLTYPE_UBYTE4N => self.each(n, |n, b: &[u8; 4]| {
                put(n, b.map(|c| f32::from(c) / 255.0));
            }),
            D3DDECLTYPE_SHORT2 => self.each(n, |n, b: &[u8; 4]| {
                put(n, [short(b, 0), short(b, 2), 0.0, 1.0]);
            }),
            D3DDECLTYPE_SHORT4 => self.each(n, |n, b: &[u8; 8]| {
                put(n, [0, 2, 4, 6].map(|at| short(b, at)));
            }),
            D3DDECLTYPE_SHORT2N => self.each(n, |n, b: &[u8; 4]| {
                put(n, [signed(short(b, 0)), signed(short(b, 2)), 0.0, 1.0]);
            }),
            D3DDECLTYPE_SHORT4N => self.each(n, |n, b: &[u8; 8]| {
                put(n, [0, 2, 4, 6].map(|at| signed(short(b, at))));
            }),
            D3DDECLTYPE_USHORT2N => self.each(n, |n, b: &[u8; 4]| {
                put(n, [unsigned(b, 0), unsigned(b, 2), 0.0, 1.0]);
            }),
            D3DDECLTYPE_USHORT4N => self.each(n, |n, b: &[u8; 8]| {
                put(n, [0, 2, 4, 6].map(|at| unsigned(b, at)));
            }),
            D3DDECLTYPE_UDEC3 => self.each(n, |n, b: &[u8; 4]| {
                let bits = u32::from_le_bytes(*b);
                let [x, y, z] = [0, 10, 20].map(|shift| (bits >> shift & 1023) as f32);
                put(n, [x, y, z, 1.0]);
            }),
            D3DDECLTYPE_DEC3N => self.each(n, |n, b: &[u8; 4]| {
                let bits = u32::from_le_bytes(*b);
                let field = |shift: u32| ((bits << (22 - shift)) as i32 >> 22) as f32;
                let [x, y, z] = [0, 10, 20].map(|shift| (field(shift) / 511.0).max(-1.0));
                put(n, [x, y, z, 1.0]);
            }),
            D3DDECLTYPE_FLOAT16_2 => self.each(n, |n, b: &[u8; 4]| {
                put(n, [half(b, 0), half(b, 2), 0.0, 1.0]);
            }),
            D3DDECLTYPE_FLOAT16_4 => self.each(n, |n, b: &[u8; 8]| {
                put(n, [0, 2, 4, 6].map(|at| half(b, at)));
            }),
            _ => {}
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
}

/// One element of consecutive vertices to write.
pub(super) struct ColumnMut<'a> {
    pub(super) bytes: &'a mut [u8],
    pub(super) stride: usize,
    pub(super) ty: u8,
}

impl ColumnMut<'_> {
    /// Writes the components in `mask` (x in bit 0) of `count` vertices; the others keep their
    /// bytes. Numbers are clamped to what the type holds and rounded to nearest.
    pub(super) fn store(self, count: usize, mask: u8, get: impl Fn(usize) -> [f32; 4]) {
        match self.ty {
            D3DDECLTYPE_FLOAT1 => self.floats::<4>(count, mask, get),
            D3DDECLTYPE_FLOAT2 => self.floats::<8>(count, mask, get),
            D3DDECLTYPE_FLOAT3 => self.floats::<12>(count, mask, get),
            D3DDECLTYPE_FLOAT4 => self.floats::<16>(count, mask, get),
            D3DDECLTYPE_D3DCOLOR => self.octets(count, mask, [2, 1, 0, 3], 255.0, get),
            D3DDECLTYPE_UBYTE4 => self.octets(count, mask, [0, 1, 2, 3], 1.0, get),
            D3DDECLTYPE_UBYTE4N => self.octets(count, mask, [0, 1, 2, 3], 255.0, get),
            D3DDECLTYPE_SHORT2 => self.words::<4>(count, mask, get, |x| nearest(x) as i16 as u16),
            D3DDECLTYPE_SHORT4 => self.words::<8>(count, mask, get, |x| nearest(x) as i16 as u16),
            D3DDECLTYPE_SHORT2N => self.words::<4>(count, mask, get, normalized),
            D3DDECLTYPE_SHORT4N => self.words::<8>(count, mask, get, normalized),
            D3DDECLTYPE_USHORT2N => self.words::<4>(count, mask, get, share),
            D3DDECLTYPE_USHORT4N => self.words::<8>(count, mask, get, share),
            D3DDECLTYPE_UDEC3 => self.fields(count, mask, get, |x| (nearest(x) as u32).min(1023)),
            D3DDECLTYPE_DEC3N => self.fields(count, mask, get, |x| {
                nearest(x.clamp(-1.0, 1.0) * 511.0) as i32 as u32 & 1023
            }),
            D3DDECLTYPE_FLOAT16_2 => self.words::<4>(count, mask, get, half_bits),
            D3DDECLTYPE_FLOAT16_4 => self.words::<8>(count, mask, get, half_bits),
            _ => {}
        }
    }

    /// Copies `count` elements of the same type as they are.
    pub(super) fn copy(self, count: usize, from: Column<'_>) {
        let size = type_size(self.ty) as usize;
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

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn short(bytes: &[u8], at: usize) -> f32 {
    f32::from(word(bytes, at) as i16)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn load(ty: u8, bytes: &[u8]) -> [f32; 4] {
        let mut value = [f32::NAN; 4];
        let column = Column {
            bytes,
            stride: 0,
            ty,
        };
        column.load(1, |_, v| value = v);
        value
    }

    fn store(ty: u8, old: &[u8], mask: u8, value: [f32; 4]) -> Vec<u8> {
        let mut bytes = old.to_vec();
        let column = ColumnMut {
            bytes: &mut bytes,
            stride: 0,
            ty,
        };
        column.store(1, mask, |_| value);
        bytes
    }

    /// Type, bytes, and the value that the documentation of `D3DDECLTYPE` gives them.
    type Case = (u8, &'static [u8], [f32; 4]);

    const CASES: &[Case] = &[
        (
            D3DDECLTYPE_FLOAT1,
            &[0, 0, 0x80, 0x3F],
            [1.0, 0.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_FLOAT2,
            &[0, 0, 0, 0xC0, 0, 0, 0, 0x3F],
            [-2.0, 0.5, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_FLOAT3,
            &[0, 0, 0, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41],
            [2.0, 4.0, 8.0, 1.0],
        ),
        (
            D3DDECLTYPE_FLOAT4,
            &[0, 0, 0, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41, 0, 0, 0, 0],
            [2.0, 4.0, 8.0, 0.0],
        ),
        // 0xAARRGGBB in memory is B, G, R, A.
        (
            D3DDECLTYPE_D3DCOLOR,
            &[51, 102, 255, 0],
            [1.0, 0.4, 0.2, 0.0],
        ),
        (
            D3DDECLTYPE_UBYTE4,
            &[0, 1, 128, 255],
            [0.0, 1.0, 128.0, 255.0],
        ),
        (
            D3DDECLTYPE_UBYTE4N,
            &[0, 51, 102, 255],
            [0.0, 0.2, 0.4, 1.0],
        ),
        (
            D3DDECLTYPE_SHORT2,
            &[0xFF, 0xFF, 2, 1],
            [-1.0, 258.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_SHORT4,
            &[0, 0x80, 0xFF, 0x7F, 1, 0, 0, 0],
            [-32768.0, 32767.0, 1.0, 0.0],
        ),
        (
            D3DDECLTYPE_SHORT2N,
            &[0xFF, 0x7F, 0x01, 0x80],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_SHORT4N,
            &[0xFF, 0x7F, 0x01, 0x80, 0, 0, 0xFF, 0x7F],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_USHORT2N,
            &[0xFF, 0xFF, 0, 0],
            [1.0, 0.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_USHORT4N,
            &[0xFF, 0xFF, 0, 0, 0x33, 0x33, 0xFF, 0xFF],
            [1.0, 0.0, 0.2, 1.0],
        ),
        // 1023, 5, 512; then 511, -511 and 0.
        (
            D3DDECLTYPE_UDEC3,
            &[0xFF, 0x17, 0x00, 0x20],
            [1023.0, 5.0, 512.0, 1.0],
        ),
        (
            D3DDECLTYPE_DEC3N,
            &[0xFF, 0x05, 0x08, 0x00],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_FLOAT16_2,
            &[0, 0x3C, 0, 0xC0],
            [1.0, -2.0, 0.0, 1.0],
        ),
        (
            D3DDECLTYPE_FLOAT16_4,
            &[0, 0x3C, 0, 0xC0, 0, 0x38, 0, 0],
            [1.0, -2.0, 0.5, 0.0],
        ),
    ];

    #[test]
    fn every_type_reads_as_documented_and_writes_back_what_it_read() {
        for &(ty, bytes, value) in CASES {
            assert_eq!(type_size(ty) as usize, bytes.len(), "type {ty}");
            assert_eq!(load(ty, bytes), value, "type {ty}");
            let blank = vec![0xCD; bytes.len()];
            let mut expected = bytes.to_vec();
            if matches!(ty, D3DDECLTYPE_UDEC3 | D3DDECLTYPE_DEC3N) {
                // The two bits that no field has stay as they were.
                expected[3] |= 0xC0;
            }
            assert_eq!(store(ty, &blank, 0xF, value), expected, "type {ty}");
            assert_eq!(store(ty, &blank, 0, value), blank, "type {ty}");
        }
        let types: Vec<u8> = CASES.iter().map(|case| case.0).collect();
        assert_eq!(types.len(), 17);
        assert!((0..17).all(|ty| types.contains(&ty)));
    }

    #[test]
    fn numbers_are_clamped_and_rounded() {
        let color = |value| store(D3DDECLTYPE_D3DCOLOR, &[0; 4], 0xF, value);
        // 0.5 is 127.5, which rounds up; 0.1 is 25.5 less a little.
        assert_eq!(color([0.5, -3.0, 7.0, f32::NAN]), [255, 0, 128, 0]);
        assert_eq!(color([f32::INFINITY, -0.0, 0.2, 1.0]), [51, 0, 255, 255]);
        let words = |ty, value| store(ty, &[0; 8], 0xF, value);
        assert_eq!(
            words(D3DDECLTYPE_SHORT4, [1e9, -1e9, -1.5, 1.4]),
            [0xFF, 0x7F, 0, 0x80, 0xFE, 0xFF, 1, 0]
        );
        assert_eq!(
            words(D3DDECLTYPE_SHORT4N, [2.0, -2.0, 0.0, -1.0]),
            [0xFF, 0x7F, 0x01, 0x80, 0, 0, 0x01, 0x80]
        );
        assert_eq!(
            store(D3DDECLTYPE_UDEC3, &[0; 4], 0xF, [4000.0, -1.0, 1.5, 0.0]),
            (1023u32 | 2 << 20).to_le_bytes()
        );
    }

    #[test]
    fn only_masked_components_are_written() {
        let blank = [0xCD; 16];
        let bytes = store(D3DDECLTYPE_FLOAT4, &blank, 0b1010, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(bytes[..4], blank[..4]);
        assert_eq!(bytes[4..8], 2.0f32.to_le_bytes());
        assert_eq!(bytes[8..12], blank[..4]);
        assert_eq!(bytes[12..], 4.0f32.to_le_bytes());
        // Red and alpha of a colour.
        let color = store(D3DDECLTYPE_D3DCOLOR, &[9; 4], 0b1001, [1.0; 4]);
        assert_eq!(color, [9, 9, 255, 255]);
    }

    #[test]
    fn columns_end_with_their_bytes() {
        let bytes = [0u8; 4 * 12 - 1];
        let column = Column {
            bytes: &bytes,
            stride: 12,
            ty: D3DDECLTYPE_FLOAT3,
        };
        let mut loaded = 0;
        column.load(9, |_, _| loaded += 1);
        assert_eq!(loaded, 3);
        let mut bytes = [1u8; 4 * 12 - 1];
        let column = ColumnMut {
            bytes: &mut bytes,
            stride: 12,
            ty: D3DDECLTYPE_FLOAT3,
        };
        column.store(9, 7, |_| [0.0; 4]);
        assert_eq!(bytes[..36], [0; 36]);
        assert_eq!(bytes[36..], [1; 11]);
    }
}
