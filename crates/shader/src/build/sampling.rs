//! Reading textures as Direct3D does: what native samplers lack is folded into the coordinates
//! and the texel.

use naga::{BinaryOperator, Expression, MathFunction, SampleLevel};

use super::{Builder, Expr, Sampled};
use crate::SamplerKind;
use crate::sampling::{SamplerRules, texels};

/// A `D3DCOLOR`, 0xAARRGGBB, as red, green, blue, alpha in 0 to 1.
fn channels(color: u32) -> [f32; 4] {
    [16, 8, 0, 24].map(|shift| (color >> shift & 0xFF) as f32 / 255.0)
}

/// Coordinates that a kind of texture takes.
pub(crate) fn coordinate_count(kind: SamplerKind) -> usize {
    match kind {
        SamplerKind::Cube | SamplerKind::Volume => 3,
        SamplerKind::D2 | SamplerKind::Unknown => 2,
    }
}

impl Builder {
    /// Samples at `coordinate`, two components for 2D, three for cube and volume, by the rules of
    /// the sampler. `reference` is the third coordinate of a 2D texture, for those that compare.
    pub(crate) fn sample(
        &mut self,
        from: Sampled,
        coordinate: Expr,
        reference: Option<Expr>,
        level: SampleLevel,
    ) -> Expr {
        let rules = from.rules;
        let coordinate = self.mirrored_once(from, coordinate);
        let level = self.biased(rules.lod_bias, coordinate_count(from.kind), level);
        if rules.texels == texels::COMPARE {
            return self.compared(from, coordinate, reference, level);
        }
        if rules.address & SamplerRules::FACES != 0 {
            let place = self.on_face(coordinate, level);
            let layer = Some(place.layer);
            let texel = self.texel(from, (place.coordinate, layer), place.level, None);
            return self.completed(rules.texels, texel);
        }
        let texel = self.texel(from, (coordinate, None), level, None);
        let texel = self.completed(rules.texels, texel);
        self.bordered(from, coordinate, texel, None)
    }

