//! Pipeline manifests: what pipelines a program used, for the next run and for other machines.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ninefold_d3d9::{Manifest, RecipeSummary, files};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{print, print_json, replace};

/// No manifest is larger; one that is full has 9 MB.
const LONGEST: u64 = 64 << 20;

/// Show, verify and merge pipeline manifests (manifest-v2.bin).
///
/// A device records the pipelines that draws use in a folder (NINEFOLD_PIPELINE_CACHE_DIR) and
/// builds them ahead of the draws the next time. Merged from the runs of several people, a manifest
/// can be shipped with a program.
#[derive(Debug, clap::Args)]
pub(crate) struct ManifestArgs {
    #[command(subcommand)]
    verb: ManifestVerb,
}

#[derive(Debug, Subcommand)]
enum ManifestVerb {
    /// List the recipes of a manifest.
    Show {
        /// The manifest, or the folder that it lies in.
        file: PathBuf,
        /// Print a JSON array, one object a recipe.
        #[arg(long)]
        json: bool,
    },
    /// Check that manifests are whole: no record is torn, meaningless or superseded.
    Verify {
        /// The manifests, or their folders.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print a JSON array, one object a manifest.
        #[arg(long)]
        json: bool,
    },
    /// Make one manifest of several; of recipes for one pipeline the last given counts.
    Merge {
        /// The manifests, or their folders.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The manifest to write; `-` is standard output.
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// Runs `ninefold manifest`.
pub(crate) fn run(args: &ManifestArgs) -> Result<Exit> {
    match &args.verb {
        ManifestVerb::Show { file, json } => show(file, *json),
        ManifestVerb::Verify { files, json } => verify(files, *json),
        ManifestVerb::Merge { files, output } => merge(files, output),
    }
}

fn open(path: &Path) -> Result<Manifest> {
    let path = match path.is_dir() {
        true => path.join("manifest-v2.bin"),
        false => path.to_owned(),
    };
    let context = || format!("reading {}", path.display());
    let mut bytes = Vec::new();
    let file = files::open(&path).with_context(context)?;
    file.take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    Manifest::parse(&bytes).with_context(|| format!("{} is not a manifest", path.display()))
}

#[derive(Serialize)]
struct Shown {
    key: String,
    vertex_shader: Option<String>,
    pixel_shader: Option<String>,
    elements: usize,
    primitive: u32,
    samples: u32,
    radial_fog: u32,
}

impl From<RecipeSummary> for Shown {
    fn from(recipe: RecipeSummary) -> Self {
        Shown {
            key: format!("{:016x}", recipe.key),
            vertex_shader: recipe.vertex.map(|key| key.to_string()),
            pixel_shader: recipe.pixel.map(|key| key.to_string()),
            elements: recipe.elements,
            primitive: recipe.primitive,
            samples: recipe.samples,
            radial_fog: recipe.radial_fog,
        }
    }
}

fn show(file: &Path, json: bool) -> Result<Exit> {
    let manifest = open(file)?;
    let shown: Vec<Shown> = manifest.summaries().map(Shown::from).collect();
    if json {
        print_json(&shown)?;
        return Ok(Exit::Success);
    }
    let mut text = format!(
        "version {}, {} recipes\n\
         key               vertex shader     pixel shader      elements  primitive  samples  \
         radial fog\n",
        manifest.version(),
        manifest.len()
    );
    for recipe in &shown {
        let name = |shader: &Option<String>| shader.clone().unwrap_or_else(|| "fixed".into());
        text += &format!(
            "{}  {:16}  {:16}  {:8}  {:9}  {:7}  {:10}\n",
            recipe.key,
            name(&recipe.vertex_shader),
            name(&recipe.pixel_shader),
            recipe.elements,
            recipe.primitive,
            recipe.samples,
            recipe.radial_fog
        );
    }
    print(text)?;
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct Verified {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    version: u32,
    recipes: usize,
    invalid: usize,
    superseded: usize,
    torn_bytes: usize,
    clean: bool,
}

fn verify(files: &[PathBuf], json: bool) -> Result<Exit> {
    let verified: Vec<Verified> = files
        .iter()
        .map(|file| {
            let (manifest, error) = match open(file) {
                Ok(manifest) => (manifest, None),
                Err(error) => (Manifest::default(), Some(format!("{error:#}"))),
            };
            Verified {
                file: file.display().to_string(),
                version: manifest.version(),
                recipes: manifest.len(),
                invalid: manifest.invalid(),
                superseded: manifest.superseded(),
                torn_bytes: manifest.torn(),
                clean: error.is_none() && manifest.is_clean(),
                error,
            }
        })
        .collect();
    if json {
        print_json(&verified)?;
    } else {
        for one in &verified {
            print(match &one.error {
                Some(error) => format!("{error}\n"),
                None if one.clean => format!("{}: {} recipes, whole\n", one.file, one.recipes),
                None => format!(
                    "{}: version {}, {} recipes; left out: {} without meaning, {} superseded, \
                     {} bytes of a torn one\n",
                    one.file, one.version, one.recipes, one.invalid, one.superseded, one.torn_bytes
                ),
            })?;
        }
    }
    Ok(match verified.iter().all(|one| one.clean) {
        true => Exit::Success,
        false => Exit::BadInput,
    })
}

fn merge(files: &[PathBuf], output: &Path) -> Result<Exit> {
    let mut merged = Manifest::default();
    for file in files {
        merged.merge(&open(file)?);
    }
    if merged.is_empty() {
        bail!("there is no recipe in what was named");
    }
    replace(output, &merged.to_bytes())?;
    if output != Path::new("-") {
        let (name, recipes) = (output.display(), merged.len());
        print(format!(
            "{name}: {recipes} recipes of {} files\n",
            files.len()
        ))?;
    }
    Ok(Exit::Success)
}
