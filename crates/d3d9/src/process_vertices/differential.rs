//! The generic executor against the skinning one, call by call.

/// Calls that are compared.
const MAX_CHECKS: u32 = 128;
/// Bytes of results that are compared.
const MAX_BYTES: usize = 4 << 20;
/// Lines that are logged.
const MAX_LINES: u32 = 32;

/// What a call offers for comparison.
pub(super) struct Check<'a> {
    /// Frames presented before.
    pub(super) frame: u64,
    /// The first frame that is compared, if any is.
    pub(super) from_frame: Option<u64>,
    /// Vertices processed.
    pub(super) count: u32,
    /// The destination is bound as a source too: what was written could be read.
    pub(super) overlaps: bool,
    /// The destination as it was.
    pub(super) before: &'a [u8],
    /// As the generic executor left it, unless it failed.
    pub(super) generic: Option<&'a [u8]>,
}

/// What was found so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    checks: u32,
    mismatches: u32,
    lines: u32,
    /// The other executor's results.
    candidate: Vec<u8>,
}

impl Comparison {
    /// Compares one call. `run` makes the other executor's results of a copy of the destination.
    pub(super) fn compare(&mut self, check: Check<'_>, run: impl FnOnce(&mut [u8]) -> bool) {
        let wanted = check.from_frame.is_some_and(|from| check.frame >= from);
        let size = check.before.len();
        if !wanted || self.checks >= MAX_CHECKS || check.overlaps || size > MAX_BYTES {
            return;
        }
        self.candidate.clear();
        if self.candidate.try_reserve(size).is_err() {
            return;
        }
        self.candidate.extend_from_slice(check.before);
        let ran = run(&mut self.candidate);
        self.checks += 1;
        let first = match (check.generic, ran) {
            (Some(generic), true) => {
                let mut pairs = generic.iter().zip(&self.candidate);
                pairs.position(|(a, b)| a != b)
            }
            // Calls that fail are to fail both ways.
            (generic, ran) => (generic.is_some() != ran).then_some(0),
        };
        self.mismatches += u32::from(first.is_some());
        let due = self.checks <= 4 || self.checks.is_multiple_of(32) || first.is_some();
        if !due || self.lines >= MAX_LINES {
            return;
        }
        self.lines += 1;
        let word = |bytes: &[u8]| {
            let at = first.unwrap_or(0) & !3;
            let mut word = [0; 4];
            for (to, byte) in word.iter_mut().zip(bytes.get(at..).unwrap_or(&[])) {
                *to = *byte;
            }
            u32::from_le_bytes(word)
        };
        let (generic, skin) = (word(check.generic.unwrap_or(&[])), word(&self.candidate));
        let generic_ran = check.generic.is_some();
        let (frame, checks, vertices) = (check.frame, self.checks, check.count);
        let mismatches = self.mismatches;
        match first {
            None => tracing::info!(
                target: "pv-differential",
                frame, checks, vertices, mismatches, equal = true, authoritative = "generic",
            ),
            Some(byte) => tracing::warn!(
                target: "pv-differential",
                frame, checks, vertices, mismatches, equal = false, generic_ran, ran, byte,
                generic = format_args!("{generic:#010x}"), skin = format_args!("{skin:#010x}"),
                authoritative = "generic",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECK: Check<'_> = Check {
        frame: 5,
        from_frame: Some(0),
        count: 1,
        overlaps: false,
        before: &[0; 8],
        generic: Some(&[0, 0, 0, 0, 0, 7, 0, 0]),
    };

    fn same(to: &mut [u8]) -> bool {
        to[5] = 7;
        true
    }

    #[test]
    fn calls_are_compared_up_to_the_cap() {
        let mut comparison = Comparison::default();
        let mut ran = 0;
        for _ in 0..200 {
            comparison.compare(CHECK, |to| {
                ran += 1;
                same(to)
            });
        }
        assert_eq!(
            (ran, comparison.checks, comparison.mismatches),
            (128, 128, 0)
        );
        // The first four, and 32, 64, 96 and 128.
        assert_eq!(comparison.lines, 8);
    }

    #[test]
    fn every_mismatch_is_told_up_to_the_last_line() {
        let mut comparison = Comparison::default();
        for _ in 0..100 {
            comparison.compare(CHECK, |to| {
                assert_eq!(to, [0; 8], "a copy of the destination as it was");
                to[6] = 1;
                true
            });
        }
        assert_eq!((comparison.mismatches, comparison.lines), (100, 32));
        // An executor that declines is a mismatch too.
        let mut comparison = Comparison::default();
        comparison.compare(CHECK, |_| false);
        assert_eq!((comparison.mismatches, comparison.lines), (1, 1));
    }

    #[test]
    fn calls_fail_both_ways_or_differ() {
        let failed = || Check {
            generic: None,
            ..CHECK
        };
        let mut comparison = Comparison::default();
        comparison.compare(failed(), |_| false);
        assert_eq!((comparison.checks, comparison.mismatches), (1, 0));
        comparison.compare(failed(), same);
        assert_eq!((comparison.checks, comparison.mismatches), (2, 1));
    }

    #[test]
    fn what_cannot_be_compared_is_not() {
        let mut comparison = Comparison::default();
        let large = vec![0; MAX_BYTES + 4];
        let checks = [
            Check {
                from_frame: None,
                ..CHECK
            },
            Check {
                from_frame: Some(6),
                ..CHECK
            },
            Check {
                overlaps: true,
                ..CHECK
            },
            Check {
                before: &large,
                generic: Some(&large),
                ..CHECK
            },
        ];
        for check in checks {
            comparison.compare(check, |_| panic!("run"));
        }
        assert_eq!(comparison, Comparison::default());
        let at_cap = Check {
            before: &large[4..],
            generic: Some(&large[4..]),
            ..CHECK
        };
        comparison.compare(at_cap, |_| true);
        comparison.compare(
            Check {
                from_frame: Some(5),
                ..CHECK
            },
            same,
        );
        assert_eq!((comparison.checks, comparison.mismatches), (2, 0));
    }
}
