//! The pipeline compiler service: translations, functions and pipelines, made once each by
//! whichever thread needs them first.
//!
//! A draw whose pipeline is not ready builds it, or waits for the worker that is building that one;
//! draws are never skipped. Workers translate shaders when they are registered, and rebuild what
//! the manifest says earlier sessions used as soon as the same shaders exist again.
//!
//! One lock guards all bookkeeping ([`State`]) and is never held while something is translated,
//! compiled or built. Every entry goes through these states and none other:
//!
//! ```text
//!            (worker) Queued --claimed by worker or draw--> Building --> Ready
//!   (draw, none yet) -------------------------------------> Building --> Failed
//!                                                              ^            | at most three
//!                                                              +------------+ attempts, 2 s apart
//! ```
//!
//! Only the thread that moved an entry to `Building` moves it on, so that a wait for an entry that
//! is building always ends; who waits holds nothing that a builder needs. Functions do the same,
//! and a builder waits only for functions, which wait for nothing: there is no circle.

mod archive;
mod build;
mod entries;
mod functions;
mod layouts;
mod manifest;
mod recipe;
mod stats;
mod store;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ninefold_bytecode::{ShaderCode, Stage, radial_fog};
use ninefold_gpu::{AdapterKind, Gpu, PipelineCache, RenderPipeline};
use ninefold_shader::writers::MslVersion;
use ninefold_shader::{Options, fixed};
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;

pub(crate) use build::Prepared;
use entries::Entry;
use functions::{Compilation, Source};
pub(crate) use functions::{Function, FunctionId};
pub(crate) use layouts::Layouts;
pub use manifest::{Manifest, ManifestError, RecipeSummary};
use recipe::Recipe;
pub(crate) use recipe::{Ingredients, MAX_STRIDE, PixelHalf, VertexHalf};
pub use stats::PipelineStats;
use store::Store;
use worker::{Queues, Variant};

use crate::error::{Error, Result};
use crate::link::VertexLink;
use crate::pipeline::PipelineKey;
use crate::settings::Settings;
use crate::spec_draws::pass_through;

/// Attempts that a function or a pipeline gets.
const ATTEMPTS: u8 = 3;
/// How long a failure stands before the next attempt.
const RETRY: Duration = Duration::from_secs(2);
/// Pixel-shader options of which shaders are translated ahead.
const VARIANTS: usize = 64;
/// Workers at most.
const WORKERS: usize = 6;

/// On whose time something is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// A draw waits for it.
    Draw,
    /// Nobody does, yet.
    Worker,
}

/// An attempt that failed.
#[derive(Clone)]
struct Failure {
    error: Error,
    attempts: u8,
    at: Instant,
    /// A worker's: the draw that needs it tries for itself.
    background: bool,
}

impl Failure {
    fn new(error: &Error, attempts_before: u8, who: Who) -> Self {
        Self {
            error: error.clone(),
            attempts: attempts_before + 1,
            at: Instant::now(),
            background: who == Who::Worker,
        }
    }

    fn may_retry(&self, after: Duration) -> bool {
        self.attempts < ATTEMPTS && (self.background || self.at.elapsed() >= after)
    }
}

/// What gives tests their pipelines instead of the driver.
#[cfg(test)]
type Driver = Arc<dyn Fn(&PipelineKey) -> Result<RenderPipeline> + Send + Sync>;

#[cfg(test)]
std::thread_local! {
    /// For the compilers that this thread makes.
    static DRIVER: std::cell::RefCell<Option<Driver>> = const { std::cell::RefCell::new(None) };
}

/// What all threads share.
struct Shared {
    #[cfg(test)]
    driver: Option<Driver>,
    gpu: Gpu,
    layouts: Arc<Layouts>,
    archive: Option<PipelineCache>,
    /// The GPU has no storage buffers.
    uniforms_only: bool,
    /// Pixel functions must be [whole](Options::whole_floats).
    whole_floats: bool,
    /// Functions are written as MSL, of this version.
    msl: Option<MslVersion>,
    retry: Duration,
    /// Pipelines that may exist: with a vertex shader, with fixed-function vertices.
    capacity: [usize; 2],
    /// Workers at most.
    workers: usize,
    prewarm: bool,
    /// Draws may ask for radial fog.
    radial_fog: bool,
    /// Builds are told at a level that shows without asking.
    trace: bool,
    said_fill: AtomicBool,
    state: Mutex<State>,
    /// Something was finished: a function, a pipeline, all work.
    changed: Condvar,
    /// There is work, or none will come any more.
    work: Condvar,
}

#[derive(Default)]
struct State {
    shaders: FxHashMap<u64, ShaderCode>,
    by_source: FxHashMap<Source, Result<Arc<Function>>>,
    by_identity: FxHashMap<u64, Arc<Function>>,
    /// By [`FunctionId`].
    compilations: Vec<Compilation>,
    entries: Vec<Entry>,
    by_key: FxHashMap<PipelineKey, u32>,
    /// Entries with a vertex shader, with fixed-function vertices.
    counts: [usize; 2],
    /// Recipes of earlier sessions.
    recipes: Vec<Recipe>,
    /// The recipes that name a shader.
    waiting: FxHashMap<u64, Vec<u32>>,
    variants: Vec<Variant>,
    queues: Queues,
    handles: Vec<JoinHandle<()>>,
    idle: usize,
    /// The manifest was read.
    loaded: bool,
    quit: bool,
    stats: PipelineStats,
}

