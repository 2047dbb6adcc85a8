//! Lists of work in files: what of them is open at the end, or nobody knows to be.

use super::edited::{edited, ticked_in, ticks_in_loop};
use super::moved::moves;
use super::numbered;
use super::said::{last_words, marked, without_mark};
use crate::derive::files::{is_of_program, is_temporary};
use crate::derive::shows::shown_here;
use crate::derive::text::{self, GAP};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{nods, shell, turns};
use crate::model::{Action, Body, Change, Message, Origin, Verb, goes_on};

/// How many lists are kept in mind, the newest.
const MOST: usize = 16;
/// Folders in which lists are examples of lists.
const EXAMPLES: &[&str] = &[
    "commands",
    "examples",
    "fixtures",
    "issue_template",
    "prompts",
    "snapshots",
    "templates",
    "test",
    "testdata",
    "tests",
];

/// A list of work in a file that can have open boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLeft {
    /// From the session's folder.
    pub path: String,
    /// How many boxes were open when the session saw it last, in words.
    pub told: String,
    /// Whether nothing is known to have changed it since.
    pub is_sure: bool,
}

/// Says how many boxes of a list, of which some are open, `are` or were so: one verb for one, the other for more.
pub fn open_of(open: usize, all: usize, path: &str, are: [&str; 2]) -> String {
    match (open, all) {
        (_, 1) => format!("the only box of `{path}` {}", are[0]),
        (1, _) => format!("1 of {all} boxes of `{path}` {}", are[0]),
        _ => format!("{open} of {all} boxes of `{path}` {}", are[1]),
    }
}

/// Counts the boxes of a text: those without a mark, and all.
pub fn boxes(text: &str) -> (usize, usize) {
    let open = marked(text).filter(|(is_open, _)| *is_open).count();
    (open, marked(text).count())
}

/// A list of boxes that the session wrote or ticked.
pub(super) struct List {
    /// From the session's folder.
    path: String,
    /// The call that changed or showed it last.
    pub(super) item: String,
    /// The turn in which it was changed or seen last.
    turn: u32,
    /// What stood in it then, where that is known.
    text: Option<String>,
    /// The turn of a later change of which nobody knows what it did, and the line of the session in which that stands.
    changed: Option<(u32, u64)>,
    /// Whether work went on after that, or a command line may have changed it.
    is_behind: bool,
    /// Whether the session ticks its boxes off.
    is_ticked: bool,
}

/// Returns the list whose boxes are to be told: the one that the session dealt with last, if all of it is known and no
/// work went on since, else nobody knows which of its boxes are still open.
///
/// In the middle of a turn that is little against knowing none of them: then it is the list that the newest request
/// names, or the last one where the session ticks its boxes off, and the agent has not come to an end since nobody
/// knows of the list.
pub(super) fn at_hand(timeline: &Timeline<'_>) -> Option<List> {
    let is_at_work = last_words(timeline).is_none();
    let mut lists = lists(timeline);
    let is_asked_for = |list: &List| list.text.is_some() && is_asked_for(timeline, list);
    let asked_for = || {
        let named = lists.iter().rposition(is_asked_for);
        named.or_else(|| of_named_box(timeline, &lists))
    };
    match is_at_work.then(asked_for).flatten() {
        Some(at) => Some(lists.remove(at)),
        None => lists.pop().filter(|list| {
            let is_open = || list.is_new(timeline) && !has_ended_since(timeline, list);
            list.is_sure() || is_at_work && list.is_ticked && is_open()
        }),
    }
}

/// Whether the agent came to an end after a list was changed in a way that nobody knows.
fn has_ended_since(timeline: &Timeline<'_>, list: &List) -> bool {
    let Some((_, changed)) = list.changed.filter(|(turn, _)| *turn >= list.turn) else {
        return false;
    };
    let ends = |message: &Message<'_>| message.origin == Origin::Model && !message.interim;
    let mut later = timeline.items.iter().rev().take_while(|item| item.line > changed);
    later.any(|item| matches!(&item.body, Body::Message(message) if ends(message)))
}

/// Whether the newest request names a list.
fn is_asked_for(timeline: &Timeline<'_>, list: &List) -> bool {
    let request = timeline.requests().next_back();
    request.is_some_and(|(_, message)| names(&message.plain(), &list.path))
}

