//! Blocks of 4 x 4 texels: DXT and the two ATI formats.

/// Which decoder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Blocks {
    Dxt1,
    Dxt3,
    Dxt5,
    /// One channel, read as (r, r, r, r).
    Ati1,
    /// Two channels: green is the first block, red the second. Read as (r, g, 1, 1).
    Ati2,
}

impl Blocks {
    const fn bytes(self) -> usize {
        match self {
            Self::Dxt1 | Self::Ati1 => 8,
            _ => 16,
        }
    }

    /// Appends `rows` rows of `width` texels of four bytes. Data that ends early decodes as zeros.
    pub(super) fn decode(
        self,
        data: &[u8],
        pitch: usize,
        width: usize,
        rows: usize,
        out: &mut Vec<u8>,
    ) {
        let row = width.div_ceil(4) * self.bytes();
        let start = out.len();
        out.resize(start + width * rows * 4, 0);
        let out = &mut out[start..];
        let format = match self {
            Self::Dxt1 => texpresso::Format::Bc1,
            Self::Dxt3 => texpresso::Format::Bc2,
            Self::Dxt5 => texpresso::Format::Bc3,
            Self::Ati1 | Self::Ati2 => {
                for y in 0..rows.div_ceil(4) {
                    let source = data.get(y * pitch..).unwrap_or(&[]);
                    for (x, block) in source[..source.len().min(row)]
                        .chunks_exact(self.bytes())
                        .enumerate()
                    {
                        self.ati(block, [x * 4, y * 4], [width, rows], out);
                    }
                }
                return;
            }
        };
        let mut blocks = Vec::with_capacity(row * rows.div_ceil(4));
        for y in 0..rows.div_ceil(4) {
            let source = data.get(y * pitch..).unwrap_or(&[]);
            let whole = source.len().min(row);
            blocks.extend_from_slice(&source[..whole]);
            blocks.resize((y + 1) * row, 0);
        }
        format.decompress(&blocks, width, rows, out);
    }

    fn ati(self, block: &[u8], at: [usize; 2], size: [usize; 2], out: &mut [u8]) {
        let first = Channel::new(&block[..8]);
        let second = (self == Self::Ati2).then(|| Channel::new(&block[8..16]));
        for i in 0..16 {
            let (x, y) = (at[0] + i % 4, at[1] + i / 4);
            if x >= size[0] || y >= size[1] {
                continue;
            }
            let v = first.texel(i);
            let bgra = match &second {
                None => [v; 4],
                Some(red) => [255, v, red.texel(i), 255],
            };
            let texel = (y * size[0] + x) * 4;
            out[texel..texel + 4].copy_from_slice(&bgra);
        }
    }
}

/// Eight bytes: two end points and sixteen indices of three bits, as the alpha of DXT5.
struct Channel {
    values: [u8; 8],
    indices: u64,
}

impl Channel {
    fn new(block: &[u8]) -> Self {
        let (a, b) = (u32::from(block[0]), u32::from(block[1]));
        let mix = |n: u32, of: u32| (((of - n) * a + n * b + of / 2) / of) as u8;
        let values = if a > b {
            [
                block[0],
                block[1],
                mix(1, 7),
                mix(2, 7),
                mix(3, 7),
                mix(4, 7),
                mix(5, 7),
                mix(6, 7),
            ]
        } else {
            [
                block[0],
                block[1],
                mix(1, 5),
                mix(2, 5),
                mix(3, 5),
                mix(4, 5),
                0,
                255,
            ]
        };
        let indices = block[2..8]
            .iter()
            .rev()
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        Self { values, indices }
    }

    fn texel(&self, i: usize) -> u8 {
        self.values[(self.indices >> (3 * i) & 7) as usize]
    }
}

/// One DXT block of texels that all have the colour `argb`, its bytes as many as the format's block
/// has. DXT1 keeps no alpha; the end points are the nearest of 5:6:5.
pub(super) fn solid_dxt(argb: u32, bytes: usize) -> Vec<u8> {
    let channel = |shift: u32, max: u32| ((argb >> shift & 255) * max * 2 + 255) / 510;
    let color = (channel(16, 31) << 11 | channel(8, 63) << 5 | channel(0, 31)) as u16;
    let [low, high] = color.to_le_bytes();
    let mut block = vec![0; bytes];
    let at = bytes - 8;
    block[at..at + 4].copy_from_slice(&[low, high, low, high]);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_bit_indices_pick_between_the_end_points() {
        // End points 255 and 0: index n + 1 is (7 - n) sevenths of the first, n from 1 to 6.
        let indices = 0b111_110_101_100_011_010_001_000u32.to_le_bytes();
        let block = [
            255, 0, indices[0], indices[1], indices[2], indices[0], indices[1], indices[2],
        ];
        let channel = Channel::new(&block);
        let row: Vec<u8> = (0..8).map(|i| channel.texel(i)).collect();
        assert_eq!(row, [255, 0, 219, 182, 146, 109, 73, 36]);
        // The first not above the second: fifths, then black and white.
        let channel = Channel::new(&[
            0, 255, indices[0], indices[1], indices[2], indices[0], indices[1], indices[2],
        ]);
        let row: Vec<u8> = (0..8).map(|i| channel.texel(i)).collect();
        assert_eq!(row, [0, 255, 51, 102, 153, 204, 0, 255]);
    }

    #[test]
    fn ati2_holds_green_before_red() {
        let mut block = [0; 16];
        block[0] = 10;
        block[1] = 10;
        block[8] = 200;
        block[9] = 200;
        let mut out = Vec::new();
        Blocks::Ati2.decode(&block, 16, 2, 1, &mut out);
        assert_eq!(out, [255, 10, 200, 255, 255, 10, 200, 255]);
    }
}
