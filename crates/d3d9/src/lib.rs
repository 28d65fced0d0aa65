//! A Direct3D 9 device as safe Rust, drawing through `ninefold-renderer`.
//!
//! Start at [`Direct3D9::new`], make a [`Device`], and call D3D9's methods under
//! their own names in snake case; states, flags and formats are D3D9's own
//! numbers from [`consts`].
#![forbid(unsafe_code)]

mod buffer;
mod clear;
pub mod consts;
mod convert;
mod declaration;
mod defaults;
mod device;
mod direct3d;
mod draw;
mod fans;
mod fault;
mod format;
mod fvf;
mod handle;
mod hresult;
mod lifetime;
mod lock;
mod present;
mod query;
mod resolve;
mod resolve_shading;
mod resolve_state;
mod resource;
mod shader;
mod state;
mod stateblock;
mod stream;
mod surface;
mod target;
mod texture;
pub mod trace;
mod transfer;
mod transform;
mod types;
mod up;

pub use device::Device;
pub use direct3d::{AdapterIdentifier, Caps, DeviceSettings, Direct3D9, Error};
pub use handle::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, ObjectHandle, PixelShaderHandle,
    QueryHandle, RawHandle, StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexShaderHandle, VolumeHandle,
    VolumeTextureHandle,
};
pub use hresult::{HResult, Result};
pub use types::{
    Box3, BufferDesc, ColorValue, DisplayMode, IDENTITY, LevelTarget, Light, LockedBox,
    LockedBuffer, LockedRect, Material, Matrix, Picture, Point, PresentParameters, QueryData, Rect,
    StreamSource, SurfaceDesc, VertexElement, Viewport, VolumeDesc,
};
