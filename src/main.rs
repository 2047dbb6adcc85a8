//! Turns the arguments into a run of the program, and its outcome into an exit code.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    segue::cli::main(&segue::cli::Cli::parse())
}
