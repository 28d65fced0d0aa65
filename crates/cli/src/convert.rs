//! Shader token streams to text and back, to other languages, and checked.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use ninefold_bytecode::{ShaderCode, assemble, disassemble};
use ninefold_shader::{Options, Translation, translate as lower, writers};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{print, print_json};

/// No shader, and no readable text of one, is larger.
const LONGEST_INPUT: u64 = 16 << 20;

/// Write a shader token stream as text.
#[derive(Debug, clap::Args)]
pub(crate) struct DisasmArgs {
    /// A file that holds the token stream; `-` is standard input.
    file: PathBuf,
    /// Where the text goes; standard output by default.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write JSON: version, content key, size, text.
    #[arg(long)]
    json: bool,
}

/// Assemble shader text into a token stream.
#[derive(Debug, clap::Args)]
pub(crate) struct AsmArgs {
    /// A file that holds the text; `-` is standard input.
    file: PathBuf,
    /// Where the token stream goes; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print version, content key and size as JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// Translate a shader token stream into another shading language.
#[derive(Debug, clap::Args)]
pub(crate) struct TranslateArgs {
    /// A file that holds the token stream; `-` is standard input.
    file: PathBuf,
    /// The language to write.
    #[arg(short, long, value_enum)]
    to: Language,
    /// Where the result goes; standard output by default.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Check that shader token streams are well formed and translate to valid modules.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files that hold token streams; `-` is standard input.
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

#[derive(Serialize)]
struct Checked {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    shader: Option<About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
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
            instructions: code.instructions().count(),
            text,
        }
    }
}

/// Runs `ninefold disasm`.
pub(crate) fn disasm(args: &DisasmArgs) -> Result<Exit> {
    let code = shader(&args.file)?;
    let text = disassemble(&code);
    let out = if args.json {
        serde_json::to_string_pretty(&About::new(&code, Some(text)))? + "\n"
    } else {
        text
    };
    write(&args.output, out.as_bytes())?;
    Ok(Exit::Success)
}

/// Runs `ninefold asm`.
pub(crate) fn asm(args: &AsmArgs) -> Result<Exit> {
    let to_stdout = args.output == Path::new("-");
    if args.json && to_stdout {
        bail!("--json and the token stream cannot both go to standard output; name a file with -o");
    }
    let bytes = read(&args.file)?;
    let text = std::str::from_utf8(&bytes)
        .with_context(|| format!("{} is not text", args.file.display()))?;
    // line:column after the file's name, as editors understand it.
    let code = assemble(text).map_err(|e| {
        anyhow::anyhow!(
            "{}:{}:{}: {}",
            args.file.display(),
            e.line,
            e.column,
            e.message
        )
    })?;
    write(&args.output, &code.to_bytes())?;
    if args.json {
        print_json(&About::new(&code, None))?;
    }
    Ok(Exit::Success)
}

/// Runs `ninefold translate`.
pub(crate) fn translate(args: &TranslateArgs) -> Result<Exit> {
    let translation = lowered(&shader(&args.file)?, &args.file)?;
    let bytes = match args.to {
        Language::Spirv => writers::spirv(&translation)?
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .collect(),
        Language::Wgsl => writers::wgsl(&translation)?.into_bytes(),
        Language::Msl => writers::msl(&translation)?.into_bytes(),
        Language::Hlsl => writers::hlsl(&translation)?.into_bytes(),
        Language::Glsl => writers::glsl(&translation)?.into_bytes(),
    };
    write(&args.output, &bytes)?;
    Ok(Exit::Success)
}

/// Runs `ninefold check`: every file is looked at, whatever the ones before it were.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit> {
    let mut checked = Vec::with_capacity(args.files.len());
    for file in &args.files {
        let result = shader(file).and_then(|code| lowered(&code, file).map(|_| code));
        let line = match &result {
            Ok(code) => format!(
                "{}: {}, {} tokens",
                file.display(),
                code.version(),
                code.tokens().len()
            ),
            Err(error) => format!("{error:#}"),
        };
        if !args.json {
            print(format!("{line}\n"))?;
        }
        checked.push(Checked {
            file: file.display().to_string(),
            shader: result.as_ref().ok().map(|code| About::new(code, None)),
            error: result.is_err().then_some(line),
        });
    }
    if args.json {
        print_json(&checked)?;
    }
    let good = checked.iter().all(|file| file.error.is_none());
    Ok(if good { Exit::Success } else { Exit::BadInput })
}

fn shader(path: &Path) -> Result<ShaderCode> {
    ShaderCode::from_bytes(&read(path)?)
        .with_context(|| format!("{} is not a shader", path.display()))
}

fn lowered(code: &ShaderCode, path: &Path) -> Result<Translation> {
    lower(code, &Options::default())
        .with_context(|| format!("translating {} ({})", path.display(), code.version()))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let context = || format!("reading {}", path.display());
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).with_context(context)?)
    };
    let mut bytes = Vec::new();
    input
        .take(LONGEST_INPUT + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > LONGEST_INPUT {
        bail!(
            "{} is larger than {LONGEST_INPUT} bytes, the most a shader can be",
            path.display()
        );
    }
    Ok(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let context = || format!("writing {}", path.display());
    if path == Path::new("-") {
        print(bytes)
    } else {
        std::fs::write(path, bytes).with_context(context)
    }
}
