//! What sounds like a check, where no program of the table is named.

use super::asked::options::IN_FRONT;
use super::telling::only_tells;
use super::verifiers::verifies;
use super::{boxes, formatters, recognise};
use crate::derive::files::is_temporary;
use crate::derive::{place, shell};

/// Words by which a script is told to check something.
pub(super) const CHECKING: &[&str] = &[
    "bats",
    "build",
    "check",
    "clippy",
    "compile",
    "lint",
    "test",
    "tests",
    "typecheck",
    "validate",
    "validator",
    "verify",
    "vet",
];
/// Programs that only run another one, whose name follows.
const WRAPPERS: &[&str] = &["bunx", "npx", "pnpx", "poetry", "uv", "uvx"];
/// Words that say so.
const RUNNING: &[&str] = &["run", "exec", "task", "dlx"];
/// Programs that run the file of a script besides those that interpret one themselves.
const SCRIPTED: &[&str] = &["pdm", "poetry", "ts-node", "tsx", "uv"];
/// Options by which a script is run as ever.
const PLAIN: &[&str] = &["-B", "-e", "-eu", "-u", "-x"];
/// Programs that only look where an option has them check.
const CHECKED_BY_OPTION: &[&str] = &[
    "autopep8",
    "biome",
    "black",
    "buf",
    "cargo",
    "dart",
    "deno",
    "gofumpt",
    "isort",
    "mix",
    "nixfmt",
    "oxfmt",
    "prettier",
    "ruff",
    "rustfmt",
    "shfmt",
    "taplo",
    "terraform",
    "tofu",
    "yapf",
    "zig",
];

/// Programs that run tasks by their names.
const TASK_RUNNERS: &[&str] = &[
    "bun", "composer", "deno", "gmake", "hatch", "just", "lerna", "make", "mise", "moon", "ninja",
    "npm", "nx", "pdm", "pixi", "pnpm", "poetry", "rake", "task", "turbo", "uv", "yarn",
];

/// Whether a command, by its own name or by that of the script that it runs, is one that checks.
pub(super) fn sounds_like_a_check(part: &str) -> bool {
    boxes::commands(part).iter().any(|command| sounds(command)) || runs_checker(part)
}

/// Whether a command runs an image that is called after a program that only checks.
fn runs_checker(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let is_box = words.next().is_some_and(|name| matches!(name, "docker" | "podman"));
    is_box && image(words).is_some_and(is_checker)
}

fn sounds(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let name = place::name(program);
    let is_wrapper = WRAPPERS.contains(&name);
    let is_on_way = |word: &&str| RUNNING.contains(word) || (is_wrapper && word.starts_with('-'));
    let script = words.clone().find(|word| !is_on_way(word)).unwrap_or_default();
    // The verbs of git that sound so only ask.
    let is_plain =
        name != "git" && !script.starts_with('-') && !script.contains(['/', '=', '"', '\'', '.']);
    let ran = if is_wrapper { script } else { name };
    let only_reads = match name {
        "bash" | "sh" | "zsh" => script == "-n",
        _ => CHECKED_BY_OPTION.contains(&ran) && part.contains("-check"),
    };
    // The value of an option in between may sound like anything.
    let is_sure = !is_wrapper || words_are_plain(part, script);
    only_reads
        || builds_all(name, part)
        || verifies(part)
        || matches!(name, "perl" | "raku") && words.clone().any(|word| word.ends_with(".t"))
        || checks(name)
        || (is_plain && is_sure && checks(script))
        || runs_script(name, words.clone())
        || [name, ran].iter().any(|it| TASK_RUNNERS.contains(it)) && task(words).is_some_and(checks)
}

/// Returns the task that a program is told to run, behind options and their values.
fn task<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    loop {
        let word = words.next()?;
        match word {
            // The name of a part of the project stands behind it.
            "workspace" => drop(words.next()?),
            // The task stands behind an option.
            "affected" | "run-many" => {}
            _ if IN_FRONT.contains(&word) => drop(words.next()?),
            // One runs the other.
            _ if TASK_RUNNERS.contains(&word) => {}
            _ if word.starts_with('-') || RUNNING.contains(&word) => {}
            _ => return (!word.contains(['/', '=', '"', '\'', '.'])).then_some(word),
        }
    }
}

/// Words in the name of a task that has another purpose than to run tests.
const NO_TESTS: &[&str] =
    &["build", "check", "fmt", "format", "lint", "type", "typecheck", "types"];

/// Whether a command runs a task that is called after tests: what is built on the way says nothing of them.
pub(super) fn runs_test_task(part: &str) -> bool {
    // Most name none, and need not be taken apart.
    if !part.contains("test") {
        return false;
    }
    let runs = |command: &String| {
        let mut words = command.split_whitespace();
        let runs = |name: &str| TASK_RUNNERS.contains(&name) || WRAPPERS.contains(&name);
        let is_runner = words.next().is_some_and(runs);
        let Some(task) = task(words).filter(|_| is_runner) else { return false };
        let mut names = task.split([':', '-', '_', '.']);
        let has_test = names.clone().any(|word| matches!(word, "test" | "tests"));
        has_test && !names.any(|word| NO_TESTS.contains(&word))
    };
    boxes::commands(part).iter().any(runs)
}

