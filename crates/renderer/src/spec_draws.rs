//! The specification's draw entry points over contexts, each a thin wrapper that builds a
//! [`Draw`].

use bytemuck::Zeroable;
use ninefold_bytecode::SamplerKind;
use ninefold_shader::abi::{PixelExtras, VertexExtras};
use ninefold_shader::{CompareFunc, Fog, Options, fixed};

use crate::context::Context;
use crate::draw::{
    Constants, Draw, Extras, IndexData, Primitive, STAGES, StreamData, TextureBinding, Viewport,
};
use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageFormat, ImageKind};
use crate::keys::{
    BlendKey, PixelFunction, RasterKey, SamplerId, SamplerKey, VertexElement, VertexFunction,
};
use crate::renderer::Renderer;
use crate::spec_state::{
    CommonState, FixedState, FixedVertex, ProgramState, RhwState, RhwVertex, SecondaryStream,
};

/// Vertices of one draw.
const MAX_VERTICES: u32 = 65_536;
/// Indices of one draw.
const MAX_INDICES: usize = 196_608;
/// Bytes of one vertex in one stream.
const MAX_STRIDE: usize = 256;
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
    pixel_extras: PixelExtras,
    textures: [Option<TextureBinding>; STAGES],
    samplers: [SamplerId; STAGES],
    clip_space: bool,
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

/// A vertex key that passes positions, both colours and `sets` coordinate sets on.
fn pass_through(position: u8, sets: usize, fog: bool, specular: bool) -> fixed::VertexKey {
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
    for set in 0..sets {
        key.stages[set] = fixed::VertexStage {
            source: fixed::coordinate::SET,
            set: set as u8,
            components: 2,
            transform: 0,
        };
    }
    key
}

impl Renderer {
    /// Draws pretransformed vertices with the diffuse colour, multiplied with a texture if there
    /// is one (`mr_draw_rhw`). `stride` is at least 28 bytes.
    ///
    /// # Errors
    /// `Args` for counts or strides out of range, `Bounds` for an index that is not below the
    /// number of vertices or too few bytes. Nothing is drawn on error.
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
        let mut stage = fixed::FragmentStage::default();
        if state.texture.is_some() {
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
        let key = pass_through(fixed::position::PIXELS, 1, false, false);
        self.draw_fixed(
            context,
            &whole,
            &key,
            &RHW_ELEMENTS,
            false,
            primitive,
            (vertices, stride, count),
            indices,
        )
    }

    /// Draws pretransformed vertices through the texture-stage cascade (`mr_draw_fixed_rhw`).
    ///
    /// # Errors
    /// As [`Renderer::draw_rhw`]; `Texture` when a stage needs a texture that is not there.
    pub fn draw_fixed_rhw(
        &mut self,
        context: &Context,
        state: &FixedState,
        primitive: Primitive,
        vertices: &[FixedVertex],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let key = pass_through(fixed::position::PIXELS, 8, state.fog_color.is_some(), true);
        let bytes = bytemuck::cast_slice(vertices);
        let input = (bytes, size_of::<FixedVertex>(), count_of(vertices)?);
        self.draw_fixed(
            context,
            state,
            &key,
            &FIXED_ELEMENTS,
            false,
            primitive,
            input,
            indices,
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
        let key = pass_through(fixed::position::CLIP, 8, state.fog_color.is_some(), true);
        let bytes = bytemuck::cast_slice(vertices);
        let input = (bytes, size_of::<FixedVertex>(), count_of(vertices)?);
        self.draw_fixed(
            context,
            state,
            &key,
            &FIXED_ELEMENTS,
            true,
            primitive,
            input,
            indices,
        )
    }

    /// Draws with a vertex and a pixel shader (`mr_draw_program`). The vertices are stream 0.
    ///
    /// # Errors
    /// `Args`, `Bounds` as [`Renderer::draw_rhw`]; `Shader`, `Decl` when the pipeline cannot be
    /// built.
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
        let options = self.program_options(state)?;
        let (textures, samplers) = self.bindings_of(state.textures, state.samplers)?;
        let parts = Parts {
            context,
            common: state.common,
            vertex: VertexFunction::Program(state.vertex, options),
            pixel: PixelFunction::Program(state.pixel, options),
            elements: state.elements,
            vertex_constants: state.vertex_constants,
            pixel_constants: state.pixel_constants,
            pixel_extras: pixel_extras(state.common, state.fog_color),
            textures,
            samplers,
            clip_space: false,
        };
        self.draw_parts(
            &parts,
            primitive,
            (vertices, stride, count),
            state.streams,
            indices,
        )
    }

