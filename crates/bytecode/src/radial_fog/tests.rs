//! The rewrite against tokens that were worked out by hand from its description.

use super::{Declined, Form, GROWTH, MAX_BYTES, Mode, rewrite, scan};
use crate::code::ShaderCode;
use crate::{assemble, disassemble};

const HEAD: [u32; 4] = [0xFFFE_0101, 0x0000_001F, 0x8000_0000, 0x900F_0000];

fn shader(text: &str) -> ShaderCode {
    assemble(&format!("vs_1_1\n{text}")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn stream(body: &[u32]) -> Vec<u32> {
    let mut tokens = HEAD.to_vec();
    tokens.extend(body);
    tokens.push(0xFFFF);
    tokens
}

/// The first eight instructions for `P` and `cK` with temporary `t`; `minus` for c7.
fn distance(t: u32, position: u32, plane: u32, minus: bool) -> Vec<u32> {
    let sign = if minus { 0x0100_0000 } else { 0 };
    vec![
        0x02,
        0x8007_0000 | t,
        position,
        0xA1E4_0004,
        0x08,
        0x8008_0000 | t,
        0x80E4_0000 | t,
        0x80E4_0000 | t,
        0x08,
        0x8001_0000 | t,
        0x80E4_0000 | t,
        plane,
        0x08,
        0x8002_0000 | t,
        plane,
        plane,
        0x05,
        0x8008_0000 | t,
        0x80FF_0000 | t,
        0x8055_0000 | t,
        0x07,
        0x8002_0000 | t,
        0x80FF_0000 | t,
        0x05,
        0x8008_0000 | t,
        0x80FF_0000 | t,
        0x8055_0000 | t,
        0x02,
        0x8008_0000 | t,
        0x80FF_0000 | t | sign,
        0x8100_0000 | t,
    ]
}

#[test]
fn dp4_to_the_token() {
    let code = ShaderCode::parse(&stream(&[0x09, 0xC00F_0001, 0x90E4_0000, 0xA0E4_0006])).unwrap();
    let mut expected = distance(11, 0x90E4_0000, 0xA0E4_0006, false);
    expected.extend([0x09, 0x8001_000B, 0x90E4_0000, 0xA0E4_0006]);
    expected.extend([0x02, 0xC00F_0001, 0x8000_000B, 0x80FF_000B]);
    assert_eq!(expected.len(), 39);
    for mode in Mode::ALL {
        let radial = rewrite(&code, mode).unwrap();
        assert_eq!(radial.tokens(), stream(&expected));
        assert_eq!(radial.tokens().len(), code.tokens().len() + GROWTH);
    }
}

/// The sum that follows stays, and so do the mask and a comment between two instructions.
#[test]
fn dp3_and_add_to_the_token() {
    let add = [0x02, 0x8008_000B, 0x80FF_000B, 0xA0FF_0008];
    let mut body = vec![0x01, 0x800F_0003, 0x90E4_0000];
    body.extend([0x0001_FFFE, 0x1234_5678]);
    body.extend([0x08, 0x8008_000B, 0x80E4_0003, 0xA0E4_0008]);
    body.extend(add);
    let code = ShaderCode::parse(&stream(&body)).unwrap();
    let mut expected = body[..5].to_vec();
    expected.extend(distance(10, 0x80E4_0003, 0xA0E4_0008, false));
    expected.extend([0x08, 0x8001_000A, 0x80E4_0003, 0xA0E4_0008]);
    expected.extend([0x02, 0x8008_000B, 0x8000_000A, 0x80FF_000A]);
    expected.extend(add);
    assert_eq!(
        rewrite(&code, Mode::Depth).unwrap().tokens(),
        stream(&expected)
    );
}

/// c7 looks back, so that the length is subtracted; by depth it is left alone.
#[test]
fn the_plane_across_the_view() {
    let plane = [0x09, 0xE001_0000, 0x90E4_0000, 0xA0E4_0007];
    let depth = [0x09, 0xC00F_0001, 0x90E4_0000, 0xA0E4_0006];
    let body = [plane, depth].concat();
    let code = ShaderCode::parse(&stream(&body)).unwrap();
    let mut radial_plane = distance(11, 0x90E4_0000, 0xA0E4_0007, true);
    radial_plane.extend([0x09, 0x8001_000B, 0x90E4_0000, 0xA0E4_0007]);
    radial_plane.extend([0x02, 0xE001_0000, 0x8000_000B, 0x80FF_000B]);
    let mut radial_depth = distance(11, 0x90E4_0000, 0xA0E4_0006, false);
    radial_depth.extend([0x09, 0x8001_000B, 0x90E4_0000, 0xA0E4_0006]);
    radial_depth.extend([0x02, 0xC00F_0001, 0x8000_000B, 0x80FF_000B]);

    let by_depth = rewrite(&code, Mode::Depth).unwrap();
    let expected = [&plane[..], &radial_depth].concat();
    assert_eq!(by_depth.tokens(), stream(&expected));
    let both = rewrite(&code, Mode::ViewPlane).unwrap();
    let expected = [radial_plane, radial_depth].concat();
    assert_eq!(both.tokens(), stream(&expected));
    assert_eq!(both.tokens().len(), code.tokens().len() + 2 * GROWTH);
}

#[test]
fn the_text_of_the_rewrite() {
    let radial = rewrite(&shader("dp4_sat r1.xw, r0, c7\n"), Mode::ViewPlane).unwrap();
    let text = disassemble(&radial);
    let lines: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
    let expected = [
        "add r11.xyz, r0, -c4",
        "dp3 r11.w, r11, r11",
        "dp3 r11.x, r11, c7",
        "dp3 r11.y, c7, c7",
        "mul r11.w, r11.w, r11.y",
        "rsq r11.y, r11.w",
        "mul r11.w, r11.w, r11.y",
        "add r11.w, -r11.w, -r11.x",
        "dp4 r11.x, r0, c7",
        "add_sat r1.xw, r11.x, r11.w",
    ];
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn the_highest_free_temporary_is_taken() {
    let scratch = |text: &str| scan(&shader(text), Mode::Depth).unwrap().scratch;
    assert_eq!(scratch("dp4 r0, v0, c6"), 11);
    assert_eq!(scratch("dp4 r11, v0, c6"), 10);
    assert_eq!(scratch("dp4 oFog, r11, c6\nmov oPos, r10"), 9);
    let all_but = |free: u16| {
        let used: String = (0..12)
            .filter(|n| *n != free)
            .map(|n| format!("mov r{n}, v0\n"))
            .collect();
        format!("{used}dp4 oFog, v0, c6")
    };
    for free in 0..12 {
        assert_eq!(scratch(&all_but(free)), free);
    }
    assert_eq!(
        scan(&shader(&all_but(12)), Mode::Depth),
        Err(Declined::NoTemporary)
    );
}

/// What is no term to the letter is left alone.
#[test]
fn what_counts_as_a_term() {
    let constants = |text: &str, mode| -> Vec<(Form, u16)> {
        match scan(&shader(text), mode) {
            Ok(plan) => plan.terms.iter().map(|t| (t.form, t.constant)).collect(),
            Err(Declined::NoTerm(of)) if of == mode => Vec::new(),
            Err(other) => panic!("{other}\n{text}"),
        }
    };
    let found = |text: &str| constants(text, Mode::ViewPlane);
    assert_eq!(found("dp4 oFog, v0, c6"), [(Form::Dp4, 6)]);
    assert_eq!(found("dp4 oT0.x, r0, c7"), [(Form::Dp4, 7)]);
    assert_eq!(constants("dp4 oT0.x, r0, c7", Mode::Depth), []);
    assert_eq!(found("dp4_sat r1.y, v15, c8"), [(Form::Dp4, 8)]);
    let pair = |dp3: &str, add: &str| found(&format!("{dp3}\n{add}\n"));
    for (dp3, add) in [
        ("dp3 r1.x, v0, c6", "add r1.x, r1.x, c6.w"),
        ("dp3 r1.x, v0, c6", "add r1, r1, c6.w"),
        ("dp3 r1.xy, v0, c6", "add_sat r1.xy, r1, c6.w"),
        ("dp3 r1.xy, v0, c6", "add r1.xy, r1.y, c6.w"),
        ("dp3 r1, r1, c6", "add r1, r1, c6.w"),
    ] {
        assert_eq!(pair(dp3, add), [(Form::Dp3AddW, 6)], "{dp3}; {add}");
    }
    for text in [
        "dp4 oFog, v0, c5",
        "dp4 oFog, v0, c9",
        "dp4 oFog, v0, -c6",
        "dp4 oFog, v0, c6.xyzx",
        "dp4 oFog, -v0, c6",
        "dp4 oFog, v0.xyzz, c6",
        "dp4 oFog, c6, v0",
        "dp4 oFog, c0, c6",
        "mov a0.x, v1.x\ndp4 oFog, v0, c[a0.x + 6]",
        "mul r0, v0, c6",
        "dp3 r1.x, v0, c6",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    for (dp3, add) in [
        ("dp3_sat r1.x, v0, c6", "add r1.x, r1.x, c6.w"),
        ("dp3 r1.xy, v0, c6", "add r1.x, r1.x, c6.w"),
        ("dp3 r1.x, v0, c6", "add r2.x, r1.x, c6.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, r2.x, c6.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, r1.y, c6.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, -r1.x, c6.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, r1.x, c6.x"),
        ("dp3 r1.x, v0, c6", "add r1.x, r1.x, c8.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, r1.x, -c6.w"),
        ("dp3 r1.x, v0, c6", "add r1.x, c6.w, r1.x"),
        ("dp3 r1.x, v0, c6", "mad r1.x, r1.x, c6.w, r0.x"),
        ("dp3 r1.x, v0, c6\nnop", "add r1.x, r1.x, c6.w"),
        ("dp3 r1.x, v0.xyzz, c6", "add r1.x, r1.x, c6.w"),
    ] {
        assert_eq!(pair(dp3, add), [], "{dp3}; {add}");
    }
}

#[test]
fn what_is_declined() {
    let why = |text: &str| {
        let code = assemble(text).unwrap();
        let declined = scan(&code, Mode::Depth).unwrap_err();
        assert_eq!(rewrite(&code, Mode::Depth).unwrap_err(), declined);
        declined.to_string()
    };
    assert_eq!(
        why("vs_2_0\ndcl_position v0\ndp4 oFog, v0, c6"),
        "vs_2_0, expected vs_1_1"
    );
    assert_eq!(
        why("ps_1_1\nmov r0, v0"),
        "ps_1_1, expected vs_1_1",
        "a pixel shader"
    );
    assert_eq!(
        why("vs_1_1\nmov oPos, v0"),
        "nothing evaluates c6 or c8 as a plane at a position"
    );
    for matrix in ["m4x4", "m4x3", "m3x4", "m3x3", "m3x2"] {
        assert_eq!(
            why(&format!("vs_1_1\ndp4 oFog, v0, c6\n{matrix} r0, v0, c10")),
            format!("{matrix} (byte 0x14, instruction 1) reads registers it does not name")
        );
    }
    let declined = scan(&shader("dp4 oFog, v0, c5"), Mode::ViewPlane).unwrap_err();
    assert_eq!(
        declined.to_string(),
        "nothing evaluates c6, c7 or c8 as a plane at a position"
    );
}

/// A shader whose only terms are by the plane is never rewritten.
#[test]
fn which_modes_make_a_difference() {
    let of = |text: &str| super::modes(&shader(text));
    assert_eq!(of("mov oPos, v0"), []);
    assert_eq!(of("dp4 oT0.x, v0, c7"), []);
    assert_eq!(of("dp4 oFog, v0, c6"), [Mode::Depth]);
    assert_eq!(of("dp4 oFog, v0, c8\ndp4 oT0.x, v0, c7"), Mode::ALL);
}

/// Model 1 has no lengths: a parameter too many may be anything.
#[test]
fn stray_parameters_are_declined() {
    let tokens = stream(&[0x09, 0xC00F_0001, 0x90E4_0000, 0xA0E4_0006, 0x80E4_000B]);
    let code = ShaderCode::parse(&tokens).unwrap();
    let declined = rewrite(&code, Mode::Depth).unwrap_err();
    let expected = Declined::Parameters {
        name: "dp4",
        byte_offset: 16,
        number: 1,
    };
    assert_eq!(declined, expected);
    assert_eq!(
        declined.to_string(),
        "dp4 (byte 0x10, instruction 1) has more parameters than it takes"
    );
}

/// The bound of 1 MiB, to the token, before and after.
#[test]
fn long_shaders_are_declined() {
    let with_comment = |total: usize, terms: usize| {
        let mut body = Vec::new();
        for _ in 0..terms {
            body.extend([0x09, 0xC00F_0001, 0x90E4_0000, 0xA0E4_0006]);
        }
        let mut left = total - 5 - body.len();
        while left > 0 {
            let words = (left - 1).min(0x7000);
            body.push(0xFFFE | (words as u32) << 16);
            body.resize(body.len() + words, 0);
            left -= 1 + words;
        }
        ShaderCode::parse(&stream(&body)).unwrap()
    };
    let most = MAX_BYTES / 4;
    let fits = with_comment(most - 35, 1);
    let radial = rewrite(&fits, Mode::Depth).unwrap();
    assert_eq!(radial.tokens().len(), most);
    for (tokens, terms, bytes) in [
        (most + 1, 1, MAX_BYTES + 4),
        (most, 1, MAX_BYTES + 140),
        (most - 34, 1, MAX_BYTES + 4),
        (most - 69, 2, MAX_BYTES + 4),
    ] {
        let declined = rewrite(&with_comment(tokens, terms), Mode::Depth).unwrap_err();
        assert_eq!(declined, Declined::TooLong { bytes });
    }
}
