//! Texels from D3D9's formats to the GPU's and back.
//!
//! Narrow channels widen by repeating their bits, so that zero stays zero and
//! full stays full; they narrow by rounding.

/// How the texels of a format become those of its GPU format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convert {
    /// Never on the GPU, or depth: no texels go either way.
    None,
    /// The same bytes.
    Copy,
    /// Four bytes whose last becomes 255.
    Opaque8,
    /// To BGRA.
    R5G6B5,
    X1R5G5B5,
    A1R5G5B5,
    A4R4G4B4,
    X4R4G4B4,
    R8G8B8,
    R3G3B2,
    A8R3G3B2,
    A8,
    L8,
    A8L8,
    A4L4,
    /// To four 16-bit channels.
    L16,
    /// Red and blue change places in 10:10:10:2.
    A2R10G10B10,
    /// To four signed 8-bit channels, the missing ones 1.
    V8U8,
    L6V5U5,
    X8L8V8U8,
    /// DXT1 blocks to RGBA.
    Decode1,
    /// DXT2 and DXT3 blocks to RGBA.
    Decode2,
    /// DXT4 and DXT5 blocks to RGBA.
    Decode3,
}

impl Convert {
    /// Bytes of a D3D9 texel and of a GPU texel; `None` for conversions that are not by texel.
    const fn sizes(self) -> Option<(usize, usize)> {
        Some(match self {
            Self::R3G3B2 | Self::A8 | Self::L8 | Self::A4L4 => (1, 4),
            Self::R5G6B5
            | Self::X1R5G5B5
            | Self::A1R5G5B5
            | Self::A4R4G4B4
            | Self::X4R4G4B4
            | Self::A8R3G3B2
            | Self::A8L8
            | Self::V8U8
            | Self::L6V5U5 => (2, 4),
            Self::R8G8B8 => (3, 4),
            Self::Opaque8 | Self::A2R10G10B10 | Self::X8L8V8U8 => (4, 4),
            Self::L16 => (2, 8),
            Self::None | Self::Copy | Self::Decode1 | Self::Decode2 | Self::Decode3 => return None,
        })
    }

    /// Appends the GPU form of `rows` rows of `width` texels that begin `pitch` bytes apart in
    /// `data`. Not for `Copy`, whose bytes are used where they are. Data that ends early yields
    /// zeros.
    pub(crate) fn to_gpu(
        self,
        data: &[u8],
        pitch: usize,
        width: usize,
        rows: usize,
        out: &mut Vec<u8>,
    ) {
        if let Some((from, to)) = self.sizes() {
            for y in 0..rows {
                let start = out.len();
                out.resize(start + width * to, 0);
                let row = data.get(y * pitch..).unwrap_or(&[]);
                let texels = row.chunks_exact(from).take(width);
                for (texel, gpu) in texels.zip(out[start..].chunks_exact_mut(to)) {
                    self.texel_to_gpu(texel, gpu);
                }
            }
            return;
        }
        let format = match self {
            Self::Decode1 => texpresso::Format::Bc1,
            Self::Decode2 => texpresso::Format::Bc2,
            Self::Decode3 => texpresso::Format::Bc3,
            _ => return,
        };
        let row = width.div_ceil(4) * if self == Self::Decode1 { 8 } else { 16 };
        let mut blocks = Vec::with_capacity(row * rows.div_ceil(4));
        for y in 0..rows.div_ceil(4) {
            let source = data.get(y * pitch..).unwrap_or(&[]);
            let whole = source.len().min(row);
            blocks.extend_from_slice(&source[..whole]);
            blocks.resize((y + 1) * row, 0);
        }
        let start = out.len();
        out.resize(start + width * rows * 4, 0);
        format.decompress(&blocks, width, rows, &mut out[start..]);
    }

