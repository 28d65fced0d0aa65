use std::time::Duration;

/// Counters of the pipeline compiler service since the renderer was made. Whether a pipeline came
/// out of the archive is the driver's knowledge: it shows in the time that building took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipelineStats {
    /// Pipelines that a draw had to build: each may have been a hitch.
    pub draw_builds: u64,
    /// Time that draws spent building them, their functions included.
    pub draw_build_time: Duration,
    /// Functions that a draw had to compile.
    pub draw_functions: u64,
    /// Draws that waited for a pipeline which a worker was building.
    pub waits: u64,
    /// Time that they waited.
    pub wait_time: Duration,
    /// Pipelines that workers built.
    pub background_builds: u64,
    /// Functions that workers compiled.
    pub background_functions: u64,
    /// Time that workers spent building and compiling.
    pub background_time: Duration,
    /// Pipelines that were ready before the first draw that needed them.
    pub prewarm_hits: u64,
    /// Shader functions translated or generated, failures included.
    pub translated: u64,
    /// Distinct shaders registered.
    pub shaders_registered: u64,
    /// Recipes read from the manifest.
    pub recipes_loaded: u64,
    /// Recipes that mean another pipeline than when they were recorded, or none, and were left
    /// out.
    pub recipes_dropped: u64,
    /// Recipes appended to the manifest.
    pub recipes_recorded: u64,
    /// Times that the driver's cache was written to disk.
    pub archive_saves: u64,
}

impl core::ops::AddAssign for PipelineStats {
    fn add_assign(&mut self, other: Self) {
        let Self {
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
        } = other;
        self.draw_builds += draw_builds;
        self.draw_build_time += draw_build_time;
        self.draw_functions += draw_functions;
        self.waits += waits;
        self.wait_time += wait_time;
        self.background_builds += background_builds;
        self.background_functions += background_functions;
        self.background_time += background_time;
        self.prewarm_hits += prewarm_hits;
        self.translated += translated;
        self.shaders_registered += shaders_registered;
        self.recipes_loaded += recipes_loaded;
        self.recipes_dropped += recipes_dropped;
        self.recipes_recorded += recipes_recorded;
        self.archive_saves += archive_saves;
    }
}
