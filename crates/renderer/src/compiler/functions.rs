//! The translation cache and the function cache: each shader with its options is translated once,
//! each distinct function compiled once, by whoever needs it first.

use std::sync::Arc;
use std::time::Instant;

use ninefold_bytecode::radial_fog::{self, Mode};
use ninefold_bytecode::{ShaderCode, Stage};
use ninefold_gpu::types::ShaderStages;
use ninefold_gpu::{Msl, ShaderModule};
use ninefold_shader::{Options, Reflection, Translation, fixed, writers};

use super::{Failure, Shared, State, Who};
use crate::error::{Error, ErrorKind, Result};
use crate::large::Large;
use crate::pipeline::texture_layout;

/// Functions, each a shader or a key with its options, that may be translated: more than the
/// pipelines that can use them.
pub(super) const TRANSLATIONS: usize = 32_768;

/// Number of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunctionId(pub(super) u32);

/// A translated function. Equal functions of different shaders are one.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) id: FunctionId,
    pub(crate) entry: String,
    pub(crate) identity: u64,
    pub(crate) reflection: Reflection,
}

/// What a function is translated from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A registered shader by its name.
    Program(u64, Options),
    /// A vertex shader with fog measured from the eye.
    Radial(u64, Options, Mode),
    FixedVertex(fixed::VertexKey),
    FixedFragment(fixed::FragmentKey),
}

/// What the GPU compiles.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    module: naga::Module,
    /// Where the GPU takes it.
    pub(super) msl: Option<Msl>,
}

/// How far the compilation of a function is.
pub(super) enum Compilation {
    /// Nobody asked for it yet.
    Translated(Box<Code>),
    /// A worker will compile it.
    Queued(Box<Code>),
    Compiling,
    Ready(ShaderModule),
    Failed(Failure, Box<Code>),
}

impl Shared {
    /// The function of a source, translated when it is new. A failure is remembered with its
    /// words: a bad shader fails the same way each time and costs one attempt.
    pub(super) fn translate(&self, source: &Source, stage: Stage) -> Result<Arc<Function>> {
        {
            let state = self.state.lock();
            if let Some(known) = state.by_source.get(source) {
                return known.clone();
            }
            if state.by_source.len() >= TRANSLATIONS {
                return Err(Error::state(format!(
                    "more than {TRANSLATIONS} shader functions"
                )));
            }
        }
        let translated = self.translate_now(source, stage).and_then(|translation| {
            let msl = self
                .msl
                .map(|version| self.write_msl(&translation, version));
            Ok((translation, msl.transpose()?))
        });
        if let Err(error) = &translated {
            tracing::warn!(target: "ninefold::shader", %error, "a shader function failed");
        }
        let mut state = self.state.lock();
        // Another thread may have been faster; its outcome counts.
        if let Some(known) = state.by_source.get(source) {
            return known.clone();
        }
        state.stats.translated += 1;
        let result = translated.map(|(translation, msl)| state.add_function(translation, msl));
        state.by_source.insert(*source, result.clone());
        result
    }

    fn translate_now(&self, source: &Source, stage: Stage) -> Result<Translation> {
        let translation = match source {
            Source::Program(name, options) => {
                ninefold_shader::translate(&self.shader(*name)?, options)
            }
            Source::Radial(name, options, mode) => {
                let code = self.shader(*name)?;
                // What is declined is drawn as it is.
                let code = radial_fog::rewrite(&code, *mode).unwrap_or(code);
                ninefold_shader::translate(&code, options)
            }
            Source::FixedVertex(key) => fixed::vertex(key),
            Source::FixedFragment(key) => fixed::fragment(key),
        }
        .map_err(|error| Error::shader(error.to_string()))?;
        if translation.reflection.stage != stage {
            return Err(Error::shader("shader stage mismatch"));
        }
        Ok(translation)
    }

    /// A function as text with the slots that it has in every pipeline: they depend on what its own
    /// stage sees, and of that pipelines lay out what it uses.
    fn write_msl(&self, translation: &Translation, version: writers::MslVersion) -> Result<Msl> {
        let reflection = &translation.reflection;
        let nothing = Reflection::new(reflection.stage);
        let (vertex, pixel, stage) = match reflection.stage {
            Stage::Vertex => (reflection, &nothing, ShaderStages::VERTEX),
            Stage::Pixel => (&nothing, reflection, ShaderStages::FRAGMENT),
        };
        let layout = self
            .layouts
            .pipeline(texture_layout(vertex, pixel), Large::needed(vertex, pixel))?;
        let slots = layout.msl_slots(stage)?;
        let text = writers::msl_with_slots(translation, version, &slots)
            .map_err(|error| Error::shader(error.to_string()))?;
        Ok(Msl { text, slots })
    }

    fn shader(&self, name: u64) -> Result<ShaderCode> {
        let code = self.state.lock().shaders.get(&name).cloned();
        code.ok_or_else(|| Error::args("a shader id of another renderer"))
    }

