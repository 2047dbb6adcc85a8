//! Commands that test or build: which they are, how much one tells, and whether it can be run again.

use super::makers::makes_project;
use super::paths::is_file;
use super::{outcomes, place, shell};

/// Programs that never test or build, whatever words follow.
const NO_CHECKS: &[&str] = &[
    "git", "gh", "glab", "curl", "wget", "cat", "ls", "cp", "mv", "rm", "grep", "rg", "sed", "cd",
    "find", "mkdir", "touch", "echo", "head", "tail", "jq", "which", "tar", "unzip", "zip", "ssh",
    "scp", "rsync", "ln", "chmod", "open",
];
/// Words for testing and building.
const CHECKING: &[&str] = &["test", "check", "build", "lint", "clippy", "tsc", "pytest"];
/// Words that begin or end like one of these and mean something else.
const OTHER: &[&str] = &["attest", "checkout", "checkpoint", "checkpoints", "checksum", "latest"];
/// How many words of a command tell what it does; the rest says with what.
const TELLING_WORDS: usize = 5;

/// Whether a command looks like one that tests or builds.
pub(super) fn is_check(command: &str) -> bool {
    let checks = |part: &String| {
        let program = shell::program(part);
        // What only says how it is to be run, or which it is, tests nothing.
        !NO_CHECKS.contains(&program)
            && !outcomes::only_tells(part)
            // The name of a box says nothing of what runs in it.
            && says_check(part, outcomes::CONTAINERS.contains(&program))
            && !makes_project(part)
    };
    shell::parts(command).iter().any(checks)
}

/// Whether the words of a command that tell what it does tell that it tests or builds; `is_boxed` where
/// only a whole word can.
fn says_check(part: &str, is_boxed: bool) -> bool {
    let words = || part.split_whitespace();
    if is_boxed {
        return words().any(|word| CHECKING.contains(&word.trim_matches(['\'', '"'])));
    }
    let (mut before, mut at) = ("", 0);
    words().any(|word| {
        // An option says how it is done, seldom what.
        if word.starts_with('-') {
            return at < TELLING_WORDS && !word.contains('/') && holds_check(word);
        }
        let program = std::mem::replace(&mut before, word);
        let program = place::name(program);
        at += 1;
        // A file behind the program is what it works on, unless that runs it.
        let is_told = at == 1 || !word.contains('/') || shell::interprets(program);
        at <= TELLING_WORDS && is_told && holds_check(word)
    })
}

/// Whether a word has one for testing or building in it, at the beginning or the end of a part: `ctest`,
/// `test:unit`, `run_tests.py`.
fn holds_check(word: &str) -> bool {
    let mut parts = word.split(is_no_letter);
    parts.any(|part| {
        let is_it = |check: &&str| part.starts_with(*check) || part.ends_with(*check);
        !OTHER.contains(&part) && CHECKING.iter().any(is_it)
    })
}

/// Words of a command line by which it changes what others see, or takes something away.
const REACHES_OUT: &[&str] =
    &["delete", "deploy", "destroy", "merge", "publish", "push", "release", "rm", "up", "upload"];

/// Words behind a program by which it makes something that is there when it is run again.
pub(super) const MAKES: &[&str] = &["create", "init", "new", "scaffold"];

/// Programs that see to what is installed.
const MANAGERS: &[&str] =
    &["bun", "bundle", "composer", "gem", "npm", "pip", "pip3", "pnpm", "poetry", "uv", "yarn"];
/// Words behind one by which it does so, or only asks.
const MANAGING: &[&str] = &[
    "add",
    "i",
    "init",
    "install",
    "outdated",
    "remove",
    "uninstall",
    "up",
    "update",
    "upgrade",
    "why",
];

