//! What each fuzz target does with its bytes. `crates/shader/tests/fuzz_smoke.rs` includes this
//! file and runs the same functions for a moment in every `cargo test`. Each says whether the input
//! was accepted.

#![allow(unreachable_pub)]

use ninefold_bytecode::radial_fog::{GROWTH, Mode, rewrite, scan};
use ninefold_bytecode::{SamplerKind, ShaderCode, ShaderPack, assemble, disassemble};
use ninefold_shader::{
    CompareFunc, Error, FloatRules, Fog, FogCurve, FogDepth, Options, SamplerRules, limits,
    translate as lower, writers,
};

/// Bytes as a token stream: whatever reads comes back from its text bit for bit.
pub fn decode(data: &[u8]) -> bool {
    let Ok(code) = ShaderCode::from_bytes(data) else {
        return false;
    };
    let text = disassemble(&code);
    let back = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // A comment that is no constant table has no text.
    let again = disassemble(&back);
    assert_eq!(text, again);
    true
}

/// Bytes as a shader pack: whatever reads is written back to the same bytes.
pub fn pack(data: &[u8]) -> bool {
    let Ok(pack) = ShaderPack::parse(data) else {
        return false;
    };
    assert_eq!(pack.to_bytes(), data);
    true
}

/// Bytes as assembly text: whatever assembles reads, and its text assembles to the same.
pub fn asm(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else {
        return false;
    };
    let Ok(code) = assemble(text) else {
        return false;
    };
    let back = assemble(&disassemble(&code)).expect("the disassembler's text assembles");
    assert_eq!(code.tokens(), back.tokens());
    true
}

/// Options of 48 bytes, the rest a token stream: what translates is valid and can be written in
/// every language, within the stated bounds.
pub fn translate(data: &[u8]) -> bool {
    let Some((chosen, tokens)) = data.split_first_chunk::<48>() else {
        return false;
    };
    let Ok(code) = ShaderCode::from_bytes(tokens) else {
        return false;
    };
    let options = options(chosen);
    let translation = match lower(&code, &options) {
        Ok(translation) => translation,
        Err(error @ (Error::Invalid(_) | Error::Writer { .. })) => panic!("{error}"),
        Err(_) => return false,
    };
    let lowered = translation.module.entry_points[0]
        .function
        .expressions
        .len();
    if !code
        .instructions()
        .any(|i| i.op.name(code.version()).starts_with("call"))
    {
        let most = limits::MAX_EXPRESSIONS_PER_INSTRUCTION * code.instructions().count() + 4_096;
        assert!(lowered <= most, "{lowered} expressions, at most {most}");
    }
    writers::spirv(&translation).expect("SPIR-V");
    writers::msl(&translation).expect("MSL");
    if options.point_sprite {
        // naga's WGSL, HLSL and GLSL have no point coordinate.
        return true;
    }
    writers::hlsl(&translation).expect("HLSL");
    writers::glsl(&translation).expect("GLSL");
    let text = writers::wgsl(&translation).expect("WGSL");
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::CLIP_DISTANCES,
    )
    .validate(&module)
    .unwrap_or_else(|e| panic!("{e}\n{text}"));
    true
}

/// A mode of radial fog in one byte, the rest a token stream: what is rewritten grows by the tokens
/// of its terms, reads, and translates to a valid module if the shader did before.
pub fn radial_fog(data: &[u8]) -> bool {
    let Some((mode, tokens)) = data.split_first() else {
        return false;
    };
    let Ok(code) = ShaderCode::from_bytes(tokens) else {
        return false;
    };
    let mode = Mode::ALL[usize::from(mode & 1)];
    let radial = match (scan(&code, mode), rewrite(&code, mode)) {
        (Ok(plan), Ok(radial)) => {
            let grown = code.tokens().len() + plan.terms.len() * GROWTH;
            assert_eq!(radial.tokens().len(), grown);
            radial
        }
        (plan, radial) => {
            assert_eq!(plan.err(), radial.err());
            return false;
        }
    };
    assert_eq!(ShaderCode::parse(radial.tokens()).as_ref(), Ok(&radial));
    if lower(&code, &Options::default()).is_ok() {
        let translation = lower(&radial, &Options::default()).expect("it translates as before");
        writers::spirv(&translation).expect("SPIR-V");
    }
    true
}

fn options(bytes: &[u8; 48]) -> Options {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let curve = [FogCurve::Exp, FogCurve::Exp2, FogCurve::Linear][usize::from(bytes[1] >> 4) % 3];
    let depth = [FogDepth::Z, FogDepth::W][usize::from(bytes[1] >> 2 & 1)];
    let kinds = [
        None,
        Some(SamplerKind::D2),
        Some(SamplerKind::Cube),
        Some(SamplerKind::Volume),
    ];
    let mut options = Options {
        alpha_func: CompareFunc::from_d3d(u32::from(bytes[0] & 7) + 1).unwrap_or_default(),
        fog: [Fog::None, Fog::Vertex, Fog::Table(curve, depth)][usize::from(bytes[1] & 3) % 3],
        float_rules: [FloatRules::D3d9, FloatRules::Ieee][usize::from(bytes[2] & 1)],
        flat_shading: bytes[2] & 2 != 0,
        point_sprite: bytes[2] & 4 != 0,
        point_size: bytes[2] & 8 != 0,
        depth_bias: bytes[2] & 16 != 0,
        clip_planes: bytes[3],
        missing_inputs: u32::from(word(4)) | u32::from(word(6)) << 16,
        projected: word(8),
        projected_by: [
            bytes[10] & 3,
            bytes[10] >> 2 & 3,
            bytes[11] & 3,
            bytes[11] >> 2 & 3,
        ],
        uint_attributes: word(12),
        sint_attributes: word(14),
        opaque_outputs: bytes[16],
        srgb_outputs: bytes[17],
        ..Options::default()
    };
    for stage in 0..16 {
        let byte = bytes[32 + stage];
        options.sampler_kinds[stage] = kinds[usize::from(byte & 3)];
        options.samplers[stage] = SamplerRules {
            border_color: u32::from(byte) * 0x0101_0101,
            lod_bias: i16::from(byte >> 7) * i16::from(byte),
            address: byte >> 1,
            texels: byte >> 2 & 3,
        };
    }
    options
}
