//! `segue sync`: a pack as a managed block of context files.

mod imports;
mod size;

use camino::{Utf8Path, Utf8PathBuf};

use super::pack::{self, Made};
use super::reality::Written;
use super::scope::{self, ScopeArgs};
use super::session::{PlaceArgs, absolute, var};
use super::{Cli, SessionArgs};
use crate::block::{self, Block, Fault, PACK};
use crate::discover::Selector;
use crate::emit::{self, Context};
use crate::error::{Error, Result};
use crate::select::fetch::quoted;
use crate::select::hash;
use crate::{harness, worktree};

const EXAMPLE: &str = "\
Examples:
  segue sync AGENTS.md                   the newest session, as a block in it
  segue sync AGENTS.md --budget 2000     a smaller block
  segue sync AGENTS.md --check           is the block there, and up to date?
  segue sync AGENTS.md --remove          the file as it was before, or none";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The files, in Markdown; one that is not there is made
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Utf8PathBuf>,

    /// The session: a file, an id or the start of one, HARNESS:ID, or `latest`
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    scope: ScopeArgs,

    #[command(flatten)]
    options: pack::Options,

    /// Write nothing; exit code 1 if a block is out of date or missing
    #[arg(long, conflicts_with = "remove")]
    check: bool,

    /// Take the block out; a file with nothing else in it goes, too
    #[arg(long)]
    remove: bool,
}

/// What is to become of a file.
enum Fate {
    /// It is to hold this.
    Write {
        text: Vec<u8>,
        /// Whether somebody changed the block that is there.
        was_touched: bool,
    },
    /// It says the same already.
    Same,
    /// It stays as it is, for this reason.
    Leave(String),
    /// It has the block of another file read already, which it imports.
    Imported {
        /// The other file.
        other: Utf8PathBuf,
        /// What it is to hold, if it has a block of its own.
        without: Option<Vec<u8>>,
    },
}

/// Runs `segue sync`: every file is looked at before the first is written.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    if args.remove {
        let files =
            args.files.iter().map(|file| to_clear(file, args, cli)).collect::<Result<Vec<_>>>()?;
        return remove(&files.concat(), cli);
    }
    let files = args.files.iter().map(|file| read(file, args, cli)).collect::<Result<Vec<_>>>()?;
    if args.session.as_deref() == Some("-") {
        let but = "what its ids stand for cannot be looked up later; --session FILE names it";
        cli.say(&format!("note: a session from standard input has no name in the block: {but}"));
    }
    let (made, too_small) = worthwhile(args, &files, cli)?;
    let alone = |file: &Context| match (fate(file, &made, args)?, &too_small) {
        (Fate::Write { .. }, Some(why)) => Ok(Fate::Leave(why.clone())),
        (fate, _) => Ok(fate),
    };
    let fate = |file: &Context, other: Option<usize>| match other.map(|at| &files[at]) {
        Some(other) if has_block(other) || !matches!(alone(other)?, Fate::Leave(_)) => {
            imported(file, other)
        }
        _ => alone(file),
    };
    let imports = imports::among(&files);
    let each = || files.iter().zip(&imports);
    let fates = each().map(|(file, other)| fate(file, *other)).collect::<Result<Vec<_>>>()?;
    if args.check {
        check(&files, &fates, cli)?;
    } else {
        for (file, fate) in files.iter().zip(&fates) {
            if fate.written().is_some() {
                emit::may_be_changed(&file.path)?;
            }
        }
        for (file, other) in each() {
            let carried = |file: &Context| fate(file, *other)?.carried_out(file);
            let (file, fate) = unless_changed(file, carried)?;
            fate.say(&file, cli);
        }
    }
    super::guarded::say(&made.pack, cli);
    super::tell(&made.notes(), cli)
}

/// How many sessions are passed over at most that are too small for a pack.
const MOST_PASSED: usize = 8;

