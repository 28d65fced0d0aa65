//! How many vertices the draws of a replay copied, and how many they found on the GPU.

use std::fmt;

use serde::Serialize;

/// [`ninefold_d3d9::Traffic`] of all devices of a capture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Traffic {
    /// Draws that read a copy of a static buffer on the GPU.
    pub(crate) resident_draws: u64,
    /// Bytes of vertices and indices that they read there.
    pub(crate) resident_bytes: u64,
    /// Bytes of vertices that draws copied.
    pub(crate) arena_vertex_bytes: u64,
    /// Copies made.
    pub(crate) copies: u64,
    /// Copies given up for bytes that had changed.
    pub(crate) mismatches: u64,
    /// Clears that became part of a pass.
    pub(crate) folded_clears: u64,
    /// The most bytes that had copies at one time.
    pub(crate) peak_cache_bytes: u64,
    /// Buffers that draws copied for want of room.
    pub(crate) budget_fallbacks: u64,
}

impl From<&ninefold_d3d9::Traffic> for Traffic {
    fn from(traffic: &ninefold_d3d9::Traffic) -> Self {
        Self {
            resident_draws: traffic.resident_draws,
            resident_bytes: traffic.resident_bytes,
            arena_vertex_bytes: traffic.arena_vertex_bytes,
            copies: traffic.copies,
            mismatches: traffic.mismatches,
            folded_clears: traffic.folded_clears,
            peak_cache_bytes: traffic.peak_cache_bytes,
            budget_fallbacks: traffic.budget_fallbacks,
        }
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let Traffic {
            resident_draws,
            copies,
            mismatches,
            budget_fallbacks,
            ..
        } = self;
        let read = megabytes(self.resident_bytes);
        let copied = megabytes(self.arena_vertex_bytes);
        let peak = megabytes(self.peak_cache_bytes);
        writeln!(
            f,
            "  geometry  {read:.1} MB read on the GPU by {resident_draws} draws, {copied:.1} MB of vertices copied"
        )?;
        writeln!(
            f,
            "  copies    {copies} of static buffers, {peak:.1} MB at most; {mismatches} written to, \
             {budget_fallbacks} times no room"
        )
    }
}
