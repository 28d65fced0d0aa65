//! Handles, structs and numbers of the C API.

use core::ffi::{c_char, c_void};

use crate::pointer::Sized32;

/// A renderer: a GPU, everything made on it and the caches. An id of 0 is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct nf_renderer {
    /// The handle's number.
    pub id: u64,
}

/// A context: a BGRA8 colour target and a depth-stencil target (32-bit float depth, 8-bit stencil)
/// with a viewport. An id of 0 is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct nf_context {
    /// The handle's number.
    pub id: u64,
}

/// A texture: one that the program made, one of the content-keyed cache, or the colour target of a
/// context. An id of 0 is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct nf_texture {
    /// The handle's number.
    pub id: u64,
}

/// A resident buffer of vertices. An id of 0 is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct nf_buffer {
    /// The handle's number.
    pub id: u64,
}

/// A registered shader. An id of 0 is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct nf_shader {
    /// The handle's number.
    pub id: u64,
}

/// Points (D3DPT_POINTLIST).
pub const NF_PRIMITIVE_POINT_LIST: u32 = 1;
/// Lines (D3DPT_LINELIST).
pub const NF_PRIMITIVE_LINE_LIST: u32 = 2;
/// A chain of lines (D3DPT_LINESTRIP).
pub const NF_PRIMITIVE_LINE_STRIP: u32 = 3;
/// Triangles (D3DPT_TRIANGLELIST).
pub const NF_PRIMITIVE_TRIANGLE_LIST: u32 = 4;
/// A strip of triangles (D3DPT_TRIANGLESTRIP).
pub const NF_PRIMITIVE_TRIANGLE_STRIP: u32 = 5;

/// Blending off.
pub const NF_BLEND_NONE: u32 = 0;
/// Source alpha, one minus source alpha; on an overlay the alpha's source factor is one.
pub const NF_BLEND_SRC_ALPHA: u32 = 1;
/// One, one.
pub const NF_BLEND_ADD: u32 = 2;
/// Destination colour, zero.
pub const NF_BLEND_MODULATE: u32 = 3;
/// Destination colour, source colour.
pub const NF_BLEND_MODULATE2: u32 = 4;
/// Source alpha, zero.
pub const NF_BLEND_SRC_ALPHA_ZERO: u32 = 5;
/// Source alpha, one.
pub const NF_BLEND_SRC_ALPHA_ADD: u32 = 6;
/// One, one minus source alpha.
pub const NF_BLEND_PREMULTIPLIED: u32 = 7;
/// Destination alpha, one.
pub const NF_BLEND_DEST_ALPHA_ADD: u32 = 8;
/// The factors and the operation of nf_draw_state.
pub const NF_BLEND_CUSTOM: u32 = 9;
/// How many blend modes there are.
pub const NF_BLEND_COUNT: u32 = 10;

/// A vertex shader.
pub const NF_STAGE_VERTEX: u32 = 0;
/// A pixel shader.
pub const NF_STAGE_PIXEL: u32 = 1;

/// A two-dimensional texture.
pub const NF_TEXTURE_2D: u32 = 0;
/// Six faces in the order +X, -X, +Y, -Y, +Z, -Z.
pub const NF_TEXTURE_CUBE: u32 = 1;
/// A volume texture.
pub const NF_TEXTURE_VOLUME: u32 = 2;

/// Bytes B, G, R, A (D3DFMT_A8R8G8B8).
pub const NF_FORMAT_BGRA8: u32 = 1;
/// Bytes R, G, B, A (D3DFMT_A8B8G8R8).
pub const NF_FORMAT_RGBA8: u32 = 2;
/// Two signed 8-bit channels (D3DFMT_V8U8).
pub const NF_FORMAT_RG8_SNORM: u32 = 3;
/// Four signed 8-bit channels (D3DFMT_Q8W8V8U8).
pub const NF_FORMAT_RGBA8_SNORM: u32 = 4;
/// D3DFMT_R16F.
pub const NF_FORMAT_R16F: u32 = 5;
/// D3DFMT_G16R16F.
pub const NF_FORMAT_RG16F: u32 = 6;
/// D3DFMT_A16B16G16R16F.
pub const NF_FORMAT_RGBA16F: u32 = 7;
/// D3DFMT_R32F.
pub const NF_FORMAT_R32F: u32 = 8;
/// D3DFMT_G32R32F.
pub const NF_FORMAT_RG32F: u32 = 9;
/// D3DFMT_A32B32G32R32F.
pub const NF_FORMAT_RGBA32F: u32 = 10;
/// D3DFMT_DXT1, where the adapter has it.
pub const NF_FORMAT_BC1: u32 = 11;
/// D3DFMT_DXT2, D3DFMT_DXT3, where the adapter has it.
pub const NF_FORMAT_BC2: u32 = 12;
/// D3DFMT_DXT4, D3DFMT_DXT5, where the adapter has it.
pub const NF_FORMAT_BC3: u32 = 13;

