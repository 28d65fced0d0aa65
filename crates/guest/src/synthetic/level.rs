use std::fmt;

use super::Random;
use crate::profile::global::SURFACE_BITS_SIZE;

/// How a tree branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Both sides of a node have as many leaves.
    Balanced,
    /// One side of each node is a leaf.
    Chain,
    /// Any way.
    Uneven,
}

/// How large a level is. What is out of range is taken for the nearest that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Surfaces, 1 to as many as a view has bits for.
    pub surfaces: u32,
    /// Leaves of the collision BSP, enough for none to have more than 28,672 surfaces. With
    /// one leaf there are no nodes.
    pub leaves: u32,
    /// Clusters, 1 to 32,767.
    pub clusters: u32,
    /// Surfaces in a subcluster, about.
    pub subcluster: u32,
    /// Materials.
    pub materials: u32,
    /// How the tree branches.
    pub tree: Tree,
    /// Whether there are children that lead nowhere, empty leaves, empty clusters, surfaces
    /// in several leaves, and neighbours with no portal between them or several.
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
            tree: Tree::Balanced,
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
            tree: match random.below(3) {
                0 => Tree::Chain,
                1 => Tree::Uneven,
                _ => Tree::Balanced,
            },
            holes: random.once_in(2),
        }
    }

    fn in_range(self) -> Self {
        const MANY: u32 = 1 << 20;
        const IN_LEAF: u32 = 0x7000;
        let surfaces = self.surfaces.clamp(1, SURFACE_BITS_SIZE * 8);
        Self {
            surfaces,
            leaves: self.leaves.clamp(surfaces.div_ceil(IN_LEAF), MANY),
            clusters: self.clusters.clamp(1, i16::MAX as u32),
            subcluster: self.subcluster.clamp(1, MANY),
            materials: self.materials.min(MANY),
            ..self
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
    /// The node that leads to it; 0 where there is none.
    pub node: u32,
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
    /// Numbers of the portals that lead out of it.
    pub portals: Vec<i16>,
}

/// An opening between two clusters: a convex polygon in a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Portal {
    /// The cluster in front of the plane.
    pub front: i16,
    /// The one behind it.
    pub back: i16,
    /// Where it lies.
    pub plane: Plane,
    /// The middle of its corners.
    pub centroid: [f32; 3],
    /// No corner is farther from the middle.
    pub radius: f32,
    /// Its corners, in order.
    pub corners: Vec<[f32; 3]>,
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
    /// The openings between clusters.
    pub portals: Vec<Portal>,
    /// The lightmaps.
    pub lightmaps: Vec<Lightmap>,
}

