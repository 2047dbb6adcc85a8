//! Runs elsewhere that the session set off: those that were seen to fail or not to have ended, and whether all passed.

use super::Work;
use super::running::SHOWING_CHECKS;
use super::stand::{Stand, number, runs_again};
use crate::derive::failures::was_cut;
use crate::derive::outcomes::{COMPLETED, Outcomes, is_push, pushes_anything, sends_only_tags};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, text};

/// Commands besides a push by which runs elsewhere begin.
const BEGINS: &[&str] = &["gh pr create", "gh pr merge", "gh release create", "gh workflow run"];
/// How many rows that say what failed are told.
pub(super) const MOST_ROWS: usize = 2;
/// How many characters of the command and of a row are told.
pub(super) const TOLD_CHARS: usize = 100;

/// Returns the runs elsewhere that failed when they were looked at last, if the session set them off before and
/// sent nothing since that may have mended them. What was seen of others since says nothing of these.
pub(super) fn failed_elsewhere(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Option<Work> {
    let tells = |done: &Done<'_>| looks(timeline, done) && says_how(&done.output());
    let look = timeline.done().rev().find(tells)?;
    let Some(rows) = failed(&look.output()) else {
        return failed_before(timeline, outcomes);
    };
    let is_begun = timeline.done().take(look.index).any(|done| begins(timeline, &done));
    let begins = |done: Done<'_>| begins_of(timeline, &done, &look);
    if !is_begun || timeline.done().skip(look.index + 1).any(begins) || closes(timeline, &look) {
        return None;
    }
    let again = timeline.done().skip(look.index + 1).any(|done| looks(timeline, &done));
    let again = if again { " (looked at again since; how it stood then is not known)" } else { "" };
    Some(shown_failed(&look, &rows, again))
}

/// Returns what failed by an earlier look since the last push, and was not seen to pass or to be run again.
fn failed_before(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Option<Work> {
    let (look, rows) = Stand::of(timeline, outcomes, |_| true)?.still_failing()?;
    let is_other = |part: &String| !runs_again(part);
    // A comment can have it run again.
    let comments = |part: &String| {
        part.starts_with("gh pr comment") && !names_another(timeline, &look, part)
            || part.starts_with("gh api ")
    };
    // Whether a push went out may not be known.
    let sends = |part: &String| is_push(part) || comments(part);
    let begins = |done: Done<'_>| {
        let parts = timeline.parts(&done);
        begins_of(timeline, &done, &look) && parts.iter().all(is_other) || parts.iter().any(sends)
    };
    let has_gone_on = timeline.done().skip(look.index + 1).any(begins) || closes(timeline, &look);
    (!has_gone_on).then(|| shown_failed(&look, &rows, ""))
}

fn shown_failed(look: &Done<'_>, rows: &[String], again: &str) -> Work {
    let line = text::line(&look.told().unwrap_or_default(), TOLD_CHARS);
    let what = if rows.is_empty() { String::new() } else { format!(": {}", rows.join("; ")) };
    let told = format!("what runs elsewhere failed, as `{line}` shows{what}{again}");
    Work::new(told, Trust::S, "check", &look.item.id)
}

/// Returns the runs elsewhere that had not ended when they were looked at last, if the session set them off before.
/// What was sent since set off others, and what waits for the end of one, and came to that, shows all that came before.
pub(super) fn pending_elsewhere(timeline: &Timeline<'_>) -> Option<Work> {
    let look = timeline.done().rev().find(|done| looks(timeline, done))?;
    // Whoever asked for something since may have seen how they ended.
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let look = look.at_end();
    let has_seen = |line: &String| line.contains("watch") && !was_cut(&look);
    let line = look.told().filter(|line| !has_seen(line) && look.item.turn >= newest)?;
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

/// Returns a run elsewhere that was begun again for the newest request, where nobody looked how it ended.
pub(super) fn begun_again(timeline: &Timeline<'_>) -> Option<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let mut recent = timeline.done().rev().take_while(|done| done.item.turn >= newest);
    let is_rerun = |part: &&String| runs_again(part);
    let asks = |part: &String| {
        let is_one = ["gh ", "glab "].iter().any(|program| part.starts_with(program));
        is_one && !runs_again(part)
    };
    let looks = |done: &Done<'_>| looks(timeline, done) || timeline.parts(done).iter().any(asks);
    let settles = |done: &Done<'_>| looks(done) || begins(timeline, done);
    let last = recent.find(settles).filter(|done| !looks(done))?;
    let part = timeline.parts(&last).iter().find(is_rerun)?;
    let told = format!(
        "`{}` had it run again elsewhere, and nobody looked how that ended",
        text::line(part, TOLD_CHARS)
    );
    Some(Work::new(told, Trust::S, "running", &last.item.id))
}

/// Whether all checks elsewhere that were looked at after the last push passed: all of them in a list, or all of a
/// run, where none of those looked at was seen to fail and not to pass later. The push must have sent the last change.
pub(in crate::derive) fn passed_elsewhere(timeline: &Timeline<'_>, outcomes: &Outcomes) -> bool {
    let stand = Stand::of(timeline, outcomes, |pushed| sends_all(outcomes, pushed));
    stand.is_some_and(|stand| stand.has_passed())
}

/// Whether the last change of the project was committed before the call `pushed`, and nothing is left to commit.
fn sends_all(outcomes: &Outcomes, pushed: usize) -> bool {
    let changed = outcomes.edits_after(0).last().unwrap_or(0);
    let commit = outcomes.commits.iter().rfind(|commit| commit.index <= pushed);
    let has_left = outcomes.uncommitted().is_some_and(|left| !left.edited.is_empty());
    commit.is_some_and(|commit| commit.index >= changed && commit.elsewhere.is_none()) && !has_left
}

/// How it is told that something has not ended.
const GOING_ON: &[&str] =
    &["created", "in_progress", "pending", "queued", "requested", "running", "waiting"];
/// The same in free words behind a name.
const GOING_ON_BEHIND: &[&str] = &["in_progress", "pending", "queued"];
/// Words before one of these by which there is none of that.
const NONE: &[&str] = &["0", "no", "none", "not", "nothing"];
/// How many words stand in a row at most that has no more than a name and how that stands.
const ROW_WORDS: usize = 6;

/// Whether a look shows something that has not ended.
pub(super) fn goes_on(output: &str) -> bool {
    let is_it = |word: &str| GOING_ON.contains(&word.trim().to_lowercase().as_str());
    let row = |row: &str| match row.split_once('\t') {
        // A list of runs begins with how far each is, and has nothing yet where it will say how that ended.
        Some((first, _)) => {
            let second = second(row).unwrap_or_default();
            is_it(second) || second.is_empty() && is_it(first)
        }
        None => {
            let row = row.to_lowercase();
            let words: Vec<&str> = row.split_whitespace().collect();
            let before = || words.iter().rev().skip(1).find(|word| !matches!(**word, "are" | "is"));
            (2..=ROW_WORDS).contains(&words.len())
                && words.last().is_some_and(|last| GOING_ON_BEHIND.contains(last))
                && ![before(), words.first()].into_iter().flatten().any(|word| NONE.contains(word))
        }
    };
    output.lines().any(|it| row(it) || is_run_at_work(it)) || stands_as(output, GOING_ON)
}

/// Whether a row is that of a run which has not ended: `* main CI · 12`.
fn is_run_at_work(row: &str) -> bool {
    let number = row.strip_prefix("* ").and_then(|row| row.rsplit_once(" · ")).map(|(_, id)| id);
    number.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Keys behind which it stands how something is.
const KEYS: &[&str] = &["\"conclusion\":", "\"status\":", "\"state\":", "\"bucket\":"];

/// Whether a look says by one of these words how something stands: as a field, as all that the last row has, or of a
/// pipeline.
fn stands_as(output: &str, words: &[&str]) -> bool {
    let is_it = |word: &str| words.iter().any(|one| word.eq_ignore_ascii_case(one));
    let field = |key: &&str| {
        let behind = output.split(*key).skip(1).map(str::trim_start);
        let mut values = behind.filter_map(|value| value.strip_prefix('"')?.split('"').next());
        values.any(is_it)
    };
    let pipeline =
        |row: &str| row.strip_prefix("Pipeline state:").map(str::trim).is_some_and(is_it);
    let last = output.lines().map(str::trim).rfind(|row| !row.is_empty());
    last.is_some_and(|row| is_it(row.trim_matches('"')))
        || KEYS.iter().any(field)
        || output.lines().any(pipeline)
}

/// Whether a pull request that a look shows was closed since: nobody waits for its checks.
fn closes(timeline: &Timeline<'_>, look: &Done<'_>) -> bool {
    let Some(shown) = number_shown(timeline, look) else { return false };
    let is_it = |part: &String| part.starts_with("gh pr close") && number(part) == shown;
    let later = timeline.done().skip(look.index + 1);
    later.filter(Done::worked).any(|done| timeline.parts(&done).iter().any(is_it))
}

/// Whether what a call only looked at elsewhere is over: something was sent since, or a later look shows that it passed,
/// be it another kind of look.
pub(in crate::derive) fn is_over_elsewhere(timeline: &Timeline<'_>, look: &Done<'_>) -> bool {
    let parts = timeline.parts(look);
    if parts.is_empty() || !parts.iter().all(|part| shows(part)) {
        return false;
    }
    let of_list = |part: &String| part.starts_with("gh pr checks").then(|| number(part));
    let own = parts.iter().find_map(of_list).unwrap_or_default();
    let is_other = |done: &Done<'_>| {
        let other = timeline.parts(done).iter().find_map(of_list).unwrap_or_default();
        !own.is_empty() && !other.is_empty() && own != other
    };
    let passes = |done: &Done<'_>| {
        let output = done.output();
        looks(timeline, done)
            && done.worked()
            && !is_other(done)
            && says_how(&output)
            && failed(&output).is_none()
            && !goes_on(&output)
    };
    // A tag that went out mends nothing.
    let sends_tag = |done: &Done<'_>| {
        let mut pushes = timeline.parts(done).iter().filter(|part| is_push(part)).peekable();
        pushes.peek().is_some() && pushes.all(|push| sends_only_tags(push))
    };
    let mut later = timeline.done().skip(look.index + 1).map(Done::at_end);
    let is_over = |done: Done<'_>| begins(timeline, &done) && !sends_tag(&done) || passes(&done);
    later.any(is_over) || closes(timeline, look)
}

