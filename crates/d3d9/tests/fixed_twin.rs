//! Fixed-function vertices on the GPU against their twin on the CPU, which was written from the
//! documentation apart from the shaders: random states, read back as floats.
//!
//! Each vertex is a point of a few pixels, so that a pixel holds what left the vertex, without
//! interpolation.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;
use ninefold_exec::fixed as twin;

const EDGE: u32 = 16;
const STATES: u64 = 150;

/// A small generator, so that a failure names a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % n
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.below(10_000) as f32 / 9_999.0
    }

    fn color(&mut self, most: f32) -> [f32; 4] {
        [0; 4].map(|_| self.within(0.0, most))
    }

    fn place(&mut self, reach: f32) -> [f32; 3] {
        [0; 3].map(|_| self.within(-reach, reach))
    }

    /// Near the identity, leaving w alone.
    fn matrix(&mut self, reach: f32) -> Matrix {
        let mut m = [[0.0; 4]; 4];
        for (i, row) in m.iter_mut().enumerate() {
            for (j, value) in row.iter_mut().enumerate().take(3) {
                *value = f32::from(u8::from(i == j)) + self.within(-reach, reach);
            }
        }
        m[3][3] = 1.0;
        m
    }
}

fn light(r: &mut Random) -> twin::Light {
    let theta = r.within(0.1, 1.5);
    twin::Light {
        kind: 1 + r.below(3),
        diffuse: r.color(0.6),
        specular: r.color(0.6),
        ambient: r.color(0.2),
        position: r.place(1.0),
        direction: [r.within(-1.0, 1.0), r.within(-1.0, 1.0), r.within(0.1, 1.0)],
        range: r.within(0.5, 4.0),
        falloff: r.within(0.3, 2.0),
        attenuation: [r.within(0.3, 1.0), r.within(0.0, 0.5), r.within(0.0, 0.5)],
        theta,
        phi: theta + r.within(0.1, 1.5),
    }
}

/// Everything random about one draw.
struct Case {
    world: [Matrix; 4],
    lights: Vec<twin::Light>,
    elements: twin::Elements,
    vertex: twin::Vertex,
}

fn state<'a>(r: &mut Random, case: &'a Case) -> twin::State<'a> {
    let mut stages = twin::State::default().stages;
    for stage in &mut stages[..2] {
        stage.texcoord_index = r.below(3) | if r.flag() { r.below(5) << 16 } else { 0 };
        stage.transform_flags = r.below(5) | if r.below(4) == 0 { 0x100 } else { 0 };
        stage.transform = r.matrix(0.4);
        for row in &mut stage.transform {
            row[3] += r.within(0.0, 0.3);
        }
    }
    twin::State {
        world: &case.world,
        view: r.matrix(0.1),
        projection: r.matrix(0.1),
        stages,
        viewport: twin::Viewport {
            x: 0,
            y: 0,
            width: EDGE,
            height: EDGE,
            min_z: 0.0,
            max_z: 1.0,
        },
        lighting: r.below(5) != 0,
        lights: &case.lights,
        material: twin::Material {
            diffuse: r.color(1.0),
            ambient: r.color(1.0),
            specular: r.color(1.0),
            emissive: r.color(0.3),
            power: r.within(0.5, 20.0),
        },
        ambient: [0x20, 0x60, 0x40, 0x80].map(|c: u8| f32::from(c) / 255.0),
        specular_enable: r.flag(),
        local_viewer: r.flag(),
        normalize_normals: r.flag(),
        color_vertex: r.below(4) != 0,
        diffuse_source: r.below(3),
        ambient_source: r.below(3),
        specular_source: r.below(3),
        emissive_source: r.below(3),
        vertex_blend: [0, 0, 1, 2, 3, 256, 255, 255][r.below(8) as usize],
        tween_factor: r.within(-0.2, 1.2),
        fog: twin::Fog {
            enable: true,
            table_mode: 0,
            vertex_mode: r.below(4),
            range: r.flag(),
            radial: r.flag(),
            start: r.within(-0.5, 0.5),
            end: r.within(0.4, 1.5),
            density: r.within(0.2, 2.0),
        },
        points: twin::Points {
            size: 4.0,
            ..twin::State::default().points
        },
        ..twin::State::default()
    }
}

