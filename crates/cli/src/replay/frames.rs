//! Which frames become pictures.

use std::fmt;
use std::str::FromStr;

/// A range of frames, counted from 0 in the order of presenting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frames {
    first: u64,
    /// The first frame after the range.
    end: u64,
}

impl Frames {
    /// Every frame.
    pub(crate) const ALL: Frames = Frames {
        first: 0,
        end: u64::MAX,
    };

    /// Number of the first frame.
    pub(super) fn first(self) -> u64 {
        self.first
    }

    pub(super) fn contains(self, frame: u64) -> bool {
        (self.first..self.end).contains(&frame)
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            u64::MAX => write!(f, "{}..", self.first),
            end if end == self.first + 1 => write!(f, "{}", self.first),
            end => write!(f, "{}..{end}", self.first),
        }
    }
}

impl FromStr for Frames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            part.parse::<u64>()
                .map_err(|_| format!("`{part}` is not the number of a frame"))
        };
        let Some((first, last)) = text.split_once("..") else {
            let frame = number(text)?;
            return Ok(Frames {
                first: frame,
                end: frame.saturating_add(1),
            });
        };
        let first = if first.is_empty() { 0 } else { number(first)? };
        let end = match last.strip_prefix('=') {
            Some(last) => number(last)?.saturating_add(1),
            None if last.is_empty() => u64::MAX,
            None => number(last)?,
        };
        if end <= first {
            return Err(format!("`{text}` holds no frame"));
        }
        Ok(Frames { first, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_as_in_rust() {
        for (text, first, end) in [
            ("3", 3, 4),
            ("2..5", 2, 5),
            ("2..=5", 2, 6),
            ("7..", 7, u64::MAX),
            ("..4", 0, 4),
            ("..=4", 0, 5),
            ("..", 0, u64::MAX),
        ] {
            assert_eq!(text.parse(), Ok(Frames { first, end }), "{text}");
        }
        for text in ["", "x", "3..2", "3..3", "-1", "1..x", "1...3"] {
            assert!(text.parse::<Frames>().is_err(), "{text}");
        }
        for text in ["3", "2..5", "7..", "0.."] {
            assert_eq!(text.parse::<Frames>().unwrap().to_string(), text);
        }
        assert!(Frames::ALL.contains(0) && Frames::ALL.contains(1 << 40));
    }
}
