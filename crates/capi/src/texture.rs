//! Textures: the program's own, and those of the content-keyed cache.

use core::ffi::c_void;

use ninefold_renderer::{
    Box3, CachedTexture, Image, ImageDesc, ImageFormat, ImageKind, ImageUsage, mips,
};

use crate::fault::{Fault, NF_ERR_TEXTURE, Result, call};
use crate::handle::Kind;
use crate::objects::{Objects, Texture};
use crate::pointer::{init, optional, out, room, sized, slice};
use crate::registry::{stale, with};
use crate::renderer::on;
use crate::types::*;

/// Fills a description: two-dimensional, BGRA8, 1 x 1 x 1, one level, no target.
///
/// size: sizeof(nf_texture_desc).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_desc_init(desc: *mut nf_texture_desc, size: usize) -> i32 {
    let value = nf_texture_desc {
        struct_size: size_of::<nf_texture_desc>() as u32,
        kind: NF_TEXTURE_2D,
        format: NF_FORMAT_BGRA8,
        width: 1,
        height: 1,
        depth: 1,
        levels: 1,
        target: 0,
    };
    // SAFETY: the caller's promise about `desc` and `size`.
    call(|| unsafe { init(desc, size, value) })
}

/// Makes a texture of zeros; a target begins as opaque black. nf_texture_update fills it.
///
/// desc: from nf_texture_desc_init.
///
/// out: gets the texture; on failure it gets 0.
///
/// Returns NF_OK; NF_ERR_ARGS for sizes out of the adapter's range; NF_ERR_TEXTURE when all 4,096
/// places of the texture table are in use; NF_ERR_UNSUPPORTED for a format that the adapter lacks;
/// NF_ERR_DEVICE when memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_create(
    renderer: nf_renderer,
    desc: *const nf_texture_desc,
    out: *mut nf_texture,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out` and `desc`.
        let (made, desc) = unsafe {
            let made = self::out(out, "out")?;
            made.set(nf_texture::default());
            (made, sized(desc, "desc")?)
        };
        let wanted = image_desc(desc)?;
        let id = on(renderer, |objects| {
            let image = objects.renderer.create_image(&wanted)?;
            objects.add_texture(Texture::Owned(image))
        })?;
        made.set(nf_texture { id });
        Ok(())
    })
}

fn image_desc(desc: &nf_texture_desc) -> Result<ImageDesc> {
    let kind = match desc.kind {
        NF_TEXTURE_2D => ImageKind::D2,
        NF_TEXTURE_CUBE => ImageKind::Cube,
        NF_TEXTURE_VOLUME => ImageKind::Volume,
        kind => {
            return Err(Fault::args(format!(
                "desc->kind is {kind}, expected NF_TEXTURE_*"
            )));
        }
    };
    let format = match desc.format {
        NF_FORMAT_BGRA8 => ImageFormat::Bgra8,
        NF_FORMAT_RGBA8 => ImageFormat::Rgba8,
        NF_FORMAT_RG8_SNORM => ImageFormat::Rg8Snorm,
        NF_FORMAT_RGBA8_SNORM => ImageFormat::Rgba8Snorm,
        NF_FORMAT_R16F => ImageFormat::R16Float,
        NF_FORMAT_RG16F => ImageFormat::Rg16Float,
        NF_FORMAT_RGBA16F => ImageFormat::Rgba16Float,
        NF_FORMAT_R32F => ImageFormat::R32Float,
        NF_FORMAT_RG32F => ImageFormat::Rg32Float,
        NF_FORMAT_RGBA32F => ImageFormat::Rgba32Float,
        NF_FORMAT_BC1 => ImageFormat::Bc1,
        NF_FORMAT_BC2 => ImageFormat::Bc2,
        NF_FORMAT_BC3 => ImageFormat::Bc3,
        format => {
            return Err(Fault::args(format!(
                "desc->format is {format}, expected NF_FORMAT_*"
            )));
        }
    };
    let target = match desc.target {
        0 => ImageUsage::SAMPLED,
        _ => ImageUsage::SAMPLED | ImageUsage::COLOR,
    };
    if kind == ImageKind::Cube && desc.width != desc.height {
        return Err(Fault::args(format!(
            "desc is a cube of {} x {} texels, expected a square",
            desc.width, desc.height
        )));
    }
    if kind != ImageKind::Volume && desc.depth != 1 {
        return Err(Fault::args(format!(
            "desc->depth is {}, expected 1 unless it is a volume",
            desc.depth
        )));
    }
    let most = mips::full_chain(desc.width, desc.height, desc.depth);
    if desc.levels > most {
        return Err(Fault::args(format!(
            "desc->levels is {}, expected at most {most}",
            desc.levels
        )));
    }
    Ok(ImageDesc {
        kind,
        width: desc.width,
        height: desc.height,
        depth: desc.depth,
        levels: desc.levels,
        format,
        samples: 1,
        usage: target,
    })
}

/// Copies texels into one level of a texture that the program made, or of a target: after the draws
/// before and before the draws to come. Never waits for the GPU.
///
/// level, face: of a cube the face, 0 to 5 for +X, -X, +Y, -Y, +Z, -Z; otherwise 0.
///
/// area: NULL is the whole level. Boxes of compressed formats meet their 4 x 4 blocks.
///
/// texels, size: rows from the top, slices from the front; copied. row_pitch and slice_pitch are bytes
/// from row to row (of blocks) and from slice to slice; 0 is without gaps.
///
/// Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for a box outside the level or too few bytes;
/// NF_ERR_TEXTURE for a handle of nothing or of a cached texture, whose contents are its key's;
/// NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_update(
    texture: nf_texture,
    level: u32,
    face: u32,
    area: *const nf_box,
    texels: *const c_void,
    size: usize,
    row_pitch: usize,
    slice_pitch: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `area` and `texels`.
        let (area, texels) = unsafe {
            let area = optional(area, "area")?;
            if texels.is_null() {
                return Err(Fault::args("texels is NULL"));
            }
            (area, slice(texels.cast::<u8>(), size, "texels")?)
        };
        textured(texture, |objects| {
            if let Some(Texture::Cached { .. }) = objects.textures.get(texture.id) {
                return Err(Fault::new(
                    NF_ERR_TEXTURE,
                    "texture is of the cache, where its contents are its key's",
                ));
            }
            let image = objects.image(texture, "texture")?;
            let format = image.desc().format;
            let area = match area {
                None => level_box(&image, level)?,
                Some(area) => Box3 {
                    x: area.x,
                    y: area.y,
                    z: area.z,
                    w: area.width,
                    h: area.height,
                    d: area.depth,
                },
            };
            // A box that is larger than any level is refused before its bytes are counted.
            let [w, h, d] = [area.w, area.h, area.d].map(|edge| edge.min(1 << 16));
            let row_pitch = match row_pitch {
                0 => format.row_bytes(w),
                pitch => pitch,
            };
            let rows = format.rows(h) as usize;
            let slice_pitch = match (slice_pitch, d) {
                (0, _) => row_pitch.saturating_mul(rows),
                (pitch, _) => pitch,
            };
            let renderer = &mut objects.renderer;
            Ok(renderer.upload(&image, level, face, area, texels, row_pitch, slice_pitch)?)
        })
    })
}

/// The whole of a level.
pub(crate) fn level_box(image: &Image, level: u32) -> Result<Box3> {
    let desc = image.desc();
    if level >= desc.levels {
        return Err(Fault::bounds(format!(
            "level is {level} of {} levels",
            desc.levels
        )));
    }
    let [w, h, d] = [desc.width, desc.height, desc.depth].map(|edge| mips::level_edge(edge, level));
    Ok(Box3 {
        x: 0,
        y: 0,
        z: 0,
        w,
        h,
        d,
    })
}

/// Submits what was recorded, waits for the GPU, and copies one level of a texture to the program.
///
/// level, face: as in nf_texture_update.
///
/// texels, size: room for the level, all slices of it, rows without gaps.
///
/// Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for a level or face that is not there or too little room;
/// NF_ERR_TEXTURE for a handle of nothing; NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_read(
    texture: nf_texture,
    level: u32,
    face: u32,
    texels: *mut c_void,
    size: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `texels`.
        let room = unsafe { room(texels.cast(), size, "texels") }?;
        textured(texture, |objects| {
            let image = objects.image(texture, "texture")?;
            let area = level_box(&image, level)?;
            let format = image.desc().format;
            let need = format.row_bytes(area.w) * format.rows(area.h) as usize * area.d as usize;
            if size < need {
                return Err(Fault::bounds(format!(
                    "size is {size}, expected {need} or more"
                )));
            }
            room.put(0, &objects.renderer.read_image(&image, level, face)?);
            Ok(())
        })
    })
}

/// Ends a texture that the program made, or takes one out of the cache. Draws that were recorded with
/// it are not affected.
///
/// Returns NF_OK; NF_ERR_TEXTURE when there is no such texture; NF_ERR_ARGS for the target of a
/// context, which goes with it.
#[unsafe(no_mangle)]
pub extern "C" fn nf_texture_destroy(texture: nf_texture) -> i32 {
    call(|| {
        textured(texture, |objects| {
            if let Some(Texture::Target(_)) = objects.textures.get(texture.id) {
                return Err(Fault::args("texture is the target of a context"));
            }
            match objects.forget_texture(texture.id) {
                None => Err(stale(texture.id, Kind::Texture, "texture")),
                Some(Texture::Cached { key, image }) => {
                    if objects.renderer.cached_image_id(key) == Some(image) {
                        objects.renderer.remove_cached_texture(key);
                    }
                    Ok(())
                }
                Some(_) => Ok(()),
            }
        })
    })
}

/// [`with`] the objects of a texture's renderer.
fn textured<R>(texture: nf_texture, f: impl FnOnce(&mut Objects) -> Result<R>) -> Result<R> {
    with(texture.id, Kind::Texture, "texture", f)
}

/// Looks a texture up by the key of its contents. It becomes the most recently used, and inside a
/// binding scope it stays until the scope ends.
///
/// key: any number, by which the program knows the contents again.
///
/// out: gets the texture, or 0 when the cache has none.
///
/// Returns NF_OK, also when there is none; NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_find_cached(
    renderer: nf_renderer,
    key: u64,
    out: *mut nf_texture,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let found = unsafe { self::out(out, "out") }?;
        found.set(nf_texture::default());
        let id = on(renderer, |objects| {
            match objects.renderer.find_cached_texture(key) {
                Some(image) => objects.cached_handle(key, &image),
                None => Ok(0),
            }
        })?;
        found.set(nf_texture { id });
        Ok(())
    })
}

/// Makes a two-dimensional texture of the cache, with all its mip levels. When the cache has the key,
/// what it has is returned as it is. The least recently used textures go when there are more than
/// the settings allow; draws that were recorded with them are not affected, their handles are stale.
///
/// key: see nf_texture_find_cached.
///
/// width, height: texels.
///
/// texels, size: width * height * 4 bytes of BGRA, rows from the top without gaps; copied.
///
/// out: gets the texture; on failure it gets 0.
///
/// Returns NF_OK; NF_ERR_ARGS for sizes out of the adapter's range; NF_ERR_BOUNDS when size is another;
/// NF_ERR_TEXTURE when it does not fit beside what the open binding scope keeps, or the texture table
/// is full; NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_create_cached(
    renderer: nf_renderer,
    key: u64,
    width: u32,
    height: u32,
    texels: *const c_void,
    size: usize,
    out: *mut nf_texture,
) -> i32 {
    let shape = Shape::new(ImageKind::D2, width, height, 1, true);
    // SAFETY: the caller's promise about `texels` and `out`.
    call(|| unsafe { create_cached(renderer, key, shape, texels, size, out) })
}

/// As nf_texture_create_cached, with level 0 alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_create_cached_nomip(
    renderer: nf_renderer,
    key: u64,
    width: u32,
    height: u32,
    texels: *const c_void,
    size: usize,
    out: *mut nf_texture,
) -> i32 {
    let shape = Shape::new(ImageKind::D2, width, height, 1, false);
    // SAFETY: the caller's promise about `texels` and `out`.
    call(|| unsafe { create_cached(renderer, key, shape, texels, size, out) })
}

/// As nf_texture_create_cached, a cube.
///
/// edge: texels.
///
/// texels, size: six times edge * edge * 4 bytes, faces in the order +X, -X, +Y, -Y, +Z, -Z.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_create_cached_cube(
    renderer: nf_renderer,
    key: u64,
    edge: u32,
    texels: *const c_void,
    size: usize,
    out: *mut nf_texture,
) -> i32 {
    let shape = Shape::new(ImageKind::Cube, edge, edge, 1, true);
    // SAFETY: the caller's promise about `texels` and `out`.
    call(|| unsafe { create_cached(renderer, key, shape, texels, size, out) })
}

/// As nf_texture_create_cached, a volume.
///
/// texels, size: width * height * depth * 4 bytes, slices from the front.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_texture_create_cached_volume(
    renderer: nf_renderer,
    key: u64,
    width: u32,
    height: u32,
    depth: u32,
    texels: *const c_void,
    size: usize,
    out: *mut nf_texture,
) -> i32 {
    let shape = Shape::new(ImageKind::Volume, width, height, depth, true);
    // SAFETY: the caller's promise about `texels` and `out`.
    call(|| unsafe { create_cached(renderer, key, shape, texels, size, out) })
}

/// Kind and size of a cached texture.
struct Shape {
    kind: ImageKind,
    edges: [u32; 3],
    mips: bool,
}

impl Shape {
    fn new(kind: ImageKind, width: u32, height: u32, depth: u32, mips: bool) -> Self {
        Self {
            kind,
            edges: [width, height, depth],
            mips,
        }
    }
}

/// # Safety
/// `texels` is NULL or `size` bytes, `out` NULL or room for a handle.
unsafe fn create_cached(
    renderer: nf_renderer,
    key: u64,
    shape: Shape,
    texels: *const c_void,
    size: usize,
    out: *mut nf_texture,
) -> Result<()> {
    // SAFETY: as the caller says.
    let made = unsafe { self::out(out, "out") }?;
    made.set(nf_texture::default());
    let [width, height, depth] = shape.edges;
    let faces = if shape.kind == ImageKind::Cube { 6 } else { 1 };
    let need = [width, height, depth, 4, faces]
        .into_iter()
        .try_fold(1usize, |n, edge| n.checked_mul(edge as usize));
    if need == Some(0) || shape.edges.iter().any(|&edge| edge > 1 << 16) {
        return Err(Fault::args(format!(
            "a texture of {width} x {height} x {depth} texels, expected 1 or more and what the adapter \
             can"
        )));
    }
    if need != Some(size) {
        return Err(Fault::bounds(format!(
            "size is {size}, expected {}",
            need.unwrap_or(usize::MAX)
        )));
    }
    // SAFETY: as the caller says.
    let texels = unsafe { slice(texels.cast::<u8>(), size, "texels") }?;
    let id = on(renderer, |objects| {
        let texture = CachedTexture {
            kind: shape.kind,
            width,
            height,
            depth,
            texels,
            mips: shape.mips,
        };
        let image = objects.renderer.create_cached_texture(key, &texture)?;
        objects.cached_handle(key, &image)
    })?;
    made.set(nf_texture { id });
    Ok(())
}

impl Objects {
    /// The handle of an entry of the cache.
    fn cached_handle(&mut self, key: u64, image: &Image) -> Result<u64> {
        if let Some(&id) = self.cached.get(&key) {
            match self.textures.get(id) {
                Some(Texture::Cached { image: known, .. }) if *known == image.id() => {
                    return Ok(id);
                }
                // The entry went and came back as another.
                _ => self.forget_texture(id),
            };
        }
        let id = self.add_texture(Texture::Cached {
            key,
            image: image.id(),
        })?;
        self.cached.insert(key, id);
        Ok(id)
    }
}

/// Begins a binding scope: textures of the cache that are found, made or drawn with inside it stay
/// until it ends, so that handles that were looked up for one draw are good for that draw. Scopes do
/// not nest: another begin starts another.
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub extern "C" fn nf_begin_binding_scope(renderer: nf_renderer) -> i32 {
    call(|| {
        on(renderer, |objects| {
            objects.renderer.begin_binding_scope();
            Ok(())
        })
    })
}

/// Ends the binding scope, if one is open.
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub extern "C" fn nf_end_binding_scope(renderer: nf_renderer) -> i32 {
    call(|| {
        on(renderer, |objects| {
            objects.renderer.end_binding_scope();
            Ok(())
        })
    })
}
