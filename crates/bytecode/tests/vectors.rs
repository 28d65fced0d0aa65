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

/// What text cannot say is carried as tokens: a length in a model 1 token, a
/// boolean that is neither 0 nor 1, an address token with more than one
/// component, a declaration without a mask.
#[test]
fn unusual_tokens_are_carried_raw() {
    let cases: [(&[u32], &str); 4] = [
        (
            &[0xFFFF_0101, 0x0200_0001, 0x800F_0000, 0x90E4_0000, 0xFFFF],
            "dword 0x02000001, 0x800f0000, 0x90e40000 // mov r0, v0",
        ),
        (
            &[0xFFFE_0200, 0x0200_002F, 0xE00F_0800, 2, 0xFFFF],
            "dword 0x0200002f, 0xe00f0800, 0x00000002 // defb b0, true",
        ),
        (
            &[
                0xFFFE_0200,
                0x0300_0001,
                0x800F_0000,
                0xA0E4_2003,
                0xB0E4_0000,
                0xFFFF,
            ],
            "dword 0x03000001, 0x800f0000, 0xa0e42003, 0xb0e40000 // mov r0, c[a0.x + 3]",
        ),
        (
            &[0xFFFE_0101, 0x0000_001F, 0x8000_0003, 0x9000_0002, 0xFFFF],
            "dword 0x0000001f, 0x80000003, 0x90000002 // dcl_normal v2",
        ),
    ];
    for (tokens, line) in cases {
        let code = ShaderCode::parse(tokens).unwrap();
        let text = disassemble(&code);
        assert_eq!(text.lines().nth(1).unwrap().trim(), line);
        assert_eq!(assemble(&text).unwrap().tokens(), tokens);
    }
}

/// Comment blocks stand on lines that other assemblers skip, empty and adjacent
/// ones included.
#[test]
fn comment_blocks_have_their_own_lines() {
    let tokens = [
        0xFFFE_0101,
        0x0000_FFFE,
        0x0001_FFFE,
        0xDEAD_BEEF,
        0x0002_FFFE,
        1,
        0xFFFF,
        0,
        0xFFFF,
    ];
    let code = ShaderCode::parse(&tokens).unwrap();
    let text = disassemble(&code);
    let expected = "vs_1_1\n//! comment 0\n//! comment 1\n//! 0xdeadbeef\n//! comment 2\n\
                    //! 0x00000001 0x0000ffff\n    nop\n";
    assert_eq!(text, expected);
    assert_eq!(assemble(&text).unwrap().tokens(), tokens);
}
