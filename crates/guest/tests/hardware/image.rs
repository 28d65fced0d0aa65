//! The reference image in the interpreter and on the processor.

use std::collections::HashSet;

use iced_x86::{Code, Decoder, DecoderOptions};
use ninefold_guest::cpu::DF;
use ninefold_guest::reference::ROUTINES;
use ninefold_guest::{Reg, iced_x86};

use crate::native::Hardware;
use crate::oracle::{Compared, Oracle};
use crate::random::Random;
use crate::repeat::Repeat;
use crate::scene::{self, Scene};

const STACK: u32 = 0x009F_0000;
const STACK_LENGTH: u32 = 0x4000;

/// What the image reads and writes outside of what its callers give it.
const REGIONS: [(u32, usize); 7] = [
    (0x0072_4000, 0x1000),
    (0x0074_6000, 0x1000),
    (0x007C_3000, 0x3000),
    (0x007D_0000, 0x1000),
    (0x0085_0000, 0x1000),
    (scene::DATA, scene::LENGTH as usize),
    (STACK, STACK_LENGTH as usize),
];

/// How runs of a routine ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) equal: u32,
    /// Ended at memory that is not there, in the interpreter; not run on the processor.
    pub(crate) stopped: u32,
    pub(crate) out_of_range: u32,
}

/// What runs the image.
pub(crate) fn oracle() -> Option<Oracle> {
    Oracle::with_image(&REGIONS)
}

/// Runs the routine at `address` with `times` inputs.
pub(crate) fn run(oracle: &mut Oracle, address: u32, times: u32) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..times {
        let mut random = Random::new(u64::from(seed) << 32 | u64::from(address));
        processor(oracle, &mut random, seed);
        let scene = Scene::build(&mut oracle.machine.memory, &mut random);
        arguments(oracle, &mut random, &scene, address);
        match oracle.call(address, &[]) {
            Ok(Compared::Equal) => tally.equal += 1,
            Ok(Compared::OutOfRange) => tally.out_of_range += 1,
            Ok(Compared::Stopped(_)) => tally.stopped += 1,
            Err(difference) => panic!("{address:08x}, seed {seed}:\n{difference}"),
        }
    }
    tally
}

/// Registers, flags and an x87 of any rounding and depth, every top in turn.
fn processor(oracle: &mut Oracle, random: &mut Random, seed: u32) {
    let cpu = &mut oracle.machine.cpu;
    for register in Reg::ALL {
        cpu[register] = random.bits() as u32;
    }
    cpu[Reg::Esp] = STACK + STACK_LENGTH - 0x100;
    cpu.eflags = 0x202 | random.bits() as u32 & 0x8D5;
    if random.once_in(16) {
        cpu.eflags |= DF;
    }
    let fpu = &mut cpu.fpu;
    fpu.top = (seed & 7) as u8;
    fpu.condition = random.pick(&[0, 0x100, 0x400, 0x4000, 0x4500]);
    fpu.control = 0x027F;
    if random.once_in(8) {
        fpu.control |= (random.below(4) as u16) << 10;
    }
    fpu.occupied = if random.once_in(2) {
        0
    } else {
        random.bits() as u8
    };
    for slot in 0..8 {
        let value = ninefold_guest::x87::f32_to_f64(random.float());
        fpu.slots[slot] = ninefold_guest::x87::quiet(value);
    }
}

