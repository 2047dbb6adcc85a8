//! What the output of a run says of how it ended, by the table of rows.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::asked::options::IN_FRONT;
use super::boxes;
use super::failing;
use super::rows::{Order, ROWS, Row};
use super::telling::only_builds_tests;
use crate::derive::pattern::{Groups, Pattern};
use crate::guard::Words;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::derive) enum Ended {
    Passed,
    Failed,
    /// Neither a summary nor an exit code tells.
    Unknown,
}

/// Something that failed in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) struct Failing {
    /// The id of a test; of an error its file, code and message.
    pub id: String,
    /// Why, where the same line tells.
    pub why: Option<String>,
}

/// What an output says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) struct Seen {
    /// The name of the row.
    pub name: &'static str,
    /// `test` or `error`.
    pub unit: &'static str,
    pub ended: Ended,
    /// How many failed, as counted by the program, else as many as it named.
    pub failed: usize,
    /// How many of those the program counts as errors: a test that did not come to its end.
    pub errors: usize,
    /// How many ran; nothing where that is not told.
    pub total: Option<usize>,
    /// Whether that is told as such, and no sum of what passed and what failed.
    pub counts_all: bool,
    /// How many passed and how many were skipped, where these are more.
    pub skipped: Option<(usize, usize)>,
    /// How many of those that the program counts were skipped, or failed as they were to.
    pub left_out: usize,
    /// What failed, each once, in the order of the output.
    pub failing: Vec<Failing>,
    /// Whether only rows say that it failed which may stand in a run that passed, too.
    pub is_found: bool,
    /// The line that says that it failed, where the row has words for that.
    pub bad: Option<String>,
}

impl Seen {
    /// Forgets how many there were.
    pub(super) fn forget_count(&mut self) {
        (self.total, self.skipped, self.counts_all, self.left_out) = (None, None, false, 0);
    }

    /// What an output says that says nothing.
    pub(super) const NOTHING: Self = Self {
        name: "",
        unit: "",
        ended: Ended::Unknown,
        failed: 0,
        errors: 0,
        total: None,
        counts_all: false,
        skipped: None,
        left_out: 0,
        failing: Vec::new(),
        is_found: false,
        bad: None,
    };
}

/// Words that count what failed, and words that count what passed.
const FAILED: &[&str] =
    &["failed", "failing", "failures", "failure", "errors", "error", "fail", "cancelled"];
const ERRORS: &[&str] = &["errors", "error"];
const SKIPPED: &[&str] = &[
    "skipped",
    "ignored",
    "pending",
    "skip",
    "todo",
    "excluded",
    "omissions",
    "pendings",
    "skips",
];
/// Words that count what ran and neither passed nor failed.
const RAN: &[&str] = &["xfailed", "xpassed", "rerun", "subtests", "measured"];
const PASSED: &[&str] = &[
    "passed",
    "passing",
    "pass",
    "flaky",
    "succeeded",
    "success",
    "successes",
    "examples",
    "example",
];

/// The patterns of a row, where it has them.
struct Patterns {
    summary: Option<Pattern>,
    ends: Option<Pattern>,
    bad: Option<Pattern>,
    stops: Option<Pattern>,
    finds: Option<Pattern>,
    good: Option<Pattern>,
    skipped: Option<Pattern>,
    none: Option<Pattern>,
    tasks: Option<Pattern>,
    failing: Option<Pattern>,
}

static PATTERNS: LazyLock<Vec<Patterns>> =
    LazyLock::new(|| ROWS.iter().copied().map(patterns).collect());

/// Returns the names of the rows that a command names, also one that runs in a box.
pub(super) fn named(command: &str) -> Vec<&'static str> {
    let names: Vec<_> =
        boxes::commands(command).iter().flat_map(|command| named_by(command)).collect();
    let all = ROWS.iter().filter(|row| names.contains(&row.name));
    match only_builds_tests(command) {
        true => all.filter(|row| row.unit != "test").map(|row| row.name).collect(),
        false => all.map(|row| row.name).collect(),
    }
}

