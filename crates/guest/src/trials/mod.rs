//! Native routines against translated ones on random and adversarial inputs.
//!
//! A [`Bench`] is a machine with a program's code, the engine's globals, a stack and
//! buffers, all with unmapped pages around them. [`Bench::run`] makes the input that a
//! seed gives, runs a routine both ways and compares all that both leave.

mod contract;
mod gathers;
mod leaves;
pub mod speed;
mod verify;
mod views;

pub use verify::{Row, VerifyError, verify};

use crate::dispatch::{Comparison, Settings, Translated, compare_and_rewind};
use crate::memory::{Access, MemoryError};
use crate::profile::{Routine, global};
use crate::survey::{Sites, SurveyError};
use crate::synthetic::{Level, Placed, Placer, Random, Shape};
use crate::{Cpu, Error, Frame, Interpreter, Machine, Memory, Overrides, Reg, cpu};

/// What the stack occupies.
const STACK: (u32, u32) = (0x0020_0000, 0x4000);
/// A page of stack between two that cannot be written.
const EDGES: u32 = 0x0030_0000;
/// Where functions return to.
const BACK: u32 = 0x0BAD_0BAC;
/// Where buffers begin.
const BUFFERS: u32 = 0x0100_0000;
/// Where levels begin.
const LEVELS: u32 = 0x0200_0000;
/// Instructions after which a translated run counts as endless.
const ENDLESS: u64 = 3_000_000;
/// Pages of globals: flags, the BSP's pointer, and what lies around records and bits.
const GLOBALS: [(u32, u32); 3] = [
    (global::PVS_FLAG & !0xFFF, 0x1000),
    (global::STRUCTURE_BSP & !0xFFF, 0x1000),
    (0x007C_3000, 0x0087_1000 - 0x007C_3000),
];
/// Buffers for inputs and outputs: how many, and how large.
const BUFFER_COUNT: usize = 6;
const BUFFER_SIZE: u32 = 0x3000;
/// The one that ends where the address space does.
const LAST_BUFFER: usize = 2;

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both left the same.
    Equal,
    /// The native version declined and changed nothing.
    Declined,
    /// Both came to memory that is not there, or a return address was overwritten.
    Fault,
    /// The translated run had no end.
    Endless,
    /// What differs, in words.
    Different(Vec<String>),
}

/// Counts of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// [`Outcome::Equal`].
    pub equal: u64,
    /// [`Outcome::Declined`].
    pub declined: u64,
    /// [`Outcome::Fault`].
    pub faults: u64,
    /// [`Outcome::Endless`].
    pub endless: u64,
    /// [`Outcome::Different`].
    pub different: u64,
}

impl Tally {
    /// Counts an outcome.
    pub fn add(&mut self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::Equal => &mut self.equal,
            Outcome::Declined => &mut self.declined,
            Outcome::Fault => &mut self.faults,
            Outcome::Endless => &mut self.endless,
            Outcome::Different(_) => &mut self.different,
        };
        *count += 1;
    }
}

/// Why there can be no trials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The program is not the build that the native routines are for.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// The program's code lies where trials need the memory.
    #[error("the program leaves no room for the trials: {0}")]
    Memory(#[from] MemoryError),
}

/// See the [module's documentation](self).
#[derive(Debug)]
pub struct Bench {
    /// The machine. Whatever its processor holds, each trial sets it anew.
    pub machine: Machine,
    overrides: Overrides,
    interpreter: Interpreter,
    buffers: [u32; BUFFER_COUNT],
    levels: Vec<(Level, Placed)>,
    /// Words of the program or a level that a trial changed, and what they were.
    disturbed: Vec<(u32, u32)>,
}

/// The interpreter with an end.
struct Limited<'a> {
    interpreter: &'a mut Interpreter,
    /// Whether it has run already. What it runs later is called by native routines.
    has_run: bool,
    /// In its first run, the first call that did not return to where it was made: where
    /// it returned to, and where it should have.
    astray: Option<(u32, u32)>,
}

impl<'a> Limited<'a> {
    fn new(interpreter: &'a mut Interpreter) -> Self {
        Self {
            interpreter,
            has_run: false,
            astray: None,
        }
    }
}

/// Takes off the calls that have returned. The first of them that went astray.
fn take_returned(calls: &mut Vec<Frame>, cpu: &Cpu) -> Option<(u32, u32)> {
    let mut astray = None;
    while let Some(call) = calls.pop_if(|call| cpu[Reg::Esp].wrapping_sub(call.esp) as i32 > 0) {
        if cpu.eip != call.return_address {
            astray = astray.or(Some((cpu.eip, call.return_address)));
        }
    }
    astray
}