/// Returns the place of the list, the one dealt with last, of which the newest request names a box by its number.
fn of_named_box(timeline: &Timeline<'_>, lists: &[List]) -> Option<usize> {
    let (_, message) = timeline.requests().next_back()?;
    let request = message.plain();
    lists.iter().rposition(|list| numbered::names_box(&request, list.text()))
}

/// Whether somebody names a list: by its path, by what it or its folder alone is called, or by the folder's name as that
/// with which to go on.
fn names(request: &str, path: &str) -> bool {
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_own = |name: &&str| name.contains(['-', '_']);
    let has = |name: &str| request.split(|c| !is_in_name(c)).any(|word| word == name);
    let end = path.strip_suffix(".md").unwrap_or(path);
    let mut own = end.rsplit('/').take(2).filter(is_own);
    let folder = || path.split_once('/').map(|(first, _)| first).filter(|it| !it.is_empty());
    // Many things have the name of a folder.
    let goes_with = |name: &str| {
        let mut words = request.split(|c| !is_in_name(c)).filter(|word| !word.is_empty()).rev();
        words.any(|word| word == name)
            && words.find(|word| *word != "the").is_some_and(|word| numbered::WITH.contains(&word))
    };
    let is_named = |name: &str| if is_own(&name) { has(name) } else { goes_with(name) };
    request.contains(path) || own.any(has) || goes_on(request) && folder().is_some_and(is_named)
}

/// Says of the lists that the session kept for its last two requests how many of their boxes were open when it saw
/// them last, the newest first; not of one whose boxes are all ticked off, or told one by one.
pub(in crate::derive) fn unsure(timeline: &Timeline<'_>) -> Vec<ListLeft> {
    let mut lists = lists(timeline);
    if let Some(told) = at_hand(timeline).filter(List::is_sure) {
        lists.retain(|list| list.path != told.path);
    }
    let named = of_named_box(timeline, &lists).map(|at| lists[at].path.clone());
    let is_meant = |list: &List| {
        let is_asked = || is_asked_for(timeline, list) || named.as_ref() == Some(&list.path);
        is_of_work(&list.path) && (list.is_new(timeline) || is_asked())
    };
    let told = |list: List| {
        let is_sure = list.text.is_some() && list.changed.is_none();
        Some(ListLeft { told: list.told()?, is_sure, path: list.path })
    };
    lists.into_iter().rev().filter(is_meant).filter_map(told).collect()
}

impl List {
    /// Takes the text that a call wrote or showed.
    fn of(path: String, done: &Done<'_>, text: Option<String>) -> Self {
        let (item, turn) = (done.item.id.to_string(), done.item.turn);
        Self { path, item, turn, text, changed: None, is_behind: false, is_ticked: false }
    }

    /// Whether the session kept it for its last two requests.
    fn is_new(&self, timeline: &Timeline<'_>) -> bool {
        // Who only nods asks for nothing else.
        let requests =
            timeline.requests().rev().filter(|request| !nods::only_nods(timeline, *request));
        let mut requests = requests.map(|(item, _)| item.turn);
        let first = requests.next().map(|newest| requests.next().unwrap_or(newest));
        Some(self.changed.map_or(self.turn, |(turn, _)| turn.max(self.turn))) >= first
    }

    fn is_sure(&self) -> bool {
        self.text.is_some() && self.changed.is_none() && !self.is_behind
    }

    /// Returns what stands in it as far as is known.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Says of a box that was open when the list was seen last that it may not be by now: where it was changed since,
    /// or work went on in a later turn.
    pub(super) fn hedge(&self, timeline: &Timeline<'_>) -> String {
        let newest = timeline.requests().next_back().map(|(item, _)| item.turn);
        let is_old = self.changed.is_some() || self.is_behind && Some(self.turn) < newest;
        if is_old { format!("(as last seen in {}) ", turns::id(self.turn)) } else { String::new() }
    }

