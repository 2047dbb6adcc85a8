//! What a command runs on, and whether another one runs on the same.

use std::collections::BTreeSet;

use super::acts::was_misused;
use super::recognise::Ended;
use super::run::Run;
use crate::derive::{place, shell};

/// Words that say which program runs, not what it runs on.
pub(super) const RUNNERS: &[&str] = &[
    "--",
    "-m",
    "./...",
    "./gradlew",
    "./mvnw",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "corepack",
    "ctest",
    "dotnet",
    "exec",
    "go",
    "gradle",
    "gradlew",
    "jest",
    "just",
    "make",
    "mocha",
    "mvn",
    "mvnw",
    "nextest",
    "node",
    "npm",
    "npx",
    "phpunit",
    "pnpm",
    "poetry",
    "pytest",
    "python",
    "python3",
    "rspec",
    "run",
    "swift",
    "t",
    "test",
    "tests",
    "unittest",
    "uv",
    "vitest",
    "yarn",
];

/// Flags that change what is shown or how it is run, not what is run.
pub(super) const SHOWING: &[&str] = &[
    "-q",
    "-v",
    "-vv",
    "-vvv",
    "-s",
    "-x",
    "-i",
    "-y",
    "--quiet",
    "--verbose",
    "--nocapture",
    "--no-capture",
    "--no-fail-fast",
    "--no-header",
    "--no-color",
    "--no-colors",
    "--colors",
    "--bail",
    "--maxfail",
    "--silent",
    "--run",
    "--passWithNoTests",
    "--no-coverage",
    "--watch",
    "--no-watch",
    "--ci",
    "-count",
    "--show-output",
    "--locked",
    "--offline",
    "--frozen",
    "--no-cov",
    "-rA",
    "-ra",
    "--batch-mode",
    "--cache-clear",
    "--detectOpenHandles",
    "--failed-first",
    "--ff",
    "--forceExit",
    "--forked",
    "--full-trace",
    "--headed",
    "--if-present",
    "--info",
    "--json",
    "--keep-going",
    "--no-build-cache",
    "--no-cache",
    "--no-daemon",
    "--no-error-summary",
    "--no-file-parallelism",
    "--no-incremental",
    "--no-pretty",
    "--no-progress",
    "--no-restore",
    "--no-summary",
    "--no-transfer-progress",
    "--nologo",
    "--output-on-failure",
    "--pretty",
    "--rerun-tasks",
    "--runInBand",
    "--show-error-codes",
    "--showlocals",
    "--stacktrace",
    "--stop-on-failure",
    "--testdox",
    "--timings",
    "--yes",
    "-json",
];

/// Flags that do so and have a value.
pub(super) const SHOWING_VALUE: &[&str] = &[
    "--tb",
    "--color",
    "--colour",
    "--console",
    "--cov-report",
    "--coverageReporters",
    "--durations",
    "--durations-min",
    "--format",
    "--jobs",
    "--log-level",
    "--logger",
    "--output-format",
    "--parallel",
    "--pool",
    "--progress",
    "--reporter",
    "--retries",
    "--target-dir",
    "--test-threads",
    "--testTimeout",
    "--timeout",
    "--trace",
    "--verbosity",
    "--watch",
    "--watchAll",
    "--workers",
    "-n",
    "-j",
    "--maxfail",
    "--bail",
    "-count",
    "-parallel",
    "-timeout",
    "--message-format",
];

/// Returns the words of a command without those that say which program runs and how it shows what it does.
fn scope(command: &str) -> BTreeSet<String> {
    let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let program = words.clone().next().unwrap_or_default();
    let is_shown = |word: &str| {
        let name = word.split('=').next().unwrap_or_default();
        SHOWING.contains(&word) || SHOWING_VALUE.contains(&name)
    };
    let is_runner =
        |word: &str| RUNNERS.contains(&word) || (word == program && word.ends_with("pytest"));
    // `cargo +nightly test` names a toolchain, not what it runs on.
    let is_meant = |word: &&str| !is_shown(word) && !is_runner(word) && !word.starts_with('+');
    words.filter(is_meant).map(str::to_owned).collect()
}

/// Whether a run of `broad` runs all that `narrow` runs, or all that failed in it.
pub(super) fn covers(broad: &Run, narrow: &Run) -> bool {
    let is_known = !broad.family.is_empty() && broad.family == narrow.family;
    let takes = || narrow.ended == Ended::Failed && broad.asked.takes_what_failed(&narrow.asked);
    is_again(broad, narrow) || (is_known && (is_broader(broad, narrow) || takes()))
}

/// Whether a command ran again, in the same folder and with the same variables.
pub(super) fn is_again(later: &Run, first: &Run) -> bool {
    shell::in_one_way(&later.command) == shell::in_one_way(&first.command)
        && later.asked.runs_there(&first.asked)
}

/// Whether a command runs on all that another one runs on; of one that was called the wrong way a part is all that
/// could be meant.
pub(super) fn is_broader(broad: &Run, narrow: &Run) -> bool {
    let is_misused =
        narrow.failing.is_empty() && narrow.signature.as_deref().is_some_and(was_misused);
    let is_wide = || {
        // Which tests fail says what fails; how much of the code they reach is asked of all.
        let asks = !narrow.failing.is_empty() || broad.asked.asks_beside(&narrow.asked);
        asks && broad.asked.is_as_wide(&narrow.asked)
    };
    is_wide() || is_misused && broad.asked.is_within(&narrow.asked)
}

