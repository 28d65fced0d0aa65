//! Runs a routine both ways and compares all that both leave.

use super::{Overrides, Settings, Translated};
use crate::memory::{Change, Changes, MemoryError};
use crate::profile::Routine;
use crate::{Cpu, Error, Frame, Machine, Reg, native};

/// Mismatches that [`Visibility::Verify`](super::Visibility::Verify) logs.
pub const MISMATCHES_LOGGED: u64 = 16;
/// Calls after which it logs how it goes.
pub const SUMMARY_EVERY: u64 = 600;

/// Runs of bytes that a comparison names.
const NAMED: usize = 8;

/// What came of running a routine both ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether the native version ran.
    pub native: Result<bool, Error>,
    /// How the translated run ended; the machine is as it left it.
    pub translated: Result<(), Error>,
    /// What differs, in words. A native version that declined has to have changed
    /// nothing.
    pub differences: Vec<String>,
}

/// Runs the routine that the machine has just entered as translated, rewinds, runs it
/// natively from the same state, compares memory and processor, and puts the translated
/// result back. During the translated run nothing is native.
///
/// It fails where memory is being watched already or `esp` leads nowhere.
pub fn compare(
    routine: Routine,
    machine: &mut Machine,
    overrides: &mut Overrides,
    host: &mut dyn Translated,
) -> Result<Comparison, Error> {
    let (comparison, result) = compare_and_rewind(routine, machine, overrides, host)?;
    machine.memory.redo(&result.changes)?;
    machine.cpu = result.cpu;
    machine.instruction_limit = result.limit;
    Ok(comparison)
}

/// What a translated run left.
pub(crate) struct Left {
    changes: Changes,
    pub(crate) cpu: Cpu,
    limit: Option<u64>,
}

/// The same, but the machine is afterwards as it was before.
pub(crate) fn compare_and_rewind(
    routine: Routine,
    machine: &mut Machine,
    overrides: &mut Overrides,
    host: &mut dyn Translated,
) -> Result<(Comparison, Left), Error> {
    let esp = machine.cpu[Reg::Esp];
    let frame = Frame {
        return_address: machine.memory.read_u32(esp)?,
        esp,
    };
    let before = machine.cpu;
    let limit = machine.instruction_limit;
    machine.memory.watch()?;
    let settings = std::mem::replace(&mut overrides.settings, Settings::TRANSLATED);
    let translated = host.run(machine, overrides, frame);
    overrides.settings = settings;
    let left = Left {
        changes: machine.memory.end_watch(),
        cpu: machine.cpu,
        limit: std::mem::replace(&mut machine.instruction_limit, limit),
    };
    machine.memory.undo(&left.changes)?;
    machine.cpu = before;

    let mut differences = Vec::new();
    let mut native = Ok(false);
    if !matches!(translated, Err(Error::Limit { .. })) {
        machine.memory.watch()?;
        native = native::run(routine, machine, overrides, host);
        let changes = machine.memory.end_watch();
        match (&native, &translated) {
            (Ok(true), Ok(())) => {
                compare_cpus(&left.cpu, &machine.cpu, &mut differences);
                name_changes(&left.changes.differences(&changes), &mut differences);
            }
            (Ok(false), _) => {
                if machine.cpu != before || !changes.is_empty() {
                    differences.push("declined, but not untouched".to_owned());
                }
            }
            // What the translated run did from there on says nothing.
            (Err(Error::Astray { .. }), _) => {}
            (Err(error), Ok(())) => differences.push(format!("only native: {error}")),
            (Ok(true), Err(error)) => differences.push(format!("only translated: {error}")),
            (Err(error), Err(other)) => {
                // Both have come equally far.
                if missing(error) != missing(other) {
                    differences.push(format!("{other}, natively {error}"));
                }
                name_changes(&left.changes.differences(&changes), &mut differences);
            }
        }
        machine.memory.undo(&changes)?;
        machine.cpu = before;
    }
    let comparison = Comparison {
        native,
        translated,
        differences,
    };
    Ok((comparison, left))
}

/// The access that ended a run.
fn missing(error: &Error) -> Option<MemoryError> {
    match error {
        Error::Access(source) | Error::Memory { source, .. } => Some(*source),
        _ => None,
    }
}

fn compare_cpus(translated: &Cpu, native: &Cpu, differences: &mut Vec<String>) {
    if translated == native {
        return;
    }
    let mut differ = |name: &str, a: u64, b: u64| {
        if a != b {
            differences.push(format!("{name} is {a:#x}, natively {b:#x}"));
        }
    };
    for reg in Reg::ALL {
        differ(reg.name(), translated[reg].into(), native[reg].into());
    }
    differ("eip", translated.eip.into(), native.eip.into());
    differ("eflags", translated.eflags.into(), native.eflags.into());
    let (a, b) = (&translated.fpu, &native.fpu);
    differ("x87 status", a.status().into(), b.status().into());
    differ("x87 control", a.control.into(), b.control.into());
    differ("x87 occupied", a.occupied.into(), b.occupied.into());
    for (index, (&a, &b)) in a.slots.iter().zip(&b.slots).enumerate() {
        differ(&format!("x87 slot {index}"), a, b);
    }
}

fn name_changes(changes: &[Change], differences: &mut Vec<String>) {
    for change in changes.iter().take(NAMED) {
        let hex = |bytes: &[u8]| {
            let shown = bytes.iter().take(32);
            shown.map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        differences.push(format!(
            "[{:#010x}] is {}, natively {}",
            change.address,
            hex(&change.old),
            hex(&change.new)
        ));
    }
    if changes.len() > NAMED {
        differences.push(format!("and {} more runs of bytes", changes.len() - NAMED));
    }
}

impl Overrides {
    /// Runs 00553920 both ways. Whether it was answered; the translated result stays.
    pub(super) fn verify(
        &mut self,
        machine: &mut Machine,
        host: &mut dyn Translated,
    ) -> Result<bool, Error> {
        let routine = Routine::VisibleSurfaces;
        let comparison = compare(routine, machine, self, host)?;
        comparison.translated?;
        let counters = &mut self.counters;
        let list = match comparison.native {
            Ok(false) => &mut counters.fallback,
            _ => &mut counters.native,
        };
        list[routine as usize] += 1;
        counters.verified += 1;
        if !comparison.differences.is_empty() {
            counters.mismatches += 1;
            if counters.mismatches <= MISMATCHES_LOGGED {
                tracing::warn!(
                    target: "ninefold::guest",
                    call = counters.verified,
                    "visible surfaces differ: {}",
                    comparison.differences.join("; ")
                );
            }
        }
        if counters.verified.is_multiple_of(SUMMARY_EVERY) {
            tracing::info!(
                target: "ninefold::guest",
                calls = counters.verified,
                mismatches = counters.mismatches,
                "visible surfaces compared"
            );
        }
        Ok(true)
    }
}
