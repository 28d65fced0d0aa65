//! Radial fog over every real token stream: what has no term stays, what has one translates.

mod common;

use ninefold_bytecode::radial_fog::{Declined, EYE, GROWTH, Mode, rewrite, scan};
use ninefold_bytecode::{Opcode, RegisterKind, ShaderCode, Stage, Version, assemble};
use ninefold_shader::{Options, translate, writers};

fn corpus() -> Vec<(String, ShaderCode)> {
    let Some(folder) = common::shared("corpus") else {
        return Vec::new();
    };
    common::streams(&folder)
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).expect("the stream can be read");
            let code = ShaderCode::from_bytes(&bytes).expect("a valid stream");
            (path.display().to_string(), code)
        })
        .collect()
}

/// Fog terms are one engine's, and none of the corpus is its: every stream is declined.
#[test]
fn real_streams_without_a_term_stay() {
    let (mut no_term, mut others) = (0, 0);
    for (name, code) in corpus() {
        for mode in Mode::ALL {
            // A second opinion, from the text: no product of a position with c6, c7 or c8.
            let text = ninefold_bytecode::disassemble(&code);
            let may_have = text.lines().any(|line| {
                line.trim_start().starts_with("dp")
                    && [", c6", ", c7", ", c8"].iter().any(|c| line.ends_with(c))
            });
            match rewrite(&code, mode) {
                Err(Declined::NoTerm(_)) => no_term += 1,
                Err(_) => others += 1,
                Ok(_) => assert!(may_have, "{name} was rewritten"),
            }
        }
    }
    println!("{no_term} without a term, {others} declined for other reasons");
}

/// Each product of a vertex shader in turn is made one with a fog plane: what is rewritten reads
/// again, has grown by its terms, and translates to a module that every tool takes.
#[test]
fn streams_made_to_have_terms_translate() {
    let has_tool = common::has_spirv_val();
    let texts = common::case_texts()
        .into_iter()
        .filter_map(|(name, text)| Some((name, assemble(&common::positioned(&text)).ok()?)));
    let (mut rewritten, mut declined) = (0, 0);
    for (name, code) in corpus().into_iter().chain(texts) {
        let version = code.version();
        if version.stage != Stage::Vertex || version.major > 1 {
            continue;
        }
        for instruction in code.instructions() {
            if !matches!(instruction.op, Opcode::Dp3 | Opcode::Dp4)
                || instruction.srcs()[1].register.kind != RegisterKind::Const
            {
                continue;
            }
            let mut tokens = code.tokens().to_vec();
            tokens[0] = Version::new(Stage::Vertex, 1, 1).token();
            // Of vs_1_0 and vs_1_1: instruction, destination, position, plane.
            let at = instruction.byte_offset as usize / 4;
            tokens[at] = tokens[at] & !0xFFFF | 9;
            tokens[at + 3] = 0xA0E4_0006 + instruction.number % 3;
            let code = ShaderCode::parse(&tokens).expect("a valid stream");
            for mode in Mode::ALL {
                let radial = match rewrite(&code, mode) {
                    Ok(radial) => radial,
                    Err(_) => {
                        declined += 1;
                        continue;
                    }
                };
                rewritten += 1;
                let terms = scan(&code, mode).expect("it was rewritten").terms.len();
                assert_eq!(
                    radial.tokens().len(),
                    code.tokens().len() + terms * GROWTH,
                    "{name}"
                );
                let translation = translate(&radial, &Options::default())
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                let before = translate(&code, &Options::default()).expect("it translated before");
                let (is, was) = (&translation.reflection, &before.reflection);
                assert_eq!(is.attributes, was.attributes, "{name}");
                assert_eq!(is.outputs_mask, was.outputs_mask, "{name}");
                let reads = |register: u16| {
                    let mut ranges = is.float_ranges.iter();
                    ranges.any(|r| (r.first..r.first + r.count).contains(&register))
                };
                let defined = is.defs.iter().any(|def| def.register == EYE);
                assert!(reads(EYE) != defined, "{name}: the eye is not bound");
                for written in [
                    writers::wgsl(&translation),
                    writers::msl(&translation),
                    writers::hlsl(&translation),
                    writers::glsl(&translation),
                ] {
                    written.unwrap_or_else(|error| panic!("{name}: {error}"));
                }
                let words = writers::spirv(&translation).expect("SPIR-V");
                if has_tool {
                    common::spirv_val(&words).unwrap_or_else(|error| panic!("{name}: {error}"));
                }
            }
        }
    }
    println!("{rewritten} rewritten, {declined} declined");
    assert!(rewritten > 20, "only {rewritten} rewritten");
}
