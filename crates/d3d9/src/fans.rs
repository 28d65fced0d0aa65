//! Triangle fans as triangle lists.
//!
//! Triangle `i` of a fan is vertices `i + 1`, `i + 2`, 0: the vertex that gives
//! a flat-shaded triangle its colour comes first, as Direct3D numbers them.

/// Appends the list of a fan of `triangles` over vertices 0, 1, 2, ...
pub(crate) fn sequential(triangles: u32, out: &mut Vec<u32>) {
    out.clear();
    out.extend((0..triangles).flat_map(|i| [i + 1, i + 2, 0]));
}

/// Appends the list of a fan over `indices`; triangles past their end are left out.
pub(crate) fn indexed<T: Copy + Into<u32>>(indices: &[T], out: &mut Vec<u32>) {
    out.clear();
    let Some((&center, rest)) = indices.split_first() else {
        return;
    };
    out.extend(
        rest.windows(2)
            .flat_map(|pair| [pair[0].into(), pair[1].into(), center.into()]),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_of_three_triangles_is_nine_indices() {
        let mut out = Vec::new();
        sequential(3, &mut out);
        assert_eq!(out, [1, 2, 0, 2, 3, 0, 3, 4, 0]);
        indexed(&[7u16, 3, 9, 4], &mut out);
        assert_eq!(out, [3, 9, 7, 9, 4, 7]);
        indexed::<u16>(&[7], &mut out);
        assert!(out.is_empty());
    }
}
