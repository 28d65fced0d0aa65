//! What one renderer holds for its C caller.

use std::sync::Arc;

use ninefold_bytecode::Stage;
use ninefold_renderer::{Context, GeometryBuffer, Image, Renderer, ShaderId};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::fault::{Fault, NF_ERR_TEXTURE, Result};
use crate::handle::{Kind, Owner, Table};
use crate::registry::stale;
use crate::types::{nf_context, nf_shader, nf_texture};

/// Places of the texture table: textures of the program and of the cache, and colour targets.
const TEXTURES: usize = 4096;
/// Contexts; each takes a place of the texture table.
const CONTEXTS: usize = TEXTURES;
/// Buffers and shaders.
const OTHERS: usize = 65_536;

/// What a texture handle names.
pub(crate) enum Texture {
    /// Made by the program.
    Owned(Image),
    /// An entry of the content-keyed cache, as long as it is there.
    Cached {
        key: u64,
        /// The image's number: the entry may have gone and come back.
        image: u32,
    },
    /// The colour target of a context, whichever it is at the moment.
    Target(u64),
}

/// A context with the handle of its colour target.
pub(crate) struct Target {
    pub(crate) context: Context,
    pub(crate) texture: u64,
}

/// A registered shader.
#[derive(Clone, Copy)]
pub(crate) struct Shader {
    pub(crate) stage: Stage,
    pub(crate) id: ShaderId,
}

pub(crate) struct Objects {
    pub(crate) renderer: Renderer,
    pub(crate) adapter: String,
    pub(crate) contexts: Table<Target>,
    pub(crate) textures: Table<Texture>,
    /// Handles of cached textures by key.
    pub(crate) cached: FxHashMap<u64, u64>,
    pub(crate) buffers: Table<GeometryBuffer>,
    pub(crate) shaders: Table<Shader>,
    pub(crate) shader_handles: FxHashMap<ShaderId, u64>,
    pub(crate) commit_error: Arc<Mutex<String>>,
}

impl Objects {
    pub(crate) fn new(owner: Owner, renderer: Renderer, adapter: String) -> Self {
        Self {
            renderer,
            adapter,
            contexts: Table::new(owner, Kind::Context, CONTEXTS),
            textures: Table::new(owner, Kind::Texture, TEXTURES),
            cached: FxHashMap::default(),
            buffers: Table::new(owner, Kind::Buffer, OTHERS),
            shaders: Table::new(owner, Kind::Shader, OTHERS),
            shader_handles: FxHashMap::default(),
            commit_error: Arc::default(),
        }
    }

    /// A place in the texture table. Entries of the cache that are gone make room.
    pub(crate) fn add_texture(&mut self, texture: Texture) -> Result<u64> {
        if self.textures.is_full() {
            let gone: Vec<u64> = self
                .textures
                .iter()
                .filter(|(_, texture)| !self.is_there(texture))
                .map(|(id, _)| id)
                .collect();
            for id in gone {
                self.forget_texture(id);
            }
        }
        if self.textures.is_full() {
            return Err(Fault::new(
                NF_ERR_TEXTURE,
                format!("all {TEXTURES} places of the texture table are in use"),
            ));
        }
        self.textures.insert(texture)
    }

    fn is_there(&self, texture: &Texture) -> bool {
        match texture {
            Texture::Cached { key, image } => self.renderer.cached_image_id(*key) == Some(*image),
            Texture::Owned(_) | Texture::Target(_) => true,
        }
    }

    /// Takes a texture out of the table.
    pub(crate) fn forget_texture(&mut self, id: u64) -> Option<Texture> {
        let texture = self.textures.remove(id)?;
        if let Texture::Cached { key, .. } = texture
            && self.cached.get(&key) == Some(&id)
        {
            self.cached.remove(&key);
        }
        Some(texture)
    }

    /// The image of a texture; a cached one becomes the most recently used.
    pub(crate) fn image(&mut self, texture: nf_texture, name: &str) -> Result<Image> {
        let id = texture.id;
        let image = match self.textures.get(id) {
            Some(Texture::Owned(image)) => Some(image.clone()),
            Some(Texture::Target(context)) => {
                let target = self.contexts.get(*context);
                target.map(|target| target.context.image().clone())
            }
            Some(&Texture::Cached { key, image }) => {
                let found = self.renderer.find_cached_texture(key);
                found.filter(|found| found.id() == image)
            }
            None => None,
        };
        image.ok_or_else(|| stale(id, Kind::Texture, name))
    }

    /// The image of a texture that may be none.
    pub(crate) fn optional_image(
        &mut self,
        texture: nf_texture,
        name: &str,
    ) -> Result<Option<Image>> {
        match texture.id {
            0 => Ok(None),
            _ => self.image(texture, name).map(Some),
        }
    }

    pub(crate) fn shader(&self, shader: nf_shader, stage: Stage, name: &str) -> Result<ShaderId> {
        let Some(found) = self.shaders.get(shader.id) else {
            return Err(stale(shader.id, Kind::Shader, name));
        };
        if found.stage != stage {
            return Err(Fault::new(
                crate::fault::NF_ERR_SHADER,
                format!(
                    "{name} is a {} shader (shader stage mismatch)",
                    stage_name(found.stage)
                ),
            ));
        }
        Ok(found.id)
    }

    pub(crate) fn target(&mut self, context: nf_context) -> Result<&mut Target> {
        self.contexts
            .get_mut(context.id)
            .ok_or_else(|| stale(context.id, Kind::Context, "context"))
    }
}

pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Pixel => "pixel",
    }
}
