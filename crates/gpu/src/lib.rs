//! A small safe layer over wgpu-hal: device, fenced queue, retained resources, arenas, one open pass.
//!
//! wgpu-hal checks nothing and keeps nothing alive, which makes it several times
//! as fast to record with as wgpu, and undefined to misuse. This crate gives that
//! speed to safe code: it checks what a driver would leave undefined, with a few
//! compares a draw, and owns the life of every object. It knows nothing of
//! Direct3D but serves what Direct3D 9 needs.
//!
//! - [`Gpu`] finds an adapter, opens it, and creates everything else.
//! - [`Buffer`], [`Texture`], [`BindGroup`], [`RenderPipeline`] and the like are
//!   handles: cheap to clone, dropped at will. The object behind one is destroyed
//!   when the last handle is gone *and* the GPU is done with it.
//! - [`Commands`] records: one at a time, with one open pass. [`Commands::submit`]
//!   gives a [`FenceValue`] to wait for. There are no barriers to record.
//! - [`Arena`] hands out mapped memory for vertices, indices and constants that
//!   live for one submission.
//! - [`Surface`] shows pictures in a [`Window`] of the program's.
//! - [`Readback`] brings pixels and query counts back.
//!
//! With the feature `interop` other libraries may draw on the same device and lend textures
//! (`Gpu::hal_device`, `Gpu::import_texture`).
//!
//! Nothing here panics on a wrong call or a lost device; calls return [`Error`].
//!
//! ```no_run
//! use ninefold_gpu::{ColorAttachment, Gpu, GpuOptions, Load, PassDesc, TextureDesc, types};
//!
//! # fn main() -> ninefold_gpu::Result<()> {
//! let gpu = Gpu::new(&GpuOptions::default())?;
//! let usage = types::TextureUsages::RENDER_ATTACHMENT | types::TextureUsages::COPY_SRC;
//! let desc = TextureDesc::d2(640, 480, types::TextureFormat::Bgra8Unorm, usage);
//! let target = gpu.create_texture(&desc)?;
//! let view = target.target_view(0, 0)?;
//! let mut commands = gpu.begin()?;
//! let load = Load::Clear([0.0, 0.5, 1.0, 1.0]);
//! let color = ColorAttachment { view: &view, load, store: true, resolve: None };
//! commands.begin_pass(&PassDesc { colors: &[Some(color)], ..PassDesc::default() })?;
//! commands.submit()?;
//! let bgra = gpu.read_texture(&target, 0, 0)?;
//! assert_eq!(bgra.len(), 640 * 480 * 4);
//! # Ok(())
//! # }
//! ```

mod adapter;
mod arena;
mod bind;
mod buffer;
mod commands;
mod desc;
mod device;
mod error;
#[cfg(feature = "interop")]
mod interop;
mod link;
mod msl;
mod pipeline;
mod query;
mod raw;
mod readback;
mod sampler;
mod shader;
mod shared;
mod surface;
mod texture;

pub use adapter::{AdapterInfo, AdapterKind, Caps, FormatCaps, GpuOptions};
pub use arena::{Allocation, Arena, ArenaDesc, Piece, Spot};
pub use bind::{BindGroup, BindGroupLayout, PipelineLayout};
pub use buffer::Buffer;
pub use commands::Commands;
pub use desc::{
    BindEntry, BindResource, BufferDesc, ColorAttachment, DepthAttachment, Initial, Load, PassDesc,
    PipelineLayoutDesc, Region, RenderPipelineDesc, Rows, SamplerDesc, Stage, TextureDesc,
    TextureKind, VertexBufferLayout, ViewDesc,
};
pub use device::{FenceValue, Gpu, LiveObjects};
pub use error::{Error, Result};
pub use msl::{Msl, msl_slots};
pub use pipeline::{PipelineCache, RenderPipeline};
pub use query::QuerySet;
/// What a [`Window`] is made of.
pub use raw_window_handle;
pub use readback::Readback;
pub use sampler::Sampler;
pub use shader::ShaderModule;
pub use surface::{Frame, Surface, SurfaceDesc, Window};
pub use texture::{Texture, TextureView};
/// The layer beneath, of the version that this crate uses.
#[cfg(feature = "interop")]
pub use wgpu_hal as hal;
/// The WebGPU vocabulary (formats, blend factors, compare functions, ...) that
/// this crate's descriptions are written in.
pub use wgpu_types as types;
