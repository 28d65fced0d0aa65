//! Vertices in memory against the same as registers: every bit, or no stream.

use super::*;
use ninefold_exec::element::{Column, ElementType};
use ninefold_exec::skin::{SkinBones, SkinLayout, SkinStream, SkinWatch};

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

/// The bits of oPos and oT0 of each vertex, as the interpreter makes them one by one; nothing
/// where one of them fails.
fn interpreted<T: Real>(
    code: &ShaderCode,
    input: impl Fn(usize) -> Option<Column<'static>>,
    constants: &Constants<'_>,
) -> Option<Vec<[[u32; 4]; 2]>> {
    let mut inputs = vec![[[0.0; 4]; 16]; COUNT];
    for (place, ..) in TYPES {
        let column = input(place).expect("a column");
        column.load(COUNT, |n, value| inputs[n][place] = value);
    }
    let mut outputs = vec![VertexOutput::default(); COUNT];
    let ran = program(code).run_vertices_in::<T>(
        false,
        &inputs,
        &mut outputs,
        constants,
        &mut NoTextures,
    );
    ran.ok()?;
    let both = |output: &VertexOutput| [0, 5].map(|n| output.registers[n].map(f32::to_bits));
    Some(outputs.iter().map(both).collect())
}

/// Keeps what it sees.
#[derive(Clone, Default)]
struct Seen(Vec<[u32; 4]>);

impl<T: Real> SkinWatch<T> for Seen {
    fn see(&mut self, position: [T; 4]) {
        self.0.push(position.map(|x| x.get().to_bits()));
    }
}

/// Runs a stream in groups and from memory to memory; both must give these results.
fn assert_stream<T: Real>(stream: &SkinStream<'_, T>, expected: &[[[u32; 4]; 2]]) {
    let mut group = SkinGroup::<T>::default();
    for (n, expected) in expected.chunks(GROUP).enumerate() {
        stream.run(n * GROUP, expected.len(), &mut group);
        for (lane, expected) in expected.iter().enumerate() {
            let made = [0, 5].map(|place| group.output(place).expect("an output")[lane]);
            let made = made.map(|value| value.map(|x| x.get().to_bits()));
            assert_eq!(made, *expected, "vertex {lane} of group {n}");
        }
    }
    for (stride, position, coordinates) in [(32, 0, 24), (27, 11, 3), (20, 8, 0)] {
        let layout = SkinLayout {
            stride,
            position,
            coordinates,
        };
        for (first, count) in [(0, COUNT), (1, 1), (GROUP, 3 * GROUP + 1), (COUNT - 2, 2)] {
            let mut bytes = vec![0xCD; count * stride];
            let mut seen = Seen::default();
            stream.write(first, &mut bytes, layout, &mut seen);
            let mut wanted = vec![0xCD; count * stride];
            for (to, [place, uv]) in wanted.chunks_exact_mut(stride).zip(&expected[first..]) {
                for n in 0..3 {
                    to[position + 4 * n..][..4].copy_from_slice(&place[n].to_le_bytes());
                }
                for n in 0..2 {
                    to[coordinates + 4 * n..][..4].copy_from_slice(&uv[n].to_le_bytes());
                }
            }
            assert!(bytes == wanted, "{layout:?}, {count} from {first}");
            let places = expected[first..][..count].iter().map(|[place, _]| *place);
            assert!(seen.0.into_iter().eq(places), "{layout:?} from {first}");
        }
    }
}

/// A shader whose oPos.w is this component of the coordinates.
fn with_w(component: usize) -> (ShaderCode, Skin) {
    let text = SHADER.replace("v4.x", ["v4.x", "v4.y", "v4.z", "v4.w"][component]);
    let code = assemble(&text).expect("it assembles");
    let mut shaders = SkinShaders::none();
    let roles = SkinRoles {
        position_w: component as u8,
        ..SkinRoles::KNOWN
    };
    shaders.register(&code, roles).expect("it fits");
    let skin = shaders.find(code.tokens()).expect("registered");
    (code, skin)
}

