//! Making images, and moving texels in and out of them.

use std::sync::Arc;

use ninefold_gpu as gpu;
use ninefold_gpu::types::{TextureAspect, TextureUsages};
use ninefold_gpu::{Initial, Region, TextureDesc, TextureKind};

use crate::error::{Error, Result};
use crate::formats::{srgb_twin, texture_format};
use crate::image::{
    Box3, Graveyard, Image, ImageDesc, ImageFormat, ImageInner, ImageKind, ImageUsage,
};
use crate::mips::full_chain;
use crate::recorder::Recorder;
use crate::renderer::Renderer;
use crate::targets::Attachment;

pub(crate) fn create(
    recorder: &mut Recorder,
    graveyard: &Arc<Graveyard>,
    id: u32,
    desc: &ImageDesc,
) -> Result<Image> {
    let mut desc = *desc;
    if desc.width == 0 || desc.height == 0 || desc.depth == 0 {
        return Err(Error::args(format!(
            "an image of {} x {} x {} texels",
            desc.width, desc.height, desc.depth
        )));
    }
    if desc.levels == 0 {
        let depth = if desc.kind == ImageKind::Volume {
            desc.depth
        } else {
            1
        };
        desc.levels = full_chain(desc.width, desc.height, depth);
    }
    let format = texture_format(desc.format);
    let can = recorder.gpu.format_caps(format);
    let depth = desc.format.is_depth();
    let known = if depth {
        can.depth_stencil
    } else {
        can.sampled
    };
    if !known {
        return Err(Error::unsupported(format!(
            "the adapter has no images of {:?}",
            desc.format
        )));
    }
    if desc.usage.contains(ImageUsage::COLOR) && (!can.target || desc.kind == ImageKind::Volume) {
        return Err(Error::unsupported(format!(
            "the adapter cannot render to {:?} {:?} images",
            desc.format, desc.kind
        )));
    }
    let mut usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    // A depth image that can be sampled rests between passes where samplers read it.
    let binds = match depth {
        true => desc.usage.contains(ImageUsage::SAMPLED) && can.sampled,
        false => desc.samples == 1,
    };
    if binds {
        usage |= TextureUsages::TEXTURE_BINDING;
    }
    if desc.usage.contains(ImageUsage::COLOR) || depth || desc.samples > 1 {
        usage |= TextureUsages::RENDER_ATTACHMENT;
    }
    let texture = recorder.gpu.create_texture(&TextureDesc {
        label: "image",
        kind: match desc.kind {
            ImageKind::D2 => TextureKind::D2,
            ImageKind::Cube => TextureKind::Cube,
            ImageKind::Volume => TextureKind::D3,
        },
        width: desc.width,
        height: desc.height,
        depth: desc.depth,
        mips: desc.levels,
        samples: desc.samples,
        format,
        usage,
        srgb_views: srgb_twin(desc.format).is_some(),
        initial: Initial::Zero,
    })?;
    let image = Image(Arc::new(ImageInner::new(
        id,
        desc,
        texture,
        graveyard.clone(),
    )));
    if usage.contains(TextureUsages::RENDER_ATTACHMENT) {
        for layer in 0..image.0.layers() {
            for level in 0..desc.levels {
                let attachment = Attachment {
                    level,
                    layer,
                    ..Attachment::new(image.clone())
                };
                if depth {
                    recorder.defer_clear(&attachment, None, Some(1.0), Some(0))?;
                } else {
                    recorder.defer_clear(&attachment, Some([0.0, 0.0, 0.0, 1.0]), None, None)?;
                }
            }
        }
    }
    Ok(image)
}

/// Images for what is unbound: one of each kind, and a depth image for those that compare.
pub(crate) const BLACKS: usize = 4;

/// Which of the images for what is unbound a stage reads.
pub(crate) fn black_index(kind: ImageKind, compares: bool) -> usize {
    if compares { BLACKS - 1 } else { kind as usize }
}

