//! What a front door with pointers of its own wants to know of objects.

use crate::device::Device;
use crate::handle::{ObjectHandle, RawHandle, SurfaceHandle, SwapChainHandle};

impl Device {
    /// Whether the object is there: someone outside or the device itself holds it.
    pub fn is_alive(&self, object: impl Into<ObjectHandle>) -> bool {
        match object.into() {
            ObjectHandle::Resource(h) => self.resources.get(h).is_some(),
            ObjectHandle::VertexBuffer(h) => self.vertex_buffers.get(h).is_some(),
            ObjectHandle::IndexBuffer(h) => self.index_buffers.get(h).is_some(),
            ObjectHandle::VertexShader(h) => self.vertex_shaders.get(h).is_some(),
            ObjectHandle::PixelShader(h) => self.pixel_shaders.get(h).is_some(),
            ObjectHandle::VertexDeclaration(h) => self.declarations.get(h).is_some(),
            ObjectHandle::Query(h) => self.queries.get(h).is_some(),
            ObjectHandle::StateBlock(h) => self.state_blocks.get(h).is_some(),
            ObjectHandle::SwapChain(h) => self.swap_chains.get(h).is_some(),
        }
    }

    /// References held outside the device; 0 for an object that is gone.
    pub fn public_references(&self, object: impl Into<ObjectHandle>) -> u32 {
        match object.into() {
            ObjectHandle::Resource(h) => self.resources.public_count(h),
            ObjectHandle::VertexBuffer(h) => self.vertex_buffers.public_count(h),
            ObjectHandle::IndexBuffer(h) => self.index_buffers.public_count(h),
            ObjectHandle::VertexShader(h) => self.vertex_shaders.public_count(h),
            ObjectHandle::PixelShader(h) => self.pixel_shaders.public_count(h),
            ObjectHandle::VertexDeclaration(h) => self.declarations.public_count(h),
            ObjectHandle::Query(h) => self.queries.public_count(h),
            ObjectHandle::StateBlock(h) => self.state_blocks.public_count(h),
            ObjectHandle::SwapChain(h) => self.swap_chains.public_count(h),
        }
    }

    /// The device's own swap chain, without a reference.
    pub fn implicit_swap_chain(&self) -> SwapChainHandle {
        SwapChainHandle(self.implicit_chain)
    }

    /// The swap chain that a surface is a back buffer of, without a reference.
    pub fn swap_chain_of(&self, surface: SurfaceHandle) -> Option<SwapChainHandle> {
        self.swap_chains
            .iter()
            .find(|(_, chain)| chain.back_buffers.contains(&surface.resource))
            .map(|(handle, _)| SwapChainHandle(handle))
    }

    /// A public reference more on a texture or surface. A back buffer that someone holds keeps the
    /// additional swap chain it is of.
    pub(crate) fn add_resource_ref(&mut self, handle: RawHandle) -> Option<u32> {
        let count = self.resources.add_ref(handle)?;
        if count == 1
            && let Some(chain) = self.additional_chain_of(handle)
        {
            self.swap_chains.hold(chain);
        }
        Some(count)
    }

    /// A public reference less.
    pub(crate) fn release_resource(&mut self, handle: RawHandle) -> Option<u32> {
        let chain = self.additional_chain_of(handle);
        let (count, _) = self.resources.release(handle)?;
        if count == 0
            && let Some(chain) = chain
            && let Some(dead) = self.swap_chains.unhold(chain)
        {
            self.drop_chain(&dead);
        }
        Some(count)
    }

    fn additional_chain_of(&self, handle: RawHandle) -> Option<RawHandle> {
        if !self.resources.get(handle)?.internal {
            return None;
        }
        self.swap_chains
            .iter()
            .find(|(of, chain)| *of != self.implicit_chain && chain.back_buffers.contains(&handle))
            .map(|(of, _)| of)
    }
}
