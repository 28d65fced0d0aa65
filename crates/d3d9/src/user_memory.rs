//! Textures and surfaces in memory that belongs to the program.

use core::fmt::Debug;

use crate::consts::*;
use crate::device::Device;
use crate::fault::invalid;
use crate::hresult::Result;
use crate::types::LevelTarget;

/// Memory that a program gives for a resource and changes when it likes. It must be there for as
/// long as the resource is.
pub trait UserMemory: Debug + Send {
    /// All of it.
    fn bytes(&self) -> &[u8];

    /// All of it, to write to.
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// What a resource's levels lie in.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Empty until something needs it, and never moved from then on.
    Own(Vec<u8>),
    User(Box<dyn UserMemory>),
}

impl Memory {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::User(memory) => memory.bytes(),
        }
    }

    /// All bytes, `size` of them made where there are none.
    pub(crate) fn bytes_mut(&mut self, size: usize) -> &mut [u8] {
        match self {
            Self::Own(bytes) => {
                if bytes.is_empty() {
                    *bytes = vec![0; size];
                }
                bytes
            }
            Self::User(memory) => memory.bytes_mut(),
        }
    }
}

impl Device {
    /// Puts a resource in system memory into memory of the program's own, as `pSharedHandle` of an
    /// extended device asks: `memory` gets the number of bytes, rows of blocks without padding. What
    /// lies there is the resource's contents.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for resources of other pools, of more than one level, that have memory
    /// already, and when `memory` gives another number of bytes.
    pub fn use_memory(
        &mut self,
        level: impl Into<LevelTarget>,
        memory: impl FnOnce(usize) -> Box<dyn UserMemory>,
    ) -> Result<()> {
        let target = level.into();
        self.call(|d| {
            let (handle, _) = d.find_level(target)?;
            let resource = d.resource_mut(handle, "level")?;
            if resource.pool != D3DPOOL_SYSTEMMEM {
                invalid!("level: only system memory can be the program's own");
            }
            if !resource.take_memory(memory) {
                invalid!("level: it has others beside it or memory already, or another size");
            }
            Ok(())
        })
    }
}
