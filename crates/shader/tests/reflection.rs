//! What a caller learns of a function, and the layout of what it must bind.

use naga::{AddressSpace, TypeInner};
use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_shader::abi::{self, PixelExtras, VertexExtras};
use ninefold_shader::{
    CompareFunc, ConstRange, Fog, FogCurve, FogDepth, Link, Options, SamplerKind, Stage,
    Translation, Usage, translate, writers,
};
use std::mem::offset_of;

fn code(text: &str) -> ShaderCode {
    assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn translated(text: &str) -> Translation {
    with(text, &Options::default())
}

fn with(text: &str, options: &Options) -> Translation {
    translate(&code(text), options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn range(first: u16, count: u16, packed_at: u16) -> ConstRange {
    ConstRange {
        first,
        count,
        packed_at,
    }
}

#[test]
fn used_constants_are_merged_and_packed() {
    let function = translated(
        "vs_1_1\ndef c6, 1, 2, 3, 4\ndcl_position v0\nm4x4 oPos, v0, c2\nadd r0, v0, c6\n\
         mad oT0, r0, c9, c0\nmov oD0, c10\n",
    );
    let reflection = &function.reflection;
    assert_eq!(
        reflection.float_ranges,
        [range(0, 1, 0), range(2, 4, 1), range(9, 2, 5)]
    );
    assert_eq!(reflection.packed_floats, 7);
    assert!(!reflection.uses_relative);
    let file: Vec<[f32; 4]> = (0..16).map(|i| [i as f32; 4]).collect();
    let mut packed = [[-1.0; 4]; 8];
    assert_eq!(reflection.pack_floats(&file, &mut packed), 7);
    assert_eq!(
        packed.map(|value| value[0]),
        [0.0, 2.0, 3.0, 4.0, 5.0, 9.0, 10.0, -1.0]
    );
    // A short file reads as zero beyond its end, a short buffer takes what fits.
    assert_eq!(reflection.pack_floats(&file[..4], &mut packed), 7);
    assert_eq!(
        packed.map(|value| value[0]),
        [0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, -1.0]
    );
    assert_eq!(reflection.pack_floats(&file, &mut packed[..3]), 3);
}

#[test]
fn relative_addressing_takes_the_whole_file_without_a_constant_table() {
    let function = translated(
        "vs_1_1\ndef c1, 7, 7, 7, 7\ndcl_position v0\nmov a0.x, v0.x\nadd r0, c[a0.x + 3], c1\n\
         mov oPos, r0\n",
    );
    let reflection = &function.reflection;
    assert!(reflection.uses_relative);
    assert_eq!(reflection.float_ranges, [range(0, 256, 0)]);
    assert_eq!(reflection.packed_floats, 256);
    let file = vec![[1.0; 4]; 256];
    let mut packed = vec![[0.0; 4]; 256];
    assert_eq!(reflection.pack_floats(&file, &mut packed), 256);
    assert_eq!(
        (packed[0][0], packed[1][0], packed[255][0]),
        (1.0, 7.0, 1.0)
    );
}

#[test]
fn attributes_are_those_read_in_the_order_declared() {
    let function = translated(
        "vs_2_0\ndcl_texcoord1 v7\ndcl_position v0\ndcl_normal v3\nmov oPos, v0\nmov oT0, v7\n",
    );
    let attributes: Vec<_> = function
        .reflection
        .attributes
        .iter()
        .map(|attribute| (attribute.usage, attribute.index, attribute.register))
        .collect();
    assert_eq!(
        attributes,
        [(Usage::TexCoord, 1, 7), (Usage::Position, 0, 0)]
    );
    assert_eq!(function.reflection.outputs_mask, 1 << 2);
}

#[test]
fn undeclared_inputs_have_the_usages_of_direct3d_8() {
    let function = translated("vs_1_1\nmov oPos, v0\nmov oD0, v5\nmov oT0, v7\nmov oT1, v15\n");
    let attributes: Vec<_> = function
        .reflection
        .attributes
        .iter()
        .map(|attribute| (attribute.usage, attribute.index, attribute.register))
        .collect();
    let expected = [
        (Usage::Position, 0, 0),
        (Usage::Color, 0, 5),
        (Usage::TexCoord, 0, 7),
        (Usage::Position, 1, 15),
    ];
    assert_eq!(attributes, expected);
    assert_eq!(function.reflection.outputs_mask, 0b1101);
}

#[test]
fn pixel_inputs_outputs_and_samplers_are_named() {
    let function = translated(
        "ps_2_0\ndcl v1\ndcl t3\ndcl_cube s2\ndcl_volume s5\ndcl_2d s7\ntexld r0, t3, s2\n\
         texld r1, t3, s5\nadd r0, r0, r1\nadd r0, r0, v1\nmov oC0, r0\nmov oC2, r0\n\
         mov oDepth, r0.x\n",
    );
    let reflection = &function.reflection;
    assert_eq!(reflection.stage, Stage::Pixel);
    assert_eq!(reflection.inputs_mask, 1 << 1 | 1 << 5);
    let samplers: Vec<_> = reflection
        .samplers
        .iter()
        .map(|s| (s.register, s.kind))
        .collect();
    assert_eq!(samplers, [(2, SamplerKind::Cube), (5, SamplerKind::Volume)]);
    assert_eq!(reflection.color_outputs, 0b101);
    assert!(reflection.writes_depth);
    assert!(!reflection.uses_extras);
}

#[test]
fn integers_and_booleans_are_those_not_defined() {
    let function = translated(
        "vs_2_0\ndefi i1, 3, 0, 0, 0\ndefb b2, true\nmov r0, c0\nrep i0\nadd r0, r0, c1\nendrep\n\
         rep i1\nadd r0, r0, c1\nendrep\nif b2\nmov r0, c1\nendif\nif b9\nmov r0, c2\nendif\n\
         mov oPos, r0\n",
    );
    assert_eq!(function.reflection.int_mask, 1);
    assert_eq!(function.reflection.bool_mask, 1 << 9);
    assert!(function.reflection.uses_extras);
}

#[test]
fn missing_inputs_are_not_declared() {
    let text = "ps_2_0\ndcl v0\ndcl t0\nmul r0, v0, t0\nmov oC0, r0\n";
    let options = Options {
        missing_inputs: 1,
        ..Options::default()
    };
    let function = with(text, &options);
    assert_eq!(function.reflection.inputs_mask, 1 << 0 | 1 << 2);
    assert_eq!(function.module.entry_points[0].function.arguments.len(), 1);
}

#[test]
fn the_name_is_the_identity_of_tokens_and_options() {
    let text = "ps_2_0\ndcl t0\ntexkill t0\nmov r0, t0\nmov oC0, r0\n";
    let plain = translated(text);
    assert_eq!(plain.entry, format!("fs_{:016x}", plain.identity));
    assert_eq!(plain.entry, plain.module.entry_points[0].name);
    assert_eq!(plain.entry, translated(text).entry);
    let tested = Options {
        alpha_func: CompareFunc::Less,
        ..Options::default()
    };
    assert_ne!(plain.entry, with(text, &tested).entry);
    // What ps_2_0 does not look at makes no other function.
    let mut kinds = Options {
        point_size: true,
        uint_attributes: 9,
        ..Options::default()
    };
    kinds.sampler_kinds[0] = Some(SamplerKind::Cube);
    kinds.projected = 1;
    assert_eq!(plain.entry, with(text, &kinds).entry);
    let elsewhere = Options {
        missing_inputs: 1 << 7 | 1,
        flat_shading: true,
        ..kinds
    };
    assert_eq!(plain.entry, with(text, &elsewhere).entry);
    let here = Options {
        missing_inputs: 1 << 2,
        ..Options::default()
    };
    assert_ne!(plain.entry, with(text, &here).entry);
    let vertex = translated("vs_1_1\nmov oPos, v0\n");
    assert!(vertex.entry.starts_with("vs_"));
    let fogged = Options {
        fog: Fog::Vertex,
        ..Options::default()
    };
    assert_eq!(vertex.entry, with("vs_1_1\nmov oPos, v0\n", &fogged).entry);
    let three = "ps_3_0\nmov oC0, c0\n";
    assert_eq!(translated(three).entry, with(three, &fogged).entry);
}

#[test]
fn comments_of_any_kind_change_nothing() {
    let plain = code("vs_1_1\nmov r0, c3\nmov oPos, r0\n");
    let mut words = plain.tokens().to_vec();
    // A constant table with the 20-byte header that early compilers wrote.
    let table = [0x4241_5443, 20, 0, 0xFFFE_0101, 0, 0];
    let comment = 0x0000_FFFE | (table.len() as u32) << 16;
    words.splice(1..1, std::iter::once(comment).chain(table));
    let commented = ShaderCode::parse(&words).expect("the commented stream reads");
    let options = Options::default();
    let [plain, commented] =
        [&plain, &commented].map(|code| translate(code, &options).expect("it translates"));
    assert_eq!(plain.identity, commented.identity);
    assert_eq!(plain.reflection, commented.reflection);
    assert_eq!(
        writers::spirv(&plain).expect("SPIR-V"),
        writers::spirv(&commented).expect("SPIR-V")
    );
}

/// More constants than a window of group 0 holds lie in a storage buffer; a GPU without any refuses.
#[test]
fn constants_past_the_windows_lie_in_a_storage_buffer() {
    let mut text = String::from("vs_2_sw\nmov r0, c0\n");
    for register in 1..300 {
        text.push_str(&format!("add r0, r0, c{register}\n"));
    }
    text.push_str("rep i40\nrep i17\nif b99\nmov r1, c0\nendif\nendrep\nendrep\nmov oPos, r0\n");
    let reflection = translated(&text).reflection;
    assert!(reflection.large.floats);
    assert_eq!(reflection.large.ints, [17, 40]);
    assert_eq!(reflection.large.bools, [99]);
    assert_eq!(
        (reflection.large_rows(), reflection.window_rows()),
        (303, 0)
    );
    let floats: Vec<_> = (0..300).map(|n| [n as f32; 4]).collect();
    let mut ints = vec![[0; 4]; 18];
    ints[17] = [1, -2, 3, 4];
    let mut out = vec![[7; 4]; 304];
    let written = reflection.pack_large(&floats, &ints, &[0, 0, 0, 8], &mut out);
    assert_eq!(written, 303);
    assert_eq!(out[299], [299.0f32.to_bits(); 4]);
    assert_eq!(out[300], [1, u32::MAX - 1, 3, 4]);
    // i40 lies past the end of what was given.
    assert_eq!(out[301..], [[0; 4], [1, 0, 0, 0], [7; 4]]);
    assert_eq!(reflection.pack_large(&floats, &[], &[], &mut out[..2]), 2);
}

#[test]
fn sparse_high_constants_fit() {
    let function = translated("vs_2_sw\nmov r0, c0\nadd r0, r0, c8000\nmov oPos, r0\n");
    assert_eq!(
        function.reflection.float_ranges,
        [range(0, 1, 0), range(8000, 1, 1)]
    );
}

/// The members of a uniform block, by name, with their offsets, and its size.
fn block(function: &Translation, binding: u32) -> (Vec<(String, u32)>, u32) {
    let module = &function.module;
    let (_, global) = module
        .global_variables
        .iter()
        .find(|(_, global)| {
            global.space == AddressSpace::Uniform
                && global
                    .binding
                    .is_some_and(|b| (b.group, b.binding) == (0, binding))
        })
        .expect("the block is declared");
    let TypeInner::Struct { members, span } = &module.types[global.ty].inner else {
        panic!("the block is a struct");
    };
    let mut layouter = naga::proc::Layouter::default();
    layouter
        .update(module.to_ctx())
        .expect("the module has a layout");
    assert_eq!(layouter[global.ty].size, *span);
    let members = members
        .iter()
        .map(|member| (member.name.clone().unwrap_or_default(), member.offset));
    (members.collect(), *span)
}

fn named<const N: usize>(members: [(&str, usize); N]) -> Vec<(String, u32)> {
    members
        .map(|(name, offset)| (name.to_owned(), offset as u32))
        .to_vec()
}

#[test]
fn vertex_extras_lie_as_the_module_reads_them() {
    let function = translated("vs_2_0\nmov r0, c0\nrep i0\nadd r0, r0, c1\nendrep\nmov oPos, r0\n");
    let (members, span) = block(&function, abi::VERTEX_EXTRAS);
    type E = VertexExtras;
    let expected = named([
        ("ints", offset_of!(E, ints)),
        ("bools", offset_of!(E, bools)),
        ("clip_planes", offset_of!(E, clip_planes)),
        ("viewport_inv", offset_of!(E, viewport_inv)),
        ("misc", offset_of!(E, misc)),
    ]);
    assert_eq!(members, expected);
    assert_eq!(span as usize, size_of::<VertexExtras>());
    assert_eq!(size_of::<VertexExtras>(), 448);
}

#[test]
fn pixel_extras_lie_as_the_module_reads_them() {
    let fog = Fog::Table(FogCurve::Linear, FogDepth::Z);
    let options = Options {
        fog,
        ..Options::default()
    };
    let function = with("ps_2_0\nmov r0, c0\nmov oC0, r0\n", &options);
    let (members, span) = block(&function, abi::PIXEL_EXTRAS);
    type E = PixelExtras;
    let expected = named([
        ("texture_factor", offset_of!(E, texture_factor)),
        ("fog_color", offset_of!(E, fog_color)),
        ("fog", offset_of!(E, fog)),
        ("alpha_ref", offset_of!(E, alpha_ref)),
        ("stage_constants", offset_of!(E, stage_constants)),
        ("bump_matrices", offset_of!(E, bump_matrices)),
        ("bump_luminance", offset_of!(E, bump_luminance)),
        ("ints", offset_of!(E, ints)),
        ("bools", offset_of!(E, bools)),
    ]);
    assert_eq!(members, expected);
    assert_eq!(span as usize, size_of::<PixelExtras>());
    assert_eq!(size_of::<PixelExtras>(), 720);
}

#[test]
fn every_varying_location_is_used_once() {
    let mut seen = [false; abi::VARYING_COUNT as usize];
    for usage in Usage::ALL {
        for index in 0..16 {
            if let Some(location) = abi::varying_location(usage, index) {
                let slot = &mut seen[location as usize];
                assert!(!*slot, "{usage:?}{index} shares location {location}");
                *slot = true;
            }
        }
    }
    // The rest is for what has no place of its own, by the pixel shader's registers.
    let first = abi::LINKED_LOCATION as usize;
    assert!(seen[..first].iter().all(|&used| used));
    assert!(seen[first..].iter().all(|&used| !used));
    assert_eq!(seen.len() - first, Link::REGISTERS);
}

#[test]
fn bindings_are_as_the_contract_numbers_them() {
    let function = translated("ps_2_0\ndcl t0\ndcl_2d s3\ntexld r0, t0, s3\nmov oC0, r0\n");
    let mut bindings: Vec<_> = function
        .module
        .global_variables
        .iter()
        .filter_map(|(_, global)| global.binding.map(|b| (b.group, b.binding)))
        .collect();
    bindings.sort_unstable();
    assert_eq!(bindings, [(1, 6), (1, 7)]);
    let text = "vs_3_0\ndcl_2d s1\ndcl_position o0\ntexldl r0, c0, s1\nmov o0, r0\n";
    let function = translated(text);
    let mut bindings: Vec<_> = function
        .module
        .global_variables
        .iter()
        .filter_map(|(_, global)| global.binding.map(|b| (b.group, b.binding)))
        .collect();
    bindings.sort_unstable();
    assert_eq!(bindings, [(0, 0), (1, 34), (1, 35)]);
    assert_eq!(function.reflection.samplers[0].register, 1);
}

/// A pixel function says what it takes beyond the common semantics; given that, the vertex function
/// writes it there, and what it does not write leaves it the function that it was.
#[test]
fn uncommon_semantics_are_linked_by_register() {
    let pixel = translated(
        "ps_3_0\ndcl_texcoord9 v2.xy\ndcl_normal1 v2.zw\ndcl_color v3\nadd oC0, v2, v3\n",
    );
    let link = pixel.reflection.link;
    assert_eq!(link.semantic(2, 1), Some((Usage::TexCoord, 9)));
    assert_eq!(link.semantic(2, 2), Some((Usage::Normal, 1)));
    assert_eq!(link.semantic(3, 0), None);
    let place = abi::LINKED_LOCATION + 2;
    assert_eq!(pixel.reflection.inputs_mask, 1 << place | 1);

    let linked = Options {
        link,
        ..Options::default()
    };
    let text = "vs_3_0\ndcl_position o0\ndcl_color o1\ndcl_normal1 o2\nmov o0, c0\nmov o1, c1\n\
                mov o2, c2\n";
    assert_eq!(translated(text).reflection.outputs_mask, 1);
    let vertex = with(text, &linked);
    assert_eq!(vertex.reflection.outputs_mask, 1 << place | 1);
    assert_ne!(vertex.identity, translated(text).identity);

    let mut more = linked;
    more.link.set(7, 0, Usage::Sample, 3);
    assert_eq!(with(text, &more).identity, vertex.identity);
    let plain = "vs_3_0\ndcl_position o0\nmov o0, c0\n";
    assert_eq!(with(plain, &linked).identity, translated(plain).identity);
    let older = "vs_2_0\nmov oPos, c0\nmov oD0, c1\n";
    assert_eq!(with(older, &linked).identity, translated(older).identity);
}
