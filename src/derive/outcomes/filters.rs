//! What stands behind a check and shows a part of what it prints, so that a part that failed may not be seen.

use regex::bytes::RegexBuilder;

use super::recognise;
use crate::derive::shell;

/// A program that prints how each part ended.
struct OfParts {
    family: &'static str,
    /// Rows that tell of a part that failed, or of all where one did.
    bad: &'static [&'static str],
    /// What it prints only where every part passed.
    whole: &'static [&'static str],
}

const OF_PARTS: &[OfParts] = &[
    OfParts {
        family: "cargo test",
        bad: &["test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"],
        // Another runner prints one summary of all.
        whole: &["Summary [", " tests run: "],
    },
    OfParts {
        family: "dotnet",
        bad: &["Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3"],
        whole: &[],
    },
    OfParts {
        family: "go test",
        bad: &["FAIL\tcode.local/a\t0.1s", "--- FAIL: TestA (0.00s)"],
        whole: &[],
    },
    OfParts {
        family: "maven",
        bad: &["[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0", "[INFO] BUILD FAILURE"],
        whole: &["BUILD SUCCESS"],
    },
    OfParts {
        family: "swift test",
        bad: &["Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds"],
        whole: &["Test run with ", "** TEST SUCCEEDED **"],
    },
];
/// How many rows a program prints by itself that shows the first.
const HEAD_ROWS: usize = 10;
/// Patterns of more bytes are not looked at, nor those that take more to be looked for.
const MOST_BYTES: usize = 400;
const MOST_MADE_BYTES: usize = 1 << 18;

/// Whether a program prints how each part ended.
pub(super) fn is_of_parts(family: &str) -> bool {
    OF_PARTS.iter().any(|one| one.family == family)
}

/// Whether of what the command at `at` of a line printed, by the program `family`, rows that tell of a part that
/// failed may have been left out; `output` is what was left.
pub(super) fn may_hide_a_part(line: &str, at: usize, family: &str, output: &str) -> bool {
    let Some(one) = OF_PARTS.iter().find(|one| one.family == family) else { return false };
    if one.whole.iter().any(|whole| output.contains(whole)) {
        return false;
    }
    let all = shell::raw(line);
    let behind = all.iter().skip(at).take_while(|(_, joint)| joint == "|").count();
    let filters = all.iter().skip(at + 1).take(behind);
    let rows = output.lines().count();
    filters.map(|(part, _)| part.as_str()).any(|filter| hides(filter, one.bad, rows))
}

/// Whether a filter can leave out all rows of `bad`; `rows` were left.
fn hides(filter: &str, bad: &[&str], rows: usize) -> bool {
    let words = shlex::split(filter).unwrap_or_default();
    let Some((program, words)) = words.split_first() else { return false };
    match recognise::name(program) {
        "head" => rows >= first_number(words).unwrap_or(HEAD_ROWS),
        "sed" => words.iter().filter_map(|word| last_row(word)).any(|last| rows >= last),
        "egrep" | "fgrep" | "grep" | "rg" => Search::of(program, words).hides(bad, rows),
        _ => false,
    }
}

/// Whether the command behind a pipe, the last one there, would have shown more than the `rows` that were left.
pub(super) fn cuts_nothing((part, joint): &(String, String), rows: usize) -> bool {
    let words = shlex::split(part).unwrap_or_default();
    let Some((program, words)) = words.split_first() else { return false };
    let is_by_rows = || !words.iter().any(|word| word.starts_with("-c") || word.starts_with('+'));
    joint != "|"
        && match recognise::name(program) {
            "cat" => words.is_empty(),
            "head" | "tail" => is_by_rows() && rows < first_number(words).unwrap_or(HEAD_ROWS),
            _ => false,
        }
}

/// The number in `-n 20`, `-20` or `--lines=20`.
fn first_number(words: &[String]) -> Option<usize> {
    let number =
        |word: &String| word.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok();
    words.iter().find_map(number)
}

/// The last row that a script prints such as `1,40p`.
fn last_row(script: &str) -> Option<usize> {
    let (_, last) = script.strip_suffix('p')?.split_once(',')?;
    last.parse().ok()
}

/// Long options of that with a word behind them.
const LONG_VALUED: &[&str] = &["--after-context", "--before-context", "--context", "--max-count"];

/// What a program is told to find.
#[derive(Default)]
struct Search {
    patterns: Vec<String>,
    is_plain: bool,
    is_basic: bool,
    any_case: bool,
    turned: bool,
    most: Option<usize>,
}

impl Search {
    fn of(program: &str, words: &[String]) -> Self {
        let name = recognise::name(program);
        let mut search =
            Self { is_basic: name == "grep", is_plain: name == "fgrep", ..Self::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            match letters {
                Some(letters) => {
                    search.option(letters);
                    if letters.ends_with(['A', 'B', 'C', 'D', 'd', 'f']) {
                        words.next();
                    } else if letters.ends_with('e') {
                        search.patterns.extend(words.next().cloned());
                    } else if letters.ends_with('m') {
                        search.most = words.next().and_then(|number| number.parse().ok());
                    }
                }
                None if word.starts_with("--") => {
                    search.any_case |= word == "--ignore-case";
                    search.patterns.extend(word.strip_prefix("--regexp=").map(str::to_owned));
                    if LONG_VALUED.contains(&word.as_str()) {
                        words.next();
                    }
                }
                None if search.patterns.is_empty() => search.patterns.push(word.clone()),
                None => {}
            }
        }
        search
    }

