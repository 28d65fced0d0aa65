use std::path::PathBuf;
use std::time::Duration;

use crate::image::ImageFormat;
use crate::radial_fog::RadialFogSwitch;

/// How a [`Renderer`](crate::Renderer) behaves. The library reads no environment: front doors
/// fill this in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Makes every sampler that has a mip filter and a minification filter other than point 8x
    /// anisotropic with linear mips. Off by default: it changes what the program asked for. The
    /// front doors have it on ([`Settings::from_variables`]): games of the time asked for bilinear
    /// filters and point mips because few cards could do more.
    pub quality_aniso: bool,
    /// Does so on adapters that are software, too. On by default, off in front doors: it costs
    /// time there, and such adapters get no anisotropy anyhow, because theirs blurs where a texel
    /// meets a pixel.
    pub quality_aniso_on_software: bool,
    /// Bytes that the content-keyed texture cache may hold, mip chains included. 512 MiB by
    /// default.
    pub texture_cache_bytes: u64,
    /// Entries that the content-keyed texture cache may hold. 1,024 by default.
    pub texture_cache_entries: usize,
    /// Pipelines with a vertex shader that may exist. 4,096 by default; they are never evicted, and
    /// those of the manifest take three quarters at most.
    pub program_pipelines: usize,
    /// The same of fixed-function or pretransformed vertices. 2,048 by default.
    pub fixed_pipelines: usize,
    /// Binds white instead of failing when a fixed-function stage of a specification-level draw
    /// has no texture. A diagnostic; off by default.
    pub texture_fallback: bool,
    /// Lets clears become the load operation of the pass that follows, and draws set only the state
    /// that differs. On by default. Off, each clear is a pass and each draw sets everything: the
    /// same pixels, for telling whether a fault is here. [`Renderer::set_fast_paths`] switches it
    /// later.
    ///
    /// [`Renderer::set_fast_paths`]: crate::Renderer::set_fast_paths
    pub draw_fast_paths: bool,
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
    /// Uses that folder on adapters that are software, too. On by default. There, pipelines cost
    /// little and workers take time from drawing.
    pub pipeline_cache_on_software: bool,
    /// Keeps the driver's own pipeline cache in the folder too. Off by default: drivers that have
    /// one mostly keep it themselves.
    pub pipeline_archive: bool,
    /// How long no pipeline must have been built before the archive is written. 15 s by default.
    pub pipeline_archive_save: Duration,
    /// Tells every pipeline built at the level `INFO` instead of `DEBUG`.
    pub pipeline_trace: bool,
    /// Draws may ask for radial fog
    /// ([`Renderer::radial_shader`](crate::Renderer::radial_shader)): workers prepare the variants
    /// of vertex shaders, and the pipelines of earlier sessions that have them. Off by default.
    pub radial_fog: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            quality_aniso: false,
            quality_aniso_on_software: true,
            texture_cache_bytes: 512 << 20,
            texture_cache_entries: 1024,
            program_pipelines: 4096,
            fixed_pipelines: 2048,
            texture_fallback: false,
            draw_fast_paths: true,
            pipeline_workers: 3,
            shader_prewarm: true,
            pipeline_cache_dir: None,
            pipeline_cache_on_software: true,
            pipeline_archive: false,
            pipeline_archive_save: Duration::from_secs(15),
            pipeline_trace: false,
            radial_fog: false,
        }
    }
}

