//! Open work that a machine recorded: failing checks, an interruption, an unanswered request,
//! changes that are not committed, marks in the code.

use std::collections::HashSet;

use super::judged::Claim;
use super::{Work, judged, waiting};
use crate::derive::next::at_hand;
use crate::derive::outcomes::{Check, Outcomes, Stop};
use crate::derive::paragraphs::end;
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, decisions, event, idle, steps, text, unasked, words};
use crate::model::{Action, Body, Change, Item, Origin, PlanStatus, Status, Text, ToolCall};

/// How many marks in the code are listed.
const MOST_MARKS: usize = 5;
/// How many files are named.
const MOST_FILES: usize = 4;

/// Returns a piece of work for each check that failed last, and apart those that the agent set aside, or after which it
/// pushed its work.
pub(super) fn failing(timeline: &Timeline<'_>, outcomes: &Outcomes) -> (Vec<Work>, Vec<Work>) {
    let open = |check: &&Check| check.fails() && outcomes.is_of_project(&check.run);
    let failing: Vec<&Check> = outcomes.checks.iter().filter(open).collect();
    let is_alone = failing.len() == 1;
    let work = |check: &Check| {
        // What the agent claims of it mends nothing, but whoever reads on must know it.
        let claim = judged::judged(timeline, outcomes, &check.run, is_alone);
        let is_pushed = outcomes.was_pushed_after(timeline, check.run.over);
        // The same check keeps its id however it ends, and wherever others run.
        let name = format!("check {}", check.run.known_as());
        let again = match outcomes.passed_in_part(&check.run) {
            _ if outcomes.ran_again(&check.run) => {
                "it is not known how it ended when it ran again".to_owned()
            }
            Some(part) => {
                let part = text::line(&part.told_there(), 80);
                format!("only a part of it ran again, `{part}`, which passed")
            }
            None => "did not run again".to_owned(),
        };
        // What others had left unmended was no part of what was pushed.
        let told = if is_pushed { &outcomes.without_others(check) } else { check };
        let line = told_failing(told, claim.as_ref(), is_pushed.then_some(&again));
        let is_aside = is_pushed || claim.is_some_and(|claim| claim.sets_aside);
        let work = Work::new(line, Trust::S, "check", &check.run.item).named(&name);
        (is_aside, Work { details: check.detail(), ..work })
    };
    let (mut ours, mut aside) = (Vec::new(), Vec::new());
    for (is_aside, work) in failing.into_iter().map(work) {
        if is_aside { aside.push(work) } else { ours.push(work) }
    }
    (ours, aside)
}

/// Says that a check fails: as what is to be done, unless the agent set it aside or pushed its work since; then
/// `pushed` says how far it ran again.
fn told_failing(check: &Check, claim: Option<&Claim>, pushed: Option<&str>) -> String {
    let command = text::line(&check.run.told_there(), 120);
    let told = check.told();
    let since = if check.edits_since > 0 { "; files were changed since" } else { "" };
    match claim {
        Some(Claim { words, sets_aside: true }) => {
            format!("`{command}` fails: {told}{since}; the agent set it aside, saying: {words}")
        }
        claim => {
            let said = claim.map(|claim| format!("; the agent said: {}", claim.words));
            let said = said.unwrap_or_default();
            match pushed {
                Some(again) => format!(
                    "`{command}` failed before the work was committed and pushed, and {again}: {told}{since}{said}"
                ),
                None if check.run.refused().is_some() => format!(
                    "run `{command}` where it is let do what was refused here: {told}{since}{said}"
                ),
                None => format!("make `{command}` pass: {told}{since}{said}"),
            }
        }
    }
}

