//! Handles: numbers that name the objects of renderers. A number is given once; when its object is
//! gone it names nothing, so that a stale handle is told from a good one without touching memory.
//!
//! From the low bits up: 16 the place in a table, 20 how often the place was used before, 4 the kind
//! of object, 8 the renderer's place, 16 how often that was used. No handle is 0.

use crate::fault::{Fault, Result};

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Renderer = 1,
    Context,
    Texture,
    Buffer,
    Shader,
}

const INDEX_BITS: u32 = 16;
const GENERATION_BITS: u32 = 20;
const KIND_SHIFT: u32 = INDEX_BITS + GENERATION_BITS;
const OWNER_SHIFT: u32 = KIND_SHIFT + 4;
const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

/// The renderer's place and generation, as they lie above the rest of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) slot: u8,
    pub(crate) generation: u16,
}

impl Owner {
    /// The renderer that a handle names or that its object belongs to.
    pub(crate) fn of(id: u64) -> Self {
        let bits = id >> OWNER_SHIFT;
        Self {
            slot: bits as u8,
            generation: (bits >> 8) as u16,
        }
    }

    fn bits(self) -> u64 {
        (u64::from(self.generation) << 8 | u64::from(self.slot)) << OWNER_SHIFT
    }

    /// The renderer's own handle.
    pub(crate) fn id(self) -> u64 {
        self.bits() | (Kind::Renderer as u64) << KIND_SHIFT
    }
}

/// Whether a handle is of this kind.
pub(crate) fn is(id: u64, kind: Kind) -> bool {
    id >> KIND_SHIFT & 15 == kind as u64
}

struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// Objects of one kind of one renderer.
pub(crate) struct Table<T> {
    owner: Owner,
    kind: Kind,
    capacity: usize,
    slots: Vec<Slot<T>>,
    free: Vec<u16>,
}

impl<T> Table<T> {
    pub(crate) fn new(owner: Owner, kind: Kind, capacity: usize) -> Self {
        Self {
            owner,
            kind,
            capacity: capacity.min(1 << INDEX_BITS),
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether no more objects fit.
    pub(crate) fn is_full(&self) -> bool {
        self.free.is_empty() && self.slots.len() >= self.capacity
    }

    /// Keeps an object and gives its handle.
    pub(crate) fn insert(&mut self, value: T) -> Result<u64> {
        let index = match self.free.pop() {
            Some(index) => usize::from(index),
            None if self.slots.len() < self.capacity => {
                self.slots.push(Slot {
                    generation: 0,
                    value: None,
                });
                self.slots.len() - 1
            }
            None => {
                return Err(Fault::state(format!(
                    "there are {} {:?}s, no more fit",
                    self.capacity, self.kind
                )));
            }
        };
        self.slots[index].value = Some(value);
        Ok(self.id(index, self.slots[index].generation))
    }

    fn id(&self, index: usize, generation: u32) -> u64 {
        self.owner.bits()
            | (self.kind as u64) << KIND_SHIFT
            | u64::from(generation) << INDEX_BITS
            | index as u64
    }

    fn index(&self, id: u64) -> Option<usize> {
        let index = (id & 0xFFFF) as usize;
        let slot = self.slots.get(index)?;
        (slot.value.is_some() && self.id(index, slot.generation) == id).then_some(index)
    }

    pub(crate) fn get(&self, id: u64) -> Option<&T> {
        self.slots[self.index(id)?].value.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: u64) -> Option<&mut T> {
        let index = self.index(id)?;
        self.slots[index].value.as_mut()
    }

    pub(crate) fn remove(&mut self, id: u64) -> Option<T> {
        let index = self.index(id)?;
        let slot = &mut self.slots[index];
        let value = slot.value.take();
        // A place whose numbers are used up is never used again.
        if slot.generation < LAST_GENERATION {
            slot.generation += 1;
            self.free.push(index as u16);
        }
        value
    }

    /// Every object with its handle.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let value = slot.value.as_ref()?;
            Some((self.id(index, slot.generation), value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Owner = Owner {
        slot: 3,
        generation: 9,
    };

    #[test]
    fn a_handle_names_one_object_and_then_none() {
        let mut table = Table::new(OWNER, Kind::Texture, 2);
        let first = table.insert('a').unwrap();
        let second = table.insert('b').unwrap();
        assert_eq!(
            (table.get(first), table.get(second)),
            (Some(&'a'), Some(&'b'))
        );
        assert!(table.is_full());
        assert!(table.insert('c').is_err());
        assert_eq!(table.remove(first), Some('a'));
        assert_eq!(table.get(first), None);
        assert_eq!(table.remove(first), None);
        let third = table.insert('c').unwrap();
        assert_ne!(third, first);
        assert_eq!((table.get(first), table.get(third)), (None, Some(&'c')));
        assert_eq!(table.len(), 2);
    }

    #[test]
    fn handles_of_other_kinds_and_renderers_name_nothing() {
        let mut table = Table::new(OWNER, Kind::Texture, 9);
        let id = table.insert(()).unwrap();
        assert!(is(id, Kind::Texture) && !is(id, Kind::Buffer));
        assert_eq!(Owner::of(id), OWNER);
        assert!(is(OWNER.id(), Kind::Renderer));
        let mut other = Table::new(OWNER, Kind::Buffer, 9);
        other.insert(()).unwrap();
        assert!(other.get(id).is_none());
        for bit in 0..64 {
            assert!(table.get(id ^ 1 << bit).is_none(), "bit {bit}");
        }
        assert!(table.get(0).is_none());
    }

    #[test]
    fn places_whose_numbers_are_used_up_retire() {
        let mut table = Table::new(OWNER, Kind::Buffer, 1);
        let mut last = 0;
        for _ in 0..=LAST_GENERATION {
            let id = table.insert(()).unwrap();
            assert!(id > last);
            last = id;
            table.remove(id);
        }
        assert!(table.insert(()).is_err());
    }
}
