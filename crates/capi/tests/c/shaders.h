/* Token streams; the text above each is what it was assembled from. */
#ifndef SHADERS_H
#define SHADERS_H

#include <stdint.h>

/*
 * vs_1_1
 * dcl_position v0
 * dcl_color v1
 * dcl_texcoord v2
 * mov oPos, v0
 * mul oD0, v1, c0
 * mov oT0, v2
 */
static const uint32_t vs_1_1_plain[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x8000000A, 0x900F0001, 0x0000001F,
    0x80000005, 0x900F0002, 0x00000001, 0xC00F0000, 0x90E40000, 0x00000005, 0xD00F0000, 0x90E40001,
    0xA0E40000, 0x00000001, 0xE00F0000, 0x90E40002, 0x0000FFFF,
};

/*
 * vs_1_1
 * dcl_position v0
 * dcl_color v1
 * mov oPos, v0
 * mov oD0, v1
 * mov oFog, c0.x
 */
static const uint32_t vs_1_1_fog[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x8000000A, 0x900F0001, 0x00000001,
    0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0x90E40001, 0x00000001, 0xC00F0001, 0xA0000000,
    0x0000FFFF,
};

/*
 * vs_2_0
 * def c10, 0, 0, 0, 1
 * dcl_position v0
 * mov oPos, v0
 * mov r0, c10
 * rep i0
 * add r0.xyz, r0, c4
 * endrep
 * if b3
 * add r0.xyz, r0, c5
 * endif
 * mov oD0, r0
 */
static const uint32_t vs_2_0_flow[] = {
    0xFFFE0200, 0x05000051, 0xA00F000A, 0x00000000, 0x00000000, 0x00000000, 0x3F800000, 0x0200001F,
    0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0x800F0000, 0xA0E4000A,
    0x01000026, 0xF0E40000, 0x03000002, 0x80070000, 0x80E40000, 0xA0E40004, 0x00000027, 0x01000028,
    0xE0E40803, 0x03000002, 0x80070000, 0x80E40000, 0xA0E40005, 0x0000002B, 0x02000001, 0xD00F0000,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * mul r0, v0, c0
 */
static const uint32_t ps_1_1_color[] = {
    0xFFFF0101, 0x00000005, 0x800F0000, 0x90E40000, 0xA0E40000, 0x0000FFFF,
};

/*
 * ps_1_1
 * tex t0
 * mul r0, t0, v0
 */
static const uint32_t ps_1_1_texture[] = {
    0xFFFF0101, 0x00000042, 0xB00F0000, 0x00000005, 0x800F0000, 0xB0E40000, 0x90E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0.xy
 * dcl v0
 * dcl_2d s0
 * texld r0, t0, s0
 * mul r0, r0, v0
 * mul r0, r0, c2
 * mov oC0, r0
 */
static const uint32_t ps_2_0_texture[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB0030000, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F,
    0x90000000, 0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800, 0x03000005, 0x800F0000,
    0x80E40000, 0x90E40000, 0x03000005, 0x800F0000, 0x80E40000, 0xA0E40002, 0x02000001, 0x800F0800,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl t0.xyz
 * dcl_cube s1
 * mov r1, c0
 * texld r0, r1, s1
 * mov oC0, r0
 */
static const uint32_t ps_2_0_cube[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB0070000, 0x0200001F, 0x98000000, 0xA00F0801, 0x02000001,
    0x800F0001, 0xA0E40000, 0x03000042, 0x800F0000, 0x80E40001, 0xA0E40801, 0x02000001, 0x800F0800,
    0x80E40000, 0x0000FFFF,
};

/*
 * ps_2_0
 * dcl_volume s1
 * mov r1, c0
 * texld r0, r1, s1
 * mov oC0, r0
 */
static const uint32_t ps_2_0_volume[] = {
    0xFFFF0200, 0x0200001F, 0xA0000000, 0xA00F0801, 0x02000001, 0x800F0001, 0xA0E40000, 0x03000042,
    0x800F0000, 0x80E40001, 0xA0E40801, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * ps_3_0
 * mov r0, c0
 * rep i1
 * add r0, r0, c1
 * endrep
 * if b2
 * add r0, r0, c2
 * endif
 * mov oC0, r0
 */
static const uint32_t ps_3_0_flow[] = {
    0xFFFF0300, 0x02000001, 0x800F0000, 0xA0E40000, 0x01000026, 0xF0E40001, 0x03000002, 0x800F0000,
    0x80E40000, 0xA0E40001, 0x00000027, 0x01000028, 0xE0E40802, 0x03000002, 0x800F0000, 0x80E40000,
    0xA0E40002, 0x0000002B, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};

/*
 * vs_1_1
 * dcl_position v0
 * dcl_texcoord v1
 * mov oPos, v0
 * mov oD0, c9.x
 * dp4 r0.x, v1, c6
 * add oFog, c9.x, -r0.x
 */
static const uint32_t vs_1_1_depth_fog[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x80000005, 0x900F0001, 0x00000001,
    0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0xA0000009, 0x00000009, 0x80010000, 0x90E40001,
    0xA0E40006, 0x00000002, 0xC00F0001, 0xA0000009, 0x81000000, 0x0000FFFF,
};

/*
 * vs_1_1
 * dcl_position v0
 * dcl_texcoord v1
 * mov oPos, v0
 * mov oD0, c9.x
 * dp4 oT0.x, v1, c6
 * dp3 r0.x, v1, c7
 * add r0.x, r0.x, c7.w
 * add oFog, c9.x, r0.x
 */
static const uint32_t vs_1_1_plane_fog[] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x80000005, 0x900F0001, 0x00000001,
    0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0xA0000009, 0x00000009, 0xE0010000, 0x90E40001,
    0xA0E40006, 0x00000008, 0x80010000, 0x90E40001, 0xA0E40007, 0x00000002, 0x80010000, 0x80000000,
    0xA0FF0007, 0x00000002, 0xC00F0001, 0xA0000009, 0x80000000, 0x0000FFFF,
};

#endif
