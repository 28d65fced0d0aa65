//! Fixed-function keys: what normal form merges, what is refused, and a wide
//! sweep of keys through naga's validator (inside the generators) and `spirv-val`.

#[path = "common/keys.rs"]
mod keys;

use std::collections::HashSet;
use std::process::Command;

use keys::{Seeded, any_fragment_key, any_vertex_key};

use ninefold_shader::fixed::{
    self, FragmentKey, FragmentStage, STAGES, TRANSFORM_PROJECTED, VertexKey, VertexStage,
    coordinate, fragment_flag, fragment_fog, input, light_type, op, point, position, stage_texture,
    vertex_flag,
};
use ninefold_shader::{SamplerKind, Translation, Usage, writers};

/// Runs `spirv-val` over every module; `false` when the tool is not there.
fn spirv_val(sweep: &str, modules: &[(String, Vec<u32>)]) -> bool {
    let folder =
        std::env::temp_dir().join(format!("ninefold-fixed-{sweep}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut failures = Vec::new();
    for (name, words) in modules {
        let path = folder.join(format!("{name}.spv"));
        std::fs::write(&path, bytemuck::cast_slice::<u32, u8>(words)).expect("a temporary file");
        let run = Command::new("spirv-val")
            .args(["--target-env", "vulkan1.0"])
            .arg(&path)
            .output();
        let Ok(output) = run else {
            std::fs::remove_dir_all(&folder).ok();
            assert!(
                std::env::var_os("NINEFOLD_REQUIRE_TOOLS").is_none(),
                "spirv-val is missing (Debian: spirv-tools)"
            );
            eprintln!("skipped: spirv-val is missing (Debian: spirv-tools)");
            return false;
        };
        if !output.status.success() {
            failures.push(format!(
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
    }
    std::fs::remove_dir_all(&folder).ok();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        modules.len(),
        failures.join("")
    );
    true
}

fn sweep<K: core::fmt::Debug>(
    name: &str,
    count: usize,
    mut any: impl FnMut() -> K,
    generate: impl Fn(&K) -> Result<Translation, ninefold_shader::Error>,
    points: impl Fn(&K) -> bool,
) {
    let mut seen = HashSet::new();
    let mut modules = Vec::new();
    for _ in 0..count {
        let key = any();
        let function = generate(&key).unwrap_or_else(|error| panic!("{error}\n{key:?}"));
        if !seen.insert(function.identity) {
            continue;
        }
        let words = writers::spirv(&function).unwrap_or_else(|error| panic!("{error}\n{key:?}"));
        let msl = writers::msl(&function);
        msl.unwrap_or_else(|error| panic!("{error}\n{key:?}"));
        // WGSL, HLSL and naga's GLSL have no point size or place in a point.
        if !points(&key) {
            let texts = [writers::wgsl, writers::hlsl, writers::glsl];
            for write in texts {
                write(&function).unwrap_or_else(|error| panic!("{error}\n{key:?}"));
            }
        }
        modules.push((function.entry, words));
    }
    if spirv_val(name, &modules) {
        eprintln!(
            "{} distinct functions of {count} keys validate",
            modules.len()
        );
    }
}

#[test]
fn a_sweep_of_vertex_keys_is_valid() {
    let mut r = Seeded(0x9e37_79b9_7f4a_7c15);
    sweep(
        "vertex",
        400,
        || any_vertex_key(&mut r),
        fixed::vertex,
        |key| key.points & point::SIZE != 0,
    );
}

#[test]
fn a_sweep_of_fragment_keys_is_valid() {
    let mut r = Seeded(0x2545_f491_4f6c_dd1d);
    let any = || any_fragment_key(&mut r);
    sweep("fragment", 400, any, fixed::fragment, |key| {
        key.flags & fragment_flag::POINT_SPRITE != 0
    });
}

#[test]
fn normal_form_is_stable_and_keeps_the_function() {
    let mut r = Seeded(7);
    for _ in 0..2000 {
        let key = any_vertex_key(&mut r).normalized();
        assert_eq!(key, key.normalized());
        let key = any_fragment_key(&mut r).normalized();
        assert_eq!(key, key.normalized());
    }
}

#[test]
fn arbitrary_bytes_are_refused_or_valid() {
    let mut r = Seeded(99);
    for _ in 0..500 {
        let mut vertex: VertexKey = bytemuck::Zeroable::zeroed();
        bytemuck::bytes_of_mut(&mut vertex).fill_with(|| r.byte(256));
        vertex.version = fixed::KEY_VERSION;
        let _ = fixed::vertex(&vertex);
        let mut fragment: FragmentKey = bytemuck::Zeroable::zeroed();
        bytemuck::bytes_of_mut(&mut fragment).fill_with(|| r.byte(256));
        fragment.version = fixed::KEY_VERSION;
        let _ = fixed::fragment(&fragment);
    }
}

/// Keys of files that were damaged, too, and what is out of range is not normalised away.
#[test]
fn any_bytes_have_a_normal_form() {
    let mut r = Seeded(5);
    let vertex = any_vertex_key(&mut r);
    let fragment = any_fragment_key(&mut r);
    for value in 0..=255 {
        for at in 0..size_of::<VertexKey>() {
            let mut key = vertex;
            bytemuck::bytes_of_mut(&mut key)[at] = value;
            let _ = key.normalized();
        }
        for at in 0..size_of::<FragmentKey>() {
            let mut key = fragment;
            bytemuck::bytes_of_mut(&mut key)[at] = value;
            let _ = key.normalized();
        }
        let mut key = VertexKey::default();
        key.stages[0] = VertexStage {
            source: coordinate::SET,
            set: value,
            components: 2,
            ..VertexStage::default()
        };
        assert_eq!(fixed::vertex(&key.normalized()).is_ok(), value < 8);
    }
}

fn modulate() -> FragmentStage {
    FragmentStage {
        color_op: op::MODULATE,
        color_args: [0, op::arg::TEXTURE, op::arg::CURRENT],
        alpha_op: op::SELECTARG1,
        alpha_args: [0, op::arg::TEXTURE, 0],
        result: op::arg::CURRENT,
        texture: stage_texture::D2,
        ..FragmentStage::default()
    }
}

#[test]
fn stages_after_the_first_disabled_one_do_not_matter() {
    let mut key = FragmentKey::default();
    key.stages[0] = modulate();
    let short = key.normalized();
    key.stages[1].color_op = op::DISABLE;
    key.stages[1].alpha_op = op::ADD;
    key.stages[2] = modulate();
    assert_eq!(key.normalized(), short);
    assert_eq!(short.live_stages(), 1);
    assert_eq!(short.sampled_stages(), 1);
}

#[test]
fn an_unread_argument_makes_no_texture_or_coordinate() {
    let mut key = FragmentKey::default();
    key.stages[0] = FragmentStage {
        color_op: op::SELECTARG2,
        color_args: [op::arg::TEXTURE, op::arg::TEXTURE, op::arg::DIFFUSE],
        alpha_op: op::SELECTARG1,
        alpha_args: [op::arg::TEXTURE, op::arg::DIFFUSE, op::arg::TEXTURE],
        projected: 3,
        ..modulate()
    };
    let function = fixed::fragment(&key).expect("supported");
    assert_eq!(function.reflection.samplers, []);
    assert_eq!(function.reflection.inputs_mask, 0b1);
}

#[test]
fn implicit_reads_of_the_texture_count() {
    let mut key = FragmentKey::default();
    key.stages[0] = FragmentStage {
        color_op: op::BLENDTEXTUREALPHA,
        color_args: [0, op::arg::DIFFUSE, op::arg::FACTOR],
        texture: stage_texture::CUBE,
        ..FragmentStage::default()
    };
    let function = fixed::fragment(&key).expect("supported");
    let [sampler] = function.reflection.samplers[..] else {
        panic!("one sampler")
    };
    assert_eq!((sampler.register, sampler.kind), (0, SamplerKind::Cube));
    assert_eq!(function.reflection.inputs_mask, 0b101);
    assert!(function.reflection.uses_extras);
}

#[test]
fn a_missing_texture_passes_on_what_is_current() {
    let mut key = FragmentKey::default();
    key.stages[0] = modulate();
    key.stages[1] = FragmentStage {
        texture: stage_texture::NONE,
        ..modulate()
    };
    key.stages[2] = modulate();
    assert_eq!(key.normalized().live_stages(), 3);
    assert_eq!(key.normalized().stages[1].color_op, op::SELECTARG1);
    assert_eq!(key.normalized().stages[1].color_args[1], op::arg::CURRENT);
    key.flags = fragment_flag::NULL_READS_BLACK;
    assert_eq!(key.normalized().live_stages(), 3);
    assert_eq!(key.normalized().stages[1].color_op, op::MODULATE);
    key.flags = 0;
    key.stages[1].color_op = op::SELECTARG2;
    assert_eq!(key.normalized().live_stages(), 3);
    assert_eq!(key.normalized().sampled_stages(), 0b101);
}

#[test]
fn unknown_operations_name_their_stage() {
    let mut key = FragmentKey::default();
    key.stages[0] = modulate();
    key.stages[1] = FragmentStage {
        color_op: op::LERP + 1,
        ..modulate()
    };
    let error = fixed::fragment(&key).expect_err("unknown").to_string();
    assert_eq!(error, "fixed stage 1 has unknown color operation 27");
    key.stages[1] = FragmentStage {
        alpha_op: 200,
        ..modulate()
    };
    let error = fixed::fragment(&key).expect_err("unknown").to_string();
    assert_eq!(error, "fixed stage 1 has unknown alpha operation 200");
}

#[test]
fn a_missing_fog_varying_is_all_fog() {
    let mut key = FragmentKey {
        fog: fragment_fog::VERTEX,
        ..FragmentKey::default()
    };
    assert_eq!(
        fixed::fragment(&key).expect("valid").reflection.inputs_mask,
        1 | 1 << 10
    );
    key.missing_inputs = 1 << 10;
    let full = FragmentKey {
        fog: fragment_fog::FULL,
        ..FragmentKey::default()
    };
    assert_eq!(key.normalized(), full.normalized());
}

#[test]
fn lights_of_the_same_types_share_a_function() {
    let lit = VertexKey {
        inputs: input::NORMAL,
        flags: vertex_flag::LIGHTING,
        light_types: light_type::POINT,
        ..VertexKey::default()
    };
    let unlit = VertexKey { flags: 0, ..lit };
    assert_eq!(unlit.normalized(), VertexKey::default().normalized());
    // The local viewer matters only to the specular term.
    let local = VertexKey {
        flags: lit.flags | vertex_flag::LOCAL_VIEWER,
        ..lit
    };
    assert_eq!(local.normalized(), lit.normalized());
}

#[test]
fn a_material_source_without_its_colour_is_the_material() {
    let key = VertexKey {
        flags: vertex_flag::LIGHTING | vertex_flag::SPECULAR,
        inputs: input::DIFFUSE,
        diffuse_source: 1,
        specular_source: 2,
        ..VertexKey::default()
    };
    let normal = key.normalized();
    assert_eq!((normal.diffuse_source, normal.specular_source), (1, 0));
}

#[test]
fn only_the_sections_read_are_uploaded() {
    let plain = fixed::vertex(&VertexKey::default())
        .expect("valid")
        .reflection;
    assert_eq!(plain.packed_floats, 4);
    assert_eq!(plain.attributes.len(), 1);
    assert_eq!(plain.outputs_mask, 0b11);
    let pixels = VertexKey {
        position: position::PIXELS,
        ..VertexKey::default()
    };
    let pixels = fixed::vertex(&pixels).expect("valid").reflection;
    assert_eq!(pixels.packed_floats, 0);
    assert!(pixels.uses_extras);
    assert_eq!(pixels.attributes[0].usage, Usage::PositionT);
}

#[test]
fn coordinates_leave_by_stage_not_by_index() {
    let mut key = VertexKey::default();
    let sets = [2, 0, 0, 3, 0, 0, 0, 0];
    key.stages[0] = VertexStage::from_state(3, 0, &sets);
    key.stages[2] = VertexStage::from_state(0x3_0000, 0x103, &sets);
    assert_eq!(key.stages[2].source, coordinate::REFLECTION);
    assert_eq!(key.stages[2].transform, 4 | TRANSFORM_PROJECTED);
    let function = fixed::vertex(&key).expect("valid").reflection;
    assert_eq!(function.outputs_mask, 0b11 | 1 << 2 | 1 << 4);
    let element = function.attributes[1];
    assert_eq!((element.usage, element.index), (Usage::TexCoord, 3));
    assert_eq!(key.stages.len(), STAGES);
}
