//! The x87 as this machine has it: eight binary64 slots.
//!
//! Values are binary64 (the precision that a control word of `027Fh` sets), whatever
//! the precision control says. Rounding control is obeyed. Condition codes C0, C2 and
//! C3 are exact; C1, exception flags, instruction and operand pointers are zero, and no
//! exception is ever delivered: all act as if masked. Stack overflow and underflow give
//! the default NaN, the masked response.

mod arithmetic;
mod exact;

pub use arithmetic::{
    DEFAULT_NAN, add, div, f32_to_f64, f64_to_f32, from_i64, mul, quiet, sqrt, sub, to_integer,
};

/// Condition code 0 in the status word: less, or unordered.
pub const C0: u16 = 1 << 8;
/// Condition code 2 in the status word: unordered.
pub const C2: u16 = 1 << 10;
/// Condition code 3 in the status word: equal, or unordered.
pub const C3: u16 = 1 << 14;

/// Rounding control, bits 10 and 11 of the control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// Towards zero.
    Zero,
}

/// The x87's state. Values are bits of a binary64, so that no move can change a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fpu {
    /// Values in physical order, those of empty slots (stale, but exposed by `fldenv`)
    /// included.
    pub slots: [u64; 8],
    /// Physical number of st(0), 0 to 7.
    pub top: u8,
    /// Bit `i`: physical slot `i` is not empty.
    pub occupied: u8,
    /// The control word.
    pub control: u16,
    /// [`C0`], [`C2`] and [`C3`] as they lie in the status word.
    pub condition: u16,
}

impl Default for Fpu {
    /// Empty, all slots +0, control word `027Fh`: binary64, nearest, exceptions masked.
    fn default() -> Self {
        Self {
            slots: [0; 8],
            top: 0,
            occupied: 0,
            control: 0x027F,
            condition: 0,
        }
    }
}

impl Fpu {
    /// The rounding that the control word sets.
    pub fn rounding(&self) -> Rounding {
        match self.control >> 10 & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// Takes a control word, as the processor does: bit 6 is always set, and the reserved
    /// bits 7 and 13 to 15 never are.
    pub fn set_control(&mut self, control: u16) {
        self.control = control & 0x1F3F | 0x40;
    }

    /// Slots that are empty.
    pub fn free_slots(&self) -> u32 {
        self.occupied.count_zeros()
    }

    /// Physical number of st(`index`).
    pub fn slot(&self, index: u8) -> usize {
        usize::from(self.top.wrapping_add(index) & 7)
    }

    /// Whether st(`index`) is empty.
    pub fn is_empty(&self, index: u8) -> bool {
        self.occupied >> self.slot(index) & 1 == 0
    }

    /// The value of st(`index`); the default NaN when it is empty.
    pub fn get(&self, index: u8) -> u64 {
        if self.is_empty(index) {
            DEFAULT_NAN
        } else {
            self.slots[self.slot(index)]
        }
    }

    /// Writes st(`index`), which is not empty any more.
    pub fn set(&mut self, index: u8, value: u64) {
        let slot = self.slot(index);
        self.slots[slot] = value;
        self.occupied |= 1 << slot;
    }

    /// Pushes a value; the default NaN instead when the slot it goes to is not empty.
    pub fn push(&mut self, value: u64) {
        self.top = self.top.wrapping_sub(1) & 7;
        let value = if self.is_empty(0) { value } else { DEFAULT_NAN };
        self.set(0, value);
    }

    /// Empties st(0) and makes st(1) the top. The slot keeps its value.
    pub fn pop(&mut self) {
        self.occupied &= !(1 << self.slot(0));
        self.top = self.top.wrapping_add(1) & 7;
    }

    /// The status word.
    pub fn status(&self) -> u16 {
        u16::from(self.top & 7) << 11 | self.condition
    }

    /// Takes the top and the condition codes from a status word.
    pub fn set_status(&mut self, status: u16) {
        self.top = (status >> 11 & 7) as u8;
        self.condition = status & (C0 | C2 | C3);
    }

    /// The full tag word: two bits a physical slot, 0 valid, 1 zero, 2 infinity or NaN,
    /// 3 empty.
    pub fn tag_word(&self) -> u16 {
        let mut word = 0;
        for (slot, &value) in self.slots.iter().enumerate() {
            let number = f64::from_bits(value);
            let tag = match self.occupied >> slot & 1 {
                0 => 3,
                _ if number == 0.0 => 1,
                _ if !number.is_finite() => 2,
                _ => 0,
            };
            word |= tag << (2 * slot);
        }
        word
    }

    /// Takes from a full tag word which slots are empty.
    pub fn set_tag_word(&mut self, word: u16) {
        self.occupied = 0;
        for slot in 0..8 {
            if word >> (2 * slot) & 3 != 3 {
                self.occupied |= 1 << slot;
            }
        }
    }

    /// Sets the condition codes to how `a` compares with `b`: C0 when less, C3 when
    /// equal, all three when either is a NaN.
    pub fn compare(&mut self, a: u64, b: u64) {
        self.condition = match f64::from_bits(a).partial_cmp(&f64::from_bits(b)) {
            Some(std::cmp::Ordering::Less) => C0,
            Some(std::cmp::Ordering::Equal) => C3,
            Some(std::cmp::Ordering::Greater) => 0,
            None => C0 | C2 | C3,
        };
    }
}

#[cfg(test)]
mod tests;
