//! Routines that a C compiler made, at four levels of optimization.

use std::path::{Path, PathBuf};
use std::process::Command;

use ninefold_guest::{Reg, x87};
use object::{Object, ObjectSegment, ObjectSymbol};

use crate::oracle::{Compared, Oracle};
use crate::random::Random;

const IMAGE: u32 = 0x0040_0000;
const IMAGE_LENGTH: usize = 0x8000;
const DATA: u32 = 0x0050_0000;
const STACK: u32 = 0x0060_0000;
const STACK_LENGTH: u32 = 0x2000;

/// The `struct block` of the routines.
const FLOATS: u32 = 64;
const DOUBLES: u32 = 32;
const INTEGERS: u32 = 64;
const BLOCK: u32 = 4 * FLOATS + 8 * DOUBLES + 4 * INTEGERS;

const REGIONS: [(u32, usize); 3] = [
    (IMAGE, IMAGE_LENGTH),
    (DATA, 0x1000),
    (STACK, STACK_LENGTH as usize),
];

/// Runs every routine `times` times with each level; the runs that were compared.
pub(crate) fn run(times: u32) -> Option<u32> {
    let mut oracle = Oracle::new(&REGIONS)?;
    let mut equal = 0;
    for level in ["-O0", "-O1", "-O2", "-Os"] {
        let file = compile(level)?;
        let routines = load(&mut oracle, &file);
        assert!(routines.len() >= 20, "{level}: {routines:?}");
        for (name, address) in routines {
            if (level, &*name) == ("-Os", "compare_floats") {
                // It keeps a whole status word, exception flags included, on the stack.
                continue;
            }
            for seed in 0..times {
                match once(&mut oracle, address, seed) {
                    Ok(Compared::Equal) => equal += 1,
                    Ok(Compared::OutOfRange) => {}
                    Ok(Compared::Stopped(error)) => panic!("{name} at {level}: {error}"),
                    Err(difference) => panic!("{name} at {level}, seed {seed}:\n{difference}"),
                }
            }
        }
    }
    Some(equal)
}

/// `None`, with a word about it, where no compiler makes 32-bit code; a failure with
/// `NINEFOLD_REQUIRE_IA32=1`.
fn compile(level: &str) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled/routines.c");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("routines{level}.elf"));
    let output = Command::new("gcc")
        .args([
            "-std=c11",
            "-m32",
            "-march=i586",
            "-mfpmath=387",
            "-mno-sse",
            level,
        ])
        .args([
            "-ffreestanding",
            "-fno-builtin",
            "-fno-pic",
            "-fno-pie",
            "-fcf-protection=none",
        ])
        .args([
            "-fno-tree-loop-distribute-patterns",
            "-fno-stack-protector",
            "-nostdlib",
            "-static",
        ])
        .args([
            "-fno-asynchronous-unwind-tables",
            "-Wl,-Ttext-segment=0x400000",
            "-Wl,-e,0",
        ])
        .args(["-Wl,--build-id=none", "-o"])
        .args([&file, &source])
        .output();
    let why = match output {
        Ok(output) if output.status.success() => return Some(file),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    let required = std::env::var_os("NINEFOLD_REQUIRE_IA32");
    assert!(required.is_none_or(|value| value != "1"), "gcc -m32: {why}");
    println!("skipped: gcc -m32: {why}");
    None
}

/// Loads the program, and gives the routines that have the common signature.
fn load(oracle: &mut Oracle, file: &Path) -> Vec<(String, u32)> {
    let bytes = std::fs::read(file).unwrap();
    let program = object::File::parse(&*bytes).unwrap();
    let memory = &mut oracle.machine.memory;
    memory.load(IMAGE, &[0; IMAGE_LENGTH]).unwrap();
    for segment in program.segments() {
        memory
            .load(segment.address() as u32, segment.data().unwrap())
            .unwrap();
    }
    program
        .symbols()
        .filter(|symbol| symbol.kind() == object::SymbolKind::Text && symbol.is_global())
        .filter(|symbol| symbol.name() != Ok("memcpy"))
        .map(|symbol| (symbol.name().unwrap().to_owned(), symbol.address() as u32))
        .collect()
}

fn once(oracle: &mut Oracle, address: u32, seed: u32) -> Result<Compared, String> {
    let mut random = Random::new(u64::from(seed) << 32 | u64::from(address));
    let machine = &mut oracle.machine;
    machine.cpu.fpu.top = (seed & 7) as u8;
    let mut at = DATA;
    for _ in 0..FLOATS {
        machine.memory.write_u32(at, random.float()).unwrap();
        at += 4;
    }
    for _ in 0..DOUBLES {
        machine
            .memory
            .write_u64(at, x87::f32_to_f64(random.float()))
            .unwrap();
        at += 8;
    }
    let small = random.once_in(2);
    for _ in 0..INTEGERS {
        let value = random.bits() as i32 >> if small { random.below(32) } else { 0 };
        machine.memory.write_u32(at, value as u32).unwrap();
        at += 4;
    }
    // The output is the input itself, or lies in it, now and then.
    let output = match random.below(8) {
        0 => DATA,
        1 => DATA + 4 * random.below(16),
        _ => DATA + BLOCK,
    };
    for register in Reg::ALL {
        machine.cpu[register] = random.bits() as u32;
    }
    machine.cpu[Reg::Esp] = STACK + STACK_LENGTH - 0x10;
    machine.cpu.eflags = 0x202;
    for argument in [random.below(256), output, DATA] {
        machine.push(argument).unwrap();
    }
    machine.cpu.fpu.occupied = 0;
    for slot in 0..8 {
        machine.cpu.fpu.slots[slot] = x87::quiet(x87::f32_to_f64(random.float()));
    }
    oracle.call(address, &[])
}