/// Whether a run looked at the test `id`, which failed in the run `first`.
pub(super) fn reaches(later: &Run, first: &Run, id: &str) -> bool {
    Reach::of(later, first).has(id)
}

/// What of an earlier run a later one looked at again.
pub(super) enum Reach {
    All,
    /// The tests whose ids hold one of these words.
    Named(BTreeSet<String>),
    /// Those that filters by name take, each of which `first` did not have, in one of these places, where some are named.
    Filtered(Vec<String>, Vec<String>),
}

impl Reach {
    /// Says what of `first` the run `later` looked at.
    pub(super) fn of(later: &Run, first: &Run) -> Self {
        if covers(later, first) || names_the_same(later, first) {
            return Self::All;
        }
        let is_alike = later.family == first.family
            && later.unit == "test"
            && later.asked.runs_there(&first.asked)
            && !later.asked.is_of_other_project(&first.asked)
            && !later.asked.leaves_more_out(&first.asked);
        let tells = |word: &&str| word.len() > 2 && !RUNNERS.contains(word);
        let words = later.asked.names().filter(|word| is_alike && tells(word));
        let filters: Vec<String> =
            later.asked.name_filters_beside(&first.asked).map(str::to_owned).collect();
        match is_alike && !filters.is_empty() {
            true => {
                let places = words.filter(|word| word.contains('/') && !word.starts_with('.'));
                Self::Filtered(filters, places.map(str::to_owned).collect())
            }
            false => Self::Named(words.map(str::to_owned).collect()),
        }
    }

    /// Whether the test `id` is of it.
    pub(super) fn has(&self, id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(words) => words.iter().any(|word| names(word, id)),
            Self::Filtered(filters, places) => {
                let is_there = || places.iter().any(|place| names(place, id));
                let has_place = id.contains('/') && !places.is_empty();
                filters.iter().all(|filter| takes(filter, id)) && (!has_place || is_there())
            }
        }
    }
}

/// Whether a word names the test `id`, or the file in which that stands: one of the same name may lie below another
/// folder.
fn names(word: &str, id: &str) -> bool {
    let is_of_other = |at: usize| {
        let folder = id[..at].rsplit([' ', '(']).next().unwrap_or_default();
        word.contains('/') && folder.ends_with('/') && !folder.starts_with(['/', '.'])
    };
    id.match_indices(word).any(|(at, _)| !is_of_other(at))
}

/// What stands in an id between a group of tests and one of these, where a filter has a blank.
const WITHIN: &[&str] = &[" › ", " > "];

/// Whether a filter by name takes the test `id`, by one of what it has to choose from.
fn takes(filter: &str, id: &str) -> bool {
    let plain = WITHIN.iter().fold(id.to_owned(), |id, within| id.replace(within, " "));
    let holds = |part: &str| {
        // `FullyQualifiedName~adds`, `com.x.ATest`.
        let name = part.rsplit(['~', '=']).next().unwrap_or(part);
        let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let last = name.rsplit(['.', '#', '/']).next().unwrap_or(name);
        !last.is_empty() && (id.contains(last) || plain.contains(last))
    };
    let denied =
        |part: &str| part.starts_with(['!', '~']) || part.contains("!~") || part.contains("!=");
    let all = |choice: &str| {
        choice.split(" and ").map(str::trim).all(|part| match part.strip_prefix("not ") {
            Some(other) => !holds(other),
            None => holds(part) != denied(part),
        })
    };
    let choices = filter.split(['|', ',']).flat_map(|choice| choice.split(" or "));
    // What is taken out is taken out of all others.
    let (out, taken): (Vec<&str>, Vec<&str>) = choices.map(str::trim).partition(|it| denied(it));
    out.into_iter().all(all) && (taken.is_empty() || taken.into_iter().any(all))
}

/// Returns the files that a command names, where it names nothing else to run on.
pub(super) fn files(command: &str) -> Vec<String> {
    let words: Vec<String> =
        scope(command).into_iter().filter(|word| !word.starts_with('-')).collect();
    let is_file = |word: &&String| {
        let name = place::name(word);
        let end = name.rsplit_once('.').map(|(_, end)| end).unwrap_or_default();
        !end.is_empty() && !word.contains(['*', '$', '=']) && end.chars().all(char::is_alphanumeric)
    };
    let (files, others): (Vec<&String>, Vec<&String>) = words.iter().partition(is_file);
    // The program itself is the only other word.
    if others.len() > 1 { Vec::new() } else { files.into_iter().cloned().collect() }
}

/// Whether `later` ran the files that `run` names, by whatever program, and nothing less of them.
pub(super) fn names_the_same(later: &Run, run: &Run) -> bool {
    let is_file =
        |word: &&String| word.contains('.') && word.contains('/') && !word.starts_with('-');
    let (named, again) = (scope(&run.command), scope(&later.command));
    let files = named.iter().filter(is_file);
    let mut files = files.skip_while(|word| run.command.starts_with(word.as_str())).peekable();
    later.asked.runs_there(&run.asked)
        && later.asked.filters_as(&run.asked)
        && files.peek().is_some()
        && files.all(|file| again.contains(file))
}
