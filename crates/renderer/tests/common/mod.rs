//! What the GPU tests share: an adapter, small pictures, quads.
#![allow(dead_code)]

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use ninefold_gpu::{Gpu, GpuOptions};
use ninefold_renderer::{
    Attachment, Box3, CommonState, Context, Image, ImageDesc, ImageFormat, ImageUsage, Primitive,
    Rect, Renderer, RhwState, RhwVertex, Settings, Targets,
};

static SAID: Once = Once::new();
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A renderer that no other test runs beside: some drivers do not bear devices being opened and
/// closed by several threads at once.
pub(crate) struct Alone {
    renderer: Renderer,
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Deref for Alone {
    type Target = Renderer;

    fn deref(&self) -> &Renderer {
        &self.renderer
    }
}

impl DerefMut for Alone {
    fn deref_mut(&mut self) -> &mut Renderer {
        &mut self.renderer
    }
}

/// A renderer on the adapter that NINEFOLD_ADAPTER chooses, or `None` when there is none; with
/// NINEFOLD_REQUIRE_GPU=1 that is a failure.
pub(crate) fn renderer_with(settings: Settings) -> Option<Alone> {
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    open(settings, Some(turn))
}

/// A renderer beside one that this test has.
pub(crate) fn another(beside: &Alone) -> Option<Alone> {
    another_with(beside, Settings::default())
}

pub(crate) fn another_with(_beside: &Alone, settings: Settings) -> Option<Alone> {
    open(settings, None)
}

/// A renderer and what it draws on.
pub(crate) fn renderer_and_gpu(options: &GpuOptions) -> Option<(Alone, Gpu)> {
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let gpu = open_gpu(options)?;
    let alone = Alone {
        renderer: Renderer::new(gpu.clone(), Settings::default()).expect("a renderer"),
        _turn: Some(turn),
    };
    Some((alone, gpu))
}

fn open(settings: Settings, turn: Option<MutexGuard<'static, ()>>) -> Option<Alone> {
    let options = GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..GpuOptions::default()
    };
    Some(Alone {
        renderer: Renderer::new(open_gpu(&options)?, settings).expect("a renderer"),
        _turn: turn,
    })
}

fn open_gpu(options: &GpuOptions) -> Option<Gpu> {
    match Gpu::new(options) {
        Ok(gpu) => {
            SAID.call_once(|| println!("adapter: {}", gpu.adapter_info()));
            Some(gpu)
        }
        Err(error) => {
            assert!(
                std::env::var("NINEFOLD_REQUIRE_GPU").as_deref() != Ok("1"),
                "NINEFOLD_REQUIRE_GPU=1 and no GPU: {error}"
            );
            eprintln!("skipped, no GPU: {error}");
            None
        }
    }
}

pub(crate) fn renderer() -> Option<Alone> {
    renderer_with(Settings::default())
}

/// Skips the test when there is no GPU.
#[macro_export]
macro_rules! gpu_or_skip {
    () => {
        match common::renderer() {
            Some(renderer) => renderer,
            None => return,
        }
    };
}

