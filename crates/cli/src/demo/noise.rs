//! Repeatable noise: everything procedural in the demo is a function of a seed and coordinates.

/// A well-mixed 32-bit hash of a lattice point.
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = seed ^ (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^ (h >> 15)
}

/// A number in `0.0..1.0` for a lattice point.
pub(super) fn random(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / (1 << 24) as f32
}

/// `0` below `low`, `1` above `high`, an S-curve between. `low > high` falls instead of rising.
pub(super) fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub(super) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Value noise in `-1.0..1.0` and its derivatives along x and y. The lattice repeats every
/// `period` points; 0 never repeats.
pub(super) fn value(x: f32, y: f32, period: i32, seed: u32) -> [f32; 3] {
    let (cell_x, cell_y) = (x.floor(), y.floor());
    let (fx, fy) = (x - cell_x, y - cell_y);
    let corner = |dx: i32, dy: i32| {
        let (mut i, mut j) = (cell_x as i32 + dx, cell_y as i32 + dy);
        if period > 0 {
            i = i.rem_euclid(period);
            j = j.rem_euclid(period);
        }
        random(i, j, seed) * 2.0 - 1.0
    };
    let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1));
    let quintic = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let slope = |t: f32| 30.0 * t * t * (t * (t - 2.0) + 1.0);
    let (u, v) = (quintic(fx), quintic(fy));
    let twist = a - b - c + d;
    [
        a + (b - a) * u + (c - a) * v + twist * u * v,
        slope(fx) * ((b - a) + twist * v),
        slope(fy) * ((c - a) + twist * u),
    ]
}

/// Octaves of value noise, each twice as fine and half as strong; about `-1.0..1.0`.
/// `period` is that of the first octave, 0 for none.
pub(super) fn fbm(x: f32, y: f32, octaves: u32, period: i32, seed: u32) -> f32 {
    let (mut sum, mut strength, mut scale, mut period) = (0.0, 0.5, 1.0, period);
    for octave in 0..octaves {
        sum += strength * value(x * scale, y * scale, period, seed.wrapping_add(octave))[0];
        strength *= 0.5;
        scale *= 2.0;
        period *= 2;
    }
    sum
}

/// Octaves that fade where the coarser ones are steep, which leaves the ridges and smooth slopes
/// that water leaves; about `-1.0..1.0`.
pub(super) fn eroded(mut x: f32, mut y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut strength, mut slope_x, mut slope_y) = (0.0, 0.5, 0.0, 0.0);
    for octave in 0..octaves {
        let [n, dx, dy] = value(x, y, 0, seed.wrapping_add(octave));
        slope_x += dx * 0.5;
        slope_y += dy * 0.5;
        sum += strength * n / (1.0 + slope_x * slope_x + slope_y * slope_y);
        strength *= 0.5;
        // A turn between octaves hides the lattice.
        (x, y) = (1.6 * x - 1.2 * y, 1.2 * x + 1.6 * y);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range_and_repeat() {
        for i in 0..4000 {
            let (x, y) = (i as f32 * 0.37 - 700.0, i as f32 * -0.21 + 55.0);
            let [n, ..] = value(x, y, 0, 7);
            assert!((-1.0..=1.0).contains(&n), "{n}");
            assert_eq!(value(x, y, 0, 7), value(x, y, 0, 7));
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for i in 0..200 {
            let (x, y) = (0.13 + i as f32 * 0.71, 0.29 + i as f32 * 0.43);
            let [_, dx, dy] = value(x, y, 0, 3);
            let step = 1.0 / 256.0;
            let along_x =
                (value(x + step, y, 0, 3)[0] - value(x - step, y, 0, 3)[0]) / (2.0 * step);
            let along_y =
                (value(x, y + step, 0, 3)[0] - value(x, y - step, 0, 3)[0]) / (2.0 * step);
            assert!((dx - along_x).abs() < 0.02 && (dy - along_y).abs() < 0.02);
        }
    }

    #[test]
    fn a_period_tiles_every_octave() {
        for i in 0..50 {
            let (x, y) = (i as f32 * 0.17, i as f32 * 0.31);
            let here = fbm(x, y, 4, 8, 11);
            assert!((here - fbm(x + 8.0, y, 4, 8, 11)).abs() < 1e-3);
            assert!((here - fbm(x, y + 8.0, 4, 8, 11)).abs() < 1e-3);
        }
    }

    #[test]
    fn smoothstep_rises_and_falls() {
        assert_eq!(smoothstep(1.0, 3.0, 2.0), 0.5);
        assert_eq!(smoothstep(1.0, 3.0, 9.0), 1.0);
        assert_eq!(smoothstep(3.0, 1.0, 0.0), 1.0);
    }
}
