//! Every function is valid in all five target languages, as far as tools that run here can
//! tell: naga's validator, `spirv-val`, naga's own WGSL front end, `glslangValidator` on GLSL and
//! on HLSL, and clang++ on MSL under a stand-in for Apple's headers.

#[path = "../common/mod.rs"]
mod common;
mod inputs;
#[path = "../common/keys.rs"]
mod keys;
mod report;
#[path = "../common/slots.rs"]
mod slots;
mod tools;

use ninefold_shader::{Options, Stage, Translation, fixed, translate, writers};
use report::{Check, Report};
use std::path::Path;
use std::sync::Mutex;

/// Runs `work` over `items` on all cores.
fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    results.lock().expect("no panic").push(result);
                }
            });
        }
    });
    results.into_inner().expect("no panic")
}

/// What the checks say about one function; texts that are checked together with others are
/// handed on.
struct Outcome {
    faults: Vec<(Check, String)>,
    entry: String,
    glsl: Option<tools::Glsl>,
    msl: [Option<String>; 2],
}

/// MSL for tools, and for drivers.
const MSL: [Check; 2] = [Check::Msl, Check::MslOfDrivers];

fn msl(translation: &Translation, check: Check) -> Result<String, String> {
    let text = match check {
        Check::MslOfDrivers => {
            let slots = slots::of(translation);
            writers::msl_with_slots(translation, writers::MslVersion::MACOS, &slots)
        }
        _ => writers::msl(translation),
    };
    text.map_err(|error| error.to_string())
        .and_then(|text| named(text, &translation.entry))
}

fn check_one(translation: &Translation) -> Outcome {
    let vertex = translation.reflection.stage == Stage::Vertex;
    let entry = translation.entry.as_str();
    let mut faults = Vec::new();
    let mut check = |check, result: Result<(), String>| {
        faults.extend(result.err().map(|message| (check, message)));
    };
    let spirv = writers::spirv(translation).map_err(|e| e.to_string());
    check(Check::Spirv, spirv.and_then(|w| common::spirv_val(&w)));
    let wgsl = writers::wgsl(translation).map_err(|e| e.to_string());
    check(
        Check::Wgsl,
        wgsl.and_then(|text| named(text, entry))
            .and_then(|text| tools::wgsl(&text)),
    );
    let glsl = writers::glsl(translation).map_err(|e| e.to_string());
    let glsl = match glsl {
        Ok(text) => Some(tools::Glsl {
            entry: entry.to_owned(),
            vertex,
            text,
        }),
        Err(message) => {
            check(Check::Glsl, Err(message));
            None
        }
    };
    let hlsl = writers::hlsl(translation).map_err(|e| e.to_string());
    check(
        Check::Hlsl,
        hlsl.and_then(|text| tools::hlsl(&text, vertex, entry)),
    );
    let msl = MSL.map(|kind| match msl(translation, kind) {
        Ok(text) => Some(text),
        Err(message) => {
            check(kind, Err(message));
            None
        }
    });
    Outcome {
        faults,
        entry: entry.to_owned(),
        glsl,
        msl,
    }
}

/// The text, when a function in it has the entry point's name.
fn named(text: String, entry: &str) -> Result<String, String> {
    match text.contains(&format!("{entry}(")) {
        true => Ok(text),
        false => Err(format!("no function is called {entry}")),
    }
}

/// Checks every function in every language.
fn check_all(translations: &[Translation]) -> Report {
    let outcomes = parallel(translations, check_one);
    let mut report = Report::new(translations.len());
    for (at, kind) in MSL.into_iter().enumerate() {
        let texts: Vec<(&str, &str)> = outcomes
            .iter()
            .filter_map(|outcome| Some((outcome.entry.as_str(), outcome.msl[at].as_deref()?)))
            .collect();
        // A process reads the headers once; two of them keep two cores busy.
        let parts: Vec<_> = texts.chunks(texts.len().div_ceil(2).max(1)).collect();
        let compiled = parallel(&parts, |part| {
            tools::msl(&tools::one_text(part.iter().copied()))
        });
        for message in compiled.into_iter().filter_map(Result::err) {
            report.faults_of_many(kind, &message);
        }
    }
    let texts: Vec<&tools::Glsl> = outcomes.iter().filter_map(|o| o.glsl.as_ref()).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glsl");
    let parts: Vec<_> = texts.chunks(texts.len().div_ceil(2).max(1)).collect();
    let refused = parallel(&parts, |part| tools::glsl(part, &folder));
    for (entry, message) in refused.into_iter().flatten() {
        report.fault(Check::Glsl, &entry, &message);
    }
    for outcome in outcomes {
        for (check, message) in outcome.faults {
            report.fault(check, &outcome.entry, &message);
        }
    }
    report
}

