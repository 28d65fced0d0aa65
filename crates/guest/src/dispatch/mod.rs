//! Calls of guest code that something else answers.
//!
//! Whoever runs translated code asks [`Overrides::attempt`] at each call. It looks the
//! address up in a small bitmap of addresses that are of interest, and if it is one of
//! them asks, in this order: native leaves, native gathers, hooks in the order in which
//! they were added, native visibility, the native material walk, the table of static
//! overrides. What none of them answers runs as translated.

mod interest;
mod settings;
mod verify;

pub use settings::{Settings, Visibility};
pub(crate) use verify::compare_and_rewind;
pub use verify::{Comparison, MISMATCHES_LOGGED, SUMMARY_EVERY, compare};

use std::collections::HashMap;

use crate::profile::Routine;
use crate::survey::Sites;
use crate::{Error, Frame, Interpreter, Machine, Reg, interpreter, native};
use interest::Interest;

/// Runs the program's own functions: a host's translated code, or the [`Interpreter`].
///
/// ```
/// use ninefold_guest::dispatch::{Settings, Translated};
/// use ninefold_guest::memory::Access;
/// use ninefold_guest::{Error, Frame, Machine, Memory, Overrides, Reg};
///
/// /// What a recompiler made of a program.
/// struct Recompiled;
///
/// impl Translated for Recompiled {
///     fn run(
///         &mut self,
///         machine: &mut Machine,
///         overrides: &mut Overrides,
///         _: Frame,
///     ) -> Result<(), Error> {
///         match machine.cpu.eip {
///             // call 402000h; call 402000h; ret
///             0x40_1000 => {
///                 overrides.call(machine, self, 0x40_2000, 0x40_1005)?;
///                 overrides.call(machine, self, 0x40_2000, 0x40_100A)?;
///             }
///             // add eax, eax; ret
///             0x40_2000 => machine.cpu[Reg::Eax] *= 2,
///             eip => return Err(Error::NoCode { eip }),
///         }
///         machine.cpu.eip = machine.pop()?;
///         Ok(())
///     }
/// }
///
/// let mut memory = Memory::new(1 << 20);
/// memory.map(0x8000, 0x1000, Access::ReadWrite)?;
/// let mut machine = Machine::new(memory);
/// machine.cpu[Reg::Esp] = 0x9000;
/// machine.cpu[Reg::Eax] = 3;
/// let mut overrides = Overrides::new(Settings::default(), None);
/// overrides.call(&mut machine, &mut Recompiled, 0x40_1000, 0xFFFF_FFF0)?;
/// assert_eq!(machine.cpu[Reg::Eax], 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Translated {
    /// Runs the function that the machine has just entered until `frame` has returned.
    /// Each call that it makes on the way is to be offered to [`Overrides::attempt`]
    /// first.
    fn run(
        &mut self,
        machine: &mut Machine,
        overrides: &mut Overrides,
        frame: Frame,
    ) -> Result<(), Error>;
}

impl Translated for Interpreter {
    fn run(
        &mut self,
        machine: &mut Machine,
        overrides: &mut Overrides,
        frame: Frame,
    ) -> Result<(), Error> {
        while let interpreter::Event::Call(_) = self.advance(machine, frame, &mut ())? {
            overrides.attempt(machine, self)?;
        }
        Ok(())
    }
}

/// What a hook or static override makes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing: whoever comes next is asked.
    Pass,
    /// It did what the function does, but for the `ret`, which takes this many bytes of
    /// arguments off the stack.
    Return(u16),
}

/// Answers calls. The machine has just entered the function.
pub type Hook = Box<dyn FnMut(&mut Machine) -> Result<Answer, Error> + Send>;

/// How often routines were answered natively, and how often not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    native: [u64; Routine::NATIVE],
    fallback: [u64; Routine::NATIVE],
    /// Calls under [`Visibility::Verify`] that were compared.
    pub verified: u64,
    /// Those of them that did not agree.
    pub mismatches: u64,
}

impl Counters {
    /// Calls that ran natively. Calls that gathers make while they are native are not
    /// counted.
    pub fn native(&self, routine: Routine) -> u64 {
        self.native.get(routine as usize).copied().unwrap_or(0)
    }

    /// Calls that the native version declined.
    pub fn fallback(&self, routine: Routine) -> u64 {
        self.fallback.get(routine as usize).copied().unwrap_or(0)
    }
}

/// Gathers within gathers that are native; deeper ones run as translated, so that a
/// guest's recursion is not the host's.
const DEEPEST: u32 = 128;

/// See the [module's documentation](self).
#[derive(Default)]
pub struct Overrides {
    settings: Settings,
    sites: Option<Sites>,
    interest: Interest,
    hooks: Vec<(u32, Hook)>,
    table: HashMap<u32, Hook>,
    counters: Counters,
    depth: u32,
}

impl std::fmt::Debug for Overrides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Overrides")
            .field("settings", &self.settings)
            .field("sites", &self.sites)
            .field("hooks", &self.hooks.len())
            .field("table", &self.table.len())
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

impl Overrides {
    /// Native routines for a program in which these call sites were found. Without them,
    /// routines that leave return addresses in dead frames are not native.
    pub fn new(settings: Settings, sites: Option<Sites>) -> Self {
        let mut overrides = Self {
            settings,
            sites,
            ..Self::default()
        };
        for routine in &Routine::ALL[..Routine::NATIVE] {
            overrides.interest.add(routine.address());
        }
        overrides
    }

