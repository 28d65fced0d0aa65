//! What draws call functions by: registered bytecode, options and fixed-function keys, interned.

use ninefold_bytecode::ShaderCode;
use ninefold_bytecode::radial_fog::{self, Mode};
use ninefold_shader::{Options, SamplerRules, fixed};
use rustc_hash::FxHashMap;

use crate::compiler::{Compiler, PixelHalf, VertexHalf};
use crate::error::{Error, Result};
use crate::intern::Interner;
use crate::keys::{
    FixedFragmentId, FixedVertexId, OptionsId, PixelFunction, ShaderId, VertexFunction,
};

/// Shaders that may be registered. Programs have hundreds; they live as long as the renderer.
const SHADERS: usize = 65_536;

/// A registered shader.
struct Registered {
    code: ShaderCode,
    /// Its content key, or the next free number where another shader has that key.
    name: u64,
    /// The fog that the variant measures from the eye; `None` for the shader itself.
    radial: Option<Mode>,
}

/// The registered shaders and everything else that functions are made of.
pub(crate) struct Functions {
    names: FxHashMap<u64, ShaderId>,
    shaders: Vec<Registered>,
    radial: FxHashMap<(ShaderId, Mode), ShaderId>,
    options: Interner<Options>,
    vertex_keys: Interner<fixed::VertexKey>,
    fragment_keys: Interner<fixed::FragmentKey>,
}

impl Functions {
    pub(crate) fn new() -> Self {
        Self {
            names: FxHashMap::default(),
            shaders: Vec::new(),
            radial: FxHashMap::default(),
            options: Interner::new("shader options"),
            vertex_keys: Interner::new("fixed-function vertex keys"),
            fragment_keys: Interner::new("texture-stage cascades"),
        }
    }

    pub(crate) fn register(&mut self, code: &ShaderCode, compiler: &Compiler) -> Result<ShaderId> {
        let mut name = code.key().get();
        while let Some(&id) = self.names.get(&name) {
            if self.shaders[id.0 as usize].code.tokens() == code.tokens() {
                return Ok(id);
            }
            name = name.wrapping_add(1).max(1);
        }
        let id = self.add(Registered {
            code: code.clone(),
            name,
            radial: None,
        })?;
        self.names.insert(name, id);
        compiler.register(name, code);
        Ok(id)
    }

    fn add(&mut self, shader: Registered) -> Result<ShaderId> {
        if self.shaders.len() >= SHADERS {
            return Err(Error::state(format!(
                "more than {SHADERS} distinct shaders"
            )));
        }
        let id = ShaderId(self.shaders.len() as u32);
        self.shaders.push(shader);
        Ok(id)
    }

    /// The variant of a shader, the shader itself where it has none.
    pub(crate) fn radial(&mut self, shader: ShaderId, mode: Mode) -> Result<ShaderId> {
        if let Some(&known) = self.radial.get(&(shader, mode)) {
            return Ok(known);
        }
        let Registered { code, name, radial } = self.shader(shader)?;
        let variant = match radial.is_none() && radial_fog::scan(code, mode).is_ok() {
            true => {
                let (code, name) = (code.clone(), *name);
                self.add(Registered {
                    code,
                    name,
                    radial: Some(mode),
                })?
            }
            false => shader,
        };
        self.radial.insert((shader, mode), variant);
        Ok(variant)
    }

    pub(crate) fn options(&mut self, options: &Options) -> Result<OptionsId> {
        Ok(OptionsId(self.options.intern(&options.of_state())?))
    }

    pub(crate) fn fixed_vertex(&mut self, key: &fixed::VertexKey) -> Result<FixedVertexId> {
        let mut key = *key;
        (key.uint_inputs, key.sint_inputs) = (0, 0);
        (key.wraps, key.corners) = (0, 0);
        key.flags &= !fixed::vertex_flag::DEPTH_BIAS;
        key.points &= !fixed::point::SIZE;
        Ok(FixedVertexId(self.vertex_keys.intern(&key)?))
    }

    pub(crate) fn fixed_fragment(&mut self, key: &fixed::FragmentKey) -> Result<FixedFragmentId> {
        let mut key = fixed::FragmentKey {
            missing_inputs: 0,
            wraps: 0,
            ..*key
        };
        for stage in &mut key.stages {
            stage.sampler = SamplerRules::default();
        }
        Ok(FixedFragmentId(self.fragment_keys.intern(&key)?))
    }

    fn shader(&self, id: ShaderId) -> Result<&Registered> {
        self.shaders
            .get(id.0 as usize)
            .ok_or_else(|| Error::args("a shader id of another renderer"))
    }

    /// The vertex function, and whether its shader's name means the same in every session.
    pub(crate) fn vertex(&self, function: VertexFunction) -> Result<(VertexHalf, bool)> {
        Ok(match function {
            VertexFunction::Program(shader, options) => {
                let shader = self.shader(shader)?;
                let options = *self.options.get(options.0)?;
                let half = match shader.radial {
                    None => VertexHalf::Program(shader.name, options),
                    Some(mode) => VertexHalf::Radial(shader.name, options, mode),
                };
                (half, shader.has_own_name())
            }
            VertexFunction::Fixed(id) => (VertexHalf::Fixed(*self.vertex_keys.get(id.0)?), true),
        })
    }

    /// The same for the pixel function.
    pub(crate) fn pixel(&self, function: PixelFunction) -> Result<(PixelHalf, bool)> {
        Ok(match function {
            PixelFunction::Program(shader, options) => {
                let shader = self.shader(shader)?;
                let half = PixelHalf::Program(shader.name, *self.options.get(options.0)?);
                (half, shader.has_own_name())
            }
            PixelFunction::Fixed(id) => (PixelHalf::Fixed(*self.fragment_keys.get(id.0)?), true),
        })
    }
}

impl Registered {
    fn has_own_name(&self) -> bool {
        self.name == self.code.key().get()
    }
}
