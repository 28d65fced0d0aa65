//! Every form of every instruction of every version: read, written as text and back, translated,
//! valid, and written in all five languages. `exec/against_gpu` runs some of them.

mod common;
#[path = "../../../tests/support/forms.rs"]
mod forms;

use forms::{Dice, Form, Setting};
use ninefold_bytecode::{ShaderCode, Version, assemble, disassemble};
use ninefold_shader::{Options, translate, writers};
use std::collections::BTreeSet;

/// Instructions in one stream: one translation and five texts for all of them.
const TOGETHER: usize = 24;

/// Reads, translates and writes a stream of these forms.
fn check(setting: &Setting, forms: &[Form], validate: bool) -> Result<(), String> {
    let tokens = setting.stream(forms);
    let code = ShaderCode::parse(&tokens).map_err(|error| format!("does not read: {error}"))?;
    let text = disassemble(&code);
    let back = assemble(&text).map_err(|error| format!("does not assemble: {error}"))?;
    if back.tokens() != tokens {
        return Err("comes back changed from its text".into());
    }
    let translation = translate(&code, &Options::default()).map_err(|error| error.to_string())?;
    let words = writers::spirv(&translation).map_err(|error| error.to_string())?;
    for write in [writers::msl, writers::hlsl, writers::glsl] {
        write(&translation).map_err(|error| error.to_string())?;
    }
    let wgsl = writers::wgsl(&translation).map_err(|error| error.to_string())?;
    if validate {
        let module = naga::front::wgsl::parse_str(&wgsl);
        let module = module.map_err(|error| error.emit_to_string(&wgsl))?;
        naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::CLIP_DISTANCES,
        )
        .validate(&module)
        .map_err(|error| error.emit_to_string(&wgsl))?;
        common::spirv_val(&words)?;
    }
    Ok(())
}

/// Checks all forms of a version; how many there are, and what is wrong, at most a few.
fn sweep(version: Version, tools: bool) -> (usize, usize, Vec<String>) {
    let setting = Setting::new(version, true);
    let mut dice = Dice(0x5EED_F0E5 ^ u64::from(version.token()) << 20);
    let forms = setting.forms(&mut dice);
    let mut failures = Vec::new();
    for (n, some) in forms.chunks(TOGETHER).enumerate() {
        let sampled = tools && n % 40 == 0;
        if check(&setting, some, sampled).is_ok() {
            continue;
        }
        for form in some {
            if let Err(error) = check(&setting, std::slice::from_ref(form), sampled) {
                let code = ShaderCode::parse(&setting.stream([form]));
                let text = code.map(|code| disassemble(&code)).unwrap_or_default();
                failures.push(format!("{error}\n{text}"));
            }
        }
        if failures.len() > 3 {
            break;
        }
    }
    let ops: BTreeSet<_> = forms.iter().map(|form| form.op).collect();
    (forms.len(), ops.len(), failures)
}

#[test]
fn every_form_of_every_instruction() {
    let tools = common::has_spirv_val();
    let versions: Vec<Version> = Version::all().collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = |first: usize| {
        let own = versions.iter().skip(first).step_by(threads);
        own.map(|&version| (version, sweep(version, tools)))
            .collect::<Vec<_>>()
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|n| scope.spawn(move || work(n))).collect();
        let results = workers.into_iter().map(|worker| worker.join());
        results
            .flat_map(|result| result.expect("no panic"))
            .collect()
    });
    let mut failures = Vec::new();
    for (version, (forms, ops, found)) in results {
        println!("{version}: {forms} forms of {ops} instructions");
        failures.extend(found.into_iter().map(|text| format!("{version}: {text}")));
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
