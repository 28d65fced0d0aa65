//! Memory that the traced program had locked: recorded addresses to our locks.

use std::collections::BTreeMap;
use std::ops::Range;

/// How rows lie in locked memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Bytes from one row to the next; 0 where there is one row only.
    pub(super) row: usize,
    /// Bytes from one slice to the next; 0 where there is one slice only.
    pub(super) slice: usize,
}

impl Layout {
    /// Memory without rows.
    pub(super) const LINEAR: Layout = Layout { row: 0, slice: 0 };
}

/// One locked range.
#[derive(Debug, Clone)]
pub(super) struct Lock<T> {
    /// What is locked.
    pub(super) target: T,
    /// How the traced program saw it.
    recorded: Layout,
    /// How our device lays it out.
    ours: Layout,
    /// Bytes of our lock.
    len: usize,
    /// Where it begins in what is locked, and in the memory that our device shows.
    start: usize,
    pub(super) shift: usize,
    /// It may be over: buffers are locked more than once, and an unlock does not say which it ends.
    over: bool,
}

/// A run of bytes to copy: from the recorded data to our locked memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) len: usize,
}

impl<T> Lock<T> {
    /// Where `len` recorded bytes at `offset` of the recorded memory belong in
    /// ours: one run where the layouts agree, one for each row otherwise. What
    /// lies outside our memory is left out.
    pub(super) fn runs(&self, offset: usize, len: usize) -> Vec<Run> {
        let Lock { recorded, ours, .. } = *self;
        let mut runs = Vec::new();
        let mut push = |from: usize, to: usize, len: usize| {
            let len = len.min(self.len.saturating_sub(to));
            if len > 0 {
                runs.push(Run { from, to, len });
            }
        };
        if recorded == ours || recorded.row == 0 {
            push(0, offset, len);
            return runs;
        }
        let mut from = 0;
        while from < len {
            let at = offset + from;
            let (slice, in_slice) = match recorded.slice {
                0 => (0, at),
                slice => (at / slice, at % slice),
            };
            let (row, in_row) = (in_slice / recorded.row, in_slice % recorded.row);
            // To the end of the recorded row, or of the slice where that comes first.
            let mut take = recorded.row - in_row;
            if recorded.slice != 0 {
                take = take.min(recorded.slice - in_slice);
            }
            let take = take.min(len - from);
            let fits = take.min(ours.row.saturating_sub(in_row));
            let in_slice = row * ours.row + in_row;
            if ours.slice == 0 || in_slice < ours.slice {
                push(from, slice * ours.slice + in_slice, fits);
            }
            from += take;
        }
        runs
    }

    /// Bytes of recorded memory that the lock spans.
    fn span(&self) -> u64 {
        let rows = |bytes: usize, row: usize| if row == 0 { 1 } else { bytes.div_ceil(row) };
        let Lock {
            recorded,
            ours,
            len,
            ..
        } = *self;
        let span = if recorded.row == 0 || recorded == ours {
            len
        } else if recorded.slice == 0 || ours.slice == 0 {
            rows(len, ours.row).saturating_mul(recorded.row)
        } else {
            rows(len, ours.slice).saturating_mul(recorded.slice)
        };
        span as u64
    }
}

/// All ranges that are locked now, by recorded address.
#[derive(Debug)]
pub(super) struct Locks<T> {
    by_address: BTreeMap<u64, Lock<T>>,
}

impl<T> Default for Locks<T> {
    fn default() -> Self {
        Locks {
            by_address: BTreeMap::new(),
        }
    }
}

impl<T: PartialEq> Locks<T> {
    /// Notes that `target` is locked: `len` bytes of ours, seen at `address`
    /// by the traced program.
    pub(super) fn add(
        &mut self,
        address: u64,
        target: T,
        recorded: Layout,
        ours: Layout,
        len: usize,
    ) {
        self.by_address.insert(
            address,
            Lock {
                target,
                recorded,
                ours,
                len,
                start: 0,
                shift: 0,
                over: false,
            },
        );
    }

    /// The same of a range of a buffer. Where it is locked already our device shows all of it from
    /// now on, in place of that range alone.
    pub(super) fn add_range(&mut self, address: u64, target: T, range: Range<usize>, all: bool) {
        // Recorders tell what lies inside with the new lock.
        let inside = |lock: &Lock<T>| {
            let end = lock.start + lock.len;
            lock.target == target && range.start <= lock.start && end <= range.end
        };
        self.by_address.retain(|_, lock| !inside(lock));
        let of_target = self.by_address.values_mut();
        for lock in of_target.filter(|lock| all && lock.target == target) {
            lock.shift = lock.start;
        }
        let lock = Lock {
            target,
            recorded: Layout::LINEAR,
            ours: Layout::LINEAR,
            len: range.len(),
            start: range.start,
            shift: if all { range.start } else { 0 },
            over: false,
        };
        self.by_address.insert(address, lock);
    }

    /// Whether `target` is locked.
    pub(super) fn holds(&self, target: &T) -> bool {
        self.by_address.values().any(|lock| lock.target == *target)
    }

