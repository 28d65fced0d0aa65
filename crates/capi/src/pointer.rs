//! Pointers as C passes them. What can be checked is: NULL, alignment, sizes that no memory has.
//! That what they point to is there is the caller's promise.

use core::ffi::{CStr, c_char};

use crate::fault::{Fault, Result};

fn check<T>(pointer: *const T, name: &str) -> Result<()> {
    if pointer.is_null() {
        return Err(Fault::args(format!("{name} is NULL")));
    }
    if !pointer.is_aligned() {
        return Err(Fault::args(format!(
            "{name} is not aligned to {} bytes",
            align_of::<T>()
        )));
    }
    Ok(())
}

/// A struct, or `None` for NULL.
///
/// # Safety
/// `pointer` is NULL or points to a `T` that nobody changes during the call. Every pattern of bits
/// is a `T`: numbers, handles and raw pointers only.
pub(crate) unsafe fn optional<'a, T>(pointer: *const T, name: &str) -> Result<Option<&'a T>> {
    if pointer.is_null() {
        return Ok(None);
    }
    check(pointer, name)?;
    // SAFETY: aligned and not null; the caller promises the rest.
    Ok(Some(unsafe { &*pointer }))
}

/// Structs that begin with their own size, by which versions of a header are told apart.
///
/// # Safety
/// The first field is a `u32`, and every pattern of bits is a value of the type.
pub(crate) unsafe trait Sized32 {
    /// The struct's name in C.
    const NAME: &'static str;
}

/// A struct that begins with its size.
///
/// # Safety
/// As [`optional`].
pub(crate) unsafe fn sized<'a, T: Sized32>(pointer: *const T, name: &str) -> Result<&'a T> {
    check(pointer, name)?;
    // SAFETY: aligned for T, and so for the u32 that T begins with.
    let size = unsafe { pointer.cast::<u32>().read() };
    if size as usize != size_of::<T>() {
        return Err(Fault::args(format!(
            "{name}->struct_size is {size}, expected {} (see {}_init)",
            size_of::<T>(),
            T::NAME
        )));
    }
    // SAFETY: aligned and not null; the size says that a whole T is there.
    Ok(unsafe { &*pointer })
}

/// Fills a struct that begins with its size; `size` is the caller's `sizeof`.
///
/// # Safety
/// `pointer` is NULL or room for `size` bytes.
pub(crate) unsafe fn init<T: Sized32>(pointer: *mut T, size: usize, value: T) -> Result<()> {
    check(pointer, T::NAME)?;
    if size != size_of::<T>() {
        return Err(Fault::args(format!(
            "size is {size}, expected sizeof({}), which is {}",
            T::NAME,
            size_of::<T>()
        )));
    }
    // SAFETY: aligned, not null, and room for a whole T.
    unsafe { pointer.write(value) };
    Ok(())
}

/// `count` values; NULL is allowed for none.
///
/// # Safety
/// `pointer` is NULL or points to `count` values that nobody changes during the call.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    let fits = count
        .checked_mul(size_of::<T>())
        .and_then(|bytes| pointer.addr().checked_add(bytes))
        .is_some_and(|end| end <= isize::MAX as usize);
    if !fits {
        return Err(Fault::args(format!(
            "{name}: {count} of {} bytes each are more than memory holds",
            size_of::<T>()
        )));
    }
    // SAFETY: not null, aligned, not too large; the caller promises the values.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// `count` values, at most `most` of them.
///
/// # Safety
/// As [`slice`].
pub(crate) unsafe fn list<'a, T>(
    pointer: *const T,
    count: u32,
    most: u32,
    name: &str,
) -> Result<&'a [T]> {
    if count > most {
        return Err(Fault::args(format!(
            "{name}: {count} of them, expected at most {most}"
        )));
    }
    // SAFETY: as the caller says.
    unsafe { slice(pointer, count as usize, name) }
}

/// Room for bytes, which may hold nothing yet.
pub(crate) struct Room<'a> {
    pointer: *mut u8,
    size: usize,
    call: core::marker::PhantomData<&'a mut u8>,
}

