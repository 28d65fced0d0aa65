//! C and C++ programs over `libd3d9.so`, each of which checks itself.

use std::path::Path;
use std::process::Command;

use crate::harness::*;
use ninefold_d3d9::trace::TraceReader;

fn program(file: &str) {
    let source = crate_dir().join("tests/c").join(file);
    let compiler = if file.ends_with(".cpp") { "g++" } else { "gcc" };
    if !can_compile(compiler) {
        return;
    }
    let folder = scratch(file);
    run(&mut Command::new(compile(&source, &folder)));
}

#[test]
fn lighting() {
    program("lighting.c");
}

#[test]
fn multitexture_and_bump() {
    program("multitexture.c");
}

#[test]
fn render_to_texture() {
    program("render_target.c");
}

#[test]
fn which_pixels_are_covered() {
    program("coverage.c");
}

#[test]
fn what_drivers_offered_by_codes() {
    program("driver_features.c");
}

#[test]
fn state_blocks() {
    program("state_blocks.c");
}

#[test]
fn shaders_of_models_1_to_3() {
    program("shaders.c");
}

#[test]
fn volume_and_cube_maps() {
    program("volume_cube.cpp");
}

#[test]
fn references_and_private_data() {
    program("references.c");
}

#[test]
fn the_rest_of_the_fixed_pipeline() {
    program("pipeline.c");
}

/// With copies on the GPU and without.
#[test]
fn buffers_written_after_their_unlock() {
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("kept_pointers.c");
    let program = compile(&crate_dir().join("tests/c/kept_pointers.c"), &folder);
    for fast in ["1", "0"] {
        run(Command::new(&program).env("NINEFOLD_DRAW_FASTPATH", fast));
    }
}

#[test]
fn vertices_processed_on_the_cpu() {
    program("process_vertices.c");
}

#[test]
fn the_floating_point_state_of_callers() {
    program("float_state.c");
}

#[test]
fn the_fixed_pipeline_at_its_edges() {
    program("fixed_edges.c");
}

#[test]
fn what_the_documentation_of_the_fixed_pipeline_leaves_open() {
    program("fixed_rules.c");
}

#[test]
fn random_lives() {
    program("lifetimes.c");
}

#[test]
fn every_method_with_zeros() {
    program("nulls.c");
}

#[test]
fn several_threads() {
    program("threads.c");
}

#[test]
fn set_and_get_of_a_device() {
    program("device_state.c");
}

#[test]
fn reset_and_what_stands_in_its_way() {
    program("reset.c");
}

#[test]
fn swap_chains() {
    program("swapchains.c");
}

#[test]
fn queries() {
    program("queries.c");
}

#[test]
fn the_extended_device() {
    program("ex.c");
}

#[test]
fn capabilities() {
    program("caps.c");
}

#[test]
fn odd_arguments_that_pass() {
    program("forgiving.c");
}

#[test]
fn the_beam_and_latency() {
    program("pacing.c");
}

#[test]
fn formats() {
    program("formats.c");
}

#[test]
fn locks() {
    program("locks.c");
}

#[test]
fn creation_of_resources() {
    program("creation.c");
}

#[test]
fn transfers() {
    program("transfers.c");
}

#[test]
fn levels_and_faces() {
    program("levels.c");
}

#[test]
fn what_resources_remember() {
    program("resources.c");
}

#[test]
fn wrong_arguments() {
    program("arguments.c");
}

#[test]
fn what_reaches_a_vertex_shader() {
    program("inputs.c");
}

#[test]
fn depth_that_programs_write_and_read() {
    program("program_depth.c");
}

#[test]
fn points_of_programs() {
    program("points.c");
}

#[test]
fn shaders_of_unlike_versions() {
    program("mixing.c");
}

#[test]
fn sampling_by_programs() {
    program("textures.c");
}

#[test]
fn where_programs_slip() {
    program("program_edges.c");
}

#[test]
fn several_render_targets() {
    program("targets.c");
}

#[test]
fn what_changes_between_draws() {
    program("dynamic.c");
}

#[test]
fn depth_biases_at_the_ends_of_the_range() {
    program("depth_bias.c");
}

#[test]
fn cubes_are_filtered_face_by_face() {
    program("cubes.c");
}

#[test]
fn depth_ranges_sizes_and_textures() {
    program("depth.c");
}

