//! `segue export`: a session in the unified form.

use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;

use super::{Cli, SessionArgs, choose, guarded, tell};
use crate::discover::Chosen;
use crate::emit::{self, Output};
use crate::error::{Error, Result};
use crate::export::{Atif, Document, Image, Images, Ndjson, Recorder, Trajectory};
use crate::guard::{Redacted, Redactor};
use crate::harness::{self, Sink, Want};
use crate::model::{Header, Item, Session};
use crate::note::Note;

const EXAMPLE: &str = "\
Example:
  segue export --view live | jq -r 'select(.type == \"tool_call\") | .name' | sort | uniq -c
  segue export latest --to atif --out run.json";

/// Print a session in one schema, whatever harness wrote it
///
/// NDJSON, one record a line: `session` first, each item in the order of the file, `end` last with
/// what became of every line. `segue schema session` describes the records.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    /// What to show of a session that was compacted, branched or rolled back
    #[arg(long, value_enum, default_value_t = View::Full)]
    view: View,

    /// The form of the output
    #[arg(long = "to", value_enum, value_name = "FORM", default_value_t = Form::Ndjson)]
    form: Form,

    /// Add a `line` record for each line of the source, enough to rebuild it byte for byte
    #[arg(long)]
    raw: bool,

    /// Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`
    ///
    /// Everywhere: in texts, arguments, outputs and raw lines. The same secret has the same tag.
    #[arg(long)]
    redact: bool,

    /// Write to FILE, which appears whole or not at all; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    out: Utf8PathBuf,

    /// The schema version that `--to atif` names
    #[arg(long, value_name = "VERSION", default_value = "1.7", value_parser = ["1.7", "1.8"])]
    atif_version: String,

    /// Keep images and other bytes, in base64, not only their digests
    #[arg(long)]
    blobs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// What the harness would send to its model on resume
    Live,
    /// Everything; what is not live says why
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One record a line, written as it is read
    Ndjson,
    /// One document: session, messages, compactions by the index of their message
    Json,
    /// The flat list of the trajectory schema, version 1: what was said, asked and answered
    Trajectory,
    /// One ATIF document: steps, side sessions inside, images in files beside `--out`
    Atif,
}

struct Stream(Ndjson<Lines>);

impl Sink for Stream {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.0.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        self.0.item(item)
    }

    fn settled(&mut self, rank: u32) -> Result<()> {
        self.0.settled(rank)
    }

    fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> Result<()> {
        self.0.raw_line(line, bytes, ended)
    }
}

/// Runs `segue export`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    if args.raw && args.form != Form::Ndjson {
        return Err(Error::usage("`--raw` needs lines to write to", "`--to ndjson`"));
    }
    let chosen = choose(&args.session, cli)?;
    let (notes, lines) = match args.form {
        Form::Ndjson => stream(&chosen, args)?,
        Form::Json | Form::Trajectory | Form::Atif => document(&chosen, args)?,
    };
    if let Some(line) = lines.finish()?.and_then(|counts| guarded::redacted(&counts)) {
        cli.say(&line);
    }
    tell(&notes, cli)
}

impl Args {
    fn want(&self) -> Want {
        let live_only = self.view == View::Live;
        // Images that are to be files are bytes first.
        let blobs = self.blobs || (self.form == Form::Atif && self.out != "-");
        Want { actions: false, blobs, raw_lines: self.raw, live_only }
    }

    /// Returns where the images of a document are to be.
    fn images(&self) -> Images {
        match self.out.file_stem() {
            Some(stem) if self.out != "-" => Images::Beside(format!("{stem}.images")),
            _ if self.blobs => Images::Inside,
            _ => Images::Marked,
        }
    }
}

fn stream(chosen: &Chosen, args: &Args) -> Result<(Vec<Note>, Lines)> {
    let want = args.want();
    let mut sink = Stream(Ndjson::new(Lines::new(args)?, want.live_only));
    let end = chosen.harness.read(&chosen.input, want, &mut sink)?;
    let lines = sink.0.end(&end)?;
    Ok((end.notes, lines))
}

/// Writes a session as one document; returns what reading and the form left out.
fn document(chosen: &Chosen, args: &Args) -> Result<(Vec<Note>, Lines)> {
    let want = args.want();
    let mut session = Session::default();
    session.end = chosen.harness.read(&chosen.input, want, &mut session)?;
    if want.live_only {
        session.keep_live();
    }
    let mut out = Lines::new(args)?;
    let lost = match args.form {
        Form::Trajectory => {
            let trajectory = Trajectory::new(&session, recorder(&session.header));
            out.document(&trajectory)?;
            trajectory.notes()
        }
        Form::Atif => {
            let recorder = recorder(&session.header);
            let atif = Atif::new(&session, recorder, &args.atif_version, args.images());
            put_beside(&args.out, &args.images(), &atif.images)?;
            out.document(&atif.root)?;
            atif.notes()
        }
        Form::Ndjson | Form::Json => {
            out.document(&Document::new(&session))?;
            Vec::new()
        }
    };
    let mut notes = session.end.notes;
    notes.extend(lost);
    Ok((notes, out))
}

/// Writes images into their folder beside `out`; one that is there has the same name and bytes.
fn put_beside(out: &Utf8Path, place: &Images, images: &[Image]) -> Result<()> {
    let Images::Beside(name) = place else { return Ok(()) };
    let folder = out.parent().unwrap_or(Utf8Path::new("")).join(name);
    for image in images {
        emit::file_in(&folder, &image.name, &image.bytes)?;
    }
    Ok(())
}

/// Returns what other forms say of the harness that recorded a session.
fn recorder(header: &Header) -> Recorder<'_> {
    let known = harness::by_name(&header.harness);
    Recorder {
        name: known.map_or(&header.harness, |harness| harness.known_as()),
        says_success: known.is_some_and(|harness| harness.says_success()),
    }
}

/// Where lines of JSON go; with a redactor each is looked at as a whole.
///
/// A line stays valid JSON: rules match inside of strings, and never end within an escape.
struct Lines {
    out: Output,
    redactor: Option<Redactor>,
    line: Vec<u8>,
}

impl Lines {
    fn new(args: &Args) -> Result<Self> {
        let redactor = args.redact.then(Redactor::default);
        Ok(Self { out: Output::file(&args.out)?, redactor, line: Vec::new() })
    }

    /// Writes one value on a line.
    fn document(&mut self, value: &impl serde::Serialize) -> Result<()> {
        let path = self.out.name();
        let fail = |cause| Error::write(path.clone(), cause);
        serde_json::to_writer(&mut *self, value).map_err(|cause| fail(cause.into()))?;
        self.write_all(b"\n").map_err(fail)
    }

    /// Ends the output and returns what was redacted, if that was asked for.
    fn finish(self) -> Result<Option<Vec<Redacted>>> {
        self.out.finish()?;
        Ok(self.redactor.map(|redactor| redactor.counts()))
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(redactor) = &mut self.redactor else { return self.out.write(bytes) };
        self.line.extend_from_slice(bytes);
        // In JSON a line feed only stands between records.
        if bytes.ends_with(b"\n") {
            let line = String::from_utf8_lossy(&self.line);
            self.out.write_all(redactor.text(&line).as_bytes())?;
            self.line.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
