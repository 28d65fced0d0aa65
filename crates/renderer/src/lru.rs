use core::hash::Hash;

use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// A map of bounded size that drops its least recently used entry when full. Every operation is
/// constant time.
pub(crate) struct Lru<K, V> {
    map: FxHashMap<K, u32>,
    slots: Vec<Slot<K, V>>,
    free: Vec<u32>,
    capacity: usize,
    newest: u32,
    oldest: u32,
}

struct Slot<K, V> {
    entry: Option<(K, V)>,
    newer: u32,
    older: u32,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            map: FxHashMap::default(),
            slots: Vec::new(),
            free: Vec::new(),
            capacity: capacity.max(1),
            newest: NONE,
            oldest: NONE,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// The value of `key`, which becomes the most recently used.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        let slot = *self.map.get(key)?;
        self.touch(slot);
        self.slots[slot as usize]
            .entry
            .as_mut()
            .map(|(_, value)| value)
    }

    /// The slot of `key`, which becomes the most recently used. Good until the next change.
    #[inline]
    pub(crate) fn find(&mut self, key: &K) -> Option<u32> {
        let slot = *self.map.get(key)?;
        self.touch(slot);
        Some(slot)
    }

    /// The value of `key`, whose place in the order stays.
    pub(crate) fn peek(&self, key: &K) -> Option<&V> {
        self.at(*self.map.get(key)?)
    }

    /// The value in a slot that [`Lru::find`] gave.
    #[inline]
    pub(crate) fn at(&self, slot: u32) -> Option<&V> {
        self.slots
            .get(slot as usize)?
            .entry
            .as_ref()
            .map(|(_, value)| value)
    }

    /// Adds an entry that is not there yet as the most recently used; the entry that had to go for
    /// it is returned.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<(K, V)> {
        let evicted = if self.map.len() >= self.capacity {
            self.pop_oldest()
        } else {
            None
        };
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.slots.push(Slot {
                    entry: None,
                    newer: NONE,
                    older: NONE,
                });
                (self.slots.len() - 1) as u32
            }
        };
        self.slots[slot as usize].entry = Some((key.clone(), value));
        self.map.insert(key, slot);
        self.link_newest(slot);
        evicted
    }

    /// Removes the entry of `key`.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let slot = self.map.remove(key)?;
        self.unlink(slot);
        self.free.push(slot);
        self.slots[slot as usize]
            .entry
            .take()
            .map(|(_, value)| value)
    }

    /// Removes the least recently used entry.
    pub(crate) fn pop_oldest(&mut self) -> Option<(K, V)> {
        let slot = self.oldest;
        if slot == NONE {
            return None;
        }
        self.unlink(slot);
        self.free.push(slot);
        let entry = self.slots[slot as usize].entry.take();
        if let Some((key, _)) = &entry {
            self.map.remove(key);
        }
        entry
    }

    /// Keys from the least to the most recently used.
    pub(crate) fn keys_oldest_first(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut at = self.oldest;
        core::iter::from_fn(move || {
            let slot = self.slots.get(at as usize)?;
            at = slot.newer;
            slot.entry.as_ref().map(|(key, value)| (key, value))
        })
    }

    fn touch(&mut self, slot: u32) {
        if self.newest != slot {
            self.unlink(slot);
            self.link_newest(slot);
        }
    }

    fn link_newest(&mut self, slot: u32) {
        let before = self.newest;
        self.slots[slot as usize].older = before;
        self.slots[slot as usize].newer = NONE;
        match self.slots.get_mut(before as usize) {
            Some(other) => other.newer = slot,
            None => self.oldest = slot,
        }
        self.newest = slot;
    }

    fn unlink(&mut self, slot: u32) {
        let (newer, older) = {
            let slot = &self.slots[slot as usize];
            (slot.newer, slot.older)
        };
        match self.slots.get_mut(newer as usize) {
            Some(other) => other.older = older,
            None => self.newest = older,
        }
        match self.slots.get_mut(older as usize) {
            Some(other) => other.newer = newer,
            None => self.oldest = newer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lru;

    #[test]
    fn drops_the_least_recently_used() {
        let mut lru = Lru::new(3);
        assert!(lru.insert('a', 1).is_none());
        assert!(lru.insert('b', 2).is_none());
        assert!(lru.insert('c', 3).is_none());
        assert_eq!(lru.get(&'a'), Some(&mut 1));
        assert_eq!(lru.insert('d', 4), Some(('b', 2)));
        assert_eq!(lru.len(), 3);
        assert_eq!(lru.remove(&'c'), Some(3));
        assert!(lru.insert('e', 5).is_none());
        let order: Vec<char> = lru.keys_oldest_first().map(|(key, _)| *key).collect();
        assert_eq!(order, ['a', 'd', 'e']);
        assert_eq!(lru.pop_oldest(), Some(('a', 1)));
        assert_eq!(lru.get(&'a'), None);
    }

    #[test]
    fn matches_a_plain_model_under_pressure() {
        let mut lru = Lru::new(7);
        let mut model: Vec<(u32, u32)> = Vec::new();
        let mut seed = 12345u32;
        for step in 0..5000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = (seed >> 16) % 20;
            let found = model.iter().position(|(k, _)| *k == key);
            match (found, (seed >> 8) % 3) {
                (Some(at), 0) => {
                    let (_, value) = model.remove(at);
                    assert_eq!(lru.remove(&key), Some(value));
                }
                (Some(at), _) => {
                    let entry = model.remove(at);
                    model.push(entry);
                    assert_eq!(lru.get(&key).copied(), Some(entry.1));
                }
                (None, _) => {
                    assert_eq!(lru.get(&key), None);
                    let evicted = (model.len() == 7).then(|| model.remove(0));
                    assert_eq!(lru.insert(key, step), evicted);
                    model.push((key, step));
                }
            }
            assert_eq!(lru.len(), model.len());
        }
    }
}
