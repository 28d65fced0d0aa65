//! The workers: threads of low priority that make what will be needed, from five queues in a fixed
//! order.

use std::collections::VecDeque;
use std::sync::Arc;

use ninefold_bytecode::Stage;
use ninefold_bytecode::radial_fog::Mode;
use ninefold_shader::{OPTION_BYTES, Options};

use super::entries::Status;
use super::functions::Function;
use super::recipe::Recipe;
use super::{Prepared, Shared, State, VARIANTS, Who};

/// What is to be done, most urgent first.
#[derive(Default)]
pub(super) struct Queues {
    /// Shaders by name, with the options to translate them with.
    pub(super) translate: VecDeque<(u64, Variant)>,
    /// Vertex shaders by name, with the fog to measure from the eye.
    pub(super) radial: VecDeque<(u64, Mode)>,
    /// Recipes whose shaders are registered, by number.
    pub(super) prepare: VecDeque<u32>,
    /// Functions to compile.
    pub(super) functions: VecDeque<Arc<Function>>,
    /// Entries to build.
    pub(super) build: VecDeque<(u32, Arc<Prepared>)>,
}

enum Job {
    Translate(u64, Variant),
    Radial(u64, Mode),
    Prepare(u32),
    Function(Arc<Function>),
    Build(u32, Arc<Prepared>),
}

impl Queues {
    fn next(&mut self) -> Option<Job> {
        if let Some((name, variant)) = self.translate.pop_front() {
            return Some(Job::Translate(name, variant));
        }
        if let Some((name, mode)) = self.radial.pop_front() {
            return Some(Job::Radial(name, mode));
        }
        if let Some(recipe) = self.prepare.pop_front() {
            return Some(Job::Prepare(recipe));
        }
        if let Some(function) = self.functions.pop_front() {
            return Some(Job::Function(function));
        }
        let (entry, prepared) = self.build.pop_front()?;
        Some(Job::Build(entry, prepared))
    }

    fn len(&self) -> usize {
        self.translate.len()
            + self.radial.len()
            + self.prepare.len()
            + self.functions.len()
            + self.build.len()
    }
}

impl State {
    /// Queues the recipes that `name` completes.
    pub(super) fn queue_recipes_of(&mut self, name: u64) {
        let Some(waiting) = self.waiting.remove(&name) else {
            return;
        };
        for number in waiting {
            self.queue_recipe(number);
        }
    }

    /// Queues a recipe when its shaders exist, or has it wait for one that does not.
    fn queue_recipe(&mut self, number: u32) {
        let recipe = &self.recipes[number as usize];
        let missing = recipe
            .shaders()
            .find(|name| !self.shaders.contains_key(name));
        match missing {
            Some(name) => self.waiting.entry(name).or_default().push(number),
            None => self.queues.prepare.push_back(number),
        }
    }

    /// Notes options that pixel shaders are drawn with; the variant when it is new.
    pub(super) fn add_variant(&mut self, options: &Options) -> Option<Variant> {
        let variant = Variant::of(options);
        let new = variant != Variant::of(&Options::default())
            && self.variants.len() < VARIANTS
            && !self.variants.contains(&variant);
        new.then(|| self.variants.push(variant))?;
        Some(variant)
    }

    /// Has every pixel shader translated as `variant`.
    pub(super) fn queue_variant(&mut self, variant: Variant) {
        let shaders = self.shaders.iter();
        let pixel = shaders.filter(|(_, code)| code.version().stage == Stage::Pixel);
        let jobs = pixel.map(|(&name, _)| (name, variant));
        self.queues.translate.extend(jobs);
    }

    /// Whether no worker has anything to do.
    pub(super) fn is_quiet(&self) -> bool {
        self.queues.len() == 0 && self.idle == self.handles.len()
    }
}

/// Options of draws that are not of one shader alone, as bytes: queues hold thousands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Variant([u8; OPTION_BYTES]);

impl Variant {
    pub(super) fn of(options: &Options) -> Self {
        let general = Options {
            sampler_kinds: [None; 16],
            ..*options
        };
        Self(general.to_bytes())
    }
}

