//! Writing captures that apitrace's own tools read.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::format::{BLOCK_SIZE, FLAG_FAKE, SNAPPY_MAGIC, VERSION, detail, event, tag};

/// A function and its argument names; written to the capture once.
#[derive(Debug)]
pub struct Function {
    /// `IDirect3DDevice9::Clear`.
    pub name: &'static str,
    /// Argument names in order, `this` first in methods.
    pub args: &'static [&'static str],
}

/// A structure and its field names; written to the capture once.
#[derive(Debug)]
pub struct Structure {
    /// `D3DVIEWPORT9`.
    pub name: &'static str,
    /// Field names in order.
    pub fields: &'static [&'static str],
}

/// The names of the values of an enumeration; written to the capture once.
#[derive(Debug)]
pub struct Enumeration(pub &'static [(&'static str, i64)]);

/// The names of flags; written to the capture once.
#[derive(Debug)]
pub struct Flags(pub &'static [(&'static str, u64)]);

/// Ids of the signatures already written. A signature is known by its address,
/// which is why they are statics.
#[derive(Default)]
struct Known {
    ids: FxHashMap<usize, u64>,
}

impl Known {
    /// The id of a signature and whether its definition must follow.
    fn id<T>(&mut self, signature: &'static T) -> (u64, bool) {
        let next = self.ids.len() as u64;
        let id = *self
            .ids
            .entry(std::ptr::from_ref(signature).addr())
            .or_insert(next);
        (id, id == next)
    }
}

/// Writes one capture. Calls are added with [`TraceWriter::call`]; nothing is
/// allocated for a call whose names have been written before.
///
/// A write error stops the capture and is reported by [`TraceWriter::finish`],
/// so that a full disk does not disturb the program being captured.
pub struct TraceWriter {
    out: Box<dyn Write + Send>,
    block: Vec<u8>,
    compressed: Vec<u8>,
    functions: Known,
    structures: Known,
    enumerations: Known,
    flags: Known,
    next_number: u64,
    failed: Option<io::Error>,
}

impl std::fmt::Debug for TraceWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceWriter")
            .field("calls", &self.next_number)
            .finish_non_exhaustive()
    }
}

