//! `disasm`, `asm`, `check` and `translate` over files, folders and standard input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn ninefold(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn good(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const VERTEX: &str = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nm4x4 oPos, v0, c4\n\
                      add oT0, v1, c20\n";
const PIXEL: &str = "ps_2_0\ndef c1, 1, 2, 3, 4\ndcl t0.xy\ndcl_2d s3\ntexld r0, t0, s3\n\
                     mul r0, r0, c1\nadd r0, r0, c0\nmov oC0, r0\n";

/// A folder with ten shaders in two folders, and a file that is none.
fn folder(name: &str) -> PathBuf {
    let root = scratch(name);
    std::fs::create_dir_all(root.join("inner")).unwrap();
    for n in 0..5 {
        std::fs::write(root.join(format!("p{n}.asm")), PIXEL).unwrap();
        std::fs::write(root.join(format!("inner/v{n}.asm")), VERTEX).unwrap();
    }
    std::fs::write(root.join("readme.txt"), "not a shader").unwrap();
    root
}

#[test]
fn a_folder_is_assembled_disassembled_translated_and_counted() {
    let root = folder("convert");
    let (tokens, texts, msl) = (root.join("out"), root.join("texts"), scratch("convert_msl"));
    good(&ninefold(&["asm", text(&root), "-o", text(&tokens)], b""));
    let one = std::fs::read(tokens.join("inner/v3.asm.bin")).unwrap();
    assert_eq!(one[..4], 0xFFFE_0200u32.to_le_bytes());

    good(&ninefold(
        &["disasm", text(&tokens), "-o", text(&texts)],
        b"",
    ));
    let one = std::fs::read_to_string(texts.join("p0.asm.bin.asm")).unwrap();
    assert!(one.contains("mul r0, r0, c1"), "{one}");

    let arguments = ["translate", text(&tokens), "--to", "msl", "-o", text(&msl)];
    let table = good(&ninefold(&arguments, b""));
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[0],
        ["version", "good", "bad", "instructions", "tokens"]
    );
    assert_eq!(rows[1][..3], ["ps_2_0", "5", "0"]);
    assert_eq!(rows[2][..3], ["vs_2_0", "5", "0"]);
    assert_eq!(rows[3][..3], ["all", "10", "0"]);
    let one = std::fs::read_to_string(msl.join("inner/v3.asm.bin.metal")).unwrap();
    assert!(one.contains("vertex "), "{one}");

    let json = good(&ninefold(&["check", "--json", text(&tokens)], b""));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 10);
    assert_eq!(json[0]["shader"]["version"], "vs_2_0");
}

#[test]
fn check_shows_the_place_with_a_caret() {
    // ps_2_0 has 32 constants.
    let tokens = [
        0xFFFF_0200u32,
        0x0200_0001,
        0x800F_0000,
        0xA0E4_0000,
        0x0200_0001,
        0x800F_0800,
        0xA0E4_0028,
        0x0000_FFFF,
    ];
    let bytes: Vec<u8> = tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    let output = ninefold(&["check", "-"], &bytes);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("byte 0x18, instruction 1"), "{said}");
    assert_eq!(lines[1], "  0x0004  mov r0, c0");
    assert_eq!(lines[2], "  0x0010  mov oC0, c40");
    assert_eq!(lines[3].find('^'), lines[2].find("c40"), "{said}");
    assert!(lines[3].ends_with("^^^"));
}

#[test]
fn text_on_standard_input_is_a_shader_too() {
    let said = good(&ninefold(&["check", "-"], PIXEL.as_bytes()));
    assert!(said.contains("ps_2_0"), "{said}");
    let said = good(&ninefold(
        &["translate", "-", "--to", "wgsl"],
        VERTEX.as_bytes(),
    ));
    assert!(said.contains("@vertex"), "{said}");
}

