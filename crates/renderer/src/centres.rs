//! Draws into multisampled targets without multisampling (`D3DRS_MULTISAMPLEANTIALIAS` off): every
//! sample of a pixel gets what lies at the pixel's centre.
//!
//! GPUs have no such switch. Such a draw is made once for each sample, with a mask that lets that
//! sample alone be written and a viewport moved so that what lies at the centre lies at the sample.

use crate::draw::Draw;
use crate::error::{Error, Result};
use crate::keys::RasterKey;
use crate::renderer::Renderer;

/// Where the samples of a pixel lie: those of Vulkan's, Metal's and Direct3D's standard patterns,
/// in sixteenths of a pixel.
const fn positions(samples: u8) -> Option<&'static [[u8; 2]]> {
    Some(match samples {
        2 => &[[12, 12], [4, 4]],
        4 => &[[6, 2], [14, 6], [2, 10], [10, 14]],
        8 => &[
            [9, 5],
            [7, 11],
            [13, 9],
            [5, 3],
            [3, 13],
            [1, 7],
            [11, 15],
            [15, 1],
        ],
        16 => &[
            [9, 9],
            [7, 5],
            [5, 10],
            [12, 7],
            [3, 6],
            [10, 13],
            [13, 11],
            [11, 3],
            [6, 14],
            [8, 1],
            [4, 2],
            [2, 12],
            [0, 8],
            [15, 4],
            [14, 15],
            [1, 0],
        ],
        _ => return None,
    })
}

impl Renderer {
    /// Whether a draw into the bound targets asks for centres alone.
    #[inline]
    pub(crate) fn wants_centres(&self, draw: &Draw<'_>) -> Result<bool> {
        Ok(self.recorder.info().formats.samples > 1
            && !self.rasters.get(draw.raster.0)?.key().multisample)
    }

    /// Draws once for each sample. Occlusion counts pixels: those of the first.
    #[cold]
    pub(crate) fn draw_at_centres(&mut self, draw: &Draw<'_>) -> Result<()> {
        let samples = self.recorder.info().formats.samples;
        let Some(positions) = positions(samples) else {
            return Err(Error::unsupported(format!("{samples} samples a pixel")));
        };
        let raster = self.rasters.get(draw.raster.0)?.key();
        let mut copies = Vec::new();
        let mut all = positions.iter().enumerate();
        let result = all.try_for_each(|(sample, position)| {
            let raster = self.raster(&RasterKey {
                multisample: true,
                sample_mask: 1 << sample,
                ..raster
            })?;
            self.shift_viewport(position.map(|at| f32::from(at) / 16.0 - 0.5));
            self.draw(&Draw { raster, ..*draw })?;
            copies.append(&mut self.copies);
            self.recorder.pause_counting()
        });
        self.recorder.queries.resume();
        self.copies = copies;
        self.shift_viewport([0.0; 2]);
        result
    }

    fn shift_viewport(&mut self, by: [f32; 2]) {
        self.viewport_shift = by;
        self.recorder.forget_viewport();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_centred_and_distinct() {
        for samples in [2, 4, 8, 16] {
            let all = positions(samples).unwrap();
            assert_eq!(all.len(), usize::from(samples));
            for axis in 0..2 {
                let mut found: Vec<u8> = all.iter().map(|at| at[axis]).collect();
                found.sort_unstable();
                found.dedup();
                assert_eq!(found.len(), all.len(), "{samples} samples share a line");
            }
        }
        let sums = |samples| {
            positions(samples).unwrap().iter().fold([0, 0], |sum, at| {
                [sum[0] + u32::from(at[0]), sum[1] + u32::from(at[1])]
            })
        };
        assert_eq!(sums(2), [16, 16]);
        assert_eq!(sums(4), [32, 32]);
        assert_eq!(sums(8), [64, 64]);
    }
}
