//! Addresses of objects in a capture.

use super::super::write::Function;
use super::method;
use crate::handle::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, PixelShaderHandle, QueryHandle, RawHandle,
    StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle, VertexBufferHandle,
    VertexDeclarationHandle, VertexShaderHandle, VolumeHandle, VolumeTextureHandle,
};

/// An object that a capture names by address. Like real addresses they are
/// unique among what is alive, and are used again.
pub(crate) trait Traced: Copy {
    /// The address.
    fn address(self) -> u64;

    /// `AddRef` or `Release` of its interface.
    fn reference(self, add: bool) -> &'static Function;
}

/// Kind, slot and part of an object as an address.
fn address(kind: u64, raw: RawHandle, part: u32) -> u64 {
    let slot = raw.to_bits() & 0xffff_ffff;
    (0x7f10 + kind) << 40 | slot << 12 | u64::from(part & 0xff) << 4
}

macro_rules! traced {
    ($($handle:ident $kind:literal $interface:literal;)*) => {$(
        impl Traced for $handle {
            fn address(self) -> u64 {
                address($kind, self.0, 0)
            }

            fn reference(self, add: bool) -> &'static Function {
                if add {
                    method!(concat!($interface, "::AddRef"))
                } else {
                    method!(concat!($interface, "::Release"))
                }
            }
        }
    )*};
}

traced! {
    TextureHandle 0 "IDirect3DTexture9";
    CubeTextureHandle 1 "IDirect3DCubeTexture9";
    VolumeTextureHandle 2 "IDirect3DVolumeTexture9";
    VertexBufferHandle 5 "IDirect3DVertexBuffer9";
    IndexBufferHandle 6 "IDirect3DIndexBuffer9";
    VertexShaderHandle 7 "IDirect3DVertexShader9";
    PixelShaderHandle 8 "IDirect3DPixelShader9";
    VertexDeclarationHandle 9 "IDirect3DVertexDeclaration9";
    QueryHandle 10 "IDirect3DQuery9";
    StateBlockHandle 11 "IDirect3DStateBlock9";
    SwapChainHandle 12 "IDirect3DSwapChain9";
}

impl Traced for SurfaceHandle {
    fn address(self) -> u64 {
        address(3, self.resource, self.sub)
    }

    fn reference(self, add: bool) -> &'static Function {
        if add {
            method!("IDirect3DSurface9::AddRef")
        } else {
            method!("IDirect3DSurface9::Release")
        }
    }
}

impl Traced for VolumeHandle {
    fn address(self) -> u64 {
        address(4, self.resource, self.sub)
    }

    fn reference(self, add: bool) -> &'static Function {
        if add {
            method!("IDirect3DVolume9::AddRef")
        } else {
            method!("IDirect3DVolume9::Release")
        }
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

    fn reference(self, add: bool) -> &'static Function {
        match self {
            BaseTexture::Texture(h) => h.reference(add),
            BaseTexture::Cube(h) => h.reference(add),
            BaseTexture::Volume(h) => h.reference(add),
        }
    }
}

/// The address of what may be nothing.
pub(super) fn or_null(object: Option<impl Traced>) -> u64 {
    object.map_or(0, Traced::address)
}
