//! What comes next, by what stands at the end of a session.

use super::checking::is_check;
use super::failures::Failure;
use super::gist::{gist, gist_without};
use super::open_work::{self, Amid, Work};
use super::outcomes::Commit;
use super::paragraphs::end;
use super::timeline::{Done, Timeline};
use super::verify::by_id;
use super::{Trust, decisions, event, links, steps, stopped, text};
use crate::model::{Action, Body, Item, Origin, Plan, PlanStatus, Role, ToolCall, ToolKind};

/// How many characters of the agent's last words are kept.
const LAST_CHARS: usize = 500;
/// How many of the report of another agent.
const REPORT_CHARS: usize = 700;

/// Says what comes next, by what stands at the end of the session.
/// `behind` is a commit that the list of work knows nothing of.
pub(super) fn next(
    timeline: &Timeline<'_>,
    open: &[Work],
    failures: &[Failure],
    behind: Option<&Commit>,
) -> Option<(String, Trust)> {
    let last = open_work::last_act(timeline)?;
    if let Some(came) = event::unread(timeline) {
        let is_it = |work: &&Work| work.evidence.iter().any(|id| *id == came.item.id);
        let text = open.iter().find(is_it).map_or_else(|| came.told(), |work| work.text.clone());
        // What an agent found that was sent off is what was waited for.
        let report = came_back(timeline, last);
        return Some(match report {
            Some(report) => (format!("{report}\n\n{text}"), Trust::C),
            None => (text, Trust::S),
        });
    }
    let found = next_at(timeline, before_error(timeline)?, open, failures, behind);
    let is_error = matches!(&last.body, Body::Notice { kind, .. } if kind == "error");
    let broken = open.iter().find(|work| is_error && work.source == "interrupted");
    found.or_else(|| broken.map(|work| (work.text.clone(), Trust::S)))
}

/// Returns the last act; where only an error came after it, what the agent did or said before that.
pub(super) fn before_error<'t>(timeline: &Timeline<'t>) -> Option<&'t Item<'static>> {
    open_work::before_break(timeline, |kind| kind == "error")
}

fn next_at(
    timeline: &Timeline<'_>,
    last: &Item<'_>,
    open: &[Work],
    failures: &[Failure],
    behind: Option<&Commit>,
) -> Option<(String, Trust)> {
    let asked =
        || Some((text::clip(&open_work::put_to_user(timeline, last)?, LAST_CHARS), Trust::C));
    match &last.body {
        Body::Notice { kind, .. } if kind == "error" => None,
        Body::Notice { text: reason, .. } => {
            let done = timeline.last().map(|done| steps::brief(timeline, &done));
            let after = done.map(|done| format!(" after: {done}")).unwrap_or_default();
            Some((format!("{}{after}", open_work::broke_off(reason.as_ref(), "")), Trust::S))
        }
        Body::Message(message) if message.origin == Origin::Human => {
            let amid = open_work::came_amid(timeline).map_or("", Amid::told);
            Some((format!("answer the request above; nothing was done for it yet{amid}"), Trust::S))
        }
        Body::ToolCall(call) if steps::keeps_no_result(call) => None,
        Body::ToolCall(call) if is_about_agents(call) && !reports(timeline, last).is_empty() => {
            came_back(timeline, last).map(|found| (found, Trust::C))
        }
        Body::ToolCall(_) => asked().or_else(|| {
            Some((format!("the session ended during: {}", at_hand(timeline)?), Trust::S))
        }),
        Body::Message(message) if message.role == Role::Assistant => {
            let words = text::plain(&message.plain());
            Some((text::clip(end(&open_work::read(&words)), LAST_CHARS), Trust::C))
        }
        _ => asked().or_else(|| after_results(timeline, last, open, failures, behind)),
    }
}

/// How many calls are told of several that were made at once.
const MOST_AT_HAND: usize = 3;

