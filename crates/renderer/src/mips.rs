//! Mip chains of 8-bit images on the CPU, by a box filter.

use crate::error::{Error, Result};

/// Levels of the whole chain down to 1x1x1.
pub fn full_chain(width: u32, height: u32, depth: u32) -> u32 {
    let longest = width.max(height).max(depth).max(1);
    32 - longest.leading_zeros()
}

/// Edge of `level` of an image whose level 0 has `edge` texels.
pub fn level_edge(edge: u32, level: u32) -> u32 {
    edge.checked_shr(level).unwrap_or(0).max(1)
}

/// Bytes of a chain of `levels` levels of tightly packed texels. 3 x 5 texels of 4 bytes make
/// 72 bytes, 256 x 256 make 349,524.
pub fn chain_bytes(width: u32, height: u32, depth: u32, levels: u32, texel_bytes: u32) -> u64 {
    (0..levels)
        .map(|level| {
            u64::from(level_edge(width, level))
                * u64::from(level_edge(height, level))
                * u64::from(level_edge(depth, level))
                * u64::from(texel_bytes)
        })
        .sum()
}

/// The next level of an image of 8-bit channels: each texel is the mean of the source texels it
/// covers, rounded to nearest. Odd edges are split so that every source texel counts exactly once.
///
/// # Errors
/// `Bounds` when `texels` is not `width * height * depth * channels` bytes.
pub fn next_level(
    texels: &[u8],
    width: u32,
    height: u32,
    depth: u32,
    channels: usize,
) -> Result<Vec<u8>> {
    let (w, h, d) = (width as usize, height as usize, depth as usize);
    let expected = w
        .checked_mul(h)
        .and_then(|n| n.checked_mul(d)?.checked_mul(channels));
    if expected != Some(texels.len()) || texels.is_empty() {
        return Err(Error::bounds(format!(
            "a {width} x {height} x {depth} level of {channels} channels does not have {} bytes",
            texels.len()
        )));
    }
    let (nw, nh, nd) = ((w / 2).max(1), (h / 2).max(1), (d / 2).max(1));
    let span = |at: usize, from: usize, to: usize| at * from / to..(at + 1) * from / to;
    let mut out = Vec::with_capacity(nw * nh * nd * channels);
    for z in 0..nd {
        for y in 0..nh {
            for x in 0..nw {
                for channel in 0..channels {
                    let (mut sum, mut count) = (0u32, 0u32);
                    for sz in span(z, d, nd) {
                        for sy in span(y, h, nh) {
                            for sx in span(x, w, nw) {
                                let at = ((sz * h + sy) * w + sx) * channels + channel;
                                sum += u32::from(texels[at]);
                                count += 1;
                            }
                        }
                    }
                    out.push(((sum + count / 2) / count) as u8);
                }
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{chain_bytes, full_chain, level_edge, next_level};

    #[test]
    fn chains_have_the_documented_sizes() {
        assert_eq!(full_chain(3, 5, 1), 3);
        assert_eq!(chain_bytes(3, 5, 1, 3, 4), 72);
        assert_eq!(full_chain(256, 256, 1), 9);
        assert_eq!(chain_bytes(256, 256, 1, 9, 4), 349_524);
        assert_eq!(level_edge(5, 40), 1);
    }

    #[test]
    fn means_are_exact_and_rounded() {
        assert_eq!(next_level(&[0, 255, 255, 0], 2, 2, 1, 1).unwrap(), [128]);
        assert_eq!(next_level(&[1, 2, 3, 4, 5, 6], 3, 2, 1, 1).unwrap(), [4]);
        // 5 columns become 2: the first two, then the other three.
        assert_eq!(
            next_level(&[10, 20, 30, 60, 90], 5, 1, 1, 1).unwrap(),
            [15, 60]
        );
        assert_eq!(
            next_level(&[0, 8, 100, 200], 2, 1, 1, 2).unwrap(),
            [50, 104]
        );
        assert_eq!(
            next_level(&[0, 0, 0, 0, 8, 8, 8, 8], 2, 2, 2, 1).unwrap(),
            [4]
        );
        assert!(next_level(&[0; 5], 2, 2, 1, 1).is_err());
    }

    #[test]
    fn minified_checkerboards_lose_their_variance() {
        let texels: Vec<u8> = (0..64)
            .map(|i| if (i + i / 8) % 2 == 0 { 0 } else { 254 })
            .collect();
        assert!(
            next_level(&texels, 8, 8, 1, 1)
                .unwrap()
                .iter()
                .all(|&v| v == 127)
        );
    }
}
