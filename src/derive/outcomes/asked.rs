//! What a command is asked to look at, so that a run on less is told from one on as much.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::{RUNNERS, SHOWING, SHOWING_VALUE};
use super::recognise::{self, RUNNING};
use super::{boxes, sounds};
use crate::derive::shell;

/// Programs of which the next word says what they do.
const TOLD_WHAT: &[&str] = &[
    "biome",
    "buf",
    "cargo",
    "dart",
    "dotnet",
    "flutter",
    "go",
    "helm",
    "just",
    "manage.py",
    "meson",
    "mise",
    "mix",
    "ng",
    "nx",
    "playwright",
    "rails",
    "react-scripts",
    "ruff",
    "swift",
    "task",
    "terraform",
    "tofu",
    "turbo",
    "zig",
];
/// Programs whose words each name a task.
const TASKS: &[&str] = &["gmake", "make", "ninja", "rake"];
/// Options by which a program does more than by itself, or the same in another way.
const MORE: &[&str] = &[
    "--all-features",
    "--all-targets",
    "--doctest-modules",
    "--extend-select",
    "--ignored",
    "--include-ignored",
    "--max-warnings",
    "--run-ignored",
    "--run-slow",
    "--runslow",
    "--strict",
    "-race",
    "-tags",
];
/// Those of them that only add to what runs without them, or ask more of it.
const ADDING: &[&str] = &[
    "--all-features",
    "--all-targets",
    "--doctest-modules",
    "--include-ignored",
    "--max-warnings",
    "--strict",
    "--workspace",
    "-D",
];
/// Those of cargo, which elsewhere mean something else.
const MORE_OF_CARGO: &[&str] =
    &["--all", "--features", "--release", "--workspace", "-D", "-F", "-W"];
/// Options of those that have a value.
const MORE_VALUE: &[&str] = &[
    "--extend-select",
    "--features",
    "--max-warnings",
    "--run-ignored",
    "-D",
    "-F",
    "-W",
    "-tags",
];
/// Other options that have a value, which is all that may look like a path.
const VALUED: &[&str] = &[
    "--bench",
    "--bin",
    "--config",
    "--config-file",
    "--deselect",
    "--example",
    "--exclude",
    "--ext",
    "--filter",
    "--grep",
    "--ignore",
    "--ignore-path",
    "--manifest-path",
    "--package",
    "--project",
    "--rootdir",
    "--skip",
    "--target-dir",
    "--test",
    "--testNamePattern",
    "-c",
    "-g",
    "-k",
    "-m",
    "-p",
    "-run",
    "-t",
];
/// Options without a value, besides those that change what is shown.
const BARE: &[&str] = &[
    "--benches",
    "--bins",
    "--cache",
    "--check",
    "--diff",
    "--doc",
    "--examples",
    "--fix",
    "--in-place",
    "--lib",
    "--list-different",
    "--noEmit",
    "--tests",
    "--unsafe-fixes",
    "--verify-no-changes",
    "--write",
    "-check",
    "-l",
    "-w",
];
/// Options by which cargo is told which targets to take, which are all of one kind.
const TARGETS: &[&str] = &[
    "--bench",
    "--benches",
    "--bin",
    "--bins",
    "--doc",
    "--example",
    "--examples",
    "--lib",
    "--test",
    "--tests",
];
/// Options by which something is left out.
const LEAVING_OUT: &[&str] = &["--deselect", "--exclude", "--ignore", "--skip", "-A"];
/// Options that mend what is found, or only make it faster: what is looked at stays the same.
const MENDING: &[&str] = &["--cache", "--fix", "--unsafe-fixes"];
/// Options that say the same.
const ALIKE: &[(&str, &str)] = &[
    ("--package", "-p"),
    ("--project", "-p"),
    ("--testNamePattern", "-t"),
    ("--grep", "-g"),
    ("-F", "--features"),
    ("--all", "--workspace"),
];

/// Whether an option with its value only adds to what runs without it.
fn is_added(option: &str) -> bool {
    ADDING.contains(&option.split(' ').next().unwrap_or_default())
}

