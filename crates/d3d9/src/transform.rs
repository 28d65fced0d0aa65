//! Transforms, material, lights and clip planes.

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::hresult::Result;
use crate::resolve::group;
use crate::types::{IDENTITY, Light, Material, Matrix};

/// Place of the view matrix in [`Transforms`].
pub(crate) const VIEW: usize = 0;
/// Place of the projection matrix.
pub(crate) const PROJECTION: usize = 1;
/// Place of the first of eight texture matrices.
pub(crate) const TEXTURE: usize = 2;
/// Place of the first of 256 world matrices.
pub(crate) const WORLD: usize = 10;
const COUNT: usize = WORLD + 256;

/// Every matrix of `SetTransform`.
#[derive(Clone, Debug)]
pub(crate) struct Transforms(pub(crate) Box<[Matrix]>);

impl Default for Transforms {
    fn default() -> Self {
        Self(vec![IDENTITY; COUNT].into())
    }
}

/// The place of a `D3DTS_*`.
pub(crate) fn place_of(state: u32) -> Outcome<usize> {
    Ok(match state {
        D3DTS_VIEW => VIEW,
        D3DTS_PROJECTION => PROJECTION,
        D3DTS_TEXTURE0..=D3DTS_TEXTURE7 => TEXTURE + (state - D3DTS_TEXTURE0) as usize,
        256..=511 => WORLD + (state - D3DTS_WORLD) as usize,
        _ => invalid!("state: {state} is not a D3DTRANSFORMSTATETYPE"),
    })
}

/// Lights that shine at once, `MaxActiveLights`.
const MOST_ACTIVE: usize = 8;

/// Lights by index, and which are on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lights {
    /// Sorted by index.
    entries: Vec<(u32, Light, bool)>,
    /// The lights that shine. One enabled while there were as many as can be is on, but shines
    /// only when enabled again.
    shining: Vec<u32>,
}

impl Lights {
    fn find(&self, index: u32) -> core::result::Result<usize, usize> {
        self.entries.binary_search_by_key(&index, |e| e.0)
    }

    pub(crate) fn get(&self, index: u32) -> Option<&Light> {
        self.find(index).ok().map(|at| &self.entries[at].1)
    }

    pub(crate) fn enabled(&self, index: u32) -> Option<bool> {
        self.find(index).ok().map(|at| self.entries[at].2)
    }

    /// Sets a light; whether anything changed.
    pub(crate) fn set(&mut self, index: u32, light: &Light) -> bool {
        match self.find(index) {
            Ok(at) => core::mem::replace(&mut self.entries[at].1, *light) != *light,
            Err(at) => {
                self.entries.insert(at, (index, *light, false));
                true
            }
        }
    }

    /// Turns a light on or off; whether anything changed.
    pub(crate) fn enable(&mut self, index: u32, on: bool) -> bool {
        let shone = self.shining.iter().position(|n| *n == index);
        let mut changed = false;
        match (on, shone) {
            (true, None) if self.shining.len() < MOST_ACTIVE => {
                self.shining.push(index);
                changed = true;
            }
            (false, Some(at)) => {
                self.shining.remove(at);
                changed = true;
            }
            _ => {}
        }
        changed
            | match self.find(index) {
                Ok(at) => core::mem::replace(&mut self.entries[at].2, on) != on,
                Err(at) => {
                    self.entries.insert(at, (index, Light::default(), on));
                    true
                }
            }
    }

    /// The lights that shine, lowest index first.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Light> + Clone {
        self.entries
            .iter()
            .filter(|e| e.2 && self.shining.contains(&e.0))
            .map(|e| &e.1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Light, bool)> {
        self.entries
            .iter()
            .map(|(index, light, on)| (*index, light, *on))
    }
}

/// The product of two row-vector matrices: first `a`, then `b`.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

impl Device {
    /// `SetTransform`: `D3DTS_*`; world matrices are 256 to 511.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for another number.
    pub fn set_transform(&mut self, state: u32, matrix: &Matrix) -> Result<()> {
        self.recorded(
            |r, x| r.set_transform(x, state, matrix),
            |d| {
                let place = place_of(state)?;
                match &mut d.recording {
                    Some(block) => {
                        block.mask.transforms.set(place as u32);
                        block.values.transforms.0[place] = *matrix;
                    }
                    None => d.put_transform(place, matrix),
                }
                Ok(())
            },
        )
    }

    pub(crate) fn put_transform(&mut self, place: usize, matrix: &Matrix) {
        let slot = &mut self.state.transforms.0[place];
        if slot == matrix {
            return;
        }
        let old = core::mem::replace(slot, *matrix);
        match place {
            VIEW => self
                .resolved
                .touch(group::TRANSFORMS | group::LIGHTS | group::PALETTE | group::VERTEX_EXTRAS),
            PROJECTION => {
                self.resolved
                    .touch(group::TRANSFORMS | group::VERTEX_EXTRAS);
                if affine(&old) != affine(matrix) {
                    self.resolved.touch(group::VERTEX | group::PIXEL);
                }
            }
            WORLD => self.resolved.touch(group::TRANSFORMS),
            TEXTURE..WORLD => self.resolved.touch_texture_transform(place - TEXTURE),
            _ => self.resolved.touch(group::PALETTE),
        }
    }

