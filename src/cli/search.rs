//! `segue search`: the items of a session that hold some words.

use std::collections::HashSet;

use super::Cli;
use super::session::NamedSession;
use super::shown::{Shown, ShownArgs, safe};
use crate::derive::found::{self, Hit};
use crate::error::{Error, Result};

const EXAMPLE: &str = "\
Examples:
  segue search --demo minus sign            items that hold both words
  segue search \"left == right\" --limit 3    the last three, word for word";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// What to look for; words in quotes are looked for as they stand
    #[arg(required = true)]
    words: Vec<String>,

    #[command(flatten)]
    session: NamedSession,

    /// Only whole words: `art` is not in `start`
    #[arg(long)]
    whole_words: bool,

    /// Search what does not count, too: reasoning, side sessions, branches that were left
    #[arg(long)]
    all_items: bool,

    /// Show at most this many, 0 for all
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = super::number,
          allow_negative_numbers = true)]
    limit: usize,

    #[command(flatten)]
    shown: ShownArgs,
}

/// Runs `segue search`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    if args.words.iter().all(|word| word.trim().is_empty()) {
        return Err(Error::usage(
            "there is no word to look for",
            "words of an item, such as a name",
        ));
    }
    let mut session = args.session.read(cli)?;
    let mut shown = Shown::new(&args.shown);
    let query = found::Query::new(&args.words, args.whole_words);
    // Who looks for a key wants to know where it stands.
    let in_clear =
        shown.redacts().then(|| places(&found::search(&session, &query, args.all_items)));
    shown.redact(&mut session);
    let hits = found::search(&session, &query, args.all_items);
    let seen: HashSet<_> = hits.iter().map(place).collect();
    let hidden = in_clear.into_iter().flatten().filter(|place| !seen.contains(place));
    let hidden =
        hidden.map(|place| format!("{place}: in what is redacted; `--no-redact` shows it"));
    let lines: Vec<_> = hits.iter().map(line).chain(hidden).collect();
    if lines.is_empty() {
        return Err(Error::Nothing { what: nothing(args) });
    }
    let most = if args.limit == 0 { lines.len() } else { args.limit };
    shown.print(&safe(&lines[..most.min(lines.len())].join("\n")), cli)?;
    if lines.len() > most {
        cli.say(&format!("segue: {} of {} shown; --limit 0 shows all", most, lines.len()));
    }
    super::tell(&session.end.notes, cli)
}

fn places(hits: &[Hit<'_>]) -> Vec<String> {
    hits.iter().map(place).collect()
}

/// Tells which item it is, and in which turn.
fn place(hit: &Hit<'_>) -> String {
    format!("{} T-{} {}", hit.item.id, hit.item.turn, hit.item.body.type_name())
}

fn line(hit: &Hit<'_>) -> String {
    format!("{}: {}", place(hit), hit.line)
}

fn nothing(args: &Args) -> String {
    let words: Vec<_> = args.words.iter().map(|word| format!("`{word}`")).collect();
    let more = if args.all_items { "" } else { "; --all-items looks further" };
    format!("no item holds {}{more}", words.join(" and "))
}
