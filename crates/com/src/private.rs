//! `SetPrivateData` and what comes with it, and resource priorities.

use core::ffi::c_void;
use core::ptr::NonNull;

use ninefold_d3d9::{HResult, Result};

use crate::abi::Guid;
use crate::pointer::{In, Out};

/// `D3DSPD_IUNKNOWN`: the data is an interface pointer, which the resource holds a reference to.
const D3DSPD_IUNKNOWN: u32 = 1;

#[repr(C)]
struct UnknownVtable {
    query_interface: *const (),
    add_ref: extern "C" fn(Unknown) -> u32,
    release: extern "C" fn(Unknown) -> u32,
}

#[repr(C)]
struct UnknownObject {
    vtable: *const UnknownVtable,
}

/// Somebody's `IUnknown`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Unknown(NonNull<UnknownObject>);

impl Unknown {
    fn new(pointer: *const c_void) -> Option<Self> {
        NonNull::new(pointer.cast_mut().cast()).map(Self)
    }

    pub(crate) fn add_ref(self) {
        // SAFETY: the program gave the pointer as an interface's; whoever calls holds a reference.
        unsafe { ((*(*self.0.as_ptr()).vtable).add_ref)(self) };
    }

    pub(crate) fn release(self) {
        // SAFETY: as above; this gives that reference back.
        unsafe { ((*(*self.0.as_ptr()).vtable).release)(self) };
    }

    fn address(self) -> usize {
        self.0.as_ptr() as usize
    }
}

enum Data {
    Bytes(Box<[u8]>),
    Unknown(Unknown),
}

/// What an object has besides its handle: private data and a priority.
#[derive(Default)]
pub(crate) struct Extra {
    private: Vec<(Guid, Data)>,
    pub(crate) priority: u32,
}

/// Data on its way in. References are taken before the device's lock is, and given back after.
pub(crate) struct Incoming {
    id: Guid,
    data: Data,
}

impl Incoming {
    pub(crate) fn read(id: &In<Guid>, data: &In<u8>, size: u32, flags: u32) -> Result<Self> {
        let id = id.required()?;
        let data = if flags & D3DSPD_IUNKNOWN == 0 {
            match size {
                0 => Data::Bytes(Box::default()),
                _ => Data::Bytes(data.slice(size as usize)?.into()),
            }
        } else {
            if size as usize != size_of::<*const c_void>() {
                return Err(HResult::INVALIDCALL);
            }
            // The data is the interface pointer itself, not a pointer to one.
            let unknown = Unknown::new(data.address()).ok_or(HResult::INVALIDCALL)?;
            unknown.add_ref();
            Data::Unknown(unknown)
        };
        Ok(Self { id, data })
    }
}

impl Extra {
    /// Puts data in place; the interface that was there before is the caller's to release.
    pub(crate) fn set(&mut self, incoming: Incoming) -> Option<Unknown> {
        let old = self.take(&incoming.id).ok().flatten();
        self.private.push((incoming.id, incoming.data));
        old
    }

    /// Drops the data of `id`; an interface is the caller's to release.
    pub(crate) fn take(&mut self, id: &Guid) -> Result<Option<Unknown>> {
        let index = self.private.iter().position(|(g, _)| g == id);
        let (_, data) = self.private.swap_remove(index.ok_or(HResult::NOTFOUND)?);
        Ok(match data {
            Data::Unknown(unknown) => Some(unknown),
            Data::Bytes(_) => None,
        })
    }

    /// Copies the data of `id` out; an interface is the caller's to add a reference to.
    pub(crate) fn get(&self, id: &Guid, out: &Out<u8>, size: &Out<u32>) -> Result<Option<Unknown>> {
        let found = self.private.iter().find(|(g, _)| g == id);
        let (_, data) = found.ok_or(HResult::NOTFOUND)?;
        let address;
        let bytes: &[u8] = match data {
            Data::Bytes(bytes) => bytes,
            Data::Unknown(unknown) => {
                address = unknown.address().to_ne_bytes();
                &address
            }
        };
        let needed = bytes.len() as u32;
        let room = size.get()?;
        size.set(needed)?;
        if out.is_null() {
            return Ok(None);
        }
        if room < needed {
            return Err(HResult::MOREDATA);
        }
        out.copy_from(bytes)?;
        Ok(match data {
            Data::Unknown(unknown) => Some(*unknown),
            Data::Bytes(_) => None,
        })
    }

    /// The interfaces held, when the object goes.
    pub(crate) fn into_unknowns(self) -> impl Iterator<Item = Unknown> {
        self.private.into_iter().filter_map(|(_, data)| match data {
            Data::Unknown(unknown) => Some(unknown),
            Data::Bytes(_) => None,
        })
    }
}
