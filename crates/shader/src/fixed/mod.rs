//! Shaders for the fixed-function pipeline, built straight in naga IR.
//!
//! A device turns its state into a [`VertexKey`] and a [`FragmentKey`], calls
//! `normalized` on them and asks [`vertex`] and [`fragment`] for the functions
//! once per distinct key. Numbers (matrices, lights, material, colours) are
//! constants: a [`VertexBlock`] in the place of the vertex float registers,
//! and `abi::PixelExtras` for the fragment side.

mod block;
mod key;
mod matrix;
pub mod op;

pub use block::{Light, MAX_LIGHTS, MAX_PALETTE, Material, ROWS, VertexBlock, fog_scale};
pub use key::{
    FragmentKey, FragmentStage, KEY_VERSION, STAGES, TRANSFORM_PROJECTED, VertexKey, VertexStage,
    coordinate, fragment_flag, fragment_fog, input, light_type, position, stage_texture,
    vertex_flag, vertex_fog,
};
pub use matrix::{IDENTITY, Matrix, multiply};

const DIFFUSE_LOCATION: u32 = 0;
const SPECULAR_LOCATION: u32 = 1;
const TEXCOORD_LOCATION: u32 = 2;
const FOG_LOCATION: u32 = 10;
