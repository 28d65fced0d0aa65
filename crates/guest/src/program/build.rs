//! Writing PE32 files, a header field at a time.

/// A section to write.
pub(crate) struct NewSection<'a> {
    /// At most eight bytes.
    pub(crate) name: &'a str,
    /// From the base, a multiple of 4096.
    pub(crate) offset: u32,
    /// Bytes in memory.
    pub(crate) length: u32,
    /// Characteristics.
    pub(crate) flags: u32,
    /// Bytes in the file.
    pub(crate) bytes: &'a [u8],
}

/// Characteristics of code: executable and readable.
pub(crate) const CODE: u32 = 0x6000_0020;
/// Characteristics of data: readable and writable.
pub(crate) const DATA: u32 = 0xC000_0040;

const FILE_ALIGNMENT: usize = 0x200;
const HEADERS: usize = 0x400;

/// A PE32 file for i386 of up to 12 sections, linked to `base`, that begins at `entry`
/// (from the base).
pub(crate) fn pe32(base: u32, entry: u32, sections: &[NewSection]) -> Vec<u8> {
    assert!(sections.len() <= 12);
    let mut file = vec![0; HEADERS];
    put(&mut file, 0, b"MZ");
    put_u32(&mut file, 0x3C, 0x80);
    put(&mut file, 0x80, b"PE\0\0");
    // The file header: i386, so many sections, the optional header's length, and that it is an
    // executable for 32-bit machines without relocations.
    put_u16(&mut file, 0x84, 0x014C);
    put_u16(&mut file, 0x86, sections.len() as u16);
    put_u16(&mut file, 0x94, 0xE0);
    put_u16(&mut file, 0x96, 0x0103);
    // The optional header.
    let ends = sections
        .iter()
        .map(|section| u64::from(section.offset) + u64::from(section.length));
    let end = ends.max().unwrap_or(0).next_multiple_of(0x1000);
    put_u16(&mut file, 0x98, 0x010B);
    put_u32(&mut file, 0xA8, entry);
    put_u32(&mut file, 0xB4, base);
    put_u32(&mut file, 0xB8, 0x1000);
    put_u32(&mut file, 0xBC, FILE_ALIGNMENT as u32);
    put_u16(&mut file, 0xC0, 4);
    put_u16(&mut file, 0xC8, 4);
    put_u32(&mut file, 0xD0, end as u32);
    put_u32(&mut file, 0xD4, HEADERS as u32);
    put_u16(&mut file, 0xDC, 3);
    put_u32(&mut file, 0xF4, 16);
    for (index, section) in sections.iter().enumerate() {
        let header = 0x178 + 40 * index;
        put(&mut file, header, section.name.as_bytes());
        put_u32(&mut file, header + 8, section.length);
        put_u32(&mut file, header + 12, section.offset);
        let start = file.len();
        put_u32(&mut file, header + 16, section.bytes.len() as u32);
        put_u32(&mut file, header + 20, start as u32);
        put_u32(&mut file, header + 36, section.flags);
        file.extend_from_slice(section.bytes);
        file.resize(file.len().next_multiple_of(FILE_ALIGNMENT), 0);
    }
    file
}

fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

fn put_u16(file: &mut [u8], at: usize, value: u16) {
    put(file, at, &value.to_le_bytes());
}

fn put_u32(file: &mut [u8], at: usize, value: u32) {
    put(file, at, &value.to_le_bytes());
}
