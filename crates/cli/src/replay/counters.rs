//! What the renderer counted, for people and as JSON.

use std::fmt;

use ninefold_d3d9::RendererStats;
use serde::Serialize;

/// Counters of all devices of a capture together; what the caches hold is as of the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counters {
    /// Draws recorded for the GPU.
    pub(crate) draws: u64,
    /// Passes opened.
    pub(crate) passes: u64,
    /// Command buffers submitted.
    pub(crate) submissions: u64,
    /// Clears that became the beginning of a pass.
    pub(crate) clears_folded: u64,
    /// Clears that needed a pass or draws of their own.
    pub(crate) clears_encoded: u64,
    /// Bytes of vertices, indices, constants and uploads copied for the GPU.
    pub(crate) arena_bytes: u64,
    /// Those of vertices among them.
    pub(crate) arena_vertex_bytes: u64,
    /// Draws that read a resident buffer.
    pub(crate) resident_draws: u64,
    /// Bytes that they read there instead of copying them.
    pub(crate) resident_bytes: u64,
    /// Bind groups of textures and samplers made.
    pub(crate) bind_groups: u64,
    /// Native samplers cached.
    pub(crate) samplers: usize,
    /// Depth-stencil states cached.
    pub(crate) depth_stencil_states: usize,
    /// Content-keyed textures cached.
    pub(crate) cached_textures: usize,
    /// Their bytes.
    pub(crate) cached_texture_bytes: u64,
}

impl From<&RendererStats> for Counters {
    fn from(stats: &RendererStats) -> Self {
        Self {
            draws: stats.draws,
            passes: stats.passes,
            submissions: stats.submissions,
            clears_folded: stats.clears_folded,
            clears_encoded: stats.clears_encoded,
            arena_bytes: stats.arena_bytes,
            arena_vertex_bytes: stats.arena_vertex_bytes,
            resident_draws: stats.resident_draws,
            resident_bytes: stats.resident_bytes,
            bind_groups: stats.bind_groups_made,
            samplers: stats.samplers,
            depth_stencil_states: stats.depth_stencil_states,
            cached_textures: stats.cached_textures,
            cached_texture_bytes: stats.cached_texture_bytes,
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            draws,
            passes,
            submissions,
            clears_folded,
            clears_encoded,
            arena_bytes,
            bind_groups,
            samplers,
            depth_stencil_states,
            cached_textures,
            cached_texture_bytes,
            ..
        } = *self;
        let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        writeln!(
            f,
            "renderer    {draws} draws in {passes} passes and {submissions} submissions"
        )?;
        writeln!(
            f,
            "  clears    {clears_folded} folded into passes, {clears_encoded} on their own"
        )?;
        writeln!(
            f,
            "  copied    {:.1} MB of vertices, indices, constants and uploads",
            mb(arena_bytes)
        )?;
        writeln!(
            f,
            "  caches    {samplers} samplers, {depth_stencil_states} depth-stencil states, \
             {bind_groups} bind groups made, {cached_textures} keyed textures of {:.2} MB",
            mb(cached_texture_bytes)
        )
    }
}
