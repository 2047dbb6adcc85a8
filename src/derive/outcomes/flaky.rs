//! Tests that failed and passed when they were tried again, as Playwright tells them above how many passed.

use crate::derive::pattern::Pattern;
use crate::derive::text;

/// How many are named.
const MOST: usize = 4;
/// How many characters of a name are told.
const NAME_CHARS: usize = 110;

/// Tests that passed only when they were tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::derive) struct Flaky {
    /// How many.
    pub(super) count: usize,
    /// Those of them that are named.
    pub(super) named: Vec<String>,
}

impl Flaky {
    /// Says it behind how many passed; nothing where none did so.
    pub(super) fn told(&self) -> String {
        let names = self.named.iter().take(MOST).map(|name| text::line(name, NAME_CHARS));
        let names = names.collect::<Vec<_>>().join(", ");
        match self.count {
            0 => String::new(),
            count if names.is_empty() => format!(", {count} flaky"),
            count if count > MOST => format!(", {count} flaky, among them {names}"),
            count => format!(", {count} flaky: {names}"),
        }
    }
}

/// The count, and below it, moved in further, what it counts.
static COUNT: Pattern = Pattern::new(r"^ *(?P<count>\d+) flaky\n(?P<named>(?:    +\S[^\n]*\n)*)");

/// Finds them in what the program printed; the last summary counts.
pub(super) fn flaky(output: &str) -> Flaky {
    let found = COUNT.all_groups(output).last().map(|found| {
        let count = found.named("count").and_then(|count| count.parse().ok()).unwrap_or(0);
        let rows = found.named("named").unwrap_or_default().lines();
        let name = |row: &str| row.trim().trim_end_matches('─').trim_end().to_owned();
        Flaky { count, named: rows.map(name).collect() }
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::flaky;

    #[test]
    fn what_passed_when_it_was_tried_again_is_named() {
        let output = "Running 4 tests using 2 workers\n  1 flaky\n    [chromium] › login.spec.ts:4:1 › logs in ─────\n  1 skipped\n  3 passed (9.1s)\n";
        let found = flaky(output);
        assert_eq!(found.told(), ", 1 flaky: [chromium] › login.spec.ts:4:1 › logs in");
        assert_eq!(flaky("  1 flaky test was found\n  3 passed (9.1s)\n").told(), "");
    }
}
