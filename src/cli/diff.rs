//! `segue diff`: what is new, resolved and changed between two packs.

use camino::Utf8Path;
use serde_json::Value;

use super::guarded::GuardArgs;
use super::session::PlaceArgs;
use super::until::{self, Point};
use super::{Cli, SessionArgs, choose, pack};
use crate::emit;
use crate::error::{Error, Result};
use crate::jsonl::Input;
use crate::select::diff::{self, Diff, Entry};
use crate::select::fetch::quoted;

const EXAMPLE: &str = "\
Examples:
  segue diff monday.json tuesday.json          two packs of `pack --json`
  segue diff session.jsonl --from T-2          what became of it since T-2
  segue diff latest --from 2026-01-02 --to 2026-01-03 --json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The older pack as JSON, `-` for standard input; with --from or --to a session
    #[arg(value_name = "PACK|SESSION")]
    from_file: String,

    /// The newer pack as JSON
    #[arg(value_name = "PACK", conflicts_with_all = ["from", "to"])]
    to_file: Option<String>,

    /// The older point of the session: a turn (T-2), an item, a time, in UTC unless it names a zone, or
    /// a day, whose start is meant [default: its start]
    #[arg(long, value_name = "ID|TIME", value_parser = Point::read, allow_negative_numbers = true)]
    from: Option<Point>,

    /// The newer point; of a day its end is meant [default: its end]
    #[arg(long, value_name = "ID|TIME", value_parser = Point::read, allow_negative_numbers = true)]
    to: Option<Point>,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    guard: GuardArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs `segue diff`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    if args.to_file.is_none() && args.from.is_none() && args.to.is_none() {
        let what = format!("there is nothing to set `{}` against", args.from_file);
        return Err(Error::usage(
            what,
            "a second pack; with a session --from or --to, such as --from T-2",
        ));
    }
    if args.from_file == "-" && args.to_file.as_deref() == Some("-") {
        return Err(Error::usage("standard input can be read only once", "a file for one of both"));
    }
    let (from, to) = match &args.to_file {
        Some(to) => (read(&args.from_file)?, read(to)?),
        None => return points(args, cli),
    };
    show(args, &from, &to).map(drop)
}

/// Prints what became of `from` in `to`, and returns it.
fn show(args: &Args, from: &Value, to: &Value) -> Result<Diff> {
    let found = diff::diff(from, to);
    let text = if args.json { super::pretty(&found)? } else { told(&found) };
    emit::print(text.as_bytes())?;
    Ok(found)
}

/// Reads a pack from a file, or from standard input.
fn read(path: &str) -> Result<Value> {
    if path != "-" && !Utf8Path::new(path).exists() {
        let hint = "`segue pack --json` prints a pack; for a session add --from or --to";
        let (path, why) = (path.to_owned(), "is not there".to_owned());
        return Err(Error::NotASession { path, why, hint: Some(hint.to_owned()) });
    }
    let input = if path == "-" { Input::stdin()? } else { Input::file(Utf8Path::new(path))? };
    let bytes = input.all()?;
    let pack: Option<Value> = serde_json::from_slice(&bytes).ok();
    let is_pack =
        |pack: &Value| pack["schema"].as_str().is_some_and(|name| name.starts_with("segue-pack-"));
    pack.filter(is_pack).ok_or_else(|| Error::NotASession {
        path: path.to_owned(),
        why: "is no pack as JSON".to_owned(),
        hint: Some("`segue pack --json` prints one; for a session add --from or --to".to_owned()),
    })
}

/// Compares all that was found up to each of two points of a session.
fn points(args: &Args, cli: &Cli) -> Result<()> {
    let wanted = SessionArgs { session: Some(args.from_file.clone()), place: args.place.clone() };
    let chosen = choose(&wanted, cli)?;
    let point = args.from.as_ref().map(Point::at_start);
    let first = match &point {
        Some(point) => until::last_line(chosen.harness, &chosen.input.again()?, point)?,
        None => None,
    };
    let last = match &args.to {
        Some(point) => until::line_at(chosen.harness, &chosen.input.again()?, point)?,
        None => u64::MAX,
    };
    if first.is_some_and(|first| first > last) {
        return Err(Error::usage("--from is later than --to", "the older point first"));
    }
    // A secret has the same tag in both.
    let mut redactor = args.guard.redactor();
    let mut at = |line: u64| {
        let input = chosen.input.again()?.until_line(line)?;
        pack::whole(chosen.harness, &input, &args.guard, &mut redactor)
    };
    let from = first.map_or(Ok(Value::Null), |line| at(line).map(|(pack, _)| pack))?;
    // What was noted up to the older point is noted up to the newer one too.
    let (to, notes) = at(last)?;
    let found = show(args, &from, &to)?;
    if let Some(point) = point.filter(|_| !found.resolved.is_empty()) {
        let fetch = pack::fetch_by(Some(&args.from_file));
        let fetch = fetch.as_deref().or(from["fetch"].as_str()).unwrap_or_default();
        let until = quoted(&point.to_string());
        cli.say(&format!("segue: `{fetch} --until {until}` prints what is resolved"));
    }
    super::tell(&notes, cli)
}

/// Tells the difference in lines.
fn told(found: &Diff) -> String {
    if found.is_empty() {
        return "unchanged\n".to_owned();
    }
    let mut out = String::new();
    let parts = [
        ("new", &found.new),
        ("resolved", &found.resolved),
        (
            "not in the newer pack, which had no room for all, has no such list, or is of other work",
            &found.untold,
        ),
        ("changed", &found.changed),
    ];
    for (title, entries) in parts.into_iter().filter(|(_, entries)| !entries.is_empty()) {
        out.push_str(&format!("{title}:\n"));
        entries.iter().for_each(|entry| out.push_str(&line(entry)));
    }
    out
}

/// The most characters of a text that one line has.
const MOST_CHARS: usize = 160;

fn line(entry: &Entry) -> String {
    let text = crate::derive::clip(&emit::one_line(&entry.text), MOST_CHARS);
    let fields = match entry.list.as_str() {
        "now" => String::new(),
        _ if entry.fields.is_empty() => String::new(),
        _ => format!(" [{}]", entry.fields.join(", ")),
    };
    format!("  {} {}: {text}{fields}\n", entry.list, emit::one_line(&entry.id))
}
