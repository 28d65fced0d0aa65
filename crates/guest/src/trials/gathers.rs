//! Inputs of the gathers.

use super::leaves::{Floats, cancelling, plane};
use super::views::surface_at;
use super::{BACK, BUFFER_SIZE, Bench, contract};
use crate::Reg;
use crate::memory::MemoryError;
use crate::profile::{Routine, global};
use crate::synthetic::Random;

/// What all gathers are given.
struct Query {
    /// The BSP's world bounds, for a parent.
    world: u32,
    visited: u32,
    out: u32,
    max: u32,
    point: u32,
    radius: u32,
    bounds: u32,
    plane_count: u32,
    planes: u32,
    /// 1: to be tested, 2: inside.
    class: u32,
}

impl Bench {
    pub(super) fn prepare_gather(
        &mut self,
        routine: Routine,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let mut number = random.below(self.levels.len() as u32) as usize;
        if routine == Routine::TreeGather && !random.once_in(50) {
            while self.levels[number].0.nodes.is_empty() {
                number = (number + 1) % self.levels.len();
            }
        }
        let (level, placed) = &self.levels[number];
        let leaves = level.leaves.len() as u32;
        let nodes = level.nodes.len() as u32;
        let clusters = level.clusters.len() as u32;
        let bsp = placed.bsp;
        let blocks = placed.blocks.clone();
        let mut query = self.query(number, random)?;
        self.write(global::STRUCTURE_BSP, &[bsp])?;
        self.disturb(bsp, &blocks, random)?;
        if routine == Routine::ClusterGather && random.once_in(5) {
            self.move_subclusters(bsp, random)?;
        }
        if routine == Routine::ClusterGather && random.once_in(4) {
            self.move_into_frame(bsp, &mut query, random)?;
        }
        if random.once_in(3) {
            self.disturb_leaves(bsp, query.visited, random)?;
        }

        let list = self.place(4, 24, random);
        let mut listed = random.below(9);
        for index in 0..12 {
            let cluster = match random.below(60) {
                0 => 0xFFFF,
                // Often those of which something is written over.
                1..30 => random.below(clusters.min(2)) as u16,
                _ => random.below(clusters) as u16,
            };
            self.machine.memory.write_u16(list + index * 2, cluster)?;
        }
        if random.once_in(30) {
            listed = 0x8000 | random.word() & 0x7FFF;
        }
        listed |= random.word() << 16;
        match routine {
            Routine::LeafGather => {
                let leaf = random.below(leaves);
                self.machine.cpu[Reg::Eax] = leaf | random.word() & 1 << 31;
                if random.once_in(30) {
                    // Fewer than no surfaces.
                    let count = self.machine.memory.read_u32(bsp + 0xE4)? + leaf * 0x10 + 8;
                    self.change(count, random.word() | 1 << 31)?;
                }
                if random.once_in(6) {
                    self.test_on_stack(routine, bsp, leaf, &mut query, random)?;
                }
                self.machine.cpu[Reg::Ecx] = query.class;
                self.push(&[
                    query.world,
                    query.visited,
                    query.out,
                    query.max,
                    query.bounds,
                    query.plane_count,
                    query.planes,
                ])
            }
            Routine::ClusterGather => self.push(&[
                query.out,
                query.max,
                query.bounds,
                query.plane_count,
                query.planes,
                query.visited,
                listed,
                list,
            ]),
            Routine::WholeGather => self.push(&[
                query.out,
                query.max,
                query.point,
                query.radius,
                query.bounds,
                query.plane_count,
                query.planes,
                query.visited,
                listed,
                list,
            ]),
            _ => {
                let node = random.below(nodes);
                if nodes != 0 && random.once_in(3) {
                    self.change_plane(bsp, node, &mut query, random)?;
                } else if nodes != 0 && random.once_in(20) {
                    self.cut_operands(bsp, node, &mut query, random)?;
                }
                if nodes != 0 && random.once_in(6) {
                    self.test_on_stack(routine, bsp, node, &mut query, random)?;
                }
                self.push(&[
                    node,
                    query.world,
                    query.visited,
                    query.out,
                    query.max,
                    query.point,
                    query.radius,
                    query.bounds,
                    query.plane_count,
                    query.planes,
                    query.class,
                ])
            }
        }
    }

