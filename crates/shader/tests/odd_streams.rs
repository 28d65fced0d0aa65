//! Streams that are odd but that Direct3D 9 took: they translate, and to what Direct3D means by them.

use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::{Options, Translation, translate, writers};

fn translated(text: &str) -> Translation {
    let code = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let translation = translate(&code, &Options::default());
    let translation = translation.unwrap_or_else(|error| panic!("{error}\n{text}"));
    writers::spirv(&translation).expect("SPIR-V");
    writers::msl(&translation).expect("MSL");
    writers::hlsl(&translation).expect("HLSL");
    writers::glsl(&translation).expect("GLSL");
    writers::wgsl(&translation).expect("WGSL");
    translation
}

#[test]
fn declarations_after_use_count() {
    let text = "ps_2_0\ntexld r0, t0, s0\nmov oC0, r0\ndcl t0.xy\ndcl_cube s0\n";
    let samplers = translated(text).reflection.samplers;
    assert_eq!(samplers[0].kind, ninefold_shader::SamplerKind::Cube);
    let text = "vs_2_0\nmov oPos, v3\nmov oD0, c5\ndcl_normal2 v3\ndef c5, 1, 2, 3, 4\n";
    let reflection = translated(text).reflection;
    assert_eq!(reflection.attributes[0].index, 2);
    assert!(reflection.float_ranges.is_empty());
}

/// The last declaration of a register and the last definition of a constant count.
#[test]
fn what_is_said_twice_counts_once() {
    let text = "vs_1_1\ndcl_position v0\ndcl_normal v0\ndcl_normal v0\nmov oPos, v0\n";
    let attributes = translated(text).reflection.attributes;
    assert_eq!(attributes.len(), 1);
    assert_eq!(attributes[0].usage, ninefold_shader::Usage::Normal);
    translated("ps_2_0\ndef c0, 1, 1, 1, 1\ndef c0, 2, 2, 2, 2\nmov r0, c0\nmov oC0, r0\n");
}

#[test]
fn results_may_be_missing() {
    for text in [
        "vs_1_0\n",
        "vs_1_1\nmov oD0, c0\n",
        "vs_2_0\nmov oPts.x, c0.x\n",
        "vs_3_0\ndcl_position o0\n",
        "vs_3_0\nmov o5, c0\n",
        "ps_1_0\n",
        "ps_1_1\ntex t0\n",
        "ps_1_4\nphase\n",
        "ps_2_0\n",
        "ps_2_0\nmov oDepth, c0.x\n",
        "ps_3_0\nmov oC2, c0\n",
        "ps_3_0\ntexkill r0\n",
    ] {
        translated(text);
    }
}

#[test]
fn odd_operands_translate() {
    for text in [
        "ps_1_4\ntexcrd r0.xy, t0\ntexkill r0.xyz\nphase\nmov r0, c0\n",
        "ps_1_4\nnop\nphase\nnop\nmov_sat r0, c0\n",
        "ps_2_0\ndcl_texcoord3 t0\ndcl_color1 v0\nadd r0, t0, v0\nmov oC0, r0\n",
        "ps_2_0\ndcl t0\ntexkill t0.x\ntexkill t0.xyz\nmov r0, t0\nmov oC0, r0\n",
        "ps_2_0\ndcl t0\ndcl_2d s0\ntexld_sat r0, t0, s0\ntexld_pp r0.xy, t0, s0\nmov oC0, r0\n",
        "vs_2_0\nmova a0, c0\nmova a0.yw, c1\nmov oPos, c[a0.w + 3]\n",
        "vs_1_1\nmov a0.x, c0.x\nm4x4 oPos, v0, c[a0.x + 250]\n",
        "vs_2_x\nret\n",
        "ps_3_0\nif b0\ndef c1, 1, 0, 0, 0\ndefb b0, true\nendif\nmov oC0, c1\n",
        "vs_2_0\ncallnz l0, b0\nmov oPos, c0\nret\nlabel l0\nmov r0, c[aL]\nret\n",
    ] {
        translated(text);
    }
}

/// A mebibyte of debug information, and lengths left out.
#[test]
fn odd_tokens_translate() {
    let mut tokens = vec![0xFFFF_0300];
    for _ in 0..10 {
        tokens.push(0x7FFF_FFFE);
        tokens.resize(tokens.len() + 0x7FFF, 0x4755_4244);
    }
    tokens.extend([0x0000_0001, 0x800F_0800, 0xA0E4_0000, 0x0000_FFFF]);
    assert!(tokens.len() * 4 > 1 << 20);
    let code = ShaderCode::parse(&tokens).expect("it reads");
    let long = translate(&code, &Options::default()).expect("it translates");
    assert_eq!(long.reflection.packed_floats, 1);
}
