//! Inputs of the visible surfaces and of their box test.

use super::leaves::{EXTREMES, Floats, INFINITIES, cancelling, corner_sum, plane};
use super::{BUFFER_SIZE, Bench};
use crate::Reg;
use crate::memory::MemoryError;
use crate::profile::{SURFACE_LIMIT, global};
use crate::synthetic::Random;

/// The number of a surface whose bit lies in the word at an address.
pub(super) fn surface_at(address: u32, random: &mut Random) -> u32 {
    let words = (address & !3).wrapping_sub(global::SURFACE_BITS) as i32 >> 2;
    (words << 5) as u32 | random.below(32)
}

/// More visible clusters than a view has here.
const RECORDS: u32 = 6;

impl Bench {
    /// Sets the view's bits for surfaces below `count`, and clears some beyond.
    pub(super) fn set_bits(
        &mut self,
        at: u32,
        count: u32,
        density: u32,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        for index in 0..count.div_ceil(32) + 1 {
            let word = match density {
                0 => 0,
                1 => random.word() & random.word() & random.word(),
                2 => random.word(),
                3 => random.word() | random.word(),
                _ => u32::MAX,
            };
            self.machine.memory.write_u32(at + index * 4, word)?;
        }
        Ok(())
    }

    /// A frustum at `at` for a world: its bounds and its side planes.
    fn write_frustum(
        &mut self,
        at: u32,
        world: &[f32; 6],
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let kind = random.below(8);
        for axis in 0..3 {
            let [low, high] = [world[axis * 2], world[axis * 2 + 1]];
            let [mut a, mut b] = match kind {
                0 => [low, high],
                _ => [0, 1].map(|_: u32| low + (high - low) * random.unit().abs()),
            };
            if a > b && !random.once_in(16) {
                (a, b) = (b, a);
            }
            let mut words = [a.to_bits(), b.to_bits()];
            if kind == 1 {
                words = [random.float(), random.float()];
            }
            self.write(at + 0x128 + axis as u32 * 8, &words)?;
        }
        for index in 0..6 {
            let mut words = plane(random, kind == 2);
            match kind {
                // All inside.
                3 | 4 => words[3] = (-1e4_f32).to_bits(),
                // One plane through the world.
                5 if index != 0 => words[3] = (-1e4_f32).to_bits(),
                _ => {}
            }
            self.write(at + 0x78 + index * 16, &words)?;
        }
        Ok(())
    }

    pub(super) fn prepare_view(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let number = random.below(self.levels.len() as u32) as usize;
        let (level, placed) = self.levels[number].clone();
        let clusters = level.clusters.len() as u32;
        let records = random.below(RECORDS);
        let count = match random.below(30) {
            0 => 0x8000_0000 | records,
            1 => 0,
            _ => records,
        };
        for index in 0..records {
            let record = global::RECORD_LIST + index * global::RECORD_SIZE;
            let cluster = random.below(clusters);
            let cluster = match random.below(30) {
                0 => 0xFFFF,
                _ => cluster,
            };
            self.write(record, &[cluster | random.word() << 16])?;
            self.write_frustum(record + 0x14, &level.world, random)?;
        }
        self.write_frustum(global::VIEW_FRUSTUM, &level.world, random)?;
        let flag = u8::from(random.once_in(4));
        self.write(global::PVS_FLAG, &[u32::from(flag) | random.word() << 8])?;
        let camera = match random.below(8) {
            0 | 1 => u32::MAX,
            2 => random.pick(&[0xFFFF, 0x8000_0000, 0xFFFF_FFFE]),
            _ => random.below(clusters),
        };
        self.write(global::CAMERA_CLUSTER, &[camera])?;
        self.write(global::RECORD_COUNT, &[count])?;
        let surfaces = level.surfaces.len() as u32;
        let density = random.below(4);
        self.set_bits(global::SURFACE_BITS, surfaces, density, random)?;
        let marked = match random.below(6) {
            0 => SURFACE_LIMIT as u16 - random.below(60) as u16,
            1 => random.word() as u16,
            2 => SURFACE_LIMIT as u16 + random.below(2) as u16,
            3 => 0x8000 | random.word() as u16 & 0x7F,
            _ => 0,
        };
        let beyond = random.word() << 16;
        self.write(global::SURFACE_COUNT, &[u32::from(marked) | beyond])?;
        self.disturb(placed.bsp, &placed.blocks, random)?;
        if random.once_in(12) {
            self.move_subclusters(placed.bsp, random)?;
        }
        if random.once_in(12) {
            self.list_the_count(placed.bsp, random)?;
        }
        self.push(&[placed.bsp])
    }

