//! The palette that P8 and A8P8 textures are drawn with.

use crate::convert::Palette;
use crate::device::Device;

impl Device {
    /// What indices of palettised textures mean from the next draw on: 256 colours 0xAARRGGBB
    /// (`SetPaletteEntries` of the palette that `SetCurrentTexturePalette` chose).
    pub fn set_texture_palette(&mut self, colors: &Palette) {
        if *self.texels.palette == *colors {
            return;
        }
        self.texels.palette.copy_from_slice(colors);
        for resource in self.resources.iter_mut() {
            if !resource.info.convert.palettised() || !resource.on_gpu() {
                continue;
            }
            resource.mark_all_dirty();
        }
        self.resolved.uploads_pending = true;
    }
}
