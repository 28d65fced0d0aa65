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

#[test]
fn matrix_product() {
    check(Routine::MatrixProduct, 30_000);
}

#[test]
fn node_bounds() {
    check(Routine::NodeBounds, 30_000);
}

#[test]
fn box_planes() {
    check(Routine::BoxPlanes, 30_000);
}

#[test]
fn box_overlap() {
    check(Routine::BoxOverlap, 30_000);
}

#[test]
fn surface_list() {
    check(Routine::SurfaceList, 20_000);
}

#[test]
fn material_walk() {
    check(Routine::MaterialWalk, 20_000);
}

#[test]
fn visible_surfaces() {
    check(Routine::VisibleSurfaces, 10_000);
}

#[test]
fn leaf_gather() {
    check(Routine::LeafGather, 20_000);
}

#[test]
fn cluster_gather() {
    check(Routine::ClusterGather, 10_000);
}

#[test]
fn tree_gather() {
    check(Routine::TreeGather, 10_000);
}

#[test]
fn whole_gather() {
    check(Routine::WholeGather, 5_000);
}

/// A million of each; `NINEFOLD_TRIALS` says otherwise.
#[test]
#[ignore = "takes long; run it with --release"]
fn a_million_of_each() {
    let count = std::env::var("NINEFOLD_TRIALS").map_or(1_000_000, |text| text.parse().unwrap());
    let natives = Routine::ALL[..Routine::NATIVE].iter();
    std::thread::scope(|scope| {
        for &routine in natives.chain(&[Routine::WholeGather]) {
            scope.spawn(move || trials(routine, 1 << 32, count));
        }
    });
}