impl Room<'_> {
    /// Copies bytes to a place in the room; what does not fit is left out.
    pub(crate) fn put(&self, at: usize, bytes: &[u8]) {
        let at = at.min(self.size);
        let count = bytes.len().min(self.size - at);
        // SAFETY: `room` checked NULL, and its caller promised `size` bytes that nobody else uses,
        // so that they are none of `bytes`.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.pointer.add(at), count) };
    }
}

/// Room for `size` bytes.
///
/// # Safety
/// `pointer` is NULL or room for `size` bytes that nobody else uses during the call.
pub(crate) unsafe fn room<'a>(pointer: *mut u8, size: usize, name: &str) -> Result<Room<'a>> {
    check(pointer.cast_const(), name)?;
    Ok(Room {
        pointer,
        size,
        call: core::marker::PhantomData,
    })
}

/// Where a value goes.
///
/// # Safety
/// `pointer` is NULL or room for a `T` during the call.
pub(crate) unsafe fn out<'a, T>(pointer: *mut T, name: &str) -> Result<Out<'a, T>> {
    check(pointer.cast_const(), name)?;
    Ok(Out {
        pointer,
        call: core::marker::PhantomData,
    })
}

/// Room for a value; it may hold nothing yet.
pub(crate) struct Out<'a, T> {
    pointer: *mut T,
    call: core::marker::PhantomData<&'a mut T>,
}

impl<T: Copy> Out<'_, T> {
    pub(crate) fn set(&self, value: T) {
        // SAFETY: `out` checked NULL and alignment, and its caller promised room for the call.
        unsafe { self.pointer.write(value) };
    }
}

/// Text, or `None` for NULL.
///
/// # Safety
/// `pointer` is NULL or points to text that ends with a zero.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: not null; the caller promises the zero.
    let text = unsafe { CStr::from_ptr(pointer) };
    let text = text.to_str().map_err(|error| {
        Fault::args(format!(
            "{name} is not UTF-8 from byte {}",
            error.valid_up_to()
        ))
    })?;
    Ok(Some(text))
}

/// Copies text for C as `snprintf` does, and returns its length without the zero.
///
/// # Safety
/// `buffer` is NULL or room for `size` bytes.
pub(crate) unsafe fn put_text(text: &str, buffer: *mut c_char, size: usize) -> Result<i32> {
    if size > 0 {
        // SAFETY: as the caller says.
        let room = unsafe { room(buffer.cast(), size, "buffer") }?;
        let mut end = text.len().min(size - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        room.put(0, &text.as_bytes()[..end]);
        room.put(end, &[0]);
    }
    Ok(i32::try_from(text.len()).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        let mut room = [b'x' as c_char; 8];
        // "é" takes the bytes 2 and 3 of "caé".
        let put = |room: &mut [c_char], size| {
            // SAFETY: the room is larger.
            unsafe { put_text("caé!", room.as_mut_ptr(), size) }.unwrap()
        };
        assert_eq!(put(&mut room, 4), 5);
        assert_eq!(
            room[..4],
            [b'c' as c_char, b'a' as c_char, 0, b'x' as c_char]
        );
        assert_eq!(put(&mut room, 8), 5);
        assert_eq!(room[5..7], [0, b'x' as c_char]);
        // SAFETY: nothing is written to no room.
        assert_eq!(unsafe { put_text("caé!", ptr::null_mut(), 0) }.unwrap(), 5);
    }

    #[test]
    fn pointers_are_checked_before_they_are_followed() {
        let crooked = ptr::without_provenance::<u32>(1026);
        let high = ptr::without_provenance::<u32>(!15);
        // SAFETY: none of these is followed.
        unsafe {
            assert!(slice(ptr::null::<u32>(), 1, "a").is_err());
            assert!(slice(ptr::null::<u32>(), 0, "a").unwrap().is_empty());
            assert!(slice(crooked, 1, "a").is_err());
            assert!(slice(high, 8, "a").is_err());
            assert!(slice(ptr::without_provenance::<u32>(1024), usize::MAX / 4, "a").is_err());
            assert!(list(crooked, 3, 2, "a").is_err());
            assert!(optional(crooked, "a").is_err());
            assert!(optional(ptr::null::<u32>(), "a").unwrap().is_none());
            assert!(room(ptr::null_mut(), 0, "a").is_err());
            assert!(out(crooked.cast_mut(), "a").is_err());
        }
    }
}