/// Pixel (x, y) of rows of BGRA bytes as a `D3DCOLOR`.
pub(crate) fn pixel(bytes: &[u8], width: u32, x: u32, y: u32) -> u32 {
    let at = ((y * width + x) * 4) as usize;
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// All pixels as `D3DCOLOR`s.
pub(crate) fn pixels(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

/// Two triangles that cover pixels `x0..x1` and `y0..y1`, wholly at depth `z`.
pub(crate) fn quad(x0: f32, y0: f32, x1: f32, y1: f32, z: f32, color: u32) -> [RhwVertex; 6] {
    let v = |x, y, u, v| RhwVertex {
        x,
        y,
        z,
        rhw: 1.0,
        color,
        u,
        v,
    };
    [
        v(x0, y0, 0.0, 0.0),
        v(x1, y0, 1.0, 0.0),
        v(x0, y1, 0.0, 1.0),
        v(x0, y1, 0.0, 1.0),
        v(x1, y0, 1.0, 0.0),
        v(x1, y1, 1.0, 1.0),
    ]
}

/// Draws triangles of [`RhwVertex`].
pub(crate) fn draw(
    renderer: &mut Renderer,
    context: &Context,
    state: &RhwState,
    vertices: &[RhwVertex],
) {
    try_draw(renderer, context, state, vertices).expect("a draw");
}

pub(crate) fn try_draw(
    renderer: &mut Renderer,
    context: &Context,
    state: &RhwState,
    vertices: &[RhwVertex],
) -> ninefold_renderer::Result<()> {
    renderer.draw_rhw(
        context,
        state,
        Primitive::TriangleList,
        bytemuck::cast_slice(vertices),
        size_of::<RhwVertex>(),
        vertices.len() as u32,
        None,
    )
}

/// State with nothing but these common parts.
pub(crate) fn plain(common: CommonState) -> RhwState {
    RhwState {
        common,
        ..RhwState::default()
    }
}

/// A BGRA8 texture of `D3DCOLOR`s.
pub(crate) fn texture(renderer: &mut Renderer, width: u32, height: u32, texels: &[u32]) -> Image {
    let image = renderer
        .create_image(&ImageDesc::d2(width, height, ImageFormat::Bgra8))
        .unwrap();
    upload(renderer, &image, 0, width, height, texels);
    image
}

pub(crate) fn upload(
    renderer: &mut Renderer,
    image: &Image,
    level: u32,
    width: u32,
    height: u32,
    texels: &[u32],
) {
    let area = Box3 {
        x: 0,
        y: 0,
        z: 0,
        w: width,
        h: height,
        d: 1,
    };
    let bytes: Vec<u8> = texels
        .iter()
        .flat_map(|texel| texel.to_le_bytes())
        .collect();
    renderer
        .upload(image, level, 0, area, &bytes, width as usize * 4, 0)
        .unwrap();
}

/// Red, green, blue and alpha of a `D3DCOLOR`, 0 to 1.
pub(crate) fn floats(color: u32) -> [f64; 4] {
    [16, 8, 0, 24].map(|shift| f64::from((color >> shift) & 0xFF) / 255.0)
}

/// The `D3DCOLOR` of red, green, blue and alpha, clamped and rounded to nearest.
pub(crate) fn d3dcolor(value: [f64; 4]) -> u32 {
    let [r, g, b, a] = value.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u32);
    a << 24 | r << 16 | g << 8 | b
}

/// Whether two colours differ by at most `by` in every channel.
pub(crate) fn near(a: u32, b: u32, by: u32) -> bool {
    [0, 8, 16, 24]
        .into_iter()
        .all(|s| ((a >> s) & 0xFF).abs_diff((b >> s) & 0xFF) <= by)
}

/// A colour target that can be sampled.
pub(crate) fn target(r: &mut Renderer, w: u32, h: u32, format: ImageFormat, samples: u32) -> Image {
    r.create_image(&ImageDesc {
        samples,
        usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
        ..ImageDesc::d2(w, h, format)
    })
    .unwrap()
}

/// A pass over one image.
pub(crate) fn only(image: &Image) -> Targets {
    Targets {
        colors: [Some(Attachment::new(image.clone())), None, None, None],
        depth: None,
    }
}

/// All of an image's first level.
pub(crate) fn whole(image: &Image) -> Rect {
    Rect {
        x: 0,
        y: 0,
        w: image.desc().width,
        h: image.desc().height,
    }
}

/// Draws through [`ninefold_renderer::Draw`] itself.
pub(crate) mod raw {
    use ninefold_renderer::{
        BlendKey, Constants, Context, DepthStencilKey, Draw, Extras, LayoutId, PixelFunction,
        Primitive, RasterKey, Renderer, STAGES, SamplerId, SamplerKey, StreamData, TextureBinding,
        VertexElement, VertexFunction, Viewport,
    };
    use ninefold_shader::abi::{PixelExtras, VertexExtras};
    use ninefold_shader::fixed;

    /// Everything a [`Draw`] borrows, with defaults.
    pub(crate) struct Owned {
        pub(crate) vertex: VertexFunction,
        pub(crate) pixel: PixelFunction,
        pub(crate) layout: LayoutId,
        pub(crate) blend: BlendKey,
        pub(crate) depth_stencil: DepthStencilKey,
        pub(crate) raster: RasterKey,
        pub(crate) textures: [Option<TextureBinding>; STAGES],
        pub(crate) samplers: [SamplerId; STAGES],
        pub(crate) vs_extras: VertexExtras,
        pub(crate) ps_extras: PixelExtras,
        pub(crate) generation: u64,
    }

    impl Owned {
        /// Pretransformed vertices with a diffuse colour, in a target of this size.
        pub(crate) fn new(
            r: &mut Renderer,
            width: u32,
            height: u32,
            elements: &[VertexElement],
            strides: &[u16; 16],
        ) -> Self {
            let vertex = r
                .fixed_vertex(&fixed::VertexKey {
                    position: fixed::position::PIXELS,
                    inputs: fixed::input::DIFFUSE,
                    ..fixed::VertexKey::default()
                })
                .unwrap();
            let pixel = r.fixed_fragment(&fixed::FragmentKey::default()).unwrap();
            let plain = r.sampler(&SamplerKey::default()).unwrap();
            let mut vs_extras: VertexExtras = bytemuck::Zeroable::zeroed();
            vs_extras.misc[0] = [1.0, 0.0, f32::MAX, 0.0];
            vs_extras.viewport_inv = [2.0 / width as f32, -2.0 / height as f32, -1.0, 1.0];
            Self {
                vertex,
                pixel,
                layout: r.vertex_layout(elements, strides).unwrap(),
                blend: BlendKey::default(),
                depth_stencil: DepthStencilKey::default(),
                raster: RasterKey {
                    cull: 1,
                    ..RasterKey::default()
                },
                textures: [const { None }; STAGES],
                samplers: [plain; STAGES],
                vs_extras,
                ps_extras: bytemuck::Zeroable::zeroed(),
                generation: 1,
            }
        }

        /// A draw of `count` vertices of `streams` into `context`.
        pub(crate) fn draw<'a>(
            &'a self,
            r: &mut Renderer,
            context: &'a Context,
            streams: &'a [StreamData<'a>],
            count: u32,
        ) -> Draw<'a> {
            Draw {
                targets: context.targets(),
                vertex: self.vertex,
                pixel: self.pixel,
                layout: self.layout,
                blend: r.blend(&self.blend).unwrap(),
                depth_stencil: r.depth_stencil(&self.depth_stencil).unwrap(),
                raster: r.raster(&self.raster).unwrap(),
                primitive: Primitive::TriangleList,
                streams,
                indices: None,
                extent: None,
                first: 0,
                count,
                base_vertex: 0,
                vs_floats: Constants::NONE,
                ps_floats: Constants::NONE,
                wide: [ninefold_renderer::WideConstants::NONE; 2],
                vs_extras: Extras {
                    values: &self.vs_extras,
                    generation: self.generation,
                },
                ps_extras: Extras {
                    values: &self.ps_extras,
                    generation: self.generation,
                },
                textures: &self.textures,
                samplers: &self.samplers,
                viewport: Viewport::full(context.width(), context.height()),
                scissor: None,
                stencil_ref: 0,
                rewritable: false,
                blend_factor: [0.0; 4],
            }
        }
    }

    /// The declaration of [`ninefold_renderer::RhwVertex`].
    pub(crate) const RHW: [VertexElement; 3] = [
        VertexElement {
            stream: 0,
            offset: 0,
            ty: 3,
            usage: 9,
            index: 0,
        },
        VertexElement {
            stream: 0,
            offset: 16,
            ty: 4,
            usage: 10,
            index: 0,
        },
        VertexElement {
            stream: 0,
            offset: 20,
            ty: 1,
            usage: 5,
            index: 0,
        },
    ];

    pub(crate) fn strides(first: u16) -> [u16; 16] {
        let mut strides = [0; 16];
        strides[0] = first;
        strides
    }

    /// Covers the context at depth `z`, writing depth, with a rasteriser state.
    pub(crate) fn quad_with_raster(
        r: &mut Renderer,
        context: &Context,
        raster: &RasterKey,
        z: f32,
    ) {
        let mut owned = Owned::new(r, context.width(), context.height(), &RHW, &strides(28));
        owned.raster = *raster;
        owned.depth_stencil = DepthStencilKey {
            depth_test: true,
            depth_write: true,
            depth_func: 8,
            ..DepthStencilKey::default()
        };
        let vertices = super::quad(
            0.0,
            0.0,
            context.width() as f32,
            context.height() as f32,
            z,
            !0,
        );
        let streams = [StreamData::Bytes(bytemuck::cast_slice(&vertices))];
        let draw = owned.draw(r, context, &streams, 6);
        r.draw(&draw).unwrap();
    }
}
