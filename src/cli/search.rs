//! `segue search`: the items of a session that hold some words.

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
    shown.redact(&mut session);
    let query = found::Query::new(&args.words, args.whole_words);
    let hits = found::search(&session, &query, args.all_items);
    if hits.is_empty() {
        return Err(Error::Nothing { what: nothing(args) });
    }
    let most = if args.limit == 0 { hits.len() } else { args.limit };
    let lines: Vec<_> = hits.iter().take(most).map(line).collect();
    shown.print(&safe(&lines.join("\n")), cli)?;
    if hits.len() > most {
        cli.say(&format!("segue: {} of {} shown; --limit 0 shows all", most, hits.len()));
    }
    super::tell(&session.end.notes, cli)
}

fn line(hit: &Hit<'_>) -> String {
    format!("{} T-{} {}: {}", hit.item.id, hit.item.turn, hit.item.body.type_name(), hit.line)
}

fn nothing(args: &Args) -> String {
    let words: Vec<_> = args.words.iter().map(|word| format!("`{word}`")).collect();
    let more = if args.all_items { "" } else { "; --all-items looks further" };
    format!("no item holds {}{more}", words.join(" and "))
}
