//! Shader packs: pixel shaders that take the place of a program's own when it creates them.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use ninefold_bytecode::limits::MAX_PACK_BYTES;
use ninefold_bytecode::{ContentKey, PackEntry, ShaderPack};
use ninefold_renderer::files;

/// Reads a pack for [`DeviceSettings::shader_pack`](crate::DeviceSettings::shader_pack). A file
/// that cannot be read, or is no pack, is said in the log, and programs keep their shaders.
pub fn load_shader_pack(path: &Path) -> Option<Arc<ShaderPack>> {
    let mut bytes = Vec::new();
    let read = files::open(path)
        .and_then(|file| file.take(MAX_PACK_BYTES as u64 + 1).read_to_end(&mut bytes));
    let why = match read.map(|_| ShaderPack::parse(&bytes)) {
        Ok(Ok(pack)) => {
            let entries = pack.entries().len();
            tracing::info!(target: "ninefold::shader_mod", path = %path.display(), entries, "loaded");
            return Some(Arc::new(pack));
        }
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::warn!(
        target: "ninefold::shader_mod",
        path = %path.display(),
        why,
        "invalid pack; using originals"
    );
    None
}

/// The pack of a device.
pub(crate) struct Replacements {
    pack: Option<Arc<ShaderPack>>,
    /// Bit n: that entry n was applied is in the log. A pack has 128 entries at most.
    said: u128,
}

impl Replacements {
    pub(crate) fn new(pack: Option<Arc<ShaderPack>>) -> Self {
        Self { pack, said: 0 }
    }

    /// The entry whose replacement is created in place of `tokens`, which may go on after their end token.
    pub(crate) fn of(&mut self, tokens: &[u32]) -> Option<PackEntry> {
        let pack = self.pack.as_ref()?;
        // An original ends with its end token, so no longer stream starts with it.
        let starts = |original: &[u32]| tokens.starts_with(original);
        let number = pack.entries().iter().position(|e| starts(&e.original))?;
        let entry = &pack.entries()[number];
        let bit = 1 << number;
        if self.said & bit == 0 {
            self.said |= bit;
            tracing::info!(
                target: "ninefold::shader_mod",
                entry = number,
                original = %ContentKey::of(&entry.original),
                replacement = %ContentKey::of(&entry.replacement),
                "applied"
            );
        }
        Some(entry.clone())
    }
}