/// Whether a row that runs tests is among those of these names.
pub(super) fn names_tests(names: &[&str]) -> bool {
    ROWS.iter().any(|row| row.unit == "test" && names.contains(&row.name))
}

/// Returns the names of the rows that the words of a command name.
fn named_by(command: &str) -> Vec<&'static str> {
    // `cargo +nightly test` names a toolchain in between.
    let plain = |word: &&str| !word.starts_with('+');
    let words: Vec<&str> = command.split_whitespace().filter(plain).collect();
    // Only what runs a program stands before it.
    let is_runner = |word: &&&str| word.starts_with('-') || RUNNING.contains(&name(word));
    let most = words.len().min(MOST_BEFORE);
    let before = words.iter().take(most.saturating_sub(1)).take_while(is_runner).count();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().take(before + 1) {
        let name = name(word);
        let firsts = [name, *word];
        for first in &firsts[..if name == *word { 1 } else { 2 }] {
            let cued = CUES.get(first).into_iter().flatten();
            let cued = cued.filter(|(_, rest)| follow(&words[at + 1..], first, rest));
            found.extend(cued.map(|(row, _)| *row));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|row| ROWS[row].name).collect()
}

/// The cues of all rows by their first word, each with the number of its row.
static CUES: LazyLock<FxHashMap<&str, Vec<(usize, &str)>>> = LazyLock::new(|| {
    let mut all: FxHashMap<&str, Vec<(usize, &str)>> = FxHashMap::default();
    for (at, row) in ROWS.iter().enumerate() {
        for cue in row.cues {
            let (first, rest) = cue.split_once(' ').unwrap_or((cue, ""));
            all.entry(first).or_default().push((at, rest));
        }
    }
    all
});

/// The marks of each row.
static MARKS: LazyLock<Words> = LazyLock::new(|| {
    let rows = ROWS.iter().enumerate();
    Words::new(rows.flat_map(|(at, row)| row.marks.iter().map(move |mark| (at, mark))))
});

/// Tells of each row whether it is one of `names`, or of all if there are none, and a mark of it stands in `output`.
fn marked(names: &[&str], output: &str) -> Vec<bool> {
    let output = output.as_bytes();
    if !names.is_empty() {
        // A few words are found sooner one by one.
        let has = |mark: &&str| memchr::memmem::find(output, mark.as_bytes()).is_some();
        let is_it = |row: &&Row| names.contains(&row.name) && row.marks.iter().any(has);
        return ROWS.iter().map(is_it).collect();
    }
    let mut marked = vec![false; ROWS.len()];
    MARKS.each(output, |row| marked[row] = !ROWS[row].by_name);
    marked
}

/// Says what `output` tells, by the rows of `names`, or by all if there are none; `is_well` where the exit code says
/// that it passed, which single findings say nothing against.
pub(super) fn seen(names: &[&str], output: &str, is_well: bool) -> Vec<Seen> {
    seen_by(names, output, Known { is_well, is_one: true })
}

/// What is known of a run beside its output.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Whether its exit code says that it passed.
    pub is_well: bool,
    /// Whether its program surely ran once, so that what it printed last counts.
    pub is_one: bool,
}

/// Says the same by all that is known of the run.
pub(super) fn seen_by(names: &[&str], output: &str, known: Known) -> Vec<Seen> {
    let rows = ROWS.iter().zip(PATTERNS.iter()).zip(marked(names, output));
    let meant = rows.filter(|(_, is_marked)| *is_marked);
    meant.filter_map(|((row, patterns), _)| read(row, patterns, output, known)).collect()
}

/// Programs that name what failed behind their summary.
const NAMED_BEHIND: &[&str] = &["ctest", "mocha", "rspec"];

