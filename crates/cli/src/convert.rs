//! `ninefold disasm` and `ninefold asm`: shader token streams to text and back.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ninefold_bytecode::{ShaderCode, assemble, disassemble};
use serde::Serialize;

use crate::exit::Exit;

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
    let bytes = read(&args.file)?;
    let code = ShaderCode::from_bytes(&bytes)
        .with_context(|| format!("{} is not a shader", args.file.display()))?;
    let text = disassemble(&code);
    let out = if args.json {
        let mut json = serde_json::to_string_pretty(&About::new(&code, Some(text)))?;
        json.push('\n');
        json
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
        println!(
            "{}",
            serde_json::to_string_pretty(&About::new(&code, None))?
        );
    }
    Ok(Exit::Success)
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
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)
            .and_then(|()| out.flush())
            .with_context(context)
    } else {
        std::fs::write(path, bytes).with_context(context)
    }
}
