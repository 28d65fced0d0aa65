//! `ninefold pv`: a vertex shader over vertices from files and standard input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn pv(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .arg("pv")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn bad(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(output.stdout.is_empty());
    said.trim_end().to_owned()
}

/// A folder with a shader, its constants, and vertices in both forms.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    put("move.asm", SHADER.as_bytes());
    put("c.json", CONSTANTS.as_bytes());
    put("v.csv", VERTICES.as_bytes());
    // The same: three floats, four bytes of padding, two signed words.
    let mut bytes = Vec::new();
    for ([x, y, z], [s, t]) in [
        ([1.0f32, 2.0, 3.0], [5i16, -6]),
        ([-1.0, 0.5, 0.0], [7, 8]),
        ([0.0, 0.0, 4.0], [0, 1]),
    ] {
        bytes.extend([x, y, z].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0xAA; 4]);
        bytes.extend([s, t].iter().flat_map(|x| x.to_le_bytes()));
    }
    put("v.bin", &bytes);
    folder
}

/// Twice the position plus (10, 20, 30, 0); x of the coordinates and their product as a point size.
const SHADER: &str = "vs_1_1\ndcl_position v0\ndcl_texcoord1 v3\nmad oPos, v0, c0.x, c[1]\n\
                      mov oT2.x, v3\nmul oPts, v3.x, v3.y\n";
const CONSTANTS: &str = r#"{ "c": { "0": [2], "c1": [10, 20, 30] } }"#;
const VERTICES: &str = "position.x,position.y,position.z,texcoord1.x,texcoord1.y\n\
                        1,2,3,5,-6\n-1,0.5,0,7,8\n0,0,4,0,1\n";

const CSV: &str = "position.x,position.y,position.z,position.w,psize,texcoord2.x\n\
                   12,24,36,2,-30,5\n8,21,30,2,56,7\n10,20,38,2,0,0\n";

const LAYOUT: &str = "position float3, texcoord1 short2 @16";

#[test]
fn vertices_with_names_and_vertices_as_bytes_give_the_same() {
    let folder = folder("pv_both");
    let csv = good(&pv(
        &folder,
        &[
            "move.asm",
            "--vertices",
            "v.csv",
            "--constants",
            "c.json",
            "--format",
            "csv",
        ],
        b"",
    ));
    assert_eq!(csv, CSV);
    let arguments = [
        "move.asm",
        "--vertices",
        "v.bin",
        "--constants",
        "c.json",
        "-o",
        "out/r.csv",
        "--elements",
        LAYOUT,
    ];
    assert_eq!(good(&pv(&folder, &arguments, b"")), "");
    let csv = std::fs::read_to_string(folder.join("out/r.csv")).unwrap();
    assert_eq!(csv, CSV);
    // The layout in a file, the vertices on standard input.
    std::fs::write(folder.join("layout"), LAYOUT.replace(", ", "\n")).unwrap();
    let bytes = std::fs::read(folder.join("v.bin")).unwrap();
    let arguments = [
        "move.asm",
        "--vertices",
        "-",
        "--constants",
        "c.json",
        "--format",
        "csv",
        "--decl",
        "layout",
    ];
    assert_eq!(good(&pv(&folder, &arguments, &bytes)), CSV);
}

#[test]
fn a_part_is_printed_as_a_table() {
    let folder = folder("pv_table");
    let arguments = [
        "move.asm",
        "--vertices",
        "v.csv",
        "--constants",
        "c.json",
        "--start",
        "1",
        "--count",
        "1",
    ];
    let table = good(&pv(&folder, &arguments, b""));
    assert_eq!(
        table,
        "vertex  position.x  position.y  position.z  position.w  psize  texcoord2.x\n     \
         1           8          21          30           2     56            7\n"
    );
}

#[test]
fn json_has_outputs_by_name_and_null_for_what_is_not_written() {
    let folder = folder("pv_json");
    let arguments = [
        "move.asm",
        "--vertices",
        "v.csv",
        "--constants",
        "c.json",
        "--json",
    ];
    let json = good(&pv(&folder, &arguments, b""));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 3);
    let expected = serde_json::json!({
        "vertex": 1,
        "outputs": {
            "position": [8.0, 21.0, 30.0, 2.0],
            "psize": 56.0,
            "texcoord2": [7.0, null, null, null],
        },
    });
    assert_eq!(json[1], expected);
}

