//! The device, its queue and its fence.

use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::adapter::{self, AdapterInfo, Caps, FormatCaps, GpuOptions};
use crate::buffer::Buffer;
use crate::commands::PassSignature;
use crate::desc::BufferDesc;
use crate::error::{Error, Result};
use crate::raw::Keep;
use crate::texture::TextureInner;

/// Submissions that may be waiting for the GPU at once; a further one waits
/// for the oldest first, so that a fast program cannot queue without bound.
const MAX_IN_FLIGHT: usize = 16;

/// How long dropping the last [`Gpu`] waits for pending work. A GPU that takes
/// longer hangs; its resources are then leaked, never freed under it.
const DROP_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of a submission. Values grow; a value is complete when the GPU
/// has executed that submission and all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FenceValue(pub(crate) u64);

/// How many objects of each kind exist, for leak tests and statistics.
///
/// Objects that the program has dropped count until the GPU is done with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct LiveObjects {
    pub buffers: usize,
    pub textures: usize,
    pub views: usize,
    pub samplers: usize,
    pub layouts: usize,
    pub bind_groups: usize,
    pub shaders: usize,
    pub pipelines: usize,
    pub pipeline_caches: usize,
    pub query_sets: usize,
}

impl LiveObjects {
    /// The sum of all kinds.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.buffers
            + self.textures
            + self.views
            + self.samplers
            + self.layouts
            + self.bind_groups
            + self.shaders
            + self.pipelines
            + self.pipeline_caches
            + self.query_sets
    }
}

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

/// An open GPU. Clones share it; it may be used from any thread.
///
/// Resources outlive the last `Gpu` where their handles do, but nothing can be
/// recorded any more then. Dropping the last `Gpu` waits for the GPU.
#[derive(Clone)]
pub struct Gpu(Arc<Owner>);

/// What the last [`Gpu`] owns: resources reach [`Shared`] only, so that the
/// list of pending submissions, which holds resources, forms no cycle.
struct Owner {
    /// A buffer that this crate itself uses, made when first needed.
    internal: Mutex<Option<Buffer>>,
    shared: Arc<Shared>,
}

/// Serials and ids are unique in the process, so that a resource of another
/// device never looks known.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(crate) type Encoder = Box<dyn hal::DynCommandEncoder>;

/// A command buffer and the encoder that its memory belongs to.
pub(crate) struct Recorded {
    pub(crate) encoder: Encoder,
    pub(crate) buffer: Box<dyn hal::DynCommandBuffer>,
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
    adapter: Box<dyn hal::DynAdapter>,
    _instance: Arc<Box<dyn hal::DynInstance>>,
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

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Gpu")
            .field(&self.0.shared.info.name)
            .finish()
    }
}

impl Gpu {
    /// Finds an adapter as `options` say and opens it.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] when there is none (the text names the Debian
    /// packages to install) or none matches [`GpuOptions::adapter`];
    /// [`Error::OutOfMemory`], [`Error::DeviceLost`] or [`Error::Driver`] when
    /// it does not open.
    pub fn new(options: &GpuOptions) -> Result<Self> {
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
        let shared = Arc::new(Shared {
            pending: Mutex::default(),
            queue: Mutex::new(opened.queue),
            fence: ManuallyDrop::new(fence),
            device: opened.device,
            adapter: exposed.adapter,
            _instance: found.instance,
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
        });
        Ok(Self(Arc::new(Owner {
            internal: Mutex::default(),
            shared,
        })))
    }

    /// Every adapter of this machine, in the order of preference.
    #[must_use]
    pub fn adapters(options: &GpuOptions) -> Vec<AdapterInfo> {
        adapter::list(options)
            .0
            .into_iter()
            .map(|found| found.info)
            .collect()
    }

    /// Who the adapter is.
    #[must_use]
    pub fn adapter_info(&self) -> &AdapterInfo {
        &self.0.shared.info
    }

    /// What the device can do.
    #[must_use]
    pub fn caps(&self) -> &Caps {
        &self.0.shared.caps
    }

    /// What the device can do with `format`.
    #[must_use]
    pub fn format_caps(&self, format: wgt::TextureFormat) -> FormatCaps {
        self.0.shared.format_caps(format)
    }