    fn told(&self) -> Option<String> {
        let (path, turn) = (&self.path, turns::id(self.turn));
        let Some(text) = &self.text else {
            return Some(format!(
                "which boxes of `{path}` are open is not known: some were ticked off in {turn}"
            ));
        };
        let (open, all) = boxes(text);
        let since = match self.changed {
            Some((at, _)) if at < self.turn => {
                format!("; what was changed in {} was not seen", turns::id(at))
            }
            Some((at, _)) => format!("; it was changed since, in {}", turns::id(at)),
            None => String::new(),
        };
        let told = || {
            let open = open_of(open, all, path, ["was", "were"]);
            format!("{open} open when it was last seen, in {turn}{since}")
        };
        (open > 0).then(told)
    }

    /// Whether its boxes are ticked off, be it by the text that stands there now.
    fn is_ticked_by(&self, text: &str) -> bool {
        self.is_ticked || self.text.as_deref().is_some_and(|old| ticks(old, text))
    }

    /// Takes what a command line ticks off in it in a loop.
    fn ticked(self, line: &str, done: &Done<'_>) -> Self {
        let is_known = ticks_in_loop(line, name_of(&self.path)) == Some(true)
            && !done.output().lines().any(|row| row.starts_with("sed: "));
        if !is_known {
            let changed = Some((done.item.turn, done.item.line));
            return Self { changed, is_ticked: true, ..self };
        }
        let text = self.text.map(|text| ticked_in(line, &text));
        let changed = self.changed;
        Self { is_ticked: true, changed, ..Self::of(self.path, done, text) }
    }

    /// Takes what a command line changed in it.
    fn run(self, line: &str, done: &Done<'_>) -> Self {
        let name = name_of(&self.path);
        let new = self.text.as_deref().and_then(|text| edited(line, name, text));
        let is_ticked = self.is_ticked || ticks("", line);
        match new {
            Some(text) if self.changed.is_none() => {
                Self { is_ticked, ..Self::of(self.path, done, Some(text)) }
            }
            // What was changed before that is still not known.
            Some(text) => {
                Self { is_ticked, changed: self.changed, ..Self::of(self.path, done, Some(text)) }
            }
            None => {
                let text = self.text.map(|text| ticked_in(line, &text));
                let changed = Some((done.item.turn, done.item.line));
                Self { text, changed, is_ticked, ..self }
            }
        }
    }

    fn change(&mut self, change: &Change, done: &Done<'_>) {
        let (item, turn) = (done.item.id.to_string(), done.item.turn);
        // Who ticks a box off keeps the list.
        let ticks = ticks(&change.removed, &change.added);
        self.is_behind &= !ticks;
        self.is_ticked |= ticks;
        match self.text.as_deref().map(|text| replaced(text, change)) {
            Some(Some(text)) => (self.text, self.item, self.turn) = (Some(text), item, turn),
            Some(None) => {
                // What was known is older than what was changed, but a box that is ticked off there is it here, too.
                let is_entry = |row: &&str| without_mark(row).is_some();
                let rows: Vec<&str> = change.added.lines().filter(is_entry).collect();
                self.text = self.text.take().map(|text| ticked_in(&rows.join("\n"), &text));
                self.changed = Some((turn, done.item.line));
            }
            None => self.turn = turn,
        }
    }
}

/// Returns a text as a change leaves it: what stands there more than once was changed everywhere, and of a patch the
/// lines need not stand one behind the other. Nothing where what goes does not stand there.
fn replaced(text: &str, change: &Change) -> Option<String> {
    if change.removed.trim().is_empty() {
        return None;
    }
    if text.contains(&change.removed) {
        return Some(text.replace(&change.removed, &change.added));
    }
    let mut rows: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut new = change.added.lines();
    for old in change.removed.lines() {
        let at = rows.iter().position(|row| *row == old.trim_end())?;
        rows[at] = new.next()?;
    }
    new.next().is_none().then(|| rows.join("\n"))
}

/// Finds the lists of a session.
#[derive(Default)]
struct Lists {
    /// Those that were written or ticked, those dealt with last at the end.
    kept: Vec<List>,
    /// What was read of others.
    read: Vec<List>,
}

