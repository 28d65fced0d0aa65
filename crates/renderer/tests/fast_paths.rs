//! One seeded sequence of every kind of operation, with the fast paths, without them, and switched
//! between any two operations: what is read back is the same byte for byte.

mod common;

use common::{Alone, quad, renderer, target, texture};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    Attachment, BlendMode, CommonState, Context, DepthStencilKey, FixedState, FixedVertex, Image,
    ImageFormat, Primitive, ProgramState, Rect, ResidentCopy, RhwState, SamplerKey, ShaderId,
    StencilFace, VertexElement,
};
use ninefold_shader::fixed;

/// A small generator of repeatable numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u32) as usize]
    }
}

const EDGE: u32 = 16;
const CONTEXTS: usize = 3;

struct Scene {
    contexts: Vec<Context>,
    texture: Image,
    /// What contexts are copied and filtered into.
    outside: Image,
    shaders: [ShaderId; 2],
    /// Everything that was read back.
    read: Vec<u8>,
}

const POSITION_COLOR: [VertexElement; 2] = [
    VertexElement {
        stream: 0,
        offset: 0,
        ty: 3,
        usage: 0,
        index: 0,
    },
    VertexElement {
        stream: 0,
        offset: 16,
        ty: 4,
        usage: 10,
        index: 0,
    },
];

fn scene(r: &mut Alone) -> Scene {
    let texels: Vec<u32> = (0..16).map(|n| 0x8000_0000 | (n * 0x0F_1E2D)).collect();
    let shader = |r: &mut Alone, text: &str| r.register_shader(&assemble(text).unwrap()).unwrap();
    let vertex = "vs_1_1\ndcl_position v0\ndcl_color v1\nadd oPos, v0, c0\nmov oD0, v1\n";
    let pixel = "ps_2_0\ndcl v0\nmul r0, v0, c1\nmov oC0, r0\n";
    Scene {
        contexts: (0..CONTEXTS)
            .map(|_| r.create_context(EDGE, EDGE).unwrap())
            .collect(),
        texture: texture(r, 4, 4, &texels),
        outside: target(r, EDGE, EDGE, ImageFormat::Bgra8, 1),
        shaders: [shader(r, vertex), shader(r, pixel)],
        read: Vec::new(),
    }
}

fn common(n: &mut Numbers) -> CommonState {
    let stencil = n.below(3) == 0;
    let face = StencilFace {
        fail: 1 + n.below(8) as u8,
        depth_fail: 1 + n.below(8) as u8,
        pass: 1 + n.below(8) as u8,
        func: 1 + n.below(8) as u8,
    };
    CommonState {
        blend: n.one_of(&[
            BlendMode::None,
            BlendMode::SrcAlpha,
            BlendMode::Add,
            BlendMode::Modulate,
            BlendMode::DestAlphaAdd,
            BlendMode::Custom {
                src: 14,
                dst: 6,
                op: 3,
            },
        ]),
        write_mask: n.one_of(&[15, 15, 7, 8]),
        depth_stencil: DepthStencilKey {
            depth_test: n.below(2) == 0,
            depth_write: n.below(2) == 0,
            depth_func: 1 + n.below(8) as u8,
            stencil,
            front: face,
            read_mask: n.one_of(&[0xFF, 0x0F]),
            ..DepthStencilKey::default()
        },
        stencil_ref: n.below(4) as u8,
        cull: 1,
        alpha_test: (n.below(4) == 0).then(|| (1 + n.below(8) as u8, n.below(256) as u8)),
    }
}

/// A source for draws into `context`: a texture, or what another context shows.
fn source(n: &mut Numbers, scene: &Scene, context: usize) -> Option<Image> {
    match n.below(4) {
        0 => None,
        1 | 2 => Some(scene.texture.clone()),
        _ => {
            let other = (context + 1 + n.below(CONTEXTS as u32 - 1) as usize) % CONTEXTS;
            Some(scene.contexts[other].image().clone())
        }
    }
}

fn whole(context: &Context) -> Attachment {
    context.targets().colors[0].clone().unwrap()
}

