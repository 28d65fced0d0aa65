//! What the service keeps on disk, read and written on a thread of its own.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::manifest::{HEADER, MAX_FILE, MAX_RECIPES, Manifest, header};
use super::recipe::{RECIPE_BYTES, Recipe};
use super::{Shared, archive};
use crate::files;

const MANIFEST: &str = "manifest-v2.bin";
const MANIFEST_V1: &str = "manifest-v1.bin";
/// Held while the manifest changes, so that two processes do not change it at once.
const LOCK: &str = "manifest.lock";
/// How long another process may hold a lock: one that was stopped must not stop others.
const PATIENCE: Duration = Duration::from_secs(5);
/// Records that are written together.
const BATCH: usize = 256;

enum Message {
    Append(Box<Recipe>),
    Sync(Sender<io::Result<()>>),
}

/// The draw thread's end of the store.
pub(super) struct Store {
    /// Taken when the store closes.
    sender: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
    folder: PathBuf,
}

impl Store {
    /// Opens the folder and begins to read its manifest. Without a thread there is no store.
    pub(super) fn start(folder: PathBuf, quiet: Duration, shared: &Arc<Shared>) -> Option<Self> {
        let (sender, receiver) = mpsc::channel();
        let (own, shared) = (folder.clone(), shared.clone());
        let thread = std::thread::Builder::new().name("ninefold.manifest".into());
        let spawned = thread.spawn(move || run(&own, quiet, &shared, &receiver));
        match spawned {
            Ok(thread) => Some(Self {
                sender: Some(sender),
                thread: Some(thread),
                folder,
            }),
            Err(error) => {
                tracing::warn!(target: "ninefold::pipeline", %error, "no pipeline cache on disk");
                None
            }
        }
    }

    pub(super) fn append(&self, recipe: Recipe) {
        if let Some(sender) = &self.sender {
            // The thread is gone only when it panicked, which it said.
            let _ = sender.send(Message::Append(Box::new(recipe)));
        }
    }