impl Shared {
    /// Sees to it that somebody takes what was queued.
    pub(super) fn wake(self: &Arc<Self>) {
        let mut state = self.state.lock();
        let queued = state.queues.len();
        if queued > state.idle && state.handles.len() < self.workers && !state.quit {
            let shared = self.clone();
            let thread = std::thread::Builder::new().name("ninefold.pipelines".into());
            match thread.spawn(move || shared.work()) {
                Ok(handle) => state.handles.push(handle),
                // What is queued is made by the draws that need it.
                Err(error) => {
                    tracing::warn!(target: "ninefold::pipeline", %error, "no worker");
                    if state.handles.is_empty() {
                        state.queues = Queues::default();
                    }
                }
            }
        }
        drop(state);
        if queued > 0 {
            self.work.notify_all();
        }
    }

    fn work(self: &Arc<Self>) {
        lower_priority();
        let mut state = self.state.lock();
        while !state.quit {
            let Some(job) = state.queues.next() else {
                state.idle += 1;
                self.changed.notify_all();
                self.work.wait(&mut state);
                state.idle -= 1;
                continue;
            };
            drop(state);
            // A bug that a hostile shader finds must not cost the program its other pipelines.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.perform(job)));
            if done.is_err() {
                tracing::error!(target: "ninefold::pipeline", "a worker panicked at its work");
            }
            state = self.state.lock();
        }
        // Whoever waits for quiet must not wait for this worker.
        state.idle += 1;
        self.changed.notify_all();
    }

    fn perform(self: &Arc<Self>, job: Job) {
        match job {
            Job::Translate(name, variant) => {
                let code = self.state.lock().shaders.get(&name).cloned();
                if let (Some(code), Some(options)) = (code, Options::from_bytes(&variant.0)) {
                    self.prewarm(name, code.version().stage, options);
                }
            }
            Job::Radial(name, mode) => self.prewarm_radial(name, mode),
            Job::Prepare(number) => self.prepare_recipe(number),
            Job::Function(function) => {
                let queued = self.state.lock().is_queued(&function);
                if queued {
                    // A failure is in the cache for the draw that meets it.
                    let _ = self.module(&function, Who::Worker);
                }
            }
            Job::Build(index, prepared) => {
                {
                    let mut state = self.state.lock();
                    let entry = state.entry(index);
                    if !matches!(entry.status, Status::Queued) {
                        return;
                    }
                    entry.status = Status::Building;
                }
                // The same.
                let _ = self.build(index, 0, &prepared, Who::Worker);
            }
        }
    }

    /// Finds out what pipeline a recipe means now, and queues it when it means the same as when it
    /// was recorded.
    fn prepare_recipe(self: &Arc<Self>, number: u32) {
        let recipe = {
            let state = self.state.lock();
            if !state.may_translate_ahead() {
                return;
            }
            state.recipes[number as usize]
        };
        let prepared = recipe
            .ingredients()
            .and_then(|ingredients| self.prepare(&ingredients).ok())
            .filter(|prepared| prepared.key.hash() == recipe.key);
        let mut state = self.state.lock();
        let Some(prepared) = prepared else {
            state.stats.recipes_dropped += 1;
            return;
        };
        let is_program = recipe.is_program();
        if let Some(index) = state.insert_queued(&prepared, is_program, self.capacity) {
            state.queue_function(&prepared.vertex);
            state.queue_function(&prepared.pixel);
            state.queues.build.push_back((index, Arc::new(prepared)));
            drop(state);
            self.wake();
        }
    }

    /// Takes over the recipes of earlier sessions.
    pub(super) fn add_recipes(self: &Arc<Self>, recipes: Vec<Recipe>) {
        let mut state = self.state.lock();
        state.stats.recipes_loaded += recipes.len() as u64;
        let first = state.recipes.len() as u32;
        for recipe in &recipes {
            if let Some(super::PixelHalf::Program(_, options)) =
                recipe.ingredients().map(|ingredients| ingredients.pixel)
            {
                state.add_variant(&options);
            }
        }
        state.recipes.extend(recipes);
        if self.workers > 0 {
            for number in first..state.recipes.len() as u32 {
                // Those of radial fog stay on disk and are not built while it is off.
                if self.radial_fog || state.recipes[number as usize].radial_fog == 0 {
                    state.queue_recipe(number);
                }
            }
            if self.prewarm {
                for variant in state.variants.clone() {
                    state.queue_variant(variant);
                }
            }
        }
        state.loaded = true;
        drop(state);
        self.changed.notify_all();
        self.wake();
    }
}

/// Workers stand back behind the threads that draw.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // Linux counts the priority of a process for each of its threads alone.
        const NICE: i32 = 10;
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), NICE);
    }
}