/// What a command is asked to look at.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The first word that names a program, without its folder.
    program: String,
    /// What runs and in which box, and options that are not known.
    words: BTreeSet<String>,
    /// To what it is bound, by the option that says so: files, tests and tasks have none.
    bound: BTreeMap<String, BTreeSet<String>>,
    /// What it does beyond what it does by itself.
    more: BTreeSet<String>,
}

impl Asked {
    /// Reads it from a command, also one that runs in a box.
    pub(super) fn of(part: &str) -> Self {
        let mut asked = Self::default();
        let commands = boxes::commands(part);
        if boxes::inner(part).is_some() {
            let first = commands.first().and_then(|one| one.split_whitespace().next());
            let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            let around = words.take_while(|word| Some(*word) != first);
            asked.words.extend(around.map(str::to_owned));
        }
        for command in commands.iter().filter(|command| !command.starts_with("cd ")) {
            asked.add(command);
        }
        asked.forget_whole();
        asked
    }

    /// Whether it is asked for all that `first` is asked for.
    pub(super) fn is_as_wide(&self, first: &Self) -> bool {
        self.words.is_subset(&first.words)
            && first.more.is_subset(&self.more)
            && self.more.difference(&first.more).all(|more| is_added(more))
            && self.bound.keys().all(|option| self.is_whole(option, first))
    }

    /// Whether it builds all that `first` builds on the way, whatever tests it runs of that.
    pub(super) fn builds_as_much(&self, first: &Self) -> bool {
        // Cargo and swift are given names of tests, and a project of dotnet builds all that it needs.
        let builds_more = ["cargo", "dotnet", "swift"].contains(&self.program.as_str());
        let kinds: &[&str] = if builds_more { &["-p"] } else { &["", "-p"] };
        first.more.is_subset(&self.more) && kinds.iter().all(|kind| self.is_whole(kind, first))
    }

    /// Whether it is bound to no files and packages, or to all of those that `first` is bound to.
    pub(super) fn names_all_of(&self, first: &Self) -> bool {
        ["", "-p"].iter().all(|kind| self.is_whole(kind, first))
    }

    /// Whether it is bound to all of `files` that `first` is asked for, and there are some.
    pub(super) fn names_each(&self, files: &[String], first: &Self) -> bool {
        let names = |asked: &Self, file: &str| {
            let named = asked.bound.get("");
            named.is_none_or(|named| named.iter().any(|one| asked.holds(one, file)))
        };
        let mut asked =
            files.iter().map(|file| path(file)).filter(|it| names(first, it)).peekable();
        asked.peek().is_some() && asked.all(|file| names(self, file))
    }

    /// Whether it is known to be asked for a part only of what `first` is asked for.
    pub(super) fn is_part_of(&self, first: &Self) -> bool {
        let is_fewer = |(option, values): (&String, &BTreeSet<String>)| {
            let before = first.bound.get(option).filter(|_| !leaves_out(option));
            before.is_some_and(|before| values.len() < before.len() && values.is_subset(before))
        };
        !first.more.is_subset(&self.more) || self.bound.iter().any(is_fewer)
    }

    /// Returns how many files, tests, tasks and packages it is bound to.
    pub(super) fn bounds(&self) -> usize {
        self.bound.values().map(BTreeSet::len).sum()
    }

