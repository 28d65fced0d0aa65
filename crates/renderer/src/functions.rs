//! Shader functions: registered bytecode, options and fixed-function keys, and the cache of what
//! they were translated to.

use ninefold_bytecode::ShaderCode;
use ninefold_gpu::{Gpu, ShaderModule};
use ninefold_shader::{Options, Reflection, Translation, fixed};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::intern::Interner;
use crate::keys::{
    FixedFragmentId, FixedVertexId, OptionsId, PixelFunction, ShaderId, VertexFunction,
};

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

/// Integer elements that the vertex function fetches as integers, by attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct IntegerInputs {
    pub(crate) unsigned: u16,
    pub(crate) signed: u16,
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
        let id = ShaderId(
            u32::try_from(self.codes.len())
                .map_err(|_| Error::state("more than 2^32 distinct shaders"))?,
        );
        known.push(id);
        self.codes.push(code.clone());
        Ok(id)
    }

    pub(crate) fn options(&mut self, options: &Options) -> Result<OptionsId> {
        let own = Options { missing_inputs: 0, uint_attributes: 0, sint_attributes: 0, ..*options };
        Ok(OptionsId(self.options.intern(&own)?))
    }

    pub(crate) fn fixed_vertex(&mut self, key: &fixed::VertexKey) -> Result<FixedVertexId> {
        let mut key = key.normalized();
        (key.uint_inputs, key.sint_inputs) = (0, 0);
        Ok(FixedVertexId(self.vertex_keys.intern(&key)?))
    }

    pub(crate) fn fixed_fragment(&mut self, key: &fixed::FragmentKey) -> Result<FixedFragmentId> {
        let key = fixed::FragmentKey { missing_inputs: 0, ..*key }.normalized();
        Ok(FixedFragmentId(self.fragment_keys.intern(&key)?))
    }

    pub(crate) fn get(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The compiled vertex function for these integer inputs.
    pub(crate) fn vertex(
        &mut self,
        gpu: &Gpu,
        function: VertexFunction,
        integers: IntegerInputs,
    ) -> Result<FunctionId> {
        let source = match function {
            VertexFunction::Program(shader, options) => Source::Program(
                shader,
                Options {
                    uint_attributes: integers.unsigned,
                    sint_attributes: integers.signed,
                    ..*self.options.get(options.0)?
                },
            ),
            VertexFunction::Fixed(id) => Source::FixedVertex(fixed::VertexKey {
                uint_inputs: integers.unsigned,
                sint_inputs: integers.signed,
                ..*self.vertex_keys.get(id.0)?
            }),
        };
        self.compile(gpu, source, ninefold_shader::Stage::Vertex)
    }

    /// The compiled pixel function for a vertex function that lacks these varyings.
    pub(crate) fn pixel(
        &mut self,
        gpu: &Gpu,
        function: PixelFunction,
        missing_inputs: u32,
    ) -> Result<FunctionId> {
        let source = match function {
            PixelFunction::Program(shader, options) => Source::Program(
                shader,
                Options { missing_inputs, ..*self.options.get(options.0)? },
            ),
            PixelFunction::Fixed(id) => Source::FixedFragment(fixed::FragmentKey {
                missing_inputs,
                ..*self.fragment_keys.get(id.0)?
            }),
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
        self.by_source.insert(source, result.clone());
        result
    }

    fn compile_now(
        &mut self,
        gpu: &Gpu,
        source: &Source,
        stage: ninefold_shader::Stage,
    ) -> Result<FunctionId> {
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
        let Translation { module, entry, identity, reflection, .. } = translation;
        let module = gpu.create_shader(module)?;
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function { module, entry, identity, reflection });
        self.by_identity.insert(identity, id);
        Ok(id)
    }
}
