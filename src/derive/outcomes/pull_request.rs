//! How the checks of a pull request stood when they were looked at last.
//!
//! They say how what was pushed does elsewhere, not how a check ends here, so that they settle none.

use serde::Deserialize;

use super::checks::Edit;
use super::commits::Commit;
use super::elsewhere::{self, SHOWING_CHECKS};
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::files::is_outside;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, ids, shell, text};

/// How many characters of the command are told.
const COMMAND_CHARS: usize = 120;
/// How many of those that failed are named.
const MOST_NAMED: usize = 4;
/// How many characters of a name are told.
const NAME_CHARS: usize = 80;
/// Options of a listing that leave nothing out, and take a value.
const WHOLE: &[&str] = &["--json", "--repo", "-R"];
/// A field by which other commands show the same.
const FIELD: &str = "statusCheckRollup";

/// A check of a pull request in a listing.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Entry {
    #[serde(default)]
    name: String,
    bucket: String,
}

/// Tells how the checks of a pull request stood at the last look, if that shows it: each of a whole listing passed
/// or was skipped, or some failed.
pub(super) fn stood(timeline: &Timeline<'_>, edits: &[Edit], commits: &[Commit]) -> Option<Fact> {
    let look = timeline.done().rev().find(looks)?;
    let line = look.command()?;
    let entries = entries(&look.output());
    let is_whole = lists_all(line) && !look.is_shared && entries.is_some();
    let entries = entries.unwrap_or_else(|| rows(&look.output()).flatten().collect());
    let told = match failed(&entries) {
        Some(names) if is_whole => {
            let failed = count(&entries, "fail");
            format!("{failed} of the pull request's {} checks failed{names}", entries.len())
        }
        Some(names) => format!("some of the pull request's checks failed{names}"),
        None => passed(&entries).filter(|_| is_whole && look.worked())?,
    };
    let since = since(timeline, &look, edits, commits);
    let state = match () {
        () if since.is_some() => State::Stale,
        () if failed(&entries).is_some() => State::Open,
        () => State::Done,
    };
    let line = text::line(&look.told()?, COMMAND_CHARS);
    let told = format!("`{line}`: {told}{}", since.unwrap_or_default());
    let at = (look.item.turn, look.item.id.as_ref());
    let fact = Fact::new(FactKind::RemoteCheck, Trust::S, told, at);
    Some(Fact { id: ids::id('F', &format!("remote check {line}")), state, ..fact })
}

/// Whether a call may show how checks of a pull request stand; the log of a run can be of any.
fn looks(done: &Done<'_>) -> bool {
    let shows = |line: &str| {
        line.contains(FIELD)
            || SHOWING_CHECKS.iter().any(|form| line.contains(form)) && !line.contains("--log")
    };
    !done.refused() && done.command().is_some_and(shows)
}

/// Whether a command line lists all checks of one pull request and does nothing else.
fn lists_all(line: &str) -> bool {
    let parts = shell::raw(line);
    let is_excuse = |part: &(String, String)| matches!(part.0.trim(), "true" | ":");
    let lists = match &parts[..] {
        [(list, _)] => list,
        [(list, joint), excuse] if joint == "||" && is_excuse(excuse) => list,
        _ => return false,
    };
    let Some(words) = shlex::split(lists) else { return false };
    let mut words = words.iter().map(String::as_str);
    if [words.next(), words.next(), words.next()] != [Some("gh"), Some("pr"), Some("checks")] {
        return false;
    }
    let mut named = 0;
    while let Some(word) = words.next() {
        let (option, value) = word.split_once('=').map_or((word, None), |(o, v)| (o, Some(v)));
        let is_plain = |value: &str| {
            let is_known = |c: char| c.is_alphanumeric() || "-_./:#,".contains(c);
            !value.is_empty() && !value.starts_with('-') && value.chars().all(is_known)
        };
        let is_known = match () {
            () if matches!(word, "2>&1" | "2>/dev/null") => true,
            () if WHOLE.contains(&option) => value.or_else(|| words.next()).is_some_and(is_plain),
            () => {
                named += 1;
                is_plain(word) && named == 1
            }
        };
        if !is_known {
            return false;
        }
    }
    true
}

/// Returns the checks of a listing if all of it is one: of an array, or of rows.
fn entries(output: &str) -> Option<Vec<Entry>> {
    let is_known = |entry: &Entry| elsewhere::STANDS.contains(&entry.bucket.as_str());
    let all: Vec<Entry> = match output.trim_start().starts_with('[') {
        true => serde_json::from_str(output).ok()?,
        false => rows(output).collect::<Option<_>>()?,
    };
    all.iter().all(is_known).then_some(all)
}

