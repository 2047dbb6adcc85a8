//! How a session ended, and whether what the agent says of it is borne out.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use super::now::leaves_nothing;
use super::open_work::{self, ListLeft, Work};
use super::outcomes::{Check, Ended, Outcomes, Run, names_test_program, since_told};
use super::pattern::Pattern;
use super::timeline::Timeline;
use super::{FactKind, Facts, Failure, Recap, Trust, ids, text, words};
use crate::model::{PlanStatus, QUESTION_MARKS};

/// How a session ended, as far as a machine recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A check passed after the last change, and nothing is known to be open.
    Success,
    /// Something was done or passed, and something is open.
    Partial,
    /// What was checked last failed, and nothing shows progress.
    Fail,
    /// Nothing was checked.
    Uncertain,
}

/// What stands behind the answer whether the work is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the agent's last words say that the work is done; only English is understood.
    pub claimed_done: bool,
    /// How many entries of the harness's own list are done, and how many it has.
    pub plan: Option<(usize, usize)>,
    /// Whether files of the project were changed that are more than prose, so that a check is due.
    pub changed: bool,
    /// Whether all checks elsewhere were seen to have passed after the last change.
    #[serde(skip)]
    pub passed_elsewhere: bool,
    /// Lists of work in files, of which the session does not tell what is open at its end.
    #[serde(skip)]
    pub lists: Vec<ListLeft>,
    /// The check that tells most of the state at the end: the one that ran last, or tests that passed on the same files.
    pub last_check: Option<LastCheck>,
}

/// How the project was checked last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastCheck {
    /// The command.
    pub command: String,
    /// `passed`, `failed` or `unknown`.
    pub ended: &'static str,
    /// How many files were changed since.
    pub edits_since: usize,
    /// Whether it is not known which all of these are.
    #[serde(skip)]
    pub is_vague: bool,
    /// How it ended, in words.
    pub told: String,
}

impl LastCheck {
    /// Says how many files were changed since, behind how it ended.
    pub fn since(&self) -> String {
        since_told(self.edits_since, self.is_vague)
    }
}

/// Finds how the session ended.
pub(super) fn ending(timeline: &Timeline<'_>, outcomes: &Outcomes, open: &[Work]) -> Ending {
    let plan = timeline.items.iter().rev().find_map(|item| item.plan());
    let plan = plan.filter(|plan| !plan.items.is_empty()).map(|plan| {
        let done = plan.items.iter().filter(|item| !item.status.is_open()).count();
        (done, plan.items.len())
    });
    // Beside the work on the project what ran where nothing is meant to stay was only tried.
    let is_tried = |check: &Check| outcomes.changed() && outcomes.is_trial(&check.run);
    let is_ours = |check: &&Check| !outcomes.looks_at_others(&check.run) && !is_tried(check);
    let ours = outcomes.checks.iter().filter(is_ours);
    let last = telling(&ours.collect::<Vec<_>>()).map(|check| LastCheck {
        command: check.run.told_there(),
        ended: if check.passed_elsewhere { "passed" } else { word(check.run.ended) },
        edits_since: check.edits_since,
        is_vague: check.is_vague,
        told: check.told(),
    });
    let last = last.or_else(|| tried(outcomes));
    let words = open_work::last_words(timeline);
    Ending {
        outcome: outcome(outcomes, open, plan),
        claimed_done: words
            .is_some_and(|(id, words)| claims_done(&words) && !names_left(&id, open)),
        plan,
        changed: outcomes.changed(),
        passed_elsewhere: open_work::passed_elsewhere(timeline, outcomes),
        lists: open_work::unsure(timeline),
        last_check: last,
    }
}

/// Returns the check that ran last; where that passed and only builds or looks, the newest of those that passed on the
/// same files and test.
fn telling<'c>(ours: &[&'c Check]) -> Option<&'c Check> {
    let last = ours.first()?;
    let is_same = |check: &&&Check| check.has_passed() && check.edits_since == last.edits_since;
    let mut same = ours.iter().take_while(is_same);
    same.find(|check| check.run.unit == "test" || names_test_program(&check.run.command))
        .or(Some(last))
        .copied()
}

