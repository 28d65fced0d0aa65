//! What a swap chain shows, read back.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::{RawHandle, SurfaceHandle, SwapChainHandle};
use crate::hresult::Result;
use crate::picture::read_picture;
use crate::types::Picture;

impl Device {
    /// The picture last presented by the implicit swap chain; `D3DERR_INVALIDCALL` before the first
    /// `present`. Waits for the GPU.
    pub fn front_buffer(&mut self) -> Result<Picture> {
        self.call(|d| d.front_of(d.implicit_chain))
    }

    /// The picture last presented by a swap chain.
    pub fn swap_chain_front_buffer(&mut self, swap_chain: SwapChainHandle) -> Result<Picture> {
        self.call(|d| d.front_of(swap_chain.0))
    }

    fn front_of(&mut self, handle: RawHandle) -> Outcome<Picture> {
        let chain = self
            .swap_chains
            .get(handle)
            .ok_or_else(|| stale("swap_chain"))?;
        match chain.front() {
            Some(front) => read_picture(&mut self.renderer, front, (0, 0), chain.opaque),
            None => invalid!("swap_chain: nothing was presented yet"),
        }
    }

    /// `GetFrontBufferData` into a surface in system memory. The picture is at its top left: in a
    /// window the surface is as large as the screen, and the window lies at the screen's corner.
    /// Before the first `present` the picture is black.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a swap chain that is not 0, and a destination that is locked, too
    /// small, neither A8R8G8B8 nor X8R8G8B8, or not in `D3DPOOL_SYSTEMMEM` or `D3DPOOL_SCRATCH`.
    pub fn get_front_buffer_data(
        &mut self,
        swap_chain: u32,
        destination: SurfaceHandle,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.get_front_buffer_data(x, swap_chain, destination),
            |d| {
                let chain = d.only_chain(swap_chain)?;
                d.copy_front(chain, destination)
            },
        )
    }

    /// `IDirect3DSwapChain9::GetFrontBufferData`, as [`get_front_buffer_data`].
    ///
    /// [`get_front_buffer_data`]: Self::get_front_buffer_data
    pub fn swap_chain_get_front_buffer_data(
        &mut self,
        swap_chain: SwapChainHandle,
        destination: SurfaceHandle,
    ) -> Result<()> {
        self.call(|d| d.copy_front(swap_chain.0, destination))
    }

    fn copy_front(&mut self, chain: RawHandle, destination: SurfaceHandle) -> Outcome<()> {
        let (handle, sub) = self.find_level(destination.into())?;
        let resource = self.resource(handle, "destination")?;
        if !matches!(resource.pool, D3DPOOL_SYSTEMMEM | D3DPOOL_SCRATCH)
            || !matches!(resource.info.d3d, D3DFMT_A8R8G8B8 | D3DFMT_X8R8G8B8)
        {
            invalid!("destination must be A8R8G8B8 or X8R8G8B8 in D3DPOOL_SYSTEMMEM");
        }
        let level = &resource.subs[sub as usize];
        let pitch = level.row_pitch as usize;
        if level.lock.is_some() {
            invalid!("destination is locked");
        }
        let (width, height) = (level.width, level.height);
        let parameters = self
            .swap_chains
            .get(chain)
            .ok_or_else(|| stale("swap_chain"))?;
        let shown = parameters.front().is_some();
        let parameters = parameters.parameters;
        let picture = match shown {
            true => self.front_of(chain)?,
            false => Picture {
                width: parameters.back_buffer_width,
                height: parameters.back_buffer_height,
                bgra: [0, 0, 0, 255].repeat(
                    parameters.back_buffer_width as usize * parameters.back_buffer_height as usize,
                ),
            },
        };
        if width < picture.width || height < picture.height {
            invalid!(
                "destination of {width} x {height} is smaller than {} x {}",
                picture.width,
                picture.height
            );
        }
        let resource = self.resource_mut(handle, "destination")?;
        let row = picture.width as usize * 4;
        let rows = picture.bgra.chunks_exact(row);
        for (to, from) in resource.memory(sub).chunks_mut(pitch).zip(rows) {
            to[..row].copy_from_slice(from);
        }
        let whole = resource.subs[sub as usize].whole();
        resource.mark_dirty(sub, whole);
        Ok(())
    }
}
