/*
 * ninefold.h: the C API of the ninefold renderer, Direct3D 9-era drawing on today's GPUs.
 * Written by cbindgen from crates/capi. docs/c-api.md tells how it fits together.
 *
 * Results. Functions return NF_OK or a negative NF_ERR_*, whose text nf_last_error() has; a few
 * return a count, and say so. A call that fails has done nothing, but that it sets what it hands out
 * to 0. Numbers without a name here are Direct3D 9's own: the enumerations of d3d9types.h.
 *
 * Handles. A handle is a number in a struct, passed by value; {0} is none. It names one object of one
 * renderer, for as long as that lives, and nothing afterwards: a stale or foreign one is an error.
 *
 * Pointers are used during the call alone; nothing keeps them but nf_commit_async, which keeps arg for
 * its callback. NULL, misaligned pointers and counts out of range are NF_ERR_ARGS. That a pointer
 * leads to as many bytes as the arguments say is the caller's promise.
 *
 * Structs that begin with struct_size are filled by a function of theirs first, nf_draw_state_init and
 * so on, and then changed. Later versions of this library may add fields to their ends.
 *
 * Threads. One thread draws with one renderer. Calls from others are safe and wait for their turn; what
 * they record comes in the order of the turns. nf_last_error is each thread's own. Functions that are
 * allowed on every thread without waiting say so.
 */

#ifndef NINEFOLD_H
#define NINEFOLD_H

#include <stddef.h>
#include <stdint.h>

/**
 * All went well.
 */
#define NF_OK 0

/**
 * An argument is outside its documented range: NULL, misaligned, a count, a number that is not
 * finite, a struct of another size, a handle of nothing.
 */
#define NF_ERR_ARGS -1

/**
 * Vertices, indices, texels or a rectangle reach past the end of their storage.
 */
#define NF_ERR_BOUNDS -2

/**
 * The primitive type is not one that is drawn.
 */
#define NF_ERR_PRIMITIVE -3

/**
 * A texture is not there any more, is of the wrong kind, or does not fit its cache.
 */
#define NF_ERR_TEXTURE -4

/**
 * The GPU or its driver failed, or there is none.
 */
#define NF_ERR_DEVICE -5

/**
 * A shader could not be read, translated or compiled.
 */
#define NF_ERR_SHADER -6

/**
 * The vertex declaration cannot feed the vertex shader.
 */
#define NF_ERR_DECL -7

/**
 * Well-formed, but this adapter or this library cannot do it.
 */
#define NF_ERR_UNSUPPORTED -8

/**
 * The call came at a moment when it is not allowed, or something reached its bound.
 */
#define NF_ERR_STATE -9

/**
 * A fault of the library itself, which it stopped before it reached the caller.
 */
#define NF_ERR_INTERNAL -10

/**
 * Points (D3DPT_POINTLIST).
 */
#define NF_PRIMITIVE_POINT_LIST 1

/**
 * Lines (D3DPT_LINELIST).
 */
#define NF_PRIMITIVE_LINE_LIST 2

/**
 * A chain of lines (D3DPT_LINESTRIP).
 */
#define NF_PRIMITIVE_LINE_STRIP 3

/**
 * Triangles (D3DPT_TRIANGLELIST).
 */
#define NF_PRIMITIVE_TRIANGLE_LIST 4

/**
 * A strip of triangles (D3DPT_TRIANGLESTRIP).
 */
#define NF_PRIMITIVE_TRIANGLE_STRIP 5

/**
 * Blending off.
 */
#define NF_BLEND_NONE 0

/**
 * Source alpha, one minus source alpha; on an overlay the alpha's source factor is one.
 */
#define NF_BLEND_SRC_ALPHA 1

/**
 * One, one.
 */
#define NF_BLEND_ADD 2

/**
 * Destination colour, zero.
 */
#define NF_BLEND_MODULATE 3

/**
 * Destination colour, source colour.
 */
#define NF_BLEND_MODULATE2 4

/**
 * Source alpha, zero.
 */
#define NF_BLEND_SRC_ALPHA_ZERO 5

/**
 * Source alpha, one.
 */
#define NF_BLEND_SRC_ALPHA_ADD 6

/**
 * One, one minus source alpha.
 */
#define NF_BLEND_PREMULTIPLIED 7

/**
 * Destination alpha, one.
 */
#define NF_BLEND_DEST_ALPHA_ADD 8

/**
 * The factors and the operation of nf_draw_state.
 */
#define NF_BLEND_CUSTOM 9

/**
 * How many blend modes there are.
 */
#define NF_BLEND_COUNT 10

/**
 * A vertex shader.
 */
#define NF_STAGE_VERTEX 0

/**
 * A pixel shader.
 */
#define NF_STAGE_PIXEL 1

/**
 * A two-dimensional texture.
 */
#define NF_TEXTURE_2D 0

/**
 * Six faces in the order +X, -X, +Y, -Y, +Z, -Z.
 */
#define NF_TEXTURE_CUBE 1

/**
 * A volume texture.
 */
#define NF_TEXTURE_VOLUME 2

/**
 * Bytes B, G, R, A (D3DFMT_A8R8G8B8).
 */
#define NF_FORMAT_BGRA8 1

/**
 * Bytes R, G, B, A (D3DFMT_A8B8G8R8).
 */
#define NF_FORMAT_RGBA8 2

/**
 * Two signed 8-bit channels (D3DFMT_V8U8).
 */
#define NF_FORMAT_RG8_SNORM 3

/**
 * Four signed 8-bit channels (D3DFMT_Q8W8V8U8).
 */
#define NF_FORMAT_RGBA8_SNORM 4

/**
 * D3DFMT_R16F.
 */
#define NF_FORMAT_R16F 5

/**
 * D3DFMT_G16R16F.
 */
#define NF_FORMAT_RG16F 6

/**
 * D3DFMT_A16B16G16R16F.
 */
#define NF_FORMAT_RGBA16F 7

/**
 * D3DFMT_R32F.
 */
#define NF_FORMAT_R32F 8

/**
 * D3DFMT_G32R32F.
 */
#define NF_FORMAT_RG32F 9

/**
 * D3DFMT_A32B32G32R32F.
 */
#define NF_FORMAT_RGBA32F 10

/**
 * D3DFMT_DXT1, where the adapter has it.
 */
#define NF_FORMAT_BC1 11

/**
 * D3DFMT_DXT2, D3DFMT_DXT3, where the adapter has it.
 */
#define NF_FORMAT_BC2 12

/**
 * D3DFMT_DXT4, D3DFMT_DXT5, where the adapter has it.
 */
#define NF_FORMAT_BC3 13

/**
 * How a renderer behaves. nf_settings_init fills it; -1 in a signed field, 0 in an unsigned one and
 * NULL mean "as NINEFOLD_* says in the environment, otherwise the default". What is set here wins
 * over the environment.
 */
