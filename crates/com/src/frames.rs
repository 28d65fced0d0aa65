//! `NINEFOLD_FRAME_DIR`: a PNG of every presented frame.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use ninefold_d3d9::Picture;

/// Writes pictures of presented frames, `frame-000000.png` on.
pub(crate) struct Frames {
    folder: PathBuf,
    next: u32,
}

impl Frames {
    pub(crate) fn new(folder: PathBuf) -> Option<Self> {
        match std::fs::create_dir_all(&folder) {
            Ok(()) => Some(Self { folder, next: 0 }),
            Err(error) => {
                eprintln!("ninefold: NINEFOLD_FRAME_DIR={}: {error}", folder.display());
                None
            }
        }
    }

    /// Writes the next picture; a picture that cannot be written is reported and left out.
    pub(crate) fn write(&mut self, picture: &Picture) {
        let path = self.folder.join(format!("frame-{:06}.png", self.next));
        self.next += 1;
        if let Err(error) = write_png(&path, picture) {
            eprintln!("ninefold: {}: {error}", path.display());
        }
    }
}

/// Writes colour without alpha, which a screen does not show.
fn write_png(path: &Path, picture: &Picture) -> io::Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut rgb = Vec::with_capacity(picture.bgra.len() / 4 * 3);
    for p in picture.bgra.chunks_exact(4) {
        rgb.extend_from_slice(&[p[2], p[1], p[0]]);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(())
}