impl Translated for Limited<'_> {
    fn run(
        &mut self,
        machine: &mut Machine,
        overrides: &mut Overrides,
        frame: Frame,
    ) -> Result<(), Error> {
        let limit = machine.instruction_limit;
        machine.instruction_limit = Some(limit.unwrap_or(ENDLESS).min(ENDLESS));
        // An overwritten return address leads anywhere: the routine has returned when
        // that has left the stack.
        let mut result = Ok(());
        let is_first = !std::mem::replace(&mut self.has_run, true);
        let mut calls = Vec::new();
        while result.is_ok() && machine.cpu[Reg::Esp] <= frame.esp {
            result = match self.interpreter.step(machine, &mut ()) {
                Ok(Some(_)) => {
                    let esp = machine.cpu[Reg::Esp];
                    calls.push(Frame {
                        return_address: machine.memory.read_u32(esp)?,
                        esp,
                    });
                    // Bounded execution is the trial's, not the guest's.
                    let left = std::mem::replace(&mut machine.instruction_limit, limit);
                    let answered = overrides.attempt(machine, self);
                    machine.instruction_limit = left;
                    answered.map(|_| ())
                }
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            let astray = take_returned(&mut calls, &machine.cpu);
            if is_first {
                self.astray = self.astray.or(astray);
            }
        }
        machine.instruction_limit = limit;
        result
    }
}

impl Bench {
    /// Trials with a program's code. `load` maps it; of its data nothing is needed.
    pub fn new(
        load: impl FnOnce(&mut Memory) -> Result<(), MemoryError>,
    ) -> Result<Self, BenchError> {
        let mut memory = Memory::new(512 << 20);
        load(&mut memory)?;
        let sites = Sites::find(&memory)?;
        for (start, length) in GLOBALS {
            for page in (start..start + length).step_by(0x1000) {
                if memory.is_readable(page, 1) {
                    memory.protect(page, 1, Access::ReadWrite)?;
                } else {
                    memory.map(page, 1, Access::ReadWrite)?;
                }
            }
        }
        memory.map(STACK.0, STACK.1 as usize, Access::ReadWrite)?;
        // Where the bits of surfaces below 0 would lie if their numbers had no sign.
        memory.map(STACK.0 + (1 << 29), STACK.1 as usize, Access::ReadWrite)?;
        memory.map(EDGES, 0x3000, Access::ReadOnly)?;
        memory.protect(EDGES + 0x1000, 0x1000, Access::ReadWrite)?;
        let mut buffers = [0; BUFFER_COUNT];
        let mut next = BUFFERS;
        for (number, buffer) in buffers.iter_mut().enumerate() {
            *buffer = match number {
                LAST_BUFFER => BUFFER_SIZE.wrapping_neg(),
                _ => next,
            };
            // The host has the pages of some the other way round.
            let mut pages: Vec<u32> = (0..BUFFER_SIZE).step_by(0x1000).collect();
            if number % 2 == 1 {
                pages.reverse();
            }
            for page in pages {
                memory.map(*buffer + page, 0x1000, Access::ReadWrite)?;
            }
            next += BUFFER_SIZE + 0x1000;
        }
        let mut levels = Vec::new();
        let mut next = LEVELS;
        for seed in 0..24 {
            let mut shape = Shape::random(&mut Random::new(seed));
            if seed % 6 == 5 {
                shape.subcluster = 100;
                shape.leaves = 1 + seed as u32 / 6;
            }
            if seed == 22 {
                // Lists that are longer than what is marked at once.
                shape.surfaces = 1600;
                shape.clusters = 1;
                shape.subcluster = 700;
                shape.leaves = 2;
            }
            let level = Level::new(shape, seed);
            // Every other level cannot be written, as a program's own may be.
            let access = if seed % 2 == 0 {
                Access::ReadWrite
            } else {
                Access::ReadOnly
            };
            let placed = level.place(&mut memory, &mut Placer::new(next, access, seed))?;
            levels.push((level, placed));
            next += 0x0020_0000;
        }
        Ok(Self {
            machine: Machine::new(memory),
            overrides: Overrides::new(Settings::NATIVE, Some(sites)),
            interpreter: Interpreter::new(),
            buffers,
            levels,
            disturbed: Vec::new(),
        })
    }

    /// Runs a routine both ways on the input that a seed gives.
    ///
    /// # Panics
    /// Never on account of the program's code; the input itself is always in memory that
    /// is mapped.
    pub fn run(&mut self, routine: Routine, seed: u64) -> Outcome {
        let mut random = Random::new(seed);
        self.prepare(routine, &mut random)
            .expect("what trials write is mapped");
        let outcome = self.compare(routine);
        self.restore();
        outcome
    }

