//! Ranges of memory as slices, for code that looks at many bytes at once, or at the same
//! ones again and again.

use super::{MAPPED, Memory, MemoryError, OPEN, PAGE, PAGE_SIZE, SLOT_SHIFT, page_range};

/// Where bytes lie that may be read, and written if [`Memory::place`] has found them. It
/// holds until guest code runs, or something is done to pages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u32);

impl Memory {
    /// The bytes of a range, where it is mapped and its pages were mapped one after the
    /// other. `None` says nothing else about the range.
    #[inline]
    pub fn view(&self, address: u32, length: usize) -> Option<&[u8]> {
        let Place(start) = self.readable(address, length)?;
        let start = start as usize;
        self.pool.get(start..start + length)
    }

    /// The same, to be looked at later.
    #[inline]
    pub(crate) fn readable(&self, address: u32, length: usize) -> Option<Place> {
        let entry = self.table[(address / PAGE_SIZE) as usize];
        let offset = (address % PAGE_SIZE) as usize;
        if entry == 0 || length > PAGE - offset && !self.is_in_order(address, length) {
            return None;
        }
        Some(Place(entry >> SLOT_SHIFT << PAGE.ilog2() | offset as u32))
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

    /// A range of which all can be written, in pages that were mapped one after the other;
    /// `None` if it is not that.
    #[inline(always)]
    pub(crate) fn place(&mut self, address: u32, length: usize) -> Option<Place> {
        match self.in_page(address, length, OPEN) {
            Some(start) => Some(Place(start as u32)),
            None => self.place_slowly(address, length),
        }
    }

    #[cold]
    #[inline(never)]
    fn place_slowly(&mut self, address: u32, length: usize) -> Option<Place> {
        self.view_mut(address, length)?;
        let (start, _) = self.run_in_page(address, length);
        Some(Place(start as u32))
    }

    /// The `N` bytes from `offset` on in a range.
    #[inline(always)]
    pub(crate) fn at<const N: usize>(&self, place: Place, offset: u32) -> &[u8; N] {
        let start = place.0 as usize + offset as usize;
        let bytes = &self.pool[start..start + N];
        bytes.try_into().expect("it is as long")
    }

    /// The same to be written.
    #[inline(always)]
    pub(crate) fn at_mut<const N: usize>(&mut self, place: Place, offset: u32) -> &mut [u8; N] {
        let start = place.0 as usize + offset as usize;
        let bytes = &mut self.pool[start..start + N];
        bytes.try_into().expect("it is as long")
    }

    /// Ranges of these lengths, each of which may be written that [`Memory::place`] has
    /// found; `None` if they overlap.
    #[inline]
    pub(crate) fn apart<const N: usize>(
        &mut self,
        places: [(Place, usize); N],
    ) -> Option<[&mut [u8]; N]> {
        let ranges = places.map(|(place, length)| place.0 as usize..place.0 as usize + length);
        self.pool.get_disjoint_mut(ranges).ok()
    }

    /// `N` bytes where they lie; if that is in two pages, `spare` gets a copy of them.
    #[inline(always)]
    pub(crate) fn array<'a, const N: usize>(
        &'a self,
        address: u32,
        spare: &'a mut Option<[u8; N]>,
    ) -> Result<&'a [u8; N], MemoryError> {
        if let Some(start) = self.in_page(address, N, MAPPED)
            && let Some(bytes) = self.pool.get(start..start + N)
            && let Ok(bytes) = bytes.try_into()
        {
            return Ok(bytes);
        }
        Ok(spare.insert(self.read_across(address)?))
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
