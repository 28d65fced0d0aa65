//! The numbers of apitrace's file format, version 6, and the limits that a
//! reader holds a file to.
//!
//! A file is a container (the bytes `at`, then blocks of a little-endian `u32`
//! length and that many Snappy-compressed bytes) around one stream:
//!
//! ```text
//! stream    = version semantic-version property* "" event*
//! property  = name value                              (strings)
//! event     = 00 thread call-signature detail* 00     (a call is entered)
//!           | 01 call-number detail* 00               (a call is left)
//! detail    = 01 argument-number value | 02 value | 04 count frame* | 05 flags
//! signature = id definition                           (the first time)
//!           | id                                      (afterwards)
//! ```
//!
//! Integers are little-endian base-128 (seven bits a byte, the top bit says
//! that more follow); strings are a length and that many bytes.

/// Format version written, and the newest one read.
pub(super) const VERSION: u64 = 6;
/// Oldest format version read: the first with thread numbers in the enter event.
pub(super) const OLDEST_VERSION: u64 = 4;

/// First bytes of the Snappy container.
pub(super) const SNAPPY_MAGIC: [u8; 2] = *b"at";
/// First bytes of a gzip stream.
pub(super) const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// First bytes of a Zstandard stream.
pub(super) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Event tags.
pub(super) mod event {
    pub(in super::super) const ENTER: u8 = 0;
    pub(in super::super) const LEAVE: u8 = 1;
}

/// Tags of the details inside an event.
pub(super) mod detail {
    pub(in super::super) const END: u8 = 0;
    pub(in super::super) const ARGUMENT: u8 = 1;
    pub(in super::super) const RETURN: u8 = 2;
    pub(in super::super) const BACKTRACE: u8 = 4;
    pub(in super::super) const FLAGS: u8 = 5;
}

/// Tags of the details of one backtrace frame.
pub(super) mod frame {
    pub(in super::super) const END: u8 = 0;
    pub(in super::super) const MODULE: u8 = 1;
    pub(in super::super) const FUNCTION: u8 = 2;
    pub(in super::super) const FILE: u8 = 3;
    pub(in super::super) const LINE: u8 = 4;
    pub(in super::super) const OFFSET: u8 = 5;
}

/// Value tags.
pub(super) mod tag {
    pub(in super::super) const NULL: u8 = 0x00;
    pub(in super::super) const FALSE: u8 = 0x01;
    pub(in super::super) const TRUE: u8 = 0x02;
    /// A negative integer, stored as its magnitude.
    pub(in super::super) const SINT: u8 = 0x03;
    pub(in super::super) const UINT: u8 = 0x04;
    pub(in super::super) const FLOAT: u8 = 0x05;
    pub(in super::super) const DOUBLE: u8 = 0x06;
    pub(in super::super) const STRING: u8 = 0x07;
    pub(in super::super) const BLOB: u8 = 0x08;
    pub(in super::super) const ENUM: u8 = 0x09;
    pub(in super::super) const BITMASK: u8 = 0x0a;
    pub(in super::super) const ARRAY: u8 = 0x0b;
    pub(in super::super) const STRUCT: u8 = 0x0c;
    pub(in super::super) const POINTER: u8 = 0x0d;
    /// Two values: one for people, one for programs.
    pub(in super::super) const REPR: u8 = 0x0e;
    pub(in super::super) const WIDE_STRING: u8 = 0x0f;
}

/// The call was not made by the program: the tracer added it to carry data
/// (`memcpy` into a locked range).
pub(super) const FLAG_FAKE: u64 = 1;

/// Uncompressed bytes that the writer puts in one block, apitrace's own size.
pub(super) const BLOCK_SIZE: usize = 1 << 20;

/// What a reader accepts. Each bounds the memory that a hostile file can make
/// the reader take; none is near what a tracer writes.
pub(super) mod limit {
    /// Bytes of one block, compressed or not (apitrace writes 1 MiB blocks).
    pub(in super::super) const BLOCK: usize = 64 << 20;
    /// Bytes of one blob: the largest Direct3D 9 surface is 8192 x 8192 x 16.
    pub(in super::super) const BLOB: u64 = 1 << 30;
    /// Bytes of one string (disassembled shaders are the long ones).
    pub(in super::super) const STRING: u64 = 16 << 20;
    /// Bytes of one name in a signature or property.
    pub(in super::super) const NAME: u64 = 64 << 10;
    /// Names in one signature (the longest enumeration has a few hundred).
    pub(in super::super) const NAMES: u64 = 1 << 14;
    /// Signatures of one kind.
    pub(in super::super) const SIGNATURES: u64 = 1 << 14;
    /// Bytes of all names together.
    pub(in super::super) const ALL_NAMES: u64 = 64 << 20;
    /// Header properties.
    pub(in super::super) const PROPERTIES: usize = 1 << 10;
    /// Values in one event, nested ones counted.
    pub(in super::super) const VALUES: u32 = 1 << 20;
    /// Values inside values.
    pub(in super::super) const DEPTH: u32 = 32;
    /// Calls entered and not left: one for each level of each thread.
    pub(in super::super) const PENDING: usize = 1 << 12;
    /// Bytes of blobs and strings that the pending calls hold together.
    pub(in super::super) const PENDING_BYTES: u64 = 2 << 30;
    /// Bytes of argument slots and values, in memory, that the pending calls hold together.
    pub(in super::super) const PENDING_VALUE_BYTES: u64 = 128 << 20;
    /// Values for which room is made before they are read.
    pub(in super::super) const RESERVED: usize = 1 << 8;
    /// Frames of one backtrace.
    pub(in super::super) const FRAMES: u64 = 1 << 12;
    /// Distinct backtrace frames.
    pub(in super::super) const ALL_FRAMES: usize = 1 << 20;
}
