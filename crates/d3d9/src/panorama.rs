//! One world from one eye in nine directions: six around, up, down and a free one.

use glam::Vec3;

use crate::bearing::Bearing;
use crate::consts::*;
use crate::device::Device;
use crate::handle::SurfaceHandle;
use crate::hresult::{HResult, Result};
use crate::types::{Matrix, Viewport};

/// What a panorama is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PanoramaDesc {
    /// Pixels of each side of each picture, 1 to the largest texture.
    pub size: u32,
    /// `D3DFORMAT` of the pictures, which must be a render target's.
    pub format: u32,
    /// A vector up, of any length but 0.
    pub up: [f32; 3],
    /// The direction of the first of the six around; what of it points up is left away.
    pub ahead: [f32; 3],
    /// How much of the world the six around are looked at for from top to bottom, in degrees, more
    /// than 0 and less than 180. Up and down show the rest. All pictures show a little more, so that
    /// neighbours overlap. At 90 degrees the ring and the others meet where depths are equal.
    pub ring_height: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

impl Default for PanoramaDesc {
    /// 512 pixels of A8R8G8B8, y up, z ahead, 60 degrees high.
    fn default() -> Self {
        Self {
            size: 512,
            format: D3DFMT_A8R8G8B8,
            up: [0.0, 1.0, 0.0],
            ahead: [0.0, 0.0, 1.0],
            ring_height: 60.0,
            near: 1.0,
            far: 1000.0,
        }
    }
}

/// What a scene is drawn with for one bearing: left-handed, `D3DTS_VIEW` and `D3DTS_PROJECTION` are
/// set to `view` and `projection`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PanoramaView {
    /// The direction.
    pub bearing: Bearing,
    /// Where all views are from.
    pub eye: [f32; 3],
    /// Unit vector to the right of the picture.
    pub right: [f32; 3],
    /// Unit vector to the top of the picture.
    pub up: [f32; 3],
    /// Unit vector along the view.
    pub forward: [f32; 3],
    /// From the world to the view.
    pub view: Matrix,
    /// From the view to the picture.
    pub projection: Matrix,
}

impl PanoramaView {
    /// The plane of fog by depth that begins at `start` and is whole at `end`: 0 and 1 there, for
    /// `c6` of [`ninefold_bytecode::radial_fog`].
    pub fn fog_plane(&self, start: f32, end: f32) -> [f32; 4] {
        let scale = (end - start).recip();
        let forward = Vec3::from(self.forward);
        (forward * scale)
            .extend(-(start + forward.dot(self.eye.into())) * scale)
            .to_array()
    }
}

/// Nine pictures and the views that they show.
///
/// ```no_run
/// # use ninefold_d3d9::{Bearing, Device, Panorama, PanoramaDesc, Result};
/// # fn scene(_: &mut Device) -> Result<()> { Ok(()) }
/// # fn f(device: &mut Device) -> Result<()> {
/// let panorama = Panorama::new(device, &PanoramaDesc::default())?;
/// panorama.draw(device, [0.0, 2.0, 0.0], Bearing::all(), |device, view| {
///     device.set_vertex_shader_constant_f(6, &[view.fog_plane(10.0, 200.0)])?;
///     scene(device)
/// })?;
/// let above = device.read_surface(panorama.surface(Bearing::UP))?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Panorama {
    desc: PanoramaDesc,
    /// Right, up and forward of each bearing.
    axes: [[Vec3; 3]; Bearing::COUNT],
    /// Half of what a picture shows at distance 1, across and down: of the ring, of the others.
    extents: [[f32; 2]; 2],
    /// Half of what the six around are looked at for, down, at distance 1.
    height: f32,
    surfaces: Vec<SurfaceHandle>,
    depth: SurfaceHandle,
}

/// Half of what one of the six is looked at for across, at distance 1: the tangent of 30 degrees.
const RING_EXTENT: f32 = 0.577_350_26;
/// How much more a picture shows than it is looked at for, so that those of neighbours overlap.
const OVERLAP: f32 = 1.03;

impl Panorama {
    /// Makes the pictures and a depth surface that they share.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a description that is none, and what making the surfaces ends with.
    pub fn new(device: &mut Device, desc: &PanoramaDesc) -> Result<Self> {
        let Some((axes, extents, height)) = frame(desc) else {
            let fault = crate::fault::Fault::invalid(format!("desc: {desc:?} has no views"));
            return Err(device.failed(fault));
        };
        let (size, format) = (desc.size, desc.format);
        let depth = device.create_depth_stencil_surface(size, size, D3DFMT_D24S8, 0, 0, true)?;
        let mut panorama = Self {
            desc: *desc,
            axes,
            extents,
            height,
            surfaces: Vec::with_capacity(Bearing::COUNT),
            depth,
        };
        for _ in Bearing::all() {
            match device.create_render_target(size, size, format, 0, 0, false) {
                Ok(surface) => panorama.surfaces.push(surface),
                Err(code) => {
                    panorama.release(device);
                    return Err(code);
                }
            }
        }
        Ok(panorama)
    }

