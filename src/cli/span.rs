//! `segue span`: lines of a file as it is now.

use camino::{Utf8Path, Utf8PathBuf};

use super::Cli;
use super::session::{self, NamedSession};
use super::shown::{Shown, ShownArgs, printable};
use crate::block::mentioned;
use crate::derive::Wholes;
use crate::error::{Error, Result};
use crate::model::Session;
use crate::select::fetch::quoted;
use crate::worktree::lines::{self, Lines};

const EXAMPLE: &str = "\
Example:
  segue span src/import.rs 40..60";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The file, from the project's top folder or from here
    #[arg(value_name = "FILE", value_parser = named)]
    file: Utf8PathBuf,

    /// First and last line, counted from 1
    #[arg(value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    lines: (u64, u64),

    #[command(flatten)]
    session: NamedSession,

    #[command(flatten)]
    shown: ShownArgs,
}

/// Reads the name of a file as it is, or as a pack tells it.
fn named(text: &str) -> Result<Utf8PathBuf, std::convert::Infallible> {
    let is_there = Utf8Path::new(text).exists();
    Ok(if is_there { text.into() } else { mentioned(text).into() })
}

/// Reads `40..60`, or `40` for a single line.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err("lines are given as `40..60`, or `40` for one, counted from 1".to_owned()),
    }
}

/// Runs `segue span`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    // A session that the user named must be there.
    let session = match args.session.read(cli) {
        Err(error) if args.session.is_named() => return Err(error),
        session => session.ok(),
    };
    let (folder, root) = args.session.folder()?;
    let (first, last) = args.lines;
    // The project may be another one than that around here.
    let places: Vec<_> = [folder].into_iter().chain(session::current_dir().ok()).collect();
    let found = lines::read(&root, &places, &args.file, first..=last);
    let found = found.map_err(|error| in_its_project(error, args, session.as_ref()))?;
    if found.count < first {
        let lines = if found.count == 1 { "line" } else { "lines" };
        let what = match found.count {
            0 => format!("`{}` is empty", args.file),
            count => format!("`{}` has only {count} {lines}", args.file),
        };
        return Err(Error::Nothing { what });
    }
    let width = last.min(found.count).to_string().len();
    let mut shown = Shown::new(&args.shown);
    let lines = numbered(&found, first, &mut shown).into_iter();
    let text: Vec<_> = lines.map(|(number, line)| format!("{number:>width$}  {line}")).collect();
    shown.print(&printable(&text.join("\n")), cli)?;
    if let Some(told) = since(session.as_ref(), &found) {
        cli.say(&format!("segue: {} {told}", args.file));
    }
    Ok(())
}

/// Names the project of the session where a file is not there in the one around here.
fn in_its_project(error: Error, args: &Args, session: Option<&Session>) -> Error {
    let Error::NotASession { path, why, hint } = error else { return error };
    let cwd = session
        .filter(|_| args.session.is_named())
        .and_then(|session| session.header.cwd.as_deref());
    let has_it = |cwd: &&str| Utf8Path::new(cwd).join(&args.file).is_file();
    let other = cwd.filter(has_it).map(|cwd| {
        let cwd = quoted(cwd);
        format!("it is in the session's project: --project {cwd}")
    });
    Error::NotASession { path, why, hint: other.or(hint) }
}

/// How many bytes before and behind the lines are looked at for a secret that they are a part of.
const AROUND_BYTES: usize = 64 << 10;

/// Returns the lines that are shown, with their numbers.
///
/// Secrets are looked for in the text around them, since a row of a private key alone looks like none.
/// The lines of one secret are one, with the number of the first of them that is shown.
fn numbered(found: &Lines, first: u64, shown: &mut Shown) -> Vec<(u64, String)> {
    let Lines { text, wanted, .. } = found;
    let from = text.floor_char_boundary(wanted.start.saturating_sub(AROUND_BYTES));
    let until = text.ceil_char_boundary(text.len().min(wanted.end + AROUND_BYTES));
    let mut lines = Numbered { lines: vec![(first, String::new())], number: first };
    let mut at = wanted.start;
    for (place, tag) in shown.secrets(&text[from..until]) {
        let start = (from + place.start).max(at);
        let end = (from + place.end).min(wanted.end);
        if start < end {
            lines.push(&text[at..start]);
            lines.push_secret(&tag, &text[start..end]);
            at = end;
        }
    }
    lines.push(&text[at..wanted.end]);
    lines.lines
}

/// Lines as they become, and the number of the line in the file where the last one has come to.
struct Numbered {
    lines: Vec<(u64, String)>,
    number: u64,
}

impl Numbered {
    fn push(&mut self, text: &str) {
        for (nth, piece) in text.split('\n').enumerate() {
            if nth > 0 {
                self.number += 1;
                self.lines.push((self.number, String::new()));
            }
            // A line may end in two characters.
            let piece = piece.strip_suffix('\r').unwrap_or(piece);
            if let Some((_, line)) = self.lines.last_mut() {
                line.push_str(piece);
            }
        }
    }

    fn push_secret(&mut self, tag: &str, secret: &str) {
        self.number += secret.matches('\n').map(|_| 1).sum::<u64>();
        if let Some((_, line)) = self.lines.last_mut() {
            line.push_str(tag);
        }
    }
}

/// Says how the file stands to what the session left.
///
/// What it holds outranks when it was written: a checkout writes a file without changing it.
fn since(session: Option<&Session>, found: &Lines) -> Option<String> {
    let Some(session) = session else {
        return Some("was set against no session: none was found".to_owned());
    };
    let paths = [found.path.as_str(), found.inside.as_str()];
    let stamp =
        |stamp: Option<&str>| stamp?.parse::<jiff::Timestamp>().ok().map(|at| at.as_second());
    let ended = stamp(session.header.ended_at.as_deref());
    let written = found.written.and_then(|written| jiff::Timestamp::try_from(written).ok());
    let at = written.map(|written| written.as_second());
    if let Some(left) = Wholes::new(session).of(&paths) {
        // A command of the session can have put it in order.
        let is_own = at.is_some() && at >= stamp(left.at) && at <= ended;
        let is_same = left.is(&found.text) || is_own && left.at.is_some();
        return (!is_same).then(|| "is not as the session left it".to_owned());
    }
    let (written, later) = (written?, at? > ended?);
    later.then(|| format!("was changed since the session's last item, at {written:.0}"))
}
