//! Radial fog in the renderer: variants of vertex shaders, what they cost, and what of them stays
//! from session to session.

mod common;

use std::path::{Path, PathBuf};

use common::raw::{Owned, strides};
use common::{Alone, pixels, renderer_with};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    Constants, Manifest, PixelFunction, RadialFogMode, Renderer, Settings, ShaderId, StreamData,
    VertexElement, VertexFunction,
};
use ninefold_shader::{Fog, Options};

use RadialFogMode::{Depth, ViewPlane};

const ELEMENTS: [VertexElement; 2] = [
    VertexElement {
        stream: 0,
        offset: 0,
        ty: 3,
        usage: 0,
        index: 0,
    },
    VertexElement {
        stream: 0,
        offset: 16,
        ty: 3,
        usage: 5,
        index: 0,
    },
];

/// A position on the screen and a place in the world; fog by depth.
const FOGGED: &str = "vs_1_1\n dcl_position v0\n dcl_texcoord v1\n mov oPos, v0\n mov oD0, c9.x\n\
                      dp4 r0.x, v1, c6\n add oFog, c9.x, -r0.x\n";
/// The same, with a fog plane.
const WITH_PLANE: &str = "vs_1_1\n dcl_position v0\n dcl_texcoord v1\n mov oPos, v0\n mov oD0, c9.x\n\
                          dp4 oT0.x, v1, c6\n dp3 r0.x, v1, c7\n add r0.x, r0.x, c7.w\n\
                          add oFog, c9.x, r0.x\n";
const PLAIN: &str = "vs_1_1\n dcl_position v0\n dcl_texcoord v1\n mov oPos, v0\n mov oD0, c9.x\n\
                     mov oFog, c9.y\n";
const PIXEL: &str = "ps_1_1\n mov r0, v0\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn open(radial_fog: bool, folder: Option<&Path>) -> Option<Alone> {
    renderer_with(Settings {
        radial_fog,
        pipeline_cache_dir: folder.map(Path::to_owned),
        ..Settings::default()
    })
}

fn manifest(folder: &Path) -> Manifest {
    Manifest::parse(&std::fs::read(folder.join("manifest-v2.bin")).unwrap()).unwrap()
}

fn register(r: &mut Renderer, text: &str) -> ShaderId {
    r.register_shader(&assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}")))
        .unwrap()
}

/// The pixel that a vertex shader makes of a place, seen along `forward` from the origin: fog by
/// depth from 10 to 50, by the plane from 0 to 50.
fn pixel(
    r: &mut Renderer,
    vertex: ShaderId,
    pixel: ShaderId,
    place: [f32; 3],
    forward: [f32; 3],
) -> u32 {
    let options = Options {
        fog: Fog::Vertex,
        ..Options::default()
    };
    let [plain, fogged] = [Options::default(), options].map(|o| r.shader_options(&o).unwrap());
    let context = r.create_context(1, 1).unwrap();
    let mut owned = Owned::new(r, 1, 1, &ELEMENTS, &strides(32));
    owned.vertex = VertexFunction::Program(vertex, plain);
    owned.pixel = PixelFunction::Program(pixel, fogged);
    owned.generation = 1 + u64::from(forward[0].to_bits());
    let [x, y, z] = place;
    let bytes: Vec<u8> = [[-1.0f32, 1.0], [3.0, 1.0], [-1.0, -3.0]]
        .into_iter()
        .flat_map(|corner| [corner[0], corner[1], 0.5, 1.0, x, y, z, 1.0])
        .flat_map(f32::to_le_bytes)
        .collect();
    let mut c = [[0.0f32; 4]; 10];
    let [a, b, d] = forward;
    c[4] = [0.0, 0.0, 0.0, 2.0];
    c[6] = [a / 40.0, b / 40.0, d / 40.0, -0.25];
    c[7] = [-a / 50.0, -b / 50.0, -d / 50.0, 0.0];
    c[9] = [1.0, 0.25, 1.0, 1.0];
    let streams = [StreamData::Bytes(&bytes)];
    let mut draw = owned.draw(r, &context, &streams, 3);
    draw.vs_floats = Constants {
        file: &c,
        generation: owned.generation,
    };
    r.draw(&draw).unwrap();
    pixels(&r.read_framebuffer(&context).unwrap())[0]
}