/// Makes the pack of the session that is meant, and says why it is not worth a place in every start, if
/// it is not: where the newest session is meant, and that is too small, the next one is taken.
fn worthwhile(args: &Args, files: &[Context], cli: &Cli) -> Result<(Made, Option<String>)> {
    let is_newest = Selector::read(args.session.as_deref()).1 == Selector::Newest;
    let may_pass = is_newest && args.scope.is_of_newest() && args.options.until.is_none();
    let (mut newest, mut passed) = (None, Vec::new());
    for past in 0..=MOST_PASSED {
        let made = match made(args, files, past, cli) {
            Err(_) if past > 0 => break,
            made => made?,
        };
        let why = size::too_small(&made);
        let Some(why) = why.clone().filter(|_| may_pass) else {
            for why in passed {
                cli.say(&format!("segue: passed over for an older one: {why}"));
            }
            return Ok((made, why));
        };
        passed.push(why.clone());
        newest.get_or_insert((made, Some(why)));
    }
    newest.ok_or_else(|| Error::usage("no session could be read", "`segue list` shows them"))
}

/// Makes the pack of what is meant, with so many of the newest sessions passed over.
fn made(args: &Args, files: &[Context], past: usize, cli: &Cli) -> Result<Made> {
    let wanted = SessionArgs { session: args.session.clone(), place: args.place.clone() };
    let (scope, until) = (args.scope.past(past), args.options.until.as_ref());
    let mut found = scope::found(&wanted, &scope, until, cli)?;
    pack::add_memories(&mut found, &args.options, &args.place, cli)?;
    let _progress = cli.progress("making the pack");
    let written = files.iter().map(|file| file.path.clone()).collect();
    pack::make(found, &args.options, &Written { files: written, commits: true })
}

/// Reads a context file, or the one that is read in its place.
fn read(path: &Utf8Path, args: &Args, cli: &Cli) -> Result<Context> {
    let name = path.file_name().unwrap_or_default();
    if !name.to_lowercase().ends_with(".md") {
        let names: Vec<_> = harness::ALL.iter().map(|one| one.context_file().name).collect();
        let what = format!("`{path}` is no context file: its name does not end in .md");
        return Err(Error::usage(what, format!("one of {}", names.join(", "))));
    }
    let known = harness::context_file(name);
    let instead = known.and_then(|known| known.instead);
    if let Some(other) = instead.filter(|other| *other != name)
        && let Some(other) = worktree::beside(path, other)
    {
        cli.say(&format!("segue: `{other}` is read in place of `{path}`"));
        return Context::read(&other);
    }
    let file = Context::read(path)?;
    if instead == Some(name) && file.text.is_none() {
        let what = format!("`{path}` is not there, and would hide the file that it stands for");
        return Err(refused(what, known.map(|known| rather(path, known.name, args))));
    }
    Ok(file)
}

/// Reads the files that may hold the block of a context file: what is read in its place may have come
/// after the block.
fn to_clear(path: &Utf8Path, args: &Args, cli: &Cli) -> Result<Vec<Context>> {
    let file = read(path, args, cli)?;
    if file.path == path {
        return Ok(vec![file]);
    }
    let hidden = Context::read(path)?;
    Ok(match (has_block(&file), has_block(&hidden)) {
        (true, true) => vec![file, hidden],
        (false, true) => vec![hidden],
        (_, false) => vec![file],
    })
}

/// Tells whether a file has a block, or what may be one.
fn has_block(file: &Context) -> bool {
    !matches!(block::find(file.bytes(), PACK), Ok(None))
}

fn refused(what: String, hint: Option<String>) -> Error {
    Error::Refused { what, hint }
}

