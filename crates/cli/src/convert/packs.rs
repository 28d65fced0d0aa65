//! Shader packs: `.hvs` files of pixel shaders and what takes their place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ninefold_bytecode::{ContentKey, PackEntry, ShaderCode, ShaderPack, disassemble};
use ninefold_shader::Options;
use ninefold_shader::writers::{self, MslVersion};
use serde::Serialize;

use super::{input, lowered};
use crate::exit::{Exit, WrongUsage};
use crate::output::{keep, print, print_json, replace, write};

/// Build, list, check and take apart shader packs.
///
/// A pack (.hvs) replaces pixel shaders (ps_2_0) by exact match when a program creates them;
/// NINEFOLD_SHADER_PACK names the pack that `replay` and libd3d9.so use.
#[derive(Debug, clap::Args)]
pub(crate) struct PackArgs {
    #[command(subcommand)]
    verb: PackVerb,
}

#[derive(Debug, Subcommand)]
enum PackVerb {
    /// Make a pack of shaders and their replacements.
    Build(BuildArgs),
    /// Show what a pack holds.
    List {
        /// The pack; `-` is standard input.
        file: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check packs: well formed, every shader valid, every replacement translates.
    Check {
        /// The packs; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print a JSON array, one object a pack.
        #[arg(long)]
        json: bool,
    },
    /// Write the shaders of a pack to a folder, from which `build` makes the pack again.
    Extract {
        /// The pack; `-` is standard input.
        file: PathBuf,
        /// The folder.
        #[arg(short, long, value_name = "FOLDER")]
        output: PathBuf,
        /// Write assembly text instead of token streams.
        #[arg(long)]
        text: bool,
    },
}

#[derive(Debug, clap::Args)]
struct BuildArgs {
    /// Pairs of files, ORIGINAL REPLACEMENT, token streams or assembly text (.asm); or one folder
    /// of pairs named NAME.original.bin or .asm and NAME.replacement.bin or .asm.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The pack to write; `-` is standard output.
    #[arg(short, long, value_name = "PACK")]
    output: PathBuf,
}

/// Runs `ninefold pack`.
pub(crate) fn pack(args: &PackArgs) -> Result<Exit> {
    match &args.verb {
        PackVerb::Build(args) => build(args),
        PackVerb::List { file, json } => list(file, *json),
        PackVerb::Check { files, json } => check(files, *json),
        PackVerb::Extract { file, output, text } => extract(file, output, *text),
    }
}

fn open(path: &Path) -> Result<ShaderPack> {
    let bytes = input::read_regular(path)?;
    ShaderPack::parse(&bytes).with_context(|| format!("{} is not a shader pack", input::name(path)))
}

fn build(args: &BuildArgs) -> Result<Exit> {
    let pairs = match &args.files[..] {
        [folder] if folder.is_dir() => pairs_in(folder)?,
        files if files.len().is_multiple_of(2) => files
            .chunks_exact(2)
            .map(|pair| [pair[0].clone(), pair[1].clone()])
            .collect(),
        _ => {
            let why = "pack build wants pairs of files, an original and its replacement each, or \
                       one folder of pairs";
            return Err(WrongUsage(why).into());
        }
    };
    keep(pairs.iter().flatten(), &args.output)?;
    let mut entries = Vec::with_capacity(pairs.len());
    for [original, replacement] in &pairs {
        entries.push(PackEntry {
            original: input::shader(original)?.tokens().into(),
            replacement: input::shader(replacement)?.tokens().into(),
        });
    }
    let pack = ShaderPack::from_entries(entries).map_err(|error| {
        let files = error.entry().and_then(|entry| pairs.get(entry as usize));
        let files = files.map(|[a, b]| format!(" ({}, {})", input::name(a), input::name(b)));
        anyhow::anyhow!("{error}{}", files.unwrap_or_default())
    })?;
    replace(&args.output, &pack.to_bytes())?;
    if args.output != Path::new("-") {
        let (count, name) = (pack.entries().len(), args.output.display());
        print(format!("{name}: {count} {}\n", plural(count)))?;
    }
    Ok(Exit::Success)
}

fn plural(entries: usize) -> &'static str {
    match entries {
        1 => "entry",
        _ => "entries",
    }
}

/// The pairs in a folder, in the order of their names.
fn pairs_in(folder: &Path) -> Result<Vec<[PathBuf; 2]>> {
    let context = || format!("reading {}", folder.display());
    let mut found: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let stem = ["bin", "asm"]
            .iter()
            .find_map(|end| name.strip_suffix(end)?.strip_suffix('.'));
        let roles = [".original", ".replacement"];
        let role = roles
            .iter()
            .enumerate()
            .find_map(|(n, role)| Some((n, stem?.strip_suffix(role)?.to_owned())));
        let Some((role, stem)) = role else { continue };
        if let Some(other) = found.entry(stem).or_default()[role].replace(path.clone()) {
            bail!(
                "{} and {} are the same shader twice",
                other.display(),
                path.display()
            );
        }
    }
    if found.is_empty() {
        bail!(
            "{} holds no NAME.original.bin or .asm with its replacement",
            folder.display()
        );
    }
    found
        .into_iter()
        .map(|(stem, pair)| match pair {
            [Some(original), Some(replacement)] => Ok([original, replacement]),
            [Some(alone), None] => bail!("{} has no {stem}.replacement", alone.display()),
            [None, Some(alone)] => bail!("{} has no {stem}.original", alone.display()),
            [None, None] => unreachable!("made with one of them"),
        })
        .collect()
}

