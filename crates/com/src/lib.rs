//! `libd3d9.so`: Direct3D 9's COM interfaces over [`ninefold_d3d9`], binary compatible with C and
//! C++ compiled against `d3d9.h` on Linux x86-64 (32-bit `LONG` and `DWORD`, `__stdcall` empty,
//! System V calls).
//!
//! A front door: it reads the environment (see the crate's README) and does nothing that
//! `ninefold-d3d9` could do. Every object is a vtable pointer, a device and a handle; everything
//! that changes lies in the device, behind one lock.

mod abi;
mod buffer;
mod caps;
mod declaration;
mod device;
mod direct3d;
mod exports;
mod float_state;
mod frames;
#[doc(hidden)]
pub mod layout;
mod object;
mod pointer;
mod private;
mod query;
mod screen;
mod settings;
mod shader;
mod state_block;
mod surface;
mod swap_chain;
mod texture;
mod user_memory;
mod validator;
mod volume;
mod vtable;
mod wsi;

pub use exports::*;
