//! How runs elsewhere stood since the last push, by all that was looked at.

use std::borrow::Cow;

use super::elsewhere::{MOST_ROWS, TOLD_CHARS, failed, failing, goes_on};
use super::running::SHOWING_CHECKS;
use crate::derive::outcomes::{
    COMPLETED, Ended, Outcomes, has_all_pass, is_of_ours, is_push, number_of, pushes_own,
    runs_elsewhere,
};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{shell, text};

/// How commands begin that have a run begin again.
const RERUNS: &[&str] = &["gh run rerun", "glab ci retry"];

/// Whether a command has a run begin again, also by what it sends to the server or says there to a program.
pub(super) fn runs_again(part: &str) -> bool {
    RERUNS.iter().any(|form| part.starts_with(form))
        || part.starts_with("gh api ") && part.contains("/rerun")
        || part.starts_with("gh pr comment ") && orders_run(part)
}

/// The options behind which it stands what a comment says.
const SAYING: &[&str] = &[" --body ", " --body=", " -b ", " -b="];
/// What a program is told to do.
const RUNNING: &[&str] =
    &["build", "check", "ci", "recheck", "rerun", "retest", "retry", "run", "test"];

/// Whether a comment tells a program to run something: `/retest`. A path begins so, too.
fn orders_run(part: &str) -> bool {
    let said = |option: &&str| {
        let value = part.split_once(*option)?.1;
        let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'));
        match quote {
            Some(quote) => value[1..].split(quote).next(),
            None => value.split_whitespace().next(),
        }
    };
    let orders = |said: &str| {
        let Some(order) = said.trim().strip_prefix('/') else { return false };
        let is_order = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let runs = |word: &&&str| word.split(['-', '_']).any(|part| RUNNING.contains(&part));
        match order.split_whitespace().collect::<Vec<_>>()[..] {
            [first, ref rest @ ..] if first.chars().all(is_order) => match runs(&&first) {
                // What it is to run.
                true => rest.len() < 2,
                // A program that is told to.
                false => rest.first().filter(runs).is_some() && rest.len() < 3,
            },
            _ => false,
        }
    };
    SAYING.iter().filter_map(said).any(orders)
}

/// How the runs elsewhere stood since the last push, by all looks at them.
pub(super) struct Stand<'s> {
    /// Whether all passed that was looked at last.
    passed: bool,
    /// What was seen to fail, and not to pass since, in order.
    failing: Vec<Failing<'s>>,
    /// The number of the call that had one begin again last.
    rerun: Option<usize>,
    /// The numbers of the runs that were begun again, and not seen to end since.
    again: Vec<String>,
}

/// Something that was seen to fail.
struct Failing<'s> {
    /// The number of what was looked at, if that has one.
    number: String,
    /// The rows that say so.
    rows: Vec<String>,
    look: Done<'s>,
    /// Whether it was looked at as a run, or in a list of these, which tells of older ones, too.
    is_run: bool,
}

impl<'s> Stand<'s> {
    /// Looks at all that was looked at since the last push, if `is_it` says of its number that it is the one.
    pub(super) fn of(
        timeline: &Timeline<'s>,
        outcomes: &Outcomes,
        is_it: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let pushed = timeline.own().rev().find(|done| pushes_own(timeline, done))?;
        let mut stand = Self { passed: false, failing: Vec::new(), rerun: None, again: Vec::new() };
        if !is_it(pushed.index) {
            return None;
        }
        let since = timeline.own().skip_while(|done| done.index < pushed.index);
        for look in since.filter(|done| done.result.is_some() && !runs_elsewhere(done)) {
            let parts = timeline.parts(&look);
            for again in parts.iter().filter(|part| RERUNS.iter().any(|it| part.starts_with(it))) {
                stand.passed = false;
                stand.rerun = Some(look.index);
                let number = number(again);
                stand.settle(&number);
                stand.again.push(number);
            }
            let sent = parts.iter().rposition(|part| is_push(part)).map_or(0, |at| at + 1);
            let shows = |part: &&String| shows_checks(part) && is_of_ours(timeline, part);
            if let Some(part) = parts[sent..].iter().find(shows) {
                stand.see(timeline, outcomes, look, part);
            }
        }
        Some(stand)
    }

