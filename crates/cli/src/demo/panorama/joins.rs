//! The pictures of a panorama as colours: unwrapped, and compared along the joins.

use glam::Vec3;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Bearing, Device, Panorama, Picture, Result, SurfaceHandle};
use serde::Serialize;

use super::{direction_of, place_of};

/// Brightness may differ this much between the four pixels around a place that is compared: at the
/// outlines of things two pictures differ by where their pixels lie, fog or not.
const FLAT: f32 = 2.0 / 255.0;
/// Places along each join.
const SAMPLES: usize = 400;

/// What a bearing shows: red, green and blue of each pixel.
pub(super) struct Face {
    size: usize,
    pixels: Vec<[f32; 3]>,
}

/// All bearings of a panorama.
pub(super) struct Faces {
    pub(super) panorama: Panorama,
    pub(super) pictures: Vec<Face>,
}

/// The worst of all brightness steps along the joins.
#[derive(Clone, Debug, Serialize)]
pub(in crate::demo) struct Step {
    /// Difference of brightness between the two bearings of the join, 0 to 1.
    pub(super) worst: f64,
    /// The mean of all.
    pub(super) mean: f64,
    /// The numbers of the two bearings.
    pub(super) between: [u8; 2],
    /// Where it is.
    pub(super) direction: [f32; 3],
    /// Places where the two were compared: those without an outline.
    pub(super) compared: usize,
    /// Places looked at.
    pub(super) samples: usize,
}

impl Face {
    /// Reads a surface of `D3DFMT_A32B32G32R32F`.
    pub(super) fn read(device: &mut Device, surface: SurfaceHandle, size: u32) -> Result<Self> {
        let memory = device.create_offscreen_plain_surface(
            size,
            size,
            D3DFMT_A32B32G32R32F,
            D3DPOOL_SYSTEMMEM,
        )?;
        device.get_render_target_data(surface, memory)?;
        let pitch = device.lock_rect(memory, None, D3DLOCK_READONLY)?.pitch as usize;
        let bytes = device.locked_bytes_mut(memory)?;
        let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let pixels = bytes
            .chunks(pitch)
            .take(size as usize)
            .flat_map(|row| row.chunks_exact(16).take(size as usize))
            .map(|pixel| [0, 4, 8].map(|at| float(&pixel[at..])))
            .collect();
        device.unlock_rect(memory)?;
        device.release(memory)?;
        Ok(Self {
            size: size as usize,
            pixels,
        })
    }

    /// The colour at a place, right and down from 0 to 1, between the four pixels around it; and
    /// how much the brightness of these differs. Direct3D's pixel centres lie at whole numbers.
    fn sample(&self, place: [f32; 2]) -> ([f32; 3], f32) {
        let last = self.size - 2;
        let [x, y] = place.map(|p| (p * self.size as f32).clamp(0.0, (last + 1) as f32));
        let (left, top) = ((x as usize).min(last), (y as usize).min(last));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let at = |dx: usize, dy: usize| self.pixels[(top + dy) * self.size + left + dx];
        let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let color = core::array::from_fn(|c| {
            mix(
                mix(four[0][c], four[1][c], fx),
                mix(four[2][c], four[3][c], fx),
                fy,
            )
        });
        let levels = four.map(brightness);
        let most = levels.into_iter().fold(f32::MIN, f32::max);
        let least = levels.into_iter().fold(f32::MAX, f32::min);
        (color, most - least)
    }
}

/// Luminance by the weights of Rec. 709.
fn brightness([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

impl Faces {
    fn sample(&self, bearing: Bearing, direction: Vec3) -> Option<([f32; 3], f32)> {
        let place = self.panorama.locate(bearing, direction.into())?;
        Some(self.pictures[usize::from(bearing.number())].sample(place))
    }

    /// All around and from above to below in one picture, each direction from its bearing.
    pub(super) fn unwrapped(&self, width: u32, height: u32) -> Picture {
        let mut bgra = Vec::with_capacity((width * height * 4) as usize);
        for row in 0..height {
            for column in 0..width {
                let direction = direction_of(
                    (column as f32 + 0.5) / width as f32,
                    (row as f32 + 0.5) / height as f32,
                );
                let bearing = self.panorama.bearing_of(direction.into());
                let ([r, g, b], _) = self.sample(bearing, direction).unwrap_or_default();
                let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
                bgra.extend([byte(b), byte(g), byte(r), 255]);
            }
        }
        Picture {
            width,
            height,
            bgra,
        }
    }

    /// Compares both bearings of every join along it.
    pub(super) fn worst_step(&self) -> Step {
        let mut step = Step {
            worst: 0.0,
            mean: 0.0,
            between: [0, 0],
            direction: [0.0, 0.0, 1.0],
            compared: 0,
            samples: 0,
        };
        for (a, b, direction) in self.joins() {
            step.samples += 1;
            let (Some((one, rough)), Some((other, rougher))) =
                (self.sample(a, direction), self.sample(b, direction))
            else {
                continue;
            };
            if rough.max(rougher) > FLAT {
                continue;
            }
            step.compared += 1;
            let difference = f64::from((brightness(one) - brightness(other)).abs());
            step.mean += difference;
            if difference > step.worst {
                step.worst = difference;
                step.between = [a.number(), b.number()];
                step.direction = direction.into();
            }
        }
        step.mean /= step.compared.max(1) as f64;
        step
    }

    /// Places along every join, with the bearings on both sides: found between directions that have
    /// different ones, down each column and along each row of a fine grid.
    fn joins(&self) -> Vec<(Bearing, Bearing, Vec3)> {
        let of = |d: Vec3| self.panorama.bearing_of(d.into());
        let mut found = Vec::new();
        let mut between = |from: Vec3, to: Vec3| {
            let (a, b) = (of(from), of(to));
            if a == b {
                return;
            }
            let (mut from, mut to) = (from, to);
            for _ in 0..16 {
                let middle = (from + to).normalize_or(Vec3::Y);
                if of(middle) == a {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            found.push((a, b, from));
        };
        // Between two of the ring along each row, between the ring and the others down each column.
        let rows = 2 * SAMPLES;
        for row in 1..rows {
            let v = row as f32 / rows as f32;
            for sixth in 0..6 {
                let u = sixth as f32 / 6.0;
                between(direction_of(u, v), direction_of(u + 1.0 / 6.0, v));
            }
        }
        let columns = 6 * SAMPLES;
        for column in 0..columns {
            let u = column as f32 / columns as f32;
            for [v, below] in [[0.02, 0.5], [0.5, 0.98]] {
                between(direction_of(u, v), direction_of(u, below));
            }
        }
        found
    }
}

/// Draws a frame around what an unwrapped picture shows in a direction.
pub(super) fn mark(picture: &mut Picture, direction: Vec3) {
    const REACH: i64 = 13;
    const COLOR: [u8; 4] = [0x30, 0x40, 0xFF, 0xFF];
    let (width, height) = (i64::from(picture.width), i64::from(picture.height));
    let [x, y] = place_of(direction);
    let (x, y) = ((x * width as f32) as i64, (y * height as f32) as i64);
    for dy in -REACH..=REACH {
        for dx in -REACH..=REACH {
            let edge = dx.abs().max(dy.abs());
            let row = y + dy;
            if edge + 2 > REACH && (0..height).contains(&row) {
                // The picture goes around.
                let at = (row * width + (x + dx).rem_euclid(width)) as usize * 4;
                picture.bgra[at..at + 4].copy_from_slice(&COLOR);
            }
        }
    }
}
