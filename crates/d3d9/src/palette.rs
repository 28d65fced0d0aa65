//! The palettes that P8 and A8P8 textures are drawn with.

use rustc_hash::FxHashMap;

use crate::convert::Palette;
use crate::device::Device;
use crate::fault::invalid;
use crate::hresult::Result;

/// A palette as a program gives it: `PALETTEENTRY` is red, green, blue, and flags that are alpha.
pub type PaletteEntries = [[u8; 4]; 256];

/// Palettes that a device may have: D3D9 numbers them with 16 bits.
const MAX_PALETTES: u32 = 1 << 16;

/// The palettes of a device.
#[derive(Debug)]
pub(crate) struct Palettes {
    entries: FxHashMap<u32, Box<PaletteEntries>>,
    current: u32,
}

impl Default for Palettes {
    fn default() -> Self {
        Self {
            entries: FxHashMap::default(),
            current: 0xFFFF,
        }
    }
}

impl Device {
    /// `SetPaletteEntries`. Textures are drawn with the current palette from now on.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for numbers above 65,535 and for alpha below 255, which is a capability
    /// (`D3DPTEXTURECAPS_ALPHAPALETTE`) that devices here do not have.
    pub fn set_palette_entries(&mut self, number: u32, entries: &PaletteEntries) -> Result<()> {
        self.recorded(
            |r, x| r.set_palette_entries(x, number, entries),
            |d| {
                if number >= MAX_PALETTES {
                    invalid!("number: {number}, must be less than {MAX_PALETTES}");
                }
                if entries.iter().any(|entry| entry[3] != 0xFF) {
                    invalid!("entries: alpha, which palettes here do not have");
                }
                d.palettes.entries.insert(number, Box::new(*entries));
                if number == d.palettes.current {
                    d.use_palette(entries);
                }
                Ok(())
            },
        )
    }

    /// `GetPaletteEntries`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for palettes that were never set.
    pub fn get_palette_entries(&mut self, number: u32) -> Result<&PaletteEntries> {
        if !self.palettes.entries.contains_key(&number) {
            return self.call(|_| invalid!("number: palette {number} has no entries"));
        }
        Ok(&self.palettes.entries[&number])
    }

    /// `SetCurrentTexturePalette`. A palette without entries leaves the colours as they are.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for numbers above 65,535.
    pub fn set_current_texture_palette(&mut self, number: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_current_texture_palette(x, number),
            |d| {
                if number >= MAX_PALETTES {
                    invalid!("number: {number}, must be less than {MAX_PALETTES}");
                }
                d.palettes.current = number;
                if let Some(entries) = d.palettes.entries.get(&number) {
                    let entries = entries.clone();
                    d.use_palette(&entries);
                }
                Ok(())
            },
        )
    }

    /// `GetCurrentTexturePalette`: 65,535 to begin with.
    pub fn get_current_texture_palette(&self) -> u32 {
        self.palettes.current
    }

    /// Palettised textures mean these colours from the next draw on.
    fn use_palette(&mut self, entries: &PaletteEntries) {
        let colors: Palette = entries.map(|[r, g, b, a]| u32::from_be_bytes([a, r, g, b]));
        if *self.texels.palette == colors {
            return;
        }
        *self.texels.palette = colors;
        for resource in self.resources.iter_mut() {
            if !resource.info.convert.palettised() || !resource.on_gpu() {
                continue;
            }
            resource.mark_all_dirty();
        }
        self.resolved.uploads_pending = true;
    }
}
