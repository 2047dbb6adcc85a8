//! The items that count, with each call beside its result.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use memchr::memmem::Finder;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::agents;
use super::farewell;
use super::outcomes::{not_found, says_failed, was_lost};
use super::pairs::Results;
use super::place::{is_whole, one_form, relative, without_ways_up};
use super::shell;
use super::stopped::Killers;
use super::sure::walk;
use super::text;
use super::written::{Written, written_by};
use crate::model::{
    Action, Body, Header, Item, Message, Origin, Part, Session, Status, ToolCall, ToolKind,
    ToolResult,
};

/// The history of a session as the stages of derive see it.
pub(super) struct Timeline<'s> {
    pub header: &'s Header,
    /// In file order.
    pub items: Vec<&'s Item<'static>>,
    /// How many of them come before the thanks with which the session ends.
    farewell: usize,
    /// What the tool of each call is for.
    kinds: FxHashMap<&'s str, ToolKind>,
    /// The calls that nobody made: the harness told by itself how something ended.
    told: HashSet<&'s str>,
    /// Every call with its result.
    done: Vec<Done<'s>>,
    /// The commands that matter on the line of each, taken apart when somebody asks first.
    parts: Vec<OnceCell<Vec<String>>>,
    /// The programs that the shell of each did not find, in the same way.
    missed: Vec<OnceCell<HashSet<String>>>,
    /// The files that the line of each wrote, in the same way.
    written: Vec<OnceCell<Vec<Written>>>,
    /// The calls that end what runs, in the same way.
    killers: OnceCell<Killers>,
}

/// A tool call with what came of it.
#[derive(Clone, Copy)]
pub(super) struct Done<'s> {
    pub item: &'s Item<'static>,
    pub call: &'s ToolCall<'static>,
    pub result: Option<&'s ToolResult<'static>>,
    /// Whether the result is that of a script with several calls, whose outputs nobody tells apart.
    pub is_shared: bool,
    /// Counts the calls from 0.
    pub index: usize,
    /// The folder of the session.
    pub cwd: &'s str,
    /// Whether the shell was in that folder before it, as far as the commands tell.
    pub is_home: bool,
    /// How what it began came to its end, where it came back before that.
    pub end: Option<End<'s>>,
    /// Whether it is known to have failed, though its exit code does not tell: that of a pipe, or of what was only begun.
    pub fell: bool,
}

/// How what a call began came to its end after the call had come back.
#[derive(Clone, Copy)]
pub(super) struct End<'s> {
    /// The result of the call by which that was told.
    result: &'s ToolResult<'static>,
    /// That of the call which shows what was printed last; none where nothing does, since the harness only told how it
    /// ended.
    shown: Option<&'s ToolResult<'static>>,
    /// Whether that reads a file.
    is_read: bool,
    /// The number of the call by which it was over.
    pub over: usize,
}

/// Where it is told, by the numbers of the calls, how a call ended.
pub(super) struct Ending {
    /// The call that ended.
    pub began: usize,
    /// That by which it was told.
    pub told: usize,
    /// That which shows what was printed last.
    pub over: usize,
    /// Whether it failed, though no exit code says so.
    pub fell: bool,
}

