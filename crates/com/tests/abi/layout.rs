//! Vtables and structs lie in memory as `d3d9.h` says, and our headers carry it through gcc and
//! clang, as C and as C++.

use std::collections::HashMap;
use std::fmt::Write;
use std::process::Command;

use crate::harness::*;

/// Interfaces of which an Ex interface is an extension: their slots are its first.
const BASES: [(&str, &str); 3] = [
    ("IDirect3D9Ex", "IDirect3D9"),
    ("IDirect3DDevice9Ex", "IDirect3DDevice9"),
    ("IDirect3DSwapChain9Ex", "IDirect3DSwapChain9"),
];

#[test]
fn vtables_and_structs_match_the_header() {
    if !can_compile("gcc") {
        return;
    }
    let mut source = String::from(
        "#include <d3d9.h>\n#include <stddef.h>\n#include <stdio.h>\n\
         #define S(t) printf(\"%s %zu\\n\", #t, sizeof(t));\n\
         #define O(i, m) printf(\"%s.%s %zu\\n\", #i, #m, offsetof(i##Vtbl, m));\n\
         int main(void)\n{\n",
    );
    let mut expected = HashMap::new();
    for (name, size) in d3d9::layout::sizes() {
        writeln!(source, "S({name})").expect("text");
        expected.insert(name.to_owned(), size);
    }
    for (interface, slots) in d3d9::layout::vtables() {
        writeln!(source, "S({interface}Vtbl)").expect("text");
        expected.insert(format!("{interface}Vtbl"), slots.len() * size_of::<usize>());
        for (method, offset) in slots {
            writeln!(source, "O({interface}, {method})").expect("text");
            expected.insert(format!("{interface}.{method}"), *offset);
        }
    }
    // The header's own list of a base interface, by its length: the first slots of the Ex one.
    let base_slots: HashMap<&str, usize> = HashMap::from([
        ("IDirect3D9", 17),
        ("IDirect3DDevice9", 119),
        ("IDirect3DSwapChain9", 10),
    ]);
    for (extended, base) in BASES {
        let vtables = d3d9::layout::vtables();
        let (_, slots) = vtables
            .iter()
            .find(|(name, _)| *name == extended)
            .expect("an interface");
        writeln!(source, "S({base}Vtbl)").expect("text");
        expected.insert(format!("{base}Vtbl"), base_slots[base] * size_of::<usize>());
        for (method, offset) in &slots[..base_slots[base]] {
            writeln!(source, "O({base}, {method})").expect("text");
            expected.insert(format!("{base}.{method}"), *offset);
        }
    }
    source.push_str("return 0;\n}\n");

    let folder = scratch("layout");
    let file = folder.join("layout.c");
    std::fs::write(&file, source).expect("the source is written");
    let output = Command::new(compile(&file, &folder))
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut seen = 0;
    for line in text.lines() {
        let (name, number) = line.split_once(' ').expect("a name and a number");
        let number: usize = number.parse().expect("a number");
        assert_eq!(
            expected.get(name),
            Some(&number),
            "{name}: the header says {number}"
        );
        seen += 1;
    }
    assert_eq!(seen, expected.len());
}

#[test]
fn every_program_compiles_with_clang() {
    if !can_compile("clang") {
        return;
    }
    let programs = crate_dir().join("tests/c");
    let example = crate_dir().join("examples/triangle/triangle.c");
    let sources = std::fs::read_dir(programs)
        .expect("programs")
        .map(|e| e.expect("a file").path());
    for source in sources.chain([example]) {
        if source.extension().is_some_and(|e| e == "c" || e == "cpp") {
            compiles_with(&source, "clang", "clang++");
        }
    }
}

/// The same header in the oldest and newest dialects that programs use, with every warning on.
#[test]
fn headers_compile_in_every_dialect() {
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("dialects");
    let text = "#include <d3d9.h>\n\
                int use(IDirect3DDevice9 *d, IUnknown *u);\n\
                int use(IDirect3DDevice9 *d, IUnknown *u)\n\
                { return sizeof(LONG) == 4 && sizeof(DWORD) == 4 && sizeof(WCHAR) == 4 && d && u; }\n";
    for (file, compilers, dialects) in [
        (
            "d.c",
            ["gcc", "clang"],
            &["c99", "gnu99", "c11", "gnu17"][..],
        ),
        (
            "d.cpp",
            ["g++", "clang++"],
            &["c++11", "c++14", "c++20"][..],
        ),
    ] {
        let source = folder.join(file);
        std::fs::write(&source, text).expect("the source is written");
        for compiler in compilers
            .into_iter()
            .filter(|c| *c != "clang" && *c != "clang++" || can_compile("clang"))
        {
            for dialect in dialects {
                let output = Command::new(compiler)
                    .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
                    .arg(format!("-std={dialect}"))
                    .arg("-I")
                    .arg(crate_dir().join("include"))
                    .arg("-idirafter")
                    .arg(headers())
                    .arg(&source)
                    .output()
                    .expect("the compiler runs");
                assert!(
                    output.status.success(),
                    "{compiler} -std={dialect}: {}",
                    String::from_utf8_lossy(&output.stderr)
                );
            }
        }
    }
}
