//! Recording: one command buffer, one open pass at a time.
//!
//! | file | job |
//! |---|---|
//! | `mod` | beginning, submitting, dropping; which resources are kept |
//! | `state` | the states of textures and buffers, barriers |
//! | `prelude` | work that runs before everything recorded: first contents, early copies |
//! | `pass` | beginning and ending a pass |
//! | `frame` | the pass on a surface's picture |
//! | `draw` | calls inside a pass |
//! | `copy` | copies and readbacks |
//! | `queries` | occlusion queries |

mod copy;
mod draw;
mod frame;
mod pass;
mod prelude;
mod queries;
mod state;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wgpu_hal as hal;

use crate::buffer::{Buffer, BufferInner};
use crate::device::{FenceValue, Gpu};
use crate::error::{Error, Result};
use crate::pipeline::RenderPipeline;
use crate::query::{QuerySet, QueryState};
use crate::raw::Keep;
use crate::shared::{Encoder, Recorded, Shared};
use crate::texture::Texture;

pub(crate) use pass::PassSignature;

/// Commands being recorded, made by [`Gpu::begin`].
///
/// # Order
/// One `Commands` of a [`Gpu`] is open at a time, and one pass in it. Calls that
/// set or draw need an open pass. Copies go where no pass is open, with one
/// exception that keeps passes whole: a copy from mapped memory into a texture
/// or buffer that these commands have not used yet runs *before* everything
/// recorded here, which gives the same result, so it may be recorded inside a
/// pass as well.
///
/// # States
/// There are no barriers to record. Between passes and copies every part of a
/// texture returns to a state it can be sampled in, so bind groups never need a
/// transition inside a pass. The one mistake left, sampling an attachment of
/// the open pass, is [`crate::Error::Feedback`].
///
/// # Lifetimes
/// Every resource that is recorded lives until the GPU is done with it; drop
/// handles whenever you like. Dropping a `Commands` throws its commands away.
pub struct Commands {
    gpu: Gpu,
    serial: u64,
    /// `None` only while dropping.
    main: Option<Encoder>,
    prelude: prelude::Prelude,
    kept: Vec<Arc<dyn Keep>>,
    /// The pipelines set so far. The open pass names its own by index: counting
    /// references up and down with every change would cost atomic operations.
    pipelines: Vec<RenderPipeline>,
    states: state::States,
    /// Buffers with incoherent mappings, flushed when submitted.
    flush: Vec<Buffer>,
    /// Query sets whose states these commands changed.
    queries: Vec<QuerySet>,
    /// Tells readbacks whether there will be anything to read.
    submitted: Arc<AtomicBool>,
    /// An error that left the recording unfit to be submitted.
    failed: Option<Error>,
    pass: Option<pass::Pass>,
    spare_pass: Option<pass::Pass>,
}

impl std::fmt::Debug for Commands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Commands")
            .field("serial", &self.serial)
            .field("in_pass", &self.in_pass())
            .finish_non_exhaustive()
    }
}

impl Gpu {
    /// Begins recording.
    ///
    /// # Errors
    /// [`crate::Error::State`] while another [`Commands`] is open;
    /// [`crate::Error::DeviceLost`]; [`crate::Error::OutOfMemory`].
    pub fn begin(&self) -> Result<Commands> {
        let shared = self.shared();
        let serial = shared.open_commands()?;
        let main = match shared.begin_encoder() {
            Ok(encoder) => encoder,
            Err(error) => {
                shared.close_commands();
                return Err(error);
            }
        };
        Ok(Commands {
            gpu: self.clone(),
            serial,
            main: Some(main),
            prelude: prelude::Prelude::default(),
            kept: shared.take_list(),
            pipelines: Vec::new(),
            states: state::States::default(),
            flush: Vec::new(),
            queries: Vec::new(),
            submitted: Arc::default(),
            failed: None,
            pass: None,
            spare_pass: None,
        })
    }
}

/// A resource with the serial of the commands that keep it alive.
trait Stamped: Keep + Sized + 'static {
    fn stamp(&self) -> &AtomicU64;
}

macro_rules! stamped {
    ($($inner:ty),*) => {$(
        impl Stamped for $inner {
            fn stamp(&self) -> &AtomicU64 {
                &self.kept
            }
        }
    )*};
}
stamped!(
    crate::texture::TextureInner,
    crate::bind::BindGroupInner,
    crate::query::QuerySetInner
);

impl Commands {
    /// The GPU they are for.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The value that their submission will have; waiting for it before
    /// [`Commands::submit`] is an error.
    #[must_use]
    pub fn fence(&self) -> FenceValue {
        FenceValue(self.serial)
    }

    /// Whether a pass is open.
    #[must_use]
    pub fn in_pass(&self) -> bool {
        self.pass.is_some()
    }

