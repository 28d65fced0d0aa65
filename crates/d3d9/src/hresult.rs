//! Result codes.

use core::fmt;

/// A D3D9 result code (`HRESULT`), failures only: success is `Ok`.
///
/// Equality is by number, so codes read from a capture compare directly.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HResult(pub u32);

/// What every D3D9 method returns.
pub type Result<T> = core::result::Result<T, HResult>;

impl HResult {
    /// `D3DERR_INVALIDCALL`: the call's arguments, or the call at this moment, are not valid.
    pub const INVALIDCALL: Self = Self(0x8876_086C);
    /// `D3DERR_NOTAVAILABLE`: the device does not support the queried or requested thing.
    pub const NOTAVAILABLE: Self = Self(0x8876_086A);
    /// `D3DERR_NOTFOUND`: the requested item was not found.
    pub const NOTFOUND: Self = Self(0x8876_0866);
    /// `D3DERR_MOREDATA`: the caller's buffer is too small.
    pub const MOREDATA: Self = Self(0x8876_0867);
    /// `D3DERR_DEVICELOST`: the device is lost and cannot be reset yet.
    pub const DEVICELOST: Self = Self(0x8876_0868);
    /// `D3DERR_DEVICENOTRESET`: the device is lost and can be reset.
    pub const DEVICENOTRESET: Self = Self(0x8876_0869);
    /// `D3DERR_OUTOFVIDEOMEMORY`: no display memory is left.
    pub const OUTOFVIDEOMEMORY: Self = Self(0x8876_017C);
    /// `D3DERR_WRONGTEXTUREFORMAT`: the texture's format is not valid here.
    pub const WRONGTEXTUREFORMAT: Self = Self(0x8876_0818);
    /// `D3DERR_UNSUPPORTEDCOLOROPERATION`: a stage's colour operation is not supported.
    pub const UNSUPPORTEDCOLOROPERATION: Self = Self(0x8876_0819);
    /// `D3DERR_CONFLICTINGRENDERSTATE`: render states in use exclude each other.
    pub const CONFLICTINGRENDERSTATE: Self = Self(0x8876_0821);
    /// `D3DERR_UNSUPPORTEDTEXTUREFILTER`: a texture filter is not supported.
    pub const UNSUPPORTEDTEXTUREFILTER: Self = Self(0x8876_0822);
    /// `D3DERR_DRIVERINTERNALERROR`: the driver or the renderer failed; `last_error` has its text.
    pub const DRIVERINTERNALERROR: Self = Self(0x8876_0827);
    /// `D3DERR_WASSTILLDRAWING`: the GPU has not finished and the caller asked not to wait.
    pub const WASSTILLDRAWING: Self = Self(0x8876_021C);
    /// `E_OUTOFMEMORY`: no memory is left.
    pub const OUTOFMEMORY: Self = Self(0x8007_000E);
    /// `E_FAIL`: the runtime itself refuses what it was given.
    pub const FAIL: Self = Self(0x8000_4005);
    /// `E_NOTIMPL`: the method is not implemented.
    pub const NOTIMPL: Self = Self(0x8000_4001);

    /// D3D9's name of the code, or `None` for a number this crate never returns.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::INVALIDCALL => "D3DERR_INVALIDCALL",
            Self::NOTAVAILABLE => "D3DERR_NOTAVAILABLE",
            Self::NOTFOUND => "D3DERR_NOTFOUND",
            Self::MOREDATA => "D3DERR_MOREDATA",
            Self::DEVICELOST => "D3DERR_DEVICELOST",
            Self::DEVICENOTRESET => "D3DERR_DEVICENOTRESET",
            Self::OUTOFVIDEOMEMORY => "D3DERR_OUTOFVIDEOMEMORY",
            Self::WRONGTEXTUREFORMAT => "D3DERR_WRONGTEXTUREFORMAT",
            Self::UNSUPPORTEDCOLOROPERATION => "D3DERR_UNSUPPORTEDCOLOROPERATION",
            Self::CONFLICTINGRENDERSTATE => "D3DERR_CONFLICTINGRENDERSTATE",
            Self::UNSUPPORTEDTEXTUREFILTER => "D3DERR_UNSUPPORTEDTEXTUREFILTER",
            Self::DRIVERINTERNALERROR => "D3DERR_DRIVERINTERNALERROR",
            Self::WASSTILLDRAWING => "D3DERR_WASSTILLDRAWING",
            Self::OUTOFMEMORY => "E_OUTOFMEMORY",
            Self::FAIL => "E_FAIL",
            Self::NOTIMPL => "E_NOTIMPL",
            _ => return None,
        })
    }
}

impl fmt::Display for HResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "HRESULT {:#010X}", self.0),
        }
    }
}

impl fmt::Debug for HResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for HResult {}
