//! How vertices are processed on the CPU.

use std::sync::{Arc, OnceLock};

use ninefold_exec::skin::SkinShaders;
use ninefold_renderer::is_on;

/// Vertices for which another thread is worth starting. Measured by the clock on two cores of a
/// server, best of 400 calls on one thread and on two: 4,096 interpreted vertices take 225 and
/// 204 µs, 8,192 take 464 and 269.
const SHARE: u32 = 4_096;

/// The same of vertices that the skinning executor runs in place: 8,192 of them take 61 and 68 µs,
/// 16,384 take 174 and 131, 32,768 take 375 and 306.
const SKIN_SHARE: u32 = 16_384;

/// Threads that one call uses at most.
const MAX_THREADS: usize = 16;

/// How `ProcessVertices` works. None of this changes what it writes.
#[derive(Clone, Debug)]
pub struct VertexSettings {
    /// Runs skinning shaders that are known token for token a faster way. Off by default, as the
    /// specification has it for desktops; on for visionOS.
    pub skin_fast: bool,
    /// The shaders that are known. [`ninefold_exec::skin::SHADER`] alone by default.
    pub skin_shaders: Arc<SkinShaders>,
    /// Runs known skinning shaders both ways and compares the bytes. The generic one's are
    /// written, whatever the other's are; [`skin_fast`](Self::skin_fast) counts as off. Events of
    /// the target `pv-differential` tell what was found.
    pub differential: bool,
    /// The first presented frame in which calls are compared; `None` compares none.
    pub differential_from_frame: Option<u64>,
    /// Tells of the first 20 calls and of the first 8 that succeed: events of the target
    /// `ninefold::process_vertices`.
    pub trace: bool,
    /// Threads that a call with many vertices may use, this one included; 0 for as many as the
    /// machine runs at once, the default.
    pub threads: usize,
}

/// The shaders that are known from the start, read once.
fn known() -> Arc<SkinShaders> {
    static KNOWN: OnceLock<Arc<SkinShaders>> = OnceLock::new();
    KNOWN.get_or_init(Arc::default).clone()
}

impl Default for VertexSettings {
    fn default() -> Self {
        VertexSettings {
            skin_fast: cfg!(target_os = "visionos"),
            skin_shaders: known(),
            differential: false,
            differential_from_frame: Some(0),
            trace: false,
            threads: 0,
        }
    }
}

impl VertexSettings {
    /// What variables say: `NINEFOLD_PV_SKIN_FAST`, `NINEFOLD_PV_DIFFERENTIAL`,
    /// `NINEFOLD_PV_DIFFERENTIAL_FROM_FRAME`, a number in decimal digits alone (anything else
    /// compares nothing), and `NINEFOLD_PROCESS_VERTICES_TRACE`.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let set = |name: &str, default: bool| get(name).map_or(default, |value| is_on(&value));
        let defaults = Self::default();
        let from_frame = match get("NINEFOLD_PV_DIFFERENTIAL_FROM_FRAME") {
            None => defaults.differential_from_frame,
            // `parse` alone would take a plus.
            Some(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
            Some(_) => None,
        };
        VertexSettings {
            skin_fast: set("NINEFOLD_PV_SKIN_FAST", defaults.skin_fast),
            differential: set("NINEFOLD_PV_DIFFERENTIAL", false),
            differential_from_frame: from_frame,
            trace: set("NINEFOLD_PROCESS_VERTICES_TRACE", false),
            ..defaults
        }
    }

    /// Whether known skinning shaders are run the faster way.
    pub(super) fn runs_skin(&self) -> bool {
        self.skin_fast && !self.differential
    }

    /// Threads for a call of `count` vertices, which the skinning executor runs in place or not.
    pub(super) fn threads_for(&self, count: u32, skin: bool) -> usize {
        let share = if skin { SKIN_SHARE } else { SHARE };
        let worth = (count / share).max(1) as usize;
        if worth == 1 {
            return 1;
        }
        let allowed = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            n => n,
        };
        worth.min(allowed).min(MAX_THREADS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> VertexSettings {
        VertexSettings::from_variables(|name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn variables_are_read() {
        let nothing = read(&[]);
        assert!(!nothing.skin_fast && !nothing.differential && !nothing.trace);
        assert_eq!(nothing.differential_from_frame, Some(0));
        let all = read(&[
            ("NINEFOLD_PV_SKIN_FAST", "1"),
            ("NINEFOLD_PV_DIFFERENTIAL", "1"),
            ("NINEFOLD_PV_DIFFERENTIAL_FROM_FRAME", "0120"),
            ("NINEFOLD_PROCESS_VERTICES_TRACE", "1"),
        ]);
        assert!(all.skin_fast && all.differential && all.trace);
        assert!(!all.runs_skin(), "what is compared is not relied on");
        assert_eq!(all.differential_from_frame, Some(120));
        assert!(read(&[("NINEFOLD_PV_SKIN_FAST", "1")]).runs_skin());
        for off in ["0", "OFF", "No"] {
            assert!(!read(&[("NINEFOLD_PV_SKIN_FAST", off)]).skin_fast, "{off}");
        }
    }

    #[test]
    fn a_first_frame_that_is_no_decimal_number_compares_nothing() {
        for text in [
            "+1",
            "-1",
            "0x10",
            "1 ",
            " 1",
            "1.0",
            "one",
            "18446744073709551616",
        ] {
            let from = [("NINEFOLD_PV_DIFFERENTIAL_FROM_FRAME", text)];
            assert_eq!(read(&from).differential_from_frame, None, "{text}");
        }
        let most = [(
            "NINEFOLD_PV_DIFFERENTIAL_FROM_FRAME",
            "18446744073709551615",
        )];
        assert_eq!(read(&most).differential_from_frame, Some(u64::MAX));
    }

    #[test]
    fn small_calls_have_one_thread() {
        let settings = VertexSettings {
            threads: 4,
            ..VertexSettings::default()
        };
        for (skin, share) in [(false, SHARE), (true, SKIN_SHARE)] {
            for (count, threads) in [
                (0, 1),
                (1, 1),
                (2 * share - 1, 1),
                (2 * share, 2),
                (3 * share, 3),
                (u32::MAX, 4),
            ] {
                assert_eq!(settings.threads_for(count, skin), threads, "{count}");
            }
        }
        let many = VertexSettings {
            threads: usize::MAX,
            ..settings
        };
        assert_eq!(many.threads_for(u32::MAX, false), MAX_THREADS);
    }
}
