//! Locking levels of textures, surfaces and volumes.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::hresult::Result;
use crate::resource::{Lock, Resource};
use crate::trace::LockKey;
use crate::types::{Box3, LevelTarget, LockedBox, LockedRect, Rect};

impl Device {
    /// `LockRect`: `flags` are `D3DLOCK_*`. The level's bytes do not move until the unlock.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a level already locked, a default-pool texture that is not dynamic,
    /// a target that is not lockable, a rectangle that is empty, reaches out of the level, or cuts a
    /// DXT block, and for `D3DLOCK_DISCARD` together with `D3DLOCK_READONLY`.
    pub fn lock_rect(
        &mut self,
        level: impl Into<LevelTarget>,
        rect: Option<Rect>,
        flags: u32,
    ) -> Result<LockedRect> {
        let target = level.into();
        self.recorded(
            |r, x| r.lock_rect(x, target, rect, flags),
            |d| {
                if matches!(
                    target,
                    LevelTarget::Volume(_) | LevelTarget::VolumeTexture(..)
                ) {
                    invalid!("level: volumes are locked with lock_box");
                }
                let region = match rect {
                    None => None,
                    Some(r) if r.left < 0 || r.top < 0 => {
                        invalid!("rect: {r:?} reaches out of the level")
                    }
                    Some(r) => Some(Box3 {
                        left: r.left as u32,
                        top: r.top as u32,
                        right: r.right.max(0) as u32,
                        bottom: r.bottom.max(0) as u32,
                        front: 0,
                        back: 1,
                    }),
                };
                let (lock, pitch, _) = d.lock(target, region, flags)?;
                Ok(LockedRect {
                    pitch: pitch as i32,
                    offset: lock.offset,
                    len: lock.len,
                })
            },
        )
    }

    /// `UnlockRect`.
    pub fn unlock_rect(&mut self, level: impl Into<LevelTarget>) -> Result<()> {
        let target = level.into();
        self.record_memory(LockKey::Level(target));
        self.recorded(|r, x| r.unlock_rect(x, target), |d| d.unlock(target))
    }

    /// `LockBox`. Errors as [`lock_rect`](Self::lock_rect).
    pub fn lock_box(
        &mut self,
        level: impl Into<LevelTarget>,
        region: Option<Box3>,
        flags: u32,
    ) -> Result<LockedBox> {
        let target = level.into();
        self.recorded(
            |r, x| r.lock_box(x, target, region, flags),
            |d| {
                if !matches!(
                    target,
                    LevelTarget::Volume(_) | LevelTarget::VolumeTexture(..)
                ) {
                    invalid!("level: surfaces are locked with lock_rect");
                }
                let (lock, row_pitch, slice_pitch) = d.lock(target, region, flags)?;
                Ok(LockedBox {
                    row_pitch: row_pitch as i32,
                    slice_pitch: slice_pitch as i32,
                    offset: lock.offset,
                    len: lock.len,
                })
            },
        )
    }

    /// `UnlockBox`.
    pub fn unlock_box(&mut self, level: impl Into<LevelTarget>) -> Result<()> {
        let target = level.into();
        self.record_memory(LockKey::Level(target));
        self.recorded(|r, x| r.unlock_box(x, target), |d| d.unlock(target))
    }

    /// The bytes of a locked level, from the locked region's first byte (`pBits`) to the end of its
    /// last row.
    pub fn locked_bytes_mut(&mut self, level: impl Into<LevelTarget>) -> Result<&mut [u8]> {
        let target = level.into();
        let (handle, sub, lock) = self.call(|d| {
            let (handle, sub) = d.find_level(target)?;
            match d.resource(handle, "level")?.subs[sub as usize].lock {
                Some(lock) => Ok((handle, sub, lock)),
                None => invalid!("level: not locked"),
            }
        })?;
        let bytes = self.resources.get_mut(handle).and_then(|r| {
            r.subs[sub as usize]
                .data
                .get_mut(lock.offset..lock.offset + lock.len)
        });
        bytes.ok_or(crate::HResult::INVALIDCALL)
    }

