//! Texels from D3D9's formats to the GPU's and back.
//!
//! Narrow channels widen by repeating their bits, so that zero stays zero and
//! full stays full; they narrow by rounding.

mod blocks;
mod signed;
mod yuv;

use blocks::Blocks;
use yuv::Yuv;

/// 256 colours 0xAARRGGBB (`PALETTEENTRY` by channel): what palettised texels mean.
pub(crate) type Palette = [u32; 256];

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
    /// To four signed 16-bit channels, the missing ones 1.
    V16U16,
    /// To four half floats.
    L6V5U5,
    X8L8V8U8,
    A2W10V10U10,
    CxV8U8,
    /// By the palette to BGRA.
    P8,
    A8P8,
    /// 16-bit depth to a float.
    Depth16,
    /// Depth in the high 24 bits to a float.
    Depth24,
    /// Video to BGRA.
    Uyvy,
    Yuy2,
    Yv12,
    Nv12,
    /// Blocks to BGRA.
    Ati1,
    Ati2,
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
            Self::R3G3B2 | Self::A8 | Self::L8 | Self::A4L4 | Self::P8 => (1, 4),
            Self::R5G6B5
            | Self::X1R5G5B5
            | Self::A1R5G5B5
            | Self::A4R4G4B4
            | Self::X4R4G4B4
            | Self::A8R3G3B2
            | Self::A8L8
            | Self::A8P8
            | Self::Depth16
            | Self::V8U8 => (2, 4),
            Self::R8G8B8 => (3, 4),
            Self::Opaque8 | Self::A2R10G10B10 | Self::Depth24 => (4, 4),
            Self::L16 | Self::L6V5U5 | Self::CxV8U8 => (2, 8),
            Self::X8L8V8U8 | Self::V16U16 | Self::A2W10V10U10 => (4, 8),
            _ => return None,
        })
    }

    const fn blocks(self) -> Option<Blocks> {
        Some(match self {
            Self::Decode1 => Blocks::Dxt1,
            Self::Decode2 => Blocks::Dxt3,
            Self::Decode3 => Blocks::Dxt5,
            Self::Ati1 => Blocks::Ati1,
            Self::Ati2 => Blocks::Ati2,
            _ => return None,
        })
    }

    const fn yuv(self) -> Option<Yuv> {
        Some(match self {
            Self::Uyvy => Yuv::Uyvy,
            Self::Yuy2 => Yuv::Yuy2,
            Self::Yv12 => Yuv::Yv12,
            Self::Nv12 => Yuv::Nv12,
            _ => return None,
        })
    }

    /// Whether texels mean what a palette says.
    pub(crate) const fn palettised(self) -> bool {
        matches!(self, Self::P8 | Self::A8P8)
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
        palette: &Palette,
        out: &mut Vec<u8>,
    ) {
        if let Some(blocks) = self.blocks() {
            return blocks.decode(data, pitch, width, rows, out);
        }
        if let Some(yuv) = self.yuv() {
            return yuv.to_bgra(data, pitch, width, rows, out);
        }
        let Some((from, to)) = self.sizes() else {
            return;
        };
        for y in 0..rows {
            let start = out.len();
            out.resize(start + width * to, 0);
            let row = data.get(y * pitch..).unwrap_or(&[]);
            let texels = row.chunks_exact(from).take(width);
            for (texel, gpu) in texels.zip(out[start..].chunks_exact_mut(to)) {
                if self.palettised() {
                    gpu.copy_from_slice(&palette[usize::from(texel[0])].to_le_bytes());
                    if let Some(alpha) = texel.get(1) {
                        gpu[3] = *alpha;
                    }
                } else {
                    self.texel_to_gpu(texel, gpu);
                }
            }
        }
    }

    /// Fills the texels of `area` (left, top, right, bottom) of a level in memory with a
    /// `D3DCOLOR`; `bytes` is the size of a block and `block` its texels across and down. Formats
    /// that do not come from colours stay as they are.
    pub(crate) fn fill(
        self,
        data: &mut [u8],
        pitch: usize,
        area: [usize; 4],
        argb: u32,
        (bytes, block): (usize, [u32; 2]),
    ) {
        if let Some(yuv) = self.yuv() {
            return yuv.fill(data, pitch, area, argb);
        }
        let [left, top, right, bottom] = area;
        let [across, down] = block.map(|n| n as usize);
        let texel = if block == [4, 4] {
            match self {
                Self::Ati1 | Self::Ati2 => return,
                _ => blocks::solid_dxt(argb, bytes),
            }
        } else {
            let mut texel = vec![0; bytes];
            match self.sizes() {
                // All four channels of these come from a BGRA colour.
                Some((_, 4)) if !matches!(self, Self::V8U8 | Self::Depth16 | Self::Depth24) => {
                    self.texel_from_gpu(&argb.to_le_bytes(), &mut texel);
                }
                // Signed and 16-bit channels, red first.
                _ if matches!(self, Self::V8U8 | Self::Copy) && bytes <= 4 => {
                    let [b, g, r, a] = argb.to_le_bytes();
                    for (out, c) in texel.iter_mut().zip([r, g, b, a]) {
                        *out = ((u32::from(c) * 127 * 2 + 255) / 510) as u8;
                    }
                }
                _ if matches!(self, Self::V16U16 | Self::Copy) => {
                    let [b, g, r, a] = argb.to_le_bytes();
                    for (out, c) in texel.chunks_exact_mut(2).zip([r, g, b, a]) {
                        let v = (u32::from(c) * 32_767 * 2 + 255) / 510;
                        out.copy_from_slice(&(v as u16).to_le_bytes());
                    }
                }
                _ if self == Self::L16 => texel.fill((argb >> 16) as u8),
                _ => return,
            }
            texel
        };
        for row in data
            .chunks_mut(pitch)
            .take(bottom.div_ceil(down))
            .skip(top / down)
        {
            let end = (right.div_ceil(across) * bytes).min(row.len());
            for out in row[left / across * bytes..end].chunks_exact_mut(bytes) {
                out.copy_from_slice(&texel);
            }
        }
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
            Self::Depth16 => {
                out.copy_from_slice(&(f32::from(two()) / 65535.0).to_le_bytes());
            }
            Self::Depth24 => {
                let depth = u32::from_le_bytes([t[0], t[1], t[2], t[3]]) >> 8;
                out.copy_from_slice(&(depth as f32 / 16_777_215.0).to_le_bytes());
            }
            _ => signed::to_gpu(self, t, out),
        }
    }

    /// Whether GPU texels can be turned back into this format's.
    pub(crate) fn reads_back(self) -> bool {
        self == Self::Copy || self.sizes().is_some() && !self.palettised()
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
            Self::Depth24 => {
                let depth = f64::from(f32::from_le_bytes([g[0], g[1], g[2], g[3]]));
                let depth = (depth.clamp(0.0, 1.0) * 16_777_215.0).round() as u32;
                out.copy_from_slice(&(depth << 8).to_le_bytes());
                return;
            }
            Self::Depth16 => {
                let depth = f32::from_le_bytes([g[0], g[1], g[2], g[3]]);
                (depth.clamp(0.0, 1.0) * 65535.0).round() as u16
            }
            _ => {
                signed::from_gpu(self, g, out);
                return;
            }
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

    static PALETTE: Palette = [0x1122_3344; 256];

    fn up(convert: Convert, texel: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        convert.to_gpu(texel, texel.len(), 1, 1, &PALETTE, &mut out);
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
            (Convert::Depth16, &[0xFF, 0xFF], &[0, 0, 0x80, 0x3F]),
            (
                Convert::Depth24,
                &[0x55, 0xFF, 0xFF, 0xFF],
                &[0, 0, 0x80, 0x3F],
            ),
            (
                Convert::V16U16,
                &[1, 2, 3, 4],
                &[1, 2, 3, 4, 0xFF, 0x7F, 0xFF, 0x7F],
            ),
            (Convert::P8, &[7], &[0x44, 0x33, 0x22, 0x11]),
            (Convert::A8P8, &[7, 99], &[0x44, 0x33, 0x22, 99]),
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
    fn fills_store_the_nearest_colour() {
        // 0xDEADBEEF by hand: each channel to the nearest of its steps.
        let cases: &[(Convert, &[u8])] = &[
            (Convert::Opaque8, &[0xEF, 0xBE, 0xAD, 0xFF]),
            (Convert::R8G8B8, &[0xEF, 0xBE, 0xAD]),
            // 0xAD * 31 / 255 = 21.03, 0xBE * 63 / 255 = 46.9, 0xEF * 31 / 255 = 29.05.
            (Convert::R5G6B5, &(21u16 << 11 | 47 << 5 | 29).to_le_bytes()),
            // 0xBE * 31 / 255 = 23.1; alpha 0xDE is nearer to 1.
            (
                Convert::A1R5G5B5,
                &(0x8000u16 | 21 << 10 | 23 << 5 | 29).to_le_bytes(),
            ),
            // 13.06, 10.18, 11.18 and 14.06 fifteenths.
            (Convert::A4R4G4B4, &[0xBE, 0xDA]),
            (Convert::A8, &[0xDE]),
            (Convert::L8, &[0xAD]),
            (Convert::L16, &[0xAD, 0xAD]),
            // Of 127: 86.2 and 94.6; of 32767: 22230.4 (0x56D6) and 24414.8 (0x5F5F).
            (Convert::V8U8, &[0x56, 0x5F]),
            (Convert::V16U16, &[0xD6, 0x56, 0x5F, 0x5F]),
        ];
        for (convert, texel) in cases {
            let n = texel.len();
            let mut data = vec![0; n * 4];
            convert.fill(&mut data, n * 2, [1, 0, 2, 2], 0xDEAD_BEEF, (n, [1, 1]));
            let blank = vec![0; n];
            let expected = [&blank, *texel, &blank, *texel].concat();
            assert_eq!(data, expected, "{convert:?}");
        }
    }

    #[test]
    fn rows_follow_the_pitch_and_short_data_gives_zeros() {
        let mut out = Vec::new();
        Convert::L8.to_gpu(&[1, 9, 9, 9, 2], 4, 1, 3, &PALETTE, &mut out);
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
        Convert::Decode1.to_gpu(&block, 8, 4, 4, &PALETTE, &mut out);
        assert_eq!(out[..4], [255, 0, 0, 255]);
        assert_eq!(out[8..12], [0, 0, 255, 255]);
    }
}
