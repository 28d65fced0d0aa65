//! Texture addressing modes that the GPU lacks, folded into the coordinates and the texel.

use super::Lowerer;
use super::texture::coordinate_count;
use crate::build::{Expr, Sampled};
use crate::{Options, SamplerKind, Stage};
use naga::{BinaryOperator, MathFunction};

/// A `D3DCOLOR`, 0xAARRGGBB, as red, green, blue, alpha in 0 to 1.
fn channels(color: u32) -> [f32; 4] {
    [16, 8, 0, 24].map(|shift| (color >> shift & 0xFF) as f32 / 255.0)
}

impl Lowerer<'_> {
    /// Folds the coordinates that a pixel sampler mirrors once.
    pub(super) fn mirrored_once(&mut self, register: u16, n: usize, position: Expr) -> Expr {
        let axes = self.options.mirror_once[usize::from(register & 15)] & ((1 << n) - 1);
        if axes == 0 || self.version.stage == Stage::Vertex {
            return position;
        }
        let folded = self.b.math1(MathFunction::Abs, position);
        if axes == (1 << n) - 1 {
            return folded;
        }
        let parts = (0..n as u32)
            .map(|axis| match axes >> axis & 1 {
                0 => self.b.at(position, axis),
                _ => self.b.at(folded, axis),
            })
            .collect();
        self.b.compose(n, parts)
    }

    /// `texel`, read at `position` by a clamping sampler, with the border's colour where the
    /// coordinates leave the texture.
    ///
    /// A linear filter mixes texels in and out of the texture; those out of it are all the
    /// border's colour, so their share is known from the coordinates alone.
    pub(super) fn bordered(
        &mut self,
        register: u16,
        from: Sampled,
        position: Expr,
        texel: Expr,
    ) -> Expr {
        let stage = usize::from(register & 15);
        let n = coordinate_count(from.kind);
        let axes = self.options.border_axes[stage];
        let linear = axes & Options::BORDER_LINEAR != 0;
        let axes = axes & ((1 << n) - 1);
        let cube = from.kind == SamplerKind::Cube;
        if axes == 0 || cube || self.version.stage == Stage::Vertex {
            return texel;
        }
        let color = channels(self.options.border_colors[stage]);
        let color = color.map(|channel| self.b.lit(channel)).to_vec();
        let color = self.b.compose(4, color);
        match linear {
            true => self.faded(from, n, axes, position, (texel, color)),
            false => {
                let inside = self.inside(n, axes, position);
                self.b.select(inside, texel, color)
            }
        }
    }

    /// Whether the coordinates on `axes` lie in the texture; a NaN does not.
    fn inside(&mut self, n: usize, axes: u8, position: Expr) -> Expr {
        let zero = self.b.lit(0.0);
        let one = self.b.lit(1.0);
        let mut inside = None;
        for axis in (0..n as u32).filter(|axis| axes >> axis & 1 != 0) {
            let at = self.b.at(position, axis);
            let low = self.b.bin(BinaryOperator::GreaterEqual, at, zero);
            let high = self.b.bin(BinaryOperator::Less, at, one);
            let both = self.b.bin(BinaryOperator::LogicalAnd, low, high);
            inside = Some(match inside {
                None => both,
                Some(before) => self.b.bin(BinaryOperator::LogicalAnd, before, both),
            });
        }
        inside.unwrap_or_else(|| self.b.lit_bool(true))
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
        let size = self.b.texture_size(from);
        let half = self.b.lit_n(0.5, n);
        let at = self.b.times(position, size);
        let low = self.b.add(at, half);
        let low = self.b.math1(MathFunction::Saturate, low);
        let high = self.b.sub(size, at);
        let high = self.b.add(high, half);
        let high = self.b.math1(MathFunction::Saturate, high);
        let share = self.b.times(low, high);
        let mut inside = self.b.lit(1.0);
        for axis in (0..n as u32).filter(|axis| axes >> axis & 1 != 0) {
            let along = self.b.at(share, axis);
            inside = self.b.times(inside, along);
        }
        let zero = self.b.lit(0.0);
        let outside = self.b.bin(BinaryOperator::LessEqual, inside, zero);
        let share = self.b.splat(inside, 4);
        let mixed = self.b.math3(MathFunction::Mix, color, texel, share);
        self.b.select(outside, color, mixed)
    }
}