    /// The compiled module of a function. Who needs one that a worker has not started compiles it,
    /// who needs one that another thread compiles waits for it.
    pub(super) fn module(&self, function: &Function, who: Who) -> Result<ShaderModule> {
        let claim = match self.claim_function(function, who)? {
            Claimed::Ready(module) => return Ok(module),
            Claimed::Here(claim) => claim,
        };
        let started = Instant::now();
        let Code { module, msl } = claim.code();
        let compiled = match &msl {
            Some(msl) => self.gpu.create_shader_with_msl(module, msl),
            None => self.gpu.create_shader(module),
        };
        claim.publish(compiled.map_err(Error::from), started)
    }

    /// Waits until the function is compiled, or it is this thread's to compile.
    pub(super) fn claim_function(&self, function: &Function, who: Who) -> Result<Claimed<'_>> {
        let mut state = self.state.lock();
        let (code, attempts) = loop {
            let slot = &mut state.compilations[function.id.0 as usize];
            match slot {
                Compilation::Ready(module) => return Ok(Claimed::Ready(module.clone())),
                Compilation::Compiling => self.changed.wait(&mut state),
                Compilation::Failed(failure, _) if !failure.may_retry(self.retry) => {
                    return Err(failure.error.clone());
                }
                _ => match core::mem::replace(slot, Compilation::Compiling) {
                    Compilation::Translated(code) | Compilation::Queued(code) => {
                        break (code, 0);
                    }
                    Compilation::Failed(failure, code) => break (code, failure.attempts),
                    Compilation::Compiling | Compilation::Ready(_) => unreachable!("seen above"),
                },
            }
        };
        Ok(Claimed::Here(FunctionClaim {
            shared: self,
            id: function.id,
            attempts,
            who,
            code: Some(code),
        }))
    }
}

/// What comes of wanting a function compiled.
pub(super) enum Claimed<'a> {
    Ready(ShaderModule),
    /// Nobody has compiled it: who asked does.
    Here(FunctionClaim<'a>),
}

/// What becomes of a function whose compilation panics: it failed, and nobody waits for it.
pub(super) struct FunctionClaim<'a> {
    shared: &'a Shared,
    id: FunctionId,
    attempts: u8,
    who: Who,
    /// Taken when the outcome is known.
    code: Option<Box<Code>>,
}

impl FunctionClaim<'_> {
    pub(super) fn code(&self) -> Code {
        self.code.as_deref().cloned().unwrap_or_default()
    }

    fn publish(mut self, result: Result<ShaderModule>, started: Instant) -> Result<ShaderModule> {
        let mut state = self.shared.state.lock();
        match self.who {
            Who::Draw => state.stats.draw_functions += 1,
            Who::Worker => {
                state.stats.background_functions += 1;
                state.stats.background_time += started.elapsed();
            }
        }
        self.settle(&mut state, &result);
        drop(state);
        self.shared.changed.notify_all();
        result
    }

    fn settle(&mut self, state: &mut State, result: &Result<ShaderModule>) {
        let Some(code) = self.code.take() else {
            return;
        };
        state.compilations[self.id.0 as usize] = match result {
            Ok(module) => Compilation::Ready(module.clone()),
            // Losing the device says nothing about the function.
            Err(error) if error.kind() == ErrorKind::Device => Compilation::Translated(code),
            Err(error) => Compilation::Failed(Failure::new(error, self.attempts, self.who), code),
        };
    }
}

impl Drop for FunctionClaim<'_> {
    fn drop(&mut self) {
        if self.code.is_some() {
            let error = Error::state("compiling a shader function panicked");
            self.settle(&mut self.shared.state.lock(), &Err(error));
            self.shared.changed.notify_all();
        }
    }
}

impl State {
    /// Whether more may be translated ahead: a quarter of the room is for draws alone.
    pub(super) fn may_translate_ahead(&self) -> bool {
        self.by_source.len() < TRANSLATIONS / 4 * 3
    }

    fn add_function(&mut self, translation: Translation, msl: Option<Msl>) -> Arc<Function> {
        if let Some(known) = self.by_identity.get(&translation.identity) {
            return known.clone();
        }
        let Translation {
            module,
            entry,
            identity,
            reflection,
            ..
        } = translation;
        let function = Arc::new(Function {
            id: FunctionId(self.compilations.len() as u32),
            entry,
            identity,
            reflection,
        });
        let code = Box::new(Code { module, msl });
        self.compilations.push(Compilation::Translated(code));
        self.by_identity.insert(identity, function.clone());
        function
    }

    /// Has a worker compile a function that nobody has asked for.
    pub(super) fn queue_function(&mut self, function: &Arc<Function>) {
        let slot = &mut self.compilations[function.id.0 as usize];
        if !matches!(slot, Compilation::Translated(_)) {
            return;
        }
        if let Compilation::Translated(code) = core::mem::replace(slot, Compilation::Compiling) {
            *slot = Compilation::Queued(code);
            self.queues.functions.push_back(function.clone());
        }
    }

    pub(super) fn is_queued(&self, function: &Function) -> bool {
        let slot = &self.compilations[function.id.0 as usize];
        matches!(slot, Compilation::Queued(_))
    }
}
