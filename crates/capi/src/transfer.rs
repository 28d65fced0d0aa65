//! Contexts' pixels in and out, and copies to other textures.

use core::ffi::c_void;

use ninefold_renderer::{Attachment, Image, ImageKind};

use crate::context::within;
use crate::fault::{Fault, NF_ERR_TEXTURE, Result, call};
use crate::handle::Kind;
use crate::objects::{Objects, Texture};
use crate::pointer::{out, room, slice};
use crate::registry::with;
use crate::texture::level_box;
use crate::types::{nf_context, nf_texture};

/// Bytes of a row, and of all rows.
fn rows(width: u32, height: u32, row_pitch: usize) -> Result<(usize, usize, usize)> {
    let row = width as usize * 4;
    let pitch = if row_pitch == 0 { row } else { row_pitch };
    if pitch < row {
        return Err(Fault::args(format!(
            "row_pitch is {pitch}, expected {row} or more, or 0"
        )));
    }
    let need = (height as usize - 1)
        .checked_mul(pitch)
        .and_then(|bytes| bytes.checked_add(row));
    Ok((row, pitch, need.unwrap_or(usize::MAX)))
}

fn enough(size: usize, need: usize) -> Result<()> {
    match size >= need {
        true => Ok(()),
        false => Err(Fault::bounds(format!(
            "size is {size}, expected {need} or more"
        ))),
    }
}

/// Submits what was recorded, waits for the GPU, and copies the colour target to the program.
///
/// pixels, size: room for rows of BGRA bytes from the top. Bytes between rows are left as they are.
///
/// row_pitch: bytes from row to row; 0 is without gaps.
///
/// Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for too little room; NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_read_framebuffer(
    context: nf_context,
    pixels: *mut c_void,
    size: usize,
    row_pitch: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `pixels`.
        let room = unsafe { room(pixels.cast(), size, "pixels") }?;
        within(context, |objects| {
            let image = objects.target(context)?.context.image().clone();
            let (width, height) = (image.desc().width, image.desc().height);
            let (row, pitch, need) = rows(width, height, row_pitch)?;
            enough(size, need)?;
            let bytes = objects.renderer.read_image(&image, 0, 0)?;
            for (y, bytes) in bytes.chunks_exact(row).enumerate() {
                room.put(y * pitch, bytes);
            }
            Ok(())
        })
    })
}

/// Replaces the colour target: after the draws before, which may have read it, and before the draws to
/// come. Never waits for the GPU.
///
/// pixels, size: rows of BGRA bytes from the top; copied.
///
/// row_pitch: bytes from row to row; 0 is without gaps.
///
/// Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for too few bytes; NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_write_framebuffer(
    context: nf_context,
    pixels: *const c_void,
    size: usize,
    row_pitch: usize,
) -> i32 {
    call(|| {
        if pixels.is_null() {
            return Err(Fault::args("pixels is NULL"));
        }
        // SAFETY: the caller's promise about `pixels`.
        let bytes = unsafe { slice(pixels.cast::<u8>(), size, "pixels") }?;
        within(context, |objects| {
            let image = objects.target(context)?.context.image().clone();
            let (width, height) = (image.desc().width, image.desc().height);
            let (_, pitch, need) = rows(width, height, row_pitch)?;
            enough(size, need)?;
            let Some(target) = objects.contexts.get(context.id) else {
                return Ok(());
            };
            let renderer = &mut objects.renderer;
            Ok(renderer.write_framebuffer(&target.context, bytes, pitch)?)
        })
    })
}

/// Copies the colour target of a context into a texture, in order.
///
/// destination: a two-dimensional BGRA8 texture of the target's size with one level or more, of which
/// level 0 is written; not the target itself.
///
/// Returns NF_OK; NF_ERR_ARGS for another size or format; NF_ERR_TEXTURE for a handle of nothing;
/// NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_blit_target_to(context: nf_context, destination: nf_texture) -> i32 {
    call(|| {
        within(context, |objects| {
            let source = nf_texture {
                id: objects.target(context)?.texture,
            };
            copy(objects, source, destination)
        })
    })
}

/// Copies the colour target of a context into a texture through a filter that smooths the staircases
/// of edges (FXAA), in order. Values are taken as gamma-encoded; alpha is copied. Where the filter
/// cannot be, because the texture is no target or the driver refuses, the target is copied plainly.
///
/// destination: as in nf_blit_target_to, made with nf_texture_desc's target.
///
/// subpixel: how much of the aliasing smaller than a pixel goes, 0 to 1; 0.75 is usual.
///
/// filtered: gets 1, or 0 when it was copied plainly; may be NULL.
///
/// Returns NF_OK; NF_ERR_ARGS for another size or format, or a subpixel that is not finite;
/// NF_ERR_TEXTURE for a handle of nothing; NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_fxaa_target_to(
    context: nf_context,
    destination: nf_texture,
    subpixel: f32,
    filtered: *mut i32,
) -> i32 {
    call(|| {
        if !subpixel.is_finite() {
            return Err(Fault::args(format!(
                "subpixel is {subpixel}, which is not finite"
            )));
        }
        let filtered = match filtered.is_null() {
            true => None,
            // SAFETY: the caller's promise about `filtered`.
            false => Some(unsafe { out(filtered, "filtered") }?),
        };
        within(context, |objects| {
            let source = objects.target(context)?.context.image().clone();
            let destination = writable(objects, destination)?;
            let (source, destination) = (Attachment::new(source), Attachment::new(destination));
            let done = objects.renderer.fxaa(&source, &destination, subpixel)?;
            if let Some(filtered) = filtered {
                filtered.set(done.into());
            }
            Ok(())
        })
    })
}

/// Copies level 0 of one texture, all faces and slices, into another of the same renderer, in order.
///
/// source, destination: of one kind, size and format; not the same.
///
/// Returns NF_OK; NF_ERR_ARGS for textures that differ; NF_ERR_TEXTURE for a handle of nothing;
/// NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_blit_texture_copy(source: nf_texture, destination: nf_texture) -> i32 {
    call(|| {
        with(source.id, Kind::Texture, "source", |objects| {
            copy(objects, source, destination)
        })
    })
}

/// The image of a texture that may be written to: entries of the cache keep their contents.
fn writable(objects: &mut Objects, destination: nf_texture) -> Result<Image> {
    if let Some(Texture::Cached { .. }) = objects.textures.get(destination.id) {
        return Err(Fault::new(
            NF_ERR_TEXTURE,
            "destination is of the cache, where its contents are its key's",
        ));
    }
    objects.image(destination, "destination")
}

fn copy(objects: &mut Objects, source: nf_texture, destination: nf_texture) -> Result<()> {
    let from = objects.image(source, "source")?;
    let to = writable(objects, destination)?;
    let shape = |image: &Image| {
        let desc = image.desc();
        (desc.kind, desc.width, desc.height, desc.depth, desc.format)
    };
    if from == to {
        return Err(Fault::args("destination is the source"));
    }
    if shape(&from) != shape(&to) {
        return Err(Fault::args(format!(
            "destination is {:?}, the source {:?}: expected one kind, size and format",
            shape(&to),
            shape(&from)
        )));
    }
    let area = level_box(&from, 0)?;
    let faces = match from.desc().kind {
        ImageKind::Cube => 6,
        _ => 1,
    };
    let renderer = &mut objects.renderer;
    for face in 0..faces {
        renderer.copy_image((&from, 0, face), area, (&to, 0, face), [0; 3])?;
    }
    Ok(())
}
