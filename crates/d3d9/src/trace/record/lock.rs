//! Locking resources: what the program writes goes into the capture at the unlock.

use core::ops::Range;

use super::super::names;
use super::super::write::{Function, Structure, Values};
use super::objects::Traced;
use super::{LockKey, Recorder, THREAD, code, method, values};
use crate::consts::D3DLOCK_READONLY;
use crate::handle::{IndexBufferHandle, VertexBufferHandle};
use crate::hresult::Result;
use crate::types::{Box3, LevelTarget, LockedBox, LockedBuffer, LockedRect, Rect};

impl Recorder {
    pub(crate) fn lock_rect(
        &mut self,
        result: &Result<LockedRect>,
        level: LevelTarget,
        rect: Option<Rect>,
        flags: u32,
    ) {
        static D3DLOCKED_RECT: Structure = Structure {
            name: "D3DLOCKED_RECT",
            fields: &["Pitch", "pBits"],
        };
        let (function, out) = match level {
            LevelTarget::Cube(..) => {
                let function = method!(
                    "IDirect3DCubeTexture9::LockRect",
                    "FaceType",
                    "Level",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 3)
            }
            LevelTarget::Surface(_) => {
                let function = method!(
                    "IDirect3DSurface9::LockRect",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 1)
            }
            _ => {
                let function = method!(
                    "IDirect3DTexture9::LockRect",
                    "Level",
                    "pLockedRect",
                    "pRect",
                    "Flags"
                );
                (function, 2)
            }
        };
        let address = self.lock_address(LockKey::Level(level), result.map(|l| 0..l.len), flags);
        let enter = |v: &mut Values<'_>| {
            level_arguments(v, level);
            v.skip();
            values::optional_rect(v, rect);
            v.flags(&names::LOCK, flags.into());
        };
        self.writer.call(THREAD, function, enter, |v| {
            if let Ok(locked) = result {
                v.argument(out).pointer_to(|v| {
                    v.structure(&D3DLOCKED_RECT, |v| {
                        v.int(locked.pitch.into());
                        v.pointer(address);
                    });
                });
            }
            values::hresult(v, code(result));
        });
    }

    pub(crate) fn unlock_rect(&mut self, result: &Result<()>, level: LevelTarget) {
        let function = match level {
            LevelTarget::Cube(..) => {
                method!("IDirect3DCubeTexture9::UnlockRect", "FaceType", "Level")
            }
            LevelTarget::Surface(_) => method!("IDirect3DSurface9::UnlockRect"),
            _ => method!("IDirect3DTexture9::UnlockRect", "Level"),
        };
        self.unlock_level(result, function, level);
    }

    pub(crate) fn lock_box(
        &mut self,
        result: &Result<LockedBox>,
        level: LevelTarget,
        region: Option<Box3>,
        flags: u32,
    ) {
        static D3DLOCKED_BOX: Structure = Structure {
            name: "D3DLOCKED_BOX",
            fields: &["RowPitch", "SlicePitch", "pBits"],
        };
        let (function, out) = match level {
            LevelTarget::Volume(_) => {
                let function = method!(
                    "IDirect3DVolume9::LockBox",
                    "pLockedVolume",
                    "pBox",
                    "Flags"
                );
                (function, 1)
            }
            _ => {
                let function = method!(
                    "IDirect3DVolumeTexture9::LockBox",
                    "Level",
                    "pLockedVolume",
                    "pBox",
                    "Flags"
                );
                (function, 2)
            }
        };
        let address = self.lock_address(LockKey::Level(level), result.map(|l| 0..l.len), flags);
        let enter = |v: &mut Values<'_>| {
            level_arguments(v, level);
            v.skip();
            values::optional_box(v, region);
            v.flags(&names::LOCK, flags.into());
        };
        self.writer.call(THREAD, function, enter, |v| {
            if let Ok(locked) = result {
                v.argument(out).pointer_to(|v| {
                    v.structure(&D3DLOCKED_BOX, |v| {
                        v.int(locked.row_pitch.into());
                        v.int(locked.slice_pitch.into());
                        v.pointer(address);
                    });
                });
            }
            values::hresult(v, code(result));
        });
    }

    pub(crate) fn unlock_box(&mut self, result: &Result<()>, level: LevelTarget) {
        let function = match level {
            LevelTarget::Volume(_) => method!("IDirect3DVolume9::UnlockBox"),
            _ => method!("IDirect3DVolumeTexture9::UnlockBox", "Level"),
        };
        self.unlock_level(result, function, level);
    }

    fn unlock_level(
        &mut self,
        result: &Result<()>,
        function: &'static Function,
        level: LevelTarget,
    ) {
        let code = code(result);
        self.writer.call(
            THREAD,
            function,
            |v| level_arguments(v, level),
            |v| values::hresult(v, code),
        );
        self.unlocked(LockKey::Level(level));
    }

    pub(crate) fn vertex_buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        buffer: VertexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) {
        let function = method!(
            "IDirect3DVertexBuffer9::Lock",
            "OffsetToLock",
            "SizeToLock",
            "ppbData",
            "Flags"
        );
        let key = LockKey::VertexBuffer(buffer);
        self.buffer_lock(
            result,
            function,
            buffer.address(),
            key,
            [offset, size, flags],
        );
    }

    pub(crate) fn index_buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        buffer: IndexBufferHandle,
        offset: u32,
        size: u32,
        flags: u32,
    ) {
        let function = method!(
            "IDirect3DIndexBuffer9::Lock",
            "OffsetToLock",
            "SizeToLock",
            "ppbData",
            "Flags"
        );
        let key = LockKey::IndexBuffer(buffer);
        self.buffer_lock(
            result,
            function,
            buffer.address(),
            key,
            [offset, size, flags],
        );
    }

    fn buffer_lock(
        &mut self,
        result: &Result<LockedBuffer>,
        function: &'static Function,
        this: u64,
        key: LockKey,
        [offset, size, flags]: [u32; 3],
    ) {
        let address = self.lock_address(key, result.map(|l| l.offset..l.offset + l.len), flags);
        let result = result.map(|_| address);
        self.creation_by(this, result, function, 3, |v| {
            v.uint(offset.into());
            v.uint(size.into());
            v.skip();
            v.flags(&names::LOCK, flags.into());
        });
    }

    pub(crate) fn vertex_buffer_unlock(&mut self, result: &Result<()>, buffer: VertexBufferHandle) {
        let function = method!("IDirect3DVertexBuffer9::Unlock");
        self.object(buffer.address(), result, function, |_| {});
        self.unlocked(LockKey::VertexBuffer(buffer));
    }

    pub(crate) fn index_buffer_unlock(&mut self, result: &Result<()>, buffer: IndexBufferHandle) {
        let function = method!("IDirect3DIndexBuffer9::Unlock");
        self.object(buffer.address(), result, function, |_| {});
        self.unlocked(LockKey::IndexBuffer(buffer));
    }

    /// Addresses for a lock that succeeded; 0 for one that did not.
    fn lock_address(&mut self, key: LockKey, range: Result<Range<usize>>, flags: u32) -> u64 {
        match range {
            Ok(range) => self.memory(key, range, flags & D3DLOCK_READONLY != 0),
            Err(_) => 0,
        }
    }
}

/// The object and the arguments that name one of its levels.
fn level_arguments(v: &mut Values<'_>, level: LevelTarget) {
    match level {
        LevelTarget::Surface(surface) => v.pointer(surface.address()),
        LevelTarget::Volume(volume) => v.pointer(volume.address()),
        LevelTarget::Texture(texture, level) => {
            v.pointer(texture.address());
            v.uint(level.into());
        }
        LevelTarget::VolumeTexture(texture, level) => {
            v.pointer(texture.address());
            v.uint(level.into());
        }
        LevelTarget::Cube(texture, face, level) => {
            v.pointer(texture.address());
            values::named(v, &names::CUBEMAP_FACES, face);
            v.uint(level.into());
        }
    }
}
