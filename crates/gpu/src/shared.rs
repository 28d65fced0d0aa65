//! What every resource reaches: the device, its queue and its fence, and the
//! submissions that the GPU has not finished.

use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::adapter::{self, AdapterInfo, Caps, FormatCaps, GpuOptions};
use crate::commands::PassSignature;
use crate::error::{Error, Result};
use crate::raw::Keep;
use crate::texture::TextureInner;

/// Submissions that may be waiting for the GPU at once; a further one waits
/// for the oldest first, so that a fast program cannot queue without bound.
const MAX_IN_FLIGHT: usize = 16;

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Buffer,
    Texture,
    View,
    Sampler,
    Layout,
    BindGroup,
    Shader,
    Pipeline,
    PipelineCache,
    QuerySet,
}

const KINDS: usize = 10;

/// In [`Shared::open`] while a serial is drawn.
const OPENING: u64 = u64::MAX;

/// Serials and ids are unique in the process, so that a resource of another
/// device never looks known.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(crate) type Encoder = Box<dyn hal::DynCommandEncoder>;

/// A command buffer and the encoder that its memory belongs to.
pub(crate) struct Recorded {
    // Dropped before the encoder that owns its memory.
    pub(crate) buffer: Box<dyn hal::DynCommandBuffer>,
    pub(crate) encoder: Encoder,
}

/// What one submission needs until the GPU is done with it.
struct Submission {
    serial: u64,
    recorded: Vec<Recorded>,
    kept: Vec<Arc<dyn Keep>>,
}

#[derive(Default)]
struct Pending {
    in_flight: VecDeque<Submission>,
    free_encoders: Vec<Encoder>,
    free_lists: Vec<Vec<Arc<dyn Keep>>>,
}

pub(crate) struct Shared {
    // Dropped in this order: encoders, queue, device, adapter, instance.
    pending: Mutex<Pending>,
    queue: Mutex<Box<dyn hal::DynQueue>>,
    fence: ManuallyDrop<Box<dyn hal::DynFence>>,
    pub(crate) device: Box<dyn hal::DynDevice>,
    pub(crate) adapter: Box<dyn hal::DynAdapter>,
    pub(crate) instance: Arc<Box<dyn hal::DynInstance>>,
    pub(crate) info: AdapterInfo,
    pub(crate) caps: Caps,
    pub(crate) features: wgt::Features,
    lost: AtomicBool,
    /// The last serial given to a [`crate::Commands`].
    last_serial: AtomicU64,
    /// The serial of the one open [`crate::Commands`], 0 for none.
    open: AtomicU64,
    submitted: AtomicU64,
    completed: AtomicU64,
    signatures: Mutex<Vec<PassSignature>>,
    pub(crate) newborn: Mutex<Vec<Weak<TextureInner>>>,
    live: [AtomicIsize; KINDS],
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.pending.get_mut().free_encoders.clear();
        // SAFETY: taken only here; a value is dropped once.
        let fence = unsafe { ManuallyDrop::take(&mut self.fence) };
        // SAFETY: `Owner::drop` has waited for every submission that signals it.
        unsafe { self.device.destroy_fence(fence) };
    }
}

impl Shared {
    /// Finds an adapter and opens it.
    pub(crate) fn open(options: &GpuOptions) -> Result<Arc<Self>> {
        let found = adapter::choose(options)?;
        let exposed = found.exposed;
        let features = adapter::wanted_features(exposed.features);
        let caps = adapter::caps(&exposed, features);
        // SAFETY: `features` is a subset of the adapter's and the limits are
        // the adapter's own.
        let opened = unsafe {
            exposed.adapter.open(
                features,
                &exposed.capabilities.limits,
                &wgt::MemoryHints::MemoryUsage,
            )
        }
        .map_err(Error::from_hal)?;
        // SAFETY: the device was just opened; the fence is destroyed by
        // `Shared::drop` before the device is.
        let fence = unsafe { opened.device.create_fence() }.map_err(Error::from_hal)?;
        tracing::debug!(target: "ninefold::gpu", adapter = %found.info, "opened");
        Ok(Arc::new(Self {
            pending: Mutex::default(),
            queue: Mutex::new(opened.queue),
            fence: ManuallyDrop::new(fence),
            device: opened.device,
            adapter: exposed.adapter,
            instance: found.instance,
            info: found.info,
            caps,
            features,
            lost: AtomicBool::new(false),
            last_serial: AtomicU64::new(0),
            open: AtomicU64::new(0),
            submitted: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            signatures: Mutex::default(),
            newborn: Mutex::default(),
            live: Default::default(),
        }))
    }

    pub(crate) fn count(&self, kind: Kind, change: isize) {
        self.live[kind as usize].fetch_add(change, Ordering::Relaxed);
    }

