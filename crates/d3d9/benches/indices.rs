//! What it takes to make a draw's indices ready: one at a time by a plain loop, and as draws do it.
//! The plain loop reads bytes, adds a base, refuses what lies outside of the vertices and writes
//! 16-bit indices, fans as lists. Draws hand indices on as they are and only look for the smallest
//! and the largest, with as many at once as the processor can; the copy to where the GPU reads them
//! is measured with them.

use std::hint::black_box;
use std::time::Instant;

// The crate's own files: what is measured is not public.
#[path = "../src/compare.rs"]
#[allow(dead_code, unused_imports)]
mod compare;
#[path = "../src/fault.rs"]
#[allow(dead_code, unused_imports)]
mod fault;
#[path = "../src/hresult.rs"]
#[allow(dead_code, unreachable_pub)]
mod hresult;
#[path = "../src/indices.rs"]
#[allow(dead_code, unused_imports)]
mod indices;

use indices::{IndexScratch, Source, normalise};
use ninefold_renderer::IndexData;

/// Vertices that there are.
const VERTICES: i64 = 60_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    List,
    Strip,
    Fan,
}

/// The general loop of the specification, without its short cut.
fn plain(source: (&[u8], bool), fan: bool, count: u32, base: i64, out: &mut Vec<u16>) -> bool {
    let (bytes, wide) = source;
    let index = |n: u32| -> Option<u16> {
        let n = n as usize;
        let value = match wide {
            true => u32::from_le_bytes(bytes.get(n * 4..n * 4 + 4)?.try_into().ok()?),
            false => u16::from_le_bytes(bytes.get(n * 2..n * 2 + 2)?.try_into().ok()?).into(),
        };
        let moved = i64::from(value) + base;
        (0..VERTICES).contains(&moved).then_some(moved as u16)
    };
    out.clear();
    if !fan {
        for n in 0..count {
            let Some(index) = index(n) else { return false };
            out.push(index);
        }
        return true;
    }
    for i in 0..count - 2 {
        for n in [0, i + 1, i + 2] {
            let Some(index) = index(n) else { return false };
            out.push(index);
        }
    }
    true
}

/// Nanoseconds of a call: the least of several runs.
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..15).map(run).fold(f64::MAX, f64::min)
}

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    println!(
        "nanoseconds to make indices ready, the least of 15 runs, and times as fast as the plain loop:"
    );
    let mut scratch = IndexScratch::default();
    for (name, shape) in [
        ("list", Shape::List),
        ("strip", Shape::Strip),
        ("fan", Shape::Fan),
    ] {
        let fan = shape == Shape::Fan;
        for wide in [false, true] {
            for count in [300u32, 3_000, 100_000] {
                // A strip is as many indices as a list, with other neighbours.
                let of = |n: u32| match shape {
                    Shape::List => n / 3 * 2 + n % 3,
                    _ => n,
                };
                let narrow = |n: u32| (of(n) % VERTICES as u32) as u16;
                let bytes: Vec<u8> = match wide {
                    true => (0..count)
                        .flat_map(|n| u32::from(narrow(n)).to_le_bytes())
                        .collect(),
                    false => (0..count).flat_map(|n| narrow(n).to_le_bytes()).collect(),
                };
                let calls = if test { 1 } else { 30_000_000 / count / 10 };
                let mut out = Vec::new();
                let loop_time = time(calls, || {
                    let source = (black_box(&bytes[..]), wide);
                    assert!(plain(source, fan, count, black_box(0), &mut out));
                });
                let expected: Vec<u32> = out.iter().map(|i| u32::from(*i)).collect();
                let mut same = true;
                let own = time(calls, || {
                    let source = Source::Bytes(black_box(&bytes[..]), wide);
                    let made = normalise(source, fan, count, &mut scratch);
                    same &= made.is_ok_and(|made| i64::from(made.high) < VERTICES);
                });
                let mut arena = vec![0u8; expected.len() * 4];
                let copied = time(calls, || {
                    let source = Source::Bytes(black_box(&bytes[..]), wide);
                    let made = normalise(source, fan, count, &mut scratch);
                    let data: &[u8] = match made.as_ref().map(|made| &made.data) {
                        Ok(Some(IndexData::U16(indices))) => bytemuck::cast_slice(indices),
                        Ok(Some(IndexData::U32(indices))) => bytemuck::cast_slice(indices),
                        _ => &[],
                    };
                    same &= !data.is_empty();
                    black_box(&mut arena[..data.len()]).copy_from_slice(data);
                });
                assert!(same, "indices were made");
                if fan {
                    // The same triangles, each from its second vertex on.
                    let turned = expected.chunks_exact(3).flat_map(|t| [t[1], t[2], t[0]]);
                    let words = arena.chunks_exact(4).map(|b| {
                        let word = b.try_into().expect("four");
                        u32::from_le_bytes(word)
                    });
                    assert!(turned.eq(words), "the same");
                }
                let bits = if wide { 32 } else { 16 };
                println!(
                    "  {name:<5} {bits} bits {count:>6}  plain loop {loop_time:>9.0}  ready {own:>8.0} ({:.1})  and copied {copied:>8.0} ({:.1})",
                    loop_time / own,
                    loop_time / copied
                );
            }
        }
    }
}
