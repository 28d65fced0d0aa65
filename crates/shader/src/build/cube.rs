//! Cube textures whose filters stay on a face, as Direct3D 9's did: bound as six layers, with the
//! face and the place on it found here.

use naga::{
    BinaryOperator, DerivativeAxis, DerivativeControl, Expression, MathFunction, SampleLevel,
};

use super::{Builder, Expr};

/// A place on a face.
pub(super) struct OnFace {
    /// Two coordinates, 0 to 1.
    pub(super) coordinate: Expr,
    /// The face, 0 to 5: +X, -X, +Y, -Y, +Z, -Z.
    pub(super) layer: Expr,
    pub(super) level: SampleLevel,
}

/// Which axis of a direction is the longest, and whether it points backwards.
#[derive(Clone, Copy)]
struct Face {
    along_z: Expr,
    y_over_x: Expr,
    sign: Expr,
}

impl Builder {
    /// Where `direction` meets the cube. The levels of detail come from how the place changes on
    /// the face that it is on, whichever faces its neighbours are on.
    pub(super) fn on_face(&mut self, direction: Expr, level: SampleLevel) -> OnFace {
        let size = self.math1(MathFunction::Abs, direction);
        let [x, y, z] = [0, 1, 2].map(|i| self.at(size, i));
        let z_over_x = self.bin(BinaryOperator::GreaterEqual, z, x);
        let z_over_y = self.bin(BinaryOperator::GreaterEqual, z, y);
        let along_z = self.bin(BinaryOperator::LogicalAnd, z_over_x, z_over_y);
        let y_over_x = self.bin(BinaryOperator::GreaterEqual, y, x);
        let [plus, minus, zero] = [1.0, -1.0, 0.0].map(|value| self.lit(value));
        let mut face = Face {
            along_z,
            y_over_x,
            sign: plus,
        };
        let [x, y, z] = [0, 1, 2].map(|i| self.at(direction, i));
        let major = self.by_axis(face, x, y, z);
        let backwards = self.bin(BinaryOperator::Less, major, zero);
        face.sign = self.select(backwards, minus, plus);
        let [s, t, length] = self.seen_from(face, direction);
        let tiny = self.lit(f32::MIN_POSITIVE);
        let length = self.math2(MathFunction::Max, length, tiny);
        let half = self.lit(0.5);
        let half_inverse = self.bin(BinaryOperator::Divide, half, length);
        let [s, t] = [s, t].map(|value| self.times(value, half_inverse));
        let parts = [s, t].map(|value| self.add(value, half)).to_vec();
        let coordinate = self.compose(2, parts);
        let level = match level {
            SampleLevel::Auto | SampleLevel::Bias(_) => {
                let [x, y] = [DerivativeAxis::X, DerivativeAxis::Y].map(|axis| {
                    let change = self.e(Expression::Derivative {
                        axis,
                        ctrl: DerivativeControl::None,
                        expr: direction,
                    });
                    match level {
                        SampleLevel::Bias(by) => {
                            let scale = self.math1(MathFunction::Exp2, by);
                            let scale = self.splat(scale, 3);
                            self.times(change, scale)
                        }
                        _ => change,
                    }
                });
                SampleLevel::Gradient { x, y }
            }
            level => level,
        };
        let level = match level {
            // The place is s over the length: its change by the rule of quotients.
            SampleLevel::Gradient { x, y } => {
                let [x, y] = [x, y].map(|change| {
                    let [s_change, t_change, length_change] = self.seen_from(face, change);
                    let parts = [(s, s_change), (t, t_change)].map(|(at, change)| {
                        let change = self.times(change, half);
                        let drift = self.times(at, length_change);
                        let change = self.sub(change, drift);
                        self.bin(BinaryOperator::Divide, change, length)
                    });
                    self.compose(2, parts.to_vec())
                });
                SampleLevel::Gradient { x, y }
            }
            level => level,
        };
        let [first, second, fourth, one] = [0, 2, 4, 1].map(|value| self.lit_i32(value));
        let pair = self.by_axis(face, first, second, fourth);
        let back = self.select(backwards, one, first);
        OnFace {
            coordinate,
            layer: self.add(pair, back),
            level,
        }
    }

    /// The value for the axis that the face is on.
    fn by_axis(&mut self, face: Face, x: Expr, y: Expr, z: Expr) -> Expr {
        let flat = self.select(face.y_over_x, y, x);
        self.select(face.along_z, z, flat)
    }

    /// A vector along a face, to its right, downwards and out of it.
    fn seen_from(&mut self, face: Face, vector: Expr) -> [Expr; 3] {
        let [x, y, z] = [0, 1, 2].map(|i| self.at(vector, i));
        let [signed_x, signed_z] = [x, z].map(|value| self.times(value, face.sign));
        let left = self.neg(signed_z);
        let down = self.neg(y);
        let out = self.by_axis(face, x, y, z);
        [
            self.by_axis(face, left, x, signed_x),
            self.by_axis(face, down, signed_z, down),
            self.times(out, face.sign),
        ]
    }
}
