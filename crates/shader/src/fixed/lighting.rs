//! The colours of a fixed-function vertex: "mathematics of lighting" as
//! Direct3D 9 documents it, in left-handed view space with the eye at the origin.

use naga::{BinaryOperator, MathFunction, ScalarKind};

use super::block::{MAX_LIGHTS, row};
use super::code::{at_least, close_loop, divide, dot, normalize, open_loop, power, saturate};
use super::vertex::Vertex;
use super::vertex_key::{input, light_type, vertex_flag};
use crate::build::Expr;

/// What the lights add up to, before the material's colours: pointers to `vec3`s.
struct Sums {
    diffuse: Expr,
    specular: Option<Expr>,
    ambient: Expr,
}

impl Vertex {
    /// The diffuse and the specular colour that leave the vertex, both clamped.
    pub(super) fn colors(&mut self) -> [Expr; 2] {
        if self.key.flags & vertex_flag::LIGHTING == 0 {
            return [(input::DIFFUSE, 1.0), (input::SPECULAR, 0.0)].map(
                |(bit, default)| match self.element(bit) {
                    Some(color) => saturate(&mut self.b, color),
                    None => self.b.lit_n(default, 4),
                },
            );
        }
        let [diffuse, ambient, specular, emissive] = [
            (self.key.diffuse_source, 0),
            (self.key.ambient_source, 1),
            (self.key.specular_source, 2),
            (self.key.emissive_source, 3),
        ]
        .map(|(source, material)| self.material_color(source, material));
        let global = self.row(row::AMBIENT);
        let mut ambient_sum = self.b.xyz(global);
        let mut color = self.b.xyz(emissive);
        let mut highlight = self.b.lit_n(0.0, 3);
        let diffuse_rgb = self.b.xyz(diffuse);
        if self.key.light_types != 0 {
            let sums = self.lights();
            let lit = self.b.load(sums.ambient);
            ambient_sum = self.b.add(ambient_sum, lit);
            let lit = self.b.load(sums.diffuse);
            let lit = self.b.times(diffuse_rgb, lit);
            color = self.b.add(color, lit);
            if let Some(pointer) = sums.specular {
                let lit = self.b.load(pointer);
                let rgb = self.b.xyz(specular);
                highlight = self.b.times(rgb, lit);
            }
        }
        let ambient = self.b.xyz(ambient);
        let ambient = self.b.times(ambient, ambient_sum);
        color = self.b.add(color, ambient);
        let alpha = self.b.at(diffuse, 3);
        let color = self.b.compose(4, vec![color, alpha]);
        let zero = self.b.lit(0.0);
        let specular_alpha = if self.key.flags & vertex_flag::SPECULAR != 0 {
            self.b.at(specular, 3)
        } else {
            zero
        };
        let highlight = self.b.compose(4, vec![highlight, specular_alpha]);
        [color, highlight].map(|c| saturate(&mut self.b, c))
    }

    /// A material colour or the vertex colour that stands for it.
    fn material_color(&mut self, source: u8, material: u16) -> Expr {
        let element = match source {
            1 => self.element(input::DIFFUSE),
            2 => self.element(input::SPECULAR),
            _ => None,
        };
        match element {
            Some(color) => color,
            None => self.row(row::MATERIAL + material),
        }
    }

    /// Runs over the lights, one loop for each type there is.
    fn lights(&mut self) -> Sums {
        let vec3 = self.b.types.vec3;
        let specular = self.key.flags & vertex_flag::SPECULAR != 0;
        let sums = Sums {
            diffuse: self.b.local("diffuse_sum", vec3),
            specular: specular.then(|| self.b.local("specular_sum", vec3)),
            ambient: self.b.local("ambient_sum", vec3),
        };
        let uint = self.b.vector_ty(naga::Scalar::U32, 1);
        let counter = self.b.local("light", uint);
        let counts = self.row(row::LIGHT_COUNTS);
        let mut end = self.b.lit(0.0);
        for (place, bit) in [light_type::DIRECTIONAL, light_type::POINT, light_type::SPOT]
            .into_iter()
            .enumerate()
        {
            if self.key.light_types & bit == 0 {
                continue;
            }
            let count = self.b.at(counts, place as u32);
            end = self.b.add(end, count);
            let most = self.b.lit(MAX_LIGHTS as f32);
            let bounded = self.b.math2(MathFunction::Min, end, most);
            let last = self.b.cast(bounded, ScalarKind::Uint, Some(4));
            self.light_loop(bit, counter, last, &sums);
        }
        sums
    }

    fn light_loop(&mut self, ty: u8, counter: Expr, end: Expr, sums: &Sums) {
        let current = open_loop(&mut self.b, counter, end);
        self.one_light(ty, current, sums);
        close_loop(&mut self.b, counter, current);
    }