impl Lists {
    fn change(&mut self, timeline: &Timeline<'_>, change: &Change, done: &Done<'_>) {
        let path = timeline.path(&change.path);
        let is_work = !path.ends_with(".md");
        let others = self.kept.iter_mut().filter(|list| list.path != path);
        others.for_each(|list| list.is_behind |= is_work);
        let known = taken(&mut self.kept, &path);
        let read = taken(&mut self.read, &path);
        let ticks = ticks(&change.removed, &change.added) && marked(&change.added).any(is_ticked);
        let list = match &change.verb {
            _ if !is_list(&path) || known.is_none() && done.is_by_agent() => None,
            Verb::Write => {
                let is_ticked = known.is_some_and(|list| list.is_ticked_by(&change.added));
                let list = List::of(path, done, Some(change.added.clone()));
                Some(List { is_ticked, ..list })
            }
            Verb::Update if known.is_some() || ticks => {
                let list = known.or(read);
                let mut list = list.unwrap_or_else(|| List::of(path, done, None));
                list.change(change, done);
                Some(list)
            }
            _ => None,
        };
        self.kept.extend(list);
    }

    /// Takes what a command line did to the lists.
    fn run(&mut self, timeline: &Timeline<'_>, done: &Done<'_>, line: &str) {
        self.kept.retain(|list| !moves(line, &list.path));
        if !line.contains(".md") {
            return;
        }
        let touched = self.kept.iter_mut().filter(|list| may_change(line, &list.path));
        touched.for_each(|list| list.is_behind = true);
        let written = timeline.written(done);
        // In a loop it may not be known as written.
        let ticks_in = |list: &mut List| {
            is_there(done, line, &list.path)
                && ticks_in_loop(line, name_of(&list.path)).is_some()
                && !written.iter().any(|one| one.path == list.path)
        };
        let mut ticked: Vec<List> = self.kept.extract_if(.., ticks_in).collect();
        if !done.is_by_agent() {
            ticked.extend(self.read.extract_if(.., ticks_in));
        }
        self.kept.extend(ticked.into_iter().map(|list| list.ticked(line, done)));
        for one in written.iter().filter(|one| is_list(&one.path)).cloned() {
            let known = taken(&mut self.kept, &one.path);
            if known.is_none() && done.is_by_agent() {
                continue;
            }
            let ticked = || taken(&mut self.read, &one.path).filter(|_| line.contains("[x"));
            let list = match one.text.filter(|_| one.anew) {
                Some(text) => Some(List::of(one.path, done, Some(text))),
                None => known.or_else(ticked).map(|list| list.run(line, done)),
            };
            self.kept.extend(list);
        }
    }

    fn see(&mut self, list: List) {
        match self.kept.iter_mut().find(|known| known.path == list.path) {
            Some(known) => {
                let is_ticked = known.is_ticked_by(list.text());
                *known = List { is_ticked, ..list };
            }
            None => {
                taken(&mut self.read, &list.path);
                self.read.push(list);
            }
        }
    }
}

fn taken(lists: &mut Vec<List>, path: &str) -> Option<List> {
    lists.iter().position(|list| list.path == path).map(|at| lists.remove(at))
}

