//! Runs guest code one instruction at a time.
//!
//! It has these instructions, on operands of 8, 16 and 32 bits where they exist, with
//! 32-bit addresses in the flat segments, and no others:
//!
//! - `mov movzx movsx lea push pop xchg`, `add adc sub sbb cmp test and or xor not neg
//!   inc dec shl shr sar imul cdq`, `setcc jcc jmp call ret leave`, `movsd` and `stosd`
//!   with and without `rep`, `cld std sahf nop`;
//! - `fld fst fstp fild fist fistp fldz fld1 fxch fchs fabs fadd fsub fsubr fmul fdiv
//!   fdivr` and their popping forms, `fiadd fimul fcom fcomp fcompp fucom fucomp fucompp
//!   ftst fnstsw fldcw fnstcw fnstenv fldenv fsqrt`.
//!
//! Anything else, prefixes with another meaning included, is an
//! [`Error::Unsupported`] that names the address and the instruction. Flags that an
//! instruction leaves undefined are cleared.

mod float;
mod integer;
mod operand;

use iced_x86::{
    Code, Decoder, DecoderError, DecoderOptions, FastFormatter, Instruction, OpKind, Register,
};

use crate::memory::{Memory, MemoryError};
use crate::{Error, Frame, Machine};

/// Looks at each instruction before it runs. `()` looks away; closures that take the
/// machine and the instruction are traces.
pub trait Trace {
    /// `machine.cpu.eip` is the instruction's address.
    fn before(&mut self, machine: &Machine, instruction: &Instruction);
}

impl Trace for () {
    #[inline]
    fn before(&mut self, _: &Machine, _: &Instruction) {}
}

impl<F: FnMut(&Machine, &Instruction)> Trace for F {
    fn before(&mut self, machine: &Machine, instruction: &Instruction) {
        self(machine, instruction);
    }
}

/// Why [`Interpreter::advance`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A `call` was run: its return address is pushed and `eip` is this function.
    Call(u32),
    /// The frame has returned.
    Returned,
}

/// Runs instructions, and keeps those that it has decoded.
pub struct Interpreter {
    cache: Box<[Instruction]>,
    /// What the decoded instructions were read from.
    version: (u64, u64),
}

const CACHED: usize = 4096;

impl Default for Interpreter {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interpreter").finish_non_exhaustive()
    }
}

impl Interpreter {
    /// An interpreter that has decoded nothing.
    pub fn new() -> Self {
        Self {
            cache: vec![Instruction::default(); CACHED].into_boxed_slice(),
            version: (u64::MAX, 0),
        }
    }

    /// Calls `function` and runs it, with all it calls, until it returns to
    /// `return_address`. Gives the instructions run.
    pub fn call(
        &mut self,
        machine: &mut Machine,
        function: u32,
        return_address: u32,
    ) -> Result<u64, Error> {
        let frame = machine.enter(function, return_address)?;
        self.finish(machine, frame, &mut ())
    }

    /// Runs until `frame` has returned, without stopping at calls.
    pub fn finish<T: Trace>(
        &mut self,
        machine: &mut Machine,
        frame: Frame,
        trace: &mut T,
    ) -> Result<u64, Error> {
        let mut count = 0;
        let mut counting = |machine: &Machine, instruction: &Instruction| {
            count += 1;
            trace.before(machine, instruction);
        };
        while self.advance(machine, frame, &mut counting)? != Event::Returned {}
        Ok(count)
    }

    /// Runs until a `call` has entered its function or `frame` has returned.
    pub fn advance<T: Trace>(
        &mut self,
        machine: &mut Machine,
        frame: Frame,
        trace: &mut T,
    ) -> Result<Event, Error> {
        loop {
            if frame.has_returned(&machine.cpu) {
                return Ok(Event::Returned);
            }
            if let Some(function) = self.step(machine, trace)? {
                return Ok(Event::Call(function));
            }
        }
    }

