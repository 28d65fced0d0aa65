//! The manifest: what pipelines earlier sessions used, as a file of recipes.
//!
//! `manifest-v2.bin` is a header of four little-endian words, magic `HVPM`, version 2, the size of
//! a record (1,088 bytes) and 0, and then records, appended one at a time. Version 1 has records of
//! 1,080 bytes, the same without the mode of radial fog and the version of the pipeline's key.

use std::fmt;

use bytemuck::Zeroable;
use ninefold_bytecode::ContentKey;
use rustc_hash::FxHashMap;

use super::recipe::{Ingredients, PixelHalf, RECIPE_BYTES, RECIPE_V1_BYTES, Recipe, VertexHalf};

/// Recipes that a manifest keeps.
pub(super) const MAX_RECIPES: usize = 8192;
/// Bytes of a file that are looked at. Files of our own stop at [`MAX_RECIPES`] records.
pub(super) const MAX_FILE: u64 = 64 << 20;
pub(super) const HEADER: usize = 16;

/// Version of the pipeline keys in manifests of version 1, which do not say it.
const VERSION_1_KEYS: u32 = 2;

const MAGIC: u32 = 0x4D50_5648;

/// The header of version 2.
pub(super) fn header() -> [u8; HEADER] {
    let words = [MAGIC, 2, RECIPE_BYTES as u32, 0].map(u32::to_le_bytes);
    bytemuck::cast(words)
}

/// Why a file is no manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// It has less than the 16 bytes of a header.
    CutOff(usize),
    /// It does not start with `HVPM`.
    Magic(u32),
    /// It is neither version 1 nor version 2.
    Version(u32),
    /// The records of its version have another size.
    RecordSize(u32),
    /// The reserved word is not 0.
    Reserved(u32),
    /// It is larger than any that is written.
    TooLarge(u64),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff(bytes) => write!(f, "{bytes} bytes, a manifest has {HEADER} or more"),
            Self::Magic(word) => write!(f, "byte 0: {word:#010x}, no manifest starts so (HVPM)"),
            Self::Version(word) => write!(f, "byte 4: version {word}, expected 1 or 2"),
            Self::RecordSize(word) => {
                write!(
                    f,
                    "byte 8: records of {word} bytes, not those of its version"
                )
            }
            Self::Reserved(word) => write!(f, "byte 12: {word:#x}, must be 0"),
            Self::TooLarge(bytes) => write!(f, "{bytes} bytes, at most {MAX_FILE} are read"),
        }
    }
}

impl std::error::Error for ManifestError {}

/// A manifest in memory: at most 8,192 recipes, one for each pipeline, in the order they were
/// recorded.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    recipes: Vec<Recipe>,
    /// Version of the file.
    version: u32,
    invalid: usize,
    superseded: usize,
    torn: usize,
}

/// A recipe in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeSummary {
    /// What the pipeline's state hashed to when it was recorded.
    pub key: u64,
    /// The vertex shader, `None` for the fixed function.
    pub vertex: Option<ContentKey>,
    /// The pixel shader, `None` for the texture-stage cascade.
    pub pixel: Option<ContentKey>,
    /// Elements of the vertex declaration.
    pub elements: usize,
    /// `D3DPRIMITIVETYPE`.
    pub primitive: u32,
    /// Samples of the targets.
    pub samples: u32,
    /// Mode of radial fog, 0 for none.
    pub radial_fog: u32,
}

