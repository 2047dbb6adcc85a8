//! Runs that came to a good end because there was nothing to do.

use super::recognise::{Ended, Seen, names_tests};
use super::sounds::runs_test_task;
use crate::derive::pattern::Pattern;

/// How programs that run tests say that there are none, on a line that may begin with a mark or their name.
static NO_TESTS: Pattern = Pattern::new(concat!(
    r"^(?i:(?:[^\w\s]{1,3} ?)?(?:error: |warning: |\[?info\]:? |nx )?(?:",
    r"no (?:test |spec )?(?:tests?|specs?|examples?|files?)",
    r" (?:found|match|matched|ran|to run|were executed|were found|were run|yet)\b",
    r"|there are no tests\b|no tasks were (?:executed|run)\b",
    r"|tests are skipped\.|no projects matched\b|none of the selected packages has a\b))",
));
/// What stands behind that where others were found.
static OTHERS: Pattern =
    Pattern::new(r"(?i:\bok\b|\bpassed\b|\bpassing\b|✓|✔|\d+ (?:tests?|specs?|scenarios?)\b)");
/// What a program says that had nothing to make.
static NO_TARGET: Pattern =
    Pattern::new(r"^\w*make(?:\[\d+\])?: (?:Nothing to be done for '|'[^'\n]*' is up to date\.)");
/// How those that look at files say that there are none.
static NO_FILES: Pattern = Pattern::new(r"^\W*(?i:no staged files (?:found|match))");

/// Programs that run tests on the way to something else.
const PACKING: &[&str] = &["gradle", "maven"];

/// Whether a program says only that it came to its end, which may have had no test to run.
pub(super) fn packs(seen: &Seen) -> bool {
    PACKING.contains(&seen.name) && seen.total.is_none()
}

/// Returns what is seen where the command that is told here as `part`, of the programs `names`, found nothing to do.
pub(super) fn seen(part: &str, names: &[&'static str], output: &str) -> Option<Seen> {
    // What also packs is asked to test by that word alone.
    let packs = names.iter().any(|name| PACKING.contains(name));
    let tests = match packs {
        true => part.split_whitespace().any(|word| word.rsplit(':').next() == Some("test")),
        false => names_tests(names) || runs_test_task(part),
    };
    let none_found = || {
        let last = NO_TESTS.places(output).last();
        last.is_some_and(|place| !OTHERS.is_match(&output[place.end..]))
    };
    let rows = || output.lines().filter(|row| !row.trim().is_empty());
    let none_made = || rows().next().is_some() && rows().all(|row| NO_TARGET.is_match(row));
    let has_none = || part.contains("--if-present") && output.trim().is_empty();
    let no_files = || {
        part.contains("lint-staged") && NO_FILES.is_match(output)
            || rows().next_back().is_some_and(|row| NO_FILES.is_match(row))
    };
    let unit = match tests {
        true if none_found() || none_made() || has_none() => "test",
        _ if no_files() => "error",
        _ => return None,
    };
    let name = names.first().copied().unwrap_or_default();
    Some(Seen { name, unit, ended: Ended::Unknown, total: Some(0), ..Seen::NOTHING })
}