/// How a renderer behaves. nf_settings_init fills it; -1 in a signed field, 0 in an unsigned one and
/// NULL mean "as NINEFOLD_* says in the environment, otherwise the default". What is set here wins
/// over the environment.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_settings {
    /// sizeof(nf_settings).
    pub struct_size: u32,
    /// 0: the environment is not read. Default 1.
    pub environment: u32,
    /// Part of the name of the GPU to use (NINEFOLD_ADAPTER); "" is none in particular. Default: the
    /// first real GPU, a software one when there is none.
    pub adapter: *const c_char,
    /// Name of the program, which its pipelines are kept under. Default: that of its file.
    pub program: *const c_char,
    /// Folder where pipelines of one run are noted for the next (NINEFOLD_PIPELINE_CACHE_DIR); ""
    /// keeps nothing. Default: one in the user's cache folder, unless the GPU is software.
    pub pipeline_cache_dir: *const c_char,
    /// 1: the graphics API's validation layers (NINEFOLD_VALIDATION). Default 0.
    pub validation: i32,
    /// 1: clears become the load operation of the pass that follows, draws set only the state that
    /// differs, resident buffers are used (NINEFOLD_DRAW_FASTPATH). Default 1; the pixels are the
    /// same without.
    pub fast_paths: i32,
    /// 0: samplers are as the program says. 1: on adapters that are not software, those with a mip
    /// filter and a minification filter other than point become 8x anisotropic with linear mips.
    /// Default 1, but for NINEFOLD_NO_ANISO.
    pub quality_aniso: i32,
    /// 1: a fixed-function stage without its texture reads white instead of failing the draw
    /// (NINEFOLD_TEX_FALLBACK). Default 0.
    pub texture_fallback: i32,
    /// Threads that translate shaders and build pipelines ahead of draws, 0 to 6
    /// (NINEFOLD_PIPELINE_WORKERS). Default 3.
    pub pipeline_workers: i32,
    /// 0: only pipelines of earlier runs are built ahead (NINEFOLD_SHADER_PREWARM). Default 1.
    pub shader_prewarm: i32,
    /// 1: the driver's own cache is kept in the folder, too (NINEFOLD_PIPELINE_ARCHIVE). Default 0.
    pub pipeline_archive: i32,
    /// Milliseconds without a new pipeline before that is written
    /// (NINEFOLD_PIPELINE_ARCHIVE_SAVE_MS). Default 15,000.
    pub pipeline_archive_save_ms: i32,
    /// 1: draws may ask for radial fog, whose shaders are prepared ahead (NINEFOLD_RADIAL_FOG, exactly
    /// 1). Default 0. It holds for the process: the first renderer decides.
    pub radial_fog: i32,
    /// Entries of the content-keyed texture cache. Default, and at most, 1,024.
    pub texture_cache_entries: u32,
    /// Pipelines with a vertex shader that may exist. Default, and at most, 4,096.
    pub program_pipelines: u32,
    /// Pipelines of fixed-function and pretransformed vertices that may exist. Default, and at most,
    /// 2,048.
    pub fixed_pipelines: u32,
    /// Bytes of the content-keyed texture cache, mip chains included. Default 512 MiB.
    pub texture_cache_bytes: u64,
}

/// A vertex of nf_draw_rhw, 28 bytes; pixel centres are at integer coordinates.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_vertex_rhw {
    /// Left to right in pixels.
    pub x: f32,
    /// Top to bottom in pixels.
    pub y: f32,
    /// Depth, 0 to 1.
    pub z: f32,
    /// 1 / w.
    pub rhw: f32,
    /// Diffuse colour 0xAARRGGBB.
    pub color: u32,
    /// Texture coordinates.
    pub u: f32,
    /// Texture coordinates.
    pub v: f32,
}

