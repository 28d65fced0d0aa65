//! `libninefold`: the plain C API of the ninefold renderer. `include/ninefold.h` is generated from
//! this crate and documents every function; `docs/c-api.md` tells how they fit together.
//!
//! A front door: it reads the environment (see `nf_settings`) and does nothing that
//! `ninefold-renderer` could do. Handles are numbers that are looked up, never pointers that are
//! followed, so that a stale one is an error. Structs of the caller are read only after their
//! pointer, alignment and size were checked; that what they point to is there for the length of the
//! call is the one thing that C callers promise, and so every function that takes a pointer is
//! `unsafe` for this one reason.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

mod buffer;
mod context;
mod convert;
mod draw;
mod fault;
mod handle;
mod objects;
mod pointer;
mod program;
mod registry;
mod renderer;
mod settings;
mod shader;
mod state;
mod stats;
mod submit;
mod texture;
mod transfer;
mod types;

pub use buffer::*;
pub use context::*;
pub use draw::*;
pub use fault::*;
pub use program::*;
pub use renderer::*;
pub use settings::*;
pub use shader::*;
pub use state::*;
pub use stats::*;
pub use submit::*;
pub use texture::*;
pub use transfer::*;
pub use types::*;