    /// Returns the names that it is bound to.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let values = self.bound.iter().filter(|(option, _)| !leaves_out(option));
        let words = values.flat_map(|(_, values)| values).flat_map(|it| it.split_whitespace());
        words.filter(|word| !word.starts_with('-'))
    }

    /// Whether it says nothing that `first` does not say.
    pub(super) fn is_within(&self, first: &Self) -> bool {
        let is_said = |(option, values): (&String, &BTreeSet<String>)| {
            first.bound.get(option).is_some_and(|before| values.is_subset(before))
        };
        self.words.is_subset(&first.words)
            && self.more.is_subset(&first.more)
            && self.bound.iter().all(is_said)
    }

    /// Whether an option is given nothing that binds it, or all that it was given before.
    fn is_whole(&self, option: &str, first: &Self) -> bool {
        self.bound.get(option).is_none_or(|values| {
            let before = first.bound.get(option);
            option.is_empty() && self.is_all_tests(values, before)
                || before.is_some_and(|before| self.reaches(option, values, before))
        })
    }

    /// Whether what an option is given holds all that it was given before.
    fn reaches(&self, option: &str, values: &BTreeSet<String>, before: &BTreeSet<String>) -> bool {
        if leaves_out(option) {
            return values.is_subset(before);
        }
        let is_in = |one: &String| values.iter().any(|value| self.holds(value, one));
        before.iter().all(is_in)
    }

    /// Whether `one` is what is named, or lies in it.
    fn holds(&self, named: &str, one: &str) -> bool {
        let folder = named.strip_suffix("/...");
        // A package of Go is no more than its own folder.
        let is_own = self.program == "go" && folder.is_none();
        let rest = one.strip_prefix(folder.unwrap_or(named));
        rest.is_some_and(|rest| {
            rest.is_empty() || !is_own && (rest.starts_with('/') || rest.starts_with("::"))
        })
    }

    /// Takes the words of one command.
    fn add(&mut self, command: &str) {
        let words = shlex::split(command).unwrap_or_else(|| {
            let words = command.split_whitespace();
            words.map(|word| word.trim_matches(['"', '\'']).to_owned()).collect()
        });
        let mut at = self.add_program(&words);
        while let Some(word) = words.get(at) {
            at += self.take(word, words.get(at + 1).map(String::as_str));
        }
    }

    /// Takes the words up to the program and what that is told to do; returns how many these are.
    fn add_program(&mut self, words: &[String]) -> usize {
        let mut at = 0;
        let mut left = 1;
        while let Some(word) = words.get(at).filter(|_| left > 0) {
            let name = recognise::name(word);
            if sounds::VALUED.contains(&word.as_str()) {
                let value = words.get(at + 1).cloned().unwrap_or_default();
                self.bound.entry(word.clone()).or_default().insert(value);
                at += 1;
            } else if word == "--test" || !RUNNING.contains(&name) && is_plain(word) {
                let is_first = self.program.is_empty();
                left = if is_first && TOLD_WHAT.contains(&name) { 1 } else { 0 };
                if is_first {
                    name.clone_into(&mut self.program);
                }
                if !RUNNERS.contains(&name) {
                    self.words.insert(name.to_owned());
                }
            }
            at += 1;
        }
        at
    }

    /// Takes a word behind the program; returns 2 where the next one is its value, else 1.
    fn take(&mut self, word: &str, next: Option<&str>) -> usize {
        if !word.starts_with('-') {
            self.add_plain(word);
            return 1;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => self.glued(word),
        };
        let next = next.filter(|next| value.is_none() && self.is_value(name, next));
        let taken = if next.is_some() { 2 } else { 1 };
        let is_shown = SHOWING.contains(&word) || SHOWING_VALUE.contains(&name);
        if !is_shown && word != "--" && !MENDING.contains(&name) {
            self.add_option(word, name, value.or(next));
        }
        taken
    }

    fn add_plain(&mut self, word: &str) {
        if shell::is_assignment(word) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            self.bound.entry(name.to_owned()).or_default().insert(value.to_owned());
        } else if !word.starts_with('+') && word != "run" && word != "t" {
            self.bound.entry(String::new()).or_default().insert(path(word).to_owned());
        }
    }

    fn add_option(&mut self, word: &str, name: &str, value: Option<&str>) {
        let known = ALIKE.iter().find(|(alike, _)| *alike == name).map_or(name, |(_, one)| one);
        let value = value.unwrap_or_default();
        if self.does_more(name) && (value.is_empty() || MORE_VALUE.contains(&name)) {
            self.more.insert(format!("{known} {value}"));
        } else if TARGETS.contains(&name) && self.program == "cargo" {
            let targets = self.bound.entry("targets".to_owned()).or_default();
            targets.insert(format!("{name} {value}"));
        } else if value.is_empty() {
            self.words.insert(word.to_owned());
        } else {
            self.bound.entry(known.to_owned()).or_default().insert(path(value).to_owned());
        }
    }

    /// Takes an option apart that has its value in the same word: `-Dwarnings`, `-j8`.
    fn glued<'w>(&self, word: &'w str) -> (&'w str, Option<&'w str>) {
        let Some((name, value)) = word.split_at_checked(2).filter(|(_, rest)| !rest.is_empty())
        else {
            return (word, None);
        };
        let counts = SHOWING_VALUE.contains(&name) && value.bytes().all(|b| b.is_ascii_digit());
        let is_lint = self.program == "cargo" && ["-D", "-F", "-W"].contains(&name);
        if counts || is_lint { (name, Some(value)) } else { (word, None) }
    }

    fn does_more(&self, name: &str) -> bool {
        MORE.contains(&name) || self.program == "cargo" && MORE_OF_CARGO.contains(&name)
    }

    /// Whether the word behind an option is its value: of one that is not known, unless it looks like a path.
    fn is_value(&self, name: &str, next: &str) -> bool {
        let is_bare = SHOWING.contains(&name)
            || BARE.contains(&name)
            || self.does_more(name) && !MORE_VALUE.contains(&name);
        let is_number = next.parse::<i64>().is_ok();
        let is_known = VALUED.contains(&name) || self.does_more(name);
        match next.starts_with('-') {
            true => false,
            false if SHOWING_VALUE.contains(&name) && is_number => true,
            false => name != "--" && !is_bare && (is_known || !next.contains(['/', '.'])),
        }
    }

    /// Takes out what names all there is.
    fn forget_whole(&mut self) {
        let is_all = |word: &String| matches!(word.as_str(), "." | "...");
        if self.bound.get("").is_some_and(|names| names.iter().any(is_all)) {
            self.bound.remove("");
        }
    }

    /// Whether what a program that runs tests is given are its tests as such, and no part of what was given
    /// before.
    fn is_all_tests(&self, names: &BTreeSet<String>, before: Option<&BTreeSet<String>>) -> bool {
        let program = self.program.as_str();
        let runs_tests = RUNNERS.contains(&program) && !TASKS.contains(&program);
        let is_tests = |word: &String| matches!(word.as_str(), "test" | "tests");
        let is_part = before.is_some_and(|before| !names.is_disjoint(before));
        runs_tests && names.iter().all(is_tests) && !is_part
    }
}

