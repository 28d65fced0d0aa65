//! Bump-map formats whose channels do not fit signed bytes, as half floats or 16-bit numbers.

use half::f16;

use super::Convert;

fn put(out: &mut [u8], channels: [f32; 4]) {
    for (bytes, channel) in out.chunks_exact_mut(2).zip(channels) {
        bytes.copy_from_slice(&f16::from_f32(channel).to_le_bytes());
    }
}

fn get(g: &[u8], channel: usize) -> f32 {
    let bytes = g.get(channel * 2..channel * 2 + 2);
    bytes.map_or(0.0, |b| f16::from_le_bytes([b[0], b[1]]).to_f32())
}

/// The low `bits` of `v` as a number from -1 to 1; the lowest code is -1 too.
fn narrow(v: u32, bits: u32) -> f32 {
    let shift = 32 - bits;
    let value = ((v << shift) as i32 >> shift) as f32;
    (value / ((1 << (bits - 1)) - 1) as f32).max(-1.0)
}

fn code(value: f32, bits: u32) -> u32 {
    let max = ((1 << (bits - 1)) - 1) as f32;
    let rounded = (value.clamp(-1.0, 1.0) * max).round() as i32;
    rounded as u32 & ((1 << bits) - 1)
}

fn unit(value: f32, max: f32) -> u32 {
    (value.clamp(0.0, 1.0) * max).round() as u32
}

/// One texel of D3D9's to one of the GPU's.
pub(super) fn to_gpu(convert: Convert, t: &[u8], out: &mut [u8]) {
    let word = match *t {
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    };
    match convert {
        Convert::L6V5U5 => put(
            out,
            [
                narrow(word, 5),
                narrow(word >> 5, 5),
                (word >> 10) as f32 / 63.0,
                1.0,
            ],
        ),
        Convert::X8L8V8U8 => put(
            out,
            [
                narrow(word, 8),
                narrow(word >> 8, 8),
                (word >> 16 & 255) as f32 / 255.0,
                1.0,
            ],
        ),
        Convert::A2W10V10U10 => put(
            out,
            [
                narrow(word, 10),
                narrow(word >> 10, 10),
                narrow(word >> 20, 10),
                (word >> 30) as f32 / 3.0,
            ],
        ),
        // The third channel is what makes the vector one long.
        Convert::CxV8U8 => {
            let (u, v) = (narrow(word, 8), narrow(word >> 8, 8));
            put(out, [u, v, (1.0 - u * u - v * v).max(0.0).sqrt(), 1.0]);
        }
        Convert::V16U16 => {
            out[..4].copy_from_slice(t);
            out[4..].copy_from_slice(&[0xFF, 0x7F, 0xFF, 0x7F]);
        }
        _ => {}
    }
}

/// One texel of the GPU's to one of D3D9's.
pub(super) fn from_gpu(convert: Convert, g: &[u8], out: &mut [u8]) {
    let word = match convert {
        Convert::V16U16 => {
            out.copy_from_slice(&g[..4]);
            return;
        }
        Convert::L6V5U5 => {
            code(get(g, 0), 5) | code(get(g, 1), 5) << 5 | unit(get(g, 2), 63.0) << 10
        }
        Convert::X8L8V8U8 => {
            code(get(g, 0), 8) | code(get(g, 1), 8) << 8 | unit(get(g, 2), 255.0) << 16
        }
        Convert::A2W10V10U10 => {
            code(get(g, 0), 10)
                | code(get(g, 1), 10) << 10
                | code(get(g, 2), 10) << 20
                | unit(get(g, 3), 3.0) << 30
        }
        Convert::CxV8U8 => code(get(g, 0), 8) | code(get(g, 1), 8) << 8,
        _ => return,
    };
    let len = out.len().min(4);
    out[..len].copy_from_slice(&word.to_le_bytes()[..len]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(convert: Convert, word: &[u8]) -> [f32; 4] {
        let mut out = [0; 8];
        to_gpu(convert, word, &mut out);
        [0, 1, 2, 3].map(|i| get(&out, i))
    }

    #[test]
    fn channels_reach_minus_one_zero_and_one() {
        // L 63, V -16 (which is -1 as -15 is), U 15.
        let word = (63u16 << 10 | 0b10000 << 5 | 15).to_le_bytes();
        assert_eq!(floats(Convert::L6V5U5, &word), [1.0, -1.0, 1.0, 1.0]);
        assert_eq!(
            floats(Convert::X8L8V8U8, &[0x7F, 0x81, 255, 9]),
            [1.0, -1.0, 1.0, 1.0]
        );
        // A 2 of 3, W -511, V 0, U 511.
        let word = (2u32 << 30 | 0x201 << 20 | 0x1FF).to_le_bytes();
        let [u, v, w, a] = floats(Convert::A2W10V10U10, &word);
        assert_eq!([u, v, w], [1.0, 0.0, -1.0]);
        assert!((a - 2.0 / 3.0).abs() < 1e-3);
        // 0.6 and -0.8 nearly: 76/127 and -102/127 leave nothing for the third.
        let [u, v, c, _] = floats(Convert::CxV8U8, &[0, 0]);
        assert_eq!([u, v, c], [0.0, 0.0, 1.0]);
        let [_, _, c, _] = floats(Convert::CxV8U8, &[127, 0]);
        assert_eq!(c, 0.0);
    }

    #[test]
    fn every_code_comes_back() {
        for v in 0..=u16::MAX {
            // The lowest code of a channel comes back as the next, which means the same.
            if v & 31 == 16 || v >> 5 & 31 == 16 {
                continue;
            }
            let (mut gpu, mut back) = ([0; 8], [0; 2]);
            to_gpu(Convert::L6V5U5, &v.to_le_bytes(), &mut gpu);
            from_gpu(Convert::L6V5U5, &gpu, &mut back);
            assert_eq!(u16::from_le_bytes(back), v);
        }
        for v in (-511..512).map(|v| v as u32 & 1023) {
            let word = v | v << 10 | v << 20 | 3 << 30;
            let (mut gpu, mut back) = ([0; 8], [0; 4]);
            to_gpu(Convert::A2W10V10U10, &word.to_le_bytes(), &mut gpu);
            from_gpu(Convert::A2W10V10U10, &gpu, &mut back);
            assert_eq!(u32::from_le_bytes(back), word);
        }
    }
}
