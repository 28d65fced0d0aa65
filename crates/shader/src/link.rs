//! Varyings of ps_3_0 whose semantics have no location of their own.

use ninefold_bytecode::Usage;

/// What the `v#` registers of a ps_3_0 function take from the vertex function beyond the semantics
/// that [`varying_location`](crate::abi::varying_location) places: NORMAL3, COLOR7, TEXCOORD13 and
/// whatever else a `dcl` may say.
///
/// The pixel function reads such components of register `v<n>` from location
/// [`LINKED_LOCATION`](crate::abi::LINKED_LOCATION) ` + n` and says in
/// [`Reflection::link`](crate::Reflection::link) what it expects there; given the same value as
/// [`Options::link`](crate::Options::link), a vs_3_0 function puts it there. So any pair of
/// functions links within the 21 locations there are, and a vertex function whose partners use
/// the common semantics only is one function for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// By register and component: usage plus one in the high four bits, usage index in the low
    /// four; 0 for nothing.
    registers: [[u8; 4]; Link::REGISTERS],
}

impl Link {
    /// Input registers of ps_3_0, `v0` to `v9`.
    pub const REGISTERS: usize = 10;

    /// Whether nothing is linked: the function reads the common semantics only.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The semantic that component `component` (0-3) of `v<register>` takes.
    pub fn semantic(&self, register: usize, component: usize) -> Option<(Usage, u8)> {
        let byte = *self.registers.get(register)?.get(component)?;
        let usage = Usage::from_raw(u32::from(byte >> 4).checked_sub(1)?)?;
        Some((usage, byte & 15))
    }

    /// Lets a component of `v<register>` take that component of a semantic. Registers and
    /// components that do not exist are ignored.
    pub fn set(&mut self, register: usize, component: usize, usage: Usage, index: u8) {
        let byte = self
            .registers
            .get_mut(register)
            .and_then(|register| register.get_mut(component));
        if let Some(byte) = byte {
            *byte = (usage as u8 + 1) << 4 | index & 15;
        }
    }

    /// Registers of which some component takes a semantic, with all four.
    pub(crate) fn wanted(self) -> impl Iterator<Item = (usize, [Option<(Usage, u8)>; 4])> {
        (0..Self::REGISTERS)
            .filter(move |&register| self.registers[register] != [0; 4])
            .map(move |register| {
                let semantics = [0, 1, 2, 3].map(|component| self.semantic(register, component));
                (register, semantics)
            })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.registers.as_flattened()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_semantic_comes_back() {
        let mut link = Link::default();
        assert!(link.is_empty());
        assert_eq!(link.semantic(0, 0), None);
        for usage in Usage::ALL {
            for index in 0..16 {
                link.set(9, 3, usage, index);
                assert_eq!(link.semantic(9, 3), Some((usage, index)));
            }
        }
        let wanted: Vec<_> = link.wanted().collect();
        let last = Some((Usage::Sample, 15));
        assert_eq!(wanted, [(9, [None, None, None, last])]);
        let mut link = Link::default();
        link.set(10, 0, Usage::Color, 7);
        link.set(0, 4, Usage::Color, 7);
        assert!(link.is_empty());
        assert_eq!(link.semantic(10, 0), None);
    }
}
