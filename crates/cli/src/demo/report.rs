//! The demo's results as a page and as text.

use std::fmt::Write;

use super::Outcome;
use super::live::LiveFrame;
use super::panorama::Joins;
use super::{HEIGHT, WIDTH};
use crate::replay::{FrameTimes, Pipelines};

/// Smallest, median and largest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    match (values.first(), values.last()) {
        (Some(first), Some(last)) => [*first, values[values.len() / 2], *last],
        _ => [0.0; 3],
    }
}

fn built(pipelines: &Pipelines) -> String {
    let Pipelines {
        at_draws,
        at_draws_ms,
        by_workers,
        waits,
        ..
    } = pipelines;
    format!("{at_draws} in {at_draws_ms:.1} ms; {by_workers}; {waits}")
}

/// Rows of the statistics: a name, the live run's value, the replay's.
fn rows(outcome: &Outcome) -> Vec<[String; 3]> {
    let (live, replay) = (&outcome.live, &outcome.replay);
    let sum = |of: fn(&LiveFrame) -> u64| live.frames.iter().map(of).sum::<u64>();
    let cpu = spread(live.frames.iter().map(|frame| frame.cpu_ms).collect());
    let whole = spread(live.frames.iter().map(|frame| frame.total_ms).collect());
    let FrameTimes {
        min, median, max, ..
    } = replay.frame_ms;
    let three = |[a, b, c]: [f64; 3]| format!("{a:.2} / {b:.2} / {c:.2} ms");
    let none = String::new;
    let row = |name: &str, live: String, replay: String| [name.to_owned(), live, replay];
    vec![
        row(
            "frames",
            live.frames.len().to_string(),
            replay.frames.to_string(),
        ),
        row(
            "draw calls",
            sum(|frame| frame.draws).to_string(),
            replay.draws.to_string(),
        ),
        row(
            "pipelines built",
            sum(|frame| frame.pipelines).to_string(),
            replay.pipelines.to_string(),
        ),
        row(
            "built at draws; by workers; draws that waited",
            built(&live.pipeline_stats),
            built(&replay.pipeline_stats),
        ),
        row(
            "CPU time a frame: min / median / max",
            three(cpu),
            three([min, median, max]),
        ),
        row(
            "with the GPU and reading the picture back",
            three(whole),
            none(),
        ),
        row(
            "loading the scene",
            format!("{:.0} ms", live.loading_ms),
            none(),
        ),
        row(
            "capture",
            format!("{:.1} MB", live.capture_bytes as f64 / 1e6),
            format!("{} calls", replay.calls),
        ),
        row(
            "calls not known",
            none(),
            replay
                .unknown
                .iter()
                .map(|t| t.count)
                .sum::<u64>()
                .to_string(),
        ),
        row(
            "calls that failed",
            "0".into(),
            replay
                .failed
                .iter()
                .map(|t| t.count)
                .sum::<u64>()
                .to_string(),
        ),
    ]
}

/// One sentence on whether the replay drew what was drawn live.
fn verdict(outcome: &Outcome) -> String {
    let (frames, replayed) = (outcome.live.frames.len(), outcome.replay.frames);
    match &outcome.different[..] {
        [] if replayed == frames as u64 => {
            format!(
                "All {frames} frames of the replay are identical to the live ones, bit for bit."
            )
        }
        [] => format!("The replay presented {replayed} frames; {frames} were drawn live."),
        [first, ..] => format!(
            "{} of {frames} frames of the replay differ from the live ones; the first is frame {first}.",
            outcome.different.len()
        ),
    }
}

/// What goes to the terminal.
pub(super) fn text(outcome: &Outcome) -> String {
    let mut out = format!("adapter     {}\n", outcome.live.adapter);
    for [name, live, replay] in rows(outcome) {
        let _ = writeln!(out, "{name:<42} {live:>30} {replay:>30}");
    }
    let _ = writeln!(out, "{}", verdict(outcome));
    for trouble in outcome.replay.unknown.iter().chain(&outcome.replay.failed) {
        let _ = writeln!(
            out,
            "  {} x {} {}",
            trouble.count, trouble.call, trouble.why
        );
    }
    if let Some(joins) = &outcome.panorama {
        let _ = writeln!(out, "{}", joins.verdict());
    }
    out
}