    /// Adds a hook to a function. Several hooks of one function are asked in the order in
    /// which they were added.
    pub fn add_hook(&mut self, function: u32, hook: Hook) {
        self.interest.add(function);
        self.hooks.push((function, hook));
    }

    /// Sets the static override of a function, and gives the one that it had.
    pub fn set_static(&mut self, function: u32, answer: Hook) -> Option<Hook> {
        self.interest.add(function);
        self.table.insert(function, answer)
    }

    /// What is native.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes what is native.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The call sites that were found.
    pub fn sites(&self) -> Option<Sites> {
        self.sites
    }

    /// What was counted so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Calls a function as guest code would: overridden or translated.
    pub fn call(
        &mut self,
        machine: &mut Machine,
        host: &mut dyn Translated,
        function: u32,
        return_address: u32,
    ) -> Result<(), Error> {
        let frame = machine.enter(function, return_address)?;
        if self.attempt(machine, host)? {
            return Ok(());
        }
        host.run(machine, self, frame)
    }

    /// Offers the function that the machine has just entered. Whether it was answered:
    /// then the machine has returned from it. If not, nothing has changed, but for what
    /// hooks did that passed, and the function is to be run as translated.
    #[inline]
    pub fn attempt(
        &mut self,
        machine: &mut Machine,
        host: &mut dyn Translated,
    ) -> Result<bool, Error> {
        if !self.interest.has(machine.cpu.eip) {
            return Ok(false);
        }
        self.attempt_all(machine, host)
    }

    #[inline]
    fn attempt_all(
        &mut self,
        machine: &mut Machine,
        host: &mut dyn Translated,
    ) -> Result<bool, Error> {
        let routine = Routine::at(machine.cpu.eip);
        if let Some(routine) = routine {
            if self.settings.native_leaves
                && let Some(ran) = native::leaf(routine, machine)
            {
                self.count(routine, ran);
                if ran {
                    return Ok(true);
                }
            } else if self.settings.native_gather
                && self.depth < DEEPEST
                && routine.is_gather()
                && self.run_native(routine, machine, host)?
            {
                return Ok(true);
            }
        }
        self.attempt_others(routine, machine, host)
    }

    /// What comes after leaves and gathers.
    #[inline(never)]
    fn attempt_others(
        &mut self,
        routine: Option<Routine>,
        machine: &mut Machine,
        host: &mut dyn Translated,
    ) -> Result<bool, Error> {
        let function = machine.cpu.eip;
        for (of, hook) in &mut self.hooks {
            if *of == function
                && let Answer::Return(arguments) = hook(machine)?
            {
                return_from(machine, arguments)?;
                return Ok(true);
            }
        }
        let answered = match (routine, self.settings.native_visibility) {
            (Some(routine @ Routine::VisibleSurfaces), Visibility::Native) => {
                self.run_native(routine, machine, host)?
            }
            (Some(Routine::VisibleSurfaces), Visibility::Verify) => self.verify(machine, host)?,
            (Some(routine @ Routine::MaterialWalk), _) if self.settings.native_leaves => {
                self.run_native(routine, machine, host)?
            }
            _ => false,
        };
        if answered {
            return Ok(true);
        }
        if let Some(answer) = self.table.get_mut(&function)
            && let Answer::Return(arguments) = answer(machine)?
        {
            return_from(machine, arguments)?;
            return Ok(true);
        }
        Ok(false)
    }

    #[inline(never)]
    fn run_native(
        &mut self,
        routine: Routine,
        machine: &mut Machine,
        host: &mut dyn Translated,
    ) -> Result<bool, Error> {
        let ran = native::run(routine, machine, self, host)?;
        self.count(routine, ran);
        Ok(ran)
    }

    #[inline]
    fn count(&mut self, routine: Routine, ran: bool) {
        let counters = &mut self.counters;
        let list = if ran {
            &mut counters.native
        } else {
            &mut counters.fallback
        };
        if self.depth == 0
            && let Some(count) = list.get_mut(routine as usize)
        {
            *count += 1;
        }
    }

    /// Answers a call that a native gather makes and has just entered, of a leaf only where
    /// that has declined.
    pub(crate) fn call_child(
        &mut self,
        routine: Routine,
        machine: &mut Machine,
        host: &mut dyn Translated,
        frame: Frame,
    ) -> Result<(), Error> {
        if self.depth >= DEEPEST {
            return self.call_declined(routine, machine, host, frame);
        }
        self.depth += 1;
        let ran = native::run_gather(routine, machine, self, host);
        let done = match ran {
            Ok(false) => self.call_declined(routine, machine, host, frame),
            ran => ran.map(|_| ()),
        };
        self.depth -= 1;
        done
    }

    #[cold]
    fn call_declined(
        &mut self,
        routine: Routine,
        machine: &mut Machine,
        host: &mut dyn Translated,
        frame: Frame,
    ) -> Result<(), Error> {
        if self.attempt_others(Some(routine), machine, host)? {
            return Ok(());
        }
        host.run(machine, self, frame)
    }
}

/// Does what `ret` does.
fn return_from(machine: &mut Machine, arguments: u16) -> Result<(), Error> {
    machine.cpu.eip = machine.pop()?;
    let esp = &mut machine.cpu[Reg::Esp];
    *esp = esp.wrapping_add(arguments.into());
    Ok(())
}
