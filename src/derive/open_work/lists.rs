//! Lists of work in files, where nobody knows which of their boxes are open at the end.

use super::said::{is_plan, marked, may_move, plan_file, ticks};
use crate::derive::files::{is_of_program, is_temporary};
use crate::derive::shows::shown_here;
use crate::derive::text::GAP;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::written::written_by;
use crate::derive::{shell, turns};
use crate::model::{Action, Change, Verb};

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

/// Counts the boxes of a text: those without a mark, and all.
pub fn boxes(text: &str) -> (usize, usize) {
    let open = marked(text).filter(|(is_open, _)| *is_open).count();
    (open, marked(text).count())
}

/// A list of boxes that the session wrote or ticked.
struct List {
    path: String,
    /// The turn in which it was changed or seen last.
    turn: u32,
    /// What stood in it then, where that is known.
    text: Option<String>,
    /// The turn of a later change of which nobody knows what it did.
    changed: Option<u32>,
}

/// Says of the lists that the session kept for its last two requests how many of their boxes were open when it saw
/// them last, the newest first; not of one whose boxes are all ticked off, or told one by one.
pub(in crate::derive) fn unsure(timeline: &Timeline<'_>) -> Vec<ListLeft> {
    let mut requests = timeline.requests().rev().map(|(item, _)| item.turn);
    let first = requests.next().map(|newest| requests.next().unwrap_or(newest));
    let sure = plan_file(timeline);
    let is_sure =
        |list: &List| sure.as_ref().is_some_and(|plan| timeline.path(&plan.path) == list.path);
    let lists = lists(timeline).into_iter().rev();
    let meant =
        lists.filter(|list| Some(list.changed.unwrap_or(list.turn)) >= first && !is_sure(list));
    let told = |list: List| {
        let is_sure = list.text.is_some() && list.changed.is_none();
        Some(ListLeft { told: list.told()?, is_sure, path: list.path })
    };
    meant.filter_map(told).collect()
}

impl List {
    fn told(&self) -> Option<String> {
        let (path, turn) = (&self.path, turns::id(self.turn));
        let Some(text) = &self.text else {
            return Some(format!(
                "which boxes of `{path}` are open is not known: some were ticked off in {turn}"
            ));
        };
        let (open, all) = boxes(text);
        let since =
            self.changed.map(|turn| format!("; it was changed since, in {}", turns::id(turn)));
        let since = since.unwrap_or_default();
        let told = || {
            format!(
                "{open} of {all} boxes of `{path}` were open when it was last seen, in {turn}{since}"
            )
        };
        (open > 0).then(told)
    }

    fn change(&mut self, change: &Change, turn: u32) {
        if change.verb == Verb::Write {
            (self.text, self.turn, self.changed) = (Some(change.added.clone()), turn, None);
            return;
        }
        match self.text.as_deref().map(|text| replaced(text, change)) {
            Some(Some(text)) => (self.text, self.turn) = (Some(text), turn),
            Some(None) => self.changed = Some(turn),
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
    fn change(&mut self, timeline: &Timeline<'_>, change: &Change, turn: u32) {
        let path = timeline.path(&change.path);
        let ticks = ticks(&change.removed, &change.added) && marked(&change.added).any(is_ticked);
        if !is_list(&path) || !matches!(change.verb, Verb::Write | Verb::Update) {
            self.forget(&path);
            return;
        }
        let known = taken(&mut self.kept, &path);
        if known.is_none() && change.verb == Verb::Update && !ticks {
            return;
        }
        let list = known.or_else(|| taken(&mut self.read, &path));
        let mut list = list.unwrap_or(List { path, turn, text: None, changed: None });
        list.change(change, turn);
        self.kept.push(list);
    }

    fn forget(&mut self, path: &str) {
        self.kept.retain(|list| list.path != path);
        self.read.retain(|list| list.path != path);
    }

    /// Takes what a command line did to the lists.
    fn run(&mut self, timeline: &Timeline<'_>, done: &Done<'_>, line: &str) {
        let turn = done.item.turn;
        self.kept.retain(|list| !may_move(line, &list.path));
        if !line.contains(".md") {
            return;
        }
        for one in written_by(timeline, done).into_iter().filter(|one| is_list(&one.path)) {
            let known = taken(&mut self.kept, &one.path);
            let ticked = || taken(&mut self.read, &one.path).filter(|_| line.contains("[x"));
            let list = match one.text.filter(|_| one.anew) {
                Some(text) => Some(List { path: one.path, turn, text: Some(text), changed: None }),
                None => known.or_else(ticked).map(|list| List { changed: Some(turn), ..list }),
            };
            self.kept.extend(list);
        }
    }

    fn see(&mut self, path: String, text: String, turn: u32) {
        let list = List { turn, text: Some(text), path, changed: None };
        match self.kept.iter_mut().find(|known| known.path == list.path) {
            Some(known) => *known = list,
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
    let text = without_numbers(&output);
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

/// Returns the rows of a file without the numbers that a harness put before them; what stands below them without one
/// is not of the file.
fn without_numbers(output: &str) -> String {
    let row = |line: &str| {
        let rest = line.trim_start();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = behind.len() < rest.len();
        behind.strip_prefix(['\t', '→']).filter(|_| is_numbered).map(str::to_owned)
    };
    let numbered: Vec<_> = output.lines().map_while(row).collect();
    if numbered.is_empty() { output.to_owned() } else { numbered.join("\n") }
}

fn is_ticked((is_open, _): (bool, &str)) -> bool {
    !is_open
}

/// Whether a file is a list of the work on this project.
fn is_list(path: &str) -> bool {
    let mut folders = path.rsplit(['/', '\\']).skip(1);
    is_plan(path)
        && !is_of_program(path)
        && !is_temporary(path)
        && !folders.any(|folder| EXAMPLES.contains(&folder.to_lowercase().as_str()))
}

/// Returns the lists that were written or ticked, those dealt with last at the end.
fn lists(timeline: &Timeline<'_>) -> Vec<List> {
    let mut lists = Lists::default();
    for done in timeline.done().filter(Done::worked) {
        let turn = done.item.turn;
        match done.call.action.as_deref() {
            Some(Action::Edit { changes }) => {
                changes.iter().for_each(|change| lists.change(timeline, change, turn));
            }
            Some(Action::Shell { command, .. }) => lists.run(timeline, &done, command),
            _ => {}
        }
        if let Some((path, text)) = seen(timeline, &done) {
            lists.see(path, text, turn);
        }
        for kept in [&mut lists.kept, &mut lists.read] {
            kept.drain(..kept.len().saturating_sub(MOST));
        }
    }
    lists.kept
}