fn operate(r: &mut Alone, n: &mut Numbers, scene: &mut Scene) {
    let at = n.below(CONTEXTS as u32) as usize;
    let edge = EDGE as f32;
    let [x, y] = [n.below(EDGE) as f32, n.below(EDGE) as f32];
    let color = n.next();
    let z = n.below(5) as f32 / 4.0;
    let image = source(n, scene, at);
    let kind = n.below(20);
    let context = &mut scene.contexts[at];
    match kind {
        0 => r.clear_context(context, color).unwrap(),
        1 => r.clear_context_depth(context, z).unwrap(),
        2 => r.clear_context_stencil(context, color as u8).unwrap(),
        3 => {
            let rects = [Rect {
                x: x as u32,
                y: y as u32,
                w: 5,
                h: 7,
            }];
            let targets = context.targets().clone();
            let value = ninefold_renderer::color_floats(color);
            r.clear(&targets, &rects, Some(value), Some(z), Some(3))
                .unwrap();
        }
        4..=6 => {
            let state = RhwState {
                common: common(n),
                texture: image,
                texture_color_only: n.below(2) == 0,
                sampler: SamplerKey::default(),
            };
            let vertices = quad(x, y, edge, edge, z, color);
            let bytes = bytemuck::cast_slice(&vertices);
            r.draw_rhw(context, &state, Primitive::TriangleList, bytes, 28, 6, None)
                .unwrap();
        }
        7 | 8 => {
            let mut state = FixedState {
                common: common(n),
                texture_factor: color,
                ..FixedState::default()
            };
            state.stages[0] = fixed::FragmentStage {
                color_op: if image.is_some() {
                    13
                } else {
                    n.one_of(&[2, 3, 4, 7])
                },
                color_args: [0, if image.is_some() { 2 } else { 0 }, n.one_of(&[0, 3])],
                alpha_op: 2,
                alpha_args: [0, 0, 0],
                ..bytemuck::Zeroable::zeroed()
            };
            state.textures[0] = image;
            let channels = ninefold_renderer::color_floats(color);
            let corner = |cx: f32, cy: f32| FixedVertex {
                position: [cx, cy, z, 1.0],
                color: channels,
                uv: [[cx / edge, cy / edge]; 8],
                ..FixedVertex::default()
            };
            if kind == 7 {
                let vertices = [corner(x, y), corner(edge, y), corner(x, edge)];
                r.draw_fixed_rhw(context, &state, Primitive::TriangleList, &vertices, None)
            } else {
                let vertices = [corner(-1.0, -1.0), corner(1.0, 0.0), corner(-1.0, 1.0)];
                r.draw_fixed_clip(context, &state, Primitive::TriangleList, &vertices, None)
            }
            .unwrap();
        }
        9..=11 | 19 => {
            let [vertex, pixel] = scene.shaders;
            let corners = [[-1.0f32, 1.0], [1.0, 1.0], [-1.0, -1.0]];
            let mut vertices = Vec::new();
            for [x, y] in corners {
                let position = [x, y, z, 1.0].map(f32::to_le_bytes);
                vertices.extend(position.as_flattened());
                vertices.extend(color.to_le_bytes());
            }
            // Without the fast paths these bytes are copied instead.
            let buffer = (kind == 19).then(|| {
                let buffer = r.create_buffer(64).unwrap();
                r.write_buffer(&buffer, 4, &vertices).unwrap();
                buffer
            });
            let common = common(n);
            let state = ProgramState {
                resident: buffer
                    .as_ref()
                    .map(|buffer| ResidentCopy { buffer, offset: 4 }),
                vertex_constants: &[[x / edge, -y / edge, 0.0, 0.0]],
                pixel_constants: &[[0.0; 4], [1.0, 0.5, 0.25, z]],
                ..ProgramState::new(&common, vertex, Some(pixel), &POSITION_COLOR)
            };
            r.draw_program(
                context,
                &state,
                Primitive::TriangleList,
                &vertices,
                20,
                3,
                None,
            )
            .unwrap();
        }
        12 => {
            let texels = EDGE * EDGE;
            let rows: Vec<u8> = (0..texels).flat_map(|_| n.next().to_le_bytes()).collect();
            r.write_framebuffer(context, &rows, EDGE as usize * 4)
                .unwrap();
        }
        13 => {
            let other = (at + 1) % CONTEXTS;
            let [from, to] = [at, other].map(|at| whole(&scene.contexts[at]));
            let rect = Rect {
                x: 0,
                y: 0,
                w: EDGE,
                h: EDGE,
            };
            let part = Rect {
                x: x as u32 / 2,
                y: y as u32 / 2,
                w: 8,
                h: 8,
            };
            r.stretch(&from, rect, &to, part, true).unwrap();
        }
        14 => r.flush().unwrap(),
        16 => {
            let out = scene.outside.clone();
            r.blit_context(&scene.contexts[at], &out).unwrap();
        }
        17 => {
            let out = scene.outside.clone();
            let done = r.fxaa_context(&scene.contexts[at], &out, z).unwrap();
            assert!(done, "a target that can be drawn to");
        }
        18 => {
            let (sender, receiver) = std::sync::mpsc::channel();
            r.commit_async(move |result| sender.send(result).unwrap());
            receiver.recv().unwrap().unwrap();
        }
        _ => {
            scene.read.extend(r.read_framebuffer(context).unwrap());
            scene
                .read
                .extend(r.read_image(&scene.outside, 0, 0).unwrap());
        }
    }
}

