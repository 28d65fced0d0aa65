//! Pointers as C passes them, and the border that no panic crosses.
//!
//! The types here have the layout of a plain pointer and are made by C callers alone: they stand
//! only in the signatures of functions that C calls. The caller promises, as `d3d9.h` has it, that
//! a pointer is null or points to what its type says for as long as the call lasts. Everything
//! that can be checked is: null everywhere, and interface pointers by their vtable and device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ninefold_d3d9::{HResult, Result};

/// `HRESULT`.
pub(crate) type Hr = i32;

/// `S_OK`, `D3D_OK`.
pub(crate) const OK: Hr = 0;
/// `S_FALSE`.
pub(crate) const S_FALSE: Hr = 1;

/// `E_NOINTERFACE`.
pub(crate) const NO_INTERFACE: HResult = HResult(0x8000_4002);
/// `E_POINTER`.
pub(crate) const POINTER: HResult = HResult(0x8000_4003);

/// The code of D3D9 that a result stands for.
pub(crate) fn code(result: Result<Hr>) -> Hr {
    match result {
        Ok(code) => code,
        Err(error) => error.0 as i32,
    }
}

/// Runs `f`; a panic becomes `fallback`.
pub(crate) fn guard<R>(fallback: R, f: impl FnOnce() -> R) -> R {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => value,
        Err(payload) => {
            // Dropping a payload may panic in its turn.
            core::mem::forget(payload);
            tracing::error!(target: "ninefold::com", "a panic was stopped at the border to C");
            fallback
        }
    }
}

/// Runs `f`; a failure becomes its code, a panic `D3DERR_DRIVERINTERNALERROR`.
pub(crate) fn call(f: impl FnOnce() -> Result<Hr>) -> Hr {
    guard(HResult::DRIVERINTERNALERROR.0 as i32, || code(f()))
}

/// A pointer to one or more `T` to read from.
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

impl<T: Copy> In<T> {
    /// A pointer as C would pass it to something of ours.
    pub(crate) fn from_slice(values: &'static [T]) -> Self {
        Self(values.as_ptr())
    }

    /// The value, or `None` for null.
    pub(crate) fn get(&self) -> Option<T> {
        // SAFETY: not null, so the caller promises a readable T; its alignment does not matter.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// The value; null is `D3DERR_INVALIDCALL`.
    pub(crate) fn required(&self) -> Result<T> {
        self.get().ok_or(HResult::INVALIDCALL)
    }

    /// `count` values; null and crooked pointers are `D3DERR_INVALIDCALL`.
    pub(crate) fn slice(&self, count: usize) -> Result<&[T]> {
        let fits = count
            .checked_mul(size_of::<T>())
            .is_some_and(|n| n <= isize::MAX as usize);
        if self.0.is_null() || !self.0.is_aligned() || !fits {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: not null, aligned, not too large; the caller promises `count` readable values
        // that nobody changes during the call.
        Ok(unsafe { core::slice::from_raw_parts(self.0, count) })
    }

    /// The value at `index`, without a promise of how many follow: for lists that end with a mark.
    pub(crate) fn at(&self, index: usize) -> T {
        // SAFETY: callers ask for the next value only after one that is not the list's last.
        unsafe { self.0.add(index).read_unaligned() }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The pointer itself, where it is the value.
    pub(crate) fn address(&self) -> *const core::ffi::c_void {
        self.0.cast()
    }

    /// The same pointer to another type, for `const void *` and for arrays of vectors.
    pub(crate) fn cast<U>(&self) -> In<U> {
        In(self.0.cast())
    }
}

/// A pointer to one or more `T` to write to.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    pub(crate) fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Null is `D3DERR_INVALIDCALL`.
    pub(crate) fn check(&self) -> Result<()> {
        if self.0.is_null() {
            return Err(HResult::INVALIDCALL);
        }
        Ok(())
    }

    /// Writes `value`; null is `D3DERR_INVALIDCALL`.
    pub(crate) fn set(&self, value: T) -> Result<()> {
        self.check()?;
        // SAFETY: not null, so the caller promises room for a T; its alignment does not matter.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// What lies there now, for sizes that go in and out.
    pub(crate) fn get(&self) -> Result<T> {
        self.check()?;
        // SAFETY: not null, so the caller promises a readable T.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// Writes all of `values`; null is `D3DERR_INVALIDCALL`.
    pub(crate) fn copy_from(&self, values: &[T]) -> Result<()> {
        self.check()?;
        // SAFETY: the caller promises room for that many values, as documented for the method;
        // bytes are copied, so alignment does not matter.
        unsafe {
            core::ptr::copy_nonoverlapping(
                values.as_ptr().cast::<u8>(),
                self.0.cast::<u8>(),
                size_of_val(values),
            );
        }
        Ok(())
    }

    pub(crate) fn cast<U>(&self) -> Out<U> {
        Out(self.0.cast())
    }
}

impl Out<u8> {
    /// Writes `count` zeros; null is `D3DERR_INVALIDCALL`.
    pub(crate) fn zero(&self, count: usize) -> Result<()> {
        self.check()?;
        // SAFETY: the caller promises room for that many bytes, as documented for the method.
        unsafe { self.0.write_bytes(0, count) };
        Ok(())
    }
}

/// Bytes that belong to a resource, as a program gets them from a lock.
pub(crate) fn bits(bytes: &mut [u8]) -> *mut u8 {
    bytes.as_mut_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_do_not_cross() {
        let code = call(|| panic!("inside"));
        assert_eq!(code, HResult::DRIVERINTERNALERROR.0 as i32);
        assert_eq!(guard(7, || panic!("inside")), 7);
        assert_eq!(call(|| Ok(S_FALSE)), 1);
        assert_eq!(call(|| Err(NO_INTERFACE)), 0x8000_4002_u32 as i32);
    }

    #[test]
    fn null_is_refused() {
        let none = In::<u32>(core::ptr::null());
        assert_eq!(none.get(), None);
        assert_eq!(none.required(), Err(HResult::INVALIDCALL));
        assert!(none.slice(0).is_err());
        let nowhere = Out::<u32>(core::ptr::null_mut());
        assert_eq!(nowhere.set(1), Err(HResult::INVALIDCALL));
        assert_eq!(nowhere.get(), Err(HResult::INVALIDCALL));
        assert_eq!(nowhere.copy_from(&[1]), Err(HResult::INVALIDCALL));
    }

    #[test]
    fn crooked_and_endless_slices_are_refused() {
        static WORDS: [u32; 4] = [1, 2, 3, 4];
        let words = In::from_slice(&WORDS);
        assert_eq!(words.slice(4).expect("in order"), WORDS);
        assert!(words.slice(usize::MAX / 2).is_err());
        let crooked = In::<u32>(words.address().wrapping_byte_add(2).cast());
        assert!(crooked.slice(1).is_err());
        assert_eq!(
            crooked.get(),
            Some(0x0002_0000),
            "values are read wherever they lie"
        );
    }
}
