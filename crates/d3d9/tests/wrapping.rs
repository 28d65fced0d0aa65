//! `D3DRS_WRAP`: coordinates take the shortest way around the texture. And a tween by hand.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const EDGE: u32 = 64;

const D3DWRAP_U: u32 = 1;
const D3DWRAP_V: u32 = 2;

/// x, y, z, 1/w and a pair of coordinates.
type Corner = [f32; 6];

const XYZRHW_TEX1: u32 = D3DFVF_XYZRHW | D3DFVF_TEX1;

/// ps_2_0: the coordinates as a colour.
const SHOW: [u32; 9] = [
    0xFFFF_0200,
    0x0200_001F,
    0x8000_0000,
    0xB00F_0000,
    0x0200_0001,
    0x800F_0800,
    0xB0E4_0000,
    0x0000_FFFF,
    0,
];

/// A device whose target holds floats, and what reads a row of it.
struct Floats {
    device: Device,
    target: SurfaceHandle,
    memory: SurfaceHandle,
}

impl Floats {
    fn open() -> Option<Self> {
        let mut device = device(EDGE, EDGE)?;
        let format = D3DFMT_A32B32G32R32F;
        let target = device
            .create_render_target(EDGE, EDGE, format, 0, 0, false)
            .unwrap();
        let memory = device
            .create_offscreen_plain_surface(EDGE, EDGE, format, D3DPOOL_SYSTEMMEM)
            .unwrap();
        device.set_render_target(0, Some(target)).unwrap();
        for (state, value) in [
            (D3DRS_ZENABLE, D3DZB_FALSE),
            (D3DRS_CULLMODE, D3DCULL_NONE),
            (D3DRS_LIGHTING, 0),
        ] {
            device.set_render_state(state, value).unwrap();
        }
        let shader = device.create_pixel_shader(&SHOW[..8]).unwrap();
        device.set_pixel_shader(Some(shader)).unwrap();
        Some(Self {
            device,
            target,
            memory,
        })
    }

    fn clear(&mut self) {
        self.device.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    }

    fn pixel(&mut self, x: usize, y: usize) -> [f32; 4] {
        let d = &mut self.device;
        d.get_render_target_data(self.target, self.memory).unwrap();
        let lock = d.lock_rect(self.memory, None, D3DLOCK_READONLY).unwrap();
        let at = lock.pitch as usize * y + 16 * x;
        let raw = &d.locked_bytes_mut(self.memory).unwrap()[at..at + 16];
        let value =
            core::array::from_fn(|i| f32::from_le_bytes([0, 1, 2, 3].map(|b| raw[4 * i + b])));
        d.unlock_rect(self.memory).unwrap();
        value
    }

    /// The coordinates at (x, y), up to whole turns of the axes in `turns`.
    #[track_caller]
    fn expect(&mut self, x: usize, y: usize, want: [f32; 2], turns: [bool; 2]) {
        let got = self.pixel(x, y);
        for axis in 0..2 {
            let mut off = got[axis] - want[axis];
            if turns[axis] {
                off -= off.round();
            }
            assert!(off.abs() < 1e-3, "({x}, {y}): {got:?}, not {want:?}");
        }
    }
}

fn flatten(corners: &[Corner]) -> Vec<u8> {
    bytes(&corners.concat())
}

/// A strip over everything: u from `left` to `right`, v from `top` to `bottom`.
fn quad(left: f32, right: f32, top: f32, bottom: f32) -> [Corner; 4] {
    let edge = EDGE as f32;
    [
        [0.0, 0.0, 0.5, 1.0, left, top],
        [edge, 0.0, 0.5, 1.0, right, top],
        [0.0, edge, 0.5, 1.0, left, bottom],
        [edge, edge, 0.5, 1.0, right, bottom],
    ]
}

/// The value at pixel `at` of 64 on the way from `from` to `to`.
fn between(from: f32, to: f32, at: usize) -> f32 {
    from + (to - from) * at as f32 / EDGE as f32
}

#[test]
fn coordinates_take_the_shortest_way() {
    let Some(mut f) = Floats::open() else { return };
    f.device.set_fvf(XYZRHW_TEX1).unwrap();
    // From 0.9 to 0.1: down through 0.5, or up through 1.
    let strip = flatten(&quad(0.9, 0.1, 0.2, 0.8));
    for (wrap, far_u, far_v) in [
        (0, 0.1, 0.8),
        (D3DWRAP_U, 1.1, 0.8),
        (D3DWRAP_V, 0.1, -0.2),
        (D3DWRAP_U | D3DWRAP_V, 1.1, -0.2),
        // The third and fourth coordinates are none of these two.
        (4 | 8, 0.1, 0.8),
    ] {
        f.device.set_render_state(D3DRS_WRAP0, wrap).unwrap();
        f.clear();
        f.device
            .draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &strip, 24)
            .unwrap();
        for (x, y) in [(2, 2), (30, 5), (61, 3), (5, 60), (40, 50), (61, 61)] {
            let want = [between(0.9, far_u, x), between(0.2, far_v, y)];
            f.expect(x, y, want, [wrap & 1 != 0, wrap & 2 != 0]);
        }
    }
    // Half a turn exactly is as it is, and so is what is less.
    f.device
        .set_render_state(D3DRS_WRAP0, D3DWRAP_U | D3DWRAP_V)
        .unwrap();
    let strip = flatten(&quad(0.25, 0.75, 0.6, 0.3));
    f.clear();
    f.device
        .draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &strip, 24)
        .unwrap();
    f.expect(32, 16, [0.5, between(0.6, 0.3, 16)], [false; 2]);
}

