//! The native routines. `CONTRACT.md` says what each leaves.

mod boxes;
mod distance;
mod entry;
mod frustum;
mod gather;
mod matrix;
mod node;
mod number;
mod surface_list;
mod visible;
mod walk;

use crate::dispatch::{Overrides, Translated};
use crate::profile::Routine;
use crate::{Error, Machine};

/// Runs a routine natively. Whether it did; if not, nothing has changed. The machine has
/// just entered the routine, and has left it afterwards.
///
/// On an error, memory that the routine needs is not there: it has done what precedes
/// that access, and the processor is nowhere in particular.
pub(crate) fn run(
    routine: Routine,
    machine: &mut Machine,
    overrides: &mut Overrides,
    host: &mut dyn Translated,
) -> Result<bool, Error> {
    if let Some(ran) = leaf(routine, machine) {
        return Ok(ran);
    }
    if routine == Routine::FrustumBox {
        return Ok(frustum::run_alone(machine)?);
    }
    let Some(sites) = overrides.sites() else {
        return Ok(false);
    };
    match routine {
        Routine::MaterialWalk => Ok(sites
            .material_walk
            .and_then(|sites| walk::run(machine, sites))
            .is_some()),
        Routine::VisibleSurfaces => match sites.visible_surfaces {
            Some([site]) => visible::run(machine, site),
            None => Ok(false),
        },
        _ => run_gather(routine, machine, overrides, host),
    }
}

/// The same for the three gathers; false when it is none of them.
pub(crate) fn run_gather(
    routine: Routine,
    machine: &mut Machine,
    overrides: &mut Overrides,
    host: &mut dyn Translated,
) -> Result<bool, Error> {
    let Some(sites) = overrides.sites() else {
        return Ok(false);
    };
    let sites = match routine {
        Routine::LeafGather => sites.leaf_gather.map(gather::Sites::Leaf),
        Routine::ClusterGather => sites.cluster_gather.map(gather::Sites::Clusters),
        Routine::TreeGather => sites.tree_gather.map(gather::Sites::Tree),
        _ => None,
    };
    match sites {
        Some(sites) => gather::run(sites, machine, overrides, host),
        None => Ok(false),
    }
}

/// The same for the leaves that leave no return address; `None` when it is none of them.
#[inline]
pub(crate) fn leaf(routine: Routine, machine: &mut Machine) -> Option<bool> {
    let ran = match routine {
        Routine::MatrixProduct => matrix::run(machine),
        Routine::NodeBounds => boxes::node_bounds(machine),
        Routine::BoxPlanes => boxes::planes(machine),
        Routine::BoxOverlap => boxes::overlap(machine),
        Routine::SurfaceList => surface_list::run(machine),
        _ => return None,
    };
    Some(ran.is_some())
}
