//! Submitting, fast paths, and what is kept of pipelines.

use core::cell::RefCell;
use core::ffi::{c_char, c_void};
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;

use crate::fault::{Fault, answer, call, code_of, keep};
use crate::handle::Kind;
use crate::registry::{find, in_callback};
use crate::renderer::on;
use crate::types::{nf_done, nf_renderer};

/// The pointer that a callback gets.
struct Argument(*mut c_void);

// SAFETY: it is handed to the program's callback and used for nothing else; the header says from
// which thread.
unsafe impl Send for Argument {}

impl Argument {
    fn pass(&self, done: unsafe extern "C" fn(*mut c_void, i32), ok: bool) {
        // SAFETY: the program gave the function for this argument.
        in_callback(|| unsafe { done(self.0, ok.into()) });
    }
}

/// Submits what was recorded, waiting clears included, and returns at once.
///
/// done: called exactly once with arg: from a thread of the library when the GPU is done; or on this
/// thread before this returns, when nothing was recorded or submitting failed. Its ok is 1, or 0 on
/// failure. In it, functions that take a renderer or what belongs to one give NF_ERR_STATE, but for
/// nf_last_commit_error, nf_draw_traffic_stats and nf_fast_paths_enabled. Callbacks of one renderer
/// come in the order of the submissions. It must return and not throw.
///
/// Returns NF_OK when done was or will be called, also with ok 0; NF_ERR_ARGS, NF_ERR_STATE when it will
/// not be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_commit_async(
    renderer: nf_renderer,
    done: nf_done,
    arg: *mut c_void,
) -> i32 {
    call(|| {
        let Some(done) = done else {
            return Err(Fault::args("done is NULL"));
        };
        let arg = Argument(arg);
        on(renderer, |objects| {
            let errors: Arc<Mutex<String>> = objects.commit_error.clone();
            objects.renderer.commit_async(move |result| {
                if let Err(error) = &result {
                    *errors.lock() = format!("code {}: {}", code_of(error), error.text());
                }
                arg.pass(done, result.is_ok());
            });
            Ok(())
        })
    })
}

/// Why a submission of nf_commit_async failed last, as "code N: text" with N one of NF_ERR_*; "" when
/// none did, or there is no such renderer.
///
/// The text, which is never NULL, is valid until the next call of this function on this thread.
/// Allowed on every thread and in callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn nf_last_commit_error(renderer: nf_renderer) -> *const c_char {
    thread_local! {
        static TEXT: RefCell<CString> = RefCell::default();
    }
    let mut pointer = c"".as_ptr();
    answer(|| {
        let text = match find(renderer.id, Kind::Renderer, "renderer") {
            Ok(shared) => shared.commit_error.lock().clone(),
            Err(_) => String::new(),
        };
        let _ = TEXT.try_with(|kept| {
            keep(kept, &text);
            pointer = kept.borrow().as_ptr();
        });
        Ok(0)
    });
    pointer
}

/// Submits what was recorded and waits until the GPU is done with everything.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_wait_idle(renderer: nf_renderer) -> i32 {
    call(|| on(renderer, |objects| Ok(objects.renderer.wait_idle()?)))
}

/// Switches the fast paths (see nf_settings), between any two calls.
///
/// on: not 0 is on.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_set_fast_paths(renderer: nf_renderer, on: i32) -> i32 {
    call(|| {
        self::on(renderer, |objects| {
            Ok(objects.renderer.set_fast_paths(on != 0)?)
        })
    })
}

/// Whether the fast paths are on: 1 or 0, or NF_ERR_ARGS when there is no such renderer. Allowed on
/// every thread and in callbacks; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn nf_fast_paths_enabled(renderer: nf_renderer) -> i32 {
    answer(|| {
        let shared = find(renderer.id, Kind::Renderer, "renderer")?;
        Ok(shared.fast.load(Ordering::Relaxed).into())
    })
}

/// Waits until every registered shader is translated and every pipeline of earlier runs that has its
/// shaders is built: for a loading screen.
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub extern "C" fn nf_wait_for_pipelines(renderer: nf_renderer) -> i32 {
    call(|| {
        on(renderer, |objects| {
            objects.renderer.wait_for_pipelines();
            Ok(())
        })
    })
}

/// Writes what the folder of the pipelines lacks and waits until it is on the disk: for a program
/// about to be suspended. Without a folder there is nothing to do.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_STATE with the file system's words.
#[unsafe(no_mangle)]
pub extern "C" fn nf_pipeline_cache_flush(renderer: nf_renderer) -> i32 {
    call(|| on(renderer, |objects| Ok(objects.renderer.sync_pipelines()?)))
}