    /// Whether all passed that was looked at.
    pub(super) fn has_passed(&self) -> bool {
        self.passed && self.failing.is_empty() && self.again.is_empty()
    }

    /// Takes what a command of a call shows.
    fn see(&mut self, timeline: &Timeline<'s>, outcomes: &Outcomes, look: Done<'s>, part: &str) {
        let (output, last, ended) = outcomes.came_of(timeline, &look);
        let (worked, is_whole) = (ended != Ended::Failed, shows_whole_run(part, &look));
        let number = number(part);
        if worked && has_all_pass(timeline, &look, &output) {
            self.passed = true;
            // The list of another pull request says nothing of this one.
            self.failing.retain(|one| {
                !one.is_run
                    && ![&one.number, &number].iter().any(|it| it.is_empty())
                    && one.number != number
            });
            self.again.clear();
        } else if failed(&output).is_some() {
            self.passed = false;
            self.failing.retain(|one| one.number != number);
            self.again.retain(|run| *run != number);
            self.failing.push(Failing {
                number,
                rows: failing_rows(&output),
                look,
                is_run: part.starts_with("gh run ") || part.starts_with("glab ci list"),
            });
        } else if is_whole && worked && tells_passed(&last) {
            self.passed = true;
            self.settle(&number);
            self.again.retain(|run| *run != number);
        } else {
            self.passed &= !is_whole && !goes_on(&output);
            // How the same stands now counts.
            if goes_on(&output) {
                self.failing.retain(|one| one.number != number);
            }
        }
    }

    /// Takes the run of a number out of what was seen to fail.
    fn settle(&mut self, run: &str) {
        self.failing.retain_mut(|one| {
            one.rows.retain(|row| !has_number(row, run) || names_other(row, run));
            one.number != run && !one.rows.is_empty()
        });
    }

    /// Returns what was seen last to fail in a list of checks and surely was not begun again, with the names in its rows:
    /// a row without the address of its run may be of any, and a run that was looked at by itself of any change.
    pub(super) fn still_failing(self) -> Option<(Done<'s>, Vec<String>)> {
        let rerun = self.rerun;
        self.failing.into_iter().rev().filter(|one| !one.is_run).find_map(|one| {
            let is_known = |row: &&String| {
                row.contains("/runs/") || rerun.is_none_or(|at| at < one.look.index)
            };
            let rows: Vec<_> = one.rows.iter().filter(is_known).collect();
            let names = rows.iter().filter_map(|row| failing(row.trim()));
            let names = names.take(MOST_ROWS).map(|row| text::line(row, TOLD_CHARS)).collect();
            (!rows.is_empty()).then_some((one.look, names))
        })
    }
}

/// Returns the rows of a look that tell of something that failed, also of a list in JSON; all of them, if none does so by
/// itself.
fn failing_rows(output: &str) -> Vec<String> {
    let fails = |row: &&str| {
        failing(row.trim()).is_some() || row.contains('{') && row.to_lowercase().contains("fail")
    };
    let all = output.lines().flat_map(|row| row.split_inclusive("},"));
    let mut rows: Vec<&str> = all.filter(fails).collect();
    if rows.is_empty() {
        rows.push(output);
    }
    rows.into_iter().map(str::to_owned).collect()
}

/// Whether a row, such as one of JSON, has the address of another run.
fn names_other(row: &str, run: &str) -> bool {
    let numbers = row.split("/runs/").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        &rest[..end]
    });
    numbers.into_iter().any(|number| number != run)
}

/// Whether a row has a number, be it in an address.
fn has_number(row: &str, number: &str) -> bool {
    !number.is_empty() && row.split(|c: char| !c.is_ascii_digit()).any(|word| word == number)
}

/// Commands that list runs.
const LISTS: &[&str] = &["gh run list", "glab ci list"];

/// Whether a command shows how checks elsewhere stand, be it that of all of them.
fn shows_checks(part: &str) -> bool {
    SHOWING_CHECKS.iter().chain(LISTS).any(|shows| part.starts_with(shows))
}

