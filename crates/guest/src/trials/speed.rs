//! Calls to measure: each native routine on inputs as a game has them.

use std::time::{Duration, Instant};

use super::BACK;
use crate::dispatch::Settings;
use crate::memory::{Access, MemoryError};
use crate::profile::{BARE_RETURN, Routine, global};
use crate::survey::Sites;
use crate::synthetic::{Level, Placed, Placer, Random, Shape};
use crate::{Cpu, Error, Interpreter, Machine, Memory, Overrides, Reg, reference};

/// Where everything but the globals lies.
const DATA: u32 = 0x0088_0000;
/// Its length in bytes.
const DATA_LENGTH: u32 = 0x0017_0000;
/// The end of the stack.
const STACK_END: u32 = DATA + 0x1_0000;
/// The ranges of memory that calls touch, in bytes; all but the code.
pub const RANGES: [(u32, u32); 4] = [
    (global::PVS_FLAG & !0xFFF, 0x1000),
    (global::STRUCTURE_BSP & !0xFFF, 0x1000),
    (0x007C_3000, 0x0087_1000 - 0x007C_3000),
    (DATA, DATA_LENGTH),
];

/// A call to measure.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is called.
    pub routine: Routine,
    /// What of it, in a few words.
    pub size: String,
    /// Registers; `esp` is where the stack ends.
    pub cpu: Cpu,
    /// Arguments on the stack, the first one first.
    pub arguments: Vec<u32>,
    /// Double words to clear before each call: address and count.
    pub clears: Vec<(u32, u32)>,
}

/// A machine with the reference image, a level and the calls.
#[derive(Debug)]
pub struct Speed {
    /// The machine.
    pub machine: Machine,
    /// One call of each native routine.
    pub cases: Vec<Case>,
    overrides: Overrides,
    interpreter: Interpreter,
}

/// Hands out double words.
struct Room<'a> {
    memory: &'a mut Memory,
    next: u32,
}

impl Room<'_> {
    fn words(&mut self, words: &[u32]) -> Result<u32, MemoryError> {
        let at = self.next;
        for &word in words {
            self.memory.write_u32(self.next, word)?;
            self.next += 4;
        }
        Ok(at)
    }

    fn floats(&mut self, floats: &[f32]) -> Result<u32, MemoryError> {
        let words: Vec<u32> = floats.iter().map(|float| float.to_bits()).collect();
        self.words(&words)
    }

    fn empty(&mut self, bytes: u32) -> u32 {
        let at = self.next;
        self.next += bytes.next_multiple_of(4);
        at
    }
}

/// Visible clusters' frustums, each seeing a part of the world.
fn write_views(memory: &mut Memory, level: &Level, views: u64) -> Result<(), MemoryError> {
    let mut random = Random::new(views);
    let clusters = level.clusters.len().min(128) as u32;
    for number in 0..clusters {
        let record = global::RECORD_LIST + number * global::RECORD_SIZE;
        memory.write_u32(record, number)?;
        let frustum = record + 0x14;
        for (index, &side) in level.world.iter().enumerate() {
            memory.write_u32(frustum + 0x128 + index as u32 * 4, side.to_bits())?;
        }
        for index in 0..6 {
            let normal = [random.unit(), random.unit(), random.unit()];
            let mut distance = 0.0;
            for (axis, part) in normal.iter().enumerate() {
                let [low, high] = [level.world[axis * 2], level.world[axis * 2 + 1]];
                distance += part * (low + high) / 2.0 - part.abs() * (high - low) * 0.3;
            }
            let plane = [normal[0], normal[1], normal[2], distance];
            for (word, value) in plane.iter().enumerate() {
                let at = frustum + 0x78 + index * 16 + word as u32 * 4;
                memory.write_u32(at, value.to_bits())?;
            }
        }
    }
    memory.write_u32(global::RECORD_COUNT, clusters)?;
    memory.write_u32(global::CAMERA_CLUSTER, 0)?;
    memory.write_u8(global::PVS_FLAG, 0)
}