/// Returns what was put aside and not brought back.
pub(super) fn put_aside(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Option<Work> {
    let put = timeline.done().nth(outcomes.aside.left()?)?;
    let line = text::line(&put.told()?, 120);
    let line = format!("bring back what `{line}` put aside: it was not taken out again");
    Some(Work::new(line, Trust::S, "uncommitted", &put.item.id))
}

/// Returns what git stopped in the middle of and nobody went on with.
pub(super) fn stopped(outcomes: &Outcomes) -> Vec<Work> {
    let work = |stop: &Stop| {
        let at = stop.at.as_ref().map(|at| format!(", which stopped at {at}")).unwrap_or_default();
        let files = stop.files.iter().take(MOST_FILES).map(String::as_str).collect::<Vec<_>>();
        let files = match files.as_slice() {
            [] => String::new(),
            files => format!("conflicts were in {}; ", files.join(", ")),
        };
        let last = match stop.verb {
            "merge" => "`git commit` concludes it".to_owned(),
            verb => format!("`git {verb} --continue` goes on with it"),
        };
        let line = format!("finish the {}{at}: {files}{last}", stop.verb);
        Work::new(line, Trust::S, "interrupted", &stop.item)
    };
    outcomes.stops.open.iter().map(work).collect()
}

/// Whether a notice of this kind says that what went on broke off.
fn breaks_off(kind: &str) -> bool {
    matches!(kind, "error" | "interrupted")
}

/// Returns the last item that was done or said, or that broke something off.
pub(in crate::derive) fn last_act<'t>(timeline: &Timeline<'t>) -> Option<&'t Item<'static>> {
    acts(timeline).next()
}

/// Returns the last act; where it is a notice of a kind for which `is_skipped`, the one before it in its turn,
/// unless the agent had not begun.
pub(in crate::derive) fn before_break<'t>(
    timeline: &Timeline<'t>,
    is_skipped: fn(&str) -> bool,
) -> Option<&'t Item<'static>> {
    let last = last_act(timeline)?;
    let skips =
        |item: &&Item<'_>| matches!(&item.body, Body::Notice { kind, .. } if is_skipped(kind));
    let before = acts(timeline).find(|act| !skips(act)).filter(|act| act.turn == last.turn);
    let is_asked = |act: &&Item<'_>| matches!(&act.body, Body::Message(message) if message.origin == Origin::Human);
    before.filter(|act| !is_asked(act)).or(Some(last))
}

/// Where the agent was when the user wrote last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::derive) enum Amid {
    /// At what was asked before, of which it had not told an end.
    Work,
    /// At the same, when the user broke it off.
    Break,
}

impl Amid {
    /// Says what that leaves, to go behind the next step.
    pub(in crate::derive) fn told(self) -> &'static str {
        match self {
            Self::Work => "; the request before it had not come to an end",
            Self::Break => "; the request before it was broken off",
        }
    }
}

/// Says what the agent was at when the user wrote last, where it had not come to an end.
pub(in crate::derive) fn came_amid(timeline: &Timeline<'_>) -> Option<Amid> {
    // What the user ran is none of the agent's work.
    let own: HashSet<_> = timeline
        .done()
        .filter(|done| is_by_human(done.call))
        .map(|done| done.call.call_id.as_ref())
        .collect();
    let is_users = |item: &&Item<'_>| match &item.body {
        Body::Message(message) => message.origin == Origin::Human,
        Body::ToolCall(call) => is_by_human(call),
        Body::ToolResult(result) => own.contains(result.call_id.as_ref()),
        _ => false,
    };
    let before = acts(timeline).find(|act| !is_users(act))?;
    match &before.body {
        Body::ToolResult(result) if result.rejected => Some(Amid::Break),
        Body::ToolCall(_) | Body::ToolResult(_) => Some(Amid::Work),
        Body::Message(message) if message.interim => Some(Amid::Work),
        Body::Notice { .. } => Some(Amid::Break),
        _ => None,
    }
}

/// Returns what was done or said, or broke something off, newest first.
fn acts<'a, 't>(timeline: &'a Timeline<'t>) -> impl Iterator<Item = &'t Item<'static>> + 'a {
    let is_unread = event::unread(timeline).is_some();
    let acts = move |item: &&'t Item<'static>| match &item.body {
        Body::ToolCall(_) | Body::ToolResult(_) => timeline.is_deed(item),
        Body::Message(message) => match message.origin {
            // What a compaction left of the talk is no part of it.
            Origin::Harness | Origin::Command | Origin::Summary => false,
            // What only the provider can read says nothing; what nobody has taken in yet, nobody acted on.
            Origin::Agent => !is_unread && steps::tells(&message.plain()),
            _ => true,
        },
        Body::Notice { kind, .. } => breaks_off(kind),
        _ => false,
    };
    before_own_runs(timeline.until_farewell(), acts).iter().rev().copied().filter(acts)
}

