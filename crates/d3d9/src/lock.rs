//! Locking levels of textures, surfaces and volumes.

use crate::device::Device;
use crate::hresult::Result;
use crate::types::{Box3, LevelTarget, LockedBox, LockedRect, Rect};

impl Device {
    /// `LockRect`: `flags` are `D3DLOCK_*`. The level's bytes do not move until the unlock.
    pub fn lock_rect(
        &mut self,
        level: impl Into<LevelTarget>,
        rect: Option<Rect>,
        flags: u32,
    ) -> Result<LockedRect> {
        todo!()
    }

    /// `UnlockRect`.
    pub fn unlock_rect(&mut self, level: impl Into<LevelTarget>) -> Result<()> {
        todo!()
    }

    /// `LockBox`.
    pub fn lock_box(
        &mut self,
        level: impl Into<LevelTarget>,
        region: Option<Box3>,
        flags: u32,
    ) -> Result<LockedBox> {
        todo!()
    }

    /// `UnlockBox`.
    pub fn unlock_box(&mut self, level: impl Into<LevelTarget>) -> Result<()> {
        todo!()
    }

    /// The bytes of a locked level, from the locked region's first byte (`pBits`) to the end of its last
    /// row.
    pub fn locked_bytes_mut(&mut self, level: impl Into<LevelTarget>) -> Result<&mut [u8]> {
        todo!()
    }
}
