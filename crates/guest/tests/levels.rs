//! Generated levels, read back from guest memory by the engine's layouts: everything that
//! refers to something refers to what is there.

use std::collections::HashSet;

use ninefold_guest::dispatch::Settings;
use ninefold_guest::memory::Access;
use ninefold_guest::profile::{Routine, global};
use ninefold_guest::survey::Sites;
use ninefold_guest::synthetic::{
    Child, Cluster, Leaf, Level, Lightmap, Material, Node, Placed, Placer, Plane, Portal, Random,
    Shape, Subcluster, Tree,
};
use ninefold_guest::{Interpreter, Machine, Memory, Overrides, Reg, reference};

/// A level in guest memory.
struct Guest {
    memory: Memory,
    bsp: u32,
}

impl Guest {
    fn new(level: &Level) -> Self {
        let mut memory = Memory::new(64 << 20);
        let mut placer = Placer::new(0x0100_0000, Access::ReadOnly, 1);
        let bsp = level.place(&mut memory, &mut placer).unwrap().bsp;
        Self { memory, bsp }
    }

    fn word(&self, at: u32) -> u32 {
        self.memory.read_u32(at).unwrap()
    }

    fn short(&self, at: u32) -> i16 {
        self.memory.read_u16(at).unwrap() as i16
    }

    fn floats<const N: usize>(&self, at: u32) -> [f32; N] {
        std::array::from_fn(|index| f32::from_bits(self.word(at + 4 * index as u32)))
    }

    /// The addresses of a block's elements, all of which can be read.
    fn block(&self, at: u32, size: u32) -> Vec<u32> {
        let (count, first) = (self.word(at), self.word(at + 4));
        assert!(
            self.memory.is_readable(first, (count * size) as usize) || count == 0,
            "{count} elements of {size} bytes at {first:#x}"
        );
        (0..count).map(|number| first + number * size).collect()
    }
}

/// What was met with in levels, so that a test can say that all of it was.
#[derive(Debug, Default)]
struct Met {
    without_nodes: u32,
    /// Trees by how deep the deepest leaf is: as deep as can be, as shallow, between.
    deep: u32,
    shallow: u32,
    between: u32,
    nowhere: u32,
    ends: u32,
    empty_leaves: u32,
    empty_clusters: u32,
    shared_surfaces: u32,
    doubled_portals: u32,
    closed: u32,
}

fn check(level: &Level, met: &mut Met) {
    let guest = Guest::new(level);
    let bsp = guest.bsp;
    let surfaces = guest.block(bsp + 0xF8, 6).len() as u32;
    assert_eq!(surfaces as usize, level.surfaces.len());
    let world: [f32; 6] = guest.floats(bsp + 0xC8);
    assert!(world.chunks(2).all(|side| side[0] < side[1]), "{world:?}");
    let planes = check_tree(&guest, surfaces, met);
    let clusters = check_clusters(&guest, surfaces, met);
    for leaf in guest.block(bsp + 0xE0, 0x10) {
        let cluster = guest.short(leaf + 8);
        assert!((0..clusters as i16).contains(&cluster), "cluster {cluster}");
    }
    check_portals(&guest, &planes, &world, met);
    let mut next = 0;
    for lightmap in guest.block(bsp + 0x104, 0x20) {
        for material in guest.block(lightmap + 0x14, 0x100) {
            let [first, count] = [0x14, 0x18].map(|at| guest.word(material + at));
            assert!(first >= next && first + count <= surfaces);
            next = first + count;
        }
    }
}

