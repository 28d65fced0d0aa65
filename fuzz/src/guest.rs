//! What the targets of the guest crate do with their bytes. `crates/guest/tests/fuzz_smoke.rs`
//! includes this file and runs the same functions for a moment in every `cargo test`.

use ninefold_guest::memory::Access;
use ninefold_guest::program::load_pe;
use ninefold_guest::report::Report;
use ninefold_guest::{Error, Machine, Memory, Reg};

const CODE: u32 = 0x0040_1000;
const DATA: u32 = 0x0050_0000;
const STACK: u32 = 0x0060_0000;
const BACK: u32 = 0xFFFF_FFF0;

/// 64 bytes of registers and control, the rest code, run in a small machine: it ends, in a
/// return or an error that names where; what it changed can be undone; a second run does the
/// same.
pub fn guest_code(data: &[u8]) -> bool {
    let Some((head, code)) = data.split_at_checked(64) else {
        return false;
    };
    let code = &code[..code.len().min(0x1000)];
    let mut memory = Memory::new(1 << 20);
    for (address, access) in [
        (CODE, Access::ReadWrite),
        (DATA, Access::ReadWrite),
        (DATA + 0x1000, Access::ReadOnly),
        (STACK, Access::ReadWrite),
    ] {
        memory
            .map(address, 0x1000, access)
            .expect("it is not mapped yet");
    }
    memory.load(CODE, code).expect("it is mapped");
    let mut machine = Machine::new(memory);
    for (register, bytes) in Reg::ALL.into_iter().zip(head.chunks_exact(4)) {
        let value = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        // Mostly pointers, some numbers.
        machine.cpu[register] = match value >> 30 {
            0 => value,
            1 => CODE + value % 0x1000,
            _ => DATA + value % 0x2000,
        };
    }
    machine.cpu[Reg::Esp] = STACK + 0x800;
    machine.cpu.fpu.control = u16::from_le_bytes([head[32], head[33]]);
    machine.cpu.fpu.top = head[34] & 7;
    machine.cpu.fpu.occupied = head[35];
    for (slot, byte) in machine.cpu.fpu.slots.iter_mut().zip(&head[36..]) {
        *slot = u64::from(*byte).wrapping_mul(0x0103_0709_0B0D_1113);
    }
    let run = |machine: &mut Machine| {
        machine.instruction_limit = Some(300);
        Report::of_call(machine, CODE, BACK, &mut ()).expect("nothing else watches")
    };
    let before = machine.cpu;
    let first = run(&mut machine);
    assert!(first.instructions <= 301);
    assert!(machine.cpu.fpu.top < 8);
    if let Some(Error::Unsupported { eip, .. } | Error::Undecodable { eip, .. }) = first.error {
        assert_eq!(eip, machine.cpu.eip);
    }
    for change in &first.changes {
        machine
            .memory
            .load(change.address, &change.old)
            .expect("it was written");
    }
    machine.cpu = before;
    assert_eq!(run(&mut machine), first);
    first.error.is_none()
}

/// Bytes as an executable: what loads can be read where its sections say.
pub fn guest_program(data: &[u8]) -> bool {
    let mut memory = Memory::new(1 << 20);
    let Ok(program) = load_pe(data, &mut memory) else {
        return false;
    };
    for section in &program.sections {
        assert!(memory.is_readable(section.address, section.length as usize));
        assert_eq!(
            memory.is_writable(section.address, 1),
            section.writable && section.length > 0
        );
    }
    assert!(memory.mapped_bytes() <= 1 << 20);
    true
}
