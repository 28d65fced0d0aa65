//! Direct3D vertex element types: how the GPU fetches them, and the conversion of those it cannot
//! fetch as floats.

use ninefold_gpu::types::VertexFormat;

/// How one `D3DDECLTYPE` reaches the vertex function, whose attributes are all four floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetch {
    /// The GPU converts while fetching.
    Native(VertexFormat),
    /// The draw expands the element to four floats while copying the stream: the GPU can fetch
    /// such integers only as integers.
    Convert(Convert),
}

/// Element types that are expanded on the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convert {
    /// `UBYTE4`: four bytes as 0 to 255.
    Ubyte4,
    /// `SHORT2`: two signed words, then 0 and 1.
    Short2,
    /// `SHORT4`: four signed words.
    Short4,
    /// `UDEC3`: three unsigned 10-bit fields as 0 to 1023, then 1.
    Udec3,
    /// `DEC3N`: three signed 10-bit fields as -1 to 1, then 1.
    Dec3n,
}

/// Bytes and fetch of a `D3DDECLTYPE`, or `None` for unknown and unused types.
pub(crate) fn element_type(ty: u8) -> Option<(u16, Fetch)> {
    use Fetch::{Convert as C, Native as N};
    Some(match ty {
        0 => (4, N(VertexFormat::Float32)),
        1 => (8, N(VertexFormat::Float32x2)),
        2 => (12, N(VertexFormat::Float32x3)),
        3 => (16, N(VertexFormat::Float32x4)),
        4 => (4, N(VertexFormat::Unorm8x4Bgra)),
        5 => (4, C(Convert::Ubyte4)),
        6 => (4, C(Convert::Short2)),
        7 => (8, C(Convert::Short4)),
        8 => (4, N(VertexFormat::Unorm8x4)),
        9 => (4, N(VertexFormat::Snorm16x2)),
        10 => (8, N(VertexFormat::Snorm16x4)),
        11 => (4, N(VertexFormat::Unorm16x2)),
        12 => (8, N(VertexFormat::Unorm16x4)),
        13 => (4, C(Convert::Udec3)),
        14 => (4, C(Convert::Dec3n)),
        15 => (4, N(VertexFormat::Float16x2)),
        16 => (8, N(VertexFormat::Float16x4)),
        _ => return None,
    })
}

impl Convert {
    /// Expands one element, which the slice begins with.
    pub(crate) fn expand(self, bytes: &[u8]) -> [f32; 4] {
        let word = |at: usize| f32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]));
        match self {
            Self::Ubyte4 => [bytes[0], bytes[1], bytes[2], bytes[3]].map(f32::from),
            Self::Short2 => [word(0), word(2), 0.0, 1.0],
            Self::Short4 => [word(0), word(2), word(4), word(6)],
            Self::Udec3 | Self::Dec3n => {
                let bits = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                let field = |shift: u32| {
                    if self == Self::Udec3 {
                        ((bits >> shift) & 1023) as f32
                    } else {
                        let signed = ((bits << (22 - shift)) as i32) >> 22;
                        (signed as f32 / 511.0).max(-1.0)
                    }
                };
                [field(0), field(10), field(20), 1.0]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Convert, Fetch, element_type};

    #[test]
    fn integers_expand_as_documented() {
        assert_eq!(
            Convert::Ubyte4.expand(&[0, 1, 128, 255]),
            [0.0, 1.0, 128.0, 255.0]
        );
        assert_eq!(
            Convert::Short2.expand(&[0xFF, 0xFF, 0x02, 0x01]),
            [-1.0, 258.0, 0.0, 1.0]
        );
        assert_eq!(
            Convert::Short4.expand(&[0, 0x80, 0xFF, 0x7F, 1, 0, 0, 0]),
            [-32768.0, 32767.0, 1.0, 0.0]
        );
        let udec = (1023u32 | 5 << 10 | 512 << 20).to_le_bytes();
        assert_eq!(Convert::Udec3.expand(&udec), [1023.0, 5.0, 512.0, 1.0]);
        // 511 is 1, 0x201 (-511) is -1, 0x200 (-512) clamps to -1.
        let dec = (511u32 | 0x201 << 10 | 0x200 << 20).to_le_bytes();
        assert_eq!(Convert::Dec3n.expand(&dec), [1.0, -1.0, -1.0, 1.0]);
    }

    #[test]
    fn every_type_has_its_size() {
        let sizes: Vec<u16> = (0..17).map(|ty| element_type(ty).unwrap().0).collect();
        assert_eq!(sizes, [4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8]);
        assert!(element_type(17).is_none());
        for ty in 0..17 {
            let (bytes, fetch) = element_type(ty).unwrap();
            match fetch {
                Fetch::Native(format) => assert_eq!(format.size(), u64::from(bytes)),
                Fetch::Convert(convert) => {
                    assert_eq!(convert.expand(&vec![0; usize::from(bytes)])[0], 0.0);
                }
            }
        }
    }
}
