//! What the interpreter refuses and how it says so, and the parts of its behaviour that
//! are about runs and not about single instructions.

use ninefold_guest::interpreter::Event;
use ninefold_guest::memory::{Access, MemoryError};
use ninefold_guest::{Error, Interpreter, Machine, Memory, Reg, cpu};

const CODE: u32 = 0x0040_1000;
const DATA: u32 = 0x0050_0000;
const STACK: u32 = 0x0060_1000;
const BACK: u32 = 0xFFFF_FFF0;

fn machine(code: &[u8]) -> Machine {
    let mut memory = Memory::new(1 << 20);
    memory.map(CODE, 0x1000, Access::ReadWrite).unwrap();
    memory.map(DATA, 0x1000, Access::ReadWrite).unwrap();
    memory
        .map(STACK - 0x1000, 0x1000, Access::ReadWrite)
        .unwrap();
    memory.load(CODE, code).unwrap();
    let mut machine = Machine::new(memory);
    machine.cpu[Reg::Esp] = STACK;
    machine
}

fn run(machine: &mut Machine) -> Result<u64, Error> {
    Interpreter::new().call(machine, CODE, BACK)
}

#[test]
fn other_instructions_are_refused_by_address_and_text() {
    let refused: [(&[u8], &str); 33] = [
        (&[0xD9, 0xEA], "fldl2e"),
        (&[0x0F, 0xA2], "cpuid"),
        (&[0xCD, 0x80], "int 80h"),
        (&[0xF0, 0x01, 0x03], "lock add"),
        (&[0x64, 0xA1, 0, 0, 0, 0], "mov eax,fs:"),
        (&[0x67, 0x8B, 0x07], "mov eax,[bx]"),
        (&[0x66, 0x50], "push ax"),
        (&[0x66, 0xC3], "ret"),
        (&[0x1E], "push ds"),
        (&[0x8C, 0xD8], "mov eax,ds"),
        (&[0xF7, 0xF1], "div ecx"),
        (&[0xA4], "movsb"),
        (&[0x66, 0xA5], "movsw"),
        (&[0xDB, 0x2B], "fld tbyte"),
        (&[0x66, 0xD9, 0x33], "fnstenv"),
        (&[0xF2, 0x0F, 0x10, 0xC1], "movsd xmm0"),
        (&[0x0F, 0x44, 0xC1], "cmove eax,ecx"),
        (&[0xDA, 0xC1], "fcmovb"),
        (&[0xDB, 0x0B], "fisttp"),
        (&[0xD9, 0xFC], "frndint"),
        (&[0x9B], "wait"),
        (&[0x98], "cwde"),
        (&[0xD1, 0xC0], "rol eax"),
        (&[0xF2, 0xA5], "repne movsd"),
        (&[0x67, 0xA5], "movsd"),
        // What a 16-bit operand makes of the stack.
        (&[0x66, 0xC9], "leave"),
        (&[0x66, 0xC2, 2, 0], "ret 2h"),
        (&[0x66, 0x6A, 1], "push 1"),
        // Far branches, whose operand is no offset alone.
        (&[0xFF, 0x2B], "jmpf"),
        (&[0x66, 0xFF, 0x2B], "jmpf"),
        (&[0xFF, 0x1B], "callf"),
        (&[0x66, 0xFF, 0x1B], "callf"),
        (&[0xCB], "retf"),
    ];
    for (bytes, text) in refused {
        let mut machine = machine(bytes);
        machine.cpu[Reg::Ebx] = DATA;
        let before = machine.cpu;
        let error = Interpreter::new()
            .call(&mut machine, CODE, BACK)
            .unwrap_err();
        let Error::Unsupported { eip, instruction } = &error else {
            panic!("{text}: {error}");
        };
        assert_eq!(*eip, CODE);
        assert!(
            instruction.starts_with(text),
            "{instruction} should begin with {text}"
        );
        let expected = format!("at 0x00401000: the interpreter does not have {instruction}");
        assert_eq!(error.to_string(), expected);
        // Nothing but the call itself has happened.
        assert_eq!(machine.cpu.eip, CODE);
        assert_eq!(machine.cpu[Reg::Esp], before[Reg::Esp] - 4);
        assert_eq!(
            (machine.cpu.gpr[0], machine.cpu.fpu),
            (before.gpr[0], before.fpu)
        );
    }
}