/// A vertex of nf_draw_fixed_rhw and nf_draw_program_rhw, 112 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_vertex_fixed_rhw {
    /// Left to right in pixels.
    pub x: f32,
    /// Top to bottom in pixels.
    pub y: f32,
    /// Depth, 0 to 1.
    pub z: f32,
    /// 1 / w.
    pub rhw: f32,
    /// Diffuse red, green, blue, alpha.
    pub color: [f32; 4],
    /// Specular red, green, blue; its alpha is the fog factor, 1 without fog and 0 all fog.
    pub specular: [f32; 4],
    /// Eight sets of texture coordinates.
    pub uv: [[f32; 2]; 8],
}

/// A vertex of nf_draw_fixed_clip, 112 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_vertex_fixed_clip {
    /// Homogeneous position in clip space: -w to w from left to right.
    pub x: f32,
    /// -w to w from bottom to top.
    pub y: f32,
    /// 0 to w from near to far.
    pub z: f32,
    /// w.
    pub w: f32,
    /// Diffuse red, green, blue, alpha.
    pub color: [f32; 4],
    /// Specular red, green, blue; its alpha is the fog factor, 1 without fog and 0 all fog.
    pub specular: [f32; 4],
    /// Eight sets of texture coordinates.
    pub uv: [[f32; 2]; 8],
}

/// One element of a vertex declaration, laid out as D3DVERTEXELEMENT9.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_vertex_element {
    /// Stream, 0 to 15; 0xFF in the element that ends the declaration.
    pub stream: u16,
    /// Byte in the vertex.
    pub offset: u16,
    /// D3DDECLTYPE, 0 to 16; 17 in the element that ends the declaration.
    pub r#type: u8,
    /// D3DDECLMETHOD: 0 (DEFAULT).
    pub method: u8,
    /// D3DDECLUSAGE, 0 to 13.
    pub usage: u8,
    /// Usage index.
    pub usage_index: u8,
}

/// How textures are read: the D3DSAMP_* states in Direct3D's numbers. All zeros is Direct3D's
/// default: wrap, point filters, no mips. This struct will not grow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_sampler {
    /// D3DTEXTUREADDRESS of u, 1 to 5; 0 is wrap.
    pub address_u: u32,
    /// The same of v.
    pub address_v: u32,
    /// The same of w.
    pub address_w: u32,
    /// D3DTEXTUREFILTERTYPE: 1 point, 2 linear, 3 anisotropic; 0 is point.
    pub min_filter: u32,
    /// The same for magnification.
    pub mag_filter: u32,
    /// 0 no mips, 1 the nearest, 2 between two.
    pub mip_filter: u32,
    /// D3DSAMP_MAXANISOTROPY, taken into 1 to 16; counts with an anisotropic filter.
    pub max_anisotropy: u32,
    /// D3DSAMP_MAXMIPLEVEL: the most detailed level allowed, 0 to 15.
    pub max_mip_level: u32,
    /// D3DSAMP_BORDERCOLOR, 0xAARRGGBB.
    pub border_color: u32,
    /// D3DSAMP_MIPMAPLODBIAS in levels; finite.
    pub lod_bias: f32,
}

/// One face of the stencil test.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_stencil_face {
    /// D3DSTENCILOP, 1 to 8, when the test fails.
    pub fail: u32,
    /// D3DSTENCILOP when the depth test fails.
    pub depth_fail: u32,
    /// D3DSTENCILOP when both pass.
    pub pass: u32,
    /// D3DCMPFUNC, 1 to 8.
    pub func: u32,
}

