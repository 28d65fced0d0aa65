//! `ninefold demo --panorama`: a fogged landscape in all bearings of a panorama, with radial fog off
//! and on, and what the joins between the bearings show of it.

mod joins;
mod landscape;

use std::path::Path;

use anyhow::{Context, Result};
use glam::Vec3;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Bearing, Device, DeviceSettings, Direct3D9, Error, Panorama, PanoramaDesc, Picture,
    PresentParameters,
};
use serde::Serialize;

use super::scene::said;
use crate::exit::NoGpu;
use crate::replay::write_png;
use joins::{Face, Faces, Step};
use landscape::Landscape;

/// Pixels of each side of a bearing's picture.
const SIZE: u32 = 640;
/// Size of the unwrapped picture: all around, from above to below.
const UNWRAPPED: (u32, u32) = (960, 480);
/// A step that nobody sees: one of 255 levels.
const INVISIBLE: f64 = 1.0 / 255.0;

/// What the joins showed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Joins {
    /// The worst brightness step along the joins with radial fog off, 0 to 1.
    pub(super) off: Step,
    /// The same with radial fog on.
    pub(super) on: Step,
    /// File name of the unwrapped pictures, off on the left and on on the right.
    pub(super) picture: String,
}

impl Joins {
    /// Whether no join shows with radial fog.
    pub(super) fn went_well(&self) -> bool {
        self.on.worst < INVISIBLE && self.off.worst > self.on.worst
    }