/// A stream against the interpreter with one arithmetic; gives what both gave.
fn streamed<T: Real>(seed: u64, odd: u32, indices: ElementType) -> Vec<[[u32; 4]; 2]> {
    let bytes: &[u8] = stored(seed, odd).leak();
    let scale = if indices == ElementType::UByte4 {
        1.0
    } else {
        255.0
    };
    let floats = constants(seed, odd, scale);
    let constants = Constants {
        floats: &floats,
        ..Constants::default()
    };
    let input = |place| column(bytes, indices, place);
    let (code, skin) = with_w(seed as usize & 3);
    let expected = interpreted::<T>(&code, input, &constants).expect("all rows are there");
    let mut bones = SkinBones::<T>::default();
    let stream = skin.stream(input, COUNT, &constants, &mut bones);
    assert_stream(&stream.expect("a stream"), &expected);
    expected
}

/// Zeros of both signs, infinities, NaNs and denormals are among the vertices, the weights and
/// the bones of all but the first.
const SCENES: [(u64, u32, ElementType); 5] = [
    (32, 0, ElementType::UByte4N),
    (0xABCD_EF13, 1, ElementType::UByte4N),
    (0xFEED_5EE4, 8, ElementType::Color),
    (0xFEED_5EE2, 16, ElementType::UByte4N),
    (5, 4, ElementType::UByte4),
];