    fn query(&mut self, level: usize, random: &mut Random) -> Result<Query, MemoryError> {
        let (level, placed) = &self.levels[level];
        let surfaces = level.surfaces.len() as u32;
        let world = level.world;
        let parent = placed.bsp + 0xC8;
        let blocks = placed.blocks.clone();

        let odd = random.once_in(12);
        let mut point = [0_f32; 3];
        for (axis, place) in point.iter_mut().enumerate() {
            let [low, high] = [world[axis * 2], world[axis * 2 + 1]];
            *place = low + (high - low) * (random.unit() * 0.6 + 0.5);
        }
        let size = (world[1] - world[0]) * random.unit().abs();
        let mut bounds = [0; 6];
        for (index, side) in bounds.iter_mut().enumerate() {
            let extent = if index % 2 == 0 { -size } else { size };
            *side = (point[index / 2] + extent * (0.5 + random.unit().abs())).to_bits();
        }
        let mut point = point.map(f32::to_bits);
        let mut radius = (size * random.unit().abs()).to_bits();
        if odd {
            for word in bounds.iter_mut().chain(&mut point).chain([&mut radius]) {
                if random.once_in(4) {
                    *word = random.float();
                }
            }
        }
        let box_at = self.place(0, 24, random);
        self.write(box_at, &bounds)?;
        let point_at = self.place(1, 12, random);
        self.write(point_at, &point)?;
        let mut point_at = point_at;
        if random.once_in(30) {
            // Part of it may not be there.
            point_at += random.between(1, 8);
        }

        let count = match random.below(5) {
            0 => 0,
            _ => random.between(1, 6),
        };
        let planes = self.place(2, count * 16, random);
        for index in 0..count {
            let any = odd && random.once_in(3);
            let mut words = plane(random, any);
            if random.once_in(2) {
                // Behind everything: nothing is cut.
                words[3] = (-1e4_f32).to_bits();
            }
            self.write(planes + index * 16, &words)?;
        }
        let mut plane_count = count;
        if random.once_in(40) {
            plane_count = 0x8000 | random.word() & 0x7FFF;
        }
        plane_count |= random.word() << 16;

        let density = random.below(5);
        self.set_bits(global::SURFACE_BITS, surfaces, density, random)?;
        let words = surfaces.div_ceil(32) + 1;
        let mut visited = self.place(3, words * 4, random);
        let density = random.pick(&[0, 0, 1, 2]);
        self.set_bits(visited, surfaces, density, random)?;
        let capacity = BUFFER_SIZE / 4;
        let max = match random.below(12) {
            0 => random.below(3),
            1 => 0x8000 | random.word() & 0x7FFF,
            2..5 => random.between(1, 40),
            _ => capacity,
        };
        let mut out = self.place(5, max.min(capacity) * 4, random);
        let esp = self.machine.cpu[Reg::Esp];
        let (block, length) = random.pick(&blocks);
        let read = self.read_by_gathers(parent - 0xC8, random)?;
        match random.below(30) {
            0 => visited = global::SURFACE_BITS,
            1 => out = visited.wrapping_sub(random.below(12) * 4),
            2 => out = esp.wrapping_sub(random.below(0x50) * 4),
            3 | 11 => visited = esp.wrapping_sub(random.below(0x50) * 4),
            4 => out = (block + random.below(length)) & !3,
            5 => visited = (block + random.below(length)) & !3,
            6 => out = global::SURFACE_BITS - 8,
            7 => out = planes,
            8 => visited = box_at.wrapping_sub(random.below(words) * 4),
            9 => out = global::STRUCTURE_BSP,
            10 => out = BACK,
            12 | 13 | 18 => out = read.wrapping_sub(random.below(8) * 4),
            // The arguments.
            16 | 17 => visited = esp - random.between(1, 11) * 4 - random.below(words) * 4,
            14 | 15 => visited = read.wrapping_sub(random.below(words) * 4),
            _ => {}
        }
        Ok(Query {
            world: parent,
            visited,
            out,
            max: max | random.word() << 16,
            point: point_at,
            radius,
            bounds: box_at,
            plane_count,
            planes,
            class: random.pick(&[1, 1, 1, 2, 3, 0]) | random.word() << 16,
        })
    }