/// Returns the items up to the commands that the user ran behind the agent's last words, where these ended its turn:
/// such a command asks for no answer.
fn before_own_runs<'i, 't>(
    items: &'i [&'t Item<'static>],
    acts: impl Fn(&&'t Item<'static>) -> bool,
) -> &'i [&'t Item<'static>] {
    let mut end = items.len();
    for (at, item) in items.iter().enumerate().rev().filter(|(_, item)| acts(item)) {
        match &item.body {
            // Its call says whose it is.
            Body::ToolResult(_) => {}
            Body::ToolCall(call) if is_by_human(call) => end = at,
            Body::Message(message) if message.origin == Origin::Model && !message.interim => {
                return &items[..end];
            }
            _ => break,
        }
    }
    items
}

/// Whether the user ran the command of a call.
pub(in crate::derive) fn is_by_human(call: &ToolCall<'_>) -> bool {
    matches!(call.action.as_deref(), Some(Action::Shell { by_human: true, .. }))
}

fn is_step(item: &Item<'_>) -> bool {
    matches!(item.body, Body::ToolCall(_) | Body::ToolResult(_))
}

/// What leads to the agent's last words behind what the session ended in the middle of.
pub(super) const SAID_BEFORE: &str = "; the agent said before: ";

/// Returns what the session ended in the middle of: an interruption, a refusal, a call without a
/// result, a request without an answer.
pub(super) fn broken_off(timeline: &Timeline<'_>) -> Option<Work> {
    let mut acts = acts(timeline);
    let last = acts.next()?;
    let is_break = matches!(last.body, Body::Notice { .. });
    // What was at hand when it was broken off.
    let broken = acts.next().filter(|act| is_break && act.turn == last.turn && is_step(act));
    let (said, message) = announced(timeline, broken.unwrap_or(last), ANNOUNCED_CHARS).unzip();
    let said = said.map(|words| format!("{SAID_BEFORE}{words}")).unwrap_or_default();
    let (line, source) = left_at(timeline, last, &said)?;
    let mut work = Work::new(line, Trust::S, source, &last.id);
    work.evidence.extend(broken.map(|act| act.id.to_string()));
    work.evidence.extend(message);
    Some(work)
}

/// Returns what came from others than the user with which the session ended, and which nobody has taken in.
pub(super) fn unread(timeline: &Timeline<'_>) -> Option<Work> {
    let unread = event::unread(timeline)?;
    let told = unread.told().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Work::new(told, Trust::S, "unanswered", &unread.item.id))
}

/// Says who broke `what` off; another than the user where a `reason` is told.
pub(in crate::derive) fn broke_off(reason: Option<&Text<'_>>, what: &str) -> String {
    match reason.map(|reason| text::line(&reason.plain().replace('_', " "), REASON_CHARS)) {
        Some(reason) => format!("the turn was broken off ({reason})"),
        None => format!("the user interrupted{what}"),
    }
}

/// How much is told of why a turn was broken off, in characters.
const REASON_CHARS: usize = 60;