typedef struct nf_settings {
    /**
     * sizeof(nf_settings).
     */
    uint32_t struct_size;
    /**
     * 0: the environment is not read. Default 1.
     */
    uint32_t environment;
    /**
     * Part of the name of the GPU to use (NINEFOLD_ADAPTER); "" is none in particular. Default: the
     * first real GPU, a software one when there is none.
     */
    const char *adapter;
    /**
     * Name of the program, which its pipelines are kept under. Default: that of its file.
     */
    const char *program;
    /**
     * Folder where pipelines of one run are noted for the next (NINEFOLD_PIPELINE_CACHE_DIR); ""
     * keeps nothing. Default: one in the user's cache folder, unless the GPU is software.
     */
    const char *pipeline_cache_dir;
    /**
     * 1: the graphics API's validation layers (NINEFOLD_VALIDATION). Default 0.
     */
    int32_t validation;
    /**
     * 1: clears become the load operation of the pass that follows, draws set only the state that
     * differs, resident buffers are used (NINEFOLD_DRAW_FASTPATH). Default 1; the pixels are the
     * same without.
     */
    int32_t fast_paths;
    /**
     * 0: samplers are as the program says. 1: on adapters that are not software, those with a mip
     * filter and a minification filter other than point become 8x anisotropic with linear mips.
     * Default 1, but for NINEFOLD_NO_ANISO.
     */
    int32_t quality_aniso;
    /**
     * 1: a fixed-function stage without its texture reads white instead of failing the draw
     * (NINEFOLD_TEX_FALLBACK). Default 0.
     */
    int32_t texture_fallback;
    /**
     * Threads that translate shaders and build pipelines ahead of draws, 0 to 6
     * (NINEFOLD_PIPELINE_WORKERS). Default 3.
     */
    int32_t pipeline_workers;
    /**
     * 0: only pipelines of earlier runs are built ahead (NINEFOLD_SHADER_PREWARM). Default 1.
     */
    int32_t shader_prewarm;
    /**
     * 1: the driver's own cache is kept in the folder, too (NINEFOLD_PIPELINE_ARCHIVE). Default 0.
     */
    int32_t pipeline_archive;
    /**
     * Milliseconds without a new pipeline before that is written
     * (NINEFOLD_PIPELINE_ARCHIVE_SAVE_MS). Default 15,000.
     */
    int32_t pipeline_archive_save_ms;
    /**
     * 1: draws may ask for radial fog, whose shaders are prepared ahead (NINEFOLD_RADIAL_FOG, exactly
     * 1). Default 0. It holds for the process: the first renderer decides.
     */
    int32_t radial_fog;
    /**
     * Entries of the content-keyed texture cache. Default, and at most, 1,024.
     */
    uint32_t texture_cache_entries;
    /**
     * Pipelines with a vertex shader that may exist. Default, and at most, 4,096.
     */
    uint32_t program_pipelines;
    /**
     * Pipelines of fixed-function and pretransformed vertices that may exist. Default, and at most,
     * 2,048.
     */
    uint32_t fixed_pipelines;
    /**
     * Bytes of the content-keyed texture cache, mip chains included. Default 512 MiB.
     */
    uint64_t texture_cache_bytes;
} nf_settings;

/**
 * A renderer: a GPU, everything made on it and the caches. An id of 0 is none.
 */
typedef struct nf_renderer {
    /**
     * The handle's number.
     */
    uint64_t id;
} nf_renderer;

/**
 * A context: a BGRA8 colour target and a depth-stencil target (32-bit float depth, 8-bit stencil)
 * with a viewport. An id of 0 is none.
 */
typedef struct nf_context {
    /**
     * The handle's number.
     */
    uint64_t id;
} nf_context;

/**
 * A texture: one that the program made, one of the content-keyed cache, or the colour target of a
 * context. An id of 0 is none.
 */
typedef struct nf_texture {
    /**
     * The handle's number.
     */
    uint64_t id;
} nf_texture;

/**
 * One face of the stencil test.
 */
typedef struct nf_stencil_face {
    /**
     * D3DSTENCILOP, 1 to 8, when the test fails.
     */
    uint32_t fail;
    /**
     * D3DSTENCILOP when the depth test fails.
     */
    uint32_t depth_fail;
    /**
     * D3DSTENCILOP when both pass.
     */
    uint32_t pass;
    /**
     * D3DCMPFUNC, 1 to 8.
     */
    uint32_t func;
} nf_stencil_face;

/**
 * How textures are read: the D3DSAMP_* states in Direct3D's numbers. All zeros is Direct3D's
 * default: wrap, point filters, no mips. This struct will not grow.
 */
typedef struct nf_sampler {
    /**
     * D3DTEXTUREADDRESS of u, 1 to 5; 0 is wrap.
     */
    uint32_t address_u;
    /**
     * The same of v.
     */
    uint32_t address_v;
    /**
     * The same of w.
     */
    uint32_t address_w;
    /**
     * D3DTEXTUREFILTERTYPE: 1 point, 2 linear, 3 anisotropic; 0 is point.
     */
    uint32_t min_filter;
    /**
     * The same for magnification.
     */
    uint32_t mag_filter;
    /**
     * 0 no mips, 1 the nearest, 2 between two.
     */
    uint32_t mip_filter;
    /**
     * D3DSAMP_MAXANISOTROPY, taken into 1 to 16; counts with an anisotropic filter.
     */
    uint32_t max_anisotropy;
    /**
     * D3DSAMP_MAXMIPLEVEL: the most detailed level allowed, 0 to 15.
     */
    uint32_t max_mip_level;
    /**
     * D3DSAMP_BORDERCOLOR, 0xAARRGGBB.
     */
    uint32_t border_color;
    /**
     * D3DSAMP_MIPMAPLODBIAS in levels; finite.
     */
    float lod_bias;
} nf_sampler;

/**
 * State of every draw, in Direct3D's numbers. nf_draw_state_init fills it with: no blending, all
 * channels written, no culling, no depth test or write, no stencil, no alpha test, no fog, no
 * texture.
 */