fn case(r: &mut Random) -> Case {
    let world = [0; 4].map(|_| r.matrix(0.15));
    let lights = (0..r.below(5)).map(|_| light(r)).collect();
    let sum = r.within(0.2, 1.0);
    let position = [
        r.within(-0.5, 0.5),
        r.within(-0.5, 0.5),
        r.within(0.3, 0.7),
        1.0,
    ];
    Case {
        world,
        lights,
        elements: twin::Elements {
            normal: r.below(6) != 0,
            diffuse: r.flag(),
            specular: r.flag(),
            weights: true,
            position1: r.below(3) != 0,
            normal1: r.flag(),
            coordinates: [4, 2, 0, 0, 0, 0, 0, 0],
            ..twin::Elements::default()
        },
        vertex: twin::Vertex {
            position,
            position1: [
                position[0] + r.within(-0.1, 0.1),
                position[1] + r.within(-0.1, 0.1),
                position[2] + r.within(-0.1, 0.1),
                1.0,
            ],
            normal1: r.place(1.0),
            normal: [
                r.within(-0.6, 0.6),
                r.within(-0.6, 0.6),
                r.within(-1.2, -0.2),
            ],
            diffuse: [0; 4].map(|_| r.below(256) as f32 / 255.0),
            specular: [0; 4].map(|_| r.below(256) as f32 / 255.0),
            weights: [0.5 * sum, 0.3 * sum, 0.2 * sum, 0.0],
            coordinates: [0; 8].map(|_| r.color(1.0)),
            ..twin::Vertex::default()
        },
    }
}

fn argb(c: [f32; 4]) -> u32 {
    let [r, g, b, a] = c.map(|v| (v * 255.0).round() as u32);
    a << 24 | r << 16 | g << 8 | b
}

/// Sets everything on the device but what a pass chooses.
fn apply(d: &mut Device, s: &twin::State<'_>) {
    for (n, world) in s.world.iter().enumerate() {
        d.set_transform(D3DTS_WORLD + n as u32, world).unwrap();
    }
    d.set_transform(D3DTS_VIEW, &s.view).unwrap();
    d.set_transform(D3DTS_PROJECTION, &s.projection).unwrap();
    for (n, stage) in (0u32..).zip(&s.stages[..2]) {
        d.set_texture_stage_state(n, D3DTSS_TEXCOORDINDEX, stage.texcoord_index)
            .unwrap();
        d.set_texture_stage_state(n, D3DTSS_TEXTURETRANSFORMFLAGS, stage.transform_flags)
            .unwrap();
        d.set_transform(D3DTS_TEXTURE0 + n, &stage.transform)
            .unwrap();
    }
    for n in 0..5 {
        let light = s.lights.get(n as usize);
        if let Some(l) = light {
            let l = Light {
                kind: l.kind,
                diffuse: l.diffuse,
                specular: l.specular,
                ambient: l.ambient,
                position: l.position,
                direction: l.direction,
                range: l.range,
                falloff: l.falloff,
                attenuation0: l.attenuation[0],
                attenuation1: l.attenuation[1],
                attenuation2: l.attenuation[2],
                theta: l.theta,
                phi: l.phi,
            };
            d.set_light(n, &l).unwrap();
        }
        d.light_enable(n, light.is_some()).unwrap();
    }
    d.set_material(&Material {
        diffuse: s.material.diffuse,
        ambient: s.material.ambient,
        specular: s.material.specular,
        emissive: s.material.emissive,
        power: s.material.power,
    })
    .unwrap();
    let fog = &s.fog;
    d.set_panorama_pass(fog.radial.then_some(Bearing::FREE));
    for (state, value) in [
        (D3DRS_LIGHTING, s.lighting.into()),
        (D3DRS_AMBIENT, argb(s.ambient)),
        (D3DRS_SPECULARENABLE, s.specular_enable.into()),
        (D3DRS_LOCALVIEWER, s.local_viewer.into()),
        (D3DRS_NORMALIZENORMALS, s.normalize_normals.into()),
        (D3DRS_COLORVERTEX, s.color_vertex.into()),
        (D3DRS_DIFFUSEMATERIALSOURCE, s.diffuse_source),
        (D3DRS_AMBIENTMATERIALSOURCE, s.ambient_source),
        (D3DRS_SPECULARMATERIALSOURCE, s.specular_source),
        (D3DRS_EMISSIVEMATERIALSOURCE, s.emissive_source),
        (D3DRS_VERTEXBLEND, s.vertex_blend),
        (D3DRS_TWEENFACTOR, s.tween_factor.to_bits()),
        (D3DRS_FOGVERTEXMODE, fog.vertex_mode),
        (D3DRS_RANGEFOGENABLE, fog.range.into()),
        (D3DRS_FOGSTART, fog.start.to_bits()),
        (D3DRS_FOGEND, fog.end.to_bits()),
        (D3DRS_FOGDENSITY, fog.density.to_bits()),
        (D3DRS_POINTSIZE, s.points.size.to_bits()),
    ] {
        d.set_render_state(state, value).unwrap();
    }
}

