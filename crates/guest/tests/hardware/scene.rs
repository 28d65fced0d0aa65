//! A small random structure BSP with all that the image's routines look at.

use ninefold_guest::Memory;

use crate::random::Random;

/// Where scenes are built.
pub(crate) const DATA: u32 = 0x0090_0000;
/// Their length in bytes.
pub(crate) const LENGTH: u32 = 0x8000;
/// The visible surfaces' bits.
pub(crate) const BITS: u32 = 0x007D_0394;

pub(crate) const NODES: u32 = 12;
pub(crate) const LEAVES: u32 = 8;
pub(crate) const CLUSTERS: u32 = 5;
pub(crate) const LISTED: u32 = 40;
const SURFACES: u32 = 200;
const BOXES: u32 = 8;
const PLANES: u32 = 8;

/// Where things are.
pub(crate) struct Scene {
    pub(crate) bsp: u32,
    pub(crate) nodes: u32,
    pub(crate) planes: u32,
    pub(crate) frustum: u32,
    pub(crate) matrices: u32,
    pub(crate) point: u32,
    pub(crate) visited: u32,
    pub(crate) cluster_list: u32,
    pub(crate) list: u32,
    pub(crate) scratch: u32,
    pub(crate) faces: u32,
    boxes: u32,
}

struct Builder<'a> {
    memory: &'a mut Memory,
    random: &'a mut Random,
    next: u32,
}

impl Scene {
    pub(crate) fn build(memory: &mut Memory, random: &mut Random) -> Self {
        memory.write_bytes(DATA, &[0; LENGTH as usize]).unwrap();
        let mut builder = Builder {
            memory,
            random,
            next: DATA,
        };
        builder.scene()
    }

    pub(crate) fn a_box(&self, random: &mut Random) -> u32 {
        self.boxes + 0x18 * random.below(BOXES)
    }

    /// A list to gather into; now and then one that lies over what is read.
    pub(crate) fn out(&self, random: &mut Random) -> u32 {
        match random.below(12) {
            0 => self.visited,
            1 => self.boxes,
            2 => self.planes,
            3 => self.nodes,
            _ => self.scratch,
        }
    }
}