impl<'s> Timeline<'s> {
    pub(super) fn new(session: &'s Session) -> Self {
        let is_history = agents::is_history(&session.items);
        let mut items: Vec<_> = session.items.iter().filter(|item| is_history(item)).collect();
        let half = items.len() / 2;
        let mut kinds = FxHashMap::with_capacity_and_hasher(half, FxBuildHasher);
        let (mut told, mut shared) = (HashSet::new(), FxHashSet::default());
        for item in &items {
            if let Body::ToolCall(call) = &item.body {
                if kinds.insert(call.call_id.as_ref(), call.kind).is_some() {
                    shared.insert(call.call_id.as_ref());
                }
                if matches!(call.action.as_deref(), Some(Action::Wait { is_told: true, .. })) {
                    told.insert(call.call_id.as_ref());
                }
            }
        }
        let cwd = session.header.cwd.as_deref().unwrap_or_default();
        let results = Results::new(shared, &items);
        let done = done(&items, &results, cwd, session.begins_home);
        let (parts, missed, written) = (Vec::new(), Vec::new(), Vec::new());
        items.retain(|item| item.side_session.is_none());
        let has_agents = done.iter().any(Done::is_by_agent);
        let farewell = farewell::begins(&items);
        let header = &session.header;
        let mut made = Self {
            header,
            items,
            farewell,
            kinds,
            told,
            done,
            parts,
            missed,
            written,
            killers: OnceCell::new(),
        };
        if has_agents {
            made.parts = vec![OnceCell::new(); made.done.len()];
            made.written = vec![OnceCell::new(); made.done.len()];
            made.done = agents::what_matters(&made);
        }
        made.parts = vec![OnceCell::new(); made.done.len()];
        made.missed = vec![OnceCell::new(); made.done.len()];
        made.written = vec![OnceCell::new(); made.done.len()];
        made
    }

    /// Returns every call with its result, in order, also what other agents did for the session and matters to it.
    ///
    /// A script that made calls of its own is left out: the calls say what it did.
    pub(super) fn done(&self) -> impl DoubleEndedIterator<Item = Done<'s>> + '_ {
        self.done.iter().copied()
    }

    /// Takes in how calls ended of which their own results do not tell it.
    pub(super) fn take_in_ends(&mut self, endings: Vec<Ending>) {
        for Ending { began, told, over, fell } in endings {
            let result = |at: usize| self.done.get(at).and_then(|done| done.result);
            let last = self.done.get(over).filter(|done| self.is_deed(done.item));
            let is_read = last.is_some_and(|done| done.call.kind == ToolKind::Read);
            let shown = last.and_then(|done| done.result);
            let end = result(told).filter(|_| told != began);
            let end = end.map(|result| End { result, shown, is_read, over });
            if let Some(done) = self.done.get_mut(began).filter(|done| !done.failed()) {
                done.end = done.end.or(end);
                done.fell |= fell;
            }
        }
    }

    /// Returns the calls that the session's own agent, or the human, made.
    pub(super) fn own(&self) -> impl DoubleEndedIterator<Item = Done<'s>> + '_ {
        self.done().filter(|done| !done.is_by_agent())
    }

