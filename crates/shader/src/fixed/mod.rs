//! Shaders for the fixed-function pipeline, built straight in naga IR.
//!
//! A device turns its state into a [`VertexKey`] and a [`FragmentKey`], calls
//! `normalized` on them and asks [`vertex`] and [`fragment`] for the functions
//! once per distinct key. Numbers (matrices, lights, material, colours) are
//! constants: a [`VertexBlock`] in the place of the vertex float registers,
//! and `abi::PixelExtras` for the fragment side.

mod block;
mod check;
mod code;
mod fragment;
mod key;
mod lighting;
mod matrix;
pub mod op;
mod vertex;

pub use block::{Light, MAX_LIGHTS, MAX_PALETTE, Material, ROWS, VertexBlock, fog_scale};
pub use key::{
    FragmentKey, FragmentStage, KEY_VERSION, STAGES, TRANSFORM_PROJECTED, VertexKey, VertexStage,
    coordinate, fragment_flag, fragment_fog, input, light_type, position, stage_texture,
    vertex_flag, vertex_fog,
};
pub use matrix::{IDENTITY, Matrix, multiply};

use crate::identity::Fnv;
use crate::translation::entry_name;
use crate::{Error, Translation};

/// Generates the vertex function of a key.
///
/// It reads the [`VertexBlock`] at group 0, binding 0 (only the sections in
/// `Reflection::float_ranges`, packed), and `abi::VertexExtras` at binding 2
/// for pixel positions and clip planes. It writes `COLOR0` and `COLOR1`
/// always, `TEXCOORDn` for each stage `n` whose source is not
/// [`coordinate::NONE`], and `FOG0` unless [`VertexKey::fog`] is
/// [`vertex_fog::NONE`].
///
/// # Errors
/// [`Error::Options`] names the field when the key holds a number that means nothing.
pub fn vertex(key: &VertexKey) -> Result<Translation, Error> {
    check::vertex(key)?;
    let key = key.normalized();
    let identity = identity(b"V", bytemuck::bytes_of(&key));
    let entry = entry_name(naga::ShaderStage::Vertex, identity);
    let (module, reflection) = vertex::generate(&key, entry);
    Translation::seal(module, identity, reflection)
}

/// Generates the fragment function of a key.
///
/// Stage `n` reads the texture and sampler of slot `n` in group 1 at the
/// coordinate that arrives as `TEXCOORDn`; factors, constants, fog and the
/// alpha reference are in `abi::PixelExtras` at group 0, binding 3.
///
/// # Errors
/// [`Error::Options`] names the stage and the operation when it is one that no
/// shader is generated for (`D3DTOP_PREMODULATE`; operations 18 to 23 as alpha
/// operations), or the field when it holds a number that means nothing.
pub fn fragment(key: &FragmentKey) -> Result<Translation, Error> {
    let key = key.normalized();
    check::fragment(&key)?;
    let identity = identity(b"F", bytemuck::bytes_of(&key));
    let entry = entry_name(naga::ShaderStage::Fragment, identity);
    let (module, reflection) = fragment::generate(&key, entry);
    Translation::seal(module, identity, reflection)
}

fn identity(stage: &[u8], key: &[u8]) -> u64 {
    Fnv::new().bytes(b"fixed").bytes(stage).bytes(key).finish()
}