/// One texel of each kind, opaque black or depth 0, with the ids 0 to 3.
pub(crate) fn black_images(
    recorder: &mut Recorder,
    graveyard: &Arc<Graveyard>,
) -> Result<[Image; BLACKS]> {
    let mut make = |kind: ImageKind| -> Result<Image> {
        let desc = ImageDesc {
            kind,
            ..ImageDesc::d2(1, 1, ImageFormat::Bgra8)
        };
        let image = create(recorder, graveyard, kind as u32, &desc)?;
        for layer in 0..image.0.layers() {
            let area = Box3 {
                x: 0,
                y: 0,
                z: 0,
                w: 1,
                h: 1,
                d: 1,
            };
            write(recorder, &image, 0, layer, area, &[0, 0, 0, 255], 4, 4)?;
        }
        Ok(image)
    };
    let [flat, cube, volume] = [ImageKind::D2, ImageKind::Cube, ImageKind::Volume].map(&mut make);
    let desc = ImageDesc {
        usage: ImageUsage::DEPTH | ImageUsage::SAMPLED,
        ..ImageDesc::d2(1, 1, ImageFormat::D32S8)
    };
    let depth = create(recorder, graveyard, BLACKS as u32 - 1, &desc)?;
    recorder.defer_clear(&Attachment::new(depth.clone()), None, Some(0.0), Some(0))?;
    Ok([flat?, cube?, volume?, depth])
}

/// Whether `area` lies in a level and meets the format's blocks.
fn check_box(image: &Image, level: u32, layer: u32, area: &Box3) -> Result<()> {
    let desc = image.desc();
    if level >= desc.levels || layer >= image.0.layers() {
        return Err(Error::bounds(format!(
            "level {level} of layer {layer} of {image:?}"
        )));
    }
    let [width, height, depth] = image.0.level_size(level);
    let inside = |at: u32, size: u32, edge: u32| {
        size > 0 && at.checked_add(size).is_some_and(|end| end <= edge)
    };
    if !inside(area.x, area.w, width)
        || !inside(area.y, area.h, height)
        || !inside(area.z, area.d, depth)
    {
        return Err(Error::bounds(format!(
            "{area:?} is not inside level {level} of {width} x {height} x {depth} texels"
        )));
    }
    let block = desc.format.block_edge();
    let whole = |at: u32, size: u32, edge: u32| {
        at.is_multiple_of(block) && (size.is_multiple_of(block) || at + size == edge)
    };
    if !whole(area.x, area.w, width) || !whole(area.y, area.h, height) {
        return Err(Error::args(format!(
            "{area:?} does not meet the {block} x {block} blocks"
        )));
    }
    Ok(())
}

fn region(image: &Image, level: u32, layer: u32, area: &Box3) -> Region {
    Region {
        mip: level,
        layer,
        origin: [area.x, area.y, area.z],
        size: [area.w, area.h, area.d],
        aspect: if image.desc().format.is_depth() {
            TextureAspect::DepthOnly
        } else {
            TextureAspect::All
        },
    }
}

#[allow(clippy::too_many_arguments)]
fn write(
    recorder: &mut Recorder,
    image: &Image,
    level: u32,
    layer: u32,
    area: Box3,
    data: &[u8],
    row_pitch: usize,
    slice_pitch: usize,
) -> Result<()> {
    check_box(image, level, layer, &area)?;
    let desc = image.desc();
    let row = desc.format.row_bytes(area.w);
    let rows = desc.format.rows(area.h) as usize;
    let row_pitch = if rows == 1 && row_pitch == 0 {
        row
    } else {
        row_pitch
    };
    let slice_pitch = if area.d == 1 {
        rows.saturating_mul(row_pitch)
    } else {
        slice_pitch
    };
    let need = (area.d as usize - 1)
        .checked_mul(slice_pitch)
        .and_then(|n| {
            n.checked_add((rows - 1).checked_mul(row_pitch)?)?
                .checked_add(row)
        });
    if row_pitch < row && rows > 1 || need.is_none_or(|need| need > data.len()) {
        return Err(Error::bounds(format!(
            "{} bytes with rows {row_pitch} and slices {slice_pitch} bytes apart do not hold \
             {area:?} of {:?}",
            data.len(),
            desc.format
        )));
    }
    recorder.encode_clears_of(image)?;
    let region = region(image, level, layer, &area);
    let whole_slices = row_pitch > 0 && slice_pitch.is_multiple_of(row_pitch);
    if whole_slices {
        return put(
            recorder,
            image,
            &region,
            data,
            row_pitch,
            slice_pitch / row_pitch,
        );
    }
    for slice in 0..area.d {
        let mut region = region;
        region.origin[2] = area.z + slice;
        region.size[2] = 1;
        put(
            recorder,
            image,
            &region,
            &data[slice as usize * slice_pitch..],
            row_pitch,
            rows,
        )?;
    }
    Ok(())
}

