//! Runs code in the interpreter and on the processor, and compares all that both leave.

use std::collections::HashSet;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use ninefold_guest::cpu::{AF, CF, DF, MODELLED_FLAGS, OF, PF, SF, ZF};
use ninefold_guest::memory::Access;
use ninefold_guest::{Cpu, Error, Frame, Interpreter, Machine, Memory, Reg, iced_x86, reference};

use crate::native::{Hardware, LEAVE, Outcome, Saved};

/// Magnitudes from which one operation may leave the range of a binary64, but not that
/// of the processor's registers, whose exponents are wider: runs that come there are
/// not compared.
const HUGE: i32 = 500;

/// One memory, two processors.
pub(crate) struct Oracle {
    pub(crate) machine: Machine,
    interpreter: Interpreter,
    hardware: Hardware,
    regions: Vec<(u32, usize)>,
    /// Steps taken from one instruction to the next, where they are kept.
    pub(crate) steps: Option<HashSet<(u32, u32)>>,
}

/// Bytes of memory that are not compared.
pub(crate) type Mask<'a> = &'a [(u32, &'a [u8])];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Equal,
    /// A value left the range in which both have the same numbers.
    OutOfRange,
    /// The interpreter came to an end early; the processor was not tried.
    Stopped(Error),
}

impl Oracle {
    /// `None` where the processor cannot be used. The regions are mapped, nothing else.
    pub(crate) fn new(regions: &[(u32, usize)]) -> Option<Self> {
        let hardware = Hardware::acquire()?;
        let mut memory = Memory::new(16 << 20);
        for &(address, length) in regions {
            memory.map(address, length, Access::ReadWrite).unwrap();
        }
        let regions = regions.to_vec();
        let machine = Machine::new(memory);
        Some(Self {
            machine,
            interpreter: Interpreter::new(),
            hardware,
            regions,
            steps: None,
        })
    }

    /// With the reference image beside the regions.
    pub(crate) fn with_image(regions: &[(u32, usize)]) -> Option<Self> {
        let mut oracle = Self::new(regions)?;
        oracle.steps = Some(HashSet::new());
        reference::map(&mut oracle.machine.memory).unwrap();
        for routine in reference::ROUTINES {
            let place = oracle.hardware.memory(routine.address, routine.size);
            place.copy_from_slice(routine.bytes);
        }
        Some(oracle)
    }

    pub(crate) fn hardware(&mut self) -> &mut Hardware {
        &mut self.hardware
    }

    /// Calls `function` on both with the machine's state.
    pub(crate) fn call(&mut self, function: u32, mask: Mask) -> Result<Compared, String> {
        let frame = self
            .machine
            .enter(function, LEAVE)
            .map_err(|error| error.to_string())?;
        for &(address, length) in &self.regions {
            let bytes = self.hardware.memory(address, length);
            self.machine
                .memory
                .read_bytes(address, bytes)
                .map_err(|error| error.to_string())?;
        }
        let before = self.machine.cpu;
        let seen = match self.interpret(frame) {
            Ok(seen) => seen,
            Err(error) => return Ok(Compared::Stopped(error)),
        };
        if seen.out_of_range {
            return Ok(Compared::OutOfRange);
        }
        // SAFETY: the interpreter has run this code on this state to its end: it
        // returns, and touches only what was mapped, which the arena covers.
        let outcome = unsafe { self.hardware.run(&before) };
        let mut differences = seen.compare(&self.machine.cpu, &outcome);
        self.compare_memory(mask, &mut differences);
        if differences.is_empty() {
            return Ok(Compared::Equal);
        }
        Err(differences.join("\n"))
    }

    fn interpret(&mut self, frame: Frame) -> Result<Seen, Error> {
        let mut seen = Seen::default();
        self.machine.instruction_limit = Some(10_000_000);
        let mut last = 0;
        let steps = &mut self.steps;
        let mut trace = |machine: &Machine, instruction: &Instruction| {
            if let Some(steps) = steps {
                steps.insert((last, machine.cpu.eip));
                last = machine.cpu.eip;
            }
            seen.look(&machine.cpu, instruction);
        };
        self.interpreter
            .finish(&mut self.machine, frame, &mut trace)?;
        seen.check_range(&self.machine.cpu);
        Ok(seen)
    }

    fn compare_memory(&mut self, mask: Mask, differences: &mut Vec<String>) {
        for &(address, length) in &self.regions {
            let mut ours = vec![0; length];
            self.machine.memory.read_bytes(address, &mut ours).unwrap();
            let theirs = self.hardware.memory(address, length);
            if ours == theirs {
                continue;
            }
            for (index, (&ours, &theirs)) in ours.iter().zip(theirs.iter()).enumerate() {
                let at = address + index as u32;
                let care = mask
                    .iter()
                    .find_map(|(first, care)| care.get(at.checked_sub(*first)? as usize))
                    .unwrap_or(&0xFF);
                if (ours ^ theirs) & care != 0 && differences.len() < 20 {
                    differences.push(format!("[{at:#x}] is {ours:#04x}, hardware {theirs:#04x}"));
                }
            }
        }
    }
}

/// What a run did that decides what can be compared.
#[derive(Default)]
struct Seen {
    /// Flags that the last instruction to touch them left undefined.
    undefined: u32,
    /// Bits of eax that came from bits of the status word that are not modelled.
    status_bits: u32,
    out_of_range: bool,
}

impl Seen {
    fn look(&mut self, cpu: &Cpu, instruction: &Instruction) {
        self.check_range(cpu);
        let read = flags(instruction.rflags_read());
        assert_eq!(
            read & self.undefined,
            0,
            "{instruction:?} reads an undefined flag"
        );
        let undefined = flags(instruction.rflags_undefined());
        let by_register = matches!(
            instruction.mnemonic(),
            Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar
        ) && instruction.op_kind(1) == OpKind::Register;
        if !by_register {
            self.undefined &= !flags(instruction.rflags_modified());
        }
        self.undefined |= undefined;
        if instruction.mnemonic() == Mnemonic::Fnstsw {
            if instruction.op_kind(0) == OpKind::Register {
                self.status_bits = 0x02FF;
            }
        } else if self.status_bits != 0 && instruction.op_count() > 0 {
            self.overwrite(instruction);
        }
    }

    /// Forgets bits of eax that the instruction replaces.
    fn overwrite(&mut self, instruction: &Instruction) {
        use Mnemonic::*;
        let replaces = match instruction.mnemonic() {
            Mov | Movzx | Movsx | Lea | Pop | Seta | Setae | Setb | Setbe | Sete | Setg | Setge
            | Setl | Setle | Setne | Setno | Setnp | Setns | Seto | Setp | Sets => true,
            Xor | Sub => instruction.op0_register() == instruction.op1_register(),
            _ => false,
        };
        if replaces && instruction.op0_kind() == OpKind::Register {
            self.status_bits &= match instruction.op0_register() {
                Register::EAX | Register::AX => 0,
                Register::AL => !0xFF,
                Register::AH => !0xFF00,
                _ => !0,
            };
        }
    }

    fn check_range(&mut self, cpu: &Cpu) {
        for value in cpu.fpu.slots {
            let exponent = (value >> 52 & 0x7FF) as i32 - 1023;
            let special = value << 1 == 0 || exponent == 1024;
            self.out_of_range |= !special && exponent.abs() > HUGE;
        }
    }

    fn compare(&self, cpu: &Cpu, outcome: &Outcome) -> Vec<String> {
        let mut differences = Vec::new();
        for register in Reg::ALL {
            let care = match register {
                Reg::Eax => !self.status_bits,
                _ => !0,
            };
            let (ours, theirs) = (cpu[register], outcome.gpr[register as usize]);
            if (ours ^ theirs) & care != 0 {
                let name = register.name();
                differences.push(format!("{name} is {ours:#x}, hardware {theirs:#x}"));
            }
        }
        let care = MODELLED_FLAGS & !self.undefined;
        if (cpu.eflags ^ outcome.eflags) & care != 0 {
            let (ours, theirs) = (cpu.eflags & care, outcome.eflags & care);
            differences.push(format!("flags are {ours:#x}, hardware {theirs:#x}"));
        }
        let (ours, theirs) = (Saved::of(&cpu.fpu), outcome.saved());
        if ours != theirs {
            differences.push(format!("x87 is {ours:02x?}\nhardware {theirs:02x?}"));
        }
        differences
    }
}

/// Flags of iced as they lie in the register.
fn flags(bits: u32) -> u32 {
    use iced_x86::RflagsBits as Bits;
    let pairs = [
        (Bits::OF, OF),
        (Bits::SF, SF),
        (Bits::ZF, ZF),
        (Bits::AF, AF),
        (Bits::CF, CF),
        (Bits::PF, PF),
        (Bits::DF, DF),
    ];
    pairs
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .map(|(_, flag)| flag)
        .sum()
}