    /// Writes everything and waits until it is on the disk.
    pub(super) fn sync(&self, shared: &Shared) -> io::Result<()> {
        let (done, answer) = mpsc::channel();
        let sent = self.sender.as_ref().map(|s| s.send(Message::Sync(done)));
        if let Some(Ok(())) = sent {
            answer.recv().map_err(io::Error::other)??;
        }
        match &shared.archive {
            Some(cache) => archive::save(cache, &shared.gpu, &self.folder).map(|saved| {
                shared.state.lock().stats.archive_saves += u64::from(saved);
            }),
            None => Ok(()),
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Says that the manifest was read, also when reading it went wrong.
struct Loaded<'a>(&'a Arc<Shared>);

impl Drop for Loaded<'_> {
    fn drop(&mut self) {
        self.0.state.lock().loaded = true;
        self.0.changed.notify_all();
    }
}

fn run(folder: &Path, quiet: Duration, shared: &Arc<Shared>, receiver: &Receiver<Message>) {
    // Keys that the manifest has.
    let mut known = FxHashSet::default();
    {
        let _loaded = Loaded(shared);
        match load(folder) {
            Ok(manifest) => {
                known.extend(manifest.recipes().iter().map(|recipe| recipe.key));
                tracing::info!(
                    target: "ninefold::pipeline",
                    folder = %folder.display(),
                    recipes = manifest.len(),
                    "manifest read"
                );
                shared.add_recipes(manifest.into_recipes());
            }
            Err(error) => tracing::warn!(
                target: "ninefold::pipeline",
                folder = %folder.display(),
                %error,
                "no manifest"
            ),
        }
    }
    let mut warned = false;
    // Builds that the archive on disk has, and when there were last new ones.
    let mut saved = 0;
    let mut seen = (0, Instant::now());
    loop {
        let message = match &shared.archive {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => receiver.recv_timeout(quiet.min(Duration::from_secs(1))),
        };
        match message {
            Ok(message) => {
                let mut recipes = Vec::new();
                let mut syncs = Vec::new();
                for message in [message].into_iter().chain(receiver.try_iter().take(BATCH)) {
                    match message {
                        Message::Append(recipe) if known.insert(recipe.key) => {
                            recipes.push(*recipe);
                        }
                        // Built before the manifest was read.
                        Message::Append(_) => {}
                        Message::Sync(done) => syncs.push(done),
                    }
                }
                let written = append(folder, &recipes, !syncs.is_empty());
                if let (Err(error), false) = (&written, warned) {
                    warned = true;
                    tracing::warn!(target: "ninefold::pipeline", %error, "a manifest was not written");
                }
                if let Ok(count) = &written {
                    shared.state.lock().stats.recipes_recorded += *count as u64;
                }
                for done in syncs {
                    let answer = match &written {
                        Ok(_) => Ok(()),
                        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                    };
                    let _ = done.send(answer);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Some(cache) = &shared.archive else {
            continue;
        };
        let (built, busy) = {
            let state = shared.state.lock();
            let stats = &state.stats;
            let busy = !state.queues.prepare.is_empty() || !state.queues.build.is_empty();
            (stats.draw_builds + stats.background_builds, busy)
        };
        if built != seen.0 {
            seen = (built, Instant::now());
        }
        if built != saved && !busy && seen.1.elapsed() >= quiet {
            saved = built;
            match archive::save(cache, &shared.gpu, folder) {
                Ok(wrote) => shared.state.lock().stats.archive_saves += u64::from(wrote),
                Err(error) => {
                    tracing::warn!(target: "ninefold::pipeline", %error, "the archive was not written");
                }
            }
        }
    }
}

/// Keeps other processes from changing what the lock file `name` stands for while it lives. A file
/// system without locks does without.
pub(super) fn lock(folder: &Path, name: &str, patience: Duration) -> io::Result<File> {
    let file = files::open_to_change(&folder.join(name))?;
    let until = Instant::now() + patience;
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if Instant::now() >= until {
            let what = format!("{name} is held by another process");
            return Err(io::Error::new(io::ErrorKind::TimedOut, what));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(file)
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Reads the manifest of a folder, or that of version 1 where there is no other, and writes it anew
/// when something in it is to go. A folder that cannot be written to is read.
pub(super) fn load(folder: &Path) -> io::Result<Manifest> {
    std::fs::create_dir_all(folder)?;
    let lock = lock(folder, LOCK, PATIENCE);
    let path = folder.join(MANIFEST);
    let bytes = match read(&path)? {
        Some(bytes) => bytes,
        None => match read(&folder.join(MANIFEST_V1))? {
            Some(bytes) => bytes,
            None => return Ok(Manifest::default()),
        },
    };
    let manifest = match Manifest::parse(&bytes) {
        Ok(manifest) if manifest.is_clean() => return Ok(manifest),
        Ok(manifest) => {
            tracing::info!(
                target: "ninefold::pipeline",
                version = manifest.version(),
                invalid = manifest.invalid(),
                superseded = manifest.superseded(),
                torn = manifest.torn(),
                "manifest written anew"
            );
            manifest
        }
        Err(error) => {
            tracing::warn!(target: "ninefold::pipeline", %error, "not a manifest; written anew");
            Manifest::default()
        }
    };
    // What was read counts, whether or not it can be written.
    let written = lock.and_then(|_lock| files::replace(&path, &manifest.to_bytes()));
    if let Err(error) = written {
        tracing::warn!(target: "ninefold::pipeline", %error, "the manifest was not written anew");
    }
    Ok(manifest)
}

/// Appends records, as many as there is room for, and says how many.
pub(super) fn append(folder: &Path, recipes: &[Recipe], sync: bool) -> io::Result<usize> {
    if recipes.is_empty() && !sync {
        return Ok(0);
    }
    let _lock = lock(folder, LOCK, PATIENCE)?;
    let mut file = files::open_to_change(&folder.join(MANIFEST))?;
    let mut start = [0; HEADER];
    let known = file.read_exact(&mut start).is_ok() && start == header();
    if !known {
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header())?;
    }
    let records = (file.metadata()?.len() - HEADER as u64) / RECIPE_BYTES as u64;
    let end = HEADER as u64 + records * RECIPE_BYTES as u64;
    let room = (MAX_RECIPES as u64).saturating_sub(records) as usize;
    let recipes = &recipes[..recipes.len().min(room)];
    // A record that another writer did not finish goes.
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    let written = file.write_all(bytemuck::cast_slice(recipes));
    if written.is_err() {
        let _ = file.set_len(end);
    }
    written?;
    if sync {
        file.sync_all()?;
    }
    Ok(recipes.len())
}