#[test]
fn reflection_tells_what_lies_where() {
    let arguments = ["translate", "-", "--to", "msl", "--reflect"];
    let json = good(&ninefold(&arguments, PIXEL.as_bytes()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["stage"], "pixel");
    assert_eq!(json["constants"]["group"], 0);
    assert_eq!(json["constants"]["binding"], 1);
    assert_eq!(json["constants"]["vec4s"], 1);
    let range = serde_json::json!([{ "register": 0, "count": 1, "at": 0 }]);
    assert_eq!(json["constants"]["ranges"], range);
    assert_eq!(json["defined"][0]["register"], 1);
    assert_eq!(
        json["defined"][0]["value"],
        serde_json::json!([1.0, 2.0, 3.0, 4.0])
    );
    assert_eq!(json["samplers"][0]["register"], 3);
    assert_eq!(json["samplers"][0]["texture"], 6);
    assert_eq!(json["samplers"][0]["sampler"], 7);
    assert_eq!(json["varyings"], serde_json::json!([2]));
    let entry = json["entry"].as_str().unwrap();
    assert!(
        json["text"]
            .as_str()
            .unwrap()
            .contains(&format!(" {entry}("))
    );

    let json = good(&ninefold(&arguments, VERTEX.as_bytes()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let ranges = serde_json::json!([
        { "register": 4, "count": 4, "at": 0 },
        { "register": 20, "count": 1, "at": 4 },
    ]);
    assert_eq!(json["constants"]["ranges"], ranges);
    assert_eq!(json["attributes"][1]["usage"], "texcoord");
}

#[test]
fn metal_versions_are_chosen_by_platform() {
    for (platform, first) in [
        ("macos2.4", "// language: metal2.4"),
        ("ios", "// language: metal2.1"),
        ("visionos", "// language: metal3.1"),
    ] {
        let arguments = ["translate", "-", "--to", "msl", "--msl", platform];
        let said = good(&ninefold(&arguments, VERTEX.as_bytes()));
        assert!(said.starts_with(first), "{said}");
    }
    let old = ["translate", "-", "--to", "msl", "--msl", "visionos2.0"];
    let output = ninefold(&old, VERTEX.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let unknown = ["translate", "-", "--to", "msl", "--msl", "tvos2.0"];
    assert_eq!(ninefold(&unknown, VERTEX.as_bytes()).status.code(), Some(2));
}

#[test]
fn many_results_need_a_folder() {
    let root = folder("convert_nowhere");
    let output = ninefold(&["disasm", text(&root)], b"");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("name one with -o"), "{said}");
}

/// A vertex shader alone has no place for NORMAL3; linked to the pixel shader that reads it, it has.
#[test]
fn a_vertex_shader_is_linked_to_its_partner() {
    let root = scratch("convert_link");
    let (vertex, pixel) = (root.join("v.asm"), root.join("p.asm"));
    let text_of = "vs_3_0\ndcl_position o0\ndcl_normal3 o1\nmov o0, c0\nmov o1, c1\n";
    std::fs::write(&vertex, text_of).unwrap();
    std::fs::write(&pixel, "ps_3_0\ndcl_normal3 v4\nmov oC0, v4\n").unwrap();
    let alone = ["translate", text(&vertex), "--to", "wgsl"];
    assert!(!good(&ninefold(&alone, b"")).contains("@location"));
    let linked = [&alone[..], &["--link", text(&pixel)]].concat();
    assert!(good(&ninefold(&linked, b"")).contains("@location(15)"));
    let swapped = [&alone[..], &["--link", text(&vertex)]].concat();
    let refused = ninefold(&swapped, b"");
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("expects a pixel shader") && said.contains("vs_3_0"),
        "{said}"
    );
    let pixel = ["translate", text(&pixel), "--to", "wgsl", "--reflect"];
    let json = good(&ninefold(&pixel, b""));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["linked"][2]["usage"], "normal");
    assert_eq!(json["linked"][2]["location"], 15);
}

#[test]
fn a_refusal_names_standard_input_and_ends_without_a_line_break() {
    let output = ninefold(&["check", "-"], &[0, 2]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = "standard input is not a shader: byte 0x0: the stream holds no whole token, \
                    expected a version token";
    assert_eq!(said.trim_end(), expected);
    let output = ninefold(&["check", "--json", "-"], &[]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json[0]["error"], expected);
}

#[test]
fn text_may_begin_with_a_byte_order_mark_and_is_utf_8() {
    let root = scratch("convert_mark");
    let marked = root.join("marked.asm");
    let content = format!("\u{FEFF}{}", PIXEL.replace('\n', "\r\n"));
    std::fs::write(&marked, &content).unwrap();
    good(&ninefold(&["check", text(&marked)], b""));
    good(&ninefold(&["check", "-"], content.as_bytes()));
    good(&ninefold(&["asm", text(&marked), "-o", "-"], b""));
    let other = root.join("other.asm");
    std::fs::write(&other, b"vs_2_0 // \xE9\n").unwrap();
    let output = ninefold(&["check", text(&other)], b"");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("is not text"), "{said}");
}

#[test]
fn results_do_not_replace_one_another() {
    let root = scratch("convert_apart");
    let (one, two) = (root.join("one/x.asm"), root.join("two/x.asm"));
    for (path, content) in [(&one, VERTEX), (&two, PIXEL)] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let out = root.join("out");
    for verb in [&["disasm"][..], &["asm"], &["translate", "--to", "wgsl"]] {
        let files = [text(&one), text(&two), "-o", text(&out)];
        let output = ninefold(&[verb, &files].concat(), b"");
        assert_eq!(output.status.code(), Some(1), "{verb:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("would go to one file"), "{said}");
        assert!(!out.exists());
    }
}

#[test]
fn a_bad_shader_does_not_keep_the_others_from_their_results() {
    let root = scratch("convert_some");
    let (texts, tokens) = (root.join("texts"), root.join("tokens"));
    std::fs::create_dir_all(&texts).unwrap();
    std::fs::write(texts.join("bad.asm"), "ps_2_0\nmov oC0,\n").unwrap();
    std::fs::write(texts.join("good.asm"), PIXEL).unwrap();
    let both = |output: &std::process::Output, count: &str, bad: &str| {
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.ends_with(count), "{said}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(bad), "{said}");
    };
    let output = ninefold(&["asm", text(&texts), "-o", text(&tokens)], b"");
    both(&output, "tokens, 1 not\n", "bad.asm:2:");
    assert!(!tokens.join("bad.asm.bin").exists());
    let good_tokens = std::fs::read(tokens.join("good.asm.bin")).unwrap();

    // A mov of ps_2_0 that ends with the stream.
    std::fs::write(
        tokens.join("bad.bin"),
        &good_tokens[..good_tokens.len() - 4],
    )
    .unwrap();
    let back = root.join("back");
    let output = ninefold(&["disasm", text(&tokens), "-o", text(&back)], b"");
    both(&output, "back, 1 not\n", "bad.bin is not a shader: byte 0x");
    assert!(back.join("good.asm.bin.asm").exists());

    // Where a folder has the place of a result.
    std::fs::create_dir_all(root.join("taken/bad.bin.asm")).unwrap();
    std::fs::write(tokens.join("bad.bin"), &good_tokens).unwrap();
    let taken = root.join("taken");
    let output = ninefold(&["disasm", text(&tokens), "-o", text(&taken)], b"");
    both(&output, "taken, 1 not\n", "writing");
    assert!(taken.join("good.asm.bin.asm").exists());

    // In JSON each has its name.
    std::fs::write(tokens.join("bad.bin"), &good_tokens[..8]).unwrap();
    let verbs = [
        (&["disasm"][..], &tokens, "bad.bin"),
        (&["asm", "-o", text(&tokens)], &texts, "bad.asm"),
    ];
    for (verb, folder, bad) in verbs {
        let output = ninefold(&[verb, &["--json", text(folder)]].concat(), b"");
        assert_eq!(output.status.code(), Some(1));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let files = json.as_array().unwrap().iter();
        for one in files {
            let is_bad = one["file"].as_str().unwrap().ends_with(bad);
            assert_eq!(one["error"].is_string(), is_bad, "{one}");
            assert_eq!(one["version"] == "ps_2_0", !is_bad, "{one}");
        }
        assert_eq!(json.as_array().unwrap().len(), 2);
    }
}

#[test]
fn the_place_of_a_fault_is_shown_by_all_verbs() {
    // mov oC0, with a source of a register type that does not exist.
    let tokens: [u32; 5] = [0xFFFF_0200, 0x0200_0001, 0x800F_0800, 0xF0E4_1800, 0xFFFF];
    let bytes: Vec<u8> = tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    let check = ninefold(&["check", "-"], &bytes);
    let expected = String::from_utf8(check.stdout).unwrap();
    assert!(expected.contains('^'), "{expected}");
    for verb in [&["disasm"][..], &["translate", "--to", "wgsl"]] {
        let output = ninefold(&[verb, &["-"]].concat(), &bytes);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("ninefold: {expected}"));
    }
}

#[test]
fn results_do_not_go_below_a_file() {
    let root = scratch("convert_file");
    let (one, two) = (root.join("one.asm"), root.join("two.asm"));
    std::fs::write(&one, VERTEX).unwrap();
    std::fs::write(&two, PIXEL).unwrap();
    for output in [one.clone(), one.join("deeper")] {
        for verb in [&["asm"][..], &["translate", "--to", "wgsl"]] {
            let arguments = [verb, &[text(&one), text(&two), "-o", text(&output)]].concat();
            let refused = ninefold(&arguments, b"");
            assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
            let said = [refused.stdout, refused.stderr].concat();
            let said = String::from_utf8(said).unwrap();
            assert!(
                said.contains("one.asm is no folder; one is needed"),
                "{said}"
            );
        }
    }
    let refused = ninefold(&["demo", "-o", text(&one)], b"");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("one.asm is no folder; one is needed"),
        "{said}"
    );
}

