//! Which sessions a pack is made of, and what is found in them.

use camino::Utf8Path;
use jiff::Timestamp;

use super::Cli;
use super::list::{Since, since_told};
use super::session::{SessionArgs, choose, newest_of_project, place_told};
use super::until::{self, Point};
use super::voted::{self, edited};
use super::{kept, pack};
use crate::derive::{self, Facts, Warning, WarningCode};
use crate::discover::{self, Found, Look, Meant, Project, Where, World};
use crate::error::{Error, Result};
use crate::harness::{Harness, Sink, Want};
use crate::jsonl::Input;
use crate::model::{Body, Header, Item, Origin, SentPack, Session};

/// How many sessions `--since` packs at most, unless `--sessions` says otherwise.
const MOST_SESSIONS: usize = 12;
/// In how many sessions the requests are searched for a hint, where titles and folders leave it
/// open.
const MOST_SEARCHED: usize = 50;

// Which sessions of the project.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ScopeArgs {
    /// Pack this many of the project's newest sessions together, of whatever harness
    #[arg(long, value_name = "N", value_parser = at_least_one, conflicts_with = "session",
          allow_negative_numbers = true)]
    sessions: Option<usize>,

    /// Pack the sessions that ended since then: 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time
    /// in UTC such as 2026-01-02T15:04
    #[arg(long, value_name = "TIME", value_parser = Since::read, conflicts_with = "session",
          allow_hyphen_values = true)]
    since: Option<Since>,

    /// Take the session that has these words in its title, folder or requests
    #[arg(long, value_name = "WORDS", conflicts_with = "session", allow_hyphen_values = true)]
    hint: Option<String>,

    /// How many of the newest sessions are passed over, where the newest is wanted.
    #[arg(skip)]
    past: usize,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "it takes a whole number from 1 on".to_owned())
}

impl ScopeArgs {
    /// How many sessions are wanted at most.
    fn most(&self) -> usize {
        let by_time = if self.since.is_some() { MOST_SESSIONS } else { 1 };
        self.sessions.unwrap_or(by_time)
    }

    /// Tells whether it is the newest session that is wanted, and no other one.
    pub(super) fn is_of_newest(&self) -> bool {
        !self.wants_several() && self.hint.is_none()
    }

    /// Returns the same with as many of the newest sessions passed over.
    pub(super) fn past(&self, past: usize) -> Self {
        Self { past, ..self.clone() }
    }

    fn wants_several(&self) -> bool {
        self.sessions.is_some() || self.since.is_some()
    }
}

/// What was found, and in which sessions.
pub(super) struct Derived {
    /// The facts of all of them.
    pub(super) facts: Facts,
    /// The sessions, newest first, as far as derive looks at them.
    pub(super) sessions: Vec<Session>,
    /// The command that looks up ids, where the session is not found by its own id.
    pub(super) fetch: Option<String>,
}

/// Returns what is found in the sessions that are meant.
///
/// One session alone is read as it was at `until`.
pub(super) fn found(
    args: &SessionArgs,
    scope: &ScopeArgs,
    until: Option<&Point>,
    cli: &Cli,
) -> Result<Derived> {
    let Some((world, harness)) = newest_of_project(args, cli)? else {
        let chosen = choose(args, cli)?;
        let _progress = cli.progress("reading the session");
        let fetch = pack::fetch_by(args.session.as_deref());
        return Ok(Derived { fetch, ..read(chosen.harness, chosen.input, until)? });
    };
    let project = world.project();
    let progress = cli.progress("looking at sessions");
    let watched = world.watched(&progress);
    let search = Search { world: &watched, harness, project: &project, scope };
    let Wanted { found, more, unreadable, passed_over, newest } = search.meant()?;
    if found.is_empty() {
        return Err(search.nothing(newest));
    }
    drop(progress);
    for one in &found {
        let place = place_told(&one.header, &world);
        cli.say_found(one.harness, (&one.header, &place), found.len() == 1);
    }
    if let Some(newest) = found.first().filter(|_| scope.is_of_newest() && scope.past == 0) {
        cli.say_newer_elsewhere(&world, harness, &newest.header);
    }
    cli.say_passed_over(passed_over);
    cli.say_unreadable(unreadable, "`segue list -v`");
    let progress = cli.progress("reading the sessions");
    progress.of(found.len());
    let mut gathered = Gathered::default();
    for one in found.iter() {
        gathered.take(one, &world, until, found.len() > 1)?;
        progress.step();
    }
    gathered.warnings.extend(more.map(more_sessions));
    gathered.end()
}

