//! The crate's error type.

use std::fmt;

/// Everything that can go wrong in this crate.
///
/// A value is small, so that the per-draw calls can return it cheaply. After
/// [`Error::DeviceLost`] every call that needs the device answers the same;
/// nothing panics and dropping handles stays correct.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No driver, or no adapter that matches the override, was found.
    NoAdapter(Box<str>),
    /// The device went away (driver reset, unplugged). Create a new [`crate::Gpu`].
    DeviceLost,
    /// The device or the machine has no memory left for the request.
    OutOfMemory,
    /// The driver refused a call that was valid, or answered nonsense.
    Driver(Box<str>),
    /// An argument that can never be right; the text names the argument, what
    /// it was and what was expected.
    Invalid(Box<str>),
    /// A call in the wrong order: a draw without a pass, a copy inside one,
    /// a second [`crate::Commands`] while one is open.
    State(&'static str),
    /// A texture is sampled and rendered to at once: the sampled subresource
    /// is an attachment of the open pass.
    Feedback,
    /// The shader module does not fit the device or the pipeline's layout.
    Shader(Box<str>),
    /// The window cannot be drawn on: it is gone, or the driver cannot show pictures in it.
    Window(Box<str>),
    /// [`crate::Gpu::wait`] ran out of time.
    Timeout,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAdapter(text) => write!(f, "no usable GPU: {text}"),
            Self::DeviceLost => f.write_str("the GPU device is lost"),
            Self::OutOfMemory => f.write_str("out of GPU memory"),
            Self::Driver(text) => write!(f, "GPU driver error: {text}"),
            Self::Invalid(text) => write!(f, "invalid argument: {text}"),
            Self::State(text) => write!(f, "call out of order: {text}"),
            Self::Feedback => f.write_str(
                "a texture is sampled while the same subresource is an attachment of the open pass",
            ),
            Self::Shader(text) => write!(f, "shader: {text}"),
            Self::Window(text) => write!(f, "window: {text}"),
            Self::Timeout => f.write_str("timed out waiting for the GPU"),
        }
    }
}

impl std::error::Error for Error {}

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cold]
pub(crate) fn invalid(text: impl Into<String>) -> Error {
    Error::Invalid(text.into().into_boxed_str())
}

impl Error {
    #[cold]
    pub(crate) fn from_hal(error: wgpu_hal::DeviceError) -> Self {
        match error {
            wgpu_hal::DeviceError::OutOfMemory => Self::OutOfMemory,
            wgpu_hal::DeviceError::Lost => Self::DeviceLost,
            wgpu_hal::DeviceError::Unexpected => {
                Self::Driver("it returned an error code that the call may not return".into())
            }
        }
    }
}
