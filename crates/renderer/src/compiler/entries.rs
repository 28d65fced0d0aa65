//! Pipeline entries: numbered, never moved, never evicted.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ninefold_gpu::RenderPipeline;

use super::{Failure, Ingredients, PixelHalf, Prepared, Shared, State, Who};
use crate::draw::Primitive;
use crate::error::{Error, ErrorKind, Result};
use crate::keys::RasterKey;

/// A pipeline, or the way to one.
pub(super) struct Entry {
    pub(super) status: Status,
    /// A worker built it and no draw has asked for it yet.
    unseen: bool,
}

#[cfg(test)]
impl Entry {
    pub(super) fn is_ready(&self) -> bool {
        matches!(self.status, Status::Ready(_))
    }
}

pub(super) enum Status {
    /// Claimed by nobody: it failed because the device was lost, which says nothing about it.
    Vacant,
    /// A worker will build it.
    Queued,
    /// The thread that wrote this builds it.
    Building,
    Ready(RenderPipeline),
    Failed(Failure),
}

impl State {
    pub(super) fn entry(&mut self, index: u32) -> &mut Entry {
        &mut self.entries[index as usize]
    }

    pub(super) fn insert(&mut self, prepared: &Prepared, cache: usize, status: Status) -> u32 {
        let index = self.entries.len() as u32;
        self.entries.push(Entry {
            status,
            unseen: false,
        });
        self.by_key.insert(prepared.key, index);
        self.counts[cache] += 1;
        index
    }

    /// An entry for a recipe of the manifest, when there is none yet and a quarter of the room stays
    /// for draws.
    pub(super) fn insert_queued(
        &mut self,
        prepared: &Prepared,
        is_program: bool,
        capacity: [usize; 2],
    ) -> Option<u32> {
        let cache = usize::from(!is_program);
        let room = self.counts[cache] < capacity[cache] / 4 * 3;
        let new = room && !self.by_key.contains_key(&prepared.key);
        new.then(|| self.insert(prepared, cache, Status::Queued))
    }
}

/// What becomes of a claimed entry when its builder does not get to say: it failed.
struct Claim<'a> {
    shared: &'a Shared,
    index: u32,
    attempts: u8,
    who: Who,
    done: bool,
}

impl Claim<'_> {
    fn publish(mut self, result: &Result<RenderPipeline>, started: Instant) {
        self.done = true;
        let mut state = self.shared.state.lock();
        let took = started.elapsed();
        let stats = &mut state.stats;
        match (self.who, result.is_ok()) {
            (Who::Draw, built) => {
                stats.draw_builds += u64::from(built);
                stats.draw_build_time += took;
            }
            (Who::Worker, built) => {
                stats.background_builds += u64::from(built);
                stats.background_time += took;
            }
        }
        let entry = state.entry(self.index);
        entry.status = match result {
            Ok(pipeline) => Status::Ready(pipeline.clone()),
            Err(error) if error.kind() == ErrorKind::Device => Status::Vacant,
            Err(error) => Status::Failed(Failure::new(error, self.attempts, self.who)),
        };
        entry.unseen = result.is_ok() && self.who == Who::Worker;
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.done {
            let error = Error::state("building a pipeline panicked");
            let mut state = self.shared.state.lock();
            let failure = Failure::new(&error, self.attempts, self.who);
            state.entry(self.index).status = Status::Failed(failure);
            drop(state);
            self.shared.changed.notify_all();
        }
    }
}

