//! Types of `d3d9.h` as they lie in memory.

mod guid;
mod structs;

pub(crate) use guid::*;
pub(crate) use structs::*;
