//! `vectors.txt`, in both directions.

use ninefold_bytecode::{Opcode, ShaderCode, Version, assemble, disassemble};
use std::collections::BTreeSet;

struct Case {
    version: Version,
    text: String,
    tokens: Option<Vec<u32>>,
    /// Whether the tokens disassemble to the same text.
    both_ways: bool,
    line: usize,
}

fn cases() -> Vec<Case> {
    let file = include_str!("vectors.txt");
    let lines = file.lines().enumerate();
    let cases = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    cases.map(|(i, line)| case(line, i + 1)).collect()
}

fn case(line: &str, number: usize) -> Case {
    let parts: Vec<&str> = line.split('|').collect();
    let [version, text, tokens] = parts[..] else {
        panic!("vectors.txt:{number}: not three parts")
    };
    let word = |word: &str| u32::from_str_radix(word, 16).unwrap();
    Case {
        version: Version::parse(version.trim())
            .unwrap_or_else(|| panic!("vectors.txt:{number}: version")),
        both_ways: !text.starts_with('~'),
        text: text.trim_start_matches('~').trim().replace(" / ", "\n"),
        tokens: (tokens.trim() != "error").then(|| tokens.split_whitespace().map(word).collect()),
        line: number,
    }
}

fn stream(case: &Case, tokens: &[u32]) -> Vec<u32> {
    let mut stream = vec![case.version.token()];
    stream.extend(tokens);
    stream.push(0xFFFF);
    stream
}

#[test]
fn text_assembles_to_tokens() {
    for case in cases() {
        let result = assemble(&format!("{}\n{}\n", case.version, case.text));
        match (&case.tokens, result) {
            (Some(tokens), Ok(code)) => {
                assert_eq!(
                    code.tokens(),
                    stream(&case, tokens),
                    "vectors.txt:{}",
                    case.line
                );
            }
            (Some(_), Err(error)) => panic!("vectors.txt:{}: {error}", case.line),
            (None, result) => assert!(result.is_err(), "vectors.txt:{}", case.line),
        }
    }
}

#[test]
fn tokens_disassemble_to_text() {
    for case in cases().iter().filter(|case| case.both_ways) {
        let tokens = case.tokens.as_deref().unwrap_or_default();
        let code = ShaderCode::parse(&stream(case, tokens))
            .unwrap_or_else(|error| panic!("vectors.txt:{}: {error}", case.line));
        let text = disassemble(&code);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[0], case.version.to_string());
        assert_eq!(
            lines[1..].join("\n"),
            case.text,
            "vectors.txt:{}",
            case.line
        );
    }
}

#[test]
fn every_opcode_has_a_case() {
    let mut seen = BTreeSet::new();
    for case in cases().iter().filter(|case| case.both_ways) {
        let tokens = case.tokens.as_deref().unwrap_or_default();
        let code = ShaderCode::parse(&stream(case, tokens)).unwrap();
        seen.extend(code.instructions().map(|instruction| instruction.op));
    }
    let missing: Vec<_> = Opcode::ALL.iter().filter(|op| !seen.contains(op)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
