//! Runs elsewhere that the session set off: those that were seen to fail or not to have ended, and whether all passed.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Work;
use super::running::SHOWING_CHECKS;
use crate::derive::outcomes::{
    COMPLETED, Ended, Outcomes, has_all_pass, is_of_ours, is_push, pushes_anything, pushes_own,
    runs_elsewhere,
};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, shell, text};

/// Commands besides a push by which runs elsewhere begin.
const BEGINS: &[&str] =
    &["gh pr create", "gh pr merge", "gh release create", "gh run rerun", "gh workflow run"];
/// How many rows that say what failed are told.
const MOST_ROWS: usize = 2;
/// How many characters of the command and of a row are told.
const TOLD_CHARS: usize = 100;

/// Returns the runs elsewhere that failed when they were looked at last, if the session set them off before and
/// sent nothing since that may have mended them.
pub(super) fn failed_elsewhere(timeline: &Timeline<'_>) -> Option<Work> {
    let tells = |done: &Done<'_>| looks(timeline, done) && says_how(&done.output());
    let look = timeline.done().rev().find(tells)?;
    let rows = failed(&look.output())?;
    let begins = |done: Done<'_>| begins(timeline, &done);
    let is_begun = timeline.done().take(look.index).any(begins);
    if !is_begun || timeline.done().skip(look.index + 1).any(begins) {
        return None;
    }
    let line = look.told()?;
    let what = if rows.is_empty() { String::new() } else { format!(": {}", rows.join("; ")) };
    let again = timeline.done().skip(look.index + 1).any(|done| looks(timeline, &done));
    let again = if again { " (looked at again since; how it stood then is not known)" } else { "" };
    let line = text::line(&line, TOLD_CHARS);
    let told = format!("what runs elsewhere failed, as `{line}` shows{what}{again}");
    Some(Work::new(told, Trust::S, "check", &look.item.id))
}

/// Returns the runs elsewhere that had not ended when they were looked at last, if the session set them off before.
/// What was sent since set off others, and what waits for the end of one shows all that came before.
pub(super) fn pending_elsewhere(timeline: &Timeline<'_>) -> Option<Work> {
    let look = timeline.done().rev().find(|done| looks(timeline, done))?;
    // Whoever asked for something since may have seen how they ended.
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let line = look.told().filter(|line| !line.contains("watch") && look.item.turn >= newest)?;
    let output = look.output();
    let begins = |done: Done<'_>| begins(timeline, &done);
    let is_begun = timeline.done().take(look.index).any(begins);
    let is_newest = !timeline.done().skip(look.index + 1).any(begins);
    let told = format!(
        "what runs elsewhere had not ended when it was looked at last, as `{}` shows",
        text::line(&line, TOLD_CHARS)
    );
    let is_open = is_begun && is_newest && goes_on(&output) && failed(&output).is_none();
    is_open.then(|| Work::new(told, Trust::S, "running", &look.item.id))
}

/// Whether all checks elsewhere that were looked at after the last push passed: all of them in a list, or all of a
/// run, where none of those looked at was seen to fail and not to pass later. The push must have sent the last change.
pub(in crate::derive) fn passed_elsewhere(timeline: &Timeline<'_>, outcomes: &Outcomes) -> bool {
    let pushed = timeline.own().rev().find(|done| pushes_own(timeline, done));
    let Some(pushed) = pushed.filter(|done| sends_all(outcomes, done.index)) else { return false };
    let since = timeline.own().skip_while(|done| done.index < pushed.index);
    // The rows that were seen to fail, by the number of what was looked at.
    let (mut passed, mut failing) = (false, HashMap::new());
    for look in since.filter(|done| done.result.is_some() && !runs_elsewhere(done)) {
        let parts = timeline.parts(&look);
        for again in parts.iter().filter(|part| part.starts_with("gh run rerun")) {
            let run = number(again);
            passed = false;
            failing.retain(|number: &&str, rows: &mut Vec<String>| {
                rows.retain(|row| !has_number(row, run));
                *number != run && !rows.is_empty()
            });
        }
        let sent = parts.iter().rposition(|part| is_push(part)).map_or(0, |at| at + 1);
        let shows = |part: &&String| shows_checks(part) && is_of_ours(timeline, part);
        let Some(part) = parts[sent..].iter().find(shows) else { continue };
        let (output, last, ended) = outcomes.came_of(timeline, &look);
        let (worked, is_whole) = (ended != Ended::Failed, shows_whole_run(part, &look));
        if worked && has_all_pass(timeline, &look, &output) {
            passed = true;
            failing.clear();
        } else if failed(&output).is_some() {
            passed = false;
            failing.insert(number(part), failing_rows(&output));
        } else if is_whole && worked && tells_passed(&last) {
            passed = true;
            failing.remove(number(part));
        } else {
            passed &= !is_whole && !goes_on(&output);
        }
    }
    passed && failing.is_empty()
}