    /// Hands the commands to the GPU, ending the pass that may be open.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`]; [`crate::Error::OutOfMemory`], also when an earlier call
    /// ran out of memory half way. Nothing is executed then.
    pub fn submit(self) -> Result<FenceValue> {
        self.submit_frame(None)
    }

    /// As [`Commands::submit`]; `frame` is what the commands draw into of a surface.
    pub(crate) fn submit_frame(
        mut self,
        frame: Option<&dyn hal::DynSurfaceTexture>,
    ) -> Result<FenceValue> {
        if self.in_pass() {
            self.end_pass()?;
        }
        self.rest_everything();
        self.finish_prelude()?;
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let shared = self.gpu.shared().clone();
        for buffer in self.flush.drain(..) {
            buffer.0.flush(0..buffer.0.size);
        }
        let mut recorded = Vec::with_capacity(2);
        for encoder in [self.prelude.take_encoder(), self.main.take()]
            .into_iter()
            .flatten()
        {
            recorded.push(close(&shared, encoder)?);
        }
        let kept = std::mem::take(&mut self.kept);
        shared.submit(self.serial, recorded, kept, frame)?;
        // What the commands did to queries and new textures is now true.
        self.queries.clear();
        self.prelude.submitted();
        self.submitted.store(true, Ordering::Release);
        shared.close_commands();
        let value = FenceValue(self.serial);
        drop(self);
        let _ = shared.update_completed();
        shared.reclaim();
        Ok(value)
    }

    fn shared(&self) -> &Arc<Shared> {
        self.gpu.shared()
    }

    /// The encoder of the main command buffer.
    fn encoder(&mut self) -> &mut dyn hal::DynCommandEncoder {
        &mut **self.main.as_mut().expect("present until dropped")
    }

    /// Keeps `resource` alive until these commands are done. Costs one compare
    /// when it is kept already.
    fn keep<T: Stamped>(&mut self, resource: &Arc<T>) {
        if resource.stamp().load(Ordering::Relaxed) != self.serial {
            resource.stamp().store(self.serial, Ordering::Release);
            self.kept.push(resource.clone());
        }
    }

    /// Keeps `pipeline` and returns where [`Commands::pipelines`] has it.
    fn keep_pipeline(&mut self, pipeline: &RenderPipeline) -> u32 {
        let p = &pipeline.0;
        if p.kept.load(Ordering::Relaxed) != self.serial {
            p.kept.store(self.serial, Ordering::Release);
            p.slot.store(self.pipelines.len() as u32, Ordering::Relaxed);
            self.kept.push(p.clone());
            self.pipelines.push(pipeline.clone());
        }
        p.slot.load(Ordering::Relaxed)
    }

    fn keep_buffer(&mut self, buffer: &Buffer) {
        if buffer.0.kept.load(Ordering::Relaxed) != self.serial {
            self.keep_buffer_now(buffer);
        }
    }

    #[cold]
    fn keep_buffer_now(&mut self, buffer: &Buffer) {
        buffer.0.kept.store(self.serial, Ordering::Release);
        self.kept.push(buffer.0.clone());
        if !buffer.0.coherent {
            self.flush.push(buffer.clone());
        }
    }

    /// Notes that the main command buffer uses the resource, so that copies into
    /// it may no longer run early.
    fn touch_buffer(&self, buffer: &BufferInner) {
        buffer.touched.store(self.serial, Ordering::Release);
    }

    fn touch_texture(&self, texture: &Texture) {
        texture.0.touched.store(self.serial, Ordering::Release);
    }

    /// Whether `resource` is of this device.
    fn owns(&self, shared: &Arc<Shared>) -> bool {
        Arc::ptr_eq(self.shared(), shared)
    }
}

fn close(shared: &Arc<Shared>, mut encoder: Encoder) -> Result<Recorded> {
    // SAFETY: the encoder is recording and outside any pass.
    let buffer = shared.check(unsafe { encoder.end_encoding() })?;
    Ok(Recorded { encoder, buffer })
}

impl Drop for Commands {
    fn drop(&mut self) {
        let shared = self.gpu.shared().clone();
        if let Some(mut main) = self.main.take() {
            if self.pass.take().is_some() {
                // SAFETY: a pass is open on this encoder.
                unsafe { main.end_render_pass() };
            }
            shared.discard_encoder(main);
        }
        if let Some(prelude) = self.prelude.take_encoder() {
            shared.discard_encoder(prelude);
        }
        self.prelude.forget(&shared);
        for set in self.queries.drain(..) {
            set.0.states.lock().fill(QueryState::Unknown);
        }
        if shared.is_open(self.serial) {
            shared.close_commands();
        }
    }
}
