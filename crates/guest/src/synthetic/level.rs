use std::fmt;

use super::Random;

/// How large a level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Surfaces, at least 1.
    pub surfaces: u32,
    /// Leaves of the collision BSP. With one leaf there are no nodes.
    pub leaves: u32,
    /// Clusters, at least 1.
    pub clusters: u32,
    /// Surfaces in a subcluster, about.
    pub subcluster: u32,
    /// Materials.
    pub materials: u32,
    /// Whether the tree is a chain instead of being balanced.
    pub chain: bool,
    /// Whether there are children that lead nowhere, empty leaves, empty clusters and
    /// surfaces in several leaves.
    pub holes: bool,
}

impl Shape {
    /// A shape that a level of this many surfaces may have in a game.
    pub fn regular(surfaces: u32) -> Self {
        Self {
            surfaces,
            leaves: (surfaces / 12).max(2),
            clusters: (surfaces / 1500).clamp(1, 128),
            subcluster: 60,
            materials: (surfaces / 400).max(1),
            chain: false,
            holes: false,
        }
    }

    /// Any small shape.
    pub fn random(random: &mut Random) -> Self {
        Self {
            surfaces: random.between(1, 300),
            leaves: match random.below(4) {
                0 => 1,
                1 => 2,
                _ => random.between(2, 40),
            },
            clusters: random.between(1, 6),
            subcluster: random.between(1, 40),
            materials: random.between(0, 12),
            chain: random.once_in(3),
            holes: random.once_in(2),
        }
    }
}

/// Where a node leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Nowhere: the word -1.
    None,
    /// To a node.
    Node(u32),
    /// To a leaf: its number with bit 31.
    Leaf(u32),
}

impl Child {
    /// The word in guest memory.
    pub fn word(self) -> u32 {
        match self {
            Child::None => u32::MAX,
            Child::Node(number) => number,
            Child::Leaf(number) => number | 1 << 31,
        }
    }
}

/// A plane: what has `normal · point - distance` above 0 is in front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The normal.
    pub normal: [f32; 3],
    /// Its distance from the origin along the normal.
    pub distance: f32,
}

/// A node of the collision BSP with the six bytes of its bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What divides it.
    pub plane: Plane,
    /// What is behind the plane.
    pub back: Child,
    /// What is in front of it.
    pub front: Child,
    /// Its bounds in its parent's: x0 x1 y0 y1 z0 z1.
    pub bounds: [u8; 6],
}

/// A leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its bounds in its parent's.
    pub bounds: [u8; 6],
    /// Its cluster.
    pub cluster: i16,
    /// Its surfaces.
    pub surfaces: Vec<u32>,
}

/// A part of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Subcluster {
    /// x0 x1 y0 y1 z0 z1.
    pub bounds: [f32; 6],
    /// Its surfaces.
    pub surfaces: Vec<u32>,
}

/// A cluster with its subclusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cluster {
    /// Its parts.
    pub subclusters: Vec<Subcluster>,
    /// Clusters that its portals lead to.
    pub portals: Vec<i16>,
}

/// Surfaces of one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// The first surface.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

/// Materials of one lightmap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lightmap {
    /// In order of their surfaces.
    pub materials: Vec<Material>,
}

/// A structure BSP. [`fmt::Display`] writes it as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// x0 x1 y0 y1 z0 z1.
    pub world: [f32; 6],
    /// Three vertex numbers each.
    pub surfaces: Vec<[u16; 3]>,
    /// The tree's nodes; the first is the root. Without nodes, the first leaf is.
    pub nodes: Vec<Node>,
    /// The tree's leaves.
    pub leaves: Vec<Leaf>,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The lightmaps.
    pub lightmaps: Vec<Lightmap>,
}