    /// The figures: what, off and on.
    pub(super) fn rows(&self) -> [(&'static str, [String; 2]); 4] {
        let of = |show: fn(&Step) -> String| [show(&self.off), show(&self.on)];
        [
            (
                "worst brightness step along a join, of 255",
                of(|step| format!("{:.3}", step.worst * 255.0)),
            ),
            (
                "mean of all, of 255",
                of(|step| format!("{:.3}", step.mean * 255.0)),
            ),
            (
                "the worst is between bearings",
                of(
                    |Step {
                         between: [a, b], ..
                     }| format!("{a} and {b}"),
                ),
            ),
            (
                "places compared, of those looked at",
                of(|step| format!("{} of {}", step.compared, step.samples)),
            ),
        ]
    }

    /// The result in a sentence.
    pub(super) fn verdict(&self) -> String {
        let levels = |step: &Step| step.worst * 255.0;
        format!(
            "Worst brightness step along the joins of the panorama: {:.2} of 255 with radial fog \
             off, {:.2} with it on.",
            levels(&self.off),
            levels(&self.on)
        )
    }
}

/// Draws the panorama twice and writes the pictures.
pub(super) fn run(settings: &DeviceSettings, folder: &Path) -> Result<Joins> {
    let [off, on] = [false, true].map(|radial| faces(settings, radial, SIZE));
    let (off, on) = (off?, on?);
    let steps = [&off, &on].map(Faces::worst_step);
    let picture = "panorama.png";
    let halves = [(&off, &steps[0]), (&on, &steps[1])].map(|(faces, step)| {
        let (width, height) = UNWRAPPED;
        let mut half = faces.unwrapped(width, height);
        joins::mark(&mut half, step.direction.into());
        half
    });
    write_png(&folder.join(picture), &beside(&halves))?;
    let [off, on] = steps;
    Ok(Joins {
        off,
        on,
        picture: picture.to_owned(),
    })
}

/// The landscape in every bearing, as colours in floating point.
fn faces(settings: &DeviceSettings, radial_fog: bool, size: u32) -> Result<Faces> {
    let mut settings = settings.clone();
    settings.renderer.radial_fog = radial_fog;
    // The film's pipelines are its own.
    settings.renderer.pipeline_cache_dir = None;
    let direct3d = Direct3D9::new(settings).map_err(|error| match error {
        Error::NoAdapter(text) => anyhow::Error::new(NoGpu(text)),
        other => other.into(),
    })?;
    let mut device = direct3d
        .create_device(&PresentParameters::windowed(64, 64))
        .map_err(|code| anyhow::anyhow!("creating the device: {code:?}"))?;
    let drawn = draw(&mut device, size);
    drawn
        .map_err(|code| said(&device, code))
        .context("drawing the panorama")
}

fn draw(device: &mut Device, size: u32) -> ninefold_d3d9::Result<Faces> {
    let landscape = Landscape::new(device)?;
    let mut panorama = Panorama::new(
        device,
        &PanoramaDesc {
            size,
            // What 8 bits would round off, the joins are measured by.
            format: D3DFMT_A32B32G32R32F,
            near: 1.0,
            far: 2500.0,
            ..PanoramaDesc::default()
        },
    )?;
    panorama.set_free([0.5, 0.55, 0.67], [0.0, 1.0, 0.0])?;
    device.begin_scene()?;
    panorama.draw(
        device,
        landscape.eye.into(),
        Bearing::all(),
        |device, view| landscape.draw(device, view),
    )?;
    device.end_scene()?;
    let pictures = Bearing::all()
        .map(|bearing| Face::read(device, panorama.surface(bearing), size))
        .collect::<ninefold_d3d9::Result<Vec<Face>>>()?;
    Ok(Faces { panorama, pictures })
}

/// Two pictures side by side.
fn beside(halves: &[Picture; 2]) -> Picture {
    let [left, right] = halves;
    let row = left.width as usize * 4;
    let rows = left.bgra.chunks(row).zip(right.bgra.chunks(row));
    Picture {
        width: left.width * 2,
        height: left.height,
        bgra: rows.flat_map(|(a, b)| [a, b].concat()).collect(),
    }
}

/// The direction that a place of the unwrapped picture shows: right and down, 0 to 1.
fn direction_of(u: f32, v: f32) -> Vec3 {
    let (turn, rise) = (
        (u - 0.5) * std::f32::consts::TAU,
        (0.5 - v) * std::f32::consts::PI,
    );
    Vec3::new(turn.sin() * rise.cos(), rise.sin(), turn.cos() * rise.cos())
}

/// Where the unwrapped picture shows a direction.
fn place_of(direction: Vec3) -> [f32; 2] {
    let d = direction.normalize_or(Vec3::Z);
    [
        d.x.atan2(d.z) / std::f32::consts::TAU + 0.5,
        0.5 - d.y.clamp(-1.0, 1.0).asin() / std::f32::consts::PI,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_directions_are_inverse() {
        for (u, v) in [(0.1, 0.2), (0.5, 0.5), (0.9, 0.7), (0.3, 0.01)] {
            let [x, y] = place_of(direction_of(u, v) * 3.0);
            assert!(
                (x - u).abs() < 1e-5 && (y - v).abs() < 1e-5,
                "{u} {v}: {x} {y}"
            );
        }
        assert!(direction_of(0.75, 0.5).abs_diff_eq(Vec3::X, 1e-6));
    }

    /// The measurement itself: joins show without radial fog, and not with it.
    #[test]
    fn joins_vanish_with_radial_fog() {
        let settings = crate::settings::Settings::from_env("demo").device();
        let steps = [false, true].map(|radial| faces(&settings, radial, SIZE));
        let [off, on] = match steps {
            [Ok(off), Ok(on)] => [off, on].map(|faces| faces.worst_step()),
            [Err(error), _] | [_, Err(error)] => {
                let required = std::env::var("NINEFOLD_REQUIRE_GPU").as_deref() == Ok("1");
                assert!(!required, "{error:#}");
                eprintln!("skipped: {error:#}");
                return;
            }
        };
        println!("off {off:?}\non {on:?}");
        assert!(on.worst < INVISIBLE, "{on:?}");
        assert!(off.worst > 8.0 * INVISIBLE, "{off:?}");
        for step in [&off, &on] {
            assert!(
                step.compared > 2_000 && step.compared * 2 > step.samples,
                "{step:?}"
            );
        }
    }
}