impl Settings {
    /// The settings of a front door for `program`: `variable` looks up the variables of its
    /// environment.
    ///
    /// | variable | setting |
    /// |---|---|
    /// | `NINEFOLD_DRAW_FASTPATH` | 0: no [`draw_fast_paths`](Self::draw_fast_paths) |
    /// | `NINEFOLD_PIPELINE_WORKERS` | [`pipeline_workers`](Self::pipeline_workers) |
    /// | `NINEFOLD_SHADER_PREWARM` | 0: no [`shader_prewarm`](Self::shader_prewarm) |
    /// | `NINEFOLD_PIPELINE_CACHE` | 0: no [`pipeline_cache_dir`](Self::pipeline_cache_dir) |
    /// | `NINEFOLD_PIPELINE_CACHE_DIR` | that folder; by default `ninefold/pipelines/PROGRAM` where the user's caches are, on adapters that are not software |
    /// | `NINEFOLD_PIPELINE_ARCHIVE` | 1: [`pipeline_archive`](Self::pipeline_archive) |
    /// | `NINEFOLD_PIPELINE_ARCHIVE_SAVE_MS` | [`pipeline_archive_save`](Self::pipeline_archive_save) in milliseconds |
    /// | `NINEFOLD_PIPELINE_TRACE` | 1: [`pipeline_trace`](Self::pipeline_trace) |
    /// | `NINEFOLD_NO_ANISO` | anything that does not begin with 0: no [`quality_aniso`](Self::quality_aniso), which is on otherwise, on adapters that are not software |
    /// | `NINEFOLD_RADIAL_FOG` | exactly 1: [`radial_fog`](Self::radial_fog); see [`RadialFogSwitch`](crate::RadialFogSwitch) |
    /// | `NINEFOLD_TEX_FALLBACK` | 1: [`texture_fallback`](Self::texture_fallback) |
    pub fn from_variables(program: &str, variable: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let set = |name: &str, default: bool| get(name).map_or(default, |value| is_on(&value));
        let number = |name: &str| get(name).and_then(|value| value.trim().parse::<u64>().ok());
        let defaults = Self::default();
        let workers = number("NINEFOLD_PIPELINE_WORKERS").map(|workers| workers.min(6) as usize);
        let named = get("NINEFOLD_PIPELINE_CACHE_DIR").map(PathBuf::from);
        let is_named = named.is_some();
        let folder = named.or_else(|| {
            let [caches, rest] = if cfg!(target_os = "windows") {
                ["LOCALAPPDATA", "ninefold/pipelines"]
            } else if cfg!(target_vendor = "apple") {
                ["HOME", "Library/Caches/ninefold/pipelines"]
            } else if get("XDG_CACHE_HOME").is_some() {
                ["XDG_CACHE_HOME", "ninefold/pipelines"]
            } else {
                ["HOME", ".cache/ninefold/pipelines"]
            };
            // One program's pipelines are of no use to another, and would fill its caches.
            let program = match program {
                "" | "." | ".." => "program",
                program => program,
            };
            let program = program.replace(['/', '\\'], "_");
            Some(PathBuf::from(get(caches)?).join(rest).join(program))
        });
        let save = number("NINEFOLD_PIPELINE_ARCHIVE_SAVE_MS").map(Duration::from_millis);
        Self {
            pipeline_workers: workers.unwrap_or(defaults.pipeline_workers),
            draw_fast_paths: set("NINEFOLD_DRAW_FASTPATH", true),
            shader_prewarm: set("NINEFOLD_SHADER_PREWARM", true),
            pipeline_cache_dir: folder.filter(|_| set("NINEFOLD_PIPELINE_CACHE", true)),
            pipeline_cache_on_software: is_named,
            pipeline_archive: set("NINEFOLD_PIPELINE_ARCHIVE", false),
            pipeline_archive_save: save.unwrap_or(defaults.pipeline_archive_save),
            pipeline_trace: set("NINEFOLD_PIPELINE_TRACE", false),
            texture_fallback: set("NINEFOLD_TEX_FALLBACK", false),
            quality_aniso: variable("NINEFOLD_NO_ANISO")
                .is_none_or(|value| value.is_empty() || value.starts_with('0')),
            quality_aniso_on_software: false,
            radial_fog: RadialFogSwitch::is_one(variable("NINEFOLD_RADIAL_FOG").as_deref()),
            ..defaults
        }
    }
}

