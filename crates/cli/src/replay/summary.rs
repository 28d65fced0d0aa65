//! What a replay did, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ninefold_d3d9::PipelineStats;
use serde::Serialize;

use super::counters::Counters;
use super::frames::Frames;
use super::traffic::Traffic;

/// A kind of call that did not go as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Trouble {
    /// Name of the function.
    pub(crate) call: String,
    /// How often it happened.
    pub(crate) count: u64,
    /// Number of the first such call in the capture.
    pub(crate) first: u64,
    /// What was wrong the first time; empty for unknown calls.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) why: String,
}

/// Calls that went wrong, one entry for each function.
#[derive(Debug, Clone, Default)]
pub(super) struct Troubles(BTreeMap<String, Trouble>);

impl Troubles {
    /// Counts one; true when it is the first of its function.
    pub(super) fn add(&mut self, call: &str, number: u64, why: impl FnOnce() -> String) -> bool {
        if let Some(trouble) = self.0.get_mut(call) {
            trouble.count += 1;
            return false;
        }
        let trouble = Trouble {
            call: call.to_owned(),
            count: 1,
            first: number,
            why: why(),
        };
        self.0.insert(call.to_owned(), trouble);
        true
    }

    pub(super) fn into_list(self) -> Vec<Trouble> {
        let mut list: Vec<Trouble> = self.0.into_values().collect();
        list.sort_by_key(|trouble| trouble.first);
        list
    }
}

/// Milliseconds that the frames took, from one Present to the next, without
/// reading pictures back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct FrameTimes {
    /// The fastest frame.
    pub(crate) min: f64,
    /// Half of the frames were faster.
    pub(crate) median: f64,
    /// The slowest frame.
    pub(crate) max: f64,
    /// All frames together.
    pub(crate) total: f64,
}

impl FrameTimes {
    pub(super) fn of(times: &[Duration]) -> Self {
        let mut ms: Vec<f64> = times.iter().map(|t| t.as_secs_f64() * 1e3).collect();
        ms.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (ms.first(), ms.last()) else {
            return FrameTimes::default();
        };
        FrameTimes {
            min,
            median: ms[ms.len() / 2],
            max,
            total: ms.iter().sum(),
        }
    }
}

/// What the pipelines of draws cost, and who built them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Pipelines {
    /// Built by a draw that needed them.
    pub(crate) at_draws: u64,
    /// Milliseconds that draws spent so.
    pub(crate) at_draws_ms: f64,
    /// Functions that a draw had to compile.
    pub(crate) functions_at_draws: u64,
    /// Draws that waited for a worker.
    pub(crate) waits: u64,
    /// Milliseconds that they waited.
    pub(crate) waits_ms: f64,
    /// Built by workers.
    pub(crate) by_workers: u64,
    /// Functions that workers compiled.
    pub(crate) functions_by_workers: u64,
    /// Milliseconds that the workers spent building and compiling.
    pub(crate) by_workers_ms: f64,
    /// Ready before the first draw that needed them.
    pub(crate) ready: u64,
    /// Recipes in the manifest when the replay began.
    pub(crate) recipes_loaded: u64,
    /// Recipes that no longer mean what they meant.
    pub(crate) recipes_dropped: u64,
    /// Recipes recorded.
    pub(crate) recipes_recorded: u64,
    /// Shaders that the program made, each counted once.
    pub(crate) shaders: u64,
    /// Functions translated or generated.
    pub(crate) translated: u64,
    /// Times that the driver's own cache was written to disk.
    pub(crate) archive_saves: u64,
}

impl From<&PipelineStats> for Pipelines {
    fn from(stats: &PipelineStats) -> Self {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        Pipelines {
            at_draws: stats.draw_builds,
            at_draws_ms: ms(stats.draw_build_time),
            functions_at_draws: stats.draw_functions,
            waits: stats.waits,
            waits_ms: ms(stats.wait_time),
            by_workers: stats.background_builds,
            functions_by_workers: stats.background_functions,
            by_workers_ms: ms(stats.background_time),
            ready: stats.prewarm_hits,
            recipes_loaded: stats.recipes_loaded,
            recipes_dropped: stats.recipes_dropped,
            recipes_recorded: stats.recipes_recorded,
            shaders: stats.shaders_registered,
            translated: stats.translated,
            archive_saves: stats.archive_saves,
        }
    }
}

