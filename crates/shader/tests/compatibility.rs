//! What real streams do that a strict reader would refuse, each with the right behaviour, and
//! the reports about encoding that no text case can hold.

use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::{
    ConstRange, Error, Options, SamplerKind, Stage, Translation, Usage, translate, translate_stage,
};

fn code(text: &str) -> ShaderCode {
    assemble(text).expect("the text assembles")
}

fn translated(text: &str) -> Translation {
    translate(&code(text), &Options::default()).expect("it translates")
}

/// A comment block of `words` after the version token of `code`.
fn with_comment(code: &ShaderCode, words: &[u32]) -> ShaderCode {
    let mut tokens = code.tokens().to_vec();
    let mut block = vec![0xFFFE | (words.len() as u32) << 16];
    block.extend(words);
    tokens.splice(1..1, block);
    ShaderCode::parse(&tokens).expect("comments are always allowed")
}

const CTAB: u32 = u32::from_le_bytes(*b"CTAB");

/// Early D3DX compilers wrote a constant table whose header is 20 bytes, not 28.
#[test]
fn a_constant_table_with_a_20_byte_header_changes_nothing() {
    let plain = code("ps_2_0\nmov r0, c3\nmov oC0, r0\n");
    let table = [CTAB, 20, 0, 0xFFFF_0200, 0, 0];
    let commented = with_comment(&plain, &table);
    let [a, b] = [&plain, &commented]
        .map(|code| translate(code, &Options::default()).expect("it translates"));
    assert_eq!(a.entry, b.entry);
    assert_eq!(a.reflection, b.reflection);
    // Nor does one that is cut off, or points far outside itself.
    for table in [vec![CTAB], vec![CTAB, 20, u32::MAX, 0, u32::MAX, u32::MAX]] {
        let commented = with_comment(&plain, &table);
        let b = translate(&commented, &Options::default()).expect("it translates");
        assert_eq!(a.entry, b.entry);
    }
}

/// Stripped shaders index the constants without a table that says which: the whole file.
#[test]
fn relative_constants_without_a_table_take_the_whole_file() {
    let whole = |count| {
        vec![ConstRange {
            first: 0,
            count,
            packed_at: 0,
        }]
    };
    let vertex = translated("vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, c[a0.x + 9]\n");
    assert!(vertex.reflection.uses_relative);
    assert_eq!(vertex.reflection.float_ranges, whole(256));
    let pixel = translated(
        "ps_3_0\ndefi i0, 2, 0, 1, 0\nmov r0, c0\nloop aL, i0\nadd r0, r0, c[aL]\nendloop\nmov oC0, r0\n",
    );
    assert!(pixel.reflection.uses_relative);
    assert_eq!(pixel.reflection.float_ranges, whole(224));
}

fn kind_of(text: &str, stage: usize, bound: Option<SamplerKind>) -> SamplerKind {
    let mut options = Options::default();
    options.sampler_kinds[stage] = bound;
    let translation = translate(&code(text), &options).expect("it translates");
    let used = translation.reflection.samplers.iter();
    let mut used = used.filter(|used| usize::from(used.register) == stage);
    used.next().expect("the sampler is used").kind
}

/// d9vk#73: ps_1_x declares no samplers, the bound texture decides.
#[test]
fn d9vk_73_the_bound_texture_decides_the_kind() {
    use SamplerKind::{Cube, D2, Volume};
    let text = "ps_1_1\ntex t0\nmov r0, t0\n";
    assert_eq!(kind_of(text, 0, None), D2);
    for kind in [D2, Cube, Volume] {
        assert_eq!(kind_of(text, 0, Some(kind)), kind);
    }
    let text = "ps_1_4\ntexld r2, t0\nmov r0, r2\n";
    assert_eq!(kind_of(text, 2, Some(Cube)), Cube);
}

/// The retry without a map: a 2D texture where the instruction looks up a direction leaves the
/// instruction its kind; the renderer binds black for the mismatch.
#[test]
fn a_texture_that_cannot_be_meant_leaves_the_instruction_its_kind() {
    use SamplerKind::{Cube, D2, Volume};
    let text =
        "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3\n";
    assert_eq!(kind_of(text, 3, None), Cube);
    assert_eq!(kind_of(text, 3, Some(D2)), Cube);
    assert_eq!(kind_of(text, 3, Some(Volume)), Volume);
}

/// d9vk#313: `CreateVertexShader` with a pixel shader's stream.
#[test]
fn d9vk_313_the_other_stage_is_refused() {
    let pixel = code("ps_1_1\nmov r0, c0\n");
    let error = translate_stage(Stage::Vertex, &pixel, &Options::default())
        .expect_err("it is the other stage");
    assert!(matches!(error, Error::StageMismatch { .. }));
    assert!(
        error.to_string().starts_with("shader stage mismatch"),
        "{error}"
    );
    assert!(translate_stage(Stage::Pixel, &pixel, &Options::default()).is_ok());
}

