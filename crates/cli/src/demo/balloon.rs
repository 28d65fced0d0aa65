//! The balloons, and the lights of the scene: their flames and the lanterns on the lake.

use bytemuck::cast_slice;
use glam::{Mat4, Vec3};
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Device, Result};

use super::camera::Camera;
use super::frame::Moment;
use super::mesh::Coloured;
use super::noise::{mix, random};
use super::paint::pixel;
use super::scene::{COLOURED, Scene};
use super::states::{
    activate, deactivate, end_stages, fixed_function, fog_line, matrix, sample, stage, whole,
};

/// A hot-air balloon.
pub(super) struct Balloon {
    place: Vec3,
    radius: f32,
    cloth: usize,
    phase: f32,
}

/// All of them, nearest first.
pub(super) const BALLOONS: [Balloon; 6] = [
    Balloon {
        place: Vec3::new(6.0, 24.0, -372.0),
        radius: 13.0,
        cloth: 0,
        phase: 0.0,
    },
    Balloon {
        place: Vec3::new(92.0, 66.0, -250.0),
        radius: 13.0,
        cloth: 1,
        phase: 1.9,
    },
    Balloon {
        place: Vec3::new(-120.0, 70.0, -190.0),
        radius: 14.0,
        cloth: 2,
        phase: 3.7,
    },
    Balloon {
        place: Vec3::new(150.0, 120.0, 10.0),
        radius: 14.0,
        cloth: 0,
        phase: 5.1,
    },
    Balloon {
        place: Vec3::new(-30.0, 128.0, 40.0),
        radius: 13.0,
        cloth: 1,
        phase: 2.6,
    },
    Balloon {
        place: Vec3::new(30.0, 26.0, -90.0),
        radius: 12.0,
        cloth: 2,
        phase: 4.4,
    },
];

impl Balloon {
    /// Where the mouth of the envelope is, and how far the balloon has turned.
    fn position(&self, seconds: f32) -> (Vec3, f32) {
        let bob = (seconds * 0.7 + self.phase).sin() * 1.4;
        let drift = Vec3::new(1.6, 0.25, 0.8) * seconds;
        (
            self.place + drift + Vec3::Y * bob,
            self.phase + seconds * 0.10,
        )
    }

    /// How hard the burner burns, 0 to 1.
    fn burner(&self, seconds: f32) -> f32 {
        let burst = (seconds * 1.1 + self.phase * 2.0).sin().max(0.0);
        0.35 + 0.65 * burst * (0.85 + 0.15 * (seconds * 23.0 + self.phase).sin())
    }

    /// Draws envelope, basket and ropes.
    pub(super) fn draw(
        &self,
        device: &mut Device,
        scene: &Scene,
        camera: &Camera,
        moment: Moment,
    ) -> Result<()> {
        let (mouth, turn) = self.position(moment.seconds);
        let sun = &scene.sun;
        let rotation = Mat4::from_rotation_y(turn);
        let half = (sun.direction + (camera.eye - mouth).normalize()).normalize();
        let glow = Vec3::new(1.1, 0.55, 0.16) * self.burner(moment.seconds);
        let (fog_scale, fog_offset) = fog_line();

        activate(device, &scene.balloon_program)?;
        let rows = rotation.transpose().to_cols_array_2d();
        device.set_vertex_shader_constant_f(4, &rows[..3])?;
        device.set_vertex_shader_constant_f(
            7,
            &[
                sun.direction.extend(0.0).to_array(),
                (sun.colour * 0.5).extend(0.5).to_array(),
                (sun.sky * 0.62).extend(0.5).to_array(),
                (glow * 0.5).extend(0.0).to_array(),
                [fog_scale, fog_offset, 0.0, 0.0],
                [0.0, 0.5, 1.0, 24.0],
                half.extend(0.0).to_array(),
                [0.22, 0.19, 0.14, 0.0],
                [24.0, 12.0, 0.0, 0.0],
            ],
        )?;
        sample(device, 1, scene.weave_texture, D3DTADDRESS_WRAP)?;

        let parts = [
            (&scene.envelope, scene.cloth_textures[self.cloth], 0.0, 1.0),
            (&scene.basket, scene.wicker_texture, -0.45, 0.55),
        ];
        for (model, cloth, down, scale) in parts {
            let world = Mat4::from_translation(mouth + Vec3::Y * (down * self.radius))
                * rotation
                * Mat4::from_scale(Vec3::splat(scale * self.radius));
            matrix(device, 0, camera.view_projection() * world)?;
            sample(device, 0, cloth, D3DTADDRESS_WRAP)?;
            whole(device, model)?;
        }
        deactivate(device)?;
        self.ropes(device, mouth)
    }

    fn ropes(&self, device: &mut Device, mouth: Vec3) -> Result<()> {
        const ROPES: usize = 8;
        let mut lines = [Coloured {
            position: [0.0; 3],
            colour: 0xFF2A_2018,
        }; ROPES * 2];
        for (rope, ends) in lines.chunks_exact_mut(2).enumerate() {
            let (sin, cos) = (rope as f32 / ROPES as f32 * std::f32::consts::TAU).sin_cos();
            let end = |radius: f32, up: f32| {
                (mouth + Vec3::new(sin * radius, up, cos * radius) * self.radius).to_array()
            };
            ends[0].position = end(0.23, 0.04);
            ends[1].position = end(0.17, -0.45);
        }
        fixed_function(device, COLOURED)?;
        device.set_texture(0, None)?;
        stage(device, 0, D3DTOP_SELECTARG1, D3DTA_DIFFUSE)?;
        end_stages(device, 1)?;
        device.draw_primitive_up(
            D3DPT_LINELIST,
            ROPES as u32,
            cast_slice(&lines),
            size_of::<Coloured>() as u32,
        )
    }
}

/// A light seen as a glow.
pub(super) struct Glow {
    pub(super) place: Vec3,
    pub(super) size: f32,
    pub(super) colour: u32,
}

/// The balloons' flames, and lanterns afloat on the lake.
pub(super) fn glows(scene: &Scene, moment: Moment) -> Vec<Glow> {
    let mut glows = Vec::new();
    for balloon in &BALLOONS {
        let burner = balloon.burner(moment.seconds);
        let place = balloon.position(moment.seconds).0 - Vec3::Y * (0.12 * balloon.radius);
        let colour = pixel(Vec3::new(1.0, 0.62, 0.26), burner);
        glows.push(Glow {
            place,
            size: balloon.radius * 0.42,
            colour,
        });
    }
    for lantern in 0..150 {
        let at = |seed: u32| random(lantern, 0, seed);
        let (x, z) = (mix(-240.0, 330.0, at(11)), mix(-540.0, 120.0, at(12)));
        if scene.land.height(x, z) > -2.0 {
            continue;
        }
        let pulse = 0.75 + 0.25 * (moment.seconds * mix(1.0, 2.6, at(13)) + at(14) * 6.3).sin();
        let warm = Vec3::new(1.0, mix(0.50, 0.74, at(15)), mix(0.18, 0.42, at(16)));
        glows.push(Glow {
            place: Vec3::new(
                x + moment.seconds * 0.4,
                1.5 + 0.2 * (moment.seconds + at(14) * 9.0).sin(),
                z,
            ),
            size: mix(2.4, 4.2, at(17)),
            colour: pixel(warm, pulse),
        });
    }
    glows
}
