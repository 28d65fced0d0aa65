//! Inputs of the six leaves.

use super::{BUFFER_SIZE, Bench, LAST_BUFFER};
use crate::Reg;
use crate::memory::MemoryError;
use crate::profile::{BARE_RETURN, LIST_LIMIT, Routine, global};
use crate::synthetic::{ODD_FLOATS, Random};

/// How the floats of an input are.
#[derive(Clone, Copy)]
pub(super) enum Floats {
    /// Small whole numbers: equal values and exact sums are common.
    Whole,
    /// As in a level.
    Plain,
    /// Few magnitudes that are far apart: sums lose what is small, or nothing is left.
    Far,
    /// Anything.
    Any,
    /// Often a NaN or an infinity.
    Odd,
}

/// Both infinities.
pub(super) const INFINITIES: [u32; 2] = [0x7F80_0000, 0xFF80_0000];
/// And both zeros, which give a NaN with one of them.
pub(super) const EXTREMES: [u32; 4] = [0x7F80_0000, 0xFF80_0000, 0, 0x8000_0000];

impl Floats {
    pub(super) fn pick(random: &mut Random) -> Self {
        match random.below(8) {
            0 => Floats::Whole,
            1 => Floats::Any,
            2 => Floats::Far,
            3 => Floats::Odd,
            _ => Floats::Plain,
        }
    }

    pub(super) fn float(self, random: &mut Random) -> u32 {
        match self {
            Floats::Whole => (random.below(7) as f32 - 3.0).to_bits(),
            Floats::Plain => (random.unit() * 50.0).to_bits(),
            Floats::Far => {
                let size = random.pick(&[1e-9_f32, 1.0, 1e9]);
                (size * (random.below(5) as f32 - 2.0)).to_bits()
            }
            Floats::Any => random.float(),
            Floats::Odd => match random.below(4) {
                0 => 0x7F80_0000 | random.word(),
                1 => random.pick(&ODD_FLOATS),
                _ => (random.unit() * 50.0).to_bits(),
            },
        }
    }

    /// A box whose sides are mostly in order.
    pub(super) fn bounds(self, random: &mut Random) -> [u32; 6] {
        let mut bounds = [0; 6].map(|_: u32| self.float(random));
        if !random.once_in(8) {
            for side in bounds.chunks_exact_mut(2) {
                if f32::from_bits(side[0]) > f32::from_bits(side[1]) {
                    side.swap(0, 1);
                }
            }
        }
        bounds
    }
}

/// A plane's four words: a normal of about length 1, so that boxes lie on both sides.
pub(super) fn plane(random: &mut Random, any: bool) -> [u32; 4] {
    if any {
        return [0; 4].map(|_: u32| random.float());
    }
    let distance = random.unit() * 40.0;
    [random.unit(), random.unit(), random.unit(), distance].map(f32::to_bits)
}

/// A plane whose sum for the point 1 1 1 depends on its order: two of the products leave
/// nothing, and next to one of them the third is lost, and so is the distance.
pub(super) fn cancelling(random: &mut Random) -> [u32; 4] {
    let small = [0.0_f32, 1e-20, -1e-20, 2e-20];
    let mut parts = [1e20, -1e20, random.pick(&small[1..])];
    for index in (1..3).rev() {
        parts.swap(index, random.below(index as u32 + 1) as usize);
    }
    let [x, y, z] = parts;
    [x, y, z, random.pick(&small)].map(f32::to_bits)
}

/// How far a corner of a box is along a plane's normal, about.
pub(super) fn corner_sum(plane: &[u32; 4], bounds: &[u32; 6], random: &mut Random) -> u32 {
    let mut sum = 0.0;
    for axis in 0..3 {
        let side = bounds[axis * 2 + random.below(2) as usize];
        let part = f64::from(f32::from_bits(plane[axis])) * f64::from(f32::from_bits(side));
        sum = (part + f64::from(sum)) as f32;
    }
    sum.to_bits()
}

impl Bench {
    pub(super) fn prepare_small(
        &mut self,
        routine: Routine,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        match routine {
            Routine::MatrixProduct => self.prepare_product(random),
            Routine::NodeBounds => self.prepare_bounds(random),
            Routine::BoxPlanes => self.prepare_planes(random),
            _ => self.prepare_overlap(random),
        }
    }

