//! What a call did, to be shown.

use std::fmt::{self, Write as _};

use crate::cpu::{AF, CF, DF, OF, PF, SF, ZF};
use crate::interpreter::Trace;
use crate::memory::{Change, MemoryError};
use crate::{Cpu, Error, Interpreter, Machine, Reg};

/// A call, run in the interpreter with its changes watched. Its [`Display`](fmt::Display)
/// is the report that `ninefold guest run` prints.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The function that was called.
    pub function: u32,
    /// The processor before the call.
    pub before: Cpu,
    /// The processor after it, or where it ended.
    pub after: Cpu,
    /// Instructions run.
    pub instructions: u64,
    /// Bytes of memory that differ, the return address among them.
    pub changes: Vec<Change>,
    /// Why the call did not return.
    pub error: Option<Error>,
}

impl Report {
    /// Calls `function` and watches it. `return_address` needs no memory.
    pub fn of_call<T: Trace>(
        machine: &mut Machine,
        function: u32,
        return_address: u32,
        trace: &mut T,
    ) -> Result<Self, MemoryError> {
        let before = machine.cpu;
        machine.memory.watch()?;
        let mut instructions = 0;
        let mut counting = |machine: &Machine, instruction: &iced_x86::Instruction| {
            instructions += 1;
            trace.before(machine, instruction);
        };
        let error = match machine.enter(function, return_address) {
            Ok(frame) => Interpreter::new()
                .finish(machine, frame, &mut counting)
                .err(),
            Err(error) => Some(Error::Access(error)),
        };
        Ok(Self {
            function,
            before,
            after: machine.cpu,
            instructions,
            changes: machine.memory.end_watch().list(),
            error,
        })
    }
}

/// The names of the flags that are set, as `CF ZF`.
pub fn flag_names(eflags: u32) -> String {
    let flags = [
        (CF, "CF"),
        (PF, "PF"),
        (AF, "AF"),
        (ZF, "ZF"),
        (SF, "SF"),
        (DF, "DF"),
        (OF, "OF"),
    ];
    let set = flags
        .iter()
        .filter(|(flag, _)| eflags & flag != 0)
        .map(|(_, name)| *name);
    set.collect::<Vec<_>>().join(" ")
}

/// Bytes of a change that are shown.
const SHOWN: usize = 16;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = (&self.before, &self.after);
        match &self.error {
            None => write!(f, "{:#010x} returned", self.function)?,
            Some(error) => write!(f, "{:#010x} did not return: {error};", self.function)?,
        }
        writeln!(f, " after {} instructions", self.instructions)?;
        for register in Reg::ALL {
            let (old, new) = (before[register], after[register]);
            write!(f, "{}  {new:08x}", register.name())?;
            if old != new {
                write!(f, "  was {old:08x}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "flags  {}", flag_names(after.eflags))?;
        writeln!(
            f,
            "x87  control {:04x}  status {:04x}  tags {:04x}",
            after.fpu.control,
            after.fpu.status(),
            after.fpu.tag_word()
        )?;
        for index in 0..8 {
            let slot = after.fpu.slot(index);
            let value = after.fpu.slots[slot];
            let old = before.fpu.slots[slot];
            if after.fpu.is_empty(index) && value == old {
                continue;
            }
            let number = f64::from_bits(value);
            write!(f, "st{index}  {value:016x}  {number:?}")?;
            if after.fpu.is_empty(index) {
                write!(f, "  empty")?;
            }
            if value != old {
                write!(f, "  was {old:016x}")?;
            }
            writeln!(f)?;
        }
        for change in &self.changes {
            writeln!(
                f,
                "{:08x}  {}  was {}",
                change.address,
                hex(&change.new),
                hex(&change.old)
            )?;
        }
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes.iter().take(SHOWN) {
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > SHOWN {
        let _ = write!(text, "... ({} bytes)", bytes.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use crate::memory::Access;

    fn machine(code: &[u8]) -> Machine {
        let mut memory = Memory::new(1 << 20);
        memory.map(0x1000, 0x1000, Access::ReadOnly).unwrap();
        memory.map(0x8000, 0x1000, Access::ReadWrite).unwrap();
        memory.load(0x1000, code).unwrap();
        let mut machine = Machine::new(memory);
        machine.cpu[Reg::Esp] = 0x9000;
        machine
    }

    #[test]
    fn a_report_says_what_changed() {
        // fld1; mov eax, 2; add eax, -2; ret
        let mut machine = machine(&[0xD9, 0xE8, 0xB8, 2, 0, 0, 0, 0x83, 0xC0, 0xFE, 0xC3]);
        machine.cpu[Reg::Eax] = 5;
        let report = Report::of_call(&mut machine, 0x1000, 0xFFFF_FFF0, &mut ()).unwrap();
        assert_eq!(report.instructions, 4);
        let text = report.to_string();
        assert!(
            text.starts_with("0x00001000 returned after 4 instructions\n"),
            "{text}"
        );
        assert!(text.contains("\neax  00000000  was 00000005\n"), "{text}");
        assert!(text.contains("\necx  00000000\n"), "{text}");
        assert!(text.contains("\nflags  CF PF AF ZF\n"), "{text}");
        assert!(
            text.contains("\nx87  control 027f  status 3800  tags 3fff\n"),
            "{text}"
        );
        assert!(
            text.contains("\nst0  3ff0000000000000  1.0  was 0000000000000000\n"),
            "{text}"
        );
        assert!(
            text.ends_with("\n00008ffc  f0ffffff  was 00000000\n"),
            "{text}"
        );
    }

    #[test]
    fn a_call_that_ends_early_is_reported_too() {
        let mut machine = machine(&[0x40, 0x0F, 0xA2]);
        let report = Report::of_call(&mut machine, 0x1000, 0xFFFF_FFF0, &mut ()).unwrap();
        assert_eq!(report.after.eip, 0x1001);
        let text = report.to_string();
        assert!(
            text.starts_with(
                "0x00001000 did not return: at 0x00001001: the interpreter does not have cpuid; \
                 after 2 instructions\neax  00000001  was 00000000\n"
            ),
            "{text}"
        );
        machine.cpu[Reg::Esp] = 0x2000;
        let report = Report::of_call(&mut machine, 0x1000, 0xFFFF_FFF0, &mut ()).unwrap();
        assert_eq!(report.instructions, 0);
        assert!(
            report
                .to_string()
                .contains("address 0x00001ffc is read-only")
        );
    }
}
