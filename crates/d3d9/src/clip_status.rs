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

    /// The same of many.
    pub(crate) fn add_all(&mut self, positions: &[[f32; 4]]) {
        // Of each component all bits where it is past the end.
        let [mut above, mut below] = [[0u32; 4]; 2];
        let [mut all_above, mut all_below] = [[u32::MAX; 4]; 2];
        let bits = |past: bool| u32::from(past).wrapping_neg();
        for position in positions {
            let w = position[3];
            let (high, low) = ([w; 4], [-w, -w, 0.0, -w]);
            for c in 0..4 {
                let past = bits(position[c] > high[c]);
                above[c] |= past;
                all_above[c] &= past;
                let past = bits(position[c] < low[c]);
                below[c] |= past;
                all_below[c] &= past;
            }
        }
        const ABOVE: [u32; 3] = [D3DCS_RIGHT, D3DCS_TOP, D3DCS_BACK];
        const BELOW: [u32; 3] = [D3DCS_LEFT, D3DCS_BOTTOM, D3DCS_FRONT];
        let codes = |above: [u32; 4], below: [u32; 4]| {
            let of =
                |past: [u32; 4], codes: [u32; 3]| (0..3).fold(0, |all, c| all | past[c] & codes[c]);
            of(above, ABOVE) | of(below, BELOW)
        };
        self.union |= codes(above, below);
        if !positions.is_empty() {
            self.intersection &= codes(all_above, all_below);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_as_one_by_one() {
        let numbers = [-2.0, -1.0, -0.0, 0.5, 1.0, f32::INFINITY, f32::NAN];
        let pick = |n: usize| numbers[n % numbers.len()];
        let positions: Vec<[f32; 4]> = (0..2401)
            .map(|n| [pick(n), pick(n / 7), pick(n / 49), pick(n / 343)])
            .collect();
        for size in [1, 2, 3, 31, 2401] {
            for positions in positions.chunks(size) {
                let [mut one, mut many] = [ClipStatus::default(); 2];
                positions.iter().for_each(|position| one.add(*position));
                many.add_all(positions);
                assert_eq!(one, many, "{positions:?}");
            }
        }
        let mut none = ClipStatus::default();
        none.add_all(&[]);
        assert_eq!(none, ClipStatus::default());
    }
}