#[test]
fn what_is_no_code_is_refused() {
    let mut no_instruction = machine(&[0xFE, 0xFF]);
    assert!(matches!(
        run(&mut no_instruction),
        Err(Error::Undecodable { eip: CODE, .. })
    ));
    let mut machine = machine(&[]);
    let lost = Interpreter::new().call(&mut machine, 0x1234, BACK);
    assert_eq!(lost, Err(Error::NoCode { eip: 0x1234 }));
    // An instruction that goes on where nothing is mapped.
    machine.memory.load(CODE + 0xFFF, &[0xB8]).unwrap();
    let cut = Interpreter::new().call(&mut machine, CODE + 0xFFF, BACK);
    let error = Error::CodeEnds {
        eip: CODE + 0xFFF,
        missing: CODE + 0x1000,
    };
    assert_eq!(cut, Err(error.clone()));
    assert_eq!(
        error.to_string(),
        "at 0x00401fff: the instruction goes on at 0x00402000, where no code is mapped"
    );
    let mut high = Memory::new(1 << 20);
    high.map(0xFFFF_F000, 0x1000, Access::ReadWrite).unwrap();
    high.load(0xFFFF_FFFF, &[0xB8]).unwrap();
    let mut high = Machine::new(high);
    high.cpu[Reg::Esp] = 0xFFFF_F800;
    let cut = Interpreter::new().call(&mut high, 0xFFFF_FFFF, BACK);
    let (eip, missing) = (0xFFFF_FFFF, 0);
    assert_eq!(cut, Err(Error::CodeEnds { eip, missing }));
    // Fifteen bytes are the most that an instruction has.
    machine.memory.load(CODE, &[0x2E; 16]).unwrap();
    assert!(matches!(
        run(&mut machine),
        Err(Error::Undecodable { eip: CODE, .. })
    ));
}

#[test]
fn a_return_takes_any_number_of_bytes_off_the_stack() {
    for bytes in [0_u16, 1, 2, 4, 7, 0xFFFF] {
        let [low, high] = bytes.to_le_bytes();
        let mut machine = machine(&[0xC2, low, high]);
        let frame = machine.enter(CODE, BACK).unwrap();
        Interpreter::new()
            .step(&mut machine, &mut ())
            .unwrap_or_else(|error| panic!("ret {bytes}: {error}"));
        assert!(frame.has_returned(&machine.cpu));
        assert_eq!(machine.cpu[Reg::Esp], STACK + u32::from(bytes));
    }
}

#[test]
fn memory_errors_name_the_instruction_and_change_nothing() {
    // fstp dword ptr [ebx]
    let mut machine = machine(&[0xD9, 0x1B]);
    machine.cpu[Reg::Ebx] = DATA + 0x0FFE;
    machine.cpu.fpu.push(5);
    let before = machine.cpu.fpu;
    let error = run(&mut machine).unwrap_err();
    assert_eq!(
        error,
        Error::Memory {
            eip: CODE,
            instruction: "fstp dword ptr [ebx]".into(),
            source: MemoryError::Unmapped {
                address: DATA + 0x1000
            },
        }
    );
    assert_eq!(machine.cpu.fpu, before);
    assert_eq!(machine.memory.read_u16(DATA + 0x0FFE), Ok(0));
}

