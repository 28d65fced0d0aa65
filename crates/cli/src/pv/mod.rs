//! `ninefold pv`: a vertex shader run over vertices, on the CPU, as `ProcessVertices` runs it.

mod constants;
mod csv;
mod elements;
mod results;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use ninefold_bytecode::{ShaderCode, Stage};
use ninefold_exec::element::{Column, ElementType};
use ninefold_exec::limits::GROUP;
use ninefold_exec::{
    Constants, GroupRegister, Input, Machine, NoTextures, Options, Program, check_processed,
};

use crate::convert::input;
use crate::exit::{Exit, WrongUsage};
use crate::output::{keep, write};
use elements::Elements;
use results::Results;

/// Bytes of vertices that are read.
const MOST_BYTES: u64 = 1 << 30;

const ABOUT: &str = r#"Run a vertex shader over vertices on the CPU and print what it writes.

Vertices come as text with commas, whose first line names a column for each component, or as
the bytes of a vertex buffer, whose layout --elements, --decl or --fvf gives:

    ninefold pv skin.asm --vertices corners.csv --constants bones.json
    ninefold pv skin.bin --vertices mesh.bin -o out.csv --count 100 --start 50 \
        --elements "position float3, normal float3, texcoord0 float2, blendindices ubyte4n"

Columns are called position.x, texcoord1.y and so on, or v0.x for registers. Elements are a
usage, its number if it is not 0, a type, and @offset where it does not follow the one before;
`stride 44` gives the bytes of a vertex. A file of constants is JSON: "c", "i" and "b", each an
array from register 0 on or an object by number:

    { "c": { "0": [1, 0, 0, 0], "5": [0, 0, 0, 0.25] }, "i": [[4, 0, 1, 0]], "b": { "2": true } }

Rules are those of ProcessVertices: a vs_1_x that addresses constants that there are not fails;
textures are opaque black."#;

/// Run a vertex shader over vertices on the CPU and print what it writes.
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT)]
pub(crate) struct PvArgs {
    /// The shader: a token stream, or assembly text (.asm); `-` is standard input.
    shader: PathBuf,
    /// The vertices: text with commas (.csv, or no layout given), or bytes; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    vertices: PathBuf,
    /// The layout of the bytes of a vertex, as text.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["decl", "fvf"])]
    elements: Option<String>,
    /// A file with the layout, an element a line.
    #[arg(long, value_name = "FILE", conflicts_with = "fvf")]
    decl: Option<PathBuf>,
    /// The layout as an FVF code, decimal or 0x112.
    #[arg(long, value_name = "CODE", value_parser = fvf_code)]
    fvf: Option<u32>,
    /// Constants, as JSON.
    #[arg(long, value_name = "FILE")]
    constants: Option<PathBuf>,
    /// The first vertex to run, counted from 0.
    #[arg(long, default_value_t = 0)]
    start: usize,
    /// How many vertices to run; all that follow by default.
    #[arg(long)]
    count: Option<usize>,
    /// What is written: a table for people, text with commas, JSON, or 32-bit floats, those of
    /// one vertex after the other. By default what the name of --output says, else a table.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write JSON.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Where the results go.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
    Bin,
}

fn fvf_code(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "expected a number such as 274 or 0x112".to_owned())
}

impl PvArgs {
    fn format(&self) -> Format {
        let extension = self.output.extension().and_then(|e| e.to_str());
        match (self.json, self.format, extension) {
            (true, ..) => Format::Json,
            (_, Some(format), _) => format,
            (.., Some("csv")) => Format::Csv,
            (.., Some("json")) => Format::Json,
            (.., Some("bin")) => Format::Bin,
            _ => Format::Table,
        }
    }

    /// The layout of vertices that are bytes.
    fn layout(&self) -> Result<Option<Elements>> {
        Ok(match (&self.elements, &self.decl, self.fvf) {
            (Some(text), ..) => Some(Elements::parse(text, "--elements")?),
            (_, Some(path), _) => {
                let text = input::text(input::read(path)?, path)?;
                Some(Elements::parse(&text, &input::name(path).to_string())?)
            }
            (.., Some(code)) => Some(Elements::of_fvf(code)),
            _ => None,
        })
    }
}

/// Where the vertices come from.
enum Source {
    Bytes { bytes: Vec<u8>, elements: Elements },
    Text(csv::Table),
}

impl Source {
    fn open(args: &PvArgs) -> Result<Self> {
        let bytes = read(&args.vertices)?;
        let name = input::name(&args.vertices).to_string();
        let is_csv = args.vertices.extension().is_some_and(|e| e == "csv");
        match args.layout()? {
            Some(_) if is_csv => {
                let why = "vertices in a .csv file have names, and no --elements, --decl or --fvf";
                Err(WrongUsage(why).into())
            }
            Some(elements) => {
                let more = elements.left_over(bytes.len());
                if more != 0 {
                    let stride = elements.stride;
                    eprintln!(
                        "ninefold: {name}: the last {more} bytes are no whole vertex of {stride} bytes"
                    );
                }
                Ok(Source::Bytes { bytes, elements })
            }
            None => {
                let text = String::from_utf8(bytes).ok().with_context(|| {
                    format!(
                        "{name} is not text: vertices that are bytes need --elements, --decl or --fvf"
                    )
                })?;
                Ok(Source::Text(csv::Table::parse(&text, &name)?))
            }
        }
    }