/// State of every draw, in Direct3D's numbers. nf_draw_state_init fills it with: no blending, all
/// channels written, no culling, no depth test or write, no stencil, no alpha test, no fog, no
/// texture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_draw_state {
    /// sizeof(nf_draw_state).
    pub struct_size: u32,
    /// NF_BLEND_*.
    pub blend: u32,
    /// With NF_BLEND_CUSTOM: D3DBLEND of the source, 1 to 15. For alpha, factors of colours act as
    /// their alpha forms.
    pub blend_src: u32,
    /// With NF_BLEND_CUSTOM: D3DBLEND of the destination, 1 to 15.
    pub blend_dst: u32,
    /// With NF_BLEND_CUSTOM: D3DBLENDOP, 1 to 5.
    pub blend_op: u32,
    /// Channels written: 1 red, 2 green, 4 blue, 8 alpha, added up.
    pub write_mask: u32,
    /// D3DCULL: 1 none, 2 clockwise, 3 counter-clockwise.
    pub cull: u32,
    /// Not 0: the depth test.
    pub depth_test: u32,
    /// Not 0: depth is written, which takes the depth test.
    pub depth_write: u32,
    /// D3DCMPFUNC of the depth test, 1 to 8.
    pub depth_func: u32,
    /// Not 0: the stencil test.
    pub stencil: u32,
    /// Not 0: counter-clockwise triangles have the test of stencil_back.
    pub stencil_two_sided: u32,
    /// The stencil test of clockwise triangles, or of everything.
    pub stencil_front: nf_stencil_face,
    /// The stencil test of counter-clockwise triangles when two-sided.
    pub stencil_back: nf_stencil_face,
    /// D3DRS_STENCILREF, low eight bits.
    pub stencil_ref: u32,
    /// D3DRS_STENCILMASK, low eight bits.
    pub stencil_read_mask: u32,
    /// D3DRS_STENCILWRITEMASK, low eight bits.
    pub stencil_write_mask: u32,
    /// Not 0: the alpha test, after the pixel shader and before blending.
    pub alpha_test: u32,
    /// D3DCMPFUNC of the alpha test, 1 to 8.
    pub alpha_func: u32,
    /// D3DRS_ALPHAREF, low eight bits.
    pub alpha_ref: u32,
    /// Not 0: vertex fog, from the vertex shader's oFog or the alpha of the specular colour. Not
    /// after ps_3_0.
    pub fog: u32,
    /// D3DRS_FOGCOLOR, 0x00RRGGBB.
    pub fog_color: u32,
    /// nf_draw_rhw only, not 0: texture is read by linear filters instead of by points.
    pub linear_filter: u32,
    /// nf_draw_rhw only, not 0: coordinates are clamped instead of wrapped.
    pub address_clamp: u32,
    /// nf_draw_rhw only, not 0: alpha is the diffuse alpha, without the texture's.
    pub texture_color_only: u32,
    /// Must be 0.
    pub reserved: u32,
    /// nf_draw_rhw only: the texture that the diffuse colour is multiplied with.
    pub texture: nf_texture,
    /// nf_draw_rhw only: how it is read; NULL is as linear_filter and address_clamp say.
    pub sampler: *const nf_sampler,
}

/// One stage of the texture-stage cascade: the D3DTSS_* states in Direct3D's numbers. All zeros is a
/// disabled stage. This struct will not grow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_fixed_stage {
    /// D3DTEXTUREOP of the colour, 1 to 26; 0 and 1 end the cascade.
    pub color_op: u32,
    /// D3DTSS_COLORARG0: a D3DTA_* selector, plus 0x10 for one minus it and 0x20 for its alpha in
    /// every channel.
    pub color_arg0: u32,
    /// D3DTSS_COLORARG1.
    pub color_arg1: u32,
    /// D3DTSS_COLORARG2.
    pub color_arg2: u32,
    /// D3DTEXTUREOP of the alpha, 1 to 26; 0 and 1 pass the current alpha on.
    pub alpha_op: u32,
    /// D3DTSS_ALPHAARG0.
    pub alpha_arg0: u32,
    /// D3DTSS_ALPHAARG1.
    pub alpha_arg1: u32,
    /// D3DTSS_ALPHAARG2.
    pub alpha_arg2: u32,
    /// D3DTSS_RESULTARG: 1 (or 0) the current register, 5 the temporary one.
    pub result_arg: u32,
    /// D3DTSS_CONSTANT, 0xAARRGGBB.
    pub constant: u32,
    /// D3DTSS_TEXCOORDINDEX: the set of texture coordinates, 0 to 7. nf_fixed_state_init gives stage n
    /// set n. After a vertex shader stage n reads oTn, as in Direct3D, whatever is here.
    pub texcoord_index: u32,
    /// Must be 0.
    pub reserved: u32,
    /// The stage's texture. A stage that reads one must have one.
    pub texture: nf_texture,
    /// How it is read.
    pub sampler: nf_sampler,
}

