//! Vertex elements in memory: as four floats each, and back.

mod load;
mod store;

pub use store::ColumnMut;

/// How a vertex element is stored, in the order of `D3DDECLTYPE`.
///
/// Of signed normalised numbers the largest value stands for 1, and what is below its negative
/// for -1. `UDec3` and `Dec3N` are three fields of ten bits, x lowest; bits 30 and 31 are not
/// theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ElementType {
    /// `D3DDECLTYPE_FLOAT1`.
    Float1,
    /// `D3DDECLTYPE_FLOAT2`.
    Float2,
    /// `D3DDECLTYPE_FLOAT3`.
    Float3,
    /// `D3DDECLTYPE_FLOAT4`.
    Float4,
    /// `D3DDECLTYPE_D3DCOLOR`.
    Color,
    /// `D3DDECLTYPE_UBYTE4`.
    UByte4,
    /// `D3DDECLTYPE_SHORT2`.
    Short2,
    /// `D3DDECLTYPE_SHORT4`.
    Short4,
    /// `D3DDECLTYPE_UBYTE4N`.
    UByte4N,
    /// `D3DDECLTYPE_SHORT2N`.
    Short2N,
    /// `D3DDECLTYPE_SHORT4N`.
    Short4N,
    /// `D3DDECLTYPE_USHORT2N`.
    UShort2N,
    /// `D3DDECLTYPE_USHORT4N`.
    UShort4N,
    /// `D3DDECLTYPE_UDEC3`.
    UDec3,
    /// `D3DDECLTYPE_DEC3N`.
    Dec3N,
    /// `D3DDECLTYPE_FLOAT16_2`.
    Half2,
    /// `D3DDECLTYPE_FLOAT16_4`.
    Half4,
}

impl ElementType {
    /// All types, in the order of their numbers.
    pub const ALL: [ElementType; 17] = [
        ElementType::Float1,
        ElementType::Float2,
        ElementType::Float3,
        ElementType::Float4,
        ElementType::Color,
        ElementType::UByte4,
        ElementType::Short2,
        ElementType::Short4,
        ElementType::UByte4N,
        ElementType::Short2N,
        ElementType::Short4N,
        ElementType::UShort2N,
        ElementType::UShort4N,
        ElementType::UDec3,
        ElementType::Dec3N,
        ElementType::Half2,
        ElementType::Half4,
    ];

    /// The type of a `D3DDECLTYPE_*` number; `None` for `D3DDECLTYPE_UNUSED` and above.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The `D3DDECLTYPE_*` number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Bytes that an element takes.
    pub fn size(self) -> usize {
        use ElementType as T;
        match self {
            T::Float4 => 16,
            T::Float3 => 12,
            T::Float2 | T::Short4 | T::Short4N | T::UShort4N | T::Half4 => 8,
            T::Float1
            | T::Color
            | T::UByte4
            | T::UByte4N
            | T::Short2
            | T::Short2N
            | T::UShort2N
            | T::UDec3
            | T::Dec3N
            | T::Half2 => 4,
        }
    }

    /// Components that are stored; the others are read as 0, 0, 0 and 1.
    pub fn components(self) -> usize {
        use ElementType as T;
        match self {
            T::Float1 => 1,
            T::Float2 | T::Short2 | T::Short2N | T::UShort2N | T::Half2 => 2,
            T::Float3 | T::UDec3 | T::Dec3N => 3,
            _ => 4,
        }
    }
}