/// Returns where each run of one program ends in an output, for each program that tells there of some and has one end for
/// each; `names` are those that it may be, or none.
pub(super) fn ends_of(names: &[&str], output: &str) -> Vec<Vec<usize>> {
    let rows = ROWS.iter().zip(PATTERNS.iter()).zip(marked(names, output));
    let marked = rows.filter(|(_, is_marked)| *is_marked).map(|(row, _)| row);
    let ends = |(row, patterns): (&&Row, &Patterns)| -> Option<Vec<usize>> {
        let summary = patterns.summary.as_ref().filter(|_| !row.adds_up);
        let pattern = patterns.ends.as_ref().or(summary)?;
        let places: Vec<_> = pattern.places(output).collect();
        let behind = patterns.failing.as_ref().filter(|_| NAMED_BEHIND.contains(&row.name));
        let end = |at: usize| {
            let next = places.get(at + 1).map_or(output.len(), |next| next.start);
            let between = &output[places[at].end..next];
            let named = behind.and_then(|it| it.places(between).last()).map_or(0, |it| it.end);
            places[at].end + named
        };
        Some((0..places.len()).map(end).collect())
    };
    marked.filter_map(ends).filter(|ends| !ends.is_empty()).collect()
}

fn patterns(row: &Row) -> Patterns {
    let pattern = |text: &'static str| (!text.is_empty()).then(|| Pattern::new(text));
    Patterns {
        summary: pattern(row.summary),
        ends: pattern(row.ends),
        bad: pattern(row.bad),
        stops: pattern(row.stops),
        finds: pattern(row.finds),
        good: pattern(row.good),
        skipped: pattern(row.skipped),
        none: pattern(row.none),
        tasks: pattern(row.tasks),
        failing: pattern(row.failing),
    }
}

fn read(row: &Row, patterns: &Patterns, output: &str, known: Known) -> Option<Seen> {
    let is_well = known.is_well;
    let found = |one: &Option<Pattern>| one.as_ref().is_some_and(|one| one.is_match(output));
    let line = |one: &Option<Pattern>| one.as_ref().and_then(|one| line_of(one, output));
    let counts = counts(row, patterns, output, known.is_one);
    // A program without words for success is known by what it finds alone.
    let only_finds = row.good.is_empty() && row.summary.is_empty();
    let said = line(&patterns.bad).filter(|_| !(is_well && only_finds));
    let said = said.or_else(|| line(&patterns.stops));
    let is_said = said.is_some() || counts.is_some_and(|counts| counts.failed > 0);
    let bad = said.or_else(|| line(&patterns.finds).filter(|_| !is_well && !is_said));
    let is_bad = is_said || bad.is_some();
    let is_good = found(&patterns.good);
    let is_empty = !is_bad && counts.is_none() && !is_good;
    if is_empty && !found(&patterns.none) {
        return None;
    }
    let failing = match (is_bad, &patterns.failing) {
        (true, Some(pattern)) => failing::all(row, pattern, output),
        _ => Vec::new(),
    };
    let counted = counts.map_or(0, |counts| counts.failed);
    let is_void = !is_bad
        && match counts {
            Some(counts) => counts.is_void(),
            None => is_empty || skips_all(patterns, output) || has_no_task(patterns, output),
        };
    Some(Seen {
        name: row.name,
        unit: row.unit,
        ended: match is_bad {
            true if is_good && !is_said && !row.holds => Ended::Unknown,
            true => Ended::Failed,
            false if is_void => Ended::Unknown,
            false => Ended::Passed,
        },
        failed: if counted > 0 { counted } else { failing.len() },
        errors: counts.map_or(0, |counts| counts.errors),
        total: if is_void { Some(0) } else { counts.and_then(|counts| counts.total) },
        counts_all: counts.is_some_and(|counts| counts.counts_all),
        skipped: mostly_skipped(row, patterns, counts, output).filter(|_| !is_bad),
        left_out: counts.map_or(0, |counts| counts.skipped + counts.expected),
        failing,
        is_found: is_bad && !is_said && !row.holds,
        bad: bad.map(str::to_owned),
    })
}

/// Returns the first line in which a pattern begins to fit.
fn line_of<'o>(pattern: &Pattern, output: &'o str) -> Option<&'o str> {
    let at = pattern.places(output).next()?;
    let begin = output[..at.start].rfind('\n').map_or(0, |end| end + 1);
    output[begin..].lines().next()
}

/// Returns how many tests are told on a line of their own as good, and how many of those were skipped.
fn skipped_of_all(patterns: &Patterns, output: &str) -> Option<(usize, usize)> {
    let (good, skipped) = patterns.good.as_ref().zip(patterns.skipped.as_ref())?;
    Some((good.places(output).count(), skipped.places(output).count()))
}

