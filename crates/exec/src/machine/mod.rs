//! The interpreter: [`Lanes`] runs a program for `N` vertices or pixels at once.

mod arithmetic;
mod flow;
mod operands;
mod texture;

use crate::constants::Constants;
use crate::error::Error;
use crate::limits::GROUP;
use crate::op::{Dst, MAX_OPERANDS, What};
use crate::program::Program;
use crate::real::Real;
use crate::sampler::Sampler;
use flow::{Frame, Step};
use operands::all_lanes;

/// Four components of `N` lanes.
pub(crate) type Vector<const N: usize, T = f32> = [[T; N]; 4];

/// A set of lanes, lane 0 in bit 0.
pub(crate) type LaneMask = u32;

/// The storage runs use: make one for each thread and keep it.
///
/// It holds nothing from one run to the next but memory.
#[derive(Debug, Default)]
pub struct Machine {
    pub(crate) one: Lanes<1>,
    pub(crate) quad: Lanes<4>,
    pub(crate) batch: Lanes<GROUP>,
}

impl Machine {
    /// A machine without memory yet; the first runs allocate what they need.
    pub fn new() -> Self {
        Machine::default()
    }
}

/// The state of one run. Lane masks have lane 0 in bit 0.
#[derive(Debug)]
pub(crate) struct Lanes<const N: usize, T = f32> {
    pub(crate) registers: Vec<Vector<N, T>>,
    address: [[i32; N]; 4],
    /// Which lanes have each component of `p0` set.
    predicate: [LaneMask; 4],
    loop_counter: i32,
    /// The lanes that run.
    mask: LaneMask,
    pub(crate) killed: LaneMask,
    pub(crate) depth: [T; N],
    frames: Vec<Frame>,
    /// Rows of a texture matrix, by stage.
    rows: [[T; N]; 4],
    /// The first result of a co-issued pair.
    pending: Option<(Dst, Vector<N, T>)>,
    /// Sources that are not registers as they are.
    held: [Vector<N, T>; MAX_OPERANDS],
    /// The result of the operation that runs: the components of its mask.
    result: Vector<N, T>,
}

impl<const N: usize, T: Real> Default for Lanes<N, T> {
    fn default() -> Self {
        let zero = [T::of(0.0); N];
        Lanes {
            registers: Vec::new(),
            address: [[0; N]; 4],
            predicate: [0; 4],
            loop_counter: 0,
            mask: 0,
            killed: 0,
            depth: zero,
            frames: Vec::new(),
            rows: [zero; 4],
            pending: None,
            held: [[zero; 4]; MAX_OPERANDS],
            result: [zero; 4],
        }
    }
}

/// What a run reads beside its lanes.
pub(crate) struct Scene<'a> {
    pub(crate) program: &'a Program,
    pub(crate) constants: &'a Constants<'a>,
    pub(crate) sampler: &'a mut dyn Sampler,
}

impl<const N: usize, T: Real> Lanes<N, T> {
    /// Makes the state that of a program's start, with the first `count` lanes to
    /// run. Inputs are still 0.
    pub(crate) fn start(&mut self, program: &Program, count: usize) {
        let zero = [T::of(0.0); N];
        self.registers.clear();
        self.registers
            .resize(usize::from(program.register_count), [zero; 4]);
        self.address = [[0; N]; 4];
        self.predicate = [0; 4];
        self.loop_counter = 0;
        self.mask = all_lanes::<N>() & ((1u64 << count.min(N)) - 1) as LaneMask;
        self.killed = 0;
        self.depth = zero;
        self.frames.clear();
        self.rows = [zero; 4];
        self.pending = None;
    }

    /// Runs to the end. Many lanes at once run with the widest vectors that the machine has;
    /// these change no result, there is no instruction in which two of them would be fused.
    pub(crate) fn run(&mut self, scene: &mut Scene<'_>) -> Result<(), Error> {
        struct Wide<'a, 'b, const N: usize, T>(&'a mut Lanes<N, T>, &'a mut Scene<'b>);

        impl<const N: usize, T: Real> pulp::NullaryFnOnce for Wide<'_, '_, N, T> {
            type Output = Result<(), Error>;

            #[inline(always)]
            fn call(self) -> Self::Output {
                self.0.interpret(self.1)
            }
        }

        match N {
            0..8 => self.interpret(scene),
            _ => pulp::Arch::new().dispatch(Wide(self, scene)),
        }
    }

    #[inline(always)]
    fn interpret(&mut self, scene: &mut Scene<'_>) -> Result<(), Error> {
        let program = scene.program;
        let limit = program.options.max_steps;
        let mut steps = 0;
        let mut at = 0;
        while let Some(op) = program.ops.get(at) {
            if steps == limit {
                return Err(Error::Steps {
                    limit,
                    instruction: op.number,
                    byte_offset: op.byte_offset,
                });
            }
            if op.checked
                && let Some(register) = self.stray_address(op, scene)
            {
                return Err(Error::Address {
                    register,
                    count: scene.constants.floats.len(),
                    instruction: op.number,
                    byte_offset: op.byte_offset,
                });
            }
            steps += 1;
            at += 1;
            match op.what {
                What::Flow(flow) => match self.flow(flow, op, at, scene) {
                    Step::To(target) => at = target,
                    Step::End => break,
                },
                _ if self.mask == 0 => {}
                What::Setp(comparison) => self.set_predicate(op, comparison, scene),
                What::Kill { mask } => self.kill(op, mask, scene),
                What::Texture(texture) => {
                    if let Some(value) = self.texture(texture, op, scene) {
                        self.result = value;
                        self.finish(op, program);
                    }
                }
                _ => {
                    self.arithmetic(op, scene);
                    self.finish(op, program);
                }
            }
        }
        Ok(())
    }
}
