//! `segue span`: lines of a file as it is now.

use camino::Utf8PathBuf;

use super::Cli;
use super::session::NamedSession;
use super::shown::{Shown, ShownArgs, printable};
use crate::derive::{Whole, whole_text};
use crate::error::{Error, Result};
use crate::worktree::lines::{self, Lines};

const EXAMPLE: &str = "\
Example:
  segue span src/import.rs 40..60";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The file, from the project's top folder or from here
    file: Utf8PathBuf,

    /// First and last line, counted from 1
    #[arg(value_name = "A..B", value_parser = range)]
    lines: (u64, u64),

    #[command(flatten)]
    session: NamedSession,

    #[command(flatten)]
    shown: ShownArgs,
}

/// Reads `40..60`, or `40` for a single line.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err("lines are given as `40..60`, counted from 1".to_owned()),
    }
}

/// Runs `segue span`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let (here, root) = args.session.folder()?;
    let (first, last) = args.lines;
    let found = lines::read(&root, &here, &args.file, first..=last)?;
    if found.lines.is_empty() {
        let what = format!("`{}` has {} lines", args.file, found.count);
        return Err(Error::Nothing { what });
    }
    let width = last.min(found.count).to_string().len();
    let numbered = found.lines.iter().zip(first..);
    let text: Vec<_> = numbered.map(|(line, number)| format!("{number:>width$}  {line}")).collect();
    Shown::new(&args.shown).print(&printable(&text.join("\n")), cli)?;
    if let Some(told) = since(args, cli, &found) {
        cli.say(&format!("segue: {} {told}", args.file));
    }
    Ok(())
}

/// Says how the file stands to what the session left.
///
/// What it holds outranks when it was written: a checkout writes a file without changing it.
fn since(args: &Args, cli: &Cli, found: &Lines) -> Option<String> {
    let Ok(session) = args.session.read(cli) else {
        return Some("was set against no session: none was found".to_owned());
    };
    let paths = [found.path.as_str(), found.inside.as_str()];
    match whole_text(&session, &paths, &found.text) {
        Whole::Same => return None,
        Whole::Other => return Some("is not as the session left it".to_owned()),
        Whole::NotKnown => {}
    }
    let ended: jiff::Timestamp = session.header.ended_at.as_deref()?.parse().ok()?;
    let written = jiff::Timestamp::try_from(found.written?).ok()?;
    let later = written.as_second() > ended.as_second();
    later.then(|| format!("was changed since the session's last item, at {written:.0}"))
}
