//! Running vertex shaders.

use crate::constants::Constants;
use crate::error::Error;
use crate::float;
use crate::limits::{GROUP, VERTEX_INPUTS, VERTEX_OUTPUTS};
use crate::machine::{Lanes, Machine, Scene};
use crate::program::{Output, Program};
use crate::real::Real;
use crate::sampler::Sampler;
use ninefold_bytecode::Stage;

/// Places of oFog, oD0 and oD1.
const FOG: usize = 1;
const COLOR_0: usize = 3;
const COLOR_1: usize = 4;

/// The input registers of a vertex, `v0` to `v15`; see [`Program::inputs`].
pub type VertexInput = [[f32; 4]; VERTEX_INPUTS];

/// What a vertex shader wrote; see [`Program::outputs`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexOutput {
    /// In the order oPos, oFog, oPts, oD0, oD1, oT0 to oT7; `o0` to `o11` in vs_3_0.
    /// Components never written are 0, those of oD0 1.
    pub registers: [[f32; 4]; VERTEX_OUTPUTS],
}

impl VertexOutput {
    /// One output: its own components, 0 in the others.
    pub fn get(&self, output: &Output) -> [f32; 4] {
        let mut value = [0.0; 4];
        if let Some(register) = self.registers.get(usize::from(output.place)) {
            for component in output.mask.components() {
                value[component] = register[component];
            }
        }
        value
    }

    /// An output that is one number (fog factor, point size): the first of its
    /// components.
    pub fn scalar(&self, output: &Output) -> f32 {
        let component = output.mask.components().next().unwrap_or(0);
        let register = self.registers.get(usize::from(output.place));
        register.map_or(0.0, |register| register[component])
    }
}

/// One register of a group of vertices: of each component the values of all.
pub type GroupRegister = [[f32; GROUP]; 4];

/// A group of vertices, from [`Program::group`]: fill the inputs, run, read the outputs.
/// The results are those of [`Program::run_vertex`], bit for bit; nothing is moved
/// from vertices to registers and back.
#[derive(Debug)]
pub struct Group<'a> {
    program: &'a Program,
    lanes: &'a mut Lanes<GROUP>,
}

impl Group<'_> {
    /// The input register `place`, see [`Input::place`](crate::Input::place); `None`
    /// where the shader has none.
    pub fn input(&mut self, place: usize) -> Option<&mut GroupRegister> {
        let register = self.program.files.inputs[0].at(place)?;
        self.lanes.registers.get_mut(register)
    }

    /// Runs the shader, once.
    ///
    /// # Errors
    /// As [`Program::run_vertex`].
    pub fn run(
        &mut self,
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<(), Error> {
        self.lanes.run(&mut Scene {
            program: self.program,
            constants,
            sampler,
        })
    }

    /// The output register `place`, see [`Output::place`]. What was never written is 0,
    /// of oD0 1.
    pub fn output(&self, place: usize) -> GroupRegister {
        let mut value = [[0.0; GROUP]; 4];
        self.with_output(place, |register| value = *register);
        value
    }

    /// The same, without a copy where none is needed.
    pub fn with_output<R>(&self, place: usize, f: impl FnOnce(&GroupRegister) -> R) -> R {
        let register = self.program.output_register(place);
        let value = register.and_then(|register| self.lanes.registers.get(register));
        match value {
            Some(value) if self.program.clamps(place) => {
                f(&value.map(|component| component.map(float::saturate)))
            }
            Some(value) => f(value),
            None if self.program.clamps_outputs && place == COLOR_0 => f(&[[1.0; GROUP]; 4]),
            None => f(&[[0.0; GROUP]; 4]),
        }
    }
}