#[test]
fn every_kind_of_primitive_and_index_wraps() {
    let Some(mut f) = Floats::open() else { return };
    f.device.set_fvf(XYZRHW_TEX1).unwrap();
    f.device.set_render_state(D3DRS_WRAP0, D3DWRAP_U).unwrap();
    let q = quad(0.9, 0.1, 0.25, 0.25);
    let list = [q[0], q[1], q[2], q[1], q[3], q[2]];
    let fan = [q[0], q[1], q[3], q[2]];
    let middle = [between(0.9, 1.1, 40), 0.25];
    for (primitive, corners) in [
        (D3DPT_TRIANGLELIST, &list[..]),
        (D3DPT_TRIANGLESTRIP, &q),
        (D3DPT_TRIANGLEFAN, &fan),
    ] {
        f.clear();
        f.device
            .draw_primitive_up(primitive, 2, &flatten(corners), 24)
            .unwrap();
        f.expect(40, 10, middle, [true, false]);
        f.expect(40, 50, middle, [true, false]);
        // The same behind three other vertices, named backwards.
        let mut more = vec![[0.0; 6]; 3];
        more.extend(corners.iter().rev());
        let last = more.len() as u16 - 1;
        let indices: Vec<u8> = (0..corners.len() as u16)
            .flat_map(|i| (last - i).to_le_bytes())
            .collect();
        f.clear();
        f.device
            .draw_indexed_primitive_up(
                primitive,
                3,
                corners.len() as u32,
                2,
                &indices,
                D3DFMT_INDEX16,
                &flatten(&more),
                24,
            )
            .unwrap();
        f.expect(40, 10, middle, [true, false]);
        f.expect(40, 50, middle, [true, false]);
    }
    let line = [
        [0.0, 32.0, 0.5, 1.0, 0.9, 0.25],
        [64.0, 32.0, 0.5, 1.0, 0.1, 0.25],
    ];
    for primitive in [D3DPT_LINELIST, D3DPT_LINESTRIP] {
        f.clear();
        f.device
            .draw_primitive_up(primitive, 1, &flatten(&line), 24)
            .unwrap();
        let got = f.pixel(40, 32);
        let off = got[0] - between(0.9, 1.1, 40);
        assert!((off - off.round()).abs() < 0.01, "a line: {got:?}");
    }
    // Points have no way to go.
    f.clear();
    f.device
        .draw_primitive_up(D3DPT_POINTLIST, 1, &flatten(&line[1..]), 24)
        .unwrap();
}

/// The vertices of the primitives do not fit together: 12,002 triangles of 6 KB.
#[test]
fn a_large_draw_wraps_to_its_last_primitive() {
    let Some(mut f) = Floats::open() else { return };
    f.device.set_fvf(XYZRHW_TEX1).unwrap();
    f.device.set_render_state(D3DRS_WRAP0, D3DWRAP_U).unwrap();
    let mut vertices = Vec::new();
    for corner in quad(0.9, 0.1, 0.25, 0.25) {
        vertices.extend(bytes(&corner));
        vertices.resize(vertices.len() + 2040 - 24, 0);
    }
    let mut indices = vec![0u16, 1, 2];
    indices.resize(3 + 12_000 * 3, 0);
    indices.extend([1, 3, 2]);
    let indices: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
    f.clear();
    f.device
        .draw_indexed_primitive_up(
            D3DPT_TRIANGLELIST,
            0,
            4,
            12_002,
            &indices,
            D3DFMT_INDEX16,
            &vertices,
            2040,
        )
        .unwrap();
    let middle = [between(0.9, 1.1, 40), 0.25];
    f.expect(40, 10, middle, [true, false]);
    f.expect(40, 50, middle, [true, false]);
}