    fn texel_to_gpu(self, t: &[u8], out: &mut [u8]) {
        let two = || u16::from_le_bytes([t[0], t[1]]);
        match self {
            Self::Opaque8 => out.copy_from_slice(&[t[0], t[1], t[2], 255]),
            Self::R5G6B5 => {
                let v = two();
                out.copy_from_slice(&[five(v), six(v >> 5), five(v >> 11), 255]);
            }
            Self::X1R5G5B5 | Self::A1R5G5B5 => {
                let v = two();
                let alpha = if self == Self::X1R5G5B5 || v & 0x8000 != 0 {
                    255
                } else {
                    0
                };
                out.copy_from_slice(&[five(v), five(v >> 5), five(v >> 10), alpha]);
            }
            Self::A4R4G4B4 | Self::X4R4G4B4 => {
                let v = two();
                let alpha = if self == Self::X4R4G4B4 {
                    255
                } else {
                    four(v >> 12)
                };
                out.copy_from_slice(&[four(v), four(v >> 4), four(v >> 8), alpha]);
            }
            Self::R8G8B8 => out.copy_from_slice(&[t[0], t[1], t[2], 255]),
            Self::R3G3B2 | Self::A8R3G3B2 => {
                let alpha = if self == Self::R3G3B2 { 255 } else { t[1] };
                out.copy_from_slice(&[
                    (t[0] & 3) * 0x55,
                    three(t[0] >> 2),
                    three(t[0] >> 5),
                    alpha,
                ]);
            }
            Self::A8 => out.copy_from_slice(&[0, 0, 0, t[0]]),
            Self::L8 => out.copy_from_slice(&[t[0], t[0], t[0], 255]),
            Self::A8L8 => out.copy_from_slice(&[t[0], t[0], t[0], t[1]]),
            Self::A4L4 => {
                let l = (t[0] & 15) * 0x11;
                out.copy_from_slice(&[l, l, l, (t[0] >> 4) * 0x11]);
            }
            Self::L16 => out.copy_from_slice(&[t[0], t[1], t[0], t[1], t[0], t[1], 255, 255]),
            Self::A2R10G10B10 => out.copy_from_slice(&swap_ten(t)),
            Self::V8U8 => out.copy_from_slice(&[t[0], t[1], 127, 127]),
            Self::L6V5U5 => {
                let v = two();
                let signed = |bits: u16| {
                    let bits = (bits & 31) as i32;
                    let value = if bits >= 16 { bits - 32 } else { bits }.max(-15);
                    ((value * 127 * 2 + 15 * value.signum()) / 30) as i8 as u8
                };
                let l = u32::from(v >> 10) * 127 * 2 + 63;
                out.copy_from_slice(&[signed(v), signed(v >> 5), (l / 126) as u8, 127]);
            }
            Self::X8L8V8U8 => {
                let l = (u32::from(t[2]) * 127 * 2 + 255) / 510;
                out.copy_from_slice(&[t[0], t[1], l as u8, 127]);
            }
            Self::None | Self::Copy | Self::Decode1 | Self::Decode2 | Self::Decode3 => {}
        }
    }

    /// Whether GPU texels can be turned back into this format's.
    pub(crate) fn reads_back(self) -> bool {
        !matches!(
            self,
            Self::None | Self::Decode1 | Self::Decode2 | Self::Decode3 | Self::L6V5U5
        )
    }

    /// Writes one row of `width` texels from the GPU's bytes to D3D9's. `bytes` is the size of a
    /// D3D9 block, `blocks` their number in the row.
    pub(crate) fn row_from_gpu(self, gpu: &[u8], bytes: usize, blocks: usize, out: &mut [u8]) {
        let Some((to, from)) = self.sizes() else {
            if self == Self::Copy {
                let len = (bytes * blocks).min(gpu.len()).min(out.len());
                out[..len].copy_from_slice(&gpu[..len]);
            }
            return;
        };
        for (g, t) in gpu
            .chunks_exact(from)
            .zip(out.chunks_exact_mut(to))
            .take(blocks)
        {
            self.texel_from_gpu(g, t);
        }
    }

