//! D3D9's own constants under D3D9's own names and numbers.
//!
//! States, flags and enumerations are plain integers, as the API takes them:
//! `device.set_render_state(D3DRS_ZENABLE, D3DZB_TRUE)`. Their meanings are
//! those of the Direct3D 9 documentation.
#![allow(missing_docs)]

mod formats;
mod geometry;
mod states;

pub use formats::*;
pub use geometry::*;
pub use states::*;
