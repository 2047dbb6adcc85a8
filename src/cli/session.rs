//! The arguments that say which session, and the choice itself.

use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;

use super::until::{self, Point};
use super::{Cli, hook, voted};
use crate::discover::{self, Caller, Chosen, Found, Project, Selector, World};
use crate::emit;
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::guard::marks::visible;
use crate::harness::{self, Harness, Want};
use crate::model::{Header, Session};
use crate::select::fetch::quoted;

// Which session.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SessionArgs {
    /// A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`
    ///
    /// Left out, it is the newest session of the project with something to go on with. Which
    /// harness wrote a file is told by what is in it, not by its name.
    pub(super) session: Option<String>,

    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

// Which session, where the words of the command are something else.
#[derive(Debug, clap::Args)]
pub(super) struct NamedSession {
    /// A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`
    ///
    /// Left out, it is the newest session of the project with something to go on with.
    #[arg(long)]
    session: Option<String>,

    #[command(flatten)]
    place: PlaceArgs,

    /// Use a session that is built into the program
    #[arg(long, conflicts_with_all = ["session", "harness", "project"])]
    demo: bool,
}

// Which sessions, where the words of the command are something else.
#[derive(Debug, clap::Args)]
pub(super) struct NamedSessions {
    /// A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`
    ///
    /// Left out, it is the newest session of the project with something to go on with. Given
    /// more than once, they are S1, S2 and so on, as in a pack of several.
    #[arg(long = "session", value_name = "SESSION")]
    sessions: Vec<String>,

    /// The session as it was at a point, for the ids of a pack that was made with `--until`
    #[arg(long, value_name = "ID|TIME", value_parser = Point::read, allow_negative_numbers = true)]
    until: Option<Point>,

    #[command(flatten)]
    place: PlaceArgs,

    /// Use a session that is built into the program
    #[arg(long, conflicts_with_all = ["sessions", "harness", "project"])]
    demo: bool,
}

impl NamedSessions {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.sessions.len().max(1)
    }

    /// Returns the session of a number from 1 on, all of it in memory.
    pub(super) fn read(&self, number: usize, cli: &Cli) -> Result<Session> {
        let word = number.checked_sub(1).and_then(|index| self.sessions.get(index));
        let until = self.until.as_ref();
        read(word.map(String::as_str), &self.place, self.demo, until, cli)
    }
}

/// Reads all of a session into memory, as it was at `until` if that is given.
fn read(
    word: Option<&str>,
    place: &PlaceArgs,
    demo: bool,
    until: Option<&Point>,
    cli: &Cli,
) -> Result<Session> {
    let (harness, input) = if demo {
        super::pack::demo()?
    } else {
        let chosen = choose_by(word, place, false, cli)?;
        (chosen.harness, chosen.input)
    };
    let _progress = cli.progress("reading the session");
    let input = until::perhaps_cut(harness, input, until)?;
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = harness.read(&input, want, &mut session)?;
    Ok(session)
}

impl NamedSession {
    /// Returns the session that is meant, all of it in memory.
    pub(super) fn read(&self, cli: &Cli) -> Result<Session> {
        read(self.session.as_deref(), &self.place, self.demo, None, cli)
    }

    /// Tells whether the user said which it is.
    pub(super) fn is_named(&self) -> bool {
        self.demo || self.session.is_some()
    }

    /// Returns the folder whose project is meant, and the top of the project, from the root.
    pub(super) fn folder(&self) -> Result<(Utf8PathBuf, Utf8PathBuf)> {
        let world = self.place.world(None, true)?;
        let root = world.project().root;
        Ok((world.cwd, root))
    }
}

// Where to look for sessions.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlaceArgs {
    /// Only sessions of this harness
    #[arg(long, value_name = "HARNESS", value_parser = names())]
    harness: Option<String>,

    /// The folder of the project, in place of the project around the current directory
    #[arg(long, value_name = "DIR")]
    project: Option<Utf8PathBuf>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(harness::ALL.iter().map(|harness| harness.name()))
}

