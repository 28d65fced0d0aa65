//! Every instruction, modifier and register file of every version has a text case.

mod common;

use ninefold_bytecode::{
    Comparison, Instruction, Opcode, Register, RegisterKind, ShaderCode, SrcModifier, Stage,
    Version, assemble,
};
use std::collections::BTreeSet;

/// Source modifiers that a version documents ("Source Register Modifiers").
fn source_modifiers(version: Version) -> Vec<SrcModifier> {
    use SrcModifier as M;
    let mut modifiers = vec![M::Neg];
    if version.stage == Stage::Pixel && version.major == 1 {
        modifiers.extend([M::Bias, M::BiasNeg, M::Sign, M::SignNeg, M::Comp]);
        if version.minor == 4 {
            modifiers.extend([M::X2, M::X2Neg, M::Dz, M::Dw]);
        }
    }
    if version.major == 3 {
        modifiers.extend([M::Abs, M::AbsNeg]);
    }
    if RegisterKind::ConstBool.count(version) > 0 {
        modifiers.push(M::Not);
    }
    modifiers
}

/// Result modifiers that a version documents ("Destination Register Modifiers").
fn result_modifiers(version: Version) -> Vec<&'static str> {
    match (version.stage, version.major, version.minor) {
        (Stage::Pixel, 1, 4) => vec!["_sat", "_x2", "_x4", "_x8", "_d2", "_d4", "_d8"],
        (Stage::Pixel, 1, _) => vec!["_sat", "_x2", "_x4", "_d2"],
        (Stage::Pixel, ..) => vec!["_sat", "_pp", "_centroid"],
        (Stage::Vertex, 3, _) => vec!["_sat"],
        (Stage::Vertex, ..) => vec![],
    }
}

/// What a text case can exercise, in words.
type Seen = BTreeSet<String>;

fn name_register(register: Register) -> String {
    match register.kind {
        RegisterKind::RastOut | RegisterKind::Misc => register.name().to_string(),
        kind => kind.prefix().to_string(),
    }
}

fn see(instruction: &Instruction, version: Version, seen: &mut Seen) {
    let mut name = instruction.op.name(version).to_string();
    if instruction.op == Opcode::Tex && version.major >= 2 {
        name = format!("texld {}", instruction.controls);
    }
    seen.insert(format!("instruction {name}"));
    if let Some(comparison) = instruction.comparison() {
        seen.insert(format!("comparison {name} {comparison:?}"));
    }
    if instruction.coissue {
        seen.insert("co-issue".into());
    }
    if instruction.predicate.is_some() {
        seen.insert("predicated instruction".into());
    }
    if let Some(dst) = &instruction.dst {
        seen.insert(format!("register {}", name_register(dst.register)));
        let shift = ["_d8", "_d4", "_d2", "", "_x2", "_x4", "_x8"];
        let shift = shift.get((dst.shift + 3) as usize).copied().unwrap_or("");
        for (there, modifier) in [
            (dst.saturate, "_sat"),
            (dst.partial_precision, "_pp"),
            (dst.centroid, "_centroid"),
            (dst.shift != 0, shift),
        ] {
            if there {
                seen.insert(format!("result modifier {modifier}"));
            }
        }
        if let Some(relative) = dst.relative {
            seen.insert(format!("register {}", name_register(relative.register)));
            seen.insert("relative destination".into());
        }
    }
    for src in instruction.srcs().iter().chain(&instruction.predicate) {
        seen.insert(format!("register {}", name_register(src.register)));
        seen.insert(format!("source modifier {:?}", src.modifier));
        if let Some(relative) = src.relative {
            seen.insert(format!("register {}", name_register(relative.register)));
            let file = src.register.kind.prefix();
            let by = relative.register.kind.prefix();
            seen.insert(format!("relative {file}[{by}]"));
        }
    }
}

/// What the cases of `version` must exercise.
fn wanted(version: Version) -> Seen {
    let mut wanted = Seen::new();
    for &op in Opcode::ALL {
        if op.is_available(version) {
            let name = op.name(version);
            match op == Opcode::Tex && version.major >= 2 {
                true => wanted.extend((0..3).map(|n| format!("instruction texld {n}"))),
                false => drop(wanted.insert(format!("instruction {name}"))),
            }
        }
    }
    for modifier in source_modifiers(version) {
        wanted.insert(format!("source modifier {modifier:?}"));
    }
    for modifier in result_modifiers(version) {
        wanted.insert(format!("result modifier {modifier}"));
    }
    for kind in RegisterKind::ALL {
        for index in 0..kind.count(version).min(3) {
            wanted.insert(format!(
                "register {}",
                name_register(Register::new(kind, index))
            ));
        }
    }
    if version.stage == Stage::Pixel && version.major == 1 {
        wanted.insert("co-issue".into());
    }
    if RegisterKind::Predicate.count(version) > 0 {
        wanted.insert("predicated instruction".into());
    }
    match (version.stage, version.major) {
        (Stage::Vertex, 1) => wanted.extend(["relative c[a]".to_owned()]),
        (Stage::Vertex, 2) => {
            wanted.extend(["relative c[a]", "relative c[aL]"].map(str::to_owned));
        }
        (Stage::Vertex, _) => {
            let files = [
                "relative c[a]",
                "relative c[aL]",
                "relative v[a]",
                "relative v[aL]",
                "relative destination",
            ];
            wanted.extend(files.map(str::to_owned));
        }
        (Stage::Pixel, 3) => wanted.extend(["relative v[aL]".to_owned()]),
        _ => {}
    }
    wanted
}

#[test]
fn nothing_is_without_a_case() {
    let cases: Vec<(String, ShaderCode)> = common::case_texts()
        .into_iter()
        .filter(|(name, _)| !name.starts_with("refused"))
        .map(|(name, text)| {
            let code = assemble(&common::positioned(&text));
            let code = code.unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, code)
        })
        .collect();
    let mut gaps = Vec::new();
    let mut everywhere = Seen::new();
    let mut counted = 0;
    for version in Version::all() {
        let family = version.to_string();
        let mut seen = Seen::new();
        for (_, code) in cases.iter().filter(|(_, code)| code.version() == version) {
            for instruction in code.instructions() {
                see(&instruction, version, &mut seen);
            }
        }
        let wanted = wanted(version);
        counted += wanted.len();
        gaps.extend(
            wanted
                .difference(&seen)
                .map(|gap| format!("{family}: {gap}")),
        );
        everywhere.extend(seen);
    }
    for op in [Opcode::Ifc, Opcode::Breakc, Opcode::Setp] {
        let name = op.name(Version::parse("ps_3_0").expect("a version"));
        for comparison in Comparison::ALL {
            let want = format!("comparison {name} {comparison:?}");
            if !everywhere.contains(&want) {
                gaps.push(want);
            }
        }
    }
    println!("{} cases, {counted} things to exercise", cases.len());
    assert!(
        gaps.is_empty(),
        "{} without a case:\n{}",
        gaps.len(),
        gaps.join("\n")
    );
}
