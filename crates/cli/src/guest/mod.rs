//! 32-bit guest code: running routines of programs.

mod number;
mod run;

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
}

/// Runs `ninefold guest`.
pub(crate) fn run(args: &GuestArgs) -> Result<Exit> {
    match &args.verb {
        GuestVerb::Run(args) => run::run(args),
    }
}