#[test]
fn vertices_in_memory_give_the_interpreters_bits_in_every_rounding_mode() {
    for (seed, odd, indices) in SCENES {
        let nearest = streamed::<In<Software<NEAREST>>>(seed, odd, indices);
        assert_eq!(streamed::<f32>(seed, odd, indices), nearest);
        let down = streamed::<In<Software<DOWN>>>(seed, odd, indices);
        let up = streamed::<In<Software<UP>>>(seed, odd, indices);
        let toward_zero = streamed::<In<Software<TOWARD_ZERO>>>(seed, odd, indices);
        // The modes are not the same arithmetic.
        assert!(down != up && up != toward_zero && toward_zero != down && nearest != up);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn vertices_in_memory_agree_on_the_processor() {
    use arithmetic::Processor;
    for (seed, odd, indices) in SCENES {
        streamed::<In<Processor<NEAREST>>>(seed, odd, indices);
        streamed::<In<Processor<DOWN>>>(seed, odd, indices);
        streamed::<In<Processor<UP>>>(seed, odd, indices);
        streamed::<In<Processor<TOWARD_ZERO>>>(seed, odd, indices);
    }
}

/// Whatever the numbers that make addresses are: there is a stream where the interpreter makes
/// all vertices, and none where it fails at one, with weights of zero too.
fn fail_alike<T: Real>() {
    let (code, skin) = known();
    let mut both = [0; 2];
    for weights in [None, Some(0.0f32), Some(-0.0)] {
        let mut bytes = stored(99, 1);
        for (n, vertex) in bytes.chunks_exact_mut(STRIDE).enumerate() {
            vertex[32] = (n % 7) as u8;
            vertex[33] = 4 + (n % 31) as u8;
            if let Some(zero) = weights {
                vertex[36..40].copy_from_slice(&zero.to_le_bytes());
                vertex[40..44].copy_from_slice(&zero.to_le_bytes());
            }
        }
        let bytes: &[u8] = bytes.leak();
        let input = |place| column(bytes, ElementType::UByte4, place);
        let numbers = [
            0.0,
            -0.0,
            1.0,
            6.5882,
            6.588_236,
            -0.8,
            -0.85,
            1e-45,
            3e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        let offsets = [
            0.0,
            0.99,
            -29.0,
            -29.000_002,
            224.0,
            224.99,
            225.0,
            1e10,
            f32::NAN,
        ];
        let infinite = [f32::INFINITY, f32::NEG_INFINITY];
        for scale in numbers {
            for offset in offsets.into_iter().chain(infinite) {
                let mut floats = constants(99, 1, scale);
                floats[5][3] = offset;
                let constants = Constants {
                    floats: &floats,
                    ..Constants::default()
                };
                let expected = interpreted::<T>(&code, input, &constants);
                let mut bones = SkinBones::<T>::default();
                let stream = skin.stream(input, COUNT, &constants, &mut bones);
                assert_eq!(stream.is_some(), expected.is_some(), "{scale} and {offset}");
                both[usize::from(stream.is_some())] += 1;
                if let (Some(stream), Some(expected)) = (stream, expected) {
                    assert_stream(&stream, &expected);
                }
            }
        }
    }
    assert!(both[0] > 50 && both[1] > 20, "{both:?}");
}

#[test]
fn streams_are_there_where_the_interpreter_does_not_fail() {
    fail_alike::<f32>();
    fail_alike::<In<Software<DOWN>>>();
    fail_alike::<In<Software<UP>>>();
}

#[test]
fn layouts_that_do_not_fit_get_nothing() {
    let bytes = stored(3, 0);
    let floats = constants(3, 0, 255.0);
    let constants = Constants {
        floats: &floats,
        ..Constants::default()
    };
    let mut bones = SkinBones::<f32>::default();
    let input = |place| column(&bytes, ElementType::UByte4N, place);
    let (_, skin) = known();
    let stream = skin.stream(input, COUNT, &constants, &mut bones);
    let stream = stream.expect("a stream");
    let write = |first, size, (stride, position, coordinates)| {
        let layout = SkinLayout {
            stride,
            position,
            coordinates,
        };
        let mut to = vec![0xCD; size];
        stream.write(first, &mut to, layout, &mut ());
        to.iter().filter(|byte| **byte != 0xCD).count()
    };
    for bad in [
        (0, 0, 0),
        (20, 9, 0),
        (20, 0, 13),
        (20, usize::MAX, 0),
        (20, 0, usize::MAX),
    ] {
        assert_eq!(write(0, 200, bad), 0, "{bad:?}");
    }
    let good = (20, 0, 12);
    assert_eq!(write(COUNT, 200, good), 0);
    assert_eq!(write(usize::MAX, 200, good), 0);
    assert_eq!(write(0, 19, good), 0);
    // One vertex is left, and one has room.
    assert!((1..=20).contains(&write(COUNT - 1, 200, good)));
    assert!((1..=20).contains(&write(0, 39, good)));
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
    fn there<'a>(
        skin: &Skin,
        input: &dyn Fn(usize) -> Option<Column<'a>>,
        count: usize,
        constants: &Constants<'_>,
    ) -> bool {
        let mut bones = SkinBones::<f32>::default();
        skin.stream(input, count, constants, &mut bones).is_some()
    }
    let normal = ElementType::UByte4N;
    let with = |bytes: &[u8], count| {
        there(
            &skin,
            &|place| column(bytes, normal, place),
            count,
            &constants,
        )
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
        assert!(!there(&skin, &elsewhere, COUNT, &constants));
        let typed = |place| {
            let column = column(&bytes, normal, place)?;
            let ty = if place == changed {
                ElementType::Short4
            } else {
                column.ty
            };
            Some(Column { ty, ..column })
        };
        assert!(!there(&skin, &typed, COUNT, &constants));
        let spaced = |place| {
            let column = column(&bytes, normal, place)?;
            let stride = if place == changed { 40 } else { STRIDE };
            Some(Column { stride, ..column })
        };
        assert!(!there(&skin, &spaced, COUNT, &constants));
        let lacking = |place| column(&bytes, normal, place).filter(|_| place != changed);
        assert!(!there(&skin, &lacking, COUNT, &constants));
    }
    // One vertex for all.
    let still = |place| {
        column(&bytes, normal, place).map(|column| Column {
            stride: 0,
            ..column
        })
    };
    assert!(!there(&skin, &still, COUNT, &constants));
    let none = Constants::default();
    let input = |place| column(&bytes, normal, place);
    assert!(!there(&skin, &input, COUNT, &none));
}
