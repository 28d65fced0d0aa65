//! The processor of this machine as a 32-bit one with an x87.
//!
//! A 64-bit Linux process may far-return into the kernel's 32-bit code segment. Code,
//! stack and data then have to lie below 4 GiB, where a position-independent executable
//! has nothing of its own. No system call is made on the other side, and the way back
//! is another far transfer. It takes `CONFIG_IA32_EMULATION` in the kernel.

use std::arch::{asm, global_asm};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ninefold_guest::cpu::MODELLED_FLAGS;
use ninefold_guest::{Cpu, Fpu};

/// First address of the memory that guest code may use.
pub(crate) const ARENA: u32 = 0x0010_0000;
/// Its length in bytes, which take memory as they are touched.
pub(crate) const ARENA_LENGTH: usize = 0x0EF0_0000;

const STUB: u32 = 0x0FF0_0000;
const CONTEXT: usize = 0x0FF1_0000;
/// Where guest code returns to.
pub(crate) const LEAVE: u32 = STUB + 0x80;

// Its bytes are copied to STUB, so addresses in it are numbers. Of the context: registers
// at 0 in order of their numbers, eip at 20h, flags at 24h, the way back at 30h, the FSAVE
// image at 80h, a stack for the flags below FF0h.
global_asm!(
    ".pushsection .rodata.ninefold_stub, \"a\"",
    ".globl ninefold_stub, ninefold_stub_end",
    ".balign 0x80",
    "ninefold_stub:",
    ".code32",
    "frstor [0x0FF10080]",
    "mov esp, 0x0FF10FF0",
    "push dword ptr [0x0FF10024]",
    "popfd",
    "mov eax, [0x0FF10000]",
    "mov ecx, [0x0FF10004]",
    "mov edx, [0x0FF10008]",
    "mov ebx, [0x0FF1000C]",
    "mov esp, [0x0FF10010]",
    "mov ebp, [0x0FF10014]",
    "mov esi, [0x0FF10018]",
    "mov edi, [0x0FF1001C]",
    "jmp dword ptr [0x0FF10020]",
    ".balign 0x80",
    "mov [0x0FF10000], eax",
    "mov [0x0FF10004], ecx",
    "mov [0x0FF10008], edx",
    "mov [0x0FF1000C], ebx",
    "mov [0x0FF10010], esp",
    "mov [0x0FF10014], ebp",
    "mov [0x0FF10018], esi",
    "mov [0x0FF1001C], edi",
    "mov esp, 0x0FF10FF0",
    "pushfd",
    "pop dword ptr [0x0FF10024]",
    "cld",
    "fnsave [0x0FF10080]",
    ".byte 0xEA", // a far jump to the 64-bit code below
    ".long 0x0FF00100",
    ".short 0x33",
    ".balign 0x80",
    ".code64",
    ".byte 0xFF, 0x24, 0x25", // jmp [0FF10030h]
    ".long 0x0FF10030",
    "ninefold_stub_end:",
    ".popsection",
);

unsafe extern "C" {
    static ninefold_stub: u8;
    static ninefold_stub_end: u8;
}

#[repr(C)]
struct Context {
    gpr: [u32; 8],
    eip: u32,
    eflags: u32,
    host_stack: u64,
    host_code: u64,
    unused: [u64; 9],
    image: [u8; 108],
}

/// The processor's state after a run.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// By number of the register.
    pub(crate) gpr: [u32; 8],
    /// The flags register.
    pub(crate) eflags: u32,
    image: [u8; 108],
}

/// What is worth comparing of an x87's state, as the processor saves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) control: u16,
    /// Top and condition codes; C1 and the exception flags are left out.
    pub(crate) status: u16,
    pub(crate) tags: u16,
    /// In physical order.
    pub(crate) slots: [[u8; 10]; 8],
}

impl Saved {
    /// What the processor would save for a modelled state.
    pub(crate) fn of(fpu: &Fpu) -> Self {
        let slots = fpu.slots.map(extended);
        Self {
            control: fpu.control,
            status: fpu.status(),
            tags: fpu.tag_word(),
            slots,
        }
    }
}

