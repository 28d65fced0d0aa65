//! The specification's draw entry points over contexts, each a thin wrapper that builds a
//! [`Draw`].

use std::sync::LazyLock;

use bytemuck::Zeroable;
use ninefold_bytecode::SamplerKind;
use ninefold_shader::abi::{PixelExtras, VertexExtras};
use ninefold_shader::{Fog, Options, fixed};

use crate::context::Context;
use crate::draw::{
    Constants, Draw, Extras, IndexData, Primitive, STAGES, StreamData, TextureBinding, Viewport,
};
use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageFormat, ImageKind};
use crate::keys::{
    BlendKey, PixelFunction, RasterKey, SamplerId, SamplerKey, ShaderId, VertexElement,
    VertexFunction,
};
use crate::renderer::Renderer;
use crate::spec_checks::{
    Input, alpha_func, check, check_cascade, check_stream, stage_kind, stream_data,
};
use crate::spec_state::{
    Cascade, CommonState, FixedState, FixedVertex, ProgramState, ResidentCopy, RhwState, RhwVertex,
    SecondaryStream,
};

/// Bytes of [`RhwVertex`].
const RHW_BYTES: usize = size_of::<RhwVertex>();

/// What every entry point has worked out before it draws.
struct Parts<'a> {
    context: &'a Context,
    common: &'a CommonState,
    vertex: VertexFunction,
    pixel: PixelFunction,
    elements: &'a [VertexElement],
    vertex_constants: &'a [[f32; 4]],
    pixel_constants: &'a [[f32; 4]],
    vertex_ints: &'a [[i32; 4]],
    vertex_bools: u16,
    pixel_extras: PixelExtras,
    textures: [Option<TextureBinding>; STAGES],
    samplers: [SamplerId; STAGES],
    clip_space: bool,
    /// A persistent copy of stream 0.
    resident: Option<ResidentCopy<'a>>,
    secondary: &'a [SecondaryStream<'a>],
    /// A vertex shader whose declaration must be whole, and the stages of the cascade behind it
    /// that sample.
    program: Option<(ShaderId, u8)>,
}

const fn element(offset: u16, ty: u8, usage: u8, index: u8) -> VertexElement {
    VertexElement {
        stream: 0,
        offset,
        ty,
        usage,
        index,
    }
}

const FLOAT2: u8 = 1;
const FLOAT4: u8 = 3;
const D3DCOLOR: u8 = 4;
const TEXCOORD: u8 = 5;
const POSITION_T: u8 = 9;
const COLOR: u8 = 10;

const RHW_ELEMENTS: [VertexElement; 3] = [
    element(0, FLOAT4, POSITION_T, 0),
    element(16, D3DCOLOR, COLOR, 0),
    element(20, FLOAT2, TEXCOORD, 0),
];

const FIXED_ELEMENTS: [VertexElement; 11] = [
    element(0, FLOAT4, POSITION_T, 0),
    element(16, FLOAT4, COLOR, 0),
    element(32, FLOAT4, COLOR, 1),
    element(48, FLOAT2, TEXCOORD, 0),
    element(56, FLOAT2, TEXCOORD, 1),
    element(64, FLOAT2, TEXCOORD, 2),
    element(72, FLOAT2, TEXCOORD, 3),
    element(80, FLOAT2, TEXCOORD, 4),
    element(88, FLOAT2, TEXCOORD, 5),
    element(96, FLOAT2, TEXCOORD, 6),
    element(104, FLOAT2, TEXCOORD, 7),
];

/// What generated vertex functions read: points of one pixel. Nothing else is read of it.
static ONE_PIXEL: LazyLock<fixed::VertexBlock> = LazyLock::new(|| {
    let mut block = fixed::VertexBlock::new();
    block.set_points(1.0, [0.0, f32::MAX], [0.0; 3], 0.0);
    block
});

/// A vertex key that passes positions, both colours and a coordinate set for each stage on.
pub(crate) fn pass_through(
    position: u8,
    sets: &[u8],
    fog: bool,
    specular: bool,
) -> fixed::VertexKey {
    let mut key = fixed::VertexKey {
        position,
        inputs: fixed::input::DIFFUSE | if specular { fixed::input::SPECULAR } else { 0 },
        fog: if fog {
            fixed::vertex_fog::SPECULAR_ALPHA
        } else {
            fixed::vertex_fog::NONE
        },
        ..fixed::VertexKey::default()
    };
    for (stage, &set) in key.stages.iter_mut().zip(sets) {
        *stage = fixed::VertexStage {
            source: fixed::coordinate::SET,
            set,
            components: 2,
            transform: 0,
        };
    }
    key
}

