//! The facts of several sessions to one.

use std::collections::{HashMap, HashSet};

use super::fact::{Fact, State};
use super::files::is_outside;
use super::place::relative;
use super::scope::{self, Warning, WarningCode};
use super::timeline::Timeline;
use super::{
    AgentSaid, FactKind, Facts, Now, Summary, Trust, ids, lessons, outcomes, status, topic,
};

/// How much less facts weigh than those of the next newer session of their lane.
const FADE: f64 = 0.5;

/// Puts together what was found in several sessions, given newest first; nothing if there is none.
///
/// What is equal is told once, with the newest session that has it, and what a newer one finished
/// or ran again is left to it. If all look like one work, the card, how it ended, the checks and
/// the harness's summary are those of the newest, and what older ones add has ids such as `S2/W-…`. If they look
/// like different work, there is no card, every id begins so, and a warning says it.
pub fn merge(all: Vec<Facts>) -> Option<Facts> {
    let lanes = scope::lanes(&all);
    let is_one_work = lanes.iter().all(|lane| *lane == 0);
    let is_one = all.len() < 2;
    let mut all = all;
    if is_one {
        return all.pop();
    }
    leave_to_source(&mut all);
    if is_one_work {
        take_goal(&mut all);
    }
    let mut sessions = all.into_iter();
    let mut first = sessions.next()?;
    let mut seen = Seen::default();
    seen.add(&first, 0);
    let folder = first.session.cwd.clone().unwrap_or_default();
    let mut checks = vec![("S1".to_owned(), std::mem::take(&mut first.checks))];
    if !is_one_work {
        strip(&mut first, 1);
        rename(&mut first, "S1");
    }
    for (index, (mut older, lane)) in sessions.zip(lanes.iter().skip(1)).enumerate() {
        let number = index + 2;
        let before = lanes[..=index].iter().filter(|other| *other == lane).count();
        let is_checked = seen.checked.contains(lane);
        only_new(&mut older, &seen, *lane);
        outdate(&mut older, &seen);
        seen.add(&older, *lane);
        move_files(&mut older, &folder);
        fade(&mut older, before);
        strip(&mut older, number);
        rename(&mut older, &format!("S{number}"));
        older.sessions.iter_mut().for_each(|session| session.lane = lane + 1);
        let asked = std::mem::take(&mut older.checks).into_iter();
        // Where a newer session checked nothing, how that of an older one would end now.
        let counts = |check: &String| before == 0 || !is_checked && check.contains("`: does it ");
        let asked: Vec<_> = asked.filter(counts).collect();
        if before == 0 || !asked.is_empty() {
            checks.push((format!("S{number}"), asked));
        }
        append(&mut first, older, before == 0);
    }
    first.checks = of_each(checks);
    sort(&mut first);
    first.now.closed &= first.open_work.is_empty();
    first.now.answered &= first.open_work.is_empty() && status(&first).done;
    if !is_one_work {
        first.warnings.push(different_work(&first, &lanes));
    }
    Some(first)
}

/// Drops what a session quotes from a pack of another one that is here, and tells it itself.
fn leave_to_source(all: &mut [Facts]) {
    let names: Vec<_> =
        all.iter().map(|one| (one.session.harness.clone(), one.session.id.clone())).collect();
    for facts in all {
        let Some(handed) = facts.now.handed.clone() else { continue };
        if !names.iter().any(|(harness, id)| handed.is_of(harness, id)) {
            continue;
        }
        facts.open_work.retain(|work| !matches!(work.source, "pack" | "pack_aside"));
        facts
            .facts
            .retain(|fact| fact.evidence != [handed.item.as_str()] || fact.trust != Trust::C);
    }
}

