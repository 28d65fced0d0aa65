//! A 32-bit guest for people who run a statically recompiled or emulated program and
//! want its hottest routines native without changing a bit of what it computes.
//!
//! [`Machine`] is the guest: [`memory`], the processor ([`Cpu`]) and its [`x87`] with
//! binary64 values. [`Interpreter`] runs guest code on it:
//!
//! ```
//! use ninefold_guest::{Interpreter, Machine, Memory, Reg, memory::Access};
//!
//! let mut memory = Memory::new(1 << 20);
//! memory.map(0x1000, 0x1000, Access::ReadOnly)?;
//! memory.map(0x8000, 0x1000, Access::ReadWrite)?;
//! // lea eax, [ecx+ecx*2]; ret
//! memory.load(0x1000, &[0x8D, 0x04, 0x49, 0xC3])?;
//! let mut machine = Machine::new(memory);
//! machine.cpu[Reg::Esp] = 0x9000;
//! machine.cpu[Reg::Ecx] = 14;
//! Interpreter::new().call(&mut machine, 0x1000, 0xFFFF_FFF0)?;
//! assert_eq!(machine.cpu[Reg::Eax], 42);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Overrides`] answers calls of guest code with native [routines](profile::Routine) that
//! leave what the guest's own leave: memory with dead stack frames, registers, flags and
//! x87. [`survey`] finds in a program's code what they have to know of it, [`trials`] holds
//! them against a program's routines on levels that [`synthetic`] makes up, and
//! [`reference`](mod@reference) has routines of our own to hold them against where there
//! is no program.
//! `CONTRACT.md` in this crate's folder says what each routine does.
//!
//! Guest code is hostile: whatever it does ends in an [`Error`] that names the
//! instruction, never in a panic, and it maps no memory. Only endless loops need
//! [`Machine::instruction_limit`].
#![forbid(unsafe_code)]

mod alu;
pub mod cpu;
pub mod dispatch;
mod error;
pub mod interpreter;
mod machine;
pub mod memory;
mod native;
pub mod profile;
pub mod program;
pub mod reference;
pub mod report;
pub mod survey;
pub mod synthetic;
pub mod trials;
pub mod x87;

pub use cpu::{Cpu, Reg};
pub use dispatch::Overrides;
pub use error::Error;
pub use iced_x86;
pub use interpreter::Interpreter;
pub use machine::{Frame, Machine};
pub use memory::Memory;
pub use x87::Fpu;
