//! Where shaders come from: files, folders and standard input; token streams and text.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ninefold_bytecode::{ShaderCode, Version, assemble};
use ninefold_d3d9::files;

use super::caret;

/// No shader, and no readable text of one, is larger.
const LONGEST_INPUT: u64 = 16 << 20;
/// Folders inside one another that are looked into.
const DEEPEST_FOLDER: usize = 32;

/// What messages call `path`: standard input is no file named `-`.
pub(crate) fn name(path: &Path) -> std::path::Display<'_> {
    match path == Path::new("-") {
        true => Path::new("standard input").display(),
        false => path.display(),
    }
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    read_by(path, |path| File::open(path))
}

/// Reads a regular file, or standard input for `-`.
pub(super) fn read_regular(path: &Path) -> Result<Vec<u8>> {
    read_by(path, files::open)
}

fn read_by(path: &Path, open: fn(&Path) -> std::io::Result<File>) -> Result<Vec<u8>> {
    let context = || format!("reading {}", name(path));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(open(path).with_context(context)?)
    };
    let mut bytes = Vec::new();
    input
        .take(LONGEST_INPUT + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > LONGEST_INPUT {
        bail!(
            "{} is larger than {LONGEST_INPUT} bytes, the most a shader can be",
            name(path)
        );
    }
    Ok(bytes)
}

/// Whether bytes begin as a token stream of a version that exists does.
fn is_stream(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk().map(|&first| u32::from_le_bytes(first));
    first.and_then(Version::from_token).is_some()
}

/// Whether a name says that the file holds assembly text.
fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["asm", "vsh", "psh"].contains(&extension))
}

/// Whether assembly could begin so: with a version, or a comment before it.
fn looks_like_text(text: &str) -> bool {
    let start = text.trim_start();
    ["vs", "ps", "VS", "PS", ";", "//"]
        .iter()
        .any(|sign| start.starts_with(sign))
}

/// The shaders that `paths` name: files as they are, and of folders every file below that is a
/// token stream or assembly text, in order.
pub(super) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            walk(path, 0, &mut found)?;
            if found.len() == before {
                bail!("{} holds no shader", path.display());
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("reading {}", folder.display());
    let mut entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .with_context(context)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link is not followed: it may lead in a circle.
        let kind = entry.file_type().with_context(context)?;
        if kind.is_dir() && depth < DEEPEST_FOLDER {
            walk(&path, depth + 1, found)?;
        } else if kind.is_file() && (is_text(&path) || begins_as_stream(&path)) {
            found.push(path);
        }
    }
    Ok(())
}

fn begins_as_stream(path: &Path) -> bool {
    let mut first = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && is_stream(&first)
}

/// Text without the byte order mark that Windows editors begin UTF-8 files with.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// The text in the bytes of `path`.
pub(crate) fn text(bytes: Vec<u8>, path: &Path) -> Result<String> {
    let text = String::from_utf8(bytes).with_context(|| format!("{} is not text", name(path)))?;
    Ok(match unmarked(&text) {
        rest if rest.len() < text.len() => rest.to_owned(),
        _ => text,
    })
}

/// What was read: a token stream that may not be valid, or text.
pub(super) enum Source {
    /// Tokens, whatever they hold.
    Tokens(Vec<u8>),
    /// Assembly text.
    Text(String),
}

impl Source {
    /// Reads `path`; text is told by its name, or on standard input by what it holds.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let bytes = read(path)?;
        if is_text(path) {
            return text(bytes, path).map(Source::Text);
        }
        let unnamed = path == Path::new("-") && !is_stream(&bytes);
        Ok(match std::str::from_utf8(&bytes) {
            Ok(found) if unnamed && looks_like_text(unmarked(found)) => {
                Source::Text(text(bytes, path)?)
            }
            _ => Source::Tokens(bytes),
        })
    }

    /// The shader; of a fault in tokens, the lines around it are shown.
    pub(super) fn shader(&self, path: &Path) -> Result<ShaderCode> {
        match self {
            Source::Tokens(bytes) => ShaderCode::from_bytes(bytes).map_err(|error| {
                let listing = caret::listing(bytes, &error);
                let message = format!("{} is not a shader: {error}\n{listing}", name(path));
                anyhow::Error::msg(message.trim_end().to_owned())
            }),
            // line:column after the file's name, as editors understand it.
            Source::Text(text) => assemble(text).map_err(|e| {
                anyhow::anyhow!("{}:{}:{}: {}", name(path), e.line, e.column, e.message)
            }),
        }
    }
}

/// Reads and checks the shader in a file.
pub(crate) fn shader(path: &Path) -> Result<ShaderCode> {
    Source::open(path)?.shader(path)
}