/// Gives the collision BSP's planes.
fn check_tree(guest: &Guest, surfaces: u32, met: &mut Met) -> Vec<[f32; 4]> {
    let bsp = guest.bsp;
    let [collision] = guest.block(bsp + 0xB0, 0x60)[..] else {
        panic!("not one collision BSP");
    };
    let nodes = guest.block(collision, 0xC);
    let planes: Vec<[f32; 4]> = guest
        .block(collision + 0xC, 0x10)
        .into_iter()
        .map(|at| guest.floats(at))
        .collect();
    assert!(planes.iter().all(|plane| plane[..3] != [0.0; 3]));
    let bounds = guest.block(bsp + 0xBC, 6);
    assert_eq!(bounds.len(), nodes.len());
    let leaves = guest.block(bsp + 0xE0, 0x10);
    assert_eq!(guest.block(collision + 0x18, 8).len(), leaves.len());
    for &at in bounds.iter().chain(&leaves) {
        let bytes = guest.memory.read_array::<6>(at).unwrap();
        assert!(bytes.chunks(2).all(|side| side[0] < side[1]), "{bytes:?}");
    }

    // Every node and leaf is reached once.
    let mut open = match nodes.len() {
        0 => vec![(1 << 31, 0)],
        _ => vec![(0, 0)],
    };
    let (mut seen, mut deepest, mut ends) = (HashSet::new(), 0, 0);
    while let Some((child, depth)) = open.pop() {
        assert!(seen.insert(child), "{child:#x} is reached twice");
        if child >> 31 != 0 {
            assert!(child & 0x7FFF_FFFF < leaves.len() as u32);
            (deepest, ends) = (deepest.max(depth), ends + 1);
            continue;
        }
        let node = nodes[child as usize];
        assert!((guest.word(node) as usize) < planes.len());
        let children = [4, 8].map(|at| guest.word(node + at));
        met.nowhere += children.iter().filter(|&&child| child == u32::MAX).count() as u32;
        met.ends += u32::from(children == [u32::MAX; 2]);
        let somewhere = children.into_iter().filter(|&child| child != u32::MAX);
        open.extend(somewhere.map(|child| (child, depth + 1)));
    }
    let reached = |leaf: bool| {
        seen.iter()
            .filter(|&&child| (child >> 31 != 0) == leaf)
            .count()
    };
    assert_eq!(reached(false), nodes.len());
    // A tree that leads nowhere at all still has a leaf, as a level has to.
    assert!(reached(true) == leaves.len() || reached(true) == 0 && leaves.len() == 1);
    match (nodes.len(), ends) {
        (0, _) => met.without_nodes += 1,
        (1 | 2, _) => {}
        (nodes, _) if deepest == nodes => met.deep += 1,
        (_, leaves) if 1 << deepest < 2 * leaves => met.shallow += 1,
        _ => met.between += 1,
    }

    let references = guest.block(bsp + 0xEC, 8);
    for &at in &references {
        assert!(guest.word(at) < surfaces);
        assert!(guest.word(at + 4) < nodes.len().max(1) as u32);
    }
    let mut all = HashSet::new();
    for leaf in leaves {
        let (count, first) = (guest.short(leaf + 0xA), guest.word(leaf + 0xC));
        assert!(count >= 0 && first as usize + count as usize <= references.len());
        met.empty_leaves += u32::from(count == 0);
        for &at in &references[first as usize..][..count as usize] {
            met.shared_surfaces += u32::from(!all.insert(guest.word(at)));
        }
    }
    planes
}

/// Gives how many there are.
fn check_clusters(guest: &Guest, surfaces: u32, met: &mut Met) -> usize {
    let clusters = guest.block(guest.bsp + 0x134, 0x68);
    for &cluster in &clusters {
        let subclusters = guest.block(cluster + 0x34, 0x24);
        met.empty_clusters += u32::from(subclusters.is_empty());
        for subcluster in subclusters {
            let bounds: [f32; 6] = guest.floats(subcluster);
            assert!(bounds.chunks(2).all(|side| side[0] <= side[1]));
            let listed = guest.block(subcluster + 0x18, 4);
            assert!(!listed.is_empty());
            assert!(listed.iter().all(|&at| guest.word(at) < surfaces));
        }
    }
    clusters.len()
}

