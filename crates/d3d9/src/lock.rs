//! Locking levels of textures, surfaces and volumes.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::format::LockPitch;
use crate::handle::{RawHandle, SurfaceHandle};
use crate::hresult::Result;
use crate::resource::{Kind, Lock, Resource};
use crate::trace::LockKey;
use crate::types::{Box3, LevelTarget, LockedBox, LockedRect, Rect};

impl Device {
    /// `LockRect`: `flags` are `D3DLOCK_*`. The level's bytes do not move until the unlock.
    ///
    /// Rectangles of 2D textures and of formats in blocks are not looked at, as in D3D9 itself:
    /// `pBits` is where the rectangle's first texel would be. Those of other surfaces and cube faces
    /// must lie in the level. In the default pool rectangles of blocks must too, and cut none.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a level already locked, a default-pool texture that is not dynamic,
    /// a target that is not lockable, and a rectangle that is empty, reaches out of the level, or
    /// cuts a block where that counts.
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
                let (lock, pitch, _) = d.lock(target, rect.map(Area::from), flags)?;
                Ok(LockedRect {
                    pitch: pitch as i32,
                    offset: lock.offset,
                    len: lock.len,
                })
            },
        )
    }

    /// `UnlockRect`. Of a level that is not locked it is an error, but for 2D textures.
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
                let (lock, row_pitch, slice_pitch) =
                    d.lock(target, region.map(Area::from), flags)?;
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
    /// last row; none for a rectangle that begins outside of a 2D texture.
    pub fn locked_bytes_mut(&mut self, level: impl Into<LevelTarget>) -> Result<&mut [u8]> {
        let (handle, sub, lock) = self.locked(level.into())?;
        let start = if lock.len == 0 {
            0
        } else {
            lock.offset as usize
        };
        let bytes = self
            .resources
            .get_mut(handle)
            .and_then(|r| r.memory(sub).get_mut(start..start + lock.len));
        bytes.ok_or(crate::HResult::INVALIDCALL)
    }

    /// All bytes of a locked level: `pBits` is [`LockedRect::offset`] after their first, which may
    /// be outside of them for a rectangle that reaches out of a 2D texture.
    pub fn locked_level_mut(&mut self, level: impl Into<LevelTarget>) -> Result<&mut [u8]> {
        let (handle, sub, _) = self.locked(level.into())?;
        let resource = self.resources.get_mut(handle);
        let bytes = resource.map(|r| r.memory(sub));
        bytes.ok_or(crate::HResult::INVALIDCALL)
    }

    /// `GetDC`, as far as there is one without GDI: from now on until
    /// [`release_dc`](Self::release_dc) the surface counts as locked. Nothing can draw with it.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for formats other than the RGB ones that GDI knows, back buffers that
    /// are not lockable, and surfaces of a resource that is locked or has a device context, in
    /// whichever level.
    pub fn get_dc(&mut self, surface: SurfaceHandle) -> Result<()> {
        self.call(|d| {
            let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
            let resource = d.resource_mut(handle, "surface")?;
            if !matches!(
                resource.info.d3d,
                D3DFMT_R8G8B8
                    | D3DFMT_A8R8G8B8
                    | D3DFMT_X8R8G8B8
                    | D3DFMT_R5G6B5
                    | D3DFMT_X1R5G5B5
                    | D3DFMT_A1R5G5B5
            ) {
                invalid!("surface: no device context of its format");
            }
            if resource.internal && !resource.lockable {
                invalid!("surface: a back buffer that is not lockable");
            }
            if resource.subs.iter().any(|level| level.lock.is_some()) {
                invalid!("surface: locked already, or another level of its texture");
            }
            let level = &mut resource.subs[sub as usize];
            level.lock = Some(Lock {
                region: level.whole(),
                flags: D3DLOCK_READONLY,
                offset: 0,
                len: 0,
                dc: true,
            });
            Ok(())
        })
    }

    /// `ReleaseDC`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a surface without one.
    pub fn release_dc(&mut self, surface: SurfaceHandle) -> Result<()> {
        self.call(|d| {
            let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
            let level = &mut d.resource_mut(handle, "surface")?.subs[sub as usize];
            match level.lock {
                Some(lock) if lock.dc => level.lock = None,
                _ => invalid!("surface: has no device context"),
            }
            Ok(())
        })
    }

    fn locked(&mut self, target: LevelTarget) -> Result<(RawHandle, u32, Lock)> {
        self.call(|d| {
            let (handle, sub) = d.find_level(target)?;
            match d.resource(handle, "level")?.subs[sub as usize].lock {
                Some(lock) => Ok((handle, sub, lock)),
                None => invalid!("level: not locked"),
            }
        })
    }

    fn lock(
        &mut self,
        target: LevelTarget,
        area: Option<Area>,
        flags: u32,
    ) -> Outcome<(Lock, u32, u32)> {
        let (handle, sub) = self.find_level(target)?;
        let Self {
            resources,
            renderer,
            resolved,
            ..
        } = self;
        let resource = resources.get_mut(handle).ok_or_else(|| stale("level"))?;
        if !resource.lockable {
            invalid!(
                "level: this resource cannot be locked (default pool and not dynamic, or not lockable)"
            );
        }
        let info = resource.info;
        let level = &resource.subs[sub as usize];
        if level.lock.is_some() {
            invalid!("level: already locked");
        }
        if resource.has_context() {
            invalid!("level: a device context of this resource is out");
        }
        let whole = level.whole();
        if let Some(area) = &area {
            area.check(resource, whole)?;
        }
        let discard = flags & (D3DLOCK_DISCARD | D3DLOCK_READONLY) == D3DLOCK_DISCARD
            && resource.usage & D3DUSAGE_DYNAMIC != 0
            && area.is_none();
        if needs_read_back(resource, sub) && !discard {
            resource.read_back(renderer, sub)?;
        }
        let level = &resource.subs[sub as usize];
        let mut pitch = info.lock_pitch(level.width);
        if pitch.bytes == info.bytes {
            pitch.row = level.row_pitch;
        }
        let slice_pitch = level.slice_pitch;
        let size = level.size();
        resource.memory(sub);
        let lock = match area {
            None => Lock {
                region: whole,
                flags,
                offset: 0,
                len: size,
                dc: false,
            },
            Some(area) => {
                let (offset, end) = area.bytes(&pitch, slice_pitch);
                // A whole level runs to the end of its last row's padding, as programs write by
                // pitch.
                let region = area.inside(whole);
                let end = if area.is(whole) { size as i64 } else { end };
                let len = if (0..=size as i64).contains(&offset) {
                    (end.min(size as i64) - offset).max(0)
                } else {
                    0
                };
                Lock {
                    region,
                    flags,
                    offset,
                    len: len as usize,
                    dc: false,
                }
            }
        };
        resource.subs[sub as usize].lock = Some(lock);
        if resource.records_dirty() && flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE) == 0 {
            // From now on, and not from the unlock on.
            resource.mark_dirty(sub, lock.region);
            resolved.uploads_pending |= resource.on_gpu();
        }
        Ok((lock, pitch.row, slice_pitch))
    }

    fn unlock(&mut self, target: LevelTarget) -> Outcome<()> {
        let (handle, sub) = self.find_level(target)?;
        let Self {
            resources,
            resolved,
            ..
        } = self;
        let resource = resources.get_mut(handle).ok_or_else(|| stale("level"))?;
        // A device context stays until it is released.
        if resource.has_context() {
            return Ok(());
        }
        let Some(lock) = resource.subs[sub as usize].lock.take() else {
            if resource.kind == Kind::Texture {
                return Ok(());
            }
            return Err(Fault::invalid("level: not locked"));
        };
        if lock.flags & D3DLOCK_READONLY != 0 {
            return Ok(());
        }
        if !resource.unseen {
            resource.unseen = true;
            resolved.uploads_pending |= resource.image.is_some();
        }
        if resource.pool == D3DPOOL_DEFAULT {
            // What is written there is there, whatever flags say about copies.
            resource.mark_dirty(sub, lock.region);
            resource.subs[sub as usize].gpu_newer = false;
            resolved.uploads_pending = true;
        }
        Ok(())
    }
}

