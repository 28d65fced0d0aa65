//! Wrong texts: each is refused with line, column and what was expected.

use ninefold_bytecode::{assemble, limits};

#[test]
fn messages_name_place_and_expectation() {
    let mut wrong = Vec::new();
    for (i, line) in include_str!("asm_errors.txt").lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (text, message) = line
            .split_once(" | ")
            .or_else(|| line.split_once("| "))
            .unwrap();
        let found = match assemble(&text.replace(" / ", "\n")) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        };
        if found != message {
            wrong.push(format!(
                "asm_errors.txt:{}: expected {message}\n    found {found}",
                i + 1
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn size_is_bounded() {
    let long = format!("vs_1_1\n{}", " ".repeat(limits::MAX_TEXT_BYTES));
    let error = assemble(&long).unwrap_err();
    assert!(error.message.contains("longer than"), "{error}");

    let nops = |count| format!("vs_1_1\n{}", "nop\n".repeat(count));
    let error = assemble(&nops(limits::MAX_CODE_TOKENS + 1)).unwrap_err();
    assert_eq!(error.line, limits::MAX_CODE_TOKENS + 2);
    assert!(error.message.contains("262144 tokens"), "{error}");
    assert!(assemble(&nops(limits::MAX_CODE_TOKENS)).is_ok());
    let comment = format!("//! comment 32767\n//!{}\n", " 0".repeat(32_767));
    let error = assemble(&format!("vs_1_1\n{}", comment.repeat(33))).unwrap_err();
    assert!(error.message.contains("1048576 tokens"), "{error}");
}

/// One endless line or word costs no more than reading it, and messages stay
/// short.
#[test]
fn long_lines_are_harmless() {
    let million = 1_000_000;
    for text in [
        format!("vs_1_1\n{}", "a".repeat(million)),
        format!("vs_1_1\nmov {}", "r".repeat(million)),
        format!("vs_1_1\nmov r{}", "0".repeat(million)),
        format!("vs_1_1\nmov r0, c[{}]", "1+".repeat(million)),
        format!("vs_1_1\nmov r0, c0.{}", "x".repeat(million)),
        format!("vs_1_1\ndef c0, {}", "1".repeat(million)),
        format!("vs_1_1\ndword {}", "0,".repeat(million)),
        format!("vs_1_1\n//! comment 32767\n//!{}", " 0".repeat(million)),
        format!("vs_1_1\n{}", "(".repeat(million)),
        "é".repeat(million),
    ] {
        if let Err(error) = assemble(&text) {
            assert!(error.message.len() < 300, "{} bytes", error.message.len());
        }
    }
}

/// Words as people write them: a vs_1_1 shader with everything in lower case,
/// tabs, comments at line ends and no end of line at the end.
#[test]
fn hand_written_text() {
    let code = assemble(
        "; transform and light\n\
         vs.1.1\t// old spelling\n\
         \tdcl_position\tv0\n\
         \n\
         m4x4 opos, v0, c[0]  ; clip space\n\
         MOV OD0.RGB, C4\n\
         mov oT0.xy,v1",
    )
    .unwrap();
    let expected = [
        0xFFFE_0101,
        0x0000_001F,
        0x8000_0000,
        0x900F_0000,
        0x0000_0014,
        0xC00F_0000,
        0x90E4_0000,
        0xA0E4_0000,
        0x0000_0001,
        0xD007_0000,
        0xA0E4_0004,
        0x0000_0001,
        0xE003_0000,
        0x90E4_0001,
        0x0000_FFFF,
    ];
    assert_eq!(code.tokens(), expected);
}
