//! Copies of static vertex and index buffers on the GPU.
//!
//! The bytes of a buffer lie in system memory, where programs write them. A draw copies the vertices
//! and indices it reads from there into the renderer's arena, again for each draw and each view of a
//! scene. Of a buffer that programs fill once, one copy of the whole serves all draws instead.
//!
//! The bytes that a draw reads are the same either way:
//! - A copy is good until the buffer is locked, unlocked, or written by `ProcessVertices`. None is
//!   made or used of a buffer that is locked.
//! - Programs may keep the pointer of a lock and write after the unlock. So a copy is compared with
//!   the buffer's bytes before each use, as far as the draw reads. Bytes that differ end its use
//!   before the draw.
//! - Buffers that change often are *refused*: for good, and copied for each draw as before. They are
//!   those made with `D3DUSAGE_DYNAMIC`, those ever locked with `D3DLOCK_NOOVERWRITE` or
//!   `D3DLOCK_DISCARD`, those that [`MAX_COPIES`] copies were made of, and those whose copy differed.
//!
//! A copy belongs to its buffer and goes with it; the GPU's memory stays until the draws that use it
//! are done. Small copies share memory, which goes with the last of them. The budget counts the bytes
//! of copies; what they share may hold as much again as ever lived there at once, and 4 MiB.

use core::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ninefold_renderer::{GeometryBuffer, Renderer};

use crate::compare::same;

/// Copies that are made of one buffer.
pub(crate) const MAX_COPIES: u8 = 4;

/// Bytes of buffers that have copies at one time, unless told otherwise.
pub(crate) const BUDGET: u64 = 128 << 20;

/// What makes copies.
pub(crate) trait CopyTo {
    type Copy;
    type Error: core::fmt::Display;

    fn copy(&mut self, bytes: &[u8]) -> Result<Self::Copy, Self::Error>;
}

impl CopyTo for Renderer {
    type Copy = GeometryBuffer;
    type Error = ninefold_renderer::Error;

    fn copy(&mut self, bytes: &[u8]) -> ninefold_renderer::Result<GeometryBuffer> {
        self.create_copy(bytes)
    }
}

/// All copies of a device.
#[derive(Debug)]
pub(crate) struct Ledger {
    budget: u64,
    live: Arc<AtomicU64>,
    peak: u64,
    copies: u64,
    mismatches: u64,
    budget_fallbacks: u64,
}

impl Ledger {
    pub(crate) fn new(budget: u64) -> Self {
        Self {
            budget,
            live: Arc::default(),
            peak: 0,
            copies: 0,
            mismatches: 0,
            budget_fallbacks: 0,
        }
    }

    /// Bytes of the buffers that have copies, now and at most so far.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.live.load(Ordering::Relaxed), self.peak)
    }

    /// Notes buffers that a draw copied because their copies had no room.
    pub(crate) fn note_full(&mut self, buffers: u32) {
        self.budget_fallbacks += u64::from(buffers);
    }

    /// Copies made, copies found different, and buffers that draws copied for want of room.
    pub(crate) fn counts(&self) -> [u64; 3] {
        [self.copies, self.mismatches, self.budget_fallbacks]
    }

    fn has_room(&self, bytes: usize) -> bool {
        let live = self.live.load(Ordering::Relaxed);
        bytes as u64 <= self.budget.saturating_sub(live)
    }

    fn take(&mut self, bytes: usize) -> Share {
        let bytes = bytes as u64;
        let before = self.live.fetch_add(bytes, Ordering::Relaxed);
        self.peak = self.peak.max(before + bytes);
        Share {
            live: self.live.clone(),
            bytes,
        }
    }
}

/// What one copy takes of the budget, given back when it goes.
#[derive(Debug)]
struct Share {
    live: Arc<AtomicU64>,
    bytes: u64,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A copy with the bytes that it was made of.
#[derive(Debug)]
struct Live<C> {
    copy: C,
    bytes: Box<[u8]>,
    named: Cell<Named>,
    _share: Share,
}

/// Of a copy of indices: the range that was drawn last, its smallest index and its largest.
#[derive(Clone, Copy, Debug, Default)]
struct Named {
    start: usize,
    len: usize,
    extent: (u32, u32),
}

/// A buffer's copy, or why it has none.
#[derive(Debug)]
pub(crate) struct Residency<C> {
    refused: bool,
    copies: u8,
    live: Option<Live<C>>,
}

/// What a draw finds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found<'a, C> {
    /// The copy holds the bytes asked for.
    Copy(&'a C),
    /// There may be one after [`Residency::renew`].
    Stale,
    /// There is no room for one now.
    Full,
    /// There will be none.
    Nothing,
}

impl<C> Residency<C> {
    pub(crate) fn new(refused: bool) -> Self {
        Self {
            refused,
            copies: 0,
            live: None,
        }
    }