typedef struct nf_draw_state {
    /**
     * sizeof(nf_draw_state).
     */
    uint32_t struct_size;
    /**
     * NF_BLEND_*.
     */
    uint32_t blend;
    /**
     * With NF_BLEND_CUSTOM: D3DBLEND of the source, 1 to 15. For alpha, factors of colours act as
     * their alpha forms.
     */
    uint32_t blend_src;
    /**
     * With NF_BLEND_CUSTOM: D3DBLEND of the destination, 1 to 15.
     */
    uint32_t blend_dst;
    /**
     * With NF_BLEND_CUSTOM: D3DBLENDOP, 1 to 5.
     */
    uint32_t blend_op;
    /**
     * Channels written: 1 red, 2 green, 4 blue, 8 alpha, added up.
     */
    uint32_t write_mask;
    /**
     * D3DCULL: 1 none, 2 clockwise, 3 counter-clockwise.
     */
    uint32_t cull;
    /**
     * Not 0: the depth test.
     */
    uint32_t depth_test;
    /**
     * Not 0: depth is written, which takes the depth test.
     */
    uint32_t depth_write;
    /**
     * D3DCMPFUNC of the depth test, 1 to 8.
     */
    uint32_t depth_func;
    /**
     * Not 0: the stencil test.
     */
    uint32_t stencil;
    /**
     * Not 0: counter-clockwise triangles have the test of stencil_back.
     */
    uint32_t stencil_two_sided;
    /**
     * The stencil test of clockwise triangles, or of everything.
     */
    struct nf_stencil_face stencil_front;
    /**
     * The stencil test of counter-clockwise triangles when two-sided.
     */
    struct nf_stencil_face stencil_back;
    /**
     * D3DRS_STENCILREF, low eight bits.
     */
    uint32_t stencil_ref;
    /**
     * D3DRS_STENCILMASK, low eight bits.
     */
    uint32_t stencil_read_mask;
    /**
     * D3DRS_STENCILWRITEMASK, low eight bits.
     */
    uint32_t stencil_write_mask;
    /**
     * Not 0: the alpha test, after the pixel shader and before blending.
     */
    uint32_t alpha_test;
    /**
     * D3DCMPFUNC of the alpha test, 1 to 8.
     */
    uint32_t alpha_func;
    /**
     * D3DRS_ALPHAREF, low eight bits.
     */
    uint32_t alpha_ref;
    /**
     * Not 0: vertex fog, from the vertex shader's oFog or the alpha of the specular colour. Not
     * after ps_3_0.
     */
    uint32_t fog;
    /**
     * D3DRS_FOGCOLOR, 0x00RRGGBB.
     */
    uint32_t fog_color;
    /**
     * nf_draw_rhw only, not 0: texture is read by linear filters instead of by points.
     */
    uint32_t linear_filter;
    /**
     * nf_draw_rhw only, not 0: coordinates are clamped instead of wrapped.
     */
    uint32_t address_clamp;
    /**
     * nf_draw_rhw only, not 0: alpha is the diffuse alpha, without the texture's.
     */
    uint32_t texture_color_only;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * nf_draw_rhw only: the texture that the diffuse colour is multiplied with.
     */
    struct nf_texture texture;
    /**
     * nf_draw_rhw only: how it is read; NULL is as linear_filter and address_clamp say.
     */
    const struct nf_sampler *sampler;
} nf_draw_state;

/**
 * One stage of the texture-stage cascade: the D3DTSS_* states in Direct3D's numbers. All zeros is a
 * disabled stage. This struct will not grow.
 */
typedef struct nf_fixed_stage {
    /**
     * D3DTEXTUREOP of the colour, 1 to 26; 0 and 1 end the cascade.
     */
    uint32_t color_op;
    /**
     * D3DTSS_COLORARG0: a D3DTA_* selector, plus 0x10 for one minus it and 0x20 for its alpha in
     * every channel.
     */
    uint32_t color_arg0;
    /**
     * D3DTSS_COLORARG1.
     */
    uint32_t color_arg1;
    /**
     * D3DTSS_COLORARG2.
     */
    uint32_t color_arg2;
    /**
     * D3DTEXTUREOP of the alpha, 1 to 26; 0 and 1 pass the current alpha on.
     */
    uint32_t alpha_op;
    /**
     * D3DTSS_ALPHAARG0.
     */
    uint32_t alpha_arg0;
    /**
     * D3DTSS_ALPHAARG1.
     */
    uint32_t alpha_arg1;
    /**
     * D3DTSS_ALPHAARG2.
     */
    uint32_t alpha_arg2;
    /**
     * D3DTSS_RESULTARG: 1 (or 0) the current register, 5 the temporary one.
     */
    uint32_t result_arg;
    /**
     * D3DTSS_CONSTANT, 0xAARRGGBB.
     */
    uint32_t constant;
    /**
     * D3DTSS_TEXCOORDINDEX: the set of texture coordinates, 0 to 7. nf_fixed_state_init gives stage n
     * set n. After a vertex shader stage n reads oTn, as in Direct3D, whatever is here.
     */
    uint32_t texcoord_index;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * The stage's texture. A stage that reads one must have one.
     */
    struct nf_texture texture;
    /**
     * How it is read.
     */
    struct nf_sampler sampler;
} nf_fixed_stage;

/**
 * State of draws without a pixel shader. nf_fixed_state_init disables every stage, which draws the diffuse colour.
 */
typedef struct nf_fixed_state {
    /**
     * sizeof(nf_fixed_state).
     */
    uint32_t struct_size;
    /**
     * D3DRS_TEXTUREFACTOR, 0xAARRGGBB.
     */
    uint32_t texture_factor;
    /**
     * State of every draw; NULL is as nf_draw_state_init leaves it. Not used below
     * nf_program_state, which has its own.
     */
    const struct nf_draw_state *draw;
    /**
     * The cascade.
     */
    struct nf_fixed_stage stages[8];
} nf_fixed_state;

/**
 * A registered shader. An id of 0 is none.
 */
typedef struct nf_shader {
    /**
     * The handle's number.
     */
    uint64_t id;
} nf_shader;

/**
 * One element of a vertex declaration, laid out as D3DVERTEXELEMENT9.
 */
typedef struct nf_vertex_element {
    /**
     * Stream, 0 to 15; 0xFF in the element that ends the declaration.
     */
    uint16_t stream;
    /**
     * Byte in the vertex.
     */
    uint16_t offset;
    /**
     * D3DDECLTYPE, 0 to 16; 17 in the element that ends the declaration.
     */
    uint8_t type;
    /**
     * D3DDECLMETHOD: 0 (DEFAULT).
     */
    uint8_t method;
    /**
     * D3DDECLUSAGE, 0 to 13.
     */
    uint8_t usage;
    /**
     * Usage index.
     */
    uint8_t usage_index;
} nf_vertex_element;

/**
 * A resident buffer of vertices. An id of 0 is none.
 */
typedef struct nf_buffer {
    /**
     * The handle's number.
     */
    uint64_t id;
} nf_buffer;

/**
 * A vertex stream other than 0.
 */
typedef struct nf_stream {
    /**
     * 1 to 15.
     */
    uint32_t stream;
    /**
     * Bytes from one vertex to the next, 1 to 256.
     */
    uint32_t stride;
    /**
     * The vertices, which are copied by the draw.
     */
    const void *data;
    /**
     * Bytes of data.
     */
    size_t size;
    /**
     * Where the same bytes are on the GPU already, if they are: with fast paths on, the draw reads
     * them there instead of copying. 0 is nowhere.
     */
    struct nf_buffer resident;
    /**
     * Byte in that buffer where data begins; elsewhere than at a multiple of 4 it is not used.
     */
    uint64_t resident_offset;
} nf_stream;

/**
 * State of draws with shaders. nf_program_state_init fills it with zeros.
 */