/// The page.
pub(super) fn html(outcome: &Outcome) -> String {
    let live = &outcome.live;
    let mut page = String::new();
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>ninefold demo</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
        include_str!("report.css")
    );
    let _ = write!(
        page,
        "<h1>ninefold demo</h1>\n<p class=\"dim\">A Direct3D 9 program of our own, drawn on {} ({}), \
         {WIDTH} &times; {HEIGHT}.</p>\n",
        escaped(&live.adapter),
        escaped(&live.driver)
    );

    let mut pictures = live
        .frames
        .iter()
        .enumerate()
        .filter_map(|(i, f)| Some((i, f.picture.as_ref()?)));
    let all: Vec<_> = pictures.by_ref().collect();
    if let Some((_, hero)) = all.get(all.len() / 2) {
        let _ = writeln!(
            page,
            "<img src=\"{hero}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" alt=\"Balloons over a mountain lake\">"
        );
    }
    let bad = if outcome.went_well() { "" } else { " bad" };
    let _ = writeln!(
        page,
        "<p class=\"verdict{bad}\">{}</p>",
        escaped(&verdict(outcome))
    );

    page.push_str(
        "<h2>What is in it</h2>\n<p>Terrain in three fixed-function stages (ground, grain, a light map with the \
         sun&rsquo;s shadows); balloons under a <code>vs_1_1</code>/<code>ps_1_1</code> pair assembled from text; \
         a lake under a <code>vs_2_0</code>/<code>ps_2_0</code> pair that bends a picture of the mirrored scene, \
         which was drawn into a texture just before; alpha-tested trees; additive glows; linear fog; lines. \
         The device recorded every call as an apitrace capture (<code>demo.trace</code>), and \
         <code>ninefold replay</code> played it back.</p>\n",
    );

    page.push_str("<h2>Statistics</h2>\n<table>\n<thead><tr><th></th><th class=\"n\">drawn live</th><th class=\"n\">replayed</th></tr></thead>\n<tbody>\n");
    for [name, live, replay] in rows(outcome) {
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td class=\"n\">{live}</td><td class=\"n\">{replay}</td></tr>"
        );
    }
    page.push_str("</tbody>\n</table>\n");
    if !outcome.replay.unknown.is_empty() || !outcome.replay.failed.is_empty() {
        page.push_str("<h2>Calls that did not go as recorded</h2>\n<table>\n<tbody>\n");
        for trouble in outcome.replay.unknown.iter().chain(&outcome.replay.failed) {
            let _ = writeln!(
                page,
                "<tr><td><code>{}</code></td><td class=\"n\">{}</td><td>{}</td></tr>",
                escaped(&trouble.call),
                trouble.count,
                escaped(&trouble.why)
            );
        }
        page.push_str("</tbody>\n</table>\n");
    }

    page.push_str("<h2>Frame times</h2>\n");
    chart(&mut page, &live.frames);
    page.push_str(
        "<p class=\"dim\">Milliseconds of each live frame: <span style=\"color:var(--cool)\">until the GPU had \
         finished</span>, of which <span style=\"color:var(--warm)\">on the CPU</span>. Figures above bars count \
         the pipelines built in that frame. The scale is logarithmic.</p>\n",
    );

    if let Some(joins) = &outcome.panorama {
        panorama(&mut page, joins);
    }

    page.push_str("<h2>Pictures</h2>\n<div class=\"gallery\">\n");
    for (index, file) in &all {
        let _ = writeln!(
            page,
            "<figure><a href=\"{file}\"><img src=\"{file}\" loading=\"lazy\" alt=\"Frame {index}\"></a>\
             <figcaption>frame {index}</figcaption></figure>"
        );
    }
    page.push_str("</div>\n</main>\n</body>\n</html>\n");
    page
}

/// The panorama without and with radial fog, and what its joins showed.
fn panorama(page: &mut String, joins: &Joins) {
    let picture = &joins.picture;
    let bad = if joins.went_well() { "" } else { " bad" };
    let _ = write!(
        page,
        "<h2>Panorama</h2>\n<a href=\"{picture}\"><img src=\"{picture}\" alt=\"A landscape all around, \
         twice\"></a>\n<p class=\"dim\">One landscape seen from one place along six bearings around, up and \
         down, unwrapped: fog by depth along each view on the left, radial fog on the right. Hills under a \
         <code>vs_1_1</code> whose fog is rewritten, towers under the fixed function. A frame marks the \
         worst step.</p>\n<p class=\"verdict{bad}\">{}</p>\n<table>\n<thead><tr><th></th>\
         <th class=\"n\">radial fog off</th><th class=\"n\">on</th></tr></thead>\n<tbody>\n",
        escaped(&joins.verdict())
    );
    for (name, [off, on]) in joins.rows() {
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td class=\"n\">{off}</td><td class=\"n\">{on}</td></tr>"
        );
    }
    page.push_str(
        "</tbody>\n</table>\n<p class=\"dim\">Outlines of things are left out: there two pictures differ by \
         where their pixels lie.</p>\n",
    );
}

