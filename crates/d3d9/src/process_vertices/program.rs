//! Vertex shaders as the vertex operation.

use std::sync::Arc;

use ninefold_bytecode::{ContentKey, ShaderCode};
use ninefold_exec::skin::Skin;
use ninefold_exec::{Input, Options, Output, Program};
use rustc_hash::FxHashMap;

use super::layout::Made;
use super::{Feed, Target, VertexSettings};
use crate::consts::*;
use crate::declaration::Declaration;
use crate::fault::{Fault, Outcome, invalid};
use crate::hresult::HResult;
use crate::shader::Shader;
use crate::types::VertexElement;

/// Operations that a group of vertices may execute: what Direct3D 9 devices promise
/// (`MaxVShaderInstructionsExecuted`). It bounds what a call can cost.
const MAX_STEPS: u32 = 65_535;

/// Programs kept; when there are more, all are compiled again as they are used.
const MAX_PROGRAMS: usize = 256;

/// The programs of shaders, compiled when first used.
#[derive(Default)]
pub(super) struct Programs(FxHashMap<ContentKey, Known>);

struct Known {
    tokens: Box<[u32]>,
    program: Arc<Program>,
    skin: Option<Skin>,
}

impl Programs {
    /// The program of a shader, and the faster way to run it if it is a known one.
    pub(super) fn get(
        &mut self,
        shader: &Shader,
        settings: &VertexSettings,
    ) -> Outcome<(Arc<Program>, Option<Skin>)> {
        if let Some(known) = self.0.get(&shader.key)
            && known.tokens == shader.tokens
        {
            return Ok((known.program.clone(), known.skin));
        }
        let code = ShaderCode::parse(&shader.tokens)
            .map_err(|e| Fault::new(HResult::NOTAVAILABLE, format!("vertex shader: {e}")))?;
        ninefold_exec::check_processed(&code)
            .map_err(|e| Fault::new(HResult::NOTAVAILABLE, format!("vertex shader: {e}")))?;
        let options = Options {
            // A vs_1_x whose address leaves the constants fails the call; later ones read 0.
            strict_addresses: code.version().major == 1,
            max_steps: MAX_STEPS,
            ..Options::default()
        };
        let program = Arc::new(Program::compile(&code, &options));
        if self.0.len() >= MAX_PROGRAMS {
            self.0.clear();
        }
        let skin = settings.skin_shaders.find(&shader.tokens);
        let known = Known {
            tokens: shader.tokens.clone(),
            program: program.clone(),
            skin,
        };
        self.0.insert(shader.key, known);
        Ok((program, skin))
    }
}

/// What a program makes. Scalars and semantics that share a register begin with their first
/// component.
pub(super) fn made(program: &Program) -> Vec<Made> {
    let made = |output: &Output| {
        let (usage, index) = output.semantic;
        let first = output.mask.bits().trailing_zeros() as u8 & 3;
        Made {
            semantic: (usage as u8, index),
            place: output.place,
            first,
            mask: output.written.bits() >> first,
        }
    };
    program.outputs().iter().map(made).collect()
}

/// The elements that feed a program's inputs: by semantic, or in the order of the declaration
/// where the shader declares nothing, as Direct3D 8 shaders do.
pub(super) fn feeds(
    program: &Program,
    declaration: &Declaration,
) -> Outcome<Vec<Feed<VertexElement>>> {
    if let Some(place) = program.undeclared_input() {
        invalid!("vertex shader: v{place} is read and not declared, as others are");
    }
    let mut feeds = Vec::with_capacity(16);
    for input in program.inputs().iter().filter(|input| input.read) {
        let Some(element) = find(declaration, input) else {
            match input.semantic {
                Some((usage, index)) => invalid!(
                    "vertex shader: v{} is {usage:?}{index}, which the declaration lacks",
                    input.place
                ),
                None => invalid!(
                    "vertex shader: v{} is read, and the declaration has {} elements",
                    input.place,
                    declaration.elements.len()
                ),
            }
        };
        feeds.push(Feed {
            element,
            to: Target::Register {
                place: usize::from(input.place) & 15,
                mask: input.mask.bits(),
            },
        });
    }
    Ok(feeds)
}

fn find(declaration: &Declaration, input: &Input) -> Option<VertexElement> {
    let Some((usage, index)) = input.semantic else {
        return declaration.elements.get(usize::from(input.place)).copied();
    };
    let usage = usage as u8;
    // The two kinds of position stand for each other.
    let other = match usage {
        D3DDECLUSAGE_POSITION => D3DDECLUSAGE_POSITIONT,
        D3DDECLUSAGE_POSITIONT => D3DDECLUSAGE_POSITION,
        same => same,
    };
    let find = |usage: u8| {
        // The last where several have one usage, as draws have it.
        let mut elements = declaration.elements.iter();
        elements.rfind(|e| e.usage == usage && e.usage_index == index)
    };
    find(usage).or_else(|| find(other)).copied()
}