typedef struct nf_program_state {
    /**
     * sizeof(nf_program_state).
     */
    uint32_t struct_size;
    /**
     * Elements that may be read, the end mark among them; at most 65.
     */
    uint32_t element_count;
    /**
     * State of every draw; NULL is as nf_draw_state_init leaves it.
     */
    const struct nf_draw_state *draw;
    /**
     * The vertex shader. Not used by nf_draw_program_rhw.
     */
    struct nf_shader vertex_shader;
    /**
     * The pixel shader; 0: the stages of fixed.
     */
    struct nf_shader pixel_shader;
    /**
     * The cascade without a pixel shader; NULL: the diffuse colour.
     */
    const struct nf_fixed_state *fixed;
    /**
     * The vertex declaration, which ends with {0xFF, 0, 17, 0, 0, 0}. Not used by
     * nf_draw_program_rhw.
     */
    const struct nf_vertex_element *elements;
    /**
     * Streams other than 0.
     */
    const struct nf_stream *streams;
    /**
     * How many streams, at most 15.
     */
    uint32_t stream_count;
    /**
     * Float constants of the vertex shader, four numbers each, at most 8,192.
     */
    uint32_t vertex_float_count;
    /**
     * c0 on; constants past the end are 0.
     */
    const float *vertex_floats;
    /**
     * i0 on: four numbers each.
     */
    const int32_t *vertex_ints;
    /**
     * How many of them, at most 16.
     */
    uint32_t vertex_int_count;
    /**
     * Bit n is b<n>.
     */
    uint32_t vertex_bools;
    /**
     * Float constants of the pixel shader, four numbers each, at most 8,192.
     */
    uint32_t pixel_float_count;
    /**
     * Integer constants of the pixel shader, at most 16.
     */
    uint32_t pixel_int_count;
    /**
     * c0 on; constants past the end are 0.
     */
    const float *pixel_floats;
    /**
     * i0 on: four numbers each.
     */
    const int32_t *pixel_ints;
    /**
     * Bit n is b<n>.
     */
    uint32_t pixel_bools;
    /**
     * How many textures, at most 20: s0 to s15 of the pixel shader, then the four of the vertex
     * shader.
     */
    uint32_t texture_count;
    /**
     * Textures; those past the end, and those with an id of 0, read opaque black.
     */
    const struct nf_texture *textures;
    /**
     * How textures are read; those past the end as all zeros say.
     */
    const struct nf_sampler *samplers;
    /**
     * How many samplers, at most 20.
     */
    uint32_t sampler_count;
    /**
     * Radial fog: 0 the vertex shader as it is; 1 and 2 its fog is measured from the eye, that by
     * depth, and that by depth and by the view plane. A shader that has none such is drawn as it is.
     * Not used by nf_draw_program_rhw.
     */
    uint32_t radial_fog;
    /**
     * Where the bytes of stream 0 are on the GPU already, if they are; see nf_stream.
     */
    struct nf_buffer resident;
    /**
     * Byte in that buffer where stream 0 begins.
     */
    uint64_t resident_offset;
} nf_program_state;

/**
 * A vertex of nf_draw_fixed_rhw and nf_draw_program_rhw, 112 bytes.
 */
typedef struct nf_vertex_fixed_rhw {
    /**
     * Left to right in pixels.
     */
    float x;
    /**
     * Top to bottom in pixels.
     */
    float y;
    /**
     * Depth, 0 to 1.
     */
    float z;
    /**
     * 1 / w.
     */
    float rhw;
    /**
     * Diffuse red, green, blue, alpha.
     */
    float color[4];
    /**
     * Specular red, green, blue; its alpha is the fog factor, 1 without fog and 0 all fog.
     */
    float specular[4];
    /**
     * Eight sets of texture coordinates.
     */
    float uv[8][2];
} nf_vertex_fixed_rhw;

/**
 * A vertex of nf_draw_fixed_clip, 112 bytes.
 */
typedef struct nf_vertex_fixed_clip {
    /**
     * Homogeneous position in clip space: -w to w from left to right.
     */
    float x;
    /**
     * -w to w from bottom to top.
     */
    float y;
    /**
     * 0 to w from near to far.
     */
    float z;
    /**
     * w.
     */
    float w;
    /**
     * Diffuse red, green, blue, alpha.
     */
    float color[4];
    /**
     * Specular red, green, blue; its alpha is the fog factor, 1 without fog and 0 all fog.
     */
    float specular[4];
    /**
     * Eight sets of texture coordinates.
     */
    float uv[8][2];
} nf_vertex_fixed_clip;

/**
 * What a texture is like. nf_texture_desc_init: two-dimensional, BGRA8, one level, 1 x 1 x 1.
 */
typedef struct nf_texture_desc {
    /**
     * sizeof(nf_texture_desc).
     */
    uint32_t struct_size;
    /**
     * NF_TEXTURE_*.
     */
    uint32_t kind;
    /**
     * NF_FORMAT_*.
     */
    uint32_t format;
    /**
     * Texels of level 0.
     */
    uint32_t width;
    /**
     * Texels of level 0; of a cube the width.
     */
    uint32_t height;
    /**
     * Slices of a volume, otherwise 1.
     */
    uint32_t depth;
    /**
     * Mip levels; 0 is all of them.
     */
    uint32_t levels;
    /**
     * Not 0: nf_fxaa_target_to may draw into it.
     */
    uint32_t target;
} nf_texture_desc;

/**
 * A box of texels in one level.
 */
typedef struct nf_box {
    /**
     * Left edge.
     */
    uint32_t x;
    /**
     * Top edge.
     */
    uint32_t y;
    /**
     * First slice; 0 unless the texture is a volume.
     */
    uint32_t z;
    /**
     * Texels from left to right.
     */
    uint32_t width;
    /**
     * Texels from top to bottom.
     */
    uint32_t height;
    /**
     * Slices; 1 unless the texture is a volume.
     */
    uint32_t depth;
} nf_box;

/**
 * Called once when the GPU is done with a submission: with the pointer that was given, and 1, or 0
 * when the submission failed (nf_last_commit_error says why).
 */
typedef void (*nf_done)(void *arg, int32_t ok);

/**
 * What draws copied and what they read where it was, since the renderer was made.
 */
typedef struct nf_traffic {
    /**
     * Draws that read a resident buffer.
     */
    uint64_t resident_draws;
    /**
     * Bytes of resident buffers that draws read.
     */
    uint64_t resident_bytes;
    /**
     * Bytes of vertices that draws copied.
     */
    uint64_t arena_vertex_bytes;
    /**
     * All bytes copied for the GPU: vertices, indices, constants, texels.
     */
    uint64_t arena_bytes;
    /**
     * Clears that became the load operation of the pass that followed.
     */
    uint64_t clears_folded;
} nf_traffic;

/**
 * What pipelines cost since the renderer was made.
 */
