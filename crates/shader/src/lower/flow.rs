//! Blocks, loops and subroutines. Subroutines are inlined where they are called.

use super::Lowerer;
use super::registers::Registers;
use crate::Error;
use crate::build::Expr;
use naga::{BinaryOperator, Block, MathFunction, Scalar, Statement};
use ninefold_bytecode::{Instruction, Opcode, RegisterKind, Src, SrcModifier};
use std::sync::Arc;

/// An open block.
pub(super) struct Frame {
    kind: Kind,
    /// Registers written inside.
    mask: u64,
    /// All registers as they were when the block opened.
    before: Registers,
}

enum Kind {
    If {
        condition: Expr,
        accept: Option<Block>,
    },
    /// `counter` is `aL` in this iteration; `rep` has none.
    Loop { counter: Option<Expr> },
    /// The body of the program or of a subroutine that returns early: a loop run once, which
    /// `ret` leaves. `returned` points to a flag that `ret` sets inside a loop of its own.
    Body { returned: Expr },
}

impl Lowerer<'_> {
    pub(super) fn flow(&mut self, instruction: &Instruction) -> Result<(), Error> {
        match instruction.op {
            Opcode::If => {
                let condition = self.condition(&instruction.srcs()[0])?;
                self.open_if(condition, self.scan.block(instruction));
            }
            Opcode::Ifc => {
                let condition = self.comparison(instruction)?;
                self.open_if(condition, self.scan.block(instruction));
            }
            Opcode::Else => self.turn_to_else()?,
            Opcode::EndIf => self.close_if()?,
            Opcode::Loop => {
                let integers = instruction.srcs()[1].register.index;
                self.open_loop(integers, true, self.scan.block(instruction));
            }
            Opcode::Rep => {
                let integers = instruction.srcs()[0].register.index;
                self.open_loop(integers, false, self.scan.block(instruction));
            }
            Opcode::EndLoop | Opcode::EndRep => self.close_loop()?,
            Opcode::Break => {
                let always = self.b.lit_bool(true);
                self.leave_loop(always)?;
            }
            Opcode::Breakc => {
                let condition = self.comparison(instruction)?;
                self.leave_loop(condition)?;
            }
            Opcode::Breakp => {
                let condition = self.condition(&instruction.srcs()[0])?;
                self.leave_loop(condition)?;
            }
            Opcode::Call => self.call(instruction.srcs()[0].register.index)?,
            Opcode::Callnz => {
                let condition = self.condition(&instruction.srcs()[1])?;
                self.open_if(condition, self.scan.block(instruction));
                self.call(instruction.srcs()[0].register.index)?;
                self.close_if()?;
            }
            Opcode::Ret => self.early_return()?,
            _ => return Err(self.unsupported("")),
        }
        Ok(())
    }

    /// A boolean constant or one component of the predicate.
    fn condition(&mut self, src: &Src) -> Result<Expr, Error> {
        if src.register.kind != RegisterKind::ConstBool {
            return self.predicate(src, &[3]);
        }
        let value = self.boolean(src.register.index);
        Ok(match src.modifier {
            SrcModifier::Not => self.b.not(value),
            _ => value,
        })
    }

    fn flush(&mut self, mask: u64) {
        self.registers.flush(&mut self.b, &mut self.locals, mask);
    }

    fn open_if(&mut self, condition: Expr, mask: u64) {
        self.flush(mask);
        let before = self.registers.clone();
        self.frames.push(Frame {
            kind: Kind::If {
                condition,
                accept: None,
            },
            mask,
            before,
        });
        self.b.open_block();
    }

    fn turn_to_else(&mut self) -> Result<(), Error> {
        let Some(mut frame) = self.frames.pop() else {
            return Err(self.unsupported("`else` without `if`"));
        };
        let Kind::If { accept, .. } = &mut frame.kind else {
            return Err(self.unsupported("`else` without `if`"));
        };
        self.registers
            .flush(&mut self.b, &mut self.locals, frame.mask);
        *accept = Some(self.b.close_block());
        self.registers = frame.before.clone();
        self.b.open_block();
        self.frames.push(frame);
        Ok(())
    }

    fn close_if(&mut self) -> Result<(), Error> {
        let Some(Frame {
            kind: Kind::If { condition, accept },
            mask,
            before,
        }) = self.frames.pop()
        else {
            return Err(self.unsupported("`endif` without `if`"));
        };
        self.flush(mask);
        let last = self.b.close_block();
        let (accept, reject) = match accept {
            Some(accept) => (accept, last),
            None => (last, Block::new()),
        };
        self.b.push(Statement::If {
            condition,
            accept,
            reject,
        });
        self.registers = before;
        self.registers.forget(mask);
        Ok(())
    }

    /// `loop aL, i#` and `rep i#`: x iterations, `aL` from y by steps of z.
    fn open_loop(&mut self, integers: u16, counts: bool, mask: u64) {
        let [iterations, start, step] = self.integers(integers);
        let [none, most] = [0, crate::limits::MAX_ITERATIONS].map(|limit| self.b.lit_i32(limit));
        let iterations = self.b.math3(MathFunction::Clamp, iterations, none, most);
        let ty = self.b.vector_ty(Scalar::I32, 1);
        let left = self.b.local("left", ty);
        self.b.store(left, iterations);
        let counter = counts.then(|| self.b.local("aL", ty));
        if let Some(counter) = counter {
            self.b.store(counter, start);
        }
        self.flush(mask);
        let before = self.registers.clone();
        self.registers.forget(mask);
        self.b.open_block();

        let now = self.b.load(left);
        let one = self.b.lit_i32(1);
        let done = self.b.bin(BinaryOperator::Less, now, one);
        self.b.if_then(done, |b| b.push(Statement::Break));
        let next = self.b.sub(now, one);
        self.b.store(left, next);
        let counter = counter.map(|pointer| {
            let value = self.b.load(pointer);
            let next = self.b.add(value, step);
            self.b.store(pointer, next);
            value
        });
        self.frames.push(Frame {
            kind: Kind::Loop { counter },
            mask,
            before,
        });
    }

    fn close_loop(&mut self) -> Result<(), Error> {
        let Some(Frame {
            kind: Kind::Loop { .. },
            mask,
            before,
        }) = self.frames.pop()
        else {
            return Err(self.unsupported("the end of a loop without its start"));
        };
        self.flush(mask);
        let body = self.b.close_block();
        self.end_loop(body, before, mask);
        self.pass_return_on();
        Ok(())
    }

    fn end_loop(&mut self, body: Block, before: Registers, mask: u64) {
        self.b.push(Statement::Loop {
            body,
            continuing: Block::new(),
            break_if: None,
        });
        self.registers = before;
        self.registers.forget(mask);
    }

    /// Starts the program's or a subroutine's body.
    pub(super) fn open_body(&mut self) {
        if !self.scan.early_return {
            return;
        }
        let mask = self.scan.written;
        let ty = self.b.vector_ty(Scalar::BOOL, 1);
        let returned = self.b.local("returned", ty);
        let no = self.b.lit_bool(false);
        self.b.store(returned, no);
        self.flush(mask);
        let before = self.registers.clone();
        self.registers.forget(mask);
        self.b.open_block();
        self.frames.push(Frame {
            kind: Kind::Body { returned },
            mask,
            before,
        });
    }

    /// Ends what [`Lowerer::open_body`] started.
    pub(super) fn close_body(&mut self) -> Result<(), Error> {
        if !self.scan.early_return {
            return Ok(());
        }
        let Some(Frame {
            kind: Kind::Body { .. },
            mask,
            before,
        }) = self.frames.pop()
        else {
            return Err(self.unsupported("a block is not closed"));
        };
        self.flush(mask);
        self.b.push(Statement::Break);
        let body = self.b.close_block();
        self.end_loop(body, before, mask);
        Ok(())
    }

    /// The flag of the innermost body, and whether a loop lies between it and here.
    fn innermost_body(&self) -> Option<(Expr, bool)> {
        let mut looped = false;
        for frame in self.frames.iter().rev() {
            match frame.kind {
                Kind::Body { returned } => return Some((returned, looped)),
                Kind::Loop { .. } => looped = true,
                Kind::If { .. } => {}
            }
        }
        None
    }

    /// `ret` inside a block.
    fn early_return(&mut self) -> Result<(), Error> {
        let Some((returned, looped)) = self.innermost_body() else {
            return Err(self.unsupported("a return outside a body"));
        };
        self.flush(self.scan.written);
        let yes = self.b.lit_bool(true);
        if looped {
            self.b.store(returned, yes);
        }
        self.b.if_then(yes, |b| b.push(Statement::Break));
        Ok(())
    }

    /// After a loop: leaves what is around it when a `ret` ended it.
    fn pass_return_on(&mut self) {
        let Some((returned, _)) = self.innermost_body() else {
            return;
        };
        let returned = self.b.load(returned);
        self.b.if_then(returned, |b| b.push(Statement::Break));
    }

    fn leave_loop(&mut self, condition: Expr) -> Result<(), Error> {
        let innermost = self
            .frames
            .iter()
            .rev()
            .find(|frame| !matches!(frame.kind, Kind::If { .. }));
        let mask = match innermost {
            Some(Frame {
                kind: Kind::Loop { .. },
                mask,
                ..
            }) => Some(*mask),
            _ => None,
        };
        let Some(mask) = mask else {
            return Err(self.unsupported("a break outside a loop"));
        };
        self.flush(mask);
        self.b.if_then(condition, |b| b.push(Statement::Break));
        Ok(())
    }

    /// `aL` in the innermost loop that counts; 0 in a subroutine that is called outside of any.
    pub(super) fn loop_counter(&mut self) -> Expr {
        let counter = self.frames.iter().rev().find_map(|frame| match frame.kind {
            Kind::Loop { counter } => counter,
            Kind::If { .. } | Kind::Body { .. } => None,
        });
        counter.unwrap_or_else(|| self.b.lit_i32(0))
    }

    fn call(&mut self, label: u16) -> Result<(), Error> {
        let program = Arc::clone(&self.program);
        let start = program.iter().position(|instruction| {
            instruction.op == Opcode::Label && instruction.srcs()[0].register.index == label
        });
        let Some(start) = start else {
            return Err(self.unsupported("the label called does not exist"));
        };
        let caller = self.at;
        let depth = self.frames.len();
        self.open_body();
        self.run_slice(&program[start + 1..])?;
        self.close_body()?;
        self.at = caller;
        match self.frames.len() == depth {
            true => Ok(()),
            false => Err(self.unsupported("a block of the subroutine is not closed")),
        }
    }

    fn run_slice(&mut self, instructions: &[Instruction]) -> Result<(), Error> {
        self.run(instructions.iter().copied())
    }
}
