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
/// transpose of the upper 3x3, or the 3x3 itself when there is no inverse.
pub(super) fn normal_matrix(m: &Matrix) -> Matrix {
    // A cofactor of a 3x3 with its rows and columns taken cyclically needs no sign.
    let cofactor = |i: usize, j: usize| {
        let at = |di: usize, dj: usize| f64::from(m[(i + di) % 3][(j + dj) % 3]);
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| f64::from(m[0][j]) * cofactor(0, j)).sum();
    let mut out = *m;
    if determinant as f32 != 0.0 && (1.0 / determinant as f32).is_finite() {
        for (i, row) in out.iter_mut().enumerate().take(3) {
            for (j, value) in row.iter_mut().enumerate().take(3) {
                *value = (cofactor(i, j) / determinant) as f32;
            }
        }
    }
    out
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
