//! `segue convert`: a session as another harness's own.

mod place;

use std::io::Write;
use std::sync::Arc;

use camino::Utf8PathBuf;
use clap::builder::PossibleValuesParser;

use super::converted::{self, End, Report, tell_losses};
use super::folded::{self, LEAST_TOKENS};
use super::kept::Beside;
use super::session::var;
use super::source::{self, conversation, nothing_to_go_on_with, state, target};
use super::stored::{Stored, Whole};
use super::{Cli, SessionArgs, choose, out, tell};
use crate::convert::Converted;
use crate::discover::Chosen;
use crate::emit::{self, Output, install};
use crate::error::{Error, Result};
use crate::harness::{self, Harness, Target, Want, Writer};
use crate::jsonl::Texts;
use crate::model::{Blobs, Session};
use crate::note::Note;
use crate::plan::Plan;
use crate::select::fetch;

#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    /// The harness that is to resume it
    #[arg(long = "to", value_name = "HARNESS", value_parser = targets())]
    to: String,

    /// Put it where the harness looks for its sessions, and print the command that resumes it
    #[arg(long, conflicts_with = "out")]
    pub(super) install: bool,

    /// Where to write it; left out, standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<Utf8PathBuf>,

    /// Write no session: print where it would go and what it would hold
    #[arg(long)]
    dry_run: bool,

    /// The folder in which the session is to go on, in place of its own
    #[arg(long, value_name = "DIR", value_parser = super::folder)]
    pub(super) cwd: Option<Utf8PathBuf>,

    /// Carry all that was ever sent, as if nothing had been compacted
    #[arg(long, conflicts_with = "max_tokens")]
    pub(super) full_history: bool,

    /// Fold the oldest turns into a pack until what is sent fits so many tokens of the target
    #[arg(long, value_name = "N", value_parser = window, allow_negative_numbers = true)]
    pub(super) max_tokens: Option<usize>,

    /// Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`
    #[arg(long)]
    pub(super) redact: bool,

    /// Write what was lost, as JSON; `segue schema conversion` describes it
    #[arg(long, value_name = "FILE")]
    report: Option<Utf8PathBuf>,
}

fn examples() -> String {
    let names: Vec<_> = harness::ALL.iter().map(|harness| harness.name()).collect();
    let other = names.last().copied().unwrap_or_default();
    let one = names.get(1).copied().unwrap_or(other);
    format!(
        "Examples:
  segue convert --to {one} --install    the newest session, ready to resume
  segue convert --to {other} --dry-run   what would be written and lost"
    )
}

pub(super) fn targets() -> PossibleValuesParser {
    let with_writer = harness::ALL.iter().filter(|harness| harness.writer().is_some());
    PossibleValuesParser::new(with_writer.map(|harness| harness.name()))
}

impl Args {
    /// Tells whether the report goes to standard output.
    fn reports_on_stdout(&self) -> bool {
        self.report.as_deref().is_some_and(|path| path == "-")
    }
}

fn window(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count >= LEAST_TOKENS);
    count.ok_or_else(|| format!("it takes a whole number from {LEAST_TOKENS} on"))
}

/// A conversion on its way.
struct Work<'a> {
    args: &'a Args,
    cli: &'a Cli,
    to: &'static dyn Harness,
    writer: &'static dyn Writer,
    converted: Converted,
    target: Target,
    notes: Vec<Note>,
    /// Where the session was found.
    chosen: &'a Chosen,
    /// Where long texts of the session were left.
    texts: Option<Arc<Texts>>,
    /// How many side sessions are written.
    sides: usize,
}

/// Runs `segue convert`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let is_streamed = args.out.is_none() && !args.install && !args.dry_run;
    if args.report.is_some() && args.out == args.report || is_streamed && args.reports_on_stdout() {
        let what = "the session and --report would go to the same place";
        return Err(Error::usage(what, "--out FILE, or another name for the report"));
    }
    let chosen = choose(&args.session, cli)?;
    if args.session.session.is_none() && chosen.harness.name() == args.to {
        let already = format!("it is a session of {} already", chosen.harness.title());
        cli.say(&format!("hint: {already}; `segue list` shows those of other harnesses"));
    }
    // Where it cannot be written, nothing is.
    let source = chosen.input.path();
    let report = args.report.as_ref().map(|path| out::file(path, source)).transpose()?;
    let mut work = Work::begin(args, cli, &chosen)?;
    let written = match (args.install, args.dry_run) {
        (_, true) => work.dry_run()?,
        (true, false) => Some(work.install()?),
        (false, false) => work.write()?,
    };
    work.report(written.as_deref(), report)?;
    if cli.strict && work.converted.losses.any() {
        return Err(Error::Strict { notes: work.converted.losses.list().len() });
    }
    tell(&work.notes, cli)?;
    // The program ends here; to take a long session apart first costs 3 % of it.
    std::mem::forget(work);
    Ok(())
}

