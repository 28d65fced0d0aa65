//! Row-vector matrices as Direct3D stores them: `v' = v * M`, `m[row][column]`.

/// A `D3DMATRIX`: `m[row][column]`, applied to row vectors from the right.
pub type Matrix = [[f32; 4]; 4];

/// The identity.
pub const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// `a * b`: first `a`, then `b`.
#[must_use]
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 4];
    for (row, a_row) in out.iter_mut().zip(a) {
        for (j, value) in row.iter_mut().enumerate() {
            *value = (0..4).map(|k| a_row[k] * b[k][j]).sum();
        }
    }
    out
}

/// The inverse, `None` for a singular matrix.
#[must_use]
pub fn inverse(m: &Matrix) -> Option<Matrix> {
    // Gauss and Jordan with pivoting, in double precision: projections mix
    // very large and very small numbers.
    let mut left = m.map(|row| row.map(f64::from));
    let mut right = IDENTITY.map(|row| row.map(f64::from));
    for column in 0..4 {
        let pivot = (column..4).max_by(|&a, &b| {
            let size = |row: usize| left[row][column].abs();
            size(a).total_cmp(&size(b))
        })?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = left[column][column].recip();
        if !scale.is_finite() {
            return None;
        }
        left[column] = left[column].map(|v| v * scale);
        right[column] = right[column].map(|v| v * scale);
        let (source, twin) = (left[column], right[column]);
        for row in (0..4).filter(|&row| row != column) {
            let factor = left[row][column];
            for j in 0..4 {
                left[row][j] -= factor * source[j];
                right[row][j] -= factor * twin[j];
            }
        }
    }
    Some(right.map(|row| row.map(|v| v as f32)))
}

/// Column `j`, the vector whose dot product with a row vector is component `j`
/// of the result.
#[must_use]
pub(super) fn column(m: &Matrix, j: usize) -> [f32; 4] {
    [m[0][j], m[1][j], m[2][j], m[3][j]]
}

/// `p * m` for a point (fourth component 1), without the fourth component.
#[must_use]
pub(super) fn transform_point(p: [f32; 3], m: &Matrix) -> [f32; 3] {
    core::array::from_fn(|j| p[0] * m[0][j] + p[1] * m[1][j] + p[2] * m[2][j] + m[3][j])
}

/// `d * m` for a direction (fourth component 0), at unit length; zero stays zero.
#[must_use]
pub(super) fn transform_direction(d: [f32; 3], m: &Matrix) -> [f32; 3] {
    let v: [f32; 3] = core::array::from_fn(|j| d[0] * m[0][j] + d[1] * m[1][j] + d[2] * m[2][j]);
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if length > 0.0 && length.is_finite() {
        v.map(|x| x / length)
    } else {
        [0.0; 3]
    }
}

/// The columns of the matrix that transforms normals: the upper 3x3 of the whole matrix's inverse
/// transpose, so that a fourth column counts. A singular matrix stands for its inverse itself.
#[must_use]
pub(super) fn normal_columns(m: &Matrix) -> [[f32; 3]; 3] {
    let inverse = inverse(m).unwrap_or(*m);
    core::array::from_fn(|j| [inverse[j][0], inverse[j][1], inverse[j][2]])
}

#[cfg(test)]
mod tests {
    use super::{IDENTITY, inverse, multiply};

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let m = [
            [0.0, 2.0, 0.0, 0.0],
            [1.5, 0.0, 0.25, 0.0],
            [0.0, 0.0, 1.001, 1.0],
            [3.0, -4.0, -0.1001, 0.0],
        ];
        let product = multiply(&m, &inverse(&m).expect("regular"));
        for (row, want) in product.iter().zip(IDENTITY) {
            for (a, b) in row.iter().zip(want) {
                assert!((a - b).abs() < 1e-4, "{product:?}");
            }
        }
        assert_eq!(inverse(&[[1.0; 4]; 4]), None);
    }
}