/// Returns the rows of a look that tell of something that failed; all of them, if none does so by itself.
fn failing_rows(output: &str) -> Vec<String> {
    let mut rows: Vec<&str> = output.lines().filter(|row| failing(row.trim()).is_some()).collect();
    if rows.is_empty() {
        rows.push(output);
    }
    rows.into_iter().map(str::to_owned).collect()
}

/// Whether a row has a number, be it in an address.
fn has_number(row: &str, number: &str) -> bool {
    !number.is_empty() && row.split(|c: char| !c.is_ascii_digit()).any(|word| word == number)
}

/// Whether the last change of the project was committed before the call `pushed`, and nothing is left to commit.
fn sends_all(outcomes: &Outcomes, pushed: usize) -> bool {
    let changed = outcomes.edits_after(0).last().unwrap_or(0);
    let commit = outcomes.commits.iter().rfind(|commit| commit.index <= pushed);
    let has_left = outcomes.uncommitted().is_some_and(|left| !left.edited.is_empty());
    commit.is_some_and(|commit| commit.index >= changed && commit.elsewhere.is_none()) && !has_left
}

/// Whether a command shows how checks elsewhere stand, be it that of all of them.
fn shows_checks(part: &str) -> bool {
    let lists = ["gh run list", "glab ci list"];
    SHOWING_CHECKS.iter().chain(&lists).any(|shows| part.starts_with(shows))
}

