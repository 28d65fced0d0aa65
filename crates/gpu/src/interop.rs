//! Sharing the device with other libraries (feature `interop`): a presenter that draws with raw
//! Vulkan or Metal, or with `wgpu`, on the device that was opened here.
//!
//! - [`Gpu::hal_device`] and [`Gpu::with_hal_queue`] give the device and its queue as wgpu-hal has
//!   them, and with that the raw ones of the driver API.
//! - [`Gpu::import_texture`] makes a [`Texture`] of one that another library made on that device,
//!   so that passes and copies may go into it.
//! - [`Texture::hal_texture`] lends one of ours.
//!
//! Textures change hands between submissions, in their resting state ([`Texture::rest_state`]).

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::desc::{Initial, TextureDesc, TextureKind};
use crate::device::Gpu;
use crate::error::{Result, invalid};
use crate::raw::RawTexture;
use crate::texture::{Texture, TextureInner, srgb_twin};

impl Gpu {
    /// The device, when its back end is `A`.
    ///
    /// # Safety
    /// Nothing of ours may be destroyed or changed through it, and what is made with it must be
    /// destroyed before the last handle of this crate goes.
    #[must_use]
    pub unsafe fn hal_device<A: hal::Api>(&self) -> Option<&A::Device> {
        hal::DynResource::as_any(&*self.shared().device).downcast_ref()
    }

    /// Calls `with` with the queue, when its back end is `A`. Nothing is submitted here meanwhile:
    /// driver APIs want a queue used by one thread at a time.
    ///
    /// # Safety
    /// As [`Gpu::hal_device`]; and `with` must not use this [`Gpu`], which would wait for ever.
    pub unsafe fn with_hal_queue<A: hal::Api, R>(
        &self,
        with: impl FnOnce(&A::Queue) -> R,
    ) -> Option<R> {
        let queue = self.shared().queue();
        hal::DynResource::as_any(&**queue).downcast_ref().map(with)
    }

    /// Makes a texture of one that another library made on this device, and takes it over: hal's
    /// own rules say whether dropping the last handle destroys the object or calls back.
    ///
    /// `state` is the state that all of it is in now; `UNINITIALIZED` when its contents do not
    /// matter. From its first use here on it is in its [resting state](Texture::rest_state) between
    /// submissions. `desc.initial` is not used.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] when the back end is another (the texture is dropped as it is) or
    /// the device cannot do what `desc` says; [`crate::Error::DeviceLost`]. Also then the texture is
    /// destroyed or given back.
    ///
    /// # Safety
    /// - `texture` is of the device of [`Gpu::hal_device`], and made as `desc` says: size, levels,
    ///   samples and format the same, at least its uses, the twin format with `srgb_views`.
    /// - All of it is in `state`, and nothing that the GPU does with it elsewhere is unfinished or
    ///   unordered with the submissions here.
    /// - Who uses it between submissions waits for them first ([`Gpu::wait`]), or orders its own
    ///   after them on the queue, and brings it back to its resting state before the next one.
    pub unsafe fn import_texture<A: hal::Api>(
        &self,
        texture: A::Texture,
        desc: &TextureDesc<'_>,
        state: wgt::TextureUses,
    ) -> Result<Texture>
    where
        A::Texture: hal::DynTexture,
    {
        let shared = self.shared();
        // SAFETY: of the device nothing is destroyed but what is given here.
        let Some(device) = (unsafe { self.hal_device::<A>() }) else {
            return Err(invalid(format!(
                "a texture of another back end than {}",
                self.adapter_info().backend
            )));
        };
        if let Err(error) = shared.alive().and_then(|()| self.check_texture(desc)) {
            // SAFETY: the caller says that it is of this device, and gave it away; the GPU was not
            // given it here.
            unsafe { hal::Device::destroy_texture(device, texture) };
            return Err(error);
        }
        let twin = srgb_twin(desc.format).is_some();
        let texture = Texture(Arc::new(TextureInner {
            raw: RawTexture::new(shared, Box::new(texture)),
            kind: desc.kind,
            size: [desc.width, desc.height, desc.depth],
            mips: desc.mips,
            layers: if desc.kind == TextureKind::Cube { 6 } else { 1 },
            samples: desc.samples,
            format: desc.format,
            usage: desc.usage,
            srgb_views: desc.srgb_views && twin,
            initial: Initial::Undefined,
            origin: state,
            kept: AtomicU64::new(0),
            touched: AtomicU64::new(0),
        }));
        if state != texture.0.rest() {
            shared.newborn.lock().push(Arc::downgrade(&texture.0));
        }
        Ok(texture)
    }
}

impl Texture {
    /// The state that all of it is in between submissions: sampled where it can be, else an
    /// attachment, else the destination of copies. For a texture that was never used yet this holds
    /// from its first submission on.
    ///
    /// In Vulkan `RESOURCE` is `SHADER_READ_ONLY_OPTIMAL` (`DEPTH_STENCIL_READ_ONLY_OPTIMAL` for
    /// depth), `COLOR_TARGET` is `COLOR_ATTACHMENT_OPTIMAL` and `COPY_DST` is
    /// `TRANSFER_DST_OPTIMAL`.
    #[must_use]
    pub fn rest_state(&self) -> wgt::TextureUses {
        self.0.rest()
    }

    /// The object itself, when the back end is `A`.
    ///
    /// # Safety
    /// It must not be destroyed, nor used after the last handle has gone or while a submission here
    /// that uses it is unfinished, and it must be in its [resting state](Texture::rest_state) when
    /// the next one is made.
    #[must_use]
    pub unsafe fn hal_texture<A: hal::Api>(&self) -> Option<&A::Texture> {
        hal::DynResource::as_any(self.0.raw.get()).downcast_ref()
    }
}
