//! Runs the case files of `tests/cases` at the repository root on a GPU: see the README there.

#[path = "../../../../tests/support/case.rs"]
mod case;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../../tests/support/compare.rs"]
mod compare;
#[path = "../../../../tests/support/rig.rs"]
mod rig;

use case::{Case, Expected, Picture, Row};
use compare::{compare, output};
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::{Stage, Translation, translate};
use rig::{Ready, Rig, UNTOUCHED};

/// Assembles a case's text; vertex shaders without a position get one.
fn assembled(text: &str) -> Result<ShaderCode, String> {
    assemble(&common::positioned(text)).map_err(|error| error.to_string())
}

fn run_row<'a>(
    rig: &'a Rig,
    case: &Case,
    row: &Row,
    translation: &'a Translation,
    ready: &mut Option<(u32, Ready<'a>)>,
) -> Result<(), String> {
    let stage = translation.reflection.stage;
    let (target, location) = match &row.expected {
        Expected::Value(name, _) => output(name, stage)?,
        _ => (0, 0),
    };
    let mut fresh;
    // Varyings of pixel cases are written into the partner's text: one pipeline a row.
    let reusable = stage == Stage::Vertex;
    let ready = match ready {
        Some((built, ready)) if reusable && *built == location => ready,
        _ => {
            fresh = rig
                .prepare(translation, &[location], &case.textures, &row.inputs)
                .map_err(|error| error.to_string())?;
            &mut fresh
        }
    };
    let values = ready.run(&row.inputs).map_err(|error| error.to_string())?;
    match &row.expected {
        Expected::Value(name, want) if name == "depth" => {
            compare(name, [ready.depth; 4], *want, case.within)
        }
        Expected::Value(name, want) => compare(name, values[target], *want, case.within),
        Expected::Killed => compare("the killed pixel", values[0], [Some(UNTOUCHED); 4], 0.0),
        Expected::Refused(_) => Err("expected to be refused".into()),
    }
}

fn run_case(rig: Option<&Rig>, text: &str) -> Result<usize, String> {
    let case = Case::read(text)?;
    if !case.runs_on("gpu") {
        return Ok(0);
    }
    let code = assembled(&case.text)?;
    let translation = match (translate(&code, &case.options), &case.rows[0].expected) {
        (Ok(translation), _) => translation,
        (Err(error), Expected::Refused(want)) if error.to_string().contains(want) => return Ok(1),
        (Err(error), _) => return Err(error.to_string()),
    };
    let Some(rig) = rig else { return Ok(0) };
    let mut ready = match translation.reflection.stage {
        Stage::Vertex => {
            let location = match &case.rows[0].expected {
                Expected::Value(name, _) => output(name, Stage::Vertex)?.1,
                _ => 0,
            };
            let ready = rig.prepare(
                &translation,
                &[location],
                &case.textures,
                &case.rows[0].inputs,
            );
            Some((location, ready.map_err(|error| error.to_string())?))
        }
        Stage::Pixel => None,
    };
    for row in &case.rows {
        run_row(rig, &case, row, &translation, &mut ready)
            .map_err(|message| format!("line {}: {message}", row.line))?;
    }
    Ok(case.rows.len())
}

#[test]
fn every_case_gives_what_it_says() {
    let rig = Rig::open();
    let only = std::env::var("NINEFOLD_CASE").unwrap_or_default();
    let mut failures = Vec::new();
    let (mut files, mut rows) = (0, 0);
    for (name, text) in common::case_texts() {
        if !name.contains(&only) {
            continue;
        }
        files += 1;
        match run_case(rig.as_ref(), &text) {
            Ok(run) => rows += run,
            Err(message) => failures.push(format!("{name}: {message}")),
        }
    }
    println!("{files} case files, {rows} rows run");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(files > 0);
}

#[test]
fn a_picture_has_the_kind_it_says() {
    use ninefold_shader::SamplerKind;
    let kinds = [Picture::Grid, Picture::Cube, Picture::Volume].map(Picture::kind);
    assert_eq!(
        kinds,
        [SamplerKind::D2, SamplerKind::Cube, SamplerKind::Volume]
    );
}