/// Reads one session, as it was at `until` if that is given.
pub(super) fn read(
    harness: &'static dyn Harness,
    input: Input,
    until: Option<&Point>,
) -> Result<Derived> {
    let input = until::perhaps_cut(harness, input, until)?;
    let session = kept::read(harness, &input)?;
    Ok(Derived { facts: derive::derive(&session), sessions: vec![session], fetch: None })
}

/// The sessions that are wanted.
struct Wanted {
    /// Newest first.
    found: Vec<Found>,
    /// How many are packed, where more ended since then.
    more: Option<usize>,
    /// How many files could not be read.
    unreadable: usize,
    /// How many were passed over that a program ran and that left nothing.
    passed_over: usize,
    /// When the newest ended of all that could be meant at another time.
    newest: Option<Timestamp>,
}

/// Where sessions are looked for, and which are wanted.
struct Search<'a> {
    world: &'a World<'a>,
    harness: Option<&'static dyn Harness>,
    project: &'a Project,
    scope: &'a ScopeArgs,
}

impl Search<'_> {
    /// Returns the sessions that are meant.
    fn meant(&self) -> Result<Wanted> {
        let (scope, most) = (self.scope, self.scope.most());
        // In a folder that holds everything there is no project, and a hint searches everywhere.
        let everywhere = self.project.is_alone() && scope.hint.is_some();
        let project = (!everywhere).then_some(self.project);
        let look = if scope.hint.is_some() { Look::Whole } else { Look::Ends };
        let looked = discover::going_on(self.world, self.harness, project, look);
        let (unreadable, mut found) = (looked.lost(), looked.found);
        let is_of_it = |one: &&Found| project.is_none_or(|project| project.holds(&one.header));
        let newest = found.iter().find(is_of_it).and_then(Found::ended);
        if let Some(since) = scope.since {
            let start = since.start(Timestamp::now());
            found.retain(|one| one.ended().is_some_and(|ended| ended >= start));
        }
        let is_told_of_more = scope.sessions.is_none() && scope.since.is_some();
        let mut passed = Vec::new();
        let votes = |one: &Found, project: &Project| voted::votes(one, project, self.world);
        found = match (project, &scope.hint) {
            (None, _) => found,
            (Some(project), Some(_)) => discover::belonging(found, project, &votes).collect(),
            (Some(project), None) => {
                let belonging = discover::belonging(found, project, &votes);
                // One more than is packed, where it is said whether there is more: to find it, others are read.
                let more = usize::from(is_told_of_more);
                let most = most.saturating_add(more + scope.past);
                // Of several some may hold others whole.
                let more = if scope.wants_several() { discover::MOST_COPIES } else { 0 };
                let found = discover::to_go_on_with(belonging, most.saturating_add(more));
                passed = found.1;
                found.0
            }
        };
        if let Some(hint) = &scope.hint {
            found = hinted(found, hint, scope.wants_several())?;
        }
        if scope.wants_several() {
            found = discover::without_held(found);
        }
        found.drain(..scope.past.min(found.len()));
        let is_cut = found.len() > most && is_told_of_more;
        found.truncate(most);
        let passed_over = discover::in_place_of(&passed, &found, most);
        found.iter_mut().for_each(Found::look_at_all);
        Ok(Wanted { found, more: is_cut.then_some(most), unreadable, passed_over, newest })
    }

    fn nothing(&self, newest: Option<Timestamp>) -> Error {
        let mut wanted = String::new();
        if let Some(hint) = &self.scope.hint {
            wanted = format!("with words of `{hint}` ");
        }
        let everywhere = self.project.is_alone() && self.scope.hint.is_some();
        let of = if everywhere { "of any project".to_owned() } else { self.project.told() };
        if self.scope.hint.is_none() && self.scope.since.is_none() {
            return discover::nothing_to_go_on(self.world, self.harness);
        }
        wanted += &of;
        if self.scope.since.is_some() {
            wanted += &since_told(newest.filter(|_| self.scope.hint.is_none()));
        }
        let looked_in = discover::places(self.world, self.harness);
        Error::NoSession { wanted, looked_in, everywhere, near: None }
    }
}

