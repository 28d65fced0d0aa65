//! The C ABI, by programs in C and C++ that are compiled against `d3d9.h` of mingw-w64.

mod harness;
mod layout;
mod programs;
#[path = "../../../../tests/support/screen.rs"]
#[allow(dead_code)]
mod screen;
mod windows;
