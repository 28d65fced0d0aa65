//! Counters.

use std::time::Duration;

use crate::fault::{Fault, Result, call};
use crate::handle::Kind;
use crate::pointer::{Out, out};
use crate::registry::find;
use crate::renderer::on;
use crate::types::{nf_counts, nf_pipeline_counts, nf_renderer, nf_traffic};

/// Room for counters, of the size that this version of them has.
///
/// # Safety
/// `pointer` is NULL or room for `size` bytes.
unsafe fn room<'a, T>(pointer: *mut T, size: usize) -> Result<Out<'a, T>> {
    if size != size_of::<T>() {
        return Err(Fault::args(format!(
            "size is {size}, expected the struct's, which is {}",
            size_of::<T>()
        )));
    }
    // SAFETY: as the caller says.
    unsafe { out(pointer, "out") }
}

/// Bytes bound and copied, and clears folded, since the renderer was made. Allowed on every thread and
/// in callbacks; never waits. The numbers are those after the last call that has returned.
///
/// size: sizeof(nf_traffic).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_traffic_stats(
    renderer: nf_renderer,
    out: *mut nf_traffic,
    size: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out` and `size`.
        let room = unsafe { room(out, size) }?;
        let shared = find(renderer.id, Kind::Renderer, "renderer")?;
        room.set(shared.traffic());
        Ok(())
    })
}

/// What pipelines cost since the renderer was made.
///
/// size: sizeof(nf_pipeline_counts).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_pipeline_stats(
    renderer: nf_renderer,
    out: *mut nf_pipeline_counts,
    size: usize,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out` and `size`.
        let room = unsafe { room(out, size) }?;
        let stats = on(renderer, |objects| Ok(objects.renderer.pipeline_stats()))?;
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        room.set(nf_pipeline_counts {
            draw_builds: stats.draw_builds,
            draw_build_ns: ns(stats.draw_build_time),
            draw_functions: stats.draw_functions,
            waits: stats.waits,
            wait_ns: ns(stats.wait_time),
            background_builds: stats.background_builds,
            background_functions: stats.background_functions,
            background_ns: ns(stats.background_time),
            prewarm_hits: stats.prewarm_hits,
            translated: stats.translated,
            shaders_registered: stats.shaders_registered,
            recipes_loaded: stats.recipes_loaded,
            recipes_dropped: stats.recipes_dropped,
            recipes_recorded: stats.recipes_recorded,
            archive_saves: stats.archive_saves,
        });
        Ok(())
    })
}

/// What a renderer did and holds.
///
/// size: sizeof(nf_counts).
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_stats(renderer: nf_renderer, out: *mut nf_counts, size: usize) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out` and `size`.
        let room = unsafe { room(out, size) }?;
        let counts = on(renderer, |objects| {
            let stats = objects.renderer.stats();
            Ok(nf_counts {
                draws: stats.draws,
                passes: stats.passes,
                submissions: stats.submissions,
                pipelines_built: stats.pipelines_built,
                clears_encoded: stats.clears_encoded,
                samplers: stats.samplers as u64,
                depth_stencil_states: stats.depth_stencil_states as u64,
                cached_textures: stats.cached_textures as u64,
                cached_texture_bytes: stats.cached_texture_bytes,
                textures: objects.textures.len() as u64,
                contexts: objects.contexts.len() as u64,
                buffers: objects.buffers.len() as u64,
            })
        })?;
        room.set(counts);
        Ok(())
    })
}