impl TraceWriter {
    /// Starts a capture with header properties, such as `process.name`. Empty
    /// property names are left out: they would end the header.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>, properties: &[(&str, &str)]) -> Self {
        let mut writer = TraceWriter {
            out,
            block: Vec::with_capacity(BLOCK_SIZE + BLOCK_SIZE / 4),
            compressed: Vec::new(),
            functions: Known::default(),
            structures: Known::default(),
            enumerations: Known::default(),
            flags: Known::default(),
            next_number: 0,
            failed: None,
        };
        if let Err(e) = writer.out.write_all(&SNAPPY_MAGIC) {
            writer.failed = Some(e);
        }
        writer.uint(VERSION);
        writer.uint(VERSION);
        for (name, value) in properties {
            if !name.is_empty() {
                writer.text(name);
                writer.text(value);
            }
        }
        writer.text("");
        writer
    }

    /// How many calls have been written.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.next_number
    }

    /// Writes one call of thread `thread` (counted from 0): `enter` writes the
    /// arguments in order, `leave` what the call wrote through pointers
    /// ([`Values::argument`]) and what it returned ([`Values::returned`]).
    pub fn call(
        &mut self,
        thread: u32,
        function: &'static Function,
        enter: impl FnOnce(&mut Values<'_>),
        leave: impl FnOnce(&mut Values<'_>),
    ) {
        self.write_call(thread, function, false, enter, leave);
    }

    /// Writes a `memcpy` that the program did not call: the bytes that it wrote
    /// to locked memory at `address`.
    pub fn memory(&mut self, thread: u32, address: u64, bytes: &[u8]) {
        static MEMCPY: Function = Function {
            name: "memcpy",
            args: &["dest", "src", "n"],
        };
        let enter = |v: &mut Values<'_>| {
            v.pointer(address);
            v.blob(bytes);
            v.uint(bytes.len() as u64);
        };
        self.write_call(thread, &MEMCPY, true, enter, |_| {});
    }

    fn write_call(
        &mut self,
        thread: u32,
        function: &'static Function,
        fake: bool,
        enter: impl FnOnce(&mut Values<'_>),
        leave: impl FnOnce(&mut Values<'_>),
    ) {
        if self.failed.is_some() {
            return;
        }
        self.byte(event::ENTER);
        self.uint(u64::from(thread));
        let (id, new) = self.functions.id(function);
        self.uint(id);
        if new {
            self.text(function.name);
            self.texts(function.args);
        }
        if fake {
            self.byte(detail::FLAGS);
            self.uint(FLAG_FAKE);
        }
        let mut values = Values {
            writer: self,
            next: Slot::Argument(0),
            depth: 0,
        };
        enter(&mut values);
        self.byte(detail::END);
        self.byte(event::LEAVE);
        self.uint(self.next_number);
        let mut values = Values {
            writer: self,
            next: Slot::Return,
            depth: 0,
        };
        leave(&mut values);
        self.byte(detail::END);
        self.next_number += 1;
        if self.block.len() >= BLOCK_SIZE {
            self.write_blocks(BLOCK_SIZE);
        }
    }

    /// Writes what is buffered to the output.
    ///
    /// # Errors
    /// The first error of any write since the capture was started.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_blocks(1);
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        match &self.failed {
            Some(e) => Err(io::Error::new(e.kind(), e.to_string())),
            None => Ok(()),
        }
    }

    /// Ends the capture.
    ///
    /// # Errors
    /// The first error of any write; the file is then incomplete.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }

    /// Compresses and writes the buffer while at least `least` bytes are in it.
    fn write_blocks(&mut self, least: usize) {
        let block = std::mem::take(&mut self.block);
        let mut at = 0;
        while self.failed.is_none() && block.len() - at >= least {
            let end = block.len().min(at + BLOCK_SIZE);
            if let Err(e) = self.write_block(&block[at..end]) {
                self.failed = Some(e);
            }
            at = end;
        }
        self.block = block;
        self.block.drain(..at);
    }

    fn write_block(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.compressed
            .resize(snap::raw::max_compress_len(bytes.len()), 0);
        let size = snap::raw::Encoder::new()
            .compress(bytes, &mut self.compressed)
            .map_err(io::Error::other)?;
        let len = u32::try_from(size).map_err(io::Error::other)?;
        self.out.write_all(&len.to_le_bytes())?;
        self.out.write_all(&self.compressed[..size])
    }

    fn byte(&mut self, byte: u8) {
        self.block.push(byte);
    }

    fn uint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.block.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.block.push(value as u8);
    }

    /// An integer with its own tag.
    fn int(&mut self, value: i64) {
        self.byte(if value < 0 { tag::SINT } else { tag::UINT });
        self.uint(value.unsigned_abs());
    }

    fn text(&mut self, text: &str) {
        self.uint(text.len() as u64);
        self.block.extend_from_slice(text.as_bytes());
    }

    fn texts(&mut self, texts: &[&str]) {
        self.uint(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }
}

impl Drop for TraceWriter {
    fn drop(&mut self) {
        self.write_blocks(1);
    }
}

#[derive(Clone, Copy)]
enum Slot {
    Argument(u64),
    Return,
}

/// Writes the values of one call. Each value fills the next argument, unless it
/// is inside an array or a structure.
pub struct Values<'a> {
    writer: &'a mut TraceWriter,
    next: Slot,
    depth: u32,
}

