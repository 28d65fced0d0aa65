//! Exit codes, and the one error that is not the input's fault.

use std::process::ExitCode;

/// How the command ends; the number is the process's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The work was done.
    Success = 0,
    /// The input was bad: unreadable, malformed, or only partly understood.
    BadInput = 1,
    /// The arguments contradict each other in a way that `clap` cannot see; for the others it exits
    /// with this code itself.
    Usage = 2,
    /// No usable GPU was found, or no screen for a window.
    NoGpu = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// No adapter could be opened. Wrap the cause in this wherever a verb opens the GPU, so that
/// [`of_error`] finds it in the error chain.
#[derive(Debug)]
pub(crate) struct NoGpu(pub(crate) String);

impl std::fmt::Display for NoGpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoGpu {}

/// There is no screen to open a window on.
#[derive(Debug)]
pub(crate) struct NoScreen(pub(crate) String);

impl std::fmt::Display for NoScreen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "no screen to open a window on (without --window none is needed): {}",
            self.0
        )
    }
}

impl std::error::Error for NoScreen {}

/// Arguments that are good each and no good together.
#[derive(Debug)]
pub(crate) struct WrongUsage(pub(crate) &'static str);

impl std::fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for WrongUsage {}

/// The exit code an error stands for.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    let nothing_to_draw_on =
        |cause: &(dyn std::error::Error + 'static)| cause.is::<NoGpu>() || cause.is::<NoScreen>();
    if error.chain().any(nothing_to_draw_on) {
        Exit::NoGpu
    } else if error.is::<WrongUsage>() {
        Exit::Usage
    } else {
        Exit::BadInput
    }
}

/// What went wrong with all its causes, but those that the text before them ends with already.
pub(crate) fn text_of(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_missing_gpu_is_told_apart_through_context() {
        let missing = anyhow::Error::new(NoGpu("none".into())).context("opening the device");
        assert_eq!(of_error(&missing), Exit::NoGpu);
        let bad = Err::<(), _>(std::fmt::Error)
            .context("reading")
            .unwrap_err();
        assert_eq!(of_error(&bad), Exit::BadInput);
    }

    #[test]
    fn a_cause_that_is_said_already_is_not_said_again() {
        let error = anyhow::Error::new(std::fmt::Error);
        let cause = error.to_string();
        let error = error
            .context(format!("section a: {cause}"))
            .context("a.exe");
        assert_eq!(text_of(&error), format!("a.exe: section a: {cause}"));
    }
}