    /// Runs one instruction; gives the function when it was a `call`.
    pub fn step<T: Trace>(
        &mut self,
        machine: &mut Machine,
        trace: &mut T,
    ) -> Result<Option<u32>, Error> {
        let eip = machine.cpu.eip;
        if machine.instruction_limit == Some(0) {
            return Err(Error::Limit { eip });
        }
        let instruction = self.decode(&mut machine.memory, eip)?;
        trace.before(machine, &instruction);
        match execute(machine, &instruction) {
            Ok(called) => {
                if let Some(left) = &mut machine.instruction_limit {
                    *left -= 1;
                }
                Ok(called.then_some(machine.cpu.eip))
            }
            Err(fault) => {
                machine.cpu.eip = eip;
                Err(fault.at(eip, &instruction))
            }
        }
    }

    fn decode(&mut self, memory: &mut Memory, eip: u32) -> Result<Instruction, Error> {
        if self.version != memory.code_version() {
            self.cache.fill(Instruction::default());
            self.version = memory.code_version();
        }
        let place = eip as usize % CACHED;
        let cached = self.cache[place];
        if cached.ip32() == eip && cached.len() != 0 {
            return Ok(cached);
        }
        let instruction = decode(memory, eip)?;
        self.cache[place] = instruction;
        Ok(instruction)
    }
}

#[cold]
fn decode(memory: &mut Memory, eip: u32) -> Result<Instruction, Error> {
    let mut bytes = [0; 15];
    let length = memory.fetch(eip, &mut bytes);
    if length == 0 {
        return Err(Error::NoCode { eip });
    }
    let mut decoder = Decoder::with_ip(32, &bytes[..length], u64::from(eip), DecoderOptions::NONE);
    let instruction = decoder.decode();
    if decoder.last_error() == DecoderError::NoMoreBytes && length < bytes.len() {
        return Err(Error::CodeEnds {
            eip,
            // Past FFFFFFFFh nothing can be mapped: 0 names it.
            missing: eip.wrapping_add(length as u32),
        });
    }
    if instruction.code() == Code::INVALID {
        let used = instruction.len().clamp(1, length);
        let bytes = bytes[..used]
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        return Err(Error::Undecodable { eip, bytes });
    }
    if !is_flat(&instruction) {
        return Err(Fault::Unsupported.at(eip, &instruction));
    }
    Ok(instruction)
}

/// Whether the instruction is of the kind that the interpreter knows: no lock, no segment
/// with a base of its own, no 16-bit address, branch or stack operand, no far branch.
fn is_flat(instruction: &Instruction) -> bool {
    let flat = !matches!(instruction.segment_prefix(), Register::FS | Register::GS);
    let narrow = |register: Register| register != Register::None && !register.is_gpr32();
    let operands = (0..instruction.op_count()).all(|operand| match instruction.op_kind(operand) {
        OpKind::Memory => {
            !narrow(instruction.memory_base())
                && !narrow(instruction.memory_index())
                && instruction.memory_displ_size() != 2
        }
        OpKind::MemoryESDI
        | OpKind::MemorySegSI
        | OpKind::NearBranch16
        | OpKind::FarBranch16
        | OpKind::FarBranch32 => false,
        _ => true,
    });
    let near = match instruction.code() {
        Code::Retnd_imm16 => true,
        Code::Retnw_imm16 | Code::Leavew => false,
        Code::Call_m1616 | Code::Call_m1632 | Code::Jmp_m1616 | Code::Jmp_m1632 => false,
        _ => instruction.stack_pointer_increment() % 4 == 0,
    };
    flat && operands && !instruction.has_lock_prefix() && near
}

/// Why an instruction could not be run.
enum Fault {
    Memory(MemoryError),
    Unsupported,
    /// Amid a string.
    Limit,
}

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Self {
        Fault::Memory(error)
    }
}

impl Fault {
    #[cold]
    fn at(self, eip: u32, instruction: &Instruction) -> Error {
        let mut text = String::new();
        FastFormatter::new().format(instruction, &mut text);
        match self {
            Fault::Memory(source) => Error::Memory {
                eip,
                instruction: text,
                source,
            },
            Fault::Unsupported => Error::Unsupported {
                eip,
                instruction: text,
            },
            Fault::Limit => Error::Limit { eip },
        }
    }
}

/// Runs an instruction and moves `eip`; whether it was a call.
fn execute(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Fault> {
    machine.cpu.eip = instruction.next_ip32();
    if float::execute(machine, instruction)? {
        return Ok(false);
    }
    integer::execute(machine, instruction)
}