/// Whether a word may name a program.
fn is_plain(word: &str) -> bool {
    !word.starts_with(['-', '+']) && !shell::is_assignment(word)
}

fn leaves_out(option: &str) -> bool {
    LEAVING_OUT.contains(&option)
}

/// Returns a path without what can stand around it.
fn path(word: &str) -> &str {
    match word.trim_start_matches("./").trim_end_matches('/') {
        "" => ".",
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::Asked;

    fn is_as_wide(later: &str, first: &str) -> bool {
        Asked::of(later).is_as_wide(&Asked::of(first))
    }

    #[test]
    fn a_run_on_fewer_files_is_not_as_wide() {
        for (first, later) in [
            ("pytest tests/a.py tests/b.py", "pytest tests/a.py"),
            ("pytest tests scripts", "pytest tests"),
            ("npx eslint a.ts b.ts", "npx eslint a.ts"),
            ("npx eslint --fix src lib", "npx eslint --fix src"),
            ("mypy a b", "mypy a"),
            ("python3 -m mypy a b", "python3 -m mypy a"),
            ("ruff check a b", "ruff check a"),
            ("npx jest a.test.ts b.test.ts", "npx jest a.test.ts"),
            ("go test ./a ./b", "go test ./a"),
            ("go test ./a/b", "go test ./a"),
            ("cargo test -p a -p b", "cargo test -p a"),
            ("cargo test --package=a --package=b", "cargo test -p a"),
            ("cargo test --lib --bins", "cargo test --lib"),
            ("make lint test", "make test"),
            ("pytest -k 'slow or db'", "pytest -k slow"),
            ("pytest tests/b.py tests/c.py -m slow", "pytest tests/c.py"),
            ("docker compose exec app pytest a.py b.py", "docker compose exec app pytest a.py"),
            ("pytest", "pytest tests/a.py"),
            ("npm run lint", "npm run lint -- src/a.ts"),
        ] {
            assert!(!is_as_wide(later, first), "{first} -> {later}");
        }
    }

    #[test]
    fn a_run_without_what_widened_it_is_not_as_wide() {
        for (first, later) in [
            ("cargo test --workspace", "cargo test"),
            ("cargo test --all-features", "cargo test"),
            ("cargo test -- --ignored", "cargo test"),
            ("cargo test -- --include-ignored", "cargo test -- --nocapture"),
            ("cargo test --release", "cargo test"),
            ("cargo clippy --all-targets -- -D warnings", "cargo clippy"),
            ("cargo clippy -- -Dwarnings", "cargo clippy"),
            ("go test -tags integration ./...", "go test ./..."),
            ("npx eslint . --max-warnings 0", "npx eslint ."),
            ("mypy --strict .", "mypy ."),
            ("cargo test", "cargo test --release"),
            ("cargo test", "cargo test -- --ignored"),
            ("go test ./...", "go test -tags integration ./..."),
        ] {
            assert!(!is_as_wide(later, first), "{first} -> {later}");
        }
    }

    #[test]
    fn other_spellings_and_dropped_filters_are_as_wide() {
        for (first, later) in [
            ("cargo test parser", "cargo test --quiet -- --nocapture"),
            ("cargo test --lib parser::empty", "cargo test --lib"),
            ("cargo test -p a parser", "cargo test -p a"),
            ("cargo test -p a", "cargo test -p a -p b"),
            ("cargo test", "cargo test --workspace --all-features"),
            ("cargo clippy", "cargo clippy --all-targets -- -D warnings"),
            ("mypy .", "mypy --strict ."),
            ("cargo clippy --all -- -D warnings", "cargo clippy -q --workspace -- -Dwarnings"),
            ("pytest tests/a.py -x --tb=short", "pytest -v tests/a.py"),
            ("pytest tests/a.py -k one", "pytest tests/a.py --tb short"),
            ("pytest ./tests/a.py::test_x", "pytest tests/a.py -n 4"),
            ("pytest tests/unit/a.py", "pytest tests/unit/"),
            ("pytest tests/a.py", "pytest tests/a.py tests/b.py"),
            ("pytest tests/a.py", "pytest tests"),
            ("pytest -q", "pytest tests/"),
            ("npx playwright test a.spec.ts", "npx playwright test"),
            ("./gradlew :a:test", "./gradlew test"),
            ("python3 manage.py test a", "python3 manage.py test"),
            ("/p/.venv/bin/pytest tests/a.py", "pytest"),
            ("docker compose exec app pytest tests/a.py", "docker compose exec app pytest"),
            ("npm run test:unit -- src/a", "npm run test:unit"),
            ("npx eslint src lib", "npx eslint ."),
            ("npx eslint src --cache", "npx eslint src --fix"),
            ("node_modules/.bin/eslint src", "npx eslint src"),
            ("go test ./a -run TestX", "go test ./..."),
            ("go test ./a/b", "go test ./a/..."),
            ("make check ARGS=a", "make check"),
            ("pytest --ignore a --ignore b", "pytest --ignore a"),
            ("cargo +nightly test -j8", "cargo test"),
        ] {
            assert!(is_as_wide(later, first), "{first} -> {later}");
        }
    }

    #[test]
    fn a_build_needs_the_same_packages_but_not_the_same_tests() {
        let builds = |later: &str, first: &str| Asked::of(later).builds_as_much(&Asked::of(first));
        for (first, later) in [
            ("cargo test a::b", "cargo test --lib c::d"),
            ("cargo build", "cargo test"),
            ("cargo build -p a", "cargo test -p a parser"),
            ("npm run typecheck", "npx tsc --noEmit"),
            ("dotnet build -c Debug", "dotnet test tests/A.csproj -c Debug"),
        ] {
            assert!(builds(later, first), "{first} -> {later}");
        }
        for (first, later) in [
            ("cargo build", "cargo build -p a"),
            ("cargo clippy --all-targets -- -D warnings", "cargo test"),
            ("npx eslint a b", "npx eslint a"),
        ] {
            assert!(!builds(later, first), "{first} -> {later}");
        }
    }
}
