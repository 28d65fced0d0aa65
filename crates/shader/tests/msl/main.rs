//! Runs the case files of `tests/cases` as Metal Shading Language: all functions are compiled as
//! C++ under the stand-in for Apple's headers, and a child process calls them. Each is run as the
//! text that tools get and as the text that `wgpu-hal` gets, with what each slot holds then.

mod bind;
#[allow(dead_code)]
#[path = "../../../../tests/support/blocks.rs"]
mod blocks;
#[allow(dead_code)]
#[path = "../../../../tests/support/case.rs"]
mod case;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../../tests/support/compare.rs"]
mod compare;
mod fixed;
#[path = "../common/slots.rs"]
mod slots;
#[allow(dead_code)]
#[path = "../targets/tools.rs"]
mod tools;

use bind::Places;
use bytemuck::{Pod, Zeroable};
use case::{Case, Expected, Picture, Row};
use compare::compare;
use ninefold_bytecode::assemble;
use ninefold_shader::writers::{self, MslVersion};
use ninefold_shader::{Stage, Translation, translate};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Rows of large constants in a request.
const LARGE_ROWS: usize = 320;

/// `Request` of `driver.hpp`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Request {
    function: u32,
    pictures: [u32; 16],
    reserved: [u32; 3],
    constants: [[f32; 4]; 256],
    extras: [[f32; 4]; 180],
    values: [[f32; 4]; 32],
    position: [f32; 4],
    large: [[u32; 4]; LARGE_ROWS],
}

/// `Answer` of `driver.hpp`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Answer {
    killed: u32,
    reserved: [u32; 3],
    values: [[f32; 4]; 32],
    position: [f32; 4],
    depth: [f32; 4],
    point_size: [f32; 4],
}

/// A function that can be run.
struct Function {
    name: String,
    translation: Translation,
    msl: String,
    places: Places,
}

/// A case that this runner can run.
struct Ready {
    case: Case,
    function: Function,
}

/// Whose text is run.
#[derive(Clone, Copy)]
enum Reader {
    /// [`writers::msl`].
    Tools,
    /// [`writers::msl_with_slots`].
    Driver,
}

/// A function as text, with what its slots hold.
fn written(name: &str, translation: Translation, reader: Reader) -> Result<Function, String> {
    let reflection = &translation.reflection;
    let (text, places) = match reader {
        Reader::Tools => {
            let places = Places {
                buffers: &["constants", "constants", "extras", "extras", "large"],
                samplers: (0..16).collect(),
            };
            (writers::msl(&translation), places)
        }
        Reader::Driver => {
            let slots = slots::of(&translation);
            let places = Places {
                buffers: &["constants", "extras", "large"],
                samplers: reflection.samplers.iter().map(|s| s.register).collect(),
            };
            let version = MslVersion::MACOS;
            let text = writers::msl_with_slots(&translation, version, &slots);
            (text, places)
        }
    };
    Ok(Function {
        name: name.to_owned(),
        msl: text.map_err(|e| e.to_string())?,
        translation,
        places,
    })
}

/// The case of `text`, unless it is one of refusal or not for this runner.
fn ready(name: &str, text: &str, reader: Reader) -> Result<Option<Ready>, String> {
    let case = Case::read(text)?;
    if !case.runs_on("msl") || matches!(case.rows[0].expected, Expected::Refused(_)) {
        return Ok(None);
    }
    let code = assemble(&common::positioned(&case.text)).map_err(|e| e.to_string())?;
    let translation = translate(&code, &case.options).map_err(|e| e.to_string())?;
    if translation.reflection.large_rows() > LARGE_ROWS {
        // The whole file of a software version, which the requests have no room for.
        return Ok(None);
    }
    let function = written(name, translation, reader)?;
    Ok(Some(Ready { case, function }))
}

