//! The processor's state.

use std::ops::{Index, IndexMut};

use crate::Fpu;

/// Carry.
pub const CF: u32 = 1 << 0;
/// Parity of the result's low byte.
pub const PF: u32 = 1 << 2;
/// Carry out of bit 3.
pub const AF: u32 = 1 << 4;
/// Zero.
pub const ZF: u32 = 1 << 6;
/// Sign.
pub const SF: u32 = 1 << 7;
/// Direction of string instructions: set means down.
pub const DF: u32 = 1 << 10;
/// Signed overflow.
pub const OF: u32 = 1 << 11;
/// The flags that this machine models. The others are kept as they are.
pub const MODELLED_FLAGS: u32 = CF | PF | AF | ZF | SF | DF | OF;

/// A general purpose register, by its number in instruction encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Reg {
    /// Register 0.
    Eax,
    /// Register 1.
    Ecx,
    /// Register 2.
    Edx,
    /// Register 3.
    Ebx,
    /// Register 4, the stack pointer.
    Esp,
    /// Register 5.
    Ebp,
    /// Register 6.
    Esi,
    /// Register 7.
    Edi,
}

impl Reg {
    /// All eight, by number.
    pub const ALL: [Reg; 8] = [
        Reg::Eax,
        Reg::Ecx,
        Reg::Edx,
        Reg::Ebx,
        Reg::Esp,
        Reg::Ebp,
        Reg::Esi,
        Reg::Edi,
    ];

    /// The register's name in lower case.
    pub fn name(self) -> &'static str {
        ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"][self as usize]
    }
}

/// Registers, flags and the x87. A register is read and written as `cpu[Reg::Eax]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// By number of [`Reg`].
    pub gpr: [u32; 8],
    /// Address of the next instruction.
    pub eip: u32,
    /// The flags register. Flags that an instruction leaves undefined are cleared.
    pub eflags: u32,
    /// The x87.
    pub fpu: Fpu,
}

impl Default for Cpu {
    /// All registers 0, no flag set but interrupts enabled, the x87 empty.
    fn default() -> Self {
        Self {
            gpr: [0; 8],
            eip: 0,
            eflags: 0x202,
            fpu: Fpu::default(),
        }
    }
}

impl Cpu {
    /// Whether a flag is set.
    pub fn flag(&self, flag: u32) -> bool {
        self.eflags & flag != 0
    }

    /// Replaces the flags in `mask` by those of `flags`.
    pub fn set_flags(&mut self, mask: u32, flags: u32) {
        self.eflags = self.eflags & !mask | flags & mask;
    }
}

impl Index<Reg> for Cpu {
    type Output = u32;

    fn index(&self, reg: Reg) -> &u32 {
        &self.gpr[reg as usize]
    }
}

impl IndexMut<Reg> for Cpu {
    fn index_mut(&mut self, reg: Reg) -> &mut u32 {
        &mut self.gpr[reg as usize]
    }
}