/// Names the command that puts the same into the file that is meant in place of the one at `path`, which calls it
/// `other`.
fn rather(path: &Utf8Path, other: &str, args: &Args) -> String {
    let home = var("HOME").map(Utf8PathBuf::from);
    let in_home = other.strip_prefix("~/").and_then(|rest| Some(home?.join(rest)));
    let meant = in_home.unwrap_or_else(|| path.with_file_name(other));
    let project = args.place.project().and_then(|project| absolute(project).ok());
    let place = args.place.meant(project.as_deref().unwrap_or("/".into()));
    let session = args.session.as_ref().filter(|session| *session != "-");
    let session = session.map(|session| format!(" --session {}", quoted(session)));
    format!("`segue sync {}{}{place}`", quoted(meant.as_str()), session.unwrap_or_default())
}

/// Makes an error of what is wrong with the markers of a file.
fn faulty(file: &Context, fault: Fault) -> Error {
    let what = format!("`{}` stays as it is: {fault}", file.path);
    refused(what, Some(fault.hint(PACK)))
}

fn remove(files: &[Context], cli: &Cli) -> Result<()> {
    let taken =
        |file: &Context| block::take_out(file.bytes(), PACK).map_err(|fault| faulty(file, fault));
    // Each is looked at before the first is written.
    let may_go_on = |file: &Context| match taken(file)? {
        Some(_) => emit::may_be_changed(&file.path),
        None => Ok(()),
    };
    files.iter().try_for_each(may_go_on)?;
    let said = |file: &Context| {
        let Some(text) = taken(file)? else { return Ok(Some(" has no block")) };
        if text.is_empty() && may_go(&file.path) {
            let gone = ": the block is gone, and the file, since nothing else was in it";
            return Ok(file.remove()?.then_some(gone));
        }
        Ok(file.write(&text)?.then_some(": the block is gone"))
    };
    for file in files {
        let (file, said) = unless_changed(file, said)?;
        let block = block::find(file.bytes(), PACK).ok().flatten();
        let but = match block.is_some_and(|block| block::is_touched(file.bytes(), &block)) {
            true => TOUCHED,
            false => "",
        };
        cli.say(&format!("segue: `{}`{said}{but}", file.path));
    }
    Ok(())
}

/// What is said besides where somebody changed a block.
const TOUCHED: &str = "; what was changed in it by hand is gone";

/// Tells whether a file without its block is to go if it is empty: not one that is read in place of
/// another, since it says something by being there, nor a link, which somebody made.
fn may_go(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let stands_for = harness::context_file(name).and_then(|known| known.instead);
    stands_for != Some(name) && !path.is_symlink()
}

/// How often a file is read once more, because somebody changed it meanwhile.
const MOST_TRIES: usize = 10;

/// Does `what` with a file, and with what it became as long as `what` finds it changed.
fn unless_changed<T>(
    file: &Context,
    what: impl Fn(&Context) -> Result<Option<T>>,
) -> Result<(Context, T)> {
    let mut file = file.clone();
    for _ in 0..MOST_TRIES {
        if let Some(done) = what(&file)? {
            return Ok((file, done));
        }
        file = Context::read(&file.path)?;
    }
    let what = format!("`{}` is being changed by another program", file.path);
    Err(refused(what, Some("the same again".into())))
}

/// Tells what is to become of one file.
fn fate(file: &Context, made: &Made, args: &Args) -> Result<Fate> {
    let hash = &made.pack.pack_hash[..hash::SHORT];
    let found = block::find(file.bytes(), PACK).map_err(|fault| faulty(file, fault))?;
    let only = block::only_imports(file.bytes(), PACK);
    let only = only.map(|other| (format!("only imports `{other}`"), other));
    let beside = || {
        let other = imports::with_block(file).filter(|_| found.is_none())?;
        Some((format!("imports `{other}`, which has a block"), other))
    };
    if let Some((why, other)) = only.or_else(beside) {
        let what = format!("`{}` stays as it is: it {why}", file.path);
        return Err(refused(what, Some(rather(&file.path, &other, args))));
    }
    let is_same = |block: &Block| block.hash == hash && block::is_as_put(file.bytes(), block);
    if found.as_ref().is_some_and(is_same) {
        return Ok(Fate::Same);
    }
    let was_touched = found.is_some_and(|block| block::is_touched(file.bytes(), &block));
    let text = block::put_signed(file.bytes(), PACK, hash, &made.text);
    let text = text.map_err(|fault| faulty(file, fault))?;
    Ok(match beyond(file, &text) {
        Some(why) => Fate::Leave(why),
        None => Fate::Write { text, was_touched },
    })
}

