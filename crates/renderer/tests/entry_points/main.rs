//! The specification's five draw entry points: what each refuses, what it draws nothing of, and
//! what its pixels must be.

#[path = "../common/mod.rs"]
mod common;
mod programs;

use common::{Alone, d3dcolor, floats, near, pixel, pixels, quad, texture};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    BlendMode, Cascade, CommonState, Context, DepthStencilKey, ErrorKind, FixedState, FixedVertex,
    ImageDesc, ImageFormat, ImageKind, Primitive, ProgramState, ResidentCopy, RhwState, RhwVertex,
    SamplerKey, SecondaryStream, Settings, ShaderId, VertexElement,
};
use ninefold_shader::fixed::{FragmentStage, op};

const BLACK: u32 = 0xFF00_0000;
const GREEN: u32 = 0xFF00_FF00;

const fn element(stream: u8, offset: u16, ty: u8, usage: u8, index: u8) -> VertexElement {
    VertexElement {
        stream,
        offset,
        ty,
        usage,
        index,
    }
}

/// `FLOAT4` position.
const POSITION: VertexElement = element(0, 0, 3, 0, 0);
/// `FLOAT2` texture coordinates behind it.
const COORDINATES: VertexElement = element(0, 16, 1, 5, 0);

fn shader(r: &mut Alone, text: &str) -> ShaderId {
    r.register_shader(&assemble(text).unwrap()).unwrap()
}

/// The five entry points.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Rhw,
    Program,
    FixedRhw,
    ProgramRhw,
    FixedClip,
}

const ENTRIES: [Entry; 5] = [
    Entry::Rhw,
    Entry::Program,
    Entry::FixedRhw,
    Entry::ProgramRhw,
    Entry::FixedClip,
];

/// Draws green through any of them. Positions are pixels of a context of `EDGE` x `EDGE`.
struct Green {
    vertex: ShaderId,
    pixel: ShaderId,
}

const EDGE: u32 = 4;

impl Green {
    fn new(r: &mut Alone) -> Self {
        let vertex = "vs_1_1\ndcl_position v0\nmov oPos, v0\n";
        let pixel = "ps_1_1\ndef c0, 0, 1, 0, 1\nmov r0, c0\n";
        Self {
            vertex: shader(r, vertex),
            pixel: shader(r, pixel),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn draw(
        &self,
        r: &mut Alone,
        context: &Context,
        entry: Entry,
        common: CommonState,
        primitive: Primitive,
        at: &[[f32; 2]],
        indices: Option<&[u16]>,
    ) -> ninefold_renderer::Result<()> {
        let clip = |[x, y]: [f32; 2]| {
            let edge = EDGE as f32;
            [2.0 * x / edge - 1.0, 1.0 - 2.0 * y / edge, 0.5, 1.0]
        };
        let fixed: Vec<FixedVertex> = at
            .iter()
            .map(|&[x, y]| FixedVertex {
                position: match entry {
                    Entry::FixedClip => clip([x, y]),
                    _ => [x, y, 0.5, 1.0],
                },
                color: [0.0, 1.0, 0.0, 1.0],
                ..FixedVertex::default()
            })
            .collect();
        let state = ProgramState::new(&common, self.vertex, Some(self.pixel), &[POSITION]);
        let cascade = FixedState {
            common,
            ..FixedState::default()
        };
        match entry {
            Entry::Rhw => {
                let state = RhwState {
                    common,
                    ..RhwState::default()
                };
                let vertices: Vec<RhwVertex> = at
                    .iter()
                    .map(|&[x, y]| RhwVertex {
                        x,
                        y,
                        z: 0.5,
                        rhw: 1.0,
                        color: GREEN,
                        ..RhwVertex::default()
                    })
                    .collect();
                let bytes = bytemuck::cast_slice(&vertices);
                let count = vertices.len() as u32;
                r.draw_rhw(context, &state, primitive, bytes, 28, count, indices)
            }
            Entry::Program => {
                let vertices: Vec<[f32; 4]> = at.iter().map(|&at| clip(at)).collect();
                let bytes = bytemuck::cast_slice(&vertices);
                let count = vertices.len() as u32;
                r.draw_program(context, &state, primitive, bytes, 16, count, indices)
            }
            Entry::FixedRhw => r.draw_fixed_rhw(context, &cascade, primitive, &fixed, indices),
            Entry::ProgramRhw => r.draw_program_rhw(context, &state, primitive, &fixed, indices),
            Entry::FixedClip => r.draw_fixed_clip(context, &cascade, primitive, &fixed, indices),
        }
    }
}

const WHOLE: [[f32; 2]; 4] = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]];