    fn texel_from_gpu(self, g: &[u8], out: &mut [u8]) {
        let word = match self {
            Self::Opaque8 => {
                out.copy_from_slice(&[g[0], g[1], g[2], 255]);
                return;
            }
            Self::R8G8B8 => {
                out.copy_from_slice(&g[..3]);
                return;
            }
            Self::A8 => {
                out[0] = g[3];
                return;
            }
            Self::L8 => {
                out[0] = g[2];
                return;
            }
            Self::A8L8 => {
                out.copy_from_slice(&[g[2], g[3]]);
                return;
            }
            Self::A4L4 => {
                out[0] = (narrow(g[2], 15) | narrow(g[3], 15) << 4) as u8;
                return;
            }
            Self::R3G3B2 | Self::A8R3G3B2 => {
                out[0] = (narrow(g[0], 3) | narrow(g[1], 7) << 2 | narrow(g[2], 7) << 5) as u8;
                if let Some(alpha) = out.get_mut(1) {
                    *alpha = g[3];
                }
                return;
            }
            Self::L16 | Self::V8U8 => {
                out.copy_from_slice(&g[..2]);
                return;
            }
            Self::X8L8V8U8 => {
                let l = (u32::from(g[2] & 127) * 255 + 63) / 127;
                out.copy_from_slice(&[g[0], g[1], l as u8, 0]);
                return;
            }
            Self::A2R10G10B10 => {
                out.copy_from_slice(&swap_ten(g));
                return;
            }
            Self::R5G6B5 => narrow(g[0], 31) | narrow(g[1], 63) << 5 | narrow(g[2], 31) << 11,
            Self::X1R5G5B5 | Self::A1R5G5B5 => {
                let alpha = if self == Self::X1R5G5B5 || g[3] >= 128 {
                    0x8000
                } else {
                    0
                };
                narrow(g[0], 31) | narrow(g[1], 31) << 5 | narrow(g[2], 31) << 10 | alpha
            }
            Self::A4R4G4B4 | Self::X4R4G4B4 => {
                let alpha = if self == Self::X4R4G4B4 {
                    15
                } else {
                    narrow(g[3], 15)
                };
                narrow(g[0], 15) | narrow(g[1], 15) << 4 | narrow(g[2], 15) << 8 | alpha << 12
            }
            Self::None
            | Self::Copy
            | Self::Decode1
            | Self::Decode2
            | Self::Decode3
            | Self::L6V5U5 => return,
        };
        out.copy_from_slice(&word.to_le_bytes());
    }
}

fn three(v: u8) -> u8 {
    let v = v & 7;
    v << 5 | v << 2 | v >> 1
}

fn four(v: u16) -> u8 {
    (v & 15) as u8 * 0x11
}

fn five(v: u16) -> u8 {
    let v = (v & 31) as u8;
    v << 3 | v >> 2
}

fn six(v: u16) -> u8 {
    let v = (v & 63) as u8;
    v << 2 | v >> 4
}

/// An 8-bit channel as one of 0..=`max`, rounded.
fn narrow(v: u8, max: u32) -> u16 {
    ((u32::from(v) * max * 2 + 255) / 510) as u16
}

