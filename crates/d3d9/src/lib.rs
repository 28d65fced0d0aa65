//! A Direct3D 9 device as safe Rust, drawing through `ninefold-renderer`.
//!
//! Start at [`Direct3D9::new`], make a [`Device`], and call D3D9's methods under
//! their own names in snake case; states, flags and formats are D3D9's own
//! numbers from [`consts`].
//!
//! ```no_run
//! use ninefold_d3d9::consts::*;
//! use ninefold_d3d9::{DeviceSettings, Direct3D9, PresentParameters};
//!
//! let direct3d = Direct3D9::new(DeviceSettings::default())?;
//! let mut device = direct3d.create_device(&PresentParameters::windowed(640, 480))?;
//! device.clear(&[], D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF20_4060, 1.0, 0)?;
//! device.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE)?;
//! let mut triangle = Vec::new();
//! for (x, y, color) in [(320.0f32, 100.0f32, 0xFFFF_0000u32), (480.0, 380.0, 0xFF00_FF00), (160.0, 380.0, 0xFF00_00FF)] {
//!     for value in [x, y, 0.5, 1.0] {
//!         triangle.extend_from_slice(&value.to_le_bytes());
//!     }
//!     triangle.extend_from_slice(&color.to_le_bytes());
//! }
//! device.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &triangle, 20)?;
//! device.present()?;
//! let picture = device.front_buffer()?;
//! assert_eq!(picture.bgra.len(), 640 * 480 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bearing;
mod buffer;
mod checks;
mod clear;
mod clip_status;
mod compare;
pub mod consts;
mod convert;
mod declaration;
mod defaults;
mod device;
mod direct3d;
mod dirty;
mod draw;
mod draw_record;
mod draw_streams;
mod driver_codes;
mod fault;
mod fill;
mod format;
mod front;
mod fvf;
mod handle;
mod hresult;
mod indices;
mod lifetime;
mod lock;
mod multisample;
mod palette;
mod panorama;
mod picture;
mod present;
mod process_vertices;
mod processing;
mod query;
mod radial_fog;
mod registers;
mod residency;
#[cfg(test)]
mod residency_tests;
mod resolve;
mod resolve_shading;
mod resolve_state;
mod resource;
mod scratch;
mod shader;
mod shader_pack;
mod state;
mod stateblock;
mod stateblock_mask;
mod stream;
mod stretch;
mod surface;
mod target;
mod texels;
mod texture;
pub mod trace;
mod traffic;
mod transfer;
mod transform;
mod types;
mod user_memory;
mod validate;
mod window;
mod wrap;

pub use bearing::Bearing;
pub use checks::Support;
pub use clip_status::ClipStatus;
pub use device::Device;
pub use direct3d::{AdapterIdentifier, Caps, DeviceSettings, Direct3D9, Error};
pub use fvf::elements as elements_of_fvf;
pub use handle::{
    BaseTexture, CubeTextureHandle, IndexBufferHandle, ObjectHandle, PixelShaderHandle,
    QueryHandle, RawHandle, StateBlockHandle, SurfaceHandle, SwapChainHandle, TextureHandle,
    VertexBufferHandle, VertexDeclarationHandle, VertexShaderHandle, VolumeHandle,
    VolumeTextureHandle,
};
pub use hresult::{HResult, Result};
/// Pixel shaders and what takes their place.
pub use ninefold_bytecode::ShaderPack;
/// Skinning shaders that `ProcessVertices` knows.
pub use ninefold_exec::skin;
/// What a window of the program's is to [`Device::open_window`].
pub use ninefold_renderer::gpu::{Window, raw_window_handle};
/// How the renderer of a device behaves, and what its pipelines cost.
pub use ninefold_renderer::{
    Manifest, ManifestError, PipelineStats, RadialFogMode, RadialFogSwitch, RecipeSummary,
    Settings as RendererSettings, Stats as RendererStats,
};
/// What front doors share: files by name, and what switches something on.
pub use ninefold_renderer::{files, is_on};
pub use palette::PaletteEntries;
pub use panorama::{Panorama, PanoramaDesc, PanoramaView};
pub use process_vertices::VertexSettings;
pub use registers::ConstantCounts;
pub use shader_pack::load_shader_pack;
pub use traffic::Traffic;
pub use types::{
    Box3, BufferDesc, ColorValue, DisplayMode, IDENTITY, LevelTarget, Light, LockedBox,
    LockedBuffer, LockedRect, Material, Matrix, Picture, Point, PresentParameters, QueryData, Rect,
    StreamSource, SurfaceDesc, VertexElement, Viewport, VolumeDesc,
};
pub use user_memory::UserMemory;
pub use window::DeviceWindow;