/// Returns the number of what a command shows, if it names one, be it by an address.
pub(super) fn number(part: &str) -> String {
    number_of(part).unwrap_or_default()
}

/// Options by which a command shows one of several jobs, workflows or states, or a log.
const OF_SOME: &[&str] = &[
    "--event",
    "--job",
    "--log",
    "--status",
    "--user",
    "--workflow",
    "-e",
    "-j",
    "-s",
    "-u",
    "-w",
];
/// Options by which it shows what is chosen of it.
const CHOOSING: &[&str] = &["--jq", "--template", "-q", "-t"];
/// Whether a command of a call shows all jobs of a run, or all runs that it lists, and nothing hides some of them.
fn shows_whole_run(part: &str, done: &Done<'_>) -> bool {
    let has = |part: &str, options: &[&str]| {
        let is_it = |word: &str| options.iter().any(|option| word.starts_with(option));
        part.split_whitespace().any(is_it)
    };
    let outer = &*without_inner(part);
    let chooses =
        has(outer, CHOOSING) && ["jobs", "select", "["].iter().any(|it| outer.contains(it));
    let is_piped = || {
        let all = done.command().map(shell::raw).unwrap_or_default();
        let cuts = |next: &(String, String)| next.0.trim() != "cat" || next.1 == "|";
        all.windows(2).any(|two| shows_checks(&two[0].0) && two[0].1 == "|" && cuts(&two[1]))
    };
    // How the checks of a pull request stand is told by a list of all of them.
    !part.starts_with("gh pr checks")
        && !has(part, OF_SOME)
        && !chooses
        && (done.output().contains(COMPLETED) || !is_piped())
}

/// Takes out the command from which another one gets its words: `gh run watch $(gh run list -q …)`.
fn without_inner(part: &str) -> Cow<'_, str> {
    let Some((before, inner)) = part.split_once("$(") else { return part.into() };
    let mut open = 1;
    let ends = |c: char| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open == 0
    };
    let end = inner.find(ends).map_or(inner.len(), |at| at + 1);
    format!("{before}$ {}", &inner[end..]).into()
}

/// Words one of which stands where checks elsewhere have passed.
const PASSED: &[&str] = &["pass", "success", "✓"];
/// Words one of which stands where not all have.
const NOT_PASSED: &[&str] = &[
    "(created)",
    "(manual)",
    "action_required",
    "cancel",
    "error",
    "expected",
    "fail",
    "in_progress",
    "no checks",
    "pending",
    "queued",
    "requested",
    "running",
    "startup",
    "timed_out",
    "waiting",
];

/// Whether an output tells that all checks passed; rows of those that failed or are at work begin with a mark.
fn tells_passed(output: &str) -> bool {
    let low = output.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let is_marked = |row: &str| row.trim_start().starts_with(['X', '*', '-']);
    has(PASSED) && !has(NOT_PASSED) && !output.lines().any(is_marked)
}

#[cfg(test)]
mod tests {
    use super::{runs_again, without_inner};

    #[test]
    fn a_comment_has_it_run_again_where_it_says_so_to_a_program() {
        for part in [
            "--body '/retest'",
            "-b /ok-to-test",
            "--body=\"/azp run ci-linux\"",
            "4 -b '/test unit'",
        ] {
            assert!(runs_again(&format!("gh pr comment {part}")), "{part}");
        }
        for part in [
            "--body-file=/tmp/test.md",
            "-F /tmp/test",
            "--body '/src is fine, the test is not'",
            "--body \"/home/test is it\"",
            "--body '/test is broken'",
            "-b '/lgtm'",
            "-b 'see /test'",
        ] {
            assert!(!runs_again(&format!("gh pr comment {part}")), "{part}");
        }
    }

    #[test]
    fn of_an_inner_command_only_that_is_taken_out() {
        let bare = |part| without_inner(part).into_owned();
        let part = "gh run view $(gh run list -q '.[0] | (.id)') --jq 'select(.name)'";
        assert_eq!(bare(part), "gh run view $  --jq 'select(.name)'");
        assert_eq!(bare("gh run watch $(cat id"), "gh run watch $ ");
        assert_eq!(bare("gh run watch 7"), "gh run watch 7");
    }
}