impl fmt::Display for Pipelines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pipelines {
            at_draws,
            at_draws_ms,
            functions_at_draws,
            waits,
            waits_ms,
            by_workers,
            functions_by_workers,
            by_workers_ms,
            ready,
            recipes_loaded,
            recipes_dropped,
            recipes_recorded,
            shaders,
            translated,
            archive_saves,
        } = self;
        writeln!(
            f,
            "  at draws  {at_draws} built in {at_draws_ms:.1} ms with {functions_at_draws} functions, \
             {waits} waited for in {waits_ms:.1} ms"
        )?;
        writeln!(
            f,
            "  workers   {by_workers} built, {functions_by_workers} functions, {by_workers_ms:.1} ms; \
             {ready} ready before their first draw"
        )?;
        writeln!(
            f,
            "  shaders   {shaders}, {translated} functions of them and others translated"
        )?;
        writeln!(
            f,
            "  manifest  {recipes_loaded} recipes, {recipes_dropped} no longer good, {recipes_recorded} new"
        )?;
        match archive_saves {
            0 => Ok(()),
            saves => writeln!(f, "  archive   written {saves} times"),
        }
    }
}

/// What a replay did.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Summary {
    /// The traced program, as the capture names it.
    pub(crate) program: String,
    /// The GPU that drew; empty when the capture created no device.
    pub(crate) adapter: String,
    /// Calls read from the capture.
    pub(crate) calls: u64,
    /// Calls that had failed when they were recorded, and were left out.
    pub(crate) failed_when_recorded: u64,
    /// Frames presented.
    pub(crate) frames: u64,
    /// Draw calls made.
    pub(crate) draws: u64,
    /// Pipelines built.
    pub(crate) pipelines: u64,
    /// What they cost.
    pub(crate) pipeline_stats: Pipelines,
    /// What became of vertices and clears.
    pub(crate) traffic: Traffic,
    /// What the renderer counted.
    pub(crate) renderer: Counters,
    /// Whether people are told what pipelines cost and what was counted, too.
    #[serde(skip)]
    pub(crate) tell_stats: bool,
    /// Frame times in milliseconds.
    pub(crate) frame_ms: FrameTimes,
    /// The time of each frame in milliseconds.
    pub(crate) frame_times: Vec<f64>,
    /// Functions that the replay does not know.
    pub(crate) unknown: Vec<Trouble>,
    /// Calls that succeeded when they were recorded and did not now.
    pub(crate) failed: Vec<Trouble>,
    /// Pictures written.
    pub(crate) pictures: Vec<String>,
    /// Why the capture could not be read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) damage: Option<String>,
    /// Calls that never returned in the traced program.
    pub(crate) unfinished: usize,
}

impl Summary {
    /// Why the replay did not do what it was asked for, when `frames` were.
    pub(super) fn complaint(&self, frames: Option<Frames>) -> Option<String> {
        if let Some(damage) = &self.damage {
            return Some(damage.clone());
        }
        if let (0, Some(first)) = (self.frames, self.failed.first()) {
            let Trouble {
                call,
                first: number,
                why,
                ..
            } = first;
            return Some(format!(
                "no frame was shown; {} of {} calls failed that had succeeded when they were \
                 recorded, first call {number}, {call}: {why}",
                total(&self.failed),
                self.calls
            ));
        }
        if self.adapter.is_empty() {
            return Some("no frame was shown: the capture makes no device".into());
        }
        frames
            .filter(|frames| frames.first() >= self.frames && self.pictures.is_empty())
            .map(|frames| {
                format!(
                    "the range {frames} holds no frame of the capture's {}",
                    self.frames
                )
            })
    }
}