/// Tells the last call; of several that were made at once and have no result each.
pub(super) fn at_hand(timeline: &Timeline<'_>) -> Option<String> {
    let last = timeline.last()?;
    let is_out = |done: &Done<'_>| done.result.is_none() && done.item.turn == last.item.turn;
    let mut all: Vec<_> = timeline.own().rev().take_while(is_out).collect();
    all.reverse();
    if all.len() < 2 {
        return Some(steps::brief(timeline, &last));
    }
    let more = all.len().saturating_sub(MOST_AT_HAND);
    let told = all.iter().take(MOST_AT_HAND).map(|done| steps::brief(timeline, done));
    let told = told.collect::<Vec<_>>().join("; ");
    Some(if more > 0 { format!("{told}; and {more} more") } else { told })
}

/// Says what comes next where the session ended behind the result of a call.
fn after_results(
    timeline: &Timeline<'_>,
    last: &Item<'_>,
    open: &[Work],
    failures: &[Failure],
    behind: Option<&Commit>,
) -> Option<(String, Trust)> {
    if let Some(found) = came_back(timeline, last) {
        return Some((found, Trust::C));
    }
    if let Some(chosen) = decisions::to_follow(timeline, last) {
        return Some((chosen, Trust::B));
    }
    let said = open_work::announced(timeline, last, LAST_CHARS).map(|(words, _)| (words, Trust::C));
    // What the agent was about to do says more than that something beside the work failed, or a check after which
    // the work was committed all the same.
    let failure = failures.iter().find(|one| !one.got_round);
    // Nor is there anything to mend where the network failed.
    let is_at_hand =
        |one: &&Failure| is_check(&one.command) && !one.is_committed && !one.is_outside;
    let failure = failure.filter(|one| is_at_hand(one) || said.is_none());
    if let Some(failure) = failure {
        let named = by_id(&failure.command, &failure.id);
        let line = match &failure.refused {
            Some(refused) => {
                format!("run {named} where it is let do what was refused here: {refused}")
            }
            None => format!("mend what makes {named} fail"),
        };
        return Some((line, Trust::S));
    }
    // Of a list of which nothing is begun nobody knows how far it is once the agent said more.
    let is_begun =
        |work: &&Work| work.status == PlanStatus::InProgress || said.is_none() || behind.is_some();
    let listed = open.iter().find(|work| work.source == "plan").filter(is_begun);
    let step = listed.map(|work| match behind {
        Some(commit) => {
            let name = commit.sha.as_deref().unwrap_or("a commit");
            format!("see what is left of the list of work: {name} came after it was changed last")
        }
        None => format!("go on with: {}", text::line(&work.text, 200)),
    });
    let unanswered =
        || open.iter().find(|work| matches!(work.source, "interrupted" | "unanswered"));
    // What the harness did not let run was announced, and not done.
    let goes_on = step.map(|step| (step, Trust::S)).or(said);
    goes_on
        .filter(|_| !timeline.last().is_some_and(|done| done.was_held_back()))
        .or_else(|| unanswered().map(|work| (work.text.clone(), Trust::S)))
}

/// Tells what agents found that have reported since anything else was done or said: nobody has answered them yet.
fn came_back(timeline: &Timeline<'_>, last: &Item<'_>) -> Option<String> {
    let reports = reports(timeline, last);
    let few = &reports[reports.len().saturating_sub(MOST_REPORTS)..];
    match few {
        [] => None,
        [only] => Some(format!(
            "the report of the agent that was sent off came back: {}",
            reported(timeline, only, REPORT_CHARS)
        )),
        few => {
            let chars = REPORTS_CHARS / few.len();
            let told = few
                .iter()
                .map(|done| format!("({}) {}", given(done), reported(timeline, done, chars)));
            let told = told.collect::<Vec<_>>().join(" ");
            let count = reports.len();
            Some(format!("the reports of {count} agents that were sent off came back: {told}"))
        }
    }
}

/// How many reports are told, the newest, and how many characters of all of them.
const MOST_REPORTS: usize = 4;
const REPORTS_CHARS: usize = 1000;
/// How many characters say which agent reported.
const GIVEN_CHARS: usize = 60;

