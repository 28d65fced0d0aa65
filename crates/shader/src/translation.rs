//! A finished function and the last gate before it leaves: validation.

use crate::{Error, Reflection};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use std::cell::RefCell;

/// A translated function: a valid naga module with one entry point.
#[derive(Debug)]
pub struct Translation {
    /// The module.
    pub module: naga::Module,
    /// What the validator found out about it; writers need it.
    pub info: ModuleInfo,
    /// Name of the entry point, `vs_` or `fs_` and the identity in 16 hex digits.
    pub entry: String,
    /// FNV-1a 64 of all that decided the function.
    pub identity: u64,
    /// What a caller must know to feed it.
    pub reflection: Reflection,
}

/// What a function may need beyond WebGPU's basic features.
const CAPABILITIES: Capabilities = Capabilities::CLIP_DISTANCES;

thread_local! {
    static VALIDATOR: RefCell<Validator> =
        RefCell::new(Validator::new(ValidationFlags::all(), CAPABILITIES));
}

/// The entry point's name for a function of `stage`.
pub(crate) fn entry_name(stage: naga::ShaderStage, identity: u64) -> String {
    let prefix = match stage {
        naga::ShaderStage::Vertex => "vs",
        _ => "fs",
    };
    format!("{prefix}_{identity:016x}")
}

impl Translation {
    /// Validates `module`, whose one entry point is named after `identity`.
    pub(crate) fn seal(
        module: naga::Module,
        identity: u64,
        reflection: Reflection,
    ) -> Result<Self, Error> {
        let info = VALIDATOR.with_borrow_mut(|validator| match validator.validate(&module) {
            Ok(info) => Ok(info),
            Err(error) => Err(Error::Invalid(with_causes(error.as_inner()))),
        })?;
        let entry = module.entry_points[0].name.clone();
        Ok(Self {
            module,
            info,
            entry,
            identity,
            reflection,
        })
    }
}

/// An error and what lies behind it, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}
