//! What is native.

/// How 00553920, which marks the surfaces that a view sees, runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Natively.
    #[default]
    Native,
    /// As translated.
    Translated,
    /// Both, compared; the translated result stays.
    Verify,
}

/// Which routines are native.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The six leaves.
    pub native_leaves: bool,
    /// 00553920.
    pub native_visibility: Visibility,
    /// The three gathers. Their children are native too, whatever `native_leaves` says.
    pub native_gather: bool,
}

impl Default for Settings {
    /// Leaves and visibility are native, gathers are not.
    fn default() -> Self {
        Self::from_values(None, None, None)
    }
}

impl Settings {
    /// Nothing is native.
    pub const TRANSLATED: Settings = Settings {
        native_leaves: false,
        native_visibility: Visibility::Translated,
        native_gather: false,
    };
    /// All is native.
    pub const NATIVE: Settings = Settings {
        native_leaves: true,
        native_visibility: Visibility::Native,
        native_gather: true,
    };

    /// What front doors make of their variables `NATIVE_LEAVES` (`0`: off),
    /// `NATIVE_VISIBILITY` (`0`: translated, `verify`: both) and `NATIVE_GATHER` (`1`:
    /// on). Anything else is as if unset.
    pub fn from_values(
        leaves: Option<&str>,
        visibility: Option<&str>,
        gather: Option<&str>,
    ) -> Self {
        Self {
            native_leaves: leaves != Some("0"),
            native_visibility: match visibility {
                Some("0") => Visibility::Translated,
                Some("verify") => Visibility::Verify,
                _ => Visibility::Native,
            },
            native_gather: gather == Some("1"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_documented_values_mean_something() {
        let of = Settings::from_values;
        assert_eq!(of(None, None, None), Settings::default());
        assert!(of(None, None, None).native_leaves && !of(None, None, None).native_gather);
        assert_eq!(of(Some("0"), Some("0"), Some("0")), Settings::TRANSLATED);
        assert_eq!(of(Some("1"), Some("1"), Some("1")), Settings::NATIVE);
        assert_eq!(
            of(Some("00"), Some("off"), Some("yes")),
            Settings::default()
        );
        let verify = of(None, Some("verify"), None);
        assert_eq!(verify.native_visibility, Visibility::Verify);
    }
}