impl Program {
    /// Runs a vertex shader for one vertex.
    ///
    /// # Errors
    /// [`Error::Stage`] for a pixel shader, [`Error::Steps`] when it does not end.
    pub fn run_vertex(
        &self,
        machine: &mut Machine,
        input: &VertexInput,
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<VertexOutput, Error> {
        let mut output = [VertexOutput::default()];
        let input = std::slice::from_ref(input);
        self.run_lanes(&mut machine.one, input, &mut output, constants, sampler)?;
        Ok(output[0])
    }

    /// Runs a vertex shader for many vertices, several at once. The results are
    /// those of [`Program::run_vertex`], bit for bit.
    ///
    /// # Errors
    /// As [`Program::run_vertex`], and [`Error::Lengths`] when there are not as many
    /// outputs as inputs. The step limit is for each group of vertices that run
    /// together; outputs before the group that failed are valid.
    pub fn run_vertices(
        &self,
        machine: &mut Machine,
        inputs: &[VertexInput],
        outputs: &mut [VertexOutput],
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<(), Error> {
        if inputs.len() != outputs.len() {
            return Err(Error::Lengths {
                inputs: inputs.len(),
                outputs: outputs.len(),
            });
        }
        for (inputs, outputs) in inputs.chunks(GROUP).zip(outputs.chunks_mut(GROUP)) {
            self.run_lanes(&mut machine.batch, inputs, outputs, constants, sampler)?;
        }
        Ok(())
    }

    /// A group of `count` vertices, [`GROUP`] at most, to fill and run.
    ///
    /// # Errors
    /// [`Error::Stage`] for a pixel shader.
    pub fn group<'a>(&'a self, machine: &'a mut Machine, count: usize) -> Result<Group<'a>, Error> {
        self.expect(Stage::Vertex)?;
        let lanes = &mut machine.batch;
        self.begin(lanes, count.min(GROUP));
        Ok(Group {
            program: self,
            lanes,
        })
    }

    /// Makes lanes ready for `count` vertices, whose inputs are 0.
    fn begin<const N: usize, T: Real>(&self, lanes: &mut Lanes<N, T>, count: usize) {
        lanes.start(self, count);
        if let Some(register) = self.output_register(COLOR_0) {
            lanes.registers[register] = [[T::of(1.0); N]; 4];
        }
    }

    /// Where the output of a place is.
    fn output_register(&self, place: usize) -> Option<usize> {
        self.files.outputs.iter().find_map(|range| range.at(place))
    }

    /// Whether an output is clamped at the end.
    fn clamps(&self, place: usize) -> bool {
        self.clamps_outputs && matches!(place, FOG | COLOR_0 | COLOR_1)
    }

    /// Runs at most `N` vertices.
    fn run_lanes<const N: usize, T: Real>(
        &self,
        lanes: &mut Lanes<N, T>,
        inputs: &[VertexInput],
        outputs: &mut [VertexOutput],
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<(), Error> {
        self.expect(Stage::Vertex)?;
        self.begin(lanes, inputs.len());
        self.put_inputs(lanes, inputs);
        lanes.run(&mut Scene {
            program: self,
            constants,
            sampler,
        })?;
        self.take_outputs(lanes, outputs);
        Ok(())
    }

    fn put_inputs<const N: usize, T: Real>(&self, lanes: &mut Lanes<N, T>, inputs: &[VertexInput]) {
        for (register, place) in self.files.inputs[0].pairs() {
            let register = &mut lanes.registers[register];
            for (lane, input) in inputs.iter().enumerate() {
                for (to, value) in register.iter_mut().zip(input[place]) {
                    to[lane] = T::of(value);
                }
            }
        }
    }

    fn take_outputs<const N: usize, T: Real>(
        &self,
        lanes: &Lanes<N, T>,
        outputs: &mut [VertexOutput],
    ) {
        for (lane, output) in outputs.iter_mut().enumerate() {
            *output = self.blank_output();
            for (register, place) in self.files.outputs.iter().flat_map(|range| range.pairs()) {
                let value = lanes.registers[register].map(|component| component[lane].get());
                output.registers[place] = match self.clamps(place) {
                    true => value.map(float::saturate),
                    false => value,
                };
            }
        }
    }

    /// What a program gives that writes nothing.
    pub(crate) fn blank_output(&self) -> VertexOutput {
        let mut output = VertexOutput::default();
        if self.clamps_outputs {
            output.registers[COLOR_0] = [1.0; 4];
        }
        output
    }

    /// [`Program::run_vertices`] with an arithmetic of the caller's, one vertex at a time or
    /// several at once.
    ///
    /// # Errors
    /// As [`Program::run_vertices`].
    pub fn run_vertices_in<T: Real>(
        &self,
        together: bool,
        inputs: &[VertexInput],
        outputs: &mut [VertexOutput],
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<(), Error> {
        if inputs.len() != outputs.len() {
            return Err(Error::Lengths {
                inputs: inputs.len(),
                outputs: outputs.len(),
            });
        }
        let (mut batch, mut one) = (Lanes::<GROUP, T>::default(), Lanes::<1, T>::default());
        let size = if together { GROUP } else { 1 };
        for (inputs, outputs) in inputs.chunks(size).zip(outputs.chunks_mut(size)) {
            match together {
                true => self.run_lanes(&mut batch, inputs, outputs, constants, sampler)?,
                false => self.run_lanes(&mut one, inputs, outputs, constants, sampler)?,
            }
        }
        Ok(())
    }

    pub(crate) fn expect(&self, stage: Stage) -> Result<(), Error> {
        match self.version.stage == stage {
            true => Ok(()),
            false => Err(Error::Stage {
                expected: stage,
                found: self.version,
            }),
        }
    }
}
