//! Native routines against the reference image in the interpreter: the same memory,
//! registers, flags and x87 state after every run, on inputs made from seeds.

mod mutations;

use ninefold_guest::profile::Routine;
use ninefold_guest::reference;
use ninefold_guest::trials::{Bench, Outcome, Tally};

/// Runs trials from `first` on; fails at the first that differs.
fn trials(routine: Routine, first: u64, count: u64) -> Tally {
    let mut bench = Bench::new(reference::map).unwrap();
    let mut tally = Tally::default();
    for seed in first..first + count {
        let outcome = match routine {
            Routine::WholeGather => bench.run_whole_gather(seed),
            _ => bench.run(routine, seed),
        };
        if let Outcome::Different(differences) = &outcome {
            panic!(
                "{} differs for seed {seed}:\n{}",
                routine.name(),
                differences.join("\n")
            );
        }
        tally.add(&outcome);
    }
    println!("{}: {tally:?}", routine.name());
    tally
}

/// Trials in which both ran to their end are what counts.
fn check(routine: Routine, count: u64) {
    let tally = trials(routine, 0, count);
    assert!(tally.equal > count * 3 / 4, "{tally:?}");
    assert!(tally.endless < count / 100, "{tally:?}");
    if routine != Routine::WholeGather {
        assert!(tally.declined > 0, "{tally:?}");
    }
}

/// A test of some trials of a routine, and one of a million; `NINEFOLD_TRIALS` says
/// otherwise.
macro_rules! routines {
    ($($name:ident: $routine:ident, $count:literal;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn some() {
                check(Routine::$routine, $count);
            }

            #[test]
            #[ignore = "takes minutes; run it with --release"]
            fn a_million() {
                let count = std::env::var("NINEFOLD_TRIALS");
                let count = count.map_or(1_000_000, |text| text.parse().unwrap());
                trials(Routine::$routine, 1 << 32, count);
            }
        }
    )*};
}

routines! {
    matrix_product: MatrixProduct, 30_000;
    node_bounds: NodeBounds, 30_000;
    box_planes: BoxPlanes, 30_000;
    box_overlap: BoxOverlap, 30_000;
    surface_list: SurfaceList, 20_000;
    material_walk: MaterialWalk, 20_000;
    visible_surfaces: VisibleSurfaces, 10_000;
    leaf_gather: LeafGather, 20_000;
    cluster_gather: ClusterGather, 10_000;
    tree_gather: TreeGather, 10_000;
    whole_gather: WholeGather, 5_000;
    frustum_box: FrustumBox, 20_000;
}
