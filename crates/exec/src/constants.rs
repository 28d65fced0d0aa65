//! The constants a run reads.

/// Bump-mapping parameters of a texture stage, for `texbem`, `texbeml` and `bem`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bump {
    /// `D3DTSS_BUMPENVMAT00`, `01`, `10`, `11`.
    pub matrix: [f32; 4],
    /// `D3DTSS_BUMPENVLSCALE`.
    pub luminance_scale: f32,
    /// `D3DTSS_BUMPENVLOFFSET`.
    pub luminance_offset: f32,
}

/// The application's constants. Registers past the end of a list are 0 or false,
/// and the shader's own (`def`, `defi`, `defb`) go before these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constants<'a> {
    /// Float constants from `c0` on.
    pub floats: &'a [[f32; 4]],
    /// Integer constants from `i0` on: iteration count, start, step, unused.
    pub ints: &'a [[i32; 4]],
    /// Boolean constants from `b0` on.
    pub bools: &'a [bool],
    /// Bump parameters from stage 0 on.
    pub bump: &'a [Bump],
}
