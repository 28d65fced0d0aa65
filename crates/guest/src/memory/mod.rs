//! Guest memory: a paged 32-bit address space.
//!
//! A page is unmapped, read-only or read-write. Touching an unmapped page, writing a
//! read-only one and running past the end of the address space are errors that name
//! the address; nothing wraps and nothing is mapped by being touched. An access that
//! fails has changed nothing.

mod changes;
mod view;

pub use changes::{Change, Changes};
pub(crate) use view::Place;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes in a page.
pub const PAGE_SIZE: u32 = 4096;

const PAGE: usize = PAGE_SIZE as usize;
const PAGES: usize = 1 << 20;

/// A table entry is 0 for an unmapped page, otherwise the page's slot in the pool
/// shifted by [`SLOT_SHIFT`] with these bits.
const MAPPED: u32 = 1;
/// The page may be written without asking [`Memory::admit_write`] first.
const OPEN: u32 = 2;
const SLOT_SHIFT: u32 = 2;

/// What a program may do with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    ReadOnly,
    /// Reads and writes.
    ReadWrite,
}

/// Why an access to guest memory failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The first byte of the access that no page holds.
    #[error("address {address:#010x} is not mapped")]
    Unmapped {
        /// The byte's address.
        address: u32,
    },
    /// The first byte of a write that lies in a read-only page.
    #[error("address {address:#010x} is read-only")]
    ReadOnly {
        /// The byte's address.
        address: u32,
    },
    /// The range runs past address `0xFFFF_FFFF`.
    #[error("{length} bytes at {address:#010x} run past the end of the address space")]
    PastEnd {
        /// The range's first address.
        address: u32,
        /// Its length in bytes.
        length: usize,
    },
    /// A page of the range is mapped already.
    #[error("page {address:#010x} is mapped already")]
    Mapped {
        /// The page's address.
        address: u32,
    },
    /// Mapping the range would pass the budget that the memory was made with.
    #[error("{length} bytes more pass the memory's budget of {budget} bytes")]
    Budget {
        /// Bytes asked for, in whole pages.
        length: usize,
        /// The budget in bytes.
        budget: usize,
    },
    /// [`Memory::watch`] while changes are watched.
    #[error("changes of the memory are watched already")]
    Watched,
}

#[derive(Clone, Copy)]
struct Page {
    number: u32,
    access: Access,
    /// An instruction was fetched from it since it was last written.
    code: bool,
    /// It is among the saved pages of the watch in progress.
    saved: bool,
    /// It is among [`Memory::opened`].
    opened: bool,
}

/// A 32-bit address space. See the [module's documentation](self).
pub struct Memory {
    table: Box<[u32; PAGES]>,
    pool: Vec<u8>,
    pages: Vec<Page>,
    budget: usize,
    /// Told apart from all other memories of the process.
    identity: u64,
    code_generation: u64,
    watch: Option<Vec<(u32, Box<[u8]>)>>,
    /// Slots of the pages that have been open since the last watch began.
    opened: Vec<u32>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("mapped_bytes", &self.pool.len())
            .field("budget", &self.budget)
            .field("watched", &self.watch.is_some())
            .finish_non_exhaustive()
    }
}

impl Default for Memory {
    /// An empty memory with a budget of 1 GiB.
    fn default() -> Self {
        Self::new(1 << 30)
    }
}