    fn restore(&mut self) {
        while let Some((at, word)) = self.disturbed.pop() {
            self.machine
                .memory
                .load(at, &word.to_le_bytes())
                .expect("it was written before");
        }
    }

    /// Changes a word, be it read-only, until the trial has ended.
    fn change(&mut self, at: u32, word: u32) -> Result<(), MemoryError> {
        let old = self.machine.memory.read_u32(at)?;
        self.disturbed.push((at, old));
        self.machine.memory.load(at, &word.to_le_bytes())
    }

    /// Makes the input that a seed gives, and enters the routine.
    fn prepare(&mut self, routine: Routine, random: &mut Random) -> Result<(), MemoryError> {
        self.machine.instruction_limit = random.once_in(200).then_some(1 << 40);
        self.machine.cpu = any_cpu(random);
        // Dead frames hold something, so that words that are not written show.
        let top = STACK.0 + STACK.1;
        for at in (top - 0x200..top).step_by(4) {
            self.machine.memory.write_u32(at, random.word())?;
        }
        let esp = top - 0x80 - random.below(16) * 4;
        self.machine.cpu[Reg::Esp] = esp;
        match routine {
            Routine::MatrixProduct
            | Routine::NodeBounds
            | Routine::BoxPlanes
            | Routine::BoxOverlap => self.prepare_small(routine, random)?,
            Routine::SurfaceList | Routine::MaterialWalk => self.prepare_list(routine, random)?,
            Routine::VisibleSurfaces => self.prepare_view(random)?,
            Routine::FrustumBox => self.prepare_frustum(random)?,
            Routine::LeafGather
            | Routine::ClusterGather
            | Routine::TreeGather
            | Routine::WholeGather => self.prepare_gather(routine, random)?,
        }
        // Now and then the stack is where it cannot be.
        if random.once_in(40) {
            return self.enter_at_an_edge(routine, random);
        }
        if random.once_in(300) {
            self.machine.cpu[Reg::Esp] = STACK.0 + random.below(0x60) * 4;
        }
        let frame = self.machine.enter(routine.address(), BACK);
        if frame.is_err() {
            self.machine.cpu[Reg::Esp] = esp;
            self.machine.enter(routine.address(), BACK)?;
        }
        Ok(())
    }

    /// Enters a routine with a stack of which an end may be read-only.
    fn enter_at_an_edge(
        &mut self,
        routine: Routine,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let arguments = contract::argument_bytes(routine);
        let esp = if random.once_in(2) {
            let words = contract::frame_bytes(routine) / 4;
            let above = match random.below(2) {
                0 => random.below(words + 8),
                _ => (words + random.below(3)).saturating_sub(1),
            };
            EDGES + 0x1000 + above * 4
        } else {
            EDGES + 0x2000 + 8 - random.below(arguments / 4 + 6) * 4
        };
        let mut words = vec![BACK];
        for offset in (0..arguments).step_by(4) {
            let at = self.machine.cpu[Reg::Esp].wrapping_add(offset);
            words.push(self.machine.memory.read_u32(at)?);
        }
        for (index, word) in words.into_iter().enumerate() {
            let at = esp + index as u32 * 4;
            self.machine.memory.load(at, &word.to_le_bytes())?;
        }
        self.machine.cpu[Reg::Esp] = esp;
        self.machine.cpu.eip = routine.address();
        Ok(())
    }

    fn compare(&mut self, routine: Routine) -> Outcome {
        let mut host = Limited::new(&mut self.interpreter);
        let rewound =
            compare_and_rewind(routine, &mut self.machine, &mut self.overrides, &mut host);
        let astray = host.astray;
        let (comparison, left) = match rewound {
            Ok(both) => both,
            Err(error) => return Outcome::Different(vec![error.to_string()]),
        };
        let Comparison {
            native,
            translated,
            mut differences,
        } = comparison;
        if let Err(Error::Limit { .. }) = translated {
            return Outcome::Endless;
        }
        match (&native, astray) {
            (Err(Error::Astray { eip, expected }), _) if astray != Some((*eip, *expected)) => {
                differences.push(format!(
                    "astray is {astray:x?}, natively {eip:x}, {expected:x}"
                ));
            }
            (Ok(true), Some(_)) => differences.push("it has to go astray".to_owned()),
            _ => {}
        }
        let result = translated.is_ok().then_some(left.cpu[Reg::Eax]);
        let declined = native == Ok(false);
        match contract::declines(routine, &self.machine, result) {
            Some(true) if !declined => differences.push("it has to decline".to_owned()),
            Some(false) if declined => differences.push("it has no reason to decline".to_owned()),
            _ => {}
        }
        if !differences.is_empty() {
            return Outcome::Different(differences);
        }
        match (native, translated) {
            (Ok(false), _) => Outcome::Declined,
            (_, Ok(())) => Outcome::Equal,
            _ => Outcome::Fault,
        }
    }