/// Says which agent it is that a call sent off, by what that was given.
fn given(done: &Done<'_>) -> String {
    match done.call.action.as_deref() {
        Some(Action::Agent { task }) => text::line(task, GIVEN_CHARS),
        _ => String::new(),
    }
}

/// Returns what the report of an agent comes to.
pub(super) fn reported(timeline: &Timeline<'_>, done: &Done<'_>, most: usize) -> String {
    let report = text::plain(&done.output());
    // What the harness adds for whoever asked is no part of it.
    let report = report.split("\nagentId: ").next().unwrap_or_default();
    let home = timeline.header.cwd.as_deref().unwrap_or_default();
    let unlinked = links::unlinked(report, home);
    let report = unlinked.as_deref().unwrap_or(report);
    let is_short = report.chars().count() <= most.min(SHORT_CHARS);
    let found = if is_short { Vec::new() } else { faults(report) };
    if found.len() > 1 {
        return found_first(report, &found, most);
    }
    // What it is the report of stands beside it.
    let is_heading = |row: &&str| row.trim().is_empty() || row.starts_with('#');
    let heading: usize = report.split_inclusive('\n').take_while(is_heading).map(str::len).sum();
    let report = if heading < report.len() { &report[heading..] } else { report };
    gist(&open_work::read(report), "", most)
}

/// With room for fewer characters nothing is told beside what was found.
const LEAST_CHARS: usize = 200;
/// A report of no more characters is told whole where it has room.
const SHORT_CHARS: usize = 600;
/// By which a row says that something is as it should be.
const TICKS: &[char] = &['✓', '✔', '✅'];
/// How a part begins under whose heading nothing was found.
const NOTHING_FOUND: &[&str] = &["none", "nothing"];

/// Returns what a report finds fault with: no row that is ticked, and nothing below a heading under which it says that
/// there is none.
fn faults(report: &str) -> Vec<String> {
    let is_heading = |line: &&str| line.starts_with('#');
    let begins = |line: &str| {
        let word = line.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        word.is_some_and(|word| NOTHING_FOUND.contains(&word.to_lowercase().as_str()))
    };
    let (mut is_first, mut has_none) = (false, false);
    let tells = |line: &&str| {
        if is_heading(line) {
            (is_first, has_none) = (true, false);
        } else if is_first && !line.trim().is_empty() {
            (is_first, has_none) = (false, begins(line));
        }
        !has_none && !line.contains(TICKS)
    };
    let lines: Vec<&str> = report.lines().filter(tells).collect();
    open_work::reported(&lines.join("\n"))
}

/// Of each thing that was found at least so many characters are told; fewer hardly say what it is.
const FOUND_CHARS: usize = 110;
/// What stands around each of them.
const ROW_CHARS: usize = 4;

/// Returns what a report comes to that finds fault with several things: each of these, then the rest.
fn found_first(report: &str, found: &[String], most: usize) -> String {
    let (mut told, mut left) = (Vec::new(), most);
    // Of each a little says more than of some all.
    let each = (most / found.len()).saturating_sub(ROW_CHARS).max(FOUND_CHARS);
    for (at, one) in found.iter().enumerate() {
        let row = format!("- {}", text::line(one, each));
        let chars = row.chars().count() + 1;
        if chars > left {
            told.push(format!("- and {} more", found.len() - at));
            left = 0;
            break;
        }
        left -= chars;
        told.push(row);
    }
    let has = |part: &str| found.iter().any(|one| one.contains(part.trim_matches(['*', '#', ' '])));
    if left > LEAST_CHARS {
        told.push(gist_without(&open_work::read(report), "", left, &has));
    }
    told.join("\n")
}