/// A rectangle or box as a program gave it; its edges may be anywhere.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i64,
    top: i64,
    front: i64,
    right: i64,
    bottom: i64,
    back: i64,
}

impl From<Rect> for Area {
    fn from(r: Rect) -> Self {
        Self {
            left: r.left.into(),
            top: r.top.into(),
            front: 0,
            right: r.right.into(),
            bottom: r.bottom.into(),
            back: 1,
        }
    }
}

impl From<Box3> for Area {
    fn from(b: Box3) -> Self {
        Self {
            left: b.left.into(),
            top: b.top.into(),
            front: b.front.into(),
            right: b.right.into(),
            bottom: b.bottom.into(),
            back: b.back.into(),
        }
    }
}

impl Area {
    fn is(&self, whole: Box3) -> bool {
        let whole = Self::from(whole);
        (self.left, self.top, self.front) == (whole.left, whole.top, whole.front)
            && (self.right, self.bottom, self.back) == (whole.right, whole.bottom, whole.back)
    }

    /// Refuses what D3D9 refuses for a resource of this kind and pool.
    fn check(&self, resource: &Resource, whole: Box3) -> Outcome<()> {
        let flat = resource.kind == Kind::Texture;
        let volume = resource.kind == Kind::Volume;
        let blocks = resource.info.in_blocks();
        let on_card = resource.pool == D3DPOOL_DEFAULT && blocks;
        if (volume || on_card || !flat && !blocks)
            && (self.left >= self.right
                || self.top >= self.bottom
                || self.front >= self.back
                || self.left < 0
                || self.top < 0
                || self.right > whole.right.into()
                || self.bottom > whole.bottom.into()
                || self.back > whole.back.into())
        {
            invalid!("region: {self:?} is empty or reaches out of the level of {whole:?}");
        }
        let [across, down] = resource.info.block.map(i64::from);
        let cuts = |near: i64, far: i64, end: u32, block: i64| {
            near % block != 0 || far % block != 0 && far != end.into()
        };
        if (on_card || volume)
            && (cuts(self.left, self.right, whole.right, across)
                || cuts(self.top, self.bottom, whole.bottom, down))
        {
            invalid!("region: {self:?} cuts blocks of {across} x {down} texels");
        }
        Ok(())
    }

