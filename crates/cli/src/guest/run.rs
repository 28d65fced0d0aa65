//! `ninefold guest run`: calls one routine and shows what it did.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ninefold_guest::iced_x86::{FastFormatter, Instruction};
use ninefold_guest::memory::Access;
use ninefold_guest::report::{self, Report};
use ninefold_guest::{Machine, Memory, Reg, program, reference, x87};
use serde::Serialize;

use super::file;
use super::number::{Contents, Range, Setting, number, page};
use crate::convert::input;
use crate::exit::{Exit, WrongUsage};
use crate::output::{print, print_json};

/// Memory that a guest may have.
const BUDGET: usize = 1 << 30;
/// Where the call returns to; nothing lies there.
const RETURN: u32 = 0xFFFF_FFF0;

/// Call a routine in the interpreter, and show registers, flags, the x87 and changed memory.
///
/// Without a file it is called in the reference image, routines of ninefold's own at the addresses
/// of the engine's. Numbers are decimal, or hexadecimal after 0x.
///
/// Example: the bounds of a node that takes its parent's upper half
/// in x: ninefold guest run --call 0x553380 --map 0x900000:0x1000 --set ecx=0x900000
/// --set edx=0x900100 --set esi=0x900200 --write 0x900000=f:0,8,0,8,0,8
/// --write 0x900100=7fff00ff00ff
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// A PE32 executable, or with --base a raw image; `-` is standard input.
    file: Option<PathBuf>,
    /// Address of the routine.
    #[arg(long, value_name = "ADDRESS", value_parser = number)]
    call: u32,
    /// The file is a raw image, to be placed at this address (a multiple of 4096), writable.
    #[arg(long, value_name = "ADDRESS", value_parser = page, requires = "file")]
    base: Option<u32>,
    /// Map zeroed memory.
    #[arg(long, value_name = "ADDRESS:LENGTH")]
    map: Vec<Range>,
    /// Write bytes (hexadecimal) or, after f:, floats with commas between them.
    #[arg(long, value_name = "ADDRESS=BYTES")]
    write: Vec<Contents>,
    /// Set a register.
    #[arg(long, value_name = "REGISTER=VALUE")]
    set: Vec<Setting>,
    /// Pass an argument on the stack; the first given is the first argument.
    #[arg(long, value_name = "VALUE", value_parser = number, allow_hyphen_values = true)]
    push: Vec<u32>,
    /// Push a value on the x87's stack, which has room for eight; the last given is st(0).
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    st: Vec<f64>,
    /// Where the stack ends: 64 KiB below are mapped.
    #[arg(long, value_name = "ADDRESS", value_parser = number, default_value = "0x0ff00000")]
    stack: u32,
    /// Instructions to run at most; each element of a repeated string instruction counts as one.
    #[arg(long, value_name = "COUNT", default_value_t = 100_000_000)]
    limit: u64,
    /// Print every instruction, on standard error, before it runs.
    #[arg(long)]
    trace: bool,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs `ninefold guest run`.
pub(crate) fn run(args: &RunArgs) -> Result<Exit> {
    let mut machine = prepare(args)?;
    let mut text = String::new();
    let mut trace = |_: &Machine, instruction: &Instruction| {
        if args.trace {
            text.clear();
            FastFormatter::new().format(instruction, &mut text);
            eprintln!("{:08x}  {text}", instruction.ip32());
        }
    };
    let report = Report::of_call(&mut machine, args.call, RETURN, &mut trace)?;
    if args.json {
        print_json(&Shown::of(&report))?;
    } else {
        print(report.to_string())?;
    }
    Ok(match report.error {
        None => Exit::Success,
        Some(_) => Exit::BadInput,
    })
}

fn prepare(args: &RunArgs) -> Result<Machine> {
    const STACK: u32 = 0x1_0000;
    if args.st.len() > 8 {
        return Err(WrongUsage("--st: the x87 has room for eight values").into());
    }
    let mut memory = Memory::new(BUDGET);
    match &args.file {
        None => reference::map(&mut memory)?,
        Some(path) => load(path, args.base, &mut memory)?,
    }
    let Some(stack) = args.stack.checked_sub(STACK) else {
        bail!("--stack: {:#x} has not 64 KiB below it", args.stack);
    };
    memory
        .map(stack, STACK as usize, Access::ReadWrite)
        .context("--stack")?;
    for &Range(address, length) in &args.map {
        memory
            .map(address, length as usize, Access::ReadWrite)
            .context("--map")?;
    }
    for Contents(address, bytes) in &args.write {
        memory.load(*address, bytes).context("--write")?;
    }
    let mut machine = Machine::new(memory);
    machine.instruction_limit = Some(args.limit);
    machine.cpu[Reg::Esp] = args.stack;
    for &Setting(register, value) in &args.set {
        machine.cpu[register] = value;
    }
    for &value in args.push.iter().rev() {
        machine.push(value).context("--push")?;
    }
    for value in &args.st {
        machine.cpu.fpu.push(x87::quiet(value.to_bits()));
    }
    Ok(machine)
}

fn load(path: &Path, base: Option<u32>, memory: &mut Memory) -> Result<()> {
    let bytes = file::read(path)?;
    let named = || input::name(path).to_string();
    match base {
        None => {
            program::load_pe(&bytes, memory).with_context(named)?;
        }
        Some(base) => {
            memory
                .map(base, bytes.len(), Access::ReadWrite)
                .with_context(named)?;
            memory.load(base, &bytes).with_context(named)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Shown {
    function: String,
    returned: bool,
    error: Option<String>,
    instructions: u64,
    eip: String,
    registers: Vec<Value>,
    eflags: String,
    flags: String,
    x87: X87,
    memory: Vec<Value>,
}

/// Something that may have changed, in hexadecimal.
#[derive(Serialize)]
struct Value {
    at: String,
    old: String,
    new: String,
}

#[derive(Serialize)]
struct X87 {
    control: String,
    status: String,
    tags: String,
    top: u8,
    /// In physical order.
    slots: Vec<Slot>,
}

#[derive(Serialize)]
struct Slot {
    bits: String,
    /// Absent when it is not finite, which JSON has no number for.
    value: Option<f64>,
    empty: bool,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Shown {
    fn of(report: &Report) -> Self {
        let (before, after) = (&report.before, &report.after);
        let registers = Reg::ALL.map(|register| Value {
            at: register.name().to_owned(),
            old: format!("{:08x}", before[register]),
            new: format!("{:08x}", after[register]),
        });
        let memory = report.changes.iter().map(|change| Value {
            at: format!("{:08x}", change.address),
            old: hex(&change.old),
            new: hex(&change.new),
        });
        let fpu = &after.fpu;
        let slots = fpu.slots.iter().enumerate().map(|(slot, &bits)| Slot {
            bits: format!("{bits:016x}"),
            value: Some(f64::from_bits(bits)).filter(|value| value.is_finite()),
            empty: fpu.occupied >> slot & 1 == 0,
        });
        Self {
            function: format!("{:08x}", report.function),
            returned: report.error.is_none(),
            error: report.error.as_ref().map(ToString::to_string),
            instructions: report.instructions,
            eip: format!("{:08x}", after.eip),
            registers: registers.into(),
            eflags: format!("{:08x}", after.eflags),
            flags: report::flag_names(after.eflags),
            x87: X87 {
                control: format!("{:04x}", fpu.control),
                status: format!("{:04x}", fpu.status()),
                tags: format!("{:04x}", fpu.tag_word()),
                top: fpu.top,
                slots: slots.collect(),
            },
            memory: memory.collect(),
        }
    }
}