typedef struct nf_pipeline_counts {
    /**
     * Pipelines that a draw had to build: each may have been a hitch.
     */
    uint64_t draw_builds;
    /**
     * Nanoseconds that draws spent building them, their functions included.
     */
    uint64_t draw_build_ns;
    /**
     * Shader functions that a draw had to compile.
     */
    uint64_t draw_functions;
    /**
     * Draws that waited for a pipeline which a worker was building.
     */
    uint64_t waits;
    /**
     * Nanoseconds that they waited.
     */
    uint64_t wait_ns;
    /**
     * Pipelines that workers built.
     */
    uint64_t background_builds;
    /**
     * Shader functions that workers compiled.
     */
    uint64_t background_functions;
    /**
     * Nanoseconds that workers spent building and compiling.
     */
    uint64_t background_ns;
    /**
     * Pipelines that were ready before the first draw that needed them.
     */
    uint64_t prewarm_hits;
    /**
     * Shader functions translated or generated, failures included.
     */
    uint64_t translated;
    /**
     * Distinct shaders registered.
     */
    uint64_t shaders_registered;
    /**
     * Pipelines of earlier runs that were read.
     */
    uint64_t recipes_loaded;
    /**
     * Of these, those that mean another pipeline today, or none.
     */
    uint64_t recipes_dropped;
    /**
     * Pipelines noted for the next run.
     */
    uint64_t recipes_recorded;
    /**
     * Times that the driver's cache was written.
     */
    uint64_t archive_saves;
} nf_pipeline_counts;

/**
 * What a renderer did and holds.
 */
typedef struct nf_counts {
    /**
     * Draws recorded.
     */
    uint64_t draws;
    /**
     * Passes opened.
     */
    uint64_t passes;
    /**
     * Command buffers submitted.
     */
    uint64_t submissions;
    /**
     * Pipelines built, the library's own included.
     */
    uint64_t pipelines_built;
    /**
     * Clears that needed a pass or draws of their own.
     */
    uint64_t clears_encoded;
    /**
     * Native samplers alive, at most 256.
     */
    uint64_t samplers;
    /**
     * Native depth-stencil states alive, at most 64.
     */
    uint64_t depth_stencil_states;
    /**
     * Content-keyed textures alive.
     */
    uint64_t cached_textures;
    /**
     * Bytes of them, mip chains included.
     */
    uint64_t cached_texture_bytes;
    /**
     * Places of the texture table in use, of 4,096.
     */
    uint64_t textures;
    /**
     * Contexts alive.
     */
    uint64_t contexts;
    /**
     * Resident buffers alive.
     */
    uint64_t buffers;
} nf_counts;

/**
 * A vertex of nf_draw_rhw, 28 bytes; pixel centres are at integer coordinates.
 */
typedef struct nf_vertex_rhw {
    /**
     * Left to right in pixels.
     */
    float x;
    /**
     * Top to bottom in pixels.
     */
    float y;
    /**
     * Depth, 0 to 1.
     */
    float z;
    /**
     * 1 / w.
     */
    float rhw;
    /**
     * Diffuse colour 0xAARRGGBB.
     */
    uint32_t color;
    /**
     * Texture coordinates.
     */
    float u;
    /**
     * Texture coordinates.
     */
    float v;
} nf_vertex_rhw;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * What the last call on this thread that failed had to say: which argument, what was expected.
 * Calls that succeed leave it, and so does what other threads do, the library's own included.
 *
 * The text, which is never NULL, is valid until the next call on this thread that fails. Allowed
 * everywhere, in callbacks too.
 */
const char *nf_last_error(void);

/**
 * The library's version, such as "0.1.0".
 */
const char *nf_version(void);

/**
 * Fills settings: the environment counts, and everything is as it says or the default.
 *
 * size: sizeof(nf_settings), by which versions of this header are told apart.
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_settings_init(struct nf_settings *settings, size_t size);

/**
 * The name of an adapter of this machine, in the order of preference from 0 on. Looking for them
 * takes a while: this is for a menu, not for a frame.
 *
 * buffer, size: room for the name, which is cut off where the room ends, as snprintf does. buffer
 * may be NULL when size is 0.
 *
 * Returns the length of the name in bytes, or NF_ERR_ARGS past the last adapter.
 */
int32_t nf_adapter(uint32_t index, char *buffer, size_t size);

/**
 * Makes a renderer. Any number up to 64 may be alive; all they share is what nf_settings says of
 * radial_fog.
 *
 * settings: from nf_settings_init, or NULL for what that gives.
 *
 * out: gets the renderer; on failure it gets 0.
 *
 * Returns NF_OK; NF_ERR_ARGS for settings out of range; NF_ERR_DEVICE when there is no GPU or driver,
 * or none that settings->adapter names; NF_ERR_STATE when 64 are alive.
 */
int32_t nf_renderer_create(const struct nf_settings *settings,
                           struct nf_renderer *out);

/**
 * Ends a renderer with everything made on it. Waits for the GPU and for callbacks that are
 * outstanding: each has been called once when this returns. Handles of it are stale from now on.
 *
 * Returns NF_OK; NF_ERR_ARGS when there is no such renderer; NF_ERR_STATE in a callback.
 */
int32_t nf_renderer_destroy(struct nf_renderer renderer);

/**
 * The name of a renderer's adapter with its back end and driver.
 *
 * buffer, size: as in nf_adapter.
 *
 * Returns the length of the name in bytes, or NF_ERR_ARGS.
 */
int32_t nf_adapter_name(struct nf_renderer renderer, char *buffer, size_t size);

/**
 * Treats the device as lost, for testing what a program does then: every later call that needs it
 * gives NF_ERR_DEVICE. Objects can still be destroyed, and another renderer be made.
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_lose_device(struct nf_renderer renderer);

/**
 * Makes a context: opaque black, depth 1, stencil 0, the viewport all of it.
 *
 * width, height: 1 to 8,192 pixels.
 *
 * out: gets the context; on failure it gets 0.
 *
 * Returns NF_OK; NF_ERR_ARGS for another size; NF_ERR_TEXTURE when the texture table, in which its
 * colour target takes a place, is full; NF_ERR_DEVICE when memory is short.
 */
int32_t nf_create(struct nf_renderer renderer,
                  uint32_t width,
                  uint32_t height,
                  struct nf_context *out);

/**
 * Waits for the GPU and replaces both targets, which are then as nf_create makes them; the viewport
 * becomes all of it. Everything else stays, the handle of nf_target_texture too.
 *
 * Returns NF_OK; NF_ERR_ARGS for a size other than 1 to 8,192; NF_ERR_DEVICE. On failure the context
 * stays as it was.
 */
int32_t nf_resize(struct nf_context context,
                  uint32_t width,
                  uint32_t height);

/**
 * Submits what was recorded, waits for the GPU and ends a context. Its handle and that of its colour
 * target are stale from now on, also when waiting failed.
 *
 * Returns NF_OK; NF_ERR_ARGS when there is no such context; NF_ERR_DEVICE when the GPU failed.
 */
int32_t nf_destroy(struct nf_context context);

/**
 * Sets the viewport, in pixels; what leaves the target is cut off. Nothing outside is drawn.
 * Pretransformed vertices and those of vertex shaders are not moved by it: it cuts. Vertices of
 * nf_draw_fixed_clip fill it.
 *
 * Returns NF_OK, or NF_ERR_ARGS when there is no such context.
 */
int32_t nf_set_viewport(struct nf_context context,
                        uint32_t x,
                        uint32_t y,
                        uint32_t width,
                        uint32_t height);

