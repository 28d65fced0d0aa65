//! Direct3D 9 shader bytecode and fixed-function state to naga modules

pub mod fixed;
