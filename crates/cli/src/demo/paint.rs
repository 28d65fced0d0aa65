//! The demo's textures, painted from noise. Pixels are `0xAARRGGBB`, Direct3D 9's A8R8G8B8.

use glam::{Vec2, Vec3};

use super::land::{EXTENT, Land, Sun};
use super::noise::{fbm, mix, random, smoothstep};

/// A picture whose sides are powers of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Painting {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<u32>,
}

impl Painting {
    /// Paints each pixel from its centre, given in `0.0..1.0` across and down.
    pub(super) fn new(width: usize, height: usize, paint: impl Fn(f32, f32) -> u32) -> Self {
        let mut pixels = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let (u, v) = (
                    (column as f32 + 0.5) / width as f32,
                    (row as f32 + 0.5) / height as f32,
                );
                pixels.push(paint(u, v));
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// The next smaller mip level, each pixel the mean of four.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut pixels = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let pixel = |dx: usize, dy: usize| {
                    let x = (column * 2 + dx).min(self.width - 1);
                    let y = (row * 2 + dy).min(self.height - 1);
                    self.pixels[y * self.width + x]
                };
                pixels.push(mean([pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)]));
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// This picture and all its smaller mip levels down to one pixel.
    pub(super) fn mips(self) -> Vec<Painting> {
        let mut levels = vec![self];
        while let Some(last) = levels
            .last()
            .filter(|level| level.width > 1 || level.height > 1)
        {
            levels.push(last.halved());
        }
        levels
    }

    /// The same with alpha stretched in each smaller level, so that alpha-tested leaves do not thin
    /// out with distance.
    pub(super) fn cutout_mips(self) -> Vec<Painting> {
        let mut levels = self.mips();
        for (index, level) in levels.iter_mut().enumerate().skip(1) {
            let gain = 1.0 + 0.22 * index as f32;
            for pixel in &mut level.pixels {
                let alpha = (*pixel >> 24) as f32 * gain;
                *pixel = (*pixel & 0x00FF_FFFF) | ((alpha.min(255.0) as u32) << 24);
            }
        }
        levels
    }
}

/// The mean of four colours, colour weighted by alpha so that clear pixels lend none.
fn mean(pixels: [u32; 4]) -> u32 {
    let channel = |pixel: u32, shift: u32| (pixel >> shift) & 0xFF;
    let alpha: u32 = pixels.iter().map(|p| channel(*p, 24)).sum();
    let mut out = ((alpha + 2) / 4) << 24;
    for shift in [0, 8, 16] {
        let plain = pixels.iter().map(|p| channel(*p, shift)).sum::<u32>();
        let weighted = pixels
            .iter()
            .map(|p| channel(*p, shift) * channel(*p, 24))
            .sum::<u32>();
        let value = (weighted + alpha / 2)
            .checked_div(alpha)
            .unwrap_or((plain + 2) / 4);
        out |= value << shift;
    }
    out
}

/// A colour of `0.0..=1.0` components as a pixel.
pub(super) fn pixel(colour: Vec3, alpha: f32) -> u32 {
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u32;
    byte(alpha) << 24 | byte(colour.x) << 16 | byte(colour.y) << 8 | byte(colour.z)
}

/// What the ground looks like in plain light: sand, grass, rock and snow by height and slope.
pub(super) fn ground(land: &Land, size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let (x, z) = ((u - 0.5) * EXTENT, (v - 0.5) * EXTENT);
        pixel(ground_colour(land, x, z), 1.0)
    })
}