/**
 * Whether the context is an overlay, whose alpha accumulates coverage: NF_BLEND_SRC_ALPHA writes
 * source alpha + destination alpha * (1 - source alpha).
 *
 * overlay: not 0 is yes. A new context is none.
 *
 * Returns NF_OK, or NF_ERR_ARGS when there is no such context.
 */
int32_t nf_set_overlay_target(struct nf_context context, int32_t overlay);

/**
 * Sets the whole colour target, whatever the viewport.
 *
 * color: 0xAARRGGBB.
 *
 * Returns NF_OK, NF_ERR_ARGS when there is no such context, NF_ERR_DEVICE.
 */
int32_t nf_clear(struct nf_context context, uint32_t color);

/**
 * Sets the whole depth target, whatever the viewport.
 *
 * depth: finite; taken into 0 to 1.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
 */
int32_t nf_clear_depth(struct nf_context context, float depth);

/**
 * Sets the whole stencil, whatever the viewport.
 *
 * stencil: 0 to 255.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
 */
int32_t nf_clear_stencil(struct nf_context context, uint32_t stencil);

/**
 * The colour target as a texture, which draws into other contexts may read: each sees what was
 * drawn, cleared and written before it. The handle stays the same as long as the context lives, and
 * after nf_resize it is the new target.
 *
 * Returns NF_OK, or NF_ERR_ARGS; then out gets 0.
 */
int32_t nf_target_texture(struct nf_context context, struct nf_texture *out);

/**
 * How many triangles were drawn into a context, those that no pixel shows included.
 *
 * Returns NF_OK, or NF_ERR_ARGS; then out gets 0.
 */
int32_t nf_triangles(struct nf_context context, uint64_t *out);

/**
 * Fills state of every draw: see nf_draw_state.
 *
 * size: sizeof(nf_draw_state).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_draw_state_init(struct nf_draw_state *state, size_t size);

/**
 * Fills state of the texture-stage cascade: see nf_fixed_state.
 *
 * size: sizeof(nf_fixed_state).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_fixed_state_init(struct nf_fixed_state *state, size_t size);

/**
 * Fills state of draws with shaders: see nf_program_state.
 *
 * size: sizeof(nf_program_state).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_program_state_init(struct nf_program_state *state, size_t size);

/**
 * Draws pretransformed vertices with the diffuse colour, multiplied with state->texture if there is
 * one.
 *
 * vertices: at least vertex_count times stride bytes, each beginning with an nf_vertex_rhw; copied.
 *
 * stride: 28 to 256.
 *
 * vertex_count: 1 to 65,536.
 *
 * indices, index_count: at most 196,608, each below vertex_count; NULL and 0 draw the vertices in
 * order.
 *
 * Returns NF_OK, also for fewer than three vertices or indices and for an empty viewport, where
 * nothing is drawn; NF_ERR_ARGS; NF_ERR_BOUNDS for an index that is too large; NF_ERR_PRIMITIVE;
 * NF_ERR_TEXTURE for a texture that is gone; NF_ERR_UNSUPPORTED; NF_ERR_STATE when no more pipelines
 * fit; NF_ERR_DEVICE. On failure nothing is drawn.
 */
int32_t nf_draw_rhw(struct nf_context context,
                    const struct nf_draw_state *state,
                    uint32_t primitive,
                    const void *vertices,
                    size_t stride,
                    uint32_t vertex_count,
                    const uint16_t *indices,
                    uint32_t index_count);

/**
 * Draws pretransformed vertices through the texture-stage cascade. With fog on, the alpha of the
 * specular colour is the fog factor.
 *
 * state: from nf_fixed_state_init.
 *
 * The other arguments and the result are those of nf_draw_rhw, and NF_ERR_TEXTURE when a stage reads
 * a texture that it has not; NF_ERR_SHADER for an operation that is not there for colour or alpha.
 */
int32_t nf_draw_fixed_rhw(struct nf_context context,
                          const struct nf_fixed_state *state,
                          uint32_t primitive,
                          const struct nf_vertex_fixed_rhw *vertices,
                          uint32_t vertex_count,
                          const uint16_t *indices,
                          uint32_t index_count);

/**
 * Draws vertices in homogeneous clip space through the texture-stage cascade. The context's viewport
 * is their viewport. With fog on, the alpha of the specular colour is the fog factor.
 *
 * The arguments and the result are those of nf_draw_fixed_rhw.
 */
int32_t nf_draw_fixed_clip(struct nf_context context,
                           const struct nf_fixed_state *state,
                           uint32_t primitive,
                           const struct nf_vertex_fixed_clip *vertices,
                           uint32_t vertex_count,
                           const uint16_t *indices,
                           uint32_t index_count);

/**
 * Draws with a vertex shader, and with a pixel shader or the texture-stage cascade. The vertices are
 * stream 0 of the declaration.
 *
 * state: from nf_program_state_init.
 *
 * vertices: at least vertex_count times stride bytes; copied, unless state->resident has them.
 *
 * stride: 1 to 256.
 *
 * The other arguments and the result are those of nf_draw_rhw, and NF_ERR_SHADER when a shader cannot
 * be translated or is of the other stage; NF_ERR_DECL when the declaration has no end mark, an element
 * that is none, or lacks what the vertex shader reads; NF_ERR_TEXTURE when a stage of the cascade reads
 * a texture that it has not.
 */
int32_t nf_draw_program(struct nf_context context,
                        const struct nf_program_state *state,
                        uint32_t primitive,
                        const void *vertices,
                        size_t stride,
                        uint32_t vertex_count,
                        const uint16_t *indices,
                        uint32_t index_count);

/**
 * Draws pretransformed vertices with a pixel shader. Of state the vertex shader, the declaration, the
 * streams, their resident buffers and the vertex constants are not used. With fog on, the alpha of the
 * specular colour is the fog factor.
 *
 * The arguments and the result are those of nf_draw_program, and NF_ERR_ARGS without a pixel shader.
 */
int32_t nf_draw_program_rhw(struct nf_context context,
                            const struct nf_program_state *state,
                            uint32_t primitive,
                            const struct nf_vertex_fixed_rhw *vertices,
                            uint32_t vertex_count,
                            const uint16_t *indices,
                            uint32_t index_count);

/**
 * Registers a shader as soon as the program has it: workers translate it, and build the pipelines
 * that earlier runs used it in, before the first draw needs them. The tokens are copied. Shaders
 * live as long as the renderer; the same tokens give the same handle.
 *
 * stage: NF_STAGE_VERTEX or NF_STAGE_PIXEL, which the tokens must be for.
 *
 * tokens: Direct3D 9 bytecode, vs_1_0 to ps_3_0, up to and including its end token 0x0000FFFF.
 *
 * token_count: words that may be read, at most 65,536; what follows the end token is left.
 *
 * content_key: gets the 64-bit FNV-1a of the bytes, never 0; may be NULL.
 *
 * out: gets the shader; on failure it gets 0.
 *
 * Returns NF_OK; NF_ERR_ARGS; NF_ERR_SHADER when the tokens are no such shader, with the byte offset;
 * NF_ERR_STATE after 65,536 distinct shaders. That a shader cannot be translated the first draw
 * says.
 */
