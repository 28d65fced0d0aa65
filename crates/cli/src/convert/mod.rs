//! Shader token streams to text and back, to other languages, and checked: one file, many, or
//! whole folders.

mod caret;
mod fog;
pub(crate) mod input;
mod packs;
mod reflect;
mod summary;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use ninefold_bytecode::{ShaderCode, Stage, disassemble};
use ninefold_shader::writers::{self, ApplePlatform, MslVersion};
use ninefold_shader::{Options, Translation, translate as lower};
use serde::Serialize;

use crate::exit::{Exit, WrongUsage, text_of};
use crate::output::{keep, make_folder, print, print_json, write};
pub(crate) use fog::{FogArgs, fog};
use input::{Source, expand, shader};
pub(crate) use packs::{PackArgs, pack};
use reflect::Reflected;
use summary::Summary;

/// Write shader token streams as text.
#[derive(Debug, clap::Args)]
pub(crate) struct DisasmArgs {
    /// Files that hold token streams, or folders of them; `-` is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the text goes: a file (standard output by default), or a folder for many shaders.
    #[arg(short, long, value_name = "PATH", default_value = "-")]
    output: PathBuf,
    /// Write JSON: version, content key, size, text; of many shaders an array, with their names and
    /// what is wrong with those that are none.
    #[arg(long)]
    json: bool,
}

/// Assemble shader text into token streams.
#[derive(Debug, clap::Args)]
pub(crate) struct AsmArgs {
    /// Files that hold text, or folders of them; `-` is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the token stream goes: a file (`-` is standard output), or a folder for many.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Print version, content key and size as JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// Translate shaders into another shading language.
#[derive(Debug, clap::Args)]
pub(crate) struct TranslateArgs {
    /// Files that hold token streams or assembly text (.asm), or folders of them; `-` is
    /// standard input. Of many shaders a table of counts is printed.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The language to write.
    #[arg(short, long, value_enum)]
    to: Language,
    /// Where the result goes: a file (standard output by default), or a folder for many
    /// shaders, which are only tried when there is none.
    #[arg(short, long, value_name = "PATH", default_value = "-")]
    output: PathBuf,
    /// Print as JSON where each constant register, attribute, texture and sampler is bound,
    /// with the text when it goes nowhere else.
    #[arg(long)]
    reflect: bool,
    /// Print JSON, one object a shader.
    #[arg(long)]
    json: bool,
    /// Metal's language version: macos2.1 (the default), ios2.4, visionos3.1 and the like.
    #[arg(long, value_name = "PLATFORM", value_parser = msl_version)]
    msl: Option<MslVersion>,
    /// The ps_3_0 shader that vertex shaders will be drawn with, so that they write what it reads
    /// beyond COLOR0-1, TEXCOORD0-7 and FOG0.
    #[arg(long, value_name = "PIXEL_SHADER")]
    link: Option<PathBuf>,
}

/// Check that shaders are well formed and translate to valid modules.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files that hold token streams or assembly text (.asm), or folders of them; `-` is
    /// standard input. Of many shaders a table of counts is printed.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print a JSON array, one object a file.
    #[arg(long)]
    json: bool,
}

/// What `translate` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// SPIR-V words, little-endian.
    Spirv,
    /// WebGPU Shading Language.
    Wgsl,
    /// Metal Shading Language.
    Msl,
    /// High-Level Shader Language.
    Hlsl,
    /// OpenGL Shading Language.
    Glsl,
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Language::Spirv => "spv",
            Language::Wgsl => "wgsl",
            Language::Msl => "metal",
            Language::Hlsl => "hlsl",
            Language::Glsl => "glsl",
        }
    }

    fn write(self, translation: &Translation, msl: MslVersion) -> Result<Vec<u8>> {
        Ok(match self {
            Language::Spirv => writers::spirv(translation)?
                .into_iter()
                .flat_map(u32::to_le_bytes)
                .collect(),
            Language::Wgsl => writers::wgsl(translation)?.into_bytes(),
            Language::Msl => writers::msl_version(translation, msl)?.into_bytes(),
            Language::Hlsl => writers::hlsl(translation)?.into_bytes(),
            Language::Glsl => writers::glsl(translation)?.into_bytes(),
        })
    }
}