/// Whether a reader can run a check as it is told only to see how it ends: it changes nothing for
/// others, and needs nothing that stood before it in a script.
pub(super) fn can_be_tried(command: &str) -> bool {
    let reaches_out = |(part, _): &(String, String)| {
        let words: Vec<_> = part.split_whitespace().filter(|word| !word.starts_with('-')).collect();
        // What follows is an argument, such as the name of a test.
        let is_deep = matches!(words[..], [_, "compose" | "issue" | "mr" | "pr" | "run", ..]);
        let count = if is_deep { 3 } else { 2 };
        let is_named = outcomes::names_test_program(part);
        let makes = |word: &&str| MAKES.contains(word);
        outcomes::commits_something(part)
            || is_deep && words.get(2).is_some_and(makes)
            || words.iter().take(count).any(|word| REACHES_OUT.contains(word))
            || !is_named && words.get(1).is_some_and(makes)
            || matches!(words[..], [program, verb, ..] if MANAGERS.contains(&program) && MANAGING.contains(&verb))
    };
    let is_known = |part: &String| outcomes::checks_something(part);
    (is_check(&without_names(command)) || shell::parts(command).iter().any(is_known))
        && !shell::raw(command).iter().any(reaches_out)
        && !lacks_value(command)
}

/// Returns a command without the names that an option is given and in the midst of which a word for testing stands,
/// such as `--change drop-build-flags`.
fn without_names(command: &str) -> String {
    let mut is_behind = false;
    let stays = |word: &&str| {
        let is_given =
            std::mem::replace(&mut is_behind, word.starts_with("--") && !word.contains('='));
        let ends = [word.split(is_no_letter).next(), word.rsplit(is_no_letter).next()];
        !is_given || !holds_check(word) || ends.into_iter().flatten().any(holds_check)
    };
    command.split_whitespace().filter(stays).collect::<Vec<_>>().join(" ")
}

