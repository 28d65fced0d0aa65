//! Watching what a run changes, so that it can be shown, undone and compared.

use std::collections::BTreeMap;

use super::{Memory, MemoryError, OPEN, PAGE, PAGE_SIZE};

/// What was written between [`Memory::watch`] and [`Memory::end_watch`]: whole pages,
/// as they were and as they became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pages: BTreeMap<u32, Contents>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Contents {
    before: Box<[u8]>,
    after: Box<[u8]>,
}

/// A run of bytes that two memories do not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Address of the first byte.
    pub address: u32,
    /// The bytes on the one side: before the run, or after the first of two runs.
    pub old: Vec<u8>,
    /// The bytes on the other side, as many.
    pub new: Vec<u8>,
}

impl Memory {
    /// Begins to remember what pages held before they are written. The first write to a
    /// page then costs a copy of the page; later ones cost nothing.
    pub fn watch(&mut self) -> Result<(), MemoryError> {
        if self.watch.is_some() {
            return Err(MemoryError::Watched);
        }
        self.watch = Some(Vec::new());
        for slot in self.opened.drain(..) {
            let page = &mut self.pages[slot as usize];
            page.opened = false;
            self.table[page.number as usize] &= !OPEN;
        }
        Ok(())
    }

    /// Ends the watch. Without one the changes are empty.
    pub fn end_watch(&mut self) -> Changes {
        let saved = self.watch.take().unwrap_or_default();
        let pages = saved.into_iter().map(|(slot, before)| {
            let after = self.pool[slot as usize * PAGE..][..PAGE].into();
            self.pages[slot as usize].saved = false;
            (self.pages[slot as usize].number, Contents { before, after })
        });
        Changes {
            pages: pages.collect(),
        }
    }

    /// Puts back what the changed pages held before.
    pub fn undo(&mut self, changes: &Changes) -> Result<(), MemoryError> {
        for (number, contents) in &changes.pages {
            self.load(number * PAGE_SIZE, &contents.before)?;
        }
        Ok(())
    }

    /// Puts back what the changed pages became.
    pub fn redo(&mut self, changes: &Changes) -> Result<(), MemoryError> {
        for (number, contents) in &changes.pages {
            self.load(number * PAGE_SIZE, &contents.after)?;
        }
        Ok(())
    }
}

impl Changes {
    /// Whether no byte differs.
    pub fn is_empty(&self) -> bool {
        self.pages.values().all(|page| page.before == page.after)
    }

    /// The bytes that differ from before, as runs in order of address.
    pub fn list(&self) -> Vec<Change> {
        let mut list = Vec::new();
        for (number, page) in &self.pages {
            append(&mut list, number * PAGE_SIZE, &page.before, &page.after);
        }
        list
    }

    /// Where two runs that began with the same memory left different bytes: `old` of
    /// each [`Change`] is what this one left, `new` what the other one did.
    pub fn differences(&self, other: &Changes) -> Vec<Change> {
        let mut list = Vec::new();
        let mut numbers: Vec<u32> = self
            .pages
            .keys()
            .chain(other.pages.keys())
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let (ours, theirs) = match (self.pages.get(&number), other.pages.get(&number)) {
                (Some(ours), Some(theirs)) => (&ours.after, &theirs.after),
                (Some(ours), None) => (&ours.after, &ours.before),
                (None, Some(theirs)) => (&theirs.before, &theirs.after),
                (None, None) => continue,
            };
            append(&mut list, number * PAGE_SIZE, ours, theirs);
        }
        list
    }
}

/// Appends the runs in which two contents of the page at `address` differ; a run that
/// goes on from the page before is one run.
fn append(list: &mut Vec<Change>, address: u32, old: &[u8], new: &[u8]) {
    if old == new {
        return;
    }
    for (index, (&old, &new)) in old.iter().zip(new).enumerate() {
        if old == new {
            continue;
        }
        let at = address + index as u32;
        match list.last_mut() {
            Some(run) if run.address.wrapping_add(run.old.len() as u32) == at => {
                run.old.push(old);
                run.new.push(new);
            }
            _ => list.push(Change {
                address: at,
                old: vec![old],
                new: vec![new],
            }),
        }
    }
}