/// Gives the newest session, if it only goes on, the goal of the one that it goes on with: that of its pack, else the
/// next older one.
fn take_goal(all: &mut [Facts]) {
    let is_own = |now: &Now| {
        let is_quoted = now.handed.as_ref().is_some_and(|handed| handed.gave_goal);
        let before = now.goal_before.as_ref();
        !is_quoted && !topic::is_nod(&now.goal) || before.is_some_and(|before| !before.is_quoted)
    };
    let mut at = 0;
    while !is_own(&all[at].now) {
        let handed = all[at].now.handed.clone();
        let is_it = |one: &Facts| {
            let header = &one.session;
            handed.as_ref().is_none_or(|handed| handed.is_of(&header.harness, &header.id))
        };
        let Some(next) = all[at + 1..].iter().position(is_it) else { return };
        at += 1 + next;
    }
    let Some((first, older)) = all.split_first_mut() else { return };
    let Some(one) = at.checked_sub(1).and_then(|at| older.get(at)) else { return };
    let name = |id: &str| format!("S{}/{id}", at + 1);
    first.now.goal.clone_from(&one.now.goal);
    first.now.goal_id = name(&one.now.goal_id);
    first.now.goal_before = one.now.goal_before.clone().map(|mut before| {
        before.id = name(&before.id);
        before.between.iter_mut().for_each(|between| between.id = name(&between.id));
        before
    });
    first.now.acceptance.clone_from(&one.now.acceptance);
    first.now.called = one.now.called.clone();
    first.now.called.iter_mut().for_each(|called| called.id = name(&called.id));
    // What was quoted with the goal belongs to that.
    if let Some(handed) = first.now.handed.as_mut().filter(|handed| handed.gave_goal) {
        handed.gave_goal = false;
        let replied = one.now.replies_to.clone();
        first.now.replies_to = replied.map(|said| AgentSaid { id: name(&said.id), ..said });
    }
}

/// What newer sessions already tell.
#[derive(Default)]
struct Seen {
    ids: HashSet<String>,
    /// Files from the root.
    files: HashSet<String>,
    commands: Vec<String>,
    /// The lanes of which it is told how checks ended.
    checked: HashSet<usize>,
    /// The lanes that there are.
    lanes: HashSet<usize>,
    /// Files of which tests or builds can say something and that were changed, from the root, with when the session
    /// began that did so.
    changed: HashMap<String, Option<String>>,
}

impl Seen {
    fn add(&mut self, facts: &Facts, lane: usize) {
        let folder = facts.session.cwd.as_deref().unwrap_or_default();
        self.ids.extend(facts.done_work.iter().cloned());
        self.ids.extend(facts.open_work.iter().map(|work| work.id.clone()));
        self.ids.extend(facts.decisions.iter().map(|decision| decision.id.clone()));
        self.ids.extend(facts.facts.iter().chain(&facts.dropped).map(|fact| fact.id.clone()));
        self.ids.extend(facts.lessons.iter().map(|lesson| lesson.id.clone()));
        self.ids.extend(facts.commands.iter().map(|command| command.id.clone()));
        self.ids.extend(facts.failures.iter().map(|failure| failure.id.clone()));
        self.files.extend(facts.files.iter().map(|file| scope::absolute(&file.path, folder)));
        self.commands.extend(facts.commands.iter().map(|command| command.command.clone()));
        self.commands.extend(facts.ending.last_check.iter().map(|check| check.command.clone()));
        if facts.facts.iter().any(|fact| fact.kind == FactKind::Check) {
            self.checked.insert(lane);
        }
        self.lanes.insert(lane);
        let is_told = |path: &str| !is_outside(path) && !outcomes::is_prose(path);
        let changed = facts.files.iter().filter(|file| file.edits > 0 && is_told(&file.path));
        for file in changed {
            let began = facts.session.started_at.clone();
            self.changed.entry(scope::absolute(&file.path, folder)).or_insert(began);
        }
    }

    /// Tells whether a newer session ran a command that stands in `text`.
    fn names(&self, text: &str) -> bool {
        self.commands.iter().any(|command| text.contains(command.as_str()))
    }
}

