//! The items that count, with each call beside its result.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

pub(super) use super::done::{Done, End};
use super::outcomes::not_found;
use super::pairs::Results;
use super::place::{is_whole, one_form, relative, without_ways_up};
use super::stopped::Killers;
use super::sure::walk;
use super::written::{Written, written_by};
use super::{agents, farewell, shell};
use crate::model::{
    Action, Body, Header, Item, Message, Origin, Part, Session, ToolCall, ToolKind, ToolResult,
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
        let results = Results::new(shared, &items);
        let done = done(&items, &results, session);
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
    session: &'s Session,
) -> Vec<Done<'s>> {
    let (cwd, unwraps) = (session.header.cwd.as_deref().unwrap_or_default(), &*session.unwraps);
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
    let is_told = session.begins_home
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
        Done {
            item,
            call,
            result,
            is_shared,
            index,
            cwd,
            unwraps,
            is_home: before,
            end: None,
            fell: false,
        }
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

/// Says that the shell was taken back to a folder, at the end of an output.
const TAKEN_BACK: &str = "was reset to ";
/// How many bytes of an output can hold that.
const END_BYTES: usize = 1024;

/// Whether a result says that the shell is in the session's folder again.
fn is_taken_home(result: &ToolResult<'_>, cwd: &str) -> bool {
    let last = result.output.iter().rev().find_map(Part::as_text).map(|text| text.end(END_BYTES));
    let row = last.as_deref().and_then(|text| text.trim_end().lines().next_back());
    let to = row.and_then(|row| row.rsplit_once(TAKEN_BACK));
    to.is_some_and(|(_, to)| one_form(to) == one_form(cwd))
}