    /// Draws pretransformed vertices with a pixel shader (`mr_draw_program_rhw`). Of `state` the
    /// vertex shader, the declaration and the streams are not used.
    ///
    /// # Errors
    /// As [`Renderer::draw_program`].
    pub fn draw_program_rhw(
        &mut self,
        context: &Context,
        state: &ProgramState<'_>,
        primitive: Primitive,
        vertices: &[FixedVertex],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let options = self.program_options(state)?;
        let (textures, samplers) = self.bindings_of(state.textures, state.samplers)?;
        let key = pass_through(fixed::position::PIXELS, 8, state.fog_color.is_some(), true);
        let parts = Parts {
            context,
            common: state.common,
            vertex: self.fixed_vertex(&key)?,
            pixel: PixelFunction::Program(state.pixel, options),
            elements: &FIXED_ELEMENTS,
            vertex_constants: &[],
            pixel_constants: state.pixel_constants,
            pixel_extras: pixel_extras(state.common, state.fog_color),
            textures,
            samplers,
            clip_space: false,
        };
        let bytes = bytemuck::cast_slice(vertices);
        let input = (bytes, size_of::<FixedVertex>(), count_of(vertices)?);
        self.draw_parts(&parts, primitive, input, &[], indices)
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
        vertices: (&[u8], usize, u32),
        indices: Option<&[u16]>,
    ) -> Result<()> {
        let mut key = fixed::FragmentKey {
            alpha_func: alpha_func(&state.common)? as u8,
            fog: if state.fog_color.is_some() {
                fixed::fragment_fog::VERTEX
            } else {
                fixed::fragment_fog::NONE
            },
            stages: state.stages,
            ..fixed::FragmentKey::default()
        };
        // With a texture everywhere the normal form tells which stages sample.
        for stage in &mut key.stages {
            stage.texture = fixed::stage_texture::D2;
        }
        let sampled = key.normalized().sampled_stages();
        let mut images = state.textures.clone();
        for (number, image) in images.iter_mut().enumerate() {
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
            key.stages[number].texture = match image.as_ref().map(|image| image.desc().kind) {
                None => fixed::stage_texture::NONE,
                Some(ImageKind::D2) => fixed::stage_texture::D2,
                Some(ImageKind::Cube) => fixed::stage_texture::CUBE,
                Some(ImageKind::Volume) => fixed::stage_texture::VOLUME,
            };
        }
        let (textures, samplers) = self.bindings_of(&images, &state.samplers)?;
        let mut extras = pixel_extras(&state.common, state.fog_color);
        extras.texture_factor = crate::context::color_floats(state.texture_factor);
        extras.stage_constants = state.stage_constants.map(crate::context::color_floats);
        let parts = Parts {
            context,
            common: &state.common,
            vertex: self.fixed_vertex(vertex)?,
            pixel: self.fixed_fragment(&key)?,
            elements,
            vertex_constants: &[],
            pixel_constants: &[],
            pixel_extras: extras,
            textures,
            samplers,
            clip_space,
        };
        self.draw_parts(&parts, primitive, vertices, &[], indices)
    }

    fn draw_parts(
        &mut self,
        parts: &Parts<'_>,
        primitive: Primitive,
        (vertices, stride, count): (&[u8], usize, u32),
        secondary: &[SecondaryStream<'_>],
        indices: Option<&[u16]>,
    ) -> Result<()> {
        check_counts(vertices, stride, count, indices)?;
        let mut strides = [0u16; 16];
        strides[0] = stride as u16;
        let mut streams = [StreamData::None; 16];
        streams[0] = StreamData::Bytes(vertices);
        for stream in secondary {
            let number = usize::from(stream.stream);
            if !(1..=15).contains(&number) || stream.stride > MAX_STRIDE {
                return Err(Error::args(format!(
                    "stream {number} with stride {}, expected stream 1 to 15 and at most {MAX_STRIDE}",
                    stream.stride
                )));
            }
            strides[number] = stream.stride as u16;
            streams[number] = StreamData::Bytes(stream.data);
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
        let total = indices.map_or(count, |indices| indices.len() as u32);
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
            indices: indices.map(IndexData::U16),
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
        })
    }

    fn white(&mut self) -> Result<Image> {
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
        Ok(image)
    }
}

fn count_of(vertices: &[FixedVertex]) -> Result<u32> {
    u32::try_from(vertices.len()).map_err(|_| Error::args("more than 65536 vertices"))
}

fn check_counts(vertices: &[u8], stride: usize, count: u32, indices: Option<&[u16]>) -> Result<()> {
    if !(1..=MAX_VERTICES).contains(&count) {
        return Err(Error::args(format!(
            "{count} vertices, expected 1 to {MAX_VERTICES}"
        )));
    }
    if stride > MAX_STRIDE {
        return Err(Error::args(format!(
            "stride {stride}, expected at most {MAX_STRIDE}"
        )));
    }
    let need = (count as usize).saturating_mul(stride);
    if vertices.len() < need {
        return Err(Error::bounds(format!(
            "{count} vertices of {stride} bytes in {} bytes",
            vertices.len()
        )));
    }
    if let Some(indices) = indices {
        if indices.len() > MAX_INDICES {
            return Err(Error::args(format!(
                "{} indices, expected at most {MAX_INDICES}",
                indices.len()
            )));
        }
        let highest = indices.iter().copied().max().unwrap_or(0);
        if u32::from(highest) >= count {
            return Err(Error::bounds(format!(
                "index {highest} of {count} vertices"
            )));
        }
    }
    Ok(())
}

fn alpha_func(common: &CommonState) -> Result<CompareFunc> {
    let Some((func, _)) = common.alpha_test else {
        return Ok(CompareFunc::Always);
    };
    CompareFunc::from_d3d(func.into())
        .ok_or_else(|| Error::args(format!("D3DRS_ALPHAFUNC is {func}, expected 1 to 8")))
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
