//! The `ninefold` command: play Direct3D 9 captures, and read and write Direct3D 9 shaders,
//! without Windows. Every verb is a thin layer over the ninefold crates.
#![forbid(unsafe_code)]

mod convert;
mod demo;
mod exit;
mod guest;
mod manifest;
mod output;
mod pv;
mod replay;
mod settings;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use exit::Exit;

/// Play Direct3D 9 captures and inspect Direct3D 9 shaders without Windows.
///
/// Exit codes: 0 done, 1 the input was bad, 2 wrong usage, 3 no usable GPU or screen.
///
/// Environment: NINEFOLD_ADAPTER picks the GPU by part of its name; NINEFOLD_SHADER_PACK names a
/// pack of pixel shaders to use (NINEFOLD_SHADER_MODS=0: not); RUST_LOG=ninefold=debug tells all
/// that happens, on standard error.
#[derive(Parser)]
#[command(name = "ninefold", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Replay(replay::ReplayArgs),
    Demo(demo::DemoArgs),
    Disasm(convert::DisasmArgs),
    Asm(convert::AsmArgs),
    Check(convert::CheckArgs),
    Translate(convert::TranslateArgs),
    Pack(convert::PackArgs),
    Fog(convert::FogArgs),
    Pv(pv::PvArgs),
    Manifest(manifest::ManifestArgs),
    Guest(guest::GuestArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_logging();
    match run(cli.verb) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("ninefold: {}", exit::text_of(&error));
            exit::of_error(&error).into()
        }
    }
}

fn run(verb: Verb) -> anyhow::Result<Exit> {
    match verb {
        Verb::Replay(args) => replay::run(&args),
        Verb::Demo(args) => demo::run(&args),
        Verb::Disasm(args) => convert::disasm(&args),
        Verb::Asm(args) => convert::asm(&args),
        Verb::Check(args) => convert::check(&args),
        Verb::Translate(args) => convert::translate(&args),
        Verb::Pack(args) => convert::pack(&args),
        Verb::Fog(args) => convert::fog(&args),
        Verb::Pv(args) => pv::run(&args),
        Verb::Manifest(args) => manifest::run(&args),
        Verb::Guest(args) => guest::run(&args),
    }
}

/// Quiet unless `RUST_LOG` says otherwise: warnings of our own crates only, on standard error.
fn start_logging() {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("off,ninefold=warn"));
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(!plain && std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}