fn total(list: &[Trouble]) -> u64 {
    list.iter().map(|trouble| trouble.count).sum()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            calls,
            frames,
            draws,
            pipelines,
            frame_ms: ms,
            ..
        } = self;
        writeln!(f, "calls       {calls}")?;
        if self.failed_when_recorded > 0 {
            writeln!(
                f,
                "  left out  {} that failed when recorded",
                self.failed_when_recorded
            )?;
        }
        if self.unfinished > 0 {
            writeln!(f, "  left out  {} that never returned", self.unfinished)?;
        }
        writeln!(f, "frames      {frames}")?;
        writeln!(f, "draws       {draws}")?;
        writeln!(f, "pipelines   {pipelines} built")?;
        if self.tell_stats {
            write!(
                f,
                "{}{}{}",
                self.pipeline_stats, self.renderer, self.traffic
            )?;
        }
        if *frames > 0 {
            writeln!(
                f,
                "frame time  {:.2} ms median, {:.2} to {:.2} ms, {:.1} ms in all",
                ms.median, ms.min, ms.max, ms.total
            )?;
        }
        if !self.adapter.is_empty() {
            writeln!(f, "adapter     {}", self.adapter)?;
        }
        match &self.pictures[..] {
            [] => writeln!(f, "pictures    none")?,
            [one] => writeln!(f, "pictures    {one}")?,
            [first, .., last] => {
                writeln!(f, "pictures    {}: {first} to {last}", self.pictures.len())?;
            }
        }
        writeln!(f, "unknown     {} calls", total(&self.unknown))?;
        for Trouble {
            call, count, first, ..
        } in &self.unknown
        {
            writeln!(f, "  {count:>8} x {call} (first: call {first})")?;
        }
        if !self.failed.is_empty() {
            writeln!(f, "failed      {} calls", total(&self.failed))?;
            for Trouble {
                call,
                count,
                first,
                why,
            } in &self.failed
            {
                writeln!(f, "  {count:>8} x {call} (first: call {first}: {why})")?;
            }
        }
        if let Some(damage) = &self.damage {
            writeln!(f, "stopped     {damage}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_that_shows_nothing_complains_only_with_a_reason() {
        let range = "100..200".parse().ok();
        let mut summary = Summary {
            adapter: "some GPU".into(),
            calls: 62,
            draws: 3,
            ..Summary::default()
        };
        assert_eq!(summary.complaint(None), None, "it never presents");
        summary.frames = 12;
        assert_eq!(
            summary.complaint(range).unwrap(),
            "the range 100..200 holds no frame of the capture's 12"
        );
        assert_eq!(summary.complaint("11..200".parse().ok()), None);
        let mut failed = Troubles::default();
        for number in 7..10 {
            failed.add("f", number, || "why".into());
        }
        summary.failed = failed.into_list();
        assert_eq!(summary.complaint(None), None, "frames were shown");
        summary.frames = 0;
        assert_eq!(
            summary.complaint(None).unwrap(),
            "no frame was shown; 3 of 62 calls failed that had succeeded when they were recorded, \
             first call 7, f: why"
        );
        let complaint = Summary::default().complaint(None).unwrap();
        assert!(complaint.ends_with("makes no device"), "{complaint}");
    }

    #[test]
    fn troubles_are_told_once_and_counted() {
        let mut troubles = Troubles::default();
        assert!(troubles.add("B", 5, || "why".into()));
        assert!(!troubles.add("B", 6, || unreachable!("the first reason is kept")));
        assert!(troubles.add("A", 7, String::new));
        let list = troubles.into_list();
        assert_eq!(
            (&list[0].call[..], list[0].count, list[0].first),
            ("B", 2, 5)
        );
        assert_eq!((&list[1].call[..], list[1].count), ("A", 1));
    }

    #[test]
    fn frame_times_of_none_and_some() {
        assert_eq!(FrameTimes::of(&[]), FrameTimes::default());
        let times = [3, 1, 2].map(Duration::from_millis);
        let expected = FrameTimes {
            min: 1.0,
            median: 2.0,
            max: 3.0,
            total: 6.0,
        };
        assert_eq!(FrameTimes::of(&times), expected);
    }
}