    fn one_light(&mut self, ty: u8, current: Expr, sums: &Sums) {
        let rows = self.b.lit_u32(u32::from(row::LIGHT_ROWS));
        let base = self.packed(row::LIGHTS);
        let first = self.b.times(current, rows);
        let light: [Expr; row::LIGHT_ROWS as usize] = core::array::from_fn(|i| {
            let offset = self.b.lit_u32(base + i as u32);
            let index = self.b.add(first, offset);
            self.row_at(index)
        });
        let [diffuse, specular, ambient, place, direction, _] = light;
        let axis = self.b.xyz(direction);
        let (to_light, strength) = if ty == light_type::DIRECTIONAL {
            (self.b.neg(axis), None)
        } else {
            let (to_light, mut strength) = self.attenuation(place, light[5]);
            if ty == light_type::SPOT {
                let cone = self.cone(to_light, axis, [diffuse, specular, ambient, direction]);
                strength = self.b.times(strength, cone);
            }
            (to_light, Some(strength))
        };
        let normal = self.normal();
        let facing = dot(&mut self.b, normal, to_light);
        // Normals longer than 1 do not make light brighter than it is.
        let lambert = saturate(&mut self.b, facing);
        self.accumulate(sums.ambient, ambient, None, strength);
        self.accumulate(sums.diffuse, diffuse, Some(lambert), strength);
        if let Some(pointer) = sums.specular {
            let shine = self.shine(normal, to_light, facing);
            self.accumulate(pointer, specular, Some(shine), strength);
        }
    }

    /// `*sum += color.rgb * factor * strength`.
    fn accumulate(&mut self, sum: Expr, color: Expr, factor: Option<Expr>, strength: Option<Expr>) {
        let mut term = self.b.xyz(color);
        for scale in [factor, strength].into_iter().flatten() {
            term = self.b.times(term, scale);
        }
        let before = self.b.load(sum);
        let after = self.b.add(before, term);
        self.b.store(sum, after);
    }

    /// Unit vector from the vertex to the light, and `1 / (a0 + a1 d + a2 d²)`,
    /// nothing beyond the range.
    fn attenuation(&mut self, place: Expr, factors: Expr) -> (Expr, Expr) {
        let eye = self.eye_place();
        let b = &mut self.b;
        let light = b.xyz(place);
        let offset = b.sub(light, eye);
        let distance = b.math1(MathFunction::Length, offset);
        let one = b.lit(1.0);
        let safe = at_least(b, distance, f32::MIN_POSITIVE);
        let inverse = divide(b, one, safe);
        let to_light = b.times(offset, inverse);
        let [a0, a1, a2] = [0, 1, 2].map(|i| b.at(factors, i));
        let quadratic = b.times(a2, distance);
        let linear = b.add(a1, quadratic);
        let linear = b.times(linear, distance);
        let total = b.add(a0, linear);
        let total = at_least(b, total, 1e-20);
        let strength = divide(b, one, total);
        let range = b.at(place, 3);
        let inside = b.bin(BinaryOperator::LessEqual, distance, range);
        let zero = b.lit(0.0);
        (to_light, b.select(inside, strength, zero))
    }

    /// The spot factor: 1 within theta, 0 outside phi, a power between.
    /// `carriers` hold cos(theta/2), cos(phi/2), the inverse of their
    /// difference and the falloff in their fourth components.
    fn cone(&mut self, to_light: Expr, axis: Expr, carriers: [Expr; 4]) -> Expr {
        let b = &mut self.b;
        let [_, outer, band, falloff] = carriers.map(|row| b.at(row, 3));
        let away = b.neg(to_light);
        let cosine = dot(b, away, axis);
        let above = b.sub(cosine, outer);
        let t = b.times(above, band);
        let t = saturate(b, t);
        power(b, t, falloff)
    }

    /// `(N·H)^power`, where the vertex faces the light.
    fn shine(&mut self, normal: Expr, to_light: Expr, facing: Expr) -> Expr {
        let to_eye = if self.key.flags & vertex_flag::LOCAL_VIEWER != 0 {
            let eye = self.eye_position();
            let away = normalize(&mut self.b, eye);
            self.b.neg(away)
        } else {
            let parts = [0.0, 0.0, -1.0].map(|v| self.b.lit(v));
            self.b.compose(3, parts.to_vec())
        };
        let emissive = self.row(row::MATERIAL + 3);
        let b = &mut self.b;
        let half = b.add(to_light, to_eye);
        let half = normalize(b, half);
        let cosine = dot(b, normal, half);
        let exponent = b.at(emissive, 3);
        let value = power(b, cosine, exponent);
        let zero = b.lit(0.0);
        let lit = b.bin(BinaryOperator::Greater, facing, zero);
        b.select(lit, value, zero)
    }
}
