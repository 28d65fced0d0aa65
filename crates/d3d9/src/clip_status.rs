//! Which planes of the view volume processed vertices are outside of.

use ninefold_exec::skin::SkinWatch;

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
        let mut past = Past::default();
        positions.iter().for_each(|position| past.see(*position));
        self.join(past.status());
    }

    /// Takes in what is known of other vertices.
    pub(crate) fn join(&mut self, other: ClipStatus) {
        self.union |= other.union;
        self.intersection &= other.intersection;
    }
}

/// How many of many positions are past each plane, by component.
#[derive(Clone, Copy, Default)]
pub(crate) struct Past {
    count: u32,
    above: [u32; 4],
    below: [u32; 4],
}

impl SkinWatch<f32> for Past {
    #[inline(always)]
    fn see(&mut self, position: [f32; 4]) {
        let w = position[3];
        let (high, low) = ([w; 4], [-w, -w, 0.0, -w]);
        self.count += 1;
        for c in 0..4 {
            self.above[c] += u32::from(position[c] > high[c]);
            self.below[c] += u32::from(position[c] < low[c]);
        }
    }
}

impl Past {
    /// What that comes to.
    pub(crate) fn status(&self) -> ClipStatus {
        const ABOVE: [u32; 3] = [D3DCS_RIGHT, D3DCS_TOP, D3DCS_BACK];
        const BELOW: [u32; 3] = [D3DCS_LEFT, D3DCS_BOTTOM, D3DCS_FRONT];
        if self.count == 0 {
            return ClipStatus::default();
        }
        let above = self.above.into_iter().zip(ABOVE);
        let planes = above.chain(self.below.into_iter().zip(BELOW));
        let codes = |holds: &dyn Fn(u32) -> bool| {
            let held = planes.clone().filter(|(past, _)| holds(*past));
            held.fold(0, |codes, (_, code)| codes | code)
        };
        ClipStatus {
            union: codes(&|past| past > 0),
            intersection: codes(&|past| past == self.count),
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