/// Says what is left where a session ended with an item, and what kind of work that is.
fn left_at(timeline: &Timeline<'_>, last: &Item<'_>, said: &str) -> Option<(String, &'static str)> {
    let step = || timeline.last().map(|done| text::line(&steps::brief(timeline, &done), 200));
    let short = |words: &str| text::line(&text::plain(words), 160);
    let what =
        || if unasked::unasked(timeline).is_some() { "what was begun" } else { "the request" };
    if let Some(waits) = waiting::waits(timeline, last) {
        return Some((waits, "unanswered"));
    }
    Some(match &last.body {
        Body::Notice { kind, text: words } if kind == "error" => {
            let words = words.as_ref().map(|words| format!(": {}", short(&words.plain())));
            let words = words.unwrap_or_default();
            (format!("the session ended with an error{words}"), "interrupted")
        }
        Body::Notice { text: reason, .. } => {
            let after = step().map(|step| format!("; last step: {step}")).unwrap_or_default();
            let broke = broke_off(reason.as_ref(), " the turn");
            (format!("{broke}{after}{said}"), "interrupted")
        }
        Body::ToolResult(result) if result.rejected => match &result.user_said {
            Some(words) => {
                let words = short(&words.plain());
                (format!("answer the user, who said on refusing it: {words}"), "unanswered")
            }
            None => {
                (format!("the user refused and nothing came after: {}", step()?), "interrupted")
            }
        },
        Body::ToolResult(result) if result.status == Status::Interrupted => {
            (format!("the session ended during: {}{said}", step()?), "interrupted")
        }
        // The agent had what it asked for and went no further.
        Body::ToolResult(_) => {
            (format!("finish {}; the last step was: {}{said}", what(), step()?), "unanswered")
        }
        Body::Message(message) if message.origin == Origin::Human => {
            let words = short(&message.words());
            (format!("answer the user, who wrote last: {words}"), "unanswered")
        }
        // What it said stands on the card.
        Body::Message(message) if message.interim => {
            (format!("finish {}: the session ended in the middle of it", what()), "unanswered")
        }
        // What an agent was given is listed as such.
        Body::ToolCall(call) if steps::keeps_no_result(call) => {
            (format!("finish {}; the last step was: {}{said}", what(), step()?), "unanswered")
        }
        Body::ToolCall(call) if !matches!(call.action.as_deref(), Some(Action::Agent { .. })) => {
            let calls = text::line(&at_hand(timeline)?, CALLS_CHARS);
            (format!("the session ended during: {calls}{said}"), "interrupted")
        }
        _ => return None,
    })
}

/// How much is told of the calls that have no result, in characters.
const CALLS_CHARS: usize = 300;
/// How much of it is told beside the step, in characters.
const ANNOUNCED_CHARS: usize = 180;
/// How many calls back, or items of any kind, what the agent said still tells what it was about to do.
const CALLS_BACK: usize = 12;
const ITEMS_BACK: usize = 24;