fn ground_colour(land: &Land, x: f32, z: f32) -> Vec3 {
    let height = land.height(x, z);
    let steep = 1.0 - land.normal(x, z).y;
    let coarse = fbm(x * 0.011, z * 0.011, 5, 0, 41);
    let fine = fbm(x * 0.09, z * 0.09, 4, 0, 57);

    let meadow = Vec3::new(0.30, 0.36, 0.13)
        .lerp(Vec3::new(0.45, 0.42, 0.18), smoothstep(-0.35, 0.4, coarse));
    let forest = Vec3::new(0.13, 0.22, 0.09);
    let mut colour = meadow.lerp(forest, wooded(land, x, z) * 0.8);
    colour = colour.lerp(
        Vec3::new(0.42, 0.40, 0.22),
        smoothstep(90.0, 190.0, height + 60.0 * coarse),
    );

    let strata = 0.5 + 0.5 * (height * 0.16 + coarse * 9.0).sin();
    let rock =
        Vec3::new(0.33, 0.32, 0.33).lerp(Vec3::new(0.50, 0.47, 0.44), strata * 0.5 + 0.4 * fine);
    let rocky = smoothstep(
        0.13,
        0.30,
        steep + 0.10 * fine + 0.06 * smoothstep(120.0, 260.0, height),
    );
    colour = colour.lerp(rock, rocky);

    let line = 150.0 + 60.0 * coarse + 26.0 * fine;
    let snow = smoothstep(line, line + 55.0, height) * smoothstep(0.50, 0.28, steep);
    colour = colour.lerp(Vec3::new(0.90, 0.93, 0.98), snow);

    let beach = smoothstep(5.5, 1.5, height + 2.0 * fine) * (1.0 - rocky * 0.6);
    colour = colour.lerp(Vec3::new(0.60, 0.52, 0.37), beach);
    let wet = smoothstep(0.8, -1.2, height);
    colour *= mix(1.0, 0.45, wet);
    colour * (1.0 + 0.22 * fine)
}

/// Where trees grow, 0 to 1.
pub(super) fn wooded(land: &Land, x: f32, z: f32) -> f32 {
    let height = land.height(x, z);
    let steep = 1.0 - land.normal(x, z).y;
    let patches = smoothstep(-0.12, 0.18, fbm(x * 0.006 + 9.0, z * 0.006, 4, 0, 77));
    patches
        * smoothstep(3.0, 9.0, height)
        * smoothstep(175.0, 120.0, height)
        * smoothstep(0.30, 0.16, steep)
}

/// The light on the ground, halved so that D3DTOP_MODULATE2X can brighten as well as darken.
pub(super) fn lightmap(land: &Land, sun: &Sun, size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        pixel(
            land.light((u - 0.5) * EXTENT, (v - 0.5) * EXTENT, sun) * 0.5,
            1.0,
        )
    })
}

/// Grain that tiles over the ground; its mean is middle grey, so that D3DTOP_MODULATE2X keeps the
/// ground's own colour from afar.
pub(super) fn grain(size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let soil = fbm(u * 16.0, v * 16.0, 5, 16, 301);
        let pebbles = fbm(u * 48.0, v * 48.0, 3, 48, 302);
        let value = 0.5 + 0.20 * soil + 0.16 * pebbles;
        pixel(Vec3::new(value * 1.02, value, value * 0.96), 1.0)
    })
}

/// Slopes of ripples that tile over the water: x in red, z in green, `0.5` level.
pub(super) fn ripples(size: usize) -> Painting {
    let height = |u: f32, v: f32| {
        let swell = fbm(u * 6.0, v * 6.0, 5, 6, 401);
        let crests = fbm(u * 14.0, v * 14.0, 3, 14, 402);
        swell + 0.35 * (1.0 - crests.abs())
    };
    let step = 1.0 / size as f32;
    Painting::new(size, size, |u, v| {
        let slope_u = (height(u + step, v) - height(u - step, v)) * 0.5 / step;
        let slope_v = (height(u, v + step) - height(u, v - step)) * 0.5 / step;
        pixel(
            Vec3::new(0.5 + slope_u * 0.055, 0.5 + slope_v * 0.055, 1.0),
            1.0,
        )
    })
}