    /// Somewhere in the stack's dead or live part, if trouble is wanted.
    pub(super) fn on_stack(&self, random: &mut Random) -> u32 {
        let esp = self.machine.cpu[Reg::Esp];
        (esp - 0x90).wrapping_add(random.below(0x30) * 4)
    }

    /// The same where gathers' children have their frames too.
    pub(super) fn on_deep_stack(&self, random: &mut Random) -> u32 {
        let esp = self.machine.cpu[Reg::Esp];
        (esp - 0x100).wrapping_add(random.below(0x4C) * 4)
    }

    fn prepare_product(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let floats = Floats::pick(random);
        let place = |bench: &Self, random: &mut Random, buffer| match random.below(60) {
            0 => bench.on_stack(random),
            1 => bench.buffers[buffer] + (BUFFER_SIZE - 4),
            _ => bench.place(buffer, 0x34, random),
        };
        let a = place(self, random, 0);
        let mut b = place(self, random, 1);
        let mut out = place(self, random, 2);
        let near = random.below(0x40);
        let near = random.pick(&[0x33, 0x34, 4, near]);
        match random.below(16) {
            0 => b = a,
            1 => out = a,
            2 => out = b,
            3 => (b, out) = (a, a),
            4 => out = a.wrapping_add(near),
            5 => out = b.wrapping_sub(near),
            6 => b = a.wrapping_add(random.below(0x40)),
            _ => {}
        }
        for at in [a, b] {
            for index in 0..13 {
                let word = floats.float(random);
                // What lies beyond a buffer is not there.
                let _ = self
                    .machine
                    .memory
                    .write_u32(at.wrapping_add(index * 4), word);
            }
        }
        if random.once_in(10) {
            // Several NaNs in one vector.
            let vector = 4 + random.below(4) * 12;
            for _ in 0..3 {
                let at = b.wrapping_add(vector + random.below(3) * 4);
                let nan = 0x7F80_0000 | random.word();
                let _ = self.machine.memory.write_u32(at, nan);
            }
        }
        self.push(&[a, b, out])
    }

    fn prepare_bounds(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let floats = Floats::pick(random);
        let mut parent = self.place(0, 24, random);
        let mut bytes = self.place(1, 6, random);
        let mut out = self.place(2, 24, random);
        match random.below(30) {
            0 => out = parent,
            1 => out = parent.wrapping_add(random.below(0x20)),
            2 => out = bytes.wrapping_sub(random.below(0x20)),
            3 => out = self.on_stack(random),
            4 => parent = self.on_stack(random),
            5 => bytes = self.on_stack(random) + random.below(4),
            6 => out = bytes + random.below(8),
            7 => out = parent - 24 + random.below(8),
            8 => out += random.below(24),
            _ => {}
        }
        let bounds = floats.bounds(random);
        self.write(parent, &bounds)?;
        for index in 0..6 {
            let byte = match random.below(4) {
                0 => 0xFF,
                1 => random.pick(&[0, 1, 127, 253, 254]),
                _ => random.word() as u8,
            };
            self.machine.memory.write_u8(bytes + index, byte)?;
        }
        self.machine.cpu[Reg::Ecx] = parent;
        self.machine.cpu[Reg::Edx] = bytes;
        self.machine.cpu[Reg::Esi] = out;
        Ok(())
    }

    fn prepare_planes(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let floats = Floats::pick(random);
        let mut bounds = self.place(0, 24, random);
        let count = match random.below(12) {
            0 => 0,
            1 => 0xFFFF_8000 + random.below(0x8000),
            _ => random.between(1, 8),
        };
        let length = if count < 16 { count * 16 } else { 0 };
        let buffer = random.pick(&[LAST_BUFFER, 1]);
        let mut planes = self.place(buffer, length, random);
        match random.below(40) {
            0 => bounds = self.on_stack(random),
            1 => planes = self.on_stack(random),
            _ => {}
        }
        let mut sides = floats.bounds(random);
        if random.once_in(8) {
            sides[random.below(6) as usize] = random.pick(&INFINITIES);
        }
        for index in 0..length / 16 {
            let mut words = match random.below(5) {
                0 | 1 => [0; 4].map(|_: u32| floats.float(random)),
                2 => plane(random, true),
                _ => plane(random, false),
            };
            if random.once_in(2) {
                // As far as a corner, or next to it.
                words[3] = corner_sum(&words, &sides, random)
                    .wrapping_add(random.below(3))
                    .wrapping_sub(1);
            }
            if random.once_in(12) {
                words[random.below(4) as usize] = random.pick(&EXTREMES);
            }
            // Too many for the end of the stack.
            let _ = self.write(planes + index * 16, &words);
        }
        if count == 0 && random.once_in(2) {
            bounds = random.word();
        } else {
            self.write(bounds, &sides)?;
        }
        self.machine.cpu[Reg::Eax] = bounds;
        self.machine.cpu[Reg::Ebx] = planes;
        self.machine.cpu[Reg::Edi] = count & 0xFFFF | random.word() << 16;
        Ok(())
    }