    /// Makes a surface of a leaf one below 0.
    fn disturb_leaves(
        &mut self,
        bsp: u32,
        visited: u32,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let memory = &self.machine.memory;
        let count = memory.read_u32(bsp + 0xEC)?;
        let words = 1 + random.below(0x40);
        let shown = global::SURFACE_BITS - words * 4;
        if count == 0 || !memory.is_writable(visited.wrapping_sub(words * 4), 4) {
            return Ok(());
        }
        let at = memory.read_u32(bsp + 0xF0)? + random.below(count) * 8;
        self.change(shown, u32::MAX)?;
        self.change(at, surface_at(shown, random))
    }

    /// An address that gathers read themselves.
    fn read_by_gathers(&self, bsp: u32, random: &mut Random) -> Result<u32, MemoryError> {
        let memory = &self.machine.memory;
        let element = |block: u32, size: u32, random: &mut Random| {
            let count = memory.read_u32(bsp + block)?;
            Ok(memory.read_u32(bsp + block + 4)? + random.below(count) * size)
        };
        let leaf = element(0xE0, 0x10, random)?;
        let clusters = memory.read_u32(bsp + 0x134)?.min(2);
        let cluster = memory.read_u32(bsp + 0x138)? + random.below(clusters) * 0x68;
        let parts = memory.read_u32(cluster + 0x34)?;
        // Often the first one, where the least has been gathered.
        let part = random.below(parts) * random.below(2);
        let part = memory.read_u32(cluster + 0x38)? + part * 0x24;
        Ok(match random.below(8) {
            0 => global::STRUCTURE_BSP,
            1 => bsp + random.pick(&[0xB4, 0xC0, 0xE4, 0xF0, 0x138]),
            2 => leaf + random.pick(&[0, 8, 0xC]),
            3 => element(0xEC, 8, random)?,
            4 => cluster + random.pick(&[0x34, 0x38]),
            5 if parts != 0 => part + random.pick(&[0, 0x18, 0x1C, 0x1C]),
            6 if parts != 0 => memory.read_u32(part + 0x1C)? + random.below(8) * 4,
            _ => self.on_deep_stack(random),
        })
    }

    /// Puts something that a leaf's or a node's bounds are tested with where a gather and its
    /// children have their frames.
    fn test_on_stack(
        &mut self,
        routine: Routine,
        bsp: u32,
        number: u32,
        query: &mut Query,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let arguments = contract::argument_bytes(routine);
        let entry = self.machine.cpu[Reg::Esp] - arguments - 4;
        let to = entry - 0x68 + random.below(0x60);
        let count = (query.plane_count as i16).clamp(0, 6) as u32;
        let (operand, length) = match random.below(4) {
            0 => (&mut query.world, 24),
            1 => (&mut query.bounds, 24),
            2 => (&mut query.planes, count * 16),
            _ => {
                let (block, size) = match routine {
                    Routine::LeafGather => (0xE4, 0x10),
                    _ => (0xC0, 6),
                };
                let elements = self.machine.memory.read_u32(bsp + block)?;
                self.copy(elements + number * size, to, size)?;
                return self.change(bsp + block, to.wrapping_sub(number * size));
            }
        };
        let from = std::mem::replace(operand, to);
        self.copy(from, to, length)
    }