fn is_no_letter(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether a command line names a variable that it does not set and that no environment has: by custom
/// those of the environment have capitals.
fn lacks_value(command: &str) -> bool {
    // In single quotes it is none.
    let command: String = command.split('\'').step_by(2).collect();
    command.match_indices('$').any(|(at, _)| {
        let rest = command[at + 1..].trim_start_matches('{');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = &rest[..end.unwrap_or(rest.len())];
        let is_local = name.starts_with(|c: char| c.is_ascii_lowercase());
        is_local
            && !command.contains(&format!("{name}="))
            && !command.contains(&format!("for {name} "))
    })
}

/// Parts of words for what finds fault with a text.
const LINTING: &[&str] = &["biome", "clippy", "eslint", "lint", "pylint", "ruff", "shellcheck"];

/// Whether a command names a program that finds fault with a text.
pub(super) fn lints(command: &str) -> bool {
    let mut words = command.split_whitespace().filter(|word| !word.contains('/'));
    words.any(|word| word.split(|c: char| !c.is_alphanumeric()).any(|part| LINTING.contains(&part)))
}

/// Tells how much a check tells: 0 tests, 1 builds, 2 lints, 3 looks at the form.
pub(super) fn rank(command: &str) -> u8 {
    let words = || command.split_whitespace().filter(|word| !word.contains('/'));
    let tests = |part: &str| part.starts_with("test") || part.ends_with("test");
    match () {
        () if outcomes::is_about_form(command) => 3,
        () if outcomes::names_test_program(command) => 0,
        () if lints(command) => 2,
        () if words().any(|word| word.split([':', '-', '_']).any(tests)) => 0,
        // What is known by its program alone looks at what is written.
        () if !is_check(command) => 2,
        () => 1,
    }
}

/// Options that have a check look at a part of what there is.
const NARROWING: &[&str] = &[
    "--bench",
    "--example",
    "--filter",
    "--framework",
    "--grep",
    "--lib",
    "--package",
    "--test",
    "-g",
    "-k",
    "-p",
    "-t",
];

/// Whether a check looks at a part of what there is: some files, a package, what has a name.
pub(super) fn is_of_part(command: &str) -> bool {
    let mut words = command.split_whitespace().skip(1);
    // Of others the same letter names a file that says how.
    let is_of_framework = command.starts_with("dotnet ") && command.contains(" -f ");
    let named = |word: &str| {
        let is_all = word.ends_with("...") || word.trim_end_matches('/').rsplit('/').count() == 1;
        NARROWING.contains(&word) || word.contains("::") || is_file(word) || !is_all
    };
    // Behind the word for testing stands what is to be tested.
    let at = words.by_ref().position(|word| word == "test" || word.ends_with("pytest"));
    let behind = at.and_then(|_| words.clone().next());
    is_of_framework
        || behind.is_some_and(|word| !word.starts_with('-') && !word.ends_with(['/', '.']))
        || command.split_whitespace().skip(1).any(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_or_builds_is_a_check() {
        assert!(is_check("cargo test --lib") && is_check("cd x && npm run build"));
        assert!(!is_check("uv build --help") && !is_check("git commit -m test"));
        for line in [
            "./gradlew build",
            "python3 ci/run_tests.py",
            "docker build .",
            "docker compose run app npm test",
            "npx --yes prettier --check docs/a.md",
            "cargo +1.96.0 nextest run",
            "npm run type-check",
            "npm --prefix web run --silent test",
            "mvn -B -q -pl core -am test",
            "bash -x ./ci/test.sh",
            "docker exec app sh -c 'cargo test'",
        ] {
            assert!(is_check(line), "{line}");
        }
        for line in [
            "tar -xzf - package/lib/build.js",
            "docker run --rm env-test sh -c env",
            "npm view tool@latest",
            "agent checkpoint list",
            "node dist/main.js checks/test.json",
        ] {
            assert!(!is_check(line), "{line}");
        }
    }

    #[test]
    fn a_test_of_all_tells_most() {
        let ranks = [
            ("uv run pytest -q", 0),
            ("mise run test:bats", 0),
            ("make build", 1),
            ("npm run lint", 2),
            ("uv run ruff check src tests", 2),
            ("uv run ruff format --check src tests", 3),
            ("cargo fmt --check", 3),
            ("bundle exec rspec", 0),
            ("npx jest", 0),
            ("pytest -k format", 0),
            ("cargo test format", 0),
            ("pytest tests/lint", 0),
            ("npm run format:check", 3),
        ];
        for (command, expected) in ranks {
            assert_eq!(rank(command), expected, "{command}");
        }
        for all in ["cargo test", "go test ./...", "uv run pytest tests/ -q", "npm run test:unit"] {
            assert!(!is_of_part(all), "{all}");
        }
        for part in [
            "cargo test parse",
            "pytest tests/test_a.py",
            "cargo test -p core",
            "pytest a/b",
            "dotnet test -f net9.0",
        ] {
            assert!(is_of_part(part), "{part}");
        }
    }

    #[test]
    fn what_changes_something_for_others_is_not_to_be_tried() {
        for line in [
            "cargo test --lib",
            "npm run build",
            "f=a; npm run lint $f",
            "CI=1 make check DIR=$HOME/x",
            "cargo test merge",
            "pytest tests -k push",
            "npm test -- -t '^renders $price'",
            "npm run --silent test-unit",
            "npm --prefix web-test-app run test",
            "bundle exec rspec",
            "npx jest --coverage",
            "mypy src",
            "mvn verify",
            "pytest new",
            "make test-init",
        ] {
            assert!(can_be_tried(line), "{line}");
        }
        for line in [
            "npm run build && npm publish",
            "gh pr merge 3 --delete-branch",
            "make check && git push",
            "npm run build && npm run release",
            "\"$wt/target/debug/tool\" check",
            "curl -s https://a.example/test",
            "spectool status --change drop-build-flags --json",
            "ruff format src",
            "mvn deploy",
            "openspec new change \"build-args\"",
            "npm init test-kit",
        ] {
            assert!(!can_be_tried(line), "{line}");
        }
    }
}
