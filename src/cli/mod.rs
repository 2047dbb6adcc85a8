//! The command line: arguments in, calls out, messages back.

mod check;
mod command;
mod completions;
mod convert;
mod converted;
mod copies;
mod diff;
mod doctor;
mod explained;
mod export;
mod export_all;
mod fitted;
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
mod nearest;
mod out;
mod overtaken;
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
mod voted;

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use camino::Utf8PathBuf;

use crate::discover::Watch;
use crate::emit::{self, Progress};
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::harness;
use crate::note::{Note, NoteKind};
use command::Command;
use session::{SessionArgs, choose, choose_or_calling};

/// Says what stands under the list of commands; it is broken where the terminal ends.
fn after_help() -> String {
    let titles: Vec<_> = harness::ALL.iter().map(|harness| harness.title()).collect();
    format!(
        "\
A harness is the program that runs the agent and keeps its sessions: {}.

SESSION is a file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`. \
Left out, it is the newest session of this project with something to go on with. What was
chosen is said on standard error.

Exit codes: 0 done; 1 nothing there, or not done; 2 wrong usage, or several sessions fit; 3 an \
input cannot be read or is no session; 4 an output cannot be written; 5 --strict, and something \
was left out.

Examples:
  segue list                    what there is to go on with
  segue pack --demo             what a pack looks like
  segue pack --out PACK.md      a pack of this project's newest session",
        titles.join(", ")
    )
}

/// The heading over the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Carry a coding agent's work into its next session
#[derive(Debug, clap::Parser)]
#[command(name = "segue", version, max_term_width = 98, after_help = after_help())]
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

    /// How many files of sessions were looked at and could not be read.
    #[arg(skip)]
    unreadable: Cell<usize>,

    /// What a hook was told; standard input has it only once.
    #[arg(skip)]
    heard: OnceCell<Option<hook::Heard>>,
}

/// Runs what `cli` asks for and returns the exit code.
///
/// A closed pipe is the reader's choice (`| head`), so it is not reported.
pub fn main(cli: &Cli) -> ExitCode {
    let done = cli.command.run(cli).and_then(|()| cli.left_nothing_out());
    let Err(mut error) = done else { return ExitCode::SUCCESS };
    if cli.began_first(&error) {
        return ExitCode::SUCCESS;
    }
    // Titles are what somebody typed first.
    let mut redactor = Redactor::default();
    error.candidates_mut().iter_mut().for_each(|line| redactor.string(line));
    ExitCode::from(told(&error))
}

/// Tells an error, unless it is the reader's choice, and returns its exit code.
fn told(error: &Error) -> u8 {
    let code = error.exit_code();
    if code != 0 {
        emit::say(&format!("error: {error}"));
        if let Some(hint) = error.hint() {
            emit::say(&format!("hint: {hint}"));
        }
    }
    code
}

/// Ends the program with what was asked of the command line itself, such as help, or is wrong in it.
fn ended(answer: &clap::Error) -> ! {
    if answer.use_stderr() {
        answer.exit()
    }
    let printed = answer.print().and_then(|()| std::io::stdout().flush());
    let code = printed.map_or_else(|cause| told(&Error::write("-", cause)), |()| 0);
    std::process::exit(code.into())
}

impl Cli {
    /// Whether the pack that a starting harness asks for is missing since the project has no session yet: that is no
    /// fault that it should show. Whatever else is wrong is one.
    fn began_first(&self, error: &Error) -> bool {
        let heard = self.heard.get().and_then(Option::as_ref);
        let is_start = heard.is_some_and(|heard| heard.event.as_deref() == Some(hook::START));
        is_start
            && matches!(self.command, Command::Pack(_))
            && self.unreadable.get() == 0
            && error.is_of_empty_project()
    }

    /// Reads the arguments; ends the program where they ask for help or cannot be meant.
    pub fn from_arguments() -> Self {
        use clap::error::{ContextKind, ErrorKind};
        <Self as clap::Parser>::try_parse().unwrap_or_else(|mut error| {
            // It shows the very arguments that contradict each other as if they went together.
            if error.kind() == ErrorKind::ArgumentConflict {
                error.remove(ContextKind::Usage);
            }
            ended(&error)
        })
    }

    /// Begins work that the user may have to wait for; where somebody watches, it is shown.
    fn progress(&self, words: &'static str) -> Progress {
        let is_dumb = session::var("TERM").is_some_and(|term| term == "dumb");
        let is_watched = std::io::stderr().is_terminal();
        Progress::begin(words, is_watched && !is_dumb && !self.quiet)
    }

    /// Fails with `--strict` where the session that is meant may be in a file that cannot be read.
    fn left_nothing_out(&self) -> Result<()> {
        match self.strict && self.unreadable.get() > 0 {
            true => Err(Error::Strict { notes: 1 }),
            false => Ok(()),
        }
    }

    /// Says something that is neither data nor an error.
    fn say(&self, line: &str) {
        if !self.quiet {
            emit::say(line);
        }
    }
}

impl Watch for Progress {
    fn of(&self, total: usize) {
        Self::of(self, total);
    }

    fn step(&self) {
        Self::step(self);
    }
}

/// Reads a number that counts something.
fn number(text: &str) -> std::result::Result<usize, String> {
    text.parse().map_err(|_| "it takes a whole number such as 2000".to_owned())
}

/// Reads the name of a folder that is written into: an empty one, such as that of a variable that is not
/// set, is not the current directory.
fn folder(text: &str) -> std::result::Result<Utf8PathBuf, String> {
    match text.is_empty() {
        true => Err("it takes a folder; `.` is the current directory".to_owned()),
        false => Ok(text.into()),
    }
}

/// Writes a value as JSON for people and programs, with a last line end; what cannot be seen is
/// escaped.
fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text =
        serde_json::to_string_pretty(value).map_err(|cause| Error::write("-", cause.into()))?;
    Ok(format!("{}\n", emit::escaped_json(&text)))
}

/// Tells the notes, one line a kind or all of them; with `--strict` they are an error.
fn tell(notes: &[Note], cli: &Cli) -> Result<()> {
    tell_at(notes, &|_| String::new(), cli)
}

/// The same, where `place` says what stands behind a note, by its number from 0, if all are told.
fn tell_at(notes: &[Note], place: &dyn Fn(usize) -> String, cli: &Cli) -> Result<()> {
    let each = || notes.iter().enumerate().map(|(at, note)| format!("{note}{}", place(at)));
    let lines = if cli.verbose { each().collect() } else { by_kind(notes) };
    lines.iter().for_each(|line| cli.say(&format!("note: {}", emit::one_line(line))));
    if cli.strict && !notes.is_empty() {
        return Err(Error::Strict { notes: notes.len() });
    }
    Ok(())
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
    let first = notes.iter().map(|note| note.first_line).filter(|line| *line > 0).min();
    let first = first.map_or_else(String::new, |line| format!(", first at line {line}"));
    let names = notes.len();
    let words = notes.first().map_or("", |note| note.kind.words());
    format!("{words}: {count} ({names} names{first}; `-v` shows each)")
}
