//! Settings: the caller's, and what the environment says.

use core::ptr;
use std::path::PathBuf;
use std::sync::Once;
use std::time::Duration;

use ninefold_renderer::{RadialFogSwitch, Settings, gpu::GpuOptions, is_on};

use crate::fault::{Fault, Result, call};
use crate::pointer::{init, text};
use crate::types::nf_settings;

/// A variable's text; empty counts as not set.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The name of the program that this library runs in.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The environment counts, and everything is as it says or the default.
pub(crate) fn defaults() -> nf_settings {
    nf_settings {
        struct_size: size_of::<nf_settings>() as u32,
        environment: 1,
        adapter: ptr::null(),
        program: ptr::null(),
        pipeline_cache_dir: ptr::null(),
        validation: -1,
        fast_paths: -1,
        quality_aniso: -1,
        texture_fallback: -1,
        pipeline_workers: -1,
        shader_prewarm: -1,
        pipeline_archive: -1,
        pipeline_archive_save_ms: -1,
        radial_fog: -1,
        texture_cache_entries: 0,
        program_pipelines: 0,
        fixed_pipelines: 0,
        texture_cache_bytes: 0,
    }
}

/// Fills settings: the environment counts, and everything is as it says or the default.
///
/// size: sizeof(nf_settings), by which versions of this header are told apart.
///
/// Returns NF_OK, or NF_ERR_ARGS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_settings_init(settings: *mut nf_settings, size: usize) -> i32 {
    // SAFETY: the caller's promise about `settings` and `size`.
    call(|| unsafe { init(settings, size, defaults()) })
}

/// What a renderer is made with.
pub(crate) struct Wanted {
    pub(crate) gpu: GpuOptions,
    pub(crate) renderer: Settings,
}

/// 0, 1, or -1 for what is there already.
fn switch(value: i32, into: &mut bool, name: &str) -> Result<()> {
    match value {
        -1 => {}
        0 | 1 => *into = value == 1,
        _ => {
            return Err(Fault::args(format!(
                "settings->{name} is {value}, expected -1, 0 or 1"
            )));
        }
    }
    Ok(())
}

/// A number up to `most`, or 0 for what is there already.
fn bound(value: u32, most: usize, into: &mut usize, name: &str) -> Result<()> {
    let value = value as usize;
    if value > most {
        return Err(Fault::args(format!(
            "settings->{name} is {value}, expected at most {most}"
        )));
    }
    if value > 0 {
        *into = value;
    }
    Ok(())
}

/// The settings that `settings` and the environment ask for.
///
/// # Safety
/// The texts end with zeros.
pub(crate) unsafe fn read(settings: &nf_settings) -> Result<Wanted> {
    let s = settings;
    let read = |name: &str| match s.environment {
        0 => None,
        _ => variable(name),
    };
    if s.environment > 1 {
        return Err(Fault::args(format!(
            "settings->environment is {}, expected 0 or 1",
            s.environment
        )));
    }
    // SAFETY: as the caller says.
    let [adapter, name, folder] = unsafe {
        [
            text(s.adapter, "settings->adapter")?,
            text(s.program, "settings->program")?,
            text(s.pipeline_cache_dir, "settings->pipeline_cache_dir")?,
        ]
    };
    let name = name.map_or_else(program, str::to_owned);
    let mut renderer = Settings::from_variables(&name, read);
    let mut validation = read("NINEFOLD_VALIDATION").is_some_and(|value| is_on(&value));
    switch(s.validation, &mut validation, "validation")?;
    switch(s.fast_paths, &mut renderer.draw_fast_paths, "fast_paths")?;
    switch(
        s.quality_aniso,
        &mut renderer.quality_aniso,
        "quality_aniso",
    )?;
    switch(
        s.texture_fallback,
        &mut renderer.texture_fallback,
        "texture_fallback",
    )?;
    switch(
        s.shader_prewarm,
        &mut renderer.shader_prewarm,
        "shader_prewarm",
    )?;
    switch(
        s.pipeline_archive,
        &mut renderer.pipeline_archive,
        "pipeline_archive",
    )?;
    switch(s.radial_fog, &mut renderer.radial_fog, "radial_fog")?;
    match s.pipeline_workers {
        -1 => {}
        workers @ 0..=6 => renderer.pipeline_workers = workers as usize,
        workers => {
            return Err(Fault::args(format!(
                "settings->pipeline_workers is {workers}, expected -1 to 6"
            )));
        }
    }
    match s.pipeline_archive_save_ms {
        -1 => {}
        ms => {
            let ms = u64::try_from(ms).map_err(|_| {
                Fault::args(format!(
                    "settings->pipeline_archive_save_ms is {ms}, expected -1 or more"
                ))
            })?;
            renderer.pipeline_archive_save = Duration::from_millis(ms);
        }
    }
    let defaults = Settings::default();
    bound(
        s.texture_cache_entries,
        defaults.texture_cache_entries,
        &mut renderer.texture_cache_entries,
        "texture_cache_entries",
    )?;
    bound(
        s.program_pipelines,
        defaults.program_pipelines,
        &mut renderer.program_pipelines,
        "program_pipelines",
    )?;
    bound(
        s.fixed_pipelines,
        defaults.fixed_pipelines,
        &mut renderer.fixed_pipelines,
        "fixed_pipelines",
    )?;
    if s.texture_cache_bytes > 0 {
        renderer.texture_cache_bytes = s.texture_cache_bytes;
    }
    if let Some(folder) = folder {
        renderer.pipeline_cache_dir = (!folder.is_empty()).then(|| PathBuf::from(folder));
        renderer.pipeline_cache_on_software = true;
    }
    let adapter = match adapter {
        Some(adapter) => Some(adapter.to_owned()),
        None => read("NINEFOLD_ADAPTER"),
    };
    // Last, so that settings that are refused decide nothing.
    let radial_fog = renderer.radial_fog;
    renderer.radial_fog = RadialFogSwitch::of_process().decide(|| radial_fog);
    Ok(Wanted {
        gpu: GpuOptions {
            adapter: adapter.filter(|name| !name.is_empty()),
            validation,
        },
        renderer,
    })
}

/// Shows logs on standard error when `RUST_LOG` asks for them.
pub(crate) fn logs() {
    static START: Once = Once::new();
    START.call_once(|| {
        if let Some(filter) = variable("RUST_LOG") {
            // A host program that has a subscriber keeps it.
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_writer(std::io::stderr)
                .try_init();
        }
    });
}
