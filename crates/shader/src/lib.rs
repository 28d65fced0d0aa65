//! Direct3D 9 shaders as [`naga`] modules: the token streams of Shader Model 1 to 3
//! ([`translate`]) and the fixed-function pipeline ([`fixed`]), lowered straight to
//! naga's intermediate representation and validated, so that every language naga
//! writes comes out of one translation.
//!
//! What a module expects to be bound where is written at [`translate`]; the same
//! numbers as constants, and the uniform blocks as plain structs, are in [`abi`].

#![forbid(unsafe_code)]

pub mod abi;
mod build;
mod error;
pub mod fixed;
mod identity;
pub mod limits;
mod link;
mod lower;
mod option_bytes;
mod options;
mod reflection;
mod sampling;
mod translation;
pub mod writers;

pub use error::Error;
pub use link::Link;
pub use lower::{translate, translate_stage};
pub use ninefold_bytecode::{SamplerKind, Stage, Usage};
pub use option_bytes::OPTION_BYTES;
pub use options::{CompareFunc, FloatRules, Fog, FogCurve, FogDepth, Options};
pub use reflection::{Attribute, ConstRange, FloatDef, LargeConstants, Reflection, SamplerUse};
pub use sampling::{SamplerRules, texels};
pub use translation::Translation;