/// Drops from an older session what newer ones tell.
fn only_new(older: &mut Facts, seen: &Seen, lane: usize) {
    let folder = older.session.cwd.clone().unwrap_or_default();
    let is_new = |id: &String| !seen.ids.contains(id);
    let is_checked = seen.checked.contains(&lane);
    let goes_on = seen.lanes.contains(&lane);
    older.open_work.retain(|work| {
        let is_past = match work.source {
            "check" => seen.names(&work.text),
            // A newer session of the same work went on after this.
            "interrupted" | "unanswered" | "uncommitted" | "running" => goes_on,
            _ => false,
        };
        is_new(&work.id) && !is_past
    });
    older.decisions.retain(|decision| is_new(&decision.id));
    older.failures.retain(|failure| is_new(&failure.id) && !seen.names(&failure.command));
    older.commands.retain(|command| is_new(&command.id));
    older.files.retain(|file| !seen.files.contains(&scope::absolute(&file.path, &folder)));
    older.lessons.retain(|lesson| is_new(&lesson.id));
    older.facts.retain(|fact| is_new(&fact.id) && !(is_checked && fact.kind == FactKind::Check));
    older.dropped.retain(|fact| is_new(&fact.id));
}

/// Says of checks of an older session which files of its folder newer ones changed since.
fn outdate(older: &mut Facts, seen: &Seen) {
    let Some(folder) = older.session.cwd.as_deref() else { return };
    let ended = older.session.ended_at.as_deref();
    let is_of = |(path, began): &(&String, &Option<String>)| {
        // Of two that went on side by side nobody knows.
        let is_later = began.as_deref().zip(ended).is_some_and(|(began, ended)| began >= ended);
        is_later && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '\\']))
    };
    let since = match seen.changed.iter().filter(is_of).count() {
        0 => return,
        1 => "; 1 file was changed since, in a newer session".to_owned(),
        more => format!("; {more} files were changed since, in newer sessions"),
    };
    let is_told = |fact: &&mut Fact| fact.kind == FactKind::Check && fact.state != State::Stale;
    for fact in older.facts.iter_mut().filter(is_told) {
        fact.text += &since;
        fact.state = State::Stale;
    }
}

/// Tells the files of a session from the folder of the newest one.
fn move_files(older: &mut Facts, to: &str) {
    let from = older.session.cwd.clone().unwrap_or_default();
    if from != to {
        let told = |path: &str| relative(&scope::absolute(path, &from), to);
        older.files.iter_mut().for_each(|file| file.path = told(&file.path));
    }
}

fn fade(older: &mut Facts, by: usize) {
    let less = FADE.powi(i32::try_from(by).unwrap_or(i32::MAX));
    older.files.iter_mut().for_each(|file| file.weight *= less);
    older.commands.iter_mut().for_each(|command| command.weight *= less);
    older.facts.iter_mut().for_each(|fact| fact.weight *= less);
    older.lessons.iter_mut().for_each(|lesson| lesson.weight *= less);
}

/// Takes the card away; what was asked still stands at the head of its turn.
fn strip(facts: &mut Facts, number: usize) {
    facts.now = Now::default();
    facts.facts.retain(|fact| !fact.is_of_called());
    if let [session] = facts.sessions.as_mut_slice() {
        session.name = format!("S{number}");
    }
}

/// Puts the name of the session before every id.
fn rename(facts: &mut Facts, name: &str) {
    let works = facts.open_work.iter_mut().map(|work| &mut work.id);
    let failures = facts.failures.iter_mut().map(|failure| &mut failure.id);
    let decisions = facts.decisions.iter_mut().map(|decision| &mut decision.id);
    let others = facts.facts.iter_mut().map(|fact| &mut fact.id);
    let files = facts.files.iter_mut().map(|file| &mut file.id);
    let commands = facts.commands.iter_mut().map(|command| &mut command.id);
    let turns = facts.turns.iter_mut().map(|turn| &mut turn.id);
    let lessons = facts.lessons.iter_mut();
    let lessons = lessons.flat_map(|lesson| lesson.source_turns.iter_mut().chain([&mut lesson.id]));
    let ids = works.chain(failures).chain(decisions).chain(others).chain(files).chain(commands);
    ids.chain(turns).chain(lessons).for_each(|id| *id = format!("{name}/{id}"));
    let stamps = std::mem::take(&mut facts.stamps).into_iter();
    facts.stamps = stamps.map(|(id, stamp)| (format!("{name}/{id}"), stamp)).collect();
    let sections = facts.summary.iter_mut().flat_map(|summary| &mut summary.sections);
    sections.for_each(|section| section.title = format!("{name} {}", section.title).trim().into());
}