/// Whether the value of a variable that switches something switches it on: all do but `0`, `off`,
/// `false` and `no`, in letters of either case, and nothing at all.
pub fn is_on(value: &str) -> bool {
    let value = value.trim();
    let off = ["", "0", "off", "false", "no"];
    !off.iter().any(|word| value.eq_ignore_ascii_case(word))
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
    /// Bytes of vertices that draws copied into arenas.
    pub arena_vertex_bytes: u64,
    /// Draws that read a resident buffer.
    pub resident_draws: u64,
    /// Bytes of vertices and indices that draws read of resident buffers: those that they would
    /// have copied otherwise. With resident indices of unknown extent, all vertices that are bound.
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

/// How much draws moved since the renderer was made: the part of [`Stats`] that costs no lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// See [`Stats::resident_draws`].
    pub resident_draws: u64,
    /// See [`Stats::resident_bytes`].
    pub resident_bytes: u64,
    /// See [`Stats::arena_vertex_bytes`].
    pub arena_vertex_bytes: u64,
    /// See [`Stats::arena_bytes`].
    pub arena_bytes: u64,
    /// See [`Stats::clears_folded`].
    pub clears_folded: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Settings {
        Settings::from_variables("a/game", |name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn variables_are_read() {
        let nothing = read(&[]);
        assert_eq!(nothing.pipeline_workers, 3);
        assert!(nothing.shader_prewarm && !nothing.pipeline_archive);
        assert_eq!(nothing.pipeline_cache_dir, None, "no home, no folder");
        let all = read(&[
            ("NINEFOLD_PIPELINE_WORKERS", "99"),
            ("NINEFOLD_SHADER_PREWARM", "0"),
            ("NINEFOLD_PIPELINE_CACHE_DIR", "here"),
            ("NINEFOLD_PIPELINE_ARCHIVE", "1"),
            ("NINEFOLD_PIPELINE_ARCHIVE_SAVE_MS", "20"),
            ("NINEFOLD_PIPELINE_TRACE", "1"),
            ("NINEFOLD_TEX_FALLBACK", "1"),
            ("NINEFOLD_DRAW_FASTPATH", "0"),
        ]);
        assert!(all.texture_fallback && !nothing.texture_fallback);
        assert!(!all.draw_fast_paths && nothing.draw_fast_paths);
        assert_eq!(all.pipeline_workers, 6);
        assert!(!all.shader_prewarm && all.pipeline_archive && all.pipeline_trace);
        assert_eq!(all.pipeline_cache_dir, Some(PathBuf::from("here")));
        assert!(all.pipeline_cache_on_software && !nothing.pipeline_cache_on_software);
        assert_eq!(all.pipeline_archive_save, Duration::from_millis(20));
        let off = [
            ("NINEFOLD_PIPELINE_CACHE", "0"),
            ("NINEFOLD_PIPELINE_CACHE_DIR", "here"),
        ];
        assert_eq!(read(&off).pipeline_cache_dir, None);
        assert_eq!(
            read(&[("NINEFOLD_PIPELINE_WORKERS", "0")]).pipeline_workers,
            0
        );
        assert_eq!(
            read(&[("NINEFOLD_PIPELINE_WORKERS", "many")]).pipeline_workers,
            3
        );
    }

    #[test]
    fn quality_is_on_unless_it_is_off() {
        assert!(
            !Settings::default().quality_aniso,
            "a library changes nothing"
        );
        assert!(read(&[]).quality_aniso);
        for (value, on) in [
            ("", true),
            ("0", true),
            ("0 is off", true),
            ("1", false),
            ("no", false),
            (" 0", false),
        ] {
            let settings = read(&[("NINEFOLD_NO_ANISO", value)]);
            assert_eq!(settings.quality_aniso, on, "{value:?}");
            assert!(!settings.quality_aniso_on_software);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn caches_are_where_the_user_keeps_them() {
        let home = ("HOME", "/home/me");
        let folder = read(&[home]).pipeline_cache_dir;
        assert_eq!(
            folder,
            Some(PathBuf::from("/home/me/.cache/ninefold/pipelines/a_game"))
        );
        let folder = read(&[home, ("XDG_CACHE_HOME", "/fast")]).pipeline_cache_dir;
        assert_eq!(
            folder,
            Some(PathBuf::from("/fast/ninefold/pipelines/a_game"))
        );
    }
}
