//! Lowering of Shader Model 1 to 3 token streams.

use crate::{Error, Options, Translation};
use ninefold_bytecode::ShaderCode;

/// Translates a token stream.
///
/// # Errors
/// [`Error::Unsupported`] names what is not lowered.
pub fn translate(code: &ShaderCode, options: &Options) -> Result<Translation, Error> {
    let _ = (code, options);
    Err(Error::Options("not built yet".into()))
}
