//! Codes, the last error's text, and the border that no panic crosses.

use core::cell::RefCell;
use core::ffi::c_char;
use std::borrow::Cow;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ninefold_renderer::{Error, ErrorKind};

/// All went well.
pub const NF_OK: i32 = 0;
/// An argument is outside its documented range: NULL, misaligned, a count, a number that is not
/// finite, a struct of another size, a handle of nothing.
pub const NF_ERR_ARGS: i32 = -1;
/// Vertices, indices, texels or a rectangle reach past the end of their storage.
pub const NF_ERR_BOUNDS: i32 = -2;
/// The primitive type is not one that is drawn.
pub const NF_ERR_PRIMITIVE: i32 = -3;
/// A texture is not there any more, is of the wrong kind, or does not fit its cache.
pub const NF_ERR_TEXTURE: i32 = -4;
/// The GPU or its driver failed, or there is none.
pub const NF_ERR_DEVICE: i32 = -5;
/// A shader could not be read, translated or compiled.
pub const NF_ERR_SHADER: i32 = -6;
/// The vertex declaration cannot feed the vertex shader.
pub const NF_ERR_DECL: i32 = -7;
/// Well-formed, but this adapter or this library cannot do it.
pub const NF_ERR_UNSUPPORTED: i32 = -8;
/// The call came at a moment when it is not allowed, or something reached its bound.
pub const NF_ERR_STATE: i32 = -9;
/// A fault of the library itself, which it stopped before it reached the caller.
pub const NF_ERR_INTERNAL: i32 = -10;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) text: Cow<'static, str>,
}

pub(crate) type Result<T> = core::result::Result<T, Fault>;

impl Fault {
    #[cold]
    pub(crate) fn new(code: i32, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }

    #[cold]
    pub(crate) fn args(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(NF_ERR_ARGS, text)
    }

    #[cold]
    pub(crate) fn bounds(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(NF_ERR_BOUNDS, text)
    }

    #[cold]
    pub(crate) fn state(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(NF_ERR_STATE, text)
    }
}

/// The code of a renderer's error.
pub(crate) fn code_of(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::Args => NF_ERR_ARGS,
        ErrorKind::Bounds => NF_ERR_BOUNDS,
        ErrorKind::Primitive => NF_ERR_PRIMITIVE,
        ErrorKind::Texture => NF_ERR_TEXTURE,
        ErrorKind::Device => NF_ERR_DEVICE,
        ErrorKind::Shader => NF_ERR_SHADER,
        ErrorKind::Decl => NF_ERR_DECL,
        ErrorKind::Unsupported => NF_ERR_UNSUPPORTED,
        ErrorKind::State => NF_ERR_STATE,
        _ => NF_ERR_INTERNAL,
    }
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Self {
        Self::new(code_of(&error), error.text().to_owned())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Puts `text` into a place of this thread; a zero byte would end it for C, so what follows one is
/// left out.
pub(crate) fn keep(place: &RefCell<CString>, text: &str) {
    let end = text.find('\0').unwrap_or(text.len());
    *place.borrow_mut() = CString::new(&text[..end]).unwrap_or_default();
}

#[cold]
fn fail(code: i32, text: &str) -> i32 {
    tracing::debug!(target: "ninefold::capi", code, "{text}");
    // A thread that is ending may have no such place any more.
    let _ = LAST.try_with(|last| keep(last, text));
    code
}

/// Runs `f`; a failure becomes its code and the thread's last error, and so does a panic.
pub(crate) fn answer(f: impl FnOnce() -> Result<i32>) -> i32 {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => value,
        Ok(Err(fault)) => fail(fault.code, &fault.text),
        Err(payload) => {
            // Dropping a payload may panic in its turn.
            core::mem::forget(payload);
            tracing::error!(target: "ninefold::capi", "a panic was stopped at the border to C");
            fail(NF_ERR_INTERNAL, "a fault of the library was stopped")
        }
    }
}

/// [`answer`] of functions that have nothing to say but that they succeeded.
pub(crate) fn call(f: impl FnOnce() -> Result<()>) -> i32 {
    answer(|| f().map(|()| NF_OK))
}

/// What the last call on this thread that failed had to say: which argument, what was expected.
/// Calls that succeed leave it, and so does what other threads do, the library's own included.
///
/// The text, which is never NULL, is valid until the next call on this thread that fails. Allowed
/// everywhere, in callbacks too.
#[unsafe(no_mangle)]
pub extern "C" fn nf_last_error() -> *const c_char {
    let pointer = LAST.try_with(|last| last.borrow().as_ptr());
    pointer.unwrap_or(c"".as_ptr())
}

/// The library's version, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn nf_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use core::ffi::CStr;

    use super::*;

    fn last() -> String {
        // SAFETY: never NULL, and ends with a zero.
        let text = unsafe { CStr::from_ptr(nf_last_error()) };
        text.to_str().unwrap().to_owned()
    }

    #[test]
    fn panics_become_a_code() {
        assert_eq!(call(|| panic!("on purpose")), NF_ERR_INTERNAL);
        assert_eq!(last(), "a fault of the library was stopped");
        assert_eq!(answer(|| Ok(7)), 7);
        assert_eq!(last(), "a fault of the library was stopped");
    }

    #[test]
    fn texts_are_the_thread_s_and_end_at_a_zero() {
        assert_eq!(call(|| Err(Fault::args("before\0after"))), NF_ERR_ARGS);
        assert_eq!(last(), "before");
        let other = std::thread::spawn(|| {
            let nothing = last();
            call(|| Err(Fault::state("another")));
            (nothing, last())
        });
        let (nothing, another) = other.join().unwrap();
        assert_eq!((nothing.as_str(), another.as_str()), ("", "another"));
        assert_eq!(last(), "before");
    }
}
