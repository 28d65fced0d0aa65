/// Which addresses may have an override. Addresses share bits: only a no is certain.
pub(super) struct Interest(Box<[u64; 1024]>);

impl Default for Interest {
    fn default() -> Self {
        Self(Box::new([0; 1024]))
    }
}

impl Interest {
    #[inline]
    fn place(address: u32) -> (usize, u64) {
        let hash = (address ^ address >> 16) as u16;
        (usize::from(hash >> 6), 1 << (hash & 63))
    }

    pub(super) fn add(&mut self, address: u32) {
        let (word, bit) = Self::place(address);
        self.0[word] |= bit;
    }

    #[inline]
    pub(super) fn has(&self, address: u32) -> bool {
        let (word, bit) = Self::place(address);
        self.0[word] & bit != 0
    }
}