    /// `GetTransform`.
    pub fn get_transform(&mut self, state: u32) -> Result<Matrix> {
        self.call(|d| Ok(d.state.transforms.0[place_of(state)?]))
    }

    /// `MultiplyTransform`: `matrix` times the current one. Goes to the device even while a state
    /// block is recorded.
    pub fn multiply_transform(&mut self, state: u32, matrix: &Matrix) -> Result<()> {
        self.recorded(
            |r, x| r.multiply_transform(x, state, matrix),
            |d| {
                let place = place_of(state)?;
                let new = product(matrix, &d.state.transforms.0[place]);
                d.put_transform(place, &new);
                Ok(())
            },
        )
    }

    /// `SetMaterial`.
    pub fn set_material(&mut self, material: &Material) -> Result<()> {
        self.recorded(
            |r, x| r.set_material(x, material),
            |d| {
                match &mut d.recording {
                    Some(block) => {
                        block.mask.material = true;
                        block.values.material = *material;
                    }
                    None => {
                        if d.state.material != *material {
                            d.state.material = *material;
                            d.resolved.touch(group::MATERIAL);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetMaterial`.
    pub fn get_material(&self) -> Material {
        self.state.material
    }

    /// `SetLight`: any index.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a type that is not a `D3DLIGHTTYPE`, and for a point or spot light
    /// with a negative attenuation.
    pub fn set_light(&mut self, index: u32, light: &Light) -> Result<()> {
        self.recorded(
            |r, x| r.set_light(x, index, light),
            |d| {
                if !(D3DLIGHT_POINT..=D3DLIGHT_DIRECTIONAL).contains(&light.kind) {
                    invalid!("light: type {} is not a D3DLIGHTTYPE", light.kind);
                }
                let falls = [light.attenuation0, light.attenuation1, light.attenuation2];
                if light.kind != D3DLIGHT_DIRECTIONAL && falls.iter().any(|a| *a < 0.0) {
                    invalid!("light: attenuations {falls:?} must not be negative");
                }
                match &mut d.recording {
                    Some(block) => block.record_light(index, light),
                    None => {
                        if d.state.lights.set(index, light)
                            && d.state.lights.enabled(index) == Some(true)
                        {
                            d.resolved.touch(group::LIGHTS);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetLight`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a light never set or enabled.
    pub fn get_light(&mut self, index: u32) -> Result<Light> {
        self.call(|d| match d.state.lights.get(index) {
            Some(light) => Ok(*light),
            None => invalid!("index: light {index} was never set"),
        })
    }

    /// `LightEnable`: makes the default light where none was set.
    pub fn light_enable(&mut self, index: u32, enable: bool) -> Result<()> {
        self.recorded(
            |r, x| r.light_enable(x, index, enable),
            |d| {
                match &mut d.recording {
                    Some(block) => block.record_light_enable(index, enable),
                    None => {
                        if d.state.lights.enable(index, enable) {
                            d.resolved.touch(group::LIGHTS);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetLightEnable`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a light never set or enabled.
    pub fn get_light_enable(&mut self, index: u32) -> Result<bool> {
        self.call(|d| match d.state.lights.enabled(index) {
            Some(on) => Ok(on),
            None => invalid!("index: light {index} was never set"),
        })
    }

    /// `SetClipPlane`: planes 0 to 5. A plane past the last is the last, as D3D9's runtime has it.
    pub fn set_clip_plane(&mut self, index: u32, plane: [f32; 4]) -> Result<()> {
        self.recorded(
            |r, x| r.set_clip_plane(x, index, plane),
            |d| {
                let index = plane_of(index);
                match &mut d.recording {
                    Some(block) => {
                        block.mask.clip_planes |= 1 << index;
                        block.values.clip_planes[index] = plane;
                    }
                    None => {
                        let slot = &mut d.state.clip_planes[index];
                        if *slot != plane {
                            *slot = plane;
                            d.resolved.touch(group::VERTEX_EXTRAS);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetClipPlane`: a plane past the last is the last.
    pub fn get_clip_plane(&mut self, index: u32) -> Result<[f32; 4]> {
        Ok(self.state.clip_planes[plane_of(index)])
    }
}

/// The place of a clip plane.
fn plane_of(index: u32) -> usize {
    index.min(5) as usize
}

/// Whether a projection leaves w at 1: its table fog uses z.
pub(crate) fn affine(m: &Matrix) -> bool {
    [m[0][3], m[1][3], m[2][3], m[3][3]] == [0.0, 0.0, 0.0, 1.0]
}