/// The vertex as its FVF lays it out.
fn vertex_bytes(case: &Case) -> (u32, Vec<u8>) {
    let (v, e) = (&case.vertex, &case.elements);
    let mut fvf = D3DFVF_XYZB3 | 2 << 8 | D3DFVF_TEXCOORDSIZE4_0;
    let mut out = bytes(&v.position[..3]);
    out.extend(bytes(&v.weights[..3]));
    if e.normal {
        fvf |= D3DFVF_NORMAL;
        out.extend(bytes(&v.normal));
    }
    for (there, bit, color) in [
        (e.diffuse, D3DFVF_DIFFUSE, v.diffuse),
        (e.specular, D3DFVF_SPECULAR, v.specular),
    ] {
        if there {
            fvf |= bit;
            out.extend(argb(color).to_le_bytes());
        }
    }
    out.extend(bytes(&v.coordinates[0]));
    out.extend(bytes(&v.coordinates[1][..2]));
    (fvf, out)
}

/// The vertex with the ends of its tween, which no FVF has.
fn tweened_bytes(d: &mut Device, case: &Case) -> (VertexDeclarationHandle, Vec<u8>) {
    let (_, mut out) = vertex_bytes(case);
    let (v, e) = (&case.vertex, &case.elements);
    let mut elements = Vec::new();
    let mut offset = 0;
    let mut element = |there: bool, usage, usage_index, ty, size| {
        if there {
            elements.push(VertexElement {
                stream: 0,
                offset,
                ty,
                method: 0,
                usage,
                usage_index,
            });
            offset += size;
        }
    };
    element(true, D3DDECLUSAGE_POSITION, 0, D3DDECLTYPE_FLOAT3, 12);
    element(true, D3DDECLUSAGE_BLENDWEIGHT, 0, D3DDECLTYPE_FLOAT3, 12);
    element(e.normal, D3DDECLUSAGE_NORMAL, 0, D3DDECLTYPE_FLOAT3, 12);
    element(e.diffuse, D3DDECLUSAGE_COLOR, 0, D3DDECLTYPE_D3DCOLOR, 4);
    element(e.specular, D3DDECLUSAGE_COLOR, 1, D3DDECLTYPE_D3DCOLOR, 4);
    element(true, D3DDECLUSAGE_TEXCOORD, 0, D3DDECLTYPE_FLOAT4, 16);
    element(true, D3DDECLUSAGE_TEXCOORD, 1, D3DDECLTYPE_FLOAT2, 8);
    element(
        e.position1,
        D3DDECLUSAGE_POSITION,
        1,
        D3DDECLTYPE_FLOAT3,
        12,
    );
    element(e.normal1, D3DDECLUSAGE_NORMAL, 1, D3DDECLTYPE_FLOAT3, 12);
    if e.position1 {
        out.extend(bytes(&v.position1[..3]));
    }
    if e.normal1 {
        out.extend(bytes(&v.normal1));
    }
    let declaration = d.create_vertex_declaration(&elements).unwrap();
    (declaration, out)
}

