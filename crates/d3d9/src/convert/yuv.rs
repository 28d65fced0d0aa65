//! Video formats: luma and chroma by the weights of ITU-R BT.601 over the whole range of a byte, as
//! D3D9's drivers convert.

/// How luma and chroma lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Yuv {
    /// U, Y0, V, Y1 for each pair of texels.
    Uyvy,
    /// Y0, U, Y1, V for each pair of texels.
    Yuy2,
    /// A plane of Y, one of V at half the size, one of U behind.
    Yv12,
    /// A plane of Y, one of pairs U, V at half the size behind.
    Nv12,
}

impl Yuv {
    /// Appends `rows` rows of `width` BGRA texels; planar formats are given whole. Data that ends
    /// early reads as zeros.
    pub(super) fn to_bgra(
        self,
        data: &[u8],
        pitch: usize,
        width: usize,
        rows: usize,
        out: &mut Vec<u8>,
    ) {
        let byte = |at: usize| data.get(at).copied().unwrap_or(0);
        for y in 0..rows {
            for x in 0..width {
                let pair = y * pitch + x / 2 * 4;
                let chroma = rows * pitch;
                let half = rows.div_ceil(2) * (pitch / 2);
                let (luma, u, v) = match self {
                    Self::Uyvy => (byte(pair + 1 + x % 2 * 2), byte(pair), byte(pair + 2)),
                    Self::Yuy2 => (byte(pair + x % 2 * 2), byte(pair + 1), byte(pair + 3)),
                    Self::Yv12 => {
                        let at = chroma + y / 2 * (pitch / 2) + x / 2;
                        (byte(y * pitch + x), byte(at + half), byte(at))
                    }
                    Self::Nv12 => {
                        let at = chroma + y / 2 * pitch + x / 2 * 2;
                        (byte(y * pitch + x), byte(at), byte(at + 1))
                    }
                };
                out.extend_from_slice(&bgra(luma, u, v));
            }
        }
    }

    /// Fills texels `x` to `right` of rows `y` to `bottom` with a `D3DCOLOR`. Of planar formats all
    /// of the surface is filled.
    pub(super) fn fill(
        self,
        data: &mut [u8],
        pitch: usize,
        [x, y, right, bottom]: [usize; 4],
        argb: u32,
    ) {
        let [luma, u, v] = from_rgb(argb);
        let pair = match self {
            Self::Uyvy => [u, luma, v, luma],
            Self::Yuy2 => [luma, u, luma, v],
            Self::Yv12 | Self::Nv12 => {
                let chroma = (bottom * pitch).min(data.len());
                let (front, back) = data.split_at_mut(chroma);
                front.fill(luma);
                let half = bottom.div_ceil(2) * (pitch / 2);
                for (i, byte) in back.iter_mut().enumerate() {
                    let blue = if self == Self::Yv12 {
                        i >= half
                    } else {
                        i % 2 == 0
                    };
                    *byte = if blue { u } else { v };
                }
                return;
            }
        };
        for row in data.chunks_mut(pitch).take(bottom).skip(y) {
            let end = (right.div_ceil(2) * 4).min(row.len());
            for block in row[x / 2 * 4..end].chunks_exact_mut(4) {
                block.copy_from_slice(&pair);
            }
        }
    }
}

fn bgra(luma: u8, u: u8, v: u8) -> [u8; 4] {
    // In 1/65536: 1.772, 0.344, 0.714 and 1.402.
    let y = i32::from(luma) << 16;
    let (u, v) = (i32::from(u) - 128, i32::from(v) - 128);
    let channel = |sum: i32| ((sum + 32_768) >> 16).clamp(0, 255) as u8;
    [
        channel(y + 116_130 * u),
        channel(y - 22_554 * u - 46_802 * v),
        channel(y + 91_881 * v),
        255,
    ]
}

fn from_rgb(argb: u32) -> [u8; 3] {
    let [b, g, r, _] = argb.to_le_bytes().map(i32::from);
    let sum = |base: i32, wr: i32, wg: i32, wb: i32| {
        (base + ((wr * r + wg * g + wb * b + 32_768) >> 16)).clamp(0, 255) as u8
    };
    [
        sum(0, 19_595, 38_470, 7_471),
        sum(128, -11_059, -21_709, 32_768),
        sum(128, 32_768, -27_439, -5_329),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_has_no_chroma() {
        assert_eq!(bgra(0, 128, 128), [0, 0, 0, 255]);
        assert_eq!(bgra(255, 128, 128), [255, 255, 255, 255]);
        assert_eq!(bgra(126, 128, 128), [126, 126, 126, 255]);
        // All zero: green alone stays, (0.344 + 0.714) * 128 = 135.5.
        assert_eq!(bgra(0, 0, 0), [0, 135, 0, 255]);
        // Luma alone: 255 - 1.772 * 128 and 255 - 1.402 * 128.
        assert_eq!(bgra(255, 0, 0), [28, 255, 76, 255]);
    }

    #[test]
    fn pure_colours_have_the_values_of_bt601() {
        // Weights 0.299, 0.587 and 0.114; chroma is the distance from luma, scaled to a byte.
        let cases = [
            (0x000000, [0, 128, 128]),
            (0xFFFFFF, [255, 128, 128]),
            (0xFF0000, [76, 85, 255]),
            (0x00FF00, [150, 44, 21]),
            (0x0000FF, [29, 255, 107]),
        ];
        for (rgb, yuv) in cases {
            assert_eq!(from_rgb(rgb), yuv, "{rgb:06x}");
        }
    }

    #[test]
    fn each_layout_finds_its_bytes() {
        // Two texels, white and black, without colour.
        let expected = [255, 255, 255, 255, 0, 0, 0, 255];
        let cases: [(Yuv, &[u8], usize); 4] = [
            (Yuv::Uyvy, &[128, 255, 128, 0], 4),
            (Yuv::Yuy2, &[255, 128, 0, 128], 4),
            (Yuv::Yv12, &[255, 0, 0, 0, 128, 0, 128, 0], 4),
            (Yuv::Nv12, &[255, 0, 0, 0, 128, 128, 0, 0], 4),
        ];
        for (layout, data, pitch) in cases {
            let mut out = Vec::new();
            layout.to_bgra(data, pitch, 2, 1, &mut out);
            assert_eq!(out, expected);
        }
    }
}