impl Speed {
    /// The calls, on a level of 12,000 surfaces.
    pub fn new() -> Result<Self, Error> {
        let mut memory = Memory::new(64 << 20);
        reference::map(&mut memory)?;
        for (start, length) in RANGES {
            memory.map(start, length as usize, Access::ReadWrite)?;
        }
        let level = Level::new(Shape::regular(12_000), 1);
        let mut placer = Placer::packed(STACK_END + 0x1000);
        let placed = level.place(&mut memory, &mut placer)?;
        write_views(&mut memory, &level, 1)?;
        memory.write_u32(global::STRUCTURE_BSP, placed.bsp)?;
        let mut room = Room {
            next: placer.next(),
            memory: &mut memory,
        };
        let cases = cases(&mut room, &level, &placed)?;
        let sites = Sites::find(&memory).ok();
        Ok(Self {
            machine: Machine::new(memory),
            cases,
            overrides: Overrides::new(Settings::NATIVE, sites),
            interpreter: Interpreter::new(),
        })
    }

    /// Calls one of the cases a number of times, natively or translated.
    pub fn run(&mut self, case: &Case, native: bool, times: u32) -> Result<Duration, Error> {
        self.overrides.set_settings(if native {
            Settings::NATIVE
        } else {
            Settings::TRANSLATED
        });
        let start = Instant::now();
        for _ in 0..times {
            for &(address, count) in &case.clears {
                clear(&mut self.machine.memory, address, count)?;
            }
            self.machine.cpu = case.cpu;
            for &argument in case.arguments.iter().rev() {
                self.machine.push(argument)?;
            }
            self.overrides.call(
                &mut self.machine,
                &mut self.interpreter,
                case.routine.address(),
                BACK,
            )?;
        }
        Ok(start.elapsed())
    }
}

/// Clears double words.
fn clear(memory: &mut Memory, address: u32, count: u32) -> Result<(), MemoryError> {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut at = address;
    let end = address + count * 4;
    while at < end {
        let length = (end - at).min(4096);
        memory.write_bytes(at, &ZEROS[..length as usize])?;
        at += length;
    }
    Ok(())
}