/// Returns the calls whose agents have reported since anything else was done or said, in the order of their reports:
/// that agents were looked at, waited for or stopped since answers none of them.
pub(super) fn reports<'s>(timeline: &Timeline<'s>, last: &Item<'_>) -> Vec<Done<'s>> {
    let Some(at) = timeline.items.iter().rposition(|item| item.id == last.id) else {
        return Vec::new();
    };
    let (mut found, mut told) = (Vec::new(), Vec::new());
    // A list of work follows the call that set it.
    let lists = timeline.items[at + 1..].iter();
    let lists = lists.take_while(|item| matches!(item.body, Body::Plan(_))).count();
    for (at, item) in timeline.items[..=at + lists].iter().enumerate().rev() {
        match &item.body {
            // Who ticks off work has taken in what was reported of it.
            Body::Plan(plan) if ticks_off(plan, &timeline.items[..at]) => break,
            Body::ToolCall(call) if !is_about_agents(call) => break,
            Body::ToolCall(call) => {
                let done = timeline.done().rev().find(|done| done.call.call_id == call.call_id);
                match call.action.as_deref() {
                    // What was reported before was known to whoever sent off another one.
                    Some(Action::Agent { .. }) if done.is_some_and(|done| !done.failed()) => break,
                    // Who tells one of them more has taken in what that one reported.
                    None => told.extend(done),
                    _ => {}
                }
            }
            Body::ToolResult(result) => {
                let done = timeline.done().rev().find(|done| done.call.call_id == result.call_id);
                let Some(done) = done.filter(|done| is_about_agents(done.call)) else { break };
                let brings = done.result.is_some_and(|own| std::ptr::eq(own, result));
                let is_answered = || stopped::was_told(timeline, &done, &told);
                let is_new = brings && steps::reports(&done) && !is_answered();
                found.extend(is_new.then_some(done));
            }
            Body::Message(message) if is_of_agent(message.origin) => {}
            Body::Message(_) | Body::Compaction(_) | Body::Notice { .. } => break,
            _ => {}
        }
    }
    found.reverse();
    found
}

/// Whether more of a list of work is done than of the one before it, and something is left of it that comes next.
fn ticks_off(plan: &Plan<'_>, before: &[&Item<'_>]) -> bool {
    if !plan.items.iter().any(|entry| entry.status.is_open()) {
        return false;
    }
    let done = |plan: &Plan<'_>| {
        plan.items.iter().filter(|entry| entry.status == PlanStatus::Completed).count()
    };
    done(plan) > before.iter().rev().find_map(|item| item.plan()).map_or(0, done)
}

/// Whether words are those of another agent, or of nobody who could answer one.
fn is_of_agent(origin: Origin) -> bool {
    matches!(origin, Origin::Agent | Origin::Harness)
}

/// Whether a call sends other agents off, looks at them, waits for them or stops them, or lists the work.
fn is_about_agents(call: &ToolCall<'_>) -> bool {
    call.kind == ToolKind::Agent
        || matches!(
            call.action.as_deref(),
            Some(Action::Agent { .. } | Action::Wait { .. } | Action::Stop { .. } | Action::Plan)
        )
}

#[cfg(test)]
mod tests {
    use super::{faults, found_first};

    #[test]
    fn what_is_ticked_or_stands_under_none_is_no_fault() {
        let rows = "- `a.md:4` — it says so ✓\n- `b.md:5` — so does it ✓\n";
        let none = format!("## Critical\n\nNone. Each line that is cited is there:\n\n{rows}");
        assert!(faults(&none).is_empty(), "{:?}", faults(&none));
        let plain = none.replace(" ✓", "");
        assert!(faults(&plain).is_empty(), "{:?}", faults(&plain));
        let high = format!(
            "{none}\n## High\n\n- `c.md:6` — the key is logged\n- `d.md:7` — so is the name\n"
        );
        assert_eq!(faults(&high).len(), 2, "{:?}", faults(&high));
    }

    #[test]
    fn each_fault_is_told_as_long_as_all_have_room() {
        let fault = "P1 — the lamp of the attic burns at noon, since nobody reads the clock of the house there, and it burns at night, too, because the key hangs outside and the gate stands open";
        let found = |count: usize| vec![fault.to_owned(); count];
        assert_eq!(found_first("", &found(2), 600).matches("stands open").count(), 2);
        let told = found_first("", &found(5), 600);
        assert_eq!(told.matches("P1").count(), 5, "{told}");
        assert!(found_first("", &found(9), 600).ends_with("more"));
    }
}
