//! Shader stages and versions.

use std::fmt;

/// Which half of the pipeline a shader runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Vertex shader (`vs_*`), version tokens `0xFFFE....`.
    Vertex,
    /// Pixel shader (`ps_*`), version tokens `0xFFFF....`.
    Pixel,
}

/// Shader version as the first token of a stream states it.
///
/// `minor` is the raw low byte of the token: for model 2 and 3 it is 0 for the
/// plain version, 1 for the extended one (`vs_2_x`, `ps_2_x`) and `0xFF` for
/// the software one (`vs_2_sw`, `ps_3_sw`, ...).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// Vertex or pixel shader.
    pub stage: Stage,
    /// Shader model, 1 to 3.
    pub major: u8,
    /// Minor version; [`Version::MINOR_X`] and [`Version::MINOR_SW`] are special.
    pub minor: u8,
}

impl Version {
    /// Minor number of the extended model 2 versions, `vs_2_x` and `ps_2_x`.
    pub const MINOR_X: u8 = 1;
    /// Minor number of the software versions, `vs_2_sw` and the like.
    pub const MINOR_SW: u8 = 0xFF;

    /// A version from its three parts. Whether D3D9 knows it is told by
    /// [`Version::is_known`].
    pub const fn new(stage: Stage, major: u8, minor: u8) -> Self {
        Version {
            stage,
            major,
            minor,
        }
    }

    /// The version that a stream's first token states, or `None` when the token
    /// is no version token or names a version that D3D9 does not have.
    pub const fn from_token(token: u32) -> Option<Self> {
        let stage = match token >> 16 {
            0xFFFE => Stage::Vertex,
            0xFFFF => Stage::Pixel,
            _ => return None,
        };
        let version = Version::new(stage, (token >> 8) as u8, token as u8);
        if version.is_known() {
            Some(version)
        } else {
            None
        }
    }

    /// The version token that opens a stream of this version.
    pub const fn token(self) -> u32 {
        let stage = match self.stage {
            Stage::Vertex => 0xFFFE_0000,
            Stage::Pixel => 0xFFFF_0000,
        };
        stage | (self.major as u32) << 8 | self.minor as u32
    }

    /// Whether D3D9 has this version: vs_1_0, vs_1_1, vs_2_0, vs_2_x, vs_2_sw,
    /// vs_3_0, vs_3_sw, ps_1_0 to ps_1_4, ps_2_0, ps_2_x, ps_2_sw, ps_3_0 and
    /// ps_3_sw.
    pub const fn is_known(self) -> bool {
        self.bit() != 0
    }

    /// Whether this is a software version (`_sw`), whose limits are the wide
    /// ones of software vertex processing and the reference device.
    pub const fn is_software(self) -> bool {
        self.major >= 2 && self.minor == Self::MINOR_SW
    }

    /// Whether this is a pixel shader.
    pub const fn is_pixel(self) -> bool {
        matches!(self.stage, Stage::Pixel)
    }

    /// Whether this is a vertex shader.
    pub const fn is_vertex(self) -> bool {
        matches!(self.stage, Stage::Vertex)
    }

    /// Whether this version is `major.minor` or newer in the same stage's
    /// order (2.0 < 2.x < 2.sw < 3.0 < 3.sw).
    pub const fn at_least(self, major: u8, minor: u8) -> bool {
        self.major > major || self.major == major && self.minor >= minor
    }

    /// One bit per known version, 0 for an unknown one.
    pub(crate) const fn bit(self) -> u32 {
        let index = match (self.stage, self.major, self.minor) {
            (Stage::Vertex, 1, 0) => 0,
            (Stage::Vertex, 1, 1) => 1,
            (Stage::Vertex, 2, 0) => 2,
            (Stage::Vertex, 2, Self::MINOR_X) => 3,
            (Stage::Vertex, 2, Self::MINOR_SW) => 4,
            (Stage::Vertex, 3, 0) => 5,
            (Stage::Vertex, 3, Self::MINOR_SW) => 6,
            (Stage::Pixel, 1, minor @ 0..=4) => 7 + minor as u32,
            (Stage::Pixel, 2, 0) => 12,
            (Stage::Pixel, 2, Self::MINOR_X) => 13,
            (Stage::Pixel, 2, Self::MINOR_SW) => 14,
            (Stage::Pixel, 3, 0) => 15,
            (Stage::Pixel, 3, Self::MINOR_SW) => 16,
            _ => return 0,
        };
        1 << index
    }

    /// Every version D3D9 has, vertex first, oldest first.
    pub fn all() -> impl Iterator<Item = Version> {
        [Stage::Vertex, Stage::Pixel]
            .into_iter()
            .flat_map(|stage| (1..=3).map(move |major| (stage, major)))
            .flat_map(|(stage, major)| {
                [0, 1, 2, 3, 4, Self::MINOR_SW].map(|minor| Version::new(stage, major, minor))
            })
            .filter(|version| version.is_known())
    }

