//! `segue completions`: what a shell needs to complete commands and options.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Cli;
use crate::emit;
use crate::error::Result;

const EXAMPLE: &str = "\
Example:
  segue completions bash > ~/.local/share/bash-completion/completions/segue";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

/// Runs `segue completions`.
pub(super) fn run(args: &Args) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "segue", &mut text);
    emit::print(&text)
}