/// Adds an older session; `leads` if no newer one looks like the same work.
fn append(first: &mut Facts, older: Facts, leads: bool) {
    first.open_work.extend(older.open_work);
    first.failures.extend(older.failures);
    first.decisions.extend(older.decisions);
    first.facts.extend(older.facts);
    first.dropped.extend(older.dropped);
    first.lessons.extend(older.lessons);
    first.files.extend(older.files);
    first.commands.extend(older.commands);
    first.turns.extend(older.turns);
    first.sessions.extend(older.sessions);
    first.warnings.extend(older.warnings);
    first.stamps.extend(older.stamps);
    first.summary = match (first.summary.take(), older.summary) {
        (Some(newer), Some(older)) if leads => Some(joined(newer, older)),
        (newer, older) => newer.or(older),
    };
}

/// Returns what is to be checked first, each once, with the names of the sessions that it is of where it is not of
/// all.
fn of_each(all: Vec<(String, Vec<String>)>) -> Vec<String> {
    let count = all.len();
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for (name, check) in all
        .into_iter()
        .flat_map(|(name, checks)| checks.into_iter().map(move |check| (name.clone(), check)))
    {
        match told.iter_mut().find(|(known, _)| *known == check) {
            Some((_, names)) => names.push(name),
            None => told.push((check, vec![name])),
        }
    }
    let line = |(check, names): (String, Vec<String>)| match names.len() == count {
        true => check,
        false => format!("{}: {check}", names.join(", ")),
    };
    told.into_iter().map(line).collect()
}

/// Puts the sections of two summaries together; it counts as unreadable if one of them is.
fn joined(newer: Summary, older: Summary) -> Summary {
    let readable = newer.readable && older.readable;
    let sections = [newer.sections, older.sections].concat();
    Summary { readable, sections, ..newer }
}

/// Puts the likeliest to be needed first again, whichever session it comes from.
fn sort(facts: &mut Facts) {
    let by = |a: (f64, &str), b: (f64, &str)| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1));
    facts.lessons.sort_by(|a, b| by((a.weight, &a.id), (b.weight, &b.id)));
    facts.lessons.truncate(lessons::MOST);
    facts.files.sort_by(|a, b| by((a.weight, &a.path), (b.weight, &b.path)));
    facts.commands.sort_by(|a, b| by((a.weight, &a.command), (b.weight, &b.command)));
}

fn different_work(facts: &Facts, lanes: &[usize]) -> Warning {
    let count = lanes.iter().max().map_or(0, |last| last + 1);
    Warning {
        code: WarningCode::DifferentWork,
        message: format!(
            "these {} sessions look like different work, of {count} kinds; no one goal is stated",
            lanes.len()
        ),
        sessions: facts.sessions.iter().map(|session| session.name.clone()).collect(),
        folder: None,
    }
}

/// Finds the entries of the harness's own lists of work that a session finished or gave up.
pub(super) fn done_work(timeline: &Timeline<'_>) -> Vec<String> {
    let plans = timeline.items.iter().filter_map(|item| item.plan());
    let done = plans.flat_map(|plan| &plan.items).filter(|item| !item.status.is_open());
    let mut found: Vec<_> = done.map(|item| ids::id('W', &item.text)).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::of_each;

    #[test]
    fn a_check_says_of_which_sessions_it_is() {
        let list = |checks: &[&str]| checks.iter().map(|check| (*check).to_owned()).collect();
        let all = vec![
            ("S1".to_owned(), list(&["a", "c"])),
            ("S2".to_owned(), list(&["a", "b"])),
            ("S3".to_owned(), list(&["a", "b"])),
        ];
        assert_eq!(of_each(all), ["a", "S1: c", "S2, S3: b"]);
        assert_eq!(of_each(vec![("S1".to_owned(), list(&["a"]))]), ["a"]);
    }
}
