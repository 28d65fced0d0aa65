//! Making and ending renderers.

use core::ffi::c_char;

use ninefold_renderer::Renderer;
use ninefold_renderer::gpu::{Gpu, GpuOptions};
use parking_lot::Mutex;

use crate::fault::{Fault, NF_ERR_DEVICE, Result, answer, call};
use crate::handle::Kind;
use crate::objects::Objects;
use crate::pointer::{out, put_text, sized};
use crate::registry::{self, refuse_in_callback, stale, with};
use crate::settings;
use crate::types::{nf_renderer, nf_settings};

/// Held while a device opens or closes: some drivers do not bear that from several threads at once.
static OPENING: Mutex<()> = Mutex::new(());

/// The name of an adapter of this machine, in the order of preference from 0 on. Looking for them
/// takes a while: this is for a menu, not for a frame.
///
/// buffer, size: room for the name, which is cut off where the room ends, as snprintf does. buffer
/// may be NULL when size is 0.
///
/// Returns the length of the name in bytes, or NF_ERR_ARGS past the last adapter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_adapter(index: u32, buffer: *mut c_char, size: usize) -> i32 {
    answer(|| {
        let turn = OPENING.lock();
        let adapters = Gpu::adapters(&GpuOptions::default());
        drop(turn);
        let Some(adapter) = adapters.get(index as usize) else {
            return Err(Fault::args(format!(
                "index is {index} of {} adapters",
                adapters.len()
            )));
        };
        // SAFETY: the caller's promise about `buffer` and `size`.
        unsafe { put_text(&adapter.to_string(), buffer, size) }
    })
}

/// Makes a renderer. Any number up to 64 may be alive; all they share is what nf_settings says of
/// radial_fog.
///
/// settings: from nf_settings_init, or NULL for what that gives.
///
/// out: gets the renderer; on failure it gets 0.
///
/// Returns NF_OK; NF_ERR_ARGS for settings out of range; NF_ERR_DEVICE when there is no GPU or driver,
/// or none that settings->adapter names; NF_ERR_STATE when 64 are alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_renderer_create(
    settings: *const nf_settings,
    out: *mut nf_renderer,
) -> i32 {
    call(|| {
        settings::logs();
        // SAFETY: the caller's promise about `out`.
        let made = unsafe { self::out(out, "out") }?;
        made.set(nf_renderer::default());
        refuse_in_callback()?;
        // SAFETY: the caller's promise about `settings`.
        let wanted = unsafe {
            match settings.is_null() {
                false => settings::read(sized(settings, "settings")?)?,
                true => settings::read(&settings::defaults())?,
            }
        };
        let _turn = OPENING.lock();
        let gpu =
            Gpu::new(&wanted.gpu).map_err(|error| Fault::new(NF_ERR_DEVICE, error.to_string()))?;
        let adapter = gpu.adapter_info().to_string();
        let renderer = Renderer::new(gpu, wanted.renderer)?;
        let id = registry::add(|owner| Objects::new(owner, renderer, adapter))?;
        made.set(nf_renderer { id });
        Ok(())
    })
}

/// Ends a renderer with everything made on it. Waits for the GPU and for callbacks that are
/// outstanding: each has been called once when this returns. Handles of it are stale from now on.
///
/// Returns NF_OK; NF_ERR_ARGS when there is no such renderer; NF_ERR_STATE in a callback.
#[unsafe(no_mangle)]
pub extern "C" fn nf_renderer_destroy(renderer: nf_renderer) -> i32 {
    call(|| {
        refuse_in_callback()?;
        let shared = registry::find(renderer.id, Kind::Renderer, "renderer")?;
        let objects = shared.objects.lock().take();
        let Some(objects) = objects else {
            return Err(stale(renderer.id, Kind::Renderer, "renderer"));
        };
        let turn = OPENING.lock();
        // While it ends, callbacks still find its last commit error.
        drop(objects);
        drop(turn);
        registry::remove(renderer.id);
        Ok(())
    })
}

/// The name of a renderer's adapter with its back end and driver.
///
/// buffer, size: as in nf_adapter.
///
/// Returns the length of the name in bytes, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_adapter_name(
    renderer: nf_renderer,
    buffer: *mut c_char,
    size: usize,
) -> i32 {
    answer(|| {
        let name = on(renderer, |objects| Ok(objects.adapter.clone()))?;
        // SAFETY: the caller's promise about `buffer` and `size`.
        unsafe { put_text(&name, buffer, size) }
    })
}

/// Treats the device as lost, for testing what a program does then: every later call that needs it
/// gives NF_ERR_DEVICE. Objects can still be destroyed, and another renderer be made.
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub extern "C" fn nf_lose_device(renderer: nf_renderer) -> i32 {
    call(|| {
        on(renderer, |objects| {
            objects.renderer.lose_device();
            Ok(())
        })
    })
}

/// [`with`] a renderer's own handle.
pub(crate) fn on<R>(renderer: nf_renderer, f: impl FnOnce(&mut Objects) -> Result<R>) -> Result<R> {
    with(renderer.id, Kind::Renderer, "renderer", f)
}
