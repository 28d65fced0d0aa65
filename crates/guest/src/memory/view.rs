//! Ranges of memory as slices, for code that looks at many bytes at once.

use super::{Memory, OPEN, PAGE, PAGE_SIZE, SLOT_SHIFT, page_range};

impl Memory {
    /// The bytes of a range, where it is mapped and its pages were mapped one after the
    /// other. `None` says nothing else about the range.
    #[inline]
    pub fn view(&self, address: u32, length: usize) -> Option<&[u8]> {
        let entry = self.table[(address / PAGE_SIZE) as usize];
        let offset = (address % PAGE_SIZE) as usize;
        if entry == 0 || length > PAGE - offset && !self.is_in_order(address, length) {
            return None;
        }
        let start = (entry >> SLOT_SHIFT) as usize * PAGE + offset;
        self.pool.get(start..start + length)
    }

    /// The same to be written, where it can be. A watch takes all of it for changed.
    #[inline]
    pub fn view_mut(&mut self, address: u32, length: usize) -> Option<&mut [u8]> {
        let entry = self.table[(address / PAGE_SIZE) as usize];
        let offset = (address % PAGE_SIZE) as usize;
        let one_page = length <= PAGE - offset;
        if !one_page && !self.is_in_order(address, length) {
            return None;
        }
        if !(one_page && entry & OPEN != 0) {
            self.admit_write(address, length).ok()?;
        }
        let start = (entry >> SLOT_SHIFT) as usize * PAGE + offset;
        self.pool.get_mut(start..start + length)
    }

    /// Whether pages are mapped and follow each other in the pool.
    fn is_in_order(&self, address: u32, length: usize) -> bool {
        let Ok(Some(pages)) = page_range(address, length) else {
            return false;
        };
        let entries = &self.table[pages];
        let first = entries[0] >> SLOT_SHIFT;
        entries
            .iter()
            .zip(first..)
            .all(|(&entry, slot)| entry != 0 && entry >> SLOT_SHIFT == slot)
    }
}