/// `macos2.1`, `ios2.4`, `visionos3.1`; a platform alone is the least version it needs.
fn msl_version(text: &str) -> Result<MslVersion, String> {
    let digits = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    let (platform, version) = text.split_at(digits);
    let platform = match platform.to_ascii_lowercase().as_str() {
        "macos" => ApplePlatform::MacOs,
        "ios" => ApplePlatform::Ios,
        "visionos" => ApplePlatform::VisionOs,
        _ => return Err("expected macos, ios or visionos and a version, as in ios2.4".into()),
    };
    if version.is_empty() {
        return Ok(MslVersion::least(platform));
    }
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    match (major.parse(), minor.parse()) {
        (Ok(major), Ok(minor)) => Ok(MslVersion::new(platform, major, minor)),
        _ => Err(format!("{version} is not a version such as 2.4")),
    }
}

#[derive(Serialize)]
struct Checked {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    shader: Option<About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reflection: Option<Reflected>,
    /// The translation, when it is text and goes nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Checked {
    fn failed(path: &Path, error: String) -> Self {
        Checked {
            file: path.display().to_string(),
            shader: None,
            error: Some(error.trim_end().to_owned()),
            reflection: None,
            text: None,
        }
    }
}

#[derive(Serialize)]
struct About {
    version: String,
    content_key: String,
    tokens: usize,
    instructions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl About {
    fn new(code: &ShaderCode, text: Option<String>) -> Self {
        Self {
            version: code.version().to_string(),
            content_key: code.key().to_string(),
            tokens: code.tokens().len(),
            instructions: code.instruction_count(),
            text,
        }
    }
}

/// One of many shaders.
#[derive(Serialize)]
struct Named {
    file: String,
    #[serde(flatten)]
    about: Option<About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Named {
    fn new(file: &Path, about: Result<About, &anyhow::Error>) -> Self {
        let error = about.as_ref().err().map(|error| text_of(error));
        Self {
            file: file.display().to_string(),
            about: about.ok(),
            error,
        }
    }

    fn exit(all: &[Self]) -> Exit {
        match all.iter().all(|one| one.error.is_none()) {
            true => Exit::Success,
            false => Exit::BadInput,
        }
    }
}

/// Whether `paths` mean one shader, whose result goes to one file.
fn is_single(paths: &[PathBuf]) -> bool {
    matches!(paths, [path] if !path.is_dir())
}

/// Where the result for `shader` goes below the folder `output`: its path below the folder
/// that was named, with another extension.
fn mirrored(paths: &[PathBuf], shader: &Path, output: &Path, extension: &str) -> PathBuf {
    let below = paths.iter().find_map(|root| shader.strip_prefix(root).ok());
    let below = below.filter(|below| !below.as_os_str().is_empty());
    let below = below
        .or(shader.file_name().map(Path::new))
        .unwrap_or(shader);
    let mut name = below.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    output.join(name)
}

/// Refuses shaders whose results would replace one another's: `a/x.vso b/x.vso -o out`.
fn apart(paths: &[PathBuf], files: &[PathBuf]) -> Result<()> {
    let mut places = HashMap::new();
    for file in files {
        let place = mirrored(paths, file, Path::new(""), "");
        if let Some(other) = places.insert(place, file) {
            bail!(
                "the results for {} and {} would go to one file",
                input::name(other),
                input::name(file)
            );
        }
    }
    Ok(())
}

/// Refuses to write many results to standard output.
fn output_folder(output: &Path) -> Result<&Path> {
    if output == Path::new("-") {
        let why = "many shaders need a folder for their results; name one with -o";
        return Err(WrongUsage(why).into());
    }
    Ok(output)
}

/// Writes each file's result below a folder, and says how many; those that have none are told
/// of and do not keep the others from theirs.
fn write_all(
    paths: &[PathBuf],
    files: &[PathBuf],
    folder: &Path,
    extension: &str,
    mut result: impl FnMut(&Path) -> Result<Vec<u8>>,
) -> Result<(String, Exit)> {
    let mut bad = 0;
    make_folder(folder)?;
    for file in files {
        let written =
            result(file).and_then(|bytes| write(&mirrored(paths, file, folder, extension), &bytes));
        if let Err(error) = written {
            bad += 1;
            // That nobody reads it keeps no shader from its result either.
            let _ = writeln!(std::io::stderr(), "ninefold: {}", text_of(&error));
        }
    }
    let (good, below) = (files.len() - bad, folder.display());
    Ok(match bad {
        0 => (
            format!("{good} shaders written below {below}\n"),
            Exit::Success,
        ),
        _ => (
            format!("{good} shaders written below {below}, {bad} not\n"),
            Exit::BadInput,
        ),
    })
}

/// Runs `ninefold disasm`.
pub(crate) fn disasm(args: &DisasmArgs) -> Result<Exit> {
    let about = |path: &Path| -> Result<(String, About)> {
        let code = shader(path)?;
        let text = disassemble(&code);
        let about = About::new(&code, Some(text.clone()));
        Ok((text, about))
    };
    if is_single(&args.files) {
        keep(&args.files, &args.output)?;
        let (text, about) = about(&args.files[0])?;
        let out = match args.json {
            true => json_line(&about)?,
            false => text,
        };
        write(&args.output, out.as_bytes())?;
        return Ok(Exit::Success);
    }
    let files = expand(&args.files)?;
    if args.json {
        let one = |file: &PathBuf| match about(file) {
            Ok((_, about)) => Named::new(file, Ok(about)),
            Err(error) => Named::new(file, Err(&error)),
        };
        let all: Vec<Named> = files.iter().map(one).collect();
        write(&args.output, json_line(&all)?.as_bytes())?;
        return Ok(Named::exit(&all));
    }
    let folder = output_folder(&args.output)?;
    apart(&args.files, &files)?;
    let (said, exit) = write_all(&args.files, &files, folder, "asm", |file| {
        Ok(about(file)?.0.into_bytes())
    })?;
    print(said)?;
    Ok(exit)
}

/// Runs `ninefold asm`.
pub(crate) fn asm(args: &AsmArgs) -> Result<Exit> {
    let to_stdout = args.output == Path::new("-");
    if args.json && to_stdout {
        let why =
            "--json and the token stream cannot both go to standard output; name a file with -o";
        return Err(WrongUsage(why).into());
    }
    let assembled = |path: &Path| -> Result<ShaderCode> {
        let text = input::text(input::read(path)?, path)?;
        Source::Text(text).shader(path)
    };
    if is_single(&args.files) {
        keep(&args.files, &args.output)?;
        let code = assembled(&args.files[0])?;
        write(&args.output, &code.to_bytes())?;
        if args.json {
            print_json(&About::new(&code, None))?;
        }
        return Ok(Exit::Success);
    }
    let files = expand(&args.files)?;
    let folder = output_folder(&args.output)?;
    apart(&args.files, &files)?;
    let mut all = Vec::with_capacity(files.len());
    let (said, exit) = write_all(&args.files, &files, folder, "bin", |file| {
        let code = assembled(file);
        let about = code.as_ref().map(|code| About::new(code, None));
        all.push(Named::new(file, about));
        Ok(code?.to_bytes())
    })?;
    match args.json {
        true => print_json(&all)?,
        false => print(said)?,
    }
    Ok(exit)
}

/// Runs `ninefold translate`.
pub(crate) fn translate(args: &TranslateArgs) -> Result<Exit> {
    let msl = args.msl.unwrap_or(MslVersion::MACOS);
    let to_stdout = args.output == Path::new("-");
    let mut options = Options::default();
    if let Some(partner) = &args.link {
        let code = shader(partner)?;
        if code.version().stage != Stage::Pixel {
            let (name, version) = (input::name(partner), code.version());
            bail!("--link expects a pixel shader, {name} is {version}");
        }
        let partner = lowered(&code, partner, &options)?;
        options.link = partner.reflection.link;
    }
    if is_single(&args.files) {
        keep(&args.files, &args.output)?;
    }
    if is_single(&args.files) && !args.json {
        let path = &args.files[0];
        let translation = lowered(&shader(path)?, path, &options)?;
        let bytes = args.to.write(&translation, msl)?;
        if args.reflect {
            let text = to_stdout
                .then(|| String::from_utf8(bytes.clone()).ok())
                .flatten();
            #[derive(Serialize)]
            struct Both {
                #[serde(flatten)]
                reflection: Reflected,
                #[serde(skip_serializing_if = "Option::is_none")]
                text: Option<String>,
            }
            let reflection = Reflected::new(&translation);
            print_json(&Both { reflection, text })?;
        }
        if !args.reflect || !to_stdout {
            write(&args.output, &bytes)?;
        }
        return Ok(Exit::Success);
    }
    let files = expand(&args.files)?;
    if !to_stdout {
        apart(&args.files, &files)?;
        if !is_single(&args.files) {
            make_folder(&args.output)?;
        }
    }
    run_all(&files, args.json, |file, code| {
        let translation = lowered(code, file, &options)?;
        let bytes = args.to.write(&translation, msl)?;
        if !to_stdout {
            let to = match is_single(&args.files) {
                true => args.output.clone(),
                false => mirrored(&args.files, file, &args.output, args.to.extension()),
            };
            write(&to, &bytes)?;
        }
        let text = (to_stdout && args.json).then(|| String::from_utf8(bytes).ok());
        Ok(Extra {
            reflection: args.reflect.then(|| Reflected::new(&translation)),
            text: text.flatten(),
        })
    })
}

/// Runs `ninefold check`: every file is looked at, whatever the ones before it were.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit> {
    let files = expand(&args.files)?;
    run_all(&files, args.json, |file, code| {
        lowered(code, file, &Options::default()).map(|_| Extra::default())
    })
}

/// What a verb adds to a shader's JSON.
#[derive(Default)]
struct Extra {
    reflection: Option<Reflected>,
    text: Option<String>,
}

/// Does `work` for every shader, and prints a line, or JSON, for each; for many a table follows.
fn run_all(
    files: &[PathBuf],
    json: bool,
    work: impl Fn(&Path, &ShaderCode) -> Result<Extra>,
) -> Result<Exit> {
    let many = files.len() > 8;
    let mut summary = Summary::default();
    let mut checked = Vec::new();
    for file in files {
        let (code, result) = one(file, &work);
        let version = code.as_ref().map(|code| code.version().to_string());
        match (code, result) {
            (Some(code), Ok(extra)) => {
                let about = About::new(&code, None);
                summary.good(&about.version, about.tokens, about.instructions);
                if json {
                    checked.push(Checked {
                        file: file.display().to_string(),
                        shader: Some(about),
                        error: None,
                        reflection: extra.reflection,
                        text: extra.text,
                    });
                } else if !many {
                    let (version, tokens) = (&about.version, about.tokens);
                    print(format!(
                        "{}: {version}, {tokens} tokens\n",
                        input::name(file)
                    ))?;
                }
            }
            (_, Err(message)) => {
                summary.bad(version.as_deref());
                match json {
                    true => checked.push(Checked::failed(file, message)),
                    false => print(format!("{}\n", message.trim_end()))?,
                }
            }
            (None, Ok(_)) => {}
        }
    }
    if json {
        print_json(&checked)?;
    } else if many {
        print(summary.table())?;
    }
    Ok(match summary.is_clean() {
        true => Exit::Success,
        false => Exit::BadInput,
    })
}

/// The shader in `file`, as far as it reads, and what came of it; a failure with its place shown.
fn one(
    file: &Path,
    work: &impl Fn(&Path, &ShaderCode) -> Result<Extra>,
) -> (Option<ShaderCode>, Result<Extra, String>) {
    let source = match Source::open(file) {
        Ok(source) => source,
        Err(error) => return (None, Err(format!("{error:#}"))),
    };
    match source.shader(file) {
        Ok(code) => {
            let result = work(file, &code).map_err(|error| format!("{error:#}"));
            (Some(code), result)
        }
        Err(error) => (None, Err(format!("{error:#}"))),
    }
}

fn lowered(code: &ShaderCode, path: &Path, options: &Options) -> Result<Translation> {
    lower(code, options)
        .with_context(|| format!("translating {} ({})", input::name(path), code.version()))
}

fn json_line(value: &impl Serialize) -> Result<String> {
    let mut json = serde_json::to_string_pretty(value)?;
    json.push('\n');
    Ok(json)
}