/// What is read back in all, with the fast paths as `fast` says before each operation, and how many
/// clears were folded.
fn run(r: &mut Alone, seed: u64, mut fast: impl FnMut(u32) -> bool) -> (Vec<u8>, u64) {
    let before = r.stats().clears_folded;
    let mut scene = scene(r);
    let mut n = Numbers(seed);
    for step in 0..300 {
        r.set_fast_paths(fast(step)).unwrap();
        operate(r, &mut n, &mut scene);
    }
    for context in &scene.contexts {
        scene.read.extend(r.read_framebuffer(context).unwrap());
    }
    (scene.read, r.stats().clears_folded - before)
}

#[test]
fn pixels_are_the_same_with_and_without() {
    let Some(mut r) = renderer() else { return };
    for seed in 1..=3 {
        let (plain, none) = run(&mut r, seed, |_| false);
        let (fast, folded) = run(&mut r, seed, |_| true);
        let mut switch = Numbers(seed ^ 0x5EED);
        let (mixed, _) = run(&mut r, seed, |_| switch.below(3) > 0);
        let pictures = plain.len() / (4 * EDGE * EDGE) as usize;
        assert!(pictures > 8, "{pictures} pictures are enough");
        assert_eq!(none, 0);
        assert!(folded > 5, "only {folded} clears were folded");
        assert!(plain == fast, "seed {seed}");
        assert!(plain == mixed, "seed {seed}, switched");
    }
}

#[test]
fn a_target_sampled_after_its_clear_shows_it() {
    for fast in [false, true] {
        let Some(mut r) = renderer() else { return };
        r.set_fast_paths(fast).unwrap();
        let [a, b] = [0, 1].map(|_| r.create_context(2, 2).unwrap());
        r.clear_context(&a, 0xFF10_2030).unwrap();
        r.clear_context(&b, 0xFFFF_FFFF).unwrap();
        r.clear_context(&a, 0xFF40_5060).unwrap();
        let state = RhwState {
            texture: Some(a.image().clone()),
            ..RhwState::default()
        };
        let vertices = quad(0.0, 0.0, 2.0, 2.0, 0.5, 0xFFFF_FFFF);
        let bytes = bytemuck::cast_slice(&vertices);
        r.draw_rhw(&b, &state, Primitive::TriangleList, bytes, 28, 6, None)
            .unwrap();
        let read = r.read_framebuffer(&b).unwrap();
        assert_eq!(read[..4], [0x60, 0x50, 0x40, 0xFF]);
    }
}
