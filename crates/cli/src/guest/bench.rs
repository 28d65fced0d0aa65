//! `ninefold guest bench`: how fast the native routines are.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use ninefold_guest::trials::speed::{Case, Panorama, Speed};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{print, print_json};

/// Measure the native routines against the interpreter.
///
/// Both run routines of ninefold's own at the engine's addresses on a generated level.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Milliseconds to spend on each side of each routine.
    #[arg(long, value_name = "MS", default_value_t = 200,
        value_parser = clap::value_parser!(u64).range(1..=60_000))]
    time: u64,
    /// Surfaces of the level that nine views a frame are measured on; 0: leave that out.
    #[arg(long, value_name = "COUNT", default_value_t = 100_000,
        value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    surfaces: u32,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    what: String,
    size: String,
    native_ns: f64,
    interpreted_ns: f64,
    ratio: f64,
}

/// Runs `ninefold guest bench`.
pub(crate) fn run(args: &BenchArgs) -> Result<Exit> {
    let budget = Duration::from_millis(args.time);
    let mut speed = Speed::new().context("the level")?;
    let mut rows = Vec::new();
    for case in speed.cases.clone() {
        let native = measure(&mut speed, &case, true, budget)?;
        let interpreted = measure(&mut speed, &case, false, budget)?;
        rows.push(Row::new(
            case.routine.name(),
            case.size,
            native,
            interpreted,
        ));
    }
    if args.surfaces != 0 {
        let mut panorama = Panorama::new(args.surfaces).context("the level")?;
        panorama.frame(true)?;
        let (native, marked) = panorama.frame(true)?;
        let (interpreted, same) = panorama.frame(false)?;
        ensure!(
            marked == same,
            "{marked} surfaces are marked natively, {same} interpreted"
        );
        rows.push(Row::new(
            "nine views",
            format!("{} surfaces, {marked} marks", args.surfaces),
            native.as_nanos() as f64,
            interpreted.as_nanos() as f64,
        ));
    }
    if args.json {
        print_json(&rows)?;
    } else {
        print(table(&rows))?;
    }
    Ok(Exit::Success)
}

/// Nanoseconds a call: the best of several rounds.
fn measure(speed: &mut Speed, case: &Case, native: bool, budget: Duration) -> Result<f64> {
    let mut times = 1;
    let start = Instant::now();
    let mut best = f64::INFINITY;
    while start.elapsed() < budget {
        let took = speed.run(case, native, times)?;
        best = best.min(took.as_nanos() as f64 / f64::from(times));
        if took < budget / 16 {
            times = times.saturating_mul(2);
        }
    }
    Ok(best)
}

impl Row {
    fn new(what: &str, size: String, native_ns: f64, interpreted_ns: f64) -> Self {
        Self {
            what: what.to_owned(),
            size,
            native_ns,
            interpreted_ns,
            ratio: interpreted_ns / native_ns,
        }
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<22}{:<30}{:>14}{:>16}{:>9}\n",
        "routine", "", "native ns", "interpreted ns", "ratio"
    );
    for row in rows {
        text += &format!(
            "{:<22}{:<30}{:>14.1}{:>16.1}{:>8.1}x\n",
            row.what, row.size, row.native_ns, row.interpreted_ns, row.ratio
        );
    }
    text
}