#[test]
fn multisampled_targets() {
    program("multisample.c");
}

/// The example draws what it should, and what it did can be seen: a PNG a frame, and a capture.
#[test]
fn frames_and_captures_of_the_example() {
    if !can_compile("gcc") {
        return;
    }
    const FRAMES: usize = 3;
    let folder = scratch("triangle");
    let program = compile(&crate_dir().join("examples/triangle/triangle.c"), &folder);
    let (frames, trace) = (folder.join("frames"), folder.join("triangle.trace"));
    let mut command = Command::new(program);
    command
        .arg(FRAMES.to_string())
        .env("NINEFOLD_FRAME_DIR", &frames)
        .env("NINEFOLD_TRACE", &trace);
    if run(&mut command).is_none() {
        return;
    }

    assert_eq!(
        std::fs::read_dir(&frames).expect("pictures").count(),
        FRAMES
    );
    for n in 0..FRAMES {
        let file =
            std::fs::File::open(frames.join(format!("frame-{n:06}.png"))).expect("a picture");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .expect("a PNG");
        let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut rgb).expect("pixels");
        assert_eq!((info.width, info.height), (320, 240));
        assert_eq!(
            rgb[..3],
            [0x20, 0x28, 0x30],
            "frame {n}: a corner shows the background"
        );
        let middle = (120 * 320 + 160) * 3;
        let center = &rgb[middle..middle + 3];
        // The centre lies at a third of the way up from the base to the tip: a third of each
        // colour there is in the world, and 0x40 of the others.
        let expected = |own: f64| 255.0 * own + 64.0 * (1.0 - own);
        let up = (0.0 + 0.4) / 1.2;
        let tip = expected(up);
        let sides = expected((1.0 - up) / 2.0);
        let near = |a: u8, b: f64| (f64::from(a) - b).abs() <= 2.0;
        assert!(
            near(center[0], tip) && near(center[1], sides) && near(center[2], sides),
            "frame {n}: the centre is {center:?}, not {tip} {sides} {sides}"
        );
    }

    let names = calls(&trace);
    let count = |name: &str| names.iter().filter(|n| *n == name).count();
    assert_eq!(count("IDirect3DDevice9::Present"), FRAMES, "{names:?}");
    assert_eq!(count("IDirect3DDevice9::DrawPrimitiveUP"), FRAMES);
    assert_eq!(
        names.last().map(String::as_str),
        Some("IDirect3D9::Release")
    );
}

/// The names of a capture's calls.
fn calls(trace: &Path) -> Vec<String> {
    let file = std::fs::File::open(trace).expect("a capture");
    let mut reader = TraceReader::new(file).expect("a capture's header");
    let mut names = Vec::new();
    while let Some(call) = reader.next_call().expect("a whole capture") {
        names.push(call.name().to_owned());
    }
    names
}

/// A program that ends without releasing its device leaves a whole capture.
#[test]
fn a_capture_of_a_program_that_releases_nothing() {
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("unreleased");
    let trace = folder.join("unreleased.trace");
    let program = compile(&crate_dir().join("tests/c/unreleased.c"), &folder);
    if run(Command::new(program).env("NINEFOLD_TRACE", &trace)).is_some() {
        let names = calls(&trace);
        assert!(
            names.iter().any(|n| n == "IDirect3DDevice9::Present"),
            "{names:?}"
        );
    }
}

/// Without a GPU of that name there is no `IDirect3D9`, and standard error says so.
#[test]
fn no_adapter_gives_null() {
    const NO_GPU: i32 = 3;
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("no_adapter");
    let program = compile(&crate_dir().join("tests/c/unreleased.c"), &folder);
    let output = Command::new(program)
        .env("NINEFOLD_ADAPTER", "no adapter has this name")
        .env("LD_LIBRARY_PATH", library_folder())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(NO_GPU));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("ninefold: "), "{said}");
}

/// A pack that cannot be read is told on standard error, once, and changes nothing else.
#[test]
fn a_bad_shader_pack_is_told() {
    if !can_compile("gcc") {
        return;
    }
    let folder = scratch("bad_pack");
    let program = compile(&crate_dir().join("tests/c/references.c"), &folder);
    if let Some(output) = run(Command::new(program).env("NINEFOLD_SHADER_PACK", &folder)) {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.matches("NINEFOLD_SHADER_PACK=").count(), 1, "{said}");
    }
}
