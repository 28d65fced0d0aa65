//! Inputs of the visible surfaces.

use super::Bench;
use super::leaves::plane;
use crate::memory::MemoryError;
use crate::profile::{SURFACE_LIMIT, global};
use crate::synthetic::Random;

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
            self.write(record, &[cluster | random.word() << 16])?;
            self.write_frustum(record + 0x14, &level.world, random)?;
        }
        self.write_frustum(global::VIEW_FRUSTUM, &level.world, random)?;
        let flag = u8::from(random.once_in(4));
        self.machine.memory.write_u8(global::PVS_FLAG, flag)?;
        let camera = if random.once_in(4) {
            u32::MAX
        } else {
            random.below(clusters)
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
        self.machine
            .memory
            .write_u16(global::SURFACE_COUNT, marked)?;
        self.disturb(placed.bsp, &placed.blocks, random)?;
        self.push(&[placed.bsp])
    }

    /// Now and then makes one surface number of a subcluster one whose bit lies in
    /// something that is read.
    pub(super) fn disturb(
        &mut self,
        bsp: u32,
        blocks: &[(u32, u32)],
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        if !random.once_in(3) || !self.machine.memory.is_writable(bsp, 4) {
            return Ok(());
        }
        let memory = &self.machine.memory;
        let clusters = memory.read_u32(bsp + 0x138)?;
        let number = random.below(memory.read_u32(bsp + 0x134)?);
        let cluster = clusters + number * 0x68;
        let parts = memory.read_u32(cluster + 0x34)?;
        if parts == 0 {
            return Ok(());
        }
        let part = memory.read_u32(cluster + 0x38)? + random.below(parts) * 0x24;
        let list = memory.read_u32(part + 0x1C)?;
        let at = list + random.below(memory.read_u32(part + 0x18)?) * 4;
        let (block, length) = random.pick(blocks);
        let stack = self.on_stack(random);
        let target = match random.below(8) {
            0 => stack,
            1 => global::RECORD_COUNT,
            2 => global::SURFACE_COUNT,
            3 => global::RECORD_LIST + random.below(0x400),
            4 => global::VIEW_FRUSTUM + random.below(0x180),
            5 => part + random.below(0x24),
            6 => cluster + 0x34 + random.below(8),
            _ => block + random.below(length),
        };
        let words = (target & !3).wrapping_sub(global::SURFACE_BITS) as i32 >> 2;
        let surface = (words << 5) as u32 | random.below(32);
        let old = self.machine.memory.read_u32(at)?;
        self.machine.memory.write_u32(at, surface)?;
        self.disturbed = Some((at, old));
        Ok(())
    }
}