fn check_portals(guest: &Guest, planes: &[[f32; 4]], world: &[f32; 6], met: &mut Met) {
    let clusters = guest.block(guest.bsp + 0x134, 0x68);
    let portals = guest.block(guest.bsp + 0x154, 0x40);
    let mut between = HashSet::new();
    for (number, &portal) in portals.iter().enumerate() {
        let sides = [guest.short(portal), guest.short(portal + 2)];
        assert!(sides[0] != sides[1]);
        met.doubled_portals += u32::from(!between.insert(sides));
        // Its two clusters name it, and no other does.
        for (cluster, &at) in clusters.iter().enumerate() {
            let named = guest.block(at + 0x5C, 2);
            let times = named.iter().filter(|&&at| guest.short(at) == number as i16);
            assert_eq!(
                times.count(),
                usize::from(sides.contains(&(cluster as i16)))
            );
        }
        let [x, y, z, distance] = planes[guest.word(portal + 4) as usize];
        let off = |point: [f32; 3]| (x * point[0] + y * point[1] + z * point[2] - distance).abs();
        let middle: [f32; 3] = guest.floats(portal + 8);
        let [radius] = guest.floats(portal + 0x14);
        let corners = guest.block(portal + 0x34, 0xC);
        assert!(off(middle) < 1e-3 && radius > 0.0 && corners.len() >= 3);
        for corner in corners {
            let corner: [f32; 3] = guest.floats(corner);
            assert!(off(corner) < 1e-3, "{corner:?}");
            let away = (0..3).map(|axis| f64::from(corner[axis] - middle[axis]).powi(2));
            assert!(away.sum::<f64>().sqrt() <= f64::from(radius));
            for axis in 0..3 {
                assert!((world[axis * 2]..=world[axis * 2 + 1]).contains(&corner[axis]));
            }
        }
    }
    met.closed += u32::from(between.len() + 1 < clusters.len());
}

#[test]
fn levels_of_every_shape_are_sound() {
    let mut met = Met::default();
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        check(&Level::new(Shape::random(&mut random), seed), &mut met);
    }
    println!("{met:?}");
    let Met {
        without_nodes,
        deep,
        shallow,
        between,
        nowhere,
        ends,
        empty_leaves,
        empty_clusters,
        shared_surfaces,
        doubled_portals,
        closed,
    } = met;
    let all = [
        without_nodes,
        deep,
        shallow,
        between,
        nowhere,
        ends,
        empty_leaves,
        empty_clusters,
        shared_surfaces,
        doubled_portals,
        closed,
    ];
    assert!(all.iter().all(|&count| count > 20), "{all:?}");
    check(&Level::new(Shape::regular(20_000), 5), &mut Met::default());
}

#[test]
fn shapes_out_of_range_are_brought_into_it() {
    let none = Shape {
        surfaces: 0,
        leaves: 0,
        clusters: 0,
        subcluster: 0,
        materials: 0,
        tree: Tree::Uneven,
        holes: true,
    };
    check(&Level::new(none, 1), &mut Met::default());
    let crowded = Shape {
        surfaces: 100_000,
        leaves: 1,
        clusters: 1,
        subcluster: u32::MAX,
        materials: 7,
        ..none
    };
    for tree in [Tree::Balanced, Tree::Chain, Tree::Uneven] {
        let shape = Shape {
            tree,
            holes: false,
            ..crowded
        };
        let level = Level::new(shape, 2);
        assert!(level.leaves.len() >= 4);
        check(&level, &mut Met::default());
    }
}

#[test]
fn a_seed_gives_one_level() {
    let shape = Shape::regular(500);
    let [first, again, other] = [3, 3, 4].map(|seed| Level::new(shape, seed));
    assert_eq!(first, again);
    assert_eq!(first.to_string(), again.to_string());
    assert_ne!(first.to_string(), other.to_string());
}

