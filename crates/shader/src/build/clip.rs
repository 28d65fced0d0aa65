//! Where vertices are cut off, and depths moved after that.

use super::{Builder, Expr, UniformBlock};
use crate::abi::{self, vertex_member};
use naga::{ArraySize, Expression, Handle, MathFunction, Type, TypeInner};
use std::num::NonZeroU32;

/// The clip distances of a vertex function.
pub(crate) struct Distances {
    pub(crate) ty: Handle<Type>,
    pub(crate) count: u32,
    pub(crate) value: Expr,
}

impl Builder {
    /// A clip-space position whose depth is scaled and shifted by `VertexExtras::misc[1]` before
    /// the division by w.
    pub(crate) fn depth_biased(&mut self, clip: Expr) -> Expr {
        let path = [vertex_member::MISC, 1];
        let misc = self.uniform_value(UniformBlock::VertexExtras, &path);
        let [shift, scale] = [0, 1].map(|i| self.at(misc, i));
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| self.at(clip, i));
        let z = self.times(z, scale);
        let shift = self.times(shift, w);
        let z = self.add(z, shift);
        self.compose(4, vec![x, y, z, w])
    }

    /// Distances to the user clip planes in use, which `place` is seen against, and to the planes
    /// of depth 0 and 1 of `clip` where `planes` has [`abi::CLIP_DEPTH`].
    pub(crate) fn clip_distances(
        &mut self,
        planes: u8,
        place: Expr,
        clip: Expr,
    ) -> Option<Distances> {
        let mut components = Vec::with_capacity(8);
        for plane in (0..6).filter(|plane| planes & (1 << plane) != 0) {
            let path = [vertex_member::CLIP_PLANES, plane];
            let plane = self.uniform_value(UniformBlock::VertexExtras, &path);
            components.push(self.math2(MathFunction::Dot, place, plane));
        }
        if planes & abi::CLIP_DEPTH != 0 {
            let [z, w] = [2, 3].map(|i| self.at(clip, i));
            let far = self.sub(w, z);
            components.extend([z, far]);
        }
        let count = components.len() as u32;
        let inner = TypeInner::Array {
            base: self.types.f32,
            size: ArraySize::Constant(NonZeroU32::new(count)?),
            stride: 4,
        };
        let ty = self.ty(inner);
        let value = self.e(Expression::Compose { ty, components });
        Some(Distances { ty, count, value })
    }
}