    /// How many objects exist.
    #[must_use]
    pub fn live_objects(&self) -> LiveObjects {
        let live = |kind: Kind| {
            self.0.shared.live[kind as usize]
                .load(Ordering::Relaxed)
                .max(0) as usize
        };
        LiveObjects {
            buffers: live(Kind::Buffer) - usize::from(self.0.internal.lock().is_some()),
            textures: live(Kind::Texture),
            views: live(Kind::View),
            samplers: live(Kind::Sampler),
            layouts: live(Kind::Layout),
            bind_groups: live(Kind::BindGroup),
            shaders: live(Kind::Shader),
            pipelines: live(Kind::Pipeline),
            pipeline_caches: live(Kind::PipelineCache),
            query_sets: live(Kind::QuerySet),
        }
    }

    /// The last submission that the GPU has finished, without waiting; 0
    /// before the first.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn completed(&self) -> Result<FenceValue> {
        self.0.shared.update_completed().map(FenceValue)
    }

    /// Whether the GPU has finished submission `value`.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn is_complete(&self, value: FenceValue) -> Result<bool> {
        Ok(self.0.shared.is_complete(value.0) || {
            self.0.shared.update_completed()?;
            self.0.shared.is_complete(value.0)
        })
    }

    /// Waits until the GPU has finished submission `value`, for ever when
    /// `timeout` is `None`, and reclaims what finished submissions held.
    ///
    /// # Errors
    /// [`Error::Timeout`]; [`Error::DeviceLost`]; [`Error::State`] for the
    /// value of a [`crate::Commands`] that is not submitted yet.
    pub fn wait(&self, value: FenceValue, timeout: Option<Duration>) -> Result<()> {
        self.0.shared.wait(value.0, timeout)?;
        self.0.shared.reclaim();
        Ok(())
    }

    /// Waits for everything submitted so far.
    ///
    /// # Errors
    /// As [`Gpu::wait`].
    pub fn wait_idle(&self) -> Result<()> {
        let submitted = self.0.shared.submitted.load(Ordering::Acquire);
        self.wait(FenceValue(submitted), None)
    }

    /// Reclaims what finished submissions held, without waiting.
    /// [`crate::Commands::submit`] does this as well.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn poll(&self) -> Result<()> {
        self.0.shared.update_completed()?;
        self.0.shared.reclaim();
        Ok(())
    }

    /// Whether the device is lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.0.shared.is_lost()
    }

    /// Treats the device as lost from now on, so that a program can test how
    /// it survives that (`D3DERR_DEVICELOST`). Waits for pending work first.
    pub fn lose(&self) {
        let _ = self.wait_idle();
        self.0.shared.lost.store(true, Ordering::Release);
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }

    /// The one internal buffer, described by `desc`.
    pub(crate) fn internal_buffer(
        &self,
        desc: impl FnOnce() -> BufferDesc<'static>,
    ) -> Result<Buffer> {
        let mut internal = self.0.internal.lock();
        if let Some(buffer) = &*internal {
            return Ok(buffer.clone());
        }
        let buffer = self.create_buffer(&desc())?;
        Ok(internal.insert(buffer).clone())
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let last = self.shared.submitted.load(Ordering::Acquire);
        match self.shared.wait(last, Some(DROP_TIMEOUT)) {
            Ok(()) | Err(Error::DeviceLost) => self.shared.reclaim(),
            Err(_) => std::mem::forget(std::mem::take(&mut *self.shared.pending.lock())),
        }
    }
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
    pub(crate) fn count(&self, kind: Kind, change: isize) {
        self.live[kind as usize].fetch_add(change, Ordering::Relaxed);
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
            self.lost.store(true, Ordering::Release);
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

    /// Submits closed command buffers in order; `kept` lives until they are done.
    pub(crate) fn submit(
        &self,
        serial: u64,
        recorded: Vec<Recorded>,
        kept: Vec<Arc<dyn Keep>>,
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
            let buffers: Vec<&dyn hal::DynCommandBuffer> =
                recorded.iter().map(|r| &*r.buffer).collect();
            // SAFETY: the buffers come from this device's encoders, which live
            // in `recorded` until the fence passes `serial`, as `kept` does
            // with every resource; serials grow and this lock orders them; no
            // surface textures are involved.
            unsafe { queue.submit(&buffers, &[], (&**self.fence, serial)) }
        };
        match self.check(result) {
            Ok(()) => {
                self.submitted.store(serial, Ordering::Release);
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
                    self.lost.store(true, Ordering::Release);
                    std::mem::forget((recorded, kept));
                }
                Err(error)
            }
        }
    }
}