impl Level {
    /// The level that a seed gives.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let world = [0, 1, 2].map(|_| {
            let middle = random.unit() * 20.0;
            let half = 20.0 + random.unit().abs() * 80.0;
            [middle - half, middle + half]
        });
        let world = [
            world[0][0],
            world[0][1],
            world[1][0],
            world[1][1],
            world[2][0],
            world[2][1],
        ];
        let mut level = Self {
            world,
            surfaces: (0..shape.surfaces)
                .map(|_| [0; 3].map(|_: u16| random.bits() as u16))
                .collect(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            clusters: Vec::new(),
            lightmaps: Vec::new(),
        };
        level.grow(&shape, &mut random);
        level.divide(&shape, &mut random);
        level.paint(&shape, &mut random);
        level
    }

    /// Makes the tree. Parts that are still to be divided wait on a list, so that chains
    /// of any length are fine.
    fn grow(&mut self, shape: &Shape, random: &mut Random) {
        struct Part {
            bounds: [f32; 6],
            bytes: [u8; 6],
            /// The node that leads here, and whether this is its front.
            above: Option<(usize, bool)>,
            leaves: u32,
            first: u32,
            surfaces: u32,
        }
        let mut waiting = vec![Part {
            bounds: self.world,
            bytes: [0, 0xFF, 0, 0xFF, 0, 0xFF],
            above: None,
            leaves: shape.leaves.max(1),
            first: 0,
            surfaces: shape.surfaces,
        }];
        while let Some(part) = waiting.pop() {
            let child = if part.leaves == 1 {
                let mut surfaces: Vec<u32> = (part.first..part.first + part.surfaces).collect();
                if shape.holes && !surfaces.is_empty() {
                    for _ in 0..random.below(4) {
                        surfaces.push(random.below(shape.surfaces));
                    }
                    if random.once_in(6) {
                        surfaces.clear();
                    }
                }
                self.leaves.push(Leaf {
                    bounds: part.bytes,
                    cluster: random.below(shape.clusters) as i16,
                    surfaces,
                });
                Child::Leaf(self.leaves.len() as u32 - 1)
            } else {
                let number = self.nodes.len();
                let axis = random.below(3) as usize;
                let [low, high] = [part.bounds[axis * 2], part.bounds[axis * 2 + 1]];
                let cut = random.between(100, 154) as u8;
                let middle = low + (high - low) * f32::from(cut) / 254.0;
                let sign = if random.once_in(2) { 1.0 } else { -1.0 };
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                if random.once_in(4) {
                    normal[(axis + 1) % 3] = random.unit() * 0.2;
                }
                self.nodes.push(Node {
                    plane: Plane {
                        normal,
                        distance: middle * sign,
                    },
                    back: Child::None,
                    front: Child::None,
                    bounds: part.bytes,
                });
                let near = if shape.chain { 1 } else { part.leaves / 2 };
                let near_surfaces =
                    (u64::from(part.surfaces) * u64::from(near) / u64::from(part.leaves)) as u32;
                for upper in [false, true] {
                    let mut bounds = part.bounds;
                    let mut bytes = [0, 0xFF, 0, 0xFF, 0, 0xFF];
                    bounds[axis * 2 + usize::from(!upper)] = middle;
                    bytes[axis * 2 + usize::from(!upper)] = cut;
                    if shape.holes && random.once_in(8) {
                        continue;
                    }
                    let (leaves, first, surfaces) = if upper {
                        (
                            part.leaves - near,
                            part.first + near_surfaces,
                            part.surfaces - near_surfaces,
                        )
                    } else {
                        (near, part.first, near_surfaces)
                    };
                    waiting.push(Part {
                        bounds,
                        bytes,
                        above: Some((number, upper == (sign > 0.0))),
                        leaves,
                        first,
                        surfaces,
                    });
                }
                Child::Node(number as u32)
            };
            if let Some((node, front)) = part.above {
                let node = &mut self.nodes[node];
                *(if front {
                    &mut node.front
                } else {
                    &mut node.back
                }) = child;
            }
        }
        if self.leaves.is_empty() {
            self.leaves.push(Leaf {
                bounds: [0, 0xFF, 0, 0xFF, 0, 0xFF],
                cluster: 0,
                surfaces: Vec::new(),
            });
        }
    }

    /// Makes clusters of slices of the world along x, and their subclusters.
    fn divide(&mut self, shape: &Shape, random: &mut Random) {
        let clusters = shape.clusters.max(1);
        let [low, high] = [self.world[0], self.world[1]];
        for number in 0..clusters {
            let place = |number: u32| low + (high - low) * number as f32 / clusters as f32;
            let [left, right] = [place(number), place(number + 1)];
            let share = |number: u32| {
                (u64::from(shape.surfaces) * u64::from(number) / u64::from(clusters)) as u32
            };
            let mut cluster = Cluster::default();
            if number > 0 {
                cluster.portals.push(number as i16 - 1);
            }
            if number + 1 < clusters {
                cluster.portals.push(number as i16 + 1);
            }
            let mut first = share(number);
            let end = share(number + 1);
            if shape.holes && random.once_in(8) {
                first = end;
            }
            while first < end {
                let next = (first + random.between(1, shape.subcluster * 2)).min(end);
                let mut bounds = [0.0; 6];
                for axis in 0..3 {
                    let [low, high] = match axis {
                        0 => [left, right],
                        _ => [self.world[axis * 2], self.world[axis * 2 + 1]],
                    };
                    let size = (high - low) * (0.1 + random.unit().abs() * 0.3);
                    let at = low + (high - low - size) * random.unit().abs();
                    bounds[axis * 2] = at;
                    bounds[axis * 2 + 1] = at + size;
                }
                let mut surfaces: Vec<u32> = (first..next).collect();
                if shape.holes && random.once_in(4) {
                    surfaces.push(random.below(shape.surfaces));
                }
                cluster.subclusters.push(Subcluster { bounds, surfaces });
                first = next;
            }
            self.clusters.push(cluster);
        }
    }

    /// Gives the surfaces lightmaps and materials.
    fn paint(&mut self, shape: &Shape, random: &mut Random) {
        let mut first = 0;
        let mut lightmap = Lightmap::default();
        for number in 0..shape.materials {
            let left = shape.surfaces - first;
            let share = left / (shape.materials - number);
            let count = match random.below(8) {
                0 if shape.holes => 0,
                1 => random.between(0, share),
                _ => share,
            };
            lightmap.materials.push(Material { first, count });
            first += count;
            if random.once_in(3) {
                self.lightmaps.push(std::mem::take(&mut lightmap));
            }
        }
        self.lightmaps.push(lightmap);
        if shape.holes && random.once_in(3) {
            self.lightmaps.push(Lightmap::default());
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "world {:?}", self.world)?;
        writeln!(f, "surfaces {}", self.surfaces.len())?;
        for (number, node) in self.nodes.iter().enumerate() {
            writeln!(
                f,
                "node {number} plane {:?} {} back {:?} front {:?} bounds {:02X?}",
                node.plane.normal, node.plane.distance, node.back, node.front, node.bounds
            )?;
        }
        for (number, leaf) in self.leaves.iter().enumerate() {
            writeln!(
                f,
                "leaf {number} cluster {} bounds {:02X?} surfaces {:?}",
                leaf.cluster, leaf.bounds, leaf.surfaces
            )?;
        }
        for (number, cluster) in self.clusters.iter().enumerate() {
            writeln!(f, "cluster {number} portals to {:?}", cluster.portals)?;
            for part in &cluster.subclusters {
                writeln!(f, "  bounds {:?} surfaces {:?}", part.bounds, part.surfaces)?;
            }
        }
        for (number, lightmap) in self.lightmaps.iter().enumerate() {
            writeln!(f, "lightmap {number}")?;
            for material in &lightmap.materials {
                writeln!(f, "  material {} {}", material.first, material.count)?;
            }
        }
        Ok(())
    }
}
