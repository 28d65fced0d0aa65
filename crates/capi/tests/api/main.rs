//! The C API, by programs in C that are compiled against its header, and the header itself.

mod harness;
mod header;
mod programs;
