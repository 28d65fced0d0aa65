//! Loading programs: PE32 executables, and raw images.
//!
//! A file is placed where it was linked to be; nothing is relocated, imported or run.

use object::LittleEndian as LE;
pub(crate) mod build;

use object::pe::{
    IMAGE_FILE_MACHINE_I386, IMAGE_NT_OPTIONAL_HDR32_MAGIC, IMAGE_SCN_MEM_EXECUTE,
    IMAGE_SCN_MEM_WRITE, ImageDosHeader, ImageNtHeaders32, ImageSectionHeader,
};
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, optional_header_magic};

use crate::memory::{Access, Memory, MemoryError, PAGE_SIZE};

/// Why a file is not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// It is something else than a PE file for 32-bit x86.
    #[error("not a 32-bit Windows executable (PE32 for i386): {0}")]
    NotPe32(String),
    /// A section's bytes lie past the end of the file.
    #[error(
        "the file is cut short: section {section} ends at byte {end}, the file at byte {length}"
    )]
    Truncated {
        /// The section's name.
        section: String,
        /// Where its bytes end in the file.
        end: u64,
        /// The file's length.
        length: usize,
    },
    /// A section begins amid a page or runs past 4 GiB.
    #[error(
        "section {section} cannot be placed: its {length} bytes at {address:#x} have to begin at \
         a page and end below 4 GiB"
    )]
    Placement {
        /// The section's name.
        section: String,
        /// Where it would begin.
        address: u64,
        /// Bytes that it takes.
        length: u32,
    },
    /// A section's pages cannot be mapped: two overlap, or they pass the memory's budget.
    #[error("section {section}: {source}")]
    Memory {
        /// The section's name.
        section: String,
        /// What is wrong with the pages.
        source: MemoryError,
    },
}

/// A part of a loaded program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name, as text.
    pub name: String,
    /// Address of its first byte.
    pub address: u32,
    /// Its length in bytes.
    pub length: u32,
    /// How many of these bytes the file holds; the others are zero.
    pub stored: u32,
    /// Whether it is meant to be run.
    pub executable: bool,
    /// Whether it may be written.
    pub writable: bool,
}

/// What a file was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The address it is linked to.
    pub base: u32,
    /// Address of its entry point.
    pub entry: u32,
    /// Its sections, in the file's order.
    pub sections: Vec<Section>,
}

impl Program {
    /// Whether the file itself holds all of these bytes, in one section. What a packer
    /// makes at run time is not in the file.
    pub fn holds(&self, address: u32, length: u32) -> bool {
        self.sections.iter().any(|section| {
            let offset = u64::from(address.wrapping_sub(section.address));
            offset + u64::from(length) <= u64::from(section.stored)
        })
    }

    /// The section that an address lies in.
    pub fn section(&self, address: u32) -> Option<&Section> {
        let within = |section: &&Section| address.wrapping_sub(section.address) < section.length;
        self.sections.iter().find(within)
    }
}

/// Loads a PE32 file for i386. Sections that are not writable become read-only pages. On
/// failure some of them may have been mapped.
pub fn load_pe(file: &[u8], memory: &mut Memory) -> Result<Program, ProgramError> {
    let not_pe = |why: &str| ProgramError::NotPe32(why.to_owned());
    let malformed = |error: object::Error| ProgramError::NotPe32(error.to_string());
    match file {
        [0x7F, b'E', b'L', b'F', ..] => return Err(not_pe("it is an ELF file")),
        [b'M', b'Z', ..] => {}
        _ => return Err(not_pe("it does not begin with MZ")),
    }
    let dos = ImageDosHeader::parse(file).map_err(malformed)?;
    let mut offset = dos.nt_headers_offset().into();
    if optional_header_magic(file).map_err(malformed)? != IMAGE_NT_OPTIONAL_HDR32_MAGIC {
        return Err(not_pe("it is 64-bit"));
    }
    let (headers, _) = ImageNtHeaders32::parse(file, &mut offset).map_err(malformed)?;
    let machine = headers.file_header().machine.get(LE);
    if machine != IMAGE_FILE_MACHINE_I386 {
        return Err(ProgramError::NotPe32(format!(
            "it is for machine {:#06x}",
            machine.0
        )));
    }
    let optional = headers.optional_header();
    let base = optional.image_base() as u32;
    let sections = headers.sections(file, offset).map_err(malformed)?;
    let mut program = Program {
        base,
        entry: base.wrapping_add(optional.address_of_entry_point()),
        sections: Vec::with_capacity(sections.len()),
    };
    for header in sections.iter() {
        program.sections.push(place(file, base, header, memory)?);
    }
    Ok(program)
}

/// Maps and fills one section.
fn place(
    file: &[u8],
    base: u32,
    header: &ImageSectionHeader,
    memory: &mut Memory,
) -> Result<Section, ProgramError> {
    let name = String::from_utf8_lossy(header.raw_name()).into_owned();
    let (start, raw) = header.pe_file_range();
    let length = match header.virtual_size.get(LE) {
        0 => header.size_of_raw_data.get(LE),
        length => length,
    };
    let stored = raw.min(length);
    let end = u64::from(start) + u64::from(stored);
    let bytes = match stored {
        0 => Some(&[][..]),
        _ => file.get(start as usize..end as usize),
    };
    let Some(bytes) = bytes else {
        return Err(ProgramError::Truncated {
            section: name,
            end,
            length: file.len(),
        });
    };
    let address = u64::from(base) + u64::from(header.virtual_address.get(LE));
    let fits = address + u64::from(length) <= 1 << 32;
    if !fits || !address.is_multiple_of(u64::from(PAGE_SIZE)) {
        return Err(ProgramError::Placement {
            section: name,
            address,
            length,
        });
    }
    let flags = header.characteristics.get(LE).0;
    let section = Section {
        address: address as u32,
        length,
        stored,
        executable: flags & IMAGE_SCN_MEM_EXECUTE.0 != 0,
        writable: flags & IMAGE_SCN_MEM_WRITE.0 != 0,
        name,
    };
    let access = if section.writable {
        Access::ReadWrite
    } else {
        Access::ReadOnly
    };
    memory
        .map(section.address, length as usize, access)
        .and_then(|()| memory.load(section.address, bytes))
        .map_err(|source| ProgramError::Memory {
            section: section.name.clone(),
            source,
        })?;
    Ok(section)
}

#[cfg(test)]
mod tests;