    fn count(&self) -> usize {
        match self {
            Source::Bytes { bytes, elements } => elements.vertices_in(bytes.len()),
            Source::Text(table) => table.rows(),
        }
    }

    /// Fills an input register with `count` vertices from `first` on.
    fn fill(&self, input: &Input, first: usize, count: usize, to: &mut GroupRegister) {
        match self {
            Source::Bytes { bytes, elements } => {
                if let Some(element) = elements.find(input) {
                    let start = element.offset.min(bytes.len());
                    let column = Column {
                        bytes: &bytes[start..],
                        stride: elements.stride,
                        ty: element.ty,
                    };
                    column.from(first).fill(count, input.mask.bits(), to);
                }
            }
            Source::Text(table) => table.fill(input, first, count, to),
        }
    }

    /// Fails for an input that there are no values for.
    fn has(&self, input: &Input) -> Result<()> {
        let found = match self {
            Source::Bytes { elements, .. } => elements.find(input).is_some(),
            Source::Text(table) => table.has(input),
        };
        if found {
            return Ok(());
        }
        let place = input.place;
        match input.semantic {
            Some((usage, index)) => bail!(
                "the shader reads v{place}, {}, which the vertices do not have",
                elements::semantic_name(usage, index)
            ),
            None => bail!("the shader reads v{place}, which the vertices do not have"),
        }
    }
}

/// Reads vertices.
fn read(path: &Path) -> Result<Vec<u8>> {
    let context = || format!("reading {}", input::name(path));
    let from: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(std::io::stdin()),
        false => Box::new(File::open(path).with_context(context)?),
    };
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("{} is larger than {MOST_BYTES} bytes", input::name(path));
    }
    Ok(bytes)
}

/// Runs `ninefold pv`.
pub(crate) fn run(args: &PvArgs) -> Result<Exit> {
    let inputs = [Some(&args.shader), Some(&args.vertices), args.decl.as_ref()];
    let inputs = inputs.into_iter().chain([args.constants.as_ref()]);
    let inputs: Vec<&PathBuf> = inputs.flatten().collect();
    let piped = inputs.iter().filter(|path| **path == Path::new("-"));
    if piped.count() > 1 {
        return Err(WrongUsage("only one file can be standard input").into());
    }
    keep(inputs, &args.output)?;
    let code = input::shader(&args.shader)?;
    let program = compiled(&code, &args.shader)?;
    let source = Source::open(args)?;
    let constants = match &args.constants {
        Some(path) => constants::read(path, code.version())?,
        None => constants::Values::of(code.version()),
    };
    for input in program.inputs().iter().filter(|input| input.read) {
        source.has(input)?;
    }
    let there = source.count();
    let Some(rest) = there.checked_sub(args.start) else {
        bail!("--start {}: there are {there} vertices", args.start);
    };
    let count = args.count.unwrap_or(rest);
    if count > rest {
        bail!("--count {count}: there are {rest} vertices from --start on");
    }
    let mut results = Results::new(&program, args.format(), args.start, count);
    let mut machine = Machine::new();
    let lists = Constants {
        floats: &constants.floats,
        ints: &constants.ints,
        bools: &constants.bools,
        bump: &[],
    };
    let end = args.start + count;
    for first in (args.start..end).step_by(GROUP) {
        let n = GROUP.min(end - first);
        let mut group = program.group(&mut machine, n)?;
        for input in program.inputs() {
            if let Some(register) = group.input(input.place.into()) {
                source.fill(input, first, n, register);
            }
        }
        group
            .run(&lists, &mut NoTextures)
            .with_context(|| vertices_named(first, n))?;
        results.add(&group, n);
    }
    write(&args.output, &results.finish()?)?;
    Ok(Exit::Success)
}

fn vertices_named(first: usize, n: usize) -> String {
    match n {
        1 => format!("vertex {first}"),
        _ => format!("vertices {first} to {}", first + n - 1),
    }
}

fn compiled(code: &ShaderCode, path: &Path) -> Result<Program> {
    let version = code.version();
    if version.stage != Stage::Vertex {
        bail!(
            "{} is a {version}, expected a vertex shader",
            input::name(path)
        );
    }
    check_processed(code)?;
    let options = Options {
        strict_addresses: version.major == 1,
        ..Options::default()
    };
    let program = Program::compile(code, &options);
    if let Some(place) = program.undeclared_input() {
        bail!("the shader reads v{place} and does not declare it, though it declares others");
    }
    if !program.samplers().is_empty() {
        eprintln!("ninefold: the shader samples textures, which are opaque black here");
    }
    Ok(program)
}

/// The name that declarations and columns have for a type.
fn type_name(ty: ElementType) -> &'static str {
    use ElementType as T;
    match ty {
        T::Float1 => "float1",
        T::Float2 => "float2",
        T::Float3 => "float3",
        T::Float4 => "float4",
        T::Color => "d3dcolor",
        T::UByte4 => "ubyte4",
        T::Short2 => "short2",
        T::Short4 => "short4",
        T::UByte4N => "ubyte4n",
        T::Short2N => "short2n",
        T::Short4N => "short4n",
        T::UShort2N => "ushort2n",
        T::UShort4N => "ushort4n",
        T::UDec3 => "udec3",
        T::Dec3N => "dec3n",
        T::Half2 => "float16_2",
        T::Half4 => "float16_4",
    }
}