/// What the five entry points have in common:
///
/// - 1 to 65,536 vertices of at most 256 bytes, at most 196,608 indices, each of them below the
///   number of vertices;
/// - fewer than three vertices or indices, whatever the primitive is, or an empty viewport, are a
///   success that draws nothing;
/// - vertices, indices and constants are copied before the call returns;
/// - nothing is drawn on error.
///
/// All pipelines without a vertex shader share one cache of
/// [`Settings::fixed_pipelines`](crate::Settings::fixed_pipelines), custom blends included.
impl Renderer {
    /// Draws pretransformed vertices with the diffuse colour, multiplied with a texture if there
    /// is one (`mr_draw_rhw`). `stride` is at least 28 bytes.
    ///
    /// # Errors
    /// `Args` for counts, strides or state out of range, `Bounds` for an index that is not below
    /// the number of vertices or too few bytes, `Texture` for a texture that is not
    /// two-dimensional, `State` when the pipeline cache is full.
    #[allow(clippy::too_many_arguments)]
    pub fn draw_rhw(
        &mut self,
        context: &Context,
        state: &RhwState,
        primitive: Primitive,
        vertices: &[u8],
        stride: usize,
        count: u32,
        indices: Option<&[u16]>,
    ) -> Result<()> {
        if stride < RHW_BYTES {
            return Err(Error::args(format!(
                "stride {stride}, expected {RHW_BYTES} or more"
            )));
        }
        let input = Input {
            vertices,
            stride,
            count,
            indices,
        };
        if !check(context, &state.common, &input)? {
            return Ok(());
        }
        let mut stage = fixed::FragmentStage::default();
        if let Some(texture) = &state.texture {
            if texture.desc().kind != ImageKind::D2 {
                return Err(Error::texture(format!(
                    "{texture:?} is not two-dimensional"
                )));
            }
            stage.color_op = fixed::op::MODULATE;
            stage.color_args = [0, fixed::op::arg::TEXTURE, fixed::op::arg::DIFFUSE];
            stage.alpha_op = if state.texture_color_only {
                fixed::op::SELECTARG2
            } else {
                fixed::op::MODULATE
            };
            stage.alpha_args = stage.color_args;
        }
        let mut whole = FixedState {
            common: state.common,
            ..FixedState::default()
        };
        whole.stages[0] = stage;
        whole.textures[0] = state.texture.clone();
        whole.samplers[0] = state.sampler;
        let key = pass_through(fixed::position::PIXELS, &[0], false, false);
        self.draw_fixed(
            context,
            &whole,
            &key,
            &RHW_ELEMENTS,
            false,
            primitive,
            &input,
        )
    }

    /// Draws pretransformed vertices through the texture-stage cascade (`mr_draw_fixed_rhw`).
    ///
    /// # Errors
    /// As [`Renderer::draw_rhw`]; `Texture` when a stage needs a texture that is not there, unless
    /// [`Settings::texture_fallback`](crate::Settings::texture_fallback) is on, or has a volume;
    /// `Shader` for an operation that the cascade lacks: `PREMODULATE`, the bump operations, and
    /// 18 to 21 on alpha.
    pub fn draw_fixed_rhw(
        &mut self,
        context: &Context,
        state: &FixedState,
        primitive: Primitive,
        vertices: &[FixedVertex],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let input = Input::of(vertices, indices)?;
        if !check(context, &state.common, &input)? {
            return Ok(());
        }
        check_coordinates(state)?;
        let key = pass_through(
            fixed::position::PIXELS,
            &state.coordinates,
            state.fog_color.is_some(),
            true,
        );
        self.draw_fixed(
            context,
            state,
            &key,
            &FIXED_ELEMENTS,
            false,
            primitive,
            &input,
        )
    }

    /// Draws vertices in homogeneous clip space through the texture-stage cascade
    /// (`mr_draw_fixed_clip`). The context's viewport is the viewport.
    ///
    /// # Errors
    /// As [`Renderer::draw_fixed_rhw`].
    pub fn draw_fixed_clip(
        &mut self,
        context: &Context,
        state: &FixedState,
        primitive: Primitive,
        vertices: &[FixedVertex],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let input = Input::of(vertices, indices)?;
        if !check(context, &state.common, &input)? {
            return Ok(());
        }
        check_coordinates(state)?;
        let key = pass_through(
            fixed::position::CLIP,
            &state.coordinates,
            state.fog_color.is_some(),
            true,
        );
        self.draw_fixed(
            context,
            state,
            &key,
            &FIXED_ELEMENTS,
            true,
            primitive,
            &input,
        )
    }

