//! Which planes of the view volume processed vertices are outside of.

use crate::consts::*;
use crate::device::Device;

/// `D3DCLIPSTATUS9`: sets of `D3DCS_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipStatus {
    /// Planes that at least one vertex is outside of.
    pub union: u32,
    /// Planes that all vertices are outside of.
    pub intersection: u32,
}

impl Default for ClipStatus {
    /// Of no vertex yet.
    fn default() -> Self {
        Self {
            union: 0,
            intersection: u32::MAX,
        }
    }
}

impl ClipStatus {
    /// Takes in a vertex at a position in clip space.
    pub(crate) fn add(&mut self, [x, y, z, w]: [f32; 4]) {
        let planes = [
            (x < -w, D3DCS_LEFT),
            (x > w, D3DCS_RIGHT),
            (y > w, D3DCS_TOP),
            (y < -w, D3DCS_BOTTOM),
            (z < 0.0, D3DCS_FRONT),
            (z > w, D3DCS_BACK),
        ];
        let outside = |codes, (outside, code): (bool, u32)| codes | if outside { code } else { 0 };
        let codes = planes.into_iter().fold(0, outside);
        self.union |= codes;
        self.intersection &= codes;
    }
}

impl Device {
    /// `SetClipStatus`.
    pub fn set_clip_status(&mut self, status: ClipStatus) {
        self.clip_status = status;
    }

    /// `GetClipStatus`: what `ProcessVertices` added to what was set; zeros after calls without
    /// `D3DRS_CLIPPING`. Draws add nothing: their vertices are processed on the GPU.
    pub fn get_clip_status(&self) -> ClipStatus {
        self.clip_status
    }
}