#[test]
fn strings_keep_what_they_did_before_a_fault() {
    // rep stosd
    let mut machine = machine(&[0xF3, 0xAB]);
    machine.cpu[Reg::Edi] = DATA + 0x0FF4;
    machine.cpu[Reg::Ecx] = 10;
    machine.cpu[Reg::Eax] = 0x1111_1111;
    assert!(matches!(
        run(&mut machine),
        Err(Error::Memory { eip: CODE, .. })
    ));
    assert_eq!(machine.cpu[Reg::Edi], DATA + 0x1000);
    assert_eq!(machine.cpu[Reg::Ecx], 7);
    assert_eq!(machine.memory.read_u32(DATA + 0x0FFC), Ok(0x1111_1111));
}

#[test]
fn the_limit_counts_instructions() {
    // inc eax; jmp back
    let mut machine = machine(&[0x40, 0xEB, 0xFD]);
    machine.instruction_limit = Some(7);
    assert_eq!(run(&mut machine), Err(Error::Limit { eip: CODE + 1 }));
    assert_eq!(machine.cpu[Reg::Eax], 4);
    assert_eq!(machine.instruction_limit, Some(0));
}

#[test]
fn the_limit_counts_the_elements_of_strings_and_they_go_on_afterwards() {
    // rep stosd; ret
    let mut machine = machine(&[0xF3, 0xAB, 0xC3]);
    let frame = machine.enter(CODE, BACK).unwrap();
    machine.cpu[Reg::Edi] = DATA;
    machine.cpu[Reg::Ecx] = 10;
    machine.cpu[Reg::Eax] = 7;
    let mut interpreter = Interpreter::new();
    machine.instruction_limit = Some(4);
    let ended = interpreter.finish(&mut machine, frame, &mut ());
    assert_eq!(ended, Err(Error::Limit { eip: CODE }));
    assert_eq!(
        (machine.cpu[Reg::Ecx], machine.cpu[Reg::Edi]),
        (6, DATA + 16)
    );
    assert_eq!(machine.instruction_limit, Some(0));
    // Six elements, and the return.
    machine.instruction_limit = Some(7);
    interpreter.finish(&mut machine, frame, &mut ()).unwrap();
    assert_eq!(machine.instruction_limit, Some(0));
    assert_eq!(machine.memory.read_u32(DATA + 36), Ok(7));
    assert_eq!(machine.memory.read_u32(DATA + 40), Ok(0));
    // Without elements it is an instruction still.
    machine.cpu[Reg::Esp] = STACK;
    let frame = machine.enter(CODE, BACK).unwrap();
    machine.instruction_limit = Some(2);
    interpreter.finish(&mut machine, frame, &mut ()).unwrap();
    assert_eq!(machine.instruction_limit, Some(0));
}

#[test]
fn code_that_is_written_is_decoded_again() {
    // mov byte ptr [CODE+9], 42h; call next; inc eax: the inc becomes inc edx; ret
    let code = [
        0xC6, 0x05, 0x0A, 0x10, 0x40, 0x00, 0x42, 0x90, 0x90, 0x90, 0x40, 0xC3,
    ];
    let mut machine = machine(&code);
    let mut interpreter = Interpreter::new();
    // Decode the old instruction first.
    machine.cpu.eip = CODE + 10;
    interpreter.step(&mut machine, &mut ()).unwrap();
    assert_eq!(machine.cpu[Reg::Eax], 1);
    interpreter.call(&mut machine, CODE, BACK).unwrap();
    assert_eq!((machine.cpu[Reg::Eax], machine.cpu[Reg::Edx]), (1, 1));
}

#[test]
fn an_interpreter_may_serve_several_machines() {
    // inc eax; ret, and inc edx; ret
    let (mut first, mut second) = (machine(&[0x40, 0xC3]), machine(&[0x42, 0xC3]));
    let mut interpreter = Interpreter::new();
    for _ in 0..2 {
        interpreter.call(&mut first, CODE, BACK).unwrap();
        interpreter.call(&mut second, CODE, BACK).unwrap();
    }
    assert_eq!((first.cpu[Reg::Eax], first.cpu[Reg::Edx]), (2, 0));
    assert_eq!((second.cpu[Reg::Eax], second.cpu[Reg::Edx]), (0, 2));
}