const PLACE: [f32; 3] = [18.0, 0.0, 24.0];
/// Depths of the place: 24, 18, 30.
const BEARINGS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.6, 0.0, 0.8]];

/// White under black fog of this factor; alpha has no fog.
fn grey(factor: f32) -> u32 {
    let level = (factor * 255.0).round() as u32;
    0xFF00_0000 | level << 16 | level << 8 | level
}

fn close(a: u32, b: u32) -> bool {
    common::near(a, b, 1) && a >> 24 == b >> 24
}

#[test]
fn variants_fog_by_distance_and_blend_colours_alone() {
    let Some(mut r) = open(true, None) else {
        return;
    };
    let ps = register(&mut r, PIXEL);
    let [fogged, planed] = [FOGGED, WITH_PLANE].map(|text| register(&mut r, text));
    // (50 - 24) / 40, (50 - 18) / 40, (50 - 30) / 40; the place is 30 away.
    let by_depth = [0.65, 0.8, 0.5];
    let by_plane = [0.52, 0.64, 0.4];
    let radial = r.radial_shader(fogged, Depth).unwrap();
    let [by_c6, all] = [Depth, ViewPlane].map(|mode| r.radial_shader(planed, mode).unwrap());
    for (n, forward) in BEARINGS.into_iter().enumerate() {
        for (shader, factor) in [
            (fogged, by_depth[n]),
            (radial, 0.5),
            (planed, by_plane[n]),
            // Its fog is the plane's.
            (by_c6, by_plane[n]),
            (all, 0.4),
        ] {
            let is = pixel(&mut r, shader, ps, PLACE, forward);
            assert!(close(is, grey(factor)), "{n}: {is:08x}, not {factor}");
        }
    }
    // At the eye there is no distance, and no fog.
    for shader in [fogged, radial] {
        let is = pixel(&mut r, shader, ps, [0.0; 3], BEARINGS[0]);
        assert_eq!(is, grey(1.0));
    }
}

#[test]
fn shaders_that_are_declined_are_their_own_variants() {
    let Some(mut r) = open(true, None) else {
        return;
    };
    let all_temporaries: String = (0..12).map(|n| format!("mov r{n}, v0\n")).collect();
    let fog = "mov oPos, v0\n dp4 oFog, v0, c6\n";
    for text in [
        PLAIN.to_owned(),
        PIXEL.to_owned(),
        format!("vs_2_0\n dcl_position v0\n {fog}"),
        format!("vs_1_1\n dcl_position v0\n {all_temporaries}{fog}"),
        format!("vs_1_1\n dcl_position v0\n m3x3 r0.xyz, v0, c20\n {fog}"),
    ] {
        let shader = register(&mut r, &text);
        for mode in RadialFogMode::ALL {
            assert_eq!(r.radial_shader(shader, mode), Ok(shader), "{text}");
        }
    }
    let fogged = register(&mut r, FOGGED);
    let [depth, plane] = [Depth, ViewPlane].map(|mode| r.radial_shader(fogged, mode).unwrap());
    assert!(depth != fogged && plane != fogged && plane != depth);
    assert_eq!(r.radial_shader(fogged, Depth), Ok(depth));
    assert_eq!(r.radial_shader(depth, Depth), Ok(depth), "and no further");
    // Of another renderer.
    drop(r);
    let mut other = open(true, None).unwrap();
    assert!(other.radial_shader(fogged, Depth).is_err());
}

/// Draws what programs without a panorama draw; what was recorded of it.
fn flat(radial_fog: bool, name: &str) -> Option<(Vec<u32>, Manifest, Vec<u8>)> {
    let folder = folder(name);
    let mut r = open(radial_fog, Some(&folder))?;
    let ps = register(&mut r, PIXEL);
    let mut seen = Vec::new();
    for text in [FOGGED, WITH_PLANE, PLAIN] {
        let vs = register(&mut r, text);
        seen.extend(BEARINGS.map(|forward| pixel(&mut r, vs, ps, PLACE, forward)));
    }
    r.sync_pipelines().unwrap();
    drop(r);
    let bytes = std::fs::read(folder.join("manifest-v2.bin")).unwrap();
    Some((seen, manifest(&folder), bytes))
}