/// Whether each of these was skipped.
fn skips_all(patterns: &Patterns, output: &str) -> bool {
    skipped_of_all(patterns, output).is_some_and(|(all, skipped)| skipped > 0 && skipped == all)
}

/// Returns how many tests passed and how many were skipped, where these are more.
fn mostly_skipped(
    row: &Row,
    patterns: &Patterns,
    counts: Option<Counts>,
    output: &str,
) -> Option<(usize, usize)> {
    let (passed, skipped) = match counts {
        Some(counts) => (counts.passed?, counts.skipped),
        // Of a program without a summary a line stands for more than a test.
        None if row.summary.is_empty() => return None,
        None => {
            let (all, skipped) = skipped_of_all(patterns, output)?;
            (all.saturating_sub(skipped), skipped)
        }
    };
    (passed > 0 && skipped > passed).then_some((passed, skipped))
}

/// Whether each task that could run tests had none.
fn has_no_task(patterns: &Patterns, output: &str) -> bool {
    let (Some(none), Some(tasks)) = (&patterns.none, &patterns.tasks) else { return false };
    let count = none.places(output).count();
    count > 0 && count == tasks.places(output).count()
}

/// How many failed, and how many ran.
#[derive(Clone, Copy, Default)]
struct Counts {
    failed: usize,
    passed: Option<usize>,
    skipped: usize,
    /// What failed as it was to.
    expected: usize,
    /// What ran, and is counted as neither of both.
    others: usize,
    errors: usize,
    total: Option<usize>,
    counts_all: bool,
}

/// Reads the summaries: all of them where they add up, else the last, unless all is skipped in that and
/// something passed before, or the program may have run more than once and one tells of more that failed.
fn counts(row: &Row, patterns: &Patterns, output: &str, is_one: bool) -> Option<Counts> {
    let all = patterns.summary.as_ref()?.all_groups(output).map(|found| counted(row, &found));
    if !row.adds_up {
        let all: Vec<Counts> = all.collect();
        let last = all.last().copied()?;
        let worst = all.iter().max_by_key(|counts| counts.failed).copied();
        if let Some(worst) = worst.filter(|worst| worst.failed > 0 && !is_one) {
            return Some(worst);
        }
        let ran = all.iter().rev().find(|counts| !counts.is_void()).copied();
        return ran.filter(|ran| ran.failed == 0).or(Some(last));
    }
    all.reduce(|a, b| Counts {
        failed: a.failed + b.failed,
        passed: a.passed.zip(b.passed).map(|(a, b)| a + b),
        skipped: a.skipped + b.skipped,
        expected: a.expected + b.expected,
        others: a.others + b.others,
        errors: a.errors + b.errors,
        total: a.total.zip(b.total).map(|(a, b)| a + b),
        counts_all: a.counts_all && b.counts_all,
    })
}

fn counted(row: &Row, found: &Groups<'_>) -> Counts {
    let group = |name: &str| found.named(name).and_then(|text| text.parse().ok());
    // What fails as it is to is none that failed.
    let text = &found.all().replace("expected failures", "expected");
    let failed = group("failed").unwrap_or_else(|| number(text, row.order, FAILED).unwrap_or(0));
    let failed = failed.saturating_sub(group("mended").unwrap_or(0));
    let passed = group("passed").or_else(|| number(text, row.order, PASSED));
    // A summary of examples counts all of them, not those that passed.
    let counts_examples = text.contains(" example");
    let sum = passed.map(|passed| if counts_examples { passed } else { passed + failed });
    let counts_all = group("total").is_some();
    let total = group("total").or(sum).or((failed > 0).then_some(failed));
    let errors = number(text, row.order, ERRORS).unwrap_or(0);
    let skipped = number(text, row.order, SKIPPED).unwrap_or(0);
    let total = total.filter(|total| *total >= failed);
    let passed = passed.map(|all| if counts_examples { all.saturating_sub(skipped) } else { all });
    let others = number(text, row.order, RAN).unwrap_or(0);
    let expected = number(text, row.order, &["xfailed"]).unwrap_or(0);
    Counts { failed, passed, skipped, expected, others, errors, total, counts_all }
}

