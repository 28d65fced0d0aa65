//! Radial fog: the switch of the process, and the variants of vertex shaders.

use std::sync::OnceLock;

use ninefold_bytecode::radial_fog::Mode;

use crate::error::Result;
use crate::keys::ShaderId;
use crate::renderer::Renderer;

/// Whether a process has radial fog. The first who asks decides, and everyone gets the same answer
/// from then on, on any thread: what is drawn, prepared and told never disagree, even if the
/// environment changes.
///
/// ```
/// use ninefold_renderer::{RadialFogSwitch, Settings};
///
/// static SWITCH: RadialFogSwitch = RadialFogSwitch::new();
/// let read = |value: &'static str| move || RadialFogSwitch::is_one(Some(value));
/// assert!(SWITCH.decide(read("1")));
/// assert!(SWITCH.decide(read("0")), "it was decided");
/// ```
#[derive(Debug, Default)]
pub struct RadialFogSwitch(OnceLock<bool>);

impl RadialFogSwitch {
    /// A switch that nobody has asked yet.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The process's.
    pub fn of_process() -> &'static Self {
        static SWITCH: RadialFogSwitch = RadialFogSwitch::new();
        &SWITCH
    }

    /// What was decided; by `read` when nothing was.
    pub fn decide(&self, read: impl FnOnce() -> bool) -> bool {
        *self.0.get_or_init(read)
    }

    /// Whether a variable's value turns radial fog on: `1` and nothing else does.
    pub fn is_one(value: Option<&str>) -> bool {
        value == Some("1")
    }
}

impl Renderer {
    /// The variant of a vertex shader whose fog is measured from the eye
    /// ([`ninefold_bytecode::radial_fog`]), to draw with in its place. It shares the shader's
    /// content key: recipes tell the two apart by the mode. A shader that is not rewritten is its
    /// own variant.
    ///
    /// # Errors
    /// `Args` for a shader of another renderer, `State` after 65,536 distinct shaders and variants.
    pub fn radial_shader(&mut self, shader: ShaderId, mode: Mode) -> Result<ShaderId> {
        self.functions.radial(shader, mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn only_one_is_on() {
        let values = [
            Some("1"),
            None,
            Some(""),
            Some("0"),
            Some("2"),
            Some("on"),
            Some("true"),
            Some("yes"),
            Some(" 1"),
            Some("1 "),
            Some("01"),
            Some("1\n"),
        ];
        for (n, value) in values.into_iter().enumerate() {
            let settings = Settings::from_variables("game", |name| {
                (name == "NINEFOLD_RADIAL_FOG").then_some(value?.to_owned())
            });
            assert_eq!(settings.radial_fog, n == 0, "{value:?}");
        }
        assert!(!Settings::default().radial_fog);
    }

    /// Sixteen threads ask at once, with different answers at hand: one decides.
    #[test]
    fn the_first_reader_decides() {
        for round in 0..64 {
            let switch = RadialFogSwitch::new();
            let (start, asked) = (Barrier::new(16), AtomicU32::new(0));
            let answers: Vec<bool> = std::thread::scope(|scope| {
                let readers: Vec<_> = (0..16)
                    .map(|n| {
                        let (switch, start, asked) = (&switch, &start, &asked);
                        scope.spawn(move || {
                            start.wait();
                            switch.decide(|| {
                                asked.fetch_add(1, Ordering::Relaxed);
                                (n + round) % 2 == 0
                            })
                        })
                    })
                    .collect();
                readers
                    .into_iter()
                    .map(|reader| reader.join().unwrap())
                    .collect()
            });
            assert_eq!(asked.into_inner(), 1);
            let decided = switch.decide(|| unreachable!("it was decided"));
            assert!(answers.iter().all(|&answer| answer == decided));
        }
    }
}
