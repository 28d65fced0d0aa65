//! `include/ninefold.h` has every function, and compilers take it. That it is what cbindgen makes of the
//! sources the package in `header/` checks.

use std::process::Command;

use crate::harness::*;

/// Every function that is exported is in the header, with its documentation.
#[test]
fn header_documents_every_function() {
    let header = std::fs::read_to_string(crate_dir().join("include/ninefold.h")).expect("a header");
    let lines: Vec<&str> = header.lines().collect();
    let mut functions = 0;
    for entry in std::fs::read_dir(crate_dir().join("src")).expect("the sources") {
        let text = std::fs::read_to_string(entry.expect("a source").path()).expect("text");
        for after in text.split("#[unsafe(no_mangle)]").skip(1) {
            let name = after
                .split("fn ")
                .nth(1)
                .and_then(|rest| rest.split('(').next());
            let name = name.expect("a function after no_mangle");
            assert!(name.starts_with("nf_"), "{name}");
            let call = format!("{name}(");
            let is_it = |line: &&str| !line.starts_with(" *") && line.contains(&call);
            let at = lines.iter().position(is_it);
            let at = at.unwrap_or_else(|| panic!("{name} is not in the header"));
            // The comment ends on the line before the declaration.
            assert!(
                at > 0 && lines[at - 1] == " */",
                "{name} has no documentation"
            );
            functions += 1;
        }
    }
    let declared = header.matches("\n * Returns").count();
    println!("{functions} functions, {declared} say what they return");
    assert!(functions >= 50);
}

#[test]
fn header_is_taken_by_c_and_cpp() {
    let folder = scratch("header");
    let text = "#include <ninefold.h>\n#include <ninefold.h>\nint main(void) { return NF_OK; }\n";
    for (compiler, extension, standards) in [
        ("gcc", "c", &["c99", "c11", "c17"][..]),
        ("g++", "cpp", &["c++98", "c++11", "c++20"]),
        ("clang", "c", &["c99"]),
        ("clang++", "cpp", &["c++11"]),
    ] {
        if !can_compile(compiler) {
            continue;
        }
        let source = folder.join(format!("header.{extension}"));
        std::fs::write(&source, text).expect("a source");
        for standard in standards {
            let mut command = Command::new(compiler);
            command
                .arg(format!("-std={standard}"))
                .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
                .arg("-I")
                .arg(crate_dir().join("include"))
                .arg(&source);
            // C++ before 11 has no long long, which stdint.h needs.
            if *standard == "c++98" {
                command.arg("-Wno-long-long");
            }
            succeeded(
                &format!("{compiler} -std={standard}"),
                &command.output().expect("the compiler runs"),
            );
        }
    }
}