/// One element of consecutive vertices, to read.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// From the first byte of the first vertex's element on.
    pub bytes: &'a [u8],
    /// Bytes from vertex to vertex; 0 repeats the first.
    pub stride: usize,
    /// How the element is stored.
    pub ty: ElementType,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::GROUP;

    fn load(ty: ElementType, bytes: &[u8]) -> [f32; 4] {
        let mut value = [f32::NAN; 4];
        let column = Column {
            bytes,
            stride: 0,
            ty,
        };
        column.load(1, |_, v| value = v);
        let mut lanes = [[f32::NAN; GROUP]; 4];
        column.fill(1, 0xF, &mut lanes);
        assert_eq!(lanes.map(|component| component[0]), value, "{ty:?}");
        value
    }

    fn store(ty: ElementType, old: &[u8], mask: u8, value: [f32; 4]) -> Vec<u8> {
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
    type Case = (ElementType, &'static [u8], [f32; 4]);

    const CASES: &[Case] = &[
        (
            ElementType::Float1,
            &[0, 0, 0x80, 0x3F],
            [1.0, 0.0, 0.0, 1.0],
        ),
        (
            ElementType::Float2,
            &[0, 0, 0, 0xC0, 0, 0, 0, 0x3F],
            [-2.0, 0.5, 0.0, 1.0],
        ),
        (
            ElementType::Float3,
            &[0, 0, 0, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41],
            [2.0, 4.0, 8.0, 1.0],
        ),
        (
            ElementType::Float4,
            &[0, 0, 0, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41, 0, 0, 0, 0],
            [2.0, 4.0, 8.0, 0.0],
        ),
        // 0xAARRGGBB in memory is B, G, R, A.
        (ElementType::Color, &[51, 102, 255, 0], [1.0, 0.4, 0.2, 0.0]),
        (
            ElementType::UByte4,
            &[0, 1, 128, 255],
            [0.0, 1.0, 128.0, 255.0],
        ),
        (
            ElementType::UByte4N,
            &[0, 51, 102, 255],
            [0.0, 0.2, 0.4, 1.0],
        ),
        (
            ElementType::Short2,
            &[0xFF, 0xFF, 2, 1],
            [-1.0, 258.0, 0.0, 1.0],
        ),
        (
            ElementType::Short4,
            &[0, 0x80, 0xFF, 0x7F, 1, 0, 0, 0],
            [-32768.0, 32767.0, 1.0, 0.0],
        ),
        (
            ElementType::Short2N,
            &[0xFF, 0x7F, 0x01, 0x80],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            ElementType::Short4N,
            &[0xFF, 0x7F, 0x01, 0x80, 0, 0, 0xFF, 0x7F],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            ElementType::UShort2N,
            &[0xFF, 0xFF, 0, 0],
            [1.0, 0.0, 0.0, 1.0],
        ),
        (
            ElementType::UShort4N,
            &[0xFF, 0xFF, 0, 0, 0x33, 0x33, 0xFF, 0xFF],
            [1.0, 0.0, 0.2, 1.0],
        ),
        // 1023, 5, 512; then 511, -511 and 0.
        (
            ElementType::UDec3,
            &[0xFF, 0x17, 0x00, 0x20],
            [1023.0, 5.0, 512.0, 1.0],
        ),
        (
            ElementType::Dec3N,
            &[0xFF, 0x05, 0x08, 0x00],
            [1.0, -1.0, 0.0, 1.0],
        ),
        (
            ElementType::Half2,
            &[0, 0x3C, 0, 0xC0],
            [1.0, -2.0, 0.0, 1.0],
        ),
        (
            ElementType::Half4,
            &[0, 0x3C, 0, 0xC0, 0, 0x38, 0, 0],
            [1.0, -2.0, 0.5, 0.0],
        ),
    ];

    #[test]
    fn every_type_reads_as_documented_and_writes_back_what_it_read() {
        for &(ty, bytes, value) in CASES {
            assert_eq!(ty.size(), bytes.len(), "{ty:?}");
            assert_eq!(load(ty, bytes), value, "{ty:?}");
            let blank = vec![0xCD; bytes.len()];
            let mut expected = bytes.to_vec();
            if matches!(ty, ElementType::UDec3 | ElementType::Dec3N) {
                // The two bits that no field has stay as they were.
                expected[3] |= 0xC0;
            }
            assert_eq!(store(ty, &blank, 0xF, value), expected, "{ty:?}");
            assert_eq!(store(ty, &blank, 0, value), blank, "{ty:?}");
        }
        let mut types: Vec<u8> = CASES.iter().map(|case| case.0.number()).collect();
        types.sort();
        assert_eq!(types, (0..17).collect::<Vec<u8>>());
        assert_eq!(ElementType::from_number(17), None);
    }

    #[test]
    fn numbers_are_clamped_and_rounded() {
        let color = |value| store(ElementType::Color, &[0; 4], 0xF, value);
        // 0.5 is 127.5, which rounds up; 0.1 is 25.5 less a little.
        assert_eq!(color([0.5, -3.0, 7.0, f32::NAN]), [255, 0, 128, 0]);
        assert_eq!(color([f32::INFINITY, -0.0, 0.2, 1.0]), [51, 0, 255, 255]);
        let words = |ty, value| store(ty, &[0; 8], 0xF, value);
        assert_eq!(
            words(ElementType::Short4, [1e9, -1e9, -1.5, 1.4]),
            [0xFF, 0x7F, 0, 0x80, 0xFE, 0xFF, 1, 0]
        );
        assert_eq!(
            words(ElementType::Short4N, [2.0, -2.0, 0.0, -1.0]),
            [0xFF, 0x7F, 0x01, 0x80, 0, 0, 0x01, 0x80]
        );
        assert_eq!(
            store(ElementType::UDec3, &[0; 4], 0xF, [4000.0, -1.0, 1.5, 0.0]),
            (1023u32 | 2 << 20).to_le_bytes()
        );
    }

    #[test]
    fn only_masked_components_are_written() {
        let blank = [0xCD; 16];
        let bytes = store(ElementType::Float4, &blank, 0b1010, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(bytes[..4], blank[..4]);
        assert_eq!(bytes[4..8], 2.0f32.to_le_bytes());
        assert_eq!(bytes[8..12], blank[..4]);
        assert_eq!(bytes[12..], 4.0f32.to_le_bytes());
        // Red and alpha of a colour.
        let color = store(ElementType::Color, &[9; 4], 0b1001, [1.0; 4]);
        assert_eq!(color, [9, 9, 255, 255]);
    }

    #[test]
    fn columns_end_with_their_bytes() {
        let bytes = [0u8; 4 * 12 - 1];
        let column = Column {
            bytes: &bytes,
            stride: 12,
            ty: ElementType::Float3,
        };
        let mut loaded = 0;
        column.load(9, |_, _| loaded += 1);
        assert_eq!(loaded, 3);
        let mut bytes = [1u8; 4 * 12 - 1];
        let column = ColumnMut {
            bytes: &mut bytes,
            stride: 12,
            ty: ElementType::Float3,
        };
        column.store(9, 7, |_| [0.0; 4]);
        assert_eq!(bytes[..36], [0; 36]);
        assert_eq!(bytes[36..], [1; 11]);
    }

    #[test]
    fn lanes_are_filled_as_far_as_vertices_and_masks_go() {
        let bytes: Vec<u8> = (1..=12u8)
            .flat_map(|n| f32::from(n).to_le_bytes())
            .collect();
        let column = Column {
            bytes: &bytes,
            stride: 12,
            ty: ElementType::Float2,
        };
        let blank = [[-1.0; GROUP]; 4];
        let mut lanes = blank;
        column.fill(3, 0b1111, &mut lanes);
        assert_eq!(lanes[0][..4], [1.0, 4.0, 7.0, -1.0]);
        assert_eq!(lanes[1][..4], [2.0, 5.0, 8.0, -1.0]);
        assert_eq!(lanes[2][..4], [0.0, 0.0, 0.0, -1.0]);
        assert_eq!(lanes[3][..4], [1.0, 1.0, 1.0, -1.0]);
        let mut lanes = blank;
        column.fill(3, 0b1010, &mut lanes);
        assert_eq!((lanes[0], lanes[2]), (blank[0], blank[2]));
        assert_eq!(lanes[1][..4], [2.0, 5.0, 8.0, -1.0]);
        assert_eq!(lanes[3][..4], [1.0, 1.0, 1.0, -1.0]);
        // More than there are: the last vertex has no whole element.
        let short = Column {
            bytes: &bytes[..44],
            ..column
        };
        let mut lanes = blank;
        short.fill(usize::MAX, 0b0001, &mut lanes);
        assert_eq!(lanes[0][..5], [1.0, 4.0, 7.0, 10.0, -1.0]);
        let mut lanes = blank;
        short.from(4).fill(1, 0xF, &mut lanes);
        assert_eq!(lanes, blank);
    }
}