#[test]
fn every_primitive_at_every_entry_point() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let green = Green::new(&mut r);
    type Covered = fn(u32, u32) -> bool;
    // Pixel centres are at integer coordinates; a line covers its first pixel and not its last.
    let cases: [(Primitive, &[[f32; 2]], u64, Covered); 5] = [
        (
            Primitive::PointList,
            &[[0.0, 0.0], [1.0, 2.0], [3.0, 3.0]],
            0,
            |x, y| [(0, 0), (1, 2), (3, 3)].contains(&(x, y)),
        ),
        (
            Primitive::LineList,
            &[[0.0, 1.0], [4.0, 1.0], [0.0, 3.0], [2.0, 3.0]],
            0,
            |x, y| y == 1 || y == 3 && x < 2,
        ),
        (
            Primitive::LineStrip,
            &[[0.0, 2.0], [2.0, 2.0], [4.0, 2.0]],
            0,
            |_, y| y == 2,
        ),
        (
            Primitive::TriangleList,
            &[
                [0.0, 0.0],
                [4.0, 0.0],
                [0.0, 2.0],
                [0.0, 2.0],
                [4.0, 0.0],
                [4.0, 2.0],
            ],
            2,
            |_, y| y < 2,
        ),
        (Primitive::TriangleStrip, &WHOLE, 2, |_, _| true),
    ];
    for entry in ENTRIES {
        let context = r.create_context(EDGE, EDGE).unwrap();
        let mut triangles = 0;
        for (primitive, at, adds, covered) in cases {
            r.clear_context(&context, BLACK).unwrap();
            let state = CommonState::default();
            green
                .draw(&mut r, &context, entry, state, primitive, at, None)
                .unwrap();
            let read = r.read_framebuffer(&context).unwrap();
            for y in 0..EDGE {
                for x in 0..EDGE {
                    let want = if covered(x, y) { GREEN } else { BLACK };
                    let got = pixel(&read, EDGE, x, y);
                    assert_eq!(got, want, "{entry:?} {primitive:?} at {x} {y}");
                }
            }
            triangles += adds;
            assert_eq!(context.triangles(), triangles, "{entry:?} {primitive:?}");
        }
    }
}

#[test]
fn every_entry_point_has_the_same_limits() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let green = Green::new(&mut r);
    let mut context = r.create_context(EDGE, EDGE).unwrap();
    let nowhere = |n: usize| vec![[-9.0f32, -9.0]; n];
    let good = CommonState::default();
    let list = Primitive::TriangleList;
    let (three, most, many) = (nowhere(3), nowhere(65_536), nowhere(65_537));
    let indices = vec![2u16; 196_609];
    for entry in ENTRIES {
        let mut draw = |at: &[[f32; 2]], indices: Option<&[u16]>| {
            let draws = r.stats().draws;
            let done = green.draw(&mut r, &context, entry, good, list, at, indices);
            (done.map_err(|e| e.kind()), r.stats().draws - draws)
        };
        assert_eq!(draw(&most, None), (Ok(()), 1), "{entry:?}");
        assert_eq!(draw(&three, Some(&indices[..196_608])), (Ok(()), 1));
        for (at, indices, kind) in [
            (&[][..], None, ErrorKind::Args),
            (&many, None, ErrorKind::Args),
            (&three, Some(&indices[..]), ErrorKind::Args),
            (&three, Some(&[0, 1, 3][..]), ErrorKind::Bounds),
            (&three, Some(&[0, 65_535][..]), ErrorKind::Bounds),
        ] {
            assert_eq!(draw(at, indices), (Err(kind), 0), "{entry:?}");
        }
        // Nothing, and a success.
        assert_eq!(draw(&three[..2], None), (Ok(()), 0), "{entry:?}");
        assert_eq!(draw(&three, Some(&[0, 1])), (Ok(()), 0));
        assert_eq!(draw(&three, Some(&[])), (Ok(()), 0));
    }
    // State out of range, whatever the entry point.
    let wrong = [
        CommonState { cull: 0, ..good },
        CommonState { cull: 4, ..good },
        CommonState {
            write_mask: 16,
            ..good
        },
        CommonState {
            alpha_test: Some((0, 0)),
            ..good
        },
        CommonState {
            alpha_test: Some((9, 0)),
            ..good
        },
        CommonState {
            blend: BlendMode::Custom {
                src: 0,
                dst: 1,
                op: 1,
            },
            ..good
        },
        CommonState {
            depth_stencil: DepthStencilKey {
                depth_test: true,
                depth_func: 9,
                ..DepthStencilKey::default()
            },
            ..good
        },
    ];
    let before = r.stats();
    for entry in ENTRIES {
        for state in wrong {
            let error = green
                .draw(&mut r, &context, entry, state, list, &WHOLE[..3], None)
                .unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::Args,
                "{entry:?} {state:?}: {error}"
            );
        }
    }
    // A line has two vertices, and yet there must be three; an empty viewport draws nothing.
    for entry in ENTRIES {
        for primitive in [Primitive::LineList, Primitive::PointList] {
            green
                .draw(&mut r, &context, entry, good, primitive, &WHOLE[..2], None)
                .unwrap();
        }
    }
    context.set_viewport(1, 1, 0, 3);
    for entry in ENTRIES {
        let strip = Primitive::TriangleStrip;
        green
            .draw(&mut r, &context, entry, good, strip, &WHOLE, None)
            .unwrap();
    }
    let after = r.stats();
    assert_eq!(after.draws, before.draws);
    assert_eq!(after.pipelines_built, before.pipelines_built);
    let read = r.read_framebuffer(&context).unwrap();
    assert!(pixels(&read).iter().all(|&p| p == BLACK));
}

