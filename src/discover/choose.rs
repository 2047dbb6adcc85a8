//! The choice among the sessions that are there.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::going_on::perhaps_going_on;
use super::{
    Caller, Found, Look, Search, Votes, World, belonging, files, headers, in_place_of, near,
    one_per_id, places, recognise, sessions, side_files, to_go_on_with,
};
use crate::error::{Error, MOST_CANDIDATES, Result};
use crate::harness::{self, Harness};
use crate::jsonl::Input;
use crate::model::Header;

/// How many characters of an id must be typed.
const SHORTEST_PREFIX: usize = 4;
/// How much of an id every harness puts into the names of its files.
const IN_FILE_NAMES: usize = 8;
/// Said of a link to what is not there.
const LEADS_NOWHERE: &str = "is a link that leads to nothing";
/// The word for the newest session.
const LATEST: &str = "latest";

/// What the user typed for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The newest session of the project.
    Newest,
    /// Standard input.
    Stdin,
    /// A file.
    File(Utf8PathBuf),
    /// An id, or the start of one.
    Id(String),
}

impl Selector {
    /// Reads the user's word, and the harness that it may name as in `HARNESS:ID`.
    ///
    /// A word that is the path of something is a file, and so is one that looks like a path: a
    /// mistyped path is to be told as such.
    pub fn read(word: Option<&str>) -> (Option<&'static dyn Harness>, Self) {
        let Some(word) = word.filter(|word| *word != LATEST) else { return (None, Self::Newest) };
        if word == "-" {
            return (None, Self::Stdin);
        }
        let path = Utf8Path::new(word);
        let endings = ["jsonl", "ndjson", "json", "zst"];
        let like_a_path = word.contains(['/', '\\'])
            || path.extension().is_some_and(|ending| endings.contains(&ending));
        if like_a_path || path.exists() {
            return (None, Self::File(path.to_owned()));
        }
        let named = word.split_once(':').and_then(|(name, id)| Some((harness::by_name(name)?, id)));
        match named {
            Some((harness, LATEST)) => (Some(harness), Self::Newest),
            Some((harness, id)) => (Some(harness), Self::Id(id.to_owned())),
            None => (None, Self::Id(word.to_owned())),
        }
    }
}

/// The session that is meant.
pub struct Chosen {
    /// The harness that wrote it.
    pub harness: &'static dyn Harness,
    /// Its bytes.
    pub input: Input,
    /// What it says of itself; only where the choice had to look.
    pub header: Option<Header>,
    /// How many files could not be read, of which one may be newer.
    pub unreadable: usize,
    /// How many sessions were passed over that a program ran and that left nothing.
    pub passed_over: usize,
}

impl Chosen {
    fn found(mut found: Found) -> Result<Self> {
        found.look_at_all();
        let input = found.open()?;
        Ok(Self {
            harness: found.harness,
            input,
            header: Some(found.header),
            unreadable: 0,
            passed_over: 0,
        })
    }

    fn given(input: Input, named: Option<&'static dyn Harness>) -> Result<Self> {
        let harness = recognise(&input, named)?;
        Ok(Self { harness, input, header: None, unreadable: 0, passed_over: 0 })
    }
}

/// Returns the session that `selector` means; `harness` narrows the choice, and `votes` says where a
/// session belongs that began in a folder that holds everything.
///
/// Fails if there is none, or if the start of an id fits several.
pub fn choose(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    selector: &Selector,
    votes: &Votes<'_>,
) -> Result<Chosen> {
    match selector {
        Selector::Newest => {
            if let Some(calling) = calling(world, harness) {
                return Ok(calling);
            }
            let Newest { found, unreadable, passed_over } = newest(world, harness, votes)?;
            Ok(Chosen { unreadable, passed_over, ..Chosen::found(found)? })
        }
        Selector::Stdin => Chosen::given(Input::stdin()?, harness),
        Selector::File(path) if path.is_dir() => Err(folder(path)),
        Selector::File(path) if is_missing(path) => Err(no_file(path)),
        Selector::File(path) => Chosen::given(Input::file(path)?, harness),
        Selector::Id(id) => by_id(world, harness, id),
    }
}

/// Tells whether nothing is at a path, or nothing where a link leads to.
fn is_missing(path: &Utf8Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let cause = path.metadata().err();
    cause.is_some_and(|cause| matches!(cause.kind(), NotFound | NotADirectory))
}

/// Says that there is no file where the user meant a session.
fn no_file(path: &Utf8Path) -> Error {
    let hint = "a path counts from the current directory; `segue list --all` shows every session";
    let why = if path.is_symlink() { LEADS_NOWHERE } else { "is not there" };
    let (path, why) = (path.to_string(), why.to_owned());
    Error::NotASession { path, why, hint: Some(hint.to_owned()) }
}

/// Says that a folder is no session.
fn folder(path: &Utf8Path) -> Error {
    let why = "is a folder, not a session file".to_owned();
    let hint = "`segue list --project` with its path shows the sessions of a project".to_owned();
    Error::NotASession { path: path.to_string(), why, hint: Some(hint) }
}

