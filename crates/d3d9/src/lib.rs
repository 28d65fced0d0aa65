//! A Direct3D 9 device as safe Rust, drawing through ninefold-renderer
#![forbid(unsafe_code)]

pub mod trace;
