//! The command line: arguments in, calls out, messages back.

mod check;
mod completions;
mod convert;
mod converted;
mod diff;
mod explained;
mod export;
mod export_all;
mod folded;
mod frame;
mod guarded;
mod hook;
mod kept;
mod lines;
mod list;
mod lookup;
mod man;
mod memory;
mod pack;
mod reality;
mod schema;
mod scope;
mod search;
mod session;
mod show;
mod shown;
mod source;
mod span;
mod status;
mod stored;
mod sync;
mod table;
mod templates;
mod until;

use std::collections::BTreeMap;
use std::process::ExitCode;

use crate::emit;
use crate::error::{Error, Result};
use crate::note::{Note, NoteKind};
use session::{SessionArgs, choose};

/// What stands under the list of commands.
const AFTER_HELP: &str = "\
SESSION is a file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`.
Left out, it is the newest session of this project. What was chosen is said on standard error.

Exit codes: 0 done; 1 nothing there, or not done; 2 wrong usage, or several sessions fit; 3 an input cannot be
read or is no session; 4 an output cannot be written; 5 --strict, and something was left out.";

/// The heading over the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Carry a coding agent's work into its next session
#[derive(Debug, clap::Parser)]
#[command(name = "segue", version, max_term_width = 98, after_help = AFTER_HELP)]
pub struct Cli {
    /// Show every note, not only one line a kind
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    verbose: bool,

    /// Say nothing on standard error but errors
    #[arg(short, long, global = true, help_heading = EVERYWHERE, conflicts_with = "verbose")]
    quiet: bool,

    /// Fail with exit code 5 if anything had to be left out
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    strict: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Pack(pack::Args),
    Sync(sync::Args),
    Show(show::Args),
    Status(status::Args),
    Frame(frame::Args),
    Search(search::Args),
    Span(span::Args),
    Diff(diff::Args),
    Export(export::Args),
    Convert(convert::Args),
    Check(check::Args),
    Memory(memory::Args),
    Templates(templates::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs what `cli` asks for and returns the exit code.
///
/// A closed pipe is the reader's choice (`| head`), so it is not reported.
pub fn main(cli: &Cli) -> ExitCode {
    let Err(error) = run(cli) else { return ExitCode::SUCCESS };
    let code = error.exit_code();
    if code != 0 {
        emit::say(&format!("error: {error}"));
        if let Some(hint) = error.hint() {
            emit::say(&format!("hint: {hint}"));
        }
    }
    ExitCode::from(code)
}

fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        Command::List(args) => list::run(args, cli),
        Command::Pack(args) => pack::run(args, cli),
        Command::Sync(args) => sync::run(args, cli),
        Command::Show(args) => show::run(args, cli),
        Command::Status(args) => status::run(args, cli),
        Command::Frame(args) => frame::run(args, cli),
        Command::Search(args) => search::run(args, cli),
        Command::Span(args) => span::run(args, cli),
        Command::Diff(args) => diff::run(args, cli),
        Command::Export(args) => export::run(args, cli),
        Command::Convert(args) => convert::run(args, cli),
        Command::Check(args) => check::run(args, cli),
        Command::Memory(args) => memory::run(args, cli),
        Command::Templates(args) => templates::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(_) => man::run(),
    }
}

impl Cli {
    fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Says something that is neither data nor an error.
    fn say(&self, line: &str) {
        if !self.quiet {
            emit::say(line);
        }
    }
}

/// Writes a value as JSON for people and programs, with a last line end.
fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text =
        serde_json::to_string_pretty(value).map_err(|cause| Error::write("-", cause.into()))?;
    Ok(text + "\n")
}

/// Tells the notes, one line a kind or all of them; with `--strict` they are an error.
fn tell(notes: &[Note], cli: &Cli) -> Result<()> {
    let lines = if cli.verbose { each(notes) } else { by_kind(notes) };
    lines.iter().for_each(|line| cli.say(&format!("note: {}", emit::one_line(line))));
    if cli.strict && !notes.is_empty() {
        return Err(Error::Strict { notes: notes.len() });
    }
    Ok(())
}

fn each(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn by_kind(notes: &[Note]) -> Vec<String> {
    let mut kinds: BTreeMap<NoteKind, Vec<&Note>> = BTreeMap::new();
    notes.iter().for_each(|note| kinds.entry(note.kind).or_default().push(note));
    kinds.into_values().map(|notes| together(&notes)).collect()
}

/// Tells all notes of one kind in one line.
fn together(notes: &[&Note]) -> String {
    if let [note] = notes {
        return note.to_string();
    }
    let count: u64 = notes.iter().map(|note| note.count).sum();
    let first = notes.iter().map(|note| note.first_line).min().unwrap_or(0);
    let names = notes.len();
    let words = notes.first().map_or("", |note| note.kind.words());
    format!("{words}: {count} of {names} names (first at line {first}; `-v` shows each)")
}