    /// Where the first byte is and where the last row ends, counted from the level's first byte.
    fn bytes(&self, pitch: &LockPitch, slice_pitch: u32) -> (i64, i64) {
        let [across, down] = pitch.block.map(i64::from);
        let (row, bytes) = (i64::from(pitch.row), i64::from(pitch.bytes));
        let at = |x: i64, y: i64, z: i64| z * i64::from(slice_pitch) + y * row + x * bytes;
        let start = at(
            self.left.div_euclid(across),
            self.top.div_euclid(down),
            self.front,
        );
        let up = |v: i64, block: i64| (v + block - 1).div_euclid(block);
        let end = at(
            up(self.right, across),
            up(self.bottom, down) - 1,
            self.back - 1,
        );
        (start, end)
    }

    /// The part inside of a level: what a write may have changed. All of it for edges in the wrong
    /// order, whose meaning is not known.
    fn inside(&self, whole: Box3) -> Box3 {
        let cut = |near: i64, far: i64, end: u32| {
            let near = near.clamp(0, end.into()) as u32;
            let far = far.clamp(0, end.into()) as u32;
            if near < far { (near, far) } else { (0, end) }
        };
        let (left, right) = cut(self.left, self.right, whole.right);
        let (top, bottom) = cut(self.top, self.bottom, whole.bottom);
        let (front, back) = cut(self.front, self.back, whole.back);
        Box3 {
            left,
            top,
            right,
            bottom,
            front,
            back,
        }
    }
}

/// Whether a level's memory is behind the GPU: targets always may be.
pub(crate) fn needs_read_back(resource: &Resource, sub: u32) -> bool {
    let level = &resource.subs[sub as usize];
    let drawn = (resource.is_target() || resource.is_depth_target())
        && resource.on_gpu()
        && level.dirty.is_empty();
    level.gpu_newer || drawn
}
