//! The renderers of the process, and how a call gets at one.

use core::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};

use crate::fault::{Fault, NF_ERR_ARGS, NF_ERR_TEXTURE, Result};
use crate::handle::{self, Kind, Owner};
use crate::objects::Objects;
use crate::types::nf_traffic;

/// Renderers alive at once.
const RENDERERS: usize = 64;

/// A renderer and what may be read without waiting for the call that it is busy with.
pub(crate) struct Shared {
    /// `None` once it is destroyed.
    pub(crate) objects: Mutex<Option<Objects>>,
    traffic: [AtomicU64; 5],
    pub(crate) fast: AtomicBool,
    pub(crate) commit_error: Arc<Mutex<String>>,
}

impl Shared {
    /// Lets other threads see the counters.
    fn publish(&self, objects: &Objects) {
        let traffic = objects.renderer.traffic();
        let values = [
            traffic.resident_draws,
            traffic.resident_bytes,
            traffic.arena_vertex_bytes,
            traffic.arena_bytes,
            traffic.clears_folded,
        ];
        for (to, value) in self.traffic.iter().zip(values) {
            to.store(value, Ordering::Relaxed);
        }
        let fast = objects.renderer.fast_paths();
        self.fast.store(fast, Ordering::Relaxed);
    }

    /// The counters after the last call that has returned.
    pub(crate) fn traffic(&self) -> nf_traffic {
        let [
            resident_draws,
            resident_bytes,
            arena_vertex_bytes,
            arena_bytes,
            clears_folded,
        ] = self
            .traffic
            .each_ref()
            .map(|value| value.load(Ordering::Relaxed));
        nf_traffic {
            resident_draws,
            resident_bytes,
            arena_vertex_bytes,
            arena_bytes,
            clears_folded,
        }
    }
}

struct Place {
    generation: u16,
    shared: Option<Arc<Shared>>,
}

static PLACES: RwLock<Vec<Place>> = RwLock::new(Vec::new());

/// Keeps a renderer; `make` gets what its handles begin with.
pub(crate) fn add(make: impl FnOnce(Owner) -> Objects) -> Result<u64> {
    let mut places = PLACES.write();
    let free = places
        .iter()
        .position(|place| place.shared.is_none() && place.generation < u16::MAX);
    let slot = match free {
        Some(slot) => slot,
        None if places.len() < RENDERERS => {
            places.push(Place {
                generation: 0,
                shared: None,
            });
            places.len() - 1
        }
        None => {
            return Err(Fault::state(format!(
                "there are {RENDERERS} renderers, no more fit"
            )));
        }
    };
    let place = &mut places[slot];
    place.generation += 1;
    let owner = Owner {
        slot: slot as u8,
        generation: place.generation,
    };
    let objects = make(owner);
    let shared = Shared {
        traffic: Default::default(),
        fast: AtomicBool::new(false),
        commit_error: objects.commit_error.clone(),
        objects: Mutex::new(None),
    };
    shared.publish(&objects);
    *shared.objects.lock() = Some(objects);
    place.shared = Some(Arc::new(shared));
    Ok(owner.id())
}

/// The renderer that a handle names or that its object belongs to.
pub(crate) fn find(id: u64, kind: Kind, name: &str) -> Result<Arc<Shared>> {
    let owner = Owner::of(id);
    let places = PLACES.read();
    let place = places
        .get(usize::from(owner.slot))
        .filter(|place| place.generation == owner.generation && handle::is(id, kind));
    match place.and_then(|place| place.shared.as_ref()) {
        Some(shared) if kind != Kind::Renderer || id == owner.id() => Ok(shared.clone()),
        _ => Err(stale(id, kind, name)),
    }
}

/// The error of a handle that names nothing.
#[cold]
pub(crate) fn stale(id: u64, kind: Kind, name: &str) -> Fault {
    let code = match kind {
        Kind::Texture => NF_ERR_TEXTURE,
        _ => NF_ERR_ARGS,
    };
    let kind = match kind {
        Kind::Renderer => "renderer",
        Kind::Context => "context",
        Kind::Texture => "texture",
        Kind::Buffer => "buffer",
        Kind::Shader => "shader",
    };
    let text = match id {
        0 => format!("{name} is no {kind} (its id is 0)"),
        _ => format!("{name} ({id:#x}) is no {kind} that is alive"),
    };
    Fault::new(code, text)
}

/// Forgets a renderer.
pub(crate) fn remove(id: u64) {
    let owner = Owner::of(id);
    if let Some(place) = PLACES.write().get_mut(usize::from(owner.slot))
        && place.generation == owner.generation
    {
        place.shared = None;
    }
}

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs a callback of the program's. Until it returns, calls of this thread that need a renderer
/// are refused: the thread that would serve them may be waiting for this one.
pub(crate) fn in_callback(f: impl FnOnce()) {
    let before = IN_CALLBACK.replace(true);
    f();
    IN_CALLBACK.set(before);
}

pub(crate) fn refuse_in_callback() -> Result<()> {
    match IN_CALLBACK.get() {
        false => Ok(()),
        true => Err(Fault::state(
            "renderers cannot be used in a completion callback",
        )),
    }
}

/// Runs `f` with the objects of the renderer that `id` names or belongs to. Calls from several
/// threads wait for each other.
pub(crate) fn with<R>(
    id: u64,
    kind: Kind,
    name: &str,
    f: impl FnOnce(&mut Objects) -> Result<R>,
) -> Result<R> {
    refuse_in_callback()?;
    let shared = find(id, kind, name)?;
    let mut guard = shared.objects.lock();
    let Some(objects) = guard.as_mut() else {
        return Err(stale(id, kind, name));
    };
    let result = f(objects);
    shared.publish(objects);
    result
}