impl PlaceArgs {
    /// Returns the harness that the user named.
    pub(super) fn harness(&self) -> Option<&'static dyn Harness> {
        self.harness.as_deref().and_then(harness::by_name)
    }

    /// Returns the project that the user named.
    pub(super) fn project(&self) -> Option<&Utf8Path> {
        self.project.as_deref()
    }

    /// Tells whether the user named a project.
    pub(super) fn has_project(&self) -> bool {
        self.project.is_some()
    }

    /// Returns the arguments by which another command means the project at `root`, and the harness, as this one did.
    pub(super) fn meant(&self, root: &Utf8Path) -> String {
        let project = self.has_project().then(|| format!(" --project {}", quoted(root.as_str())));
        let harness = self.harness().map(|one| format!(" --harness {}", one.name()));
        [project, harness].into_iter().flatten().collect()
    }

    /// Returns what surrounds this run; `heard` is what a hook said.
    ///
    /// The current directory may be gone; that matters only where its project is meant.
    pub(super) fn world(
        &self,
        heard: Option<hook::Heard>,
        by_project: bool,
    ) -> Result<World<'static>> {
        let heard = heard.unwrap_or_default();
        let cwd = match (&self.project, heard.cwd) {
            // A project that is gone may still have sessions.
            (Some(project), _) => absolute(project)?,
            (None, Some(cwd)) => cwd,
            (None, None) if by_project => current_dir()?,
            (None, None) => current_dir().unwrap_or_else(|_| Utf8PathBuf::from("/")),
        };
        let caller = Caller { id: heard.session_id, path: heard.transcript_path, is_meant: false };
        let (is_named, now) = (self.project.is_some(), Some(Timestamp::now()));
        Ok(World { cwd, var: &var, caller, is_named, watch: None, now })
    }
}

/// Returns `folder` from the root, without a slash at its end; its links are followed only where `..` makes that
/// necessary.
pub(super) fn absolute(folder: &Utf8Path) -> Result<Utf8PathBuf> {
    if is_of_windows(folder.as_str()) && !folder.exists() {
        let bare = folder.as_str().trim_end_matches(['/', '\\']);
        return Ok(if bare.ends_with(':') { folder.to_owned() } else { bare.into() });
    }
    let climbs = folder.components().any(|part| part == Utf8Component::ParentDir);
    let real = climbs.then(|| folder.canonicalize_utf8().ok()).flatten();
    let made = real.map_or_else(|| camino::absolute_utf8(folder), Ok);
    let made = made.map(|made| made.components().collect());
    made.map_err(|cause| {
        let what = format!("the project `{folder}` has no absolute path: {cause}");
        Error::usage(what, "--project DIR, from the root")
    })
}

