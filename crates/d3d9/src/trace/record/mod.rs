//! Recording what a program does with a device, as a capture.
//!
//! The device calls one hook here at the end of each method that changes
//! something or hands out an object. A hook gets the method's result and its
//! arguments, and writes the call as apitrace would have seen it made by a C
//! program: methods of COM interfaces, objects and locked memory by address.
//! Getters of plain values are not recorded.

mod create;
mod device;
mod draw;
mod lock;
mod objects;
mod shader;
mod state;
mod transfer;
mod values;

use core::ops::Range;
use std::io::{self, Write};

use super::names;
use super::write::{Function, TraceWriter, Values};
use crate::hresult::{HResult, Result};
use crate::types::{LevelTarget, PresentParameters};
use objects::Named;

/// A static [`Function`] of a method: its name, then its arguments after `this`.
macro_rules! method {
    ($name:expr $(, $arg:literal)*) => {{
        static FUNCTION: $crate::trace::Function =
            $crate::trace::Function { name: $name, args: &["this" $(, $arg)*] };
        &FUNCTION
    }};
}
use method;

/// Address of the one `IDirect3D9` in a capture of ours.
const DIRECT3D_ADDRESS: u64 = 0x7f00_0000_1000;
/// Address of the one device in a capture of ours.
const DEVICE_ADDRESS: u64 = 0x7f00_0000_2000;
/// Address of the first locked range; each lock gets new addresses.
const FIRST_MEMORY: u64 = 0x5000_0000_0000;
/// Locked ranges start at multiples of this.
const PAGE: u64 = 4096;
/// The thread that calls: a device belongs to one.
const THREAD: u32 = 0;

/// What a lock is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LockKey {
    Level(LevelTarget),
    VertexBuffer(crate::handle::VertexBufferHandle),
    IndexBuffer(crate::handle::IndexBufferHandle),
}

/// A range that is locked now.
struct Lock {
    key: LockKey,
    address: u64,
    /// Where it is in what is locked.
    range: Range<usize>,
    read_only: bool,
    /// It may be over: buffers are locked more than once, and an unlock does not say which it ends.
    over: bool,
}

/// Writes the calls of one device.
pub(crate) struct Recorder {
    writer: TraceWriter,
    next_memory: u64,
    locks: Vec<Lock>,
}