/// Returns the check that ran last where none stands any more: nobody knows how it ended, only a part of all
/// passed, or what it found was set in order.
fn tried(outcomes: &Outcomes) -> Option<LastCheck> {
    let (check, mended) = outcomes.last_tried()?;
    let saw = mended.map_or(check.run.saw(), Run::saw);
    let (ended, told) = match mended {
        Some(run) => (Ended::Passed, format!("mended by `{}`", text::line(&run.told(), 120))),
        None if check.has_passed() => (Ended::Passed, check.told()),
        None => {
            let told = "no summary was seen, so it is not known how it ended";
            (Ended::Unknown, told.to_owned())
        }
    };
    let (edits_since, is_vague) = outcomes.changed_after(saw);
    Some(LastCheck {
        command: check.run.told_there(),
        ended: word(ended),
        edits_since,
        is_vague,
        told,
    })
}

/// Whether the agent's last words, the item `id`, name something that is left.
fn names_left(id: &str, open: &[Work]) -> bool {
    let named =
        |work: &Work| work.source == "agent_said" && work.evidence.iter().any(|one| one == id);
    open.iter().any(named)
}

fn word(ended: Ended) -> &'static str {
    match ended {
        Ended::Passed => "passed",
        Ended::Failed => "failed",
        Ended::Unknown => "unknown",
    }
}

/// A passing check after the last change outranks that nothing is open; where nothing was checked
/// nobody knows.
fn outcome(outcomes: &Outcomes, open: &[Work], plan: Option<(usize, usize)>) -> Outcome {
    let passes = outcomes.checks.iter().any(|check| check.has_passed() && check.edits_since == 0);
    let fails = outcomes.checks.iter().any(Check::fails);
    let progress = passes || plan.is_some_and(|(done, _)| done > 0) || !outcomes.commits.is_empty();
    let is_open = open.iter().any(|work| work.trust == Trust::S);
    match (fails, is_open, progress) {
        (true, _, false) => Outcome::Fail,
        (true, _, true) | (false, true, true) => Outcome::Partial,
        (false, false, _) if passes => Outcome::Success,
        _ => Outcome::Uncertain,
    }
}

/// What an agent says when it holds the work to be done.
static CLAIMS: Pattern = Pattern::new(concat!(
    r"(?i)\ball (?:\w+ ){0,3}(?:done|complete|completed|finished|passing|green|pass)\b",
    r"|\b(?:is|are|everything's|it's|now|been|successfully|fully) (?:now |all )?(?:done|complete|completed|finished|implemented|fixed)\b",
    r"|^\W*(?:done|completed|finished|implemented|fixed)\b",
));
/// Words before a claim that take it back.
const NOT: &[&str] = &[
    "not ", "n't ", "never ", "once ", "when ", "until ", "if ", "before ", "yet ", "after ",
    "hardly ", "barely ", "almost ", "nearly ",
];
/// Words by which what a claim speaks of is not all of it.
const FEW: &[&str] = &["half", "neither", "none", "nothing", "partly"];
/// A part of a whole, or one step of many, of which a claim speaks that says nothing of the rest.
static PART: Pattern = Pattern::new(
    r"(?i)\b(?:(?:one|two|three|four|five|\d+|some|most|many|few|half|part|several) of|\d+ ?/ ?\d+|(?:step|phase|part|milestone)s? (?:\d+|one|two|three))\b",
);
/// Words behind a claim in its sentence that except something from it.
const EXCEPT: &[&str] =
    &[" but the", "except", "apart from", "aside from", "remain", "missing", "still "];

/// How many bytes of a sentence are looked at for what takes a claim back.
const SENTENCE_BYTES: usize = 200;

/// Whether the agent says that the work is done, and does not go on to say what it does next, or ask.
pub(super) fn claims_done(said: &str) -> bool {
    let claims = |found: &Range<usize>| {
        let start = said.floor_char_boundary(found.start.saturating_sub(SENTENCE_BYTES));
        let before = said[start..found.end].to_lowercase().replace('’', "'");
        let before = before.rsplit(['.', '\n', '!']).next().unwrap_or_default();
        let rest = said[found.end..].to_lowercase();
        let rest = rest.split(['.', '\n', '!']).next().unwrap_or_default();
        !is_heading(said, found.end)
            && !NOT.iter().any(|not| before.contains(not))
            && !speaks_of_part(before)
            && !EXCEPT.iter().any(|but| rest.contains(but))
    };
    let claim = CLAIMS.places(said).find(claims);
    claim.is_some_and(|found| !words::goes_on(&said[found.end..])) && !words::asks_user(said)
}