fn arguments(oracle: &mut Oracle, random: &mut Random, scene: &Scene, address: u32) {
    let machine = &mut oracle.machine;
    let cpu = &mut machine.cpu;
    let capacity = match random.below(4) {
        0 => random.below(4),
        1 => random.bits() as u32,
        _ => 16 + random.below(64),
    };
    let planes = match random.below(8) {
        0 => random.bits() as u32 | 0x8000,
        _ => random.bits() as u32 & 0xFFFF_0000 | random.below(6),
    };
    let class = random.pick(&[0, 1, 2, 0x5_0002, 0x5_0001]);
    let mut arguments = Vec::new();
    match address {
        0x004C_C0D0 => {
            // Often the same matrix twice, sometimes one that begins inside another.
            for _ in 0..3 {
                let shift = if random.once_in(6) {
                    4 * random.below(16)
                } else {
                    0
                };
                arguments.push(scene.matrices + 0x34 * random.below(3) + shift);
            }
        }
        0x0055_3380 => {
            cpu[Reg::Ecx] = scene.a_box(random);
            cpu[Reg::Edx] = scene.nodes + 6 * random.below(8);
            cpu[Reg::Esi] = if random.once_in(4) {
                scene.a_box(random)
            } else {
                scene.scratch
            };
        }
        0x0055_41B0 => {
            cpu[Reg::Ecx] = scene.a_box(random);
            cpu[Reg::Edx] = scene.a_box(random);
        }
        0x0055_4260 => {
            cpu[Reg::Eax] = scene.a_box(random);
            cpu[Reg::Ebx] = scene.planes;
            cpu[Reg::Edi] = planes;
        }
        0x0050_D5B0 => {
            cpu[Reg::Ecx] = scene.frustum;
            cpu[Reg::Edi] = scene.a_box(random);
            arguments.push(random.below(3));
        }
        0x0055_2C20 => arguments.extend([scene.scratch, scene::BITS, scene.faces]),
        0x0055_2DE0 => {
            cpu[Reg::Ecx] = scene.list;
            cpu[Reg::Eax] = cpu[Reg::Eax] & 0xFFFF_0000 | random.below(scene::LISTED + 1);
            for _ in 0..4 {
                arguments.push(random.pick(&[0, 0x0044_AD80]));
            }
            arguments.push(random.bits() as u32);
        }
        0x0055_40C0 => {
            cpu[Reg::Eax] = 0x8000_0000 | random.below(scene::LEAVES);
            cpu[Reg::Ecx] = class;
            let out = scene.out(random);
            let parent = scene.a_box(random);
            let tested = scene.a_box(random);
            arguments.extend([
                parent,
                scene.visited,
                out,
                capacity,
                tested,
                planes,
                scene.planes,
            ]);
        }
        0x0055_3C40 => {
            let (out, tested) = (scene.out(random), scene.a_box(random));
            let clusters = match random.below(8) {
                0 => 0xFFFF,
                _ => random.below(scene::CLUSTERS + 1),
            };
            arguments.extend([out, capacity, tested, planes, scene.planes, scene.visited]);
            arguments.extend([clusters, scene.cluster_list]);
        }
        0x0055_3F10 => {
            let node = random.below(scene::NODES);
            let parent = scene.a_box(random);
            let out = scene.out(random);
            arguments.extend([node, parent, scene.visited, out, capacity, scene.point]);
            arguments.extend([random.float() & 0x7FFF_FFFF, scene.a_box(random)]);
            arguments.extend([planes, scene.planes, class]);
        }
        0x0055_3D80 => {
            let out = scene.out(random);
            arguments.extend([out, capacity, scene.point, random.float() & 0x7FFF_FFFF]);
            arguments.extend([scene.a_box(random), planes, scene.planes, scene.visited]);
            arguments.extend([random.below(scene::CLUSTERS + 1), scene.cluster_list]);
        }
        0x0055_3920 => arguments.push(scene.bsp),
        _ => {}
    }
    for argument in arguments.into_iter().rev() {
        machine.push(argument).unwrap();
    }
}

/// A surface list of more surfaces than it may hold; gives the steps of the run.
pub(crate) fn full_list() -> Option<HashSet<(u32, u32)>> {
    const SURFACES: u32 = 0x8010;
    let [surfaces, indices, faces] = [0x0086_0000, 0x0089_8000, 0x008B_A000];
    let regions = [
        (0x0074_6000, 0x1000),
        (0x007D_0000, 0x2000),
        (surfaces, 0x0009_0000),
        (scene::DATA, 0x1000),
        (STACK, STACK_LENGTH as usize),
    ];
    let mut oracle = Oracle::with_image(&regions)?;
    let machine = &mut oracle.machine;
    let memory = &mut machine.memory;
    memory.write_u32(0x0074_6F9C, scene::DATA).unwrap();
    memory.write_u32(scene::DATA + 0xF8, SURFACES).unwrap();
    memory.write_u32(scene::DATA + 0xFC, surfaces).unwrap();
    memory
        .write_bytes(scene::BITS, &[0xFF; SURFACES as usize / 8])
        .unwrap();
    for index in 0..3 * SURFACES {
        memory
            .write_u16(surfaces + 2 * index, index as u16)
            .unwrap();
    }
    machine.cpu[Reg::Esp] = STACK + STACK_LENGTH - 0x100;
    for argument in [faces, scene::BITS, indices] {
        machine.push(argument).unwrap();
    }
    assert_eq!(oracle.call(0x0055_2C20, &[]), Ok(Compared::Equal));
    assert_eq!(oracle.machine.cpu[Reg::Eax], 0x7FFF);
    assert_eq!(
        oracle.machine.memory.read_u32(indices + 4 * 0x7FFE),
        Ok(0x7FFE)
    );
    assert_eq!(oracle.machine.memory.read_u32(indices + 4 * 0x7FFF), Ok(0));
    oracle.steps.take()
}