impl Recorder {
    /// Starts a capture with the calls that made the device.
    pub(crate) fn new(
        out: Box<dyn Write + Send>,
        program: &str,
        parameters: &PresentParameters,
        behavior: u32,
    ) -> Self {
        static CREATE: Function = Function {
            name: "Direct3DCreate9",
            args: &["SDKVersion"],
        };
        const SDK_VERSION: u64 = 32;
        let mut writer = TraceWriter::new(out, &[("process.name", program)]);
        let enter = |v: &mut Values<'_>| v.uint(SDK_VERSION);
        writer.call(THREAD, &CREATE, enter, |v| {
            v.returned().pointer(DIRECT3D_ADDRESS)
        });
        let create = method!(
            "IDirect3D9::CreateDevice",
            "Adapter",
            "DeviceType",
            "hFocusWindow",
            "BehaviorFlags",
            "pPresentationParameters",
            "ppReturnedDeviceInterface"
        );
        let enter = |v: &mut Values<'_>| {
            const HARDWARE: i64 = 1;
            v.pointer(DIRECT3D_ADDRESS);
            v.enumerated(&names::ADAPTER, 0);
            v.enumerated(&names::DEVTYPE, HARDWARE);
            v.null();
            v.flags(&names::CREATE, behavior.into());
            v.pointer_to(|v| values::present_parameters(v, parameters));
        };
        writer.call(THREAD, create, enter, |v| {
            v.argument(6).pointer_to(|v| v.pointer(DEVICE_ADDRESS));
            values::hresult(v, 0);
        });
        Recorder {
            writer,
            next_memory: FIRST_MEMORY,
            locks: Vec::new(),
        }
    }

    /// Ends the capture with the release of the device.
    ///
    /// # Errors
    /// The first error of any write.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let releases = [
            (method!("IDirect3DDevice9::Release"), DEVICE_ADDRESS),
            (method!("IDirect3D9::Release"), DIRECT3D_ADDRESS),
        ];
        for (function, address) in releases {
            self.writer.call(
                THREAD,
                function,
                |v| v.pointer(address),
                |v| v.returned().uint(0),
            );
        }
        self.writer.finish()
    }

    /// A method of the device that returns a result code only.
    fn device<T>(
        &mut self,
        result: &Result<T>,
        function: &'static Function,
        enter: impl FnOnce(&mut Values<'_>),
    ) {
        self.object(DEVICE_ADDRESS, result, function, enter);
    }

    /// A method of an object that returns a result code only.
    fn object<T>(
        &mut self,
        this: u64,
        result: &Result<T>,
        function: &'static Function,
        enter: impl FnOnce(&mut Values<'_>),
    ) {
        let code = code(result);
        let enter = |v: &mut Values<'_>| {
            v.pointer(this);
            enter(v);
        };
        self.writer
            .call(THREAD, function, enter, |v| values::hresult(v, code));
    }

    /// A method of the device that stores an object through argument `out`.
    fn creation(
        &mut self,
        result: Result<u64>,
        function: &'static Function,
        out: u32,
        enter: impl FnOnce(&mut Values<'_>),
    ) {
        self.creation_by(DEVICE_ADDRESS, result, function, out, enter);
    }

    /// A method of an object that stores another one through argument `out`.
    fn creation_by(
        &mut self,
        this: u64,
        result: Result<u64>,
        function: &'static Function,
        out: u32,
        enter: impl FnOnce(&mut Values<'_>),
    ) {
        let enter = |v: &mut Values<'_>| {
            v.pointer(this);
            enter(v);
        };
        self.writer.call(THREAD, function, enter, |v| {
            if let Ok(address) = result {
                v.argument(out).pointer_to(|v| v.pointer(address));
            }
            values::hresult(v, code(&result));
        });
    }

    /// `AddRef` (`add`) or `Release` of an object; what has been given back can
    /// not be named any more, so its name comes from before the call.
    pub(crate) fn reference(&mut self, result: &Result<u32>, object: Option<Named>, add: bool) {
        let Some(Named { address, interface }) = object else {
            return;
        };
        let function = if add {
            interface.add_ref()
        } else {
            interface.release()
        };
        let count = u64::from(*result.as_ref().unwrap_or(&0));
        self.writer.call(
            THREAD,
            function,
            |v| v.pointer(address),
            |v| v.returned().uint(count),
        );
    }

    /// New addresses for a range of locked memory.
    fn memory(&mut self, key: LockKey, range: Range<usize>, read_only: bool) -> u64 {
        let address = self.next_memory;
        self.next_memory += (range.len() as u64).next_multiple_of(PAGE).max(PAGE);
        // What lies inside is told with this lock, so that programs that unlock too seldom end.
        let inside = |lock: &Lock| {
            lock.key == key
                && range.start <= lock.range.start
                && lock.range.end <= range.end
                && (lock.read_only || !read_only)
        };
        self.locks.retain(|lock| !inside(lock));
        self.locks.push(Lock {
            key,
            address,
            range,
            read_only,
            over: false,
        });
        address
    }

    /// Whether the bytes of this lock go into the capture when it ends.
    pub(crate) fn wants_bytes(&self, key: LockKey) -> bool {
        self.locks
            .iter()
            .any(|lock| lock.key == key && !lock.read_only)
    }

    /// What the program has written to locked ranges of `bytes`; called before unlocking.
    pub(crate) fn bytes(&mut self, key: LockKey, bytes: &[u8]) {
        let locks = self.locks.iter();
        for lock in locks.filter(|lock| lock.key == key && !lock.read_only) {
            if let Some(bytes) = bytes.get(lock.range.clone()) {
                self.writer.memory(THREAD, lock.address, bytes);
            }
        }
    }

    fn unlocked(&mut self, key: LockKey) {
        let locks = self.locks.iter_mut();
        let mut open = locks.filter(|lock| lock.key == key && !lock.over);
        if let Some(lock) = open.next() {
            lock.over = true;
        }
        if open.next().is_none() {
            self.locks.retain(|lock| lock.key != key);
        }
    }
}

/// The code of a result as the capture stores it.
fn code<T>(result: &Result<T>) -> u32 {
    match result {
        Ok(_) => 0,
        Err(HResult(code)) => *code,
    }
}