/// Whether what a claim speaks of, before it in its clause, is a part of a whole: `3/7`, but not `5/5`.
fn speaks_of_part(before: &str) -> bool {
    let clause = before.rsplit([',', ';']).next().unwrap_or_default();
    let has = |words: &[&str]| clause.split_whitespace().any(|word| words.contains(&word));
    let is_whole = |found: &str| {
        let mut sides = found.split(['/', ' ']).filter(|side| !matches!(*side, "" | "of"));
        let first = sides.next();
        sides.next().is_some_and(|second| first == Some(second))
    };
    let is_part = || has(FEW) || PART.find(clause).is_some_and(|found| !is_whole(found));
    !has(&["all", "everything", "whole"]) && is_part()
}

/// Whether the line around a place is a heading, under which stands what is done and which says nothing of
/// the rest. That of all the words does.
fn is_heading(words: &str, at: usize) -> bool {
    let (above, line) = words[..at].rsplit_once('\n').unwrap_or(("", &words[..at]));
    let rest = words[at..].lines().next().unwrap_or_default();
    let leads_on = rest.trim_end_matches(['*', ' ', '\r']).ends_with(':');
    leads_on && line.trim_start().starts_with("**")
        || line.trim_start().starts_with('#') && !above.trim().is_empty()
}

/// The answer whether the work of a session is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// `segue-status-1`.
    pub schema: &'static str,
    /// The id of the session.
    pub session: String,
    /// Whether nothing speaks against it.
    pub done: bool,
    /// Whether the agent said so, and something speaks against it.
    pub closure_mismatch: bool,
    /// What speaks against it: `pending_items_open`, `blockers_open`, `dod_incomplete`,
    /// `missing_evidence`, `waits_for_user`, in this order.
    pub reasons: Vec<&'static str>,
    /// How the session ended.
    #[serde(flatten)]
    pub ending: Ending,
    /// What is open.
    pub open: Vec<OpenLine>,
    /// What was not shown, in words.
    pub missing: Vec<String>,
    /// The question with which the agent's last words end.
    #[serde(skip)]
    pub question: Option<String>,
}

/// A piece of open work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenLine {
    /// `W-…`, or `F-…` of what failed.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// Where it is listed: as of open work, `failed` for what failed as the last that was done, or `recap` for what the
    /// harness's recap says of the next step.
    pub source: &'static str,
    /// How far it can be trusted.
    pub trust: Trust,
}

/// Says whether the work is done.
pub fn status(facts: &Facts) -> Status {
    let missing = missing(facts);
    let mut reasons = against(facts, &missing);
    reasons.extend(facts.now.asks.then_some("waits_for_user"));
    let line = |work: &Work| OpenLine {
        id: work.id.clone(),
        text: work.text.clone(),
        source: match work.source {
            "pack" if !goes_on(facts) => "pack_aside",
            source => source,
        },
        trust: work.trust,
    };
    let of_list = facts.open_work.iter().map(line);
    let recap = facts.now.recap.as_ref().filter(|recap| recap.is_last && !leaves_nothing(recap));
    let event = facts.now.event.as_ref().filter(|event| event.asks);
    let mut asked = facts.now.last_words.iter().chain(event.and_then(|it| it.answer.as_ref()));
    Status {
        schema: "segue-status-1",
        session: facts.session.id.clone(),
        done: reasons.is_empty(),
        closure_mismatch: facts.ending.claimed_done && !reasons.is_empty(),
        reasons,
        ending: facts.ending.clone(),
        open: of_list
            .chain(failed_last(facts).map(failed))
            .chain(recap.and_then(recapped))
            .collect(),
        missing,
        question: asked.find_map(|said| question(&said.text)),
    }
}

/// How much is told of a question, in characters.
const QUESTION: usize = 300;