/// Returns what a call shows of a list, all of it, with its path.
fn seen(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<(String, String)> {
    let (path, most) = match done.call.action.as_deref()? {
        Action::Read { path, lines: None } => (timeline.path(path), usize::MAX),
        Action::Shell { command, .. } if command.contains(".md") => {
            let most = printed_lines(command)?;
            let [path] = <[String; 1]>::try_from(shown_here(command)).ok()?;
            (timeline.place(done, &path)?, most)
        }
        _ => return None,
    };
    if done.is_shared || !is_list(&path) {
        return None;
    }
    let output = done.output();
    let text = text::without_numbers(&output);
    let is_cut = output.contains(GAP.trim()) || text.lines().count() >= most;
    (!is_cut && marked(&text).next().is_some()).then_some((path, text))
}

/// Returns how many lines a command line prints at most, where it does nothing but to print a file from its beginning.
fn printed_lines(line: &str) -> Option<usize> {
    let parts = shell::raw(line);
    let [.., (last, _)] = parts.as_slice() else { return None };
    let goes = |(part, _): &(String, String)| part.starts_with("cd ");
    let is_alone = parts[..parts.len() - 1].iter().all(goes);
    let mut words = last.split_whitespace();
    let most = match (words.next()?, words.next()?) {
        ("cat", _) => usize::MAX,
        ("sed", "-n") => {
            let range = words.next()?.trim_matches(['\'', '"']);
            range.strip_prefix("1,")?.strip_suffix('p')?.parse().ok()?
        }
        _ => return None,
    };
    is_alone.then_some(most)
}

fn is_ticked((is_open, _): (bool, &str)) -> bool {
    !is_open
}

/// Whether a file is a list of the work on this project.
fn is_of_work(path: &str) -> bool {
    !is_of_program(path) && !is_temporary(path)
}

/// Whether a file is a list of work.
fn is_list(path: &str) -> bool {
    let mut folders = path.rsplit(['/', '\\']).skip(1);
    is_plan(path) && !folders.any(|folder| EXAMPLES.contains(&folder.to_lowercase().as_str()))
}

/// Returns the lists that were written or ticked, those dealt with last at the end.
fn lists(timeline: &Timeline<'_>) -> Vec<List> {
    let mut lists = Lists::default();
    for done in timeline.done().filter(Done::worked) {
        match done.call.action.as_deref() {
            Some(Action::Edit { changes }) => {
                changes.iter().for_each(|change| lists.change(timeline, change, &done));
            }
            Some(Action::Shell { command, .. }) => lists.run(timeline, &done, command),
            _ => {}
        }
        if let Some((path, text)) = seen(timeline, &done) {
            lists.see(List::of(path, &done, Some(text)));
        }
        for kept in [&mut lists.kept, &mut lists.read] {
            kept.drain(..kept.len().saturating_sub(MOST));
        }
    }
    lists.kept
}

/// Whether what stands there now has fewer open boxes than what stood there, or more that are ticked off.
fn ticks(removed: &str, added: &str) -> bool {
    let count = |text: &str, marks: &[u8]| {
        let text = text.as_bytes();
        let is_box =
            |at: &usize| matches!(text[*at..], [_, mark, b']', ..] if marks.contains(&mark));
        memchr::memchr_iter(b'[', text).filter(is_box).count()
    };
    let open = |text: &str| count(text, b" ");
    let ticked = |text: &str| count(text, b"xX");
    open(added) < open(removed) || ticked(added) > ticked(removed)
}

/// Whether a command line may change the file `path`.
fn may_change(line: &str, path: &str) -> bool {
    let changes = ["sed -i", "perl -", "python", "node ", "tee ", ">"];
    line.contains(name_of(path)) && changes.iter().any(|change| line.contains(change))
}

/// Whether a command line names the file `path` itself, and not one of that name in another folder.
fn is_there(done: &Done<'_>, line: &str, path: &str) -> bool {
    let Some((parent, _)) = path.rsplit_once(['/', '\\']).filter(|_| !line.contains(path)) else {
        return true;
    };
    done.folder().is_some_and(|folder| folder.trim_end_matches('/').ends_with(parent))
}

fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a file is a list of work by its name.
fn is_plan(path: &str) -> bool {
    let low = path.to_lowercase().replace('\\', "/");
    let Some((name, _)) = low.rsplit('/').next().and_then(|name| name.split_once(".md")) else {
        return false;
    };
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        ["plan", "plans", "task", "tasks", "todo", "todos", "checklist"].contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_ticked_off_where_fewer_are_open_or_more_are_done() {
        assert!(
            ticks("- [ ] a", "- [x] a") && ticks("- [ ] a\n", "") && ticks("- [ ] a", "- [X] a")
        );
        for (removed, added) in [
            ("- [ ] a", "- [ ] a\n- [ ] b"),
            ("- [ ] a", "- [ ] b"),
            ("- [x] a", "- [ ] a"),
            ("- [x] a", "- [x] b"),
        ] {
            assert!(!ticks(removed, added), "{removed} {added}");
        }
    }

    #[test]
    fn plans_are_known_by_their_name() {
        assert!(is_plan("docs/plans/2026-01-02-import-plan.md") && is_plan("TODO.md"));
        assert!(!is_plan("docs/planning/readme.md") && !is_plan("src/todo.rs"));
    }

    #[test]
    fn one_box_is_and_several_are() {
        let told = |open, all| open_of(open, all, "a.md", ["is", "are"]);
        assert_eq!(told(1, 1), "the only box of `a.md` is");
        assert_eq!(told(1, 2), "1 of 2 boxes of `a.md` is");
        assert_eq!(told(2, 3), "2 of 3 boxes of `a.md` are");
    }
}
