//! The land: a height map of a lake among mountains, and the light that falls on it.

use glam::{Vec2, Vec3};

use super::noise::{eroded, fbm, mix, smoothstep};

/// Cells along a side of the height map.
pub(super) const CELLS: usize = 512;
/// Metres along a side; the land is centred on the origin.
pub(super) const EXTENT: f32 = 2048.0;

/// Heights in metres above the lake, at the corners of a square grid.
pub(super) struct Land {
    heights: Vec<f32>,
}

impl Land {
    /// The demo's land.
    pub(super) fn new() -> Self {
        let mut heights = Vec::with_capacity((CELLS + 1) * (CELLS + 1));
        for row in 0..=CELLS {
            for column in 0..=CELLS {
                let at = |index: usize| index as f32 / CELLS as f32 * 2.0 - 1.0;
                heights.push(shape(at(column), at(row)));
            }
        }
        Self { heights }
    }

    /// The height at a grid corner; `column` and `row` in `0..=CELLS`.
    pub(super) fn corner(&self, column: usize, row: usize) -> f32 {
        self.heights[row * (CELLS + 1) + column]
    }

    /// The height at a place, between corners by bilinear filtering; the border continues outside.
    pub(super) fn height(&self, x: f32, z: f32) -> f32 {
        let to_grid =
            |metres: f32| ((metres / EXTENT + 0.5) * CELLS as f32).clamp(0.0, CELLS as f32);
        let (gx, gz) = (to_grid(x), to_grid(z));
        let (column, row) = ((gx as usize).min(CELLS - 1), (gz as usize).min(CELLS - 1));
        let (fx, fz) = (gx - column as f32, gz - row as f32);
        mix(
            mix(self.corner(column, row), self.corner(column + 1, row), fx),
            mix(
                self.corner(column, row + 1),
                self.corner(column + 1, row + 1),
                fx,
            ),
            fz,
        )
    }

    /// The unit normal at a place.
    pub(super) fn normal(&self, x: f32, z: f32) -> Vec3 {
        let step = EXTENT / CELLS as f32;
        let dx = self.height(x - step, z) - self.height(x + step, z);
        let dz = self.height(x, z - step) - self.height(x, z + step);
        Vec3::new(dx, 2.0 * step, dz).normalize()
    }

    /// How much of the sun reaches a point: 0 in shadow, 1 in the open, soft between.
    pub(super) fn sunlight(&self, from: Vec3, to_sun: Vec3) -> f32 {
        let mut open: f32 = 1.0;
        let mut distance = 6.0;
        while distance < 900.0 && open > 0.0 {
            let at = from + to_sun * distance;
            open = open.min(0.5 + 14.0 * (at.y - self.height(at.x, at.z)) / distance);
            distance *= 1.12;
            distance += 2.0;
        }
        smoothstep(0.0, 1.0, open)
    }

    /// How much of the sky a point sees, from 0 in a pit to 1 on a plain.
    fn openness(&self, from: Vec3) -> f32 {
        const DIRECTIONS: [(f32, f32); 8] = [
            (1.0, 0.0),
            (0.707, 0.707),
            (0.0, 1.0),
            (-0.707, 0.707),
            (-1.0, 0.0),
            (-0.707, -0.707),
            (0.0, -1.0),
            (0.707, -0.707),
        ];
        let blocked: f32 = DIRECTIONS
            .iter()
            .map(|(dx, dz)| {
                [8.0f32, 20.0, 45.0, 90.0, 180.0]
                    .iter()
                    .map(|d| (self.height(from.x + dx * d, from.z + dz * d) - from.y) / d)
                    .fold(0.0, f32::max)
            })
            // The sine of the horizon's height.
            .map(|slope| slope / (1.0 + slope * slope).sqrt())
            .sum();
        1.0 - blocked / 8.0
    }

    /// The light at a place on the ground: what an open white surface there would reflect.
    pub(super) fn light(&self, x: f32, z: f32, sun: &Sun) -> Vec3 {
        let at = Vec3::new(x, self.height(x, z).max(0.0) + 0.6, z);
        let normal = self.normal(x, z);
        let facing = normal.dot(sun.direction).max(0.0);
        let direct = if facing > 0.0 {
            facing * self.sunlight(at, sun.direction)
        } else {
            0.0
        };
        let open = self.openness(at);
        sun.colour * direct
            + sun.sky * (open * open * (0.6 + 0.4 * normal.y))
            + sun.bounce * (0.5 - 0.5 * normal.y)
    }
}

