//! A small safe layer over wgpu-hal: device, fenced queue, retained resources, arenas, one open pass.
//!
//! See [`Gpu`] for the start, [`Commands`] for recording.

mod adapter;
mod arena;
mod bind;
mod buffer;
mod commands;
mod desc;
mod device;
mod error;
mod link;
mod pipeline;
mod query;
mod raw;
mod readback;
mod sampler;
mod shader;
mod shared;
mod texture;

pub use adapter::{AdapterInfo, AdapterKind, Caps, FormatCaps, GpuOptions};
pub use arena::{Allocation, Arena, ArenaDesc};
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
pub use pipeline::{PipelineCache, RenderPipeline};
pub use query::QuerySet;
pub use readback::Readback;
pub use sampler::Sampler;
pub use shader::ShaderModule;
pub use texture::{Texture, TextureView};
/// The WebGPU vocabulary (formats, blend factors, compare functions, ...) that
/// this crate's descriptions are written in.
pub use wgpu_types as types;