/// State of draws without a pixel shader. nf_fixed_state_init disables every stage, which draws the diffuse colour.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_fixed_state {
    /// sizeof(nf_fixed_state).
    pub struct_size: u32,
    /// D3DRS_TEXTUREFACTOR, 0xAARRGGBB.
    pub texture_factor: u32,
    /// State of every draw; NULL is as nf_draw_state_init leaves it. Not used below
    /// nf_program_state, which has its own.
    pub draw: *const nf_draw_state,
    /// The cascade.
    pub stages: [nf_fixed_stage; 8],
}

/// A vertex stream other than 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_stream {
    /// 1 to 15.
    pub stream: u32,
    /// Bytes from one vertex to the next, 1 to 256.
    pub stride: u32,
    /// The vertices, which are copied by the draw.
    pub data: *const c_void,
    /// Bytes of data.
    pub size: usize,
    /// Where the same bytes are on the GPU already, if they are: with fast paths on, the draw reads
    /// them there instead of copying. 0 is nowhere.
    pub resident: nf_buffer,
    /// Byte in that buffer where data begins; elsewhere than at a multiple of 4 it is not used.
    pub resident_offset: u64,
}

/// State of draws with shaders. nf_program_state_init fills it with zeros.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_program_state {
    /// sizeof(nf_program_state).
    pub struct_size: u32,
    /// Elements that may be read, the end mark among them; at most 65.
    pub element_count: u32,
    /// State of every draw; NULL is as nf_draw_state_init leaves it.
    pub draw: *const nf_draw_state,
    /// The vertex shader. Not used by nf_draw_program_rhw.
    pub vertex_shader: nf_shader,
    /// The pixel shader; 0: the stages of fixed.
    pub pixel_shader: nf_shader,
    /// The cascade without a pixel shader; NULL: the diffuse colour.
    pub fixed: *const nf_fixed_state,
    /// The vertex declaration, which ends with {0xFF, 0, 17, 0, 0, 0}. Not used by
    /// nf_draw_program_rhw.
    pub elements: *const nf_vertex_element,
    /// Streams other than 0.
    pub streams: *const nf_stream,
    /// How many streams, at most 15.
    pub stream_count: u32,
    /// Float constants of the vertex shader, four numbers each, at most 8,192.
    pub vertex_float_count: u32,
    /// c0 on; constants past the end are 0.
    pub vertex_floats: *const f32,
    /// i0 on: four numbers each.
    pub vertex_ints: *const i32,
    /// How many of them, at most 16.
    pub vertex_int_count: u32,
    /// Bit n is b<n>.
    pub vertex_bools: u32,
    /// Float constants of the pixel shader, four numbers each, at most 8,192.
    pub pixel_float_count: u32,
    /// Integer constants of the pixel shader, at most 16.
    pub pixel_int_count: u32,
    /// c0 on; constants past the end are 0.
    pub pixel_floats: *const f32,
    /// i0 on: four numbers each.
    pub pixel_ints: *const i32,
    /// Bit n is b<n>.
    pub pixel_bools: u32,
    /// How many textures, at most 20: s0 to s15 of the pixel shader, then the four of the vertex
    /// shader.
    pub texture_count: u32,
    /// Textures; those past the end, and those with an id of 0, read opaque black.
    pub textures: *const nf_texture,
    /// How textures are read; those past the end as all zeros say.
    pub samplers: *const nf_sampler,
    /// How many samplers, at most 20.
    pub sampler_count: u32,
    /// Radial fog: 0 the vertex shader as it is; 1 and 2 its fog is measured from the eye, that by
    /// depth, and that by depth and by the view plane. A shader that has none such is drawn as it is.
    /// Not used by nf_draw_program_rhw.
    pub radial_fog: u32,
    /// Where the bytes of stream 0 are on the GPU already, if they are; see nf_stream.
    pub resident: nf_buffer,
    /// Byte in that buffer where stream 0 begins.
    pub resident_offset: u64,
}

