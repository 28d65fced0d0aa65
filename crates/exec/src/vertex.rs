//! Running vertex shaders.

use crate::constants::Constants;
use crate::error::Error;
use crate::float;
use crate::limits::{BATCH, VERTEX_INPUTS, VERTEX_OUTPUTS};
use crate::machine::{Lanes, Machine, Scene};
use crate::program::{Output, Program};
use crate::sampler::Sampler;
use ninefold_bytecode::Stage;

/// Place of oD0.
const COLOR_0: usize = 3;

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
        for (inputs, outputs) in inputs.chunks(BATCH).zip(outputs.chunks_mut(BATCH)) {
            self.run_lanes(&mut machine.batch, inputs, outputs, constants, sampler)?;
        }
        Ok(())
    }

    /// Runs at most `N` vertices.
    fn run_lanes<const N: usize>(
        &self,
        lanes: &mut Lanes<N>,
        inputs: &[VertexInput],
        outputs: &mut [VertexOutput],
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<(), Error> {
        self.expect(Stage::Vertex)?;
        lanes.start(self, inputs.len());
        for (register, place) in self.files.inputs[0].pairs() {
            let register = &mut lanes.registers[register];
            for (lane, input) in inputs.iter().enumerate() {
                for (to, value) in register.iter_mut().zip(input[place]) {
                    to[lane] = value;
                }
            }
        }
        for (register, place) in self.files.outputs[1].pairs() {
            if place == COLOR_0 {
                lanes.registers[register] = [[1.0; N]; 4];
            }
        }
        lanes.run(&mut Scene {
            program: self,
            constants,
            sampler,
        })?;
        for (lane, output) in outputs.iter_mut().enumerate() {
            *output = VertexOutput::default();
            if self.clamps_outputs {
                output.registers[COLOR_0] = [1.0; 4];
            }
            for (register, place) in self.files.outputs.iter().flat_map(|range| range.pairs()) {
                let value = lanes.registers[register].map(|component| component[lane]);
                output.registers[place] = match (self.clamps_outputs, place) {
                    (true, 1 | 3 | 4) => value.map(float::saturate),
                    _ => value,
                };
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