/// Returns the question with which words end: the last one of their last paragraph, with what stands before it where it
/// hardly says by itself what is asked.
fn question(words: &str) -> Option<String> {
    let last = words.trim_end().rsplit("\n\n").next()?;
    let all: Vec<String> = words::sentences(last).iter().map(|part| bare(part)).collect();
    let at = all.iter().rposition(|part| part.ends_with(QUESTION_MARKS))?;
    let is_prose = |part: &&String| {
        !part.is_empty() && !part.contains(['|', '`']) && part.chars().count() < QUESTION / 2
    };
    let is_short = all[at].chars().count() < QUESTION_CHARS;
    let before = at.checked_sub(1).map(|at| &all[at]).filter(|part| is_short && is_prose(part));
    let asked = before.into_iter().chain([&all[at]]).map(String::as_str).collect::<Vec<_>>();
    Some(text::line(&asked.join(" "), QUESTION))
}

/// A question of fewer characters hardly says by itself what is asked.
const QUESTION_CHARS: usize = 24;

/// Returns a sentence without the marks of a list or of print around it.
fn bare(sentence: &str) -> String {
    let inner = sentence.trim().trim_matches(['*', '_', ' ', '-']);
    let behind = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = behind.strip_prefix(". ").or_else(|| behind.strip_prefix(") "));
    numbered.filter(|_| behind.len() < inner.len()).unwrap_or(inner).trim().to_owned()
}

/// Takes back that it ended well where something speaks against the work being done.
pub(super) fn bear_out(facts: &mut Facts) {
    if facts.ending.outcome == Outcome::Success && (facts.now.asks || !is_done(facts)) {
        facts.ending.outcome = Outcome::Partial;
    }
}

/// Returns what failed as the last that was done, where no piece of open work says so.
fn failed_last(facts: &Facts) -> impl Iterator<Item = &Failure> {
    facts.failures.iter().filter(|failure| {
        let evidence: HashSet<&str> = failure.evidence.iter().map(String::as_str).collect();
        let is_known = || facts.open_work.iter().any(|work| work.rests_on(&evidence));
        failure.is_last && !failure.got_round && !is_known()
    })
}

/// How many characters of a recap's next step are told.
const RECAP_CHARS: usize = 200;

fn recapped(recap: &Recap) -> Option<OpenLine> {
    let step = text::line(recap.step()?, RECAP_CHARS);
    Some(OpenLine {
        id: ids::id('W', &recap.text),
        text: format!("the harness's recap says: {step}"),
        source: "recap",
        trust: Trust::C,
    })
}

fn failed(failure: &Failure) -> OpenLine {
    let why = failure.why.as_ref().map(|line| format!(": {}", text::line(line, 120)));
    let exit = failure.exit_code.map(|code| format!(" with exit code {code}"));
    let (exit, why) = (exit.unwrap_or_default(), why.unwrap_or_default());
    OpenLine {
        id: failure.id.clone(),
        text: format!("`{}` failed{exit}{why}", text::line(&failure.command, 100)),
        source: "failed",
        trust: Trust::S,
    }
}

/// Whether nothing speaks against the work being done, whatever the agent's last words ask.
pub(super) fn is_done(facts: &Facts) -> bool {
    against(facts, &missing(facts)).is_empty()
}

/// Returns what speaks against the work being done; `missing` is what was not shown.
fn against(facts: &Facts, missing: &[String]) -> Vec<&'static str> {
    let stands = |of: fn(&Work) -> bool| facts.open_work.iter().any(of);
    let dead_end = facts.facts.iter().any(|fact| fact.kind == FactKind::DeadEnd);
    let pending = ["plan", "agent", "interrupted", "unanswered", "summary", "summary_aside"];
    let is_pending = facts
        .open_work
        .iter()
        .any(|work| pending.contains(&work.source) || work.source == "pack" && goes_on(facts));
    let blocked = stands(|work| work.source == "check" || work.status == PlanStatus::Blocked)
        || failed_last(facts).next().is_some();
    let against = [
        ("pending_items_open", is_pending),
        ("blockers_open", blocked || dead_end),
        ("dod_incomplete", stands(|work| work.source == "box")),
        ("missing_evidence", !missing.is_empty()),
    ];
    against.iter().filter(|(_, is)| *is).map(|(reason, _)| *reason).collect()
}