fn swap_ten(t: &[u8]) -> [u8; 4] {
    let v = u32::from_le_bytes([t[0], t[1], t[2], t[3]]);
    (v & 0xC00F_FC00 | (v & 0x3FF) << 20 | v >> 20 & 0x3FF).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up(convert: Convert, texel: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        convert.to_gpu(texel, texel.len(), 1, 1, &mut out);
        out
    }

    #[test]
    fn texels_widen_to_the_documented_channels() {
        // Each value is worked from the bit fields of D3DFORMAT: five bits abcde become abcdeabc.
        let cases: &[(Convert, &[u8], &[u8])] = &[
            (Convert::Opaque8, &[1, 2, 3, 4], &[1, 2, 3, 255]),
            (Convert::R5G6B5, &[0x00, 0xF8], &[0, 0, 255, 255]),
            (Convert::R5G6B5, &[0xE0, 0x07], &[0, 255, 0, 255]),
            (Convert::R5G6B5, &[0x10, 0x84], &[0x84, 0x82, 0x84, 255]),
            (Convert::A1R5G5B5, &[0x1F, 0x80], &[255, 0, 0, 255]),
            (Convert::A1R5G5B5, &[0x00, 0x7C], &[0, 0, 255, 0]),
            (Convert::X1R5G5B5, &[0x00, 0x40], &[0, 0, 0x84, 255]),
            (Convert::A4R4G4B4, &[0x34, 0x12], &[0x44, 0x33, 0x22, 0x11]),
            (Convert::X4R4G4B4, &[0x34, 0x12], &[0x44, 0x33, 0x22, 255]),
            (Convert::R8G8B8, &[7, 8, 9], &[7, 8, 9, 255]),
            (Convert::R3G3B2, &[0b1010_1110], &[0xAA, 0x6D, 0xB6, 255]),
            (Convert::A8R3G3B2, &[0b1110_0001, 9], &[0x55, 0, 255, 9]),
            (Convert::A8, &[77], &[0, 0, 0, 77]),
            (Convert::L8, &[77], &[77, 77, 77, 255]),
            (Convert::A8L8, &[10, 20], &[10, 10, 10, 20]),
            (Convert::A4L4, &[0xA3], &[0x33, 0x33, 0x33, 0xAA]),
            (
                Convert::L16,
                &[0x34, 0x12],
                &[0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 255, 255],
            ),
            (Convert::V8U8, &[0x81, 0x7F], &[0x81, 0x7F, 127, 127]),
            (Convert::L6V5U5, &[0xEF, 0xFD], &[127, 127, 127, 127]),
            (Convert::L6V5U5, &[0x10, 0x00], &[0x81, 0, 0, 127]),
            (Convert::X8L8V8U8, &[0x7F, 0, 255, 0], &[0x7F, 0, 127, 127]),
        ];
        for (convert, texel, gpu) in cases {
            assert_eq!(up(*convert, texel), *gpu, "{convert:?} of {texel:02X?}");
        }
        // A2R10G10B10: alpha 3, red 1, green 2, blue 3.
        let word = 3u32 << 30 | 1 << 20 | 2 << 10 | 3;
        let gpu = 3u32 << 30 | 3 << 20 | 2 << 10 | 1;
        assert_eq!(
            up(Convert::A2R10G10B10, &word.to_le_bytes()),
            gpu.to_le_bytes()
        );
    }

    #[test]
    fn every_narrow_value_survives_the_way_there_and_back() {
        for convert in [Convert::R5G6B5, Convert::A1R5G5B5, Convert::A4R4G4B4] {
            for v in 0..=u16::MAX {
                let gpu = up(convert, &v.to_le_bytes());
                let mut back = [0; 2];
                convert.row_from_gpu(&gpu, 2, 1, &mut back);
                assert_eq!(u16::from_le_bytes(back), v, "{convert:?}");
            }
        }
    }

    #[test]
    fn rows_follow_the_pitch_and_short_data_gives_zeros() {
        let mut out = Vec::new();
        Convert::L8.to_gpu(&[1, 9, 9, 9, 2], 4, 1, 3, &mut out);
        assert_eq!(out, [1, 1, 1, 255, 2, 2, 2, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn blocks_decode_to_their_colours() {
        // One DXT1 block, red 5:6:5 0xF800 and blue 0x001F, index 0 left, 1 right.
        let block = [
            0x00,
            0xF8,
            0x1F,
            0x00,
            0b0101_0000,
            0b0101_0000,
            0b0101_0000,
            0b0101_0000,
        ];
        let mut out = Vec::new();
        Convert::Decode1.to_gpu(&block, 8, 4, 4, &mut out);
        assert_eq!(out[..4], [255, 0, 0, 255]);
        assert_eq!(out[8..12], [0, 0, 255, 255]);
    }
}
