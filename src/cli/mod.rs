//! The command line: arguments in, calls out, messages back.

mod export;
mod pack;

use std::process::ExitCode;

use crate::emit;
use crate::error::Error;
use crate::error::Result;
use crate::note::Note;

/// Carry a coding agent's work into its next session
#[derive(Debug, clap::Parser)]
#[command(name = "segue", version, max_term_width = 98)]
pub struct Cli {
    /// Show every note, not only one line a kind
    #[arg(short, long, global = true)]
    verbose: bool,

    /// Fail with exit code 5 if anything had to be left out
    #[arg(long, global = true)]
    strict: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Export(export::Args),
    Pack(pack::Args),
}

/// Runs what `cli` asks for and returns the exit code.
///
/// A closed pipe is the reader's choice (`| head`), so it is not reported.
pub fn main(cli: &Cli) -> ExitCode {
    let done = match &cli.command {
        Command::Export(args) => export::run(args, cli),
        Command::Pack(args) => pack::run(args, cli),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    let code = error.exit_code();
    if code != 0 {
        emit::say(&format!("error: {error}"));
        if let Some(hint) = error.hint() {
            emit::say(&format!("hint: {hint}"));
        }
    }
    ExitCode::from(code)
}

/// Tells the notes on standard error, one line a kind; with `--strict` they are an error.
fn tell(notes: &[Note], cli: &Cli) -> Result<()> {
    for note in notes {
        emit::say(&format!("note: {note}"));
    }
    if cli.strict && !notes.is_empty() {
        return Err(Error::Strict { notes: notes.len() });
    }
    Ok(())
}