impl Builder<'_> {
    fn allocate(&mut self, length: u32) -> u32 {
        let address = self.next;
        self.next += (length + 15) & !15;
        assert!(self.next <= DATA + LENGTH);
        address
    }

    fn put(&mut self, address: u32, value: u32) {
        self.memory.write_u32(address, value).unwrap();
    }

    fn put_word(&mut self, address: u32, value: u32) {
        self.memory.write_u16(address, value as u16).unwrap();
    }

    /// A coordinate: small and whole so that comparisons tie, or anything.
    fn coordinate(&mut self) -> u32 {
        if self.random.once_in(40) {
            return self.random.float();
        }
        (self.random.below(33) as f32 - 16.0).to_bits()
    }

    fn floats(&mut self, address: u32, count: u32) {
        for index in 0..count {
            let value = self.coordinate();
            self.put(address + 4 * index, value);
        }
    }

    fn bounds(&mut self, address: u32) {
        for axis in 0..3 {
            let (a, b) = (self.coordinate(), self.coordinate());
            let sorted = f32::from_bits(a) <= f32::from_bits(b) || self.random.once_in(10);
            let (low, high) = if sorted { (a, b) } else { (b, a) };
            self.put(address + 8 * axis, low);
            self.put(address + 8 * axis + 4, high);
        }
    }

    /// A surface's index: nearly always one that exists.
    fn surface(&mut self) -> u32 {
        match self.random.below(200) {
            0 => self.random.bits() as u32,
            1 => 0x2000 + self.random.below(0x4000),
            _ => self.random.below(SURFACES),
        }
    }

    fn scene(&mut self) -> Scene {
        let bsp = self.allocate(0x288);
        self.put(0x0074_6F9C, bsp);
        let boxes = self.allocate(0x18 * BOXES);
        for index in 0..BOXES {
            self.bounds(boxes + 0x18 * index);
        }
        let planes = self.allocate(0x10 * PLANES);
        for index in 0..PLANES {
            self.plane(planes + 0x10 * index);
        }
        let point = self.allocate(12);
        self.floats(point, 3);
        let matrices = self.allocate(0x34 * 4);
        for index in 0..0x34 {
            let value = self.random.float();
            self.put(matrices + 4 * index, value);
        }
        let (nodes, visited) = (self.nodes(bsp), self.allocate(0x1000));
        for index in 0..8 {
            let value = self.random.bits() as u32 & self.random.bits() as u32;
            self.put(visited + 4 * index, value);
        }
        self.leaves(bsp);
        self.surfaces(bsp);
        let cluster_list = self.clusters(bsp);
        let list = self.materials(bsp);
        let frustum = self.views();
        let faces = self.allocate(6 * SURFACES + 8);
        let scratch = self.allocate(0x1000);
        Scene {
            bsp,
            nodes,
            planes,
            frustum,
            matrices,
            point,
            visited,
            cluster_list,
            list,
            scratch,
            faces,
            boxes,
        }
    }

    fn plane(&mut self, address: u32) {
        for axis in 0..3 {
            let value = self
                .random
                .pick(&[0.0_f32, 1.0, -1.0, 0.5, 0.6, -0.8])
                .to_bits();
            self.put(address + 4 * axis, value);
        }
        let distance = self.coordinate();
        self.put(address + 12, distance);
    }

    /// The nodes' bytes and the collision tree, whose children come after their parents.
    fn nodes(&mut self, bsp: u32) -> u32 {
        let nodes = self.allocate(6 * NODES);
        for index in 0..6 * NODES {
            let byte = self.random.pick(&[0, 1, 63, 127, 128, 200, 254, 255, 255]);
            self.memory.write_u8(nodes + index, byte).unwrap();
        }
        self.put(bsp + 0xBC, NODES);
        self.put(bsp + 0xC0, nodes);
        self.bounds(bsp + 0xC8);
        let collision = self.allocate(0x60);
        self.put(bsp + 0xB0, 1);
        self.put(bsp + 0xB4, collision);
        let count = if self.random.once_in(8) { 0 } else { NODES };
        let tree = self.allocate(12 * NODES);
        self.put(collision, count);
        self.put(collision + 4, tree);
        let planes = self.allocate(0x10 * PLANES);
        for index in 0..PLANES {
            self.plane(planes + 0x10 * index);
        }
        self.put(collision + 0xC, PLANES);
        self.put(collision + 0x10, planes);
        for index in 0..NODES {
            let plane = self.random.below(PLANES) | self.random.pick(&[0, 0x8000_0000]);
            self.put(tree + 12 * index, plane);
            for child in [4, 8] {
                let deeper = NODES - 1 - index;
                let value = match self.random.below(5) {
                    0 => 0xFFFF_FFFF,
                    1 => 0x8000_0000 | self.random.below(LEAVES),
                    _ if deeper == 0 => 0x8000_0000 | self.random.below(LEAVES),
                    _ => index + 1 + self.random.below(deeper.min(3)),
                };
                self.put(tree + 12 * index + child, value);
            }
        }
        nodes
    }

    fn leaves(&mut self, bsp: u32) {
        const REFERENCES: u32 = 64;
        let leaves = self.allocate(0x10 * LEAVES);
        self.put(bsp + 0xE0, LEAVES);
        self.put(bsp + 0xE4, leaves);
        for index in 0..LEAVES {
            let leaf = leaves + 0x10 * index;
            for byte in 0..6 {
                let value = self.random.pick(&[0, 10, 127, 254, 255]);
                self.memory.write_u8(leaf + byte, value).unwrap();
            }
            let count = if self.random.once_in(10) {
                0xFFF0
            } else {
                self.random.below(9)
            };
            self.put_word(leaf + 0xA, count);
            let first = self.random.below(REFERENCES - 8);
            self.put(leaf + 0xC, first);
        }
        let references = self.allocate(8 * REFERENCES);
        self.put(bsp + 0xEC, REFERENCES);
        self.put(bsp + 0xF0, references);
        for index in 0..REFERENCES {
            let surface = self.surface();
            self.put(references + 8 * index, surface);
        }
    }

    fn surfaces(&mut self, bsp: u32) {
        let surfaces = self.allocate(6 * SURFACES);
        for index in 0..3 * SURFACES {
            let vertex = self.random.bits() as u32;
            self.put_word(surfaces + 2 * index, vertex);
        }
        self.put(bsp + 0xF8, SURFACES);
        self.put(bsp + 0xFC, surfaces);
        for index in 0..SURFACES.div_ceil(32) + 1 {
            let value = self.random.bits() as u32 | self.random.bits() as u32;
            self.put(BITS + 4 * index, value);
        }
    }

    fn clusters(&mut self, bsp: u32) -> u32 {
        let clusters = self.allocate(0x68 * CLUSTERS);
        self.put(bsp + 0x134, CLUSTERS);
        self.put(bsp + 0x138, clusters);
        for index in 0..CLUSTERS {
            let cluster = clusters + 0x68 * index;
            let count = self.random.below(4);
            let subclusters = self.allocate(0x24 * count);
            self.put(cluster + 0x34, count);
            self.put(cluster + 0x38, subclusters);
            for number in 0..count {
                let subcluster = subclusters + 0x24 * number;
                self.bounds(subcluster);
                let surfaces = self.random.below(10);
                let indices = self.allocate(4 * surfaces);
                self.put(subcluster + 0x18, surfaces);
                self.put(subcluster + 0x1C, indices);
                for place in 0..surfaces {
                    let surface = self.surface();
                    self.put(indices + 4 * place, surface);
                }
            }
        }
        let list = self.allocate(2 * CLUSTERS);
        for index in 0..CLUSTERS {
            let cluster = self.random.below(CLUSTERS);
            self.put_word(list + 2 * index, cluster);
        }
        list
    }

    /// Lightmaps and materials that take the surfaces in turn, and a sorted list.
    fn materials(&mut self, bsp: u32) -> u32 {
        const LIGHTMAPS: u32 = 3;
        let lightmaps = self.allocate(0x20 * LIGHTMAPS);
        self.put(bsp + 0x104, LIGHTMAPS);
        self.put(bsp + 0x108, lightmaps);
        let mut first = 0;
        for index in 0..LIGHTMAPS {
            let count = self.random.below(4);
            let materials = self.allocate(0x100 * count);
            self.put(lightmaps + 0x20 * index + 0x14, count);
            self.put(lightmaps + 0x20 * index + 0x18, materials);
            for number in 0..count {
                let surfaces = self.random.below(50);
                self.put(materials + 0x100 * number + 0x14, first);
                self.put(materials + 0x100 * number + 0x18, surfaces);
                first += surfaces;
            }
        }
        let list = self.allocate(4 * LISTED);
        let mut surface = 0;
        for index in 0..LISTED {
            surface += self.random.below(12);
            self.put(list + 4 * index, surface);
        }
        list
    }

    /// The view frustum, one narrowed for each visible cluster, and the view's counts.
    fn views(&mut self) -> u32 {
        const RECORDS: u32 = 4;
        let view = 0x007C_3168;
        self.frustum(view);
        for index in 0..RECORDS {
            let record = 0x007C_3390 + 0x1A0 * index;
            let cluster = self.random.below(CLUSTERS);
            self.put_word(record, cluster);
            self.frustum(record + 0x14);
        }
        let records = if self.random.once_in(10) {
            0xFFFF_FFFF
        } else {
            self.random.below(RECORDS + 1)
        };
        self.put(0x007D_0390, records);
        let pvs = self.random.once_in(4);
        self.memory.write_u8(0x0072_4A45, u8::from(pvs)).unwrap();
        let camera = self.random.pick(&[0, 2, 0xFFFF_FFFF]);
        self.put(0x007C_3348, camera);
        let marked = self
            .random
            .pick(&[0, 0, 5, 0x3FFA, 0x3FFF, 0x4000, 0x7FFF, 0xFFFE]);
        self.put_word(0x0085_0394, marked);
        view
    }

    fn frustum(&mut self, address: u32) {
        for plane in 0..6 {
            self.plane(address + 0x78 + 0x10 * plane);
        }
        self.bounds(address + 0x128);
        // Most scenes see something.
        for axis in 0..3 {
            if self.random.once_in(3) {
                self.put(address + 0x128 + 8 * axis, (-100.0_f32).to_bits());
                self.put(address + 0x12C + 8 * axis, 100.0_f32.to_bits());
            }
        }
    }
}
