//! Draws that sample what they draw to. Direct3D 9 allows it, and programs do: they make each mip
//! level from the one above, or read depth that they only test against. The GPU does not, so such
//! a draw samples a copy of what its target held before.

use crate::draw::{Draw, TextureBinding};
use crate::error::Result;
use crate::image::{Box3, Image, ImageDesc, ImageUsage};
use crate::renderer::Renderer;

/// Copies kept for the draws to come.
const COPIES: usize = 4;

/// The copies of targets, by the number of the image that each was made for. The last is the one
/// used last.
#[derive(Default)]
pub(crate) struct FeedbackCopies(Vec<(u32, Image)>);

impl FeedbackCopies {
    pub(crate) fn forget(&mut self, dead: &[u32]) {
        self.0.retain(|(of, _)| !dead.contains(of));
    }
}

impl Renderer {
    /// Draws with copies in place of the textures that are attached.
    #[cold]
    pub(crate) fn draw_with_copies(&mut self, draw: &Draw<'_>) -> Result<()> {
        let targets = draw.targets;
        let is_attached = |image: &Image| {
            let mut attached = targets.colors.iter().flatten().chain(&targets.depth);
            attached.any(|attachment| attachment.image.id() == image.id())
        };
        let mut textures = draw.textures.clone();
        for binding in textures.iter_mut().flatten() {
            if is_attached(&binding.image) {
                *binding = TextureBinding {
                    image: self.copy_of_target(&binding.image)?,
                    ..binding.clone()
                };
            }
        }
        self.draw(&Draw {
            textures: &textures,
            ..*draw
        })
    }

    fn copy_of_target(&mut self, image: &Image) -> Result<Image> {
        let known = self.feedback.0.iter().position(|(of, _)| *of == image.id());
        let copy = match known {
            Some(at) => self.feedback.0.remove(at).1,
            None => {
                if self.feedback.0.len() == COPIES {
                    self.feedback.0.remove(0);
                }
                let desc = *image.desc();
                let usage = match desc.format.is_depth() {
                    true => ImageUsage::SAMPLED | ImageUsage::DEPTH,
                    false => ImageUsage::SAMPLED,
                };
                self.create_image(&ImageDesc { usage, ..desc })?
            }
        };
        self.feedback.0.push((image.id(), copy.clone()));
        for layer in 0..image.0.layers() {
            for level in 0..image.desc().levels {
                let [w, h, d] = image.0.level_size(level);
                let [x, y, z] = [0; 3];
                let all = Box3 { x, y, z, w, h, d };
                self.copy_image((image, level, layer), all, (&copy, level, layer), [0; 3])?;
            }
        }
        Ok(copy)
    }
}