/// The newest session of a project.
pub struct Newest {
    /// The session.
    pub found: Found,
    /// How many files could not be read, of which one may be newer.
    pub unreadable: usize,
    /// How many sessions were passed over that a program ran and that left nothing.
    pub passed_over: usize,
}

/// Returns the newest session of the project that has something to resume; `votes` says where one
/// belongs that began in a folder that holds everything.
pub fn newest(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    votes: &Votes<'_>,
) -> Result<Newest> {
    let project = world.project();
    let search = perhaps_going_on(world, harness, Some(&project), Look::Ends);
    let (unreadable, found) = (search.lost(), search.found);
    let found = found.into_iter().filter_map(|mut found| found.is_whole().then_some(found));
    let (mut found, passed) = to_go_on_with(belonging(found, &project, votes), 1);
    let passed_over = in_place_of(&passed, &found, 1);
    let found = found.pop().ok_or_else(|| nothing_to_go_on(world, harness))?;
    Ok(Newest { found, unreadable, passed_over })
}

/// Returns the error that says why the project has no session to go on with.
pub fn nothing_to_go_on(world: &World<'_>, harness: Option<&'static dyn Harness>) -> Error {
    let project = world.project();
    let passed_over = sessions(world, harness, Some(&project), Look::Ends).found.len();
    let wanted = if passed_over > 0 {
        let but = "but none with a request and an answer, the calling one aside";
        format!("{} to go on with: {passed_over} there, {but}", project.told())
    } else {
        project.told_empty()
    };
    let looked_in = places(world, harness);
    Error::NoSession { wanted, looked_in, everywhere: false, near: near(world, harness, &project) }
}

/// Returns the session whose hook started this run, if that is meant and fits what the user named.
fn calling(world: &World<'_>, harness: Option<&'static dyn Harness>) -> Option<Chosen> {
    let Caller { id, path, is_meant: true } = &world.caller else { return None };
    let at = |path: &Utf8Path| {
        let chosen = Chosen::given(Input::file(path).ok()?, harness).ok()?;
        let header = chosen.harness.header(&chosen.input).ok()?;
        Some(Chosen { header: Some(header), ..chosen })
    };
    let found = match path {
        Some(path) => path.is_file().then(|| at(path)).flatten(),
        None => by_id(world, harness, id.as_deref()?).ok(),
    }?;
    let header = found.header.as_ref()?;
    let fits = header.has_request && (!world.is_named || world.project().holds(header));
    fits.then_some(found)
}

/// Tells whether a session is the one that started this run.
pub(super) fn is_caller(world: &World<'_>, found: &Found) -> bool {
    let id = Some(found.header.id.as_str());
    let by_path = world.caller.path.as_deref().is_some_and(|path| same_file(path, &found.path));
    by_path || world.caller.id.as_deref() == id || found.harness.caller(world.var).as_deref() == id
}

fn same_file(a: &Utf8Path, b: &Utf8Path) -> bool {
    a == b || matches!((a.canonicalize_utf8(), b.canonicalize_utf8()), (Ok(a), Ok(b)) if a == b)
}

/// Returns the session with this id, in whatever project.
fn by_id(world: &World<'_>, harness: Option<&'static dyn Harness>, id: &str) -> Result<Chosen> {
    let meant = harness::by_name(id).or(harness.filter(|_| id.is_empty()));
    if let Some(meant) = meant {
        let what = format!("`{}` is a harness, not a session", meant.name());
        let hint = format!("`{}:{LATEST}` is the newest one of {}", meant.name(), meant.title());
        return Err(Error::usage(what, hint));
    }
    if id.chars().count() < SHORTEST_PREFIX {
        let what = format!("`{id}` is too short for an id; at least {SHORTEST_PREFIX} characters");
        return Err(Error::usage(what, "`segue list` shows the ids"));
    }
    let (Search { mut found, unreadable, empty, .. }, closed) = matching(world, harness, id);
    if found.len() > 1 {
        found.iter_mut().take(MOST_CANDIDATES).for_each(Found::look_at_all);
        let candidates = found.iter().map(candidate).collect();
        return Err(Error::Ambiguous { wanted: id.to_owned(), candidates });
    }
    if let Some(found) = found.pop() {
        return Chosen::found(found);
    }
    if let Some(why) = unreadable.into_iter().chain(empty).find(|error| is_named(error, id)) {
        return Err(why_not(why, harness));
    }
    if let Some((name, _)) = id.split_once(':') {
        let names: Vec<_> = harness::ALL.iter().map(|one| one.name()).collect();
        let what = format!("no session has the id `{id}`, and `{name}` is no harness");
        return Err(Error::usage(what, format!("{}, as in HARNESS:ID", names.join(", "))));
    }
    if let Some(closed) = closed {
        return Err(closed_folder(&closed, id));
    }
    let wanted = format!("with the id `{id}`");
    Err(Error::NoSession {
        wanted,
        looked_in: places(world, harness),
        everywhere: false,
        near: None,
    })
}

/// Says that the session that is meant may lie where nobody could look.
fn closed_folder(error: &Error, id: &str) -> Error {
    let path = match error {
        Error::Read { path, .. } => path.clone(),
        other => other.to_string(),
    };
    let why = format!("could not be looked into, and no session elsewhere has the id `{id}`");
    Error::NotASession { path, why, hint: error.hint() }
}