    /// Gives the pictures back.
    pub fn release(self, device: &mut Device) {
        for surface in self.surfaces.into_iter().chain([self.depth]) {
            // One that is gone has been released by someone else.
            let _ = device.release(surface);
        }
    }

    /// Turns the free bearing: along `forward`, its picture's top towards `up`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for vectors without a length, and for parallel ones.
    pub fn set_free(&mut self, forward: [f32; 3], up: [f32; 3]) -> Result<()> {
        self.axes[usize::from(Bearing::FREE.number())] =
            axes(forward.into(), up.into()).ok_or(HResult::INVALIDCALL)?;
        Ok(())
    }

    /// The picture of a bearing.
    pub fn surface(&self, bearing: Bearing) -> SurfaceHandle {
        self.surfaces[usize::from(bearing.number())]
    }

    /// The view of a bearing from `eye`.
    pub fn view(&self, bearing: Bearing, eye: [f32; 3]) -> PanoramaView {
        let [right, up, forward] = self.axes[usize::from(bearing.number())];
        let at = Vec3::from(eye);
        let row = |i: usize| [right[i], up[i], forward[i], 0.0];
        let [x, y] = self.extent(bearing);
        let (near, far) = (self.desc.near, self.desc.far);
        let depth = far / (far - near);
        PanoramaView {
            bearing,
            eye,
            right: right.into(),
            up: up.into(),
            forward: forward.into(),
            view: [
                row(0),
                row(1),
                row(2),
                [-right.dot(at), -up.dot(at), -forward.dot(at), 1.0],
            ],
            projection: [
                [1.0 / x, 0.0, 0.0, 0.0],
                [0.0, 1.0 / y, 0.0, 0.0],
                [0.0, 0.0, depth, 1.0],
                [0.0, 0.0, -near * depth, 0.0],
            ],
        }
    }

    /// The bearing to look at for a direction: the nearest around, or above and below what these are
    /// looked at for up or down.
    pub fn bearing_of(&self, direction: [f32; 3]) -> Bearing {
        let d = Vec3::from(direction);
        let [right, up, ahead] = self.axes[0];
        let turn = d.dot(right).atan2(d.dot(ahead)) / std::f32::consts::FRAC_PI_3;
        let ring = Bearing::ring(turn.round().rem_euclid(6.0) as u8);
        let [_, _, forward] = self.axes[usize::from(ring.number())];
        let (above, depth) = (d.dot(up), d.dot(forward));
        if above.abs() <= self.height * depth {
            ring
        } else if above > 0.0 {
            Bearing::UP
        } else {
            Bearing::DOWN
        }
    }

    /// Where a bearing's picture shows a direction: right and down, 0 to 1. `None` where it does
    /// not.
    pub fn locate(&self, bearing: Bearing, direction: [f32; 3]) -> Option<[f32; 2]> {
        let d = Vec3::from(direction);
        let [right, up, forward] = self.axes[usize::from(bearing.number())];
        let [x, y] = self.extent(bearing);
        let depth = d.dot(forward);
        let place = [d.dot(right) / (x * depth), -d.dot(up) / (y * depth)];
        let inside = depth > 0.0 && place.iter().all(|p| p.abs() <= 1.0);
        inside.then(|| place.map(|p| p * 0.5 + 0.5))
    }

    /// Draws `scene` once for each of `bearings`, into its picture: target 0, the depth surface,
    /// viewport, view and projection are set, and the panorama pass. The pictures are not cleared.
    /// Afterwards the device has the targets, viewport, scissor rectangle and matrices that it had,
    /// also when the scene fails.
    ///
    /// # Errors
    /// What the scene ends with, and what setting the state does.
    pub fn draw(
        &self,
        device: &mut Device,
        eye: [f32; 3],
        bearings: impl IntoIterator<Item = Bearing>,
        mut scene: impl FnMut(&mut Device, &PanoramaView) -> Result<()>,
    ) -> Result<()> {
        let before = Flat::of(device)?;
        let drawn = bearings.into_iter().try_for_each(|bearing| {
            let view = self.view(bearing, eye);
            device.set_render_target(0, Some(self.surface(bearing)))?;
            device.set_depth_stencil_surface(Some(self.depth))?;
            device.set_transform(D3DTS_VIEW, &view.view)?;
            device.set_transform(D3DTS_PROJECTION, &view.projection)?;
            device.set_panorama_pass(Some(bearing));
            scene(device, &view)
        });
        drawn.and(before.restore(device))
    }

