//! From a recipe to a pipeline: translate, link, lay out, build. Any thread may do it.

use std::sync::Arc;

use ninefold_bytecode::Stage;
use ninefold_bytecode::radial_fog::Mode;
use ninefold_gpu::RenderPipeline;
use ninefold_shader::{Options, SamplerKind, SamplerRules, abi, fixed};

use super::functions::{Function, Source};
use super::recipe::{Ingredients, PixelHalf, VertexHalf};
use super::{Shared, Who};
use crate::bindings::TextureLayout;
use crate::draw::Primitive;
use crate::error::Result;
use crate::large::Large;
use crate::link::{PixelLink, VertexLink};
use crate::pipeline::{self, PipelineKey};
use crate::vertex_input::{VertexInput, set_integer_inputs};

/// A pipeline that is decided but not built.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) key: PipelineKey,
    pub(crate) vertex: Arc<Function>,
    pub(crate) pixel: Arc<Function>,
    pub(crate) input: VertexInput,
    pub(crate) textures: TextureLayout,
    /// A function has constants beyond the windows.
    pub(crate) large: bool,
    /// The vertex function applies the viewport's depth range and `D3DRS_DEPTHBIAS`.
    pub(crate) biased: bool,
}

impl Shared {
    /// Translates what `ingredients` need, and fits the two functions to each other and to the
    /// vertices.
    pub(super) fn prepare(&self, ingredients: &Ingredients) -> Result<Prepared> {
        let points = ingredients.primitive == Primitive::PointList;
        let mut raster = self.normalise_raster(ingredients);
        let caps = self.gpu.caps();
        let biased = raster.depth_bias != 0.0 || raster.slope_bias != 0.0;
        // A bias moves depths after clipping, and what it moves out of range is clamped.
        let clip_depth = biased && !raster.unclipped && caps.clip_distances;
        raster.unclipped |= biased && caps.depth_clip_control;
        let mut pixel_link = PixelLink {
            points,
            ..PixelLink::default()
        };
        let full = self.pixel(&ingredients.pixel, pixel_link)?;
        let mut vertex_link = VertexLink {
            depth_bias: biased,
            clip_depth,
            points,
            varyings: full.reflection.link,
            zero_color: self.is_model_3(&ingredients.pixel),
            ..VertexLink::default()
        };
        let plain = self.vertex(&ingredients.vertex, vertex_link)?;
        let is_program = ingredients.vertex.is_program();
        let (layout, bound) = (&ingredients.layout, ingredients.bound_streams);
        set_integer_inputs(
            &mut vertex_link,
            is_program,
            &plain.reflection,
            layout,
            bound,
        );
        (vertex_link.wraps, vertex_link.corners) = wrapping(
            raster.wraps,
            ingredients.primitive,
            plain.reflection.outputs_mask,
        );
        pixel_link.wraps = vertex_link.wraps;
        let rules = &ingredients.samplers;
        for sampler in &plain.reflection.samplers {
            let register = usize::from(sampler.register & 3);
            let rules = rules[abi::PIXEL_SAMPLERS as usize + register];
            vertex_link.samplers[register] = of_kind(rules, sampler.kind);
        }
        let vertex = self.vertex(&ingredients.vertex, vertex_link)?;
        let outputs = vertex.reflection.outputs_mask;
        pixel_link.missing_inputs = full.reflection.inputs_mask & !outputs;
        if pixel_link.missing_inputs & 1 << abi::FOG_LOCATION != 0 {
            // Then the factor may come from the specular colour.
            pixel_link.missing_inputs |= !outputs & 2 << abi::COLOR_LOCATION;
        }
        for sampler in &full.reflection.samplers {
            let stage = usize::from(sampler.register & 15);
            pixel_link.samplers[stage] = of_kind(rules[stage], sampler.kind);
        }
        let pixel = self.pixel(&ingredients.pixel, pixel_link)?;
        let input = VertexInput::new(&vertex.reflection, layout, bound, is_program)?;
        let functions = [vertex.identity, pixel.identity];
        Ok(Prepared {
            key: PipelineKey::new(functions, ingredients, &raster, &input),
            textures: pipeline::texture_layout(&vertex.reflection, &pixel.reflection),
            large: Large::needed(&vertex.reflection, &pixel.reflection),
            biased,
            vertex,
            pixel,
            input,
        })
    }

    /// Builds a pipeline. Slow: milliseconds of the driver's.
    pub(super) fn create(&self, prepared: &Prepared, who: Who) -> Result<RenderPipeline> {
        let vertex = self.module(&prepared.vertex, who)?;
        let pixel = self.module(&prepared.pixel, who)?;
        #[cfg(test)]
        if let Some(driver) = &self.driver {
            return driver(&prepared.key);
        }
        let layout = self.layouts.pipeline(prepared.textures, prepared.large)?;
        pipeline::create(
            &self.gpu,
            &prepared.key,
            &layout,
            ninefold_gpu::Stage {
                module: &vertex,
                entry: &prepared.vertex.entry,
            },
            ninefold_gpu::Stage {
                module: &pixel,
                entry: &prepared.pixel.entry,
            },
            prepared.pixel.reflection.color_outputs,
            self.archive.as_ref(),
        )
    }

