//! What the environment says. Libraries read no environment; this one is a front door.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once, OnceLock};

use ninefold_d3d9::{
    Device, DeviceSettings, RadialFogSwitch, RendererSettings, ShaderPack, VertexSettings, is_on,
    load_shader_pack,
};

/// A variable's text; empty counts as not set.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

/// The name of the program that this library runs in.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// `NINEFOLD_SHADER_PACK`, unless `NINEFOLD_SHADER_MODS` is 0. Read once for the process.
fn shader_pack() -> Option<Arc<ShaderPack>> {
    static PACK: OnceLock<Option<Arc<ShaderPack>>> = OnceLock::new();
    let read = || {
        let path = variable("NINEFOLD_SHADER_PACK")?;
        let wanted = variable("NINEFOLD_SHADER_MODS").is_none_or(|v| is_on(&v));
        let pack = wanted.then(|| load_shader_pack(Path::new(&path)))?;
        if pack.is_none() {
            eprintln!(
                "ninefold: NINEFOLD_SHADER_PACK={path}: no shader pack can be read there \
                 (`ninefold pack check` says why); nothing is replaced"
            );
        }
        pack
    };
    PACK.get_or_init(read).clone()
}

/// `NINEFOLD_ADAPTER`, `NINEFOLD_VALIDATION`, the shader pack, and what the renderer and
/// `ProcessVertices` read.
pub(crate) fn device_settings(extended: bool) -> DeviceSettings {
    let mut renderer =
        RendererSettings::from_variables(&program(), |name| std::env::var(name).ok());
    let asked = renderer.radial_fog;
    renderer.radial_fog = RadialFogSwitch::of_process().decide(|| asked);
    DeviceSettings {
        adapter: variable("NINEFOLD_ADAPTER"),
        validation: variable("NINEFOLD_VALIDATION").is_some_and(|v| is_on(&v)),
        extended,
        shader_pack: shader_pack(),
        vertices: VertexSettings::from_variables(|name| std::env::var(name).ok()),
        renderer,
        ..DeviceSettings::default()
    }
}

/// `NINEFOLD_FRAME_DIR`: where pictures of presented frames go.
pub(crate) fn frame_dir() -> Option<PathBuf> {
    variable("NINEFOLD_FRAME_DIR").map(PathBuf::from)
}

/// `NINEFOLD_WSI`: what an `HWND` is.
pub(crate) fn window_system() -> String {
    variable("NINEFOLD_WSI").unwrap_or_default()
}

/// `NINEFOLD_TRACE`: records the device's calls there; the process's second device records to the
/// path with `.2` added, and so on.
pub(crate) fn record(device: &mut Device) {
    static DEVICES: AtomicU32 = AtomicU32::new(0);
    let Some(path) = variable("NINEFOLD_TRACE") else {
        return;
    };
    let path = match DEVICES.fetch_add(1, Ordering::Relaxed) {
        0 => path,
        n => format!("{path}.{}", n + 1),
    };
    let recording =
        File::create(&path).and_then(|file| device.record_to(Box::new(BufWriter::new(file))));
    if let Err(error) = recording {
        eprintln!("ninefold: NINEFOLD_TRACE={path}: {error}");
    }
}

/// Ends a recording; standard error says when the capture is not whole.
pub(crate) fn stop_recording(device: &mut Device) {
    if let Err(error) = device.stop_recording() {
        eprintln!("ninefold: the capture of NINEFOLD_TRACE is incomplete: {error}");
    }
}

/// Has `f` called when the program ends, however many devices it leaves behind.
pub(crate) fn at_exit(f: extern "C" fn()) {
    unsafe extern "C" {
        safe fn atexit(f: extern "C" fn()) -> i32;
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        atexit(f);
    });
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