    /// Draws with a vertex shader, and a pixel shader or the texture-stage cascade
    /// (`mr_draw_program`). The vertices are stream 0.
    ///
    /// # Errors
    /// `Args`, `Bounds` as [`Renderer::draw_rhw`]; `Decl` when the declaration lacks an element
    /// that the vertex shader reads, or an element does not fit its stream; `Shader` when a shader
    /// cannot be translated, or a stage of the cascade samples at coordinates that the vertex
    /// shader does not write; `Texture` and `Shader` for the cascade as
    /// [`Renderer::draw_fixed_rhw`].
    #[allow(clippy::too_many_arguments)]
    pub fn draw_program(
        &mut self,
        context: &Context,
        state: &ProgramState<'_>,
        primitive: Primitive,
        vertices: &[u8],
        stride: usize,
        count: u32,
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let input = Input {
            vertices,
            stride,
            count,
            indices,
        };
        let worth = check(context, state.common, &input)?;
        for stream in state.streams {
            check_stream(stream)?;
        }
        if !worth {
            return Ok(());
        }
        let options = self.program_options(state)?;
        let mut extras = pixel_extras(state.common, state.fog_color);
        integers(state, &mut extras);
        let mut sampled = 0;
        let mut images: [Option<Image>; STAGES] = [const { None }; STAGES];
        for (image, bound) in images.iter_mut().zip(state.textures) {
            image.clone_from(bound);
        }
        let pixel = match state.pixel {
            Some(pixel) => PixelFunction::Program(pixel, options),
            None => {
                let own = Cascade::default();
                let cascade = state.cascade.unwrap_or(&own);
                let pixel;
                (pixel, sampled) =
                    self.cascade(state.common, cascade, state.fog_color, &mut images)?;
                cascade_extras(cascade, &mut extras);
                pixel
            }
        };
        let (textures, samplers) = self.bindings_of(&images, state.samplers)?;
        let parts = Parts {
            context,
            common: state.common,
            vertex: VertexFunction::Program(state.vertex, options),
            pixel,
            elements: state.elements,
            vertex_constants: state.vertex_constants,
            vertex_ints: state.vertex_ints,
            vertex_bools: state.vertex_bools,
            pixel_constants: state.pixel_constants,
            pixel_extras: extras,
            textures,
            samplers,
            clip_space: false,
            resident: state.resident,
            secondary: state.streams,
            program: Some((state.vertex, sampled)),
        };
        self.draw_parts(&parts, primitive, &input)
    }

    /// Draws pretransformed vertices with a pixel shader (`mr_draw_program_rhw`). Of `state` the
    /// vertex shader, the declaration, the streams and the cascade are not used.
    ///
    /// # Errors
    /// As [`Renderer::draw_program`]; `Args` without a pixel shader.
    pub fn draw_program_rhw(
        &mut self,
        context: &Context,
        state: &ProgramState<'_>,
        primitive: Primitive,
        vertices: &[FixedVertex],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let Some(pixel) = state.pixel else {
            return Err(Error::args(
                "no pixel shader; draw_fixed_rhw draws without one",
            ));
        };
        let input = Input::of(vertices, indices)?;
        if !check(context, state.common, &input)? {
            return Ok(());
        }
        let options = self.program_options(state)?;
        let (textures, samplers) = self.bindings_of(state.textures, state.samplers)?;
        let mut extras = pixel_extras(state.common, state.fog_color);
        integers(state, &mut extras);
        let key = pass_through(
            fixed::position::PIXELS,
            &[0, 1, 2, 3, 4, 5, 6, 7],
            state.fog_color.is_some(),
            true,
        );
        let parts = Parts {
            context,
            common: state.common,
            vertex: self.fixed_vertex(&key)?,
            pixel: PixelFunction::Program(pixel, options),
            elements: &FIXED_ELEMENTS,
            vertex_constants: ONE_PIXEL.rows(),
            vertex_ints: &[],
            vertex_bools: 0,
            pixel_constants: state.pixel_constants,
            pixel_extras: extras,
            textures,
            samplers,
            clip_space: false,
            resident: None,
            secondary: &[],
            program: None,
        };
        self.draw_parts(&parts, primitive, &input)
    }

