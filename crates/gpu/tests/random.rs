//! Random sequences of writes, copies, passes and reads against a model that is
//! one number for each level. What the layer must get right is the order and the
//! states; the validation layers, where loaded, watch the same run.

mod common;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

const TEXTURES: usize = 3;
const MIPS: usize = 3;

/// A small generator (xorshift), so that a failure can be repeated by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

struct World {
    gpu: Gpu,
    arena: Arena,
    textures: Vec<Texture>,
    groups: Vec<Vec<BindGroup>>,
    pipeline: RenderPipeline,
    quad: Buffer,
    /// The byte in every channel of each level: as recorded, and as submitted.
    recorded: [[u8; MIPS]; TEXTURES],
    submitted: [[u8; MIPS]; TEXTURES],
    /// Whether the open commands' main part used the texture.
    used: [bool; TEXTURES],
}

impl World {
    fn new(gpu: Gpu) -> Self {
        let group_layout = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
        let layout = gpu
            .create_pipeline_layout(&PipelineLayoutDesc {
                label: "",
                groups: &[&group_layout],
                immediates: 16,
            })
            .unwrap();
        let wgsl = sampling("2d", "vec2f(0.5)").replace("i.at.w);", "0.0) + i.at;");
        let pipeline = Simple {
            wgsl: &wgsl,
            layout: &layout,
            format: BGRA,
            blend: None,
            depth_stencil: None,
            samples: 1,
        }
        .build(&gpu);
        let desc = TextureDesc {
            mips: MIPS as u32,
            ..TextureDesc::d2(4, 4, BGRA, TARGET)
        };
        let textures: Vec<_> = (0..TEXTURES)
            .map(|_| gpu.create_texture(&desc).unwrap())
            .collect();
        let group = |texture: &Texture, mip: u32| {
            let view = texture
                .view(&ViewDesc {
                    format: None,
                    dimension: wgt::TextureViewDimension::D2,
                    mips: mip..mip + 1,
                    layers: 0..1,
                    aspect: wgt::TextureAspect::All,
                })
                .unwrap();
            sampled_group(&gpu, &group_layout, &view)
        };
        let groups = textures
            .iter()
            .map(|texture| (0..MIPS as u32).map(|mip| group(texture, mip)).collect())
            .collect();
        Self {
            arena: Arena::new(
                &gpu,
                ArenaDesc {
                    size: 4096,
                    pool: 3,
                    window: 256,
                },
            )
            .unwrap(),
            quad: vertices(&gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0)),
            textures,
            groups,
            pipeline,
            recorded: Default::default(),
            submitted: Default::default(),
            used: Default::default(),
            gpu,
        }
    }

    fn write(&mut self, commands: &mut Commands, t: usize, mip: usize, value: u8) -> Result<()> {
        let texture = &self.textures[t];
        let region = Region::whole(texture, mip as u32, 0);
        let [w, h, _] = region.size.map(|side| side as usize);
        let data = vec![value; w * h * 4];
        commands.write_texture(&mut self.arena, texture, &region, &data, w * 4, h)
    }

    fn step(&mut self, commands: &mut Commands, random: &mut Random) {
        let [t, u] = [(); 2].map(|()| random.below(TEXTURES));
        let [mip, other] = [(); 2].map(|()| random.below(MIPS));
        let value = random.below(200) as u8;
        match random.below(4) {
            0 => {
                self.write(commands, t, mip, value).unwrap();
                self.recorded[t][mip] = value;
            }
            1 if t != u => {
                let region = Region::whole(&self.textures[t], mip as u32, 0);
                let (from, to) = (&self.textures[t], &self.textures[u]);
                commands
                    .copy_texture_to_texture(from, &region, to, mip as u32, 0, [0; 3])
                    .unwrap();
                self.recorded[u][mip] = self.recorded[t][mip];
                self.used[t] = true;
                self.used[u] = true;
            }
            2 => {
                let view = self.textures[t].target_view(mip as u32, 0).unwrap();
                let clear = Load::Clear([f32::from(value) / 255.0; 4]);
                let colors = [color(&view, clear)];
                commands
                    .begin_pass(&PassDesc {
                        colors: &colors,
                        ..PassDesc::default()
                    })
                    .unwrap();
                self.used[t] = true;
                self.recorded[t][mip] = value;
                // A write into something used is refused here, else it runs early.
                let early = self.write(commands, u, other, value / 2);
                assert_eq!(early.is_ok(), !self.used[u], "{early:?}");
                if early.is_ok() {
                    self.recorded[u][other] = value / 2;
                }
                commands.end_pass().unwrap();
            }
            _ => {
                let view = self.textures[t].target_view(mip as u32, 0).unwrap();
                let colors = [color(&view, Load::Load)];
                commands
                    .begin_pass(&PassDesc {
                        colors: &colors,
                        ..PassDesc::default()
                    })
                    .unwrap();
                commands.set_pipeline(&self.pipeline).unwrap();
                self.used[t] = true;
                let bound = commands.set_bind_group(0, &self.groups[u][other], &[]);
                if (t, mip) == (u, other) {
                    assert_eq!(bound, Err(Error::Feedback));
                } else {
                    bound.unwrap();
                    self.used[u] = true;
                    commands.set_immediates(0, &bits([5.0 / 255.0; 4])).unwrap();
                    commands.set_vertex_buffer(0, &self.quad, 0, 96).unwrap();
                    commands.draw(0..6, 0..1).unwrap();
                    self.recorded[t][mip] = self.recorded[u][other].saturating_add(5);
                }
                commands.end_pass().unwrap();
            }
        }
    }

    fn compare(&self, seed: u64) {
        for (t, texture) in self.textures.iter().enumerate() {
            for mip in 0..MIPS {
                let bytes = self.gpu.read_texture(texture, mip as u32, 0).unwrap();
                let want = self.submitted[t][mip];
                assert!(
                    bytes.iter().all(|&byte| byte == want),
                    "seed {seed}: texture {t} level {mip} holds {bytes:?}, not {want}"
                );
            }
        }
    }
}

#[test]
fn recorded_order_is_what_happens() {
    let Some(gpu) = gpu() else { return };
    for seed in 1..=40 {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        let mut world = World::new(gpu.clone());
        for _ in 0..12 {
            let mut commands = gpu.begin().unwrap();
            world.used = Default::default();
            for _ in 0..random.below(12) {
                world.step(&mut commands, &mut random);
            }
            if random.below(4) == 0 {
                drop(commands);
                world.recorded = world.submitted;
            } else {
                commands.submit().unwrap();
                world.submitted = world.recorded;
            }
            if random.below(3) == 0 {
                world.compare(seed);
            }
        }
        world.compare(seed);
    }
}
