//! Some of the forms of every instruction: those that `shader/sweep` translates, run on both sides.

#[path = "../../../../tests/support/forms.rs"]
mod generator;

use crate::numbers::Numbers;
use crate::rig::{POINTS, Rig, run_on_cpu};
use crate::{batch, close};
use generator::{Dice, Setting};
use ninefold_bytecode::{
    Instruction, Opcode, RegisterKind, ShaderCode, Src, Version, assemble, disassemble,
};

/// Forms of each version.
const FORMS: usize = 60;

/// Relative difference allowed, and absolute below 1: functions that are not exact are among them.
const WITHIN: f32 = 1e-4;

/// Whether the rig shows what an instruction does: it has no depth and no storage buffer, and
/// neighbouring points are strangers.
fn is_shown(instruction: &Instruction, version: Version) -> bool {
    let large = |src: &Src| {
        version.is_software() && src.relative.is_some() && src.register.kind == RegisterKind::Const
    };
    let hidden = |kind: RegisterKind| matches!(kind, RegisterKind::Misc | RegisterKind::DepthOut);
    // A division that rounds otherwise can pick another texel.
    let projected = instruction.op == Opcode::Tex && instruction.controls == 1;
    let derivative = matches!(instruction.op, Opcode::Dsx | Opcode::Dsy);
    let depth = matches!(instruction.op, Opcode::TexDepth | Opcode::TexM3x2Depth);
    if matches!(instruction.op, Opcode::Dcl) {
        return true;
    }
    !derivative
        && !depth
        && !projected
        && !instruction.srcs().iter().any(large)
        && !instruction.dst.is_some_and(|dst| hidden(dst.register.kind))
        && !instruction
            .srcs()
            .iter()
            .any(|src| hidden(src.register.kind))
}

/// Beyond this, overflow and NaN are a matter of rounding.
fn wild(x: f32) -> bool {
    !x.is_finite() || x.abs() > 1e6
}

fn agree(cpu: f32, gpu: f32) -> bool {
    wild(cpu) && wild(gpu) || close(cpu, gpu, WITHIN, 1.0)
}

#[test]
fn forms_of_every_instruction() {
    let Some(rig) = Rig::open() else { return };
    let mut failures = Vec::new();
    let (mut count, mut values) = (0, 0);
    for version in Version::all() {
        let setting = Setting::new(version, false);
        let mut dice = Dice(0x0F0E_5EED ^ u64::from(version.token()) << 24);
        let forms = setting.forms(&mut dice);
        let mut left = FORMS;
        while left > 0 {
            let form = &forms[dice.below(forms.len())];
            let code = ShaderCode::parse(&setting.stream([form])).expect("it reads");
            if !code
                .instructions()
                .all(|instruction| is_shown(&instruction, version))
            {
                continue;
            }
            left -= 1;
            count += 1;
            let mut numbers = Numbers::new(count);
            let unit = version.is_pixel() && version.major == 1;
            let batch = batch(&mut numbers, unit);
            let cpu = run_on_cpu(&code, &batch).expect("it ends");
            let text = disassemble(&code);
            assert_eq!(assemble(&text).as_ref(), Ok(&code));
            let gpu = match rig.run(&code, &batch) {
                Ok(gpu) => gpu,
                // Rows of a matrix in registers that the rig has no inputs for.
                Err(error) if error.contains("fragment input") => continue,
                Err(error) => {
                    failures.push(format!("{error}\n{text}"));
                    continue;
                }
            };
            let outputs = cpu.iter().flatten().zip(gpu.iter().flatten());
            let wrong = outputs.enumerate().find(|(_, (cpu, gpu))| {
                let mut pairs = cpu.iter().zip(gpu.iter());
                !pairs.all(|(&cpu, &gpu)| agree(cpu, gpu))
            });
            values += 16 * POINTS;
            if let Some((at, (cpu, gpu))) = wrong {
                let (point, output) = (at / 4, at % 4);
                let place = format!("point {point}, output {output}");
                failures.push(format!("{place}: cpu {cpu:?}, gpu {gpu:?}\n{text}"));
            }
        }
    }
    println!("{count} forms, {values} numbers compared");
    let shown: Vec<_> = failures.iter().take(40).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} of {count} differ\n{}",
        failures.len(),
        shown.join("\n")
    );
}
