//! The objects of the traced program: recorded addresses to ours.

use std::collections::HashMap;

use ninefold_d3d9::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, ObjectHandle, PixelShaderHandle,
    QueryHandle, StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexShaderHandle, VolumeHandle,
    VolumeTextureHandle,
};

use super::error::CallError;

/// Which of the capture's devices an object belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DeviceId(pub(super) u32);

/// One object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    Texture(TextureHandle),
    CubeTexture(CubeTextureHandle),
    VolumeTexture(VolumeTextureHandle),
    Surface(SurfaceHandle),
    Volume(VolumeHandle),
    VertexBuffer(VertexBufferHandle),
    IndexBuffer(IndexBufferHandle),
    VertexShader(VertexShaderHandle),
    PixelShader(PixelShaderHandle),
    VertexDeclaration(VertexDeclarationHandle),
    Query(QueryHandle),
    StateBlock(StateBlockHandle),
    SwapChain(SwapChainHandle),
}

impl Object {
    pub(super) fn handle(self) -> ObjectHandle {
        match self {
            Object::Texture(h) => h.into(),
            Object::CubeTexture(h) => h.into(),
            Object::VolumeTexture(h) => h.into(),
            Object::Surface(h) => h.into(),
            Object::Volume(h) => h.into(),
            Object::VertexBuffer(h) => h.into(),
            Object::IndexBuffer(h) => h.into(),
            Object::VertexShader(h) => h.into(),
            Object::PixelShader(h) => h.into(),
            Object::VertexDeclaration(h) => h.into(),
            Object::Query(h) => h.into(),
            Object::StateBlock(h) => h.into(),
            Object::SwapChain(h) => h.into(),
        }
    }

    pub(super) fn base_texture(self) -> Option<BaseTexture> {
        match self {
            Object::Texture(h) => Some(h.into()),
            Object::CubeTexture(h) => Some(h.into()),
            Object::VolumeTexture(h) => Some(h.into()),
            _ => None,
        }
    }
}

impl From<BaseTexture> for Object {
    fn from(texture: BaseTexture) -> Self {
        match texture {
            BaseTexture::Texture(h) => Object::Texture(h),
            BaseTexture::Cube(h) => Object::CubeTexture(h),
            BaseTexture::Volume(h) => Object::VolumeTexture(h),
        }
    }
}

/// What a recorded address names now. Addresses are reused when their object is
/// released, so the latest creation counts.
#[derive(Debug, Default)]
pub(super) struct Objects {
    devices: HashMap<u64, DeviceId>,
    objects: HashMap<u64, (DeviceId, Object)>,
}

impl Objects {
    pub(super) fn add_device(&mut self, address: u64, id: DeviceId) {
        self.devices.insert(address, id);
    }

    /// Notes what `address` names; null names nothing.
    pub(super) fn add(&mut self, address: u64, device: DeviceId, object: Object) {
        if address != 0 {
            self.objects.insert(address, (device, object));
        }
    }

    pub(super) fn device(&self, address: u64) -> Result<DeviceId, CallError> {
        self.devices
            .get(&address)
            .copied()
            .ok_or(CallError::Object {
                name: "this",
                address,
                needed: "device",
            })
    }

    /// The object at an address that must not be null.
    pub(super) fn object(
        &self,
        address: u64,
        name: &'static str,
    ) -> Result<(DeviceId, Object), CallError> {
        self.objects
            .get(&address)
            .copied()
            .ok_or(CallError::Object {
                name,
                address,
                needed: "object",
            })
    }

    /// The object of `device` at an address, of the kind that `pick` takes; null is `None`.
    pub(super) fn find<T>(
        &self,
        device: DeviceId,
        address: u64,
        name: &'static str,
        needed: &'static str,
        pick: impl FnOnce(Object) -> Option<T>,
    ) -> Result<Option<T>, CallError> {
        if address == 0 {
            return Ok(None);
        }
        let found = match self.objects.get(&address) {
            Some((owner, object)) if *owner == device => pick(*object),
            _ => None,
        };
        found.map(Some).ok_or(CallError::Object {
            name,
            address,
            needed,
        })
    }

    pub(super) fn remove(&mut self, address: u64) {
        self.objects.remove(&address);
    }

    /// Forgets a device and all that belongs to it.
    pub(super) fn remove_device(&mut self, device: DeviceId) {
        self.devices.retain(|_, id| *id != device);
        self.objects.retain(|_, (owner, _)| *owner != device);
    }
}