/// What a texture is like. nf_texture_desc_init: two-dimensional, BGRA8, one level, 1 x 1 x 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_texture_desc {
    /// sizeof(nf_texture_desc).
    pub struct_size: u32,
    /// NF_TEXTURE_*.
    pub kind: u32,
    /// NF_FORMAT_*.
    pub format: u32,
    /// Texels of level 0.
    pub width: u32,
    /// Texels of level 0; of a cube the width.
    pub height: u32,
    /// Slices of a volume, otherwise 1.
    pub depth: u32,
    /// Mip levels; 0 is all of them.
    pub levels: u32,
    /// Not 0: nf_fxaa_target_to may draw into it.
    pub target: u32,
}

/// A box of texels in one level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct nf_box {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// First slice; 0 unless the texture is a volume.
    pub z: u32,
    /// Texels from left to right.
    pub width: u32,
    /// Texels from top to bottom.
    pub height: u32,
    /// Slices; 1 unless the texture is a volume.
    pub depth: u32,
}

/// What draws copied and what they read where it was, since the renderer was made.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct nf_traffic {
    /// Draws that read a resident buffer.
    pub resident_draws: u64,
    /// Bytes of resident buffers that draws read.
    pub resident_bytes: u64,
    /// Bytes of vertices that draws copied.
    pub arena_vertex_bytes: u64,
    /// All bytes copied for the GPU: vertices, indices, constants, texels.
    pub arena_bytes: u64,
    /// Clears that became the load operation of the pass that followed.
    pub clears_folded: u64,
}

/// What pipelines cost since the renderer was made.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct nf_pipeline_counts {
    /// Pipelines that a draw had to build: each may have been a hitch.
    pub draw_builds: u64,
    /// Nanoseconds that draws spent building them, their functions included.
    pub draw_build_ns: u64,
    /// Shader functions that a draw had to compile.
    pub draw_functions: u64,
    /// Draws that waited for a pipeline which a worker was building.
    pub waits: u64,
    /// Nanoseconds that they waited.
    pub wait_ns: u64,
    /// Pipelines that workers built.
    pub background_builds: u64,
    /// Shader functions that workers compiled.
    pub background_functions: u64,
    /// Nanoseconds that workers spent building and compiling.
    pub background_ns: u64,
    /// Pipelines that were ready before the first draw that needed them.
    pub prewarm_hits: u64,
    /// Shader functions translated or generated, failures included.
    pub translated: u64,
    /// Distinct shaders registered.
    pub shaders_registered: u64,
    /// Pipelines of earlier runs that were read.
    pub recipes_loaded: u64,
    /// Of these, those that mean another pipeline today, or none.
    pub recipes_dropped: u64,
    /// Pipelines noted for the next run.
    pub recipes_recorded: u64,
    /// Times that the driver's cache was written.
    pub archive_saves: u64,
}

/// What a renderer did and holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct nf_counts {
    /// Draws recorded.
    pub draws: u64,
    /// Passes opened.
    pub passes: u64,
    /// Command buffers submitted.
    pub submissions: u64,
    /// Pipelines built, the library's own included.
    pub pipelines_built: u64,
    /// Clears that needed a pass or draws of their own.
    pub clears_encoded: u64,
    /// Native samplers alive, at most 256.
    pub samplers: u64,
    /// Native depth-stencil states alive, at most 64.
    pub depth_stencil_states: u64,
    /// Content-keyed textures alive.
    pub cached_textures: u64,
    /// Bytes of them, mip chains included.
    pub cached_texture_bytes: u64,
    /// Places of the texture table in use, of 4,096.
    pub textures: u64,
    /// Contexts alive.
    pub contexts: u64,
    /// Resident buffers alive.
    pub buffers: u64,
}

/// Called once when the GPU is done with a submission: with the pointer that was given, and 1, or 0
/// when the submission failed (nf_last_commit_error says why).
pub type nf_done = Option<unsafe extern "C" fn(arg: *mut c_void, ok: i32)>;

const _: () = {
    assert!(size_of::<nf_vertex_rhw>() == 28);
    assert!(size_of::<nf_vertex_fixed_rhw>() == 112 && size_of::<nf_vertex_fixed_clip>() == 112);
    assert!(size_of::<nf_vertex_element>() == 8);
};

macro_rules! sized {
    ($($name:ident),*) => {$(
        // SAFETY: struct_size is the first field; the others are numbers, handles and raw pointers.
        unsafe impl Sized32 for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

sized!(
    nf_settings,
    nf_draw_state,
    nf_fixed_state,
    nf_program_state,
    nf_texture_desc
);
