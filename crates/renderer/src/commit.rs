//! Submissions that say when they are done.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use ninefold_gpu::{FenceValue, Gpu};
use parking_lot::Mutex;

use crate::error::{Error, Result};
use crate::renderer::Renderer;

type Done = Box<dyn FnOnce(Result<()>) + Send>;

/// Waits for submissions on a thread of its own, started with the first.
#[derive(Default)]
pub(crate) struct Commits {
    sender: Option<Sender<(FenceValue, Done)>>,
    thread: Option<JoinHandle<()>>,
    last_error: Arc<Mutex<Option<Error>>>,
}

impl Commits {
    fn send(&mut self, gpu: &Gpu, fence: FenceValue, done: Done) {
        if self.sender.is_none() {
            let (sender, receiver) = mpsc::channel();
            let (gpu, errors) = (gpu.clone(), self.last_error.clone());
            let thread = std::thread::Builder::new().name("ninefold.commits".into());
            match thread.spawn(move || run(&gpu, &receiver, &errors)) {
                Ok(thread) => (self.sender, self.thread) = (Some(sender), Some(thread)),
                Err(error) => {
                    tracing::warn!(%error, "no thread for commits; this one waits");
                }
            }
        }
        let unsent = match &self.sender {
            Some(sender) => sender.send((fence, done)).err().map(|unsent| unsent.0),
            None => Some((fence, done)),
        };
        if let Some((fence, done)) = unsent {
            finish(gpu, fence, done, &self.last_error);
        }
    }
}

impl Drop for Commits {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(gpu: &Gpu, receiver: &Receiver<(FenceValue, Done)>, errors: &Mutex<Option<Error>>) {
    for (fence, done) in receiver {
        finish(gpu, fence, done, errors);
    }
}

fn finish(gpu: &Gpu, fence: FenceValue, done: Done, errors: &Mutex<Option<Error>>) {
    let result = gpu.wait(fence, None).map_err(Error::from);
    if let Err(error) = &result {
        *errors.lock() = Some(error.clone());
    }
    // One that panics, which is said, must not keep the others from being called.
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| done(result)));
}

impl Renderer {
    /// Submits what has been recorded, waiting clears included, and returns at once. `done` is
    /// called exactly once: when the GPU is done with it, from another thread; or before this
    /// returns, when there was nothing to submit or submitting failed. It must not wait for calls
    /// of this renderer; one that panics on the other thread takes nothing else along.
    pub fn commit_async(&mut self, done: impl FnOnce(Result<()>) + Send + 'static) {
        if self.recorder.is_empty() {
            return done(Ok(()));
        }
        match self.flush() {
            Ok(()) => {}
            Err(error) => {
                *self.commits.last_error.lock() = Some(error.clone());
                return done(Err(error));
            }
        }
        match self.recorder.last_submission() {
            Some(fence) => self.commits.send(&self.recorder.gpu, fence, Box::new(done)),
            None => done(Ok(())),
        }
    }

    /// Why a submission of [`commit_async`](Self::commit_async) failed last.
    pub fn last_commit_error(&self) -> Option<Error> {
        self.commits.last_error.lock().clone()
    }
}