/// `D3DFVF_TEXCOORDSIZE4(0)`.
const D3DFVF_TEXCOORDSIZE4_0: u32 = 2 << 16;

/// ps_2_0 that returns both colours and two sets of coordinates, each in a target of its own.
const PASS_THROUGH: [u32; 26] = [
    0xFFFF_0200,
    // dcl v0, v1, t0, t1
    0x0200_001F,
    0x8000_0000,
    0x900F_0000,
    0x0200_001F,
    0x8000_0000,
    0x900F_0001,
    0x0200_001F,
    0x8000_0000,
    0xB00F_0000,
    0x0200_001F,
    0x8000_0000,
    0xB00F_0001,
    // mov oC0, v0 and so on
    0x0200_0001,
    0x800F_0800,
    0x90E4_0000,
    0x0200_0001,
    0x800F_0801,
    0x90E4_0001,
    0x0200_0001,
    0x800F_0802,
    0xB0E4_0000,
    0x0200_0001,
    0x800F_0803,
    0xB0E4_0001,
    0x0000_FFFF,
];

struct Target {
    surface: SurfaceHandle,
    memory: SurfaceHandle,
}

impl Target {
    fn pixel(&self, d: &mut Device, x: usize, y: usize) -> [f32; 4] {
        d.get_render_target_data(self.surface, self.memory).unwrap();
        let lock = d.lock_rect(self.memory, None, D3DLOCK_READONLY).unwrap();
        let at = lock.pitch as usize * y + 16 * x;
        let raw = &d.locked_bytes_mut(self.memory).unwrap()[at..at + 16];
        let value =
            core::array::from_fn(|i| f32::from_le_bytes([0, 1, 2, 3].map(|b| raw[4 * i + b])));
        d.unlock_rect(self.memory).unwrap();
        value
    }
}

#[test]
fn random_states_agree() {
    let Some(direct3d) = direct3d_with(|settings| settings.renderer.radial_fog = true) else {
        return;
    };
    let mut d = direct3d
        .create_device(&PresentParameters::windowed(EDGE, EDGE))
        .expect("a device");
    let float = D3DFMT_A32B32G32R32F;
    let targets = [0, 1, 2, 3].map(|n| {
        let target = Target {
            surface: d
                .create_render_target(EDGE, EDGE, float, 0, 0, false)
                .unwrap(),
            memory: d
                .create_offscreen_plain_surface(EDGE, EDGE, float, D3DPOOL_SYSTEMMEM)
                .unwrap(),
        };
        d.set_render_target(n, Some(target.surface)).unwrap();
        target
    });
    d.set_render_state(D3DRS_ZENABLE, D3DZB_FALSE).unwrap();
    d.set_render_state(D3DRS_FOGCOLOR, 0).unwrap();
    // Without a pixel shader every pixel is white, which black fog turns into its factor.
    d.set_render_state(D3DRS_TEXTUREFACTOR, u32::MAX).unwrap();
    for (state, value) in [
        (D3DTSS_COLOROP, D3DTOP_SELECTARG1),
        (D3DTSS_COLORARG1, D3DTA_TFACTOR),
    ] {
        d.set_texture_stage_state(0, state, value).unwrap();
    }
    let shader = d.create_pixel_shader(&PASS_THROUGH).unwrap();
    let mut drawn = 0;
    for seed in 1..=STATES {
        let mut r = Random(seed);
        let case = case(&mut r);
        let state = state(&mut r, &case);
        let want = twin::Pipeline::new(&state, &case.elements).run(&case.vertex);
        let [x, y, z, _] = state.viewport.pixels(want.position);
        let inside = 1.0..(EDGE - 2) as f32;
        if !inside.contains(&x) || !inside.contains(&y) || !(0.0..1.0).contains(&z) {
            continue;
        }
        drawn += 1;
        let place = (x.round() as usize, y.round() as usize);
        apply(&mut d, &state);
        let vertex = match (case.elements.position1, case.elements.normal1) {
            (false, false) => {
                let (fvf, vertex) = vertex_bytes(&case);
                d.set_fvf(fvf).unwrap();
                vertex
            }
            _ => {
                let (declaration, vertex) = tweened_bytes(&mut d, &case);
                d.set_vertex_declaration(Some(declaration)).unwrap();
                vertex
            }
        };
        let varyings = [
            (&want.diffuse[..], "diffuse"),
            (&want.specular[..], "specular"),
            (&want.coordinates[0][..], "coordinates 0"),
            (&want.coordinates[1][..], "coordinates 1"),
        ];
        let fogged = [want.fog; 3];
        let passes = [
            (Some(shader), &varyings[..]),
            (None, &[(&fogged[..], "fog")][..]),
        ];
        for (shader, outputs) in passes {
            let fog = shader.is_none();
            d.set_render_state(D3DRS_FOGENABLE, fog.into()).unwrap();
            // Specular would be added to the white.
            let specular = state.specular_enable && !fog;
            d.set_render_state(D3DRS_SPECULARENABLE, specular.into())
                .unwrap();
            d.set_pixel_shader(shader).unwrap();
            d.clear(&[], D3DCLEAR_TARGET, 0x1234_5678, 1.0, 0).unwrap();
            d.draw_primitive_up(D3DPT_POINTLIST, 1, &vertex, vertex.len() as u32)
                .unwrap();
            for (target, (want, what)) in targets.iter().zip(outputs) {
                let got = target.pixel(&mut d, place.0, place.1);
                for (i, (got, &want)) in got.into_iter().zip(*want).enumerate() {
                    assert!(
                        (got - want).abs() <= 1e-3 + 1e-3 * want.abs(),
                        "seed {seed}, {what}, component {i}: the GPU has {got}, the CPU {want}"
                    );
                }
            }
        }
    }
    assert!(drawn > STATES / 2, "{drawn} of {STATES} vertices were seen");
}

