//! Surfaces as pictures, for tools and tests.

use ninefold_renderer::ImageFormat;

use crate::convert::Convert;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::handle::{RawHandle, SurfaceHandle};
use crate::hresult::Result;
use crate::types::{LevelTarget, Picture};

impl Device {
    /// The pixels of any colour surface, level 0 of a 2D texture say, converted to BGRA. Not part
    /// of D3D9. Waits for the GPU.
    pub fn read_surface(&mut self, surface: SurfaceHandle) -> Result<Picture> {
        self.call(|d| {
            let (handle, sub) = d.find_level(LevelTarget::Surface(surface))?;
            d.picture(handle, sub)
        })
    }

    /// The pixels of a level as BGRA.
    pub(crate) fn picture(&mut self, handle: RawHandle, sub: u32) -> Outcome<Picture> {
        let resource = self.resource(handle, "surface")?;
        let (width, height) = (
            resource.subs[sub as usize].width,
            resource.subs[sub as usize].height,
        );
        let info = resource.info;
        if resource.on_gpu() && !resource.is_depth() {
            let place = resource.place(sub);
            let image = self.ready_image(handle, "surface")?;
            return read_picture(&mut self.renderer, &image, place, info.opaque());
        }
        let (format, convert) = (info.gpu, info.convert);
        if format != ImageFormat::Bgra8 {
            invalid!("surface: format {:#x} has no picture", info.d3d);
        }
        let palette = self.texels.palette.clone();
        let resource = self.resource_mut(handle, "surface")?;
        let pitch = resource.subs[sub as usize].row_pitch as usize;
        let mut bgra = Vec::new();
        let data = resource.memory(sub);
        if convert == Convert::Copy {
            for row in data.chunks(pitch).take(height as usize) {
                bgra.extend_from_slice(&row[..width as usize * 4]);
            }
        } else {
            convert.to_gpu(
                data,
                pitch,
                width as usize,
                height as usize,
                &palette,
                &mut bgra,
            );
        }
        Ok(Picture {
            width,
            height,
            bgra,
        })
    }
}

/// Reads a level of an image as BGRA; `opaque` images have alpha 255.
pub(crate) fn read_picture(
    renderer: &mut ninefold_renderer::Renderer,
    image: &ninefold_renderer::Image,
    (level, layer): (u32, u32),
    opaque: bool,
) -> Outcome<Picture> {
    let desc = *image.desc();
    let (width, height) = ((desc.width >> level).max(1), (desc.height >> level).max(1));
    let mut texels = renderer.read_image(image, level, layer)?;
    let bgra = match desc.format {
        ImageFormat::Bgra8 => texels,
        ImageFormat::Rgba8 => {
            for t in texels.chunks_exact_mut(4) {
                t.swap(0, 2);
            }
            texels
        }
        ImageFormat::Rgb10A2 => {
            for t in texels.chunks_exact_mut(4) {
                let v = u32::from_le_bytes([t[0], t[1], t[2], t[3]]);
                let ten = |shift: u32| (((v >> shift & 1023) * 255 * 2 + 1023) / 2046) as u8;
                t.copy_from_slice(&[ten(20), ten(10), ten(0), (v >> 30) as u8 * 85]);
            }
            texels
        }
        other => invalid!("surface: images of {other:?} have no picture"),
    };
    let mut picture = Picture {
        width,
        height,
        bgra,
    };
    if opaque {
        for t in picture.bgra.chunks_exact_mut(4) {
            t[3] = 255;
        }
    }
    Ok(picture)
}