    fn lock(
        &mut self,
        target: LevelTarget,
        region: Option<Box3>,
        flags: u32,
    ) -> Outcome<(Lock, u32, u32)> {
        let (handle, sub) = self.find_level(target)?;
        let Self {
            resources,
            renderer,
            ..
        } = self;
        let resource = resources.get_mut(handle).ok_or_else(|| stale("level"))?;
        if !resource.lockable {
            invalid!(
                "level: this resource cannot be locked (default pool and not dynamic, or not lockable)"
            );
        }
        if flags & D3DLOCK_DISCARD != 0 && flags & D3DLOCK_READONLY != 0 {
            invalid!("flags: D3DLOCK_DISCARD and D3DLOCK_READONLY exclude each other");
        }
        let info = resource.info;
        let level = &resource.subs[sub as usize];
        if level.lock.is_some() {
            invalid!("level: already locked");
        }
        let whole = level.whole();
        let region_given = region.is_some();
        let region = region.unwrap_or(whole);
        check_region(region, whole, info.edge)?;
        let discard =
            flags & D3DLOCK_DISCARD != 0 && resource.usage & D3DUSAGE_DYNAMIC != 0 && !region_given;
        if needs_read_back(resource, sub) && !discard {
            resource.read_back(renderer, sub)?;
        }
        let level = &mut resource.subs[sub as usize];
        let (row_pitch, slice_pitch) = (level.row_pitch, level.slice_pitch);
        level.memory();
        let blocks = |v: u32| (v / info.edge) as usize;
        let offset = region.front as usize * slice_pitch as usize
            + blocks(region.top) * row_pitch as usize
            + blocks(region.left) * info.bytes as usize;
        let rows = info.rows(region.bottom - region.top) as usize;
        let end = (region.back - 1) as usize * slice_pitch as usize
            + (blocks(region.top) + rows - 1) * row_pitch as usize
            + (region.right.div_ceil(info.edge) * info.bytes) as usize;
        // A whole level runs to the end of its last row's padding, as programs write by pitch.
        let end = if region == whole { level.size() } else { end };
        let lock = Lock {
            region,
            flags,
            offset,
            len: end - offset,
        };
        level.lock = Some(lock);
        Ok((lock, row_pitch, slice_pitch))
    }

    fn unlock(&mut self, target: LevelTarget) -> Outcome<()> {
        let (handle, sub) = self.find_level(target)?;
        let Self {
            resources,
            resolved,
            ..
        } = self;
        let resource = resources.get_mut(handle).ok_or_else(|| stale("level"))?;
        let on_gpu = resource.on_gpu();
        let level = &mut resource.subs[sub as usize];
        let Some(lock) = level.lock.take() else {
            return Err(Fault::invalid("level: not locked"));
        };
        if lock.flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE) == 0 {
            level.add_dirty(lock.region);
            level.gpu_newer = false;
            if on_gpu {
                resource.dirty = true;
                resolved.uploads_pending = true;
            }
        }
        Ok(())
    }
}

/// Whether a level's memory is behind the GPU: targets always may be.
fn needs_read_back(resource: &Resource, sub: u32) -> bool {
    let level = &resource.subs[sub as usize];
    let drawn =
        resource.is_target() && resource.on_gpu() && !resource.is_depth() && level.dirty.is_none();
    level.gpu_newer || drawn
}

fn check_region(region: Box3, whole: Box3, edge: u32) -> Outcome<()> {
    if region.left >= region.right
        || region.top >= region.bottom
        || region.front >= region.back
        || region.right > whole.right
        || region.bottom > whole.bottom
        || region.back > whole.back
    {
        invalid!("region: {region:?} is empty or reaches out of the level of {whole:?}");
    }
    let cuts = |near: u32, far: u32, end: u32| {
        !near.is_multiple_of(edge) || !far.is_multiple_of(edge) && far != end
    };
    if cuts(region.left, region.right, whole.right) || cuts(region.top, region.bottom, whole.bottom)
    {
        invalid!("region: {region:?} cuts blocks of {edge} x {edge} texels");
    }
    Ok(())
}