impl Memory {
    /// An empty memory that never maps more than `budget` bytes. It takes 4 MiB of its
    /// own for the page table, which the system provides as it is touched.
    pub fn new(budget: usize) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            table: empty_table(),
            pool: Vec::new(),
            pages: Vec::new(),
            budget,
            code_generation: 0,
            watch: None,
            opened: Vec::new(),
        }
    }

    /// Maps the pages that hold `length` bytes from `address`, zeroed. A length of 0
    /// maps nothing. The range may not touch a mapped page.
    pub fn map(&mut self, address: u32, length: usize, access: Access) -> Result<(), MemoryError> {
        let Some(pages) = page_range(address, length)? else {
            return Ok(());
        };
        let bytes = pages.len().saturating_mul(PAGE);
        if bytes > self.budget.saturating_sub(self.pool.len()) {
            return Err(MemoryError::Budget {
                length: bytes,
                budget: self.budget,
            });
        }
        if let Some(page) = pages.clone().find(|&page| self.table[page] != 0) {
            return Err(MemoryError::Mapped {
                address: page as u32 * PAGE_SIZE,
            });
        }
        for page in pages {
            let slot = self.pages.len() as u32;
            self.pages.push(Page {
                number: page as u32,
                access,
                code: false,
                saved: false,
                opened: false,
            });
            self.table[page] = slot << SLOT_SHIFT | MAPPED;
        }
        self.pool.resize(self.pool.len() + bytes, 0);
        Ok(())
    }

    /// Changes what a program may do with the pages that hold `length` bytes from
    /// `address`, all of which must be mapped.
    pub fn protect(
        &mut self,
        address: u32,
        length: usize,
        access: Access,
    ) -> Result<(), MemoryError> {
        let Some(pages) = page_range(address, length)? else {
            return Ok(());
        };
        self.admit_read(address, length)?;
        for page in pages {
            let slot = (self.table[page] >> SLOT_SHIFT) as usize;
            self.pages[slot].access = access;
            self.table[page] &= !OPEN;
        }
        Ok(())
    }

    /// Bytes mapped.
    pub fn mapped_bytes(&self) -> usize {
        self.pool.len()
    }

    /// Whether all of `length` bytes from `address` may be read.
    #[inline]
    pub fn is_readable(&self, address: u32, length: usize) -> bool {
        self.in_page(address, length, MAPPED).is_some() || self.admit_read(address, length).is_ok()
    }

    /// Whether all of `length` bytes from `address` may be written.
    #[inline(always)]
    pub fn is_writable(&self, address: u32, length: usize) -> bool {
        self.in_page(address, length, OPEN).is_some()
            || self.first_unwritable(address, length).is_ok()
    }

    /// Reads a byte.
    #[inline]
    pub fn read_u8(&self, address: u32) -> Result<u8, MemoryError> {
        self.read_array::<1>(address).map(|[byte]| byte)
    }

    /// Reads two bytes.
    #[inline]
    pub fn read_u16(&self, address: u32) -> Result<u16, MemoryError> {
        self.read_array(address).map(u16::from_le_bytes)
    }

    /// Reads four bytes.
    #[inline]
    pub fn read_u32(&self, address: u32) -> Result<u32, MemoryError> {
        self.read_array(address).map(u32::from_le_bytes)
    }

    /// Reads eight bytes.
    #[inline]
    pub fn read_u64(&self, address: u32) -> Result<u64, MemoryError> {
        self.read_array(address).map(u64::from_le_bytes)
    }

    /// Writes a byte.
    #[inline]
    pub fn write_u8(&mut self, address: u32, value: u8) -> Result<(), MemoryError> {
        self.write_array(address, [value])
    }

    /// Writes two bytes.
    #[inline]
    pub fn write_u16(&mut self, address: u32, value: u16) -> Result<(), MemoryError> {
        self.write_array(address, value.to_le_bytes())
    }

    /// Writes four bytes.
    #[inline]
    pub fn write_u32(&mut self, address: u32, value: u32) -> Result<(), MemoryError> {
        self.write_array(address, value.to_le_bytes())
    }

    /// Writes eight bytes.
    #[inline]
    pub fn write_u64(&mut self, address: u32, value: u64) -> Result<(), MemoryError> {
        self.write_array(address, value.to_le_bytes())
    }

    /// Reads `N` bytes.
    #[inline(always)]
    pub fn read_array<const N: usize>(&self, address: u32) -> Result<[u8; N], MemoryError> {
        if let Some(start) = self.in_page(address, N, MAPPED)
            && let Some(bytes) = self.pool.get(start..start + N)
        {
            let mut array = [0; N];
            array.copy_from_slice(bytes);
            return Ok(array);
        }
        self.read_across(address)
    }

    /// Writes `N` bytes, all or none.
    #[inline(always)]
    pub fn write_array<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
    ) -> Result<(), MemoryError> {
        if let Some(start) = self.in_page(address, N, OPEN)
            && let Some(place) = self.pool.get_mut(start..start + N)
        {
            place.copy_from_slice(&bytes);
            return Ok(());
        }
        self.write_across(address, &bytes)
    }

    /// Where in the pool `length` bytes begin, if one page holds them all and its entry
    /// has the bit.
    #[inline(always)]
    fn in_page(&self, address: u32, length: usize, bit: u32) -> Option<usize> {
        let offset = (address % PAGE_SIZE) as usize;
        let entry = self.table[(address / PAGE_SIZE) as usize];
        (entry & bit != 0 && length <= PAGE - offset)
            .then_some((entry >> SLOT_SHIFT) as usize * PAGE + offset)
    }

    /// Fills `bytes` from `address` on. On failure what `bytes` holds is unspecified.
    pub fn read_bytes(&self, address: u32, bytes: &mut [u8]) -> Result<(), MemoryError> {
        self.admit_read(address, bytes.len())?;
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (start, length) = self.run_in_page(at, rest.len());
            let (now, later) = rest.split_at_mut(length);
            now.copy_from_slice(&self.pool[start..start + length]);
            rest = later;
            at = at.wrapping_add(length as u32);
        }
        Ok(())
    }

    /// Writes `bytes` from `address` on, all or none.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        self.admit_write(address, bytes.len())?;
        self.copy_in(address, bytes);
        Ok(())
    }

    /// Writes `bytes` into mapped pages whatever their access, as a loader does.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        let Some(pages) = page_range(address, bytes.len())? else {
            return Ok(());
        };
        self.admit_read(address, bytes.len())?;
        for page in pages {
            self.open(page);
        }
        self.copy_in(address, bytes);
        Ok(())
    }

    /// Up to 15 bytes from `address` on, as many as are mapped, and marks their pages
    /// as code: [`Memory::code_version`] moves when one of them is written.
    pub(crate) fn fetch(&mut self, address: u32, bytes: &mut [u8; 15]) -> usize {
        let mut length = 0;
        while length < bytes.len() {
            let Some(at) = address.checked_add(length as u32) else {
                break;
            };
            let page = (at / PAGE_SIZE) as usize;
            let entry = self.table[page];
            if entry == 0 {
                break;
            }
            let (start, run) = self.run_in_page(at, bytes.len() - length);
            bytes[length..length + run].copy_from_slice(&self.pool[start..start + run]);
            self.pages[(entry >> SLOT_SHIFT) as usize].code = true;
            self.table[page] &= !OPEN;
            length += run;
        }
        length
    }

    /// Which memory this is, and a number that moves when a page that instructions were
    /// fetched from is written: as long as both stay, so does decoded code.
    pub(crate) fn code_version(&self) -> (u64, u64) {
        (self.identity, self.code_generation)
    }

    /// Where in the pool the byte at `at`, which is mapped, lies, and how many of
    /// `length` bytes follow in its page.
    fn run_in_page(&self, at: u32, length: usize) -> (usize, usize) {
        let offset = (at % PAGE_SIZE) as usize;
        let slot = (self.table[(at / PAGE_SIZE) as usize] >> SLOT_SHIFT) as usize;
        (slot * PAGE + offset, length.min(PAGE - offset))
    }

    fn copy_in(&mut self, address: u32, bytes: &[u8]) {
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (start, length) = self.run_in_page(at, rest.len());
            self.pool[start..start + length].copy_from_slice(&rest[..length]);
            rest = &rest[length..];
            at = at.wrapping_add(length as u32);
        }
    }

    #[cold]
    #[inline(never)]
    fn read_across<const N: usize>(&self, address: u32) -> Result<[u8; N], MemoryError> {
        let mut array = [0; N];
        self.read_bytes(address, &mut array)?;
        Ok(array)
    }

    #[cold]
    #[inline(never)]
    fn write_across(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        self.write_bytes(address, bytes)
    }

    fn admit_read(&self, address: u32, length: usize) -> Result<(), MemoryError> {
        let Some(mut pages) = page_range(address, length)? else {
            return Ok(());
        };
        match pages.find(|&page| self.table[page] == 0) {
            None => Ok(()),
            Some(page) => Err(MemoryError::Unmapped {
                address: first_in(page, address),
            }),
        }
    }

    fn first_unwritable(&self, address: u32, length: usize) -> Result<(), MemoryError> {
        let Some(pages) = page_range(address, length)? else {
            return Ok(());
        };
        for page in pages {
            let entry = self.table[page];
            if entry == 0 {
                return Err(MemoryError::Unmapped {
                    address: first_in(page, address),
                });
            }
            if self.pages[(entry >> SLOT_SHIFT) as usize].access == Access::ReadOnly {
                return Err(MemoryError::ReadOnly {
                    address: first_in(page, address),
                });
            }
        }
        Ok(())
    }

    /// Checks a write and gets its pages ready for it.
    fn admit_write(&mut self, address: u32, length: usize) -> Result<(), MemoryError> {
        self.first_unwritable(address, length)?;
        if let Some(pages) = page_range(address, length)? {
            for page in pages {
                self.open(page);
            }
        }
        Ok(())
    }

    /// Gets a mapped page ready to be written.
    fn open(&mut self, number: usize) {
        let entry = self.table[number];
        if entry & OPEN != 0 {
            return;
        }
        let slot = (entry >> SLOT_SHIFT) as usize;
        let page = &mut self.pages[slot];
        if page.code {
            page.code = false;
            self.code_generation += 1;
        }
        if let Some(saved) = &mut self.watch
            && !page.saved
        {
            page.saved = true;
            saved.push((slot as u32, self.pool[slot * PAGE..][..PAGE].into()));
        }
        if page.access == Access::ReadWrite {
            self.table[number] |= OPEN;
            if !page.opened {
                page.opened = true;
                self.opened.push(slot as u32);
            }
        }
    }
}

/// A table of unmapped pages, which the system provides as they are touched.
fn empty_table() -> Box<[u32; PAGES]> {
    let table = vec![0; PAGES].into_boxed_slice();
    table.try_into().expect("it has as many entries")
}

/// The numbers of the pages that hold `length` bytes from `address`; none for a length
/// of 0.
fn page_range(address: u32, length: usize) -> Result<Option<std::ops::Range<usize>>, MemoryError> {
    if length == 0 {
        return Ok(None);
    }
    let end = u64::from(address).saturating_add(length as u64);
    if end > 1 << 32 {
        return Err(MemoryError::PastEnd { address, length });
    }
    let first = (address / PAGE_SIZE) as usize;
    Ok(Some(first..end.div_ceil(PAGE_SIZE as u64) as usize))
}

/// The first address of a page that is not below `address`.
fn first_in(page: usize, address: u32) -> u32 {
    (page as u32 * PAGE_SIZE).max(address)
}

#[cfg(test)]
mod tests;