/// Records one copy, inside the open pass when it may run before everything recorded, otherwise
/// outside.
fn put(
    recorder: &mut Recorder,
    image: &Image,
    region: &Region,
    data: &[u8],
    row_pitch: usize,
    rows: usize,
) -> Result<()> {
    let texture = &image.0.texture;
    let bytes = u64::from(region.size[2])
        * u64::from(image.desc().format.rows(region.size[1]))
        * image
            .desc()
            .format
            .row_bytes(region.size[0])
            .next_multiple_of(256) as u64;
    recorder.count_bytes(bytes);
    let (commands, arena) = recorder.with_arena()?;
    match commands.write_texture(arena, texture, region, data, row_pitch, rows) {
        Err(ninefold_gpu::Error::State(_)) if commands.in_pass() => {}
        other => return Ok(other?),
    }
    recorder.end_pass()?;
    let (commands, arena) = recorder.with_arena()?;
    Ok(commands.write_texture(arena, texture, region, data, row_pitch, rows)?)
}

impl Renderer {
    /// Copies texels into one level, ordered after earlier draws and before later ones. `layer` is
    /// the cube face. `data` holds rows of blocks `row_pitch` bytes apart and slices `slice_pitch`
    /// bytes apart; it is copied before the call returns.
    ///
    /// # Errors
    /// `Bounds` when the box reaches out of the level or `data` is too short, `Args` for a box
    /// that does not meet the format's blocks or a multisampled image.
    #[allow(clippy::too_many_arguments)]
    pub fn upload(
        &mut self,
        image: &Image,
        level: u32,
        layer: u32,
        area: Box3,
        data: &[u8],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Result<()> {
        if image.desc().samples > 1 {
            return Err(Error::args(
                "texels cannot be copied into a multisampled image",
            ));
        }
        self.make_room()?;
        write(
            &mut self.recorder,
            image,
            level,
            layer,
            area,
            data,
            row_pitch,
            slice_pitch,
        )
    }

    /// Copies a box between images of one format, in order. The images are given with level and
    /// layer; the source box lands with its origin at `dst_origin` (x, y, z).
    ///
    /// # Errors
    /// `Args` for formats or sample counts that differ, parts of multisampled images or a copy
    /// inside one level of one layer, `Bounds` for boxes out of their levels.
    pub fn copy_image(
        &mut self,
        src: (&Image, u32, u32),
        area: Box3,
        dst: (&Image, u32, u32),
        dst_origin: [u32; 3],
    ) -> Result<()> {
        let (src_image, src_level, src_layer) = src;
        let (dst_image, dst_level, dst_layer) = dst;
        if src_image.desc().format != dst_image.desc().format {
            return Err(Error::args(format!(
                "a copy from {:?} to {:?}",
                src_image.desc().format,
                dst_image.desc().format
            )));
        }
        if src_image.desc().samples != dst_image.desc().samples {
            return Err(Error::args("a copy between images of unlike sample counts"));
        }
        check_box(src_image, src_level, src_layer, &area)?;
        let [x, y, z] = dst_origin;
        check_box(dst_image, dst_level, dst_layer, &Box3 { x, y, z, ..area })?;
        self.make_room()?;
        self.recorder.encode_clears_of(src_image)?;
        self.recorder.encode_clears_of(dst_image)?;
        let mut region = region(src_image, src_level, src_layer, &area);
        region.aspect = TextureAspect::All;
        self.recorder.outside_pass()?.copy_texture_to_texture(
            &src_image.0.texture,
            &region,
            &dst_image.0.texture,
            dst_level,
            dst_layer,
            dst_origin,
        )?;
        Ok(())
    }

    /// Submits, waits, and returns one level of one layer as tightly packed rows of blocks (all
    /// slices of a volume). Depth is read as 32-bit floats. Multisampled colour is averaged first.
    ///
    /// # Errors
    /// `Bounds` for a level or layer that is not there, `Unsupported` for multisampled depth,
    /// `Device` when the device is lost.
    pub fn read_image(&mut self, image: &Image, level: u32, layer: u32) -> Result<Vec<u8>> {
        let desc = *image.desc();
        if desc.samples > 1 {
            if desc.format.is_depth() {
                return Err(Error::unsupported("multisampled depth cannot be read"));
            }
            let single = self.create_image(&ImageDesc {
                samples: 1,
                usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
                ..desc
            })?;
            let from = Attachment {
                level,
                layer,
                ..Attachment::new(image.clone())
            };
            self.resolve(&from, &Attachment::new(single.clone()))?;
            return self.read_image(&single, 0, 0);
        }
        let [w, h, d] = image.0.level_size(level);
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w,
            h,
            d,
        };
        check_box(image, level, layer, &area)?;
        self.recorder.encode_clears_of(image)?;
        let region = region(image, level, layer, &area);
        let readback = self
            .recorder
            .outside_pass()?
            .read_texture(&image.0.texture, &region)?;
        self.flush()?;
        Ok(readback.wait()?)
    }

