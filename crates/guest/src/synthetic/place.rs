use super::{Level, Plane, Random};
use crate::Memory;
use crate::memory::{Access, MemoryError, PAGE_SIZE};

/// Maps blocks one after the other with unmapped pages between them.
#[derive(Debug)]
pub struct Placer {
    next: u32,
    /// `None`: everything is mapped already, and nothing lies between blocks.
    access: Option<Access>,
    random: Random,
}

impl Placer {
    /// Blocks from `address` on.
    pub fn new(address: u32, access: Access, seed: u64) -> Self {
        Self {
            next: address.next_multiple_of(PAGE_SIZE),
            access: Some(access),
            random: Random::new(seed),
        }
    }

    /// Blocks one next to the other from `address` on, in memory that is mapped.
    pub fn packed(address: u32) -> Self {
        Self {
            next: address,
            access: None,
            random: Random::new(0),
        }
    }

    /// Where the next block's pages begin.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Maps pages for these bytes. They lie at the pages' start or at their end, aligned
    /// to 4 bytes.
    ///
    /// A packed placer maps nothing.
    pub fn place(&mut self, memory: &mut Memory, bytes: &[u8]) -> Result<u32, MemoryError> {
        if bytes.is_empty() {
            return Ok(self.next);
        }
        let length = bytes.len().next_multiple_of(4) as u32;
        let Some(access) = self.access else {
            let at = self.next;
            memory.load(at, bytes)?;
            self.next += length;
            return Ok(at);
        };
        let pages = length.next_multiple_of(PAGE_SIZE);
        memory.map(self.next, pages as usize, access)?;
        let at = if self.random.once_in(2) {
            self.next
        } else {
            self.next + pages - length
        };
        memory.load(at, bytes)?;
        self.next += pages + PAGE_SIZE;
        Ok(at)
    }
}

/// Where a level is in guest memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The structure BSP.
    pub bsp: u32,
    /// The collision BSP.
    pub collision: u32,
    /// Addresses of the level's blocks, and their sizes.
    pub blocks: Vec<(u32, u32)>,
}

struct Builder<'a> {
    memory: &'a mut Memory,
    placer: &'a mut Placer,
    blocks: Vec<(u32, u32)>,
}

impl Builder<'_> {
    fn place(&mut self, bytes: &[u8]) -> Result<u32, MemoryError> {
        let at = self.placer.place(self.memory, bytes)?;
        if !bytes.is_empty() {
            self.blocks.push((at, bytes.len() as u32));
        }
        Ok(at)
    }

    /// Elements of `size` bytes, each filled from 0 by `fill`.
    fn elements<T>(
        &mut self,
        of: &[T],
        size: usize,
        mut fill: impl FnMut(&mut [u8], &T),
    ) -> Result<u32, MemoryError> {
        let mut bytes = vec![0; of.len() * size];
        for (place, element) in bytes.chunks_exact_mut(size).zip(of) {
            fill(place, element);
        }
        self.place(&bytes)
    }
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn put_short(bytes: &mut [u8], at: usize, word: u16) {
    bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
}

fn put_floats(bytes: &mut [u8], at: usize, floats: &[f32]) {
    for (index, float) in floats.iter().enumerate() {
        put(bytes, at + index * 4, float.to_bits());
    }
}

impl Level {
    /// Puts the level into guest memory.
    pub fn place(&self, memory: &mut Memory, placer: &mut Placer) -> Result<Placed, MemoryError> {
        let mut builder = Builder {
            memory,
            placer,
            blocks: Vec::new(),
        };
        let collision = self.place_collision(&mut builder)?;
        let mut bsp = vec![0; 0x288];
        let mut block = |at: usize, count: usize, pointer: u32| {
            put(&mut bsp, at, count as u32);
            put(&mut bsp, at + 4, pointer);
        };
        block(0xB0, 1, collision);
        let nodes = builder.elements(&self.nodes, 6, |bytes, node| {
            bytes.copy_from_slice(&node.bounds);
        })?;
        block(0xBC, self.nodes.len(), nodes);
        let mut first = 0;
        let leaves = builder.elements(&self.leaves, 0x10, |bytes, leaf| {
            bytes[..6].copy_from_slice(&leaf.bounds);
            put_short(bytes, 8, leaf.cluster as u16);
            put_short(bytes, 0xA, leaf.surfaces.len() as u16);
            put(bytes, 0xC, first);
            first += leaf.surfaces.len() as u32;
        })?;
        block(0xE0, self.leaves.len(), leaves);
        let references: Vec<(u32, u32)> = self
            .leaves
            .iter()
            .flat_map(|leaf| leaf.surfaces.iter().map(|&surface| (surface, leaf.node)))
            .collect();
        let leaf_surfaces = builder.elements(&references, 8, |bytes, &(surface, node)| {
            put(bytes, 0, surface);
            put(bytes, 4, node);
        })?;
        block(0xEC, references.len(), leaf_surfaces);
        let surfaces = builder.elements(&self.surfaces, 6, |bytes, surface| {
            for (index, &vertex) in surface.iter().enumerate() {
                put_short(bytes, index * 2, vertex);
            }
        })?;
        block(0xF8, self.surfaces.len(), surfaces);
        let lightmaps = self.place_lightmaps(&mut builder)?;
        block(0x104, self.lightmaps.len(), lightmaps);
        let clusters = self.place_clusters(&mut builder)?;
        block(0x134, self.clusters.len(), clusters);
        let portals = self.place_portals(&mut builder)?;
        block(0x154, self.portals.len(), portals);
        put_floats(&mut bsp, 0xC8, &self.world);
        let bsp = builder.place(&bsp)?;
        Ok(Placed {
            bsp,
            collision,
            blocks: builder.blocks,
        })
    }