    fn texel(
        &mut self,
        from: Sampled,
        (coordinate, array_index): (Expr, Option<Expr>),
        level: SampleLevel,
        depth_ref: Option<Expr>,
    ) -> Expr {
        let image = self.global(from.texture);
        let sampler = self.global(from.sampler);
        self.e(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index,
            offset: None,
            level,
            depth_ref,
            clamp_to_edge: false,
        })
    }

    /// The share of texels that `reference` is not behind, in every channel.
    fn compared(
        &mut self,
        from: Sampled,
        coordinate: Expr,
        reference: Option<Expr>,
        level: SampleLevel,
    ) -> Expr {
        let reference = match reference {
            Some(reference) => self.math1(MathFunction::Saturate, reference),
            None => self.lit(0.0),
        };
        // Comparisons know no level but these; textures that compare have one.
        let level = match level {
            SampleLevel::Auto | SampleLevel::Bias(_) => SampleLevel::Auto,
            _ => SampleLevel::Zero,
        };
        let share = self.texel(from, (coordinate, None), level, Some(reference));
        let texel = self.splat(share, 4);
        self.bordered(from, coordinate, texel, Some(reference))
    }

    /// The level of detail with `D3DSAMP_MIPMAPLODBIAS` on it.
    fn biased(&mut self, bias: i16, n: usize, level: SampleLevel) -> SampleLevel {
        if bias == 0 {
            return level;
        }
        let bias = f32::from(bias) / 256.0;
        match level {
            SampleLevel::Auto => SampleLevel::Bias(self.lit(bias)),
            SampleLevel::Zero => SampleLevel::Exact(self.lit(bias)),
            SampleLevel::Bias(by) => {
                let bias = self.lit(bias);
                SampleLevel::Bias(self.add(by, bias))
            }
            SampleLevel::Exact(at) => {
                let bias = self.lit(bias);
                SampleLevel::Exact(self.add(at, bias))
            }
            SampleLevel::Gradient { x, y } => {
                let scale = self.lit_n(bias.exp2(), n);
                SampleLevel::Gradient {
                    x: self.times(x, scale),
                    y: self.times(y, scale),
                }
            }
        }
    }

    /// The texel with 1 in the channels that its format lacks, or with depth in all of them.
    fn completed(&mut self, have: u8, texel: Expr) -> Expr {
        let have = match have {
            texels::RED => 1,
            texels::RED_GREEN => 2,
            texels::DEPTH => {
                let depth = self.at(texel, 0);
                return self.splat(depth, 4);
            }
            _ => return texel,
        };
        let one = self.lit(1.0);
        let parts = (0..4)
            .map(|channel| match channel < have {
                true => self.at(texel, channel),
                false => one,
            })
            .collect();
        self.compose(4, parts)
    }

    /// Folds the coordinates that are mirrored once.
    fn mirrored_once(&mut self, from: Sampled, position: Expr) -> Expr {
        let n = coordinate_count(from.kind);
        let axes = from.rules.address & SamplerRules::MIRROR;
        if axes == 0 {
            return position;
        }
        let folded = self.math1(MathFunction::Abs, position);
        if axes == (1 << n) - 1 {
            return folded;
        }
        let parts = (0..n as u32)
            .map(|axis| match axes >> axis & 1 {
                0 => self.at(position, axis),
                _ => self.at(folded, axis),
            })
            .collect();
        self.compose(n, parts)
    }

    /// `texel`, read at `position` by a clamping sampler, with the border's colour where the
    /// coordinates leave the texture, or what the comparison of `reference` with its red gives.
    ///
    /// A linear filter mixes texels in and out of the texture; those out of it are all the
    /// border's colour, so their share is known from the coordinates alone.
    fn bordered(
        &mut self,
        from: Sampled,
        position: Expr,
        texel: Expr,
        reference: Option<Expr>,
    ) -> Expr {
        let n = coordinate_count(from.kind);
        let linear = from.rules.address & SamplerRules::BORDER_LINEAR != 0;
        let axes = (from.rules.address & SamplerRules::BORDER) / SamplerRules::BORDER_U;
        if axes == 0 {
            return texel;
        }
        let color = channels(from.rules.border_color).map(|channel| self.lit(channel));
        let color = match reference {
            None => self.compose(4, color.to_vec()),
            Some(reference) => {
                let passes = self.bin(BinaryOperator::LessEqual, reference, color[0]);
                let (one, zero) = (self.lit(1.0), self.lit(0.0));
                let share = self.select(passes, one, zero);
                self.splat(share, 4)
            }
        };
        match linear {
            true => self.faded(from, n, axes, position, (texel, color)),
            false => {
                let inside = self.inside(n, axes, position);
                self.select(inside, texel, color)
            }
        }
    }

    /// Whether the coordinates on `axes` lie in the texture; a NaN does not.
    fn inside(&mut self, n: usize, axes: u8, position: Expr) -> Expr {
        let zero = self.lit(0.0);
        let one = self.lit(1.0);
        let mut inside = None;
        for axis in (0..n as u32).filter(|axis| axes >> axis & 1 != 0) {
            let at = self.at(position, axis);
            let low = self.bin(BinaryOperator::GreaterEqual, at, zero);
            let high = self.bin(BinaryOperator::Less, at, one);
            let both = self.bin(BinaryOperator::LogicalAnd, low, high);
            inside = Some(match inside {
                None => both,
                Some(before) => self.bin(BinaryOperator::LogicalAnd, before, both),
            });
        }
        inside.unwrap_or_else(|| self.lit_bool(true))
    }

    /// The texel and the border's colour, mixed as a linear filter of level 0 mixes them.
    fn faded(
        &mut self,
        from: Sampled,
        n: usize,
        axes: u8,
        position: Expr,
        (texel, color): (Expr, Expr),
    ) -> Expr {
        let size = self.texture_size(from);
        let half = self.lit_n(0.5, n);
        let at = self.times(position, size);
        let low = self.add(at, half);
        let low = self.math1(MathFunction::Saturate, low);
        let high = self.sub(size, at);
        let high = self.add(high, half);
        let high = self.math1(MathFunction::Saturate, high);
        let share = self.times(low, high);
        let mut inside = self.lit(1.0);
        for axis in (0..n as u32).filter(|axis| axes >> axis & 1 != 0) {
            let along = self.at(share, axis);
            inside = self.times(inside, along);
        }
        let zero = self.lit(0.0);
        let outside = self.bin(BinaryOperator::LessEqual, inside, zero);
        let share = self.splat(inside, 4);
        let mixed = self.math3(MathFunction::Mix, color, texel, share);
        self.select(outside, color, mixed)
    }
}
