//! Draws of any state through any entry point: each is drawn or refused, none panics, and the
//! renderer works afterwards.

mod common;

use common::{Alone, quad, target, texture};
use ninefold_bytecode::assemble;
use ninefold_renderer::{
    BlendMode, Cascade, CommonState, Context, DepthStencilKey, ErrorKind, FixedState, FixedVertex,
    GeometryBuffer, Image, ImageDesc, ImageFormat, ImageKind, ImageUsage, Primitive, ProgramState,
    ResidentCopy, RhwState, SamplerKey, SecondaryStream, Settings, ShaderId, StencilFace, Texels,
    VertexElement,
};
use ninefold_shader::fixed::FragmentStage;

/// A small generator of repeatable numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 33) % bound
    }

    fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// Mostly 1 to `most`, at times anything.
    fn code(&mut self, most: u64) -> u8 {
        match self.chance(24) {
            true => self.next() as u8,
            false => 1 + self.below(most) as u8,
        }
    }

    fn float(&mut self) -> f32 {
        const ODD: [f32; 8] = [
            0.0,
            -0.0,
            1.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
        ];
        match self.chance(8) {
            true => ODD[self.below(8) as usize],
            false => self.below(4000) as f32 / 100.0 - 8.0,
        }
    }

    fn floats<const N: usize>(&mut self) -> [f32; N] {
        [(); N].map(|()| self.float())
    }
}

struct Scene {
    contexts: Vec<Context>,
    images: Vec<Image>,
    vertex: Vec<ShaderId>,
    pixel: Vec<ShaderId>,
    buffer: GeometryBuffer,
}

fn scene(r: &mut Alone) -> Scene {
    let mut shaders = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| r.register_shader(&assemble(text).unwrap()).unwrap())
            .collect::<Vec<_>>()
    };
    let vertex = shaders(&[
        "vs_1_1\ndcl_position v0\nmov oPos, v0\n",
        "vs_1_1\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\nadd oPos, v0, c0\nmov oD0, v1\nmov oT0, v2\n",
        "vs_2_0\ndcl_position v0\nmov r0, v0\nrep i0\nadd r0, r0, c1\nendrep\nmov oPos, r0\nmov oFog, c2.x\n",
        "vs_3_0\ndcl_position v0\ndcl_2d s0\ndcl_position o0\ndcl_texcoord o1\ntexldl r0, c0, s0\nmov o0, v0\nmov o1, r0\n",
        // Not a vertex shader.
        "ps_2_0\nmov oC0, c0\n",
    ]);
    let pixel = shaders(&[
        "ps_1_1\ntex t0\nmul r0, t0, v0\n",
        "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
        "ps_2_0\ndcl t0\ndcl_cube s1\ntexld r0, t0, s1\nmul r0, r0, c31\nmov oC0, r0\n",
        "ps_3_0\ndcl_texcoord v0\ndcl_volume s2\ntexld r0, v0, s2\nmov oC0, r0\n",
        "vs_1_1\ndcl_position v0\nmov oPos, v0\n",
    ]);
    let contexts: Vec<Context> = [(4, 4), (17, 3), (1, 1)]
        .into_iter()
        .map(|(w, h)| r.create_context(w, h).unwrap())
        .collect();
    let mut make = |desc: ImageDesc| r.create_image(&desc).unwrap();
    let flat = ImageDesc::d2(4, 4, ImageFormat::Bgra8);
    let mut images = vec![
        make(ImageDesc {
            kind: ImageKind::Cube,
            ..flat
        }),
        make(ImageDesc {
            kind: ImageKind::Volume,
            depth: 3,
            ..flat
        }),
        make(ImageDesc {
            format: ImageFormat::D32S8,
            usage: ImageUsage::DEPTH | ImageUsage::SAMPLED,
            ..flat
        }),
        make(ImageDesc {
            format: ImageFormat::R32Float,
            levels: 0,
            ..flat
        }),
    ];
    images.push(texture(r, 2, 2, &[1, 2, 3, 4]));
    images.push(target(r, 4, 4, ImageFormat::Bgra8, 4));
    // A draw may sample what it draws into.
    images.extend(contexts.iter().map(|context| context.image().clone()));
    Scene {
        contexts,
        images,
        vertex,
        pixel,
        buffer: r.create_buffer(512).unwrap(),
    }
}