/// Reads a session for a conversion to `to`.
///
/// Returns what a pack looks at too, if it is known already that one will stand for what cannot be read.
fn stored(
    chosen: &Chosen,
    to: &dyn Harness,
    is_told: bool,
    cli: &Cli,
) -> Result<(Stored, Option<Session>)> {
    let mut stored = Stored::of(&chosen.input);
    // What only one provider can read goes back to it or nowhere.
    let native = chosen.harness.name() == to.name() || harness::is_form(chosen.harness);
    let places = stored.texts.is_some();
    let want = Want { blobs: Blobs::Carried, native, places, ..Want::default() };
    let progress = cli.progress("reading the session");
    let (harness, input) = (chosen.harness, &chosen.input);
    let (end, looked_at) = match is_told {
        true => Beside::read(harness, input, want, &mut stored)?,
        false => (harness.read(input, want, &mut stored)?, None),
    };
    stored.session.end = end;
    drop(progress);
    Ok((stored, looked_at))
}

impl<'a> Work<'a> {
    fn begin(args: &'a Args, cli: &'a Cli, chosen: &'a Chosen) -> Result<Self> {
        let named = harness::by_name(&args.to);
        let (to, writer) = named.and_then(|to| Some((to, to.writer()?))).ok_or_else(|| {
            Error::usage(format!("`{}` cannot be written", args.to), "`segue convert --help`")
        })?;
        let is_form = harness::is_form(chosen.harness);
        let is_told = is_form || chosen.harness.name() != to.name();
        let (Stored { session, texts, state: read, .. }, kept) = stored(chosen, to, is_told, cli)?;
        let notes = session.end.notes.clone();
        let target = target(args, to.name(), &state(chosen, read)?, &session)?;
        let same = session.header.harness == to.name();
        let kept = if is_told { folded::to_tell(&session, kept)? } else { None };
        let mut converted = conversation(session, &target, same, args.full_history);
        let hidden = folded::hidden(&converted);
        // What the provider can read itself says more than any summary; a form that can be read
        // back does not hold it.
        if !same || (is_form && !converted.has_native_summary()) {
            folded::in_place_of_unreadable(&mut converted, kept, chosen)?;
        }
        let header = &converted.conversation.header;
        texts.as_ref().map_or(Ok(()), |texts| texts.all_found())?;
        if !converted.conversation.has_words() {
            let missing = "no words of a human or a model would be sent";
            return Err(nothing_to_go_on_with(chosen, header, missing, Some(to.name())));
        }
        if let Some(main) = header.parent.as_ref().filter(|_| header.is_side) {
            cli.say(&format!(
                "segue: {}; here it goes on by itself",
                source::side_of(main, Some(to.name()))
            ));
        }
        // A stream, and a file of the user's own, have no place for other files.
        let has_place = args.install || (args.dry_run && args.out.is_none());
        if !has_place && !converted.conversation.sides.is_empty() {
            converted.leave_sides();
            cli.say("hint: --install writes side sessions too, if the target has a place for them");
        }
        if let Some(most) = args.max_tokens {
            folded::fit(&mut converted, chosen, hidden.as_deref(), (most, to), cli)?;
        }
        Ok(Self { args, cli, to, writer, converted, target, notes, chosen, texts, sides: 0 })
    }

    /// Writes the session to `out`.
    fn put(&mut self, out: &mut dyn Write, name: &str) -> Result<()> {
        let Converted { conversation, losses, .. } = &mut self.converted;
        let write = |out: &mut dyn Write| self.writer.write(conversation, &self.target, out);
        let whole = Whole { out, texts: self.texts.as_deref() };
        let written = converted::written(write, whole, self.args.redact, losses);
        // That a text is lost ends the writing too.
        self.all_found()?;
        written.map_err(|cause| Error::write(name, cause))
    }

    /// Fails if a text that was left in the session's file was not there any more.
    fn all_found(&self) -> Result<()> {
        self.texts.as_ref().map_or(Ok(()), |texts| texts.all_found())
    }