fn cases(room: &mut Room, level: &Level, placed: &Placed) -> Result<Vec<Case>, MemoryError> {
    let mut random = Random::new(2);
    let mut cpu = Cpu::default();
    cpu[Reg::Esp] = STACK_END;
    let surfaces = level.surfaces.len() as u32;
    let words = surfaces.div_ceil(32);
    let middle = [0, 1, 2].map(|axis| (level.world[axis * 2] + level.world[axis * 2 + 1]) / 2.0);
    let mut matrices = [0.0; 26];
    matrices.fill_with(|| random.unit());
    let a = room.floats(&matrices[..13])?;
    let b = room.floats(&matrices[13..])?;
    let out = room.empty(0x34);
    let bytes = room.words(&[0xFF20_FF10, 0xFF07])?;
    let world = room.floats(&level.world)?;
    let inner = room.floats(&[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0])?;
    let reach: f32 = 25.0;
    let near = room.floats(&[
        middle[0] - reach,
        middle[0] + reach,
        middle[1] - reach,
        middle[1] + reach,
        middle[2] - reach,
        middle[2] + reach,
    ])?;
    let point = room.floats(&middle)?;
    let planes = room.floats(&[
        1.0, 0.1, 0.0, -200.0, -1.0, 0.0, 0.1, -200.0, 0.0, 1.0, 0.1, -200.0, 0.1, -1.0, 0.0,
        -200.0,
    ])?;
    let seen: Vec<u32> = (0..words).map(|_| random.word()).collect();
    let bits = room.words(&seen)?;
    let visited = room.empty(words * 4);
    let indices = room.empty(surfaces * 4);
    let faces = room.empty(surfaces * 6);
    let list: Vec<u32> = (0..surfaces).step_by(2).collect();
    let count = list.len() as u32;
    let list = room.words(&list)?;
    // All of what is gathered is visible.
    let all_clusters: Vec<u32> = (0..level.clusters.len() as u32).collect();
    let listed = all_clusters.len() as u32;
    let mut pairs = Vec::new();
    for pair in all_clusters.chunks(2) {
        pairs.push(pair[0] | pair.get(1).copied().unwrap_or(0) << 16);
    }
    let clusters = room.words(&pairs)?;
    room.memory
        .write_bytes(global::SURFACE_BITS, &vec![0xFF; words as usize * 4])?;
    let leaf = (0..level.leaves.len() as u32)
        .max_by_key(|&leaf| level.leaves[leaf as usize].surfaces.len())
        .unwrap_or(0);

    let case = |routine, size: String, registers: &[(Reg, u32)], arguments: &[u32]| {
        let mut cpu = cpu;
        for &(register, value) in registers {
            cpu[register] = value;
        }
        Case {
            routine,
            size,
            cpu,
            arguments: arguments.to_vec(),
            clears: Vec::new(),
        }
    };
    use Reg::*;
    let mut cases = vec![
        case(Routine::MatrixProduct, String::new(), &[], &[a, b, out]),
        case(
            Routine::NodeBounds,
            String::new(),
            &[(Ecx, world), (Edx, bytes), (Esi, out)],
            &[],
        ),
        case(
            Routine::BoxPlanes,
            "4 planes".to_owned(),
            &[(Eax, inner), (Ebx, planes), (Edi, 4)],
            &[],
        ),
        case(
            Routine::BoxOverlap,
            "inside".to_owned(),
            &[(Ecx, world), (Edx, inner)],
            &[],
        ),
        case(
            Routine::SurfaceList,
            format!("half of {surfaces} surfaces"),
            &[],
            &[indices, bits, faces],
        ),
        case(
            Routine::MaterialWalk,
            format!("{count} surfaces"),
            &[(Ecx, list), (Eax, count)],
            &[BARE_RETURN, BARE_RETURN, BARE_RETURN, BARE_RETURN, 0],
        ),
        case(
            Routine::VisibleSurfaces,
            format!("{surfaces} surfaces"),
            &[],
            &[placed.bsp],
        ),
        case(
            Routine::LeafGather,
            format!("{} surfaces", level.leaves[leaf as usize].surfaces.len()),
            &[(Eax, leaf | 1 << 31), (Ecx, 1)],
            &[world, visited, indices, 0x4000, world, 4, planes],
        ),
        case(
            Routine::ClusterGather,
            format!("{listed} clusters"),
            &[],
            &[indices, 0x4000, near, 4, planes, visited, listed, clusters],
        ),
        case(
            Routine::TreeGather,
            format!("{} leaves", level.leaves.len()),
            &[],
            &[
                0,
                placed.bsp + 0xC8,
                visited,
                indices,
                0x4000,
                point,
                reach.to_bits(),
                near,
                4,
                planes,
                1,
            ],
        ),
    ];
    for case in &mut cases {
        case.clears = match case.routine {
            Routine::VisibleSurfaces => {
                vec![(global::SURFACE_BITS, words), (global::SURFACE_COUNT, 1)]
            }
            Routine::LeafGather | Routine::ClusterGather | Routine::TreeGather => {
                vec![(visited, words)]
            }
            _ => Vec::new(),
        };
    }
    // The view's bits are what the gathers look at, so it comes last.
    let view = cases.remove(6);
    cases.push(view);
    Ok(cases)
}

/// Nine views of a large level, as a panorama has them every frame.
#[derive(Debug)]
pub struct Panorama {
    machine: Machine,
    overrides: Overrides,
    interpreter: Interpreter,
    level: Level,
    placed: Placed,
    /// Indices, faces, visited bits, planes, a box and a point.
    room: [u32; 6],
}