/// Bars for the frames, on a logarithmic scale: the first, which builds pipelines, may take a
/// hundred times longer than the rest.
fn chart(page: &mut String, frames: &[LiveFrame]) {
    const W: f64 = 960.0;
    const H: f64 = 240.0;
    const LEFT: f64 = 52.0;
    const TOP: f64 = 26.0;
    const BOTTOM: f64 = 28.0;
    let most = frames
        .iter()
        .map(|frame| frame.total_ms)
        .fold(1.0, f64::max);
    let least = frames
        .iter()
        .map(|frame| frame.cpu_ms)
        .fold(most, f64::min)
        .max(0.01);
    let (low, high) = (
        least.log10().floor(),
        most.log10().ceil().max(least.log10().floor() + 1.0),
    );
    let y = |ms: f64| {
        let share = (ms.max(least).log10() - low) / (high - low);
        H - BOTTOM - share * (H - BOTTOM - TOP)
    };
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 {W} {H}\" role=\"img\" aria-label=\"Milliseconds of each frame\">"
    );
    let mut decade = low;
    while decade <= high {
        let ms = 10f64.powf(decade);
        let _ = writeln!(
            page,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#2a3340\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{ms} ms</text>",
            W - 10.0,
            y(ms),
            LEFT - 6.0,
            y(ms) + 4.0
        );
        decade += 1.0;
    }
    let pitch = (W - LEFT - 12.0) / frames.len().max(1) as f64;
    let base = H - BOTTOM;
    for (index, frame) in frames.iter().enumerate() {
        let x = LEFT + pitch * (index as f64 + 0.12);
        for (ms, colour) in [(frame.total_ms, "#5aa7e0"), (frame.cpu_ms, "#e8a04c")] {
            let _ = write!(
                page,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
                y(ms),
                pitch * 0.76,
                (base - y(ms)).max(0.5)
            );
        }
        if frame.pipelines > 0 {
            let _ = write!(
                page,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x + pitch * 0.38,
                y(frame.total_ms) - 5.0,
                frame.pipelines
            );
        }
        if index % 10 == 0 {
            let _ = write!(
                page,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{index}</text>",
                x + pitch * 0.38,
                H - 9.0
            );
        }
        page.push('\n');
    }
    page.push_str("</svg>\n");
}

/// Text that is safe between tags and in attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::live::Live;
    use super::*;
    use crate::replay::Summary;

    fn outcome() -> Outcome {
        let frame = |total_ms, pipelines| LiveFrame {
            cpu_ms: total_ms / 2.0,
            total_ms,
            draws: 3,
            pipelines,
            picture: Some("frame000.png".into()),
            digest: 0,
        };
        Outcome {
            live: Live {
                adapter: "A <GPU> & more".into(),
                driver: "\"d\"".into(),
                frames: vec![frame(900.0, 9), frame(8.0, 0)],
                capture_bytes: 1_500_000,
                loading_ms: 12.0,
                pipeline_stats: Pipelines::default(),
            },
            replay: Summary {
                frames: 2,
                draws: 6,
                ..Summary::default()
            },
            different: vec![],
            panorama: None,
        }
    }

    #[test]
    fn names_are_escaped_and_numbers_are_there() {
        let page = html(&outcome());
        assert!(page.contains("A &lt;GPU&gt; &amp; more (&quot;d&quot;)"));
        assert!(page.contains("<td>draw calls</td><td class=\"n\">6</td><td class=\"n\">6</td>"));
        assert!(page.contains("All 2 frames of the replay are identical"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }

    #[test]
    fn a_difference_is_said() {
        let mut outcome = outcome();
        outcome.different = vec![1];
        assert!(html(&outcome).contains(
            "1 of 2 frames of the replay differ from the live ones; the first is frame 1."
        ));
        assert!(!outcome.went_well());
    }

    #[test]
    fn spreads_of_none_and_some() {
        assert_eq!(spread(vec![]), [0.0; 3]);
        assert_eq!(spread(vec![3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
    }
}