    fn prepare_overlap(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let floats = Floats::pick(random);
        let a = self.place(0, 24, random);
        let b = match random.below(8) {
            0 => a,
            1 => self.on_stack(random),
            _ => self.place(1, 24, random),
        };
        let outer = floats.bounds(random);
        let mut inner = floats.bounds(random);
        if random.once_in(2) {
            // One inside of the other, but for one side perhaps.
            for (axis, side) in inner.chunks_exact_mut(2).enumerate() {
                let [low, high] = [outer[axis * 2], outer[axis * 2 + 1]].map(f32::from_bits);
                side[0] = (low + (high - low) * 0.25).to_bits();
                side[1] = (high - (high - low) * random.unit().abs() * 0.5).to_bits();
            }
            match random.below(4) {
                0 => {}
                // The last comparison is with this one.
                1 => inner[5] = random.float(),
                _ => inner[random.below(6) as usize] = floats.float(random),
            }
        }
        self.write(a, &outer)?;
        self.write(b, &inner)?;
        self.machine.cpu[Reg::Ecx] = a;
        self.machine.cpu[Reg::Edx] = b;
        Ok(())
    }

    pub(super) fn prepare_list(
        &mut self,
        routine: Routine,
        random: &mut Random,
    ) -> Result<(), MemoryError> {
        if routine == Routine::SurfaceList {
            self.prepare_surface_list(random)
        } else {
            self.prepare_walk(random)
        }
    }

    fn prepare_surface_list(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        // The BSP's header is made up: only its surfaces matter.
        let mut bsp = self.place(0, 0x100, random);
        let full = random.once_in(250);
        let count = match random.below(16) {
            _ if full => LIST_LIMIT + random.below(80) - 20,
            0 => 0x8000_0000 | random.below(9),
            1 => 0,
            _ => random.between(1, 400),
        };
        let real = (count as i32).max(0) as u32;
        let [mut table, mut bits] = if full {
            // Larger than buffers: these are pages of globals.
            [0x007C_4000, 0x007F_8000]
        } else {
            [
                self.place(1, real * 6, random),
                self.place(2, real.div_ceil(32) * 4, random),
            ]
        };
        match random.below(60) {
            _ if full => {}
            0 => table = self.on_stack(random),
            1 => bits = self.on_stack(random),
            2 => bsp = self.on_stack(random) - 0xF8,
            _ => {}
        }
        for at in (0..real * 6).step_by(4) {
            let _ = self.machine.memory.write_u32(table + at, random.word());
        }
        let density = random.below(4);
        for index in 0..real.div_ceil(32) {
            let word = match density {
                // 31 make the last one that fits the last one of a word.
                _ if full && index == 0 => {
                    let any = random.word();
                    random.pick(&[any, u32::MAX << 1, u32::MAX])
                }
                _ if full => u32::MAX,
                0 => 0,
                1 => random.word() & random.word() & random.word(),
                2 => u32::MAX,
                _ => random.word(),
            };
            let _ = self.machine.memory.write_u32(bits + index * 4, word);
        }
        let [mut indices, mut faces] = if full {
            [0x0080_0000, 0x0082_0000]
        } else {
            [
                self.place(3, real * 4, random),
                self.place(4, real * 6, random),
            ]
        };
        match random.below(50) {
            0 => indices = bits,
            1 => faces = table + random.below(64),
            2 => faces = indices + random.below(64),
            3 => indices = self.on_stack(random),
            4 => faces = self.buffers[4] + BUFFER_SIZE - 6,
            5 => indices = bsp + random.pick(&[0xF0, 0xF8, 0xFC]),
            6 => faces = global::STRUCTURE_BSP - 4,
            7 => faces = self.on_stack(random),
            8 => indices = self.buffers[3] + BUFFER_SIZE - 8,
            9 => indices = table + random.below(64),
            10 => faces = indices.wrapping_sub(random.below(64)),
            _ => {}
        }
        self.write(bsp + 0xF8, &[count, table])?;
        self.write(global::STRUCTURE_BSP, &[bsp])?;
        self.push(&[indices, bits, faces])
    }