    /// Returns where a call stands among the items; of another agent's, before which of them it was made.
    pub(super) fn place_of(&self, done: &Done<'_>) -> Option<usize> {
        let is_it = |item: &&Item<'_>| match done.is_by_agent() {
            true => item.line > done.item.line,
            false => std::ptr::eq(*item, done.item),
        };
        let found = self.items.iter().position(is_it);
        found.or(done.is_by_agent().then_some(self.items.len()))
    }

    /// Returns the commands that matter on the line of a call; none where it runs no line.
    pub(super) fn parts(&self, done: &Done<'_>) -> &[String] {
        let Some(cell) = self.parts.get(done.index) else { return &[] };
        cell.get_or_init(|| done.command().map(shell::parts).unwrap_or_default())
    }

    /// Returns the programs that the shell of a call did not find.
    pub(super) fn not_found(&self, done: &Done<'_>) -> Option<&HashSet<String>> {
        let cell = self.missed.get(done.index)?;
        Some(cell.get_or_init(|| not_found(done))).filter(|missed| !missed.is_empty())
    }

    /// Returns the calls that end what runs.
    pub(super) fn killers(&self) -> &Killers {
        self.killers.get_or_init(|| Killers::new(self))
    }

    /// Returns the files that the command line of a call wrote; paths from the session's folder.
    pub(super) fn written(&self, done: &Done<'_>) -> &[Written] {
        let Some(cell) = self.written.get(done.index) else { return &[] };
        cell.get_or_init(|| written_by(self, done))
    }

    /// Returns the last call that the agent made; that it waited says nothing once it came back.
    pub(super) fn last(&self) -> Option<Done<'s>> {
        let waited = |done: &Done<'_>| {
            matches!(done.call.action.as_deref(), Some(Action::Wait { .. }))
                && done.result.is_some()
        };
        let last = || self.own().rev().filter(|done| self.is_deed(done.item));
        last().find(|done| !waited(done)).or_else(|| last().next())
    }

    /// Whether an item is a call or a result of the agent, and not only told by the harness.
    pub(super) fn is_deed(&self, item: &Item<'_>) -> bool {
        match &item.body {
            Body::ToolCall(ToolCall { call_id, .. })
            | Body::ToolResult(ToolResult { call_id, .. }) => !self.told.contains(call_id.as_ref()),
            _ => false,
        }
    }

    /// Returns what the tool of a call is for.
    pub(super) fn kind(&self, call_id: &str) -> Option<ToolKind> {
        self.kinds.get(call_id).copied()
    }

    /// Returns the items but for thanks, and the answer to them, with which the session ends.
    pub(super) fn until_farewell(&self) -> &[&'s Item<'static>] {
        &self.items[..self.farewell]
    }

    /// Returns the messages of the human, in order, but for thanks at the end.
    pub(super) fn requests(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&'s Item<'static>, &'s Message<'static>)> + '_ {
        self.messages().filter(|(_, message)| message.origin == Origin::Human)
    }

    fn messages(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&'s Item<'static>, &'s Message<'static>)> + '_ {
        self.until_farewell().iter().filter_map(|item| match &item.body {
            Body::Message(message) => Some((*item, message)),
            _ => None,
        })
    }

    /// Returns a path of the command line of a call as it is called in the project; nothing if nobody
    /// knows where it ran, or if it goes up from there.
    pub(super) fn place(&self, done: &Done<'_>, path: &str) -> Option<String> {
        let Some(Action::Shell { command, cwd, .. }) = done.call.action.as_deref() else {
            return None;
        };
        if done.went_nowhere() {
            return None;
        }
        // A line that goes home first is told from there.
        let is_home = done.is_home || done.command().is_some_and(|line| line.len() < command.len());
        let whole = match cwd {
            _ if is_whole(path) => path.to_owned(),
            Some(cwd) => format!("{}/{path}", cwd.trim_end_matches('/')),
            None if is_home => path.to_owned(),
            None => return None,
        };
        let path = self.path(without_ways_up(&whole).trim_end_matches('/'));
        (!path.is_empty() && !path.starts_with("..")).then_some(path)
    }

    /// Returns a path that stands on a command line, or in what that printed, as it is called in the
    /// project; `folder` is that in which the line ran.
    pub(super) fn path_in(&self, folder: Option<&str>, path: &str) -> String {
        let home = self.header.cwd.as_deref().unwrap_or_default();
        let is_home =
            |folder: &str| matches!(folder.strip_prefix("~/"), Some(rest) if home.ends_with(rest));
        let is_whole = path.starts_with(['/', '~']) || path.contains(":/");
        match folder.filter(|folder| !is_whole && !is_home(folder)) {
            Some(folder) => self.path(&without_ways_up(&format!("{folder}/{path}"))),
            None => self.path(path),
        }
    }

    /// Returns a path as it is called in the project.
    pub(super) fn path(&self, path: &str) -> String {
        relative(path, self.header.cwd.as_deref().unwrap_or_default())
    }
}

