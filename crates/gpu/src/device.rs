//! The device, its queue and its fence.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use wgpu_types as wgt;

use crate::adapter::{self, AdapterInfo, Caps, FormatCaps, GpuOptions};
use crate::buffer::Buffer;
use crate::desc::BufferDesc;
use crate::error::{Error, Result};
use crate::shared::{Kind, Shared};

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
        let shared = Shared::open(options)?;
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
        let live = |kind: Kind| self.0.shared.live(kind);
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
        let submitted = self.0.shared.last_submitted();
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
        self.0.shared.lose();
        self.0.shared.reclaim();
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
        let last = self.shared.last_submitted();
        match self.shared.wait(last, Some(DROP_TIMEOUT)) {
            Ok(()) | Err(Error::DeviceLost) => self.shared.reclaim(),
            Err(_) => self.shared.leak(),
        }
    }
}
