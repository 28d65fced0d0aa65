//! `IDirect3DShaderValidator9`, which shader compilers feed with an instruction at a time. Nothing is
//! said of any: shaders are checked whole when they are created.

use core::ffi::c_void;
use core::ptr;

use crate::abi::Guid;
use crate::pointer::*;
use crate::vtable::vtable;

/// The validator there is: it has no state, and no references are counted.
#[repr(C)]
pub(crate) struct Validator {
    vtable: &'static ValidatorTable,
}

pub(crate) static OBJECT: Validator = Validator { vtable: &VALIDATOR };

/// `this`, which is never looked at.
type This = *const Validator;

extern "C" fn query_interface(_this: This, _iid: In<Guid>, out: Out<*const c_void>) -> Hr {
    call(|| {
        out.set(ptr::null()).map_err(|_| POINTER)?;
        Err(NO_INTERFACE)
    })
}

extern "C" fn add_ref(_this: This) -> u32 {
    2
}

extern "C" fn release(_this: This) -> u32 {
    1
}

extern "C" fn begin(
    _this: This,
    _callback: *const c_void,
    _context: *const c_void,
    _reserved: usize,
) -> Hr {
    OK
}

extern "C" fn instruction(
    _this: This,
    _file: *const u8,
    _line: u32,
    _tokens: *const u32,
    _count: u32,
) -> Hr {
    OK
}

extern "C" fn end(_this: This) -> Hr {
    OK
}

vtable! {
    /// `IDirect3DShaderValidator9Vtbl`.
    VALIDATOR: ValidatorTable {
        QueryInterface: query_interface,
        AddRef: add_ref,
        Release: release,
        Begin: begin,
        Instruction: instruction,
        End: end,
    }
}
