//! Counters as events: `pipeline-stats` and `renderer-stats`, of the targets
//! `ninefold::pipeline_stats` and `ninefold::renderer_stats`, with the fields of [`PipelineStats`]
//! and [`Stats`] by name. Times are in milliseconds.

use std::time::Duration;

use crate::compiler::PipelineStats;
use crate::renderer::Renderer;
use crate::settings::Stats;

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl Renderer {
    /// Tells all counters as two events of the level `INFO`: `pipeline-stats` of the target
    /// `ninefold::pipeline_stats` and `renderer-stats` of `ninefold::renderer_stats`. A renderer
    /// that goes does so by itself.
    pub fn tell_stats(&self) {
        if !tracing::enabled!(target: "ninefold::pipeline_stats", tracing::Level::INFO)
            && !tracing::enabled!(target: "ninefold::renderer_stats", tracing::Level::INFO)
        {
            return;
        }
        let PipelineStats {
            draw_builds,
            draw_build_time,
            draw_functions,
            waits,
            wait_time,
            background_builds,
            background_functions,
            background_time,
            prewarm_hits,
            translated,
            shaders_registered,
            recipes_loaded,
            recipes_dropped,
            recipes_recorded,
            archive_saves,
        } = self.pipeline_stats();
        tracing::info!(
            name: "pipeline-stats",
            target: "ninefold::pipeline_stats",
            draw_builds,
            draw_build_time = ms(draw_build_time),
            draw_functions,
            waits,
            wait_time = ms(wait_time),
            background_builds,
            background_functions,
            background_time = ms(background_time),
            prewarm_hits,
            translated,
            shaders_registered,
            recipes_loaded,
            recipes_dropped,
            recipes_recorded,
            archive_saves,
        );
        let Stats {
            draws,
            passes,
            submissions,
            pipelines_built,
            shaders_translated,
            bind_groups_made,
            arena_bytes,
            arena_vertex_bytes,
            resident_draws,
            resident_bytes,
            clears_folded,
            clears_encoded,
            samplers,
            depth_stencil_states,
            cached_textures,
            cached_texture_bytes,
        } = self.stats();
        tracing::info!(
            name: "renderer-stats",
            target: "ninefold::renderer_stats",
            draws,
            passes,
            submissions,
            pipelines_built,
            shaders_translated,
            bind_groups_made,
            arena_bytes,
            arena_vertex_bytes,
            resident_draws,
            resident_bytes,
            clears_folded,
            clears_encoded,
            samplers,
            depth_stencil_states,
            cached_textures,
            cached_texture_bytes,
        );
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        self.tell_stats();
    }
}

impl core::ops::AddAssign for Stats {
    /// Sums, also of the gauges: for what several renderers did together.
    fn add_assign(&mut self, other: Self) {
        let Self {
            draws,
            passes,
            submissions,
            pipelines_built,
            shaders_translated,
            bind_groups_made,
            arena_bytes,
            arena_vertex_bytes,
            resident_draws,
            resident_bytes,
            clears_folded,
            clears_encoded,
            samplers,
            depth_stencil_states,
            cached_textures,
            cached_texture_bytes,
        } = other;
        self.draws += draws;
        self.passes += passes;
        self.submissions += submissions;
        self.pipelines_built += pipelines_built;
        self.shaders_translated += shaders_translated;
        self.bind_groups_made += bind_groups_made;
        self.arena_bytes += arena_bytes;
        self.arena_vertex_bytes += arena_vertex_bytes;
        self.resident_draws += resident_draws;
        self.resident_bytes += resident_bytes;
        self.clears_folded += clears_folded;
        self.clears_encoded += clears_encoded;
        self.samplers += samplers;
        self.depth_stencil_states += depth_stencil_states;
        self.cached_textures += cached_textures;
        self.cached_texture_bytes += cached_texture_bytes;
    }
}
