//! The content-keyed texture cache of the specification-level draws.

use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageFormat, ImageKind};
use crate::lru::Lru;
use crate::mips::{chain_bytes, full_chain, level_edge, next_level};
use crate::renderer::Renderer;

struct Entry {
    image: Image,
    bytes: u64,
    /// The binding scope that resolved it last.
    scope: u64,
}

pub(crate) struct TextureCache {
    entries: Lru<u64, Entry>,
    capacity: usize,
    budget: u64,
    bytes: u64,
    /// Number of the open binding scope, 0 when none is open.
    scope: u64,
    scopes: u64,
}

impl TextureCache {
    pub(crate) fn new(capacity: usize, budget: u64) -> Self {
        Self {
            // The cache makes room itself, because pinned entries must stay.
            entries: Lru::new(usize::MAX),
            capacity: capacity.max(1),
            budget,
            bytes: 0,
            scope: 0,
            scopes: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Evicts unpinned entries, the least recently used first, until `bytes` more fit. Where they
    /// cannot fit, nothing goes.
    fn make_room(&mut self, bytes: u64) -> Result<()> {
        let (mut left, mut used) = (self.entries.len(), self.bytes);
        let full = |left: usize, used: u64| {
            left >= self.capacity || used.saturating_add(bytes) > self.budget
        };
        let mut oldest = self
            .entries
            .keys_oldest_first()
            .filter(|(_, entry)| self.scope == 0 || entry.scope != self.scope);
        let mut goes = Vec::new();
        while full(left, used) {
            let Some((key, entry)) = oldest.next() else {
                return Err(Error::texture(format!(
                    "a texture of {bytes} bytes does not fit: {used} of {} bytes are in use by \
                     {left} of {} entries that cannot go",
                    self.budget, self.capacity
                )));
            };
            left -= 1;
            used -= entry.bytes;
            goes.push(*key);
        }
        drop(oldest);
        for key in goes {
            self.entries.remove(&key);
        }
        self.bytes = used;
        Ok(())
    }
}

/// Texels for [`Renderer::create_cached_texture`].
#[derive(Clone, Copy, Debug)]
pub struct CachedTexture<'a> {
    /// Texture kind.
    pub kind: ImageKind,
    /// Width of level 0 in texels.
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
    /// Slices of a volume, otherwise 1.
    pub depth: u32,
    /// Level 0 as tightly packed BGRA bytes; the six faces of a cube follow one another.
    pub texels: &'a [u8],
    /// Whether the whole mip chain is made with a box filter.
    pub mips: bool,
}

impl Renderer {
    /// The cached texture of a content key, which becomes the most recently used. Inside a binding
    /// scope it stays until the scope ends.
    pub fn find_cached_texture(&mut self, key: u64) -> Option<Image> {
        let scope = self.texture_cache.scope;
        let entry = self.texture_cache.entries.get(&key)?;
        entry.scope = scope;
        Some(entry.image.clone())
    }

    /// The number of the image under a content key, [`Image::id`], without making it the most recently
    /// used.
    pub fn cached_image_id(&self, key: u64) -> Option<u32> {
        let entry = self.texture_cache.entries.peek(&key)?;
        Some(entry.image.id())
    }

    /// Makes a texture and keeps it under a content key. An entry that is there already is
    /// returned as it is. The least recently used entries go when there are more than
    /// [`Settings::texture_cache_entries`](crate::Settings::texture_cache_entries) entries or
    /// [`Settings::texture_cache_bytes`](crate::Settings::texture_cache_bytes) bytes, mip chains
    /// included; draws that were recorded with them are not affected.
    ///
    /// # Errors
    /// `Texture` when it does not fit beside the entries that the open binding scope pins,
    /// `Bounds` when the texels are too few or too many.
    pub fn create_cached_texture(
        &mut self,
        key: u64,
        texture: &CachedTexture<'_>,
    ) -> Result<Image> {
        if let Some(image) = self.find_cached_texture(key) {
            return Ok(image);
        }
        let CachedTexture {
            kind,
            width,
            height,
            depth,
            texels,
            mips,
        } = *texture;
        if width == 0 || height == 0 || depth == 0 {
            return Err(Error::args(format!(
                "a texture of {width} x {height} x {depth} texels"
            )));
        }
        let levels = if mips {
            full_chain(width, height, depth)
        } else {
            1
        };
        let faces = if kind == ImageKind::Cube { 6 } else { 1 };
        let face_bytes = chain_bytes(width, height, depth, 1, 4);
        if texels.len() as u64 != face_bytes * faces {
            return Err(Error::bounds(format!(
                "{} bytes for {faces} faces of {face_bytes} bytes",
                texels.len()
            )));
        }
        let bytes = faces * chain_bytes(width, height, depth, levels, 4);
        self.texture_cache.make_room(bytes)?;
        let image = self.create_image(&ImageDesc {
            kind,
            depth,
            levels,
            ..ImageDesc::d2(width, height, ImageFormat::Bgra8)
        })?;
        for (face, texels) in texels.chunks_exact(face_bytes as usize).enumerate() {
            self.upload_chain(&image, face as u32, texels, levels)?;
        }
        let entry = Entry {
            image: image.clone(),
            bytes,
            scope: self.texture_cache.scope,
        };
        self.texture_cache.bytes += bytes;
        self.texture_cache.entries.insert(key, entry);
        Ok(image)
    }

    fn upload_chain(&mut self, image: &Image, face: u32, texels: &[u8], levels: u32) -> Result<()> {
        let desc = *image.desc();
        let mut level_texels = texels.to_vec();
        for level in 0..levels {
            let w = level_edge(desc.width, level);
            let h = level_edge(desc.height, level);
            let d = level_edge(desc.depth, level);
            let area = Box3 {
                x: 0,
                y: 0,
                z: 0,
                w,
                h,
                d,
            };
            let row = w as usize * 4;
            self.upload(
                image,
                level,
                face,
                area,
                &level_texels,
                row,
                row * h as usize,
            )?;
            if level + 1 < levels {
                level_texels = next_level(&level_texels, w, h, d, 4)?;
            }
        }
        Ok(())
    }

    /// Removes the entry of a content key; draws that were recorded with it are not affected.
    pub fn remove_cached_texture(&mut self, key: u64) {
        if let Some(entry) = self.texture_cache.entries.remove(&key) {
            self.texture_cache.bytes -= entry.bytes;
        }
    }

    /// Opens a binding scope: textures that are resolved inside it are not evicted before it ends.
    /// Scopes do not nest; a second begin starts a new one.
    pub fn begin_binding_scope(&mut self) {
        self.texture_cache.scopes += 1;
        self.texture_cache.scope = self.texture_cache.scopes;
    }

    /// Ends the binding scope.
    pub fn end_binding_scope(&mut self) {
        self.texture_cache.scope = 0;
    }
}
