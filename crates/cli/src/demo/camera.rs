//! Where the viewer is, and everything else that moves: functions of time in seconds.

use glam::{Mat4, Vec3};

use super::noise::smoothstep;

/// The viewer at a time.
pub(super) struct Camera {
    pub(super) eye: Vec3,
    pub(super) view: Mat4,
    pub(super) projection: Mat4,
}

/// Nearest and farthest visible distance, metres.
const NEAR: f32 = 2.0;
const FAR: f32 = 3000.0;

impl Camera {
    /// The flight's view; `progress` runs from 0 to 1.
    pub(super) fn at(progress: f32, aspect: f32) -> Self {
        let eased = smoothstep(-0.2, 1.2, progress);
        let eye = Vec3::new(-120.0, 15.0, -560.0).lerp(Vec3::new(60.0, 30.0, -430.0), eased);
        let target = Vec3::new(-10.0, 58.0, 0.0).lerp(Vec3::new(70.0, 62.0, 100.0), eased);
        Self {
            eye,
            view: Mat4::look_at_lh(eye, target, Vec3::Y),
            projection: Mat4::perspective_lh(50f32.to_radians(), aspect, NEAR, FAR),
        }
    }

    /// The same viewer under the lake's surface: what it reflects. Mirroring turns triangles over.
    pub(super) fn mirrored(&self) -> Self {
        Self {
            eye: self.eye * Vec3::new(1.0, -1.0, 1.0),
            view: self.view * Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0)),
            projection: self.projection,
        }
    }

    pub(super) fn view_projection(&self) -> Mat4 {
        self.projection * self.view
    }

    /// Unit vectors to the right and up on the screen, for billboards.
    pub(super) fn billboard(&self) -> (Vec3, Vec3) {
        let rows = self.view.transpose();
        (rows.x_axis.truncate(), rows.y_axis.truncate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_keeps_the_lake_where_it_is() {
        let camera = Camera::at(0.4, 16.0 / 9.0);
        let mirror = camera.mirrored();
        let on_lake = Vec3::new(12.0, 0.0, -200.0);
        let above = Vec3::new(12.0, 30.0, -200.0);
        let project = |camera: &Camera, p: Vec3| camera.view_projection().project_point3(p);
        assert!(project(&camera, on_lake).abs_diff_eq(project(&mirror, on_lake), 1e-5));
        let reflected = Vec3::new(above.x, -above.y, above.z);
        assert!(project(&camera, reflected).abs_diff_eq(project(&mirror, above), 1e-5));
    }

    #[test]
    fn billboards_face_the_viewer() {
        let camera = Camera::at(0.0, 1.0);
        let (right, up) = camera.billboard();
        let forward = (camera.view.inverse().transform_vector3(Vec3::Z)).normalize();
        assert!(right.dot(forward).abs() < 1e-5 && up.dot(forward).abs() < 1e-5);
        assert!(up.y > 0.9);
    }
}