    fn option(&mut self, letters: &str) {
        self.is_plain |= letters.contains('F');
        self.is_basic &= !letters.contains(['E', 'P']);
        self.any_case |= letters.contains('i');
        self.turned |= letters.contains('v');
        let digits = letters.strip_prefix('m').and_then(|digits| digits.parse().ok());
        self.most = self.most.or(digits);
    }

    fn hides(&self, bad: &[&str], rows: usize) -> bool {
        // What failed may be told in another language; who looks for several words looks for that, too.
        let looks_for_more = !self.turned
            && (self.patterns.len() > 1 || self.patterns.iter().any(|it| it.contains('|')));
        let finds = |row: &&str| self.patterns.iter().any(|pattern| self.finds(pattern, row));
        let finds = bad.iter().any(finds);
        self.most.is_some_and(|most| rows >= most) || finds == self.turned && !looks_for_more
    }

    /// Whether a pattern finds a row; where it cannot be read it may.
    fn finds(&self, pattern: &str, row: &str) -> bool {
        if pattern.len() > MOST_BYTES {
            return !self.turned;
        }
        let pattern = match (self.is_plain, self.is_basic) {
            (true, _) => regex::escape(pattern),
            (_, true) => extended(pattern),
            _ => pattern.to_owned(),
        };
        let made = RegexBuilder::new(&pattern)
            .case_insensitive(self.any_case)
            .unicode(false)
            .size_limit(MOST_MADE_BYTES)
            .build();
        made.map_or(!self.turned, |made| made.is_match(row.as_bytes()))
    }
}

/// Returns a basic pattern as an extended one: there `\|` and `\(` have a meaning, and `|` and `(` have none.
fn extended(pattern: &str) -> String {
    let mut made = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('|' | '(' | ')' | '+' | '?' | '{' | '}')) => made.push(c),
                Some(c) => made.extend(['\\', c]),
                None => {}
            },
            '|' | '(' | ')' | '+' | '?' | '{' | '}' => made.extend(['\\', c]),
            c => made.push(c),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::may_hide_a_part;

    #[test]
    fn a_part_that_failed_is_hidden_by_some_filters() {
        let (ok, go) = ("test result: ok. 9 passed; 0 failed", "ok  \ta\t0.1s\nok  \tb\t0.1s");
        for (line, family, output) in [
            ("cargo test 2>&1 | grep 'test result' | head -1", "cargo test", ok),
            ("cargo test 2>&1 | grep 'test result: ok'", "cargo test", ok),
            ("cargo test 2>&1 | grep -m1 'test result'", "cargo test", ok),
            ("cargo test 2>&1 | grep -v FAILED", "cargo test", ok),
            ("cargo test 2>&1 | sed -n 1,1p", "cargo test", ok),
            ("go test ./... 2>&1 | head -2", "go test", go),
            ("go test ./... 2>&1 | grep '^ok'", "go test", go),
            ("mvn test 2>&1 | grep 'Failures: 0'", "maven", "Tests run: 3, Failures: 0"),
            ("dotnet test | grep 'Passed!'", "dotnet", "Passed!  - Failed:     0"),
        ] {
            assert!(may_hide_a_part(line, 0, family, output), "{line}");
        }
        for (line, family, output) in [
            ("cargo test 2>&1 | grep 'test result'", "cargo test", ok),
            ("cargo test 2>&1 | grep 'passed\\|FAILED'", "cargo test", ok),
            ("cargo test 2>&1 | grep -E 'passed|FAILED' | tail -1", "cargo test", ok),
            ("cargo test 2>&1 | head -40", "cargo test", ok),
            ("cargo test 2>&1 | tail -3", "cargo test", ok),
            ("go test ./... 2>&1 | grep -v 'no test files' | head -5", "go test", go),
            ("go test ./... 2>&1 | grep -iE '^(ok|fail)'", "go test", go),
            ("dotnet test | grep -E 'Failed!|Passed!|error'", "dotnet", "Passed!  - Failed: 0"),
            ("dotnet test | grep -E 'Mislukt!|Geslaagd!'", "dotnet", "Geslaagd! - Mislukt: 0"),
            ("cargo test | grep -A 5 'test result'", "cargo test", ok),
            ("cargo nextest run | grep Summary", "cargo test", "Summary [ 0.1s] 3 tests run: 3"),
            ("mvn test | grep 'BUILD SUCCESS'", "maven", "[INFO] BUILD SUCCESS"),
            ("cargo test && cat a | head -1", "cargo test", ok),
            ("npx jest | grep -m1 Tests", "jest", "Tests: 3 passed, 3 total"),
        ] {
            assert!(!may_hide_a_part(line, 0, family, output), "{line}");
        }
    }
}
