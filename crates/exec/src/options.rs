//! What decides a program beside the token stream.

use crate::limits::MAX_STEPS;

/// Rules for zero in products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatRules {
    /// 0 times anything is 0, infinity and NaN included. The default.
    #[default]
    D3d9,
    /// IEEE 754 products: 0 times infinity is NaN.
    Ieee,
}

/// What happens to numbers below 2^-126.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Denormals {
    /// They are numbers like others. The default.
    #[default]
    Keep,
    /// They are 0 when an instruction reads or writes them, as on most GPUs.
    Flush,
}

/// Everything that decides a program beside the token stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Rules for zero in products.
    pub float_rules: FloatRules,
    /// What happens to denormals.
    pub denormals: Denormals,
    /// `D3DTTFF_PROJECTED` for stages 0 to 3: the component, 1 to 3, that `tex` of
    /// ps_1_0 to ps_1_3 divides its coordinates by. 3 (w) for
    /// `D3DTTFF_COUNT4 | D3DTTFF_PROJECTED`, 2 for `COUNT3`, 1 for `COUNT2`; 0 when
    /// not projected, the default. Other numbers count as 0.
    pub projected: [u8; 4],
    /// A relative constant address that is not a number, or lies outside of
    /// [`Constants::floats`](crate::Constants::floats), ends the run with
    /// [`Error::Address`](crate::Error::Address). Off by default: such a constant
    /// reads 0.
    pub strict_addresses: bool,
    /// Operations one run may execute before it ends with
    /// [`Error::Steps`](crate::Error::Steps); [`MAX_STEPS`] by default.
    pub max_steps: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            float_rules: FloatRules::default(),
            denormals: Denormals::default(),
            projected: [0; 4],
            strict_addresses: false,
            max_steps: MAX_STEPS,
        }
    }
}
