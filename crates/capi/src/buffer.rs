//! Resident buffers.

use core::ffi::c_void;

use crate::fault::{Fault, call};
use crate::handle::Kind;
use crate::pointer::{out, slice};
use crate::registry::{stale, with};
use crate::renderer::on;
use crate::types::{nf_buffer, nf_renderer};

/// Bytes of one buffer.
const MAX_BYTES: usize = 1 << 30;

/// Makes a resident buffer with these bytes. A draw that is told of it reads vertices there instead
/// of copying them, see nf_stream and nf_program_state.
///
/// data, size: copied; 1 byte to 1 GiB.
///
/// out: gets the buffer; on failure it gets 0.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_STATE after 65,536 buffers at once, NF_ERR_DEVICE when memory is
/// short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_buffer_create(
    renderer: nf_renderer,
    data: *const c_void,
    size: usize,
    out: *mut nf_buffer,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let made = unsafe { self::out(out, "out") }?;
        made.set(nf_buffer::default());
        if !(1..=MAX_BYTES).contains(&size) {
            return Err(Fault::args(format!(
                "size is {size}, expected 1 to {MAX_BYTES}"
            )));
        }
        // SAFETY: the caller's promise about `data`.
        let bytes = unsafe { slice(data.cast::<u8>(), size, "data") }?;
        let id = on(renderer, |objects| {
            let buffer = objects.renderer.create_buffer(size as u64)?;
            objects.renderer.write_buffer(&buffer, 0, bytes)?;
            objects.buffers.insert(buffer)
        })?;
        made.set(nf_buffer { id });
        Ok(())
    })
}

/// Replaces bytes of a resident buffer, after the draws before and before the draws to come.
///
/// offset: a multiple of 4.
///
/// data, size: copied; a multiple of 4 unless it reaches the buffer's end.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_BOUNDS past the buffer's end, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_buffer_write(
    buffer: nf_buffer,
    offset: u64,
    data: *const c_void,
    size: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `data`.
        let bytes = unsafe { slice(data.cast::<u8>(), size, "data") }?;
        with(buffer.id, Kind::Buffer, "buffer", |objects| {
            let Some(found) = objects.buffers.get(buffer.id) else {
                return Err(stale(buffer.id, Kind::Buffer, "buffer"));
            };
            Ok(objects.renderer.write_buffer(found, offset, bytes)?)
        })
    })
}

/// Ends a resident buffer. Draws that were recorded with it are not affected.
///
/// Returns NF_OK, or NF_ERR_ARGS when there is no such buffer.
#[unsafe(no_mangle)]
pub extern "C" fn nf_buffer_destroy(buffer: nf_buffer) -> i32 {
    call(|| {
        with(buffer.id, Kind::Buffer, "buffer", |objects| {
            match objects.buffers.remove(buffer.id) {
                Some(_) => Ok(()),
                None => Err(stale(buffer.id, Kind::Buffer, "buffer")),
            }
        })
    })
}