/// Tells whether an error is about a file whose name has an id in it that begins with `id`.
fn is_named(error: &Error, id: &str) -> bool {
    let (Error::Read { path, .. } | Error::NotASession { path, .. }) = error else { return false };
    let name = Utf8Path::new(path).file_name().unwrap_or_default().to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    id_places(stem).any(|at| stem[at..].starts_with(&id.to_lowercase()))
}

/// Returns where an id may begin in the name of a file: at its start, and where a whole id or the start of one that
/// has no other part stands at its end.
fn id_places(stem: &str) -> impl Iterator<Item = usize> {
    let parts = stem.match_indices(['-', '_']).map(|(at, _)| at + 1);
    let is_id = |rest: &str| match rest.len() {
        36 => uuid::Uuid::parse_str(rest).is_ok(),
        _ => rest.len() >= 8 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()),
    };
    // The last part of a whole id is none.
    let whole = stem.len().checked_sub(36).filter(|at| stem.get(*at..).is_some_and(is_id));
    std::iter::once(0).chain(
        parts.filter(move |at| whole.is_none_or(|whole| *at <= whole) && is_id(&stem[*at..])),
    )
}

/// Says what a file is that is no session, as if it had been given by its path.
fn why_not(error: Error, harness: Option<&'static dyn Harness>) -> Error {
    let Error::NotASession { path, .. } = &error else { return error };
    let read = Input::file(Utf8Path::new(path)).and_then(|input| Chosen::given(input, harness));
    read.err().unwrap_or(error)
}

/// Returns what `id` fits, and the files named so that cannot be read; a whole id fits only its own
/// session. With it comes the first place that could not be looked into.
///
/// Harnesses put the id or its start into the name of the file, so that mostly a few files have to
/// be opened. All are, if those are not it: a file may have been renamed.
fn matching(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    id: &str,
) -> (Search, Option<Error>) {
    let (all, closed) = files(world, harness, None);
    let start: String = id.chars().take(IN_FILE_NAMES).collect::<String>().to_lowercase();
    let named = |name: &str| name.to_lowercase().contains(&start);
    let (likely, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|file| named(file.name()));
    let fitting = |files: &[_]| {
        let mut search = headers(files, (Look::Ends, world));
        let (mut found, _) = one_per_id(std::mem::take(&mut search.found));
        found.retain(|found| id_matches(&found.header, id));
        if found.iter().any(|found| found.header.id.eq_ignore_ascii_case(id)) {
            found.retain(|found| found.header.id.eq_ignore_ascii_case(id));
        }
        Search { found, ..search }
    };
    let mut search = fitting(&likely);
    // Side sessions come before what may have been renamed, for which all is opened.
    if search.found.is_empty() {
        search.found = fitting(&side_files(world, harness, id)).found;
    }
    if search.found.is_empty() {
        search.found = fitting(&others).found;
    }
    (search, closed.into_iter().next())
}

/// Tells whether `id` is the id of a session or the start of it; a side session must be named in
/// full.
pub fn id_matches(header: &Header, id: &str) -> bool {
    let start = header.id.get(..id.len());
    let starts = start.is_some_and(|start| start.eq_ignore_ascii_case(id));
    starts && (!header.is_side || header.id.len() == id.len())
}

/// Returns the line that tells of a session where several may be meant.
pub fn candidate(found: &Found) -> String {
    let header = &found.header;
    let title = header.title.as_deref().unwrap_or("(no title)");
    let minute = |ended: jiff::Timestamp| ended.strftime("%Y-%m-%d %H:%M").to_string();
    let ended = found.ended().map_or_else(|| "no time".to_owned(), minute);
    let id: Vec<&str> = header.id.split_whitespace().collect();
    format!("{}:{}  {ended}  {title}", found.harness.name(), id.join(" "))
}

/// The ids of sessions and the names of files that the start of an id may not fit too.
pub struct Ids(String);

impl Ids {
    /// Takes all of them; what is named twice counts once.
    pub fn new<'a>(all: impl Iterator<Item = &'a str>) -> Self {
        let mut all: Vec<&str> = all.collect();
        all.sort_unstable();
        all.dedup();
        Self(all.join("\n"))
    }

    /// Returns the start of `id` that fits nothing but `own`, its names; at least eight characters.
    pub fn shortest<'a>(&self, id: &'a str, own: &[&str]) -> &'a str {
        let own: BTreeSet<&str> = own.iter().copied().collect();
        let ends = id.char_indices().map(|(at, _)| at).skip(IN_FILE_NAMES);
        let is_own = |start: &&str| {
            let finder = memchr::memmem::Finder::new(start.as_bytes());
            let count = |text: &str| finder.find_iter(text.as_bytes()).count();
            count(&self.0) <= own.iter().map(|name| count(name)).sum()
        };
        let starts = ends.map(|end| &id[..end]).filter(|start| !start.ends_with('-'));
        starts.into_iter().find(is_own).unwrap_or(id)
    }
}