/// The lamp over the scene.
pub(super) struct Sun {
    /// Unit vector towards it.
    pub(super) direction: Vec3,
    /// Its light on a surface that faces it.
    pub(super) colour: Vec3,
    /// The sky's light on a level surface.
    pub(super) sky: Vec3,
    /// Light from the ground on steep surfaces.
    pub(super) bounce: Vec3,
}

impl Sun {
    /// A low evening sun.
    pub(super) fn evening() -> Self {
        Self {
            direction: Vec3::new(0.74, 0.42, -0.46).normalize(),
            colour: Vec3::new(1.66, 1.26, 0.82),
            sky: Vec3::new(0.34, 0.42, 0.58),
            bounce: Vec3::new(0.20, 0.17, 0.12),
        }
    }
}

/// Metres above the lake at `x`, `z` in `-1.0..=1.0`.
fn shape(x: f32, z: f32) -> f32 {
    let warp = Vec2::new(
        fbm(x * 2.3, z * 2.3, 4, 0, 101),
        fbm(x * 2.3, z * 2.3, 4, 0, 202),
    );
    let from_lake = Vec2::new(x * 1.05, z * 0.82 + 0.16) + warp * 0.30;
    let radius = from_lake.length();

    let folds = eroded(x * 2.6 + warp.x * 0.5, z * 2.6 + warp.y * 0.5, 9, 7);
    let crest = 1.0
        - fbm(
            x * 2.1 + warp.x * 0.6 + 5.0,
            z * 2.1 + warp.y * 0.6,
            3,
            0,
            19,
        )
        .abs()
            * 2.0;
    let rise = smoothstep(0.27, 0.95, radius);
    let mountains = rise * (110.0 + 300.0 * (folds + 0.2) + 110.0 * crest.max(0.0));
    let mountains = mountains * mix(0.45, 1.0, smoothstep(-0.5, 0.6, z));
    let hills = 26.0 * eroded(x * 7.0 + 3.0, z * 7.0, 7, 31) * smoothstep(0.20, 0.42, radius);
    let shore = mix(-26.0, 7.0, smoothstep(0.22, 0.40, radius));
    // A wooded island off the middle.
    let island = Vec2::new(x - 0.10, (z - 0.02) * 1.3) + warp * 0.08;
    let island = 40.0 * smoothstep(0.095, 0.0, island.length());
    shore + hills + mountains.max(-4.0) + island
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_lake_and_there_are_mountains() {
        let land = Land::new();
        let wet = land.heights.iter().filter(|h| **h < 0.0).count();
        let share = wet as f32 / land.heights.len() as f32;
        assert!((0.05..0.4).contains(&share), "{share}");
        let highest = land.heights.iter().copied().fold(f32::MIN, f32::max);
        assert!((250.0..600.0).contains(&highest), "{highest}");
    }

    #[test]
    fn heights_at_corners_are_the_grid_and_the_border_continues() {
        let land = Land::new();
        let metres = |index: usize| (index as f32 / CELLS as f32 - 0.5) * EXTENT;
        assert_eq!(land.height(metres(100), metres(40)), land.corner(100, 40));
        assert_eq!(land.height(-9000.0, metres(7)), land.corner(0, 7));
    }

    #[test]
    fn a_wall_towards_the_sun_casts_a_shadow() {
        let mut land = Land {
            heights: vec![0.0; (CELLS + 1) * (CELLS + 1)],
        };
        let to_sun = Vec3::new(1.0, 0.5, 0.0).normalize();
        assert_eq!(land.sunlight(Vec3::new(0.0, 1.0, 0.0), to_sun), 1.0);
        for row in 0..=CELLS {
            land.heights[row * (CELLS + 1) + CELLS / 2 + 10] = 60.0;
        }
        assert_eq!(land.sunlight(Vec3::new(0.0, 1.0, 0.0), to_sun), 0.0);
    }
}
