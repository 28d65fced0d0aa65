//! Shader functions: registered bytecode, options and fixed-function keys, and the cache of what
//! they were translated to.

use ninefold_bytecode::ShaderCode;
use ninefold_gpu::{Gpu, ShaderModule};
use ninefold_shader::{Link, Options, Reflection, SamplerRules, Translation, abi, fixed};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::intern::Interner;
use crate::keys::{
    FixedFragmentId, FixedVertexId, OptionsId, PixelFunction, ShaderId, VertexFunction,
};

/// Shaders that may be registered. Programs have hundreds; they live as long as the renderer.
const SHADERS: usize = 65_536;
/// Functions, each a shader or a key with its options, that may be compiled: more than the
/// pipelines that can use them.
const FUNCTIONS: usize = 32_768;

/// Number of a compiled function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunctionId(u32);

/// A compiled function.
pub(crate) struct Function {
    pub(crate) module: ShaderModule,
    pub(crate) entry: String,
    pub(crate) identity: u64,
    pub(crate) reflection: Reflection,
}

/// What the rest of a draw decides about its vertex function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct VertexLink {
    /// Elements fetched as unsigned integers: by attribute for programs, by `fixed::input` bit for
    /// fixed-function processing.
    pub(crate) unsigned: u16,
    /// Elements fetched as signed integers.
    pub(crate) signed: u16,
    /// `D3DRS_DEPTHBIAS` or `D3DRS_SLOPESCALEDEPTHBIAS` is not 0.
    pub(crate) depth_bias: bool,
    /// The function says itself what depths are cut off.
    pub(crate) clip_depth: bool,
    /// The primitives are points.
    pub(crate) points: bool,
    /// How samplers read.
    pub(crate) samplers: [SamplerRules; 4],
    /// What the pixel function takes beyond the common semantics.
    pub(crate) varyings: Link,
    /// The pixel function is ps_3_0.
    pub(crate) zero_color: bool,
}

impl VertexLink {
    fn depth_planes(&self) -> u8 {
        match self.clip_depth {
            true => abi::CLIP_DEPTH,
            false => 0,
        }
    }
}

/// What the rest of a draw decides about its pixel function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct PixelLink {
    /// Varyings that the vertex function lacks.
    pub(crate) missing_inputs: u32,
    /// How samplers read.
    pub(crate) samplers: [SamplerRules; 16],
    /// The primitives are points.
    pub(crate) points: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Program(ShaderId, Options),
    FixedVertex(fixed::VertexKey),
    FixedFragment(fixed::FragmentKey),
}

/// The registered shaders and the compiled functions. A failure is remembered, so that a shader
/// that cannot be translated costs one attempt.
pub(crate) struct Functions {
    shaders: FxHashMap<u64, Vec<ShaderId>>,
    codes: Vec<ShaderCode>,
    options: Interner<Options>,
    vertex_keys: Interner<fixed::VertexKey>,
    fragment_keys: Interner<fixed::FragmentKey>,
    by_source: FxHashMap<Source, Result<FunctionId>>,
    by_identity: FxHashMap<u64, FunctionId>,
    functions: Vec<Function>,
    pub(crate) translated: u64,
}

impl Functions {
    pub(crate) fn new() -> Self {
        Self {
            shaders: FxHashMap::default(),
            codes: Vec::new(),
            options: Interner::new("shader options"),
            vertex_keys: Interner::new("fixed-function vertex keys"),
            fragment_keys: Interner::new("texture-stage cascades"),
            by_source: FxHashMap::default(),
            by_identity: FxHashMap::default(),
            functions: Vec::new(),
            translated: 0,
        }
    }

    pub(crate) fn register(&mut self, code: &ShaderCode) -> Result<ShaderId> {
        let known = self.shaders.entry(code.key().get()).or_default();
        for &id in known.iter() {
            if self.codes[id.0 as usize].tokens() == code.tokens() {
                return Ok(id);
            }
        }
        if self.codes.len() >= SHADERS {
            return Err(Error::state(format!(
                "more than {SHADERS} distinct shaders"
            )));
        }
        let id = ShaderId(self.codes.len() as u32);
        known.push(id);
        self.codes.push(code.clone());
        Ok(id)
    }

    pub(crate) fn options(&mut self, options: &Options) -> Result<OptionsId> {
        let own = Options {
            missing_inputs: 0,
            uint_attributes: 0,
            sint_attributes: 0,
            depth_bias: false,
            point_size: false,
            zero_color: false,
            samplers: [SamplerRules::default(); 16],
            link: Link::default(),
            uniforms_only: false,
            ..*options
        };
        Ok(OptionsId(self.options.intern(&own)?))
    }

    pub(crate) fn fixed_vertex(&mut self, key: &fixed::VertexKey) -> Result<FixedVertexId> {
        let mut key = *key;
        (key.uint_inputs, key.sint_inputs) = (0, 0);
        key.flags &= !fixed::vertex_flag::DEPTH_BIAS;
        key.points &= !fixed::point::SIZE;
        Ok(FixedVertexId(self.vertex_keys.intern(&key)?))
    }