#[test]
fn numbers_are_written_as_bytes_and_what_is_none_survives() {
    let folder = folder("pv_bin");
    let shader = "vs_2_0\ndcl_position v0\nmov oPos, v0\n";
    let vertices = "v0.x,v0.y\ninf,nan\n0.1,-0\n";
    std::fs::write(folder.join("v.csv"), vertices).unwrap();
    let run = |format| {
        let arguments = ["-", "--vertices", "v.csv", "--format", format];
        pv(&folder, &arguments, shader.as_bytes())
    };
    let output = run("bin");
    good(&output);
    let floats: Vec<f32> = output
        .stdout
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    assert_eq!(floats.len(), 8);
    assert!(floats[0] == f32::INFINITY && floats[1].is_nan());
    assert_eq!(floats[2..5], [0.0, 1.0, 0.1]);
    assert_eq!(floats[5].to_bits(), (-0.0f32).to_bits());
    let json: serde_json::Value = serde_json::from_str(&good(&run("json"))).unwrap();
    let position = &json[0]["outputs"]["position"];
    assert_eq!(*position, serde_json::json!(["inf", "NaN", 0.0, 1.0]));
    assert_eq!(json[1]["outputs"]["position"][0].to_string(), "0.1");
}

#[test]
fn an_fvf_code_is_a_layout() {
    let folder = folder("pv_fvf");
    let shader = "vs_1_1\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n";
    std::fs::write(folder.join("s.asm"), shader).unwrap();
    // D3DFVF_XYZ | D3DFVF_DIFFUSE; the colour is 0xAARRGGBB: blue 0, green 51, red 255, alpha 102.
    let mut bytes = Vec::new();
    bytes.extend([1.0f32, 2.0, 3.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0, 51, 255, 102]);
    let arguments = [
        "s.asm",
        "--vertices",
        "-",
        "--fvf",
        "0x42",
        "--format",
        "csv",
    ];
    let csv = good(&pv(&folder, &arguments, &bytes));
    let second = csv.lines().nth(1).unwrap();
    assert_eq!(second, "1,2,3,1,1,0.2,0,0.4");
}

#[test]
fn more_vertices_than_run_together_keep_their_order() {
    let folder = folder("pv_many");
    let mut vertices = "position\n".to_owned();
    (0..1000).for_each(|n| vertices += &format!("{n}\n"));
    std::fs::write(folder.join("v.csv"), vertices).unwrap();
    std::fs::write(
        folder.join("s.asm"),
        "vs_1_1\ndcl_position v0\nadd oPos.x, v0, v0\n",
    )
    .unwrap();
    let arguments = [
        "s.asm",
        "--vertices",
        "v.csv",
        "--start",
        "7",
        "--format",
        "csv",
    ];
    let csv = good(&pv(&folder, &arguments, b""));
    let numbers: Vec<usize> = csv.lines().skip(1).map(|l| l.parse().unwrap()).collect();
    assert_eq!(numbers, (7..1000).map(|n| 2 * n).collect::<Vec<_>>());
}

