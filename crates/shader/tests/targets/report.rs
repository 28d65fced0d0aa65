//! Counts of what passed, and the table of them in the docs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One of the checks after naga's validator, which every translation has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Check {
    Spirv,
    Wgsl,
    Glsl,
    Hlsl,
    Msl,
    MslOfDrivers,
}

const CHECKS: [(Check, &str); 6] = [
    (Check::Spirv, "SPIR-V: spirv-val"),
    (Check::Wgsl, "WGSL: naga's front end"),
    (Check::Glsl, "GLSL: glslangValidator"),
    (Check::Hlsl, "HLSL: glslangValidator -D"),
    (Check::Msl, "MSL: clang++ under the shim"),
    (
        Check::MslOfDrivers,
        "MSL in the slots of wgpu-hal: clang++ under the shim",
    ),
];

/// What became of a set of functions.
pub(crate) struct Report {
    functions: usize,
    faults: BTreeMap<Check, Vec<String>>,
}

impl Report {
    pub(crate) fn new(functions: usize) -> Self {
        Self {
            functions,
            faults: BTreeMap::new(),
        }
    }

    pub(crate) fn fault(&mut self, check: Check, entry: &str, message: &str) {
        let text = format!("{entry}: {check:?}: {message}");
        self.faults.entry(check).or_default().push(text);
    }

    /// Errors of one clang process: the lines name the functions.
    pub(crate) fn faults_of_many(&mut self, check: Check, message: &str) {
        let mut seen = Vec::new();
        for line in message.lines().filter(|line| line.contains("error:")) {
            let name = line.split(':').next().unwrap_or_default();
            if !seen.contains(&name) {
                seen.push(name);
                self.fault(check, name, line);
            }
        }
        if seen.is_empty() {
            self.fault(check, "clang++", message);
        }
    }

    pub(crate) fn table(&self) -> String {
        let mut text = String::from("| check | passed | refused |\n|---|---:|---:|\n");
        let _ = writeln!(text, "| naga's validator | {} | 0 |", self.functions);
        for (check, name) in CHECKS {
            let refused = self.faults.get(&check).map_or(0, Vec::len);
            let passed = self.functions - refused.min(self.functions);
            let _ = writeln!(text, "| {name} | {passed} | {refused} |");
        }
        text
    }

    pub(crate) fn assert_clean(&self) {
        let first: Vec<&str> = self
            .faults
            .values()
            .flat_map(|faults| faults.iter().take(5))
            .map(String::as_str)
            .collect();
        assert!(first.is_empty(), "refused:\n{}", first.join("\n"));
    }
}

/// The docs quote the table between two marks; `BLESS=1` writes it there.
pub(crate) fn same_as_in_the_docs(table: &str) {
    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/shader-targets.md");
    const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->"];
    let docs = std::fs::read_to_string(PATH).expect("docs/shader-targets.md can be read");
    let from = docs.find(MARKS[0]).expect("the first mark") + MARKS[0].len();
    let to = docs.find(MARKS[1]).expect("the second mark");
    if docs[from..to] == *table {
        return;
    }
    assert!(
        std::env::var_os("BLESS").is_some_and(|value| value == "1"),
        "docs/shader-targets.md is not up to date; BLESS=1 writes it"
    );
    let docs = format!("{}{table}{}", &docs[..from], &docs[to..]);
    std::fs::write(PATH, docs).expect("docs/shader-targets.md can be written");
}