#[test]
fn strides_of_raw_vertices() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let green = Green::new(&mut r);
    let context = r.create_context(1, 1).unwrap();
    let bytes = vec![0u8; 3 * 300];
    let (common, rhw) = (CommonState::default(), RhwState::default());
    let list = Primitive::TriangleList;
    let streams = |stride| SecondaryStream {
        stream: 1,
        data: &bytes,
        stride,
        resident: None,
    };
    let state = ProgramState::new(&common, green.vertex, Some(green.pixel), &[POSITION]);
    for (stride, rhw_fits, program) in [
        (0, false, Err(ErrorKind::Args)),
        // The element does not fit.
        (15, false, Err(ErrorKind::Decl)),
        (16, false, Ok(())),
        (27, false, Err(ErrorKind::Args)),
        (28, true, Ok(())),
        (256, true, Ok(())),
        (257, false, Err(ErrorKind::Args)),
    ] {
        let done = r.draw_rhw(&context, &rhw, list, &bytes, stride, 3, None);
        assert_eq!(done.is_ok(), rhw_fits, "stride {stride}");
        if stride != 27 {
            let done = r.draw_program(&context, &state, list, &bytes, stride, 3, None);
            assert_eq!(done.map_err(|e| e.kind()), program, "stride {stride}");
        }
        let second = [streams(stride)];
        let state = ProgramState {
            streams: &second,
            ..state
        };
        let done = r.draw_program(&context, &state, list, &bytes, 16, 3, None);
        assert_eq!(
            done.is_ok(),
            (1..=256).contains(&stride),
            "secondary stride {stride}"
        );
    }
    let short = r.draw_rhw(&context, &rhw, list, &bytes[..83], 28, 3, None);
    assert_eq!(short.unwrap_err().kind(), ErrorKind::Bounds);
}

#[test]
fn the_texture_may_give_its_colour_only() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(1, 1).unwrap();
    let (texel, diffuse) = (0x40FF_8040, 0x8080_FF20);
    let image = texture(&mut r, 1, 1, &[texel]);
    let (t, d) = (floats(texel), floats(diffuse));
    for texture_color_only in [false, true] {
        let state = RhwState {
            texture: Some(image.clone()),
            texture_color_only,
            ..RhwState::default()
        };
        common::draw(
            &mut r,
            &context,
            &state,
            &quad(0.0, 0.0, 1.0, 1.0, 0.5, diffuse),
        );
        let mut want = [0, 1, 2, 3].map(|i| t[i] * d[i]);
        if texture_color_only {
            want[3] = d[3];
        }
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(near(got, d3dcolor(want), 1), "{got:08x}");
    }
    let cube = r
        .create_image(&ImageDesc {
            kind: ImageKind::Cube,
            ..ImageDesc::d2(1, 1, ImageFormat::Bgra8)
        })
        .unwrap();
    let state = RhwState {
        texture: Some(cube),
        ..RhwState::default()
    };
    let vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, diffuse);
    let error = common::try_draw(&mut r, &context, &state, &vertices).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Texture);
}

/// `linear_filter` and `address_clamp`: between two texels, and outside of them.
#[test]
fn the_four_plain_samplers() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(1, 1).unwrap();
    let image = texture(&mut r, 2, 1, &[0xFF00_0000, 0xFF64_64C8]);
    for (linear, clamp, u, want) in [
        (false, false, 0.3, 0xFF00_0000),
        (true, false, 0.5, 0xFF32_3264),
        // 1.25 is 0.25 again, or the last texel.
        (false, false, 1.25, 0xFF00_0000),
        (false, true, 1.25, 0xFF64_64C8),
        (true, false, 1.25, 0xFF00_0000),
        (true, true, 1.25, 0xFF64_64C8),
        // Half of each: the edge wraps to the other end.
        (true, false, 1.0, 0xFF32_3264),
        (true, true, 1.0, 0xFF64_64C8),
    ] {
        let state = RhwState {
            texture: Some(image.clone()),
            sampler: SamplerKey::simple(linear, clamp),
            ..RhwState::default()
        };
        let mut vertices = quad(0.0, 0.0, 1.0, 1.0, 0.5, !0);
        for vertex in &mut vertices {
            (vertex.u, vertex.v) = (u, 0.5);
        }
        common::draw(&mut r, &context, &state, &vertices);
        let got = pixels(&r.read_framebuffer(&context).unwrap())[0];
        assert!(
            near(got, want, 1),
            "linear {linear} clamp {clamp} at {u}: {got:08x}"
        );
    }
}