    fn prepare_walk(&mut self, random: &mut Random) -> Result<(), MemoryError> {
        let number = random.below(self.levels.len() as u32) as usize;
        let (level, placed) = &self.levels[number];
        let mut bsp = placed.bsp;
        let surfaces = level.surfaces.len() as u32;
        match random.below(40) {
            0 | 1 => bsp = self.walk_of_the_stack(bsp, random)?,
            2 => {
                let pointer = self.machine.memory.read_u32(bsp + 0x108)?;
                bsp = self.place(0, 0x200, random);
                let count = random.pick(&[0, u32::MAX, 0x8000_0001]);
                self.write(bsp + 0x104, &[count, pointer])?;
            }
            _ => {}
        }
        let mut list = Vec::new();
        let step = random.between(1, 6);
        let mut surface = random.below(step);
        while surface < surfaces + 8 {
            list.push(surface);
            surface += random.between(1, step);
        }
        match random.below(8) {
            0 => list.clear(),
            1 if !list.is_empty() => {
                // Out of order, or nowhere.
                let index = random.below(list.len() as u32) as usize;
                list[index] = random.word();
            }
            2 => list.truncate(random.below(8) as usize),
            _ => {}
        }
        let mut at = self.place(3, list.len() as u32 * 4, random);
        if random.once_in(8) {
            // A number soon lies in two pages.
            at = self.buffers[3] + 0x1000 - random.between(1, 40);
        }
        if random.once_in(60) {
            at = self.on_stack(random);
            list.truncate(8);
        }
        if random.once_in(20) {
            // Callbacks are called only while they do nothing.
            self.change(BARE_RETURN, random.pick(&[0xC390_9090, 0xC3C3_C390]))?;
        }
        let count = match random.below(20) {
            0 => 0x8000 | random.word() & 0x7FFF,
            1 => list.len() as u32 / 2,
            _ => list.len() as u32,
        };
        self.write(at, &list)?;
        self.write(global::STRUCTURE_BSP, &[bsp])?;
        let mut callbacks = [0; 4].map(|_: u32| random.pick(&[0, BARE_RETURN]));
        if random.once_in(40) {
            // Something that only a translated walk can call.
            callbacks[random.below(4) as usize] = Routine::BoxOverlap.address();
        }
        if random.once_in(6) {
            callbacks = [0; 4];
        }
        let [a, b, c, d] = callbacks;
        self.machine.cpu[Reg::Ecx] = at;
        self.machine.cpu[Reg::Eax] = count & 0xFFFF | random.word() << 16;
        self.push(&[a, b, c, d, random.word()])
    }

    /// A BSP of which a block that a walk reads lies on the stack.
    fn walk_of_the_stack(&mut self, bsp: u32, random: &mut Random) -> Result<u32, MemoryError> {
        let memory = &self.machine.memory;
        let lightmaps = [memory.read_u32(bsp + 0x104)?, memory.read_u32(bsp + 0x108)?];
        let place = self.on_stack(random);
        let header = self.place(0, 0x200, random);
        let level = random.below(3);
        if level == 0 {
            self.write(place, &lightmaps)?;
            return Ok(place - 0x104);
        }
        let memory = &self.machine.memory;
        let number = random.below(lightmaps[0]);
        let lightmap = lightmaps[1] + number * 0x20;
        let materials = [
            memory.read_u32(lightmap + 0x14)?,
            memory.read_u32(lightmap + 0x18)?,
        ];
        let mut lightmap = self.place(1, 0x20, random);
        if level == 1 {
            lightmap = place - 0x14;
            self.write(place, &materials)?;
        } else {
            let surfaces = [random.below(20).wrapping_sub(8), random.below(60)];
            self.write(place, &surfaces)?;
            self.write(lightmap + 0x14, &[1, place - 0x14])?;
        }
        self.write(header + 0x104, &[1, lightmap])?;
        Ok(header)
    }
}