    /// Puts what a cluster gather reads where it has its frame. Its counter and its return
    /// addresses are tiny as floats, and so are the boxes then.
    fn move_into_frame(
        &mut self,
        bsp: u32,
        query: &mut Query,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        const ARGUMENTS: u32 = 8 * 4;
        let entry = self.machine.cpu[Reg::Esp] - ARGUMENTS - 4;
        // Its frame goes from -24h on.
        let in_frame = |random: &mut Random| entry - 0x2C + random.below(11) * 4;
        let memory = &self.machine.memory;
        let clusters = memory.read_u32(bsp + 0x138)?;
        let number = random.below(memory.read_u32(bsp + 0x134)?.min(2));
        let cluster = clusters + number * 0x68;
        let first = memory.read_u32(cluster + 0x38)?;
        let parts = match memory.read_u32(cluster + 0x34)? {
            0 => 0,
            _ => random.between(2, 4),
        };
        let from = match random.below(2) {
            0 => in_frame(random) - random.below(9) * 4,
            _ => self.place(1, parts * 0x24, random),
        };
        for part in 0..parts {
            for offset in (0x18..0x24).step_by(4) {
                let word = self.machine.memory.read_u32(first + offset)?;
                self.change(from + part * 0x24 + offset, word)?;
            }
        }
        // Only one axis can keep them apart.
        let axis = random.below(3);
        let side = |number: u32, random: &mut Random| match number / 2 {
            of if of == axis => random.below(4),
            _ => number % 2 * 3,
        };
        for part in 0..parts {
            for number in 0..6 {
                let at = from + part * 0x24 + number * 4;
                self.change(at, side(number, random))?;
            }
        }
        self.change(cluster + 0x34, parts)?;
        self.change(cluster + 0x38, from)?;
        if random.once_in(2) {
            query.bounds = in_frame(random) - random.below(6) * 4;
        }
        for number in 0..6 {
            self.change(query.bounds + number * 4, side(number, random))?;
        }
        if random.once_in(3) {
            let header = in_frame(random) - random.below(2) * 4;
            self.write(header, &[parts, from])?;
            self.change(bsp + 0x138, header - 0x34 - number * 0x68)?;
        }
        Ok(())
    }

    /// Moves a collision node's plane and the point to where a part of them is missing.
    fn cut_operands(
        &mut self,
        bsp: u32,
        node: u32,
        query: &mut Query,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let (planes, number) = self.plane_of(bsp, node)?;
        let plane = self.buffers[0] + BUFFER_SIZE - random.below(17);
        query.point = self.buffers[1] + BUFFER_SIZE - random.below(13);
        self.change(planes, plane.wrapping_sub(number.wrapping_mul(16)))
    }

    /// Where a collision BSP says where its planes are, and the number of a node's.
    fn plane_of(&self, bsp: u32, node: u32) -> Result<(u32, u32), MemoryError> {
        let memory = &self.machine.memory;
        let collision = memory.read_u32(bsp + 0xB4)?;
        let nodes = memory.read_u32(collision + 4)?;
        let number = memory.read_u32(nodes + node * 12)? & 0x7FFF_FFFF;
        Ok((collision + 0x10, number))
    }

    /// Gives a collision node another plane, with a point and a radius for it: the point
    /// is as far away as the radius says, or it is anywhere.
    fn change_plane(
        &mut self,
        bsp: u32,
        node: u32,
        query: &mut Query,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        let (planes, number) = self.plane_of(bsp, node)?;
        let plane = self.machine.memory.read_u32(planes)? + number * 16;
        let floats = match random.below(2) {
            0 => Floats::Odd,
            _ => Floats::pick(random),
        };
        let mut words = [0; 4].map(|_: u32| floats.float(random));
        let mut coordinates = [0; 3].map(|_: u32| floats.float(random));
        let mut radius = floats.float(random);
        if random.once_in(2) {
            radius = (random.unit() * 50.0).to_bits();
            words[3] = radius.wrapping_add(random.below(3)).wrapping_sub(1);
            words[3] ^= random.word() & 1 << 31;
            coordinates = [0; 3];
        } else if random.once_in(3) {
            words = cancelling(random);
            coordinates = [1_f32.to_bits(); 3];
        }
        // What lies beyond a buffer is not there.
        let _ = self.write(query.point, &coordinates);
        for (index, word) in words.into_iter().enumerate() {
            self.change(plane + index as u32 * 4, word)?;
        }
        query.radius = radius;
        Ok(())
    }
}
