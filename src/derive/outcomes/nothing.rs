//! Runs that came to a good end because there was nothing to do.

use super::recognise::{Ended, Seen, names_tests};
use super::sounds::runs_test_task;
use crate::derive::pattern::Pattern;

/// How programs that run tests say that there are none, on a line that may begin with a mark or their name.
static NO_TESTS: Pattern = Pattern::new(concat!(
    r"^(?i:(?:[^\w\n]|error:|warning:|\[?info\]?:?|nx )*(?:",
    r"(?:there are |found )?no (?:\w+ )?(?:tests?|specs?|examples?|tasks?)(?: (?:files?|suites?|cases?|modules?|targets?))?",
    r" (?:available|defined|executed|found|match|matched|ran|run|specified|to run|were|yet)\b",
    r"|tests are skipped\.|no projects matched\b|none of the selected packages has a\b))",
    r"|^\w*make(?:\[\d+\])?: (?:Nothing to be done for '|'[^'\n]*' is up to date\.)",
));
/// How those that look at files say that there are none.
static NO_FILES: Pattern = Pattern::new(r"^\W*(?i:no staged files (?:found|match))");

/// Programs that run tests on the way to something else.
const PACKING: &[&str] = &["gradle", "maven"];

/// Returns what is seen where the command that is told here as `part`, of the programs `names`, found nothing to do.
pub(super) fn seen(part: &str, names: &[&'static str], output: &str) -> Option<Seen> {
    // What also packs is asked to test by that word alone.
    let packs = names.iter().any(|name| PACKING.contains(name));
    let tests = match packs {
        true => part.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test"),
        false => names_tests(names) || runs_test_task(part),
    };
    let has_none = || part.contains("--if-present") && output.trim().is_empty();
    let unit = match tests {
        true if NO_TESTS.is_match(output) || has_none() => "test",
        _ if NO_FILES.is_match(output) => "error",
        _ => return None,
    };
    let name = names.first().copied().unwrap_or_default();
    Some(Seen { name, unit, ended: Ended::Unknown, total: Some(0), ..Seen::NOTHING })
}
