//! A compiled shader and what it says about its inputs and outputs.

use crate::op::Op;
use crate::options::Options;
use ninefold_bytecode::{SamplerKind, Stage, Usage, Version, WriteMask};

/// A shader ready to run. Compiled once by [`Program::compile`]; cheap to share.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) version: Version,
    pub(crate) options: Options,
    pub(crate) ops: Vec<Op>,
    /// Constants of the shader's own, by register and value, ascending.
    pub(crate) literals: Vec<(u16, [f32; 4])>,
    /// Registers of all files together.
    pub(crate) register_count: u16,
    pub(crate) files: Files,
    pub(crate) inputs: Vec<Input>,
    pub(crate) undeclared: Option<u8>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) samplers: Vec<(u8, SamplerKind)>,
    pub(crate) colors: u8,
    pub(crate) writes_depth: bool,
    /// oD0, oD1 and oFog are clamped at the end.
    pub(crate) clamps_outputs: bool,
}

/// Where the files that cross a program's border begin, and how long they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Files {
    /// Inputs, in the order of [`Input::place`].
    pub(crate) inputs: [Range; 2],
    /// Outputs, in the order of [`Output::place`]; of pixel shaders the colours.
    pub(crate) outputs: [Range; 3],
    pub(crate) depth: Range,
    pub(crate) misc: Range,
    /// Texture registers of ps_1_0 to ps_1_3, which begin as their coordinates.
    pub(crate) textures: Range,
}

/// A run of registers, with the place in the input or output of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Range {
    pub(crate) first: u16,
    pub(crate) count: u16,
    pub(crate) place: u16,
}

impl Range {
    /// The register of a place.
    pub(crate) fn at(self, place: usize) -> Option<usize> {
        let n = place.checked_sub(usize::from(self.place))?;
        (n < usize::from(self.count)).then(|| usize::from(self.first) + n)
    }

    /// Register and place of each.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..usize::from(self.count))
            .map(move |i| (usize::from(self.first) + i, usize::from(self.place) + i))
    }
}

/// A value that a shader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Semantic: the declared one; of pixel shaders before ps_3_0 COLOR0 and
    /// COLOR1 for `v0` and `v1` and TEXCOORDn for `t<n>`. `None` for inputs that a
    /// vertex shader reads without declaring them, as Direct3D 8 streams do.
    pub semantic: Option<(Usage, u8)>,
    /// Index in [`VertexInput`](crate::VertexInput), the number of the register,
    /// or in each pixel of [`QuadInput`](crate::QuadInput).
    pub place: u8,
    /// Components that belong to this semantic.
    pub mask: WriteMask,
    /// Whether some instruction reads the register.
    pub read: bool,
}

/// A value that a vertex shader writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Semantic: POSITION0, FOG0, PSIZE0, COLORn, TEXCOORDn for `oPos`, `oFog`,
    /// `oPts`, `oD<n>`, `oT<n>`; the declared one in vs_3_0.
    pub semantic: (Usage, u8),
    /// Index in [`VertexOutput`](crate::VertexOutput).
    pub place: u8,
    /// Components that belong to this semantic. The others are not this output's.
    pub mask: WriteMask,
    /// Those of `mask` that some instruction writes.
    pub written: WriteMask,
}

impl Program {
    /// The shader's version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Vertex or pixel shader.
    pub fn stage(&self) -> Stage {
        self.version.stage
    }

    /// What decided the program beside the token stream.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The values it reads; which of a vertex are to be put where.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The first input register that a vertex shader reads without declaring it though it declares
    /// others. It is no [input](Program::inputs), and 0.
    pub fn undeclared_input(&self) -> Option<u8> {
        self.undeclared
    }

    /// The values a vertex shader writes; empty for pixel shaders.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The output of one semantic, if the shader has it.
    pub fn output(&self, usage: Usage, index: u8) -> Option<&Output> {
        self.outputs
            .iter()
            .find(|output| output.semantic == (usage, index))
    }

    /// The samplers it reads, with their declared kinds, ascending.
    pub fn samplers(&self) -> &[(u8, SamplerKind)] {
        &self.samplers
    }

    /// Bit n set: a pixel shader writes colour n.
    pub fn color_outputs(&self) -> u8 {
        self.colors
    }

    /// Whether a pixel shader writes depth.
    pub fn writes_depth(&self) -> bool {
        self.writes_depth
    }

    /// How many operations it has, the end included.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Never: a program has at least its end.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }
}