    /// Makes what a view has marked so far one of the surfaces of a subcluster.
    fn list_the_count(&mut self, bsp: u32, random: &mut Random) -> Result<(), MemoryError> {
        let memory = &self.machine.memory;
        let number = self.some_cluster(bsp, random)?;
        let cluster = memory.read_u32(bsp + 0x138)? + number * 0x68;
        let parts = memory.read_u32(cluster + 0x34)?;
        if parts == 0 {
            return Ok(());
        }
        let part = memory.read_u32(cluster + 0x38)? + random.below(parts) * 0x24;
        let before = 1 + random.below(3);
        let list = global::SURFACE_COUNT - before * 4;
        for index in 0..before {
            self.change(list + index * 4, random.below(0x400))?;
        }
        self.change(global::SURFACE_COUNT, random.below(0x400))?;
        self.change(part + 0x18, before + 1 + random.below(2))?;
        self.change(part + 0x1C, list)
    }

    /// Puts the first subclusters of a cluster where something is written, and perhaps the
    /// surface numbers of one of them.
    pub(super) fn move_subclusters(
        &mut self,
        bsp: u32,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let memory = &self.machine.memory;
        let number = self.some_cluster(bsp, random)?;
        let cluster = memory.read_u32(bsp + 0x138)? + number * 0x68;
        let parts = memory.read_u32(cluster + 0x34)?.min(4);
        let from = memory.read_u32(cluster + 0x38)?;
        let list = memory.read_u32(from + 0x1C).unwrap_or(0);
        // The word with the bits of the first surface.
        let bits = memory.read_u32(list).unwrap_or(0) / 32 % 0x400 * 4;
        let written = |bench: &Self, random: &mut Random| match random.below(5) {
            0 | 1 => {
                let before = random.pick(&[0, 4, 8, 0x18, 0x1C]);
                (global::SURFACE_BITS - before).wrapping_add(bits)
            }
            2 => global::SURFACE_COUNT - random.pick(&[0, 4, 8, 0x18, 0x1C, 0x20]),
            _ => bench.on_stack(random) - 0x40,
        };
        let to = written(self, random);
        self.copy(from, to, parts * 0x24)?;
        if parts != 0 && random.once_in(2) {
            let moved = written(self, random);
            for offset in [0, 4, 8, 12] {
                let word = self.machine.memory.read_u32(list + offset).unwrap_or(0);
                self.machine.memory.write_u32(moved + offset, word)?;
            }
            let count = self.machine.memory.read_u32(to + 0x18)?;
            self.write(to + 0x18, &[count.min(4), moved])?;
        }
        self.change(cluster + 0x34, parts)?;
        self.change(cluster + 0x38, to)
    }

    /// The number of a cluster, often of the one that a view begins with.
    fn some_cluster(&self, bsp: u32, random: &mut Random) -> Result<u32, MemoryError> {
        let memory = &self.machine.memory;
        let count = memory.read_u32(bsp + 0x134)?;
        let first = u32::from(memory.read_u16(global::RECORD_LIST)?);
        let any = random.below(count);
        Ok(match random.once_in(2) {
            true if first < count => first,
            _ => any,
        })
    }

