//! Decode and validate every real stream, next to a plain scan of the same
//! words: the floor that memory and one pass over the tokens set.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use ninefold_bytecode::{ContentKey, Reader, ShaderCode, assemble, disassemble};
use std::time::{Duration, Instant};

fn streams() -> Vec<Vec<u32>> {
    let words = |bytes: &Vec<u8>| {
        let (words, _) = bytes.as_chunks::<4>();
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    common::corpus()
        .unwrap_or_default()
        .iter()
        .map(|(_, bytes)| words(bytes))
        .collect()
}

fn scan(tokens: &[u32]) -> usize {
    tokens.iter().filter(|token| **token == 0xFFFF).count()
}

fn parse(tokens: &[u32]) -> usize {
    ShaderCode::parse(tokens).map_or(0, |code| code.instruction_count())
}

fn decode(tokens: &[u32]) -> usize {
    Reader::new(tokens).map_or(0, |reader| reader.filter(Result::is_ok).count())
}

fn key(tokens: &[u32]) -> usize {
    ContentKey::of(tokens).get() as usize
}

fn text(tokens: &[u32]) -> usize {
    let code = ShaderCode::parse(tokens).ok();
    let back = code.and_then(|code| assemble(&disassemble(&code)).ok());
    back.map_or(0, |code| code.tokens().len())
}

/// Something done to one stream, with a result the compiler cannot drop.
type Work = fn(&[u32]) -> usize;

/// The work, over all streams, by name.
const WORK: [(&str, Work); 5] = [
    ("plain scan (the baseline)", scan),
    ("content key", key),
    ("decode", decode),
    ("parse: decode, validate, key, copy", parse),
    ("parse, disassemble, assemble", text),
];

#[divan::bench(args = WORK.map(|(name, _)| name))]
fn corpus(bencher: Bencher, name: &str) {
    let streams = streams();
    let (_, work) = WORK.into_iter().find(|(other, _)| *other == name).unwrap();
    let tokens: usize = streams.iter().map(Vec::len).sum();
    bencher
        .counter(BytesCount::new(tokens * 4))
        .counter(ItemsCount::new(streams.len()))
        .bench_local(|| {
            black_box(&streams)
                .iter()
                .map(|tokens| work(tokens))
                .sum::<usize>()
        });
}

/// Best of several passes over all streams.
fn best(streams: &[Vec<u32>], work: Work) -> Duration {
    let pass = || {
        let start = Instant::now();
        black_box(
            black_box(streams)
                .iter()
                .map(|tokens| work(tokens))
                .sum::<usize>(),
        );
        start.elapsed()
    };
    (0..9).map(|_| pass()).min().unwrap_or_default()
}

fn main() {
    let streams = streams();
    if streams.is_empty() {
        return;
    }
    let tokens: usize = streams.iter().map(Vec::len).sum();
    let baseline = best(&streams, scan).as_secs_f64();
    println!(
        "{} streams, {tokens} tokens; times are the best of 9 passes",
        streams.len()
    );
    for (name, work) in WORK {
        let seconds = best(&streams, work).as_secs_f64();
        println!(
            "{name:36} {:9.1} MB/s {:8.2} us/shader {:7.1} x the scan",
            tokens as f64 * 4e-6 / seconds,
            seconds * 1e6 / streams.len() as f64,
            seconds / baseline,
        );
    }
    divan::main();
}
