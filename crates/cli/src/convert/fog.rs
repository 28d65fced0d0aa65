//! `ninefold fog`: what radial fog does to vertex shaders.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use ninefold_bytecode::radial_fog::{self, Form, Mode};
use ninefold_bytecode::{ShaderCode, disassemble};
use serde::Serialize;

use super::{apart, input, is_single, mirrored, one, output_folder};
use crate::exit::{Exit, WrongUsage};
use crate::output::{keep, print, print_json, write};
use input::expand;

/// Show what radial fog would do to vertex shaders: the terms that it finds, the temporary it
/// takes, the text before and after; or why a shader is left as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct FogArgs {
    /// Files that hold token streams or assembly text (.asm), or folders of them; `-` is
    /// standard input. Of many shaders a line for each is printed.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Which fog is measured from the eye.
    #[arg(long, value_enum, default_value_t = FogMode::Depth)]
    mode: FogMode,
    /// Where rewritten token streams go: a file, or a folder for many shaders.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Print JSON: an object, or an array for many shaders.
    #[arg(long)]
    json: bool,
}

/// [`Mode`] as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FogMode {
    /// Fog by depth, c6 and c8.
    Depth,
    /// That and c7, a fog plane that lies across the view.
    ViewPlane,
}

impl FogMode {
    fn mode(self) -> Mode {
        match self {
            FogMode::Depth => Mode::Depth,
            FogMode::ViewPlane => Mode::ViewPlane,
        }
    }

    fn name(self) -> &'static str {
        match self {
            FogMode::Depth => "depth",
            FogMode::ViewPlane => "view-plane",
        }
    }
}

#[derive(Serialize)]
struct Told {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_key: Option<String>,
    mode: &'static str,
    /// What was done, when something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    rewrite: Option<Rewrite>,
    /// Why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    declined: Option<String>,
    /// Why the file is no shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Rewrite {
    terms: Vec<Term>,
    /// The temporary that the new instructions use.
    scratch: String,
    tokens_before: usize,
    tokens_after: usize,
    before: String,
    after: String,
    #[serde(skip)]
    stream: Vec<u8>,
}

#[derive(Serialize)]
struct Term {
    constant: String,
    form: &'static str,
    instruction: u32,
    byte_offset: u32,
}

fn rewrite(code: &ShaderCode, mode: Mode) -> Result<Rewrite, radial_fog::Declined> {
    let plan = radial_fog::scan(code, mode)?;
    let radial = radial_fog::rewrite(code, mode)?;
    let terms = plan.terms.iter().map(|term| Term {
        constant: format!("c{}", term.constant),
        form: match term.form {
            Form::Dp4 => "dp4",
            Form::Dp3AddW => "dp3, add w",
        },
        instruction: term.instruction.number,
        byte_offset: term.instruction.byte_offset,
    });
    Ok(Rewrite {
        terms: terms.collect(),
        scratch: format!("r{}", plan.scratch),
        tokens_before: code.tokens().len(),
        tokens_after: radial.tokens().len(),
        before: disassemble(code),
        after: disassemble(&radial),
        stream: radial.to_bytes(),
    })
}

/// Runs `ninefold fog`.
pub(crate) fn fog(args: &FogArgs) -> Result<Exit> {
    let single = is_single(&args.files);
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    if args.json && to_stdout {
        let why =
            "--json and the token stream cannot both go to standard output; name a file with -o";
        return Err(WrongUsage(why).into());
    }
    let files = expand(&args.files)?;
    if let Some(output) = args.output.as_deref().filter(|_| !single) {
        output_folder(output)?;
        apart(&args.files, &files)?;
    }
    if let Some(output) = args.output.as_ref().filter(|_| single) {
        keep(&args.files, output)?;
    }
    let mut all = Vec::new();
    let (mut rewritten, mut left, mut bad) = (0usize, 0usize, 0usize);
    for file in &files {
        let told = tell(file, args.mode);
        match (&told.rewrite, &told.error) {
            (Some(rewrite), _) => {
                rewritten += 1;
                if let Some(output) = &args.output {
                    let to = match single {
                        true => output.clone(),
                        false => mirrored(&args.files, file, output, "bin"),
                    };
                    write(&to, &rewrite.stream)?;
                }
            }
            (None, Some(_)) => bad += 1,
            (None, None) => left += 1,
        }
        if args.json {
            all.push(told);
        } else if to_stdout {
            // The stream is all that goes there; what else there is to say is an error's way.
            if told.rewrite.is_none() {
                eprint!("{}", line(file, &told));
            }
        } else {
            print(line(file, &told))?;
            if single && args.output.is_none() {
                print(texts(&told))?;
            }
        }
    }
    match (args.json, single) {
        (true, true) => print_json(&all[0])?,
        (true, false) => print_json(&all)?,
        (false, true) => {}
        (false, false) => print(format!(
            "{rewritten} rewritten, {left} left as they are, {bad} no shaders\n"
        ))?,
    }
    Ok(match bad {
        0 => Exit::Success,
        _ => Exit::BadInput,
    })
}

/// What becomes of the shader in `file`.
fn tell(file: &Path, mode: FogMode) -> Told {
    let mut told = Told {
        file: file.display().to_string(),
        version: None,
        content_key: None,
        mode: mode.name(),
        rewrite: None,
        declined: None,
        error: None,
    };
    match one(file, &|_, _| Ok(super::Extra::default())) {
        (Some(code), Ok(_)) => {
            told.version = Some(code.version().to_string());
            told.content_key = Some(code.key().to_string());
            match rewrite(&code, mode.mode()) {
                Ok(rewrite) => told.rewrite = Some(rewrite),
                Err(declined) => told.declined = Some(declined.to_string()),
            }
        }
        (_, Err(error)) => told.error = Some(error.trim_end().to_owned()),
        (None, Ok(_)) => {}
    }
    told
}

fn line(file: &Path, told: &Told) -> String {
    let name = input::name(file);
    match (&told.rewrite, &told.declined, &told.error) {
        (Some(rewrite), ..) => {
            let mut line = format!("{name}: ");
            for (i, term) in rewrite.terms.iter().enumerate() {
                let Term {
                    constant,
                    form,
                    instruction,
                    byte_offset,
                } = term;
                let comma = if i == 0 { "" } else { "; " };
                let _ = write!(
                    line,
                    "{comma}{constant} by {form} (byte {byte_offset:#x}, instruction {instruction})"
                );
            }
            let (before, after) = (rewrite.tokens_before, rewrite.tokens_after);
            let scratch = &rewrite.scratch;
            let _ = writeln!(line, "; temporary {scratch}, {before} to {after} tokens");
            line
        }
        (_, Some(declined), _) => format!("{name}: left as it is: {declined}\n"),
        (.., Some(error)) => format!("{error}\n"),
        _ => String::new(),
    }
}

fn texts(told: &Told) -> String {
    match &told.rewrite {
        Some(rewrite) => format!("\n; before\n{}\n; after\n{}", rewrite.before, rewrite.after),
        None => String::new(),
    }
}
