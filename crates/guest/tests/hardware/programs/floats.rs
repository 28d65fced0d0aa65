//! Instructions of the x87.

use super::{
    CONTROL, CONTROLS, ENVIRONMENT, ENVIRONMENTS, F32, F64, I16, I32, I64, Program, STATUS, STORED,
};

impl Program<'_> {
    pub(super) fn float(&mut self) {
        let index = self.random.below(16);
        let register = self.random.below(8) as u8;
        match self.random.below(16) {
            0 | 1 => {
                self.emit(&[0xD9]);
                self.at_ebp(0, F32 + 4 * index);
            }
            2 => {
                self.emit(&[0xDD]);
                self.at_ebp(0, F64 + 8 * index);
            }
            3 => {
                // fst, fstp to float and double.
                let reg = self.random.pick(&[2, 3]);
                if self.random.once_in(2) {
                    self.emit(&[0xD9]);
                    self.at_ebp(reg, F32 + 4 * index);
                } else {
                    self.emit(&[0xDD]);
                    self.at_ebp(reg, F64 + 8 * index);
                }
            }
            4 | 5 => {
                // All eight operations with a float, a double or an integer.
                let operation = self.random.below(8) as u8;
                match self.random.below(3) {
                    0 => {
                        self.emit(&[0xD8]);
                        self.at_ebp(operation, F32 + 4 * index);
                    }
                    1 => {
                        self.emit(&[0xDC]);
                        self.at_ebp(operation, F64 + 8 * index);
                    }
                    _ => {
                        // fiadd, fimul
                        let operation = self.random.below(2) as u8;
                        if self.random.once_in(2) {
                            self.emit(&[0xDA]);
                            self.at_ebp(operation, I32 + 4 * index);
                        } else {
                            self.emit(&[0xDE]);
                            self.at_ebp(operation, I16 + 2 * index);
                        }
                    }
                }
            }
            6..=8 => {
                // Register forms; DE D9 is fcompp.
                let operation = self.random.below(8) as u8;
                let opcode = self.random.pick(&[0xD8, 0xDC, 0xDE]);
                match (opcode, operation) {
                    (0xD8, _) => self.emit(&[0xD8, 0xC0 | operation << 3 | register]),
                    (0xDE, 2 | 3) => self.emit(&[0xDE, 0xD9]),
                    (_, 2 | 3) => self.emit(&[0xDD, 0xD0 | operation << 3 & 8 | register]),
                    _ => self.emit(&[opcode, 0xC0 | operation << 3 | register]),
                }
            }
            9 => {
                let bytes: &[u8] = self.random.pick(&[
                    &[0xD9, 0xE0],
                    &[0xD9, 0xE1],
                    &[0xD9, 0xE4],
                    &[0xD9, 0xE8],
                    &[0xD9, 0xEE],
                    &[0xD9, 0xFA],
                    &[0xDA, 0xE9],
                ]);
                self.emit(bytes);
            }
            10 => {
                // fld st, fxch, fucom, fucomp
                let pair =
                    self.random
                        .pick(&[[0xD9, 0xC0], [0xD9, 0xC8], [0xDD, 0xE0], [0xDD, 0xE8]]);
                self.emit(&[pair[0], pair[1] | register]);
            }
            11 => match self.random.below(3) {
                0 => {
                    self.emit(&[0xDF]);
                    self.at_ebp(0, I16 + 2 * index);
                }
                1 => {
                    self.emit(&[0xDB]);
                    self.at_ebp(0, I32 + 4 * index);
                }
                _ => {
                    self.emit(&[0xDF]);
                    self.at_ebp(5, I64 + 8 * (index & 7));
                }
            },
            12 => {
                let (opcode, reg) =
                    self.random
                        .pick(&[(0xDF, 2), (0xDF, 3), (0xDB, 2), (0xDB, 3), (0xDF, 7)]);
                self.emit(&[opcode]);
                self.at_ebp(reg, STORED + 8 * (index & 7));
            }
            13 => match self.random.below(4) {
                // fnstsw ax, and its usual readers; then the low bits are overwritten.
                0 => {
                    self.emit(&[0xDF, 0xE0, 0x9E]);
                    let condition = self.random.pick(&[2, 3, 4, 5, 6, 7, 10, 11]);
                    self.emit(&[0x0F, 0x90 | condition, 0xC1, 0xB8]);
                    self.immediate(false, false);
                }
                1 => self.emit(&[
                    0xDF, 0xE0, 0xF6, 0xC4, 0x41, 0x0F, 0x9A, 0xC0, 0x0F, 0xB6, 0xC0,
                ]),
                2 => {
                    self.emit(&[0xDD]);
                    self.at_ebp(7, STATUS);
                }
                _ => self.emit(&[0xDF, 0xE0, 0xB8, 1, 2, 3, 4]),
            },
            14 => {
                if self.random.once_in(2) {
                    self.emit(&[0xD9]);
                    self.at_ebp(5, CONTROLS + 2 * (index & 7));
                } else {
                    self.emit(&[0xD9]);
                    self.at_ebp(7, CONTROL);
                }
            }
            _ => {
                let (reg, place) = match self.random.below(4) {
                    0 if self.environment => (4, ENVIRONMENT),
                    1 => (4, ENVIRONMENTS + 28 * (index & 3)),
                    _ => (6, ENVIRONMENT),
                };
                self.emit(&[0xD9]);
                self.at_ebp(reg, place);
                self.environment |= reg == 6;
            }
        }
    }
}