#[test]
fn fog_shows_what_is_rewritten_and_why_not() {
    let root = scratch("fog");
    let shader = "vs_1_1\ndcl_position v0\nmov oPos, v0\ndp4 oFog, v0, c6\n\
                  dp3 r0.x, v0, c7\nadd r0.x, r0.x, c7.w\nmov oT0, r0.x\n";
    std::fs::write(root.join("fogged.asm"), shader).unwrap();
    std::fs::write(
        root.join("matrix.asm"),
        "vs_1_1\nm4x4 oPos, v0, c0\ndp4 oFog, v0, c6\n",
    )
    .unwrap();
    let fogged = root.join("fogged.asm");

    // dcl is 3 tokens, mov 3, dp4 4, dp3 4, add 4, mov 3, with version and end 23.
    let said = good(&ninefold(&["fog", text(&fogged)], b""));
    let (head, texts) = said.split_once('\n').unwrap();
    let expected =
        "fogged.asm: c6 by dp4 (byte 0x1c, instruction 2); temporary r11, 23 to 58 tokens";
    assert!(head.ends_with(expected), "{said}");
    let (before, after) = texts.split_once("; after\n").unwrap();
    assert!(before.starts_with("\n; before\nvs_1_1\n"), "{said}");
    assert!(before.contains("dp4 oFog, v0, c6") && !before.contains("r11"));
    assert!(after.contains("add r11.xyz, v0, -c4") && after.contains("add oFog, r11.x, r11.w"));

    let rewritten = root.join("out.bin");
    let arguments = ["fog", text(&fogged), "--mode", "view-plane"];
    let json = [&arguments[..], &["--json", "-o", text(&rewritten)]].concat();
    let json: serde_json::Value = serde_json::from_str(&good(&ninefold(&json, b""))).unwrap();
    let rewrite = &json["rewrite"];
    assert_eq!(json["mode"], "view-plane");
    assert_eq!(rewrite["terms"][0]["constant"], "c6");
    assert_eq!(rewrite["terms"][1]["constant"], "c7");
    assert_eq!(rewrite["terms"][1]["form"], "dp3, add w");
    assert_eq!(rewrite["tokens_after"], 23 + 70);
    assert_eq!(std::fs::read(&rewritten).unwrap().len(), 4 * 93);
    let disassembled = good(&ninefold(&["disasm", text(&rewritten)], b""));
    assert_eq!(rewrite["after"], disassembled);

    let out = scratch("fog_out");
    let said = good(&ninefold(&["fog", text(&root), "-o", text(&out)], b""));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with(expected), "{said}");
    let declined = "matrix.asm: left as it is: m4x4 (byte 0x4, instruction 0) reads registers it \
                    does not name";
    assert!(lines[1].ends_with(declined), "{said}");
    // The stream written above has its terms in it still.
    assert!(lines[2].contains("out.bin: c6 by dp4"), "{said}");
    assert_eq!(lines[3], "2 rewritten, 1 left as they are, 0 no shaders");
    assert_eq!(
        std::fs::read(out.join("fogged.asm.bin")).unwrap().len(),
        4 * 58
    );
    assert!(!out.join("matrix.asm.bin").exists());

    // The stream alone goes to standard output, and of many none.
    let stream = ninefold(&["fog", text(&fogged), "-o", "-"], b"").stdout;
    assert_eq!(stream, std::fs::read(out.join("fogged.asm.bin")).unwrap());
    for (arguments, code) in [
        (&["fog", "--json", text(&fogged), "-o", "-"][..], 2),
        (&["fog", text(&root), "-o", "-"], 2),
        (&["fog", text(&root.join("missing.bin"))], 1),
        (&["fog", text(&fogged), "--mode", "both"], 2),
    ] {
        let output = ninefold(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
    let output = ninefold(&["fog", "-"], b"\x01\x01\xfe\xff\x01");
    assert_eq!(output.status.code(), Some(1));
    let one = good(&ninefold(&["fog", "--json", "-"], VERTEX.as_bytes()));
    let one: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["declined"], "vs_2_0, expected vs_1_1");
    assert_eq!(one["rewrite"], serde_json::Value::Null);
}