#[test]
fn every_real_stream_is_valid_in_five_languages() {
    let Some(folder) = common::shared("corpus") else {
        return;
    };
    if !common::has_tools() {
        return;
    }
    let corpus = inputs::corpus(&folder);
    println!("{}", corpus.table());
    let report = check_all(&corpus.functions);
    let text = format!("{}\n{}", corpus.table(), report.table());
    println!("{}", report.table());
    report.assert_clean();
    report::same_as_in_the_docs(&text);
}

#[test]
fn every_case_is_valid_in_five_languages() {
    if !common::has_tools() {
        return;
    }
    let functions = inputs::cases();
    assert!(functions.len() > 100);
    let report = check_all(&functions);
    println!("{}", report.table());
    report.assert_clean();
}

#[test]
fn mutants_that_translate_are_valid_in_five_languages() {
    if !common::has_tools() {
        return;
    }
    let functions = inputs::mutants(200);
    let report = check_all(&functions);
    println!("{}", report.table());
    report.assert_clean();
}

/// The deepest nesting of blocks and the longest chain of arithmetic that a stream may have.
#[test]
fn deep_functions_are_valid_in_five_languages() {
    if !common::has_tools() {
        return;
    }
    let nest = |open: &str, close: &str, depth: usize| {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        format!("ps_3_0\ndefi i0, 2, 0, 1, 0\nmov r0, c0\n{open}{close}mov oC0, r0\n")
    };
    let texts = [
        nest(
            "if_lt r0.x, c1.x\nadd r0, r0, c0\n",
            "else\nmul r0, r0, c2\nendif\n",
            24,
        ),
        nest("rep i0\nadd r0, r0, c0\n", "endrep\n", 4),
        nest("if b0\nadd r0, r0, c0\n", "endif\n", 24),
        format!(
            "ps_3_0\nmov r0, c0\n{}mov oC0, r0\n",
            "add r0, r0, c1\n".repeat(400)
        ),
        format!(
            "ps_3_0\nmov r0, c0\n{}mov oC0, r0\n",
            "mad_sat r0.xy, r0.yxzw, c1, c2\n".repeat(400)
        ),
        format!(
            "vs_3_0\ndcl_position o0\ndcl_position v0\nmov r0, v0\n{}mov o0, r0\n",
            "frc r0.x, -r0_abs.y\nmax r0.yz, r0.zxy, r0.x\n".repeat(200)
        ),
    ];
    let functions: Vec<Translation> = texts
        .iter()
        .map(|text| {
            let code = ninefold_bytecode::assemble(text).expect("the text assembles");
            translate(&code, &Options::default()).expect("it translates")
        })
        .collect();
    let report = check_all(&functions);
    report.assert_clean();
}

/// Functions of the fixed function, points among them.
#[test]
fn generated_functions_are_valid_msl() {
    if !common::has_tools() {
        return;
    }
    let mut random = keys::Seeded(0x5EED_0F1D_3A7E_C0DE);
    let mut functions = Vec::new();
    while functions.len() < 500 {
        // Keys that the generators refuse are of other tests.
        functions.extend(fixed::vertex(&keys::any_vertex_key(&mut random)));
        functions.extend(fixed::fragment(&keys::any_fragment_key(&mut random)));
    }
    functions.sort_by_key(|function| function.identity);
    functions.dedup_by_key(|function| function.identity);
    assert!(functions.len() > 400);
    for kind in MSL {
        let texts = functions
            .iter()
            .map(|function| {
                (
                    function.entry.as_str(),
                    msl(function, kind).expect("it is written"),
                )
            })
            .collect::<Vec<_>>();
        let texts = texts.iter().map(|(entry, text)| (*entry, text.as_str()));
        tools::msl(&tools::one_text(texts)).expect("it compiles");
    }
}

