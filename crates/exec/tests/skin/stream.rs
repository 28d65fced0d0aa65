//! Vertices in memory against the same as registers: every bit, or no stream.

use super::*;
use ninefold_exec::element::{Column, ElementType};
use ninefold_exec::skin::SkinStream;

const STRIDE: usize = 44;
/// More than a group, and no multiple of one.
const COUNT: usize = 20 * GROUP + 13;
const TYPES: [(usize, usize, ElementType); 4] = [
    (0, 0, ElementType::Float3),
    (2, 36, ElementType::Float2),
    (3, 32, ElementType::UByte4N),
    (4, 24, ElementType::Float2),
];

fn stored(seed: u64, odd: u32) -> Vec<u8> {
    let mut numbers = Numbers(seed);
    let mut bytes = Vec::new();
    for _ in 0..COUNT {
        for at in 0..STRIDE / 4 {
            match at * 4 {
                32 => bytes.extend([0; 4].map(|_| (3 * (numbers.next() % 70)) as u8)),
                _ => bytes.extend(numbers.float(odd).to_le_bytes()),
            }
        }
    }
    bytes
}

fn column(bytes: &[u8], indices: ElementType, place: usize) -> Option<Column<'_>> {
    let (_, at, ty) = *TYPES.iter().find(|(of, ..)| *of == place)?;
    Some(Column {
        bytes: bytes.get(at..)?,
        stride: STRIDE,
        ty: if place == 3 { indices } else { ty },
    })
}

fn constants(seed: u64, odd: u32, scale: f32) -> Vec<[f32; 4]> {
    let (mut floats, _) = scene(seed, odd);
    floats[9][3] = scale;
    floats
}

/// All registers' bits, of the first vertices of a group.
fn outputs(group: &SkinGroup, count: usize) -> Vec<[u32; 4]> {
    let register = |place| group.output(place).expect("an output")[..count].iter();
    let all = register(0).chain(register(5));
    all.map(|value| value.map(f32::to_bits)).collect()
}

#[test]
fn vertices_in_memory_give_the_same_bits() {
    let (_, skin) = known();
    for (indices, scale) in [
        (ElementType::UByte4N, 255.0),
        (ElementType::Color, 255.0),
        (ElementType::UByte4, 1.0),
    ] {
        for (seed, odd) in [(31, 0), (0xABCD_EF12, 1), (0xFEED_5EED, 8)] {
            let bytes = stored(seed, odd);
            let floats = constants(seed, odd, scale);
            let constants = Constants {
                floats: &floats,
                ..Constants::default()
            };
            let input = |place| column(&bytes, indices, place);
            let stream = skin.stream(input, COUNT, &constants).expect("a stream");
            let (mut fast, mut slow) = (SkinGroup::default(), SkinGroup::default());
            for first in (0..COUNT).step_by(GROUP) {
                let count = GROUP.min(COUNT - first);
                for (place, ..) in TYPES {
                    let column = input(place).expect("a column").from(first);
                    let register = slow.input(place).expect("an input");
                    column.load(count, |n, value| register[n] = value);
                }
                assert!(skin.run(&mut slow, count, &constants));
                stream.run(first, count, &mut fast);
                assert_eq!(outputs(&fast, count), outputs(&slow, count), "from {first}");
            }
        }
    }
}

#[test]
fn what_may_fail_or_is_stored_otherwise_is_no_stream() {
    let (_, skin) = known();
    let bytes = stored(7, 0);
    let floats = constants(7, 0, 255.0);
    let constants = Constants {
        floats: &floats,
        ..Constants::default()
    };
    fn there(stream: Option<SkinStream<'_>>) -> bool {
        stream.is_some()
    }
    let normal = ElementType::UByte4N;
    let with = |bytes: &[u8], count| {
        there(skin.stream(|place| column(bytes, normal, place), count, &constants))
    };
    assert!(with(&bytes, COUNT) && with(&bytes, 0));
    assert!(!with(&bytes, COUNT + 1) && !with(&bytes, usize::MAX));
    assert!(!with(&bytes[..bytes.len() - 1], COUNT));
    // A bone that there is not, of the last vertex alone.
    for at in [32, 33] {
        let mut stray = bytes.clone();
        stray[(COUNT - 1) * STRIDE + at] = 255;
        assert!(!with(&stray, COUNT) && with(&stray, COUNT - 1));
    }
    let other = bytes.clone();
    for changed in [0, 2, 3, 4] {
        let elsewhere = |place| {
            let from = if place == changed { &other } else { &bytes };
            column(from, normal, place)
        };
        assert!(!there(skin.stream(elsewhere, COUNT, &constants)));
        let typed = |place| {
            let column = column(&bytes, normal, place)?;
            let ty = if place == changed {
                ElementType::Short4
            } else {
                column.ty
            };
            Some(Column { ty, ..column })
        };
        assert!(!there(skin.stream(typed, COUNT, &constants)));
        let spaced = |place| {
            let column = column(&bytes, normal, place)?;
            let stride = if place == changed { 40 } else { STRIDE };
            Some(Column { stride, ..column })
        };
        assert!(!there(skin.stream(spaced, COUNT, &constants)));
        let lacking = |place| column(&bytes, normal, place).filter(|_| place != changed);
        assert!(!there(skin.stream(lacking, COUNT, &constants)));
    }
    // One vertex for all.
    let still = |place| {
        column(&bytes, normal, place).map(|column| Column {
            stride: 0,
            ..column
        })
    };
    assert!(!there(skin.stream(still, COUNT, &constants)));
    let none = Constants::default();
    let input = |place| column(&bytes, normal, place);
    assert!(!there(skin.stream(input, COUNT, &none)));
}
