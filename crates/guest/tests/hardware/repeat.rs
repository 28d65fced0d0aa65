//! Calling a routine many times on the processor in one go, for benches: entering and
//! leaving 32-bit code takes longer than a small routine does.

use std::time::{Duration, Instant};

use ninefold_guest::{Cpu, Reg};

use crate::native::{ARENA, ARENA_LENGTH, Hardware, LEAVE};

/// A call to repeat.
pub(crate) struct Repeat<'a> {
    /// The routine.
    pub(crate) function: u32,
    /// Registers, the same for each call; `esp` is where the stack ends.
    pub(crate) cpu: Cpu,
    /// Arguments on the stack, the first one first, pushed anew for each call.
    pub(crate) arguments: &'a [u32],
    /// Ranges of double words (address, count) to clear before each call, at what
    /// `rep stosd` costs.
    pub(crate) clears: &'a [(u32, u32)],
}

/// Where the loop lies: the last page of the arena.
const DRIVER: u32 = ARENA + ARENA_LENGTH as u32 - 0x1000;
const COUNTER: u32 = DRIVER + 0xF00;

impl Repeat<'_> {
    /// Runs the calls and gives the time that they took together, the way there and back
    /// (a few microseconds) included.
    ///
    /// # Safety
    /// As for [`Hardware::run`]; the routine returns with the stack pointer where it was.
    pub(crate) unsafe fn run(&self, hardware: &mut Hardware, times: u32) -> Duration {
        assert!(times > 0);
        let code = self.driver();
        hardware.memory(DRIVER, code.len()).copy_from_slice(&code);
        hardware
            .memory(COUNTER, 4)
            .copy_from_slice(&times.to_le_bytes());
        let mut cpu = self.cpu;
        cpu[Reg::Esp] = cpu[Reg::Esp].wrapping_sub(4);
        hardware
            .memory(cpu[Reg::Esp], 4)
            .copy_from_slice(&LEAVE.to_le_bytes());
        cpu.eip = DRIVER;
        let start = Instant::now();
        // SAFETY: the loop ends when the counter is 0 and returns to LEAVE; for the
        // routine the caller vouches.
        unsafe { hardware.run(&cpu) };
        start.elapsed()
    }

    fn driver(&self) -> Vec<u8> {
        let mut code = Vec::new();
        let with = |code: &mut Vec<u8>, opcode: &[u8], value: u32| {
            code.extend_from_slice(opcode);
            code.extend_from_slice(&value.to_le_bytes());
        };
        for &(address, count) in self.clears {
            // mov edi, address; mov ecx, count; xor eax, eax; rep stosd
            with(&mut code, &[0xBF], address);
            with(&mut code, &[0xB9], count);
            code.extend_from_slice(&[0x31, 0xC0, 0xF3, 0xAB]);
        }
        for &argument in self.arguments.iter().rev() {
            with(&mut code, &[0x68], argument);
        }
        for register in Reg::ALL {
            if register != Reg::Esp {
                with(&mut code, &[0xB8 | register as u8], self.cpu[register]);
            }
        }
        let next = DRIVER + code.len() as u32 + 5;
        with(&mut code, &[0xE8], self.function.wrapping_sub(next));
        // add esp, arguments; dec [COUNTER]; jnz to the start; ret
        with(&mut code, &[0x81, 0xC4], 4 * self.arguments.len() as u32);
        with(&mut code, &[0xFF, 0x0D], COUNTER);
        let back = (code.len() as u32 + 6).wrapping_neg();
        with(&mut code, &[0x0F, 0x85], back);
        code.push(0xC3);
        code
    }
}
