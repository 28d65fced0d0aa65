//! How many bytes of vertices draws moved, and how many they found where they were.

use core::fmt;

use crate::device::Device;
use crate::hresult::Result;

/// Presented frames from report to report.
const REPORT_FRAMES: u64 = 600;

/// What [`Device::traffic`] counts since the device was made. Copies are of vertex and index buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Frames presented, by all swap chains.
    pub frames: u64,
    /// Draws that read a copy of a buffer on the GPU.
    pub resident_draws: u64,
    /// Bytes that draws read of such copies: those that they would have copied otherwise.
    pub resident_bytes: u64,
    /// Bytes of vertices that draws copied.
    pub arena_vertex_bytes: u64,
    /// Copies made.
    pub copies: u64,
    /// Copies given up because the buffer's bytes had changed without a lock.
    pub mismatches: u64,
    /// Clears that became part of the pass that followed.
    pub folded_clears: u64,
    /// Whether the fast paths of draws are on now.
    pub fast: bool,
    /// Bytes of buffers that have a copy now.
    pub cache_bytes: u64,
    /// The most that they ever were.
    pub peak_cache_bytes: u64,
    /// Times that a draw copied what it reads of a buffer for whose copy there was no room.
    pub budget_fallbacks: u64,
}

/// Megabytes as reports have them: of 2^20 bytes, to a tenth.
fn megabytes(bytes: u64) -> f64 {
    (bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0
}

impl fmt::Display for Traffic {
    /// As the report: `residentDraws=2 residentMB=0.5 ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "frame={} residentDraws={} residentMB={:.1} arenaVertexMB={:.1} copies={} \
             mismatches={} foldedClears={} fast={} cacheMB={:.1} peakCacheMB={:.1} \
             budgetFallbacks={}",
            self.frames,
            self.resident_draws,
            megabytes(self.resident_bytes),
            megabytes(self.arena_vertex_bytes),
            self.copies,
            self.mismatches,
            self.folded_clears,
            u8::from(self.fast),
            megabytes(self.cache_bytes),
            megabytes(self.peak_cache_bytes),
            self.budget_fallbacks
        )
    }
}

impl core::ops::AddAssign<&Traffic> for Traffic {
    /// Another device's counts to these; `fast` becomes the other's.
    fn add_assign(&mut self, other: &Traffic) {
        self.frames += other.frames;
        self.resident_draws += other.resident_draws;
        self.resident_bytes += other.resident_bytes;
        self.arena_vertex_bytes += other.arena_vertex_bytes;
        self.copies += other.copies;
        self.mismatches += other.mismatches;
        self.folded_clears += other.folded_clears;
        self.fast = other.fast;
        self.cache_bytes += other.cache_bytes;
        self.peak_cache_bytes += other.peak_cache_bytes;
        self.budget_fallbacks += other.budget_fallbacks;
    }
}

impl Device {
    /// What draws moved so far. Every 600 presented frames it is a `tracing` event too,
    /// `draw-traffic` of the target `ninefold::draw_traffic`.
    pub fn traffic(&self) -> Traffic {
        let moved = self.renderer.traffic();
        let (cache_bytes, peak_cache_bytes) = self.residency.bytes();
        let [copies, mismatches, budget_fallbacks] = self.residency.counts();
        Traffic {
            frames: self.frames,
            resident_draws: moved.resident_draws,
            resident_bytes: moved.resident_bytes,
            arena_vertex_bytes: moved.arena_vertex_bytes,
            copies,
            mismatches,
            folded_clears: moved.clears_folded,
            fast: self.renderer.fast_paths(),
            cache_bytes,
            peak_cache_bytes,
            budget_fallbacks,
        }
    }

    /// Switches [`RendererSettings::draw_fast_paths`](crate::RendererSettings::draw_fast_paths),
    /// between any two calls. Nothing looks different for it.
    ///
    /// # Errors
    /// `D3DERR_OUTOFVIDEOMEMORY` when the device is lost.
    pub fn set_draw_fast_paths(&mut self, on: bool) -> Result<()> {
        self.call(|d| Ok(d.renderer.set_fast_paths(on)?))
    }

    /// Counts a frame that was presented, and reports when it is time.
    pub(crate) fn count_frame(&mut self) {
        self.frames += 1;
        if !self.frames.is_multiple_of(REPORT_FRAMES) {
            return;
        }
        let traffic = self.traffic();
        tracing::info!(
            name: "draw-traffic",
            target: "ninefold::draw_traffic",
            frame = traffic.frames,
            residentDraws = traffic.resident_draws,
            residentMB = megabytes(traffic.resident_bytes),
            arenaVertexMB = megabytes(traffic.arena_vertex_bytes),
            copies = traffic.copies,
            mismatches = traffic.mismatches,
            foldedClears = traffic.folded_clears,
            fast = u8::from(traffic.fast),
            cacheMB = megabytes(traffic.cache_bytes),
            peakCacheMB = megabytes(traffic.peak_cache_bytes),
            budgetFallbacks = traffic.budget_fallbacks,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn megabytes_are_of_1024_kibibytes_and_rounded() {
        let of = |bytes| megabytes(bytes);
        assert_eq!([of(0), of(1 << 20), of(3 << 19)], [0.0, 1.0, 1.5]);
        // 0.95 of a megabyte is 996,147.2 bytes.
        assert_eq!([of(996_147), of(996_148)], [0.9, 1.0]);
    }

    #[test]
    fn the_report_reads_as_one_line() {
        let traffic = Traffic {
            frames: 600,
            resident_draws: 7,
            resident_bytes: 3 << 19,
            arena_vertex_bytes: 1 << 20,
            copies: 2,
            mismatches: 1,
            folded_clears: 5,
            fast: true,
            cache_bytes: 0,
            peak_cache_bytes: 1 << 21,
            budget_fallbacks: 4,
        };
        assert_eq!(
            traffic.to_string(),
            "frame=600 residentDraws=7 residentMB=1.5 arenaVertexMB=1.0 copies=2 mismatches=1 \
             foldedClears=5 fast=1 cacheMB=0.0 peakCacheMB=2.0 budgetFallbacks=4"
        );
    }
}
