//! Captures of Direct3D 9 programs in apitrace's file format: reading them, and
//! writing them while a program runs.

mod error;
mod format;
mod names;
mod read;
mod record;
mod stream;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub use error::TraceError;
pub use read::{Header, TraceReader};
pub(crate) use record::{LockKey, Recorder};
pub use value::{BitmaskSig, Call, CallSig, EnumSig, StructSig, Value};
pub use write::{Enumeration, Flags, Function, Structure, TraceWriter, Values};