/// The draw thread's end of the service.
pub(crate) struct Compiler {
    shared: Arc<Shared>,
    store: Option<Store>,
}

impl Compiler {
    pub(crate) fn new(gpu: &Gpu, settings: &Settings, layouts: Arc<Layouts>) -> Self {
        let software = gpu.adapter_info().kind == AdapterKind::Cpu;
        let folder = settings.pipeline_cache_dir.as_deref();
        let folder = folder.filter(|_| !software || settings.pipeline_cache_on_software);
        let archive = match (folder, settings.pipeline_archive) {
            (Some(folder), true) => archive::open(gpu, folder),
            _ => None,
        };
        let shared = Arc::new(Shared {
            #[cfg(test)]
            driver: DRIVER.with_borrow(Clone::clone),
            gpu: gpu.clone(),
            layouts,
            archive,
            uniforms_only: gpu.caps().max_storage_binding == 0,
            whole_floats: gpu.caps().short_pixel_paths,
            msl: gpu.caps().takes_msl.then(MslVersion::here),
            retry: RETRY,
            capacity: [settings.program_pipelines, settings.fixed_pipelines],
            workers: settings.pipeline_workers.min(WORKERS),
            prewarm: settings.shader_prewarm,
            radial_fog: settings.radial_fog,
            trace: settings.pipeline_trace,
            said_fill: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
            work: Condvar::new(),
        });
        if shared.radial_fog && shared.prewarm && shared.workers > 0 {
            // Vertices that come with a fog factor of the program's.
            for position in [fixed::position::PIXELS, fixed::position::CLIP] {
                shared.prewarm_fixed(&pass_through(
                    position,
                    &[0, 1, 2, 3, 4, 5, 6, 7],
                    true,
                    true,
                ));
            }
        }
        let store = folder.and_then(|folder| {
            Store::start(folder.to_owned(), settings.pipeline_archive_save, &shared)
        });
        if store.is_none() {
            shared.state.lock().loaded = true;
        }
        Self { shared, store }
    }

    /// Makes a shader known by `name`, its content key unless another shader has that, and has
    /// workers translate it and what the manifest wants with it.
    pub(crate) fn register(&self, name: u64, code: &ShaderCode) {
        let shared = &self.shared;
        let mut state = shared.state.lock();
        state.shaders.insert(name, code.clone());
        state.stats.shaders_registered += 1;
        if shared.workers == 0 {
            return;
        }
        state.queue_recipes_of(name);
        if shared.prewarm {
            let plain = Variant::of(&Options::default());
            state.queues.translate.push_back((name, plain));
            if shared.radial_fog {
                let modes = radial_fog::modes(code).iter();
                state.queues.radial.extend(modes.map(|&mode| (name, mode)));
            }
            if code.version().stage == Stage::Pixel {
                let State {
                    variants, queues, ..
                } = &mut *state;
                let jobs = variants.iter().map(|&variant| (name, variant));
                queues.translate.extend(jobs);
            }
        }
        drop(state);
        shared.wake();
    }

    /// What decides the pipeline of `ingredients`, translated.
    pub(crate) fn prepare(&self, ingredients: &Ingredients) -> Result<Prepared> {
        self.shared.prepare(ingredients)
    }

    /// A vertex function as it is when nothing is known about the rest of its draw.
    pub(crate) fn vertex_function(&self, half: &VertexHalf) -> Result<Arc<Function>> {
        self.shared.vertex(half, VertexLink::default())
    }

    /// The pipeline for a draw that needs it now, built or waited for where it is not ready.
    /// `recordable`: its shaders have names of their own.
    pub(crate) fn acquire(
        &self,
        ingredients: &Ingredients,
        prepared: &Prepared,
        recordable: bool,
    ) -> Result<RenderPipeline> {
        let (pipeline, built) = self.shared.acquire(ingredients, prepared)?;
        if built {
            self.shared.note_variant(&ingredients.pixel);
            if let (Some(store), true) = (&self.store, recordable) {
                let mut recipe = ingredients.recipe()?;
                recipe.key = prepared.key.hash();
                store.append(recipe);
            }
        }
        Ok(pipeline)
    }

    /// How long a failure stands.
    pub(crate) fn retry_after(&self) -> Duration {
        self.shared.retry
    }

    /// Waits until the workers have nothing to do, the manifest's pipelines included as far as
    /// their shaders are registered.
    pub(crate) fn wait(&self) {
        let shared = &self.shared;
        let mut state = shared.state.lock();
        while !state.loaded || (shared.workers > 0 && !state.is_quiet()) {
            shared.changed.wait(&mut state);
        }
    }

    /// Writes what is not on disk yet, and has it reach the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        store
            .sync(&self.shared)
            .map_err(|error| Error::state(format!("writing the pipeline cache: {error}")))
    }

    pub(crate) fn stats(&self) -> PipelineStats {
        self.shared.state.lock().stats
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let handles = {
            let mut state = self.shared.state.lock();
            state.quit = true;
            core::mem::take(&mut state.handles)
        };
        self.shared.work.notify_all();
        for handle in handles {
            // A worker that panicked has said so.
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
mod disk_tests;
#[cfg(test)]
mod msl_tests;
#[cfg(test)]
mod tests;
