//! Levels that no game has: valid structure BSPs made from a seed, for tests, for
//! `verify` and for measuring.

mod level;
mod place;
mod random;

pub use level::{
    Child, Cluster, Leaf, Level, Lightmap, Material, Node, Plane, Portal, Shape, Subcluster, Tree,
};
pub use place::{Placed, Placer};
pub use random::{ODD_FLOATS, Random};