    /// Makes an image of a texture that was made elsewhere on the same GPU, for copies, the
    /// [anti-aliasing filter](Renderer::fxaa) or draws to go into: that of a presenter, lent by
    /// `gpu::Gpu::import_texture` (feature `interop` of `ninefold-gpu`). Its uses are those of the
    /// texture; its contents stay what they are.
    ///
    /// # Errors
    /// `Args` for a texture of another device, `Unsupported` for one of a format that images do
    /// not have.
    pub fn adopt_image(&mut self, texture: &gpu::Texture) -> Result<Image> {
        if !texture.is_of(&self.recorder.gpu) {
            return Err(Error::args(format!("{texture:?} is of another device")));
        }
        let format = ImageFormat::ALL
            .into_iter()
            .find(|&format| texture_format(format) == texture.format());
        let Some(format) = format else {
            return Err(Error::unsupported(format!(
                "no image has the format of {texture:?}"
            )));
        };
        let uses = texture.usage();
        let mut usage = ImageUsage::default();
        if uses.contains(TextureUsages::TEXTURE_BINDING) {
            usage = usage | ImageUsage::SAMPLED;
        }
        if uses.contains(TextureUsages::RENDER_ATTACHMENT) {
            let target = match format.is_depth() {
                true => ImageUsage::DEPTH,
                false => ImageUsage::COLOR,
            };
            usage = usage | target;
        }
        let [width, height, depth] = texture.size();
        let desc = ImageDesc {
            kind: match texture.kind() {
                TextureKind::D2 => ImageKind::D2,
                TextureKind::Cube => ImageKind::Cube,
                TextureKind::D3 => ImageKind::Volume,
            },
            width,
            height,
            depth,
            levels: texture.mips(),
            format,
            samples: texture.samples(),
            usage,
        };
        let id = self.new_id()?;
        let inner = ImageInner::new(id, desc, texture.clone(), self.graveyard.clone());
        Ok(Image(Arc::new(inner)))
    }
}