/// The switch alone changes no pixel, no key and no byte of a manifest.
#[test]
fn the_switch_alone_changes_nothing() {
    let Some(off) = flat(false, "radial_off") else {
        return;
    };
    let on = flat(true, "radial_on").unwrap();
    assert_eq!(on.0, off.0);
    assert_eq!(on.2, off.2, "the manifests");
    assert_eq!(on.1.len(), 3);
    assert!(on.1.summaries().all(|recipe| recipe.radial_fog == 0));
}

/// A shader and its variant have a pipeline each, and each is used again.
#[test]
fn each_variant_has_one_pipeline() {
    let Some(mut r) = open(true, None) else {
        return;
    };
    let ps = register(&mut r, PIXEL);
    let vs = register(&mut r, WITH_PLANE);
    let [depth, plane] = [Depth, ViewPlane].map(|mode| r.radial_shader(vs, mode).unwrap());
    r.wait_for_pipelines();
    for (shader, pipelines) in [
        (vs, 1),
        (depth, 2),
        (vs, 2),
        (plane, 3),
        (depth, 3),
        (plane, 3),
    ] {
        pixel(&mut r, shader, ps, PLACE, BEARINGS[0]);
        assert_eq!(r.pipeline_stats().draw_builds, pipelines);
    }
    // A shader without fog has one, whatever is asked for.
    let plain = register(&mut r, PLAIN);
    for mode in RadialFogMode::ALL {
        let variant = r.radial_shader(plain, mode).unwrap();
        pixel(&mut r, variant, ps, PLACE, BEARINGS[0]);
        assert_eq!(r.pipeline_stats().draw_builds, 4);
    }
}

#[test]
fn variants_are_compiled_when_shaders_are_registered() {
    let made = |radial_fog: bool, texts: &[&str]| {
        let mut r = open(radial_fog, None)?;
        r.wait_for_pipelines();
        let before = r.pipeline_stats().background_functions;
        for text in texts {
            register(&mut r, text);
        }
        r.wait_for_pipelines();
        let after = r.pipeline_stats().background_functions;
        Some([before, after - before])
    };
    let all = [FOGGED, WITH_PLANE, PLAIN];
    let Some(off) = made(false, &all) else { return };
    assert_eq!(off, [0, 3]);
    // With it, two functions for vertices that bring a factor of their own; one variant of the
    // first shader, two of the second.
    assert_eq!(made(true, &all).unwrap(), [2, 6]);
    assert_eq!(made(true, &[PLAIN, PIXEL]).unwrap(), [2, 2]);
}

/// Recipes of variants stay on disk while radial fog is off, and are built when it is on again.
#[test]
fn recipes_of_variants_wait_for_the_switch() {
    let folder = folder("radial_recipes");
    let play = |radial_fog: bool| {
        let mut r = open(radial_fog, Some(&folder))?;
        let ps = register(&mut r, PIXEL);
        let vs = register(&mut r, FOGGED);
        r.wait_for_pipelines();
        let mut seen = vec![pixel(&mut r, vs, ps, PLACE, BEARINGS[0])];
        if radial_fog {
            let radial = r.radial_shader(vs, Depth).unwrap();
            seen.push(pixel(&mut r, radial, ps, PLACE, BEARINGS[0]));
        }
        r.sync_pipelines().unwrap();
        let stats = r.pipeline_stats();
        Some((seen, stats.draw_builds, stats.background_builds))
    };
    let Some(first) = play(true) else { return };
    assert_eq!((first.1, first.2), (2, 0));
    let recorded = manifest(&folder);
    let mut recipes: Vec<_> = recorded.summaries().collect();
    recipes.sort_by_key(|recipe| recipe.radial_fog);
    assert_eq!(recipes.len(), 2);
    assert_eq!([0, 1].map(|n: usize| recipes[n].radial_fog), [0, 1]);
    assert_eq!(recipes[0].vertex, recipes[1].vertex, "one content key");
    assert_ne!(recipes[0].key, recipes[1].key);

    let bytes = || std::fs::read(folder.join("manifest-v2.bin")).unwrap();
    let before = bytes();
    let off = play(false).unwrap();
    assert_eq!((off.1, off.2), (0, 1), "the variant is not built");
    assert_eq!(off.0[0], first.0[0]);
    assert_eq!(bytes(), before, "and stays");
    let on = play(true).unwrap();
    assert_eq!((on.1, on.2), (0, 2), "nothing at a draw");
    assert_eq!(on.0, first.0);
    assert_eq!(bytes(), before);
}