/// Compiles functions to one program called `program`.
fn compile(functions: &[&Function], program: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("msl");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/msl/driver.hpp");
    let names: Vec<String> = (0..functions.len()).map(|n| format!("case{n}")).collect();
    let mut texts = Vec::with_capacity(functions.len());
    for function in functions {
        let Function {
            name,
            translation,
            msl,
            places,
        } = function;
        let caller = bind::caller(&translation.entry, msl, places)
            .map_err(|message| format!("{name}: {message}\n{msl}"))?;
        texts.push(format!("{msl}\n{caller}"));
    }
    let functions = names.iter().map(String::as_str);
    let text = tools::one_text(functions.zip(texts.iter().map(String::as_str)));
    let table: Vec<String> = names.iter().map(|name| format!("of_{name}::run")).collect();
    let text = format!(
        "#include <metal_stdlib>\n#include \"{driver}\"\n{text}\n\
         extern const Run functions[] = {{ {} }};\n\
         extern const uint32_t function_count = {};\n",
        table.join(", "),
        table.len(),
    );
    let source = folder.join(format!("{program}.cpp"));
    let program = folder.join(program);
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let output = Command::new("clang++")
        .args(tools::CLANG)
        .args(["-O0", "-o"])
        .args([&program, &source])
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(program),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn request(function: u32, ready: &Ready, row: &Row) -> Request {
    let reflection = &ready.function.translation.reflection;
    let inputs = &row.inputs;
    let mut request = Request::zeroed();
    request.function = function;
    for (&register, picture) in &ready.case.textures {
        request.pictures[register] = match picture {
            Picture::Grid => 1,
            Picture::Cube => 2,
            Picture::Volume => 3,
            Picture::Plain(_) => 0,
        };
    }
    let file = blocks::float_file(inputs);
    let rows = reflection.window_rows();
    reflection.pack_floats(&file, &mut request.constants[..rows]);
    let (ints, bools) = (blocks::int_file(inputs), blocks::bool_file(inputs));
    let rows = reflection.large_rows();
    reflection.pack_large(&file, &ints, &bools, &mut request.large[..rows]);
    let extras: &mut [u8] = bytemuck::cast_slice_mut(&mut request.extras);
    match reflection.stage {
        Stage::Vertex => {
            let block = blocks::vertex_extras(inputs);
            let bytes = bytemuck::bytes_of(&block);
            extras[..bytes.len()].copy_from_slice(bytes);
            for (value, attribute) in request.values.iter_mut().zip(&reflection.attributes) {
                let given = inputs.v.get(&usize::from(attribute.register));
                *value = given.copied().unwrap_or([0.0; 4]);
            }
        }
        Stage::Pixel => {
            let block = blocks::pixel_extras(inputs);
            let bytes = bytemuck::bytes_of(&block);
            extras[..bytes.len()].copy_from_slice(bytes);
            for (value, location) in request.values.iter_mut().zip(0..) {
                *value = blocks::varying(inputs, location);
            }
        }
    }
    request.position = [0.5, 0.5, 0.5, 0.5];
    request
}

fn judge(ready: &Ready, row: &Row, answer: &Answer) -> Result<(), String> {
    match &row.expected {
        Expected::Killed if answer.killed != 0 => Ok(()),
        Expected::Killed => Err(format!("not killed: {:?}", answer.values[0])),
        _ if answer.killed != 0 => Err("killed".into()),
        Expected::Value(name, want) => {
            let stage = ready.function.translation.reflection.stage;
            let (target, location) = compare::output(name, stage)?;
            let got = match (stage, target) {
                (_, compare::DEPTH) => answer.depth,
                (_, compare::POINT) => answer.point_size,
                (Stage::Pixel, target) => answer.values[target],
                (Stage::Vertex, _) => answer.values[location as usize],
            };
            compare(name, got, *want, ready.case.within)
        }
        Expected::Refused(_) => Ok(()),
    }
}

/// Gives `requests` to a program.
fn answers(
    program: &Path,
    requests: impl Iterator<Item = Request> + Send,
) -> Result<Vec<Answer>, String> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut bytes = Vec::new();
    let sent = std::thread::scope(|scope| {
        let sender = scope.spawn(move || {
            let mut sent = 0;
            for request in requests {
                sent += 1;
                // A program that ended early is noticed by the answers it owes.
                if stdin.write_all(bytemuck::bytes_of(&request)).is_err() {
                    break;
                }
            }
            sent
        });
        let mut stdout = child.stdout.take().expect("stdout is piped");
        stdout
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        Ok::<usize, String>(sender.join().expect("no panic"))
    })?;
    child.wait().map_err(|error| error.to_string())?;
    if bytes.len() != sent * size_of::<Answer>() {
        return Err(format!("{} gave {} bytes", program.display(), bytes.len()));
    }
    let answers = bytes.chunks_exact(size_of::<Answer>());
    Ok(answers.map(bytemuck::pod_read_unaligned).collect())
}

/// Compiles and runs `cases`; the number of rows, and what went wrong.
fn run(cases: &[Ready], program: &str) -> Result<(usize, Vec<String>), String> {
    let functions: Vec<&Function> = cases.iter().map(|ready| &ready.function).collect();
    let program = compile(&functions, program)?;
    let rows: Vec<(&Ready, u32, &Row)> = (0..)
        .zip(cases)
        .flat_map(|(n, ready)| ready.case.rows.iter().map(move |row| (ready, n, row)))
        .collect();
    let requests = rows.iter().map(|(ready, n, row)| request(*n, ready, row));
    let answers = answers(&program, requests)?;
    let failures = rows
        .iter()
        .zip(&answers)
        .filter_map(|((ready, _, row), answer)| {
            let message = judge(ready, row, answer).err()?;
            let name = &ready.function.name;
            Some(format!("{name}: line {}: {message}", row.line))
        })
        .collect();
    Ok((rows.len(), failures))
}

#[test]
fn every_case_gives_what_it_says_as_msl() {
    run_all(Reader::Tools);
}

#[test]
fn every_case_gives_what_it_says_as_the_text_of_a_driver() {
    run_all(Reader::Driver);
}

fn run_all(reader: Reader) {
    if !common::has_tools() {
        return;
    }
    let only = std::env::var("NINEFOLD_CASE").unwrap_or_default();
    let cases: Vec<Ready> = common::case_texts()
        .into_iter()
        .filter(|(name, _)| name.contains(&only))
        .filter_map(|(name, text)| {
            ready(&name, &text, reader).unwrap_or_else(|message| panic!("{name}: {message}"))
        })
        .collect();
    assert!(!cases.is_empty());
    let parts: Vec<&[Ready]> = cases.chunks(cases.len().div_ceil(2)).collect();
    let readers = match reader {
        Reader::Tools => "tools",
        Reader::Driver => "driver",
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..)
            .zip(&parts)
            .map(|(number, part)| scope.spawn(move || run(part, &format!("{readers}{number}"))))
            .collect();
        let results = workers.into_iter().map(|worker| worker.join());
        results.map(|result| result.expect("no panic")).collect()
    });
    let mut rows = 0;
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok((run, found)) => {
                rows += run;
                failures.extend(found);
            }
            Err(message) => failures.push(message),
        }
    }
    println!("{} cases, {rows} rows run", cases.len());
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
