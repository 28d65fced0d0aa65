//! Why one recorded call could not be played.

use ninefold_d3d9::HResult;
use ninefold_d3d9::trace::Value;

/// Why one recorded call could not be played. The player adds which call.
#[derive(Debug)]
pub(super) enum CallError {
    /// An argument is missing or is of another kind.
    Argument { name: &'static str, what: String },
    /// An address is not that of a live object of the kind that is needed.
    Object {
        name: &'static str,
        address: u64,
        needed: &'static str,
    },
    /// The device refused the call.
    Refused { code: HResult, why: String },
    /// The call makes no sense at this place of the capture.
    Misplaced(&'static str),
}

impl CallError {
    pub(super) fn argument(name: &'static str, what: impl Into<String>) -> Self {
        CallError::Argument {
            name,
            what: what.into(),
        }
    }

    pub(super) fn expected(name: &'static str, expected: &str, found: &Value) -> Self {
        let found = found.kind();
        CallError::argument(name, format!("expected {expected}, found {found}"))
    }
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CallError::Argument { name, what } => write!(f, "argument {name}: {what}"),
            CallError::Object {
                name,
                address,
                needed,
            } => {
                write!(f, "argument {name}: {address:#x} is not a live {needed}")
            }
            CallError::Refused { code, why } if why.is_empty() => write!(f, "{code}"),
            CallError::Refused { code, why } => write!(f, "{code}: {why}"),
            CallError::Misplaced(what) => f.write_str(what),
        }
    }
}
