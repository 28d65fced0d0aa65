//! Vectors and matrices as Direct3D writes them: rows from the left, `v' = v * M`.

/// A `D3DMATRIX`: `m[row][column]`.
pub type Matrix = [[f32; 4]; 4];

pub(super) const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

pub(super) type Vec3 = [f32; 3];

/// First `a`, then `b`.
pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| transform4(row, b))
}

pub(super) fn transform4(v: [f32; 4], m: &Matrix) -> [f32; 4] {
    core::array::from_fn(|j| v[0] * m[0][j] + v[1] * m[1][j] + v[2] * m[2][j] + v[3] * m[3][j])
}

/// `v * M` without the translation.
pub(super) fn rotate(v: Vec3, m: &Matrix) -> Vec3 {
    let [x, y, z, _] = transform4([v[0], v[1], v[2], 0.0], m);
    [x, y, z]
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn scaled(v: Vec3, s: f32) -> Vec3 {
    v.map(|x| x * s)
}

pub(super) fn sum(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn length(v: Vec3) -> f32 {
    dot(v, v).sqrt()
}

/// At unit length; zero stays zero.
pub(super) fn unit(v: Vec3) -> Vec3 {
    let length = length(v);
    if length > 0.0 {
        v.map(|x| x / length)
    } else {
        v
    }
}

/// The matrix that takes normals along when `m` takes points: the inverse
/// transpose, or the transpose when there is no inverse.
pub(super) fn normal_matrix(m: &Matrix) -> Matrix {
    let whole = glam::DMat4::from_cols_array_2d(&m.map(|row| row.map(f64::from)));
    let inverse = whole.inverse();
    let turned = match inverse.is_finite() && whole.determinant() != 0.0 {
        true => inverse.transpose(),
        false => whole.transpose(),
    };
    turned.to_cols_array_2d().map(|row| row.map(|v| v as f32))
}

#[cfg(test)]
mod tests {
    use super::{IDENTITY, normal_matrix, product, rotate};

    #[test]
    fn normals_stay_perpendicular_under_a_stretch() {
        let mut stretch = IDENTITY;
        stretch[0][0] = 4.0;
        // The line (1, -1, 0) becomes (4, -1, 0); its normal (1, 1, 0) must become (1/4, 1, 0).
        assert_eq!(
            rotate([1.0, 1.0, 0.0], &normal_matrix(&stretch)),
            [0.25, 1.0, 0.0]
        );
        let mut flat = IDENTITY;
        flat[2][2] = 0.0;
        assert_eq!(normal_matrix(&flat), flat);
    }

    #[test]
    fn products_go_from_left_to_right() {
        let mut shift = IDENTITY;
        shift[3][0] = 1.0;
        let mut double = IDENTITY;
        double[0][0] = 2.0;
        assert_eq!(product(&shift, &double)[3][0], 2.0);
        assert_eq!(product(&double, &shift)[3][0], 1.0);
    }
}