    pub(crate) fn fixed_fragment(&mut self, key: &fixed::FragmentKey) -> Result<FixedFragmentId> {
        let mut key = fixed::FragmentKey {
            missing_inputs: 0,
            ..*key
        };
        for stage in &mut key.stages {
            stage.sampler = SamplerRules::default();
        }
        Ok(FixedFragmentId(self.fragment_keys.intern(&key)?))
    }

    /// Whether a pixel function is of Shader Model 3.
    pub(crate) fn is_model_3(&self, function: PixelFunction) -> bool {
        match function {
            PixelFunction::Program(shader, _) => self
                .codes
                .get(shader.0 as usize)
                .is_some_and(|code| code.version().major >= 3),
            PixelFunction::Fixed(_) => false,
        }
    }

    pub(crate) fn get(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The compiled vertex function.
    pub(crate) fn vertex(
        &mut self,
        gpu: &Gpu,
        function: VertexFunction,
        link: VertexLink,
    ) -> Result<FunctionId> {
        let source = match function {
            VertexFunction::Program(shader, options) => {
                let mut options = Options {
                    uint_attributes: link.unsigned,
                    sint_attributes: link.signed,
                    depth_bias: link.depth_bias,
                    point_size: link.points,
                    clip_planes: self.options.get(options.0)?.clip_planes | link.depth_planes(),
                    link: link.varyings,
                    zero_color: link.zero_color,
                    uniforms_only: gpu.caps().max_storage_binding == 0,
                    ..*self.options.get(options.0)?
                };
                options.samplers[..4].copy_from_slice(&link.samplers);
                Source::Program(shader, options)
            }
            VertexFunction::Fixed(id) => {
                let mut key = *self.vertex_keys.get(id.0)?;
                (key.uint_inputs, key.sint_inputs) = (link.unsigned, link.signed);
                if link.depth_bias {
                    key.flags |= fixed::vertex_flag::DEPTH_BIAS;
                }
                key.clip_planes |= link.depth_planes();
                if link.points {
                    key.points |= fixed::point::SIZE;
                }
                Source::FixedVertex(key.normalized())
            }
        };
        self.compile(gpu, source, ninefold_shader::Stage::Vertex)
    }

    /// The compiled pixel function.
    pub(crate) fn pixel(
        &mut self,
        gpu: &Gpu,
        function: PixelFunction,
        link: PixelLink,
    ) -> Result<FunctionId> {
        let source = match function {
            PixelFunction::Program(shader, options) => {
                let options = self.options.get(options.0)?;
                Source::Program(
                    shader,
                    Options {
                        missing_inputs: link.missing_inputs,
                        samplers: link.samplers,
                        point_sprite: options.point_sprite && link.points,
                        uniforms_only: gpu.caps().max_storage_binding == 0,
                        ..*options
                    },
                )
            }
            PixelFunction::Fixed(id) => {
                let mut key = *self.fragment_keys.get(id.0)?;
                key.missing_inputs = link.missing_inputs;
                for (stage, rules) in key.stages.iter_mut().zip(link.samplers) {
                    stage.sampler = rules;
                }
                if !link.points {
                    key.flags &= !fixed::fragment_flag::POINT_SPRITE;
                }
                Source::FixedFragment(key.normalized())
            }
        };
        self.compile(gpu, source, ninefold_shader::Stage::Pixel)
    }

    fn compile(
        &mut self,
        gpu: &Gpu,
        source: Source,
        stage: ninefold_shader::Stage,
    ) -> Result<FunctionId> {
        if let Some(known) = self.by_source.get(&source) {
            return known.clone();
        }
        let result = self.compile_now(gpu, &source, stage);
        if let Err(error) = &result {
            tracing::warn!(target: "ninefold::shader", %error, "a shader function failed");
        }
        if self.by_source.len() < FUNCTIONS {
            self.by_source.insert(source, result.clone());
        }
        result
    }

    fn compile_now(
        &mut self,
        gpu: &Gpu,
        source: &Source,
        stage: ninefold_shader::Stage,
    ) -> Result<FunctionId> {
        if self.by_source.len() >= FUNCTIONS {
            return Err(Error::state(format!(
                "more than {FUNCTIONS} shader functions"
            )));
        }
        self.translated += 1;
        let translation: Translation = match source {
            Source::Program(id, options) => {
                let code = self
                    .codes
                    .get(id.0 as usize)
                    .ok_or_else(|| Error::args("a shader id of another renderer"))?;
                ninefold_shader::translate(code, options)
            }
            Source::FixedVertex(key) => fixed::vertex(key),
            Source::FixedFragment(key) => fixed::fragment(key),
        }
        .map_err(|error| Error::shader(error.to_string()))?;
        if translation.reflection.stage != stage {
            return Err(Error::shader("shader stage mismatch"));
        }
        if let Some(&id) = self.by_identity.get(&translation.identity) {
            return Ok(id);
        }
        let Translation {
            module,
            entry,
            identity,
            reflection,
            ..
        } = translation;
        let module = gpu.create_shader(module)?;
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function {
            module,
            entry,
            identity,
            reflection,
        });
        self.by_identity.insert(identity, id);
        Ok(id)
    }
}