int32_t nf_shader_created(struct nf_renderer renderer,
                          uint32_t stage,
                          const uint32_t *tokens,
                          uint32_t token_count,
                          uint64_t *content_key,
                          struct nf_shader *out);

/**
 * Whether primitives of a type are drawn: 1 for NF_PRIMITIVE_*, 0 for fans (D3DPT_TRIANGLEFAN) and
 * for what is none.
 */
int32_t nf_primitive_supported(uint32_t primitive);

/**
 * Which arguments a D3DTEXTUREOP reads: bit n is set when it reads argument n. D3DTOP_SELECTARG1
 * reads argument 1, D3DTOP_SELECTARG2 argument 2, D3DTOP_MULTIPLYADD and D3DTOP_LERP all three,
 * disabled and bump-mapping operations none, every other one arguments 1 and 2; 0 for what is no
 * operation. That D3DTOP_BLENDTEXTUREALPHA and D3DTOP_BLENDTEXTUREALPHAPM read the texture whatever
 * their arguments are is not in it.
 */
uint32_t nf_fixed_op_arg_mask(uint32_t operation);

/**
 * Makes a resident buffer with these bytes. A draw that is told of it reads vertices there instead
 * of copying them, see nf_stream and nf_program_state.
 *
 * data, size: copied; 1 byte to 1 GiB.
 *
 * out: gets the buffer; on failure it gets 0.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_STATE after 65,536 buffers at once, NF_ERR_DEVICE when memory is
 * short.
 */
int32_t nf_buffer_create(struct nf_renderer renderer,
                         const void *data,
                         size_t size,
                         struct nf_buffer *out);

/**
 * Replaces bytes of a resident buffer, after the draws before and before the draws to come.
 *
 * offset: a multiple of 4.
 *
 * data, size: copied; a multiple of 4 unless it reaches the buffer's end.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_BOUNDS past the buffer's end, NF_ERR_DEVICE.
 */
int32_t nf_buffer_write(struct nf_buffer buffer, uint64_t offset, const void *data, size_t size);

/**
 * Ends a resident buffer. Draws that were recorded with it are not affected.
 *
 * Returns NF_OK, or NF_ERR_ARGS when there is no such buffer.
 */
int32_t nf_buffer_destroy(struct nf_buffer buffer);

/**
 * Fills a description: two-dimensional, BGRA8, 1 x 1 x 1, one level, no target.
 *
 * size: sizeof(nf_texture_desc).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_texture_desc_init(struct nf_texture_desc *desc, size_t size);

/**
 * Makes a texture of zeros; a target begins as opaque black. nf_texture_update fills it.
 *
 * desc: from nf_texture_desc_init.
 *
 * out: gets the texture; on failure it gets 0.
 *
 * Returns NF_OK; NF_ERR_ARGS for sizes out of the adapter's range; NF_ERR_TEXTURE when all 4,096
 * places of the texture table are in use; NF_ERR_UNSUPPORTED for a format that the adapter lacks;
 * NF_ERR_DEVICE when memory is short.
 */
int32_t nf_texture_create(struct nf_renderer renderer,
                          const struct nf_texture_desc *desc,
                          struct nf_texture *out);

/**
 * Copies texels into one level of a texture that the program made, or of a target: after the draws
 * before and before the draws to come. Never waits for the GPU.
 *
 * level, face: of a cube the face, 0 to 5 for +X, -X, +Y, -Y, +Z, -Z; otherwise 0.
 *
 * area: NULL is the whole level. Boxes of compressed formats meet their 4 x 4 blocks.
 *
 * texels, size: rows from the top, slices from the front; copied. row_pitch and slice_pitch are bytes
 * from row to row (of blocks) and from slice to slice; 0 is without gaps.
 *
 * Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for a box outside the level or too few bytes;
 * NF_ERR_TEXTURE for a handle of nothing or of a cached texture, whose contents are its key's;
 * NF_ERR_DEVICE.
 */
int32_t nf_texture_update(struct nf_texture texture,
                          uint32_t level,
                          uint32_t face,
                          const struct nf_box *area,
                          const void *texels,
                          size_t size,
                          size_t row_pitch,
                          size_t slice_pitch);

/**
 * Submits what was recorded, waits for the GPU, and copies one level of a texture to the program.
 *
 * level, face: as in nf_texture_update.
 *
 * texels, size: room for the level, all slices of it, rows without gaps.
 *
 * Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for a level or face that is not there or too little room;
 * NF_ERR_TEXTURE for a handle of nothing; NF_ERR_DEVICE.
 */
int32_t nf_texture_read(struct nf_texture texture,
                        uint32_t level,
                        uint32_t face,
                        void *texels,
                        size_t size);

/**
 * Ends a texture that the program made, or takes one out of the cache. Draws that were recorded with
 * it are not affected.
 *
 * Returns NF_OK; NF_ERR_TEXTURE when there is no such texture; NF_ERR_ARGS for the target of a
 * context, which goes with it.
 */
int32_t nf_texture_destroy(struct nf_texture texture);

/**
 * Looks a texture up by the key of its contents. It becomes the most recently used, and inside a
 * binding scope it stays until the scope ends.
 *
 * key: any number, by which the program knows the contents again.
 *
 * out: gets the texture, or 0 when the cache has none.
 *
 * Returns NF_OK, also when there is none; NF_ERR_ARGS.
 */
int32_t nf_texture_find_cached(struct nf_renderer renderer, uint64_t key, struct nf_texture *out);

/**
 * Makes a two-dimensional texture of the cache, with all its mip levels. When the cache has the key,
 * what it has is returned as it is. The least recently used textures go when there are more than
 * the settings allow; draws that were recorded with them are not affected, their handles are stale.
 *
 * key: see nf_texture_find_cached.
 *
 * width, height: texels.
 *
 * texels, size: width * height * 4 bytes of BGRA, rows from the top without gaps; copied.
 *
 * out: gets the texture; on failure it gets 0.
 *
 * Returns NF_OK; NF_ERR_ARGS for sizes out of the adapter's range; NF_ERR_BOUNDS when size is another;
 * NF_ERR_TEXTURE when it does not fit beside what the open binding scope keeps, or the texture table
 * is full; NF_ERR_DEVICE.
 */
int32_t nf_texture_create_cached(struct nf_renderer renderer,
                                 uint64_t key,
                                 uint32_t width,
                                 uint32_t height,
                                 const void *texels,
                                 size_t size,
                                 struct nf_texture *out);

/**
 * As nf_texture_create_cached, with level 0 alone.
 */
int32_t nf_texture_create_cached_nomip(struct nf_renderer renderer,
                                       uint64_t key,
                                       uint32_t width,
                                       uint32_t height,
                                       const void *texels,
                                       size_t size,
                                       struct nf_texture *out);