impl Outcome {
    pub(crate) fn saved(&self) -> Saved {
        let word = |at: usize| u16::from_le_bytes([self.image[at], self.image[at + 1]]);
        let status = word(4);
        let top = usize::from(status >> 11 & 7);
        let mut slots = [[0; 10]; 8];
        for (index, value) in self.image[28..].chunks_exact(10).enumerate() {
            slots[(top + index) & 7].copy_from_slice(value);
        }
        Saved {
            control: word(0),
            status: status & 0x7D00,
            tags: word(8),
            slots,
        }
    }
}

/// A binary64 as the x87 holds it: 64 bits of significand, the sign and 15 bits of
/// exponent.
fn extended(value: u64) -> [u8; 10] {
    let sign = (value >> 63) as u16;
    let biased = (value >> 52 & 0x7FF) as u16;
    let fraction = value & ((1 << 52) - 1);
    let (exponent, significand) = match biased {
        0 if fraction == 0 => (0, 0),
        0 => {
            let shift = fraction.leading_zeros();
            (16383 - 1022 + 11 - shift as u16, fraction << shift)
        }
        0x7FF => (0x7FFF, 1 << 63 | fraction << 11),
        _ => (biased + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&significand.to_le_bytes());
    bytes[8..].copy_from_slice(&(sign << 15 | exponent).to_le_bytes());
    bytes
}

fn image_of(fpu: &Fpu) -> [u8; 108] {
    let mut image = [0; 108];
    image[0..2].copy_from_slice(&fpu.control.to_le_bytes());
    image[4..6].copy_from_slice(&fpu.status().to_le_bytes());
    image[8..10].copy_from_slice(&fpu.tag_word().to_le_bytes());
    for (index, place) in image[28..].chunks_exact_mut(10).enumerate() {
        place.copy_from_slice(&extended(fpu.slots[fpu.slot(index as u8)]));
    }
    image
}

/// The processor, held by one test at a time: its addresses are the process's.
pub(crate) struct Hardware {
    _one_at_a_time: MutexGuard<'static, ()>,
}

impl Hardware {
    /// `None`, with a word about it, where the system cannot do this. With
    /// `NINEFOLD_REQUIRE_IA32=1` in the environment that is a failure instead.
    pub(crate) fn acquire() -> Option<Self> {
        static LOCK: Mutex<()> = Mutex::new(());
        static WORKS: OnceLock<Result<(), String>> = OnceLock::new();
        let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        match WORKS.get_or_init(|| {
            probe()?;
            map()
        }) {
            Ok(()) => Some(Self {
                _one_at_a_time: guard,
            }),
            Err(why) => {
                let required = std::env::var_os("NINEFOLD_REQUIRE_IA32");
                assert!(
                    required.is_none_or(|value| value != "1"),
                    "no 32-bit code here: {why}"
                );
                println!("skipped: no 32-bit code here: {why}");
                None
            }
        }
    }

    /// Bytes of the arena.
    pub(crate) fn memory(&mut self, address: u32, length: usize) -> &mut [u8] {
        assert!(address >= ARENA && (address - ARENA) as usize + length <= ARENA_LENGTH);
        // SAFETY: map() has mapped the arena, the range lies in it, and whoever holds
        // the lock is the only one to touch it.
        unsafe { std::slice::from_raw_parts_mut(address as usize as *mut u8, length) }
    }

    /// Runs code in the arena from `cpu.eip` until it reaches [`LEAVE`].
    ///
    /// # Safety
    /// The code must reach `LEAVE` with the direction it came from forgotten, touch
    /// only the arena, and make no system call.
    pub(crate) unsafe fn run(&mut self, cpu: &Cpu) -> Outcome {
        // SAFETY: map() has mapped the page, and the lock is held.
        let context = unsafe { &mut *(CONTEXT as *mut Context) };
        context.gpr = cpu.gpr;
        context.eip = cpu.eip;
        context.eflags = cpu.eflags & MODELLED_FLAGS | 0x202;
        context.image = image_of(&cpu.fpu);
        // SAFETY: the caller vouches for the code.
        unsafe { enter() };
        Outcome {
            gpr: context.gpr,
            eflags: context.eflags,
            image: context.image,
        }
    }
}

/// Goes through the stub and comes back.
///
/// # Safety
/// The stub and the context are in place, and what the context says to run leads back.
unsafe fn enter() {
    // SAFETY: all registers that the other side changes are declared or saved: rbx, rbp
    // and rsp by hand, the x87 is empty again after FNSAVE, and its control word is put
    // back. Upper halves of rbx and rbp, which 32-bit code clears, are on the stack.
    unsafe {
        asm!(
            "push rbx",
            "push rbp",
            "sub rsp, 16",
            "fnstcw [rsp]",
            "mov [0x0FF10028], rsp",
            "lea rax, [rip + 2f]",
            "mov [0x0FF10030], rax",
            "mov eax, 0x2B",
            "mov ds, eax",
            "mov es, eax",
            "mov esp, 0x0FF10FE8",
            "mov dword ptr [rsp + 4], 0x23",
            "mov dword ptr [rsp], 0x0FF00000",
            ".byte 0xCB", // retf with 32-bit operands
            "2:",
            "mov rsp, [0x0FF10028]",
            "xor eax, eax",
            "mov ds, eax",
            "mov es, eax",
            "fldcw [rsp]",
            "add rsp, 16",
            "pop rbp",
            "pop rbx",
            out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            clobber_abi("sysv64"),
        );
    }
}

/// Maps the arena, the stub and the context.
fn map() -> Result<(), String> {
    let place = |address: usize, length: usize| {
        // SAFETY: a new mapping that replaces none.
        let got = unsafe {
            libc::mmap(
                address as *mut libc::c_void,
                length,
                libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC,
                libc::MAP_PRIVATE
                    | libc::MAP_ANONYMOUS
                    | libc::MAP_NORESERVE
                    | libc::MAP_FIXED_NOREPLACE,
                -1,
                0,
            )
        };
        if got as usize == address {
            return Ok(());
        }
        Err(format!(
            "{address:#x} cannot be mapped: {}",
            std::io::Error::last_os_error()
        ))
    };
    place(ARENA as usize, ARENA_LENGTH)?;
    place(STUB as usize, 0x1000)?;
    place(CONTEXT, 0x1000)?;
    // SAFETY: both labels bound the stub, which is shorter than the page just mapped.
    unsafe {
        let (from, end) = (&raw const ninefold_stub, &raw const ninefold_stub_end);
        std::ptr::copy_nonoverlapping(from, STUB as *mut u8, end.offset_from_unsigned(from));
    }
    Ok(())
}

/// Tries the way there and back in a child, which dies if it does not work.
fn probe() -> Result<(), String> {
    // SAFETY: the child makes only system calls and ends with _exit.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(format!("fork: {}", std::io::Error::last_os_error()));
    }
    if child == 0 {
        let code = match map() {
            Err(_) => 2,
            Ok(()) => {
                // SAFETY: as in run(); the code is the way back itself.
                unsafe {
                    let context = &mut *(CONTEXT as *mut Context);
                    context.eip = LEAVE;
                    context.eflags = 0x202;
                    context.gpr = [1, 2, 3, 4, 5, 6, 7, 8];
                    context.image = image_of(&Fpu::default());
                    enter();
                    i32::from(context.gpr != [1, 2, 3, 4, 5, 6, 7, 8])
                }
            }
        };
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(code) }
    }
    let mut status = 0;
    // SAFETY: waits for the child just made.
    unsafe { libc::waitpid(child, &mut status, 0) };
    match status {
        0 => Ok(()),
        _ => Err(format!("the probe ended with status {status:#x}")),
    }
}
