//! The fuzz targets of `fuzz/`, for a moment each: mutants of the text cases.
//!
//! `NINEFOLD_FUZZ=50` makes fifty times as many, other ones, of the real streams too.

mod common;
#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use common::Numbers;
use ninefold_bytecode::{PackEntry, ShaderPack, assemble};

/// How many times as much as in a smoke run.
fn rounds() -> usize {
    let rounds = std::env::var("NINEFOLD_FUZZ").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// The cases' token streams, and in a long run those of the corpus.
fn seeds() -> Vec<Vec<u32>> {
    let cases = common::case_texts()
        .into_iter()
        .filter_map(|(_, text)| Some(assemble(&common::positioned(&text)).ok()?.tokens().to_vec()));
    let mut seeds: Vec<Vec<u32>> = cases.collect();
    if let (2.., Some(folder)) = (rounds(), common::shared("corpus")) {
        for path in common::streams(&folder) {
            let bytes = std::fs::read(path).expect("the file can be read");
            let (words, _) = bytes.as_chunks::<4>();
            seeds.push(words.iter().map(|word| u32::from_le_bytes(*word)).collect());
        }
    }
    seeds
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A seed with one to four words changed, now and then cut or joined to another.
fn mutant(numbers: &mut Numbers, seeds: &[Vec<u32>]) -> Vec<u32> {
    let mut words = seeds[numbers.below(seeds.len())].clone();
    if numbers.below(8) == 0 {
        let other = &seeds[numbers.below(seeds.len())];
        let from = numbers.below(other.len());
        words.truncate(1 + numbers.below(words.len()));
        words.extend(&other[from..]);
    }
    for _ in 0..1 + numbers.below(4) {
        numbers.change(&mut words);
    }
    words
}

#[test]
fn decode() {
    let seeds = seeds();
    let mut numbers = Numbers::new(0x5EED_0001 + 16 * (rounds() as u64 - 1));
    for seed in &seeds {
        targets::decode(&bytes(seed));
    }
    let accepted = (0..20_000 * rounds())
        .filter(|_| targets::decode(&bytes(&mutant(&mut numbers, &seeds))))
        .count();
    println!("{accepted} streams read");
    assert!(accepted > 1_000, "only {accepted} streams read");
    for length in 0..256 {
        let noise: Vec<u8> = (0..length).map(|_| numbers.next() as u8).collect();
        targets::decode(&noise);
    }
}

#[test]
fn pack() {
    let mut seeds = seeds();
    seeds.retain(|seed| seed[0] == 0xFFFF_0200);
    let mut numbers = Numbers::new(0x5EED_0004 + 16 * (rounds() as u64 - 1));
    let mut accepted = 0;
    for _ in 0..4_000 * rounds() {
        let entries: Vec<PackEntry> = (0..1 + numbers.below(3))
            .map(|_| PackEntry {
                original: seeds[numbers.below(seeds.len())][..].into(),
                replacement: seeds[numbers.below(seeds.len())][..].into(),
            })
            .collect();
        // Two entries may have drawn one original.
        let Ok(pack) = ShaderPack::from_entries(entries) else {
            continue;
        };
        let bytes = pack.to_bytes();
        let (words, _) = bytes.as_chunks::<4>();
        let mut words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        numbers.change(&mut words);
        accepted += usize::from(targets::pack(&self::bytes(&words)));
    }
    assert!(accepted > 100, "only {accepted} packs read");
}

#[test]
fn asm() {
    let texts = common::case_texts();
    let mut numbers = Numbers::new(0x5EED_0002 + 16 * (rounds() as u64 - 1));
    for (_, text) in &texts {
        targets::asm(text.as_bytes());
    }
    let mut accepted = 0;
    for _ in 0..10_000 * rounds() {
        let mut text = texts[numbers.below(texts.len())].1.clone().into_bytes();
        for _ in 0..1 + numbers.below(4) {
            let at = numbers.below(text.len());
            match numbers.below(4) {
                0 => drop(text.remove(at)),
                1 => text[at] = b" \n,.-_()[]+;0179acrvtxyzw"[numbers.below(25)],
                2 => text.truncate(at.max(8)),
                _ => {
                    let from = numbers.below(text.len());
                    let piece = text[from..text.len().min(from + 12)].to_vec();
                    text.splice(at..at, piece);
                }
            }
        }
        accepted += usize::from(targets::asm(&text));
    }
    println!("{accepted} texts assemble");
    assert!(accepted > 1_000, "only {accepted} texts assemble");
}

#[test]
fn translate() {
    let seeds = seeds();
    let mut numbers = Numbers::new(0x5EED_0003 + 16 * (rounds() as u64 - 1));
    let mut accepted = 0;
    for _ in 0..30_000 * rounds() {
        let mut data: Vec<u8> = (0..48)
            .map(|_| (numbers.next() & numbers.next()) as u8)
            .collect();
        data.extend(bytes(&mutant(&mut numbers, &seeds)));
        accepted += usize::from(targets::translate(&data));
    }
    println!("{accepted} streams translate");
    assert!(accepted > 2_000, "only {accepted} streams translate");
}

/// The vs_1_1 cases, and as many shaders that do have fog.
#[test]
fn radial_fog() {
    let mut seeds: Vec<Vec<u32>> = seeds();
    seeds.retain(|seed| seed[0] == 0xFFFE_0101);
    let fogged = [
        "dp4 oPos, v0, c0\ndp4 oFog, v0, c6\n",
        "mov r0, v0\nmov oPos, r0\ndp3 r1.xy, r0, c8\nadd r1.xy, r1, c8.w\nmov oT0.xy, r1\n",
        "mov a0.x, v1.x\ndp4 r0, v0, c[a0.x + 20]\nmov oPos, r0\ndp4 oT0.x, r0, c7\n\
         dp4 oT0.y, r0, c6\ndp4 oD0, v0, c8\n",
    ];
    let each = seeds.len() / fogged.len() + 1;
    for text in fogged {
        let code = assemble(&format!("vs_1_1\n{text}")).expect("it assembles");
        seeds.extend(std::iter::repeat_n(code.tokens().to_vec(), each));
    }
    let mut numbers = Numbers::new(0x5EED_0005 + 16 * (rounds() as u64 - 1));
    let mut accepted = 0;
    for _ in 0..60_000 * rounds() {
        let mut words = mutant(&mut numbers, &seeds);
        if numbers.below(2) == 0 {
            // A constant's number, in whatever instruction it is.
            let at = numbers.below(words.len());
            if words[at] >> 28 == 0xA {
                words[at] = (words[at] & !0x7FF) | (6 + numbers.below(3) as u32);
            }
        }
        let mut data = vec![numbers.next() as u8];
        data.extend(bytes(&words));
        accepted += usize::from(targets::radial_fog(&data));
    }
    println!("{accepted} streams rewritten");
    assert!(accepted > 1_000, "only {accepted} streams rewritten");
}