    fn program_options(&mut self, state: &ProgramState<'_>) -> Result<crate::OptionsId> {
        let mut options = Options {
            alpha_func: alpha_func(state.common)?,
            fog: if state.fog_color.is_some() {
                Fog::Vertex
            } else {
                Fog::None
            },
            ..Options::default()
        };
        for (kind, image) in options.sampler_kinds.iter_mut().zip(state.textures) {
            *kind = image.as_ref().map(|image| match image.desc().kind {
                ImageKind::D2 => SamplerKind::D2,
                ImageKind::Cube => SamplerKind::Cube,
                ImageKind::Volume => SamplerKind::Volume,
            });
        }
        self.shader_options(&options)
    }

    fn bindings_of(
        &mut self,
        images: &[Option<Image>],
        keys: &[SamplerKey],
    ) -> Result<([Option<TextureBinding>; STAGES], [SamplerId; STAGES])> {
        let mut textures = [const { None }; STAGES];
        for (binding, image) in textures.iter_mut().zip(images) {
            *binding = image.clone().map(TextureBinding::new);
        }
        let plain = self.sampler(&SamplerKey::default())?;
        let mut samplers = [plain; STAGES];
        for (stage, (id, key)) in samplers.iter_mut().zip(keys).enumerate() {
            let image: Option<&TextureBinding> = textures[stage].as_ref();
            let texels = image.map_or(key.texels, |bound| bound.image.desc().format.texels());
            *id = self.sampler(&SamplerKey { texels, ..*key })?;
        }
        Ok((textures, samplers))
    }

    #[allow(clippy::too_many_arguments)]
    fn draw_fixed(
        &mut self,
        context: &Context,
        state: &FixedState,
        vertex: &fixed::VertexKey,
        elements: &[VertexElement],
        clip_space: bool,
        primitive: Primitive,
        input: &Input<'_>,
    ) -> Result<()> {
        let cascade = Cascade {
            stages: state.stages,
            stage_constants: state.stage_constants,
            texture_factor: state.texture_factor,
        };
        let mut images = state.textures.clone();
        let (pixel, _) = self.cascade(&state.common, &cascade, state.fog_color, &mut images)?;
        let (textures, samplers) = self.bindings_of(&images, &state.samplers)?;
        let mut extras = pixel_extras(&state.common, state.fog_color);
        cascade_extras(&cascade, &mut extras);
        let parts = Parts {
            context,
            common: &state.common,
            vertex: self.fixed_vertex(vertex)?,
            pixel,
            elements,
            vertex_constants: ONE_PIXEL.rows(),
            vertex_ints: &[],
            vertex_bools: 0,
            pixel_constants: &[],
            pixel_extras: extras,
            textures,
            samplers,
            clip_space,
            resident: None,
            secondary: &[],
            program: None,
        };
        self.draw_parts(&parts, primitive, input)
    }

    /// The fragment function of a cascade, and the stages that sample; images of its other stages
    /// are dropped, and missing ones made white when that is wanted.
    fn cascade(
        &mut self,
        common: &CommonState,
        cascade: &Cascade,
        fog_color: Option<u32>,
        images: &mut [Option<Image>],
    ) -> Result<(PixelFunction, u8)> {
        let mut key = fixed::FragmentKey {
            alpha_func: alpha_func(common)? as u8,
            fog: if fog_color.is_some() {
                fixed::fragment_fog::VERTEX
            } else {
                fixed::fragment_fog::NONE
            },
            stages: cascade.stages,
            ..fixed::FragmentKey::default()
        };
        // With a texture everywhere the normal form tells which stages sample.
        for stage in &mut key.stages {
            stage.texture = fixed::stage_texture::D2;
        }
        let normal = key.normalized();
        check_cascade(&cascade.stages, normal.live_stages())?;
        let sampled = normal.sampled_stages();
        for (number, image) in images.iter_mut().enumerate().take(fixed::STAGES) {
            if sampled & (1 << number) == 0 {
                *image = None;
            } else if image.is_none() {
                if !self.settings.texture_fallback {
                    return Err(Error::texture(format!(
                        "fixed stage {number} texture is unavailable"
                    )));
                }
                *image = Some(self.white()?);
            }
            key.stages[number].texture = stage_kind(number, image.as_ref())?;
        }
        Ok((self.fixed_fragment(&key)?, sampled))
    }