#[test]
fn a_trace_sees_every_instruction_and_calls_stop_an_advance() {
    // call +1; ret; inc ecx; ret
    let mut machine = machine(&[0xE8, 1, 0, 0, 0, 0xC3, 0x41, 0xC3]);
    let mut interpreter = Interpreter::new();
    let frame = machine.enter(CODE, BACK).unwrap();
    let mut seen = Vec::new();
    let mut trace = |machine: &Machine, _: &ninefold_guest::iced_x86::Instruction| {
        seen.push(machine.cpu.eip - CODE);
    };
    let event = interpreter
        .advance(&mut machine, frame, &mut trace)
        .unwrap();
    assert_eq!(event, Event::Call(CODE + 6));
    assert_eq!(machine.memory.read_u32(machine.cpu[Reg::Esp]), Ok(CODE + 5));
    let event = interpreter
        .advance(&mut machine, frame, &mut trace)
        .unwrap();
    assert_eq!(event, Event::Returned);
    assert_eq!(seen, [0, 6, 7, 5]);
    assert_eq!((machine.cpu.eip, machine.cpu[Reg::Esp]), (BACK, STACK));
}

#[test]
fn a_frame_is_not_confused_by_deeper_returns_to_its_address() {
    // dec ecx; jz end; push CODE+7 (the address after this call); call CODE; end: ret
    let mut machine = machine(&[0x49, 0x74, 0x05, 0xE8, 0xF8, 0xFF, 0xFF, 0xFF, 0xC3]);
    machine.cpu[Reg::Ecx] = 4;
    // Return to the very address that the inner calls return to.
    let count = Interpreter::new()
        .call(&mut machine, CODE, CODE + 8)
        .unwrap();
    assert_eq!(machine.cpu[Reg::Esp], STACK);
    assert_eq!(machine.cpu.eip, CODE + 8);
    assert_eq!(count, 3 * 3 + 2 + 4);
}

#[test]
fn the_direction_flag_turns_strings_around() {
    // std; movsd; cld; movsd; ret
    let mut machine = machine(&[0xFD, 0xA5, 0xFC, 0xA5, 0xC3]);
    machine.cpu[Reg::Esi] = DATA + 8;
    machine.cpu[Reg::Edi] = DATA + 0x108;
    for index in 0..4 {
        machine
            .memory
            .write_u32(DATA + 4 * index, 10 + index)
            .unwrap();
    }
    run(&mut machine).unwrap();
    assert_eq!(machine.memory.read_u32(DATA + 0x108), Ok(12));
    assert_eq!(machine.memory.read_u32(DATA + 0x104), Ok(11));
    assert_eq!(
        (machine.cpu[Reg::Esi], machine.cpu[Reg::Edi]),
        (DATA + 8, DATA + 0x108)
    );
    assert!(!machine.cpu.flag(cpu::DF));
}

/// Random bytes as code: every end is an error or a return, whatever they do.
#[test]
fn random_code_never_panics() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut ends = [0; 2];
    let mut machine = machine(&[]);
    for _ in 0..20_000 {
        let code: Vec<u8> = (0..8).flat_map(|_| random().to_le_bytes()).collect();
        machine.memory.load(CODE + 0x800, &code).unwrap();
        for register in Reg::ALL {
            machine.cpu[register] = match random() % 3 {
                0 => random() as u32,
                1 => DATA + (random() % 0x1000) as u32,
                _ => STACK - (random() % 0x1000) as u32,
            };
        }
        machine.cpu.fpu.control = random() as u16;
        machine.instruction_limit = Some(200);
        let ended = Interpreter::new().call(&mut machine, CODE + 0x800, BACK);
        ends[usize::from(ended.is_ok())] += 1;
    }
    assert!(ends[0] > 10_000);
}