/// Tells what is to become of a file that imports another one which is to hold the block.
fn imported(file: &Context, other: &Context) -> Result<Fate> {
    let without = block::take_out(file.bytes(), PACK).map_err(|fault| faulty(file, fault))?;
    Ok(Fate::Imported { other: other.path.clone(), without })
}

/// Says why a block would not be read, if it lies beyond what the harness reads.
fn beyond(file: &Context, text: &[u8]) -> Option<String> {
    let known = harness::context_file(file.path.file_name()?)?;
    let window = known.window?;
    let names: Vec<_> = known.instead.into_iter().chain([known.name]).collect();
    let above = worktree::bytes_above(&file.path, &names);
    let end = above + block::find(text, PACK).ok().flatten()?.place.end as u64;
    (end > window).then(|| {
        let more = if above > 0 { ", with the files in the folders above it," } else { "" };
        format!("the block would end at byte {end}{more} and only {window} are read")
    })
}

impl Fate {
    /// Returns what the file is to hold, if that is something else.
    fn written(&self) -> Option<&[u8]> {
        match self {
            Self::Write { text, .. } => Some(text),
            Self::Imported { without, .. } => without.as_deref(),
            Self::Same | Self::Leave(_) => None,
        }
    }

    /// Does what is to be done; nothing comes back if the file was changed meanwhile.
    fn carried_out(self, file: &Context) -> Result<Option<Self>> {
        let is_done = self.written().map_or(Ok(true), |text| file.write(text))?;
        Ok(is_done.then_some(self))
    }

    /// Says what became of the file.
    fn say(&self, file: &Context, cli: &Cli) {
        match self {
            Self::Write { was_touched, .. } => {
                let but = if *was_touched { TOUCHED } else { "" };
                cli.say(&format!("segue: `{}`: the block is up to date now{but}", file.path));
                if worktree::is_tracked(&file.path) {
                    cli.say(&format!(
                        "note: `{}` is tracked by git: a commit of it holds words of your session",
                        file.path
                    ));
                }
                if worktree::is_unmerged(&file.path) {
                    cli.say(&format!(
                        "note: `{}` is not merged yet: the block stands beside both its versions",
                        file.path
                    ));
                }
            }
            Self::Same => cli.say(&format!("segue: `{}` was up to date", file.path)),
            Self::Leave(why) => cli.say(&format!("segue: `{}` stays as it is: {why}", file.path)),
            Self::Imported { other, without } => {
                let what =
                    if without.is_some() { ": the block is gone" } else { " stays as it is" };
                let why = format!("it imports `{other}`, and the block with it");
                cli.say(&format!("segue: `{}`{what}: {why}", file.path));
            }
        }
    }
}

/// Fails if a file does not hold the block of now, also where it is said why that is left out.
fn check(files: &[Context], fates: &[Fate], cli: &Cli) -> Result<()> {
    let mut late = Vec::new();
    for (file, fate) in files.iter().zip(fates) {
        let is_to_change = fate.written().is_some();
        if !is_to_change {
            fate.say(file, cli);
        }
        if is_to_change || matches!(fate, Fate::Leave(_)) {
            late.push(file.path.to_string());
        }
    }
    let can_be_mended = fates.iter().any(|fate| fate.written().is_some());
    if late.is_empty() { Ok(()) } else { Err(Error::OutOfDate { files: late, can_be_mended }) }
}
