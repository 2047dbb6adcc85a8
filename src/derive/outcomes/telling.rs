//! Commands that only tell something: of their program, or what it would do.

use super::{boxes, recognise};

/// Options by which a program only tells something of itself.
const OF_ITSELF: &[&str] = &["--version", "--help", "-h", "-V"];
/// Options by which one that tests or checks tells what there is to do, and does nothing of it.
const OF_WORK: &[&str] = &[
    "--collect-only",
    "--gtest_list_tests",
    "--list",
    "--list-groups",
    "--list-suites",
    "--list-tests",
    "--listTests",
    "--listenvs",
    "--listFilesOnly",
    "--print-config",
    "--setup-plan",
    "--show-config",
    "--show-files",
    "--show-only",
    "--show-settings",
    "--showConfig",
    "-showBuildSettings",
];
/// What the same is told by in programs for which that word is theirs alone.
const OF_ONE: &[(&[&str], &[&str])] = &[
    (&["behave", "cucumber", "mocha", "rspec"], &["--dry-run"]),
    (&["ctest"], &["-N"]),
    (&["eslint", "tsc"], &["--init"]),
    (&["go"], &["-list"]),
    (&["gmake", "make", "ninja"], &["--dry-run", "--just-print", "--recon", "-n"]),
    (&["gradle", "gradlew"], &["--dry-run", "-m"]),
    (&["just"], &["--dry-run", "-n"]),
    (&["nox", "tox"], &["-l"]),
    (&["py.test", "pytest"], &["--co", "--fixtures", "--markers"]),
    (&["task"], &["--dry", "-n"]),
    (&["turbo"], &["--dry", "--dry-run"]),
];
/// How programs are told by words to list their tests.
const LISTING: &[&[&str]] =
    &[&["nextest", "list"], &["ruff", "rule"], &["swift", "test", "list"], &["vitest", "list"]];
/// Options by which what tests would be is only built.
const BUILDING: &[&str] = &["--no-run"];

/// Whether a command only tells something of its program, or what that would do.
pub(in crate::derive) fn only_tells(part: &str) -> bool {
    let words = || part.split_whitespace();
    // One tells more of its tests by it.
    let is_shown = |word| word == "-V" && words().any(|it| recognise::name(it) == "ctest");
    words().any(|word| OF_ITSELF.contains(&word) && !is_shown(word)) || only_lists(part)
}

/// Whether a command tells what a program would do that tests or checks, and does nothing of it.
fn only_lists(part: &str) -> bool {
    if !part.contains('-') && ![" list", " rule"].iter().any(|word| part.contains(word)) {
        return false;
    }
    let option = |word| str::split(word, '=').next().unwrap_or(word);
    let words: Vec<&str> = part.split_whitespace().map(option).collect();
    let names: Vec<&str> = words.iter().map(|word| recognise::name(word)).collect();
    let is_of_one = |(programs, options): &(&[&str], &[&str])| {
        let at = names.iter().position(|name| programs.contains(name));
        let behind = at.map_or(&[][..], |at| &words[at + 1..]);
        // What follows goes to what it runs; so does all behind the name of a recipe.
        let to_recipe = programs.iter().any(|program| matches!(*program, "just" | "task"));
        let is_own = |word: &&&str| **word != "--" && (!to_recipe || word.starts_with('-'));
        let behind = &behind[..behind.iter().take_while(is_own).count()];
        let is_ran = at.is_some_and(|at| words[..at].iter().all(|word| is_before(word)));
        is_ran && behind.iter().any(|word| options.contains(word))
    };
    let is_of = |words: &[&str], listing: &[&str]| words == listing;
    let handed = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let is_handed = |at: usize| at > handed && words[0] != "cargo";
    words
        .iter()
        .enumerate()
        .skip(1)
        .any(|(at, word)| OF_WORK.contains(word) && !(*word == "--list" && is_handed(at)))
        || LISTING.iter().any(|listing| {
            words.windows(listing.len()).take(LISTED_WITHIN).any(|words| is_of(words, listing))
        })
        || OF_ONE.iter().any(is_of_one)
}

/// Whether a word may stand before a program and leaves its options alone.
fn is_before(word: &str) -> bool {
    matches!(word, "-m" | "--") || !word.starts_with('-')
}

/// Within how many words what is to be listed is named.
const LISTED_WITHIN: usize = 4;

/// Whether a command builds what would test, and runs nothing of it.
pub(super) fn only_builds_tests(part: &str) -> bool {
    let builds = |command: &String| command.split_whitespace().any(|word| BUILDING.contains(&word));
    BUILDING.iter().any(|word| part.contains(word)) && boxes::commands(part).iter().any(builds)
}

#[cfg(test)]
mod tests {
    use super::only_tells;

    #[test]
    fn what_lists_is_told_from_what_runs() {
        assert!(!only_tells("ctest -V") && only_tells("ctest --version") && only_tells("bash -V"));
        for part in [
            "pytest --collect-only -q",
            "python -m pytest --co tests",
            "npx jest --listTests",
            "ctest -N",
            "dotnet test --list-tests",
            "npx playwright test --list",
            "npx vitest list",
            "cargo nextest list",
            "make -n test",
            "./gradlew test --dry-run",
            "cargo test -- --list",
            "go test -list . ./...",
            "npx eslint --print-config src/a.ts",
            "tsc --showConfig",
            "just -n test",
            "ctest --show-only=json-v1",
        ] {
            assert!(only_tells(part), "{part}");
        }
        for part in [
            "pytest -n 4",
            "ctest -R list",
            "dotnet test --no-build",
            "npx playwright test list.spec.ts",
            "npx vitest run list",
            "cargo test list",
            "make test",
            "nice -n 5 make test",
            "./gradlew test -Pm",
            "kubectl apply --dry-run=server -f k8s",
            "prettier --list-different src",
            "npm test",
            "npm test -- --list",
            "tox -e py312 -- -l",
            "just test -n 4",
            "turbo run test -- --dry-run",
        ] {
            assert!(!only_tells(part), "{part}");
        }
    }
}