impl Manifest {
    /// Reads a file. Records that mean nothing, older records of a pipeline, and the torn record
    /// at the end of a file whose writer was stopped are left out and counted.
    ///
    /// # Errors
    /// When the header is not that of a manifest.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let Some((header, records)) = bytes.split_at_checked(HEADER) else {
            return Err(ManifestError::CutOff(bytes.len()));
        };
        if bytes.len() as u64 > MAX_FILE {
            return Err(ManifestError::TooLarge(bytes.len() as u64));
        }
        let (words, _) = header.as_chunks::<4>();
        let word = |n: usize| u32::from_le_bytes(words[n]);
        let [magic, version, size, reserved] = [word(0), word(1), word(2), word(3)];
        if magic != MAGIC {
            return Err(ManifestError::Magic(magic));
        }
        let record = match version {
            1 => RECIPE_V1_BYTES,
            2 => RECIPE_BYTES,
            _ => return Err(ManifestError::Version(version)),
        };
        if size as usize != record {
            return Err(ManifestError::RecordSize(size));
        }
        if reserved != 0 {
            return Err(ManifestError::Reserved(reserved));
        }
        let mut manifest = Self {
            version,
            torn: records.len() % record,
            ..Self::default()
        };
        let mut all = Vec::with_capacity(records.len() / record);
        for bytes in records.chunks_exact(record) {
            let mut recipe = Recipe::zeroed();
            recipe.version = VERSION_1_KEYS;
            bytemuck::bytes_of_mut(&mut recipe)[..record].copy_from_slice(bytes);
            match recipe.key != 0 && recipe.ingredients().is_some() {
                true => all.push(recipe),
                false => manifest.invalid += 1,
            }
        }
        manifest.keep_newest(all);
        Ok(manifest)
    }

    /// The newest of each key, and of these the newest that there is room for.
    fn keep_newest(&mut self, recipes: Vec<Recipe>) {
        let all = recipes.len();
        let mut last: FxHashMap<u64, usize> = FxHashMap::default();
        for (n, recipe) in recipes.iter().enumerate() {
            last.insert(recipe.key, n);
        }
        let skip = last.len().saturating_sub(MAX_RECIPES);
        let newest = recipes.into_iter().enumerate();
        let newest = newest.filter(|(n, recipe)| last[&recipe.key] == *n);
        self.recipes = newest.map(|(_, recipe)| recipe).skip(skip).collect();
        self.superseded += all - self.recipes.len();
    }

    /// Adds the recipes of another manifest, which count as the newer ones. What stays are at most
    /// 8,192 of both.
    pub fn merge(&mut self, other: &Manifest) {
        let mut all = core::mem::take(&mut self.recipes);
        all.extend(&other.recipes);
        self.keep_newest(all);
    }

    /// The file, of version 2.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header().to_vec();
        bytes.extend_from_slice(bytemuck::cast_slice(&self.recipes));
        bytes
    }

    /// Recipes.
    pub fn len(&self) -> usize {
        self.recipes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.recipes.is_empty()
    }

    /// Version of the file that was read, 1 or 2.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Records that meant nothing and were left out.
    pub fn invalid(&self) -> usize {
        self.invalid
    }

    /// Records that newer ones of the same pipeline, or of 8,192 others, replaced.
    pub fn superseded(&self) -> usize {
        self.superseded
    }

    /// Bytes of a torn record at the end.
    pub fn torn(&self) -> usize {
        self.torn
    }

    /// Whether the file holds what this writes: nothing was left out and the version is 2.
    pub fn is_clean(&self) -> bool {
        self.version == 2 && self.invalid + self.superseded + self.torn == 0
    }

    /// The recipes in words.
    pub fn summaries(&self) -> impl Iterator<Item = RecipeSummary> {
        let summary = |(recipe, made): (&Recipe, Ingredients)| RecipeSummary {
            key: recipe.key,
            vertex: match made.vertex {
                VertexHalf::Program(name, _) | VertexHalf::Radial(name, ..) => {
                    ContentKey::from_u64(name)
                }
                VertexHalf::Fixed(_) => None,
            },
            pixel: match made.pixel {
                PixelHalf::Program(name, _) => ContentKey::from_u64(name),
                PixelHalf::Fixed(_) => None,
            },
            elements: made.layout.elements.len(),
            primitive: made.primitive as u32,
            samples: made.formats.samples.into(),
            radial_fog: recipe.radial_fog,
        };
        let recipes = self.recipes.iter();
        recipes
            .filter_map(|recipe| Some((recipe, recipe.ingredients()?)))
            .map(summary)
    }

    pub(super) fn recipes(&self) -> &[Recipe] {
        &self.recipes
    }

    pub(super) fn into_recipes(self) -> Vec<Recipe> {
        self.recipes
    }
}
