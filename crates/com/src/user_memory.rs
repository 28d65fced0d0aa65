//! Memory of the program's own that resources lie in.

use core::ffi::c_void;

use ninefold_d3d9::UserMemory;

#[derive(Debug)]
struct Borrowed {
    start: *mut u8,
    len: usize,
}

// SAFETY: it is used with the device locked only.
unsafe impl Send for Borrowed {}

impl UserMemory for Borrowed {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the caller of CreateTexture or CreateOffscreenPlainSurface promised that so many
        // bytes stay there until the resource is gone, and no thread may write to them during a
        // call that reads the resource.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and no thread may read during a call that writes.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// The memory at a pointer that is not null, as `pSharedHandle` gives it for system memory.
pub(crate) fn borrowed(start: *const c_void) -> impl FnOnce(usize) -> Box<dyn UserMemory> {
    move |len| {
        Box::new(Borrowed {
            start: start.cast_mut().cast(),
            len,
        })
    }
}
