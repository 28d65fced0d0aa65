//! Presented frames as PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
use ninefold_d3d9::Picture;

/// Writes a picture as an RGB PNG: what a screen shows has no alpha.
pub(crate) fn write_png(path: &Path, picture: &Picture) -> Result<()> {
    let context = || format!("writing {}", path.display());
    let mut rgb = Vec::with_capacity(picture.bgra.len() / 4 * 3);
    for pixel in picture.bgra.chunks_exact(4) {
        rgb.extend_from_slice(&[pixel[2], pixel[1], pixel[0]]);
    }
    let file = BufWriter::new(File::create(path).with_context(context)?);
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().with_context(context)?;
    writer.write_image_data(&rgb).with_context(context)?;
    writer.finish().with_context(context)
}
