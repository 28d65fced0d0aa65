//! The outside compilers: one call checks one text, or many.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `command` with `input` on its standard input; what it printed when it failed.
fn feed(command: &mut Command, input: &[u8]) -> Result<(), String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A tool that fails early closes its end: its message is what counts then.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// glslangValidator's name of a stage.
fn stage_name(vertex: bool) -> &'static str {
    if vertex { "vert" } else { "frag" }
}

/// A GLSL function: its name, its stage, its text.
pub(crate) struct Glsl {
    pub(crate) entry: String,
    pub(crate) vertex: bool,
    pub(crate) text: String,
}

/// `glslangValidator` on many GLSL functions, each a file in `folder`: syntax, types, built-ins, and
/// the limits of desktop OpenGL. Gives the names of those refused and the first message of each.
pub(crate) fn glsl(functions: &[&Glsl], folder: &Path) -> Vec<(String, String)> {
    let folder = folder.join(format!("{:?}", std::thread::current().id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let mut command = Command::new("glslangValidator");
    for function in functions {
        let path = folder.join(format!(
            "{}.{}",
            function.entry,
            stage_name(function.vertex)
        ));
        std::fs::write(&path, &function.text).expect("the file can be written");
        command.arg(path);
    }
    let Err(message) = feed(&mut command, &[]) else {
        return Vec::new();
    };
    let mut refused: Vec<(String, String)> = Vec::new();
    // A file's messages follow its name.
    let mut file = "glslangValidator";
    for line in message.lines() {
        if let Some(path) = line.strip_prefix(folder.to_string_lossy().as_ref()) {
            file = path.trim_matches('/').split('.').next().unwrap_or(file);
        } else if line.starts_with("ERROR") && refused.iter().all(|(known, _)| known != file) {
            refused.push((file.to_owned(), line.to_owned()));
        }
    }
    if refused.is_empty() {
        refused.push(("glslangValidator".into(), message));
    }
    refused
}

/// `glslangValidator -D` on HLSL: syntax, types and intrinsics, compiled to SPIR-V.
///
/// It cannot check what only Direct3D's compiler knows: the limits of shader profiles,
/// clashes of `register(...)` (bindings are numbered anew here), whether semantics of one stage
/// meet the next one's, flattening and unrolling, and the cases where its HLSL is more lenient.
pub(crate) fn hlsl(text: &str, vertex: bool, entry: &str) -> Result<(), String> {
    feed(
        Command::new("glslangValidator")
            .args(["-D", "-V", "--auto-map-bindings", "--auto-map-locations"])
            .args(["-e", entry, "-o", "/dev/null", "--stdin", "-S"])
            .arg(stage_name(vertex)),
        text.as_bytes(),
    )
}

/// naga's own front end and validator on WGSL.
pub(crate) fn wgsl(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| e.emit_to_string(text))?;
    naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::CLIP_DISTANCES,
    )
    .validate(&module)
    .map(drop)
    .map_err(|error| error.emit_to_string(text))
}

/// Folder of the stand-in for Apple's headers.
pub(crate) const SHIM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/msl/include");

/// What clang needs to know to read MSL as C++.
pub(crate) const CLANG: [&str; 8] = [
    "-std=c++17",
    "-ffp-contract=off",
    "-Xclang",
    "-cl-single-precision-constant",
    "-Wno-everything",
    "-ferror-limit=0",
    "-I",
    SHIM,
];

/// One C++ text of many MSL functions, each in a namespace of its own; lines are counted from
/// each function's first, under its name.
pub(crate) fn one_text<'a>(functions: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::from("#include <metal_stdlib>\n#include <simd/simd.h>\n");
    for (name, function) in functions {
        let _ = writeln!(text, "namespace of_{name} {{\n#line 1 \"{name}\"");
        for line in function.lines() {
            // Headers belong outside the namespace.
            text.push_str(match line.starts_with("#include") {
                true => "",
                false => line,
            });
            text.push('\n');
        }
        text.push_str("}\n");
    }
    text
}

/// `clang++ -fsyntax-only` on MSL functions as C++; see the head of `tests/msl/include/metal_stdlib`
/// for what this can and cannot find. The error names the function.
pub(crate) fn msl(text: &str) -> Result<(), String> {
    feed(
        Command::new("clang++")
            .args(CLANG)
            .args(["-fsyntax-only", "-x", "c++", "-"]),
        text.as_bytes(),
    )
}
