//! `segue pack`: a session as a resume pack.

use std::io::Write as _;

use camino::{Utf8Path, Utf8PathBuf};

use super::fitted::{Form, packed};
use super::guarded::{self, GuardArgs};
use super::reality::{self, Written};
use super::scope::{self, Derived, ScopeArgs};
use super::session::{self, PlaceArgs};
use super::table::terminal_width;
use super::until::{self, Point};
use super::{Cli, SessionArgs, out, templates};
use super::{explained, kept};
use crate::derive;
use crate::discover::Selector;
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::harness::{self, Harness};
use crate::jsonl::Input;
use crate::model::Session;
use crate::note::Note;
use crate::render::{self, Template};
use crate::select::tokens::{self, Counter};
use crate::select::{Budget, Pack, Selection, Weights, fetch, hash};

const EXAMPLE: &str = "\
Examples:
  segue pack --demo                       of a session built into the program
  segue pack --budget 2000 --out PACK.md  this project's newest, into a file
  segue pack --known-hash 0c4f4a1be2d7    only `unchanged`, if it has this hash
  segue pack --since 2d                   what the last two days leave open
  segue pack --hint 'invoice parser'      the session that these words mean";

/// The session of `--demo`.
const DEMO: &[u8] = include_bytes!("../../fixtures/demo/session.jsonl");

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    #[command(flatten)]
    options: Options,

    /// Print only `unchanged`, and write no file, if the pack has this hash or one that begins so
    ///
    /// So it is with --explain, too: what is not told again is not explained.
    #[arg(long, value_name = "HASH", value_parser = known_hash)]
    known_hash: Option<String>,

    /// Print what the template gets, as JSON
    #[arg(long)]
    json: bool,

    /// Print why each thing is in the pack or not, in place of the pack
    #[arg(long)]
    explain: bool,

    /// Write to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    out: Option<Utf8PathBuf>,

    /// Use a session that is built into the program
    #[arg(long, conflicts_with_all = ["session", "harness", "project", "sessions", "since", "hint"])]
    demo: bool,
}

// How a pack is made, whatever becomes of it.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The most tokens that the pack may cost
    #[arg(long, value_name = "TOKENS", default_value_t = 4000, value_parser = super::number,
          allow_negative_numbers = true)]
    budget: usize,

    /// The most characters that the pack may have, one beyond U+FFFF (an emoji) counted as two
    ///
    /// That is the number of UTF-16 code units, by which hosts cut what a hook prints.
    #[arg(long, value_name = "N", value_parser = super::number, allow_negative_numbers = true)]
    max_chars: Option<usize>,

    /// Count tokens of this encoding or model
    #[arg(long, value_name = "NAME", default_value = tokens::DEFAULT)]
    count_as: String,

    /// Make it for this target: a token counts more where its models count more
    ///
    /// It says that the context file of the target comes before it. Where the target reads each
    /// file that stands behind `@`, the pack has `＠` there; one for nobody in particular has it where
    /// a path or a name such as `a.md` stands.
    ///
    /// `segue templates` lists the targets and how they count.
    #[arg(long = "for", value_name = "TARGET", default_value = templates::PLAIN,
          value_parser = templates::names(), conflicts_with = "count_as")]
    target: String,

    /// Render through this template, in place of the built-in one
    #[arg(long, value_name = "FILE")]
    template: Option<Utf8PathBuf>,

    /// The day from which ages count; of a time its day in UTC [default: today, UTC]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, allow_negative_numbers = true)]
    as_of: Option<jiff::civil::Date>,

    /// The session as it was at the end of a turn (T-2), at an item by its id, at a day or a time,
    /// such as 2026-01-31T15:04, in UTC unless it names a zone
    #[arg(long, value_name = "ID|TIME", value_parser = Point::read, allow_negative_numbers = true,
          conflicts_with_all = ["sessions", "since"])]
    pub(super) until: Option<Point>,

    /// Raise what is near these words of the next task
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    focus: Option<String>,

    /// Do not look at the files of the project, nor ask git, for what changed since the session
    #[arg(long)]
    no_check: bool,

    /// Add the memories of all harnesses that touch the work, with their age
    #[arg(long)]
    with_memory: bool,

    /// Weigh things as this JSON file says; what it leaves out keeps its weight (`segue schema weights`)
    #[arg(long, value_name = "FILE")]
    weights: Option<Utf8PathBuf>,

    #[command(flatten)]
    guard: GuardArgs,
}

