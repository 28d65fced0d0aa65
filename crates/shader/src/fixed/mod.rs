//! Shaders for the fixed-function pipeline, built straight in naga IR.
//!
//! A device turns its state into a [`VertexKey`] and a [`FragmentKey`] and asks
//! [`vertex`] and [`fragment`] for the functions once per distinct key. Numbers
//! (matrices, lights, material, colours) are constants: a [`VertexBlock`] in the
//! place of the vertex float registers, and
//! [`PixelExtras`](crate::abi::PixelExtras) for the fragment side.
//!
//! Keys hold everything that changes the *structure* of a function and nothing
//! that is only a number. They are plain bytes: `repr(C)`, `Pod`, without
//! padding, with a version in the first byte, so that they can be hashed,
//! stored and compared as they are. Fields hold Direct3D's own numbers wherever
//! Direct3D has one. Build a key from the device's state without thinking about
//! what matters, then call `normalized`: fields that cannot change the function
//! are zeroed there, so that states which draw alike share one function.

mod block;
mod check;
mod code;
mod fragment;
mod fragment_key;
mod lighting;
mod matrix;
pub mod op;
mod texgen;
mod vertex;
mod vertex_key;

pub use block::{
    LARGE_PALETTE, Light, MAX_LIGHTS, MAX_PALETTE, Material, ROWS, VertexBlock, fog_scale,
};
pub use fragment_key::{FragmentKey, FragmentStage, fragment_flag, fragment_fog, stage_texture};
pub use matrix::{IDENTITY, Matrix, inverse, multiply};
pub use vertex_key::{
    TRANSFORM_PROJECTED, TWEEN, VertexKey, VertexStage, coordinate, input, light_type, point,
    position, vertex_flag, vertex_fog,
};

/// Version byte of both keys. It changes whenever the meaning of a field or
/// the code generated for an unchanged key changes.
pub const KEY_VERSION: u8 = 3;

/// Number of texture stages (`MaxTextureBlendStages`).
pub const STAGES: usize = 8;

use crate::identity::Fnv;
use crate::translation::entry_name;
use crate::{Error, Translation};

/// Generates the vertex function of a key.
///
/// It reads the [`VertexBlock`] at group 0, binding 0 (only the sections in
/// `Reflection::float_ranges`, packed; in the storage buffer of group 2 where
/// [`VertexKey::palette`] says so), and `abi::VertexExtras` at binding 2
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
/// [`Error::Options`] names the stage and the field when it holds a number that
/// means nothing.
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