/// Whether a program runs a script whose file is called after what checks: by its first or last word, so
/// that `report-test-times.py` is none.
fn runs_script<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> bool {
    let is_runner = shell::interprets(name) || SCRIPTED.contains(&name);
    let mut words = words.skip_while(|word| RUNNING.contains(word) || PLAIN.contains(word));
    let Some(file) = words.next().filter(|word| is_runner && !word.starts_with('-')) else {
        return false;
    };
    let folder_and_file = file.rsplit_once('/').unwrap_or(("", file));
    let Some((stem, _)) = folder_and_file.1.split_once('.') else { return false };
    let parts: Vec<&str> = stem.split(['-', '_']).collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    // What is built may be anything, such as an index.
    let makes = |word: &str| matches!(word, "build" | "compile");
    let is_named = CHECKING.contains(last) || CHECKING.contains(first) && !makes(first);
    is_named && !is_temporary(file)
}

/// Whether no option with a value stands before the program that another one runs.
fn words_are_plain(part: &str, script: &str) -> bool {
    let before = part.split_whitespace().take_while(|word| *word != script);
    let mut options = before.filter(|word| word.starts_with('-'));
    options.all(|word| word.contains('=') || matches!(word, "-y" | "--yes" | "-q" | "--quiet"))
}

/// Whether a word is the name of something that checks.
fn checks(word: &str) -> bool {
    is_checker(word) || word.split([':', '-', '.', '_']).any(|word| CHECKING.contains(&word))
}

/// Whether a word is the name of a program that does nothing else.
fn is_checker(word: &str) -> bool {
    word.ends_with("lint") || word.ends_with("check") || word == "zizmor"
}

/// Options of `docker run` without a value; others are taken to have one.
const BARE: &[&str] = &["--init", "--privileged", "--rm", "-d", "-i", "-it", "-t", "-ti"];

/// Returns what the image that `docker run` runs is called, without where it comes from and which of it
/// is meant.
fn image<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    words.next().filter(|word| *word == "run")?;
    let image = loop {
        let word = words.next()?;
        match word.starts_with('-') {
            false => break word,
            true if BARE.contains(&word) || word.contains('=') => {}
            true => {
                words.next()?;
            }
        }
    };
    let name = place::name(image);
    name.split([':', '@']).next()
}

/// Whether a program is asked for no more than what it makes by itself.
fn builds_all(name: &str, part: &str) -> bool {
    let is_how = |word: &str| matches!(word, "-B" | "-k" | "-s") || word.starts_with("-j");
    matches!(name, "gmake" | "make" | "ninja") && part.split_whitespace().skip(1).all(is_how)
}

/// Whether a program tests, builds or checks without a word behind it.
pub(in crate::derive) fn checks_alone(program: &str) -> bool {
    !recognise::named(program).is_empty() || sounds_like_a_check(program)
}

/// Whether a command looks at how text is written, and runs nothing of it.
pub(super) fn only_looks(part: &str) -> bool {
    let looks = |part: &String| {
        let mut words = part.split_whitespace();
        formatters::is_about_form(part) || only_tells(part) || words.any(is_checker)
    };
    boxes::commands(part).iter().all(looks)
}

/// Whether a command builds a program of others to have it.
fn installs_others(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_own = |word: &&str| word.starts_with("--path");
    matches!(words[..], ["cargo", "install" | "binstall", ..]) && !words.iter().any(is_own)
}

/// Whether a command only sets text in order, only tells of itself, or ends what runs.
pub(in crate::derive) fn is_no_check(part: &str) -> bool {
    let is_none = |part: &String| {
        formatters::only_forms(part)
            || only_tells(part)
            || installs_others(part)
            || shell::ends_programs(part)
    };
    boxes::commands(part).iter().all(is_none)
}

#[cfg(test)]
mod tests {
    use super::{is_no_check, sounds_like_a_check};

    #[test]
    fn what_is_installed_or_asked_about_is_checked_by_nothing() {
        for part in
            ["cargo install cargo-nextest", "npx eslint --init", "tsc --init", "ruff rule F401"]
        {
            assert!(is_no_check(part), "{part}");
        }
        for part in ["cargo install --path .", "npx eslint .", "tsc -p .", "ruff check rule"] {
            assert!(!is_no_check(part), "{part}");
        }
    }

    #[test]
    fn what_checks_is_told_by_its_name() {
        for part in [
            "uv run ci/run_tests.py",
            "python3 scripts/check_links.py docs",
            "bash -x ci/lint.sh",
            "node scripts/build.mjs",
            "make -j4 -C web test",
            "npm --prefix web run test:unit",
            "pnpm --filter web test",
            "npx nx run-many -t test",
            "nox",
            "pnpm -r lint",
            "yarn workspace web test",
            "docker exec app npm run test:unit",
            "docker compose run --rm app make check",
            "ssh box 'cd p && pnpm test:unit'",
            "docker run --rm zizmorcore/zizmor .",
        ] {
            assert!(sounds_like_a_check(part), "{part}");
        }
        for part in [
            "python3 build_index.py",
            "python3 scripts/report_test_times.py",
            "python3 /tmp/check.py",
            "python3 -m tool check.py",
            "uv run tool tests/check.py",
            "docker exec test ls",
            "docker run --rm test-image env",
            "ssh test uptime",
            "make -C test all-docs",
            "npm --prefix test run start",
        ] {
            assert!(!sounds_like_a_check(part), "{part}");
        }
    }
}
