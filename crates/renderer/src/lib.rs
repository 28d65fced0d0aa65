//! The ninefold renderer: what stands between Direct3D 9 state and a GPU.
//!
//! It knows no Direct3D object and no driver type. A caller makes [`Image`]s, interns state given
//! in Direct3D's own numbers to small ids, and hands each draw over as one [`Draw`] of plain data.
//! The renderer finds or builds the pipeline, packs the constants that the shaders use into an
//! arena, and records into the one open pass of the one shared command buffer, so that everything
//! happens on the GPU in the order of the calls.
//!
//! Single-threaded by contract: every call takes `&mut Renderer`.
//!
//! Direct3D's conventions hold here so that callers need not know the GPU's:
//! - pixel centres are at integer coordinates (the half-pixel rule is in the viewport);
//! - an unbound texture, or one of another kind than the shader declares, reads as opaque black;
//! - a vertex element that the layout lacks reads (0, 0, 0, 1), colours read white;
//! - depth bias is in units of the depth range, whatever the depth format is;
//! - targets without alpha keep alpha 1.
#![forbid(unsafe_code)]

mod bindings;
mod centres;
mod clear;
mod commit;
mod compiler;
mod constants;
mod context;
mod depth_copy;
mod draw;
mod draw_call;
mod error;
mod feedback;
pub mod files;
mod formats;
mod functions;
mod fxaa;
mod geometry;
mod image;
mod images;
mod intern;
mod keys;
mod large;
mod link;
mod lru;
pub mod mips;
mod pack;
mod pipeline;
mod query;
mod radial_fog;
mod recorder;
mod renderer;
mod report;
mod resident;
mod sampling;
mod settings;
mod slabs;
mod spec_checks;
mod spec_draws;
mod spec_state;
mod stretch;
mod targets;
mod texture_cache;
mod utility;
mod vertex;
mod vertex_input;
mod window;

/// The layer beneath, for opening the [`Gpu`](gpu::Gpu) that a renderer is made on.
pub use ninefold_gpu as gpu;

pub use compiler::{Manifest, ManifestError, PipelineStats, RecipeSummary};
pub use context::{Context, color_floats};
pub use draw::{
    Constants, Copied, Draw, Extras, IndexData, Primitive, STAGES, StreamData, TextureBinding,
    Viewport, WideConstants,
};
pub use error::{Error, ErrorKind, Result};
pub use image::{Box3, Image, ImageDesc, ImageFormat, ImageKind, ImageUsage, Rect};
pub use keys::{
    BlendId, BlendKey, BlendMode, DepthStencilId, DepthStencilKey, FixedFragmentId, FixedVertexId,
    LayoutId, OptionsId, PixelFunction, RasterId, RasterKey, SamplerId, SamplerKey, ShaderId,
    StencilFace, Texels, VertexElement, VertexFunction,
};
/// Which fog [`Renderer::radial_shader`] measures from the eye.
pub use ninefold_bytecode::radial_fog::Mode as RadialFogMode;
pub use query::Query;
pub use radial_fog::RadialFogSwitch;
pub use renderer::Renderer;
pub use resident::GeometryBuffer;
pub use settings::{Caps, Settings, Stats, Traffic, is_on};
pub use spec_state::{
    Cascade, CommonState, FixedState, FixedVertex, ProgramState, ResidentCopy, RhwState, RhwVertex,
    SecondaryStream,
};
pub use targets::{Attachment, Targets};
pub use texture_cache::CachedTexture;
pub use window::{Show, WindowSurface};