    /// The version that text such as `vs_2_0`, `ps_2_x` or `vs_3_sw` names, in
    /// any case; also with points, as in `ps.1.4`. The profiles `ps_2_a`, `ps_2_b`
    /// and `vs_2_a` are compiler targets whose streams are `ps_2_x` and `vs_2_x`.
    pub fn parse(text: &str) -> Option<Version> {
        let mut parts = text.split(['_', '.']);
        let stage = match parts.next()? {
            s if s.eq_ignore_ascii_case("vs") => Stage::Vertex,
            s if s.eq_ignore_ascii_case("ps") => Stage::Pixel,
            _ => return None,
        };
        let major = match parts.next()? {
            "1" => 1,
            "2" => 2,
            "3" => 3,
            _ => return None,
        };
        let minor = match parts.next()? {
            s if s.eq_ignore_ascii_case("sw") => Self::MINOR_SW,
            s if ["x", "a", "b"].iter().any(|x| s.eq_ignore_ascii_case(x)) => Self::MINOR_X,
            "0" => 0,
            s if major == 1 && s.len() == 1 => s.parse().ok()?,
            _ => return None,
        };
        let version = Version::new(stage, major, minor);
        (parts.next().is_none() && version.is_known()).then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stage {
            Stage::Vertex => "vs",
            Stage::Pixel => "ps",
        };
        match (self.major, self.minor) {
            (2.., Self::MINOR_SW) => write!(f, "{stage}_{}_sw", self.major),
            (2, Self::MINOR_X) => write!(f, "{stage}_2_x"),
            (major, minor) => write!(f, "{stage}_{major}_{minor}"),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Vertex => "vertex shader",
            Stage::Pixel => "pixel shader",
        })
    }
}

/// A set of versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Versions(pub(crate) u32);

impl Versions {
    /// How many versions there are.
    pub(crate) const COUNT: usize = 17;

    pub(crate) const VS1: Versions = Versions(0b11);
    pub(crate) const VS2_0: Versions = Versions(1 << 2);
    pub(crate) const VS2_EXT: Versions = Versions(0b11 << 3);
    pub(crate) const VS3: Versions = Versions(0b11 << 5);
    pub(crate) const PS1_01: Versions = Versions(0b11 << 7);
    pub(crate) const PS1_2: Versions = Versions(1 << 9);
    pub(crate) const PS1_3: Versions = Versions(1 << 10);
    pub(crate) const PS1_4: Versions = Versions(1 << 11);
    pub(crate) const PS2_0: Versions = Versions(1 << 12);
    pub(crate) const PS2_EXT: Versions = Versions(0b11 << 13);
    pub(crate) const PS3: Versions = Versions(0b11 << 15);

    pub(crate) const VS2: Versions = Self::VS2_0.or(Self::VS2_EXT);
    pub(crate) const VS2_UP: Versions = Self::VS2.or(Self::VS3);
    pub(crate) const VS2X_UP: Versions = Self::VS2_EXT.or(Self::VS3);
    pub(crate) const VS: Versions = Self::VS1.or(Self::VS2_UP);
    pub(crate) const PS1_1_TO_3: Versions = Self::PS1_01.or(Self::PS1_2).or(Self::PS1_3);
    pub(crate) const PS1_2_3: Versions = Self::PS1_2.or(Self::PS1_3);
    pub(crate) const PS1_2_UP: Versions = Self::PS1_2_3.or(Self::PS1_4).or(Self::PS2_UP);
    pub(crate) const PS1: Versions = Self::PS1_1_TO_3.or(Self::PS1_4);
    pub(crate) const PS2: Versions = Self::PS2_0.or(Self::PS2_EXT);
    pub(crate) const PS2_UP: Versions = Self::PS2.or(Self::PS3);
    pub(crate) const PS2X_UP: Versions = Self::PS2_EXT.or(Self::PS3);
    pub(crate) const PS: Versions = Self::PS1.or(Self::PS2_UP);
    pub(crate) const SM2_UP: Versions = Self::VS2_UP.or(Self::PS2_UP);
    pub(crate) const SM2X_UP: Versions = Self::VS2X_UP.or(Self::PS2X_UP);
    pub(crate) const SM3: Versions = Self::VS3.or(Self::PS3);
    pub(crate) const ALL: Versions = Self::VS.or(Self::PS);

    pub(crate) const fn or(self, other: Versions) -> Versions {
        Versions(self.0 | other.0)
    }

    pub(crate) const fn has(self, version: Version) -> bool {
        self.0 & version.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_own_token_and_text() {
        let all: Vec<Version> = Version::all().collect();
        assert_eq!(all.len(), 17);
        for version in all {
            assert_eq!(Version::from_token(version.token()), Some(version));
            assert_eq!(Version::parse(&version.to_string()), Some(version));
        }
    }

    #[test]
    fn texts_of_the_special_versions() {
        let text = |token| Version::from_token(token).map(|v| v.to_string());
        assert_eq!(text(0xFFFE_0101).as_deref(), Some("vs_1_1"));
        assert_eq!(text(0xFFFF_0104).as_deref(), Some("ps_1_4"));
        assert_eq!(text(0xFFFE_0201).as_deref(), Some("vs_2_x"));
        assert_eq!(text(0xFFFF_02FF).as_deref(), Some("ps_2_sw"));
        assert_eq!(text(0xFFFE_03FF).as_deref(), Some("vs_3_sw"));
        assert_eq!(text(0xFFFE_0301), None);
        assert_eq!(text(0xFFFD_0200), None);
        assert_eq!(text(0xFFFE_0102), None);
        assert_eq!(
            Version::parse("PS.1.4"),
            Some(Version::new(Stage::Pixel, 1, 4))
        );
        assert_eq!(Version::parse("vs_2_1"), None);
        assert_eq!(Version::parse("vs_2_00"), None);
        assert_eq!(Version::parse("vs_2_0_0"), None);
    }

    #[test]
    fn versions_order_within_a_model() {
        let x = Version::new(Stage::Pixel, 2, Version::MINOR_X);
        assert!(x.at_least(2, 0) && x.at_least(2, Version::MINOR_X));
        assert!(!x.at_least(3, 0));
    }
}