/// Returns the number of the pull request that a look shows: of what is not named by it nobody knows which it is.
fn number_shown(timeline: &Timeline<'_>, look: &Done<'_>) -> Option<String> {
    let shown = timeline.parts(look).iter().find(|part| part.starts_with("gh pr "));
    shown.map(|part| number(part)).filter(|shown| !shown.is_empty())
}

/// Whether a command names another pull request than the one that a look shows.
fn names_another(timeline: &Timeline<'_>, look: &Done<'_>, part: &str) -> bool {
    let named = Some(number(part)).filter(|it| part.starts_with("gh pr ") && !it.is_empty());
    named.zip(number_shown(timeline, look)).is_some_and(|(named, shown)| named != shown)
}

/// Whether a call set off runs elsewhere.
fn begins(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    begins_by(timeline, done, |_| true)
}

/// Whether a call set off runs elsewhere which may be those that a look shows.
fn begins_of(timeline: &Timeline<'_>, done: &Done<'_>, look: &Done<'_>) -> bool {
    begins_by(timeline, done, |part| !names_another(timeline, look, part))
}

fn begins_by(timeline: &Timeline<'_>, done: &Done<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    let begins = |part: &String| {
        (BEGINS.iter().any(|form| part.starts_with(form)) || runs_again(part)) && is_meant(part)
    };
    pushes_anything(timeline, done) || done.worked() && timeline.parts(done).iter().any(begins)
}