    fn write(&mut self) -> Result<Option<String>> {
        let mut out = match &self.args.out {
            Some(path) => out::file(path, self.chosen.input.path())?,
            None => Output::stdout(),
        };
        let name = out.name().to_string();
        self.put(&mut out, &name)?;
        out.finish()?;
        if self.args.out.is_some() && !self.args.redact {
            self.cli.say(
                "hint: the file holds what the session held, secrets too; --redact replaces them",
            );
        }
        if let Some(days) = self.writer.keeps_days().filter(|days| self.is_older(*days)) {
            self.cli.say(&format!(
                "hint: {} deletes sessions that ended more than {days} days ago; --install dates \
                 it today",
                self.to.title()
            ));
        }
        Ok(self.args.out.as_ref().map(|path| path.to_string()))
    }

    /// Tells whether the last of what is sent is older than `days`.
    fn is_older(&self, days: u32) -> bool {
        let last = self.converted.conversation.live.last();
        let last = last.and_then(|entry| entry.ts.parse::<jiff::Timestamp>().ok());
        let most = jiff::SignedDuration::from_hours(i64::from(days) * 24);
        last.is_some_and(|last| jiff::Timestamp::now().duration_since(last) > most)
    }

    fn plan(&self) -> Result<Plan> {
        let title = self.to.title();
        let home = self.to.home(&var).ok_or_else(|| {
            Error::usage(format!("the home of {title} is not known"), "--out FILE")
        })?;
        let home = install::real(&home);
        let place = self.writer.place(&home, &self.converted.conversation, &self.target)?;
        let beside = place.beside.into_iter().map(|(path, text)| (path, text.into_bytes()));
        Ok(Plan { home, file: place.file, beside: beside.collect() })
    }

    /// Finds out what would be lost, wherever the session would go.
    fn planned(&mut self) -> Result<Result<Plan>> {
        let plan = self.plan();
        let lost =
            self.writer.write(&self.converted.conversation, &self.target, &mut std::io::sink());
        self.converted.losses.add(lost.map_err(|cause| Error::write("-", cause))?);
        self.all_found()?;
        if let Ok(plan) = &plan {
            self.side_files(&plan.file)?;
        }
        Ok(plan)
    }

    /// Returns the command that resumes the session.
    fn command(&self) -> String {
        let cwd = fetch::quoted(&self.target.cwd);
        format!("cd {cwd} && {}", self.writer.resume(&self.target))
    }

    fn dry_run(&mut self) -> Result<Option<String>> {
        let plan = match self.args.install {
            true => Ok(self.tried()?),
            false => self.planned()?,
        };
        let there = match &self.args.out {
            Some(path) => path.exists(),
            None => plan.as_ref().is_ok_and(install::is_there),
        };
        let file = match (&self.args.out, &plan) {
            (Some(path), _) => path.to_string(),
            (None, Ok(plan)) => plan.file.to_string(),
            (None, Err(error)) => format!("nowhere: {error}"),
        };
        let conversation = &self.converted.conversation;
        let lost = self.converted.losses.items();
        let beside = (self.sides > 0).then(|| format!("beside    {} side sessions", self.sides));
        let mut lines = vec![
            format!("session   {} for {}", self.target.id, self.to.title()),
            format!("file      {file}{}", if there { " (is there already)" } else { "" }),
            format!("sent      {} entries", conversation.live.len()),
            format!("before    {} entries that a compaction replaced", conversation.older.len()),
            format!(
                "items     {} of {} carried",
                self.converted.items - lost,
                self.converted.items
            ),
            format!("resume    {}", self.command()),
        ];
        lines.splice(4..4, beside);
        self.show(&lines.join("\n"))?;
        Ok((self.args.out.is_some() || plan.is_ok()).then_some(file))
    }

    /// Prints what a person is to read, on standard error where the report is printed.
    fn show(&self, text: &str) -> Result<()> {
        if self.args.reports_on_stdout() {
            self.cli.say(text);
            return Ok(());
        }
        emit::print(format!("{}\n", emit::printable(text)).as_bytes())
    }

    /// Tells what was lost, on standard error and as a file.
    fn report(&self, file: Option<&str>, out: Option<Output>) -> Result<()> {
        tell_losses(&self.converted.losses, self.cli);
        let Some(mut out) = out else { return Ok(()) };
        let target = End {
            harness: self.to.name(),
            id: &self.target.id,
            cwd: Some(&self.target.cwd),
            items: None,
            side_sessions: Some(self.sides),
            file,
            resume: Some(self.command()),
        };
        let report = Report::of(&self.converted, target, &self.notes);
        let text = super::pretty(&report)?;
        out.write_all(text.as_bytes()).map_err(|cause| Error::write(out.name(), cause))?;
        out.finish()
    }
}