/// Returns what the agent is about to do, by its words: it stands at their end, unless that only leads
/// up to what follows.
fn intent(words: &str, most: usize) -> String {
    let last = end(words);
    let told = if last.ends_with(':') { words } else { last };
    text::clip(&told.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Returns what the agent said last before a call or a result, not long ago and in the same turn, at most `most`
/// characters of it by both ends, and its item.
pub(in crate::derive) fn announced(
    timeline: &Timeline<'_>,
    last: &Item<'_>,
    most: usize,
) -> Option<(String, String)> {
    said_before(timeline, last).map(|(words, id)| (intent(&words, most), id.to_owned()))
}

/// Returns all of it.
pub(in crate::derive) fn said_before<'t>(
    timeline: &Timeline<'t>,
    last: &Item<'_>,
) -> Option<(String, &'t str)> {
    if !is_step(last) {
        return None;
    }
    // Who only asks whether something has ended goes no further.
    let polls = timeline.done().rev().take_while(|done| done.item.turn >= last.turn);
    let polls: HashSet<&str> =
        polls.filter(idle::only_waits).map(|done| done.call.call_id.as_ref()).collect();
    let counts = |item: &&&'t Item<'static>| match &item.body {
        Body::ToolCall(call) => !polls.contains(call.call_id.as_ref()),
        Body::ToolResult(result) => !polls.contains(result.call_id.as_ref()),
        _ => item.turn == last.turn,
    };
    let of_turn = timeline.items.iter().rev().take_while(|item| item.turn >= last.turn);
    let mut calls = 0;
    let is_near = |(at, item): &(usize, &&Item<'_>)| {
        calls += usize::from(matches!(item.body, Body::ToolCall(_)));
        calls <= CALLS_BACK || *at < ITEMS_BACK
    };
    let near = of_turn.filter(counts).enumerate().take_while(is_near);
    let mut near = near.map(|(_, item)| item);
    near.find_map(|item| match &item.body {
        Body::Message(message) if message.origin == Origin::Model => {
            let words = text::plain(&message.plain());
            (!words.trim().is_empty()).then(|| (with_answer(timeline, item, words), &*item.id))
        }
        _ => None,
    })
}

/// Adds to words that asked the user something what these answered since.
fn with_answer(timeline: &Timeline<'_>, item: &Item<'_>, words: String) -> String {
    let since = || decisions::answered_since(timeline, item.line);
    match words::asks_user(&words).then(since).flatten() {
        Some(answer) => format!("{} (answered since: {answer})", words.trim_end()),
        None => words,
    }
}

/// Returns the marks for later work that the session put into code and did not take out again.
pub(super) fn marks(timeline: &Timeline<'_>) -> Vec<Work> {
    let mut found: Vec<(String, String, String)> = Vec::new();
    for done in timeline.done().filter(|done| done.result.is_some() && !done.failed()) {
        let Some(Action::Edit { changes }) = done.call.action.as_deref() else { continue };
        for change in changes {
            let path = timeline.path(&change.path);
            let goes = |row: &str| change.removed.lines().any(|old| old.trim() == row);
            found.retain(|(of, row, _)| *of != path || !goes(row));
            found.extend(added(change).map(|row| (path.clone(), row, done.item.id.to_string())));
        }
    }
    let newest = found.into_iter().rev().take(MOST_MARKS);
    let work = |(path, row, id): (String, String, String)| {
        Work::new(format!("{path}: {}", text::line(&row, 160)), Trust::A, "code", &id)
    };
    newest.map(work).collect()
}

/// Returns the lines that a change adds and that are marked for later work.
fn added(change: &Change) -> impl Iterator<Item = String> + '_ {
    let is_code = ![".md", ".txt", ".rst", ".json", ".jsonl", ".snap"]
        .iter()
        .any(|ending| change.path.ends_with(ending));
    let rows = change.added.lines().map(str::trim).filter(move |row| is_code && is_mark(row));
    rows.filter(|row| !change.removed.lines().any(|old| old.trim() == *row)).map(str::to_owned)
}

/// Whether a line of code has a comment that begins with such a mark.
fn is_mark(row: &str) -> bool {
    let comments = ["//", "#", "/*", "--", "*", ";;", "<!--", "%"];
    ["TODO", "FIXME"].iter().any(|mark| {
        row.match_indices(mark).any(|(at, _)| {
            let before = row[..at].trim_end();
            let after = row[at + mark.len()..].chars().next();
            comments.iter().any(|comment| before.ends_with(comment))
                && after.is_none_or(|c| matches!(c, ':' | '(' | ' ' | '!'))
        })
    })
}

impl Work {
    /// A piece of work that is not begun; its id is made of its text.
    pub(super) fn new(text: String, trust: Trust, source: &'static str, item: &str) -> Self {
        Self {
            id: crate::derive::ids::id('W', &text),
            text,
            details: None,
            status: PlanStatus::Pending,
            blocked_by: Vec::new(),
            trust,
            source,
            evidence: vec![item.to_owned()],
        }
    }

    /// Takes its id from `name`, which stays the same where the text changes.
    fn named(self, name: &str) -> Self {
        Self { id: crate::derive::ids::id('W', name), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_is_about_to_do_stands_at_the_end() {
        let long = format!("{}\n\nNow I mend the reader of amounts.", "It is so. ".repeat(40));
        assert_eq!(intent(&long, 180), "Now I mend the reader of amounts.");
        assert!(
            intent(&format!("{long}\n\nHere is the change I make:"), 180).starts_with("It is so.")
        );
        assert_eq!(intent("I look at it:", 180), "I look at it:");
    }

    #[test]
    fn marks_stand_in_comments() {
        assert!(
            is_mark("x(); // TODO: sort") && is_mark("# FIXME(ada) slow") && is_mark("/* TODO */")
        );
        assert!(
            !is_mark("let TODO = 1;") && !is_mark("print(\"TODO: x\")") && !is_mark("// TODOS")
        );
    }
}
