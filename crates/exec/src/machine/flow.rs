//! What runs next, and in which lanes.

use super::arithmetic::compared;
use super::operands::all_lanes;
use super::{LaneMask, Lanes, Scene};
use crate::limits::MAX_ITERATIONS;
use crate::op::{Counts, Flow, Op, Test};
use crate::real::Real;

/// Where to go on.
pub(super) enum Step {
    To(usize),
    End,
}

/// A block or subroutine that runs; `outer` are the lanes that go on after it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    If {
        outer: LaneMask,
        /// Lanes that take the else.
        otherwise: LaneMask,
    },
    Loop {
        outer: LaneMask,
        /// Lanes that take the next turn.
        live: LaneMask,
        /// Turns after this one.
        remaining: i32,
        step: i32,
        /// `aL` of the loop around; `None` for `rep`, which has none.
        previous: Option<i32>,
    },
    Call {
        outer: LaneMask,
        back: usize,
    },
}

impl<const N: usize, T: Real> Lanes<N, T> {
    /// Runs a flow operation; `next` is the index of the one after it.
    pub(super) fn flow(&mut self, flow: Flow, op: &Op, next: usize, scene: &Scene<'_>) -> Step {
        match flow {
            Flow::If { test, otherwise } => {
                let outer = self.mask;
                self.mask &= self.test(test, op, scene);
                self.frames.push(Frame::If {
                    outer,
                    otherwise: outer & !self.mask,
                });
                if self.mask == 0 {
                    return Step::To(otherwise as usize);
                }
            }
            Flow::Else { end } => {
                if let Some(Frame::If { otherwise, .. }) = self.frames.last() {
                    self.mask = *otherwise;
                }
                if self.mask == 0 {
                    return Step::To(end as usize);
                }
            }
            Flow::EndIf => {
                if let Some(Frame::If { outer, .. }) = self.frames.pop() {
                    self.mask = outer;
                }
            }
            Flow::Loop {
                counts,
                counter,
                after,
            } => {
                let [turns, start, step, _] = self.counts(counts, scene);
                let turns = turns.min(MAX_ITERATIONS);
                if turns <= 0 || self.mask == 0 {
                    return Step::To(after as usize);
                }
                self.frames.push(Frame::Loop {
                    outer: self.mask,
                    live: self.mask,
                    remaining: turns - 1,
                    step,
                    previous: counter.then_some(self.loop_counter),
                });
                if counter {
                    self.loop_counter = start;
                }
            }
            Flow::EndLoop { body } => return self.turn(body as usize, next),
            Flow::Break(test) => {
                let leaving = self.mask & self.test(test, op, scene);
                self.leave_loop(leaving);
            }
            Flow::Call { test, target } => {
                let outer = self.mask;
                self.mask &= self.test(test, op, scene);
                if self.mask == 0 {
                    self.mask = outer;
                    return Step::To(next);
                }
                self.frames.push(Frame::Call { outer, back: next });
                return Step::To(target as usize);
            }
            Flow::Leave => self.leave_subroutine(),
            Flow::Return => {
                return match self.frames.pop() {
                    Some(Frame::Call { outer, back }) => {
                        self.mask = outer;
                        Step::To(back)
                    }
                    _ => Step::End,
                };
            }
            Flow::End => return Step::End,
        }
        Step::To(next)
    }

    /// Ends one turn of the innermost loop.
    fn turn(&mut self, body: usize, next: usize) -> Step {
        let Some(Frame::Loop {
            outer,
            live,
            remaining,
            step,
            previous,
        }) = self.frames.last_mut()
        else {
            return Step::To(next);
        };
        if *live != 0 && *remaining > 0 {
            *remaining -= 1;
            self.mask = *live;
            if previous.is_some() {
                self.loop_counter = self.loop_counter.wrapping_add(*step);
            }
            return Step::To(body);
        }
        self.mask = *outer;
        if let Some(previous) = *previous {
            self.loop_counter = previous;
        }
        self.frames.pop();
        Step::To(next)
    }

    /// Takes lanes out until the innermost loop has ended.
    fn leave_loop(&mut self, leaving: LaneMask) {
        self.mask &= !leaving;
        for frame in self.frames.iter_mut().rev() {
            match frame {
                Frame::If { outer, .. } => *outer &= !leaving,
                Frame::Loop { live, .. } => {
                    *live &= !leaving;
                    break;
                }
                Frame::Call { .. } => break,
            }
        }
    }

    /// Takes the running lanes out until the subroutine, or the program, has ended.
    fn leave_subroutine(&mut self) {
        let leaving = self.mask;
        self.mask = 0;
        for frame in self.frames.iter_mut().rev() {
            match frame {
                Frame::If { outer, .. } => *outer &= !leaving,
                Frame::Loop { outer, live, .. } => {
                    *outer &= !leaving;
                    *live &= !leaving;
                }
                Frame::Call { .. } => break,
            }
        }
    }

    /// The lanes in which a condition holds.
    fn test(&mut self, test: Test, op: &Op, scene: &Scene<'_>) -> LaneMask {
        let uniform = |holds: bool| if holds { all_lanes::<N>() } else { 0 };
        match test {
            Test::Always => all_lanes::<N>(),
            Test::Known(holds) => uniform(holds),
            Test::Constant { index, not } => {
                let value = scene.constants.bools.get(usize::from(index));
                uniform(value.copied().unwrap_or(false) != not)
            }
            Test::Predicate { component, not } => {
                let set = self.predicate[usize::from(component & 3)];
                (if not { !set } else { set }) & all_lanes::<N>()
            }
            Test::Compare(comparison) => {
                let a = self.scalar(op, 0, scene);
                let b = self.scalar(op, 1, scene);
                compared(comparison, &a, &b)
            }
        }
    }

    fn counts(&self, counts: Counts, scene: &Scene<'_>) -> [i32; 4] {
        match counts {
            Counts::Known(value) => value,
            Counts::Constant(index) => {
                let value = scene.constants.ints.get(usize::from(index));
                value.copied().unwrap_or_default()
            }
        }
    }
}