impl Shared {
    /// The pipeline, and whether it was built here.
    pub(super) fn acquire(
        &self,
        ingredients: &Ingredients,
        prepared: &Prepared,
    ) -> Result<(RenderPipeline, bool)> {
        let is_program = ingredients.vertex.is_program();
        let cache = usize::from(!is_program);
        let mut state = self.state.lock();
        let index = match state.by_key.get(&prepared.key) {
            Some(&known) => known,
            None if state.counts[cache] >= self.capacity[cache] => {
                let what = ["programmable", "fixed-function"][cache];
                return Err(Error::state(format!("{what} pipeline cache is full")));
            }
            None => state.insert(prepared, cache, Status::Vacant),
        };
        let mut waiting: Option<Instant> = None;
        let attempts = loop {
            let entry = state.entry(index);
            match &entry.status {
                Status::Ready(pipeline) => {
                    let pipeline = pipeline.clone();
                    let unseen = core::mem::take(&mut entry.unseen);
                    match waiting {
                        Some(since) => state.stats.wait_time += since.elapsed(),
                        None => state.stats.prewarm_hits += u64::from(unseen),
                    }
                    return Ok((pipeline, false));
                }
                Status::Building => {
                    if waiting.is_none() {
                        waiting = Some(Instant::now());
                        state.stats.waits += 1;
                    }
                    self.changed.wait(&mut state);
                }
                Status::Failed(failure) if !failure.may_retry(self.retry) => {
                    return Err(failure.error.clone());
                }
                Status::Failed(failure) => break failure.attempts,
                Status::Vacant | Status::Queued => break 0,
            }
        };
        if let Some(since) = waiting {
            state.stats.wait_time += since.elapsed();
        }
        state.entry(index).status = Status::Building;
        drop(state);
        let pipeline = self.build(index, attempts, prepared, Who::Draw)?;
        Ok((pipeline, true))
    }

    /// Builds an entry that this thread has claimed.
    pub(super) fn build(
        &self,
        index: u32,
        attempts: u8,
        prepared: &Prepared,
        who: Who,
    ) -> Result<RenderPipeline> {
        let claim = Claim {
            shared: self,
            index,
            attempts,
            who,
            done: false,
        };
        let started = Instant::now();
        let result = self.create(prepared, who);
        let (vertex, pixel) = (&prepared.vertex.entry, &prepared.pixel.entry);
        let took = started.elapsed();
        match &result {
            Err(error) => {
                tracing::warn!(target: "ninefold::pipeline", %error, %vertex, %pixel, "a pipeline failed");
            }
            Ok(_) if self.trace => {
                tracing::info!(target: "ninefold::pipeline", %vertex, %pixel, ?took, ?who, "built");
            }
            Ok(_) => {
                tracing::debug!(target: "ninefold::pipeline", %vertex, %pixel, ?took, ?who, "built");
            }
        }
        claim.publish(&result, started);
        result
    }

    /// The first time that a draw's pixel shader has these options, all pixel shaders are
    /// translated with them ahead of the draws that may come.
    pub(super) fn note_variant(self: &Arc<Self>, pixel: &PixelHalf) {
        let PixelHalf::Program(_, options) = pixel else {
            return;
        };
        let mut state = self.state.lock();
        if self.workers == 0 {
            return;
        }
        if let (Some(variant), true) = (state.add_variant(options), self.prewarm) {
            state.queue_variant(variant);
            drop(state);
            self.wake();
        }
    }

    /// Drops what cannot matter for the topology and the targets, and falls back to solid fill
    /// where the adapter has nothing else.
    pub(super) fn normalise_raster(&self, ingredients: &Ingredients) -> RasterKey {
        let mut raster = ingredients.raster;
        let caps = self.gpu.caps();
        let triangles = matches!(
            ingredients.primitive,
            Primitive::TriangleList | Primitive::TriangleStrip
        );
        if !triangles {
            (raster.cull, raster.fill) = (1, 3);
        }
        let can_fill = match raster.fill {
            1 => caps.polygon_point,
            2 => caps.polygon_line,
            _ => true,
        };
        if !can_fill {
            if !self.said_fill.swap(true, Ordering::Relaxed) {
                tracing::warn!(target: "ninefold::pipeline", "this adapter fills polygons only");
            }
            raster.fill = 3;
        }
        raster.unclipped &= caps.depth_clip_control;
        // Points and lines have no bias, nor has what is not tested.
        if ingredients.formats.depth == 0 || !triangles || raster.unclipped {
            (raster.depth_bias, raster.slope_bias) = (0.0, 0.0);
        }
        let samples = ingredients.formats.samples;
        if samples == 1 {
            raster.sample_mask = 1;
            raster.multisample = true;
            raster.alpha_to_coverage = false;
        }
        raster.sample_mask &= u32::MAX >> (32 - u32::from(samples.clamp(1, 32)));
        raster
    }
}