#[derive(Serialize)]
struct ListedShader {
    content_key: String,
    bytes: usize,
}

impl ListedShader {
    fn new(tokens: &[u32]) -> Self {
        Self {
            content_key: ContentKey::of(tokens).to_string(),
            bytes: size_of_val(tokens),
        }
    }
}

#[derive(Serialize)]
struct Listed {
    entry: usize,
    original: ListedShader,
    replacement: ListedShader,
}

fn list(file: &Path, json: bool) -> Result<Exit> {
    let pack = open(file)?;
    let listed: Vec<_> = pack
        .entries()
        .iter()
        .enumerate()
        .map(|(entry, shaders)| Listed {
            entry,
            original: ListedShader::new(&shaders.original),
            replacement: ListedShader::new(&shaders.replacement),
        })
        .collect();
    if json {
        print_json(&listed)?;
        return Ok(Exit::Success);
    }
    let mut text = String::from("entry  original           bytes  replacement        bytes\n");
    for Listed {
        entry,
        original,
        replacement,
    } in &listed
    {
        text += &format!(
            "{entry:5}  {}  {:6}  {}  {:6}\n",
            original.content_key, original.bytes, replacement.content_key, replacement.bytes
        );
    }
    print(text)?;
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct CheckedPack {
    file: String,
    entries: usize,
    /// What is wrong, one line each.
    errors: Vec<String>,
}

fn check(files: &[PathBuf], json: bool) -> Result<Exit> {
    let checked: Vec<_> = files.iter().map(|file| checked(file)).collect();
    let good = checked.iter().all(|pack| pack.errors.is_empty());
    if json {
        print_json(&checked)?;
    } else {
        for pack in &checked {
            for error in &pack.errors {
                print(format!("{}: {error}\n", pack.file))?;
            }
            if pack.errors.is_empty() {
                let (file, count) = (&pack.file, pack.entries);
                print(format!("{file}: {count} {}, all good\n", plural(count)))?;
            }
        }
    }
    Ok(match good {
        true => Exit::Success,
        false => Exit::BadInput,
    })
}

fn checked(file: &Path) -> CheckedPack {
    let mut checked = CheckedPack {
        file: input::name(file).to_string(),
        entries: 0,
        errors: Vec::new(),
    };
    let pack = match input::read_regular(file).map(|bytes| ShaderPack::parse(&bytes)) {
        Ok(Ok(pack)) => pack,
        Ok(Err(error)) => {
            checked.errors.push(format!("not a shader pack: {error}"));
            return checked;
        }
        Err(error) => {
            checked.errors.push(format!("{error:#}"));
            return checked;
        }
    };
    checked.entries = pack.entries().len();
    for (number, entry) in pack.entries().iter().enumerate() {
        let mut fault = |what: String| checked.errors.push(format!("entry {number}: {what}"));
        // A program cannot create the shader either, so that its replacement is never used.
        if let Err(error) = ShaderCode::parse(&entry.original) {
            fault(format!("original: {error}"));
        }
        if entry.original == entry.replacement {
            fault("the replacement is the original".to_owned());
        } else if let Err(error) = translates(&entry.replacement, file) {
            fault(format!("replacement: {error:#}"));
        }
    }
    checked
}

/// Takes a replacement the way that a device does, to the languages that drivers are given.
fn translates(tokens: &[u32], file: &Path) -> Result<()> {
    let code = ShaderCode::parse(tokens)?;
    let translation = lowered(&code, file, &Options::default())?;
    writers::spirv(&translation)?;
    writers::msl_version(&translation, MslVersion::MACOS)?;
    Ok(())
}

fn extract(file: &Path, folder: &Path, text: bool) -> Result<Exit> {
    let pack = open(file)?;
    let extension = if text { "asm" } else { "bin" };
    for (number, entry) in pack.entries().iter().enumerate() {
        let key = ContentKey::of(&entry.original);
        for (role, tokens) in [
            ("original", &entry.original),
            ("replacement", &entry.replacement),
        ] {
            let to = folder.join(format!("{number:03}-{key}.{role}.{extension}"));
            let bytes = match text {
                true => {
                    let code = ShaderCode::parse(tokens)
                        .with_context(|| format!("entry {number}: the {role} is no text"))?;
                    disassemble(&code).into_bytes()
                }
                false => tokens
                    .iter()
                    .flat_map(|token| token.to_le_bytes())
                    .collect(),
            };
            write(&to, &bytes)?;
        }
    }
    let count = pack.entries().len();
    print(format!(
        "{count} {} written to {}\n",
        plural(count),
        folder.display()
    ))?;
    Ok(Exit::Success)
}
