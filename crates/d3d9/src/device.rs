//! The device: what every part of it shares.

use crate::direct3d::Caps;
use crate::handle::ObjectHandle;
use crate::hresult::Result;
use crate::types::PresentParameters;

/// `IDirect3DDevice9`. Methods carry D3D9's names; each part of the device is a
/// file of its own (`texture`, `lock`, `state`, `draw`, ...).
///
/// A method that fails returns D3D9's code, changes nothing, and leaves a
/// sentence in [`last_error`](Self::last_error).
pub struct Device {
    last_error: String,
}

impl Device {
    /// What was wrong with the last call that failed, naming the argument.
    pub fn last_error(&self) -> &str {
        &self.last_error
    }

    /// `IUnknown::AddRef`: the new count of public references. `D3DERR_INVALIDCALL` for a handle
    /// whose object is gone.
    pub fn add_ref(&mut self, object: impl Into<ObjectHandle>) -> Result<u32> {
        let _ = object.into();
        todo!()
    }

    /// `IUnknown::Release`: the new count of public references. The object goes when the device
    /// does not use it either.
    pub fn release(&mut self, object: impl Into<ObjectHandle>) -> Result<u32> {
        let _ = object.into();
        todo!()
    }

    /// Objects alive, whoever holds them: textures, surfaces, buffers, shaders, declarations,
    /// queries, state blocks and swap chains. The device's own back buffers, depth surface and
    /// swap chain do not count.
    pub fn object_count(&self) -> usize {
        todo!()
    }

    /// `GetDeviceCaps`.
    pub fn get_device_caps(&self) -> &Caps {
        todo!()
    }

    /// `GetCreationParameters` as far as there is no window: the presentation parameters in use.
    pub fn present_parameters(&self) -> &PresentParameters {
        todo!()
    }

    /// The renderer's counters.
    pub fn renderer_stats(&self) -> ninefold_renderer::Stats {
        todo!()
    }

    /// Submits what is recorded without waiting.
    pub fn flush(&mut self) -> Result<()> {
        todo!()
    }
}