/// Whether a call shows how runs elsewhere stand; the log of one can be of any.
fn looks(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let shows = |part: &String| shows(part);
    done.result.is_some() && !done.refused() && timeline.parts(done).iter().any(shows)
}

/// Whether a command shows how runs elsewhere stand.
fn shows(part: &str) -> bool {
    let shows = SHOWING_CHECKS.iter().any(|form| part.starts_with(form));
    shows && !part.contains("--log") || asks_of_one(part)
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
    let passes = [COMPLETED, "\tpass\t", "✓ ", "\tsuccess"];
    let passes = passes.iter().any(|form| output.contains(form)) || stands_as(output, PASSED);
    passes || counts(output, "pass") || failed(output).is_some()
}

/// How it is told that something passed, and that it failed.
const PASSED: &[&str] = &["success"];
const FAILED: &[&str] = &["fail", "failed", "failure"];

/// Whether rows were counted by how they ended: `9 pass`.
fn counts(output: &str, how: &str) -> bool {
    output.lines().filter_map(|row| row.trim().split_once(' ')).any(|(count, end)| {
        end == how && !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns what a look shows that failed, if something did, as far as rows tell its name.
pub(super) fn failed(output: &str) -> Option<Vec<String>> {
    let has = |form: &str| output.contains(form);
    if has(COMPLETED) {
        return None;
    }
    let rows = output.lines().filter_map(|row| failing(row.trim()));
    let rows: Vec<String> = rows.take(MOST_ROWS).map(|row| text::line(row, TOLD_CHARS)).collect();
    let fails =
        has("completed with 'failure'") || stands_as(output, FAILED) || counts(output, "fail");
    (fails || !rows.is_empty()).then_some(rows)
}

/// Returns the name of what a row says that it failed.
pub(super) fn failing(row: &str) -> Option<&str> {
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
    use super::{asks_of_one, failed, goes_on, says_how};

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
            "12 pass, 0 fail, 0 pending",
            "0 pending\n9 pass",
            "! Deprecated: none are pending",
            "No checks are pending",
            "",
        ] {
            assert!(!goes_on(output), "{output}");
        }
        assert!(goes_on("9 pass, 0 fail, 3 pending") && goes_on("unit is pending"));
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
