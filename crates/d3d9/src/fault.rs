//! Failures on their way from the inside to the API: a code and a sentence.

use crate::hresult::HResult;

/// A D3D9 code with the sentence that `last_error` will give.
#[derive(Debug)]
pub(crate) struct Fault(Box<(HResult, String)>);

/// Result of the device's inner functions.
pub(crate) type Outcome<T> = core::result::Result<T, Fault>;

impl Fault {
    #[cold]
    pub(crate) fn new(code: HResult, text: impl Into<String>) -> Self {
        Self(Box::new((code, text.into())))
    }

    /// `D3DERR_INVALIDCALL`.
    #[cold]
    pub(crate) fn invalid(text: impl Into<String>) -> Self {
        Self::new(HResult::INVALIDCALL, text)
    }

    pub(crate) fn code(&self) -> HResult {
        self.0.0
    }

    pub(crate) fn into_parts(self) -> (HResult, String) {
        *self.0
    }
}

impl From<ninefold_renderer::Error> for Fault {
    #[cold]
    fn from(error: ninefold_renderer::Error) -> Self {
        use ninefold_renderer::ErrorKind;
        let code = match error.kind() {
            ErrorKind::Device => HResult::OUTOFVIDEOMEMORY,
            ErrorKind::Shader => HResult::DRIVERINTERNALERROR,
            ErrorKind::Unsupported => HResult::NOTAVAILABLE,
            _ => HResult::INVALIDCALL,
        };
        Self::new(code, error.text())
    }
}

/// Returns `D3DERR_INVALIDCALL` with a formatted sentence from the enclosing function.
macro_rules! invalid {
    ($($arg:tt)*) => {
        return Err($crate::fault::Fault::invalid(format!($($arg)*)))
    };
}

pub(crate) use invalid;