/// With perspective, under a shader that makes the coordinates, and by the set that a stage of the
/// fixed function names.
#[test]
fn programs_and_stages_wrap_what_they_write() {
    let Some(mut f) = Floats::open() else { return };
    // vs_1_1: oPos = v0, oT0 = v1 + c0
    let tokens = [
        0xFFFE_0101,
        0x1F,
        0x8000_0000,
        0x900F_0000,
        0x1F,
        0x8000_0005,
        0x900F_0001,
        1,
        0xC00F_0000,
        0x90E4_0000,
        2,
        0xE00F_0000,
        0x90E4_0001,
        0xA0E4_0000,
        0x0000_FFFF,
    ];
    let shader = f.device.create_vertex_shader(&tokens).unwrap();
    f.device.set_vertex_shader(Some(shader)).unwrap();
    f.device
        .set_vertex_shader_constant_f(0, &[[0.4, 0.0, 0.0, 0.0]])
        .unwrap();
    let element = |offset, ty, usage| VertexElement {
        stream: 0,
        offset,
        ty,
        method: 0,
        usage,
        usage_index: 0,
    };
    let declaration = f
        .device
        .create_vertex_declaration(&[
            element(0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION),
            element(16, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD),
        ])
        .unwrap();
    f.device.set_vertex_declaration(Some(declaration)).unwrap();
    f.device.set_render_state(D3DRS_WRAP0, D3DWRAP_U).unwrap();
    // The right edge is twice as far away: w = 2 there. 0.9 to 0.1 by way of 1.
    let strip = flatten(&[
        [-1.0, 1.0, 0.5, 1.0, 0.5, 0.25],
        [2.0, 2.0, 1.0, 2.0, -0.3, 0.25],
        [-1.0, -1.0, 0.5, 1.0, 0.5, 0.25],
        [2.0, -2.0, 1.0, 2.0, -0.3, 0.25],
    ]);
    f.clear();
    f.device
        .draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &strip, 24)
        .unwrap();
    // Half way across the screen is a third of the way to w = 2.
    f.expect(32, 10, [0.9 + 0.2 / 3.0, 0.25], [true, false]);

    // Stage 0 of the fixed function reads set 1: the state of set 1 counts.
    f.device.set_vertex_shader(None).unwrap();
    f.device.set_fvf(D3DFVF_XYZ | 2 << 8).unwrap();
    f.device
        .set_texture_stage_state(0, D3DTSS_TEXCOORDINDEX, 1)
        .unwrap();
    let corner = |x: f32, y: f32, u: f32| [x, y, 0.5, 0.3, 0.3, u, 0.5];
    let strip = bytes(
        &[
            corner(-1.0, 1.0, 0.9),
            corner(1.0, 1.0, 0.1),
            corner(-1.0, -1.0, 0.9),
            corner(1.0, -1.0, 0.1),
        ]
        .concat(),
    );
    for (wrap0, wrap1, to) in [(D3DWRAP_U, 0, 0.1), (0, D3DWRAP_U, 1.1)] {
        f.device.set_render_state(D3DRS_WRAP0, wrap0).unwrap();
        f.device.set_render_state(D3DRS_WRAP1, wrap1).unwrap();
        f.clear();
        f.device
            .draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &strip, 28)
            .unwrap();
        f.expect(20, 40, [between(0.9, to, 20), 0.5], [wrap1 != 0, false]);
    }
}

/// Positions and normals a quarter of the way from the first to the second.
#[test]
fn a_tween_goes_part_of_the_way() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    let element = |offset, usage, usage_index| VertexElement {
        stream: 0,
        offset,
        ty: D3DDECLTYPE_FLOAT3,
        method: 0,
        usage,
        usage_index,
    };
    let declaration = d
        .create_vertex_declaration(&[
            element(0, D3DDECLUSAGE_POSITION, 0),
            element(12, D3DDECLUSAGE_NORMAL, 0),
            element(24, D3DDECLUSAGE_POSITION, 1),
            element(36, D3DDECLUSAGE_NORMAL, 1),
        ])
        .unwrap();
    d.set_vertex_declaration(Some(declaration)).unwrap();
    for (state, value) in [
        (D3DRS_ZENABLE, D3DZB_FALSE),
        (D3DRS_CULLMODE, D3DCULL_NONE),
        (D3DRS_VERTEXBLEND, D3DVBF_TWEENING),
        (D3DRS_TWEENFACTOR, 0.25f32.to_bits()),
    ] {
        d.set_render_state(state, value).unwrap();
    }
    let white = [1.0; 4];
    d.set_material(&Material {
        diffuse: white,
        ..Material::default()
    })
    .unwrap();
    d.set_light(
        0,
        &Light {
            kind: 3,
            diffuse: white,
            direction: [0.0, 0.0, 1.0],
            ..Light::default()
        },
    )
    .unwrap();
    d.light_enable(0, true).unwrap();
    // The left quarter of the screen on its way to the right; facing the light on its way to not.
    let vertex = |x: f32, y: f32| [x, y, 0.5, 0.0, 0.0, -1.0, x + 2.0, y, 0.5, 0.0, 0.0, 0.0];
    let strip = bytes(
        &[
            vertex(-1.0, 1.0),
            vertex(-0.5, 1.0),
            vertex(-1.0, -1.0),
            vertex(-0.5, -1.0),
        ]
        .concat(),
    );
    d.clear(&[], D3DCLEAR_TARGET, 0xFF00_00FF, 1.0, 0).unwrap();
    d.begin_scene().unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &strip, 48)
        .unwrap();
    d.end_scene().unwrap();
    // x from -1 to -0.5 is now from -0.5 to 0: pixels 16 to 31, lit by three quarters.
    let lit = 0xBF_BFBF;
    let picture = pixels(&mut d);
    for (x, want) in [(12, 0x0000FF), (18, lit), (30, lit), (36, 0x0000FF)] {
        assert_near(picture.at(x, 32), want, 1, "a column");
    }
}