    fn extent(&self, bearing: Bearing) -> [f32; 2] {
        self.extents[usize::from(!bearing.is_ring())]
    }
}

/// What a panorama changes of the flat view.
struct Flat {
    target: SurfaceHandle,
    depth: Option<SurfaceHandle>,
    viewport: Viewport,
    scissor: crate::types::Rect,
    view: Matrix,
    projection: Matrix,
    pass: Option<Bearing>,
}

impl Flat {
    fn of(device: &mut Device) -> Result<Self> {
        Ok(Self {
            viewport: device.get_viewport(),
            scissor: device.get_scissor_rect(),
            view: device.get_transform(D3DTS_VIEW)?,
            projection: device.get_transform(D3DTS_PROJECTION)?,
            pass: device.panorama_pass(),
            target: device.get_render_target(0)?,
            depth: device.get_depth_stencil_surface().ok(),
        })
    }

    fn restore(self, device: &mut Device) -> Result<()> {
        device.set_panorama_pass(self.pass);
        let results = [
            device.set_render_target(0, Some(self.target)),
            device.set_depth_stencil_surface(self.depth),
            device.set_viewport(&self.viewport),
            device.set_scissor_rect(self.scissor),
            device.set_transform(D3DTS_VIEW, &self.view),
            device.set_transform(D3DTS_PROJECTION, &self.projection),
            device.release(self.target).map(drop),
            self.depth
                .map_or(Ok(()), |depth| device.release(depth).map(drop)),
        ];
        results.into_iter().collect()
    }
}

/// Right, up and forward of a view along `forward`. `None` where they are not three directions.
fn axes(forward: Vec3, up: Vec3) -> Option<[Vec3; 3]> {
    let forward = forward.try_normalize()?;
    let right = up.try_normalize()?.cross(forward);
    // Parallel but for rounding.
    if right.length_squared() < 1e-10 {
        return None;
    }
    let right = right.normalize();
    Some([right, forward.cross(right), forward])
}

/// The axes of every bearing, the extents of the ring and the others, and the ring's height.
type Frame = ([[Vec3; 3]; Bearing::COUNT], [[f32; 2]; 2], f32);