#[test]
fn a_level_is_written_a_thing_a_line() {
    let plane = Plane {
        normal: [1.0, 0.0, -0.5],
        distance: 4.0,
    };
    let level = Level {
        world: [0.0, 8.0, 0.0, 8.0, 0.0, 8.5],
        surfaces: vec![[0, 1, 2]; 9],
        nodes: vec![Node {
            plane,
            back: Child::Leaf(0),
            front: Child::None,
            bounds: [0, 255, 0, 255, 16, 255],
        }],
        leaves: vec![Leaf {
            bounds: [0, 127, 0, 255, 0, 255],
            cluster: 1,
            node: 0,
            surfaces: vec![0, 1, 2, 3, 7, 5],
        }],
        clusters: vec![
            Cluster {
                subclusters: vec![Subcluster {
                    bounds: [0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
                    surfaces: vec![4, 5],
                }],
                portals: vec![0],
            },
            Cluster {
                subclusters: Vec::new(),
                portals: vec![0],
            },
        ],
        portals: vec![Portal {
            front: 1,
            back: 0,
            plane,
            centroid: [4.0; 3],
            radius: 2.0,
            corners: vec![[4.0, 0.0, 0.0]],
        }],
        lightmaps: vec![Lightmap {
            materials: vec![
                Material { first: 0, count: 4 },
                Material { first: 4, count: 0 },
            ],
        }],
    };
    let text = "\
world [0.0, 8.0, 0.0, 8.0, 0.0, 8.5]
surfaces 9
node 0 plane 1 0 -0.5 4 back leaf 0 front none bounds [00, ff, 00, ff, 10, ff]
leaf 0 cluster 1 bounds [00, 7f, 00, ff, 00, ff] surfaces 0-3 7 5
cluster 0 portals [0]
  bounds [0.0, 1.0, 0.0, 1.0, 0.0, 1.0] surfaces 4-5
cluster 1 portals [0]
portal 0 front 1 back 0 plane 1 0 -0.5 4 corners [[4.0, 0.0, 0.0]]
lightmap 0
  material 0-3
  material
";
    assert_eq!(level.to_string(), text);
}

/// A chain of 400 nodes, gathered with as many frames on the stack: from the 128th on they run as
/// translated, and all is as if none were native.
#[test]
fn gathers_deeper_than_the_natives_go_leave_the_same() {
    const STACK: u32 = 0x0020_0000;
    const TOP: u32 = STACK + 0x1_0000;
    const DATA: u32 = 0x00A0_0000;
    const BACK: u32 = 0xFFFF_FFF0;
    let shape = Shape {
        leaves: 400,
        tree: Tree::Chain,
        ..Shape::regular(400)
    };
    let level = Level::new(shape, 9);
    assert_eq!(level.nodes.len(), 399);
    let mut memory = Memory::new(64 << 20);
    reference::map(&mut memory).unwrap();
    for (start, length) in [
        (STACK, 0x1_0000),
        (global::STRUCTURE_BSP & !0xFFF, 0x1000),
        (global::SURFACE_BITS & !0xFFF, 0x1000),
        (DATA, 0x2000),
    ] {
        memory.map(start, length, Access::ReadWrite).unwrap();
    }
    let mut placer = Placer::new(0x0100_0000, Access::ReadOnly, 1);
    let Placed { bsp, .. } = level.place(&mut memory, &mut placer).unwrap();
    memory.write_u32(global::STRUCTURE_BSP, bsp).unwrap();
    for at in (0..64).step_by(4) {
        memory
            .write_u32(global::SURFACE_BITS + at, u32::MAX)
            .unwrap();
    }
    // A box and a sphere around all of the level.
    for (index, side) in [-1e4_f32, 1e4].into_iter().cycle().take(6).enumerate() {
        let at = DATA + 4 * index as u32;
        memory.write_u32(at, side.to_bits()).unwrap();
    }
    let sites = Sites::find(&memory).unwrap();
    let mut machine = Machine::new(memory);
    let mut sides = Vec::new();
    for settings in [Settings::TRANSLATED, Settings::NATIVE] {
        machine.cpu = Default::default();
        machine.cpu[Reg::Esp] = TOP;
        let (point, radius) = (DATA + 0x40, 1e5_f32.to_bits());
        let arguments = [
            0,
            bsp + 0xC8,
            DATA + 0x100,
            DATA + 0x1000,
            0x400,
            point,
            radius,
            DATA,
            0,
            0,
            1,
        ];
        for argument in arguments.into_iter().rev() {
            machine.push(argument).unwrap();
        }
        let mut overrides = Overrides::new(settings, Some(sites));
        let mut host = Interpreter::new();
        machine.memory.watch().unwrap();
        let address = Routine::TreeGather.address();
        overrides
            .call(&mut machine, &mut host, address, BACK)
            .unwrap();
        let changes = machine.memory.end_watch();
        machine.memory.undo(&changes).unwrap();
        assert_eq!(machine.cpu[Reg::Eax], 400);
        assert_eq!(
            overrides.counters().native(Routine::TreeGather),
            u64::from(settings == Settings::NATIVE)
        );
        sides.push((machine.cpu, changes));
    }
    assert_eq!(sides[0].0, sides[1].0);
    assert_eq!(sides[0].1.differences(&sides[1].1), []);
    // The stack says how deep it went.
    let lowest = sides[0].1.list()[0].address;
    assert!(lowest < TOP - 390 * 0x60, "{lowest:#x}");
}
