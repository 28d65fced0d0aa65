//! What a fixed-function vertex hands on beside its position and colours:
//! texture coordinates and the fog factor.

use naga::MathFunction;

use super::block::row;
use super::code::{at_least, divide, dot, normalize, saturate};
use super::vertex::Vertex;
use super::vertex_key::{VertexStage, coordinate, input, point, position, vertex_fog};
use crate::build::Expr;

impl Vertex {
    /// What leaves as `TEXCOORD<stage>`.
    pub(super) fn coordinate(&mut self, n: usize, stage: VertexStage) -> Expr {
        let zero = self.b.lit(0.0);
        let one = self.b.lit(1.0);
        // The vector a transform sees: a set's missing components are filled
        // with one 1 and then zeros, generated ones are points.
        let value = match stage.source {
            coordinate::SET => match self.set(stage) {
                None => self.b.lit_n(0.0, 4),
                Some(set) => self.extend(set, stage),
            },
            coordinate::NORMAL => {
                let normal = self.normal();
                self.b.compose(4, vec![normal, one])
            }
            coordinate::POSITION => self.eye_point(),
            _ => {
                let reflected = self.reflection();
                if stage.source == coordinate::REFLECTION {
                    self.b.compose(4, vec![reflected, one])
                } else {
                    let [u, v] = self.sphere(reflected);
                    self.b.compose(4, vec![u, v, zero, one])
                }
            }
        };
        if stage.transform == 0 {
            return value;
        }
        let parts = [0, 1, 2, 3].map(|j| {
            let column = self.row(row::TEXTURE + 4 * n as u16 + j);
            dot(&mut self.b, value, column)
        });
        self.b.compose(4, parts.to_vec())
    }

    /// The set a stage reads, when the vertex has it.
    fn set(&self, stage: VertexStage) -> Option<Expr> {
        let there = stage.components != 0;
        self.element(input::TEXCOORD << stage.set).filter(|_| there)
    }

    fn extend(&mut self, set: Expr, stage: VertexStage) -> Expr {
        if stage.components == 4 {
            return set;
        }
        let zero = self.b.lit(0.0);
        let one = self.b.lit(1.0);
        let mut parts = [zero; 4];
        let given = usize::from(stage.components);
        for (i, part) in parts.iter_mut().enumerate().take(given) {
            *part = self.b.at(set, i as u32);
        }
        parts[given] = one;
        self.b.compose(4, parts.to_vec())
    }

    /// The view-space normal, zero when the vertex has none.
    pub(super) fn normal(&mut self) -> Expr {
        match self.view_normal {
            Some(normal) => normal,
            None => self.b.lit_n(0.0, 3),
        }
    }

    /// The view-space position, not divided by its fourth component.
    pub(super) fn eye_position(&mut self) -> Expr {
        match self.view_position {
            Some(position) => self.b.xyz(position),
            None => self.b.lit_n(0.0, 3),
        }
    }

    /// The view-space position in four components.
    fn eye_point(&mut self) -> Expr {
        match self.view_position {
            Some(position) => position,
            None => self.b.lit_n(0.0, 4),
        }
    }

    /// The view-space position as a place.
    pub(super) fn eye_place(&mut self) -> Expr {
        let point = self.eye_point();
        let [xyz, w] = [self.b.xyz(point), self.b.at(point, 3)];
        let w = self.b.splat(w, 3);
        divide(&mut self.b, xyz, w)
    }

    /// The direction from the eye to the vertex, mirrored by the normal.
    fn reflection(&mut self) -> Expr {
        let position = self.eye_position();
        let incident = normalize(&mut self.b, position);
        let normal = self.normal();
        let along = dot(&mut self.b, incident, normal);
        let two = self.b.lit(2.0);
        let along = self.b.times(along, two);
        let shift = self.b.times(normal, along);
        self.b.sub(incident, shift)
    }