/// The whole sky: across is the compass (0.5 faces +z, 0.75 faces +x), down from straight above to
/// a little under the horizon.
pub(super) fn sky(sun: &Sun, width: usize, height: usize) -> Painting {
    Painting::new(width, height, |u, v| {
        let direction = sky_direction(u, v);
        pixel(sky_colour(direction, sun), 1.0)
    })
}

/// How far under the horizon the sky picture and the sky mesh reach, as an angle in radians.
const SKY_BELOW: f32 = 0.20;

/// The direction a place in the sky picture stands for.
pub(super) fn sky_direction(u: f32, v: f32) -> Vec3 {
    let around = (u - 0.5) * std::f32::consts::TAU;
    let up = mix(std::f32::consts::FRAC_PI_2, -SKY_BELOW, v);
    Vec3::new(around.sin() * up.cos(), up.sin(), around.cos() * up.cos())
}

/// What distance fades to.
pub(super) const HAZE: Vec3 = Vec3::new(0.80, 0.70, 0.62);

/// The sky's colour in a direction: a gradient, the sun with its glow, and clouds lit from its side.
pub(super) fn sky_colour(direction: Vec3, sun: &Sun) -> Vec3 {
    let up = direction.y.max(0.0);
    let zenith = Vec3::new(0.16, 0.30, 0.56);
    let middle = Vec3::new(0.48, 0.60, 0.74);
    let mut colour = HAZE
        .lerp(middle, smoothstep(0.0, 0.26, up))
        .lerp(zenith, smoothstep(0.12, 0.85, up));

    let towards = direction.dot(sun.direction).max(0.0);
    let near = towards * towards;
    colour += Vec3::new(0.34, 0.20, 0.07) * (near * near * near);
    colour += Vec3::new(0.55, 0.42, 0.25) * towards.powi(64);
    colour += Vec3::splat(1.2) * smoothstep(0.9990, 0.9996, towards);

    // Clouds lie on a plane overhead; looking lower they crowd together and fade into the haze.
    if direction.y > 0.02 {
        let plane = Vec2::new(direction.x, direction.z) / (direction.y + 0.10);
        let cover = |p: Vec2| fbm(p.x * 0.85 + 4.0, p.y * 1.25 + 1.0, 6, 0, 501);
        let here = cover(plane);
        let sunward = cover(plane + Vec2::new(sun.direction.x, sun.direction.z) * 0.12);
        let thick = smoothstep(0.0, 0.42, here);
        let lit = (0.66 + 1.3 * (here - sunward)).clamp(0.30, 1.0);
        let shade = Vec3::new(0.50, 0.47, 0.52).lerp(Vec3::new(1.06, 0.93, 0.80), lit);
        colour = colour.lerp(shade, thick * smoothstep(0.03, 0.22, direction.y) * 0.9);
    }
    colour
}

/// A balloon's cloth: gores of two colours between bands, a darker crown, seams.
pub(super) fn balloon(size: usize, main: Vec3, second: Vec3) -> Painting {
    const GORES: f32 = 16.0;
    Painting::new(size, size, |u, v| {
        let gore = u * GORES;
        let odd = (gore as i32) % 2 == 1;
        let zigzag = ((gore - gore.floor()) - 0.5).abs();
        let band = v + zigzag * 0.08;
        let mut colour = if odd { main } else { second };
        if (0.40..0.47).contains(&band) || (0.60..0.67).contains(&band) {
            colour = if odd { second } else { main };
        } else if (0.47..0.60).contains(&band) {
            colour = Vec3::new(0.96, 0.90, 0.78);
        }
        if !(0.07..=0.93).contains(&v) {
            colour = main * 0.55;
        }
        let seam = smoothstep(0.46, 0.5, zigzag);
        let weave = 0.04 * fbm(u * 64.0, v * 64.0, 3, 64, 601);
        pixel(colour * (1.0 - 0.35 * seam + weave), 1.0)
    })
}