    pub(super) fn vertex(&self, half: &VertexHalf, link: VertexLink) -> Result<Arc<Function>> {
        let source = match half {
            VertexHalf::Program(name, options) => {
                Source::Program(*name, self.linked(options, &link))
            }
            VertexHalf::Radial(name, options, mode) => {
                Source::Radial(*name, self.linked(options, &link), *mode)
            }
            VertexHalf::Fixed(key) => {
                let mut key = *key;
                (key.uint_inputs, key.sint_inputs) = (link.unsigned, link.signed);
                if link.depth_bias {
                    key.flags |= fixed::vertex_flag::DEPTH_BIAS;
                }
                key.clip_planes |= link.depth_planes();
                (key.wraps, key.corners) = (link.wraps, link.corners);
                if link.points {
                    key.points |= fixed::point::SIZE;
                }
                Source::FixedVertex(key.normalized())
            }
        };
        self.translate(&source, Stage::Vertex)
    }

    /// The options of a vertex shader that is fitted to what it is drawn with.
    fn linked(&self, options: &Options, link: &VertexLink) -> Options {
        let mut options = Options {
            uint_attributes: link.unsigned,
            sint_attributes: link.signed,
            depth_bias: link.depth_bias,
            point_size: link.points,
            clip_planes: options.clip_planes | link.depth_planes(),
            link: link.varyings,
            wraps: link.wraps,
            corners: link.corners,
            zero_color: link.zero_color,
            uniforms_only: self.uniforms_only,
            ..*options
        };
        options.samplers[..4].copy_from_slice(&link.samplers);
        options
    }

    fn pixel(&self, half: &PixelHalf, link: PixelLink) -> Result<Arc<Function>> {
        let source = match half {
            PixelHalf::Program(name, options) => Source::Program(
                *name,
                Options {
                    missing_inputs: link.missing_inputs,
                    samplers: link.samplers,
                    wraps: link.wraps,
                    point_sprite: options.point_sprite && link.points,
                    uniforms_only: self.uniforms_only,
                    whole_floats: self.whole_floats,
                    ..*options
                },
            ),
            PixelHalf::Fixed(key) => {
                let mut key = *key;
                key.missing_inputs = link.missing_inputs;
                key.wraps = link.wraps;
                for (stage, rules) in key.stages.iter_mut().zip(link.samplers) {
                    stage.sampler = rules;
                }
                if !link.points {
                    key.flags &= !fixed::fragment_flag::POINT_SPRITE;
                }
                if self.whole_floats {
                    key.flags |= fixed::fragment_flag::WHOLE_FLOATS;
                }
                Source::FixedFragment(key.normalized())
            }
        };
        self.translate(&source, Stage::Pixel)
    }

    fn is_model_3(&self, half: &PixelHalf) -> bool {
        let PixelHalf::Program(name, _) = half else {
            return false;
        };
        let state = self.state.lock();
        let code = state.shaders.get(name);
        code.is_some_and(|code| code.version().major >= 3)
    }

    /// Translates a shader as most draws will want it, and has its function compiled.
    pub(super) fn prewarm(self: &Arc<Self>, name: u64, stage: Stage, options: Options) {
        if !self.state.lock().may_translate_ahead() {
            return;
        }
        let half = match stage {
            Stage::Vertex => {
                self.vertex(&VertexHalf::Program(name, options), VertexLink::default())
            }
            Stage::Pixel => self.pixel(&PixelHalf::Program(name, options), PixelLink::default()),
        };
        self.queue_ahead(half);
    }

    /// The same for a vertex shader with fog measured from the eye.
    pub(super) fn prewarm_radial(self: &Arc<Self>, name: u64, mode: Mode) {
        if self.state.lock().may_translate_ahead() {
            let half = VertexHalf::Radial(name, Options::default(), mode);
            self.queue_ahead(self.vertex(&half, VertexLink::default()));
        }
    }

    /// The same for a fixed-function vertex function.
    pub(super) fn prewarm_fixed(self: &Arc<Self>, key: &fixed::VertexKey) {
        let half = VertexHalf::Fixed(*key);
        self.queue_ahead(self.vertex(&half, VertexLink::default()));
    }

    fn queue_ahead(self: &Arc<Self>, function: Result<Arc<Function>>) {
        // A failure is in the cache for the draw that meets it.
        if let Ok(function) = function {
            self.state.lock().queue_function(&function);
            self.wake();
        }
    }
}

/// The sets that wrap of those that a vertex function writes, and the corners of a primitive.
fn wrapping(wraps: u32, primitive: Primitive, outputs: u32) -> (u32, u8) {
    let corners = match primitive {
        Primitive::TriangleList => 3,
        Primitive::LineList => 2,
        _ => return (0, 0),
    };
    let written = |set: &u32| outputs >> (abi::TEXCOORD_LOCATION + set) & 1 != 0;
    let wrapped = (0..8)
        .filter(written)
        .fold(0, |all, set| all | abi::wraps_of(wraps, set) << (4 * set));
    match wrapped {
        0 => (0, 0),
        _ => (wrapped, corners),
    }
}

/// The rules for a texture of `kind`: filters do not leave the face of a cube.
fn of_kind(mut rules: SamplerRules, kind: SamplerKind) -> SamplerRules {
    if kind == SamplerKind::Cube {
        rules.address |= SamplerRules::FACES;
    }
    rules
}
