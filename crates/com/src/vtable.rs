//! Vtables.

/// A slot of a vtable: a function with the calling convention and arguments that `d3d9.h` gives it.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Method(pub(crate) *const ());

// SAFETY: the pointer is to code, which does not change.
unsafe impl Sync for Method {}

/// A slot's name in `d3d9.h` and its offset in the vtable in bytes.
pub(crate) type Slot = (&'static str, usize);

/// Writes a vtable as a `#[repr(C)]` struct, its only value, and the list of its slots.
macro_rules! vtable {
    ($(#[$doc:meta])* $table:ident: $layout:ident { $($method:ident: $function:expr,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[allow(non_snake_case)]
        pub(crate) struct $layout {
            $($method: $crate::vtable::Method,)*
        }

        impl $layout {
            /// For the comparison with the header; `d3d9.h` does not have every interface.
            #[allow(dead_code)]
            pub(crate) const SLOTS: &'static [$crate::vtable::Slot] =
                &[$((stringify!($method), core::mem::offset_of!($layout, $method)),)*];
        }

        pub(crate) static $table: $layout = $layout {
            $($method: $crate::vtable::Method($function as *const ()),)*
        };
    };
}

pub(crate) use vtable;