/// Whether the session only goes on with the pack that came with it, and keeps no list of its own.
fn goes_on(facts: &Facts) -> bool {
    let handed = facts.now.handed.as_ref();
    handed.is_some_and(|handed| handed.is_bare) && facts.ending.plan.is_none()
}

/// What is missing where checks elsewhere were waited for.
pub const WAITED_FOR: &str = "it is not known how the checks elsewhere ended that were waited for";

/// Says of a command that still ran when the session ended, and waited for checks elsewhere, that nobody saw how
/// these ended.
fn waited_for(work: &Work) -> Option<String> {
    (work.source == "running" && open_work::waits_for_checks(&work.text))
        .then(|| WAITED_FOR.to_owned())
}

/// What is missing where nothing checked what was changed.
const UNCHECKED: &str = "files were changed, and no test, build or check of them was seen";

/// Says of what the agent claims to be done that nothing checked it, be it elsewhere.
pub(super) fn unchecked(ending: &Ending) -> Option<&'static str> {
    let is_unchecked = ending.claimed_done && ending.changed && ending.last_check.is_none();
    (is_unchecked && !ending.passed_elsewhere).then_some(UNCHECKED)
}

/// Says what was not shown: changes without a check that passed after them, and checks elsewhere.
fn missing(facts: &Facts) -> Vec<String> {
    let ending = &facts.ending;
    let line = match &ending.last_check {
        _ if !ending.changed => None,
        None if ending.passed_elsewhere => None,
        None => Some(UNCHECKED.to_owned()),
        Some(last) if last.edits_since > 0 => {
            Some(format!("files were changed after `{}` ran last", last.command))
        }
        Some(last) if last.ended == "unknown" => {
            Some(format!("it is not known how `{}` ended", last.command))
        }
        Some(_) => None,
    };
    let waited_for = facts.open_work.iter().find_map(waited_for);
    // Of a list of which nobody knows what was changed in it, all can be ticked off.
    let lists = ending.lists.iter().filter(|list| list.is_sure).map(|list| list.told.clone());
    line.into_iter().chain(waited_for).chain(lists).collect()
}

#[cfg(test)]
mod tests {
    use super::claims_done;

    #[test]
    fn claims_are_told_from_plans() {
        for words in [
            "All done!",
            "The parser is now complete.",
            "All 12 tests pass.",
            "All of the five steps are done.",
            "Nothing is pending and everything is done.",
            "On behalf of the team: the parser is done.",
            "Nothing else was touched, the parser is done.",
            "All 5/5 tasks are done.",
            "5/5 tasks are complete.",
            "The fix is complete; nothing is left.",
            "Phase 2 is written, so the whole plan is done now.",
            "Everything is done, but note that the cache is cold on the first run.",
            "It is done: nothing is left to do here but to merge. All checks pass.",
            "Fixed the bug.",
            "## ✅ All done\n\nIt reads them.",
            "**Done:** it reads them.",
            "All done. I'll wait for the next one.",
        ] {
            assert!(claims_done(words), "{words}");
        }
        for words in [
            "The parser is not done.",
            "Once it is complete, run it.",
            "Reading the file.",
            "Ist fertig.",
            "It is checked.\n\n**Done:**\n\n- the first group\n\n**Not done: the second.**",
            "**Done:**\n\n- the first group\n\n**Left:**\n\n- the second",
            "The edit is in place.",
            "The edit is done. Next I'm going to run the same audit.",
            "All done. Which branch shall it go to?",
            "Task 6 is not a gap in what was asked for: the code is done.",
            "Two of five steps are done; three remain.",
            "3/7 tasks are complete.",
            "None of the tests are fixed.",
            "Nothing is finished.",
            "Hardly anything is done.",
            "Almost everything is done.",
            "Half of it is done.",
            "Everything is done except the docs.",
            "All done but the deploy.",
            "The parser is done, but the writer is missing.",
            "Step 1 is done.",
            "Paused until you say so.\n\n### Done\n\n- the first group\n\n### Left",
        ] {
            assert!(!claims_done(words), "{words}");
        }
    }
}
