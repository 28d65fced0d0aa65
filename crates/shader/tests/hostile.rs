//! Token streams that read but mean nothing sensible: translation refuses or gives a valid
//! module, and never panics.

mod common;

use common::Numbers;
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::{Error, Options, translate, writers};
use std::time::{Duration, Instant};

/// Translates; an invalid module is a failure of the test.
fn check(code: &ShaderCode, options: &Options) -> bool {
    match translate(code, options) {
        Ok(translation) => {
            writers::spirv(&translation).expect("a valid module can be written");
            true
        }
        Err(error @ (Error::Invalid(_) | Error::Writer { .. })) => {
            panic!("{error}\n{}", ninefold_bytecode::disassemble(code))
        }
        Err(_) => false,
    }
}

#[test]
fn real_streams_translate_under_any_options() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let mut numbers = Numbers::new(0x9E37_79B9_7F4A_7C15);
    let mut translated = 0;
    for path in common::streams(&folder) {
        let bytes = std::fs::read(&path).expect("the stream can be read");
        let code = ShaderCode::from_bytes(&bytes).expect("the stream reads");
        translated += usize::from(check(&code, &numbers.options()));
    }
    println!("{translated} translated");
    assert!(translated > 1_000);
}

/// Changes one to three words; what still reads must translate or be refused.
fn mutate(words: &[u32], rounds: usize, numbers: &mut Numbers) -> (usize, usize) {
    let (mut read, mut translated) = (0, 0);
    for _ in 0..rounds {
        let mut words = words.to_vec();
        for _ in 0..1 + numbers.below(3) {
            numbers.change(&mut words);
        }
        if let Ok(code) = ShaderCode::parse(&words) {
            read += 1;
            translated += usize::from(check(&code, &numbers.options()));
        }
    }
    (read, translated)
}

#[test]
fn mutated_streams_never_panic() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    let mut numbers = Numbers::new(0x1234_5678_9ABC_DEF1);
    let (mut read, mut translated) = (0, 0);
    for path in common::streams(&folder) {
        let bytes = std::fs::read(&path).expect("the stream can be read");
        let code = ShaderCode::from_bytes(&bytes).expect("the stream reads");
        if code.tokens().len() > 1_500 {
            continue;
        }
        let (r, t) = mutate(code.tokens(), 16, &mut numbers);
        (read, translated) = (read + r, translated + t);
    }
    println!("{read} mutants read, {translated} of them translated");
    assert!(read > 1_000, "only {read} mutants read");
}

#[test]
fn mutated_cases_never_panic() {
    let mut numbers = Numbers::new(0xFEDC_BA98_7654_3211);
    let (mut read, mut translated) = (0, 0);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases");
    for folder in std::fs::read_dir(root)
        .expect("the cases are there")
        .flatten()
    {
        let Ok(files) = std::fs::read_dir(folder.path()) else {
            continue;
        };
        for file in files.flatten() {
            let text = std::fs::read_to_string(file.path()).expect("the case can be read");
            let Ok(code) = assemble(&text) else { continue };
            let (r, t) = mutate(code.tokens(), 250, &mut numbers);
            (read, translated) = (read + r, translated + t);
        }
    }
    println!("{read} mutants read, {translated} of them translated");
    assert!(read > 1_000, "only {read} mutants read");
}

#[test]
fn nested_calls_are_bounded() {
    // Four levels of sixteen calls each: 65,536 bodies.
    let mut text = String::from("vs_2_x\nmov oPos, c0\n");
    let calls = |label: usize| format!("call l{label}\n").repeat(40);
    text.push_str(&calls(0));
    text.push_str("ret\n");
    for level in 0..4 {
        text.push_str(&format!("label l{level}\n"));
        match level {
            3 => text.push_str("add r0, r0, c1\n"),
            _ => text.push_str(&calls(level + 1)),
        }
        text.push_str("ret\n");
    }
    let code = assemble(&text).expect("the text assembles");
    let start = Instant::now();
    let error = translate(&code, &Options::default()).expect_err("it must be refused");
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("shader has more than 32768 instructions"),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn deep_blocks_translate() {
    let depth = 24;
    let mut text = String::from("ps_3_0\nmov r0, c0\n");
    text.push_str(&"if_lt r0.x, c1.x\nadd r0, r0, c0\n".repeat(depth));
    text.push_str(&"else\nmul r0, r0, c2\nendif\n".repeat(depth));
    text.push_str("mov oC0, r0\n");
    let code = assemble(&text).expect("the text assembles");
    assert!(check(&code, &Options::default()));
}

/// Text of every writer for `line` repeated, in bytes.
fn text_sizes(version: &str, line: &str, times: usize, end: &str) -> [usize; 4] {
    let text = format!("{version}\n{}{end}\n", format!("{line}\n").repeat(times));
    let code = assemble(&text).expect("the text assembles");
    let translation = translate(&code, &Options::default()).expect("it translates");
    [
        writers::wgsl(&translation).expect("WGSL is written").len(),
        writers::msl(&translation).expect("MSL is written").len(),
        writers::hlsl(&translation).expect("HLSL is written").len(),
        writers::glsl(&translation).expect("GLSL is written").len(),
    ]
}

#[test]
fn text_grows_with_the_stream_and_no_faster() {
    // Each instruction reads components of the one before it, some more than once.
    for (line, times) in [
        ("sincos r0.xy, r0.x, c0, c1", 8),
        ("lit r0, r0", 200),
        ("crs r0.xyz, r0.yzxw, r0.zxyw", 40),
        ("mad r0, r0.wzyx, r0.xxyy, r0.zwzw", 200),
        ("dp3 r0.xy, r0, r0.zxyw", 200),
        ("nrm r0, r0.yzxw", 200),
        ("pow r0.w, r0.x, r0.y", 200),
        ("lrp r0, r0.x, r0.wzyx, r0", 200),
    ] {
        let short = text_sizes("vs_2_0", line, times, "mov oPos, r0");
        let long = text_sizes("vs_2_0", line, times * 2, "mov oPos, r0");
        for (short, long) in short.into_iter().zip(long) {
            assert!(long <= short * 5 / 2, "{line}: {short} bytes became {long}");
        }
    }
}

#[test]
fn the_longest_chain_of_values_is_written() {
    // Every value is read once, so that a writer would nest them all into one expression.
    for line in [
        "add r0, r0, c0",
        "mov r0.xyz, -r0.yzx",
        "frc r0.xy, r0.yxzw",
    ] {
        text_sizes("vs_2_0", line, 16_000, "mov oPos, r0");
    }
}