    fn draw_parts(
        &mut self,
        parts: &Parts<'_>,
        primitive: Primitive,
        input: &Input<'_>,
    ) -> Result<()> {
        let fast = self.recorder.fast;
        let mut strides = [0u16; 16];
        strides[0] = input.stride as u16;
        let mut bound = 1u16;
        let mut streams = [StreamData::None; 16];
        let used = &input.vertices[..input.count as usize * input.stride];
        streams[0] = stream_data(0, used, parts.resident, parts.elements, fast);
        for stream in parts.secondary {
            let number = check_stream(stream)?;
            strides[number] = stream.stride as u16;
            bound |= 1 << number;
            let SecondaryStream { data, resident, .. } = *stream;
            streams[number] = stream_data(number, data, resident, parts.elements, fast);
        }
        let common = parts.common;
        let overlay = parts.context.overlay_target();
        let blend = self.blend(&BlendKey::mode(common.blend, common.write_mask, overlay))?;
        let depth_stencil = self.depth_stencil(&common.depth_stencil)?;
        let raster = self.raster(&RasterKey {
            cull: common.cull,
            ..RasterKey::default()
        })?;
        let layout = self.vertex_layout(parts.elements, &strides)?;
        if let Some((vertex, sampled)) = parts.program {
            let declared = (vertex, layout, bound, sampled);
            self.check_declaration(declared, parts.elements)?;
        }
        let (width, height) = (parts.context.width(), parts.context.height());
        let area = parts.context.viewport();
        let viewport = if parts.clip_space {
            Viewport {
                x: area.x,
                y: area.y,
                w: area.w,
                h: area.h,
                min_z: 0.0,
                max_z: 1.0,
            }
        } else {
            Viewport::full(width, height)
        };
        let mut vertex_extras = VertexExtras {
            viewport_inv: [2.0 / width as f32, -2.0 / height as f32, -1.0, 1.0],
            ..VertexExtras::zeroed()
        };
        // Points of one pixel, and of any size where programs say.
        vertex_extras.misc[0] = [1.0, 0.0, f32::MAX, 0.0];
        vertex_extras.bools[0] = parts.vertex_bools.into();
        for (own, int) in vertex_extras.ints.iter_mut().zip(parts.vertex_ints) {
            *own = *int;
        }
        let total = input.total();
        let generation = self.new_generation();
        self.draw(&Draw {
            targets: parts.context.targets(),
            vertex: parts.vertex,
            pixel: parts.pixel,
            layout,
            blend,
            depth_stencil,
            raster,
            primitive,
            streams: &streams,
            indices: input.indices.map(IndexData::U16),
            extent: None,
            first: 0,
            count: total,
            base_vertex: 0,
            vs_floats: Constants {
                file: parts.vertex_constants,
                generation,
            },
            ps_floats: Constants {
                file: parts.pixel_constants,
                generation,
            },
            wide: [crate::WideConstants::NONE; 2],
            vs_extras: Extras {
                values: &vertex_extras,
                generation,
            },
            ps_extras: Extras {
                values: &parts.pixel_extras,
                generation,
            },
            textures: &parts.textures,
            samplers: &parts.samplers,
            viewport,
            scissor: Some(area),
            stencil_ref: common.stencil_ref,
            rewritable: false,
            blend_factor: [0.0; 4],
        })?;
        parts.context.count_triangles(primitive, total);
        Ok(())
    }

    fn white(&mut self) -> Result<Image> {
        if let Some(white) = &self.white {
            return Ok(white.clone());
        }
        let image = self.create_image(&ImageDesc::d2(1, 1, ImageFormat::Bgra8))?;
        let area = Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: 1,
            h: 1,
            d: 1,
        };
        self.upload(&image, 0, 0, area, &[255; 4], 4, 0)?;
        Ok(self.white.insert(image).clone())
    }
}

fn check_coordinates(state: &FixedState) -> Result<()> {
    match state.coordinates.iter().position(|&set| set > 7) {
        None => Ok(()),
        Some(stage) => Err(Error::args(format!(
            "stage {stage} takes texture coordinates {}, expected 0 to 7",
            state.coordinates[stage]
        ))),
    }
}

fn pixel_extras(common: &CommonState, fog_color: Option<u32>) -> PixelExtras {
    let mut extras = PixelExtras::zeroed();
    if let Some((_, reference)) = common.alpha_test {
        extras.alpha_ref[0] = f32::from(reference) / 255.0;
    }
    if let Some(color) = fog_color {
        extras.fog_color = crate::context::color_floats(color);
    }
    extras
}

fn cascade_extras(cascade: &Cascade, extras: &mut PixelExtras) {
    extras.texture_factor = crate::context::color_floats(cascade.texture_factor);
    extras.stage_constants = cascade.stage_constants.map(crate::context::color_floats);
}

fn integers(state: &ProgramState<'_>, extras: &mut PixelExtras) {
    extras.bools[0] = state.pixel_bools.into();
    for (own, int) in extras.ints.iter_mut().zip(state.pixel_ints) {
        *own = *int;
    }
}
