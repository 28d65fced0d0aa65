//! The hard limits of this crate in one place, each with its reason.

/// Operations one run may execute, unless [`Options::max_steps`](crate::Options::max_steps)
/// says otherwise.
///
/// Direct3D 9 devices promise at most 65,535 executed instructions
/// (`D3DCAPS9::MaxVShaderInstructionsExecuted`); this is sixteen times that.
/// Without a bound, four nested loops of 255 runs would keep a thread for hours.
pub const MAX_STEPS: u32 = 1 << 20;

/// Instructions of a vs_1_x that [`check_processed`](crate::check_processed) takes, declarations and
/// definitions aside.
///
/// Direct3D 9 gives model 1 128 slots; this is the specification's number.
pub const MODEL_1_INSTRUCTIONS: usize = 256;

/// Times one loop may run: the largest count of a Direct3D 9 integer constant.
pub const MAX_ITERATIONS: i32 = 255;

/// Input registers of a vertex shader (`v0` to `v15`).
pub const VERTEX_INPUTS: usize = 16;

/// Places in a [`VertexOutput`](crate::VertexOutput): oPos, oFog, oPts, two
/// colours and eight coordinate sets (vs_3_0 has twelve outputs).
pub const VERTEX_OUTPUTS: usize = 13;

/// Places in a [`QuadInput`](crate::QuadInput): two colours and eight coordinate
/// sets, or the ten inputs of ps_3_0.
pub const PIXEL_INPUTS: usize = 10;

/// Render targets (`oC0` to `oC3`).
pub const TARGETS: usize = 4;

/// Texture stages that have bump parameters.
pub const BUMP_STAGES: usize = 8;

/// Vertices that run together in [`Program::group`](crate::Program::group) and
/// [`Program::run_vertices`](crate::Program::run_vertices).
///
/// Eight vectors of four floats on the smallest machines, four of eight on most. With
/// sixteen vertices deciding what an operation is takes two fifths longer for each; with
/// more the registers of a long shader no longer fit the fastest memory.
pub const GROUP: usize = 32;