impl Level {
    /// The level that a seed gives.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let shape = shape.in_range();
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
            portals: Vec::new(),
            lightmaps: Vec::new(),
        };
        level.grow(&shape, &mut random);
        level.divide(&shape, &mut random);
        level.open(&shape, &mut Random::new(!seed));
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
            leaves: shape.leaves,
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
                    node: part.above.map_or(0, |(node, _)| node as u32),
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
                let near = match shape.tree {
                    Tree::Balanced => part.leaves / 2,
                    Tree::Chain => 1,
                    Tree::Uneven => random.between(1, part.leaves - 1),
                };
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
                node: 0,
                surfaces: Vec::new(),
            });
        }
    }

    /// Where the slice of a cluster begins in x.
    fn slice(&self, number: u32, clusters: u32) -> f32 {
        let [low, high] = [self.world[0], self.world[1]];
        low + (high - low) * number as f32 / clusters as f32
    }

    /// Makes clusters of slices of the world along x, and their subclusters.
    fn divide(&mut self, shape: &Shape, random: &mut Random) {
        let clusters = shape.clusters;
        for number in 0..clusters {
            let [left, right] = [number, number + 1].map(|at| self.slice(at, clusters));
            let share = |number: u32| {
                (u64::from(shape.surfaces) * u64::from(number) / u64::from(clusters)) as u32
            };
            let mut cluster = Cluster::default();
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

    /// Opens portals between neighbouring clusters: rectangles where their slices meet.
    fn open(&mut self, shape: &Shape, random: &mut Random) {
        for back in 0..shape.clusters - 1 {
            let x = self.slice(back + 1, shape.clusters);
            let count = if shape.holes { random.below(3) } else { 1 };
            for _ in 0..count {
                let number = self.portals.len();
                if number > i16::MAX as usize {
                    return;
                }
                let [y, z] = [2, 4].map(|axis| {
                    let [low, high] = [self.world[axis], self.world[axis + 1]];
                    let size = (high - low) * (0.1 + random.unit().abs() * 0.5);
                    let at = low + (high - low - size) * random.unit().abs();
                    [at, at + size]
                });
                // Rounded up, so that no corner is left out.
                let half = [y, z].map(|[low, high]| (high - low) * 0.5);
                self.portals.push(Portal {
                    front: back as i16 + 1,
                    back: back as i16,
                    plane: Plane {
                        normal: [1.0, 0.0, 0.0],
                        distance: x,
                    },
                    centroid: [x, (y[0] + y[1]) * 0.5, (z[0] + z[1]) * 0.5],
                    radius: half[0].hypot(half[1]) * 1.000_01,
                    corners: vec![
                        [x, y[0], z[0]],
                        [x, y[1], z[0]],
                        [x, y[1], z[1]],
                        [x, y[0], z[1]],
                    ],
                });
                for cluster in [back, back + 1] {
                    self.clusters[cluster as usize].portals.push(number as i16);
                }
            }
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

/// Numbers with runs as `first-last`.
struct Runs<'a>(&'a [u32]);

impl fmt::Display for Runs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let follow = |a: &u32, b: &u32| a.checked_add(1) == Some(*b);
        for run in self.0.chunk_by(follow) {
            match *run {
                [first, .., last] => write!(f, " {first}-{last}")?,
                [only] => write!(f, " {only}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

impl fmt::Display for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Child::None => f.write_str("none"),
            Child::Node(number) => write!(f, "node {number}"),
            Child::Leaf(number) => write!(f, "leaf {number}"),
        }
    }
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.normal;
        write!(f, "{x} {y} {z} {}", self.distance)
    }
}

/// One thing a line: world, surfaces, nodes, leaves, clusters with their subclusters,
/// portals, lightmaps with their materials.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "world {:?}", self.world)?;
        writeln!(f, "surfaces {}", self.surfaces.len())?;
        for (number, node) in self.nodes.iter().enumerate() {
            let Node {
                plane,
                back,
                front,
                bounds,
            } = node;
            writeln!(
                f,
                "node {number} plane {plane} back {back} front {front} bounds {bounds:02x?}"
            )?;
        }
        for (number, leaf) in self.leaves.iter().enumerate() {
            writeln!(
                f,
                "leaf {number} cluster {} bounds {:02x?} surfaces{}",
                leaf.cluster,
                leaf.bounds,
                Runs(&leaf.surfaces)
            )?;
        }
        for (number, cluster) in self.clusters.iter().enumerate() {
            writeln!(f, "cluster {number} portals {:?}", cluster.portals)?;
            for part in &cluster.subclusters {
                let runs = Runs(&part.surfaces);
                writeln!(f, "  bounds {:?} surfaces{runs}", part.bounds)?;
            }
        }
        for (number, portal) in self.portals.iter().enumerate() {
            writeln!(
                f,
                "portal {number} front {} back {} plane {} corners {:?}",
                portal.front, portal.back, portal.plane, portal.corners
            )?;
        }
        for (number, lightmap) in self.lightmaps.iter().enumerate() {
            writeln!(f, "lightmap {number}")?;
            for material in &lightmap.materials {
                let last = (material.first + material.count).wrapping_sub(1);
                match material.count {
                    0 => writeln!(f, "  material")?,
                    _ => writeln!(f, "  material {}-{last}", material.first)?,
                }
            }
        }
        Ok(())
    }
}