fn fixed_quad(color: [f32; 4]) -> [FixedVertex; 4] {
    WHOLE.map(|[x, y]| FixedVertex {
        position: [x, y, 0.5, 1.0],
        color,
        uv: [[0.5; 2]; 8],
        ..FixedVertex::default()
    })
}

/// Texture times current.
fn modulate() -> FragmentStage {
    FragmentStage {
        color_op: op::MODULATE,
        color_args: [0, op::arg::TEXTURE, op::arg::CURRENT],
        alpha_op: op::MODULATE,
        alpha_args: [0, op::arg::TEXTURE, op::arg::CURRENT],
        ..FragmentStage::default()
    }
}

#[test]
fn a_missing_texture_fails_the_draw_unless_white_stands_in() {
    let strip = Primitive::TriangleStrip;
    let vertices = fixed_quad([1.0, 0.2, 0.4, 0.6]);
    for fallback in [false, true] {
        let settings = Settings {
            texture_fallback: fallback,
            ..Settings::default()
        };
        let Some(mut r) = common::renderer_with(settings) else {
            return;
        };
        let context = r.create_context(EDGE, EDGE).unwrap();
        let image = texture(&mut r, 1, 1, &[0xFF80_80FF]);
        let mut state = FixedState::default();
        state.stages[..2].fill(modulate());
        state.textures[0] = Some(image.clone());
        for _ in 0..2 {
            let done = r.draw_fixed_rhw(&context, &state, strip, &vertices, None);
            match fallback {
                true => done.unwrap(),
                false => {
                    let error = done.unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Texture);
                    assert_eq!(error.text(), "fixed stage 1 texture is unavailable");
                }
            }
        }
        // White in stage 1 leaves what stage 0 made: the texture times the diffuse colour.
        let t = floats(0xFF80_80FF);
        let want = d3dcolor([t[0], t[1] * 0.2, t[2] * 0.4, 0.6]);
        let want = if fallback { want } else { BLACK };
        let got = pixels(&r.read_framebuffer(&context).unwrap())[5];
        assert!(near(got, want, 1), "{got:08x}, expected {want:08x}");
        // A texture in an argument that the operation does not read is not missed.
        state.stages[1] = FragmentStage {
            color_op: op::SELECTARG1,
            color_args: [op::arg::TEXTURE, op::arg::CURRENT, op::arg::TEXTURE],
            ..FragmentStage::default()
        };
        r.draw_fixed_rhw(&context, &state, strip, &vertices, None)
            .unwrap();
    }
}

#[test]
fn operations_that_the_cascade_lacks() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let image = texture(&mut r, 1, 1, &[!0]);
    let vertices = fixed_quad([1.0; 4]);
    for code in 1..=30u8 {
        for alpha in [false, true] {
            let mut state = FixedState::default();
            state.stages[0] = modulate();
            let stage = &mut state.stages[0];
            *if alpha {
                &mut stage.alpha_op
            } else {
                &mut stage.color_op
            } = code;
            state.textures[0] = Some(image.clone());
            let done =
                r.draw_fixed_rhw(&context, &state, Primitive::TriangleStrip, &vertices, None);
            // PREMODULATE, the bump operations; what adds a colour to an alpha; what is no
            // operation.
            let lacks = matches!(code, 17 | 22 | 23 | 27..) || alpha && (18..=21).contains(&code);
            match (lacks, done) {
                (false, done) => done.unwrap(),
                (true, done) => {
                    let error = done.unwrap_err();
                    let text = "fixed stage 0 uses unsupported color/alpha operation";
                    assert!(error.text().starts_with(text), "{code}: {error}");
                    assert_eq!(error.kind(), ErrorKind::Shader);
                }
            }
        }
    }
    let volume = r
        .create_image(&ImageDesc {
            kind: ImageKind::Volume,
            ..ImageDesc::d2(1, 1, ImageFormat::Bgra8)
        })
        .unwrap();
    let mut state = FixedState::default();
    state.stages[0] = modulate();
    state.textures[0] = Some(volume);
    let done = r.draw_fixed_rhw(&context, &state, Primitive::TriangleStrip, &vertices, None);
    assert_eq!(done.unwrap_err().kind(), ErrorKind::Texture);
}