    /// The smallest and the largest index of a range that [`find`](Self::find) has just found
    /// unchanged, if they were noted.
    #[inline]
    pub(crate) fn extent(&self, start: usize, len: usize) -> Option<(u32, u32)> {
        let named = self.live.as_ref()?.named.get();
        ((named.start, named.len) == (start, len)).then_some(named.extent)
    }

    /// Notes them for the next draw of the same range.
    pub(crate) fn note_extent(&self, start: usize, len: usize, extent: (u32, u32)) {
        if let Some(live) = &self.live {
            live.named.set(Named { start, len, extent });
        }
    }

    /// The buffer's bytes change, or may: the copy is of the past.
    pub(crate) fn changed(&mut self) {
        self.live = None;
    }

    /// No copies from now on.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
        self.live = None;
    }

    /// Looks for a copy of `len` bytes from `start` on of `data`, which is all of the buffer and
    /// holds the range.
    #[inline]
    pub(crate) fn find(
        &self,
        data: &[u8],
        start: usize,
        len: usize,
        ledger: &Ledger,
    ) -> Found<'_, C> {
        if let Some(live) = &self.live {
            let range = start..start + len;
            return match (live.bytes.get(range.clone()), data.get(range)) {
                (Some(then), Some(now)) if same(then, now) => Found::Copy(&live.copy),
                _ => Found::Stale,
            };
        }
        if self.refused {
            Found::Nothing
        } else if self.copies < MAX_COPIES && !ledger.has_room(data.len()) {
            Found::Full
        } else {
            Found::Stale
        }
    }

    /// After [`Found::Stale`]: gives a copy that differs up, makes one where there is none.
    #[cold]
    pub(crate) fn renew<G>(
        &mut self,
        data: &[u8],
        name: &dyn core::fmt::Debug,
        gpu: &mut G,
        ledger: &mut Ledger,
    ) where
        G: CopyTo<Copy = C>,
    {
        if let Some(live) = &self.live {
            // Another stream of the draw may have the same buffer.
            if same(&live.bytes, data) {
                return;
            }
            ledger.mismatches += 1;
            tracing::warn!(
                target: "ninefold::vb_resident",
                buffer = ?name,
                size = data.len(),
                "the bytes changed without a lock: no more copies of this buffer"
            );
            self.refuse();
        }
        if self.copies >= MAX_COPIES {
            self.refuse();
        }
        if self.refused || !ledger.has_room(data.len()) {
            return;
        }
        match gpu.copy(data) {
            Ok(copy) => {
                self.copies += 1;
                ledger.copies += 1;
                self.live = Some(Live {
                    copy,
                    bytes: data.into(),
                    named: Cell::default(),
                    _share: ledger.take(data.len()),
                });
            }
            Err(error) => {
                tracing::warn!(
                    target: "ninefold::vb_resident",
                    buffer = ?name,
                    size = data.len(),
                    %error,
                    "no copy"
                );
                self.refuse();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies are the bytes as they were.
    struct FakeGpu {
        made: usize,
        fails: bool,
    }

    impl CopyTo for FakeGpu {
        type Copy = Vec<u8>;
        type Error = &'static str;

        fn copy(&mut self, bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
            if self.fails {
                return Err("no memory");
            }
            self.made += 1;
            Ok(bytes.to_vec())
        }
    }

    struct Fake {
        gpu: FakeGpu,
        ledger: Ledger,
    }

    impl Fake {
        fn new(budget: u64) -> Self {
            Self {
                gpu: FakeGpu {
                    made: 0,
                    fails: false,
                },
                ledger: Ledger::new(budget),
            }
        }

        /// Asks as a draw does. Whether a copy was found, which holds what `data` does now.
        fn draw(
            &mut self,
            residency: &mut Residency<Vec<u8>>,
            data: &[u8],
            start: usize,
            len: usize,
        ) -> bool {
            if residency.find(data, start, len, &self.ledger) == Found::Stale {
                residency.renew(data, &"buffer", &mut self.gpu, &mut self.ledger);
            }
            match residency.find(data, start, len, &self.ledger) {
                Found::Copy(copy) => {
                    assert_eq!(copy[start..start + len], data[start..start + len]);
                    true
                }
                _ => false,
            }
        }

        fn live(&self) -> u64 {
            self.ledger.bytes().0
        }
    }

    #[test]
    fn one_copy_serves_until_the_buffer_changes() {
        let mut fake = Fake::new(1 << 20);
        let mut buffer = Residency::new(false);
        let mut data = vec![1u8; 1000];
        for start in [0, 4, 900] {
            assert!(fake.draw(&mut buffer, &data, start, 100));
        }
        assert_eq!((fake.gpu.made, fake.live()), (1, 1000));
        buffer.changed();
        assert_eq!(fake.live(), 0);
        data.fill(2);
        assert!(fake.draw(&mut buffer, &data, 0, 1000));
        assert_eq!((fake.gpu.made, fake.live()), (2, 1000));
        drop(buffer);
        assert_eq!(fake.live(), 0);
        assert_eq!(fake.ledger.bytes().1, 1000);
    }

    #[test]
    fn the_fifth_change_is_one_too_many() {
        let mut fake = Fake::new(1 << 20);
        let mut buffer = Residency::new(false);
        for generation in 0..10u8 {
            let data = [generation; 64];
            assert_eq!(
                fake.draw(&mut buffer, &data, 0, 64),
                generation < MAX_COPIES
            );
            buffer.changed();
        }
        assert_eq!(fake.gpu.made, usize::from(MAX_COPIES));
        assert_eq!(fake.ledger.counts(), [MAX_COPIES.into(), 0, 0]);
    }

    #[test]
    fn bytes_written_behind_our_back_end_it_at_once_and_for_good() {
        let mut fake = Fake::new(1 << 20);
        for at in 0..1000 {
            let mut buffer = Residency::new(false);
            let mut data = vec![1u8; 1000];
            assert!(fake.draw(&mut buffer, &data, 0, 1000));
            data[at] ^= 1 << (at % 8);
            // What a draw does not read it does not compare.
            let (before, after) = (0..at & !63, (at / 64 + 1) * 64..1000);
            for part in [before, after] {
                if !part.is_empty() && part.end <= 1000 {
                    assert!(fake.draw(&mut buffer, &data, part.start, part.len()));
                }
            }
            assert!(!fake.draw(&mut buffer, &data, at, 1));
            assert_eq!(fake.live(), 0);
            buffer.changed();
            assert!(!fake.draw(&mut buffer, &data, 0, 1000));
        }
        assert_eq!(fake.ledger.counts(), [1000, 1000, 0]);
    }

    #[test]
    fn what_has_no_room_waits_for_it() {
        let mut fake = Fake::new(100);
        let (mut first, mut second) = (Residency::new(false), Residency::new(false));
        let data = [7u8; 60];
        assert!(fake.draw(&mut first, &data, 0, 60));
        for _ in 0..3 {
            assert_eq!(second.find(&data, 0, 60, &fake.ledger), Found::Full);
            assert!(!fake.draw(&mut second, &data, 0, 60));
        }
        drop(first);
        assert!(fake.draw(&mut second, &data, 0, 60));
        // Exactly full, and one byte over.
        let mut rest = Residency::new(false);
        assert!(!fake.draw(&mut rest, &[0; 41], 0, 41));
        assert!(fake.draw(&mut rest, &[0; 40], 0, 40));
        assert_eq!(fake.ledger.bytes(), (100, 100));
        // Time spent waiting is no copy.
        assert_eq!(fake.ledger.counts()[0], 3);
        assert_eq!(second.copies, 1);
    }

    #[test]
    fn the_refused_stay_refused() {
        let mut fake = Fake::new(1 << 20);
        let data = [1u8; 8];
        let mut never = Residency::new(true);
        let mut later = Residency::new(false);
        assert!(fake.draw(&mut later, &data, 0, 8));
        later.refuse();
        fake.gpu.fails = true;
        let mut short = Residency::new(false);
        assert!(!fake.draw(&mut short, &data, 0, 8), "memory is short");
        fake.gpu.fails = false;
        for buffer in [&mut never, &mut later, &mut short] {
            buffer.changed();
            assert_eq!(buffer.find(&data, 0, 8, &fake.ledger), Found::Nothing);
        }
        assert_eq!((fake.gpu.made, fake.live()), (1, 0));
    }

    #[test]
    fn a_buffer_may_be_two_streams_of_a_draw() {
        let mut fake = Fake::new(1 << 20);
        let mut buffer = Residency::new(false);
        let data = [1u8; 8];
        for _ in 0..2 {
            buffer.renew(&data, &"buffer", &mut fake.gpu, &mut fake.ledger);
        }
        assert!(fake.draw(&mut buffer, &data, 0, 8));
        assert_eq!(fake.ledger.counts(), [1, 0, 0]);
    }
}
