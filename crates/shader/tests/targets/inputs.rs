//! The functions that are checked.

#[allow(dead_code)]
#[path = "../../../../tests/support/case.rs"]
mod case;

use crate::common;
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::{Error, Options, Translation, translate};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// The functions of a folder of streams, each once.
pub(crate) struct Corpus {
    pub(crate) functions: Vec<Translation>,
    versions: BTreeMap<String, [usize; 3]>,
}

impl Corpus {
    /// Streams, translated streams and distinct functions of each version.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from(
            "| version | streams | translated | distinct functions |\n|---|---:|---:|---:|\n",
        );
        let mut sum = [0; 3];
        for (version, counts) in &self.versions {
            let [streams, translated, distinct] = counts;
            let _ = writeln!(
                text,
                "| {version} | {streams} | {translated} | {distinct} |"
            );
            sum = [0, 1, 2].map(|i| sum[i] + counts[i]);
        }
        let _ = writeln!(text, "| all | {} | {} | {} |", sum[0], sum[1], sum[2]);
        text
    }
}

/// Every stream of the corpus; all must translate.
pub(crate) fn corpus(folder: &Path) -> Corpus {
    let mut corpus = Corpus {
        functions: Vec::new(),
        versions: BTreeMap::new(),
    };
    let mut seen = HashSet::new();
    for path in common::streams(folder) {
        let bytes = std::fs::read(&path).expect("the stream can be read");
        let code = ShaderCode::from_bytes(&bytes).expect("the stream reads");
        let translation = translate(&code, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let counts = corpus
            .versions
            .entry(code.version().to_string())
            .or_default();
        counts[0] += 1;
        counts[1] += 1;
        if seen.insert(translation.identity) {
            counts[2] += 1;
            corpus.functions.push(translation);
        }
    }
    corpus
}

/// The text cases that translate, with the options that they ask for.
pub(crate) fn cases() -> Vec<Translation> {
    let mut functions = Vec::new();
    let mut seen = HashSet::new();
    for (name, text) in common::case_texts() {
        let case = case::Case::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let code = assemble(&common::positioned(&case.text));
        let code = code.unwrap_or_else(|error| panic!("{name}: {error}"));
        // Only SPIR-V and MSL have a point's coordinate; there these cases run.
        let options = Options {
            point_sprite: false,
            ..case.options
        };
        if let Ok(translation) = translate(&code, &options)
            && seen.insert(translation.identity)
        {
            functions.push(translation);
        }
    }
    functions
}

/// `count` distinct functions from cases with a few bits changed, whatever translates.
pub(crate) fn mutants(count: usize) -> Vec<Translation> {
    let mut numbers = common::Numbers::new(0x0DDB_1A5E_5BAD_5EED);
    let sources: Vec<Vec<u32>> = common::case_texts()
        .into_iter()
        .filter_map(|(_, text)| Some(assemble(&text).ok()?.tokens().to_vec()))
        .collect();
    let mut functions = Vec::new();
    let mut seen = HashSet::new();
    while functions.len() < count {
        let mut words = sources[numbers.below(sources.len())].clone();
        for _ in 0..1 + numbers.below(3) {
            numbers.change(&mut words);
        }
        let Ok(code) = ShaderCode::parse(&words) else {
            continue;
        };
        let mut options = numbers.options();
        // Only SPIR-V and MSL have a point size.
        options.point_size = false;
        options.point_sprite = false;
        match translate(&code, &options) {
            Ok(translation) => {
                if seen.insert(translation.identity) {
                    functions.push(translation);
                }
            }
            Err(error @ Error::Invalid(_)) => panic!("{error}"),
            Err(_) => {}
        }
    }
    functions
}
