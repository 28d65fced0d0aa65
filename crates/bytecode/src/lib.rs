//! Direct3D 9 shader bytecode, shader models 1 to 3: read, validate,
//! disassemble, assemble, hash.
//!
//! A D3D9 shader is a stream of little-endian 32-bit tokens: a version token,
//! instructions and comments, and the end token `0x0000FFFF`. Every version
//! that D3D9 has is covered, vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0 with the
//! extended (`_x`) and software (`_sw`) ones.
//!
//! - [`ShaderCode`] is a validated stream: parse once, then walk its
//!   [`Instruction`]s without errors and without allocation.
//! - [`Reader`] decodes raw tokens one item at a time and checks no more than
//!   decoding needs.
//! - [`disassemble`] and [`assemble`] are inverse: any stream that parses comes
//!   back bit for bit from its text, comments and constant tables included.
//! - [`ContentKey`] names a stream by its content.
//! - [`radial_fog`] rewrites vertex shaders so that their fog is measured from the eye.
//! - [`ShaderPack`] holds pixel shaders and what takes their place (`.hvs` files).
//!
//! ```
//! use ninefold_bytecode::{Opcode, assemble};
//!
//! let code = assemble("vs_1_1\n dcl_position v0\n m4x4 oPos, v0, c0\n")?;
//! assert_eq!(code.version().to_string(), "vs_1_1");
//! let last = code.instructions().last().unwrap();
//! assert_eq!(last.op, Opcode::M4x4);
//! assert_eq!(last.srcs()[1].register.name().to_string(), "c0");
//! # Ok::<(), ninefold_bytecode::AsmError>(())
//! ```
#![forbid(unsafe_code)]

mod asm;
mod code;
mod decode;
mod disasm;
mod encode;
mod error;
mod instruction;
pub mod limits;
mod opcode;
mod operand;
mod pack;
pub mod radial_fog;
mod reader;
mod register;
#[cfg(test)]
mod roundtrip_tests;
mod validate;
mod version;

pub use asm::{AsmError, assemble};
pub use code::{ContentKey, Instructions, Items, ShaderCode};
pub use disasm::disassemble;
pub use error::{Error, ErrorKind, Operand};
pub use instruction::{Comparison, Declaration, Instruction, Payload, SamplerKind, Usage};
pub use opcode::Opcode;
pub use operand::{Dst, Relative, Src, SrcModifier, Swizzle, WriteMask};
pub use pack::{PackEntry, PackError, PackFault, Role, ShaderPack, StreamFault};
pub use reader::{Item, Reader};
pub use register::{Register, RegisterKind};
pub use version::{Stage, Version};
