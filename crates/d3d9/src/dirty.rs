//! What changed in a level since it was last copied.

use crate::consts::*;
use crate::resource::{Kind, Resource};
use crate::types::Box3;

/// Boxes that are kept apart: programs mark a few between two copies. What comes after them is kept
/// as one box around all.
const MOST: usize = 32;

/// Regions of a level that changed, each as it was marked: what lies between two of them is not
/// copied.
#[derive(Debug, Default)]
pub(crate) struct Dirty {
    boxes: Vec<Box3>,
}

impl Dirty {
    pub(crate) fn add(&mut self, region: Box3) {
        if self.boxes.iter().any(|known| contains(*known, region)) {
            return;
        }
        self.boxes.retain(|known| !contains(region, *known));
        if self.boxes.len() < MOST {
            self.boxes.push(region);
            return;
        }
        let all = self.boxes.drain(..).fold(region, Box3::union);
        self.boxes.push(all);
    }

    pub(crate) fn boxes(&self) -> &[Box3] {
        &self.boxes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Forgets all; the memory stays for the next ones.
    pub(crate) fn clear(&mut self) {
        self.boxes.clear();
    }
}

impl Resource {
    /// Whether it is a texture of a pool that D3D9 records dirty regions for, when level 0 of a
    /// face is locked or by `AddDirtyRect`. They speak for the levels below too.
    pub(crate) fn records_dirty(&self) -> bool {
        matches!(self.pool, D3DPOOL_MANAGED | D3DPOOL_SYSTEMMEM)
            && matches!(self.kind, Kind::Texture | Kind::Cube | Kind::Volume)
    }

    /// Notes that a region of a level's memory changed.
    pub(crate) fn mark_dirty(&mut self, sub: u32, region: Box3) {
        let recorded = self.records_dirty();
        if recorded && !sub.is_multiple_of(self.levels) || !recorded && !self.on_gpu() {
            return;
        }
        self.subs[sub as usize].dirty.add(region);
        self.dirty |= self.on_gpu();
    }

    /// Notes that all that was ever written has to be copied again.
    pub(crate) fn mark_all_dirty(&mut self) {
        let recorded = self.records_dirty();
        for sub in 0..self.subs.len() as u32 {
            let level = &self.subs[sub as usize];
            if recorded || level.touched {
                let whole = level.whole();
                self.mark_dirty(sub, whole);
            }
        }
    }
}

fn contains(outer: Box3, inner: Box3) -> bool {
    outer.left <= inner.left
        && outer.top <= inner.top
        && outer.front <= inner.front
        && outer.right >= inner.right
        && outer.bottom >= inner.bottom
        && outer.back >= inner.back
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: u32, top: u32, edge: u32) -> Box3 {
        Box3 {
            left,
            top,
            right: left + edge,
            bottom: top + edge,
            front: 0,
            back: 1,
        }
    }

    #[test]
    fn regions_stay_apart_and_larger_ones_take_smaller_ones_in() {
        let mut dirty = Dirty::default();
        dirty.add(square(0, 0, 4));
        dirty.add(square(8, 8, 4));
        dirty.add(square(1, 1, 2));
        assert_eq!(dirty.boxes(), [square(0, 0, 4), square(8, 8, 4)]);
        dirty.add(square(0, 0, 16));
        assert_eq!(dirty.boxes(), [square(0, 0, 16)]);
        dirty.clear();
        assert!(dirty.is_empty());
    }

    #[test]
    fn many_become_one() {
        let mut dirty = Dirty::default();
        for i in 0..=MOST as u32 {
            dirty.add(square(2 * i, 0, 1));
        }
        let last = 2 * MOST as u32 + 1;
        assert_eq!(
            dirty.boxes(),
            [Box3 {
                right: last,
                ..square(0, 0, 1)
            }]
        );
    }
}
