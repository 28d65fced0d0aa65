//! Running pixel shaders, two by two pixels at a time.

use crate::constants::Constants;
use crate::error::Error;
use crate::limits::{PIXEL_INPUTS, TARGETS};
use crate::machine::{Machine, Scene};
use crate::program::Program;
use crate::sampler::Sampler;
use ninefold_bytecode::Stage;

/// The inputs of a quad. Its pixels are in the order upper left, upper right,
/// lower left, lower right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadInput {
    /// The interpolated values of each pixel, by [`Input::place`](crate::Input::place):
    /// `v0`, `v1`, `t0` to `t7`, or `v0` to `v9` of ps_3_0.
    pub registers: [[[f32; 4]; PIXEL_INPUTS]; 4],
    /// `vPos` of the upper left pixel: its column and row.
    pub position: [f32; 2],
    /// Whether the primitive shows its front; `vFace` is 1 then, otherwise -1.
    pub front: bool,
}

impl Default for QuadInput {
    fn default() -> Self {
        QuadInput {
            registers: [[[0.0; 4]; PIXEL_INPUTS]; 4],
            position: [0.0; 2],
            front: true,
        }
    }
}

/// What a pixel shader wrote for each pixel of a quad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuadOutput {
    /// The colours of each pixel: `r0` in ps_1_x, `oC0` to `oC3` later. 0 for those
    /// never written; see [`Program::color_outputs`].
    pub colors: [[[f32; 4]; TARGETS]; 4],
    /// The depth of each pixel, if [`Program::writes_depth`]; not clamped.
    pub depth: [f32; 4],
    /// Bit n set: pixel n was killed. Its other results mean nothing.
    pub killed: u8,
}

impl Program {
    /// Runs a pixel shader for a quad. Pixels outside the primitive have to get
    /// inputs too, those of the primitive's plane, for the derivatives.
    ///
    /// # Errors
    /// [`Error::Stage`] for a vertex shader, [`Error::Steps`] when it does not end.
    pub fn run_quad(
        &self,
        machine: &mut Machine,
        input: &QuadInput,
        constants: &Constants<'_>,
        sampler: &mut dyn Sampler,
    ) -> Result<QuadOutput, Error> {
        self.expect(Stage::Pixel)?;
        let lanes = &mut machine.quad;
        lanes.start(self, 4);
        let values = self.files.inputs.iter().flat_map(|range| range.pairs());
        for (register, place) in values.chain(self.files.textures.pairs()) {
            let register = &mut lanes.registers[register];
            for (lane, pixel) in input.registers.iter().enumerate() {
                for (to, value) in register.iter_mut().zip(pixel[place]) {
                    to[lane] = value;
                }
            }
        }
        for (register, place) in self.files.misc.pairs() {
            let [x, y] = input.position;
            let face = if input.front { 1.0 } else { -1.0 };
            lanes.registers[register] = match place {
                0 => [
                    [x, x + 1.0, x, x + 1.0],
                    [y, y, y + 1.0, y + 1.0],
                    [0.0; 4],
                    [0.0; 4],
                ],
                _ => [[face; 4]; 4],
            };
        }
        lanes.run(&mut Scene {
            program: self,
            constants,
            sampler,
        })?;
        let mut output = QuadOutput {
            depth: lanes.depth,
            killed: lanes.killed as u8 & 0xF,
            ..QuadOutput::default()
        };
        for (register, place) in self.files.outputs[0].pairs() {
            for (lane, pixel) in output.colors.iter_mut().enumerate() {
                pixel[place] = lanes.registers[register].map(|component| component[lane]);
            }
        }
        for (register, _) in self.files.depth.pairs() {
            output.depth = lanes.registers[register][0];
        }
        Ok(output)
    }
}
