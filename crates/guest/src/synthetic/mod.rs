//! Levels that no game has: valid structure BSPs made from a seed, for tests, for
//! `verify` and for measuring.

mod level;
mod place;
mod random;

pub use level::{Child, Cluster, Leaf, Level, Lightmap, Material, Node, Plane, Shape, Subcluster};
pub use place::{Placed, Placer};
pub use random::{ODD_FLOATS, Random};
