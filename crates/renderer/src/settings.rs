use std::path::PathBuf;
use std::time::Duration;

use crate::image::ImageFormat;

/// How a [`Renderer`](crate::Renderer) behaves. The library reads no environment: front doors
/// fill this in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Makes every sampler that has a mip filter and a minification filter other than point 8x
    /// anisotropic with linear mips. Off by default: it changes what the program asked for.
    pub quality_aniso: bool,
    /// Bytes that the content-keyed texture cache may hold, mip chains included. 512 MiB by
    /// default.
    pub texture_cache_bytes: u64,
    /// Entries that the content-keyed texture cache may hold. 1,024 by default.
    pub texture_cache_entries: usize,
    /// Pipelines with a vertex shader that may exist. 4,096 by default; they are never evicted.
    pub program_pipelines: usize,
    /// Pipelines with fixed-function or pretransformed vertices that may exist. 2,048 by default.
    pub fixed_pipelines: usize,
    /// Binds white instead of failing when a fixed-function stage of a specification-level draw
    /// has no texture. A diagnostic; off by default.
    pub texture_fallback: bool,
    /// Threads that translate shaders and build pipelines ahead of the draws that need them: 0 to
    /// 6, 3 by default, started when there is work. With 0 every pipeline is built by its first
    /// draw.
    pub pipeline_workers: usize,
    /// Has the workers translate shaders when they are registered. On by default; without it they
    /// only build what the manifest says.
    pub shader_prewarm: bool,
    /// Folder of the manifest (`manifest-v2.bin`) and the archive. `None`, the default, keeps
    /// nothing between sessions.
    pub pipeline_cache_dir: Option<PathBuf>,
    /// Keeps the driver's own pipeline cache in the folder too. Off by default: drivers that have
    /// one mostly keep it themselves.
    pub pipeline_archive: bool,
    /// How long no pipeline must have been built before the archive is written. 15 s by default.
    pub pipeline_archive_save: Duration,
    /// Tells every pipeline built at the level `INFO` instead of `DEBUG`.
    pub pipeline_trace: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            quality_aniso: false,
            texture_cache_bytes: 512 << 20,
            texture_cache_entries: 1024,
            program_pipelines: 4096,
            fixed_pipelines: 2048,
            texture_fallback: false,
            pipeline_workers: 3,
            shader_prewarm: true,
            pipeline_cache_dir: None,
            pipeline_archive: false,
            pipeline_archive_save: Duration::from_secs(15),
            pipeline_trace: false,
        }
    }
}

/// What the adapter and the renderer can do together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Name of the adapter as its driver gives it.
    pub adapter: String,
    /// Largest width and height of a two-dimensional image, in texels.
    pub max_texture_size: u32,
    /// Largest edge of a volume image, in texels.
    pub max_volume_size: u32,
    /// Whether [`ImageFormat::Bc1`](crate::ImageFormat::Bc1) to `Bc3` exist.
    pub bc_textures: bool,
    /// Whether 16-bit normalised formats exist.
    pub norm16_textures: bool,
    /// Whether 32-bit float formats can be filtered.
    pub float32_filterable: bool,
    /// Largest anisotropy, 1 to 16.
    pub max_anisotropy: u8,
    /// Whether `D3DTADDRESS_BORDER` works with the three native border colours.
    pub border_address: bool,
    /// Whether `D3DFILL_WIREFRAME` works.
    pub wireframe: bool,
    /// Whether `D3DFILL_POINT` works.
    pub point_fill: bool,
    /// By the number of each format, minus one.
    pub(crate) sample_counts: [u8; ImageFormat::ALL.len()],
}

impl Caps {
    /// Sample counts that targets of a format may have: bit n is 2^n samples. 0 for formats that
    /// cannot be targets.
    pub fn sample_counts(&self, format: ImageFormat) -> u8 {
        self.sample_counts[format as usize - 1]
    }
}

/// Counters since the renderer was made; gauges where said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Draws recorded.
    pub draws: u64,
    /// Passes opened.
    pub passes: u64,
    /// Command buffers submitted.
    pub submissions: u64,
    /// Pipelines built.
    pub pipelines_built: u64,
    /// Shader functions translated or generated.
    pub shaders_translated: u64,
    /// Bind groups of textures and samplers made.
    pub bind_groups_made: u64,
    /// Bytes of vertices, indices and constants copied into arenas.
    pub arena_bytes: u64,
    /// Bytes of vertices and indices bound from resident buffers.
    pub resident_bytes: u64,
    /// Clears that became the load operation of a following pass.
    pub clears_folded: u64,
    /// Clears that needed a pass or draws of their own.
    pub clears_encoded: u64,
    /// Gauge: native sampler objects alive in the cache, at most 256.
    pub samplers: usize,
    /// Gauge: native depth-stencil states in the cache, at most 64.
    pub depth_stencil_states: usize,
    /// Gauge: content-keyed textures alive in the cache.
    pub cached_textures: usize,
    /// Gauge: bytes of content-keyed textures alive in the cache.
    pub cached_texture_bytes: u64,
}