    /// `r / (2 |r + (0, 0, 1)|) + 0.5`.
    fn sphere(&mut self, reflected: Expr) -> [Expr; 2] {
        let one = self.b.lit(1.0);
        let half = self.b.lit(0.5);
        let two = self.b.lit(2.0);
        let [x, y, z] = [0, 1, 2].map(|i| self.b.at(reflected, i));
        let z = self.b.add(z, one);
        let shifted = self.b.compose(3, vec![x, y, z]);
        let length = self.b.math1(MathFunction::Length, shifted);
        let m = self.b.times(length, two);
        let m = at_least(&mut self.b, m, f32::MIN_POSITIVE);
        [x, y].map(|c| {
            let c = divide(&mut self.b, c, m);
            self.b.add(c, half)
        })
    }

    /// The fog factor in every component, 1 meaning no fog, or the distance of table fog.
    pub(super) fn fog(&mut self, clip: Expr) -> Option<Expr> {
        let factor = match self.key.fog {
            vertex_fog::NONE => return None,
            vertex_fog::SPECULAR_ALPHA => match self.element(input::SPECULAR) {
                Some(specular) => self.b.at(specular, 3),
                None => self.b.lit(0.0),
            },
            vertex_fog::CLIP_DEPTH => {
                let place = match self.key.position {
                    position::PIXELS => self.element(input::POSITION).unwrap_or(clip),
                    _ => clip,
                };
                let depth = self.b.at(place, 2);
                return Some(self.b.splat(depth, 4));
            }
            vertex_fog::VIEW_DEPTH if self.key.position == position::PIXELS => {
                let depth = self.b.at(clip, 3);
                return Some(self.b.splat(depth, 4));
            }
            vertex_fog::VIEW_DEPTH => {
                let position = self.eye_position();
                let depth = self.b.at(position, 2);
                let depth = self.b.math1(MathFunction::Abs, depth);
                return Some(self.b.splat(depth, 4));
            }
            mode => {
                let position = self.eye_position();
                let distance = if mode & vertex_fog::RANGE != 0 {
                    self.b.math1(MathFunction::Length, position)
                } else {
                    let depth = self.b.at(position, 2);
                    self.b.math1(MathFunction::Abs, depth)
                };
                let fog = self.row(row::FOG);
                self.fog_curve(mode & !vertex_fog::RANGE, distance, fog)
            }
        };
        let factor = saturate(&mut self.b, factor);
        Some(self.b.splat(factor, 4))
    }

    fn fog_curve(&mut self, mode: u8, distance: Expr, fog: Expr) -> Expr {
        let b = &mut self.b;
        if mode == vertex_fog::LINEAR {
            let end = b.at(fog, 1);
            let scale = b.at(fog, 2);
            let left = b.sub(end, distance);
            return b.times(left, scale);
        }
        let density = b.at(fog, 3);
        let mut power = b.times(distance, density);
        if mode == vertex_fog::EXP2 {
            power = b.times(power, power);
        }
        let power = b.neg(power);
        b.math1(MathFunction::Exp, power)
    }

    /// The point's size in pixels: with scaling, size times the viewport's
    /// height times `sqrt(1 / (A + B d + C d²))`.
    pub(super) fn point_size(&mut self) -> Expr {
        let states = self.row(row::POINT);
        let mut size = match self.element(input::POINT_SIZE) {
            Some(element) => self.b.at(element, 0),
            None => self.b.at(states, 0),
        };
        if self.key.points & point::SCALE != 0 {
            let factors = self.row(row::POINT + 1);
            let eye = self.eye_position();
            let b = &mut self.b;
            let distance = b.math1(MathFunction::Length, eye);
            let [a0, a1, a2] = [0, 1, 2].map(|i| b.at(factors, i));
            let quadratic = b.times(a2, distance);
            let linear = b.add(a1, quadratic);
            let linear = b.times(linear, distance);
            let total = b.add(a0, linear);
            let total = at_least(b, total, f32::MIN_POSITIVE);
            let shrink = b.math1(MathFunction::InverseSqrt, total);
            let height = b.at(states, 3);
            size = b.times(size, height);
            size = b.times(size, shrink);
        }
        let [least, most] = [1, 2].map(|i| self.b.at(states, i));
        let size = self.b.math2(MathFunction::Max, size, least);
        self.b.math2(MathFunction::Min, size, most)
    }
}
