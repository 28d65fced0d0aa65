//! Fixed-function functions run on the GPU.

mod cascade;
mod rig;
mod vertex;
