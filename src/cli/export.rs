//! `segue export`: a session in the unified form.

use std::io::{IsTerminal as _, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;

use super::session::PlaceArgs;
use super::{Cli, SessionArgs, choose, export_all, guarded, lines, out, tell};
use crate::emit::{self, Output};
use crate::error::{Error, Result};
use crate::export::{Atif, Document, Image, Images, Ndjson, Recorder, Trajectory, markdown};
use crate::guard::Redacted;
use crate::harness::{self, Harness, Sink, Want};
use crate::jsonl::Input;
use crate::model::{Blobs, Header, Item, Session};
use crate::note::Note;

const EXAMPLE: &str = "\
Examples:
  segue export | jq -r 'select(.type == \"tool_call\").name' | sort | uniq -c
  segue export latest --to atif --out run.json
  segue export --all --to markdown --out-dir transcripts";

#[derive(Clone, Debug, clap::Args)]
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
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    out: Utf8PathBuf,

    /// Export every session of all projects, or of the one that `--project` names, into `--out-dir`
    #[arg(long, requires = "out_dir", conflicts_with_all = ["session", "out"])]
    all: bool,

    /// The folder for `--all`; a file there that is up to date, by content, is left alone
    #[arg(long, value_name = "DIR", value_parser = super::folder)]
    out_dir: Option<Utf8PathBuf>,

    /// The schema version that `--to atif` names [default: 1.7]
    #[arg(long, value_name = "VERSION", value_parser = ["1.7", "1.8"])]
    atif_version: Option<String>,

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
    /// A transcript for people: calls folded into a line, what is live and what is not told apart
    Markdown,
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
    args.fit()?;
    if let Some(dir) = &args.out_dir {
        // Without this, one session and a folder would be taken for all sessions.
        return match args.all {
            true => export_all::run(args, dir, cli),
            false => Err(Error::usage(
                "`--out-dir` is for `--all`; one session goes to one file",
                "`--out FILE`, or `--all` without a session",
            )),
        };
    }
    let chosen = choose(&args.session, cli)?;
    // What goes to the terminal itself is seen to go on.
    let is_seen = args.out == "-" && std::io::stdout().is_terminal();
    let progress = (!is_seen).then(|| cli.progress("exporting the session"));
    let (notes, redacted) = one(chosen.harness, &chosen.input, args)?;
    drop(progress);
    if let Some(line) = redacted.and_then(|counts| guarded::redacted(&counts)) {
        cli.say(&line);
    }
    tell(&notes, cli)
}

/// What was left out, and what was redacted if that was asked for.
type Told = (Vec<Note>, Option<Vec<Redacted>>);

/// Exports one session to where the arguments say.
pub(super) fn one(harness: &dyn Harness, input: &Input, args: &Args) -> Result<Told> {
    let (notes, lines) = match args.form {
        Form::Ndjson => stream(harness, input, args)?,
        Form::Json | Form::Trajectory | Form::Atif | Form::Markdown => {
            document(harness, input, args)?
        }
    };
    Ok((notes, finish(lines)?))
}

impl Args {
    /// Refuses what the form has no place for: it would be left out without a word.
    fn fit(&self) -> Result<()> {
        if self.raw && self.form != Form::Ndjson {
            return Err(Error::usage("`--raw` needs lines to write to", "`--to ndjson`"));
        }
        if self.atif_version.is_some() && self.form != Form::Atif {
            return Err(Error::usage("`--atif-version` is for one form", "`--to atif`"));
        }
        if self.blobs && matches!(self.form, Form::Markdown | Form::Trajectory) {
            let what = "`--blobs` needs a form that holds images";
            return Err(Error::usage(what, "`--to ndjson`, `json` or `atif`"));
        }
        Ok(())
    }

    fn atif_version(&self) -> &str {
        self.atif_version.as_deref().unwrap_or("1.7")
    }

    fn want(&self) -> Want {
        let live_only = self.view == View::Live;
        // Images that are to be files are bytes first.
        let blobs = match self.blobs || (self.form == Form::Atif && self.out != "-") {
            true => Blobs::Carried,
            false => Blobs::Named,
        };
        let actions = self.form == Form::Markdown;
        Want { actions, blobs, raw_lines: self.raw, live_only, ..Want::default() }
    }