fn frame(desc: &PanoramaDesc) -> Option<Frame> {
    let PanoramaDesc {
        ring_height,
        near,
        far,
        ..
    } = *desc;
    let up = Vec3::from(desc.up).try_normalize()?;
    let level = Vec3::from(desc.ahead).reject_from_normalized(up);
    let ahead = axes(level, up)?;
    let sound = ring_height > 0.0
        && ring_height < 180.0
        && near > 0.0
        && far > near
        && (far / (far - near)).is_finite();
    if !sound {
        return None;
    }
    let [right, _, forward] = ahead;
    let mut all = [ahead; Bearing::COUNT];
    for (turn, axes) in all.iter_mut().take(6).enumerate() {
        let (sin, cos) = (turn as f32 * std::f32::consts::FRAC_PI_3).sin_cos();
        let along = forward * cos + right * sin;
        *axes = [up.cross(along), up, along];
    }
    all[usize::from(Bearing::UP.number())] = [right, -forward, up];
    all[usize::from(Bearing::DOWN.number())] = [right, forward, -up];
    let height = (ring_height.to_radians() * 0.5).tan();
    // The ring ends lowest at its corners, whose level distance is 1 / cos(30 degrees).
    let cap = OVERLAP / (height * 30f32.to_radians().cos());
    let ring = [RING_EXTENT, height].map(|extent| extent * OVERLAP);
    (cap.is_finite() && height.is_finite()).then_some((all, [ring, [cap, cap]], height))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> impl Iterator<Item = Vec3> {
        (0..2_000).map(|n| {
            // Evenly over the sphere, by the golden angle.
            let z = 1.0 - (n as f32 + 0.5) / 1_000.0;
            let turn = n as f32 * 2.399_963_2;
            let flat = (1.0 - z * z).sqrt();
            Vec3::new(flat * turn.cos(), z, flat * turn.sin())
        })
    }

    fn panorama(desc: &PanoramaDesc) -> Panorama {
        let (axes, extents, height) = frame(desc).expect("a frame");
        let nothing = SurfaceHandle {
            resource: crate::handle::RawHandle::NONE,
            sub: 0,
        };
        Panorama {
            desc: *desc,
            axes,
            extents,
            height,
            surfaces: vec![nothing; Bearing::COUNT],
            depth: nothing,
        }
    }

    /// Each direction is in the picture of its bearing, where the matrices project it to.
    #[test]
    fn every_direction_is_shown_where_the_matrices_say() {
        for ring_height in [40.0, 60.0, 90.0, 120.0] {
            let panorama = panorama(&PanoramaDesc {
                up: [0.0, 0.0, 2.0],
                ahead: [3.0, 1.0, 5.0],
                ring_height,
                ..PanoramaDesc::default()
            });
            let eye = Vec3::new(4.0, -3.0, 9.0);
            for d in directions() {
                let bearing = panorama.bearing_of(d.into());
                let [u, v] = panorama.locate(bearing, d.into()).expect("it is shown");
                let view = panorama.view(bearing, eye.into());
                // Direct3D's vectors are rows: glam's columns are the matrices' rows.
                let matrix = glam::Mat4::from_cols_array_2d(&view.projection)
                    * glam::Mat4::from_cols_array_2d(&view.view);
                let p = matrix.project_point3(eye + d * 50.0);
                let place = [p.x * 0.5 + 0.5, 0.5 - p.y * 0.5];
                for (is, should) in place.into_iter().zip([u, v]) {
                    assert!((is - should).abs() < 1e-3, "{bearing:?} {d}: {is} {should}");
                }
                assert!(p.z > 0.0 && p.z < 1.0);
            }
        }
    }

    #[test]
    fn the_axes_are_right_angled_and_left_handed() {
        let panorama = panorama(&PanoramaDesc::default());
        for bearing in Bearing::all() {
            let view = panorama.view(bearing, [0.0; 3]);
            let [right, up, forward] = [view.right, view.up, view.forward].map(Vec3::from);
            // Left-handed: right cross up is minus what it is right-handed.
            assert!(right.cross(up).abs_diff_eq(forward, 1e-6), "{bearing:?}");
            assert!((forward.length() - 1.0).abs() < 1e-6);
        }
        let forward = |bearing| Vec3::from(panorama.view(bearing, [0.0; 3]).forward);
        assert!(forward(Bearing::ring(0)).abs_diff_eq(Vec3::Z, 1e-6));
        // 60 and 90 degrees to the right: x is to the right of z with y up, left-handed.
        let right = Vec3::new(0.866_025_4, 0.0, 0.5);
        assert!(forward(Bearing::ring(1)).abs_diff_eq(right, 1e-6));
        assert_eq!(panorama.bearing_of([0.9, 0.0, 0.4]), Bearing::ring(1));
        assert_eq!(panorama.bearing_of([0.1, 3.0, 0.4]), Bearing::UP);
        assert_eq!(panorama.bearing_of([0.1, -3.0, 0.4]), Bearing::DOWN);
    }

    #[test]
    fn fog_planes_are_0_at_the_start_and_1_at_the_end() {
        let panorama = panorama(&PanoramaDesc::default());
        let eye = Vec3::new(7.0, 2.0, -40.0);
        for bearing in Bearing::all() {
            let view = panorama.view(bearing, eye.into());
            let plane = glam::Vec4::from(view.fog_plane(10.0, 90.0));
            for (depth, fog) in [(10.0, 0.0), (50.0, 0.5), (90.0, 1.0)] {
                let place = eye + Vec3::from(view.forward) * depth + Vec3::from(view.right) * 5.0;
                assert!((plane.dot(place.extend(1.0)) - fog).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn descriptions_without_views_are_refused() {
        let plain = PanoramaDesc::default();
        assert!(frame(&plain).is_some());
        let nan = f32::NAN;
        for bad in [
            PanoramaDesc {
                up: [0.0; 3],
                ..plain
            },
            PanoramaDesc {
                up: [nan; 3],
                ..plain
            },
            PanoramaDesc {
                ahead: [0.0, 5.0, 0.0],
                ..plain
            },
            PanoramaDesc {
                ahead: [nan, 0.0, 1.0],
                ..plain
            },
            PanoramaDesc {
                ring_height: 0.0,
                ..plain
            },
            PanoramaDesc {
                ring_height: 180.0,
                ..plain
            },
            PanoramaDesc {
                ring_height: nan,
                ..plain
            },
            PanoramaDesc {
                ring_height: 1e-38,
                ..plain
            },
            PanoramaDesc { near: 0.0, ..plain },
            PanoramaDesc {
                near: 10.0,
                far: 10.0,
                ..plain
            },
            PanoramaDesc {
                far: f32::INFINITY,
                ..plain
            },
            PanoramaDesc { far: nan, ..plain },
        ] {
            assert!(frame(&bad).is_none(), "{bad:?}");
        }
    }
}
