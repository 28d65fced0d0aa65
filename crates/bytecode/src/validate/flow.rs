//! Order and nesting: blocks, subroutines, phases, pairs, texture matrix pads.

use crate::error::ErrorKind;
use crate::instruction::Instruction;
use crate::limits::{MAX_CALL_DEPTH, MAX_CALL_DEPTH_SOFTWARE, MAX_NESTING};
use crate::opcode::{Class, Form, Opcode};
use crate::version::Version;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Else,
    Loop,
    Rep,
}

/// What is known of one subroutine.
#[derive(Clone, Copy, Default)]
struct Label {
    called: bool,
    defined: bool,
    /// Calls on the longest way from the main program to here.
    depth: u8,
}

/// Which texture matrix instruction a texture stage began.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pad {
    None,
    ThreeByTwo,
    ThreeByThree,
}

pub(super) struct Flow {
    version: Version,
    blocks: [Block; MAX_NESTING],
    depth: usize,
    loops: usize,
    /// By label number; grows with the labels named, at most 2,048.
    labels: Vec<Label>,
    /// The subroutine that runs, none in the main program.
    current: Option<u16>,
    after_ret: bool,
    had_phase: bool,
    /// Whether the last instruction may be the first of a co-issued pair.
    pairable: bool,
    pads: [Pad; 4],
}

impl Flow {
    pub(super) fn new(version: Version) -> Self {
        Flow {
            version,
            blocks: [Block::If; MAX_NESTING],
            depth: 0,
            loops: 0,
            labels: Vec::new(),
            current: None,
            after_ret: false,
            had_phase: false,
            pairable: false,
            pads: [Pad::None; 4],
        }
    }

    pub(super) fn instruction(
        &mut self,
        instruction: &Instruction,
        form: &Form,
    ) -> Result<(), ErrorKind> {
        if self.after_ret && instruction.op != Opcode::Label {
            return Err(ErrorKind::Structure(
                "expected a label or the end after the ret of a program or subroutine",
            ));
        }
        self.pair(instruction, form)?;
        match form.class {
            Class::Arithmetic | Class::Declare => Ok(()),
            Class::Texture => self.texture(instruction),
            Class::Flow => self.flow(instruction),
        }
    }

    pub(super) fn finish(&self) -> Result<(), ErrorKind> {
        if self.depth > 0 {
            return Err(ErrorKind::Structure(match self.blocks[self.depth - 1] {
                Block::If | Block::Else => "an if has no endif, expected one before the end",
                Block::Loop => "a loop has no endloop, expected one before the end",
                Block::Rep => "a rep has no endrep, expected one before the end",
            }));
        }
        if self.current.is_some() && !self.after_ret {
            return Err(ErrorKind::Structure(
                "expected ret at the end of the last subroutine",
            ));
        }
        match self
            .labels
            .iter()
            .position(|label| label.called && !label.defined)
        {
            Some(missing) => Err(ErrorKind::Label(
                missing as u16,
                "is called but not defined",
            )),
            None => Ok(()),
        }
    }

    /// Checks that `aL` may be used here: inside a loop, or in a subroutine,
    /// which may be called from one.
    pub(super) fn loop_counter(&self) -> Result<(), ErrorKind> {
        match self.loops > 0 || self.current.is_some() {
            true => Ok(()),
            false => Err(ErrorKind::Structure(
                "aL has a value only inside loop and endloop",
            )),
        }
    }

    fn pair(&mut self, instruction: &Instruction, form: &Form) -> Result<(), ErrorKind> {
        let arithmetic = form.class == Class::Arithmetic;
        if instruction.coissue {
            if self.version.is_vertex() || self.version.major != 1 {
                return Err(ErrorKind::Coissue(
                    "expected no + (bit 30), only ps_1_x pairs instructions",
                ));
            }
            if !arithmetic {
                return Err(ErrorKind::Coissue(
                    "expected an arithmetic instruction after +",
                ));
            }
            if !self.pairable {
                return Err(ErrorKind::Coissue(
                    "expected an unpaired arithmetic instruction before +",
                ));
            }
        }
        self.pairable = arithmetic && !instruction.coissue;
        Ok(())
    }