/// A pack and what it was made of.
pub(super) struct Made {
    /// The pack.
    pub(super) pack: Pack,
    /// Its text.
    pub(super) text: String,
    /// The sessions, newest first, as far as derive looked at them.
    pub(super) sessions: Vec<Session>,
    /// Counts tokens as the user wants them counted.
    pub(super) counter: Counter,
}

impl Made {
    /// Returns what could not be read of the sessions.
    pub(super) fn notes(&self) -> Vec<Note> {
        self.sessions.iter().flat_map(|session| session.end.notes.clone()).collect()
    }
}

/// Runs `segue pack`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let mut found = found(args, cli)?;
    add_memories(&mut found, &args.options, &args.session.place, cli)?;
    let mut made = {
        let _progress = cli.progress("making the pack");
        let files = args.out.iter().cloned().collect();
        make(found, &args.options, &Written { files, commits: false })?
    };
    let notes = made.notes();
    let is_known =
        args.known_hash.as_ref().is_some_and(|known| made.pack.pack_hash.starts_with(known));
    // A file has the pack already that the user knows.
    let path = args.out.as_ref().filter(|_| !is_known);
    let sources = made.sessions.iter().map(|session| session.header.source.path.as_str().into());
    let path = path.map_or(Utf8Path::new("-"), |path| path);
    let mut out = out::file(path, sources)?;
    let explanation = made.pack.explanation.take();
    if args.explain && args.json {
        made.pack.explanation = explanation.clone();
    }
    let bytes = match (is_known, args.json) {
        (true, true) => unchanged(&made.pack),
        (true, false) => "unchanged\n".to_owned(),
        (false, false) if args.explain => {
            explained::told(explanation.as_ref(), terminal_width().filter(|_| args.out.is_none()))
        }
        (false, true) => super::pretty(&made.pack)?,
        (false, false) => made.text,
    };
    out.write_all(bytes.as_bytes()).map_err(|cause| Error::write(out.name(), cause))?;
    out.finish()?;
    guarded::say(&made.pack, cli);
    super::tell(&notes, cli)
}

/// Returns what is found in the sessions to pack.
fn found(args: &Args, cli: &Cli) -> Result<Derived> {
    let until = args.options.until.as_ref();
    if args.demo {
        let (harness, input) = demo()?;
        let found = scope::read(harness, input, until)?;
        return Ok(Derived { fetch: Some(fetch::DEMO.to_owned()), ..found });
    }
    scope::found(&args.session, &args.scope, until, cli)
}

/// Adds the memories that touch what was found, if that was asked for.
pub(super) fn add_memories(
    found: &mut Derived,
    options: &Options,
    place: &PlaceArgs,
    cli: &Cli,
) -> Result<()> {
    if options.with_memory {
        found.facts.add_memories(&super::memory::kept(place.project(), cli)?);
    }
    Ok(())
}

/// Makes a pack of what was found, for files that are `written` with it.
pub(super) fn make(found: Derived, options: &Options, written: &Written) -> Result<Made> {
    let counter = Counter::named(&options.count_as).ok_or_else(|| {
        let what =
            format!("`{}` is no encoding or model whose tokens can be counted", options.count_as);
        Error::usage(what, "o200k_base, cl100k_base, or a model such as gpt-4o")
    })?;
    let mut facts = found.facts;
    facts.leave_to_card();
    // Files of today say nothing of a past day.
    if !options.no_check && options.until.is_none() {
        reality::check(&found.sessions, &mut facts, written);
    }
    let counter = counter.scaled(templates::tokens_per_100(&options.target));
    let own = options.template.as_deref().map(templates::read).transpose()?;
    let template = match (&own, &options.template) {
        (Some(text), Some(path)) => Template::of_user(path.as_str(), text),
        _ => render::BUILT_IN,
    };
    let (fetch, until) = (found.fetch.as_deref(), options.until.as_ref());
    let form = Form { fetch, until, template, target: &options.target };
    let guarded = guarded::guard(&mut facts, &options.guard);
    let as_of = options.as_of.unwrap_or_else(today).to_string();
    let budget = Budget { tokens: options.budget, chars: options.max_chars };
    let weights = weights(options)?;
    let (pack, text) = packed(&facts, &guarded, &weights, &as_of, form, budget, &counter)?;
    Ok(Made { pack, text, sessions: found.sessions, counter })
}