/// Puts each call beside its result.
fn done<'s>(
    items: &[&'s Item<'static>],
    results: &Results<'s>,
    cwd: &'s str,
    begins_home: bool,
) -> Vec<Done<'s>> {
    let calls = || {
        items.iter().enumerate().filter_map(|(place, item)| match &item.body {
            Body::ToolCall(call) => Some((place, *item, call)),
            _ => None,
        })
    };
    let mut parents: HashMap<&str, usize> = HashMap::new();
    for parent in calls().filter_map(|(.., call)| call.parent_call.as_deref()) {
        *parents.entry(parent).or_default() += 1;
    }
    let own = calls().filter(|(.., call)| !parents.contains_key(call.call_id.as_ref()));
    let mut is_home = true;
    // Where calls say in which folder they run, each begins anew.
    let is_told = begins_home
        || calls().any(|(.., call)| {
            matches!(call.action.as_deref(), Some(Action::Shell { cwd: Some(_), .. }))
        });
    type Placed<'s> = (usize, &'s Item<'static>, &'s ToolCall<'static>);
    let pair = |(index, (place, item, call)): (usize, Placed<'s>)| {
        let own = results.of(place, call);
        let parent = call.parent_call.as_deref();
        let is_shared =
            own.is_none() && parent.is_some_and(|id| parents.get(id).is_some_and(|of| *of > 1));
        let of_script = || parent.and_then(|id| results.by_id.get(id)).copied();
        // Another agent has a shell of its own.
        let is_side = item.side_session.is_some();
        let (before, result) = (is_home || is_side, own.or_else(of_script));
        let is_run = !is_told && !is_side && !result.is_some_and(|result| result.rejected);
        if let Some(ends) = ends_home(call, cwd).filter(|_| is_run) {
            is_home = ends || result.is_some_and(|result| is_taken_home(result, cwd));
        }
        Done { item, call, result, is_shared, index, cwd, is_home: before, end: None, fell: false }
    };
    own.enumerate().map(pair).collect()
}

/// Whether a call leaves the shell in the session's folder; nothing if it leaves it where it was.
fn ends_home(call: &ToolCall<'_>, cwd: &str) -> Option<bool> {
    let Some(Action::Shell { command, cwd: None, .. }) = call.action.as_deref() else {
        return None;
    };
    if !["cd ", "pushd ", "popd"].iter().any(|word| command.contains(word)) {
        return None;
    }
    // A subshell leaves the shell where it is.
    if command.trim_start().starts_with('(') {
        return None;
    }
    match walk(command, |_| ()).as_deref() {
        Some("") => None,
        folder => Some(folder.is_some_and(|to| one_form(to) == one_form(cwd))),
    }
}

/// How many bytes a shell writes of itself before what fails in it, such as `bash: line 1: cd: `.
const SHELL_BYTES: usize = 24;
/// Why a shell cannot go to a folder.
const NO_FOLDER: &[&str] = &["no such file or directory", "permission denied", "not a directory"];

/// Returns the folder to which a shell says that it cannot go: `cd: x: No such file or directory`, or
/// `cd: no such file or directory: x`.
fn not_there(row: &str) -> Option<&str> {
    // A shell names itself first; other text has it somewhere.
    let at = row.find("cd:").filter(|at| *at < SHELL_BYTES)?;
    let (one, two) = row[at + "cd:".len()..].trim().rsplit_once(": ")?;
    let is_why = |text: &str| NO_FOLDER.contains(&text.to_ascii_lowercase().as_str());
    match (is_why(one), is_why(two)) {
        (true, _) => Some(two),
        (false, is_why) => is_why.then_some(one),
    }
}

/// Says that the shell was taken back to a folder, at the end of an output.
const TAKEN_BACK: &str = "was reset to ";
/// How many bytes of an output can hold that.
const END_BYTES: usize = 1024;

/// Whether a result says that the shell is in the session's folder again.
fn is_taken_home(result: &ToolResult<'_>, cwd: &str) -> bool {
    let last = result.output.iter().rev().find_map(|part| match part {
        Part::Text(text) => Some(text.end(END_BYTES)),
        Part::Blob(_) | Part::Other { .. } => None,
    });
    let row = last.as_deref().and_then(|text| text.trim_end().lines().next_back());
    let to = row.and_then(|row| row.rsplit_once(TAKEN_BACK));
    to.is_some_and(|(_, to)| one_form(to) == one_form(cwd))
}

