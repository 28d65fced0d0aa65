//! `ninefold guest verify`: native routines against an executable's own.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context, Result};
use ninefold_guest::profile::Routine;
use ninefold_guest::trials::{self, Row};
use serde::Serialize;

use super::file;
use crate::convert::input;
use crate::exit::Exit;
use crate::output::{print, print_json};

/// Hold the native routines against those of an executable.
///
/// The executable is the retail PC build 1.0.10.0621 as it lies on the disk, not packed. Each
/// routine runs on random and adversarial inputs, once as the executable has it, once natively, and
/// all memory, registers, flags and x87 state are compared. Nothing of the file is stored.
///
/// Exit code 1: it is not that build, something differs, or some routine was not compared.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The executable; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    exe: PathBuf,
    /// Inputs for each routine.
    #[arg(long, value_name = "COUNT", default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(1..))]
    trials: u64,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

/// Runs `ninefold guest verify`.
pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    let bytes = file::read(&args.exe)?;
    let terminal = std::io::stderr().is_terminal();
    let rows = trials::verify(&bytes, args.trials, |routine: Routine| {
        if terminal {
            eprintln!("{}", routine.name());
        }
    })
    .with_context(|| input::name(&args.exe).to_string())?;
    if args.json {
        let shown: Vec<Shown> = rows.iter().map(Shown::of).collect();
        print_json(&shown)?;
    } else {
        print(table(&rows))?;
    }
    Ok(if rows.iter().all(Row::agrees) {
        Exit::Success
    } else {
        Exit::BadInput
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<10}{:<22}{:>9}{:>10}{:>8}{:>9}{:>11}\n",
        "address", "routine", "equal", "declined", "faults", "endless", "different"
    );
    for row in rows {
        let tally = &row.tally;
        text += &format!(
            "{:08X}  {:<22}{:>9}{:>10}{:>8}{:>9}{:>11}\n",
            row.routine.address(),
            row.routine.name(),
            tally.equal,
            tally.declined,
            tally.faults,
            tally.endless,
            tally.different
        );
    }
    for row in rows {
        if let Some((seed, differences)) = &row.first_difference {
            text += &format!("\n{}, input {seed}:\n", row.routine.name());
            for difference in differences {
                text += &format!("  {difference}\n");
            }
        }
    }
    for row in rows.iter().filter(|row| !row.agrees()) {
        let why = match (row.tally.different, row.tally.endless) {
            _ if row.other_calls => "this executable's calls other functions".to_owned(),
            (0, 0) => "no trial ended both ways".to_owned(),
            (0, endless) => format!("this executable's did not return in {endless} of the trials"),
            _ => continue,
        };
        text += &format!("\n{}: not compared, {why}\n", row.routine.name());
    }
    text += if rows.iter().all(Row::agrees) {
        "\nall agree\n"
    } else if rows.iter().all(|row| row.tally.different == 0) {
        "\nnot all were compared\n"
    } else {
        "\nsome differ: what is native is not what this executable does\n"
    };
    text
}

#[derive(Serialize)]
struct Shown<'a> {
    address: String,
    routine: &'static str,
    equal: u64,
    declined: u64,
    faults: u64,
    endless: u64,
    different: u64,
    agrees: bool,
    other_calls: bool,
    first_difference: Option<First<'a>>,
}

#[derive(Serialize)]
struct First<'a> {
    input: u64,
    what: &'a [String],
}

impl<'a> Shown<'a> {
    fn of(row: &'a Row) -> Self {
        Self {
            address: format!("{:08x}", row.routine.address()),
            routine: row.routine.name(),
            equal: row.tally.equal,
            declined: row.tally.declined,
            faults: row.tally.faults,
            endless: row.tally.endless,
            different: row.tally.different,
            agrees: row.agrees(),
            other_calls: row.other_calls,
            first_difference: row.first_difference.as_ref().map(|(input, what)| First {
                input: *input,
                what,
            }),
        }
    }
}
