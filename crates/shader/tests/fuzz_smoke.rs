//! The fuzz targets of `fuzz/`, for a moment each: mutants of the text cases.

mod common;
#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use common::Numbers;
use ninefold_bytecode::assemble;

/// The cases' token streams as bytes.
fn seeds() -> Vec<Vec<u32>> {
    common::case_texts()
        .into_iter()
        .filter_map(|(_, text)| Some(assemble(&common::positioned(&text)).ok()?.tokens().to_vec()))
        .collect()
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
    let mut numbers = Numbers::new(0x5EED_0001);
    for seed in &seeds {
        targets::decode(&bytes(seed));
    }
    let accepted = (0..20_000)
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
fn asm() {
    let texts = common::case_texts();
    let mut numbers = Numbers::new(0x5EED_0002);
    for (_, text) in &texts {
        targets::asm(text.as_bytes());
    }
    let mut accepted = 0;
    for _ in 0..10_000 {
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
    let mut numbers = Numbers::new(0x5EED_0003);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let mut data: Vec<u8> = (0..48)
            .map(|_| (numbers.next() & numbers.next()) as u8)
            .collect();
        data.extend(bytes(&mutant(&mut numbers, &seeds)));
        accepted += usize::from(targets::translate(&data));
    }
    println!("{accepted} streams translate");
    assert!(accepted > 2_000, "only {accepted} streams translate");
}
