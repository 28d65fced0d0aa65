//! Direct3D 9 vertex and pixel shaders, models 1 to 3, run on the CPU.
//!
//! A [`Program`] is compiled once from a [`ShaderCode`](ninefold_bytecode::ShaderCode)
//! to a flat list of operations and then run many times in a reused [`Machine`]
//! without allocating: one vertex ([`Program::run_vertex`]), many vertices
//! ([`Program::run_vertices`], [`Program::group`]) or a quad of two by two pixels
//! ([`Program::run_quad`]).
//!
//! ```
//! use ninefold_bytecode::{Usage, assemble};
//! use ninefold_exec::{Constants, Machine, NoTextures, Options, Program};
//!
//! let code = assemble("vs_1_1\n dcl_position v0\n m4x4 oPos, v0, c0\n")?;
//! let program = Program::compile(&code, &Options::default());
//! let rows = [[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 5.0], [0.0, 0.0, 0.0, 1.0]];
//! let constants = Constants { floats: &rows, ..Constants::default() };
//! let mut input = [[0.0; 4]; 16];
//! input[0] = [1.0, 2.0, 3.0, 1.0];
//! let output = program.run_vertex(&mut Machine::new(), &input, &constants, &mut NoTextures)?;
//! let position = program.output(Usage::Position, 0).unwrap();
//! assert_eq!(output.get(position), [2.0, 2.0, 8.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules
//!
//! They are those of the Direct3D 9 documentation; where it leaves a thing open,
//! what is done here is said.
//!
//! **Products** ([`FloatRules::D3d9`]): 0 times anything, infinity and NaN
//! included, is 0, in every instruction that multiplies. `mad` rounds its product
//! before it adds. Dot products add from x to w.
//!
//! **Functions**: `rcp` and `rsq` of 0 (either sign) are `FLT_MAX`; `rsq`, `log`,
//! `logp` and `pow` take the absolute value; `log` and `logp` of 0 are
//! `-FLT_MAX`; `pow` with exponent 0 is 1; `nrm` multiplies by the `rsq` of the
//! square of the length, so a zero vector stays zero; `lit` clamps its power to
//! ±127.9961; `sincos` takes any angle. They are otherwise as exact as the
//! platform's mathematical functions.
//!
//! **NaN**: what an arithmetic instruction makes that is no number is the quiet NaN 0x7FC00000,
//! so that results are the same bits on every machine, alone and in groups. `mov`, selections
//! and the signs of sources keep the bits they get.
//!
//! **Comparisons** are IEEE: all but `_ne` fail on NaN. `min` is `a < b ? a : b`
//! and `max` is `a >= b ? a : b`. `cmp` takes its third operand on NaN. `_sat`
//! turns NaN into 0.
//!
//! **Scalars**: instructions that take one component want a replicate swizzle;
//! without one they read the last lane (w), as the model 1 documentation's
//! pseudo-code does.
//!
//! **Sources**: relative address, swizzle, then modifier. `_dz` and `_dw` divide x
//! and y, and give 1 where the divisor is 0. **Results**: shift, `_sat`, then
//! predicate and write mask. A co-issued pair reads before either writes. ps_1_x
//! float constants, defined ones too, are clamped to -1 to 1. A `cnd` of ps_1_0 to
//! ps_1_3 that is the second of a pair and writes colours takes its second operand
//! whatever the first is, as drivers of the time do.
//!
//! **Addresses**: `mov a0` rounds down in vs_1_x, later versions and `mova` round
//! to nearest, ties to even. A register outside the file reads 0, and writing it
//! has no effect; the float file is as long as [`Constants::floats`].
//!
//! **Never written** registers read 0, except oD0, which is 1; texture registers of
//! ps_1_0 to ps_1_3 hold their coordinates. `crs` leaves w alone, `sincos` z and w, `bem` b and a.
//!
//! **Outputs**: oD0, oD1 and oFog of vs_1_x and vs_2_x are clamped to 0 to 1 at the
//! end. oFog, oPts and oDepth are their x component.
//!
//! **Flow**: lanes of a run that take different ways are masked, so each gets what
//! it would get alone. Loops run at most 255 times, the largest count a Direct3D 9
//! integer constant may state, and negative counts are 0. A run of more than
//! [`Options::max_steps`] operations is an error.
//!
//! **Derivatives** (`dsx`, `dsy`, and the gradients that texture fetches get) are
//! differences within the quad, of the pixel's own row and column. All four pixels
//! of a quad run to the end, killed ones too.

#![forbid(unsafe_code)]

mod compile;
mod constants;
pub mod element;
mod error;
pub mod fixed;
mod float;
pub mod limits;
mod machine;
mod op;
mod options;
mod pixel;
mod processed;
mod program;
mod real;
mod sampler;
pub mod skin;
mod vertex;

pub use constants::{Bump, Constants};
pub use error::Error;
pub use machine::Machine;
pub use options::{Denormals, FloatRules, Options};
pub use pixel::{QuadInput, QuadOutput};
pub use processed::{NotProcessed, check_processed};
pub use program::{Input, Output, Program};
pub use real::Real;
pub use sampler::{Fetch, Lod, NoTextures, Sampler};
pub use vertex::{Group, GroupRegister, VertexInput, VertexOutput};