fn common_state(n: &mut Numbers) -> CommonState {
    let mut face = || StencilFace {
        fail: n.code(8),
        depth_fail: n.code(8),
        pass: n.code(8),
        func: n.code(8),
    };
    let (front, back) = (face(), face());
    const MODES: [BlendMode; 9] = [
        BlendMode::None,
        BlendMode::SrcAlpha,
        BlendMode::Add,
        BlendMode::Modulate,
        BlendMode::Modulate2,
        BlendMode::SrcAlphaZero,
        BlendMode::SrcAlphaAdd,
        BlendMode::Premultiplied,
        BlendMode::DestAlphaAdd,
    ];
    CommonState {
        blend: match n.chance(3) {
            true => BlendMode::Custom {
                src: n.code(15),
                dst: n.code(15),
                op: n.code(5),
            },
            false => MODES[n.below(9) as usize],
        },
        write_mask: n.code(15),
        depth_stencil: DepthStencilKey {
            depth_test: n.chance(2),
            depth_write: n.chance(2),
            depth_func: n.code(8),
            stencil: n.chance(2),
            two_sided: n.chance(2),
            front,
            back,
            read_mask: n.next() as u8,
            write_mask: n.next() as u8,
        },
        stencil_ref: n.next() as u8,
        cull: n.code(3),
        alpha_test: n.chance(3).then(|| (n.code(8), n.next() as u8)),
    }
}

fn sampler(n: &mut Numbers) -> SamplerKey {
    const TEXELS: [Texels; 5] = [
        Texels::Plain,
        Texels::Red,
        Texels::RedGreen,
        Texels::Compare,
        Texels::Depth,
    ];
    SamplerKey {
        address_u: n.code(5),
        address_v: n.code(5),
        address_w: n.code(5),
        min_filter: n.code(3),
        mag_filter: n.code(3),
        mip_filter: n.code(2).wrapping_sub(1),
        max_anisotropy: n.next() as u8,
        max_mip_level: n.next() as u8,
        border_color: n.below(3) as u32,
        lod_bias: n.float(),
        texels: TEXELS[n.below(5) as usize],
    }
}

fn stage(n: &mut Numbers) -> FragmentStage {
    let mut args = || [(); 3].map(|()| n.code(6) | (n.code(3) & 3) << 4);
    let (color_args, alpha_args) = (args(), args());
    FragmentStage {
        color_op: n.code(26),
        color_args,
        alpha_op: n.code(26),
        alpha_args,
        result: n.code(5),
        texture: n.next() as u8,
        projected: n.code(4),
        ..FragmentStage::default()
    }
}

fn element(n: &mut Numbers) -> VertexElement {
    VertexElement {
        stream: n.code(2).wrapping_sub(1),
        offset: match n.chance(16) {
            true => n.next() as u16,
            false => n.below(8) as u16 * 4,
        },
        ty: n.code(17).wrapping_sub(1),
        usage: [0, 5, 9, 10][n.below(4) as usize],
        index: n.code(2).wrapping_sub(1),
    }
}