/// What was read of the sessions so far.
#[derive(Default)]
struct Gathered {
    facts: Vec<Facts>,
    sessions: Vec<Session>,
    warnings: Vec<Warning>,
}

impl Gathered {
    /// Reads one more session; among several one that cannot be read is warned of.
    fn take(
        &mut self,
        one: &Found,
        world: &World<'_>,
        until: Option<&Point>,
        is_of_several: bool,
    ) -> Result<()> {
        let read = one.open().and_then(|input| read(one.harness, input, until));
        let Derived { mut facts, sessions, .. } = match read {
            Err(error) if is_of_several => {
                self.warnings.push(unreadable(&error));
                return Ok(());
            }
            read => read?,
        };
        let name = format!("S{}", self.facts.len() + 1);
        facts.warnings.extend(edits_elsewhere(&facts, world, name));
        self.facts.push(facts);
        self.sessions.extend(sessions);
        Ok(())
    }

    fn end(self) -> Result<Derived> {
        let message = self.warnings.first().map(|warning| warning.message.clone());
        let Some(mut facts) = derive::merge(self.facts) else {
            let what = message.unwrap_or_else(|| "no session could be read".to_owned());
            return Err(Error::usage(what, "`segue list` shows the sessions that there are"));
        };
        facts.warnings.extend(self.warnings);
        Ok(Derived { facts, sessions: self.sessions, fetch: None })
    }
}

/// Warns if a session changed most of its files in another repository than where it began.
fn edits_elsewhere(facts: &Facts, world: &World<'_>, name: String) -> Option<Warning> {
    let root = edited(facts, world)?;
    let folder = Utf8Path::new(facts.session.cwd.as_deref()?);
    let around = root.starts_with(folder) && !world.wide().has(folder);
    let is_elsewhere = !folder.starts_with(&root) && !around;
    is_elsewhere.then(|| Warning {
        code: WarningCode::EditsElsewhere,
        message: format!(
            "{name} began in {folder}, but most of its changes lie in the repository {root}"
        ),
        sessions: vec![name],
        folder: Some(root.into_string()),
    })
}

fn more_sessions(packed: usize) -> Warning {
    Warning {
        code: WarningCode::MoreSessions,
        message: format!(
            "more sessions ended since then than the {packed} newest that are packed; \
             `--sessions N` packs more"
        ),
        sessions: Vec::new(),
        folder: None,
    }
}

fn unreadable(error: &Error) -> Warning {
    Warning {
        code: WarningCode::UnreadableSession,
        message: format!("a session is left out: {error}"),
        sessions: Vec::new(),
        folder: None,
    }
}