impl<'s> Done<'s> {
    /// The command line, if the call runs one.
    pub(super) fn command(&self) -> Option<&'s str> {
        match self.call.action.as_deref() {
            Some(Action::Shell { command, .. }) => Some(super::place::at_home(command, self.cwd)),
            _ => None,
        }
    }

    /// Returns the name by which what it began runs on. What has none cannot be waited for, and may have ended long
    /// ago.
    pub(super) fn runs_on_as(&self) -> Option<&'s str> {
        self.result?.out.as_deref().filter(|name| !name.is_empty())
    }

    /// Whether another agent made it.
    pub(super) fn is_by_agent(&self) -> bool {
        self.item.side_session.is_some()
    }

    /// Whether the human ran it.
    pub(super) fn is_by_human(&self) -> bool {
        matches!(self.call.action.as_deref(), Some(Action::Shell { by_human: true, .. }))
    }

    /// Whether a folder to which its line goes was not there, so that all after it ran elsewhere.
    pub(super) fn went_nowhere(&self) -> bool {
        let Some(line) = self.command().filter(|line| line.contains("cd ")) else { return false };
        // A name that the shell puts in is not known.
        let is_of_line = |name: &str| line.contains(name) || line.contains('$');
        let output = self.output();
        output.contains("cd:") && output.lines().filter_map(not_there).any(is_of_line)
    }

    /// The folder in which all of its command line ran, if that goes to one first, or is noted to have
    /// run in another one than the session.
    pub(super) fn folder(&self) -> Option<String> {
        let goes = self.command().and_then(super::place::runs_in);
        let goes = goes.filter(|_| !self.went_nowhere());
        let noted = self.noted_folder();
        match goes {
            Some(to) if !to.starts_with(['/', '~']) && !to.contains(':') => {
                Some(noted.map_or(to.clone(), |folder| format!("{folder}/{to}")))
            }
            goes => goes.or(noted.map(str::to_owned)),
        }
    }

    /// The same, in one form, if it is not the one of the session.
    pub(super) fn folder_elsewhere(&self) -> Option<String> {
        let folder = self.folder().map(|folder| one_form(&folder));
        folder.filter(|folder| *folder != one_form(self.cwd))
    }

    /// The folder in which the shell was, if that is noted and not the session's.
    fn noted_folder(&self) -> Option<&'s str> {
        let Some(Action::Shell { cwd: Some(cwd), .. }) = self.call.action.as_deref() else {
            return None;
        };
        let is_away = one_form(cwd) != one_form(self.cwd);
        is_away.then(|| cwd.trim_end_matches('/'))
    }

    /// The command line as a person would read it, if the call runs one.
    pub(super) fn told(&self) -> Option<String> {
        let one_line = |line: &str| super::place::on_one_line(line);
        self.command().map(|line| one_line(&super::place::in_short(line, self.cwd)))
    }

    /// Whether the call did not do what it should. Where the harness keeps no exit code of what the
    /// human ran, the output tells.
    pub(super) fn failed(&self) -> bool {
        self.result.is_some_and(|result| {
            result.status == Status::Error
                || result.exit_code.is_some_and(|code| code != 0)
                || (self.is_by_human() && result.exit_code.is_none() && says_failed(&self.output()))
        })
    }

    /// Whether the user did not let it run.
    pub(super) fn refused(&self) -> bool {
        self.result.is_some_and(|result| result.rejected)
    }

    /// Whether somebody, or the harness by its rules, did not let it run.
    pub(super) fn was_held_back(&self) -> bool {
        // What has an exit code ran, whatever it printed.
        let is_not_let = |result: &ToolResult<'_>| result.not_let && result.exit_code.is_none();
        self.refused() || self.result.is_some_and(is_not_let)
    }

    /// Whether the harness lost what came out of it: it may have run.
    pub(super) fn is_lost(&self) -> bool {
        self.failed() && was_lost(&self.output())
    }

    /// Whether it is known that it worked.
    pub(super) fn worked(&self) -> bool {
        self.result.is_some_and(|result| result.status == Status::Ok) && !self.failed()
    }

    /// Returns the call with the end of what it began as its result, where that came later.
    pub(super) fn at_end(self) -> Self {
        Self { result: self.end.map(|end| end.result).or(self.result), ..self }
    }

    /// Whether that is the end of what it began: nothing of that comes later.
    pub(super) fn is_at_end(&self) -> bool {
        self.end.is_none_or(|end| self.result.is_some_and(|own| std::ptr::eq(own, end.result)))
    }

    /// Whether a check of it failed, though its exit code says nothing of it.
    pub(super) fn fell_at_once(&self) -> bool {
        self.fell && self.is_at_end()
    }

    /// What came out: the whole text where it was kept, else what the model saw; at the end of what it began, what was
    /// shown of that last.
    pub(super) fn output(&self) -> Cow<'s, str> {
        match self.end.filter(|_| self.is_at_end()) {
            Some(end) if end.is_read => text::without_numbers(&output_of(end.shown)).into(),
            Some(end) => output_of(end.shown),
            None => without_name(output_of(self.result), self.runs_on_as()),
        }
    }

    /// Whether one of some words can stand in its output, before anything is taken from that: most have none, and need
    /// not be looked at.
    pub(super) fn may_print(&self, words: &[Finder<'_>]) -> bool {
        let Some(result) = self.result else { return false };
        let has = |text: &str| words.iter().any(|word| word.find(text.as_bytes()).is_some());
        let has_part = |part: &Part<'_>| matches!(part, Part::Text(text) if has(&text.plain()));
        match &result.persisted {
            Some(whole) => has(&whole.text),
            None => result.output.iter().any(has_part),
        }
    }
}