/// Direct3D 8 shaders declare nothing: v0-v15 are attributes by its fixed numbers.
#[test]
fn direct3d_8_inputs_need_no_declaration() {
    let translation = translated("vs_1_1\nmov oPos, v0\nmov oD0, v5\nmov oT0, v7\n");
    let read = translation.reflection.attributes.iter();
    let read: Vec<_> = read.map(|a| (a.usage, a.index, a.register)).collect();
    assert_eq!(
        read,
        [
            (Usage::Position, 0, 0),
            (Usage::Color, 0, 5),
            (Usage::TexCoord, 0, 7)
        ]
    );
}

/// dxbc-spirv#90: parameter tokens without bit 31 end the reading with a place, not a crash.
#[test]
fn dxbc_spirv_90_parameters_without_bit_31_are_refused() {
    let tokens = code("ps_2_0\nmov r0, c3\nmov oC0, r0\n").tokens().to_vec();
    for parameter in [2, 3] {
        let mut tokens = tokens.clone();
        assert!(tokens[parameter] >> 31 == 1, "it is a parameter");
        tokens[parameter] &= 0x7FFF_FFFF;
        let error = ShaderCode::parse(&tokens).expect_err("it is refused");
        let place = format!("{:#x}", 4 * parameter);
        assert!(error.to_string().contains(&place), "{error}");
    }
}

/// What is refused for a GPU that has uniform buffers only.
fn bounds(text: &str) -> (String, u32, u32) {
    let options = Options {
        uniforms_only: true,
        ..Options::default()
    };
    match translate(&code(text), &options) {
        Err(error @ Error::Bounds { count, limit, .. }) => {
            let text = error.to_string();
            assert!(
                text.starts_with("shader metadata exceeds renderer bounds"),
                "{text}"
            );
            (text, count, limit)
        }
        other => panic!("not refused: {:?}", other.map(|t| t.entry)),
    }
}

#[test]
fn more_float_constants_than_the_file_has_are_refused() {
    let mut text = String::from("vs_2_0\ndcl_position v0\nmov r0, v0\n");
    for register in 0..257 {
        text.push_str(&format!("add r0, r0, c{register}\n"));
    }
    text.push_str("mov oPos, r0\n");
    assert_eq!(bounds(&text).1, 257);
    assert_eq!(bounds(&text).2, 256);
    assert_eq!(translated(&text).reflection.large_rows(), 257);
    let fits = text.replace("add r0, r0, c256\n", "");
    let reflection = translated(&fits).reflection;
    assert_eq!(
        (reflection.packed_floats, reflection.large_rows()),
        (256, 0)
    );
}

/// The other bounds of a window: the pixel file, files indexed at run time, and the sixteen integer
/// and boolean registers.
#[test]
fn every_bound_of_the_windows_is_refused_by_name() {
    let mut pixel = String::from("ps_3_sw\nmov r0, c0\n");
    for register in 1..225 {
        pixel.push_str(&format!("add r0, r0, c{register}\n"));
    }
    pixel.push_str("mov oC0, r0\n");
    let (text, count, limit) = bounds(&pixel);
    assert!(text.contains("float constants"), "{text}");
    assert_eq!((count, limit), (225, 224));
    let indexed = "vs_2_sw\nmova a0.x, c0.x\nmov oPos, c[a0.x]\n";
    assert_eq!(bounds(indexed).1, 8192);
    for wide in [
        "vs_2_sw\nrep i16\nendrep\nmov oPos, c0\n",
        "ps_2_sw\nif b16\nendif\nmov oC0, c0\n",
    ] {
        let (text, count, limit) = bounds(wide);
        assert!(text.contains("past the sixteenth"), "{text}");
        assert_eq!((count, limit), (1, 0));
    }
}

#[test]
fn the_sixteen_of_everything_fit() {
    let mut text = String::from("vs_3_0\ndcl_position o0\n");
    let mut body = String::new();
    for register in 0..16 {
        text.push_str(&format!("dcl_texcoord{register} v{register}\n"));
        body.push_str(&format!("add r0, r0, v{register}\n"));
    }
    text.push_str(&format!("mov r0, c0\n{body}mov o0, r0\n"));
    assert_eq!(translated(&text).reflection.attributes.len(), 16);
    let mut text = String::from("ps_3_0\ndcl_texcoord v0\nmov r0, c0\n");
    let mut declared = String::new();
    for register in 0..16 {
        declared.push_str(&format!("dcl_2d s{register}\n"));
        text.push_str(&format!("texld r1, v0, s{register}\nadd r0, r0, r1\n"));
    }
    let text =
        text.replacen("mov r0, c0\n", &format!("{declared}mov r0, c0\n"), 1) + "mov oC0, r0\n";
    assert_eq!(translated(&text).reflection.samplers.len(), 16);
}