    /// Now and then makes one surface number of a subcluster one whose bit lies in
    /// something that is read.
    pub(super) fn disturb(
        &mut self,
        bsp: u32,
        blocks: &[(u32, u32)],
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        if !random.once_in(2) || !self.machine.memory.is_writable(bsp, 4) {
            return Ok(());
        }
        let memory = &self.machine.memory;
        let clusters = memory.read_u32(bsp + 0x138)?;
        let number = self.some_cluster(bsp, random)?;
        let cluster = clusters + number * 0x68;
        let parts = memory.read_u32(cluster + 0x34)?;
        if parts == 0 {
            return Ok(());
        }
        let part = memory.read_u32(cluster + 0x38)? + random.below(parts) * 0x24;
        let list = memory.read_u32(part + 0x1C)?;
        let count = memory.read_u32(part + 0x18)?;
        if count == 0 {
            return Ok(());
        }
        let at = list + random.below(count) * 4;
        if random.once_in(20) {
            self.change(part + 0x18, count | 1 << 31)?;
        }
        let (block, length) = random.pick(blocks);
        let stack = self.on_deep_stack(random);
        let esp = self.machine.cpu[Reg::Esp];
        let below = 1 + random.below(0x10);
        let target = match random.below(10) {
            0 | 8 => stack,
            // A view's return address, and its own frame.
            9 => esp - random.pick(&[2, below]) * 4,
            1 => global::RECORD_COUNT,
            2 => global::SURFACE_COUNT,
            3 => global::RECORD_LIST + random.below(0x400),
            4 => global::VIEW_FRUSTUM + random.below(0x180),
            5 => part + random.below(0x24),
            6 => cluster + 0x34 + random.below(8),
            _ => block + random.below(length),
        };
        self.change(at, surface_at(target, random))
    }

    /// Inputs of the box test on its own.
    pub(super) fn prepare_frustum(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let floats = Floats::pick(random);
        let mut sides = floats.bounds(random);
        let is_cancelling = random.once_in(8);
        if is_cancelling {
            sides = [1_f32.to_bits(); 6];
        }
        let mut infinite = None;
        if random.once_in(8) {
            let side = random.below(6) as usize;
            sides[side] = random.pick(&INFINITIES);
            infinite = Some(side / 2);
        }
        let mut frustum = self.place(0, 0x18C, random);
        let mut bounds = self.place(1, 24, random);
        match random.below(24) {
            0..3 => bounds = self.on_stack(random),
            7 | 8 => frustum = self.on_stack(random) - 0x78,
            3 => frustum = self.on_stack(random) - 0x128,
            // Part of one is not there.
            4 => bounds = self.buffers[1] + BUFFER_SIZE - random.below(7) * 4,
            5 => frustum = self.buffers[0] + BUFFER_SIZE - 0x128 - random.below(7) * 4,
            6 => bounds = random.word(),
            _ => {}
        }
        let mut world = floats.bounds(random);
        if !random.once_in(4) {
            // All that is not odd is in it.
            for side in world.chunks_exact_mut(2) {
                side.copy_from_slice(&[0xFF7F_FFFF, 0x7F7F_FFFF]);
            }
        }
        if random.once_in(4) {
            world[random.below(6) as usize] = sides[random.below(6) as usize];
        }
        for number in 0..4 {
            let mut words = match random.below(4) {
                0 => plane(random, false),
                _ => [0; 4].map(|_: u32| floats.float(random)),
            };
            if random.once_in(12) {
                words[random.below(3) as usize] = random.pick(&EXTREMES);
            }
            match random.below(6) {
                _ if is_cancelling => words = cancelling(random),
                0 | 1 => words[3] = corner_sum(&words, &sides, random),
                2 => words[3] = 0,
                // All inside.
                3 | 4 => words[3] = (-1e30_f32).to_bits(),
                _ => {}
            }
            if let Some(axis) = infinite
                && random.once_in(3)
            {
                // Zero times infinity at one side only.
                words[axis] = random.pick(&[0, 0x8000_0000]);
                words[3] = (random.unit() * 20.0).to_bits();
            }
            // What lies beyond a buffer is not there.
            let _ = self.write(frustum + 0x78 + number * 16, &words);
        }
        let _ = self.write(frustum + 0x128, &world);
        let _ = self.write(bounds, &sides);
        self.machine.cpu[Reg::Ecx] = frustum;
        self.machine.cpu[Reg::Edi] = bounds;
        let flag = if random.once_in(20) {
            random.below(3)
        } else {
            1
        };
        self.push(&[flag])
    }
}
