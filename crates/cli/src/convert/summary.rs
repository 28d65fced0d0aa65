//! Counts over many shaders, as a table.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What became of the shaders of each version.
#[derive(Default)]
pub(super) struct Summary {
    versions: BTreeMap<String, Counts>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    good: usize,
    bad: usize,
    tokens: usize,
    instructions: usize,
}

impl Summary {
    /// Counts a shader that passed.
    pub(super) fn good(&mut self, version: &str, tokens: usize, instructions: usize) {
        let counts = self.versions.entry(version.to_owned()).or_default();
        counts.good += 1;
        counts.tokens += tokens;
        counts.instructions += instructions;
    }

    /// Counts a shader that failed; `None` when not even its version could be told.
    pub(super) fn bad(&mut self, version: Option<&str>) {
        let version = version.unwrap_or("unknown");
        self.versions.entry(version.to_owned()).or_default().bad += 1;
    }

    pub(super) fn is_clean(&self) -> bool {
        self.versions.values().all(|counts| counts.bad == 0)
    }

    pub(super) fn table(&self) -> String {
        let mut out = String::new();
        let mut row = |name: &str, counts: Counts| {
            let Counts {
                good,
                bad,
                tokens,
                instructions,
            } = counts;
            let _ = writeln!(
                out,
                "{name:<8} {good:>7} {bad:>7} {instructions:>13} {tokens:>9}"
            );
        };
        let mut all = Counts::default();
        for (version, &counts) in &self.versions {
            row(version, counts);
            all.good += counts.good;
            all.bad += counts.bad;
            all.tokens += counts.tokens;
            all.instructions += counts.instructions;
        }
        row("all", all);
        let head = ["version", "good", "bad", "instructions", "tokens"];
        let [version, good, bad, instructions, tokens] = head;
        format!("{version:<8} {good:>7} {bad:>7} {instructions:>13} {tokens:>9}\n{out}")
    }
}