/// A text for a driver is the same whatever pipelines it will be in: its buffers are a struct of
/// attributes, its point size there or not, its indices bounded, and vertex functions ask for exact
/// arithmetic where the language knows the words.
#[test]
fn texts_for_drivers_depend_on_no_pipeline() {
    let written = |text: &str, options: &Options| {
        let code = ninefold_bytecode::assemble(text).expect("the text assembles");
        let translation = translate(&code, options).expect("it translates");
        msl(&translation, Check::MslOfDrivers).expect("it is written")
    };
    let text = "vs_2_0\ndcl_position v0\nmova a0, v0\nmov oPos, c[a0.x]\nmov oPts, v0.x\n";
    let plain = written(text, &Options::default());
    let points = Options {
        point_size: true,
        ..Options::default()
    };
    let points = written(text, &points);
    assert!(!plain.contains("[[point_size]]"), "{plain}");
    assert!(points.contains("[[point_size]]"), "{points}");
    for text in [&plain, &points] {
        assert!(text.contains("[[stage_in]]") && text.contains("[[attribute(0)]]"));
        for pulled in ["_mslBufferSizes", "vertex_id", "[[buffer(30)]]"] {
            assert!(!text.contains(pulled), "{text}");
        }
        assert!(text.contains("metal::min(unsigned("), "{text}");
        let head = &text[..text.find("struct").expect("a struct")];
        let exact = "#if __METAL_VERSION__ >= 320\n#pragma METAL fp math_mode(safe)\n\
            #pragma METAL fp contract(off)\n#endif\n";
        assert!(head.contains(exact), "{head}");
    }
    let pixel = written("ps_2_0\nmov oC0, c0\n", &Options::default());
    assert!(!pixel.contains("#pragma"), "{pixel}");

    let code = ninefold_bytecode::assemble("ps_2_0\nmov oC0, c0\n").expect("the text assembles");
    let translation = translate(&code, &Options::default()).expect("it translates");
    let error = writers::msl_with_slots(
        &translation,
        writers::MslVersion::MACOS,
        &naga::back::msl::EntryPointResources::default(),
    )
    .expect_err("there is no slot for the constants");
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn every_apple_version_compiles() {
    use writers::{ApplePlatform::*, MslVersion};
    let code = ninefold_bytecode::assemble(
        "ps_3_0\ndcl_texcoord0 v0.xy\ndcl_2d s0\ntexld r0, v0, s0\nmov oC0, r0\n",
    );
    let code = code.expect("the text assembles");
    let translation = translate(&code, &Options::default()).expect("it translates");
    let mut versions: Vec<MslVersion> = [(2, 1), (2, 4), (3, 0), (3, 2)]
        .into_iter()
        .flat_map(|(a, b)| [MacOs, Ios].map(|on| MslVersion::new(on, a, b)))
        .collect();
    versions.push(MslVersion::VISIONOS);
    for version in versions {
        let text = writers::msl_version(&translation, version).expect("it is written");
        let first = format!(
            "// language: metal{}.{}",
            version.version.0, version.version.1
        );
        assert!(text.starts_with(&first), "{text}");
        for slot in ["[[texture(0)]]", "[[sampler(0)]]"] {
            assert!(text.contains(slot), "{text}");
        }
        if common::has_tools() {
            let text = tools::one_text(std::iter::once(("one", text.as_str())));
            tools::msl(&text).expect("it compiles");
        }
    }
    for version in [(MacOs, 2, 0), (Ios, 1, 2), (VisionOs, 2, 4), (MacOs, 5, 0)] {
        let version = MslVersion::new(version.0, version.1, version.2);
        let error = writers::msl_version(&translation, version).expect_err("it is refused");
        assert!(error.to_string().contains("are possible"), "{error}");
    }
}

#[test]
fn the_checks_refuse_what_is_wrong() {
    if !common::has_tools() {
        return;
    }
    assert!(common::spirv_val(&[0x0723_0203, 0x0001_0000, 0, 1]).is_err());
    assert!(tools::wgsl("@fragment fn f() -> @location(0) vec4<f32> { return 1.0; }").is_err());
    let glsl = tools::Glsl {
        entry: "wrong".into(),
        vertex: false,
        text: "#version 450\nvoid main() { float x = vec2(1.0); }".into(),
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glsl_wrong");
    let refused = tools::glsl(&[&glsl], &folder);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].0, "wrong", "{}", refused[0].1);
    let hlsl = "float4 f() : SV_Target0 { return tex(1.0); }";
    assert!(tools::hlsl(hlsl, false, "f").is_err());
    let hlsl = "float4 f() : SV_Target0 { return (1.0).xxxx; }";
    assert!(tools::hlsl(hlsl, false, "g").is_err());
    assert!(tools::hlsl(hlsl, false, "f").is_ok());
    for wrong in [
        "metal::float4 f() { return metal::float3(1.0); }",
        "metal::float4 f(metal::float3 a) { return metal::float4(a); }",
        "metal::float3 f(metal::float3 a) { return metal::select(a, a, a.x); }",
        "metal::float4 f(metal::float2 a) { return a.xyzw; }",
        "metal::float4 f(metal::float4 a) { return metal::sine(a); }",
        "float f(metal::float4 a) { return metal::dot(a, a.xyz); }",
        "metal::float4 f(metal::texture2d<float> t, metal::sampler s, metal::float3 a) \
         { return t.sample(s, a); }",
        "struct S { metal::float4 a; }; S f() { return S { 1.0, {}, 2.0 }; }",
    ] {
        let text = tools::one_text(std::iter::once(("wrong", wrong)));
        let message = tools::msl(&text).expect_err(wrong);
        assert!(message.contains("wrong:1:"), "{message}");
    }
}