    pub(super) fn place(&self) -> &PlaceArgs {
        &self.session.place
    }

    /// Returns the same arguments for one session whose file is `out`.
    pub(super) fn to_file(&self, out: &Utf8Path) -> Self {
        Self { out: out.to_owned(), out_dir: None, ..self.clone() }
    }

    /// Returns all that what is written depends on, besides the session.
    pub(super) fn fingerprint(&self) -> String {
        let Self { view, form, raw, redact, blobs, .. } = self;
        let atif_version = self.atif_version();
        let program = env!("CARGO_PKG_VERSION");
        format!("{program} {view:?} {form:?} {atif_version} {raw} {redact} {blobs}\n")
    }

    /// Returns how the name of a file in this form ends.
    pub(super) fn ending(&self) -> &'static str {
        match self.form {
            Form::Ndjson => "ndjson",
            Form::Json => "json",
            Form::Trajectory => "trajectory.json",
            Form::Atif => "atif.json",
            Form::Markdown => "md",
        }
    }

    /// Returns the folder in which images of a document are files.
    pub(super) fn images_folder(&self) -> Option<Utf8PathBuf> {
        match self.images() {
            Images::Beside(name) if self.form == Form::Atif => {
                Some(folder_beside(&self.out, &name))
            }
            _ => None,
        }
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

/// Returns the folder that has this name beside `out`.
fn folder_beside(out: &Utf8Path, name: &str) -> Utf8PathBuf {
    out.parent().unwrap_or(Utf8Path::new("")).join(name)
}

fn stream(harness: &dyn Harness, input: &Input, args: &Args) -> Result<(Vec<Note>, Lines)> {
    let want = args.want();
    let out = opened(args, input)?;
    let name = out.inner().name();
    let mut sink = Stream(Ndjson::new(out, want.live_only));
    let read = harness.read(input, want, &mut sink);
    let written = read.and_then(|end| Ok((sink.0.end(&end)?, end.notes)));
    let (lines, notes) = written.map_err(|error| error.at_output(&name))?;
    Ok((notes, lines))
}

/// Writes a session as one document; returns what reading and the form left out.
fn document(harness: &dyn Harness, input: &Input, args: &Args) -> Result<(Vec<Note>, Lines)> {
    let want = args.want();
    let mut session = Session::default();
    session.end = harness.read(input, want, &mut session)?;
    if want.live_only {
        session.keep_live();
    }
    let mut out = opened(args, input)?;
    let lost = match args.form {
        Form::Trajectory => {
            let trajectory = Trajectory::new(&session, recorder(&session.header));
            put(&mut out, &trajectory)?;
            trajectory.notes()
        }
        Form::Atif => {
            let recorder = recorder(&session.header);
            let atif = Atif::new(&session, recorder, args.atif_version(), args.images());
            put_beside(&args.out, &args.images(), &atif.images)?;
            put(&mut out, &atif.root)?;
            atif.notes()
        }
        Form::Markdown => {
            let text = markdown(&session) + "\n";
            // People read it on a terminal, too. In one piece, so that it is redacted as one.
            let text = emit::printable(&text);
            out.write_all(text.as_bytes())
                .map_err(|cause| Error::write(out.inner().name(), cause))?;
            Vec::new()
        }
        Form::Ndjson | Form::Json => {
            put(&mut out, &Document::new(&session))?;
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
    let folder = folder_beside(out, name);
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

/// Where the output goes, in lines.
type Lines = lines::Lines<Output>;

fn opened(args: &Args, input: &Input) -> Result<Lines> {
    Ok(Lines::new(out::file(&args.out, input.path())?, args.redact))
}

/// Writes one value on a line.
fn put(out: &mut Lines, value: &impl serde::Serialize) -> Result<()> {
    let path = out.inner().name();
    let fail = |cause| Error::write(path.clone(), cause);
    serde_json::to_writer(&mut *out, value).map_err(|cause| fail(cause.into()))?;
    out.write_all(b"\n").map_err(fail)
}

/// Ends the output and returns what was redacted, if that was asked for.
fn finish(lines: Lines) -> Result<Option<Vec<Redacted>>> {
    let path = lines.inner().name();
    let (out, counts) = lines.finish().map_err(|cause| Error::write(path, cause))?;
    out.finish()?;
    Ok(counts)
}