    pub(crate) fn live(&self, kind: Kind) -> usize {
        self.live[kind as usize].load(Ordering::Relaxed).max(0) as usize
    }

    /// The queue, locked.
    #[cfg(feature = "interop")]
    pub(crate) fn queue(&self) -> parking_lot::MutexGuard<'_, Box<dyn hal::DynQueue>> {
        self.queue.lock()
    }

    /// Nanoseconds from one tick of timestamps to the next.
    pub(crate) fn timestamp_period(&self) -> f32 {
        // SAFETY: the queue is this device's.
        unsafe { self.queue.lock().get_timestamp_period() }
    }

    pub(crate) fn last_submitted(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    pub(crate) fn set_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    /// Treats the device as lost, once the GPU has done everything that it was given: what a lost
    /// device uses counts as unused.
    pub(crate) fn lose(&self) {
        // While this lock is held nothing more is submitted.
        let _queue = self.queue.lock();
        // A driver that fails here has lost the device itself.
        let _ = self.wait(self.last_submitted(), None);
        self.set_lost();
    }

    /// Gives up on pending submissions: what they hold is never freed.
    pub(crate) fn leak(&self) {
        std::mem::forget(std::mem::take(&mut *self.pending.lock()));
    }

    /// A number that nothing else in the process has.
    pub(crate) fn new_id(&self) -> u64 {
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    pub(crate) fn alive(&self) -> Result<()> {
        if self.is_lost() {
            Err(Error::DeviceLost)
        } else {
            Ok(())
        }
    }

    /// Translates a hal result, remembering the loss of the device.
    pub(crate) fn check<T>(&self, result: Result<T, hal::DeviceError>) -> Result<T> {
        result.map_err(|error| self.failed(error))
    }

    #[cold]
    pub(crate) fn failed(&self, error: hal::DeviceError) -> Error {
        if error == hal::DeviceError::Lost {
            self.set_lost();
        }
        Error::from_hal(error)
    }

    pub(crate) fn format_caps(&self, format: wgt::TextureFormat) -> FormatCaps {
        // Formats behind features that the device was opened without do not
        // exist for it, whatever the adapter says.
        if !self.features.contains(format.required_features()) {
            return FormatCaps::default();
        }
        // SAFETY: a query without preconditions.
        adapter::format_caps(unsafe { self.adapter.texture_format_capabilities(format) })
    }

    /// A small number for `signature`, the same for equal ones.
    pub(crate) fn signature_id(&self, signature: &PassSignature) -> u32 {
        let mut known = self.signatures.lock();
        let at = known
            .iter()
            .position(|have| have == signature)
            .unwrap_or_else(|| {
                known.push(*signature);
                known.len() - 1
            });
        at as u32
    }

    /// The serial that an allocation made now may be used by: the open
    /// [`crate::Commands`]'s or, without one, at most the next one's.
    #[inline]
    pub(crate) fn current_serial(&self) -> u64 {
        match self.open.load(Ordering::Acquire) {
            0 | OPENING => self.last_serial.load(Ordering::Acquire) + 1,
            open => open,
        }
    }

    pub(crate) fn is_complete(&self, value: u64) -> bool {
        value <= self.completed.load(Ordering::Acquire) || self.is_lost()
    }

    pub(crate) fn update_completed(&self) -> Result<u64> {
        self.alive()?;
        // SAFETY: the fence is this device's and alive.
        let value = unsafe { self.device.get_fence_value(&**self.fence) };
        let value = self.check(value)?;
        self.completed.fetch_max(value, Ordering::AcqRel);
        Ok(value)
    }

    pub(crate) fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<()> {
        self.alive()?;
        if value <= self.completed.load(Ordering::Acquire) {
            return Ok(());
        }
        if value > self.submitted.load(Ordering::Acquire) {
            return Err(Error::State("waiting for commands that are not submitted"));
        }
        // SAFETY: the fence is alive, and `value` does not exceed a submitted one.
        let done = unsafe { self.device.wait(&**self.fence, value, timeout) };
        if !self.check(done)? {
            return Err(Error::Timeout);
        }
        self.completed.fetch_max(value, Ordering::AcqRel);
        Ok(())
    }

    /// Frees what completed submissions held.
    pub(crate) fn reclaim(&self) {
        loop {
            let submission = {
                let mut pending = self.pending.lock();
                match pending.in_flight.front() {
                    Some(first) if self.is_complete(first.serial) => pending.in_flight.pop_front(),
                    _ => None,
                }
            };
            let Some(mut submission) = submission else {
                return;
            };
            let mut encoders = Vec::with_capacity(submission.recorded.len());
            for Recorded {
                mut encoder,
                buffer,
            } in submission.recorded.drain(..)
            {
                // SAFETY: the encoder is closed, `buffer` is the only command
                // buffer it made since its last reset, and the GPU is done with
                // it (or the device is lost, which counts as done).
                unsafe { encoder.reset_all(vec![buffer]) };
                encoders.push(encoder);
            }
            submission.kept.clear();
            let mut pending = self.pending.lock();
            pending.free_encoders.append(&mut encoders);
            pending.free_lists.push(submission.kept);
        }
    }

    pub(crate) fn fence(&self) -> &dyn hal::DynFence {
        &**self.fence
    }

    /// Shows a frame.
    ///
    /// # Safety
    /// `texture` was acquired from `surface`, which is configured for this device, and the
    /// submission that drew into it was made with it.
    pub(crate) unsafe fn present(
        &self,
        surface: &dyn hal::DynSurface,
        texture: Box<dyn hal::DynSurfaceTexture>,
    ) -> Result<(), hal::SurfaceError> {
        // SAFETY: the caller promises it.
        unsafe { self.queue.lock().present(surface, texture) }
    }

    /// Marks a new [`crate::Commands`] as the open one.
    pub(crate) fn open_commands(&self) -> Result<u64> {
        self.alive()?;
        // Nobody else can open before this call has its serial, so that serials
        // grow in the order of opening.
        self.open
            .compare_exchange(0, OPENING, Ordering::AcqRel, Ordering::Acquire)
            .map_err(|_| Error::State("another Commands is open; submit or drop it first"))?;
        let serial = self.new_id();
        self.last_serial.store(serial, Ordering::Release);
        self.open.store(serial, Ordering::Release);
        Ok(serial)
    }

    pub(crate) fn is_open(&self, serial: u64) -> bool {
        self.open.load(Ordering::Acquire) == serial
    }

    pub(crate) fn close_commands(&self) {
        self.open.store(0, Ordering::Release);
    }

    pub(crate) fn take_list(&self) -> Vec<Arc<dyn Keep>> {
        self.pending.lock().free_lists.pop().unwrap_or_default()
    }

    /// An encoder that records.
    pub(crate) fn begin_encoder(&self) -> Result<Encoder> {
        let free = self.pending.lock().free_encoders.pop();
        let mut encoder = match free {
            Some(encoder) => encoder,
            None => {
                let queue = self.queue.lock();
                let desc = hal::CommandEncoderDescriptor {
                    label: None,
                    queue: &**queue,
                };
                // SAFETY: the queue is this device's.
                self.check(unsafe { self.device.create_command_encoder(&desc) })?
            }
        };
        // SAFETY: free encoders and new ones are closed.
        self.check(unsafe { encoder.begin_encoding(None) })?;
        Ok(encoder)
    }

    /// Throws away what `encoder` recorded.
    pub(crate) fn discard_encoder(&self, mut encoder: Encoder) {
        // SAFETY: callers pass an encoder that is recording, which this closes;
        // no command buffer of it exists.
        unsafe {
            encoder.discard_encoding();
            encoder.reset_all(Vec::new());
        }
        self.pending.lock().free_encoders.push(encoder);
    }

    /// Submits closed command buffers in order; `kept` lives until they are done. `frame` is what
    /// they draw into of a surface.
    pub(crate) fn submit(
        &self,
        serial: u64,
        recorded: Vec<Recorded>,
        kept: Vec<Arc<dyn Keep>>,
        frame: Option<&dyn hal::DynSurfaceTexture>,
    ) -> Result<()> {
        let oldest = {
            let pending = self.pending.lock();
            (pending.in_flight.len() >= MAX_IN_FLIGHT).then(|| pending.in_flight[0].serial)
        };
        if let Some(oldest) = oldest {
            self.wait(oldest, None)?;
        }
        let result = {
            let queue = self.queue.lock();
            // What a lost device is given is freed at once: it must run nothing any more, also
            // where the driver still could (`Shared::lose`).
            self.alive()?;
            let buffers: Vec<&dyn hal::DynCommandBuffer> =
                recorded.iter().map(|r| &*r.buffer).collect();
            // SAFETY: the buffers come from this device's encoders, which live
            // in `recorded` until the fence passes `serial`, as `kept` does
            // with every resource; serials grow and this lock orders them;
            // `frame` is the one surface texture that the buffers draw into.
            let result =
                unsafe { queue.submit(&buffers, frame.as_slice(), (&**self.fence, serial)) };
            if result.is_ok() {
                self.submitted.store(serial, Ordering::Release);
            }
            result
        };
        match self.check(result) {
            Ok(()) => {
                self.pending.lock().in_flight.push_back(Submission {
                    serial,
                    recorded,
                    kept,
                });
                Ok(())
            }
            Err(error) => {
                // The driver may or may not have taken the work, and what was
                // to happen to resources has not: the device is as good as
                // lost. Leak rather than free what the GPU may still read.
                if error != Error::DeviceLost {
                    self.set_lost();
                    std::mem::forget((recorded, kept));
                }
                Err(error)
            }
        }
    }
}