/// How many bytes stand at most before the name by which something runs on, such as `SESSION_ID=`.
const NAME_LEAD_BYTES: usize = 40;

/// Returns an output without its last row, if that only says by which name it goes on.
fn without_name<'s>(output: Cow<'s, str>, name: Option<&str>) -> Cow<'s, str> {
    let Some(name) = name else { return output };
    let whole = output.trim_end();
    let last = whole.rsplit('\n').next().unwrap_or_default();
    let lead = last.strip_suffix(name).filter(|lead| lead.len() <= NAME_LEAD_BYTES);
    let is_name = lead.is_some_and(|lead| {
        !lead.ends_with(char::is_alphanumeric) && !lead.trim_end().contains(' ')
    });
    let rest = whole.len() - last.len();
    match output {
        output if !is_name => output,
        Cow::Borrowed(output) => Cow::Borrowed(&output[..rest]),
        Cow::Owned(mut output) => {
            output.truncate(rest);
            Cow::Owned(output)
        }
    }
}

fn output_of<'s>(result: Option<&'s ToolResult<'static>>) -> Cow<'s, str> {
    let Some(result) = result else { return Cow::Borrowed("") };
    if let Some(whole) = &result.persisted {
        return text::cleaned(&whole.text);
    }
    let mut texts = result.output.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.plain()),
        Part::Blob(_) | Part::Other { .. } => None,
    });
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(Cow::Borrowed(only)), None) => printed(only),
        (first, second) => {
            let all: Vec<_> = first.into_iter().chain(second).chain(texts).collect();
            Cow::Owned(printed(&all.join("\n")).into_owned())
        }
    }
}

/// Returns what a command printed, without what its harness and its colours put around it.
fn printed(output: &str) -> Cow<'_, str> {
    match text::inner(output) {
        Cow::Borrowed(inner) => text::cleaned(inner),
        Cow::Owned(inner) => Cow::Owned(text::plain(&inner)),
    }
}