/// Returns the number of what a command shows, if it names one.
fn number(part: &str) -> &str {
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    part.split_whitespace().find(is_number).unwrap_or_default()
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

/// How it is told that something has not ended.
const GOING_ON: &[&str] = &["in_progress", "pending", "queued"];

/// Whether a look shows something that has not ended: as a row of a listing, or as a field.
fn goes_on(output: &str) -> bool {
    let is_it = |word: Option<&str>| {
        word.is_some_and(|word| GOING_ON.contains(&word.trim().to_lowercase().as_str()))
    };
    let row =
        |row: &str| row.contains('\t') && (is_it(second(row)) || is_it(row.split('\t').next()));
    let field = || {
        let behind = output.split("\"status\":").skip(1).map(str::trim_start);
        let mut values = behind.map(|value| value.strip_prefix('"')?.split('"').next());
        values.any(is_it)
    };
    output.lines().any(row) || field()
}

/// Whether a call set off runs elsewhere.
fn begins(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let begins = |part: &String| BEGINS.iter().any(|form| part.starts_with(form));
    pushes_anything(timeline, done) || done.worked() && timeline.parts(done).iter().any(begins)
}

/// Whether a call shows how runs elsewhere stand; the log of one can be of any.
fn looks(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let looks = |part: &String| {
        let shows = SHOWING_CHECKS.iter().any(|form| part.starts_with(form));
        shows && !part.contains("--log") || asks_of_one(part)
    };
    done.result.is_some() && !done.refused() && timeline.parts(done).iter().any(looks)
}

/// Whether a command asks for how the runs of one commit stand, or the newest run: of a longer list nobody knows
/// which of them the work hangs on.
fn asks_of_one(part: &str) -> bool {
    let is_newest = || {
        let mut words =
            part.split(['=', ' ']).skip_while(|word| !matches!(*word, "--limit" | "-L"));
        words.nth(1) == Some("1")
    };
    let names_other =
        || [" -b", " -w", " --branch", " --workflow"].iter().any(|it| part.contains(it));
    part.starts_with("gh run list") && is_newest() && !names_other()
        || part.starts_with("gh pr view") && part.contains("statusCheckRollup")
        || part.starts_with("gh api ") && part.contains("/check-runs")
}

/// Whether a look tells of anything how it ended.
fn says_how(output: &str) -> bool {
    let passes = [COMPLETED, "\tpass\t", "✓ ", "\tsuccess", "state: success"];
    let passes = passes.iter().any(|form| output.contains(form)) || is_all(output, "success");
    passes || concludes(output, "success") || counts(output, "pass") || failed(output).is_some()
}

/// Whether rows were counted by how they ended: `9 pass`.
fn counts(output: &str, how: &str) -> bool {
    output.lines().filter_map(|row| row.trim().split_once(' ')).any(|(count, end)| {
        end == how && !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether the fields of a run have such a conclusion.
fn concludes(output: &str, how: &str) -> bool {
    let behind = output.split("\"conclusion\":").skip(1).map(str::trim_start);
    let mut values = behind.filter_map(|value| value.strip_prefix('"')?.split('"').next());
    values.any(|value| value.eq_ignore_ascii_case(how))
}

/// Whether that is all that was printed.
fn is_all(output: &str, how: &str) -> bool {
    output.trim().trim_matches('"').eq_ignore_ascii_case(how)
}

/// Returns what a look shows that failed, if something did, as far as rows tell its name.
fn failed(output: &str) -> Option<Vec<String>> {
    let has = |form: &str| output.contains(form);
    if has(COMPLETED) {
        return None;
    }
    let rows = output.lines().filter_map(|row| failing(row.trim()));
    let rows: Vec<String> = rows.take(MOST_ROWS).map(|row| text::line(row, TOLD_CHARS)).collect();
    let fails =
        has("completed with 'failure'") || concludes(output, "failure") || counts(output, "fail");
    let fails = fails || has("Pipeline state: failed") || is_all(output, "failure");
    (fails || !rows.is_empty()).then_some(rows)
}

/// Returns the name of what a row says that it failed.
fn failing(row: &str) -> Option<&str> {
    if matches!(second(row), Some("fail" | "failure")) {
        // A list of runs begins with how far each is, and has its name behind how it ended.
        let mut columns = row.split('\t');
        // What runs by the clock or by hand was not begun by this work.
        if ["\tschedule\t", "\tworkflow_dispatch\t"].iter().any(|event| row.contains(event)) {
            return None;
        }
        return columns
            .next()
            .map(|first| if first == "completed" { columns.nth(2) } else { Some(first) })?;
    }
    // How the process ended stands below the step.
    let name = row.strip_prefix("X ")?;
    (!name.starts_with("Process completed")).then_some(name)
}

/// What stands between the first two tabs of a row.
fn second(row: &str) -> Option<&str> {
    row.split('\t').nth(1)
}

#[cfg(test)]
mod tests {
    use super::{asks_of_one, failed, goes_on, says_how, without_inner};

    #[test]
    fn what_failed_elsewhere_is_told_by_its_rows() {
        let told = |output: &str| failed(output);
        let watched = "  ✓ Build\n  X Upload it\n  - After\n\nANNOTATIONS\nX Process completed with exit code 1.\n";
        assert_eq!(told(watched), Some(vec!["Upload it".to_owned()]));
        let listed = "unit\tpass\t47s\thttps://a\t\ndocs\tfail\t3s\thttps://b\n";
        assert_eq!(told(listed), Some(vec!["docs".to_owned()]));
        let newest = "completed\tfailure\tmend it\tUnit\tmain\tpush\t123\t30s\n";
        assert_eq!(told(newest), Some(vec!["Unit".to_owned()]));
        assert_eq!(told(&newest.replace("push", "schedule")), None);
        assert_eq!(told("unit\tfailure\nlint\tsuccess\n"), Some(vec!["unit".to_owned()]));
        assert_eq!(told("Pipeline state: failed\n"), Some(Vec::new()));
        assert_eq!(told("✓ Build\nRun it (7) completed with 'failure'\n"), Some(Vec::new()));
        let allowed = "X nightly in 3s\n✓ stable in 9s\n\n✓ Run it (7) completed with 'success'\n";
        for other in
            [allowed, "unit\tpass\t47s\n", "unit\tpending\t0\n", "no checks reported\n", ""]
        {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn only_of_one_run_or_commit_it_is_known_that_the_work_hangs_on_it() {
        for part in
            ["gh run list --limit 1", "gh run list -L 1 --json conclusion", "gh run list --limit=1"]
        {
            assert!(asks_of_one(part), "{part}");
        }
        assert!(asks_of_one("gh pr view 4 --json statusCheckRollup"));
        for part in ["gh run list", "gh run list --limit 10", "gh pr view 4", "gh api user"] {
            assert!(!asks_of_one(part), "{part}");
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

    #[test]
    fn what_has_not_ended_is_known_by_its_column() {
        for output in [
            "unit\tpass\t47s\nlint\tpending\t0\n",
            "in_progress\t\tmend it\tUnit\tmain\tpush\t123\t3s\n",
            "[{\"conclusion\":\"\",\"status\":\"in_progress\"}]",
        ] {
            assert!(goes_on(output), "{output}");
        }
        for output in [
            "unit\tpass\t47s\n",
            "pending: nothing\n",
            "completed\tsuccess\tmend pending rows\tUnit\n",
            "{\"status\":\"completed\",\"title\":\"pending\"}",
            "",
        ] {
            assert!(!goes_on(output), "{output}");
        }
    }

    #[test]
    fn a_look_that_tells_of_no_end_settles_nothing() {
        let failed_so = "{ \"conclusion\": \"failure\" }";
        assert_eq!(failed(failed_so), Some(Vec::new()));
        assert_eq!(failed("      9 pass\n      1 fail\n"), Some(Vec::new()));
        assert_eq!(failed("{\"conclusion\":\"FAILURE\"}"), Some(Vec::new()));
        assert_eq!(failed("failure\n"), Some(Vec::new()));
        assert!(says_how("success\n") && says_how("completed\tsuccess\tmend it\n"));
        assert_eq!(failed("      9 pass\n      3 skipping\nNONE\n"), None);
        for told in [
            failed_so,
            "unit\tpass\t47s\n",
            "  ✓ Build\n",
            "{\"conclusion\":\"success\"}",
            "      9 pass\n      3 skipping\n",
        ] {
            assert!(says_how(told), "{told}");
        }
        for mute in
            ["{\"status\":\"in_progress\"}", "{\"conclusion\":\"\"}", "unit\tpending\t0\n", ""]
        {
            assert!(!says_how(mute), "{mute}");
        }
    }
}