/// What is only a number is no part of a shader: many states, few pipelines.
#[test]
fn dxvk_3534_numbers_make_no_pipelines() {
    let Some(mut d) = device(EDGE, EDGE) else {
        return;
    };
    d.set_render_state(D3DRS_FOGENABLE, 1).unwrap();
    d.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR)
        .unwrap();
    d.set_render_state(D3DRS_SPECULARENABLE, 1).unwrap();
    d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL).unwrap();
    let triangle = bytes(&[0.0; 18]);
    for kind in 1..=3 {
        d.set_light(
            kind,
            &Light {
                kind,
                ..Light::default()
            },
        )
        .unwrap();
        d.light_enable(kind, true).unwrap();
    }
    let mut built = None;
    for n in 0..60u32 {
        let mut r = Random(n.into());
        for place in [D3DTS_WORLD, D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_TEXTURE0] {
            let m = r.matrix(0.2);
            d.set_transform(place, &m).unwrap();
        }
        // Lights come and go, but there is one of each type.
        let extra = Light {
            kind: 1 + n % 3,
            diffuse: r.color(1.0),
            position: r.place(2.0),
            range: 3.0,
            attenuation1: 1.0,
            ..Light::default()
        };
        d.set_light(7, &extra).unwrap();
        d.light_enable(7, r.flag()).unwrap();
        for (state, value) in [
            (D3DRS_AMBIENT, r.below(1 << 24)),
            (D3DRS_FOGCOLOR, r.below(1 << 24)),
            (D3DRS_FOGSTART, r.within(0.0, 1.0).to_bits()),
            (D3DRS_FOGEND, r.within(1.0, 2.0).to_bits()),
            (D3DRS_TEXTUREFACTOR, r.below(1 << 24)),
            (D3DRS_ALPHAREF, r.below(256)),
        ] {
            d.set_render_state(state, value).unwrap();
        }
        let material = Material {
            diffuse: r.color(1.0),
            power: r.within(0.0, 9.0),
            ..Material::default()
        };
        d.set_material(&material).unwrap();
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &triangle, 24)
            .unwrap();
        let now = d.renderer_stats().pipelines_built;
        assert_eq!(*built.get_or_insert(now), now, "draw {n} built a pipeline");
    }
}
