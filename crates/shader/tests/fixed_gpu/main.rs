//! Fixed-function functions run on the GPU.

mod cascade;
mod points;
mod rig;
mod vertex;
