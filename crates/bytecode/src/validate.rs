//! The rules a stream must keep beyond being decodable.

use crate::error::Error;
use crate::instruction::Instruction;
use crate::opcode::Form;
use crate::version::Version;

pub(crate) struct Validator {
    count: u32,
}

impl Validator {
    pub(crate) fn new(_version: Version) -> Self {
        Validator { count: 0 }
    }

    pub(crate) fn instruction(
        &mut self,
        _i: &Instruction,
        _form: &'static Form,
    ) -> Result<(), Error> {
        self.count += 1;
        Ok(())
    }

    pub(crate) fn finish(&mut self, _offset: usize) -> Result<(), Error> {
        Ok(())
    }

    pub(crate) fn instruction_count(&self) -> u32 {
        self.count
    }
}