    fn place_collision(&self, builder: &mut Builder) -> Result<u32, MemoryError> {
        let mut plane = 0;
        let nodes = builder.elements(&self.nodes, 0xC, |bytes, node| {
            put(bytes, 0, plane);
            put(bytes, 4, node.back.word());
            put(bytes, 8, node.front.word());
            plane += 1;
        })?;
        // Those of the nodes, then those of the portals.
        let all: Vec<Plane> = (self.nodes.iter().map(|node| node.plane))
            .chain(self.portals.iter().map(|portal| portal.plane))
            .collect();
        let planes = builder.elements(&all, 0x10, |bytes, plane| {
            put_floats(bytes, 0, &plane.normal);
            put(bytes, 0xC, plane.distance.to_bits());
        })?;
        // Without references to anything.
        let leaves = builder.elements(&self.leaves, 8, |_, _| {})?;
        let mut collision = [0; 0x60];
        for (at, count, pointer) in [
            (0, self.nodes.len(), nodes),
            (0xC, all.len(), planes),
            (0x18, self.leaves.len(), leaves),
        ] {
            put(&mut collision, at, count as u32);
            put(&mut collision, at + 4, pointer);
        }
        builder.place(&collision)
    }

    fn place_portals(&self, builder: &mut Builder) -> Result<u32, MemoryError> {
        let mut portals = Vec::new();
        for portal in &self.portals {
            let corners = builder.elements(&portal.corners, 0xC, |bytes, corner| {
                put_floats(bytes, 0, corner);
            })?;
            portals.push((portal, corners));
        }
        let mut plane = self.nodes.len() as u32;
        builder.elements(&portals, 0x40, |bytes, &(portal, corners)| {
            put_short(bytes, 0, portal.front as u16);
            put_short(bytes, 2, portal.back as u16);
            put(bytes, 4, plane);
            put_floats(bytes, 8, &portal.centroid);
            put(bytes, 0x14, portal.radius.to_bits());
            put(bytes, 0x34, portal.corners.len() as u32);
            put(bytes, 0x38, corners);
            plane += 1;
        })
    }

    fn place_lightmaps(&self, builder: &mut Builder) -> Result<u32, MemoryError> {
        let mut materials = Vec::new();
        for lightmap in &self.lightmaps {
            let at = builder.elements(&lightmap.materials, 0x100, |bytes, material| {
                put(bytes, 0x14, material.first);
                put(bytes, 0x18, material.count);
            })?;
            materials.push((lightmap.materials.len() as u32, at));
        }
        builder.elements(&materials, 0x20, |bytes, &(count, at)| {
            put(bytes, 0x14, count);
            put(bytes, 0x18, at);
        })
    }

    fn place_clusters(&self, builder: &mut Builder) -> Result<u32, MemoryError> {
        let mut clusters = Vec::new();
        for cluster in &self.clusters {
            let mut lists = Vec::new();
            for part in &cluster.subclusters {
                let at = builder.elements(&part.surfaces, 4, |bytes, &surface| {
                    put(bytes, 0, surface);
                })?;
                lists.push((part, at));
            }
            let subclusters = builder.elements(&lists, 0x24, |bytes, (part, at)| {
                put_floats(bytes, 0, &part.bounds);
                put(bytes, 0x18, part.surfaces.len() as u32);
                put(bytes, 0x1C, *at);
            })?;
            let portals = builder.elements(&cluster.portals, 2, |bytes, &to| {
                put_short(bytes, 0, to as u16);
            })?;
            clusters.push((lists.len(), subclusters, cluster.portals.len(), portals));
        }
        builder.elements(
            &clusters,
            0x68,
            |bytes, &(parts, subclusters, count, portals)| {
                put(bytes, 0x34, parts as u32);
                put(bytes, 0x38, subclusters);
                put(bytes, 0x5C, count as u32);
                put(bytes, 0x60, portals);
            },
        )
    }
}
