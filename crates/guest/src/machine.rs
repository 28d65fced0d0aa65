use crate::memory::{Memory, MemoryError};
use crate::{Cpu, Reg};

/// A guest: its memory, its processor, and how long it may run.
#[derive(Debug, Default)]
pub struct Machine {
    /// The address space.
    pub memory: Memory,
    /// Registers, flags and the x87.
    pub cpu: Cpu,
    /// Instructions that may still be run; each element of a repeated string instruction
    /// counts as one. `None` is without bound; a number is
    /// *bounded execution*, during which native routines decline, since they do not
    /// count instructions.
    pub instruction_limit: Option<u64>,
}

impl Machine {
    /// A machine with the given memory, all registers 0 and no limit.
    pub fn new(memory: Memory) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    /// Pushes a double word. On failure `esp` is as it was.
    pub fn push(&mut self, value: u32) -> Result<(), MemoryError> {
        let esp = self.cpu[Reg::Esp].wrapping_sub(4);
        self.memory.write_u32(esp, value)?;
        self.cpu[Reg::Esp] = esp;
        Ok(())
    }

    /// Pops a double word.
    pub fn pop(&mut self) -> Result<u32, MemoryError> {
        let esp = self.cpu[Reg::Esp];
        let value = self.memory.read_u32(esp)?;
        self.cpu[Reg::Esp] = esp.wrapping_add(4);
        Ok(value)
    }

    /// Does what a `call` does: pushes `return_address` and goes to `function`.
    pub fn enter(&mut self, function: u32, return_address: u32) -> Result<Frame, MemoryError> {
        self.push(return_address)?;
        self.cpu.eip = function;
        Ok(Frame {
            return_address,
            esp: self.cpu[Reg::Esp],
        })
    }
}

/// A call in progress: where it returns to, and where the return address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where the call returns to. Nothing needs to be mapped there.
    pub return_address: u32,
    /// `esp` on entry: the address of the return address.
    pub esp: u32,
}

impl Frame {
    /// Whether the call has returned. Deeper calls that return to the same address have
    /// not: their stack pointer is below.
    pub fn has_returned(&self, cpu: &Cpu) -> bool {
        cpu.eip == self.return_address && cpu[Reg::Esp].wrapping_sub(self.esp) as i32 > 0
    }
}