    fn flow(&mut self, instruction: &Instruction) -> Result<(), ErrorKind> {
        let label = |i: usize| {
            instruction
                .srcs()
                .get(i)
                .map_or(0, |src| src.register.index)
        };
        match instruction.op {
            Opcode::If | Opcode::Ifc => self.open(Block::If),
            Opcode::Else => {
                self.close(Block::If, "else without an if before it")?;
                self.open(Block::Else)
            }
            Opcode::EndIf => match self.top() {
                Some(Block::Else) => self.close(Block::Else, ""),
                _ => self.close(Block::If, "endif without an if before it"),
            },
            Opcode::Loop => {
                self.open(Block::Loop)?;
                self.loops += 1;
                Ok(())
            }
            Opcode::EndLoop => {
                self.close(Block::Loop, "endloop without a loop before it")?;
                self.loops -= 1;
                Ok(())
            }
            Opcode::Rep => self.open(Block::Rep),
            Opcode::EndRep => self.close(Block::Rep, "endrep without a rep before it"),
            Opcode::Break | Opcode::Breakc | Opcode::Breakp => {
                let open = &self.blocks[..self.depth];
                match open
                    .iter()
                    .any(|block| matches!(block, Block::Loop | Block::Rep))
                {
                    true => Ok(()),
                    false => Err(ErrorKind::Structure("break outside loop and rep")),
                }
            }
            Opcode::Call | Opcode::Callnz => self.call(label(0)),
            Opcode::Label => self.label(label(0)),
            Opcode::Ret => {
                self.after_ret = self.depth == 0;
                Ok(())
            }
            Opcode::Phase if self.had_phase => {
                Err(ErrorKind::Structure("a second phase, expected one at most"))
            }
            Opcode::Phase => {
                self.had_phase = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn top(&self) -> Option<Block> {
        self.blocks[..self.depth].last().copied()
    }

    fn open(&mut self, block: Block) -> Result<(), ErrorKind> {
        let Some(slot) = self.blocks.get_mut(self.depth) else {
            return Err(ErrorKind::TooDeep);
        };
        *slot = block;
        self.depth += 1;
        Ok(())
    }

    fn close(&mut self, block: Block, otherwise: &'static str) -> Result<(), ErrorKind> {
        if self.top() != Some(block) {
            return Err(ErrorKind::Structure(otherwise));
        }
        self.depth -= 1;
        Ok(())
    }

    fn known(&mut self, label: u16) -> &mut Label {
        let index = usize::from(label);
        if self.labels.len() <= index {
            self.labels.resize(index + 1, Label::default());
        }
        &mut self.labels[index]
    }

    fn call(&mut self, label: u16) -> Result<(), ErrorKind> {
        let depth = self.current.map_or(0, |current| self.known(current).depth) + 1;
        let version = self.version;
        let limit = if version.is_software() {
            MAX_CALL_DEPTH_SOFTWARE
        } else {
            MAX_CALL_DEPTH
        };
        if depth > limit {
            return Err(ErrorKind::CallDepth { limit, version });
        }
        let target = self.known(label);
        if target.defined {
            return Err(ErrorKind::Label(
                label,
                "is called after its definition, expected calls before it",
            ));
        }
        target.called = true;
        target.depth = target.depth.max(depth);
        Ok(())
    }

    fn label(&mut self, label: u16) -> Result<(), ErrorKind> {
        if !self.after_ret {
            return Err(ErrorKind::Structure("expected ret before a label"));
        }
        let target = self.known(label);
        if target.defined {
            return Err(ErrorKind::Label(label, "is defined twice"));
        }
        target.defined = true;
        self.current = Some(label);
        self.after_ret = false;
        Ok(())
    }

    /// Checks that the last row of a texture matrix has its other rows at the
    /// texture stages just before its own.
    fn texture(&mut self, instruction: &Instruction) -> Result<(), ErrorKind> {
        let stage = instruction.dst.map_or(0, |dst| dst.register.index);
        let at = usize::from(stage);
        let before = |back: usize| at.checked_sub(back).and_then(|i| self.pads.get(i)).copied();
        let (pads, expected) = match instruction.op {
            Opcode::TexM3x2Pad | Opcode::TexM3x3Pad => {
                if let Some(pad) = self.pads.get_mut(at) {
                    *pad = match instruction.op {
                        Opcode::TexM3x2Pad => Pad::ThreeByTwo,
                        _ => Pad::ThreeByThree,
                    };
                }
                return Ok(());
            }
            Opcode::TexM3x2Tex | Opcode::TexM3x2Depth => {
                let found = before(1) == Some(Pad::ThreeByTwo);
                (found.then_some(1), "texm3x2pad at the stage")
            }
            Opcode::TexM3x3 | Opcode::TexM3x3Tex | Opcode::TexM3x3Spec | Opcode::TexM3x3VSpec => {
                let found =
                    before(1) == Some(Pad::ThreeByThree) && before(2) == Some(Pad::ThreeByThree);
                (found.then_some(2), "texm3x3pad at the two stages")
            }
            _ => return Ok(()),
        };
        let Some(rows) = pads else {
            return Err(ErrorKind::Pads { stage, expected });
        };
        self.pads[at - rows..at].fill(Pad::None);
        Ok(())
    }
}