    /// The whole gather 00553D80 on the input that a seed gives, once translated with all
    /// its callees and once with native ones.
    pub fn run_whole_gather(&mut self, seed: u64) -> Outcome {
        let mut random = Random::new(seed);
        self.prepare(Routine::WholeGather, &mut random)
            .expect("what trials write is mapped");
        let outcome = self
            .both_ways()
            .unwrap_or_else(|error| Outcome::Different(vec![error.to_string()]));
        self.restore();
        outcome
    }

    fn both_ways(&mut self) -> Result<Outcome, Error> {
        let esp = self.machine.cpu[Reg::Esp];
        let frame = Frame {
            return_address: BACK,
            esp,
        };
        let before = self.machine.cpu;
        let mut sides = Vec::new();
        for settings in [Settings::TRANSLATED, Settings::NATIVE] {
            self.overrides.set_settings(settings);
            self.machine.cpu = before;
            self.machine.memory.watch()?;
            let mut host = Limited::new(&mut self.interpreter);
            let end = host.run(&mut self.machine, &mut self.overrides, frame);
            let changes = self.machine.memory.end_watch();
            self.machine.memory.undo(&changes)?;
            if matches!(end, Err(Error::Limit { .. })) {
                self.overrides.set_settings(Settings::NATIVE);
                return Ok(Outcome::Endless);
            }
            sides.push((end, self.machine.cpu, changes));
        }
        let [
            (end, cpu, changes),
            (native_end, native_cpu, native_changes),
        ] = &sides[..]
        else {
            unreachable!("two sides")
        };
        Ok(match (end, native_end) {
            (Ok(()), Ok(())) => {
                let memory = changes.differences(native_changes);
                if cpu == native_cpu && memory.is_empty() {
                    Outcome::Equal
                } else {
                    let memory = &memory[..memory.len().min(8)];
                    Outcome::Different(vec![format!(
                        "{cpu:x?}\nnatively {native_cpu:x?}\nmemory {memory:x?}"
                    )])
                }
            }
            // What the translated run did from there on says nothing.
            (Err(_), Err(_)) | (Ok(()), Err(Error::Astray { .. })) => Outcome::Fault,
            (end, native_end) => {
                Outcome::Different(vec![format!("{end:?}, natively {native_end:?}")])
            }
        })
    }

    fn write(&mut self, address: u32, words: &[u32]) -> Result<(), MemoryError> {
        for (index, &word) in words.iter().enumerate() {
            let at = address.wrapping_add(index as u32 * 4);
            self.machine.memory.write_u32(at, word)?;
        }
        Ok(())
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) -> Result<(), MemoryError> {
        let mut bytes = vec![0; length as usize];
        self.machine.memory.read_bytes(from, &mut bytes)?;
        self.machine.memory.write_bytes(to, &bytes)
    }

    /// Pushes arguments, the last one first.
    fn push(&mut self, arguments: &[u32]) -> Result<(), MemoryError> {
        for &argument in arguments.iter().rev() {
            self.machine.push(argument)?;
        }
        Ok(())
    }

    /// A place for `length` bytes in one of the buffers: at its start, at its end (both
    /// next to unmapped pages) or anywhere, aligned or not.
    fn place(&self, buffer: usize, length: u32, random: &mut Random) -> u32 {
        let room = BUFFER_SIZE.saturating_sub(length);
        let offset = match random.below(4) {
            0 => 0,
            1 => room,
            2 => random.below(room / 4 + 1) * 4,
            _ => random.below(room + 1),
        };
        self.buffers[buffer].wrapping_add(offset)
    }
}

/// A processor in any state that code may be entered with; mostly one that native
/// routines accept.
fn any_cpu(random: &mut Random) -> Cpu {
    let mut any = Cpu::default();
    any.gpr.fill_with(|| random.word());
    any.eflags = 0x202 | random.word() & cpu::MODELLED_FLAGS & !cpu::DF;
    if random.once_in(150) {
        any.eflags |= cpu::DF;
    }
    let fpu = &mut any.fpu;
    fpu.top = random.below(8) as u8;
    fpu.slots.fill_with(|| random.double());
    fpu.condition = random.word() as u16 & 0x4500;
    match random.below(60) {
        0 => fpu.occupied = random.word() as u8,
        1..30 => {
            // As many as may be there without getting in the way.
            for index in 0..random.below(5) as u8 {
                fpu.occupied |= 1 << fpu.slot(index);
            }
        }
        _ => {}
    }
    if random.once_in(100) {
        fpu.control |= random.pick(&[1, 2, 3]) << 10;
    }
    any
}