impl Values<'_> {
    /// The next value is argument `index`, counted from 0.
    pub fn argument(&mut self, index: u32) -> &mut Self {
        self.next = Slot::Argument(u64::from(index));
        self
    }

    /// The next value is what the call returned.
    pub fn returned(&mut self) -> &mut Self {
        self.next = Slot::Return;
        self
    }

    /// Leaves the next argument out: the call fills it in.
    pub fn skip(&mut self) {
        if let Slot::Argument(index) = &mut self.next {
            *index += 1;
        }
    }

    fn begin(&mut self, tag: u8) {
        if self.depth == 0 {
            match &mut self.next {
                Slot::Argument(index) => {
                    let at = *index;
                    *index += 1;
                    self.writer.byte(detail::ARGUMENT);
                    self.writer.uint(at);
                }
                Slot::Return => self.writer.byte(detail::RETURN),
            }
        }
        self.writer.byte(tag);
    }

    /// The null pointer.
    pub fn null(&mut self) {
        self.begin(tag::NULL);
    }

    /// An address; 0 is the null pointer.
    pub fn pointer(&mut self, address: u64) {
        if address == 0 {
            self.null();
        } else {
            self.begin(tag::POINTER);
            self.writer.uint(address);
        }
    }

    /// An integer of at least zero.
    pub fn uint(&mut self, value: u64) {
        self.begin(tag::UINT);
        self.writer.uint(value);
    }

    /// A signed integer.
    pub fn int(&mut self, value: i64) {
        self.begin(if value < 0 { tag::SINT } else { tag::UINT });
        self.writer.uint(value.unsigned_abs());
    }

    /// A single-precision number.
    pub fn float(&mut self, value: f32) {
        self.begin(tag::FLOAT);
        self.writer.block.extend_from_slice(&value.to_le_bytes());
    }

    /// Text.
    pub fn string(&mut self, text: &str) {
        self.begin(tag::STRING);
        self.writer.text(text);
    }

    /// Raw memory.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.begin(tag::BLOB);
        self.writer.uint(bytes.len() as u64);
        self.writer.block.extend_from_slice(bytes);
    }

    /// A value of an enumeration; values without a name are fine.
    pub fn enumerated(&mut self, signature: &'static Enumeration, value: i64) {
        self.begin(tag::ENUM);
        let (id, new) = self.writer.enumerations.id(signature);
        self.writer.uint(id);
        if new {
            self.writer.uint(signature.0.len() as u64);
            for (name, value) in signature.0 {
                self.writer.text(name);
                self.writer.int(*value);
            }
        }
        self.writer.int(value);
    }

    /// A set of flags; bits without a name are fine.
    pub fn flags(&mut self, signature: &'static Flags, value: u64) {
        self.begin(tag::BITMASK);
        let (id, new) = self.writer.flags.id(signature);
        self.writer.uint(id);
        if new {
            self.writer.uint(signature.0.len() as u64);
            for (name, bits) in signature.0 {
                self.writer.text(name);
                self.writer.uint(*bits);
            }
        }
        self.writer.uint(value);
    }

    /// A sequence: `item` writes exactly one value for each item.
    pub fn array<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut item: impl FnMut(&mut Self, T),
    ) {
        self.begin(tag::ARRAY);
        self.writer.uint(items.len() as u64);
        self.depth += 1;
        for one in items {
            item(self, one);
        }
        self.depth -= 1;
    }

    /// A pointer to one thing: `pointee` writes exactly one value.
    pub fn pointer_to(&mut self, pointee: impl FnOnce(&mut Self)) {
        self.begin(tag::ARRAY);
        self.writer.uint(1);
        self.depth += 1;
        pointee(self);
        self.depth -= 1;
    }

    /// A structure: `fields` writes exactly one value for each field.
    pub fn structure(&mut self, signature: &'static Structure, fields: impl FnOnce(&mut Self)) {
        self.begin(tag::STRUCT);
        let (id, new) = self.writer.structures.id(signature);
        self.writer.uint(id);
        if new {
            self.writer.text(signature.name);
            self.writer.texts(signature.fields);
        }
        self.depth += 1;
        fields(self);
        self.depth -= 1;
    }

    /// One thing twice: `people` and `programs` write exactly one value each.
    pub fn repr(&mut self, people: impl FnOnce(&mut Self), programs: impl FnOnce(&mut Self)) {
        self.begin(tag::REPR);
        self.depth += 1;
        people(self);
        programs(self);
        self.depth -= 1;
    }
}