impl Panorama {
    /// Views in a frame.
    pub const VIEWS: u64 = 9;

    /// A level with this many surfaces.
    pub fn new(surfaces: u32) -> Result<Self, Error> {
        let mut memory = Memory::new(512 << 20);
        reference::map(&mut memory)?;
        for (start, length) in RANGES {
            memory.map(start, length as usize, Access::ReadWrite)?;
        }
        let level = Level::new(Shape::regular(surfaces), 3);
        let mut placer = Placer::new(super::LEVELS, Access::ReadOnly, 3);
        let placed = level.place(&mut memory, &mut placer)?;
        memory.write_u32(global::STRUCTURE_BSP, placed.bsp)?;
        let at = placer.next();
        let words = surfaces.div_ceil(32);
        memory.map(
            at,
            (words * 4 + surfaces * 10 + 0x1000) as usize,
            Access::ReadWrite,
        )?;
        let mut room = Room {
            next: at,
            memory: &mut memory,
        };
        let indices = room.empty(surfaces * 4);
        let faces = room.empty(surfaces * 6);
        let visited = room.empty(words * 4);
        let planes = room.floats(&[1.0, 0.0, 0.0, -500.0, 0.0, 1.0, 0.0, -500.0])?;
        let middle =
            [0, 1, 2].map(|axis| (level.world[axis * 2] + level.world[axis * 2 + 1]) / 2.0);
        let near: Vec<f32> = middle
            .iter()
            .flat_map(|&at| [at - 10.0, at + 10.0])
            .collect();
        let near = room.floats(&near)?;
        let point = room.floats(&middle)?;
        let sites = Sites::find(&memory).ok();
        Ok(Self {
            machine: Machine::new(memory),
            overrides: Overrides::new(Settings::NATIVE, sites),
            interpreter: Interpreter::new(),
            level,
            placed,
            room: [indices, faces, visited, planes, near, point],
        })
    }

    /// Marks, lists and gathers for all views of a frame. Gives the time that it took and
    /// how many surfaces were marked in all.
    pub fn frame(&mut self, native: bool) -> Result<(Duration, u64), Error> {
        self.overrides.set_settings(if native {
            Settings::NATIVE
        } else {
            Settings::TRANSLATED
        });
        let [indices, faces, visited, planes, near, point] = self.room;
        let words = (self.level.surfaces.len() as u32).div_ceil(32);
        let mut time = Duration::ZERO;
        let mut marked = 0;
        for view in 0..Self::VIEWS {
            write_views(&mut self.machine.memory, &self.level, view)?;
            let start = Instant::now();
            clear(&mut self.machine.memory, global::SURFACE_BITS, words)?;
            clear(&mut self.machine.memory, global::SURFACE_COUNT, 1)?;
            clear(&mut self.machine.memory, visited, words)?;
            self.call(Routine::VisibleSurfaces, &[self.placed.bsp])?;
            self.call(
                Routine::SurfaceList,
                &[indices, global::SURFACE_BITS, faces],
            )?;
            marked += u64::from(self.machine.cpu[Reg::Eax]);
            self.call(
                Routine::TreeGather,
                &[
                    0,
                    self.placed.bsp + 0xC8,
                    visited,
                    indices,
                    0x4000,
                    point,
                    10.0_f32.to_bits(),
                    near,
                    2,
                    planes,
                    1,
                ],
            )?;
            time += start.elapsed();
        }
        Ok((time, marked))
    }

    fn call(&mut self, routine: Routine, arguments: &[u32]) -> Result<(), Error> {
        self.machine.cpu = Cpu::default();
        self.machine.cpu[Reg::Esp] = STACK_END;
        for &argument in arguments.iter().rev() {
            self.machine.push(argument)?;
        }
        self.overrides.call(
            &mut self.machine,
            &mut self.interpreter,
            routine.address(),
            BACK,
        )
    }
}