/// Tells whether a path begins at a drive or at another machine, as sessions from Windows name their folders.
fn is_of_windows(path: &str) -> bool {
    let has_drive = path.starts_with(|c: char| c.is_ascii_alphabetic());
    path.starts_with(r"\\") || has_drive && matches!(path.get(1..3), Some(r":\" | ":/"))
}

pub(super) fn current_dir() -> Result<Utf8PathBuf> {
    let here = std::env::current_dir().map_err(|cause| {
        let what = match cause.kind() {
            io::ErrorKind::NotFound => "the current directory is not there any more".to_owned(),
            _ => format!("the current directory cannot be used: {cause}"),
        };
        Error::usage(what, "`cd` to one that is there, or --project DIR")
    })?;
    Utf8PathBuf::from_path_buf(here)
        .map_err(|_| Error::usage("the current directory has no name in UTF-8", "--project DIR"))
}

/// Looks up an environment variable; an empty one counts as not set. Where the system calls the home by another
/// name, that is meant, as the programs mean it.
pub(super) fn var(name: &str) -> Option<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    set(name).or_else(|| set("USERPROFILE").filter(|_| cfg!(windows) && name == "HOME"))
}

/// Returns the session that the user means, and says which it is unless the user named its file.
pub(super) fn choose(args: &SessionArgs, cli: &Cli) -> Result<Chosen> {
    choose_by(args.session.as_deref(), &args.place, false, cli)
}

/// The same where a hook that names none means the session that it runs for.
pub(super) fn choose_or_calling(args: &SessionArgs, cli: &Cli) -> Result<Chosen> {
    choose_by(args.session.as_deref(), &args.place, true, cli)
}

/// Returns the same for a word of the command line.
fn choose_by(
    word: Option<&str>,
    place: &PlaceArgs,
    is_caller_meant: bool,
    cli: &Cli,
) -> Result<Chosen> {
    let (harness, selector) = wanted(word, place)?;
    // Only the newest session depends on who calls.
    let newest = selector == Selector::Newest;
    let heard = newest.then(|| hook::listen(cli)).flatten();
    let mut world = place.world(heard, newest)?;
    world.caller.is_meant = is_caller_meant;
    let chosen = {
        let progress = cli.progress(match &selector {
            Selector::Stdin => "reading standard input",
            // Nobody may ever write into it.
            Selector::File(path) if !path.is_file() => "waiting for what comes out of a pipe",
            Selector::File(_) => "reading the session",
            Selector::Newest | Selector::Id(_) => "looking at sessions",
        });
        let votes = |one: &Found, project: &Project| voted::votes(one, project, &world);
        discover::choose(&world.watched(&progress), harness, &selector, &votes)?
    };
    if let Some(header) = &chosen.header {
        let place = if newest { place_told(header, &world) } else { String::new() };
        cli.say_found(chosen.harness, (header, &place), newest);
        if newest {
            cli.say_newer_elsewhere(&world, harness, header);
        }
    }
    cli.say_passed_over(chosen.passed_over);
    cli.say_unreadable(chosen.unreadable, "`segue list -v`");
    Ok(chosen)
}

/// Where to look for a project's newest sessions, and of which harness.
type Place = (World<'static>, Option<&'static dyn Harness>);

/// Returns where to look if the newest session of the project is meant; nothing if another is.
pub(super) fn newest_of_project(args: &SessionArgs, cli: &Cli) -> Result<Option<Place>> {
    let (harness, selector) = wanted(args.session.as_deref(), &args.place)?;
    if selector != Selector::Newest {
        return Ok(None);
    }
    Ok(Some((args.place.world(hook::listen(cli), true)?, harness)))
}

/// Reads what the user typed for a session, and the harness that may be named in two places.
fn wanted(
    word: Option<&str>,
    place: &PlaceArgs,
) -> Result<(Option<&'static dyn Harness>, Selector)> {
    let (named, selector) = Selector::read(word);
    let asked = place.harness();
    if let (Some(named), Some(asked)) = (named, asked)
        && named.name() != asked.name()
    {
        let what = format!("`{}:` and `--harness {}` contradict", named.name(), asked.name());
        return Err(Error::usage(what, "leave one of them out"));
    }
    Ok((named.or(asked), selector))
}

impl Cli {
    /// Says how many files could not be read, and what shows which.
    pub(super) fn say_unreadable(&self, count: usize, by: &str) {
        self.count_unreadable(count);
        if count > 0 {
            self.say(&format!("note: could not read files: {count} ({by} shows each)"));
        }
    }

    /// Says where a session began that is newer than that with `header`, if that is another work tree.
    pub(super) fn say_newer_elsewhere(
        &self,
        world: &World<'_>,
        harness: Option<&'static dyn Harness>,
        header: &Header,
    ) {
        if self.quiet {
            return;
        }
        let ended = header.ended_at.as_deref().and_then(|ended| ended.parse().ok());
        let tree = ended.and_then(|ended| discover::newer_in_work_tree(world, harness, ended));
        if let Some(tree) = tree {
            let meant = quoted(tree.as_str());
            self.say(&format!(
                "segue: a newer session began in another work tree of the repository: --project {meant}"
            ));
        }
    }

    /// Says how many sessions were passed over that a program ran; not all of them are looked into.
    pub(super) fn say_passed_over(&self, count: usize) {
        if count > 0 {
            let (them, seem) = match count {
                1 => ("a session".to_owned(), "seems"),
                _ => (format!("{count} sessions"), "seem"),
            };
            self.say(&format!(
                "segue: passed over {them} that a program ran and that {seem} to have left nothing; `segue list` has the ids"
            ));
        }
    }

    /// Remembers for `--strict` that so many files could not be read.
    pub(super) fn count_unreadable(&self, count: usize) {
        self.unreadable.set(self.unreadable.get() + count);
    }

    /// Says which session was chosen and its `place`, and how to choose another where there is `more`.
    pub(super) fn say_found(
        &self,
        harness: &dyn Harness,
        (header, place): (&Header, &str),
        more: bool,
    ) {
        let title = header.title.as_deref().map(visible);
        let title = title.map(|title| Redactor::default().text(&title).into_owned());
        let title = title.map(|title| format!(" \"{}\"", emit::one_line(&title)));
        let day = header.ended_at.as_deref().and_then(|ended| ended.get(..10)).unwrap_or("no date");
        let another = if more { "; choose another with an id from `segue list`" } else { "" };
        self.say(&format!(
            "segue: {} session {}{} ({day}, {}){place}{another}",
            harness.name(),
            emit::one_line(&header.id),
            title.unwrap_or_default(),
            size(header.source.bytes),
        ));
    }
}

/// Says where a session began, if that is another folder than the user's and than the top of the project: a
/// repository inside another one has sessions of its own. Says before it if it ended in the future.
pub(super) fn place_told(header: &Header, world: &World<'_>) -> String {
    let ended: Option<Timestamp> = header.ended_at.as_deref().and_then(|ended| ended.parse().ok());
    let is_future = ended.zip(world.now).is_some_and(|(end, now)| discover::is_future(end, now));
    let mut told = if is_future { IN_FUTURE.to_owned() } else { String::new() };
    let project = world.project();
    if let Some(folder) = project.other_folder(header, &world.cwd) {
        told += &format!(", begun in {}", emit::one_line(folder.as_str()));
        let inner = project.told_inner(folder, &world.wide());
        told.extend(inner.map(|kind| format!(", {kind}")));
    }
    told
}

/// What is said behind the day on which a session ended where that is still to come.
const IN_FUTURE: &str = ", which is in the future: a clock was wrong, or a time zone left out";

/// Returns a size for people, in powers of 1000.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}