/// Returns a pack of a session for a place inside another session: it names no day but the session's
/// last, and looks at no file.
pub(super) fn summary(session: &Session, tokens: usize, counter: &Counter) -> Result<String> {
    let mut facts = derive::derive(session);
    facts.leave_to_card();
    let guarded = guarded::guard(&mut facts, &GuardArgs::default());
    let last = session.items.iter().rev().find_map(|item| item.ts.as_deref()?.get(..10));
    let as_of = last.unwrap_or("1970-01-01").to_owned();
    let (template, target) = (render::BUILT_IN, templates::PLAIN);
    let form = Form { fetch: None, until: None, template, target };
    let budget = Budget { tokens, chars: None };
    let packed = packed(&facts, &guarded, &Weights::default(), &as_of, form, budget, counter)?;
    Ok(packed.1)
}

/// Returns all that was found in a session, as a pack without a budget, and what was noted;
/// `redactor` remembers the tags of secrets, if they are to be taken out.
pub(super) fn whole(
    harness: &'static dyn Harness,
    input: &Input,
    args: &GuardArgs,
    redactor: &mut Option<Redactor>,
) -> Result<(serde_json::Value, Vec<Note>)> {
    let session = kept::read(harness, input)?;
    let mut facts = derive::derive(&session);
    guarded::guard_with(&mut facts, args, redactor);
    let (weights, as_of) = (Weights::default(), today().to_string());
    let pack = Selection::new(&facts, &weights, &as_of, &str::len).pack(usize::MAX).sealed();
    let pack = serde_json::to_value(pack).map_err(|cause| Error::write("-", cause.into()))?;
    Ok((pack, session.end.notes))
}

/// Takes the beginning of a hash, as long as the opening tag of a pack has it or longer.
fn known_hash(text: &str) -> Result<String, String> {
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_hex && (hash::SHORT..=64).contains(&text.len()) {
        true => Ok(text.to_ascii_lowercase()),
        false => Err(format!("a hash has {} to 64 hexadecimal digits", hash::SHORT)),
    }
}

/// Reads a day; of a time that in UTC, in which all days are.
fn day(text: &str) -> Result<jiff::civil::Date, String> {
    if let Some(time) = until::time(text) {
        return Ok(time.to_zoned(jiff::tz::TimeZone::UTC).date());
    }
    text.parse().map_err(|_| "it takes a day such as 2026-01-31".to_owned())
}

/// Says as JSON that the pack is the one that the user knows.
fn unchanged(pack: &Pack) -> String {
    let said = serde_json::json!({ "unchanged": true, "pack_hash": pack.pack_hash });
    format!("{said}\n")
}

/// Reads the table of weights, if the user has one.
fn weights(options: &Options) -> Result<Weights> {
    let mut weights = match &options.weights {
        None => Weights::default(),
        Some(path) => {
            let text = own_file(path, "--weights")?;
            let is_object = text.trim_ascii_start().starts_with(b"{");
            let read = match serde_json::from_slice(&text) {
                Ok(_) if !is_object => Err("it is a list".to_owned()),
                read => read.map_err(|cause| cause.to_string()),
            };
            let read = read.and_then(|read: Weights| read.wrong().map_or(Ok(read), Err));
            read.map_err(|cause| {
                let why = format!("is no table of weights: {cause}");
                let hint = "an object such as {\"file\": [24, 18, 14, 10]}; `segue schema weights` has all";
                let hint = hint.to_owned();
                Error::NotASession { path: path.to_string(), why, hint: Some(hint) }
            })?
        }
    };
    weights.focus_on = options.focus.clone().unwrap_or_default();
    Ok(weights)
}

/// Reads a file of the user's that an option names; standard input may hold what a hook is told.
pub(super) fn own_file(path: &Utf8Path, option: &str) -> Result<Vec<u8>> {
    if path == "-" {
        let what = format!("{option} is not read from standard input");
        return Err(Error::usage(what, format!("{option} FILE")));
    }
    Input::file(path)?.all()
}

/// Returns the command that looks up ids, where the session is not found by its own id.
///
/// `word` is what the user typed for the session.
pub(super) fn fetch_by(word: Option<&str>) -> Option<String> {
    match Selector::read(word).1 {
        // Whoever types the command may stand anywhere.
        Selector::File(path) => Some(fetch::of(session::absolute(&path).unwrap_or(path).as_str())),
        Selector::Stdin => Some(fetch::of("-")),
        Selector::Newest | Selector::Id(_) => None,
    }
}

/// Returns the session that is built into the program.
pub(super) fn demo() -> Result<(&'static dyn Harness, Input)> {
    let input = Input::memory("the program itself", DEMO);
    Ok((harness::recognise(&input)?, input))
}

/// Today in UTC: the only clock that a pack knows.
fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