    /// The lock that holds `address`, and how far into it the address is.
    pub(super) fn find(&self, address: u64) -> Option<(&Lock<T>, usize)> {
        let (start, lock) = self.by_address.range(..=address).next_back()?;
        let offset = address - start;
        (offset < lock.span()).then_some((lock, usize::try_from(offset).ok()?))
    }

    /// Notes an unlock of `target`. Its locks are forgotten with the last of them.
    pub(super) fn remove(&mut self, target: &T) {
        let locks = self.by_address.values_mut();
        let mut open = locks.filter(|lock| lock.target == *target && !lock.over);
        if let Some(lock) = open.next() {
            lock.over = true;
        }
        if open.next().is_none() {
            self.by_address.retain(|_, lock| lock.target != *target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locks(recorded: Layout, ours: Layout, len: usize) -> Locks<u32> {
        let mut locks = Locks::default();
        locks.add(0x1000, 1, recorded, ours, len);
        locks
    }

    #[test]
    fn the_same_layout_is_one_run() {
        let layout = Layout { row: 16, slice: 0 };
        let locks = locks(layout, layout, 64);
        let (lock, offset) = locks.find(0x1010).unwrap();
        assert_eq!(offset, 16);
        assert_eq!(
            lock.runs(offset, 32),
            [Run {
                from: 0,
                to: 16,
                len: 32
            }]
        );
        assert_eq!(
            lock.runs(offset, 999),
            [Run {
                from: 0,
                to: 16,
                len: 48
            }]
        );
        assert!(locks.find(0xfff).is_none());
        assert!(locks.find(0x1040).is_none());
    }

    #[test]
    fn rows_of_another_pitch_are_copied_one_by_one() {
        // Three rows of 12 bytes: recorded 16 apart, ours 12.
        let locks = locks(
            Layout { row: 16, slice: 0 },
            Layout { row: 12, slice: 0 },
            36,
        );
        let (lock, offset) = locks.find(0x1000).unwrap();
        let rows = [
            Run {
                from: 0,
                to: 0,
                len: 12,
            },
            Run {
                from: 16,
                to: 12,
                len: 12,
            },
            Run {
                from: 32,
                to: 24,
                len: 12,
            },
        ];
        assert_eq!(lock.runs(offset, 48), rows);
        // From the middle of a row.
        assert_eq!(
            lock.runs(20, 16),
            [
                Run {
                    from: 0,
                    to: 16,
                    len: 8
                },
                Run {
                    from: 12,
                    to: 24,
                    len: 4
                }
            ]
        );
        assert!(locks.find(0x102f).is_some());
        assert!(locks.find(0x1030).is_none());
    }

    #[test]
    fn slices_of_another_pitch() {
        // Two slices of two rows of 4: recorded rows 8 and slices 20 apart.
        let locks = locks(
            Layout { row: 8, slice: 20 },
            Layout { row: 4, slice: 8 },
            16,
        );
        let (lock, offset) = locks.find(0x1000).unwrap();
        let runs = [
            Run {
                from: 0,
                to: 0,
                len: 4,
            },
            Run {
                from: 8,
                to: 4,
                len: 4,
            },
            Run {
                from: 20,
                to: 8,
                len: 4,
            },
            Run {
                from: 28,
                to: 12,
                len: 4,
            },
        ];
        assert_eq!(lock.runs(offset, 40), runs);
    }

    #[test]
    fn unlocking_forgets() {
        let mut locks = locks(Layout::LINEAR, Layout::LINEAR, 8);
        locks.remove(&2);
        assert!(locks.find(0x1007).is_some());
        locks.remove(&1);
        assert!(locks.find(0x1000).is_none());
    }

    #[test]
    fn buffers_stay_locked_until_the_last_unlock() {
        let mut locks = Locks::default();
        assert!(!locks.holds(&7));
        locks.add_range(0x1000, 7, 16..48, false);
        let shift = |locks: &Locks<u32>, address| locks.find(address).unwrap().0.shift;
        assert_eq!(shift(&locks, 0x1000), 0);
        assert!(locks.holds(&7));
        locks.add_range(0x2000, 7, 4..8, true);
        locks.add_range(0x3000, 8, 4..8, false);
        assert_eq!(shift(&locks, 0x1000), 16);
        assert_eq!(shift(&locks, 0x2003), 4);
        assert_eq!(shift(&locks, 0x3000), 0);
        assert!(locks.find(0x2004).is_none());
        locks.remove(&7);
        assert!(locks.find(0x1000).is_some() && locks.find(0x2000).is_some());
        locks.remove(&7);
        assert!(!locks.holds(&7) && locks.holds(&8));
        // One that holds another takes its place.
        locks.add_range(0x4000, 7, 4..8, false);
        locks.add_range(0x5000, 7, 4..9, true);
        assert!(locks.find(0x4000).is_none() && locks.find(0x5000).is_some());
        locks.remove(&7);
        assert!(!locks.holds(&7));
        locks.remove(&7);
    }
}