/// The leaf gather many times in one go: the last of the calls has left what one leaves.
pub(crate) fn repeated() -> Option<()> {
    let address = 0x0055_40C0;
    let mut oracle = oracle()?;
    let mut random = Random::new(77);
    processor(&mut oracle, &mut random, 0);
    oracle.machine.cpu.eflags = 0x202;
    let scene = Scene::build(&mut oracle.machine.memory, &mut random);
    let tested = scene.a_box(&mut random);
    let arguments = [
        tested,
        scene.visited,
        scene.scratch,
        100,
        tested,
        0,
        scene.planes,
    ];
    let cpu = &mut oracle.machine.cpu;
    cpu[Reg::Eax] = 0x8000_0001;
    cpu[Reg::Ecx] = 2;
    let cpu = *cpu;
    let memory = &mut oracle.machine.memory;
    memory.write_bytes(scene.visited, &[0; 0x800]).unwrap();
    for argument in arguments.into_iter().rev() {
        oracle.machine.push(argument).unwrap();
    }
    assert_eq!(oracle.call(address, &[]), Ok(Compared::Equal));
    let gathered = oracle.machine.cpu[Reg::Eax];
    assert!(gathered > 0);
    let hardware = oracle.hardware();
    let mut after = vec![0; scene::LENGTH as usize];
    after.copy_from_slice(hardware.memory(scene::DATA, scene::LENGTH as usize));
    let clears = [(scene.visited, 0x200)];
    let repeat = Repeat {
        function: address,
        cpu,
        arguments: &arguments,
        clears: &clears,
    };
    // SAFETY: the interpreter has run this very call, which returned and stayed in the arena.
    let time = unsafe { repeat.run(hardware, 1_000) };
    println!("1000 leaf gathers take {time:?}");
    assert!(after == hardware.memory(scene::DATA, scene::LENGTH as usize));
    Some(())
}

/// A routine that counts its calls, and takes as long as they do.
pub(crate) fn counted() -> Option<()> {
    const FUNCTION: u32 = 0x0030_0000;
    const COUNT: u32 = 0x0031_0000;
    let mut hardware = Hardware::acquire()?;
    // inc dword ptr [COUNT]; ret
    hardware
        .memory(FUNCTION, 7)
        .copy_from_slice(&[0xFF, 0x05, 0, 0, 0x31, 0, 0xC3]);
    let mut cpu = ninefold_guest::Cpu::default();
    cpu[Reg::Esp] = STACK + STACK_LENGTH;
    for times in [1, 2, 1_000, 1_000_000] {
        hardware.memory(COUNT, 4).fill(0);
        let repeat = Repeat {
            function: FUNCTION,
            cpu,
            arguments: &[1, 2, 3],
            clears: &[],
        };
        // SAFETY: it counts and returns.
        let time = unsafe { repeat.run(&mut hardware, times) };
        assert_eq!(hardware.memory(COUNT, 4), times.to_le_bytes());
        println!("{times} calls take {time:?}");
    }
    Some(())
}

/// Instructions of the image that no run has reached, and conditional jumps that always
/// went the same way.
pub(crate) fn not_covered(oracle: &Oracle) -> Vec<String> {
    let steps = oracle.steps.as_ref().unwrap();
    let reached: HashSet<u32> = steps.iter().map(|step| step.1).collect();
    let mut missing = Vec::new();
    for routine in ROUTINES {
        let start = u64::from(routine.address);
        for instruction in Decoder::with_ip(32, routine.bytes, start, DecoderOptions::NONE) {
            let at = instruction.ip32();
            if instruction.code() == Code::Int3 {
                continue;
            }
            if !reached.contains(&at) {
                missing.push(format!("{at:08x}"));
            } else if instruction.is_jcc_short_or_near() {
                let ways = [instruction.next_ip32(), instruction.near_branch32()];
                if ways.iter().any(|&way| !steps.contains(&(at, way))) {
                    missing.push(format!("{at:08x}: one way only"));
                }
            }
        }
    }
    missing
}
