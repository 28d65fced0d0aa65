//! Addresses of objects in a capture.

use super::method;
use crate::handle::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, ObjectHandle, PixelShaderHandle,
    QueryHandle, RawHandle, StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexShaderHandle, VolumeHandle,
    VolumeTextureHandle,
};
use crate::trace::Function;

/// The interface of a recorded object. The number is part of its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interface {
    Texture = 0,
    CubeTexture,
    VolumeTexture,
    Surface,
    Volume,
    VertexBuffer,
    IndexBuffer,
    VertexShader,
    PixelShader,
    VertexDeclaration,
    Query,
    StateBlock,
    SwapChain,
}

macro_rules! references {
    ($($interface:ident;)*) => {
        impl Interface {
            pub(super) fn add_ref(self) -> &'static Function {
                match self {
                    $(Interface::$interface => {
                        method!(concat!("IDirect3D", stringify!($interface), "9::AddRef"))
                    })*
                }
            }

            pub(super) fn release(self) -> &'static Function {
                match self {
                    $(Interface::$interface => {
                        method!(concat!("IDirect3D", stringify!($interface), "9::Release"))
                    })*
                }
            }
        }
    };
}

references! {
    Texture;
    CubeTexture;
    VolumeTexture;
    Surface;
    Volume;
    VertexBuffer;
    IndexBuffer;
    VertexShader;
    PixelShader;
    VertexDeclaration;
    Query;
    StateBlock;
    SwapChain;
}

/// Interface, slot and part of an object as an address. Like real addresses
/// they are unique among what is alive, and are used again.
fn address(interface: Interface, raw: RawHandle, part: u32) -> u64 {
    let slot = raw.to_bits() & 0xffff_ffff;
    (0x7f10 + interface as u64) << 40 | slot << 12 | u64::from(part & 0xff) << 4
}

/// An object whose references are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(super) address: u64,
    pub(super) interface: Interface,
}

impl Named {
    /// An object by its handle; `resource` says what a resource is.
    pub(super) fn new(object: ObjectHandle, resource: Interface) -> Self {
        let (interface, raw) = match object {
            ObjectHandle::Resource(raw) => (resource, raw),
            ObjectHandle::VertexBuffer(raw) => (Interface::VertexBuffer, raw),
            ObjectHandle::IndexBuffer(raw) => (Interface::IndexBuffer, raw),
            ObjectHandle::VertexShader(raw) => (Interface::VertexShader, raw),
            ObjectHandle::PixelShader(raw) => (Interface::PixelShader, raw),
            ObjectHandle::VertexDeclaration(raw) => (Interface::VertexDeclaration, raw),
            ObjectHandle::Query(raw) => (Interface::Query, raw),
            ObjectHandle::StateBlock(raw) => (Interface::StateBlock, raw),
            ObjectHandle::SwapChain(raw) => (Interface::SwapChain, raw),
        };
        Named {
            address: address(interface, raw, 0),
            interface,
        }
    }
}

/// An object that a capture names by address.
pub(crate) trait Traced: Copy {
    /// The address.
    fn address(self) -> u64;
}

macro_rules! traced {
    ($($handle:ident $interface:ident;)*) => {$(
        impl Traced for $handle {
            fn address(self) -> u64 {
                address(Interface::$interface, self.0, 0)
            }
        }
    )*};
}

traced! {
    TextureHandle Texture;
    CubeTextureHandle CubeTexture;
    VolumeTextureHandle VolumeTexture;
    VertexBufferHandle VertexBuffer;
    IndexBufferHandle IndexBuffer;
    VertexShaderHandle VertexShader;
    PixelShaderHandle PixelShader;
    VertexDeclarationHandle VertexDeclaration;
    QueryHandle Query;
    StateBlockHandle StateBlock;
    SwapChainHandle SwapChain;
}

impl Traced for SurfaceHandle {
    fn address(self) -> u64 {
        address(Interface::Surface, self.resource, self.sub)
    }
}

impl Traced for VolumeHandle {
    fn address(self) -> u64 {
        address(Interface::Volume, self.resource, self.sub)
    }
}

impl Traced for BaseTexture {
    fn address(self) -> u64 {
        match self {
            BaseTexture::Texture(h) => h.address(),
            BaseTexture::Cube(h) => h.address(),
            BaseTexture::Volume(h) => h.address(),
        }
    }
}

/// The address of what may be nothing.
pub(super) fn or_null(object: Option<impl Traced>) -> u64 {
    object.map_or(0, Traced::address)
}
