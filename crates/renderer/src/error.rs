use core::fmt;

/// What kind of thing went wrong; one variant for each `MR_ERR_*` code of the renderer's
/// specification.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// An argument is outside its documented range (`MR_ERR_ARGS`).
    Args,
    /// Vertices, indices, texels or a rectangle reach past the end of their storage
    /// (`MR_ERR_BOUNDS`).
    Bounds,
    /// The primitive type is not one the renderer draws (`MR_ERR_PRIMITIVE`).
    Primitive,
    /// A texture that the draw needs is absent, of the wrong kind, or does not fit its cache
    /// (`MR_ERR_TEXTURE`).
    Texture,
    /// The GPU or its driver failed (`MR_ERR_DEVICE`).
    Device,
    /// A shader could not be translated or compiled (`MR_ERR_SHADER`).
    Shader,
    /// The vertex declaration cannot feed the vertex function (`MR_ERR_DECL`).
    Decl,
    /// Well-formed, but this adapter or renderer cannot do it (`MR_ERR_UNSUPPORTED`).
    Unsupported,
    /// A call came at a moment when it is not allowed, or a cache reached its bound
    /// (`MR_ERR_STATE`).
    State,
}

/// An error of the renderer. Nothing was drawn, copied or changed by the call that returned it.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    text: Box<str>,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, text: impl Into<Box<str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            text: text.into(),
        }))
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message: which argument, stage or register, and what was expected.
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.kind, self.0.text)
    }
}

impl core::error::Error for Error {}

macro_rules! constructors {
    ($($name:ident => $kind:ident),* $(,)?) => {
        impl Error {
            $(
                #[cold]
                pub(crate) fn $name(text: impl Into<Box<str>>) -> Self {
                    Self::new(ErrorKind::$kind, text)
                }
            )*
        }
    };
}

constructors! {
    args => Args,
    bounds => Bounds,
    texture => Texture,
    shader => Shader,
    decl => Decl,
    unsupported => Unsupported,
    state => State,
}

/// Result of the renderer's calls.
pub type Result<T> = core::result::Result<T, Error>;

impl From<ninefold_gpu::Error> for Error {
    #[cold]
    fn from(error: ninefold_gpu::Error) -> Self {
        use ninefold_gpu::Error as E;
        let kind = match &error {
            E::Shader(_) => ErrorKind::Shader,
            E::Invalid(_) => ErrorKind::Args,
            E::State(_) | E::Feedback => ErrorKind::State,
            E::Window(_) => ErrorKind::Unsupported,
            _ => ErrorKind::Device,
        };
        Self::new(kind, error.to_string())
    }
}