/// Returns the sessions that the words of a hint mean: one, or where several are wanted all that
/// have enough of them. Titles and folders decide; the requests are read where these leave it open.
fn hinted(found: Vec<Found>, hint: &str, wants_several: bool) -> Result<Vec<Found>> {
    let words = discover::hint_words(hint);
    if words.is_empty() {
        let what = format!("`{hint}` holds no word to look for");
        return Err(Error::usage(what, "--hint with words of the title or the request"));
    }
    let said = |scores: &[u32]| match wants_several {
        true => discover::all_meant(scores),
        false => discover::one_meant(scores),
    };
    let by_header: Vec<_> = found.iter().map(|one| scored(&words, one, "")).collect();
    let (mut scores, mut meant) = (by_header.clone(), said(&by_header));
    if wants_several || !matches!(meant, Meant::Sure(_)) {
        let read = |(index, one): (usize, &Found)| match index < MOST_SEARCHED {
            true => scored(&words, one, &requests(one)),
            false => by_header[index],
        };
        scores = found.iter().enumerate().map(read).collect();
        meant = said(&scores);
    }
    if !wants_several {
        meant = of_copies(&found, &mut scores, meant, &words);
    }
    match meant {
        Meant::Nothing => Ok(Vec::new()),
        Meant::Sure(chosen) => Ok(at(found, &chosen)),
        Meant::Unsure(maybe) => {
            // Far below the best are those that have but a common word; what a program ran by the way quotes all
            // kinds of words.
            let best = maybe.iter().find(|at| !found[**at].header.is_automatic).or(maybe.first());
            let least = best.map_or(0, |best| scores[*best].div_ceil(2));
            let maybe = maybe.into_iter().filter(|at| scores[*at] >= least).collect::<Vec<_>>();
            let (maybe, _) = discover::to_go_on_with(at(found, &maybe).into_iter(), usize::MAX);
            if maybe.len() == 1 {
                return Ok(maybe);
            }
            let candidates = maybe.iter().map(discover::candidate).collect();
            Err(Error::Unsure { hint: hint.to_owned(), candidates })
        }
    }
}

/// Returns what a hint means where several sessions are one conversation: of these it means the one that holds the
/// others, the newest if they are the same, whichever has more of its words.
fn of_copies(found: &[Found], scores: &mut [u32], meant: Meant, words: &[String]) -> Meant {
    let mut maybe: Vec<usize> = match &meant {
        Meant::Nothing => return meant,
        Meant::Sure(chosen) => {
            let is_kin = |one: &Found| {
                let mut chosen = chosen.iter().filter_map(|at| found.get(*at));
                chosen.any(|it| discover::may_be_one(&it.header, &one.header))
            };
            (0..found.len()).filter(|at| chosen.contains(at) || is_kin(&found[*at])).collect()
        }
        Meant::Unsure(maybe) => maybe.clone(),
    };
    maybe.sort_unstable();
    let all: Vec<&Found> = maybe.iter().map(|at| &found[*at]).collect();
    let mut is_changed = false;
    for (at, holder) in maybe.iter().zip(discover::holders(&all, Some(words))) {
        if let Some(holder) = holder {
            let score = std::mem::take(&mut scores[*at]);
            let holder = &mut scores[maybe[holder]];
            *holder = score.max(*holder);
            is_changed = true;
        }
    }
    if is_changed { discover::one_meant(scores) } else { meant }
}

/// Returns the elements at `places`, in their order.
fn at(found: Vec<Found>, places: &[usize]) -> Vec<Found> {
    let mut found: Vec<_> = found.into_iter().map(Some).collect();
    places.iter().filter_map(|place| found.get_mut(*place)?.take()).collect()
}

fn scored(words: &[String], one: &Found, requests: &str) -> u32 {
    let header = &one.header;
    let folders = [header.cwd.as_deref(), header.project.as_deref(), header.git.branch.as_deref()];
    let folder = folders.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let title = header.title.as_deref().unwrap_or_default();
    discover::score(words, &Where { title, folder: &folder, requests })
}

/// Returns what the user asked for in a session; nothing if it cannot be read.
fn requests(one: &Found) -> String {
    let mut requests = Requests::default();
    let read =
        one.open().and_then(|input| one.harness.read(&input, Want::default(), &mut requests));
    read.map_or_else(|_| String::new(), |_| requests.0)
}

/// Keeps the words of the user alone.
#[derive(Default)]
struct Requests(String);

impl Sink for Requests {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                self.0.push_str(&message.words());
                self.0.push('\n');
                // What had been asked for in the session that this one goes on with.
                let sent = message.sent();
                let pack = SentPack::first_in(&sent);
                let quoted = pack.into_iter().flat_map(|pack| [pack.goal(), pack.before()]);
                quoted.flatten().for_each(|words| self.0.push_str(&(words + "\n")));
            }
            _ => {}
        }
        Ok(())
    }
}