#[test]
fn mistakes_name_file_line_and_field() {
    let folder = folder("pv_bad");
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    put("bad.csv", "position.x,texcoord1.x\n1,2\n3,four\n");
    put("bad.json", "{ \"c\": { \"0\": [1, true] } }");
    put("cut.json", "{ \"c\":\n [ }");
    put("bad.decl", "position float3\ntexcoord1 float9\n");
    put(
        "stray.asm",
        "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, c[a0.x + 250]\n",
    );
    put("pixel.asm", "ps_2_0\nmov oC0, c0\n");
    put("broken.asm", "vs_1_1\nmov oPos\n");
    put("few.csv", "position.x\n1\n9\n");
    let refused = |arguments: &[&str]| bad(&pv(&folder, arguments, b""), 1);
    for (arguments, expected) in [
        (
            &["move.asm", "--vertices", "bad.csv"][..],
            "ninefold: bad.csv:3: field 2 (texcoord1.x): \"four\" is no number",
        ),
        (
            &["move.asm", "--vertices", "v.csv", "--constants", "bad.json"],
            "ninefold: bad.json: c0: y: true is no such number",
        ),
        (
            &["move.asm", "--vertices", "v.csv", "--constants", "cut.json"],
            "ninefold: cut.json: expected value at line 2 column 4",
        ),
        (
            &["move.asm", "--vertices", "v.bin", "--decl", "bad.decl"],
            "ninefold: bad.decl:2: texcoord1 float9: float9 is no type such as float3 or ubyte4n",
        ),
        (
            &[
                "move.asm",
                "--vertices",
                "v.bin",
                "--elements",
                "position float3",
            ],
            "ninefold: the shader reads v3, texcoord1, which the vertices do not have",
        ),
        (
            &["move.asm", "--vertices", "few.csv"],
            "ninefold: the shader reads v3, texcoord1, which the vertices do not have",
        ),
        (
            &["move.asm", "--vertices", "v.bin"],
            "ninefold: v.bin is not text: vertices that are bytes need --elements, --decl or --fvf",
        ),
        (
            &["pixel.asm", "--vertices", "v.csv"],
            "ninefold: pixel.asm is a ps_2_0, expected a vertex shader",
        ),
        (
            &["move.asm", "--vertices", "v.csv", "--start", "4"],
            "ninefold: --start 4: there are 3 vertices",
        ),
        (
            &[
                "move.asm",
                "--vertices",
                "v.csv",
                "--start",
                "2",
                "--count",
                "2",
            ],
            "ninefold: --count 2: there are 1 vertices from --start on",
        ),
    ] {
        assert_eq!(refused(arguments), expected);
    }
    let said = refused(&["broken.asm", "--vertices", "v.csv"]);
    assert!(said.starts_with("ninefold: broken.asm:2:"), "{said}");
    // c259 of 256, for the second vertex.
    let said = refused(&["stray.asm", "--vertices", "few.csv"]);
    assert!(
        said.contains("vertices 0 to 1") && said.contains("c259"),
        "{said}"
    );
    let said = refused(&["gone.asm", "--vertices", "v.csv"]);
    assert!(said.starts_with("ninefold: reading gone.asm"), "{said}");
    let twice = ["-", "--vertices", "-"];
    let said = bad(&pv(&folder, &twice, b""), 2);
    assert_eq!(said, "ninefold: only one file can be standard input");
    let named = ["move.asm", "--vertices", "v.csv", "--fvf", "2"];
    bad(&pv(&folder, &named, b""), 2);
}

#[test]
fn nothing_is_nothing() {
    let folder = folder("pv_nothing");
    let run = |arguments: &[&str]| good(&pv(&folder, arguments, b""));
    let none = ["move.asm", "--vertices", "v.csv", "--count", "0", "--json"];
    assert_eq!(run(&none), "[]\n");
    std::fs::write(folder.join("idle.asm"), "vs_1_1\n").unwrap();
    let idle = run(&["idle.asm", "--vertices", "v.csv", "--json"]);
    let idle: serde_json::Value = serde_json::from_str(&idle).unwrap();
    assert_eq!(idle.as_array().unwrap().len(), 3);
    let short = [
        "move.asm",
        "--vertices",
        "-",
        "--elements",
        LAYOUT,
        "--format",
        "csv",
    ];
    let output = pv(&folder, &short, &[0; 19]);
    let csv = good(&output);
    assert_eq!(csv.lines().count(), 1, "no whole vertex: {csv}");
    // Forty bytes are two vertices.
    for (bytes, said) in [
        (
            19,
            "ninefold: standard input: the last 19 bytes are no whole vertex of 20 bytes\n",
        ),
        (40, ""),
        (
            41,
            "ninefold: standard input: the last 1 bytes are no whole vertex of 20 bytes\n",
        ),
    ] {
        let output = pv(&folder, &short, &vec![0; bytes]);
        good(&output);
        assert_eq!(String::from_utf8_lossy(&output.stderr), said);
    }
}