/// The cloth's weave, faint around middle grey, tiling.
pub(super) fn weave(size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let threads =
            (u * 32.0 * std::f32::consts::TAU).sin() * (v * 32.0 * std::f32::consts::TAU).sin();
        let value = 0.5 + 0.03 * threads + 0.035 * fbm(u * 8.0, v * 8.0, 3, 8, 651);
        pixel(Vec3::splat(value), 1.0)
    })
}

/// The woven basket.
pub(super) fn wicker(size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let (column, row) = ((u * 16.0) as i32, (v * 16.0) as i32);
        let over = (column + row) % 2 == 0;
        let along = if over { v * 16.0 } else { u * 16.0 };
        let round = 1.0 - ((along - along.floor()) - 0.5).abs();
        let tint = 0.85 + 0.3 * random(column, row, 701);
        pixel(Vec3::new(0.52, 0.34, 0.17) * (round * tint), 1.0)
    })
}

/// A round light that fades to nothing at the edge, white.
pub(super) fn glow(size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let distance = (Vec2::new(u, v) * 2.0 - 1.0).length();
        let halo = (1.0 - distance).max(0.0);
        let core = smoothstep(0.22, 0.05, distance);
        pixel(Vec3::ONE, (halo * halo * halo * 0.75 + core).min(1.0))
    })
}

/// A conifer on clear ground, for alpha-tested billboards.
pub(super) fn conifer(size: usize) -> Painting {
    Painting::new(size, size, |u, v| {
        let across = (u - 0.5).abs();
        // Tiers of branches, each wider below, with ragged tips.
        let tier = (v * 7.0).fract();
        let ragged = 0.05 * fbm(u * 22.0, v * 30.0, 3, 0, 801);
        let reach = (0.06 + 0.40 * v) * (0.62 + 0.38 * tier) + ragged;
        let branch = v > 0.02 && v < 0.93 && across < reach;
        let trunk = v >= 0.90 && across < 0.035;
        let shade = 0.55 + 0.45 * tier + 0.5 * fbm(u * 40.0, v * 40.0, 3, 0, 802) - 0.5 * (u - 0.5);
        let green = Vec3::new(0.20, 0.32, 0.15) * shade;
        if branch {
            pixel(green, 1.0)
        } else if trunk {
            pixel(Vec3::new(0.24, 0.17, 0.11), 1.0)
        } else {
            pixel(green, 0.0)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mips_end_at_one_pixel_and_average() {
        let levels =
            Painting::new(4, 2, |u, _| if u < 0.5 { 0xFF00_0000 } else { 0xFFFF_FF00 }).mips();
        assert_eq!(
            levels
                .iter()
                .map(|l| (l.width, l.height))
                .collect::<Vec<_>>(),
            [(4, 2), (2, 1), (1, 1)]
        );
        assert_eq!(levels[1].pixels, [0xFF00_0000, 0xFFFF_FF00]);
        assert_eq!(levels[2].pixels, [0xFF80_8000]);
    }

    #[test]
    fn clear_pixels_lend_no_colour() {
        assert_eq!(
            mean([0x00FF_0000, 0x0000_FF00, 0xFF00_00FF, 0xFF00_00FF]),
            0x8000_00FF
        );
    }

    #[test]
    fn grain_is_grey_on_average() {
        let last = grain(128).mips().pop().unwrap().pixels[0];
        assert!((0x70..0x90).contains(&((last >> 8) & 0xFF)), "{last:08x}");
    }

    #[test]
    fn the_sun_is_the_brightest_place_in_the_sky() {
        let sun = Sun::evening();
        let bright = |d: Vec3| sky_colour(d, &sun).dot(Vec3::ONE);
        let at_sun = bright(sun.direction);
        for (u, v) in [(0.1, 0.3), (0.5, 0.9), (0.9, 0.1)] {
            assert!(at_sun > bright(sky_direction(u, v)));
        }
    }
}