impl Counts {
    /// Whether no test was run, since all were skipped or there was none.
    fn is_void(self) -> bool {
        let is_all = match self.passed {
            Some(passed) => passed == 0,
            None => self.total.is_none_or(|total| total == self.skipped),
        };
        let is_none = self.passed.or(self.total) == Some(0);
        self.failed == 0 && self.others == 0 && (is_none || self.skipped > 0 && is_all)
    }
}

/// Adds up the numbers that stand beside one of `words`.
fn number(text: &str, order: Order, words: &[&str]) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric();
    let tokens: Vec<&str> = text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
    let pairs = tokens.windows(2).filter_map(|pair| match order {
        Order::NumberFirst => Some((pair[1], pair[0].parse::<usize>().ok()?)),
        Order::WordFirst => Some((pair[0], pair[1].parse::<usize>().ok()?)),
    });
    let is_meant = |word: &str| words.iter().any(|one| one.eq_ignore_ascii_case(word));
    pairs.filter(|(word, _)| is_meant(word)).map(|(_, count)| count).reduce(|a, b| a + b)
}

/// Programs and words that only run another program.
pub(super) const RUNNING: &[&str] = &[
    "bash", "bun", "bunx", "bundle", "corepack", "deno", "dlx", "exec", "hatch", "mise", "npm",
    "npx", "nice", "node", "pdm", "pipenv", "pnpm", "poetry", "python", "python3", "run", "sh",
    "tool", "tsx", "uv", "uvx", "x", "xvfb-run", "yarn", "--",
];

/// How many words can stand before the program that is meant.
const MOST_BEFORE: usize = 8;

/// Programs that may have options in front of the word that says what they do.
const LED: &[&str] = &["cargo", "go", "helm", "terraform", "tofu"];

/// Tells whether words begin with those of the `cue`, between which options may stand that say where; `first` is the
/// word before both.
fn follow(mut words: &[&str], first: &str, cue: &str) -> bool {
    let has_front = LED.contains(&first);
    cue.split_whitespace().all(|wanted| {
        words = if has_front { &words[options_before(words, wanted)..] } else { words };
        let is_it = words.first() == Some(&wanted);
        words = words.get(1..).unwrap_or_default();
        is_it
    })
}

/// Returns how many words of options that say where something runs stand before the word that is wanted.
fn options_before(words: &[&str], wanted: &str) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-') && **word != wanted) {
        let option = word.split('=').next().unwrap_or_default();
        match IN_FRONT.contains(&option) {
            true => at += if word.contains('=') { 1 } else { 2 },
            false => break,
        }
    }
    at.min(words.len())
}

/// Returns the name of a program without its folder and the ending that it has on Windows.
pub(super) fn name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let endings = [".exe", ".bat", ".cmd", ".ps1"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{ROWS, named_by, seen};

    #[test]
    fn every_cue_names_its_row_also_behind_a_folder_and_a_runner() {
        for row in ROWS.iter() {
            for cue in row.cues {
                for command in
                    [(*cue).to_owned(), format!("npx ./bin/{cue} -q"), format!("{cue} a b")]
                {
                    assert!(named_by(&command).contains(&row.name), "{command}");
                }
                assert!(!named_by(&format!("echo {cue}")).contains(&row.name), "{cue}");
            }
        }
        assert_eq!(named_by("cargo -C sub test"), named_by("cargo test"));
    }

    #[test]
    fn a_test_that_is_named_with_its_package_and_without_is_one() {
        let output = "[ERROR] io.o.OrderTest.isRejected -- Time elapsed: 0.01 s\n[ERROR]   OrderTest.isRejected:57 nothing was thrown\n[ERROR]   OtherTest.isRejected:3 it was null\n[ERROR] Tests run: 9, Failures: 2, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n";
        let told = seen(&["maven"], output, false).remove(0);
        let ids: Vec<_> = told.failing.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["io.o.OrderTest.isRejected", "OtherTest.isRejected"]);
    }
}
