//! 32-bit guest code: running routines of programs.

mod bench;
mod file;
mod number;
mod run;
mod verify;

use anyhow::Result;
use clap::Subcommand;

use crate::exit::Exit;

/// Run 32-bit routines of translated programs in an interpreter with a binary64 x87.
#[derive(Debug, clap::Args)]
pub(crate) struct GuestArgs {
    #[command(subcommand)]
    verb: GuestVerb,
}

#[derive(Debug, Subcommand)]
enum GuestVerb {
    Run(run::RunArgs),
    Verify(verify::VerifyArgs),
    Bench(bench::BenchArgs),
}

/// Runs `ninefold guest`.
pub(crate) fn run(args: &GuestArgs) -> Result<Exit> {
    match &args.verb {
        GuestVerb::Run(args) => run::run(args),
        GuestVerb::Verify(args) => verify::run(args),
        GuestVerb::Bench(args) => bench::run(args),
    }
}