fn any_draw(r: &mut Alone, n: &mut Numbers, scene: &mut Scene) -> ninefold_renderer::Result<()> {
    const PRIMITIVES: [Primitive; 5] = [
        Primitive::PointList,
        Primitive::LineList,
        Primitive::LineStrip,
        Primitive::TriangleList,
        Primitive::TriangleStrip,
    ];
    let at = n.below(scene.contexts.len() as u64) as usize;
    let context = &mut scene.contexts[at];
    if n.chance(6) {
        let [x, y, w, h] = [(); 4].map(|()| n.below(6) as u32);
        context.set_viewport(x, y, w * 0x1000_0000, h);
    } else {
        context.set_viewport(0, 0, u32::MAX, u32::MAX);
    }
    context.set_overlay_target(n.chance(3));
    let context = &scene.contexts[at];
    let common = common_state(n);
    let primitive = PRIMITIVES[n.below(5) as usize];
    let count = n.below(9) as usize;
    let indices: Vec<u16> = (0..n.below(12))
        .map(|_| match n.chance(40) {
            true => n.next() as u16,
            false => n.below(count.max(1) as u64) as u16,
        })
        .collect();
    let indices = n.chance(2).then_some(&indices[..]);
    let image = |n: &mut Numbers| {
        let at = n.below(scene.images.len() as u64 + 2) as usize;
        scene.images.get(at).cloned()
    };
    let fixed: Vec<FixedVertex> = (0..count)
        .map(|_| FixedVertex {
            position: n.floats(),
            color: n.floats(),
            specular: n.floats(),
            uv: [(); 8].map(|()| n.floats()),
        })
        .collect();
    let bytes: Vec<u8> = (0..count * 40).map(|_| n.next() as u8).collect();
    let stride = match n.chance(10) {
        true => n.below(300) as usize,
        false => 28 + n.below(4) as usize * 4,
    };
    let fog_color = n.chance(3).then(|| n.next() as u32);
    let textures: Vec<Option<Image>> = (0..n.below(24)).map(|_| image(n)).collect();
    let samplers: Vec<SamplerKey> = (0..n.below(24)).map(|_| sampler(n)).collect();
    let mut cascade = Cascade {
        texture_factor: n.next() as u32,
        ..Cascade::default()
    };
    for own in cascade.stages.iter_mut().take(n.below(9) as usize) {
        *own = stage(n);
    }
    let count = count as u32;
    match n.below(5) {
        0 => {
            let state = RhwState {
                common,
                texture: image(n),
                texture_color_only: n.chance(2),
                sampler: sampler(n),
            };
            r.draw_rhw(context, &state, primitive, &bytes, stride, count, indices)
        }
        1 | 2 => {
            let elements: Vec<VertexElement> = (0..n.below(5)).map(|_| element(n)).collect();
            let constants: Vec<[f32; 4]> = (0..n.below(300)).map(|_| n.floats()).collect();
            let copy = n.chance(3).then(|| ResidentCopy {
                buffer: &scene.buffer,
                offset: n.below(600),
            });
            let streams = [SecondaryStream {
                stream: n.code(2).wrapping_sub(1),
                data: &bytes,
                stride: n.below(40) as usize,
                resident: copy,
            }];
            let state = ProgramState {
                cascade: Some(&cascade),
                resident: copy,
                streams: &streams[..n.below(2) as usize],
                vertex_constants: &constants,
                pixel_constants: &constants[..constants.len() / 2],
                vertex_ints: &[[n.below(9) as i32, -1, i32::MIN, 0]; 20],
                pixel_ints: &[],
                vertex_bools: n.next() as u16,
                pixel_bools: n.next() as u16,
                textures: &textures,
                samplers: &samplers,
                fog_color,
                ..ProgramState::new(
                    &common,
                    scene.vertex[n.below(5) as usize],
                    (!n.chance(3)).then(|| scene.pixel[n.below(5) as usize]),
                    &elements,
                )
            };
            match n.chance(3) {
                true => r.draw_program_rhw(context, &state, primitive, &fixed, indices),
                false => r.draw_program(context, &state, primitive, &bytes, stride, count, indices),
            }
        }
        clip => {
            let mut state = FixedState {
                common,
                stages: cascade.stages,
                stage_constants: [n.next() as u32; 8],
                texture_factor: n.next() as u32,
                fog_color,
                ..FixedState::default()
            };
            for (own, texture) in state.textures.iter_mut().zip(&textures) {
                own.clone_from(texture);
            }
            for (own, sampler) in state.samplers.iter_mut().zip(&samplers) {
                *own = *sampler;
            }
            state.coordinates[n.below(8) as usize] = n.code(8).wrapping_sub(1);
            match clip {
                3 => r.draw_fixed_rhw(context, &state, primitive, &fixed, indices),
                _ => r.draw_fixed_clip(context, &state, primitive, &fixed, indices),
            }
        }
    }
}

#[test]
fn any_state_is_drawn_or_refused() {
    let settings = Settings {
        texture_fallback: true,
        ..Settings::default()
    };
    let Some(mut r) = common::renderer_with(settings) else {
        return;
    };
    let mut scene = scene(&mut r);
    let mut n = Numbers(0x5EED_0001);
    let (mut drawn, mut refused) = (0, 0);
    for step in 0..3000 {
        let draws = r.stats().draws;
        match any_draw(&mut r, &mut n, &mut scene) {
            Ok(()) => drawn += u32::from(r.stats().draws > draws),
            Err(error) => {
                refused += 1;
                assert!(!error.text().is_empty());
                assert_ne!(error.kind(), ErrorKind::Device, "step {step}: {error}");
                assert_eq!(r.stats().draws, draws, "step {step}: {error}");
            }
        }
        if step % 500 == 0 {
            r.flush().unwrap();
        }
    }
    assert!(
        drawn > 150 && refused > 150,
        "{drawn} drawn, {refused} refused"
    );
    r.wait_idle().unwrap();
    let context = r.create_context(2, 2).unwrap();
    let vertices = quad(0.0, 0.0, 2.0, 2.0, 0.5, 0xFF12_3456);
    common::draw(&mut r, &context, &RhwState::default(), &vertices);
    let read = common::pixels(&r.read_framebuffer(&context).unwrap());
    assert_eq!(read, [0xFF12_3456; 4]);
}