/**
 * As nf_texture_create_cached, a cube.
 *
 * edge: texels.
 *
 * texels, size: six times edge * edge * 4 bytes, faces in the order +X, -X, +Y, -Y, +Z, -Z.
 */
int32_t nf_texture_create_cached_cube(struct nf_renderer renderer,
                                      uint64_t key,
                                      uint32_t edge,
                                      const void *texels,
                                      size_t size,
                                      struct nf_texture *out);

/**
 * As nf_texture_create_cached, a volume.
 *
 * texels, size: width * height * depth * 4 bytes, slices from the front.
 */
int32_t nf_texture_create_cached_volume(struct nf_renderer renderer,
                                        uint64_t key,
                                        uint32_t width,
                                        uint32_t height,
                                        uint32_t depth,
                                        const void *texels,
                                        size_t size,
                                        struct nf_texture *out);

/**
 * Begins a binding scope: textures of the cache that are found, made or drawn with inside it stay
 * until it ends, so that handles that were looked up for one draw are good for that draw. Scopes do
 * not nest: another begin starts another.
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_begin_binding_scope(struct nf_renderer renderer);

/**
 * Ends the binding scope, if one is open.
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_end_binding_scope(struct nf_renderer renderer);

/**
 * Submits what was recorded, waits for the GPU, and copies the colour target to the program.
 *
 * pixels, size: room for rows of BGRA bytes from the top. Bytes between rows are left as they are.
 *
 * row_pitch: bytes from row to row; 0 is without gaps.
 *
 * Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for too little room; NF_ERR_DEVICE.
 */
int32_t nf_read_framebuffer(struct nf_context context, void *pixels, size_t size, size_t row_pitch);

/**
 * Replaces the colour target: after the draws before, which may have read it, and before the draws to
 * come. Never waits for the GPU.
 *
 * pixels, size: rows of BGRA bytes from the top; copied.
 *
 * row_pitch: bytes from row to row; 0 is without gaps.
 *
 * Returns NF_OK; NF_ERR_ARGS; NF_ERR_BOUNDS for too few bytes; NF_ERR_DEVICE.
 */
int32_t nf_write_framebuffer(struct nf_context context,
                             const void *pixels,
                             size_t size,
                             size_t row_pitch);

/**
 * Copies the colour target of a context into a texture, in order.
 *
 * destination: a two-dimensional BGRA8 texture of the target's size with one level or more, of which
 * level 0 is written; not the target itself.
 *
 * Returns NF_OK; NF_ERR_ARGS for another size or format; NF_ERR_TEXTURE for a handle of nothing;
 * NF_ERR_DEVICE.
 */
int32_t nf_blit_target_to(struct nf_context context,
                          struct nf_texture destination);

/**
 * Copies the colour target of a context into a texture through a filter that smooths the staircases
 * of edges (FXAA), in order. Values are taken as gamma-encoded; alpha is copied. Where the filter
 * cannot be, because the texture is no target or the driver refuses, the target is copied plainly.
 *
 * destination: as in nf_blit_target_to, made with nf_texture_desc's target.
 *
 * subpixel: how much of the aliasing smaller than a pixel goes, 0 to 1; 0.75 is usual.
 *
 * filtered: gets 1, or 0 when it was copied plainly; may be NULL.
 *
 * Returns NF_OK; NF_ERR_ARGS for another size or format, or a subpixel that is not finite;
 * NF_ERR_TEXTURE for a handle of nothing; NF_ERR_DEVICE.
 */
int32_t nf_fxaa_target_to(struct nf_context context,
                          struct nf_texture destination,
                          float subpixel,
                          int32_t *filtered);

/**
 * Copies level 0 of one texture, all faces and slices, into another of the same renderer, in order.
 *
 * source, destination: of one kind, size and format; not the same.
 *
 * Returns NF_OK; NF_ERR_ARGS for textures that differ; NF_ERR_TEXTURE for a handle of nothing;
 * NF_ERR_DEVICE.
 */
int32_t nf_blit_texture_copy(struct nf_texture source, struct nf_texture destination);

/**
 * Submits what was recorded, waiting clears included, and returns at once.
 *
 * done: called exactly once with arg: from a thread of the library when the GPU is done; or on this
 * thread before this returns, when nothing was recorded or submitting failed. Its ok is 1, or 0 on
 * failure. In it, functions that take a renderer or what belongs to one give NF_ERR_STATE, but for
 * nf_last_commit_error, nf_draw_traffic_stats and nf_fast_paths_enabled. Callbacks of one renderer
 * come in the order of the submissions. It must return and not throw.
 *
 * Returns NF_OK when done was or will be called, also with ok 0; NF_ERR_ARGS, NF_ERR_STATE when it will
 * not be.
 */
int32_t nf_commit_async(struct nf_renderer renderer,
                        nf_done done,
                        void *arg);

/**
 * Why a submission of nf_commit_async failed last, as "code N: text" with N one of NF_ERR_*; "" when
 * none did, or there is no such renderer.
 *
 * The text, which is never NULL, is valid until the next call of this function on this thread.
 * Allowed on every thread and in callbacks.
 */
const char *nf_last_commit_error(struct nf_renderer renderer);

/**
 * Submits what was recorded and waits until the GPU is done with everything.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
 */
int32_t nf_wait_idle(struct nf_renderer renderer);

/**
 * Switches the fast paths (see nf_settings), between any two calls.
 *
 * on: not 0 is on.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
 */
int32_t nf_set_fast_paths(struct nf_renderer renderer, int32_t on);

/**
 * Whether the fast paths are on: 1 or 0, or NF_ERR_ARGS when there is no such renderer. Allowed on
 * every thread and in callbacks; never waits.
 */
int32_t nf_fast_paths_enabled(struct nf_renderer renderer);

/**
 * Waits until every registered shader is translated and every pipeline of earlier runs that has its
 * shaders is built: for a loading screen.
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_wait_for_pipelines(struct nf_renderer renderer);

/**
 * Writes what the folder of the pipelines lacks and waits until it is on the disk: for a program
 * about to be suspended. Without a folder there is nothing to do.
 *
 * Returns NF_OK, NF_ERR_ARGS, NF_ERR_STATE with the file system's words.
 */
int32_t nf_pipeline_cache_flush(struct nf_renderer renderer);

/**
 * Bytes bound and copied, and clears folded, since the renderer was made. Allowed on every thread and
 * in callbacks; never waits. The numbers are those after the last call that has returned.
 *
 * size: sizeof(nf_traffic).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_draw_traffic_stats(struct nf_renderer renderer,
                              struct nf_traffic *out,
                              size_t size);

/**
 * What pipelines cost since the renderer was made.
 *
 * size: sizeof(nf_pipeline_counts).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_pipeline_stats(struct nf_renderer renderer, struct nf_pipeline_counts *out, size_t size);

/**
 * What a renderer did and holds.
 *
 * size: sizeof(nf_counts).
 *
 * Returns NF_OK, or NF_ERR_ARGS.
 */
int32_t nf_stats(struct nf_renderer renderer, struct nf_counts *out, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NINEFOLD_H */