/// Returns the check of each row that has one: its name, how it stands, how long it took.
fn rows(output: &str) -> impl Iterator<Item = Option<Entry>> {
    output.lines().filter(|row| !row.trim().is_empty()).map(|row| {
        let mut fields = row.split('\t');
        let (name, bucket) = (fields.next()?, fields.next()?);
        let is_known = elsewhere::STANDS.contains(&bucket) && fields.next().is_some();
        is_known.then(|| Entry { name: name.to_owned(), bucket: bucket.to_owned() })
    })
}

fn count(entries: &[Entry], bucket: &str) -> usize {
    entries.iter().filter(|entry| entry.bucket == bucket).count()
}

/// Names what failed, if something did.
fn failed(entries: &[Entry]) -> Option<String> {
    let failed = || entries.iter().filter(|entry| entry.bucket == "fail");
    let names: Vec<_> = failed()
        .filter(|entry| !entry.name.is_empty())
        .take(MOST_NAMED)
        .map(|entry| text::line(&entry.name, NAME_CHARS))
        .collect();
    let more = failed().count().saturating_sub(names.len());
    failed().next()?;
    Some(match (names.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(": {}", names.join(", ")),
        (false, _) => format!(": {} and {more} more", names.join(", ")),
    })
}

/// Says how many passed, if all did that were not skipped.
fn passed(entries: &[Entry]) -> Option<String> {
    let passed = count(entries, "pass");
    let skipped = entries.len() - passed;
    let is_over = |entry: &Entry| matches!(entry.bucket.as_str(), "pass" | "skipping" | "neutral");
    if passed == 0 || !entries.iter().all(is_over) {
        return None;
    }
    Some(match skipped {
        0 => format!("all of the pull request's checks passed ({passed})"),
        _ => format!("{passed} of the pull request's checks passed, {skipped} skipped"),
    })
}

/// Says of what the session changed that the checks do not speak of it, or may not.
fn since(
    timeline: &Timeline<'_>,
    look: &Done<'_>,
    edits: &[Edit],
    commits: &[Commit],
) -> Option<String> {
    let inside = || {
        let counts = |edit: &&Edit| !is_outside(&edit.path) && edit.taken_back.is_none();
        edits.iter().filter(counts).map(|edit| edit.index)
    };
    if inside().any(|at| at > look.index) {
        return Some("; files were changed since".to_owned());
    }
    let pushes = |done: &Done<'_>| elsewhere::pushes_anything(timeline, done);
    let before = timeline.done().take(look.index);
    let pushed = before.filter(pushes).last().map(|done| done.index);
    let committed = commits.iter().map(|commit| commit.index);
    let known = pushed.and_then(|at| committed.clone().rfind(|index| *index <= at));
    let from = known.map_or(0, |index| index + 1);
    let is_sent = !inside().any(|at| at >= from)
        && !committed.clone().any(|at| at > pushed.unwrap_or(look.index))
        && !timeline.done().skip(look.index + 1).any(|done| pushes(&done));
    (!is_sent).then(|| "; what was changed here may not be in them".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{entries, lists_all};

    #[test]
    fn a_listing_is_whole_where_nothing_takes_away_from_it() {
        for line in [
            "gh pr checks",
            "gh pr checks 7",
            "gh pr checks 7 2>&1",
            "gh pr checks 7 --repo ada/tool --json name,bucket || true",
            "gh pr checks --json=name,bucket -R ada/tool",
        ] {
            assert!(lists_all(line), "{line}");
        }
        for line in [
            "gh pr checks 7 | head -5",
            "gh pr checks 7 --required",
            "gh pr checks 7 --json name,bucket --jq '.[0]'",
            "gh pr checks 7 > checks.txt",
            "gh pr checks 7 --watch",
            "gh pr checks $pr",
            "gh pr checks 7; gh pr checks 8",
            "gh pr checks 7 || gh pr checks 8",
            "gh pr checks 7 8",
            "for i in 1 2; do gh pr checks 7; done",
            "gh pr checks --json",
            "gh pr view 7",
        ] {
            assert!(!lists_all(line), "{line}");
        }
    }

    #[test]
    fn a_listing_that_is_not_known_throughout_is_none() {
        let count = |output: &str| entries(output).map(|all| all.len());
        assert_eq!(
            count("unit\tpass\t4s\thttps://a\t\n\ndocs\tskipping\t0\thttps://b\t\n"),
            Some(2)
        );
        assert_eq!(count(r#"[{"bucket":"pass","name":"unit"},{"bucket":"fail"}]"#), Some(2));
        for other in [
            "unit\tpass\t4s\thttps://a\n[…]\ndocs\tpass\t4s\thttps://b\n",
            "unit\tpass\t4s\thttps://a\ndocs\tasleep\t4s\thttps://b\n",
            "unit\tpass\n",
            "no checks reported on the 'main' branch\n",
            r#"[{"bucket":"pass","name":"unit"},{"bucket":"asleep"}]"#,
            r#"[{"state":"SUCCESS","name":"unit"}]"#,
            r#"[{"bucket":"pass","name":"unit"}"#,
        ] {
            assert_eq!(count(other), None, "{other}");
        }
    }
}
