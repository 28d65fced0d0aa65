//! Swap chains, Present, Reset.

use crate::device::Device;
use crate::handle::{SurfaceHandle, SwapChainHandle};
use crate::hresult::Result;
use crate::types::{DisplayMode, Picture, PresentParameters};

impl Device {
    /// `TestCooperativeLevel`: `Ok` while the device can draw.
    pub fn test_cooperative_level(&mut self) -> Result<()> {
        todo!()
    }

    /// `GetAvailableTextureMem`: bytes, rounded to MiB.
    pub fn get_available_texture_mem(&self) -> u32 {
        todo!()
    }

    /// `EvictManagedResources`: drops GPU copies of managed resources.
    pub fn evict_managed_resources(&mut self) -> Result<()> {
        todo!()
    }

    /// `GetDisplayMode` of a swap chain.
    pub fn get_display_mode(&mut self, swap_chain: u32) -> Result<DisplayMode> {
        todo!()
    }

    /// `Reset`: refused with `D3DERR_INVALIDCALL` while resources of `D3DPOOL_DEFAULT` or state blocks are
    /// alive. All state returns to its defaults.
    pub fn reset(&mut self, parameters: &PresentParameters) -> Result<()> {
        todo!()
    }

    /// `CreateAdditionalSwapChain`.
    pub fn create_additional_swap_chain(
        &mut self,
        parameters: &PresentParameters,
    ) -> Result<SwapChainHandle> {
        todo!()
    }

    /// `GetSwapChain`: adds a reference.
    pub fn get_swap_chain(&mut self, index: u32) -> Result<SwapChainHandle> {
        todo!()
    }

    /// `GetNumberOfSwapChains`: 1, however many additional ones there are.
    pub fn get_number_of_swap_chains(&self) -> u32 {
        todo!()
    }

    /// `GetBackBuffer`: adds a reference.
    pub fn get_back_buffer(&mut self, swap_chain: u32, back_buffer: u32) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `Present`: the whole back buffer of the implicit swap chain.
    pub fn present(&mut self) -> Result<()> {
        todo!()
    }

    /// `IDirect3DSwapChain9::Present`.
    pub fn swap_chain_present(&mut self, swap_chain: SwapChainHandle) -> Result<()> {
        todo!()
    }

    /// `IDirect3DSwapChain9::GetBackBuffer`: adds a reference.
    pub fn swap_chain_get_back_buffer(
        &mut self,
        swap_chain: SwapChainHandle,
        back_buffer: u32,
    ) -> Result<SurfaceHandle> {
        todo!()
    }

    /// `IDirect3DSwapChain9::GetPresentParameters`.
    pub fn swap_chain_get_present_parameters(
        &mut self,
        swap_chain: SwapChainHandle,
    ) -> Result<PresentParameters> {
        todo!()
    }

    /// The picture last presented by the implicit swap chain; `D3DERR_INVALIDCALL` before the first
    /// `present`. Waits for the GPU.
    pub fn front_buffer(&mut self) -> Result<Picture> {
        todo!()
    }

    /// The picture last presented by a swap chain.
    pub fn swap_chain_front_buffer(&mut self, swap_chain: SwapChainHandle) -> Result<Picture> {
        todo!()
    }

    /// `GetFrontBufferData` into a system-memory A8R8G8B8 surface of the same size.
    pub fn get_front_buffer_data(
        &mut self,
        swap_chain: u32,
        destination: SurfaceHandle,
    ) -> Result<()> {
        todo!()
    }
}
